"""precision="double": what only float64 holds arrives, is evolved on, and comes back."""
import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import grampus
from grampus import BadInput, GrampusClassifier, GrampusRegressor, Run, individual

HERE = os.path.dirname(__file__)
SEARCH = {"preset": "none", "functions": "+, -, *", "population": 300, "generations": 12, "seed": 2, "device": "cpu"}
DOUBLE = {**SEARCH, "precision": "double"}


def near(cases):
    """Inputs near 10^8, where float32 are 8 apart, that differ in the tenth digit and beyond; y is made of the differences."""
    X = 1e8 + np.random.RandomState(5).uniform(0, 1, (cases, 2))
    return X, (X[:, 0] - X[:, 1]) ** 2


@pytest.mark.parametrize("cases", [1, 2, 1500, 100_000])
def test_only_doubles_solve_it(cases):
    X, y = near(cases)
    model = GrampusRegressor(**DOUBLE).fit(X, y)
    told = model.predict(X)
    assert told.dtype == np.float64 and np.array_equal(told, y) and model.best_.train == 0
    assert model.best_.precision == "double" and model.front_[0].precision == "double"
    if cases > 2:
        single = GrampusRegressor(**SEARCH).fit(X, y)
        assert single.best_.precision == "single" and single.best_.train > 0.1
        assert np.abs(single.predict(X) - y).max() > 0.1
    else:
        assert not np.array_equal(GrampusRegressor(**SEARCH, seed_program="(x0 - x1) * (x0 - x1)").fit(X, y).predict(X), y)


def test_huge():
    """1e200 and 1e-200, which are infinite and 0 as float32."""
    random = np.random.RandomState(1)
    X = random.uniform(1, 2, (300, 2)) * [1e200, 1e-200]
    model = GrampusRegressor(**DOUBLE).fit(X, X[:, 0] * X[:, 1])
    assert np.array_equal(model.predict(X), X[:, 0] * X[:, 1])
    with pytest.raises(BadInput, match="x0 is not finite as a float; expected no NaN, no infinity, nothing beyond 3.4e38"):
        GrampusRegressor(**SEARCH).fit(X, X[:, 0] * X[:, 1])
    X[7, 1] = np.inf
    with pytest.raises(BadInput, match="case 7: x1 is not finite; expected no NaN, no infinity$"):
        model.predict(X)


def test_layouts():
    """Strides, orders of bytes and types are the caller's; none of it is narrowed."""
    X, y = near(300)
    pandas = pytest.importorskip("pandas")
    told = [one.tobytes() for one in GrampusRegressor(**DOUBLE).fit(X, y).history_.values()][2:6]
    wide = np.zeros((600, 7))
    wide[::2, 1:5:3] = X
    for same in (np.asfortranarray(X), wide[::2, 1:5:3], X[::-1][::-1], X.astype(">f8"), X.tolist(), pandas.DataFrame(X)):
        model = GrampusRegressor(**DOUBLE).fit(np.asarray(same), y)
        assert [one.tobytes() for one in model.history_.values()][2:6] == told
        assert np.array_equal(model.predict(np.asarray(same)), y)
    whole = np.arange(2**40, 2**40 + 50)[:, None]  # integers that float32 does not hold
    assert np.array_equal(GrampusRegressor(**DOUBLE, seed_program="x0 + 1").fit(whole, whole[:, 0] + 1).predict(whole), whole[:, 0] + 1)


def test_copies():
    """Pickled, copied and cloned it stays what it was; what was pickled before there were doubles is single."""
    from sklearn.base import clone

    X, y = near(200)
    model = GrampusRegressor(**DOUBLE).fit(X, y)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), clone(model).fit(X, y)):
        assert other.precision == other.best_.precision == "double" and np.array_equal(other.predict(X), y)
    one = pickle.loads(pickle.dumps(model.front_[-1]))
    assert one.precision == "double" and np.array_equal(one.predict(X), y)
    state = {name: value for name, value in one.__getstate__().items() if name != "precision"}
    old = individual.Individual.__new__(individual.Individual)
    old.__setstate__(state)
    assert old.precision == "single" and not np.array_equal(old.predict(X), y)
    model.set_params(precision="single")  # says how to fit, not how it was
    assert np.array_equal(model.predict(X), y)


# ---- the arithmetic ----

