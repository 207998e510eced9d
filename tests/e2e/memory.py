#!/usr/bin/env python3
"""The memory that a run says it takes, against the most it took; tables that have no end, or unpack to too much."""
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests"))

from program import find_program

GRAMPUS = find_program()
FAILED = []


def check(name, good, why=""):
    print("ok" if good else "not ok", "-", name)
    if not good:
        print("#  ", why)
        FAILED.append(name)


def run(folder, *arguments):
    """Exit code, output, errors, the most memory in bytes."""
    call = [GRAMPUS, "run", *arguments, "--genotype", "tree", "--population", "10", "--generations", "1",
            "--device", "cpu", "--threads", "1", "--json"]
    with open(folder / "out", "w+") as out, open(folder / "err", "w+") as err:
        process = subprocess.Popen(call, stdout=out, stderr=err, cwd=folder, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), usage.ru_maxrss * 1024


def main():
    if os.environ.get("SANITIZE"):
        print("ok - memory # skipped: the sanitizers take their own")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = [",".join(f"{random.random():.6f}" for _ in range(10)) + "\n" for _ in range(1000)]
        (folder / "small.csv").write_text("".join(rows))
        with open(folder / "large.csv", "w") as plain, gzip.open(folder / "large.csv.gz", "wb", 1) as packed:
            for _ in range(300):
                plain.write("".join(rows))
                packed.write("".join(rows).encode())
        base = run(folder, "--data", "small.csv")[3]  # this interpreter's, where that is more
        for more in (["large.csv"], ["large.csv.gz"], ["large.csv", "--split", "random", "--test-fraction", "0.4"],
                     ["large.csv", "--test-data", "large.csv"]):
            code, out, err, peak = run(folder, "--data", *more)
            planned = json.loads(out)["device"]["host_memory_bytes"] if code == 0 else 0
            check(f"planned and taken ({' '.join(more)})", 0.9 * planned <= peak <= 1.1 * planned + base,
                  f"planned {planned / 1e6:.1f} MB, taken {peak / 1e6:.1f} MB, at rest {base / 1e6:.1f} MB {err}")
        code, _, err, peak = run(folder, "--data", "/dev/zero")
        check("a table without an end", code == 2 and "/dev/zero:1:1: a NUL" in err and peak < base + 40e6,
              f"exit code {code}, {peak / 1e6:.1f} MB, {err}")
        with gzip.open(folder / "bomb.gz", "wb", 6) as packed:
            for _ in range(200):
                packed.write(b"1" * 1000000)
        code, _, err, peak = run(folder, "--data", "bomb.gz")
        check("a table that unpacks to much", code == 2 and "unpacks to more than 400 times" in err and
              peak < base + 100e6, f"exit code {code}, {peak / 1e6:.1f} MB, {err}")
        arguments = ["--target-expression", "x", "--variables", ",".join(f"x{k}" for k in range(255)) +
                     ", x = uniform(-1, 1)", "--train-cases", "1000000000"]
        code, _, err, peak = run(folder, *arguments)
        check("cases that do not fit", code == 4 and "MB needed; this machine has" in err and peak < base + 20e6,
              f"exit code {code}, {peak / 1e6:.1f} MB, {err}")
    return len(FAILED)


if __name__ == "__main__":
    sys.exit(main())
