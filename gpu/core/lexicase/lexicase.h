/* Lexicase selection: a parent is found by passing all individuals through single cases in an order
 * of its own. On each case those stay whose error is the least among them (epsilon-lexicase, La
 * Cava and others 2016: at most epsilon above it), until one is left, or no case is.
 *
 * Who passes a row of errors (case_errors.h) as the first one is found once for all parents
 * (first_pools.h). Of many, those who pass a later row are most of the time a meeting of two sets
 * of bits.
 *
 * Of individuals with the same errors in all rows one stands for all (same_errors.h): where only
 * such are left, no further row is looked at. */
#ifndef GR_LEXICASE_H
#define GR_LEXICASE_H

#include "gpu/core/lexicase/case_errors.h"
#include "gpu/core/lexicase/few_candidates.h"
#include "gpu/core/lexicase/parting_rows.h"
#include "gpu/core/selection/parent_selection.h"

/* The individuals that are left on the way to a parent, and, where that is known, the rows that may
 * part them. */
typedef struct gr_way {
    const uint32_t *pool; /* [gr_pool_words] */
    uint32_t *place;      /* for one */
    uint32_t *list;       /* [gr_list_most] */
    uint32_t count, listed;
    uint32_t row; /* the next, by its number on this way; behind the last: they are found */
    uint32_t known, ahead;  /* rows before number `known` are, a lane's in `ahead` */
    uint32_t parting;       /* such rows, or GR_ANY_ROW */
    const uint32_t *rows;   /* which */
    uint32_t *own, *number; /* [gr_parting_most] place for those of this way; theirs on it */
    uint32_t *errors;       /* [gr_list_most] with dynamic epsilon, of the list in a row */
} gr_way;

/* scratch: [gr_way_words]; place: for a pool, elsewhere or where it begins. */
GR_FN gr_way gr_way_in(const gr_params *p, uint32_t *place, uint32_t *scratch) {
    uint32_t *list = scratch + gr_pool_words(p), *own = list + gr_list_most(p);
    return (gr_way){.pool = place,
                    .place = place,
                    .list = list,
                    .row = 1,
                    .parting = GR_ANY_ROW,
                    .rows = own,
                    .own = own,
                    .number = own + gr_parting_most(p),
                    .errors = own + 2 * gr_parting_most(p)};
}

/* Goes on with a list, where few of a pool are left. */
GR_FN void gr_list_few(const gr_params *p, gr_way *way, gr_lane_group w) {
    if (way->count > gr_listed_most(p))
        return;
    gr_list_pool(way->pool, NULL, GR_ALL_OF_POOL, gr_pool_words(p), way->list, w);
    way->listed = 1;
}

/* Those that pass the first row of all. */
GR_FN void gr_start(const gr_state *s, uint32_t deme, uint32_t row, gr_way *way, gr_lane_group w) {
    const gr_params *p = &s->p;
    size_t at = gr_at_row(s, row, deme);
    const uint32_t *list = s->case_lists + at * gr_first_list_most(p);
    way->count = s->case_counts[at];
    way->pool = gr_first_pool(s, row, deme);
    way->listed = way->count <= gr_first_list_most(p);
    for (uint32_t k = w.lane; way->listed && k < way->count; k += w.width)
        way->list[k] = list[k];
    gr_sync(w);
    if (!way->listed)
        gr_list_few(p, way, w);
}

/* Whether those that are left have the same errors in all rows; but with dynamic epsilon no two
 * candidates have. */
GR_FN uint32_t gr_are_alike(const gr_state *s, uint32_t deme, const gr_way *way, gr_lane_group w) {
    const uint64_t *behaviour = s->behaviours + (size_t)deme * s->p.population;
    if (way->count < 2 || !way->listed || gr_epsilon_kind_of(&s->p) != GR_EPSILON_DYNAMIC)
        return way->count < 2;
    uint64_t first = behaviour[way->list[0]];
    for (uint32_t from = 0; from < way->count; from += w.width) {
        uint32_t k = gr_min_u32(from + w.lane, way->count - 1);
        if (gr_any(w, behaviour[way->list[k]] != first))
            return 0;
    }
    return 1;
}

