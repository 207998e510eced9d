/* What names mean in expressions: inputs and operations. */
#ifndef GRAMPUS_VOCABULARY_H
#define GRAMPUS_VOCABULARY_H

#include "gpu/backend/error.h"
#include "gpu/core/program/node.h"

#include <stddef.h>

/* What names mean while an expression or a grammar is read. The names, the data's columns, are
 * owned by the caller and may be NULL. */
typedef struct gr_vocabulary {
    const char *const *names; /* [inputs] */
    uint32_t inputs;
    int packed;         /* operations work on words of 32 Boolean cases */
    int free_constants; /* c[0], c[1], ... are constants that a run fits */
    uint32_t outputs;   /* of targets(a, b, ...), 0: there is none; its operation for each */
    uint32_t part;
} gr_vocabulary;

/* The operation called `name` (any alias), or -1. packed: a word operation, not one on floats. */
int gr_find_operation(const char *name, size_t length, int packed);
/* The operation with this infix sign, or -1. */
int gr_find_symbol(const char *symbol, size_t length, int packed);
/* Printed name, and infix sign to print or "". */
const char *gr_operation_name(uint32_t op);
const char *gr_operation_symbol(uint32_t op);

#endif
