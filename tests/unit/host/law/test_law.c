/* Laws: forms in double, numbers that people write, constants rounded, what is exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/law/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 120 };
static const char *const names[] = {"a", "b"};
static const gr_vocabulary vocabulary = {names, 2, 0, 0, 0, 0};

/* Training cases in 1 to 3, test cases in 3 to 5, of `formula` in float inputs. */
static gr_law_cases cases_of(double (*formula)(double, double)) {
    gr_law_cases c = {.inputs = 2, .cases = {CASES, CASES}, .outside = CASES};
    for (int which = 0; which < 2; which++) {
        c.x[which] = calloc(2 * CASES, sizeof(double));
        c.y[which] = calloc(CASES, sizeof(double));
        double mean = 0.0, squares = 0.0;
        for (int i = 0; i < CASES; i++) {
            double a = 1.0 + 2.0 * which + (i % 11) / 5.5,
                   b = 1.0 + 2.0 * which + (i * 7 % 13) / 6.5;
            c.x[which][i] = a, c.x[which][CASES + i] = b;
            c.y[which][i] = formula(a, b);
            mean += c.y[which][i] / CASES;
        }
        for (int i = 0; i < CASES; i++)
            squares += (c.y[which][i] - mean) * (c.y[which][i] - mean);
        c.deviation[which] = sqrt(squares / CASES);
    }
    return c;
}

static gr_law test_of(const char *text, double (*formula)(double, double), double intercept,
                      double slope) {
    gr_law_search *search = calloc(1, sizeof *search);
    double scaling[2] = {intercept, slope};
    gr_node *nodes;
    uint32_t count;
    gr_law law;
    gr_error error;
    assert_non_null(search);
    search->cases = cases_of(formula);
    assert_int_equal(gr_read_expression(text, "law", &vocabulary, &nodes, &count, &error), GR_OK);
    for (int again = 0; again < 2; again++) /* the second time it is passed over */
        assert_int_equal(gr_law_try(search, &vocabulary, nodes, count, scaling, &error), GR_OK);
    assert_true(search->seen_count == 1 && search->kept <= 1);
    assert_int_equal(gr_law_settle(search, &vocabulary, &error), GR_OK);
    law = search->best;
    search->best.text = NULL;
    free(nodes);
    gr_law_search_close(search);
    return law;
}

static void expect_nice(double value, double tolerance, const char *text) {
    gr_nice nice[GR_NICE];
    assert_true(gr_nice_near(value, tolerance, nice) > 0);
    assert_string_equal(nice[0].text, text);
    assert_true(fabs(nice[0].value - value) <= tolerance * fabs(value));
}

static void test_numbers(void **state) {
    (void)state;
    gr_nice nice[GR_NICE];
    expect_nice(0.5, 1e-9, "1/2");
    expect_nice(-7.0000001, 1e-6, "-7");
    expect_nice(M_PI, 1e-9, "pi");
    expect_nice(-M_PI, 1e-9, "-pi");
    expect_nice(0.75 * M_PI, 1e-9, "3*pi/4");
    expect_nice(1 / (4 * M_PI), 1e-9, "1/(4*pi)");
    expect_nice(1 / M_PI, 1e-9, "1/pi");
    expect_nice(2 * M_PI * M_PI, 1e-9, "2*pi**2");
    expect_nice(1 / sqrt(2 * M_PI), 1e-9, "1/sqrt(2*pi)");
    expect_nice(0.6673, 1e-6, "0.6673");
    assert_true(gr_nice_near(-4.8e-10, 1e-3, nice) > 1); /* it may be nothing at all */
    assert_string_equal(nice[0].text, "0");
    assert_int_equal(gr_nice_near(0.66734567, 1e-9, nice), 0);
    assert_int_equal(gr_nice_near(0.0, 1e-3, nice), 0);
    assert_int_equal(gr_nice_near((double)NAN, 1e-3, nice), 0);
}

static double energy(double a, double b) {
    return 0.5 * a * b * b;
}
static double wave(double a, double b) {
    return 3 * sin(M_PI * a / 4) / (b + 2);
}
static double odd(double a, double b) {
    return 0.12345678 * a + b;
}
static double cubic(double a, double b) {
    return a * a * a + 1e-3 * b;
}

static double power(double a, double b) {
    return 2.0 * a * sqrt(a) + b;
}
static double uneven(double a, double b) {
    return 1000.0 * a * a + 0.5 * b;
}

/* Constants that the run left rough come out as the law's; those that say the same twice become 1.
 */