/* The bar that candidates pass a row by, where that is not known. */
GR_FN float gr_bar_of(const gr_state *s, uint32_t deme, uint32_t row, gr_candidates c,
                      uint32_t count, uint32_t *counts, gr_lane_group w) {
    const gr_crew crew = gr_alone(w);
    float epsilon = s->case_bars[gr_at_row(s, row, deme)];
    if (gr_epsilon_kind_of(&s->p) == GR_EPSILON_DYNAMIC)
        epsilon = gr_epsilon(c, count, counts, crew);
    return epsilon + gr_least_error(c, counts, crew);
}

/* Errors of a list's candidates in a row, laid down side by side: for epsilon of those who are left
 * they are looked at a dozen times. */
GR_FN gr_candidates gr_lay_down(gr_candidates c, uint32_t *errors, gr_lane_group w) {
    float error[GR_READ_AT_ONCE];
    for (uint32_t first = 0; first < c.size; first += GR_READ_AT_ONCE * w.width) {
        gr_read_errors(c, first, error, gr_alone(w));
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++)
            if (first + n * w.width + w.lane < c.size)
                errors[first + n * w.width + w.lane] = gr_float_bits(error[n]);
    }
    gr_sync(w);
    return gr_all_of(errors, c.size);
}

/* Leaves those of a list that pass a row. */
GR_FN void gr_pass_few(const gr_state *s, uint32_t deme, uint32_t row, gr_way *way,
                       uint32_t *counts, gr_lane_group w) {
    gr_candidates c = gr_list_in_row(s, row, deme, way->list, way->count);
    float bar = s->case_bars[gr_at_row(s, row, deme)];
    uint32_t above_least = gr_epsilon_kind_of(&s->p) != GR_EPSILON_DYNAMIC;
    if (gr_epsilon_kind_of(&s->p) ==
        GR_EPSILON_STATIC) { /* sets are in the cache, errors are not */
        c.set = gr_first_pool(s, row, deme);
        bar = 0.0f;
        above_least = 0;
    } else if (!above_least) {
        c = gr_lay_down(c, way->errors, w);
        bar = gr_bar_of(s, deme, row, c, way->count, counts, w);
    }
    uint32_t left = gr_pass_list(c, way->list, bar, above_least, w);
    way->count = left ? left : way->count;
}

/* Leaves those of a pool that pass a row, which are found by a list of the pool, for it is not
 * known who they are. They are a pool again where they are many: a list of many is slow. */
GR_FN void gr_pass_by_list(const gr_state *s, uint32_t deme, uint32_t row, gr_way *way,
                           uint32_t *to, uint32_t *counts, gr_lane_group w) {
    uint32_t words = gr_pool_words(&s->p);
    gr_list_rarely(way->pool, NULL, GR_ALL_OF_POOL, words, way->list, w);
    gr_pass_few(s, deme, row, way, counts, w);
    way->listed = way->count <= gr_listed_most(&s->p);
    if (way->listed)
        return;
    for (uint32_t word = w.lane; word < words; word += w.width)
        to[word] = 0;
    gr_sync(w);
    gr_put_in_pool(to, way->list, way->count, w);
    way->pool = to;
}

/* Leaves those of a pool that pass a row; all where nobody does: that is only so with static
 * epsilon, by which one passes a row always or never. */
GR_FN void gr_pass_many(const gr_state *s, uint32_t deme, uint32_t row, gr_way *way,
                        uint32_t *counts, gr_lane_group w) {
    uint32_t *to = way->place; /* the pool itself, from the second on */
    uint32_t count = gr_pass_known(s, deme, row, way->pool, way->count, to, counts, way->list, w);
    if (!count && gr_epsilon_kind_of(&s->p) == GR_EPSILON_STATIC)
        return;
    if (!count && way->count <= gr_list_most(&s->p)) {
        gr_pass_by_list(s, deme, row, way, to, counts, w);
        return;
    }
    if (!count) {
        gr_candidates c = gr_pool_in_row(s, row, deme, way->pool);
        float bar = gr_bar_of(s, deme, row, c, way->count, counts, w);
        count = gr_pass_pool(c, to, bar, counts, gr_alone(w));
    }
    way->pool = to;
    way->count = count;
    gr_list_few(&s->p, way, w);
}

