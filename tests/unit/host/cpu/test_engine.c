/* host/cpu/engine.c and generation.c behind gpu/backend/engine.h: what it refuses, and that no
 * result depends on threads or epochs. Steady state: children take the place of the worst, step by
 * step, and may be parents in the next step; the host sees whole generations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitness/fitness.h"
#include "host/run/run.h"

#include <stdlib.h>
#include <string.h>

enum { POPULATION = 30, GENERATIONS = 4, CAPACITY = 60 };

static const char text[] =
    "target-expression: x*x + x\nvariables: x = uniform(-1, 1)\ntrain-cases: 40\nruns: 2\n"
    "grammar: grammars/nguyen.bnf\npopulation: 30\ngenerations: 4\ngenome-length: 40\n"
    "max-genome-length: 60\nreplacement: steady-state\nchildren-per-step: 4\ndevice: cpu\n";

static void load(gr_settings *s, const char *more) {
    gr_error error = {GR_OK, ""};
    char whole[1024];
    snprintf(whole, sizeof whole, "%s%s", text, more);
    if (gr_settings_init(s, &error) ||
        gr_settings_parse(s, whole, strlen(whole), "run.yaml", &error) ||
        gr_settings_resolve(s, &error))
        fail_msg("%s", error.text);
}

typedef struct view {
    uint32_t genomes[2 * POPULATION][CAPACITY];
    gr_individual individuals[2 * POPULATION];
    gr_plan plans[2 * POPULATION];
    float costs[2 * POPULATION];
} view;

static void look(gr_engine *e, view *v) {
    gr_error error;
    assert_int_equal(
        gr_backend_cpu.read(e, GR_SECTION_GENOTYPES, v->genomes, sizeof v->genomes, &error), 0);
    assert_int_equal(gr_backend_cpu.read(e, GR_SECTION_INDIVIDUALS, v->individuals,
                                         sizeof v->individuals, &error),
                     0);
    assert_int_equal(gr_backend_cpu.read(e, GR_SECTION_PLANS, v->plans, sizeof v->plans, &error),
                     0);
    assert_int_equal(gr_backend_cpu.read(e, GR_SECTION_COSTS, v->costs, sizeof v->costs, &error),
                     0);
}

/* Between two steps of a run: who stays, who came. */
static uint32_t check_step(const view *before, const view *after, uint32_t run) {
    uint32_t young = 0, base = run * POPULATION;
    for (uint32_t index = 0; index < POPULATION; index++) {
        gr_plan plan = after->plans[base + index];
        assert_int_equal(plan.kind == GR_PLAN_ELITE, index < POPULATION - 4);
        young += plan.kind != GR_PLAN_ELITE &&
                 (plan.a >= base + POPULATION - 4 || plan.b >= base + POPULATION - 4);
        if (plan.kind != GR_PLAN_ELITE)
            continue;
        uint32_t better = 0; /* than the one that stands here now, a step before */
        for (uint32_t k = base; k < base + POPULATION; k++)
            better += gr_rank_key(after->costs[k], k) < gr_rank_key(after->costs[plan.a], plan.a);
        assert_int_equal(better, index);
        assert_memory_equal(after->genomes[base + index], before->genomes[plan.a],
                            before->individuals[plan.a].length * sizeof(uint32_t));
    }
    return young;
}

static void test_steps(void **state) {
    (void)state;
    static view at[2];
    gr_error error = {GR_OK, ""};
    gr_settings s;
    gr_problem problem;
    gr_engine *e;
    const gr_record *records;
    uint32_t young = 0, steps = 0, generations;
    int finished = 0;
    load(&s, "");
    assert_int_equal(gr_problem_make(&s, &problem, &error), GR_OK);
    assert_int_equal(problem.job.params.steps, 8); /* of 4 children, for a population of 30 */
    assert_int_equal(problem.job.params.generations, 8 * GENERATIONS);
    problem.job.epoch = 1;
    assert_int_equal(gr_backend_cpu.open(&problem.job, &e, &error), GR_OK);
    for (; !finished; steps++) {
        assert_int_equal(
            gr_backend_cpu.advance(e, NULL, NULL, &records, &generations, &finished, &error),
            GR_OK);
        if (finished)
            break;
        look(e, &at[steps % 2]);
        for (uint32_t run = 0; run < 2 && steps; run++)
            young += check_step(&at[(steps + 1) % 2], &at[steps % 2], run);
    }
    assert_int_equal(steps, 8 * GENERATIONS);
    assert_true(young > 10);
    gr_backend_cpu.close(e);
    gr_problem_free(&problem);
    gr_settings_free(&s);
}

typedef struct seen {
    uint32_t rows, generation[2];
    double executed;
} seen;

static void see(void *context, const gr_generation *g) {
    seen *all = context;
    assert_int_equal(g->generation, all->rows++ / 2);
    assert_int_equal(g->run, (all->rows - 1) % 2);
    all->executed += g->executed;
}

/* Rows of whole generations, whatever the epoch; what all steps executed, or were spared, is in
 * them. */
