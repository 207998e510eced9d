"""Expressions as SymPy has them: the operations of host/expression without their protections hidden."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Dict, List

import numpy as np

from grampus import individual as _i
from grampus._library import BadInput


@lru_cache(maxsize=None)
def operations() -> Dict:
    """name -> function of SymPy expressions; protected operations written out."""
    import sympy as sp

    def choose(condition, yes, no):
        return sp.Piecewise((yes, condition), (no, True))

    def real(a):
        return sp.sympify(a).replace(lambda e: e.is_number and not e.is_extended_real, lambda e: sp.oo)

    def is_none(a):
        """A number that is none in real arithmetic, as log(-2); SymPy's zoo is an infinity."""
        a = sp.sympify(a)
        return a is sp.nan or bool(a.is_number and a.is_extended_real is False and a is not sp.zoo)

    def holds(relation, a, b, again=True):
        """SymPy may turn two sides that share a term, as x - y and 3 z - y, round without end: then all are on one side.
        What has no real value it compares with nothing: it is unlike everything. In a branch that is not taken it is infinite."""
        if is_none(a) or is_none(b):
            return sp.true if relation is sp.Ne else sp.false
        try:
            choose(relation(a, b), 1, 0)
            return relation(a, b)
        except RecursionError:
            return relation(a - b, 0)
        except (TypeError, ValueError):
            return holds(relation, real(a), real(b), False) if again else sp.false

    def one_of(function, relation):
        def chosen(a, b):
            if is_none(a) or is_none(b):
                return b
            try:
                return function(a, b)
            except (TypeError, ValueError):
                return choose(holds(relation, a, b), a, b)

        return chosen

    def truth(condition):
        return choose(condition, sp.Integer(1), sp.Integer(0))

    def is_true(a):
        return holds(sp.Ne, a, 0)

    def either(x, y):
        """SymPy folds no Xor within a comparison."""
        return sp.Or(sp.And(x, sp.Not(y)), sp.And(sp.Not(x), y))

    def compared(relation):
        return lambda a, b: truth(holds(relation, a, b))

    def largest(several):
        """The first that none behind it exceeds, of those that are numbers."""
        there = [(sp.Integer(k), one) for k, one in enumerate(several) if not is_none(one)]
        if not there:
            return sp.nan
        pairs = [(k, sp.And(*(holds(sp.Ge, one, other) for _, other in there[at + 1 :]))) for at, (k, one) in enumerate(there[:-1])]
        return sp.Piecewise(*pairs, (there[-1][0], True))

    def by_branch(function):
        """A function with a pole, of each branch of its last operand alone: SymPy would put the pole itself there, zoo, when
        it folds them, and compares that with nothing."""

        def applied(*operands):
            *others, last = operands
            if isinstance(last, sp.Piecewise) and any(e.is_zero or isinstance(e, sp.Piecewise) for e, _ in last.args):
                return sp.Piecewise(*((applied(*others, e), c) for e, c in last.args))
            return function(*operands)

        return applied

    def quotient(a, b):
        """By what is 0 everywhere, as x - x: infinite as in IEEE arithmetic, not SymPy's zoo, which has no sign or text."""
        return a * sp.oo if b.is_zero else a / b

    def of_positives(function):
        """A function that SymPy takes on to complex numbers, which end as others than the none that they are: (sqrt(-1))^2."""
        return lambda a: sp.nan if a.is_negative else function(a)

    def logarithm(a):
        return -sp.oo if a.is_zero else sp.log(a)

    def power(a, b):
        if a.is_zero and b.is_negative:
            return sp.oo
        if a == 1:
            return a
        if a.is_negative and b.is_number and b.is_integer is False:
            return sp.nan
        if a.is_Number and b.is_Number and a.is_finite and b.is_finite and not a.is_zero:
            size = float(b) * math.log(abs(float(a)))  # SymPy would write down all digits of 3^100000000
            if abs(size) > 1000:
                return sp.Integer(0) if size < 0 else -sp.oo if a.is_negative and b.is_odd else sp.oo
        if b.is_Rational and abs(b) > 128 and a.as_coeff_Mul()[0] not in (1, -1):
            a = by_float(a)
        return (a.evalf() if b.is_Rational and abs(b) > 128 and a.is_number else a) ** b

    def exponential(a):
        """exp(c log(n)) is n^c, also of a number n in a product"""

        def is_far(t):
            of = [log.args[0] for log in t.atoms(sp.log)] if abs(t.as_coeff_Mul()[0]) > 128 else []
            return any(x.is_number or x.as_coeff_Mul()[0] not in (1, -1) for x in of)

        return sp.exp(sp.Add(*(by_float(t) if is_far(t) else t for t in sp.Add.make_args(a))))

    def finite(function):
        """A function without a value at the infinities, where SymPy has a range."""
        return lambda a: sp.nan if a.is_infinite else function(a)

    near = sp.Rational(1, 1000)
    return {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": by_branch(quotient),
        "neg": lambda a: -a,
        "abs": sp.Abs,
        "min": one_of(sp.Min, sp.Lt),
        "max": one_of(sp.Max, sp.Gt),
        "square": lambda a: a**2,
        "cube": lambda a: a**3,
        "inv": by_branch(lambda a: quotient(sp.Integer(1), a)),
        "sqrt": of_positives(sp.sqrt),
        "sin": finite(sp.sin),
        "cos": finite(sp.cos),
        "tan": finite(sp.tan),
        "tanh": sp.tanh,
        "exp": exponential,
        "log": by_branch(of_positives(logarithm)),
        "pow": power,
        "cbrt": lambda a: sp.sign(a) * sp.Abs(a) ** sp.Rational(1, 3),
        "pdiv": by_branch(lambda a, b: choose(sp.Eq(b, 0), sp.Integer(1), a / b)),
        "aq": lambda a, b: a / sp.sqrt(1 + b**2),
        "plog": lambda a: sp.log(1 + sp.Abs(a)),
        "rlog": by_branch(lambda a: choose(sp.Eq(a, 0), sp.Integer(1), sp.log(sp.Abs(a)))),
        "klog": by_branch(lambda a: choose(sp.Eq(a, 0), sp.Integer(0), sp.log(sp.Abs(a)))),
        "psqrt": lambda a: sp.sqrt(sp.Abs(a)),
        "psqrt2": lambda a: sp.sign(a) * sp.sqrt(sp.Abs(a)),
        "ppow": lambda a, b: power(sp.Abs(a), b),
        "ppow2": lambda a, b: sp.sign(a) * power(sp.Abs(a), b),
        "gdiv": by_branch(lambda a, b: choose(holds(sp.Gt, sp.Abs(b), near), a / b, sp.Integer(1))),
        "ginv": by_branch(lambda a: choose(holds(sp.Gt, sp.Abs(a), near), 1 / a, sp.Integer(0))),
        "glog": by_branch(lambda a: choose(holds(sp.Gt, sp.Abs(a), near), sp.log(sp.Abs(a)), sp.Integer(0))),
        "lt": compared(sp.Lt),
        "le": compared(sp.Le),
        "gt": compared(sp.Gt),
        "ge": compared(sp.Ge),
        "eq": compared(sp.Eq),
        "ne": compared(sp.Ne),
        "and": lambda a, b: truth(sp.And(is_true(a), is_true(b))),
        "or": lambda a, b: truth(sp.Or(is_true(a), is_true(b))),
        "xor": lambda a, b: truth(either(is_true(a), is_true(b))),
        "nand": lambda a, b: truth(sp.Not(sp.And(is_true(a), is_true(b)))),
        "nor": lambda a, b: truth(sp.Not(sp.Or(is_true(a), is_true(b)))),
        "not": lambda a: truth(sp.Eq(a, 0)),
        "if": lambda a, b, c: choose(is_true(a), b, c),
        "argmax:last": lambda a: (a,),
        "argmax:next": lambda a, b: (a,) + b,
        "argmax": largest,
    }


