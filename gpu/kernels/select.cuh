/* The phases of selection that most runs have not, as a kernel of its own has them in front of
 * kernel 1 (select.cu; over doubles select_double.cu). */
#ifndef GR_SELECT_CUH
#define GR_SELECT_CUH

#define GR_KEEPS_TYPES /* trees of demes that begin anew */
#include "gpu/core/fitness/validation.h"
#include "gpu/core/selection/migration.h"
#include "gpu/core/selection/restart.h"
#include "gpu/kernels/selection.cuh"

/* Judges the best of every deme by their sums on other cases (gpu/core/fitness/validation.h), a
 * warp a deme. */
__device__ __forceinline__ static void judge_by_validation(const gr_state &s, uint32_t generation,
                                                           uint32_t demes, cg::grid_group grid) {
    uint32_t thread = gr_scattered_thread(), lane = thread % GR_LANES;
    uint32_t warps = (uint32_t)grid.size() / GR_LANES;
    for (uint32_t deme = thread / GR_LANES; deme < demes; deme += warps) {
        uint32_t i = deme * s.p.population + s.records[deme].best_index;
        if (!s.records[deme].written)
            continue;
        if (lane == 0) {
            gr_judge_deme(&s, generation, deme, gr_validated_cost(&s, generation, deme, i));
            if (s.demes[deme].active && gr_run_islands(&s.p) == 1)
                s.loop->going[generation & 1] = 1;
        }
        __syncwarp();
        gr_keep_best(&s, generation, deme, gr_lane_group{lane, GR_LANES});
    }
    grid.sync();
}

/* Demes that begin anew (gpu/core/selection/restart.h), a lane an individual. */
__device__ static void restart(const gr_state &s, uint32_t generation) {
    cg::grid_group grid = cg::this_grid();
    uint32_t thread = gr_scattered_thread(), threads = (uint32_t)grid.size(),
             groups = gr_min_u32(threads, s.groups);
    gr_scratch scratch = gr_group_scratch(&s, gr_min_u32(thread, groups - 1), 1);
    uint32_t *codon_scratch = NULL;
    if (s.p.genotype != GR_TREE) {
        scratch.grammar = gr_grammar_at(s.grammar);
        codon_scratch = gr_depth_first_scratch(&s, gr_min_u32(thread, groups - 1));
    }
    for (uint32_t i = thread; thread < groups && i < s.p.individuals; i += groups)
        gr_draw_anew(&s, generation, i, scratch, codon_scratch);
    grid.sync();
    for (uint32_t deme = thread; deme < gr_demes(&s.p); deme += threads)
        gr_begin_anew(&s, generation, deme);
    grid.sync();
}

/* Islands of a run end together; what every run has its islands' best of (gr_settle_run). */
__device__ static void settle_runs(const gr_state &s, uint32_t generation, cg::grid_group grid) {
    uint32_t thread = gr_scattered_thread(), threads = (uint32_t)grid.size();
    for (uint32_t run = thread / GR_LANES; run < s.p.runs; run += threads / GR_LANES)
        if (gr_settle_run(&s, generation, run, gr_lane_group{thread % GR_LANES, GR_LANES}) &&
            thread % GR_LANES == 0)
            s.loop->going[generation & 1] = 1;
    grid.sync();
}

/* How the islands here stand, for other engines. */
__device__ static void note_standings(const gr_state &s) {
    for (uint32_t deme = gr_scattered_thread(); deme < gr_demes(&s.p);
         deme += gridDim.x * blockDim.x)
        gr_note_standing(&s, deme);
}

/* Migration (gpu/core/selection/migration.h), its halves. */
__device__ static void emigrate(const gr_state &s, uint32_t generation) {
    cg::grid_group grid = cg::this_grid();
    const gr_params &p = s.p;
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t thread = gr_scattered_thread(), threads = (uint32_t)grid.size();
    uint32_t warp = thread / GR_LANES, warps = threads / GR_LANES, all = gr_demes(&p) * p.migrants;
    for (uint32_t i = thread; i < p.individuals; i += threads)
        gr_migration_key(&s, i);
    for (uint32_t pass = 0; pass < gr_order_passes(&p); pass++) {
        grid.sync();
        for (uint32_t i = thread; i < p.individuals; i += threads)
            gr_merge_key(&s, pass, i);
    }
    grid.sync();
    for (uint32_t k = warp; k < all; k += warps)
        gr_emigrate(&s, generation, k / p.migrants, k % p.migrants, w);
    grid.sync();
}

__device__ static void immigrate(const gr_state &s, uint32_t generation) {
    cg::grid_group grid = cg::this_grid();
    const gr_params &p = s.p;
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    uint32_t warp = gr_scattered_thread() / GR_LANES, warps = (uint32_t)grid.size() / GR_LANES;
    uint32_t all = gr_demes(&p) * p.migrants;
    for (uint32_t k = warp; k < all; k += warps)
        gr_immigrate(&s, generation, k / p.migrants, k % p.migrants, w);
    grid.sync();
    for (uint32_t deme = warp; deme < gr_demes(&p); deme += warps)
        gr_lead_again(&s, generation, deme, w);
    grid.sync();
}

/* All of them, from and to where launch.steps says. OWN: what a kernel has of its own, the cases
 * that judge. */
template <typename OWN> struct all_phases {
    __device__ static bool begins(const gr_launch &launch) {
        return !(launch.steps & (GR_EVOLVE_FROM_STANDINGS | GR_EVOLVE_FROM_MIGRANTS));
    }
    __device__ static bool judge(const gr_state &s, const gr_launch &launch, uint32_t generation,
                                 cg::grid_group grid) {
        if (s.validating && begins(launch))
            OWN::validate(s, generation);
        if (launch.steps & GR_EVOLVE_UNTIL_STANDINGS) {
            note_standings(s);
            return false;
        }
        if (gr_run_islands(&s.p) > 1 && !(launch.steps & GR_EVOLVE_FROM_MIGRANTS))
            settle_runs(s, generation, grid);
        return true;
    }
    __device__ static bool prepare(const gr_state &s, const gr_launch &launch,
                                   uint32_t generation) {
        bool migrates = gr_migrates(&s.p, generation),
             arrived = launch.steps & GR_EVOLVE_FROM_MIGRANTS;
        if (migrates && !arrived)
            emigrate(s, generation);
        if (launch.steps & GR_EVOLVE_UNTIL_MIGRANTS)
            return false;
        if (migrates)
            immigrate(s, generation);
        if (gr_may_restart(&s.p, generation))
            restart(s, generation);
        return true;
    }
};

#endif
