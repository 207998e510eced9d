"""Estimators as scikit-learn has them, on top of :class:`grampus.run.Run`."""

from __future__ import annotations

import inspect
import operator
import os
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager
from functools import lru_cache
from typing import Callable, Dict, List, Optional, Tuple, Union

import numpy as np

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as missing:
    what = "the estimators of grampus need scikit-learn; expected it to be installed (pip install scikit-learn)"
    raise ImportError(what, name="sklearn") from missing
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state, compute_sample_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

try:
    from sklearn.utils.validation import _check_sample_weight, validate_data
except ImportError:  # before scikit-learn 1.6
    from sklearn.utils.validation import _check_sample_weight

    def validate_data(estimator, X, y="no_validation", **options):
        options["force_all_finite"] = options.pop("ensure_all_finite", True)
        if isinstance(y, str):
            options.pop("y_numeric", None)
            return estimator._validate_data(X, **options)
        return estimator._validate_data(X, y, **options)


from grampus import _library as _l
from grampus._parameters import KEYS, Parameters
from grampus.decision import decisions, no_probabilities, probabilities
from grampus.individual import Individual, constant, constants
from grampus.keywords import meant_by
from grampus.rounding import warn_of_rounding
from grampus.run import Evolution, Run, grammar_text

_FLOATS = [np.float64, np.float32]  # taken as they are; anything else becomes the first
_KEPT_CASES = 1000  # for the importances


_NAMES = frozenset(inspect.signature(Parameters.__init__).parameters) - {"self"}


