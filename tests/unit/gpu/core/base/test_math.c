/* gpu/core/base/math.h: special cases of C99 Annex F, known values, and common == whole. Accuracy
 * over every float is measured by tests/property/math_ulp.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/base/math.h"

#define NOT_A_NUMBER GR_NAN
#define INF GR_INFINITY
#define TINY 0x1p-149f /* the smallest denormal */
#define HUGE_FLOAT 0x1.fffffep127f

typedef float unary_fn(float);

static float call_exp(float x) {
    return gr_exp(x);
}
static float call_log(float x) {
    return gr_log(x);
}
static float call_sin(float x) {
    return gr_sin(x);
}
static float call_cos(float x) {
    return gr_cos(x);
}
static float call_tan(float x) {
    return gr_tan(x);
}
static float call_tanh(float x) {
    return gr_tanh(x);
}
static float call_cbrt(float x) {
    return gr_cbrt(x);
}
static float call_sqrt(float x) {
    return gr_sqrt(x);
}

static unary_fn *const ELEMENTARY[] = {call_exp, call_log,  call_sin, call_cos,
                                       call_tan, call_tanh, call_cbrt};

/* ---- helpers ---- */

static void expect_bits(float got, float wanted, const char *what, float x, float y) {
    int both_nan = got != got && wanted != wanted;
    if (gr_float_bits(got) != gr_float_bits(wanted) && !both_nan)
        fail_msg("%s(%a, %a) is %a (0x%08x), wanted %a", what, (double)x, (double)y, (double)got,
                 gr_float_bits(got), (double)wanted);
}

/* Distance in floats; neighbours are 1 apart, -0 and +0 are the same place. */
static int64_t place(float x) {
    int64_t bits = gr_float_bits(x);
    return bits < 0x80000000 ? bits : 0x80000000 - bits;
}

static void expect_near(float got, float wanted, const char *what, float x, float y) {
    int64_t distance = place(got) - place(wanted);
    if (distance < -1 || distance > 1)
        fail_msg("%s(%a, %a) is %a, wanted %a or a neighbour", what, (double)x, (double)y,
                 (double)got, (double)wanted);
}

typedef struct row {
    const char *name;
    unary_fn *function;
    float x, wanted;
} row;

/* ---- one argument ---- */