FORMULAS = {
    "a / b - 0.1": lambda a, b: a / b - np.float64(np.float32(0.1)),
    "sqrt(a * a + b * b)": lambda a, b: np.sqrt(a * a + b * b),
    "sin(a) * exp(b / 1e8)": lambda a, b: np.sin(a) * np.exp(b / 1e8),
    "log(a - b + 2) ** 3 + tanh(b)": lambda a, b: np.log(a - b + 2) ** 3 + np.tanh(b),
}


@pytest.mark.parametrize("cases", [0, 1, 2, 5000])
@pytest.mark.parametrize("formula", FORMULAS)
def test_against_numpy(formula, cases):
    X, _ = near(cases)
    expected = FORMULAS[formula](X[:, 0], X[:, 1])
    told = grampus.evaluate(formula, {"a": X[:, 0], "b": X[:, 1]}, precision="double")
    assert told.dtype == np.float64 and told.shape == (cases,)
    assert np.all(np.abs(told - expected) <= 4 * np.spacing(np.abs(expected)))
    if cases > 2:
        single = grampus.evaluate(formula, {"a": X[:, 0], "b": X[:, 1]})
        assert np.abs(single - expected).max() > 1e4 * np.abs(told - expected).max()
    with pytest.raises(BadInput, match="precision is 'half'; expected 'single' or 'double'"):
        grampus.evaluate(formula, {"a": X[:, 0], "b": X[:, 1]}, precision="half")


def test_printed_formulas():
    """Individuals of a run are what NumPy makes of the formula that SymPy has of them, constants and all."""
    sympy = pytest.importorskip("sympy")
    X = np.random.RandomState(3).uniform(0.5, 2, (500, 2))
    settings = {**DOUBLE, "functions": "+, -, *, /, sin, sqrt", "constant_probability": 0.5, "generations": 4, "max_nodes": 25}
    model = GrampusRegressor(**settings).fit(X, X[:, 0] / 0.3 + X[:, 1])
    constants = 0
    for one in model.front_:
        compute = sympy.lambdify(sympy.symbols("x0 x1", real=True), one.sympy(), "numpy")
        expected = np.broadcast_to(compute(X[:, 0], X[:, 1]), len(X))
        assert np.allclose(one.predict(X), expected, rtol=1e-13, atol=0)
        constants += any("." in word for arity, word in individual.postfix(one.expression, one.inputs) if arity == 0)
    assert constants > 0  # that are no digits as printed: float32


def test_float32_on_request():
    X, y = near(100)
    best = GrampusRegressor(**DOUBLE).fit(X, y).best_
    assert np.array_equal(best.predict(X, np.float32), y.astype(np.float32))
    assert np.array_equal(best.output(X), y)


# ---- as the program does ----


