/* Selection as a kernel of its own, in front of kernel 1, for runs that need more phases of it than
 * most: validation, islands, restarts, lexicase; and for those with launches between the two
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

/* Who passes a row first, without epsilon: several warps a row, as many as there are of them. */
__device__ static void find_pools_of_least(const gr_state &s, uint32_t generation) {
    cg::grid_group grid = cg::this_grid();
    const gr_params &p = s.p;
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t thread = gr_scattered_thread(), warp = thread / GR_LANES,
             warps = (uint32_t)grid.size() / GR_LANES;
    uint32_t demes = gr_demes(&p), all = demes * p.lexicase_rows, words = gr_pool_words(&p);
    uint32_t parts = gr_min_u32(gr_max_u32(1, warps / all), words),
             share = (words + parts - 1) / parts;
    for (uint32_t k = thread; k < all; k += (uint32_t)grid.size())
        gr_begin_first_pool(&s, k);
    grid.sync();
    for (uint32_t which = 0; which < 2; which++) {
        for (uint32_t k = warp; k < all * parts; k += warps) {
            uint32_t at = k / parts, row = at / demes, deme = at % demes;
            uint32_t first = gr_min_u32(k % parts * share, words),
                     last = gr_min_u32(first + share, words);
            if (!s.demes[deme].active)
                continue;
            if (which)
                gr_find_those_of_least(&s, generation, deme, row, first, last, w);
            else
                gr_find_least(&s, generation, deme, row, first, last, w);
        }
        grid.sync();
    }
}

/* Parents by errors: a warp has a row, then a parent. */
__device__ static void find_parents(const gr_state &s, uint32_t generation) {
    cg::grid_group grid = cg::this_grid();
    const gr_params &p = s.p;
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t warp = gr_scattered_thread() / GR_LANES, warps = (uint32_t)grid.size() / GR_LANES;
    uint32_t demes = gr_demes(&p), parents = gr_lexicase_parents(&p), ways = gr_ways(&p, s.groups);
    __shared__ uint32_t digits[GR_EVOLVE_THREADS / GR_LANES][GR_DIGITS];
    uint32_t *counts = digits[threadIdx.x / GR_LANES];
    if (!p.epsilon)
        find_pools_of_least(s, generation);
    for (uint32_t k = warp; p.epsilon && k < demes * p.lexicase_rows; k += warps)
        if (s.demes[k % demes].active)
            gr_find_first_pool(&s, generation, k % demes, k / demes, counts, w);
    if (p.epsilon)
        grid.sync();
    for (uint32_t k = warp; k < demes * p.lexicase_rows; k += warps)
        if (s.demes[k % demes].active)
            gr_list_first_pool(&s, k % demes, k / demes, counts, w);
    grid.sync();
    for (uint32_t k = warp; warp < ways && k < demes * parents; k += gr_min_u32(warps, ways))
        if (s.demes[k / parents].active)
            gr_find_parent(&s, generation, k / parents, k % parents,
                           s.ways + (size_t)warp * gr_way_words(&p), counts, w);
    grid.sync();
}

struct own_phases {
    __device__ static void validate(const gr_state &s, uint32_t generation) {
        ::validate(s, generation);
    }
    __device__ static void find_parents(const gr_state &s, uint32_t generation) {
        ::find_parents(s, generation);
    }
};

/* ---- kernels ---- */

/* Errors by case (gpu/core/selection/case_errors.h) before anybody may migrate, by kernels in front
 * of selection, which meets so often that it has few warps. Where kernel 2 has not kept the outputs
 * a warp runs a program. */
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, 4)
    errors_kernel(const __grid_constant__ gr_state s) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t warps = gridDim.x * blockDim.x / GR_LANES;
    if (!begin_generation(s) || !s.loop->next)
        return;
    for (uint32_t i = thread / GR_LANES; i < s.p.individuals; i += warps)
        if (s.demes[i / s.p.population].active)
            gr_write_errors(&s, s.loop->next - 1, i, NULL,
                            gr_lane_group{thread % GR_LANES, GR_LANES});
}

/* A block turns errors of so many individuals in as many rows at a time: both ways a warp then has
 * words that stand side by side. A warp has some of the individuals, a lane some of the rows. */
enum {
    GR_SIDE = 64,
    GR_TURNING_WARPS = GR_EVOLVE_THREADS / GR_LANES,
    GR_OF_WARP = GR_SIDE / GR_TURNING_WARPS
};

/* What is known of a block's individuals. */
struct gr_scaled {
    double fit[GR_SIDE][2];
    uint32_t valid[GR_SIDE];
};

__device__ __forceinline__ static void find_scaled(const gr_state &s, uint32_t first,
                                                   gr_scaled &known) {
    uint32_t k = threadIdx.x, i = first + k, generation = s.loop->next - 1;
    if (k < GR_SIDE && i < s.p.individuals) {
        double fit[2] = {0.0, 1.0};
        known.valid[k] = s.individuals[generation & 1][i].instructions != 0;
        if (known.valid[k] && s.p.linear_scaling)
            gr_evaluated_cost(&s, generation, i, fit);
        known.fit[k][0] = fit[0];
        known.fit[k][1] = fit[1];
    }
    __syncthreads();
}

/* The lane's outputs of its warp's individuals, from `first` on, in a row become errors, which are
 * written in their place and added to the hashes. */
