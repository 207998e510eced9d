/* Genotypes that are not read depth first. They are brought into depth-first order: derived in
 * their own order, which leaves a codon for every expansion in depth-first order. Those are mapped
 * as PonyGE2's tree mapper maps a genome, so that tokens come from left to right and programs are
 * the same; and a genome of those genotypes can be made for any depth-first codons. */
#ifndef GR_DEPTH_FIRST_H
#define GR_DEPTH_FIRST_H

#include "gpu/core/genotype/gene_lists.h"
#include "gpu/core/genotype/position_independent.h"

GR_BOTH uint32_t gr_is_non_depth_first(uint32_t convention) {
    return (convention & (GR_POSITION_INDEPENDENT | GR_LISTS)) != 0;
}

/* Words of scratch, in a row. g: the tables where they can be read. */
GR_BOTH uint32_t gr_depth_first_words(const uint32_t *g, uint32_t convention) {
    uint32_t most = g && gr_is_non_depth_first(convention) ? g[GR_G_EXPANSIONS] : 0;
    return !most                                  ? 0
           : convention & GR_POSITION_INDEPENDENT ? gr_pi_scratch(most)
                                                  : most + g[GR_G_RULES];
}

/* The depth-first codons of a derivation that is started (gr_derive_by); leaves used codons, depth,
 * nodes and validity in it. Returns how many codons *depth_first then holds. */
GR_FN uint32_t gr_to_depth_first(gr_derivation *d, uint32_t *codon_scratch,
                                 const gr_gene_draws *draws, uint32_t **depth_first) {
    uint32_t most = gr_grammar_word(d->grammar, GR_G_EXPANSIONS);
    return d->convention & GR_POSITION_INDEPENDENT
               ? gr_pi_to_depth_first(d, codon_scratch, most, depth_first)
               : gr_lists_to_depth_first(d, codon_scratch, most, draws, depth_first);
}

/* Goes on with the codons found. */
GR_FN void gr_derive_depth_first(gr_derivation *d, const uint32_t *depth_first, uint32_t count) {
    gr_derive_start(d, d->grammar, depth_first, count, 0, d->max_depth, d->stack);
}

/* Maps a genome by its depth-first codons: m is started, not yet derived by a convention. Length
 * and codons used stay those of the genome. */
GR_FN void gr_map_by_depth_first(gr_mapping *m, const gr_params *p, uint32_t *codon_scratch,
                                 const gr_gene_draws *draws) {
    uint32_t *depth_first;
    gr_derive_by(&m->d, p->convention, p->max_wraps);
    uint32_t n = gr_to_depth_first(&m->d, codon_scratch, draws, &depth_first), length = m->d.length,
             used = m->d.used;
    if (m->d.validity == GR_VALID) {
        gr_derive_depth_first(&m->d, depth_first, n);
        gr_map_sentence(m);
    }
    m->d.length = length;
    m->d.used = used;
}

#endif
