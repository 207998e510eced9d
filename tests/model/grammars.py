"""BNF, and derivations of it from codons."""
import re

from arithmetic import scale


class Invalid(Exception):
    """args[0]: the column of the statistics that counts it."""


class Grammar:
    """Rules in the order of the file; a production is a list of symbols, ('rule', number) or ('text', ...)."""

    def __init__(self, text):
        lines = [re.match(r"<(\w+)>\s*::=\s*(.*)", line).groups() for line in text.splitlines() if line.strip()]
        names = [name for name, _ in lines]
        self.rules = [[[("rule", names.index(part[1:-1])) if part[0] == "<" and part[1:-1] in names else
                        ("text", part.replace("'", ""))
                        for part in re.findall(r"<\w+>|'[^']*'|[^<']+", choice.strip())]
                       for choice in re.split(r"\|", body)] for _, body in lines]
        self.least = [None] * len(names)  # levels below a rule at least, its children being the first
        for _ in names:
            for r, choices in enumerate(self.rules):
                depths = [d for d in map(self.depth, choices) if d is not None]
                self.least[r] = min(depths, default=None)
        below = [{s[1] for p in choices for s in p if s[0] == "rule"} for choices in self.rules]
        for _ in names:
            below = [b.union(*(below[r] for r in b)) for b in below]
        cyclic = {r for r, b in enumerate(below) if r in b}
        self.endless = [r in cyclic or bool(b & cyclic) for r, b in enumerate(below)]

    def depth(self, production):
        """Levels of a production's shortest derivation; None: not known yet."""
        below = [0 if kind == "text" else self.least[s] for kind, s in production]
        return None if None in below else 1 + max(below)

    def recursive(self, production):
        return any(kind == "rule" and self.endless[s] for kind, s in production)


def children(production):
    return [s for kind, s in production if kind == "rule"]


class Expansion:
    """A node of a derivation tree: rule, level (0 the root's), the first codon it took, and what is below."""

    def __init__(self, rule, level):
        self.rule, self.level, self.codon, self.below, self.production = rule, level, None, [], None

    def text(self):
        rest = iter(self.below)
        return "".join(s if kind == "text" else next(rest).text() for kind, s in self.production)

    def all(self):
        """In depth-first order."""
        yield self
        for child in self.below:
            yield from child.all()

    def depth(self):
        """Of the tree's deepest symbol, the root having 1."""
        return max(e.level for e in self.all()) + 2

    def nodes(self):
        return 1 + sum(max(1, len(e.below)) for e in self.all())


class Codons:
    """A genome that is read `wraps` times more when it is used up."""

    def __init__(self, genome, wraps):
        self.genome, self.supply, self.used = genome, len(genome) * (wraps + 1), 0

    def take(self):
        if self.used == self.supply:
            raise Invalid("out_of_codons")
        self.used += 1
        return self.genome[(self.used - 1) % len(self.genome)]


def derive(grammar, genome, wraps, most_depth, lazy=False):
    """Depth first; the derivation tree and the codons used."""
    codons = Codons(genome, wraps)
    root = Expansion(0, 0)
    waiting = [root]
    while waiting:
        e = waiting.pop()
        choices = grammar.rules[e.rule]
        takes = not lazy or len(choices) > 1
        at = codons.used
        choice = codons.take() % len(choices) if takes else 0
        if e.level + 2 > most_depth:
            raise Invalid("too_deep")
        e.codon, e.production = at, choices[choice]
        e.below = [Expansion(r, e.level + 1) for r in children(e.production)]
        waiting += reversed(e.below)
    return root, codons.used


def derive_pairs(grammar, genome, wraps, most_depth, lazy, most):
    """Position independent: the first codon of a pair chooses which waiting non-terminal is expanded, counted from
    the left of the sentence."""
    codons = Codons(genome, wraps)
    root = Expansion(0, 0)
    waiting, count = [root], 1
    while waiting:
        which = codons.take() % len(waiting) if not lazy or len(waiting) > 1 else 0
        e = waiting[which]
        choices = grammar.rules[e.rule]
        choice = codons.take() % len(choices) if not lazy or len(choices) > 1 else 0
        if e.level + 2 > most_depth:
            raise Invalid("too_deep")
        e.production = choices[choice]
        e.below = [Expansion(r, e.level + 1) for r in children(e.production)]
        count += len(e.below)
        if count > most:
            raise Invalid("too_large")
        waiting[which:which + 1] = e.below
    return root, codons.used


NOT_DRAWN = 2 ** 32 - 1  # a gene behind the end of an individual's list


class Lists:
    """Structured genotypes: a list of genes for every rule that has a choice, one list behind the other."""

    def __init__(self, grammar, most_depth, capacity):
        self.grammar, self.most_depth = grammar, most_depth
        longest = [self.most(0, most_depth - 1, rule, capacity + 1, {}) if len(choices) > 1 else 0
                   for rule, choices in enumerate(grammar.rules)]
        longest = [n or int(len(grammar.rules[r]) > 1) for r, n in enumerate(longest)]
        cut = max(n for n in range(capacity + 2) if sum(min(m, n) for m in longest) <= capacity)
        self.length = [min(n, cut) for n in longest]
        self.first = [sum(self.length[:r]) for r in range(len(self.length) + 1)]
        self.expansions = self.most(0, most_depth - 1, None, 4 * capacity, {})

    def most(self, rule, room, wanted, enough, known):
        """Expansions of `wanted` (None: of any rule) that a rule with so many levels below it leads to at most."""
        if room < 1:
            return 0
        if (rule, room) not in known:
            fitting = [min(enough, sum(self.most(r, room - 1, wanted, enough, known) for r in children(p)))
                       for p in self.grammar.rules[rule] if self.grammar.depth(p) <= room]
            known[rule, room] = min(enough, max(fitting) + (wanted in (None, rule))) if fitting else 0
        return known[rule, room]

    def choose(self, rule, gene, level):
        """The production's number; genes whose production would not end in time choose among those that do."""
        choices, left = self.grammar.rules[rule], self.most_depth - level - 1
        fitting = [k for k, p in enumerate(choices) if self.grammar.depth(p) <= left]
        if not fitting:
            raise Invalid("too_deep")
        return gene % len(choices) if gene % len(choices) in fitting else fitting[gene % len(fitting)]

    def derive(self, genome, wraps, draws=None):
        """The tree, genes used, and how many expansions each rule had; genes that were not drawn yet are, into the
        genome."""
        taken, used, done = [0] * len(self.length), 0, 0
        root = Expansion(0, 0)
        waiting = [root]
        while waiting:
            e = waiting.pop()
            n, choices = self.length[e.rule], self.grammar.rules[e.rule]
            if done == self.expansions:
                raise Invalid("too_large")
            k = taken[e.rule]
            taken[e.rule] += 1
            if n and k // n <= wraps:
                at = self.first[e.rule] + k % n
                if genome[at] == NOT_DRAWN and draws:
                    genome[at] = scale(draws.block(at // 4)[at % 4], len(choices))
                choice = self.choose(e.rule, genome[at], e.level)
                used += 1
            elif n:
                depths = [self.grammar.depth(p) for p in choices]
                choice = depths.index(min(depths))
            else:
                choice = self.choose(e.rule, 0, e.level)
            if e.level + 2 > self.most_depth:
                raise Invalid("too_deep")
            e.production, e.choice = choices[choice], choice
            e.below = [Expansion(r, e.level + 1) for r in children(e.production)]
            waiting += reversed(e.below)
            done += 1
        return root, used, taken
