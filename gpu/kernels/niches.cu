/* Archives of niches (gpu/core/selection/niches.h), in runs that have them. Behind the evaluation
 * of a generation: its individuals become applicants, who pass the steps of the rule one after
 * another, a launch each, since all have to be through one before any begins the next. Before
 * parents are drawn: the niches that are filled are listed. */
#include "gpu/backend/engine.h"
#include "gpu/core/program/execute.h"
#include "gpu/core/selection/niches.h"
#include "gpu/kernels/stages.h"

/* ---- kernels ---- */

__device__ __forceinline__ static uint32_t first_thread(void) {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ static uint32_t all_threads(void) {
    return gridDim.x * blockDim.x;
}
__device__ __forceinline__ static gr_lane_group own_warp(void) {
    return gr_lane_group{threadIdx.x % GR_LANES, GR_LANES};
}

/* Applicants from individuals: so many lanes one, each a case of its behaviour. */
static_assert(GR_LANES % GR_BEHAVIOUR_CASES == 0, "a warp looks at some programs at a time");
enum { GR_AT_A_TIME = GR_LANES / GR_BEHAVIOUR_CASES };

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    look_kernel(const __grid_constant__ gr_state s) {
    __shared__ float outputs[GR_STAGE_THREADS];
    uint32_t generation = s.loop->next - 1, k = threadIdx.x % GR_BEHAVIOUR_CASES;
    uint32_t step = all_threads() / GR_BEHAVIOUR_CASES;
    if (s.loop->finished)
        return;
    if (first_thread() == 0)
        gr_stamp(s.loop, -1);
    for (uint32_t first = first_thread() / GR_LANES * GR_AT_A_TIME; first < s.p.individuals;
         first += step) {
        uint32_t i = first + threadIdx.x % GR_LANES / GR_BEHAVIOUR_CASES;
        uint32_t there = i < s.p.individuals, length = 0;
        double fit[2] = {0.0, 0.0};
        float cost = GR_INFINITY, output = 0.0f;
        if (there) {
            length = s.individuals[generation & 1][i].instructions;
            cost = gr_evaluated_cost(&s, generation, i, fit);
        }
        if (length && cost < GR_INFINITY && k < gr_behaviour_cases(&s.p))
            output = gr_execute(&s.p, gr_program(&s, i), length, s.behaviour_cases + k);
        outputs[threadIdx.x] = output;
        __syncwarp();
        if (there && k == 0)
            gr_make_applicant(&s, generation, i, cost, fit, outputs + threadIdx.x);
        __syncwarp(); /* read before the next are written */
    }
}

enum { ENTER, COMPARE, CONTEST };
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    applicants_kernel(const __grid_constant__ gr_state s, uint32_t step) {
    uint32_t applicants = gr_applicants(&s.p);
    uint64_t all = (uint64_t)gr_demes(&s.p) * applicants;
    if (s.loop->finished)
        return;
    for (uint64_t k = first_thread(); k < all; k += all_threads()) {
        uint32_t deme = (uint32_t)(k / applicants), number = (uint32_t)(k % applicants);
        if (step == ENTER)
            gr_enter_applicant(&s, deme, number);
        else if (step == COMPARE)
            gr_compare_alike(&s, deme, number);
        else
            gr_contest_niche(&s, deme, number);
    }
}

/* A warp a niche; what the steps were done with is emptied beside. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    settle_niches_kernel(const __grid_constant__ gr_state s) {
    uint32_t generation = s.loop->next - 1, niches = s.p.niches;
    uint32_t warps = all_threads() / GR_LANES, demes = gr_demes(&s.p);
    size_t entries = demes * gr_alike_entries(&s.p);
    if (s.loop->finished)
        return;
    for (uint32_t k = first_thread() / GR_LANES; k < demes * niches; k += warps)
        gr_settle_niche(&s, generation, k / niches, k % niches, own_warp());
    for (size_t k = first_thread(); k < entries; k += all_threads())
        gr_clear_alike(&s, k);
    if (first_thread() == 0)
        gr_stamp(s.loop, GR_PHASE_SELECT);
}

/* Behind the selection of a generation, a warp a deme. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    list_niches_kernel(const __grid_constant__ gr_state s) {
    uint32_t warps = all_threads() / GR_LANES;
    if (s.loop->finished || !s.loop->next)
        return;
    for (uint32_t deme = first_thread() / GR_LANES; deme < gr_demes(&s.p); deme += warps)
        gr_list_niches(&s, deme, own_warp());
}

/* ---- launchers ---- */

static uint32_t blocks_for(uint64_t threads, uint32_t most) {
    uint64_t blocks = (threads + GR_STAGE_THREADS - 1) / GR_STAGE_THREADS;
    return blocks < most ? gr_max_u32(1, (uint32_t)blocks) : most;
}

cudaError_t gr_launch_niches(uint32_t most_blocks, const gr_state *state, cudaStream_t stream) {
    const gr_params *p = &state->p;
    uint64_t demes = gr_demes(p), applicants = demes * gr_applicants(p);
    uint64_t warps = demes * p->niches * GR_LANES, entries = demes * gr_alike_entries(p);
    uint32_t blocks = blocks_for((uint64_t)p->individuals * GR_BEHAVIOUR_CASES, most_blocks);
    look_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state);
    blocks = blocks_for(applicants, most_blocks);
    for (uint32_t step = ENTER; step <= CONTEST; step++)
        applicants_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state, step);
    blocks = blocks_for(warps > entries ? warps : entries, most_blocks);
    settle_niches_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

cudaError_t gr_launch_list_niches(uint32_t most_blocks, const gr_state *state,
                                  cudaStream_t stream) {
    uint32_t blocks = blocks_for((uint64_t)gr_demes(&state->p) * GR_LANES, most_blocks);
    list_niches_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}
