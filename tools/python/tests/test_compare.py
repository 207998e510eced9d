"""tools/compare-regressors: what is written, and that runs which are there are not repeated."""
import csv
import os
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pandas")
TOOL = os.path.join(os.path.dirname(__file__), "..", "..", "compare-regressors")


def compare(folder, *arguments, path=None):
    command = [sys.executable, TOOL, "--output", "out", "--population", "50", "--generations", "3", *arguments]
    first = [str(path)] if path else []
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([*first, os.environ.get("PYTHONPATH", "")]))
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


def test_tables(tmp_path):
    X = np.random.RandomState(0).uniform(-1, 1, (80, 2))
    table = np.column_stack([X, 3 * X[:, 0] - X[:, 1]])
    np.savetxt(tmp_path / "plane.csv", table, delimiter=",", header="a,b,y", comments="")
    (tmp_path / "own.py").write_text(
        "class Broken:\n    def fit(self, X, y):\n        raise ValueError('no luck')\ndef broken(seed, o):\n    return Broken()\n"
    )
    methods = "grampus,linear,own:broken"
    done = compare(tmp_path, "--seeds", "2", "--grampus", "optimise_constants=share", "--methods", methods, "plane.csv")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(open(tmp_path / "out/results.csv")))
    assert [(r["method"], r["seed"]) for r in rows] == [(m, s) for s in "12" for m in ("grampus", "linear", "own:broken")]
    assert float(rows[1]["test_r2"]) == pytest.approx(1) and rows[2]["error"] == "ValueError: no luck"
    assert "| plane | linear | 2 | 1.0000 | 1.0000, 1.0000 | 1.0000 | 9 |" in done.stdout
    assert "| plane | own:broken | 0 of 2 | ValueError: no luck |" in done.stdout
    from grampus.experiment import Experiment

    with Experiment(tmp_path / "out") as e:
        runs = e.runs()
        assert runs["method"].tolist() == ["grampus"] * 2 + ["linear"] * 2
        assert runs["test_fitness"][2] == pytest.approx(1)
        assert e.cells()["state"].tolist() == ["done", "done", "failed"]
    (tmp_path / "own.py").write_text("from sklearn.linear_model import LinearRegression\ndef broken(seed, o):\n    return LinearRegression()\n")
    again = compare(tmp_path, "--seeds", "2", "--grampus", "optimise_constants=share", "--methods", methods, "plane.csv")
    rows = list(csv.DictReader(open(tmp_path / "out/results.csv")))
    assert again.returncode == 0 and len(rows) == 6 and not any(r["error"] for r in rows)  # those that failed, and no others
    page = ["--grampus", "optimise_constants=share", "--page", "page.md", "--note", "Of an idle machine."]
    more = compare(tmp_path, "--seeds", "3", "--methods", "linear", *page, "plane.csv")
    text = (tmp_path / "page.md").read_text()
    assert "seeds 1 to 3, 50 individuals, 3 generations; threads: 1" in text and "Of an idle machine.\n" in text
    assert "| plane | linear | 3 | 1.0000 |" in text and str(tmp_path) not in text
    assert more.returncode == 0 and len(list(csv.DictReader(open(tmp_path / "out/results.csv")))) == 7
    compare(tmp_path, "--seeds", "2", "--methods", "own:broken", "--output", "alone", *page, "plane.csv")  # a method of no package: no versions
    assert [line for line in (tmp_path / "page.md").read_text().splitlines() if "processors." in line][0].endswith("processors.")