/* Leaves those that pass a row. */
GR_FN void gr_pass(const gr_state *s, uint32_t deme, uint32_t row, gr_way *way, uint32_t *counts,
                   gr_lane_group w) {
    if (way->listed)
        gr_pass_few(s, deme, row, way, counts, w);
    else
        gr_pass_many(s, deme, row, way, counts, w);
}

/* On a warp, where more rows than as many may part those that are left, one of them is not far: to
 * number them, and to look for the next, takes longer than the rows between them. */
enum { GR_ROWS_KNOWN = 64 };

/* So many rows, and no others, may part those that are left. */
GR_FN void gr_know_rows(const gr_params *p, const gr_random *r, const uint32_t *rows,
                        uint32_t count, gr_way *way, gr_lane_group w) {
    if (count == GR_ANY_ROW)
        return;
    if (w.width > 1 && count > GR_ROWS_KNOWN) {
        way->parting = GR_ANY_ROW;
        return;
    }
    way->parting = count;
    way->rows = rows;
    for (uint32_t k = w.lane; k < count; k += w.width)
        way->number[k] = gr_permuted_by(r, p->lexicase_rows, rows[k], 1);
}

/* Whether sets of rows that individuals do not pass first tell which may part those that are left:
 * with static epsilon all that is to be known, otherwise too little to ask for a list on a warp, or
 * twice. */
GR_FN uint32_t gr_sets_tell(const gr_params *p, const gr_way *way, gr_lane_group w) {
    return gr_failed_words(p) && (gr_epsilon_kind_of(p) == GR_EPSILON_STATIC || !way->listed ||
                                  (w.width == 1 && way->parting == GR_ANY_ROW));
}

/* Looks at all rows that may part those that are left together: at those sets, or, of few, at their
 * errors. */
GR_FN void gr_look_ahead(const gr_state *s, uint32_t deme, const gr_random *r, gr_way *way,
                         uint32_t *others, gr_lane_group w) {
    uint32_t any = way->parting == GR_ANY_ROW, count;
    if (way->listed && !gr_sets_tell(&s->p, way, w))
        count = gr_list_parting_rows(s, deme, way->list, way->count, any ? NULL : way->rows,
                                     any ? s->p.lexicase_rows : way->parting, way->own, others,
                                     gr_alone(w));
    else {
        if (!way->listed)
            gr_list_rarely(way->pool, NULL, GR_ALL_OF_POOL, gr_pool_words(&s->p), way->list, w);
        count = gr_list_failed_rows(s, deme, way->list, way->count, way->own, others, w);
    }
    gr_know_rows(&s->p, r, way->own, count, way, w);
}

/* Rows one after the other that part none of a list, and on a warp all are looked at together by
 * their errors: that takes as long as a hundred or two. */
enum { GR_IDLE_ROWS = 32 };

/* Whether they are looked at, after so many rows that have parted nobody: what that takes grows
 * with the candidates, and is more for their errors than for sets. */
GR_FN uint32_t gr_looks_ahead(const gr_params *p, const gr_way *way, uint32_t idle,
                              uint32_t patience, gr_lane_group w) {
    uint32_t sets = gr_sets_tell(p, way, w);
    if (!sets && !way->listed)
        return 0;
    if (!sets && w.width > 1)
        return idle >= GR_IDLE_ROWS / 2 * patience; /* 2 is the least */
    return way->count <= gr_list_most(p) && idle >= patience + way->count / (sets ? 256 : 4);
}

/* Of the rows that may part those that are left the one that comes next, from number x on; its
 * number, or GR_ANY_ROW where none comes. */
