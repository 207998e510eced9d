"""What users of other packages hand over."""
import numpy as np
import pytest

from grampus import BadInput, GrampusClassifier, GrampusRegressor, Run, evaluate

SMALL = {"preset": "none", "generations": 3, "population": 50}
LINEAR = {"functions": "+, -, *", "seed_program": "x0 - x1", "generations": 0, "population": 1, "preset": "none"}


def test_columns_in_another_order(cases):
    """Individuals read tables by place: what an estimator refuses had been predicted from the wrong columns."""
    pandas = pytest.importorskip("pandas")
    X, y = cases
    table = pandas.DataFrame(X, columns=["a", "b b", "c"])
    best = GrampusRegressor(**LINEAR).fit(table, y).best_
    assert best.expression == "a - b_b"
    other = table[["b b", "a", "c"]]
    for call in best.predict, best.output:
        with pytest.raises(BadInput, match="^X has column 'b b' at 0; expected it at 1, as in training$"):
            call(other)
    ranked = GrampusClassifier(class_rule="argmax", **SMALL).fit(table, y > 1.5).best_
    with pytest.raises(BadInput, match="expected it at 1"):
        ranked.ranked(other)
    told = best.predict(X)
    for same in table, table.to_numpy(), pandas.DataFrame(X), pandas.DataFrame(X, columns=["u", "v", "w"]):
        assert np.array_equal(best.predict(same), told)  # other names say nothing of the order
    settings = {"genotype": "tree", **LINEAR}
    for names in None, ["a", "b b", "c"]:
        with pytest.raises(BadInput, match="^X_test has column 'b b' at 0; expected it at 1"):
            Run(settings, table, y, X_test=other, y_test=y, names=names)
        with Run(settings, table, y, X_test=table, y_test=y, names=names) as run:
            run.advance()
            assert np.array_equal(run.best().predict(X), told)
    twice = pandas.DataFrame(X, columns=["a", "a", "c"])
    with Run(settings, X, y, names=["a", "a", "c"]) as run:
        run.advance()
        assert np.array_equal(run.best().predict(twice), told)
