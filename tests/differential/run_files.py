"""Random run files over all settings that a result depends on, with the tables, grammars and given programs they name.

    write_tables(FOLDER)                                what run files name, below FOLDER
    draw(SEED, INDEX, ATTEMPT) -> [(key, value), ...]   a run file; a small one, some milliseconds on one thread
    text(SETTINGS), name(INDEX, ATTEMPT, SETTINGS)

A file depends on these three numbers alone, neither on the program nor on files of the tree. Most are drawn so that the
settings fit each other; some break a rule on purpose, and the program may refuse those. All draws go through
random.random(), the one generator that Python promises to keep."""
from draws import Draw
from named_files import DELIMITERS, GRAMMARS, SENTENCES, TABLE_FORMS, WORDS, write_tables

# ---- problems ----

# Each adds its settings to s and returns the kind of its target: real, binary, classes or bits.


def expression_problem(d, s):
    names = d.one([["t"], ["x0"], ["u", "v"], ["a", "b", "c"]])  # x would end the x of x<i>
    x, y = names[0], names[-1]
    kind = d.one(["real", "real", "real", "binary", "classes"])
    s["target-expression"] = d.one({
        "real": [f"{x} + {x}**2 + {y}**3", f"sin({x}) * {y} - exp({x} - {y})",
                 f"{x} * {y} + {x} if {x} < 0.5 else 2 * {y}",
                 f"3 + 0.5 * {x} / (1 + {y} * {y})", f"tanh({x}) + cos(3 * {y})"],
        "binary": [f"({x} > 0.25)", f"({x} * {y} > 0) & ({x} < 0.9)"],
        "classes": [f"({x} > 0) + ({y} * {y} < 0.3)", f"({x} > 0.5) + ({x} > 0) + ({y} > -0.4)"],
    }[kind])
    if d.chance(0.7):
        group = ", ".join(names) + f" = uniform({d.real(-2, -0.5)}, {d.real(0.9, 2)})"
        s["variables"] = group
        s["train-cases"] = d.one([20, 60, 100, 129, 300, 1100])
        if d.chance(0.5):
            s["test-cases"] = d.whole(15, 200)
            if d.chance(0.3):
                s["test-variables"] = ", ".join(names) + " = uniform(-3, 3)"
    else:
        grid = d.one(["grid(-1, 1, 0.25)", "linspace(-2, 2, 9)", "grid(-1.5, 1.5, 0.5)"])
        s["variables"] = "; ".join(f"{n} = {grid}" for n in names)
        if d.chance(0.5):
            s["test-variables"] = ", ".join(names) + " = " + d.one(["uniform(-1, 1)", "linspace(-1, 1, 8)"])
            if "uniform" in s["test-variables"]:
                s["test-cases"] = d.whole(20, 100)
    if d.chance(0.4):
        s["data-seed"] = d.whole(2, 9999)
    return kind


def table_problem(d, s):
    file, delimiter, header, columns, rows, kind = d.one(TABLE_FORMS)
    s["data"] = "tables/" + file
    if d.chance(0.5):
        s["delimiter"] = DELIMITERS[delimiter]
    if d.chance(0.5):
        s["header"] = "yes" if header else "no"
    if kind == "words" or d.chance(0.03):
        s["categories"] = "true"
    if d.chance(0.3):
        s["target"] = "answer" if header and d.chance(0.5) else str(columns + 1)
    if header and d.chance(0.3):
        s["inputs"] = ", ".join(d.some([f"c{i}" for i in range(columns)], 2))
    split = d.one(["none", "file", "rows", "last", "random"])
    if split == "file" and kind != "words":
        s["test-data"] = f"tables/test-{file}"
    elif split == "rows":
        s["train-rows"], s["test-rows"] = f"0:{rows // 2}", f"{rows // 2}:{d.one(['', rows - 5])}"
    elif split in ("last", "random"):
        s["test-fraction"] = d.real(0.1, 0.5)
        s["split"] = split
        s["data-seed"] = d.whole(1, 500)
    elif d.chance(0.5):
        s["train-rows"] = f"{d.whole(0, 9)}:"
    return "classes" if kind == "words" else kind


