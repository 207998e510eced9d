/* Selection as a kernel of its own (select.cu) in runs over doubles: the cases that judge the best
 * are doubles, and nobody is chosen by single errors. */
#include "gpu/kernels/select.cuh"

#include "gpu/kernels/evaluate_double.cuh"

/* A warp a chunk. */
__device__ static void add_validation(const gr_state &s, uint32_t generation) {
    const gr_params &v = *s.validating;
    uint32_t thread = gr_scattered_thread(), demes = gr_demes(&s.p);
    uint32_t warps = gridDim.x * blockDim.x / GR_LANES;
    for (uint32_t k = thread / GR_LANES; k < demes * v.test_chunks; k += warps) {
        uint32_t deme = k % demes, chunk = k / demes,
                 i = deme * s.p.population + s.records[deme].best_index;
        uint32_t length = s.individuals[generation & 1][i].instructions;
        if (!s.records[deme].written || !length)
            continue;
        gr_program_there program = {(const uint2 *)gr_program(&s, i), NULL, 0};
        double sum =
            gr_double_chunk<4, 0>(v, program, length, gr_cases_of_chunk(v.test_cases, chunk),
                                  (const double *)s.validation + (size_t)chunk * gr_double_tile(v));
        if (thread % GR_LANES == 0)
            s.validation_sums[(size_t)chunk * demes + deme] = sum;
    }
}

struct own_phases {
    __device__ static void validate(const gr_state &s, uint32_t generation) {
        cg::grid_group grid = cg::this_grid();
        add_validation(s, generation);
        grid.sync();
        judge_by_validation(s, generation, gr_demes(&s.p), grid);
    }
};

static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_BLOCKS)
    select_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {
    if (!begin_generation(s) || !s.loop->next)
        return;
    select_generation<all_phases<own_phases>>(s, launch);
}

const void *gr_select_double_address(void) {
    return (const void *)select_kernel;
}
