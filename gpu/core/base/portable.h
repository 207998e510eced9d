/* What both compilers need to agree on: types, function qualifiers and the idea of a lane group.
 *
 * Everything in gpu/core is plain C that cc and nvcc compile to the same arithmetic. A "lane group"
 * does one individual, or a batch of genomes: on the device a lane or a warp, on the CPU one thread
 * with lane 0 of width 1. Cooperative code loops `for (i = lane; i < n; i += width)` and separates
 * phases by gr_sync(). */
#ifndef GR_PORTABLE_H
#define GR_PORTABLE_H

#include <stddef.h>
#include <stdint.h>
#ifndef __CUDACC__
#include <math.h>
#include <string.h>
#endif

#ifdef __CUDACC__
#define GR_FN static __device__ __forceinline__
#define GR_CALL static __device__ __noinline__ /* large functions: one copy in the kernel */
#define GR_CONST static __device__ const
#define GR_BOTH                                                                                    \
    static __host__ __device__ __forceinline__ /* sizes that the launching side needs too */
#else
#define GR_BOTH GR_FN
#define GR_FN static inline __attribute__((unused))
#define GR_CALL static __attribute__((unused))
#define GR_CONST static const __attribute__((unused))
#endif

/* Before a loop of the host whose turns do not touch one another's data, though the compiler cannot
 * know. */
#ifdef __clang__
#define GR_INDEPENDENT /* it finds out, or not: it builds the fuzz targets alone */
#else
#define GR_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* What only some runs ask for, in the code of all: a file of kernels for trees of other runs alone
 * (GR_PLAIN_TREES; gpu/engine_shapes.cu, `judges`) leaves it out. */
#ifdef GR_PLAIN_TREES
#define GR_UNLESS_PLAIN(asked) 0
#else
#define GR_UNLESS_PLAIN(asked) (asked)
#endif

/* Before a loop whose turns wait for memory: the device does so many at a time; where
 * every warp goes once through its code, that takes longer to come than the memory. */
#ifdef __CUDA_ARCH__
#define GR_PRAGMA(text) _Pragma(#text)
#ifdef GR_PLAIN_TREES
#define GR_TURNS_AT_ONCE(n) GR_PRAGMA(unroll 1)
#else
#define GR_TURNS_AT_ONCE(n) GR_PRAGMA(unroll n)
#endif
#else
#define GR_TURNS_AT_ONCE(n)
#endif

/* Where lanes of a group can be many: on the device, and in tests that have fibres for them
 * (tests/warp.h, which comes before this). */
#if defined(__CUDA_ARCH__) || defined(GR_WARP_OF_FIBRES)
#define GR_HAS_WARPS
#endif

enum {
    GR_CHUNK = 1024, /* fitness cases (or words of 32 cases) summed together, see fitness.h */
    GR_LANES = 32,   /* partial sums inside a chunk */
    GR_SEGMENT = 64, /* individuals whose statistics are summed together */
    GR_SPAN = 128,   /* segments whose sums are */
    GR_MAX_STACK_LEVELS =
        24, /* stack levels any program of at most 65535 nodes can need, see linear.h */
    GR_MAX_HEIGHT = 255
};

/* A group of lanes that works on one individual. */
typedef struct gr_lane_group {
    uint32_t lane, width;
} gr_lane_group;

/* The same group, of a width that the compiler knows where a file has said how many lanes work on a
 * tree. */
GR_FN gr_lane_group gr_tree_group(gr_lane_group w) {
#ifdef GR_TREE_LANES
    w.width = GR_TREE_LANES;
    w.lane = GR_TREE_LANES == 1 ? 0 : w.lane;
#endif
    return w;
}

GR_FN void gr_sync(gr_lane_group w) {
#ifdef GR_HAS_WARPS
    if (w.width > 1)
        __syncwarp();
#else
    (void)w;
#endif
}

/* Lanes meet, and what they began to copy (gr_copy_node) is there. */
GR_FN void gr_copied(gr_lane_group w) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#elif defined(GR_WARP_OF_FIBRES)
    warp_finish_copies();
#endif
    gr_sync(w);
}

