/* The tables of an experiment, or of a run with --sqlite. */
#include "host/base/text.h"
#include "host/experiment/schema.h"
#include "host/experiment/tables.h"
#include "host/report/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What rows are taken into. */
typedef struct taking {
    gr_report *report;
    gr_tables *tables;
    const char *folder;
    uint32_t cell, points; /* points: of a curve, at most */
    int alone;             /* the only cell of its file */
} taking;

static gr_report_cell *cell_of(const taking *t) {
    return &t->report->cell[t->cell];
}

static gr_status no_memory(const taking *t, gr_error *error) {
    return gr_fail(error, GR_NO_MEMORY, "%s: no memory for a report of it", t->folder);
}

static double real(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? (double)NAN
                                                           : sqlite3_column_double(row, column);
}

static char *copy(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? strdup(text) : NULL;
}

/* ---- curves ---- */

static gr_status take_summary(void *context, sqlite3_stmt *row, gr_error *error) {
    taking *t = context;
    gr_report_cell *c = cell_of(t);
    const char *name = (const char *)sqlite3_column_text(row, 0);
    int wanted = 0;
    for (int k = 0; gr_report_measures[k]; k++)
        wanted |= strcmp(gr_report_measures[k], name) == 0;
    if (!wanted || !gr_is_drawn((uint32_t)sqlite3_column_int64(row, 1), c->last_generation))
        return GR_OK;
    gr_curve *curve = c->curves ? &c->curve[c->curves - 1] : NULL;
    if (!curve || strcmp(curve->name, name) != 0)
        curve = gr_add_curve(c, name, t->points);
    if (!curve)
        return no_memory(t, error);
    if (curve->count == t->points)
        return GR_OK;
    double *at = curve->at + (size_t)curve->count * GR_CURVE;
    if (curve->count && curve->count + 1 < t->points &&
        real(row, 1) > at[GR_CURVE_GEN - GR_CURVE] + gr_report_step(c->last_generation)) {
        for (int k = GR_CURVE_LOW; k < GR_CURVE; k++) /* in between no run had a number */
            at[k] = (double)NAN;
        at[GR_CURVE_GEN] = at[GR_CURVE_GEN - GR_CURVE] + 1.0;
        at += GR_CURVE;
        curve->count++;
    }
    curve->count++;
    for (int k = 0; k < GR_CURVE; k++)
        at[k] = real(row, 1 + k);
    return GR_OK;
}

static gr_status take_success(void *context, sqlite3_stmt *row, gr_error *error) {
    taking *t = context;
    gr_report_cell *c = cell_of(t);
    if (!gr_is_drawn((uint32_t)sqlite3_column_int64(row, 0), c->last_generation))
        return GR_OK;
    double *more = realloc(c->success, (c->successes + 1ull) * GR_SUCCESS * sizeof *more);
    if (!more)
        return no_memory(t, error);
    c->success = more;
    for (int k = 0; k < GR_SUCCESS; k++)
        more[(size_t)c->successes * GR_SUCCESS + (size_t)k] = real(row, k);
    c->successes++;
    return GR_OK;
}

/* The row that a run ended with stays, whichever it is. */
static gr_status take_line(void *context, sqlite3_stmt *row, gr_error *error) {
    taking *t = context;
    gr_report_cell *c = cell_of(t);
    uint32_t run = (uint32_t)sqlite3_column_int64(row, 0);
    if (run >= GR_MOST_LINES)
        return GR_OK;
    gr_line *line = &c->line[run];
    if (!line->at && !(line->at = malloc((t->points + 1ull) * 2 * sizeof(double))))
        return no_memory(t, error);
    c->lines = run + 1 > c->lines ? run + 1 : c->lines;
    if (line->count && !gr_is_drawn((uint32_t)line->at[2 * line->count - 2], c->last_generation))
        line->count--;
    if (line->count <= t->points) {
        line->at[2 * line->count] = real(row, 1);
        line->at[2 * line->count++ + 1] = real(row, 2);
    }
    return GR_OK;
}

/* ---- runs ---- */

