/* NSGA-II behind the evaluation of a generation (gpu/core/selection/pareto.h): children and parents
 * of all demes put in order by sorts (CUB) and a wavefront, and the survivors copied to their
 * places. Only runs of several objectives launch it.
 *
 * All members of all demes are sorted together, those of deme d being 2 * population * d and the
 * following; a sort more brings the demes together where there are several. Ranks: a member's x is
 * its place by all objectives, demes rising, its y the one by the second objective, demes falling,
 * so that a member with a lower x and y is one of its own deme that is nowhere worse. What is equal
 * to another has no part in that. Where the second objective has few values, these take the place
 * of y. */
#include "gpu/backend/engine.h"
#include "gpu/core/fitness/validation.h"
#include "gpu/kernels/pareto.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

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
    uint32_t generation = gr_generation_bred(s), warps = gr_all_threads() / GR_LANES;
    if (s.loop->finished)
        return;
    for (uint32_t i = gr_first_thread() / GR_LANES; i < s.p.individuals; i += warps) {
        if (!s.demes[i / s.p.population].active)
            continue;
        float cost = measure_other(s, generation, i);
        if (threadIdx.x % GR_LANES == 0)
            s.other_cost[i] = cost;
    }
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    objectives_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = gr_generation_bred(s);
    if (s.loop->finished)
        return;
    if (gr_first_thread() == 0)
        gr_stamp(s.loop, -1);
    for (uint32_t i = gr_first_thread(); i < s.p.individuals; i += gr_all_threads()) {
        if (!s.demes[i / s.p.population].active)
            continue;
        if (s.p.other_shares && gr_has_other(&s.p))
            s.other_cost[i] = gr_other_cost(&s, generation, i);
        gr_write_objectives(&s, generation, i);
    }
}

/* ---- keys ---- */

/* What a sort goes by next; `order` has members, or their x. */
enum {
    BY_OBJECTIVE, /* + k */
    BY_DEME = GR_MAX_OBJECTIVES,
    BY_RANK,
    BY_CROWDING,
    Y_BY_OBJECTIVE, /* of x, by the second */
    Y_BY_DEME,      /* of x, falling */
    BY_LEVEL,
    BY_TILE, /* of x */
};
__device__ static uint32_t key_of(const gr_state &s, const gr_ranking &r, uint32_t what,
                                  uint32_t at) {
    const uint32_t *member = r.row[GR_PARETO_SOURCE]; /* by x */
    switch (what) {
    case BY_DEME:
        return at / r.own;
    case BY_RANK: /* in few bits */
        return r.row[GR_PARETO_RANK][at] == GR_ABSENT
                   ? r.own + 1
                   : gr_min_u32(r.row[GR_PARETO_RANK][at], r.own);
    case BY_LEVEL:
        return gr_is_there(s, r, at) ? gr_level_of(s, r, at) : r.levels;
    case BY_CROWDING:
        return gr_is_there(s, r, at) ? gr_crowding_key(r.row[GR_PARETO_CROWDING][at]) : GR_ABSENT;
    case Y_BY_OBJECTIVE:
        return gr_key_of_objective(s, r, member[at], 1);
    case Y_BY_DEME:
        return ~(member[at] / r.own);
    case BY_TILE:
        if (r.row[GR_PARETO_RANK][member[at]] != 0) /* it is equal to another, or absent */
            return r.rows * r.rows;
        return r.rows == 1 ? 0 : r.row[GR_PARETO_AT][at] / r.side * r.rows + at / r.side;
    default:
        return gr_key_of_objective(s, r, at, what);
    }
}

/* Keys for order[], which is its own places where `fresh`, and `from` where that is not NULL. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    keys_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                uint32_t what, uint32_t *order, uint32_t *key, const uint32_t *from,
                uint32_t fresh) {
    if (s.loop->finished)
        return;
    for (uint32_t k = gr_first_thread(); k < r.members; k += gr_all_threads()) {
        if (fresh || from)
            order[k] = from ? from[k] : k;
        key[k] = key_of(s, r, what, order[k]);
    }
}

/* ---- the plane ---- */

