#!/usr/bin/env python3
"""Long runs: the memory of the process does not grow and the rate does not fall.

    load.py [--generations N] [--epochs N] [--device cuda]

N generations of a small run without statistics, and N epochs with checkpoints, each begun at the first border after the one
before is on the disk. Memory is that of /proc, and on a GPU that of the card, looked at from a third of the run on, and
when a second checkpoint was made (libhdf5 is loaded for the first), up to the last generation, where results are
written; the rate that of the second half against the first, by the time of processors on the CPU, since others may have these
meanwhile. Who looks may come late on a busy machine: what is wrong is looked at once more, and is wrong when it is three times."""
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
TRIES = 3
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


def seconds_of(pid):
    """Of processors that its threads have had; on a GPU of the clock, as the processor waits."""
    if device != "cpu":
        return time.monotonic()
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return sum(map(int, stat.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return 0.0


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
    """What is known at each line of progress: generation, seconds (of the clock, of rates), bytes, whether there are two
    checkpoints."""
    for line in process.stderr:
        for generation in re.findall(r"generation (\d+)/", line):
            kept = any(glob.glob(os.path.join(folder, "*", "*", "checkpoint.old.h5")))
            seen.append((int(generation), time.monotonic(), seconds_of(process.pid), resident(process.pid), kept))


def checkpoints_of(folder):
    best = glob.glob(os.path.join(folder, "*", "*", "best.json"))
    with open(best[0]) as file:
        return json.load(file).get("checkpoints", 0)


def run(what, generations, *more):
    """What was found, each with whether it is good, and the number of checkpoints that were made."""
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
        found = [(f"{what}: ends well", process.wait() == 0)]
        checkpoints = checkpoints_of(folder) if not process.returncode else 0
    settled = [s for s in seen if generations / 3 <= s[0] < generations and s[3] and (s[4] or "0" in more)]
    if len(settled) < 3:
        found.append((f"{what}: too short to look at # skipped: {len(settled)} lines of progress", True))
        return found, checkpoints
    growth = settled[-1][3] - settled[0][3]
    found.append((f"{what}: memory grew by {growth} bytes from generation {settled[0][0]} to {settled[-1][0]}",
                  growth <= MOST_GROWTH["cuda" if device == "cuda" else what]))
    if device == "cuda":  # between the first and the last of these lines: before, all is taken, behind, given back
        taken = [bytes for seconds, bytes in taken if settled[0][1] <= seconds <= settled[-1][1]]
        more = taken[-1] - taken[0] if len(taken) > 2 else None
        found.append((f"{what}: memory of the card grew by {more} bytes, looked at {len(taken)} times",
                      more is not None and more <= 0))
    middle = min(settled, key=lambda s: abs(s[0] - (settled[0][0] + settled[-1][0]) / 2))
    first = (middle[0] - settled[0][0]) / max(middle[2] - settled[0][2], 1e-2)  # seconds come in hundredths
    second = (settled[-1][0] - middle[0]) / max(settled[-1][2] - middle[2], 1e-2)
    found.append((f"{what}: second half at {second / max(first, 1e-9):.2f} of the first half's rate", second > first / 3))
    return found, checkpoints


def look(what, generations, *more):
    """The number of checkpoints that were made."""
    for left in reversed(range(TRIES)):
        found, checkpoints = run(what, generations, *more)
        if not left or all(good for _, good in found):
            break
        print("# once more: " + ", ".join(what for what, good in found if not good), flush=True)
    for one in found:
        check(*one)
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
    look("generations", options.generations, "--statistics", "none", "--checkpoint", "0")
    checkpoints = look("epochs", options.epochs * EPOCH, "--epoch", str(EPOCH), "--checkpoint", "1e-9")
    check(f"epochs: {checkpoints} checkpoints", checkpoints > 0)
    print(f"# {options.generations} generations, {options.epochs} epochs, {checkpoints} checkpoints")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
