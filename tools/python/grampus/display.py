"""What a notebook shows of an estimator that was fitted: formula, front and convergence."""

from __future__ import annotations

from html import escape
from typing import Sequence

import numpy as np


def curve(values: Sequence[float], width: int = 420, height: int = 120) -> str:
    """A line over generations as SVG; values that are no numbers are left out."""
    values = np.asarray(values, float)
    at = np.flatnonzero(np.isfinite(values))
    if len(at) < 2:
        return ""
    low, high = values[at].min(), values[at].max()
    x = 10 + (width - 20) * at / max(len(values) - 1, 1)
    y = 10 + (height - 30) * (high - values[at]) / ((high - low) or 1.0)
    points = " ".join("%.1f,%.1f" % pair for pair in zip(x, y))
    return (
        '<svg width="%d" height="%d" role="img" aria-label="convergence">'
        '<polyline fill="none" stroke="currentColor" stroke-width="1.5" points="%s"/>'
        '<text x="10" y="%d" font-size="10" fill="currentColor">generations 0 to %d, best fitness %.4g to %.4g</text></svg>'
        % (width, height, points, height - 4, len(values) - 1, values[at[0]], values[at[-1]])
    )


def table(front) -> str:
    rows = "".join(
        "<tr><td>%d</td><td>%.6g</td><td style='text-align:left'><code>%s</code></td></tr>"
        % (one.nodes, one.train, escape(one.expression if len(one.expression) < 200 else one.expression[:197] + "..."))
        for one in front
    )
    return "<table><thead><tr><th>size</th><th>fitness</th><th>expression</th></tr></thead><tbody>%s</tbody></table>" % rows


def estimator_html(estimator) -> str:
    """Formula, table of the front and convergence curve."""
    best = estimator.best_
    try:
        formula = escape("$$" + best.latex() + "$$") if best.nodes <= 200 else ""  # names of columns are text
    except Exception:  # no SymPy, or one that gives up: the expression is there all the same
        formula = ""
    first = estimator.history_["run"] == 0 if len(estimator.history_["run"]) else slice(0)
    return "<div><b>%s</b> on %s, %d generations%s%s%s</div>" % (
        escape(type(estimator).__name__),
        escape(estimator.device_),
        estimator.n_iter_,
        formula or "<br><code>%s</code>" % escape(best.expression),
        table(estimator.front_),
        curve(estimator.history_["best_ever"][first]),
    )