/* Members by x; who is equal to another; what ranks are found with is empty. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    firsts_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                  const uint32_t *order) {
    if (s.loop->finished)
        return;
    uint32_t thread = gr_first_thread(), threads = gr_all_threads();
    for (uint32_t x = thread; x < r.members; x += threads) {
        uint32_t member = order[x], deme = member / r.own, copy = 0;
        if (x > 0 && order[x - 1] / r.own == deme && gr_is_there(s, r, member))
            copy = gr_is_there(s, r, order[x - 1]) &&
                   gr_are_equal(&s, deme, order[x - 1] % r.own, member % r.own);
        r.row[GR_PARETO_SOURCE][x] = member;
        r.row[GR_PARETO_RANK][member] = !gr_is_there(s, r, member) ? GR_ABSENT
                                        : copy                     ? GR_NO_RANK
                                                                   : 0;
        r.row[GR_PARETO_CROWDING][member] = 0;
        r.row[GR_PARETO_FIRST][x] = r.row[GR_PARETO_BEST][x] = 0;
        if (r.levels) {
            uint32_t level =
                copy || !gr_is_there(s, r, member) ? r.levels : gr_level_of(s, r, member);
            uint32_t begins = x == 0 || order[x - 1] / r.own != deme;
            r.row[GR_PARETO_AT][x] = level | (begins ? GR_DEME_BEGINS : 0);
        }
    }
    for (uint32_t k = thread; k < r.levels * r.stretches; k += threads)
        r.carry[k] = 0;
    for (uint32_t k = thread; k < r.rows * r.rows; k += threads)
        r.most[k] = 0;
    for (uint32_t k = thread; k < r.rows; k += threads)
        r.done[k] = 0;
    for (uint32_t k = thread; k < gr_demes(&s.p); k += threads)
        if (s.demes[k].active)
            s.replaced_by[k] = gr_replaced_by{0, 0, 0};
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    heights_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                   const uint32_t *order) {
    if (s.loop->finished)
        return;
    for (uint32_t y = gr_first_thread(); y < r.members; y += gr_all_threads())
        r.row[GR_PARETO_AT][order[y]] = y;
}

/* Where each tile begins among the members by tile. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    tiles_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                 const uint32_t *key, const uint32_t *order) {
    uint32_t last = r.rows * r.rows;
    if (s.loop->finished)
        return;
    for (uint32_t k = gr_first_thread(); k < r.members; k += gr_all_threads()) {
        r.row[GR_PARETO_PLACE][k] = order[k];
        for (uint32_t tile = k ? key[k - 1] + 1 : 0; tile <= key[k]; tile++)
            r.begin[tile] = k;
        if (k + 1 == r.members)
            for (uint32_t tile = key[k] + 1; tile <= last + 1; tile++)
                r.begin[tile] = r.members;
    }
}

/* ---- crowding ---- */

/* Ranks by x to those by member, and how many fronts a deme has without those that are equal to
 * others. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    ranks_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r) {
    if (s.loop->finished)
        return;
    for (uint32_t x = gr_first_thread(); x < r.members; x += gr_all_threads()) {
        uint32_t member = r.row[GR_PARETO_SOURCE][x], deme = member / r.own;
        uint32_t rank = r.row[GR_PARETO_KEY][x];
        if (r.row[GR_PARETO_RANK][member] >= GR_NO_RANK)
            continue;
        r.row[GR_PARETO_RANK][member] = rank;
        if (s.demes[deme].active && s.replaced_by[deme].fronts <= rank)
            atomicMax(&s.replaced_by[deme].fronts, rank + 1);
    }
}

/* The first and the last of every front in `order`, members by deme and rank. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    ends_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                const uint32_t *order) {
    const uint32_t *rank = r.row[GR_PARETO_RANK];
    if (s.loop->finished)
        return;
    for (uint32_t k = gr_first_thread(); k < r.members; k += gr_all_threads()) {
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
    crowd_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                 const uint32_t *order, uint32_t objective) {
    if (s.loop->finished)
        return;
    for (uint32_t k = gr_first_thread(); k < r.members; k += gr_all_threads()) {
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
    copies_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r) {
    if (s.loop->finished)
        return;
    for (uint32_t member = gr_first_thread(); member < r.members; member += gr_all_threads())
        if (r.row[GR_PARETO_RANK][member] == GR_NO_RANK)
            r.row[GR_PARETO_RANK][member] = s.replaced_by[member / r.own].fronts;
}

/* ---- survivors ---- */

