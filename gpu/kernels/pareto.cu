/* NSGA-II behind the evaluation of a generation (gpu/core/selection/pareto.h): children and parents
 * of all demes put in order by sorts (CUB) and a wavefront, and the survivors copied to their
 * places. Only runs of several objectives launch it.
 *
 * All members of all demes are sorted together, those of deme d being 2 * population * d and the
 * following; a sort more brings the demes together where there are several. Ranks: a member's x is
 * its place by all objectives, demes rising, its y the one by the second objective, demes falling,
 * so that a member with a lower x and y is one of its own deme that is nowhere worse. What is equal
 * to another has no part in that.
 *
 * Two objectives: the rank of a member is the length of the longest chain of members with lower x
 * and y that ends below it. The plane is cut into tiles; a block takes a row of them from left to
 * right, each as soon as that below is done. What counts for a member is the highest rank of all
 * tiles to the left and below, that of the members of its row with a lower y, and of its column
 * with a lower x, both kept as trees of largest values, and the members of its own tile before it,
 * 256 at a time. Three: stretches of 256 members by x, each compared with all before it. */
#include "gpu/backend/engine.h"
#include "gpu/core/fitness/validation.h"
#include "gpu/core/selection/pareto.h"
#include "gpu/kernels/stages.h"

#include <cooperative_groups.h>
#include <cub/device/device_radix_sort.cuh>

namespace cg = cooperative_groups;

enum {
    GR_RANK_THREADS = 256, /* members that a block ranks at a time */
    GR_MOST_ROWS = 128,    /* of tiles; as many blocks are on the device together */
    GR_TILE_MEMBERS = 64,  /* of a tile, at least about so many */
    GR_NO_RANK = 0xfffffffeu,
    GR_ABSENT = 0xffffffffu /* parents in the first generation: rank and key */
};

/* What the kernels share beside the state. */
typedef struct ranking {
    uint32_t members, own; /* of all demes, and of one */
    uint32_t rows, side;   /* of tiles, and members along a side of one */
    uint32_t *begin;       /* [rows * rows + 2] of a tile among the members by tile */
    uint32_t *most;        /* [rows][rows] highest rank + 1 in a tile, or left of or below it */
    uint32_t *done;        /* [rows] tiles of a row that are ranked */
    uint32_t *row[GR_PARETO_ROWS];
} ranking;

