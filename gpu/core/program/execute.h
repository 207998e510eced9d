/* A linear program on one case: what the interpreters do for many at a time. For the few programs
 * that are looked at while a generation is selected. */
#ifndef GR_EXECUTE_H
#define GR_EXECUTE_H

#include "gpu/core/program/evaluate.h"

GR_FN float gr_input_here(const gr_params *p, uint32_t operand, const float *tile) {
    return p->weighted ? gr_weight_of(p->index_mask, operand) *
                             tile[(size_t)(operand & p->index_mask) * GR_CHUNK]
                       : tile[operand / 4];
}

/* Its output; `tile` is the case's column of a chunk: input k stands GR_CHUNK * k floats on. */
GR_CALL float gr_execute(const gr_params *p, const gr_instruction *program, uint32_t length,
                         const float *tile) {
    float acc = 0.0f, stack[GR_MAX_STACK_LEVELS + 2];
    for (uint32_t pc = 0; pc < length; pc++) {
        gr_instruction in = program[pc];
        uint32_t level = GR_STACK_LEVEL(in);
        float constant = gr_bits_float(in.operand), a = acc, b = 0.0f, c = 0.0f;
        uint32_t op = GR_OP_COUNT;
#define GR_INPUT_HERE gr_input_here(p, in.operand, tile)
        switch (GR_HANDLER(in)) {
        case GR_H_PUSH_LOAD_INPUT:
            stack[level] = acc;
            acc = GR_INPUT_HERE;
            continue;
        case GR_H_PUSH_LOAD_CONSTANT:
            stack[level] = acc;
            acc = constant;
            continue;
        case GR_H_LOAD_INPUT:
            acc = GR_INPUT_HERE;
            continue;
        case GR_H_LOAD_CONSTANT:
            acc = constant;
            continue;
#define GR_FORM(id, form, left, right)                                                             \
    case GR_H_##id##_##form:                                                                       \
        op = GR_##id, a = left, b = right;                                                         \
        break;
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_H_##id:                                                                                \
        op = GR_##id;                                                                              \
        break;
#define GR_OP2C(id, names, symbol, class, exact, fast)                                             \
    GR_FORM(id, AI, acc, GR_INPUT_HERE)                                                            \
    GR_FORM(id, AC, acc, constant)                                                                 \
    GR_FORM(id, SA, stack[level], acc)
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_OP2C(id, names, symbol, class, exact, fast)                                                 \
    GR_FORM(id, IA, GR_INPUT_HERE, acc)                                                            \
    GR_FORM(id, CA, constant, acc)                                                                 \
    GR_FORM(id, AS, acc, stack[level])
#define GR_OP3(id, names, class, exact, fast)                                                      \
    case GR_H_##id##_SSA: {                                                                        \
        const float from[3] = {stack[level], stack[level + 1], acc};                               \
        op = GR_##id, a = from[GR_WHERE(in.operand, 0)], b = from[GR_WHERE(in.operand, 1)],        \
        c = from[GR_WHERE(in.operand, 2)];                                                         \
        break;                                                                                     \
    }
#define GR_WORD1(id, names, symbol, expression) GR_OP1(id, names, 0, 0, 0)
#define GR_WORD2C(id, names, symbol, expression) GR_OP2C(id, names, symbol, 0, 0, 0)
#include "gpu/core/base/ops.def"
#undef GR_FORM
#undef GR_INPUT_HERE
        default:
            break;
        }
        acc = gr_apply(op, a, b, c);
    }
    return acc;
}

#endif
