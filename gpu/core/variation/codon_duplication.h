/* Duplication and deletion of runs of codons: a run is copied to the end of the genome, or cut out.
 * Both keep to the limits on the length or leave the genome as it is. */
#ifndef GR_CODON_DUPLICATION_H
#define GR_CODON_DUPLICATION_H

#include "gpu/core/genotype/genome.h"

GR_FN uint32_t gr_changes_codon_count(const gr_params *p) {
    return p->codon_duplication > 0.0f || p->codon_deletion > 0.0f;
}

/* A child's genome after both, each with its own probability; the new length. */
GR_FN uint32_t gr_duplicate_delete_codons(const gr_params *p, uint32_t generation, uint32_t attempt,
                                          uint32_t deme, uint32_t index, uint32_t *genome,
                                          uint32_t length) {
    gr_random r = gr_stream(p, GR_PURPOSE_MUTATION_DUPLICATION, generation, deme, index);
    r = gr_repeated(r, attempt);
    gr_block chance = gr_draw_block(&r, 0), run = gr_draw_block(&r, 1);
    if (gr_unit(chance.word[0]) < p->codon_duplication) {
        uint32_t from = gr_scale(run.word[0], length);
        uint32_t n = 1 + gr_scale(run.word[1], length - from);
        if (n <= p->genome_capacity - length) {
            for (uint32_t i = 0; i < n; i++)
                genome[length + i] = genome[from + i];
            length += n;
        }
    }
    if (gr_unit(chance.word[1]) < p->codon_deletion) {
        uint32_t from = gr_scale(run.word[2], length);
        uint32_t n = 1 + gr_scale(run.word[3], length - from);
        if (n < length) {
            for (uint32_t i = from; i + n < length; i++)
                genome[i] = genome[i + n];
            length -= n;
        }
    }
    return length;
}

#endif
