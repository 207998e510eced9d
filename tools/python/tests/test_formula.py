"""Formulas against what the library computes."""
import time

import numpy as np
import pytest

from grampus import BadInput, GrampusRegressor, Run, evaluate
from grampus.formula import operations
from grampus.individual import constant

sympy = pytest.importorskip("sympy")

VALUES = np.array([-2.5, -1.0, -0.0005, 0.0, 0.0005, 0.5, 1.0, 3.0])
ARITY = {"if": 3}
ONE = "neg abs square cube inv sqrt sin cos tan tanh exp log cbrt plog rlog klog psqrt psqrt2 ginv glog not".split()


def applied(expression, columns):
    """SymPy's values, (cases,), complex where they are"""
    one = constant(0.0, list(columns), list(columns))
    one.expression, one.intercept, one.slope = expression, 0.0, 1.0
    formula = one.sympy()
    values = []
    for case in zip(*columns.values()):
        point = {sympy.Symbol(n, real=True): sympy.Rational(float(v)) for n, v in zip(columns, case)}
        try:
            values.append(complex(formula.subs(point).evalf()))
        except TypeError:  # infinities and the like
            values.append(complex("nan"))
    return np.array(values)


@pytest.mark.parametrize("name", sorted(name for name in operations() if ":" not in name))  # argmax:next: within argmax
def test_operation(name):
    arity = 1 if name in ONE else ARITY.get(name, 2)
    grid = np.meshgrid(*[VALUES] * arity)
    columns = {"abc"[k]: g.ravel() for k, g in enumerate(grid)}
    expression = "%s(%s)" % (name, ", ".join(columns))
    ours, theirs = evaluate(expression, columns), applied(expression, columns)
    sound = np.isfinite(ours) & np.isfinite(theirs) & (np.abs(theirs.imag) < 1e-12) & (np.abs(ours) < 1e30)
    assert sound.sum() >= len(VALUES) / 2
    assert np.allclose(ours[sound], theirs.real[sound], rtol=1e-5, atol=1e-6)
    protected = name[0] in "pg" and name != "pow" or name in ("aq", "rlog", "klog")
    if protected and name not in ("ppow", "ppow2"):
        assert sound.all()


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("2 / sqrt(a / (a - a)) + b", "b"), ("exp(log(b - b)) + a", "a"), ("min(inv(a - a), b)", "b"),
        ("b / (log(a - a) - a) + a", "a"), ("1 / pow(a - a, -2) + b", "b"), ("max(sin(a), -1 / (b - b))", "sin(a)"),
    ],
)  # fmt: skip
def test_infinities(expression, expected):
    """What is divided by 0 in every case is infinite, as in the library, and of no harm where it is the divisor in turn."""
    columns = {"a": np.array([0.5, 1.0, 3.0]), "b": np.array([-2.0, 0.25, 7.0])}
    one = constant(0.0, list(columns), list(columns))
    one.expression, one.intercept, one.slope = expression, 0.0, 1.0
    text = str(one.sympy())
    formula = sympy.sympify(text, locals={n: sympy.Symbol(n, real=True) for n in columns})
    values = sympy.lambdify([sympy.Symbol(n, real=True) for n in columns], formula, "numpy")(*columns.values())
    ours = evaluate(expression, columns)
    assert np.allclose(ours, evaluate(expected, columns), rtol=1e-6)
    assert np.allclose(ours, values, rtol=1e-6)


def shown(expression):
    one = constant(0.0, ["a", "b", "c"], ["a", "b", "c"])
    one.expression, one.intercept, one.slope = expression, 0.0, 1.0
    return one.sympy()


@pytest.mark.parametrize(
    "expression",
    [
        "argmax(c - b, c, a + a + (a - b))", "argmax(a, b, c, a * b)", "if(c - b > a + a + (a - b), b, c)",
        "lt(c - b, a + a + (a - b))", "ge(c - b, a + a + (a - b))", "eq(c - b, a + a + (a - b))",
        "not(eq(c - b, a + a + (a - b)) + 1)", "argmax(if(a, b, c), a, b)",
    ],
)  # fmt: skip
def test_comparisons(expression):
    """SymPy turns comparisons whose sides share a term round until there is no stack left: no formula, no notebook."""
    columns = dict(zip("abc", np.array(np.meshgrid(*[[-1.0, 0.0, 2.0]] * 3)).reshape(3, -1)))
    symbols = [sympy.Symbol(name, real=True) for name in columns]
    formula = shown(expression)
    values = [formula.subs(dict(zip(symbols, case))) for case in zip(*columns.values())]
    assert np.array_equal(np.array(values, float), evaluate(expression, columns))


