"""Fitness of programs, by the formulas of problems/README.md: sums of floats, or doubles, in the order that fitness.h promises,
everything else in doubles or in whole fractions. A cost is minimised; math.inf is the worst."""
import math
import operator
from fractions import Fraction

from arithmetic import Stream, added, bits, numbers, single
from programs import evaluate, evaluate_bits

METRICS = ("sae", "mae", "mse", "rmse", "r2", "hits", "misclassified", "balanced-accuracy", "hinge", "f1", "max-error")
MAXIMISED = ("r2", "hits", "balanced-accuracy", "f1", "boolean-hits")


class Cases:
    """Inputs, a tuple a case, and targets; of a truth table a whole number each, a bit a case."""

    def __init__(self, inputs, targets, count=None):
        self.inputs, self.targets = inputs, targets
        self.count = len(targets) if count is None else count

    def take(self, which):
        return Cases([self.inputs[k] for k in which], [self.targets[k] for k in which])


def canonical_sum(values):
    """Chunks of 1024; in each lane l of 32 adds the cases c with c / 4 mod 32 = l, then lanes meet in a butterfly."""
    total = 0.0
    for first in range(0, len(values), 1024):
        lanes = [0.0] * 32
        for block in range(first, min(first + 1024, len(values)), 128):
            for k in range(4):  # a case for every lane that has one
                column = values[block + k:block + 128:4]
                lanes[:len(column)] = numbers(map(operator.add, lanes, column))
        for half in (16, 8, 4, 2, 1):
            lanes = numbers(map(operator.add, lanes[:half], lanes[half:]))
        total += lanes[0]
    return total


