/* host/run/choice.c: what a node costs, by how many programs were tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/runs.h"

#include "host/run/choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void test_price_of_a_node(void **state) {
    (void)state;
    assert_true(gr_parameters_of_a_node(1.0) == 0.7);
    assert_true(gr_parameters_of_a_node(1e6) == 0.7);
    double million = gr_parameters_of_a_node(1e7), hundred = gr_parameters_of_a_node(1e8);
    assert_true(fabs(hundred - 0.92) < 1e-9 && fabs(hundred - million - 0.115) < 1e-9);
}

static void test_criterion(void **state) {
    (void)state;
    gr_settings settings;
    gr_run *run = open_run_of("genotype: tree\nfunctions: +\nruns: 1\ngenerations: 1\npopulation: "
                              "10\ndevice: cpu\nmetric: rmse\n",
                              "variables: x = grid(1, 64, 1)\ntarget-expression: x\n", &settings);
    const gr_problem *problem = gr_run_problem(run);
    double cases = 64.0, left = 2.0 * cases * log(0.5);
    assert_true(fabs(gr_schwarz(problem, 0.5, 9, 0.7) - left - 6.3 * log(cases)) < 1e-9);
    assert_true(fabs(gr_schwarz(problem, 0.5, 9, 1.1) - left - 9.9 * log(cases)) < 1e-9);
    assert_true(isinf(gr_schwarz(problem, 0.5, 65, 0.7))); /* more nodes than cases */
    assert_true(gr_parameters_in_run(run) == 0.7);
    gr_run_close(run);
    gr_settings_free(&settings);
}

/* With more nodes than cases a law counts that leaves less than a millionth of the target's
 * variance and has two parameters fewer than there are cases. */
static void test_laws_of_many_nodes(void **state) {
    (void)state;
    gr_settings settings;
    gr_run *run = open_run_of("genotype: tree\nfunctions: +\nruns: 1\ngenerations: 1\npopulation: "
                              "10\ndevice: cpu\nmetric: mse\n",
                              "variables: x = grid(1, 10, 1)\ntarget-expression: x\n", &settings);
    const gr_problem *problem = gr_run_problem(run);
    double variance = 8.25;
    assert_true(isfinite(gr_schwarz(problem, 0.9e-6 * variance, 16, 0.5)));
    assert_true(isinf(gr_schwarz(problem, 1.1e-6 * variance, 16, 0.5)));
    assert_true(isinf(gr_schwarz(problem, 0.9e-6 * variance, 17, 0.5)));
    gr_run_close(run);
    gr_settings_free(&settings);
}

/* The variance is that of the cases by their weights, whatever these are measured in. */
static void test_laws_of_weighed_cases(void **state) {
    (void)state;
    gr_settings settings;
    char name[] = "/tmp/choice-XXXXXX", problem_text[256];
    int file = mkstemp(name);
    assert_true(file >= 0);
    dprintf(file, "x,y,w\n1,0,1e-4\n2,0,1e-4\n3,0,1e-4\n4,8,3e-4\n5,0,2e-4\n6,8,1e-4\n");
    close(file);
    snprintf(problem_text, sizeof problem_text, "data: %s\ntarget: y\nweights: w\n", name);
    gr_run *run = open_run_of("genotype: tree\nfunctions: +\nruns: 1\ngenerations: 1\npopulation: "
                              "10\ndevice: cpu\nmetric: mse\n",
                              problem_text, &settings);
    const gr_problem *problem = gr_run_problem(run);
    double share = 4.0 / 9.0, variance = 64.0 * share * (1.0 - share);
    assert_true(isfinite(gr_schwarz(problem, 0.99e-6 * variance, 8, 0.5)));
    assert_true(isinf(gr_schwarz(problem, 1.01e-6 * variance, 8, 0.5)));
    gr_run_close(run);
    gr_settings_free(&settings);
    unlink(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_price_of_a_node),
        cmocka_unit_test(test_criterion),
        cmocka_unit_test(test_laws_of_many_nodes),
        cmocka_unit_test(test_laws_of_weighed_cases),
    };
    return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
