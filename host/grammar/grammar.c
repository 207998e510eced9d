/* The grammar as a whole: loading, freeing, questions about it. */
#include "host/base/input.h"
#include "host/grammar/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

gr_status gr_grammar_load(const char *path, const gr_grammar_context *context, gr_grammar **grammar,
                          gr_error *error) {
    char *text;
    size_t length;
    *grammar = NULL;
    gr_status status =
        gr_input_read(path, "a grammar file", GR_MAX_GRAMMAR_BYTES, &text, &length, error);
    if (status == GR_OK)
        status = gr_grammar_parse(text, length, path, context, grammar, error);
    free(text);
    return status;
}

/* ---- the end ---- */

static void free_words(gr_grammar_texts *list) {
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
    const gr_grammar_text *word = grammar->terminals.at[terminal];
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

int gr_grammar_is_python(const gr_grammar *grammar) {
    size_t n = strlen(grammar->path);
    return n >= 6 && strcmp(grammar->path + n - 6, ".pybnf") == 0;
}

uint32_t gr_grammar_warnings(const gr_grammar *grammar) {
    return grammar->warning_count;
}

const char *gr_grammar_warning(const gr_grammar *grammar, uint32_t i) {
    return grammar->warnings[i];
}
