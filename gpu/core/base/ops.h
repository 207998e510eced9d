/* Operation numbers, arities and instruction handlers, all generated from ops.def. */
#ifndef GR_OPS_H
#define GR_OPS_H

#include "gpu/core/base/portable.h"

/* Operation of a tree node. The two leaves come first. */
typedef enum gr_op {
    GR_CONSTANT, /* leaf; operand = the float's bits (packed problems: the word) */
    GR_INPUT,    /* leaf; operand = index of the input */
#define GR_OP1(id, names, class, exact, fast) GR_##id,
#define GR_OP2(id, names, symbol, class, exact, fast) GR_##id,
#define GR_OP3(id, names, class, exact, fast) GR_##id,
#define GR_WORD1(id, names, symbol, expression) GR_##id,
#define GR_WORD2C(id, names, symbol, expression) GR_##id,
#include "gpu/core/base/ops.def"
    GR_OP_COUNT
} gr_op;

/* How an instruction of the accumulator machine finds its operands. */
typedef enum gr_handler {
    GR_H_LOAD_INPUT,         /* acc <- input                          */
    GR_H_LOAD_CONSTANT,      /* acc <- constant                       */
    GR_H_PUSH_LOAD_INPUT,    /* stack[level] <- acc; acc <- input      */
    GR_H_PUSH_LOAD_CONSTANT, /* stack[level] <- acc; acc <- constant   */
/* one operand: acc <- f(acc) */
#define GR_OP1(id, names, class, exact, fast) GR_H_##id,
#define GR_WORD1(id, names, symbol, expression) GR_H_##id,
/* two operands: I input, C constant, A accumulator, S stack; left operand first */
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_H_##id##_AI, GR_H_##id##_AC, GR_H_##id##_SA, GR_H_##id##_IA, GR_H_##id##_CA, GR_H_##id##_AS,
/* commutative: the first three serve both orders */
#define GR_OP2C(id, names, symbol, class, exact, fast)                                             \
    GR_H_##id##_AI, GR_H_##id##_AC, GR_H_##id##_SA,
#define GR_WORD2C(id, names, symbol, expression) GR_H_##id##_AI, GR_H_##id##_AC, GR_H_##id##_SA,
/* three operands: two from the stack and acc; the operand word says which is which, see linear.h */
#define GR_OP3(id, names, class, exact, fast) GR_H_##id##_SSA,
#include "gpu/core/base/ops.def"
    GR_HANDLER_COUNT
} gr_handler;

/* What compiling a node asks about its operation, a word each: the first handler, the arity and
 * whether the operation is commutative. */
#define GR_OP_FACTS(handler, arity, commutative)                                                   \
    ((uint32_t)(handler) | (uint32_t)(arity) << 16 | (uint32_t)(commutative) << 24)
#define GR_FACTS_HANDLER(facts) ((facts)&0xffffu)
#define GR_FACTS_ARITY(facts) ((facts) >> 16 & 0xffu)
#define GR_FACTS_COMMUTES(facts) ((facts) >> 24)
GR_FN uint32_t gr_op_facts(uint32_t op) {
    GR_CONST uint32_t facts[GR_OP_COUNT] = {
        GR_OP_FACTS(GR_H_LOAD_CONSTANT, 0, 0),
        GR_OP_FACTS(GR_H_LOAD_INPUT, 0, 0),
#define GR_OP1(id, names, class, exact, fast) GR_OP_FACTS(GR_H_##id, 1, 0),
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP_FACTS(GR_H_##id##_AI, 2, 0),
#define GR_OP2C(id, names, symbol, class, exact, fast) GR_OP_FACTS(GR_H_##id##_AI, 2, 1),
#define GR_OP3(id, names, class, exact, fast) GR_OP_FACTS(GR_H_##id##_SSA, 3, 0),
#define GR_WORD1(id, names, symbol, expression) GR_OP_FACTS(GR_H_##id, 1, 0),
#define GR_WORD2C(id, names, symbol, expression) GR_OP_FACTS(GR_H_##id##_AI, 2, 1),
#include "gpu/core/base/ops.def"
    };
    return facts[op];
}
GR_FN uint32_t gr_arity(uint32_t op) {
    return GR_FACTS_ARITY(gr_op_facts(op));
}
/* First handler of an operation; the others follow in the order of gr_handler. */
GR_FN uint32_t gr_first_handler(uint32_t op) {
    return GR_FACTS_HANDLER(gr_op_facts(op));
}
GR_FN uint32_t gr_is_commutative(uint32_t op) {
    return GR_FACTS_COMMUTES(gr_op_facts(op));
}

/* Operations that no program is made of alone: they stand for argmax(a, b, ...) and
 * targets(a, b, ...), of at most so many operands. */
enum { GR_MOST_RANKED = 32 };
GR_FN uint32_t gr_is_ranking(uint32_t op) {
    return op >= GR_ARGMAX_LAST && op <= GR_TARGETS;
}

/* The part of targets(a, b, ...) that stands for an output is TARGETS_SQUARE or TARGETS_DISTANCE;
 * the operation that ends it. */
GR_FN uint32_t gr_targets_end(uint32_t part) {
    return part == GR_TARGETS_SQUARE ? GR_TARGETS : GR_TARGETS_SUM;
}

/* Whether an operation works on 32 Boolean cases in a word. */
GR_FN uint32_t gr_is_word(uint32_t op) {
    switch (op) {
#define GR_WORD1(id, names, symbol, expression) case GR_##id:
#define GR_WORD2C(id, names, symbol, expression) case GR_##id:
#include "gpu/core/base/ops.def"
        return 1;
    }
    return 0;
}

/* How costly a step is. CHEAP operations are the same in `math: fast` and `math: exact`. */
enum { GR_CHEAP, GR_DIVIDE, GR_SPECIAL };
GR_FN uint32_t gr_cost_class(uint32_t op) {
    GR_CONST uint8_t cost[GR_OP_COUNT] = {
        GR_CHEAP,
        GR_CHEAP,
#define GR_OP1(id, names, class, exact, fast) GR_##class,
#define GR_OP2(id, names, symbol, class, exact, fast) GR_##class,
#define GR_OP3(id, names, class, exact, fast) GR_##class,
#define GR_WORD1(id, names, symbol, expression) GR_CHEAP,
#define GR_WORD2C(id, names, symbol, expression) GR_CHEAP,
#include "gpu/core/base/ops.def"
    };
    return cost[op];
}

#endif
