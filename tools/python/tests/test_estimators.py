"""Estimators: scikit-learn's own checks, and what is there after fit. Their ends: test_stopping.py; classes: test_classifiers.py."""
import os
import pickle
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError, UndefinedMetricWarning
from sklearn.metrics import r2_score
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_sample_weight_equivalence_on_dense_data, parametrize_with_checks

import grampus
from grampus import BadInput, GrampusClassifier, GrampusRegressor, warm_start

GRAMMAR = "<e> ::= (<e> + <e>) | (<e> * <e>) | <v>\n<v> ::= x0 | x1 | 1.5 | 2.0\n"


def _expected(estimator):
    """A weight is as so many equal cases up to the rounding of sums in float32 (test_weights); constants that are fitted, as
    the preset of regression does, take the last bit of a sum into the programs, and from then on it is another search."""
    if isinstance(estimator, GrampusRegressor):
        return {"check_sample_weight_equivalence_on_dense_data": "sums are rounded to float32"}
    if isinstance(estimator, GrampusClassifier):  # all of the heavy class is right, and of the rest more than is asked for
        return {"check_class_weight_classifiers": "programs part noise too, where it weighs 10^-7 as much"}
    return {}


@parametrize_with_checks([GrampusRegressor(), GrampusClassifier()], expected_failed_checks=_expected)
def test_scikit_learn(estimator, check):
    check(estimator)


def test_sample_weight_equivalence():
    """What float32 explains above: without fitted constants the same check holds."""
    check_sample_weight_equivalence_on_dense_data("GrampusRegressor", GrampusRegressor(preset="none"))


def test_preset(cases):
    """Where nothing is said of how to search it is the preset's, as of run files; as soon as something is, it is not."""
    X, y = cases
    settings = {"generations": 2, "max_evaluations": 10**6}
    history = GrampusRegressor(**settings).fit(X, y).history_
    same = GrampusRegressor(preset="regression", **settings).fit(X, y).history_
    assert np.array_equal(history["best"], same["best"]) and np.array_equal(history["mean"], same["mean"])
    assert history["valid"][0] > 2 * 500
    for own in ({"preset": "none"}, {"tournament": 3}):
        plain = GrampusRegressor(**own, **settings).fit(X, y).history_
        assert plain["valid"][0] <= 500


def test_fit(cases):
    X, y = cases
    model = GrampusRegressor(generations=20, linear_scaling=True).fit(X, y)
    assert model.score(X, y) > 0.999
    assert model.front_[-1].expression == model.best_.expression
    chosen = GrampusRegressor(generations=20, linear_scaling=True, front_choice="bic").fit(X, y)
    value = [len(X) * np.log(np.mean((one.predict(X) - y) ** 2)) + 0.7 * one.nodes * np.log(len(X)) for one in chosen.front_]
    assert chosen.front_[int(np.argmin(value))].expression == chosen.best_.expression
    assert [one.nodes for one in model.front_] == sorted({one.nodes for one in model.front_})
    assert set(model.history_["generation"]) == set(range(21))
    smallest = model.predict(X, 0)
    assert np.array_equal(smallest, model.front_[0].predict(X)) and not np.array_equal(smallest, model.predict(X))
    assert model.feature_importances_[2] == 0 < model.feature_importances_[0] < model.feature_importances_[1]
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X))
    assert again.get_params() == model.get_params()
    assert "<svg" in model._repr_html_() and "<table>" in model._repr_html_()


def test_grammars(cases, tmp_path):
    X, y = cases
    path = tmp_path / "some.bnf"
    path.write_text(GRAMMAR)
    by_text = GrampusRegressor(generations=10, grammar=GRAMMAR).fit(X, y)
    by_path = GrampusRegressor(generations=10, grammar=str(path)).fit(X, y)
    assert by_text.best_.expression == by_path.best_.expression
    assert by_text.best_.genome.dtype == np.uint32 and len(by_text.best_.genome)
    with pytest.raises(BadInput, match="grammar:1:"):
        GrampusRegressor(grammar="<e> ::= <nowhere>").fit(X, y)
    with pytest.raises(BadInput, match="grammar: .*No such file"):
        GrampusRegressor(grammar="nowhere.bnf").fit(X, y)


