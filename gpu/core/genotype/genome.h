/* Codon genomes of grammatical evolution: the first generation. */
#ifndef GR_GENOME_H
#define GR_GENOME_H

#include "gpu/core/base/rng.h"
#include "gpu/core/state/state.h"

/* A codon 0..codon_size from a random word. */
GR_FN uint32_t gr_codon(const gr_params *p, uint32_t word) {
    return gr_scale(word, p->codon_size + 1);
}

/* A random codon that chooses `choice` of `count`; where codons end before it, as they may for
 * genes of lists, the number itself. */
GR_FN uint32_t gr_codon_of(const gr_params *p, uint32_t choice, uint32_t count, gr_random *r) {
    uint32_t above = p->codon_size - gr_min_u32(choice, p->codon_size);
    return choice + count * gr_below(r, above / count + 1);
}

/* Uniform random codons [first, last), drawn by position, four to a block. */
GR_FN void gr_random_codons(const gr_params *p, const gr_random *r, uint32_t *genome,
                            uint32_t first, uint32_t last, gr_lane_group w) {
    for (uint32_t b = first / 4 + w.lane; b < (last + 3) / 4; b += w.width) {
        gr_block block = gr_draw_block(r, 1 + b); /* block 0 is for decisions */
        for (uint32_t k = 0; k < 4; k++)
            if (4 * b + k >= first && 4 * b + k < last)
                genome[4 * b + k] = gr_codon(p, block.word[k]);
    }
}

/* Chooses a production of `rule` for an expansion below `level` others so that the derivation can
 * end within `depth`; `full` prefers recursive ones. Returns its index in the rule, or the rule's
 * size when none fits. */
GR_FN uint32_t gr_choose_production(const uint32_t *g, uint32_t rule, uint32_t level,
                                    uint32_t depth, uint32_t full, gr_random *r) {
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
    uint32_t fit = 0, recursive = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = gr_production(g, first + i);
        uint32_t fits = level + 1 + GR_PRODUCTION_DEPTH(word) <= depth;
        fit += fits;
        recursive += fits & GR_PRODUCTION_RECURSIVE(word);
    }
    if (fit == 0)
        return count;
    uint32_t only = full && recursive, wanted = gr_below(r, only ? recursive : fit);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = gr_production(g, first + i);
        uint32_t fits = level + 1 + GR_PRODUCTION_DEPTH(word) <= depth;
        if (fits && (!only || GR_PRODUCTION_RECURSIVE(word)) && wanted-- == 0)
            return i;
    }
    return count;
}

/* How the codons of a grown tree are written: of which grammar, under which convention of
 * wrapping.h, and how many fit. */
typedef struct gr_form {
    const uint32_t *grammar;
    uint32_t convention, capacity;
} gr_form;
GR_FN gr_form gr_genome_form(const gr_params *p, const uint32_t *grammar) {
    gr_form form = {grammar, p->convention, p->genome_capacity};
    return form;
}

/* A derivation tree to be grown: of at most `depth` from rule `top`, of that depth everywhere if
 * `full`. */
typedef struct gr_branch_shape {
    uint32_t top, depth, full;
} gr_branch_shape;

/* Grows it and writes, in the order of mapping, codons that choose its productions: congruent to
 * the production, otherwise random. The codons used, 0 when it does not fit its depth or the form's
 * capacity. */
GR_FN uint32_t gr_grow_branch(const gr_params *p, gr_form form, gr_random *r, gr_branch_shape shape,
                              uint32_t *genome, gr_words path) {
    const uint32_t *grammar = form.grammar;
    gr_derivation d;
    gr_derive_start(&d, grammar, genome, form.capacity, 0, shape.depth, path);
    gr_derive_by(&d, form.convention, 0);
    for (uint32_t symbol; (symbol = gr_derive_symbol(&d)) != GR_DERIVED;) {
        if (!(symbol & GR_NONTERMINAL))
            continue;
        uint32_t rule = d.used || d.expanded ? symbol & ~GR_NONTERMINAL : shape.top;
        uint32_t count = gr_rule_first(grammar, rule + 1) - gr_rule_first(grammar, rule);
        uint32_t choice = gr_choose_production(grammar, rule, d.level, shape.depth, shape.full, r);
        if (choice == count || d.used == form.capacity)
            return 0;
        genome[d.used] = gr_codon_of(p, choice, count, r);
        gr_derive_expand(&d, rule);
    }
    return d.used;
}
GR_FN uint32_t gr_grow_genome(const gr_params *p, gr_form form, gr_random *r, uint32_t depth,
                              uint32_t full, uint32_t *genome, gr_words path) {
    const gr_branch_shape whole = {0, depth, full};
    return gr_grow_branch(p, form, r, whole, genome, path);
}

/* How derivations of first genomes are drawn, from the initialiser's line. */
enum { GR_GENOMES_NONE, GR_GENOMES_RAMP, GR_GENOMES_ANYWHERE };
GR_FN uint32_t gr_first_genome_kind(uint32_t initialisation) {
    const uint32_t all =
#define GR_INITIALISER(id, word, genotypes, trees, genomes, help)                                  \
    (uint32_t) GR_GENOMES_##genomes << 2 * GR_INIT_##id |
#include "gpu/core/base/initialisers.def"
        0;
    return all >> 2 * initialisation & 3u;
}

/* Genome of individual `index` of its deme in generation 0, its `attempt`-th draw, in two parts.
 * First its derivation tree, by one lane: the codons it takes, 0 for a uniform genome. A tree that
 * does not fit is drawn again one level lower, at last not at all. */
GR_FN uint32_t gr_initial_codons(const gr_params *p, gr_form form, uint32_t deme, uint32_t index,
                                 uint32_t attempt, uint32_t *genome, gr_words path) {
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, attempt, deme, index);
    uint32_t used = 0, ramp = p->init_max_depth - p->init_min_depth + 1;
    uint32_t depth = p->init_max_depth, full = p->initialisation == GR_INIT_FULL;
    if (gr_first_genome_kind(p->initialisation) == GR_GENOMES_NONE)
        return 0;
    if (p->initialisation == GR_INIT_RAMPED) {
        depth = p->init_min_depth + index % ramp;
        full = index / ramp % 2;
    }
    for (; !used && depth > 1; depth--)
        used = gr_grow_genome(p, form, &r, depth, full, genome, path);
    return used;
}

/* Then half as many random codons behind it, or all of a uniform genome; the genome's length. */
GR_FN uint32_t gr_initial_tail(const gr_params *p, uint32_t deme, uint32_t index, uint32_t attempt,
                               uint32_t *genome, uint32_t used, gr_lane_group w) {
    gr_random tail = gr_stream(p, GR_PURPOSE_INIT_TAIL, attempt, deme, index);
    uint32_t length = used ? gr_min_u32(used + used / 2, p->genome_capacity) : p->init_length;
    gr_random_codons(p, &tail, genome, used, length, w);
    return length;
}

#endif