class Fitness:
    def __init__(self, s, train, test, validation=None):
        self.s, self.sets, self.metric = s, (train, test, validation), s["metric"]
        if not s["boolean"]:
            labels = train.targets
            self.low, self.high = min(labels), max(labels)
        self.thresholds = s["thresholds"] or [0.0]

    def least(self, n):
        return {"r2": -1.0, "hits": -float(n), "balanced-accuracy": -1.0, "f1": -1.0, "boolean-hits": -float(n)}.get(
            self.metric, 0.0)

    def of(self, cost):
        return 0.0 - cost if self.metric in MAXIMISED else 0.0 + cost

    def class_of(self, output):
        if output != output:
            return output
        rule = self.s["class-rule"]
        if rule == "thresholds":
            return self.low + sum(output >= t for t in self.thresholds)
        if rule == "argmax":
            return self.low + sum(output >= k + 0.5 for k in range(int(self.high - self.low)))
        if rule == "sign":
            return self.high if output >= 0 else self.low
        nearest = output if math.isinf(output) else float(round(output))
        return max(self.low, min(self.high, nearest))

    def errors(self, outputs, targets):
        """What each case adds."""
        if self.metric == "hinge":
            margins = numbers(1 - o if t > 0 else 1 + o for o, t in zip(outputs, targets))
            return [m if m != m else max(0.0, m) for m in margins]
        if self.metric == "misclassified":
            return [float(self.class_of(o) != t) for o, t in zip(outputs, targets)]
        apart = numbers(map(operator.sub, outputs, targets))
        if self.metric in ("mse", "rmse", "r2"):
            return numbers(e * e for e in apart)
        if self.metric == "hits":
            return [float(abs(single(e)) <= single(self.s["tolerance"])) for e in apart]
        return [abs(e) for e in apart]

    def cost(self, program, which, cases=None):
        """On the training (0), test (1) or validation (2) cases; `cases`: a sample of the former. None: not valid."""
        cases = cases or self.sets[which]
        if program is None:
            return math.inf
        if self.s["boolean"]:
            wrong = evaluate_bits(program, cases.inputs) ^ cases.targets
            return -float(cases.count - bin(wrong & (1 << cases.count) - 1).count("1"))
        outputs = evaluate(program, cases.inputs)
        value = self.scaled(program, outputs, which, cases) if self.s["linear-scaling"] else self.plain(outputs, cases)
        value = single(value)
        return value if math.isfinite(value) else math.inf

    def distances(self, program, cases):
        """What a program is off by, case by case, as lexicase selection sees it."""
        if program is None:
            return [math.inf] * cases.count
        if self.s["boolean"]:
            wrong = evaluate_bits(program, cases.inputs) ^ cases.targets
            return [float(wrong >> k & 1) for k in range(cases.count)]
        outputs, targets = evaluate(program, cases.inputs), cases.targets
        if self.metric in ("balanced-accuracy", "f1"):
            positive = [o > 0 if self.metric == "f1" else o >= self.thresholds[0] for o in outputs]
            return [float(p != (t > 0)) for p, t in zip(positive, targets)]
        if self.metric in ("mse", "rmse", "r2"):
            errors = [abs(single(o - t)) for o, t in zip(outputs, targets)]
        else:
            errors = self.errors(outputs, targets)
        if self.metric == "hits":
            errors = [1 - e for e in errors]
        return [e if math.isfinite(e) else math.inf for e in errors]

    def plain(self, outputs, cases):
        n, targets = cases.count, cases.targets
        if self.metric in ("balanced-accuracy", "f1"):
            return -self.shares(outputs, targets)
        if self.metric == "misclassified" and self.s["class-rule"] == "fitted":
            return float(n - self.most_right(outputs, targets))
        errors = self.errors(outputs, targets)
        if self.metric == "max-error":
            return math.nan if any(e != e for e in errors) else max(errors)
        total = canonical_sum(errors)
        if self.metric in ("sae", "misclassified"):
            return total
        return -total if self.metric == "hits" else self.mean(total, n, targets)

    def mean(self, total, n, targets):
        if self.metric == "rmse":
            return math.sqrt(total / n) if total == total and total < math.inf else total
        if self.metric == "r2":
            middle = added(targets) / n
            return total / added((t - middle) ** 2 for t in targets) - 1
        return total / n

    def shares(self, outputs, targets):
        positive = [t > 0 for t in targets]
        if self.metric == "f1":
            taken = [o > 0 for o in outputs]
            score = 0.0
            for kind in (True, False):
                n, right = positive.count(kind), sum(p == kind == t for p, t in zip(positive, taken))
                found = taken.count(kind)
                score += n / len(targets) * (2 * right / (n + found) if n + found else 0.0)
            return score
        taken = [o >= self.thresholds[0] for o in outputs]
        score = 0.0
        for kind in (True, False):
            n = positive.count(kind)
            if n:
                score += 0.5 * (sum(p == kind == t for p, t in zip(positive, taken)) / n)
        return score

    def most_right(self, outputs, targets):
        """Fitted classes: the most cases that rising borders between bins of outputs get right. A bin is an eighth of
        a power of two, from 2^-6 to 2^9.75."""
        def bin_of(o):
            step = max(0, (bits(abs(o)) >> 20) - ((127 - 6 << 3) - 1))
            return math.copysign(min(step, 127) + 0.5, o if o else 1.0)

        known = [(bin_of(o), t) for o, t in zip(outputs, targets) if o == o]
        classes = [self.low + k for k in range(int(self.high - self.low) + 1)]
        best = [0] * len(classes)  # cases right so far, the last bin being of class k at most
        for b in sorted({b for b, _ in known}):
            new = [best[k] + sum(x == b and t == c for x, t in known) for k, c in enumerate(classes)]
            best = [max(new[:k + 1]) if k == 0 else new[k] for k in range(len(classes))]
            for k in range(1, len(classes)):
                best[k] = max(best[k], best[k - 1])
        return best[-1]

    def scaled(self, program, outputs, which, cases):
        """Error of the line that fits the training cases best, in whole fractions."""
        train = self.sets[0]
        known = outputs if which == 0 else evaluate(program, train.inputs)
        if not all(map(math.isfinite, outputs + known)):
            return math.inf
        intercept, slope = self.line(known)
        rest = sum((Fraction(t) - intercept - slope * Fraction(o)) ** 2 for o, t in zip(outputs, cases.targets))
        return self.mean(float(rest), cases.count, cases.targets)

    def line(self, known):
        """Intercept and slope, from the outputs on the training cases."""
        x, y = [Fraction(o) for o in known], [Fraction(t) for t in self.sets[0].targets]
        mx, my = sum(x) / len(x), sum(y) / len(y)
        spread = sum((a - mx) ** 2 for a in x)
        slope = Fraction(0)
        if spread > Fraction(1, 2 ** 36) * sum(a * a for a in x):
            slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / spread
        return my - slope * mx, slope


# ---- samples ----

def permuted(seed, which, n, x, purpose="sample", individual=0):
    """A Feistel network of four rounds over the next power of four, walked until it lands below n."""
    half = 1
    while 4 ** half < n:
        half += 1
    mask = 2 ** half - 1
    while True:
        left, right = x >> half, x & mask
        for turn in range(4):
            word = Stream(seed, purpose, which, individual + turn).block(right)[0]
            left, right = right, left ^ word & mask
        x = left << half | right
        if x < n:
            return x


def sample(s, generation, cases):
    every, n, seed = s["sample-every"] * s["steps"], s["sample-cases"], s["data-seed"]
    if s["case-sampling"] == "rotating":
        first = generation // every * n
        return cases.take([permuted(seed, 0, cases.count, (first + k) % cases.count) for k in range(n)])
    number = 0 if s["case-sampling"] == "fixed" else generation // every
    return cases.take([permuted(seed, number, cases.count, k) for k in range(n)])


def is_new(s, generation):
    every = s["sample-every"] * s["steps"]
    return generation == 0 if s["case-sampling"] == "fixed" else generation % every == 0