def series_problem(d, s):
    if d.chance(0.5):
        s["series"] = "tables/series.txt"
    else:
        s["generate"] = "mackey-glass"
    s["lags"] = d.one(["1", "1, 2", "1, 2, 4, 8", "3, 1"])
    if d.chance(0.8):
        s["train-cases"] = d.one([60, 150, 400])
    if d.chance(0.6):
        s["test-cases"] = d.one([20, 90])
    return "real"


def protein_problem(d, s):
    if d.chance(0.5):
        s["sequences"], s["positive"] = "tables/train.fasta", d.one(["nuclear", "cytoplasmic"])
        if d.chance(0.5):
            s["test-sequences"] = "tables/test.fasta"
    else:
        s["generate"] = "proteins"
        s["train-cases"], s["test-cases"] = d.whole(60, 200), d.whole(40, 80)
        s["data-seed"] = d.whole(1, 99)
    return "binary"


def boolean_problem(d, s):
    s["boolean"] = d.one(["multiplexer-3", "multiplexer-6", "multiplexer-6", "multiplexer-11", "parity-3", "parity-5",
                          "parity-7", "odd-parity-4"])
    return "bits"


PROBLEMS = [expression_problem] * 8 + [table_problem] * 7 + [series_problem] * 2 + [protein_problem] * 2 + \
           [boolean_problem] * 4

# ---- representations ----


def grammar_settings(d, s, kind):
    grammar = d.one(list(WORDS if kind == "bits" else GRAMMARS))
    s["grammar"] = f"grammars/{grammar}.bnf"
    s["max-depth"] = d.one([8, 12, 17, 25]) if d.chance(0.7) else "auto"
    if d.chance(0.5):
        s["max-nodes"] = d.one([20, 60, 300])
    if d.chance(0.5):
        s["max-wraps"] = d.whole(1, 3)
    capacity = d.one([60, 120, 250])
    s["max-genome-length"] = capacity
    if d.chance(0.6):
        s["genome-length"] = d.one([12, 24, 40, 60])
    if d.chance(0.5):
        s["codon-size"] = d.one([127, 255, 65535, 2147483647])
    if grammar in SENTENCES and d.chance(0.4):
        s["seeds"] = "seeds/folder" if grammar == "infix" and d.chance(0.5) else f"seeds/{grammar}.txt"
    return grammar


def grammatical(d, s, kind):
    grammar_settings(d, s, kind)
    pi = d.chance(0.35)
    if pi:
        s["mapping"] = "pi"
    if d.chance(0.5):
        s["codon-consumption"] = "lazy"
    if d.chance(0.6):
        s["wrap-rule"] = d.one(["codons", "libge", "geva"] if pi else ["libge", "geva", "ponyge-linear"])
    branches = not pi and s["max-depth"] != "auto"
    s["crossover"] = d.one(["auto", "none", "fixed-onepoint", "variable-onepoint", "fixed-twopoint",
                            "variable-twopoint", "uniform"] + ["subtree", "subtree"] * branches)
    if branches and d.chance(0.4):
        s["subtree-mutation"] = d.real(0.1, 1)
        if d.chance(0.5):
            s["subtree-mutation-depth"] = d.whole(2, 7)
    if d.chance(0.4):
        s["codon-duplication"] = d.real(0, 0.5)
    if d.chance(0.4):
        s["codon-deletion"] = d.real(0, 0.5)
    s["initialisation"] = d.one(["auto", "uniform", "grow", "full", "ramped", "ptc2", "pi-grow"])
    genome_variation(d, s)


def structured(d, s, kind):
    s["genotype"] = "structured"
    grammar_settings(d, s, kind)
    s["max-depth"] = d.one([7, 9, 12])
    s["crossover"] = d.one(["auto", "none", "lists", "lists", "uniform", "fixed-onepoint", "fixed-twopoint"])
    s["initialisation"] = d.one(["auto", "uniform", "grow", "full", "ramped", "ptc2", "pi-grow"])
    genome_variation(d, s)


def genome_variation(d, s):
    if d.chance(0.3):
        s["mutation-events"] = d.whole(1, 4)
    elif d.chance(0.6):
        s["codon-mutation"] = d.real(0, 0.2)
    for key in ("crossover-within-used", "mutation-within-used"):
        if d.chance(0.4):
            s[key] = "false"
    s["invalid"] = d.one(["worst", "excluded", "redrawn"])
    if d.chance(0.15):
        s["distinct-ramp"] = "true"
    if d.chance(0.4):
        s["init-max-depth"] = d.whole(5, 7)
        s["init-min-depth"] = d.whole(1, 5)
    if s["initialisation"] == "ptc2":
        s["init-min-nodes"], s["init-max-nodes"] = d.whole(1, 5), d.whole(6, 18)


