/* What writes the generated block, as interpreter.c and heavy.c share it. */
#ifndef GR_WRITER_H
#define GR_WRITER_H

#include "gpu/interpreter/block.h"
#include "gpu/interpreter/primitive_text.h"

/* Registers of the text. g{level}_k: the stack; x{input}_k: inputs; t_k, u_k: operands on their
 * way; gh and gc: handler and operand of an instruction, gp: where it stands in shared memory. The
 * next instruction is read over gh and gc at once, so a handler first takes from gc what it needs:
 * ga and gb, addresses in the tile, or gk, a constant or a weight. */
typedef struct writer {
    FILE *out;
    const gr_machine *m;
    gr_code *code;
    FILE *bodies;     /* of the heavy operations */
    uint32_t heavies; /* how many */
    int jumps[2];     /* to the body of the operation under way, in either order */
} writer;

typedef struct operation {
    const char *id;
    uint32_t op, arity, heavy;
    gr_primitive body, common, plain;
    float least, most; /* magnitudes between which `common` or `plain` holds */
} operation;

static const gr_register_operand T = {"t_", 1}, U = {"u_", 1}, ACC = {"acc_", 1},
                                 CONSTANT = {"gk", 0};

/* The body that all handlers of a heavy operation go to, on t and u: the code of many levels and
 * forms would outgrow the instruction cache. Within the limits in all cases of the warp, the form
 * without branches; else the whole one. */
void gr_write_heavy(writer *w, const operation *o, int reversed);

#endif
