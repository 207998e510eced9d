/* Every number the algorithm needs, as one plain struct that travels to the device once. */
#ifndef GR_PARAMS_H
#define GR_PARAMS_H

#include "gpu/core/base/ops.h"

typedef enum gr_genotype { GR_GRAMMATICAL, GR_TREE } gr_genotype;

/* Genotypes that an operator works on; a bit for each word of the setting. */
enum { GR_FOR_GENOMES = 1, GR_FOR_TREES = 2, GR_FOR_LISTS = 4, GR_FOR_ALL = 7 };

typedef enum gr_initialisation {
#define GR_INITIALISER(id, word, genotypes, trees, genomes, help) GR_INIT_##id,
#include "gpu/core/base/initialisers.def"
} gr_initialisation;

typedef enum gr_crossover {
#define GR_CROSSOVER(id, word, genotypes, help) GR_CROSSOVER_##id,
#include "gpu/core/base/crossovers.def"
    GR_CROSSOVERS
} gr_crossover;

/* Mutations of trees, in the order in which they are tried when a child may get several. */
typedef enum gr_mutation {
#define GR_MUTATION(id, word, field, plain, grows, edit, help) GR_MUTATE_##id,
#include "gpu/core/base/mutations.def"
    GR_MUTATIONS
} gr_mutation;

/* Mutations of genomes, in the order in which a child gets them. */
typedef enum gr_genome_mutation {
#define GR_CODON_MUTATION(id, word, field, genotypes, mapping, part, asked, step, help)            \
    GR_GENOME_##id,
#include "gpu/core/base/genome_mutations.def"
    GR_GENOME_MUTATIONS
} gr_genome_mutation;
/* Columns of their lines: mappings that take one, the part it works on. */
enum { GR_MAPS_ANY, GR_MAPS_DEPTH_FIRST };
enum { GR_MUTATES_WHOLE, GR_MUTATES_USED };

typedef enum gr_selection {
#define GR_SELECTION(id, word, genotypes, ordered, index, help) GR_SELECT_##id,
#include "gpu/core/base/selections.def"
} gr_selection;

typedef enum gr_sampling {
    GR_SAMPLING_NONE,
    GR_SAMPLING_RANDOM,
    GR_SAMPLING_ROTATING,
    GR_SAMPLING_FIXED
} gr_sampling;

/* Whose constants are fitted to the training cases, see fitting/fitting.h. */
typedef enum gr_optimise {
    GR_OPTIMISE_NONE,
    GR_OPTIMISE_ELITES,
    GR_OPTIMISE_SHARE,
    GR_OPTIMISE_ALL
} gr_optimise;

typedef enum gr_parsimony {
    GR_PARSIMONY_NONE,
    GR_PARSIMONY_COEFFICIENT,
    GR_PARSIMONY_COVARIANT,
    GR_PARSIMONY_TARPEIAN,
    GR_PARSIMONY_DOUBLE_TOURNAMENT
} gr_parsimony;

/* Islands (migration.h): which of them exchange, who leaves, whose place is taken. */
typedef enum gr_routes {
    GR_ROUTES_RING,
    GR_ROUTES_TORUS,
    GR_ROUTES_FULL,
    GR_ROUTES_RANDOM
} gr_routes;
typedef enum gr_emigrants {
    GR_EMIGRANTS_BEST,
    GR_EMIGRANTS_TOURNAMENT,
    GR_EMIGRANTS_RANDOM
} gr_emigrants;
typedef enum gr_replaced { GR_REPLACED_WORST, GR_REPLACED_RANDOM } gr_replaced;

/* What may be above the least error of a case in lexicase selection: nothing, or the median
 * absolute deviation of all, above the least of all; of all, above the least of the candidates; of
 * these. */
typedef enum gr_epsilon_kind {
    GR_EPSILON_NONE,
    GR_EPSILON_STATIC,
    GR_EPSILON_SEMI_DYNAMIC,
    GR_EPSILON_DYNAMIC
} gr_epsilon_kind;

/* What becomes of individuals that no expression comes of. */
typedef enum gr_invalid {
    GR_INVALID_WORST,    /* they have the worst cost */
    GR_INVALID_EXCLUDED, /* and are nobody's parents */
    GR_INVALID_REDRAWN   /* and such a child is drawn again */
} gr_invalid;

typedef enum gr_metric {
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help) GR_METRIC_##id,
#include "gpu/core/base/metrics.def"
    GR_METRICS
} gr_metric;

/* What a fitness case adds. */
typedef enum gr_case_adds {
#define GR_ADDED(id, add, exact) GR_ADDS_##id,
#define GR_LARGEST(id, add, exact) GR_ADDS_##id,
#define GR_CLASSES(id, add, exact) GR_ADDS_##id,
#define GR_COUNTED(id, add, exact) GR_ADDS_##id,
#define GR_MATCHED(id, add, exact) GR_ADDS_##id,
#include "gpu/core/base/metrics.def"
    GR_CASE_ADDS
} gr_case_adds;

