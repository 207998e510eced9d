/* How often the angles of a program go round over the training cases. Of a sine whose angle goes
 * round often there are many, one a frequency, that differ on the cases: on thirteen years those of
 * sin(150 x) are any numbers, and among enough frequencies some are like the target's noise. */
#ifndef GRAMPUS_TURNS_H
#define GRAMPUS_TURNS_H

#include "host/run/run.h"

/* *logarithms: the sum of log(1 + t) over every sin, cos and tan of the program, whose angle's
 * values on the training cases (the first 65 536 of them) are t turns apart at most; values that
 * are not finite aside. 0 for an invalid best, over truth tables, and without cases. */
gr_status gr_turns_look(const gr_problem *problem, const gr_best *best, double *logarithms,
                        gr_error *error);

#endif
