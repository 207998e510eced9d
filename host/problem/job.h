/* From settings to a job: problem, grammar and parameters, checked against one another. */
#ifndef GRAMPUS_JOB_H
#define GRAMPUS_JOB_H

#include "host/problem/problem.h"

/* `settings` must be resolved. On failure *problem is empty. */
gr_status gr_problem_make(const gr_settings *settings, gr_problem *problem, gr_error *error);
void gr_problem_free(gr_problem *problem);

/* The parameters that measuring fitness on `set` takes, as if it were the training set. */
gr_status gr_describe_fitness(const gr_settings *settings, const gr_dataset *set, gr_params *params,
                              gr_error *error);

#endif
