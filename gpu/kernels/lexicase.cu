/* Lexicase selection (gpu/core/lexicase/lexicase.h), in kernels around the one that selects:
 * errors by case before it, since migrants take theirs along; pools and parents (ways.cuh) behind
 * it. All wait for memory most of the time, and have more warps than a kernel whose grid meets. */
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "gpu/kernels/lexicase.cuh"

/* ---- errors by case ---- */

/* Cases that are drawn for a generation. */
static __global__ void draw_kernel(const __grid_constant__ gr_state s) {
    size_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (size_t k = thread; goes_on(s) && k < gr_drawn_cases(&s.p); k += threads)
        gr_draw_case(&s, s.loop->next - 1, k);
}

/* Where kernel 2 has not kept the outputs: a warp runs a program. */
template <uint32_t drawn>
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, 4)
    errors_kernel(const __grid_constant__ gr_state s) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t warps = gridDim.x * blockDim.x / GR_LANES;
    if (!begin_generation(s) || !s.loop->next)
        return;
    for (uint32_t i = thread / GR_LANES; i < s.p.individuals; i += warps)
        if (s.demes[i / s.p.population].active)
            gr_write_errors(&s, s.loop->next - 1, i, NULL, drawn,
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

/* What a block turns: errors; outputs, which become errors on the way; or such whose distance is a
 * plain one, without a question for each of them. */
enum { GR_TURN_ERRORS, GR_TURN_OUTPUTS, GR_TURN_PLAIN_OUTPUTS };

/* The lane's outputs of its warp's individuals, from `first` on, in a row become errors, which are
 * written in their place and added to the hashes. */
template <int OUTPUTS>
__device__ __forceinline__ static void
outputs_to_errors(const gr_state &s, uint32_t first, uint32_t row, const gr_scaled &known,
                  float (&error)[GR_OF_WARP], uint64_t (&hash)[GR_OF_WARP]) {
    const gr_params &p = s.p;
    const float *target =
        s.train + row / GR_CHUNK * gr_tile_of(&p) + (size_t)p.inputs * GR_CHUNK + row % GR_CHUNK;
    float wanted = *target;
    uint64_t drawn = gr_row_number_drawn(row);
#pragma unroll
    for (uint32_t n = 0; n < GR_OF_WARP; n++) {
        uint32_t k = threadIdx.x / GR_LANES + n * GR_TURNING_WARPS;
        if (first + k >= p.individuals)
            break;
        float distance =
            OUTPUTS == GR_TURN_PLAIN_OUTPUTS
                ? gr_plain_distance(gr_scaled_output(&p, error[n], known.fit[k]), wanted)
                : gr_weighed_distance(&p, error[n], target, known.fit[k]);
        error[n] = known.valid[k] ? distance : GR_INFINITY;
        s.own_errors[(size_t)(first + k) * p.lexicase_rows + row] = error[n];
        hash[n] += gr_hash_of_error(gr_float_bits(error[n]), drawn);
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
            outputs_to_errors<OUTPUTS>(s, first, row + column, known, error, hash);
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

/* OUTPUTS: what is turned, and whether kernel 2 has kept them. A block has all rows of its
 * individuals, or, where these are few, some of them; hashes are 0 then. */
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
        if (w.lane == 0 && i < s.p.individuals && gridDim.y > 1)
            gr_add_long(&s.behaviours[i], sum);
        else if (w.lane == 0 && i < s.p.individuals)
            s.behaviours[i] = sum;
    }
}

/* ---- pools and parents ---- */

/* From here on a block looks at a row. */
enum { GR_LARGE_DEME = GR_MANY_CANDIDATES };

/* Who has the same errors as whom: what they are sorted by, and, when that is done, who stands for
 * them. With dynamic epsilon everybody for himself: they are in that order. So are keys where
 * nothing is to be selected, which are sorted all the same. */
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, 4)
    keys_kernel(const __grid_constant__ gr_state s, uint32_t sorted) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < s.p.individuals;
         i += gridDim.x * blockDim.x) {
        s.case_keys[sorted][i] = goes_on(s) ? gr_case_key(&s, s.loop->next - 1, i) : i;
        s.case_order[sorted][i] = i;
    }
}
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, 4)
    same_kernel(const __grid_constant__ gr_state s) {
    for (uint32_t place = blockIdx.x * blockDim.x + threadIdx.x;
         goes_on(s) && place < s.p.individuals; place += gridDim.x * blockDim.x)
        gr_find_same(&s, place);
}
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, 4)
    different_kernel(const __grid_constant__ gr_state s) {
    uint32_t words = gr_pool_words(&s.p);
    for (uint32_t k = warp_number(); goes_on(s) && k < gr_demes(&s.p) * words; k += all_warps())
        gr_find_different(&s, s.loop->next - 1, k / words, k % words, own_warp());
}

/* Who passes a row first: a block a row, which in a large deme has place for a sample, or a warp.
 * Large blocks of twice as many warps, or half as many, take as long. */
