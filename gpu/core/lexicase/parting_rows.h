/* Rows of errors that part candidates of lexicase selection: only these need be looked at. */
#ifndef GR_PARTING_ROWS_H
#define GR_PARTING_ROWS_H

#include "gpu/core/lexicase/first_pools.h"

/* In place of their number: any row may be one. */
#define GR_ANY_ROW 0xffffffffu

/* Whether a row parts candidates whose least and largest error in it are these: always where it
 * parts some of them. With dynamic epsilon it may be that it does not. */
GR_FN uint32_t gr_parts(const gr_params *p, float least, float most, float bar) {
    if (gr_epsilon_kind_of(p) == GR_EPSILON_STATIC)
        return least <= bar && most > bar;
    return gr_epsilon_kind_of(p) == GR_EPSILON_DYNAMIC ? least != most : most > bar + least;
}

/* Of candidates of a list who have the same errors one, in `others` [GR_LOOKED_AHEAD]; but with
 * dynamic epsilon there are none. Returns their number, or one more than are looked at. */
GR_FN uint32_t gr_list_different(const gr_state *s, uint32_t deme, const uint32_t *list,
                                 uint32_t size, uint32_t *others, gr_lane_group w) {
    const uint64_t *behaviour = s->behaviours + (size_t)deme * s->p.population;
    uint64_t first = behaviour[list[0]];
    uint32_t count = 1;
    if (gr_epsilon_kind_of(&s->p) != GR_EPSILON_DYNAMIC) {
        for (uint32_t k = w.lane; k < gr_min_u32(size, GR_LOOKED_AHEAD); k += w.width)
            others[k] = list[k];
        gr_sync(w);
        return gr_min_u32(size, GR_LOOKED_AHEAD + 1);
    }
    if (w.lane == 0)
        others[0] = list[0];
    for (uint32_t from = 0; from < size; from += w.width) {
        uint32_t index = list[gr_min_u32(from + w.lane, size - 1)];
        uint64_t own = behaviour[index];
        for (uint32_t left = gr_vote(w, own != first); left;) {
            uint32_t lane = gr_lowest_bit(left);
            uint64_t its = (uint64_t)gr_from_lane(w, (uint32_t)(own >> 32), lane) << 32 |
                           gr_from_lane(w, (uint32_t)own, lane);
            if (count == GR_LOOKED_AHEAD) {
                gr_sync(w);
                return count + 1;
            }
            if (w.lane == lane)
                others[count] = index;
            count++;
            left &= ~gr_vote(w, own == its);
        }
    }
    gr_sync(w);
    return count;
}

/* Rows that a lane looks at at a time, and individuals, where these rows stand together. */
enum { GR_ROWS_AT_ONCE = 4, GR_LOOKED_AT_ONCE = 4 };

/* The least and the largest error in each of them. */
typedef struct gr_span_of_rows {
    uint32_t least[GR_ROWS_AT_ONCE], most[GR_ROWS_AT_ONCE];
} gr_span_of_rows;

GR_FN void gr_widen(gr_span_of_rows *span, const uint32_t *error) {
    GR_TURNS_AT_ONCE(4)
    for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++) {
        span->least[n] = gr_min_u32(span->least[n], error[n]);
        span->most[n] = gr_max_u32(span->most[n], error[n]);
    }
}

/* Whether each of the lane's rows parts `count` candidates. together: the rows are side by side,
 * from a multiple of four on, and so are those of the next individual. */
