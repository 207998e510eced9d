/* Few candidates of lexicase selection, in the lanes of a warp: they are passed through several
 * rows at a time. Most rows part none of few that are left, and to ask one row after the other is
 * to wait for memory each time. So a lane reads eight errors at a time, of one candidate in eight
 * rows, of two in four or of four in two; the first row that parts the candidates leaves some, and
 * those behind it are asked again. What is the same for all lanes stands in one of them each, so
 * that the code is short: it has to stay in the cache of instructions. Nothing of it is on one
 * lane, which reads a row the cheaper the fewer are left. */
#ifndef GR_FEW_CANDIDATES_H
#define GR_FEW_CANDIDATES_H

#include "gpu/core/lexicase/first_pools.h"

/* Errors that a lane reads at a time, and candidates that it has, at most. */
enum { GR_ASKED = 8, GR_PLACES = 4 };

/* Candidates in lanes: number k of a list is in lane k % width at place k / width, of 1 << shift;
 * behind the last it is the last once more. */
typedef struct gr_seated {
    /* for each of the errors, of which the first is of the first place, ..., the candidate's */
    const float *errors[GR_ASKED];
    uint32_t index[GR_ASKED];
    uint32_t count, shift;
} gr_seated;

/* Rows that come next on a way: in lane j that of error j of all lanes, and its number. Behind the
 * last it is the last once more. */
typedef struct gr_coming {
    uint32_t row, number, count;
} gr_coming;

/* list: of at most GR_PLACES a lane. */
GR_FN gr_seated gr_seat(const gr_state *s, uint32_t deme, const uint32_t *list, uint32_t count,
                        gr_lane_group w) {
    const float *errors[GR_PLACES];
    gr_seated c;
    uint32_t index[GR_PLACES];
    c.count = count;
    c.shift = (uint32_t)(count > w.width) + (uint32_t)(count > 2 * w.width);
    GR_TURNS_AT_ONCE(4)
    for (uint32_t m = 0; m < GR_PLACES; m++) {
        index[m] = list[gr_min_u32(m * w.width + w.lane, count - 1)];
        errors[m] =
            s->own_errors + ((size_t)deme * s->p.population + index[m]) * s->p.lexicase_rows;
    }
    GR_TURNS_AT_ONCE(8)
    for (uint32_t j = 0; j < GR_ASKED; j++) {
        c.index[j] = c.shift == 1 ? index[j % 2] : c.shift ? index[j % 4] : index[0];
        c.errors[j] = c.shift == 1 ? errors[j % 2] : c.shift ? errors[j % 4] : errors[0];
    }
    return c;
}

/* ---- dynamic epsilon ---- */

/* Orders the lanes' values, which go up and then down or down and then up in every span: up in the
 * first span, down in the second, and so on (Batcher's bitonic sorter). */
GR_FN uint32_t gr_merge_lanes(uint32_t value, uint32_t span, gr_lane_group w) {
    uint32_t down = (w.lane & span) != 0;
    GR_TURNS_AT_ONCE(5)
    for (uint32_t step = span / 2; step; step /= 2) {
        uint32_t other = gr_from_lane(w, value, w.lane ^ step), upper = (w.lane & step) != 0;
        value = upper == down ? gr_min_u32(value, other) : gr_max_u32(value, other);
    }
    return value;
}

/* The median of as many values that stand in order. */
GR_FN float gr_middle_of_lanes(uint32_t sorted, uint32_t count, gr_lane_group w) {
    return 0.5f * gr_bits_float(gr_from_lane(w, sorted, (count - 1) / 2)) +
           0.5f * gr_bits_float(gr_from_lane(w, sorted, count / 2));
}

/* The median absolute deviation of the errors of `count` lanes, as gr_epsilon; the others have
 * GR_NO_CANDIDATE. Of errors in order distances from the median go down and then up. */
