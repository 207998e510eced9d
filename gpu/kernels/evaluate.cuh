/* Evaluation by warps: programs that stand in shared memory (load.cuh) run on a tile, errors are
 * summed.
 *
 * Lane l holds the cases 128 g + 4 l + j of a pass of 32 K, so an input is K / 4 reads of 16 bytes
 * and the canonical sum (fitness.h) is a plain addition in rising order. The interpreter itself is
 * generated (interpreter.h): GRAMPUS_START, _PASS, _STEP, _TILE and _RUN mark its places. */
#ifndef GR_EVALUATE_CUH
#define GR_EVALUATE_CUH

#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/program/evaluate.h"
#include "gpu/core/state/state.h"
#include "gpu/kernels/load.cuh"
#include "gpu/kernels/work.cuh"

#include <utility>

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

/* ---- the machine ---- */

/* The first pass of a task begins; `at`: where its cases stand in the tile, an address in shared
 * memory or anywhere. */
template <int SHARED, typename T> __device__ __forceinline__ void gr_start(T at) {
    if constexpr (SHARED)
        asm volatile("GRAMPUS_START %0;" ::"r"(at) : "memory");
    else
        asm volatile("GRAMPUS_START %0;" ::"l"(__cvta_generic_to_global(at)) : "memory");
}

/* A pass over 32 K cases begins, where the machine stands. */
__device__ __forceinline__ void gr_begin_pass() {
    asm volatile("GRAMPUS_PASS;" ::: "memory");
}

/* The machine goes on by `words` of the tile: only it keeps where that is. */
__device__ __forceinline__ void gr_step(uint32_t words) {
    asm volatile("GRAMPUS_STEP %0;" ::"r"(4 * words) : "memory");
}

/* Runs the instructions from an address in shared memory to an end. */
__device__ __forceinline__ void gr_run_block(uint32_t instructions) {
    asm volatile("GRAMPUS_RUN %0;" ::"r"(instructions) : "memory");
}

/* What stands behind an end, or behind the one where the machine stands: the next program. */
__device__ __forceinline__ uint32_t gr_behind_end(uint32_t end) {
    return end + GR_INSTRUCTION_BYTES(gr_literal_direct(GR_BY_TABLE));
}
__device__ __forceinline__ uint32_t gr_end_of_run() {
    uint32_t end;
    asm volatile("GRAMPUS_END %0;" : "=r"(end));
    return end;
}

/* The value a program ends with: the machine's lowest level. */
template <int K, int... k>
__device__ __forceinline__ void gr_take(float (&acc)[K], std::integer_sequence<int, k...>) {
    (..., [&] { asm volatile("mov.b32 %0, GRAMPUS_OUT_%1;" : "=f"(acc[k]) : "n"(k)); }());
}

/* The lane's targets: the machine knows where its cases stand, so nothing has to be kept or found
 * anew. */
template <int SHARED, int K>
__device__ __forceinline__ void gr_take_target(float (&to)[K], uint32_t offset) {
    if (SHARED) {
        uint32_t at;
        asm volatile("GRAMPUS_TILE %0;" : "=r"(at));
        gr_fetch<K>(to, (const float *)__cvta_shared_to_generic(at), offset);
    } else {
        size_t at;
        asm volatile("GRAMPUS_TILE %0;" : "=l"(at));
        gr_fetch<K>(to, (const float *)__cvta_global_to_generic(at), offset);
    }
}

/* ---- sums ---- */

__device__ __forceinline__ uint32_t gr_kind_of(const gr_params &p) {
    return gr_literal_kind(gr_sum_kind_of(&p));
}

/* Sums of one lane, in the kind the metric keeps: moments, or two floats in the place of the first.
 * While a program runs every register counts. */
struct gr_lane_sums {
    float origin; /* linear scaling: the output on the chunk's first case */
    double moment[GR_MAX_SUMS];
    __device__ __forceinline__ float error() const {
        return __int_as_float(__double2loint(moment[0]));
    }
    __device__ __forceinline__ float second() const {
        return __int_as_float(__double2hiint(moment[0]));
    }
    __device__ __forceinline__ void set(float error, float second) {
        moment[0] = __hiloint2double(__float_as_int(second), __float_as_int(error));
    }
};

