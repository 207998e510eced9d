/* How far gpu/core/base/math.h is from the truth, in units of the last place, over every float
 * (pow: over many pairs).
 *
 *   math_ulp [--stride N] [--function NAME]
 *
 * The truth is glibc's double function. --stride 1 takes all 2^32 floats, minutes for each
 * function; the default takes every 251st (every 977th under the sanitizers, which look at code,
 * not at values) and all floats near zero, near every power of two and near the limits inside
 * math.h. A function fails above 2 ulp, on a wrong special case (NaN, infinity, sign of zero), or
 * when its
 * *_common piece differs from the whole. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu/core/base/math.h"

enum { STRIDE = 977 }; /* every one: make prove */
enum { BLOCK = 4096, NEAR = 512 };
static const double ULP_LIMIT = 2.0;
static const uint64_t FLOATS = 1ull << 32;

/* One function: y[i] = f(x[i]) for n elements, written as a loop so that the vectorised code is
 * what is checked. */
typedef void block_fn(const float *x, float *y, int n);

#define BLOCK_OF(name)                                                                             \
    static void name##_block(const float *x, float *y, int n) {                                    \
        for (int i = 0; i < n; i++)                                                                \
            y[i] = gr_##name(x[i]);                                                                \
    }
BLOCK_OF(exp)
BLOCK_OF(log)
BLOCK_OF(tanh)
BLOCK_OF(cbrt)
BLOCK_OF(sin)
BLOCK_OF(cos)
BLOCK_OF(tan)
BLOCK_OF(sin_common)
BLOCK_OF(cos_common)
BLOCK_OF(tan_common)

typedef struct unary {
    const char *name;
    block_fn *whole;
    double (*truth)(double);
    block_fn *common; /* NULL: there is only the whole */
} unary;

static const unary UNARY[] = {
    {"exp", exp_block, exp, NULL},
    {"log", log_block, log, NULL},
    {"tanh", tanh_block, tanh, NULL},
    {"cbrt", cbrt_block, cbrt, NULL},
    {"sin", sin_block, sin, sin_common_block},
    {"cos", cos_block, cos, cos_common_block},
    {"tan", tan_block, tan, tan_common_block},
};

typedef struct finding {
    double ulp; /* largest error and where; two places: inside the guard and outside */
    float x, y;
} finding;

typedef struct result {
    uint64_t checked, wrong, unequal; /* wrong: special cases; unequal: common against whole */
    finding common, rare;
    float wrong_x, wrong_y, unequal_x;
} result;

static int passed, failed;

/* ---- one value ---- */

/* Error of `got` in ulp of the float nearest `truth`, or -1 for a wrong special case. */
static double error_of(float got, double truth) {
    if (truth != truth)
        return got != got ? 0.0 : -1.0;
    if (got != got || !signbit(got) != !signbit(truth))
        return -1.0;
    if (got == (float)truth)
        return 0.5; /* correctly rounded; half an ulp is all it can be off */
    if (isinf(truth) || truth == 0.0)
        return -1.0;
    /* Infinity counts as 2^128, the float that would come next. */
    double value = isinf(got) ? copysign(0x1p128, (double)got) : (double)got;
    double wanted = fabs(truth) > 0x1p128 ? copysign(0x1p128, truth) : truth;
    int exponent = ilogb(wanted);
    exponent = exponent > 127 ? 127 : exponent < -126 ? -126 : exponent;
    return fabs(value - wanted) / ldexp(1.0, exponent - 23);
}

static void note(result *r, float x, float y, double error, int common) {
    finding *f = common ? &r->common : &r->rare;
    if (error < 0.0) {
        if (!r->wrong++) {
            r->wrong_x = x;
            r->wrong_y = y;
        }
    } else if (error > f->ulp) {
        *f = (finding){error, x, y};
    }
}

static void merge(result *into, const result *r) {
    if (!into->wrong && r->wrong) {
        into->wrong_x = r->wrong_x;
        into->wrong_y = r->wrong_y;
    }
    if (!into->unequal && r->unequal)
        into->unequal_x = r->unequal_x;
    into->checked += r->checked;
    into->wrong += r->wrong;
    into->unequal += r->unequal;
    if (r->common.ulp > into->common.ulp)
        into->common = r->common;
    if (r->rare.ulp > into->rare.ulp)
        into->rare = r->rare;
}