GR_FN float gr_epsilon_of_lanes(uint32_t error, uint32_t count, gr_lane_group w) {
    GR_TURNS_AT_ONCE(5)
    for (uint32_t span = 2; span <= GR_LANES; span *= 2)
        error = gr_merge_lanes(error, span, w);
    float middle = gr_middle_of_lanes(error, count, w);
    if (!(middle < GR_INFINITY))
        return 0.0f;
    uint32_t distance = gr_float_bits(fabsf(gr_bits_float(error) - middle));
    distance = gr_merge_lanes(w.lane < count ? distance : GR_NO_CANDIDATE, GR_LANES, w);
    float epsilon = gr_middle_of_lanes(distance, count, w);
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

/* Who does not pass the rows that come next, as gr_who_fails, but only until a row parts them. */
GR_FN uint32_t gr_who_fails_by_median(const float *errors, uint32_t rows, uint32_t count,
                                      gr_lane_group w) {
    uint32_t own = 0, fails = 0, value[GR_ASKED];
    for (uint32_t j = 0; j < GR_ASKED; j++)
        value[j] = w.lane < count ? gr_float_bits(errors[j]) : GR_NO_CANDIDATE;
    GR_TURNS_AT_ONCE(1)
    for (uint32_t n = 0; n < rows && !fails; n++) {
        float bar = gr_epsilon_of_lanes(value[0], count, w);
        bar += gr_bits_float(gr_least_lane(w, value[0]));
        fails = gr_vote(w, gr_bits_float(value[0]) > bar);
        own = w.lane == n ? fails : own;
        for (uint32_t j = 0; j + 1 < GR_ASKED; j++)
            value[j] = value[j + 1];
    }
    return own;
}

/* ---- rows ---- */

/* Error j of the lane, which is of this row. */
GR_FN float gr_error_asked(const gr_state *s, uint32_t deme, uint32_t row, const gr_seated *c,
                           uint32_t j) {
    if (gr_epsilon_kind_of(&s->p) == GR_EPSILON_STATIC) /* sets are in the cache, errors are not */
        return gr_in_pool(gr_first_pool(s, row, deme), c->index[j]) ? 0.0f : 1.0f;
    return c->errors[j][row];
}

/* What the values of a lane and of the others whose errors are of the same row have in common;
 * `how` is a literal. */
enum { GR_LEAST_OF_ROW, GR_ANY_OF_ROW, GR_ALL_OF_ROW };

GR_FN uint32_t gr_of_row(uint32_t value, uint32_t how, uint32_t shift, gr_lane_group w) {
    GR_TURNS_AT_ONCE(2)
    for (uint32_t x = 0; x < 2; x++) {
        uint32_t other = gr_from_lane(w, value, w.lane ^ (1u << x));
        if (x < shift)
            value = how == GR_LEAST_OF_ROW ? gr_min_u32(value, other)
                    : how == GR_ANY_OF_ROW ? value | other
                                           : value & other;
    }
    return value;
}

/* In lane j the lanes whose candidate does not pass the row of error j. */
GR_FN uint32_t gr_who_fails(const gr_state *s, uint32_t deme, const gr_coming *of,
                            const gr_seated *c, gr_lane_group w) {
    uint32_t kind = gr_epsilon_kind_of(&s->p), least = GR_NO_CANDIDATE, own = 0;
    float bar = 0.0f, error[GR_ASKED];
    if (kind != GR_EPSILON_STATIC && kind != GR_EPSILON_DYNAMIC)
        bar = s->case_bars[gr_at_row(s, of->row, deme)];
    GR_TURNS_AT_ONCE(8)
    for (uint32_t j = 0; j < GR_ASKED; j++)
        error[j] = gr_error_asked(s, deme, gr_from_lane(w, of->row, j), c, j);
    if (kind == GR_EPSILON_DYNAMIC)
        return gr_who_fails_by_median(error, of->count, c->count, w);
    if (kind != GR_EPSILON_STATIC) {
        GR_TURNS_AT_ONCE(8)
        for (uint32_t j = 0; j < GR_ASKED; j++) {
            uint32_t its = gr_least_lane(w, gr_float_bits(error[j]));
            least = w.lane == j ? its : least;
        }
        bar += gr_bits_float(gr_of_row(least, GR_LEAST_OF_ROW, c->shift, w));
    }
    GR_TURNS_AT_ONCE(8)
    for (uint32_t j = 0; j < GR_ASKED; j++) {
        float its = gr_bits_float(gr_from_lane(w, gr_float_bits(bar), j));
        uint32_t passes = gr_vote(w, error[j] <= its);
        own = w.lane == j ? ~passes : own;
    }
    return own;
}

/* The first lane whose error is of a row that parts the candidates, or as many as there are errors:
 * some fail, and with static epsilon, by which nobody may pass, not all. */
GR_FN uint32_t gr_first_parted(const gr_params *p, uint32_t fails, uint32_t shift,
                               gr_lane_group w) {
    uint32_t some = gr_of_row(fails, GR_ANY_OF_ROW, shift, w), all = 0;
    if (gr_epsilon_kind_of(p) == GR_EPSILON_STATIC)
        all = gr_of_row(fails, GR_ALL_OF_ROW, shift, w);
    uint32_t parted = gr_vote(w, w.lane < GR_ASKED && some && all != 0xffffffffu);
    return parted ? gr_lowest_bit(parted) : GR_ASKED;
}

/* Leaves those of a list that pass the row of the errors from number `first` on; how many these
 * are. */
GR_FN uint32_t gr_keep_seated(uint32_t *list, const gr_seated *c, uint32_t fails, uint32_t first,
                              gr_lane_group w) {
    uint32_t left = 0, before;
    GR_TURNS_AT_ONCE(1)
    for (uint32_t place = 0; place < 1u << c->shift; place++) {
        uint32_t k = place * w.width + w.lane, index = list[gr_min_u32(k, c->count - 1)],
                 its = gr_from_lane(w, fails, first + place),
                 passes = k < c->count && !(its >> w.lane & 1u),
                 all = gr_count_before(w, passes, &before);
        gr_sync(w); /* all have read where some write */
        if (passes)
            list[left + before] = index;
        left += all;
    }
    gr_sync(w);
    return left;
}

/* Whether no row parts those of a list any more: one is left; with dynamic epsilon, for which
 * there are as many as have the same errors, or all have these. */
GR_FN uint32_t gr_are_few_alike(const gr_state *s, uint32_t deme, const gr_seated *c,
                                gr_lane_group w) {
    if (c->count < 2 || gr_epsilon_kind_of(&s->p) != GR_EPSILON_DYNAMIC)
        return c->count < 2;
    uint64_t own = s->behaviours[(size_t)deme * s->p.population + c->index[0]];
    uint32_t low = gr_from_lane(w, (uint32_t)own, 0),
             high = gr_from_lane(w, (uint32_t)(own >> 32), 0);
    return !gr_any(w, own != ((uint64_t)high << 32 | low));
}

#endif
