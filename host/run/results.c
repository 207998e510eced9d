#include "host/run/results.h"

#include "host/base/file.h"
#include "host/base/json.h"
#include "host/derivation/phenotype.h"
#include "host/run/ponyge2_statistics.h"
#include "host/run/programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct gr_results {
    char *folder, *statistics_path;
    FILE *statistics;
    char *ponyge2_path; /* stats.tsv, NULL: none */
    FILE *ponyge2;
    gr_ponyge2_statistics so_far;
    uint32_t elites;
};

/* ---- the folder ---- */

/* Makes every folder of a path that is not there yet. */
static gr_status make_folders(const char *path, gr_error *error) {
    char *copy = strdup(path);
    if (!copy)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    gr_status status = GR_OK;
    for (char *at = copy + 1; status == GR_OK; at++) {
        at += strcspn(at, "/");
        char end = *at;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            status =
                gr_fail(error, GR_FAILED, "cannot make the folder %s: %s", copy, strerror(errno));
        *at = end;
        if (!end)
            break;
    }
    free(copy);
    return status;
}

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
        char *path = gr_file_join(parent, name);
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

static gr_status save_settings(const gr_settings *settings, const gr_run *run, const char *folder,
                               gr_error *error) {
    gr_run_report report;
    char comment[2048], date[64];
    time_t t = time(NULL);
    struct tm local;
    gr_run_look(run, &report);
    localtime_r(&t, &local);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", &local);
    snprintf(comment, sizeof comment,
             "grampus %s, compiled by gcc %s\nstarted %s\ndevice %s (%s)\nmemory %s\n"
             "repeat with: grampus run run.yaml\n",
             GR_VERSION, __VERSION__, date, report.engine.device, report.why, report.engine.memory);
    char *path = gr_file_join(folder, "run.yaml"), *fresh = gr_file_join(folder, "run.new.yaml");
    gr_status status = path && fresh ? gr_settings_save(settings, fresh, comment, error)
                                     : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status)
        status = gr_file_rename(fresh, path, folder, error);
    free(path);
    free(fresh);
    return status;
}

/* ---- statistics.tsv ---- */

static const char *const size_names[GR_SIZE_KINDS] = {"genome_length", "used_codons", "tree_depth",
                                                      "tree_nodes", "derivation_nodes"};

static void print_head(FILE *out) {
    fputs("run\tgen\tbest_fitness\tave_fitness\tbest_ever\ttest_fitness\tvalid\tinvalids", out);
    for (uint32_t k = GR_VALID + 1; k < GR_VALIDITY_COUNT; k++)
        fprintf(out, "\t%s", gr_validity_name(k));
    fputs("\tnonfinite\tdraws_again\tparents_kept", out);
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        fprintf(out, "\tmin_%s\tave_%s\tmax_%s", size_names[k], size_names[k], size_names[k]);
    fputs("\tbest_nodes\tbest_depth\tnodes_executed\ttime\n", out); /* what differs last */
}

void gr_results_add(gr_results *results, const gr_generation *g) {
    FILE *out = results->statistics;
    fprintf(out, "%u\t%u\t%.9g\t%.9g\t%.9g\t%.9g\t%u\t%u", g->run, g->generation, g->best, g->mean,
            g->best_ever, g->test, g->by_validity[GR_VALID],
            g->individuals - g->by_validity[GR_VALID]);
    for (int k = GR_VALID + 1; k < GR_VALIDITY_COUNT; k++)
        fprintf(out, "\t%u", g->by_validity[k]);
    fprintf(out, "\t%u\t%llu\t%llu", g->nonfinite, (unsigned long long)g->draws_again,
            (unsigned long long)g->parents_kept);
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        fprintf(out, "\t%.9g\t%.9g\t%.9g", g->size[k].min, g->size[k].mean, g->size[k].max);
    fprintf(out, "\t%u\t%u\t%.0f\t%.6f\n", g->best_nodes, g->best_depth, g->executed, g->seconds);
    if (results->ponyge2)
        gr_ponyge2_row(&results->so_far, g, results->elites, results->ponyge2);
}

gr_status gr_results_flush(gr_results *results, gr_error *error) {
    errno = 0;
    if (fflush(results->statistics) != 0 || ferror(results->statistics))
        return gr_fail(error, GR_FAILED, "%s: %s", results->statistics_path,
                       errno ? strerror(errno) : "write error");
    if (results->ponyge2 && (fflush(results->ponyge2) != 0 || ferror(results->ponyge2)))
        return gr_fail(error, GR_FAILED, "%s: %s", results->ponyge2_path,
                       errno ? strerror(errno) : "write error");
    return GR_OK;
}

/* Individuals of a generation that were not made anew. */
static uint32_t elites_of(const gr_settings *settings) {
    return settings->replacement == GR_REPLACE_WORST ? 0 : settings->elites;
}

