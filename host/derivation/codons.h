/* Genomes as text: a JSON array of codons, as in [12, 7, 255]. */
#ifndef GRAMPUS_CODONS_H
#define GRAMPUS_CODONS_H

#include "gpu/backend/error.h"

#include <stddef.h>
#include <stdint.h>

/* The codons of text[length], white space behind them allowed, malloc'ed; `where` ("file:3") begins
 * a message. */
gr_status gr_read_codons(const char *text, size_t length, const char *where, uint32_t **codons,
                         uint32_t *count, gr_error *error);

#endif
