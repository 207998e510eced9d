"""Grampus as a method of SRBench: est, model, eval_kwargs, get_population, get_best_solution."""
import contextlib
import copy

import numpy as np

from grampus import GrampusRegressor, Individual
from grampus.formula import to_sympy


class Grampus(GrampusRegressor):
    """Evolves until max_time is nearly used up: SRBench raises SIGALRM when it is. A model is there from the first moment
    of fit on, and stays where an exception ends it."""

    def fit(self, X, y, sample_weight=None, callback=None):
        given, begun = self.max_time, False
        try:
            if given is not None:
                self.max_time = max(0.5 * given, given - max(1.0, 0.02 * given))
            self._begin_with(X, y)
            begun = True
            return super().fit(X, y, sample_weight, callback)
        except BaseException:
            if not begun:  # SIGALRM came while the data were read: it does so once
                with contextlib.suppress(Exception):
                    self._begin_with(X, y)
            raise
        finally:
            self.max_time = given

    def _begin_with(self, X, y):
        names = [str(name) for name in getattr(X, "columns", [])]
        cases = np.asarray(X, np.float64)
        self.n_features_in_ = cases.shape[1]
        if names:
            self.feature_names_in_ = np.array(names, object)
        self._begin(cases, np.asarray(y, np.float64), None, names)

    def predict(self, X, individual=None):
        """Where an unprotected operation has no value, the mean of the training target."""
        output = super().predict(X, individual)
        return np.where(np.isfinite(output), output, self._usual)


est = Grampus(
    population=1000,
    generations=100000000,
    max_time=3600,
    functions="+, -, *, /, sin, cos, exp, log, sqrt, square",
    constant_probability=0.2,
    constant_min=-5.0,
    constant_max=5.0,
    constant_mutation=0.1,
    max_nodes=100,
    max_depth=12,
    tournament=5,
    linear_scaling=True,
)


def model(est, X=None):
    """The model as a SymPy string in X's column names (without X in those of fit): unprotected functions, **, scaling folded
    in."""
    one: Individual = est.best_
    if hasattr(X, "columns"):
        one = copy.copy(one)
        one.labels = [str(name) for name in X.columns]
    return str(to_sympy(one))


def get_population(est):
    """The Pareto front of fitness and size, at most 100 regressors, the best last."""
    members = []
    for one in est.front_[-100:]:
        member = copy.copy(est)
        member.best_, member.front_ = one, [one]
        members.append(member)
    return members


def get_best_solution(est):
    return est




eval_kwargs = {
    "scale_x": False,  # the scaling is the model's: formulas stay in the units of the data
    "scale_y": False,
    "test_params": {"max_time": 5, "population": 100},
}

#: SRBench 2.0 tunes what stands here; nothing does.
hyper_params = {}


def complexity(est):
    """Nodes of the model."""
    return est.best_.nodes
