/* Grammars of a text, for the tests of host/grammar. */
#ifndef GRAMPUS_TESTS_BNF_H
#define GRAMPUS_TESTS_BNF_H

#include "host/grammar/grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gr_grammar_context context = {5, 3, 2, 0};

static inline gr_grammar *parse_length(const char *text, size_t length) {
    gr_grammar *grammar = NULL;
    gr_error error = {0};
    gr_status status = gr_grammar_parse(text, length, "g.bnf", &context, &grammar, &error);
    if (status != GR_OK)
        fail_msg("\"%s\" is refused: %s", text, error.text);
    return grammar;
}

static inline gr_grammar *parse(const char *text) {
    return parse_length(text, strlen(text));
}

/* All productions of all rules as one line: rules end with ";", productions with "|", symbols are
 * blank-free <names> or [terminals]. */
static inline char *show(const gr_grammar *grammar) {
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);
    for (uint32_t r = 0; r < g[GR_G_RULES]; r++) {
        for (uint32_t p = gr_rule_first(g, r); p < gr_rule_first(g, r + 1); p++) {
            for (uint32_t s = gr_symbol_first(g, p); s < gr_symbol_first(g, p + 1); s++) {
                uint32_t symbol = gr_symbol(g, s);
                size_t length;
                if (symbol & GR_NONTERMINAL)
                    fprintf(f, "<%s>", gr_grammar_rule_name(grammar, symbol & ~GR_NONTERMINAL));
                else {
                    const char *text = gr_grammar_terminal(grammar, symbol, &length);
                    fputc('[', f);
                    fwrite(text, 1, length, f);
                    fputc(']', f);
                }
            }
            fputs(p + 1 < gr_rule_first(g, r + 1) ? "|" : ";", f);
        }
    }
    fclose(f);
    return out;
}

static inline void check_rules(const char *text, const char *expected) {
    gr_grammar *grammar = parse(text);
    char *shown = show(grammar);
    assert_string_equal(shown, expected);
    free(shown);
    gr_grammar_free(grammar);
}

static inline int has_warning(const gr_grammar *grammar, const char *part) {
    for (uint32_t i = 0; i < gr_grammar_warnings(grammar); i++)
        if (strstr(gr_grammar_warning(grammar, i), part))
            return 1;
    return 0;
}

static inline void check_error_length(const char *text, size_t length, const char *expected) {
    gr_grammar *grammar = NULL;
    gr_error error = {0};
    gr_status status = gr_grammar_parse(text, length, "g.bnf", NULL, &grammar, &error);
    assert_int_equal(status, GR_BAD_INPUT);
    assert_int_equal(error.status, GR_BAD_INPUT);
    assert_null(grammar);
    assert_null(strchr(error.text, '\n'));
    assert_non_null(strstr(error.text, "; expected "));
    if (strncmp(error.text, expected, strlen(expected)) != 0)
        fail_msg("got \"%s\", expected \"%s...\"", error.text, expected);
}

static inline void check_error(const char *text, const char *expected) {
    check_error_length(text, strlen(text), expected);
}

/* `head`, then n times `body`, then `tail`. */
static inline char *repeat(const char *head, const char *body, size_t n, const char *tail) {
    size_t h = strlen(head), b = strlen(body);
    char *text = malloc(h + n * b + strlen(tail) + 1);
    memcpy(text, head, h);
    for (size_t i = 0; i < n; i++)
        memcpy(text + h + i * b, body, b);
    strcpy(text + h + n * b, tail);
    return text;
}

#endif
