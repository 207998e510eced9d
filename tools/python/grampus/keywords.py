"""Which keyword is meant by one that there is not."""

from __future__ import annotations

import difflib
from typing import Iterable

#: what other packages call a keyword, and who does the same here
ELSEWHERE = {
    "niterations": "generations", "ngen": "generations", "max_generations": "generations", "population_size": "population",
    "pop_size": "population", "populations": "islands", "n_islands": "islands", "binary_operators": "functions",
    "unary_operators": "functions", "function_set": "functions", "allowed_symbols": "functions", "maxsize": "max_nodes",
    "max_length": "max_nodes", "maxdepth": "max_depth", "tournament_size": "tournament", "tournsize": "tournament",
    "p_crossover": "crossover_probability", "cxpb": "crossover_probability", "p_subtree_mutation": "subtree_mutation",
    "p_hoist_mutation": "hoist_mutation", "p_point_mutation": "point_mutation", "const_range": "constant_min and constant_max",
    "init_depth": "init_min_depth and init_max_depth", "init_method": "initialisation", "stopping_criteria": "target_fitness",
    "early_stop_condition": "target_fitness", "timeout_in_seconds": "max_time", "max_evals": "max_evaluations",
    "model_selection": "front_choice", "procs": "n_jobs", "n_threads": "n_jobs", "loss": "metric", "elementwise_loss": "metric",
    "objective": "metric", "fitness": "metric", "X_units": "units",
}  # fmt: skip


def meant_by(name: str, known: Iterable[str]) -> str:
    return ELSEWHERE.get(name) or " or ".join(difflib.get_close_matches(name, known, 2)) or "one of get_params()"
