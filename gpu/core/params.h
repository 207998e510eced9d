/* Every number the algorithm needs, as one plain struct that travels to the device once. */
#ifndef GR_PARAMS_H
#define GR_PARAMS_H

#include "ops.h"

typedef enum gr_genotype { GR_GRAMMATICAL, GR_TREE } gr_genotype;

typedef enum gr_initialisation {
    GR_INIT_UNIFORM, /* GE: random codons */
    GR_INIT_GROW,    /* random trees (GE: derivation trees) up to the ramp's depth */
    GR_INIT_FULL,
    GR_INIT_RAMPED,  /* half and half over init_min_depth..init_max_depth ("sensible" in GE) */
    GR_INIT_PI_GROW, /* GE: position independent, over the same depths */
    GR_INIT_PTC2     /* GE: of 1..init_length expansions */
} gr_initialisation;

typedef enum gr_crossover {
    GR_CROSSOVER_NONE,
    GR_CROSSOVER_FIXED_ONEPOINT, /* the same cut in both genomes */
    GR_CROSSOVER_VARIABLE_ONEPOINT,
    GR_CROSSOVER_FIXED_TWOPOINT,
    GR_CROSSOVER_VARIABLE_TWOPOINT,
    GR_CROSSOVER_SUBTREE
} gr_crossover;

typedef enum gr_metric {
    GR_METRIC_SAE,
    GR_METRIC_MAE,
    GR_METRIC_MSE,
    GR_METRIC_RMSE,
    GR_METRIC_R2,
    GR_METRIC_HITS,          /* cases with |error| <= tolerance */
    GR_METRIC_MISCLASSIFIED, /* output to class by class_rule */
    GR_METRIC_BALANCED,      /* 1/2 TPR + 1/2 TNR; positive when output >= threshold */
    GR_METRIC_BOOLEAN_HITS,  /* packed problems: matching bits */
    GR_METRIC_HINGE,         /* mean of max(0, 1 - output y), y = 1 for labels above 0, else -1 */
    GR_METRIC_F1             /* of both classes, weighted by their sizes; positive: output > 0 */
} gr_metric;

typedef enum gr_class_rule {
    GR_CLASS_NEAREST, /* output rounded to the nearest integer label, clamped to the label range */
    GR_CLASS_THRESHOLDS /* class = lowest label + number of thresholds <= output */
} gr_class_rule;

enum { GR_MAX_THRESHOLDS = 32, GR_MAX_INIT_DEPTH = 64 };

typedef struct gr_params {
    /* population: runs x islands x population individuals, flattened in that order */
    uint32_t runs, islands, population, individuals;
    uint32_t seed[2]; /* low, high word; run r draws with seed + r */
    uint32_t generations;
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
    uint32_t metric, class_rule, linear_scaling, sums; /* sums: doubles per chunk, 1..3 */
    float tolerance, class_min, class_max;
    uint32_t thresholds;
    float threshold[GR_MAX_THRESHOLDS];
    /* of the training and the test target, in double: mean and sum of squares about the mean;
     * positives */
    double target_mean[2], target_ss[2], positives[2];
} gr_params;

#endif
