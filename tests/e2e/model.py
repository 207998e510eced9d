#!/usr/bin/env python3
"""Whole runs against a plain model of them in tests/model, written from the definitions and without the core: every row
of statistics.tsv, the best genome, and the fitness of every individual of the last generation.

    model.py [NAME...]          the runs of tests/model/cases.py, or these alone
    model.py --random N [SEED]  N run files drawn at random; those that the program refuses do not count

Python's standard library only."""
import concurrent.futures
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.path.insert(0, os.path.join(ROOT, "tests", "model"))

import cases
import run
from program import find_program

GRAMPUS = find_program()


class Refused(Exception):
    pass


def results(folder, name):
    """What the program gives: rows of statistics without times, programs, the best."""
    output = os.path.join(folder, "results-" + name)
    done = subprocess.run([GRAMPUS, "run", name + ".yaml", "--device", "cpu", "--threads", "1", "--quiet", "--output", output],
                          cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise (Refused if done.returncode == 2 else RuntimeError)(done.stderr.strip())
    home = next(f for f, _, files in os.walk(output) if "best.json" in files)

    def rows(file):
        with open(os.path.join(home, file)) as lines:
            return [line.rstrip("\n").split("\t") for line in lines][1:]

    with open(os.path.join(home, "best.json")) as file:
        return [row[:-1] for row in rows("statistics.tsv")], rows("programs.tsv"), json.load(file)


def expected(folder, text):
    """The same by the model."""
    runs = run.runs(text, folder)
    rows = [row for _, _, row in sorted(row for run in runs for row in run.rows)]  # as they came
    leader = min(runs, key=lambda run: run.leading.judged)
    best = {"run": leader.number, "generation": -(-leader.best_generation // leader.s["steps"]), "validity": leader.best.validity}
    if leader.best.valid:
        best.update(size=leader.best.nodes)
    if leader.best.valid and not leader.tree:
        best.update(genome=leader.best.genotype, phenotype=leader.best.text, used_codons=leader.best.used,
                    derivation_depth=leader.best.depth)
    fit = runs[0].fit
    last = max(int(run.rows[-1][0]) for run in runs)
    nobody = ("0", "%.9g" % fit.of(math.inf))  # who stood in a run that ended before the others; fronts stay
    people = [(str(one.nodes), "%.9g" % fit.of(fit.cost(one.program, 0)))
              if int(run.rows[-1][0]) == last or run.s["objectives"] else nobody
              for run in runs for one in run.people]
    return rows, best, people


def like(a, b, settings):
    """Whether fitness a is b. The model fits lines in whole fractions, the engine in double, so that what is near 0 may be
    rounded to the next float."""
    if a == b or "linear-scaling" not in settings:
        return a == b
    x, y = (struct.unpack("i", struct.pack("f", float(text)))[0] for text in (a, b))
    return abs(x - y) <= 1


def differences(folder, name, settings):
    text = cases.text(settings)
    with open(os.path.join(folder, name + ".yaml"), "w") as out:
        out.write(text)
    given, programs, found = results(folder, name)
    if os.environ.get("SANITIZE"):  # they look at the program; the model takes most of the time and is the same
        return
    rows, best, people = expected(folder, text)
    for was, is_ in zip(rows, given):
        for column, (a, b) in enumerate(zip(was, is_)):
            if a not in (b, "-"):  # where there is nothing to say
                yield f"run {was[0]}, generation {was[1]}, column {column}: {b}, the model {a}"
    if len(rows) != len(given):
        yield f"{len(given)} rows, the model {len(rows)}"
    for key, value in best.items():
        if found[key] != value:
            yield f"best.json, {key}: {found[key]}, the model {value}"
    for place, row in enumerate(programs):
        if people[place][0] != row[1] or not like(people[place][1], row[2], settings):
            yield f"individual {place}: {row[1:3]}, the model {people[place]}"


def check(folder, name, settings):
    """Prints a line; 0 good, 1 bad, 2 refused."""
    try:
        found = list(differences(folder, name, settings))
    except Refused as why:
        if name not in cases.RUNS:
            return 2
        found = [str(why)]
    except Exception as error:  # of the model: which run it was has to be said
        found = [f"{type(error).__name__}: {error}"]
    print("\n#   ".join([("not ok - " if found else "ok - ") + name] + found[:3]), flush=True)
    return int(bool(found))


def random_one(folder, seed, index):
    return check(folder, f"random-{seed}-{index}", cases.draw(seed, index))


def main():
    failed = index = 0
    with tempfile.TemporaryDirectory() as folder:
        cases.tables(folder)
        if sys.argv[1:2] != ["--random"]:
            return max(check(folder, name, cases.RUNS[name]) for name in sys.argv[1:] or cases.RUNS)
        left, seed = int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "1"
        with concurrent.futures.ProcessPoolExecutor() as pool:
            while left:  # some that are drawn are refused, and others take their place
                drawn = range(index + 1, index + left + 1)
                results = list(pool.map(random_one, [folder] * left, [seed] * left, drawn))
                index += left
                left -= sum(result < 2 for result in results)
                failed += results.count(1)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
