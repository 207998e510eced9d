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
/* What they and the tables of cells say, as text. */
gr_status gr_print_comparison(gr_tables *tables, FILE *out, gr_error *error);

#endif
