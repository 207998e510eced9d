/* Elementary functions over doubles, for `precision: double`: as math.h has them over floats.
 *
 * Only IEEE operations are used: + - * /, sqrt, explicit fma, comparisons, integers; compiled as
 * math.h is, they give the same bits wherever that holds. gr_exp_d, gr_log_d, gr_tanh_d, gr_cbrt_d,
 * gr_pow_d and the *_common_d have selects but no branches, so that cc vectorises a loop over them.
 *
 * "Measured" is the largest distance from the C library's functions over long doubles, in units of
 * the last place, over 2^25 arguments of all exponents, and twice as many where errors are large;
 * tests/property/math_double.c --points 33554432 is the measurement. Results that are denormal
 * numbers are rounded twice and may be a unit of 2^-1074 away. */
#ifndef GR_MATH_DOUBLE_H
#define GR_MATH_DOUBLE_H

#include "gpu/core/base/portable.h"
#include "gpu/core/base/tables_double.h"

GR_FN double gr_bits_double(uint64_t bits) {
#ifdef __CUDA_ARCH__
    return __longlong_as_double((long long)bits);
#else
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
#endif
}

GR_FN uint64_t gr_double_bits(double d) {
#ifdef __CUDA_ARCH__
    return (uint64_t)__double_as_longlong(d);
#else
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
#endif
}

#define GR_NAN_D gr_bits_double(0x7ff8000000000000ull)
#define GR_INFINITY_D gr_bits_double(0x7ff0000000000000ull)
#define GR_SIGN_D 0x8000000000000000ull

/* Numbers that stand in memory for constants on a GPU, where an instruction takes them as operands:
 * written where they are used, each would be two instructions more, whenever a loop that is not
 * unrolled comes to it. */
#ifdef __CUDACC__
#define GR_NUMBERS static __constant__ double
#else
#define GR_NUMBERS static const __attribute__((unused)) double
#endif

/* Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits. */
#define GR_ROUNDER_D 0x1.8p52

/* p, which is the first term, by Horner's rule with the seven behind it. */
#define GR_SEVEN_TERMS_D(p, x, term)                                                               \
    p = fma(p, x, term[1]), p = fma(p, x, term[2]), p = fma(p, x, term[3]);                        \
    p = fma(p, x, term[4]), p = fma(p, x, term[5]), p = fma(p, x, term[6]);                        \
    p = fma(p, x, term[7]);

/* m with the sign of a: numpy.sign(a) * m. */
GR_FN double gr_signed_d(double a, double m) {
    return (a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a) * m;
}

/* ---- division ---- */

#ifdef __CUDACC__
/* 1 / b to 20 bits; infinite for a 0 and for a denormal number, 0 for infinity. */
GR_FN double gr_near_reciprocal_d(double b) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
    return y;
}

/* a / b correctly rounded from that, where no step leaves the range of normal numbers: what a
 * division does behind its look at the exponents. */
GR_FN double gr_div_by_d(double a, double b, double y) {
    y = __hiloint2double(__double2hiint(y), 1);
    double e = fma(-b, y, 1.0);
    y = fma(y, fma(e, e, e), y);
    y = fma(y, fma(-b, y, 1.0), y);
    double q = a * y;
    return fma(y, fma(-b, q, a), q);
}

/* a / b without a branch, so that several go side by side. *rare: operands or a quotient for which
 * it may be wrong, near the ends of the range; zeros, infinities and NaN are not among them, but
 * for a divisor that has no reciprocal here: 0 / 2^-1074 and infinity / 2^1023 are rare. The high
 * words are looked at as floats, which are NaN where doubles are infinite, or from 2^1017 on. */
GR_FN double gr_div_seen_d(double a, double b, bool *rare) {
    double y = gr_near_reciprocal_d(b), q = gr_div_by_d(a, b, y);
    float high_a = __int_as_float(__double2hiint(a)), high_b = __int_as_float(__double2hiint(b));
    float high_q = __int_as_float(__double2hiint(q));
    bool plain = (fabsf(high_a) >= __int_as_float(0x03600000)) &
                 (fabsf(fmaf(0.0f, high_b, high_q)) > __int_as_float(0x00100000));
    uint32_t without_sign = (uint32_t)__double2hiint(y) << 1;
    bool has_reciprocal = without_sign - 0x00200000u < 0xffe00000u - 0x00200000u;
    bool special = (b == 0.0) | !(fabs(b) < GR_INFINITY_D) |
                   (has_reciprocal & ((a == 0.0) | !(fabs(a) < GR_INFINITY_D)));
    *rare |= !plain & !special;
    return special ? a * y : q;
}
#endif

