/* What all of the grammar stands on: growing arrays, messages, ends of rules and productions. */
#define _GNU_SOURCE /* asprintf */
#include "host/grammar/internal.h"

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

int gr_slots_grown(uint32_t **table, uint32_t *slots, uint32_t first) {
    uint32_t count = *slots ? 2 * *slots : first, *grown = malloc(count * sizeof *grown);
    if (!grown)
        return 0;
    memset(grown, 0xff, count * sizeof *grown);
    free(*table);
    *table = grown;
    *slots = count;
    return 1;
}

gr_status gr_no_memory(gr_error *error) {
    return gr_fail(error, GR_NO_MEMORY, "no memory for the grammar");
}

gr_status gr_fail_at(const gr_grammar *g, gr_text_position position, gr_error *error,
                     const char *format, ...) {
    char reason[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return gr_fail(error, GR_BAD_INPUT, "%s:%u:%u: %s", g->path, position.line, position.column,
                   reason);
}

gr_status gr_warn_at(gr_grammar *g, gr_text_position position, gr_error *error, const char *format,
                     ...) {
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
    if (asprintf(&line, "%s:%u:%u: %s", g->path, position.line, position.column, reason) < 0)
        return gr_no_memory(error);
    g->warnings[g->warning_count++] = line;
    return GR_OK;
}

const char *gr_show(char out[GR_SHOWN], const char *text, size_t length) {
    size_t i = 0, bytes;
    for (; i < length; i += bytes) {
        bytes = gr_utf8_length(text + i, length - i);
        bytes = bytes ? bytes : 1; /* an escape's: the text of a grammar is UTF-8 */
        if (i + bytes > GR_SHOWN - 4)
            break;
        memcpy(out + i, text + i, bytes);
        if (bytes == 1 && (text[i] < ' ' || text[i] == 127))
            out[i] = text[i] == '\n' ? ' ' : '?';
    }
    strcpy(out + i, i < length ? "..." : "");
    return out;
}

uint32_t gr_symbols_end(const gr_grammar *g, uint32_t production) {
    return production + 1 < g->production_count ? g->productions[production + 1].first
                                                : g->symbol_count;
}

uint32_t gr_productions_end(const gr_grammar *g, uint32_t rule) {
    return rule + 1 < g->rule_count ? g->rules[rule + 1].first : g->production_count;
}
