"""Floats of 32 bits and random numbers, each from its definition."""
import array
import ctypes
import functools
import math
import struct

MASK = 0xFFFFFFFF


def added(values):
    """One after the other: sum() has carried the rounding along since Python 3.12."""
    total = 0.0
    for value in values:
        total += value
    return total


def single(x):
    """The float of 32 bits that is nearest."""
    return ctypes.c_float(x).value


class Precision:
    """Of evaluation, for all that follows: floats of 32 bits, or Python's."""
    double = False


def number(x):
    """As the precision of the run has it."""
    return x if Precision.double else single(x)


def numbers(values):
    """All of them as the precision of the run has them."""
    return list(values) if Precision.double else array.array("f", values).tolist()


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def divide(a, b):
    """IEEE division of doubles; Python refuses zeros."""
    if b != 0 and not math.isinf(a):
        return a / b
    if a != a or b != b or (a == 0 and b == 0) or (math.isinf(a) and math.isinf(b)):
        return math.nan
    sign = math.copysign(1, a) * math.copysign(1, b)
    return sign * math.inf


@functools.lru_cache
def rounds(key):
    """The key of each round."""
    k, q = key
    return [(k + n * 0x9E3779B9 & MASK, q + n * 0xBB67AE85 & MASK) for n in range(10)]


def philox(counter, key):
    """Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011)."""
    a, b, c, d = counter
    for k, q in rounds(key):
        x, y = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = y >> 32 ^ b ^ k, y & 0xFFFFFFFF, x >> 32 ^ d ^ q, x & 0xFFFFFFFF
    return a, b, c, d


# Purpose: its number, and which part of the individuals' numbers it has.
PURPOSES = {"init": (1, 0), "init-genes": (1, 1), "init-tail": (1, 2), "select": (2, 0), "select-second": (2, 2),
            "crossover": (3, 0), "crossover-mix": (3, 1), "crossover-again": (3, 2), "mutation": (4, 0),
            "mutation-branch": (4, 1), "mutation-duplication": (4, 2), "mutation-genes": (4, 3), "data": (5, 0), "sample": (5, 4),
            "parsimony": (6, 0), "emigrants": (7, 0), "immigrants": (7, 1), "routes": (7, 2),
            "lexicase": (8, 0), "lexicase-second": (8, 1), "lexicase-cases": (8, 2)}


class Seed(int):
    """Of a run, on one of its islands."""
    island = 0


class Stream:
    """Draws of one individual for one purpose; counter: number of the block, individual, generation, purpose."""

    def __init__(self, seed, purpose, generation, individual, attempt=0):
        number, part = PURPOSES[purpose]
        self.key = (seed & MASK, seed >> 32 & MASK)
        what = number | getattr(seed, "island", 0) << 8 | (part >> 2) << 31 | attempt << 22
        self.words = (individual | part << 30) & MASK, generation, what
        self.drawn = 0
        self.blocks = {}

    def block(self, number):
        if number not in self.blocks:
            self.blocks[number] = philox((number, *self.words), self.key)
        return self.blocks[number]

    def next(self):
        word = self.block(self.drawn // 4)[self.drawn % 4]
        self.drawn += 1
        return word

    def below(self, n):
        return scale(self.next(), n)

    def chance(self, probability):
        return unit(self.next()) < single(probability)


def scale(word, n):
    return word * n >> 32


def unit(word):
    return (word >> 8) / 2 ** 24
