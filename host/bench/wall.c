/* What a user waits for: the program started anew for every repeat, from the command to the prompt,
 * its files written. With an empty cache folder, as after an installation, and with one that a run
 * before has filled. */
#define _GNU_SOURCE /* nftw */
#include "host/bench/bench.h"

#include "gpu/backend/clock.h"
#include "host/base/json.h"
#include "host/base/sort.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/device/choose.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run files and grammars as they are in the repository, in the program: it may be installed. */
#define EMBED(name, file)                                                                          \
    extern const char name[], name##_end[];                                                        \
    __asm__(".pushsection .rodata\n.hidden " #name "\n.global " #name "\n" #name                   \
            ":\n.incbin \"" file "\"\n.hidden " #name "_end\n.global " #name "_end\n" #name        \
            "_end:\n.byte 0\n.popsection\n")
EMBED(gr_wall_nguyen, "problems/nguyen-1.yaml");
EMBED(gr_wall_nguyen_bnf, "grammars/nguyen.bnf");
EMBED(gr_wall_quartic, "problems/pospichal-quartic.yaml");
EMBED(gr_wall_quartic_bnf, "grammars/quartic-prefix.bnf");

static const struct {
    const char *path, *text, *end;
} files[] = {
    {"problems/nguyen-1.yaml", gr_wall_nguyen, gr_wall_nguyen_end},
    {"grammars/nguyen.bnf", gr_wall_nguyen_bnf, gr_wall_nguyen_bnf_end},
    {"problems/pospichal-quartic.yaml", gr_wall_quartic, gr_wall_quartic_end},
    {"grammars/quartic-prefix.bnf", gr_wall_quartic_bnf, gr_wall_quartic_bnf_end},
};
enum { FILES = sizeof files / sizeof *files };

typedef struct wall_row {
    const char *name, *file;
    uint32_t device, runs; /* device as in settings.h; BENCH: the one that is measured */
    double at_least, beyond;
} wall_row;
enum { BENCH = GR_AUTO - 1 };

static const wall_row wall_rows[] = {
    {"nguyen-1-auto", "nguyen-1", GR_AUTO, 1, 0.03, 0.0},
    {"nguyen-1-cpu", "nguyen-1", GR_DEVICE_CPU, 1, 0.0, 0.0},
    {"nguyen-1-cuda", "nguyen-1", GR_DEVICE_CUDA, 1, 0.0, 0.0},
    {"quartic-1000", "pospichal-quartic", BENCH, 1000, 0.40, 0.25},
    {"quartic-100000", "pospichal-quartic", BENCH, 100000, 4.0, 2.0},
};
enum { ROWS = sizeof wall_rows / sizeof *wall_rows };

const char *gr_wall_row(int index) {
    return index < ROWS ? wall_rows[index].name : NULL;
}

/* Seconds after which a row is not repeated. */
static const double patience = 60.0;

/* A row as it is measured. */
typedef struct wall {
    const gr_bench_options *options;
    const wall_row *row;
    char folder[64]; /* everything stands in it */
    uint32_t runs, repeats, done;
    int warm;
    double *seconds;  /* [repeats] */
    char device[300]; /* of the report */
    char *best;       /* of the first repeat, without what depends on the device */
    char wrong[256];  /* "" if every repeat came to the same */
} wall;

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *where) {
    (void)facts;
    (void)type;
    (void)where;
    return remove(path);
}

static void remove_folder(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static gr_status write_files(const wall *w, gr_error *error) {
    char path[160];
    int good = 1;
    for (int k = 0; k < FILES; k++) {
        snprintf(path, sizeof path, "%s/%.9s", w->folder,
                 *files[k].path == 'p' ? "problems" : "grammars");
        good &= mkdir(path, 0700) == 0 || errno == EEXIST;
        snprintf(path, sizeof path, "%s/%s", w->folder, files[k].path);
        FILE *out = fopen(path, "w");
        size_t length = (size_t)(files[k].end - files[k].text);
        good &= out && fwrite(files[k].text, 1, length, out) == length;
        good &= out && fclose(out) == 0;
    }
    return good ? GR_OK : gr_fail(error, GR_FAILED, "%s: cannot be written", w->folder);
}

/* ---- a process ---- */

extern char **environ;

/* The environment with caches of kernels, ours and the driver's, in `cache`; the caller frees the
 * list alone. */
static char **environment_with(char cache[2][160]) {
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **list = malloc((count + 3) * sizeof *list);
    for (size_t k = 0; list && k < count; k++)
        if (strncmp(environ[k], "XDG_CACHE_HOME=", 15) != 0 &&
            strncmp(environ[k], "CUDA_CACHE_PATH=", 16) != 0)
            list[kept++] = environ[k];
    if (list) {
        list[kept++] = cache[0];
        list[kept++] = cache[1];
        list[kept] = NULL;
    }
    return list;
}

static int spawn(char *const *arguments, char *const *environment, const char *output,
                 double *seconds) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    double start = gr_seconds_now();
    int failed = posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environment);
    while (!failed && waitpid(child, &status, 0) < 0)
        failed = errno != EINTR;
    *seconds = gr_seconds_now() - start;
    posix_spawn_file_actions_destroy(&actions);
    return failed ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The one entry of a folder that is not hidden, added to the path. */
