/* gpu/core/base/keys.h on the CPU: hashes, and words that threads write to at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gpu/core/base/keys.h"
#include "tests/core.h"

#include <pthread.h>

enum { THREADS = 4, TURNS = 20000 };

static uint64_t highest, first, sum;
static uint32_t count;

/* 0 is no key, and neighbours differ in half their bits. */
static void test_hashes(void **state) {
    (void)state;
    uint32_t differing = 0;
    assert_true(gr_key_of_hash(0) == 1);
    for (uint64_t k = 0; k < 1000; k++) {
        uint64_t a = gr_key_of_hash(gr_mixed(7, k)), b = gr_key_of_hash(gr_mixed(7, k + 1));
        assert_true(a && a != b);
        differing += gr_count_bits((uint32_t)(a ^ b)) + gr_count_bits((uint32_t)((a ^ b) >> 32));
    }
    assert_in_range(differing, 30000, 34000);
    assert_true(gr_mixed(gr_mixed(0, 1), 2) != gr_mixed(gr_mixed(0, 2), 1));
}

static int compare_longs(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* No word at any place is as if it were not there, 0 at the first one neither; the same word tells
 * its place, and words that change places another sum. */
static void test_hash_at(void **state) {
    (void)state;
    for (uint64_t place = 0; place < 64; place++)
        for (uint64_t word = 0; word < 64; word++) {
            assert_true(gr_hash_at(word, place) != 0);
            assert_true(gr_hash_at(word, place) != gr_hash_at(word, place + 1));
            assert_true(gr_hash_at(word, place) != gr_hash_at(word + 1, place));
            assert_true(gr_hash_at(word, place) + gr_hash_at(word + 1, place + 1) !=
                        gr_hash_at(word + 1, place) + gr_hash_at(word, place + 1));
        }
}

/* Sums over two rows are other ones for all pairs of errors, as they are often: 0, small ones,
 * powers of two, whose last bits are 0, infinity; a row in which there is no error adds nothing. */
static void test_hash_of_error(void **state) {
    enum { ROWS = 24, ERRORS = 6, PAIRS = ROWS * (ROWS - 1) / 2 * (ERRORS - 1) * (ERRORS - 1) };
    static const uint32_t bits[ERRORS] = {0, 1, 0x3f800000, 0x40000000, 0x3f000000, 0x7f800000};
    static uint64_t sums[PAIRS];
    uint32_t pairs = 0;
    (void)state;
    for (uint64_t one = 0; one < ROWS; one++)
        for (uint64_t two = one + 1; two < ROWS; two++)
            for (uint32_t a = 1; a < ERRORS; a++)
                for (uint32_t b = 1; b < ERRORS; b++)
                    sums[pairs++] = gr_hash_of_error(bits[a], gr_row_number_drawn(one)) +
                                    gr_hash_of_error(bits[b], gr_row_number_drawn(two));
    assert_int_equal(pairs, PAIRS);
    qsort(sums, PAIRS, sizeof *sums, compare_longs);
    for (uint32_t k = 0; k < PAIRS; k++) {
        assert_true(sums[k] != 0);
        assert_true(!k || sums[k] != sums[k - 1]);
    }
    assert_true(gr_hash_of_error(0, gr_row_number_drawn(5)) == 0);
}

/* Where all errors of a run are two of these, sums still have 56 bits: their differences do not all
 * end with the same zeros. */
static void test_usual_errors(void **state) {
    const float errors[] = {0.0f,  0.25f, 0.5f,   0.75f,  1.0f,   1.5f,    2.0f,     3.0f,
                            4.0f,  5.0f,  6.0f,   7.0f,   8.0f,   9.0f,    10.0f,    16.0f,
                            32.0f, 64.0f, 100.0f, 128.0f, 512.0f, 1024.0f, 65536.0f, GR_INFINITY};
    enum { ERRORS = sizeof errors / sizeof *errors };
    (void)state;
    for (uint32_t a = 0; a < ERRORS; a++)
        for (uint32_t b = 0; b < a; b++) {
            uint64_t difference = gr_hash_of_error(gr_float_bits(errors[a]), 1) -
                                  gr_hash_of_error(gr_float_bits(errors[b]), 1);
            assert_true(difference & 0x1ff);
        }
}

static void test_raise(void **state) {
    (void)state;
    uint64_t word = 0;
    gr_raise(&word, 1ull << 40);
    assert_true(word == 1ull << 40);
    gr_raise(&word, 0xffffffffu); /* more in its low half alone */
    assert_true(word == 1ull << 40);
    gr_raise(&word, ~0ull);
    assert_true(word == ~0ull);
}

static void test_lower(void **state) {
    (void)state;
    uint32_t word = 0xfffffffeu;
    gr_lower(&word, ~0u);
    assert_int_equal(word, 0xfffffffeu);
    gr_lower(&word, 0x80000000u);
    assert_int_equal(word, 0x80000000u);
    gr_lower(&word, 7);
    gr_lower(&word, 8);
    assert_int_equal(word, 7);
    gr_lower(&word, 0);
    assert_int_equal(word, 0);
}

static void test_fill_empty(void **state) {
    (void)state;
    uint64_t word = 0;
    assert_true(gr_fill_empty(&word, 1ull << 40) == 0 && word == 1ull << 40);
    assert_true(gr_fill_empty(&word, 3) == 1ull << 40 && word == 1ull << 40);
}

static void *write_all(void *number) {
    uint64_t own = (uint64_t)(size_t)number;
    for (uint64_t k = 0; k < TURNS; k++) {
        gr_raise(&highest, (own * 7919 + k * 104729) % 1000003);
        gr_add_long(&sum, 1ull << 32);
        gr_add_count(&count, 2);
        gr_fill_empty(&first, own);
    }
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    pthread_t thread[THREADS];
    uint64_t expected = 0;
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, write_all, (void *)(t + 1)), 0);
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(thread[t], NULL), 0);
    for (uint64_t t = 1; t <= THREADS; t++)
        for (uint64_t k = 0; k < TURNS; k++)
            expected = (t * 7919 + k * 104729) % 1000003 > expected
                           ? (t * 7919 + k * 104729) % 1000003
                           : expected;
    assert_true(highest == expected);
    assert_true(sum == (uint64_t)THREADS * TURNS << 32);
    assert_int_equal(count, 2 * THREADS * TURNS);
    assert_in_range(first, 1, THREADS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hashes),        cmocka_unit_test(test_hash_at),
        cmocka_unit_test(test_hash_of_error), cmocka_unit_test(test_usual_errors),
        cmocka_unit_test(test_raise),         cmocka_unit_test(test_lower),
        cmocka_unit_test(test_fill_empty),    cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
