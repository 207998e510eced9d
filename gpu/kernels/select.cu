/* Selection as a kernel of its own, in front of kernel 1, for runs that need more phases of it than
 * most: validation, islands, restarts; and for those with launches between the two
 * (archives of niches, typed trees). They are long, and kernel 1 is compiled in several
 * shapes; there they would be in all of them, and in the way of the compiler's registers. */
#include "gpu/kernels/select.cuh"

/* ---- phases ---- */

/* Judges the best of every deme by other cases (gpu/core/fitness/validation.h): a warp a chunk,
 * then a warp a deme. */
__device__ static void validate(const gr_state &s, uint32_t generation) {
    cg::grid_group grid = cg::this_grid();
    const gr_params &v = *s.validating;
    uint32_t thread = gr_scattered_thread(), lane = thread % GR_LANES, demes = gr_demes(&s.p);
    uint32_t warps = (uint32_t)grid.size() / GR_LANES, kind = gr_sum_kind_of(&v);
    for (uint32_t k = thread / GR_LANES; k < demes * v.test_chunks; k += warps) {
        uint32_t deme = k % demes, chunk = k / demes,
                 i = deme * s.p.population + s.records[deme].best_index;
        uint32_t length = s.individuals[generation & 1][i].instructions;
        const float *tile = s.validation + (size_t)chunk * gr_tile_of(&v);
        if (!s.records[deme].written || !length)
            continue;
        float origin =
            kind == GR_SUM_SCALED ? gr_execute(&v, gr_program(&s, i), length, tile) : 0.0f;
        gr_lane_share share = gr_validate_lane(&s, gr_program(&s, i), length, chunk, lane, origin);
        for (int x = GR_LANES / 2; x; x /= 2) {
            gr_lane_share other;
            for (int n = 0; n < 2; n++)
                other.error[n] = __shfl_xor_sync(0xffffffffu, share.error[n], x);
            for (int n = 0; n < GR_MAX_SUMS; n++)
                other.moment[n] = __shfl_xor_sync(0xffffffffu, share.moment[n], x);
            share = gr_share_merge(kind, share, other);
        }
        if (lane == 0)
            gr_validated_chunk(&s, deme, chunk, share, origin);
    }
    grid.sync();
    judge_by_validation(s, generation, demes, grid);
}

struct own_phases {
    __device__ static void validate(const gr_state &s, uint32_t generation) {
        ::validate(s, generation);
    }
};

/* ---- kernel ---- */

/* Whether errors by case (lexicase.cu) go before a launch: one that comes to the parents by itself.
 */
__device__ __host__ static int writes_errors(const gr_state &s, uint32_t steps) {
    return s.parents && !(steps & (GR_EVOLVE_UNTIL_STANDINGS | GR_EVOLVE_FROM_MIGRANTS));
}

/* And behind one: that selects to the end. */
static int finds_parents(const gr_state &s, uint32_t steps) {
    return s.parents && !(steps & (GR_EVOLVE_UNTIL_STANDINGS | GR_EVOLVE_UNTIL_MIGRANTS));
}

static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, GR_EVOLVE_BLOCKS)
    select_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {
    if (s.loop->finished)
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0) /* errors are part of it */
        gr_stamp(s.loop, writes_errors(s, launch.steps) ? GR_PHASE_SELECT : -1);
    if (s.loop->next)
        select_generation<all_phases<own_phases>>(s, launch);
}

/* ---- launcher ---- */

int gr_selects_apart(const gr_state *s) {
    return s->validating || s->parents || gr_run_islands(&s->p) > 1 || s->p.restart_after ||
           s->niches || s->types;
}

cudaError_t gr_launch_select(gr_shape evolve, uint32_t outputs, const gr_state *state,
                             const gr_launch *launch, cudaStream_t stream) {
    const void *kernel =
        state->p.doubles ? gr_select_double_address() : (const void *)select_kernel;
    cudaError_t code = cudaSuccess;
    evolve.shared = 0;
    if (writes_errors(*state, launch->steps))
        code = gr_launch_errors(evolve, outputs, state, stream);
    if (code == cudaSuccess)
        code = gr_launch_kernel(kernel, evolve, state, launch, stream);
    if (code == cudaSuccess && finds_parents(*state, launch->steps))
        code = gr_launch_parents(evolve, state, launch->sorting, stream);
    return code;
}