static int descend(char *path, size_t size) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    size_t length = strlen(path);
    while (folder && (entry = readdir(folder)) && *entry->d_name == '.')
        ;
    int found = folder && entry && length + strlen(entry->d_name) + 2 < size;
    if (found)
        sprintf(path + length, "/%s", entry->d_name);
    if (folder)
        closedir(folder);
    return found;
}

/* best.txt of the only run there, NUL at its end; NULL without it. */
static char *read_best(const char *results) {
    char path[PATH_MAX];
    char *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s", results);
    if (!descend(path, sizeof path - 16) || !descend(path, sizeof path - 16))
        return NULL;
    strcat(path, "/best.txt");
    FILE *file = fopen(path, "r");
    if (file && getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

/* What it came to must be the same every time; what stands behind is about the device. */
static void compare_best(wall *w, const char *results) {
    char *best = read_best(results), *device = best ? strstr(best, "\ndevice ") : NULL;
    if (!device) {
        snprintf(w->wrong, sizeof w->wrong, "a run left no best.txt");
        free(best);
        return;
    }
    size_t space = strspn(device + 7, " ") + 7;
    snprintf(w->device, sizeof w->device, "%.*s", (int)strcspn(device + space, "\n"),
             device + space);
    *device = '\0';
    if (w->best && strcmp(w->best, best) != 0)
        snprintf(w->wrong, sizeof w->wrong, "the same run came to another best");
    if (w->best)
        free(best);
    else
        w->best = best;
}

/* One run as a user would start it. */
static gr_status run_program(wall *w, double *seconds, gr_error *error) {
    static const char *const devices[] = {"cpu", "cuda"};
    char file[160], results[160], output[160], runs[16], cache[2][160];
    uint32_t device = w->row->device == BENCH ? w->options->device : w->row->device;
    snprintf(file, sizeof file, "%s/problems/%s.yaml", w->folder, w->row->file);
    snprintf(results, sizeof results, "%s/results", w->folder);
    snprintf(output, sizeof output, "%s/output", w->folder);
    snprintf(runs, sizeof runs, "%u", w->runs);
    snprintf(cache[0], sizeof cache[0], "XDG_CACHE_HOME=%s/cache", w->folder);
    snprintf(cache[1], sizeof cache[1], "CUDA_CACHE_PATH=%s/cache/driver", w->folder);
    char **environment = environment_with(cache);
    if (!environment)
        return gr_fail(error, GR_NO_MEMORY, "no memory for an environment");
    const char *const arguments[] = {"grampus",
                                     "run",
                                     file,
                                     "--runs",
                                     runs,
                                     "--device",
                                     device == GR_AUTO ? "auto" : devices[device == GR_DEVICE_CUDA],
                                     "--output",
                                     results,
                                     NULL};
    int code = spawn((char *const *)arguments, environment, output, seconds);
    free(environment);
    compare_best(w, results);
    remove_folder(results);
    return code == 0 ? GR_OK
                     : gr_fail(error, GR_FAILED, "%s: grampus run ended with exit code %d",
                               w->row->name, code);
}

/* ---- a row ---- */

static gr_status repeat(wall *w, gr_error *error) {
    char cache[160];
    double spent = 0.0;
    gr_status status = GR_OK;
    snprintf(cache, sizeof cache, "%s/cache", w->folder);
    remove_folder(cache);
    if (w->warm)
        status = run_program(w, &w->seconds[0], error);
    for (w->done = 0; !status && w->done < w->repeats && spent < patience; w->done++) {
        if (!w->warm)
            remove_folder(cache);
        status = run_program(w, &w->seconds[w->done], error);
        spent += w->seconds[w->done];
    }
    gr_sort_doubles(w->seconds, w->done);
    return status;
}

static double median_of(const wall *w) {
    return 0.5 * (w->seconds[(w->done - 1) / 2] + w->seconds[w->done / 2]);
}

/* Targets are for all runs, and a machine with a GPU, where the CPU may have been chosen as what
 * ends first. */
static int counts(const wall *w) {
    return w->row->at_least > 0.0 && w->runs == w->row->runs &&
           (w->row->device == GR_AUTO || strncmp(w->device, "CPU", 3) != 0 ||
            strstr(w->device, "device: auto, estimated"));
}

static void print_row(const wall *w) {
    double median = median_of(w);
    printf("%-23s %7u %5s %9.4f %6.1f %% %8u  %s  %s\n", w->row->name, w->runs,
           w->warm ? "warm" : "cold", median,
           100.0 * (w->seconds[w->done - 1] - w->seconds[0]) / median, w->done,
           *w->wrong ? "WRONG" : "ok", w->device);
    if (*w->wrong)
        printf("    %s\n", w->wrong);
    if (w->runs != w->row->runs)
        printf("    reduced for %s: runs %u of %u\n", w->options->quick ? "--quick" : "the CPU",
               w->runs, w->row->runs);
    if (counts(w)) {
        printf("    target %.2f s", w->row->at_least);
        if (w->row->beyond > 0.0)
            printf(", beyond %.2f s", w->row->beyond);
        printf(": %s\n", w->row->beyond > 0.0 && median <= w->row->beyond ? "beyond"
                         : median <= w->row->at_least                     ? "reached"
                                                                          : "not reached");
    }
    fflush(stdout);
}

static cJSON *row_json(const wall *w) {
    cJSON *object = cJSON_CreateObject(), *seconds;
    gr_json_add_text(object, "suite", gr_suite_names[GR_SUITE_WALL]);
    gr_json_add_text(object, "name", w->row->name);
    gr_json_add_text(object, "device", w->device);
    gr_json_add_text(object, "cache", w->warm ? "warm" : "cold");
    gr_json_add_whole(object, "runs", w->runs);
    gr_json_add_whole(object, "runs_asked", w->row->runs);
    gr_json_add_whole(object, "repeats", w->done);
    seconds = cJSON_AddObjectToObject(object, "seconds");
    cJSON_AddNumberToObject(seconds, "median", median_of(w));
    cJSON_AddNumberToObject(seconds, "least", w->seconds[0]);
    cJSON_AddNumberToObject(seconds, "most", w->seconds[w->done - 1]);
    cJSON_AddBoolToObject(object, "verified", !*w->wrong);
    gr_json_add_text(object, "wrong", *w->wrong ? w->wrong : NULL);
    if (counts(w)) {
        cJSON *target = cJSON_AddObjectToObject(object, "target");
        cJSON_AddNumberToObject(target, "at_least", w->row->at_least);
        if (w->row->beyond > 0.0)
            cJSON_AddNumberToObject(target, "beyond", w->row->beyond);
        cJSON_AddBoolToObject(target, "reached", median_of(w) <= w->row->at_least);
    } else
        cJSON_AddNullToObject(object, "target");
    return object;
}

/* ---- all rows ---- */

/* A CPU takes a minute for what is meant for a GPU. */
static uint32_t runs_of(const wall_row *row, const gr_bench_options *options, int on_cpu) {
    uint32_t most = options->quick ? 50 : on_cpu ? 1000 * gr_processors() : row->runs;
    return row->runs < most ? row->runs : most;
}

static int is_asked_for(const wall_row *row, const gr_bench_options *options, int on_cpu) {
    if (options->row && strcmp(options->row, row->name) != 0)
        return 0;
    if (row->device == GR_DEVICE_CUDA)
        return !on_cpu;
    return row->device == BENCH || row->device == options->device || options->device == GR_AUTO;
}

/* Another run is held to its own first repeat. */
static void take_row(wall *w, const wall_row *row, int warm, int on_cpu) {
    uint32_t runs = runs_of(row, w->options, on_cpu);
    if (w->row && (strcmp(w->row->file, row->file) != 0 || w->runs != runs)) {
        free(w->best);
        w->best = NULL;
    }
    w->row = row;
    w->warm = warm;
    w->runs = runs;
    *w->wrong = '\0';
}

static gr_status measure_rows(wall *w, int on_cpu, cJSON *rows, int *wrong, gr_error *error) {
    if (!w->options->json)
        printf("\n%-23s %7s %5s %9s %8s %8s\n", gr_suite_names[GR_SUITE_WALL], "runs", "cache",
               "seconds", "spread", "repeats");
    for (int k = 0; k < 2 * ROWS; k++) {
        const wall_row *row = &wall_rows[k / 2];
        if (!is_asked_for(row, w->options, on_cpu))
            continue;
        take_row(w, row, k % 2, on_cpu);
        gr_status status = repeat(w, error);
        if (status)
            return status;
        *wrong += *w->wrong != '\0';
        cJSON_AddItemToArray(rows, row_json(w));
        if (!w->options->json)
            print_row(w);
    }
    return GR_OK;
}

gr_status gr_bench_wall(const gr_bench_options *options, cJSON *rows, int *wrong, gr_error *error) {
    wall w = {
        .options = options, .repeats = options->repeats, .folder = "/tmp/grampus-wall-XXXXXX"};
    const gr_backend *backend;
    char why[256];
    gr_status status = gr_choose_backend(options->device, NULL, &backend, why, sizeof why, error);
    if (status)
        return status;
    if (!mkdtemp(w.folder))
        return gr_fail(error, GR_FAILED, "%s: %s", w.folder, strerror(errno));
    w.seconds = calloc(w.repeats, sizeof *w.seconds);
    status = w.seconds ? write_files(&w, error)
                       : gr_fail(error, GR_NO_MEMORY, "no memory for %u repeat%s", w.repeats,
                                 gr_s(w.repeats));
    if (!status)
        status = measure_rows(&w, backend == &gr_backend_cpu, rows, wrong, error);
    free(w.best);
    free(w.seconds);
    remove_folder(w.folder);
    return status;
}
