#!/usr/bin/env python3
"""Constants fitted: known ones are found, what is reported is what the printed program gives, fitting is counted apart,
and a run that was resumed is the run that was not. Python's standard library only."""
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
SANITIZE = bool(os.environ.get("SANITIZE"))  # they look at code, which is the same for all seeds, and for few rows
ROWS = 300 if SANITIZE else 1500
TREE = ["--genotype", "tree", "--functions", "+, -, *, /, exp, sin", "--data", "t.csv", "--device", "cpu"]
FIT = ["--optimise-constants", "all", "--weighted-inputs"]
failures = passes = 0


def check(what, good, told=""):
    global failures, passes
    failures += not good
    passes += bool(good)
    print(("ok - " if good else "not ok - ") + what, told if not good else "")


def run(output, *more):
    shutil.rmtree(output, ignore_errors=True)
    text = subprocess.run([GRAMPUS, "run", *TREE, "--output", output, "--json", *more], check=True, capture_output=True,
                          text=True).stdout
    return json.loads(text)


def table(best):
    """statistics.tsv without its last column, time."""
    with open(os.path.join(best["results"], "statistics.tsv"), encoding="utf-8") as file:
        return [line.split("\t")[:-1] for line in file]


def predict(best):
    shown = json.loads(subprocess.run([GRAMPUS, "eval", "--expression", best["infix"], "--data", "t.csv", "--json"],
                                      check=True, capture_output=True, text=True).stdout)
    return [float(value) for value in shown["predictions"]]


