"""Sets of data: tables, laws of Feynman's, series, and those that are made."""
import csv
import hashlib
import os
import sys


class NoSet(OSError):
    """What is no set of data, or none that can be parted into training and test cases; the text says why."""


def at_least_1(text):
    """A whole number from 1 on, for argparse"""
    import argparse

    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("%r; expected a whole number from 1 on" % text)
    return int(text)


def in_box(low, high, n, f):
    """A set of points uniform in a box, and what f makes of their columns"""

    def made(draw, cases):
        X = draw.uniform(low, high, (cases, n))
        return X, f(*X.T)

    return made


def grid(low, high, step, f):
    """All points of a grid of two inputs"""

    def made(draw, cases):
        import numpy as np

        axis = np.arange(low, high + step / 2, step)
        X = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
        return X, f(*X.T)

    return made


def of_sklearn(name, **options):
    def made(draw, cases):
        from sklearn import datasets

        if name.startswith("load"):
            return getattr(datasets, name)(return_X_y=True)
        return getattr(datasets, name)(n_samples=cases, random_state=0, **options)

    return made


def made_sets():
    """Name -> (draw, cases) -> X, y. The definitions are those of the benchmarks' papers; noise where it is said."""
    import numpy as np

    return {
        "friedman-1": of_sklearn("make_friedman1", noise=1.0),
        "friedman-2": of_sklearn("make_friedman2", noise=100.0),
        "friedman-3": of_sklearn("make_friedman3", noise=0.1),
        "sparse-uncorrelated": of_sklearn("make_sparse_uncorrelated", n_features=10),
        "diabetes": of_sklearn("load_diabetes"),
        "pagie-1": grid(-5, 5, 0.4, lambda x, y: 1 / (1 + x**-4.0) + 1 / (1 + y**-4.0)),
        "vladislavleva-1": in_box(0.3, 4, 2, lambda x, y: np.exp(-((x - 1) ** 2)) / (1.2 + (y - 2.5) ** 2)),
        "vladislavleva-4": in_box(0.05, 6.05, 5, lambda *x: 10 / (5 + sum((v - 3) ** 2 for v in x))),
        "vladislavleva-7": in_box(0.05, 6.05, 2, lambda x, y: (x - 3) * (y - 3) + 2 * np.sin((x - 4) * (y - 4))),
        "vladislavleva-8": in_box(0.05, 6.05, 2, lambda x, y: ((x - 3) ** 4 + (y - 3) ** 3 - (y - 3)) / ((y - 2) ** 4 + 10)),
        "korns-12": in_box(-50, 50, 5, lambda x, y, z, v, w: 2 - 2.1 * np.cos(9.8 * x) * np.sin(1.3 * w)),
        "keijzer-4": in_box(0, 10, 1, lambda x: x**3 * np.exp(-x) * np.cos(x) * np.sin(x) * (np.sin(x) ** 2 * np.cos(x) - 1)),
        "poly-10": in_box(0, 1, 10, lambda *x: x[0] * x[1] + x[2] * x[3] + x[4] * x[5] + x[0] * x[6] * x[8] + x[2] * x[5] * x[9]),
    }  # fmt: skip


def series(path, lags):
    """A value of a series from the values before it"""
    import numpy as np

    try:
        values = np.loadtxt(path, ndmin=1)
    except ValueError as e:
        raise NoSet("%s: %s; expected a number in every line" % (path, str(e).split(";")[0])) from None
    if values.ndim > 1 or len(values) < lags + 2:
        raise NoSet("%s: %s numbers for %d values before; expected a column of two more at least" % (path, " x ".join(map(str, values.shape)), lags))
    X = np.column_stack([values[k : len(values) - lags + k] for k in range(lags)])
    return X, values[lags:]


def read_data(path, cases):
    """(name, X, y) of a table, of a law of Feynman's, of a series, or of a set that is made"""
    name, X, y = take_data(path, cases)
    if X.shape[1] < 1 or len(y) < 2:
        raise NoSet("%s: inputs of numbers %d, cases without gaps %d; expected a table with commas of at least one input and the target, "
                    "and two cases" % (path, X.shape[1], len(y)))  # fmt: skip
    return name, X, y


def take_data(path, cases):
    import numpy as np
    import pandas

    if path.startswith("made:"):
        name, sets = path[5:], made_sets()
        if name not in sets:
            raise NoSet("no set %s; expected made: and one of %s" % (name, ", ".join(sets)))
        return name, *sets[name](np.random.RandomState(0), cases)
    if ":lags:" in path:
        file, lags = path.rsplit(":lags:", 1)
        if not lags.isdigit() or int(lags) < 1:
            raise NoSet("%s: %r values before; expected a whole number from 1 on" % (path, lags))
        return os.path.basename(file).split(".")[0], *series(file, int(lags))
    if ".csv:" in path:
        file, name = path.rsplit(":", 1)
        with open(file) as table:
            law = next((row for row in csv.DictReader(table) if row.get("Filename") == name), None)
        if law is None:
            raise NoSet("%s has no law %s; expected one of its column Filename" % (file, name))
        draw, values = np.random.RandomState(0), {}
        for k in range(1, int(law["# variables"]) + 1):
            low, high = float(law["v%d_low" % k]), float(law["v%d_high" % k])
            values[law["v%d_name" % k]] = draw.uniform(low, high, cases)
        functions = {n: getattr(np, n) for n in ("sin", "cos", "tan", "tanh", "exp", "log", "sqrt", "pi")}
        functions.update(arcsin=np.arcsin, arccos=np.arccos, ln=np.log)
        y = eval(law["Formula"], {"__builtins__": {}}, {**functions, **values})
        return name, np.column_stack(list(values.values())), np.asarray(y, float)
    try:
        table = pandas.read_csv(path).select_dtypes("number").dropna()
    except ValueError as e:  # pandas' errors of what is no table
        raise NoSet("%s: %s; expected a table with commas" % (path, str(e).strip().split("\n")[0])) from None
    if not table.shape[1]:
        raise NoSet("%s: no column of numbers; expected a table with commas" % path)
    return os.path.basename(path).split(".")[0], table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1].to_numpy(float)


def split_source(source):
    """(file, what is taken of it); no file of a set that is made"""
    if source.startswith("made:"):
        return "", source
    file = source.split(":lags:")[0] if ":lags:" in source else source[: source.rindex(".csv:") + 4] if ".csv:" in source else source
    return file, source[len(file) :]


def told_apart(sources, names, known):
    """Names by which no two sets are one: with its folder where a name is another set's, in `known` (name -> what is told
    of its file) or before it in the call; known is added to. The same file is the same set wherever it lies."""
    chosen = []
    for source, name in zip(sources, names):
        file, mark = split_source(source)
        if file:
            with open(file, "rb") as f:
                mark = hashlib.sha256(f.read()).hexdigest() + mark
        own = [name, os.path.join(os.path.dirname(file), name), source]
        there = [n for n, m in known.items() if m == mark and (n == source or os.path.basename(n) == name)]
        name = next(iter(there + [n for n in own if n not in known]), None)
        if not name:
            sys.exit("compare-regressors: %s is not what the runs that are there were of; expected that, or another --output" % source)
        known[name] = mark
        chosen.append(name)
    return chosen