GR_FN void gr_look_at_rows(const gr_state *s, uint32_t deme, const uint32_t *others, uint32_t count,
                           const uint32_t *row, uint32_t together, uint32_t *parts) {
    const gr_params *p = &s->p;
    const float *errors = s->own_errors + (size_t)deme * p->population * p->lexicase_rows;
    gr_span_of_rows span = {{GR_NO_CANDIDATE, GR_NO_CANDIDATE, GR_NO_CANDIDATE, GR_NO_CANDIDATE},
                            {0, 0, 0, 0}};
    for (uint32_t first = 0; together && first < count; first += GR_LOOKED_AT_ONCE) {
        gr_four_words error[GR_LOOKED_AT_ONCE]; /* all read before any is looked at */
        GR_TURNS_AT_ONCE(4)
        for (uint32_t k = 0; k < GR_LOOKED_AT_ONCE; k++)
            error[k] =
                gr_read_four((const uint32_t *)errors + row[0] +
                             (size_t)others[gr_min_u32(first + k, count - 1)] * p->lexicase_rows);
        GR_TURNS_AT_ONCE(4)
        for (uint32_t k = 0; k < GR_LOOKED_AT_ONCE; k++)
            gr_widen(&span, error[k].word);
    }
    GR_TURNS_AT_ONCE(2)
    for (uint32_t k = 0; !together && k < count; k++) {
        const float *own = errors + (size_t)others[k] * p->lexicase_rows;
        uint32_t error[GR_ROWS_AT_ONCE];
        GR_TURNS_AT_ONCE(4)
        for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++)
            error[n] = gr_float_bits(own[row[n]]);
        gr_widen(&span, error);
    }
    GR_TURNS_AT_ONCE(4)
    for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++)
        parts[n] = gr_parts(p, gr_bits_float(span.least[n]), gr_bits_float(span.most[n]),
                            s->case_bars[gr_at_row(s, row[n], deme)]);
}

/* What a crew shares while it lists rows: who is looked at, how many they are, and how many rows
 * have been found. */
enum { GR_OTHERS = 0, GR_OTHERS_COUNT = GR_LOOKED_AHEAD, GR_ROWS_FOUND, GR_LISTING_WORDS };

/* Who is looked at of a list, by all of a crew; their number. */
GR_FN uint32_t gr_look_at(const gr_state *s, uint32_t deme, const uint32_t *list,
                          uint32_t candidates, uint32_t *shared, gr_crew crew) {
    if (crew.size == 1)
        return gr_list_different(s, deme, list, candidates, shared + GR_OTHERS, crew.w);
    if (crew.number == 0) {
        uint32_t count = gr_list_different(s, deme, list, candidates, shared + GR_OTHERS, crew.w);
        if (crew.w.lane == 0) {
            shared[GR_OTHERS_COUNT] = count;
            shared[GR_ROWS_FOUND] = 0;
        }
    }
    gr_meet(crew);
    return shared[GR_OTHERS_COUNT];
}

/* Lists the rows among `size` of a list, or of all (NULL), that part candidates of another list; to
 * [gr_parting_most] may be the first list, of a group alone. A row that does not part them parts no
 * fewer of them either. Returns their number, or GR_ANY_ROW where rows or candidates are too many.
 * shared: [GR_LISTING_WORDS]. */
GR_FN uint32_t gr_list_parting_rows(const gr_state *s, uint32_t deme, const uint32_t *list,
                                    uint32_t candidates, const uint32_t *rows, uint32_t size,
                                    uint32_t *to, uint32_t *shared, gr_crew crew) {
    const gr_lane_group w = crew.w;
    uint32_t count = gr_look_at(s, deme, list, candidates, shared, crew), found = 0,
             together = !rows && size % GR_ROWS_AT_ONCE == 0, most = gr_parting_most(&s->p),
             turn = GR_ROWS_AT_ONCE * w.width;
    if (count > GR_LOOKED_AHEAD)
        return GR_ANY_ROW;
    for (uint32_t first = turn * crew.number; first < size; first += turn * crew.size) {
        uint32_t row[GR_ROWS_AT_ONCE], parts[GR_ROWS_AT_ONCE], before,
            own = first + (together ? GR_ROWS_AT_ONCE : 1) * w.lane, apart = together ? 1 : w.width;
        GR_TURNS_AT_ONCE(4)
        for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++) {
            uint32_t k = own + n * apart, last = size - (together ? GR_ROWS_AT_ONCE - n : 1);
            row[n] = rows ? rows[gr_min_u32(k, last)] : gr_min_u32(k, last);
        }
        gr_look_at_rows(s, deme, shared + GR_OTHERS, count, row, together, parts);
        gr_sync(w); /* all have read where some write */
        GR_TURNS_AT_ONCE(4)
        for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++) {
            uint32_t parted = parts[n] && own + n * apart < size,
                     all = gr_count_before(w, parted, &before);
            if (crew.size > 1) {
                if (w.lane == 0)
                    found = gr_take_some(&shared[GR_ROWS_FOUND], all);
                found = gr_from_lane(w, found, 0);
            }
            if (parted && found + before < most)
                to[found + before] = row[n];
            found += all;
            if (crew.size == 1 && found > most)
                return GR_ANY_ROW;
        }
    }
    gr_meet(crew);
    found = crew.size > 1 ? shared[GR_ROWS_FOUND] : found;
    return found > most ? GR_ANY_ROW : found;
}

