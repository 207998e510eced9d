#!/usr/bin/env python3
"""Grammars from units: every sentence keeps to the units, by a checker of its own, and every expression of a small depth
that keeps to them is a sentence.

    GRAMPUS=build/grampus tests/e2e/units.py"""
import ast
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
PARSED = 80 if os.environ.get("SANITIZE") else 400  # of all that are derived, drawn at random
BASES = ("m", "s", "kg")
PURE = (0, 0, 0)

# name: powers of m, s, kg; the target's; functions; depth; further settings
PROBLEMS = [
    ({"m": (0, 0, 1), "v": (1, -1, 0), "h": (1, 0, 0), "g": (1, -2, 0)}, (2, -2, 1), "+, -, *, /, square, sqrt, exp, cos", 3, {}),
    ({"x1": (1, 0, 0), "x2": (1, 0, 0), "a": PURE}, (1, 0, 0), "+, -, *, /, square, sqrt, sin", 3, {}),
    ({"d": (1, 0, 0), "t": (0, 1, 0)}, (1, -1, 0), "+, *, /, sqrt", 3, {"dimensioned-constants": "true"}),
    ({"a": PURE, "b": PURE}, PURE, "+, -, *, exp, log", 3, {"unit-constants": ""}),
    ({"l": (Fraction(1, 2), 0, 0), "t": (0, 3, 0)}, (1, 1, 0), "*, /, square, cube, cbrt, inv, neg, min, pow", 3, {}),
    ({"G": (3, -2, -1), "m1": (0, 0, 1), "m2": (0, 0, 1), "r": (1, 0, 0)}, (1, -2, 1), "+, -, *, /", 4, {}),
]
failures = 0


def expect(what, right):
    global failures
    if not right:
        failures += 1
        print("FAILED:", what)


def run(*arguments, text=None):
    done = subprocess.run([GRAMPUS, *arguments], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def unit(powers):
    return " ".join(f"{base}^{float(p):g}" for base, p in zip(BASES, powers) if p) or "1"


# ---- the checker: dimensions of a Python expression; numbers may be of any dimension where `free` ----

class Inconsistent(Exception):
    pass


ANY = "any"


def like(a, b):
    if a != ANY and b != ANY and a != b:
        raise Inconsistent(f"{a} beside {b}")
    return b if a == ANY else a


def times(a, factor):
    return ANY if a == ANY else tuple(p * factor for p in a)


def pure(a):
    like(a, PURE)
    return PURE


FUNCTIONS = {"square": lambda a: times(a, 2), "cube": lambda a: times(a, 3), "inv": lambda a: times(a, -1),
             "sqrt": lambda a: times(a, Fraction(1, 2)), "cbrt": lambda a: times(a, Fraction(1, 3)), "neg": lambda a: a,
             "min": like, "pow": lambda a, b: pure(like(a, PURE)) and pure(b) or PURE,
             **dict.fromkeys(("exp", "log", "sin", "cos"), pure)}


def dimension(node, inputs, free):
    if isinstance(node, ast.Name):
        return inputs[node.id] if node.id in inputs else (ANY if free else PURE)  # the other name is pi
    if isinstance(node, ast.Constant):
        return ANY if free else PURE
    if isinstance(node, ast.UnaryOp):
        return dimension(node.operand, inputs, free)
    if isinstance(node, ast.Call):
        return FUNCTIONS[node.func.id](*(dimension(a, inputs, free) for a in node.args))
    a, b = dimension(node.left, inputs, free), dimension(node.right, inputs, free)
    if isinstance(node.op, (ast.Add, ast.Sub)):
        return like(a, b)
    sign = 1 if isinstance(node.op, ast.Mult) else -1
    return ANY if ANY in (a, b) else tuple(x + sign * y for x, y in zip(a, b))


def check_sentences(sentences, inputs, target, free, what):
    for text in sentences:
        try:
            like(dimension(ast.parse(text, mode="eval").body, inputs, free), target)
        except Inconsistent as wrong:
            expect(f"{what}: {text}: {wrong}", False)
            return


# ---- all expressions of a depth ----

def enumerate_all(inputs, target, functions, depth, numbers, halves, free):
    """Expressions of the target's dimension of at most `depth` levels, as the grammar writes them, by dimension."""
    known = {}
    for name, powers in inputs.items():
        known.setdefault(powers, {})[name] = 1
    for number in numbers:
        known.setdefault(PURE, {})[number] = 1
    for level in range(2, depth + 1):
        new = {}

        def put(powers, text):
            whole = all((2 * p if halves else p) == int(2 * p if halves else p) for p in powers)
            if whole and text not in known.get(powers, ()) and (level < depth or powers == target):
                new.setdefault(powers, {})[text] = level
        below = [(powers, text) for powers, texts in known.items() for text in texts]
        for (a, x), op in itertools.product(below, functions):
            if op in FUNCTIONS and op not in ("min", "pow") and not (op in ("exp", "log", "sin", "cos") and a != PURE):
                put(FUNCTIONS[op](a), f"{op}({x})")
        if level == depth and len(below) > 300:
            below = random.Random(3).sample(below, 300)
        for (a, x), (b, y), op in itertools.product(below, below, functions):
            if op in "+-" and a == b:
                put(a, f"({x}{op}{y})")
            elif op == "*":
                put(tuple(p + q for p, q in zip(a, b)), f"({x}*{y})")
            elif op == "/":
                put(tuple(p - q for p, q in zip(a, b)), f"({x}/{y})")
            elif op == "min" and a == b:
                put(a, f"min({x},{y})")
            elif op == "pow" and a == b == PURE:
                put(PURE, f"pow({x},{y})")
        for powers, texts in new.items():
            known.setdefault(powers, {}).update(texts)
    return list(known.get(target, ()))


def orders(node):
    """The texts of an expression with the factors of its products in all orders."""
    if isinstance(node, (ast.Name, ast.Constant)):
        return [ast.unparse(node)]
    if isinstance(node, ast.Call):
        return [f"{node.func.id}({','.join(x)})" for x in itertools.product(*map(orders, node.args))]
    sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(node.op)]
    pairs = list(itertools.product(orders(node.left), orders(node.right)))
    return [f"({x}{sign}{y})" for x, y in pairs] + ([f"({y}*{x})" for x, y in pairs] if sign == "*" else [])


