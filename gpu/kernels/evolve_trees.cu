/* Kernel 1 for trees, a warp a tree. */
#include "gpu/kernels/evolve_trees.cuh"

#include "gpu/kernels/evolve.cuh"

static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_WIDE_BLOCKS)
    evolve_trees_kernel(const __grid_constant__ gr_state s,
                        const __grid_constant__ gr_launch launch) {
    uint32_t generation = s.loop->next;
    gr_lane_group lanes = {threadIdx.x % GR_LANES, GR_LANES};
    tree_share share = share_of_warp(launch, gridDim.x);
    if (!begin_breeding(s, launch))
        return;
    plan_children(s, launch, generation, share.first, share.last, lanes);
    gr_scratch scratch = gr_group_scratch(&s, share.warp, GR_LANES);
    gr_near near = near_of_warp(s.p, launch.near_nodes, scratch);
    for (uint32_t i = share.first; i < share.last; i++)
        gr_breed_tree(&s, generation, i, scratch, &near, lanes);
}

const void *gr_evolve_trees_address(void) {
    return (const void *)evolve_trees_kernel;
}
