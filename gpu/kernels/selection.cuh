/* Selection: what an evaluated generation is worth, whether the run goes on, and the elites. The
 * grid meets behind each; parents are drawn by whoever breeds their children. These are the first
 * phases of kernel 1; runs that need more of them have them in a kernel of its own (select.cu). */
#ifndef GR_SELECTION_CUH
#define GR_SELECTION_CUH

#include "gpu/backend/engine.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/selection/select.h"
#include "gpu/kernels/kernels.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* Whether there is a generation to come: not in launches behind the end of a run. */
__device__ __forceinline__ static uint32_t begin_generation(const gr_state &s) {
    if (s.loop->finished)
        return 0;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        gr_stamp(s.loop, -1);
    return 1;
}

/* ---- statistics ---- */

/* Lanes of a warp meet, the costs in a butterfly. */
__device__ static gr_statistics merge_lanes(gr_statistics t) {
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
#define GR_COSTS(part)                                                                             \
    for (int x = GR_LANES / 2; x; x /= 2)                                                          \
        t.part += __shfl_xor_sync(0xffffffffu, t.part, x);
#define GR_KEY(part) t.part = gr_least_lane_long(w, t.part);
#define GR_LONG(part) t.part = gr_sum_lanes_long(w, t.part);
#define GR_SUM(part) t.part = gr_sum_lanes(w, t.part);
#define GR_LEAST(part) t.part = gr_least_lane(w, t.part);
#define GR_MOST(part) t.part = gr_most_lane(w, t.part);
    GR_STATISTICS_PARTS(GR_COSTS, GR_KEY, GR_LONG, GR_SUM, GR_LEAST, GR_MOST)
#undef GR_COSTS
#undef GR_KEY
#undef GR_LONG
#undef GR_SUM
#undef GR_LEAST
#undef GR_MOST
    return t;
}

/* ---- elites ---- */

/* Individuals of a deme that a block or a warp looks at in a row. */
enum { GR_TILE = 1024 };

/* Adds a block's counts of the deme's digits to the deme's, and clears them. */
__device__ static void add_histogram(uint32_t *counts, uint32_t *histogram) {
    __syncthreads();
    for (uint32_t digit = threadIdx.x; digit < 256; digit += blockDim.x) {
        if (counts[digit])
            atomicAdd(&histogram[digit], counts[digit]);
        counts[digit] = 0;
    }
    __syncthreads();
}

/* Counts the digits of one pass; a block counts a row of tiles in shared memory: few digits are
 * met by nearly all. */
__device__ static void count_digits(const gr_state &s, uint32_t pass) {
    __shared__ uint32_t counts[256];
    const gr_params &p = s.p;
    uint32_t row = (p.population + GR_TILE - 1) / GR_TILE, tiles = gr_demes(&p) * row;
    uint32_t share = (tiles + gridDim.x - 1) / gridDim.x, first = blockIdx.x * share;
    uint32_t last = gr_min_u32(first + share, tiles);
    for (uint32_t digit = threadIdx.x; digit < 256; digit += blockDim.x)
        counts[digit] = 0;
    __syncthreads();
    for (uint32_t tile = first; tile < last; tile++) {
        uint32_t deme = tile / row, from = tile % row * GR_TILE;
        const gr_deme *d = &s.demes[deme];
        if (!d->active || d->elite_done)
            continue;
        for (uint32_t index = from + threadIdx.x; index < gr_min_u32(from + GR_TILE, p.population);
             index += blockDim.x) {
            uint32_t digit = gr_elite_digit(d, gr_cost_key(&s, deme, index), pass);
            if (digit < 256)
                atomicAdd(&counts[digit], 1u);
        }
        if (tile + 1 == last || (tile + 1) / row != deme)
            add_histogram(counts, s.histogram + (size_t)deme * 256);
    }
}

/* The border of the elites in large demes, by radix. */
__device__ static void find_border(const gr_state &s, cg::grid_group grid) {
    uint32_t demes = gr_demes(&s.p), thread = gr_scattered_thread();
    uint32_t threads = (uint32_t)grid.size();
    for (uint32_t pass = 0; pass < 8; pass++) {
        count_digits(s, pass);
        grid.sync();
        for (uint32_t deme = thread / GR_LANES; deme < demes; deme += threads / GR_LANES)
            if (s.demes[deme].active && !s.demes[deme].elite_done)
                gr_elite_narrow(&s.demes[deme], s.histogram + (size_t)deme * 256, pass,
                                gr_lane_group{thread % GR_LANES, GR_LANES});
        grid.sync();
    }
}