def test_units(cases):
    """A grammar is made of units; typed trees keep to them."""
    X, y = cases
    settings = dict(units="x0 = m; x1 = m; target = m", generations=2, population=50)
    for more, has_genome in ({}, True), ({"genotype": "structured"}, True), ({"typed": True}, False):
        model = GrampusRegressor(**settings, **more).fit(X[:, :2], y)
        assert (model.best_.genome is not None) == has_genome


def test_prepare(cases):
    """Inputs that are made of others ask for no columns of their own, whatever the columns are called."""
    pandas = pytest.importorskip("pandas")
    X, y = cases
    for table in X, pandas.DataFrame(X, columns=["one", "2", "three"]):
        model = GrampusRegressor(genotype="tree", prepare="differences, ratios", generations=3, population=50).fit(table, y)
        assert len(model.best_.inputs) == len(model.best_.labels) == 3
        assert np.sqrt(np.mean((model.predict(table) - y) ** 2)) == pytest.approx(model.best_.train, rel=1e-4)
        assert model.feature_importances_.shape == (3,)


def test_column_names(cases):
    pandas = pytest.importorskip("pandas")
    X, y = cases
    table = pandas.DataFrame(X, columns=["plain", "not a name", "class"])
    model = GrampusRegressor(generations=20, linear_scaling=True).fit(table, y)
    assert {str(s) for s in model.sympy().free_symbols} == {"plain", "not a name"}
    assert model.best_.inputs[1] == "not_a_name"


def test_names_are_no_markup(cases):
    """A notebook shows names of columns as text, whatever they hold."""
    pandas = pytest.importorskip("pandas")
    X, y = cases
    table = pandas.DataFrame(X, columns=["<b>one</b>", "two", "three"])
    shown = GrampusRegressor(generations=20, linear_scaling=True).fit(table, y)._repr_html_()
    assert "&lt;b&gt;one" in shown and "<b>one" not in shown


def test_layouts(cases):
    X, y = cases
    model = GrampusRegressor(generations=5)
    expected = model.fit(X, y).best_.expression
    wide = np.zeros((600, 7))
    wide[::2, 1:7:2] = X
    for same in (np.asfortranarray(X), X.astype(np.float32), wide[::2, 1::2], X[::-1][::-1]):
        assert model.fit(same, y).best_.expression == expected


def test_arrays_as_values(cases):
    X, y = cases
    settings = dict(generations=3, constant_probability=0.5)
    told = [
        GrampusRegressor(constants=constants, **settings).fit(X, y).best_.expression
        for constants in (np.array([0.5, 3.0]), [0.5, 3.0], "0.5, 3")
    ]
    assert told[0] == told[1] == told[2]


def test_seeds(cases):
    X, y = cases
    histories = [GrampusRegressor(generations=3, random_state=s).fit(X, y).history_["mean"] for s in (1, 1, 2)]
    assert np.array_equal(histories[0], histories[1]) and not np.array_equal(histories[0], histories[2])


def test_weights(cases):
    X, y = cases
    weights = np.arange(len(y)) % 4
    a = GrampusRegressor(generations=5).fit(X, y, sample_weight=weights)
    b = GrampusRegressor(generations=5).fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert np.allclose(a.history_["best"][:1], b.history_["best"][:1], rtol=1e-6)
    halves = GrampusRegressor(generations=5).fit(X, y, sample_weight=weights / 2)
    assert halves.best_.expression == a.best_.expression
    assert np.array_equal(halves.history_["mean"], a.history_["mean"])
    plain = GrampusRegressor(generations=5).fit(X, y)
    same = GrampusRegressor(generations=5).fit(X, y, sample_weight=np.full(len(y), 0.3))
    assert np.array_equal(same.history_["mean"], plain.history_["mean"])
    assert not np.array_equal(a.history_["mean"], plain.history_["mean"])
    with pytest.raises(ValueError, match="negative"):
        GrampusRegressor().fit(X, y, sample_weight=-np.ones(len(y)))


