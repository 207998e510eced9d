/* Kernel 1 for many small trees: a warp breeds as many of them at a time as it has lanes and
 * memory. */
#define GR_TREE_LANES 1 /* what is done to one tree alone */
#include "gpu/core/breeding/many_trees.h"
#include "gpu/kernels/evolve.cuh"

template <gr_tree_sizes sizes>
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_BLOCKS)
    evolve_many_trees_kernel(const __grid_constant__ gr_state s,
                             const __grid_constant__ gr_launch launch) {
    extern __shared__ uint4 pools[];
    __shared__ uint32_t facts[GR_OP_COUNT];
    uint32_t generation = s.loop->next, thread = gr_scattered_thread(),
             n = launch.last - launch.first;
    if (!begin_breeding(s, launch))
        return;
    for (uint32_t op = threadIdx.x; op < GR_OP_COUNT; op += blockDim.x)
        facts[op] = gr_op_facts(op);
    __syncthreads();
    uint32_t warp = thread / GR_LANES, warps = gridDim.x * blockDim.x / GR_LANES;
    uint32_t share = gr_max_u32((n + warps - 1) / warps, GR_TREES_AT_A_TIME);
    uint32_t first = launch.first + gr_min_u32(warp * share, n),
             last = gr_min_u32(first + share, launch.last);
    gr_lane_group group = {thread % GR_LANES, GR_LANES};
    plan_children(s, launch, generation, first, last, group);
    uint32_t capacity = launch.near_nodes;
    size_t own = threadIdx.x / GR_LANES * gr_pool_bytes(capacity) / sizeof *pools;
    gr_pool pool = gr_make_pool(&s.p, pools + own, capacity, facts, thread - group.lane, group);
    if (first < last)
        gr_breed_trees(&s, generation, first, last, &pool, sizes, group);
}

const void *gr_evolve_many_trees_address(const gr_params *p, uint32_t near_nodes) {
    return gr_tree_sizes_of(p, near_nodes) == GR_TREES_FIT
               ? (const void *)evolve_many_trees_kernel<GR_TREES_FIT>
               : (const void *)evolve_many_trees_kernel<GR_TREES_OF_ANY_SIZE>;
}