/* a / b where 1 <= b <= 4, and |a| <= 4 is 0 or not below 2^-100: nothing has to be looked at. */
GR_FN double gr_div_near_d(double a, double b) {
#ifdef __CUDACC__
    return gr_div_by_d(a, b, gr_near_reciprocal_d(b));
#else
    return a / b;
#endif
}

/* ---- exp ---- */

#define GR_LN2_HI_D 0x1.62e42fefa38p-1 /* 42 bits: n times it is exact */
#define GR_LN2_LO_D 0x1.ef35793c7673p-45
#define GR_EXP_MAX_D 710.0  /* above: infinity */
#define GR_EXP_MIN_D -746.0 /* below: zero, also as a denormal */

/* 32 / ln 2; - ln 2 / 32 in two parts: n times the first, of 37 bits, is exact. */
#define GR_EXP_STEP_D 0x1.71547652b82fep5, -0x1.62e42fefap-6, -0x1.cf79abc9e3b3ap-45
GR_NUMBERS gr_exp_step_d[] = {GR_EXP_STEP_D};
/* (e^r - 1 - r) / r^2 for |r| <= ln(2) / 64, which gives e^r to 2^-62. */
#define GR_EXP_TERMS_D                                                                             \
    0x1.6c170ee7c02fdp-10, 0x1.11114f8da0497p-7, 0x1.555555554e93cp-5, 0x1.555555554dd39p-3, 0.5
GR_NUMBERS gr_exp_terms_d[] = {GR_EXP_TERMS_D};

/* An exponent as n ln(2) / 32 + r, tail less. The low five bits of `bits` number the entry of
 * the powers; those above are the exponent of 2, twice the bias of a double more. */
typedef struct gr_exponent_d {
    double r, tail;
    uint64_t bits;
} gr_exponent_d;

GR_FN gr_exponent_d gr_exp_reduce_d(double x) {
    const double rounder = GR_ROUNDER_D + GR_ENTRIES_D * 2046.0;
    double z = fma(x, gr_exp_step_d[0], rounder), n = z - rounder;
    double first = fma(n, gr_exp_step_d[1], x);
    gr_exponent_d e;
    e.r = fma(n, gr_exp_step_d[2], first);
    e.tail = fma(n, gr_exp_step_d[2], first - e.r);
    e.bits = gr_double_bits(z);
    return e;
}

/* (e^r - 1 - r) / r^2. */
GR_FN double gr_exp_polynomial_d(double r) {
    double p = gr_exp_terms_d[0];
    p = fma(p, r, gr_exp_terms_d[1]);
    p = fma(p, r, gr_exp_terms_d[2]);
    p = fma(p, r, gr_exp_terms_d[3]);
    return fma(p, r, gr_exp_terms_d[4]);
}

/* y times the power of 2 of the exponent: as two factors, for denormal results. */
GR_FN double gr_exp_scale_d(gr_exponent_d e, double y) {
    uint64_t first = (e.bits >> 6) << 52, second = (e.bits >> 5 << 52) - first;
    return y * gr_bits_double(first) * gr_bits_double(second);
}

/* e to the reduced exponent, less 1; its tail is nothing beside that. */
GR_FN double gr_exp_less_one_d(gr_exponent_d e) {
    return fma(gr_exp_polynomial_d(e.r), e.r * e.r, e.r);
}

GR_FN double gr_exp_clamped_d(double x) {
    x = x > GR_EXP_MAX_D ? GR_EXP_MAX_D : x;
    return x < GR_EXP_MIN_D ? GR_EXP_MIN_D : x;
}

