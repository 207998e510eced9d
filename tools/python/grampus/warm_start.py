"""Individuals that a run begins with: those that the last one ended with, or that the user names."""

from __future__ import annotations

import os
import tempfile
import time
from typing import List, Optional

import numpy as np

from grampus._library import as_bytes
from grampus.run import Run


def individuals_to_go_on(run: Run, leader: int, maximised: bool, deadline: Optional[float]) -> List[str]:
    """The best first: every island of the next run begins with as many of all as it has room for."""
    numbers = run.population(leader)
    there = np.flatnonzero(numbers["valid"])
    train = numbers["train"][there]
    places = there[np.argsort(-train if maximised else train, kind="stable")]
    return [run.best(leader).phenotype] + phenotypes(run, leader, places, deadline)


def phenotypes(run: Run, leader: int, places: np.ndarray, deadline: Optional[float], late: float = 0.5) -> List[str]:
    """Of these places from the first on, where there is a deadline as many as are read soon behind it: in portions, each
    twice as large as the one before, which tells how long it will take."""
    portion = 1000 if deadline is not None else max(len(places), 1)
    lines: List[Optional[str]] = []
    took = 0.0
    while len(lines) < len(places) and (deadline is None or time.monotonic() + 2 * took < deadline + late or not lines):
        begun = time.monotonic()
        lines += run.phenotypes(places[len(lines) : len(lines) + portion], leader)
        took = time.monotonic() - begun
        portion *= 2
    return [line for line in lines if line is not None]


def file_of(lines: List[str]) -> str:
    """The path of a new file of them, which the setting seeds asks for; whoever calls removes it. UTF-8, as the library reads
    it, whatever the locale writes."""
    text = as_bytes("\n".join(lines) + "\n", "seeds")
    file, path = tempfile.mkstemp(prefix="grampus-", suffix=".txt")
    try:
        with os.fdopen(file, "wb") as f:
            f.write(text)
    except BaseException:  # a full disk
        os.unlink(path)
        raise
    return path