__device__ static uint32_t this_generation(const gr_state &s) {
    return s.loop->next - 1;
}
__device__ static uint32_t first_thread(void) {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ static uint32_t all_threads(void) {
    return gridDim.x * blockDim.x;
}

/* ---- objectives ---- */

/* Cost of an individual by another metric, a warp one. */
__device__ static float measure_other(const gr_state &s, uint32_t generation, uint32_t i) {
    const gr_params &other = *s.other;
    uint32_t length = s.individuals[generation & 1][i].instructions, lane = threadIdx.x % GR_LANES;
    uint32_t kind = gr_sum_kind_of(&other);
    double total[GR_MAX_SUMS] = {0.0, 0.0, 0.0}, sum[GR_MAX_SUMS], fit[2];
    if (!length)
        return GR_INFINITY;
    for (uint32_t chunk = 0; chunk < other.train_chunks; chunk++) {
        gr_shared_cases cases = {s.train + (size_t)chunk * gr_tile_of(&other),
                                 gr_cases_of_chunk(other.train_cases, chunk), 0.0f, 0.0};
        gr_lane_share share = gr_share_of_lane(&other, gr_program(&s, i), length, cases, lane);
        for (int x = GR_LANES / 2; x; x /= 2) {
            gr_lane_share beside = {{0.0f, 0.0f}, {0.0, 0.0, 0.0}};
            for (int n = 0; n < 2; n++)
                beside.error[n] = __shfl_xor_sync(0xffffffffu, share.error[n], x);
            share = gr_share_merge(kind, share, beside);
        }
        for (int k = 0; k < 2; k++)
            sum[k] = (double)share.error[k];
        gr_add_chunk(&other, sum, total);
    }
    return gr_cost(&other, total, 0, fit);
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    other_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = this_generation(s), warps = all_threads() / GR_LANES;
    if (s.loop->finished)
        return;
    for (uint32_t i = first_thread() / GR_LANES; i < s.p.individuals; i += warps) {
        if (!s.demes[i / s.p.population].active)
            continue;
        float cost = measure_other(s, generation, i);
        if (threadIdx.x % GR_LANES == 0)
            s.other_cost[i] = cost;
    }
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    objectives_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = this_generation(s);
    if (s.loop->finished)
        return;
    if (first_thread() == 0)
        gr_stamp(s.loop, -1);
    for (uint32_t i = first_thread(); i < s.p.individuals; i += all_threads()) {
        if (!s.demes[i / s.p.population].active)
            continue;
        if (s.p.other_shares && gr_has_other(&s.p))
            s.other_cost[i] = gr_other_cost(&s, generation, i);
        gr_write_objectives(&s, generation, i);
    }
}

/* ---- keys ---- */

/* Whether a member is there: the first generation has no parents. */
__device__ static uint32_t is_there(const gr_state &s, const ranking &r, uint32_t member) {
    return s.loop->next != 1 || member % r.own < s.p.population;
}
__device__ static uint32_t objective_key(const gr_state &s, const ranking &r, uint32_t member,
                                         uint32_t k) {
    return is_there(s, r, member) ? gr_objective_key(&s, member / r.own, member % r.own, k)
                                  : GR_ABSENT;
}

/* What a sort goes by next; `order` has members, or their x. */
enum {
    BY_OBJECTIVE, /* + k */
    BY_DEME = GR_MAX_OBJECTIVES,
    BY_RANK,
    BY_CROWDING,
    Y_BY_OBJECTIVE, /* of x, by the second */
    Y_BY_DEME,      /* of x, falling */
    BY_TILE,        /* of x */
};
__device__ static uint32_t key_of(const gr_state &s, const ranking &r, uint32_t what, uint32_t at) {
    const uint32_t *member = r.row[GR_PARETO_SOURCE]; /* by x */
    switch (what) {
    case BY_DEME:
        return at / r.own;
    case BY_RANK:
        return r.row[GR_PARETO_RANK][at];
    case BY_CROWDING:
        return is_there(s, r, at) ? gr_crowding_key(r.row[GR_PARETO_CROWDING][at]) : GR_ABSENT;
    case Y_BY_OBJECTIVE:
        return objective_key(s, r, member[at], 1);
    case Y_BY_DEME:
        return ~(member[at] / r.own);
    case BY_TILE:
        if (r.row[GR_PARETO_RANK][member[at]] != 0) /* it is equal to another, or absent */
            return r.rows * r.rows;
        return r.rows == 1 ? 0 : r.row[GR_PARETO_AT][at] / r.side * r.rows + at / r.side;
    default:
        return objective_key(s, r, at, what);
    }
}

/* Keys for order[], which is its own places where `fresh`, and `from` where that is not NULL. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    keys_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r,
                uint32_t what, uint32_t *order, uint32_t *key, const uint32_t *from,
                uint32_t fresh) {
    if (s.loop->finished)
        return;
    for (uint32_t k = first_thread(); k < r.members; k += all_threads()) {
        if (fresh || from)
            order[k] = from ? from[k] : k;
        key[k] = key_of(s, r, what, order[k]);
    }
}

/* ---- the plane ---- */

/* Members by x; who is equal to another; what ranks are found with is empty. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    firsts_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r,
                  const uint32_t *order) {
    if (s.loop->finished)
        return;
    uint32_t thread = first_thread(), threads = all_threads();
    for (uint32_t x = thread; x < r.members; x += threads) {
        uint32_t member = order[x], deme = member / r.own, copy = 0;
        if (x > 0 && order[x - 1] / r.own == deme && is_there(s, r, member))
            copy = is_there(s, r, order[x - 1]) &&
                   gr_are_equal(&s, deme, order[x - 1] % r.own, member % r.own);
        r.row[GR_PARETO_SOURCE][x] = member;
        r.row[GR_PARETO_RANK][member] = !is_there(s, r, member) ? GR_ABSENT : copy ? GR_NO_RANK : 0;
        r.row[GR_PARETO_CROWDING][member] = 0;
        r.row[GR_PARETO_FIRST][x] = r.row[GR_PARETO_BEST][x] = 0;
    }
    for (uint32_t k = thread; k < r.rows * r.rows; k += threads)
        r.most[k] = 0;
    for (uint32_t k = thread; k < r.rows; k += threads)
        r.done[k] = 0;
    for (uint32_t k = thread; k < gr_demes(&s.p); k += threads)
        if (s.demes[k].active)
            s.replaced_by[k] = gr_replaced_by{0, 0, 0};
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    heights_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r,
                   const uint32_t *order) {
    if (s.loop->finished)
        return;
    for (uint32_t y = first_thread(); y < r.members; y += all_threads())
        r.row[GR_PARETO_AT][order[y]] = y;
}

/* Where each tile begins among the members by tile. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    tiles_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r,
                 const uint32_t *key, const uint32_t *order) {
    uint32_t last = r.rows * r.rows;
    if (s.loop->finished)
        return;
    for (uint32_t k = first_thread(); k < r.members; k += all_threads()) {
        r.row[GR_PARETO_PLACE][k] = order[k];
        for (uint32_t tile = k ? key[k - 1] + 1 : 0; tile <= key[k]; tile++)
            r.begin[tile] = k;
        if (k + 1 == r.members)
            for (uint32_t tile = key[k] + 1; tile <= last + 1; tile++)
                r.begin[tile] = r.members;
    }
}

/* ---- ranks ---- */

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

/* Trees of largest values over `side` places; other blocks write to them too. */
__device__ static uint32_t largest_before(const uint32_t *tree, uint32_t place) {
    uint32_t largest = 0;
    for (uint32_t k = place; k; k &= k - 1)
        largest = gr_max_u32(largest, __ldcg(tree + k - 1));
    return largest;
}
__device__ static void enter(uint32_t *tree, uint32_t places, uint32_t place, uint32_t value) {
    for (uint32_t k = place + 1; k <= places; k += k & (0u - k))
        atomicMax(tree + k - 1, value);
}

__device__ static void wait_for(const uint32_t *done, uint32_t count) {
    if (threadIdx.x == 0)
        while (*(const volatile uint32_t *)done < count)
            __nanosleep(100);
    __syncthreads();
    __threadfence();
}

/* Ranks the members of a tile; its highest rank + 1. `below`: that of all tiles left and below. */
__device__ static uint32_t rank_tile(const ranking &r, uint32_t row, uint32_t column,
                                     uint32_t below) {
    __shared__ uint32_t highest;
    uint32_t tile = row * r.rows + column, end = r.begin[tile + 1], side = r.side;
    uint32_t *by_y = r.row[GR_PARETO_FIRST] + row * side,
             *by_x = r.row[GR_PARETO_BEST] + column * side;
    uint32_t high = gr_min_u32(side, r.members - row * side),
             wide = gr_min_u32(side, r.members - column * side);
    if (threadIdx.x == 0)
        highest = 0;
    for (uint32_t first = r.begin[tile]; first < end; first += GR_RANK_THREADS) {
        uint32_t count = gr_min_u32(end - first, GR_RANK_THREADS), here = threadIdx.x < count;
        ranked own = {0, 0xffffffffu, 0, 0};
        if (here) {
            own.x = r.row[GR_PARETO_PLACE][first + threadIdx.x];
            own.y = r.row[GR_PARETO_AT][own.x];
            own.rank = gr_max_u32(below, gr_max_u32(largest_before(by_y, own.y - row * side),
                                                    largest_before(by_x, own.x - column * side)));
        }
        own.rank = rank_among(own, count);
        if (here) {
            r.row[GR_PARETO_RANK][r.row[GR_PARETO_SOURCE][own.x]] = own.rank;
            enter(by_y, high, own.y - row * side, own.rank + 1);
            atomicMax(&highest, own.rank + 1);
        }
        __threadfence();
        __syncthreads();
    }
    for (uint32_t k = r.begin[tile] + threadIdx.x; k < end; k += GR_RANK_THREADS) {
        uint32_t x = r.row[GR_PARETO_PLACE][k];
        enter(by_x, wide, x - column * side, r.row[GR_PARETO_RANK][r.row[GR_PARETO_SOURCE][x]] + 1);
    }
    __syncthreads();
    return highest;
}

/* A block a row of tiles; all rows are on the device together. */
static __global__ void __launch_bounds__(GR_RANK_THREADS)
    rank_two_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r) {
    if (s.loop->finished)
        return;
    uint32_t row = blockIdx.x, left = 0;
    for (uint32_t column = 0; column < r.rows; column++) {
        uint32_t corner = 0, under = 0;
        if (row) {
            wait_for(r.done + row - 1, column + 1);
            under = __ldcg(r.most + (row - 1) * r.rows + column);
            corner = column ? __ldcg(r.most + (row - 1) * r.rows + column - 1) : 0;
        }
        uint32_t highest = rank_tile(r, row, column, corner);
        left = gr_max_u32(left, gr_max_u32(highest, under));
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            r.most[row * r.rows + column] = left;
            __threadfence();
            *(volatile uint32_t *)(r.done + row) = column + 1;
        }
    }
}

