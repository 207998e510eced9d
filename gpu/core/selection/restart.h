/* Islands that begin anew: one that has had no better best for `restart_after` generations gets
 * another first population. It is drawn in place of the old one before the parents of the next
 * generation would be, and becomes that generation as it is; what was best is kept as the best so
 * far. Only behind even generations, whose buffer is the one that first generations are drawn to.
 */
#ifndef GR_RESTART_H
#define GR_RESTART_H

#include "gpu/core/genotype/growth.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/selection/select.h"

GR_FN uint32_t gr_may_restart(const gr_params *p, uint32_t generation) {
    return p->restart_after && generation % 2 == 0;
}

/* Whether a deme does so behind this generation. */
GR_FN uint32_t gr_restarts(const gr_state *s, uint32_t generation, uint32_t deme) {
    const gr_deme *d = &s->demes[deme];
    return d->active && generation - d->stretch_generation >= s->p.restart_after;
}

/* Draws of first individuals are numbered: those of the first generation are fewer than this. */
enum { GR_FIRST_DRAWS = 1024 };

/* Nothing was fitted in an individual of the first buffer. */
GR_FN void gr_forget_constants(const gr_state *s, uint32_t i) {
    const gr_codon_origin none = {GR_NO_CODON, 0};
    for (uint32_t k = 0; gr_fits_beside(&s->p) && k < GR_FIT_CONSTANTS; k++) {
        s->constants[0][(size_t)i * GR_FIT_CONSTANTS + k] = GR_NAN;
        s->origins[0][(size_t)i * GR_FIT_CONSTANTS + k] = none;
    }
}

/* Draws individual i again, if its deme begins anew. One lane. */
GR_FN void gr_draw_anew(const gr_state *s, uint32_t generation, uint32_t i, gr_scratch scratch,
                        uint32_t *codon_scratch) {
    const gr_params *p = &s->p;
    uint32_t deme = i / p->population, length;
    if (!gr_restarts(s, generation, deme))
        return;
    s->attempts[i] = GR_FIRST_DRAWS + generation;
    length = p->genotype == GR_TREE
                 ? gr_first_tree(s, deme, i % p->population, gr_tree(s, 0, i), scratch)
                 : gr_first_genome(s, i, scratch, codon_scratch);
    s->individuals[0][i].length = length;
    gr_forget_constants(s, i);
}

/* Once all are there. */
GR_FN void gr_begin_anew(const gr_state *s, uint32_t generation, uint32_t deme) {
    gr_deme *d = &s->demes[deme];
    if (!gr_restarts(s, generation, deme))
        return;
    if (gr_has_niches(s))
        gr_empty_niches(s, deme);
    d->restarts++;
    d->stretch_cost = GR_INFINITY;
    d->stretch_generation = generation + 1;
}

#endif
