#!/usr/bin/env python3
"""Checkpoints that are damaged at random: bytes, words, pieces of others in their place, ends cut off. Each is refused with a
line of error, or the run that is resumed from it ends as the undisturbed one; none crashes the program.

    checkpoints.py --grampus build/grampus --count 400 --seed 1

Python's standard library only."""
import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from program import find_program

RUN = ["--genotype", "tree", "--target-expression", "x * x + sin(x)", "--variables", "x = uniform(-1, 1)", "--train-cases",
       "20", "--population", "30", "--max-nodes", "40", "--epoch", "2", "--checkpoint", "1e-9", "--quiet", "--threads", "1"]
WORDS = (b"\xff" * 8, b"\0" * 8, b"\xff\xff\xff\x7f\0\0\0\0", b"\x01\0\0\0\0\0\0\x80")


def damaged(good, chance):
    data = bytearray(good)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        at, kind = chance.randrange(len(data)), chance.randrange(12)
        if kind < 5:
            data[at] ^= 1 << chance.randrange(8)
        elif kind < 8:
            data[at:at + 8] = chance.choice(WORDS)
        elif kind < 11:
            other = chance.randrange(len(good))
            piece = good[other:other + chance.randrange(1, 64)]
            data[at:at + len(piece)] = piece
        else:
            del data[at + 1:]
    return bytes(data)


class Runs:
    def __init__(self, grampus, work):
        self.grampus, self.work = os.path.abspath(grampus), work
        self.start("half", 7)
        self.half = self.only("half")
        os.remove(os.path.join(self.half, "checkpoint.old.h5"))
        with open(os.path.join(self.half, "checkpoint.h5"), "rb") as file:
            self.good = file.read()
        self.start("whole", 12)
        self.whole = self.rows(self.only("whole"))

    def start(self, name, generations):
        subprocess.run([self.grampus, "run", *RUN, "--generations", str(generations), "--output", os.path.join(self.work, name)],
                       check=True, stdin=subprocess.DEVNULL)

    def only(self, name):
        return next(folder for folder, _, files in os.walk(os.path.join(self.work, name)) if "run.yaml" in files)

    @staticmethod
    def rows(folder):
        with open(os.path.join(folder, "statistics.tsv")) as file:
            return [line.split("\t")[:-1] for line in file]

    def resume(self, number, data):
        """'refused' or 'the same'; or what is wrong."""
        folder = os.path.join(self.work, f"damaged-{number}")
        shutil.copytree(self.half, folder)
        with open(os.path.join(folder, "checkpoint.h5"), "wb") as file:
            file.write(data)
        try:
            done = subprocess.run([self.grampus, "resume", folder, "--generations", "12", "--quiet"], capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=60)
        except subprocess.TimeoutExpired:
            return "it does not end"
        said = done.stderr.decode(errors="replace")
        if done.returncode == 2 and said.count("\n") == 1:
            verdict = "refused" if self.rows(folder) == self.rows(self.half) else "refused, but the statistics have changed"
        elif done.returncode == 0:
            verdict = "the same" if self.rows(folder) == self.whole else "another result"
        else:
            verdict = f"exit code {done.returncode}: {said[:200]!r}"
        shutil.rmtree(folder)
        return verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--grampus")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.grampus = find_program(options.grampus)
    with tempfile.TemporaryDirectory() as work:
        runs = Runs(options.grampus, work)
        changed = [damaged(runs.good, random.Random(f"{options.seed} {n}")) for n in range(options.count)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            verdicts = list(pool.map(runs.resume, range(options.count), changed))
    wrong = [(n, v) for n, v in enumerate(verdicts) if v not in ("refused", "the same")]
    for n, verdict in wrong:
        print(f"not ok - damage {n} of seed {options.seed}: {verdict}")
    counts = collections.Counter(verdicts)
    print(f"# {len(verdicts)} damaged checkpoints, {counts['refused']} refused, {counts['the same']} led to the same, "
          f"{len(wrong)} to something else")
    return bool(wrong) or not counts["refused"]


if __name__ == "__main__":
    sys.exit(main())