/* Three objectives: what all members before a stretch give its members, the blocks a share of them
 * each, then the ranks inside of it, by one block. */
static __global__ void __launch_bounds__(GR_RANK_THREADS)
    rank_three_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r) {
    cg::grid_group grid = cg::this_grid();
    const uint32_t *by_x = r.row[GR_PARETO_PLACE];
    uint32_t *base = r.row[GR_PARETO_BEST], *z = r.row[GR_PARETO_FIRST],
             *rank = r.row[GR_PARETO_KEY];
    if (s.loop->finished)
        return;
    uint32_t all = r.begin[1]; /* the others are equal to one of these */
    for (uint32_t k = first_thread(); k < all; k += all_threads()) {
        z[k] = objective_key(s, r, r.row[GR_PARETO_SOURCE][by_x[k]], 2);
        base[k] = 0;
    }
    grid.sync();
    for (uint32_t first = 0; first < all; first += GR_RANK_THREADS) {
        uint32_t count = gr_min_u32(all - first, GR_RANK_THREADS), here = threadIdx.x < count;
        ranked own = {0, 0xffffffffu, 0, 0};
        if (here) {
            own.x = by_x[first + threadIdx.x];
            own.y = r.row[GR_PARETO_AT][own.x];
            own.z = z[first + threadIdx.x];
        }
        for (uint32_t k = blockIdx.x; k < first; k += gridDim.x)
            if (r.row[GR_PARETO_AT][by_x[k]] < own.y && z[k] <= own.z)
                own.rank = gr_max_u32(own.rank, __ldcg(rank + k) + 1);
        if (here && own.rank)
            atomicMax(base + first + threadIdx.x, own.rank);
        grid.sync();
        if (blockIdx.x == 0) {
            own.rank = here ? __ldcg(base + first + threadIdx.x) : 0;
            own.rank = rank_among(own, count);
            if (here) {
                rank[first + threadIdx.x] = own.rank;
                r.row[GR_PARETO_RANK][r.row[GR_PARETO_SOURCE][own.x]] = own.rank;
            }
        }
        grid.sync();
    }
}

