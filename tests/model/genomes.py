"""Genomes of codons: first ones, crossover, mutation. Settings are read from `s` (settings.py)."""
from arithmetic import Stream, scale, single, unit
from grammars import NOT_DRAWN, Expansion, Invalid, Lists, children, derive, derive_pairs


class Genomes:
    """What a run of genotype grammar or structured does with genotypes."""

    def __init__(self, s, grammar):
        self.s, self.g = s, grammar
        self.lazy = s["codon-consumption"] == "lazy"
        self.pairs, self.structured = s["mapping"] == "pi", s["genotype"] == "structured"
        self.capacity, self.length = s["max-genome-length"], s["genome-length"]
        self.within_used = s["crossover-within-used"]
        self.most = self.capacity if self.lazy or s["max-wraps"] else (self.capacity + 1) // 2
        if self.structured:
            self.lists = Lists(grammar, s["max-depth"], self.capacity)
            self.capacity = self.length = self.lists.first[-1]
            self.within_used, self.most = False, self.lists.expansions
        self.least_depth = max(s["init-min-depth"], grammar.least[0] + 1)
        self.most_depth = max(s["init-max-depth"], self.least_depth)

    def derive(self, genome):
        if self.structured:
            return self.lists.derive(genome, self.s["max-wraps"])[:2]
        if self.pairs:
            return derive_pairs(self.g, genome, self.s["max-wraps"], self.s["max-depth"], self.lazy, self.most)
        return derive(self.g, genome, self.s["max-wraps"], self.s["max-depth"], self.lazy)

    def codon_of(self, choice, count, r):
        """Any codon that chooses so, each as likely."""
        above = max(0, self.s["codon-size"] - choice)
        return choice + count * r.below(above // count + 1)

    # ---- growing a derivation ----

    def choose(self, rule, level, depth, full, r):
        """Among the productions that end within the depth, if full among the recursive ones of them; None: none."""
        choices = self.g.rules[rule]
        fitting = [k for k, p in enumerate(choices) if level + 1 + self.g.depth(p) <= depth]
        recursive = [k for k in fitting if self.g.recursive(choices[k])]
        among = recursive if full and recursive else fitting
        return among[r.below(len(among))] if among else None

    def grow(self, r, top, depth, full, capacity, lazy):
        """Codons of a random derivation from a rule, depth first; [] where it does not fit."""
        codons, waiting = [], [(top, 0)]
        while waiting:
            rule, level = waiting.pop()
            choices = self.g.rules[rule]
            choice = self.choose(rule, level, depth, full, r)
            if choice is None or len(codons) == capacity:
                return []
            codon = self.codon_of(choice, len(choices), r)
            if not lazy or len(choices) > 1:
                codons.append(codon)
            waiting += [(c, level + 1) for c in reversed(children(choices[choice]))]
        return codons

    def grow_anywhere(self, r, depth, size, capacity, lazy):
        """The same, expanding any waiting non-terminal; size 0: position-independent grow, else PTC2 up to so many."""
        g, items, reached = self.g, [(0, 0)], False  # a codon, or (rule, level) of what waits
        recursive = [any(map(g.recursive, choices)) for choices in g.rules]
        deepest = 0 if size else max(g.least)
        while True:
            waiting = [k for k, item in enumerate(items) if isinstance(item, tuple)]
            if not waiting:
                return items
            at = waiting[r.below(len(waiting))]
            rule, level = items[at]
            choices = g.rules[rule]
            others = sum(recursive[items[k][0]] for k in waiting) - recursive[rule]
            forced = len(items) < size if size else not reached or others == 0
            if size and not forced:
                least = min(map(g.depth, choices))
                among = [k for k, p in enumerate(choices) if g.depth(p) == least]
                choice = among[r.below(len(among))]
            elif forced and not size and depth <= level + 2 + deepest:
                left = depth - level - 1
                among = [k for k, p in enumerate(choices) if g.depth(p) == left] or \
                    [k for k, p in enumerate(choices) if g.depth(p) < left]
                choice = among[r.below(len(among))] if among else None
            else:
                choice = self.choose(rule, level, depth, forced, r)
            if choice is None or len(items) + len(children(choices[choice])) > capacity:
                return []
            takes = not lazy or len(choices) > 1
            codon = [self.codon_of(choice, len(choices), r)] if takes else []
            items[at:at + 1] = codon + [(c, level + 1) for c in children(choices[choice])]
            reached |= level + 2 >= depth

    def drawn(self, seed, index, attempt, capacity, lazy):
        """Codons of a first derivation, depth first; [] of a uniform genome."""
        r, kind = Stream(seed, "init", attempt, index), self.s["initialisation"]
        ramp, codons, size = self.most_depth - self.least_depth + 1, [], 0
        if kind == "uniform":
            return []
        depth, full = self.most_depth, kind == "full"
        if kind in ("ramped", "pi-grow"):
            depth, full = self.least_depth + index % ramp, index // ramp % 2
        if kind == "ptc2":
            depth, size = self.s["max-depth"], 1 + r.below(self.length)
        while not codons and depth > 1:
            codons = self.grow_anywhere(r, depth, size, capacity, lazy) if kind in ("ptc2", "pi-grow") else \
                self.grow(r, 0, depth, full, capacity, lazy)
            depth, size = depth - 1, size - size // 2
        return codons

    def first(self, seed, index, attempt):
        if self.structured:
            return self.first_lists(seed, index, attempt)
        if self.pairs:
            codons = self.drawn(seed, index, attempt, min(self.most, self.capacity // 2), False)
            genome = self.encode_pairs(codons, Stream(seed, "init-genes", attempt, index)) if codons else []
        else:
            genome = self.drawn(seed, index, attempt, self.capacity, self.lazy)
        length = min(len(genome) + len(genome) // 2, self.capacity) if genome else self.length
        r = Stream(seed, "init-tail", attempt, index)
        return genome + [scale(r.block(1 + c // 4)[c % 4], self.s["codon-size"] + 1)
                         for c in range(len(genome), length)]

    def tree_of(self, codons):
        """The derivation tree of depth-first codons, each with its codon."""
        root, _ = derive(self.g, codons, 0, 10 ** 6)
        return root

    def encode_pairs(self, codons, r):
        """Pairs that derive the same, expanded in a random order."""
        waiting, genome = [self.tree_of(codons)], []
        while waiting:
            which = r.below(min(len(waiting), self.s["codon-size"] + 1))
            if not self.lazy or len(waiting) > 1:
                genome.append(self.codon_of(which, len(waiting), r))
            e = waiting[which]
            if not self.lazy or len(self.g.rules[e.rule]) > 1:
                genome.append(codons[e.codon])
            waiting[which:which + 1] = e.below
        return genome

    def first_lists(self, seed, index, attempt):
        lists, taken = self.lists, [0] * len(self.g.rules)
        codons = self.drawn(seed, index, attempt, lists.expansions, False)
        genome = [None] * self.capacity
        for e in self.tree_of(codons).all() if codons else []:
            if taken[e.rule] < lists.length[e.rule]:
                genome[lists.first[e.rule] + taken[e.rule]] = codons[e.codon] % len(self.g.rules[e.rule])
            taken[e.rule] += 1
        r = Stream(seed, "init-genes", attempt, index)
        for rule, choices in enumerate(self.g.rules):
            for gene in range(lists.first[rule] + taken[rule], lists.first[rule + 1]):
                genome[gene] = NOT_DRAWN if codons else scale(r.block(1 + gene // 4)[gene % 4], len(choices))
        return genome

    # ---- crossover: x[0]:x[1] of a and y[0]:y[1] of b change places ----

    def cut_range(self, parent):
        if self.within_used and parent.valid:
            return max(1, min(parent.used, len(parent.genotype)))
        return max(1, len(parent.genotype))

    def cuts(self, r, a, b, one_child):
        """(x, y, whether all limits are kept), or None where the parents have nothing to exchange."""
        kind = self.s["crossover"]
        if kind == "subtree":
            return self.branch_cuts(r, a, b, one_child)
        ranges, fixed = [self.cut_range(a), self.cut_range(b)], kind.startswith("fixed")
        lengths = [len(a.genotype), len(b.genotype)]
        if kind in ("uniform", "lists"):
            common = min(ranges + lengths)
            return (0, common), (0, common), True
        if fixed:
            ranges = [min(ranges)] * 2

        def draw():
            x = 1 + r.below(ranges[0])
            return x, x if fixed else 1 + r.below(ranges[1])

        ends = draw(), draw() if kind.endswith("twopoint") else lengths
        if kind.endswith("onepoint"):
            x, y = zip(*ends)
        else:
            x, y = map(sorted, zip(*ends))
        return tuple(x), tuple(y), True

    def branches(self, genome):
        """First and last codon, rule, level and height of every subtree of the derivation."""
        root, _ = derive(self.g, genome, 0, self.s["max-depth"])
        return [(e.codon, e.codon + sum(1 for _ in e.all()), e.rule, e.level, e.depth() - e.level)
                for e in root.all()]

    def branch_cuts(self, r, a, b, one_child):
        if not (a.valid and b.valid):
            return None
        in_a, in_b = self.branches(a.genotype), self.branches(b.genotype)
        shared = sorted({e[2] for e in in_a} & {e[2] for e in in_b})
        if not shared:
            return None
        rule = shared[r.below(len(shared))]
        of_a, of_b = [e for e in in_a if e[2] == rule], [e for e in in_b if e[2] == rule]
        one, two = of_a[r.below(len(of_a))], of_b[r.below(len(of_b))]
        fits = one[3] + two[4] <= self.s["max-depth"]
        fits = fits and (one_child or two[3] + one[4] <= self.s["max-depth"])
        return one[:2], two[:2], fits

    def splice(self, a, x, b, y):
        return a[:x[0]] + b[y[0]:y[1]] + a[x[1]:]

    def mix(self, child, own, pair, taken):
        """Uniform crossover and that of lists: half of what was exchanged goes back; `pair`: the children's stream,
        taken: how many codons were exchanged."""
        if self.s["crossover"] == "uniform":
            for c in range(taken):
                if not pair.block(c // 128)[c % 128 // 32] >> c % 32 & 1:
                    child[c] = own[c]
        else:
            for rule in range(len(self.g.rules)):
                if not pair.block(rule // 128)[rule // 32 % 4] >> rule % 32 & 1:
                    span = slice(self.lists.first[rule], self.lists.first[rule + 1])
                    child[span] = own[span]

    # ---- mutation ----

    def mutate(self, genome, seed, generation, index, attempt):
        """The genome, draws again, and parts kept."""
        s, again, kept = self.s, 0, 0
        if self.structured:
            draws = Stream(seed, "mutation-genes", generation, index, attempt)
            return self.mutate_lists(genome, Stream(seed, "mutation", generation, index, attempt), draws), 0, 0
        if s["codon-duplication"] or s["codon-deletion"]:
            genome = self.duplicate_delete(genome, Stream(seed, "mutation-duplication", generation, index, attempt))
        if s["subtree-mutation"]:
            r = Stream(seed, "mutation-branch", generation, index, attempt)
            if r.chance(s["subtree-mutation"]):
                genome, again, kept = self.mutate_branch(genome, r)
        open_codons = len(genome)
        if s["mutation-within-used"]:
            try:
                open_codons = min(self.derive(genome)[1], len(genome))
            except Invalid:
                pass
        r, genome = Stream(seed, "mutation", generation, index, attempt), list(genome)
        if s["mutation-events"]:
            for e in range(s["mutation-events"]):
                genome[scale(r.block(e)[0], open_codons)] = scale(r.block(e)[1], s["codon-size"] + 1)
            return genome, again, kept
        probability = single(1 / open_codons if s["codon-mutation"] == "auto" else s["codon-mutation"])
        for c in range(open_codons):
            chance, codon = r.block(c // 2)[2 * (c % 2):2 * (c % 2) + 2]
            if unit(chance) < probability:
                genome[c] = scale(codon, s["codon-size"] + 1)
        return genome, again, kept

    def duplicate_delete(self, genome, r):
        chance, run, length = r.block(0), r.block(1), len(genome)
        if unit(chance[0]) < single(self.s["codon-duplication"]):
            at = scale(run[0], length)
            n = 1 + scale(run[1], length - at)
            if length + n <= self.capacity:
                genome = genome + genome[at:at + n]
        length = len(genome)
        if unit(chance[1]) < single(self.s["codon-deletion"]):
            at = scale(run[2], length)
            n = 1 + scale(run[3], length - at)
            if n < length:
                genome = genome[:at] + genome[at + n:]
        return genome

    def mutate_branch(self, genome, r):
        try:
            branches = self.branches(genome)
        except Invalid:
            return genome, 0, 1
        for t in range(self.s["tries"]):
            first, last, rule, level, _ = branches[r.below(len(branches))]
            depth = min(max(self.s["subtree-mutation-depth"], self.g.least[rule] + 1), self.s["max-depth"] - level)
            room = self.capacity - len(genome) + last - first
            grown = self.grow(r, rule, depth, False, room, False)
            if grown:
                return genome[:first] + grown + genome[last:], t, 0
        return genome, self.s["tries"] - 1, 1

    def complete(self, genome, seed, generation, index, attempt):
        """With the genes that its derivation is the first to need."""
        if self.structured:
            genome = list(genome)
            try:
                self.lists.derive(genome, self.s["max-wraps"], Stream(seed, "mutation-genes", generation, index, attempt))
            except Invalid:
                pass
        return genome

    def mutate_lists(self, genome, r, draws):
        s, lists, genome = self.s, self.lists, list(genome)
        counts = list(lists.length)
        if s["mutation-within-used"]:
            try:
                counts = [min(n, used) for n, used in zip(lists.length, lists.derive(genome, s["max-wraps"], draws)[2])]
            except Invalid:
                pass
        genes = [(gene, len(self.g.rules[rule])) for rule, n in enumerate(counts)
                 for gene in range(lists.first[rule], lists.first[rule] + n)]

        def change(gene, alternatives, word):
            if alternatives > 1 and genome[gene] != NOT_DRAWN:
                genome[gene] = (genome[gene] + 1 + scale(word, alternatives - 1)) % alternatives

        if s["mutation-events"]:
            for e in range(s["mutation-events"]):
                change(*genes[scale(r.block(e)[0], len(genes))], r.block(e)[1])
            return genome
        probability = single(1 / len(genes) if s["codon-mutation"] == "auto" else s["codon-mutation"])
        for gene, alternatives in genes:
            chance, word = r.block(gene // 2)[2 * (gene % 2):2 * (gene % 2) + 2]
            if unit(chance) < probability:
                change(gene, alternatives, word)
        return genome
