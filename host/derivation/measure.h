/* What a grammar and an initialiser do, by sampling: genomes drawn as first generations are, and of
 * each one a neighbour with another codon. */
#ifndef GRAMPUS_MEASURE_H
#define GRAMPUS_MEASURE_H

#include "host/derivation/phenotype.h"

/* What became of a genome when one codon of the part it uses was drawn again. */
typedef enum gr_mutant {
    GR_MUTANT_NONE,       /* the genome was invalid, or used no codon */
    GR_MUTANT_SYNONYMOUS, /* the same derivation */
    GR_MUTANT_NEUTRAL,    /* another derivation of the same sentence */
    GR_MUTANT_INVALID,
    GR_MUTANT_CHANGED, /* another sentence */
    GR_MUTANTS
} gr_mutant;

/* Sums over genomes, of a rule's expansions or one production's share in them: n expansions,
 * their squares, and their products with those of the rule. */
typedef struct gr_expansions {
    uint64_t n, squares, products;
} gr_expansions;

typedef struct gr_grammar_sample {
    uint32_t count;
    uint8_t *validity, *mutant;     /* [count] gr_validity, gr_mutant */
    uint32_t *used, *depth, *nodes; /* [count], of valid ones */
    uint64_t *sentence;             /* [count] hash of the text, of valid ones */
    double *change;                 /* [count] share of the sentence that a mutant changes */
    gr_expansions *rule, *production;
} gr_grammar_sample;

/* p: as a run's, its population the number of genomes; the ramp goes over them. Not for lists. */
gr_status gr_grammar_measure(const gr_grammar *grammar, const gr_params *p, uint32_t threads,
                             gr_grammar_sample *sample, gr_error *error);
void gr_grammar_sample_free(gr_grammar_sample *sample);

#endif