FUNCTIONS = ["-", "/", "neg", "abs", "min", "max", "square", "cube", "inv", "sqrt", "sin", "cos", "tan", "tanh", "exp",
             "log", "pow", "pdiv", "aq", "plog", "rlog", "klog", "psqrt", "psqrt2", "ppow", "ppow2", "gdiv", "ginv",
             "glog", "<", "<=", ">", ">=", "==", "!=", "and", "or", "xor", "nand", "nor", "not", "if"]
MUTATIONS = ["hoist-mutation", "shrink-mutation", "insert-mutation", "multi-point-mutation", "constant-mutation"]


def tree(d, s, kind):
    s["genotype"] = "tree"
    if kind == "bits":
        s["functions"] = d.one(["auto", "and, nor, not", "nand, nor, xor", "and, or, xor, not, nor"])
    elif d.chance(0.8):
        s["functions"] = ", ".join(["+", "*"] + d.some(FUNCTIONS, d.whole(1, 6)))
    if kind != "bits":
        tree_constants(d, s)
    s["max-nodes"] = d.one([25, 60, 63, 200])
    if d.chance(0.5):
        s["max-depth"] = d.whole(6, 12)
    s["crossover"] = d.one(["auto", "none", "subtree", "depth-dependent", "size-fair", "common-point"])
    if d.chance(0.5):
        s["function-points"] = d.one(["0.9", "0.5", "auto"])
    if d.chance(0.3):
        shares = d.some(["point", "subtree", "constant", "hoist", "shrink", "insert", "multi-point", "copy"], 4)
        s["operators"] = ", ".join(f"{name} {d.real(0.01, 0.12)}" for name in shares)
        s["operators"] += f", crossover {d.real(0.2, 0.5)}"
        s["subtree-mutation"], s["point-mutation"] = 0, 0
    else:
        for key in MUTATIONS:
            if d.chance(0.25):
                s[key] = d.real(0.05, 0.5)
        if d.chance(0.5):
            s["subtree-mutation"] = d.real(0, 0.6)
        if d.chance(0.5):
            s["point-mutation"] = d.real(0, 0.6)
    if d.chance(0.3):
        s["multi-point-rate"] = d.real(0.02, 0.4)
    if d.chance(0.4):
        s["subtree-mutation-depth"] = d.whole(1, 5)
    if d.chance(0.4):
        s["subtree-mutation-growth"] = d.one(["ramped", "grow"])
    s["initialisation"] = d.one(["auto", "grow", "full", "ramped", "ptc2", "sized"])
    if s["initialisation"] in ("ptc2", "sized"):
        s["init-min-nodes"], s["init-max-nodes"] = d.whole(1, 7), d.whole(8, 25)
    elif d.chance(0.4):
        s["init-min-depth"], s["init-max-depth"] = d.whole(1, 3), d.whole(3, 5)
    if d.chance(0.15):
        s["seeds"] = f"seeds/{'word-' if kind == 'bits' else ''}tree.txt"


def tree_constants(d, s):
    if d.chance(0.7):
        s["constant-probability"] = d.real(0.05, 0.6)
        if d.chance(0.5):
            s["constant-min"], s["constant-max"] = d.real(-9, 0), d.real(0.5, 20)
        if d.chance(0.5):
            s["constants"] = d.one(["0:1.27:0.01", "1, -1, ephemeral", "tangent(128, 10)", "0.5, 2, 3.25", "-2:2:0.5"])
    if d.chance(0.4):
        s["constant-creep"] = d.one(["auto", "table", "gaussian"])
    if d.chance(0.3):
        s["creep-deviation"] = d.real(0.01, 2)


# ---- the run ----


