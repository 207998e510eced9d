/* stats.tsv: the statistics of one run as PonyGE2 writes them. */
#ifndef GRAMPUS_PONYGE2_STATISTICS_H
#define GRAMPUS_PONYGE2_STATISTICS_H

#include "host/statistics/generation.h"

#include <stdio.h>

typedef struct gr_ponyge2_statistics {
    uint64_t invalids, runtime_errors, individuals; /* so far */
    double seconds;                                 /* at the generation before */
} gr_ponyge2_statistics;

/* Columns in alphabetical order, a tab also at the end of every line. Runs of several objectives
 * have `fronts` instead of fitness. */
void gr_ponyge2_head(FILE *out, int diversity, int fronts);
void gr_ponyge2_row(gr_ponyge2_statistics *s, const gr_generation *g, FILE *out);

#endif
