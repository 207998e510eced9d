/* The results of one command: its tables, as text, and best.json. */
#include "host/base/output.h"
#include "host/base/spread.h"
#include "host/base/text.h"
#include "host/inference/inference.h"
#include "host/report/load.h"
#include "host/run/finished.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const gr_report_measures[] = {
    "best_ever",     "best_fitness",   "ave_fitness",       "test_fitness",
    "valid",         "out_of_codons",  "too_deep",          "too_large",
    "no_expression", "nonfinite",      "best_nodes",        "ave_tree_nodes",
    "best_depth",    "ave_tree_depth", "ave_used_codons",   "genotypes",
    "phenotypes",    "fitnesses",      "fitness_entropy",   "like_parent",
    "invalids",      "time",           "ave_genome_length", NULL};

/* ---- tables of text ---- */

/* A table of numbers between tabs, a line at a time; the head is read first. */
typedef struct reader {
    FILE *file;
    char *line, *head;
    size_t size;
} reader;

/* 0: there is no such file, which is no error. */
static int open_table(reader *r, const char *folder, const char *name) {
    char *path = gr_path_join(folder, name);
    *r = (reader){.file = path ? fopen(path, "r") : NULL};
    free(path);
    if (!r->file)
        return 0;
    if (getline(&r->line, &r->size, r->file) > 0) {
        r->line[strcspn(r->line, "\r\n")] = '\0';
        r->head = strdup(r->line);
    }
    return r->head != NULL;
}

static void close_table(reader *r) {
    if (r->file)
        fclose(r->file);
    free(r->line);
    free(r->head);
    *r = (reader){0};
}

/* The number of a column, or -1. */
static int column_of(const reader *r, const char *name) {
    int column = 0;
    size_t length = strlen(name);
    for (const char *at = r->head;; column++) {
        size_t n = strcspn(at, "\t");
        if (n == length && memcmp(at, name, n) == 0)
            return column;
        if (!at[n])
            return -1;
        at += n + 1;
    }
}

/* The next row as numbers in value[count]; what is no number is NaN. 0: the end, or a cut line. */
static int next_row(reader *r, double *value, int count) {
    ssize_t n = getline(&r->line, &r->size, r->file);
    char *at = r->line, *end;
    if (n <= 0 || r->line[n - 1] != '\n')
        return 0;
    for (int k = 0; k < count; k++) {
        int there = at && *at != '\t' && *at != '\n'; /* strtod would go on to the next field */
        value[k] = there ? strtod(at, &end) : (double)NAN;
        if (there && end == at)
            value[k] = (double)NAN;
        at = at ? strchr(at, '\t') : NULL;
        at = at ? at + 1 : NULL;
    }
    return 1;
}

static int columns_in(const reader *r) {
    int columns = 1;
    for (const char *at = r->head; (at = strchr(at, '\t')); at++)
        columns++;
    return columns;
}

/* ---- statistics.tsv ---- */

/* Values of the measures by run and by point of the curves. */
typedef struct grid {
    uint32_t runs, points, step, last; /* generations from point to point, and the last one */
    int measures, column[GR_MOST_CURVES];
    const char *name[GR_MOST_CURVES];
    float *value;   /* [measures][runs][points] */
    uint32_t *rows; /* [runs] points up to that of its last row */
} grid;

static float *cell_of(const grid *g, int measure, uint32_t run, uint32_t point) {
    return g->value + ((size_t)measure * g->runs + run) * g->points + point;
}

static gr_status no_memory(const char *folder, gr_error *error) {
    return gr_fail(error, GR_NO_MEMORY, "%s: no memory for a report of it", folder);
}

/* Reads the rows; a run that has ended keeps its last values, where before there was no number
 * there is none. Of generations that are not drawn the next one that is has the values, over which
 * its own come: where a run ended they stay. */