class _Estimator(Parameters, BaseEstimator):
    """What both estimators share."""

    def __init__(self, **settings):
        for name in settings:
            if name not in _NAMES:
                own = inspect.signature(type(self)).parameters  # a classifier's, too
                raise TypeError("%s has no parameter '%s'; expected %s" % (type(self).__name__, name, meant_by(name, own)))
        super().__init__(**settings)

    __init__.__signature__ = inspect.signature(Parameters.__init__)

    # ---- fitting ----

    @contextmanager
    def _or_as_before(self):
        """A fit that is refused, by whomever, or fails before it found anything, leaves the estimator as it was. What ends it
        from outside later than that, as a signal does, leaves the model that there is from the first moment on."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException as e:
            history = self.__dict__.get("history_")
            begun = history is not before.get("history_")
            if not begun or (isinstance(e, _l.GrampusError) and not len(history["run"])):
                self.__dict__.clear()
                self.__dict__.update(before)
            raise

    def _settings(self) -> Dict:
        """Keys and values of the run; what stands at its default is left to the library."""
        own = self.__dict__
        values = {key: own[name] for name, key, default in _rows() if _is_other(own[name], default)}
        if self.grammar is None and not self._makes_grammar():
            if self.genotype not in ("grammar", "tree"):
                raise _l.BadInput("genotype %s without grammar; expected grammar=, a path or text" % self.genotype)
            if self.warm_start and (self.typed or self.class_rule == "argmax"):
                raise _l.BadInput("warm_start for typed trees, as class_rule argmax has, which take no seeds; expected a "
                                  "grammar, or one of them")  # fmt: skip
            values["genotype"] = "tree"
        if self.random_state is not None:
            values["seed"] = _seed(self.random_state)
        if self.n_jobs is not None:
            values["threads"] = _threads(self.n_jobs)
        return values

    def _makes_grammar(self) -> bool:
        """Of units a grammar is made, unless trees keep to them."""
        return bool(self.units) and self.genotype != "tree" and not self.typed and not self.prepare

    def _take(self, run: Run, deadline: Optional[float]) -> Dict:
        """What stays of a run, in its thread."""
        info = run.info()
        kept = {
            "history_": run.history(),
            "device_": info["device"],
            "n_iter_": int(info["generation"]),
            "stopped_": bool(info["stopped"]) or not run.finished,  # at the end of an epoch the run has not seen it
            "stop_reason_": info["stop_reason"] if run.finished else "request",
            "seconds_": float(info["seconds"]),
            "unused_": run.unused,
        }
        if not len(kept["history_"]["run"]):  # stopped before the first generation was complete
            return kept
        leader = run.leader()
        best = run.best(leader)
        if best is None:
            return kept
        kept["best_"] = best
        try:
            kept["front_"] = run.front(leader)
        except _l.GrampusError:  # of a batch, a run that ended before the others
            kept["front_"] = [best]
        if self.find_law:
            kept["law_"] = run.law()
        if self.warm_start:
            kept["_population"] = self._individuals_to_go_on(run, leader, deadline)
        return kept

    def _individuals_to_go_on(self, run: Run, leader: int, deadline: Optional[float]) -> List[str]:
        """The best first: every island of the next run begins with as many of all as it has room for."""
        numbers = run.population(leader)
        there = np.flatnonzero(numbers["valid"])
        train = numbers["train"][there]
        places = there[np.argsort(-train if self._maximised() else train, kind="stable")]
        return [run.best(leader).phenotype] + _phenotypes(run, leader, places, deadline)

    def _maximised(self) -> bool:
        return self.metric in ("r2", "hits", "balanced-accuracy", "boolean-hits", "f1")

    def _evolve(self, X, y, weights, settings: Dict, callback: Optional[Callable]) -> None:
        """Runs, and keeps what was found whatever ends it."""
        deadline = None if self.max_time is None else time.monotonic() + _seconds(self.max_time)
        names = _names(self, X)
        with np.errstate(over="ignore", invalid="ignore"):  # the library says what is too large, and where
            if self.precision != "double":
                warn_of_rounding(X, y, names)
            self._begin(X, y, weights, names)
        at_first = self.best_
        grammar = grammar_text(self.grammar)
        seeds = self._seeds(settings)
        evolution = Evolution(
            lambda: Run(settings, X, y, weights=weights, names=names, grammar=grammar),
            lambda run: self._take(run, deadline),
            callback,
        )
        self.interrupted_ = False
        try:
            evolution.wait(deadline)
        except _l.BadInput as e:
            if not seeds or seeds not in str(e):
                raise
            if not self.__dict__.get("_population"):
                raise _l.BadInput(str(e).replace(seeds, "seeds")) from None
            raise _l.BadInput("warm_start: an individual of the last fit: %s" % str(e).split(": ", 1)[-1]) from None
        except KeyboardInterrupt:
            self.interrupted_ = True
            if _is_part_of_more():
                raise
            warnings.warn("fit was interrupted; the estimator has what was found until then", RuntimeWarning, stacklevel=4)
        finally:
            if evolution.result is not None:
                self.__dict__.update(evolution.result)
            elif evolution.stopped:  # before there was a run
                self.stopped_, self.stop_reason_ = True, "request"
            if seeds:
                os.unlink(seeds)
        if self.best_ is at_first and not self.interrupted_:
            why = "no individual was valid" if len(self.history_["run"]) else "fit ended before its first generation was complete"
            warnings.warn("%s: the estimator predicts the mean, or the most frequent class" % why, ConvergenceWarning, stacklevel=4)

    def _begin(self, X, y, weights, names: Optional[List[str]]) -> None:
        """A model is there from the first moment on."""
        labels = names or ["x%d" % i for i in range(X.shape[1])]
        inputs = ["x%d" % i for i in range(X.shape[1])]
        self._usual = value = self._constant(y, weights)
        if np.ndim(value):
            self.best_ = constants(value, inputs, labels)
        else:
            self.best_ = constant(value, inputs, labels, precision=self.precision)
        self.front_ = [self.best_]
        self.history_ = {name: np.empty(0) for name, _ in _l.Generation._fields_}
        self.__dict__.pop("law_", None)
        if self.find_law:
            self.law_ = None
        self.device_, self.n_iter_, self.seconds_, self.unused_ = "none", 0, 0.0, ""
        self.stopped_, self.stop_reason_ = False, "none"
        there = np.arange(len(X)) if weights is None else np.flatnonzero(weights)
        kept = min(len(there), _KEPT_CASES)
        some = there[np.arange(kept) * len(there) // kept]  # from all over: cases may be sorted
        kind = np.float64 if self.precision == "double" else np.float32  # as the library keeps them
        self._some = X[some].astype(kind), y[some], np.ones(kept) if weights is None else weights[some]
        self.__dict__.pop("_importances", None)

    def _seeds(self, settings: Dict) -> Optional[str]:
        """warm_start: the last population goes on; a file of its individuals. It stays until there is a later one, lest a
        fit that is refused, or ends before its first generation, lose it. Otherwise `seeds` that are no path, but a list."""
        if not self.warm_start:
            self.__dict__.pop("_population", None)
        lines = self.__dict__.get("_population")
        told = self.seeds.tolist() if hasattr(self.seeds, "tolist") else self.seeds
        if lines:
            lines = lines[: int(settings.get("population", self.population))]
        elif isinstance(told, (list, tuple)):
            lines = [str(getattr(one, "phenotype", one)).replace("\n", " ") for one in told]
            settings.pop("seeds", None)
        if not lines:
            return None
        file, path = tempfile.mkstemp(prefix="grampus-", suffix=".txt")
        with os.fdopen(file, "w") as f:
            f.write("\n".join(lines) + "\n")
        settings["seeds"] = path
        return path

    # ---- predicting ----

    def _individual(self, individual: Union[None, int, Individual]) -> Individual:
        if individual is None:
            return self.best_
        if isinstance(individual, Individual):
            return individual
        try:
            return self.front_[operator.index(individual)]
        except (TypeError, IndexError):
            raise _l.BadInput("individual is %.40r; expected one of front_, or its number there, from 0 to %d"
                              % (individual, len(self.front_) - 1)) from None  # fmt: skip

    def _check_predict(self, X) -> np.ndarray:
        check_is_fitted(self, "best_")
        X = validate_data(self, X, reset=False, dtype=_FLOATS, ensure_all_finite=False)
        return X

    def sympy(self, individual: Union[None, int, Individual] = None):
        """The best, or another member of the front (its number there), as a SymPy expression; scaling folded in."""
        check_is_fitted(self, "best_")
        return self._individual(individual).sympy()

    @property
    def equations_(self):
        """The front as a pandas.DataFrame, a row for each of `front_`, whose numbers are the index: nodes, train, test (NaN
        without test cases), the expression, and whether it is the best."""
        check_is_fitted(self, "best_")
        import pandas

        rows = [(one.nodes, one.train, one.test, one.expression, _is_same(one, self.best_)) for one in self.front_]
        return pandas.DataFrame(rows, columns=["nodes", "train", "test", "expression", "best"])

    def latex(self, individual: Union[None, int, Individual] = None, digits: int = 4) -> str:
        """The same as LaTeX."""
        check_is_fitted(self, "best_")
        return self._individual(individual).latex(digits)

    @property
    def feature_importances_(self) -> np.ndarray:
        """(n_features_in_,) by permutation: by how much the score on at most 1000 training cases, by their weights, falls, on average
        over 5 permutations of the feature's column. 0 for features that the best does not use. A case on which the best has no
        value then, as a logarithm may, counts as one at the mean. Computed when first asked for."""
        check_is_fitted(self, "best_")
        if "_importances" not in self.__dict__:
            self._importances = self._permute(np.random.RandomState(0))
        return self._importances

    def _permute(self, random, repeats: int = 5) -> np.ndarray:
        X, y, weights = self._some
        falls = np.zeros(X.shape[1])
        base = self._quality(X, y, weights)
        for k in self.best_.used_inputs:
            shuffled = X.copy()
            for _ in range(repeats):
                shuffled[:, k] = X[random.permutation(len(X)), k]
                falls[k] += (base - self._quality(shuffled, y, weights)) / repeats
        return falls

    def _repr_html_(self):
        from grampus.display import estimator_html

        return estimator_html(self) if hasattr(self, "best_") else "<code>%s</code>" % type(self).__name__

    def _repr_mimebundle_(self, **_):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def __sklearn_is_fitted__(self):
        return hasattr(self, "best_")


class GrampusRegressor(RegressorMixin, _Estimator):
    """Symbolic regression by grammatical evolution or tree GP.

    fit(X, y) evolves an expression; without `grammar` a tree (genotype tree), with one a sentence of it: a path or the
    text of a BNF grammar whose sentences are expressions of the columns' names (x0, x1, ... where X has none).

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

    def fit(self, X, y, sample_weight=None, callback: Optional[Callable] = None):
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
        X, y = validate_data(self, X, y, dtype=_FLOATS, y_numeric=True, multi_output=several)
        if y.dtype not in _FLOATS:
            y = y.astype(np.float64)
        weights = None if sample_weight is None else _weights(sample_weight, X)
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
            counts = np.asarray(_check_sample_weight(sample_weight, predicted)) != 0
            y, predicted, sample_weight = np.asarray(y)[counts], predicted[counts], np.asarray(sample_weight)[counts]
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


