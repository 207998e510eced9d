"""What users of other packages hand over."""
import inspect
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from grampus import BadInput, GrampusClassifier, GrampusRegressor, Run, evaluate

SMALL = {"preset": "none", "generations": 3, "population": 50}
LINEAR = {"functions": "+, -, *", "seed_program": "x0 - x1", "generations": 0, "population": 1, "preset": "none"}


@pytest.mark.parametrize("name, meant", [
    ("niterations", "generations"), ("population_size", "population"), ("function_set", "functions"), ("binary_operators", "functions"),
    ("populaton", "population"), ("populaton_size", "population$"), ("tournament_sise", "tournament$"), ("class_weight", "class_rule"), ("zzz", "one of get_params()"), ("const_range", "constant_min and constant_max"),
    ("feature_names", "one of get_params()"), ("denoise", "one of get_params()"), ("verbosity", "one of get_params()"),
    ("low_memory", "one of get_params()"), ("constant_range", "constant_max or constant_min"), ("function", "functions$"), ("max_dep", "max_depth$"),
    ("GENERATIONS", "generations"), ("POPULATION_SIZE", "population"), ("MAX_INIT_TREE_DEPTH", "init_max_depth"),
])  # fmt: skip
def test_words_of_other_packages(name, meant):
    """It was the constructor's own TypeError, without a word of what is meant."""
    with pytest.raises(TypeError, match="^GrampusRegressor has no parameter '%s'; expected %s" % (name, meant.replace("(", ".").replace(")", "."))):
        GrampusRegressor(**{name: 5})
    with pytest.raises(TypeError, match="^GrampusClassifier has no parameter 'class_weights'; expected class_weight"):
        GrampusClassifier(class_weights="balanced")
    assert "population" in inspect.signature(GrampusRegressor).parameters and inspect.signature(GrampusClassifier).parameters["class_weight"]


def test_subclass(cases):
    """With a constructor of its own, as scikit-learn has them."""

    class Mine(GrampusRegressor):
        def __init__(self, *, often=3):
            super().__init__(generations=2, population=often * 10, preset="none")
            self.often = often

    assert clone(Mine(often=4)).fit(*cases).population == 40


def test_all_words_lead_to_keywords():
    from grampus.keywords import ELSEWHERE

    known = GrampusRegressor().get_params()
    assert all(word in known for meant in ELSEWHERE.values() for word in meant.split(" and ")) and not set(ELSEWHERE) & set(known)


def test_sets(cases):
    """Whatever order a set has: it was read as the text of a set of Python."""
    models = [GrampusRegressor(**SMALL, seed=3, functions=functions).fit(*cases) for functions in ({"sin", "+", "*"}, frozenset("+*") | {"sin"}, ["*", "+", "sin"])]
    assert len({model.best_.expression for model in models}) == 1


def test_dicts(cases):
    """Units and types by name."""
    told = {"preset": "none", "genotype": "tree", "typed": True, "functions": "+, -, *", "generations": 4, "population": 60, "constant_probability": 0}
    by_text, by_name = (GrampusRegressor(**told, units=units).fit(*cases) for units in ("x0 = m; x1 = m; x2 = s; target = m", {"x0": "m", "x1": "m", "x2": "s", "target": "m"}))
    assert by_text.best_.expression == by_name.best_.expression and "x2" not in by_name.best_.expression
    types = {"x0, x1, target": "a", "x2": "b", "+": "a a -> a"}
    assert "x2" not in GrampusRegressor(**{**told, "functions": "+"}, types=types).fit(*cases).best_.expression


def test_caret_is_no_power(cases):
    """x ^ 2 is a power to PySR, SymPy and R; it was an exclusive or, and nobody was told."""
    said = r"'\^' is no power; expected \*\* or pow\(a, b\), or for an exclusive or xor\(a, b\)$"
    X = np.array([[2.0, 0], [3, 1]])
    with pytest.raises(BadInput, match="^expression:1:4: " + said):
        evaluate("x0 ^ 2", X)
    with pytest.raises(BadInput, match="^seeds:2:9: " + said):
        GrampusRegressor(**SMALL, genotype="tree", seeds=["x0", "x1 + x0 ^ 2"]).fit(*cases)
    with pytest.raises(BadInput, match="^target.expression:.*1:2: " + said):
        Run({"target-expression": "x^2", "variables": "x = grid(0, 1, 0.1)", "genotype": "tree"})
    with pytest.raises(BadInput, match="^functions has '\\^', which is no power; expected"):
        GrampusRegressor(**SMALL, genotype="tree", functions="+, ^").fit(*cases)
    assert evaluate("x0 ** 2", X).tolist() == evaluate("pow(x0, 2)", X).tolist() == [4, 9]
    assert evaluate("(x0 > 2) ^ (x1 < 1)", X).tolist() == evaluate("xor(x0 > 2, x1 < 1)", X).tolist() == [1, 1]


