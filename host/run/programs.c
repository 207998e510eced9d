#include "host/run/programs.h"

#include "host/problem/shown_fitness.h"
#include "host/run/population.h"

#include <stdlib.h>

gr_status gr_write_programs(gr_run *run, uint32_t count, FILE *out, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    const gr_params *p = &problem->job.params;
    count = gr_min_u32(count, p->individuals);
    gr_individual *individual = malloc(count * sizeof *individual);
    gr_instruction *program = malloc((size_t)count * p->max_nodes * sizeof *program);
    uint32_t *length = malloc(count * sizeof *length);
    float *cost = malloc(2 * (size_t)count * sizeof *cost);
    gr_status status = GR_OK;
    if (!individual || !program || !length || !cost)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u programs", count);
    if (!status)
        status =
            gr_run_read(run, GR_SECTION_INDIVIDUALS, individual, count * sizeof *individual, error);
    if (!status)
        status = gr_run_read(run, GR_SECTION_PROGRAMS, program,
                             (size_t)count * p->max_nodes * sizeof *program, error);
    for (uint32_t i = 0; !status && i < count; i++)
        length[i] = individual[i].instructions;
    if (!status)
        status = gr_measure_programs(problem, program, p->max_nodes, length, count,
                                     &(gr_measured){.cost = cost}, error);
    fputs("place\tnodes\tfitness\ttest_fitness\n", out);
    for (uint32_t i = 0; !status && i < count; i++) {
        fprintf(out, "%u\t%u\t%.9g\t", i, individual[i].nodes,
                gr_fitness_of(p->metric, cost[2 * i]));
        if (p->test_chunks)
            fprintf(out, "%.9g", gr_fitness_of(p->metric, cost[2 * i + 1]));
        fputc('\n', out);
    }
    free(individual);
    free(program);
    free(length);
    free(cost);
    return status;
}
