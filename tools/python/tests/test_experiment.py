"""Tables of an experiment, made by its own schema."""
import os
import sqlite3
import subprocess

import numpy as np
import pytest

from grampus import BadInput
from grampus.experiment import Experiment

pytest.importorskip("pandas")
SCHEMA = os.path.join(os.path.dirname(__file__), "..", "..", "..", "host", "experiment", "schema.sql")


@pytest.fixture
def folder(tmp_path):
    db = sqlite3.connect(tmp_path / "results.sqlite")
    db.executescript(open(SCHEMA).read())
    db.execute("CREATE TABLE IF NOT EXISTS generations (cell INTEGER, run INTEGER, gen INTEGER, best_fitness REAL)")
    db.execute("PRAGMA user_version = 1")

    def insert(table, **row):
        db.execute(
            "INSERT INTO %s (%s) VALUES (%s)" % (table, ", ".join(row), ", ".join("?" * len(row))), tuple(row.values())
        )

    insert("experiment", name="e", grampus="0.1.0", machine="m", started="2026-11-22T16:30:00Z", path="", file="")
    for cell, population in ((1, 100), (2, 500)):
        insert("cells", cell=cell, place=cell, label="p%d" % population, state="done", digest=str(cell), problem="x",
               metric="rmse", maximised=0, population=population, runs=2)  # fmt: skip
        insert("cell_settings", cell=cell, key="population", value=str(population), varied=1)
        insert("cell_settings", cell=cell, key="crossover", value="onepoint" if cell == 1 else "uniform", varied=1)
        insert("cell_settings", cell=cell, key="generations", value="7", varied=0)
        for run in range(2):
            insert("runs", cell=cell, run=run, seed=str(2**64 - 1 - run), state="done", generations=1, found=1,
                   fitness=0.5 / cell, evaluations=10, nodes_executed=1.0, seconds=0.1, validity="valid",
                   genome="[1, 4294967295]")  # fmt: skip
            for gen in range(2):
                insert("generations", cell=cell, run=run, gen=gen, best_fitness=1.0 / (gen + cell))
    db.commit()
    db.close()
    return tmp_path


def test_tables(folder):
    with Experiment(folder) as e:
        assert {"cells", "runs", "generations"} <= set(e.tables)
        assert e.settings()["population"].tolist() == [100, 500]
        assert e.settings(varied=False)["generations"].tolist() == [7, 7]
        runs = e.runs()
        assert len(runs) == 4 and runs["seed"][0] == 2**64 - 1
        assert runs["label"].tolist() == ["p100", "p100", "p500", "p500"]
        assert runs["crossover"].tolist() == ["onepoint"] * 2 + ["uniform"] * 2
        assert len(e.runs([2])) == 2
        medians = e.generations().groupby(["population", "gen"])["best_fitness"].median()
        assert medians[500, 1] == pytest.approx(1 / 3)
        assert e.genome(1, 0).tolist() == [1, 2**32 - 1] and e.genome(1, 0).dtype == np.uint32
        assert e.cells().loc[2, "label"] == "p500"
        assert len(e.summary("best_fitness")) == 0
        with pytest.raises(BadInput, match="no measure 'best'; expected one of best_fitness$"):
            e.summary("best")


def test_settings_of_the_same_name(folder):
    """A setting that varies is told of beside a column of that name, not left out."""
    with sqlite3.connect(folder / "results.sqlite") as db:
        db.execute("UPDATE cell_settings SET varied = 1, value = 6 + cell WHERE key = 'generations'")
    with Experiment(folder) as e:
        runs = e.runs()
        assert runs["generations"].tolist() == [1] * 4 and runs["generations_setting"].tolist() == [7, 7, 8, 8]
        assert e.generations()["generations"].tolist() == [7] * 4 + [8] * 4
        assert e.cells()["population_setting"].tolist() == e.cells()["population"].tolist() == [100, 500]


@pytest.mark.parametrize("name", ["a#b", "a?b%41", "a b", "é", "/a"])
def test_names_of_folders(folder, tmp_path, name):
    """What is something else in a URI opened, or made, another file."""
    (tmp_path / "within" / name.strip("/")).mkdir(parents=True)
    place = os.path.join(tmp_path, "within", name.strip("/"))
    os.rename(folder / "results.sqlite", os.path.join(place, "results.sqlite"))
    with Experiment("/" + place if name[0] == "/" else place) as e:
        assert len(e.runs()) == 4
    assert os.listdir(tmp_path / "within") == [name.strip("/")]


def test_refusals(folder, tmp_path):
    with pytest.raises(BadInput, match="no such file"):
        Experiment(tmp_path / "nowhere")
    (tmp_path / "text").write_text("no database, and long enough for one to be looked for " * 30)
    with pytest.raises(BadInput, match="not a database"):
        Experiment(tmp_path / "text")
    db = sqlite3.connect(folder / "results.sqlite")
    db.execute("PRAGMA user_version = 2")
    db.close()
    with pytest.raises(BadInput, match="version 2; expected"):
        Experiment(folder)
    with pytest.raises(BadInput, match="no table"):
        db = sqlite3.connect(folder / "results.sqlite")
        db.execute("PRAGMA user_version = 1")
        db.close()
        Experiment(folder).table("nonsense")


def test_of_the_program(tmp_path):
    """What the program writes itself."""
    from grampus import _library

    program = os.path.join(os.path.dirname(_library._find()), "grampus")
    if not os.path.exists(program):
        pytest.skip("no program beside the library")
    options = "--genotype tree --runs 3 --generations 4 --population 30 --device cpu --quiet --sqlite".split()
    problem = ["--target-expression", "x * x", "--variables", "x = uniform(-1, 1)", "--train-cases", "20"]
    subprocess.run([program, "run", "--output", tmp_path, *problem, *options], check=True, cwd=tmp_path, input=b"")
    (file,) = tmp_path.rglob("results.sqlite")
    with Experiment(file) as e:
        assert len(e.runs()) == 3 and len(e.generations()) == 15
        assert e.settings(varied=False)["population"].tolist() == [30]
        assert len(e.summary("best_fitness")) == 5
        assert len(e.summary("best_fitness", [])) == 0
        with pytest.raises(BadInput, match="no measure 'typo'; expected one of .*best_ever, best_fitness"):
            e.summary("typo")
        assert e.genome(1, 0) is None
