#!/usr/bin/env python3
"""Known genotype-to-phenotype mappings against `grampus map`. The cases are not part of this repository (another
licence): they stand in $GRAMPUS_SHARED/cases/ge, or ../shared beside the checkout. Python's standard library only."""
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
KEYS = ("valid", "phenotype", "used_codons", "depth", "nodes")


def groups(cases):
    """The limits are options of the verb: lines that share them are mapped together."""
    found = {}
    for number, case in enumerate(cases, 1):
        found.setdefault((case["max_wraps"], case["max_depth"]), []).append((number, case))
    return found


def run(grammar, wraps, depth, n_vars, genomes):
    command = [GRAMPUS, "map", "--grammar", grammar, "--genomes", "-", "--json",
               "--max-wraps", str(wraps), "--max-depth", str(depth)]
    command += ["--n-vars", str(n_vars)] if n_vars else []
    text = "".join(json.dumps(genome) + "\n" for genome in genomes)
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip()
    return [json.loads(line) for line in done.stdout.splitlines()], ""


def check(entry):
    """(cases that agree, cases, what is wrong)"""
    name, agree = entry["name"], 0
    with open(os.path.join(CASES, name + ".jsonl"), encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    for (wraps, depth), group in groups(cases).items():
        answers, error = run(os.path.join(CASES, name + ".bnf"), wraps, depth,
                             entry["dataset_n_vars"], [case["genome"] for _, case in group])
        if answers is None or len(answers) != len(group):
            return agree, len(cases), error or "answers are missing"
        for (number, case), answer in zip(group, answers):
            wrong = [key for key in KEYS if answer.get(key) != case[key]]
            if wrong or set(answer) != set(KEYS):
                return agree, len(cases), f"line {number}: {wrong}, got {json.dumps(answer)[:300]}"
            agree += 1
    return agree, len(cases), ""


def main():
    if not os.path.isdir(CASES):
        print(f"ok - mapping cases # skipped: no folder {CASES}")
        return 0
    failed = 0
    with open(os.path.join(CASES, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    for entry in manifest:
        agree, count, wrong = check(entry)
        failed += agree != count
        print(f"{'ok' if agree == count else 'not ok'} - {entry['name']}: {agree} of {count} "
              f"mappings{'; ' + wrong if wrong else ''}")
    return failed != 0


sys.exit(main())
