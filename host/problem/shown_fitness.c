#include "host/problem/shown_fitness.h"

#include "gpu/core/fitness/fitness.h"

/* Sums and differences with 0: no -0, and no NaN changes its sign. */
double gr_fitness_of(uint32_t metric, double cost) {
    return gr_is_maximised(metric) ? 0.0 - cost : 0.0 + cost;
}

double gr_cost_of(uint32_t metric, double fitness) {
    return gr_fitness_of(metric, fitness);
}

int gr_is_better(uint32_t metric, double a, double b) {
    return gr_cost_of(metric, a) < gr_cost_of(metric, b);
}

int gr_is_at_target(uint32_t metric, double fitness, double target) {
    return (float)gr_cost_of(metric, fitness) <= (float)gr_cost_of(metric, target);
}
