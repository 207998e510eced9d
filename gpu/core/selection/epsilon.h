/* Epsilon of lexicase selection: the median absolute deviation of candidates' errors in a row (La
 * Cava and others 2016), by radix search. */
#ifndef GR_EPSILON_H
#define GR_EPSILON_H

#include "gpu/core/selection/candidates.h"

/* As many candidates of a list are put in order by counting those before each. */
enum { GR_FEW_CANDIDATES = 24 };

/* The bits of the distance of the error of number k, from 0, from `middle`, or GR_NO_CANDIDATE. */
GR_FN uint32_t gr_distance_bits(gr_candidates c, float middle, uint32_t k) {
    uint32_t bits = gr_error_bits(c, k);
    return bits == GR_NO_CANDIDATE ? bits : gr_float_bits(fabsf(gr_bits_float(bits) - middle));
}

/* The digit in which number *k, from 0, lies; *k becomes its number there. */
GR_FN uint32_t gr_digit_of(const uint32_t *counts, uint32_t *k, gr_lane_group w) {
    uint32_t share = GR_DIGITS / w.width, first = w.lane * share, sum = 0, digit = 0, left = 0;
    for (uint32_t n = 0; n < share; n++)
        sum += counts[first + n];
    uint32_t before = gr_sum_before(w, sum);
    if (before <= *k && *k < before + sum) { /* one lane */
        left = *k - before;
        for (digit = first; left >= counts[digit]; digit++)
            left -= counts[digit];
    }
    *k = gr_or_lanes(w, left);
    return gr_or_lanes(w, digit);
}

/* Bits of number k, from 0, of the distances of few of a list. */
GR_FN uint32_t gr_distance_of_few(gr_candidates c, float middle, uint32_t k, gr_lane_group w) {
    uint32_t found = 0;
    for (uint32_t i = w.lane; i < c.size; i += w.width) {
        uint32_t own = gr_distance_bits(c, middle, i), before = 0;
        for (uint32_t n = 0; n < c.size; n++) {
            uint32_t other = gr_distance_bits(c, middle, n);
            before += other < own || (other == own && n < i);
        }
        found = before == k ? own : found;
    }
    return gr_or_lanes(w, found);
}

/* Candidates that a lane has at a time. */
enum { GR_COUNTED = 8 };

/* Counts the digit at `shift` of all distances that agree with `found` above it. shared:
 * [GR_DIGITS].
 */
GR_FN void gr_count_distances(gr_candidates c, float middle, uint32_t found, uint32_t shift,
                              uint32_t *shared, gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew), bits[GR_COUNTED];
    gr_set_shared(shared, GR_DIGITS, 0, crew);
    for (uint32_t first = 0; first < c.size; first += GR_COUNTED * lanes) {
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_COUNTED; n++) {
            uint32_t k = first + n * lanes + gr_lane_of_crew(crew);
            bits[n] = gr_distance_bits(c, middle, gr_min_u32(k, c.size - 1));
            bits[n] = k < c.size ? bits[n] : GR_NO_CANDIDATE;
        }
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_COUNTED; n++)
            gr_count_digits(shared, bits[n] >> shift & 0xffu,
                            bits[n] != GR_NO_CANDIDATE &&
                                (uint64_t)bits[n] >> (shift + 8) == (uint64_t)found >> (shift + 8),
                            crew.w);
    }
    gr_meet(crew);
}

/* Bits of number k, from 0, of the distances of the errors from `middle`, in their order: eight
 * bits a pass. shared: [GR_DIGITS]. */
GR_FN uint32_t gr_distance_at(gr_candidates c, float middle, uint32_t k, uint32_t *shared,
                              gr_crew crew) {
    uint32_t found = 0;
    if (c.listed && c.size <= GR_FEW_CANDIDATES)
        return gr_distance_of_few(c, middle, k, crew.w);
    for (uint32_t shift = 32; shift;) {
        shift -= 8;
        gr_count_distances(c, middle, found, shift, shared, crew);
        found |= gr_digit_of(shared, &k, crew.w) << shift;
    }
    return found;
}

/* Median of the distances of `count` candidates' errors from `middle`. */
GR_FN float gr_median_distance(gr_candidates c, float middle, uint32_t count, uint32_t *shared,
                               gr_crew crew) {
    uint32_t low = gr_distance_at(c, middle, (count - 1) / 2, shared, crew), high = low;
    uint32_t until = 0, next = GR_NO_CANDIDATE, lanes = gr_lanes_of_crew(crew);
    if (count % 2 == 0) {
        GR_TURNS_AT_ONCE(8)
        for (uint32_t i = gr_lane_of_crew(crew); i < c.size; i += lanes) {
            uint32_t bits = gr_distance_bits(c, middle, i);
            until += bits <= low;
            next = bits > low ? gr_min_u32(next, bits) : next;
        }
        until = gr_sum_of_crew(until, shared, crew);
        next = gr_least_of_crew(next, shared, crew);
        if (until <= count / 2)
            high = next;
    }
    return 0.5f * gr_bits_float(low) + 0.5f * gr_bits_float(high);
}

/* Median absolute deviation of their errors; 0 where it is not finite. */
GR_FN float gr_epsilon(gr_candidates c, uint32_t count, uint32_t *shared, gr_crew crew) {
    float middle = count ? gr_median_distance(c, 0.0f, count, shared, crew) : GR_INFINITY;
    float epsilon =
        middle < GR_INFINITY ? gr_median_distance(c, middle, count, shared, crew) : 0.0f;
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

#endif