static void report(const char *name, const char *what, const result *r) {
    double ulp = fmax(r->common.ulp, r->rare.ulp);
    int good = ulp <= ULP_LIMIT && !r->wrong && !r->unequal;
    printf("%s %-5s %llu %s, max %.4f ulp at (%a, %a)", good ? "ok  " : "FAIL", name,
           (unsigned long long)r->checked, what, r->common.ulp, (double)r->common.x,
           (double)r->common.y);
    if (r->rare.ulp > 0.0)
        printf(", outside the common range %.4f at %a", r->rare.ulp, (double)r->rare.x);
    if (r->wrong)
        printf("; %llu wrong special cases, first at (%a, %a)", (unsigned long long)r->wrong,
               (double)r->wrong_x, (double)r->wrong_y);
    if (r->unequal)
        printf("; common differs from whole %llu times, first at %a",
               (unsigned long long)r->unequal, (double)r->unequal_x);
    printf("\n");
    fflush(stdout);
    good ? passed++ : failed++;
}

/* ---- functions of one argument ---- */

static void check_block(const unary *f, const float *x, int n, result *r) {
    float y[BLOCK], z[BLOCK];
    f->whole(x, y, n);
    if (f->common)
        f->common(x, z, n);
    for (int i = 0; i < n; i++) {
        int common = !f->common || gr_trig_is_common(x[i]);
        int same = !f->common || gr_float_bits(y[i]) == gr_float_bits(z[i]) || y[i] != y[i];
        if (common && !same && !r->unequal++)
            r->unequal_x = x[i];
        note(r, x[i], 0.0f, error_of(y[i], f->truth((double)x[i])), common);
    }
    r->checked += (uint64_t)n;
}

/* Every stride-th float, by its bits. */
static void check_strided(const unary *f, uint64_t stride, result *total) {
    int64_t blocks = (int64_t)((FLOATS + stride * BLOCK - 1) / (stride * BLOCK));
#pragma omp parallel
    {
        result mine = {0};
#pragma omp for schedule(dynamic, 16)
        for (int64_t b = 0; b < blocks; b++) {
            float x[BLOCK];
            int n = 0;
            for (; n < BLOCK; n++) {
                uint64_t bits = ((uint64_t)b * BLOCK + (uint64_t)n) * stride;
                if (bits >= FLOATS)
                    break;
                x[n] = gr_bits_float((uint32_t)bits);
            }
            check_block(f, x, n, &mine);
        }
#pragma omp critical
        merge(total, &mine);
    }
}

/* All floats whose bits are within NEAR of a power of two, of zero, or of a limit that math.h uses.
 */
static void check_borders(const unary *f, result *total) {
    static const float LIMITS[] = {GR_EXP_MAX,     GR_EXP_MIN,     0x1.62e42ep6f,  -0x1.9fe368p6f,
                                   -0x1.5d589ep6f, 0.6f,           9.01f,          10.0f,
                                   GR_TRIG_LIMIT,  0x1.921fb6p-1f, 0x1.921fb6p0f,  0x1.921fb6p1f,
                                   0x1.2d97c8p1f,  0x1.6a09e6p-1f, 0x1.555556p-1f, 0x1.555556p0f};
    enum { LIMIT_COUNT = sizeof LIMITS / sizeof *LIMITS };
    for (uint32_t i = 0; i < 256 + LIMIT_COUNT; i++)
        for (uint32_t sign = 0; sign < 2; sign++) {
            uint32_t at = i < 256 ? i << 23 : gr_float_bits(LIMITS[i - 256]);
            float x[2 * NEAR];
            for (uint32_t k = 0; k < 2 * NEAR; k++)
                x[k] = gr_bits_float((at - NEAR + k) ^ sign << 31);
            check_block(f, x, 2 * NEAR, total);
        }
}

/* ---- pow ---- */

static uint64_t
scramble(uint64_t i) { /* splitmix64: one number for each index, whatever the thread */
    i = (i + 1) * 0x9e3779b97f4a7c15ull;
    i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
    i = (i ^ i >> 27) * 0x94d049bb133111ebull;
    return i ^ i >> 31;
}

/* Pair number i: any two floats; a result spread evenly over the range; a base near 1; a negative
 * base with a small whole or half exponent. */
