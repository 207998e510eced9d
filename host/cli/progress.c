#include "host/cli/progress.h"
#include "gpu/backend/clock.h"
#include "host/base/json.h"
#include "host/cli/watch.h"
#include "host/problem/shown_fitness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE = 512 };

struct gr_progress {
    gr_run *run;
    gr_progress_form form;
    gr_screen *screen; /* of GR_PROGRESS_WATCH; NULL: lines */
    int early;         /* what is known is of an epoch that goes on */
    int live;          /* a terminal */
    double interval;   /* least seconds between two lines */
    double started, shown;
    uint32_t metric;
    uint32_t runs, generations;
    uint32_t from;       /* the generation that it was resumed after */
    uint32_t generation; /* the last one with statistics, summed over runs: */
    uint32_t reporting;  /* runs that took part in it */
    uint32_t finite;     /* of them with a mean */
    double mean, size, valid, individuals;
    int known;
    double best, test; /* over all runs and generations */
    uint8_t *solved;   /* [runs], NULL without a target */
    double target;
    uint32_t solved_count;
};

/* What is known of a run that was resumed: runs that have ended tell nothing more. */
static void take_up(gr_progress *p) {
    gr_run_report report;
    gr_best *best;
    uint32_t leader;
    gr_run_look(p->run, &report);
    if (!report.selected || gr_run_all_best(p->run, &best, &leader, NULL))
        return;
    p->from = report.generation;
    p->known = 1;
    p->best = best[leader].train;
    p->test = best[leader].test;
    for (uint32_t r = 0; r < p->runs; r++) {
        if (p->solved && best[r].solved)
            p->solved_count += p->solved[r] = 1;
        gr_best_free(&best[r]);
    }
    free(best);
}

gr_progress *gr_progress_start(const gr_settings *settings, gr_run *run, gr_progress_form form) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_progress *progress = settings->quiet ? NULL : calloc(1, sizeof *progress);
    if (!progress)
        return NULL;
    progress->run = run;
    progress->form = form;
    progress->live = form == GR_PROGRESS_LINES && isatty(STDERR_FILENO);
    if (form == GR_PROGRESS_WATCH)
        progress->screen = gr_screen_open(settings, run);
    progress->interval = progress->live || progress->screen ? 0.1 : settings->progress;
    progress->started = progress->shown = gr_seconds_now();
    progress->metric = p->metric;
    progress->runs = p->runs;
    progress->generations = gr_run_generations(p);
    progress->target = settings->target_fitness;
    progress->solved = p->stop_at_target ? calloc(p->runs, 1) : NULL;
    take_up(progress);
    return progress;
}

static void take(gr_progress *p, const gr_generation *g) {
    if (p->screen)
        gr_screen_generation(p->screen, g);
    if (g->generation != p->generation || !p->reporting) {
        p->generation = g->generation;
        p->reporting = p->finite = 0;
        p->mean = p->size = p->valid = p->individuals = 0.0;
    }
    p->reporting++;
    if (!isnan(g->mean)) {
        p->finite++;
        p->mean += g->mean;
    }
    double valid = (double)g->by_validity[GR_VALID];
    p->valid += valid;
    p->individuals += (double)g->individuals;
    p->size += valid > 0.0 ? g->size[GR_SIZE_NODES].mean * valid : 0.0;
    if (!p->known || gr_is_better(p->metric, g->best_ever, p->best)) {
        p->known = 1;
        p->best = g->best_ever;
        p->test = g->test;
    }
    if (p->solved && !p->solved[g->run] && gr_is_at_target(p->metric, g->best_ever, p->target))
        p->solved_count += p->solved[g->run] = 1;
}

void gr_progress_generation(gr_progress *p, const gr_generation *g) {
    if (!p)
        return;
    if (p->early) /* this is where it ended, all of it new */
        p->early = 0, p->reporting = 0;
    take(p, g);
}

void gr_progress_early(gr_progress *p, const gr_generation *g) {
    if (!p)
        return;
    p->early = 1;
    take(p, g);
}

void gr_print_duration(double seconds, char *out, size_t size) {
    if (seconds >= 3600.0)
        snprintf(out, size, "%.0f h %02.0f min", floor(seconds / 3600.0),
                 floor(fmod(seconds, 3600.0) / 60.0));
    else if (seconds >= 60.0)
        snprintf(out, size, "%.0f min %02.0f s", floor(seconds / 60.0), fmod(seconds, 60.0));
    else
        snprintf(out, size, "%.1f s", seconds);
}

/* Adds to a line. */
__attribute__((format(printf, 2, 3))) static void add(char *line, const char *format, ...) {
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, LINE - length, format, arguments);
    va_end(arguments);
}

