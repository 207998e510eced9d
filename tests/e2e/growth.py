#!/usr/bin/env python3
"""Inputs of four times the size take about four times as long, not sixteen; and what is said of them stays short."""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests"))

from program import find_program

GRAMPUS = find_program()
RUN = ["--population", "10", "--generations", "0", "--device", "cpu", "--threads", "1", "--quiet"]


def chain(n):
    """Single-production rules, one leading to the next."""
    return "".join(f"<r{i}> ::= <r{i + 1}>\n" for i in range(n)) + f"<r{n}> ::= x | y\n"


def words(n):
    """A column of different words."""
    return "".join(f"w{i * 7919 % 1000003},{i}\n" for i in range(n))


def twins(n):
    """Columns of one name."""
    return ",".join(["a"] * n) + "\n" + 2 * (",".join(["1"] * n) + "\n")


def wide(n):
    """Columns that test data have in another order."""
    names = [f"c{k}" for k in range(n)]
    pathlib.Path("turned").write_text(",".join(reversed(names)) + "\n" + ",".join(["1"] * n) + "\n")
    return ",".join(names) + "\n" + 2 * (",".join(["1"] * n) + "\n")


def derivations(n):
    """Genomes that PTC2 draws."""
    return (f"grammar: {ROOT}/grammars/nguyen.bnf\ninitialisation: ptc2\nmax-depth: 200\ngenome-length: {n}\n"
            f"max-genome-length: {2 * n}\ntarget-expression: x\nvariables: x = uniform(-1, 1)\ntrain-cases: 9\n")


def pairs(n):
    """Position-independent genomes that PTC2 draws."""
    return "mapping: pi\n" + derivations(n).replace(f"max-genome-length: {2 * n}", f"max-genome-length: {4 * n}")


CASES = [  # input, its sizes, arguments before its file, after it
    (chain, 3750, 60000, ["run", "--target-expression", "x+y", "--variables", "x,y=uniform(-1,1)", "--train-cases", "9",
                          "--grammar"], RUN),
    (chain, 3750, 60000, ["grammar", "check"], []),
    (words, 4000, 64000, ["run", "--genotype", "tree", "--categories", "--data"], RUN),
    (derivations, 2500, 40000, ["run"], RUN),
    (pairs, 2500, 40000, ["run", "--runs", "5"], RUN),
    (twins, 3125, 50000, ["run", "--genotype", "tree", "--data"], RUN),
    (wide, 6250, 100000, ["run", "--genotype", "tree", "--test-data", "turned", "--data"], RUN),
]


def seconds(arguments, folder, times):
    """Processor time of a call, the least of so many, and how many lines it prints."""
    least = 1e9
    for _ in range(times):
        with open(folder / "said", "wb+") as said:
            process = subprocess.Popen([GRAMPUS, *arguments], stdin=subprocess.DEVNULL, stdout=said,
                                       stderr=subprocess.STDOUT, cwd=folder)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            said.seek(0)
            lines = said.read().count(b"\n")
        least = min(least, usage.ru_utime + usage.ru_stime)
    return least, lines


def measured(make, small, large, command, folder, repeats):
    """Seconds for either size, and lines for the large one."""
    (folder / "input").write_text(make(small))
    short = seconds(command, folder, 3)[0]  # the least: growth over it is the largest
    (folder / "input").write_text(make(large))
    long, lines = seconds(command, folder, repeats)
    return short, long, lines


def main():
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chdir(folder)
        for make, small, large, before, after in CASES:
            for repeats in (1, 3):  # again only where others of this machine may have been in the way
                short, long, lines = measured(make, small, large, [*before, "input", *after], folder, repeats)
                # of 16: four times as much as in proportion, a quarter of the square
                good = long / max(short, 0.004) < 64 and lines < 40
                if good:
                    break
            failed |= not good
            print("ok" if good else "not ok", "-", make.__doc__, before[0])
            print(f"#   {short:.3f} s for {small}, {long:.3f} s for {large}; {lines} lines")
    return failed


if __name__ == "__main__":
    sys.exit(main())
