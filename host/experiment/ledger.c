#include "host/experiment/ledger.h"

#include "host/base/text.h"
#include "host/derivation/phenotype.h"
#include "host/experiment/curves.h"
#include "host/experiment/schema.h"
#include "host/inference/measure.h"
#include "host/run/programs.h"
#include "host/statistics/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Bytes that wait before some are written. */
static const size_t much = (size_t)64 << 20;

/* What the rows say of a run. */
typedef struct course {
    uint32_t generations;
    double executed, seconds;
} course;

struct gr_ledger {
    gr_tables *tables;
    int64_t cell;
    const gr_settings *settings;
    gr_run *run;
    gr_params p;
    /* those of `genotypes`, `first_front`, `nodes_executed`, `time` */
    int columns, diversity, fronts, executed, time;
    gr_curves *curves;
    course *course; /* [runs] */
    double *row;    /* [count][columns] that wait */
    size_t count, room;
    int begun; /* something is written */
    char started[GR_UTC];
    gr_error failure;
};

void gr_utc_now(char out[GR_UTC]) {
    time_t t = time(NULL);
    struct tm utc;
    gmtime_r(&t, &utc);
    strftime(out, GR_UTC, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* ---- rows ---- */

static void find_columns(gr_ledger *l) {
    char name[64];
    l->columns = gr_schema_columns();
    for (int k = 0; k < l->columns; k++) {
        gr_schema_column(k, name);
        if (strcmp(name, "genotypes") == 0)
            l->diversity = k;
        if (strcmp(name, "first_front") == 0)
            l->fronts = k;
        if (strcmp(name, "nodes_executed") == 0)
            l->executed = k;
        if (strcmp(name, "time") == 0)
            l->time = k;
    }
}

gr_status gr_ledger_open(gr_tables *tables, int64_t cell, const gr_settings *settings, gr_run *run,
                         gr_ledger **ledger, gr_error *error) {
    gr_ledger *l = *ledger = calloc(1, sizeof *l);
    if (l) {
        l->tables = tables;
        l->cell = cell;
        l->settings = settings;
        l->run = run;
        l->p = gr_run_problem(run)->job.params;
        l->curves = gr_curves_open(&l->p, settings->target_fitness);
        l->course = calloc(l->p.runs, sizeof *l->course);
        find_columns(l);
        gr_utc_now(l->started);
    }
    if (l && l->curves && l->course)
        return GR_OK;
    gr_ledger_close(l);
    *ledger = NULL;
    return gr_fail(error, GR_NO_MEMORY, "no memory for the tables of %u run%s", settings->runs,
                   gr_s(settings->runs));
}

void gr_ledger_close(gr_ledger *l) {
    if (!l)
        return;
    gr_curves_close(l->curves);
    free(l->course);
    free(l->row);
    free(l);
}

/* A number of statistics.tsv. */
static double value_of(const char *text) {
    double whole = 0.0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && at - text < 15; at++)
        whole = 10.0 * whole + (*at - '0');
    return at > text && (*at == '\t' || *at == '\n') ? whole : gr_text_double(text, NULL);
}

/* A row as numbers: as they stand in statistics.tsv, so that both say the same. */
static void read_row(const gr_ledger *l, const gr_generation *g, double *value) {
    char text[GR_ROW_BYTES + 1], *at = text;
    gr_generation wide = *g;
    wide.has_diversity = wide.has_fronts = 1;
    *gr_put_row(text, &wide) = '\0';
    for (int k = 0; k < l->columns; k++, at += strcspn(at, "\t\n") + 1)
        value[k] = value_of(at);
    for (int k = l->diversity; !g->has_diversity && k < l->fronts; k++)
        value[k] = (double)NAN;
    for (int k = l->fronts; !g->has_fronts && k < l->executed; k++)
        value[k] = (double)NAN;
}

static int make_room(gr_ledger *l) {
    if (l->count < l->room)
        return 1;
    size_t room = l->room ? 2 * l->room : 256;
    double *more = realloc(l->row, room * (size_t)l->columns * sizeof *more);
    if (!more)
        return 0;
    l->row = more;
    l->room = room;
    return 1;
}

void gr_ledger_rows(gr_ledger *l, const gr_rows *rows) {
    for (uint32_t i = 0; !l->failure.status && i < rows->count; i++) {
        double *row = make_room(l) ? l->row + l->count * (size_t)l->columns : NULL;
        if (row)
            read_row(l, &rows->row[i], row);
        if (!row || !gr_curves_row(l->curves, row)) {
            gr_fail(&l->failure, GR_NO_MEMORY, "no memory for the generations of %u run%s",
                    l->p.runs, gr_s(l->p.runs));
            return;
        }
        course *c = &l->course[(uint32_t)row[GR_COLUMN_RUN]];
        c->generations = (uint32_t)row[GR_COLUMN_GEN];
        c->executed += row[l->executed];
        c->seconds = row[l->time];
        l->count += l->settings->statistics == GR_STATISTICS_ALL;
    }
}

/* Runs rising, in each the generations. */
static int compare_rows(const void *a, const void *b) {
    const double *x = *(const double *const *)a, *y = *(const double *const *)b;
    if (x[GR_COLUMN_RUN] < y[GR_COLUMN_RUN] || x[GR_COLUMN_RUN] > y[GR_COLUMN_RUN])
        return x[GR_COLUMN_RUN] < y[GR_COLUMN_RUN] ? -1 : 1;
    return (x[GR_COLUMN_GEN] > y[GR_COLUMN_GEN]) - (x[GR_COLUMN_GEN] < y[GR_COLUMN_GEN]);
}

static gr_status put_row(const gr_ledger *l, sqlite3_stmt *insert, const double *row,
                         gr_error *error) {
    sqlite3_bind_int64(insert, 1, l->cell);
    for (int k = 0; k < l->columns; k++) {
        double value = row[k];
        if (isnan(value))
            sqlite3_bind_null(insert, k + 2);
        else if (fabs(value) < 0x1p53 && value == floor(value))
            sqlite3_bind_int64(insert, k + 2, (int64_t)value);
        else
            sqlite3_bind_double(insert, k + 2, value);
    }
    return gr_tables_step(l->tables, insert, error);
}

static gr_status put_rows(gr_ledger *l, gr_error *error) {
    sqlite3_stmt *insert = l->count ? gr_schema_generations(gr_tables_db(l->tables)) : NULL;
    const double **sorted = malloc((l->count + 1) * sizeof *sorted);
    gr_status status = GR_OK;
    if (!sorted)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %zu row%s", l->count, gr_s(l->count));
    else if (l->count && !insert)
        status = gr_sqlite_fail(gr_tables_db(l->tables), error);
    for (size_t i = 0; sorted && i < l->count; i++)
        sorted[i] = l->row + i * (size_t)l->columns;
    if (sorted)
        qsort(sorted, l->count, sizeof *sorted, compare_rows);
    for (size_t i = 0; !status && i < l->count; i++)
        status = put_row(l, insert, sorted[i], error);
    sqlite3_finalize(insert);
    free(sorted);
    l->count = 0;
    return status;
}

/* ---- writing ---- */

gr_status gr_forget_cell(gr_tables *tables, int64_t cell, gr_error *error) {
    static const char *const sql[] = {
        "DELETE FROM generations WHERE cell = ?",   "DELETE FROM runs WHERE cell = ?",
        "DELETE FROM programs WHERE cell = ?",      "DELETE FROM summary WHERE cell = ?",
        "DELETE FROM success_curve WHERE cell = ?", "DELETE FROM success WHERE cell = ?",
        "DELETE FROM outcomes WHERE cell = ?"};
    gr_status status = GR_OK;
    for (size_t k = 0; !status && k < sizeof sql / sizeof *sql; k++)
        status = gr_tables_put(tables, error, sql[k], "i", cell);
    return status;
}

/* What waits, within a transaction. */
static gr_status put_waiting(gr_ledger *l, gr_error *error) {
    static const char running[] =
        "UPDATE cells SET state = 'running', error = NULL, started = ?2 WHERE cell = ?1";
    gr_status status = l->begun ? GR_OK : gr_forget_cell(l->tables, l->cell, error);
    if (!status && !l->begun)
        status = gr_tables_put(l->tables, error, running, "it", l->cell, l->started);
    l->begun = !status;
    if (!status)
        status = put_rows(l, error);
    return status ? status : gr_curves_put(l->curves, l->tables, l->cell, error);
}

gr_status gr_ledger_epoch(gr_ledger *l, gr_error *error) {
    size_t waiting = l->count * (size_t)l->columns * sizeof *l->row + gr_curves_waiting(l->curves);
    if (!l->failure.status && waiting > much && !gr_tables_begin(l->tables, &l->failure))
        gr_tables_end(l->tables, put_waiting(l, &l->failure), &l->failure);
    if (l->failure.status)
        *error = l->failure;
    return l->failure.status;
}

/* ---- the end ---- */

/* Codons as a list; NULL for a tree, or where there is no memory. */
static char *genome_of(const gr_best *b) {
    char *text = b->genome ? malloc(12 * ((size_t)b->length + 1)) : NULL, *at = text;
    if (!text)
        return NULL;
    *at++ = '[';
    for (uint32_t i = 0; i < b->length; i++)
        at += sprintf(at, "%s%u", i ? "," : "", b->genome[i]);
    strcpy(at, "]");
    return text;
}

static gr_status put_run(const gr_ledger *l, const gr_best *b, const char *state, gr_error *error) {
    static const char sql[] =
        "INSERT INTO runs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    const course *c = &l->course[b->run];
    const int64_t none = GR_NULL_INTEGER;
    int valid = b->validity == GR_VALID, grammar = l->p.genotype == GR_GRAMMATICAL;
    int scaled = gr_best_is_scaled(&l->p, b);
    char seed[24], *genome = genome_of(b);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)b->seed);
    gr_status status = gr_tables_put(
        l->tables, error, sql, "iittiirrrriirrtiiiiirrttt", l->cell, (int64_t)b->run, seed, state,
        (int64_t)c->generations, (int64_t)b->generation, b->train, b->test, b->recomputed[0],
        b->recomputed[1], l->p.stop_at_target ? (int64_t)(b->solved != 0) : none,
        (int64_t)gr_evaluations_by(&l->p, c->generations), c->executed, c->seconds,
        gr_validity_name(b->validity), valid ? (int64_t)b->nodes : none,
        valid ? (int64_t)b->levels : none, grammar && valid ? (int64_t)b->depth : none,
        grammar && valid ? (int64_t)b->derivation_nodes : none, grammar ? (int64_t)b->used : none,
        scaled ? b->intercept : (double)NAN, scaled ? b->slope : (double)NAN, b->infix,
        b->phenotype, genome);
    free(genome);
    return status;
}

