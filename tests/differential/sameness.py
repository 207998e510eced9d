#!/usr/bin/env python3
"""Random run files (run_files.py), each run in several ways that must not show in what it gives: threads, vector units,
epochs, alone or one of a batch; on a GPU also graph or stream, widths, tiles, warps, compiled interpreters.

    sameness.py --grampus build/grampus [--count 50] [--seed 7] [--device cpu|cuda|members|mpi|cards] [--pinned FILE [--write]] [--spread cases|population|memory] [--fast]

members: spread over engines on threads, mpi: over processes, cards: over the GPUs of a host (host/spread); with
--spread cases by fitness cases, of which the run files have some thousands then; population: by individuals; memory: the same,
each with memory for its own. --fast, with --device cuda: all with `math: fast`, which is held to the GPU's own first way, as
are the few that are drawn so without it.

Every row of statistics.tsv is compared, the best and programs.tsv too. --pinned: the digests of the first way are held
to those of FILE, which --write makes anew: a fault that all ways share is seen there, and a change that is meant to
alter results says so by a new file. The last line is `N digests compared, M not the same`: a digest is a row, a best, a
table of programs. Python's standard library only."""
import argparse
import concurrent.futures
import hashlib
import os
import sys
import tempfile

sys.dont_write_bytecode = True

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import digests
import run_files
from program import find_program

ROOT = digests.ROOT
# Name, options, environment. The first is what all others are held to.
ON_CPU = [
    ("one thread", ["--threads", "1"], {}),
    ("two threads, epochs of one", ["--threads", "2", "--epoch", "1"], {}),
    ("no vector units, epochs of seven", ["--threads", "1", "--epoch", "7"], {"GRAMPUS_ISA": "baseline"}),
    ("AVX2, three threads", ["--threads", "3"], {"GRAMPUS_ISA": "avx2"}),
]
ON_GPU = ON_CPU[:1] + [
    ("a graph", ["--device", "cuda"], {}),
    ("a stream, epochs of one", ["--device", "cuda", "--no-graph", "--epoch", "1"], {}),
    ("never compiled", ["--device", "cuda", "--specialise", "never"], {}),
    ("width 4, warps 4", ["--device", "cuda", "--specialise", "always", "--width", "4", "--warps", "4"], {}),
    ("width 16, tile 1", ["--device", "cuda", "--specialise", "always", "--width", "16", "--tile", "1"], {}),
    ("width 32, warps 16, epochs of three", ["--device", "cuda", "--specialise", "always", "--width", "32", "--warps", "16",
                                             "--epoch", "3"], {}),
]
# With fast functions, which a CPU does not have.
FAST_ON_GPU = [
    ("a graph", ["--device", "cuda", "--specialise", "always"], {}),
    ("the same again", ["--device", "cuda", "--specialise", "always"], {}),
    ("handlers by the table", ["--device", "cuda", "--specialise", "always"], {"GRAMPUS_JUMPS": "table"}),
] + ON_GPU[2:]
# Runs spread over several engines (host/spread), of which there are as many as the environment says.
ON_MEMBERS = ON_CPU[:1] + [
    ("two members, epochs of three", ["--threads", "1", "--epoch", "3"], {"GRAMPUS_MEMBERS": "2"}),
    ("three members", ["--threads", "1"], {"GRAMPUS_MEMBERS": "3"}),
    ("seven members, two threads each", ["--threads", "2", "--epoch", "7"], {"GRAMPUS_MEMBERS": "7"}),
]
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none"] + ["--allow-run-as-root"] * (os.getuid() == 0)
ON_MPI = ON_CPU[:1] + [("mpirun -n 3", ["--threads", "1"], {"MPIRUN": MPIRUN + ["-n", "3"]})]
ON_CARDS = ON_CPU[:1] + [
    ("one card", ["--device", "cuda", "--devices", "1"], {}),
    ("two cards", ["--device", "cuda", "--devices", "0,1"], {}),
    ("all cards, epochs of five", ["--device", "cuda", "--devices", "all", "--epoch", "5"], {}),
]
WAYS = {"cpu": ON_CPU, "cuda": ON_GPU, "members": ON_MEMBERS, "mpi": ON_MPI, "cards": ON_CARDS}


class Result:
    """What a run gave, in parts: a name, and the digest of what stands there."""

    def __init__(self, said, code, errors=""):
        self.code, self.said, self.errors, self.rows, self.parts = code, said, errors, {}, {}
        part, lines = "exit", []
        for line in said.splitlines() + ["== "]:
            if line.startswith("== "):
                if part == "statistics.tsv":
                    for row in lines[1:]:
                        run, generation, rest = row.split("\t", 2)
                        self.rows.setdefault(int(run), []).append(f"{generation}\t{rest}")
                else:
                    self.parts[part] = "\n".join(lines)
                part, lines = line[3:], []
            else:
                lines.append(line)

    def digest(self):
        """Of statistics and programs: what a change of wording leaves as it is."""
        text = repr(sorted(self.rows.items())) + self.parts.get("programs.tsv", "") + str(self.code)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


