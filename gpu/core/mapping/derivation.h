/* The state of a derivation, and what becomes of it. */
#ifndef GR_DERIVATION_H
#define GR_DERIVATION_H

#include "gpu/core/mapping/grammar.h"
#include "gpu/core/program/node.h"

typedef enum gr_validity {
    GR_VALID,
    GR_OUT_OF_CODONS,
    GR_TOO_DEEP,
    GR_TOO_LARGE,     /* more expression nodes than max_nodes, or more nesting than max_nesting */
    GR_NO_EXPRESSION, /* the sentence is not in the expression language */
    GR_VALIDITY_COUNT
} gr_validity;

#define GR_DERIVED 0xffffffffu

/* A derivation in progress. The stack holds, for every expansion on the path from the root, the
 * next symbol of its production and the production's end, so its height is the depth. */
typedef struct gr_derivation {
    const uint32_t *grammar, *genome;
    gr_words stack; /* 2 words a level, max_depth levels */
    uint32_t length, supply, max_depth;
    uint32_t level; /* expansions on the path */
    uint32_t used, nodes, depth, position;
    uint32_t validity;
    /* of a convention other than PonyGE2's tree mapper (wrapping.h) */
    uint32_t convention, max_wraps, wraps;
    uint32_t left;     /* codons of this reading */
    uint32_t waiting;  /* non-terminals not yet expanded */
    uint32_t expanded; /* the start rule, which may have taken no codon */
} gr_derivation;

#endif
