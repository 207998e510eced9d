/* The 2D-stack interpreter on the device: a warp runs one program, every register is K fitness
 * cases a lane wide.
 *
 * Lane l holds the cases 128 g + 4 l + j of a pass of 32 K, so an input is K / 4 reads of 16 bytes
 * and the canonical sum (fitness.h) is a plain addition in rising order. Stack slots 0 and 1 are
 * registers, deeper ones local memory. */
#ifndef GR_EVALUATE_CUH
#define GR_EVALUATE_CUH

#include "core/evaluate.h"
#include "core/state.h"
#include "kernels.h"

enum { GR_REGISTER_SLOTS = 2 };

#define GR_EACH _Pragma("unroll") for (int k = 0; k < K; k++)

/* K cases of one input; `at` is the address of the lane's first case in the tile's first input. */
template <int K>
__device__ __forceinline__ void gr_fetch(float (&to)[K], const float *at, uint32_t offset) {
    const char *from = (const char *)at + offset;
#pragma unroll
    for (int g = 0; g < K / 4; g++) {
        float4 four = *(const float4 *)(from + g * 512);
        to[4 * g] = four.x, to[4 * g + 1] = four.y, to[4 * g + 2] = four.z, to[4 * g + 3] = four.w;
    }
}

/* The operand stack of one lane. */
template <int K> struct gr_stack {
    float first[K], second[K];
    float deep[GR_MAX_SLOTS + 2 - GR_REGISTER_SLOTS][K];

    __device__ __forceinline__ void push(uint32_t slot, const float (&value)[K]) {
        if (slot == 0)
            GR_EACH first[k] = value[k];
        else if (slot == 1)
            GR_EACH second[k] = value[k];
        else
            GR_EACH deep[slot - GR_REGISTER_SLOTS][k] = value[k];
    }
    __device__ __forceinline__ void get(uint32_t slot, float (&value)[K]) const {
        if (slot == 0)
            GR_EACH value[k] = first[k];
        else if (slot == 1)
            GR_EACH value[k] = second[k];
        else
            GR_EACH value[k] = deep[slot - GR_REGISTER_SLOTS][k];
    }
};

/* The handlers that load, of floats and words alike; constants travel as bits. */
#define GR_LOAD_HANDLERS                                                                           \
    case GR_H_PUSH_LOAD_INPUT:                                                                     \
        stack.push(slot, acc);                                                                     \
        gr_fetch<K>(acc, at, in.y);                                                                \
        break;                                                                                     \
    case GR_H_PUSH_LOAD_CONSTANT:                                                                  \
        stack.push(slot, acc);                                                                     \
        GR_EACH acc[k] = __uint_as_float(in.y);                                                    \
        break;                                                                                     \
    case GR_H_LOAD_INPUT:                                                                          \
        gr_fetch<K>(acc, at, in.y);                                                                \
        break;                                                                                     \
    case GR_H_LOAD_CONSTANT:                                                                       \
        GR_EACH acc[k] = __uint_as_float(in.y);                                                    \
        break;

/* One step of a program of floats. VALUES, GR_EXACT or GR_FAST, chooses which expression of ops.def
 * an operation means. */