static gr_status put_programs(const gr_ledger *l, gr_error *error) {
    static const char sql[] = "INSERT INTO programs VALUES (?,?,?,?,?,?)";
    uint32_t count = l->settings->predictions, in_a_run = l->p.population * l->p.islands;
    gr_measured_program *program = NULL;
    gr_status status = count ? gr_run_programs(l->run, &count, &program, error) : GR_OK;
    for (uint32_t i = 0; !status && i < count; i++)
        status = gr_tables_put(l->tables, error, sql, "iiiirr", l->cell, (int64_t)(i / in_a_run),
                               (int64_t)(i % in_a_run), (int64_t)program[i].nodes,
                               program[i].fitness, program[i].test);
    free(program);
    return status;
}

static gr_status put_success(const gr_ledger *l, const gr_outcome *o, const gr_run_report *report,
                             gr_error *error) {
    static const char sql[] = "INSERT INTO success VALUES (?,?,?,?,?,?,?,?,?,?,?)";
    gr_interval rate = gr_wilson(o->solved, o->runs);
    gr_effort effort = gr_curves_effort(l->curves);
    int any = effort.runs > 0;
    double evaluations = 0.0, solved = o->solved ? (double)o->solved : (double)NAN;
    for (uint32_t r = 0; r < o->runs; r++)
        evaluations += (double)gr_evaluations_by(&l->p, l->course[r].generations);
    if (!l->p.stop_at_target)
        return GR_OK;
    return gr_tables_put(l->tables, error, sql, "iiirrrriirr", l->cell, (int64_t)o->runs,
                         (int64_t)o->solved, (double)o->solved / o->runs, rate.low, rate.high,
                         effort.effort, any ? (int64_t)effort.gen : GR_NULL_INTEGER,
                         any ? (int64_t)effort.runs : GR_NULL_INTEGER, evaluations / solved,
                         report->seconds / solved);
}

