"""The runs that program and model are compared on: every rule of gpu/core at least once, and the pairs of rules that
meet. A run is its name and the lines of its run file."""
import os
from random import Random

GRAMMARS = {
    "infix": "<e> ::= (<e> <op> <e>) | (<e> <op> <e>) | pdiv(<e>, <e>) | x<i> | x<i> | <d>.<d>\n"
             "<op> ::= + | - | *\n<i> ::= 0 | 1\n<d> ::= 0 | 1 | 2 | 5 | 7\n",
    # a rule without a choice, one that cannot recur, recursion by way of another rule
    "chain": "<s> ::= <e>\n<e> ::= <t> + <e> | <t>\n<t> ::= <f> * <t> | <f>\n<f> ::= x<i> | max(<e>, <f>) | <one>\n"
             "<i> ::= 0 | 1\n<one> ::= 1.5\n",
    "outputs": "<p> ::= argmax(<e>, <e>, <e>, <e>) | argmax(<e>, <e>)\n<e> ::= (<e> <op> <e>) | x<i> | x<i> | (<e> / <e>) | <d>.<d>\n"
               "<op> ::= + | - | *\n<i> ::= 0 | 1\n<d> ::= 0 | 1 | 2 | 5 | 7\n",
    "several": "<p> ::= targets(<e>, <e>)\n<e> ::= (<e> <op> <e>) | x<i> | x<i> | (<e> / <e>) | <d>.<d>\n"
               "<op> ::= + | - | *\n<i> ::= 0 | 1\n<d> ::= 0 | 1 | 2 | 5 | 7\n",
    "bits": "<b> ::= and(<b>, <b>) | or(<b>, <b>) | xor(<b>, <b>) | not(<b>) | x<i> | x<i>\n<i> ::= 0 | 1 | 2\n",
}


def tables(folder):
    """Numbers that floats hold: eighths, but for a table or two."""
    state = 12345

    def draw(n):
        nonlocal state
        state = (state * 1103515245 + 12345) % 2 ** 31
        return state >> 16 and (state >> 16) % n

    def save_several(name, rows, outputs):
        """Targets at other ends than where they are named; each of another size."""
        with open(os.path.join(folder, name), "w") as out:
            out.write(",".join(["t0", "x0", "x1"] + [f"t{k}" for k in range(1, outputs)]) + "\n")
            for _ in range(rows):
                a, b = (draw(65) - 32) / 8, (draw(65) - 32) / 8
                t = [4 ** (k % 5) * (a * b / 4 + (k - 3) * a - k % 3 * b + draw(5) / 8) for k in range(outputs)]
                out.write(",".join(map(str, [t[0], a, b] + t[1:])) + "\n")

    def save(name, rows, target, unit=8):
        with open(os.path.join(folder, name), "w") as out:
            out.write("x0,x1,y\n")
            for _ in range(rows):
                a, b = (draw(65) - 32) / unit, (draw(65) - 32) / unit
                out.write(f"{a},{b},{target(a, b)}\n")

    save("real.csv", 20, lambda a, b: a * b + a - 0.5 + (draw(5) - 2) / 8)
    save("real-test.csv", 12, lambda a, b: a * b + a - 0.5)
    save("lanes.csv", 150, lambda a, b: a * a - b / 2 + draw(3) / 16)
    save("chunks.csv", 1100, lambda a, b: a * a - b / 2)
    save("far.csv", 40, lambda a, b: 100000000.0 + (a - b) / 4)  # no floats hold these
    save("binary.csv", 30, lambda a, b: int(a * b > 1 - draw(4)))
    save("signs.csv", 24, lambda a, b: 1 if a > b else -1)
    save("classes.csv", 40, lambda a, b: int(a > -1) + int(b > a) + int(a + b > draw(6)))
    save("sevenths.csv", 5, lambda a, b: a * a * a - b / 2, 7)  # few of them: one place of one output shows
    for name, rows, outputs in (("several.csv", 20, 2), ("several-test.csv", 12, 2), ("several-chunks.csv", 1100, 3), ("many.csv", 15, 20)):
        save_several(name, rows, outputs)
    for name, grammar in GRAMMARS.items():
        with open(os.path.join(folder, name + ".bnf"), "w") as out:
            out.write(grammar)


# Lengths and numbers; a flag is never a leaf, and an area, the target of some, neither.
TYPES = ("x0, x1 = length; constants = number; target = length; +, - = length length -> length; + = number number -> number; "
         "* = number length -> length; * = length number -> length; * = number number -> number; * = length length -> area; "
         "+ = area area -> area; neg = length -> length; < = length length -> flag; < = area area -> flag; "
         "and = flag flag -> flag; if = flag length length -> length; if = flag area area -> area")


def with_hyphens(settings):
    return {key.replace("_", "-"): value for key, value in settings.items()}


def genome(**more):
    return {"data": "real.csv", "grammar": "infix.bnf", "population": 24, "generations": 5, "max-depth": 14,
            "max-genome-length": 80, "genome-length": min(30, more.get("max_genome_length", 80)), **with_hyphens(more)}


def pi(**more):
    return genome(mapping="pi", **more)


def lists(**more):
    return genome(**{"genotype": "structured", "max_depth": 8, "max_genome_length": 120, **more})