template <int VALUES, int K>
__device__ __forceinline__ void gr_step(uint2 in, const float *at, float (&acc)[K],
                                        gr_stack<K> &stack) {
    uint32_t handler = in.x & 0xffffu, slot = in.x >> 16;
    float constant = __uint_as_float(in.y), other[K];
#define GR_BINARY(code, fetch, left, right, expression)                                            \
    case code:                                                                                     \
        fetch;                                                                                     \
        GR_EACH {                                                                                  \
            float a = left, b = right;                                                             \
            acc[k] = expression;                                                                   \
        }                                                                                          \
        break;
#define GR_INPUT_OPERAND gr_fetch<K>(other, at, in.y)
#define GR_STACK_OPERAND stack.get(slot, other)
    switch (handler) {
        GR_LOAD_HANDLERS
#define GR_CHOOSE(exact, fast) (VALUES == GR_FAST ? (fast) : (exact))
#define GR_OP1(id, names, class, exact, fast)                                                      \
    case GR_H_##id:                                                                                \
        GR_EACH {                                                                                  \
            float a = acc[k];                                                                      \
            acc[k] = GR_CHOOSE(exact, fast);                                                       \
        }                                                                                          \
        break;
#define GR_OP2C(id, names, symbol, class, exact, fast)                                             \
    GR_BINARY(GR_H_##id##_AI, GR_INPUT_OPERAND, acc[k], other[k], GR_CHOOSE(exact, fast))          \
    GR_BINARY(GR_H_##id##_AC, , acc[k], constant, GR_CHOOSE(exact, fast))                          \
    GR_BINARY(GR_H_##id##_SA, GR_STACK_OPERAND, other[k], acc[k], GR_CHOOSE(exact, fast))
#define GR_OP2(id, names, symbol, class, exact, fast)                                              \
    GR_OP2C(id, names, symbol, class, exact, fast)                                                 \
    GR_BINARY(GR_H_##id##_IA, GR_INPUT_OPERAND, other[k], acc[k], GR_CHOOSE(exact, fast))          \
    GR_BINARY(GR_H_##id##_CA, , constant, acc[k], GR_CHOOSE(exact, fast))                          \
    GR_BINARY(GR_H_##id##_AS, GR_STACK_OPERAND, acc[k], other[k], GR_CHOOSE(exact, fast))
#define GR_OP3(id, names, class, exact, fast)                                                      \
    case GR_H_##id##_SSA: {                                                                        \
        float next[K];                                                                             \
        stack.get(slot, other);                                                                    \
        stack.get(slot + 1, next);                                                                 \
        uint32_t wa = GR_WHERE(in.y, 0), wb = GR_WHERE(in.y, 1), wc = GR_WHERE(in.y, 2);           \
        GR_EACH {                                                                                  \
            float a = wa == 0 ? other[k] : wa == 1 ? next[k] : acc[k];                             \
            float b = wb == 0 ? other[k] : wb == 1 ? next[k] : acc[k];                             \
            float c = wc == 0 ? other[k] : wc == 1 ? next[k] : acc[k];                             \
            acc[k] = GR_CHOOSE(exact, fast);                                                       \
        }                                                                                          \
        break;                                                                                     \
    }
#include "core/ops.def"
    default:
        break;
    }
#undef GR_BINARY
}

/* The same for words. */
template <int K>
__device__ __forceinline__ void gr_word_step(uint2 in, const float *at, float (&acc)[K],
                                             gr_stack<K> &stack) {
    uint32_t handler = in.x & 0xffffu, slot = in.x >> 16;
    float other[K];
    switch (handler) {
        GR_LOAD_HANDLERS
#define GR_WORDS_DO(code, fetch, left, right, expression)                                          \
    case code:                                                                                     \
        fetch;                                                                                     \
        GR_EACH {                                                                                  \
            uint32_t u = left, v = right;                                                          \
            acc[k] = __uint_as_float(expression);                                                  \
        }                                                                                          \
        break;
#define GR_WORD1(id, names, symbol, expression)                                                    \
    case GR_H_##id:                                                                                \
        GR_EACH {                                                                                  \
            uint32_t u = __float_as_uint(acc[k]);                                                  \
            acc[k] = __uint_as_float(expression);                                                  \
        }                                                                                          \
        break;
#define GR_WORD2C(id, names, symbol, expression)                                                   \
    GR_WORDS_DO(GR_H_##id##_AI, GR_INPUT_OPERAND, __float_as_uint(acc[k]),                         \
                __float_as_uint(other[k]), expression)                                             \
    GR_WORDS_DO(GR_H_##id##_AC, , __float_as_uint(acc[k]), in.y, expression)                       \
    GR_WORDS_DO(GR_H_##id##_SA, GR_STACK_OPERAND, __float_as_uint(other[k]),                       \
                __float_as_uint(acc[k]), expression)
#include "core/ops.def"
    default:
        break;
    }
#undef GR_WORDS_DO
}

/* Runs a program on the 32 K cases of a pass. */
template <int VALUES, int K>
__device__ __forceinline__ void gr_run(const gr_instruction *program, uint32_t length,
                                       const float *at, float (&acc)[K]) {
    const uint2 *code = (const uint2 *)program;
    gr_stack<K> stack;
    uint2 in = code[0];
    for (uint32_t pc = 1; pc <= length; pc++) {
        uint2 next = pc < length ? code[pc] : in; /* under way while this step works */
        if constexpr (VALUES == GR_WORDS)
            gr_word_step<K>(in, at, acc, stack);
        else
            gr_step<VALUES, K>(in, at, acc, stack);
        in = next;
    }
}

/* Sums of one lane, in the kind the metric keeps. */
struct gr_lane_sums {
    float error, second;
    double moment[3];
};

/* Adds the case whose place in its set is `c`, in rising order. */
template <int VALUES>
__device__ __forceinline__ void gr_add_case(const gr_params &p, uint32_t kind, uint32_t set,
                                            float output, float target, uint32_t c,
                                            gr_lane_sums &sums) {
    uint32_t cases = set ? p.test_cases : p.train_cases;
    if (VALUES == GR_WORDS) {
        uint32_t same = ~(__float_as_uint(output) ^ __float_as_uint(target));
        uint32_t left = c < (cases + 31) / 32 ? cases - 32 * c : 0;
        uint32_t mask = left >= 32 ? 0xffffffffu : (1u << left) - 1;
        sums.error += (float)__popc(same & mask);
    } else if (kind == GR_SUM_ERROR) {
        float error = gr_case_error(&p, output, target);
        sums.error += c < cases ? error : 0.0f;
    } else if (kind == GR_SUM_COUNTS) {
        sums.error += c < cases && gr_true_positive(&p, output, target) ? 1.0f : 0.0f;
        sums.second += c < cases && gr_true_negative(&p, output, target) ? 1.0f : 0.0f;
    } else {
        double x = c < cases ? (double)output : 0.0;
        double t = c < cases ? (double)target - p.target_mean[set] : 0.0;
        sums.moment[0] += x;
        sums.moment[1] += x * x;
        sums.moment[2] += x * t;
    }
}

template <typename T> __device__ __forceinline__ T gr_butterfly(T value) {
#pragma unroll
    for (int x = GR_LANES / 2; x; x /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, x);
    return value;
}

/* Butterflies the lanes' sums and writes sum k to out[k * stride]; one warp. */
__device__ __forceinline__ void gr_write_sums(const gr_params &p, uint32_t kind,
                                              const gr_lane_sums &sums, double *out,
                                              size_t stride) {
    uint32_t lane = threadIdx.x % GR_LANES;
    double total[3] = {0.0, 0.0, 0.0};
    if (kind == GR_SUM_SCALED)
        for (int k = 0; k < 3; k++)
            total[k] = gr_butterfly(sums.moment[k]);
    else {
        total[0] = (double)gr_butterfly(sums.error);
        total[1] = kind == GR_SUM_COUNTS ? (double)gr_butterfly(sums.second) : 0.0;
    }
    if (lane < p.sums)
        out[lane * stride] = lane == 0 ? total[0] : lane == 1 ? total[1] : total[2];
}

/* Cases (words) of a set that a chunk holds. */
template <int VALUES>
__device__ __forceinline__ uint32_t gr_cases_here(const gr_params &p, uint32_t set,
                                                  uint32_t chunk) {
    uint32_t cases = set ? p.test_cases : p.train_cases;
    return gr_min_u32((VALUES == GR_WORDS ? (cases + 31) / 32 : cases) - chunk * GR_CHUNK,
                      GR_CHUNK);
}

/* A warp evaluates one program on one chunk and writes sum k to out[k * stride]. */
template <int VALUES, int K>
__device__ __forceinline__ void gr_evaluate_chunk(const gr_params &p, const gr_instruction *program,
                                                  uint32_t length, const float *tile, uint32_t set,
                                                  uint32_t chunk, double *out, size_t stride) {
    uint32_t lane = threadIdx.x % GR_LANES, kind = gr_sum_kind_of(&p);
    uint32_t here = gr_cases_here<VALUES>(p, set, chunk);
    gr_lane_sums sums = {0.0f, 0.0f, {0.0, 0.0, 0.0}};
#pragma unroll 1
    for (uint32_t from = 0; from < here; from += GR_LANES * K) {
        const float *at = tile + from + 4 * lane;
        float acc[K], target[K];
        GR_EACH acc[k] = 0.0f;
        gr_run<VALUES, K>(program, length, at, acc);
        gr_fetch<K>(target, at, p.inputs * GR_INPUT_BYTES);
        uint32_t c = chunk * GR_CHUNK + from + 4 * lane;
        GR_EACH gr_add_case<VALUES>(p, kind, set, acc[k], target[k], c + k / 4 * 128 + k % 4, sums);
    }
    gr_write_sums(p, kind, sums, out, stride);
}

/* The same by a group of warps, in two steps with a barrier of the block between them. First each
 * warp runs some passes and leaves the outputs in `outputs` [GR_CHUNK]. */
template <int VALUES, int K>
__device__ __forceinline__ void gr_run_together(const gr_params &p, const gr_instruction *program,
                                                uint32_t length, const float *tile, uint32_t set,
                                                uint32_t chunk, float *outputs) {
    uint32_t lane = threadIdx.x % GR_LANES, member = threadIdx.x % GR_GROUP_THREADS / GR_LANES;
    uint32_t here = gr_cases_here<VALUES>(p, set, chunk);
#pragma unroll 1
    for (uint32_t from = member * GR_LANES * K; from < here; from += GR_GROUP_THREADS * K) {
        float acc[K];
        GR_EACH acc[k] = 0.0f;
        gr_run<VALUES, K>(program, length, tile + from + 4 * lane, acc);
#pragma unroll
        for (int g = 0; g < K / 4; g++)
            *(float4 *)(outputs + from + 128 * g + 4 * lane) =
                make_float4(acc[4 * g], acc[4 * g + 1], acc[4 * g + 2], acc[4 * g + 3]);
    }
}

/* Then one warp adds the cases in the canonical order, so the sum does not know who computed what.
 */
template <int VALUES>
__device__ __forceinline__ void gr_add_outputs(const gr_params &p, const float *tile, uint32_t set,
                                               uint32_t chunk, const float *outputs, double *out,
                                               size_t stride) {
    uint32_t lane = threadIdx.x % GR_LANES, kind = gr_sum_kind_of(&p),
             here = gr_cases_here<VALUES>(p, set, chunk);
    gr_lane_sums sums = {0.0f, 0.0f, {0.0, 0.0, 0.0}};
    for (uint32_t from = 4 * lane; from < here; from += 4 * GR_LANES) {
        float output[4], target[4];
        gr_fetch<4>(output, outputs + from, 0);
        gr_fetch<4>(target, tile + from, p.inputs * GR_INPUT_BYTES);
#pragma unroll
        for (uint32_t k = 0; k < 4; k++)
            gr_add_case<VALUES>(p, kind, set, output[k], target[k], chunk * GR_CHUNK + from + k,
                                sums);
    }
    gr_write_sums(p, kind, sums, out, stride);
}

#endif