def test_no_sequence(cases):
    """It was a TypeError of something inside."""
    told = {"genotype": "tree", "generations": 0, "population": 9}
    for wrong in 5, 5.0, "abc", b"abc", np.array(5), object():
        with pytest.raises(BadInput, match="^names is .*; expected a sequence of texts, one for a column of X$"):
            Run(told, *cases, names=wrong)
    for right in ["a", "b", "c"], ("a", "b", "c"), np.array(["a", "b", "c"]), dict.fromkeys("abc"), iter("abc"):
        with Run(told, *cases, names=right) as run:
            assert run.inputs == run.labels == ["a", "b", "c"]
            run.advance()
            for take in run.individuals, run.phenotypes:
                for wrong in 5, None, "1", np.int64(5):
                    with pytest.raises(BadInput, match="^places is .*; expected a sequence of whole numbers from 0$"):
                        take(wrong)
                assert len(take(np.arange(3))) == len(take(range(3))) == len(take(place for place in range(3))) == 3


def test_seeds_as_a_list(cases, tmp_path):
    """They had to be in a file."""
    told = {"preset": "none", "genotype": "tree", "generations": 0, "population": 4, "functions": "+, -, *"}
    (tmp_path / "seeds.txt").write_text("x0 * x1\nx2 + x0 * x2\n")
    of_file = GrampusRegressor(**told, seeds=str(tmp_path / "seeds.txt")).fit(*cases)
    for seeds in ["x0 * x1", "x2 + x0 * x2"], np.array(["x0 * x1", "x2 +\n x0 * x2"]), ("x0 * x1", of_file.best_, "x2 + x0 * x2"):
        assert GrampusRegressor(**told, seeds=seeds).fit(*cases).best_.train <= of_file.best_.train
    one = GrampusRegressor(**{**told, "population": 1}, seeds=[of_file.best_]).fit(*cases)
    assert one.best_.expression == of_file.best_.expression
    with pytest.raises(BadInput, match="^seeds:2:1: 'foo' is unknown"):
        GrampusRegressor(**told, seeds=["x0", "foo(x0)"]).fit(*cases)
    GrampusRegressor(**told, seeds=[]).fit(*cases)
    blanks = GrampusRegressor(grammar='<e> ::= "x0  +  " <e> | "x0"', population=20, generations=2).fit(*cases)
    GrampusRegressor(grammar='<e> ::= "x0  +  " <e> | "x0"', population=20, generations=2, seeds=[blanks.best_]).fit(*cases)
    assert clone(one).get_params()["seeds"] == [of_file.best_] or clone(one).get_params()["seeds"][0].expression == of_file.best_.expression


def test_progress_tells(cases):
    told = []
    GrampusRegressor(**SMALL).fit(*cases, callback=lambda progress: told.append(repr(progress)))
    assert told and told[-1].startswith("Progress(generation=") and "best_ever=" in told[-1]


def test_equations(cases):
    pandas = pytest.importorskip("pandas")
    model = GrampusRegressor(generations=5, seed=2)
    assert not hasattr(model, "equations_")
    table = model.fit(*cases).equations_
    assert isinstance(table, pandas.DataFrame) and list(table.expression) == [one.expression for one in model.front_] and len(table) > 1
    assert list(table.nodes) == sorted(table.nodes) and table.best.sum() <= 1 and table.dtypes["best"] == bool
    assert model.predict(cases[0], int(table.index[0])).tolist() == model.front_[0].predict(cases[0]).tolist()


