/* Kernel 1 for trees, a warp a tree. */
#include "gpu/kernels/evolve_trees.cuh"

#include "gpu/kernels/evolve.cuh"

static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_WIDE_BLOCKS)
    evolve_trees_kernel(const __grid_constant__ gr_state s,
                        const __grid_constant__ gr_launch launch) {
    uint32_t generation = s.loop->next, thread = gr_scattered_thread(),
             n = launch.last - launch.first;
    uint32_t warp = thread / GR_LANES, warps = gridDim.x * blockDim.x / GR_LANES;
    gr_lane_group lanes = {thread % GR_LANES, GR_LANES};
    uint32_t share = (n + warps - 1) / warps, first = launch.first + gr_min_u32(warp * share, n),
             last = gr_min_u32(first + share, launch.last);
    if (!begin_breeding(s, launch))
        return;
    plan_children(s, launch, generation, first, last, lanes);
    gr_scratch scratch = gr_group_scratch(&s, warp, GR_LANES);
    gr_near near = near_of_warp(s.p, launch.near_nodes, scratch);
    for (uint32_t i = first; i < last; i++)
        gr_breed_tree(&s, generation, i, scratch, &near, lanes);
}

const void *gr_evolve_trees_address(void) {
    return (const void *)evolve_trees_kernel;
}
