# %% [markdown]
# # An experiment in grammatical evolution
# How do two ways to cross genomes differ, generation by generation?

# %%
import numpy as np

from grampus import Run
from grampus.ge import Grammar, evolve

GRAMMAR = "<e> ::= (<e> <o> <e>) | <f>(<e>) | <v> | <v>\n<o> ::= + | - | *\n<f> ::= sin | exp\n<v> ::= x0 | 1.0\n"
x = np.linspace(-1, 1, 100)[:, None]
y = x[:, 0] ** 3 + x[:, 0] ** 2 + x[:, 0]

# %% Populations as arrays: validity, size and diversity of genomes
for crossover in ("variable-onepoint", "subtree"):
    settings = {"epoch": 1, "generations": 10, "population": 200, "crossover": crossover}
    for run, population in evolve(settings, x, y, grammar=GRAMMAR):
        valid = population.numbers["valid"].mean()
        size = population.numbers["nodes"][population.numbers["valid"] > 0].mean()
    print("%-17s %5.1f %% valid, %4.1f nodes, %5.1f %% different genomes, best %.4f"
          % (crossover, 100 * valid, size, 100 * population.diversity(), run.best().train))  # fmt: skip
    assert run.best().train < 0.3

# %% A random genome of the grammar: how long must it be?
grammar = Grammar(GRAMMAR)
for length in (10, 50, 250):
    mapped = grammar.map_all(grammar.random(500, length))
    print("%3d codons: %4.1f %% map" % (length, 100 * mapped["valid"].mean()))

# %% Thirty runs in one launch, and how they spread
with Run({"runs": 30, "generations": 20, "population": 200}, x, y, grammar=GRAMMAR) as run:
    while run.advance():
        pass
    best = np.array([run.best(r).train for r in range(30)])
    history = run.history()
print("best of 30 runs: median %.4f, quartiles %.4f and %.4f" % tuple(np.quantile(best, [0.5, 0.25, 0.75])))
assert np.array_equal(np.sort(best), np.sort(history["best_ever"][history["generation"] == 20]))
