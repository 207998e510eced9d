/* host/base/spread.h against a sorted copy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/base/sort.h"
#include "host/base/spread.h"

#include <math.h>
#include <string.h>

enum { MOST = 5000 };

/* Quantile k/4 of sorted values as numpy has it. */
static double quartile(const double *sorted, size_t n, int k) {
    double at = 0.25 * k * (double)(n - 1);
    size_t i = (size_t)at;
    double above = i + 1 < n ? sorted[i + 1] : sorted[i];
    double part = at - (double)i;
    return part == 0.0 || sorted[i] == above || isinf(sorted[i])
               ? sorted[i]
               : sorted[i] + part * (above - sorted[i]);
}

static void check(const double *values, size_t n) {
    static double sorted[MOST], given[MOST];
    double sum = 0.0;
    memcpy(sorted, values, n * sizeof *values);
    memcpy(given, values, n * sizeof *values);
    gr_sort_doubles(sorted, n);
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    gr_spread s = gr_spread_of(given, n);
    assert_true(s.least == sorted[0] && s.most == sorted[n - 1]);
    assert_true(s.mean == sum / (double)n || isnan(sum));
    for (int k = 1; k < 4; k++)
        if (s.quartile[k - 1] != quartile(sorted, n, k))
            fail_msg("quartile %d of %zu is %.17g instead of %.17g", k, n, s.quartile[k - 1],
                     quartile(sorted, n, k));
}

/* Every length up to some hundred and some longer ones; few and many different values, rising,
 * falling, all the same. */
static void test_against_sort(void **state) {
    (void)state;
    static double values[MOST];
    uint32_t word = 1;
    for (size_t n = 1; n <= MOST; n += n < 200 ? 1 : 397)
        for (uint32_t kind = 0; kind < 7; kind++) {
            static const uint32_t different[] = {1, 2, 3, 100, 1u << 31};
            for (size_t i = 0; i < n; i++) {
                word = word * 1664525u + 1013904223u;
                values[i] = kind < 5 ? (double)(word >> 1) - 1e9 : (double)i;
                if (kind < 5)
                    values[i] = fmod(values[i], different[kind]);
                if (kind == 6)
                    values[i] = -values[i];
            }
            check(values, n);
        }
}

static void test_infinities(void **state) {
    (void)state;
    double values[40];
    for (int i = 0; i < 40; i++)
        values[i] = i < 11 ? (double)i : (double)INFINITY;
    check(values, 40);
    check(values + 8, 6);
    gr_spread s = gr_spread_of(values, 40);
    assert_true(s.quartile[0] == 9.75 && isinf(s.quartile[1]) && isinf(s.mean));
}

static void test_none(void **state) {
    (void)state;
    double value = 7.0;
    gr_spread s = gr_spread_of(&value, 0);
    assert_true(isnan(s.mean) && isnan(s.least) && isnan(s.quartile[1]) && isnan(s.most));
    s = gr_spread_of(&value, 1);
    assert_true(s.mean == 7.0 && s.least == 7.0 && s.quartile[2] == 7.0 && s.most == 7.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_sort),
        cmocka_unit_test(test_infinities),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
