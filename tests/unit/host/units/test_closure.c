/* Dimensions and operations on the way to a target, counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/units/units.h"

/* Speed out of a length and a time: in two levels by one quotient alone; in three by six
 * operations, on dimensions that two levels reach. */
static void test_speed(void **state) {
    (void)state;
    static const uint8_t function[] = {GR_MUL, GR_DIV};
    gr_dimension input[2] = {{{2, 0}}, {{0, 2}}};
    gr_units units = {{"m", "s"}, 2, input, 2, {{2, -2}}};
    gr_closure_options options = {function, 2, 2, 0};
    gr_closure closure;
    gr_error error;
    assert_int_equal(gr_close_dimensions(&units, &options, &closure, &error), GR_OK);
    assert_int_equal(closure.dimensions, 3);
    assert_int_equal(closure.operations, 1);
    assert_int_equal(closure.operation[0].op, GR_DIV);
    assert_int_equal(closure.level[0], 2);
    gr_closure_free(&closure);
    options.depth = 3;
    assert_int_equal(gr_close_dimensions(&units, &options, &closure, &error), GR_OK);
    uint32_t count = closure.first[1] - closure.first[0];
    assert_int_equal(count, 6); /* m/s x 1, m/s, m.s / s^2, m^2 / m.s, m/s / 1, 1 / (s/m) */
    for (uint32_t k = 0; k < count; k++) {
        gr_typed_operation o = closure.operation[k];
        int sign = o.op == GR_MUL ? 1 : -1;
        for (int b = 0; b < 2; b++)
            assert_int_equal(closure.dimension[o.operand[0]].power[b] +
                                 sign * closure.dimension[o.operand[1]].power[b],
                             units.target.power[b]);
    }
    gr_closure_free(&closure);
}

/* Roots give whole powers, unless the units have halves; what cannot be made is told. */
static void test_roots(void **state) {
    (void)state;
    static const uint8_t function[] = {GR_SQRT};
    gr_dimension input[1] = {{{2}}};
    gr_units units = {{"m"}, 1, input, 1, {{1}}};
    gr_closure_options options = {function, 1, 0, 0};
    gr_closure closure;
    gr_error error;
    assert_int_equal(gr_close_dimensions(&units, &options, &closure, &error), GR_OK);
    assert_int_equal(closure.operations, 1);
    assert_int_equal(closure.depth, 3);
    gr_closure_free(&closure);
    units.target.power[0] = 0;
    assert_int_equal(gr_close_dimensions(&units, &options, &closure, &error), GR_BAD_INPUT);
    assert_null(closure.dimension);
}

/* A fifth power takes four levels: m x m^4, m^2 x m^2 and m x m where only what is soonest counts,
 * m^2 x m^3 and m x m^2 too where four levels were asked for. */
static void test_soonest(void **state) {
    (void)state;
    static const uint8_t function[] = {GR_MUL};
    gr_dimension input[1] = {{{2}}};
    gr_units units = {{"m"}, 1, input, 1, {{10}}};
    gr_closure_options options = {function, 1, 0, 0};
    gr_closure closure;
    gr_error error;
    assert_int_equal(gr_close_dimensions(&units, &options, &closure, &error), GR_OK);
    assert_int_equal(closure.depth, 4);
    assert_int_equal(closure.dimensions, 4);
    assert_int_equal(closure.operations, 3);
    gr_closure_free(&closure);
    options.depth = 4;
    assert_int_equal(gr_close_dimensions(&units, &options, &closure, &error), GR_OK);
    assert_int_equal(closure.dimensions, 5);
    assert_int_equal(closure.operations, 5);
    gr_closure_free(&closure);
}

/* Sums of a dimension and its products with numbers there are whatever levels are left; each
 * operation once. */
static void test_own(void **state) {
    (void)state;
    static const uint8_t function[] = {GR_ADD, GR_MUL, GR_DIV};
    gr_dimension input[2] = {{{2, 0}}, {{0, 2}}};
    gr_units units = {{"m", "s"}, 2, input, 2, {{2, -2}}};
    gr_closure_options options = {function, 3, 2, 1};
    gr_closure closure;
    gr_error error;
    assert_int_equal(gr_close_dimensions(&units, &options, &closure, &error), GR_OK);
    assert_int_equal(closure.first[1] - closure.first[0], 4); /* v + v, v x 1, m / s, v / 1 */
    for (uint32_t d = 0; d < closure.dimensions; d++) {
        assert_int_equal(closure.operation[closure.first[d]].op, GR_ADD);
        for (uint32_t k = closure.first[d] + 1; k < closure.first[d + 1]; k++)
            assert_memory_not_equal(&closure.operation[k - 1], &closure.operation[k],
                                    sizeof closure.operation[k]);
    }
    gr_closure_free(&closure);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_speed), cmocka_unit_test(test_roots),
                                       cmocka_unit_test(test_soonest), cmocka_unit_test(test_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
