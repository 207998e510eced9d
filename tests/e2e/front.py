#!/usr/bin/env python3
"""Runs of several objectives: no member of front.tsv dominates another, what is told of each is what its expression gives,
best.json follows the choice, and a run that is resumed has the same front as one that was not."""
import ast
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from choosing import FAILED, PROBLEM, TREE, best_of, check, good_front, good_origin, read, run, schwarz, seeds
from program import find_program

GRAMPUS = find_program()


def first_found(folder):
    """A member of as small an error as the best so far need not be the program that had it first; statistics.tsv has that one."""
    text = TREE.replace("x * x * x + x * y - sin(x)", "x * x + y").replace("population: 300", "population: 40")
    for choice, tried in (("error", (2, 6, 12)), ("auto", (11,)), ("knee", (1, 2))):
        chosen = []
        for seed in tried:
            home = run(folder, text, "--selection", "nsga2", "--front-choice", choice, "--generations", "20", "--seed", str(seed),
                       "--target-fitness", "none", "--dump-every", "1")
            how = f"chosen by {choice.replace('auto', 'error')} from the front"
            chosen.append(good_origin(f"front, {choice}", home, how, seed))
            with open(os.path.join(home, "statistics.tsv")) as file:
                head, *rows = [line.rstrip("\n").split("\t") for line in file]
            ever = [float(row[head.index("best_ever")]) for row in rows]
            if choice == "error":
                first = ever.index(ever[-1])
                check(f"front: the error is that of the record, seed {seed}", ever[-1] == best_of(home)["fitness"] and
                      (best_of(home)["generation"] == first) == (not chosen[-1]), (ever, first))
        check(f"front: {choice} takes another program, by error not always", any(chosen) and (choice != "error" or not all(chosen)),
              chosen)


def leader_of_fronts(folder):
    """Of a batch the front is that of the run that leads."""
    others = 0
    for seed in range(1, 4):
        _, best = good_front(f"batch, seed {seed}", run(folder, TREE, "--selection", "nsga2", "--runs", "4", "--population", "60",
                                                        "--generations", "8", "--seed", str(seed)), ["rmse", "nodes"])
        others += best["seed"] != seed
    check("batch: the first run does not always lead", others > 0)


def r2_beside_another(folder):
    """It takes the spread of the target, which metrics without it do not: nobody had one, and the front was empty."""
    for metric in ("rmse", "mae"):
        rows, _ = good_front(f"r2 beside {metric}", run(folder, TREE, "--metric", metric, "--objectives", "error,r2,nodes"),
                             [metric, "r2", "nodes"], ["r2"])
        if metric == "rmse":
            spreads = [float(r["rmse"]) ** 2 / (1 - float(r["r2"])) for r in rows if float(r["r2"]) < 0.999]
            check("r2 beside rmse: of the same target", max(spreads) < 1.001 * min(spreads), spreads)
        try:
            run(folder, TREE.replace("x * x * x + x * y - sin(x)", "2"), "--metric", metric, "--objectives", "error,r2")
            check(f"r2 beside {metric}: a constant target is refused", False)
        except RuntimeError as error:
            check(f"r2 beside {metric}: a constant target is refused", "r2 has no meaning for a constant" in str(error), error)


def value_of(tree, case, constants):
    """Of an expression of + - * and sin; `constants` are used up in the order of the text."""
    if isinstance(tree, (ast.Constant, ast.UnaryOp)):
        return next(constants)
    if isinstance(tree, ast.Name):
        return case[tree.id]
    if isinstance(tree, ast.Call):
        return math.sin(value_of(tree.args[0], case, constants))
    a, b = value_of(tree.left, case, constants), value_of(tree.right, case, constants)
    return {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}[type(tree.op)]