def test_usual_class():
    """A case without a number as output is of the class that is most frequent by weight, however the cases are sorted."""
    X = np.linspace(1, 2, 1999)[:, None]
    y = np.repeat(["a", "b"], [900, 1099])
    nowhere = {"seed_program": "sqrt(x0)", "functions": "+, sqrt", "population": 1, "generations": 0, "preset": "none"}
    for weights, usual in ((None, "b"), (np.where(y == "a", 3.0, 1.0), "a"), (np.arange(1999) % 2 * (y == "a"), "a")):
        model = GrampusClassifier(**nowhere).fit(X, y, sample_weight=weights)
        assert model.best_.expression == "sqrt(x0)" and list(model.predict(-X[:2])) == [usual, usual]
    with pytest.raises(ValueError, match="non-zero|0 for every case"):
        GrampusClassifier().fit(X, y, sample_weight=np.zeros(1999))


def test_importances_by_weights():
    """Of weighted cases as of so many equal ones, and sorted ones have a part whole."""
    random = np.random.RandomState(2)
    X = random.uniform(-1, 1, (1500, 2))
    weights = np.arange(1500) % 3 == 0
    y = np.where(weights, X[:, 0], X[:, 1])
    same = {"seed_program": "x0 + x1", "functions": "+", "population": 1, "generations": 0, "preset": "none"}
    a = GrampusRegressor(**same).fit(X, y, sample_weight=weights)
    b = GrampusRegressor(**same).fit(X[weights], y[weights])
    assert np.array_equal(a.feature_importances_, b.feature_importances_)
    # the second half is where x1 says anything
    y, order = np.where(np.arange(1500) < 1000, X[:, 0], 9 * X[:, 1]), random.permutation(1500)
    a, b = (GrampusRegressor(**same).fit(X[k], y[k]) for k in (np.arange(1500), order))
    assert np.allclose(a.feature_importances_, b.feature_importances_, rtol=0.2)


@pytest.mark.parametrize("several", [False, True])
def test_importances_without_a_value(cases, several):
    """A logarithm has none on some cases when a column is permuted: NaN made SelectFromModel take every feature."""
    X, signs = np.abs(cases[0]) + 0.1, np.sign(cases[0][:, :1])
    X[:, :2] *= signs
    y = np.log(X[:, 0] * X[:, 1])
    model = GrampusRegressor(preset="none", functions="*, log", population=300, generations=10)
    model.fit(X, np.column_stack([y, y]) if several else y)
    assert "log(x0 * x1)" in model.best_.expression or "log(x1 * x0)" in model.best_.expression
    falls = model.feature_importances_
    assert np.isfinite(falls).all() and falls[2] == 0 and (falls[:2] > 0.1).all()


def test_no_warm_start(cases):
    """Refused by the first fit, not by the second, when the first one's model would be lost."""
    X, y = cases
    argmax = {"class_rule": "argmax", "generations": 2, "warm_start": True}
    with pytest.raises(BadInput, match="warm_start.*argmax"):
        GrampusClassifier(**argmax).fit(X, y > 1.5)
    with pytest.raises(BadInput, match="warm_start.*typed"):
        GrampusRegressor(warm_start=True, units="y m, x0 m, x1 m, x2 m", typed=True).fit(X, y)
    model = GrampusClassifier(grammar="<p> ::= argmax(<e>, <e>)\n" + GRAMMAR, **argmax).fit(X, y > 1.5)
    first = model.best_.train
    assert model.fit(X, y > 1.5).history_["best_ever"][0] <= first


