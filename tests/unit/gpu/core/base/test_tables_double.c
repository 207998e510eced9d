/* The tables of elementary functions over doubles, anew by the C library's functions over long
 * doubles, whose error is some 2^-64. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/base/math_double.h"

/* A value and a rest of 21 bits give what is true to 2^-73 of it, which is beyond the truth here.
 */
static void check_pair(double value, double rest, long double truth) {
    assert_true(value == (double)truth);
    assert_true(fabsl(((long double)value + rest) - truth) <= 0x1p-63L * fabsl(truth));
    assert_int_equal(gr_double_bits(rest) & 0xffffffffu, 0);
}

static void test_powers(void **state) {
    (void)state;
    for (int k = 0; k < GR_ENTRIES_D; k++)
        check_pair(gr_table_d.power[k], gr_table_d.power_rest[k], exp2l((long double)k / 32));
}

static void test_sines(void **state) {
    (void)state;
    for (int k = 0; k < GR_ENTRIES_D; k++) {
        int low = k % 16 < 8 ? k % 16 : 16 - k % 16; /* where the angle's rounding is nothing */
        long double truth = sinl((long double)low * 0xc.90fdaa22168c235p-6L); /* pi / 16 */
        check_pair(gr_table_d.sine[k], gr_table_d.sine_rest[k], k < 16 ? truth : -truth);
    }
}

/* Intervals touch one another from 11/16 to its double; 1 over their entry stands in their midst.
 */
static void test_logarithms(void **state) {
    (void)state;
    uint64_t width = 1ull << 47;
    assert_true(gr_bits_double(GR_LOG_LOWEST_D + GR_ENTRIES_D * width) ==
                2.0 * gr_bits_double(GR_LOG_LOWEST_D));
    for (uint64_t k = 0; k < GR_ENTRIES_D; k++) {
        double first = gr_bits_double(GR_LOG_LOWEST_D + k * width);
        double last = gr_bits_double(GR_LOG_LOWEST_D + (k + 1) * width);
        double inverse = gr_table_d.inverse[k], log = gr_table_d.log[k];
        assert_true(log * 0x1p42 == rint(log * 0x1p42));
        assert_true(fabsl(log + logl((long double)inverse)) <= 0x1p-63L);
        if (first == 1.0 || last == 1.0)
            assert_true(inverse == 1.0);
        else
            assert_true(fabs(0.5 * (first + last) * inverse - 1.0) < 1e-6);
        assert_true(first * inverse >= 1.0 - 1.0 / 64 && last * inverse <= 1.0 + 1.0 / 32);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_sines),
        cmocka_unit_test(test_logarithms),
    };
    return cmocka_run_group_tests_name("tables over doubles", tests, NULL, NULL);
}
