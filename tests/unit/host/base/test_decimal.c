/* host/base/decimal.h: the bytes of printf, for every kind of double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef char *put(char *to, double value);

static void same(put *print, const char *format, double value) {
    char expected[GR_DECIMAL + 1], got[GR_DECIMAL + 1];
    snprintf(expected, sizeof expected, format, value);
    *print(got, value) = '\0';
    if (strcmp(got, expected) != 0)
        fail_msg("%a as %s: %s instead of %s", value, format, got, expected);
}

static void all(double value) {
    same(gr_put_nine, "%.9g", value);
    same(gr_put_micro, "%.6f", value);
    same(gr_put_rounded, "%.0f", value);
}

static uint64_t draw(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Borders of layouts and of the ranges that are done without printf; ties; what is no number. */
static void test_borders(void **state) {
    (void)state;
    const double values[] = {
        0.0,         -0.0,         NAN,         -NAN,        INFINITY,     -INFINITY,    DBL_MAX,
        DBL_MIN,     5e-324,       1e9,         1e-5,        1e-4,         0.5,          1.5,
        2.5,         1e12,         0x1p63,      0x1p64,      1e35,         1e-18,        1e22,
        1e23,        123456789.5,  123456788.5, 12345678.25, 0.0000005,    0.0000015,    0.1 + 0.2,
        100000000.5, 4294967296.0, 1e17,        99999999.95, 999999999.25, 999999999.75, 0.5000005};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int k = -2; k <= 2; k++) {
            double value = values[i];
            for (int j = 0; j < k || j < -k; j++)
                value = nextafter(value, k < 0 ? -INFINITY : INFINITY);
            all(value);
            all(-value);
        }
    for (int exponent = -330; exponent <= 308; exponent++) {
        char text[32];
        double value;
        snprintf(text, sizeof text, "9.999999995e%d", exponent);
        sscanf(text, "%lf", &value);
        all(value);
        all(nextafter(value, 0.0));
        all(nextafter(value, INFINITY));
        snprintf(text, sizeof text, "1e%d", exponent);
        sscanf(text, "%lf", &value);
        all(value);
        all(nextafter(value, 0.0));
    }
}

/* Any bits, floats of any bits, decimals of a few digits (ties among them), whole numbers. */
static void test_random(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 150000; i++) {
        uint64_t bits = draw(&seed);
        float single;
        all(of_bits(bits));
        memcpy(&single, &bits, sizeof single);
        same(gr_put_nine, "%.9g", (double)single);
        same(gr_put_nine, "%.9g", (double)(bits >> 40) / (double)(1 << (bits & 15)));
        all((double)(bits % 20000000000u) / 16.0);
        all((double)(bits >> (bits & 63)));
    }
}

static void test_whole(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 100000; i++) {
        uint64_t value = i < 20000 ? (uint64_t)i : draw(&seed) >> (i & 63);
        char expected[32], got[32];
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)value);
        *gr_put_whole(got, value) = '\0';
        assert_string_equal(got, expected);
    }
    char got[32];
    *gr_put_whole(got, UINT64_MAX) = '\0';
    assert_string_equal(got, "18446744073709551615");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
