/* Candidates of lexicase selection: the individuals of a deme that are left, and who of them passes
 * a row of errors (case_errors.h). Many are a set of bits, a pool; few a list of their indices. */
#ifndef GR_CANDIDATES_H
#define GR_CANDIDATES_H

#include "gpu/core/base/keys.h"
#include "gpu/core/state/state.h"

/* ---- lane groups that look at the same candidates ---- */

/* On the device the warps of a block, or one. */
typedef struct gr_crew {
    gr_lane_group w;
    uint32_t number, size; /* this group among them; how many they are */
} gr_crew;

GR_FN gr_crew gr_alone(gr_lane_group w) {
    return (gr_crew){w, 0, 1};
}
/* This lane among all, and how many these are. */
GR_FN uint32_t gr_lane_of_crew(gr_crew crew) {
    return crew.number * crew.w.width + crew.w.lane;
}
GR_FN uint32_t gr_lanes_of_crew(gr_crew crew) {
    return crew.size * crew.w.width;
}
GR_FN void gr_meet(gr_crew crew) {
#ifdef __CUDA_ARCH__
    if (crew.size > 1) {
        __syncthreads();
        return;
    }
#endif
    gr_sync(crew.w);
}

/* Words that all of a crew share, for counts and what is combined of all. */
enum { GR_DIGITS = 256 };

/* Bits of errors are below this: nobody. As a float it is no number, for which no comparison holds.
 */
#define GR_NO_CANDIDATE 0xffffffffu

/* The first `count` of them, before others change them. */
GR_FN void gr_set_shared(uint32_t *shared, uint32_t count, uint32_t value, gr_crew crew) {
    gr_meet(crew);
    for (uint32_t n = gr_lane_of_crew(crew); n < count; n += gr_lanes_of_crew(crew))
        shared[n] = value;
    gr_meet(crew);
}
/* The sum of all lanes' values, and the least of them. */
GR_FN uint32_t gr_sum_of_crew(uint32_t value, uint32_t *shared, gr_crew crew) {
    value = gr_sum_lanes(crew.w, value);
    if (crew.size == 1)
        return value;
    gr_set_shared(shared, 1, 0, crew);
    if (crew.w.lane == 0)
        gr_add_count(shared, value);
    gr_meet(crew);
    return *shared;
}
GR_FN uint32_t gr_least_of_crew(uint32_t value, uint32_t *shared, gr_crew crew) {
    value = gr_least_lane(crew.w, value);
    if (crew.size == 1)
        return value;
    gr_set_shared(shared, 1, GR_NO_CANDIDATE, crew);
    if (crew.w.lane == 0)
        gr_lower(shared, value);
    gr_meet(crew);
    return *shared;
}

/* ---- candidates ---- */

/* Candidates of a deme, and the errors of all in a row. */
typedef struct gr_candidates {
    const float *error; /* of the deme's individual k: error[k * stride] */
    size_t stride;
    const uint32_t *pool; /* [gr_pool_words], or the list; NULL: all */
    uint32_t listed;      /* it is a list */
    uint32_t size;        /* to be gone through: the population, or the length of the list */
    const uint32_t *set;  /* not NULL: in place of errors 0 for those that are in it, and 1 */
} gr_candidates;

