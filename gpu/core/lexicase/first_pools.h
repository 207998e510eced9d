/* Who passes a row of errors as the first one, once for all parents of lexicase selection who begin
 * with it, and what makes the second and later rows short.
 *
 * With semi-dynamic epsilon a row is passed later by those who are at most an epsilon above the
 * least error of those that are left. That is not below the least of all: whoever is left and
 * passes the row first passes it then, too. Besides them it is only those with errors between the
 * two bars. So a few errors of every row are kept, those next to the least of all and those next
 * above the first bar: the ones tell what the least is of a pool, the others who passes by a bar
 * that is higher for it. */
#ifndef GR_FIRST_POOLS_H
#define GR_FIRST_POOLS_H

#include "gpu/core/lexicase/many_candidates.h"
#include "gpu/core/lexicase/same_errors.h"

/* Where what is known of a row stands. */
GR_FN size_t gr_at_row(const gr_state *s, uint32_t row, uint32_t deme) {
    return (size_t)row * gr_demes(&s->p) + deme;
}
GR_FN uint32_t *gr_first_pool(const gr_state *s, uint32_t row, uint32_t deme) {
    return s->case_pools + gr_at_row(s, row, deme) * gr_pool_words(&s->p);
}

/* How many are in a pool. */
GR_FN uint32_t gr_count_pool(const uint32_t *pool, uint32_t words, uint32_t *shared, gr_crew crew) {
    uint32_t count = 0;
    for (uint32_t word = gr_lane_of_crew(crew); word < words; word += gr_lanes_of_crew(crew))
        count += gr_count_bits(pool[word]);
    return gr_sum_of_crew(count, shared, crew);
}

/* ---- errors next to the least, and next above the first bar ---- */

/* They are kept by their distance from there, which has a digit: a quarter of an octave below
 * epsilon, or what is less than 32 octaves below it. */
enum { GR_NEXT_TO_LEAST, GR_NEXT_TO_BAR, GR_NEAR_KINDS, GR_NEAR_DIGITS = 128, GR_NEAR_SHIFT = 21 };

typedef struct __attribute__((aligned(8))) gr_marked {
    float error;
    uint32_t index;
} gr_marked;

/* Of a row: those are kept whose digit is below digits[kind], in the order of their digits, so that
 * most of the time the first ones tell. Where digits[GR_NEXT_TO_LEAST] is 0, because too many are
 * equal or nearly so, some of the first digit are kept. */
typedef struct gr_marks {
    float least;
    uint32_t count[GR_NEAR_KINDS], digits[GR_NEAR_KINDS];
} gr_marks;

GR_FN gr_marked *gr_marked_in(const gr_state *s, uint32_t row, uint32_t deme, uint32_t kind) {
    size_t most = gr_near_most(&s->p);
    return s->case_near + (GR_NEAR_KINDS * gr_at_row(s, row, deme) + kind) * most;
}

/* Digit of a distance; GR_NEAR_DIGITS where it is larger than epsilon. */
GR_FN uint32_t gr_near_digit(float distance, float epsilon) {
    uint32_t most = gr_float_bits(epsilon) >> GR_NEAR_SHIFT,
             own = gr_float_bits(distance) >> GR_NEAR_SHIFT;
    if (own > most)
        return GR_NEAR_DIGITS;
    return most - own < GR_NEAR_DIGITS ? GR_NEAR_DIGITS - 1 - (most - own) : 0;
}

/* Which are looked at: those that are off by less, of so many digits. */
typedef struct gr_near_until {
    uint32_t digits[GR_NEAR_KINDS];
    float distance[GR_NEAR_KINDS];
} gr_near_until;

/* Whether an error is looked at; of which kind it is, and its digit. */
GR_FN uint32_t gr_is_near(float error, float least, float epsilon, gr_near_until until,
                          uint32_t *kind, uint32_t *digit) {
    float bar = least + epsilon;
    *kind = error > bar ? GR_NEXT_TO_BAR : GR_NEXT_TO_LEAST;
    float distance = error - (error > bar ? bar : least);
    *digit = gr_near_digit(distance, epsilon);
    return distance <
           (error > bar ? until.distance[GR_NEXT_TO_BAR] : until.distance[GR_NEXT_TO_LEAST]);
}

