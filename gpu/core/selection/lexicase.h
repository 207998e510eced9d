/* Lexicase selection: a parent is found by passing all individuals through single cases in an order
 * of its own. On each case those stay whose error is the least among them (epsilon-lexicase, La
 * Cava and others 2016: at most epsilon above it), until one is left, or no case is.
 *
 * Who passes a row of errors (case_errors.h) as the first one is found once for all parents; a pool
 * of many candidates is a set of bits, one of few a list.
 *
 * Candidates with the same errors in all rows pass or fail together: where only such are left, no
 * further row is looked at. A hash of 64 bits tells it; they are
 * not compared. */
#ifndef GR_LEXICASE_H
#define GR_LEXICASE_H

#include "gpu/core/selection/case_errors.h"
#include "gpu/core/selection/parent_selection.h"

/* ---- candidates ---- */

/* Candidates of a deme, and the errors of all in a row: many are a set of bits, few a list of their
 * indices, in their order. */
typedef struct gr_candidates {
    const float *error; /* of the deme's individual k: error[k * stride] */
    size_t stride;
    const uint32_t *pool; /* [gr_pool_words], or the list */
    uint32_t listed;      /* it is a list */
    uint32_t size;        /* to be gone through: the population, or the length of the list */
} gr_candidates;

/* Bits of errors are below this: nobody. */
#define GR_NO_CANDIDATE 0xffffffffu

GR_FN gr_candidates gr_pool_in_row(const gr_state *s, uint32_t row, uint32_t deme,
                                   const uint32_t *pool) {
    const float *errors = s->case_errors + (size_t)row * s->p.individuals;
    return (gr_candidates){errors + (size_t)deme * s->p.population, 1, pool, 0, s->p.population};
}
/* Of a list; where it is short, other rows of the same are what is looked at next. */
GR_FN gr_candidates gr_list_in_row(const gr_state *s, uint32_t row, uint32_t deme,
                                   const uint32_t *list, uint32_t count) {
    size_t rows = s->p.lexicase_rows;
    gr_candidates c = gr_pool_in_row(s, row, deme, list);
    c.listed = 1;
    c.size = count;
    if (count < s->p.population / 16) {
        c.error = s->own_errors + deme * s->p.population * rows + row;
        c.stride = rows;
    }
    return c;
}
GR_FN float gr_error_of(gr_candidates c, uint32_t k) {
    return c.error[k * c.stride];
}

/* Where what is known of a row stands. */
GR_FN size_t gr_at_row(const gr_state *s, uint32_t row, uint32_t deme) {
    return (size_t)row * gr_demes(&s->p) + deme;
}
GR_FN uint32_t *gr_first_pool(const gr_state *s, uint32_t row, uint32_t deme) {
    return s->case_pools + gr_at_row(s, row, deme) * gr_pool_words(&s->p);
}

/* The bits of the error of number k, from 0, or GR_NO_CANDIDATE. */
GR_FN uint32_t gr_error_bits(gr_candidates c, uint32_t k) {
    if (c.listed)
        return gr_float_bits(gr_error_of(c, c.pool[k]));
    return c.pool[k / 32] >> k % 32 & 1u ? gr_float_bits(gr_error_of(c, k)) : GR_NO_CANDIDATE;
}
/* The same of its distance from `middle`. */
GR_FN uint32_t gr_distance_bits(gr_candidates c, float middle, uint32_t k) {
    uint32_t bits = gr_error_bits(c, k);
    return bits == GR_NO_CANDIDATE ? bits : gr_float_bits(fabsf(gr_bits_float(bits) - middle));
}

GR_FN float gr_least_error(gr_candidates c, gr_lane_group w) {
    uint32_t least = GR_NO_CANDIDATE;
    GR_TURNS_AT_ONCE(8)
    for (uint32_t k = w.lane; k < c.size; k += w.width)
        least = gr_min_u32(least, gr_error_bits(c, k));
    return gr_bits_float(gr_least_lane(w, least));
}

/* ---- epsilon ---- */

/* Counts of a radix search that its lanes share. */
enum { GR_DIGITS = 256, GR_FEW_CANDIDATES = 24 };

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

