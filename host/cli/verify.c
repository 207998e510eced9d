/* grampus verify: repeats a finished run and compares what it gives. */
#define _GNU_SOURCE /* nftw */
#include "host/base/json.h"
#include "host/base/text.h"
#include "host/cli/commands.h"
#include "host/settings/settings.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The run on record and the one that repeats it, and what differs, so far in `text`. */
typedef struct comparison {
    char was[4096], is[4096]; /* folders */
    char text[512];           /* the first difference, "": none */
    unsigned long rows, programs;
    char generations[16]; /* of a run that its time limit ended, otherwise "" */
    bool json;
    gr_error *error;
} comparison;

static gr_status too_long(const char *folder, gr_error *error) {
    return gr_fail(error, GR_BAD_INPUT, "%.*s...: the path is too long", GR_CUT(folder, 80));
}

static gr_status join(char *path, size_t size, const char *folder, const char *name,
                      gr_error *error) {
    int n = snprintf(path, size, "%s/%s", folder, name);
    return n >= 0 && (size_t)n < size ? GR_OK : too_long(folder, error);
}

/* ---- files ---- */

/* Two files, open for reading; either may be NULL: it is not there. */
static gr_status open_both(comparison *c, const char *name, FILE *file[2]) {
    const char *folder[2] = {c->was, c->is};
    char path[4400];
    file[0] = file[1] = NULL;
    for (int k = 0; k < 2; k++) {
        gr_status status = join(path, sizeof path, folder[k], name, c->error);
        if (!status && !(file[k] = fopen(path, "r")) && errno != ENOENT)
            status = gr_fail(c->error, GR_FAILED, "%s: %s", path, strerror(errno));
        if (status)
            return status;
    }
    return GR_OK;
}

static void close_both(FILE *file[2]) {
    for (int k = 0; k < 2; k++)
        if (file[k])
            fclose(file[k]);
}

/* Cuts a row of statistics before its time, which stands last. */
static void cut_time(char *row) {
    char *last = strrchr(row, '\t');
    if (last)
        *last = '\0';
}

/* Rows of two tables, one by one; *rows: how many below the head were the same. */
static gr_status compare_tables(comparison *c, const char *name, int timed, unsigned long *rows) {
    FILE *file[2];
    char *row[2] = {NULL, NULL};
    size_t size[2] = {0, 0};
    unsigned long number = 0;
    gr_status status = open_both(c, name, file);
    if (!status && (file[0] == NULL) != (file[1] == NULL))
        snprintf(c->text, sizeof c->text, "%s: only one of the runs has it", name);
    while (!status && file[0] && file[1] && !*c->text) {
        ssize_t length[2];
        for (int k = 0; k < 2; k++)
            length[k] = getline(&row[k], &size[k], file[k]);
        if (length[0] < 0 && length[1] < 0)
            break;
        number++;
        for (int k = 0; k < 2; k++)
            if (length[k] >= 0 && timed)
                cut_time(row[k]);
        if (length[0] < 0 || length[1] < 0)
            snprintf(c->text, sizeof c->text, "%s:%lu: only one of the runs has this row", name,
                     number);
        else if (strcmp(row[0], row[1]) != 0)
            snprintf(c->text, sizeof c->text, "%s:%lu: '%.*s', repeated '%.*s'", name, number,
                     GR_CUT(row[0], 160), GR_CUT(row[1], 160));
    }
    for (int k = 0; k < 2; k++) {
        if (!status && file[k] && ferror(file[k]))
            status = gr_fail(c->error, GR_FAILED, "%s: read error", name);
        free(row[k]);
    }
    if (!status)
        close_both(file);
    *rows = number ? number - 1 : 0;
    return status;
}

/* The whole of best.json; NULL: it is not there, or is none. */
static cJSON *read_best(FILE *file) {
    char *text = NULL;
    size_t size = 0;
    ssize_t length = file ? getdelim(&text, &size, '\0', file) : -1;
    cJSON *best = length > 0 ? cJSON_Parse(text) : NULL;
    free(text);
    return best;
}

/* Members of best.json that no result is in. */
static int is_circumstance(const char *name) {
    static const char *const names[] = {"grampus",        "seconds",
                                        "engine_seconds", "executed_gpops",
                                        "device",         "transfers",
                                        "results",        "stop_reason",
                                        "checkpoints",    "checkpoint_pause_seconds",
                                        "unused",         "evaluated_once"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return 1;
    return 0;
}

/* Which programs are looked for hangs on what was found so far, so on where a run was resumed:
 * executed are here those that were spared, too. */
static void add_spared(cJSON *best) {
    const cJSON *spared = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(best, "evaluated_once"), "spared_node_evaluations");
    cJSON *executed = cJSON_GetObjectItemCaseSensitive(best, "executed_node_evaluations");
    if (cJSON_IsNumber(spared) && cJSON_IsNumber(executed))
        cJSON_SetNumberValue(executed, executed->valuedouble + spared->valuedouble);
}

