#!/usr/bin/env python3
"""The proofs that take too long for `make test`, and a table of what they came to: BUILD/proof.md.

    prove.py BUILD [--gpu] [--quick] [--scale X] [--together N] [--only WORDS] [--without WORDS]

`make prove` calls it, `make prove-gpu` with --gpu. --quick: some hundredths of the work, to see that all is in place;
--scale 0.2: a fifth of it, though no less than that; 7: seven times as much. --together: so many proofs side by side, for
machines of many processors, as some proofs keep only one busy; those that need a GPU for themselves get one: the last of
several, or the only one when the others are done.
A proof is a line of PROOFS or GPU_PROOFS: what is promised, the test, and how its output tells the figure. Its command
is run in the root of the tree; {build} is the build, {n} the amount of work. It is kept when it exits with 0 and counted
something; what could not run is said. Python's standard library only."""
import argparse
import concurrent.futures
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Proof:
    def __init__(self, promise, test, command, amount, figure, quick=None, alone=False):
        """figure: a pattern and what to make of its groups, all matches being added up; alone: on a GPU that nobody else
        uses meanwhile, because it measures its memory or takes all of it."""
        self.promise, self.test, self.command, self.amount, self.figure = promise, test, command, amount, figure
        self.alone = alone
        self.quick = quick if quick is not None else max(1, amount // 50)

    def scaled(self, share):
        """A part of the amount, which is a stride where less of it is more work."""
        if self.quick > self.amount:
            return min(self.quick, round(self.amount / share))
        return max(self.quick, round(self.amount * share))


PROOFS = [
    Proof("a run gives the same in all ways: threads, vector units, epochs, alone or in a batch",
          "`tests/differential/sameness.py`",
          "python3 tests/differential/sameness.py --grampus {build}/grampus --count {n} --seed 1", 2000,
          (r"(\d+) digests compared, (\d+) not", "{} digests compared, {} not the same")),
    Proof("a run spread over several engines gives what one gives",
          "`tests/differential/sameness.py --device members`",
          "python3 tests/differential/sameness.py --grampus {build}/grampus --device members --count {n} --seed search-1", 500,
          (r"(\d+) digests compared, (\d+) not", "{} digests compared, {} not the same")),
    Proof("a run whose fitness cases several engines share gives what one gives",
          "`tests/differential/sameness.py --device members --spread cases`",
          "python3 tests/differential/sameness.py --grampus {build}/grampus --device members --spread cases --count {n} "
          "--seed search-1", 500,
          (r"(\d+) digests compared, (\d+) not", "{} digests compared, {} not the same")),
    Proof("a run gives what its rules say, by a model of its own",
          "`tests/e2e/model.py`",
          "GRAMPUS={build}/grampus python3 tests/e2e/model.py --random {n}", 2000,
          (r"^(?:(ok)|(not ok)) - ", "{} runs compared, {} not the same")),
    Proof("a run that is resumed, from wherever it was split, gives what the undisturbed one gives",
          "`tests/differential/splits.py`",
          "python3 tests/differential/splits.py --grampus {build}/grampus --count {n} --seed 2", 2000,
          (r"^(\d+) passed, (\d+) failed", "{} runs split and resumed, {} not the same")),
    Proof("a run that is killed loses nothing before its last checkpoint",
          "`tests/e2e/kills.sh`",
          "GRAMPUS={build}/grampus KILLS={n} KILLS_SEED=2 sh tests/e2e/kills.sh", 100,
          (r"^# (\d+) kills of (\d+) runs", "{} kills of {} runs survived"), 10),
    Proof("a run that a signal ends goes on as if it had not been ended",
          "`tests/e2e/kills.sh`, KILLS_SIGNAL=TERM",
          "GRAMPUS={build}/grampus KILLS={n} KILLS_SEED=4 KILLS_SIGNAL=TERM sh tests/e2e/kills.sh", 100,
          (r"^# (\d+) kills of (\d+) runs", "{} ends of {} runs"), 10),
    Proof("an experiment that is killed and started again ends with the tables of an undisturbed one",
          "`tests/e2e/experiment.py`",
          "GRAMPUS={build}/grampus EXPERIMENT_KILLS={n} EXPERIMENT_SEED=2 python3 tests/e2e/experiment.py", 20,
          (r"^# (\d+) kills", "{} kills survived"), 3),
    Proof("whatever the system refuses, results and checkpoints stay whole, and the run can be resumed",
          "`tests/faults/walk.py`",
          "tests/faults/walk.py --grampus {build}/grampus --shim {build}/tests/faults/shim.so --every {n} --memory {n}", 1,
          (r"^# (\d+) faults in", "{} faults survived"), 40),
    Proof("no input crashes a reader, and what is printed is read again",
          "`tests/fuzz/fuzz.py`",
          "make -s fuzz BUILD={build} && tests/fuzz/fuzz.py {build}/fuzz {n}", 600,
          (r"^# (\d+) inputs of (\d+) targets, (\d+) found", "{} inputs of {} formats, {} found a fault"), 10),
    Proof("a damaged checkpoint is refused, or leads to the same",
          "`tests/fuzz/checkpoints.py`",
          "python3 tests/fuzz/checkpoints.py --grampus {build}/grampus --count {n} --seed 2", 4000,
          (r"^# (\d+) damaged checkpoints, (\d+) refused, (\d+) led to the same, (\d+)",
           "{} damaged, {} refused, {} the same, {} anything else"), 100),
    Proof("arrays of more than 2^32 elements work as small ones do",
          "`tests/unit/host/cpu/test_large.c`",
          "make -s CUDA=0 BUILD={build} {build}/tests/unit/host/cpu/test_large && {build}/tests/unit/host/cpu/test_large all", 1,
          (r"^# arrays of (\d+) elements", "{} elements in them")),
    Proof("exported C gives the engine's bits, simplified programs the values of the original",
          "`tests/property/export.c`",
          "make -s CUDA=0 BUILD={build} {build}/tests/property/export && {build}/tests/property/export {n} 5", 5000,
          (r"(\d+) passed, (\d+) failed", "{} comparisons, {} not the same"), 200),
    Proof("exported NumPy and SymPy agree with exported C",
          "`tests/e2e/export.py`",
          "GRAMPUS={build}/grampus python3 tests/e2e/export.py --programs 1000 --sympy {n} --seed 2", 1000,
          (r"^(?:(ok)|(not ok)) - (?:NumPy|SymPy) agrees", "{} languages on 1000 programs, {} not"), 50),
    Proof("a long run takes no more memory and goes no slower at its end",
          "`tests/e2e/load.py`",
          "GRAMPUS={build}/grampus python3 tests/e2e/load.py --generations {n}000 --epochs {n}0", 1000,
          (r"^# (\d+) generations, (\d+) epochs, (\d+) checkpoints", "{} generations; {} epochs, {} checkpoints"), 100),
    Proof("the library gives back what it took",
          "`tests/property/library_opens.c`",
          "make -s CUDA=0 BUILD={build} {build}/tests/property/library_opens && {build}/tests/property/library_opens "
          "--count {n}", 10000,
          (r"^# (\d+) opens", "{} opens and closes")),
    Proof("elementary functions are within 2 units of the last place on every float",
          "`tests/property/math_ulp.c`",
          "make -s CUDA=0 BUILD={build} {build}/tests/property/math_ulp && {build}/tests/property/math_ulp --stride {n}", 1,
          (r"(\d+) (?:floats|pairs)", "{} floats checked"), 4001),
    Proof("a fault in the code is found by a test",
          "`tools/mutants/mutants.py`",
          "tools/mutants/mutants.py --build {build}/mutants --jobs {jobs} --count {n}", 200,
          (r"^(\d+) of (\d+) found", "{} of {} faults found"), 4),
]
GPU_PROOFS = [
    Proof("CPU and GPU give the same, by graph or stream, in all widths, tiles and warps, alone or in a batch",
          "`tests/differential/sameness.py --device cuda`",
          "python3 tests/differential/sameness.py --grampus {build}/grampus --device cuda --jobs {jobs} --count {n} --seed 1", 150,
          (r"(\d+) digests compared, (\d+) not", "{} digests compared, {} not the same")),
    Proof("random operations, inputs and shapes, and random run files, give on a GPU what they give on the CPU; fast "
          "functions what they give again, and by the table",
          "`tests/gpu/long/sweep.py`",
          "python3 tests/gpu/long/sweep.py --library {build}/libgrampus.so --seconds {n} --seed 2", 100,
          (r"^# (\d+) runs compared, (\d+) not", "{} runs compared, {} not the same"), 15),
    Proof("a run split on one device and resumed on the other gives what the undisturbed one gives",
          "`tests/differential/splits.py --devices cpu,cuda`",
          "python3 tests/differential/splits.py --grampus {build}/grampus --devices cpu,cuda --jobs {jobs} --count {n} --seed 2", 50,
          (r"^(\d+) passed, (\d+) failed", "{} runs split and resumed, {} not the same")),
    Proof("whatever CUDA refuses, results and checkpoints stay whole, and the run can be resumed",
          "`tests/gpu/device_faults.sh`",
          "GRAMPUS={build}/grampus sh tests/gpu/device_faults.sh", 1,
          (r"device faults: (\d+) tried", "{} faults survived")),
    Proof("a long run on a GPU takes no more memory, of the host or the card, and goes no slower at its end",
          "`tests/e2e/load.py --device cuda`",
          "GRAMPUS={build}/grampus python3 tests/e2e/load.py --device cuda --generations {n}000 --epochs {n}", 1000,
          (r"^# (\d+) generations, (\d+) epochs, (\d+) checkpoints", "{} generations; {} epochs, {} checkpoints"), 100,
          alone=True),
    Proof("processes that share a GPU give what each gives alone",
          "`tests/gpu/long/together.sh`",
          "GRAMPUS={build}/grampus TURNS={n} sh tests/gpu/long/together.sh", 1,
          (r"^# (\d+) runs beside", "{} runs beside others")),
    Proof("a run beside a process that fills the card gives the same, or says that there is too little memory",
          "`tests/gpu/long/full_card.sh`",
          "GRAMPUS={build}/grampus sh tests/gpu/long/full_card.sh", 1,
          (r"^# (\d+) runs beside a process that fills the card, (\d+) refused", "{} runs, {} of them refused"), alone=True),
    Proof("a run on a GPU that is killed loses nothing before its last checkpoint",
          "`tests/e2e/kills.sh`, KILLS_DEVICE=cuda",
          "GRAMPUS={build}/grampus KILLS={n} KILLS_SEED=3 KILLS_DEVICE=cuda KILLS_FROM=0.6 KILLS_TO=3 KILLS_GENERATIONS=60000 "
          "sh tests/e2e/kills.sh", 30,
          (r"^# (\d+) kills of (\d+) runs", "{} kills of {} runs survived"), 5),
    Proof("a run on a GPU that a signal ends goes on as if it had not been ended, with the GPU's own ways of small demes",
          "`tests/e2e/kills.sh`, KILLS_DEVICE=cuda KILLS_SIGNAL=TERM KILLS_RUN='--runs 1'",
          "GRAMPUS={build}/grampus KILLS={n} KILLS_SEED=5 KILLS_SIGNAL=TERM KILLS_RUN='--runs 1' KILLS_DEVICE=cuda KILLS_FROM=0.6 "
          "KILLS_TO=3 KILLS_GENERATIONS=60000 sh tests/e2e/kills.sh", 30,
          (r"^# (\d+) kills of (\d+) runs", "{} ends of {} runs"), 5),
    Proof("a signal ends a run on a GPU with the generation under way, however long its epoch",
          "`tests/gpu/signals.sh`",
          "GRAMPUS={build}/grampus sh tests/gpu/signals.sh", 1,
          (r"^# (\d+) runs stopped", "{} runs stopped")),
    Proof("no kernel reads or writes what is not its own, races, or reads what nobody wrote",
          "`tests/gpu/sanitizer.sh`",
          "printf '%s\\n' memcheck racecheck initcheck synccheck | "
          "xargs -P 4 -I TOOL env GRAMPUS={build}/grampus TOOLS=TOOL sh tests/gpu/sanitizer.sh", 1,
          (r"^(?:(ok)|(not ok)) - ", "{} runs under compute-sanitizer, {} with a finding")),
    Proof("arrays of more than 2^32 elements on a GPU: runs of a batch as alone",
          "`tests/gpu/long/large.sh`",
          "GRAMPUS={build}/grampus sh tests/gpu/long/large.sh", 1,
          (r"^# (\d+) arrays beyond", "{} arrays of more than 2^32 elements"), alone=True),
    Proof("what a GPU is asked for is what the memory plan says, and no array is overrun",
          "`tests/gpu/memory.sh`",
          "GRAMPUS={build}/grampus sh tests/gpu/memory.sh", 1,
          (r"^(?:(ok)|(not ok)) - ", "{} checks, {} failed"), alone=True),
    Proof("CPU and GPU hold the same bytes in every generation",
          "`tests/gpu/same_gpu.c`",
          "make -s CUDA=1 BUILD={build} {build}/tests/gpu/same_gpu && seq 0 7 | xargs -P 8 -I PART {build}/tests/gpu/same_gpu PART 8", 1,
          (r"(\d+) passed, (\d+) failed", "{} shapes of runs, {} not the same")),
]


def figure_of(proof, said):
    """The words, and whether anything was counted."""
    pattern, words = proof.figure
    sums = []
    for match in re.finditer(pattern, re.sub(r"^ok - .*# skipped.*$", "", said, flags=re.M), re.M):
        values = [int(g) if g and g.isdigit() else int(bool(g)) for g in match.groups()]
        sums = [a + b for a, b in zip(sums, values)] if sums else values
    return words.format(*(f"{s:,}".replace(",", " ") for s in sums)) if sums else "no figure", any(sums)


def left_out(said):
    """What the test says that it could not run: 'ok - NAME # skipped: WHY'."""
    return [f"{name}: {why}" for name, why in re.findall(r"^ok - (.*?) # skipped:? ?(.*)$", said, re.M)]


def verdict_of(code, counted, skipped):
    """A test that ends well has kept its promise only if it counted something."""
    if code:
        return "**no**"
    if not counted:
        return f"**not run**{': ' + skipped[0] if skipped else ', nothing was counted'}"
    return f"yes, but {len(skipped)} not run: {skipped[0]}" if skipped else "yes"


class Cards:
    """The GPUs, dealt to proofs. names: as CUDA numbers them; alone: proofs that need one for themselves."""

    def __init__(self, names, alone):
        self.users, self.alone, self.turn = {name: 0 for name in names}, alone, threading.Condition()

    def free(self, alone):
        """One that may be taken now: of several the last is kept for those that want one for themselves."""
        names = list(self.users)
        if alone:
            idle = [name for name in names if self.users[name] == 0]
            return idle[-1] if idle and (len(names) == 1 or idle[-1] == names[-1]) else None
        mine = names[:-1] if len(names) > 1 and self.alone else names
        shared = [name for name in mine if self.users[name] >= 0]
        return min(shared, key=self.users.get) if shared else None

    def take(self, alone):
        with self.turn:
            self.turn.wait_for(lambda: self.free(alone) is not None)
            name = self.free(alone)
            self.users[name] = -1 if alone else self.users[name] + 1
            return name

    def give_back(self, name, alone):
        with self.turn:
            self.users[name] = 0 if alone else self.users[name] - 1
            self.alone -= alone
            self.turn.notify_all()


def cards_here():
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        return os.environ["CUDA_VISIBLE_DEVICES"].split(",")
    said = subprocess.run(["nvidia-smi", "--query-gpu=index", "--format=csv,noheader"], capture_output=True, text=True)
    return said.stdout.split()


def prove_on_card(proof, options, cards, side_by_side):
    with contextlib.nullcontext() if proof.alone else side_by_side:
        card = cards.take(proof.alone)
        try:
            return prove(proof, options, {**os.environ, "CUDA_VISIBLE_DEVICES": card})
        finally:
            cards.give_back(card, proof.alone)


def prover(proofs, options):
    """How one of the proofs is done, and how many threads do them."""
    if not options.gpu:
        return (lambda proof: prove(proof, options)), options.together
    alone = sum(proof.alone for proof in proofs)
    cards, side_by_side = Cards(cards_here(), alone), threading.Semaphore(options.together)
    threads = options.together + (alone if options.together > 1 else 0)
    return (lambda proof: prove_on_card(proof, options, cards, side_by_side)), threads


def prove(proof, options, environment=None):
    amount = proof.quick if options.quick else proof.scaled(options.scale)
    command = proof.command.format(build=options.build, n=amount, jobs=max(1, (os.cpu_count() or 2) // 2))
    print(f"{proof.test}: {proof.promise}", flush=True)
    start, said = time.monotonic(), []
    log = os.path.join(options.build, "proof.log")
    with subprocess.Popen(command, shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", env=environment) as process, \
            open(log, "a") as out:
        out.write(f"$ {command}\n")
        for line in process.stdout:
            out.write(line if options.together == 1 else f"{proof.test}: {line}")
            out.flush()
            said.append(line)
    seconds = time.monotonic() - start
    figure, counted = figure_of(proof, "".join(said))
    whole = amount == proof.amount
    return {"figure": figure, "verdict": verdict_of(process.returncode, counted, left_out("".join(said))),
            "took": f"{seconds:.0f} s", "work": "" if whole else f" ({amount} instead of {proof.amount})",
            "wrong": [line.rstrip() for line in said if line.startswith("not ok")]}


def machine():
    lines = [f"{os.cpu_count()} processors"]
    if shutil.which("nvidia-smi"):
        gpus = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
        lines += gpus.stdout.split("\n")[:1] if gpus.returncode == 0 else []
    return ", ".join(line for line in lines if line)


class Page:
    """The table, and what stands in it of earlier calls with the same program: proofs can be run one by one."""

    def __init__(self, build, proofs, name):
        self.proofs, self.path, self.record = proofs, os.path.join(build, name + ".md"), os.path.join(build, name + ".json")
        self.program, self.rows = self.digest(os.path.join(build, "grampus")), {}
        if os.path.exists(self.record):
            with open(self.record) as file:
                known = json.load(file)
            if known["program"] == self.program:
                self.rows = known["rows"]

    @staticmethod
    def digest(program):
        if not os.path.exists(program):
            return ""
        with open(program, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def row(self, proof):
        row = self.rows.get(proof.promise, {"figure": "", "work": "", "verdict": "**not run**", "took": ""})
        return f"| {proof.promise} | {proof.test} | {row['figure']}{row['work']} | {row['verdict']} | {row['took']} |"

    def write(self, proof, row):
        self.rows[proof.promise] = row
        with open(self.record, "w") as out:
            json.dump({"program": self.program, "rows": self.rows}, out, indent=1)
        with open(self.path, "w") as out:
            out.write(f"# Proof\n\nOn {machine()}.\n\n| promise | test | figure | kept | took |\n|---|---|---|---|---|\n" +
                      "\n".join(map(self.row, self.proofs)) + "\n")


def run(proofs, all_proofs, name, options):
    """How many were not kept, how many not run."""
    page = Page(options.build, all_proofs, name)
    verdicts = []
    call, threads = prover(proofs, options)
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        tasks = {pool.submit(call, proof): proof for proof in proofs}
        try:
            for task in concurrent.futures.as_completed(tasks):
                page.write(tasks[task], task.result())
                verdicts.append(page.rows[tasks[task].promise]["verdict"])
                print("\n".join([page.row(tasks[task]), *page.rows[tasks[task].promise]["wrong"][:20]]), flush=True)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    failed, missing = verdicts.count("**no**"), sum(v.startswith("**not run**") for v in verdicts)
    print(f"{len(proofs)} proofs, {failed} failed, {missing} not run: {page.path}; what they said: {options.build}/proof.log")
    return failed, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--together", type=int, default=1, help="proofs side by side")
    parser.add_argument("--only", default="", help="proofs whose test or promise has one of these words, with commas between")
    parser.add_argument("--without", default="", help="proofs that have none of these")
    options = parser.parse_args()
    all_proofs = GPU_PROOFS if options.gpu else PROOFS
    proofs = [p for p in all_proofs if any(word in p.promise + p.test for word in options.only.split(",")) and
              not any(word and word in p.promise + p.test for word in options.without.split(","))]
    failed, missing = run(proofs, all_proofs, "proof-gpu" if options.gpu else "proof", options)
    return failed or missing or not proofs


if __name__ == "__main__":
    sys.exit(bool(main()))
