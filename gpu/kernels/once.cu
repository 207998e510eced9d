/* Programs evaluated once (gpu/core/selection/once.h), around kernel 2: GR_ONCE_LANES lanes a
 * program. Two kernels stand before it, since all programs are entered before any is compared; one
 * behind it. */
#include "gpu/core/selection/once.h"
#include "gpu/kernels/stages.h"

enum { GR_ONCE_LANES = 8, GR_ONCE_GROUPS = GR_LANES / GR_ONCE_LANES };

/* ---- kernels ---- */

__device__ __forceinline__ static gr_lane_group once_lanes(void) {
    return gr_lane_group{threadIdx.x % GR_ONCE_LANES, GR_ONCE_LANES};
}
/* The individual that this group has beside the others of its warp, behind the warp's first. */
__device__ __forceinline__ static uint32_t once_beside(void) {
    return threadIdx.x % GR_LANES / GR_ONCE_LANES;
}
#define GR_EACH_ONCE(first)                                                                        \
    for (uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) / GR_LANES * GR_ONCE_GROUPS;     \
         first < s.p.individuals; first += gridDim.x * blockDim.x / GR_LANES * GR_ONCE_GROUPS)

/* The sum over a warp, added by one lane. */
__device__ __forceinline__ static void add_of_warp(uint64_t *to, uint64_t mine) {
    uint64_t sum = gr_sum_lanes_long(gr_lane_group{threadIdx.x % GR_LANES, GR_LANES}, mine);
    if (threadIdx.x % GR_LANES == 0)
        gr_add_long(to, sum);
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    find_once_kernel(const __grid_constant__ gr_state s) {
    uint64_t instructions = 0, looked = 0;
    if (s.loop->finished)
        return;
    GR_EACH_ONCE(first) {
        uint32_t length = gr_once_find(&s, s.loop->next, first + once_beside(), once_lanes());
        if (threadIdx.x % GR_ONCE_LANES == 0) {
            instructions += length;
            looked += length > 0;
        }
    }
    add_of_warp(&s.course->instructions, instructions);
    add_of_warp(&s.course->looked, looked);
}

/* What the lanes of a warp have for a deme. */
__device__ static void add_to_deme(const gr_state &s, uint32_t deme, const gr_spared &mine) {
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    gr_spared sum;
    sum.nodes = gr_sum_lanes_long(w, mine.nodes);
    sum.shared = gr_sum_lanes(w, mine.shared);
    sum.kept = gr_sum_lanes(w, mine.kept);
    sum.remembered = gr_sum_lanes(w, mine.remembered);
    if (w.lane == 0 && deme < gr_demes(&s.p))
        gr_add_spared(&s.spared[deme], sum);
}

/* Counts are summed up as long as the whole warp is in one deme. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    settle_once_kernel(const __grid_constant__ gr_state s) {
    const gr_spared none = {0, 0, 0, 0, 0};
    gr_spared sum = none;
    uint64_t spared = 0;
    uint32_t last = gr_demes(&s.p), instructions;
    if (s.loop->finished)
        return;
    GR_EACH_ONCE(first) {
        uint32_t i = first + once_beside(), own = threadIdx.x % GR_ONCE_LANES == 0;
        uint32_t begins = first / s.p.population;
        uint32_t ends = gr_min_u32(first + GR_ONCE_GROUPS, s.p.individuals) - 1;
        gr_spared mine = gr_once_settle(&s, s.loop->next, i, &instructions, once_lanes());
        if (begins != last) {
            add_to_deme(s, last, sum);
            sum = none;
            last = begins;
        }
        if (!own)
            continue;
        spared += instructions;
        if (ends / s.p.population != begins) {
            if (i < s.p.individuals)
                gr_add_spared(&s.spared[i / s.p.population], mine);
            continue;
        }
        sum.nodes += mine.nodes;
        sum.shared += mine.shared;
        sum.kept += mine.kept;
        sum.remembered += mine.remembered;
    }
    add_to_deme(s, last, sum);
    add_of_warp(&s.course->spared, spared);
}

/* Kernel 2 has counted the generation on. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    hand_over_kernel(const __grid_constant__ gr_state s) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, generation = s.loop->next - 1;
    if (s.loop->finished)
        return;
    GR_EACH_ONCE(first) {
        if (first + once_beside() < s.p.individuals)
            gr_once_hand_over(&s, generation, first + once_beside(), once_lanes());
    }
    for (uint32_t deme = thread; deme < gr_demes(&s.p); deme += gridDim.x * blockDim.x)
        gr_once_tell(&s, deme);
    if (thread == 0)
        gr_once_decide(&s, generation);
}

/* ---- launchers ---- */

static uint32_t once_blocks(const gr_params *p, uint32_t most) {
    const uint32_t of_block = GR_STAGE_THREADS / GR_ONCE_LANES;
    return gr_max_u32(1, gr_min_u32(most, (p->individuals + of_block - 1) / of_block));
}

cudaError_t gr_launch_once(uint32_t most_blocks, const gr_state *state, cudaStream_t stream) {
    uint32_t blocks = once_blocks(&state->p, most_blocks);
    find_once_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state);
    settle_once_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

cudaError_t gr_launch_hand_over(uint32_t most_blocks, const gr_state *state, cudaStream_t stream) {
    hand_over_kernel<<<once_blocks(&state->p, most_blocks), GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}
