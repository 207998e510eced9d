#include "host/experiment/compare.h"

#include "host/inference/inference.h"
#include "host/inference/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What cells are compared by. */
enum { FITNESS, TEST, NODES, EVALUATIONS, MEASURES };
static const char *const measures[MEASURES] = {"fitness", "test_fitness", "nodes", "evaluations"};

static const double level = 0.05; /* of letters */

/* A cell that is done. */
typedef struct group {
    int64_t id;
    char *label, *treatment, *block, *problem, *metric, *seed; /* seed: of the first run */
    int maximised, has_target;
    uint32_t runs, solved;
    double *value; /* [MEASURES][runs], NaN: none */
    double *found; /* [MEASURES][runs] without NaNs, */
    uint32_t n[MEASURES];
} group;

typedef struct groups {
    gr_tables *tables;
    uint32_t count;
    group *group;
    uint32_t at; /* run that is being read */
} groups;

/* ---- reading ---- */

static char *copy_of(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return strdup(text ? text : "");
}

static gr_status read_cell(void *context, sqlite3_stmt *row, gr_error *error) {
    groups *all = context;
    group *more = realloc(all->group, (all->count + (size_t)1) * sizeof *more);
    if (!more)
        return gr_fail(error, GR_NO_MEMORY, "no memory for cells");
    all->group = more;
    group *g = &all->group[all->count++];
    *g = (group){.id = sqlite3_column_int64(row, 0),
                 .label = copy_of(row, 1),
                 .treatment = copy_of(row, 2),
                 .block = copy_of(row, 3),
                 .problem = copy_of(row, 4),
                 .maximised = sqlite3_column_int(row, 5),
                 .has_target = sqlite3_column_type(row, 6) != SQLITE_NULL,
                 .runs = (uint32_t)sqlite3_column_int(row, 7),
                 .metric = copy_of(row, 8)};
    size_t values = MEASURES * (size_t)g->runs;
    g->value = malloc((values + 1) * sizeof *g->value);
    g->found = malloc((values + 1) * sizeof *g->found);
    return g->label && g->treatment && g->block && g->problem && g->metric && g->value && g->found
               ? GR_OK
               : gr_fail(error, GR_NO_MEMORY, "no memory for cells");
}

static double number_of(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? (double)NAN
                                                           : sqlite3_column_double(row, column);
}

