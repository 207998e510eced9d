/* Ranks of cells over the seeds, or over blocks: Friedman's test, or why there is none. */
#include "host/base/text.h"
#include "host/experiment/compare.h"
#include "host/experiment/groups.h"
#include "host/inference/inference.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Treatments in blocks, the lowest value the best. */
typedef struct design {
    uint32_t treatments, blocks;
    const char **treatment; /* [treatments] */
    double *value;          /* [blocks][treatments] */
    char why[GR_WHY];       /* there is no test */
} design;

/* Says why there is no test: 0. */
static __attribute__((format(printf, 2, 3))) int no_test(design *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(d->why, sizeof d->why, format, arguments);
    va_end(arguments);
    return 0;
}

/* The place of a text among those so far, which it joins. */
static uint32_t place_of(const char **text, uint32_t *count, const char *one) {
    uint32_t at = 0;
    while (at < *count && strcmp(text[at], one) != 0)
        at++;
    if (at == *count)
        text[(*count)++] = one;
    return at;
}

/* Whether the cells of every block have one metric: values of two have no order. */
static int has_metric_by_block(const gr_groups *all) {
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(all->group[i].block, all->group[k].block) == 0 &&
                strcmp(all->group[i].metric, all->group[k].metric) != 0)
                return 0;
    return 1;
}

/* Medians of cells by the blocks that the file names. */
static int fill_blocks(const gr_groups *all, int measure, design *d, const char **block,
                       double *scratch) {
    uint32_t cells = all->count, filled = 0;
    for (uint32_t i = 0; i < cells; i++) {
        place_of(d->treatment, &d->treatments, all->group[i].treatment);
        place_of(block, &d->blocks, all->group[i].block);
    }
    if ((uint64_t)d->treatments * d->blocks != cells)
        return no_test(d,
                       "%u treatment%s in %u blocks, of which %u cells are done; expected one "
                       "for every treatment and block",
                       d->treatments, gr_s(d->treatments), d->blocks, cells);
    if (!has_metric_by_block(all))
        return no_test(d, "a block has several metrics; expected one");
    for (uint32_t i = 0; i < cells; i++)
        d->value[i] = (double)NAN;
    for (uint32_t i = 0; i < cells; i++) {
        const gr_group *g = &all->group[i];
        uint32_t t = place_of(d->treatment, &d->treatments, g->treatment);
        uint32_t b = place_of(block, &d->blocks, g->block);
        double *to = &d->value[(size_t)b * d->treatments + t];
        filled += g->n[measure] && isnan(*to) ? 1 : 0;
        *to = g->n[measure] ? gr_group_median(g, measure, scratch) : (double)NAN;
    }
    return filled == cells ||
           no_test(d, "a treatment has no value, or no cell, in one of the blocks");
}

/* 1; 0: there is no test; -1: no memory. */
static int design_by_blocks(const gr_groups *all, int measure, design *d) {
    size_t most = 1;
    for (uint32_t i = 0; i < all->count; i++)
        most = all->group[i].runs > most ? all->group[i].runs : most;
    const char **block = malloc(all->count * sizeof *block);
    double *scratch = malloc(most * sizeof *scratch);
    int good = block && scratch ? fill_blocks(all, measure, d, block, scratch) : -1;
    free(scratch);
    free(block);
    return good;
}

/* Whether the runs of a cell pair with those of the first one. */
static int pairs_with(const gr_group *g, const gr_group *first, int measure, design *d) {
    long long cell = (long long)g->place, other = (long long)first->place;
    if (strcmp(g->problem, first->problem) != 0)
        return no_test(d,
                       "cell %lld has another problem than cell %lld; expected `blocks` to name "
                       "what problems differ by",
                       cell, other);
    if (g->runs != first->runs)
        return no_test(d, "cell %lld has %u run%s, cell %lld %u; expected as many", cell, g->runs,
                       gr_s(g->runs), other, first->runs);
    if (!g->seed || !first->seed || strcmp(g->seed, first->seed) != 0)
        return no_test(d, "cell %lld has other seeds than cell %lld; expected the same", cell,
                       other);
    return g->n[measure] == g->runs ||
           no_test(d, "cell %lld has no value in %u of %u runs; expected one in all", cell,
                   g->runs - g->n[measure], g->runs);
}

/* Runs with the same seeds are a block; first all are looked at: `value` has room for as many runs
 * as there are, which are fewer than a block for each of the first cell's where others have fewer.
 */
static int design_by_seeds(const gr_groups *all, int measure, design *d) {
    const gr_group *first = all->group;
    d->treatments = all->count;
    d->blocks = first->runs;
    for (uint32_t i = 0; i < all->count; i++)
        if (!pairs_with(&all->group[i], first, measure, d))
            return 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const gr_group *g = &all->group[i];
        d->treatment[i] = g->label;
        for (uint32_t r = 0; r < g->runs; r++)
            d->value[(size_t)r * all->count + i] =
                g->maximised ? -gr_group_values(g, measure)[r] : gr_group_values(g, measure)[r];
    }
    return 1;
}

