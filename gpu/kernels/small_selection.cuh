/* Selection in a deme so small that a grid's meeting takes longer than it: every block of kernel 1
 * finds for itself what its children need, the costs and the best, and breeds; some more blocks,
 * the judges, complete the statistics and the record beside that. Nothing is written that a block
 * still needs: the judges wait until all have told that they do not. */
#ifndef GR_SMALL_SELECTION_CUH
#define GR_SMALL_SELECTION_CUH

#include "gpu/kernels/selection.cuh"
#include "gpu/kernels/work.cuh"

/* The sums, where the block adds them up: on their way to the memory that trees are made in later,
 * if that holds them. */
__device__ __forceinline__ static const double *fetch_sums(const gr_state &s,
                                                           const gr_launch &launch) {
    extern __shared__ gr_node near_nodes[];
    uint32_t count = s.p.train_chunks * s.p.sums * s.p.individuals,
             room = GR_EVOLVE_THREADS / GR_LANES * gr_near_bytes(&s.p, launch.near_nodes) / 8;
    if (count > room || !launch.near_nodes)
        return s.sums;
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) /* 8 bytes each, as a node has */
        gr_copy_node(near_nodes + k, (const gr_node *)s.sums + k);
    return (const double *)near_nodes;
}

/* From now on kernel 2 may begin, once all blocks have come here or have ended (gr_launch.bred). */
__device__ __forceinline__ static void let_kernel_2_begin(void) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* The best individual's key, and all costs in cost[], by every block alike. A tree always has a
 * program. */
__device__ __forceinline__ static uint64_t find_best(const gr_state &s, const double *sums,
                                                     float *cost) {
    __shared__ uint64_t least[GR_EVOLVE_THREADS / GR_LANES];
    uint32_t n = s.p.individuals;
    uint64_t best = ~0ull;
    gr_copied(gr_lane_group{threadIdx.x % GR_LANES, GR_LANES});
    __syncthreads();
#pragma unroll 1 /* little code */
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        double sum[GR_MAX_SUMS], fit[2];
        gr_total(&s.p, 0, s.targets, sums, n, i, sum);
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

/* A block that breeds, the warp individual i; whether the run goes on. The warp whose child takes
 * the place of the best keeps that before. */
__device__ __forceinline__ static uint32_t judge_alone(const gr_state &s, const gr_launch &launch,
                                                       const double *sums, float *costs,
                                                       uint32_t generation, uint32_t i) {
    float before = s.demes[0].best_cost;
    uint32_t stop =
        s.loop->stop; /* which is set once all blocks have told that they have read it */
    uint32_t best = (uint32_t)find_best(s, sums, costs);
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
    let_kernel_2_begin(); /* which writes new sums */
    if (improved && best == i)
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
    launch.mailbox->published = s.loop->epoch; /* which kernel 2 leaves to this */
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
}

/* A block that does not: a warp a segment. Kernel 2 that is beside this hands over no record. */
__device__ __forceinline__ static void judge_for_all(const gr_state &s, const gr_launch &launch,
                                                     uint32_t generation, uint32_t breeders) {
    uint32_t k = threadIdx.x / GR_LANES * launch.judges + blockIdx.x - breeders,
             lane = threadIdx.x % GR_LANES, there = k < gr_segments(&s.p);
    gr_statistics statistics = gr_segment_lane(&s, generation, 0, k, lane);
    __syncthreads();
    let_kernel_2_begin();
    if (!there || !add_statistics(s, k, statistics, &statistics))
        return;
    if (lane == 0)
        finish_generation(s, launch, generation, breeders, statistics);
    __syncwarp();
    if (launch.bred) {
        hand_over(s, launch, 0, 1);
        __threadfence();
        __syncwarp();
        if (lane == 0)
            *(volatile uint32_t *)&launch.tickets->decided = generation + 1;
    }
}

#endif
