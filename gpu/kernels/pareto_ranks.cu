/* Ranks of members by two or three objectives, for pareto.cu.
 *
 * Two objectives: the rank of a member is the length of the longest chain of members with lower x
 * and y that ends below it. The plane is cut into tiles; a block takes a row of them from left to
 * right, each as soon as that below is done. What counts for a member is the highest rank of all
 * tiles to the left and below, that of the members of its row with a lower y, and of its column
 * with a lower x, both kept as trees of largest values, and the members of its own tile before it,
 * 256 at a time. Three: stretches of 256 members by x, each compared with all before it. */
#include "gpu/kernels/pareto.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* A member on its way to a rank: `rank` is what those outside of the block's 256 give it. */
typedef struct ranked {
    uint32_t x, y, z, rank;
} ranked;

/* Ranks of the block's members, of which `count` are there, by those before them in the block: a
 * warp after the other. A member is below another that comes later if its y and z are lower or
 * equal; y are different. */
__device__ static uint32_t rank_among(ranked own, uint32_t count) {
    __shared__ uint32_t y[GR_RANK_THREADS], z[GR_RANK_THREADS], rank[GR_RANK_THREADS];
    uint32_t lane = threadIdx.x % GR_LANES, warp = threadIdx.x / GR_LANES;
    uint32_t warps = (count + GR_LANES - 1) / GR_LANES;
    __syncthreads(); /* of the members before these nobody reads any more */
    y[threadIdx.x] = own.y;
    z[threadIdx.x] = own.z;
    for (uint32_t turn = 0; turn < warps; turn++) {
        if (warp == turn) {
            uint32_t before = __shfl_up_sync(0xffffffffu, own.y, 1),
                     under = __shfl_up_sync(0xffffffffu, own.z, 1);
            uint32_t rises =
                lane == 0 || threadIdx.x >= count || (before < own.y && under <= own.z);
            if (__all_sync(0xffffffffu, rises)) { /* a chain: the longest way to each, by a scan */
                int best = (int)own.rank - (int)lane;
                for (uint32_t step = 1; step < GR_LANES; step *= 2) {
                    int other = __shfl_up_sync(0xffffffffu, best, step);
                    best = lane >= step && other > best ? other : best;
                }
                own.rank = (uint32_t)(best + (int)lane);
            } else
                for (uint32_t other = 0; other < GR_LANES; other++) {
                    uint32_t its_y = __shfl_sync(0xffffffffu, own.y, other),
                             its_z = __shfl_sync(0xffffffffu, own.z, other),
                             its_rank = __shfl_sync(0xffffffffu, own.rank, other);
                    if (other < lane && its_y < own.y && its_z <= own.z)
                        own.rank = gr_max_u32(own.rank, its_rank + 1);
                }
            rank[threadIdx.x] = own.rank;
        }
        __syncthreads();
        for (uint32_t k = turn * GR_LANES; warp > turn && k < (turn + 1) * GR_LANES; k++)
            if (y[k] < own.y && z[k] <= own.z)
                own.rank = gr_max_u32(own.rank, rank[k] + 1);
    }
    return own.rank;
}

/* Trees of largest values over `side` places: of a column in global memory, where other blocks
 * write to it too, of a row in the block's own where it fits. Four at a time: their latency is what
 * shows.
 */
template <int SHARED>
__device__ static uint32_t largest_before(const uint32_t *tree, uint32_t place) {
    uint32_t largest = 0;
    while (place) {
        uint32_t at[4], value[4];
        for (int n = 0; n < 4; n++) {
            at[n] = place;
            place &= place - (place > 0);
        }
        for (int n = 0; n < 4; n++)
            value[n] = !at[n] ? 0 : SHARED ? tree[at[n] - 1] : __ldcg(tree + at[n] - 1);
        for (int n = 0; n < 4; n++)
            largest = gr_max_u32(largest, value[n]);
    }
    return largest;
}
__device__ static void enter(uint32_t *tree, uint32_t places, uint32_t place, uint32_t value) {
    for (uint32_t k = place + 1; k <= places; k += k & (0u - k))
        atomicMax(tree + k - 1, value);
}

/* Members of a tile on their way: where they begin, and the first 256 of them. */
typedef struct waiting {
    uint32_t first, end;
    ranked own;
} waiting;