__device__ __forceinline__ static void outputs_to_errors(const gr_state &s, uint32_t first,
                                                         uint32_t row, const gr_scaled &known,
                                                         float (&error)[GR_OF_WARP],
                                                         uint64_t (&hash)[GR_OF_WARP]) {
    const gr_params &p = s.p;
    const float *target =
        s.train + row / GR_CHUNK * gr_tile_of(&p) + (size_t)p.inputs * GR_CHUNK + row % GR_CHUNK;
#pragma unroll
    for (uint32_t n = 0; n < GR_OF_WARP; n++) {
        uint32_t k = threadIdx.x / GR_LANES + n * GR_TURNING_WARPS;
        if (first + k >= p.individuals)
            break;
        error[n] =
            known.valid[k] ? gr_weighed_distance(&p, error[n], target, known.fit[k]) : GR_INFINITY;
        s.own_errors[(size_t)(first + k) * p.lexicase_rows + row] = error[n];
        hash[n] += gr_hash_at(gr_float_bits(error[n]), row);
    }
}

/* Reads what stands in rows [row, row + GR_SIDE) of the block's individuals, and lays it down in
 * `piece`; outputs as errors. */
template <int OUTPUTS>
__device__ __forceinline__ static void
read_piece(const gr_state &s, uint32_t first, uint32_t row, const gr_scaled &known,
           float (&piece)[GR_SIDE][GR_SIDE + 1], uint64_t (&hash)[GR_OF_WARP]) {
    const gr_params &p = s.p;
    uint32_t lane = threadIdx.x % GR_LANES, warp = threadIdx.x / GR_LANES;
#pragma unroll
    for (uint32_t column = lane; column < GR_SIDE; column += GR_LANES) {
        float error[GR_OF_WARP];
        if (row + column >= p.lexicase_rows)
            break;
#pragma unroll
        for (uint32_t n = 0; n < GR_OF_WARP; n++) { /* the last is read again */
            uint32_t i = gr_min_u32(first + warp + n * GR_TURNING_WARPS, p.individuals - 1);
            error[n] = s.own_errors[(size_t)i * p.lexicase_rows + row + column];
        }
        if (OUTPUTS)
            outputs_to_errors(s, first, row + column, known, error, hash);
#pragma unroll
        for (uint32_t n = 0; n < GR_OF_WARP; n++)
            piece[warp + n * GR_TURNING_WARPS][column] = error[n];
    }
}

/* And writes them with a row's side by side. */
__device__ __forceinline__ static void write_piece(const gr_state &s, uint32_t first, uint32_t row,
                                                   const float (&piece)[GR_SIDE][GR_SIDE + 1]) {
    uint32_t lane = threadIdx.x % GR_LANES, warp = threadIdx.x / GR_LANES;
#pragma unroll
    for (uint32_t n = warp; n < GR_SIDE; n += GR_TURNING_WARPS)
#pragma unroll
        for (uint32_t k = lane; k < GR_SIDE; k += GR_LANES)
            if (row + n < s.p.lexicase_rows && first + k < s.p.individuals)
                s.case_errors[(size_t)(row + n) * s.p.individuals + first + k] = piece[k][n];
}

/* OUTPUTS: kernel 2 has kept them, and a block has all rows of its individuals. */
template <int OUTPUTS>
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, 4)
    turn_kernel(const __grid_constant__ gr_state s) {
    __shared__ float piece[GR_SIDE][GR_SIDE + 1];
    __shared__ gr_scaled known;
    uint32_t first = blockIdx.x * GR_SIDE;
    uint64_t hash[GR_OF_WARP] = {};
    if (s.loop->finished)
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        gr_stamp(s.loop, OUTPUTS ? -1 : GR_PHASE_SELECT);
    if (!s.loop->next)
        return;
    if (OUTPUTS)
        find_scaled(s, first, known);
    for (uint32_t row = blockIdx.y * GR_SIDE; row < s.p.lexicase_rows; row += gridDim.y * GR_SIDE) {
        read_piece<OUTPUTS>(s, first, row, known, piece, hash);
        __syncthreads();
        write_piece(s, first, row, piece);
        __syncthreads();
    }
    for (uint32_t n = 0; OUTPUTS && n < GR_OF_WARP; n++) {
        const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
        uint32_t i = first + threadIdx.x / GR_LANES + n * GR_TURNING_WARPS;
        uint64_t sum = gr_sum_lanes_long(w, hash[n]);
        if (w.lane == 0 && i < s.p.individuals)
            s.behaviours[i] = sum;
    }
}

/* Whether it goes before a launch: one that comes to the parents by itself. */
__device__ __host__ static int writes_errors(const gr_state &s, uint32_t steps) {
    return s.parents && !(steps & (GR_EVOLVE_UNTIL_STANDINGS | GR_EVOLVE_FROM_MIGRANTS));
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

/* Errors by case, of individuals and of rows. */
static cudaError_t launch_errors(uint32_t blocks, uint32_t outputs, const gr_state *state,
                                 cudaStream_t stream) {
    const gr_params *p = &state->p;
    dim3 pieces((p->individuals + GR_SIDE - 1) / GR_SIDE,
                gr_min_u32((p->lexicase_rows + GR_SIDE - 1) / GR_SIDE, 1024));
    if (outputs) {
        turn_kernel<1><<<pieces.x, GR_EVOLVE_THREADS, 0, stream>>>(*state);
        return cudaGetLastError();
    }
    errors_kernel<<<blocks, GR_EVOLVE_THREADS, 0, stream>>>(*state);
    turn_kernel<0><<<pieces, GR_EVOLVE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

cudaError_t gr_launch_select(gr_shape evolve, uint32_t outputs, const gr_state *state,
                             const gr_launch *launch, cudaStream_t stream) {
    evolve.shared = 0;
    if (writes_errors(*state, launch->steps)) {
        cudaError_t code = launch_errors(4 * evolve.blocks, outputs, state, stream);
        if (code != cudaSuccess)
            return code;
    }
    const void *kernel =
        state->p.doubles ? gr_select_double_address() : (const void *)select_kernel;
    return gr_launch_kernel(kernel, evolve, state, launch, stream);
}
