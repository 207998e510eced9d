#!/usr/bin/env python3
"""Random runs on a GPU, held to the CPU's, in one process, so that some hundred a minute are compared.

    sweep.py --library build/libgrampus.so [--seconds 100] [--kinds exact,double,fast,files,cards] [--seed 1] [--first N]

exact, double: trees over random sets of operations, 1 to 120 inputs, 40 to 20 000 cases, 2 to 20 000 individuals, with
fitted constants and lexicase among them. fast: the same with `math: fast`, which only the GPU has: held to the same again,
to handlers by the table (gpu/interpreter/direct_jumps.h), some to a stream and to interpreters that are not compiled.
files: random run files (run_files.py), some with many more individuals. cards: the same over two GPUs, which have islands,
individuals or cases each, or memory in common (host/spread). Compared are the statistics of all generations,
the bests too. A process for each kind. Needs numpy; the last line is `# N runs compared, M not the same`."""
import argparse
import concurrent.futures
import hashlib
import importlib.util
import multiprocessing
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(ROOT, "tools", "python"), os.path.join(ROOT, "tests", "differential")]

import run_files

ON_CPU = {"device": "cpu", "threads": 3}
EVALUATIONS = {"exact": 1.2e8, "double": 6e7, "fast": 6e9}  # of programs on cases, so that no run takes seconds


def digest(run, batch):
    """Of a finished run: statistics without times, then the bests."""
    import numpy

    history, text = run.history(), hashlib.sha256()
    for name in history:
        if "seconds" not in name:
            text.update(name.encode() + numpy.asarray(history[name]).tobytes())
    for k in range(batch):
        best = run.best(k)
        text.update(repr(best and (best.expression, best.train)).encode())
    return text.hexdigest()


def of_arrays(settings, X, y):
    from grampus import Run

    with Run(settings, X, y) as run:
        while run.advance():
            pass
        return digest(run, int(settings.get("runs", 1)))


def of_file(path, changes):
    from grampus import Run

    with Run.from_file(path, **changes) as run:
        while run.advance():
            pass
        return digest(run, 1)


# ---- what is drawn ----


