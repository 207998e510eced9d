#!/usr/bin/env python3
"""The runner of laws, on three of them: drawn, run, recovered, judged; a wrong law is told from a right one.

    GRAMPUS=build/grampus tests/e2e/laws.py"""
import importlib.util
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
RUNNER = os.path.join(ROOT, "problems", "laws", "laws.py")
data = os.path.join(os.environ.get("GRAMPUS_SHARED", os.path.join(ROOT, "..", "shared")), "data", "feynman")
if not os.path.isdir(data) or any(importlib.util.find_spec(m) is None for m in ("numpy", "sympy", "mpmath")):
    print("skipped: no laws, or no NumPy, SymPy and mpmath")
    sys.exit(0)
failures = 0


def expect(what, right):
    global failures
    if not right:
        failures += 1
        print("FAILED:", what)


with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([sys.executable, RUNNER, "--grampus", GRAMPUS, "--data", data, "--seconds", "5", "--laws",
                           "I.12.1,I.14.4,I.27.6", "--out", folder], capture_output=True, text=True)
    expect(f"runs: {done.stderr}", done.returncode == 0 and "3 runs of 3 laws; recovered" in done.stdout)
    with open(os.path.join(folder, "laws.tsv")) as file:
        rows = [dict(zip(("number", "law", "tune", "seed", "noise", "sympy", "numeric", "exact"), line.split("\t")))
                for line in file.read().splitlines()[1:]]
    expect(f"recovered: {rows}", all(r["sympy"] == r["numeric"] == r["exact"] == "1" for r in rows if r["law"] != "I.27.6"))
    done = subprocess.run([sys.executable, RUNNER, "--data", data, "--laws", "I.12.1", "--training", "10000", "--seeds", "2-3",
                           "--prepare", folder], capture_output=True, text=True)
    expect(f"prepared: {done.stderr}", done.returncode == 0)
    for seed, there in ((1, True), (2, True), (3, True), (4, False)):
        expect(f"seed {seed}", os.path.isdir(os.path.join(folder, f"I.12.1_0_{seed}")) == there)
    with open(os.path.join(folder, "I.12.1_0_2", "test-itself.csv")) as file:
        expect("10 000 training cases, of which the search has 256", len(file.readlines()) == 1 + 10000 - 256 + 1000)
    done = subprocess.run([sys.executable, RUNNER, "--grampus", GRAMPUS, "--data", data, "--seconds", "1", "--laws", "I.12.1",
                           "--option", "populaton=9", "--out", os.path.join(folder, "slip")], capture_output=True, text=True)
    expect(f"a setting that there is not: {done.stderr}", done.returncode == 1 and done.stderr.startswith("laws.py: 1 of 1 have no run, I.12.1: ")
           and "populaton" in done.stderr)
    for option in ("--laws=I.12.1,FOO", "--seeds=3-1", "--seeds=x", "--seconds=0", "--together=0", "--settings=none.yml", "--forms=foo", "--turns=x",
                   "--turns=0", "--option=foo", "--noise=-1", "--noise=", "--within=", "--training=1", "--cases=0", "--judge=/nowhere"):
        done = subprocess.run([sys.executable, RUNNER, "--grampus", GRAMPUS, "--data", data, "--seconds", "1", "--laws", "I.12.1", "--out",
                               os.path.join(folder, "none"), option], capture_output=True, text=True)
        expect(f"{option}: {done.stderr}", done.returncode == 2 and "laws.py: error: " in done.stderr)
    expect("nothing was drawn", not os.path.exists(os.path.join(folder, "none")))
    expect("picture", os.path.getsize(os.path.join(folder, "laws.svg")) > 500)

sys.path.insert(0, os.path.dirname(RUNNER))
import laws  # noqa: E402
law = {one.name: one for one in laws.read_laws(data)}
expect("120 laws", len(law) == 120)
right, wrong = "square(v) * m * (1/2) + square(u) * (m/2) + m * square(w)/2", "m * square(v + u + w)/2"
expect("right by numbers", laws.same_by_numbers(right, law["I.13.4"]))
expect("right by SymPy", laws.same_by_sympy(right, law["I.13.4"]))
expect("a multiple is right", laws.same_by_sympy("m * (v**2 + u**2 + w**2)", law["I.13.4"]))
expect("wrong by numbers", not laws.same_by_numbers(wrong, law["I.13.4"]))
expect("wrong by SymPy", not laws.same_by_sympy(wrong, law["I.13.4"]))


def found(rmse, size=5, exact=False):
    return {"law": {"training": {"rmse": rmse}, "size": size, "exact": exact}}


expect("an error that is no number is the worst", laws.is_better(found(1.0), found("inf")) and not laws.is_better(found("inf"), found(1.0)))
expect("of two of them neither", not laws.is_better(found("inf"), found("inf")))
expect("nan is not better", not laws.is_better(found("nan"), found(1.0)))
expect("as good and smaller", laws.is_better(found(1.0, 4), found(1.0)) and not laws.is_better(found(1.0, 6), found(1.0)))
expect("exact before all", laws.is_better(found(1.0, 9, True), found(0.5)))
sys.exit(1 if failures else 0)
