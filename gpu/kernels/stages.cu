/* What some runs do beside the two kernels. In every generation: diversity is counted. Once: the
 * first generation drawn until all differ or are valid, by claims on a table, round by round; the
 * start of a ranking on all cases. */
#define GR_KEEPS_TYPES /* first trees of types are drawn again until unique, too */
#include "gpu/backend/engine.h"
#include "gpu/core/fitness/sample.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/niches.h"
#include "gpu/kernels/stages.h"

/* ---- kernels ---- */

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    unique_kernel(const __grid_constant__ gr_state s, uint32_t round, uint32_t settles) {
    uint32_t group = gr_scattered_thread(), groups = gr_min_u32(gridDim.x * blockDim.x, s.groups);
    if (group >= groups)
        return;
    gr_scratch scratch = gr_group_scratch(&s, group, 1);
    uint32_t *codon_scratch = gr_depth_first_scratch(&s, group);
    for (uint32_t i = group; i < s.p.individuals; i += groups)
        gr_claim_or_settle(&s, i, round, settles, scratch, codon_scratch);
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    sample_kernel(const __grid_constant__ gr_state s, uint32_t generation) {
    uint32_t which = gr_positives_counter(&s.p, generation);
    for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < s.p.train_chunks * GR_CHUNK;
         k += gridDim.x * blockDim.x)
        if (gr_take_case(&s, generation, k))
            atomicAdd(&s.sample_positives[which], 1u); /* whole numbers: the same in any order */
}

static __global__ void reopen_kernel(const __grid_constant__ gr_state s) {
    for (uint32_t d = threadIdx.x; d < gr_demes(&s.p); d += blockDim.x)
        gr_reopen_deme(&s, d);
}

/* ---- diversity ---- */

/* Nothing was bred behind the last generation of a run. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    begin_diversity_kernel(const __grid_constant__ gr_state s) {
    if (s.loop->finished)
        return;
    for (uint32_t run = blockIdx.x * blockDim.x + threadIdx.x; run < s.p.runs;
         run += gridDim.x * blockDim.x)
        gr_begin_diversity(gr_diversity_of(&s, run));
}

/* Adds what the lanes have for their runs: together where a warp has one run. */
__device__ static void add_by_warp(const gr_state &s, uint32_t run, gr_diversity d) {
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t first = __shfl_sync(0xffffffffu, run, 0);
    if (!__all_sync(0xffffffffu, run == first)) {
        if (run < s.p.runs)
            gr_add_diversity(gr_diversity_of(&s, run), d);
        return;
    }
    d.genotypes = gr_sum_lanes(w, d.genotypes);
    d.phenotypes = gr_sum_lanes(w, d.phenotypes);
    d.fitnesses = gr_sum_lanes(w, d.fitnesses);
    d.finite = gr_sum_lanes(w, d.finite);
    d.children = gr_sum_lanes(w, d.children);
    d.copies = gr_sum_lanes(w, d.copies);
    d.ever = gr_sum_lanes(w, d.ever);
    d.repeated = gr_sum_lanes_long(w, d.repeated);
    if (w.lane == 0 && run < s.p.runs)
        gr_add_diversity(gr_diversity_of(&s, run), d);
}

/* Sums of a lane, for a run at a time. */
__device__ static void add_up(gr_diversity *sum, const gr_diversity &d) {
    sum->genotypes += d.genotypes;
    sum->phenotypes += d.phenotypes;
    sum->fitnesses += d.fitnesses;
    sum->finite += d.finite;
    sum->children += d.children;
    sum->copies += d.copies;
    sum->ever += d.ever;
    sum->repeated += d.repeated;
}

