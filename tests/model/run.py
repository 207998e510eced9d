"""Runs of the model: their islands generation by generation, their rows and their best, from the text of a run file."""
import math
import re

import fitness
import grammars
import settings
import trees
import typed
from arithmetic import Precision, Seed, added, number, single
from evolution import KINDS, Island
from genomes import Genomes
from programs import Several


class Run:
    def __init__(self, s, number, representation, fit):
        self.s, self.number, self.fit, self.tree = s, number, fit, s["genotype"] == "tree"
        self.islands = []
        for island in range(s["islands"]):
            seed = Seed(s["seed"] + number & 2 ** 64 - 1)
            seed.island = island
            self.islands.append(Island(s, seed, representation, fit))
        self.rows, self.waiting = [], {"again": 0, "kept": 0, "executed": 0}

    @property
    def leading(self):
        """Of equals the island that found it first."""
        return min(self.islands, key=lambda one: (one.judged, one.best_generation))

    @property
    def people(self):
        return [one for island in self.islands for one in island.people]

    def migrants(self):
        size, n = self.s["migration-size"], self.s["population"]
        if len(self.islands) == 1 or not self.s["migration-every"] or size == 0:
            return 0
        return max(1, math.floor(size * n) if size < 1 else math.floor(size))

    def source(self, island, k, generation, turn):
        """Whose emigrant k comes to an island."""
        n, kind, before = len(self.islands), self.s["migration-topology"], turn * self.migrants() + k
        if kind == "full":
            return [other % n for other in range(island + 1, island + n)][before % (n - 1)]
        if kind == "torus":
            columns = max(k for k in range(1, n) if k * k <= n and n % k == 0)
            down, right = [(-1, 0), (0, 1), (1, 0), (0, -1)][before % 4]
            row, column = divmod(island, columns)
            return (row + down) % (n // columns) * columns + (column + right) % columns
        if kind == "random":
            circle = [fitness.permuted(Seed(self.islands[0].seed), generation, n, x, "routes") for x in range(n)]
            return circle[(circle.index(island) + 1) % n]
        return (island - 1) % n

    def migrate(self, generation):
        count, every = self.migrants(), self.s["migration-every"] * self.s["steps"]
        if not count or not generation or generation % every:
            return
        leave = [island.emigrants(generation, count) for island in self.islands]
        places = [island.places(generation, count) for island in self.islands]
        for number, island in enumerate(self.islands):
            island.people = list(island.people)
            for k, place in enumerate(places[number]):
                one = leave[self.source(number, k, generation, generation // every - 1)][k]
                if one.cost < math.inf:
                    island.people[place] = one
            island.parents = island.people

    def ends(self, generation):
        target, patience = self.s["target-fitness"], self.s["stagnation"]
        if target != "none" and self.leading.best_cost <= single(self.fit.of(target)):
            return True
        return patience != "none" and generation % self.s["steps"] == 0 and \
            generation - self.leading.best_generation >= patience * self.s["steps"]

    def go(self):
        s = self.s
        steps, last = s["steps"], s["generations"] * s["steps"]
        for generation in range(last + 1):
            for island in self.islands:
                island.next(generation)
            people = self.people
            self.waiting["again"] += sum(one.again for one in people)
            self.waiting["kept"] += sum(one.kept for one in people)
            self.waiting["executed"] += sum(one.bred for one in self.islands) * self.islands[0].cases
            ends = self.ends(generation)
            if generation % steps == 0 or ends:
                leader = min(people, key=lambda one: one.cost)
                self.rows.append((generation, self.number, self.row(-(-generation // steps), people, leader)))
                self.waiting = dict.fromkeys(self.waiting, 0)
            if ends:
                break
            if generation < last:
                self.migrate(generation)
                for island in self.islands:
                    island.begin_anew(generation)
                    island.weigh(generation, island.people)
        self.last = generation
        return self

    def rank_on_all(self):
        for island in self.islands:
            island.rank_on_all(self.last)

    def measure_on_all(self):
        for island in self.islands:
            island.measure_on_all()

    @property
    def best(self):
        """The front's, unless one that was better did not stay there."""
        best = self.leading.best
        if self.s["objectives"] and not self.fit.sets[2]:
            found = min((one.chosen() for one in self.islands), key=lambda one: (one.cost, one.nodes))
            best = found if found.cost <= self.leading.best_cost else best
        return best

    @property
    def best_generation(self):
        """When it was found; who was chosen of the front for another program may be of long before the last one."""
        leading = self.leading
        record = self.best is leading.best or self.best.program == leading.best.program
        return leading.best_generation if record else self.last

    @property
    def best_test(self):
        return self.leading.best_test

    def row(self, generation, people, leader):
        finite = [one.cost for one in people if one.cost < math.inf]
        valid = [one for one in people if one.valid]
        mean = self.fit.of(added(finite) / len(finite)) if finite else math.nan
        test = self.fit.of(self.best_test) if self.fit.sets[1] else math.nan
        values = [self.number, generation, self.fit.of(leader.cost), mean, self.fit.of(self.leading.best.cost), test, len(valid),
                  len(people) - len(valid)]
        values += [sum(one.validity == kind for one in people) for kind in KINDS[1:]]
        values += [len(valid) - len(finite), self.waiting["again"], self.waiting["kept"]]
        sizes = [[len(one.genotype) for one in people]]
        sizes += [[getattr(one, key) for one in valid] for key in ("used", "depth", "nodes", "derivation_nodes")]
        for size in sizes:
            values += [min(size), sum(size) / len(size), max(size)] if size else [math.nan] * 3
        values += [leader.nodes, leader.depth if leader.valid else "-"]
        if self.s["objectives"]:
            values += [sum(one.rank == 0 for one in people), max(one.rank for one in people) + 1]
        values.append(self.waiting["executed"])
        return [("%.9g" if isinstance(v, float) else "%s") % v for v in values]


def truth_table(name):
    """multiplexer-3|6|11, parity-N (even), odd-parity-N."""
    kind, n = name.rsplit("-", 1)
    n, cases = int(n), 2 ** int(n)
    inputs = [sum((c >> k & 1) << c for c in range(cases)) for k in range(n)]
    if kind == "multiplexer":
        address = {3: 1, 6: 2, 11: 3}[n]
        answer = [c >> address + (c & 2 ** address - 1) & 1 for c in range(cases)]
    else:
        answer = [(bin(c).count("1") + (kind == "parity")) % 2 for c in range(cases)]
    return fitness.Cases(inputs, sum(bit << c for c, bit in enumerate(answer)), cases)


def table(path):
    with open(path) as file:
        rows = [[number(float(v)) for v in line.split(",")] for line in file.read().splitlines()[1:]]
    return fitness.Cases([tuple(row[:-1]) for row in rows], [row[-1] for row in rows])


def table_of(path, targets):
    """The columns of the targets stand behind the inputs."""
    with open(path) as file:
        names, *rows = [line.split(",") for line in file.read().splitlines()]
    order = [i for i, name in enumerate(names) if name not in targets] + [names.index(name) for name in targets]
    return fitness.Cases([tuple(number(float(row[i])) for i in order) for row in rows], [0.0] * len(rows))


def with_units(s, sets):
    """Behind the targets stand their units, which are those of the training cases: one over the spread, and of n targets
    shares that make a mean of the sum."""
    n, train = len(s["targets"]), sets[0].inputs
    Several.outputs, Several.inputs = n, len(train[0]) - n
    Several.squared = s["metric"] in ("mse", "rmse")
    units = []
    for k in range(n):
        column, spread = [row[Several.inputs + k] for row in train], 1.0
        if s["target-scaling"] == "deviation":
            middle = sum_of(column) / len(column)
            spread = math.sqrt(sum_of((y - middle) * (y - middle) for y in column) / len(column))
        units.append(single(1 / (spread * (math.sqrt(n) if Several.squared else n))))
    return [one and fitness.Cases([row + tuple(units) for row in one.inputs], one.targets) for one in sets]


def sum_of(values):
    """One after another: the sum() of later Pythons is a better one."""
    total = 0.0
    for value in values:
        total += value
    return total


def held_out(s, cases):
    """Training and validation cases."""
    count = max(1, math.floor(s["validation-fraction"] * cases.count + 0.5))
    if not s["validation-fraction"]:
        return cases, None
    out = {fitness.permuted(s["data-seed"], 0xFFFFFFFE, cases.count, k) for k in range(count)}
    return cases.take([k for k in range(cases.count) if k not in out]), cases.take(sorted(out))


def runs(text, folder):
    """All runs of a run file, done."""
    s = settings.read(text)
    Precision.double = s["precision"] == "double"
    if s["boolean"]:
        sets = truth_table(s["boolean"]), None
        inputs = int(re.search(r"\d+$", s["boolean"])[0])
    else:
        def read(key):
            path = f"{folder}/{s[key]}"
            return table_of(path, s["targets"]) if s["targets"] else table(path)

        sets = *held_out(s, read("data")), read("test-data") if "test-data" in s else None
        sets = sets[0], sets[2], sets[1]
        inputs = len(sets[0].inputs[0]) - len(s["targets"])
        if s["targets"]:
            s["outputs"] = len(s["targets"])
            sets = with_units(s, sets)
    if s["genotype"] == "tree":
        if s["class-rule"] == "argmax":
            s["outputs"] = int(max(sets[0].targets) - min(sets[0].targets)) + 1
        kind = (typed.TypedTrees if s["typed"] or "outputs" in s else trees.Trees)(s, inputs)
    else:
        with open(f"{folder}/{s['grammar']}") as file:
            kind = Genomes(s, grammars.Grammar(file.read()))
    done = [Run(s, k, kind, fitness.Fitness(s, *sets)).go() for k in range(s["runs"])]
    last = max(run.last for run in done)
    for run in done if s["case-sampling"] != "none" else ():
        if run.last == last:
            run.rank_on_all()
        else:  # it keeps the best it stopped with
            run.measure_on_all()
    return done