def leaves_and_operations(tree):
    """Every node's symbol, constants alike, and the constants' values, both in the order of the text."""
    if isinstance(tree, (ast.Constant, ast.UnaryOp)):
        return ["c"], [ast.literal_eval(tree)]
    if isinstance(tree, ast.Name):
        return [tree.id], []
    below = [tree.args[0]] if isinstance(tree, ast.Call) else [tree.left, tree.right]
    found = [leaves_and_operations(t) for t in below]
    own = "sin" if isinstance(tree, ast.Call) else type(tree.op).__name__
    return sum((s for s, _ in found), [own]), sum((c for _, c in found), [])


def length_of_constant(value, fisher):
    told = value and fisher and abs(value) >= math.sqrt(12 / fisher)
    return (math.log(abs(value)) + math.log(fisher) / 2 if told else 0) - math.log(3) / 2


def description_of(expression, cases, target, scaled, weights=None):
    """The length in nats that problems/README.md defines, by derivatives of its own, and the nodes"""
    tree = ast.parse(expression, mode="eval").body
    symbols, constants = leaves_and_operations(tree)
    nodes, n = len(symbols), len(cases)
    weights = [w * n / sum(weights) for w in weights] if weights else [1] * n
    outputs = [value_of(tree, case, iter(constants)) for case in cases]
    intercept, slope = 0, 1
    if scaled:
        about, middle = [sum(w * v for w, v in zip(weights, of)) / n for of in (outputs, target)]
        spread = sum(w * (o - about) ** 2 for w, o in zip(weights, outputs))
        slope = sum(w * (o - about) * (t - middle) for w, o, t in zip(weights, outputs, target)) / spread if spread > 1e-9 else 0
        intercept = middle - slope * about
        symbols = symbols + ["c", "Add", "c", "Mult"]
    square = sum(w * (intercept + slope * o - t) ** 2 for w, o, t in zip(weights, outputs, target)) / n
    length = n / 2 * (math.log(2 * math.pi * square) + 1) + len(symbols) * math.log(len(set(symbols)))
    if scaled:
        length += length_of_constant(intercept, n / square) + length_of_constant(slope, sum(w * o * o for w, o in zip(weights, outputs)) / square)
    for k, c in enumerate(constants):
        step = 1e-5 * (abs(c) or 1)
        high, low = ([*constants[:k], c + by, *constants[k + 1:]] for by in (step, -step))
        slopes = [slope * (value_of(tree, case, iter(high)) - value_of(tree, case, iter(low))) / (2 * step) for case in cases]
        length += length_of_constant(c, sum(w * s * s for w, s in zip(weights, slopes)) / square)
    return length, nodes


def descriptions(folder):
    draw = random.Random(4)
    cases = [{"x": round(draw.uniform(-2, 2), 4), "y": round(draw.uniform(-2, 2), 4)} for _ in range(80)]
    target = [round(3 + c["x"] ** 2 + 0.7 * c["y"] + draw.gauss(0, 0.05), 4) for c in cases]
    with open(os.path.join(folder, "described.csv"), "w") as out:
        out.write("x,y,t\n" + "".join(f"{c['x']},{c['y']},{t}\n" for c, t in zip(cases, target)))
    for scaled in (False, True):
        _, rows, _ = read(run(folder, "data: described.csv\ngenotype: tree\nfunctions: +, -, *, sin\nconstant-probability: 0.4\n"
                                      "generations: 25\npopulation: 300\nmetric: rmse\n", "--selection", "nsga2",
                              "--front-choice", "mdl", "--linear-scaling" if scaled else "--no-linear-scaling"))
        apart, numbers = [], 0
        for r in rows:
            length, nodes = description_of(r["expression"], cases, target, scaled)
            numbers += bool(leaves_and_operations(ast.parse(r["expression"], mode="eval").body)[1])
            if nodes != int(r["size"]) or abs(length - float(r["description"])) > 0.05:
                apart.append((r["expression"], nodes, length, r["size"], r["description"]))
        check(f"mdl: descriptions{' with linear scaling' * scaled} by their definition, of {len(rows)} programs, {numbers} with constants",
              not apart and len(rows) > 3 and numbers, apart or len(rows))


