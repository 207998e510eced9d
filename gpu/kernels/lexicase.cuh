/* What the kernels of lexicase selection (lexicase.cu, ways.cuh) share. */
#ifndef GR_LEXICASE_CUH
#define GR_LEXICASE_CUH

#include "gpu/core/lexicase/lexicase.h"
#include "gpu/kernels/selection.cuh"

/* Warps of a block that have a pool each in shared memory, at most. */
enum { GR_POOL_WARPS = 16 };

/* How parents are found. */
struct gr_ways_launch {
    uint32_t pool_warps; /* in two steps, sets of bits by so many warps a block; 0: in one */
    uint32_t *taken;     /* [2] parents, in either step */
    gr_rest *rest;       /* [all parents] between the steps */
    uint32_t *lists;     /* [all parents][gr_listed_most] */
};

/* A kind of epsilon each, for each has code of its own (ways.cuh). */
cudaError_t gr_launch_ways_plain(const gr_state *state, const gr_ways_launch *launch,
                                 cudaStream_t stream);
cudaError_t gr_launch_ways_static(const gr_state *state, const gr_ways_launch *launch,
                                  cudaStream_t stream);
cudaError_t gr_launch_ways_semi_dynamic(const gr_state *state, const gr_ways_launch *launch,
                                        cudaStream_t stream);
cudaError_t gr_launch_ways_dynamic(const gr_state *state, const gr_ways_launch *launch,
                                   cudaStream_t stream);

__device__ __forceinline__ static gr_lane_group own_warp(void) {
    return gr_lane_group{threadIdx.x % GR_LANES, GR_LANES};
}
__device__ __forceinline__ static uint32_t warp_number(void) {
    return gr_scattered_thread() / GR_LANES;
}
__device__ __forceinline__ static uint32_t all_warps(void) {
    return gridDim.x * (blockDim.x / GR_LANES);
}

/* Whether a generation goes on, behind its selection. */
__device__ __forceinline__ static uint32_t goes_on(const gr_state &s) {
    return !s.loop->finished && s.loop->next;
}

#endif
