/* host/table/number.h: fields as numbers, rounded as strtof rounds, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/table/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void same(const char *text) {
    float value = -1.0f, expected = strtof(text, NULL);
    gr_number_kind kind = gr_read_number(text, text + strlen(text), &value);
    if (kind != GR_IS_NUMBER || memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("%s: %.9g, expected %.9g", text, (double)value, (double)expected);
    double exact = -1.0, wanted = strtod(text, NULL);
    kind = gr_read_double(text, text + strlen(text), &exact);
    if (kind != GR_IS_NUMBER || memcmp(&exact, &wanted, sizeof exact) != 0)
        fail_msg("%s: %.17g, expected %.17g", text, exact, wanted);
}

/* What a float's neighbourhood can do to a careless reader: halves between two floats, a last digit
 * beside them, more digits than a double holds. */
static void test_rounding(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1.",
        ".5",
        "007.250",
        "16777217",
        "16777219",
        "33554435",
        "0.1",
        "-0.3",
        "9007199254740993",
        "900719925474099.1",
        "1.00000005960464477539",
        "1.000000059604644775390625",
        "1.00000005960464477540",
        "1.0000000596046448",
        "1.17549435e-38",
        "0.00000000000000000000000000000000000001175494350822287508",
        "0.0000000000000000000001",
        "340282346638528859811704183484516925440",
        "1e-45",
        "5E+3",
        "123456789012345678901234567890",
        "0.00000000000000000000000"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        same(texts[i]);
}

static void test_random(void **state) {
    (void)state;
    uint64_t word = 88172645463325252u;
    char text[64];
    for (int i = 0; i < 300000; i++) {
        word ^= word << 13, word ^= word >> 7, word ^= word << 17;
        uint64_t digits = word >> (word & 63);
        int decimals = (int)(word >> 32 & 15);
        snprintf(text, sizeof text, "%s%llu.%0*llu", word & 64 ? "-" : "",
                 (unsigned long long)(digits % 100000), decimals,
                 (unsigned long long)(digits / 100000));
        same(text);
        /* halves between two floats, and just beside them */
        uint32_t bits = 0x30000000u + (uint32_t)(word >> 20) % 0x20000000u;
        float low;
        memcpy(&low, &bits, sizeof low);
        bits++;
        float high;
        memcpy(&high, &bits, sizeof high);
        snprintf(text, sizeof text, "%.*f", 15, ((double)low + (double)high) / 2.0);
        same(text);
    }
}

static void test_others(void **state) {
    (void)state;
    static const struct {
        const char *text;
        gr_number_kind kind;
    } cases[] = {{"", GR_IS_MISSING},       {"?", GR_IS_MISSING},       {"NA", GR_IS_MISSING},
                 {"nan", GR_IS_NOT_FINITE}, {"-Inf", GR_IS_NOT_FINITE}, {"1e99", GR_IS_TOO_LARGE},
                 {"1.2.3", GR_IS_TEXT},     {".", GR_IS_TEXT},          {"-", GR_IS_TEXT},
                 {"1x", GR_IS_TEXT},        {"0x10", GR_IS_TEXT},       {"1e", GR_IS_TEXT},
                 {"--1", GR_IS_TEXT},       {"1 2", GR_IS_TEXT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float value;
        const char *text = cases[i].text;
        assert_int_equal(gr_read_number(text, text + strlen(text), &value), cases[i].kind);
        double exact; /* which are larger */
        gr_number_kind kind = gr_read_double(text, text + strlen(text), &exact);
        assert_int_equal(kind, cases[i].kind == GR_IS_TOO_LARGE ? GR_IS_NUMBER : cases[i].kind);
    }
    static const char large[] = "1e309";
    double exact;
    assert_int_equal(gr_read_double(large, large + 5, &exact), GR_IS_TOO_LARGE);
}

/* A field ends before the text does. */
static void test_end(void **state) {
    (void)state;
    static const char text[] = "12,34567;1.5e3|";
    float value;
    assert_int_equal(gr_read_number(text, text + 2, &value), GR_IS_NUMBER);
    assert_true(value == 12.0f);
    assert_int_equal(gr_read_number(text + 9, text + 14, &value), GR_IS_NUMBER);
    assert_true(value == 1500.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounding),
                                       cmocka_unit_test(test_random), cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_end)};
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
