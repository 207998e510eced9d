/* The interpreter of linear programs on the device, generated as PTX for one machine: kind of
 * values, width, registers and function set.
 *
 * nvcc turns a large `switch` into a tree of compares and copies; a jump table through
 * `brx.idx.uni`, each handler fetching the next word and branching itself, halves the time. PTX has
 * such a table only inside one block of text, so the block is generated: the arithmetic from the
 * primitives' own PTX (primitives.cu, and so from ops.def), the rest of the kernel from
 * evaluate.cu, which leaves marks for the block, its result and literals.
 *
 * Every stack level has registers of its own (`levels` of them, the deepest backed by local
 * memory), so pushing and popping cost nothing; a handler exists for each operation, form of
 * operands and level. Chitty's two-dimensional stack, with the stack pointer resolved when the
 * program is loaded. */
#ifndef GRAMPUS_INTERPRETER_H
#define GRAMPUS_INTERPRETER_H

#include "gpu/core/base/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an interpreter is compiled for. */
typedef enum gr_values {
    GR_EXACT, /* floats, IEEE operations and the polynomials of math.h */
    GR_FAST,  /* floats, the special function unit */
    GR_WORDS  /* 32 Boolean cases a word */
} gr_values;

enum { GR_ANY = 255, GR_VALUES = GR_WORDS + 1, GR_WEIGHED_WIDTH = 8 /* widest of weighed cases */ };

/* How a handler goes to the next one: by the table of all handlers, or directly (direct_jumps.h).
 * An instruction in shared memory is {number or address, operand}, or {address, 0, operand, 0}: one
 * instruction of the machine less, but twice as much to read for every lane. */
typedef enum gr_direct { GR_BY_TABLE, GR_DIRECT, GR_DIRECT_WIDE } gr_direct;
#define GR_INSTRUCTION_BYTES(direct) ((direct) == GR_DIRECT_WIDE ? 16u : 8u)

typedef struct gr_machine {
    uint32_t values;          /* gr_values */
    uint32_t width;           /* cases of a register: 4, 8, 16 or 32 a lane */
    uint32_t levels;          /* stack levels in registers, at least 2 */
    uint32_t accumulator;     /* 1: all work is done in registers apart from the stack's; less code,
                                 but pushing is a copy */
    uint32_t register_inputs; /* 1 or 2: all inputs stand in registers; 0: operands from the tile */
    uint32_t pairs;           /* 1: an operation on two inputs of the tile is one handler */
    uint32_t weighted;     /* 1: inputs carry weights (program/weight.h), and come from the tile */
    uint32_t index_mask;   /* of their operands */
    uint32_t case_weights; /* 1: cases carry weights, behind the targets */
    uint32_t direct;       /* gr_direct */
    uint32_t shared;       /* 1: tiles stand in shared memory, 0: in global memory */
    uint32_t threads, blocks; /* of a block; blocks a multiprocessor shall hold */
    uint32_t registers; /* not 0: of a thread, at most, in place of `blocks`: which architecture
                           it will be is not known */
    /* Literals of the kernel; GR_ANY: told at run time. */
    uint32_t adds, kind; /* gr_case_adds, gr_sum_kind (fitness.h) */
    uint32_t chunks;     /* of a tile */
    uint32_t inputs;     /* of a case; GR_ANY: so many or more, too */
    uint32_t together;   /* groups of warps share a program */
    uint32_t shares;     /* 1: the block is such a group, which also loads it together; never
                            GR_ANY */
    uint32_t abreast;    /* warps of a group that goes abreast, see gr_launch; 0: none does */
    uint32_t batch;      /* 0: no item is all of the population */
    uint32_t some;       /* 0: a warp draws one program at a time */
    uint32_t many;       /* 1: short ones of those that it draws come to its buffer together; never
                            GR_ANY */
    uint32_t ahead;      /* items that a block has under way, see gr_launch; 0: it meets for each */
    uint32_t window;     /* GR_WINDOW or a wider one; never GR_ANY */
    uint32_t windows;    /* 0: every program fits a window */
    uint32_t jumps;      /* over doubles: what goes by a jump table (tuner.h) */
    uint32_t keeps;      /* 1: outputs on training cases are kept for selection; never GR_ANY */
    uint8_t uses[GR_OP_COUNT];
} gr_machine;

/* How an instruction of linear.h becomes a handler of the machine: handler + level (the stack
 * values below the result) + number of the input in registers x step. Handler 0 ends a program, so
 * an unused entry is 0. */
enum { GR_BY_ORDER = 255, GR_BY_PAIR = 254 };
typedef struct __attribute__((aligned(8))) gr_translation { /* the device reads it as 8 bytes */
    uint16_t handler;
    uint8_t levels; /* that have a handler of their own; deeper ones share the last */
    uint8_t step;   /* for the instruction's own input; GR_BY_ORDER: three operands, see linear.h;
                       GR_BY_PAIR: the operand has the numbers of two inputs, the left one below */
    uint8_t load_step; /* for the input of the load it is fused with; of a pair: 1 if that is the
                          left one */
} gr_translation;

enum { GR_DIRECT_HANDLERS = 2048 }; /* a machine with more goes by the table */
typedef struct gr_code {
    uint32_t handlers;
    gr_translation single[GR_HANDLER_COUNT];
    /* A load followed by an operation that uses it, as one: [operation][0: input, 1: constant]. */
    gr_translation fused[GR_HANDLER_COUNT][2];
    uint32_t jump[GR_DIRECT_HANDLERS]; /* what a machine with `direct` jumps by, of a handler */
} gr_code;

/* Instructions of a program that a warp holds in shared memory at a time, or where programs are
 * long, and its buffer: one ends them. */
enum { GR_WINDOW = 128, GR_WIDE_WINDOW = 208, GR_WIDEST_WINDOW = 256 };
#define GR_BUFFER_OF(window) ((window) + 2u)
enum { GR_BUFFER = GR_WINDOW + 2 };
/* Programs that a warp draws at a time, at most, and the most instructions of one that comes to the
 * buffer together with others. */
enum { GR_DRAWN_TOGETHER = 8, GR_SHORT = 31 };
/* Warps that share a program when programs are too few to fill the device. */
enum { GR_GROUP_WARPS = 4 };
/* Parts of a multiprocessor, each with a scheduler and a cache of instructions of its own: warp w
 * is in part w % 4. Groups of a block that go abreast, all of a group in one part: each has a
 * barrier. */
enum { GR_SM_PARTS = 4, GR_ABREAST_GROUPS = 15 };

/* The module for a machine, zero-terminated PTX with one kernel, and its translation table. NULL
 * without memory; the caller frees it. */
char *gr_interpreter_ptx(const gr_machine *machine, gr_code *code);
/* Handlers' numbers to code->jump: by the table. */
static inline void gr_number_jumps(gr_code *code) {
    for (uint32_t k = 0; k < GR_DIRECT_HANDLERS; k++)
        code->jump[k] = k;
}
/* Name of the kernel in every such module. */
#define GR_INTERPRETER_KERNEL "gr_evaluate"

#ifdef __cplusplus
}
#endif

#endif
