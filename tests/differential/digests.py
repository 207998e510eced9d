#!/usr/bin/env python3
"""What runs give, as digests: of random run files (run_files.py), of every file below problems/, and of PonyGE2's
parameter files there, with populations, generations and cases reduced.

    digests.py --grampus build/grampus --count 150 --seed 1 --output FILE [--keep DIR]
    digests.py --grampus build/grampus --count 150 --seed 1 --check FILE  [--keep DIR]

A line is `NAME DIGEST`: sha256 of the exit code, the line of error if there is one, statistics.tsv and stats.tsv
without times, best.json without times, device, memory, paths and what was named in vain, and programs.tsv;
`refused-DIGEST` where the program refused the file (exit code 2). A refused random file is drawn again as NAME.1,
NAME.2, ... Files whose data are not in $GRAMPUS_SHARED/data (default: ../shared/data beside the tree) are skipped.
`--keep` keeps all that was digested, in DIR/NAME.txt; with `--check` it is where that of FILE lies, and the first line
that differs is shown. Only what can be seen from outside counts: program, run files and results. Python's standard
library only."""
import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left beside the sources

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import run_files
from program import find_program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(os.environ.get("GRAMPUS_SHARED", os.path.join(os.path.dirname(ROOT), "shared")), "data")
ATTEMPTS = 8
SECONDS = 600
# Threads that spin make short runs slow on a busy machine.
ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", **os.environ}
NOT_RESULTS = {"grampus", "state", "seconds", "engine_seconds", "executed_gpops", "device", "transfers", "results",
               "stop_reason", "checkpoints", "checkpoint_pause_seconds", "unused"}


# ---- a run ----

def results_text(folder):
    """All files of results, without what differs from run to run."""
    parts = []
    for name in ("statistics.tsv", "stats.tsv", "programs.tsv"):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path) as file:
                rows = [line.rstrip("\n").split("\t") for line in file]
            times = {i for i, column in enumerate(rows[0] if rows else []) if "time" in column.split("_")}
            parts += [f"== {name}"] + ["\t".join(v for i, v in enumerate(row) if i not in times) for row in rows]
    if not os.path.exists(os.path.join(folder, "best.json")):  # no valid individual
        return parts
    with open(os.path.join(folder, "best.json")) as file:
        best = json.load(file, parse_float=str)  # as they are written
    if "evaluated_once" in best:  # what was spared depends on what is worth a look
        best["executed_node_evaluations"] += best.pop("evaluated_once")["spared_node_evaluations"]
    best = {key: value for key, value in best.items() if key not in NOT_RESULTS}
    return parts + ["== best.json", json.dumps(best, indent=0, sort_keys=True)]