/* Lists the keys of the elites of large demes, in any order: they are sorted then. */
__device__ static void list_elites(const gr_state &s) {
    const gr_params &p = s.p;
    uint32_t row = (p.population + GR_TILE - 1) / GR_TILE, lane = threadIdx.x % GR_LANES;
    uint32_t warp = gr_scattered_thread() / GR_LANES, warps = gridDim.x * blockDim.x / GR_LANES;
    for (uint32_t tile = warp; tile < gr_demes(&p) * row; tile += warps) {
        uint32_t deme = tile / row, from = tile % row * GR_TILE, count = 0, at = 0;
        if (!s.demes[deme].active)
            continue;
        for (uint32_t index = from + lane; index < from + GR_TILE; index += GR_LANES)
            count += index < p.population && gr_is_elite(&s, deme, index);
        count = gr_sum_lanes(gr_lane_group{lane, GR_LANES}, count);
        if (!count)
            continue;
        if (lane == 0)
            at = atomicAdd(&s.demes[deme].listed, count);
        at = __shfl_sync(0xffffffffu, at, 0);
        for (uint32_t index = from + lane; index < from + GR_TILE; index += GR_LANES) {
            uint32_t elite = index < p.population && gr_is_elite(&s, deme, index);
            uint32_t all = __ballot_sync(0xffffffffu, elite);
            if (elite)
                s.elite_keys[0][(size_t)deme * p.elites + at + __popc(all & ((1u << lane) - 1))] =
                    gr_cost_key(&s, deme, index);
            at += __popc(all);
        }
    }
}

/* Elites of all demes, best first. One elite is the best and was found with the statistics. */
__device__ static void find_elites(const gr_state &s, cg::grid_group grid) {
    const gr_params &p = s.p;
    uint32_t small = p.population <= GR_SMALL_DEME, count = small ? p.population : p.elites;
    gr_lane_group group = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t thread = gr_scattered_thread(), threads = (uint32_t)grid.size();
    if (p.elites <= 1)
        return;
    if (!small) {
        find_border(s, grid);
        list_elites(s);
        grid.sync();
    }
    for (uint32_t k = thread / GR_LANES; k < gr_demes(&p) * count; k += threads / GR_LANES)
        if (s.demes[k / count].active && small)
            gr_rank_elite(&s, k / count, k % count, group);
        else if (s.demes[k / count].active)
            gr_sort_elite(&s, k / count, k % count, group);
    grid.sync();
    for (uint32_t pass = 0; !small && pass < gr_elite_passes(&p); pass++) {
        for (uint32_t k = thread; k < gr_demes(&p) * count; k += threads)
            if (s.demes[k / count].active)
                gr_merge_elite(&s, k / count, pass, k % count);
        grid.sync();
    }
}

/* ---- the generation ---- */

/* Whether this warp is the last of `all` to come, and may read what the others wrote before. */
__device__ static uint32_t comes_last(uint32_t *done, uint32_t all) {
    uint32_t last = 0;
    __threadfence();
    __syncwarp();
    if (threadIdx.x % GR_LANES == 0) {
        last = atomicAdd(done, 1u) == all - 1;
        if (last)
            *done = 0;
    }
    last = __shfl_sync(0xffffffffu, last, 0);
    __threadfence();
    return last;
}

/* Statistics of segment k, of which the lane has those of its individuals; the warp whose segment
 * is its span's last adds up the span, and that whose span is the deme's last finishes the deme:
 * *whole, its statistics. Where a span or a deme has one part, that is all of it. The lanes meet in
 * one place: it is a lot of code. */
__device__ __forceinline__ static uint32_t
add_statistics(const gr_state &s, uint32_t k, gr_statistics statistics, gr_statistics *whole) {
    uint32_t segments = gr_segments(&s.p), spans = gr_spans(&s.p), lane = threadIdx.x % GR_LANES;
    uint32_t deme = k / segments, segment = k % segments, number = segment / GR_SPAN;
    uint32_t levels = segments == 1 ? 0 : spans == 1 ? 1 : 2;
    gr_span *span = &s.spans[(size_t)deme * spans + number];
    gr_statistics *to = &s.segments[k];
    uint32_t *done = &span->segments_done;
    uint32_t all = gr_min_u32(GR_SPAN, segments - number * GR_SPAN);
    for (uint32_t level = 0;; level++) {
        statistics = merge_lanes(statistics);
        if (level == levels)
            break;
        if (lane == 0)
            *to = statistics;
        if (!comes_last(done, all))
            return 0;
        statistics = level ? gr_deme_lane(&s, deme, lane) : gr_span_lane(&s, deme, number, lane);
        to = &span->statistics;
        done = &s.demes[deme].spans_done;
        all = spans;
    }
    *whole = statistics;
    return 1;
}

__device__ static void segment_statistics(const gr_state &s, uint32_t generation, uint32_t k) {
    uint32_t deme = k / gr_segments(&s.p), lane = threadIdx.x % GR_LANES;
    gr_statistics statistics = gr_segment_lane(&s, generation, deme, k % gr_segments(&s.p), lane);
    if (!add_statistics(s, k, statistics, &statistics))
        return;
    if (lane == 0) {
        gr_finish_deme(&s, generation, deme, statistics);
        if (s.demes[deme].active && gr_run_islands(&s.p) == 1 && !s.validating)
            s.loop->going[generation & 1] = 1;
    }
    __syncwarp();
    if (!s.validating)
        gr_keep_best(&s, generation, deme, gr_lane_group{lane, GR_LANES});
}

