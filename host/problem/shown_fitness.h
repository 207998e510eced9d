/* Fitness as a user reads it, and the cost that all code below goes by: lower costs are better, so
 * maximised metrics have the other sign. */
#ifndef GRAMPUS_SHOWN_FITNESS_H
#define GRAMPUS_SHOWN_FITNESS_H

#include <stdint.h>

/* The worst cost is the worst fitness, an infinity. */
double gr_fitness_of(uint32_t metric, double cost);
double gr_cost_of(uint32_t metric, double fitness);
/* Whether fitness a is better than b; a NaN is neither better nor worse. */
int gr_is_better(uint32_t metric, double a, double b);
/* Whether a fitness is at the target, both rounded to a float as the run that stops there has them:
 * of 0.1 and 0.1f as doubles one is the larger. A NaN is not, nor is anything without a target. */
int gr_is_at_target(uint32_t metric, double fitness, double target);

#endif
