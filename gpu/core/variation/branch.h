/* Branches of a genome: subtrees of its derivation, each a range of codons, because mapping goes
 * depth first. Crossover and mutation of branches work on these ranges and never build a tree.
 *
 * A row of gr_state.branches holds the set of rules that an individual's branches begin with, then
 * for every codon the branch that begins with it, then, where branches mutate, scratch for a new
 * one. A branch that a wrap runs through has no range and is none. */
#ifndef GR_BRANCH_H
#define GR_BRANCH_H

#include "gpu/core/genotype/genome.h"

/* word: rule | level << 16, the root of the derivation at level 0. operand: codons | height << 20;
 * a branch at level l reaches down to depth l + height. 0: none. */
enum { GR_MAX_BRANCH_HEIGHT = 4095 };
#define GR_BRANCH_RULE(branch) ((branch).word & 0xffffu)
#define GR_BRANCH_LEVEL(branch) ((branch).word >> 16)
#define GR_BRANCH_SIZE(branch) ((branch).operand & 0xfffffu)
#define GR_BRANCH_HEIGHT(branch) ((branch).operand >> 20)

GR_FN uint32_t *gr_branch_rules(const gr_state *s, uint32_t buffer, uint32_t i) {
    return s->branches[buffer] + (size_t)i * gr_branch_words(&s->p);
}
GR_FN gr_pair *gr_branches(const gr_state *s, uint32_t buffer, uint32_t i) {
    return (gr_pair *)(gr_branch_rules(s, buffer, i) + gr_even(s->p.rule_words));
}
/* Scratch for genome_capacity codons. */
GR_FN uint32_t *gr_branch_scratch(const gr_state *s, uint32_t buffer, uint32_t i) {
    return (uint32_t *)(gr_branches(s, buffer, i) + s->p.genome_capacity);
}

/* ---- marking ---- */

/* The expansions of a genome that takes `used` codons, as far as its codons go, in order:
 * branch[i].word is final, the operand holds the highest level since the codon before and the
 * deepest until the codon behind: lazy expansions without a codon count there. The codons so
 * marked, 0 when the genome is invalid; *border: the highest level behind them, 0 where the
 * derivation ends. */
GR_FN uint32_t gr_list_expansions(const gr_params *p, const uint32_t *grammar,
                                  const uint32_t *genome, uint32_t length, gr_pair *branch,
                                  gr_words path, uint32_t *border) {
    gr_derivation d;
    uint32_t count = 0, highest = 0xffffu, seam = 0xffffu;
    gr_derive_start(&d, grammar, genome, length, p->max_wraps, p->max_depth, path);
    gr_derive_by(&d, p->convention, p->max_wraps);
    for (uint32_t symbol; (symbol = gr_derive_symbol(&d)) != GR_DERIVED;) {
        if (d.convention & GR_WRAP_PONYGE_LINEAR && !gr_at_seam(&d))
            return 0;
        if (!(symbol & GR_NONTERMINAL))
            continue;
        uint32_t codon = d.used, level = d.level;
        gr_derive_expand(&d, symbol & ~GR_NONTERMINAL);
        if (d.validity != GR_VALID)
            return 0;
        highest = gr_min_u32(highest, level);
        if (codon == length)
            seam = gr_min_u32(seam, highest);
        if (codon < length && d.used > codon) {
            branch[codon].word = (symbol & ~GR_NONTERMINAL) | level << 16;
            branch[codon].operand = highest | level << 16;
            highest = 0xffffu;
            count = codon + 1;
        } else if (d.used == codon && codon && codon <= length &&
                   level > branch[codon - 1].operand >> 16)
            branch[codon - 1].operand = (branch[codon - 1].operand & 0xffffu) | level << 16;
    }
    *border = d.used > length ? seam : 0;
    return count;
}

/* Marks a row of branches; the codons of the genome that mapping reads, 0 when it is invalid. One
 * lane. */
GR_CALL uint32_t gr_mark_branches(const gr_params *p, const uint32_t *grammar,
                                  const uint32_t *genome, uint32_t length, uint32_t *rules,
                                  gr_pair *branch, gr_words path) {
    uint32_t border, count = gr_list_expansions(p, grammar, genome, length, branch, path, &border);
    for (uint32_t k = 0; k < p->rule_words; k++)
        rules[k] = 0;
    for (uint32_t i = 0; i < count; i++) { /* ends where a level as high comes up again */
        uint32_t level = branch[i].word >> 16, deepest = branch[i].operand >> 16, end = i + 1;
        for (; end < count && (branch[end].operand & 0xffffu) > level; end++)
            deepest = gr_max_u32(deepest, branch[end].operand >> 16);
        uint32_t height = deepest + 2 - level;
        uint32_t ends = end < count || border <= level;
        branch[i].operand = ends ? (end - i) | height << 20 : 0;
        if (ends)
            rules[(branch[i].word & 0xffffu) / 32] |= 1u << branch[i].word % 32;
    }
    return count;
}

/* ---- crossover ---- */

/* A branch of the rule, each as likely; there is one. */
GR_FN uint32_t gr_pick_branch(gr_random *r, const gr_pair *branch, uint32_t count, uint32_t rule) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += branch[i].operand && GR_BRANCH_RULE(branch[i]) == rule;
    uint32_t wanted = gr_below(r, found);
    for (uint32_t i = 0; i < count; i++)
        if (branch[i].operand && GR_BRANCH_RULE(branch[i]) == rule && wanted-- == 0)
            return i;
    return 0;
}