def test_names_of_any_script():
    """They are names as those of ASCII are, and no signs."""
    X = np.arange(6.0).reshape(3, 2)
    assert evaluate("x0 - 2 * x1", X).tolist() == evaluate("x0 - 2 * x1", {"x0": X[:, 0], "x1": X[:, 1]}).tolist()
    assert evaluate("x0 - 2 * x1", X.tolist()).tolist() == [-2, -4, -6]
    for wrong in (X[:, 0], [1.0, 2.0, 3.0]):
        with pytest.raises(BadInput, match=r"columns of shape \(3,\); expected \(cases, inputs\)"):
            evaluate("x0", wrong)
    assert evaluate("größe * Δt - 長さ", {"größe": np.array([1.0, 2.0]), "Δt": np.array([3.0, 4.0]), "長さ": np.ones(2)}).tolist() == [2, 7]
    with pytest.raises(BadInput, match=":1:3: '−' is not in the expression language"):
        evaluate("a − 1", {"a": np.ones(2)})


def test_comparisons_of_no_numbers():
    """What has no real value in any case is compared all the same, where it may be of no harm."""
    for harmless in ("if(lt(log(0 - 2), a), b, b)", "max(b, min(sqrt(0 - 2), 0 - 1 / 0))", "0 * argmax(a, log(0 - 1)) + b"):
        assert shown(harmless) == sympy.Symbol("b", real=True), harmless
    assert shown("argmax(ppow(0, -2), a, b)") == 0


@pytest.mark.parametrize("none", ["0 / 0", "log(0 - 1)", "sqrt(a - a - 1)", "pow(0 - 2, 0.5)"])
def test_no_numbers(none):
    """What has no value in any case: comparisons are false, as in the library, and a function of it has none; SymPy's
    complex numbers came back as others, (sqrt(-1))^2 as -1, and > and argmax took it for an infinity."""
    columns = {"a": np.array([-2.0, 0.25]), "b": np.array([2.5, -1.0]), "c": np.array([5.0, 0.5])}
    for expression in (
        "if(N > 1, 2, 3)", "if(a < N, b, c)", "if(a != N, b, c)", "if(N, b, c)", "max(N, 1)", "max(a, N)", "min(N, a)", "min(1, N)",
        "argmax(N, a, b)", "argmax(a, N)", "argmax(N, N)", "gdiv(a, N)", "ginv(N)", "glog(N)", "pow(1, N)", "pow(N, 0)",
        "abs(N)", "square(N)", "N * 0 + a", "eq(N, N)", "not(N)", "nor(N, 0)",
    ):  # fmt: skip
        expression = expression.replace("N", "(%s)" % none)
        formula = shown(expression)
        values = [formula.subs({sympy.Symbol(n, real=True): v for n, v in zip(columns, case)}) for case in zip(*columns.values())]
        assert np.array_equal(np.array(values, float), evaluate(expression, columns), equal_nan=True), expression


@pytest.mark.parametrize("expression", [
    "and(a, max(inv(xor(a, b)), c))", "gt(pdiv(ge(c, 2), if(b, c, 0)), klog(or(b, b)))", "ge(1 / (a - a), glog(argmax(glog(b), rlog(b))))",
    "max(tan(log(1)), inv(if(a, b, 0)))", "gt(aq(0.1, ne(0.1, 3)), xor(if(1, a, 0.5), cbrt(a)))", "lt(log(if(a, square(b), 0)), c)", "gt(gdiv(a, if(b, c, 0)), c)",
])  # fmt: skip
def test_poles_of_branches(expression):
    """SymPy compares the poles of branches that it folds with nothing: no formula, or one that was 0 in every case."""
    columns = dict(zip("abc", np.array(np.meshgrid(*[[-1.0, 0.5, 2.0]] * 3)).reshape(3, -1)))
    formula = shown(expression)
    values = [formula.subs({sympy.Symbol(n, real=True): v for n, v in zip(columns, case)}) for case in zip(*columns.values())]
    assert np.allclose(np.array(values, float), evaluate(expression, columns))


@pytest.mark.parametrize("expression", [
    "argmax(ge(c, b), a, cbrt(a))", "if(glog(ppow2(c, a)), b, 2.5)", "lt(pdiv(a, pdiv(a, c)), xor(0 - 1.23, a) * b)",
    "xor(rlog(ppow2(b, aq(c, 2.29))), argmax(cbrt(gdiv(a, c)), pow(ppow2(c, 0), c)))",
])  # fmt: skip
def test_conditions_of_conditions(expression):
    """SymPy makes an ITE of them, and of that for NumPy a text that chooses the wrong branch, or none."""
    columns = dict(zip("abc", np.array(np.meshgrid(*[[-2.0, 0.5, 2.5]] * 3)).reshape(3, -1)))
    compute = sympy.lambdify([sympy.Symbol(n, real=True) for n in columns], shown(expression), "numpy")
    assert np.allclose(compute(*columns.values()), evaluate(expression, columns), rtol=1e-5)


@pytest.mark.parametrize("expression", [
    "exp(1e30)", "tan(exp(3e38))", "pow(2, 999999999)", "pow(0 - 3, 100000001)", "pow(3, 0 - 100000000)", "1e30 * 1e30", "log(exp(100))",
    "square(cube(1e9))", "gdiv(a, 1e30 * 1e30)",
])  # fmt: skip
def test_huge_constants(expression):
    """What floats do not hold is infinite, or 0: SymPy wrote down all its digits, or took its tangent, without end."""
    formula, columns = shown(expression), {"a": np.array([0.5]), "b": np.ones(1), "c": np.ones(1)}
    assert np.array_equal(np.array([formula.subs(sympy.Symbol("a", real=True), 0.5)], float), evaluate(expression, columns), equal_nan=True)
    one = constant(0.0, ["a"], ["a"])
    one.expression, one.slope = "a * %s" % expression.replace("gdiv(a, 1e30 * 1e30)", "exp(50)"), 1e300
    assert one.latex()


