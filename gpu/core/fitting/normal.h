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

#include "gpu/core/base/params.h"

/* Constants of a program that are fitted at most: the first ones in its tree. */
enum {
    GR_FIT_CONSTANTS = 32,
    GR_FIT_COLUMNS = GR_FIT_CONSTANTS + 3,
    GR_FIT_SUMS = GR_FIT_COLUMNS * (GR_FIT_COLUMNS + 1) / 2,
    GR_FIT_PAIRS = GR_FIT_CONSTANTS * (GR_FIT_CONSTANTS + 1) / 2
};

GR_FN uint32_t gr_fit_columns(const gr_params *p, uint32_t n) {
    return n + (p->linear_scaling ? 3 : 1);
}

/* Where the sum of the products of columns i <= j stands. */
GR_FN uint32_t gr_fit_pair(uint32_t i, uint32_t j) {
    return j * (j + 1) / 2 + i;
}

/* The sum about the means; the last of the columns is 1. */
GR_FN double gr_fit_centred(const double *sum, uint32_t i, uint32_t j, uint32_t last) {
    return sum[gr_fit_pair(i, j)] -
           sum[gr_fit_pair(i, last)] * sum[gr_fit_pair(j, last)] / sum[gr_fit_pair(last, last)];
}

/* A constant that hardly changes the error beside what it changes the output (linear scaling undoes
 * it) has nothing but rounding in its equation: it stays. */
#define GR_FIT_NOTHING 1e-10

/* Equations matrix * step = side from the sums; 0: they tell nothing. matrix: GR_FIT_PAIRS. */
GR_FN uint32_t gr_fit_equations(const gr_params *p, uint32_t n, const double *sum, double *matrix,
                                double *side) {
    uint32_t scaled = p->linear_scaling, last = n + 2;
    double spread = 1.0, slope = 1.0, along = 0.0;
    if (scaled) {
        spread = gr_fit_centred(sum, n, n, last);
        slope = gr_fit_centred(sum, n, n + 1, last) / spread;
        if (!(spread > GR_FIT_NOTHING * sum[gr_fit_pair(n, n)]) || !(slope * slope > 0.0))
            return 0;
    }
    for (uint32_t j = 0; j < n; j++) {
        double beside = scaled ? gr_fit_centred(sum, j, n, last) : 0.0;
        for (uint32_t i = 0; i <= j; i++) {
            double entry = sum[gr_fit_pair(i, j)];
            if (scaled) {
                along = gr_fit_centred(sum, i, n, last);
                entry =
                    slope * slope * (gr_fit_centred(sum, i, j, last) - along * (beside / spread));
            }
            matrix[gr_fit_pair(i, j)] = entry;
        }
        side[j] = scaled ? slope * (gr_fit_centred(sum, j, n + 1, last) - slope * beside)
                         : -sum[gr_fit_pair(j, n)];
    }
    for (uint32_t j = 0; j < n; j++) { /* those that stay: step = 0 */
        double whole = slope * slope * sum[gr_fit_pair(j, j)];
        if (matrix[gr_fit_pair(j, j)] > GR_FIT_NOTHING * whole)
            continue;
        for (uint32_t i = 0; i < n; i++)
            matrix[i < j ? gr_fit_pair(i, j) : gr_fit_pair(j, i)] = i == j;
        side[j] = 0.0;
    }
    return 1;
}

/* step: of the equations, the diagonal larger by `damping` (Marquardt), by Cholesky; 0: there is
 * none. lower: GR_FIT_PAIRS, scratch. */
GR_FN uint32_t gr_fit_solve(uint32_t n, const double *matrix, const double *side, double damping,
                            double *lower, double *step) {
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i <= j; i++) { /* row j of the factor, entries i <= j */
            double rest = matrix[gr_fit_pair(i, j)];
            rest += i == j ? damping * rest : 0.0;
            for (uint32_t k = 0; k < i; k++)
                rest -= lower[gr_fit_pair(k, i)] * lower[gr_fit_pair(k, j)];
            if (i == j && !(rest > 0.0))
                return 0;
            lower[gr_fit_pair(i, j)] = i == j ? sqrt(rest) : rest / lower[gr_fit_pair(i, i)];
        }
    for (uint32_t j = 0; j < n; j++) {
        step[j] = side[j];
        for (uint32_t k = 0; k < j; k++)
            step[j] -= lower[gr_fit_pair(k, j)] * step[k];
        step[j] /= lower[gr_fit_pair(j, j)];
    }
    for (uint32_t j = n; j-- > 0;) {
        for (uint32_t k = j + 1; k < n; k++)
            step[j] -= lower[gr_fit_pair(j, k)] * step[k];
        step[j] /= lower[gr_fit_pair(j, j)];
    }
    return 1;
}

#endif
