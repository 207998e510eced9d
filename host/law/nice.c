/* Numbers that people write. */
#include "host/law/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SMALL 1e-3
enum { LARGEST_NUMERATOR = 200, LARGEST_DENOMINATOR = 32, DIGITS = 4 };

static const struct {
    double value, cost;
    const char *name;
    int below; /* it divides */
} bases[] = {
    {1.0, 0.0, "", 0},
    {3.14159265358979323846, 4.0, "pi", 0},
    {1.0 / 3.14159265358979323846, 5.0, "pi", 1},
    {9.8696044010893586188, 9.0, "pi**2", 0},
    {1.0 / 9.8696044010893586188, 10.0, "pi**2", 1},
    {1.41421356237309504880, 12.0, "sqrt(2)", 0},
    {1.0 / 2.50662827463100050242, 14.0, "sqrt(2*pi)", 1},
    {2.50662827463100050242, 14.0, "sqrt(2*pi)", 0},
    {1.77245385090551602730, 16.0, "sqrt(pi)", 0},
    {1.0 / 1.77245385090551602730, 16.0, "sqrt(pi)", 1},
};

/* Puts a number among those kept, by cost; one of the same value stays as it is. */
static void keep(gr_nice nice[GR_NICE], uint32_t *count, gr_nice number) {
    uint32_t at = *count;
    for (uint32_t k = 0; k < *count; k++)
        if (fabs(nice[k].value - number.value) <= 1e-14 * fabs(number.value))
            return;
    while (at && nice[at - 1].cost > number.cost)
        at--;
    if (at == GR_NICE)
        return;
    *count += *count < GR_NICE;
    memmove(nice + at + 1, nice + at, (*count - 1 - at) * sizeof *nice);
    nice[at] = number;
}

static void print_fraction(int numerator, int denominator, const char *base, int below, char *out) {
    char top[16], bottom[24];
    const char *by = below ? "" : base;
    if (*by && (numerator == 1 || numerator == -1))
        snprintf(top, sizeof top, "%s%s", numerator < 0 ? "-" : "", by);
    else
        snprintf(top, sizeof top, "%d%s%s", numerator, *by ? "*" : "", by);
    if (below && denominator > 1)
        snprintf(bottom, sizeof bottom, "/(%d*%s)", denominator, base);
    else if (below)
        snprintf(bottom, sizeof bottom, "/%s", base);
    else if (denominator > 1)
        snprintf(bottom, sizeof bottom, "/%d", denominator);
    else
        bottom[0] = '\0';
    snprintf(out, 48, "%s%s", top, bottom);
}

uint32_t gr_nice_near(double value, double tolerance, gr_nice nice[GR_NICE]) {
    uint32_t count = 0;
    if (!isfinite(value) || value == 0.0)
        return 0;
    if (fabs(value) < SMALL) /* the first to be tried: what rounding hides is no number at all */
        keep(nice, &count, (gr_nice){0.0, 0.0, "0"});
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
        for (int q = 1; q <= LARGEST_DENOMINATOR; q++) {
            double p = rint(value * q / bases[b].value), made = p / q * bases[b].value;
            if (p == 0.0 || fabs(p) > LARGEST_NUMERATOR ||
                !(fabs(made - value) <= tolerance * fabs(value)))
                continue;
            gr_nice number = {made, fabs(p) + q + bases[b].cost, ""};
            print_fraction((int)p, q, bases[b].name, bases[b].below, number.text);
            keep(nice, &count, number);
        }
    for (int digits = 2; digits <= DIGITS; digits++) {
        gr_nice number = {0.0, 100.0 * digits, ""};
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
        sscanf(number.text, "%lf", &number.value);
        if (fabs(number.value - value) <= tolerance * fabs(value))
            keep(nice, &count, number);
    }
    return count;
}