/* ---- crowding ---- */

/* How many fronts a deme has without those that are equal to others. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    count_fronts_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r) {
    if (s.loop->finished)
        return;
    for (uint32_t member = first_thread(); member < r.members; member += all_threads()) {
        uint32_t rank = r.row[GR_PARETO_RANK][member], deme = member / r.own;
        if (rank < GR_NO_RANK && s.demes[deme].active && s.replaced_by[deme].fronts <= rank)
            atomicMax(&s.replaced_by[deme].fronts, rank + 1);
    }
}

/* The first and the last of every front in `order`, members by deme and rank. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    ends_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r,
                const uint32_t *order) {
    const uint32_t *rank = r.row[GR_PARETO_RANK];
    if (s.loop->finished)
        return;
    for (uint32_t k = first_thread(); k < r.members; k += all_threads()) {
        uint32_t member = order[k], own = rank[member], deme = member / r.own;
        if (own >= GR_NO_RANK)
            continue;
        if (k == 0 || order[k - 1] / r.own != deme || rank[order[k - 1]] != own)
            r.row[GR_PARETO_FIRST][(size_t)deme * r.own + own] = k;
        if (k + 1 == r.members || order[k + 1] / r.own != deme || rank[order[k + 1]] != own)
            r.row[GR_PARETO_BEST][(size_t)deme * r.own + own] = k;
    }
}

/* Adds objective k to the crowding, and, where there are two, the other one, in which a front
 * stands the other way round. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    crowd_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r,
                 const uint32_t *order, uint32_t objective) {
    if (s.loop->finished)
        return;
    for (uint32_t k = first_thread(); k < r.members; k += all_threads()) {
        uint32_t own = order[k], rank = r.row[GR_PARETO_RANK][own], deme = own / r.own;
        if (rank >= GR_NO_RANK)
            continue;
        uint32_t first = r.row[GR_PARETO_FIRST][(size_t)deme * r.own + rank],
                 last = r.row[GR_PARETO_BEST][(size_t)deme * r.own + rank], at[5];
        at[0] = order[k > first ? k - 1 : k] % r.own;
        at[1] = own % r.own;
        at[2] = order[k < last ? k + 1 : k] % r.own;
        at[3] = order[first] % r.own;
        at[4] = order[last] % r.own;
        float crowding = gr_bits_float(r.row[GR_PARETO_CROWDING][own]);
        crowding = gr_crowding_with(&s, deme, crowding, objective, at);
        const uint32_t back[5] = {at[2], at[1], at[0], at[4], at[3]};
        if (s.p.objectives == 2)
            crowding = gr_crowding_with(&s, deme, crowding, 1, back);
        r.row[GR_PARETO_CROWDING][own] = gr_float_bits(crowding);
    }
}

/* Those that are equal to others are the last front of their deme. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    copies_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r) {
    if (s.loop->finished)
        return;
    for (uint32_t member = first_thread(); member < r.members; member += all_threads())
        if (r.row[GR_PARETO_RANK][member] == GR_NO_RANK)
            r.row[GR_PARETO_RANK][member] = s.replaced_by[member / r.own].fronts;
}

/* ---- survivors ---- */

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    places_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r,
                  const uint32_t *order) {
    if (s.loop->finished)
        return;
    for (uint32_t k = first_thread(); k < r.members; k += all_threads())
        r.row[GR_PARETO_PLACE][order[k]] = k % r.own;
}

