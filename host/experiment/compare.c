#include "host/experiment/compare.h"

#include "host/base/text.h"
#include "host/experiment/groups.h"
#include "host/inference/inference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double level = 0.05; /* of letters */

/* ---- pairs ---- */

typedef struct pair {
    uint32_t a, b;
    double statistic, effect, p, holm;
} pair;

typedef struct pairs {
    uint32_t count;
    pair *pair;
} pairs;

static int comparable(const gr_groups *all, uint32_t a, uint32_t b) {
    return strcmp(all->group[a].problem, all->group[b].problem) == 0 &&
           (a == 0 || all->count <= GR_PAIRED_CELLS);
}

static int test_pair(const gr_groups *all, int measure, pair *one) {
    const gr_group *a = &all->group[one->a], *b = &all->group[one->b];
    gr_mann_whitney test;
    if (measure == GR_MEASURES) { /* solved */
        one->statistic = a->solved;
        one->p = gr_fisher_test(a->solved, a->runs, b->solved, b->runs, &one->effect);
        return 1;
    }
    int higher = a->maximised && (measure == GR_BY_FITNESS || measure == GR_BY_TEST);
    if (!gr_mann_whitney_test(gr_group_values(a, measure), a->n[measure],
                              gr_group_values(b, measure), b->n[measure], &test))
        return 0;
    one->statistic = test.u;
    one->effect = higher ? 1.0 - test.lower : test.lower;
    one->p = test.p;
    return 1;
}

static int has_measure(const gr_group *g, int measure) {
    return measure == GR_MEASURES ? g->has_target && g->runs : g->n[measure] > 0;
}

/* All pairs of cells by a measure, or by `solved` (GR_MEASURES). */
static int test_pairs(const gr_groups *all, int measure, pairs *found) {
    size_t room = 0;
    *found = (pairs){0};
    for (uint32_t a = 0; a < all->count; a++)
        for (uint32_t b = a + 1; b < all->count; b++) {
            if (!comparable(all, a, b) || !has_measure(&all->group[a], measure) ||
                !has_measure(&all->group[b], measure))
                continue;
            if (found->count == room) {
                room = room ? 2 * room : 64;
                pair *more = realloc(found->pair, room * sizeof *more);
                if (!more)
                    return 0;
                found->pair = more;
            }
            pair *one = &found->pair[found->count++];
            *one = (pair){.a = a, .b = b};
            if (!test_pair(all, measure, one))
                return 0;
        }
    double *p = malloc((2 * (size_t)found->count + 1) * sizeof *p);
    for (uint32_t i = 0; p && i < found->count; i++)
        p[i] = found->pair[i].p;
    int good = p && gr_holm(p, found->count, p + found->count);
    for (uint32_t i = 0; good && i < found->count; i++)
        found->pair[i].holm = p[found->count + i];
    free(p);
    return good;
}

static gr_status put_pairs(const gr_groups *all, int measure, const pairs *found, gr_error *error) {
    static const char sql[] = "INSERT INTO comparisons VALUES (?,?,?,?,?,?,?,?,?,?)";
    gr_status status = GR_OK;
    for (uint32_t i = 0; !status && i < found->count; i++) {
        const pair *one = &found->pair[i];
        const gr_group *a = &all->group[one->a], *b = &all->group[one->b];
        int solved = measure == GR_MEASURES;
        status = gr_tables_put(all->tables, error, sql, "ttiiiirrrr",
                               solved ? "solved" : gr_measure_names[measure],
                               solved ? "fisher" : "mann-whitney", a->id, b->id,
                               (int64_t)(solved ? a->runs : a->n[measure]),
                               (int64_t)(solved ? b->runs : b->n[measure]), one->statistic,
                               one->effect, one->p, one->holm);
    }
    return status;
}

/* ---- letters ---- */

typedef struct ordered {
    uint32_t at; /* group */
    double median;
} ordered;

