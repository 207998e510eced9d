#!/usr/bin/env python3
"""Faults put into the code one at a time, and the tests that find them.

    mutants.py [--count 200] [--seed 1] [--jobs N] [--build build/mutants] [--only TEXT] [--limit N]

universalmutator (PyPI) makes the faults, by its rules for C: an operator, a constant, a condition, a statement of one line.
They are drawn at random over the lines of gpu/core and host: a line, then one of its faults. Those that do not compile, or
leave every object as it was, do not count. A fault is found when a test of `make test` fails or is much too slow. Only
tests that come by the line are run (gcov tells, once), in the order of their nearness: its own unit test, its room,
whole runs against the model, the rest; the first that fails is the last; what none finds its unit tests see once more
under the address sanitizer. Every verdict goes to BUILD/verdicts.tsv as it is found: a second call goes on where the first was
stopped (--limit: after so many), as long as the sources are the same. BUILD/survivors.diff has what no test found."""
import argparse
import concurrent.futures
import contextlib
import filecmp
import glob
import hashlib
import importlib
import io
import json
import os
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MIRRORED = ("gpu", "host", "tests", "tools", "grammars", "problems", "Makefile", "README.md", "LICENSE")
# What a room lays down for all others: a test against a library of before would compare two layouts.
LAYOUT = ("gpu/core/base/", "gpu/core/state/", "gpu/core/mapping/grammar.h", "gpu/core/program/node.h",
          "gpu/core/program/linear.h")
# Neither depends on what mutates, or compares times.
NOT_RUN = ("tests/house/", "tests/e2e/readme.sh", "tests/e2e/threads.sh", "tests/unit/tools/", "tests/e2e/load.py", "tests/e2e/growth.py")


def shell(command, folder, limit=600, env=None, processor=None):
    """Exit code and output; None when it took too long. processor: seconds of it that each process may use."""
    def limits():
        if processor:
            resource.setrlimit(resource.RLIMIT_CPU, (int(processor), int(processor) + 5))

    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          shell=isinstance(command, str), start_new_session=True, preexec_fn=limits,
                          env={**os.environ, **(env or {})}) as p:
        try:
            said, _ = p.communicate(timeout=limit)
            return p.returncode, said.decode(errors="replace")
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)
            said, _ = p.communicate()
            return None, said.decode(errors="replace")


# ---- faults ----

def import_mutator(build):
    packages = os.path.join(build, "python")
    sys.path.insert(0, packages)
    try:
        from universalmutator import mutator
    except ImportError:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", packages, "universalmutator==1.14.1"],
                       check=True)
        importlib.invalidate_caches()
        from universalmutator import mutator
    return mutator


def sources():
    return sorted(os.path.relpath(path, ROOT) for room in ("gpu/core", "host") for kind in ("c", "h", "def")
                  for path in glob.glob(os.path.join(ROOT, room, "**", "*." + kind), recursive=True))


def faults(mutator, seed):
    """All lines that faults are known for, in a random order, each with one of them."""
    lines = []
    for path in sources():
        with open(os.path.join(ROOT, path)) as file:
            text = file.readlines()
        with contextlib.redirect_stdout(io.StringIO()):
            found = mutator.mutants_regexp(text, ["universal.rules", "c_like.rules", "c.rules"], ignorePatterns=[])
        by_line = {}
        for line, mutated, rule, _ in found:
            by_line.setdefault(line, []).append((mutated, rule[0]))
        lines += [(path, line, text[line - 1], sorted(choices)) for line, choices in sorted(by_line.items())]
    draw = random.Random(seed)
    draw.shuffle(lines)
    return [(path, line, was, *draw.choice(choices)) for path, line, was, choices in lines]


# ---- a tree to put them into ----