static void fill_grid(reader *r, grid *g, double *row, int columns) {
    int run_at = column_of(r, "run"), gen_at = column_of(r, "gen");
    while (next_row(r, row, columns)) {
        double run = row[run_at], gen = row[gen_at];
        if (!(run >= 0.0 && run < g->runs && gen >= 0.0 && gen <= (double)g->last))
            continue;
        uint32_t point = ((uint32_t)gen + g->step - 1) / g->step;
        for (int m = 0; m < g->measures; m++)
            *cell_of(g, m, (uint32_t)run, point) = (float)row[g->column[m]];
        g->rows[(uint32_t)run] = gr_max_u32(g->rows[(uint32_t)run], point + 1);
    }
    for (int m = 0; m < g->measures; m++)
        for (uint32_t run = 0; run < g->runs; run++)
            for (uint32_t p = g->rows[run]; p && p < g->points; p++)
                *cell_of(g, m, run, p) = *cell_of(g, m, run, p - 1);
}

static double generation_of(const grid *g, uint32_t point) {
    return (double)gr_min_u32(point * g->step, g->last);
}

static int make_curve(gr_report_cell *c, const grid *g, int m, double *scratch) {
    gr_curve *curve = gr_add_curve(c, g->name[m], g->points);
    if (!curve)
        return 0;
    for (uint32_t p = 0; p < g->points; p++) {
        uint32_t n = 0;
        for (uint32_t run = 0; run < g->runs; run++)
            if (!isnan(*cell_of(g, m, run, p)))
                scratch[n++] = (double)*cell_of(g, m, run, p);
        gr_spread s = gr_spread_of(scratch, n); /* of none not a number: a gap */
        double *at = curve->at + (size_t)curve->count++ * GR_CURVE;
        at[GR_CURVE_GEN] = generation_of(g, p);
        at[GR_CURVE_LOW] = s.quartile[0];
        at[GR_CURVE_MEDIAN] = s.quartile[1];
        at[GR_CURVE_HIGH] = s.quartile[2];
    }
    return 1;
}

static int make_lines(gr_report_cell *c, const grid *g, int m) {
    for (uint32_t run = 0; run < g->runs && run < GR_MOST_LINES; run++) {
        gr_line *line = &c->line[c->lines];
        if (!(line->at = malloc((2ull * g->points + 1) * sizeof *line->at)))
            return 0;
        c->lines++;
        for (uint32_t p = 0; p < g->points; p++) {
            line->at[2 * line->count] = generation_of(g, p);
            line->at[2 * line->count++ + 1] = (double)*cell_of(g, m, run, p);
        }
    }
    return 1;
}

static gr_status read_statistics(const char *folder, uint32_t generations, gr_report_cell *c,
                                 gr_error *error) {
    reader r;
    if (!open_table(&r, folder, "statistics.tsv"))
        return GR_OK;
    int columns = columns_in(&r), good = 0;
    grid g = {.runs = c->runs, .step = gr_report_step(generations), .last = generations};
    g.points = (generations + g.step - 1) / g.step + 1;
    for (int k = 0; gr_report_measures[k]; k++)
        if ((g.column[g.measures] = column_of(&r, gr_report_measures[k])) >= 0)
            g.name[g.measures++] = gr_report_measures[k];
    size_t count = (size_t)g.measures * g.runs * g.points;
    double *row = malloc((size_t)columns * sizeof *row),
           *scratch = malloc(g.runs * sizeof *scratch);
    g.value = malloc((count + 1) * sizeof *g.value);
    g.rows = calloc(g.runs + 1ull, sizeof *g.rows);
    int there = row && scratch && g.value && g.rows;
    if (there && column_of(&r, "run") >= 0 && column_of(&r, "gen") >= 0) {
        for (size_t i = 0; i < count; i++)
            g.value[i] = NAN;
        fill_grid(&r, &g, row, columns);
        good = 1;
        for (int m = 0; m < g.measures && good; m++)
            good = make_curve(c, &g, m, scratch) && (m || make_lines(c, &g, 0));
    }
    int lacks = there && !good && !c->curves;
    free(row);
    free(scratch);
    free(g.value);
    free(g.rows);
    close_table(&r);
    return good || lacks ? GR_OK : no_memory(folder, error);
}

