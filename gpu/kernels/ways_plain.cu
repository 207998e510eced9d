/* Ways to parents by lexicase selection without epsilon. */
#define GR_ONLY_EPSILON GR_EPSILON_NONE
#include "gpu/kernels/ways.cuh"

cudaError_t gr_launch_ways_plain(const gr_state *state, const gr_ways_launch *launch,
                                 cudaStream_t stream) {
    return launch_ways<GR_ONLY_EPSILON>(state, launch, stream);
}
