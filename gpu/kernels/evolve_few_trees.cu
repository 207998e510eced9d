/* Kernel 1 for one deme of few trees, a warp a tree. A warp goes through its code once a generation
 * and waits for most of it, so that there is nothing here that only other runs need. Kernel 2 may
 * begin beside it (gr_launch.bred). */
#include "gpu/kernels/evolve_trees.cuh"

#include "gpu/kernels/small_selection.cuh"

/* What judges() in gpu/engine_shapes.cu asks of a run with judges; the compiler leaves out the rest. */
__device__ __forceinline__ static void assume_plain(const gr_state &s) {
    __builtin_assume(s.p.genotype == GR_TREE && s.p.runs == 1 && s.p.islands == 1);
    __builtin_assume(s.p.population <= GR_FEW_TREES && s.p.elites <= 1);
    __builtin_assume(!s.p.torus && !s.p.restart_after && !s.p.sampling && !s.p.stagnation);
    __builtin_assume(!s.p.optimise && s.p.invalid == GR_INVALID_WORST && !s.p.first_island);
    __builtin_assume(!s.types && !s.niches && !s.parents && !s.selection_cost && !s.standing);
    __builtin_assume(!s.validating && !s.class_bins && !s.fitted && !s.leaders);
}

/* From now on kernel 2 may begin, once all blocks have come here or have ended. */
__device__ __forceinline__ static void let_kernel_2_begin(void) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Tells that the warp has bred individual i, and when: the last time counts. */
__device__ __forceinline__ static void tell_bred(const gr_launch &launch, uint32_t generation,
                                                 uint32_t i) {
    unsigned long long now;
    __syncwarp();
    if (!launch.bred || threadIdx.x % GR_LANES)
        return;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    atomicMax(&launch.tickets->last_bred, now);
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(launch.bred + i), "r"(generation + 1)
                 : "memory");
}

static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_WIDE_BLOCKS)
    evolve_few_trees_kernel(const __grid_constant__ gr_state s,
                            const __grid_constant__ gr_launch launch) {
    __shared__ float cost[GR_FEW_TREES];
    uint32_t generation = s.loop->next, blocks = gridDim.x - launch.judges,
             plans = generation && launch.steps & GR_EVOLVE_PLAN;
    gr_lane_group lanes = {threadIdx.x % GR_LANES, GR_LANES};
    tree_share share = share_of_warp(launch, blocks);
    assume_plain(s);
    if (!begin_alone(s, launch, cost, blocks, share.first, share.last))
        return;
    let_kernel_2_begin();
    gr_scratch scratch = gr_group_scratch(&s, share.warp, GR_LANES);
    gr_near near = near_of_warp(s.p, launch.near_nodes, scratch);
#pragma unroll 1
    for (uint32_t i = share.first; i < share.last; i++) {
        gr_plan plan =
            plans ? gr_plan_child(&s, cost, generation - 1, i, lanes) : s.plans[i];
        gr_breed_planned_tree(&s, generation, i, plan, scratch, &near, lanes);
        tell_bred(launch, generation, i);
    }
}

const void *gr_evolve_few_trees_address(void) {
    return (const void *)evolve_few_trees_kernel;
}