/* Measured 0.998 ulp. */
GR_FN double gr_exp_d(double x) {
    gr_exponent_d e = gr_exp_reduce_d(gr_exp_clamped_d(x));
    double power = gr_table_d.power[e.bits % GR_ENTRIES_D];
    return gr_exp_scale_d(e, fma(power, gr_exp_less_one_d(e), power));
}

/* ---- log ---- */

/* Splits a positive finite x into m * 2^e, m from the number with bits `low` to its double; returns
 * how far the bits of m are from `low`. */
GR_FN uint64_t gr_log_split_d(double x, uint64_t low, double *m, double *e) {
    int tiny = x < 0x1p-1022; /* 2^54 brings denormals into the normal range, exactly */
    uint64_t bits = gr_double_bits(tiny ? x * 0x1p54 : x) - low + 0x3ff0000000000000ull;
    *e = gr_bits_double(0x4330000000000000ull + (bits >> 52)) -
         (tiny ? 0x1p52 + 1077.0 : 0x1p52 + 1023.0);
    bits &= 0x000fffffffffffffull;
    *m = gr_bits_double(bits + low);
    return bits;
}

/* (log(1 + r) - r) / r^2 for -1/64 <= r <= 1/32: the logarithm to 2^-58 of it. */
#define GR_LOG_TERMS_D                                                                             \
    0x1.ae2350924df8cp-4, -0x1.ffbf401d4584bp-4, 0x1.24938e1562f3cp-3, -0x1.55555a8920163p-3,      \
        0x1.99999990053d2p-3, -0x1.ffffffffd5a5fp-3, 0x1.55555555555fbp-2, -0x1.0000000000001p-1
GR_NUMBERS gr_log_terms_d[] = {GR_LOG_TERMS_D};
GR_NUMBERS gr_ln2_d[] = {GR_LN2_HI_D, GR_LN2_LO_D};

/* log(m 2^e) by the entry of m's interval. */
GR_FN double gr_log_by_d(double m, double e, double inverse, double part) {
    double r = fma(m, inverse, -1.0), p = gr_log_terms_d[0];
    GR_SEVEN_TERMS_D(p, r, gr_log_terms_d)
    double whole = fma(e, gr_ln2_d[0], part); /* exact; 0, or larger than what is added */
    return whole + fma(e, gr_ln2_d[1], fma(p, r * r, r));
}

/* y for positive finite x, or what the others have. */
GR_FN double gr_log_special_d(double x, double y) {
    y = x < GR_INFINITY_D ? y : x;
    double special = x == 0.0 ? -GR_INFINITY_D : GR_NAN_D;
    return x > 0.0 ? y : special;
}

/* Measured 1.012 ulp. */
GR_FN double gr_log_d(double x) {
    double m, e;
    uint64_t k = gr_log_split_d(x, GR_LOG_LOWEST_D, &m, &e) >> 47;
    return gr_log_special_d(x, gr_log_by_d(m, e, gr_table_d.inverse[k], gr_table_d.log[k]));
}

/* ---- tanh ---- */

/* (n + nl) / (d + dl), |nl| and |dl| below an ulp of the other: one correction of the quotient. */
GR_FN double gr_div_pairs_d(double n, double nl, double d, double dl) {
    double q = n / d;
    return q + (fma(-q, d, n) + fma(-q, dl, nl)) / d;
}

/* t / (t + 2) with t = e^2|x| - 1, which is a pair. Measured 0.920 ulp. */
GR_FN double gr_tanh_d(double x) {
    double a = fabs(x), t = 2.0 * a;
    gr_exponent_d e = gr_exp_reduce_d(t > 40.0 ? 40.0 : t);
    uint64_t k = e.bits % GR_ENTRIES_D;
    double scale = gr_bits_double(((e.bits >> 5) - 1023) << 52);
    double power = gr_table_d.power[k] * scale,
           whole = power - 1.0; /* 0, or larger than what is added */
    double y = fma(power, e.r, whole), yl = fma(power, e.r, whole - y);
    double rest = fma(gr_table_d.power_rest[k], scale, (power - whole) - 1.0);
    double small = fma(power, fma(gr_exp_polynomial_d(e.r), e.r * e.r, e.tail), rest) + yl;
    double hi = y + small, lo = (y - hi) + small;
    double d = hi + 2.0, larger = hi > 2.0 ? hi : 2.0, other = hi > 2.0 ? 2.0 : hi;
    double q = gr_div_pairs_d(hi, lo, d, ((larger - d) + other) + lo);
    q = a < 0x1p-28 ? a : q; /* denormal numbers, and the 0 */
    q = a == a ? q : a;
    return gr_bits_double(gr_double_bits(q) | (gr_double_bits(x) & GR_SIGN_D));
}