/* This thread's member of those from `first` on. */
__device__ static ranked member_of(const gr_ranking &r, uint32_t first, uint32_t end) {
    ranked own = {0, 0xffffffffu, 0, 0};
    if (first + threadIdx.x < end) {
        own.x = r.row[GR_PARETO_PLACE][first + threadIdx.x];
        own.y = r.row[GR_PARETO_AT][own.x];
    }
    return own;
}
__device__ static waiting tile_of(const gr_ranking &r, uint32_t row, uint32_t column) {
    uint32_t tile = row * r.rows + column;
    waiting w = {r.begin[tile], r.begin[tile + 1], {0, 0, 0, 0}};
    w.own = member_of(r, w.first, w.end);
    return w;
}

/* Ranks the members of a tile, of which it keeps those by x, and its highest rank + 1 in *highest,
 * which was 0. `below`: that of all tiles left and below. */
template <int SHARED>
__device__ static void rank_tile(const gr_ranking &r, uint32_t row, uint32_t column, waiting w,
                                 uint32_t *by_y, uint32_t below, uint32_t *highest) {
    uint32_t side = r.side, low = row * side, left = column * side;
    uint32_t *by_x = r.row[GR_PARETO_BEST] + left, *rank = r.row[GR_PARETO_KEY];
    uint32_t high = gr_min_u32(side, r.members - low), wide = gr_min_u32(side, r.members - left);
    for (uint32_t first = w.first; first < w.end; first += GR_RANK_THREADS) {
        uint32_t count = gr_min_u32(w.end - first, GR_RANK_THREADS), here = threadIdx.x < count;
        if (first > w.first)
            w.own = member_of(r, first, w.end);
        if (here) {
            uint32_t of_row = largest_before<SHARED>(by_y, w.own.y - low),
                     of_column = largest_before<0>(by_x, w.own.x - left);
            w.own.rank = gr_max_u32(below, gr_max_u32(of_row, of_column));
        }
        w.own.rank = rank_among(w.own, count);
        if (here) {
            rank[w.own.x] = w.own.rank;
            enter(by_y, high, w.own.y - low, w.own.rank + 1);
            atomicMax(highest, w.own.rank + 1);
        }
        if (!SHARED)
            __threadfence();
        __syncthreads();
    }
    if (w.end - w.first <= GR_RANK_THREADS) {
        if (w.first + threadIdx.x < w.end)
            enter(by_x, wide, w.own.x - left, w.own.rank + 1);
    } else
        for (uint32_t k = w.first + threadIdx.x; k < w.end; k += GR_RANK_THREADS) {
            uint32_t x = r.row[GR_PARETO_PLACE][k];
            enter(by_x, wide, x - left, rank[x] + 1);
        }
}

/* A block a row of tiles; all rows are on the device together. What does not hang on the row below
 * is loaded before it is waited for. */
template <int SHARED>
static __global__ void __launch_bounds__(GR_RANK_THREADS)
    rank_two_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r) {
    extern __shared__ uint32_t own_row[];
    __shared__ uint32_t highest[2];
    if (s.loop->finished)
        return;
    uint32_t row = blockIdx.x, left = 0, corner = 0;
    uint32_t *by_y = SHARED ? own_row : r.row[GR_PARETO_FIRST] + row * r.side;
    for (uint32_t k = threadIdx.x; SHARED && k < r.side; k += GR_RANK_THREADS)
        own_row[k] = 0;
    if (threadIdx.x < 2)
        highest[threadIdx.x] = 0;
    waiting next = tile_of(r, row, 0);
    for (uint32_t column = 0; column < r.rows; column++) {
        waiting tile = next;
        uint32_t under = 0, *found = &highest[column & 1];
        if (column + 1 < r.rows)
            next = tile_of(r, row, column + 1);
        if (row && threadIdx.x == 0)
            while (*(const volatile uint32_t *)(r.done + row - 1) <= column)
                ;
        __syncthreads();
        if (row) {
            __threadfence();
            under = __ldcg(r.most + (row - 1) * r.rows + column);
        }
        rank_tile<SHARED>(r, row, column, tile, by_y, corner, found);
        __threadfence();
        __syncthreads();
        corner = under;
        if (threadIdx.x == 0) {
            left = gr_max_u32(left, gr_max_u32(*found, under));
            *(volatile uint32_t *)(r.most + row * r.rows + column) = left;
            highest[(column & 1) ^ 1] = 0;
            __threadfence();
            *(volatile uint32_t *)(r.done + row) = column + 1;
        }
    }
}