/* What is off by less than this has a digit below `digits`. */
GR_FN float gr_near_distance(uint32_t digits, float epsilon) {
    uint32_t until = (gr_float_bits(epsilon) >> GR_NEAR_SHIFT) + digits;
    if (!digits || until < GR_NEAR_DIGITS)
        return 0.0f;
    return gr_bits_float((until - (GR_NEAR_DIGITS - 1)) << GR_NEAR_SHIFT);
}

/* How many digits may be kept, so that no more than `most` have one of them; in *kept how many
 * have.
 */
GR_FN uint32_t gr_digits_within(const uint32_t *counts, uint32_t most, uint32_t *kept,
                                gr_lane_group w) {
    uint32_t share = GR_NEAR_DIGITS / w.width, first = w.lane * share, sum = 0, within = 0,
             those = 0;
    for (uint32_t n = 0; n < share; n++)
        sum += counts[first + n];
    uint32_t before = gr_sum_before(w, sum);
    for (uint32_t n = 0; n < share; n++) {
        before += counts[first + n];
        within += before <= most;
        those += before <= most ? counts[first + n] : 0;
    }
    *kept = gr_sum_lanes(w, those);
    return gr_sum_lanes(w, within);
}

/* Puts in place of counts of digits where those with each begin. */
GR_FN void gr_find_places(uint32_t *counts, gr_lane_group w) {
    uint32_t share = GR_NEAR_DIGITS / w.width, first = w.lane * share, sum = 0;
    for (uint32_t n = 0; n < share; n++)
        sum += counts[first + n];
    uint32_t before = gr_sum_before(w, sum);
    for (uint32_t n = 0; n < share; n++) {
        uint32_t own = counts[first + n];
        counts[first + n] = before;
        before += own;
    }
}

/* Counts errors by kind and digit. */
GR_FN void gr_count_near(gr_candidates c, float least, float epsilon, gr_near_until until,
                         uint32_t *shared, gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew), kind, digit;
    float error[GR_READ_AT_ONCE];
    gr_set_shared(shared, GR_NEAR_KINDS * GR_NEAR_DIGITS, 0, crew);
    for (uint32_t first = 0; first < c.size; first += GR_READ_AT_ONCE * lanes) {
        gr_read_errors(c, first, error, crew);
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++)
            if (gr_is_near(error[n], least, epsilon, until, &kind, &digit))
                gr_add_to(&shared[kind * GR_NEAR_DIGITS + digit], 1, crew.w);
    }
    gr_meet(crew);
}

/* Which of a row are looked at: all, or, where there is a sample of its errors, by that somewhat
 * more than may be kept. c: all candidates. */
GR_FN gr_near_until gr_looked_at_near(const gr_params *p, gr_candidates c, float least,
                                      float epsilon, uint32_t sampled, uint32_t *shared,
                                      gr_crew crew) {
    const float far = gr_near_distance(GR_NEAR_DIGITS, epsilon);
    gr_near_until until = {{GR_NEAR_DIGITS, GR_NEAR_DIGITS}, {far, far}};
    if (!sampled)
        return until;
    uint32_t all = gr_count_pool(c.pool, gr_pool_words(p), shared, crew), kept,
             most = (uint32_t)((uint64_t)gr_near_most(p) * sampled / gr_max_u32(1, all));
    gr_count_near(gr_all_of(gr_sample_in(shared), sampled), least, epsilon, until, shared, crew);
    for (uint32_t kind = 0; kind < GR_NEAR_KINDS; kind++) {
        uint32_t digits =
            gr_digits_within(shared + kind * GR_NEAR_DIGITS, most + most / 8, &kept, crew.w);
        until.digits[kind] = kind == GR_NEXT_TO_LEAST ? gr_max_u32(1, digits) : digits;
        until.distance[kind] = gr_near_distance(until.digits[kind], epsilon);
    }
    return until;
}

/* What is kept of a row, by these counts. */
GR_FN gr_marks gr_marks_of(const gr_params *p, float least, gr_near_until until,
                           const uint32_t *counts, gr_lane_group w) {
    gr_marks marks = {.least = least};
    for (uint32_t kind = 0; kind < GR_NEAR_KINDS; kind++)
        marks.digits[kind] = gr_min_u32(until.digits[kind],
                                        gr_digits_within(counts + kind * GR_NEAR_DIGITS,
                                                         gr_near_most(p), &marks.count[kind], w));
    if (!marks.digits[GR_NEXT_TO_LEAST])
        marks.count[GR_NEXT_TO_LEAST] = gr_near_most(p);
    return marks;
}

