/* Grampus's own engine on the ladder's programs and problems. */
#ifndef LADDER_OURS_H
#define LADDER_OURS_H

#include "tools/ladder/reference.h"

/* Whether costs are the reference's; if not, why not goes to why[size]. */
typedef struct ladder_verdict {
    int verified;
    char *why;
    size_t size;
} ladder_verdict;

/* Evaluation of a population: seconds[repeats], and a verdict on the costs. */
gr_status ladder_ours_evaluate(const ladder_problem *problem, const ladder_population *population,
                               const ladder_reference *reference, uint32_t repeats, double *seconds,
                               ladder_verdict *verdict, gr_error *error);

/* The same in pieces: an engine for a problem; a population of its size on it, seconds[repeats].
 * The engine is to be closed also after a failure. */
gr_status ladder_ours_open(const ladder_problem *problem, gr_engine **engine, gr_error *error);
gr_status ladder_ours_time(gr_engine *engine, const ladder_population *population, uint32_t repeats,
                           double *seconds, gr_error *error);
void ladder_ours_close(gr_engine *engine);

/* Whole runs, which is what Chitty measures: seconds[repeats], the node evaluations of one, and
 * a verdict on the costs of its last generation. */
gr_status ladder_ours_run(const ladder_problem *problem, uint32_t repeats, double *seconds,
                          double *executed, ladder_verdict *verdict, gr_error *error);

#endif
