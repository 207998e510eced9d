"""Which keyword is meant by one that there is not."""

from __future__ import annotations

from typing import Collection, List

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
    "objective": "metric", "fitness": "metric", "X_units": "units", "n_gen": "generations", "n_generations": "generations",
    "mutpb": "subtree_mutation", "elite_size": "elites", "grammar_file": "grammar", "fitness_function": "metric",
    "invalid_selection": "invalid", "max_tree_depth": "max_depth", "max_tree_nodes": "max_nodes",
    "mutation_probability": "codon_mutation", "mutation": "codon_mutation and subtree_mutation", "cache": "evaluate_once",
    "step": "replacement",
    "max_init_tree_depth": "init_max_depth", "min_init_tree_depth": "init_min_depth", "init_genome_length": "genome_length",
    "class_weight": "class_rule",
}  # fmt: skip


def edits(a: str, b: str) -> int:
    """Characters put in, left out or replaced between two words."""
    row = list(range(len(b) + 1))
    for i, one in enumerate(a, 1):
        above, row = row, [i]
        for k, other in enumerate(b, 1):
            row.append(min(above[k] + 1, row[-1] + 1, above[k - 1] + (one != other)))
    return row[-1]


def nearest(name: str, known: Collection[str]) -> List[str]:
    """At most two, as near as each other; as in the program's own hints no more than a third of the word differs, unless it
    was cut short. Farther ones mislead: denoise is no device."""
    far = {word: edits(name, word) for word in known}
    near = [word for word in known if far[word] <= (len(name) + 1) // 3 or (len(name) >= 3 and word.startswith(name))]
    least = min((far[word] for word in near), default=0)
    return [word for word in sorted(near) if far[word] == least][:2]


def meant_by(name: str, known: Collection[str]) -> str:
    """PonyGE2 has them in capitals."""
    small = name.lower()
    near = [small] if small in known else nearest(small, known)
    near = near or [ELSEWHERE[word] for word in nearest(small, ELSEWHERE)]  # a slip in a word of theirs
    return ELSEWHERE.get(name) or ELSEWHERE.get(small) or " or ".join(dict.fromkeys(near)) or "one of get_params()"
