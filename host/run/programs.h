/* Training and test fitness of many programs of the last generation (Langdon 2007, Figure 7). */
#ifndef GRAMPUS_PROGRAMS_H
#define GRAMPUS_PROGRAMS_H

#include "host/run/run.h"

typedef struct gr_measured_program {
    uint32_t nodes;       /* 0: not valid */
    double fitness, test; /* test: NaN without test cases */
    double sample;        /* on the last sample of a run on samples; NaN of others */
} gr_measured_program;

/* The first *count individuals, or as many as there are; the caller frees them. */
gr_status gr_run_programs(gr_run *run, uint32_t *count, gr_measured_program **programs,
                          gr_error *error);
/* Writes a row for each of the first `count` individuals: place, nodes, fitness on all training
 * cases and on the test cases; of a run on samples also that on the sample of the last generation.
 */
gr_status gr_write_programs(gr_run *run, uint32_t count, FILE *out, gr_error *error);

#endif
