/* What measurements need beside the run: trees put in from outside, costs without a selection, and
 * the device's issue limit. */
#include "gpu/core/breeding/breed.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/selection/select.h"
#include "gpu/kernels/kernels.h"

/* Trees [n][max_nodes] in the state's buffer become individuals and programs. */
static __global__ void compile_kernel(const __grid_constant__ gr_state s, uint32_t generation,
                                      const uint32_t *lengths, uint32_t width) {
    uint32_t thread = gr_scattered_thread(), groups = gridDim.x * blockDim.x / width;
    gr_lane_group lanes = {thread % width, width};
    gr_scratch scratch = gr_group_scratch(&s, thread / width, width);
    for (uint32_t i = thread / width; i < s.p.individuals; i += groups) {
        gr_nodes tree = gr_tree(&s, generation & 1, i);
        uint32_t length = lengths[i];
        if (lanes.lane == 0)
            gr_annotate(tree, length);
        gr_sync(lanes);
        gr_compile(tree, length, scratch.locations, gr_program(&s, i), lanes);
        if (lanes.lane == 0)
            s.individuals[generation & 1][i] = gr_tree_individual(GR_AT(tree, length - 1));
    }
}

static __global__ void cost_kernel(const __grid_constant__ gr_state s, uint32_t generation) {
    uint32_t threads = gridDim.x * blockDim.x;
    double fit[2];
    for (uint32_t i = gr_scattered_thread(); i < s.p.individuals; i += threads) {
        if (s.class_bins)
            gr_fit_individual(&s, generation, i);
        s.cost[i] = gr_evaluated_cost(&s, generation, i, fit);
    }
}

/* As many dependent chains a thread as keep every scheduler busy, of one multiply-add each: what
 * the device can issue. */
enum { GR_CHAINS = 8, GR_ROUNDS = 4096 };
static __global__ void issue_kernel(float *out, float a, float b) {
    float x[GR_CHAINS];
#pragma unroll
    for (int k = 0; k < GR_CHAINS; k++)
        x[k] = (float)(threadIdx.x + (unsigned)k);
#pragma unroll 1
    for (int i = 0; i < GR_ROUNDS / 16; i++)
#pragma unroll
        for (int k = 0; k < 16 * GR_CHAINS; k++)
            x[k % GR_CHAINS] = __fmaf_rn(x[k % GR_CHAINS], a, b);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < GR_CHAINS; k++)
        sum += x[k];
    if (sum == 1234.5f)
        *out = sum; /* never; keeps the work */
}

/* ---- launchers ---- */

cudaError_t gr_compile_trees(const gr_state *state, uint32_t generation, const uint32_t *lengths,
                             uint32_t width, gr_shape evolve, cudaStream_t stream) {
    compile_kernel<<<evolve.blocks, evolve.threads, 0, stream>>>(*state, generation, lengths,
                                                                 width);
    return cudaGetLastError();
}

cudaError_t gr_finish_costs(const gr_state *state, uint32_t generation, cudaStream_t stream) {
    cost_kernel<<<(state->p.individuals + 255) / 256, 256, 0, stream>>>(*state, generation);
    return cudaGetLastError();
}

cudaError_t gr_issue_rate(int multiprocessors, cudaStream_t stream, double *rate) {
    cudaEvent_t start = NULL, end = NULL;
    cudaError_t code = cudaEventCreate(&start);
    float best = 0.0f, milliseconds = 0.0f, *nowhere = NULL;
    int blocks = 2 * multiprocessors, threads = 1024;
    if (!code)
        code = cudaEventCreate(&end);
    for (int k = 0; k < 5 && !code; k++) {
        cudaEventRecord(start, stream);
        issue_kernel<<<blocks, threads, 0, stream>>>(nowhere, 0.5f, 0.25f);
        cudaEventRecord(end, stream);
        if (!(code = cudaEventSynchronize(end)) &&
            !(code = cudaEventElapsedTime(&milliseconds, start, end)) &&
            (k == 0 || milliseconds < best))
            best = milliseconds;
    }
    if (start)
        cudaEventDestroy(start);
    if (end)
        cudaEventDestroy(end);
    if (!code)
        *rate = (double)blocks * threads * GR_ROUNDS * GR_CHAINS / (1e-3 * (double)best);
    return code;
}
