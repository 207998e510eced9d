/* gpu/core/fitting/normal.h: steps from sums over cases, against numpy's least squares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitting/normal.h"
#include "tests/core.h"

enum { CASES = 8 };
/* derivatives by two constants, output, target */
static const double rows[CASES][4] = {{1, 0.5, 1.5, 2},      {2, -1, 0.75, 0.5}, {0.25, 3, 2, 3},
                                      {-1, 2, -1, -2.5},     {4, 0, 4.25, 6},    {3, 1.5, 3, 4.5},
                                      {-2, -0.75, -2.5, -4}, {0.5, 2.5, 1, 2.25}};

/* The sums of these rows; a third constant, whose derivative is `third` times the output and `one`
 * times 1. */
static void add(const gr_params *p, uint32_t n, double third, double one, double *sum) {
    uint32_t columns = gr_fit_columns(p, n);
    memset(sum, 0, GR_FIT_SUMS * sizeof *sum);
    for (uint32_t c = 0; c < CASES; c++) {
        double column[6] = {rows[c][0], rows[c][1], third * rows[c][2] + one}, *rest = column + n;
        rest[0] = p->linear_scaling ? rows[c][2] - 1.0 : rows[c][2] - rows[c][3];
        if (p->linear_scaling)
            rest[1] = rows[c][3] - 3.0, rest[2] = 1.0;
        for (uint32_t j = 0; j < columns; j++)
            for (uint32_t i = 0; i <= j; i++)
                sum[gr_fit_pair(i, j)] += column[i] * column[j];
    }
}

static void solve(const gr_params *p, uint32_t n, const double *sum, double damping, double *step) {
    double matrix[GR_FIT_PAIRS], lower[GR_FIT_PAIRS], side[GR_FIT_CONSTANTS];
    assert_true(gr_fit_equations(p, n, sum, matrix, side, core_group));
    assert_true(gr_fit_solve(n, matrix, side, damping, lower, step, core_group));
}

static void near(double value, double wanted) {
    if (!(fabs(value - wanted) <= 1e-12 * fmax(1.0, fabs(wanted))))
        fail_msg("%.17g instead of %.17g", value, wanted);
}

static void test_plain(void **state) {
    (void)state;
    gr_params p = {0};
    double sum[GR_FIT_SUMS], step[GR_FIT_CONSTANTS];
    add(&p, 2, 0, 0, sum);
    solve(&p, 2, sum, 0.0, step);
    near(step[0], 0.45069833285496774);
    near(step[1], 0.21327002690199015);
    solve(&p, 2, sum, 0.5, step);
    near(step[0], 0.30491122188053216);
    near(step[1], 0.16094082578123625);
}

/* Derivatives and errors less what 1 and the output explain of them. */
static void test_scaled(void **state) {
    (void)state;
    gr_params p = {.linear_scaling = 1};
    double sum[GR_FIT_SUMS], step[GR_FIT_CONSTANTS];
    add(&p, 2, 0, 0, sum);
    solve(&p, 2, sum, 0.0, step);
    near(step[0], -0.07100887976708128);
    near(step[1], 0.053964978893292014);
}

/* A factor of the whole program, or a summand, is what scaling fits already: it stays, and the
 * others go where they go without it. */
static void test_redundant(void **state) {
    (void)state;
    gr_params p = {.linear_scaling = 1};
    double sum[GR_FIT_SUMS], step[GR_FIT_CONSTANTS];
    for (int which = 0; which < 2; which++) {
        add(&p, 3, which ? 0.75 : 0.0, which ? 0.0 : 1.0, sum);
        solve(&p, 3, sum, 0.0, step);
        near(step[0], -0.07100887976708128);
        near(step[1], 0.053964978893292014);
        assert_true(step[2] == 0.0);
    }
}

/* Outputs that are all the same, not finite, or that have nothing to do with the target. */
static void test_nothing(void **state) {
    (void)state;
    gr_params p = {.linear_scaling = 1};
    double sum[GR_FIT_SUMS], matrix[GR_FIT_PAIRS], side[GR_FIT_CONSTANTS];
    add(&p, 2, 0, 0, sum);
    double output = sum[gr_fit_pair(2, 4)];
    sum[gr_fit_pair(2, 2)] = output * output / CASES;
    assert_false(gr_fit_equations(&p, 2, sum, matrix, side, core_group));
    sum[gr_fit_pair(2, 2)] = (double)NAN;
    assert_false(gr_fit_equations(&p, 2, sum, matrix, side, core_group));
}