static gr_status put_rank_pairs(const gr_groups *all, const char *measure, const design *d,
                                const double *rank, gr_error *error) {
    static const char sql[] = "INSERT INTO rank_comparisons VALUES (?,?,?,?,?,?,?)";
    uint32_t k = d->treatments, count = k * (k - 1) / 2, at = 0;
    double *p = malloc((4 * (size_t)count + 1) * sizeof *p), *z = p + count, *holm = z + count,
           *shaffer = holm + count;
    if (!p)
        return gr_fail(error, GR_NO_MEMORY, "no memory to compare %u treatment%s", k, gr_s(k));
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = a + 1; b < k; b++, at++)
            z[at] = gr_rank_z(rank[a], rank[b], d->blocks, k, &p[at]);
    gr_status status =
        gr_holm(p, count, holm) && gr_shaffer(p, k, shaffer)
            ? GR_OK
            : gr_fail(error, GR_NO_MEMORY, "no memory to compare %u treatment%s", k, gr_s(k));
    at = 0;
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = a + 1; !status && b < k; b++, at++)
            status = gr_tables_put(all->tables, error, sql, "tttrrrr", measure, d->treatment[a],
                                   d->treatment[b], z[at], p[at], holm[at], shaffer[at]);
    free(p);
    return status;
}

static gr_status put_ranks(const gr_groups *all, const char *measure, const design *d,
                           gr_error *error) {
    static const char of_one[] = "INSERT INTO ranks VALUES (?,?,?)";
    static const char of_all[] = "INSERT INTO rank_tests VALUES (?,?,?,?,?,?,?)";
    double *rank = malloc(d->treatments * sizeof *rank);
    gr_friedman test;
    gr_status status = GR_OK;
    if (!rank || !gr_friedman_test(d->value, d->blocks, d->treatments, rank, &test))
        status = gr_fail(error, GR_NO_MEMORY, "no memory to compare %u treatment%s", d->treatments,
                         gr_s(d->treatments));
    for (uint32_t t = 0; !status && t < d->treatments; t++)
        status =
            gr_tables_put(all->tables, error, of_one, "ttr", measure, d->treatment[t], rank[t]);
    if (!status)
        status = gr_tables_put(all->tables, error, of_all, "tiirrrr", measure, (int64_t)d->blocks,
                               (int64_t)d->treatments, test.chi2, test.p, test.f, test.p_f);
    if (!status)
        status = put_rank_pairs(all, measure, d, rank, error);
    free(rank);
    return status;
}

static int is_by_blocks(const gr_groups *all) {
    return *all->group->treatment || *all->group->block;
}

/* 1; 0: there is no test; -1: no memory. */
static int make_design(const gr_groups *all, int measure, design *d) {
    if (all->count < 2)
        return no_test(d, "one cell is done; expected two or more");
    if (all->count > GR_PAIRED_CELLS)
        return no_test(d, "%u cells are done; expected at most %d", all->count, GR_PAIRED_CELLS);
    int by_blocks = is_by_blocks(all),
        good = by_blocks ? design_by_blocks(all, measure, d) : design_by_seeds(all, measure, d);
    if (good != 1)
        return good;
    if (d->treatments < 2)
        return no_test(d,
                       "one treatment; expected two or more, settings that vary beside `blocks`");
    if (d->blocks < 2 && by_blocks)
        return no_test(d, "one block; expected two or more");
    return d->blocks > 1 || no_test(d, "one run a cell; expected two or more");
}

static gr_status open_design(const gr_groups *all, int measure, design *d, gr_error *error) {
    size_t values = all->count;
    for (uint32_t i = 0; i < all->count; i++)
        values += all->group[i].runs;
    *d = (design){.treatment = malloc((all->count + (size_t)1) * sizeof *d->treatment),
                  .value = malloc((values + 1) * sizeof *d->value)};
    return d->treatment && d->value && make_design(all, measure, d) >= 0
               ? GR_OK
               : gr_fail(error, GR_NO_MEMORY, "no memory to compare %u cell%s", all->count,
                         gr_s(all->count));
}

static void close_design(design *d) {
    free(d->treatment);
    free(d->value);
}

gr_status gr_compare_ranks(const gr_groups *all, gr_error *error) {
    gr_status status = GR_OK;
    for (int m = GR_BY_FITNESS; !status && m <= GR_BY_TEST; m++) {
        design d;
        status = open_design(all, m, &d, error);
        if (!status && !*d.why)
            status = put_ranks(all, gr_measure_names[m], &d, error);
        close_design(&d);
    }
    return status;
}

/* ---- why there are none ---- */

static gr_status mark_measure(void *context, sqlite3_stmt *row, gr_error *error) {
    uint8_t *there = context;
    (void)error;
    for (int m = GR_BY_FITNESS; m <= GR_BY_TEST; m++)
        there[m] |= strcmp((const char *)sqlite3_column_text(row, 0), gr_measure_names[m]) == 0;
    return GR_OK;
}

static gr_status say_why(const gr_groups *all, int measure, char why[GR_WHY], gr_error *error) {
    design d;
    uint32_t some = 0;
    for (uint32_t i = 0; i < all->count; i++)
        some |= all->group[i].n[measure];
    if (!some)
        return GR_OK;
    gr_status status = open_design(all, measure, &d, error);
    if (!status && !*d.why) /* the process was killed */
        no_test(&d, "cells were not compared when they were done; expected the experiment to be "
                    "started again");
    strcpy(why, d.why);
    close_design(&d);
    return status;
}

gr_status gr_why_no_ranks(gr_tables *tables, gr_no_ranks *none, gr_error *error) {
    gr_groups all = {.tables = tables};
    uint8_t there[GR_MEASURES] = {0};
    *none =
        (gr_no_ranks){.measure = {gr_measure_names[GR_BY_FITNESS], gr_measure_names[GR_BY_TEST]}};
    gr_status status =
        gr_tables_query(tables, "SELECT measure FROM rank_tests", 0, mark_measure, there, error);
    if (!status)
        status = gr_groups_read(&all, error);
    for (int m = GR_BY_FITNESS; !status && m <= GR_BY_TEST; m++)
        if (!there[m])
            status = say_why(&all, m, none->why[m], error);
    gr_groups_free(&all);
    return status;
}
