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
    gr_law law;
    gr_error error;
    assert_non_null(search);
    search->cases = cases_of(formula);
    for (int again = 0; again < 2; again++) /* the second time it is passed over */
        assert_int_equal(gr_law_try(search, &vocabulary, text, scaling, &error), GR_OK);
    assert_true(search->seen_count == 1 && search->kept <= 1);
    assert_int_equal(gr_law_settle(search, &vocabulary, &error), GR_OK);
    law = search->best;
    search->best.text = NULL;
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
    expect_nice(3 * sqrt(2.0), 1e-9, "3*sqrt(2)");
    expect_nice(sqrt(2 * M_PI) / 2, 1e-9, "sqrt(2*pi)/2");
    expect_nice(sqrt(M_PI), 1e-9, "sqrt(pi)");
    expect_nice(-5 / sqrt(M_PI), 1e-9, "-5/sqrt(pi)");
    expect_nice(1 / (3 * M_PI * M_PI), 1e-9, "1/(3*pi**2)");
    expect_nice(199.0 / 32.0, 1e-9, "199/32");
    assert_int_equal(gr_nice_near(201.0 / 32.0, 1e-9, nice), 0);
    assert_int_equal(gr_nice_near(1.0 / 33.0, 1e-9, nice), 0);
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

static double lifted(double a, double b) {
    return 100000.0 + a + 0.001 * (b - 1.923);
}

/* Beside a large offset floats leave less of a term than an error may be of the size of the target.
 */
static void test_offset(void **state) {
    (void)state;
    gr_law law = test_of("a + 100000", lifted, 0.0, 1.0);
    assert_true(law.rounded && law.rmse[0] < 3e-7 * 100000 && law.rmse[0] > 1e-4);
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

static gr_law made(const char *text, int exact, uint32_t nodes, double length) {
    gr_law law = {.text = strdup(text), .exact = exact, .nodes = nodes, .length = length};
    return law;
}

static void test_better(void **state) {
    (void)state;
    gr_law best = {.text = NULL}, next = made("first", 0, 9, -20.0);
    gr_law_keep(&best, &next);
    next = made("smaller, says more", 0, 5, -19.0);
    gr_law_keep(&best, &next);
    assert_string_equal(best.text, "first");
    next = made("says less", 0, 10, -21.0);
    gr_law_keep(&best, &next);
    assert_string_equal(best.text, "says less");
    next = made("exact", 1, 30, 5.0);
    gr_law_keep(&best, &next);
    next = made("near", 0, 3, -30.0);
    gr_law_keep(&best, &next);
    next = made("exact, smaller", 1, 20, 6.0);
    gr_law_keep(&best, &next);
    assert_string_equal(best.text, "exact, smaller");
    assert_null(next.text);
    gr_law_free(&best);
}

/* ---- noise ---- */

static double lorentz(double a, double b) {
    return a / sqrt(1.0 - b * b / 25.0);
}
static double dipole(double a, double b) {
    return 3.0 * sin(2.0 * a) / (8.0 * M_PI * b) + 2.0 * a;
}

/* 1000 training cases in 1 to 2.5, with normal noise of 0.01 of the deviation. */
static gr_law_cases noisy_cases_of(double (*formula)(double, double)) {
    enum { NOISY = 1000 };
    gr_law_cases c = {.inputs = 2, .cases = {NOISY, 0}};
    uint64_t state = 12345;
    double mean = 0.0, squares = 0.0;
    c.x[0] = calloc(2 * NOISY, sizeof(double));
    c.y[0] = calloc(NOISY, sizeof(double));
    for (int i = 0; i < NOISY; i++) {
        double sum = -6.0; /* of twelve uniform numbers */
        for (int k = 0; k < 14; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            double uniform = (double)(state >> 11) * 0x1p-53;
            if (k < 2)
                c.x[0][k * NOISY + i] = 1.0 + 1.5 * uniform;
            else
                sum += uniform;
        }
        double y = formula(c.x[0][i], c.x[0][NOISY + i]);
        mean += y / NOISY;
        squares += y * y / NOISY;
        c.y[0][i] = sum;
    }
    c.deviation[0] = sqrt(squares - mean * mean);
    for (int i = 0; i < NOISY; i++)
        c.y[0][i] = formula(c.x[0][i], c.x[0][NOISY + i]) + 0.01 * c.deviation[0] * c.y[0][i];
    return c;
}

static gr_law best_of(double (*formula)(double, double), const char *const *texts, int count) {
    gr_law_search *search = calloc(1, sizeof *search);
    const double scaling[2] = {0.0, 1.0};
    assert_non_null(search);
    search->cases = noisy_cases_of(formula);
    for (int k = 0; k < count; k++) {
        gr_error error;
        assert_int_equal(gr_law_try(search, &vocabulary, texts[k], scaling, &error), GR_OK);
    }
    gr_error error;
    assert_int_equal(gr_law_settle(search, &vocabulary, &error), GR_OK);
    gr_law law = search->best;
    search->best.text = NULL;
    gr_law_search_close(search);
    return law;
}

/* A law of which a smaller formula errs by a twentieth more, which of 1000 cases is far too much,
 * and a larger one by a little less, which is too little. All of its constants are rounded, though
 * all of them together may be off by what the noise makes each. */
static void test_noise(void **state) {
    (void)state;
    static const char *const lorentzes[] = {
        "a / cos(0.21 * b)", "a / sqrt(1.01 - 0.0402 * square(b))",
        "a / sqrt(1.01 - 0.0402 * square(b)) + 0.001 * sin(9.0 * a + 3.0) + 0.002 * cos(7.0 * b)"};
    static const char *const dipoles[] = {
        "0.119 * sin(2.01 * a + 0.003) / (b + 0.001) + 1.999 * a"};
    gr_law law = best_of(lorentz, lorentzes, 3);
    if (!strstr(law.text, "sqrt(") || strstr(law.text, "sin(") || strstr(law.text, "cos("))
        fail_msg("%s", law.text);
    assert_true(law.rounded && !law.exact);
    assert_true(law.rmse[0] > 0.0095 * law.deviation[0] && law.rmse[0] < 0.0105 * law.deviation[0]);
    gr_law_free(&law);
    law = best_of(dipole, dipoles, 1);
    assert_true(law.rounded);
    assert_string_equal(law.text, "(3/(8*pi)) * sin(2 * a) / (b + 0) + 2 * a");
    gr_law_free(&law);
}

static void test_length(void **state) {
    (void)state;
    uint8_t op[] = {GR_INPUT, GR_CONSTANT, GR_MUL, GR_CONSTANT, GR_ADD};
    uint32_t operand[] = {1, 0, 0, 1, 0};
    gr_law_form f = {.op = op, .operand = operand, .count = 5, .constants = 2};
    double both_free = 100.0 * log(0.5) + 5.0 * log(4.0) + 2.0 * 0.5 * log(100.0);
    assert_true(fabs(gr_form_length(&f, 0.5, 1e-9, 100) - both_free) < 1e-9);
    assert_true(fabs(gr_form_length(&f, 1e-12, 0.5, 100) - both_free) < 1e-9);
    f.fixed[1] = 1, f.cost[1] = 6.0;
    double rounded = gr_form_length(&f, 0.5, 1e-9, 100);
    assert_true(fabs(rounded - (both_free - 0.5 * log(100.0) + log(7.0))) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_folded),  cmocka_unit_test(test_pruned),
        cmocka_unit_test(test_offset),  cmocka_unit_test(test_not_exact),
        cmocka_unit_test(test_better),  cmocka_unit_test(test_noise),
        cmocka_unit_test(test_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
