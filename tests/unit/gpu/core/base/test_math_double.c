/* gpu/core/base/math_double.h: special cases of C99 Annex F, and known values, by mpmath to 1400
 * bits. Accuracy over arguments of all exponents is measured by tests/property/math_double.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/base/math_double.h"

#define NOT_A_NUMBER GR_NAN_D
#define INF GR_INFINITY_D
#define TINY 0x1p-1074 /* the smallest denormal */
#define LARGEST 0x1.fffffffffffffp1023

typedef struct row {
    const char *name;
    double (*function)(double);
    double x, wanted;
} row;

static double call_exp(double x) {
    return gr_exp_d(x);
}
static double call_log(double x) {
    return gr_log_d(x);
}
static double call_sin(double x) {
    return gr_sin_d(x);
}
static double call_cos(double x) {
    return gr_cos_d(x);
}
static double call_tan(double x) {
    return gr_tan_d(x);
}
static double call_tanh(double x) {
    return gr_tanh_d(x);
}
static double call_cbrt(double x) {
    return gr_cbrt_d(x);
}

/* The same bits, or both NaN; `near` neighbours will do. */
static void expect(double got, double wanted, int64_t near, const char *what, double x, double y) {
    int64_t distance = (int64_t)(gr_double_bits(got) - gr_double_bits(wanted));
    int both_nan = got != got && wanted != wanted;
    if ((distance < -near || distance > near) && !both_nan)
        fail_msg("%s(%a, %a) is %a, wanted %a", what, x, y, got, wanted);
}
static void expect_all(const row *rows, size_t count, int64_t near) {
    for (size_t k = 0; k < count; k++)
        expect(rows[k].function(rows[k].x), rows[k].wanted, near, rows[k].name, rows[k].x, 0.0);
}

static void test_exact_values(void **state) {
    (void)state;
    const row rows[] = {
        {"exp", call_exp, 0.0, 1.0},
        {"exp", call_exp, -0.0, 1.0},
        {"exp", call_exp, INF, INF},
        {"exp", call_exp, -INF, 0.0},
        {"exp", call_exp, 0x1.62e42fefa39fp9, INF}, /* the first that overflows */
        {"exp", call_exp, -LARGEST, 0.0},
        {"exp", call_exp, NOT_A_NUMBER, NOT_A_NUMBER},
        {"log", call_log, 1.0, 0.0},
        {"log", call_log, 0.0, -INF},
        {"log", call_log, -0.0, -INF},
        {"log", call_log, INF, INF},
        {"log", call_log, -TINY, NOT_A_NUMBER},
        {"log", call_log, -INF, NOT_A_NUMBER},
        {"log", call_log, NOT_A_NUMBER, NOT_A_NUMBER},
        {"sin", call_sin, 0.0, 0.0},
        {"sin", call_sin, -0.0, -0.0},
        {"sin", call_sin, TINY, TINY},
        {"sin", call_sin, -TINY, -TINY},
        {"sin", call_sin, -0x1p-1030, -0x1p-1030},
        {"sin", call_sin, INF, NOT_A_NUMBER},
        {"sin", call_sin, NOT_A_NUMBER, NOT_A_NUMBER},
        {"cos", call_cos, 0.0, 1.0},
        {"cos", call_cos, -0.0, 1.0},
        {"cos", call_cos, TINY, 1.0},
        {"cos", call_cos, -INF, NOT_A_NUMBER},
        {"cos", call_cos, NOT_A_NUMBER, NOT_A_NUMBER},
        {"tan", call_tan, 0.0, 0.0},
        {"tan", call_tan, -0.0, -0.0},
        {"tan", call_tan, TINY, TINY},
        {"tan", call_tan, -TINY, -TINY},
        {"tan", call_tan, INF, NOT_A_NUMBER},
        {"tan", call_tan, NOT_A_NUMBER, NOT_A_NUMBER},
        {"tanh", call_tanh, 0.0, 0.0},
        {"tanh", call_tanh, -0.0, -0.0},
        {"tanh", call_tanh, TINY, TINY},
        {"tanh", call_tanh, -TINY, -TINY},
        {"tanh", call_tanh, 20.0, 1.0},
        {"tanh", call_tanh, -INF, -1.0},
        {"tanh", call_tanh, NOT_A_NUMBER, NOT_A_NUMBER},
        {"cbrt", call_cbrt, 0.0, 0.0},
        {"cbrt", call_cbrt, -0.0, -0.0},
        {"cbrt", call_cbrt, 27.0, 3.0},
        {"cbrt", call_cbrt, -0.125, -0.5},
        {"cbrt", call_cbrt, TINY, 0x1p-358},
        {"cbrt", call_cbrt, -INF, -INF},
        {"cbrt", call_cbrt, NOT_A_NUMBER, NOT_A_NUMBER},
    };
    expect_all(rows, sizeof rows / sizeof *rows, 0);
}

