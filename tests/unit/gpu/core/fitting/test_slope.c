/* gpu/core/fitting/slope.h: every operation on floats has its line, and what the lines give at a
 * point. That they are the derivatives is shown by tests/property/slopes.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitting/slope.h"
#include "tests/core.h"

static void test_complete(void **state) {
    (void)state;
    uint8_t arity[GR_OP_COUNT] = {0};
#define GR_SLOPE1(id, da) arity[GR_##id] += 1;
#define GR_SLOPE2(id, da, db) arity[GR_##id] += 2;
#define GR_SLOPE3(id, da, db, dc) arity[GR_##id] += 3;
#include "gpu/core/fitting/slopes.def"
    for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
        assert_int_equal(arity[op], gr_is_word(op) ? 0 : gr_arity(op));
}

static void test_values(void **state) {
    (void)state;
    float d[3];
    gr_slopes(GR_MUL, 3.0f, 5.0f, 15.0f, d);
    assert_true(d[0] == 5.0f && d[1] == 3.0f && d[2] == 0.0f);
    gr_slopes(GR_DIV, 3.0f, 4.0f, 0.75f, d);
    assert_true(d[0] == 0.25f && d[1] == -0.1875f);
    gr_slopes(GR_IF, 0.0f, 7.0f, 9.0f, d);
    assert_true(d[0] == 0.0f && d[1] == 0.0f && d[2] == 1.0f);
    gr_slopes(GR_SIN, 1e6f, 0.0f, 0.5f, d); /* an angle known to no better than 0.06 */
    assert_true(d[0] == 0.0f);
    gr_slopes(GR_PDIV, 3.0f, 0.0f, 1.0f, d);
    assert_true(d[0] == 0.0f && d[1] == 0.0f);
}

/* Where operands are negative or 0: a sign is that of the derivative, by hand. */
static void test_signs(void **state) {
    (void)state;
    float d[3];
    gr_slopes(GR_PLOG, -3.0f, 0.0f, 1.3862944f, d); /* log(1 + 3) falls towards 0 */
    assert_true(d[0] == -0.25f);
    gr_slopes(GR_PSQRT, -4.0f, 0.0f, 2.0f, d);
    assert_true(d[0] == -0.25f);
    gr_slopes(GR_PSQRT2, -4.0f, 0.0f, -2.0f, d);
    assert_true(d[0] == 0.25f);
    gr_slopes(GR_PPOW, -2.0f, 3.0f, 8.0f, d); /* |a|^3: -3 a^2, and 8 log 2 */
    assert_true(fabsf(d[0] + 12.0f) < 1e-5f && fabsf(d[1] - 5.5451775f) < 1e-5f);
    gr_slopes(GR_PPOW2, -2.0f, 3.0f, -8.0f, d); /* -|a|^3 */
    assert_true(fabsf(d[0] - 12.0f) < 1e-5f && fabsf(d[1] + 5.5451775f) < 1e-5f);
    gr_slopes(GR_PPOW, 0.0f, 3.0f, 0.0f, d);
    assert_true(d[0] == 0.0f && d[1] == 0.0f);
    gr_slopes(GR_RLOG, -2.0f, 0.0f, 0.6931472f, d);
    assert_true(d[0] == -0.5f);
    gr_slopes(GR_CBRT, -8.0f, 0.0f, -2.0f, d); /* 1 / (3 * 4) */
    assert_true(fabsf(d[0] - 1.0f / 12.0f) < 1e-7f);
    gr_slopes(GR_GLOG, -0.001f, 0.0f, 0.0f, d); /* flat up to gplearn's border */
    assert_true(d[0] == 0.0f);
    gr_slopes(GR_ABS, -0.0f, 0.0f, 0.0f, d);
    assert_true(d[0] == 0.0f);
}

static void test_usable(void **state) {
    (void)state;
    assert_true(gr_usable_slope(-2.0f) == -2.0f);
    assert_true(gr_usable_slope(GR_NAN) == 0.0f && gr_usable_slope(-GR_INFINITY) == 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_complete),
                                       cmocka_unit_test(test_values), cmocka_unit_test(test_usable),
                                       cmocka_unit_test(test_signs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
