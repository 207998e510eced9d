/* Lexicase selection: a parent is found by passing all individuals through single cases in an order
 * of its own. On each case those stay whose error is the least among them (epsilon-lexicase, La
 * Cava and others 2016: at most epsilon above it), until one is left, or no case is.
 *
 * Errors of all individuals on all cases are kept for one generation, a row a case (or a batch of
 * cases, whose errors are averaged). Who passes a row as the first one is found once for all
 * parents, and every pool of candidates is a set of bits, so that each step looks at 32 individuals
 * at a time. Errors are not negative, so that their bits are in their order. */
#ifndef GR_LEXICASE_H
#define GR_LEXICASE_H

#include "gpu/core/fitness/cost.h"
#include "gpu/core/program/execute.h"
#include "gpu/core/selection/parent_selection.h"

/* ---- errors ---- */

/* What an output is off by: a distance, or 1 for a wrong answer; the worst where it is no number.
 */
GR_FN float gr_distance(const gr_params *p, float output, float target) {
    uint32_t adds = gr_adds_of(p->metric), kind = gr_sum_kind_of(p);
    float error = output - target;
    if (kind == GR_SUM_COUNTS)
        error =
            gr_true_positive(p, output, target) | gr_true_negative(p, output, target) ? 0.0f : 1.0f;
    else if (adds == GR_ADDS_HIT)
        error = 1.0f - gr_case_error(adds, p, output, target);
    else if (adds != GR_ADDS_SQUARED)
        error = gr_case_error(adds, p, output, target);
    error = fabsf(error);
    return error - error == 0.0f ? error : GR_INFINITY;
}

/* Training case number k that selection looks at, on all islands of a run: the first of a
 * permutation, where it does not look at all of them one by one. */
GR_FN uint32_t gr_looked_at(const gr_params *p, uint32_t generation, uint32_t deme, uint32_t k) {
    if (p->lexicase_cases == p->train_cases && p->lexicase_batch == 1)
        return k;
    gr_random r = gr_run_stream(p, GR_PURPOSE_LEXICASE_CASES, generation, deme / p->islands);
    return gr_permuted_by(&r, p->train_cases, k, 0);
}

/* Error of individual i on a training case; outputs: its outputs on all cases (words), or NULL: it
 * is run. fit: its line, with linear scaling. */
GR_FN float gr_case_distance(const gr_state *s, uint32_t generation, uint32_t i, uint32_t number,
                             const float *outputs, const double *fit) {
    const gr_params *p = &s->p;
    uint32_t unit = p->packed ? number / 32 : number;
    const float *tile = s->train + unit / GR_CHUNK * gr_tile_of(p) + unit % GR_CHUNK;
    const float *target = tile + (size_t)p->inputs * GR_CHUNK;
    float output = outputs ? outputs[unit]
                           : gr_execute(p, gr_program(s, i),
                                        s->individuals[generation & 1][i].instructions, tile);
    if (p->packed)
        return (float)((gr_float_bits(output) ^ gr_float_bits(*target)) >> number % 32 & 1u);
    if (p->linear_scaling)
        output = (float)(fit[0] + fit[1] * (double)output);
    float distance = gr_distance(p, output, *target);
    return p->case_weights ? distance * target[GR_CHUNK] : distance;
}

/* Its errors in all rows; the lanes share the rows. */
GR_FN void gr_write_errors(const gr_state *s, uint32_t generation, uint32_t i, const float *outputs,
                           gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t deme = i / p->population;
    uint32_t valid = s->individuals[generation & 1][i].instructions != 0;
    double fit[2] = {0.0, 1.0};
    if (valid && p->linear_scaling)
        gr_evaluated_cost(s, generation, i, fit);
    for (uint32_t row = w.lane; row < p->lexicase_rows; row += w.width) {
        uint32_t first = row * p->lexicase_batch;
        uint32_t last = gr_min_u32(first + p->lexicase_batch, p->lexicase_cases);
        float sum = 0.0f;
        for (uint32_t k = first; valid && k < last; k++)
            sum += gr_case_distance(s, generation, i, gr_looked_at(p, generation, deme, k), outputs,
                                    fit);
        if (last - first > 1)
            sum = gr_div(sum, (float)(last - first));
        s->case_errors[(size_t)row * p->individuals + i] = valid ? sum : GR_INFINITY;
    }
}

