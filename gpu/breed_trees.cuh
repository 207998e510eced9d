/* Kernel 2 for trees: children from their plans, GR_TREE_LANES lanes a tree. The file that includes
 * this says how many: the code for one width is small enough for the instruction cache, that for
 * any is not. */
#include "core/breed.h"
#include "engine.h"
#include "kernels.h"

/* A worker's share of the block's dynamic shared memory (gr_breed_near), where it makes a tree of
 * up to `capacity` nodes. A warp has nodes, scratch nodes and a path in a row; lanes have nodes and
 * places, interleaved, and the rest in the scratch memory. */
__device__ static gr_near gr_near_of_worker(const gr_params &p, uint32_t capacity,
                                            gr_scratch scratch) {
    extern __shared__ gr_node rooms[];
    size_t room = gr_near_bytes(&p, GR_TREE_LANES, capacity) / sizeof(gr_node);
    gr_node *own = rooms + threadIdx.x / GR_LANES * room;
    uint32_t growth = gr_largest_growth(&p);
    gr_near near = {};
    near.capacity = capacity > growth ? capacity - growth : 0;
    near.scratch = scratch;
    if (GR_TREE_LANES == 1) {
        uint32_t lane = threadIdx.x % GR_LANES;
        near.tree = gr_nodes{own + lane, GR_LANES};
        near.scratch.places = gr_words{(uint32_t *)(own + GR_LANES * capacity) + lane, GR_LANES};
        return near;
    }
    near.tree = gr_nodes{own, 1};
    near.scratch.nodes = gr_nodes{own + capacity, 1};
    near.scratch.path = gr_words{(uint32_t *)(own + 2 * capacity), 1};
    /* a new subtree has gone to its place when the tree is compiled */
    near.scratch.places = gr_words{(uint32_t *)(own + capacity), 1};
    return near;
}

static __global__ void __launch_bounds__(GR_BREED_THREADS, GR_BREED_BLOCKS)
    gr_breed_trees_kernel(const __grid_constant__ gr_state s,
                          const __grid_constant__ gr_launch launch) {
    if (s.loop->finished)
        return;
    uint32_t generation = s.loop->next, thread = gr_spread_thread();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        gr_stamp(s.loop, generation ? GR_PHASE_SELECT : -1);
    uint32_t worker = thread / GR_TREE_LANES, workers = gridDim.x * blockDim.x / GR_TREE_LANES;
    gr_worker lanes = {thread % GR_TREE_LANES, GR_TREE_LANES};
    gr_scratch scratch = gr_worker_scratch(&s, worker, GR_TREE_LANES);
    gr_near near = gr_near_of_worker(s.p, launch.near_nodes, scratch);
    for (uint32_t i = worker; i < s.p.individuals; i += workers)
        gr_breed_tree(&s, generation, i, scratch, &near, lanes);
}
