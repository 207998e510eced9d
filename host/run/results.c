#include "host/run/results.h"

#include "gpu/backend/clock.h"
#include "host/base/json.h"
#include "host/base/output.h"
#include "host/run/dumps.h"
#include "host/run/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* clang's has its name in it. */
#if defined(__clang__)
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* Seconds between two bests, and the share of the time that reading them may take. */
#define BEST_EVERY 1.0
#define BEST_SHARE 0.05

struct gr_results {
    const gr_settings *settings;
    gr_run *run;
    char *folder;
    char *table, *ponyge2, *best, *front; /* paths */
    char comment[2048];                   /* of run.yaml, behind the state */
    gr_writer *writer;
    int lock; /* of the folder */
    double started;
    double next_best; /* when the best so far may be told */
    int told;         /* whether it was: */
    uint32_t leader, leading_since;
};

/* ---- the folder ---- */

/* Makes "<parent>/<timestamp>_seed<S>", with -2, -3, ... behind it when that is taken. */
static gr_status make_folder(const char *parent, uint64_t seed, char **folder, gr_error *error) {
    char stamp[32], name[96];
    time_t t = time(NULL);
    struct tm local;
    localtime_r(&t, &local);
    strftime(stamp, sizeof stamp, "%Y%m%d_%H%M%S", &local);
    for (unsigned attempt = 1; attempt < 100000; attempt++) {
        snprintf(name, sizeof name, "%s_seed%llu", stamp, (unsigned long long)seed);
        if (attempt > 1)
            snprintf(name + strlen(name), sizeof name - strlen(name), "-%u", attempt);
        char *path = gr_path_join(parent, name);
        if (!path)
            return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
        if (mkdir(path, 0777) == 0) {
            *folder = path;
            return GR_OK;
        }
        int code = errno;
        free(path);
        if (code != EEXIST)
            return gr_fail(error, GR_FAILED, "cannot make a folder in %s: %s", parent,
                           strerror(code));
    }
    return gr_fail(error, GR_FAILED, "%s is full of results", parent);
}

static void describe(gr_results *r) {
    gr_run_report report;
    char date[64];
    time_t t = time(NULL);
    struct tm local;
    gr_run_look(r->run, &report);
    localtime_r(&t, &local);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", &local);
    snprintf(r->comment, sizeof r->comment,
             "grampus %s, compiled by %s\nstarted %s\ndevice %s (%s)\nmemory %s\n"
             "repeat with: grampus run run.yaml\n",
             GR_VERSION, COMPILER, date, report.engine.device, report.why, report.engine.memory);
}

static gr_status save_settings(const gr_results *r, gr_run_state state, gr_error *error) {
    char comment[sizeof r->comment + 64], *path = gr_path_join(r->folder, "run.yaml");
    gr_run_report report;
    if (!path)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    gr_run_look(r->run, &report);
    snprintf(comment, sizeof comment, "state: %s\n%s%s%s%s", gr_state_name(state),
             state == GR_DONE ? "ended by " : "",
             state == GR_DONE ? gr_reason_name(report.reason) : "", state == GR_DONE ? "\n" : "",
             r->comment);
    gr_status status = gr_settings_save(r->settings, path, comment, error);
    free(path);
    return status;
}

/* ---- while it runs ---- */

static const char *table_of(const gr_settings *settings) {
    return settings->statistics == GR_STATISTICS_SUMMARY ? "summary.tsv" : "statistics.tsv";
}

static int has_table(const gr_settings *s) {
    return s->statistics == GR_STATISTICS_SUMMARY || s->statistics == GR_STATISTICS_ALL;
}

static int has_ponyge2(const gr_settings *s) {
    return s->ponyge2_statistics && s->runs == 1;
}

