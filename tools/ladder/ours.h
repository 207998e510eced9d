/* Grampus's own engine on the ladder's programs and problems. */
#ifndef LADDER_OURS_H
#define LADDER_OURS_H

#include "tools/ladder/reference.h"

/* Evaluation of a population: seconds[repeats], and whether the costs are the reference's. */
gr_status ladder_ours_evaluate(const ladder_problem *problem, const ladder_population *population,
                               const ladder_reference *reference, uint32_t repeats, double *seconds,
                               int *verified, char *why, size_t size, gr_error *error);

/* Whole runs, which is what Chitty measures: seconds[repeats], the node evaluations of one, and
 * whether the costs of its last generation are the reference's. */
gr_status ladder_ours_run(const ladder_problem *problem, uint32_t repeats, double *seconds,
                          double *executed, int *verified, char *why, size_t size, gr_error *error);

#endif
