/* Children from their plans: crossover, mutation, mapping and compilation. */
#include "core/breed_indirect.h"
#include "engine.h"
#include "kernels.h"

/* ---- kernels
 * -------------------------------------------------------------------------------------------------
 */

/* Words of a grammar's tables that a block copies to its shared memory: lanes of a warp look at
 * different places of them, which constant memory serves one after another. */
enum { GR_SHARED_GRAMMAR = 2048 };

/* The tables as the lanes of this block should read them. */
__device__ static const uint32_t *gr_near_grammar(const gr_state &s) {
    __shared__ __align__(8) uint32_t near[GR_SHARED_GRAMMAR];
    const uint32_t *far = gr_grammar_at(s.grammar);
    uint32_t words = far[GR_G_WORDS];
    if (words > GR_SHARED_GRAMMAR)
        return s.grammar;
    for (uint32_t k = threadIdx.x; k < words; k += blockDim.x)
        near[k] = far[k];
    __syncthreads();
    return near;
}

/* A warp breeds a batch of genomes at a time: its share, as long as that is not so large that the
 * batch leaves the cache. `width` lanes share one, so that few genomes occupy all warps. */
enum { GR_LARGEST_BATCH = 512 };

template <int INDIRECT>
__device__ static void gr_breed_all_genomes(const gr_state &s, uint32_t generation,
                                            uint32_t width) {
    uint32_t thread = gr_spread_thread(), lanes = GR_LANES / width, n = s.p.individuals;
    uint32_t warp = thread / GR_LANES, warps = gridDim.x * blockDim.x / GR_LANES;
    uint32_t share = gr_min_u32(gr_max_u32((n + warps - 1) / warps, GR_LANES), GR_LARGEST_BATCH);
    uint32_t batch = width > 1 ? lanes : share;
    gr_worker worker = {thread % GR_LANES, GR_LANES};
    uint32_t own = warp * lanes + gr_min_u32(worker.lane, lanes - 1);
    gr_scratch scratch = gr_worker_scratch(&s, own, 1);
    scratch.grammar = gr_near_grammar(s);
    for (uint32_t first = warp * batch; first < n; first += warps * batch)
        if (INDIRECT)
            gr_breed_indirect(&s, generation, first, gr_min_u32(first + batch, n), scratch,
                              gr_straight_room(&s, own), worker);
        else
            gr_breed_genomes(&s, generation, first, gr_min_u32(first + batch, n), scratch, worker);
}

/* Nodes of a tree that a warp makes in shared memory. */
enum { GR_NEAR_NODES = 320 };
struct gr_near_room {
    gr_node tree[GR_NEAR_NODES], nodes[GR_NEAR_NODES];
    uint32_t path[GR_MAX_HEIGHT - 1];
};

__device__ static gr_near gr_near_of_warp(gr_near_room *room) {
    gr_near near = {};
    near.capacity = GR_NEAR_NODES;
    near.tree = gr_nodes{room->tree, 1};
    near.scratch.nodes = gr_nodes{room->nodes, 1};
    near.scratch.path = gr_words{room->path, 1};
    /* two words a node; a new subtree has gone to its place when the tree is compiled */
    near.scratch.places = gr_words{(uint32_t *)room->nodes, 1};
    return near;
}

/* A warp or a lane breeds a tree at a time. */
__device__ static void gr_breed_all_trees(const gr_state &s, uint32_t generation, uint32_t width) {
    __shared__ gr_near_room rooms[GR_BREED_THREADS / GR_LANES];
    uint32_t thread = gr_spread_thread();
    uint32_t worker = thread / width, workers = gridDim.x * blockDim.x / width;
    gr_worker lanes = {thread % width, width};
    gr_scratch scratch = gr_worker_scratch(&s, worker, width);
    gr_near near = gr_near_of_warp(&rooms[threadIdx.x / GR_LANES]);
    if (width == 1)
        near.capacity = 0;
    for (uint32_t i = worker; i < s.p.individuals; i += workers)
        gr_breed_tree(&s, generation, i, scratch, &near, lanes);
}

enum { GR_BREEDS_GENOMES, GR_BREEDS_TREES, GR_BREEDS_INDIRECT };

template <int KIND>
static __global__ void __launch_bounds__(GR_BREED_THREADS, 3)
    gr_breed_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {
    if (s.loop->finished)
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        gr_stamp(s.loop, s.loop->next ? GR_PHASE_SELECT : -1);
    if (KIND == GR_BREEDS_TREES)
        gr_breed_all_trees(s, s.loop->next, launch.width);
    else
        gr_breed_all_genomes<KIND == GR_BREEDS_INDIRECT>(s, s.loop->next, launch.width);
}

/* ---- launchers
 * -----------------------------------------------------------------------------------------------
 */

const void *gr_breed_kernel_address(const gr_params *p) {
    return p->genotype == GR_TREE          ? (const void *)gr_breed_kernel<GR_BREEDS_TREES>
           : gr_is_indirect(p->convention) ? (const void *)gr_breed_kernel<GR_BREEDS_INDIRECT>
                                           : (const void *)gr_breed_kernel<GR_BREEDS_GENOMES>;
}

uint32_t gr_constant_words(void) {
    return GR_CONSTANT_GRAMMAR;
}

cudaError_t gr_breed_grammar(const uint32_t *words, uint32_t count) {
    return cudaMemcpyToSymbol(gr_constant_grammar, words, count * sizeof(uint32_t));
}
