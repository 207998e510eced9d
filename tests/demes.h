/* A deme whose costs and sizes are known, for the tests of selection. */
#ifndef GRAMPUS_TESTS_DEMES_H
#define GRAMPUS_TESTS_DEMES_H

#include "host/cpu/stages.h"
#include "tests/core.h"

enum { N = 64 };

/* A deme of N with sums that give costs 0.5, 1, 1.5, ... in mixed order, and various sizes. */
CORE_FN core open_deme(gr_params *p) {
    core c;
    p->population = p->individuals = N;
    p->metric = GR_METRIC_SAE;
    c = core_open(p, NULL, 0);
    for (uint32_t i = 0; i < N; i++) {
        gr_individual *individual = &c.s.individuals[0][i];
        individual->nodes = individual->length = 3 + i * 7 % 23;
        individual->instructions = 1;
        c.s.sums[i] = 0.5 * (double)(1 + i * 37 % N);
        c.s.cost[i] = (float)c.s.sums[i];
    }
    c.s.individuals[0][11].instructions = 0; /* one without a cost */
    c.s.cost[11] = GR_INFINITY;
    for (uint32_t i = 0; i < N; i++)
        if (c.s.cost[i] == 0.5f) {
            c.s.records[0].best_cost = 0.5f;
            c.s.records[0].best_index = i;
        }
    gr_cpu_order(&c.s, 0, NULL);
    return c;
}

#endif
