/* How far gpu/core/base/math_double.h is from the truth, in units of the last place.
 *
 *   math_double [--points N] [--function NAME]
 *
 * The truth is the C library's functions over the 80 bits of x87, whose own errors are some
 * thousandths of such a unit. N arguments (default 2^19; the figures in math_double.h are those of
 * 2^25) are drawn from all bit patterns, and as many from where a function is neither 0 nor
 * infinite. A function fails at its bound in ulp, on a wrong special case (NaN, infinity, sign of
 * zero, a value at 0 that is not exact, one above the largest), or where its *_common piece differs
 * from the whole. */
#include <float.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu/core/base/math_double.h"

enum { BLOCK = 1024, PLACES = 4 };

/* y[i] = f(x[i], z[i]), loops so that the vectorised code is what is checked. */
typedef void block_fn(const double *x, const double *z, double *y);

#define BLOCK_OF(name, call)                                                                       \
    static void name##_block(const double *x, const double *z, double *y) {                        \
        (void)z;                                                                                   \
        for (int i = 0; i < BLOCK; i++)                                                            \
            y[i] = call;                                                                           \
    }
BLOCK_OF(exp, gr_exp_d(x[i]))
BLOCK_OF(log, gr_log_d(x[i]))
BLOCK_OF(tanh, gr_tanh_d(x[i]))
BLOCK_OF(cbrt, gr_cbrt_d(x[i]))
BLOCK_OF(sin, gr_sin_d(x[i]))
BLOCK_OF(cos, gr_cos_d(x[i]))
BLOCK_OF(tan, gr_tan_d(x[i]))
BLOCK_OF(sin_common, gr_sin_common_d(x[i]))
BLOCK_OF(cos_common, gr_cos_common_d(x[i]))
BLOCK_OF(tan_common, gr_tan_common_d(x[i]))
BLOCK_OF(pow, gr_pow_d(x[i], z[i]))

typedef long double truth_fn(long double x, long double z);
#define TRUTH_OF(name, call)                                                                       \
    static long double name##_truth(long double x, long double z) {                                \
        (void)z;                                                                                   \
        return call;                                                                               \
    }
TRUTH_OF(exp, expl(x))
TRUTH_OF(log, logl(x))
TRUTH_OF(tanh, tanhl(x))
TRUTH_OF(cbrt, cbrtl(x))
TRUTH_OF(sin, sinl(x))
TRUTH_OF(cos, cosl(x))
TRUTH_OF(tan, tanl(x))
TRUTH_OF(pow, powl(x, z))

/* `low` to `high`: where many arguments are drawn. */
typedef struct function {
    const char *name;
    block_fn *whole;
    truth_fn *truth;
    block_fn *common; /* up to GR_TRIG_LIMIT_D; NULL: there is only the whole */
    double low, high;
    double bound; /* ulp */
    double most;  /* the largest value */
} function;

static const function FUNCTIONS[] = {
    {"exp", exp_block, exp_truth, NULL, -745.2, 709.8, 1.0, INFINITY},
    {"log", log_block, log_truth, NULL, 0.25, 4.0, 1.05, INFINITY},
    {"tanh", tanh_block, tanh_truth, NULL, -20.0, 20.0, 1.0, 1.0},
    {"cbrt", cbrt_block, cbrt_truth, NULL, 1.0, 8.0, 1.0, INFINITY},
    {"sin", sin_block, sin_truth, sin_common_block, -8.0, 8.0, 2.0, 1.0},
    {"cos", cos_block, cos_truth, cos_common_block, -8.0, 8.0, 2.0, 1.0},
    {"tan", tan_block, tan_truth, tan_common_block, -8.0, 8.0, 1.0, INFINITY},
    {"pow", pow_block, pow_truth, NULL, -300.0, 300.0, 1.0, INFINITY},
};

typedef struct result {
    double ulp, at, with, got;
    uint64_t checked, wrong, unequal;
} result;

static uint64_t state = 0x9e3779b97f4a7c15ull;

