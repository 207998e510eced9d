# %% [markdown]
# # Classification
# An expression's output is parted into classes by thresholds that are fitted to every program.

# %%
import numpy as np
from sklearn.datasets import load_iris
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from grampus import GrampusClassifier

iris = load_iris()
X, X_test, y, y_test = train_test_split(iris.data, iris.target_names[iris.target], random_state=0, stratify=iris.target)

# %%
model = GrampusClassifier(generations=30, random_state=1).fit(X, y)
print("accuracy %.3f, on cases it has not seen %.3f" % (model.score(X, y), model.score(X_test, y_test)))
print(model.best_.expression, "parted at", model.best_.thresholds)
print(confusion_matrix(y_test, model.predict(X_test), labels=model.classes_))
assert model.score(X_test, y_test) > 0.85

# %% It is an estimator as any other
scores = cross_val_score(make_pipeline(StandardScaler(), GrampusClassifier(generations=10)), iris.data, iris.target, cv=3)
print("cross-validation", scores)

# %% Two classes, by balanced accuracy
rare = (iris.target == 2) & (np.arange(len(iris.target)) % 3 == 0)
two = GrampusClassifier(metric="balanced-accuracy", generations=20).fit(iris.data, rare)
print(two.best_, two.sympy())

# %% Two classes, by how probable they are: what the squared error is least for
virginica = iris.target == 2
likely = GrampusClassifier(metric="mse", generations=20).fit(iris.data, virginica)
print("Brier score %.3f" % np.mean((likely.predict_proba(iris.data)[:, 1] - virginica) ** 2), likely.classes_)