/* Bits of number k, from 0, of the distances of the errors from `middle`, in their order: eight
 * bits a pass; of few by the number of those before each. */
GR_FN uint32_t gr_distance_at(gr_candidates c, float middle, uint32_t k, uint32_t *counts,
                              gr_lane_group w) {
    uint32_t found = 0;
    if (c.listed && c.size <= GR_FEW_CANDIDATES) {
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
    for (uint32_t shift = 32; shift;) {
        shift -= 8;
        for (uint32_t n = w.lane; n < GR_DIGITS; n += w.width)
            counts[n] = 0;
        gr_sync(w);
        GR_TURNS_AT_ONCE(8)
        for (uint32_t i = w.lane; i < c.size; i += w.width) {
            uint32_t bits = gr_distance_bits(c, middle, i);
            if (bits != GR_NO_CANDIDATE &&
                (uint64_t)bits >> (shift + 8) == (uint64_t)found >> (shift + 8))
                gr_add_to(&counts[bits >> shift & 0xffu], 1, w);
        }
        gr_sync(w);
        found |= gr_digit_of(counts, &k, w) << shift;
        gr_sync(w);
    }
    return found;
}

/* Median of the distances of `count` candidates' errors from `middle`. */
GR_FN float gr_median_distance(gr_candidates c, float middle, uint32_t count, uint32_t *counts,
                               gr_lane_group w) {
    uint32_t low = gr_distance_at(c, middle, (count - 1) / 2, counts, w), high = low;
    uint32_t until = 0, next = GR_NO_CANDIDATE;
    for (uint32_t i = w.lane; count % 2 == 0 && i < c.size; i += w.width) {
        uint32_t bits = gr_distance_bits(c, middle, i);
        until += bits <= low;
        next = bits > low ? gr_min_u32(next, bits) : next;
    }
    until = gr_sum_lanes(w, until);
    next = gr_least_lane(w, next);
    if (count % 2 == 0 && until <= count / 2)
        high = next;
    return 0.5f * gr_bits_float(low) + 0.5f * gr_bits_float(high);
}

/* Median absolute deviation of their errors; 0 where it is not finite. */
GR_FN float gr_epsilon(gr_candidates c, uint32_t count, uint32_t *counts, gr_lane_group w) {
    float middle = count ? gr_median_distance(c, 0.0f, count, counts, w) : GR_INFINITY;
    float epsilon = middle < GR_INFINITY ? gr_median_distance(c, middle, count, counts, w) : 0.0f;
    return epsilon < GR_INFINITY ? epsilon : 0.0f;
}

/* ---- pools ---- */

/* Word of a pool, its bits without those that do not pass a bar; the same for all lanes, a warp's
 * or one. */
GR_FN uint32_t gr_passing_word(gr_candidates c, uint32_t word, float bar, gr_lane_group w) {
    uint32_t pool = c.pool[word], bits = 0;
    if (w.width > 1)
        return gr_vote(w, (pool >> w.lane & 1u) && c.error[32 * word + w.lane] <= bar);
    for (uint32_t left = pool; left; left &= left - 1)
        bits |= c.error[32 * word + gr_lowest_bit(left)] <= bar ? left & (0u - left) : 0;
    return bits;
}

/* Leaves those of a pool of bits in it that pass a bar, or, without `leaves`, only counts them.
 * Several words at a time: reading them is most of it. */
GR_FN uint32_t gr_pass_pool(gr_candidates c, uint32_t *pool, float bar, uint32_t leaves,
                            gr_lane_group w) {
    enum { AT_ONCE = 8 };
    uint32_t count = 0, words = (c.size + 31) / 32, bits[AT_ONCE];
    for (uint32_t first = 0; first < words; first += AT_ONCE) {
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < AT_ONCE; n++) {
            bits[n] = first + n < words ? gr_passing_word(c, first + n, bar, w) : 0;
            count += gr_count_bits(bits[n]);
        }
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; leaves && n < AT_ONCE; n++)
            if (first + n < words && w.lane == n % w.width)
                pool[first + n] = bits[n];
    }
    gr_sync(w);
    return count;
}