/* Results that are exact: special cases, and values where no rounding can interfere. */
static void test_exact_values(void **state) {
    (void)state;
    const row rows[] = {
        {"exp", call_exp, 0.0f, 1.0f},
        {"exp", call_exp, -0.0f, 1.0f},
        {"exp", call_exp, TINY, 1.0f},
        {"exp", call_exp, INF, INF},
        {"exp", call_exp, -INF, 0.0f},
        {"exp", call_exp, 0x1.62e43p6f, INF}, /* the first float that overflows */
        {"exp", call_exp, HUGE_FLOAT, INF},
        {"exp", call_exp, -0x1.9fe36ap6f, 0.0f}, /* the first below half of TINY */
        {"exp", call_exp, -HUGE_FLOAT, 0.0f},
        {"log", call_log, 1.0f, 0.0f},
        {"log", call_log, 0.0f, -INF},
        {"log", call_log, -0.0f, -INF},
        {"log", call_log, INF, INF},
        {"log", call_log, -1.0f, NOT_A_NUMBER},
        {"log", call_log, -TINY, NOT_A_NUMBER},
        {"log", call_log, -INF, NOT_A_NUMBER},
        {"sin", call_sin, 0.0f, 0.0f},
        {"sin", call_sin, -0.0f, -0.0f},
        {"sin", call_sin, TINY, TINY},
        {"sin", call_sin, -TINY, -TINY},
        {"sin", call_sin, INF, NOT_A_NUMBER},
        {"sin", call_sin, -INF, NOT_A_NUMBER},
        {"cos", call_cos, 0.0f, 1.0f},
        {"cos", call_cos, -0.0f, 1.0f},
        {"cos", call_cos, TINY, 1.0f},
        {"cos", call_cos, INF, NOT_A_NUMBER},
        {"cos", call_cos, -INF, NOT_A_NUMBER},
        {"tan", call_tan, 0.0f, 0.0f},
        {"tan", call_tan, -0.0f, -0.0f},
        {"tan", call_tan, TINY, TINY},
        {"tan", call_tan, -TINY, -TINY},
        {"tan", call_tan, INF, NOT_A_NUMBER},
        {"tan", call_tan, -INF, NOT_A_NUMBER},
        {"tanh", call_tanh, 0.0f, 0.0f},
        {"tanh", call_tanh, -0.0f, -0.0f},
        {"tanh", call_tanh, TINY, TINY},
        {"tanh", call_tanh, -TINY, -TINY},
        {"tanh", call_tanh, 10.0f, 1.0f},
        {"tanh", call_tanh, -10.0f, -1.0f},
        {"tanh", call_tanh, INF, 1.0f},
        {"tanh", call_tanh, -INF, -1.0f},
        {"cbrt", call_cbrt, 0.0f, 0.0f},
        {"cbrt", call_cbrt, -0.0f, -0.0f},
        {"cbrt", call_cbrt, 27.0f, 3.0f},
        {"cbrt", call_cbrt, -0.125f, -0.5f},
        {"cbrt", call_cbrt, INF, INF},
        {"cbrt", call_cbrt, -INF, -INF},
        {"sqrt", call_sqrt, 0x1.8p-148f, 0x1.3988e2p-74f},
        {"sqrt", call_sqrt, 2.0f, 0x1.6a09e6p0f},
        {"sqrt", call_sqrt, -0.0f, -0.0f},
        {"sqrt", call_sqrt, INF, INF},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_bits(rows[i].function(rows[i].x), rows[i].wanted, rows[i].name, rows[i].x, 0.0f);
}

/* Correctly rounded values; a neighbour is accepted. */
static void test_known_values(void **state) {
    (void)state;
    const row rows[] = {
        {"exp", call_exp, 1.0f, 0x1.5bf0a8p+1f},
        {"exp", call_exp, -1.0f, 0x1.78b564p-2f},
        {"exp", call_exp, 0x1.62e42ep6f, 0x1.ffff08p127f}, /* the last that does not overflow */
        {"exp", call_exp, -0x1.9fe368p6f, TINY},           /* the last that is not zero */
        {"exp", call_exp, -100.0f, 0x1.bp-145f},
        {"log", call_log, 2.0f, 0x1.62e43p-1f},
        {"log", call_log, 0.5f, -0x1.62e43p-1f},
        {"log", call_log, 10.0f, 0x1.26bb1cp+1f},
        {"log", call_log, TINY, -0x1.9d1dap+6f},
        {"log", call_log, HUGE_FLOAT, 0x1.62e43p+6f},
        {"log", call_log, 0x1.000002p0f, 0x1.fffffep-24f},
        {"sin", call_sin, 1.0f, 0x1.aed548p-1f},
        {"sin", call_sin, 0x1.921fb6p1f, -0x1.777a5cp-24f}, /* pi, as a float */
        {"sin", call_sin, HUGE_FLOAT, -0x1.0b3366p-1f},
        {"sin", call_sin, 0x1.f9cbe2p7f, 1.0f},
        {"sin", call_sin, 0x1.517106p115f, -0x1.93d262p-24f}, /* near multiples of pi / 2 */
        {"cos", call_cos, 0x1.f37c8ap95f, -0x1.bbdd52p-30f},
        {"tan", call_tan, 0x1.517106p115f, 0x1.93d262p-24f},
        {"tan", call_tan, 0x1.f37c8ap95f, -0x1.274c1cp29f},
        {"cos", call_cos, 1.0f, 0x1.14a28p-1f},
        {"cos", call_cos, 0x1.921fb6p0f, -0x1.777a5cp-25f},
        {"cos", call_cos, HUGE_FLOAT, 0x1.b4bf2cp-1f},
        {"tan", call_tan, 1.0f, 0x1.8eb246p+0f},
        {"tan", call_tan, 0x1.921fb6p0f, -0x1.5d1494p+24f},
        {"tan", call_tan, HUGE_FLOAT, -0x1.393d94p-1f},
        {"tanh", call_tanh, 0.5f, 0x1.d9353ep-2f},
        {"tanh", call_tanh, -1.0f, -0x1.85efacp-1f},
        {"tanh", call_tanh, 9.0f, 0x1.fffffep-1f},
        {"cbrt", call_cbrt, 2.0f, 0x1.428a3p0f},
        {"cbrt", call_cbrt, -10.0f, -0x1.13c484p1f},
        {"cbrt", call_cbrt, TINY, 0x1.428a3p-50f},
        {"cbrt", call_cbrt, HUGE_FLOAT, 0x1.965feap+42f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_near(rows[i].function(rows[i].x), rows[i].wanted, rows[i].name, rows[i].x, 0.0f);
}

/* Where errors are large; they are below what is measured over all floats (`most`, in units of the
 * last place). `exact` by mpmath, as a double. */
static void test_measured_errors(void **state) {
    (void)state;
    const struct {
        float got;
        double exact, most;
    } rows[] = {
        {gr_cbrt(0x1.7e385ap-125f), 0x1.70a5019ff4befp-42, 0.756},
        {gr_pow(0x1.6ac014p0f, -0x1.c59fc2p7f), 0x1.ef0c3c3a0b6fcp-115, 1.61},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int exponent;
        frexp(rows[k].exact, &exponent);
        double error = fabs((double)rows[k].got - rows[k].exact) * ldexp(1.0, 24 - exponent);
        if (!(error <= rows[k].most))
            fail_msg("row %zu: %a, %g units from %a", k, (double)rows[k].got, error, rows[k].exact);
    }
}

/* Whatever NaN goes in, a NaN comes out. */
static void test_nan_stays(void **state) {
    (void)state;
    const uint32_t nans[] = {0x7fc00000u, 0xffc00000u, 0x7fffffffu, 0x7f800001u, 0xffa5a5a5u};
    for (size_t n = 0; n < sizeof nans / sizeof *nans; n++) {
        float nan = gr_bits_float(nans[n]);
        for (size_t i = 0; i < sizeof ELEMENTARY / sizeof *ELEMENTARY; i++)
            expect_bits(ELEMENTARY[i](nan), NOT_A_NUMBER, "elementary", nan, 0.0f);
        expect_bits(gr_pow(nan, 2.0f), NOT_A_NUMBER, "pow", nan, 2.0f);
        expect_bits(gr_pow(2.0f, nan), NOT_A_NUMBER, "pow", 2.0f, nan);
        expect_bits(gr_pow(nan, nan), NOT_A_NUMBER, "pow", nan, nan);
    }
}

/* sin, cos and tan: up to the limit, the branch-free piece is the function. */
static void test_common_is_whole(void **state) {
    (void)state;
    uint32_t common = 0;
    for (uint64_t bits = 0; bits < 1ull << 32; bits += 4099) {
        float x = gr_bits_float((uint32_t)bits);
        if (!gr_trig_is_common(x))
            continue;
        expect_bits(gr_sin_common(x), gr_sin(x), "sin", x, 0.0f);
        expect_bits(gr_cos_common(x), gr_cos(x), "cos", x, 0.0f);
        expect_bits(gr_tan_common(x), gr_tan(x), "tan", x, 0.0f);
        common++;
    }
    for (int sign = -1; sign <= 1; sign += 2) { /* also where there is none */
        expect_bits(gr_sin_common((float)sign * INF), NOT_A_NUMBER, "sin", INF, 0.0f);
        expect_bits(gr_cos_common((float)sign * INF), NOT_A_NUMBER, "cos", INF, 0.0f);
        expect_bits(gr_tan_common((float)sign * INF), NOT_A_NUMBER, "tan", INF, 0.0f);
    }
    assert_true(common > 1u << 18);
    assert_true(gr_trig_is_common(GR_TRIG_LIMIT) && gr_trig_is_common(-GR_TRIG_LIMIT));
    assert_true(gr_trig_is_common(GR_NAN));
    assert_false(gr_trig_is_common(2.0f * GR_TRIG_LIMIT));
}

/* Odd functions are odd and cos is even, bit for bit, in both pieces. */
static void test_symmetry(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits < 0x7f800000u; bits += 4099) {
        float x = gr_bits_float(bits);
        expect_bits(gr_sin(-x), -gr_sin(x), "sin", x, 0.0f);
        expect_bits(gr_tan(-x), -gr_tan(x), "tan", x, 0.0f);
        expect_bits(gr_tanh(-x), -gr_tanh(x), "tanh", x, 0.0f);
        expect_bits(gr_cbrt(-x), -gr_cbrt(x), "cbrt", x, 0.0f);
        expect_bits(gr_cos(-x), gr_cos(x), "cos", x, 0.0f);
    }
}

/* ---- pow ---- */

typedef struct pow_row {
    float x, y, wanted;
} pow_row;

/* C99 F.9.4.4, line by line. */
static void test_pow_annex_f(void **state) {
    (void)state;
    const pow_row rows[] = {
        /* (+-0, odd integer < 0) is +-infinity */
        {0.0f, -1.0f, INF},
        {-0.0f, -1.0f, -INF},
        {-0.0f, -3.0f, -INF},
        {-0.0f, -0x1.fffffep23f, -INF},
        /* (+-0, any other y < 0) is +infinity */
        {0.0f, -2.0f, INF},
        {-0.0f, -2.0f, INF},
        {-0.0f, -0.5f, INF},
        {-0.0f, -0x1p24f, INF},
        {-0.0f, -INF, INF},
        {0.0f, -INF, INF},
        {-0.0f, -TINY, INF},
        /* (+-0, odd integer > 0) is +-0; any other y > 0 gives +0 */
        {0.0f, 3.0f, 0.0f},
        {-0.0f, 3.0f, -0.0f},
        {-0.0f, 0x1.fffffep23f, -0.0f},
        {-0.0f, 2.0f, 0.0f},
        {-0.0f, 2.5f, 0.0f},
        {-0.0f, 0x1p24f, 0.0f},
        {-0.0f, INF, 0.0f},
        {0.0f, TINY, 0.0f},
        /* (-1, +-infinity) is 1; (1, y) is 1 even for NaN; (x, +-0) is 1 even for NaN */
        {-1.0f, INF, 1.0f},
        {-1.0f, -INF, 1.0f},
        {1.0f, NOT_A_NUMBER, 1.0f},
        {1.0f, INF, 1.0f},
        {1.0f, -HUGE_FLOAT, 1.0f},
        {NOT_A_NUMBER, 0.0f, 1.0f},
        {NOT_A_NUMBER, -0.0f, 1.0f},
        {INF, 0.0f, 1.0f},
        {-INF, -0.0f, 1.0f},
        {0.0f, 0.0f, 1.0f},
        {-0.0f, -0.0f, 1.0f},
        {-2.5f, 0.0f, 1.0f},
        /* finite x < 0 and y no integer is NaN */
        {-2.0f, 0.5f, NOT_A_NUMBER},
        {-TINY, TINY, NOT_A_NUMBER},
        {-1.0f, 0x1.fffffep22f, NOT_A_NUMBER},
        {-HUGE_FLOAT, -1.5f, NOT_A_NUMBER},
        /* (x, -infinity) and (x, +infinity) */
        {0.5f, -INF, INF},
        {-0.5f, -INF, INF},
        {1.5f, -INF, 0.0f},
        {-1.5f, -INF, 0.0f},
        {0x1.fffffep-1f, INF, 0.0f},
        {-0.5f, INF, 0.0f},
        {0x1.000002p0f, INF, INF},
        {-1.5f, INF, INF},
        {INF, INF, INF},
        {-INF, INF, INF},
        {INF, -INF, 0.0f},
        {-INF, -INF, 0.0f},
        /* (-infinity, y): odd integers keep the sign */
        {-INF, -3.0f, -0.0f},
        {-INF, -2.0f, 0.0f},
        {-INF, -2.5f, 0.0f},
        {-INF, 3.0f, -INF},
        {-INF, 2.0f, INF},
        {-INF, 2.5f, INF},
        /* (+infinity, y) */
        {INF, -0.5f, 0.0f},
        {INF, TINY, INF},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_bits(gr_pow(rows[i].x, rows[i].y), rows[i].wanted, "pow", rows[i].x, rows[i].y);
}

static void test_pow_known_values(void **state) {
    (void)state;
    const pow_row rows[] = {
        {2.0f, 10.0f, 0x1p10f},
        {2.0f, -149.0f, TINY},
        {2.0f, -151.0f, 0.0f},
        {2.0f, 128.0f, INF},
        {-2.0f, 127.0f, -0x1p127f},
        {-3.0f, 3.0f, -27.0f},
        {-3.0f, 4.0f, 81.0f},
        {10.0f, -2.0f, 0x1.47ae14p-7f},
        {2.0f, 0.5f, 0x1.6a09e6p0f},
        {TINY, 0.5f, 0x1.6a09e6p-75f},
        {TINY, -0.5f, 0x1.6a09e6p74f},
        {0x1.000002p0f, 0x1p23f, 0x1.5bf0a8p1f},    /* nearly e */
        {0x1.fffffep-1f, 0x1p30f, 0x1.969d14p-93f}, /* nearly e^-64 */
        {-1.0f, 0x1.fffffep23f, -1.0f},
        {-1.0f, 0x1p24f, 1.0f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_near(gr_pow(rows[i].x, rows[i].y), rows[i].wanted, "pow", rows[i].x, rows[i].y);
}

/* ---- IEEE operations and the CPU's view of math: fast ---- */

static void test_ieee_operations(void **state) {
    (void)state;
    expect_bits(gr_div(1.0f, 3.0f), 0x1.555556p-2f, "div", 1.0f, 3.0f);
    expect_bits(gr_div(-1.0f, 0.0f), -INF, "div", -1.0f, 0.0f);
    expect_bits(gr_div(TINY, 2.0f), 0.0f, "div", TINY, 2.0f); /* tie to even */
    expect_bits(gr_div(0x1.8p-148f, 2.0f), 0x1p-148f, "div", 0x1.8p-148f, 2.0f);
    for (uint32_t bits = 0; bits < 0x7f800000u; bits += 40009) {
        float x = gr_bits_float(bits);
        expect_bits(gr_reciprocal(x), gr_div(1.0f, x), "reciprocal", x, 0.0f);
        expect_bits(gr_sqrt(x), (float)sqrt((double)x), "sqrt", x, 0.0f);
    }
}

/* The device's quotient: right whichever neighbour of the reciprocal its unit gives. */
static void test_division_by_a_reciprocal(void **state) {
    (void)state;
    uint64_t random = 88172645463325252ull;
    for (uint32_t k = 0; k < 1u << 20; k++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        uint32_t low = (uint32_t)random, high = (uint32_t)(random >> 32);
        if (k % 8 == 0) /* mantissas at the ends */
            low = k % 16 ? low & 0xff80000fu : low | 0x007ffff0u;
        float a = gr_bits_float((low & 0x807fffffu) | (67 + low / 8388608 % 120) << 23);
        float b = gr_bits_float((high & 0x807fffffu) | (67 + high / 8388608 % 120) << 23);
        uint32_t y = gr_float_bits(1.0f / b);
        for (uint32_t off = 0; off < 3; off++)
            expect_bits(gr_div_by(a, b, gr_bits_float(y - 1 + off)), a / b, "div", a, b);
    }
    expect_bits(gr_div_by(NOT_A_NUMBER, 2.0f, 0.5f), NOT_A_NUMBER, "div", NOT_A_NUMBER, 2.0f);
}

static void test_fast_is_exact_on_cpu(void **state) {
    (void)state;
    const float x = 0.75f, y = 2.5f;
    expect_bits(gr_fast_exp(x), gr_exp(x), "exp", x, 0.0f);
    expect_bits(gr_fast_log(x), gr_log(x), "log", x, 0.0f);
    expect_bits(gr_fast_sin(x), gr_sin(x), "sin", x, 0.0f);
    expect_bits(gr_fast_cos(x), gr_cos(x), "cos", x, 0.0f);
    expect_bits(gr_fast_tan(x), gr_tan(x), "tan", x, 0.0f);
    expect_bits(gr_fast_tanh(x), gr_tanh(x), "tanh", x, 0.0f);
    expect_bits(gr_fast_cbrt(x), gr_cbrt(x), "cbrt", x, 0.0f);
    expect_bits(gr_fast_sqrt(x), gr_sqrt(x), "sqrt", x, 0.0f);
    expect_bits(gr_fast_reciprocal(x), gr_reciprocal(x), "reciprocal", x, 0.0f);
    expect_bits(gr_fast_div(x, y), gr_div(x, y), "div", x, y);
    expect_bits(gr_fast_pow(x, y), gr_pow(x, y), "pow", x, y);
}

/* The number of the largest of random operands, against comparing them one by one: cut by masks
 * here too, but as wholes. Some are NaN, equal, of either sign and zero, infinite or nearly equal.
 */
static void test_ranking(void **state) {
    (void)state;
    const float special[] = {0.0f, -0.0f, INF, -INF, NAN, 1.0f, 0x1.00001p0f, -1.0f, 1e-44f};
    uint64_t z = 1;
    for (uint32_t k = 0; k < 20000; k++) {
        uint32_t n = 1 + k % 32;
        float a[32], chain = 0.0f;
        int best = -1;
        for (uint32_t i = 0; i < n; i++) {
            z = z * 6364136223846793005u + 1442695040888963407u;
            uint32_t word = (uint32_t)(z >> 32);
            a[i] = k % 4 == 0 ? special[word % 9] : k % 4 == 1 ? NAN : gr_bits_float(word);
        }
        for (uint32_t i = n; i-- > 0;)
            chain = i + 1 == n ? gr_ranked_last(a[i]) : gr_ranked_next(a[i], chain);
        for (uint32_t i = 0; i < n; i++) {
            float cut = isinf(a[i]) ? copysignf(0x1.fffffep127f, a[i]) : a[i];
            a[i] = isnan(cut) ? cut : gr_bits_float(gr_float_bits(cut) & 0xffffffe0u);
            if (!isnan(a[i]) && (best < 0 || a[i] > a[best]))
                best = (int)i;
        }
        float got = gr_ranked_first(chain);
        if (best < 0 ? !isnan(got) : got != (float)best)
            fail_msg("round %u: %g, expected %d", k, (double)got, best);
    }
}

/* Infinite operands are numbers: -infinity is larger than none. */
static void test_ranking_infinities(void **state) {
    (void)state;
    const struct {
        float a, b, number;
    } rows[] = {
        {-INF, -INF, 0.0f}, {NOT_A_NUMBER, -INF, 1.0f},        {-INF, NOT_A_NUMBER, 0.0f},
        {INF, INF, 0.0f},   {NOT_A_NUMBER, INF, 1.0f},         {-INF, -0x1p126f, 1.0f},
        {0x1p126f, INF, 1}, {NOT_A_NUMBER, -HUGE_FLOAT, 1.0f},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        expect_bits(gr_ranked_first(gr_ranked_next(rows[k].a, gr_ranked_last(rows[k].b))),
                    rows[k].number, "argmax", rows[k].a, rows[k].b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_values),
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_nan_stays),
        cmocka_unit_test(test_common_is_whole),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_pow_annex_f),
        cmocka_unit_test(test_pow_known_values),
        cmocka_unit_test(test_ieee_operations),
        cmocka_unit_test(test_division_by_a_reciprocal),
        cmocka_unit_test(test_fast_is_exact_on_cpu),
        cmocka_unit_test(test_ranking),
        cmocka_unit_test(test_ranking_infinities),
        cmocka_unit_test(test_measured_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
