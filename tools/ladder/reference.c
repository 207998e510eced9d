#include "tools/ladder/reference.h"

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/program/evaluate.h"
#include "host/cpu/evaluate.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void compute_outputs(const ladder_problem *problem, const ladder_population *population,
                            float *outputs, float *values) {
    const ladder_columns *sample = &problem->sample;
#pragma omp parallel for schedule(dynamic, 1)
    for (uint32_t i = 0; i < population->programs; i++) {
        float *x = values + (size_t)omp_get_thread_num() * (sample->inputs + population->max_nodes);
        const gr_node *nodes = population->nodes + (size_t)i * population->max_nodes;
        for (uint32_t c = 0; c < sample->cases; c++) {
            for (uint32_t k = 0; k < sample->inputs; k++)
                x[k] = sample->at[(size_t)k * sample->stride + c];
            outputs[(size_t)i * sample->cases + c] =
                gr_evaluate_case(nodes, population->length[i], x, x + sample->inputs);
        }
    }
}

/* The CPU engine's interpreter, which the tests hold to gr_evaluate_case: all cases would take
 * that one minutes. */
static void compute_sums(const ladder_problem *problem, const ladder_population *population,
                         double *sums, gr_instruction *programs, uint32_t *lengths,
                         uint32_t *scratch, gr_cpu_registers *registers) {
    const gr_params *p = &problem->made.job.params;
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    uint32_t n = population->programs, most = population->max_nodes;
    size_t tile = gr_tile_of(p);
    for (uint32_t i = 0; i < n; i++) {
        gr_nodes nodes = {population->nodes + (size_t)i * most, 1};
        gr_words words = {scratch, 1};
        gr_lane_group alone = {0, 1};
        lengths[i] =
            gr_compile(nodes, population->length[i], words, programs + (size_t)i * most, alone);
    }
#pragma omp parallel for schedule(dynamic, 8) collapse(2)
    for (uint32_t chunk = 0; chunk < p->train_chunks; chunk++)
        for (uint32_t i = 0; i < n; i++) {
            double sum[GR_MAX_SUMS];
            interpreter->evaluate(
                p, programs + (size_t)i * most, lengths[i],
                (gr_cpu_chunk){problem->made.train_tiles + chunk * tile, 0, chunk},
                &registers[omp_get_thread_num()], sum);
            sums[(size_t)chunk * n + i] = sum[0];
        }
}

gr_status ladder_reference_make(const ladder_problem *problem, const ladder_population *population,
                                ladder_reference *reference, gr_error *error) {
    const gr_params *p = &problem->made.job.params;
    size_t n = population->programs, most = population->max_nodes,
           threads = (size_t)omp_get_max_threads();
    *reference = (ladder_reference){.programs = population->programs, .chunks = p->train_chunks};
    reference->outputs = malloc(n * problem->sample.cases * sizeof(float));
    reference->sums = malloc(n * p->train_chunks * sizeof(double));
    float *values = malloc(threads * (p->inputs + most) * sizeof *values);
    gr_instruction *programs = malloc(n * most * sizeof *programs);
    uint32_t *lengths = malloc(n * sizeof *lengths), *scratch = malloc(2 * most * sizeof *scratch);
    gr_cpu_registers *registers = gr_cpu_take_registers((uint32_t)threads, NULL);
    gr_status status = GR_OK;
    if (!reference->outputs || !reference->sums || !values || !programs || !lengths || !scratch ||
        !registers)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the reference of %zu programs", n);
    else {
        compute_outputs(problem, population, reference->outputs, values);
        compute_sums(problem, population, reference->sums, programs, lengths, scratch, registers);
    }
    free(values);
    free(programs);
    free(lengths);
    free(scratch);
    free(registers);
    if (status)
        ladder_reference_free(reference);
    return status;
}

void ladder_reference_free(ladder_reference *reference) {
    free(reference->outputs);
    free(reference->sums);
    *reference = (ladder_reference){0};
}

/* ---- comparison ---- */

int ladder_same_outputs(const ladder_problem *problem, const ladder_reference *reference,
                        const float *outputs, char *why, size_t size) {
    uint32_t cases = problem->sample.cases;
    int packed = problem->cases_of_a_float > 1;
    for (size_t k = 0; k < (size_t)reference->programs * cases; k++) {
        float a = outputs[k], b = reference->outputs[k];
        if (gr_float_bits(a) == gr_float_bits(b) || (!packed && a != a && b != b))
            continue;
        snprintf(why, size, "program %zu, case %zu of the sample: %08x instead of %08x", k / cases,
                 k % cases, gr_float_bits(a), gr_float_bits(b));
        return 0;
    }
    return 1;
}

static double reference_sum(const ladder_reference *reference, uint32_t program, uint32_t chunks) {
    double sum = 0.0;
    for (uint32_t chunk = 0; chunk < chunks; chunk++)
        sum += reference->sums[(size_t)chunk * reference->programs + program];
    return sum;
}

/* Float sums beyond this may have overflowed, in one order of additions or in all. */
#define LADDER_HUGE 1e36

static int same_sum(double a, double b, double tolerance) {
    if (b != b)
        return a != a;
    if (b > LADDER_HUGE)
        return a > 0.5 * LADDER_HUGE;
    return fabs(a - b) <= tolerance * b;
}

int ladder_same_sums(const ladder_problem *problem, const ladder_reference *reference,
                     const double *sums, uint32_t cases, uint32_t additions, char *why,
                     size_t size) {
    uint32_t metric = problem->made.job.params.metric;
    int counts = metric == GR_METRIC_MISCLASSIFIED || metric == GR_METRIC_BOOLEAN_HITS;
    double tolerance = counts ? 0.0 : (double)additions * 0x1p-24;
    uint32_t chunks = (cases + GR_CHUNK - 1) / GR_CHUNK;
    for (uint32_t i = 0; i < reference->programs; i++) {
        double expected = reference_sum(reference, i, chunks);
        if (same_sum(sums[i], expected, tolerance))
            continue;
        snprintf(why, size, "program %u: sum %.9g instead of %.9g (tolerance %.2g)", i, sums[i],
                 expected, tolerance);
        return 0;
    }
    return 1;
}

double ladder_near_sums(const ladder_reference *reference, const double *sums) {
    uint32_t near = 0;
    for (uint32_t i = 0; i < reference->programs; i++)
        near += (uint32_t)same_sum(sums[i], reference_sum(reference, i, reference->chunks), 0.01);
    return (double)near / reference->programs;
}

int ladder_same_costs(const ladder_problem *problem, const ladder_reference *reference,
                      const float *costs, char *why, size_t size) {
    for (uint32_t i = 0; i < reference->programs; i++) {
        double sum[GR_MAX_SUMS] = {reference_sum(reference, i, reference->chunks)}, fit[2];
        float expected = gr_cost(&problem->made.job.params, sum, 0, fit);
        if (gr_float_bits(costs[i]) == gr_float_bits(expected))
            continue;
        snprintf(why, size, "program %u: cost %.9g instead of %.9g", i, (double)costs[i],
                 (double)expected);
        return 0;
    }
    return 1;
}
