/* Evaluation over doubles by warps (`precision: double`): the accumulator machine of linear.h in
 * CUDA C, K cases a lane in registers, and the errors in the canonical order (fitness.h). What the
 * CPU has in host/cpu/evaluate_double.c; the words of ops.def mean doubles from here on, so that
 * this file is included behind all others. */
#ifndef GR_EVALUATE_DOUBLE_CUH
#define GR_EVALUATE_DOUBLE_CUH

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/program/evaluate.h"
#include "gpu/core/state/state.h"
#include "gpu/kernels/program_double.cuh"

#include "gpu/kernels/quick_double.cuh"

/* Distance between inputs in a tile of doubles, in bytes. */
enum { GR_DOUBLE_INPUT_BYTES = 2 * GR_INPUT_BYTES };

__device__ __forceinline__ size_t gr_double_tile(const gr_params &p) { /* in doubles */
    return gr_tile_words(p.inputs, 0);
}

/* ---- cases ---- */

/* Lane l holds the cases 128 g + 4 l + j of a pass of 32 K. In shared memory the 128 stand in
 * another order, the first two of every lane before the other two of every lane, so that what
 * lanes read at a time lies side by side. */
template <int SHARED>
__device__ __forceinline__ const double *gr_first_case(const double *tile, uint32_t from) {
    return tile + from + (SHARED ? 2 : 4) * (threadIdx.x % GR_LANES);
}

template <int K, int SHARED>
__device__ __forceinline__ void gr_fetch_doubles(double (&to)[K], const double *at,
                                                 uint32_t offset) {
    const double *from = (const double *)((const char *)at + offset);
#pragma unroll
    for (int g = 0; g < K / 4; g++) {
        double2 some = *(const double2 *)(from + 128 * g),
                more = *(const double2 *)(from + 128 * g + (SHARED ? 64 : 2));
        to[4 * g] = some.x, to[4 * g + 1] = some.y, to[4 * g + 2] = more.x, to[4 * g + 3] = more.y;
    }
}

/* `count` doubles of tiles in that order to shared memory, by the block. */
__device__ __forceinline__ void gr_load_doubles(const double *from, double *to, uint32_t count) {
    for (uint32_t k = threadIdx.x; k < count / 2; k += blockDim.x) {
        uint32_t within = k % 64;
        ((double2 *)to)[k - within + within / 2 + within % 2 * 32] = ((const double2 *)from)[k];
    }
}

/* ---- the machine ---- */

#define GR_EACH_CASE _Pragma("unroll") for (int k = 0; k < K; k++)

/* The stack, whose levels are not known where this is compiled: the two lowest in REGISTERS, or
 * none, the next `levels` of a warp in shared memory, [levels][K / 2][GR_LANES] pairs of cases, the
 * others in the memory of each lane. */
template <int K, int REGISTERS> struct gr_stack {
    double first[K], second[K];
    double2 *near; /* of the lane */
    uint32_t levels;
    double2 (*far)[K / 2]; /* [GR_MAX_STACK_LEVELS + 2]; indexed, so not to be in the struct */
    __device__ __forceinline__ void push(uint32_t level, const double (&value)[K]) {
        if (REGISTERS && level == 0) {
            GR_EACH_CASE first[k] = value[k];
        } else if (REGISTERS && level == 1) {
            GR_EACH_CASE second[k] = value[k];
        } else if (level < REGISTERS + levels) {
#pragma unroll
            for (int k = 0; k < K / 2; k++)
                near[((level - REGISTERS) * (K / 2) + k) * GR_LANES] =
                    make_double2(value[2 * k], value[2 * k + 1]);
        } else {
#pragma unroll
            for (int k = 0; k < K / 2; k++)
                far[level][k] = make_double2(value[2 * k], value[2 * k + 1]);
        }
    }
    __device__ __forceinline__ void pop(uint32_t level, double (&value)[K]) const {
        if (REGISTERS && level == 0) {
            GR_EACH_CASE value[k] = first[k];
        } else if (REGISTERS && level == 1) {
            GR_EACH_CASE value[k] = second[k];
        } else if (level < REGISTERS + levels) {
#pragma unroll
            for (int k = 0; k < K / 2; k++) {
                double2 two = near[((level - REGISTERS) * (K / 2) + k) * GR_LANES];
                value[2 * k] = two.x, value[2 * k + 1] = two.y;
            }
        } else {
#pragma unroll
            for (int k = 0; k < K / 2; k++) {
                double2 two = far[level][k];
                value[2 * k] = two.x, value[2 * k + 1] = two.y;
            }
        }
    }
};

