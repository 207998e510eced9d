#!/usr/bin/env python3
"""grampus experiment: its tables against single runs, going on, cells added, cells that fail, kills, what cannot be
written, tables that are damaged. EXPERIMENT_KILLS (3) random moments of kill -9, from EXPERIMENT_SEED (1) on.
Python's standard library only."""
import csv
import glob
import json
import math
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))

from program import find_program

GRAMPUS = find_program()
SLOW = bool(os.environ.get("SANITIZE"))
FILES = {
    "base.yaml": """genotype: tree
target-expression: x * x + x
variables: x = uniform(-1, 1)
train-cases: 40
test-cases: 20
population: 60
generations: 12
epoch: 4
max-nodes: 60
target-fitness: 0.0001
device: cpu
""",
    "pair.yaml": "base: base.yaml\nruns: 6\ndiversity: true\npredictions: 4\ngrid:\n  tournament: [2, 5]\n",
    "more.yaml": "base: base.yaml\nname: pair\nruns: 6\ndiversity: true\npredictions: 4\ngrid:\n  tournament: [3, 5, 2]\n",
    "other.yaml": "base: base.yaml\nname: pair\nruns: 6\ndiversity: true\npredictions: 4\ngrid:\n  tournament: [2, 4]\n",
    "own.yaml": "base: base.yaml\nruns: 3\nseeds: own\ngrid:\n  tournament: [2, 5]\n",
    "amid.yaml": "base: base.yaml\nname: own\nruns: 3\nseeds: own\ngrid:\n  tournament: [2, 3, 5]\n",
    "behind.yaml": "base: base.yaml\nname: own\nruns: 3\nseeds: own\ngrid:\n  tournament: [2, 5, 3]\n",
    "some.yaml": "base: base.yaml\nruns: 3\nlist:\n  - {name: good}\n  - {name: bad, target-expression: '', variables: '', "
                 "train-cases: 0, test-cases: 0, data: t.csv}\n  - {name: fine, population: 30}\n",
    "sampled.yaml": "base: base.yaml\nruns: 10\ncase-sampling: random\nsample-cases: 5\ntarget-fitness: 0.2\n",
    "slow.yaml": "base: base.yaml\nruns: 2\ntarget-fitness: none\ngenerations: 100000000\ntime-limit: 2.5\nstatistics: none\nthreads: 1\n",
    "long.yaml": "base: base.yaml\nruns: 40\nstatistics: all\ntarget-fitness: none\ngrid:\n"
                 "  tournament: [2, 3, 4]\n  population: [50, 100]\n",
    "blocks.yaml": "base: base.yaml\nruns: 4\nblocks: target-expression\nlabel: '{tournament} on {target-expression}'\n"
                   "grid:\n  target-expression: [x * x, x + x * x * x, 1 - x]\n  tournament: [2, 6]\n",
}
TABLES_AT_THE_END = ("cells", "outcomes", "success", "comparisons", "ranks", "rank_tests", "rank_comparisons")
TIMES = {"device", "started", "seconds", "seconds_select", "seconds_breed", "seconds_evaluate", "time", "expected_seconds"}
failed = False


def check(name, good, note=""):
    global failed
    print(f"{'ok' if good else 'not ok'} - {name}")
    if not good:
        failed = True
        if note:
            print(f"#   {note}")