def test_columns_in_another_order(cases):
    """Individuals read tables by place: what an estimator refuses had been predicted from the wrong columns."""
    pandas = pytest.importorskip("pandas")
    X, y = cases
    table = pandas.DataFrame(X, columns=["a", "b b", "c"])
    best = GrampusRegressor(**LINEAR).fit(table, y).best_
    assert best.expression == "a - b_b"
    other = table[["b b", "a", "c"]]
    for call in best.predict, best.output:
        with pytest.raises(BadInput, match="^X has column 'b b' at 0; expected it at 1, as in training$"):
            call(other)
    ranked = GrampusClassifier(class_rule="argmax", **SMALL).fit(table, y > 1.5).best_
    with pytest.raises(BadInput, match="expected it at 1"):
        ranked.ranked(other)
    told = best.predict(X)
    for same in table, table.to_numpy(), pandas.DataFrame(X), pandas.DataFrame(X, columns=["u", "v", "w"]):
        assert np.array_equal(best.predict(same), told)  # other names say nothing of the order
    settings = {"genotype": "tree", **LINEAR}
    for names in None, ["a", "b b", "c"]:
        with pytest.raises(BadInput, match="^X_test has column 'b b' at 0; expected it at 1"):
            Run(settings, table, y, X_test=other, y_test=y, names=names)
        with Run(settings, table, y, X_test=table, y_test=y, names=names) as run:
            run.advance()
            assert np.array_equal(run.best().predict(X), told)
    twice = pandas.DataFrame(X, columns=["a", "a", "c"])
    with Run(settings, X, y, names=["a", "a", "c"]) as run:
        run.advance()
        assert np.array_equal(run.best().predict(twice), told)


@pytest.mark.parametrize("digits", [0, -1, 1.5, "4", None])
def test_digits(cases, digits):
    """SymPy took -1 for another number of digits: 0.1 of 0.154."""
    pytest.importorskip("sympy")
    model = GrampusRegressor(linear_scaling=True, **SMALL).fit(*cases)
    with pytest.raises(BadInput, match="^digits is .*; expected a whole number from 1$"):
        model.latex(digits=digits)
    assert model.latex(digits=np.int64(4)) == model.latex()


def test_refused_in_a_line(cases):
    """What had been an AttributeError from inside, or of ctypes."""
    for settings in None, [("population", 5)], "population: 5":
        with pytest.raises(BadInput, match="^settings .*; expected a dict"):
            Run(settings, *cases)
        with pytest.raises(BadInput, match="^settings .*; expected a dict"):
            Run(settings, cases[0], np.column_stack([cases[1]] * 2))
    for expression in None, 5, b"a":
        with pytest.raises(BadInput, match="^expression: .*; expected text"):
            evaluate(expression, {"a": [1.0]})
    with Run({"genotype": "tree", **SMALL}, *cases) as run:
        for every in "1", None, -1, np.nan:
            with pytest.raises(BadInput, match="^every is .*; expected seconds, 0 or more$"):
                run.watch(print, every)
        run.watch(None, 0)


def test_what_type_checkers_read():
    """The package says that it is typed, and of an individual they knew no attribute."""
    import typing

    from grampus.individual import Individual, Law

    for kind in Individual, Law:
        assert set(kind._fields()) == set(typing.get_type_hints(kind))
    assert typing.get_type_hints(Run.__enter__)["return"] is Run
    for kind in GrampusRegressor, GrampusClassifier:
        assert typing.get_type_hints(kind.fit)["return"] is kind


def test_sign_of_more_than_two_classes(cases):
    """The library told of a case of class 2 to who has classes of names."""
    X, y = cases
    with pytest.raises(BadInput, match="^class_rule sign for 3 classes; expected two$"):
        GrampusClassifier(class_rule="sign", **SMALL).fit(X, np.array(list("abc"))[np.arange(len(y)) % 3])


@pytest.mark.parametrize("settings, said", [
    ({"codon_consumption": "lazy"}, "codon-consumption: it works on codons in a row; expected genotype grammar"),
    ({"grammar": "<e> ::= x0 | x1", "hoist_mutation": 0.1}, "hoist-mutation: it works on trees; expected genotype tree"),
    ({"invalid": "redrawn"}, "invalid: trees are always valid; expected worst, or genotype grammar"),
    ({"precision": "double", "optimise_constants": "elites"}, "optimise-constants: precision double has no constants .*"),
    ({"metric": "mae", "linear_scaling": True}, "linear-scaling does not fit the metric; .*"),
])  # fmt: skip
def test_refusals_name_the_keyword(cases, settings, said):
    """A run file has a line, an option itself; of a keyword nothing told which works on trees."""
    with pytest.raises(BadInput, match="^%s$" % said):
        GrampusRegressor(**{**SMALL, **settings}).fit(*cases)