/* Keeps those of a row; sampled: as above. */
GR_FN void gr_mark_errors(const gr_state *s, uint32_t deme, uint32_t row, gr_candidates c,
                          float least, float epsilon, uint32_t sampled, uint32_t *shared,
                          gr_crew crew) {
    uint32_t most = gr_near_most(&s->p), kind, digit, lanes = gr_lanes_of_crew(crew),
             lane = gr_lane_of_crew(crew);
    float error[GR_READ_AT_ONCE];
    gr_near_until until = gr_looked_at_near(&s->p, c, least, epsilon, sampled, shared, crew);
    gr_count_near(c, least, epsilon, until, shared, crew);
    gr_marks marks = gr_marks_of(&s->p, least, until, shared, crew.w);
    for (kind = 0; kind < GR_NEAR_KINDS; kind++)
        until.distance[kind] = gr_near_distance(
            kind == GR_NEXT_TO_LEAST ? gr_max_u32(1, marks.digits[kind]) : marks.digits[kind],
            epsilon);
    gr_meet(crew);
    for (kind = crew.number; kind < GR_NEAR_KINDS; kind += crew.size)
        gr_find_places(shared + kind * GR_NEAR_DIGITS, crew.w);
    gr_meet(crew);
    for (uint32_t first = 0; first < c.size; first += GR_READ_AT_ONCE * lanes) {
        gr_read_errors(c, first, error, crew);
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++) {
            if (!gr_is_near(error[n], least, epsilon, until, &kind, &digit))
                continue;
            uint32_t place = gr_take_next(&shared[kind * GR_NEAR_DIGITS + digit]);
            if (place < most)
                gr_marked_in(s, row, deme, kind)[place] =
                    (gr_marked){error[n], first + n * lanes + lane};
        }
    }
    gr_meet(crew);
    if (lane == 0)
        s->case_marks[gr_at_row(s, row, deme)] = marks;
}

/* ---- pools ---- */

/* Epsilon of a row, of all who may be chosen, in *least the least error of them, and in *sampled
 * how many of them have been sampled. */
GR_FN float gr_epsilon_of_row(const gr_state *s, uint32_t deme, uint32_t row, float *least,
                              uint32_t *sampled, uint32_t *shared, gr_crew crew) {
    const gr_params *p = &s->p;
    gr_candidates c = gr_pool_in_row(s, row, deme, gr_choosable(s, deme));
    uint32_t count = gr_count_pool(c.pool, gr_pool_words(p), shared, crew);
    float epsilon = 0.0f;
    *sampled = 0;
    if (count == p->population)
        c.pool = NULL; /* nobody need be asked for */
    if (gr_epsilon_kind_of(p) && p->population >= GR_MANY_CANDIDATES)
        return gr_epsilon_of_many(c, count, least, sampled, shared, crew);
    if (gr_epsilon_kind_of(p))
        epsilon = gr_epsilon(c, count, shared, crew);
    *least = gr_least_error(c, shared, crew);
    return epsilon;
}

/* Who of different individuals passes a row as the first one, how many these are, and what it is
 * passed by later: epsilon, of all who may be chosen, or with static epsilon the largest error that
 * does. shared: [GR_DIGITS] of the crew, and in large demes [GR_CREW_WORDS]. */
GR_FN void gr_find_first_pool(const gr_state *s, uint32_t deme, uint32_t row, uint32_t *shared,
                              gr_crew crew) {
    const gr_params *p = &s->p;
    uint32_t sampled;
    float least, epsilon = gr_epsilon_of_row(s, deme, row, &least, &sampled, shared, crew),
                 bar = least + epsilon;
    gr_candidates c = gr_pool_in_row(s, row, deme, gr_different(s, deme));
    if (gr_near_most(p) && epsilon > 0.0f)
        gr_mark_errors(s, deme, row, c, least, epsilon, sampled, shared, crew);
    uint32_t count = gr_pass_pool(c, gr_first_pool(s, row, deme), bar, shared, crew);
    if (gr_lane_of_crew(crew) == 0) {
        size_t at = gr_at_row(s, row, deme);
        s->case_bars[at] = gr_epsilon_kind_of(p) == GR_EPSILON_STATIC ? bar : epsilon;
        s->case_counts[at] = count;
    }
}

/* ---- later rows ---- */

/* Errors that are kept, a lane's at a time. */
enum { GR_NEAR_AT_ONCE = 2 };

typedef struct gr_near_lanes {
    gr_marked of[GR_NEAR_AT_ONCE];
} gr_near_lanes;

