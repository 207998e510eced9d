/* How large an expression can be that genomes of a grammar map to. */
#ifndef GRAMPUS_LARGEST_PHENOTYPE_H
#define GRAMPUS_LARGEST_PHENOTYPE_H

#include "gpu/backend/error.h"
#include "gpu/core/base/params.h"

#include <stdint.h>

/* Lowers params->max_nodes, and sets params->max_nesting, to what the codons of the longest genome
 * can bring by tables `g` (gpu/core/mapping/grammar.h), where that is less than the settings allow:
 * no expression is refused for it, and programs take less memory. */
gr_status gr_bound_expressions(gr_params *params, const uint32_t *g, gr_error *error);

/* The bounds themselves, UINT64_MAX where none is found: the most nodes of an expression, and the
 * most operators and brackets that are open at once, of a derivation that takes at most so many
 * codons by params->convention; or makes at most so many expansions, if its genotype is not read
 * depth first. */
gr_status gr_find_largest_phenotype(const gr_params *params, const uint32_t *g, uint64_t codons,
                                    uint64_t *nodes, uint64_t *nesting, gr_error *error);

#endif