GR_FN uint32_t gr_next_row(const gr_way *way, uint32_t x, uint32_t *row, gr_lane_group w) {
    uint32_t next = GR_ANY_ROW, own = 0;
    for (uint32_t k = w.lane; k < way->parting; k += w.width) {
        uint32_t number = way->number[k];
        if (number >= x && number < next)
            next = number, own = way->rows[k];
    }
    uint32_t least = gr_least_lane(w, next);
    *row = gr_from_lane(w, own, gr_lowest_bit(gr_vote(w, next == least)));
    return least;
}

/* Row number x, which is no less than the one asked for before: a lane finds one of as many. */
GR_FN uint32_t gr_row_number(const gr_params *p, const gr_random *r, gr_way *way, uint32_t x,
                             gr_lane_group w) {
    if (x >= way->known) {
        way->known = x + w.width;
        way->ahead =
            gr_permuted_by(r, p->lexicase_rows, gr_min_u32(x + w.lane, p->lexicase_rows - 1), 0);
    }
    return gr_from_lane(w, way->ahead, x + w.width - way->known);
}

/* ---- few, in lanes ---- */

/* Whether those that are left go on in lanes. */
GR_FN uint32_t gr_in_lanes(const gr_params *p, const gr_way *way, gr_lane_group w) {
    uint32_t places = gr_epsilon_kind_of(p) == GR_EPSILON_DYNAMIC ? 1 : GR_PLACES;
    return w.width > 1 && way->listed && way->count <= places * w.width;
}

/* Of the rows that may part those that are left the lane's two, and their numbers; GR_ANY_ROW
 * behind the last. */
typedef struct gr_own_rows {
    uint32_t row[2], number[2];
} gr_own_rows;

GR_FN gr_own_rows gr_rows_of_lane(const gr_way *way, gr_lane_group w) {
    gr_own_rows own;
    GR_TURNS_AT_ONCE(2)
    for (uint32_t j = 0; j < 2; j++) {
        uint32_t k = j * w.width + w.lane, known = way->parting != GR_ANY_ROW && k < way->parting;
        own.row[j] = known ? way->rows[k] : 0;
        own.number[j] = known ? way->number[k] : GR_ANY_ROW;
    }
    return own;
}

/* Of these the row whose number is the least from `from` on; the number, or GR_ANY_ROW. */
GR_FN uint32_t gr_next_of_lanes(const gr_own_rows *own, uint32_t from, uint32_t *row,
                                gr_lane_group w) {
    uint32_t number = GR_ANY_ROW, its = 0;
    GR_TURNS_AT_ONCE(2)
    for (uint32_t j = 0; j < 2; j++)
        if (own->number[j] >= from && own->number[j] < number)
            number = own->number[j], its = own->row[j];
    uint32_t least = gr_least_lane(w, number);
    *row = gr_from_lane(w, its, gr_lowest_bit(gr_vote(w, number == least)));
    return least;
}

/* The rows that come next on a way, at most so many; shift: as of the candidates. */
GR_FN gr_coming gr_next_rows(const gr_params *p, const gr_random *r, gr_way *way,
                             const gr_own_rows *own, uint32_t most, uint32_t shift,
                             gr_lane_group w) {
    gr_coming next = {.count = 0};
    if (way->parting == GR_ANY_ROW) {
        gr_row_number(p, r, way, way->row, w);
        next.count = gr_min_u32(most, gr_min_u32(way->known, p->lexicase_rows) - way->row);
        next.number = way->row + gr_min_u32(w.lane >> shift, next.count - 1);
        next.row = gr_from_lane(w, way->ahead, (next.number - way->known) % w.width);
        return next;
    }
    GR_TURNS_AT_ONCE(1)
    for (uint32_t from = way->row; next.count < most; next.count++) {
        uint32_t row, number = gr_next_of_lanes(own, from, &row, w);
        if (number == GR_ANY_ROW)
            break;
        if (w.lane >> shift >= next.count)
            next.row = row, next.number = number;
        from = number + 1;
    }
    return next;
}

