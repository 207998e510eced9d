/* From a sentence back to a genome: a derivation of least depth, whatever the grammar. */
#ifndef GRAMPUS_DERIVE_BACK_H
#define GRAMPUS_DERIVE_BACK_H

#include "host/derivation/phenotype.h"

typedef struct gr_derived_back {
    int found;
    uint32_t *genome; /* [length] codons, malloc'ed; mapping it gives the text */
    uint32_t length, depth, nodes;
    size_t reached; /* not found: how far some derivation agrees with the text */
    uint64_t steps; /* items settled, pairs of them joined, sets of at most 64 partners looked at */
} gr_derived_back;

/* `convention`: gpu/core/mapping/wrapping.h; decides which expansions take a codon. The codons are
 * the smallest that choose their productions; of GR_POSITION_INDEPENDENT the leftmost non-terminal
 * is expanded first; of GR_LISTS (after gr_grammar_plan_non_depth_first) the genes fill the lists,
 * which may be too short. */
gr_status gr_derive_back(const gr_grammar *grammar, uint32_t convention, const char *text,
                         size_t length, gr_derived_back *derived, gr_error *error);
/* The same for genomes that are read so: a text that lies deeper than reading->max_depth, or takes
 * more expansions than these allow where they are counted, is refused, for no genome maps to it. */
gr_status gr_derive_back_by(const gr_grammar *grammar, const gr_reading *reading, const char *text,
                            size_t length, gr_derived_back *derived, gr_error *error);

#endif
