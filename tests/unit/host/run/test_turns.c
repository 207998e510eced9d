/* host/run/turns.c: how often the angles of a program go round over the cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/runs.h"

#include "host/run/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char common[] = "genotype: tree\nfunctions: +, -, *, /, sin, cos, tan, exp, log\n"
                             "runs: 1\ngenerations: 1\npopulation: 10\ndevice: cpu\n";
static const double whole = 6.283185307179586;

static double look(const char *problem, const char *infix) {
    gr_settings settings;
    gr_error error = {GR_OK, ""};
    char text[96];
    double found = -1.0;
    snprintf(text, sizeof text, "%s", infix);
    gr_best best = {.infix = *infix ? text : NULL, .slope = 1.0};
    gr_run *run = open_run_of(common, problem, &settings);
    if (gr_turns_look(gr_run_problem(run), &best, &found, &error))
        fail_msg("%s", error.text);
    gr_run_close(run);
    gr_settings_free(&settings);
    return found;
}

static void assert_near(double found, double expected) {
    if (!(fabs(found - expected) < 1e-5 * (1.0 + expected)))
        fail_msg("%.9g; expected %.9g", found, expected);
}

/* 64 cases from 10 on, the last at 13.9375. */
#define LINE "variables: x = grid(10, 13.9375, 0.0625)\ntarget-expression: x\n"

static void test_one_angle(void **state) {
    (void)state;
    assert_near(look(LINE, "sin(x)"), log1p(3.9375 / whole));
    assert_near(look(LINE, "1 + x * cos(x * 150 + 7)"), log1p(150.0 * 3.9375 / whole));
    assert_near(look(LINE, "tan(3 - x * x)"), log1p((13.9375 * 13.9375 - 100.0) / whole));
    assert_true(look(LINE, "x * x + exp(x) / log(x)") == 0.0); /* there is none */
    assert_true(look(LINE, "sin(1000)") == 0.0);               /* nor does it go round */
    assert_true(look(LINE, "") == 0.0);                        /* invalid */
}

/* Each counts; the angle of a sine of a sine is at most two, a third of a turn. */
static void test_several(void **state) {
    (void)state;
    double first = log1p(9.0 * 3.9375 / whole), second = log1p(3.9375 / whole);
    assert_near(look(LINE, "sin(9 * x) + cos(x)"), first + second);
    assert_near(look(LINE, "cos(x) / (x - sin(9 * x))"), first + second);
    double inner = look(LINE, "sin(40 * x)"), both = look(LINE, "sin(sin(40 * x))");
    assert_true(both > inner + log1p(1.9 / whole) && both < inner + log1p(2.0 / whole) + 1e-6);
}

static void test_values_that_are_none(void **state) {
    (void)state;
    static const char around[] = "variables: x = grid(-4, 4, 1)\ntarget-expression: x\n";
    /* log has values for 1 to 4, and minus infinity for 0 */
    assert_near(look(around, "sin(100 * log(x))"), log1p(100.0 * log(4.0) / whole));
    assert_true(look(around, "sin(log(0 - 5 - x * x))") == 0.0); /* nowhere */
    static const char one[] = "variables: x = grid(3, 3, 1)\ntarget-expression: x\n";
    assert_true(look(one, "sin(100 * x)") == 0.0);
}

/* More cases than a chunk holds, and doubles. */
static void test_sizes(void **state) {
    (void)state;
    static const char many[] = "variables: x = grid(0, 4999, 1)\ntarget-expression: x\n";
    char name[] = "/tmp/turns-XXXXXX", doubles[128];
    int file = mkstemp(name);
    assert_near(look(many, "sin(x)"), log1p(4999.0 / whole));
    assert_true(file >= 0);
    dprintf(file, "x,y\n");
    for (int i = 0; i < 5000; i++)
        dprintf(file, "%d,%d\n", i, i % 7);
    close(file);
    snprintf(doubles, sizeof doubles, "precision: double\ndata: %s\ntarget: y\ntest-fraction: 0\n",
             name);
    assert_near(look(doubles, "sin(x)"), log1p(4999.0 / whole));
    unlink(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_angle),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_values_that_are_none),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