def nested(function, of, depth):
    for _ in range(depth):
        of = "%s(%s)" % (function, of)
    return of


@pytest.mark.parametrize("expression, shows", [
    ("pow(999999 * a, 999999)", "a**999999"), ("exp(999999 * log(999999 * a))", "a**999999"), ("exp(b + 999999 * log(999999))", "*exp(b)"),
    ("pow(sqrt(999983), 999999)", "oo"), (nested("square", "999999 / 1000001 * a", 40), "a**1099511627776"),
    (nested("square", "999999 / 1000001", 40), "e-955024"), (nested("cube", "999999 * a", 40), "a**12157665459056928801"),
    ("pow(a * 2, 9) - square(1 / 3) + exp(2 * log(3))", "512*a**9 + 80/9"),
])  # fmt: skip
def test_great_powers(expression, shows):
    """SymPy wrote down all digits of factors in great powers, for seconds or for ever."""
    shown(expression)  # what is loaded the first time
    begun = time.process_time()
    text = str(shown(expression))
    assert shows in text and len(text) < 80 and time.process_time() - begun < 1


def test_shown_without_a_formula(monkeypatch, cases):
    """Where SymPy gives up a notebook shows the expression."""

    def give_up(*_):
        raise RecursionError("SymPy")

    model = GrampusRegressor(generations=1, preset="none", population=20).fit(*cases)
    monkeypatch.setattr("grampus.formula.to_latex", give_up)
    assert "<code>%s</code>" % model.best_.expression in model._repr_html_()


def test_every_operation_is_known():
    import os
    import re

    path = os.path.join(os.path.dirname(__file__), "..", "..", "..", "gpu", "core", "base", "ops.def")
    names = re.findall(r'^GR_OP[123][A-Z]*\(\w+, "(\w+)', open(path).read(), re.M)
    floats = {name for name in names if not name.startswith("w")}
    floats.remove("targets")  # a frame around several programs, which is no formula
    assert floats - {n for n in floats if n.startswith("bit")} <= set(operations())


def test_scaling_is_folded_in(cases):
    X, y = cases
    model = GrampusRegressor(generations=3, linear_scaling=True, functions="+,-,*,pdiv,aq,sin", seed=3).fit(X, 7 * y - 2)
    formula = sympy.lambdify([sympy.Symbol("x%d" % i, real=True) for i in range(3)], model.sympy(), "numpy")
    assert np.allclose(formula(*X.T) + 0 * y, model.predict(X), rtol=1e-4, atol=1e-4)
    assert model.latex()


def test_shared_labels():
    """Inputs that the user calls by one name are two symbols."""
    with Run({"genotype": "tree", "functions": "-", "seed-program": "a - a_2", "generations": 0}, np.eye(4)[:, :2],
             np.array([1.0, -1.0, 0.0, 0.0]), names=["a", "a"]) as run:  # fmt: skip
        run.advance()
        best = run.best()
    assert best.expression == "a - a_2" and str(best.sympy()) == "a - a_2" and "a_{2}" in best.latex()


def test_without_a_finite_fitness():
    """What has no value on the cases has a formula all the same, and a notebook shows it."""
    X = np.array([[1.0], [2.0], [3.0], [-1.0]])
    model = GrampusRegressor(generations=0, population=2, linear_scaling=True, grammar="<e> ::= log(x0) + log(-x0)\n")
    model.fit(X, X[:, 0])
    assert np.isinf(model.best_.train) and model.sympy() is sympy.nan
    assert "NaN" in model.latex() and "log" in model._repr_html_()


@pytest.mark.parametrize("label, written", [
    ("rate %", r"{\text{rate }\%}"), ("price ($)", r"{\text{price (}\$\text{)}}"), ("a&b_{c}", r"{\text{a}\&\text{b}\_\{\text{c}\}}"),
    ("3", r"{\text{3}}"), ("x^2", r"{\text{x}\wedge \text{2}}"), ("C:\\new\nline", r"{\text{C:}\backslash \text{new line}}"), ("", r"{\_}"),
    ("plain", "plain"), ("x0", "x_{0}"), ("alpha", r"\alpha"), ("größe", "größe"),
])  # fmt: skip
def test_names_in_latex(label, written):
    """Those that are no identifiers as text: "rate %" made a comment of what stood behind it."""
    name = "_" if not label else "x"
    one = constant(0.0, [name, "y"], [label, "other"])
    one.expression, one.intercept, one.slope = "%s + y" % name, 0.0, 1.0
    assert one.latex() in ("other + " + written, written + " + other")
    assert {symbol.name for symbol in one.sympy().free_symbols} == {label or "_", "other"}
