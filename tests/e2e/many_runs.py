#!/usr/bin/env python3
"""summary.tsv and runs.tsv against a plain model of them: the same runs with statistics: all, read and put together
here. Runs stop at a target, so that most have ended before the last generation. And where the border of many runs is."""
import contextlib
import glob
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
RUN = ["--genotype", "tree", "--target-expression", "x * x + x", "--variables", "x = grid(-1, 1, 0.5)", "--test-variables",
       "x = grid(0, 1, 0.25)", "--population", "12", "--max-nodes", "30", "--generations", "9", "--target-fitness", "0.05",
       "--functions", "+, -, *, /", "--constant-probability", "0.2", "--epoch", "4", "--quiet", "--device", "cpu"]
MEASURES = ["best_fitness", "ave_fitness", "best_ever", "test_fitness", "valid", "ave_genome_length", "ave_used_codons",
            "ave_tree_depth", "ave_tree_nodes", "ave_derivation_nodes", "best_nodes", "best_depth"]
DIVERSITY = ["genotypes", "phenotypes", "fitnesses", "fitness_entropy", "like_parent", "phenotypes_ever"]
failed = 0


def check(name, good):
    global failed
    failed += not good
    print(("ok - " if good else "not ok - ") + name)


def run(work, name, *options):
    """The folder of results, and what the run said."""
    output = os.path.join(work, name)
    said = subprocess.run([GRAMPUS, "run", *RUN, "--output", output, *options], stdout=subprocess.PIPE, check=True)
    return glob.glob(output + "/run/*")[0], said.stdout.decode()


def table(folder, name):
    with open(os.path.join(folder, name)) as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [dict(zip(rows[0], row)) for row in rows[1:]] if all(len(r) == len(rows[0]) for r in rows) else None


def quantile(values, q):
    at = q * (len(values) - 1)
    low = math.floor(at)
    if at == low or math.isinf(values[low]) or values[low] == values[low + 1]:
        return values[low]
    return values[low] + (at - low) * (values[low + 1] - values[low])


def model(rows, runs):
    """summary.tsv from the rows of statistics.tsv: generation -> column -> value"""
    last, solved, out = {}, set(), {}
    for generation in sorted({int(r["gen"]) for r in rows}):
        going = [r for r in rows if int(r["gen"]) == generation]
        for r in going:
            last[r["run"]] = r
            solved |= {r["run"]} if float(r["best_ever"]) <= 0.05 else set()
        of = {"runs": len(going), "solved": len(solved), "nodes_executed": sum(float(r["nodes_executed"]) for r in going)}
        assert len(last) == runs
        for m in MEASURES + [d for d in DIVERSITY if d in rows[0]]:
            v = sorted(x for x in (float(r[m]) for r in last.values()) if not math.isnan(x))
            parts = [v[0], quantile(v, .25), quantile(v, .5), quantile(v, .75), v[-1], sum(v) / len(v)] if v else [math.nan] * 6
            of.update(zip([f"{m}_{p}" for p in ("min", "lower_quartile", "median", "upper_quartile", "max", "mean")], parts))
        out[generation] = of
    return out


def near(a, b):
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 2e-8 * max(abs(a), abs(b))


def compare(work, name, runs, columns, *options):
    whole, _ = run(work, name + "all", "--runs", str(runs), "--statistics", "all", *options)
    short, _ = run(work, name + "summary", "--runs", str(runs), "--statistics", "summary", *options)
    expected, rows = model(table(whole, "statistics.tsv"), runs), table(short, "summary.tsv")
    ended = expected[max(expected)]["runs"] < runs
    check(f"{name}: a row a generation, and runs that ended before", [int(r["gen"]) for r in rows] == sorted(expected) and ended)
    wrong = [(r["gen"], c, r[c], expected[int(r["gen"])].get(c)) for r in rows for c in r
             if c not in ("gen", "time") and not near(float(r[c]), expected[int(r["gen"])].get(c, 1e300))]
    check(f"{name}: summary.tsv is what statistics.tsv comes to {wrong[:3] or ''}", not wrong and len(rows[0]) == columns)
    check(f"{name}: no other statistics", not os.path.exists(short + "/statistics.tsv") and not os.path.exists(whole + "/summary.tsv"))
    check(f"{name}: runs.tsv does not depend on it", table(whole, "runs.tsv") == table(short, "runs.tsv") is not None)
    return whole, short