GR_FN gr_candidates gr_pool_in_row(const gr_state *s, uint32_t row, uint32_t deme,
                                   const uint32_t *pool) {
    const float *errors = s->case_errors + (size_t)row * s->p.individuals;
    return (gr_candidates){
        errors + (size_t)deme * s->p.population, 1, pool, 0, s->p.population, NULL};
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
/* Whether somebody is in a pool. */
GR_FN uint32_t gr_in_pool(const uint32_t *pool, uint32_t k) {
    return pool[k / 32] >> k % 32 & 1u;
}
GR_FN float gr_error_of(gr_candidates c, uint32_t k) {
    if (c.set)
        return gr_in_pool(c.set, k) ? 0.0f : 1.0f;
    return c.error[k * c.stride];
}

/* The bits of the error of number k, from 0, or GR_NO_CANDIDATE. */
GR_FN uint32_t gr_error_bits(gr_candidates c, uint32_t k) {
    if (c.listed)
        return gr_float_bits(gr_error_of(c, c.pool[k]));
    uint32_t bits = gr_float_bits(gr_error_of(c, k)); /* read beside the pool */
    return !c.pool || gr_in_pool(c.pool, k) ? bits : GR_NO_CANDIDATE;
}

/* Candidates that a lane has at a time. */
enum { GR_READ_AT_ONCE = 8 };

/* The errors of the lane's of those from number `first` on, GR_NO_CANDIDATE where there is
 * nobody. */
GR_FN void gr_read_errors(gr_candidates c, uint32_t first, float *error, gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew), own = first + gr_lane_of_crew(crew);
    if (c.listed || c.set || first + GR_READ_AT_ONCE * lanes > c.size) {
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++) {
            uint32_t k = own + n * lanes,
                     bits =
                         gr_error_bits(c, gr_min_u32(k, c.size - 1)); /* read beside the others */
            error[n] = k < c.size ? gr_bits_float(bits) : gr_bits_float(GR_NO_CANDIDATE);
        }
        return;
    }
    GR_TURNS_AT_ONCE(8)
    for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++)
        error[n] = (c.error + own)[n * lanes];
    if (!c.pool)
        return;
    GR_TURNS_AT_ONCE(8)
    for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++)
        error[n] = gr_in_pool(c.pool, own + n * lanes) ? error[n] : gr_bits_float(GR_NO_CANDIDATE);
}

GR_FN float gr_least_error(gr_candidates c, uint32_t *shared, gr_crew crew) {
    uint32_t lanes = gr_lanes_of_crew(crew), least = GR_NO_CANDIDATE;
    float error[GR_READ_AT_ONCE];
    for (uint32_t first = 0; first < c.size; first += GR_READ_AT_ONCE * lanes) {
        gr_read_errors(c, first, error, crew);
        GR_TURNS_AT_ONCE(8)
        for (uint32_t n = 0; n < GR_READ_AT_ONCE; n++)
            least = gr_min_u32(least, gr_float_bits(error[n]));
    }
    return gr_bits_float(gr_least_of_crew(least, shared, crew));
}

/* ---- pools ---- */

/* Words of a pool that a lane group has at a time. */
enum { GR_WORDS_AT_ONCE = 8 };

/* Of words `first` and behind it the lane's, their bits without those that do not pass a bar: a
 * warp's lanes have a word each, one lane has the first. */
GR_FN uint32_t gr_passing_word(gr_candidates c, uint32_t first, float bar, gr_lane_group w) {
    uint32_t words = gr_set_words(c.size), bits = 0,
             pool = c.pool[gr_min_u32(first + w.lane % GR_WORDS_AT_ONCE, words - 1)];
    float error[GR_WORDS_AT_ONCE];
    if (w.width == 1) {
        for (uint32_t left = pool; left; left &= left - 1)
            bits |= c.error[32 * first + gr_lowest_bit(left)] <= bar ? left & (0u - left) : 0;
        return bits;
    }
    uint32_t own = 32 * first + w.lane, whole = 32 * (first + GR_WORDS_AT_ONCE) <= c.size;
    GR_TURNS_AT_ONCE(8) /* read before any is asked; behind the last the last again */
    for (uint32_t n = 0; n < GR_WORDS_AT_ONCE; n++)
        error[n] = whole ? (c.error + own)[32 * n] : c.error[gr_min_u32(own + 32 * n, c.size - 1)];
    GR_TURNS_AT_ONCE(8)
    for (uint32_t n = 0; n < GR_WORDS_AT_ONCE; n++) {
        uint32_t passes = gr_vote(w, error[n] <= bar);
        bits = w.lane == n ? passes : bits;
    }
    return bits & pool;
}

