/* A problem: a job for a backend, with everything it borrows. */
#ifndef GRAMPUS_PROBLEM_H
#define GRAMPUS_PROBLEM_H

#include "gpu/backend/engine.h"
#include "host/data/dataset.h"
#include "host/grammar/grammar.h"
#include "host/problem/prepared.h"

/* Host memory that the fitness cases take, in bytes: targets (of linear scaling, those by chunk
 * too), tiles, and what loading and laying out took at a time. */
typedef struct gr_loaded {
    size_t targets, tiles, most;
} gr_loaded;

/* Owns everything a job borrows. */
typedef struct gr_problem {
    gr_job job;
    gr_dataset train, test, validation; /* validation: no cases without it */
    gr_params validating;               /* the parameters, with it as test cases */
    struct gr_chunk_target *validation_targets;
    gr_params other; /* the parameters with another metric that is an objective */
    gr_grammar *grammar;
    gr_vocabulary vocabulary;
    float *train_tiles, *test_tiles; /* those of the sets */
    struct gr_chunk_target *targets; /* of both; NULL without linear scaling */
    gr_node *seeds; /* given trees, one after the other, and where each begins; NULL without */
    uint32_t *seed_first;
    uint32_t front_choice;          /* gr_front_choice, or GR_AUTO */
    gr_prepared prepared;           /* inputs made of others */
    uint32_t *types;                /* tables of typed trees, or NULL */
    struct gr_text_hash *terminals; /* NULL unless diversity is counted or duplicates are mutated */
    uint32_t classes;               /* misclassified: different labels of both sets */
    uint32_t probes; /* behind the cases of `train` those that only the engine has (probes.h) */
    gr_loaded loaded;
    int find_law; /* as the settings have them */
    uint32_t law_every;
} gr_problem;

#endif
