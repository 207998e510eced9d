/* host/bench/scale.c: the exponent of growth. Sweeps themselves: e2e/bench.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/bench/bench.h"

#include <math.h>
#include <string.h>

static void test_growth(void **state) {
    (void)state;
    double size[5], seconds[5];
    for (int k = 0; k < 5; k++) {
        size[k] = pow(10.0, k);
        seconds[k] = 3e-6 * pow(size[k], 1.25);
    }
    assert_true(fabs(gr_growth(size, seconds, 5) - 1.25) < 1e-12);
    assert_true(fabs(gr_growth(size + 3, seconds + 3, 2) - 1.25) < 1e-12);
    seconds[0] *= 10.0; /* slope -1/5 of a decade: sum of (x - mean) dy / sum of squares */
    assert_true(fabs(gr_growth(size, seconds, 5) - (1.25 - 2.0 / 10.0)) < 1e-12);
    assert_true(isnan(gr_growth(size, seconds, 1)) && isnan(gr_growth(size, seconds, 0)));
}

static void test_rows(void **state) {
    (void)state;
    int count = 0;
    for (; gr_scale_row(count); count++)
        assert_int_equal(strncmp(gr_scale_row(count), "scale-", 6), 0);
    assert_int_equal(count, 7);
    assert_null(gr_scale_row(-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
