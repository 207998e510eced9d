/* Costs of individuals from the sums of their evaluation. */
#ifndef GR_COST_H
#define GR_COST_H

#include "sample.h"

/* Sum k of a program over all chunks, in rising order; sums and i as below. */
GR_FN double gr_total(const double *sums, uint32_t chunks, uint32_t kinds, uint32_t k,
                      size_t stride, size_t i) {
    double total = 0.0;
    for (uint32_t c = 0; c < chunks; c++)
        total += sums[((size_t)c * kinds + k) * stride + i];
    return total;
}

/* The sums of a program over all chunks of a set. sums: [chunks][p->sums][stride], this program's
 * at i; stride = individuals (training) or demes (test); total: [GR_MAX_SUMS]. */
GR_FN void gr_read_sums(const gr_params *p, uint32_t set, const double *sums, size_t stride,
                        size_t i, double *total) {
    uint32_t chunks = set ? p->test_chunks : p->train_chunks;
    for (uint32_t k = 0; k < GR_MAX_SUMS; k++)
        total[k] = 0.0;
    for (uint32_t k = 0; !p->linear_scaling && k < p->sums; k++)
        total[k] = gr_total(sums, chunks, p->sums, k, stride, i);
    GR_TURNS_AT_ONCE(4)
    for (uint32_t chunk = 0; p->linear_scaling && chunk < chunks; chunk++) {
        const double *at = sums + (size_t)chunk * GR_MAX_SUMS * stride + i;
        double part[GR_MAX_SUMS] = {at[0], at[stride], at[2 * stride], at[3 * stride]};
        gr_moments_join(p, set, chunk, total, part);
    }
}

/* Cost of individual i after its evaluation; fit as in gr_cost. */
GR_FN float gr_evaluated_cost(const gr_state *s, uint32_t generation, uint32_t i, double *fit) {
    if (s->individuals[generation & 1][i].instructions == 0)
        return GR_INFINITY;
    double sum[GR_MAX_SUMS];
    gr_read_sums(&s->p, 0, s->sums, s->p.individuals, i, sum);
    if (s->p.sampling && gr_sum_kind_of(&s->p) == GR_SUM_COUNTS) { /* they come with the sample */
        uint32_t positives = s->sample_positives[gr_positives_place(&s->p, generation)];
        return (float)gr_counts_cost(s->p.metric, sum, (double)positives,
                                     (double)(s->p.train_cases - positives));
    }
    return gr_cost(&s->p, sum, 0, fit);
}

#endif
