/* What a run tells of its generations. */
#ifndef GRAMPUS_GENERATION_H
#define GRAMPUS_GENERATION_H

#include "gpu/core/state/state.h"

/* Some measure over the individuals that have it; all NaN when none has. */
typedef struct gr_min_mean_max {
    double min, mean, max;
} gr_min_mean_max;

/* One generation of one run. Fitness as a user reads it: the worst is an infinity, NaN where there
 * is none. */
typedef struct gr_generation {
    uint32_t run, generation;
    int improved;
    double best, mean; /* of this generation; the mean over finite ones */
    double best_ever, test;
    uint32_t individuals, by_validity[GR_VALIDITY_COUNT];
    uint32_t nonfinite;                 /* valid, but without a finite fitness */
    uint64_t draws_again, parents_kept; /* what limits cost its children, see gr_add_retries */
    gr_min_mean_max size[GR_SIZE_KINDS];
    uint32_t best_nodes, best_depth; /* of this generation's best */
    double executed;                 /* nodes x cases of all that it evaluates */
    gr_spared spared;                /* of it, what was not evaluated again */
    double seconds;                  /* since the start, when it was selected */
    int has_diversity;               /* it was counted */
    int counts_ever;                 /* its phenotypes of all generations too */
    gr_diversity diversity;
    int mutates_duplicates; /* how many mutations that took since the start: */
    uint64_t mutated_again;
    int has_fronts; /* there are several objectives: */
    uint32_t first_front, fronts;
} gr_generation;

/* Some of them, in one block of memory: generations rising, in each the runs rising. */
enum { GR_ROWS = 1024 }; /* most in a block */
typedef struct gr_rows {
    uint32_t count;
    gr_generation row[];
} gr_rows;

#endif