/* Sums of a block's threads; `before`: of those before each. */
__device__ static uint32_t block_sum_before(uint32_t value, uint32_t *before) {
    __shared__ uint32_t of_warp[GR_LANES];
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t inside = gr_sum_before(w, value), sum = gr_sum_lanes(w, value), all = 0;
    uint32_t warp = threadIdx.x / GR_LANES, warps = blockDim.x / GR_LANES;
    __syncthreads();
    if (w.lane == 0)
        of_warp[warp] = sum;
    __syncthreads();
    for (uint32_t k = 0; k < warps; k++) {
        inside += k < warp ? of_warp[k] : 0;
        all += of_warp[k];
    }
    *before = inside;
    return all;
}

/* What a deme's record tells: nodes of the children, survivors of the first front, fronts. */
__device__ static void tell(const gr_state &s, uint32_t generation, uint32_t deme,
                            const uint32_t *place, const uint32_t *rank) {
    __shared__ gr_replaced_by told;
    uint32_t n = s.p.population, all = gr_pareto_members(&s.p, generation);
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    gr_replaced_by own = {0, 0, 0};
    __syncthreads();
    if (threadIdx.x == 0)
        told = own;
    for (uint32_t k = threadIdx.x; k < all; k += blockDim.x) {
        own.nodes += k < n ? gr_sized(&s, generation, deme * n + k)->nodes : 0;
        own.first_front += place[k] < n && rank[k] == 0;
        own.fronts = place[k] < n ? gr_max_u32(own.fronts, rank[k] + 1) : own.fronts;
    }
    __syncthreads();
    own.nodes = gr_sum_lanes_long(w, own.nodes);
    if (w.lane == 0)
        atomicAdd((unsigned long long *)&told.nodes, (unsigned long long)own.nodes);
    atomicAdd(&told.first_front, own.first_front);
    atomicMax(&told.fronts, own.fronts);
    __syncthreads();
    if (threadIdx.x == 0)
        s.replaced_by[deme] = told;
}