static gr_status open_ponyge2(gr_results *r, const gr_settings *settings, gr_error *error) {
    if (!settings->ponyge2_statistics || settings->runs > 1)
        return GR_OK;
    r->elites = elites_of(settings);
    if (!(r->ponyge2_path = gr_file_join(r->folder, "stats.tsv")))
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!(r->ponyge2 = fopen(r->ponyge2_path, "w")))
        return gr_fail(error, GR_FAILED, "%s: %s", r->ponyge2_path, strerror(errno));
    gr_ponyge2_head(r->ponyge2);
    return GR_OK;
}

/* One process at a time writes to a folder; the lock goes with it. */
static gr_status lock(const gr_results *r, gr_error *error) {
    return flock(fileno(r->statistics), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
               ? gr_fail(error, GR_FAILED, "%s: a run writes to this folder", r->folder)
               : GR_OK;
}

gr_status gr_results_create(const gr_settings *settings, const gr_run *run, gr_results **results,
                            gr_error *error) {
    gr_results *r = calloc(1, sizeof *r);
    char *parent = gr_file_join(settings->output, settings->name);
    *results = NULL;
    gr_status status = r && parent ? make_folders(parent, error)
                                   : gr_fail(error, GR_NO_MEMORY, "no memory for results");
    if (!status)
        status = make_folder(parent, settings->seed, &r->folder, error);
    if (!status)
        status = save_settings(settings, run, r->folder, error);
    if (!status && !(r->statistics_path = gr_file_join(r->folder, "statistics.tsv")))
        status = gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status && !(r->statistics = fopen(r->statistics_path, "w")))
        status = gr_fail(error, GR_FAILED, "%s: %s", r->statistics_path, strerror(errno));
    if (!status)
        status = lock(r, error);
    if (!status)
        status = open_ponyge2(r, settings, error);
    if (!status) {
        print_head(r->statistics);
        status = gr_results_flush(r, error);
    }
    free(parent);
    if (status)
        gr_results_close(r);
    else
        *results = r;
    return status;
}

const char *gr_results_folder(const gr_results *results) {
    return results->folder;
}

gr_status gr_results_sync(const gr_results *results, gr_error *error) {
    gr_status status = gr_file_sync(results->statistics_path, error);
    return status || !results->ponyge2 ? status : gr_file_sync(results->ponyge2_path, error);
}

/* ---- going on ---- */

void gr_results_ponyge2(const gr_results *results, gr_ponyge2_statistics *so_far) {
    *so_far = results->so_far;
}

/* Reads a line of statistics behind another into `copy`, which may be NULL; 0: there is no whole
 * one. */
static int pass_line(FILE *from, FILE *copy) {
    int c;
    while ((c = getc(from)) != EOF) {
        if (copy)
            putc(c, copy);
        if (c == '\n')
            return 1;
    }
    return 0;
}

gr_status gr_results_reach(const char *folder, uint64_t rows, gr_error *error) {
    char *path = gr_file_join(folder, "statistics.tsv");
    FILE *file = path ? fopen(path, "r") : NULL;
    uint64_t found = 0;
    gr_status status = GR_OK;
    if (!file)
        status = gr_fail(error, path ? GR_BAD_INPUT : GR_NO_MEMORY, "%s/statistics.tsv: %s", folder,
                         strerror(errno));
    while (!status && found <= rows && pass_line(file, NULL))
        found++;
    if (!status && found <= rows)
        status =
            gr_fail(error, GR_BAD_INPUT, "%s: %llu rows; expected the %llu that the checkpoint has",
                    path, (unsigned long long)(found ? found - 1 : 0), (unsigned long long)rows);
    if (file)
        fclose(file);
    free(path);
    return status;
}

/* Opens a file of rows that go on. */
static gr_status open_again(const char *path, FILE **file, gr_error *error) {
    if (!path)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    return (*file = fopen(path, "r+")) ? GR_OK
                                       : gr_fail(error, GR_FAILED, "%s: %s", path, strerror(errno));
}

/* Cuts off what stands behind the first `rows`. */
static gr_status cut(FILE *file, const char *path, uint64_t rows, gr_error *error) {
    int good = 1;
    for (uint64_t k = 0; good && k <= rows; k++)
        good = pass_line(file, NULL);
    if (!good)
        return gr_fail(error, GR_FAILED, "%s: fewer rows than the checkpoint has", path);
    off_t end = ftello(file);
    return end < 0 || ftruncate(fileno(file), end) != 0 || fseeko(file, end, SEEK_SET) != 0
               ? gr_fail(error, GR_FAILED, "%s: %s", path, strerror(errno))
               : GR_OK;
}