def weighed_cases(folder):
    """Weights say which cases count more; in what they are measured has no say in a choice."""
    for seed in seeds(5):
        rng = random.Random(seed + 4)
        rows = [(x, z, math.sin(3 * x) * z + rng.gauss(0, 0.3)) for x, z in
                ((rng.uniform(-2, 2), rng.uniform(-2, 2)) for _ in range(24))]
        rows = [(float(f"{x:.6f}"), float(f"{z:.6f}"), float(f"{y:.6f}"), k % 3 + 1) for k, (x, z, y) in enumerate(rows)]
        told = {}
        for unit in (1, 1024):
            with open(os.path.join(folder, f"weights{unit}.csv"), "w") as out:
                out.write("x,z,y,w\n" + "".join(f"{x},{z},{y},{w * unit}\n" for x, z, y, w in rows))
            text = (f"data: weights{unit}.csv\ntarget: y\nweights: w\ngenotype: tree\nconstant-probability: 0.2\npopulation: 500\n"
                    f"max-nodes: 40\nseed: {seed + 4}\ntest-fraction: 0\n")
            by_length = read(run(folder, text + "functions: +, -, *, sin\nobjectives: error, nodes\nfront-choice: mdl\ngenerations: 5\n"
                                 "linear-scaling: true\nmetric: mse\n"))
            by_size = best_of(run(folder, text + "functions: +, -, *, /\nmetric: r2\nfront-choice: bic\ngenerations: 40\n"))
            told[unit] = by_length[1], by_size["infix"]
        check(f"weights, seed {seed}: times 1024 the same front, lengths and all", told[1][0] == told[1024][0], told)
        check(f"weights, seed {seed}: times 1024 the same by bic and r2", told[1][1] == told[1024][1], told)
        for row, member in zip(by_length[1], by_length[2]["front"]):
            own, _ = description_of(row["expression"], [{"x": x, "z": z} for x, z, _, _ in rows], [row[2] for row in rows], True,
                                    [row[3] for row in rows])
            check(f"weights, seed {seed}: length of {row['expression']}", math.isclose(float(row["description"]), own, rel_tol=1e-3,
                                                                                   abs_tol=0.02), (row, own))


def told_by_validation(folder):
    """Where validation says who is the best, front.tsv marks that one, not the member of least error on the training cases;
    nobody, where the front went on without it."""
    of = {"the least": 0, "another": 0, "nobody": 0}
    for seed in range(1, 13):
        home = run(folder, TREE, "--selection", "nsga2", "--validation-fraction", "0.3", "--train-cases", "30", "--population",
                   "40", "--generations", "12", "--seed", str(seed))
        head, rows, best = read(home)
        marked = [r["expression"] for r in rows if r["chosen"] == "1"]
        check(f"validation, seed {seed}: the best is marked", marked == [r["expression"] for r in rows if r["expression"] == best["infix"]]
              and [m["infix"] for m in best["front"] if m["chosen"]] == marked, (marked, best["infix"]))
        least = min(rows, key=lambda r: float(r["rmse"]))["expression"]
        of["nobody" if not marked else "the least" if marked[0] == least else "another"] += 1
    check("validation: each occurs", all(of.values()), of)


def ends_of_a_batch(folder):
    """Runs of a batch end at their own time: what is chosen is of the generation that the run alone tells of."""
    options = ("--selection", "nsga2", "--stagnation", "4", "--generations", "25", "--population", "40")
    with open(os.path.join(run(folder, TREE, *options, "--runs", "8"), "runs.tsv")) as table:
        rows = [line.split("\t") for line in table.read().splitlines()[1:]]
    alone = [best_of(run(folder, TREE, *options, "--seed", row[1])) for row in rows]
    check("a batch: generations are the runs' own", [int(row[2]) for row in rows] == [best["generation"] for best in alone],
          ([row[2] for row in rows], [best["generation"] for best in alone]))
    check("a batch: they differ", len({best["generations"] for best in alone}) > 1, [best["generations"] for best in alone])


