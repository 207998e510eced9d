#!/usr/bin/env python3
"""`grampus eval` against Python itself: random expressions in Python's syntax, and the phenotypes of the mapping cases
(see map_cases.py) where they are there. Python's standard library only."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
SHARED = os.environ.get("GRAMPUS_SHARED", os.path.join(os.path.dirname(ROOT), "shared"))
CASES = os.path.join(SHARED, "cases", "ge")
# The sanitizers look at code, not at values.
EXPRESSIONS, EVERY = (100, 4) if os.environ.get("SANITIZE") else (400, 1)
ROWS = [[0.5, -1.25, 2.0, 3.0, -0.75, 1.5] * 10, [-2.0, 0.25, 1.0, -0.5, 4.0, 1.75] * 10]


class Inputs:
    """x[0], x[:, 0] and x.iloc[:, 0] of one row."""

    def __init__(self, row):
        self.row, self.iloc = row, self

    def __getitem__(self, key):
        return self.row[key[1] if isinstance(key, tuple) else key]


class Numpy:
    sin, tanh, exp = math.sin, math.tanh, math.exp
    maximum, minimum = max, min

    @staticmethod
    def where(condition, yes, no):
        return yes if condition else no


def names(row):
    table = {"x": Inputs(row), "np": Numpy, "aq": lambda a, b: a / math.sqrt(1 + b * b),
             "pdiv": lambda a, b: 1.0 if b == 0 else a / b, "plog": lambda a: math.log(1 + abs(a)),
             "psqrt": lambda a: math.sqrt(abs(a))}
    table.update({f"x{i}": value for i, value in enumerate(row)})
    return table


def grampus(expression, path):
    done = subprocess.run([GRAMPUS, "eval", f"--expression={expression}", "--data", path], capture_output=True,
                          text=True)
    return [float(line) for line in done.stdout.split()] if done.returncode == 0 else done.stderr.strip()


def same(mine, other):
    return mine == other or abs(mine - other) <= 1e-4 * max(abs(mine), abs(other), 1e-3)


def number(rng, depth):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([f"x{rng.randrange(4)}", f"x[{rng.randrange(4)}]", f"x[:, {rng.randrange(4)}]",
                           str(rng.randrange(5)), f"{rng.randrange(3)}.{rng.randrange(100):02}", "1e1", ".5"])
    inner = lambda: number(rng, depth - 1)
    return rng.choice([
        lambda: f"{inner()} {rng.choice('+-*')} {inner()}", lambda: f"{inner()}{rng.choice('+-*')}{inner()}",
        lambda: f"({inner()})", lambda: f"-{inner()}", lambda: f"{inner()} ** 2", lambda: f"-{inner()}**2",
        lambda: f"({inner()} if {truth(rng, depth - 1)} else {inner()})",
        lambda: f"({inner()} if {truth(rng, depth - 1)} else {inner()} if {truth(rng, depth - 1)} else {inner()})",
        lambda: f"np.where({truth(rng, depth - 1)}, {inner()}, {inner()})", lambda: f"+{inner()}",
        lambda: f"np.maximum({inner()}, {inner()})", lambda: f"pdiv({inner()}, {inner()})"])()


def truth(rng, depth):
    compare = lambda: f"{number(rng, depth)} {rng.choice(['<', '<=', '>', '>=', '!='])} {number(rng, depth)}"
    if depth == 0 or rng.random() < 0.3:
        return compare()
    inner = lambda: truth(rng, depth - 1)
    return rng.choice([lambda: f"{inner()} and {inner()}", lambda: f"{inner()} or {inner()}", lambda: f"not {inner()}",
                       lambda: f"({inner()}) & ({inner()})", lambda: f"({inner()}) ^ ({inner()}) | ({inner()})",
                       lambda: f"({inner()})"])()


def expected(expression, row):
    try:
        value = float(eval(expression, {"__builtins__": {}}, names(row)))
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    return value if abs(value) < 1e6 else None


def compare(title, expressions, path, least):
    """At most a few results may differ: 24 bits can decide a comparison, or lose a difference, otherwise than 53."""
    agree, total, first = 0, 0, ""
    for expression in expressions:
        mine = grampus(expression, path)
        for k, row in enumerate(ROWS):
            value = expected(expression, row)
            if value is None:
                continue
            total += 1
            good = isinstance(mine, list) and same(mine[k], value)
            agree += good
            if not good and not first:
                first = f"; {expression}: {mine if isinstance(mine, str) else mine[k]}, expected {value}"[:400]
    good = total > 0 and agree >= least * total
    print(f"{'ok' if good else 'not ok'} - {title}: {agree} of {total} values agree with Python{'' if good else first}")
    return good


def phenotypes(name):
    with open(os.path.join(CASES, name + ".jsonl"), encoding="utf-8") as file:
        found = [json.loads(line)["phenotype"] for line in file]
    return [phenotype for phenotype in found if phenotype][::EVERY]


def main():
    rng = random.Random(4)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(f"x{i}" for i in range(60)) + "\n")
            file.writelines(",".join(map(str, row)) + "\n" for row in ROWS)
        good = compare("random expressions", [number(rng, 4) for _ in range(EXPRESSIONS)], path, 0.99)
        if os.path.isdir(CASES):
            for name in ("Vladislavleva4", "Keijzer6", "Banknote", "Dow", "supervised_learning"):
                good &= compare("expressions of " + name, phenotypes(name), path, 0.9)
        else:
            print(f"ok - expressions of the mapping cases # skipped: no folder {CASES}")
    return 0 if good else 1


sys.exit(main())