gr_status gr_results_reopen(const gr_settings *settings, const gr_run *run, const char *folder,
                            uint64_t rows, const gr_ponyge2_statistics *so_far,
                            gr_results **results, gr_error *error) {
    gr_results *r = calloc(1, sizeof *r);
    *results = NULL;
    if (!r || !(r->folder = strdup(folder))) {
        free(r);
        return gr_fail(error, GR_NO_MEMORY, "no memory for results");
    }
    r->so_far = *so_far;
    r->statistics_path = gr_file_join(folder, "statistics.tsv");
    gr_status status = open_again(r->statistics_path, &r->statistics, error);
    if (!status)
        status = lock(r, error);
    if (!status)
        status = cut(r->statistics, r->statistics_path, rows, error);
    if (!status && settings->ponyge2_statistics && settings->runs == 1) {
        r->elites = elites_of(settings);
        r->ponyge2_path = gr_file_join(folder, "stats.tsv");
        status = open_again(r->ponyge2_path, &r->ponyge2, error);
        if (!status)
            status = cut(r->ponyge2, r->ponyge2_path, rows, error);
    }
    if (!status)
        status = save_settings(settings, run, folder, error);
    if (status)
        gr_results_close(r);
    else
        *results = r;
    return status;
}

/* Adds the first `rows` of a file in another folder. */
static gr_status take_rows(const char *folder, const char *name, uint64_t rows, FILE *to,
                           gr_error *error) {
    char *path = gr_file_join(folder, name);
    FILE *from = path ? fopen(path, "r") : NULL;
    int good = from && pass_line(from, NULL); /* the head is there */
    for (uint64_t k = 0; good && k < rows; k++)
        good = pass_line(from, to);
    if (from)
        fclose(from);
    free(path);
    return good ? GR_OK
                : gr_fail(error, GR_FAILED, "%s/%s: cannot be read up to row %llu", folder, name,
                          (unsigned long long)rows);
}

gr_status gr_results_take_over(gr_results *results, const char *folder, uint64_t rows,
                               const gr_ponyge2_statistics *so_far, gr_error *error) {
    results->so_far = *so_far;
    gr_status status = take_rows(folder, "statistics.tsv", rows, results->statistics, error);
    if (!status && results->ponyge2)
        status = take_rows(folder, "stats.tsv", rows, results->ponyge2, error);
    return status ? status : gr_results_flush(results, error);
}

/* ---- best.txt and best.json ---- */

/* Opens a file of the folder; *path is the caller's to free also on failure. */
static FILE *open_in(const gr_results *results, const char *name, char **path, gr_error *error) {
    *path = gr_file_join(results->folder, name);
    FILE *file = *path ? fopen(*path, "w") : NULL;
    if (!file)
        gr_fail(error, *path ? GR_FAILED : GR_NO_MEMORY, "%s/%s: %s", results->folder, name,
                strerror(errno));
    return file;
}

static gr_status close_checked(FILE *file, const char *path, gr_status status, gr_error *error) {
    int bad = ferror(file);
    errno = 0;
    if ((fclose(file) != 0 || bad) && !status)
        return gr_fail(error, GR_FAILED, "%s: %s", path, errno ? strerror(errno) : "write error");
    return status;
}

static gr_status write_programs(gr_results *results, const gr_settings *settings, gr_run *run,
                                gr_error *error) {
    char *path;
    FILE *file = open_in(results, "programs.tsv", &path, error);
    gr_status status = file ? GR_OK : GR_FAILED;
    if (file) {
        status = gr_write_programs(run, settings->predictions, file, error);
        status = close_checked(file, path, status, error);
    }
    free(path);
    return status;
}

gr_status gr_results_finish(gr_results *results, const gr_settings *settings, gr_run *run,
                            const gr_outcome *outcome, gr_error *error) {
    char *path;
    FILE *file = open_in(results, "best.json", &path, error);
    gr_status status = file ? GR_OK : GR_FAILED;
    if (file) {
        cJSON *json = gr_outcome_json(settings, run, outcome, results->folder);
        status = gr_json_write(json, 1, file, path, error);
        status = close_checked(file, path, status, error);
        cJSON_Delete(json);
    }
    free(path);
    if (status)
        return status;
    file = open_in(results, "best.txt", &path, error);
    status = file ? GR_OK : GR_FAILED;
    if (file) {
        gr_outcome_print(settings, run, outcome, 1, file);
        status = close_checked(file, path, status, error);
    }
    free(path);
    return status || !settings->predictions ? status
                                            : write_programs(results, settings, run, error);
}

void gr_results_close(gr_results *results) {
    if (!results)
        return;
    if (results->statistics)
        fclose(results->statistics);
    if (results->ponyge2)
        fclose(results->ponyge2);
    free(results->ponyge2_path);
    free(results->statistics_path);
    free(results->folder);
    free(results);
}
