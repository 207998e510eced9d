/* host/bench/measure.c: sizes and counts of small rows. load and measure of the backends, which it
 * stands on: repeats leave a run as it is, loaded trees cost what the reference says; on the CPU,
 * and on a CUDA device where there is one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/program/tree.h"
#include "gpu/core/state/state.h"
#include "host/bench/bench.h"
#include "host/bench/verify.h"
#include "host/problem/job.h"

#include <stdlib.h>

enum { POPULATION = 150, GENERATIONS = 9, NODES = 63 };

static gr_settings settings;
static gr_problem problem;
static gr_error error;

#define FINE(call)                                                                                 \
    do {                                                                                           \
        error.text[0] = '\0';                                                                      \
        if ((call) != GR_OK)                                                                       \
            fail_msg("%s: %s", #call, error.text);                                                 \
    } while (0)

static const char plain_target[] = "metric: mse\ntarget-expression: x * x - y\n";
static const char sampled[] =
    "metric: mse\ntarget-expression: x * x - y\ncase-sampling: random\nsample-cases: 500\n";
static const char fitted[] =
    "metric: misclassified\nclass-rule: fitted\ntarget-expression: (x > y) + (x > 0)\n";

static void make_problem(const char *target) {
    char text[600];
    snprintf(text, sizeof text,
             "genotype: tree\nfunctions: \"+, -, *, /, sin\"\npopulation: 150\n"
             "generations: 9\nepoch: 3\nmax-nodes: 63\n%s"
             "variables: x, y = uniform(-1, 1)\n"
             "train-cases: 1500\ntest-cases: 100\nconstant-probability: 0.2\n",
             target);
    FINE(gr_settings_init(&settings, &error));
    FINE(gr_settings_parse(&settings, text, strlen(text), "test", &error));
    FINE(gr_settings_resolve(&settings, &error));
    FINE(gr_problem_make(&settings, &problem, &error));
}

static void free_problem(void) {
    gr_problem_free(&problem);
    gr_settings_free(&settings);
}

/* What a run ends with. */
typedef struct ending {
    gr_record record[GENERATIONS + 1];
    gr_individual individual[POPULATION];
    float cost[POPULATION];
} ending;

static void repeat_phases(const gr_backend *backend, gr_engine *engine, int finished) {
    double seconds[3] = {-1.0, -1.0, -1.0};
    for (int flush = 0; flush < 2; flush++) {
        FINE(backend->measure(engine, GR_PHASE_EVALUATE, 3, flush, seconds, &error));
        if (!finished)
            FINE(backend->measure(engine, GR_PHASE_BREED, 3, flush, seconds, &error));
        for (int k = 0; k < 3; k++)
            assert_true(seconds[k] > 0.0 && seconds[k] < 100.0);
    }
}

static void run(const gr_backend *backend, int measuring, ending *end) {
    gr_engine *engine;
    const gr_record *records;
    uint32_t generations, done = 0;
    memset(end, 0, sizeof *end);
    FINE(backend->open(&problem.job, &engine, &error));
    for (int finished = 0; !finished;) {
        FINE(backend->advance(engine, NULL, NULL, &records, &generations, &finished, &error));
        assert_true(done + generations <= GENERATIONS + 1);
        memcpy(end->record + done, records, generations * sizeof *records);
        done += generations;
        if (measuring)
            repeat_phases(backend, engine, finished);
    }
    if (problem.job.params.sampling)
        FINE(backend->rank(engine, &error));
    FINE(backend->read(engine, GR_SECTION_INDIVIDUALS, end->individual, sizeof end->individual,
                       &error));
    FINE(backend->read(engine, GR_SECTION_COSTS, end->cost, sizeof end->cost, &error));
    gr_engine_report report;
    gr_traffic traffic;
    backend->report(engine, &report, &traffic);
    double sum = 0.0;
    for (int phase = 0; phase < GR_PHASES; phase++) {
        assert_true((traffic.phase[phase] > 0.0) ==
                    (phase == GR_PHASE_FIT    ? problem.job.params.optimise > 0
                     : phase == GR_PHASE_RANK ? problem.job.params.sampling > 0
                                              : 1));
        sum += traffic.phase[phase];
    }
    assert_true(sum <= 1.01 * traffic.seconds + 1e-3); /* of two clocks */
    backend->close(engine);
}