/* The same of a list; how many are left: all, where nobody passes. */
GR_FN uint32_t gr_pass_list(gr_candidates c, uint32_t *list, float bar, gr_lane_group w) {
    uint32_t count = 0;
    for (uint32_t first = 0; first < c.size; first += w.width) {
        uint32_t k = first + w.lane, index = k < c.size ? list[k] : 0, before;
        uint32_t passes = k < c.size && gr_error_of(c, index) <= bar;
        uint32_t all = gr_count_before(w, passes, &before);
        if (passes)
            list[count + before] = index;
        count += all;
    }
    gr_sync(w);
    return count ? count : c.size;
}

/* The indices of a pool's individuals, in their order. */
GR_FN void gr_list_pool(const uint32_t *pool, uint32_t words, uint32_t *list, gr_lane_group w) {
    uint32_t count = 0;
    for (uint32_t first = 0; first < words; first += w.width) {
        uint32_t word = first + w.lane, bits = word < words ? pool[word] : 0;
        uint32_t own = gr_count_bits(bits), at = count + gr_sum_before(w, own);
        for (uint32_t left = bits; left; left &= left - 1)
            list[at++] = 32 * word + gr_lowest_bit(left);
        count += gr_sum_lanes(w, own);
    }
    gr_sync(w);
}

/* Those of word `word` of a pool that may be chosen; the same for all lanes. */
GR_FN uint32_t gr_word_of_all(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t word,
                              uint32_t excludes, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t left = p->population - 32 * word, bits = left < 32 ? (1u << left) - 1 : ~0u, out = 0;
    const gr_individual *individual =
        s->individuals[generation & 1] + (size_t)deme * p->population + 32 * word;
    for (uint32_t k = w.lane; excludes && k < 32 && k < left; k += w.width)
        out |= (uint32_t)(individual[k].validity != GR_VALID) << k;
    return excludes ? bits & ~gr_or_lanes(w, out) : bits;
}

/* Without epsilon several lane groups may look at a row, at words [first, last) of the pool each:
 * at the least error that these have. */
GR_FN void gr_find_least(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t row,
                         uint32_t first, uint32_t last, gr_lane_group w) {
    uint32_t excludes = gr_leaves_out(s, deme), least = GR_NO_CANDIDATE;
    gr_candidates c = gr_pool_in_row(s, row, deme, NULL);
    GR_TURNS_AT_ONCE(8)
    for (uint32_t word = first; word < last; word++) {
        uint32_t bits = gr_word_of_all(s, generation, deme, word, excludes, w);
        for (uint32_t k = w.lane; k < 32; k += w.width)
            if (bits >> k & 1u)
                least = gr_min_u32(least, gr_float_bits(gr_error_of(c, 32 * word + k)));
    }
    least = gr_least_lane(w, least);
    if (w.lane == 0)
        gr_lower(&s->case_least[gr_at_row(s, row, deme)], least);
}

/* Then at who has the least of all. */
GR_FN void gr_find_those_of_least(const gr_state *s, uint32_t generation, uint32_t deme,
                                  uint32_t row, uint32_t first, uint32_t last, gr_lane_group w) {
    uint32_t excludes = gr_leaves_out(s, deme), *pool = gr_first_pool(s, row, deme), count = 0;
    size_t at = gr_at_row(s, row, deme);
    gr_candidates c = gr_pool_in_row(s, row, deme, NULL);
    uint32_t least = s->case_least[at];
    GR_TURNS_AT_ONCE(8)
    for (uint32_t word = first; word < last; word++) {
        uint32_t bits = gr_word_of_all(s, generation, deme, word, excludes, w), own = 0;
        for (uint32_t k = w.lane; k < 32; k += w.width)
            if (bits >> k & 1u)
                own |= (uint32_t)(gr_float_bits(gr_error_of(c, 32 * word + k)) == least) << k;
        own = gr_or_lanes(w, own);
        count += gr_count_bits(own);
        if (w.lane == 0)
            pool[word] = own;
    }
    if (w.lane == 0)
        gr_add_count(&s->case_counts[at], count);
}

