/* Costs of individuals from the sums of their evaluation. */
#ifndef GR_COST_H
#define GR_COST_H

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/fitness/sample.h"

/* The sums of a program over all chunks of a set. sums: [chunks][p->sums][stride], this program's
 * at i; stride = individuals (training) or demes (test). target: [chunks] of the set, looked at
 * where outputs are scaled. total: [GR_MAX_SUMS]. */
GR_FN void gr_total(const gr_params *p, uint32_t set, const gr_chunk_target *target,
                    const double *sums, size_t stride, size_t i, double *total) {
    uint32_t chunks = set ? p->test_chunks : p->train_chunks;
    if (p->linear_scaling) {
        gr_moments_join(p, set, target, sums + i, stride, total);
        return;
    }
    for (uint32_t k = 0; k < GR_MAX_SUMS; k++)
        total[k] = 0.0;
    if (gr_sum_kind_of(p) == GR_SUM_LARGEST) {
        GR_TURNS_AT_ONCE(1) /* little code: it stands in every kernel that has costs */
        for (uint32_t c = 0; c < chunks; c++)
            total[0] = gr_larger_double(sums[(size_t)c * stride + i], total[0]);
        return;
    }
    for (uint32_t k = 0; k < p->sums; k++) {
        GR_TURNS_AT_ONCE(16) /* a lane adds alone what may be a million chunks */
        for (uint32_t c = 0; c < chunks; c++)
            total[k] += sums[((size_t)c * p->sums + k) * stride + i];
    }
}

/* Cost of individual i after its evaluation; fit as in gr_cost. */
GR_FN float gr_evaluated_cost(const gr_state *s, uint32_t generation, uint32_t i, double *fit) {
    if (s->individuals[generation & 1][i].instructions == 0)
        return GR_INFINITY;
    double sum[GR_MAX_SUMS];
    gr_total(&s->p, 0, s->targets, s->sums, s->p.individuals, i, sum);
    if (s->p.sampling && gr_sum_kind_of(&s->p) == GR_SUM_COUNTS) { /* they come with the sample */
        uint32_t positives = s->sample_positives[gr_positives_counter(&s->p, generation)];
        return gr_sums_cost(s->p.metric, sum, sum[0], (double)s->p.train_cases, (double)positives,
                            0.0);
    }
    return gr_cost(&s->p, sum, 0, fit);
}

#endif