def test_warm_start_after_nothing(cases):
    """A population outlives fits that are refused or end before a generation, not those without warm_start."""
    X, y = cases
    model = GrampusRegressor(warm_start=True, preset="none", population=50, generations=5).fit(X, y)
    first = model.best_.train
    with pytest.raises(BadInput, match="elites"):
        model.set_params(elites=60).fit(X, y)
    assert model.set_params(elites="auto", max_time=0).fit(X, y).n_iter_ == 0
    assert model.set_params(max_time=None).fit(X, y).history_["best_ever"][0] <= first
    model.set_params(warm_start=False).fit(X, y)
    cold = model.history_["best_ever"][0]
    assert model.set_params(warm_start=True).fit(X, y).history_["best_ever"][0] == cold > first


def test_warm_start_of_something_else(cases):
    """What is wrong is said of the last fit, not of a file that nobody knows and that is gone."""
    X, y = cases
    model = GrampusRegressor(warm_start=True, preset="none", population=50, generations=2).fit(X, y)
    with pytest.raises(BadInput, match="^warm_start: an individual of the last fit: there is no input 2") as refused:
        model.fit(X[:, :2], y)
    assert "/" not in str(refused.value)


def test_refused_fits(cases):
    """A model outlives a fit that is refused; one that never was fitted is not."""
    X, y = cases
    model = GrampusRegressor(preset="none", population=50, generations=2).fit(X, y)
    told = model.predict(X)
    for wrong in ({"elites": 60}, {"grammar": "nowhere.bnf"}, {"genotype": "structured"}):
        with pytest.raises(BadInput):
            model.set_params(**wrong).fit(X[:, :2], y)
        model.set_params(elites="auto", grammar=None, genotype="grammar")
        assert np.array_equal(model.predict(X), told) and model.n_features_in_ == 3
    fresh = GrampusClassifier(elites=600)
    with pytest.raises(BadInput):
        fresh.fit(X, y > 1)
    with pytest.raises(NotFittedError):
        fresh.predict(X)


def test_seeds_that_cannot_be_written(cases, tmp_path, monkeypatch):
    """The mean stood in for the model then, and a file was left."""
    X, y = cases
    model = GrampusRegressor(preset="none", population=50, generations=2, warm_start=True).fit(X, y)
    told = model.predict(X)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(FileNotFoundError):
        model.fit(X, y)
    assert np.array_equal(model.predict(X), told)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(BadInput, match="^seeds: .*; expected text without zeros and lone surrogates"):
        model.set_params(warm_start=False, seeds=["x0", "\ud800"]).fit(X, y)
    assert np.array_equal(model.predict(X), told) and not os.listdir(tmp_path)


def test_seeds_whatever_the_locale():
    """They were written in its encoding, which the library does not read."""
    pytest.importorskip("pandas")
    code = """if 1:
        import numpy, pandas, grampus
        table = pandas.DataFrame(numpy.random.RandomState(0).uniform(-1, 1, (50, 2)), columns=["\\xe9", "b"])
        model = grampus.GrampusRegressor(preset="none", population=50, generations=2, warm_start=True)
        for _ in range(2): model.fit(table, 2 * table["\\xe9"])
        assert "\\xe9" in model.best_.expression
    """
    own = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("wrong", [{"weights": -1.0}, {"weights": 0.0}, {"weights": np.nan}, {"max_time": "soon"}, {"kind": float}])
def test_refused_by_python(cases, wrong):
    """Not only the library refuses: classes, names and inputs stay those of the model that is there."""
    X, y = cases
    settings = {"preset": "none", "population": 50, "generations": 2}
    model = GrampusClassifier(**settings).fit(X, np.where(y > 1.5, "a", "b"))
    told, other = model.predict(X), np.round(y)
    weights = np.full(len(X), wrong["weights"]) if "weights" in wrong else None
    with pytest.raises(ValueError):
        model.set_params(max_time=wrong.get("max_time")).fit(X[:, :2], y if "kind" in wrong else other, weights)
    assert list(model.classes_) == ["a", "b"] and np.array_equal(model.predict(X), told)


@pytest.mark.parametrize("name, value", [("max_time", v) for v in ("soon", -1, np.nan, [1], 10**400)] + [("n_jobs", v) for v in ("all", 1.5)])
def test_refused_parameters(cases, name, value):
    with pytest.raises(BadInput, match="^%s is .*; expected" % name):
        GrampusRegressor(**{name: value}).fit(*cases)


