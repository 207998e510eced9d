/* How long a description of the training target by a program is, in nats: the code of the program,
 * of its constants as exactly as the cases tell them, and of what it is off by (minimum description
 * length: Bartlett, Desmond and Ferreira, Exhaustive Symbolic Regression, 2023; as Operon takes
 * it):
 *
 *     n / 2 (log(2 pi s) + 1)   s: the mean squared error; never below 2^-46 of the target's
 * variance
 *   + k log q                   k nodes, of q different operations and inputs (constants are one)
 *   + sum over constants c of log |c| + log(F) / 2 - log(3) / 2
 *
 * F is what the cases tell about a constant, the sum of squares of the output's derivative by it
 * over s; constants smaller than sqrt(12 / F) count -log(3) / 2 alone, since they can hardly be
 * told from 0. Intercept and slope of linear scaling are constants too, beside which
 * stand + and *. Cases with weights count these over their mean. Derivatives are differences over
 * 1/128 of a constant, on at most 65 536 cases. */
#ifndef GRAMPUS_DESCRIPTION_H
#define GRAMPUS_DESCRIPTION_H

#include "host/problem/predict.h"
#include "host/problem/problem.h"

/* Of an expression, with intercept and slope fit[2] (NULL: none). NaN where outputs or constants
 * are no numbers. */
gr_status gr_description_length(const gr_problem *problem, const char *infix, const double *fit,
                                double *nats, gr_error *error);

#endif
