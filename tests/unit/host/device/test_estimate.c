/* host/device/estimate.c: work times rates, and rates learned from runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/selection/once.h"
#include "host/device/estimate.h"

#include <math.h>

static int near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static gr_job job_of(uint32_t individuals, uint32_t generations, uint32_t cases,
                     uint32_t max_nodes) {
    gr_job job = {.params = {.individuals = individuals,
                             .generations = generations,
                             .train_cases = cases,
                             .max_nodes = max_nodes,
                             .genotype = GR_TREE,
                             .functions = 2,
                             .function = {GR_ADD, GR_DIV}}};
    return job;
}

static void test_work(void **state) {
    (void)state;
    gr_job job = job_of(1000, 50, 20, 200);
    gr_work w = gr_work_of(&job);
    assert_true(w.generations == 51.0 && w.individuals == 1000.0);
    assert_true(w.evaluations == 30.0 * 256.0 * 1000.0);
    assert_int_equal(w.genotype, GR_TREE);
    assert_int_equal(w.arithmetic, GR_ARITHMETIC_COSTLY);
    job.params.function[1] = GR_MUL; /* nothing dear is in it */
    w = gr_work_of(&job);
    assert_int_equal(w.arithmetic, GR_ARITHMETIC_CHEAP);
    job.params.function[1] = GR_SIN;
    w = gr_work_of(&job);
    assert_int_equal(w.arithmetic, GR_ARITHMETIC_COSTLY);
    job.params.max_nodes = 15;
    job.fast = 1;
    w = gr_work_of(&job);
    assert_true(w.evaluations == 7.5 * 256.0 * 1000.0);
    assert_int_equal(w.arithmetic, GR_ARITHMETIC_CHEAP);
    job.params.packed = 1;
    job.params.train_cases = 1 << 20;
    w = gr_work_of(&job);
    assert_true(w.evaluations == 7.5 * 32768.0 * 1000.0);
    assert_int_equal(w.arithmetic, GR_ARITHMETIC_WORDS);
}

/* Two demes of a thousand, of which so many are elites. */
static gr_job job_of_elites(uint32_t elites, uint32_t runs, uint32_t islands) {
    gr_job job = job_of(2000, 50, 20, 200);
    job.params.population = 1000;
    job.params.elites = elites;
    job.params.runs = runs;
    job.params.islands = islands;
    job.params.once = GR_ONCE_AUTO;
    return job;
}

/* Elites have their errors, and where most are some they are copied with their programs. */
static void test_elites(void **state) {
    (void)state;
    gr_job job = job_of_elites(500, 2, 1);
    gr_params *p = &job.params;
    gr_work w = gr_work_of(&job);
    assert_true(w.individuals == 2000.0 && w.evaluations == 30.0 * 256.0 * 2000.0);
    p->elites = 900;
    w = gr_work_of(&job);
    assert_true(near(w.individuals, 200.0 + 0.4 * 1800.0));
    assert_true(near(w.evaluations, 30.0 * 256.0 * 200.0));
    p->once = GR_ONCE_OFF; /* evaluated again */
    w = gr_work_of(&job);
    assert_true(near(w.individuals, 200.0 + 0.4 * 1800.0));
    assert_true(near(w.evaluations, 30.0 * 256.0 * 2000.0));
}

/* On islands and by branches elites are bred again; their errors they keep but behind a migration,
 * for another sample, and where they are fitted. */
static void test_elites_that_are_bred(void **state) {
    (void)state;
    gr_job job = job_of_elites(900, 1, 2);
    gr_params *p = &job.params;
    gr_work w = gr_work_of(&job);
    assert_true(w.individuals == 2000.0 && near(w.evaluations, 30.0 * 256.0 * 200.0));
    p->migrants = 1;
    p->migration_every = 4;
    w = gr_work_of(&job);
    assert_true(w.individuals == 2000.0 && near(w.evaluations, 30.0 * 256.0 * 650.0));
    p->migrants = 0;
    p->sampling = GR_SAMPLING_RANDOM;
    p->sample_every = 1;
    assert_true(near(gr_work_of(&job).evaluations, 30.0 * 256.0 * 2000.0));
    p->sampling = GR_SAMPLING_FIXED;
    assert_true(near(gr_work_of(&job).evaluations, 30.0 * 256.0 * 200.0));
    p->sampling = GR_SAMPLING_NONE;
    p->optimise = GR_OPTIMISE_ELITES;
    p->optimise_iterations = 4;
    assert_true(
        near(gr_work_of(&job).evaluations, 30.0 * 256.0 * (gr_fits_copies(p) ? 2000.0 : 200.0)));
    p->optimise = GR_OPTIMISE_NONE;
    p->runs = 2;
    p->islands = 1;
    p->genotype = GR_GRAMMATICAL;
    p->packed = 1; /* no grammar is looked at */
    assert_true(near(gr_work_of(&job).individuals, 200.0 + 0.4 * 1800.0));
    p->rule_words = 9; /* of branches */
    assert_true(gr_work_of(&job).individuals == 2000.0);
}

