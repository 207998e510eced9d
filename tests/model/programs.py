"""Expressions: read from text, evaluated case by case in floats of 32 bits, or doubles. A program is nested tuples: ('x', number),
('c', value), or (operation, operand, ...)."""
import math
import re

from arithmetic import divide, number, numbers, single

ARITY = {"+": 2, "-": 2, "*": 2, "/": 2, "pdiv": 2, "aq": 2, "min": 2, "max": 2, "<": 2, ">": 2, "if": 3, "neg": 1,
         "abs": 1, "square": 1, "cube": 1, "inv": 1, "psqrt": 1, "sqrt": 1, "not": 1, "and": 2, "or": 2, "xor": 2,
         "nand": 2, "nor": 2, "last": 1, "next": 2, "argmax": 1,  # the last three together are argmax(a, b, ...)
         # targets(a, b, ...): of an output, its target and the unit; of two errors; of their sum
         "off-squared": 3, "off": 3, "both": 2, "error": 1, "error-root": 1}


class Several:
    """Of runs with several targets: how many, behind how many inputs, and whether their errors are squared."""
    outputs = inputs = 0
    squared = True


def root(a):
    return math.sqrt(a) if a >= 0 else math.nan


def cut(a):
    """To 18 bits of its fraction, towards 0; what is infinite becomes the largest number."""
    a = max(-3.4028234663852886e38, min(3.4028234663852886e38, a))
    step = max(math.ldexp(1, math.frexp(a)[1] - 19), math.ldexp(1, -144))
    return math.trunc(a / step) * step


# Chains of outputs: the largest and its number, None where there is none.
def last(a):
    return None if a != a else (cut(a), 0)


def behind(a, chain):
    if a != a:
        return chain and (chain[0], chain[1] + 1)
    return (chain[0], chain[1] + 1) if chain and chain[0] > cut(a) else (cut(a), 0)


def off(a, target, unit):
    return number(number(a - target) * unit)


def several(operands):
    """The error of a case: of every output in its own target, in its unit; added from the last on."""
    n, first = Several.outputs, Several.inputs
    assert len(operands) == n
    parts = [("off-squared" if Several.squared else "off", tree, ("x", first + k), ("x", first + n + k)) for k, tree in enumerate(operands)]
    chain = parts.pop()
    while parts:
        chain = ("both", parts.pop(), chain)
    return ("error-root" if Several.squared else "error", chain)


# Of doubles, in single precision floats; the result is rounded once, which for + - * / and roots is the float operation itself.
REAL = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": divide,
    "pdiv": lambda a, b: 1.0 if b == 0 else divide(a, b),
    "aq": lambda a, b: divide(a, number(root(number(1 + number(b * b))))),
    "min": lambda a, b: a if a < b else b, "max": lambda a, b: a if a > b else b,
    "<": lambda a, b: float(a < b), ">": lambda a, b: float(a > b), "if": lambda a, b, c: b if a != 0 else c,
    "neg": lambda a: -a, "abs": abs, "square": lambda a: a * a, "cube": lambda a: number(a * a) * a,
    "inv": lambda a: divide(1.0, a), "sqrt": root, "psqrt": lambda a: root(abs(a)),
    "not": lambda a: float(a == 0), "and": lambda a, b: float(a != 0 and b != 0),
    "or": lambda a, b: float(a != 0 or b != 0), "xor": lambda a, b: float((a != 0) != (b != 0)),
    "nand": lambda a, b: float(not (a != 0 and b != 0)), "nor": lambda a, b: float(not (a != 0 or b != 0)),
    "last": last, "next": behind, "argmax": lambda chain: float(chain[1]) if chain else math.nan,
    "off-squared": lambda *a: off(*a) * off(*a), "off": lambda *a: abs(off(*a)), "both": lambda a, b: a + b, "error": lambda a: a,
    "error-root": root,
}
CHAINS = ("last", "next")  # no floats
# Of all cases of a truth table at once, a bit each.
BITS = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "nand": lambda a, b: ~(a & b),
        "nor": lambda a, b: ~(a | b), "not": lambda a: ~a}


def size(tree):
    return 1 + sum(map(size, tree[1:])) if tree[0] in ARITY else 1


def height(tree):
    return 1 + max(map(height, tree[1:])) if tree[0] in ARITY else 1


def evaluate(tree, inputs):
    """Outputs for inputs, a tuple a case."""
    if tree[0] == "x":
        return [row[tree[1]] for row in inputs]
    if tree[0] == "c":
        return [tree[1]] * len(inputs)
    values = map(REAL[tree[0]], *(evaluate(t, inputs) for t in tree[1:]))
    return list(values) if tree[0] in CHAINS else numbers(values)


def evaluate_bits(tree, inputs):
    """inputs: a whole number each, bit c is case c."""
    if tree[0] == "x":
        return inputs[tree[1]]
    return BITS[tree[0]](*(evaluate_bits(t, inputs) for t in tree[1:]))


# ---- reading ----

TOKEN = re.compile(r"\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)|([a-z]\w*)|(.))")
STRENGTH = {"<": 1, ">": 1, "+": 2, "-": 2, "*": 3, "/": 3}


def read(text):
    """Infix with calls, as Python has it; None where it is none."""
    tokens = [m.group(m.lastindex) for m in TOKEN.finditer(text)]
    tree, rest = operators(tokens, 1)
    return None if rest else tree


def operators(tokens, least):
    left, tokens = operand(tokens)
    while tokens and STRENGTH.get(tokens[0], 0) >= least:
        sign = tokens[0]
        right, tokens = operators(tokens[1:], STRENGTH[sign] + 1)
        left = (sign, left, right)
    return left, tokens


def operand(tokens):
    first, rest = tokens[0], tokens[1:]
    if first == "(":
        tree, rest = operators(rest, 1)
        return tree, rest[1:]
    if first == "-":
        tree, rest = operators(rest, 4)
        return (("c", -tree[1]) if tree[0] == "c" else ("neg", tree)), rest
    if re.fullmatch(r"x\d+", first):
        return ("x", int(first[1:])), rest
    if first in ("argmax", "targets"):
        operands = []
        while rest[0] != ")":
            tree, rest = operators(rest[1:], 1)
            operands.append(tree)
        if first == "targets":
            return several(operands), rest[1:]
        chain = ("last", operands[-1])
        for tree in reversed(operands[:-1]):
            chain = ("next", tree, chain)
        return ("argmax", chain), rest[1:]
    if first[0].isalpha():
        operands, rest = [], rest[1:]
        while len(operands) < ARITY[first]:
            tree, rest = operators(rest, 1)
            operands.append(tree)
            rest = rest[1:]
        return (first, *operands), rest
    return ("c", single(float(first))), rest