static void compare_members(comparison *c, const cJSON *was, const cJSON *is) {
    const cJSON *member;
    cJSON_ArrayForEach(member, was) if (!*c->text && !is_circumstance(member->string)) {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(is, member->string);
        if (!other || !cJSON_Compare(member, other, 1))
            snprintf(c->text, sizeof c->text, "best.json: %.*s is not the same",
                     GR_CUT(member->string, 80));
    }
}

static gr_status compare_best(comparison *c) {
    FILE *file[2];
    gr_status status = open_both(c, "best.json", file);
    if (status)
        return status;
    cJSON *was = read_best(file[0]), *is = read_best(file[1]);
    close_both(file);
    if (!was || !is)
        status = gr_fail(c->error, GR_FAILED, "%s/best.json: cannot be read", was ? c->is : c->was);
    else {
        add_spared(was);
        add_spared(is);
        compare_members(c, was, is);
        compare_members(c, is, was);
    }
    cJSON_Delete(was);
    cJSON_Delete(is);
    return status;
}

/* Of the tables a run has some: statistics.tsv or summary.tsv, of a batch runs.tsv. */
static gr_status compare(comparison *c) {
    unsigned long summary = 0, runs, front;
    gr_status status = compare_tables(c, "statistics.tsv", 1, &c->rows);
    if (!status && !*c->text)
        status = compare_tables(c, "summary.tsv", 1, &summary);
    c->rows += summary;
    if (!status && !*c->text)
        status = compare_best(c);
    if (!status && !*c->text)
        status = compare_tables(c, "runs.tsv", 0, &runs);
    if (!status && !*c->text)
        status = compare_tables(c, "front.tsv", 0, &front);
    if (!status && !*c->text)
        status = compare_tables(c, "programs.tsv", 0, &c->programs);
    return status;
}

/* ---- the run once more ---- */

/* Where a time limit ended a run its repetition ends by generations. */
static void note_limit(comparison *c, const cJSON *best) {
    const cJSON *reason = cJSON_GetObjectItemCaseSensitive(best, "stop_reason"),
                *generations = cJSON_GetObjectItemCaseSensitive(best, "generations");
    if (cJSON_IsString(reason) && strcmp(reason->valuestring, "time-limit") == 0 &&
        cJSON_IsNumber(generations))
        snprintf(c->generations, sizeof c->generations, "%.0f", generations->valuedouble);
}

/* A run that was stopped has rows that its repetition cannot be held to. */
static gr_status check_finished(comparison *c) {
    char path[4400];
    gr_status status = join(path, sizeof path, c->was, "best.json", c->error);
    FILE *file = status ? NULL : fopen(path, "r");
    if (!status && !file)
        return gr_fail(c->error, GR_BAD_INPUT, "%s: %s; expected the folder of a finished run",
                       path, strerror(errno));
    cJSON *best = read_best(file);
    if (file)
        fclose(file);
    if (!status && (!best || cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(best, "stopped"))))
        status = gr_fail(c->error, GR_BAD_INPUT, "%s: %s; expected the folder of a finished run",
                         path, best ? "the run was stopped" : "no results");
    if (best)
        note_limit(c, best);
    cJSON_Delete(best);
    return status;
}

/* The only folder in a folder. */
static gr_status enter(char *folder, size_t size, gr_error *error) {
    DIR *directory = opendir(folder);
    char name[256] = "";
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            snprintf(name, sizeof name, "%s", entry->d_name);
    if (directory)
        closedir(directory);
    size_t length = strlen(folder);
    int n = *name ? snprintf(folder + length, size - length, "/%s", name) : -1;
    return n > 0 && (size_t)n < size - length
               ? GR_OK
               : gr_fail(error, GR_FAILED, "%s: the repeated run left nothing", folder);
}

