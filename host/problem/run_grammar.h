/* The grammar of a run: read, made fit for its data, held against the limits of the settings. */
#ifndef GRAMPUS_RUN_GRAMMAR_H
#define GRAMPUS_RUN_GRAMMAR_H

#include "host/problem/problem.h"
#include "host/settings/settings.h"

/* problem->grammar and the job's tables, of the training cases that are there. */
gr_status gr_make_grammar(const gr_settings *settings, gr_problem *problem, gr_error *error);
/* Whether first genomes can be derived by tables `g` within the settings' limits: depths, codons
 * that choose among all productions. Puts the least depth under those of the ramp. */
gr_status gr_check_derivations(const gr_settings *settings, gr_params *params, const uint32_t *g,
                               gr_error *error);
/* Whether a depth that was named for first genomes is less than any has: then it gives way, and
 * `out` says so. */
enum { GR_DEEPER = 160 };
int gr_deeper_than_asked(const gr_settings *settings, const gr_params *params, char out[GR_DEEPER]);
/* The texts of the grammar's terminals, for phenotypes to be counted by. */
gr_status gr_hash_terminals(gr_problem *problem, gr_error *error);

#endif