/* Before both of them. */
GR_FN void gr_begin_first_pool(const gr_state *s, size_t at) {
    s->case_least[at] = GR_NO_CANDIDATE;
    s->case_counts[at] = 0;
    s->case_bars[at] = 0.0f;
}

/* Who passes a row as the first one, how many these are, and what it is passed by later: epsilon,
 * or with static epsilon the largest error that does. counts: [GR_DIGITS] of the lane group. */
GR_FN void gr_find_first_pool(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t row,
                              uint32_t *counts, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t *pool = gr_first_pool(s, row, deme), excludes = gr_leaves_out(s, deme), count = 0;
    gr_candidates c = gr_pool_in_row(s, row, deme, pool);
    if (!p->epsilon) {
        if (w.lane == 0)
            gr_begin_first_pool(s, gr_at_row(s, row, deme));
        gr_sync(w);
        gr_find_least(s, generation, deme, row, 0, gr_pool_words(p), w);
        gr_sync(w);
        gr_find_those_of_least(s, generation, deme, row, 0, gr_pool_words(p), w);
        gr_sync(w);
        return;
    }
    for (uint32_t word = 0; word < gr_pool_words(p); word++) {
        uint32_t bits = gr_word_of_all(s, generation, deme, word, excludes, w);
        if (w.lane == word % w.width)
            pool[word] = bits;
        count += gr_count_bits(bits);
    }
    gr_sync(w);
    float epsilon = gr_epsilon(c, count, counts, w), bar = gr_least_error(c, w) + epsilon;
    count = gr_pass_pool(c, pool, bar, 1, w);
    if (w.lane == 0) {
        size_t at = gr_at_row(s, row, deme);
        s->case_bars[at] = p->epsilon == GR_EPSILON_STATIC ? bar : epsilon;
        s->case_counts[at] = count;
    }
}

/* ---- rows that part candidates ---- */

/* In place of their number: any row may be one. */
#define GR_ANY_ROW 0xffffffffu

/* Whether a row parts candidates whose least and largest error in it are these: always where it
 * parts some of them. With dynamic epsilon it may be that it does not. */
GR_FN uint32_t gr_parts(const gr_params *p, float least, float most, float bar) {
    if (p->epsilon == GR_EPSILON_STATIC)
        return least <= bar && most > bar;
    return p->epsilon == GR_EPSILON_DYNAMIC ? least != most : most > bar + least;
}

/* Of candidates of a list who are alike one, in `others` [GR_LOOKED_AHEAD]. Returns their number,
 * or one more than are looked at. */
GR_FN uint32_t gr_list_others(const gr_state *s, uint32_t deme, const uint32_t *list, uint32_t size,
                              uint32_t *others, gr_lane_group w) {
    const uint64_t *behaviour = s->behaviours + (size_t)deme * s->p.population;
    uint64_t first = behaviour[list[0]];
    uint32_t count = 1;
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

/* Rows that a lane looks at at a time. */
enum { GR_ROWS_AT_ONCE = 4 };

/* Whether each of the lane's rows parts `count` candidates. */
GR_FN void gr_look_at_rows(const gr_state *s, uint32_t deme, const uint32_t *others, uint32_t count,
                           const uint32_t *row, uint32_t *parts) {
    const gr_params *p = &s->p;
    const float *errors = s->own_errors + (size_t)deme * p->population * p->lexicase_rows;
    float least[GR_ROWS_AT_ONCE], most[GR_ROWS_AT_ONCE];
    GR_TURNS_AT_ONCE(4)
    for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++)
        least[n] = GR_INFINITY, most[n] = 0.0f;
    GR_TURNS_AT_ONCE(4)
    for (uint32_t k = 0; k < count; k++) {
        const float *own = errors + (size_t)others[k] * p->lexicase_rows;
        GR_TURNS_AT_ONCE(4)
        for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++) {
            float error = own[row[n]];
            least[n] = error < least[n] ? error : least[n];
            most[n] = error > most[n] ? error : most[n];
        }
    }
    GR_TURNS_AT_ONCE(4)
    for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++)
        parts[n] = gr_parts(p, least[n], most[n], s->case_bars[gr_at_row(s, row[n], deme)]);
}

