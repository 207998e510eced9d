/* grampus experiment: many runs of many settings, as a file says; their tables and tests. */
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/cli/progress.h"
#include "host/cli/signals.h"
#include "host/experiment/compare.h"
#include "host/experiment/conduct.h"
#include "host/experiment/csv.h"
#include "host/experiment/json.h"
#include "host/spread/processes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "usage: grampus experiment FILE | FOLDER [--dry-run] [--jobs N] [--output FOLDER] [--quiet] "
    "[--json]\n"
    "       grampus experiment FOLDER --compare [--json] | --csv\n\n"
    "Runs every combination of settings that FILE names (host/experiment/README.md has the form), "
    "each with its\nruns, into <output>/<name>/results.sqlite. Started again, with FILE or its "
    "folder, it goes on where it\nwas: cells that are done are skipped.\n\n"
    "  --dry-run        list the cells with memory and estimated time, run nothing\n"
    "  --jobs N         cells side by side; default: as many as there are processors, where there "
    "is a GPU\n                   four or more\n"
    "  --output FOLDER  where the folder of the experiment is made; default: the setting output\n"
    "  --quiet          no progress, no tables\n"
    "  --compare        print what the tables of a folder say: rates, medians, tests between "
    "cells\n"
    "  --csv            write the tables of a folder (of an experiment, or of a run with --sqlite) "
    "as TABLE.csv\n"
    "  --json           one object in place of what is printed; its tables are those of "
    "host/experiment/schema.sql\n"
    "  -h, --help       this text\n";

typedef struct asked {
    const char *path, *output;
    int dry, csv, compare, quiet, json, help;
    uint32_t jobs;
} asked;

/* The options, and beside them one file or folder. */
static gr_status take_arguments(int argc, char **argv, asked *a, gr_error *error) {
    const char *jobs = NULL;
    const gr_option options[] = {
        {"dry-run", NULL, &a->dry}, {"csv", NULL, &a->csv},   {"compare", NULL, &a->compare},
        {"quiet", NULL, &a->quiet}, {"help", NULL, &a->help}, {"output", &a->output, NULL},
        {"jobs", &jobs, NULL},      {"json", NULL, &a->json}, {NULL, NULL, NULL},
    };
    gr_status status = gr_options_and_files(argc, argv, options, &a->path, 1, error);
    if (!status)
        status = gr_option_whole("jobs", jobs, 1, 4096, &a->jobs, error);
    if (!status)
        status = gr_option_folder("output", a->output, error);
    if (!status && !a->path && !a->help)
        status = gr_fail(error, GR_BAD_INPUT,
                         "no experiment; expected grampus experiment FILE, or its folder");
    if (!status && a->dry + a->csv + a->compare > 1)
        status = gr_fail(error, GR_BAD_INPUT,
                         "more than one of --dry-run, --csv and --compare; expected one");
    if (!status && a->jobs > 1 && gr_processes())
        status = gr_fail(error, GR_BAD_INPUT,
                         "--jobs %u beside %d processes, which share one cell after the other; "
                         "expected --jobs 1, or GRAMPUS_MPI=0",
                         a->jobs, gr_processes()->size);
    if (!status && a->csv && a->json)
        status = gr_fail(error, GR_BAD_INPUT,
                         "--json beside --csv, which prints nothing; expected one of them");
    if (!status && (a->csv || a->compare) && (a->output || jobs))
        status = gr_fail(error, GR_BAD_INPUT,
                         "--%s beside --%s, which runs nothing; expected it without",
                         a->output ? "output" : "jobs", a->csv ? "csv" : "compare");
    return status;
}

/* ---- as JSON ---- */

static gr_status print_with_tables(cJSON *object, gr_tables *tables, gr_error *error) {
    gr_status status = gr_tables_json(tables, object, error);
    if (!status)
        return gr_json_print(object, error);
    cJSON_Delete(object);
    return status;
}

/* ---- tables of a folder ---- */

static gr_status show_tables(const asked *a, gr_error *error) {
    char *path = gr_tables_path(a->path);
    gr_tables *tables = NULL;
    struct stat facts;
    int folder = stat(a->path, &facts) == 0 && S_ISDIR(facts.st_mode);
    gr_status status = !path ? gr_fail(error, GR_NO_MEMORY, "no memory for a path")
                       : !folder
                           ? gr_fail(error, GR_BAD_INPUT,
                                     "%s: no folder; expected the folder of an experiment", a->path)
                           : gr_tables_look(path, &tables, error);
    if (!status && a->csv)
        status = gr_write_csv(tables, a->path, error);
    else if (!status)
        status = a->json ? print_with_tables(cJSON_CreateObject(), tables, error)
                         : gr_print_comparison(tables, stdout, error);
    gr_tables_close(tables);
    free(path);
    return status;
}