/* Where the cases of a pass end. */
struct gr_border {
    uint32_t whole; /* all 32 K of the warp are cases; the same for all its lanes */
    uint32_t left;  /* positions from the lane's first case on that are cases (words) */
};
template <int K>
__device__ __forceinline__ gr_border gr_border_of(uint32_t here, uint32_t from, uint32_t lane) {
    uint32_t left = here - from; /* of the warp, not 0 */
    gr_border border = {(int)from <= (int)here - GR_LANES * K,
                        left > 4 * lane ? left - 4 * lane : 0};
    return border;
}

/* Adds the K cases of a lane to a sum of floats in rising order; error(k): what case k adds. */
template <int K, typename F>
__device__ __forceinline__ void gr_add_errors(float &sum, const gr_border &border, F error) {
    if (border.whole) {
        GR_EACH sum += error(k);
    } else {
        GR_EACH sum += k / 4 * 128 + k % 4 < border.left ? error(k) : 0.0f;
    }
}

/* The same where the largest counts. */
template <int K, typename F>
__device__ __forceinline__ void gr_take_errors(float &largest, const gr_border &border, F error) {
    GR_EACH if (border.whole || k / 4 * 128 + k % 4 < border.left) largest =
        gr_larger(error(k), largest);
}

/* Adds the right cases of a lane's words, the first of which is word `c` of its set. They are
 * counted in integers: a chunk's are few enough for a float to hold them exactly. */
template <int K>
__device__ __forceinline__ void gr_add_words(const float (&output)[K], const float (&target)[K],
                                             uint32_t c, uint32_t cases, gr_lane_sums &sums) {
    uint32_t count = 0, end = c + (K / 4 - 1) * 128 + 4; /* behind the lane's last word */
    if ((uint64_t)end * 32 <= cases) {
        GR_EACH count += __popc(~(__float_as_uint(output[k]) ^ __float_as_uint(target[k])));
    } else {
        GR_EACH {
            uint32_t at = c + k / 4 * 128 + k % 4;
            uint32_t same = ~(__float_as_uint(output[k]) ^ __float_as_uint(target[k]));
            uint32_t left = at < (cases + 31) / 32 ? cases - 32 * at : 0;
            count += __popc(same & (left >= 32 ? 0xffffffffu : (1u << left) - 1));
        }
    }
    sums.set(sums.error() + (float)count, 0.0f);
}

/* What a case counts: its weight, or 1. */
template <int CASES> __device__ __forceinline__ float gr_weighed(float weight, float added) {
    return CASES == GR_WEIGHED_CASES ? weight * added : added;
}

/* Classes of the K outputs of a lane. The rule is asked once for all of them: little code, since it
 * competes with the interpreter for the instruction cache (with 41 inputs a half of the time was
 * lost there, measured). */
template <int K>
__device__ __forceinline__ void gr_label(const gr_params &p, const float *threshold,
                                         const float (&output)[K], float (&label)[K]) {
    if (p.class_rule == GR_CLASS_THRESHOLDS || p.class_rule == GR_CLASS_FITTED) {
        uint32_t reached[K];
        GR_EACH reached[k] = 0;
#pragma unroll 1
        for (uint32_t i = 0; i < p.thresholds; i++) {
            float border_here = threshold[i];
            if (!(border_here < GR_INFINITY)) /* as gr_class_between */
                break;
            GR_EACH reached[k] += output[k] >= border_here;
        }
        GR_EACH label[k] = gr_class_reached(&p, output[k], reached[k]);
    } else if (p.class_rule == GR_CLASS_SIGN) {
        GR_EACH label[k] = gr_class_sign(&p, output[k]);
    } else {
        GR_EACH label[k] = gr_class_nearest(&p, output[k]);
    }
}

/* Adds the misclassified among the K cases of a lane: counted in integers as words are, or their
 * weights in rising order. */
