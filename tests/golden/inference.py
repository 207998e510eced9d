#!/usr/bin/env python3
"""Makes tests/golden/inference.h: what scipy and statsmodels say of the samples below. Not run by the tests, which hold
host/inference to the file.

    pip install numpy scipy statsmodels && tests/golden/inference.py > tests/golden/inference.h"""
import itertools
import math

import numpy as np
import scipy
import scipy.stats as st
import statsmodels
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

rng = np.random.default_rng(20261122)


def number(x):
    x = float(x)
    return "INFINITY" if x == math.inf else "NAN" if math.isnan(x) else repr(x)


def array(values):
    return "{" + ", ".join(number(v) for v in values) + "}"


def wilson():
    print("static const struct { uint64_t successes, n; double low, high; } wilson[] = {")
    for s, n in [(0, 1), (1, 1), (0, 30), (1, 30), (15, 30), (30, 30), (83, 100), (277, 333), (999, 1000), (1, 1000000)]:
        low, high = proportion_confint(s, n, alpha=0.05, method="wilson")
        print(f"    {{{s}, {n}, {number(low)}, {number(high)}}},")
    print("};")


def mann_whitney():
    samples = [
        ([1.0], [2.0]),
        ([3.0, 1.0, 2.0], [4.0, 5.5, 6.0, 7.0]),
        (list(rng.normal(0, 1, 8)), list(rng.normal(0.8, 1, 8))),
        (list(rng.normal(0, 1, 5)), list(rng.normal(0.1, 1, 40))),
        ([1.0, 1.0, 2.0, 3.0], [1.0, 2.0, 2.0, 9.0, 9.0]),
        (list(np.round(rng.exponential(1, 30), 1)), list(np.round(rng.exponential(1.7, 25), 1))),
        ([0.0] * 20 + list(rng.exponential(1, 10)), [0.0] * 11 + list(rng.exponential(1, 22))),
        (list(rng.normal(0, 1, 60)), list(rng.normal(0.2, 1, 60))),
        ([math.inf, 2.0, math.inf, 5.0, 1.0, 7.0, 8.0, 9.0, 1.5, 6.0], [math.inf] * 6 + [8.5, 9.5, 10.5, 11.5]),
    ]
    print("static const struct { uint32_t n_a, n_b; double a[60], b[60], u, lower, p; } mann_whitney[] = {")
    for a, b in samples:
        r = st.mannwhitneyu(a, b, alternative="two-sided", method="auto")
        lower = np.mean([1.0 * (x < y) + 0.5 * (x == y) for x in a for y in b])  # Vargha and Delaney's definition
        print(f"    {{{len(a)}, {len(b)}, {array(a)},\n     {array(b)},\n     {number(r.statistic)}, {number(lower)},"
              f" {number(r.pvalue)}}},")
    print("};")


def fisher():
    print("static const struct { uint64_t solved_a, n_a, solved_b, n_b; double odds, p; } fisher[] = {")
    for a, n, b, m in [(1, 1, 0, 1), (8, 10, 1, 6), (15, 100, 30, 400), (83, 100, 71, 100), (0, 30, 9, 30),
                       (30, 30, 30, 30), (500, 1000, 560, 1000), (3, 30, 3, 30)]:
        odds, p = st.fisher_exact([[a, n - a], [b, m - b]])
        print(f"    {{{a}, {n}, {b}, {m}, {number(odds)}, {number(p)}}},")
    print("};")