@pytest.mark.parametrize("more", [{}, {"validation-fraction": 0.3}, {"front-choice": "bic"}, {"metric": "max-error"}])
def test_as_run_files(tmp_path, more):
    """The same cases as a table and the same settings: the same numbers of every generation, best and predictions."""
    program = os.environ.get("GRAMPUS") or os.path.join(HERE, "..", "..", "..", os.environ.get("BUILD", "build"), "grampus")
    if not os.path.exists(program):
        pytest.skip("no %s" % program)
    X, y = near(1500)
    y[::7] += 1e-3  # nothing solves it
    settings = {**DOUBLE, "functions": "+, -, *, /", "generations": 6, "genotype": "tree", **more}
    np.savetxt(tmp_path / "near.csv", np.column_stack([X, y]), "%.17g", ",", header="x0,x1,y", comments="")
    lines = ["data: near.csv", "name: same"] + ["%s: %s" % (key.replace("_", "-"), value) for key, value in settings.items()]
    (tmp_path / "near.yaml").write_text("\n".join(lines) + "\n")
    subprocess.run([program, "run", "near.yaml", "--quiet", "--output", "out"], cwd=tmp_path, check=True)
    (folder,) = (tmp_path / "out" / "same").iterdir()
    table = np.genfromtxt(folder / "statistics.tsv", names=True, delimiter="\t", dtype=None, encoding=None)
    with Run(settings, X, y) as run:
        while run.advance():
            pass
        history, best = run.history(), run.best()
    for ours, theirs in (("best", "best_fitness"), ("mean", "ave_fitness"), ("best_ever", "best_ever"), ("executed", "nodes_executed")):
        assert ["%.9g" % value for value in history[ours]] == ["%.9g" % value for value in table[theirs]], ours
    import json

    told = json.loads((folder / "best.json").read_text())
    assert (told["infix"], told["size"]) == (best.expression, best.nodes) and told["fitness"] == float("%.9g" % best.train)
    printed = subprocess.run([program, "predict", folder, "--data", "near.csv"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert np.array_equal([float(line) for line in printed.stdout.split()], best.predict(X))


# ---- what goes beside ----


@pytest.mark.parametrize("more, says", [
    ({"linear_scaling": True}, "precision double has no linear scaling; expected precision single, or another value here$"),
    ({"optimise_constants": "all"}, "precision double has no constants that are fitted"),
    ({"metric": "misclassified"}, "precision double beside a metric of classes; expected sae, mae"),
    ({"selection": "lexicase"}, "precision double has no lexicase selection"),
])  # fmt: skip
def test_refusals(more, says):
    X, y = near(20)
    with pytest.raises(BadInput, match=says):
        GrampusRegressor(**{**DOUBLE, **more}).fit(X, np.rint(y))


def test_refused_data():
    X, y = near(20)
    with pytest.raises(BadInput, match="precision double has no weights of cases; expected precision single, or no other"):
        GrampusRegressor(**DOUBLE).fit(X, y, sample_weight=np.arange(20.0))
    with pytest.raises(BadInput, match="targets beside precision double; expected one of them"):
        GrampusRegressor(**DOUBLE).fit(X, np.column_stack([y, y]))
    with pytest.raises(BadInput, match="precision double beside a metric of classes"):
        GrampusClassifier(precision="double").fit(X, y > 0.1)
    part = np.arange(20) % 2
    some = GrampusRegressor(**DOUBLE).fit(X, y, sample_weight=part)
    same = GrampusRegressor(**DOUBLE).fit(X[part == 1], y[part == 1])
    assert np.array_equal(some.history_["mean"], same.history_["mean"])


def test_presets():
    """The presets leave out what does not go with it, so that it can be asked for alone."""
    X, y = near(200)
    model = GrampusRegressor(precision="double", generations=8, functions="+, -, *", preset="regression").fit(X, y)
    assert model.best_.precision == "double" and np.abs(model.predict(X) - y).max() < 0.05
    alone = GrampusRegressor(precision="double", max_time=20, generations=2).fit(X, y)
    assert alone.best_.precision == "double" and np.isfinite(alone.predict(X)).all()


def test_hinge():
    """Two classes whose outputs float32 cannot tell apart: the sign of a difference in the tenth digit."""
    X, _ = near(400)
    y = np.where(X[:, 0] > X[:, 1], "more", "less")
    model = GrampusClassifier(**DOUBLE, metric="hinge").fit(X, y)
    assert model.score(X, y) == 1.0
    assert GrampusClassifier(**SEARCH, metric="hinge").fit(X, y).score(X, y) < 0.9


def test_without_a_run(tmp_path):
    """The model that is there before anything was evolved takes what the fit takes."""
    X = np.full((10, 1), 1e200)
    model = GrampusRegressor(**DOUBLE, max_time=0).fit(X, np.arange(10.0))
    assert model.n_iter_ == 0 and np.array_equal(model.predict(X), np.full(10, 4.5))


def test_importances_and_warm_start():
    X, y = near(300)
    X = np.column_stack([X, X[:, 0]])
    model = GrampusRegressor(**DOUBLE, warm_start=True, seed_program="(x0 - x1) * (x0 - x1)").fit(X, y)
    assert np.all(model.feature_importances_[:2] > 0.5) and model.feature_importances_[2] == 0
    assert model.set_params(seed_program="", generations=1).fit(X, y).history_["best_ever"][0] == 0


def test_grammar():
    X, y = near(300)
    grammar = "<e> ::= (<e> <o> <e>) | <v> | <v>\n<o> ::= + | - | *\n<v> ::= x0 | x1\n"
    model = GrampusRegressor(**{**DOUBLE, "functions": "auto", "generations": 30}, grammar=grammar).fit(X, y)
    assert model.best_.genome is not None and np.array_equal(model.predict(X), y)


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
