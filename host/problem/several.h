/* Several targets: the columns a program's error is made of, and its outputs one by one. */
#ifndef GRAMPUS_SEVERAL_H
#define GRAMPUS_SEVERAL_H

#include "host/problem/problem.h"
#include "host/settings/settings.h"

/* Cases in arrays have their targets as the last inputs, under the names in the settings, too. */
gr_status gr_check_given_targets(const gr_settings *settings, const gr_dataset *set,
                                 gr_error *error);
/* The sets were read with their targets as the last inputs. Behind these come as many columns of
 * what an error in each is multiplied by, and the target becomes 0: the output of
 * targets(a, b, ...) is the error of a case already. */
gr_status gr_fold_targets(const gr_settings *settings, gr_problem *problem, gr_error *error);

/* The nodes of output k of a program of `outputs` targets, [*first, *first + *count); 0: it is no
 * such program, or memory is short. */
int gr_find_output(const gr_node *nodes, uint32_t length, uint32_t outputs, uint32_t k,
                   uint32_t *first, uint32_t *count);

/* How well an output fits its own target over a set with its targets among the inputs from
 * `targets` on, laid out as tiles. */
typedef struct gr_target_fit {
    double rmse, mae, r2; /* NaN where they have no meaning */
} gr_target_fit;
/* Of the output that these nodes are; to: [cases], what it gives. */
gr_status gr_fit_of_output(const gr_node *nodes, uint32_t count, const gr_dataset *set,
                           uint32_t target, float *to, gr_target_fit *fit, gr_error *error);

#endif
