/* Kernels of stages that only some runs have, each beside the two of every generation. */
#ifndef GR_STAGES_H
#define GR_STAGES_H

#include "gpu/kernels/kernels.h"

enum { GR_STAGE_THREADS = 256 };

const void *gr_order_kernel_address(void);
/* Selection costs and order of the generation evaluated last (gpu/core/selection/order.h); before
 * kernel 1. */
cudaError_t gr_launch_order(gr_shape shape, const gr_state *state, cudaStream_t stream);
/* The cases of the generation bred last (gpu/core/fitness/sample.h); before its evaluation. */
cudaError_t gr_launch_sample(uint32_t blocks, const gr_state *state, cudaStream_t stream);
/* Thresholds of the generation evaluated last (gpu/core/fitness/class_bins.h); behind its
 * evaluation. */
cudaError_t gr_launch_fit(uint32_t blocks, const gr_state *state, const gr_launch *launch,
                          cudaStream_t stream);
/* Draws of the first generation until all differ or are valid (gpu/core/genotype/unique.h); before
 * it is bred. The state's grammar must not be NULL here: constant memory belongs to the breeding
 * kernel. */
cudaError_t gr_launch_unique(uint32_t groups, const gr_state *state, cudaStream_t stream);
/* Lets the demes of a run on samples begin their ranking on all cases (gpu/core/fitness/sample.h).
 */
cudaError_t gr_launch_reopen(const gr_state *state, cudaStream_t stream);

#endif
