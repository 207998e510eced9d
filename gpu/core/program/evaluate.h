/* Reference evaluation: operations one value at a time, as ops.def has them. The interpreters are
 * held to it. */
#ifndef GR_EVALUATE_H
#define GR_EVALUATE_H

#include "gpu/core/base/math.h"
#include "gpu/core/program/linear.h"

/* op(a, b, c) in exact arithmetic; operands beyond its arity are ignored. Words travel as the bits
 * of floats. */
GR_FN float gr_apply(uint32_t op, float a, float b, float c) {
    uint32_t u = gr_float_bits(a), v = gr_float_bits(b);
    (void)u, (void)v, (void)c;
    switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        return exact;
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    case GR_##id:                                                                                  \
        return exact;
#define GR_OP3(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        return exact;
#define GR_WORD1(id, names, symbol, expression)                                                    \
    case GR_##id:                                                                                  \
        return gr_bits_float(expression);
#define GR_WORD2C(id, names, symbol, expression)                                                   \
    case GR_##id:                                                                                  \
        return gr_bits_float(expression);
#include "gpu/core/base/ops.def"
    default:
        return 0.0f;
    }
}

/* What an operation gives for the operands a[0 .. arity); `node` is its position in the tree. */
typedef float gr_operation(const void *context, uint32_t node, uint32_t op, const float *a);

GR_FN float gr_apply_exactly(const void *context, uint32_t node, uint32_t op, const float *a) {
    uint32_t arity = gr_arity(op);
    (void)context, (void)node;
    return gr_apply(op, a[0], arity > 1 ? a[1] : 0.0f, arity > 2 ? a[2] : 0.0f);
}

/* A tree on one case: x[k] is input k; stack: at least one value a leaf. */
GR_FN float gr_evaluate_with(gr_operation *operation, const void *context, const gr_node *nodes,
                             uint32_t count, const float *x, float *stack) {
    uint32_t top = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]), arity = gr_arity(op);
        if (op <= GR_INPUT) {
            stack[top++] = op == GR_INPUT ? x[nodes[i].operand] : gr_bits_float(nodes[i].operand);
            continue;
        }
        float result = operation(context, i, op, stack + top - arity);
        top -= arity - 1;
        stack[top - 1] = result;
    }
    return stack[0];
}
GR_FN float gr_evaluate_case(const gr_node *nodes, uint32_t count, const float *x, float *stack) {
    return gr_evaluate_with(gr_apply_exactly, NULL, nodes, count, x, stack);
}

#endif