def without_ite(expression):
    """SymPy folds conditions to its ITE, which it prints for NumPy as what chooses the wrong branch, or not at all."""
    import sympy as sp

    def written_out(condition, yes, no):
        return sp.Or(sp.And(condition, yes), sp.And(sp.Not(condition), no))

    try:
        return expression.replace(sp.ITE, written_out)
    except (TypeError, ValueError, RecursionError):  # of poles in branches
        return expression


def by_float(value):
    """Its factor a Float: of a whole number, or a quotient, SymPy computes all digits of a power."""
    import sympy as sp

    number, rest = value.as_coeff_Mul()
    return sp.Float(number, 15) * rest if number.is_Rational and number != 0 else value


def in_range(value, most: float):
    """What floats do not hold is infinite, as in the library; SymPy counts on, and a sine of it takes as long as it has digits."""
    import sympy as sp

    factor = value.as_coeff_Mul()[0]
    if factor.is_Rational and max(abs(factor.p), factor.q).bit_length() > 256:
        value = by_float(value)
    if not (value.is_number and value.is_real):
        return value
    try:
        size = float(value)
    except OverflowError:
        size = math.inf if value.is_positive else -math.inf
    return value if abs(size) <= most or math.isnan(size) else sp.oo if size > 0 else -sp.oo