/* Goes on in lanes to the end, or until so many rows have parted nobody. Behind a row that has
 * parted somebody one is asked, which often does so, too, then two, four, ...: rows that were asked
 * behind one that parts are asked again. kept: [GR_PLACES * width]. */
GR_FN void gr_go_on_in_lanes(const gr_state *s, uint32_t deme, const gr_random *r, gr_way *way,
                             uint32_t patience, uint32_t *kept, gr_lane_group w) {
    uint32_t rows = s->p.lexicase_rows, idle = 0;
    GR_TURNS_AT_ONCE(4)
    for (uint32_t m = 0; m < GR_PLACES; m++)
        kept[m * w.width + w.lane] = way->list[gr_min_u32(m * w.width + w.lane, way->count - 1)];
    gr_sync(w);
    gr_seated c = gr_seat(s, deme, kept, way->count, w);
    gr_own_rows own = gr_rows_of_lane(way, w);
    while (way->row < rows && idle < patience) {
        uint32_t most = gr_min_u32(1 + idle, GR_ASKED >> c.shift);
        gr_coming next = gr_next_rows(&s->p, r, way, &own, most, c.shift, w);
        if (!next.count) {
            way->row = rows;
            break;
        }
        uint32_t fails = gr_who_fails(s, deme, &next, &c, w),
                 first = gr_first_parted(&s->p, fails, c.shift, w);
        way->row = gr_from_lane(w, next.number, gr_min_u32(first, GR_ASKED - 1)) + 1;
        idle += next.count;
        if (first == GR_ASKED)
            continue;
        idle = 0;
        c = gr_seat(s, deme, kept, gr_keep_seated(kept, &c, fails, first, w), w);
        if (gr_are_few_alike(s, deme, &c, w))
            way->row = rows;
    }
    way->count = c.count;
    for (uint32_t k = w.lane; k < c.count; k += w.width)
        way->list[k] = kept[k];
    gr_sync(w);
}

/* What of a way is gone; a literal, so that no kernel has code for the rest. */
enum { GR_WHOLE_WAY, GR_UNTIL_LISTED, GR_FROM_LIST };

/* The walk to its end, or until those that are left are listed. Where the last rows have parted
 * nobody those that may are looked at together, and only those that part somebody are passed:
 * reading them takes as long as some rows one by one, of lanes that wait for each the fewer. */
GR_FN void gr_go_on(const gr_state *s, uint32_t deme, const gr_random *r, gr_way *way,
                    uint32_t stage, uint32_t *counts, gr_lane_group w) {
    uint32_t rows = s->p.lexicase_rows, idle = 0, row, in_lanes = GR_IDLE_ROWS,
             patience = w.width > 1 ? 2 : gr_max_u32(4, rows / 64);
    while (way->row < rows && !(stage == GR_UNTIL_LISTED && way->listed)) {
        way->listed |= stage == GR_FROM_LIST; /* it is already, which the compiler cannot know */
        uint32_t seated = gr_in_lanes(&s->p, way, w);
        if (seated) {
            gr_go_on_in_lanes(s, deme, r, way, in_lanes, counts, w);
            if (way->row >= rows)
                return;
        }
        if (seated || gr_looks_ahead(&s->p, way, idle, patience, w)) {
            gr_look_ahead(s, deme, r, way, counts, w);
            patience *= 2;
            in_lanes *= 2;
        }
        if (seated)
            continue;
        if (way->parting == GR_ANY_ROW)
            row = gr_row_number(&s->p, r, way, way->row, w);
        else if ((way->row = gr_next_row(way, way->row, &row, w)) == GR_ANY_ROW)
            return;
        uint32_t before = way->count;
        gr_pass(s, deme, row, way, counts, w);
        idle = way->count == before ? idle + 1 : 0;
        way->row = !idle && gr_are_alike(s, deme, way, w) ? rows : way->row + 1;
    }
}

/* The draws for parent k of a deme's children in generation + 1; the permutation counts its rounds
 * between those of two pairs. */