/* Places in the order; what is told of the demes is empty. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    places_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                  const uint32_t *order) {
    if (s.loop->finished)
        return;
    for (uint32_t k = gr_first_thread(); k < r.members; k += gr_all_threads())
        r.row[GR_PARETO_PLACE][order[k]] = k % r.own;
    for (uint32_t k = gr_first_thread(); k < gr_demes(&s.p); k += gr_all_threads())
        if (s.demes[k].active)
            s.replaced_by[k] = gr_replaced_by{0, 0, 0};
}

/* What a deme's record tells: nodes of the children, survivors of the first front, fronts; lanes
 * together where they have one deme. */
__device__ static void tell(const gr_state &s, uint32_t deme, gr_replaced_by own) {
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    gr_replaced_by *told = &s.replaced_by[deme];
    uint32_t one = __all_sync(0xffffffffu, deme == __shfl_sync(0xffffffffu, deme, 0));
    if (one) {
        own.nodes = gr_sum_lanes_long(w, own.nodes);
        own.first_front = gr_sum_lanes(w, own.first_front);
        own.fronts = gr_most_lane(w, own.fronts);
    }
    if (one && w.lane)
        return;
    if (own.nodes)
        atomicAdd((unsigned long long *)&told->nodes, (unsigned long long)own.nodes);
    if (own.first_front)
        atomicAdd(&told->first_front, own.first_front);
    if (own.fronts > *(volatile uint32_t *)&told->fronts)
        atomicMax(&told->fronts, own.fronts);
}

/* Who is lost of the children, and who comes of the parents: 1 in key[i] and key[individuals + i].
 */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    fates_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                 uint32_t *key) {
    uint32_t n = s.p.population, generation = gr_generation_bred(s);
    uint32_t rounded = (s.p.individuals + GR_LANES - 1) / GR_LANES * GR_LANES;
    if (s.loop->finished)
        return;
    for (uint32_t k = gr_first_thread(); k < rounded; k += gr_all_threads()) {
        uint32_t i = gr_min_u32(k, s.p.individuals - 1), deme = i / n;
        size_t child = (size_t)deme * r.own + i % n;
        uint32_t counts = k == i && s.demes[deme].active, lost = 0, comes = 0;
        gr_replaced_by own = {0, 0, 0};
        for (uint32_t parent = 0; counts && parent < (generation ? 2 : 1); parent++) {
            uint32_t stays = r.row[GR_PARETO_PLACE][child + parent * n] < n,
                     rank = r.row[GR_PARETO_RANK][child + parent * n];
            lost |= !parent && !stays;
            comes |= parent && stays;
            own.nodes += parent ? 0 : gr_sized(&s, generation, i)->nodes;
            own.first_front += stays && rank == 0;
            own.fronts = stays ? gr_max_u32(own.fronts, rank + 1) : own.fronts;
        }
        tell(s, deme, own);
        if (k == i) {
            key[i] = lost;
            key[s.p.individuals + i] = comes;
        }
    }
}

/* before: how many 1s stand before each of them. There are as many who come to a deme as who are
 * lost there, so that the numbers of both belong together whatever the deme. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    comers_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                  const uint32_t *key, const uint32_t *before) {
    uint32_t all = s.p.individuals;
    if (s.loop->finished)
        return;
    for (uint32_t i = gr_first_thread(); i < all; i += gr_all_threads())
        if (key[all + i])
            r.row[GR_PARETO_FIRST][before[all + i] - before[all]] = i % s.p.population;
}
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    sources_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_ranking r,
                   const uint32_t *key, const uint32_t *before) {
    uint32_t n = s.p.population;
    if (s.loop->finished)
        return;
    for (uint32_t i = gr_first_thread(); i < s.p.individuals; i += gr_all_threads())
        r.row[GR_PARETO_SOURCE][(size_t)(i / n) * r.own + i % n] =
            key[i] ? r.row[GR_PARETO_FIRST][before[i]] : GR_STAYS;
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    survive_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = gr_generation_bred(s), warps = gr_all_threads() / GR_LANES;
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    if (s.loop->finished)
        return;
    for (uint32_t i = gr_first_thread() / GR_LANES; i < s.p.individuals; i += warps)
        gr_survive(&s, generation, i, w);
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    keep_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = gr_generation_bred(s), warps = gr_all_threads() / GR_LANES;
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    if (s.loop->finished)
        return;
    for (uint32_t i = gr_first_thread() / GR_LANES; i < s.p.individuals; i += warps)
        gr_keep_parent(&s, generation, i, w);
    if (gr_first_thread() == 0)
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

/* Values that the second of two objectives may have, with the infinite one; 0: too many. */
static uint32_t levels_of(const gr_params *p) {
    uint32_t kind = p->objective[1];
    uint32_t few =
        kind == GR_OBJECTIVE_NODES || (kind == GR_OBJECTIVE_DEPTH && p->genotype == GR_TREE);
    uint32_t most = few ? p->max_nodes : 0;
    return p->objectives == 2 && most && most + 2 <= GR_MOST_LEVELS ? most + 2 : 0;
}