static gr_status open_writer(gr_results *r, const gr_writer_state *from, gr_error *error) {
    const gr_settings *s = r->settings;
    const gr_params *p = &gr_run_problem(r->run)->job.params;
    int summary = s->statistics == GR_STATISTICS_SUMMARY;
    r->table = gr_path_join(r->folder, table_of(s));
    r->ponyge2 = gr_path_join(r->folder, "stats.tsv");
    r->best = gr_path_join(r->folder, "best.json");
    r->front = gr_path_join(r->folder, "front.tsv");
    if (!r->table || !r->ponyge2 || !r->best || !r->front)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    const gr_writer_plan plan = {
        .statistics = s->statistics == GR_STATISTICS_ALL ? r->table : NULL,
        .summary = summary ? r->table : NULL,
        .ponyge2 = has_ponyge2(s) ? r->ponyge2 : NULL,
        .best = r->best,
        .diversity = s->diversity,
        .fronts = p->objectives > 0,
        .regens = s->mutate_duplicates,
        .runs = s->runs,
        .metric = p->metric,
        .target = s->target_fitness,
        .in_steps = p->steps > 1,
        .threads = s->threads,
        .from = from,
    };
    return gr_writer_open(&plan, &r->writer, error);
}

/* Results without a folder yet. */
static gr_status begin(const gr_settings *settings, gr_run *run, gr_results **results,
                       gr_error *error) {
    gr_results *r = *results = calloc(1, sizeof *r);
    if (!r)
        return gr_fail(error, GR_NO_MEMORY, "no memory for results");
    r->settings = settings;
    r->run = run;
    r->lock = -1;
    r->started = gr_seconds_now();
    r->next_best = r->started + BEST_EVERY;
    describe(r);
    return GR_OK;
}

/* <output>/<name>/... */
static gr_status make_own_folder(gr_results *r, gr_error *error) {
    char *parent = gr_path_join(r->settings->output, r->settings->name);
    gr_status status = parent ? gr_make_folders(parent, error)
                              : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status)
        status = make_folder(parent, r->settings->seed, &r->folder, error);
    free(parent);
    return status;
}