/* Lanes of a warp meet. */
__device__ static gr_moments merge_moments(gr_moments mine) {
    for (int x = GR_LANES / 2; x; x /= 2) {
        gr_moments other;
        other.cost = __shfl_xor_sync(0xffffffffu, mine.cost, x);
        other.size = __shfl_xor_sync(0xffffffffu, mine.size, x);
        other.size_squared = __shfl_xor_sync(0xffffffffu, mine.size_squared, x);
        other.product = __shfl_xor_sync(0xffffffffu, mine.product, x);
        other.count = __shfl_xor_sync(0xffffffffu, mine.count, x);
        mine = gr_moments_merge(mine, other);
    }
    return mine;
}

/* Selection costs and the order of the demes (gpu/core/selection/order.h), in runs that go by
 * them. */
__device__ static void order_demes(const gr_state &s, uint32_t generation, cg::grid_group grid) {
    const gr_params &p = s.p;
    uint32_t demes = gr_demes(&p), segments = gr_segments(&p), lane = threadIdx.x % GR_LANES;
    uint32_t thread = gr_scattered_thread(), threads = (uint32_t)grid.size();
    for (uint32_t k = thread / GR_LANES; k < demes * segments; k += threads / GR_LANES) {
        gr_moments m =
            merge_moments(gr_moments_segment(&s, generation, k / segments, k % segments, lane));
        if (lane == 0)
            s.moments[k] = m;
    }
    grid.sync();
    for (uint32_t deme = thread / GR_LANES; deme < demes; deme += threads / GR_LANES) {
        gr_moments m = merge_moments(gr_moments_deme(&s, deme, lane));
        if (lane == 0)
            s.pressures[deme] = gr_pressure_of(&p, m);
    }
    grid.sync();
    for (uint32_t i = thread; i < p.individuals; i += threads)
        gr_weigh_selection_cost(&s, generation, i);
    for (uint32_t pass = 0; p.ordered && pass < gr_order_passes(&p); pass++) {
        grid.sync();
        for (uint32_t i = thread; i < p.individuals; i += threads)
            gr_merge_key(&s, pass, i);
    }
    grid.sync();
}

/* Class thresholds (gpu/core/fitness/class_bins.h), where they are fitted. */
__device__ static void fit_classes(const gr_state &s, uint32_t generation, cg::grid_group grid) {
    for (uint32_t i = gr_scattered_thread(); i < s.p.individuals; i += (uint32_t)grid.size())
        gr_fit_individual(&s, generation, i);
    grid.sync();
}

/* Phases that most runs do without, and whether selection goes on behind them. */
struct no_phases {
    __device__ static bool begins(const gr_launch &) { return true; }
    __device__ static bool judge(const gr_state &, const gr_launch &, uint32_t, cg::grid_group) {
        return true;
    }
    __device__ static bool prepare(const gr_state &, const gr_launch &, uint32_t) { return true; }
};

/* What the generation is worth. */
__device__ __forceinline__ static void judge_generation(const gr_state &s, const gr_launch &launch,
                                                        uint32_t generation, cg::grid_group grid) {
    uint32_t thread = gr_scattered_thread(), threads = (uint32_t)grid.size();
    uint32_t parts = gr_demes(&s.p) * gr_segments(&s.p);
    if (thread == threads - 1 && launch.mailbox->stop) /* a warp with little else to do */
        s.loop->stop = 1;
    if (s.class_bins)
        fit_classes(s, generation, grid);
    for (uint32_t k = thread / GR_LANES; k < parts; k += threads / GR_LANES)
        segment_statistics(s, generation, k);
    grid.sync();
}

/* Selection from the generation evaluated last, up to the parents; whether another one is to be
 * bred. Every thread learns it from what stood in the loop when the grid met, so nobody waits for
 * the one that writes it down. */
template <class MORE>
__device__ static uint32_t select_generation(const gr_state &s, const gr_launch &launch) {
    cg::grid_group grid = cg::this_grid();
    uint32_t generation = s.loop->next - 1, thread = gr_scattered_thread();
    if (MORE::begins(launch))
        judge_generation(s, launch, generation, grid);
    if (!MORE::judge(s, launch, generation, grid))
        return 0;
    uint32_t active = s.loop->going[generation & 1],
             goes_on = active && !s.loop->stop && generation < s.p.generations;
    if (goes_on) {
        if (!MORE::prepare(s, launch, generation))
            return 0;
        if (s.selection_cost)
            order_demes(s, generation, grid);
        find_elites(s, grid);
    }
    if (thread == 0) {
        s.loop->going[(generation & 1) ^ 1] = 0; /* the next generation's */
        gr_decide(&s, active, 0);
        gr_stamp(s.loop, GR_PHASE_SELECT);
        if (launch.graph)
            cudaGraphSetConditional(launch.loop, goes_on && s.loop->epoch + 1 < launch.epoch);
    }
    return goes_on;
}

#endif
