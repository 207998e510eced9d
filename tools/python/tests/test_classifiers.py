"""GrampusClassifier: classes, decisions, weights of classes, thresholds."""
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.class_weight import compute_sample_weight

from grampus import BadInput, GrampusClassifier, GrampusRegressor, _library


def test_classes(cases):
    X, y = cases
    names = np.array(["low", "middle", "high"])[(y > 1.3).astype(int) + (y > 2)]
    model = GrampusClassifier(generations=20).fit(X, names)
    assert list(model.classes_) == ["high", "low", "middle"]
    assert model.score(X, names) == 1 - model.best_.train / len(y) > 0.8
    assert set(model.predict(X, 0)) <= set(names)
    each = GrampusClassifier(generations=10, class_rule="argmax", functions="+, -, *").fit(X, names)
    assert each.best_.expression.startswith("argmax(")
    assert set(each.predict(X)) <= set(names) and each.score(X, names) == pytest.approx(1 - each.best_.train / len(X))
    formula = each.sympy()
    number = formula.subs({symbol: X[0, int(symbol.name[1:])] for symbol in formula.free_symbols})
    assert each.classes_[int(number)] == each.predict(X[:1])[0]
    two = GrampusClassifier(generations=10, metric="balanced-accuracy").fit(X, y > 1.5)
    assert two.score(X, y > 1.5) > 0.9
    with pytest.raises(BadInput, match="for 3 classes"):
        GrampusClassifier(metric="f1").fit(X, names)
    with pytest.raises(BadInput, match="max-nodes 50 of 30 outputs; expected at least 61"):  # of the preset
        GrampusClassifier(class_rule="argmax").fit(X, np.arange(len(y)) % 30)
    for rule, classes in ((_library.THRESHOLDS, 33), (_library.NEAREST, 34)):
        many = np.arange(len(y)) % classes
        model = GrampusClassifier(generations=1).fit(X, many)
        assert model.best_.rule == rule
        assert model.score(X, many) == pytest.approx(1 - model.best_.train / len(y))


@pytest.mark.parametrize("settings", [
    {}, {"class_rule": "nearest", "metric": "misclassified"}, {"class_rule": "argmax"}, {"class_rule": "sign"}, {"metric": "hinge"},
    {"metric": "f1"}, {"metric": "balanced-accuracy"}, {"metric": "mae"}, {"metric": "rmse", "linear_scaling": True},
    {"class_rule": "thresholds", "thresholds": [0.5]}, {"metric": "hinge", "precision": "double"}, {"validation_fraction": 0.2},
    {"functions": "+, -, /, log, sqrt"}, {"functions": "-, /, log, sqrt", "class_rule": "argmax"}, {"max_time": 0},
    {"max_time": 0, "class_rule": "argmax"},
])  # fmt: skip
@pytest.mark.parametrize("classes", [2, 3])
def test_decisions(cases, settings, classes):
    """The sign, or the largest, is what predict says, of every program and far from the training cases too."""
    X, y = cases
    if classes == 3 and (settings.get("metric") in ("hinge", "f1", "balanced-accuracy") or settings.get("class_rule") == "sign"):
        pytest.skip("two classes")
    labels = np.array(["a", "b", "c"])[np.digitize(y, [1.5, 2.5][: classes - 1])]
    model = GrampusClassifier(generations=4, population=200, preset="none", **settings).fit(X, labels)
    far = np.concatenate([X, 9 * X, 0 * X[:1]])
    for one in model.front_:
        made = model.decision_function(far, one)
        assert made.shape == ((len(far),) if classes == 2 else (len(far), 3)) and np.isfinite(made).all()
        said = (made > 0).astype(int) if classes == 2 else made.argmax(axis=1)
        assert np.array_equal(model.classes_[said], model.predict(far, one))


def test_decisions_are_distances(cases):
    X = np.array([[-2.0], [0.25], [0.75], [3.0]])
    alone = {"seed_program": "x0", "functions": "+", "population": 1, "generations": 0, "preset": "none", "metric": "misclassified"}
    two = GrampusClassifier(class_rule="thresholds", thresholds=0.5, **alone).fit(X, [0, 0, 1, 1])
    assert two.decision_function(X).tolist() == [-2.5, -0.25, 0.25, 2.5]
    assert 0 < two.decision_function([[0.5]])[0] < 1e-30 and two.predict([[0.5]]) == 1  # on the border
    three = GrampusClassifier(class_rule="thresholds", thresholds="0, 1", **alone).fit(X, [0, 1, 1, 2])
    assert three.decision_function(X).tolist() == [[2, -2, -3], [-0.25, 0.25, -0.75], [-0.75, 0.25, -0.25], [-3, -2, 2]]
    alone["functions"] = "+, sqrt"
    none = GrampusClassifier(class_rule="sign", **{**alone, "seed_program": "sqrt(x0)"}).fit(X, [1, 1, 1, 0])
    assert none.predict(X[:1]) == 1 and 0 < none.decision_function(X)[0] < 1e-30
    alone["functions"] = "+, -"
    ranked = GrampusClassifier(class_rule="argmax", grammar="<p> ::= argmax((x0 - 1), x0, (1 - x0))", preset="none", generations=0)
    made = ranked.fit(X, [2, 2, 1, 0]).decision_function(X)
    assert np.array_equal(made, np.column_stack([X - 1, X, 1 - X]))