/* What a run of several objectives makes small (selection/objectives.h). */
typedef enum gr_objective {
#define GR_OBJECTIVE(id, word, value, help) GR_OBJECTIVE_##id,
#include "gpu/core/base/objectives.def"
} gr_objective;

typedef enum gr_class_rule {
    GR_CLASS_NEAREST, /* output rounded to the nearest integer label, clamped to the label range */
    GR_CLASS_THRESHOLDS, /* class = lowest label + number of thresholds <= output */
    GR_CLASS_SIGN,       /* two labels: the higher one from 0 on */
    GR_CLASS_FITTED,     /* as thresholds, which are fitted to a program's outputs (class_bins.h) */
    GR_CLASS_ARGMAX      /* of settings alone: as thresholds, between the numbers of outputs */
} gr_class_rule;

enum {
    GR_MAX_THRESHOLDS = 32,
    GR_CLASS_BINS = 256,
    GR_MAX_INIT_DEPTH = 64,
    GR_MAX_CONSTANTS = 256,
    GR_MAX_OBJECTIVES = 3,
    GR_NICHE_SIZES = 16 /* size classes of an archive: niches are a multiple of it */
};

/* Constants of a program that are fitted at most: the first ones in its tree. */
enum { GR_FIT_CONSTANTS = 32 };

