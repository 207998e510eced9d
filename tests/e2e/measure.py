#!/usr/bin/env python3
"""grampus grammar measure: what it counts in first generations against those of runs with the same seed; shares that
are known exactly, which the intervals have to hold about as often as they say. Python's standard library only."""
import csv
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
INFIX = "<e> ::= (<e> <o> <e>) | <v> | 1.0\n<o> ::= + | - | *\n<v> ::= x | x | 2\n"
# Numbers read off codons: sentences of one derivation that differ in a codon.
VALUES = "<e> ::= (<e> + <e>) | x | <GECodonValue> | <GECodonValue-1+9> | <GECodonValue[0.0,1.0]>\n"
# One codon of six values chooses: a four times, b twice.
LETTERS = "<s> ::= a | b | a\n"
KINDS = [["--initialisation", "ramped"], ["--initialisation", "uniform", "--genome-length", "30"],
         ["--initialisation", "pi-grow", "--init-max-depth", "8"], ["--initialisation", "grow", "--mapping", "pi"],
         ["--initialisation", "uniform", "--genome-length", "9", "--max-wraps", "2", "--codon-consumption", "lazy"]]
OF_VALUES = [["--initialisation", "ramped"], ["--initialisation", "uniform", "--mapping", "pi", "--codon-size", "255"]]


def measure(name, *options):
    return json.loads(subprocess.run([GRAMPUS, "grammar", "measure", name, "--json", *options], capture_output=True,
                                     text=True, check=True).stdout)


def as_a_run(grammar, options, seed):
    """What differs from the first generation of a run."""
    told = measure(grammar, "--samples", "300", "--seed", seed, *options)
    folder = f"run{len(os.listdir())}"
    subprocess.run([GRAMPUS, "run", "--target-expression", "x", "--variables", "x = uniform(0, 1)", "--train-cases", "9",
                    "--grammar", grammar, "--population", "300", "--generations", "0", "--seed", seed, "--quiet",
                    "--diversity", "--output", folder, *options], check=True)
    with open(glob.glob(f"{folder}/*/*/statistics.tsv")[0], encoding="utf-8") as file:
        row = next(csv.DictReader(file, delimiter="\t"))
    pairs = {"valid": (told["valid"]["value"] * 300, row["valid"]), "sentences": (told["sentences"], row["phenotypes"]),
             "used": (told["used_codons"]["mean"], row["ave_used_codons"]),
             "depth": (told["depth"]["mean"], row["ave_tree_depth"]),
             "deepest": (told["depth"]["most"], row["max_tree_depth"]),
             "nodes": (told["nodes"]["mean"], row["ave_derivation_nodes"])}
    return [f"{name} {a}, in a run {b}" for name, (a, b) in pairs.items() if abs(a - float(b)) > 1e-6 * abs(a)]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for name, text in {"infix.bnf": INFIX, "letters.bnf": LETTERS, "values.bnf": VALUES}.items():
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        kinds = [("infix.bnf", options) for options in KINDS] + [("values.bnf", options) for options in OF_VALUES]
        for number, (grammar, options) in enumerate(kinds):
            wrong = as_a_run(grammar, options, str(number + 3))
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} - measured as a run begins: {grammar} {' '.join(options)}" + "".join(
                f"\n#   {line}" for line in wrong))
        known = {"neutral": 5 / 9, "synonymous": 1 / 3, "redundancy": 5 / 9, "invalid": 0.0, "valid": 1.0}
        held = dict.fromkeys([*known, "first", "locality"], 0)
        for seed in range(60):
            told = measure("letters.bnf", "--samples", "400", "--seed", str(seed), "--initialisation", "uniform",
                           "--genome-length", "1", "--codon-size", "5")
            for name, value in known.items():
                held[name] += told[name]["low"] <= value <= told[name]["high"]
            share = told["rules"][0]["productions"][0]["share"]
            held["first"] += share["low"] <= 1 / 3 <= share["high"]
            held["locality"] += told["locality"]["value"] == 1
        for name, times in held.items():
            good = times >= 52
            failed += not good
            print(f"{'ok' if good else 'not ok'} - known shares: {name} held {times} of 60 times")
        one = [measure("infix.bnf", "--samples", "5000", "--threads", threads) for threads in ("1", "3")]
        failed += one[0] != one[1]
        print(f"{'ok' if one[0] == one[1] else 'not ok'} - any number of threads gives the same")
    return failed != 0


sys.exit(main())