def test_meta_estimators(cases):
    """They ask for decision_function, and calibrate it, or compare it between classes."""
    X, y = cases
    model = GrampusClassifier(generations=3, population=100)
    for classes in 2, 3:
        labels = np.digitize(y, [1.5, 2.5][: classes - 1])
        calibrated = CalibratedClassifierCV(model, cv=3).fit(X, labels)
        assert calibrated.predict_proba(X).shape == (len(X), classes) and calibrated.score(X, labels) > 0.7
    each = OneVsRestClassifier(model).fit(X, labels)
    assert each.decision_function(X).shape == (len(X), 3) and each.score(X, labels) > 0.7


def test_class_weight(cases):
    """Into the weights, as scikit-learn does it; a parameter of classifiers alone."""
    X, y = cases
    labels = np.where(y > 2.5, "many", "few")
    settings = {"generations": 3, "population": 100, "preset": "none"}
    own = np.arange(len(y)) % 3 + 0.5
    for weight in "balanced", {"many": 5.0, "few": 0.5}, {"many": 2.0}:
        for sample_weight in None, own:
            a = GrampusClassifier(class_weight=weight, **settings).fit(X, labels, sample_weight)
            product = compute_sample_weight(weight, labels) * (1 if sample_weight is None else own)
            b = GrampusClassifier(**settings).fit(X, labels, product)
            assert a.best_.expression == b.best_.expression and np.array_equal(a.history_["mean"], b.history_["mean"])
    plain = GrampusClassifier(**settings).fit(X, labels)
    assert not np.array_equal(plain.history_["mean"], a.history_["mean"])
    assert clone(a).get_params()["class_weight"] == weight and "class_weight" not in GrampusRegressor().get_params()
    for wrong, said in (
        ({"precision": "double", "metric": "hinge"}, "precision double"), ({"metric": "max-error"}, "metric max-error"),
        ({"case_sampling": "random", "sample_cases": 50}, "case_sampling"),
    ):  # fmt: skip
        with pytest.raises(BadInput, match="^class_weight beside %s, which has no weights of cases; expected one of them$" % said):
            GrampusClassifier(class_weight="balanced", **settings, **wrong).fit(X, labels)
    with pytest.raises(ValueError, match="balanced"):
        GrampusClassifier(class_weight="heavy").fit(X, labels)
    with pytest.raises(TypeError, match="class_weights"):
        GrampusClassifier(class_weights="balanced")


@pytest.mark.parametrize("beside", [
    {"diversity": True}, {"validation_fraction": 0.25}, {"fitness_memory": 100}, {"objectives": "error, nodes"},
    {"objectives": ["error", "nodes"]}, {"archive": "niches"}, {"evaluate_once": "on"}, {"selection": "lexicase"},
    {"selection": "nsga2", "replacement": "nsga2", "objectives": "error, nodes"},
])  # fmt: skip
def test_no_thresholds_beside(cases, beside):
    """Where thresholds cannot be fitted, nobody who did not ask for them is refused."""
    X, y = cases
    model = GrampusClassifier(generations=2, **beside).fit(X, (y > 1.5).astype(int))
    assert model.best_.rule == _library.NEAREST
    with pytest.raises(BadInput, match="fitted"):
        GrampusClassifier(generations=2, class_rule="fitted", **beside).fit(X, y > 1.5)


@pytest.mark.parametrize("thresholds", [[1, 2, 3, 4, 5], "1, 2, 3", np.array([1.0, 2.0, 3.0]), (1, 2), "1,2", 1.0])
def test_thresholds(cases, thresholds):
    """Those of more classes than there are made 96 cases wrong in training where predict, of the last class then, had 80."""
    X, y = cases
    model = GrampusClassifier(class_rule="thresholds", thresholds=thresholds, preset="none", generations=2, population=50)
    count = str(thresholds).count(",") + 1 if isinstance(thresholds, str) else np.size(thresholds)
    for classes in 2, 3:
        labels = np.digitize(y, [1.3, 2.0][: classes - 1])
        if count < classes:
            assert model.fit(X, labels).best_.train == np.sum(model.predict(X) != labels)
        else:
            with pytest.raises(BadInput, match="^%d thresholds for %d classes; expected at most %d, " % (count, classes, classes - 1)):
                model.fit(X, labels)
