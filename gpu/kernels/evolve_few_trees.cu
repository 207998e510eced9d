/* Kernel 1 for one deme of few trees, a warp a tree. A warp goes through its code once a generation
 * and waits for most of it, so that there is nothing here that only other runs need. Kernel 2 may
 * begin beside it (gr_launch.bred). */
#define GR_PLAIN_TREES
#include "gpu/kernels/evolve_trees.cuh"

#include "gpu/kernels/small_selection.cuh"

/* ---- which tree ---- */

enum { GR_WARPS = GR_EVOLVE_THREADS / GR_LANES };

/* Notes for the generation to come whether mutation may give tree i a new subtree, which takes as
 * long as all else. */
__device__ __forceinline__ static void note_growth(const gr_state &s, const gr_launch &launch,
                                                   uint32_t generation, uint32_t i) {
    gr_random r = gr_stream(&s.p, GR_PURPOSE_MUTATION, generation, 0, i);
    uint32_t grows = (gr_draw_mutations(&s.p, &r) & GR_MUTATIONS_THAT_GROW) != 0;
    if (threadIdx.x % GR_LANES == 0)
        launch.grows[(generation & 1) * s.p.individuals + i] = (uint8_t)grows;
}

/* The sum of what the threads before this one have, and of all. */
__device__ __forceinline__ static uint32_t sum_of_block(uint32_t value, uint32_t *all) {
    __shared__ uint32_t of_warp[GR_WARPS];
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t before = gr_sum_before(w, value), sum = 0;
    if (w.lane == GR_LANES - 1)
        of_warp[threadIdx.x / GR_LANES] = before + value;
    __syncthreads();
    for (uint32_t k = 0; k < GR_WARPS; k++) {
        before += k < threadIdx.x / GR_LANES ? of_warp[k] : 0;
        sum += of_warp[k];
    }
    *all = sum;
    return before;
}

/* The tree of this warp, or GR_NOBODY. Those that take long stand together, behind all others: a
 * multiprocessor has room for all of kernel 2 once a block is done. */
__device__ __forceinline__ static uint32_t tree_of_warp(const gr_state &s, const gr_launch &launch,
                                                        uint32_t generation) {
    __shared__ uint32_t own[GR_WARPS];
    uint32_t n = s.p.individuals, each = (n + GR_EVOLVE_THREADS - 1) / GR_EVOLVE_THREADS;
    uint32_t first = gr_min_u32(threadIdx.x * each, n), last = gr_min_u32(first + each, n);
    uint32_t long_ones = 0, quick;
    if (threadIdx.x < GR_WARPS)
        own[threadIdx.x] = GR_NOBODY;
    for (uint32_t i = first; launch.bred && i < last; i++)
        long_ones |= (uint32_t)launch.grows[(generation & 1) * n + i] << (i - first);
    uint32_t before = sum_of_block(last - first - gr_count_bits(long_ones), &quick),
             behind = quick + first - before;
    for (uint32_t i = first; i < last; i++) {
        uint32_t at = long_ones >> (i - first) & 1u ? behind++ : before++;
        if (at / GR_WARPS == blockIdx.x)
            own[at % GR_WARPS] = i;
    }
    __syncthreads();
    return own[threadIdx.x / GR_LANES];
}

/* ---- what kernel 2 is told ---- */

/* A place among those that kernel 2 takes individuals from: large trees and those that come late
 * stand in front, where somebody waits for them. The mean size is that of some generation before.
 */
__device__ __forceinline__ static uint32_t take_place(const gr_state &s, const gr_launch &launch,
                                                      uint32_t generation, uint32_t i,
                                                      uint32_t length) {
    uint32_t n = s.p.individuals;
    uint64_t sum = *(volatile const uint64_t *)&s.records[0].statistics.sum[GR_SIZE_LENGTH];
    if (!launch.bred || threadIdx.x % GR_LANES)
        return 0;
    if ((uint64_t)length * n >= sum || launch.grows[(generation & 1) * n + i])
        return atomicAdd(&launch.tickets->places[0], 1u);
    return n - 1 - atomicAdd(&launch.tickets->places[1], 1u);
}

/* Tells that the warp has bred individual i, and when: the last time counts. */
__device__ __forceinline__ static void tell_bred(const gr_launch &launch, uint32_t place,
                                                 uint64_t told) {
    unsigned long long now;
    __syncwarp();
    if (!launch.bred || threadIdx.x % GR_LANES)
        return;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    atomicMax(&launch.tickets->last_told, now);
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(launch.bred + place), "l"(told)
                 : "memory");
}

/* ---- the kernel ---- */

/* Whether the generation before lets this one be bred. */
__device__ __forceinline__ static uint32_t selects(const gr_state &s, const gr_launch &launch,
                                                   uint32_t generation, uint32_t breeders,
                                                   uint32_t i, const double *sums, float *cost) {
    if (!generation || !(launch.steps & GR_EVOLVE_SELECT)) {
        __syncthreads(); /* all warps have read which generation it is */
        let_kernel_2_begin();
        return 1;
    }
    if (blockIdx.x < breeders)
        return judge_alone(s, launch, sums, cost, generation - 1, i);
    judge_for_all(s, launch, generation - 1, breeders);
    return 0;
}

static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_WIDE_BLOCKS)
    evolve_few_trees_kernel(const __grid_constant__ gr_state s,
                            const __grid_constant__ gr_launch launch) {
    __shared__ float cost[GR_FEW_TREES];
    uint32_t generation = s.loop->next, breeders = gridDim.x - launch.judges, i = GR_NOBODY;
    gr_lane_group lanes = {threadIdx.x % GR_LANES, GR_LANES};
    if (!begin_generation(s))
        return;
    const double *sums = NULL;
    if (blockIdx.x < breeders) {
        if (generation && launch.steps & GR_EVOLVE_SELECT) /* which waits for them */
            sums = fetch_sums(s, launch);
        i = tree_of_warp(s, launch, generation);
        if (launch.bred && i != GR_NOBODY)
            note_growth(s, launch, generation + 1, i);
    }
    uint32_t breeds =
        selects(s, launch, generation, breeders, i, sums, cost) && launch.steps & GR_EVOLVE_BREED;
    if (i == GR_NOBODY)
        return;
    gr_plan plan = {};
    if (breeds && generation)
        plan = launch.steps & GR_EVOLVE_PLAN ? gr_plan_child(&s, cost, generation - 1, i, lanes)
                                             : s.plans[i];
    uint32_t place = take_place(s, launch, generation, i, plan.length), instructions = 0;
    if (breeds) {
        uint32_t warp = threadIdx.x / GR_LANES * breeders + blockIdx.x;
        gr_scratch scratch = gr_group_scratch(&s, warp, GR_LANES);
        gr_near near = near_of_warp(s.p, launch.near_nodes, scratch);
        instructions = gr_breed_planned_tree(&s, generation, i, plan, scratch, &near, lanes);
    }
    tell_bred(launch, place, GR_TOLD(generation, i, instructions));
}

const void *gr_evolve_few_trees_address(void) {
    return (const void *)evolve_few_trees_kernel;
}
