"""Made by generate.py from host/settings/settings.def: keywords of the estimators. Do not edit."""

from __future__ import annotations

from typing import Optional, Union

#: keyword -> key of run files
KEYS = {
    "preset": "preset",
    "seed": "seed",
    "runs": "runs",
    "generations": "generations",
    "max_evaluations": "max-evaluations",
    "time_limit": "time-limit",
    "stagnation": "stagnation",
    "restart_after": "restart-after",
    "population": "population",
    "islands": "islands",
    "migration_every": "migration-every",
    "migration_size": "migration-size",
    "migration_topology": "migration-topology",
    "migrants": "migrants",
    "migrants_replace": "migrants-replace",
    "target_scaling": "target-scaling",
    "validation_fraction": "validation-fraction",
    "probe_cases": "probe-cases",
    "data_seed": "data-seed",
    "genotype": "genotype",
    "grammar": "grammar",
    "functions": "functions",
    "units": "units",
    "units_depth": "units-depth",
    "prepare": "prepare",
    "vectors": "vectors",
    "typed": "typed",
    "types": "types",
    "unit_constants": "unit-constants",
    "dimensioned_constants": "dimensioned-constants",
    "constant_probability": "constant-probability",
    "constant_min": "constant-min",
    "constant_max": "constant-max",
    "constants": "constants",
    "weighted_inputs": "weighted-inputs",
    "seeds": "seeds",
    "seed_program": "seed-program",
    "n_is": "n-is",
    "n_os": "n-os",
    "max_nodes": "max-nodes",
    "max_depth": "max-depth",
    "max_derivation_nodes": "max-derivation-nodes",
    "max_wraps": "max-wraps",
    "mapping": "mapping",
    "codon_consumption": "codon-consumption",
    "wrap_rule": "wrap-rule",
    "genome_length": "genome-length",
    "max_genome_length": "max-genome-length",
    "codon_size": "codon-size",
    "initialisation": "initialisation",
    "init_min_depth": "init-min-depth",
    "init_max_depth": "init-max-depth",
    "distinct_ramp": "distinct-ramp",
    "init_min_nodes": "init-min-nodes",
    "init_max_nodes": "init-max-nodes",
    "unique": "unique",
    "topology": "topology",
    "deme_width": "deme-width",
    "deme_height": "deme-height",
    "selection": "selection",
    "objectives": "objectives",
    "front_choice": "front-choice",
    "epsilon": "epsilon",
    "lexicase_cases": "lexicase-cases",
    "lexicase_batch": "lexicase-batch",
    "rank_pressure": "rank-pressure",
    "truncation": "truncation",
    "parsimony": "parsimony",
    "parsimony_strength": "parsimony-strength",
    "archive": "archive",
    "niches": "niches",
    "niche_share": "niche-share",
    "tournament": "tournament",
    "replacement": "replacement",
    "children_per_step": "children-per-step",
    "elites": "elites",
    "crossover": "crossover",
    "crossover_probability": "crossover-probability",
    "crossover_within_used": "crossover-within-used",
    "invalid": "invalid",
    "children": "children",
    "function_points": "function-points",
    "operators": "operators",
    "codon_mutation": "codon-mutation",
    "mutation_events": "mutation-events",
    "codon_duplication": "codon-duplication",
    "codon_deletion": "codon-deletion",
    "mutation_within_used": "mutation-within-used",
    "subtree_mutation": "subtree-mutation",
    "point_mutation": "point-mutation",
    "subtree_mutation_depth": "subtree-mutation-depth",
    "subtree_mutation_growth": "subtree-mutation-growth",
    "constant_mutation": "constant-mutation",
    "constant_creep": "constant-creep",
    "creep_deviation": "creep-deviation",
    "hoist_mutation": "hoist-mutation",
    "shrink_mutation": "shrink-mutation",
    "insert_mutation": "insert-mutation",
    "multi_point_mutation": "multi-point-mutation",
    "multi_point_rate": "multi-point-rate",
    "mutate_duplicates": "mutate-duplicates",
    "tries": "tries",
    "metric": "metric",
    "tolerance": "tolerance",
    "class_rule": "class-rule",
    "thresholds": "thresholds",
    "case_sampling": "case-sampling",
    "sample_cases": "sample-cases",
    "sample_every": "sample-every",
    "linear_scaling": "linear-scaling",
    "optimise_constants": "optimise-constants",
    "optimise_iterations": "optimise-iterations",
    "optimise_share": "optimise-share",
    "find_law": "find-law",
    "law_every": "law-every",
    "evaluate_once": "evaluate-once",
    "fitness_memory": "fitness-memory",
    "target_fitness": "target-fitness",
    "math": "math",
    "precision": "precision",
    "device": "device",
    "devices": "devices",
    "spread": "spread",
    "threads": "threads",
    "graph": "graph",
    "width": "width",
    "warps": "warps",
    "tile": "tile",
    "specialise": "specialise",
    "epoch": "epoch",
    "diversity": "diversity",
    "dump_every": "dump-every",
    "dump_first": "dump-first",
}