/* ---- summary.tsv ---- */

static gr_status read_summary(const char *folder, uint32_t generations, gr_report_cell *c,
                              gr_error *error) {
    static const char *const endings[] = {"lower_quartile", "median", "upper_quartile"};
    reader r;
    if (c->curves || !open_table(&r, folder, "summary.tsv"))
        return GR_OK;
    int columns = columns_in(&r), gen_at = column_of(&r, "gen"), at[GR_MOST_CURVES][3];
    uint32_t points = generations / gr_report_step(generations) + 2;
    double *row = malloc((size_t)columns * sizeof *row);
    int good = row != NULL && gen_at >= 0;
    for (int k = 0; good && gr_report_measures[k]; k++) {
        char name[80];
        for (int e = 0; e < 3; e++) {
            snprintf(name, sizeof name, "%s_%s", gr_report_measures[k], endings[e]);
            at[c->curves][e] = column_of(&r, name);
        }
        if (at[c->curves][0] >= 0)
            good = gr_add_curve(c, gr_report_measures[k], points) != NULL;
    }
    while (good && next_row(&r, row, columns))
        for (uint32_t k = 0; gr_is_drawn((uint32_t)row[gen_at], generations) && k < c->curves;
             k++) {
            gr_curve *curve = &c->curve[k];
            if (curve->count == points)
                continue;
            double *to = curve->at + (size_t)curve->count++ * GR_CURVE;
            to[GR_CURVE_GEN] = row[gen_at];
            for (int e = 0; e < 3; e++)
                to[GR_CURVE_LOW + e] = row[at[k][e]];
        }
    free(row);
    close_table(&r);
    return good || gen_at < 0 ? GR_OK : no_memory(folder, error);
}

/* ---- runs ---- */

static int make_ends(gr_report_cell *c) {
    int good = 1;
    for (int k = 0; k < GR_ENDS; k++)
        good &= (c->end[k].value = malloc((c->runs + 1) * sizeof(double))) != NULL;
    return good;
}

static void add_end(gr_report_cell *c, int which, double value) {
    if (!isnan(value) && c->end[which].count < c->runs)
        c->end[which].value[c->end[which].count++] = value;
}

/* Generations in which runs were solved, as a curve. */
static gr_status make_success(gr_report_cell *c, const uint32_t *solved, uint32_t generations,
                              gr_error *error) {
    uint32_t points = generations / gr_report_step(generations) + 2, done = 0;
    c->success = malloc((size_t)points * GR_SUCCESS * sizeof *c->success);
    if (!c->success)
        return no_memory(c->source, error);
    for (uint32_t gen = 0; gen <= generations; gen++) {
        done += solved[gen];
        if (!gr_is_drawn(gen, generations))
            continue;
        gr_interval interval = gr_wilson(done, c->runs);
        double *at = c->success + (size_t)c->successes++ * GR_SUCCESS;
        at[GR_SUCCESS_GEN] = gen;
        at[GR_SUCCESS_RATE] = (double)done / (double)c->runs;
        at[GR_SUCCESS_LOW] = interval.low;
        at[GR_SUCCESS_HIGH] = interval.high;
    }
    gr_interval interval = gr_wilson(c->solved, c->runs);
    c->rate[0] = (double)c->solved / (double)c->runs;
    c->rate[1] = interval.low;
    c->rate[2] = interval.high;
    return GR_OK;
}

