/* The best by validation: cases set aside (`validation-fraction`), on which the best individual of
 * every generation is judged. Few programs run on them, one a deme, so that they do so while the
 * generation is selected, a warp to a chunk, by the canonical sum of fitness.h. */
#ifndef GR_VALIDATION_H
#define GR_VALIDATION_H

#include "gpu/core/fitness/cost.h"
#include "gpu/core/program/execute.h"

/* A lane's share of a chunk: one error or two, or three moments. */
typedef struct gr_lane_share {
    float error[2];
    double moment[GR_MAX_SUMS];
} gr_lane_share;

/* Cases of a set of `cases` that a chunk holds. */
GR_FN uint32_t gr_cases_of_chunk(uint32_t cases, uint32_t chunk) {
    return gr_min_u32(cases - chunk * GR_CHUNK, GR_CHUNK);
}

/* Cases that lanes share: `here` of a chunk. origin: the program's output on the first of them, and
 * that of the targets, for moments. */
typedef struct gr_shared_cases {
    const float *tile;
    uint32_t here;
    float origin;
    double target_origin;
} gr_shared_cases;

/* The share of lane `lane` of 32 by the metric of v. */
GR_FN gr_lane_share gr_share_of_lane(const gr_params *v, const gr_instruction *program,
                                     uint32_t length, gr_shared_cases cases, uint32_t lane) {
    const float *target = cases.tile + (size_t)v->inputs * GR_CHUNK;
    uint32_t kind = gr_sum_kind_of(v);
    gr_lane_share share = {{0.0f, 0.0f}, {0.0, 0.0, 0.0}};
    for (uint32_t c = 4 * lane; c < cases.here; c += c % 4 < 3 ? 1 : 4 * GR_LANES - 3) {
        float output = gr_execute(v, program, length, cases.tile + c);
        float weight = v->case_weights ? target[GR_CHUNK + c] : 1.0f;
        if (kind == GR_SUM_SCALED)
            gr_moments_add_weighed(share.moment, 1, (double)weight,
                                   (double)output - (double)cases.origin,
                                   (double)target[c] - cases.target_origin);
        else if (kind == GR_SUM_COUNTS) {
            share.error[0] += gr_true_positive(v, output, target[c]) ? weight : 0.0f;
            share.error[1] += gr_true_negative(v, output, target[c]) ? weight : 0.0f;
        } else {
            float error = gr_case_error(gr_adds_of(v->metric), v, output, target[c]);
            share.error[0] = kind == GR_SUM_LARGEST ? gr_larger(error, share.error[0])
                                                    : share.error[0] + weight * error;
        }
    }
    return share;
}

/* The same of a chunk of the validation cases. */
GR_FN gr_lane_share gr_validate_lane(const gr_state *s, const gr_instruction *program,
                                     uint32_t length, uint32_t chunk, uint32_t lane, float origin) {
    const gr_params *v = s->validating;
    gr_shared_cases cases = {s->validation + (size_t)chunk * gr_tile_of(v),
                             gr_cases_of_chunk(v->test_cases, chunk), origin, 0.0};
    if (gr_sum_kind_of(v) == GR_SUM_SCALED)
        cases.target_origin = s->validation_targets[chunk].origin;
    return gr_share_of_lane(v, program, length, cases, lane);
}

/* Two lanes meet. */
GR_FN gr_lane_share gr_share_merge(uint32_t kind, gr_lane_share a, gr_lane_share b) {
    for (uint32_t k = 0; k < 2; k++)
        a.error[k] =
            kind == GR_SUM_LARGEST ? gr_larger(a.error[k], b.error[k]) : a.error[k] + b.error[k];
    for (uint32_t k = 0; k < GR_MAX_SUMS; k++)
        a.moment[k] += b.moment[k];
    return a;
}

/* Writes the sums of a chunk of a deme's candidate from the share of all lanes. */
GR_FN void gr_validated_chunk(const gr_state *s, uint32_t deme, uint32_t chunk, gr_lane_share all,
                              float origin) {
    const gr_params *v = s->validating;
    uint32_t kind = gr_sum_kind_of(v);
    for (uint32_t k = 0; k < v->sums; k++) {
        double sum = kind == GR_SUM_SCALED
                         ? gr_moment_of(k, all.moment[k], all.moment[0], (double)origin,
                                        gr_chunk_share(v, 1, chunk, s->validation_targets[chunk]),
                                        s->validation_targets[chunk])
                         : (double)all.error[k];
        s->validation_sums[((size_t)chunk * v->sums + k) * gr_demes(&s->p) + deme] = sum;
    }
}

/* What a deme's candidate, individual i, costs on the validation cases, its sums being there. */
GR_FN float gr_validated_cost(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t i) {
    double sum[GR_MAX_SUMS], fit[2] = {0.0, 0.0};
    if (gr_evaluated_cost(s, generation, i, fit) == GR_INFINITY)
        return GR_INFINITY;
    gr_total(s->validating, 1, s->validation_targets, s->validation_sums, gr_demes(&s->p), deme,
             sum);
    return gr_cost(s->validating, sum, 1, fit);
}

#endif