template <int CASES, int K>
__device__ __forceinline__ void
gr_add_misclassified(const gr_params &p, const float *threshold, const float (&output)[K],
                     const float (&target)[K], const float (&weight)[K], const gr_border &border,
                     float &sum) {
    uint32_t wrong = 0, left = border.whole ? GR_CHUNK : border.left;
    float label[K];
    gr_label<K>(p, threshold, output, label);
    if (CASES == GR_WEIGHED_CASES) {
        gr_add_errors<K>(sum, border,
                         [&](int k) { return label[k] == target[k] ? 0.0f : weight[k]; });
    } else {
        GR_EACH wrong += !(label[k] == target[k]) && k / 4 * 128 + k % 4 < left;
        sum += (float)wrong;
    }
}

/* Targets of a chunk, read where they are needed: registers are short while a program runs. */
template <int CASES>
__device__ __forceinline__ gr_chunk_target gr_chunk_target_at(const gr_state &s, uint32_t set,
                                                              uint32_t chunk) {
    double2 raw = *(const double2 *)((set ? s.test_targets : s.targets) + chunk);
    gr_chunk_target target = {raw.x, raw.y, 0.0, 0.0}; /* `apart` is for the join */
    if (CASES == GR_WEIGHED_CASES)
        target.weight = ((set ? s.test_targets : s.targets) + chunk)->weight;
    return target;
}

/* Adds the cases of a lane whose first is number `c` of its set. What they add is chosen once for
 * all of them. weight: of cases that have some. */
