#include "tests/gpu/support/operations_double.h"

#include "gpu/core/program/evaluate.h"

#include "gpu/core/base/ops_double.h"

void reference_apply_double(uint32_t op, const double *x, const double *y, const double *z,
                            double *out, uint32_t n) {
#pragma omp parallel for
    for (uint32_t i = 0; i < n; i++) {
        double a = x[i], b = y[i], c = z[i];
        (void)b, (void)c;
        switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        out[i] = exact;                                                                            \
        break;
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_OP3(id, names, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#include "gpu/core/base/ops.def"
        default:
            out[i] = 0.0;
        }
    }
}

static uint32_t unary_program(uint32_t handler, int place, gr_instruction *program) {
    enum { FRONT = 0, BEHIND = GR_INPUT_BYTES };
    uint32_t n = 0, level = (uint32_t)(place - REFERENCE_AT_LEVEL);
    program[n++] = (gr_instruction){GR_H_LOAD_INPUT, FRONT};
    if (place == REFERENCE_AT_KEPT) {
        program[n++] = (gr_instruction){GR_H_MUL_AI, BEHIND};
        program[n++] = (gr_instruction){GR_H_LOAD_INPUT, FRONT};
    }
    for (uint32_t l = 0; place > REFERENCE_AT_LEVEL && l < level; l++)
        program[n++] = (gr_instruction){GR_H_PUSH_LOAD_INPUT | l << 16, FRONT};
    program[n++] = (gr_instruction){handler, 0};
    if (place == REFERENCE_AT_KEPT)
        program[n++] = (gr_instruction){GR_H_ADD_AI, BEHIND};
    if (place < REFERENCE_AT_LEVEL)
        return n;
    program[n++] = (gr_instruction){GR_H_PUSH_LOAD_INPUT | level << 16, BEHIND};
    program[n++] = (gr_instruction){handler, 0};
    program[n++] = (gr_instruction){(gr_first_handler(GR_ADD) + 2) | level << 16, 0};

    return n;
}

uint32_t reference_program_double(uint32_t op, int place, int left, gr_instruction *program) {
    enum { FRONT = 0, BEHIND = GR_INPUT_BYTES };
    uint32_t n = 0, first = gr_first_handler(op), swaps = !gr_is_commutative(op);
    if (gr_arity(op) == 1)
        return unary_program(first, place, program);
    uint32_t beside = left ? FRONT : BEHIND, in_acc = left ? BEHIND : FRONT;
    uint32_t level = place < REFERENCE_AT_LEVEL ? 0 : (uint32_t)(place - REFERENCE_AT_LEVEL);
    int on_stack = place >= REFERENCE_AT_LEVEL;
    program[n++] = (gr_instruction){GR_H_LOAD_INPUT, on_stack && level == 0 ? beside : in_acc};
    if (place == REFERENCE_AT_KEPT) { /* kept by an operation whose result is not used */
        program[n++] = (gr_instruction){GR_H_MUL_AI, beside};
        program[n++] = (gr_instruction){GR_H_LOAD_INPUT, in_acc};
    }
    if (!on_stack) {
        program[n++] = (gr_instruction){first + (left && swaps ? 3 : 0), beside};
        return n;
    }
    for (uint32_t l = 0; l < level; l++)
        program[n++] =
            (gr_instruction){GR_H_PUSH_LOAD_INPUT | l << 16, l + 1 < level ? in_acc : beside};
    program[n++] = (gr_instruction){GR_H_PUSH_LOAD_INPUT | level << 16, in_acc};
    program[n++] = (gr_instruction){(first + (left || !swaps ? 2 : 5)) | level << 16, 0};
    return n;
}
