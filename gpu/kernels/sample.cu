/* The cases of a generation, where a run trains on samples; the start of its ranking on all. */
#include "gpu/core/fitness/sample.h"
#include "gpu/kernels/stages.h"

/* ---- kernels ---- */

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    sample_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = s.loop->next, units = s.p.train_chunks * GR_CHUNK;
    if (s.loop->finished || !gr_sample_is_new(&s.p, generation))
        return;
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x,
             which = gr_positives_counter(&s.p, generation);
    for (uint32_t k = thread; k < units; k += gridDim.x * blockDim.x)
        if (gr_take_case(&s, generation, k))
            atomicAdd(&s.sample_positives[which], 1u); /* whole numbers: the same in any order */
    if (thread == 0)
        s.sample_positives[which ^ 1u] = 0; /* the next sample's */
}

static __global__ void reopen_kernel(const __grid_constant__ gr_state s) {
    for (uint32_t d = threadIdx.x; d < gr_demes(&s.p); d += blockDim.x)
        gr_reopen_deme(&s, d);
}

/* ---- launchers ---- */

cudaError_t gr_launch_sample(uint32_t blocks, const gr_state *state, cudaStream_t stream) {
    sample_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

cudaError_t gr_launch_reopen(const gr_state *state, cudaStream_t stream) {
    reopen_kernel<<<1, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}