def breeding(d, s):
    s["population"] = population = d.one([12, 30, 61, 100, 130, 200])
    if d.chance(0.3):
        s["topology"] = "torus" if d.chance(0.6) else "panmictic"
    if s.get("topology") == "torus":
        s["deme-width"], s["deme-height"] = d.one([(5, 6), (8, 8), (10, 4), (2, 20)])
        s["population"] = s["deme-width"] * s["deme-height"]
        if d.chance(0.3):
            del s[d.one(["deme-width", "population"])]
        if s["genotype"] != "tree" and s["invalid"] == "excluded":
            s["invalid"] = "redrawn"
        if d.chance(0.4):
            s["parsimony"] = d.one(["coefficient", "covariant", "tarpeian"])
    else:
        panmictic(d, s, population)
    if d.chance(0.4):
        s["crossover-probability"] = d.real(0, 1)
    if d.chance(0.3):
        s["children"] = "one"
    if d.chance(0.25):
        s["unique"] = "true"
    if d.chance(0.4):
        s["tries"] = d.one([1, 2, 5, 40])


def panmictic(d, s, population):
    s["selection"] = d.one(["tournament", "tournament", "tournament", "roulette", "rank", "truncation"])
    s["parsimony"] = d.one(["none", "none", "none", "coefficient", "covariant", "tarpeian"] +
                           ["double-tournament"] * (s["selection"] == "tournament"))
    if s["selection"] == "tournament" and d.chance(0.7):
        s["tournament"] = d.one([1, 3, 4, 7])
    if s["selection"] == "rank":
        s["rank-pressure"] = d.real(1, 2)
    if s["selection"] == "truncation":
        s["truncation"] = d.real(0.05, 1)
    if s["parsimony"] != "none" and d.chance(0.6):
        s["parsimony-strength"] = d.real(1, 2) if s["parsimony"] == "double-tournament" else d.real(0, 0.8)
    if d.chance(0.2):
        s["replacement"] = "steady-state"
        s["population"] = population = min(population, 50)
        if d.chance(0.7):
            s["children-per-step"] = d.one([1, 3, 5, 8, population])
        s["generations"] = d.whole(1, 4)
    elif d.chance(0.5):
        s["elites"] = d.one([0, 1, 2, 5, population - 1])


def fitness(d, s, kind):
    if kind == "bits":
        if d.chance(0.5):
            s["metric"] = "boolean-hits"
    else:
        s["metric"] = d.one({
            "real": ["auto", "sae", "mae", "mse", "rmse", "r2", "hits", "hits"],
            "binary": ["misclassified", "misclassified", "balanced-accuracy", "hinge", "f1", "f1", "mse"],
            "classes": ["misclassified", "misclassified", "misclassified", "mae"],
        }[kind])
    metric = s.get("metric")
    if metric == "hits" and d.chance(0.8):
        s["tolerance"] = d.real(0.01, 1)
    if metric == "misclassified":
        s["class-rule"] = d.one(["nearest", "thresholds", "fitted", "fitted"] + ["sign"] * 2 * (kind == "binary"))
        if s["class-rule"] == "thresholds":
            s["thresholds"] = "0.5" if kind == "binary" else d.one(["0.5, 1.5", "-1, 0.25, 2.5"])
    if metric in ("balanced-accuracy", "f1") and d.chance(0.5):
        s["thresholds"] = d.real(-1, 1)
    if metric in ("mse", "rmse", "r2") and d.chance(0.45):
        s["linear-scaling"] = "true"
    elif metric != "r2" and d.chance(0.35) and s.get("boolean", "-7")[-2:] in ("-6", "11", "-7"):
        s["case-sampling"] = d.one(["random", "rotating", "fixed"])
        s["sample-cases"] = 32 * d.whole(1, 2) if kind == "bits" else d.whole(5, 25)
        if s["case-sampling"] != "fixed" and d.chance(0.5):
            s["sample-every"] = d.whole(2, 4)
    if d.chance(0.15):
        s["target-fitness"] = d.one(["0.3", "0.05", "8", "30", "none"])
    if d.chance(0.1):
        s["math"] = d.one(["exact", "fast"])


def the_rest(d, s):
    s.setdefault("generations", d.one([0, 5, 8, 12, 20, 30]))
    s["seed"] = d.one([d.whole(1, 99999), 18446744073709551615 - d.whole(9, 99)])
    if d.chance(0.4):
        s["runs"] = d.whole(2, 5)
    if d.chance(0.5):
        s["predictions"] = d.one([1, 5, 12])
    if d.chance(0.2):
        s["ponyge2-statistics"] = "true"
        s.pop("runs", None)
    if d.chance(0.3):
        s["epoch"] = d.one([1, 3, 7])
    if d.chance(0.1):
        s["name"] = "named"


