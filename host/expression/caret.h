/* '^' over numbers: an exclusive or between truth values, as in Python. Between numbers it is
 * refused, since whoever writes x ^ 2 means a power.
 *
 * Nodes do not tell '^' from xor(a, b), which is taken of all numbers. So '^' is read as the
 * operation of words, which no problem over numbers has otherwise, then looked at, then made the
 * one of numbers. */
#ifndef GRAMPUS_CARET_H
#define GRAMPUS_CARET_H

#include "gpu/core/program/node.h"

#define GR_CARET_IS_NO_POWER                                                                       \
    "'^' is no power; expected ** or pow(a, b), or for an exclusive or xor(a, b)"

/* The operand of a token over numbers; of '^' one whose nodes are marked. */
uint32_t gr_mark_caret(uint32_t word, uint32_t operand);
/* Whether '^' may stand between operands with these roots: one is a comparison or logic, the other
 * that too, an input, 0 or 1. */
int gr_caret_between(gr_node left, gr_node right);
/* Whether a marked node stands where '^' may not. */
int gr_caret_misread(const gr_node *nodes, uint32_t count);
void gr_unmark_carets(gr_node *nodes, uint32_t count);

#endif
