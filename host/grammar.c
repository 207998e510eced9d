/* The grammar as a whole: loading, freeing, questions about it, messages. */
#define _GNU_SOURCE /* asprintf */
#include "grammar_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *gr_grown(void *array, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity)
        return array;
    if (*capacity > UINT32_MAX / 2)
        return NULL;
    uint32_t larger = *capacity ? 2 * *capacity : 16;
    void *grown = realloc(array, larger * size);
    if (grown)
        *capacity = larger;
    return grown;
}

gr_status gr_no_memory(gr_error *error) {
    return gr_fail(error, GR_NO_MEMORY, "no memory for the grammar");
}

gr_status gr_fail_place(const gr_grammar *g, gr_place place, gr_error *error, const char *format,
                        ...) {
    char reason[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return gr_fail(error, GR_BAD_INPUT, "%s:%u:%u: %s", g->path, place.line, place.column, reason);
}

gr_status gr_warn_place(gr_grammar *g, gr_place place, gr_error *error, const char *format, ...) {
    char reason[900], *line;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    char **warnings =
        gr_grown(g->warnings, g->warning_count, &g->warning_capacity, sizeof *warnings);
    if (!warnings)
        return gr_no_memory(error);
    g->warnings = warnings;
    if (asprintf(&line, "%s:%u:%u: %s", g->path, place.line, place.column, reason) < 0)
        return gr_no_memory(error);
    g->warnings[g->warning_count++] = line;
    return GR_OK;
}

const char *gr_show(char out[GR_SHOWN], const char *text, size_t length) {
    size_t shown = length < GR_SHOWN - 4 ? length : GR_SHOWN - 4;
    for (size_t i = 0; i < shown; i++)
        out[i] = text[i] >= ' ' && text[i] < 127 ? text[i] : text[i] == '\n' ? ' ' : '?';
    strcpy(out + shown, shown < length ? "..." : "");
    return out;
}

uint32_t gr_symbols_end(const gr_grammar *g, uint32_t production) {
    return production + 1 < g->production_count ? g->productions[production + 1].first
                                                : g->symbol_count;
}

uint32_t gr_productions_end(const gr_grammar *g, uint32_t rule) {
    return rule + 1 < g->rule_count ? g->rules[rule + 1].first : g->production_count;
}

/* ---- loading ---- */

gr_status gr_grammar_parse(const char *text, size_t length, const char *path,
                           const gr_grammar_context *context, gr_grammar **grammar,
                           gr_error *error) {
    *grammar = NULL;
    gr_grammar *g = calloc(1, sizeof *g);
    if (!g || !(g->path = strdup(path))) {
        free(g);
        return gr_no_memory(error);
    }
    gr_status status = gr_grammar_read(g, text, length, context, error);
    if (status == GR_OK)
        status = gr_grammar_codon_values(g, context, error);
    if (status == GR_OK)
        status = gr_grammar_analyse(g, error);
    if (status == GR_OK)
        *grammar = g;
    else
        gr_grammar_free(g);
    return status;
}

/* Reads a whole file, also one whose size is not known before; a byte more than allowed is enough
 * to know. */
static gr_status read_file(const char *path, char **text, size_t *length, gr_error *error) {
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16, n;
    *length = 0;
    *text = NULL;
    if (!file)
        return gr_fail(error, GR_BAD_INPUT, "%s: %s; expected a grammar file", path,
                       strerror(errno));
    gr_status status = GR_OK;
    do {
        char *grown = realloc(*text, capacity);
        if (!grown) {
            status = gr_no_memory(error);
            break;
        }
        *text = grown;
        n = fread(*text + *length, 1, capacity - *length, file);
        *length += n;
        capacity *= 2;
    } while (n && *length <= GR_MAX_GRAMMAR_BYTES);
    if (status == GR_OK && ferror(file))
        status =
            gr_fail(error, GR_BAD_INPUT, "%s: %s; expected a grammar file", path, strerror(errno));
    fclose(file);
    return status;
}

gr_status gr_grammar_load(const char *path, const gr_grammar_context *context, gr_grammar **grammar,
                          gr_error *error) {
    char *text;
    size_t length;
    *grammar = NULL;
    gr_status status = read_file(path, &text, &length, error);
    if (status == GR_OK)
        status = gr_grammar_parse(text, length, path, context, grammar, error);
    free(text);
    return status;
}

/* ---- the end ---- */

static void free_words(gr_word_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        free(list->at[i]->text);
        free(list->at[i]);
    }
    free(list->at);
}

void gr_grammar_free(gr_grammar *g) {
    if (!g)
        return;
    for (uint32_t i = 0; i < g->warning_count; i++)
        free(g->warnings[i]);
    free_words(&g->names);
    free_words(&g->terminals);
    void *arrays[] = {g->path,    g->source,     g->rules,    g->productions, g->symbols,
                      g->owner,   g->depth,      g->by_depth, g->rule_depth,  g->endless,
                      g->reached, g->reached_by, g->words,    g->warnings};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(g);
}

/* ---- questions ---- */

const uint32_t *gr_grammar_tables(const gr_grammar *grammar, uint32_t *words) {
    *words = grammar->word_count;
    return grammar->words;
}

const char *gr_grammar_terminal(const gr_grammar *grammar, uint32_t terminal, size_t *length) {
    const gr_word *word = grammar->terminals.at[terminal];
    if (length)
        *length = word->length;
    return word->text;
}

const char *gr_grammar_rule_name(const gr_grammar *grammar, uint32_t rule) {
    return grammar->rules[rule].name->text;
}

const char *gr_grammar_path(const gr_grammar *grammar) {
    return grammar->path;
}

uint32_t gr_grammar_warnings(const gr_grammar *grammar) {
    return grammar->warning_count;
}

const char *gr_grammar_warning(const gr_grammar *grammar, uint32_t i) {
    return grammar->warnings[i];
}