/* Lists the rows among `size` of a list, or of all (NULL), that part candidates of another list; to
 * [gr_parting_most] may be the first list. A row that does not part them parts no fewer of them
 * either. Returns their number, or GR_ANY_ROW where rows or candidates are too many. others:
 * [GR_LOOKED_AHEAD]. */
GR_FN uint32_t gr_list_parting_rows(const gr_state *s, uint32_t deme, const uint32_t *list,
                                    uint32_t candidates, const uint32_t *rows, uint32_t size,
                                    uint32_t *to, uint32_t *others, gr_lane_group w) {
    uint32_t count = gr_list_others(s, deme, list, candidates, others, w), found = 0;
    if (count > GR_LOOKED_AHEAD)
        return GR_ANY_ROW;
    for (uint32_t first = w.lane; first < size + w.lane; first += GR_ROWS_AT_ONCE * w.width) {
        uint32_t row[GR_ROWS_AT_ONCE], parts[GR_ROWS_AT_ONCE], before;
        GR_TURNS_AT_ONCE(4)
        for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++) {
            uint32_t k = gr_min_u32(first + n * w.width, size - 1);
            row[n] = rows ? rows[k] : k;
        }
        gr_look_at_rows(s, deme, others, count, row, parts);
        gr_sync(w); /* all have read where some write */
        GR_TURNS_AT_ONCE(4)
        for (uint32_t n = 0; n < GR_ROWS_AT_ONCE; n++) {
            uint32_t parted = parts[n] && first + n * w.width < size,
                     all = gr_count_before(w, parted, &before);
            if (found + all > gr_parting_most(&s->p))
                return GR_ANY_ROW;
            if (parted)
                to[found + before] = row[n];
            found += all;
        }
    }
    gr_sync(w);
    return found;
}

/* How many rows, and behind that which, part those who pass a row first. */
GR_FN uint32_t *gr_parted(const gr_state *s, uint32_t row, uint32_t deme) {
    return s->case_parted + gr_at_row(s, row, deme) * gr_parting_words(&s->p);
}

/* The list of those who pass a row as the first one, where they are few, and of the rows that part
 * them: once for all parents who begin with it. All pools and bars have been found. counts:
 * [GR_DIGITS] of the lane group. */
GR_FN void gr_list_first_pool(const gr_state *s, uint32_t deme, uint32_t row, uint32_t *counts,
                              gr_lane_group w) {
    const gr_params *p = &s->p;
    size_t at = gr_at_row(s, row, deme);
    uint32_t count = s->case_counts[at], few = count <= gr_first_list_most(p),
             *list = s->case_lists + at * gr_first_list_most(p), *parted = gr_parted(s, row, deme),
             rows = few ? 0 : GR_ANY_ROW;
    if (few)
        gr_list_pool(gr_first_pool(s, row, deme), gr_pool_words(p), list, w);
    if (!gr_parting_words(p))
        return;
    if (few && count > 1)
        rows = gr_list_parting_rows(s, deme, list, count, NULL, p->lexicase_rows, parted + 1,
                                    counts, w);
    if (w.lane == 0)
        parted[0] = rows;
}

/* ---- parents ---- */

/* The individuals that are left on the way to a parent, and, where that is known, the rows that may
 * part them. */
typedef struct gr_way {
    uint32_t *pool; /* [gr_pool_words] */
    uint32_t *list; /* [gr_list_most] */
    uint32_t count, listed;
    uint32_t parting;       /* such rows, or GR_ANY_ROW */
    const uint32_t *rows;   /* which */
    uint32_t *own, *number; /* [gr_parting_most] place for those of this way; theirs on it */
} gr_way;

GR_FN gr_way gr_way_in(const gr_params *p, uint32_t *scratch) {
    uint32_t *list = scratch + gr_pool_words(p), *own = list + gr_list_most(p);
    return (gr_way){scratch, list, 0, 0, GR_ANY_ROW, own, own, own + gr_parting_most(p)};
}

