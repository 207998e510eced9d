#!/usr/bin/env python3
"""Runs with several targets: the reported errors against those of the columns that `grampus predict` writes, for trees
and grammars, metrics and scalings; one target in the list is the plain run; two equal ones; ten; an output
without a number; the exported program, compiled, against what predict gives; a result without its data; what is
refused."""
import glob
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from checking import FAILED, check
from program import find_program

GRAMPUS = find_program()


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


def exported(result, form, *words):
    done = call("export", result, "--format", form, *words)
    check(f"export {form} {' '.join(words)}", done.returncode == 0 and not done.stderr, done.stderr)
    return done.stdout


def by_c(result, inputs, folder):
    """All outputs for rows of inputs, by the C that is exported, of the program and simplified."""
    rows = "".join(f"{{{', '.join(f'{float(v)!r}f' for v in row)}}},\n" for row in inputs)
    source = exported(result, "c", "--simplify") + f"""
#include <stdio.h>
int main(void) {{
    static const float x[][{len(inputs[0])}] = {{{rows}}};
    for (unsigned i = 0; i < sizeof x / sizeof *x; i++) {{
        float y[2], z[2];
        program(x[i], y);
        program_simplified(x[i], z);
        printf("%.9g\\t%.9g\\t%.9g\\t%.9g\\n", y[0], y[1], z[0], z[1]);
    }}
    return 0;
}}
"""
    path = os.path.join(folder, "made")
    with open(path + ".c", "w") as file:
        file.write(source)
    done = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-o", path, path + ".c", "-lm"], capture_output=True, text=True)
    check("the exported C compiles without a warning", done.returncode == 0, done.stderr[:300])
    return [line.split("\t") for line in subprocess.run([path], capture_output=True, text=True).stdout.split("\n")[:-1]]


def check_export(result, best, rows, folder):
    made = [line.split("\t") for line in call("predict", result, "--data", "many.csv").stdout.split("\n")[:-1]]
    outputs = [t["infix"] for t in best["targets"]]
    check("export infix", exported(result, "infix") == best["infix"] + "\n")
    trees = json.loads(exported(result, "json"))["outputs"]
    check("export json: the targets", [(t["target"], t["infix"]) for t in trees] == list(zip("ab", outputs)), str(trees)[:200])
    latex = exported(result, "latex", "--simplify")
    check("export latex: a line each", all(latex.count(left + " &= ") == 1 for left in ("\na", "\nb", "{a}_{\\mathrm{simplified}}",
                                                                                     "{b}_{\\mathrm{simplified}}")), latex)
    check("export mathml", exported(result, "mathml").count("<math") == 2)
    check("export dot", "p1_target -> p1_" in exported(result, "dot", "--simplify"))
    check("export cuda", "__device__ void program(const float *x, float *y)" in exported(result, "cuda"))
    for form, last in (("numpy", "np.stack([program_output_0(x), program_output_1(x)], -1)"),
                       ("sympy", "Matrix([program_output_0, program_output_1])")):
        source = exported(result, form)
        compile(source, form, "exec")
        check(f"export {form}: all outputs", last in source, source[-300:])
    if shutil.which("cc"):
        computed = by_c(result, [(row["x"], row["z"]) for row in rows], folder)
        check("the exported C gives what predict gives", [line[:2] for line in computed] == made, f"{computed[:2]} {made[:2]}")
        check("simplified, too", all(float(a) == float(b) for line in computed for a, b in zip(line[:2], line[2:])))
    told = json.loads(call("predict", result, "--data", "many.csv", "--json").stdout)["targets"]
    check("predict --json", [t["target"] for t in told] == ["a", "b"] and
          all(abs(p - float(line[k])) <= 1e-6 * abs(p) for k, t in enumerate(told) for p, line in zip(t["predictions"], made)))
    check("predict --json: the errors", all(abs(t["rmse"] - b["training"]["rmse"]) <= 1e-6 * abs(t["rmse"]) for t, b in zip(told, best["targets"])))


def check_unlabelled():
    """Tables without the targets, or one of them, with a header or not: every input is there, whichever is the first."""
    rows = [(1, 10, 9, 11), (2, 20, 18, 22), (3, 30, 27, 33), (4, 45, 41, 49)]

    def table(name, head, order):
        with open(name, "w") as file:
            file.write((head + "\n" if head else "") + "".join(",".join(str(row[k]) for k in order) + "\n" for row in rows))

    def result(name, targets, program):
        with open("one.bnf", "w") as file:
            file.write(f"<p> ::= {program}\n")
        return json.loads(call("run", "--data", name, "--targets", targets, "--grammar", "one.bnf", "--population", "1",
                               "--generations", "0", "--json").stdout)["results"]

    table("named.csv", "x,z,a,b", (0, 1, 2, 3))
    table("numbers.csv", "", (2, 0, 3, 1))
    named, numbers = result("named.csv", "b,a", "targets(x + z, z - x)"), result("numbers.csv", "3,1", "targets(x0 + x1, x1 - x0)")
    for of, name, head, order in ((named, "all.csv", "x,z,a,b", (0, 1, 2, 3)), (named, "none.csv", "x,z", (0, 1)),
                                  (named, "turned.csv", "z,x", (1, 0)), (named, "one.csv", "b,z,x", (3, 1, 0)),
                                  (named, "other.csv", "z,a,x", (1, 2, 0)), (numbers, "bare.csv", "", (0, 1))):
        table(name, head, order)
        done = call("predict", of, "--data", name)
        made = [tuple(float(v) for v in line.split()) for line in done.stdout.splitlines()]
        check(f"predict, {name}", made == [(b, a) for _, _, a, b in rows] and ("rmse" in done.stderr) == (name == "all.csv"),
              f"{made} {done.stderr}")


