/* What some runs do once: the first generation drawn until all differ or are valid, by claims on a
 * table, round by round; the start of a ranking on all cases. */
#include "gpu/core/fitness/sample.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/kernels/stages.h"

/* ---- kernels ---- */

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    unique_kernel(const __grid_constant__ gr_state s, uint32_t round, uint32_t settles) {
    uint32_t group = gr_scattered_thread(), groups = gr_min_u32(gridDim.x * blockDim.x, s.groups);
    if (group >= groups)
        return;
    gr_scratch scratch = gr_group_scratch(&s, group, 1);
    uint32_t *codon_scratch = gr_depth_first_scratch(&s, group);
    for (uint32_t i = group; i < s.p.individuals; i += groups)
        gr_claim_or_settle(&s, i, round, settles, scratch, codon_scratch);
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    sample_kernel(const __grid_constant__ gr_state s, uint32_t generation) {
    uint32_t which = gr_positives_counter(&s.p, generation);
    for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < s.p.train_chunks * GR_CHUNK;
         k += gridDim.x * blockDim.x)
        if (gr_take_case(&s, generation, k))
            atomicAdd(&s.sample_positives[which], 1u); /* whole numbers: the same in any order */
}

static __global__ void reopen_kernel(const __grid_constant__ gr_state s) {
    for (uint32_t d = threadIdx.x; d < gr_demes(&s.p); d += blockDim.x)
        gr_reopen_deme(&s, d);
}

/* ---- launchers ---- */

cudaError_t gr_launch_unique(uint32_t groups, const gr_state *state, cudaStream_t stream) {
    const gr_params *p = &state->p;
    size_t claims = (size_t)gr_demes(p) * gr_claim_entries(p) * sizeof *state->claims;
    uint32_t blocks = groups / GR_STAGE_THREADS;
    cudaError_t code = cudaMemsetAsync(state->claims, 0xff, claims, stream);
    if (code == cudaSuccess)
        code = cudaMemsetAsync(state->attempts, 0, p->individuals * sizeof(uint32_t), stream);
    for (uint32_t round = 0; code == cudaSuccess && round < gr_claim_rounds(p); round++)
        for (uint32_t settles = 0; code == cudaSuccess && settles < 2; settles++) {
            unique_kernel<<<blocks ? blocks : 1, GR_STAGE_THREADS, 0, stream>>>(*state, round,
                                                                                settles);
            code = cudaGetLastError();
        }
    return code;
}

cudaError_t gr_launch_sample(uint32_t blocks, const gr_state *state, uint32_t generation,
                             cudaStream_t stream) {
    sample_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state, generation);
    return cudaGetLastError();
}

cudaError_t gr_launch_reopen(const gr_state *state, cudaStream_t stream) {
    reopen_kernel<<<1, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}
