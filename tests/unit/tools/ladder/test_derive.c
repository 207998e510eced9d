/* tools/ladder: what chromosomes of Pospichal's program are worth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tools/ladder/derive.h"

static uint8_t codons[LADDER_GE_CODONS];

/* Codons for an expression in postfix order: x, 1, + - *; the rest of the genome is left. */
static uint32_t write_codons(const char *text, uint32_t n) {
    uint32_t end = (uint32_t)strlen(text), start;
    int need = 1;
    char last = text[end - 1];
    if (last == 'x' || last == '1') {
        codons[n++] = 3; /* <var> */
        codons[n++] = last == 'x' ? 4 : 5;
        return n;
    }
    for (start = end - 1; need; need += strchr("+-*", text[start]) ? 1 : -1)
        start--;
    char first[64], second[64];
    memcpy(second, text + start, end - 1 - start);
    second[end - 1 - start] = 0;
    memcpy(first, text, start);
    first[start] = 0;
    codons[n++] = 2; /* <expr> <expr> <op> */
    n = write_codons(second, write_codons(first, n));
    codons[n++] = (uint8_t)(3 + (strchr("+-*", last) - "+-*"));
    return n;
}

static float value(const char *text, float x) {
    write_codons(text, 0);
    ladder_derivation d = {codons, 0};
    return ladder_derive(&d, x);
}

static void test_values(void **state) {
    (void)state;
    assert_float_equal(value("x", 7), 7, 0);
    assert_float_equal(value("1", 7), 1, 0);
    assert_float_equal(value("x1-", 7), 6, 0); /* operands in their order */
    assert_float_equal(value("x1+x*1-", 7), 55, 0);
}

static void test_quartic_has_no_error(void **state) {
    (void)state;
    write_codons("xxxx1+*1+*1+*", 0);
    assert_true(ladder_ge_errors(codons, 128) < 0.25f);
    write_codons("1xxxx1+*1+*1+*+", 0);
    assert_float_equal(ladder_ge_errors(codons, 128), 128, 0.25);
}

static void test_codons_run_out(void **state) {
    (void)state;
    memset(codons, 0, sizeof codons); /* <expr> for ever */
    ladder_derivation d = {codons, 0};
    assert_true(isnan(ladder_derive(&d, 1.0f)));
    assert_int_equal(d.used, LADDER_GE_CODONS);
    assert_true(isnan(ladder_ge_errors(codons, 2)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_quartic_has_no_error),
        cmocka_unit_test(test_codons_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
