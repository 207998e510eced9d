/* Expressions as text: reading into nodes (gpu/core/node.h, postfix) and printing back as infix. */
#ifndef GRAMPUS_READER_H
#define GRAMPUS_READER_H

#include "../gpu/core/node.h"
#include "error.h"

#include <stddef.h>

/* What names mean while an expression or a grammar is read. The names, the data's columns, are
 * owned by the caller and may be NULL. */
typedef struct gr_vocabulary {
    const char *const *names; /* [inputs] */
    uint32_t inputs;
    int packed; /* operations work on words of 32 Boolean cases */
} gr_vocabulary;

/* Reads `text` into *nodes (malloc'ed, the caller frees) in postfix order; *count nodes. An error
 * names the column (1-based) in `where`:1:column. Uses the same reader as the device:
 * gpu/core/expression.h. */
gr_status gr_read_expression(const char *text, const char *where, const gr_vocabulary *vocabulary,
                             gr_node **nodes, uint32_t *count, gr_error *error);

/* Prints nodes [0, count) as infix text that reads back to the same nodes: constants with enough
 * digits, as few brackets as the precedence needs. malloc'ed. NULL when memory is short or the
 * nodes are no tree. A word constant other than 0 (False)
 * reads back as all ones (True). */
char *gr_print_expression(const gr_node *nodes, uint32_t count, const gr_vocabulary *vocabulary);

/* The operation called `name` (any alias), or -1. packed: a word operation, not one on floats. */
int gr_find_operation(const char *name, size_t length, int packed);
/* The operation with this infix sign, or -1. */
int gr_find_symbol(const char *symbol, size_t length, int packed);
/* Printed name, and infix sign or "". */
const char *gr_operation_name(uint32_t op);
const char *gr_operation_symbol(uint32_t op);

#endif