def cases(d, seed):
    import numpy

    inputs, count = d.one([1, 1, 2, 3, 5, 9, 9, 13, 20, 41, 60, 120]), d.one([40, 130, 500, 1000, 1025, 4000, 20000])
    X = numpy.random.default_rng(seed).uniform(-2, 2, (count, inputs))
    y = X[:, 0] * X[:, -1] + numpy.sin(X[:, 0]) + (X[:, inputs // 2] > 0)
    if d.chance(0.2):
        X[:, d.whole(0, inputs - 1)] *= 1e6
    return (numpy.round(X) if d.chance(0.2) else X), y


def settings_for(d, kind, count):
    wide = 10 ** d.one([0, 1, 4])
    s = {
        "genotype": "tree", "preset": "none", "seed": d.whole(1, 10**6), "generations": d.one([4, 8, 15]),
        "functions": ", ".join(["+", "*"] + d.some(run_files.FUNCTIONS, d.one([0, 1, 2, 4, 7, 12, 20, 30, 42]))),
        "metric": d.one(["mse", "mae", "mse", "r2"]), "max-nodes": d.one([15, 60, 200, 500]),
        "constant-probability": d.one([0, 0.2, 0.5]), "constant-min": -wide, "constant-max": wide,
        "tournament": d.one([2, 7]), "target-fitness": "none", "subtree-mutation": 0.1, "point-mutation": 0.1,
        "specialise": d.one(["auto", "always"]), "runs": d.one([1, 1, 1, 1, 2, 5, 30]),
    }  # fmt: skip
    population = d.one([2, 30, 100, 700, 1500, 3000, 20000])
    most = EVALUATIONS[kind] / count / s["generations"] / s["runs"]
    s["population"] = max(2, min(population, int(most)))
    s["elites"] = d.one([1, 1, 1, 5]) if s["population"] > 5 else 1
    if d.chance(0.2):
        s["width"] = d.one([4, 8, 16, 32])
    if kind == "double":
        s["precision"] = "double"
    elif d.chance(0.3) and s["metric"] != "mae":
        s["linear-scaling"] = "true"
    if kind == "fast":
        s["math"] = "fast"
    elif kind == "exact" and d.chance(0.4):
        search(d, s)
    return s


def search(d, s):
    s["population"] = min(s["population"], 700)
    if s["metric"] == "mse" and d.chance(0.5):
        s["optimise-constants"] = d.one(["share", "all", "elites"])
        s["weighted-inputs"] = d.one(["true", "false"])
    elif not s.get("linear-scaling"):
        s["selection"], s["metric"] = d.one(["lexicase", "epsilon-lexicase"]), "mae"


# ---- what is compared ----


def ways_of(d, kind):
    """Changes of settings and the environment; all are held to the first."""
    gpu = {"device": "cuda"}
    if kind != "fast":
        return [("CPU", ON_CPU, {}), ("GPU", gpu, {})]
    ways = [("GPU", gpu, {}), ("again", gpu, {}), ("by the table", gpu, {"GRAMPUS_JUMPS": "table"})]
    if d.chance(0.3):
        ways.append(("by a stream", {**gpu, "graph": "false"}, {}))
    if d.chance(0.3):
        ways.append(("not compiled", {**gpu, "specialise": "never"}, {}))
    return ways


def arrays_ways(kind, seed, index):
    """Pairs of a way and what does it, and the settings."""
    d = run_files.Draw("sweep", kind, seed, index)
    X, y = cases(d, index)
    s = settings_for(d, kind, len(X))
    inputs = f"{X.shape[0]} cases of {X.shape[1]} inputs"
    return [(way, environment, lambda c=change: of_arrays({**s, **c}, X, y))
            for way, change, environment in ways_of(d, kind)], (s, inputs)


def file_ways(kind, seed, index, attempt):
    drawn = dict(run_files.draw(seed, index, attempt))
    d = run_files.Draw("sweep", seed, index)
    if kind == "cards":
        run_files.spread(d, drawn, ["cases", "population", "memory", "islands"][index // 2 % 4])
    if "population" in drawn and "deme-width" not in drawn:
        drawn["population"] = int(drawn["population"]) * d.one([1, 1, 1, 3, 10])
    if "math" in drawn:
        drawn["math"] = "exact"
    with open("run.yaml", "w") as out:
        out.write(run_files.text(list(drawn.items())))
    ways = [("CPU", ON_CPU), ("GPU", {"device": "cuda"}), ("GPU, compiled", {"device": "cuda", "specialise": "always"})]
    if kind == "cards":
        ways[2] = ("two GPUs", {"device": "cuda", "devices": "0,1"})
    return [(way, {}, lambda c=change: of_file("run.yaml", c)) for way, change in ways], drawn


class Lost(Exception):
    """A run failed, and with it, mostly, the device for this process."""


def compare(ways, what):
    """How many were held to the first, how many were not the same; None where that is refused."""
    from grampus import BadInput

    first, compared, different = None, 0, 0
    for way, environment, call in ways:
        os.environ.pop("GRAMPUS_JUMPS", None)
        os.environ.update(environment)
        try:
            said = call()
        except BadInput as refused:
            if first is None:
                return None
            said = str(refused)
        except RuntimeError as failed:
            raise Lost(f"{way}: {failed}\n    {what}") from failed
        if first is None:
            first = said
            continue
        compared += 1
        if said != first:
            different += 1
            print(f"{way} is not {ways[0][0]}: {said}\n    {what}", flush=True)
    return compared, different


def draw(kind, seed, index):
    """What number `index` gives: the first that is not refused."""
    for attempt in range(8):
        if kind in ("files", "cards"):
            ways, what = file_ways(kind, f"{'search-' * (index % 2)}sweep-{seed}", index, attempt)
        else:
            ways, what = arrays_ways(kind, f"{seed}-{attempt}", index)
        counts = compare(ways, what)
        if counts:
            return counts
    return 0, 0


def sweep(kind, seed, first, seconds):
    until, index, compared, different = time.monotonic() + seconds, first, 0, 0
    with tempfile.TemporaryDirectory() as work:
        run_files.write_tables(work)
        os.chdir(work)
        try:
            while time.monotonic() < until:
                counts = draw(kind, seed, index)
                compared, different = compared + counts[0], different + counts[1]
                index += 1
        except Lost as lost:
            different += 1
            print(f"{kind} {index}: {lost}", flush=True)
    print(f"{kind}: numbers {first} to {index}, {compared} compared, {different} not the same", flush=True)
    return compared, different


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--library", default=os.path.join(ROOT, "build", "libgrampus.so"))
    parser.add_argument("--seconds", type=float, default=100)
    parser.add_argument("--kinds", default="exact,double,fast,files")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="the number to begin with, to see one again")
    options = parser.parse_args()
    if not importlib.util.find_spec("numpy"):
        print("ok - sweep # skipped: no numpy")
        return 0
    os.environ["GRAMPUS_LIBRARY"] = os.path.abspath(options.library)
    kinds = options.kinds.split(",")
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(len(kinds), mp_context=spawn) as pool:
        sums = list(pool.map(sweep, kinds, [options.seed] * len(kinds), [options.first] * len(kinds),
                             [options.seconds] * len(kinds)))
    compared, different = (sum(pair[k] for pair in sums) for k in (0, 1))
    print(f"# {compared} runs compared, {different} not the same")
    return 1 if different or not all(pair[0] for pair in sums) else 0


if __name__ == "__main__":
    sys.exit(main())
