/* Individuals of a deme with the same errors in all rows (case_errors.h): they pass or fail
 * together. On the way to a parent the first of them stands for all, so that candidates are
 * different ones; at its end a parent is drawn from all that those who are left stand for.
 *
 * They are found by sorting hashes of 64 bits; errors are not compared. With dynamic epsilon, the
 * deviation of all who are left, everybody stands for himself. */
#ifndef GR_SAME_ERRORS_H
#define GR_SAME_ERRORS_H

#include "gpu/core/lexicase/candidates.h"
#include "gpu/core/selection/parent_selection.h"

/* Of an individual that stands for others: where these begin in `case_order`, and how many they
 * are, itself the first. */
typedef struct gr_same {
    uint32_t first, count;
} gr_same;

/* What individual i is sorted by: the same for those who pass or fail together, and no others.
 * Individuals that may not be chosen are apart. */
GR_FN uint64_t gr_case_key(const gr_state *s, uint32_t generation, uint32_t i) {
    uint32_t deme = i / s->p.population;
    uint32_t out = s->individuals[generation & 1][i].validity != GR_VALID && gr_leaves_out(s, deme);
    if (s->p.epsilon == GR_EPSILON_DYNAMIC)
        return i;
    return out ? ~s->behaviours[i] : s->behaviours[i];
}

/* The first place, of all individuals in the order of key and index, of one with this key whose
 * index is at least `index`, or with a larger key. */
