/* host/run/rounding.c: programs whose values hang on the last places of floats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/runs.h"

#include "host/run/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char common[] = "genotype: tree\nfunctions: +, -, *, /, sin, exp, log\nruns: 1\n"
                             "generations: 1\npopulation: 10\ndevice: cpu\n";

/* The program on a problem's cases; scaled by 0.5 + slope * program where the problem says so. */
static gr_rounding look(const char *problem, const char *infix, double slope) {
    gr_settings settings;
    gr_error error = {GR_OK, ""};
    char text[64];
    snprintf(text, sizeof text, "%s", infix);
    gr_best best = {.infix = *infix ? text : NULL, .intercept = 0.5, .slope = slope};
    gr_rounding found = {-1.0, -1.0};
    gr_run *run = open_run_of(common, problem, &settings);
    if (gr_rounding_look(gr_run_problem(run), &best, &found, &error))
        fail_msg("%s", error.text);
    gr_run_close(run);
    gr_settings_free(&settings);
    return found;
}

/* 64 cases in steps of 1/16, which floats have; targets from 40 to 43.9375 but for what is added.
 */
#define LINE "variables: x = grid(40, 43.9375, 0.0625)\n"
static const char line[] = LINE "target-expression: x\n";
static const double range = 3.9375;

static void test_well_behaved(void **state) {
    (void)state;
    gr_rounding r = look(line, "sin(x) * 3 + log(x)", 1.0);
    assert_true(r.more < 1e-4 && r.apart > 0.0 && r.apart < 1e-6 && !gr_hangs_on_rounding(&r));
    r = look(line, "x", 1.0);
    assert_true(r.more == 0.0 && r.apart == 0.0);
    r = look(line, "", 1.0); /* invalid */
    assert_true(r.more == 0.0 && r.apart == 0.0);
}

/* Sines of e^40 in floats and of those in doubles have nothing to do with each other: the mean of
 * the square of their difference is near 1. */
static void test_last_places(void **state) {
    (void)state;
    gr_rounding r = look(line, "sin(exp(x))", 1.0), twice;
    assert_true(gr_hangs_on_rounding(&r));
    assert_true(r.apart * range > 0.7 && r.apart * range < 1.3);
    r = look(line, "x + sin(exp(x))", 1.0);
    assert_true(r.apart * range > 0.7 && r.apart * range < 1.3);
    /* a slope of 2 makes it twice as much, where there is scaling */
    twice = look(LINE "target-expression: x\nlinear-scaling: true\n", "x + sin(exp(x))", 2.0);
    assert_true(fabs(twice.apart / r.apart - 2.0) < 1e-6);
    twice = look(line, "x + sin(exp(x))", 2.0);
    assert_true(twice.apart == r.apart);
}

/* A target that is a line and such noise: in single precision nothing is left of it, in double
 * there is twice as much. */
static void test_error(void **state) {
    (void)state;
    char name[] = "/tmp/rounding-XXXXXX", problem[256];
    gr_settings settings;
    int file = mkstemp(name);
    assert_true(file >= 0);
    gr_run *run = open_run_of(common, LINE "target-expression: x + sin(exp(x))\n", &settings);
    const gr_dataset *set = &gr_run_problem(run)->train;
    double squares = 0.0;
    dprintf(file, "x,y\n");
    for (uint32_t i = 0; i < 64; i++) {
        double x = gr_dataset_value(set, 0, i), y = gr_dataset_value(set, 1, i);
        dprintf(file, "%.9g,%.9g\n", x, y);
        squares += (y - x) * (y - x) / 64.0;
    }
    close(file);
    gr_run_close(run);
    gr_settings_free(&settings);
    snprintf(problem, sizeof problem, "data: %s\ntarget: y\ntest-fraction: 0\nmetric: mse\n", name);
    gr_rounding r = look(problem, "x + sin(exp(x))", 1.0);
    assert_true(r.more > 0.5 * squares && r.more < 5.0 * squares);
    r = look(problem, "x", 1.0);
    assert_true(r.more == 0.0);
    unlink(name);
}

static void test_extremes(void **state) {
    (void)state;
    static const char far[] = "variables: x = grid(100, 200, 1)\ntarget-expression: x\n";
    gr_rounding r = look(far, "1 / (1 + exp(x))", 1.0); /* 0 in floats, next to it in doubles */
    assert_true(r.apart > 0.0 && r.apart < 1e-30);
    r = look(far, "exp(x) - exp(x)", 1.0); /* no number in floats: nothing that could be kept */
    assert_true(r.more == 0.0 && r.apart == 0.0);
    r = look(line, "log(sin(exp(x)))", 1.0); /* of the sines above 0 half are not in double */
    assert_true(r.apart > 5.0 && r.apart < 9.0 && r.more > 0.0);
    /* one case, so that the targets have no range */
    static const char one[] = "variables: x = grid(41, 41, 1)\ntarget-expression: x\n";
    r = look(one, "sin(exp(x))", 1.0);
    assert_true(r.apart > 1e-3 && r.apart <= 2.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_well_behaved),
        cmocka_unit_test(test_last_places),
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
