/* One strategy of the papers on one population: launch chosen, verified, timed. */
#ifndef LADDER_MEASURE_H
#define LADDER_MEASURE_H

#include "tools/ladder/reference.h"
#include "tools/ladder/report.h"

#include <stdio.h>

typedef struct ladder_bench {
    const ladder_problem *problem;
    const ladder_population *population;
    const ladder_reference *reference;
    ladder_device *device;
    uint32_t repeats;
    double *seconds; /* [repeats] */
    double *sums;    /* [programs] */
    float *outputs;  /* [programs][sample cases] */
} ladder_bench;

gr_status ladder_measure(ladder_bench *bench, uint32_t strategy, ladder_figure *figure,
                         gr_error *error);

/* A row for every size of a block and preference of on-chip memory, one block a program as in the
 * papers; nothing for strategies that have none. */
gr_status ladder_measure_launches(ladder_bench *bench, uint32_t strategy, FILE *table,
                                  gr_error *error);

/* Median and spread of seconds[repeats], which are sorted, as a rate of `work` units. */
void ladder_summarise(double *seconds, uint32_t repeats, double work, ladder_figure *figure);

#endif
