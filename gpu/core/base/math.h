/* Elementary functions that give the same bits on an x86-64 CPU and on an NVIDIA GPU.
 *
 * Only IEEE operations are used: + - * /, sqrt, explicit fmaf, comparisons, integers. The compilers
 * must neither contract nor reorder them: cc -ffp-contract=off -fno-math-errno -fno-trapping-math
 * (never -ffast-math), nvcc -fmad=false (never -ftz=true or -use_fast_math). A NaN is a NaN: its
 * payload and sign are whatever the arithmetic leaves, and nothing looks at them.
 *
 * On the device the special function unit helps where its result is exact and known: powers of two
 * and what the logarithm of 0, infinity, negative numbers and NaN is. It saturates and passes NaN
 * on, so that no clamps and no selects are needed.
 *
 * gr_exp, gr_log, gr_tanh, gr_cbrt, gr_pow and the *_common functions have selects but no branches,
 * so a plain loop over them is vectorised by cc -O3 -mavx2 -mfma. sin, cos and tan come in three
 * pieces: gr_sin_common holds where gr_trig_is_common says so, gr_sin_rare everywhere else, gr_sin
 * is the choice between the two.
 *
 * "Measured" is the largest distance from glibc's double function over all 2^32 floats, in units of
 * the last place of the float result; tests/property/math_ulp.c --stride 1 is the measurement.
 *
 * Include it in quotes, by its path; this folder must never be on the <> include
 * path, where it would hide the C library's header. */
#ifndef GR_MATH_H
#define GR_MATH_H

#include "gpu/core/base/portable.h"

#define GR_NAN gr_bits_float(0x7fc00000u)
#define GR_INFINITY gr_bits_float(0x7f800000u)

/* Adding 1.5 * 2^23 rounds a small float to an integer, ties to even, and leaves that integer in
 * the low bits: one addition, where rintf would be a library call on baseline x86-64. */
#define GR_ROUNDER 0x1.8p23f

#ifdef __CUDACC__

/* One instruction each. What the unit would read or give as a denormal number is 0. */
#define GR_UNIT(name, instruction)                                                                 \
    GR_FN float name(float x) {                                                                    \
        float y;                                                                                   \
        asm(instruction ".f32 %0, %1;" : "=f"(y) : "f"(x));                                        \
        return y;                                                                                  \
    }
GR_UNIT(gr_unit_reciprocal, "rcp.approx.ftz")
GR_UNIT(gr_unit_sqrt, "sqrt.approx.ftz")
GR_UNIT(gr_unit_tanh, "tanh.approx") /* sm_75 and later */
GR_UNIT(gr_unit_sin, "sin.approx.ftz")
GR_UNIT(gr_unit_cos, "cos.approx.ftz")
GR_UNIT(gr_unit_exp2, "ex2.approx.ftz")
GR_UNIT(gr_unit_log2, "lg2.approx.ftz")
#undef GR_UNIT

#endif

/* The larger and the smaller of two, b where a is a NaN: one instruction on both sides. */
GR_FN float gr_at_least(float a, float b) {
#ifdef __CUDACC__
    return fmaxf(a, b);
#else
    return a > b ? a : b;
#endif
}

GR_FN float gr_at_most(float a, float b) {
#ifdef __CUDACC__
    return fminf(a, b);
#else
    return a < b ? a : b;
#endif
}

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

/* a / b correctly rounded from y, 1 / b to a unit in its last place, where no step leaves the
 * range of normal numbers; a NaN for a NaN. What __fdiv_rn does behind its look at the exponents.
 */
GR_FN float gr_div_by(float a, float b, float y) {
    y = fmaf(y, fmaf(-b, y, 1.0f), y);
    float q = a * y;
    return fmaf(y, fmaf(-b, q, a), q);
}

/* The same as gr_div, without a branch, where both magnitudes are between 1 / GR_DIV_LIMIT and
 * GR_DIV_LIMIT, or NaN. */
#define GR_DIV_LIMIT 0x1p60f
GR_FN float gr_div_plain(float a, float b) {
#ifdef __CUDACC__
    return gr_div_by(a, b, gr_unit_reciprocal(b));
#else
    return a / b;
#endif
}