#: keyword -> what it does, as `grampus run --help` says
HELP = {
    "preset": "values of settings that are not named, chosen by measurement; auto: of data for which nothing is named of how to search, the preset that suits it, else none",
    "seed": "random seed; run r of a batch draws with seed + r",
    "runs": "independent runs in one launch",
    "generations": "generations after the initial population",
    "max_evaluations": "a run stops at the end of the generation in which it has evaluated so many individuals, elites not counted again",
    "time_limit": "seconds after which all runs stop, at the end of a generation; a resumed run has them anew",
    "stagnation": "a run stops after so many generations without a better best",
    "restart_after": "an island begins anew with another first population after so many generations without a better best; the best so far is kept",
    "population": "individuals of a run, with islands of each of them",
    "islands": "populations of a run between which some individuals migrate",
    "migration_every": "islands: generations from migration to migration; 0: there is none",
    "migration_size": "individuals that every island gives and takes at a time; below 1: a share of its population, at least one individual",
    "migration_topology": "where an island's migrants come from: the one before it; its four neighbours in turn; all others in turn; one of a circle that is drawn every time",
    "migrants": "who migrates, as a copy: the best, winners of tournaments, or anybody",
    "migrants_replace": "whose place migrants take: the worst, or anybody's but the best's",
    "target_scaling": "targets: what the error in each is divided by, its standard deviation over the training cases or nothing",
    "validation_fraction": "share of the training cases, drawn at random (data-seed), that is set aside: the best so far is the best on those, and stagnation asks for a better one there",
    "probe_cases": "cases without a target on which a program must have a value, or it is the worst: inputs of the training cases, each from another one (data-seed)",
    "data_seed": "random seed of uniform variables, generated data and samples of cases",
    "genotype": "grammatical evolution, tree GP, or structured grammatical evolution: a list of genes for every non-terminal",
    "grammar": "BNF grammar (genotype grammar)",
    "functions": "operations of trees and of grammars made from units, names or signs; auto: +, -, *, / (boolean: and, or, nand, nor; units: also square, sqrt, exp, log, sin, cos)",
    "units": "units of all inputs and of the target, e.g. \"m = kg; v = m/s; E = kg m^2 s^-2\" (1: none; at most 8 base units): without a grammar, one is made whose sentences keep to them",
    "units_depth": "units: levels of the expressions in which dimensions are looked for (auto: the least, from 3, at which the target's can be made)",
    "prepare": "further inputs made of the inputs (trees): differences and ratios of those of like units (without units: of all), products without dimension (Buckingham); of vectors dots (scalar products, squares among them) and distances (squared); programs are printed in terms of the inputs",
    "vectors": "prepare: inputs that are vectors, components in a row and a / between vectors, e.g. \"x1 x2 x3 / y1 y2 y3\"",
    "typed": "trees keep to types: to those of `types`, or to the dimensions of `units` (host/units/README.md)",
    "types": "typed: of inputs, constants, the target and operations, e.g. \"x, y = number; constants = number; + = number number -> number; < = number number -> flag; if = flag number number -> number; target = number\"",
    "unit_constants": "units: numbers without a dimension among the leaves; empty: none",
    "dimensioned_constants": "units: those numbers also stand for any dimension that occurs",
    "constant_probability": "probability that a leaf of a random tree is a constant",
    "constant_min": "smallest random constant",
    "constant_max": "largest random constant",
    "constants": "table of random constants instead of that range: numbers, from:to:step, tangent(n, half), ephemeral (the range)",
    "weighted_inputs": "an input is weight * input, one node, its weight fitted (optimise-constants)",
    "seeds": "expressions (grammar: sentences), one a line, that the first individuals of every run are: a file, or a folder of PonyGE2's",
    "seed_program": "one more of them, as a line of `seeds`",
    "n_is": "GE_RANGE:dataset_n_is of the grammar; 0: different values of the inputs, counted in the data",
    "n_os": "the same for GE_RANGE:dataset_n_os and the target",
    "max_nodes": "nodes of a tree, or of the expression a genome maps to",
    "max_depth": "depth of a derivation tree (auto: 90) or of a tree (auto: 17)",
    "max_derivation_nodes": "nodes of a derivation tree, beyond which a genome is invalid (too_large); 0: any number",
    "max_wraps": "times a genome may be read again from its start",
    "mapping": "pi: codons in pairs, the first chooses which non-terminal is expanded next (position-independent GE)",
    "codon_consumption": "every expansion takes a codon, or only where there is a choice",
    "wrap_rule": "what counts as a wrap: codons (PonyGE2's tree mapper), or as in another system",
    "genome_length": "codons of a uniform random genome, the largest size that ptc2 draws (auto: 200)",
    "max_genome_length": "codons a genome may have",
    "codon_size": "codons are 0 to this, inclusive",
    "initialisation": "first generation; auto: ramped half and half; ptc2, sized: trees of a drawn number of nodes; pi-grow: grammars",
    "init_min_depth": "smallest depth of the ramp (auto: grammar 1, tree 2)",
    "init_max_depth": "largest depth of the ramp (auto: grammar 10, tree 6)",
    "distinct_ramp": "the ramp begins at the first depth with more derivations than its share of the population (grammar; PonyGE2)",
    "init_min_nodes": "ptc2, sized: fewest nodes of a first tree (auto: 1)",
    "init_max_nodes": "ptc2, sized: most nodes of a first tree (auto: 50)",
    "unique": "first individuals are drawn again (tries) until all are valid and no two the same expression",
    "topology": "torus: everybody has a place and meets its neighbours alone (Langdon's demes)",
    "deme_width": "torus: places in a row (auto: population / deme-height)",
    "deme_height": "torus: rows (auto: population / deme-width)",
    "selection": "how parents are chosen",
    "objectives": "two or three that selection nsga2 makes small: error (by metric), another metric, nodes, depth, derivation-nodes, complexity (default with it: error, nodes)",
    "front_choice": "who is the best of the run: nsga2: of the front by error, at its bend, by description length; bic, also without nsga2: by Schwarz's criterion, of the best of every size; auto: by error, or by validation-fraction",
    "epsilon": "epsilon-lexicase: the median absolute deviation of all, above the least error of all; of all, above that of the candidates; of the candidates",
    "lexicase_cases": "lexicase: training cases that selection looks at, others in every generation (auto: all)",
    "lexicase_batch": "lexicase: cases whose errors are averaged and looked at as one",
    "rank_pressure": "rank: chance of the best over the mean chance",
    "truncation": "truncation: share of the population that may be parents",
    "parsimony": "pressure on size in selection",
    "parsimony_strength": "coefficient: cost of a node (0.001); tarpeian: share of those above mean size that lose (0.3); double-tournament: its size D (1.4)",
    "archive": "niches: every island also keeps the best program of each niche, a size by the operations that it has, of those that behave alike one, and some parents come from there",
    "niches": "archive: niches of an island, 16 sizes by the rest (rounded up to a multiple of 16)",
    "niche_share": "archive: share of the parents that come from niches, all of them being as likely",
    "tournament": "individuals in a tournament, drawn with replacement",
    "replacement": "steady-state: children replace the worst as soon as they are there, and may be parents in the same generation; nsga2: the best of parents and children by rank and crowding stay (selection: nsga2)",
    "children_per_step": "steady-state: how many at a time",
    "elites": "best individuals kept as they are (auto: 1 %, at least 1; steady-state: all but children-per-step)",
    "crossover": "up to uniform: genomes; subtree: trees, or branches of genomes under the same non-terminal; the next three: trees; lists: whole lists of genes; auto: grammar variable-onepoint, tree subtree, structured lists",
    "crossover_probability": "probability per pair (auto: grammar 0.75, tree 0.9)",
    "crossover_within_used": "cut genomes in the part the mapping used",
    "invalid": "individuals that no expression comes of: they have the worst fitness, are no parents either, or are also drawn again (tries)",
    "children": "children of two parents: both, or one",
    "function_points": "probability that a crossover point of a tree is a function, Koza: 0.9 (auto: any node as likely)",
    "operators": "exactly one for every tree, e.g. \"crossover 0.5, point 0.225, constant 0.225, subtree 0.05\"; the rest are copies; default: crossover, then each mutation by its own probability",
    "codon_mutation": "probability per codon (auto: 1 / length of the part that mutates)",
    "mutation_events": "codons redrawn in every child, instead of codon-mutation; 0: none",
    "codon_duplication": "probability per child that a run of codons is copied to its end",
    "codon_deletion": "probability per child that a run of codons is cut out",
    "mutation_within_used": "mutate codons in the part the mapping used",
    "subtree_mutation": "probability per child of a new random subtree (auto: grammar 0, tree 0.1)",
    "point_mutation": "probability per tree of a node replaced by one of the same arity",
    "subtree_mutation_depth": "largest depth of a new subtree (auto: grammar as max-depth allows, tree 4)",
    "subtree_mutation_growth": "new subtrees: grown, or ramped half and half from depth 1",
    "constant_mutation": "probability per tree that a constant creeps (without one: point mutation)",
    "constant_creep": "one step along constants, or by a normal deviate (auto: table where there is one)",
    "creep_deviation": "gaussian: standard deviation of a creep",
    "hoist_mutation": "probability per tree to become one of its subtrees",
    "shrink_mutation": "probability per tree of a subtree replaced by a leaf",
    "insert_mutation": "probability per tree of a function put above a subtree",
    "multi_point_mutation": "probability per tree that each node is replaced with multi-point-rate",
    "multi_point_rate": "probability per node in a multi-point mutation",
    "mutate_duplicates": "children of a phenotype that was there before in the run are mutated again (tries) until it is new (grammars; PonyGE2)",
    "tries": "draws of a crossover or mutation that breaks a limit, before it is left out",
    "metric": "auto: rmse, boolean problems boolean-hits",
    "tolerance": "hits: largest error of a hit",
    "class_rule": "misclassified: how a class is read from an output; fitted: by thresholds that suit the program's own training outputs best; argmax: programs have an output for every class, the largest tells it (at most 32)",
    "thresholds": "rising outputs at which the next class begins; balanced-accuracy: the first positive one (default 0)",
    "case_sampling": "train on sample-cases cases at a time, the same for everybody; the last generation is ranked on all",
    "sample_cases": "training cases of a sample",
    "sample_every": "generations that share a sample",
    "linear_scaling": "fit a + b * output before the error is measured (mse, rmse, r2)",
    "optimise_constants": "whose constants are fitted to the training cases: copied elites, a share of the children, or all of them (mse, rmse, r2); written back into trees, kept beside genomes",
    "optimise_iterations": "evaluations that fitting the constants of a program may take",
    "optimise_share": "optimise-constants share: probability per child",
    "find_law": "at the end the constants of the best programs are fitted and rounded, and the simplest that then is exact is told of (mse, rmse, r2, mae, sae)",
    "law_every": "find-law: the best so far and those of the archive are tested every so many generations too, and an exact one ends the runs; 0: at the end alone",
    "evaluate_once": "elites keep their parents' errors, and equal programs of a generation are evaluated once (no result depends on it); auto: where that pays, by what it brought so far",
    "fitness_memory": "programs of earlier generations whose errors are remembered, the latest (no result depends on it); 0: none",
    "target_fitness": "a run stops when its best reaches this",
    "math": "exact: the same bytes on every device; fast: the GPU's special function unit",
    "precision": "what fitness cases are kept, programs evaluated and errors added in; double: the numbers of data as they were read",
    "device": "auto: what ends first, by estimate; the report says why",
    "devices": "GPUs by number, or all, that the runs of a batch, islands or fitness cases are spread over (host/spread/README.md); default: the first one",
    "spread": "what several engines (devices, or processes under mpirun) share: auto: the runs of a batch, or islands; cases: every run's training cases; population: the individuals of every run; memory: these, and GPUs of one process have memory for their own alone (no result depends on it)",
    "threads": "CPU threads; 0: as many as the work is worth, of those that affinity, quota or OMP_NUM_THREADS allow",
    "graph": "loop over generations on the device; --no-graph: a plain stream",
    "width": "GPU: fitness cases a lane of a compiled interpreter has in a register (no result depends on it)",
    "warps": "GPU: warps of a block of a compiled interpreter (no result depends on it)",
    "tile": "GPU: blocks of 1024 cases that stand in shared memory together (no result depends on it)",
    "specialise": "GPU: compile the interpreter for the run; auto: when it pays or was done before",
    "epoch": "generations between visits of the host",
    "diversity": "count different genotypes, phenotypes and fitness values, the entropy of the fitness and children like a parent, into statistics.tsv or summary.tsv",
    "dump_every": "write the individuals of every N-th generation, from the first, and of the last, to population_GENERATION.tsv; 0: none",
    "dump_first": "of every run so many, from the first; 0: all",
}