/* Those that pass the first row of all. */
GR_FN void gr_start(const gr_state *s, uint32_t deme, uint32_t row, gr_way *way, gr_lane_group w) {
    const gr_params *p = &s->p;
    size_t at = gr_at_row(s, row, deme);
    const uint32_t *pool = gr_first_pool(s, row, deme), words = gr_pool_words(p),
                   *list = s->case_lists + at * gr_first_list_most(p);
    way->count = s->case_counts[at];
    way->listed = way->count <= gr_list_most(p);
    if (way->count <= gr_first_list_most(p))
        for (uint32_t k = w.lane; k < way->count; k += w.width)
            way->list[k] = list[k];
    else if (way->listed)
        gr_list_pool(pool, words, way->list, w);
    for (uint32_t word = w.lane; !way->listed && word < words; word += w.width)
        way->pool[word] = pool[word];
    gr_sync(w);
}

/* Whether those that are left have the same errors in all rows. */
GR_FN uint32_t gr_are_alike(const gr_state *s, uint32_t deme, const gr_way *way, gr_lane_group w) {
    const uint64_t *behaviour = s->behaviours + (size_t)deme * s->p.population;
    if (way->count < 2 || !way->listed)
        return way->count < 2;
    uint64_t first = behaviour[way->list[0]];
    for (uint32_t from = 0; from < way->count; from += w.width) {
        uint32_t k = gr_min_u32(from + w.lane, way->count - 1);
        if (gr_any(w, behaviour[way->list[k]] != first))
            return 0;
    }
    return 1;
}

/* Leaves those of a pool of bits that are in another, too, or, without `leaves`, only counts them.
 */
GR_FN uint32_t gr_meet_pool(uint32_t *pool, const uint32_t *other, uint32_t words, uint32_t leaves,
                            gr_lane_group w) {
    uint32_t count = 0;
    GR_TURNS_AT_ONCE(8)
    for (uint32_t word = w.lane; word < words; word += w.width) {
        uint32_t bits = pool[word] & other[word];
        count += gr_count_bits(bits);
        if (leaves)
            pool[word] = bits;
    }
    gr_sync(w);
    return gr_sum_lanes(w, count);
}

/* Leaves those that pass a row, of many; all where nobody does. With static epsilon it is those
 * that pass it as the first one who always do. */
GR_FN uint32_t gr_pass_many(const gr_state *s, uint32_t deme, uint32_t row, const gr_way *way,
                            float bar, gr_lane_group w) {
    uint32_t words = gr_pool_words(&s->p), *first = gr_first_pool(s, row, deme);
    if (s->p.epsilon != GR_EPSILON_STATIC)
        return gr_pass_pool(gr_pool_in_row(s, row, deme, way->pool), way->pool, bar, 1, w);
    return gr_meet_pool(way->pool, first, words, 0, w) ? gr_meet_pool(way->pool, first, words, 1, w)
                                                       : way->count;
}

/* Leaves those that pass a row; all where nobody does. */
GR_FN void gr_pass(const gr_state *s, uint32_t deme, uint32_t row, gr_way *way, uint32_t *counts,
                   gr_lane_group w) {
    const gr_params *p = &s->p;
    gr_candidates c = way->listed ? gr_list_in_row(s, row, deme, way->list, way->count)
                                  : gr_pool_in_row(s, row, deme, way->pool);
    float bar = s->case_bars[gr_at_row(s, row, deme)];
    if (p->epsilon == GR_EPSILON_DYNAMIC)
        bar = gr_least_error(c, w) + gr_epsilon(c, way->count, counts, w);
    else if (p->epsilon != GR_EPSILON_STATIC)
        bar += gr_least_error(c, w);
    if (way->listed) {
        way->count = gr_pass_list(c, way->list, bar, w);
        return;
    }
    way->count = gr_pass_many(s, deme, row, way, bar, w);
    if (way->count > gr_list_most(p))
        return;
    gr_list_pool(way->pool, gr_pool_words(p), way->list, w);
    way->listed = 1;
}

