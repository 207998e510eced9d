#!/usr/bin/env python3
"""Walks a failing call over whole runs: the Nth write, fsync, rename, ... of a run, or of one that is resumed, fails, once
or from then on (shim.c). After every fault: no crash, the right exit code and one line of error, results that are those
of a run without faults where it says 0, earlier results as they were, and what has a checkpoint can be resumed and
comes to the same end.

    walk.py --grampus build/grampus --shim build/tests/faults/shim.so [--every 1] [--memory 1]

`--every K`: every Kth call; `--memory K`: of allocations every Kth, 0: none; with K > 1 the last calls all. A file system
that is really full is tried where one can be mounted. Python's standard library only."""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from program import find_program

RUN = """genotype: tree
target-expression: x * x + sin(x)
variables: x = uniform(-1, 1)
train-cases: 40
test-cases: 20
population: 40
generations: 20
epoch: 3
max-nodes: 60
predictions: 5
checkpoint: 1e-9
name: faulty
"""
LIMIT = 60
# kind, error, whether also from then on; what the program may end with
FAULTS = [("write", "nospace", True), ("write", "io", False), ("write", "short", True), ("sync", "io", True),
          ("rename", "denied", True), ("open", "many", True), ("close", "io", False), ("truncate", "io", True),
          ("folder", "nospace", False), ("thread", "memory", True)]
LASTING = ("write", "sync", "rename", "open", "truncate")  # of these that fail for good something is said
NOT_RESULTS = ("seconds", "gpops", "GPop/s", "transfers", "checkpoint", "results", "bytes", "uploaded", "telemetry", "downloaded", "time")


