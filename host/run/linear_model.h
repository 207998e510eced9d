/* The linear model of the inputs, as a program that may be chosen beside those that were bred
 * (choice.h): where it is the law, or all that noise leaves of it, evolution writes it with more
 * nodes than it takes. */
#ifndef GRAMPUS_LINEAR_MODEL_H
#define GRAMPUS_LINEAR_MODEL_H

#include "host/run/run.h"

/* Least squares on the training cases, one input more at a time: always the one that leaves the
 * least error (Efroymson 1960, without his steps back). *model: the sum whose value by `worth` is
 * least, measured on all cases; worth(cases that least squares looked at, share of the target's
 * variance that is left, nodes).
 * No infix where there is none: not trees, with types, without + (and, where inputs have no
 * weights, * and constants of any value), without linear-scaling, more than GR_LINEAR_INPUTS
 * inputs, or nothing in them.
 *
 * *mean: the mean of the target, a constant, where a linear model would be looked for, trees may
 * have numbers, and there is no model that is worth more than it and the choice of its inputs; else
 * no infix. NULL: not asked for. The caller frees both with gr_best_free. */
enum { GR_LINEAR_INPUTS = 256 };
typedef double (*gr_linear_worth)(double cases, double left, uint32_t nodes);
/* What the choice of so many inputs among all counts in `worth`: the best of n takes by chance
 * alone twice the logarithm of n (Foster and George 1994). */
double gr_choice_of_inputs(const gr_params *p, uint32_t inputs);
gr_status gr_linear_model(gr_run *run, uint32_t index, gr_linear_worth worth, gr_best *model,
                          gr_best *mean, gr_error *error);

#endif
