"""Regressors by name: (seed, options) -> regressor; size and text of a fitted one."""
import importlib
import math
import os
import random
import sys
import time


def grampus_regressor():
    """The class; ImportError where the package is there, as in a checkout, and its library is not"""
    from grampus import GrampusRegressor, version

    version()
    return GrampusRegressor


def grampus(seed, o):
    return grampus_regressor()(
        random_state=seed, population=o.population, generations=o.generations, max_time=o.max_time, n_jobs=o.threads,
        functions="+, -, *, /, sin, cos, exp, log, sqrt, square", constant_probability=0.2, constant_min=-5.0,
        constant_max=5.0, constant_mutation=0.1, max_nodes=100, max_depth=12, tournament=5, linear_scaling=True,
    ).set_params(**dict(pair.split("=", 1) for pair in o.grampus))  # fmt: skip


def preset(seed, o):
    return grampus_regressor()(
        random_state=seed, preset="regression", generations=o.generations, max_time=o.max_time, n_jobs=o.threads
    ).set_params(**dict(pair.split("=", 1) for pair in o.grampus))  # fmt: skip


def gpu(seed, o):
    """preset on the GPU, with islands for it to be busy with"""
    return preset(seed, o).set_params(device="cuda", islands=32)


def ge(seed, o):
    """Grammatical evolution: the same operations, constants that are fitted where a grammar's can be"""
    return GrammarRegressor(seed, o)


def gplearn(seed, o):
    return GplearnRegressor(seed, o)


def operon(seed, o):
    from pyoperon.sklearn import SymbolicRegressor

    return SymbolicRegressor(
        random_state=seed, population_size=o.population, pool_size=o.population, generations=o.generations,
        n_threads=o.threads, max_length=100, max_depth=12, tournament_size=5, optimizer_iterations=o.iterations,
        max_evaluations=10**9, max_time=math.ceil(o.max_time or 10**6),  # whole seconds, or a TypeError
        allowed_symbols="add,sub,mul,div,sin,cos,exp,log,sqrt,square,constant,variable",
    )  # fmt: skip


def deap(seed, o):
    return DeapRegressor(seed, o)


def linear(seed, o):
    from sklearn.linear_model import LinearRegression

    return LinearRegression()


# What parts of the search bring, beside a tree GP with linear scaling that has none of them: part-none, part-NAME;
# fronts and lexicase are both ways to choose parents, so that they are not together
PARTS = {
    "none": {},
    "constants": {"optimise_constants": "elites", "weighted_inputs": True},
    "lexicase": {"selection": "epsilon-lexicase"},
    "front": {"objectives": "error, nodes"},
    "islands": {"islands": 8, "migration_every": 10},
    "memory": {"evaluate_once": "on", "fitness_memory": 100000},
}  # fmt: skip


def together(*names):
    return {key: value for name in names for key, value in PARTS[name].items()}


PARTS["all-lexicase"] = together("constants", "lexicase", "islands", "memory")
PARTS["all-front"] = dict(together("constants", "front", "islands"), optimise_constants="share")  # nsga2 has neither elites nor memory


