"""The folder for SRBench: what its contribution guide asks of a method."""
import copy
import importlib.util
import json
import os
import signal
import time

import numpy as np
import pytest

pandas, sympy = pytest.importorskip("pandas"), pytest.importorskip("sympy")
FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "srbench")


@pytest.fixture
def method():
    spec = importlib.util.spec_from_file_location("regressor", os.path.join(FOLDER, "regressor.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def frame():
    random = np.random.RandomState(0)
    X = pandas.DataFrame(random.uniform(1, 3, (400, 3)), columns=["mass", "v_1", "E"])
    return X, (0.5 * X["mass"] * X["v_1"] ** 2 + 3).to_numpy() + random.normal(0, 0.1, 400)


def values(text, X):
    """A model string on X"""
    names = [sympy.Symbol(n) for n in X.columns]
    formula = sympy.sympify(text, locals={str(n): n for n in names})
    assert formula.free_symbols <= set(names)
    return sympy.lambdify(names, formula, "numpy")(*X.to_numpy().T) + np.zeros(len(X))


def agree(ours, theirs):
    """Nearly everywhere: the library computes in float32, in which a sine of a large number is another."""
    return np.mean(np.isclose(ours, theirs, rtol=1e-3, atol=1e-3)) > 0.98


def test_fit_and_model(method, frame):
    X, y = frame
    est = copy.deepcopy(method.est)
    assert est.max_time == 3600 and hasattr(est, "random_state")
    json.dumps(est.get_params())
    est.set_params(**method.eval_kwargs["test_params"])
    est.max_time = 3
    begun = time.monotonic()
    est.fit(X, y)
    assert time.monotonic() - begun < 4
    assert est.max_time == 3 and est.score(X, y) > 0.99
    assert agree(values(method.model(est, X), X), est.predict(X))
    population = method.get_population(est)
    assert 1 < len(population) <= 100
    for member in population:
        assert agree(values(method.model(member, X), X), member.predict(X))
    assert method.get_best_solution(est).score(X, y) == est.score(X, y) == population[-1].score(X, y)


def test_arrays_and_names(method, frame):
    """Fitted on standardised arrays; the model is in X's names all the same."""
    X, y = frame
    scaled = ((X - X.mean()) / X.std()).to_numpy()
    est = copy.deepcopy(method.est).set_params(max_time=2, population=100)
    est.fit(scaled, (y - y.mean()) / y.std())
    text = method.model(est, pandas.DataFrame(scaled, columns=X.columns))
    assert agree(values(text, pandas.DataFrame(scaled, columns=X.columns)), est.predict(scaled))


@pytest.mark.parametrize("after", [0.0005, 0.02, 0.3, 1.0])
def test_alarm(method, frame, after):
    """SIGALRM may come at any time: there is a model."""
    X, y = frame

    class TimeOut(Exception):
        pass

    def ring(*_):
        raise TimeOut

    est = copy.deepcopy(method.est).set_params(population=300)
    begin = est._begin
    started = []

    def begin_and_set(*arguments):  # the clock is set when fit has begun, however busy the machine is
        begin(*arguments)
        if not started:
            started.append(signal.setitimer(signal.ITIMER_REAL, after))

    est._begin = begin_and_set
    before = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(TimeOut):
            est.fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert np.isfinite(est.predict(X)).all()
    assert method.model(est, X)
    assert len(method.get_population(est)) >= 1


def test_alarm_while_data_are_read(method, frame):
    """Before there is anything: fit goes back for a model, and max_time stays as it was given."""
    X, y = frame

    class TimeOut(Exception):
        pass

    class Late(type(X)):
        rung = False

        def __array__(self, *arguments, **more):
            if not Late.rung:
                Late.rung = True
                raise TimeOut
            return super().__array__(*arguments, **more)

    est = copy.deepcopy(method.est).set_params(max_time=360)
    with pytest.raises(TimeOut):
        est.fit(Late(X), y)
    assert est.max_time == 360
    assert np.allclose(est.predict(X), np.mean(y)) and method.model(est, X)
    assert len(method.get_population(est)) >= 1


def test_no_source():
    assert sorted(os.listdir(FOLDER)) == ["README.md", "environment.yml", "install.sh", "metadata.yml", "regressor.py"]
