/* Where rules may stand in a text, by the grammar and what is right beside the place alone: a chart
 * that leaves out the rest stays small under the grammars of most languages. */
#ifndef GRAMPUS_CONTEXTS_H
#define GRAMPUS_CONTEXTS_H

#include "host/grammar/grammar.h"

#include <stdint.h>

enum { GR_MAY_BEGIN = 1, GR_MAY_END = 2 };

/* *may: [(length + 1) x rules], malloc'ed. A rule begins or ends in a derivation of the text from
 * the start rule, also in the part of one that agrees with the text so far, nowhere but where it
 * may; the ends are of whole derivations. Of a short text, whose chart is small anyway, everywhere:
 * to look takes longer under a large grammar. */
gr_status gr_find_contexts(const gr_grammar *grammar, const char *text, uint32_t length,
                           uint8_t **may, gr_error *error);

#endif
