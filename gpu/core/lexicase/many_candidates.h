/* Epsilon of lexicase selection in a large deme, whose candidates in a row are looked at by a crew
 * that has place for some thousand of them. The median lies, but for one time in thousands, between
 * two numbers of a sample. So few are there that these are looked at once more and all others only
 * once. */
#ifndef GR_MANY_CANDIDATES_H
#define GR_MANY_CANDIDATES_H

#include "gpu/core/lexicase/epsilon.h"

enum { GR_SAMPLED = 2048, GR_COLLECTED = 9728, GR_MANY_CANDIDATES = 8192 };
/* Words of such a crew: counts, the sample, and what is looked at once more. */
enum { GR_CREW_WORDS = GR_DIGITS + GR_SAMPLED + GR_COLLECTED };

GR_FN uint32_t *gr_sample_in(uint32_t *shared) {
    return shared + GR_DIGITS;
}

/* Errors as candidates, all of them. */
GR_FN gr_candidates gr_all_of(const uint32_t *bits, uint32_t count) {
    return (gr_candidates){(const float *)bits, 1, NULL, 0, count, NULL};
}

/* Samples the errors of every so many candidates; how many they are. shared: [GR_CREW_WORDS]. */
GR_FN uint32_t gr_sample_errors(gr_candidates c, uint32_t *shared, gr_crew crew) {
    uint32_t apart = c.size / GR_SAMPLED, lanes = gr_lanes_of_crew(crew),
             *sample = gr_sample_in(shared);
    gr_set_shared(shared, 1, 0, crew);
    GR_TURNS_AT_ONCE(2)
    for (uint32_t k = gr_lane_of_crew(crew); k < GR_SAMPLED; k += lanes) {
        uint32_t bits = gr_error_bits(c, k * apart);
        if (!c.pool)
            sample[k] = bits;
        else if (bits != GR_NO_CANDIDATE)
            sample[gr_take_next(shared)] = bits;
    }
    gr_meet(crew);
    uint32_t count = c.pool ? *shared : GR_SAMPLED;
    gr_meet(crew);
    return count;
}

/* The least and the largest of what is to be collected. */
typedef struct gr_bracket {
    uint32_t low, high;
} gr_bracket;

/* A bracket of numbers `first` and `last`, from 0, of the sample's distances: by as many of their
 * digits as leave no more than `most` in it. */
GR_FN gr_bracket gr_bracket_of(gr_candidates sample, float middle, uint32_t first, uint32_t last,
                               uint32_t most, uint32_t *shared, gr_crew crew) {
    gr_prefix low = GR_NO_PREFIX, high = low;
    uint32_t before = first, above = last; /* numbers among those with the same prefix */
    for (uint32_t within = most + 1; low.unknown && within > most;) {
        uint32_t one = low.bits == high.bits, digit;
        gr_count_distances(sample, middle, low, shared, crew);
        low = gr_add_digit(low, gr_digit_of(shared, &before, crew.w));
        if (!one)
            gr_count_distances(sample, middle, high, shared, crew);
        high = gr_add_digit(high, digit = gr_digit_of(shared, &above, crew.w));
        within = last - above + shared[digit] - (first - before);
    }
    gr_meet(crew); /* all have read the counts */
    return (gr_bracket){low.bits, high.bits | (uint32_t)((1ull << high.unknown) - 1)};
}

/* Collects the distances from `middle` in a bracket, or, where there are more than there is place
 * for, some; how many they are, in *before how many are less, and in *least the least error. */