def tree(**more):
    return {"data": "real.csv", "genotype": "tree", "population": 24, "generations": 5, "max-nodes": 40, "max-depth": 7,
            "constant-probability": 0.2, **with_hyphens(more)}


def word(**more):
    return {"boolean": "multiplexer-6", "genotype": "tree", "functions": "and, or, not, nor", "population": 30,
            "generations": 4, "max-nodes": 40, "max-depth": 8, **with_hyphens(more)}


def typed(**more):
    return tree(**{"typed": "true", "functions": "+, -, *, neg, <, and, if", "generations": 7, "types": TYPES, **more})


def argmax(**more):
    return tree(**{"data": "classes.csv", "metric": "misclassified", "class_rule": "argmax", "generations": 6,
                   "functions": "+, -, *, /, max, neg", "init_max_depth": 4, **more})


def several(**more):
    return tree(**{"data": "several.csv", "targets": "t1, t0", "generations": 6, "functions": "+, -, *, /, max, if",
                   "max_nodes": 60, "init_max_depth": 4, **more})


def islands(kind=tree, **more):
    """Few on each, that meet often."""
    return kind(**{"population": 11, "islands": 4, "migration_every": 1, "migration_size": 2, "predictions": 44, **more})


RUNS = {
    # islands
    "islands-ring": islands(population=12, migration_size=0.3, test_data="real-test.csv", runs=2, predictions=96),
    "islands-torus": islands(islands=6, migration_topology="torus", migration_size=5, selection="roulette"),
    "islands-full": islands(migration_topology="full", migrants="random", migrants_replace="random", elites=0),
    "islands-random": islands(islands=5, migration_topology="random", migrants="tournament", tournament=3,
                              selection="rank", parsimony="covariant", runs=2),
    "islands-all-but-one": islands(islands=2, population=5, migration_size=4, migrants_replace="random", elites=3),
    "islands-apart": islands(migration_every=0),
    "islands-genomes": islands(genome, migration_every=2, generations=6, crossover="subtree", subtree_mutation=0.3,
                               invalid="excluded", migrants_replace="random"),
    "islands-lists": islands(lists, migration_topology="torus", migration_size=3),
    "islands-pi": islands(pi, migration_topology="random", invalid="redrawn"),
    "islands-steady": islands(replacement="steady-state", children_per_step=3, generations=4, migration_every=2),
    "islands-samples": islands(case_sampling="random", sample_cases=7, sample_every=2, migrants="random"),
    "islands-target": islands(target_fitness=1.9, metric="rmse", runs=3, generations=9, migration_topology="full"),
    "islands-stagnate": islands(stagnation=2, generations=30, runs=3, migrants="random", metric="hits"),
    "islands-cells": islands(topology="torus", deme_width=4, deme_height=3, population=12),
    "islands-validated": islands(validation_fraction=0.3, stagnation=3, generations=12, test_data="real-test.csv"),
    # doubles
    "double-tree": tree(precision="double", data="far.csv", functions="+, -, *, /, sqrt", runs=2, constant_probability=0.4),
    "double-chunks": tree(precision="double", data="chunks.csv", metric="mae", generations=3),
    "double-validated": tree(precision="double", data="far.csv", validation_fraction=0.4, metric="r2", generations=9),
    "double-test": tree(precision="double", test_data="real-test.csv", metric="max-error"),
    "double-hits": tree(precision="double", data="lanes.csv", metric="hits", tolerance=0.25),
    "double-islands": islands(precision="double", data="signs.csv", metric="hinge"),
    "double-genome": genome(precision="double", data="far.csv", metric="sae"),
    # chosen by validation, populations drawn anew
    "validated-scaled": tree(validation_fraction=0.25, linear_scaling="true", metric="r2", test_data="real-test.csv", runs=2),
    "validated-chunks": tree(data="chunks.csv", validation_fraction=0.95, metric="mae", generations=3),
    "validated-classes": genome(data="classes.csv", validation_fraction=0.4, metric="misclassified", class_rule="nearest"),
    "validated-binary": tree(data="binary.csv", validation_fraction=0.5, metric="f1", target_fitness=0.8, generations=9),
    "validated-largest": tree(validation_fraction=0.5, metric="max-error", generations=9),
    "restarts-tree": tree(restart_after=1, generations=12, runs=2, population=9),
    "restarts-sized": tree(restart_after=2, generations=12, initialisation="ptc2", init_min_nodes=2, init_max_nodes=20, population=7),
    "restarts-genome": genome(restart_after=1, generations=9, population=7, crossover="subtree"),
    "restarts-lists": lists(restart_after=1, generations=9, population=7),
    "restarts-pi": pi(restart_after=1, generations=9, population=7, invalid="redrawn"),
    "restarts-steady": tree(restart_after=1, generations=5, population=7, replacement="steady-state", children_per_step=2),
    "restarts-cells": tree(restart_after=2, generations=9, topology="torus", deme_width=3, deme_height=3, population=9),
    "restarts-islands": islands(restart_after=2, generations=11, migration_every=2, validation_fraction=0.2),
    # parents by cases
    "lexicase": tree(selection="lexicase", metric="misclassified", data="classes.csv", runs=2),
    "lexicase-words": word(selection="lexicase"),
    "lexicase-hits": genome(selection="lexicase", metric="hits", tolerance=0.5, invalid="excluded"),
    "lexicase-hinge": tree(selection="lexicase", data="signs.csv", metric="hinge", lexicase_batch=5),
    "lexicase-binary": tree(selection="epsilon-lexicase", data="binary.csv", metric="balanced-accuracy", population=45),
    "epsilon-static": tree(selection="epsilon-lexicase", epsilon="static", population=33, children="one"),
    "epsilon-semi": genome(selection="epsilon-lexicase", lexicase_cases=7, metric="mae"),
    "epsilon-dynamic": lists(selection="epsilon-lexicase", epsilon="dynamic", lexicase_batch=3),
    "epsilon-pi": pi(selection="epsilon-lexicase", lexicase_cases=11, lexicase_batch=4),
    "epsilon-samples": tree(selection="epsilon-lexicase", case_sampling="random", sample_cases=9),
    "epsilon-steady": tree(selection="epsilon-lexicase", replacement="steady-state", children_per_step=5, generations=2),
    "epsilon-islands": islands(selection="epsilon-lexicase", epsilon="dynamic", restart_after=2, generations=8),
    "islands-words": islands(word, migration_topology="full", migration_size=3),
    # parents from niches
    "niches": tree(archive="niches", generations=9, runs=2, niche_share=0.5),
    "niches-few": tree(archive="niches", niches=17, niche_share=1, generations=9, functions="+, *, neg, if, square, sqrt", metric="mae"),
    "niches-scaled": tree(archive="niches", linear_scaling="true", niche_share=0.7, generations=9, restart_after=2),
    "niches-genomes": genome(archive="niches", generations=8, invalid="excluded", crossover="subtree", subtree_mutation=0.3),
    "niches-lists": lists(archive="niches", niche_share=0.6, parsimony="coefficient"),
    "niches-pi": pi(archive="niches", selection="rank", niche_share=0.6),
    "niches-islands": islands(archive="niches", niche_share=0.5, restart_after=3, generations=9, runs=2),
    "niches-lexicase": tree(archive="niches", selection="epsilon-lexicase", niche_share=0.4),
    "niches-front": tree(archive="niches", selection="nsga2", niche_share=0.4, generations=8),
    "niches-words": word(archive="niches", niche_share=0.6, niches=64),
    "niches-hits": tree(archive="niches", metric="hits", tolerance=0.5, validation_fraction=0.2, children="one"),
    # trees of types
    "typed": typed(runs=2),
    "typed-area": typed(types=TYPES.replace("target = length", "target = area"), initialisation="grow", max_nodes=25),
    "typed-full": typed(initialisation="full", init_max_depth=4, subtree_mutation_growth="ramped", subtree_mutation=0.4, children="one"),
    "typed-tight": typed(types=TYPES.replace("target = length", "target = area") + "; - = length number -> area; "
                         "if = length length number -> area", max_nodes=3, initialisation="full", init_max_depth=4, population=40),
    "typed-flag": typed(types=TYPES.replace("target = length", "target = flag"), data="binary.csv", metric="f1", init_max_depth=3),
    "typed-all": typed(point_mutation=0.3, subtree_mutation=0.3, constant_mutation=0.3, constants="-1, 0.5, 2", hoist_mutation=0.2,
                       shrink_mutation=0.2, multi_point_mutation=0.3, tries=4),
    "typed-points": typed(function_points=0.8, max_depth=5, init_max_depth=5, hoist_mutation=0.3, generations=9),
    "typed-fair": typed(crossover="size-fair", shrink_mutation=0.3),
    "typed-common": typed(crossover="common-point", unique="true"),
    "typed-operators": typed(operators="crossover 0.6, point 0.1, subtree 0.1, hoist 0.1, multi-point 0.1"),
    "typed-insert": typed(insert_mutation=1, max_nodes=20, max_depth=6, init_max_depth=3, subtree_mutation=0, runs=2),
    "typed-insert-area": typed(types=TYPES.replace("target = length", "target = area"), insert_mutation=0.8, constants="-1, 0.5, 2", tries=3),
    "typed-niches": islands(typed, archive="niches", restart_after=2, generations=9, niche_share=0.5),
    "typed-words": word(typed="true", types="A0, A1, D0 = a; D1, D2, D3 = b; and, or, nor = a a -> a; and = b b -> b; "
                        "or = a b -> c; not = a -> a; not = c -> c; target = c"),
    # an output for every class
    "argmax": argmax(runs=2, subtree_mutation=0.4, test_data="classes.csv"),
    "argmax-full": argmax(initialisation="full", init_max_depth=4, subtree_mutation_growth="ramped", subtree_mutation=0.6, max_depth=5),
    "argmax-tight": argmax(max_nodes=9, initialisation="grow", hoist_mutation=0.3, shrink_mutation=0.3),
    "argmax-insert": argmax(insert_mutation=0.9, tries=4, init_max_depth=3),
    "argmax-mutations": argmax(constants="-1, 0.5, 2", point_mutation=0.5, multi_point_mutation=0.5, constant_mutation=0.3, crossover="size-fair"),
    "argmax-types": argmax(typed="true", types=TYPES, data="signs.csv", functions="+, -, *, neg, <, and, if", crossover="common-point"),
    "argmax-lexicase": argmax(selection="lexicase", validation_fraction=0.2, unique="true"),
    "argmax-niches": islands(argmax, archive="niches", generations=9, niche_share=0.5),
    "argmax-front": argmax(selection="nsga2", objectives="error, depth"),
    "argmax-genomes": genome(grammar="outputs.bnf", data="classes.csv", metric="misclassified", class_rule="argmax", max_depth=12),
    "argmax-branches": genome(grammar="outputs.bnf", data="classes.csv", metric="misclassified", class_rule="argmax",
                              max_depth=12, crossover="subtree", subtree_mutation=0.3, case_sampling="random", sample_cases=12),
    # an output for every target
    "targets": several(runs=2, subtree_mutation=0.4, test_data="several-test.csv"),
    "targets-mse": several(metric="mse", target_scaling="none", initialisation="full", subtree_mutation_growth="ramped", subtree_mutation=0.6, max_depth=5),
    "targets-mae": several(metric="mae", max_nodes=17, initialisation="grow", hoist_mutation=0.3, shrink_mutation=0.3),
    "targets-sae": several(metric="sae", target_scaling="none", insert_mutation=0.9, tries=4, init_max_depth=3, children="one"),
    "targets-mutations": several(constants="-1, 0.5, 2", point_mutation=0.5, multi_point_mutation=0.5, constant_mutation=0.3, crossover="size-fair"),
    "targets-points": several(targets="t0, t1", crossover="common-point", function_points=0.8),
    "targets-twenty": several(data="many.csv", targets=", ".join(f"t{k}" for k in (7, 3, *range(8, 20), 0, 1, 2, 4, 5, 6)), max_nodes=300,
                              generations=4, init_max_depth=3, crossover="common-point", unique="true"),
    "targets-chunks": several(data="several-chunks.csv", targets="t0, t1, t2", generations=3, population=12),
    "targets-lexicase": several(selection="lexicase", validation_fraction=0.2, unique="true"),
    "targets-epsilon": islands(several, selection="epsilon-lexicase", metric="mae", runs=2),
    "targets-islands": islands(several, restart_after=3, generations=9, validation_fraction=0.3, test_data="several-test.csv"),
    "targets-front": several(selection="nsga2", objectives="error, depth"),
    "targets-samples": several(case_sampling="random", sample_cases=7, test_data="several-test.csv"),
    "targets-genomes": genome(grammar="several.bnf", data="several.csv", targets="t0, t1", max_depth=12, test_data="several-test.csv"),
    "targets-branches": genome(grammar="several.bnf", data="several.csv", targets="t1, t0", metric="mae", max_depth=12,
                               crossover="subtree", subtree_mutation=0.3, case_sampling="random", sample_cases=12),
    "targets-lists": lists(grammar="several.bnf", data="several.csv", targets="t1, t0", max_depth=12, metric="sae"),
    "targets-pi": pi(grammar="several.bnf", data="several.csv", targets="t0, t1", unique="true"),
    "niches-target": tree(archive="niches", target_fitness=1.2, runs=3, generations=14, niche_share=0.5),
    # several objectives
    "front": tree(selection="nsga2", generations=9, runs=2, test_data="real-test.csv"),
    "front-alone": tree(selection="nsga2", population=1, generations=5),
    "front-two": tree(selection="nsga2", population=2, generations=9, tournament=3),
    "front-three": tree(objectives="nodes, error, depth", metric="mae", generations=7),
    "front-complexity": genome(objectives="error, complexity", invalid="excluded", generations=7),
    "front-derivations": genome(objectives="error, derivation-nodes, nodes", crossover="subtree", subtree_mutation=0.2),
    "front-metrics": tree(objectives="error, max-error, nodes", metric="mae", generations=7),
    "front-scaled": tree(objectives="r2, nodes", metric="r2", linear_scaling="true", generations=7),
    "front-classes": tree(objectives="error, hinge", data="signs.csv", metric="misclassified", class_rule="sign"),
    "front-words": word(selection="nsga2", generations=6),
    "front-lists": lists(selection="nsga2", invalid="redrawn"),
    "front-pi": pi(selection="nsga2", tournament=1, children="one"),
    "front-islands": islands(selection="nsga2", migration_every=0, generations=7),
    "front-migrants": islands(selection="nsga2", generations=9, migration_every=2, runs=2),
    "front-worst": islands(selection="nsga2", generations=9, migration_every=1, migration_size=4, migrants="tournament",
                           migrants_replace="worst", objectives="error, depth, nodes"),
    "front-migrants-words": islands(word, selection="nsga2", migration_topology="full", migration_size=3),
    "front-target": tree(selection="nsga2", target_fitness=1.5, metric="rmse", runs=3, generations=12),
    "front-validated": tree(selection="nsga2", validation_fraction=0.25, generations=7),
    # first generations
    "genome-uniform": genome(initialisation="uniform", max_wraps=2, test_data="real-test.csv"),
    "genome-grow": genome(initialisation="grow", codon_size=5),
    "genome-full": genome(initialisation="full", init_max_depth=6, max_genome_length=200, codon_size=11),
    "genome-ramped": genome(init_min_depth=3, init_max_depth=7, population=40, elites=3),
    "genome-ramped-cut": genome(init_max_depth=10, max_genome_length=40, generations=2),
    "genome-pi-grow": genome(initialisation="pi-grow", init_min_depth=4, init_max_depth=7, generations=3),
    "genome-ptc2": genome(initialisation="ptc2", genome_length=25, generations=3),
    "chain-pi-grow": genome(grammar="chain.bnf", initialisation="pi-grow", init_max_depth=9, generations=3),
    "chain-ptc2": genome(grammar="chain.bnf", initialisation="ptc2", generations=3),
    "lazy": genome(grammar="chain.bnf", codon_consumption="lazy", max_wraps=1),
    "lazy-pi-grow": genome(grammar="chain.bnf", codon_consumption="lazy", initialisation="pi-grow", generations=3),
    "duplicates": genome(mutate_duplicates="true", generations=9, max_depth=6, codon_mutation=0.1),
    "duplicates-few": genome(mutate_duplicates="true", grammar="chain.bnf", tries=3, max_wraps=1, elites=3, unique="true",
                             initialisation="uniform", mutation_events=1, population=40, generations=8),
    "duplicates-branches": genome(mutate_duplicates="true", crossover="subtree", subtree_mutation=0.5, codon_mutation=0,
                                  max_nodes=12, runs=2),
    "duplicates-redrawn": genome(mutate_duplicates="true", invalid="redrawn", tries=4, codon_duplication=0.3, runs=2,
                                 initialisation="uniform"),
    "duplicates-taken-back": genome(mutate_duplicates="true", invalid="redrawn", tries=2, max_depth=7, codon_mutation=0.2, elites=2,
                                    generations=6),
    "duplicates-lists": lists(mutate_duplicates="true", crossover="lists", restart_after=2, generations=8),
    "duplicates-pairs": pi(mutate_duplicates="true", replacement="steady-state", children_per_step=5, generations=2),
    "duplicates-islands": genome(mutate_duplicates="true", islands=3, migration_every=2, migration_size=3, generations=7,
                                 restart_after=3),
    "duplicates-front": genome(mutate_duplicates="true", selection="nsga2"),
    "genome-unique": genome(unique="true", population=40, init_max_depth=4, generations=2),
    "tree-grow": tree(initialisation="grow", init_max_depth=5),
    "tree-full": tree(initialisation="full", init_max_depth=4),
    "tree-ramped": tree(init_min_depth=2, init_max_depth=5, population=40, functions="+, -, *, pdiv, abs, if, <"),
    "tree-ramped-cut": tree(init_min_depth=5, init_max_depth=7, max_nodes=20, generations=2),
    "tree-ptc2": tree(initialisation="ptc2", init_min_nodes=3, init_max_nodes=25, functions="+, *, neg, if, min"),
    "tree-ptc2-shallow": tree(initialisation="ptc2", init_min_nodes=20, init_max_nodes=38, init_max_depth=4),
    "tree-sized": tree(initialisation="sized", init_min_nodes=2, init_max_nodes=20, functions="+, *, abs, if, max"),
    "tree-sized-binary": tree(initialisation="sized", init_min_nodes=2, init_max_nodes=12, init_max_depth=5),
    # operations that round in the middle, of numbers that take all of a fraction
    "rounding-cube": tree(data="sevenths.csv", functions="cube, -, *, if", metric="sae", constant_probability=0.5, generations=3),
    "rounding-aq": tree(data="sevenths.csv", functions="aq, psqrt, +, >", metric="sae", population=99, seed=2, constant_probability=0.5, generations=3),
    "rounding-inv": tree(data="sevenths.csv", functions="inv, pdiv, square, -", constant_probability=0.5, generations=3),
    "rounding-doubles": tree(data="sevenths.csv", functions="cube, aq, inv, psqrt, square, pdiv, >, -", constant_probability=0.5,
                             precision="double", generations=3),
    "tree-unique": tree(unique="true", population=60, init_max_depth=2, generations=1),
    "tree-constants": tree(constants="0.5, 2, 3.25, ephemeral", constant_min=-3, constant_max=5,
                           constant_probability=0.6),
    # other mappings
    "pi": pi(max_wraps=1), "pi-uniform": pi(initialisation="uniform", genome_length=60, max_wraps=2),
    "pi-lazy": pi(grammar="chain.bnf", codon_consumption="lazy"),
    "pi-small-codons": pi(codon_size=6, init_max_depth=8, max_genome_length=160),
    "pi-pi-grow": pi(initialisation="pi-grow", init_max_depth=6),
    "pi-ptc2": pi(initialisation="ptc2", generations=3),
    "lists": lists(max_wraps=1), "lists-uniform": lists(initialisation="uniform", crossover="uniform"),
    "lists-onepoint": lists(crossover="fixed-onepoint", mutation_within_used="false", codon_mutation=0.1),
    "lists-twopoint": lists(crossover="fixed-twopoint", mutation_events=3),
    "lists-chain": lists(grammar="chain.bnf", initialisation="pi-grow", codon_mutation=0.2),
    "lists-short": lists(max_genome_length=25),
    # crossover and mutation of genomes
    "fixed-onepoint": genome(crossover="fixed-onepoint", crossover_within_used="false"),
    "fixed-twopoint": genome(crossover="fixed-twopoint"),
    "variable-twopoint": genome(crossover="variable-twopoint", crossover_probability=1, max_genome_length=40),
    "uniform": genome(crossover="uniform", max_genome_length=200, genome_length=150, initialisation="uniform"),
    "uniform-used": genome(crossover="uniform", mutation_within_used="false", codon_mutation=0.05),
    "none": genome(crossover="none", codon_mutation=0.3),
    "one-child": genome(children="one", max_genome_length=30, crossover_probability=1, tries=2),
    "no-tries": genome(max_genome_length=30, tries=1, crossover_probability=1),
    "subtree": genome(crossover="subtree", max_depth=9, crossover_probability=1, tries=2),
    "subtree-one": genome(crossover="subtree", max_depth=8, children="one", crossover_probability=1),
    "subtree-mutation": genome(crossover="subtree", subtree_mutation=0.7, subtree_mutation_depth=3, max_depth=9),
    "subtree-mutation-tight": genome(subtree_mutation=1, max_genome_length=26, tries=3, grammar="chain.bnf",
                                     init_max_depth=6),
    "events": genome(mutation_events=4),
    "duplication": genome(codon_duplication=0.5, codon_deletion=0.5),
    # validity
    "excluded": genome(invalid="excluded", initialisation="uniform", genome_length=12, tournament=3),
    "redrawn": genome(invalid="redrawn", max_depth=8, tries=4),
    "redrawn-uniform": genome(invalid="redrawn", crossover="uniform", initialisation="uniform", tries=5,
                              codon_duplication=0.3, codon_deletion=0.3),
    "redrawn-subtree": genome(invalid="redrawn", crossover="subtree", max_nodes=15, max_depth=10, subtree_mutation=0.4),
    "too-large": genome(max_nodes=9, init_max_depth=7),
    "too-large-subtree": genome(max_nodes=9, init_max_depth=5, crossover="subtree", max_depth=10),
    # crossover and mutation of trees
    "tree-points": tree(function_points=0.9), "tree-points-rare": tree(function_points=0.3, init_max_depth=2),
    "depth-dependent": tree(crossover="depth-dependent"), "size-fair": tree(crossover="size-fair", max_nodes=60),
    "size-fair-points": tree(crossover="size-fair", function_points=0.8, functions="+, *, abs, square"),
    "common-point": tree(crossover="common-point", functions="+, *, abs, if, -"),
    "tree-one-child": tree(children="one", max_depth=5, init_max_depth=5, tries=2, crossover_probability=1),
    "tree-tight": tree(max_depth=5, init_max_depth=5, max_nodes=16, tries=3, subtree_mutation=0.6),
    "tree-mutations": tree(point_mutation=0.3, subtree_mutation=0.3, hoist_mutation=0.2, shrink_mutation=0.3,
                           insert_mutation=0.4, multi_point_mutation=0.3, functions="+, -, *, neg, if, min"),
    "tree-insert": tree(insert_mutation=1, max_nodes=14, max_depth=6, tries=3, init_max_depth=3,
                        functions="+, abs, if, *", crossover="none"),
    "tree-hoist": tree(hoist_mutation=1, crossover="none", init_max_depth=6, initialisation="full"),
    "tree-creep": tree(constants="-1, 0.5, 2, 3.25", constant_mutation=0.8, constant_probability=0.5, tries=3),
    "tree-creep-between": tree(constants="-1, 0.5, 2, ephemeral", constant_mutation=0.9, constant_probability=0.7),
    "tree-ramped-subtrees": tree(subtree_mutation=0.9, subtree_mutation_growth="ramped", subtree_mutation_depth=3),
    "operators": tree(operators="crossover 0.4, point 0.15, subtree 0.1, constant 0.1, insert 0.1, shrink 0.05",
                      constants="0, 1, 2", constant_probability=0.3, elites=2),
    # parents
    "tournament": genome(tournament=5, elites=0), "tournament-one": tree(tournament=1, elites=7),
    "roulette": genome(selection="roulette"), "roulette-hits": genome(selection="roulette", metric="hits", tolerance=1.5),
    "roulette-coefficient": tree(selection="roulette", parsimony="coefficient", parsimony_strength=0.3),
    "rank": genome(selection="rank", rank_pressure=1.6), "rank-covariant": tree(selection="rank", parsimony="covariant"),
    "truncation": tree(selection="truncation", truncation=0.3),
    "truncation-excluded": genome(selection="truncation", truncation=0.9, invalid="excluded", genome_length=10,
                                  initialisation="uniform"),
    "roulette-excluded": genome(selection="roulette", invalid="excluded"),
    "coefficient": genome(parsimony="coefficient", parsimony_strength=0.05),
    "covariant": tree(parsimony="covariant", population=70), "tarpeian": tree(parsimony="tarpeian"),
    "double-tournament": tree(parsimony="double-tournament", tournament=3),
    "double-tournament-excluded": genome(parsimony="double-tournament", parsimony_strength=1.8, invalid="excluded"),
    "torus": tree(topology="torus", deme_width=5, deme_height=6, population=30),
    "torus-odd": genome(topology="torus", deme_width=5, deme_height=5, population=25, crossover="uniform"),
    "torus-tarpeian": tree(topology="torus", deme_width=4, deme_height=6, parsimony="tarpeian", parsimony_strength=0.6),
    "steady": genome(replacement="steady-state", children_per_step=3, population=20, generations=3),
    "steady-uneven": tree(replacement="steady-state", children_per_step=7, population=20, generations=3, runs=2),
    "steady-solved": tree(replacement="steady-state", children_per_step=3, population=20, generations=4,
                          target_fitness=1.7, seed=9),
    "segments": tree(population=140, generations=2, tournament=4, elites=5),
    # fitness
    "sae": genome(metric="sae"), "mae-lanes": tree(metric="mae", data="lanes.csv"),
    "mse-chunks": tree(metric="mse", data="chunks.csv", population=12, generations=3, max_nodes=15),
    "r2": tree(metric="r2", test_data="real-test.csv"), "max-error": genome(metric="max-error"),
    "hits": tree(metric="hits", tolerance=0.5, tournament=4), "hinge": tree(metric="hinge", data="binary.csv"),
    "hinge-signs": genome(metric="hinge", data="signs.csv"),
    "nearest": tree(metric="misclassified", data="classes.csv"),
    "thresholds": tree(metric="misclassified", data="classes.csv", class_rule="thresholds", thresholds="-1, 0.25, 2.5"),
    "sign": tree(metric="misclassified", data="signs.csv", class_rule="sign", functions="+, -, *, /, min, max"),
    "fitted": tree(metric="misclassified", data="classes.csv", class_rule="fitted"),
    "balanced": genome(metric="balanced-accuracy", data="binary.csv"),
    "balanced-threshold": tree(metric="balanced-accuracy", data="binary.csv", thresholds="0.75"),
    "f1": tree(metric="f1", data="binary.csv", test_data="signs.csv"),
    "scaled": tree(linear_scaling="true", test_data="real-test.csv"), "scaled-r2": genome(linear_scaling="true", metric="r2"),
    "scaled-chunks": tree(linear_scaling="true", metric="mse", data="chunks.csv", population=8, generations=2,
                          max_nodes=12),
    "target": tree(target_fitness=1, runs=3, generations=8),
    "bits": word(), "bits-genome": {**genome(grammar="bits.bnf", boolean="parity-3"), "data": None},
    "bits-odd": word(boolean="odd-parity-4", functions="and, xor, nand", target_fitness=16, runs=2, generations=6),
    "bits-many": word(boolean="multiplexer-11", population=16, generations=2, functions="and, or, nand, not"),
    # samples
    "sample-random": tree(case_sampling="random", sample_cases=7, data_seed=5, data="lanes.csv", sample_every=2),
    "sample-rotating": genome(case_sampling="rotating", sample_cases=9, test_data="real-test.csv", metric="mae"),
    "sample-fixed": tree(case_sampling="fixed", sample_cases=6, data_seed=77),
    "sample-counts": tree(case_sampling="random", sample_cases=8, metric="f1", data="binary.csv"),
    "sample-steady": tree(case_sampling="random", sample_cases=8, replacement="steady-state", children_per_step=6,
                          population=18, generations=3, sample_every=2),
    "sample-target": tree(case_sampling="random", sample_cases=3, target_fitness=1, runs=4, generations=8),
    "sample-target-islands": islands(case_sampling="random", sample_cases=3, target_fitness=1, runs=4, generations=8),
    "sample-roulette": genome(case_sampling="random", sample_cases=5, selection="roulette", metric="hits", tolerance=1),
    "runs": genome(runs=3, seed=4294967294, elites=2),  # the third seed carries into the other word
}