template <int CASES, int K>
__device__ __forceinline__ void gr_add_cases(const gr_state &s, uint32_t kind, uint32_t set,
                                             const float (&output)[K], const float (&target)[K],
                                             const float (&weight)[K], uint32_t c,
                                             const gr_border &border, gr_lane_sums &sums) {
    const gr_params &p = s.p;
    if (CASES == GR_WORD_CASES) {
        gr_add_words<K>(output, target, c, set ? p.test_cases : p.train_cases, sums);
        return;
    }
    float error = sums.error(), second = sums.second();
    if (kind == GR_SUM_ERROR) {
        switch (gr_literal_adds(gr_adds_of(p.metric))) {
#define GR_ADDED(id, add, exact)                                                                   \
    case GR_ADDS_##id:                                                                             \
        gr_add_errors<K>(error, border, [&](int k) {                                               \
            return gr_weighed<CASES>(weight[k],                                                    \
                                     gr_case_error(GR_ADDS_##id, &p, output[k], target[k]));       \
        });                                                                                        \
        break;
#define GR_CLASSES(id, add, exact)                                                                 \
    case GR_ADDS_##id:                                                                             \
        gr_add_misclassified<CASES, K>(p, p.threshold, output, target, weight, border, error);     \
        break;
#include "gpu/core/base/metrics.def"
        }
        sums.set(error, 0.0f);
    } else if (kind == GR_SUM_LARGEST) {
        switch (gr_literal_adds(gr_adds_of(p.metric))) {
#define GR_LARGEST(id, add, exact)                                                                 \
    case GR_ADDS_##id:                                                                             \
        gr_take_errors<K>(error, border, [&](int k) {                                              \
            return gr_case_error(GR_ADDS_##id, &p, output[k], target[k]);                          \
        });                                                                                        \
        break;
#include "gpu/core/base/metrics.def"
        }
        sums.set(error, 0.0f);
    } else if (kind == GR_SUM_COUNTS) {
        gr_add_errors<K>(error, border, [&](int k) {
            return gr_weighed<CASES>(weight[k],
                                     gr_true_positive(&p, output[k], target[k]) ? 1.0f : 0.0f);
        });
        gr_add_errors<K>(second, border, [&](int k) {
            return gr_weighed<CASES>(weight[k],
                                     gr_true_negative(&p, output[k], target[k]) ? 1.0f : 0.0f);
        });
        sums.set(error, second);
    } else {
        double near = gr_chunk_target_at<CASES>(s, set, c / GR_CHUNK).origin,
               origin = (double)sums.origin;
        asm("" : "+d"(origin)); /* converted once, not for every case */
        GR_EACH {
            uint32_t counts = border.whole || k / 4 * 128 + k % 4 < border.left;
            double x = (double)output[k] - origin, t = (double)target[k] - near;
            if (CASES == GR_WEIGHED_CASES)
                gr_moments_add_weighed(sums.moment, 1, counts ? (double)weight[k] : 0.0,
                                       counts ? x : 0.0, t);
            else
                gr_moments_add(sums.moment, 1, counts ? x : 0.0, t);
        }
    }
}

template <typename T> __device__ __forceinline__ T gr_butterfly(T value) {
#pragma unroll
    for (int x = GR_LANES / 2; x; x /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, x);
    return value;
}

__device__ __forceinline__ float gr_largest_of_lanes(float value) {
#pragma unroll 1
    for (uint32_t x = GR_LANES / 2; x; x /= 2)
        value = gr_larger(value, __shfl_xor_sync(0xffffffffu, value, x));
    return value;
}

/* Three butterflies for the price of one and a bit: the same sums, but a lane only goes on with the
 * value that it has in the end, value lane / 8. */
__device__ __forceinline__ double gr_butterfly_of_three(const double (&value)[3]) {
    uint32_t high = threadIdx.x & 16, odd = threadIdx.x & 8;
    double a = high ? value[2] : value[0], b = value[1];
    a += __shfl_xor_sync(0xffffffffu, high ? value[0] : value[2], 16);
    b += __shfl_xor_sync(0xffffffffu, b, 16);
    double sum = (odd ? b : a) + __shfl_xor_sync(0xffffffffu, odd ? a : b, 8);
#pragma unroll
    for (int x = 4; x; x /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, x);
    return sum;
}

/* Butterflies the lanes' sums over a chunk and writes sum k to out[k * stride]; one warp. */
template <int CASES>
__device__ __forceinline__ void gr_write_sums(const gr_state &s, uint32_t kind,
                                              const gr_lane_sums &sums, uint32_t set,
                                              uint32_t chunk, double *out, size_t stride) {
    uint32_t lane = threadIdx.x % GR_LANES;
    if (kind == GR_SUM_ERROR || kind == GR_SUM_CLASS_BINS) {
        float total = gr_butterfly(sums.error());
        if (lane == 0)
            *out = (double)total;
    } else if (kind == GR_SUM_LARGEST) {
        float largest = gr_largest_of_lanes(sums.error());
        if (lane == 0)
            *out = (double)largest;
    } else if (kind == GR_SUM_COUNTS) {
        float first = gr_butterfly(sums.error()), second = gr_butterfly(sums.second());
        if (lane < 2)
            out[lane * stride] = (double)(lane ? second : first);
    } else {
        double sum = gr_butterfly_of_three(sums.moment);
        double sum_x = __shfl_sync(0xffffffffu, sum, 0);
        gr_chunk_target target = gr_chunk_target_at<CASES>(s, set, chunk);
        double share =
            CASES == GR_WEIGHED_CASES ? 1.0 / target.weight : gr_share_of_cases(&s.p, set, chunk);
        double moment = gr_moment_of(lane / 8, sum, sum_x, (double)sums.origin, share, target);
        if (lane % 8 == 0 && lane < 8 * GR_MAX_SUMS)
            out[lane / 8 * stride] = moment;
    }
}

/* Cases (words) of a set that a chunk holds. */
template <int CASES>
__device__ __forceinline__ uint32_t gr_cases_here(const gr_params &p, uint32_t set,
                                                  uint32_t chunk) {
    uint32_t cases = set ? p.test_cases : p.train_cases;
    return gr_min_u32((CASES == GR_WORD_CASES ? (cases + 31) / 32 : cases) - chunk * GR_CHUNK,
                      GR_CHUNK);
}

/* A task of a warp, or of one of `members` warps that share it: a program on chunks of an item. The
 * rest stands in the slot in shared memory, of which the compiler sees that all lanes read the
 * same, so that it keeps it in uniform registers: while a program runs every other one counts. */
struct gr_task {
    const gr_slot &slot;
    uint32_t program, length; /* its number in the set, its instructions */
    uint32_t first, chunks;   /* of the item's */
    uint32_t member, members;
};
__device__ __forceinline__ float *gr_shared_tile(const gr_slot &slot) {
    extern __shared__ float4 gr_dynamic[];
    return (float *)gr_dynamic + slot.tile;
}
__device__ __forceinline__ uint32_t gr_set_of(const gr_task &task) {
    return task.slot.item.set;
}
/* Number of the task's chunk c in its set. */
__device__ __forceinline__ uint32_t gr_chunk_of(const gr_task &task, uint32_t c) {
    return task.slot.item.chunk + task.first + c;
}
/* Code of a program of a set. */
__device__ __forceinline__ const uint2 *gr_code_of(const gr_state &s, uint32_t set, uint32_t i) {
    return (const uint2 *)(set ? s.best_programs + (size_t)i * s.p.max_nodes : gr_program(&s, i));
}
/* Where the task's cases of chunk c stand. */
template <int CASES, int SHARED>
__device__ __forceinline__ const float *gr_tile_at(const gr_state &s, const gr_task &task,
                                                   uint32_t c) {
    size_t words = gr_tile_words(s.p.inputs, CASES == GR_WEIGHED_CASES);
    if (SHARED)
        return gr_shared_tile(task.slot) + (task.first + c) * (uint32_t)words;
    return (gr_set_of(task) ? s.test : s.train) + gr_chunk_of(task, c) * words;
}
/* The same for the machine, from the lane's first case on, which is number `from`. */
template <int CASES, int SHARED>
__device__ __forceinline__ void gr_start_at(const gr_state &s, const gr_task &task, uint32_t from) {
    if constexpr (SHARED) {
        uint32_t words = (uint32_t)gr_tile_words(s.p.inputs, CASES == GR_WEIGHED_CASES);
        gr_start<SHARED>(task.slot.at + 4 * (task.first * words + from));
    } else {
        gr_start<SHARED>(gr_tile_at<CASES, SHARED>(s, task, 0) + from);
    }
}
/* Cases (words) of the task's chunk c. */
__device__ __forceinline__ uint32_t gr_cases_of(const gr_task &task, uint32_t c) {
    return gr_min_u32(task.slot.cases - (task.first + c) * GR_CHUNK, GR_CHUNK);
}
/* Butterflies the lanes' sums and writes them as the task's of chunk c. */
template <int CASES>
__device__ __forceinline__ void gr_write_task(const gr_state &s, uint32_t kind,
                                              const gr_lane_sums &sums, const gr_task &task,
                                              uint32_t c) {
    uint32_t set = gr_set_of(task), chunk = gr_chunk_of(task, c);
    size_t stride = set ? gr_demes(&s.p) : s.p.individuals;
    double *out = task.slot.sums + task.program;
    if (gr_literal_chunks(GR_ANY) != 1 || task.first)
        out += (size_t)(task.first + c) * s.p.sums * stride;
    gr_write_sums<CASES>(s, kind, sums, set, chunk, out, stride);
}

/* Fitted classes: counts a lane's training outputs, or adds their errors on the test cases, by the
 * thresholds of the deme's best. */
template <int CASES, int K>
__device__ __forceinline__ void gr_add_fitted(const gr_state &s, const gr_task &task,
                                              const float (&output)[K], const float (&target)[K],
                                              const float (&weight)[K], const gr_border &border,
                                              gr_lane_sums &sums) {
    const gr_params &p = s.p;
    uint32_t left = border.whole ? GR_CHUNK : border.left;
    size_t number = task.program;
    if (gr_set_of(task)) {
        float error = sums.error();
        gr_add_misclassified<CASES, K>(p, s.best_fitted + number * p.thresholds, output, target,
                                       weight, border, error);
        sums.set(error, 0.0f);
        return;
    }
    uint32_t *count = s.class_bins + number * gr_bin_counts(&p);
    GR_EACH {
        uint32_t bin = gr_bin_of(output[k]);
        if (k / 4 * 128 + k % 4 < left && bin < GR_CLASS_BINS)
            atomicAdd(count + gr_bin_index(&p, bin, target[k]), /* whole numbers */
                      CASES == GR_WEIGHED_CASES ? gr_bin_weight(p.bin_scale, weight[k]) : 1u);
    }
}

/* Keeps the outputs of a lane, whose first case is number `first`, for selection by cases, in the
 * place of the individual's errors (case_errors.h). Rows of errors begin anywhere where four does
 * not divide the cases. */
template <int K>
__device__ __forceinline__ void gr_keep_outputs(const gr_state &s, const gr_task &task,
                                                uint32_t first, const float (&output)[K],
                                                const gr_border &border) {
    float *to = s.own_errors + (size_t)task.program * s.p.train_cases + first;
    uint32_t left = border.whole ? GR_CHUNK : border.left;
    if (s.p.train_cases % 4) {
        GR_EACH if (k / 4 * 128 + k % 4 < left) to[k / 4 * 128 + k % 4] = output[k];
        return;
    }
#pragma unroll
    for (int g = 0; g < K / 4; g++)
        if (128 * g < left)
            *(float4 *)(to + 128 * g) =
                make_float4(output[4 * g], output[4 * g + 1], output[4 * g + 2], output[4 * g + 3]);
}

/* Weights of K cases; what stands for them, and is never looked at, where there are none. */
template <int CASES, int K, int N>
__device__ __forceinline__ const float (&gr_weights_or(const float (&weights)[N],
                                                       const float (&other)[K]))[K] {
    if constexpr (CASES == GR_WEIGHED_CASES)
        return weights;
    else
        return other;
}

/* Brings a window of the task's program to the buffer; returns how far it got. */
template <int CASES, int SHARED>
__device__ __forceinline__ uint32_t gr_bring_window(const gr_state &s, const gr_code *code,
                                                    const gr_task &task, uint32_t from,
                                                    uint2 *buffer, float *outputs) {
    uint32_t number = task.program;
    asm volatile("" : "+r"(number)); /* where it stands is not found anew for every pass */
    const gr_uniform uniform = {task.slot.uniform, gr_tile_at<CASES, SHARED>(s, task, 0)};
    const uint2 *program = gr_code_of(s, gr_set_of(task), number);
    if (gr_literal_shares(0))
        return gr_load_together<CASES>(code, program, from, task.length, uniform,
                                       (uint32_t *)outputs + GR_CHUNK, buffer);
    return gr_load_window<CASES>(code, program, from, task.length, uniform, buffer);
}

/* The warp runs its passes of the task, whose program is there, at `instructions` in shared memory,
 * and short, or comes to the buffer, which begins there. Alone it adds the errors and writes the
 * sums; together with others, on one chunk, it leaves the outputs in `outputs` [GR_CHUNK], for
 * gr_add_outputs. */
template <int CASES, int K, int SHARED>
__device__ __forceinline__ void
gr_evaluate_task(const gr_state &s, const gr_code *code, const gr_task &task, uint32_t there,
                 uint32_t instructions, uint2 *buffer, float *outputs) {
    const gr_params &p = s.p;
    uint32_t lane = threadIdx.x % GR_LANES, kind = gr_kind_of(p),
             inputs = gr_literal_inputs(p.inputs),
             window = gr_literal_window(GR_WINDOW) * (gr_literal_shares(0) ? GR_GROUP_WARPS : 1),
             is_long = gr_literal_long(task.length > window), loads = !there || is_long,
             position = 0;
    gr_start_at<CASES, SHARED>(s, task, task.member * GR_LANES * K + 4 * lane);
#pragma unroll 1
    for (uint32_t c = 0; c < gr_literal_chunks(task.chunks); c++) {
        uint32_t here = gr_cases_of(task, c);
        gr_lane_sums sums = {};
#pragma unroll 1
        for (uint32_t from = task.member * GR_LANES * K;
             from - (gr_literal_shares(0) ? task.member * GR_LANES * K : 0) < here;
             from += task.members * GR_LANES * K, gr_step(task.members * GR_LANES * K)) {
            gr_begin_pass();
            uint32_t idle = gr_literal_shares(0) && from >= here;
            for (;;) {
                if (loads) { /* a short one stays for all passes, a long one comes in windows */
                    position =
                        gr_bring_window<CASES, SHARED>(s, code, task, position, buffer, outputs);
                    loads = is_long;
                }
                if (!idle)
                    gr_run_block(instructions);
                if (!is_long)
                    break;
                asm volatile("" : "+r"(position)); /* one question for short ones, not two */
                if (position == task.length) {
                    position = 0;
                    break;
                }
            }
            if (idle) /* comes along for the others' sake */
                continue;
            float acc[K];
            gr_take<K>(acc, std::make_integer_sequence<int, K>());
            uint32_t first = gr_chunk_of(task, c) * GR_CHUNK + from + 4 * lane;
            gr_border border = gr_border_of<K>(here, from, lane);
            if (CASES != GR_WORD_CASES && gr_literal_keeps(0) && !gr_set_of(task))
                gr_keep_outputs<K>(s, task, first, acc, border);
            if (task.members > 1) {
#pragma unroll
                for (int g = 0; g < K / 4; g++)
                    *(float4 *)(outputs + from + 128 * g + 4 * lane) =
                        make_float4(acc[4 * g], acc[4 * g + 1], acc[4 * g + 2], acc[4 * g + 3]);
                continue;
            }
            float target[K], weights[CASES == GR_WEIGHED_CASES ? K : 1];
            gr_take_target<SHARED, K>(target, inputs * GR_INPUT_BYTES);
            const float(&weight)[K] = gr_weights_or<CASES, K>(weights, target);
            if constexpr (CASES == GR_WEIGHED_CASES)
                gr_take_target<SHARED, K>(weights, (inputs + 1) * GR_INPUT_BYTES);
            if (CASES != GR_WORD_CASES && kind == GR_SUM_SCALED && from == 0)
                sums.origin = __shfl_sync(0xffffffffu, acc[0], 0);
            if (CASES != GR_WORD_CASES && kind == GR_SUM_CLASS_BINS)
                gr_add_fitted<CASES, K>(s, task, acc, target, weight, border, sums);
            else
                gr_add_cases<CASES, K>(s, kind, gr_set_of(task), acc, target, weight, first, border,
                                       sums);
        }
        if (task.members == 1)
            gr_write_task<CASES>(s, kind, sums, task, c);
        /* A whole chunk is behind it: what is left of the tile's are inputs, and weights. */
        gr_step((CASES == GR_WEIGHED_CASES ? inputs + 1 : inputs) * GR_CHUNK);
    }
}

/* One warp adds the outputs that several computed, in the canonical order, so the sum does not
 * depend on which warp computed what. */
template <int CASES, int SHARED>
__device__ __forceinline__ void gr_add_outputs(const gr_state &s, const gr_task &task,
                                               const float *outputs) {
    const gr_params &p = s.p;
    const float *tile = gr_tile_at<CASES, SHARED>(s, task, 0);
    uint32_t lane = threadIdx.x % GR_LANES, kind = gr_kind_of(p), set = gr_set_of(task),
             chunk = gr_chunk_of(task, 0), here = gr_cases_of(task, 0);
    gr_lane_sums sums = {};
    sums.origin = outputs[0];
    for (uint32_t from = 4 * lane; from < here; from += 4 * GR_LANES) {
        float output[4], target[4], weights[CASES == GR_WEIGHED_CASES ? 4 : 1];
        gr_fetch<4>(output, outputs + from, 0);
        gr_fetch<4>(target, tile + from, p.inputs * GR_INPUT_BYTES);
        const float(&weight)[4] = gr_weights_or<CASES, 4>(weights, target);
        if constexpr (CASES == GR_WEIGHED_CASES)
            gr_fetch<4>(weights, tile + from, (p.inputs + 1) * GR_INPUT_BYTES);
        gr_border border = {from - 4 * lane + 4 * GR_LANES <= here, here - from};
        if (CASES != GR_WORD_CASES && kind == GR_SUM_CLASS_BINS)
            gr_add_fitted<CASES, 4>(s, task, output, target, weight, border, sums);
        else
            gr_add_cases<CASES, 4>(s, kind, set, output, target, weight, chunk * GR_CHUNK + from,
                                   border, sums);
    }
    gr_write_task<CASES>(s, kind, sums, task, 0);
}

#endif