/* Of the epochs so far; in the first one by the time that has passed. */
static double rate_of(const gr_progress *p) {
    gr_run_report report;
    gr_run_look(p->run, &report);
    double passed = gr_seconds_now() - p->started;
    return report.executed > 0.0 ? gr_run_gpops(&report)
           : passed > 0.0        ? report.early / passed * 1e-9
                                 : 0.0;
}

/* Seconds, by those of the generations since it began or was resumed; NaN after none. */
static double left_of(const gr_progress *p, uint32_t generation) {
    double passed = gr_seconds_now() - p->started;
    return generation > p->from
               ? passed / (double)(generation - p->from) * (double)(p->generations - generation)
               : (double)NAN;
}

static void print_json(const gr_progress *p, uint32_t generation) {
    cJSON *object = cJSON_CreateObject();
    gr_json_add_whole(object, "generation", generation);
    gr_json_add_whole(object, "generations", p->generations);
    gr_json_add_float(object, "seconds", gr_seconds_now() - p->started);
    gr_json_add_float(object, "seconds_left", left_of(p, generation));
    gr_json_add_float(object, "best", p->known ? p->best : (double)NAN);
    gr_json_add_float(object, "test", p->known ? p->test : (double)NAN);
    gr_json_add_float(object, "mean", p->finite ? p->mean / (double)p->finite : (double)NAN);
    gr_json_add_float(object, "valid",
                      p->individuals > 0.0 ? p->valid / p->individuals : (double)NAN);
    gr_json_add_float(object, "size", p->valid > 0.0 ? p->size / p->valid : (double)NAN);
    gr_json_add_whole(object, "runs", p->runs);
    if (p->solved)
        gr_json_add_whole(object, "solved", p->solved_count);
    gr_json_add_float(object, "gpops", rate_of(p));
    gr_json_write(object, 0, stderr, "standard error", NULL);
    cJSON_Delete(object);
}

static void print_line(const gr_progress *p, uint32_t generation, char *line) {
    char left[64];
    *line = '\0';
    add(line, "generation %u/%u", generation, p->generations);
    if (generation > p->from &&
        generation < p->generations) { /* early in the line: a narrow terminal cuts its end */
        gr_print_duration(left_of(p, generation), left, sizeof left);
        add(line, "  %s left", left);
    }
    if (p->reporting)
        add(line, "  best %.5g", p->best);
    if (p->reporting && !isnan(p->test))
        add(line, "  test %.5g", p->test);
    if (p->finite)
        add(line, "  mean %.4g", p->mean / (double)p->finite);
    if (p->reporting)
        add(line, "  valid %.3g %%  size %.1f", 100.0 * p->valid / p->individuals,
            p->valid > 0.0 ? p->size / p->valid : 0.0);
    if (p->runs > 1 && p->solved)
        add(line, "  solved %u/%u", p->solved_count, p->runs);
    else if (p->runs > 1)
        add(line, "  %u runs", p->runs);
    if (rate_of(p) > 0.0)
        add(line, "  %.3g GPop/s", rate_of(p));
}

void gr_renew_line(const char *line) {
    struct winsize window = {0};
    ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
    int width = window.ws_col > 1 ? window.ws_col - 1 : 79; /* a full line would wrap */
    fprintf(stderr, "\r%.*s\033[K", width, line);
    fflush(stderr);
}

static void show(gr_progress *p, uint32_t generation) {
    char line[LINE];
    print_line(p, generation, line);
    p->shown = gr_seconds_now();
    if (p->screen) {
        gr_screen_show(p->screen, line);
        return;
    }
    if (p->form == GR_PROGRESS_JSON) {
        print_json(p, generation);
        return;
    }
    if (!p->live) {
        fprintf(stderr, "%s\n", line);
        return;
    }
    gr_renew_line(line);
}

/* Between epochs a terminal may at least see the generations pass, others what is known early. */
void gr_progress_tick(gr_progress *p, uint32_t generation) {
    if (p && (p->live || p->screen || p->early) && gr_seconds_now() - p->shown >= p->interval)
        show(p, generation);
}

void gr_progress_epoch(gr_progress *p) {
    if (p && p->screen)
        gr_screen_best(p->screen);
    if (p && p->reporting && gr_seconds_now() - p->shown >= p->interval)
        show(p, p->generation);
}

void gr_progress_end(gr_progress *p) {
    if (!p)
        return;
    if (p->form == GR_PROGRESS_JSON && p->reporting) /* however short it was */
        print_json(p, p->generation);
    gr_screen_close(p->screen);
    if (p->live)
        fputs("\r\033[K", stderr);
    free(p->solved);
    free(p);
}