/* ---- pools ---- */

/* Candidates of a deme as bits, and their errors in a row. */
typedef struct gr_candidates {
    const uint32_t *pool; /* [words] */
    const float *error;   /* [population] */
    uint32_t words;
} gr_candidates;

GR_FN const float *gr_row_of(const gr_state *s, uint32_t row, uint32_t deme) {
    return s->case_errors + (size_t)row * s->p.individuals + (size_t)deme * s->p.population;
}
GR_FN uint32_t *gr_first_pool(const gr_state *s, uint32_t row, uint32_t deme) {
    return s->case_pools + ((size_t)row * gr_demes(&s->p) + deme) * gr_pool_words(&s->p);
}

GR_FN float gr_least_error(gr_candidates c, gr_lane_group w) {
    uint32_t least = 0xffffffffu;
    for (uint32_t word = w.lane; word < c.words; word += w.width)
        for (uint32_t left = c.pool[word]; left; left &= left - 1)
            least = gr_min_u32(least, gr_float_bits(c.error[32 * word + gr_lowest_bit(left)]));
    return gr_bits_float(gr_least_lane(w, least));
}

GR_FN uint32_t gr_pool_size(gr_candidates c, gr_lane_group w) {
    uint32_t count = 0;
    for (uint32_t word = w.lane; word < c.words; word += w.width)
        count += gr_count_bits(c.pool[word]);
    return gr_sum_lanes(w, count);
}

/* Number k, from 0, of the distances of the errors from `middle`, in their order: bit by bit. */
GR_FN float gr_distance_at(gr_candidates c, float middle, uint32_t k, gr_lane_group w) {
    uint32_t found = 0;
    for (uint32_t bit = 31; bit-- > 0;) {
        uint32_t zeros = 0;
        for (uint32_t word = w.lane; word < c.words; word += w.width)
            for (uint32_t left = c.pool[word]; left; left &= left - 1) {
                float error = c.error[32 * word + gr_lowest_bit(left)];
                uint32_t bits = gr_float_bits(fabsf(error - middle));
                zeros += bits >> bit == found >> bit;
            }
        zeros = gr_sum_lanes(w, zeros);
        if (k >= zeros) {
            k -= zeros;
            found |= 1u << bit;
        }
    }
    return gr_bits_float(found);
}

GR_FN float gr_median_distance(gr_candidates c, float middle, uint32_t count, gr_lane_group w) {
    float low = gr_distance_at(c, middle, (count - 1) / 2, w);
    float high = count % 2 ? low : gr_distance_at(c, middle, count / 2, w);
    return 0.5f * low + 0.5f * high;
}