class Walk:
    def __init__(self, options, work):
        self.options, self.work, self.wrong, self.tried, self.fired = options, work, [], 0, 0
        with open(os.path.join(work, "faulty.yaml"), "w") as file:
            file.write(RUN)
        self.start = ["run", os.path.join(work, "faulty.yaml")]
        earlier = self.folder("earlier")
        self.must(self.start + ["--output", earlier])
        self.whole = self.results(self.only(earlier))
        half = self.folder("half")
        self.must(self.start + ["--output", half, "--generations", "8"])
        self.half = self.only(half)

    def folder(self, name):
        path = os.path.join(self.work, name)
        os.makedirs(path)
        return path

    def only(self, output):
        folder = os.path.join(output, "faulty")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return os.path.join(folder, names[0]) if names else None

    def grampus(self, arguments, fault=None, report=None):
        environment = {"PATH": os.environ.get("PATH", "")}
        if fault:
            environment |= {"LD_PRELOAD": os.path.abspath(self.options.shim), "GRAMPUS_FAULT": fault,
                            "GRAMPUS_FAULT_REPORT": report}
        process = subprocess.run([self.options.grampus, *arguments, "--quiet", "--device", "cpu",
                                  "--threads", "1"], cwd=self.work, env=environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
        return process.returncode, process.stderr.decode(errors="replace")

    def must(self, arguments):
        code, said = self.grampus(arguments)
        if code:
            raise SystemExit(f"without a fault: exit code {code}: {said}")

    def results(self, folder):
        """What a run left, without times."""
        parts = {}
        for name in ("statistics.tsv", "programs.tsv", "best.txt", "best.json"):
            path = os.path.join(folder, name)
            if not os.path.exists(path):
                parts[name] = None
                continue
            with open(path) as file:
                lines = file.read().splitlines()
            if name == "statistics.tsv":
                lines = [line.rsplit("\t", 1)[0] for line in lines]
            parts[name] = [line for line in lines if not any(word in line for word in NOT_RESULTS)] \
                if name.startswith("best") else lines
        return parts

    def differs(self, folder):
        is_now = self.results(folder)
        return next((name for name in self.whole if self.whole[name] != is_now[name]), None)

    def check_end(self, kind, code, said, folder, must_fail=False):
        """What is wrong with how the run that had the fault ended."""
        allowed = (0, 4) if kind == "memory" else (1,) if must_fail else (0, 1)
        if code not in allowed:
            return f"exit code {code}: {said.strip()[:300]}"
        if code and not said.strip():
            return f"exit code {code} without a word"
        if code and len(said.strip().splitlines()) > 3:
            return f"{len(said.splitlines())} lines of error"
        if code == 0 and self.differs(folder):
            return f"exit code 0, but {self.differs(folder)} differs"
        return None

    def check_resume(self, folder):
        has = folder and any(os.path.exists(os.path.join(folder, f"checkpoint{old}.h5")) for old in ("", ".old"))
        if not folder or not os.path.exists(os.path.join(folder, "run.yaml")):
            return None
        code, said = self.grampus(["resume", folder, "--generations", "20"])
        if not has:
            return None if code == 2 else f"resumed without a checkpoint: exit code {code}"
        if code:
            return f"resume: exit code {code}: {said.strip()[:300]}"
        return self.differs(folder) and f"resume: {self.differs(folder)} differs"

    def one(self, what, fault):
        """A run, or one that is resumed, with a fault. Whether the call was reached."""
        kind = fault.split(":")[0]
        with tempfile.TemporaryDirectory(dir=self.work) as home:
            report, output = os.path.join(home, "report"), os.path.join(home, "out")
            if what == "run":
                code, said = self.grampus(self.start + ["--output", output], fault, report)
                folder = self.only(output)
            else:
                folder = os.path.join(home, "half")
                shutil.copytree(self.half, folder)
                code, said = self.grampus(["resume", folder, "--generations", "20"], fault, report)
            calls = -1
            if os.path.exists(report):
                with open(report) as file:
                    calls = int(file.read().split()[1])
            fired = calls < 0 or calls >= int(fault.split(":")[1].rstrip("+"))
            for_good = "+" in fault and kind in LASTING and not fault.endswith("short")
            wrong = self.check_end(kind, code, said, folder, fired and for_good) or self.check_resume(folder)
            self.tried += 1
            self.fired += fired
            if wrong:
                self.wrong.append(f"{what}, {fault}: {wrong}")
        return calls

    def walk(self, pool):
        jobs = []
        for what in ("run", "resume"):
            for kind, error, lasting in FAULTS + [("memory", "memory", False)]:
                calls = self.one(what, f"{kind}:1000000000:{error}")
                if calls < 0:
                    raise SystemExit(f"not ok - {self.options.shim} sees no calls")
                step = self.options.memory if kind == "memory" else self.options.every
                if not step:
                    continue
                numbers = {n for n in range(1, calls + 1) if n % step == 0 or (kind != "memory" and n > calls - 3)}
                jobs += [(what, f"{kind}:{n}{more}:{error}") for n in sorted(numbers)
                         for more in (("", "+") if lasting else ("",))]
        list(pool.map(lambda job: self.one(*job), jobs))

    def full_disk(self):
        """Runs on file systems of some sizes. Skipped where none can be mounted."""
        disk = self.folder("disk")
        sizes = range(16, 200, 8 * self.options.every)
        for size in sizes:
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k,mode=0700", "none", disk],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
            if not mounted:
                print("ok - a full disk # skipped: no file system can be mounted")
                return "no disk that is full"
            try:
                code, said = self.grampus(self.start + ["--output", disk])
                folder = self.only(disk)
                wrong = self.check_end("write", code, said, folder)
                if not wrong and folder:
                    away = os.path.join(self.work, f"away-{size}")
                    shutil.copytree(folder, away)
                    wrong = self.check_resume(away)
                self.tried += 1
                if wrong:
                    self.wrong.append(f"a disk of {size} KiB: {wrong}")
            finally:
                subprocess.run(["umount", disk], check=True)
        return f"{len(sizes)} sizes of a full disk"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--grampus")
    parser.add_argument("--shim", default="build/tests/faults/shim.so")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--memory", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.grampus = find_program(options.grampus)
    with tempfile.TemporaryDirectory() as work:
        walk = Walk(options, os.path.realpath(work))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            walk.walk(pool)
        disks = walk.full_disk()
        if walk.differs(walk.only(os.path.join(walk.work, "earlier"))):
            walk.wrong.append("earlier results have changed")
    for line in sorted(walk.wrong):
        print("not ok - " + line)
    print(f"# {walk.fired} faults in {walk.tried} runs; {disks}")
    print(f"{walk.tried - len(walk.wrong)} passed, {len(walk.wrong)} failed")
    return 1 if walk.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
