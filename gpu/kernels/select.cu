/* Kernel 1: costs and statistics of a generation, stop decision, elites, parents and plans. */
#include "gpu/core/selection/select.h"
#include "gpu/kernels/kernels.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* ---- kernels ---- */

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

/* The border of the elites in large demes, by radix. */
__device__ static void find_border(const gr_state &s, cg::grid_group grid) {
    const gr_params &p = s.p;
    uint32_t demes = gr_demes(&p), thread = gr_scattered_thread(), threads = (uint32_t)grid.size();
    for (uint32_t pass = 0; pass < 8; pass++) {
        for (uint32_t i = thread; i < p.individuals; i += threads) {
            uint32_t deme = i / p.population;
            const gr_deme *d = &s.demes[deme];
            uint32_t digit = 256;
            if (d->active && !d->elite_done)
                digit = gr_elite_digit(d, gr_cost_key(&s, deme, i % p.population), pass);
            if (digit < 256)
                atomicAdd(&s.histogram[deme * 256 + digit], 1u);
        }
        grid.sync();
        for (uint32_t deme = thread / GR_LANES; deme < demes; deme += threads / GR_LANES)
            if (s.demes[deme].active && !s.demes[deme].elite_done)
                gr_elite_narrow(&s.demes[deme], s.histogram + (size_t)deme * 256, pass,
                                gr_lane_group{thread % GR_LANES, GR_LANES});
        grid.sync();
    }
}

/* Lists the elites of large demes in rising order of index: a scan of the segments' counts, no list
 * by atomics. */
__device__ static void list_elites(const gr_state &s, cg::grid_group grid) {
    const gr_params &p = s.p;
    uint32_t demes = gr_demes(&p), segments = gr_segments(&p), lane = threadIdx.x % GR_LANES;
    uint32_t warp = gr_scattered_thread() / GR_LANES, warps = (uint32_t)grid.size() / GR_LANES;
    for (uint32_t k = warp; k < demes * segments; k += warps) {
        uint32_t deme = k / segments, first = k % segments * GR_SEGMENT, count = 0;
        for (uint32_t index = first + lane; index < first + GR_SEGMENT; index += GR_LANES)
            count += __popc(
                __ballot_sync(0xffffffffu, index < p.population && gr_is_elite(&s, deme, index)));
        if (lane == 0)
            s.segment_elites[k] = count;
    }
    grid.sync();
    for (uint32_t k = warp; k < demes * segments; k += warps) {
        uint32_t deme = k / segments, segment = k % segments, before = 0;
        if (!s.demes[deme].active || s.segment_elites[k] == 0)
            continue;
        for (uint32_t earlier = lane; earlier < segment; earlier += GR_LANES)
            before += s.segment_elites[deme * segments + earlier];
        for (int x = GR_LANES / 2; x; x /= 2)
            before += __shfl_xor_sync(0xffffffffu, before, x);
        for (uint32_t index = segment * GR_SEGMENT + lane; index < (segment + 1) * GR_SEGMENT;
             index += GR_LANES) {
            uint32_t elite = index < p.population && gr_is_elite(&s, deme, index);
            uint32_t all = __ballot_sync(0xffffffffu, elite);
            if (elite)
                s.listed[(size_t)deme * p.elites + before + __popc(all & ((1u << lane) - 1))] =
                    index;
            before += __popc(all);
        }
    }
    grid.sync();
}

/* Elites of all demes, best first. One elite is the best and was found with the statistics. */
__device__ static void find_elites(const gr_state &s, cg::grid_group grid) {
    const gr_params &p = s.p;
    uint32_t small = p.population <= GR_SMALL_DEME, count = small ? p.population : p.elites;
    if (p.elites <= 1)
        return;
    if (!small) {
        find_border(s, grid);
        list_elites(s, grid);
    }
    gr_lane_group group = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t warp = gr_scattered_thread() / GR_LANES, warps = (uint32_t)grid.size() / GR_LANES;
    for (uint32_t k = warp; k < gr_demes(&p) * count; k += warps) {
        uint32_t deme = k / count;
        const uint32_t *listed = small ? NULL : s.listed + (size_t)deme * p.elites;
        if (s.demes[deme].active)
            gr_rank_elite(&s, deme, small ? k % count : listed[k % count], listed, count, group);
    }
    grid.sync();
}

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

