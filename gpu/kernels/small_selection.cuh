/* Selection in a deme so small that a grid's meeting takes longer than it: every block of kernel 1
 * finds for itself what its children need, the costs and the best, and breeds; some more blocks,
 * the judges, complete the statistics and the record beside that. Nothing is written that a block
 * still needs: the judges wait until all have told that they do not. */
#ifndef GR_SMALL_SELECTION_CUH
#define GR_SMALL_SELECTION_CUH

#include "gpu/kernels/selection.cuh"

/* Brings to the cache what the block will add up, all at once: after that it costs no wait. */
__device__ __forceinline__ static void fetch_sums(const gr_state &s) {
    uint32_t count = s.p.train_chunks * s.p.sums * s.p.individuals;
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) {
        double sum;
        asm volatile("ld.global.f64 %0, [%1];" : "=d"(sum) : "l"(s.sums + k));
    }
}

/* The best individual's key, and all costs in cost[], by every block alike. A tree always has a
 * program. */
__device__ __forceinline__ static uint64_t find_best(const gr_state &s, float *cost) {
    __shared__ uint64_t least[GR_EVOLVE_THREADS / GR_LANES];
    uint32_t n = s.p.individuals;
    uint64_t best = ~0ull;
    fetch_sums(s);
#pragma unroll 1 /* little code */
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        double sum[GR_MAX_SUMS], fit[2];
        gr_total(&s.p, 0, s.targets, s.sums, n, i, sum);
        cost[i] = gr_cost(&s.p, sum, 0, fit);
        uint64_t key = gr_rank_key(cost[i], i);
        best = key < best ? key : best;
    }
    best = gr_least_lane_long(gr_lane_group{threadIdx.x % GR_LANES, GR_LANES}, best);
    if (threadIdx.x % GR_LANES == 0)
        least[threadIdx.x / GR_LANES] = best;
    __syncthreads();
    for (uint32_t k = 0; k < GR_EVOLVE_THREADS / GR_LANES; k++)
        best = least[k] < best ? least[k] : best;
    return best;
}

/* A block that breeds, the warp individuals [first, last); whether the run goes on. The warp whose
 * child takes the place of the best keeps that before. */
__device__ __forceinline__ static uint32_t judge_alone(const gr_state &s, const gr_launch &launch,
                                                       float *costs, uint32_t generation,
                                                       uint32_t first, uint32_t last) {
    float before = s.demes[0].best_cost;
    uint32_t stop =
        s.loop->stop; /* which is set once all blocks have told that they have read it */
    uint32_t best = (uint32_t)find_best(s, costs);
    float cost = costs[best];
    uint32_t improved = generation == 0 || cost < before;
    if (threadIdx.x == 0 && s.p.elites)
        s.elites[0] = best;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&launch.tickets->judged, 1u);
        if (blockIdx.x == 0)
            gr_stamp(s.loop, GR_PHASE_SELECT);
    }
    __syncwarp();
    if (improved && best >= first && best < last)
        gr_copy_best(&s, generation & 1, 0, best, gr_lane_group{threadIdx.x % GR_LANES, GR_LANES});
    return !stop && generation < s.p.generations &&
           gr_goes_on(&s.p, generation, improved ? cost : before, generation);
}

/* The lane that completes the deme. Blocks breed without asking anybody, so that what the host asks
 * for now ends the run with the next generation: all see it as that begins. */
__device__ static void finish_generation(const gr_state &s, const gr_launch &launch,
                                         uint32_t generation, uint32_t breeders,
                                         const gr_statistics &statistics) {
    uint32_t asked = launch.mailbox->stop;
    while (*(volatile uint32_t *)&launch.tickets->judged < breeders)
        ;
    __threadfence();
    launch.tickets->judged = 0;
    gr_finish_deme(&s, generation, 0, statistics);
    gr_decide(&s, s.demes[0].active, 0);
    if (asked && !s.loop->finished)
        s.loop->stop = 1;
    if (launch.graph)
        cudaGraphSetConditional(launch.loop, !s.loop->finished && s.loop->epoch + 1 < launch.epoch);
    __threadfence(); /* kernel 2 may begin when this block has ended, not only the grid */
}

/* A block that does not. */
__device__ __forceinline__ static void judge_for_all(const gr_state &s, const gr_launch &launch,
                                                     uint32_t generation, uint32_t breeders) {
    uint32_t judges = launch.judges * GR_EVOLVE_THREADS / GR_LANES;
    uint32_t first = threadIdx.x / GR_LANES * launch.judges + blockIdx.x - breeders;
    for (uint32_t k = first; k < gr_segments(&s.p); k += judges) {
        gr_statistics statistics;
        if (add_statistics(s, generation, k, &statistics) && threadIdx.x % GR_LANES == 0)
            finish_generation(s, launch, generation, breeders, statistics);
    }
}

/* Everything before children [first, last) are made by the warp; whether any are. costs: of the
 * block, where the launch selects. */
__device__ __forceinline__ static uint32_t begin_alone(const gr_state &s, const gr_launch &launch,
                                                       float *costs, uint32_t breeders,
                                                       uint32_t first, uint32_t last) {
    uint32_t generation = s.loop->next, goes_on = 1;
    if (!begin_generation(s))
        return 0;
    if (generation && launch.steps & GR_EVOLVE_SELECT) {
        if (blockIdx.x < breeders)
            goes_on = judge_alone(s, launch, costs, generation - 1, first, last);
        else
            judge_for_all(s, launch, generation - 1, breeders);
    }
    return blockIdx.x < breeders && goes_on && launch.steps & GR_EVOLVE_BREED;
}

#endif