GR_FN uint32_t gr_place_of(const gr_state *s, uint64_t key, uint32_t index) {
    uint32_t low = 0, high = s->p.individuals;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint64_t own = s->case_keys[1][middle];
        if (own < key || (own == key && s->case_order[1][middle] < index))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Who stands for the individual at a place of that order, and, where it does so itself, for whom.
 */
GR_FN void gr_find_same(const gr_state *s, uint32_t place) {
    uint32_t i = s->case_order[1][place], population = s->p.population, deme = i / population;
    uint64_t key = s->case_keys[1][place];
    uint32_t first = gr_place_of(s, key, deme * population);
    s->case_stands[i] = s->case_order[1][first] - deme * population;
    if (first == place)
        s->case_same[i] =
            (gr_same){place, gr_place_of(s, key, deme * population + population) - place};
}

/* ---- sets of a deme's individuals ---- */

/* All who may be chosen, and those of them who stand for others or themselves. */
GR_FN uint32_t *gr_choosable(const gr_state *s, uint32_t deme) {
    return s->case_choosable + (size_t)deme * gr_pool_words(&s->p);
}
GR_FN uint32_t *gr_different(const gr_state *s, uint32_t deme) {
    return s->case_different + (size_t)deme * gr_pool_words(&s->p);
}

/* Word `word` of both; the lanes share the individuals. */
GR_FN void gr_find_different(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t word,
                             gr_lane_group w) {
    const gr_params *p = &s->p;
    size_t at = (size_t)deme * p->population + 32 * word;
    const gr_individual *individual = s->individuals[generation & 1] + at;
    uint32_t left = p->population - gr_min_u32(32 * word, p->population),
             excludes = gr_leaves_out(s, deme), all = 0, first = 0;
    for (uint32_t k = w.lane; k < 32 && k < left; k += w.width) {
        uint32_t may = !excludes || individual[k].validity == GR_VALID;
        all |= may << k;
        first |= (uint32_t)(may && s->case_stands[at + k] == 32 * word + k) << k;
    }
    all = gr_or_lanes(w, all);
    first = gr_or_lanes(w, first);
    if (w.lane == 0) {
        gr_choosable(s, deme)[word] = all;
        gr_different(s, deme)[word] = first;
    }
}

/* ---- those that some stand for ---- */

/* For how many an individual stands, and for how many of these up to index `last`: no fewer than
 * `low`, and no more than `high`. */
GR_FN uint32_t gr_count_same(const gr_state *s, uint32_t deme, uint32_t k) {
    return s->case_same[(size_t)deme * s->p.population + k].count;
}
GR_FN uint32_t gr_count_same_until(const gr_state *s, uint32_t deme, uint32_t k, uint32_t last,
                                   uint32_t low, uint32_t high) {
    const uint32_t *order =
        s->case_order[1] + s->case_same[(size_t)deme * s->p.population + k].first;
    uint32_t until = deme * s->p.population + last;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (order[middle] <= until)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Words that are kept of an individual while one of many is looked for: how many of its same are
 * before that one, at least and at most, and by the last guess. */
enum { GR_SAME_LEAST, GR_SAME_MOST, GR_SAME_GUESS, GR_SAME_WORDS };

/* Number `chosen`, from 0, of those that a list's individuals stand for, in their order. kept:
 * [GR_DIGITS], for so many that every guess need not begin with all of their same again. */
GR_FN uint32_t gr_same_of_list(const gr_state *s, uint32_t deme, const uint32_t *list,
                               uint32_t count, uint32_t chosen, uint32_t *kept, gr_lane_group w) {
    uint32_t low = 0, high = s->p.population - 1, keeps = count <= GR_DIGITS / GR_SAME_WORDS;
    if (count == 1)
        return s->case_order[1][s->case_same[(size_t)deme * s->p.population + list[0]].first +
                                chosen] -
               deme * s->p.population;
    for (uint32_t k = w.lane; keeps && k < count; k += w.width) {
        kept[k * GR_SAME_WORDS + GR_SAME_LEAST] = 0;
        kept[k * GR_SAME_WORDS + GR_SAME_MOST] = gr_count_same(s, deme, list[k]);
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, until = 0;
        for (uint32_t k = w.lane; k < count; k += w.width) {
            uint32_t *own = kept + k * GR_SAME_WORDS, guess = 0; /* this lane's alone */
            if (list[k] <= middle)
                guess = gr_count_same_until(
                    s, deme, list[k], middle, keeps ? own[GR_SAME_LEAST] : 0,
                    keeps ? own[GR_SAME_MOST] : gr_count_same(s, deme, list[k]));
            if (keeps)
                own[GR_SAME_GUESS] = guess;
            until += guess;
        }
        uint32_t above = gr_sum_lanes(w, until) <= chosen;
        for (uint32_t k = w.lane; keeps && k < count; k += w.width)
            kept[k * GR_SAME_WORDS + (above ? GR_SAME_LEAST : GR_SAME_MOST)] =
                kept[k * GR_SAME_WORDS + GR_SAME_GUESS];
        low = above ? middle + 1 : low;
        high = above ? high : middle;
    }
    return low;
}

/* Number `chosen`, from 0, of so few numbers in their order, which all differ. */
GR_FN uint32_t gr_number_of(const uint32_t *numbers, uint32_t count, uint32_t chosen,
                            gr_lane_group w) {
    uint32_t found = 0;
    for (uint32_t k = w.lane; k < count; k += w.width) {
        uint32_t own = numbers[k], before = 0;
        GR_TURNS_AT_ONCE(4)
        for (uint32_t n = 0; n < count; n++)
            before += numbers[n] < own;
        found = before == chosen ? own : found;
    }
    return gr_or_lanes(w, found);
}

/* As gr_same_of_list, where they stand for `all`, of which there are so few that all are put in
 * order. */
GR_FN uint32_t gr_same_of_few(const gr_state *s, uint32_t deme, const uint32_t *list,
                              uint32_t count, uint32_t all, uint32_t chosen, uint32_t *kept,
                              gr_lane_group w) {
    for (uint32_t from = 0, before = 0; from < count; from += w.width) {
        gr_same same = {0, 0};
        if (from + w.lane < count)
            same = s->case_same[(size_t)deme * s->p.population + list[from + w.lane]];
        uint32_t at = before + gr_sum_before(w, same.count);
        for (uint32_t n = 0; n < same.count; n++)
            kept[at + n] = s->case_order[1][same.first + n];
        before += gr_sum_lanes(w, same.count);
    }
    gr_sync(w);
    return gr_number_of(kept, all, chosen, w) - deme * s->p.population;
}
/* So few, of one lane and of many; no more than GR_DIGITS. */
GR_FN uint32_t gr_few_same(gr_lane_group w) {
    return 16 + 3 * w.width;
}

/* The same of a pool. */
GR_FN uint32_t gr_same_of_pool(const gr_state *s, uint32_t deme, const uint32_t *pool,
                               uint32_t chosen, gr_lane_group w) {
    const uint32_t *stands = s->case_stands + (size_t)deme * s->p.population;
    for (uint32_t first = 0; first < s->p.population; first += w.width) {
        uint32_t k = first + w.lane, before,
                 in = k < s->p.population && gr_in_pool(gr_choosable(s, deme), k) &&
                      gr_in_pool(pool, stands[k]),
                 all = gr_count_before(w, in, &before);
        if (chosen < all)
            return gr_or_lanes(w, in && before == chosen ? k : 0);
        chosen -= all;
    }
    return 0;
}

/* A random one of those that a list's or a pool's individuals stand for. kept: [GR_DIGITS]. */
GR_FN uint32_t gr_draw_same(const gr_state *s, uint32_t deme, const uint32_t *candidates,
                            uint32_t listed, uint32_t count, uint32_t word, uint32_t *kept,
                            gr_lane_group w) {
    uint32_t all = 0;
    if (!count)
        return 0;
    if (listed)
        for (uint32_t k = w.lane; k < count; k += w.width)
            all += gr_count_same(s, deme, candidates[k]);
    else
        for (uint32_t k = w.lane; k < s->p.population; k += w.width)
            all += gr_in_pool(candidates, k) ? gr_count_same(s, deme, k) : 0;
    all = gr_sum_lanes(w, all);
    uint32_t chosen = gr_scale(word, all);
    if (listed && count > 1 && all <= gr_few_same(w))
        return gr_same_of_few(s, deme, candidates, count, all, chosen, kept, w);
    return listed ? gr_same_of_list(s, deme, candidates, count, chosen, kept, w)
                  : gr_same_of_pool(s, deme, candidates, chosen, w);
}

#endif
