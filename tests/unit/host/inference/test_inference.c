/* Statistics against scipy and statsmodels (tests/golden/inference.h), and what they have no value
 * for against its definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/inference/inference.h"
#include "host/inference/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/golden/inference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_near(double value, double expected, double room) {
    if (isnan(expected) || isinf(expected))
        assert_true(isnan(expected) ? isnan(value) : value == expected);
    else if (!(fabs(value - expected) <= room * fmax(1.0, fabs(expected))))
        fail_msg("%.17g; expected %.17g", value, expected);
}

static void wilson_is_that_of_statsmodels(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(wilson); i++) {
        gr_interval w = gr_wilson(wilson[i].successes, wilson[i].n);
        assert_near(w.low, wilson[i].low, 1e-12);
        assert_near(w.high, wilson[i].high, 1e-12);
    }
}

static void mann_whitney_is_that_of_scipy(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(mann_whitney); i++) {
        gr_mann_whitney test;
        assert_true(gr_mann_whitney_test(mann_whitney[i].a, mann_whitney[i].n_a, mann_whitney[i].b,
                                         mann_whitney[i].n_b, &test));
        assert_near(test.u, mann_whitney[i].u, 0.0);
        assert_near(test.lower, mann_whitney[i].lower, 1e-12);
        assert_near(test.p, mann_whitney[i].p, 1e-11);
    }
}

/* The exact test of 8 against 20 000 would take half a minute; p is scipy's asymptotic one. */
static void a_few_against_many(void **state) {
    (void)state;
    static double a[8], b[20000];
    gr_mann_whitney test;
    for (int i = 0; i < 8; i++)
        a[i] = 0.5 + 900.0 * i;
    for (int i = 0; i < 20000; i++)
        b[i] = i;
    assert_true(gr_mann_whitney_test(a, 8, b, 20000, &test));
    assert_near(test.u, 25208.0, 0.0);
    assert_near(test.p, 0.0007950115416547685, 1e-11);
}

static void groups_of_one_value_do_not_differ(void **state) {
    (void)state;
    const double a[20] = {0}, b[20] = {0};
    gr_mann_whitney test;
    assert_true(gr_mann_whitney_test(a, 20, b, 20, &test));
    assert_near(test.p, 1.0, 0.0);
    assert_near(test.lower, 0.5, 0.0);
}

static void fisher_is_that_of_scipy(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(fisher); i++) {
        double odds, p = gr_fisher_test(fisher[i].solved_a, fisher[i].n_a, fisher[i].solved_b,
                                        fisher[i].n_b, &odds);
        assert_near(p, fisher[i].p, 1e-10);
        assert_near(odds, fisher[i].odds, 1e-12);
    }
}

static void friedman_is_that_of_scipy(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(friedman); i++) {
        double rank[5];
        gr_friedman test;
        assert_true(gr_friedman_test(friedman[i].value, friedman[i].n, friedman[i].k, rank, &test));
        for (uint32_t j = 0; j < friedman[i].k; j++)
            assert_near(rank[j], friedman[i].rank[j], 1e-12);
        assert_near(test.chi2, friedman[i].chi2, 1e-10);
        assert_near(test.p, friedman[i].p, 1e-10);
        assert_near(test.f, friedman[i].f, 1e-9);
        assert_near(test.p_f, friedman[i].p_f, 1e-10);
    }
}

/* Two blocks of two treatments agree as often as not: no F says more. */
static void few_blocks_that_agree_say_little(void **state) {
    static const double value[] = {2.0, 1.0, 8.0, 5.0};
    double rank[2];
    gr_friedman test;
    (void)state;
    assert_true(gr_friedman_test(value, 2, 2, rank, &test));
    assert_true(rank[0] == 2.0 && rank[1] == 1.0 && isinf(test.f));
    assert_near(test.p_f, 0.5, 1e-12);
}

/* García and Herrera 2008: z of two mean ranks. */
static void ranks_are_compared(void **state) {
    (void)state;
    double p, z = gr_rank_z(2.0, 3.0, 24, 3, &p); /* sqrt(3 4 / (6 24)) = 0.28867513 */
    assert_near(z, -sqrt(12.0), 1e-12);
    assert_near(p, 0.000532005505, 1e-9);
}

static void corrections_are_as_defined(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(corrections); i++) {
        double corrected[45];
        assert_true(gr_holm(corrections[i].p, corrections[i].count, corrected));
        for (uint32_t j = 0; j < corrections[i].count; j++)
            assert_near(corrected[j], corrections[i].holm[j], 1e-12);
        assert_true(gr_shaffer(corrections[i].p, corrections[i].k, corrected));
        for (uint32_t j = 0; j < corrections[i].count; j++)
            assert_near(corrected[j], corrections[i].shaffer[j], 1e-12);
    }
    assert_true(gr_holm(NULL, 0, NULL));
}

/* Augusto and Barbosa 2013, Tables A.7 to A.10: mean ranks of ten instances over 36 cells, given
 * with one digit, and how many of the 45 pairs differ at 0.05. */
