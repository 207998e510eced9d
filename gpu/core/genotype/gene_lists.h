/* Structured grammatical evolution (SGE: Lourenco, Pereira, Costa 2016): a list of genes for every
 * non-terminal; the k-th expansion of a non-terminal, counted depth first, takes the k-th gene of
 * its list. A gene is the number of a production, so no two values mean the same.
 *
 * The lists stand in a genome one after the other, in the order of the rules, each with as much
 * room in every individual (host/grammar/gene_lists.c finds how much); a list ends before the first
 * gene that was not drawn yet. A rule with a single production has none, a codon's value has one of
 * codons. As in dynamic SGE (Lourenco, Assuncao, Pereira, Costa, Machado 2018) grammars need no
 * unrolling, because the depth limits what a gene may choose: where its production would not end in
 * time, it chooses among those that do, gene mod their number. A gene that a derivation is the
 * first to need is drawn while the child is bred, and stays. Where a list's room is used up it is
 * read again `max-wraps` times; behind that the rule takes its first production of least depth. */
#ifndef GR_GENE_LISTS_H
#define GR_GENE_LISTS_H

#include "gpu/core/base/params.h"
#include "gpu/core/base/rng.h"
#include "gpu/core/mapping/mapping.h"

/* A gene that was not drawn yet: the list of the individual ends before it. */
#define GR_NO_GENE 0xffffffffu

/* Genes drawn when a derivation first needs them, by position, and kept in the genome. */
typedef struct gr_gene_draws {
    gr_random r;
    uint32_t *genome;
    uint32_t codon_size;
} gr_gene_draws;

/* The first gene of a rule's list; of the rule behind the last: how many there are. */
GR_FN uint32_t gr_list_first(const uint32_t *g, uint32_t rule) {
    return gr_grammar_word(g, gr_grammar_word(g, GR_G_LISTS) + rule);
}
/* Values a gene of the rule can have. */
GR_FN uint32_t gr_alternatives(const uint32_t *g, uint32_t rule, uint32_t codon_size) {
    if (rule < gr_grammar_word(g, GR_G_FIRST_VALUE))
        return gr_rule_first(g, rule + 1) - gr_rule_first(g, rule);
    uint32_t terminal = gr_symbol(g, gr_symbol_first(g, gr_rule_first(g, rule)));
    gr_codon_value v = gr_read_codon_value(g, gr_token_first(g, terminal));
    uint32_t values = v.scale ? v.scale + 1 : v.span;
    return values && values <= codon_size ? values : codon_size + 1;
}

/* The production of `rule` that a gene chooses below `level` others: its number in the rule, or the
 * rule's size when none ends in time. */
GR_FN uint32_t gr_choose_by_gene(const uint32_t *g, uint32_t rule, uint32_t gene, uint32_t level,
                                 uint32_t max_depth) {
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first, fit = 0;
    uint32_t levels_left = max_depth - gr_min_u32(max_depth, level + 1), choice = gene % count;
    if (GR_PRODUCTION_DEPTH(gr_production(g, first + choice)) <= levels_left)
        return choice;
    for (uint32_t i = 0; i < count; i++)
        fit += GR_PRODUCTION_DEPTH(gr_production(g, first + i)) <= levels_left;
    if (!fit)
        return count;
    gene %= fit;
    for (choice = 0;; choice++)
        if (GR_PRODUCTION_DEPTH(gr_production(g, first + choice)) <= levels_left && gene-- == 0)
            return choice;
}

/* The first production of least depth. */
GR_FN uint32_t gr_shortest_choice(const uint32_t *g, uint32_t rule) {
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first, best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (GR_PRODUCTION_DEPTH(gr_production(g, first + i)) <
            GR_PRODUCTION_DEPTH(gr_production(g, first + best)))
            best = i;
    return best;
}

/* A gene for the empty position `at` of the list of `rule`. */
GR_FN uint32_t gr_draw_gene(const gr_gene_draws *draws, const uint32_t *g, uint32_t rule,
                            uint32_t at) {
    gr_block block = gr_draw_block(&draws->r, at / 4);
    uint32_t gene = gr_scale(block.word[at % 4], gr_alternatives(g, rule, draws->codon_size));
    draws->genome[at] = gene;
    return gene;
}

