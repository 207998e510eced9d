/* What the parts of the ladder share. The ladder runs the interpreters of the literature and ours
 * on the same programs, cases and card. */
#ifndef LADDER_H
#define LADDER_H

#include "gpu/backend/error.h"
#include "gpu/core/program/node.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Function set of a problem, for which its interpreters are compiled. */
typedef enum ladder_set {
    LADDER_SEXTIC,
    LADDER_SHUTTLE,
    LADDER_KDDCUP,
    LADDER_MULTIPLEXER,
    LADDER_MACKEY,
    LADDER_REGRESSION,     /* GPOCL's */
    LADDER_CLASSIFICATION, /* GPOCL's */
    LADDER_SETS
} ladder_set;

/* How a strategy spreads programs and cases over the card. */
typedef enum ladder_family {
    LADDER_LANGDON, /* a thread a program; every operation is offered to every thread */
    LADDER_ROTATED, /* the same as he has it: a stack that is rotated, all programs as long */
    LADDER_FITNESS, /* GPOCL: one program at a time, a thread a case */
    LADDER_ELEMENT, /* GPOCL: a thread a program */
    LADDER_UNIT,    /* GPOCL: a block a program, of the largest size there is */
    LADDER_RPN,     /* BlockGP: a block a program; reverse Polish notation */
    LADDER_LINEAR   /* the same; Chitty's linear form */
} ladder_family;

typedef enum ladder_strategy_id {
#define LADDER_STRATEGY(id, name, title, family, k, vector, registers, ...) LADDER_##id,
#include "tools/ladder/strategy.def"
    LADDER_STRATEGIES
} ladder_strategy_id;

/* Rows of tables beside the strategies of the papers' cards. */
enum {
    LADDER_OURS = LADDER_STRATEGIES,
    LADDER_OURS_RUN,
    LADDER_CPU_SEQUENTIAL, /* GPOCL's, in its grid alone */
    LADDER_CPU_PARALLEL,
    LADDER_ROWS
};

typedef struct ladder_strategy {
    const char *name, *title;
    ladder_family family;
    int native;                /* GPOCL's native functions: not the reference's bits */
    double paper[LADDER_SETS]; /* GPop/s in units of 10^9; 0: none */
    const char *card;
} ladder_strategy;
extern const ladder_strategy ladder_strategies[LADDER_STRATEGIES];

/* Words of programs beside the operations of gr_op. */
enum {
    LADDER_STACK = 2,  /* kind of an operand, beside GR_CONSTANT and GR_INPUT */
    LADDER_COPY = 254, /* linear: a function of one operand, for programs without a function */
    LADDER_END = 255
};

/* The program that Langdon's overhead is measured with (2007, section 6.2, has one of 13 nodes and
 * does not say which): D1 + 1.07 D2 (D1 - D2) + 0.01 D4, in postfix order. */
#define LADDER_COPIED(input, constant, operation)                                                  \
    input(7) constant(1.07f) input(6) operation(MUL) input(7) input(6) operation(SUB)              \
        operation(MUL) operation(ADD) input(5) constant(0.01f) operation(MUL) operation(ADD)

/* Programs as an interpreter finds them: words[first[i]] .. LADDER_END; those of LADDER_LANGDON as
 * [longest][programs] pairs of (operation | arity << 8, operand), no-operations behind the end. */
typedef struct ladder_code {
    uint32_t *words, *first;
    size_t count;     /* of words */
    uint32_t longest; /* words of the longest program, its end included; LANGDON: pairs */
} ladder_code;

/* The programs of one comparison, as trees. */
typedef struct ladder_population {
    const char *name;
    uint32_t programs, max_nodes;
    gr_node *nodes;   /* [programs][max_nodes] */
    uint32_t *length; /* [programs] */
    uint64_t total;   /* nodes of all */
} ladder_population;

/* Fitness cases (words of 32 when packed) in columns. */
typedef struct ladder_columns {
    float *at; /* [inputs + 1][stride], the target last, zeros behind the last case */
    uint32_t inputs, cases, stride;
} ladder_columns;

enum {
    LADDER_NO_PREFERENCE = 101,
    LADDER_PADDED = 64,     /* Langdon's programs are padded to a limit of at most so many nodes */
    LADDER_PADDING = 8192,  /* cases that a pass may read beyond the last */
    LADDER_MAX_SLICES = 512 /* parts the cases of a program are run in */
};

typedef struct ladder_card {
    char name[128];
    uint32_t units; /* multiprocessors */
} ladder_card;

/* How a strategy is launched, and on how many of the cases, from the first. */
typedef struct ladder_launch {
    uint32_t strategy, threads, slices, cases;
    int sample;      /* on the sample instead of all cases, outputs wanted */
    uint32_t shared; /* percent of the on-chip memory preferred as shared; LADDER_NO_PREFERENCE */
} ladder_launch;

struct gr_params;
typedef struct ladder_device ladder_device;

gr_status ladder_device_open(ladder_set set, const struct gr_params *params,
                             const ladder_columns *all, const ladder_columns *sample,
                             ladder_card *card, ladder_device **device, gr_error *error);
/* Programs in the three codes; memory for their results. */
gr_status ladder_device_load(ladder_device *device, uint32_t programs, const ladder_code *rpn,
                             const ladder_code *linear, const ladder_code *langdon,
                             gr_error *error);
/* Runs `repeats` times, the L2 cache overwritten before each. seconds[repeats]; sums[programs] of
 * the last and, on the sample, outputs[programs][cases]. */
gr_status ladder_device_run(ladder_device *device, const ladder_launch *launch, uint32_t repeats,
                            double *seconds, double *sums, float *outputs, gr_error *error);
/* Of the programs loaded only the first `programs` are run from now on. */
void ladder_device_limit(ladder_device *device, uint32_t programs);
/* Seconds that the programs in reverse Polish notation take to the card, and their sums back. */
gr_status ladder_device_transfer(ladder_device *device, const ladder_code *rpn, double *seconds,
                                 gr_error *error);
void ladder_device_close(ladder_device *device);

#ifdef __cplusplus
}
#endif

#endif