def test_parts_of_the_search(tmp_path):
    """Each of them goes with the others that it stands beside."""
    X = np.random.RandomState(0).uniform(-1, 1, (80, 2))
    table = np.column_stack([X, 3 * X[:, 0] - X[:, 1]])
    np.savetxt(tmp_path / "plane.csv", table, delimiter=",", header="a,b,y", comments="")
    parts = ["none", "constants", "lexicase", "front", "islands", "memory", "all-lexicase", "all-front"]
    done = compare(tmp_path, "--seeds", "1", "--methods", ",".join("part-" + part for part in parts), "plane.csv")
    rows = list(csv.DictReader(open(tmp_path / "out/results.csv")))
    assert [r["method"] for r in rows] == ["part-" + part for part in parts], done.stderr
    assert [r["error"] for r in rows] == [""] * len(parts)
    found = {r["method"][5:]: r["model"] for r in rows}
    assert found["none"] != found["islands"] and found["none"] != found["front"] and found["none"] != found["lexicase"]


def test_operon_is_given_whole_seconds(tmp_path):
    """pyoperon raises TypeError for max_time=5.0; a stand-in for it that does."""
    (tmp_path / "pyoperon").mkdir()
    (tmp_path / "pyoperon/__init__.py").write_text("")
    (tmp_path / "pyoperon/sklearn.py").write_text(
        "from sklearn.linear_model import LinearRegression\n\n\nclass SymbolicRegressor(LinearRegression):\n"
        "    def __init__(self, max_time=None, **more):\n"
        "        if type(max_time) is not int:\n            raise TypeError(max_time)\n        super().__init__()\n        self.max_time = max_time\n"
    )
    np.savetxt(tmp_path / "line.csv", np.arange(80.0).reshape(40, 2), delimiter=",", header="a,y", comments="")
    for more in ([], ["--max-time", "4.5"]):
        done = compare(tmp_path, "--seeds", "1", "--methods", "operon", "--output", "of%d" % len(more), *more, "line.csv",
                       path=tmp_path)  # fmt: skip
        assert "| line | operon | 1 | 1.0000 |" in done.stdout, done.stdout + done.stderr


def test_sets_of_one_name(tmp_path):
    """Two tables with one file's name are two sets, in one call or in two; one that was copied elsewhere is the same."""
    for folder, slope in (("one", 1.0), ("two", -2.0), ("copy", 1.0)):
        (tmp_path / folder).mkdir()
        X = np.random.RandomState(0).uniform(-1, 1, 40)
        np.savetxt(tmp_path / folder / "line.csv", np.column_stack([X, slope * X]), delimiter=",", header="a,y", comments="")

    def sets():
        return [(row["data"], row["model"][:2]) for row in csv.DictReader(open(tmp_path / "out/results.csv"))]

    once = ["--methods", "linear", "--seeds", "1"]
    assert compare(tmp_path, *once, "one/line.csv").returncode == 0 and sets() == [("line", "1*")]
    done = compare(tmp_path, *once, "one/line.csv", "two/line.csv", "copy/line.csv")
    assert done.returncode == 0 and sets() == [("line", "1*"), ("two/line", "-2")], done.stderr
    assert "| two/line | linear | 1 | 1.0000 |" in done.stdout
    assert compare(tmp_path, *once, "two/line.csv").returncode == 0 and len(sets()) == 2
    (tmp_path / "line.txt").write_text("\n".join(str(k % 7) for k in range(60)))
    assert compare(tmp_path, *once, "line.txt:lags:2", "line.txt:lags:3").returncode == 0
    assert [name for name, _ in sets()][2:] == ["line.txt:lags:2", "line.txt:lags:3"]
    (tmp_path / "two/line.csv").write_text("a,y\n" + "".join("%d,%d\n" % (k, 3 * k) for k in range(40)))
    assert compare(tmp_path, *once, "two/line.csv").returncode == 0 and sets()[-1] == ("two/line.csv", "3*")
    (tmp_path / "two/line.csv").write_text("a,y\n" + "".join("%d,%d\n" % (k, 4 * k) for k in range(40)))
    done = compare(tmp_path, *once, "two/line.csv")
    assert done.returncode == 1 and "not what the runs that are there were of" in done.stderr


