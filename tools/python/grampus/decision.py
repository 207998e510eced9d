"""How much an individual's outputs speak for a class: what decision_function and predict_proba are made of."""

from __future__ import annotations

import numpy as np

from grampus import _library as _l
from grampus.individual import Individual

_LEAST, _MOST = float(np.finfo(np.float32).tiny), float(np.finfo(np.float32).max)


def decisions(one: Individual, X: np.ndarray, numbers: np.ndarray, classes: int) -> np.ndarray:
    """Of two classes (cases,), above 0 where the class predicted, numbers (cases,), is 1; of more (cases, classes), the
    largest that of the class predicted. Finite."""
    ranked = one.ranked(X)
    if classes == 2:
        return _signed(_beyond(one, X) if ranked is None else _second_less_first(ranked), numbers)
    return _largest(_inside(one, X, classes) if ranked is None else _of_all(ranked, int(one.class_min), classes), numbers)


def _finite(outputs: np.ndarray, none: float = -_MOST) -> np.ndarray:
    return np.clip(np.nan_to_num(outputs, nan=none), -_MOST, _MOST)


# ---- by one output ----


def _begin(one: Individual, classes: int) -> np.ndarray:
    """The outputs at which classes begin, (classes - 1,), without the first one."""
    if one.rule in (_l.NEAREST, _l.NO_CLASSES):
        return np.arange(classes - 1) + 0.5
    own = [0.0 if value == _l.ABOVE_0 else value for value in one.thresholds or [0.0]]
    first = int(one.class_min)  # of the training cases, less those set aside, which may have all of the lowest
    return np.array(([-np.inf] * first + own + [np.inf] * classes)[: classes - 1])


def _read(one: Individual, X: np.ndarray) -> np.ndarray:
    """The outputs that classes are read from."""
    return one.predict(X) if one.rule == _l.NO_CLASSES else one.output(X)


def _beyond(one: Individual, X: np.ndarray) -> np.ndarray:
    """How far outputs lie beyond where the second of two classes begins."""
    with np.errstate(invalid="ignore"):  # infinite both
        return _read(one, X) - _begin(one, 2)[0]


def _inside(one: Individual, X: np.ndarray, classes: int) -> np.ndarray:
    """How far outputs lie inside of where each class begins and ends, (cases, classes)."""
    outputs = _read(one, X)[:, None]
    begin = np.concatenate([[-np.inf], _begin(one, classes), [np.inf]])
    with np.errstate(invalid="ignore"):
        return _finite(np.minimum(outputs - begin[:-1], begin[1:] - outputs))


# ---- by an output for every class ----


def _second_less_first(ranked: np.ndarray) -> np.ndarray:
    outputs = _finite(ranked)
    return outputs[:, -1] - outputs[:, 0]


def _of_all(ranked: np.ndarray, first: int, classes: int) -> np.ndarray:
    """(cases, classes); those of the training cases may begin later, as in _begin."""
    outputs = np.full((len(ranked), classes), -_MOST)
    outputs[:, first : first + ranked.shape[1]] = _finite(ranked)
    return outputs


# ---- as predicted ----


def _signed(beyond: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Outputs may stand on the border, or be none."""
    beyond = _finite(beyond, 0.0)
    return np.where(numbers == 1, np.maximum(beyond, _LEAST), np.minimum(beyond, 0.0))


def _largest(outputs: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """argmax takes outputs that share their first digits for equal; of others some stand on a border, or are none."""
    other = np.flatnonzero(outputs.argmax(axis=1) != numbers)
    outputs[other, numbers[other]] = np.nextafter(outputs[other].max(axis=1), np.inf)
    return outputs


# ---- probabilities ----


def no_probabilities(metric: str, classes: int) -> str:
    """Why programs evolved by a metric have none; "" where they have. The least squared error of labels 0 and 1 is that of
    the probability of 1 (Brier's score). All other metrics are least for a class, as that of the absolute error and of hinge,
    or look at the classes alone; and of numbers of more classes the mean says nothing of each."""
    if metric not in ("mse", "rmse", "r2"):
        return ("predict_proba: metric %s says nothing of probabilities; expected mse, rmse or r2 and two classes, or "
                "CalibratedClassifierCV around the estimator" % ("misclassified" if metric == "auto" else metric))  # fmt: skip
    if classes > 2:
        return ("predict_proba: metric %s of %d classes says nothing of probabilities; expected two, or OneVsRestClassifier or "
                "CalibratedClassifierCV around the estimator" % (metric, classes))  # fmt: skip
    return ""


def probabilities(one: Individual, X: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """(cases, classes) of at most two classes by an individual of the least squared error, as predicted: 0.5 is of the first.
    `shares` of the classes: of what has no output, and of the constant that there is before anything was evolved."""
    made = np.tile(shares, (len(X), 1))
    is_the_constant = one.rule == _l.NEAREST and one.slope == 0.0
    if len(shares) == 1 or is_the_constant:
        return made
    if one.rule != _l.NO_CLASSES:
        raise _l.BadInput("predict_proba of an individual of a metric that has none; expected one of front_, or its number there")
    outputs = one.predict(X)
    there = outputs == outputs
    made[there, 1] = np.clip(outputs[there], 0.0, 1.0)
    made[there, 0] = 1.0 - made[there, 1]
    return made