static void check_repeats(const gr_backend *backend, const char *target) {
    static ending plain, measured;
    make_problem(target);
    run(backend, 0, &plain);
    run(backend, 1, &measured);
    assert_memory_equal(&plain, &measured, sizeof plain);
    free_problem();
}

static void grow(gr_node *trees, uint32_t *lengths) {
    const gr_params *p = &problem.job.params;
    for (uint32_t i = 0; i < POPULATION; i++) {
        gr_nodes nodes = {trees + i * NODES, 1};
        gr_random r = gr_stream(p, GR_PURPOSE_INIT, 5, 0, i);
        do
            lengths[i] = gr_random_tree(p, &r, 1 + i % 6, i % 2, 0, nodes, NODES);
        while (!lengths[i]);
        for (uint32_t k = 0; k < lengths[i]; k++) /* as a caller may leave them */
            nodes.at[k].head &= 0xffu;
    }
}

/* `finished`: in place of a run's last generation, otherwise in its middle. */
static void check_load(const gr_backend *backend, int finished) {
    static gr_node trees[POPULATION * NODES];
    static uint32_t lengths[POPULATION];
    static float costs[POPULATION];
    gr_verdict verdict = {0};
    gr_engine *engine;
    const gr_record *records;
    uint32_t generations;
    double seconds;
    int ended = 0;
    make_problem(plain_target);
    grow(trees, lengths);
    FINE(backend->open(&problem.job, &engine, &error));
    assert_int_equal(backend->load(engine, trees, lengths, &error), GR_FAILED); /* nothing bred */
    do
        FINE(backend->advance(engine, NULL, NULL, &records, &generations, &ended, &error));
    while (finished && !ended);
    FINE(backend->load(engine, trees, lengths, &error));
    FINE(backend->measure(engine, GR_PHASE_EVALUATE, 1, 0, &seconds, &error));
    FINE(backend->read(engine, GR_SECTION_COSTS, costs, sizeof costs, &error));
    for (uint32_t i = 0; i < POPULATION; i++) {
        gr_suspect suspect = {trees + i * NODES, lengths[i], 0.0f, 0.0f, 0.0f};
        FINE(gr_reference_costs(&problem.job.params, problem.job.train, 0, &suspect, 1, &error));
        gr_compare_cost(&suspect, i, costs[i], 0.0, 0, &verdict);
    }
    assert_string_equal(verdict.wrong, "");
    assert_int_equal(gr_judge(&verdict, 0.0), GR_ANSWERS_RIGHT);
    if (backend == &gr_backend_cpu) { /* has the lengths at hand */
        lengths[7] = NODES + 1;
        assert_int_equal(backend->load(engine, trees, lengths, &error), GR_FAILED);
    }
    assert_int_equal(backend->measure(engine, GR_PHASE_SELECT, 1, 0, &seconds, &error), GR_FAILED);
    backend->close(engine);
    free_problem();
}

static void check_backend(const gr_backend *backend) {
    static ending end;
    check_repeats(backend, plain_target);
    check_repeats(backend, fitted);
    make_problem(sampled);
    run(backend, 0, &end);
    free_problem();
    check_load(backend, 0);
    check_load(backend, 1);
}

static void on_cpu(void **state) {
    (void)state;
    check_backend(&gr_backend_cpu);
}

static void on_cuda(void **state) {
    (void)state;
#ifdef GRAMPUS_CUDA
    char line[256];
    if (gr_backend_cuda.available(line, sizeof line)) {
        check_backend(&gr_backend_cuda);
        return;
    }
#endif
    skip();
}

/* ---- rows ---- */

#define SMALL                                                                                      \
    "genotype: tree\npopulation: 50\nmax-nodes: 20\nfunctions: \"+, -, *\"\nmetric: mae\n"         \
    "target-expression: x * y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: 70\n"