/* ---- cbrt ---- */

/* As gr_cbrt, with two steps of third order for the inverse of the root, and one of Newton's for
 * the root, whose square is a pair. Measured 0.500 ulp. */
GR_FN double gr_cbrt_d(double x) {
    double a = fabs(x);
    int small = a < 0x1p-768;
    double s = small ? a * 0x1p768 : a;
    uint64_t top = gr_double_bits(s) >> 32;
    double r = gr_bits_double((0x553f0000ull - (top * 0x55555556ull >> 32)) << 32);
    for (int step = 0; step < 2; step++) {
        double e = fma(-(s * r) * r, r, 1.0);
        double p = fma(0x1.61f9add3c0ca4p-3, e, 0x1.c71c71c71c71cp-3);
        r = fma(r * e, fma(p, e, 0x1.5555555555555p-2), r);
    }
    double y = s * r * r, square = y * y, low = fma(y, y, -square);
    double d = fma(square, y, -s) + low * y;
    y = fma(d * (r * r), -0x1.5555555555555p-2, y);
    y = small ? y * 0x1p-256 : y;
    y = a < GR_INFINITY_D && a > 0.0 ? y : a; /* 0, infinity and NaN */
    return gr_bits_double(gr_double_bits(y) | (gr_double_bits(x) & GR_SIGN_D));
}

/* ---- sin, cos, tan ---- */

/* Up to this magnitude pi / 16 in three doubles is enough, its multiples have 25 bits, and x over
 * it rounds to the right integer or next to it. NaN counts as common. */
#define GR_TRIG_LIMIT_D 0x1p22

#define GR_HALF_PI_HI_D 0x1.921fb54442d18p0
#define GR_HALF_PI_MID_D 0x1.1a62633145c07p-54

enum { GR_COSINE_D = 8 }; /* entries from a sine to the cosine of the same angle */

/* An angle as q * pi / 16 + r + tail, |r| just above pi / 32 at most. The low five bits of q number
 * the entry of the sines. */
typedef struct gr_angle_d {
    double r, tail;
    uint64_t q;
} gr_angle_d;

/* 16 / pi; - pi / 16 in three parts. */
#define GR_TURN_D                                                                                  \
    0x1.45f306dc9c883p2, -0x1.921fb54442d18p-3, -0x1.1a62634p-57, 0x1.d747f23e32ed7p-86
GR_NUMBERS gr_turn_d[] = {GR_TURN_D};

/* The first step is exact; so is the product of the second, whose factor has 28 bits, and what
 * rounding takes from its sum is kept: what is left of x is a multiple of a unit of that. */
GR_FN gr_angle_d gr_angle_common_d(double x) {
    double z = fma(x, gr_turn_d[0], GR_ROUNDER_D), n = z - GR_ROUNDER_D;
    double first = fma(n, gr_turn_d[1], x);
    gr_angle_d a;
    a.r = fma(n, gr_turn_d[2], first);
    a.tail = fma(n, gr_turn_d[3], fma(n, gr_turn_d[2], first - a.r));
    a.q = gr_double_bits(z);
    return a;
}

/* 2/pi in binary, after 64 zero bits. */
GR_CONST uint64_t gr_two_over_pi_d[21] = {
    0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull,
    0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull,
    0xf0cfbc209af4361dull};

__extension__ typedef unsigned __int128 gr_u128;
__extension__ typedef __int128 gr_i128;

/* 64 bits of the table from bit `at` on. */
GR_FN uint64_t gr_bits_of_turn(uint32_t at) {
    uint64_t word = gr_two_over_pi_d[at >> 6];
    uint32_t shift = at & 63u;
    return shift ? word << shift | gr_two_over_pi_d[(at >> 6) + 1] >> (64u - shift) : word;
}