enum { GR_POOL_CREW = 16, GR_FEW_ROWS_CREW = 4 };
template <int CREW, int CREWS>
static __global__ void __launch_bounds__(CREW *CREWS *GR_LANES, CREW == GR_POOL_CREW ? 2 : 1)
    pools_kernel(const __grid_constant__ gr_state s) {
    __shared__ uint32_t words[CREWS][CREW == GR_POOL_CREW ? GR_CREW_WORDS : GR_DIGITS];
    uint32_t demes = gr_demes(&s.p), all = demes * s.p.lexicase_rows, warp = threadIdx.x / GR_LANES,
             own = warp / CREW;
    for (uint32_t k = blockIdx.x * CREWS + own; goes_on(s) && k < all; k += gridDim.x * CREWS)
        if (s.demes[k % demes].active)
            gr_find_first_pool(&s, k % demes, k / demes, words[own],
                               gr_crew{own_warp(), warp % CREW, CREW});
}

/* A warp a row is too few where there are not many rows, and takes long where a deme is not small.
 */
static void launch_pools(const gr_state *state, uint32_t blocks, cudaStream_t stream) {
    const gr_params *p = &state->p;
    if (p->population >= GR_LARGE_DEME)
        pools_kernel<GR_POOL_CREW, 1><<<blocks, GR_POOL_CREW * GR_LANES, 0, stream>>>(*state);
    else if (p->population >= 512 && gr_demes(p) * p->lexicase_rows < 4 * blocks)
        pools_kernel<GR_FEW_ROWS_CREW, 1>
            <<<2 * blocks, GR_FEW_ROWS_CREW * GR_LANES, 0, stream>>>(*state);
    else
        pools_kernel<1, 8><<<blocks, 8 * GR_LANES, 0, stream>>>(*state);
}

/* Rows that individuals do not pass first: a warp a word of a pool and a word of rows. */
static __global__ void __launch_bounds__(GR_EVOLVE_THREADS, 4)
    failed_kernel(const __grid_constant__ gr_state s) {
    uint32_t words = gr_pool_words(&s.p), row_words = gr_failed_words(&s.p),
             all = gr_demes(&s.p) * words * row_words;
    for (uint32_t k = warp_number(); goes_on(s) && k < all; k += all_warps()) {
        uint32_t deme = k / row_words / words;
        if (s.demes[deme].active)
            gr_find_failed(&s, deme, k / row_words % words, k % row_words, own_warp());
    }
}

/* Lists of them, a block a row: where these are short many rows are looked at for each. */
enum { GR_LIST_CREW = 8 };
static __global__ void __launch_bounds__(GR_LIST_CREW *GR_LANES, 4)
    list_kernel(const __grid_constant__ gr_state s) {
    __shared__ uint32_t shared[GR_LISTING_WORDS];
    uint32_t demes = gr_demes(&s.p), all = demes * s.p.lexicase_rows;
    for (uint32_t k = blockIdx.x; goes_on(s) && k < all; k += gridDim.x)
        if (s.demes[k % demes].active)
            gr_list_first_pool(&s, k % demes, k / demes, shared,
                               gr_crew{own_warp(), threadIdx.x / GR_LANES, GR_LIST_CREW});
}

/* They are part of selection. */
static __global__ void stamp_kernel(const __grid_constant__ gr_state s) {
    if (goes_on(s))
        gr_stamp(s.loop, GR_PHASE_SELECT);
}

/* ---- launchers ---- */

