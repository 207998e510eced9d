"""Trees that keep to declared types: first ones, crossover, mutation, by lists of what gives what."""
from arithmetic import Stream
from niches import BITS, REAL
from programs import ARITY, Several
from trees import TooLarge, Trees, arity, branch, height, level, operands, start


class TypedTrees(Trees):
    def __init__(self, s, inputs):
        super().__init__(s, inputs)
        self.number = BITS if s["boolean"] else REAL
        self.named = []  # types in the order they are met
        self.type_of, self.signatures = {}, {}  # of names; results by (operation, operands)
        outputs = s.get("outputs", 0)
        for entry in filter(str.strip, (s["types"] or self.plain() * bool(outputs)).split(";")):
            names, right = entry.split(" = ")
            for name in map(str.strip, names.split(",")):
                words = [self.name(word) for word in right.split() if word != "->"]
                if "->" in right:
                    self.signatures[name, tuple(words[:-1])] = words[-1]
                else:
                    self.type_of[name] = words[0]
        self.target = self.inner = self.type_of["target"]
        hidden = []
        if s["targets"]:
            hidden = self.errors_of(outputs, "off-squared" if Several.squared else "off", "error-root" if Several.squared else "error")
        elif outputs:
            chain = [self.name(f"outputs from {k} on") for k in reversed(range(outputs))]
            self.signatures["last", (self.inner,)] = chain[0]
            self.signatures.update({("next", (self.inner, a)): b for a, b in zip(chain, chain[1:])})
            self.target = self.name("class")
            self.signatures["argmax", (chain[-1],)] = self.target
            self.most_depth += outputs + 1
        names = "A0 A1 D0 D1 D2 D3".split() if s["boolean"] else [f"x{i}" for i in range(inputs)]
        self.of_input = [self.type_of[name] for name in names] + hidden
        self.of_constant = self.type_of.get("constants")
        self.levels_and_sizes()

    def errors_of(self, n, part, end):
        """targets(a, b, ...): every target and every unit is alone in its type. Gives these types."""
        hidden = [self.name(f"{what} {k}") for what in ("target", "unit") for k in range(n)]
        parts = [self.name(f"output {k}, error") for k in range(n)]
        self.signatures.update({(part, (self.inner, hidden[k], hidden[n + k])): parts[k] for k in range(n)})
        sums = [self.name(f"outputs from {k} on, error") for k in range(n - 1)] + parts[-1:]
        self.signatures.update({("both", (parts[k], sums[k + 1])): sums[k] for k in range(n - 1)})
        self.target = self.name("outputs, error")
        self.signatures[end, (sums[0],)] = self.target
        self.most_depth += n + 1
        return hidden

    def plain(self):
        """All are numbers."""
        leaves = ", ".join(["constants", "target"] + [f"x{i}" for i in range(self.inputs)])
        return f"{leaves} = number;" + ";".join(f"{f} = {'number ' * ARITY[f]}-> number" for f in self.functions)

    def around(self, kind):
        """Levels of types above those of outputs."""
        return max(0, self.flattest[kind][0] - self.flattest[self.inner][0]) if self.named[kind][:3] in ("out", "cla") else 0

    def name(self, word):
        self.named += [word] if word not in self.named else []
        return self.named.index(word)

    def leaves(self, kind):
        there = [i for i, t in enumerate(self.of_input) if t == kind]
        return there, self.of_constant == kind and self.s["constant-probability"] > 0

    def levels_and_sizes(self):
        """Of the flattest tree of every type and signature, of those the fewest nodes; signatures by operation, then
        operands."""
        self.flattest = {t: (1, 1) for t in range(len(self.named)) if any(self.leaves(t))}
        self.level_of = {}
        while True:
            more = {}
            for (name, below), result in self.signatures.items():
                if (name, below) not in self.level_of and all(t in self.flattest for t in below):
                    high = 1 + max(self.flattest[t][0] for t in below)
                    more[name, below] = high, 1 + sum(self.flattest[t][1] for t in below)
            if not more:
                break
            low = min(high for high, _ in more.values())
            for signature, (high, size) in more.items():
                if high == low:
                    self.level_of[signature] = high
                    result = self.signatures[signature]
                    self.flattest[result] = min(self.flattest.get(result, (high, size)), (high, size))
        self.by_result = {t: sorted((k for k in self.level_of if self.signatures[k] == t),
                                    key=lambda k: (self.number[k[0]], k[1])) for t in range(len(self.named))}

    def types(self, tree):
        found = []
        for i, node in enumerate(tree):
            if node[0] == "x":
                found.append(self.of_input[node[1]])
            elif node[0] == "c":
                found.append(self.of_constant)
            else:
                found.append(self.signatures[node[0], tuple(found[k] for k in operands(tree, i))])
        return found

    # ---- random trees ----

    def typed_leaf(self, r, kind):
        there, constant = self.leaves(kind)
        if constant and not (there and not r.chance(self.s["constant-probability"])):
            return self.any_constant(r)
        return ("x", there[r.below(len(there))])

    def smallest(self, kind):
        if any(self.leaves(kind)):
            return None
        return [k for k in self.by_result[kind] if (self.level_of[k], 1 + sum(self.flattest[t][1] for t in k[1])) ==
                self.flattest[kind]][-1]

    def function(self, r, kind, left, full, inner):
        there, constant = self.leaves(kind)
        fitting = [k for k in self.by_result[kind] if self.level_of[k] <= left]
        names = list(dict.fromkeys(name for name, _ in fitting))
        if not names:
            return None
        leaves = len(there) + constant
        if leaves and not full and not inner and r.below(leaves + len(names)) < leaves:
            return None
        name = names[r.below(len(names))]
        among = [k for k in fitting if k[0] == name]
        return among[r.below(len(among))]

    def typed(self, r, kind, depth, full, inner_root, capacity, least=False):
        """The root first, then its operands from the last one on; TooLarge once what is open cannot fit."""
        count, waiting = 0, 1
        if not capacity:
            raise TooLarge

        def draw(kind, left, root):
            nonlocal count, waiting
            found = self.smallest(kind) if least else self.function(r, kind, left, full, root and inner_root)
            node = (found[0],) if found else self.typed_leaf(r, kind)
            count, waiting = count + 1, waiting - 1 + arity(node)
            if count + waiting > capacity:
                raise TooLarge
            above = self.around(kind)
            parts = [draw(t, left - 1 if not above or self.around(t) else left - above, False)
                     for t in reversed(found[1])] if found else []
            return [k for part in reversed(parts) for k in part] + [node]

        return draw(kind, depth, True)

    def first(self, seed, index, attempt):
        s, r = self.s, Stream(seed, "init", attempt, index)
        low, high, least = s["init-min-depth"], s["init-max-depth"], self.flattest[self.target][0]
        depth, full, ramp = high, s["initialisation"] == "full", high - low + 1
        if s["initialisation"] == "ramped":
            depth, full = low + index % ramp, index // ramp % 2
        depth += self.around(self.target)
        for depth in range(max(depth, least), max(least, 2) - 1, -1):
            try:
                return self.typed(r, self.target, depth, full, True, self.capacity)
            except TooLarge:
                pass
        return self.typed(r, self.target, 0, False, False, self.capacity, least=True)

    # ---- crossover ----

    def points(self, r, a, b):
        i, j = super().points(r, a, b)
        wanted, others = self.types(a)[i], self.types(b)
        if self.s["crossover"] != "subtree" or self.s["function-points"] != "auto":
            return (i, j) if others[j] == wanted else None
        among = [k for k, t in enumerate(others) if t == wanted]
        return (i, among[r.below(len(among))]) if among else None

    # ---- mutation ----

    def other(self, r, tree, i, types):
        node, same = tree[i], [f for f in self.functions if ARITY[f] == arity(tree[i])]
        for _ in range(8 if same or not arity(node) else 0):
            if not arity(node):
                other = self.typed_leaf(r, types[i])
            else:
                other = (same[r.below(len(same))],)
                if self.signatures.get((other[0], tuple(types[k] for k in operands(tree, i)))) != types[i]:
                    continue
            if other != node:
                return other
        return node

    def one_point(self, r, tree):
        return self.point(r, tree)[0]

    def point(self, r, tree):
        types = self.types(tree)
        for _ in range(self.s["tries"]):
            i = r.below(len(tree))
            other = self.other(r, tree, i, types)
            if other != tree[i]:
                return tree[:i] + [other] + tree[i + 1:], 0, 0
        return tree, 0, 0

    def subtree(self, r, tree):
        s, ramped, types = self.s, self.s["subtree-mutation-growth"] == "ramped", self.types(tree)
        for t in range(s["tries"]):
            i = r.below(len(tree))
            first, depth, full = start(tree, i), s["subtree-mutation-depth"], False
            if ramped:
                depth, full = 1 + r.below(depth), r.next() >> 31
            depth = max(depth + self.around(types[i]), self.flattest[types[i]][0])
            if depth > self.most_depth - level(tree, i) + 1:
                continue
            try:
                new = self.typed(r, types[i], depth, full, ramped, self.capacity - (len(tree) - (i + 1 - first)))
                return tree[:first] + new + tree[i + 1:], t, 0
            except TooLarge:
                pass
        return tree, s["tries"] - 1, 1

    def hoist(self, r, tree):
        types = self.types(tree)
        for _ in range(self.s["tries"]):
            i = r.below(len(tree))
            if types[i] == types[-1]:
                return branch(tree, i), 0, 0
        return tree, 0, 0

    def shrink(self, r, tree):
        types = self.types(tree)
        for _ in range(self.s["tries"]):
            i = r.below(len(tree))
            if arity(tree[i]) and any(self.leaves(types[i])):
                return tree[:start(tree, i)] + [self.typed_leaf(r, types[i])] + tree[i + 1:], 0, 0
        return tree, 0, 0

    def beside(self, kind, above):
        """Operands of a signature that gives `kind` which a tree of it may be, where all others have leaves."""
        own = [k for k, t in enumerate(above[1]) if t == kind]
        return [k for k in own if all(any(self.leaves(t)) for n, t in enumerate(above[1]) if n != k)]

    def insert(self, r, tree):
        types = self.types(tree)
        for t in range(self.s["tries"]):
            i = r.below(len(tree))
            suiting = [k for k in self.by_result[types[i]] if self.beside(types[i], k)]
            if not suiting:
                continue
            above = suiting[r.below(len(suiting))]
            own = self.beside(types[i], above)
            which = own[r.below(len(own))]
            if len(tree) + len(above[1]) > self.capacity or level(tree, i) + height(branch(tree, i)) > self.most_depth:
                continue
            parts = [branch(tree, i) if n == which else [self.typed_leaf(r, kind)] for n, kind in enumerate(above[1])]
            return tree[:start(tree, i)] + [k for part in parts for k in part] + [(above[0],)] + tree[i + 1:], t, 0
        return tree, self.s["tries"] - 1, 1

    def multi_point(self, r, tree):
        types = self.types(tree)
        tree = list(tree)
        for i in range(len(tree)):
            if r.chance(self.s["multi-point-rate"]):
                tree[i] = self.other(r, tree, i, types)
        return tree, 0, 0
