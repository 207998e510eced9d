"""The archive of niches: everybody is compared with everybody."""
import math
from fractions import Fraction

import programs
from arithmetic import bits, scale, single

SIZES, CASES, STEPS, WORD = 16, 16, 4096, 2 ** 64 - 1
# Numbers of operations as ops.def counts them; constants and inputs come first.
REAL = {"+": 2, "-": 3, "*": 4, "/": 5, "neg": 6, "abs": 7, "min": 8, "max": 9, "square": 10, "cube": 11, "inv": 12,
        "sqrt": 13, "pdiv": 21, "aq": 22, "psqrt": 26, "<": 33, ">": 35, "and": 39, "or": 40, "xor": 41, "nand": 42,
        "nor": 43, "not": 44, "if": 45, "last": 53,
        "next": 54, "argmax": 55, "off-squared": 56, "off": 57, "both": 58, "error": 59, "error-root": 60}
BITS = {"and": 46, "or": 47, "xor": 48, "nand": 49, "nor": 50, "not": 51}


def size_class(nodes):
    if nodes < 16:
        return nodes // 2
    power = nodes.bit_length() - 5
    return min(8 + 2 * power + (nodes >= 24 * 2 ** power), SIZES - 1)


def operations(tree):
    return {tree[0]}.union(*map(operations, tree[1:])) if tree[0] in programs.ARITY else set()


def niche(one, count, words):
    state = sum(1 << (BITS if words else REAL)[name] for name in operations(one.program))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ state >> shift) * factor & WORD
    hashed = (state ^ state >> 31 or 1) >> 32
    return size_class(one.nodes) * (count // SIZES) + scale(hashed, count // SIZES)


def behaviour(one, s, fit):
    """Outputs on some cases, in steps of a power of two that the largest one makes 4096 to 8191 of."""
    cases = fit.sets[0]
    if s["boolean"]:
        outputs, units = programs.evaluate_bits(one.program, cases.inputs), (cases.count + 31) // 32
        count = min(units, CASES)
        return tuple(outputs >> 32 * (units * k // count) & 2 ** 32 - 1 for k in range(count))
    count = min(cases.count, CASES)
    values = programs.evaluate(one.program, [cases.inputs[cases.count * k // count] for k in range(count)])
    if s["linear-scaling"]:
        intercept, slope = fit.line(programs.evaluate(one.program, cases.inputs))
        values = [single(float(intercept + slope * Fraction(v))) if math.isfinite(v) else v for v in values]
    largest = max([abs(v) for v in values if math.isfinite(v)], default=0.0)
    step = 2.0 ** ((bits(largest) >> 23) - 127) / STEPS
    step = step if step > 2.0 ** -120 else 1.0
    return tuple(int(single(v / step + math.copysign(0.5, v))) if math.isfinite(v) else repr(v) for v in values)


def keep(archive, people, s, fit):
    """The archive, by niche, behind a generation; `archive`: before it."""
    count = -(-s["niches"] // SIZES) * SIZES
    applicants = [(k, one) for k, one in archive.items()]
    applicants += [(count + i, one) for i, one in enumerate(people) if one.cost < math.inf]
    for number, one in applicants:
        if number >= count:
            one.behaviour, one.niche = behaviour(one, s, fit), niche(one, count, bool(s["boolean"]))
    alike = {}
    for number, one in applicants:
        alike.setdefault(one.behaviour, []).append((one.nodes, one.cost, number, one))
    first = [min(group, key=lambda found: found[:3]) for group in alike.values()]
    kept = {}
    for _, cost, number, one in first:
        if one.niche not in kept or (cost, number) < kept[one.niche][:2]:
            kept[one.niche] = (cost, number, one)
    return {k: kept[k][2] for k in sorted(kept)}