# Settings that do not fit most others: what the program does about them is a result too.
STRANGE = [("crossover", "lists"), ("crossover", "size-fair"), ("invalid", "excluded"), ("mapping", "pi"),
           ("max-depth", 3), ("elites", 12), ("elites", 200), ("tournament", 500), ("genome-length", 900),
           ("wrap-rule", "ponyge-linear"), ("sample-cases", 10), ("codon-size", 1), ("operators", "point 2"),
           ("thresholds", "1, 0"), ("functions", "+, +"), ("constants", "a"), ("target", "nobody"), ("inputs", "x9"),
           ("popultion", 10), ("population", 1), ("max-nodes", 1), ("metric", "r2"), ("selection", "lexicase"),
           ("initialisation", "sized"), ("replacement", "steady-state"), ("topology", "torus"), ("boolean", "parity-4"),
           ("test-fraction", 1), ("variables", "x = normal(0, 1)"), ("lags", "0"), ("init-max-depth", 40)]


def search(d, s):
    """What came later than the pinned digests, from draws of its own."""
    if d.chance(0.6):
        islands(d, s)
    if d.chance(0.4):
        s["selection"] = d.one(["lexicase", "epsilon-lexicase", "epsilon-lexicase"])
        s["parsimony"] = "none"
        s["epsilon"] = d.one(["static", "semi-dynamic", "dynamic"])
        if d.chance(0.5):
            s["lexicase-cases"] = d.one([5, 20, 100])
        if d.chance(0.4):
            s["lexicase-batch"] = d.one([2, 7])
    elif d.chance(0.3):
        several(d, s)
        return
    if d.chance(0.4):
        s["restart-after"] = d.one([1, 2, 3])
    if d.chance(0.4):
        s["validation-fraction"] = d.real(0.1, 0.6)
    if d.chance(0.5) and s["genotype"] == "tree" and s.get("metric") in ("mse", "rmse", "r2", "mae", "sae", "hits"):
        constants(d, s)


def several(d, s):
    """Objectives, and what does not go with them taken out."""
    for key in ("case-sampling", "sample-cases", "sample-every", "topology", "deme-width", "deme-height", "replacement",
                "children-per-step", "elites"):
        s.pop(key, None)
    s["parsimony"] = "none"
    s["migration-every"] = 0
    s["objectives"] = d.one(["error, nodes", "error, nodes", "depth, error", "error, complexity", "error, nodes, depth",
                             "complexity, derivation-nodes, error", "error, mae, nodes", "error, max-error"])
    s["front-choice"] = d.one(["auto", "error", "knee"] + ["mdl"] * (s.get("metric") in ("mse", "rmse", "r2", "mae")))
    if d.chance(0.3):
        s["validation-fraction"] = d.real(0.1, 0.6)
    if d.chance(0.3) and s["genotype"] == "tree" and s.get("metric") in ("mse", "rmse", "r2"):
        constants(d, s)
        s["optimise-constants"] = d.one(["share", "all"])


def constants(d, s):
    steady = s.get("replacement") == "steady-state"
    s["math"] = "exact"
    s["metric"] = s["metric"] if s["metric"] == "r2" else d.one(["mse", "rmse"])
    s["optimise-constants"] = d.one(["share", "all"] + ["elites"] * (not steady))
    s["optimise-iterations"] = d.one([1, 2, 5, 12])
    s["optimise-share"] = d.one([0.02, 0.3, 1])
    s["weighted-inputs"] = d.one(["true", "false"])


def islands(d, s):
    s["islands"] = d.one([2, 3, 4, 6, 9])
    s["migration-every"] = d.one([1, 1, 2, 3, 0])
    s["migration-size"] = d.one([1, 2, 3, "0.1"])
    s["migration-topology"] = d.one(["ring", "full", "random"] + ["torus"] * (s["islands"] > 3))
    s["migrants"] = d.one(["best", "tournament", "random"])
    s["migrants-replace"] = d.one(["worst", "random"])