def text(settings):
    lines = {"seed": 3, "predictions": settings["population"], **settings}
    return "".join(f'{key}: "{value}"\n' for key, value in lines.items() if value is not None)


# ---- drawn at random ----

def draw(seed, index):
    """A run file of settings that need not fit each other."""
    random = Random(f"{seed}/{index}").random

    def one(*choices):
        return choices[int(random() * len(choices))]

    def some(more, key, *choices):
        if random() < 0.4:
            more[key] = one(*choices)

    more = {"seed": int(random() * 10 ** 6), "population": one(12, 24, 33, 65)}
    some(more, "test-data", "real-test.csv")
    if random() < 0.15:
        more["precision"] = "double"
    some(more, "data", "lanes.csv", "binary.csv", "classes.csv", "signs.csv")
    data = more.get("data", "real.csv")
    some(more, "metric", *{"real.csv": ("sae", "mae", "mse", "r2", "hits", "max-error"), "lanes.csv": ("mse", "hits")}.get(
        data, ("misclassified", "misclassified", "hinge", "f1", "balanced-accuracy", "mae")))
    if more.get("metric") == "misclassified":
        more["class-rule"] = one("nearest", "thresholds", "fitted", "sign", "argmax", "argmax")
        if more["class-rule"] == "thresholds":
            more["thresholds"] = one("0", "-0.5, 0.75")
    some(more, "tolerance", 0.25, 1.5)
    some(more, "linear-scaling", "true")
    some(more, "case-sampling", "random", "rotating", "fixed")
    if "case-sampling" in more:
        more.update({"sample-cases": one(5, 11), "sample-every": one(1, 2), "data-seed": int(random() * 1000)})
    some(more, "target-fitness", 0.6, 2, 15)
    population(more, one, some)
    kind = one(genome, genome, pi, lists, tree, tree)
    (trees_of if kind is tree else genomes_of)(more, one, some)
    if random() < 0.15:
        targets_of(more, one, some, kind)
    return kind(**{key.replace("-", "_"): value for key, value in more.items()})


