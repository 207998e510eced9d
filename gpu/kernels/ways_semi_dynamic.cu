/* Ways to parents by lexicase selection with semi-dynamic epsilon. */
#define GR_ONLY_EPSILON GR_EPSILON_SEMI_DYNAMIC
#include "gpu/kernels/ways.cuh"

cudaError_t gr_launch_ways_semi_dynamic(const gr_state *state, const gr_ways_launch *launch,
                                        cudaStream_t stream) {
    return launch_ways<GR_ONLY_EPSILON>(state, launch, stream);
}
