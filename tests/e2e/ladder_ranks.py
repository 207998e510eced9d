#!/usr/bin/env python3
"""ladder-ranks: ranks, Friedman's test, pairs and Shaffer's procedure of made grids, held to the formulas; what it refuses.

    GRAMPUS=build/grampus tests/e2e/ladder_ranks.py    (ladder-ranks stands beside it)"""
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

RANKS = os.path.join(os.path.dirname(find_program()), "ladder-ranks")
HEAD = "problem\tstrategy\tpopulation\tcases\tseeds\tgpops\tkernel_gpops\n"
passed = failed = 0


def expect(what, right):
    global passed, failed
    passed, failed = passed + bool(right), failed + (not right)
    if not right:
        print("FAILED:", what)


def run(*arguments):
    done = subprocess.run([RANKS, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def write_grid(path, rates, problem="regression"):
    """A row of rates for each cell."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD)
        for cell, row in enumerate(rates):
            for strategy, rate in enumerate(row):
                file.write(f"{problem}\ts{strategy}\t{100 + cell}\t100\t3\t{rate}\t1\n")


def ranks_of(row):
    """The fastest has rank 1; equal ones share."""
    return [sum(other > one for other in row) + (1 + sum(other == one for other in row)) / 2 for one in row]


def true_counts(k):
    """How many of the hypotheses of k strategies, that two are alike, can be true together."""
    return {0} if k < 2 else {j * (j - 1) // 2 + rest for j in range(1, k + 1) for rest in true_counts(k - j)}


def near(text, value, share=1e-4):
    return abs(float(text) - value) <= share * abs(value) + 1e-6


def hold(rates):
    cells, k = len(rates), len(rates[0])
    write_grid("grid.tsv", rates)
    code, out, error = run("grid.tsv")
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    rank = [sum(one) / cells for one in zip(*map(ranks_of, rates))]
    expect(f"ranks of {k} in {cells} cells: {error}", code == 0 and all(near(row[4], rank[int(row[2][1:])], 6e-4)
                                                        for row in rows if row[1] == "rank") and len(rows) == 1 + k + k * (k - 1) // 2)
    squares = sum((rank_of_one - (k + 1) / 2) ** 2 for row in rates for rank_of_one in ranks_of(row))
    chi2 = cells * cells * (k - 1) * sum((one - (k + 1) / 2) ** 2 for one in rank) / squares  # with ties
    expect(f"Friedman of {k} in {cells} cells", near(rows[0][4], chi2))
    pairs = []
    for _, kind, a, b, z, p, shaffer in rows:
        if kind == "pair":
            of = (rank[int(a[1:])] - rank[int(b[1:])]) / math.sqrt(k * (k + 1) / (6 * cells))
            expect(f"pair {a}, {b} of {k} in {cells} cells", near(str(abs(float(z))), abs(of)) and near(p, math.erfc(abs(of) / math.sqrt(2))))
            pairs.append((math.erfc(abs(of) / math.sqrt(2)), shaffer))
    least, counts = 0.0, true_counts(k)
    for at, (p, shaffer) in enumerate(sorted(pairs, key=lambda one: one[0])):
        most = max(count for count in counts if count <= len(pairs) - at)
        least = max(least, min(1.0, most * p))
        expect(f"Shaffer's procedure, {at} of {k} in {cells} cells", near(shaffer, least))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    draw = random.Random(1)
    for k, cells in ((2, 1), (3, 4), (5, 9), (7, 36), (4, 2)):
        hold([[1 + draw.randrange(4 if k == 5 else 1000) + s for s in range(k)] for _ in range(cells)])
    for help_word in ("--help", "-h"):
        code, out, error = run(help_word)
        expect(f"{help_word}: {error}", code == 0 and out.startswith("usage:") and not error)
    write_grid("many.tsv", [[1 + s for s in range(33)]])
    write_grid("cells.tsv", [[1, 2]] * 65)
    write_grid("one.tsv", [[1]])
    write_grid("gap.tsv", [[1, 2], [1]])
    with open("other.tsv", "w", encoding="utf-8") as file:
        file.write("a\tb\n1\t2\n")
    for arguments, code_of, said in (((), 2, "expected those of ladder"), (("--frob",), 2, "--frob: unknown"),
                                     (("grid.tsv", "--table"), 2, "--table: unknown, or without"), (("none.tsv",), 1, "cannot be read"),
                                     (("many.tsv",), 2, "at most 32"), (("cells.tsv",), 2, "and 64"), (("other.tsv",), 2, "no table"),
                                     (("one.tsv",), 2, "fewer than two"), (("gap.tsv",), 2, "s1: not measured in every cell"),
                                     (("grid.tsv", "--table", "no/where"), 1, "cannot be written")):
        code, out, error = run(*arguments)
        expect(f"{arguments}: {code} {error}", code == code_of and said in error and error.count("\n") == 1)
    code, out, error = run("grid.tsv", "--table", "ranks.tsv")
    with open("ranks.tsv", encoding="utf-8") as file:
        expect("a table", code == 0 and not out and file.read() == run("grid.tsv")[1])
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
