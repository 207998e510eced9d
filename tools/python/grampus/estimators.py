"""Estimators as scikit-learn has them, on top of :class:`grampus.run.Run`; what they share is in base.py."""

from __future__ import annotations

import inspect
import warnings
from typing import Callable, Optional, Union

import numpy as np

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as missing:
    what = "the estimators of grampus need scikit-learn; expected it to be installed (pip install scikit-learn)"
    raise ImportError(what, name="sklearn") from missing
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import r2_score
from sklearn.utils import compute_sample_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from grampus import _library as _l
from grampus._parameters import Parameters
from grampus.arguments import FLOATS, names_of, validate_data, weights_of
from grampus.base import Estimator
from grampus.decision import decisions, no_probabilities, probabilities
from grampus.individual import Individual


class GrampusRegressor(RegressorMixin, Estimator):
    """Symbolic regression by grammatical evolution or tree GP.

    fit(X, y) evolves an expression; without `grammar` a tree (genotype tree), with one a sentence of it: a path or the
    text of a BNF grammar whose sentences are expressions of the columns' names (x0, x1, ... where X has none; "my col" is
    my_col there, as in `best_.inputs`).

    Parameters
    ----------
    Every key of run files, with the same default; see :class:`grampus._parameters.Parameters` or `grampus run --help`.
    Beside them:

    max_time : float, optional
        Seconds that fit takes, kept within one.
    seeds : str or list of str
        As in run files the path of a file; or the expressions themselves (of a grammar the sentences).
    units, types : str or dict
        As in run files; or by name, as {"x0": "m", "x1": "s"}.
    random_state : int, RandomState or None
        The seed of the run; None: `seed`.
    warm_start : bool
        The next fit begins with the population that the last one ended with: of several islands with the best of all,
        as many as one has room for, on every island.
    n_jobs : int, optional
        Threads on the CPU, -1: as many as the work is worth; None: `threads`.

    Attributes
    ----------
    best_ : Individual
    front_ : list of Individual
        Pareto front of training fitness and size, by rising size, the least error last; with objectives the front of
        these, by rising size. best_ is whom front_choice says, of the presets regression and ge the best for its size
        (with validation_fraction the best on the cases set aside, which need not be in it).
    equations_ : pandas.DataFrame
        front_ as a table.
    history_ : dict of arrays (generations x runs,)
        run, generation, best, mean, best_ever, ... ; ready for pandas.DataFrame.
    law_ : Law or None
        With find_law: an individual whose constants are rounded, and whether it is exact; None: no program came near.
    feature_importances_ : (n_features_in_,)
    stop_reason_ : str
        What ended the run, as "stop_reason" of best.json: "target-fitness", "stagnation", "max-evaluations", "generations",
        "time-limit", "law-every" (an exact law), or "request" where it was stopped (`stopped_`): by max_time, Ctrl-C or the
        callback; "none" where nothing had to be evolved, as for one class.
    n_features_in_, feature_names_in_, n_iter_, device_, seconds_, stopped_, interrupted_
    unused_ : str
        Keywords that were named and that nothing of the run read, by their keys, and what they are for: "functions,
        constant-min: for genotype tree"; "" without any.

    X and y are read as float32, with precision="double" as float64: values that are not finite as such are refused.
    float32 and float64 arrays are read where they stand. precision="double" does not go with sample_weight (but of 0 and
    1), linear_scaling, optimise_constants, several targets and more: a line says so. Ctrl-C ends fit with a warning, and the estimator has what was found; a
    search, a pipeline or whatever of scikit-learn calls fit it ends too, by a KeyboardInterrupt.
    """

    def fit(self, X, y, sample_weight=None, callback: Optional[Callable] = None) -> "GrampusRegressor":
        """Evolves on X (cases, inputs) and y (cases,); or y (cases, targets), and programs have an output for each.

        The fitness of several targets is one number: see target_scaling. Not with linear_scaling, optimise_constants,
        warm_start and other metrics than mse, rmse, mae and sae.

        sample_weight : (cases,), optional
            A case counts as much in every mean and sum of the fitness; 0 leaves it out. Weights that are all the same
            are none.
        callback : optional
            callback(progress) after every epoch and about every second, from another thread: generation, seconds, best_ever.
            An exception that it raises ends fit, which raises it; the estimator has what was found.
        """
        with self._or_as_before():
            self._fit(X, y, sample_weight, callback)
        return self

    def _fit(self, X, y, sample_weight, callback) -> None:
        settings = self._settings()
        shape = np.asarray(y).shape
        several = len(shape) == 2 and shape[1] > 1
        if several and self.warm_start:
            raise _l.BadInput("warm_start for several targets; expected one target")
        X, y = validate_data(self, X, y, dtype=FLOATS, y_numeric=True, multi_output=several)
        if y.dtype not in FLOATS:
            y = y.astype(np.float64)
        weights = None if sample_weight is None else weights_of(sample_weight, X)
        self._evolve(X, y, weights, settings, callback)

    def _constant(self, y, weights):
        return np.mean(y, axis=0, dtype=np.float64) if weights is None else np.average(y, axis=0, weights=weights)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _more_tags(self):  # before scikit-learn 1.6
        return {"multioutput": True}

    def predict(self, X, individual: Union[None, int, Individual] = None) -> np.ndarray:
        """(cases,), or of several targets (cases, targets), by the best, or by another individual: one of `front_`, or its number there."""
        X = self._check_predict(X)
        return self._individual(individual).predict(X)

    def score(self, X, y, sample_weight=None) -> float:
        """R2, as scikit-learn has it. Where the best has no value on a case, as a logarithm of a negative number, or an infinite
        one, the error is infinite, as in the fitness: -inf, and a warning says of how many cases. Cases of weight 0 do not
        count."""
        predicted = self.predict(X)
        if sample_weight is not None:
            sample_weight = np.asarray(_check_sample_weight(sample_weight, predicted))  # a number is everybody's
            counts = sample_weight != 0
            y, predicted, sample_weight = np.asarray(y)[counts], predicted[counts], sample_weight[counts]
        without = np.count_nonzero(~np.isfinite(predicted.reshape(len(predicted), -1)).all(axis=1))
        if not without:
            return r2_score(y, predicted, sample_weight=sample_weight)
        warnings.warn("best_ has no finite value on %d of %d cases; the score is -inf" % (without, len(predicted)),
                      UndefinedMetricWarning, stacklevel=2)  # fmt: skip
        return float("-inf")

    def _quality(self, X, y, weights) -> float:
        usual = self._constant(y, weights)
        spread = weights @ (y - usual) ** 2
        with np.errstate(over="ignore", invalid="ignore"):
            squares = (self.best_.predict(X) - y) ** 2
        errors = weights @ np.where(np.isfinite(squares), squares, (usual - y) ** 2)
        return float(np.mean(1.0 - errors / np.where(spread == 0, 1.0, spread)))