/* ---- of many candidates, with epsilon of all ---- */

/* Sets of rows, a word of each, of the individuals of word `word` of a pool: those that they do not
 * pass first. */
GR_FN void gr_find_failed(const gr_state *s, uint32_t deme, uint32_t word, uint32_t row_word,
                          gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t rows = gr_min_u32(32, p->lexicase_rows - 32 * row_word), pool = 0;
    size_t first = (size_t)deme * p->population + 32 * word;
    if (w.width > 1 && w.lane < rows)
        pool = gr_first_pool(s, 32 * row_word + w.lane, deme)[word];
    for (uint32_t k = 0; k < 32 && 32 * word + k < p->population; k++) {
        uint32_t passed = gr_vote(w, pool >> k & 1u);
        for (uint32_t row = 0; w.width == 1 && row < rows; row++)
            passed |= (gr_first_pool(s, 32 * row_word + row, deme)[word] >> k & 1u) << row;
        if (w.lane == k % w.width)
            s->case_failed[(first + k) * gr_failed_words(p) + row_word] =
                ~passed & (rows < 32 ? (1u << rows) - 1 : ~0u);
    }
}

/* Lists the rows that some of a list do not pass first. The bar of a row that all pass first is
 * later no lower: no other parts them. With static epsilon it is the same, and a row that none of
 * them passes parts nobody either. Returns their number, or GR_ANY_ROW where they are too many.
 * to: [gr_parting_most], shared: [GR_DIGITS]. */
GR_FN uint32_t gr_list_failed_rows(const gr_state *s, uint32_t deme, const uint32_t *list,
                                   uint32_t count, uint32_t *to, uint32_t *shared,
                                   gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t words = gr_failed_words(p), found = 0, before;
    const uint32_t *all = s->case_failed + (size_t)deme * p->population * words;
    for (uint32_t word = w.lane; word < words; word += w.width) {
        uint32_t failed = 0, passed = gr_epsilon_kind_of(p) == GR_EPSILON_STATIC ? 0 : ~0u;
        GR_TURNS_AT_ONCE(16)
        for (uint32_t k = 0; k < count; k++) {
            uint32_t own = all[(size_t)list[k] * words + word];
            failed |= own;
            passed |= ~own;
        }
        shared[word] = failed & passed;
    }
    gr_sync(w);
    for (uint32_t first = 0; first < p->lexicase_rows; first += w.width) {
        uint32_t row = first + w.lane, failed = row < p->lexicase_rows && gr_in_pool(shared, row),
                 those = gr_count_before(w, failed, &before);
        if (found + those > gr_parting_most(p))
            return GR_ANY_ROW;
        if (failed)
            to[found + before] = row;
        found += those;
    }
    gr_sync(w);
    return found;
}

/* How many rows, and behind that which, part those who pass a row first. */
GR_FN uint32_t *gr_parted(const gr_state *s, uint32_t row, uint32_t deme) {
    return s->case_parted + gr_at_row(s, row, deme) * gr_parting_words(&s->p);
}

/* The list of those who pass a row as the first one, where they are few, and of the rows that part
 * them: once for all parents who begin with it. All pools and bars have been found. shared:
 * [GR_LISTING_WORDS] of the crew. */
GR_FN void gr_list_first_pool(const gr_state *s, uint32_t deme, uint32_t row, uint32_t *shared,
                              gr_crew crew) {
    const gr_params *p = &s->p;
    size_t at = gr_at_row(s, row, deme);
    uint32_t count = s->case_counts[at], few = count <= gr_first_list_most(p),
             *list = s->case_lists + at * gr_first_list_most(p), *parted = gr_parted(s, row, deme),
             rows = few ? 0 : GR_ANY_ROW;
    if (few && crew.number == 0)
        gr_list_pool(gr_first_pool(s, row, deme), NULL, GR_ALL_OF_POOL, gr_pool_words(p), list,
                     crew.w);
    if (!gr_parting_words(p))
        return;
    if (few && count > 1) {
        gr_meet(crew); /* it is listed, and what was shared for another row has been read */
        rows = gr_list_parting_rows(s, deme, list, count, NULL, p->lexicase_rows, parted + 1,
                                    shared, crew);
    }
    if (gr_lane_of_crew(crew) == 0)
        parted[0] = rows;
}

#endif