static uint64_t draw(void) { /* splitmix64 */
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static double uniform(double low, double high) {
    return low + (high - low) * ((double)(draw() >> 11) * 0x1p-53);
}

static const double SPECIAL[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 0.5,
                                 -0.5,
                                 2.0,
                                 -2.0,
                                 3.0,
                                 -3.0,
                                 INFINITY,
                                 -INFINITY,
                                 NAN,
                                 0x1p-1074,
                                 DBL_MIN,
                                 -0x1p-1074,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 0x1p30,
                                 -0x1p30,
                                 0x1p52,
                                 0x1p53,
                                 0x1p53 + 2,
                                 709.0,
                                 -745.0,
                                 0.25,
                                 0x1p-28,
                                 0x1p1023,
                                 1e22,
                                 1.5707963267948966,
                                 6381956970095103e220,
                                 0x1.6ac5b262ca1ffp849,
                                 0x1.0801764fb8d33p+0,
                                 0x1.f7ef3e823149bp-1};
enum { SPECIALS = sizeof SPECIAL / sizeof *SPECIAL };

/* Arguments of a block: place 0 special ones, 1 all patterns, 2 the range of the function, 3 near
 * multiples of pi/2, or for pow a base near 1 and a large exponent. */
static void fill(const function *f, int place, double *x, double *z) {
    for (int i = 0; i < BLOCK; i++) {
        x[i] = gr_bits_double(draw());
        z[i] = gr_bits_double(draw());
        if (place == 0) {
            x[i] = SPECIAL[i % SPECIALS];
            z[i] = SPECIAL[i / SPECIALS % SPECIALS];
        } else if (place == 2 && f->truth == pow_truth) {
            x[i] = exp2(uniform(-8.0, 8.0)) * (draw() & 1 ? -1.0 : 1.0);
            z[i] = uniform(-130.0, 130.0);
            z[i] = draw() & 1 ? z[i] : rint(z[i]);
        } else if (place == 2)
            x[i] = uniform(f->low, f->high);
        else if (place == 3 && f->truth == pow_truth) {
            double e = exp2(uniform(-50.0, -1.0));
            x[i] = 1.0 + (draw() & 1 ? e : -e);
            z[i] = uniform(-740.0, 740.0) / e;
        } else if (place == 3)
            x[i] = rint(uniform(-100.0, 100.0) * exp2(uniform(0.0, 24.0))) * 1.5707963267948966 *
                   (1.0 + uniform(-1.0, 1.0) * exp2(uniform(-53.0, -3.0)));
    }
}

static double ulp_of(long double truth) {
    double a = fabs((double)truth);
    int e = a < DBL_MIN ? -1021 : ilogb(a) + 1;
    return ldexp(1.0, e - 53);
}

static int same(double a, double b) {
    return gr_double_bits(a) == gr_double_bits(b) || (a != a && b != b);
}

static void check(const function *f, double x, double z, double y, result *r) {
    long double truth = f->truth((long double)x, (long double)z);
    double rounded = (double)truth;
    r->checked++;
    int special = isnan(rounded) || isinf(rounded) || rounded == 0.0 || x == 0.0;
    int border = isinf(rounded) && isfinite((double)y) && fabs(y) == DBL_MAX;
    border |= isinf(y) && fabs(rounded) == DBL_MAX;
    border |= fabs(rounded) <= 0x1p-1074 && fabs(y) <= 0x1p-1074 &&
              (rounded != 0.0 || y != 0.0); /* half of it, rounded twice */
    if (border)
        return;
    if (special || !isfinite(y) || fabs(y) > f->most) {
        r->wrong += (uint64_t)!same(rounded, y);
        if (!same(rounded, y) && r->wrong == 1)
            printf("%s(%a, %a) is %a, expected %a\n", f->name, x, z, y, rounded);
        return;
    }
    double ulp = (double)(fabsl((long double)y - truth) / (long double)ulp_of(truth));
    if (fabs(y) < DBL_MIN && ulp < 1.01) /* rounded twice */
        return;
    if (ulp > r->ulp)
        *r = (result){ulp, x, z, y, r->checked, r->wrong, r->unequal};
}

static void check_block(const function *f, int place, result *r) {
    static double x[BLOCK], z[BLOCK], y[BLOCK], common[BLOCK];
    fill(f, place, x, z);
    f->whole(x, z, y);
    if (f->common)
        f->common(x, z, common);
    for (int i = 0; i < BLOCK; i++) {
        check(f, x[i], z[i], y[i], r);
        if (f->common && !(fabs(x[i]) > GR_TRIG_LIMIT_D))
            r->unequal += (uint64_t)!same(common[i], y[i]);
    }
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"points", required_argument, NULL, 'p'}, {"function", required_argument, NULL, 'f'}, {0}};
    uint64_t points = 1u << 19;
    const char *name = NULL;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'p':
            points = strtoull(optarg, NULL, 10);
            break;
        case 'f':
            name = optarg;
            break;
        default:
            return 2;
        }
    int bad = 0;
    for (size_t k = 0; k < sizeof FUNCTIONS / sizeof *FUNCTIONS; k++) {
        const function *f = &FUNCTIONS[k];
        if (name && strcmp(name, f->name) != 0)
            continue;
        result r = {0};
        for (int place = 0; place < PLACES; place++)
            for (uint64_t done = 0; done < (place ? points : BLOCK); done += BLOCK)
                check_block(f, place, &r);
        int good = r.ulp < f->bound && !r.wrong && !r.unequal;
        printf("%-4s %-6s %10llu arguments, %.3f ulp at (%a, %a) = %a, %llu special cases wrong, "
               "%llu unequal\n",
               good ? "ok" : "FAIL", f->name, (unsigned long long)r.checked, r.ulp, r.at, r.with,
               r.got, (unsigned long long)r.wrong, (unsigned long long)r.unequal);
        bad |= !good;
    }
    return bad;
}
