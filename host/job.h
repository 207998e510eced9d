/* From settings to a job: problem, grammar and parameters, checked against one another. */
#ifndef GRAMPUS_JOB_H
#define GRAMPUS_JOB_H

#include "../gpu/engine.h"
#include "dataset.h"
#include "grammar.h"

/* Owns everything a job borrows. */
typedef struct gr_problem {
    gr_job job;
    gr_dataset train, test;
    gr_grammar *grammar;
    gr_vocabulary vocabulary;
    float *train_tiles, *test_tiles;
    struct gr_chunk_target *targets; /* of both; NULL without linear scaling */
    gr_node *seeds; /* given trees, one after the other, and where each begins; NULL without */
    uint32_t *seed_first;
} gr_problem;

/* `settings` must be resolved. On failure *problem is empty. */
gr_status gr_problem_make(const gr_settings *settings, gr_problem *problem, gr_error *error);
void gr_problem_free(gr_problem *problem);

/* The parameters that measuring fitness on `set` takes, as if it were the training set. */
gr_status gr_describe_fitness(const gr_settings *settings, const gr_dataset *set, gr_params *params,
                              gr_error *error);

/* Lays a set out as tiles [chunks][inputs + 1][GR_CHUNK], words when packed, zeros behind the last
 * case. NULL when memory is short. A set without target has zeros in its place. */
float *gr_make_tiles(const gr_dataset *set, uint32_t *chunks);

#endif
