"""Grampus in Python: programs evolved by grammatical evolution and genetic programming, on GPU and CPU.

    from grampus import GrampusRegressor
    model = GrampusRegressor(generations=20).fit(X, y)
    model.predict(X), model.best_.expression, model.sympy()

Estimators are :class:`GrampusRegressor` and :class:`GrampusClassifier`; below them :class:`Run`. :mod:`grampus.ge` has
grammars, genomes and populations as numpy arrays, :mod:`grampus.experiment` the tables of experiments. Everything is
loaded when it is first used, so that the import itself takes no time."""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; typing itself need not be loaded

_WHERE = {
    "GrampusRegressor": "grampus.estimators",
    "GrampusClassifier": "grampus.estimators",
    "Run": "grampus.run",
    "Individual": "grampus.individual",
    "evaluate": "grampus.individual",
    "GrampusError": "grampus._library",
    "BadInput": "grampus._library",
    "DeviceFailed": "grampus._library",
    "OutOfMemory": "grampus._library",
    "version": "grampus._library",
}
_MODULES = ("ge", "experiment", "estimators", "formula", "run", "individual", "decision", "display")

__all__ = list(_WHERE)

if TYPE_CHECKING:
    from grampus import experiment, ge
    from grampus._library import BadInput, DeviceFailed, GrampusError, OutOfMemory, version
    from grampus.estimators import GrampusClassifier, GrampusRegressor
    from grampus.individual import Individual, evaluate
    from grampus.run import Run


def __getattr__(name: str):
    from importlib import import_module

    if name in _WHERE:
        value = getattr(import_module(_WHERE[name]), name)
    elif name in _MODULES:
        value = import_module("grampus." + name)
    elif name == "__version__":
        from grampus._library import version

        value = version()
    else:
        raise AttributeError("module 'grampus' has no attribute %r" % name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*__all__, *_MODULES, "__version__"])
