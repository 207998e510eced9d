#!/usr/bin/env python3
"""Runs with linear scaling against Python's doubles: the reported fitness is that of the reported intercept and slope
over the predictions of `grampus eval`, also where inputs and targets vary little beside their size and populations are
large enough to find programs whose outputs are all but equal. Python's standard library only."""
import csv
import gzip
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
SHARED = os.path.abspath(os.environ.get("GRAMPUS_SHARED", os.path.join(os.path.dirname(ROOT), "shared")))
AUTOMPG = os.path.join(SHARED, "data", "autompg.csv.gz")
SANITIZE = bool(os.environ.get("SANITIZE"))  # they look at code, not at values
SETTINGS = ["--genotype", "tree", "--functions", "+, -, *, /, sin, cos, exp, log, sqrt, square", "--max-nodes", "50",
            "--tournament", "7", "--metric", "rmse", "--linear-scaling", "--data", "train.csv", "--test-data",
            "test.csv"]


def rounded(value):
    """As the program reads it: a float."""
    return struct.unpack("f", struct.pack("f", value))[0]


def write(name, head, rows):
    with open(name, "w", encoding="utf-8") as file:
        file.write(",".join(head) + "\n")
        file.writelines(",".join(repr(value) for value in row) + "\n" for row in rows)


def read(name):
    """The target, the last column."""
    with open(name, encoding="utf-8") as file:
        return [rounded(float(row[-1])) for row in list(csv.reader(file))[1:]]


def split(head, rows):
    random.Random(3).shuffle(rows)
    write("train.csv", head, rows[len(rows) // 4:])
    write("test.csv", head, rows[:len(rows) // 4])


def grampus(*arguments):
    return subprocess.run([GRAMPUS, *arguments], check=True, capture_output=True, text=True).stdout


def deviation(values):
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def rmse(best, name):
    outputs = json.loads(grampus("eval", "--expression", best["infix"], "--data", name, "--json"))["predictions"]
    errors = [best["intercept"] + best["slope"] * rounded(float(output)) - target
              for output, target in zip(outputs, read(name))]
    error = math.sqrt(math.fsum(error * error for error in errors) / len(errors))
    return error if math.isfinite(error) else math.inf


def check(title, wrong):
    print(f"{'not ok' if wrong else 'ok'} - {title}{''.join('; ' + line for line in wrong[:2])}")
    return not wrong


def compare(title, *arguments):
    """Every run of a batch, on both sets."""
    told = json.loads(grampus("run", *SETTINGS, *arguments, "--json", "--quiet"))
    false, missed, again = [], [], []
    for best in told.get("runs", [told]):
        differs = False
        for name, key in (("train.csv", "fitness"), ("test.csv", "test_fitness")):
            reported, own, mine = float(best[key]), float(best["recomputed_" + key]), rmse(best, name)
            unit = deviation(read(name))
            if reported != mine and not abs(reported - mine) <= 1e-4 * unit:
                differs = True
                false.append(f"seed {best['seed']}, {best['infix'][:80]}: {key} {reported:.9g}, by its predictions "
                             f"{mine:.9g}, deviation {unit:.9g}")
            if own != mine and not abs(own - mine) <= 1e-8 * mine:
                again.append(f"recomputed_{key} {own:.9g}, not {mine:.9g}")
        if differs != best["recomputed_differs"]:
            missed.append(f"seed {best['seed']}: {'not ' if differs else ''}told")
    return (check(title + ": fitness is that of the predictions", false) &
            check(title + ": recomputed as in Python", again) & check(title + ": what differs is told", missed))


def reads_back():
    """Intercept and slope of the report are those of best.json to the last bit."""
    report = grampus("run", *SETTINGS, "--population", "200", "--generations", "2", "--output", "text").split("\n")
    line = next(line for line in report if line.startswith("scaling ")).split()
    folder = next(line for line in report if line.startswith("results ")).split()[1]
    with open(os.path.join(folder, "best.json"), encoding="utf-8") as file:
        best = json.load(file)
    said = json.loads(grampus("eval", "--expression", best["infix"], "--data", "train.csv", "--target", "y",
                              "--linear-scaling", "--json"))
    text = grampus("eval", "--expression", best["infix"], "--data", "train.csv", "--target", "y", "--linear-scaling")
    words = text.strip().split("\n")[-1].split()
    pairs = [(line[1], line[3], best), (words[1], words[3], said)]
    return check("report and eval: all digits of intercept and slope",
                 [f"{a} and {b}" for a, b, of in pairs if (float(a), float(b)) != (of["intercept"], of["slope"])])


def main():
    good = True
    if os.path.exists(AUTOMPG):
        with gzip.open(AUTOMPG, "rt") as file:
            head, *rows = csv.reader(file)
        rows = [[rounded(float(value)) for value in row] for row in rows]
        split(head, rows)
        good &= compare("auto-mpg", "--population", "5000" if SANITIZE else "200000", "--generations", "2")
        head = ["year", "seconds", "mpg"]
        split(head, [[1900 + row[5], rounded(100000 + row[4]), row[7]] for row in rows])
        good &= compare("auto-mpg with offsets", "--population", "5000", "--generations", "5", "--runs", "2" if SANITIZE else "10")
    else:
        print(f"ok - auto-mpg # skipped: no {AUTOMPG}")
    rng = random.Random(2)
    rows = [[rounded(30000 + rng.random()), rng.random(), rounded(5 + rng.random())] for _ in range(160)]
    split(["x0", "x1", "x2", "y"], [[*row, rounded(1e6 + row[0])] for row in rows])
    good &= compare("large mean, small spread", "--population", "2000", "--generations", "3", "--runs", "2" if SANITIZE else "5")
    good &= reads_back()
    return 0 if good else 1


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    status = main()
    os.chdir("/")
sys.exit(status)
