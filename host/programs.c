#include "programs.h"

#include "../gpu/core/cost.h"
#include "../gpu/core/slots.h"
#include "evaluate_cpu.h"
#include "predict.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Cost of a program on all cases of a set, as a run without samples would have it. Fitted classes:
 * `threshold` from the training cases, for the test cases. sums: [chunks of a set][p->sums]. */
static float cost_of(const gr_problem *problem, const gr_params *p, const gr_instruction *program,
                     uint32_t length, uint32_t set, double fit[2], float *threshold,
                     gr_cpu_registers *registers, double *sums) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    const float *tiles = set ? problem->test_tiles : problem->train_tiles;
    size_t tile = (size_t)(p->inputs + 1) * GR_CHUNK;
    uint32_t chunks = set ? p->test_chunks : p->train_chunks;
    double total[GR_MAX_SUMS];
    uint32_t fitted = gr_sum_kind_of(p) == GR_SUM_SLOTS;
    if (!length)
        return GR_INFINITY;
    registers->fitted = threshold;
    if (fitted && set == 0)
        memset(registers->slots, 0, gr_slot_counts(p) * sizeof *registers->slots);
    for (uint32_t chunk = 0; chunk < chunks; chunk++)
        interpreter->evaluate(p, program, length, tiles + chunk * tile, set, chunk, registers,
                              sums + (size_t)chunk * p->sums);
    gr_total(p, set, sums, 1, 0, total);
    if (fitted && set == 0)
        total[0] = p->train_cases - gr_fit_slots(registers->slots, p->thresholds + 1, threshold);
    return gr_cost(p, total, set, fit);
}

/* cost[2 i] and [2 i + 1]: of individual i on the training and the test cases. */
static gr_status measure(const gr_problem *problem, const gr_params *p,
                         const gr_individual *individual, const gr_instruction *program,
                         uint32_t count, float *cost, gr_error *error) {
    int threads = omp_get_max_threads();
    gr_cpu_registers *registers = aligned_alloc(64, sizeof *registers * (size_t)threads);
    uint32_t *slots = malloc((size_t)threads * gr_slot_counts(p) * sizeof *slots);
    size_t most = (size_t)gr_max_u32(p->train_chunks, p->test_chunks) * p->sums;
    double *sums = malloc((size_t)threads * most * sizeof *sums);
    if (!registers || !slots || !sums) {
        free(registers);
        free(slots);
        free(sums);
        return gr_fail(error, GR_NO_MEMORY, "no memory to evaluate %u programs", count);
    }
    for (int t = 0; t < threads; t++)
        registers[t].slots = slots + (size_t)t * gr_slot_counts(p);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (uint32_t i = 0; i < count; i++) {
        double fit[2] = {0};
        float threshold[GR_MAX_THRESHOLDS];
        int thread = omp_get_thread_num();
        for (uint32_t set = 0; set < 2; set++)
            cost[2 * i + set] =
                cost_of(problem, p, program + (size_t)i * p->max_nodes, individual[i].instructions,
                        set, fit, threshold, &registers[thread], sums + (size_t)thread * most);
    }
    free(sums);
    free(slots);
    free(registers);
    return GR_OK;
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
    if (!status)
        status = measure(problem, &p, individual, program, count, cost, error);
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
