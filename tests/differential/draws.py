"""Draws from random.random(), the one generator that Python promises to keep, by a key of any parts."""
import random


class Draw:
    def __init__(self, *key):
        self.random = random.Random("/".join(map(str, key))).random

    def chance(self, p):
        return self.random() < p

    def whole(self, low, high):
        return low + int(self.random() * (high - low + 1))

    def real(self, low, high):
        return "%.3g" % (low + self.random() * (high - low))

    def one(self, choices):
        return choices[int(self.random() * len(choices))]

    def some(self, choices, count):
        left = list(choices)
        return [left.pop(int(self.random() * len(left))) for _ in range(min(count, len(left)))]
