/* The interpreter, of floats and of doubles: what includes it has defined GR_REAL, the type of a
 * value, and GR_WIDTH, how many cases a register holds, which takes as many bytes for both; where
 * values are floats GR_WITH_WORDS, since packed problems keep words in their registers. */

/* The lanes that loops go over: all of them, which suits vectors, or, where a sanitizer looks at
 * every one, those that are cases, `valid` of them. What is in the others counts nothing, but they
 * are read: GR_THERE lets the sanitizer see that memory goes on to the last. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define GR_USED valid
#define GR_THERE(lanes) (void)*(const volatile GR_REAL *)((lanes) + GR_WIDTH - 1)
#else
#define GR_USED GR_WIDTH
#define GR_THERE(lanes) (void)0
#endif
/* Registers never overlap but for being the same. */
#define GR_LOOP GR_INDEPENDENT for (int i = 0; i < GR_USED; i++)

static inline GR_REAL *level_of(gr_cpu_registers *registers, uint32_t level) {
    return (GR_REAL *)registers->level[level];
}

/* The input an instruction names: its operand is an offset in bytes. With weights it has the index
 * and the weight, and the product is written to `out`. */
#define GR_INPUT_TO(in, out) input_of(in, tile, registers, valid, out)
#define GR_INPUT_OF(in) GR_INPUT_TO(in, (GR_REAL *)registers->weighted)
static inline const GR_REAL *input_of(gr_instruction in, const GR_REAL *tile,
                                      const gr_cpu_registers *registers, int valid, GR_REAL *out) {
    (void)valid;
    const GR_REAL *x = registers->weights
                           ? tile + (size_t)(in.operand & registers->index_mask) * GR_CHUNK
                           : tile + in.operand / sizeof(float);
    GR_THERE(x);
    if (!registers->weights)
        return x;
    GR_REAL weight = (GR_REAL)gr_weight_of(registers->index_mask, in.operand);
    GR_LOOP out[i] = weight * x[i];
    return out;
}

/* Runs the program on GR_WIDTH cases whose first stands at `tile`, `valid` of them cases that there
 * are. The accumulator of stack level s lives in level[s], so pushing is a change of level and no
 * copy; a load only points at the input. */
static const GR_REAL *run_program(const gr_instruction *program, uint32_t length,
                                  const GR_REAL *tile, int valid, gr_cpu_registers *registers) {
    (void)valid;
    const GR_REAL *acc = level_of(registers, 0), *stack[GR_MAX_STACK_LEVELS + 2];
    uint32_t level = 0;
    for (uint32_t pc = 0; pc < length; pc++) {
        gr_instruction in = program[pc];
        uint32_t handler = GR_HANDLER(in), stack_level = GR_STACK_LEVEL(in);
        GR_REAL constant = (GR_REAL)gr_bits_float(in.operand);
        GR_REAL *out = level_of(registers, level);
        switch (handler) {
        case GR_H_PUSH_LOAD_INPUT:
        case GR_H_PUSH_LOAD_CONSTANT:
            stack[stack_level] = acc;
            level = stack_level + 1;
            out = level_of(registers, level);
            if (handler == GR_H_PUSH_LOAD_INPUT) {
                acc = GR_INPUT_TO(in, out);
                break;
            }
            GR_LOOP out[i] = constant;
            acc = out;
            break;
        case GR_H_LOAD_INPUT:
            acc = GR_INPUT_TO(in, out);
            break;
        case GR_H_LOAD_CONSTANT:
            GR_LOOP out[i] = constant;
            acc = out;
            break;
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_H_##id:                                                                                \
        GR_LOOP {                                                                                  \
            GR_REAL a = acc[i];                                                                    \
            out[i] = exact;                                                                        \
        }                                                                                          \
        acc = out;                                                                                 \
        break;
#define GR_OP1G(id, names, class, exact, fast, limit, common)                                      \
    case GR_H_##id: {                                                                              \
        int rare = 0;                                                                              \
        GR_LOOP {                                                                                  \
            GR_REAL a = acc[i];                                                                    \
            rare |= fabsf(a) > (limit);                                                            \
        }                                                                                          \
        if (rare)                                                                                  \
            for (int i = 0; i < GR_USED; i++) {                                                    \
                GR_REAL a = acc[i];                                                                \
                out[i] = exact;                                                                    \
            }                                                                                      \
        else                                                                                       \
            GR_LOOP {                                                                              \
                GR_REAL a = acc[i];                                                                \
                out[i] = common;                                                                   \
            }                                                                                      \
        acc = out;                                                                                 \
        break;                                                                                     \
    }
#define GR_TWO(left, right, exact)                                                                 \
    GR_LOOP {                                                                                      \
        GR_REAL a = left, b = right;                                                               \
        out[i] = exact;                                                                            \
    }                                                                                              \
    acc = out;
#define GR_POP                                                                                     \
    const GR_REAL *under = stack[stack_level];                                                     \
    level = stack_level;                                                                           \
    out = level_of(registers, level);
#define GR_OP2C(id, names, symbol, class, exact, fast)                                             \
    case GR_H_##id##_AI: {                                                                         \
        const GR_REAL *input = GR_INPUT_OF(in);                                                    \
        GR_TWO(acc[i], input[i], exact)                                                            \
        break;                                                                                     \
    }                                                                                              \
    case GR_H_##id##_AC:                                                                           \
        GR_TWO(acc[i], constant, exact)                                                            \
        break;                                                                                     \
    case GR_H_##id##_SA: {                                                                         \
        GR_POP GR_TWO(under[i], acc[i], exact) break;                                              \
    }
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_OP2C(id, names, symbol, class, exact, fast)                                                 \
    case GR_H_##id##_IA: {                                                                         \
        const GR_REAL *input = GR_INPUT_OF(in);                                                    \
        GR_TWO(input[i], acc[i], exact)                                                            \
        break;                                                                                     \
    }                                                                                              \
    case GR_H_##id##_CA:                                                                           \
        GR_TWO(constant, acc[i], exact)                                                            \
        break;                                                                                     \
    case GR_H_##id##_AS: {                                                                         \
        GR_POP GR_TWO(acc[i], under[i], exact) break;                                              \
    }
