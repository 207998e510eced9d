/* Ways to the parents of lexicase selection, a warp each, in the kernels of one kind of epsilon,
 * GR_ONLY_EPSILON: with code for all of them a warp is short of registers and waits for
 * instructions. Each file that includes this has a kind. */
#include "gpu/kernels/lexicase.cuh"

/* Blocks of a multiprocessor that are on a way to its end: the fewer, the more registers a warp
 * has; measured (host/bench/ladders/cases.md). */
enum {
    GR_WAY_BLOCKS = GR_ONLY_EPSILON == GR_EPSILON_NONE     ? 4
                    : GR_ONLY_EPSILON == GR_EPSILON_STATIC ? 3
                                                           : 2
};

/* A warp a parent, as many as have a place to work in. One that is done takes the next: some ways
 * are a hundred times as long as others. */
__device__ __forceinline__ static uint32_t next_parent(uint32_t *taken) {
    uint32_t next = threadIdx.x % GR_LANES == 0 ? atomicAdd(taken, 1u) : 0;
    return __shfl_sync(0xffffffffu, next, 0);
}
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_WAY_BLOCKS)
    parents_kernel(const __grid_constant__ gr_state s, uint32_t *taken) {
    __shared__ uint32_t digits[GR_EVOLVE_THREADS / GR_LANES][GR_DIGITS];
    uint32_t parents = gr_lexicase_parents(&s.p), all = gr_demes(&s.p) * parents;
    uint32_t warp = warp_number();
    if (!goes_on(s) || warp >= gr_ways(&s.p, s.groups))
        return;
    for (uint32_t k = next_parent(taken); k < all; k = next_parent(taken))
        if (s.demes[k / parents].active)
            gr_find_parent(&s, s.loop->next - 1, k / parents, k % parents,
                           s.ways + (size_t)warp * gr_way_words(&s.p),
                           digits[threadIdx.x / GR_LANES], own_warp());
}

/* The same in two steps: sets of bits in shared memory, by as many warps as have place there, then
 * lists, by more. Templates, so that kinds of epsilon that have one step have no code of these. */
template <int EPSILON>
static __global__ void __launch_bounds__(GR_POOL_WARPS *GR_LANES, 1)
    pass_pools_kernel(const __grid_constant__ gr_state s, gr_rest *rest, uint32_t *lists,
                      uint32_t *taken) {
    extern __shared__ uint32_t pools[];
    __shared__ uint32_t digits[GR_POOL_WARPS][GR_DIGITS];
    uint32_t parents = gr_lexicase_parents(&s.p), all = gr_demes(&s.p) * parents,
             own = threadIdx.x / GR_LANES, warp = warp_number();
    if (!goes_on(s) || warp >= gr_ways(&s.p, s.groups))
        return;
    for (uint32_t k = next_parent(taken); k < all; k = next_parent(taken))
        if (s.demes[k / parents].active)
            gr_pass_pools(&s, s.loop->next - 1, k / parents, k % parents,
                          pools + own * gr_pool_words(&s.p),
                          s.ways + (size_t)warp * gr_way_words(&s.p), &rest[k],
                          lists + (size_t)k * gr_listed_most(&s.p), digits[own], own_warp());
}
template <int EPSILON>
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_WAY_BLOCKS)
    pass_lists_kernel(const __grid_constant__ gr_state s, const gr_rest *rest, uint32_t *lists,
                      uint32_t *taken) {
    __shared__ uint32_t digits[GR_EVOLVE_THREADS / GR_LANES][GR_DIGITS];
    uint32_t parents = gr_lexicase_parents(&s.p), all = gr_demes(&s.p) * parents,
             warp = warp_number();
    if (!goes_on(s) || warp >= gr_ways(&s.p, s.groups))
        return;
    for (uint32_t k = next_parent(taken); k < all; k = next_parent(taken))
        if (s.demes[k / parents].active)
            gr_pass_lists(&s, s.loop->next - 1, k / parents, k % parents, &rest[k],
                          lists + (size_t)k * gr_listed_most(&s.p),
                          s.ways + (size_t)warp * gr_way_words(&s.p),
                          digits[threadIdx.x / GR_LANES], own_warp());
}

/* A parent in two steps. */
template <int EPSILON>
static cudaError_t launch_steps(uint32_t list_blocks, const gr_state *state,
                                const gr_ways_launch *launch, cudaStream_t stream) {
    uint32_t warps = launch->pool_warps;
    size_t shared = warps * gr_pool_words(&state->p) * sizeof(uint32_t);
    int blocks = 0, device = 0, multiprocessors = 0;
    cudaError_t code = cudaFuncSetAttribute(
        pass_pools_kernel<EPSILON>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    if (code == cudaSuccess)
        code = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pass_pools_kernel<EPSILON>,
                                                             (int)(warps * GR_LANES), shared);
    if (code == cudaSuccess)
        code = cudaGetDevice(&device);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (code != cudaSuccess)
        return code;
    pass_pools_kernel<EPSILON><<<blocks * multiprocessors, warps * GR_LANES, shared, stream>>>(
        *state, launch->rest, launch->lists, launch->taken);
    pass_lists_kernel<EPSILON><<<list_blocks, GR_EVOLVE_THREADS, 0, stream>>>(
        *state, launch->rest, launch->lists, launch->taken + 1);
    return cudaGetLastError();
}

/* In as many steps as the launch says: two only where pools meet. */
template <int EPSILON>
static cudaError_t launch_ways(const gr_state *state, const gr_ways_launch *launch,
                               cudaStream_t stream) {
    uint32_t warps = GR_EVOLVE_THREADS / GR_LANES,
             blocks = (gr_ways(&state->p, state->groups) + warps - 1) / warps;
    if constexpr (EPSILON == GR_EPSILON_STATIC || EPSILON == GR_EPSILON_SEMI_DYNAMIC)
        if (launch->pool_warps)
            return launch_steps<EPSILON>(blocks, state, launch, stream);
    parents_kernel<<<blocks, GR_EVOLVE_THREADS, 0, stream>>>(*state, launch->taken);
    return cudaGetLastError();
}
