/* Expansions that lazy consumption gets for nothing: codons do not bound them, nor does a genome
 * tell how many there are, and rules without a choice that double themselves level by level would
 * keep a derivation going for ever. */
#include "host/grammar/internal.h"

#include <stdlib.h>

enum { MOST_FREE = 1 << 16 }; /* from one codon to the next */

/* Expansions without a codon that the rules of a production begin with, at most MOST_FREE + 1. */
static uint32_t free_of_production(const gr_grammar *g, uint32_t production, const uint32_t *free) {
    uint32_t sum = 0;
    for (uint32_t s = g->productions[production].first; s < gr_symbols_end(g, production); s++)
        if (g->symbols[s] & GR_NONTERMINAL)
            sum = gr_min_u32(sum + free[g->symbols[s] & ~GR_NONTERMINAL], MOST_FREE + 1);
    return sum;
}

gr_status gr_grammar_check_lazy(const gr_grammar *g, gr_error *error) {
    uint32_t *free_of = calloc(g->rule_count, sizeof *free_of), rule = 0, p = 0;
    char shown[GR_SHOWN];
    if (!free_of)
        return gr_no_memory(error);
    for (uint32_t k = 0; k < g->rule_count; k++) { /* what a lone production needs comes before */
        rule = g->by_depth[k];
        p = g->rules[rule].first;
        if (rule < g->first_value && gr_productions_end(g, rule) - p == 1)
            free_of[rule] = gr_min_u32(1 + free_of_production(g, p, free_of), MOST_FREE + 1);
    }
    for (p = 0; p < g->production_count; p++) {
        rule = g->productions[p].rule;
        if ((!rule || g->reached_by[rule] != GR_NONE) &&
            free_of_production(g, p, free_of) > MOST_FREE)
            break;
    }
    free(free_of);
    if (p == g->production_count)
        return GR_OK;
    const gr_bnf_production *of = &g->productions[p];
    return gr_fail_at(g, of->position, error,
                      "production \"%s\" goes on for more than %d expansions without a choice, "
                      "which take no codon; expected fewer, or codon-consumption eager",
                      gr_show(shown, g->source + of->from, of->to - of->from), MOST_FREE);
}
