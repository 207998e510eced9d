/* Several objectives: what each of them is for an individual. All are made small; one that no
 * finite cost comes of is worst in all of them, so that it is nobody's equal but of its like. */
#ifndef GR_OBJECTIVES_H
#define GR_OBJECTIVES_H

#include "gpu/core/fitness/cost.h"

GR_FN const gr_individual *gr_sized(const gr_state *s, uint32_t generation, uint32_t i) {
    return &s->individuals[generation & 1][i];
}

GR_FN float gr_individual_cost(const gr_state *s, uint32_t generation, uint32_t i) {
    double fit[2];
    return gr_evaluated_cost(s, generation, i, fit);
}

/* What an operation counts in the weighted complexity, by its class. */
#define GR_WEIGHT_OF_CHEAP 1
#define GR_WEIGHT_OF_DIVIDE 2
#define GR_WEIGHT_OF_SPECIAL 4

/* What an instruction counts, leaves used in place included. */
GR_FN uint32_t gr_handler_complexity(uint32_t handler) {
    GR_CONST uint8_t all[GR_HANDLER_COUNT] = {
        1,
        1,
        1,
        1,
#define GR_TWO(w) w + 1, w + 1, w
#define GR_OP1(id, names, class, exact, fast) GR_WEIGHT_OF_##class,
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_TWO(GR_WEIGHT_OF_##class), GR_TWO(GR_WEIGHT_OF_##class),
#define GR_OP2C(id, names, symbol, class, exact, fast) GR_TWO(GR_WEIGHT_OF_##class),
#define GR_OP3(id, names, class, exact, fast) GR_WEIGHT_OF_##class,
#define GR_WORD1(id, names, symbol, expression) GR_WEIGHT_OF_CHEAP,
#define GR_WORD2C(id, names, symbol, expression) GR_TWO(GR_WEIGHT_OF_CHEAP),
#include "gpu/core/base/ops.def"
#undef GR_TWO
    };
    return all[handler];
}

GR_FN uint32_t gr_complexity(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_instruction *program = gr_program(s, i);
    uint32_t sum = 0, length = gr_sized(s, generation, i)->instructions;
    for (uint32_t k = 0; k < length; k++)
        sum += gr_handler_complexity(GR_HANDLER(program[k]));
    return sum;
}

/* Cost by another metric, from the sums of the run's, where they give it. */
GR_FN float gr_other_cost(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    double sum[GR_MAX_SUMS], fit[2], error;
    if (!gr_sized(s, generation, i)->instructions)
        return GR_INFINITY;
    gr_total(p, 0, s->targets, s->sums, p->individuals, i, sum);
    error = sum[0];
    if (p->linear_scaling) {
        gr_fit_line(p, sum, fit);
        error = gr_line_error(p, sum, 0, fit);
    }
    return gr_sums_cost(p->other_metric, sum, error, gr_cases_count(p, 0), p->positives[0],
                        p->target_ss[0]);
}

/* Adds the sums of a chunk by another metric, which has to be taken of itself; those of scaled
 * outputs are not added up, and come from the run's. */
GR_FN void gr_add_chunk(const gr_params *other, const double *sum, double *total) {
    uint32_t largest = gr_sum_kind_of(other) == GR_SUM_LARGEST;
    for (uint32_t k = 0; k < other->sums; k++)
        total[k] = largest ? gr_larger_double(sum[k], total[k]) : total[k] + sum[k];
}

GR_FN uint32_t gr_has_other(const gr_params *p) {
    uint32_t has = 0;
    for (uint32_t k = 0; k < p->objectives; k++)
        has |= p->objective[k] == GR_OBJECTIVE_METRIC;
    return has;
}

GR_FN float gr_objective_of(const gr_state *s, uint32_t generation, uint32_t i, uint32_t kind) {
    switch (kind) {
#define GR_OBJECTIVE(id, word, value, help)                                                        \
    case GR_OBJECTIVE_##id:                                                                        \
        return value;
#include "gpu/core/base/objectives.def"
    }
    return GR_INFINITY;
}

/* Writes those of individual i of an evaluated generation; its other cost is there. */
GR_FN void gr_write_objectives(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    float *to = s->objectives[0] + (size_t)i * p->objectives;
    uint32_t finite = gr_individual_cost(s, generation, i) < GR_INFINITY;
    for (uint32_t k = 0; k < p->objectives; k++)
        if (finite && p->objective[k] == GR_OBJECTIVE_METRIC)
            finite = s->other_cost[i] < GR_INFINITY;
    for (uint32_t k = 0; k < p->objectives; k++)
        to[k] = finite ? gr_objective_of(s, generation, i, p->objective[k]) : GR_INFINITY;
}

#endif
