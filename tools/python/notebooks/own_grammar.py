# %% [markdown]
# # A grammar of one's own
# What may be found is what the grammar can say: here sums of waves, and nothing else.

# %%
import numpy as np

from grampus import GrampusRegressor
from grampus.ge import Grammar

GRAMMAR = """
<sum>  ::= <wave> | <wave> + <sum>
<wave> ::= <size> * sin(<d>.<d> * t) | <size> * cos(<d>.<d> * t)
<size> ::= <d>.<d>
<d>    ::= GE_RANGE:10
"""

# %% The grammar by itself: how much can it say?
grammar = Grammar(GRAMMAR)
print(grammar.statistics())
for depth, count in enumerate(grammar.derivations(8)):
    print("depth %d: 10^%.1f derivations" % (depth, count) if np.isfinite(count) else "depth %d: none" % depth)
genome = grammar.parse("1.5 * sin(2.0 * t)")
print(genome, grammar.map(genome))

# %% Evolution by it; the column is called t
t = np.linspace(0, 6, 200)
y = 1.5 * np.sin(2.0 * t) + 0.4 * np.cos(5.0 * t)
try:
    import pandas

    X = pandas.DataFrame({"t": t})
except ImportError:  # without names columns are x0, x1, ...
    X, GRAMMAR = t[:, None], GRAMMAR.replace("* t", "* x0")
model = GrampusRegressor(grammar=GRAMMAR, population=2000, generations=80, max_time=20).fit(X, y)
print(model.best_.phenotype)
print("codons", model.best_.genome[: model.best_.used_codons])
print("R2 %.3f" % model.score(X, y))
assert model.score(X, y) > 0.8

# %%
model
