#include "host/base/input.h"
#include "host/base/text.h"
#include "host/ponyge2/internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 1 << 20 };

/* ---- the parameters ---- */

const gr_ponyge2_parameter_kind gr_ponyge2_parameter_table[PARAMETERS] = {
#define GR_PONYGE2_PARAMETER(name, kind, initial, key) {name, kind, initial, key},
#include "host/ponyge2/parameters.def"
};

int gr_ponyge2_parameter_find(const char *name) {
    for (int i = 0; i < PARAMETERS; i++)
        if (strcmp(gr_ponyge2_parameter_table[i].name, name) == 0)
            return i;
    return -1;
}

const char *gr_ponyge2_parameter_value(const gr_ponyge2_parameters *p, const char *name) {
    int i = gr_ponyge2_parameter_find(name);
    return p->at[i].value ? p->at[i].value : gr_ponyge2_parameter_table[i].initial;
}

/* ---- messages ---- */

void gr_ponyge2_parameter_place(const gr_ponyge2_parameters *p, int i, char *out, size_t size) {
    const gr_origin *origin = &p->at[i].origin;
    char name[64];
    size_t n = 0;
    for (; gr_ponyge2_parameter_table[i].name[n] && n + 1 < sizeof name; n++)
        name[n] = (char)tolower((unsigned char)gr_ponyge2_parameter_table[i].name[n]);
    name[n] = '\0';
    if (origin->from == GR_FROM_FILE)
        snprintf(out, size, "%s:%u:%u", p->path, origin->line, origin->column);
    else if (origin->from == GR_FROM_OPTION)
        snprintf(out, size, "--%s", name);
    else
        snprintf(out, size, "%s", p->path);
}