def targets_of(more, one, some, kind):
    """Several targets in place of what the run had, and without what does not go with them."""
    for key in ("precision", "class-rule", "thresholds", "tolerance", "linear-scaling", "metric", "test-data", "target-fitness"):
        more.pop(key, None)
    if "mae" in more.get("objectives", ""):  # one metric alone
        more["objectives"] = "error, nodes"
    more.update({"data": "several.csv", "targets": one("t0, t1", "t1, t0")})
    some(more, "metric", "mae", "sae", "mse")
    some(more, "target-scaling", "none")
    some(more, "test-data", "several-test.csv")
    some(more, "target-fitness", 0.6, 2)
    if kind is not tree:
        more["grammar"] = "several.bnf"
        return
    if more.get("initialisation") in ("ptc2", "sized"):
        more["initialisation"] = "grow"
        for key in ("init-min-nodes", "init-max-nodes"):
            more.pop(key)
    if more.get("crossover") == "depth-dependent":
        more["crossover"] = "subtree"


def population(more, one, some):
    some(more, "selection", "roulette", "rank", "truncation", "lexicase", "epsilon-lexicase", "nsga2", "nsga2")
    if more.get("selection") == "nsga2":
        more.update({"parsimony": "none", "elites": 0})
        more.pop("case-sampling", None)
        some(more, "objectives", "error, depth", "nodes, error", "error, mae, nodes", "error, complexity, depth")
    if "lexicase" in more.get("selection", ""):
        more.update({"parsimony": "none", "linear-scaling": "false"})
        some(more, "epsilon", "static", "dynamic")
        some(more, "lexicase-cases", 3, 9)
        some(more, "lexicase-batch", 2, 5)
    some(more, "tournament", 1, 3, 5)
    if "parsimony" not in more:
        some(more, "parsimony", "coefficient", "covariant", "tarpeian", "double-tournament")
    some(more, "truncation", 0.2, 0.9)
    some(more, "rank-pressure", 1.3, 2)
    some(more, "elites", 0, 2, 7)
    some(more, "runs", 2, 3)
    if one(0, 0, 0, 1):
        more.update({"islands": one(2, 3, 4, 6), "migration-every": one(1, 2, 3), "migration-size": one(1, 3, 0.2)})
        some(more, "migration-topology", "full", "random")
        some(more, "migrants", "tournament", "random")
        some(more, "migrants-replace", "random")
        some(more, "stagnation", 1, 3)
    if one(0, 0, 1):
        some(more, "restart-after", 1, 2, 4)
        some(more, "validation-fraction", 0.2, 0.5)
    some(more, "children", "one")
    some(more, "tries", 1, 2, 5)
    some(more, "unique", "true")
    some(more, "crossover-probability", 0, 0.5, 1)
    shape = one("torus", "steady", "plain", "plain", "plain")
    if shape == "torus":
        more.update({"topology": "torus", "deme-width": one(4, 5, 6), "deme-height": one(5, 6)})
        more["population"] = more["deme-width"] * more["deme-height"]
        more.pop("elites", None)
    elif shape == "steady":
        more.update({"replacement": "steady-state", "children-per-step": one(3, 5, 12), "generations": 2})
        more.pop("elites", None)