# ---- a problem ----

def check_problem(number, inputs, target, functions, depth, more):
    what = f"problem {number}"
    units = "; ".join(f"{name} = {unit(powers)}" for name, powers in inputs.items()) + f"; target = {unit(target)}"
    settings = {"target-expression": " + ".join(inputs), "train-cases": "20", "units": units, "functions": functions,
                "variables": "; ".join(f"{name} = uniform(1, 5)" for name in inputs), "units-depth": str(depth), **more}
    with open("run.yaml", "w") as file:
        file.write("".join(f'{key}: "{value}"\n' for key, value in settings.items()))
    code, bnf, error = run("grammar", "units", "run.yaml")
    said = json.loads(run("grammar", "units", "run.yaml", "--json")[1])
    head = "# %d rule%s, %d production%s; tables of %d words (" % (
        said["rules"], "s" * (said["rules"] != 1), said["productions"], "s" * (said["productions"] != 1), said["table_words"])
    expect(f"--json is the same grammar: {head}", bnf.startswith(head) and bnf.partition("\n")[2] == said["bnf"])
    expect(f"{what}: {error}", code == 0)
    if code:
        return
    with open("units.bnf", "w") as file:
        file.write(bnf)
    free = more.get("dimensioned-constants") == "true"
    draw = random.Random(number)
    genomes = "".join(str([draw.randrange(100000) for _ in range(300)]) + "\n" for _ in range(300))
    code, out, error = run("map", "--grammar", "units.bnf", "--genomes", "-", text=genomes)
    sentences = [line for line in out.splitlines() if line and line[0] != " " and not line.startswith("invalid")]
    expect(f"{what}: sentences ({len(sentences)})", len(sentences) > 60)
    check_sentences(sentences, inputs, target, free, what)
    numbers = [] if more.get("unit-constants") == "" else ["1", "2", "pi"]
    halves = any(p != int(p) for powers in inputs.values() for p in powers)
    if free or depth > 3:
        return
    derived = enumerate_all(inputs, target, functions.split(", "), depth, numbers, halves, free)
    check_sentences(derived, inputs, target, free, what + ", enumerated")
    derived = draw.sample(derived, min(len(derived), PARSED))
    texts = [(which, text) for which, one in enumerate(derived)
             for text in orders(ast.parse(one, mode="eval").body)]
    code, out, error = run("parse", "--grammar", "units.bnf", "--phenotypes", "-", "--json",
                           text="".join(text + "\n" for _, text in texts))
    lines = out.splitlines()
    found = {which for (which, _), line in zip(texts, lines) if '"valid":true' in line}
    bad = [one for which, one in enumerate(derived) if which not in found]
    expect(f"{what}: {len(derived)} expressions of depth {depth}, no sentence: {bad[:3]} {error[:200]}",
           derived and len(lines) == len(texts) and not bad)


