/* host/base/sort.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/base/sort.h"

#include <math.h>

/* Differences that vanish as an int, infinities, both zeros and equal values. */
static void test_floats(void **state) {
    (void)state;
    float values[] = {0.25f, -INFINITY, 3e38f, 0.5f, -0.0f, 0.25f, INFINITY, -3e38f, 0.0f};
    const float sorted[] = {-INFINITY, -3e38f, 0.0f, 0.0f, 0.25f, 0.25f, 0.5f, 3e38f, INFINITY};
    gr_sort_floats(values, 9);
    for (int i = 0; i < 9; i++)
        assert_true(values[i] == sorted[i]);
}

static void test_doubles(void **state) {
    (void)state;
    double values[] = {1.0 + 0x1p-50, 1.0, 1e300, -1e-300, 0.0};
    const double sorted[] = {-1e-300, 0.0, 1.0, 1.0 + 0x1p-50, 1e300};
    gr_sort_doubles(values, 5);
    for (int i = 0; i < 5; i++)
        assert_true(values[i] == sorted[i]);
    gr_sort_doubles(values, 0);
    assert_true(values[0] == -1e-300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