static void random_pair(uint64_t i, float *x, float *y) {
    uint64_t random = scramble(i);
    uint32_t low = (uint32_t)random, high = (uint32_t)(random >> 32);
    double part = (double)high * 0x1p-32;
    *x = gr_bits_float(low);
    *y = gr_bits_float(high);
    switch (i & 7) {
    case 0:
        break;
    case 1:
        *x = gr_bits_float(0x3f800000u + low % 0x20000u - 0x10000u);
        *y = (float)((part * 194.0 - 105.0) / log((double)*x));
        break;
    case 2:
        *y = (float)((int)(high % 257u) - 128) * 0.5f;
        break;
    case 3: /* base between 1/4 and 4, as in most data */
        *x = gr_bits_float(0x3e800000u + low % 0x02000000u);
        *y = (float)(part * 200.0 - 100.0);
        break;
    default:
        *x = fabsf(*x);
        *y = (float)((part * 194.0 - 105.0) / log((double)*x));
    }
}

static void check_pairs(const float *x, const float *y, int n, result *r) {
    float z[BLOCK];
    for (int i = 0; i < n; i++)
        z[i] = gr_pow(x[i], y[i]);
    for (int i = 0; i < n; i++)
        note(r, x[i], y[i], error_of(z[i], pow((double)x[i], (double)y[i])), 1);
    r->checked += (uint64_t)n;
}

static void check_pow_random(uint64_t count, result *total) {
#pragma omp parallel
    {
        result mine = {0};
#pragma omp for schedule(dynamic, 16)
        for (int64_t b = 0; b < (int64_t)(count / BLOCK); b++) {
            float x[BLOCK], y[BLOCK];
            for (int i = 0; i < BLOCK; i++)
                random_pair((uint64_t)b * BLOCK + (uint64_t)i, &x[i], &y[i]);
            check_pairs(x, y, BLOCK, &mine);
        }
#pragma omp critical
        merge(total, &mine);
    }
}

/* Every pair of a table: each power of two and each limit with its neighbours, both signs. */
static void check_pow_table(result *total) {
    static const float EXTRA[] = {3.0f,      5.0f,      0.1f,  1.5f,   2.5f,     0x1.fffffep22f,
                                  0x1.8p22f, 0x1.8p23f, 10.0f, 100.0f, 1.0f / 3, 0x1.6a09e6p-1f,
                                  0x1.8p33f, 0x1.8p24f, 1e-3f, 7.0f,   11.0f,    0x1.6a09e6p0f};
    enum { EXTRA_COUNT = sizeof EXTRA / sizeof *EXTRA, COUNT = (256 + EXTRA_COUNT) * 6 };
    static float table[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t which = i / 6, place = i % 6;
        uint32_t at = which < 256 ? which << 23 : gr_float_bits(EXTRA[which - 256]);
        table[i] = gr_bits_float((at + place % 3 - 1u) ^ (place / 3) << 31);
    }
#pragma omp parallel
    {
        result mine = {0};
#pragma omp for
        for (int i = 0; i < COUNT; i++) {
            float x[COUNT];
            for (int k = 0; k < COUNT; k++)
                x[k] = table[i];
            check_pairs(x, table, COUNT, &mine);
        }
#pragma omp critical
        merge(total, &mine);
    }
}

/* ---- main ---- */

static int usage(FILE *to, int code) {
    fprintf(to,
            "usage: math_ulp [--stride N] [--function exp|log|tanh|cbrt|sin|cos|tan|pow]\n"
            "  --stride N       check every Nth float; 1 is all of them (default %d)\n"
            "  --function NAME  check this function alone (default: all)\n",
            STRIDE);
    return code;
}

int main(int argc, char **argv) {
    static const struct option OPTIONS[] = {{"stride", required_argument, NULL, 's'},
                                            {"function", required_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    uint64_t stride = STRIDE;
    const char *only = NULL;
    for (int c; (c = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
        if (c == 's')
            stride = strtoull(optarg, NULL, 10);
        else if (c == 'f')
            only = optarg;
        else
            return c == 'h' ? usage(stdout, 0) : usage(stderr, 2);
    }
    if (!stride || stride > FLOATS || optind < argc)
        return usage(stderr, 2);

    for (size_t i = 0; i < sizeof UNARY / sizeof *UNARY; i++)
        if (!only || !strcmp(only, UNARY[i].name)) {
            result r = {0};
            check_strided(&UNARY[i], stride, &r);
            check_borders(&UNARY[i], &r);
            report(UNARY[i].name, "floats", &r);
        }
    if (!only || !strcmp(only, "pow")) {
        result r = {0};
        check_pow_table(&r);
        check_pow_random(FLOATS / stride, &r);
        report("pow", "pairs", &r);
    }
    if (!passed && !failed)
        return usage(stderr, 2);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