static void test_exact(void **state) {
    (void)state;
    gr_law law = test_of("1.3 * (a * square(b)) / 2.7", energy, 1e-9, 1.0386);
    assert_true(law.exact && law.rounded);
    assert_string_equal(law.text, "a * square(b) * (1/2)");
    assert_true(law.rmse[0] < 1e-9 && law.rmse[1] < 1e-9);
    assert_int_equal(law.outside, CASES);
    gr_law_free(&law);
    law = test_of("square(b) * (a + 0.00002)", energy, 0.0, 0.5); /* a term that is not there */
    assert_true(law.exact);
    assert_string_equal(law.text, "square(b) * a * (1/2)");
    gr_law_free(&law);
    law = test_of("sin(0.7851 * a) / (b + 1.999)", wave, 0.0, 2.99);
    assert_true(law.exact);
    assert_non_null(strstr(law.text, "(pi/4)"));
    assert_non_null(strstr(law.text, "* 3"));
    gr_law_free(&law);
    law = test_of("2.1 * ppow2(a, 1.49) + b", power, 0.0, 1.0);
    if (!law.exact || !strstr(law.text, "3/2"))
        fail_msg("%s", law.text);
    gr_law_free(&law);
    /* a term so small that errors below the limit leave its constant anywhere */
    law = test_of("3.1 * (322 * square(a) + 0.2 * b)", uneven, 0.0, 1.0);
    assert_true(law.exact);
    if (!strstr(law.text, "(1/2)"))
        fail_msg("%s", law.text);
    gr_law_free(&law);
}

/* What is the same on all cases is a constant: a saturated tanh, a difference of equals, a quotient
 * by it. */
static void test_folded(void **state) {
    (void)state;
    gr_law law = test_of("tanh(9 * a + 9) * a * square(b)", energy, 0.0, 0.5);
    assert_true(law.exact);
    assert_string_equal(law.text, "a * square(b) * (1/2)");
    gr_law_free(&law);
    law = test_of("a * square(b) + a / (b / (a - a))", energy, 0.0, 0.5);
    assert_true(law.exact);
    assert_null(strstr(law.text, "a - a"));
    gr_law_free(&law);
    law = test_of("a * square(b) + 1 / (a - a)", energy, 0.0, 0.5); /* infinite throughout */
    assert_false(law.exact);
    gr_law_free(&law);
}

static double offset(double a, double b) {
    return 0.5 * a * b * b * (1.0 + 4e-6 * (b - 2.0));
}

/* Terms that rounding hides are left out, whatever they are; what floats would tell apart is not
 * exact. */
static void test_pruned(void **state) {
    (void)state;
    gr_law law = test_of("a * square(b) + b / (a * 3e9 + 1)", energy, 0.0, 0.5);
    assert_true(law.exact);
    assert_string_equal(law.text, "a * square(b) * (1/2)");
    gr_law_free(&law);
    law = test_of("a * square(b) * tanh(b * 4 + 5)", energy, 0.0, 0.5);
    assert_true(law.exact);
    assert_null(strstr(law.text, "tanh"));
    gr_law_free(&law);
    law = test_of("a * square(b)", offset, 0.0, 0.5);
    assert_false(law.exact);
    gr_law_free(&law);
}

/* A formula of another form is not exact, nor one whose constant nobody would write; far off there
 * is none at all. */
static void test_not_exact(void **state) {
    (void)state;
    gr_law law = test_of("0.1234 * a + b", odd, 0.0, 1.0);
    assert_false(law.exact || law.rounded);
    assert_non_null(strstr(law.text, "0.12345678"));
    gr_law_free(&law);
    law = test_of("cube(a)", cubic, 0.0, 1.0);
    assert_false(law.exact);
    gr_law_free(&law);
    law = test_of("sin(40 * b)", cubic, 0.0, 1.0);
    assert_null(law.text);
    law = test_of(
        "a+1.1*(b+1.2*(a+1.3*(b+1.4*(a+1.5*(b+1.6*(a+1.7*(b+1.8*(a+1.9*(b+2.1*(a+2.2*(b+2.3*"
        "(a+2.4*(b+2.5*(a+2.6*(b+2.7*(a+2.8*b))))))))))))))))",
        cubic, 0.0, 1.0);
    assert_null(law.text); /* 17 constants */
}

static gr_law made(const char *text, int exact, uint32_t nodes, double rmse) {
    gr_law law = {.text = strdup(text), .exact = exact, .nodes = nodes, .rmse = {rmse, rmse}};
    return law;
}

static void test_better(void **state) {
    (void)state;
    gr_law best = {.text = NULL}, next = made("first", 0, 9, 0.5);
    gr_law_keep(&best, &next);
    next = made("as good, larger", 0, 10, 0.49);
    gr_law_keep(&best, &next);
    assert_string_equal(best.text, "first");
    next = made("as good, smaller", 0, 5, 0.51);
    gr_law_keep(&best, &next);
    assert_string_equal(best.text, "as good, smaller");
    next = made("exact", 1, 30, 1e-9);
    gr_law_keep(&best, &next);
    next = made("near", 0, 3, 1e-10);
    gr_law_keep(&best, &next);
    next = made("exact, smaller", 1, 20, 1e-8);
    gr_law_keep(&best, &next);
    assert_string_equal(best.text, "exact, smaller");
    assert_null(next.text);
    gr_law_free(&best);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_exact),
        cmocka_unit_test(test_folded),    cmocka_unit_test(test_pruned),
        cmocka_unit_test(test_not_exact), cmocka_unit_test(test_better)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
