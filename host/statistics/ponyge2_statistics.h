/* stats.tsv: the statistics of one run as PonyGE2 writes them. */
#ifndef GRAMPUS_PONYGE2_STATISTICS_H
#define GRAMPUS_PONYGE2_STATISTICS_H

#include "host/statistics/generation.h"

#include <stdio.h>

typedef struct gr_ponyge2_statistics {
    uint64_t invalids, runtime_errors, individuals; /* so far */
    double seconds;                                 /* at the generation before */
} gr_ponyge2_statistics;

/* Columns that only some runs have: of CACHE; of several objectives, which have fronts instead of
 * fitness; of MUTATE_DUPLICATES. */
typedef struct gr_ponyge2_columns {
    int diversity, fronts, regens;
} gr_ponyge2_columns;

/* Columns in alphabetical order, a tab also at the end of every line. */
void gr_ponyge2_head(FILE *out, const gr_ponyge2_columns *with);
void gr_ponyge2_row(gr_ponyge2_statistics *s, const gr_generation *g, FILE *out);

#endif