def test_no_numbers(cases):
    """NumPy's lines said nothing of which array, and of a sparse one nothing that helps."""
    sparse = pytest.importorskip("scipy.sparse")
    X, y = cases
    settings = {"genotype": "tree", **SMALL}
    best = GrampusRegressor(**SMALL).fit(X, y).best_
    for wrong, said in (
        (sparse.csr_matrix(X), "is sparse, a csr_matrix; expected a dense array, as its toarray() makes"),
        (np.full(X.shape, "a"), "could not convert string to float: .*; expected an array of numbers"),
        ([[1.0], [2.0, 3.0]], "setting an array element with a sequence.*; expected an array of numbers"),
        ([[10**400]], "int too large to convert to float; expected an array of numbers"),
        ({"a": 1}, "float\\(\\) argument must be .*; expected an array of numbers"),
    ):
        said = said.replace("toarray()", r"toarray\(\)")
        with pytest.raises(BadInput, match="^X:? %s$" % said):
            Run(settings, wrong, y)
        with pytest.raises(BadInput, match="^X:? %s$" % said):
            best.predict(wrong)
    for X_, y_, said in (
        (sparse.csr_matrix(X), np.c_[y, y], "X is sparse"),
        (X, sparse.csr_matrix(np.c_[y, y]), "y is sparse"),
        (X, [[1.0], [2.0, 3.0]], "y: setting an array element"),
        ([[1.0], [2.0, 3.0]], np.c_[y, y], "X: setting an array element"),
    ):
        with pytest.raises(BadInput, match="^%s" % said):
            Run(settings, X_, y_)
    with pytest.raises(BadInput, match="^weights: could not convert .*; expected an array of numbers$"):
        Run(settings, X, y, weights=["a"] * len(X))


def test_weights_of_a_score(cases):
    """One number for every case, as fit takes it too, was an IndexError."""
    X, y = cases
    model = GrampusRegressor(**SMALL).fit(X, y, sample_weight=2.0)
    assert model.score(X, y, 2.0) == model.score(X, y, np.full(len(y), 2.0)) == pytest.approx(model.score(X, y))


def test_columns_as_values(cases):
    """Lists of any kind name functions and constants; a column of a table had no truth value."""
    pandas = pytest.importorskip("pandas")

    def told(**settings):
        return GrampusRegressor(constant_probability=0.5, **SMALL, **settings).fit(*cases).history_["mean"]

    functions, numbers = told(functions=["+", "sin"]), told(constants=[0, 1, 2])
    for same in pandas.Series(["+", "sin"]), pandas.Index(["+", "sin"]), np.array(["+", "sin"]), ("+", "sin"):
        assert np.array_equal(told(functions=same), functions)
    for same in pandas.Series([0, 1, 2]), range(3), np.arange(3.0):
        assert np.array_equal(told(constants=same), numbers)


@pytest.mark.parametrize("settings, said", [
    ({"max_time": 0, "population": 200000}, "fit ended before its first generation was complete"),  # which takes a while
    ({"grammar": "<e> ::= " + " | ".join(["(<e> + <e>)"] * 20) + " | x0", "initialisation": "uniform", "genome_length": 3,
      "max_wraps": 0, "population": 3, "generations": 0}, "no individual was valid"),
])  # fmt: skip
def test_nothing_was_evolved(cases, settings, said):
    """The mean had stood in for a program, and fit said nothing."""
    X, y = cases
    for kind, target in (GrampusRegressor, y), (GrampusClassifier, y > 1.5):
        with pytest.warns(ConvergenceWarning, match="^%s: the estimator predicts the mean, or the most" % said) as told:
            model = kind(**{**SMALL, **settings}).fit(X, target)
        assert [one.filename for one in told] == [__file__] and len(set(model.predict(X))) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GrampusRegressor(**{**SMALL, "generations": 0}).fit(X, y)
        GrampusClassifier(**SMALL).fit(X, y < 99)  # of one class


def test_without_scikit_learn(tmp_path):
    """The rest is there, and who asks for an estimator is told what to install."""
    (tmp_path / "sklearn.py").write_text("raise ModuleNotFoundError('none', name='sklearn')\n")
    code = "import grampus; from grampus import Run\ntry: grampus.GrampusRegressor\nexcept ImportError as e: print(e)"
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    said = "the estimators of grampus need scikit-learn; expected it to be installed (pip install scikit-learn)\n"
    assert (done.stdout, done.returncode) == (said, 0), done.stderr
