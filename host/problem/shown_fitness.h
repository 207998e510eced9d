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

#endif