/* Three objectives: what all members before a stretch give its members, the blocks a share of them
 * each, 256 at a time, then the ranks inside of it, by one block. */
static __global__ void __launch_bounds__(GR_RANK_THREADS)
    rank_three_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r) {
    __shared__ ranked before[GR_RANK_THREADS];
    cg::grid_group grid = cg::this_grid();
    const uint32_t *by_x = r.row[GR_PARETO_PLACE];
    uint32_t *base = r.row[GR_PARETO_BEST], *z = r.row[GR_PARETO_FIRST],
             *y = r.row[GR_PARETO_KEY_TOO], *rank = r.row[GR_PARETO_ORDER];
    if (s.loop->finished)
        return;
    uint32_t all = r.begin[1]; /* the others are equal to one of these */
    for (uint32_t k = gr_first_thread(); k < all; k += gr_all_threads()) {
        z[k] = gr_key_of_objective(s, r, r.row[GR_PARETO_SOURCE][by_x[k]], 2);
        y[k] = r.row[GR_PARETO_AT][by_x[k]];
        base[k] = 0;
    }
    grid.sync();
    for (uint32_t first = 0; first < all; first += GR_RANK_THREADS) {
        uint32_t count = gr_min_u32(all - first, GR_RANK_THREADS), here = threadIdx.x < count;
        uint32_t k = first + threadIdx.x;
        ranked own = {here ? by_x[k] : 0, here ? y[k] : 0xffffffffu, here ? z[k] : 0, 0};
        for (uint32_t at = blockIdx.x * GR_RANK_THREADS; at < first;
             at += gridDim.x * GR_RANK_THREADS) {
            __syncthreads();
            before[threadIdx.x] = ranked{0, y[at + threadIdx.x], z[at + threadIdx.x],
                                         __ldcg(rank + at + threadIdx.x) + 1};
            __syncthreads();
            for (uint32_t n = 0; here && n < GR_RANK_THREADS; n++)
                if (before[n].y < own.y && before[n].z <= own.z)
                    own.rank = gr_max_u32(own.rank, before[n].rank);
        }
        if (here && own.rank)
            atomicMax(base + k, own.rank);
        grid.sync();
        if (blockIdx.x == 0) {
            own.rank = here ? __ldcg(base + k) : 0;
            own.rank = rank_among(own, count);
            if (here)
                rank[k] = r.row[GR_PARETO_KEY][own.x] = own.rank;
        }
        grid.sync();
    }
}

/* ---- launcher ---- */

/* Whether the row of a block can stand in its own memory, all of them being there together. */
static int fits_shared(const gr_ranking &r, size_t bytes, int multiprocessors) {
    const void *kernel = (const void *)rank_two_kernel<1>;
    int most = 0, blocks = 0;
    return cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) ==
               cudaSuccess &&
           bytes + 4096 <= (size_t)most &&
           cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) ==
               cudaSuccess &&
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, GR_RANK_THREADS, bytes) ==
               cudaSuccess &&
           (uint32_t)(blocks * multiprocessors) >= r.rows;
}

cudaError_t gr_launch_ranks(const gr_state *state, const gr_ranking *ranking, uint32_t blocks,
                            int multiprocessors, cudaStream_t stream) {
    void *arguments[] = {(void *)state, (void *)ranking};
    size_t bytes = ranking->side * sizeof(uint32_t);
    const void *kernel = (const void *)rank_three_kernel;
    blocks = (blocks + 3) / 4; /* two a multiprocessor, where there is so much */
    if (state->p.objectives == 2) {
        blocks = ranking->rows;
        kernel = (const void *)rank_two_kernel<1>;
        if (!fits_shared(*ranking, bytes, multiprocessors))
            kernel = (const void *)rank_two_kernel<0>;
    }
    if (kernel != (const void *)rank_two_kernel<1>)
        bytes = 0;
    return cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(GR_RANK_THREADS), arguments,
                                       bytes, stream);
}