/* So many rows, and no others, may part those that are left. */
GR_FN void gr_know_rows(const gr_params *p, const gr_random *r, const uint32_t *rows,
                        uint32_t count, gr_way *way, gr_lane_group w) {
    if (count == GR_ANY_ROW)
        return;
    way->parting = count;
    way->rows = rows;
    for (uint32_t k = w.lane; k < count; k += w.width)
        way->number[k] = gr_permuted_by(r, p->lexicase_rows, rows[k], 1);
}

/* Looks at all rows that may part those that are left together. */
GR_FN void gr_look_ahead(const gr_state *s, uint32_t deme, const gr_random *r, gr_way *way,
                         uint32_t *others, gr_lane_group w) {
    uint32_t any = way->parting == GR_ANY_ROW;
    uint32_t count =
        gr_list_parting_rows(s, deme, way->list, way->count, any ? NULL : way->rows,
                             any ? s->p.lexicase_rows : way->parting, way->own, others, w);
    gr_know_rows(&s->p, r, way->own, count, way, w);
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

/* The walk from row 1 on; how far it has come is nobody's business. Where the last rows have parted
 * nobody those that may are looked at together, and only those that part somebody are passed:
 * reading them takes as long as some rows one by one, of lanes that wait for each the fewer. */
GR_FN void gr_go_on(const gr_state *s, uint32_t deme, const gr_random *r, gr_way *way,
                    uint32_t *counts, gr_lane_group w) {
    uint32_t rows = s->p.lexicase_rows, idle = 0, alike = 0, row,
             patience = w.width > 1 ? 2 : gr_max_u32(4, rows / 64);
    for (uint32_t x = 1; x < rows && !alike; x++) {
        if (way->listed && idle >= patience) {
            gr_look_ahead(s, deme, r, way, counts, w);
            patience *= 2;
        }
        if (way->parting == GR_ANY_ROW)
            row = gr_permuted_by(r, rows, x, 0);
        else if ((x = gr_next_row(way, x, &row, w)) == GR_ANY_ROW)
            return;
        uint32_t before = way->count;
        gr_pass(s, deme, row, way, counts, w);
        idle = way->count == before ? idle + 1 : 0;
        alike = !idle && gr_are_alike(s, deme, way, w);
    }
}

/* Index of candidate k of a pool, from 0, in their order. */
GR_FN uint32_t gr_candidate(const uint32_t *pool, uint32_t words, uint32_t k, gr_lane_group w) {
    for (uint32_t first = 0; first < words; first += w.width) {
        uint32_t word = first + w.lane, bits = word < words ? pool[word] : 0;
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

/* Finds parent k of a deme's children in generation + 1. scratch: [gr_way_words] of the lane group,
 * counts: [GR_DIGITS]. */
GR_FN void gr_find_parent(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k,
                          uint32_t *scratch, uint32_t *counts, gr_lane_group w) {
    const gr_params *p = &s->p;
    gr_random r =
        gr_stream(p, k % 2 ? GR_PURPOSE_LEXICASE_SECOND : GR_PURPOSE_LEXICASE, generation + 1, deme,
                  4 * (k / 2)); /* the permutation counts its rounds in between */
    gr_way way = gr_way_in(p, scratch);
    uint32_t first = gr_permuted_by(&r, p->lexicase_rows, 0, 0);
    gr_start(s, deme, first, &way, w);
    if (!gr_are_alike(s, deme, &way, w)) {
        const uint32_t *parted = gr_parted(s, first, deme);
        if (gr_parting_words(p))
            gr_know_rows(p, &r, parted + 1, parted[0], &way, w);
        gr_go_on(s, deme, &r, &way, counts, w);
    }
    uint32_t chosen = gr_scale(gr_draw_block(&r, 1u << 31).word[0], way.count);
    uint32_t index = 0;
    if (way.count)
        index = way.listed ? way.list[chosen] : gr_candidate(way.pool, gr_pool_words(p), chosen, w);
    gr_sync(w);
    if (w.lane == 0)
        s->parents[(size_t)deme * gr_lexicase_parents(p) + k] = index;
}

#endif