def check_refusals():
    def refused(units, words, *more):
        code, _, error = run("grammar", "units", "run.yaml", "--units", units, *more)
        expect(f"'{units}': {error}", code == 2 and words in error and error.count("\n") == 1)
    check_problem(0, *PROBLEMS[1])
    refused("x1 = m; x2 = m; a = 1", "no unit of target")
    refused("x1 = m; x2 = m; a = 1; b = m; target = m", "'b' is no input")
    refused("x1 = m; x1 = m; a = 1; target = m", "two units")
    refused("x1 = m^0.3; x2 = m; a = 1; target = m", "a whole power or a half")
    refused("x1 = m; x2 = m; a = 1; target = kg", "no expression of 3 levels has the target's unit, kg")
    refused("x1 = m; x2 = m; a = 1; target = m", "has no meaning for units", "--functions", "+, if")
    refused("x1 = m; x2 = m; a = 1; target = m", "expected genotype grammar", "--genotype", "tree")


def check_run():
    code, out, error = run("run", "run.yaml", "--device", "cpu", "--population", "200", "--generations", "5", "--json",
                           "--units", "x1 = m; x2 = m; a = 1; target = m")
    expect(f"a run without a grammar file: {error}", code == 0 and '"validity":"valid"' in out)


def check_law():
    """A law is found, named and held to cases outside of those it was found on."""
    with open("law.yaml", "w") as file:
        file.write('target-expression: "0.5 * m * v * v"\nvariables: "m = uniform(1, 3); v = uniform(1, 3)"\n'
                   'test-variables: "m = uniform(1, 6); v = uniform(1, 6)"\ntrain-cases: 100\ntest-cases: 100\n'
                   'units: "m = kg; v = m/s; target = kg m^2 s^-2"\nlinear-scaling: true\nfind-law: true\n'
                   'target-fitness: 1e-5\npopulation: 300\nunit-constants: "3"\n')
    code, out, error = run("run", "law.yaml", "--device", "cpu", "--json")
    law = json.loads(out)["law"] if code == 0 else {}
    expect(f"a law: {law} {error}", law and law["exact"] and "(1/2)" in law["expression"] and law["test"]["rmse"] < 1e-5
           and 60 < law["test"]["outside_of_training"] < 100)
    code, out, error = run("run", "law.yaml", "--device", "cpu", "--progress", "60")
    expect("a law in the report", "exact: rmse" in out)
    expect(f"no word of mistakes in a grammar that is made: {error}", "units:" not in error)
    code, out, error = run("run", "law.yaml", "--device", "cpu", "--metric", "hits", "--no-linear-scaling")
    expect(f"no law of hits: {error}", code == 2 and "expected metric mse, rmse, r2, mae or sae" in error)
    check_law_of_archive()
    check_law_while_it_runs()
    check_law_of_a_constant()
    check_law_of_large_front()


def check_law_of_large_front():
    """Of thirty programs every one is the best for its size: more than are looked at. The largest is the law."""
    names = [f"x{k}" for k in range(30)]
    with open("sums.txt", "w") as file:
        file.writelines(" + ".join(names[:k]) + "\n" for k in range(1, 31))
    with open("front.yaml", "w") as file:
        file.write(f'target-expression: "{" + ".join(names)}"\nvariables: "{", ".join(names)} = uniform(-1, 1)"\n'
                   'train-cases: 500\ntest-cases: 50\ngenotype: tree\nfunctions: "+"\nmax-nodes: 100\nmax-depth: 40\n'
                   'population: 30\ngenerations: 0\nfind-law: true\nmetric: rmse\nseeds: sums.txt\n')
    code, out, error = run("run", "front.yaml", "--device", "cpu", "--json")
    expect(f"a law among a front of thirty: {code} {error}", code == 0 and json.loads(out)["law"]["exact"])


