#!/usr/bin/env python3
"""`grampus parse` over the phenotypes of the mapping cases (see map_cases.py): the genome found maps to the same text
with the depth, nodes and codons it was found with, and is no deeper than PonyGE2's. Python's standard library only."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
SHARED = os.environ.get("GRAMPUS_SHARED", os.path.join(os.path.dirname(ROOT), "shared"))
CASES = os.path.join(SHARED, "cases", "ge")


def run(verb, options, values):
    done = subprocess.run([GRAMPUS, verb, *options], input="".join(json.dumps(value) + "\n" for value in values),
                          capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    if not os.path.isdir(CASES):
        print(f"ok - phenotypes to genomes # skipped: no folder {CASES}")
        return 0
    with open(os.path.join(CASES, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    failed = 0
    for entry in manifest:
        with open(os.path.join(CASES, entry["name"] + ".jsonl"), encoding="utf-8") as file:
            cases = [case for case in map(json.loads, file) if case["valid"]]
        options = ["--grammar", os.path.join(CASES, entry["name"] + ".bnf"), "--json"]
        options += ["--n-vars", str(entry["dataset_n_vars"])] if entry["dataset_n_vars"] else []
        parsed = run("parse", options + ["--strings", "--phenotypes", "-"], [case["phenotype"] for case in cases])
        mapped = run("map", options + ["--genomes", "-"], [answer.get("genome", [0]) for answer in parsed])
        same = sum(again["phenotype"] == case["phenotype"] and again["depth"] == answer["depth"] <= case["depth"] and
                   again["nodes"] == answer["nodes"] and again["used_codons"] == len(answer["genome"])
                   for case, answer, again in zip(cases, parsed, mapped))
        failed += same != len(cases)
        print(f"{'ok' if same == len(cases) else 'not ok'} - parse: {entry['name']}, {same} of {len(cases)} phenotypes")
    return failed != 0


sys.exit(main())