def part(settings):
    """grampus with some settings more; islands share the population"""

    def method(seed, o):
        return grampus(seed, o).set_params(**dict({"population": o.population // settings.get("islands", 1)}, **settings))

    return method


METHODS = {"grampus": grampus, "preset": preset, "gpu": gpu, "ge": ge, "gplearn": gplearn, "operon": operon, "deap": deap, "linear": linear}
METHODS.update({"part-" + name: part(settings) for name, settings in PARTS.items()})
UNASKED = [name for name in METHODS if not name.startswith("part-")]


def describe(model):
    """(size, text) of a fitted regressor: nodes of its expression, where it has one"""
    if hasattr(model, "best_"):
        one = model.best_
        return one.nodes + 4, "%.9g + %.9g * (%s)" % (one.intercept, one.slope, one.expression)  # scaling: two of each
    if hasattr(model, "_program"):
        return len(model._program.program), str(model._program)
    if hasattr(model, "model_") and hasattr(model, "get_model_string"):
        return model.model_.Length, model.get_model_string(model.model_, 6)
    if hasattr(model, "text_"):
        return model.size_, model.text_
    if hasattr(model, "coef_"):
        return 4 * len(model.coef_) + 1, " + ".join("%.6g*x%d" % (c, i) for i, c in enumerate(model.coef_))
    return None, ""


def grammar_of(inputs):
    """What `grampus grammar make` writes for so many inputs: the language of preset regression, every production an operation
    or a leaf, five of nine operations; numbers of several sizes, for fitting to begin at"""
    leaves = ["x%d" % i for i in range(inputs)] * max(1, round(9 / inputs)) + ["-4.0", "-2.0", "-1.0", "1.0", "2.0", "4.0"]
    operations = ["(<e> %s <e>)" % o for o in "+-*/"] + ["%s(<e>)" % f for f in ("sin", "cos", "exp", "log", "sqrt", "square")]
    return "<e> ::= " + " | ".join(operations * round(1.25 * len(leaves) / len(operations)) + leaves) + "\n"


class GrammarRegressor:
    """GrampusRegressor under a grammar that has a name for every input, for which the cases must be known."""

    def __init__(self, seed, o):
        self.model = grampus_regressor()(
            random_state=seed, preset="ge", weighted_inputs=True, generations=o.generations, max_time=o.max_time, n_jobs=o.threads
        ).set_params(**dict(pair.split("=", 1) for pair in o.grampus))

    def fit(self, X, y):
        self.model.set_params(grammar=grammar_of(X.shape[1])).fit(X, y)
        self.best_ = self.model.best_
        return self

    def predict(self, X):
        return self.model.predict(X)


class GplearnRegressor:
    """gplearn on a standardised target, generation after generation until the time is over."""

    def __init__(self, seed, o):
        from gplearn.genetic import SymbolicRegressor

        self.o = o
        self.model = SymbolicRegressor(
            random_state=seed, population_size=o.population, n_jobs=o.threads, const_range=(-5.0, 5.0), low_memory=True,
            function_set=("add", "sub", "mul", "div", "sin", "cos", "log", "sqrt"), parsimony_coefficient=0.001, tournament_size=5,
        )  # fmt: skip

    def fit(self, X, y):
        begun = time.perf_counter()
        self.mean, self.deviation = y.mean(), y.std() or 1.0
        for generations in range(1, self.o.generations + 1):
            self.model.set_params(generations=generations, warm_start=generations > 1)
            self.model.fit(X, (y - self.mean) / self.deviation)
            if self.o.max_time and time.perf_counter() - begun > self.o.max_time:
                break
        self._program = self.model._program
        return self

    def predict(self, X):
        return self.mean + self.deviation * self.model.predict(X)


class DeapRegressor:
    """Tree GP as DEAP's own example has it, with protected operations and the mean squared error."""

    def __init__(self, seed, o):
        from deap import gp  # raises ImportError where there is none

        self.seed, self.o, self.gp = seed, o, gp

    def fit(self, X, y):
        import operator

        import numpy as np
        from deap import algorithms, base, creator, gp, tools

        random.seed(self.seed)
        np.random.seed(self.seed)
        for name in ("Minimum", "Tree"):
            creator.__dict__.pop(name, None)
        creator.create("Minimum", base.Fitness, weights=(-1.0,))
        creator.create("Tree", gp.PrimitiveTree, fitness=creator.Minimum)
        known = gp.PrimitiveSet("main", X.shape[1])
        with np.errstate(all="ignore"):
            operations = [
                (np.add, 2), (np.subtract, 2), (np.multiply, 2), (np.sin, 1), (np.cos, 1),
                (lambda a, b: np.where(b == 0, 1.0, a / np.where(b == 0, 1.0, b)), 2),
                (lambda a: np.log(np.where(a == 0, 1.0, np.abs(a))), 1), (lambda a: np.sqrt(np.abs(a)), 1),
            ]  # fmt: skip
        names = ["add", "sub", "mul", "sin", "cos", "pdiv", "rlog", "psqrt"]
        for name, (operation, arity) in zip(names, operations):
            known.addPrimitive(operation, arity, name=name)
        known.addEphemeralConstant("constant%d" % self.seed, lambda: random.uniform(-5, 5))
        box = base.Toolbox()
        box.register("expr", gp.genHalfAndHalf, pset=known, min_=2, max_=6)
        box.register("individual", tools.initIterate, creator.Tree, box.expr)
        box.register("population", tools.initRepeat, list, box.individual)
        box.register("select", tools.selTournament, tournsize=5)
        box.register("mate", gp.cxOnePoint)
        box.register("expr_mut", gp.genFull, min_=0, max_=4)
        box.register("mutate", gp.mutUniform, expr=box.expr_mut, pset=known)
        for operation in ("mate", "mutate"):
            box.decorate(operation, gp.staticLimit(operator.attrgetter("height"), 12))
            box.decorate(operation, gp.staticLimit(len, 100))

        def evaluate(tree):
            with np.errstate(all="ignore"):
                error = np.mean((gp.compile(tree, known)(*X.T) - y) ** 2)
            return (error if np.isfinite(error) else 1e300,)

        box.register("evaluate", evaluate)
        best = tools.HallOfFame(1)
        algorithms.eaSimple(box.population(self.o.population), box, 0.9, 0.1, self.o.generations, None, best, False)
        self.size_, self.text_ = len(best[0]), str(best[0])
        self._apply = gp.compile(best[0], known)
        return self

    def predict(self, X):
        import numpy as np

        with np.errstate(all="ignore"):
            return self._apply(*X.T) + np.zeros(len(X))


def load_method(name):
    """A method by name, or MODULE:FUNCTION, a function of (seed, options) that gives a regressor."""
    if name in METHODS:
        return METHODS[name]
    module, _, function = name.partition(":")
    if not function:
        sys.exit("compare-regressors: no method %s; expected %s or MODULE:FUNCTION" % (name, ", ".join(METHODS)))
    sys.path.insert(0, os.getcwd())
    return getattr(importlib.import_module(module), function)