def friedman():
    tables = [rng.normal(size=(6, 3)), np.round(rng.normal(size=(10, 4)), 0), rng.normal(size=(30, 5)) + np.arange(5) / 4,
              np.array([[1.0, 2, 3]] * 4), np.array([[1.0, 1, 2, 3]] * 3)]
    print("static const struct { uint32_t n, k; double value[150], rank[5], chi2, p, f, p_f; } friedman[] = {")
    for t in tables:
        n, k = t.shape
        r = st.friedmanchisquare(*t.T)
        ranks = np.mean([st.rankdata(row) for row in t], axis=0)
        rest = n * (k - 1) - r.statistic
        f = (n - 1) * r.statistic / rest if rest > 1e-9 else math.inf
        # all blocks agree: Conover's, the chance that they do among the orders of the first one's ranks
        orders = len(set(itertools.permutations(ranks)))
        p_f = st.f.sf(f, k - 1, (k - 1) * (n - 1)) if rest > 1e-9 else orders ** (1.0 - n)
        print(f"    {{{n}, {k}, {array(t.ravel())},\n     {array(ranks)}, {number(r.statistic)}, {number(r.pvalue)},"
              f" {number(f)}, {number(p_f)}}},")
    print("};")


def possible(k):
    """Numbers of pairs of k treatments that can be equal at once: over all ways to part them into groups."""
    found = set()

    def part(left, sizes):
        if not left:
            found.add(sum(s * (s - 1) // 2 for s in sizes))
            return
        for size in range(1, min(left, sizes[-1] if sizes else left) + 1):
            part(left - size, sizes + [size])

    part(k, [])
    return sorted(found)


def shaffer(p, k):
    """Shaffer 1986 as in Garcia and Herrera 2008: by the definition."""
    order, result, m, least = np.argsort(p, kind="stable"), [0.0] * len(p), len(p), 0.0
    for i, at in enumerate(order):
        t = max(s for s in possible(k) if s <= m - i) or 1
        least = min(1.0, max(least, t * p[at]))
        result[at] = least
    return result


def corrections():
    print("static const struct { uint32_t k, count; double p[45], holm[45], shaffer[45]; } corrections[] = {")
    # ten pairs, from a sure difference to none
    spread = [4.487e-8, 1.736e-7, 3.985e-6, 7.799e-5, 2.198e-2, 6.229e-2, 6.737e-2, 0.2207, 0.4219, 0.5485]
    for k, p in [(2, [0.03]), (3, [0.01, 0.04, 0.02]), (5, spread), (5, list(rng.uniform(0, 0.05, 10))),
                 (10, list(rng.uniform(0, 0.02, 45)))]:
        holm = multipletests(p, method="holm")[1]
        print(f"    {{{k}, {len(p)}, {array(p)},\n     {array(holm)},\n     {array(shaffer(p, k))}}},")
    print("};")


def bootstrap():
    """Few values: all samples, one by one. Many: scipy's, drawn, with room for chance."""
    print("static const struct { uint32_t n; double value[101], low, high, room; } bootstraps[] = {")
    for n in (1, 2, 3, 4, 5, 6, 7):
        x = np.sort(rng.normal(size=n))
        medians = np.sort([np.median(s) for s in itertools.product(x, repeat=n)])
        share = np.arange(1, len(medians) + 1) / len(medians)
        low, high = (medians[np.argmax(share >= q - 1e-12)] for q in (0.025, 0.975))
        print(f"    {{{n}, {array(x)}, {number(low)}, {number(high)}, 1e-12}},")
    for n in (30, 101, 100):
        x = np.sort(rng.normal(size=n))
        r = st.bootstrap((x,), np.median, n_resamples=200000, method="percentile", batch=5000, random_state=1)
        low, high = r.confidence_interval
        print(f"    {{{n}, {array(x)}, {number(low)}, {number(high)}, 0.02}},")
    print("};")


def koza():
    print("static const struct { uint64_t successes, n, runs; } koza[] = {")
    for s, n in [(0, 10), (1, 100), (35, 50), (73, 100), (99, 100), (100, 100), (1, 2)]:
        p = s / n  # Koza 1992, chapter 8
        runs = 0 if not s else 1 if s == n else math.ceil(math.log(1 - 0.99) / math.log(1 - p))
        print(f"    {{{s}, {n}, {runs}}},")
    print("};")


print(f"/* Made by tests/golden/inference.py with scipy {scipy.__version__}, statsmodels {statsmodels.__version__}. */")
print("/* clang-format off */")
for part in (wilson, mann_whitney, fisher, friedman, corrections, bootstrap, koza):
    part()
