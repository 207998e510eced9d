/* Thresholds between classes, fitted to what an evaluation counted (gpu/core/fitness/class_bins.h).
 */
#include "gpu/backend/engine.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/kernels/stages.h"

/* ---- kernels ---- */

/* Behind an evaluation, which has counted the loop on; a last one, of test cases alone, has closed
 * it. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    fit_kernel(const __grid_constant__ gr_state s, gr_tickets *tickets) {
    if (s.loop->closed)
        return;
    for (uint32_t i = gr_scattered_thread(); i < s.p.individuals; i += gridDim.x * blockDim.x)
        gr_fit_individual(&s, s.loop->next - 1, i);
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(&tickets->done, 1u) == gridDim.x - 1) {
        tickets->done = 0;
        gr_stamp(s.loop, GR_PHASE_EVALUATE);
    }
}

/* ---- launchers ---- */

cudaError_t gr_launch_fit(uint32_t blocks, const gr_state *state, const gr_launch *launch,
                          cudaStream_t stream) {
    fit_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state, launch->tickets);
    return cudaGetLastError();
}
