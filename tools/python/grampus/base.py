"""What both estimators share: a run for every fit, what it leaves, and whom of it predictions are by."""

from __future__ import annotations

import inspect
import operator
import os
import sys
import time
import warnings
from contextlib import contextmanager
from functools import lru_cache
from typing import Callable, Dict, List, Optional, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from grampus import _library as _l
from grampus._parameters import KEYS, Parameters
from grampus.arguments import FLOATS, names_of, seconds_of, seed_of, threads_of, validate_data
from grampus.individual import Individual, Law, constant, constants
from grampus.keywords import meant_by
from grampus.rounding import warn_of_rounding
from grampus.run import Evolution, Run, grammar_text
from grampus.warm_start import file_of, individuals_to_go_on

_KEPT_CASES = 1000  # for the importances
_NAMES = frozenset(inspect.signature(Parameters.__init__).parameters) - {"self"}


class Estimator(Parameters, BaseEstimator):
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
            values["seed"] = seed_of(self.random_state)
        if self.n_jobs is not None:
            values["threads"] = threads_of(self.n_jobs)
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
            kept["_population"] = individuals_to_go_on(run, leader, self._maximised(), deadline)
        return kept

    def _maximised(self) -> bool:
        return self.metric in ("r2", "hits", "balanced-accuracy", "boolean-hits", "f1")

    def _evolve(self, X, y, weights, settings: Dict, callback: Optional[Callable]) -> None:
        """Runs, and keeps what was found whatever ends it."""
        deadline = None if self.max_time is None else time.monotonic() + seconds_of(self.max_time)
        names = names_of(self)
        with np.errstate(over="ignore", invalid="ignore"):  # the library says what is too large, and where
            if self.precision != "double":
                warn_of_rounding(X, y, names)
            grammar = grammar_text(self.grammar)
            seeds = self._seeds(settings)
            try:
                self._begin(X, y, weights, names)  # when nothing of Python's is left that refuses
            except BaseException:
                if seeds:
                    os.unlink(seeds)
                raise
        at_first = self.best_
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
            self.law_: Optional[Law] = None
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
            most = settings.get("population", self.population)
            lines = lines[:most] if isinstance(most, (int, np.integer)) else lines  # what is no number is refused behind this
        elif isinstance(told, (list, tuple)):
            lines = [str(getattr(one, "phenotype", one)).replace("\n", " ") for one in told]
            settings.pop("seeds", None)
        if not lines:
            return None
        settings["seeds"] = file_of(lines)
        return settings["seeds"]

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
        X = validate_data(self, X, reset=False, dtype=FLOATS, ensure_all_finite=False)
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
