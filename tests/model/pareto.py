"""Several objectives: who survives of children and parents, by comparing everybody with everybody."""
import math

import programs
from arithmetic import single

DIVIDE = ("/", "inv", "sqrt", "pdiv", "aq", "psqrt")


def complexity(program):
    if program[0] not in programs.ARITY:
        return 1
    return (2 if program[0] in DIVIDE else 1) + sum(complexity(below) for below in program[1:])


def vector(one, words, other):
    """What is made small; `other`: the cost by another metric."""
    if one.cost == math.inf:
        return (math.inf,) * len(words)
    sizes = {"nodes": one.nodes, "depth": one.depth, "derivation-nodes": one.derivation_nodes, "error": one.cost}
    values = [complexity(one.program) if w == "complexity" else sizes[w] if w in sizes else other(one) for w in words]
    return (math.inf,) * len(words) if math.inf in values else tuple(float(v) for v in values)


def dominates(a, b):
    return a != b and all(x <= y for x, y in zip(a, b))


def ranks(vectors):
    """Front after front is taken off; of equals the first one alone, the others are the last front."""
    left = [i for i, v in enumerate(vectors) if v not in vectors[:i]]
    rank, front = {}, 0
    while left:
        best = [i for i in left if not any(dominates(vectors[j], vectors[i]) for j in left)]
        rank.update(dict.fromkeys(best, front))
        left = [i for i in left if i not in rank]
        front += 1
    return [rank.get(i, front) for i in range(len(vectors))], set(rank)


def crowding(vectors, rank, first):
    found = [0.0] * len(vectors)
    for front in set(rank):
        for k in range(len(vectors[0])):
            line = sorted((i for i in first if rank[i] == front), key=lambda i: (vectors[i][k], vectors[i]))
            if len(line) == 1:
                found[line[0]] = math.inf
            if len(line) < 2 or vectors[line[0]][k] == vectors[line[-1]][k]:
                continue
            low, high = vectors[line[0]][k], vectors[line[-1]][k]
            found[line[0]] = found[line[-1]] = math.inf
            for before, i, behind in zip(line, line[1:], line[2:]):
                found[i] = single(found[i] + single((vectors[behind][k] - vectors[before][k]) / (high - low)))
    return found


def order(vectors):
    """Members from the best to the worst, and their ranks."""
    rank, first = ranks(vectors)
    crowd = crowding(vectors, rank, first)
    return sorted(range(len(vectors)), key=lambda i: (rank[i], -crowd[i], i)), rank
