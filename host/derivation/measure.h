/* What a grammar and an initialiser do, by sampling: genomes drawn as first generations are, and of
 * each one a neighbour with another codon (gpu/core/genotype/neighbours.h). */
#ifndef GRAMPUS_MEASURE_H
#define GRAMPUS_MEASURE_H

#include "gpu/backend/error.h"
#include "gpu/core/genotype/neighbours.h"
#include "host/grammar/grammar.h"

typedef struct gr_grammar_sample {
    uint32_t count;
    gr_genome_sample of;       /* arrays [count], and of productions */
    const gr_expansions *rule; /* [rules], behind those of productions */
} gr_grammar_sample;

/* p: as a run's, its population the number of genomes; the ramp goes over them. Not for lists.
 * By `threads` of the CPU, or on a GPU, which gives the same. The texts are those that productions
 * derive: blocks of Python are not indented. */
gr_status gr_grammar_measure(const gr_grammar *grammar, const gr_params *p, uint32_t threads,
                             int on_gpu, gr_grammar_sample *sample, gr_error *error);
void gr_grammar_sample_free(gr_grammar_sample *sample);

#endif
