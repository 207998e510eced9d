/* Generations of all runs of a cell together: `summary` and `success_curve`, made row by row while
 * the runs go on. */
#ifndef GRAMPUS_EXPERIMENT_CURVES_H
#define GRAMPUS_EXPERIMENT_CURVES_H

#include "gpu/core/base/params.h"
#include "host/experiment/tables.h"

typedef struct gr_curves gr_curves;

/* Koza's computational effort: its least value, and where. */
typedef struct gr_effort {
    double effort; /* NaN: nothing is solved */
    uint32_t gen;
    uint64_t runs;
} gr_effort;

/* `target`: NaN, there is none. NULL: no memory. */
gr_curves *gr_curves_open(const gr_params *params, double target);
void gr_curves_close(gr_curves *curves);
/* Rows in rising order of generations, in each the runs in rising order: all columns of
 * statistics.tsv. False: no memory. */
int gr_curves_row(gr_curves *curves, const double *row);
/* The last generation is complete. False: no memory. */
int gr_curves_end(gr_curves *curves);
/* Bytes that wait; writes what waits, within a transaction, and forgets it. */
size_t gr_curves_waiting(const gr_curves *curves);
gr_status gr_curves_put(gr_curves *curves, gr_tables *tables, int64_t cell, gr_error *error);
/* What runs came to in the end: run r ended in generation ended[r], at its target or not. Where
 * that is not what its rows said, as on a sample of the cases, `success_curve` is written again. */
gr_status gr_curves_settle(gr_curves *curves, const uint32_t *ended, const uint8_t *solved,
                           gr_tables *tables, int64_t cell, gr_error *error);
/* Of all generations so far. */
gr_effort gr_curves_effort(const gr_curves *curves);

/* Individuals that a run has evaluated by a generation, elites not again. */
uint64_t gr_evaluations_by(const gr_params *params, uint32_t generation);

#endif
