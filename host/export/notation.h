/* Trees as text, by a template for every operation: what C, Python and formulas share. */
#ifndef GRAMPUS_NOTATION_H
#define GRAMPUS_NOTATION_H

#include "host/export/program.h"

#include <stdio.h>

/* How strongly a text binds, weakest first. */
enum { GR_BINDS_SUM = 1, GR_BINDS_PRODUCT, GR_BINDS_SIGN, GR_BINDS_POWER, GR_BINDS_ATOM };

/* A template (notations.def) with its strength. */
typedef struct gr_form {
    const char *text;
    uint32_t strength;
    const char *helper; /* a definition that the text calls, or NULL */
} gr_form;

/* A language. Trees that are too high for its readers are cut into parts with names of their own.
 */
typedef struct gr_notation {
    const char *open, *close; /* brackets */
    gr_form (*form)(uint32_t op);
    void (*constant)(FILE *out, uint32_t bits, int packed);
    void (*input)(FILE *out, const gr_vocabulary *vocabulary, uint32_t input);
    const char *part;             /* format of a part's name, of an unsigned */
    const char *define, *defined; /* before a part's name and behind its text */
    const char *is;               /* between the two */
    const char *packed_define;    /* `define` of a packed problem; NULL: the same */
    int typeset;                  /* a constant of 1e-9 is a product, 1 times a power of 10 */
} gr_notation;

enum { GR_PART_HEIGHT = 14 };

/* A call in C for operation `id`, of a function over `type` whose value is `text`; for tables. */
#define GR_C_CALL(id, type, operands, parameters, text)                                            \
    [GR_##id] = {"op_" #id operands, GR_BINDS_ATOM,                                                \
                 "GR_FN " type " op_" #id parameters " {\n    return " text ";\n}\n"},
/* That over doubles. */
gr_form gr_double_call(uint32_t op);

/* The forms of notations.def. */
gr_form gr_latex_form(uint32_t op);
gr_form gr_mathml_form(uint32_t op);
gr_form gr_numpy_form(uint32_t op);
gr_form gr_sympy_form(uint32_t op);

/* Writes the parts of a tree, and then `before`, the rest of it and `behind`. */
gr_status gr_write_tree(FILE *out, const gr_node *nodes, uint32_t count,
                        const gr_vocabulary *vocabulary, const gr_notation *notation,
                        const char *before, const char *behind, gr_error *error);

/* Which operations and inputs the programs use: used[GR_OP_COUNT], and the largest input and one.
 */
uint32_t gr_used_operations(const gr_export *e, uint8_t *used);

/* A program's name, numbered where there are several, and its linear scaling. Of programs of
 * several outputs that of an output. */
typedef struct gr_program_texts {
    char name[256], intercept[32], slope[32];
} gr_program_texts;
gr_program_texts gr_texts_of(const gr_export *e, uint32_t k);

/* Whether program k is the last output of one of several: what gives all of them stands behind it.
 */
int gr_ends_outputs(const gr_export *e, uint32_t k);
/* The name of what gives all outputs of the program whose last output is k. */
void gr_outputs_name(const gr_export *e, uint32_t k, char name[256]);
/* The name of the target of program k, or its number in `plain`. */
const char *gr_target_name(const gr_export *e, uint32_t k, char plain[16]);

/* The name of an input: the column's, or x and its number in `plain`. */
const char *gr_input_name(const gr_vocabulary *vocabulary, uint32_t input, char plain[16]);
/* Text in a comment of one line: without ends of lines and of comments. */
void gr_write_comment(FILE *out, const char *text);
/* The expression as Grampus reads it. */
gr_status gr_write_infix(FILE *out, const gr_node *nodes, uint32_t count,
                         const gr_vocabulary *vocabulary, gr_error *error);

#endif