class Comparison:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.grampus = options.grampus
        self.ways = WAYS[options.device]
        self.compared, self.different, self.kept = 0, [], {}

    def run(self, file, options, environment):
        environment = dict(environment)
        if "MPIRUN" in environment:  # a folder of its own: of two that begin together one may find that of both made, and fail
            environment["TMPDIR"] = tempfile.mkdtemp(dir=self.work)
        said, code, _, errors = digests.run(self.grampus, [file] + options, self.work, environment, environment.pop("MPIRUN", []))
        return Result(said, code, errors)

    def hold(self, name, way, first, other):
        """The exit code, then rows by runs, then everything else."""
        if first.code != other.code:
            self.compared += 1
            self.different.append(f"{name}, {way}: exit code {other.code}, not {first.code}\n{other.errors[-2000:]}")
            return
        for run in sorted(first.rows.keys() | other.rows.keys()):
            a, b = first.rows.get(run, []), other.rows.get(run, [])
            self.compared += max(len(a), len(b))
            for k in range(max(len(a), len(b))):
                if a[k:k + 1] != b[k:k + 1]:
                    self.different.append(f"{name}, {way}: run {run}, row {k}\n    {a[k:k + 1]}\n    {b[k:k + 1]}")
                    return
        for part in first.parts.keys() | other.parts.keys():
            self.compared += 1
            if first.parts.get(part) != other.parts.get(part):
                self.different.append(f"{name}, {way}: {part}")

    def alone(self, name, file, settings, first):
        """Run r of a batch is a run alone with a seed r higher."""
        _, options, environment = self.ways[-1 if self.options.device == "cuda" else 0]
        seed, runs = int(settings["seed"]), int(settings.get("runs", 1))
        if runs > 1:
            last = self.run(file, options + ["--runs", "1", "--seed", str((seed + runs - 1) % 2 ** 64)], environment)
            pair = first.rows.get(runs - 1), last.rows.get(0)
        else:
            batch = self.run(file, options + ["--runs", "3", "--seed", str((seed - 1) % 2 ** 64),
                                              "--no-ponyge2-statistics"], environment)
            pair = first.rows.get(0), batch.rows.get(1)
        self.compared += len(pair[0] or [])
        if pair[0] != pair[1]:
            self.different.append(f"{name}: alone and in a batch")

    def file(self, index):
        for attempt in range(digests.ATTEMPTS):
            drawn = run_files.draw(self.options.seed, index, attempt)
            apart = dict(drawn)
            if self.options.spread != "auto":
                run_files.spread(run_files.Draw(self.options.seed, index, attempt, "cases"), apart, self.options.spread)
            elif self.ways not in (ON_CPU, ON_GPU):
                apart.pop("diversity", None)  # not counted over islands on several engines
                if index % 2:
                    run_files.spread(run_files.Draw(self.options.seed, index, attempt, "islands"), apart, "islands")
            drawn = list(apart.items())
            if self.options.fast:
                drawn = [pair for pair in drawn if pair[0] != "math"] + [("math", "fast")]
            settings, name = dict(drawn), run_files.name(index, attempt, drawn)
            file = name + ".yaml"
            with open(os.path.join(self.work, file), "w") as out:
                out.write(run_files.text(drawn))
            fast = settings.get("math") == "fast"
            ways = FAST_ON_GPU if fast and self.options.device == "cuda" else self.ways
            first = self.run(file, *ways[0][1:])
            if first.code == 2:
                continue
            self.kept[name] = first.digest()
            if fast and self.options.device == "cards":
                return
            for way, options, environment in ways[1:]:
                self.hold(name, way, first, self.run(file, options, environment))
            self.alone(name, file, settings, first)
            return


def pinned(comparison, options):
    if options.write:
        with open(options.pinned, "w") as out:
            out.writelines(f"{name} {digest}\n" for name, digest in sorted(comparison.kept.items()))
        return
    with open(options.pinned) as file:
        before = dict(line.split() for line in file)
    for name in sorted(before.keys() & comparison.kept.keys()):
        comparison.compared += 1
        if before[name] != comparison.kept[name]:
            comparison.different.append(f"{name}: not what {options.pinned} has")
    if options.count >= len(before) and before.keys() != comparison.kept.keys():
        comparison.different.append(f"{options.pinned}: other files: {sorted(before.keys() ^ comparison.kept.keys())}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--grampus")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", default="7")
    parser.add_argument("--device", default="cpu", choices=list(WAYS))
    parser.add_argument("--spread", default="auto", choices=["auto", "cases", "population", "memory"], help="what engines share")
    parser.add_argument("--pinned", help="digests of the first way are held to those of this file")
    parser.add_argument("--write", action="store_true", help="write that file")
    parser.add_argument("--fast", action="store_true", help="all with math: fast")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.grampus = find_program(options.grampus)
    options.pinned = options.pinned and os.path.abspath(options.pinned)
    with tempfile.TemporaryDirectory() as work:
        run_files.write_tables(work)
        comparison = Comparison(options, os.path.realpath(work))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for task in [pool.submit(comparison.file, index) for index in range(options.count)]:
                task.result()
    if options.pinned:
        pinned(comparison, options)
    for line in comparison.different[:20]:
        print(line)
    print(f"{len(comparison.kept)} run files, {comparison.compared} digests compared, {len(comparison.different)} not the same")
    return 1 if comparison.different or len(comparison.kept) < options.count * 0.9 else 0


if __name__ == "__main__":
    sys.exit(main())