/* Reads those of a row from number `first` on, and behind the last what stands there. */
GR_FN gr_near_lanes gr_read_near(const gr_state *s, const gr_marked *marked, uint32_t first,
                                 gr_lane_group w) {
    gr_near_lanes own;
    uint32_t last = gr_near_most(&s->p) - 1;
    GR_TURNS_AT_ONCE(2)
    for (uint32_t n = 0; n < GR_NEAR_AT_ONCE; n++)
        own.of[n] = marked[gr_min_u32(first + n * w.width + w.lane, last)];
    return own;
}

/* Whether those behind number `first` of a pass over `count` are further off than a distance whose
 * digit this is: the last one read is. */
GR_FN uint32_t gr_are_beyond(const gr_near_lanes *own, uint32_t first, uint32_t count, float from,
                             float epsilon, uint32_t digit, gr_lane_group w) {
    uint32_t last = gr_from_lane(w, gr_float_bits(own->of[GR_NEAR_AT_ONCE - 1].error), w.width - 1);
    return first + GR_NEAR_AT_ONCE * w.width >= count ||
           gr_near_digit(gr_bits_float(last) - from, epsilon) > digit;
}

/* The least error of a pool in a row, by those that are kept, of which `own` are the first;
 * GR_INFINITY where they do not tell. */
GR_FN float gr_least_of_pool(const gr_state *s, uint32_t deme, uint32_t row, const gr_marks *marks,
                             float epsilon, gr_near_lanes own, const uint32_t *pool,
                             gr_lane_group w) {
    const gr_marked *marked = gr_marked_in(s, row, deme, GR_NEXT_TO_LEAST);
    uint32_t least = GR_NO_CANDIDATE, count = marks->count[GR_NEXT_TO_LEAST];
    for (uint32_t first = 0; first < count;) {
        GR_TURNS_AT_ONCE(2)
        for (uint32_t n = 0; n < GR_NEAR_AT_ONCE; n++)
            if (first + n * w.width + w.lane < count && gr_in_pool(pool, own.of[n].index))
                least = gr_min_u32(least, gr_float_bits(own.of[n].error));
        least = gr_least_lane(w, least);
        if (gr_bits_float(least) == marks->least)
            break;
        if (least != GR_NO_CANDIDATE &&
            gr_are_beyond(&own, first, count, marks->least, epsilon,
                          gr_near_digit(gr_bits_float(least) - marks->least, epsilon), w))
            break;
        first += GR_NEAR_AT_ONCE * w.width;
        if (first < count)
            own = gr_read_near(s, marked, first, w);
    }
    if (least == GR_NO_CANDIDATE ||
        (!marks->digits[GR_NEXT_TO_LEAST] && gr_bits_float(least) > marks->least))
        return GR_INFINITY;
    return gr_bits_float(least);
}

/* Lists those of a pool that are next above the first bar and pass another, as far as there is
 * place for `most`; how many these are. own: the first that are kept. */
GR_FN uint32_t gr_list_above_bar(const gr_state *s, uint32_t deme, uint32_t row,
                                 const gr_marks *marks, float epsilon, float bar, gr_near_lanes own,
                                 const uint32_t *pool, uint32_t *list, uint32_t most,
                                 gr_lane_group w) {
    const gr_marked *marked = gr_marked_in(s, row, deme, GR_NEXT_TO_BAR);
    float before = marks->least + epsilon;
    uint32_t listed = 0, count = marks->count[GR_NEXT_TO_BAR], own_before,
             digit = gr_near_digit(bar - before, epsilon);
    for (uint32_t first = 0; first < count;) {
        GR_TURNS_AT_ONCE(2)
        for (uint32_t n = 0; n < GR_NEAR_AT_ONCE; n++) {
            uint32_t passes = first + n * w.width + w.lane < count && own.of[n].error <= bar &&
                              gr_in_pool(pool, own.of[n].index);
            uint32_t all = gr_count_before(w, passes, &own_before);
            if (passes && listed + own_before < most)
                list[listed + own_before] = own.of[n].index;
            listed += all;
        }
        if (gr_are_beyond(&own, first, count, before, epsilon, digit, w))
            break;
        first += GR_NEAR_AT_ONCE * w.width;
        own = gr_read_near(s, marked, first, w);
    }
    gr_sync(w);
    return listed;
}

/* Lists those of a pool that pass a row, but do not pass it first, by their errors; how many these
 * are. *least: the least error of the pool, GR_INFINITY where it is not known; then it is one of
 * those that pass first, and remains so where there are none of them. list: place for all of it. */
