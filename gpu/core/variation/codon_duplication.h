/* Duplication and deletion of runs of codons: a run is copied to the end of the genome, or cut out.
 * Both keep to the limits on the length or leave the genome as it is. They return its new length
 * and draw from the same stream: block 0 says whether, block 1 which. */
#ifndef GR_CODON_DUPLICATION_H
#define GR_CODON_DUPLICATION_H

#include "gpu/core/genotype/genome.h"

GR_FN uint32_t gr_duplicate_codons(const gr_params *p, const gr_random *r, uint32_t *genome,
                                   uint32_t length) {
    gr_block chance = gr_draw_block(r, 0), run = gr_draw_block(r, 1);
    uint32_t from = gr_scale(run.word[0], length);
    uint32_t n = 1 + gr_scale(run.word[1], length - from);
    if (!(gr_unit(chance.word[0]) < p->codon_duplication) || n > p->genome_capacity - length)
        return length;
    for (uint32_t i = 0; i < n; i++)
        genome[length + i] = genome[from + i];
    return length + n;
}

GR_FN uint32_t gr_delete_codons(const gr_params *p, const gr_random *r, uint32_t *genome,
                                uint32_t length) {
    gr_block chance = gr_draw_block(r, 0), run = gr_draw_block(r, 1);
    uint32_t from = gr_scale(run.word[2], length);
    uint32_t n = 1 + gr_scale(run.word[3], length - from);
    if (!(gr_unit(chance.word[1]) < p->codon_deletion) || n >= length)
        return length;
    for (uint32_t i = from; i + n < length; i++)
        genome[i] = genome[i + n];
    return length - n;
}

#endif