/* A lane an individual; the lanes of a warp turn together, so that they can add up. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    diversity_kernel(const __grid_constant__ gr_state s) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    uint32_t of_run = s.p.islands * s.p.population, tree = s.p.genotype == GR_TREE;
    uint32_t run = s.p.runs, generation = s.loop->next - 1;
    gr_diversity sum = {};
    if (s.loop->finished)
        return;
    gr_scratch scratch = gr_group_scratch(&s, tree ? 0 : thread, 1);
    uint32_t *codon_scratch = gr_depth_first_scratch(&s, tree ? 0 : thread);
    for (uint32_t from = thread - thread % GR_LANES; from < s.p.individuals; from += threads) {
        uint32_t i = from + threadIdx.x % GR_LANES, next = run;
        if (i < s.p.individuals)
            next = i / of_run;
        if (__any_sync(0xffffffffu, next != run)) {
            gr_diversity none = {};
            add_by_warp(s, run, sum);
            sum = none;
            run = next;
        }
        if (i < s.p.individuals)
            add_up(&sum, gr_count_individual(&s, generation, i, scratch, codon_scratch));
    }
    add_by_warp(s, run, sum);
}

static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    sweep_kernel(const __grid_constant__ gr_state s) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    uint32_t entries =
        gr_diversity_entries(&s.p); /* a power of two from 64 on: a warp has one run */
    uint64_t all = (uint64_t)s.p.runs * entries;
    if (s.loop->finished)
        return;
    for (uint64_t k = thread; k < all; k += threads) {
        const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
        uint64_t sum = gr_sum_lanes_long(w, gr_clear_entry(&s, k));
        if (w.lane == 0)
            gr_add_long(&gr_diversity_of(&s, (uint32_t)(k / entries))->repeated, sum);
    }
}

/* ---- types ---- */

/* Of the nodes of all that may be parents, behind the selection of their generation; a lane a
 * tree. */
static __global__ void __launch_bounds__(GR_STAGE_THREADS)
    types_kernel(const __grid_constant__ gr_state s, uint32_t trees) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (s.loop->finished || !s.loop->next)
        return;
    if (thread == 0)
        gr_stamp(s.loop, -1);
    for (uint32_t i = thread; i < trees; i += gridDim.x * blockDim.x)
        gr_type_individual(&s, s.loop->next - 1, i);
    if (thread == 0)
        gr_stamp(s.loop, GR_PHASE_SELECT);
}

/* ---- launchers ---- */

cudaError_t gr_launch_unique(uint32_t groups, const gr_state *state, cudaStream_t stream) {
    const gr_params *p = &state->p;
    size_t claims = (size_t)gr_demes(p) * gr_claim_entries(p) * sizeof *state->claims;
    uint32_t blocks = groups / GR_STAGE_THREADS;
    cudaError_t code = cudaMemsetAsync(state->claims, 0xff, claims, stream);
    if (code == cudaSuccess)
        code = cudaMemsetAsync(state->attempts, 0, p->individuals * sizeof(uint32_t), stream);
    for (uint32_t round = 0; code == cudaSuccess && round < gr_claim_rounds(p); round++)
        for (uint32_t settles = 0; code == cudaSuccess && settles < 2; settles++) {
            unique_kernel<<<blocks ? blocks : 1, GR_STAGE_THREADS, 0, stream>>>(*state, round,
                                                                                settles);
            code = cudaGetLastError();
        }
    return code;
}

cudaError_t gr_launch_diversity(uint32_t threads, const gr_state *state, cudaStream_t stream) {
    uint32_t tree = state->p.genotype == GR_TREE;
    uint32_t groups = tree ? threads : gr_min_u32(threads, state->groups);
    uint32_t blocks = gr_max_u32(1, groups / GR_STAGE_THREADS);
    uint32_t wide = gr_max_u32(1, threads / GR_STAGE_THREADS), lanes = GR_STAGE_THREADS;
    if (groups < GR_STAGE_THREADS) /* scratch is there for whole warps */
        lanes = groups / GR_LANES * GR_LANES;
    begin_diversity_kernel<<<1, GR_STAGE_THREADS, 0, stream>>>(*state);
    diversity_kernel<<<blocks, lanes, 0, stream>>>(*state);
    sweep_kernel<<<wide, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

cudaError_t gr_launch_sample(uint32_t blocks, const gr_state *state, uint32_t generation,
                             cudaStream_t stream) {
    sample_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state, generation);
    return cudaGetLastError();
}

cudaError_t gr_launch_reopen(const gr_state *state, cudaStream_t stream) {
    reopen_kernel<<<1, GR_STAGE_THREADS, 0, stream>>>(*state);
    return cudaGetLastError();
}

cudaError_t gr_launch_type_trees(uint32_t most_blocks, const gr_state *state, cudaStream_t stream) {
    uint32_t trees = state->p.individuals + (uint32_t)gr_archived(&state->p);
    uint32_t blocks = gr_min_u32(most_blocks, (trees - 1) / GR_STAGE_THREADS + 1);
    types_kernel<<<blocks, GR_STAGE_THREADS, 0, stream>>>(*state, trees);
    return cudaGetLastError();
}
