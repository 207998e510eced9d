"""Several targets: y of two dimensions."""
import pickle

import numpy as np
import pytest

from grampus import BadInput, GrampusRegressor, Run, _library
from grampus.individual import operands


@pytest.fixture
def two():
    X = np.random.RandomState(3).uniform(-1, 1, (200, 3))
    return X, np.column_stack([X[:, 0] * X[:, 1], 100 * (X[:, 2] - X[:, 0])])


def test_fit(two):
    X, Y = two
    model = GrampusRegressor(generations=30, population=2000, constant_probability=0.2, constants="100, 2").fit(X, Y)
    made = model.predict(X)
    assert made.shape == Y.shape and made.dtype == np.float64
    assert model.score(X, Y) > 0.99
    unit = Y.std(axis=0)
    assert model.best_.train == pytest.approx(np.sqrt(np.mean(((made - Y) / unit) ** 2)), rel=1e-4, abs=1e-5)
    for one in model.front_:
        assert one.predict(X).shape == Y.shape
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), made)
    first, second = model.best_.outputs
    assert np.array_equal(first.predict(X), made[:, 0]) and np.array_equal(second.predict(X), made[:, 1])
    assert model.feature_importances_.shape == (3,) and np.all(model.feature_importances_ > 0)
    assert model.best_.used_inputs == [0, 1, 2]


def test_one_call_for_all(two, monkeypatch):
    """Cases are read once, not once a target, and outputs are those of the targets alone."""
    X, Y = two
    model = GrampusRegressor(generations=2, population=100).fit(X, Y)
    alone = np.column_stack([one.output(X) for one in model.best_.outputs])
    calls = []
    call = _library.lib.predict_targets
    monkeypatch.setattr(_library.lib, "predict_targets", lambda *given: calls.append(1) or call(*given))
    for made in (model.predict(X), model.best_.output(X)):
        assert np.array_equal(made, alone) and made.flags.c_contiguous
    assert np.array_equal(model.best_.predict(X, np.float32), alone) and len(calls) == 3
    with pytest.raises(BadInput, match="labels of a metric without classes"):
        model.best_.classes(X)
    with pytest.raises(BadInput, match="case 2: x1 is not finite"):
        model.predict(np.where(X == X[2, 1], np.inf, X))


def test_formula(two):
    sympy = pytest.importorskip("sympy")
    X, Y = two
    model = GrampusRegressor(generations=20, population=1000).fit(X, Y)
    formula = model.sympy()
    assert formula.shape == (2, 1) and "matrix" in model.latex()
    symbols = [sympy.Symbol("x%d" % i, real=True) for i in range(3)]
    value = sympy.lambdify(symbols, formula)(*X[5])
    assert np.allclose(np.ravel(value), model.predict(X[5:6])[0], rtol=1e-4, atol=1e-4)
    assert "matrix" in model._repr_html_()


def test_columns_of_any_order_and_weights(two):
    """A target each column; a weight of two is as the case twice."""
    X, Y = two
    settings = dict(generations=8, population=300, metric="mae", target_scaling="none")
    model = GrampusRegressor(**settings).fit(X, Y)
    other = GrampusRegressor(**settings).fit(X, Y[:, ::-1])
    assert model.best_.train == pytest.approx(np.mean(np.abs(model.predict(X) - Y)), rel=1e-4)
    assert other.best_.train == pytest.approx(np.mean(np.abs(other.predict(X) - Y[:, ::-1])), rel=1e-4)
    weights = np.where(np.arange(len(X)) % 3 == 0, 2.0, 1.0)
    weighed = GrampusRegressor(**settings).fit(X, Y, sample_weight=weights)
    errors = np.mean(np.abs(weighed.predict(X) - Y), axis=1)
    assert weighed.best_.train == pytest.approx(np.average(errors, weights=weights), rel=1e-4)


def test_names(two):
    pandas = pytest.importorskip("pandas")
    X, Y = two
    frame = pandas.DataFrame(X, columns=["target", "target 0", "target_0"])
    model = GrampusRegressor(generations=3).fit(frame, pandas.DataFrame(Y, columns=["u", "v"]))
    assert model.predict(frame).shape == Y.shape


def test_grammar_and_test_cases(two):
    X, Y = two
    grammar = "<p> ::= targets(<e>, <e>)\n<e> ::= (<e> <o> <e>) | <v> | <v> | 100.0\n<o> ::= + | - | *\n<v> ::= x0 | x1 | x2\n"
    model = GrampusRegressor(grammar=grammar, generations=10, population=500).fit(X, Y)
    assert model.predict(X).shape == Y.shape and model.best_.expression.startswith("targets(")
    with Run({"genotype": "tree", "generations": 3, "metric": "mse", "target-scaling": "none"}, X[:150], Y[:150], X_test=X[150:],
             y_test=Y[150:]) as run:  # fmt: skip
        while run.advance():
            pass
        best = run.best()
        assert run.inputs == ["x0", "x1", "x2"]
        assert best.test == pytest.approx(np.mean((best.predict(X[150:]) - Y[150:]) ** 2), rel=1e-4)


def test_refused(two):
    X, Y = two
    with pytest.raises(BadInput, match="targets beside linear-scaling"):
        GrampusRegressor(linear_scaling=True).fit(X, Y)
    with pytest.raises(BadInput, match="warm_start"):
        GrampusRegressor(warm_start=True).fit(X, Y)
    with pytest.raises(BadInput, match="no such metric"):
        GrampusRegressor(metric="r2").fit(X, Y)
    with pytest.raises(BadInput, match="standard deviation 0"):
        GrampusRegressor().fit(X, np.column_stack([Y[:, 0], np.ones(len(X))]))
    with pytest.raises(BadInput, match="last columns"):
        Run({"genotype": "tree", "targets": "x0, x1"}, X, Y[:, 0])
    with pytest.raises(ValueError):
        GrampusRegressor().fit(X, np.where(Y > 99, np.nan, Y))


def test_operands():
    assert operands("targets(max(x0, 1), x1, f(g(a, b), c))") == ["max(x0, 1)", "x1", "f(g(a, b), c)"]