def run(grampus, arguments, work, environment=None, launcher=()):
    """One run: its text, its exit code, the settings it was made with, and its errors, to which launchers add lines of their own."""
    with tempfile.TemporaryDirectory(dir=work) as output:
        process = subprocess.run([*launcher, grampus, "run", *arguments, "--quiet", "--output", output],
                                 cwd=work, timeout=SECONDS, env={**ENVIRONMENT, **(environment or {})}, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        errors = re.sub(re.escape(output) + r"\S*/", "", process.stderr.decode(errors="replace"))
        errors = errors.replace(work + "/", "").replace(ROOT + "/", "")
        lines = [f"exit {process.returncode}"] + (errors.splitlines() if not launcher else [])
        settings = {}
        for folder, _, files in os.walk(output):
            if "statistics.tsv" in files:
                lines += results_text(folder)
                with open(os.path.join(folder, "run.yaml")) as file:
                    settings = dict(re.findall(r"^([a-z0-9-]+):[ ]*(.*)$", file.read(), re.M))
    return "\n".join(lines) + "\n", process.returncode, settings, errors


class Runs:
    def __init__(self, options, work):
        self.options, self.work, self.done = options, work, []
        self.more = ["--threads", str(options.threads), "--device", options.device]
        for option in options.option:
            self.more += ["--" + option.split("=", 1)[0], option.split("=", 1)[1]]

    def one(self, name, arguments, drawn=()):
        start = time.monotonic()
        said, code, settings, _ = run(self.options.grampus, arguments + self.more, self.work)
        digest = hashlib.sha256(said.encode()).hexdigest()
        used = [settings, dict(drawn)] if settings else []
        self.done.append((name, ("refused-" if code == 2 else "") + digest, said, used, time.monotonic() - start))
        if code not in (0, 2):
            print(f"{name}: {said.splitlines()[:2]}", file=sys.stderr)
        return code

    def random_file(self, index):
        for attempt in range(ATTEMPTS):
            settings = run_files.draw(self.options.seed, index, attempt)
            name = run_files.name(index, attempt, settings)
            with open(os.path.join(self.work, name + ".yaml"), "w") as file:
                file.write(run_files.text(settings))
            if self.one(name, [name + ".yaml"], settings) != 2:
                break


# ---- problems ----

def given_data(path, work):
    """The options that name a problem's data, thinned out; None where the data are not there."""
    files = {"shuttle": [("--data", "shuttle.trn.gz", 10), ("--test-data", "shuttle.tst.gz", 10)],
             "kddcup": [("--data", "kddcup.data_10_percent.gz", 200)], "laser": [("--series", "laser.txt", 1)]}
    options = []
    for option, file, step in next((f for word, f in files.items() if word in os.path.basename(path)), []):
        source = os.path.join(DATA, file)
        if not os.path.exists(source):
            return None
        thin = os.path.join(work, os.path.basename(file).replace(".gz", ""))
        with gzip.open(source, "rt") if file.endswith(".gz") else open(source) as lines, open(thin, "w") as out:
            out.writelines(line for i, line in enumerate(lines) if i % step == 0)
        options += [option, thin]
    return options


def reduced(text):
    """The options that make a run of a problem short."""
    torus = re.search(r"^topology: *torus", text, re.M)
    options = ["--population", "64", "--predictions", "20", "--runs", "2", "--generations", "8"]
    options += ["--deme-width", "8", "--deme-height", "8"] if torus else []
    for key, most in (("train-cases", 1500), ("test-cases", 1500)):
        given = re.search(rf"^{key}: *(\d+)", text, re.M)
        options += [f"--{key}", str(most)] if given and int(given[1]) > most else []
    if "multiplexer-20" in text and "case-sampling" not in text:
        options[options.index("--generations") + 1] = "3"
    return options


def problems(work):
    """Name and arguments of every run file and parameter file; arguments are None where data are missing."""
    home = os.path.join(ROOT, "problems")
    for folder, _, files in sorted(os.walk(home)):
        for file in sorted(files):
            path = os.path.join(folder, file)
            name = os.path.relpath(path, ROOT)
            if file.endswith(".yaml"):
                with open(path) as opened:
                    text = opened.read()
                if re.search(r"^base:", text, re.M):
                    continue  # an experiment, of a run file that is here
                data = given_data(path, work)
                name += run_files.suffix(re.findall(r"^([a-z0-9-]+): *(\w+)", text, re.M))
                yield name, None if data is None else [path, *data, *reduced(text)]
            elif file.endswith(".txt") and os.path.basename(folder) == "parameters":
                yield name, parameter_file(path, work)


def parameter_file(path, work):
    """A copy beside data of the shape that the grammars beside it ask for."""
    with open(path) as opened:
        text = opened.read()
    home = os.path.join(work, "ponyge2")
    for folder in ("parameters", "grammars"):
        source = os.path.join(os.path.dirname(os.path.dirname(path)), folder)
        shutil.copytree(source, os.path.join(home, folder), dirs_exist_ok=True)
    for key, data in re.findall(r"^DATASET_(TRAIN|TEST): *(\S+)", text, re.M):
        d = run_files.Draw(key, data)
        inputs = {"Keijzer6": 1, "Paige1": 2}.get(data.split("/")[0], 5)
        rows = [[d.real(0.5, 6) for _ in range(inputs)] for _ in range(60)]
        lines = ["\t".join([f"x{i}" for i in range(inputs)] + ["response"])]
        lines += ["\t".join(x + ["%.6g" % (sum(map(float, x)) ** 2)]) for x in rows]
        os.makedirs(os.path.dirname(os.path.join(home, "datasets", data)), exist_ok=True)
        with open(os.path.join(home, "datasets", data), "w") as out:
            out.write("\n".join(lines) + "\n")
    copy = os.path.join(home, "parameters", os.path.basename(path))
    return ["--parameters", copy, "--population", "64", "--generations", "8", "--predictions", "20"]


# ---- reports ----

def coverage(runs):
    """For every setting: how many values accepted random files had; words of enums that fewer than two had."""
    found = {name: os.path.join(f, name) for f, _, files in os.walk(ROOT) for name in files if name.endswith(".def")}
    lines = "".join(open(path).read() for path in found.values())
    table = re.findall(r'^GR_SETTING\((\w+), "([^"]+)", \w+, "[^"]*", [^,]+, [^,]+, (?:"([^"]*)"|gr_(\w+)_words)', lines, re.M)
    # words of a catalogue: metrics.def and the like
    table = [(kind, key, "|".join(re.findall(rf'^GR_(?:[A-Z]+_)?{of.upper()} *\(\w+, "([^"]+)"', lines, re.M)) if of else words)
             for kind, key, words, of in table]
    accepted = [r for r in runs if r[3] and re.match(r"r\d+", r[0])]
    print(f"{len(accepted)} accepted run files; values of each setting:")
    rare = []
    for kind, key, words in table:
        values = [{str(used[key]) for used in r[3] if key in used} for r in accepted]
        print(f"    {key:28} {len(set().union(*values)):4}")
        if kind in ("ENUM", "BOOL"):
            for word in words.split("|") if kind == "ENUM" else ("false", "true"):
                count = sum(word in v for v in values)
                if count < 2:
                    rare.append(f"{key}: {word} ({count})")
    print("words in fewer than two accepted run files: " + (", ".join(rare) or "none"))


def first_difference(before, after):
    a, b = before.splitlines(), after.splitlines()
    for i in range(max(len(a), len(b))):
        was, now = (lines[i] if i < len(lines) else "(the end)" for lines in (a, b))
        if was != now:
            part = [line for line in b[:i + 1] + a[:i + 1] if line.startswith("== ")]
            return f"    line {i + 1}{', in ' + part[-1][3:] if part else ''}\n    - {was[:300]}\n    + {now[:300]}"
    return "    (what was kept is the same)"


def check(path, runs, skipped, keep):
    with open(path) as file:
        before = dict(line.split() for line in file if line.strip())
    after = {r[0]: r for r in runs}
    bad = 0
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if name in skipped or (now and was == now[1]):
            continue
        bad += 1
        kept = os.path.join(keep, name.replace("/", "-") + ".txt") if keep else ""
        print(f"{name}: " + ("not there before" if not was else "no longer there" if not now else
                             "the message of the refusal differs" if was[:7] == now[1][:7] == "refused" else "differs"))
        if was and now and os.path.exists(kept):
            with open(kept) as file:
                print(first_difference(file.read(), now[2]))
    same = len(before.keys() & after.keys()) - sum(before[n] != after[n][1] for n in before.keys() & after.keys())
    print(f"{same} the same, {bad} not, {len(skipped)} skipped")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--grampus")
    parser.add_argument("--count", type=int, default=150, help="random run files")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--no-problems", action="store_true", help="random run files alone")
    parser.add_argument("--output", help="digests are written there")
    parser.add_argument("--check", help="digests are compared with these")
    parser.add_argument("--keep", help="folder of what is digested")
    parser.add_argument("--coverage", action="store_true", help="which settings accepted random files had")
    parser.add_argument("--threads", type=int, default=1, help="of each run")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="of every run, e.g. epoch=1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--slow", action="store_true", help="name the ten slowest")
    options = parser.parse_args()
    options.grampus = find_program(options.grampus)
    with tempfile.TemporaryDirectory() as work:
        work = os.path.realpath(work)
        run_files.write_tables(work)
        runs = Runs(options, work)
        chosen = [] if options.no_problems else list(problems(work))
        skipped = {name for name, arguments in chosen if arguments is None}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            tasks = [pool.submit(runs.random_file, i) for i in range(options.count)]
            tasks += [pool.submit(runs.one, name, arguments) for name, arguments in chosen if arguments is not None]
            for task in tasks:
                task.result()
    done = sorted(runs.done)
    if options.output:
        with open(options.output, "w") as out:
            out.writelines(f"{r[0]} {r[1]}\n" for r in done)
    if options.keep and not options.check:
        os.makedirs(options.keep, exist_ok=True)
        for r in done:
            with open(os.path.join(options.keep, r[0].replace("/", "-") + ".txt"), "w") as out:
                out.write(r[2])
    if options.coverage:
        coverage(done)
    if options.slow:
        for r in sorted(done, key=lambda r: -r[4])[:10]:
            print(f"{r[4]:7.2f} s  {r[0]}")
    refused = sum(r[1].startswith("refused") for r in done)
    print(f"{len(done)} files, {refused} refused" + "".join(f"\nskipped {name}: no data" for name in sorted(skipped)))
    return 1 if options.check and check(options.check, done, skipped, options.keep) else 0


if __name__ == "__main__":
    sys.exit(main())
