/* Units of inputs and target, as powers of base units, and the expressions that keep to them. */
#ifndef GRAMPUS_UNITS_H
#define GRAMPUS_UNITS_H

#include "gpu/core/base/ops.h"
#include "host/settings/settings.h"

enum {
    GR_BASE_UNITS = 8,
    GR_LARGEST_POWER = 60,      /* of a base unit, counted in halves */
    GR_DEEPEST_UNITS = 8,       /* units-depth */
    GR_MOST_DIMENSIONS = 20000, /* looked at; a grammar has fewer */
    GR_MOST_UNIT_CONSTANTS = 64
};

/* Twice the power of every base unit. */
typedef struct gr_dimension {
    int8_t power[GR_BASE_UNITS];
} gr_dimension;

typedef struct gr_units {
    char base[GR_BASE_UNITS][16];
    uint32_t bases;
    gr_dimension *input; /* [inputs] */
    uint32_t inputs;
    gr_dimension target;
} gr_units;

/* The units of the settings, of these inputs and the target, all of which must have one. */
gr_status gr_units_read(const gr_settings *settings, const char *const *names, uint32_t inputs,
                        const char *target, gr_units *units, gr_error *error);
void gr_units_free(gr_units *units);
/* "m^2.s^-1", or "1". */
void gr_units_name(const gr_units *units, gr_dimension of, char *out, size_t size);
int gr_same_dimension(gr_dimension a, gr_dimension b);

/* An operation on operands of these dimensions, by number. */
typedef struct gr_typed_operation {
    uint32_t op, result, operand[2]; /* operand[1] of those with two */
} gr_typed_operation;

/* The dimensions that occur on the way to the target's, that one first, and the operations between
 * them, by results: all with which an expression of at most `depth` levels that has the target's
 * dimension can be made. */
typedef struct gr_closure {
    gr_dimension *dimension;
    uint8_t *level; /* [dimensions] of the flattest expression of it, a leaf's being 1 */
    uint32_t dimensions;
    gr_typed_operation *operation;
    uint32_t operations;
    uint32_t *first; /* [dimensions + 1] into operation[] */
    uint32_t depth;
} gr_closure;

typedef struct gr_closure_options {
    const uint8_t *function; /* operations in use */
    uint32_t functions;
    /* 0: the least, from 3, at which the target can be made; beyond 3 only with those products of
     * the dimensions that take so many levels which have the flattest factors */
    uint32_t depth;
    uint32_t constants; /* there are numbers without a dimension */
} gr_closure_options;

gr_status gr_close_dimensions(const gr_units *units, const gr_closure_options *options,
                              gr_closure *closure, gr_error *error);
/* What it has returned: bad input is said to be where the settings name the depth, else the units.
 */
gr_status gr_units_place(const gr_settings *settings, gr_status status, gr_error *error);
void gr_closure_free(gr_closure *closure);

/* How an operation treats dimensions. */
typedef enum gr_dimension_rule {
    GR_DIM_NONE, /* it has no meaning for units */
    GR_DIM_SAME, /* of like operands, of their dimension */
    GR_DIM_PURE, /* of operands without dimension, as the result */
    GR_DIM_PRODUCT,
    GR_DIM_QUOTIENT,
    GR_DIM_POWER, /* the operand's, times gr_dimension_power */
    GR_DIM_ROOT   /* the operand's, divided by it */
} gr_dimension_rule;
gr_dimension_rule gr_rule_of(uint32_t op);
int gr_dimension_power(uint32_t op);

/* The grammar of these expressions, as the settings ask for it: text of BNF, malloc'ed. */
gr_status gr_units_grammar(const gr_settings *settings, const char *const *names, uint32_t inputs,
                           const char *target, char **text, gr_error *error);

/* The tables of typed trees (gpu/core/genotype/typed.h) of `types`, of the closure of `units`, or,
 * with several outputs and neither, of one type: words, malloc'ed. */
typedef struct gr_typing {
    const gr_settings *settings;
    const char *const *names; /* [inputs] */
    uint32_t inputs;
    const char *target;
    const uint8_t *function; /* operations in use */
    uint32_t functions;
    uint32_t outputs; /* of programs that are an argmax of so many; 0: they have one */
    /* the last inputs are made of others, and the settings do not tell their units */
    const gr_dimension *prepared;
    uint32_t prepared_count;
    uint32_t part; /* of an output of several targets (ops.def), in place of an argmax; 0: none */
} gr_typing;
gr_status gr_make_types(const gr_typing *of, uint32_t **words, uint32_t *count, gr_error *error);

#endif