static void test_generations(void **state) {
    (void)state;
    static const char *const epochs[] = {"epoch: 1\n", "epoch: 3\n", "epoch: 100\n"};
    for (size_t k = 0; k < 3; k++) {
        gr_error error = {GR_OK, ""};
        gr_settings s;
        gr_run *run;
        gr_run_report report;
        seen all = {0};
        const gr_watch watch = {.generation = see, .context = &all};
        int finished = 0;
        load(&s, epochs[k]);
        assert_int_equal(gr_run_open(&s, &run, &error), GR_OK);
        while (!finished)
            assert_int_equal(gr_run_advance(run, &watch, &finished, &error), GR_OK);
        gr_run_look(run, &report);
        assert_int_equal(all.rows, 2 * (GENERATIONS + 1));
        assert_int_equal(report.generation, GENERATIONS);
        assert_true(all.executed == report.executed + report.spared.executed &&
                    report.executed > 0);
        gr_run_close(run);
        gr_settings_free(&s);
    }
}

/* ---- the face ---- */

/* Sections longer than they are, phases that nobody can repeat, generations that are not there. */
static void test_refused(void **state) {
    (void)state;
    gr_error error = {GR_OK, ""};
    gr_settings s;
    gr_problem problem;
    gr_engine *e;
    const gr_record *records;
    uint32_t generations;
    int finished = 0;
    double seconds;
    static gr_deme demes[3];
    load(&s, "");
    assert_int_equal(gr_problem_make(&s, &problem, &error), GR_OK);
    assert_int_equal(gr_backend_cpu.open(&problem.job, &e, &error), GR_OK);
    assert_int_equal(gr_backend_cpu.measure(e, GR_PHASE_EVALUATE, 1, 0, &seconds, &error),
                     GR_FAILED);
    assert_string_equal(error.text, "there is no generation to evaluate again");
    assert_int_equal(
        gr_backend_cpu.advance(e, NULL, NULL, &records, &generations, &finished, &error), GR_OK);
    assert_int_equal(gr_backend_cpu.read(e, GR_SECTION_DEMES, demes, 2 * sizeof *demes, &error),
                     GR_OK);
    assert_int_equal(gr_backend_cpu.read(e, GR_SECTION_DEMES, demes, sizeof demes, &error),
                     GR_FAILED);
    assert_int_equal(gr_backend_cpu.measure(e, GR_PHASE_SELECT, 1, 0, &seconds, &error), GR_FAILED);
    assert_int_equal(gr_backend_cpu.load(e, NULL, NULL, &error),
                     GR_FAILED); /* genomes are no trees */
    gr_backend_cpu.close(e);
    gr_problem_free(&problem);
    gr_settings_free(&s);
}

/* Whether the bytes of two runs are the same. */
static void run_all(const char *more, uint32_t epoch, view *end, gr_record *all, uint32_t *count) {
    gr_error error = {GR_OK, ""};
    gr_settings s;
    gr_problem problem;
    gr_engine *e;
    const gr_record *records;
    uint32_t generations;
    int finished = 0;
    load(&s, more);
    assert_int_equal(gr_problem_make(&s, &problem, &error), GR_OK);
    problem.job.epoch = epoch;
    *count = 0;
    assert_int_equal(gr_backend_cpu.open(&problem.job, &e, &error), GR_OK);
    while (!finished) {
        assert_int_equal(
            gr_backend_cpu.advance(e, NULL, NULL, &records, &generations, &finished, &error),
            GR_OK);
        assert_in_range(generations, 1, epoch);
        memcpy(all + *count, records, 2 * generations * sizeof *records);
        *count += 2 * generations;
    }
    look(e, end);
    gr_backend_cpu.close(e);
    gr_problem_free(&problem);
    gr_settings_free(&s);
}

static void test_threads_and_epochs(void **state) {
    (void)state;
    static view first, again;
    static gr_record one[2 * (8 * GENERATIONS + 1)], other[2 * (8 * GENERATIONS + 1)];
    uint32_t count, others;
    run_all("threads: 1\n", 1, &first, one, &count);
    assert_int_equal(count, 2 * (8 * GENERATIONS + 1));
    for (uint32_t threads = 1; threads < 4; threads++) {
        char more[32];
        snprintf(more, sizeof more, "threads: %u\n", threads);
        run_all(more, 5 * threads, &again, other, &others);
        assert_int_equal(count, others);
        assert_memory_equal(one, other, sizeof one);
        assert_memory_equal(&first, &again, sizeof first);
    }
    for (uint32_t k = 0; k < count; k++)
        assert_true(one[k].written && one[k].generation == k / 2 && one[k].deme == k % 2);
}

/* A run that is stopped before it begins ends with nothing, and stays so. */
static void test_stop(void **state) {
    (void)state;
    gr_error error = {GR_OK, ""};
    gr_settings s;
    gr_problem problem;
    gr_engine *e;
    const gr_record *records;
    load(&s, "");
    assert_int_equal(gr_problem_make(&s, &problem, &error), GR_OK);
    assert_int_equal(gr_backend_cpu.open(&problem.job, &e, &error), GR_OK);
    gr_backend_cpu.stop(e);
    for (int k = 0; k < 2; k++) {
        uint32_t generations = 9;
        int finished = 0;
        assert_int_equal(
            gr_backend_cpu.advance(e, NULL, NULL, &records, &generations, &finished, &error),
            GR_OK);
        assert_int_equal(generations, 0);
        assert_true(finished);
    }
    gr_backend_cpu.close(e);
    gr_problem_free(&problem);
    gr_settings_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps), cmocka_unit_test(test_generations),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_threads_and_epochs),
        cmocka_unit_test(test_stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
