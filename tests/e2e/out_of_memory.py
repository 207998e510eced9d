#!/usr/bin/env python3
"""Allocations that fail: whichever it is, the verb does all it should, or ends with exit code 4 and one line of error.
Nothing is left out in silence, and no other error is made of it. Every allocation of each call with --step 1."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests"))

from program import find_program

GRAMPUS = find_program()
SHIM = os.path.join(os.path.dirname(GRAMPUS), "tests/faults/shim.so")
NEVER = 10**9

TABLE = "a,b,y\n" + "".join(f"{i},{i * 2 % 7},{i % 3}\n" for i in range(50))
FILES = {
    "t.csv": TABLE,
    "words.csv": "a,b,y\n" + "".join(f"{i},w{i * 2 % 7},c{i % 3}\n" for i in range(50)),
    "g.bnf": "<e> ::= <e> + <e> | <v>\n<v> ::= a | b\n",
    "n.bnf": "<e> ::= <e> + <e> | <v>\n<v> ::= 1 | 2\n",  # expressions without a table
    "genomes": "[1,2,3,4,5,6,7,8]\n[0,1,0,1]\n",
    "quoted": '"a + b"\n',
    "seeds": "a + b\na\n",
    "one/1.txt": "Phenotype:\na + a\nGenotype:\n[0, 1, 0, 1, 0]\n",
    "s.fa": ">a pos\nACDEF\n>b neg\nACC\n",
    "genome.yaml": "data: t.csv\ngrammar: g.bnf\nseeds: seeds\npopulation: 20\ngenerations: 2\n",
    "words.yaml": "data: words.csv\ncategories: true\nmetric: misclassified\ngenotype: tree\npopulation: 20\n"
                  "generations: 2\n",
    "p.txt": "DATASET_TRAIN: t.csv\nGRAMMAR_FILE: g.bnf\nPOPULATION_SIZE: 20\nGENERATIONS: 2\nTARGET_SEED_FOLDER: one\n",
}
CALLS = [  # arguments; whether the output must be the same
    ("eval --expression a*b --data t.csv --target y --json", True),
    ("eval --expression a*b --data t.csv --target y", True),
    ("grammar check n.bnf --json", True),
    ("grammar show g.bnf --json", True),
    ("grammar stats g.bnf --json --max-depth 4", True),
    ("map --grammar g.bnf --genomes genomes --json", True),
    ("parse --grammar g.bnf --phenotypes quoted --json", True),
    ("devices --json", True),
    ("run genome.yaml --json", False),
    ("run words.yaml", False),
    ("run --parameters p.txt", False),
    ("run --target-expression x*x --variables x=uniform(-1,1) --train-cases 10 --test-cases 4 --genotype tree"
     " --population 20 --generations 2 --runs 2", False),
    ("run --sequences s.fa --positive pos --genotype tree --population 10 --generations 1", False),
]


def call(arguments, folder, at, on):
    shutil.rmtree(folder / "results", ignore_errors=True)
    environment = dict(os.environ, LD_PRELOAD=SHIM, GRAMPUS_FAULT=f"memory:{at}{'+' if on else ''}",
                       GRAMPUS_FAULT_REPORT=str(folder / "report"))
    more = ["--device", "cpu", "--threads", "2"] if arguments.startswith("run") else []
    return subprocess.run([GRAMPUS, *arguments.split(), *more], capture_output=True, env=environment, cwd=folder,
                          stdin=subprocess.DEVNULL, timeout=60)


def allocations(folder):
    return int((folder / "report").read_text().split()[1])


def wrong(arguments, same, good, done):
    """What is wrong with a call one of whose allocations failed; None: nothing."""
    errors = done.stderr.decode(errors="replace").splitlines()
    if errors and re.search(r"\b1 ([a-z]+ )?[a-z]+[^s\W]s\b", errors[-1]):
        return f"{errors[-1]!r}: one, and many in words"
    if done.returncode == 4 and errors and "memory" in errors[-1]:
        return None
    if done.returncode == 0 and (not same or done.stdout == good.stdout):
        return None
    return f"exit code {done.returncode}, {errors[-1] if errors else 'no error'!r}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--step", type=int, default=19, help="try every so manieth allocation")
    step = parser.parse_args().step
    if os.environ.get("SANITIZE"):
        print("ok - allocations that fail # skipped: the sanitizers have their own allocator")
        return 0
    if not os.path.exists(SHIM):
        print(f"ok - allocations that fail # skipped: no {SHIM}")
        return 0
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path, text in FILES.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text)
        for arguments, same in CALLS:
            good = call(arguments, folder, NEVER, False)
            count = allocations(folder)
            troubles = [] if good.returncode == 0 and count > 20 else ["it does not work at all"]
            for k, at in enumerate(range(1, count + 1, step)):
                problem = wrong(arguments, same, good, call(arguments, folder, at, k % 2))
                troubles += [f"allocation {at} of {count}: {problem}"] if problem else []
            print("not ok" if troubles else "ok", "-", arguments)
            for line in troubles[:5]:
                print("#  ", line)
            failed |= bool(troubles)
    return failed


if __name__ == "__main__":
    sys.exit(main())