/* Writes those of a pool that pass a bar to a pool, which may be the same; how many these are. */
GR_FN uint32_t gr_pass_pool(gr_candidates c, uint32_t *to, float bar, uint32_t *shared,
                            gr_crew crew) {
    uint32_t count = 0, words = gr_set_words(c.size),
             share = crew.w.width > 1 ? GR_WORDS_AT_ONCE : 1;
    for (uint32_t first = share * crew.number; first < words; first += share * crew.size) {
        uint32_t bits = gr_passing_word(c, first, bar, crew.w);
        if (crew.w.lane < share && first + crew.w.lane < words) {
            to[first + crew.w.lane] = bits;
            count += gr_count_bits(bits);
        }
    }
    gr_meet(crew);
    return gr_sum_of_crew(count, shared, crew);
}

/* How many of a pool are in another, too. */
GR_FN uint32_t gr_count_met(const uint32_t *pool, const uint32_t *other, uint32_t words,
                            gr_lane_group w) {
    uint32_t count = 0;
    GR_TURNS_AT_ONCE(8)
    for (uint32_t word = w.lane; word < words; word += w.width)
        count += gr_count_bits(pool[word] & other[word]);
    return gr_sum_lanes(w, count);
}

/* Whether somebody is in both, from word `first` on. */
GR_FN uint32_t gr_meet_at_all(const uint32_t *pool, const uint32_t *other, uint32_t first,
                              uint32_t words, gr_lane_group w) {
    for (; first < words; first += w.width) {
        uint32_t word = gr_min_u32(first + w.lane, words - 1);
        if (gr_any(w, pool[word] & other[word]))
            return 1;
    }
    return 0;
}

/* Words of a set that a lane has at a time, while it waits for as many: by four, those of lanes
 * side by side. */
enum { GR_FOURS_AT_ONCE = 5 };

typedef struct gr_words_of_set {
    gr_four_words of[GR_FOURS_AT_ONCE];
} gr_words_of_set;

/* The lane's of those from number `first` on, and behind the last 0. */
GR_FN gr_words_of_set gr_read_words(const uint32_t *pool, uint32_t first, uint32_t words,
                                    gr_lane_group w) {
    const gr_four_words none = {{0, 0, 0, 0}};
    gr_words_of_set own;
    GR_TURNS_AT_ONCE(5)
    for (uint32_t n = 0; n < GR_FOURS_AT_ONCE; n++) {
        uint32_t word = first + 4 * (n * w.width + w.lane);
        own.of[n] = word < words ? gr_read_four(pool + word) : none;
    }
    return own;
}

/* Leaves of the first what is in both; whether that is anybody on any lane. */
GR_FN uint32_t gr_meet_words(gr_words_of_set *own, const gr_words_of_set *other, gr_lane_group w) {
    uint32_t some = 0;
    GR_TURNS_AT_ONCE(5)
    for (uint32_t n = 0; n < GR_FOURS_AT_ONCE; n++)
        GR_TURNS_AT_ONCE(4)
    for (uint32_t k = 0; k < 4; k++)
        some |= own->of[n].word[k] &= other->of[n].word[k];
    return gr_any(w, some);
}

/* Bits of many words, counted place by place, since to add three words up takes less than to count
 * the bits of one: those that are left over by ones and by twos, and the fours. */
typedef struct gr_bit_counts {
    uint32_t ones, twos, fours;
} gr_bit_counts;

/* The sum of three bits at each place: how much of it is one, and two. */
GR_FN uint32_t gr_one_of_three(uint32_t a, uint32_t b, uint32_t c) {
    return a ^ b ^ c;
}
GR_FN uint32_t gr_two_of_three(uint32_t a, uint32_t b, uint32_t c) {
    return (a & b) | (a & c) | (b & c);
}
GR_FN void gr_count_four(gr_bit_counts *counts, const uint32_t *word) {
    uint32_t one = gr_one_of_three(word[0], word[1], word[2]),
             two = gr_two_of_three(word[0], word[1], word[2]),
             more = gr_two_of_three(one, word[3], counts->ones);
    counts->ones = gr_one_of_three(one, word[3], counts->ones);
    counts->fours += gr_count_bits(gr_two_of_three(two, more, counts->twos));
    counts->twos = gr_one_of_three(two, more, counts->twos);
}
GR_FN uint32_t gr_counted_bits(const gr_bit_counts *counts) {
    return 4 * counts->fours + 2 * gr_count_bits(counts->twos) + gr_count_bits(counts->ones);
}

