"""What ends a fit: time, callbacks, signals, and what is told of it."""
import _thread
import os
import signal
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import grampus
from grampus import GrampusClassifier, GrampusRegressor

FOREVER = 10**8


@pytest.mark.parametrize("rows", [300, 100000])
def test_max_time(cases, rows):
    X, y = (np.resize(a, (rows,) + a.shape[1:]) for a in cases)
    begun = time.monotonic()
    model = GrampusRegressor(generations=FOREVER, population=2000, max_time=1.0).fit(X, y)
    assert 0.9 < time.monotonic() - begun < 2.0
    assert model.stopped_ and np.isfinite(model.predict(X)).any()


@pytest.mark.parametrize("never", [float("inf"), 1e12])
def test_max_time_that_never_comes(cases, never):
    """Longer than a lock can wait."""
    model = GrampusRegressor(generations=2, population=50, preset="none", max_time=never).fit(*cases)
    assert model.n_iter_ == 2 and not model.stopped_


def test_stopped(cases):
    """It is told wherever a run is stopped: before there is one, at the end of an epoch and within one; not of one that ends."""
    X, y = cases

    def enough(progress):
        if progress.generation == 3:
            raise StopIteration

    model = GrampusRegressor(generations=50, epoch=1)
    with pytest.raises(StopIteration):
        model.fit(X, y, callback=enough)
    assert model.stopped_ and model.n_iter_ == 3 and model.stop_reason_ == "request"
    for seconds in 0, 0.3:
        model = GrampusRegressor(generations=FOREVER, max_time=seconds).fit(X, y)
        assert model.stopped_ and model.stop_reason_ == "request"
    assert not GrampusRegressor(generations=3, epoch=1).fit(X, y, callback=lambda _: None).stopped_


def test_stop_reasons(cases):
    """In the words of best.json."""
    X, y = cases
    settings = {"preset": "none", "population": 50, "generations": 9}
    for more, reason in (
        ({}, "generations"), ({"target_fitness": 1e6}, "target-fitness"), ({"stagnation": 1, "elites": 1}, "stagnation"),
        ({"max_evaluations": 60}, "max-evaluations"), ({"time_limit": 0.1, "generations": FOREVER}, "time-limit"),
    ):  # fmt: skip
        model = GrampusRegressor(**{**settings, **more}).fit(X, y)
        assert model.stop_reason_ == reason and not model.stopped_
    assert GrampusClassifier().fit(X, np.ones(len(y))).stop_reason_ == "none"


def signalled(model, cases, number, after=0.5):
    timer = threading.Timer(after, os.kill, (os.getpid(), number))
    timer.start()
    begun = time.monotonic()
    try:
        model.fit(*cases)
    finally:
        timer.join()
        assert time.monotonic() - begun < after + 1.0


def test_interrupt(cases):
    model = GrampusRegressor(generations=FOREVER, max_time=20)
    with pytest.warns(RuntimeWarning, match="interrupted"):
        signalled(model, cases, signal.SIGINT)
    assert model.interrupted_ and model.score(*cases) > 0.5


def test_interrupt_without_a_signal(cases):
    """As IDLE's Ctrl-C: it waited until the fit was over."""
    model, timer = GrampusRegressor(generations=FOREVER, max_time=20), threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    begun = time.monotonic()
    try:
        with pytest.warns(RuntimeWarning, match="interrupted"):
            model.fit(*cases)
    finally:
        timer.cancel()
        timer.join()
    assert time.monotonic() - begun < 5 and model.interrupted_ and model.score(*cases) > 0.5


@pytest.mark.parametrize("whole", [
    lambda model: GridSearchCV(model, {"population": [100, 200, 300]}, cv=3, refit=False),
    lambda model: make_pipeline(StandardScaler(), model),
], ids=["search", "pipeline"])  # fmt: skip
def test_interrupt_of_more_than_a_fit(cases, whole):
    """Ctrl-C ended one fit of a search, which went on with the next."""
    with pytest.raises(KeyboardInterrupt):
        signalled(whole(GrampusRegressor(generations=FOREVER, max_time=20)), cases, signal.SIGINT)


