/* Few candidates of lexicase selection, one a lane of a warp: they are passed through several rows
 * at a time. Most rows part none of two or three that are left, and to ask one row after the other
 * is to wait for memory each time. So lanes are dealt out in groups, each with all candidates and a
 * row of its own, those that come next on the way; the first row that parts them leaves some, and
 * the rest are asked again. Nothing of it is on one lane, which reads a row the cheaper the fewer
 * are left. */
#ifndef GR_FEW_CANDIDATES_H
#define GR_FEW_CANDIDATES_H

#include "gpu/core/lexicase/first_pools.h"

/* Candidates in lanes: a lane of each group of `seats` has one; those without have the last. */
typedef struct gr_seated {
    uint32_t index, count, seats;
} gr_seated;

/* list: of at least two. */
GR_FN gr_seated gr_seat(const uint32_t *list, uint32_t count, gr_lane_group w) {
    uint32_t seats = 2u << gr_highest_bit(count - 1);
    return (gr_seated){list[gr_min_u32(w.lane % seats, count - 1)], count, seats};
}

/* The least value of a group, and the bits of all of them. */
GR_FN uint32_t gr_least_of_seats(uint32_t value, uint32_t seats, gr_lane_group w) {
    for (uint32_t x = 1; x < seats; x *= 2)
        value = gr_min_u32(value, gr_from_lane(w, value, w.lane ^ x));
    return value;
}
GR_FN uint32_t gr_or_of_seats(uint32_t value, uint32_t seats, gr_lane_group w) {
    for (uint32_t x = 1; x < seats; x *= 2)
        value |= gr_from_lane(w, value, w.lane ^ x);
    return value;
}

/* Median of the values that a group's candidates have, which are not negative. */
GR_FN float gr_median_of_seats(float value, gr_seated c, gr_lane_group w) {
    uint32_t own = gr_float_bits(value), seat = w.lane % c.seats, before = 0;
    for (uint32_t n = 0; n < c.count; n++) {
        uint32_t other = gr_from_lane(w, own, w.lane - seat + n);
        before += other < own || (other == own && n < seat);
    }
    uint32_t low = seat < c.count && before == (c.count - 1) / 2 ? own : 0,
             high = seat < c.count && before == c.count / 2 ? own : 0;
    return 0.5f * gr_bits_float(gr_or_of_seats(low, c.seats, w)) +
           0.5f * gr_bits_float(gr_or_of_seats(high, c.seats, w));
}
/* Their median absolute deviation, as gr_epsilon. */
GR_FN float gr_epsilon_of_seats(float error, gr_seated c, gr_lane_group w) {
    float middle = gr_median_of_seats(error, c, w),
          epsilon = gr_median_of_seats(middle < GR_INFINITY ? fabsf(error - middle) : 0.0f, c, w);
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

/* Whether the lane's candidate passes the row of its group. */
GR_FN uint32_t gr_passes_in_seat(const gr_state *s, uint32_t deme, uint32_t row, gr_seated c,
                                 gr_lane_group w) {
    const gr_params *p = &s->p;
    if (gr_epsilon_kind_of(p) == GR_EPSILON_STATIC) /* sets are in the cache, errors are not */
        return gr_in_pool(gr_first_pool(s, row, deme), c.index);
    size_t individual = (size_t)deme * p->population + c.index;
    float error = s->own_errors[individual * p->lexicase_rows + row],
          bar = s->case_bars[gr_at_row(s, row, deme)];
    uint32_t least = gr_least_of_seats(gr_float_bits(error), c.seats, w);
    if (gr_epsilon_kind_of(p) == GR_EPSILON_DYNAMIC)
        bar = gr_epsilon_of_seats(error, c, w);
    return error <= bar + gr_bits_float(least);
}

/* The first group that is parted by its row, `all` being who passes; only `groups` of them count.
 * In *left who of the candidates are left. Returns `groups` where none is parted: with static
 * epsilon that is so, too, where nobody passes. */
GR_FN uint32_t gr_first_parted(uint32_t all, uint32_t groups, gr_seated c, uint32_t *left,
                               gr_lane_group w) {
    uint32_t group = w.lane / c.seats, every = ~0u >> (32 - c.seats),
             own = all >> group * c.seats & every;
    uint32_t parted = gr_vote(w, group < groups && own && own != every);
    if (!parted)
        return groups;
    uint32_t lane = gr_lowest_bit(parted);
    *left = gr_from_lane(w, own, lane) & ~0u >> (32 - c.count);
    return lane / c.seats;
}

/* Those of the candidates that are left. kept: a word a lane. */
GR_FN gr_seated gr_keep_seated(gr_seated c, uint32_t left, uint32_t *kept, gr_lane_group w) {
    if (left >> w.lane & 1u)
        kept[gr_count_bits(left & ((1u << w.lane) - 1))] = c.index;
    gr_sync(w);
    uint32_t count = gr_count_bits(left);
    c = count > 1 ? gr_seat(kept, count, w) : (gr_seated){kept[0], 1, 1};
    gr_sync(w); /* all have read where some write */
    return c;
}

/* Whether they are alike; but with dynamic epsilon no two candidates are. */
GR_FN uint32_t gr_are_seated_alike(const gr_state *s, uint32_t deme, gr_seated c, gr_lane_group w) {
    if (c.count < 2 || gr_epsilon_kind_of(&s->p) != GR_EPSILON_DYNAMIC)
        return c.count < 2;
    uint64_t own = s->behaviours[(size_t)deme * s->p.population + c.index];
    uint32_t low = gr_from_lane(w, (uint32_t)own, 0),
             high = gr_from_lane(w, (uint32_t)(own >> 32), 0);
    return !gr_any(w, own != ((uint64_t)high << 32 | low));
}

#endif
