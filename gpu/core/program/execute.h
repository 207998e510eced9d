/* A linear program on one case, or some: what the interpreters do for many at a time. For the few
 * programs that are looked at while a generation is selected. */
#ifndef GR_EXECUTE_H
#define GR_EXECUTE_H

#include "gpu/core/program/evaluate.h"

GR_FN float gr_input_here(const gr_params *p, uint32_t operand, const float *tile) {
    return p->weighted ? gr_weight_of(p->index_mask, operand) *
                             tile[(size_t)(operand & p->index_mask) * GR_CHUNK]
                       : tile[operand / 4];
}

enum { GR_CASES_TOGETHER = 4 };

/* op on n cases at a time, which is a constant; to where there is no such op as they are. */
GR_FN void gr_apply_to_some(uint32_t op, uint32_t n, const float *x, const float *y, const float *z,
                            float *to) {
    switch (op) {
#define GR_EACH(id, value, third)                                                                  \
    case GR_##id:                                                                                  \
        GR_TURNS_AT_ONCE(4)                                                                        \
        for (uint32_t k = 0; k < n; k++) {                                                         \
            float a = x[k], b = y[k];                                                              \
            uint32_t u = gr_float_bits(a), v = gr_float_bits(b);                                   \
            (void)u, (void)v;                                                                      \
            third to[k] = value;                                                                   \
        }                                                                                          \
        break;
#define GR_OP1(id, names, class, exact, fast) GR_EACH(id, exact, )
#define GR_OP2(id, names, symbol, class, exact, fast) GR_EACH(id, exact, )
#define GR_OP3(id, names, class, exact, fast) GR_EACH(id, exact, float c = z[k];)
#define GR_WORD1(id, names, symbol, expression) GR_EACH(id, gr_bits_float(expression), )
#define GR_WORD2C(id, names, symbol, expression) GR_EACH(id, gr_bits_float(expression), )
#include "gpu/core/base/ops.def"
#undef GR_EACH
    default:
        break;
    }
}

/* Outputs on n cases, a constant. `tile` is the first one's column of a chunk, input k standing
 * GR_CHUNK * k floats on, and the next is `apart` columns behind it; or, where `scattered` is no
 * literal NULL, those [n] are their columns. stack: [GR_MAX_STACK_LEVELS + 2][n]. */
GR_FN void gr_execute_some(const gr_params *p, const gr_instruction *program, uint32_t length,
                           const float *tile, uint32_t apart, const float *const *scattered,
                           uint32_t n, float *stack, float *acc) {
    float a[GR_CASES_TOGETHER], b[GR_CASES_TOGETHER], c[GR_CASES_TOGETHER];
#define GR_CASES GR_TURNS_AT_ONCE(4) for (uint32_t k = 0; k < n; k++)
    GR_CASES acc[k] = a[k] = b[k] = c[k] = 0.0f;
    for (uint32_t pc = 0; pc < length; pc++) {
        gr_instruction in = program[pc];
        float *level = stack + GR_STACK_LEVEL(in) * n;
        float constant = gr_bits_float(in.operand);
        uint32_t op = GR_OP_COUNT;
#define GR_INPUT_HERE gr_input_here(p, in.operand, scattered ? scattered[k] : tile + k * apart)
        switch (GR_HANDLER(in)) {
        case GR_H_PUSH_LOAD_INPUT:
            GR_CASES level[k] = acc[k], acc[k] = GR_INPUT_HERE;
            continue;
        case GR_H_PUSH_LOAD_CONSTANT:
            GR_CASES level[k] = acc[k], acc[k] = constant;
            continue;
        case GR_H_LOAD_INPUT:
            GR_CASES acc[k] = GR_INPUT_HERE;
            continue;
        case GR_H_LOAD_CONSTANT:
            GR_CASES acc[k] = constant;
            continue;
#define GR_FORM(id, form, left, right)                                                             \
    case GR_H_##id##_##form:                                                                       \
        op = GR_##id;                                                                              \
        GR_CASES a[k] = left, b[k] = right;                                                        \
        break;
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_H_##id:                                                                                \
        op = GR_##id;                                                                              \
        GR_CASES a[k] = acc[k];                                                                    \
        break;
#define GR_OP2C(id, names, symbol, class, exact, fast)                                             \
    GR_FORM(id, AI, acc[k], GR_INPUT_HERE)                                                         \
    GR_FORM(id, AC, acc[k], constant)                                                              \
    GR_FORM(id, SA, level[k], acc[k])
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_OP2C(id, names, symbol, class, exact, fast)                                                 \
    GR_FORM(id, IA, GR_INPUT_HERE, acc[k])                                                         \
    GR_FORM(id, CA, constant, acc[k])                                                              \
    GR_FORM(id, AS, acc[k], level[k])
#define GR_OP3(id, names, class, exact, fast)                                                      \
    case GR_H_##id##_SSA:                                                                          \
        op = GR_##id;                                                                              \
        GR_CASES {                                                                                 \
            const float from[3] = {level[k], level[n + k], acc[k]};                                \
            a[k] = from[GR_WHERE(in.operand, 0)];                                                  \
            b[k] = from[GR_WHERE(in.operand, 1)];                                                  \
            c[k] = from[GR_WHERE(in.operand, 2)];                                                  \
        }                                                                                          \
        break;
#define GR_WORD1(id, names, symbol, expression) GR_OP1(id, names, 0, 0, 0)
#define GR_WORD2C(id, names, symbol, expression) GR_OP2C(id, names, symbol, 0, 0, 0)
#include "gpu/core/base/ops.def"
#undef GR_FORM
#undef GR_INPUT_HERE
        default:
            break;
        }
        gr_apply_to_some(op, n, a, b, c, acc);
    }
#undef GR_CASES
}

/* Its output on one case. */
GR_CALL float gr_execute(const gr_params *p, const gr_instruction *program, uint32_t length,
                         const float *tile) {
    float stack[GR_MAX_STACK_LEVELS + 2], output;
    gr_execute_some(p, program, length, tile, 0, NULL, 1, stack, &output);
    return output;
}

/* Its outputs on GR_CASES_TOGETHER cases, a look at an instruction serving all of them: where they
 * stand `apart` columns, and wherever they stand. */
GR_CALL void gr_execute_together(const gr_params *p, const gr_instruction *program, uint32_t length,
                                 const float *tile, uint32_t apart, float *output) {
    float stack[(GR_MAX_STACK_LEVELS + 2) * GR_CASES_TOGETHER], acc[GR_CASES_TOGETHER];
    gr_execute_some(p, program, length, tile, apart, NULL, GR_CASES_TOGETHER, stack, acc);
    for (uint32_t k = 0; k < GR_CASES_TOGETHER; k++)
        output[k] = acc[k];
}
GR_CALL void gr_execute_scattered(const gr_params *p, const gr_instruction *program,
                                  uint32_t length, const float *const *tile, float *output) {
    const float *at[GR_CASES_TOGETHER]; /* in registers */
    float stack[(GR_MAX_STACK_LEVELS + 2) * GR_CASES_TOGETHER], acc[GR_CASES_TOGETHER];
    for (uint32_t k = 0; k < GR_CASES_TOGETHER; k++)
        at[k] = tile[k];
    gr_execute_some(p, program, length, NULL, 0, at, GR_CASES_TOGETHER, stack, acc);
    for (uint32_t k = 0; k < GR_CASES_TOGETHER; k++)
        output[k] = acc[k];
}

#endif
