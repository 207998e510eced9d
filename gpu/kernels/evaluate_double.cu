/* Kernel 2 over doubles (`precision: double`): the same work and order of sums as evaluate.cu, by
 * the machine of evaluate_double.cuh, which is compiled as it stands here. Handlers that jump to
 * each other directly are in direct_double.cu. */
#include "gpu/core/selection/objectives.h"

#include "gpu/kernels/generation_double.cuh"

/* ---- a generation ---- */

template <int K, int SHARED, int JUMPS>
static __global__ void __launch_bounds__(GR_DOUBLE_THREADS(JUMPS), 1)
    evaluate_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {
    gr_evaluate_generation<K, SHARED, JUMPS>(s, launch);
}

/* ---- another metric ---- */

/* Costs by the other metric of several objectives, a warp an individual. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    other_kernel(const __grid_constant__ gr_state s) {
    const gr_params &other = *s.other;
    uint32_t generation = s.loop->next - 1, lane = threadIdx.x % GR_LANES;
    uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / GR_LANES,
             warps = gridDim.x * blockDim.x / GR_LANES;
    if (s.loop->finished)
        return;
    for (uint32_t i = warp; i < s.p.individuals; i += warps) {
        uint32_t length = s.individuals[generation & 1][i].instructions;
        if (!s.demes[i / s.p.population].active)
            continue;
        double total[GR_MAX_SUMS] = {0.0, 0.0, 0.0}, fit[2];
        gr_program_there program = {(const uint2 *)gr_program(&s, i), NULL, 0};
        for (uint32_t chunk = 0; length && chunk < other.train_chunks; chunk++) {
            double sum = gr_double_chunk<4, 0>(
                other, program, length, gr_min_u32(other.train_cases - chunk * GR_CHUNK, GR_CHUNK),
                (const double *)s.train + chunk * gr_double_tile(other));
            gr_add_chunk(&other, &sum, total);
        }
        if (lane == 0)
            s.other_cost[i] = length ? gr_cost(&other, total, 0, fit) : GR_INFINITY;
    }
}

cudaError_t gr_launch_other_double(const gr_state *state, int multiprocessors,
                                   cudaStream_t stream) {
    other_kernel<<<8 * multiprocessors, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

/* ---- which ---- */

template <int WIDTH, int JUMPS> static const void *kernel_of(const gr_machine *machine) {
    return machine->shared ? (const void *)evaluate_kernel<WIDTH, 1, JUMPS>
                           : (const void *)evaluate_kernel<WIDTH, 0, JUMPS>;
}

const void *gr_double_kernel(const gr_machine *machine) {
    bool four = machine->width == 4;
    switch (machine->jumps) {
    case GR_JUMPS_TO_NONE:
        return four ? kernel_of<4, GR_JUMPS_TO_NONE>(machine)
                    : kernel_of<8, GR_JUMPS_TO_NONE>(machine);
    case GR_JUMPS_TO_CHEAP:
        return four ? kernel_of<4, GR_JUMPS_TO_CHEAP>(machine)
                    : kernel_of<8, GR_JUMPS_TO_CHEAP>(machine);
    default:
        return kernel_of<4, GR_JUMPS_TO_FUNCTIONS>(machine);
    }
}

const char *gr_direct_double_kernel(const gr_machine *machine) {
    if (machine->jumps == GR_JUMPS_TO_FUNCTIONS)
        return machine->shared ? "gr_doubles_functions_shared" : "gr_doubles_functions_global";
    return machine->shared ? "gr_doubles_cheap_shared" : "gr_doubles_cheap_global";
}
