/* The mapping of Pospichal and others 2011 on the card: GE of the quartic, two kernels a
 * generation, a block an individual. */
#ifndef LADDER_POSPICHAL_H
#define LADDER_POSPICHAL_H

#include "gpu/backend/error.h"
#include "tools/ladder/derive.h"

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LADDER_GE_INDIVIDUALS = 64, /* at most: Table 1 */
    LADDER_GE_TOURNAMENT = 3    /* Table 1 */
};

typedef struct ladder_ge_run {
    uint32_t points, population, generations, seed;
} ladder_ge_run;

typedef struct ladder_ge_result {
    double seconds;  /* of the kernels, from the first to the last */
    double overhead; /* memory taken, seeds written, the last population copied */
    float fitness[LADDER_GE_INDIVIDUALS];
    uint8_t chromosome[LADDER_GE_INDIVIDUALS][LADDER_GE_CODONS];
} ladder_ge_result;

gr_status ladder_ge_launch(const ladder_ge_run *run, ladder_ge_result *result, gr_error *error);

/* A row for every run: `seeds` runs of each of the 24 combinations of Table 1, or, for convergence,
 * `seeds` runs of 100 generations. */
gr_status ladder_ge_table(uint32_t seeds, int convergence, FILE *table, gr_error *error);

#ifdef __cplusplus
}
#endif

#endif