def main():
    with tempfile.TemporaryDirectory() as folder:
        told_by_validation(folder)
        weighed_cases(folder)
        rows, best = good_front("two", run(folder, TREE, "--selection", "nsga2"), ["rmse", "nodes"])
        check("two: the least error is the best", math.isclose(best["fitness"], min(float(r["rmse"]) for r in rows)))
        check("two: nodes are the sizes", all(r["nodes"] == r["size"] for r in rows))
        check("two: a front of several", len(rows) > 3, len(rows))
        good_front("three", run(folder, TREE, "--objectives", "r2,depth,complexity", "--metric", "r2"),
                   ["r2", "tree_depth", "complexity"], ["r2"])
        good_front("metrics", run(folder, TREE, "--objectives", "error,max-error,nodes"), ["rmse", "max-error", "nodes"])
        good_front("islands apart", run(folder, TREE, "--selection", "nsga2", "--islands", "3", "--population", "50",
                                        "--migration-every", "0"), ["rmse", "nodes"])
        leader_of_fronts(folder)
        first_found(folder)
        r2_beside_another(folder)
        rows, best = good_front("mdl", run(folder, TREE, "--selection", "nsga2", "--front-choice", "mdl",
                                           "--linear-scaling"), ["rmse", "nodes"])
        lengths = [float(r["description"]) for r in rows]
        check("mdl: the shortest description is chosen", rows[lengths.index(min(lengths))]["chosen"] == "1", lengths)
        descriptions(folder)
        rows, best = good_front("knee", run(folder, TREE, "--selection", "nsga2", "--front-choice", "knee"),
                                ["rmse", "nodes"])
        errors, sizes = [float(r["rmse"]) for r in rows], [int(r["nodes"]) for r in rows]
        bends = [(e - min(errors)) / (max(errors) - min(errors)) + (n - min(sizes)) / (max(sizes) - min(sizes))
                 for e, n in zip(errors, sizes)]
        check("knee: it bends there", rows[bends.index(min(bends))]["chosen"] == "1", bends)
        for population in (1, 2):
            good_front(f"population {population}", run(folder, TREE, "--selection", "nsga2", "--population",
                                                       str(population), "--front-choice", "knee"), ["rmse", "nodes"])
        good_front("grammar", run(folder, PROBLEM.replace("constant-probability: 0.3\n", "") +
                                  f"grammar: {ROOT}/grammars/nguyen-2.bnf\n", "--objectives", "error,derivation-nodes",
                                  "--invalid", "excluded"), ["rmse", "derivation-nodes"])
        good_front("words", run(folder, "boolean: multiplexer-6\ngenotype: tree\nfunctions: and, or, not, if\n"
                                "population: 200\ngenerations: 20\nselection: nsga2\n".replace(", if", ", nor")),
                   ["boolean-hits", "nodes"], ["boolean-hits"])
        rows, best = good_front("bic of a front", run(folder, TREE, "--selection", "nsga2", "--front-choice", "bic"), ["rmse", "nodes"])
        values = [schwarz(float(r["rmse"]), int(r["nodes"])) for r in rows]
        check("bic of a front: the least is chosen", rows[values.index(min(values))]["chosen"] == "1", values)
        ends_of_a_batch(folder)
        whole = read(run(folder, TREE, "--selection", "nsga2", "--generations", "30"))[1]
        first = run(folder, TREE, "--selection", "nsga2", "--generations", "12", "--checkpoint", "0.001")
        done = subprocess.run([GRAMPUS, "resume", first, "--generations", "30", "--quiet"], cwd=folder, capture_output=True,
                              text=True)
        check("resumed", done.returncode == 0 and read(first)[1] == whole, done.stderr)
    return bool(FAILED)


if __name__ == "__main__":
    sys.exit(main())