/* Which parent comes to which place: the surviving ones in their order to the places of children
 * that did not survive, in theirs. A block a deme, each thread a stretch of it. */
static __global__ void __launch_bounds__(1024)
    survivors_kernel(const __grid_constant__ gr_state s, const __grid_constant__ ranking r) {
    uint32_t generation = this_generation(s), n = s.p.population;
    if (s.loop->finished)
        return;
    for (uint32_t deme = blockIdx.x; deme < gr_demes(&s.p); deme += gridDim.x) {
        const uint32_t *place = gr_pareto_row_of(&s, GR_PARETO_PLACE, deme),
                       *rank = gr_pareto_row_of(&s, GR_PARETO_RANK, deme);
        uint32_t *source = gr_pareto_row_of(&s, GR_PARETO_SOURCE, deme),
                 *come = gr_pareto_row_of(&s, GR_PARETO_FIRST, deme);
        uint32_t share = (n + blockDim.x - 1) / blockDim.x, lost = 0, kept = 0, to, from;
        uint32_t first = gr_min_u32(threadIdx.x * share, n), last = gr_min_u32(first + share, n);
        if (!s.demes[deme].active)
            continue;
        for (uint32_t k = first; k < last; k++) {
            lost += place[k] >= n;
            kept += generation && place[n + k] < n;
        }
        block_sum_before(lost, &to);
        block_sum_before(kept, &from);
        for (uint32_t k = first; generation && k < last; k++)
            if (place[n + k] < n)
                come[from++] = k;
        __syncthreads();
        for (uint32_t k = first; k < last; k++)
            source[k] = place[k] >= n ? come[to++] : GR_STAYS;
        tell(s, generation, deme, place, rank);
    }
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    survive_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = this_generation(s), warps = all_threads() / GR_LANES;
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    if (s.loop->finished)
        return;
    for (uint32_t i = first_thread() / GR_LANES; i < s.p.individuals; i += warps)
        gr_survive(&s, generation, i, w);
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    keep_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = this_generation(s), warps = all_threads() / GR_LANES;
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    if (s.loop->finished)
        return;
    for (uint32_t i = first_thread() / GR_LANES; i < s.p.individuals; i += warps)
        gr_keep_parent(&s, generation, i, w);
    if (first_thread() == 0)
        gr_stamp(s.loop, GR_PHASE_SELECT);
}

