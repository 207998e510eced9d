#!/usr/bin/env python3
"""What the package costs over the library: import, fit, predict, and memory of many fits. Prints a line for each and fails
where one is beyond its limit. measure.py [fits, default 10000]"""
import ctypes
import os
import resource
import subprocess
import sys
import time

import numpy as np

import grampus
from grampus import GrampusRegressor, Run
from grampus import _library as _l
from grampus.individual import Cases

FITS = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
bad = []


def tell(what, value, unit, limit):
    good = value <= limit
    print("%-44s %10.3f %s (at most %g)%s" % (what, value, unit, limit, "" if good else "  FAILED"), flush=True)
    if not good:
        bad.append(what)


def measure_import():
    """Seconds of processors, the least of seven: the machine has other work"""
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(grampus.__file__)))

    def once(code):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    times = {code: min(once(code) for _ in range(7)) for code in ("pass", "import grampus")}
    tell("import grampus", times["import grampus"] - times["pass"], "s", 0.2)


def processor(call):
    begun = time.process_time()
    call()
    return time.process_time() - begun


def least(one, other, times):
    """The least seconds of the processor of both, taken by turns"""
    pairs = [(processor(one), processor(other)) for _ in range(times)]
    return [min(p) for p in zip(*pairs)]


def measure_fit(X, y):
    """Seconds of the processor, by turns, the least of each: the machine has other work. The library is called as a program
    in C would: settings, cases, epochs, best and front."""
    model = GrampusRegressor(population=50, generations=5, threads=1)
    cases, error = Cases(X, y), _l.Error()

    def bare():
        settings = _l.Settings({"genotype": "tree", "population": 50, "generations": 5, "threads": 1})
        run, finished, best = ctypes.c_void_p(), ctypes.c_int(), _l.Best()
        front, count = ctypes.POINTER(_l.Best)(), ctypes.c_uint32()
        _l.check(_l.lib.run_open_on(settings.handle, cases.view, None, None, run, error), error)
        _l.lib.run_keep_history(run)
        while not finished.value:
            _l.check(_l.lib.run_advance(run, None, None, finished, error), error)
        _l.check(_l.lib.run_best(run, 0, best, error), error)
        _l.check(_l.lib.run_front(run, 0, front, count, error), error)
        _l.lib.front_free(front, count)
        _l.lib.best_free(best)
        _l.lib.run_close(run)

    model.fit(X, y)
    fit, calls = least(lambda: model.fit(X, y), bare, 301)
    print("# fit %.2f ms, the calls %.2f ms" % (1e3 * fit, 1e3 * calls))
    tell("fit over the calls in C", 1e3 * (fit - calls), "ms", 1.0)


def measure_predict():
    X = np.random.RandomState(0).uniform(-1, 1, (10**6, 5))
    y = X[:2000, 0] * X[:2000, 1] + X[:2000, 2]
    model = GrampusRegressor(generations=20).fit(X[:2000], y)
    cases = Cases(X, names=model.best_.inputs)
    best, error = model.best_._best(), _l.Error()

    def bare():
        output = np.empty(len(X))  # a program in C takes memory for it as well
        _l.check(_l.lib.predict(best, cases.view, _l.SCALED, _l.DOUBLE, output.ctypes.data, error), error)

    bare()
    predict, call = least(lambda: model.predict(X), bare, 51)
    print("# predict of 10^6 rows: %.2f ms of processors, the call %.2f ms" % (1e3 * predict, 1e3 * call))
    tell("predict over the call, 10^6 rows", 100 * (predict / call - 1), "%", 10)


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def measure_memory(X, y):
    model = GrampusRegressor(population=20, generations=3, threads=1)
    for _ in range(FITS // 10):
        model.fit(X, y)
    before = resident()
    for _ in range(FITS):
        model.fit(X, y).predict(X)
    tell("growth over %d fits" % FITS, (resident() - before) / 2**20, "MB", 2.0)


X = np.random.RandomState(0).uniform(-1, 1, (200, 3))
measure_import()
measure_fit(X, X[:, 0] * X[:, 1])
measure_predict()
measure_memory(X, X[:, 0] * X[:, 1])
sys.exit(bool(bad))
