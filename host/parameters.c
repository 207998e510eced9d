#include "parameters.h"

#include "settings_table.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 1 << 20, LONGEST_PATH = 4096 };

/* ---- the parameters ---- */

enum { VALUE, OPERATOR, SPECIAL, NOTHING, ONLY, SWITCH, QUIET };

static const struct {
    const char *name;
    int kind;
    const char *initial, *key;
} table[] = {
#define GR_PARAMETER(name, kind, initial, key) {name, kind, initial, key},
#include "parameters.def"
};
enum { PARAMETERS = sizeof table / sizeof *table };

/* Operators by the last part of their names; key NULL: what is there anyway. */
static const struct {
    const char *parameter, *word, *key, *value;
} operators[] = {
    {"SEARCH_LOOP", "search_loop", NULL, NULL},
    {"STEP", "step", NULL, NULL},
    {"STEP", "steady_state_step", "replacement", "steady-state"},
    {"INITIALISATION", "PI_grow", "initialisation", "pi-grow"},
    {"INITIALISATION", "rhh", "initialisation", "ramped"},
    {"INITIALISATION", "uniform_genome", "initialisation", "uniform"},
    {"INITIALISATION", "uniform_tree", "initialisation", "grow"},
    {"INITIALISATION", "rvd", "initialisation", "uniform"}, /* unique, in put_rest */
    {"SELECTION", "tournament", NULL, NULL},
    {"SELECTION", "truncation", "selection", "truncation"},
    {"CROSSOVER", "variable_onepoint", "crossover", "variable-onepoint"},
    {"CROSSOVER", "variable_twopoint", "crossover", "variable-twopoint"},
    {"CROSSOVER", "fixed_onepoint", "crossover", "fixed-onepoint"},
    {"CROSSOVER", "fixed_twopoint", "crossover", "fixed-twopoint"},
    {"CROSSOVER", "subtree", "crossover", "subtree"},
    {"MUTATION", "int_flip_per_codon", NULL, NULL},
    {"MUTATION", "int_flip_per_ind", "mutation-events", "1"},
    {"MUTATION", "subtree", "subtree-mutation", "1"},
    {"REPLACEMENT", "generational", NULL, NULL},
    {"REPLACEMENT", "steady_state", "replacement", "steady-state"},
};

typedef struct parameter {
    char *value; /* NULL: the default */
    gr_origin origin;
} parameter;

struct gr_parameters {
    char *path; /* as it was found */
    parameter at[PARAMETERS];
    char **notes;
    uint32_t count, capacity;
};

static int find(const char *name) {
    for (int i = 0; i < PARAMETERS; i++)
        if (strcmp(table[i].name, name) == 0)
            return i;
    return -1;
}

static const char *value_of(const gr_parameters *p, const char *name) {
    int i = find(name);
    return p->at[i].value ? p->at[i].value : table[i].initial;
}

static int is_none(const char *value) {
    return strcmp(value, "None") == 0;
}

static const char *last_part(const char *value) {
    const char *dot = strrchr(value, '.');
    return dot ? dot + 1 : value;
}

/* ---- messages ---- */

/* "FILE:LINE:COLUMN" or "--flag". */
static void place_of(const gr_parameters *p, int i, char *out, size_t size) {
    const gr_origin *origin = &p->at[i].origin;
    char name[64];
    size_t n = 0;
    for (; table[i].name[n] && n + 1 < sizeof name; n++)
        name[n] = (char)tolower((unsigned char)table[i].name[n]);
    name[n] = '\0';
    if (origin->from == GR_FROM_FILE)
        snprintf(out, size, "%s:%u:%u", p->path, origin->line, origin->column);
    else if (origin->from == GR_FROM_OPTION)
        snprintf(out, size, "--%s", name);
    else
        snprintf(out, size, "%s", p->path);
}

