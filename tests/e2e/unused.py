#!/usr/bin/env python3
"""Settings that are named and not read (host/settings/uses.def): every one of them in a run that it changes nothing in,
to the byte, and which says so in its report, in best.json and again from its run.yaml, that names it; the other way round
none is told of where it is read. Python's standard library only."""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
USES = os.path.join(ROOT, "host", "settings", "uses.def")
COMMON = {"preset": "none", "population": "40", "generations": "6", "device": "cpu", "threads": "1"}
DATA = {"data": "t.csv", "target": "z", "metric": "rmse", **COMMON}
TREE = {"genotype": "tree", **DATA}
GRAMMAR = {"grammar": "t.bnf", **DATA}
LISTS = {"genotype": "structured", **GRAMMAR}
WORDS = {"boolean": "parity-4", "genotype": "tree", "constant-probability": "0.2", **COMMON}
MADE = {"target-expression": "x * x", "variables": "x = grid(0, 1, 0.1)", "genotype": "tree", **COMMON}
ISLANDS = {**TREE, "islands": "3"}
MIXED = {**TREE, "constant-probability": "0.3"}
# A run, and what is named beside it for nothing.
UNREAD = [
    (GRAMMAR, "functions", "sin, cos"), (GRAMMAR, "constant-probability", "0.5"), (GRAMMAR, "constant-min", "-9"),
    (GRAMMAR, "constant-max", "9"), (GRAMMAR, "point-mutation", "0.9"), (GRAMMAR, "constant-creep", "gaussian"),
    (GRAMMAR, "creep-deviation", "7"), (GRAMMAR, "multi-point-rate", "0.9"), (GRAMMAR, "init-min-nodes", "2"),
    (GRAMMAR, "init-max-nodes", "9"), (GRAMMAR, "subtree-mutation-depth", "3"), (GRAMMAR, "subtree-mutation-growth", "grow"),
    (GRAMMAR, "units", "x = m; y = m; z = m"), (GRAMMAR, "units-depth", "4"), (GRAMMAR, "unit-constants", "7"),
    (GRAMMAR, "dimensioned-constants", "true"), (GRAMMAR, "class-rule", "sign"), (GRAMMAR, "thresholds", "0.5"),
    (GRAMMAR, "tolerance", "5"), (LISTS, "genome-length", "9"), (LISTS, "crossover-within-used", "false"),
    ({**GRAMMAR, "crossover": "subtree"}, "crossover-within-used", "false"),
    ({**GRAMMAR, "initialisation": "uniform"}, "init-min-depth", "5"),
    ({**GRAMMAR, "initialisation": "uniform"}, "init-max-depth", "5"),
    ({**GRAMMAR, "initialisation": "ptc2"}, "init-max-depth", "5"),
    ({**GRAMMAR, "initialisation": "uniform"}, "distinct-ramp", "true"),
    ({**GRAMMAR, "codon-mutation": "0"}, "mutation-within-used", "false"),
    ({**LISTS, "codon-mutation": "0"}, "mutation-within-used", "false"),
    (TREE, "distinct-ramp", "true"), (TREE, "grammar", "t.bnf"), (TREE, "n-is", "7"), (TREE, "n-os", "7"),
    (TREE, "max-wraps", "3"), (TREE, "genome-length", "20"), (TREE, "max-genome-length", "400"), (TREE, "codon-size", "255"),
    (TREE, "max-derivation-nodes", "5"), (TREE, "codon-mutation", "0.5"), (TREE, "mutation-events", "3"),
    (TREE, "mutation-within-used", "false"), (TREE, "crossover-within-used", "false"), (TREE, "constant-min", "-9"),
    (TREE, "creep-deviation", "7"), (TREE, "multi-point-rate", "0.9"), (TREE, "init-min-nodes", "2"),
    ({**MIXED, "constants": "1, 2"}, "constant-min", "-9"), ({**MIXED, "constants": "1, 2"}, "constant-max", "9"),
    ({**MIXED, "constants": "1, 2", "constant-mutation": "0.5"}, "creep-deviation", "7"),
    (WORDS, "constant-max", "0.1"), ({**WORDS, "constant-mutation": "0.5"}, "creep-deviation", "7"),
    ({**WORDS, "constant-mutation": "0.5"}, "constant-creep", "table"),
    ({**TREE, "initialisation": "grow", "init-max-depth": "6"}, "init-min-depth", "5"),
    ({**TREE, "crossover": "common-point"}, "function-points", "0.5"),
    ({**TREE, "crossover": "none"}, "crossover-probability", "0.1"),
    ({**TREE, "operators": "crossover 0.5, point 0.4"}, "crossover-probability", "0.1"),
    ({**TREE, "operators": "crossover 0.5, point 0.4"}, "subtree-mutation-depth", "2"),
    ({**TREE, "operators": "crossover 0.5, point 0.4"}, "subtree-mutation-growth", "ramped"),
    ({**TREE, "topology": "torus", "deme-width": "8"}, "tournament", "7"),
    ({**TREE, "topology": "torus", "deme-width": "8"}, "children", "one"),
    ({**TREE, "selection": "roulette"}, "tournament", "7"), (TREE, "deme-width", "7"), (TREE, "deme-height", "7"),
    (TREE, "epsilon", "static"), (TREE, "lexicase-cases", "3"), (TREE, "lexicase-batch", "2"), (TREE, "rank-pressure", "1.5"),
    ({**TREE, "selection": "lexicase"}, "epsilon", "static"), (TREE, "truncation", "0.2"), (TREE, "parsimony-strength", "5"),
    ({**TREE, "parsimony": "covariant"}, "parsimony-strength", "5"), (TREE, "niches", "64"), (TREE, "niche-share", "0.9"),
    (TREE, "children-per-step", "5"), (TREE, "sample-every", "3"), (TREE, "optimise-iterations", "9"),
    (TREE, "optimise-share", "0.9"), ({**TREE, "optimise-constants": "all"}, "optimise-share", "0.9"),
    ({**TREE, "case-sampling": "fixed", "sample-cases": "20"}, "sample-every", "3"),
    (TREE, "data-seed", "7"), (MADE, "data-seed", "7"), (TREE, "split", "random"), (TREE, "lags", "1, 2"),
    (MADE, "delimiter", "tab"), (MADE, "header", "yes"), (MADE, "categories", "true"),
    (TREE, "migration-every", "3"), (TREE, "migration-size", "3"), (TREE, "migrants", "random"),
    (TREE, "migration-topology", "full"), (TREE, "migrants-replace", "random"),
    ({**ISLANDS, "migration-every": "0"}, "migration-size", "3"), ({**ISLANDS, "migration-size": "0"}, "migrants", "random"),
    ({**TREE, "metric": "misclassified"}, "thresholds", "0.5"), ({**TREE, "metric": "f1"}, "thresholds", "0.9"),
    (TREE, "math", "fast"), (TREE, "devices", "0,1"), (TREE, "graph", "false"),
    (TREE, "width", "8"), (TREE, "warps", "8"), (TREE, "tile", "2"),
    (TREE, "specialise", "always"), (TREE, "dump-first", "3"), ({**TREE, "runs": "2"}, "ponyge2-statistics", "true"),
]
# Nothing here is told of.
READ = [
    {**MIXED, "functions": "+, sin", "constant-min": "-2", "constant-max": "3", "constant-mutation": "0.4",
     "creep-deviation": "0.3", "point-mutation": "0.2", "subtree-mutation-depth": "3", "tournament": "3", "init-min-depth": "3",
     "init-max-depth": "4", "crossover-probability": "0.5", "function-points": "0.9", "multi-point-mutation": "0.1",
     "multi-point-rate": "0.2", "delimiter": "comma", "header": "yes", "children": "one"},
    {**GRAMMAR, "max-wraps": "2", "genome-length": "50", "max-genome-length": "300", "codon-size": "999", "n-is": "4",
     "init-max-depth": "8", "distinct-ramp": "true", "codon-mutation": "0.1", "subtree-mutation": "0.2",
     "subtree-mutation-depth": "5", "mutation-within-used": "false", "crossover-within-used": "false"},
    {**TREE, "metric": "misclassified", "class-rule": "thresholds", "thresholds": "0.5, 1.5"},
    {**TREE, "metric": "balanced-accuracy", "thresholds": "0.5"}, {**TREE, "metric": "hits", "tolerance": "0.5"},
    {**TREE, "objectives": "error, hits", "tolerance": "0.5", "tournament": "3"},
    {**TREE, "initialisation": "ptc2", "init-min-nodes": "3", "init-max-nodes": "9", "init-max-depth": "5"},
    {**ISLANDS, "selection": "rank", "rank-pressure": "1.5", "migrants": "tournament", "tournament": "3",
     "migration-every": "2", "migration-size": "2", "migration-topology": "full", "migrants-replace": "random"},
    {**TREE, "validation-fraction": "0.2", "data-seed": "3", "test-fraction": "0.2", "split": "random"},
    {**TREE, "optimise-constants": "share", "optimise-share": "0.2", "optimise-iterations": "3"},
    {**DATA, "units": "x = m; y = m; z = m^2", "functions": "+, *", "units-depth": "3", "unit-constants": "1"},
]
failures = 0


