/* A program of several targets, output by output. */
#ifndef GRAMPUS_RUN_SEVERAL_H
#define GRAMPUS_RUN_SEVERAL_H

#include "host/problem/several.h"
#include "host/run/run.h"

#include <cjson/cJSON.h>

#include <stdio.h>

typedef struct gr_target_outcome {
    char *infix;
    const char *name; /* the problem's */
    gr_target_fit fit[2];
} gr_target_outcome;

/* The outputs of a best, one for every target, with their errors on the training and the test
 * cases. */
typedef struct gr_target_outcomes {
    gr_target_outcome *of; /* [count]; NULL: one target */
    uint32_t count;
} gr_target_outcomes;

gr_status gr_targets_collect(const gr_run *run, const gr_best *best, gr_target_outcomes *targets,
                             gr_error *error);
void gr_targets_free(gr_target_outcomes *targets);
void gr_targets_print(const gr_target_outcomes *targets, FILE *out);
void gr_targets_json(const gr_target_outcomes *targets, cJSON *object);

#endif