/* Correctly rounded values; a neighbour is accepted. */
static void test_known_values(void **state) {
    (void)state;
    const double hard = 0x1.6ac5b262ca1ffp849; /* no double is nearer to a multiple of pi / 2 */
    const row rows[] = {
        {"exp", call_exp, 1.0, 0x1.5bf0a8b145769p1},
        {"exp", call_exp, -1.0, 0x1.78b56362cef38p-2},
        {"exp", call_exp, 709.5, 0x1.81e9b4b52d0c9p1023},
        {"exp", call_exp, 0x1.62e42fefa39efp9, 0x1.fffffffffff2ap1023}, /* the last below inf */
        {"exp", call_exp, -708.25, 0x1.285dc1b5961f1p-1022},
        {"log", call_log, 2.0, 0x1.62e42fefa39efp-1},
        {"log", call_log, 0.5, -0x1.62e42fefa39efp-1},
        {"log", call_log, 10.0, 0x1.26bb1bbb55516p1},
        {"log", call_log, TINY, -0x1.74385446d71c3p9},
        {"log", call_log, LARGEST, 0x1.62e42fefa39efp9},
        {"log", call_log, 0x1.0000000000001p0, 0x1.fffffffffffffp-53},
        {"sin", call_sin, 1.0, 0x1.aed548f090ceep-1},
        {"sin", call_sin, 0x1.921fb54442d18p1, 0x1.1a62633145c07p-53}, /* pi, as a double */
        {"sin", call_sin, 1e22, -0x1.b453ab76bf397p-1},
        {"sin", call_sin, LARGEST, 0x1.452fc98b34e97p-8},
        {"sin", call_sin, hard, 1.0},
        {"cos", call_cos, 1.0, 0x1.14a280fb5068cp-1},
        {"cos", call_cos, 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54},
        {"cos", call_cos, 1e22, 0x1.0be2cef01c8f4p-1},
        {"cos", call_cos, LARGEST, -0x1.fffe62ecfab75p-1},
        {"cos", call_cos, hard, -0x1.14ae72e6ba22fp-61},
        {"tan", call_tan, 1.0, 0x1.8eb245cbee3a6p0},
        {"tan", call_tan, 0x1p-21, 0x1.0000000000155p-21},
        {"tan", call_tan, 0x1.921fb54442d18p0, 0x1.d02967c31cdb5p53},
        {"tan", call_tan, 1e22, -0x1.a0f79c1b6b257p0},
        {"tan", call_tan, LARGEST, -0x1.4530cfe729484p-8},
        {"tan", call_tan, hard, -0x1.d9ba9a7975636p60},
        {"tanh", call_tanh, 0.5, 0x1.d9353d7568af3p-2},
        {"tanh", call_tanh, -1.0, -0x1.85efab514f394p-1},
        {"tanh", call_tanh, 18.0, 0x1.ffffffffffffcp-1},
        {"tanh", call_tanh, 1e-9, 1e-9},
        {"cbrt", call_cbrt, 2.0, 0x1.428a2f98d728bp0},
        {"cbrt", call_cbrt, -10.0, -0x1.13c484138704fp1},
        {"cbrt", call_cbrt, LARGEST, 0x1.428a2f98d728bp341},
        {"cbrt", call_cbrt, 0x1.7e385ap-1000, 0x1.d0768988752cap-334},
    };
    expect_all(rows, sizeof rows / sizeof *rows, 1);
}

typedef struct pow_row {
    double x, y, wanted;
} pow_row;

