/* Rows without the words behind those in use, one behind the other: a block a tile of individuals,
 * a warp a row. */
#include "gpu/kernels/rows.h"

#include "gpu/core/base/portable.h"

/* ---- kernels ---- */

__device__ static uint32_t row_words(const gr_params &p, uint32_t kind) {
    return kind || p.genotype == GR_TREE ? 2 * p.max_nodes : p.genome_capacity;
}

/* Of an individual's row; the individuals of a buffer that was never bred may be anything. */
__device__ static uint32_t words_in_use(const gr_state &s, uint32_t buffer, uint32_t kind,
                                        uint32_t i) {
    gr_individual individual = s.individuals[buffer][i];
    uint32_t words = kind ? 2 * individual.instructions : gr_words_of(&s.p, individual);
    return gr_min_u32(words, row_words(s.p, kind));
}

__device__ static uint32_t *row_of(const gr_state &s, uint32_t buffer, uint32_t kind, uint32_t i) {
    return kind ? (uint32_t *)gr_program(&s, i) : gr_genotype_of(&s, buffer, i);
}

static __global__ void __launch_bounds__(GR_ROWS_TILE)
    count_rows_kernel(const __grid_constant__ gr_state s, uint32_t buffer, gr_row_range range,
                      uint64_t *words, uint32_t tiles) {
    __shared__ unsigned long long sum;
    uint32_t kind = blockIdx.y, k = blockIdx.x * GR_ROWS_TILE + threadIdx.x;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    uint32_t own = k < range.count ? words_in_use(s, buffer, kind, range.first + k) : 0;
    uint64_t all = gr_sum_lanes_long(gr_lane_group{threadIdx.x % GR_LANES, GR_LANES}, own);
    if (threadIdx.x % GR_LANES == 0)
        atomicAdd(&sum, (unsigned long long)all);
    __syncthreads();
    if (threadIdx.x == 0)
        words[kind * (tiles + 1) + range.tile + blockIdx.x] = sum;
}

/* The sum of what the threads before this one have, of a block of GR_ROWS_TILE; *all: of all. */
template <class T> __device__ static T sum_before(T own, T *part, T *all) {
    part[threadIdx.x] = own;
    __syncthreads();
    for (uint32_t step = 1; step < GR_ROWS_TILE; step *= 2) {
        T more = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
        __syncthreads();
        part[threadIdx.x] += more;
        __syncthreads();
    }
    T before = part[threadIdx.x] - own;
    *all = part[GR_ROWS_TILE - 1];
    __syncthreads();
    return before;
}

static __global__ void __launch_bounds__(GR_ROWS_TILE)
    place_rows_kernel(uint64_t *words, uint32_t tiles) {
    __shared__ uint64_t part[GR_ROWS_TILE];
    uint64_t begun = 0, more, *of = words + blockIdx.x * (tiles + 1);
    for (uint32_t first = 0; first < tiles; first += GR_ROWS_TILE) {
        uint32_t k = first + threadIdx.x;
        uint64_t before = sum_before<uint64_t>(k < tiles ? of[k] : 0, part, &more);
        if (k < tiles)
            of[k] = begun + before;
        begun += more;
    }
    if (threadIdx.x == 0)
        of[tiles] = begun;
}

static __global__ void __launch_bounds__(GR_ROWS_TILE)
    pack_rows_kernel(const __grid_constant__ gr_state s, uint32_t buffer, uint32_t kind,
                     gr_row_range range, const uint64_t *begins, uint32_t *packed, int back) {
    __shared__ uint32_t part[GR_ROWS_TILE], before[GR_ROWS_TILE + 1];
    uint32_t from = blockIdx.x * GR_ROWS_TILE, count = gr_min_u32(GR_ROWS_TILE, range.count - from),
             first = range.first + from, lane = threadIdx.x % GR_LANES, all;
    uint32_t own = threadIdx.x < count ? words_in_use(s, buffer, kind, first + threadIdx.x) : 0;
    before[threadIdx.x] = sum_before<uint32_t>(own, part, &all);
    if (threadIdx.x == 0)
        before[GR_ROWS_TILE] = all;
    __syncthreads();
    packed += begins[range.tile + blockIdx.x];
    for (uint32_t k = threadIdx.x / GR_LANES; k < count; k += GR_ROWS_TILE / GR_LANES) {
        uint32_t *row = row_of(s, buffer, kind, first + k), *at = packed + before[k];
        for (uint32_t w = lane; w < before[k + 1] - before[k]; w += GR_LANES)
            if (back)
                row[w] = at[w];
            else
                at[w] = row[w];
    }
}

/* ---- launchers ---- */

uint32_t gr_row_tiles(uint32_t individuals) {
    return (individuals + GR_ROWS_TILE - 1) / GR_ROWS_TILE;
}

size_t gr_packed_bytes(const gr_params *p) {
    return (size_t)p->individuals * gr_max_u32(p->max_nodes * (uint32_t)sizeof(gr_instruction),
                                               gr_genotype_words(p) * (uint32_t)sizeof(uint32_t));
}

cudaError_t gr_launch_count_rows(const gr_state *state, uint32_t buffer, gr_row_range range,
                                 uint64_t *words, uint32_t tiles, cudaStream_t stream) {
    dim3 blocks(gr_row_tiles(range.count), GR_ROWS_KINDS);
    count_rows_kernel<<<blocks, GR_ROWS_TILE, 0, stream>>>(*state, buffer, range, words, tiles);
    return cudaGetLastError();
}

cudaError_t gr_launch_place_rows(uint64_t *words, uint32_t tiles, cudaStream_t stream) {
    place_rows_kernel<<<GR_ROWS_KINDS, GR_ROWS_TILE, 0, stream>>>(words, tiles);
    return cudaGetLastError();
}

cudaError_t gr_launch_pack_rows(const gr_state *state, uint32_t buffer, uint32_t kind,
                                gr_row_range range, const uint64_t *begins, uint32_t *packed,
                                int back, cudaStream_t stream) {
    pack_rows_kernel<<<gr_row_tiles(range.count), GR_ROWS_TILE, 0, stream>>>(
        *state, buffer, kind, range, begins, packed, back);
    return cudaGetLastError();
}
