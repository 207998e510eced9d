/* Random grammars, for the tests of host/grammar. */
#ifndef GRAMPUS_TESTS_RANDOM_GRAMMARS_H
#define GRAMPUS_TESTS_RANDOM_GRAMMARS_H

#include "host/grammar/grammar.h"
#include "tests/core.h"

#include <stdio.h>

static inline gr_grammar *parse(const char *text) {
    const gr_grammar_context context = {3, 2, 2, 0};
    gr_grammar *grammar;
    gr_error error;
    if (gr_grammar_parse(text, strlen(text), "g.bnf", &context, &grammar, &error))
        fail_msg("%s", error.text);
    return grammar;
}

/* So many rules, each with a terminal at least. */
static inline char *random_grammar(core_dice *dice, uint32_t rules) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t r = 0; r < rules; r++) {
        fprintf(out, "<r%u> ::= t%u", r, core_roll(dice, 3));
        for (uint32_t p = core_roll(dice, 3); p; p--) {
            fprintf(out, " | ");
            for (uint32_t s = 1 + core_roll(dice, 3); s; s--)
                core_roll(dice, 3) ? fprintf(out, "<r%u>", core_roll(dice, rules))
                                   : fprintf(out, "u");
        }
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

#endif