def check_law_of_archive():
    """A program that is the law but for its constants may be in the archive of niches alone; of the last generation neither
    the best nor any that nothing is better than and as small as is it. The archive, whose members are no parents, changes no run."""
    with open("archive.yaml", "w") as file:
        file.write('target-expression: "2.5 * x * y + sin(y)"\nvariables: "x, y = uniform(-3, 3)"\ntrain-cases: 100\n'
                   'test-cases: 50\ngenotype: tree\nfunctions: "+, -, *, /, sin"\nconstant-probability: 0.2\npopulation: 300\n'
                   'generations: 5\nmax-nodes: 20\nfind-law: true\nmetric: rmse\n')
    exact = {"none": 0, "niches": 0}
    for seed in (17, 21):
        for archive in exact:
            code, out, error = run("run", "archive.yaml", "--device", "cpu", "--json", "--seed", str(seed), "--archive", archive,
                                   *(("--niche-share", "0") if archive == "niches" else ()))
            exact[archive] += code == 0 and json.loads(out)["law"]["exact"]
    expect(f"laws found by the front, and with the archive: {exact}", exact == {"none": 0, "niches": 2})


def check_law_while_it_runs():
    """With law-every the run ends where its law can be told, as early whatever the epoch and the threads."""
    ends = set()
    for epoch, threads in ((1, 1), (5, 2), (7, 1), (50, 2)):
        code, out, error = run("run", "archive.yaml", "--device", "cpu", "--json", "--seed", "17", "--archive", "niches",
                               "--niche-share", "0", "--generations", "100", "--law-every", "5", "--epoch", str(epoch),
                               "--threads", str(threads))
        best = json.loads(out) if code == 0 else {"law": None, "generations": error, "stop_reason": "", "state": ""}
        ends.add((best["generations"], best["stop_reason"], best["state"], str(best["law"])))
    end = ends.pop()
    expect(f"one end of a run whose law was found: {end} and {ends}", not ends and end[1:3] == ("law-every", "done")
           and end[0] < 99 and end[0] % 5 == 4 and "'exact': True" in end[3])


def check_law_of_a_constant():
    """What is the same on all cases is told of as a number, a quotient by 0 with it."""
    with open("same.txt", "w") as file:
        file.write("a / (a / b + a / (1 / (b - b) + a))\n")
    with open("same.yaml", "w") as file:
        file.write('target-expression: "b"\nvariables: "a, b = uniform(1, 2)"\ntrain-cases: 100\ntest-cases: 50\ngenotype: tree\n'
                   'functions: "+, -, /"\nconstant-probability: 0.1\nmax-nodes: 30\npopulation: 1\ngenerations: 0\nfind-law: true\n'
                   'metric: rmse\nseeds: same.txt\n')
    code, out, error = run("run", "same.yaml", "--device", "cpu", "--json")
    law = json.loads(out)["law"] if code == 0 else error
    expect(f"a law without what is always 0: {law}", law and law["exact"] and "(b - b)" not in law["expression"])