class GrampusClassifier(ClassifierMixin, _Estimator):
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

    def fit(self, X, y, sample_weight=None, callback: Optional[Callable] = None):
        """Evolves on X (cases, inputs) and classes y (cases,) of any type; see GrampusRegressor.fit."""
        with self._or_as_before():
            self._fit(X, y, sample_weight, callback)
        return self

    def _fit(self, X, y, sample_weight, callback) -> None:
        settings = self._settings()
        X, y = validate_data(self, X, y, dtype=_FLOATS)
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
            self._begin(X, numbers, weights, _names(self, X))
            self.interrupted_ = False
            return
        self._check_thresholds()
        self._evolve(X, numbers, weights, settings, callback)

    def _class_weights(self, X, y, sample_weight) -> Optional[np.ndarray]:
        if self.class_weight is None:
            return None if sample_weight is None else _weights(sample_weight, X)
        for what, there in (
            ("precision double", self.precision == "double"), ("case_sampling", self.case_sampling != "none"),
            ("metric max-error", self.metric == "max-error"),
        ):  # fmt: skip
            if there:
                raise _l.BadInput("class_weight beside %s, which has no weights of cases; expected one of them" % what)
        own = 1.0 if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        return _weights(compute_sample_weight(self.class_weight, y) * own, X)

    def _check_thresholds(self) -> None:
        """One more than there are borders of classes would begin a class that no case has: wrong in training, whatever
        predict makes of it."""
        if self.class_rule != "thresholds" or self.metric not in ("auto", "misclassified"):
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