static gr_status read_runs(const char *folder, const cJSON *best, uint32_t generations,
                           gr_report_cell *c, gr_error *error) {
    reader r;
    uint32_t *solved = calloc(generations + 2ull, sizeof *solved);
    double row[8];
    if (!solved || !make_ends(c)) {
        free(solved);
        return no_memory(folder, error);
    }
    if (open_table(&r, folder, "runs.tsv")) {
        while (next_row(&r, row, 8)) { /* run seed generation fitness test solved size depth */
            add_end(c, GR_END_FITNESS, row[3]);
            add_end(c, GR_END_TEST, row[4]);
            add_end(c, GR_END_NODES, row[6]);
            c->solved += row[5] == 1.0;
            if (row[5] == 1.0 && row[2] <= generations)
                solved[(uint32_t)row[2]]++;
        }
        close_table(&r);
    } else if (c->runs > 1) { /* not done: the one that leads is all there is */
        c->has_target = 0;
    } else {
        add_end(c, GR_END_FITNESS, gr_finished_number(best, "fitness", (double)NAN));
        add_end(c, GR_END_TEST, gr_finished_number(best, "test_fitness", (double)NAN));
        add_end(c, GR_END_NODES, gr_finished_number(best, "size", (double)NAN));
        c->solved = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(best, "solved")) != 0;
        if (c->solved)
            solved[gr_min_u32(generations, c->found)]++;
    }
    gr_status status = c->has_target ? make_success(c, solved, generations, error) : GR_OK;
    free(solved);
    return status;
}

/* ---- front.tsv ---- */

/* The first two columns that are objectives: those behind `rank`, `nodes` and the like are not
 * looked for; a front has a column for every objective, in the order of the settings. */
static gr_status read_front(const char *folder, gr_report_cell *c, gr_error *error) {
    static const char *const others[] = {"run", "index", "place", "rank", "expression", "crowding"};
    reader r;
    double row[64];
    int at[2] = {-1, -1}, found = 0, column = 0;
    if (!open_table(&r, folder, "front.tsv"))
        return GR_OK;
    for (const char *head = r.head; found < 2 && column < 64; column++) {
        size_t n = strcspn(head, "\t");
        int other = 0;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            other |= strlen(others[k]) == n && memcmp(head, others[k], n) == 0;
        if (!other) {
            snprintf(c->front_name[found], sizeof c->front_name[0], "%.*s",
                     gr_text_fits(head, n, 60), head);
            at[found++] = column;
        }
        if (!head[n])
            break;
        head += n + 1;
    }
    while (found == 2 && next_row(&r, row, at[1] + 1)) {
        double *more = realloc(c->front, (c->fronts + 1ull) * 2 * sizeof *more);
        if (!more) {
            close_table(&r);
            return no_memory(folder, error);
        }
        c->front = more;
        more[2 * c->fronts] = row[at[0]];
        more[2 * c->fronts++ + 1] = row[at[1]];
    }
    close_table(&r);
    return GR_OK;
}

/* ---- programs.tsv ---- */

/* Fitness on the sample and on the test cases, of programs that have both; of many every second,
 * third, ... */
static gr_status read_samples(const char *folder, gr_report_cell *c, gr_error *error) {
    reader r;
    double row[64];
    uint32_t room = 0, number = 0, step = 1;
    if (!open_table(&r, folder, "programs.tsv"))
        return GR_OK;
    int test = column_of(&r, "test_fitness"), sample = column_of(&r, "sample_fitness");
    int columns = test > sample ? test + 1 : sample + 1, good = 1;
    if (test < 0 || sample < 0 || columns > 64)
        columns = 0;
    for (; good && columns && next_row(&r, row, columns); number++) {
        if (number % step || !isfinite(row[test]) || !isfinite(row[sample]))
            continue;
        if (c->samples == GR_MOST_SAMPLES) { /* half of them is enough */
            for (uint32_t k = 0; k < 2 * (c->samples / 2); k++)
                c->sample[k] = c->sample[k / 2 * 4 + k % 2];
            c->samples /= 2;
            step *= 2;
        }
        if (c->samples == room) {
            double *more = realloc(c->sample, ((room = 2 * room + 64)) * 2ull * sizeof *more);
            if (!(good = more != NULL))
                break;
            c->sample = more;
        }
        c->sample[2 * c->samples] = row[sample];
        c->sample[2 * c->samples++ + 1] = row[test];
    }
    close_table(&r);
    return good ? GR_OK : no_memory(folder, error);
}