class Nest:
    """A copy of the sources with a build of its own."""

    def __init__(self, folder, processors, environment=None):
        self.environment = environment or {}
        self.folder, self.build = folder, os.path.join(folder, "build")
        os.makedirs(folder, exist_ok=True)
        for name in MIRRORED:
            self.copy(name, os.path.join(folder, name))
        self.make = ["make", "-s", "--no-print-directory", "CUDA=0", "CC=" + os.path.join(folder, "tools/mutants/compiler"),
                     "BUILD=build", "ENGINES=Makefile"]  # the sum of the sources that the program has stays
        code, said = shell(self.make + [f"-j{processors}", "build/libgrampus.a", "build/grampus", "check", "runtests=@true"],
                           folder, 3600, self.environment)
        if code:
            raise SystemExit(f"mutants: {folder} does not build\n{said[-2000:]}")
        self.objects = self.hashes()
        tests = shell(self.make + ["check", "runtests=@echo TESTS:"], folder, 600, self.environment)[1]
        self.tests = [t for t in tests.split("TESTS:")[1].split() if not t.startswith(NOT_RUN) and
                      not t.startswith(tuple("build/" + n for n in NOT_RUN))]

    @staticmethod
    def copy(name, target):
        """What differs is new to make, also where a call before was stopped with a fault in place."""
        source = os.path.join(ROOT, name)
        files = [os.path.relpath(os.path.join(f, x), source) for f, _, xs in os.walk(source) for x in xs] or ["."]
        for file in files:
            was, is_ = os.path.normpath(os.path.join(source, file)), os.path.normpath(os.path.join(target, file))
            if not (os.path.exists(is_) and filecmp.cmp(was, is_, shallow=False)):
                os.makedirs(os.path.dirname(is_), exist_ok=True)
                shutil.copy(was, is_)

    def hashes(self):
        found = {}
        for path in glob.glob(os.path.join(self.build, "gpu", "**", "*.o"), recursive=True) + \
                glob.glob(os.path.join(self.build, "host", "**", "*.o"), recursive=True):
            with open(path, "rb") as file:
                found[path] = hashlib.sha1(file.read()).digest()
        return found

    def put(self, path, text):
        with open(os.path.join(self.folder, path), "w") as file:
            file.write(text)

    def run(self, test, seconds):
        """None if a test is good, or the first line that says what failed. An endless loop is ended by the processor's time
        it takes, which a full machine does not lengthen; what waits for ever, by the clock."""
        if test.startswith("build/"):
            seeds = re.search(r"/fuzz/fuzz_(\w+)$", test)
            command = [test] + ([f"tests/fuzz/seeds/{seeds[1]}"] if seeds else [])
        else:
            command = ["python3" if test.endswith(".py") else "sh", test]
        code, said = shell(command, self.folder, 120 + 60 * seconds,
                           {"GRAMPUS": os.path.join(self.build, "grampus"), "JOBS": "1", "OMP_WAIT_POLICY": "passive",
                            "GRAMPUS_SHARED": os.environ.get("GRAMPUS_SHARED", os.path.join(os.path.dirname(ROOT), "shared"))},
                           30 + 10 * seconds)
        if code == 0:
            return None
        return "too slow" if code is None else next((line for line in said.splitlines() if "not ok" in line or "FAILED" in line
                                                     or "rror" in line), f"exit code {code}")[:150]


def nearness(test, path, seconds):
    """Tests that are likelier to find a fault in `path` come first, of equals the shorter ones."""
    room, base = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    name = test.removeprefix("build/")
    own = name == f"tests/unit/{room}/test_{base}"
    same = os.path.dirname(name) == f"tests/unit/{room}"
    model, core = name == "tests/e2e/model.py", path.startswith("gpu/core")
    unit_of_core = name.startswith("tests/unit/gpu/core")
    script = not test.startswith("build/")
    rank = 0 if own else 1 if same else 2 if model and core else 3 if unit_of_core and core and not path.endswith(".def") \
        else 4 if script and seconds < 20 else 5 if seconds < 20 else 6
    return rank, seconds


# ---- which tests come by a line ----