/* ---- launchers ---- */

/* Tiles of a side: fewer than would leave most of them empty. */
static uint32_t rows_of(const gr_params *p) {
    uint32_t members = 2 * p->individuals, rows = 1;
    while (p->objectives == 2 && rows < GR_MOST_ROWS && rows * rows * GR_TILE_MEMBERS < members)
        rows++;
    return rows;
}

static size_t sort_bytes(uint32_t members) {
    size_t bytes = 0;
    cub::DoubleBuffer<uint32_t> keys, values;
    cub::DeviceRadixSort::SortPairs(NULL, bytes, keys, values, members, 0, 32);
    return (bytes + 255) / 256 * 256;
}

size_t gr_replace_bytes(const gr_params *p) {
    size_t rows = rows_of(p);
    return p->objectives
               ? sort_bytes(2 * p->individuals) + (2 * rows * rows + 2 + rows) * sizeof(uint32_t)
               : 0;
}

/* Sorts and kernels on their way to an order. */
typedef struct sorting {
    const gr_state *s;
    ranking r;
    cub::DoubleBuffer<uint32_t> key, order;
    void *memory;
    size_t bytes;
    uint32_t blocks;
    cudaStream_t stream;
    cudaError_t code;
} sorting;

static void sort(sorting *w, uint32_t what, const uint32_t *from, int fresh, uint32_t bits) {
    keys_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(
        *w->s, w->r, what, w->order.Current(), w->key.Current(), from, (uint32_t)fresh);
    if (w->code == cudaSuccess)
        w->code = cudaGetLastError();
    if (w->code == cudaSuccess)
        w->code = cub::DeviceRadixSort::SortPairs(w->memory, w->bytes, w->key, w->order,
                                                  w->r.members, 0, (int)bits, w->stream);
}

/* Bits of numbers up to one. */
static uint32_t bits_of(uint32_t most) {
    uint32_t bits = 1;
    while (bits < 32 && most >> bits)
        bits++;
    return bits;
}

static void sort_by_deme(sorting *w, uint32_t what, uint32_t bits) {
    if (gr_demes(&w->s->p) > 1)
        sort(w, what, NULL, 0, bits);
}

#define GR_AFTER(w, call)                                                                          \
    do {                                                                                           \
        call;                                                                                      \
        if ((w)->code == cudaSuccess)                                                              \
            (w)->code = cudaGetLastError();                                                        \
    } while (0)

/* x, y and, by tile, the members that are equal to no other. */
static void lay_out(sorting *w) {
    const gr_state &s = *w->s;
    uint32_t objectives = s.p.objectives, demes = bits_of(gr_demes(&s.p));
    for (uint32_t k = objectives; k-- > 0;)
        sort(w, BY_OBJECTIVE + k, NULL, k + 1 == objectives, 32);
    sort_by_deme(w, BY_DEME, demes);
    GR_AFTER(w, (firsts_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s, w->r,
                                                                              w->order.Current())));
    sort(w, Y_BY_OBJECTIVE, NULL, 1, 32);
    sort_by_deme(w, Y_BY_DEME, 32);
    GR_AFTER(w, (heights_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(
                    s, w->r, w->order.Current())));
    sort(w, BY_TILE, NULL, 1, bits_of(w->r.rows * w->r.rows));
    GR_AFTER(w, (tiles_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(
                    s, w->r, w->key.Current(), w->order.Current())));
}

static void rank(sorting *w) {
    void *arguments[] = {(void *)w->s, &w->r};
    const void *kernel =
        w->s->p.objectives == 2 ? (const void *)rank_two_kernel : (const void *)rank_three_kernel;
    uint32_t blocks = w->r.rows;
    if (w->s->p.objectives > 2)
        blocks = (w->blocks + 7) / 8; /* one a multiprocessor, where there is so much */
    if (w->code == cudaSuccess)
        w->code = cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(GR_RANK_THREADS),
                                              arguments, 0, w->stream);
    GR_AFTER(w, (count_fronts_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(*w->s, w->r)));
}

