/* States of a few individuals under a grammar given as text, and the derivation of a genome in
 * them. */
#ifndef GRAMPUS_TESTS_GRAMMARS_H
#define GRAMPUS_TESTS_GRAMMARS_H

#include "gpu/core/genotype/depth_first.h"
#include "host/grammar/grammar.h"
#include "tests/core.h"

#include <string.h>

static const __attribute__((unused)) char ARITHMETIC[] =
    "<e> ::= (<e><o><e>) | <f>(<e>) | <v> | <c>\n<o> ::= + | - | * | "
    "/\n<f> ::= sin | exp\n<v> ::= x | y\n"
    "<c> ::= <d>.<d>\n<d> ::= 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9\n";

static gr_grammar *grammar; /* of the state that is open */

CORE_FN core open_state(const char *text, gr_params *p) {
    const gr_grammar_context context = {0};
    gr_error error;
    uint32_t words;
    if (gr_grammar_parse(text, strlen(text), "test", &context, &grammar, &error))
        fail_msg("%s", error.text);
    if (gr_is_non_depth_first(p->convention) &&
        gr_grammar_plan_non_depth_first(grammar, p->convention, p->max_depth, p->max_wraps,
                                        p->genome_capacity, &error))
        fail_msg("%s", error.text);
    if (p->convention & GR_LISTS)
        p->genome_capacity = p->init_length = gr_max_u32(1, gr_grammar_genes(grammar));
    p->population = 4;
    const uint32_t *tables = gr_grammar_tables(grammar, &words);
    return core_open(p, tables, words);
}

CORE_FN void close_state(core *c) {
    core_close(c);
    gr_grammar_free(grammar);
}

CORE_FN gr_derivation derive(const core *c, const uint32_t *genome, uint32_t length) {
    gr_derivation d;
    gr_derive_start(&d, c->s.grammar, genome, length, 0, c->s.p.max_depth, core_scratch(c).path);
    gr_derive_by(&d, c->s.p.convention, 0);
    while (gr_derive_next(&d) != GR_DERIVED)
        ;
    return d;
}

#endif