def check_prepared():
    """A tree of one node is the target where that input is prepared, and is printed by the inputs that were given."""
    cases = [("b - d", "differences", "(b - d)", None), ("a / c", "ratios", "(a / c)", None),
             ("a * a * d / (b * c)", "products", None, "a = m; b = m^2 s; c = kg; d = kg s; target = 1"),
             ("a * d / b", "products", None, "a = m s; b = m s kg; c = m s^2; d = kg; target = 1"),
             ("c / a", "ratios", None, "a = m; b = m; c = kg; d = kg; target = kg/m"),
             ("c - d", "differences, ratios", "(c - d)", "a = m; b = m; c = kg; d = kg; target = kg"),
             ("a * c + b * d", "dots", "(a * c + b * d)", "a = m; b = m; c = kg; d = kg; target = kg m"),
             ("b * b + a * a", "ratios, dots", "(b * b + a * a)", None),
             ("(a - d) * (a - d) + (c - b) * (c - b)", "distances", "((a - d) * (a - d) + (c - b) * (c - b))", None),
             ("(a - d) * (a - d) + (c - b) * (c - b)", "distances", None, "a = m; c = m; b = kg; d = kg; target = 1")]
    vectors = {"dots": "a b / c d", "ratios, dots": "b a/d c", "distances": "a c / d b"}
    for target, asked, found, units in cases:
        with open("prepared.yaml", "w") as file:
            file.write(f'target-expression: "{target}"\nvariables: "a = uniform(1, 2); b = uniform(1, 2); c = uniform(1, 2); '
                       'd = uniform(1, 2)"\ntrain-cases: 50\ntest-cases: 20\ngenotype: tree\nmax-nodes: 1\npopulation: 300\n'
                       f'generations: 1\nprepare: "{asked}"\n' + (f'units: "{units}"\n' if units else "")
                       + (f'vectors: "{vectors[asked]}"\n' if asked in vectors else ""))
        code, out, error = run("run", "prepared.yaml", "--device", "cpu", "--json")
        best = json.loads(out) if code == 0 else {}
        right = best and not best["recomputed_differs"]
        if asked == "products":
            right = right and best["fitness"] < 1e-6 and best["test_fitness"] < 1e-6
        elif found:
            right = right and best["infix"] == found and best["fitness"] < 1e-6 and best["test_fitness"] < 1e-6
        else:
            right = right and best["fitness"] > 0.01  # no ratio of unlike quantities
        expect(f"{target} by {asked}: {best.get('infix')} {best.get('fitness')} {error}", right)
    for given, said in (("a c / b", "vectors of different lengths"), ("a x", "'x' is no input"), ("a c / c b", "an input in two places"),
                        ("a / ", "different lengths"), ("", "distances without vectors"), ("a b / c d", "a vector of different units")):
        code, out, error = run("run", "prepared.yaml", "--vectors", given)
        expect(f"vectors {given}: {error}", code == 2 and said in error and error.count("\n") == 1)
    code, out, error = run("run", "prepared.yaml", "--prepare", "", "--units", "")
    expect(f"vectors of nothing: {error}", code == 2 and "nothing is made of" in error)
    code, out, error = run("run", "prepared.yaml", "--prepare", "sums")
    expect(f"sums are not prepared: {error}", code == 2 and "'sums'; expected differences, ratios" in error)
    code, out, error = run("run", "prepared.yaml", "--genotype", "grammar")
    expect(f"grammars are not: {error}", code == 2 and "grammars name their inputs" in error)


# ---- typed trees ----

def people_of(folder):
    """Expressions of all individuals that a run has dumped."""
    found = set()
    for home, _, files in os.walk(folder):
        for name in files:
            if name.startswith("population_"):
                with open(os.path.join(home, name)) as table:
                    found.update(line.rstrip("\n").split("\t")[-1] for line in table if not line.startswith("run\t"))
    return found


ALL_MUTATIONS = "subtree-mutation: 0.3\nhoist-mutation: 0.2\nshrink-mutation: 0.3\nmulti-point-mutation: 0.3\npoint-mutation: 0.3\n" \
    "insert-mutation: 0.3\n"
VARIANTS = ["", "crossover: size-fair\n", "crossover: depth-dependent\nchildren: one\n", "crossover: common-point\n",
            "function-points: 0.9\ninitialisation: full\ntopology: torus\ndeme-width: 10\n", "archive: niches\nniche-share: 0.6\n",
            "islands: 3\nmigration-every: 2\nsubtree-mutation-growth: ramped\n", "selection: nsga2\n",
            "max-nodes: 9\nmax-depth: 4\ninit-max-depth: 4\n", "optimise-constants: all\nconstant-mutation: 0.5\ninitialisation: grow\n"]


