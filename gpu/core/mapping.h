/* Genotype to phenotype: leftmost, depth-first derivation as PonyGE2's tree mapper.
 *
 * Production = codon mod number of productions; every expansion takes one codon, also of a rule
 * with one production. A genome of n codons supplies n (wraps + 1) codons. Depth: the root has 1,
 * each child one more, terminals included. nodes = 1 + the sum over expansions of max(1,
 * non-terminals of the production). */
#ifndef GR_MAPPING_H
#define GR_MAPPING_H

#include "codon_value.h"

typedef enum gr_validity {
    GR_VALID,
    GR_OUT_OF_CODONS,
    GR_TOO_DEEP,
    GR_TOO_LARGE,     /* more expression nodes than max_nodes, or more nesting than max_nesting */
    GR_NO_EXPRESSION, /* the sentence is not in the expression language */
    GR_VALIDITY_COUNT
} gr_validity;

#define GR_DERIVED 0xffffffffu

/* A derivation in progress. The stack holds, for every expansion on the path from the root, the
 * next symbol of its production and the production's end, so its height is the depth. */
typedef struct gr_derivation {
    const uint32_t *grammar, *genome;
    gr_words stack; /* 2 words a level, max_depth levels */
    uint32_t length, supply, max_depth;
    uint32_t level; /* expansions on the path */
    uint32_t used, nodes, depth, position;
    uint32_t validity;
    /* of a convention other than PonyGE2's tree mapper (wrapping.h) */
    uint32_t convention, max_wraps, wraps;
    uint32_t left;     /* codons of this reading */
    uint32_t waiting;  /* non-terminals not yet expanded */
    uint32_t expanded; /* the start rule, which may have taken no codon */
} gr_derivation;

#include "wrapping.h"

GR_FN void gr_derive_expand(gr_derivation *d, uint32_t rule) {
    const uint32_t *g = d->grammar;
    if (d->convention) {
        gr_expand_otherwise(d, rule);
        return;
    }
    if (d->used == d->supply) {
        d->validity = GR_OUT_OF_CODONS;
        return;
    }
    if (d->level + 2 > d->max_depth) { /* its children would stand at level + 2 */
        d->validity = GR_TOO_DEEP;
        return;
    }
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
    uint32_t production = first + d->genome[d->position] % count;
    d->position = d->position + 1 == d->length ? 0 : d->position + 1;
    d->used++;
    d->nodes += gr_max_u32(1, GR_PRODUCTION_NONTERMINALS(gr_production(g, production)));
    GR_AT(d->stack, 2 * d->level) = gr_symbol_first(g, production);
    GR_AT(d->stack, 2 * d->level + 1) = gr_symbol_first(g, production + 1);
    d->level++;
    d->depth = gr_max_u32(d->depth, d->level + 1);
}

/* Derives nothing yet; the first symbol is the start rule. stack: room for 2 max_depth words. */
GR_FN void gr_derive_start(gr_derivation *d, const uint32_t *grammar, const uint32_t *genome,
                           uint32_t length, uint32_t max_wraps, uint32_t max_depth,
                           gr_words stack) {
    gr_derivation start = {0};
    start.grammar = grammar;
    start.genome = genome;
    start.stack = stack;
    start.length = length;
    start.supply = (uint64_t)length * (max_wraps + 1ull) > 0xffffffffull ? 0xffffffffu
                                                                         : length * (max_wraps + 1);
    start.max_depth = max_depth;
    start.nodes = 1;
    start.depth = 1;
    *d = start;
}

/* Another convention, before the first symbol. */
GR_FN void gr_derive_by(gr_derivation *d, uint32_t convention, uint32_t max_wraps) {
    d->convention = convention;
    d->max_wraps = max_wraps;
    d->left = d->length;
    d->waiting = 1;
}

/* The next symbol in the order of derivation, terminal or not, or GR_DERIVED at the end of the
 * sentence. */
GR_FN uint32_t gr_derive_symbol(gr_derivation *d) {
    if (d->used == 0 && !d->expanded)
        return GR_NONTERMINAL;
    while (d->level) {
        uint32_t next = GR_AT(d->stack, 2 * d->level - 2);
        if (next != GR_AT(d->stack, 2 * d->level - 1)) {
            GR_AT(d->stack, 2 * d->level - 2) = next + 1;
            return gr_symbol(d->grammar, next);
        }
        d->level--;
    }
    return GR_DERIVED;
}

/* The next terminal, or GR_DERIVED at the end of the sentence or when it became invalid
 * (d->validity). */
GR_FN uint32_t gr_derive_next(gr_derivation *d) {
    for (;;) {
        uint32_t symbol = gr_derive_symbol(d);
        if (d->convention & GR_WRAP_PONYGE_LINEAR && symbol != GR_DERIVED && !gr_at_seam(d))
            return GR_DERIVED;
        if (symbol == GR_DERIVED || !(symbol & GR_NONTERMINAL))
            return symbol;
        gr_derive_expand(d, symbol & ~GR_NONTERMINAL);
        if (d->validity != GR_VALID)
            return GR_DERIVED;
    }
}

/* The codon that the last expansion took. */
GR_FN uint32_t gr_last_codon(const gr_derivation *d) {
    return d->genome[(d->position ? d->position : d->length) - 1];
}

/* Derives the whole sentence and reads it as an expression: p->count nodes on success, d->validity
 * otherwise. */
GR_FN void gr_map(gr_derivation *d, gr_parser *p) {
    const uint32_t *g = d->grammar;
    for (uint32_t terminal; (terminal = gr_derive_next(d)) != GR_DERIVED;) {
        uint32_t end = gr_token_first(g, terminal + 1);
        for (uint32_t t = gr_token_first(g, terminal); t < end; t++) {
            uint32_t word = gr_token_word(g, t, 0);
            if (GR_TOKEN_KIND(word) == GR_T_CODON) { /* a terminal of its own */
                gr_feed_codon(p, gr_read_codon_value(g, t), gr_last_codon(d));
                break;
            }
            gr_parse_token(p, word, gr_token_word(g, t, 1));
        }
    }
    if (d->validity != GR_VALID)
        return;
    gr_parse_end(p);
    if (p->status != GR_PARSE_OK)
        d->validity = p->status == GR_PARSE_TOO_LARGE ? GR_TOO_LARGE : GR_NO_EXPRESSION;
}

#endif