/* Fitting constants is work too, by whose are fitted. */
static void test_fitting(void **state) {
    (void)state;
    gr_job job = job_of(1000, 50, 256, 40);
    gr_params *p = &job.params;
    p->runs = p->islands = 1;
    p->population = 1000;
    p->elites = 10;
    p->optimise_iterations = 4;
    p->optimise_share = 0.5f;
    assert_true(gr_work_of(&job).fitted == 0.0);
    p->optimise = GR_OPTIMISE_ALL;
    assert_true(near(gr_work_of(&job).fitted, 20.0 * 256.0 * 990.0 * 6.0));
    p->optimise = GR_OPTIMISE_SHARE;
    assert_true(near(gr_work_of(&job).fitted, 20.0 * 256.0 * 495.0 * 6.0));
    p->optimise = GR_OPTIMISE_ELITES;
    gr_work elites = gr_work_of(&job), none = elites;
    assert_true(near(elites.fitted, 20.0 * 256.0 * 10.0 * 6.0));
    none.fitted = 0.0;
    double more = gr_expected_seconds(&elites, &gr_first_rates.cpu, 1) -
                  gr_expected_seconds(&none, &gr_first_rates.cpu, 1);
    assert_true(
        near(more, 51.0 * elites.fitted * gr_first_rates.cpu.evaluation[GR_ARITHMETIC_FITTING]) ||
        fabs(more / (51.0 * elites.fitted * 1e-9) - 1.0) < 1e-3);
}

/* start + generations x (generation + inside / threads) */
static void test_seconds(void **state) {
    (void)state;
    const gr_rates rates = {2.0, 0.5, {1e-3, 2e-3}, {1e-6, 3e-6, 5e-6}};
    gr_work work = {10.0, 100.0, 1e5, GR_TREE, GR_ARITHMETIC_COSTLY, 0.0};
    assert_true(near(gr_expected_seconds(&work, &rates, 1), 2.0 + 10.0 * (0.5 + 0.2 + 0.3)));
    assert_true(near(gr_expected_seconds(&work, &rates, 4), 2.0 + 10.0 * (0.5 + 0.125)));
    work.genotype = GR_GRAMMATICAL;
    work.arithmetic = GR_ARITHMETIC_WORDS;
    assert_true(near(gr_expected_seconds(&work, &rates, 1), 2.0 + 10.0 * (0.5 + 0.1 + 0.5)));
}

/* Half way, in factors; only what the run tells of. */
static void test_learning(void **state) {
    (void)state;
    const gr_rates first = gr_first_rates.cpu;
    gr_measured_run run = {.work = {10.0, 1000.0, 1e6, GR_TREE, GR_ARITHMETIC_COSTLY, 0.0},
                           .breeding = 4.0 * first.individual[GR_TREE] * 1e4 / 2,
                           .evaluation = 4.0 * first.evaluation[GR_ARITHMETIC_COSTLY] * 1e7 / 2,
                           .threads = 2};
    gr_rates learned = gr_learn_rates(first, &first, &run, 0), expected = first;
    expected.individual[GR_TREE] *= 2.0;
    expected.evaluation[GR_ARITHMETIC_COSTLY] *= 2.0;
    for (int k = 0; k < GR_RATES; k++)
        assert_true(near(((double *)&learned)[k], ((double *)&expected)[k]));
    assert_int_equal(gr_rates_differ(&learned, &first), 1);
    for (int k = 0; k < 60; k++) /* settles at what is measured */
        learned = gr_learn_rates(learned, &first, &run, 0);
    assert_true(fabs(learned.individual[GR_TREE] / first.individual[GR_TREE] - 4.0) < 1e-6);
    gr_rates again = gr_learn_rates(learned, &first, &run, 0);
    assert_int_equal(gr_rates_differ(&again, &learned), 0);
    run.evaluation = 0.01 * run.breeding; /* too little of it to tell */
    again = gr_learn_rates(first, &first, &run, 0);
    assert_true(
        near(again.evaluation[GR_ARITHMETIC_COSTLY], first.evaluation[GR_ARITHMETIC_COSTLY]));
}

/* Small generations of a GPU tell of generations, large ones of what is in them; both of its start.
 * Nothing goes far from the first figure. */
static void test_gpu(void **state) {
    (void)state;
    const gr_rates first = gr_first_rates.gpu;
    gr_measured_run run = {.work = {100.0, 50.0, 1e4, GR_TREE, GR_ARITHMETIC_CHEAP},
                           .opening = 4.0 * first.start,
                           .breeding = 100.0 * first.generation / 4.0,
                           .threads = 1};
    gr_rates learned = gr_learn_rates(first, &first, &run, 1);
    assert_true(near(learned.start, 2.0 * first.start));
    assert_true(near(learned.generation, first.generation / 2.0));
    assert_true(near(learned.individual[GR_TREE], first.individual[GR_TREE]));
    run.opening = 0.0;
    run.breeding *= 100.0;
    run.work.individuals = run.breeding / 100.0 / first.individual[GR_TREE] / 16.0;
    learned = gr_learn_rates(first, &first, &run, 1);
    assert_true(near(learned.start, first.start));
    assert_true(near(learned.generation, first.generation));
    assert_true(near(learned.individual[GR_TREE], 4.0 * first.individual[GR_TREE]));
    run.breeding *= 1e6;
    learned = gr_learn_rates(first, &first, &run, 1);
    assert_true(near(learned.individual[GR_TREE], GR_RATES_APART * first.individual[GR_TREE]));
    run.breeding = (double)NAN;
    learned = gr_learn_rates(first, &first, &run, 1);
    assert_int_equal(gr_rates_differ(&learned, &first), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work),
                                       cmocka_unit_test(test_elites),
                                       cmocka_unit_test(test_elites_that_are_bred),
                                       cmocka_unit_test(test_fitting),
                                       cmocka_unit_test(test_seconds),
                                       cmocka_unit_test(test_learning),
                                       cmocka_unit_test(test_gpu)};
    return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