#define GR_OP3(id, names, class, exact, fast)                                                      \
    case GR_H_##id##_SSA: {                                                                        \
        const GR_REAL *from[3] = {stack[stack_level], stack[stack_level + 1], acc};                \
        const GR_REAL *pa = from[GR_WHERE(in.operand, 0)], *pb = from[GR_WHERE(in.operand, 1)];    \
        const GR_REAL *pc3 = from[GR_WHERE(in.operand, 2)];                                        \
        level = stack_level;                                                                       \
        out = level_of(registers, level);                                                          \
        GR_LOOP {                                                                                  \
            GR_REAL a = pa[i], b = pb[i], c = pc3[i];                                              \
            out[i] = exact;                                                                        \
        }                                                                                          \
        acc = out;                                                                                 \
        break;                                                                                     \
    }
#ifdef GR_WITH_WORDS
#define GR_WORD_TWO(left, right, expression)                                                       \
    GR_LOOP {                                                                                      \
        uint32_t u = left, v = right;                                                              \
        ((gr_word *)out)[i] = expression;                                                          \
    }                                                                                              \
    acc = out;
#define GR_WORD1(id, names, symbol, expression)                                                    \
    case GR_H_##id:                                                                                \
        GR_LOOP {                                                                                  \
            uint32_t u = ((const gr_word *)acc)[i];                                                \
            ((gr_word *)out)[i] = expression;                                                      \
        }                                                                                          \
        acc = out;                                                                                 \
        break;
#define GR_WORD2C(id, names, symbol, expression)                                                   \
    case GR_H_##id##_AI: {                                                                         \
        const GR_REAL *input = GR_INPUT_OF(in);                                                    \
        GR_WORD_TWO(((const gr_word *)acc)[i], ((const gr_word *)input)[i], expression)            \
        break;                                                                                     \
    }                                                                                              \
    case GR_H_##id##_AC:                                                                           \
        GR_WORD_TWO(((const gr_word *)acc)[i], in.operand, expression)                             \
        break;                                                                                     \
    case GR_H_##id##_SA: {                                                                         \
        GR_POP GR_WORD_TWO(((const gr_word *)under)[i], ((const gr_word *)acc)[i],                 \
                           expression) break;                                                      \
    }
#endif
#include "gpu/core/base/ops.def"
        default:
            break;
        }
    }
    return acc;
}
