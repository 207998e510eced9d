#include "host/run/finished.h"

#include "host/base/input.h"
#include "host/base/output.h"
#include "host/base/text.h"
#include "host/problem/validation.h"
#include "host/settings/targets.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- names in an expression ---- */

/* The number of an input written as x3, or -1. */
static int64_t number_of(const char *name, size_t length) {
    int64_t number = 0;
    if (length < 2 || length > 9 || *name != 'x')
        return -1;
    for (size_t i = 1; i < length; i++) {
        if (!isdigit((unsigned char)name[i]))
            return -1;
        number = 10 * number + (name[i] - '0');
    }
    return number;
}

/* Whether a word is part of the language. */
static int is_language(const char *word, size_t length) {
    static const char *const words[] = {"if", "else", "True", "False", "pi", "e", "inf", "nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return 1;
    return gr_find_operation(word, length, 0) >= 0 || gr_find_operation(word, length, 1) >= 0;
}

static gr_status grow(char ***names, uint32_t *count, uint32_t to, gr_error *error) {
    char **more = to > *count ? realloc(*names, to * sizeof *more) : *names;
    if (to > *count && !more)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the names of inputs");
    *names = more;
    for (char plain[16]; *count < to; ++*count) {
        snprintf(plain, sizeof plain, "x%u", *count);
        if (!(more[*count] = strdup(plain)))
            return gr_fail(error, GR_NO_MEMORY, "no memory for the names of inputs");
    }
    return GR_OK;
}

/* Takes up a name at the end, unless it is known. */
static gr_status add_name(const char *word, size_t length, char ***names, uint32_t *count,
                          gr_error *error) {
    for (uint32_t k = 0; k < *count; k++)
        if (strlen((*names)[k]) == length && memcmp((*names)[k], word, length) == 0)
            return GR_OK;
    gr_status status = grow(names, count, *count + 1, error);
    char *name = status ? NULL : strndup(word, length);
    if (!name)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the names of inputs");
    free((*names)[*count - 1]);
    (*names)[*count - 1] = name;
    return GR_OK;
}

/* Calls for every word; `numbered`: those of numbered inputs, or the others. */
static gr_status take_names(const char *text, int numbered, char ***names, uint32_t *count,
                            gr_error *error) {
    gr_status status = GR_OK;
    const char *end = text + strlen(text);
    for (const char *c = text; *c && !status;) {
        size_t n = gr_text_name(c, (size_t)(end - c));
        if (isdigit((unsigned char)*c) || *c == '.') { /* 1e5 */
            c += strspn(c, "0123456789.");
            if ((*c == 'e' || *c == 'E') && (isdigit((unsigned char)c[1]) || c[1] == '-'))
                c += 2;
            continue;
        }
        if (!n) {
            c++;
            continue;
        }
        int64_t number = number_of(c, n);
        if (n == 1 && *c == 'x' && c[1] == '[') /* x[3], x[:, 3] */
            number = strtol(c + 2 + strspn(c + 2, ":, "), NULL, 10);
        if (number >= 0 && number < 1 << 20 && numbered)
            status = grow(names, count, (uint32_t)number + 1, error);
        else if (number < 0 && !numbered && !is_language(c, n))
            status = add_name(c, n, names, count, error);
        c += n;
    }
    return status;
}

gr_status gr_guess_names(const char *text, char ***names, uint32_t *count, gr_error *error) {
    gr_status status = take_names(text, 1, names, count, error);
    return status ? status : take_names(text, 0, names, count, error);
}

void gr_free_names(char **names, uint32_t count) {
    for (uint32_t k = 0; names && k < count; k++)
        free(names[k]);
    free(names);
}

/* ---- reading ---- */

static gr_status read_best(const char *path, cJSON **best, gr_error *error) {
    char *text = NULL;
    size_t length;
    gr_status status = gr_input_read_text(path, "the folder of a run, or its best.json",
                                          (size_t)1 << 31, &text, &length, error);
    if (!status && !(*best = cJSON_Parse(text)))
        status = gr_fail(error, GR_BAD_INPUT,
                         "%s: not JSON; expected the folder of a run, or its best.json", path);
    if (!status && !cJSON_HasObjectItem(*best, "infix"))
        status =
            gr_fail(error, GR_BAD_INPUT,
                    "%s: no member 'infix'; expected the folder of a run, or its best.json", path);
    free(text);
    return status;
}

/* Whether the text of `data` is another than what the run has noted. */
static int has_changed(const gr_finished *f) {
    const char *noted =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(f->best, "data_crc32"));
    return noted && f->train.checksum && strtoul(noted, NULL, 16) != f->train.checksum;
}

/* Settings and the names of the data; what is missing is noted, and no error. */
static void read_settings(gr_finished *f) {
    char *path = gr_path_join(f->folder, "run.yaml");
    gr_status status = path ? gr_settings_init(&f->settings, &f->why)
                            : gr_fail(&f->why, GR_NO_MEMORY, "no memory for a path");
    if (!status)
        status = gr_settings_load(&f->settings, path, &f->why);
    if (!status)
        status = gr_settings_resolve(&f->settings, &f->why);
    if (!status)
        status = gr_dataset_make_trained(&f->settings, &f->train, &f->test, &f->why);
    f->changed = !status && has_changed(f);
    f->settled = status == GR_OK;
    free(path);
}

static gr_status guess_all(gr_finished *f, gr_error *error) {
    const cJSON *one, *runs = cJSON_GetObjectItemCaseSensitive(f->best, "runs");
    const char *infix = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(f->best, "infix"));
    gr_status status = infix ? gr_guess_names(infix, &f->names, &f->inputs, error) : GR_OK;
    cJSON_ArrayForEach(one, runs) {
        infix = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "infix"));
        if (infix && !status)
            status = gr_guess_names(infix, &f->names, &f->inputs, error);
    }
    return status;
}

