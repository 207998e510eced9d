#!/usr/bin/env python3
"""probe-cases: a program without a value where inputs meet as in no case is the worst, and nothing else changes."""
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
LOG = ["--functions", "+, -, *, log"]
failed = 0


def check(name, good, found=""):
    global failed
    failed += not good
    print(("ok - " if good else "not ok - ") + name, "" if good else found)


def run(folder, program, *options, made=None):
    """best.json, the lines of programs.tsv and what was said of a generation of that program among others, on the table
    or on cases that are made."""
    output = tempfile.mkdtemp(dir=folder)
    cases = made or ["--data", os.path.join(folder, "t.csv"), "--test-fraction", "0.25"]
    said = subprocess.run([GRAMPUS, "run", *cases, "--genotype", "tree", "--generations", "0",
                           "--population", "9", "--seed-program", program, "--predictions", "1000", "--device", "cpu", "--output", output,
                           *options], stdout=subprocess.PIPE, check=True).stdout.decode()
    home = glob.glob(output + "/*/*")[0]
    with open(os.path.join(home, "best.json")) as file:
        best = json.load(file)
    with open(os.path.join(home, "programs.tsv")) as file:
        return best, file.read().splitlines(), said


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "t.csv"), "w") as file: # x and y are the same
            file.write("x,y,z\n" + "".join(f"{k},{k},{2 * k + 1}\n" for k in range(1, 40)))
        wild, tame = "x + y + 1 + log(x - y + 1)", "x + y + 1"
        best, rows, said = run(folder, wild, *LOG)
        check("without: a fit", best["fitness"] == 0 and "log" in best["infix"], best)
        found, more, told = run(folder, wild, "--probe-cases", "50", *LOG)
        check("with: no fit, for it has no value there", found["fitness"] > 0, found)
        check("cases that are told of", len(more) == len(rows) == 10 and "29 training, 50 probe and 10 test cases" in told, told)
        found, more, told = run(folder, tame, "--probe-cases", "50")
        check("a program with values", found["fitness"] == 0 and not found["recomputed_differs"], found)
        for options in [["--metric", "mae"], ["--metric", "r2", "--linear-scaling"], ["--validation-fraction", "0.3"],
                        ["--split", "random"], ["--probe-cases", "1"], ["--probe-cases", "5000"]]:
            plain, first, said = run(folder, tame, *options)
            probed, second, told = run(folder, tame, "--probe-cases", "50", *options)
            keys = ["fitness", "infix", "recomputed", "test_fitness", "validation_fitness"]
            check(" ".join(options) + ": the same best", [plain.get(k) for k in keys] == [probed.get(k) for k in keys], (plain, probed))
            check(" ".join(options) + ": the same programs", first == second)
        # Test cases that stood in tiles before they had weights.
        variables = ["--variables", "x, y = uniform(1, 3)", "--train-cases", "40", "--target-expression", "x * y + 1"]
        for name, options, made in [("prepared inputs", ["--prepare", "differences"], None),
                                    ("made cases", [], variables + ["--test-cases", "30"]),
                                    ("two tiles of them", [], variables + ["--test-cases", "1500"])]:
            plain, first, said = run(folder, tame, *options, made=made)
            probed, second, told = run(folder, tame, "--probe-cases", "50", *options, made=made)
            check(name + ": the same on the test cases", first == second and plain["test_fitness"] == probed["test_fitness"]
                  and not probed["recomputed_differs"], (plain, probed))
    print(f"{'FAILED' if failed else 'passed'}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