static gr_status take_run(void *context, sqlite3_stmt *row, gr_error *error) {
    taking *t = context;
    gr_report_cell *c = cell_of(t);
    for (int k = 0; k < GR_ENDS; k++) {
        gr_ends *e = &c->end[k];
        if (!e->value && !(e->value = malloc((c->runs + 1) * sizeof *e->value)))
            return no_memory(t, error);
        if (!isnan(real(row, k)) && e->count < c->runs)
            e->value[e->count++] = real(row, k);
    }
    c->solved += sqlite3_column_int64(row, 3) == 1;
    return GR_OK;
}

static gr_status take_rate(void *context, sqlite3_stmt *row, gr_error *error) {
    gr_report_cell *c = cell_of(context);
    (void)error;
    for (int k = 0; k < 3; k++)
        c->rate[k] = real(row, k);
    return GR_OK;
}

static gr_status take_letters(void *context, sqlite3_stmt *row, gr_error *error) {
    gr_report_cell *c = cell_of(context);
    const char *letters = (const char *)sqlite3_column_text(row, 0);
    (void)error;
    snprintf(c->letters, sizeof c->letters, "%.*s", GR_CUT(letters ? letters : "", 60));
    return GR_OK;
}

static gr_status take_best(void *context, sqlite3_stmt *row, gr_error *error) {
    taking *t = context;
    gr_report_cell *c = cell_of(t);
    c->expression = copy(row, 0);
    if (!c->expression)
        return no_memory(t, error);
    c->fitness = real(row, 1);
    c->test_fitness = real(row, 2);
    c->scaled = !isnan(real(row, 4));
    c->intercept = c->scaled ? real(row, 3) : 0.0;
    c->slope = c->scaled ? real(row, 4) : 1.0;
    c->found = (uint32_t)sqlite3_column_int64(row, 5);
    return GR_OK;
}

static gr_status take_setting(void *context, sqlite3_stmt *row, gr_error *error) {
    gr_report_cell *c = cell_of(context);
    (void)error; /* one that this version does not know is left out */
    gr_settings_set(&c->settings, (const char *)sqlite3_column_text(row, 0),
                    (const char *)sqlite3_column_text(row, 1), NULL);
    return GR_OK;
}

/* ---- cells ---- */

static const struct {
    const char *sql;
    gr_on_row *take;
} queries[] = {
    {"SELECT measure, gen, lower_quartile, median, upper_quartile FROM summary WHERE cell = ?1 "
     "ORDER BY measure, gen",
     take_summary},
    {"SELECT gen, rate, rate_low, rate_high FROM success_curve WHERE cell = ?1 ORDER BY gen",
     take_success},
    {"SELECT run, gen, best_ever FROM generations WHERE cell = ?1 AND run < 60 ORDER BY run, gen",
     take_line},
    {"SELECT fitness, test_fitness, nodes, solved FROM runs WHERE cell = ?1 ORDER BY run",
     take_run},
    {"SELECT rate, rate_low, rate_high FROM success WHERE cell = ?1", take_rate},
    {"SELECT letters FROM outcomes WHERE cell = ?1 AND measure = 'fitness'", take_letters},
    {"SELECT expression, fitness, test_fitness, intercept, slope, found FROM runs JOIN cells USING "
     "(cell) WHERE cell = ?1 AND expression IS NOT NULL AND fitness IS NOT NULL "
     "ORDER BY CASE maximised WHEN 1 THEN -fitness ELSE fitness END, run LIMIT 1",
     take_best},
    {"SELECT key, value FROM cell_settings WHERE cell = ?1", take_setting},
};

/* The row of a cell; what belongs to it is asked for afterwards. */
static gr_status take_cell(void *context, sqlite3_stmt *row, gr_error *error) {
    taking *t = context;
    const char *label = (const char *)sqlite3_column_text(row, 1);
    gr_report_cell *c = gr_report_add_cell(t->report);
    if (!c)
        return no_memory(t, error);
    c->label =
        t->alone && !*label ? strdup(t->folder) : strndup(label, (size_t)gr_text_room(label, 250));
    c->source = strdup(t->folder);
    c->metric = copy(row, 2);
    if (!c->label || !c->source || !c->metric)
        return no_memory(t, error);
    c->maximised = sqlite3_column_int(row, 3);
    c->target = real(row, 4);
    c->has_target = !isnan(c->target);
    c->runs = (uint32_t)sqlite3_column_int64(row, 5);
    c->seconds = real(row, 6);
    for (int k = 0; k < 3; k++)
        c->phase[k] = real(row, 7 + k);
    c->last_generation = (uint32_t)sqlite3_column_int64(row, 10);
    t->cell = t->report->cells - 1;
    t->points = c->last_generation / gr_report_step(c->last_generation) + 2;
    gr_status status = gr_settings_init(&c->settings, error);
    c->settled = status == GR_OK;
    for (size_t q = 0; q < sizeof queries / sizeof *queries && !status; q++)
        status = gr_tables_query(t->tables, queries[q].sql, sqlite3_column_int64(row, 0),
                                 queries[q].take, t, error);
    return status;
}

