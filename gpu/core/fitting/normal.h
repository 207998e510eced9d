/* The normal equations of a program's constants, in double: what is added up over the cases, and
 * the step that follows.
 *
 * A case has a row of columns: the derivatives of the output by the n constants; then, without
 * linear scaling, the error; with it the output, the target (both less a number near them) and 1.
 * All are floats, so that the product of two is exact in double; what is kept are the sums of all
 * such products over the cases, in the canonical order of fitness.h.
 *
 * Linear scaling fits target = a + b output for any constants, and a and b follow these: variable
 * projection (Golub and Pereyra; Kaufman's form). Seen from the fitted line, a derivative is what
 * is left of it beside 1 and the output itself. */
#ifndef GR_NORMAL_H
#define GR_NORMAL_H

#include "gpu/core/base/math.h"
#include "gpu/core/base/params.h"

enum {
    GR_FIT_COLUMNS = GR_FIT_CONSTANTS + 3,
    GR_FIT_SUMS = GR_FIT_COLUMNS * (GR_FIT_COLUMNS + 1) / 2,
    GR_FIT_PAIRS = GR_FIT_CONSTANTS * (GR_FIT_CONSTANTS + 1) / 2
};

GR_FN uint32_t gr_fit_columns(const gr_params *p, uint32_t n) {
    return n + (p->linear_scaling ? 3 : 1);
}

/* What the columns of a case with a weight are multiplied by, so that the product of two has the
 * weight. It is its part of a power of two near the sum of all, so that weights half as large give
 * the same steps to the bit. */
GR_FN float gr_fit_root(const gr_params *p, float weight) {
    uint32_t exponent = gr_float_bits((float)p->weight[0]) & 0x7f800000u;
    return gr_sqrt(weight * gr_bits_float(0x7f000000u - gr_min_u32(exponent, 0x7e800000u)));
}

/* Where the sum of the products of columns i <= j stands. */
GR_FN uint32_t gr_fit_pair(uint32_t i, uint32_t j) {
    return j * (j + 1) / 2 + i;
}

/* The sum about the means, over so many cases (their share: one by their number); the last of the
 * columns is 1. */
GR_FN double gr_fit_centred(const double *sum, uint32_t i, uint32_t j, uint32_t last,
                            double share) {
    return sum[gr_fit_pair(i, j)] - sum[gr_fit_pair(i, last)] * sum[gr_fit_pair(j, last)] * share;
}

/* A constant that hardly changes the error beside what it changes the output (linear scaling undoes
 * it) has nothing but rounding in its equation: it stays. */
#define GR_FIT_NOTHING 1e-10

/* Equation j of linear scaling, of n. */
GR_FN void gr_fit_scaled(uint32_t n, uint32_t j, const double *sum, double *matrix, double *side,
                         double slope) {
    uint32_t last = n + 2;
    double share = 1.0 / sum[gr_fit_pair(last, last)],
           beside = gr_fit_centred(sum, j, n, last, share),
           part = beside / gr_fit_centred(sum, n, n, last, share);
    for (uint32_t i = 0; i <= j; i++)
        matrix[gr_fit_pair(i, j)] = slope * slope *
                                    (gr_fit_centred(sum, i, j, last, share) -
                                     gr_fit_centred(sum, i, n, last, share) * part);
    side[j] = slope * (gr_fit_centred(sum, j, n + 1, last, share) - slope * beside);
}

/* Equations matrix * step = side from the sums, a lane for each; 0: they tell nothing. matrix:
 * GR_FIT_PAIRS. */
GR_FN uint32_t gr_fit_equations(const gr_params *p, uint32_t n, const double *sum, double *matrix,
                                double *side, gr_lane_group w) {
    double slope = 1.0;
    if (p->linear_scaling) {
        double share = 1.0 / sum[gr_fit_pair(n + 2, n + 2)],
               spread = gr_fit_centred(sum, n, n, n + 2, share);
        slope = gr_fit_centred(sum, n, n + 1, n + 2, share) / spread;
        if (!(spread > GR_FIT_NOTHING * sum[gr_fit_pair(n, n)]) || !(slope * slope > 0.0))
            return 0;
    }
    for (uint32_t j = w.lane; j < n; j += w.width) {
        if (p->linear_scaling) {
            gr_fit_scaled(n, j, sum, matrix, side, slope);
            continue;
        }
        for (uint32_t i = 0; i <= j; i++)
            matrix[gr_fit_pair(i, j)] = sum[gr_fit_pair(i, j)];
        side[j] = -sum[gr_fit_pair(j, n)];
    }
    gr_sync(w);
    uint32_t stays[(GR_FIT_CONSTANTS + 31) / 32] = {0}; /* of the lane's */
    for (uint32_t j = w.lane, k = 0; j < n; j += w.width, k++) {
        double whole = slope * slope * sum[gr_fit_pair(j, j)];
        stays[k / 32] |= (uint32_t) !(matrix[gr_fit_pair(j, j)] > GR_FIT_NOTHING * whole) << k % 32;
    }
    gr_sync(w);
    for (uint32_t j = w.lane, k = 0; j < n; j += w.width, k++) {
        if (!(stays[k / 32] >> k % 32 & 1u))
            continue;
        for (uint32_t i = 0; i < n; i++)
            matrix[i < j ? gr_fit_pair(i, j) : gr_fit_pair(j, i)] = i == j;
        side[j] = 0.0;
    }
    gr_sync(w);
    return 1;
}

/* Entry (i, j), i <= j, of the matrix less what the rows of its factor above i explain. */
GR_FN double gr_fit_rest(const double *matrix, double damping, const double *lower, uint32_t i,
                         uint32_t j) {
    double rest = matrix[gr_fit_pair(i, j)];
    rest += i == j ? damping * rest : 0.0;
    for (uint32_t k = 0; k < i; k++)
        rest -= lower[gr_fit_pair(k, i)] * lower[gr_fit_pair(k, j)];
    return rest;
}

/* step: of the equations, the diagonal larger by `damping` (Marquardt), by Cholesky, the lanes side
 * by side below each pivot; 0: there is none. lower: GR_FIT_PAIRS, scratch. */
GR_FN uint32_t gr_fit_solve(uint32_t n, const double *matrix, const double *side, double damping,
                            double *lower, double *step, gr_lane_group w) {
    for (uint32_t i = 0; i < n; i++) {
        double rest = gr_fit_rest(matrix, damping, lower, i, i), pivot = sqrt(rest);
        if (!(rest > 0.0))
            return 0;
        for (uint32_t j = i + 1 + w.lane; j < n; j += w.width)
            lower[gr_fit_pair(i, j)] = gr_fit_rest(matrix, damping, lower, i, j) / pivot;
        if (w.lane == 0)
            lower[gr_fit_pair(i, i)] = pivot;
        gr_sync(w);
    }
    for (uint32_t j = 0; w.lane == 0 && j < n; j++) {
        double rest = side[j];
        for (uint32_t k = 0; k < j; k++)
            rest -= lower[gr_fit_pair(k, j)] * step[k];
        step[j] = rest / lower[gr_fit_pair(j, j)];
    }
    for (uint32_t j = n; w.lane == 0 && j-- > 0;) {
        double rest = step[j];
        for (uint32_t k = j + 1; k < n; k++)
            rest -= lower[gr_fit_pair(j, k)] * step[k];
        step[j] = rest / lower[gr_fit_pair(j, j)];
    }
    gr_sync(w);
    return 1;
}

#endif