GR_FN uint32_t gr_collect_distances(gr_candidates c, float middle, gr_bracket of, uint32_t *before,
                                    float *least, uint32_t *shared, gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew), *collected = gr_sample_in(shared) + GR_SAMPLED,
             less = 0, lowest = GR_NO_CANDIDATE;
    float error[GR_READ_AT_ONCE], low = gr_bits_float(of.low), high = gr_bits_float(of.high);
    gr_set_shared(shared, 1, 0, crew);
    for (uint32_t first = 0; first < c.size; first += GR_READ_AT_ONCE * lanes) {
        uint32_t own = 0, at = 0;
        gr_read_errors(c, first, error, crew);
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++) {
            lowest = gr_min_u32(lowest, gr_float_bits(error[n]));
            error[n] = fabsf(error[n] - middle);
            less += error[n] < low;
            own += error[n] >= low && error[n] <= high;
        }
        uint32_t all = gr_sum_lanes(crew.w, own), place = gr_sum_before(crew.w, own);
        if (crew.w.lane == 0 && all)
            at = gr_take_some(shared, all);
        at = gr_from_lane(crew.w, at, 0);
        if (!all || at + all > GR_COLLECTED)
            continue;
        uint32_t *next = collected + at + place;
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++)
            if (error[n] >= low && error[n] <= high)
                *next++ = gr_float_bits(error[n]);
    }
    gr_meet(crew);
    uint32_t count = *shared;
    *before = gr_sum_of_crew(less, shared, crew);
    *least = gr_bits_float(gr_least_of_crew(lowest, shared, crew));
    return count;
}

/* Median of the distances of `count` candidates' errors from `middle`, of which `sampled` are in
 * the sample, in *median; 0: it is not found so. Then *least is not found either. */
GR_FN uint32_t gr_find_median(gr_candidates c, float middle, uint32_t count, uint32_t sampled,
                              float *median, float *least, uint32_t *shared, gr_crew crew) {
    gr_candidates sample = gr_all_of(gr_sample_in(shared), sampled);
    uint32_t rank = (uint32_t)((uint64_t)sampled * ((count - 1) / 2) / count), apart = sampled / 24,
             *collected = gr_sample_in(shared) + GR_SAMPLED, before;
    if (sampled < GR_SAMPLED / 4 || rank < apart || rank + apart >= sampled)
        return 0;
    gr_bracket of = gr_bracket_of(sample, middle, rank - apart, rank + apart, 2 * apart + apart / 8,
                                  shared, crew);
    uint32_t found = gr_collect_distances(c, middle, of, &before, least, shared, crew);
    if (before > (count - 1) / 2 || before + found <= count / 2)
        return 0;
    if (of.low == of.high)
        *median = gr_bits_float(of.low);
    else if (found <= GR_COLLECTED) {
        uint32_t unknown = gr_highest_bit(of.low ^ of.high) + 1;
        gr_prefix known = {(uint32_t)((uint64_t)of.low >> unknown << unknown), unknown};
        *median = gr_middle_distance(gr_all_of(collected, found), 0.0f, count, before, known,
                                     shared, crew);
    }
    return of.low == of.high || found <= GR_COLLECTED;
}

/* Median of the distances, in this way or another; where it is found in this one, *least, too. */
GR_FN float gr_median_of_many(gr_candidates c, float middle, uint32_t count, uint32_t sampled,
                              float *least, uint32_t *shared, gr_crew crew) {
    float median;
    if (gr_find_median(c, middle, count, sampled, &median, least, shared, crew))
        return median;
    *least = gr_bits_float(GR_NO_CANDIDATE);
    return gr_middle_distance(c, middle, count, 0, GR_NO_PREFIX, shared, crew);
}

/* Median absolute deviation of `count` candidates' errors, as gr_epsilon, in *least the least of
 * them, and in *size how many are in the sample. */
GR_FN float gr_epsilon_of_many(gr_candidates c, uint32_t count, float *least, uint32_t *size,
                               uint32_t *shared, gr_crew crew) {
    uint32_t sampled = *size = gr_sample_errors(c, shared, crew);
    float middle = GR_INFINITY, epsilon = 0.0f, again;
    *least = gr_bits_float(GR_NO_CANDIDATE);
    if (count)
        middle = gr_median_of_many(c, 0.0f, count, sampled, least, shared, crew);
    if (!(*least == *least))
        *least = gr_least_error(c, shared, crew);
    if (middle < GR_INFINITY)
        epsilon = gr_median_of_many(c, middle, count, sampled, &again, shared, crew);
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

#endif