/* The value of lane 0 for all lanes of the group. */
GR_FN uint32_t gr_from_first(gr_lane_group w, uint32_t value) {
#ifdef GR_HAS_WARPS
    return w.width > 1 ? __shfl_sync(0xffffffffu, value, 0) : value;
#else
    (void)w;
    return value;
#endif
}

/* The value of lane `lane` for all lanes of the group. */
GR_FN uint32_t gr_from_lane(gr_lane_group w, uint32_t value, uint32_t lane) {
#ifdef GR_HAS_WARPS
    return w.width > 1 ? __shfl_sync(0xffffffffu, value, (int)lane) : value;
#else
    (void)w, (void)lane;
    return value;
#endif
}

/* The value of the lane that stands `distance` before this one; its own where there is none. */
GR_FN uint32_t gr_from_before(gr_lane_group w, uint32_t value, uint32_t distance) {
#ifdef GR_HAS_WARPS
    return w.width > 1 ? __shfl_up_sync(0xffffffffu, value, distance) : value;
#else
    (void)w, (void)distance;
    return value;
#endif
}

/* The value of the other lane of a pair. */
GR_FN uint32_t gr_from_neighbour(gr_lane_group w, uint32_t value) {
#ifdef GR_HAS_WARPS
    return w.width > 1 ? __shfl_xor_sync(0xffffffffu, value, 1) : value;
#else
    (void)w;
    return value;
#endif
}

/* Functions that combine the lanes' words, for all of them: by one instruction of the warp where
 * there is one, otherwise over distances. */
#define GR_COMBINE_BY_DISTANCE(combined)                                                           \
    for (uint32_t x = w.width / 2; x; x /= 2) {                                                    \
        uint32_t other = __shfl_xor_sync(0xffffffffu, value, x);                                   \
        value = combined;                                                                          \
    }
#if defined(GR_WARP_OF_FIBRES) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
#define GR_COMBINE_LANES(name, whole_warp, combined)                                               \
    GR_FN uint32_t name(gr_lane_group w, uint32_t value) {                                         \
        if (w.width == GR_LANES)                                                                   \
            return whole_warp(0xffffffffu, value);                                                 \
        GR_COMBINE_BY_DISTANCE(combined)                                                           \
        return value;                                                                              \
    }
#elif defined(__CUDA_ARCH__)
#define GR_COMBINE_LANES(name, whole_warp, combined)                                               \
    GR_FN uint32_t name(gr_lane_group w, uint32_t value) {                                         \
        GR_COMBINE_BY_DISTANCE(combined)                                                           \
        return value;                                                                              \
    }
#else
#define GR_COMBINE_LANES(name, whole_warp, combined)                                               \
    GR_FN uint32_t name(gr_lane_group w, uint32_t value) {                                         \
        (void)w;                                                                                   \
        return value;                                                                              \
    }
#endif
GR_COMBINE_LANES(gr_sum_lanes, __reduce_add_sync, value + other)
GR_COMBINE_LANES(gr_or_lanes, __reduce_or_sync, value | other) /* all bits that any of them has */
GR_COMBINE_LANES(gr_least_lane, __reduce_min_sync, other < value ? other : value)
GR_COMBINE_LANES(gr_most_lane, __reduce_max_sync, other > value ? other : value)
#undef GR_COMBINE_LANES
#undef GR_COMBINE_BY_DISTANCE

/* The same for longer numbers, modulo 2^64, from their parts. */
GR_FN uint64_t gr_sum_lanes_long(gr_lane_group w, uint64_t value) {
    uint64_t low = gr_sum_lanes(w, (uint32_t)value & 0xffffu);
    uint64_t middle = gr_sum_lanes(w, (uint32_t)value >> 16);
    uint64_t high = gr_sum_lanes(w, (uint32_t)(value >> 32));
    return low + (middle << 16) + (high << 32);
}
GR_FN uint64_t gr_least_lane_long(gr_lane_group w, uint64_t value) {
    uint32_t high = gr_least_lane(w, (uint32_t)(value >> 32));
    uint32_t low = gr_least_lane(w, (uint32_t)(value >> 32) == high ? (uint32_t)value : ~0u);
    return (uint64_t)high << 32 | low;
}

/* The sums of the values of the lanes before this one and behind it; a warp's, or 0. The shuffle
 * itself tells whether there is a lane at that distance. */
