/* host/problem/shown_fitness.h */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/base/params.h"
#include "host/problem/shown_fitness.h"

#include <math.h>

static void test_signs(void **state) {
    (void)state;
    const double infinity = (double)INFINITY;
    assert_true(gr_fitness_of(GR_METRIC_MSE, 2.5) == 2.5);
    assert_true(gr_fitness_of(GR_METRIC_HITS, -20.0) == 20.0);
    assert_true(gr_cost_of(GR_METRIC_HITS, 20.0) == -20.0);
    assert_true(gr_fitness_of(GR_METRIC_MSE, infinity) == infinity);
    assert_true(gr_fitness_of(GR_METRIC_R2, infinity) == -infinity);
}

/* A reader sees neither "-0" nor "-nan". */
static void test_no_negative_zero(void **state) {
    (void)state;
    const uint32_t metrics[] = {GR_METRIC_MAE, GR_METRIC_R2};
    for (int m = 0; m < 2; m++) {
        assert_false(signbit(gr_fitness_of(metrics[m], 0.0)));
        assert_false(signbit(gr_fitness_of(metrics[m], -0.0)));
        assert_false(signbit(gr_fitness_of(metrics[m], fabs((double)NAN))));
    }
}

static void test_better(void **state) {
    (void)state;
    assert_true(gr_is_better(GR_METRIC_SAE, 1.0, 2.0));
    assert_false(gr_is_better(GR_METRIC_SAE, 2.0, 1.0));
    assert_true(gr_is_better(GR_METRIC_F1, 0.9, 0.8));
    assert_false(gr_is_better(GR_METRIC_F1, 0.8, 0.9));
    assert_false(gr_is_better(GR_METRIC_F1, 0.8, 0.8));
    assert_true(gr_is_better(GR_METRIC_F1, 0.0, -(double)INFINITY));
    assert_false(gr_is_better(GR_METRIC_MSE, (double)NAN, 1.0) ||
                 gr_is_better(GR_METRIC_MSE, 1.0, (double)NAN));
}

/* A run stops where its best is its target as a float, on whichever side of it as a double. */
static void test_at_target(void **state) {
    (void)state;
    const double tenth = (double)0.1f, more = (double)0.9f, next = (double)nextafterf(0.1f, 1.0f);
    assert_true(gr_is_at_target(GR_METRIC_MAE, tenth, 0.1) && tenth > 0.1);
    assert_true(gr_is_at_target(GR_METRIC_F1, more, 0.9) && more < 0.9);
    assert_true(gr_is_at_target(GR_METRIC_MAE, 0.0, 0.0));
    assert_false(gr_is_at_target(GR_METRIC_MAE, next, 0.1));
    assert_false(gr_is_at_target(GR_METRIC_F1, (double)nextafterf(0.9f, 0.0f), 0.9));
    assert_false(gr_is_at_target(GR_METRIC_MAE, 0.0, (double)NAN));
    assert_false(gr_is_at_target(GR_METRIC_MAE, (double)NAN, 1.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_no_negative_zero),
        cmocka_unit_test(test_better),
        cmocka_unit_test(test_at_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