# ---- small things ----


@lru_cache(maxsize=None)
def _rows() -> List[Tuple]:
    """(keyword, key, default) of what goes to the library."""
    parameters = inspect.signature(Parameters.__init__).parameters
    return [(name, key, parameters[name].default) for name, key in KEYS.items() if name != "grammar"]


def _is_same(one: Individual, other: Individual) -> bool:
    return (one.expression, one.intercept, one.slope) == (other.expression, other.intercept, other.slope)


def _is_other(value, default) -> bool:
    """An array, or a column of a table, is no default, and has no one answer to what it equals."""
    return (hasattr(value, "tolist") and np.ndim(value) > 0) or value != default


def _is_part_of_more() -> bool:
    """Whether scikit-learn calls fit, as a search does: Ctrl-C means all of what it is about."""
    frame = sys._getframe()
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] not in ("sklearn", "joblib"):
        frame = frame.f_back
    return frame is not None


def _seed(random_state) -> int:
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))


def _seconds(max_time) -> float:
    try:
        seconds = float(max_time)
    except (TypeError, ValueError, OverflowError):
        seconds = float("nan")
    if not seconds >= 0:
        raise _l.BadInput("max_time is %.40r; expected seconds, 0 or more, or None" % (max_time,))
    return seconds


def _phenotypes(run: Run, leader: int, places: np.ndarray, deadline: Optional[float], late: float = 0.5) -> List[str]:
    """Of these places from the first on, where there is a deadline as many as are read soon behind it: in portions, each
    twice as large as the one before, which tells how long it will take."""
    portion = 1000 if deadline is not None else max(len(places), 1)
    lines: List[Optional[str]] = []
    took = 0.0
    while len(lines) < len(places) and (deadline is None or time.monotonic() + 2 * took < deadline + late or not lines):
        begun = time.monotonic()
        lines += run.phenotypes(places[len(lines) : len(lines) + portion], leader)
        took = time.monotonic() - begun
        portion *= 2
    return [line for line in lines if line is not None]


def _threads(n_jobs) -> int:
    """0, as many as the work is worth, for every negative number."""
    try:
        jobs = operator.index(n_jobs)
    except TypeError:
        raise _l.BadInput("n_jobs is %.40r; expected a whole number, or None" % (n_jobs,)) from None
    return max(0, jobs) if jobs else 1


def _weights(sample_weight, X) -> Optional[np.ndarray]:
    weights = np.asarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
    if np.any(weights < 0):
        raise ValueError("sample_weight has negative weights; expected 0 or more")
    if not np.any(weights):
        raise ValueError("sample_weight is 0 for every case; expected one of more")
    return None if np.all(weights == weights[0]) else weights


def _names(estimator, X) -> Optional[List[str]]:
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]
