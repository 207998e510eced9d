/* Epsilon of lexicase selection: the median absolute deviation of candidates' errors in a row (La
 * Cava and others 2016), by radix search. */
#ifndef GR_EPSILON_H
#define GR_EPSILON_H

#include "gpu/core/lexicase/epsilon_alone.h"

/* As many candidates, of a list or all, are put in order by counting those before each. */
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

/* Bits of number k, from 0, of the distances of so few. */
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

/* Bits that are looked at in a pass. */
enum { GR_DIGIT_BITS = 8 };

/* What is known of a number's bits: all but the last `unknown`. */
typedef struct gr_prefix {
    uint32_t bits, unknown;
} gr_prefix;

/* Nothing is. */
#define GR_NO_PREFIX ((gr_prefix){0, 32})

GR_FN uint32_t gr_has_prefix(uint32_t bits, gr_prefix known) {
    return (uint64_t)bits >> known.unknown == (uint64_t)known.bits >> known.unknown;
}
/* Of the next digit the place, and its bits. */
GR_FN uint32_t gr_next_shift(gr_prefix known) {
    return known.unknown > GR_DIGIT_BITS ? known.unknown - GR_DIGIT_BITS : 0;
}
GR_FN uint32_t gr_next_digit(uint32_t bits, gr_prefix known) {
    return (bits & (uint32_t)((1ull << known.unknown) - 1)) >> gr_next_shift(known);
}
GR_FN gr_prefix gr_add_digit(gr_prefix known, uint32_t digit) {
    uint32_t shift = gr_next_shift(known);
    return (gr_prefix){known.bits | digit << shift, shift};
}

/* Counts the next digit of a distance that has a prefix. */
GR_FN void gr_count_digit(uint32_t bits, gr_prefix known, uint32_t *shared, gr_lane_group w) {
    if (bits != GR_NO_CANDIDATE && gr_has_prefix(bits, known))
        gr_add_to(&shared[gr_next_digit(bits, known)], 1, w);
}

/* Counts the next digit of all distances from `middle` that have a prefix. Lanes read several
 * before they count one; a crew, for whom that is many, the last ones one by one. shared:
 * [GR_DIGITS]. */
GR_FN void gr_count_distances(gr_candidates c, float middle, gr_prefix known, uint32_t *shared,
                              gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew), own = gr_lane_of_crew(crew), first = 0,
             bits[GR_READ_AT_ONCE],
             last = crew.size > 1 ? c.size / (GR_READ_AT_ONCE * lanes) * (GR_READ_AT_ONCE * lanes)
                                  : c.size;
    gr_set_shared(shared, GR_DIGITS, 0, crew);
    for (; first < last; first += GR_READ_AT_ONCE * lanes) {
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++) {
            uint32_t k = first + n * lanes + own;
            bits[n] = gr_distance_bits(c, middle, gr_min_u32(k, c.size - 1));
            bits[n] = k < c.size ? bits[n] : GR_NO_CANDIDATE;
        }
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++)
            gr_count_digit(bits[n], known, shared, crew.w);
    }
    for (uint32_t k = first + own; k < c.size; k += lanes)
        gr_count_digit(gr_distance_bits(c, middle, k), known, shared, crew.w);
    gr_meet(crew);
}

/* Bits of number k, from 0, of the distances of the errors from `middle`, in their order, all of
 * which have a prefix: a digit a pass. shared: [GR_DIGITS]. */
GR_FN uint32_t gr_distance_at(gr_candidates c, float middle, uint32_t k, gr_prefix known,
                              uint32_t *shared, gr_crew crew) {
    if ((c.listed || !c.pool) && c.size <= GR_FEW_CANDIDATES)
        return gr_distance_of_few(c, middle, k, crew.w);
    while (known.unknown) {
        gr_count_distances(c, middle, known, shared, crew);
        known = gr_add_digit(known, gr_digit_of(shared, &k, crew.w));
    }
    return known.bits;
}

/* The mean of numbers (count - 1) / 2 and count / 2 of them, without `before` that are less than
 * all of these candidates'. */
GR_FN float gr_middle_distance(gr_candidates c, float middle, uint32_t count, uint32_t before,
                               gr_prefix known, uint32_t *shared, gr_crew crew) {
    uint32_t k = (count - 1) / 2 - before, low = gr_distance_at(c, middle, k, known, shared, crew),
             high = low;
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
        if (until <= k + 1)
            high = next;
    }
    return 0.5f * gr_bits_float(low) + 0.5f * gr_bits_float(high);
}

/* Median absolute deviation of `count` candidates' errors; 0 where it is not finite. shared:
 * [GR_DIGITS]. */
GR_FN float gr_epsilon(gr_candidates c, uint32_t count, uint32_t *shared, gr_crew crew) {
#ifndef __CUDACC__ /* a lane of a device has no such memory */
    if (crew.w.width == 1 && crew.size == 1 && c.size > GR_FEW_CANDIDATES &&
        c.size <= GR_TAKEN_ALONG)
        return gr_epsilon_alone(c);
#endif
    float middle =
        count ? gr_middle_distance(c, 0.0f, count, 0, GR_NO_PREFIX, shared, crew) : GR_INFINITY;
    float epsilon = middle < GR_INFINITY
                        ? gr_middle_distance(c, middle, count, 0, GR_NO_PREFIX, shared, crew)
                        : 0.0f;
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

#endif
