#include "tools/ladder/ours.h"

#include "gpu/core/state/state.h"

#include <stdlib.h>

static const gr_backend *const backend = &gr_backend_cuda;

/* Lets the engine run to its end; node evaluations are added to *executed. */
static gr_status run_to_end(gr_engine *engine, const gr_params *p, double *executed,
                            gr_error *error) {
    const gr_record *records;
    uint32_t generations;
    int finished = 0;
    while (!finished) {
        gr_status status =
            backend->advance(engine, NULL, NULL, &records, &generations, &finished, error);
        if (status)
            return status;
        for (uint32_t g = 0; g < generations; g++)
            if (records[g].written)
                *executed +=
                    (double)records[g].statistics.sum[GR_SIZE_NODES] * (double)p->train_cases;
    }
    return GR_OK;
}

/* ---- evaluation ---- */

gr_status ladder_ours_open(const ladder_problem *problem, gr_engine **engine, gr_error *error) {
    gr_job job = problem->made.job;
    double executed = 0.0;
    job.specialise = GR_SPECIALISE_ALWAYS;
    job.fast = 0;
    job.graph = 0;
    job.params.generations = 0; /* load replaces the first generation */
    gr_status status = backend->open(&job, engine, error);
    return status ? status : run_to_end(*engine, &job.params, &executed, error);
}

gr_status ladder_ours_time(gr_engine *engine, const ladder_population *population, uint32_t repeats,
                           double *seconds, gr_error *error) {
    gr_status status = backend->load(engine, population->nodes, population->length, error);
    if (!status)
        status = backend->measure(engine, GR_PHASE_EVALUATE, 1, 1, seconds, error); /* warm up */
    return status ? status
                  : backend->measure(engine, GR_PHASE_EVALUATE, repeats, 1, seconds, error);
}

void ladder_ours_close(gr_engine *engine) {
    if (engine)
        backend->close(engine);
}

static gr_status evaluate(gr_engine *engine, const ladder_population *population, uint32_t repeats,
                          double *seconds, float *costs, gr_error *error) {
    gr_status status = ladder_ours_time(engine, population, repeats, seconds, error);
    return status ? status
                  : backend->read(engine, GR_SECTION_COSTS, costs,
                                  population->programs * sizeof *costs, error);
}
gr_status ladder_ours_evaluate(const ladder_problem *problem, const ladder_population *population,
                               const ladder_reference *reference, uint32_t repeats, double *seconds,
                               ladder_verdict *verdict, gr_error *error) {
    gr_engine *engine = NULL;
    float *costs = malloc(population->programs * sizeof *costs);
    gr_status status = costs ? ladder_ours_open(problem, &engine, error)
                             : gr_fail(error, GR_NO_MEMORY, "no memory");
    if (!status)
        status = evaluate(engine, population, repeats, seconds, costs, error);
    if (!status)
        verdict->verified =
            ladder_same_costs(problem, reference, costs, verdict->why, verdict->size);
    ladder_ours_close(engine);
    free(costs);
    return status;
}

/* ---- whole runs ---- */

/* The last generation's costs against the reference. */
static gr_status verify_last(const ladder_problem *problem, gr_engine *engine,
                             ladder_verdict *verdict, gr_error *error) {
    const gr_params *p = &problem->made.job.params;
    size_t n = p->population, nodes = n * p->max_nodes * sizeof(gr_node);
    ladder_population last = {.name = "last", .programs = p->population, .max_nodes = p->max_nodes};
    ladder_reference reference = {0};
    gr_individual *individuals = malloc(n * sizeof *individuals);
    float *costs = malloc(n * sizeof *costs);
    last.nodes = malloc(nodes);
    last.length = malloc(n * sizeof *last.length);
    gr_status status = GR_OK;
    if (!individuals || !costs || !last.nodes || !last.length)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for %zu programs", n);
    if (!status)
        status = backend->read(engine, GR_SECTION_GENOTYPES, last.nodes, nodes, error);
    if (!status)
        status = backend->read(engine, GR_SECTION_INDIVIDUALS, individuals, n * sizeof *individuals,
                               error);
    if (!status)
        status = backend->read(engine, GR_SECTION_COSTS, costs, n * sizeof *costs, error);
    for (size_t i = 0; !status && i < n; i++)
        last.length[i] = individuals[i].length;
    if (!status)
        status = ladder_reference_make(problem, &last, &reference, error);
    if (!status)
        verdict->verified =
            ladder_same_costs(problem, &reference, costs, verdict->why, verdict->size);
    ladder_reference_free(&reference);
    free(individuals);
    free(costs);
    free(last.nodes);
    free(last.length);
    return status;
}

gr_status ladder_ours_run(const ladder_problem *problem, uint32_t repeats, double *seconds,
                          double *executed, ladder_verdict *verdict, gr_error *error) {
    gr_status status = GR_OK;
    gr_job job = problem->made.job;
    job.specialise = GR_SPECIALISE_ALWAYS;
    job.fast = 0;
    for (uint32_t i = 0; !status && i <= repeats; i++) { /* the first warms up and is verified */
        gr_engine *engine = NULL;
        gr_engine_report report;
        gr_traffic traffic;
        *executed = 0.0;
        status = backend->open(&job, &engine, error);
        if (!status)
            status = run_to_end(engine, &job.params, executed, error);
        if (!status && i == 0)
            status = verify_last(problem, engine, verdict, error);
        if (!status && i) {
            backend->report(engine, &report, &traffic);
            seconds[i - 1] = traffic.seconds;
        }
        if (engine)
            backend->close(engine);
    }
    return status;
}