def genomes_of(more, one, some):
    some(more, "grammar", "chain.bnf")
    some(more, "initialisation", "uniform", "grow", "full", "pi-grow", "ptc2")
    some(more, "init-max-depth", 5, 7)
    some(more, "max-depth", 8, 11)
    some(more, "max-wraps", 1, 3)
    some(more, "codon-size", 11, 255, 2147483647)
    some(more, "codon-consumption", "lazy")
    some(more, "crossover", "none", "fixed-onepoint", "fixed-twopoint", "variable-twopoint", "uniform", "subtree", "lists")
    some(more, "max-nodes", 9, 30)
    some(more, "invalid", "excluded", "redrawn")
    some(more, "mutate-duplicates", "true")
    for key in ("crossover-within-used", "mutation-within-used"):
        some(more, key, "false")
    for key in ("codon-duplication", "codon-deletion", "subtree-mutation"):
        some(more, key, 0.2, 0.7)
    some(more, "codon-mutation", 0, 0.1)
    if "codon-mutation" not in more:
        some(more, "mutation-events", 1, 3)
    if "subtree" in more.get("crossover", "") or "subtree-mutation" in more:  # branches of other derivations: not modelled
        more.update({"max-wraps": 0, "codon-consumption": "eager"})


def trees_of(more, one, some):
    some(more, "functions", "+, *, neg, if, min", "-, pdiv, abs, square", "+, -, *, /, max, <", "*, aq, if")
    some(more, "initialisation", "grow", "full", "ptc2", "sized")
    if more.get("initialisation") in ("ptc2", "sized"):
        more.update({"init-min-nodes": one(1, 9), "init-max-nodes": one(12, 24)})
    some(more, "max-nodes", 24, 60)
    some(more, "crossover", "none", "depth-dependent", "size-fair", "common-point")
    some(more, "function-points", 0.9, 0.4)
    some(more, "constants", "-1, 0.5, 2, 3.25", "0, 1, ephemeral")
    for key in ("subtree", "point", "hoist", "shrink", "insert", "multi-point") + ("constant",) * ("constants" in more):
        some(more, key + "-mutation", 0.2, 0.8)
    some(more, "subtree-mutation-growth", "ramped")
    some(more, "subtree-mutation-depth", 1, 2, 3)