def grampus(*arguments, **more):
    return subprocess.run([GRAMPUS, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)


def refused(name, run, code, *words):
    lines = run.stderr.splitlines()
    good = run.returncode == code and len(lines) == 1 and all(w in lines[0] for w in words)
    check(name, good, f"exit code {run.returncode}, {run.stderr!r}")


def rows(path, sql):
    with sqlite3.connect(path) as db:
        return db.execute(sql).fetchall()


def contents(path):
    """All tables, without what differs from run to run."""
    found = {}
    with sqlite3.connect(path) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall():
            columns = [c[1] for c in db.execute(f"PRAGMA table_info({table})") if c[1] not in TIMES]
            where = "WHERE measure NOT LIKE '%seconds' AND measure <> 'time'" if table == "outcomes" else ""
            found[table] = db.execute(f"SELECT {', '.join(columns)} FROM {table} {where}").fetchall()
    return found


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t" if path.endswith(".tsv") else ","))


def number(text):
    return None if text in ("nan", "") else float(text)


# ---- tables ----


def check_tables():
    run = grampus("experiment", "pair.yaml", "--quiet")
    path = "results/pair/results.sqlite"
    check("an experiment", run.returncode == 0 and run.stdout + run.stderr == "", run.stderr)
    check("its cells are done", rows(path, "SELECT label, state, runs, maximised FROM cells ORDER BY place") ==
          [("tournament=2", "done", 6, 0), ("tournament=5", "done", 6, 0)])
    check("every key and cell is there", rows(path, "SELECT count(*) FROM (SELECT cell FROM cells) c WHERE 2 = "
          "(SELECT count(*) FROM cells)") == [(2,)] and rows(path, "PRAGMA foreign_key_check") == []
          and rows(path, "PRAGMA integrity_check") == [("ok",)])
    check("outcomes are those of its runs", rows(path, "SELECT cell, n, mean = (SELECT avg(nodes) FROM runs WHERE runs.cell = "
          "outcomes.cell) FROM outcomes WHERE measure = 'nodes' ORDER BY cell") == [(1, 6, 1), (2, 6, 1)])
    check("what varies", rows(path, "SELECT cell, key, value FROM cell_settings WHERE varied") ==
          [(1, "tournament", "2"), (2, "tournament", "5")])
    for cell, tournament in ((1, "2"), (2, "5")):
        single = f"single{cell}"
        grampus("run", "base.yaml", "--runs", "6", "--predictions", "4", "--diversity", "--tournament", tournament, "--output", single, "--quiet")
        (folder,) = glob.glob(f"{single}/*/*")
        check_generations(path, cell, table(os.path.join(folder, "statistics.tsv")))
        check_runs(path, cell, table(os.path.join(folder, "runs.tsv")))
        programs = [(int(r["place"]), int(r["nodes"]), number(r["fitness"]), number(r["test_fitness"]))
                    for r in table(os.path.join(folder, "programs.tsv"))]
        mine = rows(path, f"SELECT place, nodes, fitness, test_fitness FROM programs WHERE cell = {cell}")
        check(f"cell {cell}: programs as of the run alone", near(mine, programs))
    check_summary(path)
    return path


def near(a, b):
    return len(a) == len(b) and all(
        x == y or (x is not None and y is not None and (math.isclose(float(x), float(y), rel_tol=1e-8)))
        for left, right in zip(a, b) for x, y in zip(left, right))


def check_generations(path, cell, expected):
    names = list(expected[0])[:-1]  # without time
    mine = rows(path, f"SELECT {', '.join(names)} FROM generations WHERE cell = {cell} ORDER BY gen, run")
    check(f"cell {cell}: generations as of the run alone", near(mine, [[number(r[n]) for n in names] for r in expected]))


def check_runs(path, cell, expected):
    mine = rows(path, f"SELECT run, CAST(seed AS INTEGER), found, fitness, test_fitness, solved, nodes, depth FROM runs WHERE cell = {cell}")
    columns = ["run", "seed", "generation", "fitness", "test_fitness", "solved", "size", "depth"]
    check(f"cell {cell}: runs as of the run alone", near(mine, [[number(r[n]) for n in columns] for r in expected]))
    texts = rows(path, f"SELECT expression FROM runs WHERE cell = {cell}")
    check(f"cell {cell}: expressions", [t for (t,) in texts] == [r["expression"] for r in expected])
    last = rows(path, f"SELECT max(gen) FROM generations WHERE cell = {cell} GROUP BY run")
    check(f"cell {cell}: the last generation, evaluations", last == rows(path, f"SELECT generations FROM runs WHERE cell = {cell}")
          and rows(path, f"SELECT DISTINCT evaluations - 60 - 59 * generations FROM runs WHERE cell = {cell}") == [(0,)])


def check_summary(path):
    grampus("run", "base.yaml", "--runs", "6", "--predictions", "4", "--diversity", "--tournament", "2", "--statistics", "summary", "--output",
            "summed", "--quiet")
    expected = table(glob.glob("summed/*/*/summary.tsv")[0])
    for measure in ("best_ever", "ave_tree_nodes", "test_fitness"):
        mine = rows(path, f"SELECT gen, min, lower_quartile, median, upper_quartile, max, mean FROM summary WHERE cell = 1 "
                          f"AND measure = '{measure}' ORDER BY gen")
        names = ["gen"] + [f"{measure}_{p}" for p in ("min", "lower_quartile", "median", "upper_quartile", "max", "mean")]
        check(f"summary: {measure} as in summary.tsv", near(mine, [[number(r[n]) for n in names] for r in expected]))
    mine = rows(path, "SELECT gen, going, solved FROM success_curve WHERE cell = 1")
    check("success as in summary.tsv", mine == [(int(r["gen"]), int(r["runs"]), int(r["solved"])) for r in expected])
    check("the view repeats the last rows", rows(path, "SELECT count(*) FROM filled_generations WHERE cell = 1") ==
          [(6 * len(expected),)])
    check("medians lie in their intervals", rows(path, "SELECT count(*) FROM summary WHERE NOT (median_low <= median AND "
          "median <= median_high AND min <= median_low AND median_high <= max)") == [(0,)])


def check_single(path):
    run = grampus("run", "base.yaml", "--runs", "6", "--predictions", "4", "--diversity", "--tournament", "2", "--output", "tables", "--sqlite", "--quiet")
    (folder,) = glob.glob("tables/*/*")
    mine = os.path.join(folder, "results.sqlite")
    same = ["runs", "generations", "programs", "summary", "success_curve", "success"]
    of_cell = {t: [r for r in contents(path)[t] if r[0] == 1] for t in same}
    check("a run with --sqlite has the tables of such a cell", run.returncode == 0 and
          {t: contents(mine)[t] for t in same} == of_cell, run.stderr)
    check("and its digest", rows(mine, "SELECT cell, label, state, digest FROM cells") ==
          [(1, "base", "done") + rows(path, "SELECT digest FROM cells WHERE cell = 1")[0]])
    grampus("experiment", folder, "--csv")
    check("tables of a run as CSV", len(table(os.path.join(folder, "generations.csv"))) == len(of_cell["generations"]))
    refused("a run without tables", grampus("experiment", glob.glob("single1/*/*")[0], "--csv"), 2, "grampus run --sqlite")
    run = grampus("run", "base.yaml", "--generations", "100000000", "--target-fitness", "none", "--time-limit", "0.3", "--output",
                  "limited", "--sqlite", "--quiet")
    (mine,) = glob.glob("limited/*/*/results.sqlite")
    check("of one that its time limit ends", run.returncode == 0 and rows(mine, "SELECT stop_reason FROM cells") == [("time-limit",)]
          and rows(mine, "SELECT max(gen) FROM generations") == rows(mine, "SELECT generations FROM runs"), run.stderr)


# ---- going on ----


def check_going_on(path):
    before = contents(path)
    run = grampus("experiment", "results/pair")
    check("started again, all cells are skipped", run.returncode == 0 and contents(path) == before and "2 of 2 cells done" in run.stdout)
    refused("another experiment", grampus("experiment", "other.yaml"), 2, "other.yaml", "tournament=5", "results/pair")
    check("which leaves the tables alone", contents(path) == before)
    run = grampus("experiment", "more.yaml", "--quiet")
    check("a cell is added", run.returncode == 0 and rows(path, "SELECT cell, place, label, state FROM cells ORDER BY place") ==
          [(3, 1, "tournament=3", "done"), (2, 2, "tournament=5", "done"), (1, 3, "tournament=2", "done")])
    check("and the others stay", [r for r in contents(path)["generations"] if r[0] < 3] == before["generations"])
    check("pairs are compared", rows(path, "SELECT count(*) FROM comparisons WHERE measure = 'fitness'") == [(3,)])
    run = grampus("experiment", "results/pair", "--compare")
    check("the comparison as text", run.returncode == 0 and all(w in run.stdout for w in ("tournament=3", "Mann-Whitney", "Friedman")))
    run = grampus("experiment", "results/pair", "--compare", "--json")
    told = json.loads(run.stdout)
    check("and as JSON, table by table", list(told) == list(TABLES_AT_THE_END) and all(
        [tuple(row.values()) for row in told[name]] == rows(path, f"SELECT * FROM {name}") for name in told) and
          list(told["ranks"][0]) == ["measure", "treatment", "mean_rank"] and len(told["comparisons"]) > 3, run.stdout)
    refused("--json beside --csv", grampus("experiment", "results/pair", "--csv", "--json"), 2, "--json beside --csv")
    run = grampus("experiment", "results/pair", "--csv")
    there = table("results/pair/runs.csv")
    check("tables as CSV", run.returncode == 0 and len(there) == 18 and there[0]["seed"] == "1" and
          set(os.listdir("results/pair")) >= {"cells.csv", "generations.csv", "summary.csv", "comparisons.csv"})
    names, before = sorted(os.listdir("results/pair")), open("results/pair/cell_settings.csv").read()
    run = grampus("experiment", "results/pair", "--csv", preexec_fn=lambda: full(2000))
    refused("a disk that is full", run, 1, "results/pair/cell_settings.csv: File too large")
    check("tables of before stay whole", open("results/pair/cell_settings.csv").read() == before and
          sorted(os.listdir("results/pair")) == names)


def check_changed():
    """A file that was changed after it ran: what of it is another, down to the data."""
    with open("changed.csv", "w") as file:
        file.write("x,y\n1,1\n2,4\n3,9\n")
    text = "data: changed.csv\ngenotype: tree\npopulation: 20\ngenerations: 3\nruns: 2\ngrid:\n  tournament: [2, 3]\n"
    for said, new in (("", text), ("(generations was '3' and is '4')", text.replace("generations: 3", "generations: 4"))):
        with open("changed.yaml", "w") as file:
            file.write(new)
        run = grampus("experiment", "changed.yaml", "--quiet")
        if said:
            refused("a setting that was changed is told", run, 2, "changed.yaml", "'tournament=2'", said)
    with open("changed.csv", "a") as file:
        file.write("4,16\n")
    with open("changed.yaml", "w") as file:
        file.write(text)
    refused("data that was changed", grampus("experiment", "changed.yaml"), 2, "'tournament=2'", "holds something else now")
    os.remove("changed.csv")
    refused("data that is gone", grampus("experiment", "changed.yaml"), 2, "'tournament=2'", "(changed.csv: No such file")


def check_own_seeds():
    """Seeds go by the places of cells: one amid others would shift theirs, one behind them does not."""
    path = "results/own/results.sqlite"
    grampus("experiment", "own.yaml", "--quiet")
    before = contents(path)
    refused("own seeds: a cell amid others", grampus("experiment", "amid.yaml", "--quiet"), 2, "amid.yaml:4:8",
            "places of cells", "'tournament=5'", "with seed 4 and has 7 here", "behind")  # fmt: skip
    check("which leaves the tables alone", contents(path) == before)
    run = grampus("experiment", "behind.yaml", "--quiet")
    check("own seeds: a cell behind the others", run.returncode == 0 and
          rows(path, "SELECT DISTINCT cell, seed FROM runs WHERE run = 0") == [(1, "1"), (2, "4"), (3, "7")])


def check_dry_again():
    dry = grampus("experiment", "pair.yaml", "--dry-run")
    check("a dry run of what is done", dry.returncode == 0 and dry.stdout.count("  done  ") == 2 and
          "2 cells, 2 of them done; left, 0 runs" in dry.stdout and "results are in results/pair" in dry.stdout, dry.stdout)
    with open("results/pair/results.sqlite", "rb") as file:
        before = file.read(), sorted(os.listdir("results/pair"))
    dry = grampus("experiment", "more.yaml", "--dry-run")
    check("of cells that were added", dry.returncode == 0 and dry.stdout.count("  done  ") == 2 and
          "3 cells, 2 of them done; left, 6 runs" in dry.stdout, dry.stdout)
    dry = grampus("experiment", "more.yaml", "--dry-run", "--json")
    told = json.loads(dry.stdout)
    check("the same as JSON", [cell["state"] for cell in told["cells"]] == ["waiting", "done", "done"] and told["runs"] == 6 and
          told["cells"][0]["label"] == "tournament=3" and told["cells"][0]["device"] == "cpu" and
          told["cells"][0]["bytes"] > 1000 and told["folder"] == "results/pair", dry.stdout)
    refused("of another experiment", grampus("experiment", "other.yaml", "--dry-run"), 2, "not the experiment whose results are in")
    dry = grampus("experiment", "results/pair", "--dry-run")
    check("of the folder", dry.returncode == 0 and "2 of them done" in dry.stdout, dry.stdout)
    with open("results/pair/results.sqlite", "rb") as file:
        check("all of which write nothing", before == (file.read(), sorted(os.listdir("results/pair"))))
    one = grampus("experiment", "sampled.yaml", "--dry-run")
    check("one cell is no cells", "\n1 cell, 10 runs, " in one.stdout, one.stdout)


def check_failures():
    run = grampus("experiment", "some.yaml", "--jobs", "1")
    path = "results/some/results.sqlite"
    check("a cell fails, the others are done", run.returncode == 1 and "1 of 3 cells failed" in run.stderr.splitlines()[-1] and
          rows(path, "SELECT label, state FROM cells") == [("good", "done"), ("bad", "failed"), ("fine", "done")], run.stderr)
    (error,), = rows(path, "SELECT error FROM cells WHERE state = 'failed'")
    told = json.loads(grampus("experiment", "some.yaml", "--json").stdout)
    check("run again with --json", [told[name] for name in ("experiment", "done", "skipped", "failed")] == ["some", 2, 2, 1] and
          "bad: " in told["first_failure"] and told["folder"] == "results/some" and
          [cell["state"] for cell in told["cells"]] == ["done", "failed", "done"], told)
    told = grampus("experiment", "results/some", "--compare").stdout.splitlines()
    check("the comparison has why", any(line.split()[1:2] == ["failed"] and line.endswith("bad: " + error) for line in told), told)
    check("why is kept", "t.csv" in rows(path, "SELECT error FROM cells WHERE label = 'bad'")[0][0])
    dry = grampus("experiment", "some.yaml", "--dry-run")
    check("a dry run of a cell that is refused: exit code 2, and how many", dry.returncode == 2 and
          dry.stderr.splitlines()[-1] == "1 of 3 cells is refused" and dry.stdout.count("  refused ") == 1, dry.stderr)
    with open("t.csv", "w") as file:
        file.write("a,y\n" + "".join(f"{i},{i * i}\n" for i in range(9)))
    run = grampus("experiment", "some.yaml", "--quiet")
    check("and is tried again", run.returncode == 0 and rows(path, "SELECT DISTINCT state, error FROM cells") == [("done", None)], run.stderr)


def check_moved():
    """A cell that failed leaves the file, and the file and its folder their place."""
    os.mkdir("here")
    shutil.copy("base.yaml", "here")
    good, bad = "  - {population: 30}\n", "  - {target-expression: '', variables: '', train-cases: 0, test-cases: 0, data: none.csv}\n"
    for cells in (good + bad, good):
        with open("here/moved.yaml", "w") as file:
            file.write("base: base.yaml\nruns: 2\noutput: here\nlist:\n" + cells)
        run = grampus("experiment", "here/moved.yaml", "--quiet")
    check("a cell that failed is taken out, and nothing varies", run.returncode == 0 and rows("here/moved/results.sqlite",
          "SELECT label, (SELECT max(varied) FROM cell_settings) FROM cells") == [("population=30", 0)], run.stderr)
    os.rename("here", "there")
    run = grampus("experiment", "there/moved.yaml", "--output", "there", "--quiet")
    check("moved, it goes on with the file", run.returncode == 0, run.stderr)
    run = grampus("experiment", "there/moved", "--quiet")
    check("and from then on with its folder", run.returncode == 0, run.stderr)
    run = grampus("experiment", "there/moved/experiment.yaml")
    check("or with the copy of its file in there", run.returncode == 0 and run.stdout.endswith("results     there/moved\n"), run.stderr)
    run = grampus("experiment", "experiment.yaml", "--quiet", cwd="there/moved")
    check("from anywhere", run.returncode == 0 and run.stdout + run.stderr == "", run.stderr)


def check_progress():
    """Runs under way count by their generations; where there is none yet there is no rate."""
    run = grampus("experiment", "slow.yaml")
    lines = [line for line in run.stderr.splitlines() if line.startswith("cells 0/1")]
    check("progress before the first cell is done", run.returncode == 0 and lines and not any("  0 runs/s" in line for line in lines) and
          "runs/s" in lines[-1], run.stderr)


def check_blocks():
    run = grampus("experiment", "blocks.yaml", "--quiet")
    path = "results/blocks/results.sqlite"
    check("blocks: treatments in three problems", run.returncode == 0 and rows(path, "SELECT blocks, treatments FROM rank_tests") ==
          [(3, 2)] * 2 and [t for (t,) in rows(path, "SELECT treatment FROM ranks WHERE measure = 'fitness'")] ==
          ["tournament=2", "tournament=6"], run.stderr)
    check("what is not counted is not there", rows(path, "SELECT count(*), count(genotypes), count(like_parent) FROM generations")
          [0][1:] == (0, 0) and rows(path, "SELECT count(*) FROM summary WHERE measure = 'genotypes'") == [(0,)])
    check("pairs share their problem", rows(path, "SELECT count(*) FROM comparisons WHERE measure = 'fitness'") == [(3,)])
    check("labels by the template", rows(path, "SELECT label FROM cells WHERE place = 1") == [("2 on x * x",)])


def check_no_ranks():
    """Where there is no Friedman test, the text says why."""
    for name, text, why in (("ranks1", "runs: 1\ngrid: {tournament: [2, 3]}\n", "one run a cell"), ("ranks2", "runs: 2\n", "one cell is done"),
                            ("ranks3", "runs: 2\nseeds: own\ngrid: {tournament: [2, 3]}\n", "cell 2 has other seeds than cell 1")):  # fmt: skip
        with open(name + ".yaml", "w") as file:
            file.write("base: base.yaml\n" + text)
        run = grampus("experiment", name + ".yaml")
        told = [line for line in run.stdout.splitlines() if "no Friedman test: " + why in line]
        check(f"no Friedman test: {why}", run.returncode == 0 and len(told) == 2 and told[0].startswith("fitness: ") and
              told[1].startswith("test_fitness: "), f"{run.stderr} {run.stdout}")


def check_sampled():
    """A run that was at the target on its sample of cases alone is not solved: neither at the end nor on the way."""
    run = grampus("experiment", "sampled.yaml", "--quiet")
    path = "results/sampled/results.sqlite"
    solved = [g for g, s in rows(path, "SELECT generations, solved FROM runs") if s]
    curve = rows(path, "SELECT gen, solved, going FROM success_curve ORDER BY gen")
    told = rows(path, "SELECT solved, effort, effort_gen FROM success")
    ended = [g for (g,) in rows(path, "SELECT generations FROM runs")]
    far = rows(path, "SELECT run, fitness, recomputed_fitness, solved FROM runs WHERE "
               "abs(fitness - recomputed_fitness) > 1e-4 * (1 + fitness) OR solved <> (fitness <= 0.2)")
    check("the fitness of every run is on all cases", run.returncode == 0 and len(ended) == 10 and far == [], far)
    check("a run at the target on its sample is not solved on the way", run.returncode == 0 and len(solved) < 10 and
          curve == [(g, sum(s <= g for s in solved), sum(e >= g for e in ended)) for g in range(max(ended) + 1)] and
          told[0][0] == len(solved) and (told[0][1] is None) == (not solved), f"{run.stderr} {curve} {told}")


def check_vanished():
    """The folder goes while cells run."""
    with open("leaving.yaml", "w") as file:
        file.write("base: base.yaml\nruns: 40\ngenerations: 300\ntarget-fitness: none\n")
    process = subprocess.Popen([GRAMPUS, "experiment", "leaving.yaml", "--output", "gone", "--quiet"], stderr=subprocess.PIPE, text=True)
    while not os.path.exists("gone/leaving/experiment.yaml"):
        time.sleep(0.01)
    os.rename("gone", "elsewhere")
    said = process.communicate()[1].splitlines()
    check("a folder that is moved away: one line", process.returncode == 1 and len(said) == 1 and "moved or removed" in said[0], said)


def check_all_at_once():
    """One that failed leaves the file, one fails, others are new, done and compared: every statement there is, in one run."""
    bad = "  - {{name: {}, target-expression: '', variables: '', train-cases: 0, test-cases: 0, data: none-{}.csv}}\n"
    for cells in (bad.format("first", 1) + "  - {tournament: 2}\n",
                  "  - {tournament: 2}\n" + bad.format("second", 2) + "  - {tournament: 3}\n  - {tournament: 4}\n"):
        with open("all.yaml", "w") as file:
            file.write("base: base.yaml\nruns: 6\npredictions: 3\nlist:\n" + cells)
        run = grampus("experiment", "all.yaml", "--quiet")
    check("all at once: the others are compared", run.returncode == 1 and "1 of 4 cells failed" in run.stderr and
          rows("results/all/results.sqlite", "SELECT count(*) FROM rank_comparisons WHERE measure = 'fitness'") == [(3,)], run.stderr)


def check_names():
    """What differs in the name of a file behind its first dot, or beyond what fits into a cut one, is another experiment."""
    for rate in ("0.5", "0.9"):
        with open(f"rates.{rate}.yaml", "w") as file:
            file.write(f"base: base.yaml\nruns: 2\ngenerations: 2\ncrossover-probability: {rate}\n")
        run = grampus("experiment", f"rates.{rate}.yaml", "--quiet")
        check(f"rates.{rate}.yaml has a folder of its own", run.returncode == 0 and
              os.path.exists(f"results/rates.{rate}/results.sqlite"), run.stderr)
    with open("unnamed.yaml", "w") as file:
        file.write("base: base.yaml\nname: ''\nruns: 2\ngenerations: 2\n")
    run = grampus("experiment", "unnamed.yaml", "--quiet")
    check("a name that is taken back: that of the file, not of its base", run.returncode == 0 and
          os.path.exists("results/unnamed/results.sqlite") and not os.path.exists("results/base"), run.stderr)
    long = "ö" * 100
    shutil.copy("base.yaml", long + ".yaml")
    run = grampus("run", long + ".yaml", "--quiet")
    check("a run of a long name has all of it", run.returncode == 0 and os.path.isdir("results/" + long), run.stderr)


# ---- kills ----


def check_kills():
    grampus("experiment", "long.yaml", "--output", "whole", "--quiet")
    whole = contents("whole/long/results.sqlite")
    wanted = int(os.environ.get("EXPERIMENT_KILLS", "1" if SLOW else "3"))
    start = time.time()
    grampus("experiment", "long.yaml", "--output", "timed", "--quiet")
    length = time.time() - start
    kills, turns, wrong, moments = 0, 0, 0, random.Random(int(os.environ.get("EXPERIMENT_SEED", "1")))
    while kills < wanted and turns < 20 + 10 * wanted:
        shutil.rmtree("part", ignore_errors=True)
        signals = [signal.SIGKILL, signal.SIGKILL if turns % 4 != 3 else signal.SIGINT]
        turns += 1
        for which in signals[:max(1, wanted - kills)]:
            start = time.time()
            process = subprocess.Popen([GRAMPUS, "experiment", "long.yaml", "--output", "part", "--quiet"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(moments.uniform(0, length))
                length = min(length, time.time() - start)  # it came too late: the machine is less busy now
            except subprocess.TimeoutExpired:
                process.send_signal(which)
                kills += process.wait() == -9
        run = grampus("experiment", "long.yaml", "--output", "part", "--quiet")
        if run.returncode or contents("part/long/results.sqlite") != whole:
            wrong += 1
            other = contents("part/long/results.sqlite")
            print("#", run.returncode, run.stderr, [t for t in whole if whole[t] != other[t]])
    print(f"# {kills} kills")
    check("killed and started again: the tables of an undisturbed one", wrong == 0 and kills == wanted, kills)
    grampus("experiment", "long.yaml", "--output", "single", "--quiet", "--jobs", "1")
    check("cells side by side or one by one: the same", contents("single/long/results.sqlite") == whole)
    grampus("experiment", "long.yaml", "--output", "dealt", "--quiet", "--jobs", "3", env=dict(os.environ, GRAMPUS_MEMBERS="2"))
    check("cells on several devices: the same", contents("dealt/long/results.sqlite") == whole)
    devices = [d for d, in rows("dealt/long/results.sqlite", "SELECT DISTINCT device FROM cells ORDER BY 1")]
    check("each cell on one of them", [d.rpartition(", ")[2] for d in devices] == ["device 0", "device 1"], devices)


# ---- what cannot be written or read ----


def full(size=600000):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def check_early_signal():
    """A signal while the tables are made, here held up by somebody who has them locked: what is begun is brought to its end.
    It was the end of the process at once, whose line said that nothing was written."""
    os.makedirs("early/pair")
    path = "early/pair/results.sqlite"
    held = sqlite3.connect(path, isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    run = subprocess.Popen([GRAMPUS, "experiment", "pair.yaml", "--output", "early", "--quiet"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    until = time.time() + 30
    while time.time() < until and not any(
            os.path.realpath(link) == os.path.realpath(path) for link in glob.glob(f"/proc/{run.pid}/fd/*")):
        time.sleep(0.02)
    run.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    held.close()
    _, error = run.communicate(timeout=30)
    check("a signal before the first cell: exit code 3", run.returncode == 3, str(run.returncode))
    check("a signal before the first cell: tables and file are there", not error and os.path.exists("early/pair/experiment.yaml") and
          rows(path, "SELECT state, COUNT(*) FROM cells GROUP BY state") == [("waiting", 2)], error)


def check_refusals():
    open("file", "w").close()
    refused("a folder that cannot be made", grampus("experiment", "pair.yaml", "--output", "file"), 1, "file/pair")
    run = grampus("experiment", "long.yaml", "--output", "full", "--quiet", "--jobs", "1", preexec_fn=full)
    refused("a full disk", run, 1, "full/long/results.sqlite")
    path = "full/long/results.sqlite"
    done = rows(path, "SELECT count(*) FROM cells WHERE state = 'done'")[0][0]
    check("which loses no cell that was done", rows(path, "PRAGMA integrity_check") == [("ok",)] and done < 6)
    run = grampus("experiment", "long.yaml", "--output", "full", "--quiet")
    check("and goes on when there is room", run.returncode == 0 and contents(path) == contents("whole/long/results.sqlite"), run.stderr)
    process = subprocess.Popen([GRAMPUS, "experiment", "long.yaml", "--output", "lock", "--quiet"])
    while not os.path.exists("lock/long/experiment.yaml"):
        time.sleep(0.01)
    second = grampus("experiment", "long.yaml", "--output", "lock", "--quiet")
    process.wait()
    refused("a second one in the same folder", second, 1, "an experiment writes to this folder")
    check_damaged(path)
    refused("no folder", grampus("experiment", "nowhere", "--csv"), 2, "nowhere")
    os.mkdir("empty")
    refused("a folder without tables", grampus("experiment", "empty", "--compare"), 2, "empty/results.sqlite")
    refused("no file", grampus("experiment", "nowhere.yaml"), 2, "nowhere.yaml")
    refused("a wrong option", grampus("experiment", "pair.yaml", "--drry-run"), 2, "--dry-run")
    refused("no name of a folder", grampus("experiment", "pair.yaml", "--output", ""), 2, "--output has no value; expected a folder")
    refused("another output of a folder", grampus("experiment", "results/pair", "--output", "other"), 2, "results/pair", "beside a file")
    refused("an output of tables", grampus("experiment", "results/pair", "--csv", "--output", "other"), 2, "--output beside --csv")
    refused("jobs of tables", grampus("experiment", "results/pair", "--compare", "--jobs", "2"), 2, "--jobs beside --compare")
    check("and there is none", not os.path.exists("other"))
    refused("no experiment named", grampus("experiment"), 2, "expected grampus experiment FILE")


def check_damaged(path):
    with open(path, "r+b") as file:
        file.seek(8192)
        file.write(b"\x5a" * 20000)
    with open(path, "rb") as file:
        before = file.read()
    refused("a damaged file", grampus("experiment", "long.yaml", "--output", "full", "--quiet"), 2, "results.sqlite: damaged")
    with open(path, "r+b") as file:
        check("which is left as it is", file.read() == before)
        file.seek(0)
        file.write(b"no tables at all")
    refused("no tables", grampus("experiment", "full/long", "--csv"), 2, "results.sqlite", "expected tables of grampus")


def main():
    work = tempfile.mkdtemp()
    os.chdir(work)
    for name, text in FILES.items():
        with open(name, "w") as file:
            file.write(text)
    try:
        run = grampus("experiment", "pair.yaml", "--dry-run")
        check("--dry-run lists and leaves nothing", run.returncode == 0 and "2 cells, 12 runs" in run.stdout and
              not os.path.exists("results"), run.stderr)
        path = check_tables()
        check_dry_again()
        check_single(path)
        check_going_on(path)
        check_changed()
        check_own_seeds()
        check_failures()
        check_moved()
        check_progress()
        check_blocks()
        check_sampled()
        check_no_ranks()
        check_vanished()
        check_all_at_once()
        check_names()
        check_kills()
        check_early_signal()
        check_refusals()
    finally:
        os.chdir(ROOT)
        shutil.rmtree(work)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
