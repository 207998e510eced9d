/* Kernel 1 for trees of types (gpu/core/genotype/typed.h), a lane a tree. The types of all parents
 * were found before (gr_launch_type_trees). */
#define GR_TREE_LANES 1
#define GR_KEEPS_TYPES
#include "gpu/core/breeding/breed.h"
#include "gpu/kernels/evolve.cuh"

static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_BLOCKS)
    evolve_typed_trees_kernel(const __grid_constant__ gr_state s,
                              const __grid_constant__ gr_launch launch) {
    uint32_t generation = s.loop->next, thread = gr_scattered_thread(),
             n = launch.last - launch.first;
    if (!begin_breeding(s, launch))
        return;
    uint32_t warp = thread / GR_LANES, warps = gridDim.x * blockDim.x / GR_LANES;
    uint32_t share = (n + warps - 1) / warps, first = launch.first + gr_min_u32(warp * share, n),
             last = gr_min_u32(first + share, launch.last);
    const gr_lane_group lanes = {thread % GR_LANES, GR_LANES}, alone = {0, 1};
    plan_children(s, launch, generation, first, last, lanes);
    gr_scratch scratch = gr_group_scratch(&s, thread, 1);
    const gr_near none = {};
    for (uint32_t i = first + lanes.lane; i < last; i += GR_LANES)
        gr_breed_tree(&s, generation, i, scratch, &none, alone);
}

const void *gr_evolve_typed_trees_address(void) {
    return (const void *)evolve_typed_trees_kernel;
}
