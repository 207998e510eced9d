# %% [markdown]
# # A first regression
# Cells are parted by `# %%`: Jupyter (with jupytext), VS Code and Spyder open this file as a notebook.

# %%
import numpy as np

from grampus import GrampusRegressor

random = np.random.RandomState(0)
X = random.uniform(0.1, 2.0, (200, 2))  # length and mass of a pendulum
y = 2.006 * np.sqrt(X[:, 0]) + random.normal(0, 0.005, 200)

# %% [markdown]
# `linear_scaling` lets evolution find the shape and fits intercept and slope; `psqrt` is a square root that also takes
# negative numbers.

# %%
model = GrampusRegressor(generations=30, functions="+, -, *, psqrt", linear_scaling=True, random_state=1)
model.fit(X[:150], y[:150])
print("R2 on cases it has not seen: %.4f" % model.score(X[150:], y[150:]))
assert model.score(X[150:], y[150:]) > 0.99

# %% [markdown]
# The front has a formula for every size that pays.

# %%
for one in model.front_:
    print("%3d nodes  rmse %.5f  %s" % (one.nodes, one.train, one.expression))
smallest = [k for k, one in enumerate(model.front_) if one.train < 0.01][0]
print(model.sympy(smallest))
print(model.latex(smallest))
print("importances", model.feature_importances_)
assert model.feature_importances_[0] > 1 > model.feature_importances_[1]

# %% In a notebook the model shows itself: formula, front, curve
model