def test_law(cases):
    """What find_law finds can be read, as `grampus run` tells of it, predicts and is pickled; it had been told to nobody."""
    X, y = cases
    settings = {"preset": "none", "functions": "+, *", "generations": 8, "linear_scaling": True, "find_law": True}
    model = GrampusRegressor(**settings).fit(X, y)
    law = model.law_
    assert law.exact and law.rounded and law.largest_error < 1e-6 and law.test != law.test
    assert np.abs(law.predict(X) - y).max() < 1e-6 and np.array_equal(model.predict(X, law), law.predict(X))
    again = pickle.loads(pickle.dumps(law))
    assert again.exact and again.expression == law.expression and "exact=True" in repr(again)
    with grampus.Run({**settings, "genotype": "tree"}, X, y, names=["one", "2", "three"], X_test=X[:9], y_test=y[:9]) as run:
        while run.advance():
            pass
        assert run.law().expression == law.expression.replace("x0", "one").replace("x1", "_2") == run.law().expression
        assert run.law().test < 1e-6
    assert model.set_params(max_time=0).fit(X, y).law_ is None
    assert not hasattr(model.set_params(find_law=False).fit(X, y), "law_")


def test_law_as_formula(cases):
    sympy = pytest.importorskip("sympy")
    model = GrampusRegressor(preset="none", functions="+, *", generations=8, linear_scaling=True, find_law=True).fit(*cases)
    x0, x1 = (sympy.Symbol(name, real=True) for name in ("x0", "x1"))
    assert sympy.expand(model.law_.sympy()) == x0**2 + 2 * x1 + sympy.Rational(3, 2)


def test_too_large_for_floats(cases):
    """The library says so; numpy's warnings, of models made beforehand, say less, and may be errors."""
    X, y = cases
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for wrong in ((X * 1e300, y), (X, np.full(len(y), 1e308)), (X, np.column_stack([y, np.full(len(y), 1e308)]))):
            with pytest.raises(BadInput, match="not finite as a float"):
                GrampusRegressor().fit(*wrong)