GR_FN gr_random gr_way_stream(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k) {
    return gr_stream(&s->p, k % 2 ? GR_PURPOSE_LEXICASE_SECOND : GR_PURPOSE_LEXICASE,
                     generation + 1, deme, 4 * (k / 2));
}

/* The first row of its way, and the rows that part those who pass it. */
GR_FN void gr_begin_way(const gr_state *s, uint32_t deme, const gr_random *r, gr_way *way,
                        gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t first = gr_row_number(p, r, way, 0, w);
    const uint32_t *parted = gr_parted(s, first, deme);
    gr_start(s, deme, first, way, w);
    if (gr_are_alike(s, deme, way, w))
        way->row = p->lexicase_rows;
    else if (gr_parting_words(p))
        gr_know_rows(p, r, parted + 1, parted[0], way, w);
}

/* The parent, one of those that are left. */
GR_FN void gr_end_way(const gr_state *s, uint32_t deme, uint32_t k, const gr_random *r,
                      const gr_way *way, uint32_t *counts, gr_lane_group w) {
    uint32_t index = gr_draw_same(s, deme, way->listed ? way->list : way->pool, way->listed,
                                  way->count, gr_draw_block(r, 1u << 31).word[0], counts, w);
    gr_sync(w);
    if (w.lane == 0)
        s->parents[(size_t)deme * gr_lexicase_parents(&s->p) + k] = index;
}

/* Finds it. scratch: [gr_way_words] of the lane group, counts: [GR_DIGITS]. */
GR_FN void gr_find_parent(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k,
                          uint32_t *scratch, uint32_t *counts, gr_lane_group w) {
    gr_random r = gr_way_stream(s, generation, deme, k);
    gr_way way = gr_way_in(&s->p, scratch, scratch);
    gr_begin_way(s, deme, &r, &way, w);
    gr_go_on(s, deme, &r, &way, GR_WHOLE_WAY, counts, w);
    gr_end_way(s, deme, k, &r, &way, counts, w);
}

/* ---- the same in two steps ---- */

/* A way behind its pools: the next row, or 0 where it has to begin, since its first pool is listed;
 * how many are left. */
typedef struct gr_rest {
    uint32_t row, count;
} gr_rest;

/* For a lane group that has memory of its own for a set of bits, but for no more: until those that
 * are left are listed, in `list` [gr_listed_most]. */
GR_FN void gr_pass_pools(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k,
                         uint32_t *place, uint32_t *scratch, gr_rest *rest, uint32_t *list,
                         uint32_t *counts, gr_lane_group w) {
    gr_random r = gr_way_stream(s, generation, deme, k);
    gr_way way = gr_way_in(&s->p, place, scratch);
    gr_begin_way(s, deme, &r, &way, w);
    uint32_t begins = way.listed;
    gr_go_on(s, deme, &r, &way, GR_UNTIL_LISTED, counts, w);
    if (!begins && way.row >= s->p.lexicase_rows)
        gr_end_way(s, deme, k, &r, &way, counts, w);
    for (uint32_t n = w.lane; !begins && way.listed && n < way.count; n += w.width)
        list[n] = way.list[n];
    if (w.lane == 0)
        *rest = (gr_rest){begins ? 0 : way.row, way.count};
    gr_sync(w);
}
/* And from there on. */
GR_FN void gr_pass_lists(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k,
                         const gr_rest *rest, uint32_t *list, uint32_t *scratch, uint32_t *counts,
                         gr_lane_group w) {
    gr_random r = gr_way_stream(s, generation, deme, k);
    gr_way way = gr_way_in(&s->p, scratch, scratch);
    if (rest->row >= s->p.lexicase_rows)
        return;
    if (!rest->row)
        gr_begin_way(s, deme, &r, &way, w);
    else {
        way.row = rest->row;
        way.count = rest->count;
        way.list = list;
    }
    way.listed = 1; /* either way */
    gr_go_on(s, deme, &r, &way, GR_FROM_LIST, counts, w);
    gr_end_way(s, deme, k, &r, &way, counts, w);
}

#endif
