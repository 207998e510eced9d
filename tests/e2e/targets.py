#!/usr/bin/env python3
"""Runs with several targets: the reported errors against those of the columns that `grampus predict` writes, for trees
and grammars, metrics and scalings; one target in the list is the plain run; two equal ones; ten; what is refused."""
import glob
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRAMPUS = os.path.abspath(os.environ.get("GRAMPUS", os.path.join(ROOT, "build", "grampus")))
FAILED = []


def check(name, good, more=""):
    print(f"{'ok' if good else 'not ok'} - {name}" + ("" if good else f"\n#   {more}"))
    if not good:
        FAILED.append(name)


def call(*words):
    return subprocess.run([GRAMPUS, *words], capture_output=True, text=True)


def run(folder, *words):
    name = f"r{len(glob.glob(os.path.join(folder, 'results', '*')))}"
    done = call("run", "--name", name, "--data", "many.csv", "--population", "200", "--generations", "8", "--seed", "5",
                *words)
    found = glob.glob(os.path.join(folder, "results", name, "*"))
    if done.returncode or not found:
        check(" ".join(words), False, done.stderr or done.stdout)
        return None, None
    with open(os.path.join(found[0], "best.json")) as file:
        return found[0], json.load(file)


def recompute(result, rows, names, metric, scaling):
    """The error from the predicted columns, each target's own first."""
    lines = call("predict", result, "--data", "many.csv").stdout.split("\n")[:-1]
    outputs = [[float(word) for word in line.split("\t")] for line in lines]
    total = 0.0
    for k, name in enumerate(names):
        y = [row[name] for row in rows]
        mean = sum(y) / len(y)
        unit = math.sqrt(sum((v - mean) ** 2 for v in y) / len(y)) if scaling == "deviation" else 1.0
        errors = [(out[k] - v) / unit for out, v in zip(outputs, y)]
        total += sum(e * e if metric == "rmse" else abs(e) for e in errors) / len(y) / len(names)
    return math.sqrt(total) if metric == "rmse" else total


def main():
    draw = random.Random(4)
    columns = ["x", "z", "a", "b"] + [f"t{k}" for k in range(10)]
    rows = []
    for _ in range(150):
        x, z = draw.uniform(-2, 2), draw.uniform(-2, 2)
        values = [x, z, x * x + z, 100 * (x * z - x)] + [k * x - z * z + k for k in range(10)]
        rows.append(dict(zip(columns, (float(f"{v:.5f}") for v in values))))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("many.csv", "w") as file:
            file.write(",".join(columns) + "\n" + "".join(",".join(str(r[c]) for c in columns) + "\n" for r in rows))
        with open("p.bnf", "w") as file:
            file.write("<p> ::= targets(<e>, <e>)\n<e> ::= (<e> <o> <e>) | <v> | <v> | <d>.<d>\n"
                       "<o> ::= + | - | *\n<v> ::= x | z\n<d> ::= GE_RANGE:10\n")
        tree, grammar = ["--genotype", "tree", "--inputs", "x,z"], ["--grammar", "p.bnf", "--inputs", "x,z"]
        for kind in (tree, grammar):
            for metric in ("rmse", "mae"):
                for scaling in ("deviation", "none"):
                    words = [*kind, "--targets", "a, b", "--metric", metric, "--target-scaling", scaling]
                    result, best = run(folder, *words, "--islands", "2")
                    if not best:
                        continue
                    again = recompute(result, rows, ["a", "b"], metric, scaling)
                    check(f"{kind[1]} {metric} {scaling}: the error again",
                          abs(again - best["fitness"]) <= 1e-4 * abs(again) and not best["recomputed_differs"],
                          f"{again} {best['fitness']}")
                    check("an expression for every target", [t["target"] for t in best["targets"]] == ["a", "b"] and
                          best["infix"] == f"targets({', '.join(t['infix'] for t in best['targets'])})", best["infix"])
        result, best = run(folder, *tree, "--targets", "a, b", "--runs", "2")
        for more, count in (([], 1), (["--run", "all"], 2)):
            done = call("export", result, "--format", "numpy", *more)
            lines = [line.strip() for line in done.stdout.split("\n")]
            at = [lines.index("# " + t["infix"]) if "# " + t["infix"] in lines else -1 for t in best["targets"]]
            check(f"export: a program for each of {count * 2} outputs, in their order", done.returncode == 0 and
                  sum(line.startswith("def program") for line in lines) == 2 * count and 0 < at[0] < at[1], done.stderr)
        plain, several = run(folder, *tree, "--target", "a")[1], run(folder, *tree, "--targets", "a")[1]
        check("one target in the list", plain and several and
              (plain["infix"], plain["fitness"]) == (several["infix"], several["fitness"]))
        result, twice = run(folder, *tree, "--targets", "t7, t7", "--elites", "1", "--selection", "epsilon-lexicase")
        check("two equal targets", twice and len(twice["targets"]) == 2 and
              abs(recompute(result, rows, ["t7", "t7"], "rmse", "deviation") - twice["fitness"]) <= 1e-4 * twice["fitness"])
        names = [f"t{k}" for k in range(10)]
        result, ten = run(folder, *tree, "--targets", ", ".join(names), "--threads", "2")
        check("ten targets", ten and abs(recompute(result, rows, names, "rmse", "deviation") - ten["fitness"]) <= 1e-4)
        for population in ("1", "2"):
            done = call("run", *tree, "--data", "many.csv", "--targets", "a, b", "--population", population,
                        "--elites", "0", "--generations", "3")
            check(f"population {population}", done.returncode == 0, done.stderr)
        for words in (["--metric", "r2"], ["--linear-scaling"], ["--optimise-constants", "elites"], ["--target", "a"],
                      ["--precision", "double"], ["--inputs", "x,a"], ["--find-law"]):
            done = call("run", "--genotype", "tree", "--data", "many.csv", "--targets", "a, b", *words)
            check(f"refused: {' '.join(words)}", done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr)
        done = call("run", *grammar, "--data", "many.csv", "--targets", "a, b, t1")
        check("a grammar of another number of outputs", done.returncode == 2, done.stderr)
    sys.exit(1 if FAILED else 0)


main()
