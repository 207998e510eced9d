/* What a run reports of its best, computed again.
 *
 * Evolution goes by costs from sums of floats in the order of the device, and of a linear fit by
 * sums of moments. Here each best is read from the text that the user gets, its outputs are those
 * of `grampus eval`, intercept and slope those reported, and every metric is its textbook formula
 * in double, case after case. Reported values must agree with that:
 *
 *     sae, mae, rmse      1e-4 of the target's deviation (sae: for every case)
 *     mse                 1e-4 of its square
 *     r2, hinge           1e-4
 *     and where the value is more than 10 of these units, 1e-5 of it: floats add up to 4e-6
 *     counts, and shares of counts: what rounding to a float changes
 *
 * The deviation for test cases is the larger one of both targets, and never below a float's
 * rounding of the target's mean. Neither a number, or both too large for a float, is agreement too.
 */
#ifndef GRAMPUS_RECOMPUTE_H
#define GRAMPUS_RECOMPUTE_H

#include "host/run/run.h"

/* Fills in `recomputed` and `differs` of best[0, runs), on all cases; those that differ are not
 * solved. Invalid ones have nothing to compute. */
gr_status gr_recompute(const gr_problem *problem, gr_best *best, uint32_t runs, gr_error *error);
/* Memory that takes at most, the programs at hand not counted. */
size_t gr_recompute_bytes(const gr_problem *problem, uint32_t runs);

#endif