static gr_status read_run(void *context, sqlite3_stmt *row, gr_error *error) {
    groups *all = context;
    group *g = &all->group[all->at];
    uint32_t run = (uint32_t)sqlite3_column_int64(row, 0);
    if (run >= g->runs)
        return gr_fail(error, GR_FAILED, "the tables have run %u of %u", run, g->runs);
    for (int m = 0; m < MEASURES; m++)
        g->value[(size_t)m * g->runs + run] = number_of(row, 1 + m);
    if (!g->has_target)
        g->value[(size_t)EVALUATIONS * g->runs + run] = (double)NAN;
    g->solved += sqlite3_column_int(row, 5) == 1;
    if (!g->seed && !(g->seed = copy_of(row, 6)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for cells");
    return GR_OK;
}

static gr_status read_groups(groups *all, gr_error *error) {
    gr_status status = gr_tables_query(
        all->tables,
        "SELECT cell, label, treatment, block, problem, maximised, target, (SELECT count(*) FROM "
        "runs r WHERE r.cell = c.cell), metric FROM cells c WHERE state = 'done' ORDER BY place",
        0, read_cell, all, error);
    for (all->at = 0; !status && all->at < all->count; all->at++) {
        group *g = &all->group[all->at];
        status = gr_tables_query(all->tables,
                                 "SELECT run, fitness, test_fitness, nodes, evaluations, solved, "
                                 "seed FROM runs WHERE cell = ?1 ORDER BY run",
                                 g->id, read_run, all, error);
        for (int m = 0; !status && m < MEASURES; m++)
            for (uint32_t r = 0; r < g->runs; r++) {
                double value = g->value[(size_t)m * g->runs + r];
                g->found[(size_t)m * g->runs + g->n[m]] = value;
                g->n[m] += isnan(value) ? 0 : 1;
            }
    }
    return status;
}

static void free_groups(groups *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        group *g = &all->group[i];
        free(g->label);
        free(g->treatment);
        free(g->block);
        free(g->problem);
        free(g->metric);
        free(g->seed);
        free(g->value);
        free(g->found);
    }
    free(all->group);
}

static const double *values_of(const group *g, int measure) {
    return g->found + (size_t)measure * g->runs;
}

/* ---- pairs ---- */

typedef struct pair {
    uint32_t a, b;
    double statistic, effect, p, holm;
} pair;

typedef struct pairs {
    uint32_t count;
    pair *pair;
} pairs;

static int comparable(const groups *all, uint32_t a, uint32_t b) {
    return strcmp(all->group[a].problem, all->group[b].problem) == 0 &&
           (a == 0 || all->count <= GR_PAIRED_CELLS);
}

static int test_pair(const groups *all, int measure, pair *one) {
    const group *a = &all->group[one->a], *b = &all->group[one->b];
    gr_mann_whitney test;
    if (measure == MEASURES) { /* solved */
        one->statistic = a->solved;
        one->p = gr_fisher_test(a->solved, a->runs, b->solved, b->runs, &one->effect);
        return 1;
    }
    int higher = a->maximised && (measure == FITNESS || measure == TEST);
    if (!gr_mann_whitney_test(values_of(a, measure), a->n[measure], values_of(b, measure),
                              b->n[measure], &test))
        return 0;
    one->statistic = test.u;
    one->effect = higher ? 1.0 - test.lower : test.lower;
    one->p = test.p;
    return 1;
}

static int has_measure(const group *g, int measure) {
    return measure == MEASURES ? g->has_target && g->runs : g->n[measure] > 0;
}

/* All pairs of cells by a measure, or by `solved` (MEASURES). */
static int test_pairs(const groups *all, int measure, pairs *found) {
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

static gr_status put_pairs(const groups *all, int measure, const pairs *found, gr_error *error) {
    static const char sql[] = "INSERT INTO comparisons VALUES (?,?,?,?,?,?,?,?,?,?)";
    gr_status status = GR_OK;
    for (uint32_t i = 0; !status && i < found->count; i++) {
        const pair *one = &found->pair[i];
        const group *a = &all->group[one->a], *b = &all->group[one->b];
        int solved = measure == MEASURES;
        status =
            gr_tables_put(all->tables, error, sql, "ttiiiirrrr",
                          solved ? "solved" : measures[measure], solved ? "fisher" : "mann-whitney",
                          a->id, b->id, (int64_t)(solved ? a->runs : a->n[measure]),
                          (int64_t)(solved ? b->runs : b->n[measure]), one->statistic, one->effect,
                          one->p, one->holm);
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

static double median_of(const group *g, int measure, double *scratch) {
    memcpy(scratch, values_of(g, measure), g->n[measure] * sizeof *scratch);
    double median = gr_spread_of(scratch, g->n[measure]).quartile[1];
    return g->maximised && (measure == FITNESS || measure == TEST) ? -median : median;
}

/* The cells that share the problem of `first`, the best one first; how many, 0: too many. */
static uint32_t order_cells(const groups *all, uint32_t first, int measure, ordered *order) {
    uint32_t count = 0;
    for (uint32_t i = first; i < all->count; i++) {
        const group *g = &all->group[i];
        double *scratch = malloc((g->runs + (size_t)1) * sizeof *scratch);
        if (!scratch)
            return 0;
        if (has_measure(g, measure) && strcmp(g->problem, all->group[first].problem) == 0) {
            if (count == GR_LETTERED)
                count = UINT32_MAX;
            else if (count < GR_LETTERED)
                order[count++] = (ordered){i, median_of(g, measure, scratch)};
        }
        free(scratch);
        if (count > GR_LETTERED)
            return 0;
    }
    qsort(order, count, sizeof *order, compare_medians);
    return count;
}

static gr_status put_letters_of(const groups *all, int measure, const pairs *found, uint32_t first,
                                gr_error *error) {
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
                               measures[measure], letters[i]);
    return status;
}

static gr_status put_letters(const groups *all, int measure, const pairs *found, gr_error *error) {
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

static gr_status compare_pairs(const groups *all, gr_error *error) {
    gr_status status = GR_OK;
    for (int m = 0; !status && m <= MEASURES; m++) {
        pairs found;
        if (!test_pairs(all, m, &found))
            status = gr_fail(error, GR_NO_MEMORY, "no memory to compare %u cells", all->count);
        if (!status)
            status = put_pairs(all, m, &found, error);
        if (!status && m < MEASURES)
            status = put_letters(all, m, &found, error);
        free(found.pair);
    }
    return status;
}

/* ---- ranks ---- */

/* Treatments in blocks, the lowest value the best. */
typedef struct design {
    uint32_t treatments, blocks;
    const char **treatment; /* [treatments] */
    double *value;          /* [blocks][treatments] */
} design;

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
static int has_metric_by_block(const groups *all) {
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(all->group[i].block, all->group[k].block) == 0 &&
                strcmp(all->group[i].metric, all->group[k].metric) != 0)
                return 0;
    return 1;
}

/* Medians of cells by the blocks that the file names; false: not one in every place, or of several
 * metrics in a block. */
static int design_by_blocks(const groups *all, int measure, design *d) {
    const char **block = malloc(all->count * sizeof *block);
    double *scratch = NULL;
    uint32_t cells = all->count, filled = 0;
    size_t most = 1;
    for (uint32_t i = 0; i < cells; i++)
        most = all->group[i].runs > most ? all->group[i].runs : most;
    scratch = malloc(most * sizeof *scratch);
    for (uint32_t i = 0; block && i < cells; i++) {
        place_of(d->treatment, &d->treatments, all->group[i].treatment);
        place_of(block, &d->blocks, all->group[i].block);
    }
    int good = block && scratch && (uint64_t)d->treatments * d->blocks == cells &&
               has_metric_by_block(all);
    for (uint32_t i = 0; good && i < cells; i++)
        d->value[i] = (double)NAN;
    for (uint32_t i = 0; good && i < cells; i++) {
        const group *g = &all->group[i];
        uint32_t t = place_of(d->treatment, &d->treatments, g->treatment);
        uint32_t b = place_of(block, &d->blocks, g->block);
        double *to = &d->value[(size_t)b * d->treatments + t];
        filled += g->n[measure] && isnan(*to) ? 1 : 0;
        *to = g->n[measure] ? median_of(g, measure, scratch) : (double)NAN;
    }
    free(scratch);
    free(block);
    return good && filled == cells;
}

static int has_same_seeds(const group *g, const group *first, int measure) {
    return g->n[measure] == first->runs && g->runs == first->runs && g->seed &&
           strcmp(g->seed, first->seed) == 0 && strcmp(g->problem, first->problem) == 0;
}

/* Runs with the same seeds are a block; first all are looked at: `value` has room for as many runs
 * as there are, which are fewer than a block for each of the first cell's where others have fewer.
 */
static int design_by_seeds(const groups *all, int measure, design *d) {
    const group *first = all->group;
    d->treatments = all->count;
    d->blocks = first->runs;
    for (uint32_t i = 0; i < all->count; i++)
        if (!has_same_seeds(&all->group[i], first, measure))
            return 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const group *g = &all->group[i];
        d->treatment[i] = g->label;
        for (uint32_t r = 0; r < g->runs; r++)
            d->value[(size_t)r * all->count + i] =
                g->maximised ? -values_of(g, measure)[r] : values_of(g, measure)[r];
    }
    return 1;
}

static gr_status put_rank_pairs(const groups *all, const char *measure, const design *d,
                                const double *rank, gr_error *error) {
    static const char sql[] = "INSERT INTO rank_comparisons VALUES (?,?,?,?,?,?,?)";
    uint32_t k = d->treatments, count = k * (k - 1) / 2, at = 0;
    double *p = malloc((4 * (size_t)count + 1) * sizeof *p), *z = p + count, *holm = z + count,
           *shaffer = holm + count;
    if (!p)
        return gr_fail(error, GR_NO_MEMORY, "no memory to compare %u treatments", k);
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = a + 1; b < k; b++, at++)
            z[at] = gr_rank_z(rank[a], rank[b], d->blocks, k, &p[at]);
    gr_status status = gr_holm(p, count, holm) && gr_shaffer(p, k, shaffer)
                           ? GR_OK
                           : gr_fail(error, GR_NO_MEMORY, "no memory to compare %u treatments", k);
    at = 0;
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = a + 1; !status && b < k; b++, at++)
            status = gr_tables_put(all->tables, error, sql, "tttrrrr", measure, d->treatment[a],
                                   d->treatment[b], z[at], p[at], holm[at], shaffer[at]);
    free(p);
    return status;
}