/* ---- outcomes ---- */

/* What is told of every run; NaN where there is nothing. */
typedef enum told {
    FITNESS,
    TEST,
    NODES,
    DEPTH,
    EVALUATIONS,
    SECONDS,
    TARGET_GEN,
    TARGET_EVALUATIONS,
    TARGET_SECONDS,
    OUTCOMES
} told;
static const char *const outcome_names[OUTCOMES] = {
    "fitness",    "test_fitness",       "nodes",         "depth", "evaluations", "seconds",
    "target_gen", "target_evaluations", "target_seconds"};

static double outcome_of(const gr_ledger *l, const gr_best *b, told which) {
    const course *c = &l->course[b->run];
    int valid = b->validity == GR_VALID;
    if (which >= TARGET_GEN && !b->solved)
        return (double)NAN;
    switch (which) {
    case FITNESS:
        return b->train;
    case TEST:
        return b->test;
    case NODES:
        return valid ? (double)b->nodes : (double)NAN;
    case DEPTH:
        return valid ? (double)b->levels : (double)NAN;
    case EVALUATIONS:
    case TARGET_EVALUATIONS:
        return (double)gr_evaluations_by(&l->p, c->generations);
    case TARGET_GEN:
        return (double)c->generations;
    case SECONDS:
    case TARGET_SECONDS:
    case OUTCOMES:
        break;
    }
    return c->seconds;
}

