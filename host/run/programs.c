#include "host/run/programs.h"

#include "host/base/text.h"
#include "host/problem/shown_fitness.h"
#include "host/run/population.h"

#include <math.h>
#include <stdlib.h>

/* The sample that the last generation trained on, of a run on samples. */
static gr_status take_sample(gr_run *run, gr_drawn *sample, gr_error *error) {
    gr_run_report report;
    *sample = (gr_drawn){0};
    gr_run_look(run, &report);
    return gr_run_problem(run)->job.params.sampling
               ? gr_take_sample(gr_run_problem(run), report.generation, sample, error)
               : GR_OK;
}

static gr_measured_program result_of(const gr_params *p, const gr_individual *individual,
                                     const float cost[2], const float *on_sample) {
    return (gr_measured_program){individual->nodes, gr_fitness_of(p->metric, cost[0]),
                                 p->test_chunks ? gr_fitness_of(p->metric, cost[1]) : (double)NAN,
                                 on_sample ? gr_fitness_of(p->metric, *on_sample) : (double)NAN};
}

/* ---- of a run that has finished ---- */

/* The programs that the engine has. */
static gr_status measure_last(gr_run *run, const gr_drawn *sample, uint32_t count,
                              gr_measured_program *programs, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    const gr_params *p = &problem->job.params;
    size_t stride = p->max_nodes;
    gr_individual *individual = malloc(count * sizeof *individual);
    gr_instruction *program = malloc(count * stride * sizeof *program);
    uint32_t *length = malloc(count * sizeof *length);
    float *cost = malloc(4 * (size_t)count * sizeof *cost), *on_sample = NULL;
    gr_status status =
        individual && program && length && cost
            ? GR_OK
            : gr_fail(error, GR_NO_MEMORY, "no memory for %u program%s", count, gr_s(count));
    if (!status)
        status =
            gr_run_read(run, GR_SECTION_INDIVIDUALS, individual, count * sizeof *individual, error);
    if (!status)
        status =
            gr_run_read(run, GR_SECTION_PROGRAMS, program, count * stride * sizeof *program, error);
    for (uint32_t i = 0; !status && i < count; i++)
        length[i] = individual[i].instructions;
    if (!status)
        status = gr_measure_programs(problem, program, stride, length, count,
                                     &(gr_measured){.cost = cost}, error);
    if (sample->tiles && cost)
        on_sample = cost + 2 * (size_t)count;
    if (!status && on_sample)
        status = gr_measure_programs(
            problem, program, stride, length, count,
            &(gr_measured){.cost = on_sample, .train_only = 1, .sample = sample}, error);
    for (uint32_t i = 0; !status && i < count; i++)
        programs[i] = result_of(p, &individual[i], cost + 2 * (size_t)i,
                                on_sample ? on_sample + 2 * (size_t)i : NULL);
    free(individual);
    free(program);
    free(length);
    free(cost);
    return status;
}

/* ---- of a run that a law has ended ---- */

/* What its expression comes to; of a run that had ended before, or without one, the worst. */
static gr_status measure_shown(gr_run *run, const gr_individual *individual,
                               const uint32_t *genotype, const float *constants,
                               const gr_drawn *sample, gr_measured_program *program,
                               gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    gr_best b = {
        .validity = individual->validity, .nodes = individual->nodes, .length = individual->length};
    float cost[2] = {INFINITY, INFINITY}, on_sample[2] = {INFINITY, INFINITY};
    gr_status status =
        individual->length ? gr_run_show(run, genotype, constants, 0, &b, error) : GR_OK;
    if (!status && b.infix)
        status = gr_measure_text(problem, b.infix, &(gr_measured){.cost = cost}, error);
    if (!status && b.infix && sample->tiles)
        status = gr_measure_text(
            problem, b.infix, &(gr_measured){.cost = on_sample, .train_only = 1, .sample = sample},
            error);
    *program = result_of(&problem->job.params, individual, cost, sample->tiles ? on_sample : NULL);
    gr_best_free(&b);
    return status;
}

/* Those of an island that has begun anew behind that generation are gone. */
static gr_status forget_gone(gr_run *run, uint32_t count, gr_individual *individual,
                             gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_run_report report;
    gr_run_look(run, &report);
    gr_deme *deme = malloc(gr_demes(p) * sizeof *deme);
    gr_status status =
        deme ? gr_run_read(run, GR_SECTION_DEMES, deme, gr_demes(p) * sizeof *deme, error)
             : gr_fail(error, GR_NO_MEMORY, "no memory for %u island%s", gr_demes(p),
                       gr_s(gr_demes(p)));
    for (uint32_t i = 0; !status && i < count; i++)
        if (deme[i / p->population].stretch_generation > report.generation * p->steps)
            individual[i] = (gr_individual){0};
    free(deme);
    return status;
}

/* The engine has bred another generation by then, whose programs stand where these did: they are
 * made once more from their genotypes. */
static gr_status measure_selected(gr_run *run, const gr_drawn *sample, uint32_t count,
                                  gr_measured_program *programs, gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    size_t words = gr_genotype_words(p), beside = gr_fits_beside(p) ? GR_FIT_CONSTANTS : 0;
    gr_individual *individual = malloc(count * sizeof *individual);
    uint32_t *genotype = malloc(count * words * sizeof *genotype);
    float *constants = malloc((count * beside + 1) * sizeof *constants);
    gr_status status =
        individual && genotype && constants
            ? GR_OK
            : gr_fail(error, GR_NO_MEMORY, "no memory for %u program%s", count, gr_s(count));
    if (!status)
        status = gr_run_read(run, GR_SECTION_SELECTED_INDIVIDUALS, individual,
                             count * sizeof *individual, error);
    if (!status)
        status = gr_run_read(run, GR_SECTION_SELECTED_GENOTYPES, genotype,
                             count * words * sizeof *genotype, error);
    if (!status && beside)
        status = gr_run_read(run, GR_SECTION_SELECTED_CONSTANTS, constants,
                             count * beside * sizeof *constants, error);
    if (!status && p->restart_after)
        status = forget_gone(run, count, individual, error);
    for (size_t i = 0; !status && i < count; i++)
        status = measure_shown(run, &individual[i], genotype + i * words,
                               beside ? constants + i * beside : NULL, sample, &programs[i], error);
    free(individual);
    free(genotype);
    free(constants);
    return status;
}

/* ---- both ---- */

gr_status gr_run_programs(gr_run *run, uint32_t *count, gr_measured_program **programs,
                          gr_error *error) {
    gr_drawn sample;
    gr_run_report report;
    gr_run_look(run, &report);
    *count = gr_min_u32(*count, gr_run_problem(run)->job.params.individuals);
    *programs = malloc((*count + (size_t)1) * sizeof **programs);
    gr_status status = *programs ? take_sample(run, &sample, error)
                                 : gr_fail(error, GR_NO_MEMORY, "no memory for %u program%s",
                                           *count, gr_s(*count));
    if (!status) {
        status = (report.finished ? measure_last : measure_selected)(run, &sample, *count,
                                                                     *programs, error);
        free(sample.tiles);
    }
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
