/* gpu/core/base/portable.h on the CPU: bits counted one by one, and a lane group of one lane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

static const gr_lane_group alone = {0, 1};

static void test_bits(void **state) {
    (void)state;
    core_dice dice = {1};
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t word = core_roll(&dice, 0) >> core_roll(&dice, 32), count = 0, low = 32;
        uint64_t wide = ((uint64_t)core_roll(&dice, 0) << 32 | word | 1) >> core_roll(&dice, 64);
        uint32_t high = 0;
        for (uint32_t k = 32; k-- > 0;) {
            count += word >> k & 1u;
            low = word >> k & 1u ? k : low;
        }
        for (uint32_t k = 0; k < 64; k++)
            high = wide >> k & 1u ? k : high;
        assert_int_equal(gr_count_bits(word), count);
        if (word)
            assert_int_equal(gr_lowest_bit(word), low);
        if (wide)
            assert_int_equal(gr_highest_bit(wide), high);
    }
}

/* The high word by halves, as on paper. */
static void test_mulhi(void **state) {
    (void)state;
    core_dice dice = {2};
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t a = core_roll(&dice, 0) | (i % 3 == 0 ? 0xffff0000u : 0), b = core_roll(&dice, 0);
        uint32_t a1 = a >> 16, a0 = a & 0xffffu, b1 = b >> 16, b0 = b & 0xffffu;
        uint64_t middle = (uint64_t)a1 * b0 + (uint64_t)a0 * b1 + (a0 * b0 >> 16);
        assert_int_equal(gr_mulhi(a, b), a1 * b1 + (uint32_t)(middle >> 16));
    }
    assert_int_equal(gr_mulhi(0xffffffffu, 0xffffffffu), 0xfffffffeu);
}

static void test_floats(void **state) {
    (void)state;
    assert_int_equal(gr_float_bits(1.0f), 0x3f800000u);
    assert_int_equal(gr_float_bits(-0.0f), 0x80000000u);
    assert_int_equal(gr_float_bits(0x1p-149f), 1);
    assert_true(gr_bits_float(0xc0490fdbu) == -3.14159274f);
    assert_int_equal(gr_float_bits(gr_bits_float(0x7fc12345u)), 0x7fc12345u); /* a NaN's payload */
}

static void test_least_and_most(void **state) {
    (void)state;
    assert_int_equal(gr_min_u32(3, 0xffffffffu), 3);
    assert_int_equal(gr_min_u32(7, 2), 2);
    assert_int_equal(gr_max_u32(3, 0xffffffffu), 0xffffffffu);
    assert_int_equal(gr_max_u32(7, 2), 7);
}

/* A lane alone: every combination of all lanes' values is its own value. */
static void test_one_lane(void **state) {
    (void)state;
    const uint64_t wide = 0xfedcba9876543210ull;
    const uint32_t word = 0x89abcdefu;
    uint32_t before = 5, sum = 40;
    assert_int_equal(gr_from_first(alone, word), word);
    assert_int_equal(gr_from_lane(alone, word, 0), word);
    assert_int_equal(gr_sum_lanes(alone, word), word);
    assert_int_equal(gr_or_lanes(alone, word), word);
    assert_int_equal(gr_least_lane(alone, word), word);
    assert_int_equal(gr_most_lane(alone, word), word);
    assert_true(gr_sum_lanes_long(alone, wide) == wide);
    assert_true(gr_least_lane_long(alone, wide) == wide);
    assert_int_equal(gr_sum_before(alone, word), 0);
    assert_int_equal(gr_sum_after(alone, word), 0);
    assert_int_equal(gr_any(alone, word) != 0, 1);
    assert_int_equal(gr_any(alone, 0), 0);
    assert_int_equal(gr_vote(alone, 0x100u), 1); /* a bit of its own, not the value */
    assert_int_equal(gr_vote(alone, 0), 0);
    assert_int_equal(gr_count_before(alone, word, &before), 1);
    assert_int_equal(before, 0);
    before = 5;
    assert_int_equal(gr_count_before(alone, 0, &before), 0);
    assert_int_equal(before, 0);
    gr_add_to(&sum, 2, alone);
    assert_int_equal(sum, 42);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),     cmocka_unit_test(test_mulhi),
        cmocka_unit_test(test_floats),   cmocka_unit_test(test_least_and_most),
        cmocka_unit_test(test_one_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