static gr_status put_outcomes(const gr_ledger *l, const gr_outcome *o, gr_error *error) {
    static const char sql[] = "INSERT INTO outcomes VALUES (?,?,?,?,?,?,?,?,?,?,?,?,NULL)";
    double *value = malloc(2 * (size_t)o->runs * sizeof *value);
    gr_medians medians = {0};
    gr_status status = value ? GR_OK : GR_NO_MEMORY;
    for (int k = 0; !status && k < OUTCOMES; k++) {
        gr_measure m;
        for (uint32_t r = 0; r < o->runs; r++)
            value[r] = outcome_of(l, &o->best[r], (told)k);
        if (!gr_measure_of(value, o->runs, value + o->runs, &medians, &m))
            status = GR_NO_MEMORY;
        else if (m.n)
            status = gr_tables_put(l->tables, error, sql, "itirrrrrrrrr", l->cell, outcome_names[k],
                                   (int64_t)m.n, m.spread.mean, m.deviation, m.spread.least,
                                   m.spread.quartile[0], m.spread.quartile[1], m.spread.quartile[2],
                                   m.spread.most, m.median.low, m.median.high);
    }
    gr_medians_free(&medians);
    free(value);
    return status == GR_NO_MEMORY
               ? gr_fail(error, status, "no memory for %u run%s", o->runs, gr_s(o->runs))
               : status;
}

/* ---- the cell ---- */

static gr_status put_cell(const gr_ledger *l, const gr_outcome *o, const gr_run_report *report,
                          gr_error *error) {
    static const char sql[] =
        "UPDATE cells SET state = ?2, error = NULL, device = ?3, started = ?4, seconds = ?5, "
        "seconds_select = ?6, seconds_breed = ?7, seconds_evaluate = ?8, nodes_executed = ?9, "
        "stop_reason = ?10 WHERE cell = ?1";
    const double *phase = report->traffic.phase;
    char device[sizeof report->engine.device + 24];
    int length = snprintf(device, sizeof device, "%s", report->engine.device);
    if (report->dealt)
        snprintf(device + length, sizeof device - (size_t)length, ", device %u", report->card);
    return gr_tables_put(l->tables, error, sql, "itttrrrrrt", l->cell, gr_state_name(o->state),
                         device, l->started, report->seconds, phase[GR_PHASE_SELECT],
                         phase[GR_PHASE_BREED], phase[GR_PHASE_EVALUATE] + phase[GR_PHASE_RANK],
                         report->executed, gr_reason_name(report->reason));
}

/* Whether runs are solved is known when they have ended. */
static gr_status settle(const gr_ledger *l, const gr_outcome *o, gr_error *error) {
    uint32_t *ended = malloc(o->runs * sizeof *ended);
    uint8_t *solved = malloc(o->runs);
    gr_status status = ended && solved
                           ? GR_OK
                           : gr_fail(error, GR_NO_MEMORY, "no memory for the tables of %u run%s",
                                     o->runs, gr_s(o->runs));
    for (uint32_t r = 0; !status && r < o->runs; r++) {
        ended[r] = l->course[r].generations;
        solved[r] = o->best[r].solved != 0;
    }
    if (!status)
        status = gr_curves_settle(l->curves, ended, solved, l->tables, l->cell, error);
    free(ended);
    free(solved);
    return status;
}

static gr_status put_end(gr_ledger *l, const gr_outcome *o, gr_error *error) {
    gr_run_report report;
    gr_run_look(l->run, &report);
    gr_status status = put_waiting(l, error);
    if (!status)
        status = settle(l, o, error);
    for (uint32_t r = 0; !status && r < o->runs; r++)
        status = put_run(l, &o->best[r], gr_state_name(o->state), error);
    if (!status)
        status = put_programs(l, error);
    if (!status)
        status = put_success(l, o, &report, error);
    if (!status)
        status = put_outcomes(l, o, error);
    return status ? status : put_cell(l, o, &report, error);
}

gr_status gr_ledger_finish(gr_ledger *l, const gr_outcome *outcome, gr_error *error) {
    if (!l->failure.status && !gr_curves_end(l->curves))
        gr_fail(&l->failure, GR_NO_MEMORY, "no memory for the generations of %u run%s", l->p.runs,
                gr_s(l->p.runs));
    if (l->failure.status) {
        *error = l->failure;
        return l->failure.status;
    }
    gr_status status = gr_tables_begin(l->tables, error);
    return status ? status : gr_tables_end(l->tables, put_end(l, outcome, error), error);
}
