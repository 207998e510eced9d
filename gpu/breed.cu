/* Children from their plans: crossover, mutation, mapping and compilation. */
#include "core/breed.h"
#include "kernels.h"

/* ---- kernels
 * -------------------------------------------------------------------------------------------------
 */

__device__ static void gr_breed_all(const gr_state &s, uint32_t generation, uint32_t width) {
    uint32_t thread = gr_spread_thread();
    uint32_t worker = thread / width, workers = gridDim.x * blockDim.x / width;
    gr_worker lanes = {thread % width, width};
    gr_scratch scratch = gr_worker_scratch(&s, worker, width);
    for (uint32_t i = worker; i < s.p.individuals; i += workers)
        gr_breed_child(&s, generation, i, scratch, lanes);
}

static __global__ void __launch_bounds__(GR_BREED_THREADS, 2)
    gr_breed_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {
    if (s.loop->finished)
        return;
    gr_breed_all(s, s.loop->next, launch.width);
}

/* ---- launchers
 * -----------------------------------------------------------------------------------------------
 */

const void *gr_breed_kernel_address(void) {
    return (const void *)gr_breed_kernel;
}

uint32_t gr_constant_words(void) {
    return GR_CONSTANT_GRAMMAR;
}

cudaError_t gr_breed_grammar(const uint32_t *words, uint32_t count) {
    return cudaMemcpyToSymbol(gr_constant_grammar, words, count * sizeof(uint32_t));
}
