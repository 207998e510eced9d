/* Elementary functions that give the same bits on an x86-64 CPU and on an NVIDIA GPU.
 *
 * Only IEEE operations are used: + - * /, sqrt, explicit fmaf, comparisons, integers. The compilers
 * must neither contract nor reorder them: cc -ffp-contract=off -fno-math-errno -fno-trapping-math
 * (never -ffast-math), nvcc -fmad=false (never -ftz=true or -use_fast_math). Every NaN result of
 * exp .. pow is 0x7fc00000.
 *
 * gr_exp, gr_log, gr_tanh, gr_pow and the *_common functions have selects but no branches, so a
 * plain loop over them is vectorised by cc -O3 -mavx2 -mfma. sin, cos and tan come in three pieces:
 * gr_sin_common holds where gr_sin_is_common says so, gr_sin_rare everywhere else, gr_sin is the
 * choice between the two.
 *
 * "Measured" is the largest distance from glibc's double function over all 2^32 floats, in units of
 * the last place of the float result; tests/property/math_ulp.c --stride 1 is the measurement.
 *
 * Include as "core/math.h" or "math.h" from beside it; this folder must never be on the <> include
 * path, where it would hide the C library's header. */
#ifndef GR_MATH_H
#define GR_MATH_H

#include "portable.h"

#define GR_NAN gr_bits_float(0x7fc00000u)
#define GR_INFINITY gr_bits_float(0x7f800000u)

/* Adding 1.5 * 2^23 rounds a small float to an integer, ties to even, and leaves that integer in
 * the low bits: one addition, where rintf would be a library call on baseline x86-64. */
#define GR_ROUNDER 0x1.8p23f

/* ---- operations that IEEE defines ---- */

/* Correctly rounded. A NaN result keeps whatever payload the hardware gives, as with + - *. */
GR_FN float gr_sqrt(float x) {
#ifdef __CUDACC__
    return __fsqrt_rn(x);
#else
    return sqrtf(x);
#endif
}

GR_FN float gr_div(float a, float b) {
#ifdef __CUDACC__
    return __fdiv_rn(a, b);
#else
    return a / b;
#endif
}

/* The same as gr_div(1, x), cheaper on the device. */
GR_FN float gr_reciprocal(float x) {
#ifdef __CUDACC__
    return __frcp_rn(x);
#else
    return 1.0f / x;
#endif
}

/* ---- exp ---- */

#define GR_LOG2_E 0x1.715476p0f
#define GR_LN2_HI 0x1.62e43p-1f /* short enough for n * GR_LN2_HI to cancel exactly */
#define GR_LN2_LO (-0x1.05c61p-29f)
#define GR_EXP_MAX 89.0f     /* above: infinity */
#define GR_EXP_MIN (-104.5f) /* below: zero, also as a denormal */

/* e^r for |r| <= ln(2) / 2: minimax polynomial, relative error 3.3e-9. */
GR_FN float gr_exp_polynomial(float r) {
    float p = 0x1.695414p-10f;
    p = fmaf(p, r, 0x1.123b04p-7f);
    p = fmaf(p, r, 0x1.555a22p-5f);
    p = fmaf(p, r, 0x1.55549p-3f);
    p = fmaf(p, r, 0x1.fffffap-2f);
    p = fmaf(p, r, 1.0f);
    return fmaf(p, r, 1.0f);
}

/* e^(hi + lo) for GR_EXP_MIN <= hi <= GR_EXP_MAX and |lo| below an ulp of hi. */
GR_FN float gr_exp_pair(float hi, float lo) {
    /* Low bits of z: n + 254, the sum of two biased exponents; two factors reach denormals and
     * overflow. */
    float z = fmaf(hi, GR_LOG2_E, GR_ROUNDER + 254.0f);
    float n = z - (GR_ROUNDER + 254.0f);
    float r = fmaf(n, -GR_LN2_HI, hi) + fmaf(n, -GR_LN2_LO, lo);
    uint32_t first = (gr_float_bits(z) & ~1u) << 22;
    uint32_t second = (gr_float_bits(z) << 23) - first;
    return gr_exp_polynomial(r) * gr_bits_float(first) * gr_bits_float(second);
}

/* Reduction by multiples of ln 2. Measured 0.892 ulp. */
GR_FN float gr_exp(float x) {
    float t = x > GR_EXP_MAX ? GR_EXP_MAX : x;
    t = t < GR_EXP_MIN ? GR_EXP_MIN : t;
    float y = gr_exp_pair(t, 0.0f);
    return x != x ? GR_NAN : y;
}

