#include "host/checkpoint/keeper.h"

#include "gpu/backend/clock.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/run/laws.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char newest_name[] = "checkpoint.h5", older_name[] = "checkpoint.old.h5",
                  fresh_name[] = "checkpoint.new.h5";

struct gr_keeper {
    gr_run *run;
    gr_results *results;
    gr_fingerprint fingerprint;
    double interval, last; /* seconds; last: when one was begun, or the run */
    char *newest, *older, *fresh;
    gr_checkpoint checkpoint; /* being written; its steps stay */
    pthread_t thread;
    int joinable;
    atomic_int busy;
    gr_error error; /* of the last one */
    int told;
    atomic_uint written;
};

/* ---- writing ---- */

/* The file under its own name, when all of it is on the disk; the one before is kept. */
static gr_status publish(const gr_keeper *k, gr_error *error) {
    const char *folder = gr_results_folder(k->results);
    gr_status status = gr_results_sync(k->results, error);
    if (!status && access(k->newest, F_OK) == 0)
        status = gr_rename_file(k->newest, k->older, folder, error);
    return status ? status : gr_rename_file(k->fresh, k->newest, folder, error);
}

static gr_status write_file(gr_keeper *k, gr_error *error) {
    gr_status status = gr_run_await_snapshot(k->run, error);
    unlink(k->fresh); /* of one that did not come to its end */
    if (!status)
        status = gr_checkpoint_write(k->fresh, &k->checkpoint, &gr_run_problem(k->run)->job.params,
                                     &k->fingerprint, error);
    if (!status)
        status = publish(k, error);
    if (status)
        unlink(k->fresh);
    return status;
}

static void *write_beside(void *context) {
    gr_keeper *k = context;
    gr_error error = {GR_OK, ""};
    write_file(k, &error);
    k->error = error;
    k->told = k->told && error.status; /* once, until one is written again */
    k->written += !error.status;
    k->busy = 0;
    return NULL;
}

static void join(gr_keeper *k) {
    if (k->joinable)
        pthread_join(k->thread, NULL);
    k->joinable = 0;
}

/* Signals are for the threads of the program. Where no thread can be had, the run waits. */
static void begin_writing(gr_keeper *k) {
    sigset_t all, before;
    k->busy = 1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    k->joinable = pthread_create(&k->thread, NULL, write_beside, k) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!k->joinable)
        write_beside(k);
}

/* Whether a run that ended should leave a checkpoint: it can go on, or is long. */
static int wanted_at_end(const gr_keeper *k, double now) {
    gr_run_report report;
    gr_run_look(k->run, &report);
    if (!report.selected)
        return 0;
    return report.reason == GR_REQUESTED || report.reason == GR_REACHED_TIME_LIMIT || k->written ||
           k->busy || now - k->last >= k->interval;
}

void gr_keeper_border(gr_keeper *k, int ended) {
    double now = gr_seconds_now();
    gr_error error = {GR_OK, ""};
    if (!k || !(ended ? wanted_at_end(k, now) : now - k->last >= k->interval && !k->busy))
        return;
    join(k);
    gr_status status = gr_results_rest(k->results, &k->checkpoint.writer, &error);
    if (!status)
        status = gr_run_snapshot(k->run, &k->checkpoint.snapshot, &k->checkpoint.tally,
                                 k->checkpoint.steps, &error);
    free(k->checkpoint.laws);
    k->checkpoint.laws = NULL;
    if (!status)
        status = gr_run_save_laws(k->run, &k->checkpoint.laws, &error);
    k->error = error;
    if (!status)
        begin_writing(k);
    k->last = gr_seconds_now();
}

double gr_keeper_due(const gr_keeper *k) {
    return k ? k->last + k->interval - gr_seconds_now() : INFINITY;
}

/* ---- opening and closing ---- */

static void free_keeper(gr_keeper *k) {
    free(k->newest);
    free(k->older);
    free(k->fresh);
    k->checkpoint.snapshot.memory = NULL; /* the engine's */
    gr_checkpoint_free(&k->checkpoint);
    free(k);
}