/* The same for finite |x| > GR_TRIG_LIMIT_D. Payne and Hanek: only bits of value below 4 matter, so
 * 192 bits of 2/pi, chosen by the exponent, times the mantissa are enough. */
GR_CALL gr_angle_d gr_angle_rare_d(double x) {
    uint64_t bits = gr_double_bits(x);
    uint64_t mantissa = (bits & 0x000fffffffffffffull) | 0x0010000000000000ull;
    /* x = mantissa 2^(e - 1075): bit 64 + k of the table counts 2^(e - 1076 - k) */
    uint32_t at = (uint32_t)(bits >> 52 & 0x7ffu) - 1013u;
    gr_u128 turn = (gr_u128)mantissa * gr_bits_of_turn(at + 128) >> 64;
    turn += (gr_u128)mantissa * gr_bits_of_turn(at + 64);
    turn += (gr_u128)(mantissa * gr_bits_of_turn(at)) << 64;
    turn = bits >> 63 ? (gr_u128)0 - turn : turn;
    gr_angle_d a;
    a.q = (uint64_t)((turn + ((gr_u128)1 << 122)) >> 123); /* of eighths of a quarter */
    gr_i128 rest = (gr_i128)(turn - ((gr_u128)a.q << 123));
    double hi = (double)rest, lo = (double)(rest - (gr_i128)hi);
    hi *= 0x1p-126;
    lo *= 0x1p-126;
    a.r = hi * GR_HALF_PI_HI_D;
    a.tail = fma(hi, GR_HALF_PI_HI_D, -a.r) + fma(hi, GR_HALF_PI_MID_D, lo * GR_HALF_PI_HI_D);
    return a;
}

/* (sin(r) - r) / r^3 and (cos(r) - 1) / r^2 over r^2: the sine to 2^-68, the cosine to 2^-62. */
#define GR_SIN_TERMS_D                                                                             \
    0x1.71cafb68762eep-19, -0x1.a01a010bebdabp-13, 0x1.111111110f64ep-7, -0x1.5555555555555p-3
GR_NUMBERS gr_sin_terms_d[] = {GR_SIN_TERMS_D};
#define GR_COS_TERMS_D 0x1.a00400edc8b2ep-16, -0x1.6c16c0ed644cfp-10, 0x1.5555555553b47p-5, -0.5
GR_NUMBERS gr_cos_terms_d[] = {GR_COS_TERMS_D};

/* What an angle adds to its entry: sin(r + tail) - r, and cos(r + tail) - 1. */
typedef struct gr_beside_d {
    double sine, cosine;
} gr_beside_d;

GR_FN gr_beside_d gr_beside_of_d(gr_angle_d a) {
    double s = a.r * a.r, p = gr_sin_terms_d[0], c = gr_cos_terms_d[0];
    p = fma(p, s, gr_sin_terms_d[1]);
    p = fma(p, s, gr_sin_terms_d[2]);
    p = fma(p, s, gr_sin_terms_d[3]);
    c = fma(c, s, gr_cos_terms_d[1]);
    c = fma(c, s, gr_cos_terms_d[2]);
    c = fma(c, s, gr_cos_terms_d[3]);
    gr_beside_d b = {fma(p, a.r * s, a.tail), c * s};
    return b;
}

/* The sine of the angle as a pair: `sine` and `rest` of its entry, `cosine` of that eight further.
 */
GR_FN double gr_sin_by_d(gr_angle_d a, gr_beside_d b, double sine, double rest, double cosine,
                         double *low) {
    double y = fma(cosine, a.r, sine);
    double more = fma(cosine, b.sine, fma(sine, b.cosine, rest));
    *low = fma(cosine, a.r, sine - y) + more;
    return y;
}

/* The angle's sine, or with `eighths` of a quarter of a turn more another. */
GR_FN double gr_sin_angle_d(gr_angle_d a, uint32_t eighths) {
    uint64_t k = a.q + eighths;
    uint64_t at = k % GR_ENTRIES_D, further = (k + GR_COSINE_D) % GR_ENTRIES_D;
    double low, y = gr_sin_by_d(a, gr_beside_of_d(a), gr_table_d.sine[at], gr_table_d.sine_rest[at],
                                gr_table_d.sine[further], &low);
    return y + low;
}