/* Median absolute deviation of a pool's errors; 0 where it is not finite. */
GR_FN float gr_epsilon(gr_candidates c, gr_lane_group w) {
    uint32_t count = gr_pool_size(c, w);
    float middle = count ? gr_median_distance(c, 0.0f, count, w) : GR_INFINITY;
    float epsilon = middle < GR_INFINITY ? gr_median_distance(c, middle, count, w) : 0.0f;
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

/* Who passes a row as the first one, and what it is passed by later: epsilon, or with static
 * epsilon the largest error that does. */
GR_FN void gr_find_first_pool(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t row,
                              gr_lane_group w) {
    const gr_params *p = &s->p;
    const gr_individual *individual = s->individuals[generation & 1] + (size_t)deme * p->population;
    uint32_t *pool = gr_first_pool(s, row, deme), excludes = gr_leaves_out(s, deme);
    gr_candidates c = {pool, gr_row_of(s, row, deme), gr_pool_words(p)};
    for (uint32_t word = w.lane; word < c.words; word += w.width) {
        uint32_t bits = 0;
        for (uint32_t k = 0; k < 32 && 32 * word + k < p->population; k++)
            bits |= (uint32_t)(!excludes || individual[32 * word + k].validity == GR_VALID) << k;
        pool[word] = bits;
    }
    gr_sync(w);
    float epsilon = p->epsilon ? gr_epsilon(c, w) : 0.0f, bar = gr_least_error(c, w) + epsilon;
    for (uint32_t word = w.lane; word < c.words; word += w.width) {
        uint32_t bits = 0;
        for (uint32_t left = pool[word]; left; left &= left - 1)
            if (c.error[32 * word + gr_lowest_bit(left)] <= bar)
                bits |= left & (0u - left);
        pool[word] = bits;
    }
    if (w.lane == 0)
        s->case_bars[(size_t)row * gr_demes(p) + deme] =
            p->epsilon == GR_EPSILON_STATIC ? bar : epsilon;
}

/* ---- parents ---- */

/* Leaves those of a pool in it that pass a row; all where nobody does. How many are left. */
GR_FN uint32_t gr_pass(const gr_state *s, uint32_t deme, uint32_t row, uint32_t *pool,
                       gr_lane_group w) {
    const gr_params *p = &s->p;
    gr_candidates c = {pool, gr_row_of(s, row, deme), gr_pool_words(p)};
    float bar = s->case_bars[(size_t)row * gr_demes(p) + deme];
    uint32_t count = 0;
    if (p->epsilon != GR_EPSILON_STATIC)
        bar = gr_least_error(c, w) + (p->epsilon == GR_EPSILON_DYNAMIC ? gr_epsilon(c, w) : bar);
    for (uint32_t word = w.lane; word < c.words; word += w.width)
        for (uint32_t left = pool[word]; left; left &= left - 1)
            count += c.error[32 * word + gr_lowest_bit(left)] <= bar;
    count = gr_sum_lanes(w, count);
    if (!count)
        return gr_pool_size(c, w);
    for (uint32_t word = w.lane; word < c.words; word += w.width)
        for (uint32_t left = pool[word]; left; left &= left - 1)
            if (!(c.error[32 * word + gr_lowest_bit(left)] <= bar))
                pool[word] ^= left & (0u - left);
    return count;
}

/* Index of candidate k of a pool, from 0, in their order. */
GR_FN uint32_t gr_candidate(gr_candidates c, uint32_t k, gr_lane_group w) {
    for (uint32_t first = 0; first < c.words; first += w.width) {
        uint32_t word = first + w.lane, bits = word < c.words ? c.pool[word] : 0;
        uint32_t count = gr_count_bits(bits), before = gr_sum_before(w, count), index = 0;
        uint32_t all = gr_sum_lanes(w, count);
        if (k >= all) {
            k -= all;
            continue;
        }
        if (k >= before && k < before + count) {
            for (uint32_t n = k - before; n; n--)
                bits &= bits - 1;
            index = 32 * word + gr_lowest_bit(bits);
        }
        return gr_or_lanes(w, index);
    }
    return 0;
}

/* Finds parent k of a deme's children in generation + 1. pool: [words] of the lane group. */
GR_FN void gr_find_parent(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k,
                          uint32_t *pool, gr_lane_group w) {
    const gr_params *p = &s->p;
    gr_candidates c = {pool, NULL, gr_pool_words(p)};
    gr_random r =
        gr_stream(p, k % 2 ? GR_PURPOSE_LEXICASE_SECOND : GR_PURPOSE_LEXICASE, generation + 1, deme,
                  4 * (k / 2)); /* the permutation counts its rounds in between */
    const uint32_t *first = gr_first_pool(s, gr_permuted_by(&r, p->lexicase_rows, 0, 0), deme);
    for (uint32_t word = w.lane; word < c.words; word += w.width)
        pool[word] = first[word];
    uint32_t count = gr_pool_size(c, w);
    for (uint32_t x = 1; x < p->lexicase_rows && count > 1; x++)
        count = gr_pass(s, deme, gr_permuted_by(&r, p->lexicase_rows, x, 0), pool, w);
    gr_sync(w);
    uint32_t chosen = gr_scale(gr_draw_block(&r, 1u << 31).word[0], count);
    uint32_t index = gr_candidate(c, chosen, w);
    gr_sync(w);
    if (w.lane == 0)
        s->parents[(size_t)deme * gr_lexicase_parents(p) + k] = index;
}

#endif