def check_without_data(folder, words):
    """What is left of a result whose data are gone."""
    os.rename("many.csv", "away.csv")
    done = call("predict", folder, "--data", "away.csv")
    check("predict without training data: one line", done.returncode == 2 and done.stderr.count("\n") == 1 and "several targets" in done.stderr, done.stderr)
    check("export without data", call("export", folder).stdout == words + "\n")
    os.rename("away.csv", "many.csv")


def check_report(result, best):
    """The page has a formula of every target, those that are exported."""
    done = call("report", result, "--output", "page")
    with open(os.path.join("page", "report.html")) as file:
        page = file.read()
    formulas = [line for line in page.split("\n") if line.startswith("<math")]
    wanted = [line for line in exported(result, "mathml", "--simplify").split("\n") if line.startswith("<math")]
    check("report: formulas of all targets", done.returncode == 0 and len(formulas) >= len(best["targets"]) == 2 and
          formulas == wanted and all(f">{t['target']}<" in page for t in best["targets"]), f"{formulas} {wanted}")


def check_refused(tree, grammar):
    for words in (["--metric", "r2"], ["--linear-scaling"], ["--optimise-constants", "elites"], ["--target", "a"],
                  ["--precision", "double"], ["--inputs", "x,a"], ["--find-law"], ["--max-nodes", "9"],
                  ["--class-rule", "argmax", "--metric", "misclassified"]):
        done = call("run", "--genotype", "tree", "--data", "many.csv", "--targets", "a, b", *words)
        check(f"refused: {' '.join(words)}", done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr)
    done = call("run", *grammar, "--data", "many.csv", "--targets", "a, b, t1")
    check("a grammar of another number of outputs", done.returncode == 2 and "targets(...) of 3 expressions" in done.stderr, done.stderr)
    done = call("eval", "--expression", "targets(x, z)", "--data", "many.csv")
    check("eval: several outputs are refused", done.returncode == 2 and "several targets" in done.stderr, done.stderr)


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
    columns = ["x", "z", "a", "b"] + [f"t{k}" for k in range(10)] + ["same"]  # as t7
    rows = []
    for _ in range(150):
        x, z = draw.uniform(-2, 2), draw.uniform(-2, 2)
        values = [x, z, x * x + z, 100 * (x * z - x)] + [k * x - z * z + k for k in range(10)]
        rows.append(dict(zip(columns, (float(f"{v:.5f}") for v in (*values, values[-3])))))
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
        check_report(result, best)
        for more, count in (([], 1), (["--run", "all"], 2)):
            done = call("export", result, "--format", "numpy", *more)
            lines = [line.strip() for line in done.stdout.split("\n")]
            at = [lines.index("# " + t["infix"]) if "# " + t["infix"] in lines else -1 for t in best["targets"]]
            check(f"export: a function for each of {count * 2} outputs, in their order, and one for all", done.returncode == 0 and
                  sum(line.startswith("def program") for line in lines) == 3 * count and 0 < at[0] < at[1], done.stderr)
        plain, several = run(folder, *tree, "--target", "a")[1], run(folder, *tree, "--targets", "a")[1]
        check("one target in the list", plain and several and
              (plain["infix"], plain["fitness"]) == (several["infix"], several["fitness"]))
        result, twins = run(folder, *tree, "--targets", "t7, same", "--elites", "1", "--selection", "epsilon-lexicase")
        check("two equal targets", twins and len(twins["targets"]) == 2 and
              abs(recompute(result, rows, ["t7", "same"], "rmse", "deviation") - twins["fitness"]) <= 1e-4 * twins["fitness"])
        names = [f"t{k}" for k in range(10)]
        result, ten = run(folder, *tree, "--targets", ", ".join(names), "--threads", "2")
        check("ten targets", ten and abs(recompute(result, rows, names, "rmse", "deviation") - ten["fitness"]) <= 1e-4)
        with open("log.bnf", "w") as file:
            file.write("<p> ::= targets(log(<v>), z)\n<v> ::= x | z\n")
        result, best = run(folder, "--grammar", "log.bnf", "--inputs", "x,z", "--targets", "a, b")
        check("an output without a number has the worst errors", best and
              best["targets"][0].get("training") == {"rmse": "inf", "mae": "inf", "r2": "-inf"} and
              "rmse inf, R2 -inf\n" in open(os.path.join(result, "best.txt")).read(), str(best and best["targets"]))
        told = call("predict", result, "--data", "many.csv").stderr
        check("predict says so", told.startswith("a: rmse inf, mae inf, r2 -inf\n"), told)
        for population in ("1", "2"):
            done = call("run", *tree, "--data", "many.csv", "--targets", "a, b", "--population", population,
                        "--elites", "0", "--generations", "3")
            check(f"population {population}", done.returncode == 0, done.stderr)
        for kind in (tree, grammar):
            result, best = run(folder, *kind, "--targets", "a, b", "--elites", "3", "--generations", "12")
            if best:
                check_export(result, best, rows, folder)
        if best:
            check_without_data(result, best["infix"])
        check_unlabelled()
        result, best = run(folder, *tree, "--targets", "b, a", "--runs", "3")
        check("all of a batch", best and exported(result, "c", "--run", "all").count("\nvoid program_") == 3 and
              len(json.loads(exported(result, "json", "--run", "all"))) == 3)
        for preset in (["--preset", "regression", *tree], ["--preset", "ge", *grammar]):
            check(f"{preset[1]}: what does not go with targets is left out",
                  run(folder, *preset, "--targets", "a, b", "--generations", "2")[1])
        check_refused(tree, grammar)
    sys.exit(1 if FAILED else 0)


main()
