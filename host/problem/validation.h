/* Cases set aside from the training cases, by which the best is chosen. */
#ifndef GRAMPUS_VALIDATION_H
#define GRAMPUS_VALIDATION_H

#include "host/problem/problem.h"

/* Moves the share `validation-fraction` of the training cases, drawn at random, to the validation
 * set. */
gr_status gr_hold_out_validation(const gr_settings *settings, gr_problem *problem, gr_error *error);
/* The cases of the settings as a run of them trains: without those set aside. */
gr_status gr_dataset_make_trained(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                                  gr_error *error);
/* What the job has of them, once its parameters are complete. */
gr_status gr_make_validation(const gr_settings *settings, gr_problem *problem, gr_error *error);

#endif