/* Of two objectives one order tells both. */
static void crowd(sorting *w) {
    uint32_t objectives = w->s->p.objectives == 2 ? 1 : w->s->p.objectives;
    const uint32_t *by_x = w->r.row[GR_PARETO_SOURCE];
    for (uint32_t k = 0; k < objectives; k++) {
        if (k)
            sort(w, BY_OBJECTIVE + k, by_x, 0, 32);
        sort(w, BY_RANK, k ? NULL : by_x, 0, 32);
        sort_by_deme(w, BY_DEME, bits_of(gr_demes(&w->s->p)));
        GR_AFTER(w, (ends_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(
                        *w->s, w->r, w->order.Current())));
        GR_AFTER(w, (crowd_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(
                        *w->s, w->r, w->order.Current(), k)));
    }
}

static void survive(sorting *w) {
    const gr_state &s = *w->s;
    GR_AFTER(w, (copies_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s, w->r)));
    sort(w, BY_CROWDING, NULL, 1, 32);
    sort(w, BY_RANK, NULL, 0, 32);
    sort_by_deme(w, BY_DEME, bits_of(gr_demes(&s.p)));
    GR_AFTER(w, (places_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s, w->r,
                                                                              w->order.Current())));
    GR_AFTER(w,
             (survivors_kernel<<<gr_min_u32(gr_demes(&s.p), 256), 1024, 0, w->stream>>>(s, w->r)));
    GR_AFTER(w, (survive_kernel<<<4 * w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s)));
    GR_AFTER(w, (keep_kernel<<<4 * w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s)));
}

static sorting sorting_of(const gr_state *state, void *memory, int multiprocessors,
                          cudaStream_t stream) {
    const gr_params *p = &state->p;
    sorting w = {};
    uint32_t rows = rows_of(p);
    w.s = state;
    w.r.members = 2 * p->individuals;
    w.r.own = 2 * p->population;
    w.r.rows = rows;
    w.r.side = (w.r.members + rows - 1) / rows;
    for (uint32_t k = 0; k < GR_PARETO_ROWS; k++)
        w.r.row[k] = state->pareto + 2 * (size_t)k * p->individuals;
    w.memory = memory;
    w.bytes = sort_bytes(w.r.members);
    w.r.begin = (uint32_t *)((char *)memory + w.bytes);
    w.r.most = w.r.begin + (size_t)rows * rows + 2;
    w.r.done = w.r.most + (size_t)rows * rows;
    w.key = cub::DoubleBuffer<uint32_t>(w.r.row[GR_PARETO_KEY], w.r.row[GR_PARETO_KEY_TOO]);
    w.order = cub::DoubleBuffer<uint32_t>(w.r.row[GR_PARETO_ORDER], w.r.row[GR_PARETO_ORDER_TOO]);
    w.blocks = gr_min_u32((w.r.members + GR_STAGE_THREADS - 1) / GR_STAGE_THREADS,
                          8 * (uint32_t)multiprocessors);
    w.stream = stream;
    return w;
}

cudaError_t gr_launch_replace(const gr_state *state, void *memory, int multiprocessors,
                              cudaStream_t stream) {
    sorting w = sorting_of(state, memory, multiprocessors, stream);
    GR_AFTER(&w, (objectives_kernel<<<w.blocks, GR_STAGE_THREADS, 0, stream>>>(*state)));
    lay_out(&w);
    rank(&w);
    crowd(&w);
    survive(&w);
    return w.code;
}

cudaError_t gr_launch_other(const gr_state *state, int multiprocessors, cudaStream_t stream) {
    other_kernel<<<8 * multiprocessors, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

cudaError_t gr_launch_keep_parents(const gr_state *state, int multiprocessors,
                                   cudaStream_t stream) {
    keep_kernel<<<8 * multiprocessors, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}
