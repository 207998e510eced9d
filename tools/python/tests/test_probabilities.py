"""predict_proba: of the metrics that mean probabilities, as predict says it; of others why there is none."""
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from grampus import GrampusClassifier

SMALL = {"generations": 4, "population": 200, "preset": "none"}
ALONE = {"functions": "+, -, sqrt", "population": 1, "generations": 0, "preset": "none"}


def _expected(_):
    return {"check_sample_weight_equivalence_on_dense_data": "asks for them before fit, and fits three classes, which have none"}


@parametrize_with_checks([GrampusClassifier(metric="mse", generations=20)], expected_failed_checks=_expected)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("settings", [
    {}, {"metric": "rmse", "linear_scaling": True}, {"metric": "r2"}, {"precision": "double"}, {"max_time": 0},
    {"functions": "-, /, log, sqrt"}, {"class_rule": "sign"}, {"class_weight": {"a": 3.0}}, {"class_weight": {"b": 9.0}, "max_time": 0},
    {"objectives": "error, nodes"}, {"validation_fraction": 0.2}, {"linear_scaling": True, "optimise_constants": "elites"},
])  # fmt: skip
def test_as_predicted(cases, settings):
    """The largest is what predict says, of every program and far from the training cases too."""
    X, y = cases
    model = GrampusClassifier(**{**SMALL, "metric": "mse", **settings}).fit(X, np.where(y > 1.5, "b", "a"))
    far = np.concatenate([X, 9 * X, 0 * X[:1]])
    for one in [*model.front_, None]:
        made = model.predict_proba(far, one)
        assert made.shape == (len(far), 2) and (made >= 0).all() and (made <= 1).all()
        assert np.allclose(made.sum(axis=1), 1, rtol=0, atol=1e-15)
        assert np.array_equal(model.classes_[made.argmax(axis=1)], model.predict(far, one))
        with np.errstate(divide="ignore"):
            assert np.array_equal(model.predict_log_proba(far, one), np.log(made))
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(far), made)


def test_outputs():
    """The output itself, on the border of the first class, and kept from 0 to 1; without one the shares of training."""
    X = np.array([[-2.0], [0.25], [0.5], [np.nextafter(np.float32(0.5), np.float32(1))], [0.75], [3.0]])
    labels = ["no", "no", "no", "yes", "yes", "yes"]
    model = GrampusClassifier(metric="mse", seed_program="x0", **ALONE).fit(X, labels)
    expected = np.clip(X[:, 0], 0, 1)
    assert np.array_equal(model.predict_proba(X), np.column_stack([1 - expected, expected]))
    assert list(model.predict(X)) == labels
    for weights, first in ((None, 0.5), ([1, 1, 1, 1, 1, 4], 1 / 3), ([4, 1, 1, 1, 1, 1], 2 / 3)):
        model = GrampusClassifier(metric="mse", seed_program="sqrt(x0)", **ALONE).fit(np.abs(X), labels, weights)
        assert model.best_.expression == "sqrt(x0)" and np.allclose(model.predict_proba([[-1]]), [[first, 1 - first]])
        assert model.predict([[-1]]) == ("no" if first >= 0.5 else "yes")


def test_estimates(cases):
    """What it says to be so probable happens so often, though classes overlap."""
    random = np.random.RandomState(1)
    X = random.uniform(-1, 1, (20000, 2))
    truth = 0.5 + 0.4 * X[:, 0]
    y = random.uniform(size=len(X)) < truth
    model = GrampusClassifier(metric="mse", linear_scaling=True, **SMALL).fit(X[:10000], y[:10000])
    made = model.predict_proba(X[10000:])[:, 1]
    assert np.abs(made - truth[10000:]).max() < 0.05
    for low in np.arange(0.1, 0.9, 0.1):
        some = (made >= low) & (made < low + 0.1)
        assert abs(y[10000:][some].mean() - made[some].mean()) < 0.05


@pytest.mark.parametrize("settings, classes", [
    ({}, 2), ({}, 3), ({"class_rule": "argmax"}, 2), ({"class_rule": "argmax"}, 3), ({"metric": "hinge"}, 2), ({"metric": "mae"}, 2),
    ({"metric": "mse"}, 3), ({"metric": "balanced-accuracy"}, 2), ({"metric": "f1"}, 2), ({"class_rule": "thresholds", "thresholds": 0}, 2),
])  # fmt: skip
def test_none(cases, settings, classes):
    """A line says so, and which estimators around it have some."""
    X, y = cases
    labels = np.digitize(y, [1.5, 2.5][: classes - 1])
    model = GrampusClassifier(**SMALL, **settings).fit(X, labels)
    for name in "predict_proba", "predict_log_proba":
        assert not hasattr(model, name)
        with pytest.raises(AttributeError) as none:
            getattr(model, name)
        said = str(none.value.__cause__ or none.value)
        assert "\n" not in said and settings.get("metric", "misclassified") in said
        assert ("of 3 classes" in said) == (settings == {"metric": "mse"})
    assert CalibratedClassifierCV(model, cv=3).fit(X, labels).predict_proba(X).shape == (len(X), classes)


def test_of_the_model_that_is_there(cases):
    """Parameters that are set afterwards are of the next fit; one that is refused changes nothing."""
    X, y = cases
    model = GrampusClassifier(metric="mse", **SMALL)
    with pytest.raises(NotFittedError):
        model.predict_proba(X)
    told = model.fit(X, y > 1.5).predict_proba(X)
    model.set_params(metric="misclassified")
    assert np.array_equal(model.predict_proba(X), told)
    with pytest.raises(ValueError, match="elites"):
        model.set_params(elites=900).fit(X, y > 2.5)
    assert np.array_equal(model.predict_proba(X), told)
    assert not hasattr(model.set_params(elites="auto").fit(X, y > 1.5).set_params(metric="mse"), "predict_proba")
    assert hasattr(clone(model), "predict_proba")
    other = model.best_
    model.fit(X, y > 1.5)
    with pytest.raises(ValueError, match="^predict_proba of an individual of a metric that has none"):
        model.predict_proba(X, other)
    assert model.fit(X[:3], ["one"] * 3).predict_proba(X).tolist() == [[1.0]] * len(X)


def test_meta_estimators(cases):
    """They find it, and compare it between classes."""
    X, y = cases
    model = GrampusClassifier(metric="mse", linear_scaling=True, **SMALL)
    assert cross_val_score(model, X, y > 1.5, scoring="neg_brier_score", cv=3).min() > -0.25
    assert np.isfinite(cross_val_score(GrampusClassifier(**SMALL), X, y > 1.5, scoring="roc_auc", cv=3)).all()
    each = OneVsRestClassifier(model).fit(X, np.digitize(y, [1.5, 2.5]))
    made = each.predict_proba(X)
    assert made.shape == (len(X), 3) and np.allclose(made.sum(axis=1), 1)
