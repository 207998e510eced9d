/* Expressions as text: reading into nodes (gpu/core/program/node.h, postfix) and printing back as
 * infix. */
#ifndef GRAMPUS_READER_H
#define GRAMPUS_READER_H

#include "host/expression/vocabulary.h"

/* Reads `text` into *nodes (malloc'ed, the caller frees) in postfix order; *count nodes. An error
 * names the column (1-based) in `where`:1:column. Uses the same reader as the device:
 * gpu/core/program/expression.h. */
gr_status gr_read_expression(const char *text, const char *where, const gr_vocabulary *vocabulary,
                             gr_node **nodes, uint32_t *count, gr_error *error);

/* The first number in `text` that no float is as large as, up to *end; NULL: there is none. What is
 * said of one: constants of a program are floats, whatever its inputs are. */
const char *gr_too_large_number(const char *text, const char **end);
#define GR_CONSTANTS_KEPT                                                                          \
    "beyond single precision, in which constants are kept (with precision: double too); expected " \
    "at most 3.4028235e38"

/* Prints nodes [0, count) as infix text that reads back to the same nodes: constants with enough
 * digits, as few brackets as the precedence needs. malloc'ed. NULL when memory is short or the
 * nodes are no tree. A word constant other than 0 (False)
 * reads back as all ones (True). */
char *gr_print_expression(const gr_node *nodes, uint32_t count, const gr_vocabulary *vocabulary);
/* The same of a tree whose inputs may carry weights (gpu/core/program/weight.h): weight * input. */
char *gr_print_tree(const gr_node *nodes, uint32_t count, uint32_t index_mask,
                    const gr_vocabulary *vocabulary);

#endif