/* ---- without running ---- */

static void print_label(const char *label) {
    char shown[400];
    gr_escape(label, shown, sizeof shown);
    printf("  %s\n", shown);
}

/* What the cells that are left to run come to. */
typedef struct forecast {
    double seconds;
    uint64_t runs;
    uint32_t done, refused;
    gr_error first; /* why the first one is refused */
    cJSON *cells;   /* NULL: they are printed */
} forecast;

/* A cell that is done, or refused (`why`), or of which there is an estimate. */
static void show_cell(const forecast *f, const gr_cell *cell, uint32_t number,
                      const gr_cell_estimate *estimate, const char *why) {
    (void)f;
    printf("%5u  %8u", number, cell->settings.runs);
    if (estimate)
        printf("  %7.1f MB  %10.3g  %-6s", (double)estimate->bytes / 1e6, estimate->seconds,
               estimate->device);
    else
        printf("  %-30s", why ? "refused" : "done");
    print_label(cell->label);
    fflush(stdout);
    if (why)
        fprintf(stderr, "%s\n", why);
}

static void add_cell(const forecast *f, const gr_cell *cell, uint32_t number,
                     const gr_cell_estimate *estimate, const char *why) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_whole(object, "cell", number);
    gr_json_add_text(object, "label", cell->label);
    gr_json_add_whole(object, "runs", cell->settings.runs);
    gr_json_add_text(object, "state", estimate ? "waiting" : why ? "refused" : "done");
    if (estimate) {
        gr_json_add_whole(object, "bytes", estimate->bytes);
        gr_json_add_float(object, "seconds", estimate->seconds);
        gr_json_add_text(object, "device", estimate->device);
    }
    if (why)
        gr_json_add_text(object, "why", why);
    cJSON_AddItemToArray(f->cells, object);
}

static void forecast_cell(forecast *f, const gr_cell *cell, uint32_t number, int done) {
    gr_cell_estimate estimate;
    gr_error why = {GR_OK, ""};
    void (*tell)(const forecast *, const gr_cell *, uint32_t, const gr_cell_estimate *,
                 const char *) = f->cells ? add_cell : show_cell;
    f->done += done != 0;
    if (done) {
        tell(f, cell, number, NULL, NULL);
    } else if (gr_estimate_cell(cell, &estimate, &why)) {
        tell(f, cell, number, NULL, why.text);
        f->first = f->refused++ ? f->first : why;
    } else {
        f->runs += cell->settings.runs;
        f->seconds += estimate.seconds;
        tell(f, cell, number, &estimate, NULL);
    }
}

static void print_forecast(const forecast *f, const gr_experiment *e, uint32_t jobs) {
    uint32_t cells = e->cells.count;
    printf("\n%u cell%s", cells, gr_s(cells));
    if (f->done)
        printf(", %u of them done; left", f->done);
    printf(", %llu run%s, %u at a time: about %.3g s\nresults %s in %s\n",
           (unsigned long long)f->runs, gr_s(f->runs), jobs, f->seconds / jobs,
           f->done ? "are" : "would be", e->folder);
}

static gr_status dry_run(gr_experiment *e, const asked *a, gr_error *error) {
    forecast f = {.first = {GR_OK, ""}};
    uint32_t cells = e->cells.count, jobs = a->jobs;
    gr_status status = gr_experiment_look(e, error);
    if (status)
        return status;
    cJSON *object = a->json ? cJSON_CreateObject() : NULL;
    if (object)
        f.cells = cJSON_AddArrayToObject(object, "cells");
    else
        printf("%5s  %8s  %10s  %10s  %-6s  %s\n", "cell", "runs", "memory", "seconds", "device",
               "label");
    for (uint32_t i = 0; i < cells; i++)
        forecast_cell(&f, &e->cells.cell[i], i + 1, e->done[i]);
    jobs = jobs ? jobs : gr_jobs_for(e);
    if (object) {
        gr_json_add_whole(object, "runs", f.runs);
        gr_json_add_whole(object, "jobs", jobs);
        gr_json_add_float(object, "seconds", f.seconds / jobs);
        gr_json_add_text(object, "folder", e->folder);
        status = gr_json_print(object, error);
    } else
        print_forecast(&f, e, jobs);
    return status      ? status
           : f.refused ? gr_fail(error, f.first.status, "%u of %u cell%s %s refused", f.refused,
                                 cells, gr_s(cells), f.refused == 1 ? "is" : "are")
                       : GR_OK;
}

/* ---- running ---- */

static volatile sig_atomic_t stop;

static void on_stop(void *context) {
    (void)context;
    stop = 1;
}

typedef struct showing {
    int live;
    double interval, next;
} showing;

