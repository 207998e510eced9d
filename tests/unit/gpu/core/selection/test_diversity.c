/* gpu/core/selection/diversity.h: hashes that do not see how a text was cut, tables that count
 * different keys, logarithms in whole numbers. What comes of them is counted in
 * tests/e2e/diversity.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/diversity.h"
#include "tests/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static gr_text_hash hash_of(const char *text) {
    gr_text_hash hash = gr_no_text();
    for (; *text; text++)
        hash = gr_text_joined(hash, gr_text_of_byte((unsigned char)*text));
    return hash;
}

/* Products against 128 bits. */
static void test_products(void **state) {
    (void)state;
    const uint64_t modulus = (1ull << 61) - 1;
    core_dice dice = {7};
    for (uint32_t k = 0; k < 20000; k++) {
        uint64_t a =
            ((uint64_t)core_roll(&dice, 0x7fffffff) << 31 | core_roll(&dice, 0x7fffffff)) % modulus;
        uint64_t b =
            ((uint64_t)core_roll(&dice, 0x7fffffff) << 31 | core_roll(&dice, 0x7fffffff)) % modulus;
        if (k < 8) /* the ends */
            a = k & 1 ? modulus - 1 : k & 2 ? 0 : a, b = k & 4 ? modulus - 1 : b;
        assert_true(gr_text_multiply(a, b) == (uint64_t)((unsigned __int128)a * b % modulus));
    }
}

static void test_texts(void **state) {
    (void)state;
    gr_text_hash whole = hash_of("pdiv(x0, 1.0)");
    for (size_t cut = 0; cut <= 13; cut++) {
        char first[16] = "", *text = "pdiv(x0, 1.0)";
        memcpy(first, text, cut);
        gr_text_hash joined = gr_text_joined(hash_of(first), hash_of(text + cut));
        assert_true(joined.hash == whole.hash && joined.power == whole.power);
    }
    assert_true(hash_of("ab").hash != hash_of("ba").hash);
    assert_true(hash_of("a").hash != hash_of("aa").hash);
    assert_true(hash_of("").hash == 0);
}

/* Codons' values as the host prints them. */
static void test_codons(void **state) {
    (void)state;
    const struct {
        gr_codon_value v;
        uint32_t codon;
        const char *text;
    } cases[] = {{{.low = 0, .span = 13}, 25, "12"},
                 {{.low = 0, .span = 13}, 0, "0"},
                 {{.low = -12, .span = 20}, 3, "-9"},
                 {{.low = -12, .span = 20}, 12, "0"},
                 {{.low = 5, .span = 0}, 4294967295u, "4294967300"},
                 {{.low = 0, .span = 1000000, .scale = 1000, .decimals = 6}, 7, "0.007000"},
                 {{.low = 0, .span = 100, .scale = 100, .decimals = 2}, 100, "1.00"},
                 {{.low = -100, .span = 200, .scale = 200, .decimals = 2}, 99, "-0.01"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_text_hash hash = gr_text_of_codon(cases[k].v, cases[k].codon);
        assert_true(hash.hash == hash_of(cases[k].text).hash);
        assert_true(hash.power == hash_of(cases[k].text).power);
    }
}

static void test_tables(void **state) {
    (void)state;
    uint64_t table[64] = {0};
    uint32_t new = 0, at, again;
    for (uint64_t key = 1; key <= 32; key++) { /* all at the same place at first */
        new += gr_enter_key(table, 64, key | 5ull << 32, &at);
        assert_false(gr_enter_key(table, 64, key | 5ull << 32, &again));
        assert_int_equal(at, again);
    }
    assert_int_equal(new, 32);
    gr_params p = {.diversity = 1, .runs = 1, .islands = 3, .population = 100};
    assert_int_equal(gr_diversity_entries(&p), 1024); /* at least twice as many */
    assert_int_equal(gr_seen_entries(&p), 1 << 17);   /* 256 * 300 */
    gr_diversity d = {.ever_before = (1 << 16) - 1};
    assert_true(gr_counts_ever(&p, &d));
    d.ever_before++; /* half full: a generation more might not fit */
    assert_false(gr_counts_ever(&p, &d));
    p.runs = 1 << 14;
    assert_int_equal(gr_seen_entries(&p), 1 << 11);
    p.runs = 1 << 15;
    assert_int_equal(gr_seen_entries(&p), 0); /* less than four generations */
    p.diversity = 0;
    assert_int_equal(gr_diversity_entries(&p), 0);
}

static void test_logarithms(void **state) {
    (void)state;
    for (uint32_t n = 1; n; n = n < 5000 ? n + 1 : n > 4000000000u ? 0 : n + n / 3) {
        double log = ldexp((double)gr_log2_whole(n), -GR_LOG2_BITS);
        assert_true(fabs(log - log2(n)) < 1e-7);
    }
    assert_true(gr_log2_whole(1u << 30) == 30ull << GR_LOG2_BITS);
    assert_true(gr_key_of_hash(0) != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),   cmocka_unit_test(test_texts),
        cmocka_unit_test(test_codons),     cmocka_unit_test(test_tables),
        cmocka_unit_test(test_logarithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