class Coverage:
    """Of every test the lines of gpu/core and host that it executes, and which lines can be."""

    def __init__(self, build):
        self.path = os.path.join(build, "coverage.json")
        self.known = {"tests": {}, "lines": {}, "seconds": {}, "sources": digest_of_sources()}
        if os.path.exists(self.path):
            with open(self.path) as file:
                known = json.load(file)
            if known["sources"] == self.known["sources"]:
                self.known = known
        if not self.known.get("complete"):
            self.measure(Nest(os.path.join(build, "coverage"), max(1, os.cpu_count() or 1), {"MUTANTS_COVERAGE": "1"}))
        self.executable = {path: sorted(lines) for path, lines in self.known["lines"].items()}
        self.covers = {test: {path: set(lines) for path, lines in files.items()}
                       for test, files in self.known["tests"].items()}

    def measure(self, nest):
        for test in nest.tests:
            if test in self.known["tests"]:
                continue
            for path in glob.glob(os.path.join(nest.build, "**", "*.gcda"), recursive=True):
                os.remove(path)
            start = time.monotonic()
            why = nest.run(test, 30)
            if why:
                print(f"mutants: {test} fails where lines are counted, and is run for all: {why}", flush=True)
            else:
                self.known["seconds"][test] = time.monotonic() - start
                self.known["tests"][test] = self.lines_of(nest)
            self.save()
        self.known["complete"] = True
        self.save()

    def save(self):
        with open(self.path, "w") as file:
            json.dump(self.known, file)

    def lines_of(self, nest):
        counts = glob.glob(os.path.join(nest.build, "**", "*.gcda"), recursive=True)
        said = subprocess.run(["gcov", "-j", "-t", *counts], cwd=nest.folder, capture_output=True, text=True).stdout
        executed = {}
        for line in said.splitlines():
            for file in json.loads(line)["files"] if line.startswith("{") else []:
                path = os.path.relpath(os.path.join(nest.folder, file["file"]), nest.folder)
                if not path.startswith(("gpu/core/", "host/")):
                    continue
                numbers = {entry["line_number"] for entry in file["lines"]}
                self.known["lines"][path] = sorted(numbers.union(self.known["lines"].get(path, [])))
                executed.setdefault(path, set()).update(e["line_number"] for e in file["lines"] if e["count"])
        return {path: sorted(lines) for path, lines in executed.items() if lines}

    def tests_for(self, path, line):
        """Those that execute the line; where it is part of something longer, of what stands around it; where nothing
        there is executed by itself (tables, types, lists of definitions), all that execute anything of the file."""
        near = self.executable.get(path, [])
        lines = {line} if line in near else {max((k for k in near if line - 8 < k < line), default=0),
                                             min((k for k in near if line < k < line + 4), default=0)} - {0}
        if not lines:
            return [t for t, files in self.covers.items() if path in files or not near]
        return [t for t, files in self.covers.items() if files.get(path, set()) & lines]


def digest_of_sources():
    whole = hashlib.sha1()
    for path in sources():
        with open(os.path.join(ROOT, path), "rb") as file:
            whole.update(file.read())
    return whole.hexdigest()


class Judge:
    def __init__(self, options):
        self.options, self.build = options, os.path.abspath(options.build)
        os.makedirs(self.build, exist_ok=True)
        self.nests = queue.Queue()
        self.lock = threading.Lock()
        self.first = None
        for k in range(options.jobs):
            nest = Nest(os.path.join(self.build, f"nest-{k}"), max(1, (os.cpu_count() or 1)))
            self.first = self.first or nest
            self.nests.put(nest)
        self.coverage = Coverage(self.build)
        self.seconds = self.measure()

    def measure(self):
        """What each test takes without a fault, by the look for lines if it was good there; all have to be good."""
        path = os.path.join(self.build, "seconds.json")
        known = {}
        if os.path.exists(path):
            with open(path) as file:
                known = json.load(file)
        known = {**self.coverage.known["seconds"], **known}
        for test in self.first.tests:
            if test in known:
                continue
            start = time.monotonic()
            why = self.first.run(test, 30)
            known[test] = time.monotonic() - start
            if why:
                print(f"mutants: {test} fails without a fault and is left out: {why}", flush=True)
                known[test] = -1.0
            with open(path, "w") as file:
                json.dump(known, file, indent=0)
        return {test: seconds for test, seconds in known.items() if seconds >= 0}

    def judge(self, nest, fault):
        """The verdict and what gave it."""
        path, line, was, mutated, _ = fault
        with open(os.path.join(ROOT, path)) as file:
            text = file.readlines()
        assert text[line - 1] == was
        text[line - 1] = mutated
        try:
            nest.put(path, "".join(text))
            return self.look(nest, path, line)
        finally:
            with open(os.path.join(ROOT, path)) as file:
                nest.put(path, file.read())

    def look(self, nest, path, line):
        covering = set(self.coverage.tests_for(path, line)) | (set(nest.tests) - self.coverage.covers.keys())
        order = sorted(covering & self.seconds.keys() & set(nest.tests), key=lambda t: nearness(t, path, self.seconds[t]))
        # A test has its own copy of what a header of the core holds: no need for the library yet.
        alone = path.endswith(".h") and path.startswith("gpu/core/") and not path.startswith(LAYOUT)
        near = [t for t in order if t.startswith("build/") and nearness(t, path, 0)[0] < 4 and self.seconds[t] < 5]
        first = near[:12] if alone else []
        verdict = self.run_all(nest, first, ["-o", "build/libgrampus.a"])
        if verdict:
            return verdict
        code, said = shell(nest.make + ["-j2", "build/libgrampus.a", "build/grampus"], nest.folder, 1800)
        if code:
            return "stillborn", next((x for x in said.splitlines() if "error" in x), "")[:150]
        if nest.hashes() == nest.objects:
            return "same", ""
        return self.run_all(nest, [t for t in order if t not in first], []) or self.run_guarded(nest, path, order) or \
            ("survived", "" if covering & self.coverage.covers.keys() else "no test comes by it")

    def run_guarded(self, nest, path, tests):
        """Its unit tests once more, the file that has the fault under the address sanitizer, as `make sanitize` has all."""
        tests = [t for t in tests if t.startswith("build/tests/unit")] if path.endswith(".c") else []
        guard = {"MUTANTS_GUARD": "1"}
        os.utime(os.path.join(nest.folder, path))
        try:
            for test in tests:
                with contextlib.suppress(FileNotFoundError):
                    os.remove(os.path.join(nest.folder, test))
                if shell(nest.make + ["build/libgrampus.a", test], nest.folder, 600, guard)[0] == 0:
                    why = nest.run(test, 3 + 3 * self.seconds[test])
                    if why:
                        return "found", f"{test} under the address sanitizer: {why}"
        finally:
            for test in tests:
                with contextlib.suppress(FileNotFoundError):
                    os.remove(os.path.join(nest.folder, test))
        return None

    def run_all(self, nest, tests, options):
        for test in tests:
            if test.startswith("build/"):
                code, said = shell(nest.make + options + [test], nest.folder)
                if code:
                    return "stillborn", next((x for x in said.splitlines() if "error" in x), "")[:150]
            why = nest.run(test, self.seconds[test])
            if why and not test.startswith("build/"):  # signals and limits of time, on a machine that is full
                why = nest.run(test, self.seconds[test])
            if why:
                return "found", f"{test}: {why}"
        return None


