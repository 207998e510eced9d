"""Trees: first ones, crossover, mutation. A tree is a list of nodes in postfix order, operands before their function:
('x', number), ('c', value) or (operation,)."""
from arithmetic import Stream, single, unit
from programs import ARITY


class TooLarge(Exception):
    pass


def arity(node):
    return ARITY.get(node[0], 0)


def start(tree, i):
    """Where the subtree with its root at i begins."""
    wanted = 1
    while wanted:
        wanted += arity(tree[i]) - 1
        i -= 1
    return i + 1


def branch(tree, i):
    return tree[start(tree, i):i + 1]


def operands(tree, i):
    """Roots of the operands of node i, the first one first."""
    roots, at = [], i - 1
    for _ in range(arity(tree[i])):
        roots.insert(0, at)
        at = start(tree, at) - 1
    return roots


def height(tree):
    return 1 + max((height(branch(tree, k)) for k in operands(tree, len(tree) - 1)), default=0)


def level(tree, i):
    """The root has 1."""
    return 1 + sum(start(tree, k) <= i for k in range(i + 1, len(tree)))


def nested(tree):
    """As programs.py has it."""
    stack = []
    for node in tree:
        n = arity(node)
        below = stack[len(stack) - n:]
        stack[len(stack) - n:] = [(node[0], *below) if n else node]
    return stack[0]