def _with_class_weight(init: Callable) -> inspect.Signature:
    """What scikit-learn reads the names of parameters from."""
    signature = inspect.signature(init)
    own = inspect.Parameter("class_weight", inspect.Parameter.KEYWORD_ONLY, default=None)
    return signature.replace(parameters=[*signature.parameters.values(), own])


class GrampusClassifier(ClassifierMixin, Estimator):
    """Classification by an evolved expression whose outputs are parted into classes.

    Parameters and attributes are those of :class:`GrampusRegressor`, and

    class_weight : dict, "balanced" or None
        Of classes, as scikit-learn has it: cases weigh so much, times their sample_weight. Not with precision="double",
        case_sampling and metric max-error, which have no weights.
    classes_ : array (classes,)

    Where `metric` is "auto" it is
    misclassified; then `class_rule` "nearest", the default, becomes "fitted" (thresholds that suit each program's outputs
    best) as long as there are at most 33 classes and nothing is named that does not go with it: diversity,
    validation_fraction, archive, fitness_memory, evaluate_once="on", objectives, lexicase. The metrics
    balanced-accuracy, f1 and hinge take two classes. With class_rule="thresholds" there are fewer thresholds than classes:
    more are refused. The metrics mse, rmse and r2 of two classes have predict_proba."""

    def __init__(self, *, class_weight=None, **settings):
        super().__init__(**settings)
        self.class_weight = class_weight

    __init__.__signature__ = _with_class_weight(Parameters.__init__)

    def fit(self, X, y, sample_weight=None, callback: Optional[Callable] = None) -> "GrampusClassifier":
        """Evolves on X (cases, inputs) and classes y (cases,) of any type; see GrampusRegressor.fit."""
        with self._or_as_before():
            self._fit(X, y, sample_weight, callback)
        return self

    def _fit(self, X, y, sample_weight, callback) -> None:
        settings = self._settings()
        X, y = validate_data(self, X, y, dtype=FLOATS)
        check_classification_targets(y)
        self.classes_, numbers = np.unique(y, return_inverse=True)
        weights = self._class_weights(X, y, sample_weight)
        self._no_probabilities = no_probabilities(self.metric, len(self.classes_))
        numbers = numbers.astype(np.float32)
        if self.metric == "auto":
            settings["metric"] = "misclassified"
            if self.class_rule == "nearest":  # named in any case: the preset would say fitted for more classes too
                fitted = len(self.classes_) <= 33 and self._may_fit_thresholds()
                settings["class-rule"] = "fitted" if fitted else "nearest"
        elif len(self.classes_) > 2 and self.metric in ("balanced-accuracy", "f1", "hinge"):
            raise _l.BadInput("metric %s for %d classes; expected two" % (self.metric, len(self.classes_)))
        if len(self.classes_) == 1:
            self._begin(X, numbers, weights, names_of(self))
            self.interrupted_ = False
            return
        self._check_rule()
        self._evolve(X, numbers, weights, settings, callback)

    def _class_weights(self, X, y, sample_weight) -> Optional[np.ndarray]:
        if self.class_weight is None:
            return None if sample_weight is None else weights_of(sample_weight, X)
        for what, there in (
            ("precision double", self.precision == "double"), ("case_sampling", self.case_sampling != "none"),
            ("metric max-error", self.metric == "max-error"),
        ):  # fmt: skip
            if there:
                raise _l.BadInput("class_weight beside %s, which has no weights of cases; expected one of them" % what)
        own = 1.0 if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        return weights_of(compute_sample_weight(self.class_weight, y) * own, X)

    def _check_rule(self) -> None:
        """Of thresholds one more than there are borders of classes would begin a class that no case has: wrong in training,
        whatever predict makes of it."""
        if self.metric not in ("auto", "misclassified"):
            return
        if self.class_rule == "sign" and len(self.classes_) > 2:  # the library would tell of numbers that nobody gave it
            raise _l.BadInput("class_rule sign for %d classes; expected two" % len(self.classes_))
        if self.class_rule != "thresholds":
            return
        count = len([one for one in _l.as_text(self.thresholds).split(",") if one.strip()])
        if count >= len(self.classes_):
            raise _l.BadInput("%d thresholds for %d classes; expected at most %d, one between every two"
                              % (count, len(self.classes_), len(self.classes_) - 1))  # fmt: skip

    def _may_fit_thresholds(self) -> bool:
        """Not beside what looks at a program when they are not known, or at single cases: as may_fit_thresholds of
        host/settings/presets.c has it."""
        looks = self.diversity or self.validation_fraction or self.fitness_memory or self.objectives
        return not looks and self.archive == "none" and self.evaluate_once != "on" and \
            self.selection not in ("lexicase", "epsilon-lexicase", "nsga2")

    def _constant(self, numbers, weights) -> float:
        counts = np.bincount(numbers.astype(np.int64), weights)
        self._shares = counts / counts.sum()
        return float(self._shares.argmax())

    def predict(self, X, individual: Union[None, int, Individual] = None) -> np.ndarray:
        """Classes (cases,); a case without a number as output is of the most frequent class."""
        X = self._check_predict(X)
        return self.classes_[self._numbers(X, self._individual(individual))]

    def _numbers(self, X, individual: Individual) -> np.ndarray:
        if individual.rule == _l.NO_CLASSES:
            numbers = np.rint(individual.predict(X))
        else:
            numbers = individual.classes(X)
        return np.clip(np.nan_to_num(numbers, nan=self._usual), 0, len(self.classes_) - 1).astype(np.int64)

    def decision_function(self, X, individual: Union[None, int, Individual] = None) -> np.ndarray:
        """Of two classes (cases,): how far the output lies beyond where the second class begins, above 0 where predict says
        that one. Of more (cases, classes), the largest that of the class that predict says: with class_rule="argmax" their
        outputs, otherwise how far the output lies inside of where the class begins and ends, below 0 outside. What is
        infinite is the largest float32; a case without a number as output is nearest to 0 of two, and alike of more."""
        X = self._check_predict(X)
        one = self._individual(individual)
        return decisions(one, X, self._numbers(X, one), len(self.classes_))

    def _has_probabilities(self) -> bool:
        """Of the model that is there, else of the parameters; of two classes until they are known."""
        own = self.__dict__.get("_no_probabilities") if hasattr(self, "best_") else no_probabilities(self.metric, 2)
        if own != "":
            raise AttributeError(own or "predict_proba: a model of an earlier version; expected one that is fitted anew")
        return True

    @available_if(_has_probabilities)
    def predict_proba(self, X, individual: Union[None, int, Individual] = None) -> np.ndarray:
        """Of metric mse, rmse or r2 and two classes (cases, classes), in the order of classes_: the output, kept from 0 to 1, is
        the second class's, for the least squared error of labels 0 and 1 is that of its probability. predict says the larger,
        of equals the first. A case without a number as output has the shares of the classes in training. Of other metrics and
        of more classes there are none: an AttributeError says what gives some."""
        X = self._check_predict(X)
        return probabilities(self._individual(individual), X, self._shares)

    @available_if(_has_probabilities)
    def predict_log_proba(self, X, individual: Union[None, int, Individual] = None) -> np.ndarray:
        """Their logarithms; -inf of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, individual))

    def _quality(self, X, y, weights) -> float:
        return float(np.average(self._numbers(X, self.best_) == y, weights=weights))