/* And where they may be 0 or infinite, too: a quotient that is none or 0 is the product. */
GR_FN float gr_div_common(float a, float b) {
#ifdef __CUDACC__
    float y = gr_unit_reciprocal(b), q = gr_div_by(a, b, y);
    return fabsf(q) > 0.0f ? q : a * y;
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

/* The same for 2^-126 <= |x| < 2^126, and a NaN for a NaN: on the device __frcp_rn without the
 * branch to its cases outside that range. */
GR_FN float gr_reciprocal_normal(float x) {
#ifdef __CUDACC__
    float y = gr_unit_reciprocal(x);
    return fmaf(y, -fmaf(x, y, -1.0f), y);
#else
    return 1.0f / x;
#endif
}

/* m with the sign of a: numpy.sign(a) * m. */
GR_FN float gr_signed(float a, float m) {
    return (a > 0.0f ? 1.0f : a < 0.0f ? -1.0f : a) * m;
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

/* x = r + m ln 4 with |r| just above ln 2 at most, so that 4^m is the square of a normal number,
 * whether or not the result is one. A polynomial, relative error 4.9e-8, gives (e^r - D) / G,
 * which is between 0 and 1, because the device saturates to that for nothing: the polynomial is a
 * number even where x is none or beyond all limits, and 2^m alone says what the result is. Measured
 * 1.753 ulp, of which rounding is the most: the coefficients are those of least measured error. */
GR_FN float gr_exp(float x) {
#ifdef __CUDACC__
    const float rounder = GR_ROUNDER;
#else
    const float rounder = GR_ROUNDER + 127.0f; /* low bits of z: a biased exponent */
    x = x > GR_EXP_MAX ? GR_EXP_MAX : x;
    x = x < GR_EXP_MIN ? GR_EXP_MIN : x;
#endif
    float z = fmaf(x, 0.5f * GR_LOG2_E, rounder);
    float m = z - rounder;
    float r = fmaf(m, -2.0f * GR_LN2_HI, x);
    r = fmaf(m, -2.0f * GR_LN2_LO, r);
#ifdef __CUDACC__
    float scale = gr_unit_exp2(m);
#else
    float scale = gr_bits_float(gr_float_bits(z) << 23);
#endif
    float p = 0x1.15de12p-13f;
    p = fmaf(p, r, 0x1.eb6c6ap-11f);
    p = fmaf(p, r, 0x1.6a4f7ep-8f);
    p = fmaf(p, r, 0x1.c4ac32p-6f);
    p = fmaf(p, r, 0x1.c4bf9cp-4f);
    p = fmaf(p, r, 0x1.5390b2p-2f);
    p = fmaf(p, r, 0x1.53909ap-1f);
#ifdef __CUDACC__
    asm("fma.rn.sat.f32 %0, %0, %1, %2;" : "+f"(p) : "f"(r), "f"(0x1.5637b6p-2f));
#else
    p = fmaf(p, r, 0x1.5637b6p-2f);
#endif
    p = fmaf(p, 0x1.82p0f, 0x1.fcp-2f);
    return p * scale * scale;
}

/* ---- log ---- */

/* Splits a positive finite x into m * 2^e with m in [low, 2 low), low given by its bits. */
GR_FN float gr_log_split(float x, uint32_t low, float *e) {
    /* 2^23 brings denormals into the normal range, exactly. */
    int tiny = x < 0x1p-126f;
    uint32_t bits = gr_float_bits(tiny ? x * 0x1p23f : x) - low + 0x3f800000u;
    /* The biased exponent becomes a float by putting it below 2^23: cheaper on the device than a
     * conversion. */
    *e = gr_bits_float(0x4b000000u + (bits >> 23)) - (tiny ? 0x1p23f + 150.0f : 0x1p23f + 127.0f);
    return gr_bits_float((bits & 0x007fffffu) + low);
}

/* log(x) for x = m * 2^e, m in [2/3, 4/3), by its bits: a minimax polynomial in m - 1, relative
 * error 2.6e-8. e comes times 2^shift, ln2 times 2^-shift. */
#define GR_LOG_LOW 0x3f2aaaabu
GR_FN float gr_log_polynomial(float m, float e, float ln2) {
    float f = m - 1.0f;
    float p = 0x1.1f243ap-3f;
    p = fmaf(p, f, -0x1.3b0e5cp-3f);
    p = fmaf(p, f, 0x1.1ea94cp-3f);
    p = fmaf(p, f, -0x1.503884p-3f);
    p = fmaf(p, f, 0x1.99d3a8p-3f);
    p = fmaf(p, f, -0x1.00145p-2f);
    p = fmaf(p, f, 0x1.5554fcp-2f);
    p = fmaf(p, f, -0x1.ffffd6p-2f);
    return fmaf(e, ln2, fmaf(p, f * f, f));
}

/* Measured 1.064 ulp. */
GR_FN float gr_log(float x) {
    float e, m = gr_log_split(x, GR_LOG_LOW, &e), y = gr_log_polynomial(m, e, GR_LN2_HI);
#ifdef __CUDACC__
    /* The unit's logarithm is an infinity or a NaN where the logarithm is; elsewhere this adds
     * less than rounding sees, and 0 to the 0 of log(1). */
    return fmaf(gr_unit_log2(x < 0x1p-126f ? x * 0x1p23f : x), 0x1p-100f, y);
#else
    y = x < GR_INFINITY ? y : x;
    float special = x == 0.0f ? -GR_INFINITY : GR_NAN;
    return x > 0.0f ? y : special;
#endif
}

/* The same unless x is a denormal number; cheaper on the device. */
GR_FN float gr_log_common(float x) {
#ifdef __CUDACC__
    uint32_t bits = gr_float_bits(x), exponent = (bits - GR_LOG_LOW) & 0xff800000u;
    float e = (float)(int32_t)exponent, m = gr_bits_float(bits - exponent);
    return fmaf(gr_unit_log2(x), 0x1p-100f, gr_log_polynomial(m, e, GR_LN2_HI * 0x1p-23f));
#else
    return gr_log(x);
#endif
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

    float t = 2.0f * gr_at_most(a, 10.0f);
    float z = fmaf(t, GR_LOG2_E, GR_ROUNDER + 127.0f);
    float n = z - (GR_ROUNDER + 127.0f);
    float r = fmaf(n, -GR_LN2_LO, fmaf(n, -GR_LN2_HI, t));
    float e = gr_exp_polynomial(r) * gr_bits_float(gr_float_bits(z) << 23);
    float large = fmaf(-2.0f, gr_reciprocal_normal(e + 1.0f), 1.0f);

    uint32_t sign = gr_float_bits(x) & 0x80000000u; /* of a NaN the polynomial makes a NaN */
    return gr_bits_float(gr_float_bits(a >= 0.6f ? large : small) | sign);
}

/* ---- cbrt ---- */

/* r, the inverse of the root: a guess from the bits, good to 4 %, and one step of third order, to
 * 1e-5. Then one step of Newton's for the root itself, s r^2. No power of s that is formed leaves
 * the range of floats, and 2^96 brings the difference s - y^3 of small ones into it. Measured 0.756
 * ulp. */
GR_FN float gr_cbrt(float x) {
    float a = fabsf(x);
    int small = a < 0x1p-96f;
    float s = small ? a * 0x1p96f : a;
    float r = gr_bits_float(0x54a20000u - gr_mulhi(gr_float_bits(s), 0x55555556u)); /* a third */
    float e = fmaf(-(s * r) * r, r, 1.0f);
    float p = 0x1.61f9aep-3f; /* of (1 - e)^(-1/3) */
    p = fmaf(p, e, 0x1.c71c72p-3f);
    p = fmaf(p, e, 0x1.555556p-2f);
    r = fmaf(r * e, p, r);
    float y = s * r * r;
    float d = fmaf(y * y, y, -s) * (r * r);
    y = fmaf(d, -0x1.555556p-2f, y);
    y = small ? y * 0x1p-32f : y;
    y = a < GR_INFINITY ? y : a; /* infinity and NaN */
    return gr_bits_float(gr_float_bits(y) | (gr_float_bits(x) & 0x80000000u));
}

/* ---- sin, cos, tan ---- */

/* Up to this magnitude pi in three floats is enough, and x / pi rounds to the right integer or next
 * to it. NaN counts as common. */
#define GR_TRIG_LIMIT 100000.0f

/* None is negative, so that -0 stays -0; what fmaf takes a multiple of half the first from comes
 * out exact. */
#define GR_PI_HI 0x1.921fb4p1f
#define GR_PI_MID 0x1.4442dp-23f
#define GR_PI_LO 0x1.84698ap-47f
#define GR_ONE_OVER_PI 0x1.45f306p-2f

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

/* As a multiple of pi, whose lowest bit is *n, and the rest, of pi/2 at most. Double, so that the
 * leading zeros of the rest do no harm. */
GR_FN float gr_trig_unturn(uint64_t turn, uint32_t *n) {
    uint64_t half = (turn + (1ull << 62)) >> 63;
    *n = (uint32_t)half;
    return (float)((double)(int64_t)(turn - (half << 63)) * 0x1.921fb54442d18p-62);
}

/* As a multiple q of pi/2, and the rest in double, because tan wants 30 bits of it. */
GR_FN double gr_trig_unturn_tan(uint64_t turn, uint32_t *q) {
    uint64_t quadrant = (turn + (1ull << 61)) >> 62;
    *q = (uint32_t)quadrant;
    return (double)(int64_t)(turn - (quadrant << 62)) * 0x1.921fb54442d18p-62;
}

/* sin(r + n pi) for |r| just above pi/2 at most; only the lowest bit of n counts. Odd
 * polynomial, relative error 3.6e-8, its coefficients those of least measured error. */
GR_FN float gr_sin_reduced(float r, uint32_t n) {
    float s = r * r;
    float p = 0x1.5c72ecp-19f;
    p = fmaf(p, s, -0x1.9f6348p-13f);
    p = fmaf(p, s, 0x1.110f06p-7f);
    p = fmaf(p, s, -0x1.555554p-3f);
    float y = fmaf(p, fmaf(r, s, 0.0f), r); /* + 0 so that -0 gives -0 */
    return gr_bits_float(gr_float_bits(y) + (n << 31));
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
    float inverse = gr_reciprocal_normal(q & 1u ? d : 1.0f);
    float error = fmaf(dl, inverse, fmaf(-d, inverse, 1.0f));
    return q & 1u ? fmaf(-inverse, error, -inverse) : d - dl;
}

GR_FN int gr_trig_is_common(float x) {
    return !(fabsf(x) > GR_TRIG_LIMIT);
}

/* x = r + n pi. Each step is one fma, of which the first is exact. */
GR_FN float gr_sin_common(float x) {
    float z = fmaf(x, GR_ONE_OVER_PI, GR_ROUNDER);
    float n = z - GR_ROUNDER;
    float r = fmaf(n, -GR_PI_HI, x);
    r = fmaf(n, -GR_PI_MID, r);
    r = fmaf(n, -GR_PI_LO, r);
    return gr_sin_reduced(r, gr_float_bits(z));
}

/* (-1)^n sin((n + 1/2) pi - |x|). The rounder is a half below 2^23, where floats begin to be whole
 * numbers: it rounds |x| / pi to one and a half. Below pi/4 that does not work, n is 0 there. */
GR_FN float gr_cos_common(float x) {
    float a = fabsf(x);
    float z = gr_at_least(fmaf(a, GR_ONE_OVER_PI, 0x1p23f - 0.5f), 0x1p23f);
    float h = z - (0x1p23f - 0.5f);
    float r = fmaf(h, GR_PI_HI, -a);
    r = fmaf(h, GR_PI_MID, r);
    r = fmaf(h, GR_PI_LO, r);
    return gr_sin_reduced(r, gr_float_bits(z));
}

/* x = r + q * pi/2; what rounding takes from r is kept: near pi/4 half an ulp of r is an ulp of
 * tan. */
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

/* The three below are for arguments that are not common, infinity among them. */
GR_FN float gr_sin_rare(float x) {
    uint32_t n;
    float r = gr_trig_unturn(gr_trig_turn(x), &n);
    return fabsf(x) < GR_INFINITY ? gr_sin_reduced(r, n) : GR_NAN;
}

GR_FN float gr_cos_rare(float x) {
    uint32_t n;
    float r = gr_trig_unturn(gr_trig_turn(x) + (1ull << 62), &n);
    return fabsf(x) < GR_INFINITY ? gr_sin_reduced(r, n) : GR_NAN;
}

GR_FN float gr_tan_rare(float x) {
    uint32_t q;
    double exact = gr_trig_unturn_tan(gr_trig_turn(x), &q);
    float r = (float)exact;
    float tail = (float)((double)r - exact);
    return fabsf(x) < GR_INFINITY ? gr_tan_reduced(r, tail, q) : GR_NAN;
}

/* Measured 1.856 ulp where common, 1.870 elsewhere. */
GR_FN float gr_sin(float x) {
    return gr_trig_is_common(x) ? gr_sin_common(x) : gr_sin_rare(x);
}

/* Measured 1.874 ulp where common, 1.896 elsewhere. */
GR_FN float gr_cos(float x) {
    return gr_trig_is_common(x) ? gr_cos_common(x) : gr_cos_rare(x);
}

/* Measured 1.297 ulp where common, 1.238 elsewhere. */
GR_FN float gr_tan(float x) {
    return gr_trig_is_common(x) ? gr_tan_common(x) : gr_tan_rare(x);
}

/* ---- pow ---- */

/* log(x) as hi + lo, relative error about 3e-10, for positive finite x: 2 atanh(q) + e ln 2 with
 * q = (m - 1) / (m + 1), m in [sqrt(1/2), sqrt(2)), where q, q^2 and q^3 are kept as pairs of
 * floats. */
GR_FN float gr_log_pair(float x, float *lo) {
    float e;
    float m = gr_log_split(x, 0x3f3504f3u, &e);
    float f = m - 1.0f;
    float inverse = gr_reciprocal_normal(m + 1.0f);
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
    r = x == 1.0f ? 1.0f : r;
    return y == 0.0f ? 1.0f : r;
}

/* exp(y log |x|) in pairs of floats. Measured 1.610 ulp over 4.3e9 pairs. */
GR_FN float gr_pow(float x, float y) {
    float a = fabsf(x);
    float lo;
    float hi = gr_log_pair(a, &lo);
    hi = a == 0.0f ? -GR_INFINITY : hi;
    hi = a < GR_INFINITY ? hi : a; /* infinity or NaN */
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

/* ---- argmax ---- */

/* A value cut to 18 bits of its fraction: the five below hold the number of an operand. */
GR_FN uint32_t gr_ranked_bits(float a) {
    float most = 0x1.fffffep127f;
    a = a > most ? most : a;
    a = a < -most ? -most : a;
    return gr_float_bits(a) & ~31u;
}
/* The largest of operands and how many stand before it: of the last one alone; of one more in front
 * of those of b, the first where they are equal; that number. A NaN is nobody's largest; where all
 * are, it is the answer. */
GR_FN float gr_ranked_last(float a) {
    return a == a ? gr_bits_float(gr_ranked_bits(a)) : GR_NAN;
}
GR_FN float gr_ranked_next(float a, float b) {
    uint32_t own = gr_ranked_bits(a), others = gr_float_bits(b);
    uint32_t less = (b == b) & (gr_bits_float(own) < gr_bits_float(others & ~31u));
    float other = b == b ? gr_bits_float(others + 1u) : GR_NAN;
    return ((a == a) & (less ^ 1u)) != 0u ? gr_bits_float(own) : other;
}
GR_FN float gr_ranked_first(float a) {
    return a == a ? (float)(int32_t)(gr_float_bits(a) & 31u) : GR_NAN;
}

/* ---- math: fast ---- */

#ifdef __CUDACC__

/* The special function unit, one instruction of it and at most one more: errors as in the CUDA
 * programming guide, absolute rather than relative for sin, cos and tan, and large for their large
 * arguments. The same device gives the same bits again, other hardware need not. */
#define gr_fast_reciprocal gr_unit_reciprocal
#define gr_fast_sqrt gr_unit_sqrt
#define gr_fast_tanh gr_unit_tanh
#define gr_fast_sin gr_unit_sin
#define gr_fast_cos gr_unit_cos

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
GR_FN float gr_fast_cbrt(float x) {
    float y = gr_unit_exp2(gr_unit_log2(fabsf(x)) * 0.333333333f);
    return gr_bits_float(gr_float_bits(y) | (gr_float_bits(x) & 0x80000000u));
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
#define gr_fast_cbrt gr_cbrt
#define gr_fast_pow gr_pow

#endif
#endif
