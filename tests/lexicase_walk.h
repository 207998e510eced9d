/* Lexicase selection as a plain walk over lists, which is what it means, for tests that hold
 * parents of gpu/core/lexicase to it; and what these need of a generation's errors beforehand. */
#ifndef GRAMPUS_TESTS_LEXICASE_WALK_H
#define GRAMPUS_TESTS_LEXICASE_WALK_H

#include <math.h>
#include <stdlib.h>

#include "gpu/core/lexicase/lexicase.h"
#include "tests/core.h"

enum { WALK_MOST = 9000 }; /* individuals of a deme */

/* A walk: the generation whose errors are looked at, its rows; deviations, where they are kept,
 * [row][deme] of all candidates, negative: not found yet. */
typedef struct walk_of {
    const core *c;
    uint32_t generation, rows;
    float *deviations; /* or NULL */
} walk_of;

/* ---- who stands for whom ---- */

static const walk_of *walk_sorted;

static int walk_by_key(const void *a, const void *b) {
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    uint64_t x = gr_case_key(&walk_sorted->c->s, walk_sorted->generation, i),
             y = gr_case_key(&walk_sorted->c->s, walk_sorted->generation, k);
    return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

/* What sorting by hashes of errors leaves, and who has the same errors as who. */
__attribute__((unused)) static void walk_find_same(const walk_of *w) {
    const gr_state *s = &w->c->s;
    uint32_t n = s->p.individuals, *order = s->case_order[1];
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    walk_sorted = w;
    qsort(order, n, sizeof *order, walk_by_key);
    for (uint32_t place = 0; place < n; place++)
        s->case_keys[1][place] = gr_case_key(s, w->generation, order[place]);
    for (uint32_t place = 0; place < n; place++)
        gr_find_same(s, place);
}

/* ---- medians ---- */

static int walk_by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Of n numbers, which are sorted. */
static float walk_median(float *v, uint32_t n) {
    qsort(v, n, sizeof *v, walk_by_value);
    return 0.5f * v[(n - 1) / 2] + 0.5f * v[n / 2];
}

/* Median absolute deviation of the errors of n individuals. */
static float walk_deviation(const float *error, const uint32_t *of, uint32_t n) {
    static float v[WALK_MOST];
    for (uint32_t k = 0; k < n; k++)
        v[k] = error[of[k]];
    float middle = walk_median(v, n);
    if (!(middle < GR_INFINITY))
        return 0.0f;
    for (uint32_t k = 0; k < n; k++)
        v[k] = fabsf(error[of[k]] - middle);
    float spread = walk_median(v, n);
    return spread < GR_INFINITY ? spread : 0.0f;
}

static float walk_least(const float *error, const uint32_t *of, uint32_t n) {
    float found = GR_INFINITY;
    for (uint32_t k = 0; k < n; k++)
        found = fminf(found, error[of[k]]);
    return found;
}

/* ---- the walk ---- */

/* Those who may be parents, or are left. */
typedef struct walk_list {
    uint32_t of[WALK_MOST], count;
} walk_list;

static void walk_list_candidates(const walk_of *w, uint32_t deme, walk_list *all) {
    const gr_state *s = &w->c->s;
    const gr_individual *individual =
        s->individuals[w->generation & 1] + (size_t)deme * s->p.population;
    all->count = 0;
    for (uint32_t i = 0; i < s->p.population; i++)
        if (!gr_leaves_out(s, deme) || individual[i].validity == GR_VALID)
            all->of[all->count++] = i;
}

static float walk_deviation_of_all(const walk_of *w, uint32_t deme, uint32_t row,
                                   const float *error, const walk_list *all) {
    float *kept = w->deviations ? &w->deviations[row * gr_demes(&w->c->s.p) + deme] : NULL;
    float found = kept && *kept >= 0.0f ? *kept : walk_deviation(error, all->of, all->count);
    if (kept)
        *kept = found;
    return found;
}

/* The largest error that passes. */
static float walk_bar(const walk_of *w, uint32_t deme, uint32_t row, const float *error,
                      const walk_list *all, const walk_list *left) {
    switch (w->c->s.p.epsilon) {
    case GR_EPSILON_STATIC:
        return walk_least(error, all->of, all->count) +
               walk_deviation_of_all(w, deme, row, error, all);
    case GR_EPSILON_SEMI_DYNAMIC:
        return walk_least(error, left->of, left->count) +
               walk_deviation_of_all(w, deme, row, error, all);
    case GR_EPSILON_DYNAMIC:
        return walk_least(error, left->of, left->count) +
               walk_deviation(error, left->of, left->count);
    default:
        return walk_least(error, left->of, left->count);
    }
}

/* Parent k of a deme, by all rows in the order of its stream. */
__attribute__((unused)) static uint32_t walk_parent(const walk_of *w, uint32_t deme, uint32_t k) {
    static walk_list all, left, passed;
    const gr_params *p = &w->c->s.p;
    gr_random r = gr_stream(p, k % 2 ? GR_PURPOSE_LEXICASE_SECOND : GR_PURPOSE_LEXICASE,
                            w->generation + 1, deme, k / 2 * 4);
    walk_list_candidates(w, deme, &all);
    left = all;
    for (uint32_t x = 0; x < w->rows && left.count > 1; x++) {
        uint32_t row = gr_permuted_by(&r, w->rows, x, 0);
        const float *error =
            w->c->s.case_errors + (size_t)row * p->individuals + (size_t)deme * p->population;
        float bar = walk_bar(w, deme, row, error, &all, &left);
        passed.count = 0;
        for (uint32_t i = 0; i < left.count; i++)
            if (error[left.of[i]] <= bar)
                passed.of[passed.count++] = left.of[i];
        if (passed.count)
            left = passed;
    }
    uint64_t word = gr_draw_block(&r, 1u << 31).word[0];
    return left.of[word * left.count >> 32];
}

#endif