static void on_tick(void *context, const gr_conducted *c) {
    showing *s = context;
    char left[64] = "", rate[32] = "", line[256];
    if (c->seconds < s->next)
        return;
    s->next = c->seconds + s->interval;
    double fresh = c->share - c->share_before; /* what those seconds went to */
    if (fresh > 0.0 && c->share < 1.0)
        gr_print_duration(c->seconds * (1.0 - c->share) / fresh, left, sizeof left);
    if (c->runs_done > 0.0 && c->seconds > 0.0)
        snprintf(rate, sizeof rate, "  %.3g runs/s", c->runs_done / c->seconds);
    snprintf(line, sizeof line, "cells %u/%u  %.0f %%%s%s%s%s%s", c->done, c->cells,
             100.0 * c->share, rate, *left ? "  " : "", left, *left ? " left" : "",
             c->failed ? "  some failed" : "");
    if (s->live)
        gr_renew_line(line);
    else
        fprintf(stderr, "%s\n", line);
}

static void on_cell(void *context, const gr_cell *cell, const char *why) {
    const showing *s = context;
    char label[300];
    if (!why)
        return;
    gr_escape(cell->label, label, sizeof label);
    fprintf(stderr, "%scell %s failed: %s\n", s->live ? "\r\033[K" : "", label, why);
}

static gr_status print_conducted_json(const gr_experiment *e, const gr_conducted *c,
                                      gr_error *error) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_text(object, "experiment", e->cells.cell->settings.name);
    gr_json_add_whole(object, "done", c->done);
    gr_json_add_whole(object, "skipped", c->skipped);
    gr_json_add_whole(object, "failed", c->failed);
    gr_json_add_text(object, "first_failure", *c->first_failure ? c->first_failure : NULL);
    gr_json_add_float(object, "seconds", c->seconds);
    gr_json_add_text(object, "folder", e->folder);
    return print_with_tables(object, e->tables, error);
}

static gr_status conclude(const asked *a, gr_experiment *e, const gr_conducted *c, gr_status status,
                          gr_error *error) {
    gr_error later = {GR_OK, ""};
    gr_status compared = gr_compare(e->tables, &later);
    if (!compared && a->json)
        compared = print_conducted_json(e, c, &later);
    if (!status && compared) {
        *error = later;
        status = compared;
    }
    if (!compared && !a->quiet && !a->json)
        compared = gr_print_comparison(e->tables, stdout, &later);
    if (!a->quiet && !a->json)
        printf("%s%u of %u cell%s done%s, %u failed, %.3f s\nresults     %s\n",
               compared ? "" : "\n", c->done, c->cells, gr_s(c->cells),
               c->skipped ? " (some before)" : "", c->failed, c->seconds, e->folder);
    if (!status && c->failed)
        return gr_fail(error, GR_FAILED, "%u of %u cell%s failed; the first: %s", c->failed,
                       c->cells, gr_s(c->cells), c->first_failure);
    if (status == GR_STOPPED)
        error->text[0] = '\0'; /* it was asked for */
    return status;
}

static gr_status conduct(const asked *a, gr_experiment *e, gr_error *error) {
    showing s = {.live = isatty(STDERR_FILENO)};
    gr_conduct_plan plan = {.jobs = a->jobs, .stop = &stop, .context = &s, .cell = on_cell};
    gr_conducted conducted;
    s.interval = s.live ? 0.1 : 1.0;
    s.next = s.interval;
    if (!a->quiet)
        plan.tick = on_tick;
    gr_signals_call(on_stop, NULL); /* before anything is written, which would be left behind */
    gr_status status = gr_experiment_open(e, error);
    if (status)
        return status;
    if (!a->quiet && !a->json) {
        printf("experiment  %s: %u cell%s\n\n", e->cells.cell->settings.name, e->cells.count,
               gr_s(e->cells.count));
        fflush(stdout);
    }
    status = gr_conduct(e, &plan, &conducted, error);
    if (s.live && !a->quiet)
        fputs("\r\033[K", stderr);
    status = conclude(a, e, &conducted, status, error);
    gr_signals_call(NULL, NULL);
    return status;
}

gr_status gr_command_experiment(int argc, char **argv, gr_error *error) {
    asked a = {0};
    gr_experiment e;
    gr_status status = take_arguments(argc, argv, &a, error);
    if (status)
        return status;
    if (a.help) {
        fputs(usage, stdout);
        return GR_OK;
    }
    if (a.csv || a.compare)
        return show_tables(&a, error);
    gr_signals_watch();
    status = gr_experiment_read(a.path, a.output, &e, error);
    if (status)
        return status;
    status = a.dry ? dry_run(&e, &a, error) : conduct(&a, &e, error);
    gr_experiment_close(&e);
    return status;
}
