#include "host/run/programs.h"

#include "host/problem/shown_fitness.h"
#include "host/run/population.h"

#include <math.h>
#include <stdlib.h>

/* Their fitness on the sample that the last generation trained on. */
static gr_status add_sample(gr_run *run, const gr_instruction *program, const uint32_t *length,
                            uint32_t count, gr_measured_program *programs, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    float *cost = malloc(2 * (size_t)count * sizeof *cost);
    gr_drawn sample = {0};
    gr_run_report report;
    gr_run_look(run, &report);
    gr_status status =
        cost ? gr_take_sample(problem, report.generation + !report.finished, &sample, error)
             : gr_fail(error, GR_NO_MEMORY, "no memory for %u programs", count);
    const gr_measured to = {.cost = cost, .train_only = 1, .sample = &sample};
    if (!status)
        status = gr_measure_programs(problem, program, problem->job.params.max_nodes, length, count,
                                     &to, error);
    for (uint32_t i = 0; !status && i < count; i++)
        programs[i].sample = gr_fitness_of(problem->job.params.metric, cost[2 * i]);
    free(sample.tiles);
    free(cost);
    return status;
}

gr_status gr_run_programs(gr_run *run, uint32_t *count, gr_measured_program **programs,
                          gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    const gr_params *p = &problem->job.params;
    uint32_t most = *count = gr_min_u32(*count, p->individuals);
    gr_individual *individual = malloc(most * sizeof *individual);
    gr_instruction *program = malloc((size_t)most * p->max_nodes * sizeof *program);
    uint32_t *length = malloc(most * sizeof *length);
    float *cost = malloc(2 * (size_t)most * sizeof *cost);
    gr_status status = GR_OK;
    *programs = malloc((most + (size_t)1) * sizeof **programs);
    if (!individual || !program || !length || !cost || !*programs)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %u programs", most);
    if (!status)
        status =
            gr_run_read(run, GR_SECTION_INDIVIDUALS, individual, most * sizeof *individual, error);
    if (!status)
        status = gr_run_read(run, GR_SECTION_PROGRAMS, program,
                             (size_t)most * p->max_nodes * sizeof *program, error);
    for (uint32_t i = 0; !status && i < most; i++)
        length[i] = individual[i].instructions;
    if (!status)
        status = gr_measure_programs(problem, program, p->max_nodes, length, most,
                                     &(gr_measured){.cost = cost}, error);
    for (uint32_t i = 0; !status && i < most; i++)
        (*programs)[i] = (gr_measured_program){
            individual[i].nodes, gr_fitness_of(p->metric, cost[2 * i]),
            p->test_chunks ? gr_fitness_of(p->metric, cost[2 * i + 1]) : (double)NAN, (double)NAN};
    if (!status && p->sampling)
        status = add_sample(run, program, length, most, *programs, error);
    free(individual);
    free(program);
    free(length);
    free(cost);
    if (status) {
        free(*programs);
        *programs = NULL;
    }
    return status;
}

gr_status gr_write_programs(gr_run *run, uint32_t count, FILE *out, gr_error *error) {
    gr_measured_program *programs;
    gr_status status = gr_run_programs(run, &count, &programs, error);
    int sampled = gr_run_problem(run)->job.params.sampling != GR_SAMPLING_NONE;
    fprintf(out, "place\tnodes\tfitness\ttest_fitness%s\n", sampled ? "\tsample_fitness" : "");
    for (uint32_t i = 0; !status && i < count; i++) {
        fprintf(out, "%u\t%u\t%.9g\t", i, programs[i].nodes, programs[i].fitness);
        if (!isnan(programs[i].test))
            fprintf(out, "%.9g", programs[i].test);
        if (sampled)
            fprintf(out, "\t%.9g", programs[i].sample);
        fputc('\n', out);
    }
    free(programs);
    return status;
}