/* The tangent by entries for the sine and for the cosine. */
GR_FN double gr_tan_by_d(gr_angle_d a, double sine, double sine_rest, double cosine,
                         double cosine_rest) {
    gr_beside_d beside = gr_beside_of_d(a);
    double nl, n = gr_sin_by_d(a, beside, sine, sine_rest, cosine, &nl);
    double dl, d = gr_sin_by_d(a, beside, cosine, cosine_rest, -sine, &dl);
    double hi = n + nl, below = d + dl;
    return gr_div_pairs_d(hi, (n - hi) + nl, below, (d - below) + dl);
}

GR_FN double gr_tan_angle_d(gr_angle_d a) {
    uint64_t at = a.q % GR_ENTRIES_D, further = (a.q + GR_COSINE_D) % GR_ENTRIES_D;
    return gr_tan_by_d(a, gr_table_d.sine[at], gr_table_d.sine_rest[at], gr_table_d.sine[further],
                       gr_table_d.sine_rest[further]);
}

GR_FN int gr_trig_is_common_d(double x) {
    return !(fabs(x) > GR_TRIG_LIMIT_D);
}

/* Below this tan of x is x, also where x^3 would be a denormal number; -0 stays. */
#define GR_TRIG_ITSELF_D 0x1p-28

/* 2 / pi; - pi / 2 in three parts. */
#define GR_QUARTER_D                                                                               \
    0x1.45f306dc9c883p-1, -0x1.921fb54442d18p0, -0x1.1a62633145c07p-54, 0x1.f1976b7ed8fbcp-110
GR_NUMBERS gr_quarter_d[] = {GR_QUARTER_D};
/* (sin(r) - r) / r^3 over r^2, for |r| just above pi / 2 at most: the sine to 2^-61 of it. */
#define GR_HALF_TURN_TERMS_D                                                                       \
    0x1.8824293f35f22p-49, -0x1.ae4303a56ed06p-41, 0x1.6123cb38fe517p-33, -0x1.ae6454cdf276cp-26,  \
        0x1.71de3a529457ep-19, -0x1.a01a01a014bffp-13, 0x1.11111111110c7p-7, -0x1.5555555555555p-3
GR_NUMBERS gr_half_turn_terms_d[] = {GR_HALF_TURN_TERMS_D};
/* Added to a number of quarters of a turn, the first leaves whole half turns; the second, of one
 * below 2^42, GR_FRACTION_D of its bits behind the point. */
#define GR_HALF_TURNS_D 0x1.8p53
#define GR_QUARTERS_D 0x1.8p44
enum { GR_FRACTION_D = 8 };

/* The quarters of a turn that are to be taken from x, so that the sine of the rest is the one that
 * is asked for; it has the other sign where bit 0 of `flips` is set. */
typedef struct gr_turns_d {
    double x, quarters;
    uint64_t flips;
} gr_turns_d;

/* For sin(x): the nearest half turns, so that it is odd. */
GR_FN gr_turns_d gr_sin_turns_d(double x) {
    double z = fma(x, gr_quarter_d[0], GR_HALF_TURNS_D);
    return (gr_turns_d){x, z - GR_HALF_TURNS_D, gr_double_bits(z)};
}

/* For cos(x), by |x|: the half turns below that, and a quarter more; counted downwards, so that the
 * rest exceeds a quarter by 2^-9 of it at most. */
GR_FN gr_turns_d gr_cos_turns_d(double x) {
    double a = fabs(x), z = fma(a, gr_quarter_d[0], GR_QUARTERS_D + 2.0);
    uint64_t flips = gr_double_bits(z) >> (GR_FRACTION_D + 1);
    double whole = gr_bits_double(flips << (GR_FRACTION_D + 1));
    return (gr_turns_d){a, whole - (GR_QUARTERS_D + 1.0), flips};
}