@pytest.mark.parametrize("watched", [True, False])
def test_interrupt_of_a_run(cases, watched):
    """Ctrl-C while a run is watched comes as the callback begins, where it was lost and the run went on; without one it came
    when the epoch was over."""
    before, timer = sys.unraisablehook, threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    settings = {"genotype": "tree", "population": 50, "generations": FOREVER, "epoch": 10**6, "time_limit": 4}
    with grampus.Run(settings, *cases) as run:
        if watched:
            run.watch(lambda progress: None, 0.05)
        timer.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            while run.advance():
                pass
        assert time.monotonic() - begun < 2 and run.best().train > 0
    assert sys.unraisablehook is before


def test_alarm(cases):
    class TimeOut(Exception):
        pass

    def ring(*_):
        raise TimeOut

    before = signal.signal(signal.SIGALRM, ring)
    try:
        model = GrampusRegressor(generations=FOREVER, max_time=20)
        with pytest.raises(TimeOut):
            signalled(model, cases, signal.SIGALRM)
        assert model.score(*cases) > 0.5
    finally:
        signal.signal(signal.SIGALRM, before)


def test_interrupt_at_once(cases):
    """Even before the first generation is complete there is a model."""
    X, y = (np.resize(a, (400000,) + a.shape[1:]) for a in cases)
    model = GrampusRegressor(generations=FOREVER, population=10**5, max_time=60)
    with warnings.catch_warnings(), pytest.MonkeyPatch.context():
        warnings.simplefilter("ignore")
        signalled(model, (X, y), signal.SIGINT, 0.2)
    assert np.isfinite(model.predict(X[:5])).all()


def test_interrupt_when_it_is_over(cases):
    """An exception that comes when the run has just ended is raised, and nobody waits for ever."""
    from grampus.run import Evolution, Run

    class Late(Evolution):
        def _is_over(self, seconds=float("inf")):
            over = super()._is_over(seconds)
            if over and not hasattr(self, "late"):
                self.late = True
                raise KeyboardInterrupt
            return over

    evolution = Late(lambda: Run({"genotype": "tree", "generations": 1}, *cases), lambda run: run.best())
    with pytest.raises(KeyboardInterrupt):
        evolution.wait()
    assert evolution.result.train > 0


def test_progress(cases):
    told = []
    GrampusRegressor(generations=20, epoch=5).fit(*cases, callback=lambda p: told.append((p.generation, p.best_ever)))
    assert [generation for generation, _ in told] == [4, 9, 14, 19, 20]
    assert told[-1][1] <= told[0][1]


def test_progress_is_kept(cases):
    """Who keeps it, as a list does, has what it said, not what the library's memory holds by then."""
    kept, told = [], []
    model = GrampusRegressor(generations=4, epoch=1)
    model.fit(*cases, callback=lambda p: (kept.append(p), told.append((p.generation, p.generations, p.seconds, p.best_ever))))
    assert [(p.generation, p.generations, p.seconds, p.best_ever) for p in kept] == told
    assert [p.generation for p in kept] == [0, 1, 2, 3, 4] and told[-1][3] == model.history_["best_ever"][-1] > 0


def test_progress_raises(cases):
    """An exception of the callback ends fit and is raised there; what was found is kept."""

    class Enough(Exception):
        pass

    def tell(progress):
        if progress.generation >= 4:
            raise Enough

    model = GrampusRegressor(generations=FOREVER, epoch=5, max_time=20)
    with pytest.raises(Enough):
        model.fit(*cases, callback=tell)
    assert 4 <= model.n_iter_ < 1000 and model.stopped_ and model.score(*cases) > 0.5
    with grampus.Run({"genotype": "tree", "generations": FOREVER, "epoch": 5}, *cases) as run:
        run.watch(tell)
        with pytest.raises(Enough):
            while run.advance():
                pass


def test_lock_is_given_up(cases):
    """Another thread goes on while a run takes its time."""
    model = GrampusRegressor(generations=FOREVER, max_time=0.5)
    thread = threading.Thread(target=model.fit, args=cases)
    thread.start()
    turns, longest, last = 0, 0.0, time.monotonic()
    while thread.is_alive():
        time.sleep(0.001)
        turns, longest, last = turns + 1, max(longest, time.monotonic() - last), time.monotonic()
    assert turns > 50 and longest < 0.4