#ifdef __CUDA_ARCH__
#define GR_ADD_LANES(sum, direction, last)                                                         \
    _Pragma("unroll") for (uint32_t x = 1; x < GR_LANES; x *= 2) asm volatile(                     \
        "{ .reg .u32 other; .reg .pred there;\n\t"                                                 \
        "shfl.sync." direction ".b32 other|there, %0, %1, " last ", 0xffffffff;\n\t"               \
        "@there add.u32 %0, %0, other; }" : "+r"(sum) : "r"(x))
#endif
GR_FN uint32_t gr_sum_before(gr_lane_group w, uint32_t value) {
    uint32_t sum = value;
#ifdef GR_HAS_WARPS
    if (w.width > 1)
        GR_ADD_LANES(sum, "up", "0");
#endif
    (void)w;
    return sum - value;
}
GR_FN uint32_t gr_sum_after(gr_lane_group w, uint32_t value) {
    uint32_t sum = value;
#ifdef GR_HAS_WARPS
    if (w.width > 1)
        GR_ADD_LANES(sum, "down", "31");
#endif
    (void)w;
    return sum - value;
}

GR_FN uint32_t gr_count_bits(uint32_t word) {
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc(word);
#else
    return (uint32_t)__builtin_popcount(word);
#endif
}

GR_FN uint32_t gr_lowest_bit(uint32_t word) {
#ifdef __CUDA_ARCH__
    return (uint32_t)__ffs((int)word) - 1;
#else
    return (uint32_t)__builtin_ctz(word);
#endif
}

GR_FN uint32_t gr_highest_bit(uint64_t word) {
#ifdef __CUDA_ARCH__
    return 63u - (uint32_t)__clzll((long long)word);
#else
    return 63u - (uint32_t)__builtin_clzll(word);
#endif
}

/* Whether the value is not 0 on any lane. */
GR_FN uint32_t gr_any(gr_lane_group w, uint32_t value) {
#ifdef GR_HAS_WARPS
    return w.width > 1 ? (uint32_t)__any_sync(0xffffffffu, (int)value) : value;
#else
    (void)w;
    return value;
#endif
}

/* A bit for every lane that has `yes`. */
GR_FN uint32_t gr_vote(gr_lane_group w, uint32_t yes) {
#ifdef GR_HAS_WARPS
    if (w.width > 1)
        return __ballot_sync(0xffffffffu, (int)yes);
#endif
    (void)w;
    return yes != 0;
}

/* How many lanes have `yes`, and in *before how many of them stand before this one. */
GR_FN uint32_t gr_count_before(gr_lane_group w, uint32_t yes, uint32_t *before) {
    uint32_t all = gr_vote(w, yes);
    *before = gr_count_bits(all & ((1u << w.lane) - 1));
    return gr_count_bits(all);
}

/* Adds to a word that other lanes of the group add to as well; sums of whole numbers are the same
 * in any order. */
GR_FN void gr_add_to(uint32_t *at, uint32_t value, gr_lane_group w) {
#ifdef GR_HAS_WARPS
    if (w.width > 1) {
        atomicAdd(at, value);
        return;
    }
#endif
    (void)w;
    *at += value;
}

GR_FN float gr_bits_float(uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __uint_as_float(bits);
#else
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
#endif
}

GR_FN uint32_t gr_float_bits(float f) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(f);
#else
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
#endif
}

/* High word of a 32 x 32 bit product. */
GR_FN uint32_t gr_mulhi(uint32_t a, uint32_t b) {
    return (uint32_t)(((uint64_t)a * b) >> 32);
}

GR_BOTH uint32_t gr_min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}
GR_BOTH uint32_t gr_max_u32(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* Words read and written at once: where they stand is a multiple of 16 bytes. */
typedef struct __attribute__((aligned(16))) gr_four_words {
    uint32_t word[4];
} gr_four_words;

GR_FN gr_four_words gr_read_four(const uint32_t *at) {
#ifdef __CUDA_ARCH__
    return *(const gr_four_words *)at;
#else
    return (gr_four_words){{at[0], at[1], at[2], at[3]}};
#endif
}
GR_FN void gr_write_four(uint32_t *at, gr_four_words four) {
#ifdef __CUDA_ARCH__
    *(gr_four_words *)at = four;
#else
    memcpy(at, four.word, sizeof four.word);
#endif
}

#endif
