"""Islands: generations, selection of parents, statistics."""
import copy
import math

import fitness
import grammars
import niches
import pareto
import programs
import trees
from arithmetic import MASK, Seed, Stream, added, bits, divide, single, unit

KINDS = ("valid", "out_of_codons", "too_deep", "too_large", "no_expression")


class Individual:
    def __init__(self, genotype, again=0, kept=0):
        self.genotype, self.again, self.kept = genotype, again, kept
        self.validity, self.program, self.elite = "valid", None, False
        self.used = self.depth = self.nodes = self.derivation_nodes = 0
        self.cost = self.weight = math.inf
        self.text = ""

    @property
    def valid(self):
        return self.validity == "valid"


class Plan:
    """A child: parent a with y of b in place of its x; x None: a copy."""

    def __init__(self, a, b=None, x=None, y=None, again=0, kept=0, elite=False):
        self.a, self.b, self.x, self.y, self.again, self.kept, self.elite = a, b, x, y, again, kept, elite


class Island:
    """One population."""

    def __init__(self, s, seed, representation, fit):
        self.s, self.seed, self.kind, self.fit = s, seed, representation, fit
        self.n, self.tree = s["population"], s["genotype"] == "tree"
        self.best = self.best_test = None
        self.stretch, self.since, self.fresh = math.inf, 0, None
        self.looked, self.parents, self.archive = None, [], {}
        self.phenotypes, self.mutated = set(), 0
        words = [w for w in s["objectives"] if w in fitness.METRICS and w != s["metric"]]
        self.other = fitness.Fitness({**s, "metric": words[0]}, *fit.sets) if words else None

    # ---- individuals ----

    def express(self, genotype, again, kept):
        one = Individual(genotype, again, kept)
        if self.tree:
            one.program = trees.nested(genotype)
            one.used = one.nodes = one.derivation_nodes = len(genotype)
            one.depth = trees.height(genotype)
            return one
        try:
            root, one.used = self.kind.derive(genotype)
            one.text = root.text()
            one.program = programs.read(one.text)
            one.nodes = programs.size(one.program)
            if one.nodes > self.s["max-nodes"]:
                raise grammars.Invalid("too_large")
            one.depth, one.derivation_nodes = root.depth(), root.nodes()
        except grammars.Invalid as why:
            one.validity, one.program, one.nodes = why.args[0], None, 0
        return one

    def first(self):
        s = self.s
        attempts = [0] * self.n
        entries = 64
        while entries // 8 < self.n:
            entries *= 2
        claims = {}
        for turn in range(s["tries"] if s["unique"] or s["invalid"] == "redrawn" else 0):
            asked = {}
            for i in range(self.n):
                if attempts[i] == turn:
                    one = self.express(self.kind.first(self.seed, i, turn), 0, 0)
                    asked[i] = one.program and hashed(one.program) % entries
                    if s["unique"] and one.program:
                        claims[asked[i]] = min(claims.get(asked[i], (turn, i)), (turn, i))
            for i, entry in asked.items():
                if entry is None or (s["unique"] and claims[entry] != (turn, i)):
                    attempts[i] = turn + 1
        first = [self.kind.first(self.seed, i, attempts[i]) for i in range(self.n)]
        if not self.tree:
            first = [self.kind.complete(genotype, self.seed, 0, i, 0) for i, genotype in enumerate(first)]
        return [self.express(genotype, attempts[i], 0) for i, genotype in enumerate(first)]

    def redrawn(self):
        """What children are drawn again for."""
        kinds = KINDS[1:] if self.s["invalid"] == "redrawn" else ()
        if not self.tree and (self.s["crossover"] == "subtree" or self.s["subtree-mutation"] > 0):
            kinds += ("too_large",)
        return kinds

    def mutate_duplicates(self, generation, people):
        """Whose phenotype was there before, or has a lower one of this round, is mutated; elites, and who was invalid
        from the start, are not. Whom that leaves invalid in a way that children are drawn again for is as before."""
        tries, bred = self.s["tries"], list(people)
        attempt = (min(tries, 512) if self.redrawn() else 0) + 1
        waiting = [i for i, one in enumerate(people) if one.valid]
        for turn in range(min(tries, 1023 - attempt) + 1):
            new = {}
            for i in waiting:
                if people[i].valid and people[i].text not in self.phenotypes:
                    new.setdefault(people[i].text, i)
            self.phenotypes.update(new)
            settled = set(new.values())
            waiting = [i for i in waiting if i not in settled and not (generation and people[i].elite)]
            for i in waiting if turn < min(tries, 1023 - attempt) else ():
                before = people[i]
                genotype, again, kept = self.kind.mutate(before.genotype, self.seed, generation, i, attempt + turn)
                genotype = self.kind.complete(genotype, self.seed, generation, i, attempt + turn)
                people[i] = self.express(genotype, before.again + again + 1, before.kept + kept)
                self.mutated += 1
        for i in waiting:
            if people[i].validity in self.redrawn():
                people[i] = self.express(bred[i].genotype, people[i].again, people[i].kept)
        return people

    def child(self, index, plan, generation, before):
        one = self.draw_child(index, plan, generation, 0)
        one.elite = plan.elite
        s, redrawn = self.s, self.redrawn()
        attempt = 1
        while one.validity in redrawn and not plan.elite and attempt <= s["tries"]:
            left, last = attempt < s["tries"], one
            new = self.redraw(index, plan, generation, attempt) if left else Plan(plan.a, elite=True)
            one = self.draw_child(index, new, generation, attempt)
            one.again += last.again + left
            one.kept += last.kept + (not left)
            one.elite = plan.elite
            attempt += 1
        return one

    def draw_child(self, index, plan, generation, attempt):
        a = plan.a.genotype
        genotype, again, kept = a, plan.again, plan.kept
        if plan.x is not None:
            genotype = self.kind.splice(a, plan.x, plan.b.genotype, plan.y)
            if self.s["crossover"] in ("uniform", "lists"):
                pair = Stream(self.seed, "crossover-mix", generation, self.pair_of(generation, index), attempt)
                genotype = list(genotype)
                self.kind.mix(genotype, a, pair, plan.y[1])
        crossed = self.s["operators"] and plan.x is not None
        if not plan.elite and not crossed:
            genotype, more, lost = self.kind.mutate(genotype, self.seed, generation, index, attempt)
            again, kept = again + more, kept + lost
        if not self.tree:
            genotype = self.kind.complete(genotype, self.seed, generation, index, attempt)
        return self.express(genotype, again, kept)

    # ---- crossover ----

    def plans(self, generation, pair, a, b):
        """Of both children. Cuts that break a limit are drawn again; at last both are copies."""
        s, r = self.s, Stream(self.seed, "crossover", generation, pair)
        one, two = Plan(a), Plan(b)
        crosses = r.chance(s["crossover-probability"])
        turned = self.s["topology"] == "torus" and r.next() >> 31
        for t in range(s["tries"] if crosses and s["crossover"] != "none" else 0):
            cuts = self.kind.cuts(r, a, b, s["one-child"])
            one.again, one.kept, two.kept = t, 1, 1
            if cuts is None:
                break
            x, y, fits = cuts
            fits = fits and self.length(a, x, b, y) <= self.kind.capacity
            if fits and (s["one-child"] or self.length(b, y, a, x) <= self.kind.capacity):
                one, two = Plan(a, b, x, y), Plan(b, a, y, x)
                one, two = (two, one) if turned else (one, two)
                one.again = t
                break
        return one, two

    @staticmethod
    def length(a, x, b, y):
        return len(a.genotype) - (x[1] - x[0]) + y[1] - y[0]

    def redraw(self, index, plan, generation, attempt):
        r, new = Stream(self.seed, "crossover-again", generation, index, attempt), Plan(plan.a)
        for t in range(self.s["tries"] if plan.x is not None else 0):
            cuts = self.kind.cuts(r, plan.a, plan.b, self.s["one-child"])
            new.again, new.kept = t, 1
            if cuts is None:
                break
            x, y, fits = cuts
            if fits and self.length(plan.a, x, plan.b, y) <= self.kind.capacity:
                return Plan(plan.a, plan.b, x, y, again=t)
        return new

    def pair_of(self, generation, index):
        if self.s["topology"] == "torus":
            return self.torus_pair(generation, index)
        return (index - self.s["elites"]) // (1 if self.s["one-child"] else 2)

    # ---- selection ----

    def weigh(self, generation, people):
        """What selection goes by."""
        s, kind, strength = self.s, self.s["parsimony"], single(self.s["parsimony-strength"])
        finite = [one for one in people if one.cost < math.inf]
        mean = sum(one.nodes for one in finite) / len(finite) if finite else 0.0
        slope = 0.0
        if kind == "covariant" and finite:
            cost = added(one.cost for one in finite) / len(finite)
            spread = added((one.nodes - mean) ** 2 for one in finite)
            slope = added((one.nodes - mean) * (one.cost - cost) for one in finite) / spread if spread else 0.0
        for i, one in enumerate(people):
            one.weight = one.cost
            if kind == "coefficient":
                one.weight = single(one.cost + strength * one.nodes)
            elif kind == "covariant":
                one.weight = single(one.cost - slope * (one.nodes - mean))
            elif kind == "tarpeian" and one.nodes > mean:
                if Stream(self.seed, "parsimony", generation, i).chance(strength):
                    one.weight = math.inf
            if not math.isfinite(one.weight):
                one.weight = math.inf

    def parent(self, people, generation, purpose, pair):
        if self.archive:
            r = Stream(self.seed, purpose, generation, pair)
            if r.chance(self.s["niche-share"]):
                return self.archive[list(self.archive)[r.below(len(self.archive))]]
        return people[self.select(people, generation, purpose, pair)]

    def select(self, people, generation, purpose, pair):
        s, archive = self.s, self.s["archive"] != "none"
        if s["selection"].endswith("lexicase"):
            return self.lexicase(people, generation, purpose, pair)
        if s["selection"] == "tournament" and s["parsimony"] == "none" and s["invalid"] == "worst" and not archive:
            r = Stream(self.seed, "select", generation, pair)
            draws = [r.below(self.n) for _ in range(2 * s["tournament"])]
            draws = draws[:s["tournament"]] if purpose == "select" else draws[s["tournament"]:]
            return min(draws, key=lambda i: (people[i].cost, i))
        r = Stream(self.seed, purpose, generation, pair)
        if archive:
            r.next()
        excluded = s["invalid"] != "worst" and any(one.valid for one in people)
        for _ in range(64):
            index = getattr(self, s["selection"])(people, r, excluded)
            if not excluded or people[index].valid:
                return index
        return self.contestant(people, r, excluded)

    def contestant(self, people, r, excluded):
        index = r.below(self.n)
        for _ in range(63 if excluded else 0):
            if people[index].valid:
                break
            index = r.below(self.n)
        while excluded and not people[index].valid:
            index = (index + 1) % self.n
        return index

    def tournament(self, people, r, excluded):
        among = []
        for _ in range(self.s["tournament"]):
            index = self.contestant(people, r, excluded)
            if self.s["parsimony"] == "double-tournament":
                other = self.contestant(people, r, excluded)
                small, large = sorted((index, other), key=lambda i: people[i].nodes)  # of equals the first one drawn
                if r.chance(single(0.5 * single(self.s["parsimony-strength"]))):
                    index = small
                elif people[small].nodes != people[large].nodes:
                    index = large
            among.append(index)
        return min(among, key=lambda i: (people[i].weight, i))

    def adjusted(self, cost):
        distance = single(cost - single(self.fit.least(self.cases)))
        return single(divide(1.0, single(1 + max(0.0, distance))))

    def nsga2(self, people, r, excluded):
        return min((self.contestant(people, r, excluded) for _ in range(self.s["tournament"])), key=lambda i: people[i].standing)

    def roulette(self, people, r, excluded):
        leader = min(range(self.n), key=lambda i: (people[i].cost, i))
        most = self.adjusted(people[leader].cost)
        for _ in range(10000):
            index, u = r.below(self.n), unit(r.next())
            weight = people[index].weight
            if weight != math.inf and single(u * most) < self.adjusted(weight):
                return index
        return leader

    def ranked(self, people):
        return sorted(range(self.n), key=lambda i: (people[i].weight, i))

    def rank(self, people, r, excluded):
        most = single(self.s["rank-pressure"])
        fall = single(single(2 * most) - 2)
        while True:
            rank = r.below(self.n)
            share = single(rank / (self.n - 1)) if self.n > 1 else 0.0
            if single(unit(r.next()) * most) < single(most - single(fall * share)):
                return self.ranked(people)[rank]

    def truncation(self, people, r, excluded):
        kept = int(single(single(self.s["truncation"]) * self.n))
        return self.ranked(people)[r.below(min(max(kept, 1), self.n))]

    # ---- lexicase ----

    def look(self, people, generation):
        """Errors of everybody in all rows, before the generation is bred."""
        s, n = self.s, self.sample.count
        count = n if s["lexicase-cases"] == "auto" else min(n, s["lexicase-cases"])
        batch = min(count, s["lexicase-batch"])
        order = list(range(n))
        if count < n or batch > 1:
            order = [fitness.permuted(Seed(self.seed), generation - 1, n, k, "lexicase-cases") for k in range(count)]
        known = {}
        for one in people:
            if one.program not in known:
                known[one.program] = self.fit.distances(one.program, self.sample)
        self.errors = [[self.average([known[one.program][k] for k in order[first:first + batch]]) for one in people]
                       for first in range(0, count, batch)]
        excluded = s["invalid"] != "worst" and any(one.valid for one in people)
        everybody = [i for i in range(self.n) if people[i].valid or not excluded]
        self.bars = [(min(row[i] for i in everybody), self.deviation([row[i] for i in everybody])) for row in self.errors]
        self.first_pool = everybody
        self.looked = generation

    @staticmethod
    def average(errors):
        total = 0.0
        for e in errors:
            total = single(total + e)
        return single(total / len(errors)) if len(errors) > 1 else total

    def deviation(self, values):
        """The median absolute deviation."""
        if self.s["selection"] == "lexicase":
            return 0.0

        def median(v):
            v = sorted(v)
            return single(single(0.5 * v[(len(v) - 1) // 2]) + single(0.5 * v[len(v) // 2]))

        middle = median(values)
        spread = median([abs(single(v - middle)) for v in values]) if middle < math.inf else 0.0
        return spread if spread < math.inf else 0.0

    def lexicase(self, people, generation, purpose, pair):
        if self.looked != generation:
            self.look(people, generation)
        stream = {"select": "lexicase", "select-second": "lexicase-second"}[purpose]
        rows, kind = len(self.errors), self.s["epsilon"] if self.s["selection"] == "epsilon-lexicase" else "semi-dynamic"
        pool = self.first_pool
        for x in range(rows):
            row = fitness.permuted(self.seed, generation, rows, x, stream, 4 * pair)
            least, deviation = self.bars[row]
            errors = [self.errors[row][i] for i in pool]
            if kind != "static" and x:
                least = min(errors)
                deviation = self.deviation(errors) if kind == "dynamic" else deviation
            pool = [i for i, e in zip(pool, errors) if e <= single(least + deviation)] or pool
            if len(pool) == 1:
                break
        word = Stream(self.seed, stream, generation, 4 * pair).block(1 << 31)[0]
        return pool[word * len(pool) >> 32]

    # ---- torus ----

    def neighbour(self, cell, direction):
        width = self.s["deme-width"]
        rows = self.n // width
        x, y = cell % width, cell // width
        x, y = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)][direction]
        return y % rows * width + x % width

    def colour(self, cell):
        return (cell % self.s["deme-width"] + cell // self.s["deme-width"]) % 2

    def partner(self, cell, direction):
        """Of a white cell its neighbour in the direction, of a black one in the opposite; if the colours differ."""
        other = self.neighbour(cell, (direction + 2 * self.colour(cell)) % 4)
        return other if self.colour(other) != self.colour(cell) else cell

    def torus_pair(self, generation, cell):
        return self.partner(cell, generation % 4) if self.colour(cell) else cell

    def survivor(self, people, cell, direction):
        other = self.partner(cell, direction)
        return people[other if people[other].weight < people[cell].weight else cell]

    def torus_plan(self, generation, people, cell):
        before = generation - 1
        mate = self.partner(cell, generation % 4)
        white = cell if not self.colour(cell) else mate
        if mate == cell:
            return Plan(self.survivor(people, cell, before % 4))
        black = mate if white == cell else cell
        a, b = self.survivor(people, white, before % 4), self.survivor(people, black, before % 4)
        return self.plans(generation, white, a, b)[cell != white]

    # ---- generations ----

    def breed(self, generation, people):
        s = self.s
        if s["topology"] == "torus":
            plans = [self.torus_plan(generation, people, cell) for cell in range(self.n)]
        else:
            order = sorted(range(self.n), key=lambda i: (people[i].cost, i))
            plans, pair = [Plan(people[i], elite=True) for i in order[:s["elites"]]], 0
            while len(plans) < self.n:
                a = self.parent(people, generation, "select", pair)
                b = self.parent(people, generation, "select-second", pair)
                plans += self.plans(generation, pair, a, b)[:1 if s["one-child"] else 2]
                pair += 1
        return [self.child(i, plan, generation, people) for i, plan in enumerate(plans[:self.n])]

    def evaluate(self, generation, people):
        cases = fitness.sample(self.s, generation, self.fit.sets[0]) if self.s["case-sampling"] != "none" else None
        self.sample = cases or self.fit.sets[0]
        known = {}
        for one in people:
            if one.program not in known:
                known[one.program] = self.fit.cost(one.program, 0, cases)
            one.cost = known[one.program]
        self.cases = (cases or self.fit.sets[0]).count

    def keep_best(self, generation, people, anew):
        leader = min(range(self.n), key=lambda i: (people[i].cost, i))
        cost = judged = people[leader].cost
        if self.fit.sets[2] and cost < math.inf:
            judged = self.fit.cost(people[leader].program, 2)
        if generation == self.since or cost < self.stretch:
            self.stretch, self.since = cost, generation
        if anew or self.best is None or judged < self.judged:
            self.judged = judged
            self.best, self.best_generation = people[leader], generation
            self.best_cost = people[leader].cost
            self.best_test = self.fit.cost(self.best.program, 1) if self.fit.sets[1] else math.nan

    def next(self, generation):
        """Bred and evaluated."""
        s, sampled = self.s, self.s["case-sampling"] != "none"
        self.people = self.fresh or (self.breed(generation, self.people) if generation else self.first())
        self.fresh = None
        if s["mutate-duplicates"]:
            self.people = self.mutate_duplicates(generation, list(self.people))
        self.evaluate(generation, self.people)
        self.bred = sum(one.nodes for one in self.people)
        if s["archive"] != "none":
            self.archive = niches.keep(self.archive, self.people, s, self.fit)
        if s["objectives"]:
            self.survive()
        self.keep_best(generation, self.people, sampled and fitness.is_new(s, generation))

    # ---- several objectives ----

    def vector(self, one):
        words = [self.s["metric"] and ("error" if w == self.s["metric"] else w) for w in self.s["objectives"]]
        return pareto.vector(one, words, lambda one: self.other.cost(one.program, 0))

    def survive(self):
        """The best of children and parents; children stay in place, parents come where others were."""
        members = self.people + [copy.copy(one) for one in self.parents]
        order, rank = pareto.order([self.vector(one) for one in members])
        for place, i in enumerate(order):
            members[i].standing, members[i].rank = place, rank[i]
        stay = set(order[:self.n])
        come = [one for i, one in enumerate(members) if i >= self.n and i in stay]
        for one in come:
            one.again = one.kept = 0
        come.reverse()
        self.people = [one if i in stay else come.pop() for i, one in enumerate(self.people)]
        self.parents = self.people

    def chosen(self):
        """The one of least error on the front, which the run names as its best."""
        front = [one for one in self.people if one.rank == 0 and one.cost < math.inf]
        return min(front, key=lambda one: (one.cost, one.nodes, self.vector(one))) if front else self.best

    def rank_on_all(self, last):
        """Of a run on samples: the last generation once more, on all cases. Where none has a cost there, the best on the
        sample stays."""
        for one in self.people:
            one.cost = self.fit.cost(one.program, 0)
        if all(one.cost == math.inf for one in self.people):
            return
        self.best = None
        self.keep_best(last, self.people, True)

    def measure_on_all(self):
        """Of a run on samples that stopped before the others: its best on all cases."""
        if self.best_cost < math.inf:
            self.best_cost = self.judged = self.fit.cost(self.best.program, 0)

    # ---- the next generation ----

    def begin_anew(self, generation):
        """Behind even generations: another first generation where there was no better one for long."""
        after = self.s["restart-after"]
        if after != "none" and generation % 2 == 0 and generation - self.since >= after * self.s["steps"]:
            self.fresh = [self.express(self.kind.first(self.seed, i, 1024 + generation), 0, 0) for i in range(self.n)]
            for one in self.fresh:
                one.elite = True
            self.stretch, self.since, self.archive = math.inf, generation + 1, {}

    # ---- migration ----

    def order_of(self, i):
        """By cost; with several objectives as they stand in their island, or stood in the last one."""
        return (self.people[i].standing if self.s["objectives"] else self.people[i].cost, i)

    def in_order(self):
        return sorted(range(self.n), key=self.order_of)

    def emigrants(self, generation, count):
        kind, among = self.s["migrants"], self.in_order()[:count]
        if kind == "random":
            among = [fitness.permuted(self.seed, generation, self.n, k, "emigrants") for k in range(count)]
        if kind == "tournament":
            streams = [Stream(self.seed, "emigrants", generation, k) for k in range(count)]
            among = [min((r.below(self.n) for _ in range(self.s["tournament"])), key=self.order_of) for r in streams]
        return [copy.copy(self.people[i]) for i in among]

    def places(self, generation, count):
        order, n = self.in_order(), self.n
        if self.s["migrants-replace"] == "worst":
            return order[::-1][:count]
        return [order[1 + fitness.permuted(self.seed, generation, n - 1, k, "immigrants")] for k in range(count)]


def hashed(program):
    """What tells first individuals apart: FNV-1a over operations and leaves in postfix order."""
    state = 2166136261

    def mix(value):
        nonlocal state
        state = (state ^ value) * 16777619 & MASK

    def walk(tree):
        nonlocal state
        if tree[0] in programs.ARITY:
            for below in tree[1:]:
                walk(below)
            mix(niches.REAL[tree[0]])
        else:
            mix(int(tree[0] == "x"))
            mix(tree[1] if tree[0] == "x" else bits(tree[1]))
            state ^= state >> 15

    walk(program)
    return (state ^ state >> 16) * 0x85EBCA6B & MASK