static int compare_medians(const void *a, const void *b) {
    const ordered *x = a, *y = b;
    if (x->median < y->median || x->median > y->median)
        return x->median < y->median ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The cells that share the problem of `first`, the best one first; how many, 0: too many. */
static uint32_t order_cells(const gr_groups *all, uint32_t first, int measure, ordered *order) {
    uint32_t count = 0;
    for (uint32_t i = first; i < all->count; i++) {
        const gr_group *g = &all->group[i];
        double *scratch = malloc((g->runs + (size_t)1) * sizeof *scratch);
        if (!scratch)
            return 0;
        if (has_measure(g, measure) && strcmp(g->problem, all->group[first].problem) == 0) {
            if (count == GR_LETTERED)
                count = UINT32_MAX;
            else if (count < GR_LETTERED)
                order[count++] = (ordered){i, gr_group_median(g, measure, scratch)};
        }
        free(scratch);
        if (count > GR_LETTERED)
            return 0;
    }
    qsort(order, count, sizeof *order, compare_medians);
    return count;
}

static gr_status put_letters_of(const gr_groups *all, int measure, const pairs *found,
                                uint32_t first, gr_error *error) {
    static const char sql[] = "UPDATE outcomes SET letters = ?3 WHERE cell = ?1 AND measure = ?2";
    ordered order[GR_LETTERED];
    uint8_t differs[GR_LETTERED * GR_LETTERED] = {0};
    char letters[GR_LETTERED][GR_LETTERS];
    uint32_t k = order_cells(all, first, measure, order);
    gr_status status = GR_OK;
    for (uint32_t i = 0; i < found->count; i++) {
        const pair *one = &found->pair[i];
        uint32_t a = 0, b = 0;
        while (a < k && order[a].at != one->a)
            a++;
        while (b < k && order[b].at != one->b)
            b++;
        if (a < k && b < k)
            differs[a * k + b] = differs[b * k + a] = one->holm < level;
    }
    if (k < 2 || !gr_letters(differs, k, letters))
        return GR_OK;
    for (uint32_t i = 0; !status && i < k; i++)
        status = gr_tables_put(all->tables, error, sql, "itt", all->group[order[i].at].id,
                               gr_measure_names[measure], letters[i]);
    return status;
}

static gr_status put_letters(const gr_groups *all, int measure, const pairs *found,
                             gr_error *error) {
    gr_status status = GR_OK;
    if (all->count > GR_PAIRED_CELLS)
        return GR_OK;
    for (uint32_t i = 0; !status && i < all->count; i++) {
        uint32_t first = 0;
        while (strcmp(all->group[first].problem, all->group[i].problem) != 0)
            first++;
        if (first == i)
            status = put_letters_of(all, measure, found, i, error);
    }
    return status;
}

static gr_status compare_pairs(const gr_groups *all, gr_error *error) {
    gr_status status = GR_OK;
    for (int m = 0; !status && m <= GR_MEASURES; m++) {
        pairs found;
        if (!test_pairs(all, m, &found))
            status = gr_fail(error, GR_NO_MEMORY, "no memory to compare %u cell%s", all->count,
                             gr_s(all->count));
        if (!status)
            status = put_pairs(all, m, &found, error);
        if (!status && m < GR_MEASURES)
            status = put_letters(all, m, &found, error);
        free(found.pair);
    }
    return status;
}

/* ---- all of it ---- */

static gr_status forget(gr_tables *tables, gr_error *error) {
    static const char *const sql[] = {
        "DELETE FROM comparisons", "DELETE FROM ranks", "DELETE FROM rank_tests",
        "DELETE FROM rank_comparisons",
        "UPDATE outcomes SET letters = NULL WHERE letters IS NOT NULL"};
    gr_status status = GR_OK;
    for (size_t k = 0; !status && k < sizeof sql / sizeof *sql; k++)
        status = gr_tables_put(tables, error, sql[k], "");
    return status;
}

gr_status gr_compare(gr_tables *tables, gr_error *error) {
    gr_groups all = {.tables = tables};
    gr_status status = gr_tables_begin(tables, error);
    if (status)
        return status;
    status = forget(tables, error);
    if (!status)
        status = gr_groups_read(&all, error);
    if (!status)
        status = compare_pairs(&all, error);
    if (!status)
        status = gr_compare_ranks(&all, error);
    gr_groups_free(&all);
    return gr_tables_end(tables, status, error);
}