/* The steps do not depend on the unit of the target, however small the slope is then. */
static void test_units(void **state) {
    (void)state;
    gr_params p = {.linear_scaling = 1};
    double sum[GR_FIT_SUMS], plain[GR_FIT_CONSTANTS], step[GR_FIT_CONSTANTS];
    add(&p, 2, 0, 0, sum);
    solve(&p, 2, sum, 0.25, plain);
    for (int unit = -60; unit <= 60; unit += 12) {
        add(&p, 2, 0, 0, sum);
        for (uint32_t i = 0; i < 5; i++) /* column 3 is the target's */
            sum[i <= 3 ? gr_fit_pair(i, 3) : gr_fit_pair(3, i)] *= ldexp(1.0, unit);
        sum[gr_fit_pair(3, 3)] *= ldexp(1.0, unit);
        solve(&p, 2, sum, 0.25, step);
        assert_true(step[0] == plain[0] && step[1] == plain[1]); /* powers of two round nothing */
    }
}

/* Neither does it matter in what unit weights are given: to the bit. */
static void test_weights(void **state) {
    (void)state;
    gr_params p = {.case_weights = 1}, other = p;
    for (uint32_t k = 1; k < 40; k++) {
        float weight = (float)k * 0.37f;
        p.weight[0] = 1234.5 * k;
        assert_true(fabs((double)gr_fit_root(&p, 4.0f * weight) / (double)gr_fit_root(&p, weight) -
                         2.0) < 1e-6); /* the product of two has the weight */
        for (int unit = -60; unit <= 60; unit += 12) {
            other.weight[0] = ldexp(p.weight[0], unit);
            assert_true(gr_fit_root(&other, ldexpf(weight, unit)) == gr_fit_root(&p, weight));
        }
    }
}

/* A sum of weights near the largest float, or beyond it, leaves a root that is none of 0. */
static void test_heavy_weights(void **state) {
    (void)state;
    gr_params p = {.case_weights = 1};
    for (int unit = -126; unit <= 126; unit++) {
        p.weight[0] = ldexp(1.5, unit);
        assert_true(gr_fit_root(&p, ldexpf(1.0f, unit)) == 1.0f);
    }
    for (int unit = 126; unit <= 200; unit++) {
        p.weight[0] = ldexp(1.5, unit);
        assert_true(gr_fit_root(&p, 0x1p126f) == 1.0f);
    }
}

/* Outputs that have hardly to do with the target: a slope whose square is 0 tells nothing. */
static void test_no_slope(void **state) {
    (void)state;
    gr_params p = {.linear_scaling = 1};
    double sum[GR_FIT_SUMS] = {0}, matrix[GR_FIT_PAIRS], side[GR_FIT_CONSTANTS];
    sum[gr_fit_pair(0, 0)] = sum[gr_fit_pair(1, 1)] = sum[gr_fit_pair(3, 3)] = 4.0;
    sum[gr_fit_pair(0, 1)] = 1.0;
    sum[gr_fit_pair(1, 2)] = 1e-100;
    assert_true(gr_fit_equations(&p, 1, sum, matrix, side, core_group));
    sum[gr_fit_pair(1, 2)] = -1e-200;
    assert_false(gr_fit_equations(&p, 1, sum, matrix, side, core_group));
    sum[gr_fit_pair(1, 2)] = 0.0;
    assert_false(gr_fit_equations(&p, 1, sum, matrix, side, core_group));
}

/* Of as many constants as there are, each alone may be the one that stays. */
static void test_one_stays(void **state) {
    (void)state;
    enum { N = GR_FIT_CONSTANTS };
    gr_params p = {0};
    for (uint32_t out = 0; out < N; out++) {
        double sum[GR_FIT_SUMS] = {0}, step[N];
        for (uint32_t k = 0; k < N; k++)
            if (k != out) {
                sum[gr_fit_pair(k, k)] = 2.0;
                sum[gr_fit_pair(k, N)] = 2.0 * (k + 1);
            }
        solve(&p, N, sum, 0.0, step);
        for (uint32_t k = 0; k < N; k++)
            near(step[k], k == out ? 0.0 : -(double)(k + 1));
    }
}

static void test_unsolvable(void **state) {
    (void)state;
    double matrix[3] = {1.0, 2.0, 4.0}, side[2] = {1.0, 1.0}, lower[3], step[2];
    assert_false(gr_fit_solve(2, matrix, side, 0.0, lower, step, core_group)); /* two rows alike */
    assert_true(gr_fit_solve(2, matrix, side, 1.0, lower, step, core_group));
    near(2.0 * step[0] + 2.0 * step[1], 1.0);
    near(2.0 * step[0] + 8.0 * step[1], 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),      cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_redundant),  cmocka_unit_test(test_units),
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_unsolvable), cmocka_unit_test(test_heavy_weights),
        cmocka_unit_test(test_no_slope),   cmocka_unit_test(test_one_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
