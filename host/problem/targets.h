/* What the targets of a set are like, and whether the metric has a meaning on them. */
#ifndef GRAMPUS_TARGETS_H
#define GRAMPUS_TARGETS_H

#include "host/problem/problem.h"
#include "host/settings/settings.h"

/* Positives of a target and, for the fitness that asks for them, its mean and the squares about it:
 * one after the other, in double, which takes a while. which: 0 training, 1 test. */
void gr_describe_target(gr_params *p, const gr_dataset *set, int which);
/* Does the metric have a meaning on this target? The training cases give the classes. `name` of the
 * cases is what an error calls them: 1 is the place of validation cases too. */
gr_status gr_check_target(const gr_settings *settings, gr_params *p, const gr_dataset *set,
                          int which, const char *name, gr_error *error);
/* Of a run: whether its programs begin with errors that are numbers. A training target so large
 * that its squares are not leaves only those finite that are near it already. */
gr_status gr_check_large_target(const gr_settings *settings, const gr_params *p,
                                const gr_dataset *set, gr_error *error);
/* Counts the different labels, of which there may not be more than a confusion matrix has rows. */
gr_status gr_check_classes(const gr_settings *settings, gr_problem *problem, gr_error *error);

#endif
