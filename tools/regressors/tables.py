"""Rows of runs as tables: printed, a page, and the tables of host/experiment."""
import hashlib
import math
import os
import platform
import sqlite3
import statistics
import sys
import time

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "host", "experiment", "schema.sql")


def number(text):
    return float(text) if text not in (None, "") else float("nan")


def worst_if_none(value):
    """An R2 that is none (an output was no number) counts as the worst, and can be sorted"""
    return -math.inf if math.isnan(value) else value


def median(values):
    ranked = sorted(map(worst_if_none, values))
    return statistics.median(ranked) if ranked else float("nan")


def print_table(rows, methods, out=sys.stdout):
    print("\n| data | method | runs | test R2, median | quartiles | train R2 | size | seconds | of processors |\n"
          "|---|---|---|---|---|---|---|---|---|", file=out)
    for data in dict.fromkeys(row["data"] for row in rows):
        for method in methods:
            own = [row for row in rows if row["data"] == data and row["method"] == method]
            good = [row for row in own if not row["error"]]
            if not own:
                continue
            if not good:
                print("| %s | %s | 0 of %d | %s |  |  |  |  |  |" % (data, method, len(own), own[0]["error"]), file=out)
                continue
            test = sorted(worst_if_none(number(row["test_r2"])) for row in good)
            ends = (median(test[: (len(test) + 1) // 2]), median(test[len(test) // 2 :]))
            values = [median([number(row[f]) for row in good]) for f in ("train_r2", "size", "seconds", "processor")]
            print("| %s | %s | %d | %.4f | %.4f, %.4f | %.4f | %.0f | %.2f | %.2f |" % (
                data, method, len(good), median(test), *ends, *values), file=out)  # fmt: skip


def print_ranks(rows, methods, out=sys.stdout):
    """Mean ranks over the sets, by the medians of test R2, and over single runs; equal values share their places."""
    sets = [d for d in dict.fromkeys(row["data"] for row in rows)
            if {row["method"] for row in rows if row["data"] == d and not row["error"]} >= set(methods)]  # fmt: skip
    if len(methods) < 2 or not sets:
        return
    of = {}
    for row in rows:
        if not row["error"]:
            of.setdefault((row["data"], row["method"]), {})[int(row["seed"])] = worst_if_none(number(row["test_r2"]))

    def places(values):
        return [sum(w > v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]

    by_set = [places([median(of[d, m].values()) for m in methods]) for d in sets]
    by_run = [places([of[d, m][seed] for m in methods]) for d in sets
              for seed in set.intersection(*(set(of[d, m]) for m in methods))]  # fmt: skip
    print("\n| method | mean rank over %d sets | over %d runs | not finite on some test case |\n|---|---|---|---|" % (
        len(sets), len(by_run)), file=out)  # fmt: skip
    for k, method in enumerate(methods):
        lost = sum(v == -math.inf for d in sets for v in of[d, method].values())
        print("| %s | %.2f | %.2f | %d |" % (method, statistics.mean(p[k] for p in by_set),
                                             statistics.mean(p[k] for p in by_run) if by_run else math.nan, lost), file=out)  # fmt: skip


PACKAGES = {"grampus": "grampus", "gplearn": "gplearn", "operon": "pyoperon", "deap": "deap", "linear": "scikit-learn"}


def write_page(path, rows, methods, options):
    """The table, and how it came about, as Markdown."""
    from importlib.metadata import PackageNotFoundError, version

    versions = []
    for method in methods:
        try:
            versions.append("%s %s" % (PACKAGES[method], version(PACKAGES[method])))
        except (KeyError, PackageNotFoundError):
            pass  # not installed by pip: as a checkout
    limit = ", or %g s where a method has such a limit" % options.max_time if options.max_time else ""
    with open(path, "w") as out:
        print("# Regressors side by side\n\nWritten by `%s`; no figure is by hand." % " ".join(shown(sys.argv)), file=out)
        print("75 %% of the cases to train on, 25 %% to test, seeds 1 to %d, %d individuals, %d generations%s; threads: %d." % (
            options.seeds, options.population, options.generations, limit, options.threads), file=out)  # fmt: skip
        print("%s, %d processors.%s" % (platform.machine(), os.cpu_count(), " %s." % ", ".join(versions) if versions else ""), file=out)
        if options.note:
            print("\n" + options.note, file=out)
        print_table(rows, methods, out)
        print_ranks(rows, methods, out)


def shown(words):
    """A command, without the folders of this machine and what stands in the page anyway"""
    if "--note" in words:
        at = words.index("--note")
        words = words[:at] + words[at + 2 :]
    return [os.path.basename(w) if "/" in w and not w.startswith("--") else "'%s'" % w if " " in w else w for w in words]


def write_tables(path, rows, options):
    """The tables of an experiment: a cell for every data set and method, test R2 as test_fitness."""
    if os.path.exists(path):
        os.unlink(path)
    db = sqlite3.connect(path)
    db.executescript(open(SCHEMA).read())
    db.execute("PRAGMA user_version = 1")
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    machine = "%s, %d processors, %s" % (platform.machine(), os.cpu_count(), platform.platform())

    def insert(table, **row):
        query = "INSERT INTO %s (%s) VALUES (%s)" % (table, ", ".join(row), ", ".join("?" * len(row)))
        db.execute(query, tuple(None if isinstance(v, float) and math.isnan(v) else v for v in row.values()))

    insert("experiment", name="compare-regressors", grampus="", machine=machine, started=now, path="", file=" ".join(sys.argv))
    pairs = list(dict.fromkeys((row["data"], row["method"]) for row in rows))
    for cell, (data, method) in enumerate(pairs, 1):
        own = [row for row in rows if (row["data"], row["method"]) == (data, method)]
        good = [row for row in own if not row["error"]]
        digest = hashlib.sha256(("%s %s" % (data, method)).encode()).hexdigest()
        insert("cells", cell=cell, place=cell, label="%s %s" % (data, method), state="done" if good else "failed",
               error=None if good else own[0]["error"], digest=digest, problem=data, treatment=method, block=data, metric="r2", maximised=1,
               population=options.population, runs=len(good))  # fmt: skip
        for key, value in (("data", data), ("method", method)):
            insert("cell_settings", cell=cell, key=key, value=value, varied=1)
        for run, row in enumerate(good):
            insert("runs", cell=cell, run=run, seed=str(row["seed"]), state="done", generations=options.generations,
                   found=options.generations, fitness=number(row["train_r2"]), test_fitness=number(row["test_r2"]),
                   evaluations=0, nodes_executed=0.0, seconds=number(row["seconds"]), validity="valid",
                   nodes=None if row["size"] in (None, "") else int(float(row["size"])), expression=row["model"])  # fmt: skip
    db.commit()
    db.close()