/* --json is of the verdict: its last word among the options. */
static gr_status read_json(comparison *c, int argc, char **argv) {
    gr_settings settings;
    gr_status status = gr_settings_init(&settings, c->error);
    for (int k = 0, used; !status && k < argc; k++) {
        const char *word = argv[k] + (strncmp(argv[k], "--no-", 5) == 0 ? 5 : 2);
        if (strncmp(argv[k], "--", 2) == 0 && strncmp(word, "json", 4) == 0 &&
            (!word[4] || word[4] == '='))
            status = gr_settings_option(&settings, argc - k, argv + k, &used, c->error);
    }
    c->json = settings.json;
    gr_settings_free(&settings);
    return status;
}

/* By `grampus run` itself, with the options that were given; it prints nothing. */
static gr_status repeat(comparison *c, char *output, int argc, char **argv) {
    char path[4400];
    char **call = calloc((size_t)argc + 16, sizeof *call);
    gr_status status = join(path, sizeof path, c->was, "run.yaml", c->error);
    char *fixed[] = {"run",          path,   "--output",      output,        "--quiet",
                     "--time-limit", "none", "--generations", c->generations};
    int n = (int)(sizeof fixed / sizeof *fixed) - (*c->generations ? 0 : 2);
    if (!call)
        return gr_fail(c->error, GR_NO_MEMORY, "no memory for options");
    memcpy(call, fixed, (size_t)n * sizeof *fixed);
    memcpy(call + n, argv, (size_t)argc * sizeof *argv);
    call[n + argc] = "--no-json";
    if (!status)
        status = gr_command_run(n + argc + 1, call, c->error);
    free(call);
    snprintf(c->is, sizeof c->is, "%s", output);
    for (int k = 0; k < 2 && !status; k++) /* its name, its time */
        status = enter(c->is, sizeof c->is, c->error);
    return status;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *at) {
    (void)facts, (void)kind, (void)at;
    remove(path);
    return 0;
}

static gr_status verify(comparison *c, int argc, char **argv) {
    const char *home = getenv("TMPDIR");
    char output[4096];
    gr_status status = check_finished(c);
    if (!status)
        status =
            join(output, sizeof output, home && *home ? home : "/tmp", "grampus-XXXXXX", c->error);
    if (!status)
        status = read_json(c, argc, argv);
    for (int k = 0; !status && k < argc; k++)
        if (strcmp(argv[k], "--output") == 0 || strncmp(argv[k], "--output=", 9) == 0)
            status = gr_fail(c->error, GR_BAD_INPUT,
                             "--output: the repeated run is compared and removed; expected none");
    if (status)
        return status;
    if (!mkdtemp(output))
        return gr_fail(c->error, GR_FAILED, "%s: %s", output, strerror(errno));
    status = repeat(c, output, argc, argv);
    if (!status)
        status = compare(c);
    nftw(output, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return status;
}

/* ---- the verdict ---- */

static void print_same(const comparison *c) {
    printf("the same: %lu row%s of statistics, best programs", c->rows, gr_s(c->rows));
    if (c->programs)
        printf(", %lu program%s", c->programs, gr_s(c->programs));
    printf("\n");
}

static gr_status print_json(const comparison *c) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, "same", !*c->text);
    if (*c->text)
        gr_json_add_text(object, "difference", c->text);
    else {
        cJSON_AddNumberToObject(object, "rows", (double)c->rows);
        cJSON_AddNumberToObject(object, "programs", (double)c->programs);
    }
    return gr_json_print(object, c->error);
}

static gr_status take_folder(comparison *c, const char *folder) {
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/')
        n--;
    if (n >= sizeof c->was)
        return too_long(folder, c->error);
    snprintf(c->was, sizeof c->was, "%.*s", (int)n, folder);
    return GR_OK;
}

gr_status gr_command_verify(int argc, char **argv, gr_error *error) {
    comparison c = {.error = error};
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
            printf(
                "usage: grampus verify FOLDER [--key value ...]\n\n"
                "Repeats the finished run whose results are in FOLDER and compares statistics "
                "(but for times), best\nprograms, the tables of runs, of a front and of programs. "
                "Options are those of grampus run, as in\n--device cpu or --threads 1; --json: one "
                "object: same, rows and programs or difference. Exit code\n0: all the same; 6: "
                "not.\n");
            return GR_OK;
        }
    if (argc < 2 || !*argv[1] || argv[1][0] == '-')
        return gr_fail(error, GR_BAD_INPUT, "no folder; expected grampus verify FOLDER");
    gr_status status = take_folder(&c, argv[1]);
    if (!status)
        status = verify(&c, argc - 2, argv + 2);
    if (status)
        return status;
    if (c.json)
        status = print_json(&c);
    else if (!*c.text)
        print_same(&c);
    return status || !*c.text ? status : gr_fail(error, GR_DIFFERS, "%s", c.text);
}