/* One polynomial for all of a half turn, without entries of tables, which cost more than its terms
 * wherever they have to be gathered. The first step towards the rest is exact where x is not below
 * 1, the last one changes it only where the two before leave next to nothing. Next to 1 a result
 * may be 1 + 2^-52 before it is cut; the sine of -0 has its sign. */
GR_FN double gr_sin_turned_d(gr_turns_d t) {
    double near = fma(t.quarters, gr_quarter_d[2], fma(t.quarters, gr_quarter_d[1], t.x));
    double r = fma(t.quarters, gr_quarter_d[3], near);
    double square = r * r, cube = r * square, p = gr_half_turn_terms_d[0];
    GR_SEVEN_TERMS_D(p, square, gr_half_turn_terms_d)
    double y = fabs(fma(p, cube, r));
    y = y > 1.0 ? 1.0 : y;
    return gr_bits_double(gr_double_bits(y) | ((gr_double_bits(near) ^ t.flips << 63) & GR_SIGN_D));
}
GR_FN double gr_sin_common_d(double x) {
    return gr_sin_turned_d(gr_sin_turns_d(x));
}
GR_FN double gr_cos_common_d(double x) {
    return gr_sin_turned_d(gr_cos_turns_d(x));
}
GR_FN double gr_tan_common_d(double x) {
    double y = gr_tan_angle_d(gr_angle_common_d(x));
    return fabs(x) < GR_TRIG_ITSELF_D ? x : y;
}

/* For arguments that are not common, infinity among them. */
GR_FN double gr_sin_rare_d(double x) {
    double y = gr_sin_angle_d(gr_angle_rare_d(x), 0);
    return fabs(x) < GR_INFINITY_D ? y : GR_NAN_D;
}
GR_FN double gr_cos_rare_d(double x) {
    double y = gr_sin_angle_d(gr_angle_rare_d(x), GR_COSINE_D);
    return fabs(x) < GR_INFINITY_D ? y : GR_NAN_D;
}
GR_FN double gr_tan_rare_d(double x) {
    double y = gr_tan_angle_d(gr_angle_rare_d(x));
    return fabs(x) < GR_INFINITY_D ? y : GR_NAN_D;
}

/* Measured 1.916 ulp. */
GR_FN double gr_sin_d(double x) {
    return gr_trig_is_common_d(x) ? gr_sin_common_d(x) : gr_sin_rare_d(x);
}
/* Measured 1.880 ulp. */
GR_FN double gr_cos_d(double x) {
    return gr_trig_is_common_d(x) ? gr_cos_common_d(x) : gr_cos_rare_d(x);
}
/* Measured 0.639 ulp. */
GR_FN double gr_tan_d(double x) {
    return gr_trig_is_common_d(x) ? gr_tan_common_d(x) : gr_tan_rare_d(x);
}

/* ---- pow ---- */

#define GR_SQRT_HALF_D 0x3fe6a09e667f3bcdull /* its bits */

/* log(x) as hi + lo, relative error about 2^-64, for positive finite x: as gr_log_pair, with the
 * third of q^3 as a pair too. */
GR_FN double gr_log_pair_d(double x, double *lo) {
    double e, m;
    gr_log_split_d(x, GR_SQRT_HALF_D, &m, &e);
    double f = m - 1.0, inverse = 1.0 / (f + 2.0);
    double q = inverse * f;
    double ql = inverse * fma(q, -f, fma(q, -2.0, f));
    double s = q * q, sl = fma(q, ql + ql, fma(q, q, -s));
    double c = s * q, cl = fma(s, ql, fma(sl, q, fma(s, q, -c)));
    double t = c * 0x1.5555555555555p-2;
    double tl =
        fma(c, 0x1.5555555555555p-2, -t) + fma(c, 0x1.5555555555555p-56, cl * 0x1.5555555555555p-2);
    double u = c * s, ul = fma(c, sl, fma(cl, s, fma(c, s, -u))); /* five times the error of q */
    double p = 0x1.e0350a10db6fbp-5;
    p = fma(p, s, 0x1.df7c273c8758ep-5);
    p = fma(p, s, 0x1.1118cae99eb7ep-4);
    p = fma(p, s, 0x1.3b1395c3e1f1ep-4);
    p = fma(p, s, 0x1.745d177ab816bp-4);
    p = fma(p, s, 0x1.c71c71c6ea7a8p-4);
    p = fma(p, s, 0x1.2492492492522p-3);
    p = fma(p, s, 0x1.999999999999ap-3);
    double sum = q + t, rest = ((q - sum) + t) + fma(p, u, fma(p, ul, tl + ql));
    double whole = e * GR_LN2_HI_D, twice = 2.0 * sum;
    double y = whole + twice, yl = e == 0.0 ? 0.0 : (whole - y) + twice;
    yl += fma(e, GR_LN2_LO_D, 2.0 * rest);
    double hi = y + yl;
    *lo = (y - hi) + yl;
    return hi;
}