def free_constants():
    """c[0], c[1], ... of a grammar."""
    with open("free.bnf", "w", encoding="utf-8") as file:
        file.write("<e> ::= <e>+<e> | <e>*<e> | x | y | c[<n>] | -c[0]\n<n> ::= 0 | 1 | 2 | 3\n")
    law = ["--grammar", "free.bnf", "--target-expression", "2.5 * x * y - 1.75 * x + 0.5", "--variables",
           "x, y = uniform(-3, 3)", "--train-cases", "60", "--metric", "rmse", "--optimise-constants", "all",
           "--optimise-iterations", "20", "--max-depth", "12", "--device", "cpu", "--json"]

    def ge(output, *more):
        done = subprocess.run([GRAMPUS, "run", *law, "--output", output, *more], check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    best = ge("law", "--population", "200", "--generations", "30", "--threads", "2")
    c = best["constants"]
    text = re.sub(r"c\[\d\]", lambda name: f"({c[name[0]]!r})", best["phenotype"])
    off = max(abs(eval(text, {"x": x, "y": y}) - (2.5 * x * y - 1.75 * x + 0.5)) for x in (-2, 1) for y in (-1, 3))
    check("c[i]: a law is found with its constants, which the phenotype takes", best["fitness"] < 1e-5 and off < 1e-4 and
          set(c) == set(re.findall(r"c\[\d\]", best["phenotype"])) and "c[" not in best["infix"], best["phenotype"])

    # The same index is the same constant: of c (x - 1) the least squares are one number, 2 here.
    with open("one.bnf", "w", encoding="utf-8") as file:
        file.write("<e> ::= c[0]*x+-c[0]\n")
    with open("one.csv", "w", encoding="utf-8") as file:
        file.write("x,t\n")
        file.writelines(f"{x},{3 * x + 1}\n" for x in (-2, -1, 0, 1, 2))
    x_t = [(x, 3 * x + 1) for x in (-2, -1, 0, 1, 2)]
    c = sum((x - 1) * t for x, t in x_t) / sum((x - 1) ** 2 for x, _ in x_t)
    mse = sum((c * (x - 1) - t) ** 2 for x, t in x_t) / len(x_t)
    done = subprocess.run([GRAMPUS, "run", "--data", "one.csv", "--grammar", "one.bnf", "--metric", "mse",
                           "--optimise-constants", "all", "--optimise-iterations", "3", "--population", "2", "--elites", "0",
                           "--generations", "0", "--device", "cpu", "--output", "one", "--json"], check=True,
                          capture_output=True, text=True)
    best = json.loads(done.stdout)
    check("c[0] stands for one number everywhere, that of the least squares", abs(best["constants"]["c[0]"] - c) < 0.01 * c
          and abs(best["fitness"] - mse) < 1e-3 * mse and re.fullmatch(r"(\S+) \* x \+ -\1", best["infix"]), best["infix"])
    with open("one.bnf", "w", encoding="utf-8") as file:
        file.write("<e> ::= -c[0]+c[0]*x\n")
    done = subprocess.run(done.args, check=True, capture_output=True, text=True)
    best = json.loads(done.stdout)
    check("c[0] is that number where the first place of it has a sign", abs(best["constants"]["c[0]"] - c) < 0.01 * c, best["constants"])

    more = ["--population", "60", "--linear-scaling", "--epoch", "2"]
    whole = ge("c-whole", *more, "--generations", "9", "--checkpoint", "0")
    part = ge("c-part", *more, "--generations", "4", "--checkpoint", "0.000001")
    subprocess.run([GRAMPUS, "resume", part["results"], "--generations", "9", "--quiet"], check=True)
    with open(os.path.join(part["results"], "best.json"), encoding="utf-8") as file:
        resumed = json.load(file)
    same = ("fitness", "infix", "phenotype", "constants", "fitted_programs", "fitted_better")
    check("c[i]: resumed is the same", table(whole) == table(part) and all(whole[key] == resumed[key] for key in same))


def genomes():
    """Numbers beside genomes, inherited or not: what is told has them, also where it comes from an archive or another island;
    and a run that was resumed is the run that was not, with what children inherit."""
    with open("numbers.bnf", "w", encoding="utf-8") as file:
        file.write("<e> ::= (<e>+<e>) | (<e>*<e>) | sin(<e>) | x | y | <d>.<d>\n<d> ::= 1 | 2 | 3\n")
    with open("lazy.bnf", "w", encoding="utf-8") as file:  # numbers that stand before any codon is taken
        file.write("<s> ::= 1.5*x+2.5*sin(3.5*x)+<e>\n<e> ::= (<e>+<e>) | (<e>*<e>) | x | y | <d>.<d>\n<d> ::= 1 | 2 | 3\n")
    ways = {"before any codon": ["--grammar", "lazy.bnf", "--codon-consumption", "lazy"], "inherited": ["--grammar", "numbers.bnf", "--weighted-inputs"], "c[i]": ["--grammar", "free.bnf"],
            "c[i], weighted": ["--grammar", "free.bnf", "--weighted-inputs"],
            "pi": ["--grammar", "numbers.bnf", "--mapping", "pi"],
            "structured": ["--grammar", "numbers.bnf", "--genotype", "structured", "--max-depth", "9"]}

    def ge(output, *more):
        shutil.rmtree(output, ignore_errors=True)
        done = subprocess.run([GRAMPUS, "run", "--preset", "ge", "--data", "t.csv", "--device", "cpu", "--optimise-share", "0.3",
                               "--population", "60", "--migration-every", "2", "--niche-share", "0.5", "--output", output, "--json",
                               *more], check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    for name, more in ways.items():
        bad = []
        for seed in "1" if SANITIZE else "1234":
            best = ge("genomes", *more, "--generations", "7", "--seed", seed)
            if best["recomputed_differs"]:
                bad.append((seed, best["infix"], best["fitness"], best["recomputed_fitness"]))
        check(f"genomes, {name}: what bic chooses has its numbers", not bad, bad)
        more = [*more, "--checkpoint", "0.000001", "--epoch", "2", "--restart-after", "3"]
        whole = ge("genomes", *more, "--generations", "12")
        part = ge("genomes-part", *more, "--generations", "6")
        subprocess.run([GRAMPUS, "resume", part["results"], "--generations", "12", "--quiet"], check=True, capture_output=True)
        with open(os.path.join(part["results"], "best.json"), encoding="utf-8") as file:
            resumed = json.load(file)
        same = ("fitness", "infix", "phenotype", "fitted_programs", "fitted_better")
        check(f"genomes, {name}: resumed is the same",
              table(whole) == table(part) and all(whole[key] == resumed[key] for key in same), (whole["infix"], resumed["infix"]))


def wide():
    """Of more inputs than can have weights the preset has none, as a run of its run.yaml; who asks for them is refused."""
    with open("wide.csv", "w", encoding="utf-8") as file:
        for row in range(6):
            file.write(",".join(str((row * (k + 3)) % 11) for k in range(4098)) + "\n")

    def call(*options):
        return subprocess.run([GRAMPUS, *options], capture_output=True, text=True)

    done = call("run", "--data", "wide.csv", "--generations", "1", "--output", "wide")
    check("more inputs than weights: the preset leaves them out",
          done.returncode == 0 and "\npreset      regression, too many inputs for weights\n" in done.stdout, done.stderr)
    again = call("verify", done.stdout.split()[-1])
    check("... and a run of its run.yaml too", again.returncode == 0, again.stderr)
    asked = call("run", "--data", "wide.csv", "--genotype", "tree", *FIT)
    check("... and is refused where it is asked for", asked.returncode == 2 and
          asked.stderr == "--weighted-inputs: 4097 weighted inputs; expected at most 4096\n", asked.stderr)


def main():
    dice = random.Random(5)
    rows = [(dice.uniform(-2, 2), dice.uniform(0, 3)) for _ in range(ROWS)]
    with open("t.csv", "w", encoding="utf-8") as file:
        file.write("x,y,t\n")
        file.writelines(f"{x!r},{y!r},{2.5 * math.exp(0.4 * x) + 0.7 * y!r}\n" for x, y in rows)
    targets = [2.5 * math.exp(0.4 * x) + 0.7 * y for x, y in rows]

    # One tree of the right shape, its numbers far off: nothing but fitting can find them.
    with open("seed", "w", encoding="utf-8") as file:
        file.write("1 * exp(x) + y\n")
    best = run("known", "--seeds", "seed", "--population", "1", "--generations", "0", "--optimise-iterations", "50", *FIT)
    numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", best["infix"])]
    check("known constants are found", best["fitness"] < 1e-5 and len(numbers) == 3 and
          all(abs(n - wanted) < 1e-5 for n, wanted in zip(numbers, (2.5, 0.4, 0.7))), best["infix"])
    check("counted", best["fitted_programs"] == 1 and best["fitted_better"] == 1, best)
    check("evaluations apart", best["executed_node_evaluations"] == 6 * ROWS and
          best["fitting_node_evaluations"] >= 2 * 6 * ROWS, best)

    # Whole runs: the reported error is that of the printed program.
    for name, more in (("plain", []), ("scaled", ["--linear-scaling"])):
        best = run(name, "--population", "60", "--generations", "8", "--constant-probability", "0.3", "--metric", "mse",
                   *FIT, *more)
        errors = [best.get("intercept", 0) + best.get("slope", 1) * value - target
                  for value, target in zip(predict(best), targets)]
        mse = math.fsum(error * error for error in errors) / len(errors)
        check(f"{name}: reported is recomputed", not best["recomputed_differs"] and
              abs(mse - best["fitness"]) <= 1e-4 * mse + 1e-9, (mse, best["fitness"]))

    # One that went on is one that never ended.
    more = ["--population", "40", "--elites", "5", "--constant-probability", "0.3", "--checkpoint", "0.000001", "--epoch",
            "2", "--linear-scaling", *FIT]
    whole = run("whole", "--generations", "9", *more)
    part = run("part", "--generations", "4", *more)
    subprocess.run([GRAMPUS, "resume", part["results"], "--generations", "9", "--quiet"], check=True)
    with open(os.path.join(part["results"], "best.json"), encoding="utf-8") as file:
        resumed = json.load(file)
    same = ("fitness", "infix", "executed_node_evaluations", "fitted_programs", "fitted_better", "fitting_node_evaluations")
    check("resumed is the same", table(whole) == table(part) and all(whole[key] == resumed[key] for key in same))

    free_constants()
    genomes()
    wide()

    # Without it nothing is told of it.
    none = run("none", "--population", "40", "--generations", "3")
    check("nothing where nobody asks", "fitted_programs" not in none)
    print(f"{passes} passed, {failures} failed")
    return failures != 0


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    sys.exit(main())
