/* Kernel 1 for genomes: parents and cuts, crossover, mutation, mapping and compilation. */
#include "gpu/core/breeding/many_trees.h"
#include "gpu/kernels/evolve.cuh"

/* ---- kernels ---- */

/* Words of a grammar's tables that a block copies to its shared memory: lanes of a warp look at
 * different places of them, which constant memory serves one after another. */
enum { GR_SHARED_GRAMMAR = 2048 };

/* The tables as the lanes of this block should read them. */
__device__ static const uint32_t *near_grammar(const gr_state &s) {
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

template <int KIND>
__device__ static void breed_all_genomes(const gr_state &s, const gr_launch &launch,
                                         uint32_t generation) {
    uint32_t thread = gr_scattered_thread(), lanes = GR_LANES / launch.width,
             n = launch.last - launch.first;
    uint32_t warp = thread / GR_LANES, warps = gridDim.x * blockDim.x / GR_LANES;
    uint32_t share = (n + warps - 1) / warps, most = launch.width > 1 ? lanes : GR_LARGEST_BATCH;
    uint32_t size = gr_min_u32(launch.width > 1 ? share : gr_max_u32(share, GR_LANES), most);
    gr_lane_group group = {thread % GR_LANES, GR_LANES};
    uint32_t own = warp * lanes + gr_min_u32(group.lane, lanes - 1);
    gr_scratch scratch = gr_group_scratch(&s, own, launch.width == GR_LANES ? GR_LANES : 1);
    scratch.grammar = near_grammar(s);
    uint32_t *codon_scratch =
        gr_breeds_non_depth_first(&s, KIND) ? gr_depth_first_scratch(&s, own) : NULL;
    for (uint32_t first = launch.first + warp * size; first < launch.last; first += warps * size) {
        gr_batch batch = {generation, 0, first, gr_min_u32(first + size, launch.last)};
        plan_children(s, launch, generation, batch.first, batch.last, group);
        gr_breed_genomes(&s, batch, KIND, scratch, codon_scratch, group);
    }
}

template <int KIND>
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_WIDE_BLOCKS)
    evolve_genomes_kernel(const __grid_constant__ gr_state s,
                          const __grid_constant__ gr_launch launch) {
    uint32_t generation = s.loop->next;
    if (begin_breeding(s, launch))
        breed_all_genomes<KIND>(s, launch, generation);
}

/* ---- launchers ---- */

const void *gr_evolve_kernel_address(const gr_params *p, int typed, const gr_launch *launch) {
    static const void *const genomes[GR_BREEDINGS] = {
        (const void *)evolve_genomes_kernel<GR_BREED_COMMON_STEPS>,
        (const void *)evolve_genomes_kernel<GR_BREED_ALL_STEPS>};
    if (p->genotype != GR_TREE)
        return genomes[gr_breeding_of(p)];
    if (typed)
        return gr_evolve_typed_trees_address();
    if (launch->judges)
        return gr_evolve_few_trees_address();
    return launch->width == 1 ? gr_evolve_many_trees_address(p, launch->near_nodes)
                              : gr_evolve_trees_address();
}

/* A pool of more nodes than GR_LANES trees can have is of no use. */
static size_t breed_pool(const gr_params *p, size_t available, uint32_t *nodes) {
    const size_t warps = GR_EVOLVE_THREADS / GR_LANES;
    uint32_t most = gr_min_u32(GR_LANES * p->max_nodes, GR_LARGEST_POOL);
    for (*nodes = most; *nodes >= GR_LANES; *nodes -= GR_LANES)
        if (warps * gr_pool_bytes(*nodes) <= available)
            return warps * gr_pool_bytes(*nodes);
    *nodes = 0;
    return 0;
}

size_t gr_evolve_near(const gr_params *p, uint32_t width, size_t available, uint32_t *nodes) {
    const size_t warps = GR_EVOLVE_THREADS / GR_LANES;
    uint32_t most = p->max_nodes + gr_largest_growth(p);
    size_t fixed = gr_near_bytes(p, 0), node = gr_near_bytes(p, 1) - fixed;
    uint32_t fit = available > warps * fixed ? (uint32_t)((available / warps - fixed) / node) : 0;
    if (width == 1)
        return breed_pool(p, available, nodes);
    *nodes = most < fit ? most : fit;
    return *nodes ? warps * gr_near_bytes(p, *nodes) : 0;
}

uint32_t gr_constant_words(void) {
    return GR_CONSTANT_GRAMMAR;
}

cudaError_t gr_grammar_address(const uint32_t **words) {
    return cudaGetSymbolAddress((void **)words, gr_constant_grammar);
}

cudaError_t gr_upload_grammar(const uint32_t *words, uint32_t count) {
    return cudaMemcpyToSymbol(gr_constant_grammar, words, count * sizeof(uint32_t));
}

cudaError_t gr_launch_kernel(const void *kernel, gr_shape shape, const gr_state *state,
                             const gr_launch *launch, cudaStream_t stream) {
    void *arguments[] = {(void *)state, (void *)launch};
    return cudaLaunchCooperativeKernel(kernel, dim3(shape.blocks), dim3(shape.threads), arguments,
                                       shape.shared, stream);
}