def check_runs(folder):
    """runs.tsv against best.json of the same runs."""
    with open(folder + "/best.json") as file:
        best = json.load(file)
    rows = table(folder, "runs.tsv")
    same = [(int(r["run"]), int(r["seed"]), int(r["generation"]), float(r["fitness"]), float(r["test_fitness"]), r["solved"] == "1",
             int(r["size"]), int(r["depth"]), r["expression"]) for r in rows]
    check("runs.tsv has what best.json has",
          same == [(b["run"], b["seed"], b["generation"], b["fitness"], b["test_fitness"], b["solved"], b["size"], b["depth"],
                    b["infix"]) for b in best["runs"]])


def main():
    with tempfile.TemporaryDirectory() as work:
        whole, _ = compare(work, "few", 150, 77)
        check_runs(whole)
        compare(work, "many", 2500, 77)  # several blocks a generation
        compare(work, "steps", 150, 113, "--replacement", "steady-state", "--diversity")

        folder, said = run(work, "border", "--runs", "1000", "--generations", "1", "--json")
        check("1000 runs: each is told of", os.path.exists(folder + "/statistics.tsv") and len(json.loads(said)["runs"]) == 1000
              and len(table(folder, "runs.tsv")) == 1000)
        folder, said = run(work, "beyond", "--runs", "1001", "--generations", "1", "--json")
        report = json.loads(said)
        rows = table(folder, "runs.tsv")
        check("1001 runs: summary.tsv", not os.path.exists(folder + "/statistics.tsv") and len(table(folder, "summary.tsv")) == 2)
        check("1001 runs: the runs stand in runs.tsv alone", "runs" not in report and len(rows) == 1001
              and os.path.getsize(folder + "/best.json") + os.path.getsize(folder + "/best.txt") < 8000)
        leader = min(rows, key=lambda r: float(r["fitness"]))
        check("1001 runs: best.json has the best and the totals", report["run"] == int(leader["run"])
              and report["infix"] == leader["expression"] and report["summary"]["runs"] == 1001
              and report["summary"]["successes"] == sum(r["solved"] == "1" for r in rows))
        for single in ("0", "7", "all"):
            done = subprocess.run([GRAMPUS, "export", folder, "--format", "infix", "--run", single], capture_output=True, text=True)
            check(f"1001 runs: no export of run {single}", done.returncode == 2 and not done.stdout and "runs.tsv" in done.stderr)
        folder, _ = run(work, "chosen", "--runs", "1001", "--generations", "1", "--statistics", "all")
        check("1001 runs with statistics: all", len(table(folder, "statistics.tsv")) > 1001)
        # 0.1 as a float is more than as a double: the run stops there all the same, and every table says that it did.
        options = ["--metric", "mae", "--target-expression", "0.1 + 0 * x", "--functions", "+, -, *", "--constant-probability",
                   "0", "--target-fitness", "0.1", "--runs", "5"]
        folder, _ = run(work, "rounded", *options, "--statistics", "summary")
        check("a target that no float is: solved in summary.tsv as in runs.tsv", table(folder, "summary.tsv")[-1]["solved"] == "5"
              and [(float(r["fitness"]) > 0.1, r["solved"]) for r in table(folder, "runs.tsv")] == [(True, "1")] * 5)
        folder, _ = run(work, "tables", *options, "--sqlite")
        with contextlib.closing(sqlite3.connect(folder + "/results.sqlite")) as tables:
            check("a target that no float is: solved in the curve as at the end",
                  [tables.execute(f"SELECT max(solved) FROM {name}").fetchone()[0] for name in ("success_curve", "success")] == [5, 5])
        folder, _ = run(work, "none", "--statistics", "none")
        check("statistics: none", sorted(os.listdir(folder)) == ["best.json", "best.txt", "run.yaml"])
        options = [o for o in RUN if o != "--quiet"] + ["--runs", "1001", "--generations", "1", "--output", work + "/said"]
        said = subprocess.run([GRAMPUS, "run", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout.decode()
        check("the report says so", "\nstatistics  summary.tsv" in said)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
