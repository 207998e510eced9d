#include "host/experiment/groups.h"

#include "host/base/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const gr_measure_names[GR_MEASURES] = {"fitness", "test_fitness", "nodes",
                                                   "evaluations"};

static char *copy_of(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return strdup(text ? text : "");
}

static gr_status read_cell(void *context, sqlite3_stmt *row, gr_error *error) {
    gr_groups *all = context;
    gr_group *more = realloc(all->group, (all->count + (size_t)1) * sizeof *more);
    if (!more)
        return gr_fail(error, GR_NO_MEMORY, "no memory for cells");
    all->group = more;
    gr_group *g = &all->group[all->count++];
    *g = (gr_group){.id = sqlite3_column_int64(row, 0),
                    .label = copy_of(row, 1),
                    .treatment = copy_of(row, 2),
                    .block = copy_of(row, 3),
                    .problem = copy_of(row, 4),
                    .maximised = sqlite3_column_int(row, 5),
                    .has_target = sqlite3_column_type(row, 6) != SQLITE_NULL,
                    .runs = (uint32_t)sqlite3_column_int(row, 7),
                    .metric = copy_of(row, 8),
                    .place = sqlite3_column_int64(row, 9)};
    size_t values = GR_MEASURES * (size_t)g->runs;
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
    gr_groups *all = context;
    gr_group *g = &all->group[all->at];
    uint32_t run = (uint32_t)sqlite3_column_int64(row, 0);
    if (run >= g->runs)
        return gr_fail(error, GR_FAILED, "the tables have run %u of %u", run, g->runs);
    for (int m = 0; m < GR_MEASURES; m++)
        g->value[(size_t)m * g->runs + run] = number_of(row, 1 + m);
    if (!g->has_target)
        g->value[(size_t)GR_BY_EVALUATIONS * g->runs + run] = (double)NAN;
    g->solved += sqlite3_column_int(row, 5) == 1;
    if (!g->seed && !(g->seed = copy_of(row, 6)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for cells");
    return GR_OK;
}

gr_status gr_groups_read(gr_groups *all, gr_error *error) {
    gr_status status = gr_tables_query(
        all->tables,
        "SELECT cell, label, treatment, block, problem, maximised, target, (SELECT count(*) FROM "
        "runs r WHERE r.cell = c.cell), metric, place FROM cells c WHERE state = 'done' ORDER BY "
        "place",
        0, read_cell, all, error);
    for (all->at = 0; !status && all->at < all->count; all->at++) {
        gr_group *g = &all->group[all->at];
        status = gr_tables_query(all->tables,
                                 "SELECT run, fitness, test_fitness, nodes, evaluations, solved, "
                                 "seed FROM runs WHERE cell = ?1 ORDER BY run",
                                 g->id, read_run, all, error);
        for (int m = 0; !status && m < GR_MEASURES; m++)
            for (uint32_t r = 0; r < g->runs; r++) {
                double value = g->value[(size_t)m * g->runs + r];
                g->found[(size_t)m * g->runs + g->n[m]] = value;
                g->n[m] += isnan(value) ? 0 : 1;
            }
    }
    return status;
}

void gr_groups_free(gr_groups *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        gr_group *g = &all->group[i];
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

const double *gr_group_values(const gr_group *g, int measure) {
    return g->found + (size_t)measure * g->runs;
}

double gr_group_median(const gr_group *g, int measure, double *scratch) {
    memcpy(scratch, gr_group_values(g, measure), g->n[measure] * sizeof *scratch);
    double median = gr_spread_of(scratch, g->n[measure]).quartile[1];
    return g->maximised && (measure == GR_BY_FITNESS || measure == GR_BY_TEST) ? -median : median;
}
