/* Genomes of a first generation and their neighbours, for measuring grammars: a lane a genome; the
 * expansions of a warp's genomes are added together. */
#include "gpu/kernels/sampling.h"

/* Adds what the lanes have of one production or rule. */
__device__ static void add_by_warp(gr_expansions *to, uint64_t n, uint64_t all) {
    const gr_lane_group w = {threadIdx.x % GR_LANES, GR_LANES};
    if (!__any_sync(0xffffffffu, n != 0))
        return;
    gr_expansions sum = {};
    gr_add_expansions(&sum, n, all);
    sum.n = gr_sum_lanes_long(w, sum.n);
    sum.squares = gr_sum_lanes_long(w, sum.squares);
    sum.products = gr_sum_lanes_long(w, sum.products);
    if (w.lane)
        return;
    atomicAdd((unsigned long long *)&to->n, (unsigned long long)sum.n);
    atomicAdd((unsigned long long *)&to->squares, (unsigned long long)sum.squares);
    atomicAdd((unsigned long long *)&to->products, (unsigned long long)sum.products);
}

/* The expansions of a lane's genome, if it is valid; none of them are left. */
__device__ static void add_expansions(const gr_genome_sampling &s, uint32_t *met, bool valid) {
    const uint32_t *g = s.task.grammar;
    uint32_t productions = g[GR_G_PRODUCTIONS];
    for (uint32_t rule = 0; rule < g[GR_G_RULES]; rule++) {
        uint32_t all = valid ? met[productions + rule] : 0;
        met[productions + rule] = 0;
        add_by_warp(&s.sample.production[productions + rule], all, 0);
        for (uint32_t k = gr_rule_first(g, rule); k < gr_rule_first(g, rule + 1); k++) {
            add_by_warp(&s.sample.production[k], valid ? met[k] : 0, all);
            met[k] = 0;
        }
    }
}

/* The lanes of a warp turn together. */
static __global__ void __launch_bounds__(GR_SAMPLE_THREADS)
    sample_kernel(const __grid_constant__ gr_genome_sampling s) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    gr_neighbour_task task = s.task;
    task.p = &s.p;
    gr_neighbour_scratch scratch =
        gr_neighbour_scratch_of(task.p, task.grammar, s.scratch + (size_t)thread * s.words);
    for (uint64_t from = thread - thread % GR_LANES; from < s.p.population; from += threads) {
        uint64_t k = from + threadIdx.x % GR_LANES;
        bool valid = false;
        if (k < s.p.population) {
            gr_neighbours n = gr_look_at_neighbours(&task, &scratch, (uint32_t)k);
            gr_keep_neighbours(&s.sample, k, &n);
            valid = n.validity == GR_VALID;
        }
        __syncwarp();
        add_expansions(s, scratch.met, valid);
    }
}

cudaError_t gr_launch_sampling(uint32_t blocks, const gr_genome_sampling *sampling) {
    sample_kernel<<<blocks, GR_SAMPLE_THREADS>>>(*sampling);
    return cudaGetLastError();
}