/* Room for what is copied besides the engine's state. */
static int take_arrays(const gr_settings *settings, gr_checkpoint *c) {
    size_t runs = settings->runs;
    c->steps = calloc(runs, sizeof *c->steps);
    if (settings->statistics != GR_STATISTICS_SUMMARY)
        return c->steps != NULL;
    c->writer.summary.last =
        calloc(runs * gr_summary_measures(settings->diversity), sizeof *c->writer.summary.last);
    c->writer.summary.solved = calloc(runs, sizeof *c->writer.summary.solved);
    return c->steps && c->writer.summary.last && c->writer.summary.solved;
}

gr_status gr_keeper_open(const gr_settings *settings, gr_run *run, gr_results *results,
                         gr_keeper **keeper, gr_error *error) {
    *keeper = NULL;
    if (!(settings->checkpoint > 0))
        return GR_OK;
    gr_keeper *k = calloc(1, sizeof *k);
    if (!k)
        return gr_fail(error, GR_NO_MEMORY, "no memory for checkpoints");
    const char *folder = gr_results_folder(results);
    k->run = run;
    k->results = results;
    k->interval = settings->checkpoint;
    k->last = gr_seconds_now();
    k->newest = gr_path_join(folder, newest_name);
    k->older = gr_path_join(folder, older_name);
    k->fresh = gr_path_join(folder, fresh_name);
    gr_status status =
        k->newest && k->older && k->fresh && take_arrays(settings, &k->checkpoint)
            ? gr_fingerprint_of(settings, gr_run_problem(run), &k->fingerprint, error)
            : gr_fail(error, GR_NO_MEMORY, "no memory for checkpoints");
    if (status)
        free_keeper(k);
    else
        *keeper = k;
    return status;
}

const char *gr_keeper_warning(gr_keeper *k) {
    if (!k || k->busy || k->told || !k->error.status)
        return NULL;
    k->told = 1;
    return k->error.text;
}

gr_status gr_keeper_close(gr_keeper *k, gr_error *error) {
    if (!k)
        return GR_OK;
    join(k);
    gr_status status = k->error.status;
    if (status)
        gr_fail(error, status, "no checkpoint of the end: %s", k->error.text);
    free_keeper(k);
    return status;
}

/* ---- finding ---- */

typedef struct search {
    const char *folder;
    const gr_settings *settings;
    const gr_run *run;
    gr_fingerprint mine;
} search;

/* A checkpoint that statistics do not reach up to is of no use. */
static gr_status read_one(const search *s, const char *name, gr_checkpoint *checkpoint,
                          int *foreign, gr_error *error) {
    const char *folder = s->folder;
    char *path = gr_path_join(folder, name);
    const gr_params *p = &gr_run_problem(s->run)->job.params;
    if (!path)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    gr_status status = gr_checkpoint_read(path, p, &s->mine, checkpoint, foreign, error);
    if (!status && (status = gr_results_reach(s->settings, folder, &checkpoint->writer, error)))
        gr_checkpoint_free(checkpoint);
    free(path);
    return status;
}

gr_status gr_keeper_find(const char *folder, const gr_settings *settings, const gr_run *run,
                         gr_checkpoint *checkpoint, char said[1024], gr_error *error) {
    search s = {.folder = folder, .settings = settings, .run = run};
    gr_error first = {GR_OK, ""}, second = {GR_OK, ""};
    struct stat facts;
    int foreign;
    *said = 0;
    if (stat(folder, &facts) == 0 && facts.st_mode & S_IWOTH && !(facts.st_mode & S_ISVTX))
        return gr_fail(error, GR_BAD_INPUT,
                       "%s: everybody may write to it; expected a folder that is yours", folder);
    gr_status status = gr_fingerprint_of(settings, gr_run_problem(run), &s.mine, error);
    if (status)
        return status;
    status = read_one(&s, newest_name, checkpoint, &foreign, &first);
    if (!status)
        return GR_OK;
    if (status != GR_BAD_INPUT || foreign)
        return gr_fail(error, status, "%s", first.text);
    if (read_one(&s, older_name, checkpoint, &foreign, &second))
        return gr_fail(error, status, "%s", first.text);
    snprintf(said, 1024, "%.*s; %s is used", GR_CUT(first.text, 900), older_name);
    return GR_OK;
}