class Trees:
    def __init__(self, s, inputs):
        self.s, self.inputs = s, inputs
        self.functions = sorted(s["functions"], key=ARITY.get)
        self.capacity, self.most_depth = s["max-nodes"], s["max-depth"]
        self.terminals = inputs + (s["constant-probability"] > 0)

    # ---- random trees ----

    def leaf(self, r):
        if self.s["constant-probability"] > 0 and r.chance(self.s["constant-probability"]):
            return self.any_constant(r)
        return ("x", r.below(self.inputs))

    def any_constant(self, r):
        s = self.s
        choices = s["constants"] + ["any"] * s["ephemeral"]
        which = r.below(len(choices)) if choices else None
        if choices and choices[which] != "any":
            return ("c", choices[which])
        low, high = single(s["constant-min"]), single(s["constant-max"])
        return ("c", single(low + single(single(high - low) * unit(r.next()))))

    def any_function(self, r):
        return (self.functions[r.below(len(self.functions))],)

    def grow(self, r, depth, full, inner_root, capacity):
        """The root first, then its operands from the last one on; TooLarge beyond the capacity."""
        count = 0

        def draw(at):
            nonlocal count
            if count == capacity:
                raise TooLarge
            count += 1
            is_leaf = at == depth
            if not is_leaf and not full and (at > 1 or not inner_root):
                is_leaf = r.below(self.terminals + len(self.functions)) < self.terminals
            if is_leaf:
                return [self.leaf(r)]
            node = self.any_function(r)
            parts = [draw(at + 1) for _ in range(arity(node))]
            return [k for part in reversed(parts) for k in part] + [node]

        return draw(1)

    def first(self, seed, index, attempt):
        s, r = self.s, Stream(seed, "init", attempt, index)
        kind = s["initialisation"]
        if kind in ("ptc2", "sized"):
            size = s["init-min-nodes"] + r.below(s["init-max-nodes"] - s["init-min-nodes"] + 1)
            return self.ptc2(r, size) if kind == "ptc2" else self.sized(r, size)
        low, high = s["init-min-depth"], s["init-max-depth"]
        depth, full, ramp = high, kind == "full", high - low + 1
        if kind == "ramped":
            depth, full = low + index % ramp, index // ramp % 2
        while depth > 1:
            try:
                return self.grow(r, depth, full, True, self.capacity)
            except TooLarge:
                depth -= 1
        return self.grow(r, 1, False, False, self.capacity)

    def ptc2(self, r, size):
        """Luke 2000: operands are filled in random order."""
        depth, nodes = self.s["init-max-depth"], [[None, 1, []]]  # node, level, operands
        waiting, count = [0], 1
        while waiting and count < size:
            k = r.below(len(waiting))
            at, node = waiting[k], self.any_function(r)
            last = waiting.pop()
            if k < len(waiting):
                waiting[k] = last
            if nodes[at][1] > depth - 1 or count + arity(node) > self.capacity:
                nodes[at][0] = self.leaf(r)
                continue
            nodes[at][0], nodes[at][2] = node, list(range(count, count + arity(node)))
            nodes += [[None, nodes[at][1] + 1, []] for _ in range(arity(node))]
            waiting += nodes[at][2]
            count += arity(node)
        while waiting:
            nodes[waiting.pop()][0] = self.leaf(r)

        def written(at):
            return [k for below in nodes[at][2] for k in written(below)] + [nodes[at][0]]

        return written(0)

    def sized(self, r, size):
        """As GPOCL: functions that still let the tree end with exactly so many nodes."""
        count, waiting = 0, 1

        def draw(at):
            nonlocal count, waiting
            left = size - count
            spare = left - waiting
            fitting = [f for f in self.functions if ARITY[f] <= spare]
            if at == self.s["init-max-depth"] or not fitting:
                node = self.leaf(r)
            else:
                stops = self.terminals if waiting > 1 or spare == 0 else 0
                k = r.below(len(fitting) + stops)
                node = (fitting[k],) if k < len(fitting) else self.leaf(r)
            count += 1
            waiting += arity(node) - 1
            parts = [draw(at + 1) for _ in range(arity(node))]
            return [k for part in reversed(parts) for k in part] + [node]

        return draw(1)

    # ---- crossover: x[0]:x[1] of a and y[0]:y[1] of b change places ----

    def points(self, r, a, b):
        kind = self.s["crossover"]
        if kind == "depth-dependent":
            return self.descend(r, a), self.descend(r, b)
        if kind == "size-fair":
            i = self.crossing(r, a)
            return i, self.size_fair(r, b, len(branch(a, i)))
        if kind == "common-point":
            return self.common(r, a, b)
        return self.crossing(r, a), self.crossing(r, b)

    def cuts(self, r, a, b, one_child):
        a, b = a.genotype, b.genotype
        found = self.points(r, a, b)
        if not found:
            return (0, 0), (0, 0), False
        i, j = found
        x, y = (start(a, i), i + 1), (start(b, j), j + 1)
        fits = level(a, i) - 1 + height(b[y[0]:y[1]]) <= self.most_depth
        fits = fits and (one_child or level(b, j) - 1 + height(a[x[0]:x[1]]) <= self.most_depth)
        return x, y, fits

    def crossing(self, r, tree):
        i, p = r.below(len(tree)), self.s["function-points"]
        if p == "auto" or len(tree) == 1:
            return i
        wanted = r.chance(p)
        for _ in range(64):
            if (arity(tree[i]) > 0) == wanted:
                break
            i = r.below(len(tree))
        while (arity(tree[i]) > 0) != wanted:
            i = (i + 1) % len(tree)
        return i

    def descend(self, r, tree):
        i = len(tree) - 1
        while arity(tree[i]) and not r.next() >> 31:
            i = operands(tree, i)[::-1][r.below(arity(tree[i]))]
        return i

    def size_fair(self, r, tree, wanted):
        sizes = [len(branch(tree, i)) for i in range(len(tree))]
        smaller = [k for k in sizes if k < wanted]
        larger = [k for k in sizes if wanted < k <= 2 * wanted + 1]
        same = 0.0
        if wanted in sizes:
            same = single(1 / wanted) if smaller and larger else 1.0
        u, v = unit(r.next()), unit(r.next())
        if u < same:
            among = [i for i, k in enumerate(sizes) if k == wanted]
        else:
            less = single(sum(wanted - k for k in smaller) / len(smaller)) if smaller else 0.0
            more = single(sum(k - wanted for k in larger) / len(larger)) if larger else 0.0
            take_larger = not smaller or (larger and single(v * single(less + more)) < less)
            among = [i for i, k in enumerate(sizes) if (wanted < k <= 2 * wanted + 1 if take_larger else k < wanted)]
        return among[r.below(len(among))]

    def common(self, r, a, b):
        """A point of the region where both trees have the same shape, from the root, last operands first."""
        region = []

        def walk(i, j):
            region.append((i, j))
            if arity(a[i]) == arity(b[j]):
                for x, y in zip(operands(a, i)[::-1], operands(b, j)[::-1]):
                    walk(x, y)

        walk(len(a) - 1, len(b) - 1)
        return region[r.below(len(region))]

    def splice(self, a, x, b, y):
        return a[:x[0]] + b[y[0]:y[1]] + a[x[1]:]

    # ---- mutation ----

    KINDS = ["point", "subtree", "constant", "hoist", "shrink", "insert", "multi-point"]

    def mutate(self, tree, seed, generation, index, attempt):
        s, r = self.s, Stream(seed, "mutation", generation, index, attempt)
        again, kept, tree = 0, 0, list(tree)
        shares = s["operators"]
        if shares:
            u, border, drawn = unit(r.next()), 0.0, []
            for kind in self.KINDS:
                border += shares.get(kind, 0) / (1 - shares.get("crossover", 0))
                if u < single(border):
                    drawn = [kind]
                    break
        else:
            plain = s["subtree-mutation-growth"] == "grow" and not any(s[k + "-mutation"] > 0 for k in self.KINDS[2:])
            drawn = [k for k in (self.KINDS[:2] if plain else self.KINDS) if r.chance(s[k + "-mutation"])]
            if plain and "point" in drawn:  # one attempt
                tree = self.one_point(r, tree)
                drawn.remove("point")
        for kind in drawn:
            change = getattr(self, kind.replace("-", "_"))
            tree, more, lost = change(r, tree)
            again, kept = again + more, kept + lost
        return tree, again, kept

    def other_node(self, r, node):
        """Another leaf, or function of the same arity; eight draws."""
        same = [f for f in self.functions if ARITY[f] == arity(node)]
        for _ in range(8):
            other = (same[r.below(len(same))],) if arity(node) else self.leaf(r)
            if other != node:
                return other
        return node

    def one_point(self, r, tree):
        i = r.below(len(tree))
        return tree[:i] + [self.other_node(r, tree[i])] + tree[i + 1:]

    def point(self, r, tree):
        for _ in range(self.s["tries"]):
            i = r.below(len(tree))
            other = self.other_node(r, tree[i])
            if other != tree[i]:
                return tree[:i] + [other] + tree[i + 1:], 0, 0
        return tree, 0, 0

    def subtree(self, r, tree):
        s, ramped = self.s, self.s["subtree-mutation-growth"] == "ramped"
        for t in range(s["tries"]):
            i = r.below(len(tree))
            first, depth, full = start(tree, i), s["subtree-mutation-depth"], False
            if ramped:
                depth, full = 1 + r.below(depth), r.next() >> 31
            depth = min(depth, self.most_depth - level(tree, i) + 1)
            try:
                new = self.grow(r, depth, full, ramped, self.capacity - (len(tree) - (i + 1 - first)))
                return tree[:first] + new + tree[i + 1:], t, 0
            except TooLarge:
                pass
        return tree, s["tries"] - 1, 1

    def constant(self, r, tree):
        places = [i for i, node in enumerate(tree) if node[0] == "c"]
        if not places:
            return self.point(r, tree)
        i = places[r.below(len(places))]
        return tree[:i] + [("c", self.creep(r, tree[i][1]))] + tree[i + 1:], 0, 0

    def creep(self, r, value):
        """One step along the table."""
        table, up = self.s["constants"], r.next() >> 31
        below, above = [c for c in table if c < value], [c for c in table if c > value]
        if not above or (below and not up):
            return below[-1]
        return above[0]

    def hoist(self, r, tree):
        return branch(tree, r.below(len(tree))), 0, 0

    def shrink(self, r, tree):
        i = 0
        for _ in range(self.s["tries"]):
            if arity(tree[i]):
                break
            i = r.below(len(tree))
        return tree[:start(tree, i)] + [self.leaf(r)] + tree[i + 1:], 0, 0

    def insert(self, r, tree):
        for t in range(self.s["tries"]):
            i, node = r.below(len(tree)), self.any_function(r)
            which = r.below(arity(node))
            if len(tree) + arity(node) > self.capacity or \
                    level(tree, i) + height(branch(tree, i)) > self.most_depth:
                continue
            leaves = [[self.leaf(r)] for _ in range(arity(node) - 1)]
            leaves.insert(which, branch(tree, i))
            return tree[:start(tree, i)] + [k for part in leaves for k in part] + [node] + tree[i + 1:], t, 0
        return tree, self.s["tries"] - 1, 1

    def multi_point(self, r, tree):
        return [self.other_node(r, node) if r.chance(self.s["multi-point-rate"]) else node for node in tree], 0, 0
