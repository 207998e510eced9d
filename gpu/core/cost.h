/* Costs of individuals from the sums of their evaluation. */
#ifndef GR_COST_H
#define GR_COST_H

#include "fitness.h"
#include "sample.h"

/* Sum k of individual i, chunk sums added in rising order. stride = individuals (training) or demes
 * (test). */
GR_FN double gr_total(const double *sums, uint32_t chunks, uint32_t kinds, uint32_t k,
                      size_t stride, size_t i) {
    double total = 0.0;
    for (uint32_t c = 0; c < chunks; c++)
        total += sums[((size_t)c * kinds + k) * stride + i];
    return total;
}

/* Cost of individual i after its evaluation; fit as in gr_cost. */
GR_FN float gr_evaluated_cost(const gr_state *s, uint32_t generation, uint32_t i, double *fit) {
    if (s->individuals[generation & 1][i].instructions == 0)
        return GR_INFINITY;
    double sum[3];
    for (uint32_t k = 0; k < s->p.sums; k++)
        sum[k] = gr_total(s->sums, s->p.train_chunks, s->p.sums, k, s->p.individuals, i);
    if (s->p.sampling && gr_sum_kind_of(&s->p) == GR_SUM_COUNTS) { /* they come with the sample */
        uint32_t positives = s->sample_positives[gr_positives_place(&s->p, generation)];
        return (float)gr_counts_cost(s->p.metric, sum, (double)positives,
                                     (double)(s->p.train_cases - positives));
    }
    return gr_cost(&s->p, sum, 0, fit);
}

#endif
