/* Epsilon of lexicase selection: the median absolute deviation of candidates' errors in a row (La
 * Cava and others 2016), by radix search. */
#ifndef GR_EPSILON_H
#define GR_EPSILON_H

#include "gpu/core/lexicase/candidates.h"

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

/* The bits of the distances from `middle` of the lane's of those from number `first` on. */
GR_FN void gr_read_distances(gr_candidates c, float middle, uint32_t first, uint32_t *bits,
                             gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew);
    GR_TURNS_AT_ONCE(8)
    for (uint32_t n = 0; n < GR_COUNTED; n++) {
        uint32_t k = first + n * lanes + gr_lane_of_crew(crew);
        bits[n] = gr_distance_bits(c, middle, gr_min_u32(k, c.size - 1));
        bits[n] = k < c.size ? bits[n] : GR_NO_CANDIDATE;
    }
}

/* Counts the digit at `shift` of all distances that agree with `found` above it. shared:
 * [GR_DIGITS].
 */
GR_FN void gr_count_distances(gr_candidates c, float middle, uint32_t found, uint32_t shift,
                              uint32_t *shared, gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew), bits[GR_COUNTED];
    gr_set_shared(shared, GR_DIGITS, 0, crew);
    for (uint32_t first = 0; first < c.size; first += GR_COUNTED * lanes) {
        gr_read_distances(c, middle, first, bits, crew);
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

/* The mean of numbers (count - 1) / 2 and count / 2 of them, without `before` that are less than
 * all of these candidates'. */
GR_FN float gr_middle_distance(gr_candidates c, float middle, uint32_t count, uint32_t before,
                               uint32_t *shared, gr_crew crew) {
    uint32_t k = (count - 1) / 2 - before, low = gr_distance_at(c, middle, k, shared, crew),
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

/* ---- of many ---- */

/* The median lies, but for one time in thousands, between two numbers of a sample. So few are
 * there that these are looked at once more and all others only once. */
enum { GR_SAMPLED = 2048, GR_COLLECTED = 9728, GR_MANY_CANDIDATES = 8192 };
/* Words of a crew that has place for them, behind its counts. */
enum { GR_CREW_WORDS = GR_DIGITS + GR_SAMPLED + GR_COLLECTED };

/* Puts the distances of every so many candidates in `sample`; how many they are. */
GR_FN uint32_t gr_sample_distances(gr_candidates c, float middle, uint32_t *sample,
                                   uint32_t *shared, gr_crew crew) {
    uint32_t apart = c.size / GR_SAMPLED, lanes = gr_lanes_of_crew(crew);
    gr_set_shared(shared, 1, 0, crew);
    for (uint32_t k = gr_lane_of_crew(crew); k < GR_SAMPLED; k += lanes) {
        uint32_t bits = gr_distance_bits(c, middle, k * apart);
        if (bits != GR_NO_CANDIDATE)
            sample[gr_take_next(shared)] = bits;
    }
    gr_meet(crew);
    uint32_t count = *shared;
    gr_meet(crew);
    return count;
}

/* Puts the distances from `low` to `high` in `collected`, or, where there are more than it has
 * place for, some; how many they are, and in *before how many are less. */
GR_FN uint32_t gr_collect_distances(gr_candidates c, float middle, uint32_t low, uint32_t high,
                                    uint32_t *collected, uint32_t *before, uint32_t *shared,
                                    gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew), bits[GR_COUNTED], less = 0;
    gr_set_shared(shared, 1, 0, crew);
    for (uint32_t first = 0; first < c.size; first += GR_COUNTED * lanes) {
        uint32_t own = 0, at = 0;
        gr_read_distances(c, middle, first, bits, crew);
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_COUNTED; n++) {
            less += bits[n] < low;
            own += bits[n] >= low && bits[n] <= high;
        }
        uint32_t all = gr_sum_lanes(crew.w, own), place = gr_sum_before(crew.w, own);
        if (crew.w.lane == 0 && all)
            at = gr_take_some(shared, all);
        place += gr_from_lane(crew.w, at, 0);
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_COUNTED; n++)
            if (bits[n] >= low && bits[n] <= high && place < GR_COLLECTED)
                collected[place++] = bits[n];
    }
    gr_meet(crew);
    uint32_t count = *shared;
    *before = gr_sum_of_crew(less, shared, crew);
    return count;
}

/* Distances as candidates: their errors, from 0. */
GR_FN gr_candidates gr_all_of(const uint32_t *bits, uint32_t count) {
    return (gr_candidates){(const float *)bits, 1, NULL, 0, count, NULL};
}

/* The median in this way, in *median; 0: it is not found so. shared: [GR_CREW_WORDS]. */
GR_FN uint32_t gr_find_median(gr_candidates c, float middle, uint32_t count, float *median,
                              uint32_t *shared, gr_crew crew) {
    uint32_t *sample = shared + GR_DIGITS, *collected = sample + GR_SAMPLED, before;
    uint32_t n = gr_sample_distances(c, middle, sample, shared, crew);
    uint32_t rank = (uint32_t)((uint64_t)n * ((count - 1) / 2) / count), apart = n / 24;
    if (n < GR_SAMPLED / 4 || rank < apart || rank + apart >= n)
        return 0;
    uint32_t low = gr_distance_at(gr_all_of(sample, n), 0.0f, rank - apart, shared, crew);
    uint32_t high = gr_distance_at(gr_all_of(sample, n), 0.0f, rank + apart, shared, crew);
    uint32_t found = gr_collect_distances(c, middle, low, high, collected, &before, shared, crew);
    if (before > (count - 1) / 2 || before + found <= count / 2)
        return 0;
    if (low == high)
        *median = gr_bits_float(low);
    else if (found <= GR_COLLECTED)
        *median =
            gr_middle_distance(gr_all_of(collected, found), 0.0f, count, before, shared, crew);
    return low == high || found <= GR_COLLECTED;
}

/* Median of the distances of `count` candidates' errors from `middle`. shared: [GR_DIGITS], and
 * where `many` [GR_CREW_WORDS]. */
GR_FN float gr_median_distance(gr_candidates c, float middle, uint32_t count, uint32_t many,
                               uint32_t *shared, gr_crew crew) {
    float median;
    if (many && gr_find_median(c, middle, count, &median, shared, crew))
        return median;
    return gr_middle_distance(c, middle, count, 0, shared, crew);
}

/* Median absolute deviation of their errors; 0 where it is not finite. */
GR_FN float gr_epsilon(gr_candidates c, uint32_t count, uint32_t many, uint32_t *shared,
                       gr_crew crew) {
    float middle = count ? gr_median_distance(c, 0.0f, count, many, shared, crew) : GR_INFINITY;
    float epsilon =
        middle < GR_INFINITY ? gr_median_distance(c, middle, count, many, shared, crew) : 0.0f;
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

#endif