/* The codon that stands for an expansion of `rule` below `level` others; *taken: expansions of the
 * rule before; draws NULL: no gene is drawn. GR_DERIVED: nothing fits. */
GR_FN uint32_t gr_gene_codon(gr_derivation *d, uint32_t rule, uint32_t level, uint32_t *taken,
                             const gr_gene_draws *draws) {
    const uint32_t *g = d->grammar;
    uint32_t first = gr_list_first(g, rule), count = gr_list_first(g, rule + 1) - first;
    uint32_t k = (*taken)++, gene = 0;
    if (count && k / count <= d->max_wraps) {
        gene = d->genome[first + k % count];
        if (gene == GR_NO_GENE && draws)
            gene = gr_draw_gene(draws, g, rule, first + k % count);
        d->used++;
    } else if (count)
        return gr_shortest_choice(g, rule);
    if (rule >= gr_grammar_word(g, GR_G_FIRST_VALUE))
        return gene;
    uint32_t choice = gr_choose_by_gene(g, rule, gene, level, d->max_depth);
    return choice == gr_rule_first(g, rule + 1) - gr_rule_first(g, rule) ? GR_DERIVED : choice;
}

/* Derives all of it. Codons that choose its productions, depth first, in *depth_first; how many. d
 * is started; codon_scratch: for `most` expansions, and behind them how often each rule was
 * expanded. */
GR_FN uint32_t gr_lists_to_depth_first(gr_derivation *d, uint32_t *codon_scratch, uint32_t most,
                                       const gr_gene_draws *draws, uint32_t **depth_first) {
    const uint32_t *g = d->grammar;
    uint32_t *taken = codon_scratch + most, rules = gr_grammar_word(g, GR_G_RULES);
    gr_derivation s;
    *depth_first = codon_scratch;
    for (uint32_t r = 0; r < rules; r++)
        taken[r] = 0;
    gr_derive_start(&s, g, codon_scratch, most, 0, d->max_depth, d->stack);
    for (uint32_t symbol; (symbol = gr_derive_symbol(&s)) != GR_DERIVED;) {
        uint32_t rule = symbol & ~GR_NONTERMINAL;
        if (!(symbol & GR_NONTERMINAL))
            continue;
        if (s.used < most) {
            uint32_t codon = gr_gene_codon(d, rule, s.level, &taken[rule], draws);
            if (codon == GR_DERIVED)
                s.validity = GR_TOO_DEEP;
            codon_scratch[s.used] = codon;
        }
        if (s.validity == GR_VALID)
            gr_derive_expand(&s, rule);
        if (s.validity != GR_VALID)
            break;
    }
    d->validity = s.validity == GR_OUT_OF_CODONS ? GR_TOO_LARGE : s.validity;
    d->nodes = s.nodes;
    d->depth = s.depth;
    return s.used;
}

/* ---- the way back ---- */

/* Puts the n codons of a depth-first derivation (0: there is none) into the lists, and in `taken`
 * how many of them each rule has. What exceeds a list is lost. path: as for a derivation. */
GR_FN void gr_lists_encode(const gr_params *p, const uint32_t *g, uint32_t *depth_first, uint32_t n,
                           uint32_t *genome, uint32_t *taken, gr_words path) {
    gr_derivation d;
    for (uint32_t r = 0; r < gr_grammar_word(g, GR_G_RULES); r++)
        taken[r] = 0;
    gr_derive_start(&d, g, depth_first, n, 0, p->max_depth, path);
    for (uint32_t symbol; n && (symbol = gr_derive_symbol(&d)) != GR_DERIVED;) {
        uint32_t rule = symbol & ~GR_NONTERMINAL;
        if (!(symbol & GR_NONTERMINAL))
            continue;
        uint32_t first = gr_list_first(g, rule), position = first + taken[rule]++;
        if (position < gr_list_first(g, rule + 1))
            genome[position] = depth_first[d.used] % gr_alternatives(g, rule, p->codon_size);
        gr_derive_expand(&d, rule);
        if (d.validity != GR_VALID)
            return;
    }
}

#endif
