/* The interpreters of the papers, compiled for one function set at a time: reverse Polish notation
 * and Chitty's linear form on a stack of K cases, and Langdon's, which offers every operation.
 * Operations are those of gpu/core/base/ops.def in exact arithmetic, so all strategies do the same
 * work and give the same bits. */
#ifndef LADDER_INTERPRETERS_CUH
#define LADDER_INTERPRETERS_CUH

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/program/evaluate.h"
#include "tools/ladder/launch.cuh"

#define LADDER_EACH _Pragma("unroll") for (int j = 0; j < K; j++)
/* GPOCL assembles its interpreter from the functions in use; the others' do so by hand. */
#define LADDER_CASE(id, ...)                                                                       \
    case GR_##id:                                                                                  \
        if constexpr (ladder_offers<SET>(GR_##id))                                                 \
            __VA_ARGS__ else __builtin_unreachable();                                              \
        break;

template <int SET> __host__ __device__ constexpr bool ladder_offers(uint32_t op) {
    bool word = op == GR_WAND || op == GR_WOR || op == GR_WNAND || op == GR_WNOR;
    bool basic = op == GR_ADD || op == GR_SUB || op == GR_MUL || op == GR_DIV;
    bool special = op == GR_SIN || op == GR_COS || op == GR_LOG || op == GR_EXP;
    bool logic =
        op == GR_LT || op == GR_GT || op == GR_EQ || op == GR_AND || op == GR_OR || op == GR_IF;
    return SET == LADDER_MULTIPLEXER  ? word
           : SET == LADDER_MACKEY     ? basic
           : SET == LADDER_REGRESSION ? basic || op == GR_NEG || op == GR_SIN || op == GR_COS
           : SET == LADDER_CLASSIFICATION
               ? op == GR_IF || op == GR_EQ || op == GR_LT || op == GR_GT || op == GR_AND ||
                     op == GR_OR || op == GR_NOT
           : SET == LADDER_SEXTIC  ? basic || special
           : SET == LADDER_SHUTTLE ? basic || logic
                                   : basic || logic || special;
}

/* Levels a program of depth 50 can take: a function of two operands adds one, IF two. GPOCL's have
 * 50 nodes and need no more than its footnote 7 says. */
template <int SET> __host__ __device__ constexpr int ladder_depth() {
    return SET == LADDER_REGRESSION       ? 26
           : SET == LADDER_CLASSIFICATION ? 35
           : ladder_offers<SET>(GR_IF)    ? 100
                                          : 51;
}

/* K cases side by side: an array, or Chitty's extended data types. */
template <int K, int VECTOR> struct ladder_wide {
    float v[K];
    __device__ __forceinline__ float &operator[](int j) { return v[j]; }
};
#define LADDER_VECTOR(k)                                                                           \
    template <> struct ladder_wide<k, 1> {                                                         \
        float##k v;                                                                                \
        __device__ __forceinline__ float &operator[](int j) { return (&v.x)[j]; }                  \
    };
LADDER_VECTOR(2)
LADDER_VECTOR(3)
LADDER_VECTOR(4)

/* Reverse Polish notation (Chitty's Listing 1; K = 1: BlockGP, GPOCL). at: the thread's first case
 * in the first column; its others stand `apart`, so that the threads of a warp read neighbours.
 * NATIVE: GPOCL's native functions. */
template <int SET, int K, bool NATIVE = false>
__device__ __forceinline__ void ladder_run_rpn(const uint32_t *program, const float *at,
                                               uint32_t stride, uint32_t apart,
                                               float (&stack)[ladder_depth<SET>()][K]) {
    int sp = 0;
    for (;;) {
        switch (*program++) {
        case LADDER_END:
            return;
        case GR_CONSTANT:
            LADDER_EACH stack[sp][j] = __uint_as_float(*program);
            program++;
            sp++;
            break;
        case GR_INPUT: {
            const float *from = at + (size_t)*program++ * stride;
            LADDER_EACH stack[sp][j] = from[j * apart];
            sp++;
            break;
        }
#define GR_OP1(id, names, class, exact, fast)                                                      \
    LADDER_CASE(id, {                                                                              \
        LADDER_EACH {                                                                              \
            float a = stack[sp - 1][j];                                                            \
            stack[sp - 1][j] = NATIVE ? fast : exact;                                              \
    }                                                                                              \
    })
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    LADDER_CASE(id, {                                                                              \
        sp--;                                                                                      \
        LADDER_EACH {                                                                              \
            float a = stack[sp - 1][j], b = stack[sp][j];                                          \
            stack[sp - 1][j] = NATIVE ? fast : exact;                                              \
        }                                                                                          \
    })
#define GR_OP3(id, names, class, exact, fast)                                                      \
    LADDER_CASE(id, {                                                                              \
        sp -= 2;                                                                                   \
        LADDER_EACH {                                                                              \
            float a = stack[sp - 1][j], b = stack[sp][j], c = stack[sp + 1][j];                    \
            stack[sp - 1][j] = NATIVE ? fast : exact;                                              \
        }                                                                                          \
    })
#define GR_WORD2C(id, names, symbol, expression)                                                   \
    LADDER_CASE(id, {                                                                              \
        sp--;                                                                                      \
        LADDER_EACH {                                                                              \
            uint32_t u = __float_as_uint(stack[sp - 1][j]), v = __float_as_uint(stack[sp][j]);     \
            stack[sp - 1][j] = __uint_as_float(expression);                                        \
        }                                                                                          \
    })
#include "gpu/core/base/ops.def"
        default:
            __builtin_unreachable();
        }
    }
}

/* The stack of the linear form: the first levels in registers, which only a switch can index
 * (Chitty's Listings 4 and 5), the others in local memory. The two are apart: together in one
 * object, the compiler would index all of it. */
template <int K, int VECTOR, int REGISTERS> struct ladder_stack {
    typedef ladder_wide<K, VECTOR> value;
    value &r0, &r1, &r2, &r3, *deep;

#define LADDER_LEVEL(level, action)                                                                \
    case level:                                                                                    \
        if constexpr (REGISTERS > level) {                                                         \
            action;                                                                                \
            break;                                                                                 \
        }                                                                                          \
        [[fallthrough]];
    __device__ __forceinline__ void get(int sp, value &x) {
        switch (REGISTERS ? sp : REGISTERS) {
            LADDER_LEVEL(0, x = r0)
            LADDER_LEVEL(1, x = r1)
            LADDER_LEVEL(2, x = r2)
            LADDER_LEVEL(3, x = r3)
        default:
            x = deep[sp];
        }
    }
    __device__ __forceinline__ void put(int sp, value x) {
        switch (REGISTERS ? sp : REGISTERS) {
            LADDER_LEVEL(0, r0 = x)
            LADDER_LEVEL(1, r1 = x)
            LADDER_LEVEL(2, r2 = x)
            LADDER_LEVEL(3, r3 = x)
        default:
            deep[sp] = x;
        }
    }
#undef LADDER_LEVEL
};

/* The linear form (Chitty's Listing 2): a function gathers its operands into registers, the last
 * first, and puts its result on the stack. */
template <int SET, int K, int VECTOR, int REGISTERS>
__device__ __forceinline__ void ladder_run_linear(const uint32_t *program, const float *at,
                                                  uint32_t stride, uint32_t apart,
                                                  ladder_wide<K, VECTOR> &output) {
    ladder_wide<K, VECTOR> x, y, z, r0, r1, r2, r3, deep[ladder_depth<SET>()];
    ladder_stack<K, VECTOR, REGISTERS> stack = {r0, r1, r2, r3, deep};
    int sp = 0;
    auto gather = [&](ladder_wide<K, VECTOR> &to) {
        uint32_t kind = *program++;
        if (kind == LADDER_STACK)
            stack.get(--sp, to);
        else if (kind == GR_INPUT) {
            const float *from = at + (size_t)*program++ * stride;
            LADDER_EACH to[j] = from[j * apart];
        } else {
            float constant = __uint_as_float(*program++);
            LADDER_EACH to[j] = constant;
        }
    };
    for (;;) {
        switch (*program++) {
        case LADDER_END:
            stack.get(0, output);
            return;
        case LADDER_COPY:
            gather(x);
            stack.put(sp++, x);
            break;
#define GR_OP1(id, names, class, exact, fast)                                                      \
    LADDER_CASE(id, {                                                                              \
        gather(x);                                                                                 \
        LADDER_EACH {                                                                              \
            float a = x[j];                                                                        \
            x[j] = exact;                                                                          \
        }                                                                                          \
        stack.put(sp++, x);                                                                        \
    })
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    LADDER_CASE(id, {                                                                              \
        gather(y);                                                                                 \
        gather(x);                                                                                 \
        LADDER_EACH {                                                                              \
            float a = x[j], b = y[j];                                                              \
            x[j] = exact;                                                                          \
        }                                                                                          \
        stack.put(sp++, x);                                                                        \
    })
#define GR_OP3(id, names, class, exact, fast)                                                      \
    LADDER_CASE(id, {                                                                              \
        gather(z);                                                                                 \
        gather(y);                                                                                 \
        gather(x);                                                                                 \
        LADDER_EACH {                                                                              \
            float a = x[j], b = y[j], c = z[j];                                                    \
            x[j] = exact;                                                                          \
        }                                                                                          \
        stack.put(sp++, x);                                                                        \
    })
#define GR_WORD2C(id, names, symbol, expression)                                                   \
    LADDER_CASE(id, {                                                                              \
        gather(y);                                                                                 \
        gather(x);                                                                                 \
        LADDER_EACH {                                                                              \
            uint32_t u = __float_as_uint(x[j]), v = __float_as_uint(y[j]);                         \
            x[j] = __uint_as_float(expression);                                                    \
        }                                                                                          \
        stack.put(sp++, x);                                                                        \
    })
#include "gpu/core/base/ops.def"
        default:
            __builtin_unreachable();
        }
    }
}

/* Langdon's SIMD interpreter: each turn computes every operation of the set for every thread, and
 * the program counter only selects the one result that is kept. A program that has ended takes
 * no-operations. code: [turns][programs], this thread's first. */
template <int SET>
__device__ __forceinline__ float ladder_run_langdon(const uint2 *code, uint32_t programs,
                                                    uint32_t turns, const float *at,
                                                    uint32_t stride) {
    float stack[ladder_depth<SET>() + 3];
    uint32_t sp = 0;
    stack[0] = 0.0f;
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint2 in = code[(size_t)turn * programs];
        uint32_t op = in.x & 0xffu, base = sp - (in.x >> 8);
        float a = stack[base], b = stack[base + 1], c = stack[base + 2];
        uint32_t u = __float_as_uint(a), v = __float_as_uint(b);
        float input = at[(size_t)(op == GR_INPUT ? in.y : 0) * stride];
        float result = op == GR_INPUT ? input : __uint_as_float(in.y);
        (void)b, (void)c, (void)u, (void)v;
#define GR_OP1(id, names, class, exact, fast)                                                      \
    if constexpr (ladder_offers<SET>(GR_##id)) {                                                   \
        float offered = exact;                                                                     \
        result = op == GR_##id ? offered : result;                                                 \
    }
#define GR_OP2(id, names, symbol, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_OP3(id, names, class, exact, fast) GR_OP1(id, names, class, exact, fast)
#define GR_WORD2C(id, names, symbol, expression)                                                   \
    if constexpr (ladder_offers<SET>(GR_##id)) {                                                   \
        float offered = __uint_as_float(expression);                                               \
        result = op == GR_##id ? offered : result;                                                 \
    }
#include "gpu/core/base/ops.def"
        if (op != LADDER_END) {
            stack[base] = result;
            sp = base + 1;
        }
    }
    return stack[0];
}

/* His interpreter as Figure 2 of 2007 has it, for functions of two operands: a stack of DEPTH
 * values in registers. A leaf is pushed in front of all others; a function's result takes the first
 * place and the rest move up. Every turn computes the leaf and the functions and keeps one. */
template <int SET, int DEPTH>
__device__ __forceinline__ float ladder_run_rotated(const uint2 *code, uint32_t programs,
                                                    uint32_t turns, const float *at,
                                                    uint32_t stride) {
    float stack[DEPTH];
#pragma unroll
    for (int k = 0; k < DEPTH; k++)
        stack[k] = 0.0f;
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint2 in = code[(size_t)turn * programs];
        uint32_t op = in.x & 0xffu;
        float input = at[(size_t)(op == GR_INPUT ? in.y : 0) * stride];
        float leaf = op == GR_INPUT ? input : __uint_as_float(in.y);
        float a = stack[1], b = stack[0], result = b;
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    if constexpr (ladder_offers<SET>(GR_##id)) {                                                   \
        float offered = exact;                                                                     \
        result = op == GR_##id ? offered : result;                                                 \
    }
#include "gpu/core/base/ops.def"
        bool push = op <= GR_INPUT, pop = !push && op != LADDER_END;
        float next[DEPTH];
        next[0] = push ? leaf : result;
#pragma unroll
        for (int k = 1; k < DEPTH; k++) {
            float above = stack[k + 1 < DEPTH ? k + 1 : 1];
            next[k] = push ? stack[k - 1] : pop ? above : stack[k];
        }
#pragma unroll
        for (int k = 0; k < DEPTH; k++)
            stack[k] = next[k];
    }
    return stack[0];
}

/* What a case adds to the sum of errors; packed: the matching bits of 32 cases. */
template <int SET>
__device__ __forceinline__ float ladder_error(const gr_params &p, float output, float target) {
    if constexpr (SET == LADDER_MULTIPLEXER)
        return (float)__popc(~(__float_as_uint(output) ^ __float_as_uint(target)));
    else if constexpr (SET == LADDER_REGRESSION || SET == LADDER_CLASSIFICATION)
        return fabsf(output - target);
    else if constexpr (SET == LADDER_SEXTIC || SET == LADDER_MACKEY)
        return (output - target) * (output - target);
    else
        return gr_class_of(&p, output) == target ? 0.0f : 1.0f;
}

#endif