gr_status gr_ponyge2_parameter_fail(const gr_ponyge2_parameters *p, int i, gr_error *error,
                                    const char *format, ...) {
    char reason[600], where[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    gr_ponyge2_parameter_place(p, i, where, sizeof where);
    return gr_fail(error, GR_BAD_INPUT, "%s: %s", where, reason);
}

gr_status gr_ponyge2_parameter_note(gr_ponyge2_parameters *p, gr_error *error, const char *format,
                                    ...) {
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

int gr_ponyge2_parameter_is_file(const char *path) {
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

int gr_ponyge2_parameter_is_truth(int i) {
    const char *initial = gr_ponyge2_parameter_table[i].initial;
    return strcmp(initial, "True") == 0 || strcmp(initial, "False") == 0;
}

/* True or False from what Python takes for them; NULL: what it would take for a text, and so for
 * true, whatever the text says ("false" too). */
static const char *truth_of(const char *value) {
    if (strcmp(value, "True") == 0 || strcmp(value, "1") == 0)
        return "True";
    return strcmp(value, "False") == 0 || strcmp(value, "0") == 0 || strcmp(value, "None") == 0
               ? "False"
               : NULL;
}

/* Of these PonyGE2 asks whether there is anything: an empty text is None. */
static int may_be_empty(int i) {
    const char *name = gr_ponyge2_parameter_table[i].name;
    return strcmp(name, "DATASET_TEST") == 0 || strcmp(name, "DATASET_DELIMITER") == 0;
}

gr_status gr_parameter_set(gr_ponyge2_parameters *p, int i, const char *value, gr_origin origin,
                           gr_error *error) {
    const char *truth = gr_ponyge2_parameter_is_truth(i) ? truth_of(value) : value;
    p->at[i].origin = origin;
    if (!truth)
        return gr_ponyge2_parameter_fail(p, i, error, "%s is '%.*s'; expected True or False",
                                         gr_ponyge2_parameter_table[i].name, GR_CUT(value, 40));
    char *copy = strdup(*truth || !may_be_empty(i) ? truth : "None");
    if (!copy)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while reading parameters");
    free(p->at[i].value);
    p->at[i].value = copy;
    return GR_OK;
}

static gr_status unknown_key(gr_ponyge2_parameters *p, const char *key, uint32_t line,
                             gr_error *error) {
    gr_nearest nearest = {0};
    for (int i = 0; i < PARAMETERS; i++)
        gr_nearest_try(&nearest, key, gr_ponyge2_parameter_table[i].name);
    return gr_ponyge2_parameter_note(
        p, error, "%s:%u:1: unknown parameter '%.*s' has no effect%s%s%s", p->path, line,
        GR_CUT(key, 60), nearest.best ? "; did you mean '" : "; expected one of PonyGE2's",
        nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

/* One line, NUL at its end. */
static gr_status read_line(gr_ponyge2_parameters *p, char *text, uint32_t line, gr_error *error) {
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
    int i = gr_ponyge2_parameter_find(key);
    if (i < 0)
        return unknown_key(p, key, line, error);
    if (!*value && !may_be_empty(i))
        return gr_fail(error, GR_BAD_INPUT, "%s:%u:%u: %s has no value; expected one", p->path,
                       line, column, key);
    return gr_parameter_set(p, i, value, (gr_origin){GR_FROM_FILE, line, column, NULL}, error);
}

/* Behind UTF-8's byte order mark, where there is one. */
static char *behind_mark(char *text) {
    return text + gr_text_mark(text, strlen(text));
}

static gr_status read_text(gr_ponyge2_parameters *p, char *text, size_t length, gr_error *error) {
    gr_status status = GR_OK;
    uint32_t line = 1;
    char *rest = behind_mark(text), *at;
    if (!gr_text_is_clean(text, length))
        return gr_fail(error, GR_BAD_INPUT, "%s:1:1: not text; expected lines of KEY: value",
                       p->path);
    while (status == GR_OK && (at = strsep(&rest, "\n")))
        status = read_line(p, at, line++, error);
    return status;
}

gr_status gr_ponyge2_parameters_parse(const char *text, size_t length, const char *path,
                                      gr_ponyge2_parameters **parameters, gr_error *error) {
    gr_ponyge2_parameters *p = calloc(1, sizeof *p);
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
        gr_ponyge2_parameters_free(p);
    return status;
}

gr_status gr_ponyge2_parameters_read(const char *path, gr_ponyge2_parameters **parameters,
                                     gr_error *error) {
    static const char *const folders[] = {"parameters", "../parameters"}; /* PonyGE2 is in src */
    const char *found = gr_ponyge2_parameter_is_file(path) ? path : NULL;
    char below[LONGEST_PATH], *text;
    size_t length;
    *parameters = NULL;
    for (int i = 0; i < 2 && !found; i++) {
        snprintf(below, sizeof below, "%s/%s", folders[i], path);
        found = gr_ponyge2_parameter_is_file(below) ? below : NULL;
    }
    path = found ? found : path;
    gr_status status =
        gr_input_read(path, "a parameter file of PonyGE2", LARGEST_FILE, &text, &length, error);
    if (status == GR_OK)
        status = gr_ponyge2_parameters_parse(text, length, path, parameters, error);
    free(text);
    return status;
}

int gr_ponyge2_parameters_are_in(const char *path) {
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "r");
    char line[256] = "#";
    int begins = 1, comment = 1; /* a longer line comes in pieces */
    while (file && (comment || !*gr_text_trim(line)) && fgets(line, sizeof line, file)) {
        comment = begins ? *line == '#' : comment;
        begins = strchr(line, '\n') != NULL;
    }
    if (file)
        fclose(file);
    line[strcspn(line, ":")] = '\0';
    return gr_ponyge2_parameter_find(gr_text_trim(behind_mark(line))) >= 0;
}

void gr_ponyge2_parameters_free(gr_ponyge2_parameters *p) {
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

uint32_t gr_ponyge2_parameters_notes(const gr_ponyge2_parameters *p) {
    return p->count;
}

const char *gr_ponyge2_parameters_note(const gr_ponyge2_parameters *p, uint32_t i) {
    return p->notes[i];
}