def test_rounded(cases):
    """As `grampus run` says it of a table: times in seconds since 1970 were fitted as multiples of 128, and nobody knew."""
    pandas = pytest.importorskip("pandas")
    X, y = cases
    settings = {"preset": "none", "generations": 1, "population": 20}
    table = pandas.DataFrame({"a": X[:, 0], "time": 1.7e9 + 60 * np.arange(300)})
    with pytest.warns(UserWarning, match="^float32 rounds time by up to 64 in a range of 1.8e\\+04; expected .*double") as told:
        GrampusRegressor(**settings).fit(table, y)
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="rounds x0 by .*, x1 by .*, x2 by .*; expected"):
        GrampusClassifier(**settings).fit(X + 1e9, y > 1.5)
    with pytest.warns(UserWarning, match="rounds target 1 by up to 4 in"):
        GrampusRegressor(**settings).fit(X, np.column_stack([y, y + 1e8]))
    with pytest.warns(UserWarning, match="rounds x0 by .*, x4 by [^,]*, 16 more; expected"):
        GrampusRegressor(**settings).fit(np.tile(X + 1e9, 7), y)
    model = GrampusRegressor(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            model.fit(X, y + 1e8)
        assert not hasattr(model, "best_")
        GrampusRegressor(precision="double", **settings).fit(X + 1e9, y + 1e8)
        for plain in (X + 1000, X * 1e-30, np.full_like(X, 1e9 + 0.3), (X + 1e9).astype(np.float32)):
            model.fit(plain, y)


@pytest.mark.filterwarnings("ignore:float32 rounds")
@pytest.mark.parametrize("y", [1.7e9 + np.arange(300) / 10, 1 + 1e-12 * np.arange(300)])
def test_lost_target(cases, y):
    """As `grampus run` refuses it of a table: every program that gives the one number that floats leave had no error."""
    model = GrampusRegressor(preset="none", generations=1, population=20)
    with pytest.raises(BadInput, match="target, of a range of .*, is one number in single precision; expected precision: double"):
        model.fit(cases[0], y)
    assert not hasattr(model, "best_")
    model.set_params(precision="double").fit(cases[0], y)
    model.set_params(precision="single").fit(cases[0], np.full(300, 0.1))


def test_warm_start(cases):
    X, y = cases
    y = np.sin(3 * y)
    for islands in (None, 1, 7):  # None: those of the preset
        settings = dict(generations=8) if islands is None else dict(generations=8, population=40, islands=islands)
        model = GrampusRegressor(warm_start=True, **settings).fit(X, y)
        found, told = model.history_["best"][-1], model.best_.train
        model.fit(X, y)
        assert model.history_["best"][0] <= found * 1.000001  # whichever island it was on, it goes on
        assert model.history_["best"][0] <= told * 1.000001
        cold = GrampusRegressor(**settings).fit(X, y)
        assert cold.history_["best"][0] > told


def test_warm_start_in_time(cases, monkeypatch):
    """An object of each of 200 000 individuals took seconds that max_time did not have."""
    X, y = cases
    settings = {"population": 3000, "generations": 1, "preset": "none"}
    with grampus.Run({"genotype": "tree", **settings}, X, y) as run:
        while run.advance():
            pass
        places = np.arange(3000)[::-1]
        told = [one.phenotype for one in run.individuals(places)]
        assert run.phenotypes(places) == told
        for deadline, read in ((None, 3000), (time.monotonic() + 60, 3000), (time.monotonic() - 60, 1000)):
            assert warm_start.phenotypes(run, 0, places, deadline) == told[:read]
        with pytest.raises(BadInput, match="place 3000 of 3000; expected a number below"):
            run.phenotypes([0, 3000])
    monkeypatch.delattr(grampus.Run, "individuals")
    for metric in "rmse", "r2":
        model = GrampusRegressor(warm_start=True, max_time=60, metric=metric, **settings).fit(X, y)
        assert len(model._population) == 3001
        assert model._population[0] == model._population[1] == model.best_.phenotype  # the best first


def test_leader_of_a_batch(cases):
    """With cases set aside it is the run whose best is the best there, as `grampus run` says, not the one of least error;
    where the best is chosen by its size the one whose choice the criterion makes least, not the one that fitted noise best."""
    X, y = cases
    others = 0
    for seed in range(1, 50, 6):
        settings = dict(population=20, generations=3, runs=6, seed=seed, validation_fraction=0.3, preset="none")
        model = GrampusRegressor(**settings).fit(X[:40], np.sin(5 * y[:40]))
        with grampus.Run({**settings, "genotype": "tree"}, X[:40], np.sin(5 * y[:40])) as run:
            while run.advance():
                pass
            best = [run.best(r) for r in range(6)]
            assert model.best_.expression == best[run.leader()].expression
            others += model.best_.train > min(one.train for one in best)
    assert others
    wide = 2 * X[:60]
    noise = wide[:, 0] * wide[:, 1] + wide[:, 2] ** 2 + np.random.RandomState(1).normal(0, 0.7, 60)
    by_size = dict(population=200, generations=12, runs=6, seed=1, preset="regression")
    model = GrampusRegressor(**by_size).fit(wide, noise)
    with grampus.Run(by_size, wide, noise) as run:
        while run.advance():
            pass
        best = [run.best(r) for r in range(6)]
        assert model.best_.expression == best[run.leader()].expression
        value = [60 * np.log(one.train**2) + 0.7 * one.nodes * np.log(60) for one in best]
        assert value[run.leader()] == min(value) and best[run.leader()].train > min(one.train for one in best)


@pytest.mark.parametrize("several", [False, True])
def test_score_without_values(several):
    """Was an error, "Input contains NaN", where a fold has a case that the best has no value on: the worst score, as of
    an infinite error, and how many cases there are of."""
    X = np.linspace(1, 2, 90)[:, None]
    y = np.log(X[:, 0])
    y = np.column_stack([y, 2 * y]) if several else y
    model = GrampusRegressor(population=10, generations=0, preset="none").fit(X, y)
    model.best_.expression = "targets(log(x0), log(x0))" if several else "log(x0)"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.score(X, y) == r2_score(y, model.predict(X))
    X[4], X[7] = -1, 0  # no value, and an infinite one
    with pytest.warns(UndefinedMetricWarning, match="^best_ has no finite value on 2 of 90 cases; the score is -inf$") as caught:
        assert model.score(X, y) == -np.inf
    assert caught[0].filename == __file__
    weights = np.ones(90)
    with pytest.warns(UndefinedMetricWarning, match="on 2 of 90"):
        assert model.score(X, y, weights) == -np.inf
    weights[[4, 7]] = 0
    kept = weights > 0
    assert model.score(X, y, weights) == pytest.approx(model.score(X[kept], y[kept]))
    with pytest.raises(ValueError, match="inconsistent|shape"):
        model.score(X, y, weights[:5])


def test_cross_validation_without_values():
    """The folds that have values are compared with others all the same."""
    X = np.linspace(1, 2, 90)[:, None]
    y = np.log(X[:, 0])
    X[4] = -1
    model = GrampusRegressor(seed_program="log(x0)", functions="+, log", population=1, generations=0, preset="none")
    with pytest.warns(UndefinedMetricWarning, match="on 1 of 30 cases"):
        scores = cross_val_score(model, X, y, cv=3)
    assert scores[0] == -np.inf and np.isfinite(scores[1:]).all()


def test_refusals(cases):
    X, y = cases
    with pytest.raises(BadInput, match="elites"):
        GrampusRegressor(elites=600).fit(X, y)
    with pytest.raises(ValueError, match="X has 1 features"):
        GrampusRegressor(generations=1).fit(X, y).predict(X[:, :1])
    with pytest.raises(BadInput, match="case 4: x1 is not finite as a float"):
        big = X.copy()
        big[4, 1] = 1e39
        GrampusRegressor(generations=1).fit(X, y).predict(big)


def test_no_individual(cases):
    model = GrampusRegressor(preset="none", population=50, generations=2).fit(*cases)
    last = len(model.front_) - 1
    for wrong in (last + 1, "a", 0.5):
        for ask in (lambda: model.predict(cases[0], wrong), lambda: model.sympy(wrong), lambda: model.latex(wrong)):
            with pytest.raises(BadInput, match="^individual is %r; expected one of front_, or its number there, from 0 to %d$" % (wrong, last)):
                ask()
    assert np.array_equal(model.predict(cases[0], np.int64(last)), model.predict(cases[0], -1))


def test_unused(cases):
    """What was named in vain is said; what stands at its default, or is read, is not."""
    named = {"generations": 2, "constant_min": -3.0}
    model = GrampusRegressor(grammar=GRAMMAR, functions="sin", tournament=3, **named).fit(*cases)
    assert model.unused_ == "functions, constant-min: for genotype tree"
    assert GrampusRegressor(functions="+, sin", constant_probability=0.2, **named).fit(*cases).unused_ == ""
    assert GrampusClassifier(generations=2).fit(cases[0], cases[1] > 0).unused_ == ""


@pytest.mark.parametrize("functions", [[], (), np.array([])])
def test_no_functions(cases, functions):
    """They were the default: an empty text takes a setting back."""
    with pytest.raises(BadInput, match="^functions is .*; expected operations"):
        GrampusRegressor(functions=functions).fit(*cases)
    with pytest.raises(BadInput, match="^functions is .*; expected operations"):
        grampus.Run({"genotype": "tree", "functions": functions}, *cases)


def test_lazy_import():
    """The import loads neither numpy nor the library."""
    import subprocess
    import sys

    code = "import sys, grampus; assert not {'numpy', 'sklearn', 'ctypes'} & set(sys.modules); grampus.GrampusRegressor"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(grampus.__file__)))
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