cudaError_t gr_launch_errors(gr_shape evolve, uint32_t outputs, const gr_state *state,
                             cudaStream_t stream) {
    const gr_params *p = &state->p;
    dim3 pieces((p->individuals + GR_SIDE - 1) / GR_SIDE,
                gr_min_u32((p->lexicase_rows + GR_SIDE - 1) / GR_SIDE, 1024));
    if (outputs) {
        pieces.y = gr_min_u32(pieces.y, gr_max_u32(1, 2 * evolve.blocks / pieces.x));
        cudaError_t code = cudaSuccess;
        if (pieces.y > 1)
            code = cudaMemsetAsync(state->behaviours, 0, p->individuals * sizeof *state->behaviours,
                                   stream);
        if (code != cudaSuccess)
            return code;
        if (gr_is_plain_distance(p))
            turn_kernel<GR_TURN_PLAIN_OUTPUTS><<<pieces, GR_EVOLVE_THREADS, 0, stream>>>(*state);
        else
            turn_kernel<GR_TURN_OUTPUTS><<<pieces, GR_EVOLVE_THREADS, 0, stream>>>(*state);
        return cudaGetLastError();
    }
    if (gr_draws_cases(p)) {
        draw_kernel<<<evolve.blocks, GR_EVOLVE_THREADS, 0, stream>>>(*state);
        errors_kernel<1><<<4 * evolve.blocks, GR_EVOLVE_THREADS, 0, stream>>>(*state);
    } else
        errors_kernel<0><<<4 * evolve.blocks, GR_EVOLVE_THREADS, 0, stream>>>(*state);
    turn_kernel<GR_TURN_ERRORS><<<pieces, GR_EVOLVE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

/* Whether keys are sorted in their place: as few are sooner merged than they have gone through the
 * digits of a long key. */
static uint32_t are_merged(const gr_params *p) {
    enum { MOST = 1 << 15 };
    return p->individuals <= MOST;
}
struct gr_less_key {
    __device__ bool operator()(uint64_t a, uint64_t b) const { return a < b; }
};
static cudaError_t sort_keys(const gr_state *s, void *memory, size_t *bytes, cudaStream_t stream) {
    if (are_merged(&s->p))
        return cub::DeviceMergeSort::StableSortPairs(memory, *bytes, s->case_keys[1],
                                                     s->case_order[1], (int)s->p.individuals,
                                                     gr_less_key(), stream);
    return cub::DeviceRadixSort::SortPairs(memory, *bytes, s->case_keys[0], s->case_keys[1],
                                           s->case_order[0], s->case_order[1],
                                           (int)s->p.individuals, 0, 64, stream);
}

/* Warps of a block that have place for their sets of bits; 0: too few to pay, or the sets are short
 * and the cache has them. */
static uint32_t pool_warps(const gr_params *p) {
    enum { FEWEST = 4, KEPT = 20480 }; /* static shared memory, and what the system takes */
    int device = 0, most = 0;
    if (p->population < GR_LARGE_DEME || !gr_pools_meet(p) ||
        cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess)
        return 0;
    uint32_t warps = (uint32_t)(most - KEPT) / (gr_pool_words(p) * sizeof(uint32_t));
    return warps < FEWEST ? 0 : gr_min_u32(warps, GR_POOL_WARPS);
}

/* What finding parents needs besides the state, in this order: how many parents have been taken, in
 * either step; memory of the sort; and in two steps what stands between them, for every parent. */
struct gr_beside {
    size_t taken, sort, rest, lists;
};
static gr_beside beside(const gr_params *p) {
    gr_beside b = {};
    gr_state s = {};
    size_t parents = (size_t)gr_demes(p) * gr_lexicase_parents(p);
    s.p = *p;
    if (!p->lexicase_rows || sort_keys(&s, NULL, &b.sort, NULL) != cudaSuccess)
        return b;
    b.taken = 256;
    b.sort = (b.sort + 255) / 256 * 256;
    if (pool_warps(p)) {
        b.rest = (parents * sizeof(gr_rest) + 255) / 256 * 256;
        b.lists = parents * gr_listed_most(p) * sizeof(uint32_t);
    }
    return b;
}
size_t gr_parents_bytes(const gr_params *p) {
    gr_beside b = beside(p);
    return b.taken + b.sort + b.rest + b.lists;
}

/* Who stands for whom. */
static cudaError_t launch_same(gr_shape evolve, const gr_state *state, void *memory, size_t bytes,
                               cudaStream_t stream) {
    uint32_t blocks = gr_min_u32(2 * evolve.blocks, (state->p.individuals + GR_EVOLVE_THREADS - 1) /
                                                        GR_EVOLVE_THREADS);
    keys_kernel<<<blocks, GR_EVOLVE_THREADS, 0, stream>>>(
        *state, state->p.epsilon == GR_EPSILON_DYNAMIC || are_merged(&state->p));
    cudaError_t code = cudaSuccess;
    if (state->p.epsilon != GR_EPSILON_DYNAMIC)
        code = sort_keys(state, memory, &bytes, stream);
    if (code != cudaSuccess)
        return code;
    same_kernel<<<blocks, GR_EVOLVE_THREADS, 0, stream>>>(*state);
    different_kernel<<<2 * evolve.blocks, GR_EVOLVE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

cudaError_t gr_launch_parents(gr_shape evolve, const gr_state *state, void *memory,
                              cudaStream_t stream) {
    uint32_t blocks = 2 * evolve.blocks;
    gr_beside b = beside(&state->p);
    uint32_t *taken = (uint32_t *)memory;
    char *sort = (char *)memory + b.taken, *rest = sort + b.sort, *lists = rest + b.rest;
    gr_ways_launch launch = {pool_warps(&state->p), taken, (gr_rest *)rest, (uint32_t *)lists};
    cudaError_t code = cudaMemsetAsync(taken, 0, 2 * sizeof *taken, stream);
    if (code == cudaSuccess)
        code = launch_same(evolve, state, sort, b.sort, stream);
    if (code != cudaSuccess)
        return code;
    launch_pools(state, blocks, stream);
    if (gr_failed_words(&state->p))
        failed_kernel<<<blocks, GR_EVOLVE_THREADS, 0, stream>>>(*state);
    list_kernel<<<2 * blocks, GR_LIST_CREW * GR_LANES, 0, stream>>>(*state);
    static cudaError_t (*const launchers[])(const gr_state *, const gr_ways_launch *,
                                            cudaStream_t) = {
        gr_launch_ways_plain, gr_launch_ways_static, gr_launch_ways_semi_dynamic,
        gr_launch_ways_dynamic}; /* by gr_epsilon_kind */
    code = launchers[state->p.epsilon](state, &launch, stream);
    if (code != cudaSuccess)
        return code;
    stamp_kernel<<<1, 1, 0, stream>>>(*state);
    return cudaGetLastError();
}