/* The first N cases change places with the others, which come forward. */
template <int K, int N> __device__ __forceinline__ void gr_rotate(double (&value)[K]) {
    double first[N];
#pragma unroll
    for (int k = 0; k < N; k++)
        first[k] = value[k];
#pragma unroll
    for (int k = 0; k < K - N; k++)
        value[k] = value[k + N];
#pragma unroll
    for (int k = 0; k < N; k++)
        value[K - N + k] = first[k];
}

/* An operation on all cases: cheap ones at once, of others few at a time, whose code then stands
 * there once and not for every case: registers cannot be counted through. First without branches,
 * and once more where a case of these is not for that. */
#define GR_ALL(rotate_other, operands, value)                                                      \
    GR_EACH_CASE {                                                                                 \
        operands;                                                                                  \
        acc[k] = value;                                                                            \
    }
#define GR_TURNS(n, rotate_other, operands, value)                                                 \
    _Pragma("unroll 1") for (int turn = 0; turn < K / (n); turn++) {                               \
        gr_quick_double how;                                                                       \
        double result[n];                                                                          \
        _Pragma("unroll") for (int k = 0; k < (n); k++) {                                          \
            operands;                                                                              \
            result[k] = value;                                                                     \
        }                                                                                          \
        if (how.rare) {                                                                            \
            gr_whole_double how;                                                                   \
            _Pragma("unroll") for (int k = 0; k < (n); k++) {                                      \
                operands;                                                                          \
                result[k] = value;                                                                 \
            }                                                                                      \
            (void)how;                                                                             \
        }                                                                                          \
        _Pragma("unroll") for (int k = 0; k < (n); k++) acc[k] = result[k];                        \
        gr_rotate<K, n>(acc);                                                                      \
        if (rotate_other)                                                                          \
            gr_rotate<K, n>(other);                                                                \
    }
#define GR_DO_CHEAP GR_ALL
#define GR_DO_DIVIDE(rotate_other, operands, value) GR_TURNS(4, rotate_other, operands, value)
#define GR_DO_SPECIAL(rotate_other, operands, value) GR_TURNS(2, rotate_other, operands, value)

#define GR_ONE_OPERAND double a = acc[k]
#define GR_TWO_OPERANDS                                                                            \
    double a = acc[k];                                                                             \
    double b = other[k]

#define GR_TWO_CHEAP(value)                                                                        \
    if (left) {                                                                                    \
        GR_EACH_CASE {                                                                             \
            double a = other[k], b = acc[k];                                                       \
            acc[k] = value;                                                                        \
        }                                                                                          \
    } else {                                                                                       \
        GR_ALL(0, GR_TWO_OPERANDS, value)                                                          \
    }
#define GR_TWO_MORE(class, value)                                                                  \
    if (left) {                                                                                    \
        GR_EACH_CASE {                                                                             \
            double kept = acc[k];                                                                  \
            acc[k] = other[k], other[k] = kept;                                                    \
        }                                                                                          \
    }                                                                                              \
    GR_DO_##class(1, GR_TWO_OPERANDS, value)
#define GR_TWO_DIVIDE(value) GR_TWO_MORE(DIVIDE, value)
#define GR_TWO_SPECIAL(value) GR_TWO_MORE(SPECIAL, value)

/* acc <- op(acc, other), or op(other, acc), of the operations up to MUL, which are the most
 * frequent and found at once, or of those behind it. */