/* Writes them to a set, and counts the lane's. */
GR_FN void gr_write_words(uint32_t *to, uint32_t first, uint32_t words, const gr_words_of_set *own,
                          gr_bit_counts *counts, gr_lane_group w) {
    GR_TURNS_AT_ONCE(5)
    for (uint32_t n = 0; n < GR_FOURS_AT_ONCE; n++) {
        uint32_t word = first + 4 * (n * w.width + w.lane);
        if (word < words)
            gr_write_four(to + word, own->of[n]);
        gr_count_four(counts, own->of[n].word);
    }
}

/* Leaves those of a pool that are in another, too, in a third, which may be the first; how many
 * these are. Nothing is written where there is nobody. next: the first words of the other. */
GR_FN uint32_t gr_meet_pools(const uint32_t *pool, const uint32_t *other, gr_words_of_set next,
                             uint32_t *to, uint32_t words, gr_lane_group w) {
    gr_bit_counts counts = {0, 0, 0};
    uint32_t turn = 4 * GR_FOURS_AT_ONCE * w.width;
    for (uint32_t first = 0; first < words; first += turn) {
        gr_words_of_set own = gr_read_words(pool, first, words, w);
        uint32_t some = gr_meet_words(&own, &next, w);
        if (!first && !some && !gr_meet_at_all(pool, other, turn, words, w))
            return 0;
        next = gr_read_words(other, first + turn, words, w);
        gr_write_words(to, first, words, &own, &counts, w);
    }
    gr_sync(w);
    return gr_sum_lanes(w, gr_counted_bits(&counts));
}

/* Adds some. */
GR_FN void gr_put_in_pool(uint32_t *pool, const uint32_t *list, uint32_t count, gr_lane_group w) {
    for (uint32_t k = w.lane; k < count; k += w.width)
        gr_add_bits(&pool[list[k] / 32], 1u << list[k] % 32);
    gr_sync(w);
}

/* ---- lists ---- */

/* Which of a pool: all, those that are in another, too, or those that are not. */
enum { GR_ALL_OF_POOL, GR_MET_OF_POOL, GR_REST_OF_POOL };

GR_FN uint32_t gr_word_of_pool(const uint32_t *pool, const uint32_t *other, uint32_t which,
                               uint32_t word) {
    uint32_t bits = pool[word];
    if (which == GR_ALL_OF_POOL)
        return bits;
    return which == GR_MET_OF_POOL ? bits & other[word] : bits & ~other[word];
}

/* Words of a lane that are told by a bit each, by four. */
enum { GR_FOURS_LISTED = 8, GR_WORDS_LISTED = 4 * GR_FOURS_LISTED };

/* Of the lane's words from number `first` on, by four, those in which somebody is: a bit each.
 * Behind the last there is nobody. */
GR_FN uint32_t gr_words_with_some(const uint32_t *pool, const uint32_t *other, uint32_t which,
                                  uint32_t first, uint32_t words, gr_lane_group w) {
    const gr_four_words none = {{0, 0, 0, 0}};
    uint32_t some = 0;
    GR_TURNS_AT_ONCE(8)
    for (uint32_t n = 0; n < GR_FOURS_LISTED; n++) {
        uint32_t word = first + 4 * (n * w.width + w.lane);
        gr_four_words own = word < words ? gr_read_four(pool + word) : none, its = own;
        if (which != GR_ALL_OF_POOL && word < words)
            its = gr_read_four(other + word);
        GR_TURNS_AT_ONCE(4)
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t bits = own.word[k] & (which == GR_REST_OF_POOL ? ~its.word[k] : its.word[k]);
            some |= (uint32_t)(bits != 0) << (4 * n + k);
        }
    }
    return some;
}

/* Their indices in no order; how many they are. Each lane lists one of its own at a time, so that
 * it is no matter which words they are in. */