static gr_status put_ranks(const groups *all, const char *measure, const design *d,
                           gr_error *error) {
    static const char of_one[] = "INSERT INTO ranks VALUES (?,?,?)";
    static const char of_all[] = "INSERT INTO rank_tests VALUES (?,?,?,?,?,?,?)";
    double *rank = malloc(d->treatments * sizeof *rank);
    gr_friedman test;
    gr_status status = GR_OK;
    if (!rank || !gr_friedman_test(d->value, d->blocks, d->treatments, rank, &test))
        status = gr_fail(error, GR_NO_MEMORY, "no memory to compare %u treatments", d->treatments);
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

static gr_status compare_ranks(const groups *all, gr_error *error) {
    gr_status status = GR_OK;
    size_t values = all->count;
    for (uint32_t i = 0; i < all->count; i++)
        values += all->group[i].runs;
    if (all->count < 2 || all->count > GR_PAIRED_CELLS)
        return GR_OK;
    for (int m = FITNESS; !status && m <= TEST; m++) {
        design d = {.treatment = malloc(all->count * sizeof *d.treatment),
                    .value = malloc(values * sizeof *d.value)};
        int by_blocks = *all->group->treatment || *all->group->block;
        if (!d.treatment || !d.value)
            status = gr_fail(error, GR_NO_MEMORY, "no memory to compare %u cells", all->count);
        else if ((by_blocks ? design_by_blocks(all, m, &d) : design_by_seeds(all, m, &d)) &&
                 d.treatments > 1 && d.blocks > 1)
            status = put_ranks(all, measures[m], &d, error);
        free(d.treatment);
        free(d.value);
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
    groups all = {.tables = tables};
    gr_status status = gr_tables_begin(tables, error);
    if (status)
        return status;
    status = forget(tables, error);
    if (!status)
        status = read_groups(&all, error);
    if (!status)
        status = compare_pairs(&all, error);
    if (!status)
        status = compare_ranks(&all, error);
    free_groups(&all);
    return gr_tables_end(tables, status, error);
}
