#include "host/run/programs.h"

#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitness/cost.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/problem/shown_fitness.h"

#include <stdlib.h>
#include <string.h>

/* Programs to be measured; cost[2 i] and [2 i + 1]: of individual i on the training and, where
 * there are any, the test cases. */
typedef struct measuring {
    const gr_problem *problem;
    const gr_params *p;
    const gr_individual *individual;
    const gr_instruction *program;
    float *cost;
    gr_cpu_registers *registers; /* [threads] */
    double *sums;                /* [threads][chunk_sums] */
    size_t chunk_sums;
} measuring;

/* Cost of individual i on all cases of a set, as a run without samples would have it; fit[2] of
 * linear scaling. Fitted classes: `threshold` from the training cases, for the test cases. */
static float cost_of(const measuring *m, uint64_t i, uint32_t set, double fit[2], float *threshold,
                     uint32_t thread) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    const gr_params *p = m->p;
    const float *tiles = set ? m->problem->test_tiles : m->problem->train_tiles;
    size_t tile = gr_tile_words(p->inputs);
    uint32_t chunks = set ? p->test_chunks : p->train_chunks;
    uint32_t length = m->individual[i].instructions;
    gr_cpu_registers *registers = &m->registers[thread];
    double total[GR_MAX_SUMS], *sums = m->sums + thread * m->chunk_sums;
    uint32_t fitted = gr_sum_kind_of(p) == GR_SUM_CLASS_BINS;
    if (!length)
        return GR_INFINITY;
    registers->fitted = threshold;
    if (fitted && set == 0)
        memset(registers->class_bins, 0, gr_bin_counts(p) * sizeof *registers->class_bins);
    const gr_chunk_target *targets = m->problem->targets;
    if (targets && set)
        targets += p->train_chunks;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        const gr_cpu_chunk on = {tiles + chunk * tile, set, chunk};
        if (targets)
            registers->target = targets[chunk];
        interpreter->evaluate(p, m->program + i * p->max_nodes, length, on, registers,
                              sums + (size_t)chunk * p->sums);
    }
    gr_total(p, set, targets, sums, 1, 0, total);
    if (fitted && set == 0)
        total[0] =
            p->train_cases - gr_fit_bins(registers->class_bins, p->thresholds + 1, threshold);
    return gr_cost(p, total, set, fit);
}

static void measure_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const measuring *m = context;
    for (uint64_t i = first; i < last; i++) {
        double fit[2] = {0};
        float threshold[GR_MAX_THRESHOLDS];
        for (uint32_t set = 0; set < (m->p->test_chunks ? 2u : 1u); set++)
            m->cost[2 * i + set] = cost_of(m, i, set, fit, threshold, thread);
    }
}

static gr_status measure(measuring *m, uint32_t count, gr_error *error) {
    uint32_t threads = gr_threads_for(&m->problem->job);
    uint32_t *class_bins = malloc((size_t)threads * gr_bin_counts(m->p) * sizeof *class_bins);
    gr_team *team = gr_team_open(threads);
    gr_status status = GR_OK;
    m->registers = aligned_alloc(64, sizeof *m->registers * (size_t)threads);
    m->chunk_sums = (size_t)gr_max_u32(m->p->train_chunks, m->p->test_chunks) * m->p->sums;
    m->sums = malloc(threads * m->chunk_sums * sizeof *m->sums);
    if (m->registers && class_bins && m->sums) {
        for (uint32_t t = 0; t < threads; t++)
            m->registers[t].class_bins = class_bins + (size_t)t * gr_bin_counts(m->p);
        gr_team_loop(team, count, 16, measure_some, m);
    } else
        status = gr_fail(error, GR_NO_MEMORY, "no memory to evaluate %u programs", count);
    gr_team_close(team);
    free(class_bins);
    free(m->sums);
    free(m->registers);
    return status;
}

gr_status gr_write_programs(gr_run *run, uint32_t count, FILE *out, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    gr_params p = problem->job.params;
    if (p.sampling) {
        p.train_cases = p.whole_cases;
        p.train_chunks = p.whole_chunks;
    }
    count = gr_min_u32(count, p.individuals);
    gr_individual *individual = malloc(count * sizeof *individual);
    gr_instruction *program = malloc((size_t)count * p.max_nodes * sizeof *program);
    float *cost = malloc(2 * (size_t)count * sizeof *cost);
    gr_status status = GR_OK;
    if (!individual || !program || !cost)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u programs", count);
    if (!status)
        status =
            gr_run_read(run, GR_SECTION_INDIVIDUALS, individual, count * sizeof *individual, error);
    if (!status)
        status = gr_run_read(run, GR_SECTION_PROGRAMS, program,
                             (size_t)count * p.max_nodes * sizeof *program, error);
    if (!status) {
        measuring m = {problem, &p, individual, program, cost, NULL, NULL, 0};
        status = measure(&m, count, error);
    }
    fputs("place\tnodes\tfitness\ttest_fitness\n", out);
    for (uint32_t i = 0; !status && i < count; i++) {
        fprintf(out, "%u\t%u\t%.9g\t", i, individual[i].nodes,
                gr_fitness_of(p.metric, cost[2 * i]));
        if (p.test_chunks)
            fprintf(out, "%.9g", gr_fitness_of(p.metric, cost[2 * i + 1]));
        fputc('\n', out);
    }
    free(individual);
    free(program);
    free(cost);
    return status;
}
