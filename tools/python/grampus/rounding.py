"""What float32, in which cases are kept, makes of the digits of columns."""

from __future__ import annotations

import warnings
from typing import List, Optional

import numpy as np


def _rounded(values: np.ndarray, names: List[str], fewest_steps: int = 2048) -> List[str]:
    """Columns that float32 rounds by more than a 2048th of their range, as seconds since 1970: their values are hardly told
    apart then. As host/data/rounded.c has it of tables."""
    if values.dtype == np.float32:
        return []
    columns = values.reshape(len(values), -1)
    low, high = columns.min(axis=0), columns.max(axis=0)
    steps = np.spacing(np.maximum(np.abs(low), np.abs(high)).astype(np.float32))
    told = []
    for k in np.flatnonzero((high > low) & (high - low < fewest_steps * steps)):
        missed = np.max(np.abs(columns[:, k] - columns[:, k].astype(np.float32)))
        if missed * fewest_steps > high[k] - low[k]:
            told.append("%s by up to %.2g in a range of %.2g" % (names[k], missed, high[k] - low[k]))
    return told


def warn_of_rounding(X, y, names: Optional[List[str]], most: int = 5) -> None:
    targets = ["the target"] if y.ndim == 1 else ["target %d" % k for k in range(y.shape[1])]
    told = _rounded(X, names or ["x%d" % k for k in range(X.shape[1])]) + _rounded(y, targets)
    if told:
        more = ["%d more" % (len(told) - most)] if len(told) > most else []
        warnings.warn("float32 rounds %s; expected values less what they share, or precision='double', which keeps their digits"
                      % ", ".join(told[:most] + more), stacklevel=5)  # fmt: skip
