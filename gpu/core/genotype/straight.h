/* Genotypes that are not read depth first. They are straightened: derived in their own order, which
 * leaves a codon for every expansion in depth-first order. Those are mapped as PonyGE2's tree
 * mapper maps a genome, so that tokens come from left to right and programs are the same; and a
 * genome of those genotypes can be made for any depth-first codons. */
#ifndef GR_STRAIGHT_H
#define GR_STRAIGHT_H

#include "gpu/core/genotype/gene_lists.h"
#include "gpu/core/genotype/pige.h"

GR_BOTH uint32_t gr_is_indirect(uint32_t convention) {
    return (convention & (GR_PIGE | GR_LISTS)) != 0;
}

/* Words of scratch, in a row. g: the tables where they can be read. */
GR_BOTH uint32_t gr_straight_words(const uint32_t *g, uint32_t convention) {
    uint32_t most = g && gr_is_indirect(convention) ? g[GR_G_EXPANSIONS] : 0;
    return convention & GR_PIGE ? GR_PIGE_WORDS * most : most ? most + g[GR_G_RULES] : 0;
}

/* Straightens the genome of a derivation that is started (gr_derive_by); leaves used codons, depth,
 * nodes and validity in it. Returns how many codons *straight then holds. */
GR_FN uint32_t gr_straighten(gr_derivation *d, uint32_t *room, uint32_t **straight) {
    uint32_t most = gr_grammar_word(d->grammar, GR_G_EXPANSIONS);
    return d->convention & GR_PIGE ? gr_pige_straighten(d, room, most, straight)
                                   : gr_lists_straighten(d, room, most, straight);
}

/* Goes on with the codons found. */
GR_FN void gr_derive_straight(gr_derivation *d, const uint32_t *straight, uint32_t count) {
    gr_derive_start(d, d->grammar, straight, count, 0, d->max_depth, d->stack);
}

/* Maps a genome by its straightened form: m is started, not yet derived by a convention. Length and
 * codons used stay those of the genome. */
GR_FN void gr_map_straightened(gr_mapping *m, const gr_params *p, uint32_t *room) {
    uint32_t *straight;
    gr_derive_by(&m->d, p->convention, p->max_wraps);
    uint32_t n = gr_straighten(&m->d, room, &straight), length = m->d.length, used = m->d.used;
    if (m->d.validity == GR_VALID) {
        gr_derive_straight(&m->d, straight, n);
        gr_map_sentence(m);
    }
    m->d.length = length;
    m->d.used = used;
}

#endif
