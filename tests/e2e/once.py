#!/usr/bin/env python3
"""Programs evaluated once: the same results as without, what was spared beside what was executed, at one individual, two
and many, in a batch, with a memory; what does not fit is refused. Python's standard library only."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
BASE = ["--train-cases", "300", "--generations", "6", "--device", "cpu"]
TREE = ["--target-expression", "x*x - y", "--variables", "x, y = uniform(-1, 1)", "--genotype", "tree",
        "--functions", "+, -, *, sin", "--max-nodes", "40", "--max-depth", "8"]
GE = ["--grammar", os.path.join(ROOT, "grammars", "nguyen-2.bnf"), "--variables", "x0, x1 = uniform(-1, 1)",
      "--target-expression", "x0*x1 - x0"]
ONCE = ["--evaluate-once", "on"]
OFF = ["--evaluate-once", "off"]
failures = passes = 0


def check(what, good, told=""):
    global failures, passes
    failures += not good
    passes += bool(good)
    print(("ok - " if good else "not ok - ") + what, told if not good else "")


def run(*more):
    shutil.rmtree("out", ignore_errors=True)
    text = subprocess.run([GRAMPUS, "run", *BASE, "--output", "out", "--json", *more], check=True, capture_output=True,
                          text=True).stdout
    best = json.loads(text)
    with open(os.path.join(best["results"], "statistics.tsv"), encoding="utf-8") as file:
        return best, [line.split("\t")[:-1] for line in file]


def compare(name, *more, memory="0"):
    """The same rows; executed and spared work of the one is the executed of the other. What was spared."""
    every, rows = run(*more, *OFF)
    once, same = run(*more, *ONCE, "--fitness-memory", memory)
    spared = once.get("evaluated_once", {"spared_node_evaluations": 0, "equal_programs": 0, "elites": 0,
                                         "remembered_programs": 0})
    check(f"{name}: the same statistics and best", rows == same and every.get("infix") == once.get("infix"))
    check(f"{name}: nothing spared without", "evaluated_once" not in every)
    check(f"{name}: executed and spared add up", every["executed_node_evaluations"] ==
          once["executed_node_evaluations"] + spared["spared_node_evaluations"], str(spared))
    return spared


def refused(what, text, *more):
    done = subprocess.run([GRAMPUS, "run", *BASE, *TREE, *more], capture_output=True, text=True)
    check(what, done.returncode == 2 and text in done.stderr and done.stderr.count("\n") == 1, done.stderr)


def main():
    one = compare("one individual", *TREE, "--population", "1", "--elites", "0", memory="100")
    check("one individual: remembered at most, once a generation", 0 < one["remembered_programs"] <= 6)
    two = compare("two individuals", *TREE, "--population", "2", "--elites", "1")
    check("two individuals: six elites", two["elites"] == 6, str(two))
    many = compare("many trees", *TREE, "--population", "20000", memory="10000")
    check("many trees: equal and remembered ones, elites", many["equal_programs"] > 10000 and
          many["remembered_programs"] > 10000 and many["elites"] == 6 * 200, str(many))
    batch = compare("a batch of genomes", *GE, "--population", "40", "--runs", "30", "--elites", "0")
    check("a batch of genomes: equal ones", batch["equal_programs"] > 1000 and batch["elites"] == 0, str(batch))
    refused("off beside a memory", "fitness-memory beside evaluate-once off", *OFF, "--fitness-memory", "5")
    refused("fitted thresholds", "class-rule fitted needs the outputs", *ONCE, "--metric", "misclassified",
            "--class-rule", "fitted")
    refused("several objectives", "several objectives evaluate all children", *ONCE, "--objectives", "error, nodes")
    print(f"{passes} passed, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(main())
