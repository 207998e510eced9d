/* A program of several targets, output by output. */
#ifndef GRAMPUS_RUN_SEVERAL_H
#define GRAMPUS_RUN_SEVERAL_H

#include "host/problem/several.h"
#include "host/run/outcome.h"

typedef struct gr_target_outcome {
    char *infix;
    const char *name; /* the problem's */
    gr_target_fit fit[2];
} gr_target_outcome;

/* The outputs of the leader with their errors on the training and the test cases. */
gr_status gr_targets_collect(const gr_run *run, gr_outcome *outcome, gr_error *error);
void gr_targets_free(gr_outcome *outcome);
void gr_targets_print(const gr_outcome *outcome, FILE *out);
void gr_targets_json(const gr_outcome *outcome, cJSON *object);

#endif