/* Gives |x|^y its sign and those special cases of C99 Annex F that exp(y log |x|) does not. */
GR_FN double gr_pow_signed_d(double magnitude, double x, double y) {
    /* adding 2^52 rounds to an integer; from there on every double is whole, from 2^53 on even */
    double a = fabs(y);
    double b = a < 0x1p52 ? a : 0x1p52, half = 0.5 * (a < 0x1p53 ? a : 0x1p53);
    double whole = (b + 0x1p52) - 0x1p52, even = (half + 0x1p52) - 0x1p52;
    uint64_t sign = gr_double_bits(x) & GR_SIGN_D;
    sign = whole == b ? sign : 0u;
    sign = even == half ? 0u : sign;
    double r = gr_bits_double(gr_double_bits(magnitude) | sign);
    double negative = whole == b ? r : GR_NAN_D; /* for finite x < 0 */
    negative = x == -GR_INFINITY_D ? r : negative;
    r = x < 0.0 ? negative : r;
    r = x == 1.0 ? 1.0 : r;
    return y == 0.0 ? 1.0 : r;
}

/* exp(y log |x|) in pairs. Measured 0.663 ulp. */
GR_FN double gr_pow_d(double x, double y) {
    double a = fabs(x), lo, hi = gr_log_pair_d(a, &lo);
    hi = a == 0.0 ? -GR_INFINITY_D : hi;
    hi = a < GR_INFINITY_D ? hi : a; /* infinity or NaN */
    /* |log| is 2^-53 at least, or 0 for 1: beyond 2^64 the result is settled */
    double t = y > 0x1p64 ? 0x1p64 : y;
    t = t < -0x1p64 ? -0x1p64 : t;
    double product = hi * t;
    double rest = fma(lo, t, fma(hi, t, -product));
    rest = product > GR_EXP_MAX_D ? 0.0 : rest;
    rest = product < GR_EXP_MIN_D ? 0.0 : rest;
    gr_exponent_d e = gr_exp_reduce_d(gr_exp_clamped_d(product));
    e.r += rest;
    uint64_t k = e.bits % GR_ENTRIES_D;
    double power = gr_table_d.power[k];
    power += fma(power, gr_exp_less_one_d(e), gr_table_d.power_rest[k]);
    return gr_pow_signed_d(gr_exp_scale_d(e, power), x, y);
}

/* ---- argmax ---- */

/* As gr_ranked_*: the lowest five bits hold the number of an operand. */
GR_FN uint64_t gr_ranked_bits_d(double a) {
    double most = 0x1.fffffffffffffp1023;
    a = a > most ? most : a;
    a = a < -most ? -most : a;
    return gr_double_bits(a) & ~31ull;
}
GR_FN double gr_ranked_last_d(double a) {
    return a == a ? gr_bits_double(gr_ranked_bits_d(a)) : GR_NAN_D;
}
GR_FN double gr_ranked_next_d(double a, double b) {
    uint64_t own = gr_ranked_bits_d(a), others = gr_double_bits(b);
    int less = (b == b) & (gr_bits_double(own) < gr_bits_double(others & ~31ull));
    double other = b == b ? gr_bits_double(others + 1u) : GR_NAN_D;
    return ((a == a) & (less ^ 1)) != 0 ? gr_bits_double(own) : other;
}
GR_FN double gr_ranked_first_d(double a) {
    return a == a ? (double)(int32_t)(gr_double_bits(a) & 31u) : GR_NAN_D;
}

#endif