template <int K, bool FIRST>
__device__ __forceinline__ void gr_apply_doubles(uint32_t op, bool left, double (&acc)[K],
                                                 double (&other)[K]) {
    switch (op) {
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        if (FIRST == (GR_##id <= GR_MUL)) {                                                        \
            GR_DO_##class(0, GR_ONE_OPERAND, exact)                                                \
        }                                                                                          \
        break;
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    case GR_##id:                                                                                  \
        if (FIRST == (GR_##id <= GR_MUL)) {                                                        \
            GR_TWO_##class(exact)                                                                  \
        }                                                                                          \
        break;
#define GR_OP2C(id, names, symbol, class, exact, fast) /* either order is the same */              \
    case GR_##id:                                                                                  \
        if (FIRST == (GR_##id <= GR_MUL)) {                                                        \
            GR_DO_##class(1, GR_TWO_OPERANDS, exact)                                               \
        }                                                                                          \
        break;
#include "gpu/core/base/ops.def"
    default:
        break;
    }
}

/* sin, or cos: one code for both, since the cache of instructions is what limits programs of
 * functions. */
template <int K> __device__ __forceinline__ void gr_apply_sine(uint32_t op, double (&acc)[K]) {
    bool cosine = op == GR_COS;
#pragma unroll 1
    for (int turn = 0; turn < K / 2; turn++) {
        gr_quick_double how;
        double a = how.turn(acc[0]), b = how.turn(acc[1]);
        double first = gr_sin_turned_d(cosine ? gr_cos_turns_d(a) : gr_sin_turns_d(a)),
               second = gr_sin_turned_d(cosine ? gr_cos_turns_d(b) : gr_sin_turns_d(b));
        if (how.rare) {
            first = cosine ? gr_cos_d(acc[0]) : gr_sin_d(acc[0]);
            second = cosine ? gr_cos_d(acc[1]) : gr_sin_d(acc[1]);
        }
        acc[0] = first, acc[1] = second;
        gr_rotate<K, 2>(acc);
    }
}

/* The same of three operands, two of which stand on the stack from `level` on. */
template <int K, int REGISTERS>
__device__ __forceinline__ void gr_apply_three(uint32_t op, const gr_stack<K, REGISTERS> &stack,
                                               uint32_t level, uint32_t where, double (&acc)[K]) {
    double low[K], high[K];
    stack.pop(level, low);
    stack.pop(level + 1, high);
    uint32_t at[3] = {GR_WHERE(where, 0), GR_WHERE(where, 1), GR_WHERE(where, 2)};
    GR_EACH_CASE {
        double a = at[0] == 0 ? low[k] : at[0] == 1 ? high[k] : acc[k];
        double b = at[1] == 0 ? low[k] : at[1] == 1 ? high[k] : acc[k];
        double c = at[2] == 0 ? low[k] : at[2] == 1 ? high[k] : acc[k];
        switch (op) {
#define GR_OP3(id, names, class, exact, fast)                                                      \
    case GR_##id:                                                                                  \
        acc[k] = exact;                                                                            \
        break;
#include "gpu/core/base/ops.def"
        }
    }
}

__device__ __forceinline__ bool gr_takes_three(uint32_t op) {
    switch (op) {
#define GR_OP3(id, names, class, exact, fast) case GR_##id:
#include "gpu/core/base/ops.def"
        return true;
    }
    return false;
}

/* What stands beside the accumulator: an input, unless it is there from before, or a constant. */
template <int K, int SHARED>
__device__ __forceinline__ void gr_bring_leaf(uint2 in, const double *at, double (&other)[K]) {
    if (GR_PART_FROM(in.x) == GR_FROM_CONSTANT) {
        double constant = (double)__uint_as_float(in.y);
        GR_EACH_CASE other[k] = constant;
    } else if (!(in.x & GR_IS_KEPT)) {
        gr_fetch_doubles<K, SHARED>(other, at, 2 * in.y);
    }
}

/* One instruction. A load is a way of its own to the end: where it joined the operations, all of
 * them moved the accumulator there and back. */
template <int K, int SHARED, int REGISTERS>
__device__ __forceinline__ void gr_step(uint2 in, const double *at, gr_stack<K, REGISTERS> &stack,
                                        double (&acc)[K], double (&other)[K]) {
    uint32_t op = GR_PART_OP(in.x), from = GR_PART_FROM(in.x), level = GR_PART_LEVEL(in.x);
    bool left = in.x & GR_IS_LEFT;
    if (op == 0) {
        if (in.x & GR_PUSHES)
            stack.push(level, acc);
        gr_bring_leaf<K, SHARED>(in, at, other);
        GR_EACH_CASE acc[k] = other[k];
        return;
    }
    if (from == GR_FROM_STACK)
        stack.pop(level, other);
    else if (from != GR_FROM_NOWHERE)
        gr_bring_leaf<K, SHARED>(in, at, other);
    if (op <= GR_MUL)
        gr_apply_doubles<K, true>(op, left, acc, other);
    else if (op == GR_SIN || op == GR_COS)
        gr_apply_sine(op, acc);
    else if (gr_takes_three(op))
        gr_apply_three(op, stack, level, in.y, acc);
    else
        gr_apply_doubles<K, false>(op, left, acc, other);
}

/* The input that `other` is behind an instruction that had `held` there: operands may have changed
 * places. */
__device__ __forceinline__ uint32_t gr_held_behind(uint2 in, uint32_t held) {
    uint32_t op = GR_PART_OP(in.x), from = GR_PART_FROM(in.x);
    if (from == GR_FROM_NOWHERE)
        return held;
    bool exchanged = op > GR_MUL && in.x & GR_IS_LEFT;
    return from == GR_FROM_INPUT && !exchanged ? in.y : (uint32_t)GR_NO_INPUT;
}

/* Runs a program on the 32 K cases whose first, of the lane, stands at `at`. Inputs have no
 * weights: nothing fits them over doubles. */
template <int K, int SHARED, typename PROGRAM>
__device__ __forceinline__ void gr_run_doubles(PROGRAM &program, uint32_t length, const double *at,
                                               double (&acc)[K]) {
    double2 far[GR_MAX_STACK_LEVELS + 2][K / 2];
    gr_stack<K, 0> stack;
    double other[K];
    stack.far = far;
    stack.near = PROGRAM::is_near ? program.stack + threadIdx.x % GR_LANES : NULL;
    stack.levels = PROGRAM::is_near ? program.levels : 0;
    GR_EACH_CASE acc[k] = other[k] = 0.0;
    uint32_t pc = 0, held = GR_NO_INPUT;
    do {
        uint32_t end = program.window(pc, length);
#pragma unroll 1
        for (; pc < end; pc++) {
            uint2 in = program.at(pc);
            if (GR_PART_FROM(in.x) == GR_FROM_INPUT && held == in.y)
                in.x |= GR_IS_KEPT;
            gr_step<K, SHARED>(in, at, stack, acc, other);
            held = gr_held_behind(in, held);
        }
    } while (pc < length);
}

/* The same, by runs of what has handlers. */
template <int K, int SHARED, int JUMPS>
__device__ __forceinline__ void gr_run_doubles(gr_program_jumping<JUMPS> &program, uint32_t length,
                                               const double *at, double (&acc)[K]) {
    enum { LEVEL = K / 2 * GR_LANES };
    double2 far[GR_MAX_STACK_LEVELS + 2][K / 2];
    gr_stack<K, GR_REGISTER_LEVELS> stack;
    double other[K];
    stack.far = far;
    stack.near = program.stack + threadIdx.x % GR_LANES;
    stack.levels = program.levels;
    gr_run_at run = {0,
                     (uint32_t)__cvta_generic_to_shared(stack.near) -
                         GR_REGISTER_LEVELS * LEVEL * (uint32_t)sizeof(double2),
                     program.tables};
    uint32_t pc = 0;
    do {
        pc = program.window(pc, length);
        run.instruction = (uint32_t)__cvta_generic_to_shared(program.buffer);
#pragma unroll 1
        for (;; run.instruction += (uint32_t)sizeof(gr_near_instruction)) {
            uint2 in =
                gr_run_cheap<K, SHARED, JUMPS>(run, at, acc, other, stack.first, stack.second);
            if (GR_PART_OP(in.x) == GR_END)
                break;
            gr_step<K, SHARED>(in, at, stack, acc, other);
        }
    } while (pc < length);
}

/* ---- sums ---- */

/* Adds what the lane's cases of a pass add, or takes the largest; `left`: positions from its first
 * on that are cases. */
template <int K>
__device__ __forceinline__ void gr_add_doubles(const gr_params *p, const double (&outputs)[K],
                                               const double (&targets)[K], uint32_t left,
                                               double &sum) {
    switch (gr_adds_of(p->metric)) {
#define GR_MEET(id, meeting, exact)                                                                \
    case GR_ADDS_##id:                                                                             \
        GR_EACH_CASE if (k / 4 * 128 + k % 4 < left) {                                             \
            double output = outputs[k], target = targets[k], error = output - target;              \
            (void)error, (void)target;                                                             \
            double added = exact;                                                                  \
            sum = meeting;                                                                         \
        }                                                                                          \
        break;
#define GR_ADDED(id, add, exact) GR_MEET(id, sum + added, exact)
#define GR_LARGEST(id, add, exact) GR_MEET(id, gr_larger_double(added, sum), exact)
#define GR_CLASSES(id, add, exact) /* refused, as all that follow */
#include "gpu/core/base/metrics.def"
#undef GR_MEET
    }
}

/* The sum of a program over the `here` cases of a chunk by the metric of p, for all lanes. */
template <int K, int SHARED, typename PROGRAM>
__device__ __forceinline__ double gr_double_chunk(const gr_params &p, PROGRAM &program,
                                                  uint32_t length, uint32_t here,
                                                  const double *tile) {
    uint32_t lane = threadIdx.x % GR_LANES;
    double sum = 0.0;
#pragma unroll 1
    for (uint32_t from = 0; from < here; from += GR_LANES * K) {
        const double *at = gr_first_case<SHARED>(tile, from);
        double output[K], target[K];
        gr_run_doubles<K, SHARED>(program, length, at, output);
        gr_fetch_doubles<K, SHARED>(target, at, p.inputs * GR_DOUBLE_INPUT_BYTES);
        uint32_t left = here - from;
        gr_add_doubles<K>(&p, output, target, left > 4 * lane ? left - 4 * lane : 0, sum);
    }
    bool takes = gr_sum_kind_of(&p) == GR_SUM_LARGEST;
#pragma unroll
    for (int x = GR_LANES / 2; x; x /= 2) {
        double others = __shfl_xor_sync(0xffffffffu, sum, x);
        sum = takes ? gr_larger_double(sum, others) : sum + others;
    }
    return sum;
}

#endif
