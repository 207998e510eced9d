/* Duplicates that are mutated (gpu/core/breeding/known.h), behind kernel 1 of runs that ask for it:
 * a lane an individual, and the grid meets between the steps of a round. It is a kernel of its own,
 * so that kernel 1 of other runs has none of it. */
#include "gpu/core/breeding/known.h"
#include "gpu/kernels/stages.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

/* Tables that are full are emptied. */
__device__ static void begin_known(const gr_state &s, uint32_t thread, uint32_t threads) {
    cg::grid_group grid = cg::this_grid();
    for (uint32_t deme = 0; deme < gr_demes(&s.p); deme++)
        if (gr_forgets_known(&s, deme))
            for (uint32_t k = thread; k < gr_known_entries(&s.p); k += threads)
                gr_clear_known(&s, deme, k);
    grid.sync();
    for (uint32_t deme = thread; deme < gr_demes(&s.p); deme += threads)
        gr_begin_known(&s, deme);
    grid.sync();
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    known_kernel(const __grid_constant__ gr_state s) {
    cg::grid_group grid = cg::this_grid();
    uint32_t generation = s.loop->next, thread = gr_scattered_thread();
    uint32_t threads = (uint32_t)grid.size(), groups = gr_min_u32(threads, s.groups);
    for (uint32_t deme = thread; deme < gr_demes(&s.p); deme += threads)
        gr_tell_known(&s, deme);
    if (s.loop->finished)
        return;
    gr_scratch scratch = gr_group_scratch(&s, gr_min_u32(thread, groups - 1), 1);
    uint32_t *codon_scratch = gr_depth_first_scratch(&s, gr_min_u32(thread, groups - 1));
    begin_known(s, thread, threads);
    for (uint32_t round = 0, left = 1; left; round++) {
        for (uint32_t i = thread; thread < groups && i < s.p.individuals; i += groups)
            gr_enter_phenotype(&s, generation, round, i, scratch, codon_scratch);
        if (thread == 0) /* read behind the round before the last */
            *gr_known_open(&s, round) = 0;
        grid.sync();
        for (uint32_t i = thread; thread < groups && i < s.p.individuals; i += groups)
            gr_settle_phenotype(&s, generation, round, i, scratch, codon_scratch);
        grid.sync();
        left = *(volatile uint32_t *)gr_known_open(&s, round);
    }
}

cudaError_t gr_launch_known(int multiprocessors, const gr_state *state, cudaStream_t stream) {
    int resident = 0;
    void *arguments[] = {(void *)state};
    cudaError_t code =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, known_kernel, GR_STAGE_THREADS, 0);
    uint32_t most = (uint32_t)(gr_max_u32((uint32_t)resident, 1) * (uint32_t)multiprocessors);
    uint32_t wanted = (state->p.individuals + GR_STAGE_THREADS - 1) / GR_STAGE_THREADS;
    return code == cudaSuccess
               ? cudaLaunchCooperativeKernel((const void *)known_kernel,
                                             dim3(gr_max_u32(1, gr_min_u32(most, wanted))),
                                             dim3(GR_STAGE_THREADS), arguments, 0, stream)
               : code;
}