class Parameters:
    """Keywords of the estimators, by name and default those of run files.

    General
        preset: values of settings that are not named, chosen by measurement; auto: of data for which nothing is
            named of how to search, the preset that suits it, else none
        seed: random seed; run r of a batch draws with seed + r
        runs: independent runs in one launch
        generations: generations after the initial population
        max_evaluations: a run stops at the end of the generation in which it has evaluated so many individuals,
            elites not counted again
        time_limit: seconds after which all runs stop, at the end of a generation; a resumed run has them anew
        stagnation: a run stops after so many generations without a better best
        restart_after: an island begins anew with another first population after so many generations without a
            better best; the best so far is kept
        population: individuals of a run, with islands of each of them
        islands: populations of a run between which some individuals migrate
        migration_every: islands: generations from migration to migration; 0: there is none
        migration_size: individuals that every island gives and takes at a time; below 1: a share of its population,
            at least one individual
        migration_topology: where an island's migrants come from: the one before it; its four neighbours in turn;
            all others in turn; one of a circle that is drawn every time
        migrants: who migrates, as a copy: the best, winners of tournaments, or anybody
        migrants_replace: whose place migrants take: the worst, or anybody's but the best's

    Problem
        target_scaling: targets: what the error in each is divided by, its standard deviation over the training
            cases or nothing
        validation_fraction: share of the training cases, drawn at random (data-seed), that is set aside: the best
            so far is the best on those, and stagnation asks for a better one there
        probe_cases: cases without a target on which a program must have a value, or it is the worst: inputs of the
            training cases, each from another one (data-seed)
        data_seed: random seed of uniform variables, generated data and samples of cases

    Representation
        genotype: grammatical evolution, tree GP, or structured grammatical evolution: a list of genes for every
            non-terminal
        grammar: BNF grammar (genotype grammar)
        functions: operations of trees and of grammars made from units, names or signs; auto: +, -, *, / (boolean:
            and, or, nand, nor; units: also square, sqrt, exp, log, sin, cos)
        units: units of all inputs and of the target, e.g. "m = kg; v = m/s; E = kg m^2 s^-2" (1: none; at most 8
            base units): without a grammar, one is made whose sentences keep to them
        units_depth: units: levels of the expressions in which dimensions are looked for (auto: the least, from 3,
            at which the target's can be made)
        prepare: further inputs made of the inputs (trees): differences and ratios of those of like units (without
            units: of all), products without dimension (Buckingham); of vectors dots (scalar products, squares among
            them) and distances (squared); programs are printed in terms of the inputs
        vectors: prepare: inputs that are vectors, components in a row and a / between vectors, e.g. "x1 x2 x3 / y1
            y2 y3"
        typed: trees keep to types: to those of `types`, or to the dimensions of `units` (host/units/README.md)
        types: typed: of inputs, constants, the target and operations, e.g. "x, y = number; constants = number; + =
            number number -> number; < = number number -> flag; if = flag number number -> number; target = number"
        unit_constants: units: numbers without a dimension among the leaves; empty: none
        dimensioned_constants: units: those numbers also stand for any dimension that occurs
        constant_probability: probability that a leaf of a random tree is a constant
        constant_min: smallest random constant
        constant_max: largest random constant
        constants: table of random constants instead of that range: numbers, from:to:step, tangent(n, half),
            ephemeral (the range)
        weighted_inputs: an input is weight * input, one node, its weight fitted (optimise-constants)
        seeds: expressions (grammar: sentences), one a line, that the first individuals of every run are: a file, or
            a folder of PonyGE2's
        seed_program: one more of them, as a line of `seeds`
        n_is: GE_RANGE:dataset_n_is of the grammar; 0: different values of the inputs, counted in the data
        n_os: the same for GE_RANGE:dataset_n_os and the target
        max_nodes: nodes of a tree, or of the expression a genome maps to
        max_depth: depth of a derivation tree (auto: 90) or of a tree (auto: 17)
        max_derivation_nodes: nodes of a derivation tree, beyond which a genome is invalid (too_large); 0: any
            number
        max_wraps: times a genome may be read again from its start
        mapping: pi: codons in pairs, the first chooses which non-terminal is expanded next (position-independent
            GE)
        codon_consumption: every expansion takes a codon, or only where there is a choice
        wrap_rule: what counts as a wrap: codons (PonyGE2's tree mapper), or as in another system
        genome_length: codons of a uniform random genome, the largest size that ptc2 draws (auto: 200)
        max_genome_length: codons a genome may have
        codon_size: codons are 0 to this, inclusive

    Variation
        initialisation: first generation; auto: ramped half and half; ptc2, sized: trees of a drawn number of nodes;
            pi-grow: grammars
        init_min_depth: smallest depth of the ramp (auto: grammar 1, tree 2)
        init_max_depth: largest depth of the ramp (auto: grammar 10, tree 6)
        distinct_ramp: the ramp begins at the first depth with more derivations than its share of the population
            (grammar; PonyGE2)
        init_min_nodes: ptc2, sized: fewest nodes of a first tree (auto: 1)
        init_max_nodes: ptc2, sized: most nodes of a first tree (auto: 50)
        unique: first individuals are drawn again (tries) until all are valid and no two the same expression
        topology: torus: everybody has a place and meets its neighbours alone (Langdon's demes)
        deme_width: torus: places in a row (auto: population / deme-height)
        deme_height: torus: rows (auto: population / deme-width)
        selection: how parents are chosen
        objectives: two or three that selection nsga2 makes small: error (by metric), another metric, nodes, depth,
            derivation-nodes, complexity (default with it: error, nodes)
        front_choice: who is the best of the run: nsga2: of the front by error, at its bend, by description length;
            bic, also without nsga2: by Schwarz's criterion, of the best of every size; auto: by error, or by
            validation-fraction
        epsilon: epsilon-lexicase: the median absolute deviation of all, above the least error of all; of all, above
            that of the candidates; of the candidates
        lexicase_cases: lexicase: training cases that selection looks at, others in every generation (auto: all)
        lexicase_batch: lexicase: cases whose errors are averaged and looked at as one
        rank_pressure: rank: chance of the best over the mean chance
        truncation: truncation: share of the population that may be parents
        parsimony: pressure on size in selection
        parsimony_strength: coefficient: cost of a node (0.001); tarpeian: share of those above mean size that lose
            (0.3); double-tournament: its size D (1.4)
        archive: niches: every island also keeps the best program of each niche, a size by the operations that it
            has, of those that behave alike one, and some parents come from there
        niches: archive: niches of an island, 16 sizes by the rest (rounded up to a multiple of 16)
        niche_share: archive: share of the parents that come from niches, all of them being as likely
        tournament: individuals in a tournament, drawn with replacement
        replacement: steady-state: children replace the worst as soon as they are there, and may be parents in the
            same generation; nsga2: the best of parents and children by rank and crowding stay (selection: nsga2)
        children_per_step: steady-state: how many at a time
        elites: best individuals kept as they are (auto: 1 %, at least 1; steady-state: all but children-per-step)
        crossover: up to uniform: genomes; subtree: trees, or branches of genomes under the same non-terminal; the
            next three: trees; lists: whole lists of genes; auto: grammar variable-onepoint, tree subtree,
            structured lists
        crossover_probability: probability per pair (auto: grammar 0.75, tree 0.9)
        crossover_within_used: cut genomes in the part the mapping used
        invalid: individuals that no expression comes of: they have the worst fitness, are no parents either, or are
            also drawn again (tries)
        children: children of two parents: both, or one
        function_points: probability that a crossover point of a tree is a function, Koza: 0.9 (auto: any node as
            likely)
        operators: exactly one for every tree, e.g. "crossover 0.5, point 0.225, constant 0.225, subtree 0.05"; the
            rest are copies; default: crossover, then each mutation by its own probability
        codon_mutation: probability per codon (auto: 1 / length of the part that mutates)
        mutation_events: codons redrawn in every child, instead of codon-mutation; 0: none
        codon_duplication: probability per child that a run of codons is copied to its end
        codon_deletion: probability per child that a run of codons is cut out
        mutation_within_used: mutate codons in the part the mapping used
        subtree_mutation: probability per child of a new random subtree (auto: grammar 0, tree 0.1)
        point_mutation: probability per tree of a node replaced by one of the same arity
        subtree_mutation_depth: largest depth of a new subtree (auto: grammar as max-depth allows, tree 4)
        subtree_mutation_growth: new subtrees: grown, or ramped half and half from depth 1
        constant_mutation: probability per tree that a constant creeps (without one: point mutation)
        constant_creep: one step along constants, or by a normal deviate (auto: table where there is one)
        creep_deviation: gaussian: standard deviation of a creep
        hoist_mutation: probability per tree to become one of its subtrees
        shrink_mutation: probability per tree of a subtree replaced by a leaf
        insert_mutation: probability per tree of a function put above a subtree
        multi_point_mutation: probability per tree that each node is replaced with multi-point-rate
        multi_point_rate: probability per node in a multi-point mutation
        mutate_duplicates: children of a phenotype that was there before in the run are mutated again (tries) until
            it is new (grammars; PonyGE2)
        tries: draws of a crossover or mutation that breaks a limit, before it is left out

    Fitness
        metric: auto: rmse, boolean problems boolean-hits
        tolerance: hits: largest error of a hit
        class_rule: misclassified: how a class is read from an output; fitted: by thresholds that suit the program's
            own training outputs best; argmax: programs have an output for every class, the largest tells it (at
            most 32)
        thresholds: rising outputs at which the next class begins; balanced-accuracy: the first positive one
            (default 0)
        case_sampling: train on sample-cases cases at a time, the same for everybody; the last generation is ranked
            on all
        sample_cases: training cases of a sample
        sample_every: generations that share a sample
        linear_scaling: fit a + b * output before the error is measured (mse, rmse, r2)
        optimise_constants: whose constants are fitted to the training cases: copied elites, a share of the
            children, or all of them (mse, rmse, r2); written back into trees, kept beside genomes
        optimise_iterations: evaluations that fitting the constants of a program may take
        optimise_share: optimise-constants share: probability per child
        find_law: at the end the constants of the best programs are fitted and rounded, and the simplest that then
            is exact is told of (mse, rmse, r2, mae, sae)
        law_every: find-law: the best so far and those of the archive are tested every so many generations too, and
            an exact one ends the runs; 0: at the end alone
        evaluate_once: elites keep their parents' errors, and equal programs of a generation are evaluated once (no
            result depends on it); auto: where that pays, by what it brought so far
        fitness_memory: programs of earlier generations whose errors are remembered, the latest (no result depends
            on it); 0: none
        target_fitness: a run stops when its best reaches this
        math: exact: the same bytes on every device; fast: the GPU's special function unit
        precision: what fitness cases are kept, programs evaluated and errors added in; double: the numbers of data
            as they were read

    Run
        device: auto: what ends first, by estimate; the report says why
        devices: GPUs by number, or all, that the runs of a batch, islands or fitness cases are spread over
            (host/spread/README.md); default: the first one
        spread: what several engines (devices, or processes under mpirun) share: auto: the runs of a batch, or
            islands; cases: every run's training cases; population: the individuals of every run; memory: these, and
            GPUs of one process have memory for their own alone (no result depends on it)
        threads: CPU threads; 0: as many as the work is worth, of those that affinity, quota or OMP_NUM_THREADS
            allow
        graph: loop over generations on the device; --no-graph: a plain stream
        width: GPU: fitness cases a lane of a compiled interpreter has in a register (no result depends on it)
        warps: GPU: warps of a block of a compiled interpreter (no result depends on it)
        tile: GPU: blocks of 1024 cases that stand in shared memory together (no result depends on it)
        specialise: GPU: compile the interpreter for the run; auto: when it pays or was done before
        epoch: generations between visits of the host
        diversity: count different genotypes, phenotypes and fitness values, the entropy of the fitness and children
            like a parent, into statistics.tsv or summary.tsv
        dump_every: write the individuals of every N-th generation, from the first, and of the last, to
            population_GENERATION.tsv; 0: none
        dump_first: of every run so many, from the first; 0: all
    """

    def __init__(
        self,
        *,
        preset: str = "auto",
        seed: int = 1,
        runs: int = 1,
        generations: int = 50,
        max_evaluations: Union[float, str] = "none",
        time_limit: Union[float, str] = "none",
        stagnation: Union[int, str] = "none",
        restart_after: Union[int, str] = "none",
        population: int = 500,
        islands: int = 1,
        migration_every: int = 10,
        migration_size: float = 0.05,
        migration_topology: str = "ring",
        migrants: str = "best",
        migrants_replace: str = "worst",
        target_scaling: str = "deviation",
        validation_fraction: float = 0.0,
        probe_cases: int = 0,
        data_seed: int = 1,
        genotype: str = "grammar",
        grammar: Optional[str] = None,
        functions: str = "auto",
        units: str = "",
        units_depth: Union[int, str] = "auto",
        prepare: str = "",
        vectors: str = "",
        typed: bool = False,
        types: str = "",
        unit_constants: str = "1, 2, pi",
        dimensioned_constants: bool = False,
        constant_probability: float = 0.0,
        constant_min: float = -1.0,
        constant_max: float = 1.0,
        constants: str = "",
        weighted_inputs: bool = False,
        seeds: str = "",
        seed_program: str = "",
        n_is: int = 0,
        n_os: int = 0,
        max_nodes: int = 1000,
        max_depth: Union[int, str] = "auto",
        max_derivation_nodes: int = 0,
        max_wraps: int = 0,
        mapping: str = "depth-first",
        codon_consumption: str = "eager",
        wrap_rule: str = "codons",
        genome_length: Union[int, str] = "auto",
        max_genome_length: int = 500,
        codon_size: int = 100000,
        initialisation: str = "auto",
        init_min_depth: Union[int, str] = "auto",
        init_max_depth: Union[int, str] = "auto",
        distinct_ramp: bool = False,
        init_min_nodes: Union[int, str] = "auto",
        init_max_nodes: Union[int, str] = "auto",
        unique: bool = False,
        topology: str = "panmictic",
        deme_width: Union[int, str] = "auto",
        deme_height: Union[int, str] = "auto",
        selection: str = "tournament",
        objectives: str = "",
        front_choice: str = "auto",
        epsilon: str = "semi-dynamic",
        lexicase_cases: Union[int, str] = "auto",
        lexicase_batch: int = 1,
        rank_pressure: float = 2.0,
        truncation: float = 0.5,
        parsimony: str = "none",
        parsimony_strength: Union[float, str] = "auto",
        archive: str = "none",
        niches: int = 512,
        niche_share: float = 0.25,
        tournament: int = 2,
        replacement: str = "generational",
        children_per_step: int = 2,
        elites: Union[int, str] = "auto",
        crossover: str = "auto",
        crossover_probability: Union[float, str] = "auto",
        crossover_within_used: bool = True,
        invalid: str = "worst",
        children: str = "pair",
        function_points: Union[float, str] = "auto",
        operators: str = "",
        codon_mutation: Union[float, str] = "auto",
        mutation_events: int = 0,
        codon_duplication: float = 0.0,
        codon_deletion: float = 0.0,
        mutation_within_used: bool = True,
        subtree_mutation: Union[float, str] = "auto",
        point_mutation: float = 0.1,
        subtree_mutation_depth: Union[int, str] = "auto",
        subtree_mutation_growth: str = "grow",
        constant_mutation: float = 0.0,
        constant_creep: str = "auto",
        creep_deviation: float = 0.1,
        hoist_mutation: float = 0.0,
        shrink_mutation: float = 0.0,
        insert_mutation: float = 0.0,
        multi_point_mutation: float = 0.0,
        multi_point_rate: float = 0.05,
        mutate_duplicates: bool = False,
        tries: int = 10,
        metric: str = "auto",
        tolerance: float = 0.01,
        class_rule: str = "nearest",
        thresholds: str = "",
        case_sampling: str = "none",
        sample_cases: int = 0,
        sample_every: int = 1,
        linear_scaling: bool = False,
        optimise_constants: str = "none",
        optimise_iterations: int = 5,
        optimise_share: float = 0.05,
        find_law: bool = False,
        law_every: int = 0,
        evaluate_once: str = "auto",
        fitness_memory: int = 0,
        target_fitness: Union[float, str] = "none",
        math: str = "exact",
        precision: str = "single",
        device: str = "auto",
        devices: str = "",
        spread: str = "auto",
        threads: int = 0,
        graph: bool = True,
        width: str = "auto",
        warps: str = "auto",
        tile: Union[int, str] = "auto",
        specialise: str = "auto",
        epoch: int = 50,
        diversity: bool = False,
        dump_every: int = 0,
        dump_first: int = 0,
        max_time: Optional[float] = None,
        random_state=None,
        warm_start: bool = False,
        n_jobs: Optional[int] = None,
    ):
        self.preset = preset
        self.seed = seed
        self.runs = runs
        self.generations = generations
        self.max_evaluations = max_evaluations
        self.time_limit = time_limit
        self.stagnation = stagnation
        self.restart_after = restart_after
        self.population = population
        self.islands = islands
        self.migration_every = migration_every
        self.migration_size = migration_size
        self.migration_topology = migration_topology
        self.migrants = migrants
        self.migrants_replace = migrants_replace
        self.target_scaling = target_scaling
        self.validation_fraction = validation_fraction
        self.probe_cases = probe_cases
        self.data_seed = data_seed
        self.genotype = genotype
        self.grammar = grammar
        self.functions = functions
        self.units = units
        self.units_depth = units_depth
        self.prepare = prepare
        self.vectors = vectors
        self.typed = typed
        self.types = types
        self.unit_constants = unit_constants
        self.dimensioned_constants = dimensioned_constants
        self.constant_probability = constant_probability
        self.constant_min = constant_min
        self.constant_max = constant_max
        self.constants = constants
        self.weighted_inputs = weighted_inputs
        self.seeds = seeds
        self.seed_program = seed_program
        self.n_is = n_is
        self.n_os = n_os
        self.max_nodes = max_nodes
        self.max_depth = max_depth
        self.max_derivation_nodes = max_derivation_nodes
        self.max_wraps = max_wraps
        self.mapping = mapping
        self.codon_consumption = codon_consumption
        self.wrap_rule = wrap_rule
        self.genome_length = genome_length
        self.max_genome_length = max_genome_length
        self.codon_size = codon_size
        self.initialisation = initialisation
        self.init_min_depth = init_min_depth
        self.init_max_depth = init_max_depth
        self.distinct_ramp = distinct_ramp
        self.init_min_nodes = init_min_nodes
        self.init_max_nodes = init_max_nodes
        self.unique = unique
        self.topology = topology
        self.deme_width = deme_width
        self.deme_height = deme_height
        self.selection = selection
        self.objectives = objectives
        self.front_choice = front_choice
        self.epsilon = epsilon
        self.lexicase_cases = lexicase_cases
        self.lexicase_batch = lexicase_batch
        self.rank_pressure = rank_pressure
        self.truncation = truncation
        self.parsimony = parsimony
        self.parsimony_strength = parsimony_strength
        self.archive = archive
        self.niches = niches
        self.niche_share = niche_share
        self.tournament = tournament
        self.replacement = replacement
        self.children_per_step = children_per_step
        self.elites = elites
        self.crossover = crossover
        self.crossover_probability = crossover_probability
        self.crossover_within_used = crossover_within_used
        self.invalid = invalid
        self.children = children
        self.function_points = function_points
        self.operators = operators
        self.codon_mutation = codon_mutation
        self.mutation_events = mutation_events
        self.codon_duplication = codon_duplication
        self.codon_deletion = codon_deletion
        self.mutation_within_used = mutation_within_used
        self.subtree_mutation = subtree_mutation
        self.point_mutation = point_mutation
        self.subtree_mutation_depth = subtree_mutation_depth
        self.subtree_mutation_growth = subtree_mutation_growth
        self.constant_mutation = constant_mutation
        self.constant_creep = constant_creep
        self.creep_deviation = creep_deviation
        self.hoist_mutation = hoist_mutation
        self.shrink_mutation = shrink_mutation
        self.insert_mutation = insert_mutation
        self.multi_point_mutation = multi_point_mutation
        self.multi_point_rate = multi_point_rate
        self.mutate_duplicates = mutate_duplicates
        self.tries = tries
        self.metric = metric
        self.tolerance = tolerance
        self.class_rule = class_rule
        self.thresholds = thresholds
        self.case_sampling = case_sampling
        self.sample_cases = sample_cases
        self.sample_every = sample_every
        self.linear_scaling = linear_scaling
        self.optimise_constants = optimise_constants
        self.optimise_iterations = optimise_iterations
        self.optimise_share = optimise_share
        self.find_law = find_law
        self.law_every = law_every
        self.evaluate_once = evaluate_once
        self.fitness_memory = fitness_memory
        self.target_fitness = target_fitness
        self.math = math
        self.precision = precision
        self.device = device
        self.devices = devices
        self.spread = spread
        self.threads = threads
        self.graph = graph
        self.width = width
        self.warps = warps
        self.tile = tile
        self.specialise = specialise
        self.epoch = epoch
        self.diversity = diversity
        self.dump_every = dump_every
        self.dump_first = dump_first
        self.max_time = max_time
        self.random_state = random_state
        self.warm_start = warm_start
        self.n_jobs = n_jobs