/* ---- tables for the page ---- */

static gr_status take_comparison(void *context, sqlite3_stmt *row, gr_error *error) {
    taking *t = context;
    char text[7][96];
    const char *cells[7];
    for (int k = 0; k < 7; k++) {
        if (sqlite3_column_type(row, k) == SQLITE_FLOAT)
            snprintf(text[k], sizeof *text, "%.3g", sqlite3_column_double(row, k));
        else {
            const char *word = (const char *)sqlite3_column_text(row, k);
            snprintf(text[k], sizeof *text, "%.*s", word ? gr_text_room(word, 90) : 0,
                     word ? word : "");
        }
        cells[k] = text[k];
    }
    return gr_table_row(&t->report->table[t->report->tables - 1], cells) ? GR_OK
                                                                         : no_memory(t, error);
}

static gr_status take_comparisons(taking *t, gr_error *error) {
    static const char *const head[] = {"measure", "cell", "against", "test",
                                       "effect",  "p",    "p (Holm)"};
    char title[300];
    snprintf(title, sizeof title, "Tests between cells%s%.*s", t->report->sources > 1 ? " of " : "",
             t->report->sources > 1 ? gr_text_room(t->folder, 250) : 0, t->folder);
    gr_text_table *table = gr_report_add_table(
        t->report, title,
        "Mann-Whitney with Vargha and Delaney's A12 (how probably a run of the first is better); "
        "success by Fisher's exact test with the odds ratio; p two-sided, corrected by Holm. The "
        "40 clearest.",
        7);
    if (!table || !gr_table_row(table, head))
        return no_memory(t, error);
    gr_status status = gr_tables_query(
        t->tables,
        "SELECT measure, a.label, b.label, test, effect, p, p_holm FROM comparisons "
        "JOIN cells AS a ON a.cell = comparisons.a JOIN cells AS b ON b.cell = comparisons.b "
        "WHERE ?1 = 0 ORDER BY p_holm, p LIMIT 40",
        0, take_comparison, t, error);
    return status;
}

static gr_status count_cells(void *context, sqlite3_stmt *row, gr_error *error) {
    taking *t = context;
    (void)error;
    t->alone = sqlite3_column_int(row, 0) == 1;
    t->report->failed += (uint32_t)sqlite3_column_int(row, 1);
    t->report->unfinished += (uint32_t)sqlite3_column_int(row, 2);
    return GR_OK;
}

gr_status gr_load_tables(const char *path, const char *folder, gr_report *report, gr_error *error) {
    taking t = {.report = report, .folder = folder};
    gr_status status = gr_tables_look(path, &t.tables, error);
    if (status)
        return status;
    uint32_t before = report->cells;
    status = gr_tables_query(t.tables,
                             "SELECT count(*), total(state = 'failed'), total(state IN ('waiting', "
                             "'running')) FROM cells WHERE ?1 = 0",
                             0, count_cells, &t, error);
    if (!status)
        status = gr_tables_query(
            t.tables,
            "SELECT cell, label, metric, maximised, target, runs, seconds, seconds_select, "
            "seconds_breed, seconds_evaluate, (SELECT max(generations) FROM runs WHERE runs.cell = "
            "cells.cell) FROM cells WHERE state IN ('done', 'stopped') AND ?1 = 0 ORDER BY place",
            0, take_cell, &t, error);
    if (!status && report->cells == before)
        status = gr_fail(error, GR_BAD_INPUT, "%s: no cell is done", path);
    if (!status && !t.alone)
        status = take_comparisons(&t, error);
    gr_tables_close(t.tables);
    return status;
}
