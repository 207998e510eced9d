/* Kernel 1 of a generation: selection from the generation evaluated last, then its children. How
 * they are bred is the only difference between the kernels that include this; each warp draws the
 * parents of its children itself, so between the statistics and the next evaluation the grid meets
 * once (and behind every step of the elites, where there are several). */
#ifndef GR_EVOLVE_CUH
#define GR_EVOLVE_CUH

#include "gpu/core/fitness/sample.h"
#include "gpu/kernels/selection.cuh"

/* The cases of the generation bred next, where a run trains on samples. */
__device__ static void take_sample(const gr_state &s, uint32_t generation) {
    uint32_t units = s.p.train_chunks * GR_CHUNK, threads = gridDim.x * blockDim.x;
    uint32_t thread = gr_scattered_thread(), which = gr_positives_counter(&s.p, generation);
    if (!gr_sample_is_new(&s.p, generation))
        return;
    for (uint32_t k = thread; k < units; k += threads)
        if (gr_take_case(&s, generation, k))
            atomicAdd(&s.sample_positives[which], 1u); /* whole numbers: the same in any order */
    if (thread == 0)
        s.sample_positives[which ^ 1u] = 0; /* the next sample's */
}

/* Everything before children are made; whether any are. */
__device__ __forceinline__ static uint32_t begin_breeding(const gr_state &s,
                                                          const gr_launch &launch) {
    uint32_t generation = s.loop->next;
    if (!begin_generation(s))
        return 0;
    if (generation && launch.steps & GR_EVOLVE_SELECT && !select_generation<no_phases>(s, launch))
        return 0;
    if (!(launch.steps & GR_EVOLVE_BREED))
        return 0;
    if (s.p.sampling)
        take_sample(s, generation);
    return 1;
}

/* Plans of individuals [first, last), unless they are those of an earlier launch. */
__device__ __forceinline__ static void plan_children(const gr_state &s, const gr_launch &launch,
                                                     uint32_t generation, uint32_t first,
                                                     uint32_t last, gr_lane_group group) {
    if (generation && launch.steps & GR_EVOLVE_PLAN && first < last)
        gr_plan_children(&s, generation - 1, first, last, group);
}

#endif