def check_typed_units():
    inputs, target = {"m": (0, 0, 1), "v": (1, -1, 0), "h": (1, 0, 0), "g": (1, -2, 0)}, (2, -2, 1)
    units = "; ".join(f"{name} = {unit(powers)}" for name, powers in inputs.items()) + f"; target = {unit(target)}"
    prepared = ['prepare: "differences, ratios, products"\n', 'prepare: "dots, ratios"\nvectors: "m / v / h"\n',
                'prepare: "distances"\nvectors: "m / v / h"\n']  # of these there is none
    for number, more in enumerate(VARIANTS + prepared):
        with open("typed.yaml", "w") as file:
            file.write('target-expression: "m * g * h + m * v * v / 2 * exp(-v * v / (g * h))"\nvariables: "m, v, h, g = uniform(1, 2)"\n'
                       f'units: "{units}"\ngenotype: tree\ntyped: true\nfunctions: "+, -, *, /, square, sqrt, exp"\n'
                       "train-cases: 30\nconstant-probability: 0.2\npopulation: 60\ngenerations: 12\nlinear-scaling: true\ndump-every: 3\n"
                       + ALL_MUTATIONS + more)
        code, out, error = run("run", "typed.yaml", "--device", "cpu", "--output", f"typed{number}", "--quiet")
        expect(f"typed {more!r}: {error}", code == 0)
        people = people_of(f"typed{number}")
        expect(f"typed {more!r}: many programs", len(people) > 60)
        check_sentences([text.replace("**", "^") for text in people], inputs, target, False, f"typed {more!r}")
    for threads in ("1", "3"):
        run("run", "typed.yaml", "--device", "cpu", "--threads", threads, "--output", "threads" + threads, "--quiet")
    expect("typed trees by threads", people_of("threads1") == people_of("threads3"))
    run("run", "typed.yaml", "--device", "cpu", "--output", "part", "--quiet", "--generations", "7", "--checkpoint", "1e-9", "--epoch", "3")
    part = next(home for home, _, files in os.walk("part") if "run.yaml" in files)
    code, out, error = run("resume", part, "--generations", "12")
    rows = [[line.split("\t")[:-1] for line in open(os.path.join(home, "statistics.tsv"))] for top in ("part", "threads1")
            for home, _, files in os.walk(top) if "statistics.tsv" in files]
    expect(f"typed trees resumed: {error}", code == 0 and len(rows[0]) == 14 and rows[0] == rows[1])


class Types:
    """x, y: number; w: weight; flags come of < alone; min is of flags too, and * scales a weight."""
    LEAVES = {"x": "number", "y": "number", "w": "weight"}
    RULES = {("+", "number", "number"): "number", ("*", "number", "number"): "number", ("*", "weight", "number"): "weight",
             ("+", "weight", "weight"): "weight", ("<", "number", "number"): "flag", ("min", "flag", "flag"): "flag",
             ("if", "flag", "weight", "weight"): "weight", ("square", "number"): "number"}
    TEXT = "; ".join(f"{rule[0]} = {' '.join(rule[1:])} -> {result}" for rule, result in RULES.items())

    @classmethod
    def of(cls, tree, names):
        if tree[0] in ("x", "c"):
            return cls.LEAVES[names[tree[1]]] if tree[0] == "x" else "number"
        return cls.RULES[(tree[0], *(cls.of(below, names) for below in tree[1:]))]


