/* host/run/between.c: programs that have no value, or an enormous one, between the cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/runs.h"

#include "host/run/between.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char common[] = "genotype: tree\nfunctions: +, -, *, /, log\nruns: 1\ngenerations: 1\n"
                             "population: 10\ndevice: cpu\n";

/* What the program does between the cases of a problem; scaled by 0.5 + slope * program. */
static double harm_of(const char *problem, const char *infix, double slope) {
    gr_settings settings;
    gr_between between;
    gr_error error = {GR_OK, ""};
    char text[64];
    snprintf(text, sizeof text, "%s", infix);
    gr_best best = {.infix = text, .intercept = 0.5, .slope = slope};
    double harm = -1.0;
    gr_run *run = open_run_of(common, problem, &settings);
    if (gr_between_draw(gr_run_problem(run), &between, &error) ||
        gr_between_look(gr_run_problem(run), &between, &best, &harm, &error))
        fail_msg("%s", error.text);
    gr_between_free(&between);
    gr_run_close(run);
    gr_settings_free(&settings);
    return harm;
}

/* 20 cases, of which none is 0, and a target from -1 to 1: its range is 2. */
static const char line[] = "target-expression: x\nvariables: x = linspace(-1, 1, 20)\n";

static void test_values(void **state) {
    (void)state;
    assert_true(harm_of(line, "x * x + 2", 1.0) == 0.0);
    /* a case is 0.05 from 0, where it is 19, so that it strays on the cases too; but for |x| > 1/3
     */
    double harm = harm_of(line, "1 / x", 1.0);
    assert_true(harm > 4.0 * 0.2 && harm < 4.0 * 0.5);
    /* half of the points are below 0, and count as an error of ten ranges */
    harm = harm_of(line, "log(x)", 1.0);
    assert_true(harm > 400.0 * 0.4 && harm < 400.0 * 0.6);
    /* a pole that no case sees: it is outside of -3 to 3 for a sixtieth of the range */
    harm = harm_of(line, "0.05 / x", 1.0);
    assert_true(harm > 4.0 * 0.004 && harm < 4.0 * 0.05);
}

/* Every input is drawn, not the first alone: a pole that no case sees, in each of two. */
static void test_inputs(void **state) {
    (void)state;
    static const char plane[] =
        "target-expression: x\nvariables: v = linspace(-1.5, 1.5, 4); x = linspace(-1, 1, 20)\n";
    assert_true(harm_of(plane, "x + v", 1.0) == 0.0);
    assert_true(harm_of(plane, "0.02 / v", 1.0) > 0.0);
    assert_true(harm_of(plane, "0.02 / (x - 0.525)", 1.0) > 0.0);
}

static void test_whole_numbers(void **state) {
    (void)state;
    static const char whole[] = "target-expression: x\nvariables: x = grid(1, 6, 1)\n";
    static const char half[] = "target-expression: x\nvariables: x = grid(1, 6, 0.5)\n";
    assert_true(harm_of(whole, "1 / (x - 2.25)", 1.0) == 0.0);
    assert_true(harm_of(half, "1 / (x - 2.25)", 1.0) > 0.0);
    assert_true(harm_of(whole, "log(x - 0.9)", 1.0) == 0.0); /* never less than 1 */
    assert_true(harm_of(half, "log(x - 0.9)", 1.0) == 0.0);
}

static void test_scaled(void **state) {
    (void)state;
    char scaled[128];
    snprintf(scaled, sizeof scaled, "%slinear-scaling: true\n", line);
    assert_true(harm_of(scaled, "x", 1.0) == 0.0);
    double harm = harm_of(scaled, "x", 5.0); /* 0.5 + 5 x: beyond 3 from 0.5, below -3 up to -0.7 */
    assert_true(harm > 4.0 * 0.2 && harm < 4.0 * 0.6);
    assert_true(harm_of(line, "x", 5.0) == 0.0); /* not scaled */
}

static void test_extremes(void **state) {
    (void)state;
    static const char one[] = "target-expression: x\nvariables: x = grid(2, 2, 1)\n";
    static const char level[] =
        "target-expression: 3 + 0 * x\nvariables: x = linspace(-1, 1, 20)\n";
    char weighed[160];
    assert_true(harm_of(one, "x * 1e30", 1.0) == 0.0); /* all values are in a range of nothing */
    assert_true(harm_of(one, "log(x - 3)", 1.0) == 100.0);
    assert_true(harm_of(level, "1000 / x", 1.0) == 0.0);
    assert_true(harm_of(level, "log(x)", 1.0) > 40.0);
    /* Probe cases have inputs that no line is drawn through: the cases themselves are as before. */
    snprintf(weighed, sizeof weighed, "%sprobe-cases: 100\nmetric: rmse\n", line);
    assert_true(harm_of(weighed, "0.05 / x", 1.0) == harm_of(line, "0.05 / x", 1.0));
}

/* In doubles: cases that single precision takes for a few. */
static void test_doubles(void **state) {
    (void)state;
    char name[] = "/tmp/between-XXXXXX", problem[256];
    int file = mkstemp(name);
    assert_true(file >= 0);
    for (int i = 0; i < 20; i++)
        dprintf(file, i ? "%.3f,%d\n" : "x,y\n%.3f,%d\n", 1e8 + i / 20.0, i);
    close(file);
    snprintf(problem, sizeof problem,
             "data: %s\ntarget: y\ntest-fraction: 0\nprecision: double\nmetric: rmse\n", name);
    assert_true(harm_of(problem, "(x - 100000000) * 20", 1.0) == 0.0);
    /* beyond 38 or below -19 within 0.05 below the pole and 0.03 above it, of 0.95, and on the two
     * cases beside it */
    double harm = harm_of(problem, "1 / (x - 100000000 - 0.475)", 1.0);
    assert_true(harm > 19.0 * 19.0 * 0.08 && harm < 19.0 * 19.0 * 0.13);
    assert_true(harm_of(problem, "1 / (x - 99999992)", 1.0) == 0.0);
    unlink(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_scaled),  cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_doubles), cmocka_unit_test(test_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
