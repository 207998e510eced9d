/* What the kernels 1 have in common that breed trees, a warp a tree. */
#ifndef GR_EVOLVE_TREES_CUH
#define GR_EVOLVE_TREES_CUH

#define GR_TREE_LANES 32
#include "gpu/core/breeding/breed.h"
#include "gpu/kernels/kernels.h"

/* A warp's share of the block's dynamic shared memory (gr_evolve_near), where it makes a tree of up
 * to `capacity` nodes: nodes, scratch nodes and a path in a row. */
__device__ __forceinline__ static gr_near near_of_warp(const gr_params &p, uint32_t capacity,
                                                       gr_scratch scratch) {
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

#endif