/* ---- a folder ---- */

static const char *text_of(const cJSON *best, const char *name, const char *otherwise) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(best, name));
    return text ? text : otherwise;
}

/* Name and time of a run, the last two names of its path; *length: of the name, which may have
 * spaces. */
static char *label_of(const char *folder, const cJSON *best, int *length) {
    char label[160];
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/')
        n--;
    size_t from = n;
    while (from && folder[from - 1] != '/')
        from--;
    const char *name = text_of(best, "name", "run");
    int room = n - from < 80 ? (int)(n - from) : gr_text_room(folder + from, 80);
    *length = gr_text_room(name, 60);
    snprintf(label, sizeof label, "%.*s %.*s", *length, name, room, folder + from);
    return strdup(label);
}

/* The cell without its tables. */
static gr_status describe(const char *folder, gr_finished *f, gr_report_cell *c, gr_error *error) {
    const cJSON *best = f->best, *summary = cJSON_GetObjectItemCaseSensitive(best, "summary");
    c->label = label_of(folder, best, &c->name);
    c->source = strdup(folder);
    c->metric = strdup(text_of(best, "metric", "fitness"));
    const char *infix = text_of(best, "infix", NULL);
    c->expression = infix ? strdup(infix) : NULL;
    if (!c->label || !c->source || !c->metric || (infix && !c->expression))
        return no_memory(folder, error);
    c->maximised = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(best, "maximised"));
    c->has_target = cJSON_HasObjectItem(best, "solved");
    c->runs = (uint32_t)gr_finished_number(summary, "runs", f->settled ? f->settings.runs : 1.0);
    c->last_generation = (uint32_t)gr_finished_number(best, "generations", 0.0);
    c->found = (uint32_t)gr_finished_number(best, "generation", 0.0);
    c->fitness = gr_finished_number(best, "fitness", (double)NAN);
    c->test_fitness = gr_finished_number(best, "test_fitness", (double)NAN);
    c->scaled = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(best, "slope"));
    c->intercept = gr_finished_number(best, "intercept", 0.0);
    c->slope = gr_finished_number(best, "slope", 1.0);
    c->seconds = gr_finished_number(best, "seconds", (double)NAN);
    if (f->settled) {
        c->settings = f->settings;
        c->settled = 1;
        c->set[0] = f->train;
        c->set[1] = f->test;
        f->settings = (gr_settings){0};
        f->train = f->test = (gr_dataset){0};
        f->settled = 0;
        c->target = c->settings.target_fitness;
    }
    return GR_OK;
}

gr_status gr_load_folder(const char *folder, gr_report *report, gr_error *error) {
    gr_finished f;
    gr_status status = gr_finished_open(folder, &f, error);
    if (status)
        return status;
    report->changed += f.changed != 0;
    gr_report_cell *c = gr_report_add_cell(report);
    status = c ? describe(folder, &f, c, error) : no_memory(folder, error);
    report->undone += strcmp(text_of(f.best, "state", "done"), "done") != 0;
    uint32_t generations = c ? gr_min_u32(c->last_generation, 1u << 24) : 0;
    if (!status)
        status = read_statistics(folder, generations, c, error);
    if (!status)
        status = read_summary(folder, generations, c, error);
    if (!status)
        status = read_runs(folder, f.best, generations, c, error);
    if (!status)
        status = read_front(folder, c, error);
    if (!status)
        status = read_samples(folder, c, error);
    gr_finished_free(&f);
    return status;
}