/* C99 F.9.4.4. */
static void test_pow_annex_f(void **state) {
    (void)state;
    const pow_row rows[] = {
        {-0.0, -3.0, -INF},
        {-0.0, -0x1.fffffffffffffp52, -INF}, /* the largest odd number */
        {-0.0, -0x1p53, INF},
        {0.0, -0.5, INF},
        {-0.0, -INF, INF},
        {-0.0, 3.0, -0.0},
        {-0.0, 0x1.fffffffffffffp52, -0.0},
        {-0.0, 2.5, 0.0},
        {-1.0, INF, 1.0},
        {-1.0, -INF, 1.0},
        {1.0, NOT_A_NUMBER, 1.0},
        {NOT_A_NUMBER, -0.0, 1.0},
        {NOT_A_NUMBER, 1.0, NOT_A_NUMBER},
        {2.0, NOT_A_NUMBER, NOT_A_NUMBER},
        {-INF, 0.0, 1.0},
        {-2.0, 0.5, NOT_A_NUMBER},
        {-1.0, 0x1.fffffffffffffp51, NOT_A_NUMBER}, /* and a half */
        {0.5, -INF, INF},
        {-1.5, -INF, 0.0},
        {-0.5, INF, 0.0},
        {0x1.0000000000001p0, INF, INF},
        {0x1.fffffffffffffp-1, INF, 0.0},
        {-INF, -3.0, -0.0},
        {-INF, -2.5, 0.0},
        {-INF, 3.0, -INF},
        {-INF, 2.5, INF},
        {INF, -0.5, 0.0},
        {INF, TINY, INF},
        {-1.0, 0x1.fffffffffffffp52, -1.0},
        {-1.0, 0x1.0000000000001p52, -1.0},
        {-1.0, 0x1p53, 1.0},
        {2.0, 1024.0, INF},
        {2.0, -1074.0, TINY},
        {2.0, -1076.0, 0.0},
        {-2.0, 1023.0, -0x1p1023},
        {-3.0, 3.0, -27.0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        expect(gr_pow_d(rows[k].x, rows[k].y), rows[k].wanted, 0, "pow", rows[k].x, rows[k].y);
}

/* The numbers next to 1 to exponents so large that they are none any more. */
static void test_pow_known_values(void **state) {
    (void)state;
    const double below = 0x1.fffffffffffffp-1, above = 0x1.0000000000001p0;
    const pow_row rows[] = {
        {2.0, 0.5, 0x1.6a09e667f3bcdp0},
        {10.0, -300.0, 0x1.56e1fc2f8f359p-997},
        {below, 0x1p61, 0x1.9755956ad4e36p-370},
        {above, 0x1p61, 0x1.9476504ba839ap738},
        {above, -0x1p61, 0x1.44109edb20a75p-739},
        {below, -0x1p61, 0x1.41c7a8814bf0bp369},
        {below, 0x1p64, 0.0},
        {below, -0x1p64, INF},
        {above, 0x1p63, INF},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        expect(gr_pow_d(rows[k].x, rows[k].y), rows[k].wanted, 1, "pow", rows[k].x, rows[k].y);
}

/* Odd functions are odd and cos is even, bit for bit: over all exponents, and where results depend
 * on which half turns are taken, next to multiples of a quarter of one. */
static void expect_symmetry(double x) {
    expect(gr_sin_d(-x), -gr_sin_d(x), 0, "sin", -x, 0.0);
    expect(gr_tan_d(-x), -gr_tan_d(x), 0, "tan", -x, 0.0);
    expect(gr_tanh_d(-x), -gr_tanh_d(x), 0, "tanh", -x, 0.0);
    expect(gr_cbrt_d(-x), -gr_cbrt_d(x), 0, "cbrt", -x, 0.0);
    expect(gr_cos_d(-x), gr_cos_d(x), 0, "cos", -x, 0.0);
}
static void test_symmetry(void **state) {
    (void)state;
    for (uint64_t bits = 0; bits < 0x7ff0000000000000ull; bits += 0x00003a5c71d4e8b1ull)
        expect_symmetry(gr_bits_double(bits));
    for (int k = 0; k < 100000; k++)
        expect_symmetry(k * 0x1.921fb54442d18p-1 * (1.0 + (k % 7 - 3) * 0x1p-12));
}

/* numpy.sign(a) * m. */
static void test_signed(void **state) {
    (void)state;
    assert_true(gr_signed_d(3.0, 2.0) == 2.0 && gr_signed_d(-TINY, 2.0) == -2.0);
    expect(gr_signed_d(-0.0, 2.0), -0.0, 0, "signed", -0.0, 2.0);
    expect(gr_signed_d(NOT_A_NUMBER, 1.0), NOT_A_NUMBER, 0, "signed", NOT_A_NUMBER, 1.0);
}

/* argmax: the first of the largest, nobody that is no number. */
static void test_ranking(void **state) {
    (void)state;
    const struct {
        double a[3], number;
    } rows[] = {
        {{1.0, 1.0, 1.0}, 0},
        {{-1.0, -1.0, -1.0}, 0},
        {{0.0, -0.0, 0.0}, 0},
        {{1.0, 0.5, 1.0}, 0},
        {{1.0, 2.0, 2.0}, 1},
        {{-3.0, -2.0, -2.0}, 1},
        {{1.0, 2.0, 3.0}, 2},
        {{INF, INF, INF}, 0},
        {{LARGEST / 2.0, INF, 1.0}, 1},
        {{-INF, -INF, -INF}, 0},
        {{NOT_A_NUMBER, -INF, -INF}, 1},
        {{NOT_A_NUMBER, NOT_A_NUMBER, -INF}, 2},
        {{-INF, NOT_A_NUMBER, -LARGEST / 2.0}, 2},
        {{NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER}, NOT_A_NUMBER},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double *a = rows[k].a;
        double chain = gr_ranked_next_d(a[0], gr_ranked_next_d(a[1], gr_ranked_last_d(a[2])));
        expect(gr_ranked_first_d(chain), rows[k].number, 0, "argmax", a[0], a[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_values), cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_pow_annex_f),  cmocka_unit_test(test_pow_known_values),
        cmocka_unit_test(test_symmetry),     cmocka_unit_test(test_signed),
        cmocka_unit_test(test_ranking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