/* Statistics of segment k; the warp whose segment is its span's last adds up the span, and that
 * whose span is the deme's last finishes the deme. The lanes meet in one place: it is a lot of
 * code. */
__device__ static void segment_statistics(const gr_state &s, uint32_t generation, uint32_t k) {
    uint32_t segments = gr_segments(&s.p), spans = gr_spans(&s.p), lane = threadIdx.x % GR_LANES;
    uint32_t deme = k / segments, segment = k % segments, number = segment / GR_SPAN;
    gr_span *span = &s.spans[(size_t)deme * spans + number];
    gr_statistics statistics = gr_segment_lane(&s, generation, deme, segment, lane),
                  *to = &s.segments[k];
    uint32_t *done = &span->segments_done;
    uint32_t all = gr_min_u32(GR_SPAN, segments - number * GR_SPAN);
    for (uint32_t level = 0;; level++) {
        statistics = merge_lanes(statistics);
        if (level == 2)
            break;
        if (lane == 0)
            *to = statistics;
        if (!comes_last(done, all))
            return;
        statistics = level ? gr_deme_lane(&s, deme, lane) : gr_span_lane(&s, deme, number, lane);
        to = &span->statistics;
        done = &s.demes[deme].spans_done;
        all = spans;
    }
    if (lane == 0)
        gr_finish_deme(&s, generation, deme, statistics);
}

static __global__ void __launch_bounds__(GR_SELECT_THREADS, GR_SELECT_BLOCKS)
    select_kernel(const __grid_constant__ gr_state s, const __grid_constant__ gr_launch launch) {
    cg::grid_group grid = cg::this_grid();
    const gr_params &p = s.p;
    if (s.loop->finished)
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0 &&
        !s.selection_cost) /* with selection costs it has begun, order.cu */
        gr_stamp(s.loop, -1);
    uint32_t generation = s.loop->next - 1, demes = gr_demes(&p);
    uint32_t thread = gr_scattered_thread(), threads = (uint32_t)grid.size();
    uint32_t warp = thread / GR_LANES, warps = threads / GR_LANES;
    for (uint32_t k = warp; k < demes * gr_segments(&p); k += warps)
        segment_statistics(s, generation, k);
    grid.sync();
    if (blockIdx.x == 0) {
        uint32_t active =
            (uint32_t)__syncthreads_or((int)gr_share_active(&s, threadIdx.x, blockDim.x));
        if (threadIdx.x == 0) {
            gr_decide(&s, active, launch.mailbox->stop);
            if (launch.graph)
                cudaGraphSetConditional(launch.loop,
                                        !s.loop->finished && s.loop->epoch + 1 < launch.epoch);
        }
    }
    find_elites(s, grid);
    /* Few pairs: one to a warp. */
    uint32_t pairs = demes * gr_parent_pairs(&p), width = pairs <= warps ? GR_LANES : 1;
    gr_lane_group group = {thread % width, width};
    for (uint32_t k = thread / width; k < pairs; k += threads / width)
        gr_plan_parent_pair(&s, generation, k, group);
    for (uint32_t deme = warps - 1 - warp; deme < demes; deme += warps) {
        gr_lane_group whole = {threadIdx.x % GR_LANES, GR_LANES};
        gr_keep_best(&s, generation, deme, whole);
    }
}

/* ---- launchers ---- */

const void *gr_select_kernel_address(void) {
    return (const void *)select_kernel;
}

cudaError_t gr_launch_kernel(const void *kernel, gr_shape shape, const gr_state *state,
                             const gr_launch *launch, cudaStream_t stream) {
    void *arguments[] = {(void *)state, (void *)launch};
    return cudaLaunchCooperativeKernel(kernel, dim3(shape.blocks), dim3(shape.threads), arguments,
                                       shape.shared, stream);
}
