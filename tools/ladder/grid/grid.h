/* GPOCL's experiment (sections 4.2 and 4.3): programs of 50 nodes, six populations, six data sets,
 * many seeds; median rates (Tables 4 and 5, Figures 3 to 22) and energy (Table 6). */
#ifndef LADDER_GRID_H
#define LADDER_GRID_H

#include "tools/ladder/measure.h"

#include <stdio.h>

#define LADDER_GRID_HEAD                                                                           \
    "problem\tstrategy\tpopulation\tcases\tseeds\tgpops\tkernel_gpops\tleast\tmost\tcases_run\t"   \
    "near\n"
#define LADDER_ENERGY_HEAD "problem\tstrategy\tgpops\twatts\tgpop_per_joule\tseconds\tmeter\n"

typedef struct ladder_grid {
    ladder_set set;
    uint32_t seeds;
    int energy;          /* instead of the grid */
    const uint8_t *rows; /* asked for; only those of GPOCL and ours are measured */
    const char *(*name)(uint32_t row);
    FILE *table;
} ladder_grid;

gr_status ladder_grid_run(const ladder_grid *grid, gr_error *error);

/* ---- the CPU's strategy (Algorithm 2): a thread a program ---- */

typedef struct ladder_cpu_cases {
    float *x, *y; /* [cases][inputs]; [cases] */
    uint32_t inputs, cases;
} ladder_cpu_cases;

gr_status ladder_cpu_cases_make(const ladder_columns *columns, ladder_cpu_cases *cases,
                                gr_error *error);
void ladder_cpu_cases_free(ladder_cpu_cases *cases);
/* Sums of absolute errors of the first programs on the first cases; returns seconds. */
double ladder_cpu_run(ladder_set set, const ladder_code *rpn, uint32_t programs,
                      const ladder_cpu_cases *cases, uint32_t used, int threads, double *sums);

/* Joules the processors took so far by RAPL; NAN where it cannot be read. */
double ladder_rapl(void);

#endif
