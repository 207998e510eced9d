/* What a genome means, on the host: the sentence it derives, with the derivation of
 * gpu/core/mapping/mapping.h. */
#ifndef GRAMPUS_PHENOTYPE_H
#define GRAMPUS_PHENOTYPE_H

#include "gpu/core/base/params.h"
#include "gpu/core/mapping/mapping.h"
#include "host/grammar/grammar.h"
#include "host/settings/settings.h"

typedef struct gr_phenotype {
    uint32_t validity; /* gr_validity, of the derivation alone */
    uint32_t used, depth, nodes;
    char *text; /* malloc'ed; NULL when invalid */
    size_t length;
} gr_phenotype;

/* How genomes are read. */
typedef struct gr_reading {
    uint32_t convention; /* of gpu/core/mapping/wrapping.h */
    uint32_t max_wraps, max_depth, max_genome_length;
} gr_reading;
gr_reading gr_reading_of(const gr_params *p);

/* Derives genome[0, length). An invalid genome is no failure: *phenotype says so. */
gr_status gr_derive_phenotype(const gr_grammar *grammar, const uint32_t *genome, uint32_t length,
                              uint32_t max_wraps, uint32_t max_depth, gr_phenotype *phenotype,
                              gr_error *error);
/* The bits of gpu/core/mapping/wrapping.h, and how genotypes are read, that a run's settings ask
 * for. */
uint32_t gr_convention_for(const gr_settings *settings);
/* The same as `reading` says. A convention that is not read depth first needs
 * gr_grammar_plan_non_depth_first before. */
gr_status gr_derive_phenotype_by(const gr_grammar *grammar, const gr_reading *reading,
                                 const uint32_t *genome, uint32_t length, gr_phenotype *phenotype,
                                 gr_error *error);
void gr_phenotype_free(gr_phenotype *phenotype);

/* The nodes of the expression that a genome maps to under p (GE), malloc'ed, *count of them; 0 and
 * NULL when the genome is invalid. */
gr_status gr_map_genome(const gr_params *p, const uint32_t *grammar, const uint32_t *genome,
                        uint32_t length, gr_node **nodes, uint32_t *count, gr_error *error);

/* "out_of_codons", ... as in the statistics. */
const char *gr_validity_name(uint32_t validity);

#endif