def memory_apart(s):
    """Engines that have memory for their own individuals alone: nobody changes others'."""
    s["spread"] = "memory"
    if s.get("selection") == "nsga2" or "objectives" in s:
        s["selection"] = "tournament"
    if int(s.get("islands", 1)) > 1:
        s["migration-every"] = 0
    for key in ("objectives", "optimise-constants", "optimise-iterations", "optimise-share", "weighted-inputs",
                "mutate-duplicates", "archive", "niches", "niche-share", "unique", "restart-after"):
        s.pop(key, None)
    if s.get("invalid") == "redrawn":
        s.pop("invalid")


def cases_apart(d, s):
    """Engines that share the fitness cases of a run, of which there are several chunks, in samples mostly too."""
    s["spread"] = "cases"
    if "lexicase" in str(s.get("selection")):
        s["selection"] = "tournament"
    if "objectives" in s:
        s["selection"] = "nsga2"
    if "case-sampling" in s or s.get("class-rule") == "fitted":
        s.pop("validation-fraction", None)
        s.pop("restart-after", None)
    for key in ("epsilon", "lexicase-cases", "lexicase-batch", "optimise-constants", "optimise-iterations",
                "optimise-share", "weighted-inputs"):
        s.pop(key, None)
    cases = d.one([1025, 2047, 2048, 3000, 4100])
    if "boolean" in s:
        s["boolean"] = d.one(["parity-16", "odd-parity-17"])
        s["functions"] = s.get("functions", "and, or, xor, not") if s["genotype"] == "tree" else "auto"
    elif "data" in s:
        for key in ("test-data", "train-rows", "test-rows"):
            s.pop(key, None)
        s["data"] = s["data"].replace("tables/", "tables/long-")
    elif "lags" in s:
        s.pop("series", None)
        s.update({"generate": "mackey-glass", "train-cases": cases})
    elif "sequences" in s or s.get("generate") == "proteins":
        for key in ("sequences", "positive", "test-sequences"):
            s.pop(key, None)
        s.update({"generate": "proteins", "train-cases": cases, "test-cases": 40})
    else:
        names = ", ".join(part.split("=")[0].strip() for part in s["variables"].split(";"))
        s.update({"variables": names + " = uniform(-1, 1.5)", "train-cases": cases})
    if "sample-cases" in s and d.chance(0.8):
        s["sample-cases"] = 32 * d.one([1000, 1100]) if "boolean" in s else d.one([1030, 1900])


def spread(d, s, what):
    """For several engines, which have fitness cases, individuals (population), memory for their own (memory) or islands
    each. Diversity is not counted over islands on several, and who is exchanged by rank stays on one."""
    if what == "cases":
        cases_apart(d, s)
    elif what == "population":
        s["spread"] = "population"
    elif what == "memory":
        memory_apart(s)
    else:
        s.pop("diversity", None)
        islands(d, s)
        if s.get("objectives"):
            s["migration-every"] = 0


def draw(seed, index, attempt=0):
    """A seed that begins with "search" adds settings of search()."""
    d = Draw(seed, index, attempt)
    s = {"genotype": "grammar"}
    kind = d.one(PROBLEMS)(d, s)
    d.one([grammatical] * 5 + [structured] * 2 + [tree] * 4)(d, s, kind)
    breeding(d, s)
    fitness(d, s, kind)
    the_rest(d, s)
    if d.chance(0.08):
        s.update([d.one(STRANGE)])
    if str(seed).startswith("search"):
        search(Draw(seed, index, attempt, "search"), s)
    return list(s.items())


def value_text(value):
    text = str(value)
    return text if all(c.isalnum() or c in "-./_" for c in text) and text[:1] != "-" else f'"{text}"'


def text(settings):
    return "".join(f"{key}: {value_text(value)}\n" for key, value in settings)


def suffix(settings):
    """Runs that fit lines, whose selection weighs sizes by covariance, or that differ on a GPU are told by a suffix."""
    marks = [("linear-scaling", "true", "-scaled"), ("parsimony", "covariant", "-covariant"), ("math", "fast", "-fast")]
    return "".join(mark for key, value, mark in marks if dict(settings).get(key) == value)


def name(index, attempt, settings):
    return f"r{index:03d}" + (f".{attempt}" if attempt else "") + suffix(settings)