/* What sorts and the sums of as many words take. */
static size_t sort_bytes(uint32_t members) {
    size_t sorts = 0, sums = 0;
    cub::DoubleBuffer<uint32_t> keys, values;
    cub::DeviceRadixSort::SortPairs(NULL, sorts, keys, values, members, 0, 32);
    cub::DeviceScan::ExclusiveSum(NULL, sums, (uint32_t *)NULL, (uint32_t *)NULL, members);
    return ((sorts > sums ? sorts : sums) + 255) / 256 * 256;
}

size_t gr_replace_bytes(const gr_params *p) {
    size_t rows = rows_of(p), members = 2 * p->individuals,
           levels = levels_of(p) * (size_t)gr_level_stretches(2 * p->individuals);
    return p->objectives ? sort_bytes((uint32_t)members) +
                               (2 * rows * rows + 2 + rows + levels) * sizeof(uint32_t)
                         : 0;
}

/* Sorts and kernels on their way to an order. */
typedef struct sorting {
    const gr_state *s;
    gr_ranking r;
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
        if (k == 1 && w->r.levels)
            sort(w, BY_LEVEL, NULL, 1, bits_of(w->r.levels));
        else
            sort(w, BY_OBJECTIVE + k, NULL, k + 1 == objectives, 32);
    sort_by_deme(w, BY_DEME, demes);
    GR_AFTER(w, (firsts_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s, w->r,
                                                                              w->order.Current())));
    if (w->r.levels)
        return;
    sort(w, Y_BY_OBJECTIVE, NULL, 1, 32);
    sort_by_deme(w, Y_BY_DEME, 32);
    GR_AFTER(w, (heights_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(
                    s, w->r, w->order.Current())));
    sort(w, BY_TILE, NULL, 1, bits_of(w->r.rows * w->r.rows));
    GR_AFTER(w, (tiles_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(
                    s, w->r, w->key.Current(), w->order.Current())));
}

static void rank(sorting *w, int multiprocessors) {
    if (w->code == cudaSuccess)
        w->code = w->r.levels ? gr_launch_rank_levels(w->s, &w->r, multiprocessors, w->stream)
                              : gr_launch_ranks(w->s, &w->r, w->blocks, multiprocessors, w->stream);
    GR_AFTER(w, (ranks_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(*w->s, w->r)));
}

/* Of two objectives one order tells both. */
static void crowd(sorting *w) {
    uint32_t objectives = w->s->p.objectives == 2 ? 1 : w->s->p.objectives;
    const uint32_t *by_x = w->r.row[GR_PARETO_SOURCE];
    for (uint32_t k = 0; k < objectives; k++) {
        if (k)
            sort(w, BY_OBJECTIVE + k, by_x, 0, 32);
        sort(w, BY_RANK, k ? NULL : by_x, 0, bits_of(w->r.own + 1));
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
    sort(w, BY_RANK, NULL, 0, bits_of(w->r.own + 1));
    sort_by_deme(w, BY_DEME, bits_of(gr_demes(&s.p)));
    GR_AFTER(w, (places_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s, w->r,
                                                                              w->order.Current())));
    uint32_t *key = w->r.row[GR_PARETO_KEY], *before = w->r.row[GR_PARETO_KEY_TOO];
    GR_AFTER(w, (fates_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s, w->r, key)));
    if (w->code == cudaSuccess)
        w->code = cub::DeviceScan::ExclusiveSum(w->memory, w->bytes, key, before, w->r.members,
                                                w->stream);
    GR_AFTER(w,
             (comers_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s, w->r, key, before)));
    GR_AFTER(w,
             (sources_kernel<<<w->blocks, GR_STAGE_THREADS, 0, w->stream>>>(s, w->r, key, before)));
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
    w.r.levels = levels_of(p);
    w.r.stretches = gr_level_stretches(w.r.members);
    w.r.carry = w.r.done + rows;
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
    rank(&w, multiprocessors);
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