def check_typed_by_hand():
    sys.path.insert(0, os.path.join(ROOT, "tests", "model"))
    import programs
    names = list(Types.LEAVES)
    declared = "x, y, constants = number; w, target=weight; " + Types.TEXT
    for number, more in enumerate(VARIANTS):
        with open("typed.yaml", "w") as file:
            file.write('target-expression: "if(x < y, w * x, w + w)"\nvariables: "x, y, w = uniform(-2, 2)"\ntrain-cases: 30\n'
                       f'genotype: tree\ntyped: true\ntypes: "{declared}"\nfunctions: "+, *, <, min, if, square"\n'
                       "constant-probability: 0.2\npopulation: 60\ngenerations: 12\ndump-every: 3\n" + ALL_MUTATIONS + more)
        code, out, error = run("run", "typed.yaml", "--device", "cpu", "--output", f"hand{number}", "--quiet")
        expect(f"declared {more!r}: {error}", code == 0)
        people = people_of(f"hand{number}")
        expect(f"declared {more!r}: many programs", len(people) > 20)
        for text in people:
            for k, name in enumerate(names):
                text = re.sub(rf"\b{name}\b", f"x{k}", text)
            try:
                right = Types.of(programs.read(text), names) == "weight"
            except KeyError:
                right = False
            if not right:
                expect(f"declared {more!r}: {text}", False)
                break
    for wrong, said in (("x = number", "'y'; expected a type of every input"), ("x, y, w, constants = number", "'target'; expected its type"),
                        (declared + "; y = flag", "'y'; expected one type"), (declared + "; target = number", "'target'; expected one type"),
                        (declared + "; constants = flag", "'constants'; expected one type"),
                        (declared + "".join(f"; if = t{k} t{k} t{k} -> t{k}" for k in range(1000)), "'t997'; expected at most 1000 types"), (declared + "; sin = number -> number", "'sin'; expected an input"),
                        (declared + "; < = number -> flag", "'<'; expected a type for every operand"),
                        (declared + "; + = number number -> flag", "'+'; expected one result"), ("x y", "'x y'; expected NAME"),
                        ("x, y, w, constants = number; target = flag", "no tree within"), ("", "typed trees without types")):
        code, out, error = run("run", "typed.yaml", "--types", wrong)
        expect(f"types {wrong}: {error}", code == 2 and said in error and error.count("\n") == 1)
    with open("target.csv", "w", encoding="utf-8") as file:
        file.write("target,far\n1,2\n2,4\n3,5\n")
    code, out, error = run("run", "--data", "target.csv", "--genotype", "tree", "--typed", "--functions", "+", "--types",
                           "target = a; far = b; + = a a -> b", "--quiet", "--output", "named")
    expect(f"types: an input called target, and the target by its name: {error}", code == 0 and not error)
    check_typed_words()
    for more, said in (("--seed-program x", "seeds"), ("--initialisation ptc2", "drawn sizes"),
                       ("--no-typed", "nothing keeps to"), ("--prepare ratios", "prepared inputs")):
        code, out, error = run("run", "typed.yaml", *more.split())
        expect(f"typed {more}: {error}", code == 2 and said in error)


def check_typed_words():
    """Inputs called as what else has a type: a number stands for the constants, an arrow tells an operation."""
    with open("words.csv", "w", encoding="utf-8") as file:
        file.write("constants,sin,far\n" + "".join(f"{k},{k % 3},{k * k}\n" for k in range(12)))
    words = ["run", "--data", "words.csv", "--genotype", "tree", "--typed", "--functions", "+, *, sin", "--constant-probability", "0.3",
             "--population", "50", "--generations", "5", "--dump-every", "5", "--quiet", "--output", "words", "--types"]
    types = "constants = a; sin = b; target = a; + = a c -> a; * = b c -> a; sin = c -> c; 1.5 = c"
    code, out, error = run(*words, types)
    expect(f"types: inputs called constants and sin: {error}", code == 0 and not error)
    results = {("Add", "a", "c"): "a", ("Mult", "b", "c"): "a", ("sin", "c"): "c"}

    def type_of(tree):
        if isinstance(tree, ast.Name):
            return {"constants": "a", "sin": "b"}[tree.id]
        if isinstance(tree, ast.Call):
            return results.get((tree.func.id, type_of(tree.args[0])))
        if isinstance(tree, ast.BinOp):
            return results.get((type(tree.op).__name__, type_of(tree.left), type_of(tree.right)))
        return "c"  # a number

    people = sorted(people_of("words")) if code == 0 else []
    wrong = [text for text in people if type_of(ast.parse(text, mode="eval").body) != "a"]
    expect(f"types: those of words, {len(people)} programs, but: {wrong[:3]}", len(people) > 9 and not wrong and
           any("* sin(" in text for text in people))
    for wrong, said in ((types.replace("; 1.5 = c", ""), "called so that of numbers, as in \"1 = TYPE\""), (types + "; -1e-3 = c", "'-1e-3'; expected one type of it"),
                        (types + "; 1.5x = c", "'1.5x'; expected an input"), (types + "; cos = c -> c", "'cos'; expected an input"),
                        (types.replace("sin = b", "constants = b"), "'constants'; expected one type of it")):
        code, out, error = run(*words, wrong)
        expect(f"types {wrong}: {error}", code == 2 and said in error and error.count("\n") == 1)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for number, problem in enumerate(PROBLEMS):
        check_problem(number, *problem)
    check_refusals()
    check_run()
    check_law()
    check_prepared()
    check_typed_units()
    check_typed_by_hand()
sys.exit(1 if failures else 0)
