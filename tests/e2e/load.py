#!/usr/bin/env python3
"""Long runs: the memory of the process does not grow and the rate does not fall.

    load.py [--generations N] [--epochs N] [--device cuda]

N generations of a small run without statistics, and N epochs with checkpoints, each begun at the first border after the one
before is on the disk. Memory is that of /proc, and on a GPU that of the card, looked at from a third of the run on, and
when a second checkpoint was made (libhdf5 is loaded for the first), up to the last generation, where results are
written; the rate that of the second half against the first."""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from program import find_program

GRAMPUS = find_program()
SMALL = ["--genotype", "tree", "--target-expression", "x * x + sin(x)", "--variables", "x = linspace(-1, 1, 20)", 
         "--threads", "1", "--population", "10", "--target-fitness", "none", "--max-nodes", "30", "--progress", "0.02"]
EPOCH = 200  # generations: of some milliseconds, in which most checkpoints come to the disk
# Bytes: of what is held by threads, which come with checkpoints, and by CUDA, the C library takes a megabyte more at any time.
MOST_GROWTH = {"generations": 1 << 20, "epochs": 2 << 20, "cuda": 4 << 20}
failed = 0
device = "cpu"


def check(what, good):
    global failed
    failed += not good
    print(f"{'ok' if good else 'not ok'} - {what}", flush=True)


def resident(pid):
    try:
        with open(f"/proc/{pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, IndexError):
        return 0


def of_card():
    """Bytes of the GPU that runs use that are taken, by whomever."""
    card = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    said = subprocess.run(["nvidia-smi", f"--id={card}", "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
                          capture_output=True, text=True)
    return int(said.stdout) << 20 if said.returncode == 0 else 0


def watch_card(process, taken):
    """Seconds and bytes, as often as nvidia-smi tells."""
    while process.poll() is None:
        bytes = of_card()
        taken.append((time.monotonic(), bytes))
        time.sleep(0.2)


def watch(process, seen, folder):
    """What is known at each line of progress: generation, seconds, bytes, whether there are two checkpoints."""
    for line in process.stderr:
        for generation in re.findall(r"generation (\d+)/", line):
            kept = any(glob.glob(os.path.join(folder, "*", "*", "checkpoint.old.h5")))
            seen.append((int(generation), time.monotonic(), resident(process.pid), kept))


def checkpoints_of(folder):
    best = glob.glob(os.path.join(folder, "*", "*", "best.json"))
    with open(best[0]) as file:
        return json.load(file).get("checkpoints", 0)


def run(what, generations, *more):
    """The number of checkpoints that were made."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([GRAMPUS, "run", *SMALL, "--generations", str(generations), "--device", device, "--output",
                                    folder, *more],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seen, taken = [], []
        readers = [threading.Thread(target=watch, args=(process, seen, folder))]
        if device == "cuda":
            readers.append(threading.Thread(target=watch_card, args=(process, taken)))
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        check(f"{what}: ends well", process.wait() == 0)
        checkpoints = checkpoints_of(folder) if not process.returncode else 0
    settled = [s for s in seen if generations / 3 <= s[0] < generations and s[2] and (s[3] or "0" in more)]
    if len(settled) < 3:
        print(f"ok - {what}: too short to look at # skipped: {len(settled)} lines of progress")
        return checkpoints
    growth = settled[-1][2] - settled[0][2]
    check(f"{what}: memory grew by {growth} bytes from generation {settled[0][0]} to {settled[-1][0]}",
          growth <= MOST_GROWTH["cuda" if device == "cuda" else what])
    if device == "cuda":  # between the first and the last of these lines: before, all is taken, behind, given back
        taken = [bytes for seconds, bytes in taken if settled[0][1] <= seconds <= settled[-1][1]]
        more = taken[-1] - taken[0] if len(taken) > 2 else None
        check(f"{what}: memory of the card grew by {more} bytes, looked at {len(taken)} times", more is not None and more <= 0)
    middle = min(settled, key=lambda s: abs(s[0] - (settled[0][0] + settled[-1][0]) / 2))
    first = (middle[0] - settled[0][0]) / (middle[1] - settled[0][1])
    second = (settled[-1][0] - middle[0]) / max(settled[-1][1] - middle[1], 1e-9)
    check(f"{what}: second half at {second / first:.2f} of the first half's rate", second > first / 3)
    return checkpoints


def main():
    global device
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--generations", type=int, default=100000)
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    device = options.device
    if os.environ.get("SANITIZE"):
        print("ok - long runs # skipped: the sanitizers keep what is freed")
        return 0
    run("generations", options.generations, "--statistics", "none", "--checkpoint", "0")
    checkpoints = run("epochs", options.epochs * EPOCH, "--epoch", str(EPOCH), "--checkpoint", "1e-9")
    check(f"epochs: {checkpoints} checkpoints", checkpoints > 0)
    print(f"# {options.generations} generations, {options.epochs} epochs, {checkpoints} checkpoints")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