GR_FN uint32_t gr_list_others(const gr_state *s, uint32_t deme, uint32_t row, const uint32_t *pool,
                              float *least, uint32_t *list, gr_lane_group w) {
    const uint32_t *first = gr_first_pool(s, row, deme);
    uint32_t words = gr_pool_words(&s->p), count;
    if (!(*least < GR_INFINITY)) {
        count = gr_list_rarely(pool, first, GR_MET_OF_POOL, words, list, w);
        if (!count)
            return 0;
        *least = gr_least_error(gr_list_in_row(s, row, deme, list, count), NULL, gr_alone(w));
    }
    float bar = s->case_bars[gr_at_row(s, row, deme)] + *least;
    count = gr_list_rarely(pool, first, GR_REST_OF_POOL, words, list, w);
    return count ? gr_pass_list(gr_list_in_row(s, row, deme, list, count), list, bar, 0, w) : 0;
}

/* Lists those of a pool of `all` that pass a row with semi-dynamic epsilon, but do not pass it
 * first, in *to, which is `few` [GR_DIGITS] or `list`; how many these are, or GR_NO_CANDIDATE where
 * what is known of the row is not enough. */
GR_FN uint32_t gr_list_added(const gr_state *s, uint32_t deme, uint32_t row, const uint32_t *pool,
                             uint32_t all, uint32_t *few, uint32_t *list, uint32_t **to,
                             gr_lane_group w) {
    const gr_params *p = &s->p;
    size_t at = gr_at_row(s, row, deme);
    /* read together, before it is known whether they are looked at */
    gr_near_lanes next_to_least =
                      gr_read_near(s, gr_marked_in(s, row, deme, GR_NEXT_TO_LEAST), 0, w),
                  next_to_bar = gr_read_near(s, gr_marked_in(s, row, deme, GR_NEXT_TO_BAR), 0, w);
    float epsilon = s->case_bars[at];
    gr_marks marks = s->case_marks[at];
    float least = gr_least_of_pool(s, deme, row, &marks, epsilon, next_to_least, pool, w),
          bar = epsilon + least, before = marks.least + epsilon;
    *to = list;
    if (least < GR_INFINITY && !(bar > before))
        return 0;
    if (least < GR_INFINITY &&
        gr_near_digit(bar - before, epsilon) < marks.digits[GR_NEXT_TO_BAR]) {
        uint32_t added = gr_list_above_bar(s, deme, row, &marks, epsilon, bar, next_to_bar, pool,
                                           few, GR_DIGITS, w);
        if (added <= GR_DIGITS) {
            *to = few;
            return added;
        }
    }
    if (all > gr_list_most(p))
        return GR_NO_CANDIDATE;
    uint32_t added = gr_list_others(s, deme, row, pool, &least, list, w);
    return least < GR_INFINITY ? added : GR_NO_CANDIDATE;
}

/* Leaves those of a pool of `all` that pass a row in another, which may be the same, by what is
 * known of the row, and a few errors; how many these are. 0, and nothing is written, where that is
 * not enough, or with static epsilon nobody passes. few: [GR_DIGITS], list: [gr_list_most]. */
GR_FN uint32_t gr_pass_known(const gr_state *s, uint32_t deme, uint32_t row, const uint32_t *pool,
                             uint32_t all, uint32_t *to, uint32_t *few, uint32_t *list,
                             gr_lane_group w) {
    const gr_params *p = &s->p;
    const uint32_t *first = gr_first_pool(s, row, deme);
    uint32_t words = gr_pool_words(p), added = 0, *those = list;
    if (gr_epsilon_kind_of(p) == GR_EPSILON_DYNAMIC)
        return 0;
    gr_words_of_set next = gr_read_words(first, 0, words, w); /* far: asked for early */
    if (gr_epsilon_kind_of(p) == GR_EPSILON_SEMI_DYNAMIC &&
        s->case_bars[gr_at_row(s, row, deme)] > 0.0f) {
        if (gr_near_most(p))
            added = gr_list_added(s, deme, row, pool, all, few, list, &those, w);
        else if (gr_count_met(pool, first, words, w) < all)
            added = GR_NO_CANDIDATE;
    }
    if (added == GR_NO_CANDIDATE)
        return 0;
    uint32_t count = gr_meet_pools(pool, first, next, to, words, w);
    if (added)
        gr_put_in_pool(to, those, added, w);
    return count + added;
}

#endif
