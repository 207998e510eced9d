/* The arithmetic of a primitive as PTX text, taken from the compiled primitives.cu. */
#ifndef GRAMPUS_PRIMITIVE_TEXT_H
#define GRAMPUS_PRIMITIVE_TEXT_H

#include <stdio.h>

enum { GR_REGISTER_NAME = 16 };

typedef struct gr_primitive {
    unsigned parameters;
    char parameter[3][GR_REGISTER_NAME]; /* registers that hold the operands */
    char result[GR_REGISTER_NAME];
    char *declarations, *body; /* registers; instructions without loads, stores and the last ret */
    unsigned lines;            /* of the body */
} gr_primitive;

/* A register of ours that stands for an operand: `name` alone, or name with the number of the case
 * behind it. */
typedef struct gr_register_operand {
    char name[GR_REGISTER_NAME];
    int per_case;
} gr_register_operand;

/* The primitive gr_as_<kind>_<id>; 0 when there is none or no memory. */
int gr_primitive_find(const char *kind, const char *id, gr_primitive *primitive);
void gr_primitive_free(gr_primitive *primitive);
void gr_operand_write(FILE *out, gr_register_operand operand, unsigned k);
/* Writes result = primitive(operand...) for case k. */
void gr_primitive_write(FILE *out, const gr_primitive *primitive,
                        const gr_register_operand *operand, gr_register_operand result, unsigned k);
/* Writes what the primitives call and read: all of primitives.cu that is no primitive itself. */
void gr_primitive_write_prelude(FILE *out);

#endif