typedef struct gr_params {
    /* population: runs x islands x population individuals, flattened in that order */
    uint32_t runs, islands, population, individuals;
    uint32_t seed[2];     /* low, high word; run r draws with seed + r */
    uint32_t generations; /* of the engine: `steps` of them are one of the run */
    uint32_t steps;
    uint32_t genotype; /* gr_genotype */

    /* selection and replacement */
    uint32_t tournament, elites;
    uint32_t stop_at_target;
    float target_cost; /* a run stops when its best cost is <= this */

    /* variation, all genotypes */
    uint32_t crossover; /* gr_crossover */
    float crossover_probability;
    uint32_t tries; /* a crossover or mutation that breaks a limit is drawn again this often, then
                       left out */
    uint32_t initialisation, init_min_depth, init_max_depth;

    /* grammatical evolution */
    uint32_t genome_capacity; /* codons an individual can hold */
    uint32_t init_length;     /* codons of a uniform random genome */
    uint32_t codon_size;      /* codons are 0..codon_size inclusive */
    uint32_t max_wraps, max_depth;
    uint32_t convention; /* of mapping: bits of wrapping.h; 0: PonyGE2's tree mapper */
    uint32_t crossover_within_used, mutation_within_used;
    uint32_t mutation_events;                /* codons redrawn in every child; 0: by probability */
    float codon_duplication, codon_deletion; /* of a run; probability per child */
    float codon_mutation; /* probability per codon; below 0: 1 / length of the part that mutates */

    /* trees */
    uint32_t max_nodes;      /* nodes of a tree, and of the expression a genome maps to */
    uint32_t max_nesting;    /* GE: operators and brackets an expression may leave open */
    uint32_t max_tree_depth; /* a single leaf has depth 1 */
    float subtree_mutation, point_mutation; /* probability per child */
    uint32_t subtree_depth;                 /* largest depth of a new subtree */
    float constant_probability;             /* a random leaf is a constant */
    float constant_min, constant_max;
    uint32_t functions;                /* number of entries in function[] */
    uint8_t function[GR_OP_COUNT + 2]; /* operations in use, sorted by arity */
    uint8_t arity_first[5]; /* function[arity_first[a] .. arity_first[a+1]) have arity a */

    /* fitness cases */
    uint32_t inputs, packed;
    uint32_t train_cases, test_cases;                  /* packed: bits */
    uint32_t train_chunks, test_chunks;                /* of GR_CHUNK floats or words */
    uint32_t metric, class_rule, linear_scaling, sums; /* sums: gr_sums_of */
    float tolerance, class_min, class_max;
    uint32_t thresholds;
    float threshold[GR_MAX_THRESHOLDS];
    /* of the training and the test target, in double: mean and sum of squares about the mean;
     * positives; gr_last_share */
    double target_mean[2], target_ss[2], positives[2], last_share[2];

    /* What follows is all zero in a run without it. */

    /* terminals of trees, and the first generation */
    uint32_t constants;               /* entries of constant[]; 0: constant_min..constant_max */
    uint32_t ephemeral;               /* beside them a number of constant_min..constant_max */
    float constant[GR_MAX_CONSTANTS]; /* rising */
    uint32_t init_min_nodes, init_max_nodes; /* GR_INIT_PTC2, GR_INIT_SIZED */
    uint32_t seeds; /* given trees or genomes, and the nodes or codons of all: */
    uint32_t seed_nodes : 31;
    uint32_t doubles : 1; /* precision: double; tiles are of doubles */
    uint32_t unique;      /* the first generation's expressions all differ */

    /* trees: variation (points.h, tree_mutations.h) */
    uint32_t one_child;           /* every child has its own parents */
    uint32_t exclusive;           /* a child comes from crossover or from one mutation */
    uint32_t tree_mutations;      /* mutation by tree_mutations.h */
    float function_points;        /* probability that a crossover point is a function; 0: uniform */
    float mutation[GR_MUTATIONS]; /* probability of each; exclusive: rising borders up to 1 */
    uint32_t subtree_ramped;      /* new subtrees half and half over 1..subtree_depth */
    uint32_t creep_gaussian;      /* otherwise constants creep along constant[] */
    float creep_deviation, multi_point_rate;

    /* parents (torus.h, parent_selection.h, order.h) */
    uint32_t torus, deme_width; /* one individual to a cell of a torus this wide */
    uint32_t selection;         /* gr_selection */
    uint32_t parsimony;         /* gr_parsimony */
    uint32_t ordered;           /* selection looks at the order of all */
    float parsimony_strength, rank_pressure, truncation;
    float least_cost; /* that the metric can have */

    /* GE: invalid individuals (parent_selection.h, breed.h) and branches (branch.h) */
    uint32_t invalid;    /* gr_invalid */
    uint32_t redrawn;    /* bits by gr_validity: what children are drawn again for */
    uint32_t rule_words; /* of a set of the grammar's rules; 0: nothing asks for branches */
    uint32_t max_derivation_nodes; /* of a derivation tree; 0: any number */

    uint32_t diversity; /* it is counted (diversity.h) */

    /* fitness cases (sample.h): train_cases and train_chunks are the sample's */
    uint32_t sampling, sample_every, sample_seed[2];
    uint32_t whole_cases, whole_chunks;
    uint32_t sample_unit; /* cases drawn together: 1, of a truth table the 32 of a word */

    uint32_t stagnation; /* a run stops after so many generations (of the engine) without a better
                            best; whole generations of the run; 0: never */

    /* islands (migration.h). An engine may have some islands of its runs, others the rest: its own
     * follow one another from number `first_island` on. */
    uint32_t first_island, other_islands; /* 0: it has all of them */
    uint32_t migrants;                    /* that every island gives and takes at a time; 0: none */
    uint32_t migration_every;             /* generations (of the engine) */
    uint32_t routes;                      /* gr_routes */
    uint32_t island_columns;              /* of the torus of islands */
    uint32_t emigrants;                   /* gr_emigrants */
    uint32_t replaced;                    /* gr_replaced */

    /* constants (fitting/fitting.h) and weights of inputs (program/weight.h) */
    uint32_t optimise; /* gr_optimise */
    uint32_t optimise_iterations;
    float optimise_share;
    uint32_t weighted;   /* inputs carry a weight */
    uint32_t index_mask; /* of the operand of such a leaf: the bits of its index */

    uint32_t validation_chunks; /* of cases that judge the best (validation.h); 0: none */
    uint32_t restart_after;     /* generations (of the engine) without a better one, after which an
                                   island begins anew (restart.h); 0: never */

    /* cases have weights: a row of every tile behind the target (fitness.h). Their sums over the
     * training and the test cases; one by the weight that fitted classes count as 1, and the sum
     * of all these counts (class_bins.h) */
    uint32_t case_weights;
    double weight[2];
    float bin_scale;
    uint32_t bin_total;

    /* lexicase.h: cases that are looked at, in batches; their number; gr_epsilon_kind */
    uint32_t lexicase_cases, lexicase_batch, lexicase_rows, epsilon;

    /* several objectives (objectives.h, pareto.h): how many, 0: one; gr_objective of each; the
     * other metric, where there is one, and whether the sums of the run's give it too */
    uint32_t objectives, objective[GR_MAX_OBJECTIVES], other_metric, other_shares;

    /* niches.h: of the archive of each island, 0: there is none; share of the parents that come
     * from them */
    uint32_t niches;
    float niche_share;

    /* once.h: whether equal programs are evaluated once; programs that are remembered */
    uint32_t once, memory;

    uint32_t mutate_duplicates; /* GE: children of known phenotypes (known.h) */

    uint32_t free_constants; /* GE: constants that are fitted are c[0], c[1], ... alone (node.h) */

    /* Several targets (program/expression.h): outputs of a program, 0: it has one; the operation
     * for each, 0: none. The last 2 * outputs inputs are those of the targets and their units. */
    uint32_t outputs, part;
} gr_params;

/* Inputs that a program can name. */
GR_BOTH uint32_t gr_named_inputs(const gr_params *p) {
    return p->inputs - 2 * p->outputs;
}

/* Islands of a run, wherever they are. */
GR_BOTH uint32_t gr_run_islands(const gr_params *p) {
    return p->islands + p->other_islands;
}

/* Words of a tile: a chunk of every input, of the target and, where cases have them, of the
 * weights. */
GR_BOTH size_t gr_tile_words(uint32_t inputs, uint32_t case_weights) {
    return (size_t)(inputs + 1 + case_weights) * GR_CHUNK;
}
GR_BOTH size_t gr_tile_of(const gr_params *p) {
#ifdef __CUDA_ARCH__ /* of floats: kernels over doubles are apart and have their own */
    return gr_tile_words(p->inputs, p->case_weights);
#else
    return gr_tile_words(p->inputs, p->case_weights) << p->doubles; /* two words each */
#endif
}

#endif