/* ---- log ---- */

/* Splits a positive finite x into m * 2^e with m in [low, 2 low), low given by its bits. */
GR_FN float gr_log_split(float x, uint32_t low, float *e) {
    /* 2^23 brings denormals into the normal range, exactly. */
    int tiny = x < 0x1p-126f;
    uint32_t bits = gr_float_bits(tiny ? x * 0x1p23f : x) - low + 0x3f800000u;
    /* The biased exponent becomes a float by putting it below 2^23: cheaper on the device than a
     * conversion. */
    *e = gr_bits_float(0x4b000000u | bits >> 23) - (tiny ? 0x1p23f + 150.0f : 0x1p23f + 127.0f);
    return gr_bits_float((bits & 0x007fffffu) + low);
}

/* x = m * 2^e, m in [2/3, 4/3); log(m) by a minimax polynomial in m - 1, relative error 4.7e-9.
 * Measured 0.934 ulp. */
GR_FN float gr_log(float x) {
    float e;
    float f = gr_log_split(x, 0x3f2aaaabu, &e) - 1.0f;
    float p = -0x1.080f4ep-3f;
    p = fmaf(p, f, 0x1.1e77d6p-3f);
    p = fmaf(p, f, -0x1.f30d5ep-4f);
    p = fmaf(p, f, 0x1.1ed37ep-3f);
    p = fmaf(p, f, -0x1.559de8p-3f);
    p = fmaf(p, f, 0x1.99d064p-3f);
    p = fmaf(p, f, -0x1.fffefp-3f);
    p = fmaf(p, f, 0x1.555506p-2f);
    p = fmaf(p, f, -0.5f);
    float y = fmaf(e, 0x1.62e43p-1f, fmaf(p, f * f, f));
    y = x == GR_INFINITY ? GR_INFINITY : y;
    y = x == 0.0f ? -GR_INFINITY : y;
    y = x < 0.0f ? GR_NAN : y;
    /* Not x >= 0: of log(fabsf(a)) nvcc 13.0 makes "always" out of that, NaN or not. */
    return x == x ? y : GR_NAN;
}

/* ---- tanh ---- */

/* Odd minimax polynomial below 0.6, 1 - 2 / (e^2|x| + 1) above; both are computed. Measured 1.412
 * ulp. */
GR_FN float gr_tanh(float x) {
    float a = fabsf(x);
    float s = x * x;
    float p = -0x1.7d7f24p-8f;
    p = fmaf(p, s, 0x1.53c03cp-6f);
    p = fmaf(p, s, -0x1.b87712p-5f);
    p = fmaf(p, s, 0x1.1108cap-3f);
    p = fmaf(p, s, -0x1.55553ap-2f);
    float small = fmaf(p, a * s, a);

    float t = a > 10.0f ? 20.0f : 2.0f * a;
    float z = fmaf(t, GR_LOG2_E, GR_ROUNDER + 127.0f);
    float n = z - (GR_ROUNDER + 127.0f);
    float r = fmaf(n, -GR_LN2_LO, fmaf(n, -GR_LN2_HI, t));
    float e = gr_exp_polynomial(r) * gr_bits_float(gr_float_bits(z) << 23);
    float large = fmaf(-2.0f, gr_reciprocal(e + 1.0f), 1.0f);

    uint32_t sign = gr_float_bits(x) & 0x80000000u;
    float y = gr_bits_float(gr_float_bits(a < 0.6f ? small : large) | sign);
    return x != x ? GR_NAN : y;
}

/* ---- sin, cos, tan ---- */

/* Up to this magnitude pi/2 in three floats is enough, and x * 2/pi rounds to the right quadrant or
 * next to it. */
#define GR_TRIG_LIMIT 100000.0f

/* x = r + q * pi/2 with |r| just above pi/4 at most, for |x| <= GR_TRIG_LIMIT. Each step is one
 * fma; the first is exact because its constant ends in zeros. */
GR_FN float gr_trig_reduce(float x, uint32_t *q) {
    float z = fmaf(x, 0x1.45f306p-1f, GR_ROUNDER);
    float n = z - GR_ROUNDER;
    *q = gr_float_bits(z);
    float r = fmaf(n, -0x1.921fbp0f, x);
    r = fmaf(n, -0x1.5110b4p-22f, r);
    return fmaf(n, -0x1.84698ap-48f, r);
}

