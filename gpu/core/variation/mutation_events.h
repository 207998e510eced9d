/* Codon flip per individual: a fixed number of codons redrawn, each at a position of its own
 * draw. */
#ifndef GR_MUTATION_EVENTS_H
#define GR_MUTATION_EVENTS_H

#include "gpu/core/genotype/genome.h"

/* In order: two events may meet at one codon, and the later one counts. */
GR_FN void gr_flip_events(const gr_params *p, const gr_random *r, uint32_t *genome,
                          uint32_t range) {
    for (uint32_t e = 0; e < p->mutation_events; e++) {
        gr_block block = gr_draw_block(r, e);
        genome[gr_scale(block.word[0], range)] = gr_codon(p, block.word[1]);
    }
}

#endif