gr_status gr_finished_open(const char *path, gr_finished *finished, gr_error *error) {
    gr_finished f = {0};
    struct stat facts;
    int is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    const char *slash = strrchr(path, '/');
    char *file = is_folder ? gr_path_join(path, "best.json") : strdup(path);
    f.folder = is_folder ? strdup(path)
               : slash   ? strndup(path, (size_t)(slash - path))
                         : strdup(".");
    gr_status status = file && f.folder ? read_best(file, &f.best, error)
                                        : gr_fail(error, GR_NO_MEMORY, "no memory for a path");
    if (!status)
        read_settings(&f);
    if (!status && !f.settled)
        status = guess_all(&f, error);
    free(file);
    if (status)
        gr_finished_free(&f);
    *finished = f;
    return status;
}

void gr_finished_free(gr_finished *f) {
    gr_finished empty = {0};
    gr_dataset_free(&f->train);
    gr_dataset_free(&f->test);
    gr_settings_free(&f->settings);
    gr_free_names(f->names, f->inputs);
    cJSON_Delete(f->best);
    free(f->folder);
    *f = empty;
}

/* ---- looking ---- */

int gr_finished_doubles(const gr_finished *f) {
    const cJSON *word = cJSON_GetObjectItemCaseSensitive(f->best, "precision");
    const char *precision = cJSON_GetStringValue(word);
    return f->settled ? f->settings.precision == GR_PRECISION_DOUBLE
                      : precision && strcmp(precision, "double") == 0;
}

uint32_t gr_finished_runs(const gr_finished *f) {
    const cJSON *runs = cJSON_GetObjectItemCaseSensitive(f->best, "runs");
    return runs ? (uint32_t)cJSON_GetArraySize(runs) : 1;
}

/* Of many runs best.json has the best one alone, which is nobody's in particular. */
static gr_status refuse_single(const gr_finished *f, double runs, gr_error *error) {
    return gr_fail(error, GR_BAD_INPUT,
                   "%s: best.json has no single one of %.0f runs; expected no --run, or an "
                   "expression of runs.tsv",
                   f->folder, runs);
}

gr_status gr_finished_best(const gr_finished *f, int64_t run, const cJSON **best, gr_error *error) {
    const cJSON *runs = cJSON_GetObjectItemCaseSensitive(f->best, "runs");
    const cJSON *summary = cJSON_GetObjectItemCaseSensitive(f->best, "summary");
    double all = gr_finished_number(summary, "runs", 1.0);
    uint32_t count = gr_finished_runs(f);
    if (run >= 0 && !runs && all > 1.0)
        return refuse_single(f, all, error);
    *best = run < 0 || !runs ? f->best : cJSON_GetArrayItem(runs, (int)run);
    if (run >= (int64_t)count)
        return gr_fail(error, GR_BAD_INPUT, "%s: no run %lld; expected one below %u", f->folder,
                       (long long)run, count);
    if (!cJSON_IsString(cJSON_GetObjectItemCaseSensitive(*best, "infix")))
        return gr_fail(error, GR_BAD_INPUT, "%s: no valid program was found", f->folder);
    return GR_OK;
}

/* Whether the operations of an expression are those on words: its metrics alone have them. */
static int is_packed(const gr_finished *f) {
    const char *metric = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(f->best, "metric"));
    return f->settled ? f->train.packed : metric && strncmp(metric, "boolean-", 8) == 0;
}

const char *const *gr_finished_targets(const gr_finished *f, const char *names[GR_MOST_RANKED]) {
    const cJSON *one, *targets = cJSON_GetObjectItemCaseSensitive(f->best, "targets");
    uint32_t count = 0;
    cJSON_ArrayForEach(one, targets) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "target"));
        if (count < GR_MOST_RANKED)
            names[count++] = name ? name : "";
    }
    return count ? names : NULL;
}

/* The outputs that best.json has of several targets. */
static void guess_outputs(const gr_finished *f, gr_vocabulary *v) {
    const char *metric = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(f->best, "metric"));
    const cJSON *targets = cJSON_GetObjectItemCaseSensitive(f->best, "targets");
    int distances = metric && (strcmp(metric, "mae") == 0 || strcmp(metric, "sae") == 0);
    v->outputs = gr_min_u32((uint32_t)cJSON_GetArraySize(targets), GR_MOST_RANKED);
    v->part = !v->outputs ? 0 : distances ? GR_TARGETS_DISTANCE : GR_TARGETS_SQUARE;
}

gr_vocabulary gr_finished_vocabulary(const gr_finished *f) {
    gr_vocabulary v = {(const char *const *)f->names, f->inputs, is_packed(f), 0, 0, 0};
    if (!f->settled)
        guess_outputs(f, &v);
    if (f->settled) {
        v.names = (const char *const *)f->train.names;
        v.outputs = gr_settings_targets(&f->settings);
        v.part = gr_settings_part(&f->settings);
        v.inputs = f->train.inputs - v.outputs; /* its targets are the last */
    }
    return v;
}

gr_status gr_finished_nodes(const gr_finished *f, const cJSON *best, gr_node **nodes,
                            uint32_t *count, gr_error *error) {
    gr_vocabulary vocabulary = gr_finished_vocabulary(f);
    const char *infix = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(best, "infix"));
    return gr_read_expression(infix ? infix : "", "best.json", &vocabulary, nodes, count, error);
}

double gr_finished_number(const cJSON *best, const char *name, double otherwise) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(best, name);
    return cJSON_IsNumber(value) ? value->valuedouble : otherwise;
}
