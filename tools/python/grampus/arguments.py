"""What fit and predict are given, and keywords that are scikit-learn's: cases, weights, seed, seconds, threads."""

from __future__ import annotations

import operator
from typing import List, Optional

import numpy as np
from sklearn.utils import check_random_state

try:
    from sklearn.utils.validation import _check_sample_weight, validate_data
except ImportError:  # before scikit-learn 1.6
    from sklearn.utils.validation import _check_sample_weight

    def validate_data(estimator, X, y="no_validation", **options):
        options["force_all_finite"] = options.pop("ensure_all_finite", True)
        if isinstance(y, str):
            options.pop("y_numeric", None)
            return estimator._validate_data(X, **options)
        return estimator._validate_data(X, y, **options)


from grampus._library import BadInput

FLOATS = [np.float64, np.float32]  # taken as they are; anything else becomes the first


def names_of(estimator) -> Optional[List[str]]:
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def weights_of(sample_weight, X) -> Optional[np.ndarray]:
    weights = np.asarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
    if np.any(weights < 0):
        raise ValueError("sample_weight has negative weights; expected 0 or more")
    if not np.any(weights):
        raise ValueError("sample_weight is 0 for every case; expected one of more")
    return None if np.all(weights == weights[0]) else weights


def seed_of(random_state) -> int:
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))


def seconds_of(max_time) -> float:
    try:
        seconds = float(max_time)
    except (TypeError, ValueError, OverflowError):
        seconds = float("nan")
    if not seconds >= 0:
        raise BadInput("max_time is %.40r; expected seconds, 0 or more, or None" % (max_time,))
    return seconds


def threads_of(n_jobs) -> int:
    """0, as many as the work is worth, for every negative number."""
    try:
        jobs = operator.index(n_jobs)
    except TypeError:
        raise BadInput("n_jobs is %.40r; expected a whole number, or None" % (n_jobs,)) from None
    return max(0, jobs) if jobs else 1