def number(value: float):
    """A SymPy number: whole ones as integers; a NaN is the intercept of what has no finite fitness."""
    import sympy as sp

    if not math.isfinite(value):
        return sp.nan if math.isnan(value) else sp.oo if value > 0 else -sp.oo
    if value == int(value) and abs(value) < 1e9:
        return sp.Integer(int(value))
    return sp.Float(repr(float(value)))


def constant_of(word: str, precision: str) -> float:
    """A constant is a float32, printed with the digits that tell it from others. A program over float64 adds the float32
    itself, of which these digits would be some 1e-9 off."""
    return float(np.float32(word)) if precision == "double" else float(word)


def symbol_names(individual) -> List[str]:
    """The labels, of an empty one the name; where two inputs share one the names, or these would be one symbol."""
    labels = [str(label) or name for label, name in zip(individual.labels, individual.inputs)]
    return labels if len(set(labels)) == len(labels) else individual.inputs


def latex_name(label: str) -> str:
    """Of a label that is no identifier, which SymPy would write as it is: "rate %" would begin a comment. What is special
    stands outside of the text, for MathJax takes it there as LaTeX does."""
    special = {"\\": "\\backslash ", "^": "\\wedge ", "~": "\\sim ", **{c: "\\" + c for c in "{}$&#%_"}}
    pieces = re.findall(r"[\\^~{}$&#%_]|[^\\^~{}$&#%_]+", re.sub(r"\s", " ", label))
    return "{%s}" % "".join(special.get(piece) or "\\text{%s}" % piece for piece in pieces)


def to_sympy(individual, scaled: bool = True):
    """The individual as a SymPy expression in its labels; scaled: intercept + slope x expression, in double."""
    import sympy as sp

    if len(individual.outputs) > 1:
        return sp.Matrix([to_sympy(one, scaled) for one in individual.outputs])
    known = operations()
    symbols = {name: sp.Symbol(label, real=True) for name, label in zip(individual.inputs, symbol_names(individual))}
    stack, most = [], float(np.finfo(np.float64 if individual.precision == "double" else np.float32).max)
    for arity, word in _i.postfix(individual.expression, individual.inputs):
        if arity == 0:
            stack.append(symbols[word] if word in symbols else number(constant_of(word, individual.precision)))
        else:
            operands = stack[-arity:]
            del stack[-arity:]
            made = known[word](*operands)
            stack.append(made if isinstance(made, tuple) else in_range(made, most))
    expression = without_ite(stack.pop())
    if scaled and (individual.intercept, individual.slope) != (0.0, 1.0):
        expression = number(individual.intercept) + number(individual.slope) * expression
    return expression


def to_latex(individual, digits: int = 4) -> str:
    """LaTeX of the SymPy form, numbers rounded to `digits`."""
    import sympy as sp

    if not isinstance(digits, (int, np.integer)) or digits < 1:  # SymPy makes other numbers of these
        raise BadInput("digits is %.40r; expected a whole number from 1" % (digits,))
    expression = to_sympy(individual)

    def rounded(n):
        few = sp.Float(n, digits)
        return sp.Integer(int(few)) if abs(few) < 10**digits and few == int(few) else few

    odd = {symbol: latex_name(symbol.name) for symbol in expression.free_symbols if not re.fullmatch(r"[^\W\d_]\w*", symbol.name)}
    return sp.latex(expression.xreplace({n: rounded(n) for n in expression.atoms(sp.Float)}), symbol_names=odd)
