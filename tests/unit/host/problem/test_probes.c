/* host/problem/probes.h: cases behind the training cases that only the engine has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/problems.h"

static const char text[] = "genotype: tree\ntarget-expression: 10 * a + b\n"
                           "variables: a = linspace(1, 9, 9); b = linspace(1, 9, 9)\n";

static float at(const gr_problem *problem, uint32_t column, uint32_t i) {
    size_t tile = gr_dataset_tile_words(&problem->train);
    return problem->train.tiles[i / GR_CHUNK * tile + (size_t)column * GR_CHUNK + i % GR_CHUNK];
}

/* Inputs are those of cases, each column's of others; the target is their mean, and all moments are
 * those of the cases alone. */
static void try_probes(const char *more, float weight) {
    gr_problem problem, plain;
    char with[512];
    snprintf(with, sizeof with, "%smetric: r2\nprobe-cases: 300\n%s", text, more);
    assert_string_equal(make_problem(with, &problem), "");
    snprintf(with, sizeof with, "%smetric: r2\n%s", text, more);
    assert_string_equal(make_problem(with, &plain), "");
    const gr_params *p = &problem.job.params, *q = &plain.job.params;
    uint64_t n = problem.train.cases;
    assert_int_equal(n, 81);
    assert_int_equal(plain.train.cases, 81);
    assert_int_equal(p->train_cases, n + 300);
    assert_int_equal(problem.probes, 300);
    assert_true(p->target_mean[0] == q->target_mean[0] && p->target_ss[0] == q->target_ss[0]);
    assert_true(p->weight[0] == (double)n);
    uint32_t together = 0, seen[10] = {0};
    for (uint32_t i = 0; i < n + 300; i++) {
        float a = at(&problem, 0, i), b = at(&problem, 1, i);
        assert_true(a >= 1 && a <= 9 && b >= 1 && b <= 9);
        assert_true(at(&problem, 2, i) == (i < n ? 10.0f * a + b : (float)p->target_mean[0]));
        assert_true(at(&problem, 3, i) == (i < n ? 1.0f : weight));
        together += i >= n && a == b;
        seen[(int)a] += i >= n;
    }
    for (int a = 1; a <= 9; a++) /* as often as among the cases */
        assert_in_range(seen[a], 27, 36);
    assert_in_range(together, 1, 100); /* 81 cases are a product */
    gr_problem_free(&problem);
    gr_problem_free(&plain);
}

static void test_probes(void **state) {
    (void)state;
    try_probes("", 0.0f);
    try_probes("linear-scaling: true\n", 1e-30f);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *more, *says;
    } refused[] = {
        {"metric: hits\ntolerance: 1\n", "another metric"},
        {"metric: max-error\n", "another metric"},
        {"objectives: error, hits\ntolerance: 1\n", "another metric"},
        {"selection: lexicase\n", "beside selection by cases"},
        {"case-sampling: fixed\nsample-cases: 4\n", "beside case-sampling"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        gr_problem problem;
        char all[512];
        snprintf(all, sizeof all, "%sprobe-cases: 3\n%s", text, refused[k].more);
        assert_non_null(strstr(make_problem(all, &problem), refused[k].says));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_probes),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