/* The k-th rule that is in both sets; `words` of each are looked at. */
GR_FN uint32_t gr_shared_rule(const uint32_t *a, const uint32_t *b, uint32_t words, uint32_t k) {
    for (uint32_t w = 0; w < words; w++) {
        uint32_t both = a[w] & b[w], here = gr_count_bits(both);
        if (k < here) {
            while (k--)
                both &= both - 1;
            return 32 * w + gr_count_bits((both & (0u - both)) - 1);
        }
        k -= here;
    }
    return 0;
}

typedef enum gr_cut { GR_CUT_BREAKS, GR_CUT_FITS, GR_CUT_NONE } gr_cut;

/* Branches that two genomes exchange, as PonyGE2's subtree crossover: a rule that both have, each
 * as likely, then a branch of it in each. GR_CUT_NONE: they share none. */
GR_CALL gr_cut gr_branch_cuts(const gr_state *s, gr_random *r, uint32_t buffer, uint32_t a,
                              uint32_t b, uint32_t *x, uint32_t *y) {
    const gr_params *p = &s->p;
    const uint32_t *rules_a = gr_branch_rules(s, buffer, a),
                   *rules_b = gr_branch_rules(s, buffer, b);
    const gr_individual *ia = &s->individuals[buffer][a], *ib = &s->individuals[buffer][b];
    uint32_t shared = 0;
    if (ia->validity != GR_VALID || ib->validity != GR_VALID)
        return GR_CUT_NONE;
    for (uint32_t w = 0; w < p->rule_words; w++)
        shared += gr_count_bits(rules_a[w] & rules_b[w]);
    if (!shared)
        return GR_CUT_NONE;
    uint32_t rule = gr_shared_rule(rules_a, rules_b, p->rule_words, gr_below(r, shared));
    const gr_pair *in_a = gr_branches(s, buffer, a), *in_b = gr_branches(s, buffer, b);
    uint32_t i = gr_pick_branch(r, in_a, gr_min_u32(ia->used, ia->length), rule);
    uint32_t j = gr_pick_branch(r, in_b, gr_min_u32(ib->used, ib->length), rule);
    x[0] = i;
    x[1] = i + GR_BRANCH_SIZE(in_a[i]);
    y[0] = j;
    y[1] = j + GR_BRANCH_SIZE(in_b[j]);
    uint32_t depth_a = GR_BRANCH_LEVEL(in_a[i]) + GR_BRANCH_HEIGHT(in_b[j]);
    uint32_t depth_b = GR_BRANCH_LEVEL(in_b[j]) + GR_BRANCH_HEIGHT(in_a[i]);
    return depth_a <= p->max_depth && (p->one_child || depth_b <= p->max_depth) ? GR_CUT_FITS
                                                                                : GR_CUT_BREAKS;
}

/* ---- mutation ---- */

/* Least depth of a derivation from the rule. */
GR_FN uint32_t gr_rule_depth(const uint32_t *grammar, uint32_t rule) {
    uint32_t least = 0xffffu;
    for (uint32_t p = gr_rule_first(grammar, rule); p < gr_rule_first(grammar, rule + 1); p++)
        least = gr_min_u32(least, GR_PRODUCTION_DEPTH(gr_production(grammar, p)));
    return least + 1;
}

/* Puts `size` codons in the place of [first, last); the new length. */
GR_FN uint32_t gr_replace_codons(uint32_t *genome, uint32_t length, uint32_t first, uint32_t last,
                                 const uint32_t *piece, uint32_t size) {
    uint32_t behind = length - last, to = first + size;
    if (to > last)
        for (uint32_t k = behind; k-- > 0;)
            genome[to + k] = genome[last + k];
    else if (to < last)
        for (uint32_t k = 0; k < behind; k++)
            genome[to + k] = genome[last + k];
    for (uint32_t k = 0; k < size; k++)
        genome[first + k] = piece[k];
    return to + behind;
}

/* A new random branch in the place of one drawn of those of individual i, marked in its row; within
 * the limits on depth and length, drawn again `tries` times. The new length; *retries:
 * gr_add_retries. One lane. */
GR_FN uint32_t gr_mutate_branch(const gr_state *s, gr_random *r, uint32_t buffer, uint32_t i,
                                uint32_t length, gr_scratch scratch, uint32_t *retries) {
    const gr_params *p = &s->p;
    uint32_t *genome = gr_genome(s, buffer, i), *branch_scratch = gr_branch_scratch(s, buffer, i);
    const gr_pair *branch = gr_branches(s, buffer, i);
    uint32_t count =
        gr_mark_branches(p, scratch.grammar, genome, length, gr_branch_rules(s, buffer, i),
                         gr_branches(s, buffer, i), scratch.path);
    uint32_t t = 0;
    *retries = GR_RETRIES(0, 1);
    if (!count)
        return length;
    for (; t < p->tries; t++) {
        uint32_t at = gr_below(r, count), size = GR_BRANCH_SIZE(branch[at]);
        uint32_t rule = GR_BRANCH_RULE(branch[at]),
                 rest = p->max_depth - GR_BRANCH_LEVEL(branch[at]);
        uint32_t depth = gr_max_u32(p->subtree_depth, gr_rule_depth(scratch.grammar, rule));
        if (!size)
            continue;
        gr_form form = {scratch.grammar, p->convention, p->genome_capacity - length + size};
        gr_branch_shape shape = {rule, gr_min_u32(depth, rest), 0};
        uint32_t grown = gr_grow_branch(p, form, r, shape, branch_scratch, scratch.path);
        if (!grown)
            continue;
        length = gr_replace_codons(genome, length, at, at + size, branch_scratch, grown);
        break;
    }
    *retries = gr_retries_after(t, p->tries);
    return length;
}

#endif
