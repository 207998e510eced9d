#!/usr/bin/env python3
"""Runs that are split by a checkpoint and resumed give what undisturbed ones give: random run files (run_files.py), each
run whole and in halves, whose statistics, best and programs are compared.

    splits.py --grampus build/grampus --count 20 --seed 1 [--devices cpu,cuda [--different]] [--spread cases|population|memory]

A run is split twice: ended by fewer generations (at times by as many: then its end is done again), and resumed from its last checkpoint with the generations it should
have; and resumed from the one before, as if it had been killed: that one may be of any epoch. With several devices
the halves are on all pairs of them, or on those of two that are --different; cpu@3 is three engines on threads, cuda@2 two GPUs (host/spread), which
share what --spread says. Python's standard library only."""
import argparse
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import digests
import run_files
from program import find_program


def grampus(options, arguments, work):
    environment = dict(digests.ENVIRONMENT)
    for k, argument in enumerate(arguments):
        device, _, members = argument.partition("@")
        if members and arguments[k - 1] == "--device":
            arguments = [*arguments[:k], device, *arguments[k + 1:]]
            if device == "cpu":
                environment["GRAMPUS_MEMBERS"] = members
            else:
                arguments += ["--devices", ",".join(str(card) for card in range(int(members)))]
    process = subprocess.run([options.grampus, *arguments, "--quiet", "--threads", "1"], cwd=work,
                             timeout=digests.SECONDS, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return process.returncode, process.stderr.decode(errors="replace")


def folder_of(output):
    return next(folder for folder, _, files in os.walk(output) if "run.yaml" in files)


def tables(folder):
    """What a run left: what digests look at, and the tables of many runs."""
    lines = digests.results_text(folder)
    for name in ("summary.tsv", "runs.tsv"):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path) as file:
                rows = [line.rstrip("\n").split("\t") for line in file]
            lines += [f"== {name}"] + ["\t".join(row[:-1] if name == "summary.tsv" else row) for row in rows]
    return lines


def run(options, arguments, output, work):
    code, said = grampus(options, ["run", *arguments, "--output", output], work)
    return (code, said, folder_of(output)) if code == 0 else (code, said, None)


def difference(whole, part):
    a, b = ("\n".join(tables(folder)) for folder in (whole, part))
    return None if a == b else digests.first_difference(a, b)


def split(options, name, settings, pair, work):
    """What went wrong with one run on a pair of devices; None: nothing. "refused": the program refused the file."""
    generations = int(dict(re.findall(r"^(generations): *(\d+)", run_files.text(settings), re.M)).get("generations", 50))
    draw = run_files.Draw("split", name, *pair)
    first, last = pair
    often = ["--checkpoint", "1e-9", "--epoch", str(draw.whole(1, 4))]
    same = ["--statistics", "summary"] if draw.chance(0.3) else []
    with tempfile.TemporaryDirectory(dir=work) as home:
        code, said, whole = run(options, [name + ".yaml", "--device", first, *same], os.path.join(home, "whole"), work)
        if code:
            return "refused" if code == 2 else f"whole: exit code {code}: {said}"
        fewer = ["--generations", str(generations if draw.chance(0.2) else draw.whole(0, max(generations - 1, 0)))]
        code, said, part = run(options, [name + ".yaml", "--device", first, *same, *often, *fewer],
                               os.path.join(home, "part"), work)
        if code:
            return f"first half: exit code {code}: {said}"
        older = os.path.join(home, "older")
        shutil.copytree(part, older)
        if os.path.exists(os.path.join(older, "checkpoint.old.h5")):
            os.remove(os.path.join(older, "checkpoint.h5"))
        for what, folder in (("last", part), ("older", older)):
            code, said = grampus(options, ["resume", folder, "--device", last, "--generations", str(generations)], work)
            if code:
                return f"{what} checkpoint: exit code {code}: {said}"
            wrong = difference(whole, folder)
            if wrong:
                return f"{what} checkpoint of {fewer[1]} of {generations} generations differs\n{wrong}"
    return None


def one(options, index, pair, work):
    for attempt in range(digests.ATTEMPTS):
        settings = run_files.draw(options.seed, index, attempt)
        archive = run_files.Draw("archive", options.seed, index, attempt)
        if archive.chance(0.3):  # beside what draws that are pinned have
            settings = settings + [("archive", "niches"), ("niches", archive.one([16, 64, 512])),
                                   ("niche-share", archive.real(0.1, 1))]
        if options.spread == "cases":
            apart = dict(settings)
            run_files.cases_apart(run_files.Draw(options.seed, index, attempt, "cases"), apart)
            settings = list(apart.items())
        elif options.spread == "population":
            settings = settings + [("spread", "population")]
        elif options.spread == "memory":
            apart = dict(settings)
            run_files.memory_apart(apart)
            settings = list(apart.items())
        elif "@" in options.devices:  # diversity is not counted over islands on several engines
            settings = [pair_ for pair_ in settings if pair_[0] != "diversity"]
        # a file of its own for each pair: pairs of one draw run side by side
        name = "-".join([run_files.name(index, attempt, settings), *pair])
        with open(os.path.join(work, name + ".yaml"), "w") as file:
            file.write(run_files.text(settings))
        if len({device.partition("@")[0] for device in pair}) > 1 and "-fast" in name:  # devices differ there
            return name, None
        wrong = split(options, name, settings, pair, work)
        if wrong != "refused":
            return name, wrong
    return f"{index}", "every file was refused"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--grampus")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--devices", default="cpu")
    parser.add_argument("--different", action="store_true")
    parser.add_argument("--spread", default="auto", choices=["auto", "cases", "population", "memory"])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.grampus = find_program(options.grampus)
    devices = options.devices.split(",")
    pairs = [pair for pair in itertools.product(devices, devices) if not options.different or pair[0] != pair[1]]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        work = os.path.realpath(work)
        run_files.write_tables(work)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            tasks = [pool.submit(one, options, i, pair, work) for i in range(options.count) for pair in pairs]
            for task in tasks:
                name, wrong = task.result()
                failed += wrong is not None
                if wrong:
                    print(f"not ok - {name}: {wrong}")
    print(f"{len(tasks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