static gr_bench_result measure_row(gr_bench_row row, gr_bench_options options) {
    gr_bench_result r;
    options.device = GR_DEVICE_CPU;
    options.threads = 1;
    options.repeats = 3;
    FINE(gr_bench_measure(&row, &options, &r, &error));
    assert_int_equal(r.answers, GR_ANSWERS_RIGHT);
    assert_true(r.on_cpu && r.repeats == 3 && r.inputs == 2);
    assert_true(r.least > 0.0 && r.least <= r.median && r.median <= r.most);
    return r;
}

/* Random trees of the sizes that the row says, counted once. */
static void test_random_row(void **state) {
    (void)state;
    const gr_bench_row row = {.name = "r",
                              .work = GR_BENCH_RANDOM,
                              .least = 9,
                              .most = 9,
                              .settings = SMALL "generations: 0\n"};
    gr_bench_result r = measure_row(row, (gr_bench_options){0});
    assert_true(r.nodes == 50 * 9 && r.programs == 50 && r.generations == 1 && r.sizes.cases == 70);
    assert_memory_equal(&r.asked, &r.sizes, sizeof r.asked);
    r = measure_row(row, (gr_bench_options){.population = 20, .cases = 33});
    assert_true(r.nodes == 20 * 9 && r.programs == 20 && r.sizes.population == 20 &&
                r.sizes.cases == 33);
}

/* Programs of one instruction each, a tile of two inputs and a target, a sum each. */
static void test_bytes(void **state) {
    (void)state;
    const gr_bench_row row = {.name = "r",
                              .work = GR_BENCH_RANDOM,
                              .least = 1,
                              .most = 1,
                              .settings = SMALL "generations: 0\n"};
    gr_bench_result r = measure_row(row, (gr_bench_options){0});
    assert_true(r.bytes == 50 * 8 + 3 * 1024 * 4 + 50 * 8);
}

/* Whole runs: generations 0 to 4 of two of them, whose programs and nodes are those that were bred.
 */
static void test_run_row(void **state) {
    (void)state;
    const gr_bench_row row = {
        .name = "r", .work = GR_BENCH_RUN, .settings = SMALL "generations: 4\nruns: 2\n"};
    gr_bench_result r = measure_row(row, (gr_bench_options){0});
    assert_true(r.generations == 5 && r.programs == 2 * 50 * 5);
    assert_true(r.nodes >= r.programs && r.nodes <= 20 * r.programs);
    assert_true(r.sizes.runs == 2 && r.sizes.generations == 4 && r.sizes.population == 50);
    assert_true(r.opened > 0.0 && r.phase[GR_PHASE_EVALUATE] > 0.0 &&
                r.phase[GR_PHASE_BREED] > 0.0);
}

/* A row that would take too long has a smaller population, of 32 at least, and what it asked for is
 * kept. */
static void test_reduced(void **state) {
    (void)state;
    const gr_bench_row row = {.name = "r",
                              .work = GR_BENCH_RANDOM,
                              .least = 9,
                              .most = 9,
                              .settings = SMALL "generations: 0\n"};
    gr_bench_result r =
        measure_row(row, (gr_bench_options){.population = 99, .sizes = 30000}); /* of 99 x 9 x 70 */
    assert_true(r.asked.population == 99 && r.asked.cases == 70);
    assert_true(r.sizes.population == 47 && r.sizes.cases == 70 && r.nodes == 9 * 47);
    r = measure_row(row, (gr_bench_options){.population = 99, .sizes = 3});
    assert_true(r.sizes.population == 32);
}

/* A row that cannot be read says so, and nothing is made of it. */
static void test_refused(void **state) {
    (void)state;
    const gr_bench_row row = {
        .name = "r", .work = GR_BENCH_RUN, .settings = SMALL "generations: 4\ntournamen: 3\n"};
    gr_bench_result r;
    assert_int_equal(gr_bench_measure(&row,
                                      &(gr_bench_options){.device = GR_DEVICE_CPU, .repeats = 1},
                                      &r, &error),
                     GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "did you mean 'tournament'?"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_cpu),          cmocka_unit_test(on_cuda),
        cmocka_unit_test(test_random_row), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_run_row),    cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
