/* Kernel 1 for trees, a warp a tree. */
#define GR_TREE_LANES 32
#include "gpu/core/breeding/breed.h"
#include "gpu/kernels/evolve.cuh"
#include "gpu/kernels/small_selection.cuh"

/* A warp's share of the block's dynamic shared memory (gr_evolve_near), where it makes a tree of up
 * to `capacity` nodes: nodes, scratch nodes and a path in a row. */
__device__ static gr_near near_of_warp(const gr_params &p, uint32_t capacity, gr_scratch scratch) {
    extern __shared__ gr_node near_nodes[];
    size_t share = gr_near_bytes(&p, capacity) / sizeof(gr_node);
    gr_node *own = near_nodes + threadIdx.x / GR_LANES * share;
    uint32_t growth = gr_largest_growth(&p);
    gr_near near = {};
    near.capacity = capacity > growth ? capacity - growth : 0;
    near.tree = gr_nodes{own, 1};
    near.scratch = scratch;
    near.scratch.nodes = gr_nodes{own + capacity, 1};
    near.scratch.path = gr_words{(uint32_t *)(own + 2 * capacity), 1};
    /* a new subtree has gone to its place when the tree is compiled */
    near.scratch.locations = gr_words{(uint32_t *)(own + capacity), 1};
    return near;
}

static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_WIDE_BLOCKS)
    evolve_trees_kernel(const __grid_constant__ gr_state s,
                        const __grid_constant__ gr_launch launch) {
    uint32_t generation = s.loop->next, n = launch.last - launch.first,
             blocks = gridDim.x - launch.judges;
    uint32_t warp = threadIdx.x / GR_LANES * blocks + blockIdx.x,
             warps = blocks * blockDim.x / GR_LANES;
    gr_lane_group lanes = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t share = (n + warps - 1) / warps, first = launch.first + gr_min_u32(warp * share, n),
             last = gr_min_u32(first + share, launch.last);
    if (launch.judges ? !begin_alone(s, launch, blocks, first, last) : !begin_breeding(s, launch))
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