/* One process at a time writes to a folder; the lock goes with it. A file system may have none. */
static gr_status lock_folder(gr_results *r, gr_error *error) {
    r->lock = open(r->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return r->lock >= 0 && flock(r->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
               ? gr_fail(error, GR_FAILED, "%s: a run writes to this folder", r->folder)
               : GR_OK;
}

/* The files of a folder that is there. */
static gr_status open_files(gr_results **results, const gr_writer_state *from, gr_status status,
                            gr_error *error) {
    gr_results *r = *results;
    if (!status)
        status = lock_folder(r, error);
    if (!status)
        status = save_settings(r, GR_RUNNING, error);
    if (!status)
        status = open_writer(r, from, error);
    if (status) {
        gr_results_close(r);
        *results = NULL;
    }
    return status;
}

gr_status gr_results_create(const gr_settings *settings, gr_run *run, gr_results **results,
                            gr_error *error) {
    gr_status status = begin(settings, run, results, error);
    if (!status)
        status = make_own_folder(*results, error);
    return open_files(results, NULL, status, error);
}

/* The beginning of a file in another folder. */
static gr_status take_over(const gr_results *r, const char *from, const char *name, uint64_t length,
                           gr_error *error) {
    char *there = gr_path_join(from, name), *here = gr_path_join(r->folder, name);
    gr_status status = there && here ? gr_copy_file(there, here, length, error)
                                     : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    free(there);
    free(here);
    return status;
}

/* Whether a table that is there can be gone on with: found out before anything is changed. */
static gr_status can_write(const gr_results *r, const char *name, gr_error *error) {
    char *path = gr_path_join(r->folder, name);
    if (!path)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    int file = open(path, O_WRONLY | O_CLOEXEC);
    gr_status status = file >= 0 ? GR_OK : gr_output_fail(path, error);
    if (file >= 0)
        close(file);
    free(path);
    return status;
}

gr_status gr_results_resume(const gr_settings *settings, gr_run *run, const char *from,
                            int in_place, const gr_writer_state *state, gr_results **results,
                            gr_error *error) {
    gr_status status = begin(settings, run, results, error);
    if (status)
        return status;
    gr_results *r = *results;
    if (in_place) {
        r->folder = strdup(from);
        status = r->folder ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
        if (!status && has_table(settings))
            status = can_write(r, table_of(settings), error);
        if (!status && has_ponyge2(settings))
            status = can_write(r, "stats.tsv", error);
    } else {
        status = make_own_folder(r, error);
        if (!status && has_table(settings))
            status = take_over(r, from, table_of(settings), state->table, error);
        if (!status && has_ponyge2(settings))
            status = take_over(r, from, "stats.tsv", state->ponyge2, error);
    }
    status = open_files(results, state, status, error);
    if (!status && (status = gr_dumps_resume(run, settings, from, r->folder, error))) {
        gr_results_close(r);
        *results = NULL;
    }
    return status;
}

static gr_status reaches(const char *folder, const char *name, uint64_t length, gr_error *error) {
    struct stat facts = {0};
    char *path = gr_path_join(folder, name);
    if (!path)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    int there = stat(path, &facts) == 0 && facts.st_size >= 0;
    gr_status status = there && (uint64_t)facts.st_size >= length
                           ? GR_OK
                           : gr_fail(error, GR_BAD_INPUT,
                                     "%s: %lld bytes; expected the %llu that the checkpoint knows",
                                     path, (long long)facts.st_size, (unsigned long long)length);
    free(path);
    return status;
}

gr_status gr_results_reach(const gr_settings *settings, const char *folder,
                           const gr_writer_state *state, gr_error *error) {
    gr_status status = GR_OK;
    if (has_table(settings))
        status = reaches(folder, table_of(settings), state->table, error);
    if (!status && has_ponyge2(settings))
        status = reaches(folder, "stats.tsv", state->ponyge2, error);
    return status;
}

const char *gr_results_folder(const gr_results *results) {
    return results->folder;
}

void gr_results_rows(gr_results *results, gr_rows *rows) {
    gr_writer_rows(results->writer, rows);
}

/* The outcome as best.json has it, malloc'ed. */
static gr_status json_text(const gr_results *r, const gr_outcome *outcome, char **text,
                           size_t *size, gr_error *error) {
    *text = NULL;
    FILE *file = open_memstream(text, size);
    cJSON *json = file ? gr_outcome_json(r->settings, r->run, outcome, r->folder) : NULL;
    gr_status status = file ? gr_json_write(json, 1, file, r->best, error) : GR_NO_MEMORY;
    cJSON_Delete(json);
    if (!file || (fclose(file) != 0 && !status))
        status = gr_fail(error, GR_NO_MEMORY, "%s: no memory to write", r->best);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

/* front.tsv, as a whole. */
static gr_status write_front(const gr_results *r, const gr_front *front, gr_error *error) {
    char *text = NULL;
    size_t size;
    FILE *file = gr_has_front(r->run) ? open_memstream(&text, &size) : NULL;
    gr_status status = GR_OK;
    if (!gr_has_front(r->run))
        return GR_OK;
    if (file)
        gr_front_print(r->run, front, file);
    if (!file || fclose(file) != 0)
        status = gr_fail(error, GR_NO_MEMORY, "%s: no memory to write", r->front);
    if (!status)
        status = gr_replace_file(r->front, text, size, 0, error);
    free(text);
    return status;
}

/* Gives the writer the leader of the runs, if it is a new one; a front always is. */
static gr_status tell_best(gr_results *r, gr_error *error) {
    gr_best leader;
    gr_outcome outcome;
    char *text = NULL;
    size_t size;
    gr_status status = gr_run_leader(r->run, &leader, error);
    if (status || (r->told && !gr_has_front(r->run) && leader.run == r->leader &&
                   leader.generation == r->leading_since))
        return status;
    status = gr_outcome_so_far(r->run, leader.run, &outcome, error);
    if (status)
        return status;
    status = write_front(r, &outcome.front, error);
    if (!status)
        status = json_text(r, &outcome, &text, &size, error);
    gr_outcome_free(&outcome);
    if (status)
        return status;
    gr_writer_best(r->writer, text);
    r->told = 1;
    r->leader = leader.run;
    r->leading_since = leader.generation;
    return GR_OK;
}

gr_status gr_results_epoch(gr_results *r, gr_error *error) {
    double now = gr_seconds_now();
    gr_status status = gr_writer_epoch(r->writer, error);
    if (status || now < r->next_best)
        return status;
    status = tell_best(r, error);
    double took = gr_seconds_now() - now;
    r->next_best = now + (took > BEST_SHARE * BEST_EVERY ? took / BEST_SHARE : BEST_EVERY);
    return status;
}

gr_status gr_results_dump(gr_results *r, gr_error *error) {
    return gr_dump(r->run, r->settings, r->folder, error);
}

gr_status gr_results_rest(gr_results *results, gr_writer_state *state, gr_error *error) {
    return gr_writer_rest(results->writer, state, error);
}

gr_status gr_results_sync(const gr_results *r, gr_error *error) {
    gr_status status = has_table(r->settings) ? gr_sync_path(r->table, error) : GR_OK;
    return status || !has_ponyge2(r->settings) ? status : gr_sync_path(r->ponyge2, error);
}

gr_status gr_results_wait(gr_results *results, gr_error *error) {
    return gr_writer_finish(results->writer, error);
}

/* ---- at its end ---- */

typedef gr_status print_file(gr_results *results, const gr_outcome *outcome, FILE *out,
                             gr_error *error);

static gr_status print_text(gr_results *r, const gr_outcome *outcome, FILE *out, gr_error *error) {
    (void)error;
    gr_outcome_print(r->settings, r->run, outcome, 1, out);
    return GR_OK;
}

static gr_status print_runs(gr_results *r, const gr_outcome *outcome, FILE *out, gr_error *error) {
    (void)r;
    (void)error;
    gr_outcome_print_runs(outcome, out);
    return GR_OK;
}

static gr_status print_programs(gr_results *r, const gr_outcome *outcome, FILE *out,
                                gr_error *error) {
    (void)outcome;
    return gr_write_programs(r->run, r->settings->predictions, out, error);
}

static gr_status write_file(gr_results *r, const gr_outcome *outcome, const char *name,
                            print_file *print, gr_error *error) {
    gr_fresh out;
    gr_status status = gr_fresh_open(&out, r->folder, name, error);
    if (!status)
        status = print(r, outcome, out.file, error);
    return gr_fresh_close(&out, status, error);
}

/* Says what became of the run where it can be found, when all else is written. */
static gr_status write_state(gr_results *r, const gr_outcome *outcome, gr_error *error) {
    char *text;
    size_t size;
    int took_long = gr_seconds_now() - r->started >= BEST_EVERY; /* a disk takes milliseconds */
    gr_status status = json_text(r, outcome, &text, &size, error);
    if (!status)
        status = save_settings(r, outcome->state, error);
    if (!status)
        status = gr_replace_file(r->best, text, size, took_long, error);
    free(text);
    return status;
}

/* What a run that was resumed in its folder had asked for before, and has not any more. */
static gr_status remove_file(const gr_results *r, const char *name, gr_error *error) {
    char *path = gr_path_join(r->folder, name);
    if (!path)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    gr_status status = unlink(path) == 0 || errno == ENOENT ? GR_OK : gr_output_fail(path, error);
    free(path);
    return status;
}

gr_status gr_results_finish(gr_results *r, const gr_outcome *outcome, gr_error *error) {
    gr_outcome stopped = *outcome;
    stopped.state = GR_WAS_STOPPED;
    gr_status status = write_file(r, outcome, "best.txt", print_text, error);
    if (!status && outcome->runs > 1)
        status = write_file(r, outcome, "runs.tsv", print_runs, error);
    if (!status && r->settings->predictions)
        status = write_file(r, outcome, "programs.tsv", print_programs, error);
    else if (!status)
        status = remove_file(r, "programs.tsv", error);
    if (!status)
        status = write_front(r, &outcome->front, error);
    gr_status last = write_state(r, status ? &stopped : outcome, status ? NULL : error);
    if (last)
        gr_results_abandon(r);
    return status ? status : last;
}

void gr_results_abandon(gr_results *results) {
    save_settings(results, GR_WAS_STOPPED, NULL);
}

void gr_results_close(gr_results *results) {
    if (!results)
        return;
    gr_writer_close(results->writer);
    if (results->lock >= 0)
        close(results->lock);
    free(results->front);
    free(results->table);
    free(results->ponyge2);
    free(results->best);
    free(results->folder);
    free(results);
}