def check(what, good, told=""):
    global failures
    failures += not good
    print(("ok - " if good else "not ok - ") + what, "" if good else told)


def run(settings):
    """best.json, and what a run is to the byte: its best program and its statistics without the time."""
    options = [word for key, value in settings.items() for word in (f"--{key}", value)]
    done = subprocess.run([GRAMPUS, "run", *options, "--output", "out", "--json"], capture_output=True, text=True)
    if done.returncode:
        return {}, done.stderr
    best = json.loads(done.stdout)
    with open(os.path.join(best["results"], "statistics.tsv"), encoding="utf-8") as file:
        head = next(file).rstrip("\n").split("\t")
        at = head.index("time")
        rows = [row[:at] + row[at + 1:] for row in (line.rstrip("\n").split("\t") for line in file)]
    return best, [best["infix"], best["fitness"], rows]


def again(best, *more):
    """What its run.yaml repeats."""
    path = os.path.join(best["results"], "run.yaml")
    return subprocess.run([GRAMPUS, "run", path, "--output", "out", *more], capture_output=True, text=True, check=True).stdout


def main():
    plain = {}
    for settings, key, value in UNREAD:
        name = " ".join(f"{k} {v}" for k, v in settings.items() if COMMON.get(k) != v and DATA.get(k) != v)
        if name not in plain:
            plain[name] = run(settings)
            check(f"nothing is told of: {name}", plain[name][0] and "unused" not in plain[name][0], plain[name])
        best, found = run({**settings, key: value})
        check(f"{name}: {key} is told of, and nothing else", best.get("unused") == [key], found)
        check(f"{name}: {key} changes nothing", found == plain[name][1])
        if best:
            told = json.loads(again(best)).get("unused")
            check(f"{name}: {key} is told of by run.yaml too", told == [key], told)
    for settings in READ:
        best, found = run(settings)
        check(f"all is read: {settings}", best and "unused" not in best, best.get("unused", found))
        check("and by run.yaml", best and "unused" not in json.loads(again(best)))
    best, _ = run({**GRAMMAR, "functions": "sin", "constant-min": "-9", "thresholds": "1", "rank-pressure": "1.5"})
    lines = [line for line in again(best, "--no-json").splitlines() if line.startswith("unused ")]
    check("one line of all", lines == ["unused      functions, constant-min: for genotype tree; rank-pressure: for selection rank; "
                                       "thresholds: for metric misclassified or balanced-accuracy"], lines)
    with open(USES, encoding="utf-8") as file:
        keys = {key.replace("_", "-") for key in re.findall(r"^GR_USE\((\w+),", file.read(), re.M)}
    tried = {key for _, key, _ in UNREAD}
    check("every line of uses.def was tried", keys and keys == tried, keys ^ tried)


with tempfile.TemporaryDirectory() as home:
    os.chdir(home)
    with open("t.csv", "w", encoding="utf-8") as file:
        file.write("x,y,z\n" + "".join(f"{k % 7},{k % 5},{k % 3}\n" for k in range(60)))
    with open("t.bnf", "w", encoding="utf-8") as file:
        file.write("<e> ::= (<e> <o> <e>) | sin(<e>) | x | y | GE_RANGE:4\n<o> ::= + | - | *\n")
    main()
sys.exit(failures > 0)
