/* Kernel 2 for many small trees: a warp breeds as many of them at a time as it has lanes and
 * memory. */
#define GR_TREE_LANES 1 /* what is done to one tree alone */
#include "gpu/backend/engine.h"
#include "gpu/core/breeding/many_trees.h"
#include "gpu/kernels/kernels.h"

static __global__ void __launch_bounds__(GR_BREED_THREADS, GR_BREED_BLOCKS)
    breed_many_trees_kernel(const __grid_constant__ gr_state s,
                            const __grid_constant__ gr_launch launch) {
    extern __shared__ uint4 pools[];
    if (s.loop->finished)
        return;
    uint32_t generation = s.loop->next, thread = gr_scattered_thread(), n = s.p.individuals;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        gr_stamp(s.loop, generation ? GR_PHASE_SELECT : -1);
    uint32_t warp = thread / GR_LANES, warps = gridDim.x * blockDim.x / GR_LANES;
    uint32_t capacity = launch.near_nodes;
    size_t own = threadIdx.x / GR_LANES * gr_pool_bytes(capacity) / sizeof *pools;
    gr_lane_group group = {thread % GR_LANES, GR_LANES};
    gr_scratch scratch = gr_group_scratch(&s, thread, 1);
    gr_pool pool = gr_make_pool(&s.p, pools + own, capacity, group);
    uint32_t share = gr_max_u32((n + warps - 1) / warps, GR_TREES_AT_A_TIME), first = warp * share;
    if (first < n)
        gr_breed_trees(&s, generation, first, gr_min_u32(first + share, n), &pool, scratch, group);
}

const void *gr_breed_many_trees_address(void) {
    return (const void *)breed_many_trees_kernel;
}
