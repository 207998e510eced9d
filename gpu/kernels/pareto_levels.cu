/* Ranks of members by two objectives, of which the second has few values, for pareto.cu.
 *
 * A member's level is its second objective, and its rank that of the longest chain of members with
 * a lower x and no higher level. Level by level, from the lowest one on, m(x), which is the highest
 * rank + 1 before x up to this level, comes of that up to the level below by one pass over x:
 * m(x + 1) = max(below(x + 1), m(x) + (x is of this level)). That is a scan, for it puts functions
 * max(m + a, b) together, which are of this kind too. A block has a stretch of x and goes through
 * all levels; the next one follows a level behind it. */
#include "gpu/kernels/pareto.cuh"

enum {
    GR_LEVEL_THREADS = 512,
    GR_LEVEL_WARPS = GR_LEVEL_THREADS / GR_LANES,
    GR_BEGIN = -(1 << 30) /* a deme begins here: nothing is left of m; two of them are a number */
};

/* max(m + add, least), of m from 0 on. */
typedef struct rising {
    int add, least;
} rising;

__device__ __forceinline__ static rising then(rising first, rising second) {
    return rising{max(first.add + second.add, (int)GR_BEGIN),
                  max(first.least + second.add, second.least)};
}

/* What all lanes up to this one do. */
template <int LANES> __device__ __forceinline__ static rising up_to(rising own, uint32_t lane) {
    for (uint32_t step = 1; step < LANES; step *= 2) {
        rising before = {__shfl_up_sync(0xffffffffu, own.add, step),
                         __shfl_up_sync(0xffffffffu, own.least, step)};
        own = lane >= step ? then(before, own) : own;
    }
    return own;
}
__device__ __forceinline__ static rising of_lane(rising r, uint32_t lane) {
    return rising{__shfl_sync(0xffffffffu, r.add, lane), __shfl_sync(0xffffffffu, r.least, lane)};
}

/* A thread's members: their levels (r.levels and above: none), where demes begin, and m before
 * each, up to its own level, where that is its rank. */
template <int EACH> struct some {
    uint32_t level[EACH], begins;
    int m[EACH];
};

template <int EACH>
__device__ __forceinline__ static rising rising_of(const some<EACH> &own, uint32_t level) {
    rising all = {0, 0};
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        if (own.begins >> k & 1u)
            all = rising{GR_BEGIN, 0};
        if (own.level[k] >= level)
            all.least = max(all.least, own.m[k]);
        if (own.level[k] == level)
            all.add++, all.least++;
    }
    return all;
}
template <int EACH>
__device__ __forceinline__ static void raise(some<EACH> &own, uint32_t level, int m) {
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        m = own.begins >> k & 1u ? 0 : m;
        if (own.level[k] >= level)
            m = own.m[k] = max(own.m[k], m);
        m += own.level[k] == level;
    }
}

/* m where the stretch begins, of which the block before tells when it has it. */
__device__ __forceinline__ static int come_from(const gr_ranking &r, uint32_t stretch,
                                                uint32_t level, uint32_t lane) {
    uint32_t told = 1;
    if (stretch && lane == 0)
        while (!(told = *(const volatile uint32_t *)(r.carry + (stretch - 1) * r.levels + level)))
            ;
    return (int)__shfl_sync(0xffffffffu, told, 0) - 1;
}

template <int EACH> __device__ static some<EACH> load(const gr_ranking &r, uint32_t first) {
    some<EACH> own;
    own.begins = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        uint32_t word = first + k < r.members ? r.row[GR_PARETO_AT][first + k] : r.levels;
        own.begins |= word >> 31 << k;
        own.level[k] = word & 0x7fffffffu;
        own.m[k] = 0;
    }
    return own;
}

template <int EACH>
static __global__ void __launch_bounds__(GR_LEVEL_THREADS, 2)
    rank_levels_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r) {
    __shared__ rising part[2][GR_LEVEL_WARPS];
    const uint32_t lane = threadIdx.x % GR_LANES, warp = threadIdx.x / GR_LANES,
                   side = EACH * GR_LEVEL_THREADS, stretches = (r.members + side - 1) / side;
    if (s.loop->finished)
        return;
    for (uint32_t stretch = blockIdx.x; stretch < stretches; stretch += gridDim.x) {
        uint32_t first = stretch * side + threadIdx.x * EACH;
        some<EACH> own = load<EACH>(r, first);
        int end = 0; /* m behind the last of them */
        for (uint32_t level = 0; level < r.levels; level++) {
            rising mine = up_to<GR_LANES>(rising_of(own, level), lane);
            if (lane == GR_LANES - 1)
                part[level & 1][warp] = mine;
            __syncthreads();
            rising warps = up_to<GR_LEVEL_WARPS>(part[level & 1][lane % GR_LEVEL_WARPS], lane),
                   all = of_lane(warps, GR_LEVEL_WARPS - 1);
            int m = come_from(r, stretch, level, lane);
            end = max(end, max(m + all.add, all.least));
            if (threadIdx.x == 0)
                *(volatile uint32_t *)(r.carry + stretch * r.levels + level) = (uint32_t)end + 1;
            rising before = of_lane(warps, warp ? warp - 1 : 0);
            m = warp ? max(m + before.add, before.least) : m;
            before.add = __shfl_up_sync(0xffffffffu, mine.add, 1);
            before.least = __shfl_up_sync(0xffffffffu, mine.least, 1);
            m = lane ? max(m + before.add, before.least) : m;
            raise(own, level, m);
        }
        __syncthreads(); /* what the last level has in `part` is read */
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (own.level[k] < r.levels)
                r.row[GR_PARETO_KEY][first + k] = (uint32_t)own.m[k];
    }
}

/* ---- launcher ---- */

enum { GR_FEW_EACH = 4, GR_MANY_EACH = 16, GR_FEW_STRETCHES = 256 };

/* Small ones where that makes no more blocks than are there at a time. */
static uint32_t each_of(uint32_t members) {
    return members <= GR_FEW_STRETCHES * GR_FEW_EACH * GR_LEVEL_THREADS ? GR_FEW_EACH
                                                                        : GR_MANY_EACH;
}
uint32_t gr_level_stretches(uint32_t members) {
    uint32_t side = each_of(members) * GR_LEVEL_THREADS;
    return (members + side - 1) / side;
}

cudaError_t gr_launch_rank_levels(const gr_state *state, const gr_ranking *ranking,
                                  int multiprocessors, cudaStream_t stream) {
    void *arguments[] = {(void *)state, (void *)ranking};
    const void *kernel = each_of(ranking->members) == GR_FEW_EACH
                             ? (const void *)rank_levels_kernel<GR_FEW_EACH>
                             : (const void *)rank_levels_kernel<GR_MANY_EACH>;
    uint32_t blocks =
        gr_min_u32(gr_level_stretches(ranking->members), 2 * (uint32_t)multiprocessors);
    return cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(GR_LEVEL_THREADS), arguments, 0,
                                       stream);
}