def test_refusals(tmp_path):
    done = compare(tmp_path, "--methods", "nonsense", "nowhere.csv")
    assert done.returncode != 0 and "no method nonsense; expected grampus" in done.stderr
    done = compare(tmp_path, "--methods", "linear", "nowhere.csv")
    assert done.returncode == 1 and "nowhere.csv" in done.stderr and "Traceback" not in done.stderr
    np.savetxt(tmp_path / "line.csv", np.arange(80.0).reshape(40, 2), delimiter=",", header="a,y", comments="")
    for more, said in (([], ""), (["--max-time", "9"], "runs of --max-time None; expected that, or another --output")):
        done = compare(tmp_path, "--methods", "linear", "--seeds", "1", *more, "line.csv")
        assert done.returncode == bool(more) and said in done.stderr
    assert len(list(csv.DictReader(open(tmp_path / "out/results.csv")))) == 1


def test_what_is_no_set(tmp_path):
    """One line each, and no traceback."""
    (tmp_path / "semicolons.csv").write_text("a;y\n1;2\n3;4\n")
    (tmp_path / "words.csv").write_text("a,y\nu,v\nv,w\n")
    (tmp_path / "one.csv").write_text("y\n1\n2\n3\n")
    (tmp_path / "row.csv").write_text("a,y\n1,2\n")
    (tmp_path / "uneven.csv").write_text("a,y\n1,2\n1,2,3\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "series.txt").write_text("1\n2\n3\n")
    (tmp_path / "words.txt").write_text("one\ntwo\n")
    for data, said in (("semicolons.csv", "expected a table with commas"), ("words.csv", "no column of numbers"), ("one.csv", "inputs of numbers 0, cases without gaps 3"),
                       ("row.csv", "inputs of numbers 1, cases without gaps 1"), ("uneven.csv", "expected a table with commas"), ("empty.csv", "expected a table with commas"),
                       ("one.csv:I.6.2a", "has no law I.6.2a"), ("series.txt:lags:0", "expected a whole number"), ("series.txt:lags:x", "expected a whole number"),
                       ("series.txt:lags:2", "expected a column of two more"), ("words.txt:lags:1", "expected a number in every line"),
                       ("made:nothing", "no set nothing")):  # fmt: skip
        done = compare(tmp_path, "--methods", "linear", "--seeds", "1", data)
        assert done.returncode == 1 and done.stderr.startswith("compare-regressors: ") and done.stderr.count("\n") == 1, (data, done.stderr)
        assert said in done.stderr, (data, done.stderr)
    for option in ("--seeds=0", "--jobs=0", "--cases=x", "--grampus=foo", "--page=no/where.md"):
        done = compare(tmp_path, "--methods", "linear", option, "made:diabetes")
        assert done.returncode == 2 and "expected" in done.stderr and "Traceback" not in done.stderr, (option, done.stderr)


def test_test_cases_that_are_alike(tmp_path):
    """R2 has no meaning there; that is no failure of the method."""
    np.savetxt(tmp_path / "few.csv", [[1, 1], [2, 2], [3, 5]], delimiter=",", header="a,y", comments="")
    done = compare(tmp_path, "--methods", "linear", "--seeds", "1", "few.csv")
    (row,) = csv.DictReader(open(tmp_path / "out/results.csv"))
    assert done.returncode == 0 and not row["error"] and row["test_r2"] == "nan" and float(row["train_r2"]) == pytest.approx(1)


def test_without_the_library(tmp_path, monkeypatch):
    """The package alone, as in a checkout that nobody built: left out, so that its runs are still to be made."""
    monkeypatch.setenv("GRAMPUS_LIBRARY", str(tmp_path / "nowhere.so"))
    np.savetxt(tmp_path / "line.csv", np.arange(80.0).reshape(40, 2), delimiter=",", header="a,y", comments="")
    done = compare(tmp_path, "--methods", "grampus,preset,ge,linear", "--seeds", "1", "line.csv")
    assert [done.stdout.count("# %s is left out" % method) for method in ("grampus", "preset", "ge", "linear")] == [1, 1, 1, 0]
    assert [row["method"] for row in csv.DictReader(open(tmp_path / "out/results.csv"))] == ["linear"]
