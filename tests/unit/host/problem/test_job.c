/* host/problem/job.h: settings and data as the numbers of a job; tiles, stop rules,
 * epochs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/problems.h"

/* ---- data ---- */

/* Chunk by chunk, column by column, the target last, zeros behind the last case. */
static void test_tiles(void **state) {
    (void)state;
    gr_problem problem;
    assert_string_equal(make("test-cases: 5\n", &problem), "");
    const gr_params *p = &problem.job.params;
    const gr_dataset *set = &problem.train;
    assert_true(p->inputs == 2 && p->train_cases == 3000 && p->train_chunks == 3);
    assert_true(p->test_cases == 5 && p->test_chunks == 1 && !p->packed);
    for (uint32_t c = 0; c < 3 * GR_CHUNK; c++) {
        const float *at = problem.job.train + c / GR_CHUNK * 3 * GR_CHUNK + c % GR_CHUNK;
        float x = at[0], y = at[GR_CHUNK], target = at[2 * GR_CHUNK];
        if (c < 3000)
            assert_true(x != 0.0f && target == x * y && target == set->y[c]);
        else
            assert_true(x == 0.0f && y == 0.0f && target == 0.0f);
    }
    assert_true(problem.job.test[2 * GR_CHUNK + 4] == problem.test.y[4]);
    gr_problem_free(&problem);
    assert_string_equal(make_problem("genotype: tree\nboolean: parity-6\n", &problem), "");
    assert_true(p->packed && p->train_cases == 64 && p->train_chunks == 1 && p->inputs == 6);
    static const uint32_t words[2] = {0xaaaaaaaau, 0xaaaaaaaau}; /* of the first input */
    assert_memory_equal(problem.job.train, words, sizeof words);
    assert_memory_equal(problem.job.train + 6 * GR_CHUNK, problem.train.wy, 2 * sizeof(uint32_t));
    assert_null(problem.job.test);
    gr_problem_free(&problem);
}

/* ---- numbers of a run ---- */

static void test_run(void **state) {
    (void)state;
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    assert_string_equal(
        make("runs: 3\npopulation: 21\ngenerations: 7\nseed: 4294967298\nmax-nodes: 33\n"
             "functions: sin, +, if, neg\ntarget-fitness: 0.25\nmetric: mae\nthreads: 5\n",
             &problem),
        "");
    assert_true(p->runs == 3 && p->islands == 1 && p->population == 21 && p->individuals == 63);
    assert_true(p->generations == 7 && p->steps == 1 && p->seed[0] == 2 && p->seed[1] == 1);
    assert_true(p->max_nodes == 33 && p->stop_at_target && p->target_cost == 0.25f);
    assert_int_equal(p->functions, 4);
    static const uint8_t first[] = {0, 0, 2, 3, 4}; /* by arity: none, sin and neg, +, if */
    assert_memory_equal(p->arity_first, first, sizeof first);
    assert_true(problem.job.threads == 5 && problem.job.epoch == 8 && !problem.job.fast);
    gr_problem_free(&problem);
    assert_string_equal(
        make("metric: r2\ntarget-fitness: 0.9\ngenerations: 1000\nepoch: 30\n", &problem), "");
    assert_true(p->target_cost == -0.9f && problem.job.epoch == 30);
    gr_problem_free(&problem);
    assert_string_equal(
        make("population: 21\nreplacement: steady-state\nchildren-per-step: 4\ngenerations: 7\n"
             "epoch: 2\n",
             &problem),
        "");
    assert_true(p->steps == 6 && p->generations == 42 && p->elites == 17 &&
                problem.job.epoch == 12);
    gr_problem_free(&problem);
    assert_non_null(
        strstr(make("runs: 16777216\npopulation: 65\n", &problem), "expected at most 2^30"));
    /* 2^64 of them, and 0 in 64 bits */
    assert_non_null(strstr(make("runs: 16777216\nislands: 16384\npopulation: 67108864\n", &problem),
                           "expected at most 2^26"));
    assert_non_null(strstr(make("runs: 16777216\nislands: 16\npopulation: 2\n", &problem),
                           "16777216 runs of 16 islands are 268435456 populations; expected"));
}

/* Stop rules in generations of the engine. Individuals evaluated: 100, then 98 a generation. */
static void test_stop_rules(void **state) {
    (void)state;
    static const struct {
        const char *evaluations;
        uint32_t generations;
    } cases[] = {{"1", 0},   {"100", 0}, {"101", 1}, {"198", 1},
                 {"199", 2}, {"296", 2}, {"785", 7}, {"1e18", 7}};
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    char text[128];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text,
                 "population: 100\nelites: 2\ngenerations: 7\nmax-evaluations: %s\n",
                 cases[k].evaluations);
        assert_string_equal(make(text, &problem), "");
        assert_int_equal(p->generations, cases[k].generations);
        assert_int_equal(p->stagnation, 0);
        gr_problem_free(&problem);
    }
    assert_string_equal(make("population: 21\nreplacement: steady-state\nchildren-per-step: 4\n"
                             "generations: 7\nmax-evaluations: 46\nstagnation: 3\n",
                             &problem),
                        "");
    assert_true(p->generations == 12 && p->stagnation == 18); /* 21, 45, 69 after 12 steps */
    gr_problem_free(&problem);
    assert_string_equal(make("generations: 7\nstagnation: 7\n", &problem), "");
    assert_int_equal(p->stagnation, 0); /* cannot come before the end */
    gr_problem_free(&problem);
    assert_non_null(
        strstr(make("stagnation: 3\ncase-sampling: rotating\nsample-cases: 9\n", &problem),
               "on which no best lasts"));
}

/* "math: fast" where it would change something, and where no operation is costly. */
static void test_math(void **state) {
    (void)state;
    gr_problem problem;
    assert_string_equal(make("functions: +, *\n", &problem), "");
    assert_true(problem.job.fast);
    gr_problem_free(&problem);
    assert_string_equal(make("functions: +, sin\n", &problem), "");
    assert_false(problem.job.fast);
    gr_problem_free(&problem);
    assert_string_equal(make("functions: +, sin\nmath: fast\n", &problem), "");
    assert_true(problem.job.fast);
    gr_problem_free(&problem);
    /* errors in several targets end with a root, or with a sum */
    for (int sum = 0; sum < 2; sum++) {
        char text[256];
        snprintf(text, sizeof text,
                 "genotype: tree\nfunctions: +, *\ndata: problems/projectile.csv\n"
                 "targets: range, height\nmetric: %s\n",
                 sum ? "mae" : "mse");
        assert_string_equal(make_problem(text, &problem), "");
        assert_int_equal(problem.job.fast, sum);
        gr_problem_free(&problem);
    }
}

/* Cases that are made are refused before they are: here by the sums of the individuals. */
static void test_made_cases(void **state) {
    (void)state;
    gr_problem problem;
    assert_non_null(
        strstr(make_problem("genotype: tree\ntarget-expression: x\nvariables: x = uniform(0, 1)\n"
                            "train-cases: 1000000000\npopulation: 100000000\ndevice: cpu\n",
                            &problem),
               "1000000000 cases for 100000000 individuals: 781269"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),      cmocka_unit_test(test_run),
        cmocka_unit_test(test_math),       cmocka_unit_test(test_made_cases),
        cmocka_unit_test(test_stop_rules),
    };
    return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
