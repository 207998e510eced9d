/* Mapping conventions of other GE systems than PonyGE2's tree mapper: which expansions take a
 * codon, and when a genome that has run out is read again. A convention of 0 never comes here.
 *
 * consumption
 *   eager  every expansion takes a codon (PonyGE2, gramEvol)
 *   lazy   only where there is a choice, and for a codon's value (GEVA, libGE, GRAPE lazy)
 * wraps
 *   codons         a wrap begins when a codon is needed and none is left: n (wraps + 1) in all.
 *                  libGE counts the same way.
 *   ponyge-linear  PonyGE2's linear mapper: every symbol that comes up while the position stands at
 *                  the seam counts a wrap, terminals too, as long as non-terminals wait; the last
 *                  terminal may stand one level too deep
 *   geva           a wrap begins before a non-terminal when no codon is left, needed or not */
#ifndef GR_WRAPPING_H
#define GR_WRAPPING_H

#include "gpu/core/mapping/derivation.h"

enum {
    GR_LAZY = 1,
    GR_WRAP_PONYGE_LINEAR = 2,
    GR_WRAP_GEVA = 4,
    /* genotypes that are not read depth first: depth_first.h; the bits above say how one is read */
    GR_POSITION_INDEPENDENT = 8, /* position_independent.h */
    GR_LISTS = 16,               /* gene_lists.h */
};

/* Whether expanding `rule` takes a codon. */
GR_FN uint32_t gr_takes_codon(const uint32_t *g, uint32_t convention, uint32_t rule) {
    return !(convention & GR_LAZY) || gr_rule_first(g, rule + 1) - gr_rule_first(g, rule) > 1 ||
           rule >= gr_grammar_word(g, GR_G_FIRST_VALUE);
}

/* Before a symbol of a derivation by PonyGE2's linear mapper; 0: no more symbols. */
GR_FN uint32_t gr_at_seam(gr_derivation *d) {
    if (d->wraps > d->max_wraps) {
        d->validity = GR_OUT_OF_CODONS;
        return 0;
    }
    d->wraps += d->position == 0 && d->used > 0 && d->waiting > 0;
    return 1;
}

/* Whether there is a codon for an expansion that takes one, or need not; counts wraps. */
GR_FN uint32_t gr_supplied(gr_derivation *d, uint32_t takes) {
    if (d->convention & GR_WRAP_PONYGE_LINEAR) /* counted by gr_at_seam */
        return d->length > 0;
    if (d->left == 0 && (takes || d->convention & GR_WRAP_GEVA)) {
        if (d->wraps == d->max_wraps || d->length == 0)
            return 0;
        d->wraps++;
        d->left = d->length;
    }
    d->left -= takes;
    return 1;
}

/* Whether the symbols of a production that would stand one level too deep may: a single terminal,
 * the last symbol of all. */
GR_FN uint32_t gr_last_terminal(const gr_derivation *d, uint32_t production) {
    uint32_t first = gr_symbol_first(d->grammar, production);
    if (!(d->convention & GR_WRAP_PONYGE_LINEAR) || d->level + 1 > d->max_depth)
        return 0;
    if (gr_symbol_first(d->grammar, production + 1) - first > 1 ||
        gr_symbol(d->grammar, first) & GR_NONTERMINAL)
        return 0;
    for (uint32_t i = 0; i < d->level; i++)
        if (GR_AT(d->stack, 2 * i) != GR_AT(d->stack, 2 * i + 1))
            return 0;
    return 1;
}

/* gr_derive_expand under a convention. */
GR_FN void gr_expand_otherwise(gr_derivation *d, uint32_t rule) {
    const uint32_t *g = d->grammar;
    uint32_t takes = gr_takes_codon(g, d->convention, rule);
    if (!gr_supplied(d, takes)) {
        d->validity = GR_OUT_OF_CODONS;
        return;
    }
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
    uint32_t production = first + (takes ? d->genome[d->position] % count : 0);
    if (d->level + 2 > d->max_depth && !gr_last_terminal(d, production)) {
        d->validity = GR_TOO_DEEP;
        return;
    }
    if (takes)
        d->position = d->position + 1 == d->length ? 0 : d->position + 1;
    d->used += takes;
    d->expanded = 1;
    uint32_t nonterminals = GR_PRODUCTION_NONTERMINALS(gr_production(g, production));
    d->nodes += gr_max_u32(1, nonterminals);
    d->waiting += nonterminals - 1;
    GR_AT(d->stack, 2 * d->level) = gr_symbol_first(g, production);
    GR_AT(d->stack, 2 * d->level + 1) = gr_symbol_first(g, production + 1);
    d->level++;
    d->depth = gr_max_u32(d->depth, d->level + 1);
}

#endif
