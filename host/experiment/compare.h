/* Cells against each other: comparisons, ranks and letters, from what the tables have of the cells
 * that are done. */
#ifndef GRAMPUS_EXPERIMENT_COMPARE_H
#define GRAMPUS_EXPERIMENT_COMPARE_H

#include "host/experiment/tables.h"

#include <stdio.h>

/* Beyond so many cells each is only compared with the first. */
enum { GR_PAIRED_CELLS = 200 };

/* Makes the tables between cells anew, in one transaction. */
gr_status gr_compare(gr_tables *tables, gr_error *error);
/* Why there is no Friedman test of a measure; empty: there is one, or nothing that it has. */
enum { GR_WHY = 200 };
typedef struct gr_no_ranks {
    const char *measure[2];
    char why[2][GR_WHY];
} gr_no_ranks;
gr_status gr_why_no_ranks(gr_tables *tables, gr_no_ranks *none, gr_error *error);
/* What they and the tables of cells say, as text. */
gr_status gr_print_comparison(gr_tables *tables, FILE *out, gr_error *error);

#endif
