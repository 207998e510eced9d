"""The tables of an experiment (results.sqlite; host/experiment has their schema) as pandas DataFrames.

    e = Experiment("results/sweep")           # the folder, or the file
    e.runs()                                  # a row for every run, with the settings that vary
    e.generations(filled=True).groupby(["label", "gen"])["best_fitness"].median()
"""

from __future__ import annotations

import json
import os
import pathlib
import sqlite3
from typing import List, Optional, Union

import numpy as np

from grampus._library import BadInput

__all__ = ["Experiment"]

VERSION = 1  # PRAGMA user_version


class Experiment:
    """The tables of one file, opened for reading; closed with the object, or as a context.

    Raises BadInput where there is no such file, or it is of another version."""

    def __init__(self, path):
        path = os.fspath(path)
        if os.path.isdir(path):
            path = os.path.join(path, "results.sqlite")
        if not os.path.isfile(path):
            raise BadInput("%s: no such file; expected results.sqlite or its folder" % path)
        self.path = path
        self._connection = sqlite3.connect(pathlib.Path(path).absolute().as_uri() + "?mode=ro", uri=True)
        try:
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            self._names = [n for (n,) in self._connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid")]  # fmt: skip
        except sqlite3.DatabaseError as e:
            raise BadInput("%s: %s; expected the tables of an experiment" % (path, e)) from None
        if version != VERSION or "cells" not in self._names:
            raise BadInput("%s: tables of version %d; expected those of an experiment, version %d" % (path, version, VERSION))

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "Experiment":
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return "Experiment(%r)" % self.path

    @property
    def tables(self) -> List[str]:
        """Names of the tables and views."""
        return list(self._names)

    def table(self, name: str, cells: Optional[List[int]] = None):
        """A table as it is, of all cells or of some of them."""
        import pandas

        if name not in self._names:
            raise BadInput("no table '%s'; expected one of %s" % (name, ", ".join(self._names)))
        query, values = 'SELECT * FROM "%s"' % name, []
        if cells is not None:
            values = [int(c) for c in cells]
            query += " WHERE cell IN (%s)" % ", ".join("?" * len(values))
        return pandas.read_sql_query(query, self._connection, params=values)

    def settings(self, varied: bool = True):
        """A row for every cell, a column for every setting that varies (varied=False: every setting), numbers as such."""
        table = self.table("cell_settings")
        table = table[table["varied"] == 1] if varied else table
        wide = table.pivot(index="cell", columns="key", values="value")
        wide.columns.name = None
        return wide.apply(_numbers)

    def cells(self):
        """A row for every cell, with the settings that vary (NAME_setting where the cell has a NAME itself)."""
        cells = self.table("cells").set_index("cell")
        return cells.join(self._settings_beside(cells))

    def _settings_beside(self, table):
        """The settings that vary; NAME_setting where `table` has a column NAME of its own."""
        return self.settings().rename(columns=lambda name: name + "_setting" if name in table else name)

    def _labelled(self, table):
        """`table` behind the label and the varied settings of its cells."""
        labels = self.table("cells")[["cell", "label"]].set_index("cell").join(self._settings_beside(table))
        return labels.join(table.set_index("cell"), how="inner").reset_index()

    def runs(self, cells: Optional[List[int]] = None):
        """A row for every run, with the label and the varied settings of its cell (generations_setting, for `generations` are
        those of the run); seeds are Python's ints."""
        table = self.table("runs", cells)
        table["seed"] = table["seed"].map(int)
        return self._labelled(table)

    def generations(self, cells: Optional[List[int]] = None, filled: bool = False):
        """A row for every run and generation. filled: rows of runs that have ended repeat their last one (column at_gen)."""
        return self._labelled(self.table("filled_generations" if filled else "generations", cells))

    def summary(self, measure: str, cells: Optional[List[int]] = None):
        """Quartiles, mean and interval of the median over the runs, for every generation."""
        table = self.table("summary", cells)
        there = self._measures()
        if measure not in there:
            raise BadInput("no measure '%s'; expected one of %s" % (measure, ", ".join(there)))
        return self._labelled(table[table["measure"] == measure])

    def _measures(self) -> List[str]:
        """What `summary` has; while no cell is done, what is measured of generations."""
        there = [m for (m,) in self._connection.execute("SELECT DISTINCT measure FROM summary ORDER BY measure")]
        columns = [c[1] for c in self._connection.execute("PRAGMA table_info(generations)")]
        return there or [c for c in columns if c not in ("cell", "run", "gen")]

    def genome(self, cell: int, run: int) -> Union[np.ndarray, None]:
        """The best genome of a run as uint32; None where there is none."""
        row = self._connection.execute("SELECT genome FROM runs WHERE cell = ? AND run = ?", (cell, run)).fetchone()
        if row is None:
            raise BadInput("no run %d of cell %d" % (run, cell))
        return None if row[0] is None else np.array(json.loads(row[0]), np.uint32)


def _numbers(column):
    """The column as numbers where all of it are."""
    import pandas

    try:
        return pandas.to_numeric(column)
    except (ValueError, TypeError):
        return column