static void pairs_are_gpocls(void **state) {
    (void)state;
    static const struct {
        double rank[10];
        int differ;
    } tables[] = {{{8.0, 4.4, 9.5, 6.3, 3.2, 6.4, 1.0, 5.2, 8.2, 2.7}, 27},
                  {{7.8, 4.2, 9.2, 5.5, 3.4, 7.1, 1.0, 5.5, 8.6, 2.7}, 28}};
    for (size_t t = 0; t < COUNT(tables); t++) {
        double p[45], corrected[45];
        int differ = 0, at = 0;
        for (int a = 0; a < 10; a++)
            for (int b = a + 1; b < 10; b++)
                gr_rank_z(tables[t].rank[a], tables[t].rank[b], 36, 10, &p[at++]);
        assert_true(gr_shaffer(p, 10, corrected));
        for (int i = 0; i < 45; i++)
            differ += corrected[i] < 0.05;
        assert_int_equal(differ, tables[t].differ);
    }
}

static void medians_have_the_bootstrap_of_all_samples(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(bootstraps); i++) {
        gr_bootstrap *b = gr_bootstrap_open(bootstraps[i].n);
        assert_non_null(b);
        gr_interval m = gr_bootstrap_median(b, bootstraps[i].value);
        assert_near(m.low, bootstraps[i].low, bootstraps[i].room);
        assert_near(m.high, bootstraps[i].high, bootstraps[i].room);
        gr_bootstrap_close(b);
    }
}

static void a_median_of_infinities_is_one(void **state) {
    (void)state;
    const double values[4] = {1.0, 2.0, (double)INFINITY, (double)INFINITY};
    gr_bootstrap *b = gr_bootstrap_open(4);
    gr_interval m = gr_bootstrap_median(b, values);
    assert_near(m.low, 1.0, 0.0);
    assert_near(m.high, (double)INFINITY, 0.0);
    gr_bootstrap_close(b);
}

static void effort_is_kozas(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(koza); i++)
        assert_int_equal(gr_koza_runs(koza[i].successes, koza[i].n, 0.99), koza[i].runs);
}

/* Of random differences: a letter in common exactly where two do not differ. */
static void letters_are_shared_where_nothing_differs(void **state) {
    (void)state;
    enum { MOST = 9 };
    uint32_t random = 1;
    for (int round = 0; round < 300; round++) {
        uint32_t k = 1 + (uint32_t)round % MOST;
        uint8_t differs[MOST * MOST] = {0};
        char letters[MOST][GR_LETTERS];
        for (uint32_t a = 0; a < k; a++)
            for (uint32_t b = a + 1; b < k; b++) {
                random = random * 1664525u + 1013904223u;
                differs[a * k + b] = differs[b * k + a] = (random >> 20) % 3 == 0;
            }
        assert_true(gr_letters(differs, k, letters));
        assert_int_equal(letters[0][0], 'a');
        for (uint32_t a = 0; a < k; a++)
            for (uint32_t b = a + 1; b < k; b++)
                assert_int_equal(strpbrk(letters[a], letters[b]) == NULL, differs[a * k + b]);
    }
}

/* 0.1 thirty times: the mean is rounded, and no value deviates from it for that. */
static void equal_values_do_not_deviate(void **state) {
    (void)state;
    double value[30], scratch[30];
    gr_medians medians = {0};
    gr_measure m;
    for (int i = 0; i < 30; i++)
        value[i] = 0.1;
    assert_true(gr_measure_of(value, 30, scratch, &medians, &m));
    assert_true(fabs(m.deviation) <= 0.0);
    value[7] = 0.4; /* squares of 0.29 once and 0.01 else, over 29 */
    assert_true(gr_measure_of(value, 30, scratch, &medians, &m));
    assert_true(fabs(m.deviation - sqrt((0.29 * 0.29 + 29.0 * 0.01 * 0.01) / 29.0)) < 1e-15);
    assert_true(gr_measure_of(value, 1, scratch, &medians, &m));
    assert_true(isnan(m.deviation));
    gr_medians_free(&medians);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_is_that_of_statsmodels),
        cmocka_unit_test(mann_whitney_is_that_of_scipy),
        cmocka_unit_test(a_few_against_many),
        cmocka_unit_test(groups_of_one_value_do_not_differ),
        cmocka_unit_test(fisher_is_that_of_scipy),
        cmocka_unit_test(friedman_is_that_of_scipy),
        cmocka_unit_test(few_blocks_that_agree_say_little),
        cmocka_unit_test(ranks_are_compared),
        cmocka_unit_test(corrections_are_as_defined),
        cmocka_unit_test(pairs_are_gpocls),
        cmocka_unit_test(medians_have_the_bootstrap_of_all_samples),
        cmocka_unit_test(a_median_of_infinities_is_one),
        cmocka_unit_test(effort_is_kozas),
        cmocka_unit_test(letters_are_shared_where_nothing_differs),
        cmocka_unit_test(equal_values_do_not_deviate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