def diff(fault):
    path, line, was, mutated, rule = fault
    return f"--- {path}:{line}   {rule}\n-{was.rstrip()}\n" + "".join(f"+{x}\n" for x in mutated.rstrip().splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="trees side by side")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "mutants"))
    parser.add_argument("--only", default="", help="faults in files whose path holds this text")
    parser.add_argument("--limit", type=int, default=0, help="stop after so many verdicts of this call")
    parser.add_argument("--again", action="store_true", help="judge survivors once more")
    options = parser.parse_args()
    os.makedirs(options.build, exist_ok=True)
    drawn = [f for f in faults(import_mutator(os.path.abspath(options.build)), options.seed) if options.only in f[0]]
    judge = Judge(options)
    record = os.path.join(options.build, "verdicts.tsv")
    known = {}
    if os.path.exists(record):
        with open(record) as file:
            for row in (line.rstrip("\n").split("\t") for line in file):
                known[tuple(row[:2])] = row[2:]
    if options.again:
        known = {key: row for key, row in known.items() if row[0] != "survived"}
    judged = 0

    def key(fault):
        return fault[0], hashlib.sha1((fault[2] + fault[3]).encode()).hexdigest()[:12] + f":{fault[1]}"

    def one(fault):
        nest, start = judge.nests.get(), time.monotonic()
        try:
            verdict, why = judge.judge(nest, fault)
        finally:
            judge.nests.put(nest)
        with judge.lock, open(record, "a") as file:
            file.write("\t".join([*key(fault), verdict, f"{time.monotonic() - start:.1f}", why.replace("\t", " ")]) + "\n")
        known[key(fault)] = [verdict, "", why]
        print(f"{verdict:9} {time.monotonic() - start:6.1f} s  {fault[0]}:{fault[1]}  {why}", flush=True)

    at = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while at < len(drawn) and (not options.limit or judged < options.limit):
            counted = sum(known.get(key(f), ["?"])[0] in ("found", "survived") for f in drawn[:at])
            if counted >= options.count:
                break
            batch = drawn[at:at + min(options.jobs * 2, options.count - counted)]
            fresh = [f for f in batch if key(f) not in known]
            judged += len(fresh)
            list(pool.map(one, fresh))
            at += len(batch)
    report(options, drawn[:at], known, key)


def report(options, drawn, known, key):
    verdicts = [known.get(key(f), ["?"])[0] for f in drawn]
    found, survived = verdicts.count("found"), verdicts.count("survived")
    with open(os.path.join(options.build, "survivors.diff"), "w") as file:
        file.writelines(diff(f) for f, v in zip(drawn, verdicts) if v == "survived")
    line = f"{found} of {found + survived} found; {verdicts.count('stillborn')} did not compile, {verdicts.count('same')} " \
           f"changed no object (seed {options.seed})"
    with open(os.path.join(options.build, "report.txt"), "w") as file:
        file.write(line + "\n")
    print(line)


if __name__ == "__main__":
    main()