static gr_status fail(const gr_parameters *p, int i, gr_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static gr_status fail(const gr_parameters *p, int i, gr_error *error, const char *format, ...) {
    char reason[600], place[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    place_of(p, i, place, sizeof place);
    return gr_fail(error, GR_BAD_INPUT, "%s: %s", place, reason);
}

static gr_status add_note(gr_parameters *p, gr_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static gr_status add_note(gr_parameters *p, gr_error *error, const char *format, ...) {
    char line[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (uint32_t i = 0; i < p->count; i++)
        if (strcmp(p->notes[i], line) == 0) /* the options are gone through twice */
            return GR_OK;
    if (p->count == p->capacity) {
        uint32_t capacity = 2 * p->capacity + 8;
        char **grown = realloc(p->notes, capacity * sizeof *grown);
        if (!grown)
            return gr_fail(error, GR_NO_MEMORY, "out of memory while reading parameters");
        p->notes = grown;
        p->capacity = capacity;
    }
    if (!(p->notes[p->count] = strdup(line)))
        return gr_fail(error, GR_NO_MEMORY, "out of memory while reading parameters");
    p->count++;
    return GR_OK;
}

/* ---- the file ---- */

static int is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* Takes a value as Python's literal: without its quotes; a comment behind a number, None, True or
 * False is gone, behind a bare word it belongs to the word, as PonyGE2 has it. In place. */
static char *read_literal(char *text) {
    text = gr_text_trim(text);
    size_t length = strlen(text), bare = strcspn(text, "#");
    if (length >= 2 && (*text == '\'' || *text == '"')) {
        char *end = strchr(text + 1, *text);
        if (end) {
            *end = '\0';
            return text + 1;
        }
    }
    while (bare && (text[bare - 1] == ' ' || text[bare - 1] == '\t'))
        bare--;
    int number = bare && strspn(text, "0123456789.eE+-") >= bare;
    int word = (bare == 4 && (strncmp(text, "None", 4) == 0 || strncmp(text, "True", 4) == 0)) ||
               (bare == 5 && strncmp(text, "False", 5) == 0) ||
               (bare == 2 && strncmp(text, "[]", 2) == 0);
    if (number || word)
        text[bare] = '\0';
    return text;
}

static gr_status set_value(gr_parameters *p, int i, const char *value, gr_origin origin,
                           gr_error *error) {
    char *copy = strdup(value);
    if (!copy)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while reading parameters");
    free(p->at[i].value);
    p->at[i].value = copy;
    p->at[i].origin = origin;
    return GR_OK;
}

static gr_status unknown_key(gr_parameters *p, const char *key, uint32_t line, gr_error *error) {
    gr_nearest nearest = {0};
    for (int i = 0; i < PARAMETERS; i++)
        gr_nearest_try(&nearest, key, table[i].name);
    return add_note(p, error, "%s:%u:1: unknown parameter '%.60s' has no effect%s%s%s", p->path,
                    line, key, nearest.best ? "; did you mean '" : "; expected one of PonyGE2's",
                    nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

/* One line, NUL at its end. */
static gr_status read_line(gr_parameters *p, char *text, uint32_t line, gr_error *error) {
    char *colon = strchr(text, ':');
    if (*text == '#' || !*gr_text_trim(text))
        return GR_OK;
    if (!colon)
        return gr_fail(error, GR_BAD_INPUT, "%s:%u:1: no ':'; expected lines of KEY: value",
                       p->path, line);
    *colon = '\0';
    char *start = colon + 1 + strspn(colon + 1, " \t");
    uint32_t column = (uint32_t)(start - text) + 1;
    char *value = read_literal(start);
    char *key = gr_text_trim(text);
    int i = find(key);
    if (i < 0)
        return unknown_key(p, key, line, error);
    if (!*value)
        return gr_fail(error, GR_BAD_INPUT, "%s:%u:%u: %s has no value; expected one", p->path,
                       line, column, key);
    return set_value(p, i, value, (gr_origin){GR_FROM_FILE, line, column}, error);
}

static gr_status read_text(gr_parameters *p, char *text, size_t length, gr_error *error) {
    gr_status status = GR_OK;
    uint32_t line = 1;
    char *rest = text, *at;
    if (!gr_text_is_clean(text, length))
        return gr_fail(error, GR_BAD_INPUT, "%s:1:1: not text; expected lines of KEY: value",
                       p->path);
    while (status == GR_OK && (at = strsep(&rest, "\n")))
        status = read_line(p, at, line++, error);
    return status;
}

static gr_status read_file(const char *path, char **text, size_t *length, gr_error *error) {
    FILE *file = fopen(path, "rb");
    gr_status status = GR_OK;
    *text = malloc(LARGEST_FILE + 1);
    *length = file && *text ? fread(*text, 1, LARGEST_FILE + 1, file) : 0;
    if (!*text)
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    else if (!file || ferror(file))
        status = gr_fail(error, GR_BAD_INPUT, "%s: %s; expected a parameter file of PonyGE2", path,
                         strerror(errno));
    if (file)
        fclose(file);
    return status;
}

gr_status gr_parameters_parse(const char *text, size_t length, const char *path,
                              gr_parameters **parameters, gr_error *error) {
    gr_parameters *p = calloc(1, sizeof *p);
    char *copy = malloc(length + 1);
    gr_status status = GR_OK;
    *parameters = NULL;
    if (!p || !copy || !(p->path = strdup(path)))
        status = gr_fail(error, GR_NO_MEMORY, "%s: out of memory while reading", path);
    else if (length > LARGEST_FILE)
        status = gr_fail(error, GR_BAD_INPUT, "%s:1:1: more than %d bytes; expected parameters",
                         path, LARGEST_FILE);
    else {
        memcpy(copy, text, length);
        copy[length] = '\0';
        status = read_text(p, copy, length, error);
    }
    free(copy);
    if (status == GR_OK)
        *parameters = p;
    else
        gr_parameters_free(p);
    return status;
}

gr_status gr_parameters_read(const char *path, gr_parameters **parameters, gr_error *error) {
    char below[LONGEST_PATH], *text;
    size_t length;
    *parameters = NULL;
    snprintf(below, sizeof below, "parameters/%s", path);
    if (!is_file(path) && is_file(below))
        path = below;
    gr_status status = read_file(path, &text, &length, error);
    if (status == GR_OK)
        status = gr_parameters_parse(text, length, path, parameters, error);
    free(text);
    return status;
}

void gr_parameters_free(gr_parameters *p) {
    if (!p)
        return;
    for (int i = 0; i < PARAMETERS; i++)
        free(p->at[i].value);
    for (uint32_t i = 0; i < p->count; i++)
        free(p->notes[i]);
    free(p->notes);
    free(p->path);
    free(p);
}

uint32_t gr_parameters_notes(const gr_parameters *p) {
    return p->count;
}

const char *gr_parameters_note(const gr_parameters *p, uint32_t i) {
    return p->notes[i];
}

/* ---- flags ---- */

static int takes_value(int i) {
    const char *initial = table[i].initial;
    return strcmp(initial, "True") != 0 && strcmp(initial, "False") != 0;
}

/* PonyGE2 reads these from the file alone. */
static int is_flag(int i) {
    static const char *const file_only[] = {
        "CACHE", "LOOKUP_FITNESS", "LOOKUP_BAD_FITNESS", "MUTATE_DUPLICATES", "SEED_INDIVIDUALS",
        "TARGET"};
    for (size_t k = 0; k < sizeof file_only / sizeof *file_only; k++)
        if (strcmp(table[i].name, file_only[k]) == 0)
            return 0;
    return 1;
}

/* The parameter of a flag's name or of an unambiguous beginning; -1: none, -2: several. */
static int find_flag(const char *name, size_t length) {
    int found = -1;
    for (int i = 0; i < PARAMETERS && length; i++) {
        if (!is_flag(i) || strncasecmp(table[i].name, name, length) != 0)
            continue;
        if (!table[i].name[length])
            return i;
        found = found == -1 ? i : -2;
    }
    return found;
}

/* Whether the name belongs to a setting of Grampus that the flag would mean differently. */
static int is_own(const char *name, size_t length, int flag, const char *value) {
    gr_key key = gr_setting_find(name, length);
    if (key == GR_KEY_COUNT)
        return 0;
    for (size_t k = 0; value && k < sizeof operators / sizeof *operators; k++)
        if (flag >= 0 && strcmp(operators[k].parameter, table[flag].name) == 0 &&
            strcmp(operators[k].word, last_part(value)) == 0)
            return 0;
    return key != GR_KEY_grammar;
}

gr_status gr_parameters_flag(gr_parameters *p, int argc, char *const *argv, int *used,
                             gr_error *error) {
    static const gr_origin option = {GR_FROM_OPTION, 0, 0};
    *used = 0;
    if (argc < 1 || strncmp(argv[0], "--", 2) != 0)
        return GR_OK;
    const char *name = argv[0] + 2, *equals = strchr(name, '=');
    size_t length = strcspn(name, "=");
    int i = find_flag(name, length);
    const char *value = equals ? equals + 1 : argc > 1 ? argv[1] : NULL;
    if (i == -1 || is_own(name, length, i, value))
        return GR_OK;
    if (i == -2)
        return gr_fail(error, GR_BAD_INPUT,
                       "%.80s: several parameters of PonyGE2 begin so; expected more of the name",
                       argv[0]);
    if (!takes_value(i)) {
        if (equals)
            return gr_fail(error, GR_BAD_INPUT, "%.80s: this flag takes no value", argv[0]);
        *used = 1;
        return set_value(p, i, "True", option, error);
    }
    if (!value)
        return gr_fail(error, GR_BAD_INPUT, "%.80s: no value; expected one", argv[0]);
    *used = equals ? 1 : 2;
    return set_value(p, i, value, option, error);
}

/* ---- files beside the parameters ---- */

/* The file called `name` in folder `kind` ("grammars", "datasets") of a PonyGE2 checkout; its
 * absolute path, malloc'ed, or NULL. */
static char *look_for(const gr_parameters *p, const char *kind, const char *name) {
    const char *slash = strrchr(p->path, '/');
    int n = slash ? (int)(slash - p->path) + 1 : 0;
    char path[5][LONGEST_PATH];
    snprintf(path[0], LONGEST_PATH, "%.*s../%s/%s", n, p->path, kind, name);
    snprintf(path[1], LONGEST_PATH, "%.*s%s/%s", n, p->path, kind, name);
    snprintf(path[2], LONGEST_PATH, "%s/%s", kind, name);
    snprintf(path[3], LONGEST_PATH, "../%s/%s", kind, name);
    snprintf(path[4], LONGEST_PATH, "%s", name);
    if (*name == '/')
        return is_file(name) ? strdup(name) : NULL;
    for (int i = 0; i < 5; i++)
        if (is_file(path[i]))
            return realpath(path[i], NULL);
    return NULL;
}

/* ---- to settings ---- */

typedef struct target {
    gr_parameters *p;
    gr_settings *settings;
    gr_error *error;
} target;

static gr_status put(const target *t, int i, const char *key, const char *value) {
    gr_origin origin = t->p->at[i].origin;
    if (origin.from == GR_FROM_OPTION) /* a message would name the setting, not the flag */
        origin.from = GR_FROM_CALLER;
    return gr_setting_store(t->settings, gr_setting_find(key, strlen(key)), value, origin,
                            t->error);
}

static gr_status put_file(const target *t, const char *name, const char *kind, const char *key) {
    int i = find(name);
    const char *value = value_of(t->p, name);
    char *path = look_for(t->p, kind, value);
    if (!path)
        return fail(t->p, i, t->error,
                    "%s is '%.200s', which is not there; expected it in the folder %s beside that "
                    "of the parameters, or here",
                    name, value, kind);
    gr_status status = put(t, i, key, path);
    free(path);
    return status;
}

static gr_status put_operator(const target *t, int i) {
    const char *value = t->p->at[i].value ? t->p->at[i].value : table[i].initial;
    char list[200] = "";
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        if (strcmp(operators[k].parameter, table[i].name) != 0)
            continue;
        if (strcmp(operators[k].word, last_part(value)) == 0)
            return operators[k].key ? put(t, i, operators[k].key, operators[k].value) : GR_OK;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                 operators[k].word);
    }
    return fail(t->p, i, t->error, "%s is '%.80s', but there is no such %s; expected %s",
                table[i].name, value, table[i].key, list);
}

static gr_status put_plain(const target *t, int i) {
    const char *value = t->p->at[i].value ? t->p->at[i].value : table[i].initial;
    switch (table[i].kind) {
    case VALUE:
        return is_none(value) ? GR_OK : put(t, i, table[i].key, value);
    case OPERATOR:
        return put_operator(t, i);
    case ONLY:
    case SWITCH:
        if (strcmp(value, table[i].initial) == 0)
            return GR_OK;
        return fail(t->p, i, t->error, "%s is '%.80s', but there is no %s; expected %s",
                    table[i].name, value, table[i].key, table[i].initial);
    default:
        return GR_OK;
    }
}

/* ---- parameters that hang together ---- */

static gr_status put_fitness(const target *t) {
    static const struct {
        const char *function, *metric;
    } functions[] = {{"regression", "rmse"},
                     {"classification", "f1_score"},
                     {"boolean_problem", "Hamming_error"},
                     {"if_else_classifier", "Hamming_error"}};
    static const struct {
        const char *metric, *word;
    } metrics[] = {{"mse", "mse"},     {"rmse", "rmse"},   {"mae", "mae"},
                   {"hinge", "hinge"}, {"f1_score", "f1"}, {"Hamming_error", "misclassified"}};
    int i = find("FITNESS_FUNCTION"), k = find("ERROR_METRIC");
    const char *function = value_of(t->p, "FITNESS_FUNCTION"),
               *metric = value_of(t->p, "ERROR_METRIC"), *initial = NULL;
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++)
        if (strcmp(last_part(function), functions[n].function) == 0)
            initial = functions[n].metric;
    if (!initial || strchr(function, ','))
        return fail(t->p, i, t->error,
                    "FITNESS_FUNCTION is '%.80s', which is not there; expected one of "
                    "supervised_learning.regression, classification, boolean_problem and "
                    "if_else_classifier",
                    function);
    metric = is_none(metric) ? initial : last_part(metric);
    for (size_t n = 0; n < sizeof metrics / sizeof *metrics; n++)
        if (strcmp(metrics[n].metric, metric) == 0)
            return put(t, t->p->at[k].value ? k : i, "metric", metrics[n].word);
    return fail(t->p, k, t->error,
                "ERROR_METRIC is '%.80s'; expected mse, rmse, mae, hinge, f1_score or "
                "Hamming_error",
                metric);
}

/* PonyGE2 leaves the first line of data out, whatever it holds; one that begins with '#' is a
 * comment here anyway. */
static gr_status put_header(const target *t) {
    FILE *file = fopen(t->settings->data, "rb");
    int first = file ? fgetc(file) : EOF;
    if (file)
        fclose(file);
    return put(t, find("DATASET_TRAIN"), "header", first == '#' ? "no" : "yes");
}

static gr_status put_data(const target *t) {
    static const struct {
        const char *text, *word;
    } delimiters[] = {{"\\t", "tab"},     {"\t", "tab"},  {",", "comma"},
                      {";", "semicolon"}, {":", "colon"}, {" ", "space"}};
    const char *delimiter = value_of(t->p, "DATASET_DELIMITER");
    int i = find("DATASET_DELIMITER"), known = is_none(delimiter);
    gr_status status = put_file(t, "GRAMMAR_FILE", "grammars", "grammar");
    if (status == GR_OK)
        status = put_file(t, "DATASET_TRAIN", "datasets", "data");
    if (status == GR_OK && !is_none(value_of(t->p, "DATASET_TEST")))
        status = put_file(t, "DATASET_TEST", "datasets", "test-data");
    for (size_t n = 0; status == GR_OK && n < sizeof delimiters / sizeof *delimiters; n++)
        if (strcmp(delimiters[n].text, delimiter) == 0) {
            status = put(t, i, "delimiter", delimiters[n].word);
            known = 1;
        }
    if (status == GR_OK && !known)
        return fail(t->p, i, t->error,
                    "DATASET_DELIMITER is '%.20s'; expected a tab, ',', ';', ':' or a blank",
                    delimiter);
    return status == GR_OK ? put_header(t) : status;
}

/* Without a limit in PonyGE2; here memory is planned ahead. */
static gr_status put_lengths(const target *t) {
    const char *most = value_of(t->p, "MAX_GENOME_LENGTH"),
               *length = value_of(t->p, "INIT_GENOME_LENGTH");
    int i = find("MAX_GENOME_LENGTH"), k = find("INIT_GENOME_LENGTH");
    gr_status status = put(t, k, "genome-length", length);
    if (status == GR_OK && is_none(most)) {
        char room[32];
        uint32_t codons = t->settings->genome_length < 333 ? 1000 : 3 * t->settings->genome_length;
        snprintf(room, sizeof room, "%u", codons < 1000000 ? codons : 1000000);
        return put(t, i, "max-genome-length", room);
    }
    if (status == GR_OK)
        status = put(t, i, "max-genome-length", most);
    if (status == GR_OK && t->settings->genome_length > t->settings->max_genome_length)
        status = put(t, k, "genome-length", most); /* uniform genomes alone have this length */
    return status;
}

/* The ramp begins one level below its "minimum", or where derivations abound. */
static gr_status put_ramp(const target *t) {
    const char *least = value_of(t->p, "MIN_INIT_TREE_DEPTH");
    int i = find("MIN_INIT_TREE_DEPTH");
    if (is_none(least))
        return put(t, i, "distinct-ramp", "true");
    gr_status status = put(t, i, "init-min-depth", least);
    if (status == GR_OK && t->settings->init_min_depth < t->settings->init_max_depth)
        t->settings->init_min_depth++;
    return status;
}

static gr_status put_mutation(const target *t) {
    const char *probability = value_of(t->p, "MUTATION_PROBABILITY"),
               *events = value_of(t->p, "MUTATION_EVENTS");
    int i = find("MUTATION_PROBABILITY"), k = find("MUTATION_EVENTS");
    const char *kind = last_part(value_of(t->p, "MUTATION"));
    if (strcmp(kind, "int_flip_per_ind") == 0)
        return put(t, k, "mutation-events", events);
    if (strcmp(kind, "subtree") == 0 && strcmp(events, "1") == 0) /* whatever the probability */
        return put(t, find("MUTATION"), "codon-mutation", "0");
    if (!is_none(probability) && strcmp(events, "1") != 0)
        return fail(t->p, k, t->error,
                    "MUTATION_EVENTS beside MUTATION_PROBABILITY; expected one of them");
    if (strcmp(events, "1") != 0)
        return fail(t->p, k, t->error,
                    "MUTATION_EVENTS is '%.20s', which %s does not know; expected 1", events,
                    strcmp(kind, "subtree") == 0 ? "subtree" : "int_flip_per_codon");
    return is_none(probability) ? GR_OK : put(t, i, "codon-mutation", probability);
}

/* Invalid individuals take no part in selection; without invalids after mutation there are none
 * after crossover, which alone is another thing. */
static gr_status put_invalid(const target *t) {
    int i = find("INVALID_SELECTION"), k = find("NO_CROSSOVER_INVALIDS");
    int worst = strcmp(value_of(t->p, "INVALID_SELECTION"), "True") == 0;
    int mutation = strcmp(value_of(t->p, "NO_MUTATION_INVALIDS"), "True") == 0;
    if (strcmp(value_of(t->p, "NO_CROSSOVER_INVALIDS"), "True") == 0 && !mutation)
        return fail(t->p, k, t->error,
                    "NO_CROSSOVER_INVALIDS alone: here a child is drawn again once it is crossed "
                    "and mutated; expected NO_MUTATION_INVALIDS too");
    return put(t, mutation ? find("NO_MUTATION_INVALIDS") : i, "invalid",
               mutation ? "redrawn"
               : worst  ? "worst"
                        : "excluded");
}

static gr_status put_rest(const target *t) {
    const char *seed = value_of(t->p, "RANDOM_SEED");
    gr_status status = GR_OK;
    if (!is_none(seed))
        status = put(t, find("RANDOM_SEED"), "seed", seed);
    if (status == GR_OK && strcmp(value_of(t->p, "SILENT"), "True") == 0)
        status = put(t, find("SILENT"), "quiet", "true");
    if (status == GR_OK)
        status = put(t, find("WITHIN_USED"), "crossover-within-used",
                     strcmp(value_of(t->p, "WITHIN_USED"), "False") == 0 ? "false" : "true");
    if (status == GR_OK && strcmp(last_part(value_of(t->p, "INITIALISATION")), "rvd") == 0)
        status = put(t, find("INITIALISATION"), "unique", "true");
    if (status == GR_OK && strcmp(last_part(value_of(t->p, "INITIALISATION")), "uniform_tree") == 0)
        status = put(t, find("INITIALISATION"), "init-max-depth",
                     t->settings->max_depth < 64 ? value_of(t->p, "MAX_TREE_DEPTH") : "64");
    return status == GR_OK ? gr_settings_set(t->settings, "ponyge2-statistics", "true", t->error)
                           : status;
}

gr_status gr_parameters_store(gr_parameters *p, gr_settings *settings, gr_error *error) {
    const target t = {p, settings, error};
    static gr_status (*const parts[])(const target *) = {
        put_fitness, put_data, put_lengths, put_ramp, put_mutation, put_invalid, put_rest};
    char *file = strdup(p->path);
    if (!file)
        return gr_fail(error, GR_NO_MEMORY, "%s: no memory", p->path);
    free(settings->file);
    settings->file = file;
    gr_status status = GR_OK;
    for (int i = 0; i < PARAMETERS && status == GR_OK; i++)
        status = put_plain(&t, i);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == GR_OK; i++)
        status = parts[i](&t);
    if (status == GR_OK && settings->runs > 1)
        status = add_note(p, error,
                          "%s: %u runs in one launch, seeds %llu and on (PonyGE2's experiment "
                          "manager takes 0 and on)",
                          p->path, settings->runs, (unsigned long long)settings->seed);
    return status;
}