/* 2/pi in binary, after 32 zero bits. */
GR_CONST uint32_t gr_two_over_pi[8] = {0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                       0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

/* x * 2/pi mod 4 with 62 bits after the point, for finite |x| > GR_TRIG_LIMIT. Payne and Hanek:
 * only bits of value below 4 matter, so 96 bits of 2/pi, chosen by the exponent, times the mantissa
 * are enough. */
GR_CALL uint64_t gr_trig_turn(float x) {
    uint32_t bits = gr_float_bits(x);
    uint64_t mantissa = (bits & 0x007fffffu) | 0x00800000u;
    uint32_t offset = (bits >> 23 & 0xffu) - 120u; /* of the first bit that matters, in the table */
    uint32_t word = offset >> 5, shift = 32u - (offset & 31u);
    uint64_t w01 = (uint64_t)gr_two_over_pi[word] << 32 | gr_two_over_pi[word + 1];
    uint64_t w12 = w01 << 32 | gr_two_over_pi[word + 2];
    uint64_t w23 = w12 << 32 | gr_two_over_pi[word + 3];
    uint64_t turn = (mantissa * (uint32_t)(w23 >> shift)) >> 32;
    turn += mantissa * (uint32_t)(w12 >> shift);
    turn += (mantissa * (uint32_t)(w01 >> shift)) << 32;
    return bits >> 31 ? 0u - turn : turn;
}

/* The r and q of such a number; double, because r may come out of many leading zeros and tan wants
 * 30 bits of it. */
GR_FN double gr_trig_unturn(uint64_t turn, uint32_t *q) {
    uint64_t quadrant = (turn + (1ull << 61)) >> 62;
    *q = (uint32_t)quadrant;
    return (double)(int64_t)(turn - (quadrant << 62)) * 0x1.921fb54442d18p-62;
}

/* sin(r + q * pi/2) for |r| just above pi/4 at most: minimax polynomials, relative error 4.3e-9
 * (sin) and 1.3e-10 (cos). */
GR_FN float gr_sin_reduced(float r, uint32_t q) {
    float s = r * r;
    float sine = fmaf(-0x1.992ac6p-13f, s, 0x1.1106e2p-7f);
    sine = fmaf(sine, s, -0x1.555544p-3f);
    sine = fmaf(sine, fmaf(r, s, 0.0f), r); /* + 0 so that -0 gives -0 */
    float cosine = fmaf(0x1.99e70ap-16f, s, -0x1.6c0c26p-10f);
    cosine = fmaf(cosine, s, 0x1.55554ap-5f);
    cosine = fmaf(cosine, s, -0.5f);
    cosine = fmaf(cosine, s, 1.0f);
    return gr_bits_float(gr_float_bits(q & 1u ? cosine : sine) ^ (q & 2u) << 30);
}

/* tan(r - tail + q * pi/2): odd minimax polynomial, relative error 1.8e-8. The result of even
 * quadrants is d - dl, where dl is what rounding and the tail took from d; in odd ones it is -1 /
 * (d - dl), by one Newton step. Low parts are kept with their sign turned so that -0 stays -0. */
GR_FN float gr_tan_reduced(float r, float tail, uint32_t q) {
    float s = r * r;
    float p = 0x1.34a742p-7f;
    p = fmaf(p, s, 0x1.91874p-9f);
    p = fmaf(p, s, 0x1.90d4dep-6f);
    p = fmaf(p, s, 0x1.b57786p-5f);
    p = fmaf(p, s, 0x1.112e52p-3f);
    p = fmaf(p, s, 0x1.5554dcp-2f);
    float cube = r * s;
    float d = fmaf(p, cube, r);
    float dl = fmaf(-p, cube, d - r);
    dl = fmaf(fmaf(d, d, 1.0f), tail, dl); /* the derivative of tan is 1 + tan^2 */
    float inverse = gr_reciprocal(q & 1u ? d : 1.0f);
    float error = fmaf(dl, inverse, fmaf(-d, inverse, 1.0f));
    return q & 1u ? fmaf(-inverse, error, -inverse) : d - dl;
}

GR_FN int gr_sin_is_common(float x) {
    return fabsf(x) <= GR_TRIG_LIMIT;
}
GR_FN int gr_cos_is_common(float x) {
    return fabsf(x) <= GR_TRIG_LIMIT;
}
GR_FN int gr_tan_is_common(float x) {
    return fabsf(x) <= GR_TRIG_LIMIT;
}

GR_FN float gr_sin_common(float x) {
    uint32_t q;
    float r = gr_trig_reduce(x, &q);
    return gr_sin_reduced(r, q);
}

GR_FN float gr_cos_common(float x) {
    uint32_t q;
    float r = gr_trig_reduce(x, &q);
    return gr_sin_reduced(r, q + 1u);
}

/* As gr_trig_reduce, but what rounding takes from r is kept: near pi/4 half an ulp of r is an ulp
 * of tan. */
GR_FN float gr_tan_common(float x) {
    float z = fmaf(x, 0x1.45f306p-1f, GR_ROUNDER);
    float n = z - GR_ROUNDER;
    float first = fmaf(n, -0x1.921fbp0f, x);
    float step = n * 0x1.5110b4p-22f;
    float low = fmaf(n, 0x1.84698ap-48f, fmaf(n, 0x1.5110b4p-22f, -step));
    float second = first - step;
    low -= (first - second) - step;
    float r = second - low;
    return gr_tan_reduced(r, (r - second) + low, gr_float_bits(z));
}

/* The three below are for arguments that are not common, infinity and NaN among them. */
GR_FN float gr_sin_rare(float x) {
    uint32_t q;
    float r = (float)gr_trig_unturn(gr_trig_turn(x), &q);
    return fabsf(x) < GR_INFINITY ? gr_sin_reduced(r, q) : GR_NAN;
}

GR_FN float gr_cos_rare(float x) {
    uint32_t q;
    float r = (float)gr_trig_unturn(gr_trig_turn(x), &q);
    return fabsf(x) < GR_INFINITY ? gr_sin_reduced(r, q + 1u) : GR_NAN;
}

GR_FN float gr_tan_rare(float x) {
    uint32_t q;
    double exact = gr_trig_unturn(gr_trig_turn(x), &q);
    float r = (float)exact;
    float tail = (float)((double)r - exact);
    return fabsf(x) < GR_INFINITY ? gr_tan_reduced(r, tail, q) : GR_NAN;
}

/* Measured 1.541 ulp where common, 1.555 elsewhere. */
GR_FN float gr_sin(float x) {
    return gr_sin_is_common(x) ? gr_sin_common(x) : gr_sin_rare(x);
}

/* Measured 1.553 ulp where common, 1.551 elsewhere. */
GR_FN float gr_cos(float x) {
    return gr_cos_is_common(x) ? gr_cos_common(x) : gr_cos_rare(x);
}

/* Measured 1.297 ulp where common, 1.238 elsewhere. */
GR_FN float gr_tan(float x) {
    return gr_tan_is_common(x) ? gr_tan_common(x) : gr_tan_rare(x);
}

/* ---- pow ---- */

/* log(x) as hi + lo, relative error about 3e-10, for positive finite x: 2 atanh(q) + e ln 2 with
 * q = (m - 1) / (m + 1), m in [sqrt(1/2), sqrt(2)), where q, q^2 and q^3 are kept as pairs of
 * floats. */
GR_FN float gr_log_pair(float x, float *lo) {
    float e;
    float m = gr_log_split(x, 0x3f3504f3u, &e);
    float f = m - 1.0f;
    float inverse = gr_reciprocal(m + 1.0f);
    float q = inverse * f;
    /* f - q (m + 1), where m + 1 is f + 2 without its rounding. */
    float ql = inverse * fmaf(q, -f, fmaf(q, -2.0f, f));
    float s = q * q;
    float sl = fmaf(q, ql + ql, fmaf(q, q, -s));
    float c = s * q;
    float cl = fmaf(s, ql, fmaf(sl, q, fmaf(s, q, -c)));
    float p = 0x1.ebfe5cp-4f;
    p = fmaf(p, s, 0x1.23f258p-3f);
    p = fmaf(p, s, 0x1.999bd2p-3f);
    p = fmaf(p, s, 0x1.555554p-2f);
    float tail = fmaf(p, c, fmaf(p, cl, ql));
    float t = fmaf(e, GR_LN2_HI, 2.0f * q);
    float rest = fmaf(e, -GR_LN2_HI, t); /* what of 2 q went into t */
    tail = fmaf(e, GR_LN2_LO, fmaf(2.0f, tail, fmaf(2.0f, q, -rest)));
    float hi = t + tail;
    *lo = (t - hi) + tail;
    return hi;
}

/* Gives |x|^y its sign and those special cases of C99 Annex F that exp(y log |x|) does not. */
GR_FN float gr_pow_signed(float magnitude, float x, float y) {
    /* Adding 2^23 rounds to an integer; from 2^23 on every float is whole, from 2^24 on even. The
     * minima are taken of bits and the conditions one by one, since cc does not vectorise a mixture
     * of conditions. */
    uint32_t bits = gr_float_bits(y) & 0x7fffffffu;
    float b = gr_bits_float(gr_min_u32(bits, 0x4b000000u));           /* at most 2^23 */
    float half = 0.5f * gr_bits_float(gr_min_u32(bits, 0x4b800000u)); /* of at most 2^24 */
    float whole = (b + 0x1p23f) - 0x1p23f, even = (half + 0x1p23f) - 0x1p23f;
    uint32_t sign = gr_float_bits(x) & 0x80000000u;
    sign = whole == b ? sign : 0u;
    sign = even == half ? 0u : sign;
    float r = gr_bits_float(gr_float_bits(magnitude) | sign);
    float negative = whole == b ? r : GR_NAN; /* for finite x < 0 */
    negative = x == -GR_INFINITY ? r : negative;
    r = x < 0.0f ? negative : r;
    r = x != x ? GR_NAN : r;
    r = y != y ? GR_NAN : r;
    r = x == 1.0f ? 1.0f : r;
    return y == 0.0f ? 1.0f : r;
}

/* exp(y log |x|) in pairs of floats. Measured 1.610 ulp over 4.3e9 pairs. */
GR_FN float gr_pow(float x, float y) {
    float a = fabsf(x);
    float lo;
    float hi = gr_log_pair(a, &lo);
    hi = a == 0.0f ? -GR_INFINITY : hi;
    hi = a == GR_INFINITY ? GR_INFINITY : hi;
    /* |log| is 2^-24 at least, or 0 for 1: beyond 2^33 the result is settled, and products stay
     * finite. */
    float t = y > 0x1p33f ? 0x1p33f : y;
    t = t < -0x1p33f ? -0x1p33f : t;
    float product = hi * t;
    float rest = fmaf(lo, t, fmaf(hi, t, -product));
    rest = product > GR_EXP_MAX ? 0.0f : rest;
    rest = product < GR_EXP_MIN ? 0.0f : rest;
    product = product > GR_EXP_MAX ? GR_EXP_MAX : product;
    product = product < GR_EXP_MIN ? GR_EXP_MIN : product;
    return gr_pow_signed(gr_exp_pair(product, rest), x, y);
}

/* ---- math: fast ---- */

#ifdef __CUDACC__

/* The special function unit, one instruction of it and at most one more: errors as in the CUDA
 * programming guide, absolute rather than relative for sin, cos and tan, and large for their large
 * arguments. What the unit would read or give as a denormal number is 0 there. The same device
 * gives the same bits again, other hardware need not. */
#define GR_UNIT(name, instruction)                                                                 \
    GR_FN float name(float x) {                                                                    \
        float y;                                                                                   \
        asm(instruction ".f32 %0, %1;" : "=f"(y) : "f"(x));                                        \
        return y;                                                                                  \
    }
GR_UNIT(gr_fast_reciprocal, "rcp.approx.ftz")
GR_UNIT(gr_fast_sqrt, "sqrt.approx.ftz")
GR_UNIT(gr_fast_tanh, "tanh.approx") /* sm_75 and later */
GR_UNIT(gr_fast_sin, "sin.approx.ftz")
GR_UNIT(gr_fast_cos, "cos.approx.ftz")
GR_UNIT(gr_unit_exp2, "ex2.approx.ftz")
GR_UNIT(gr_unit_log2, "lg2.approx.ftz")
#undef GR_UNIT

GR_FN float gr_fast_div(float a, float b) {
    return a * gr_fast_reciprocal(b);
}
GR_FN float gr_fast_exp(float x) {
    return gr_unit_exp2(x * 1.44269504f);
}
GR_FN float gr_fast_log(float x) {
    return gr_unit_log2(x) * 0.693147181f;
}
GR_FN float gr_fast_tan(float x) {
    return gr_fast_sin(x) * gr_fast_reciprocal(gr_fast_cos(x));
}

/* 2^(y log2 |x|) alone would lose the sign of (-3)^3. */
GR_FN float gr_fast_pow(float x, float y) {
    return gr_pow_signed(gr_unit_exp2(y * gr_unit_log2(fabsf(x))), x, y);
}

#else

#define gr_fast_div gr_div
#define gr_fast_exp gr_exp
#define gr_fast_log gr_log
#define gr_fast_sin gr_sin
#define gr_fast_cos gr_cos
#define gr_fast_tan gr_tan
#define gr_fast_reciprocal gr_reciprocal
#define gr_fast_sqrt gr_sqrt
#define gr_fast_tanh gr_tanh
#define gr_fast_pow gr_pow

#endif
#endif