GR_FN uint32_t gr_list_pool(const uint32_t *pool, const uint32_t *other, uint32_t which,
                            uint32_t words, uint32_t *list, gr_lane_group w) {
    uint32_t count = 0, before;
    for (uint32_t first = 0; first < words; first += GR_WORDS_LISTED * w.width) {
        uint32_t some = gr_words_with_some(pool, other, which, first, words, w), left = 0, word = 0;
        GR_TURNS_AT_ONCE(1)
        while (gr_any(w, some | left)) {
            if (!left && some) {
                uint32_t n = gr_lowest_bit(some);
                some &= some - 1;
                word = first + 4 * (n / 4 * w.width + w.lane) + n % 4;
                left = gr_word_of_pool(pool, other, which, word);
            }
            uint32_t all = gr_count_before(w, left != 0, &before);
            if (left)
                list[count + before] = 32 * word + gr_lowest_bit(left);
            left &= left - 1;
            count += all;
        }
    }
    gr_sync(w);
    return count;
}
/* The same where that is rare, so that its code stands there once. */
GR_CALL uint32_t gr_list_rarely(const uint32_t *pool, const uint32_t *other, uint32_t which,
                                uint32_t words, uint32_t *list, gr_lane_group w) {
    return gr_list_pool(pool, other, which, words, list, w);
}

/* Individuals of a list that a lane has at a time. */
enum { GR_OF_LIST = 8 };

typedef struct gr_listed_errors {
    uint32_t index[GR_OF_LIST];
    float error[GR_OF_LIST];
} gr_listed_errors;

/* The lane's of those from number `first` on, and behind the last the last again. c: that list, or
 * all of as many errors, which are in its order. */
GR_FN void gr_read_list(gr_candidates c, const uint32_t *list, uint32_t first,
                        gr_listed_errors *own, gr_lane_group w) {
    GR_TURNS_AT_ONCE(8)
    for (uint32_t n = 0; n < GR_OF_LIST; n++) {
        uint32_t k = gr_min_u32(first + n * w.width + w.lane, c.size - 1);
        own->index[n] = list[k];
        own->error[n] = gr_error_of(c, c.listed ? own->index[n] : k);
    }
}

/* Puts those that pass a bar behind the `count` of the list that are left; how many are left. */
GR_FN uint32_t gr_keep_passing(const gr_listed_errors *own, uint32_t *list, uint32_t first,
                               uint32_t size, float bar, uint32_t count, gr_lane_group w) {
    uint32_t before;
    gr_sync(w); /* all have read where some write */
    GR_TURNS_AT_ONCE(8)
    for (uint32_t n = 0; n < GR_OF_LIST; n++) {
        uint32_t passes = first + n * w.width + w.lane < size && own->error[n] <= bar,
                 all = gr_count_before(w, passes, &before);
        if (passes)
            list[count + before] = own->index[n];
        count += all;
    }
    return count;
}

/* Leaves those of a list that pass a bar; how many are left, 0 where the list is as it was. c: see
 * above. above_least: the bar stands so much above the least of their errors. */
GR_FN uint32_t gr_pass_list(gr_candidates c, uint32_t *list, float bar, uint32_t above_least,
                            gr_lane_group w) {
    gr_listed_errors own = {{0}, {0.0f}};
    uint32_t share = GR_OF_LIST * w.width, least = GR_NO_CANDIDATE, count = 0, first;
    /* first the least is looked for; if one turn is enough, their errors are still here then */
    for (uint32_t known = !above_least; known < 2; known++) {
        for (first = 0; first < c.size; first += share) {
            if (!known || !above_least || c.size > share)
                gr_read_list(c, list, first, &own, w);
            if (known)
                count = gr_keep_passing(&own, list, first, c.size, bar, count, w);
            GR_TURNS_AT_ONCE(8)
            for (uint32_t n = 0; !known && n < GR_OF_LIST; n++)
                least = gr_min_u32(least, gr_float_bits(own.error[n]));
        }
        if (!known)
            bar += gr_bits_float(gr_least_lane(w, least));
    }
    gr_sync(w);
    return count;
}

#endif
