/* How genomes are read, for verbs that are no run: the options that are settings of that name. */
#ifndef GRAMPUS_CONVENTIONS_H
#define GRAMPUS_CONVENTIONS_H

#include "host/derivation/phenotype.h"

/* Texts as on the command line, NULL where not given. */
typedef struct gr_convention_options {
    const char *consumption, *wrap_rule, *mapping, *genotype, *max_genome_length, *max_wraps,
        *max_depth;
} gr_convention_options;

/* Checked as a run would. */
gr_status gr_take_conventions(const gr_convention_options *options, gr_reading *reading,
                              gr_error *error);
/* gr_grammar_load, prepared for that way of reading. */
gr_status gr_load_for(const gr_reading *reading, const char *path,
                      const gr_grammar_context *context, gr_grammar **grammar, gr_error *error);

#endif
