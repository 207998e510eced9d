/* gpu/core/fitness/fitness.h and the sums of the CPU interpreter: the canonical order bit for bit,
 * every metric against its formula in double precision, the border where NaN and infinity end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/cpu/evaluate.h"
#include "tests/core.h"

enum { MOST = 3000, CHUNKS = 3 };
static float tiles[CHUNKS][2][GR_CHUNK]; /* one input and the target */
static float output[MOST], target[MOST];
static gr_cpu_registers registers;

/* The program x0, so that outputs are the data themselves. */
static const gr_instruction IDENTITY[] = {{GR_H_LOAD_INPUT, 0}};

static gr_params settings(gr_metric metric, uint32_t cases) {
    gr_params p = core_params(GR_TREE);
    p.inputs = 1;
    p.metric = metric;
    p.train_cases = p.test_cases = cases;
    p.train_chunks = p.test_chunks = (cases + GR_CHUNK - 1) / GR_CHUNK;
    p.sums = metric == GR_METRIC_BALANCED || metric == GR_METRIC_F1 ? 2 : 1;
    return p;
}

/* Outputs and targets of `cases` cases into the tiles; behind them what must not count. */
static void fill(uint32_t cases) {
    for (uint32_t c = 0; c < CHUNKS * GR_CHUNK; c++) {
        tiles[c / GR_CHUNK][0][c % GR_CHUNK] = c < cases ? output[c] : GR_NAN;
        tiles[c / GR_CHUNK][1][c % GR_CHUNK] = c < cases ? target[c] : 0.0f;
    }
}

static void moments(gr_params *p, uint32_t set) {
    double mean = 0.0, ss = 0.0, positives = 0.0;
    for (uint32_t c = 0; c < p->train_cases; c++)
        mean += (double)target[c] / p->train_cases;
    for (uint32_t c = 0; c < p->train_cases; c++) {
        ss += ((double)target[c] - mean) * ((double)target[c] - mean);
        positives += target[c] > 0.0f;
    }
    p->target_mean[set] = mean;
    p->target_ss[set] = ss;
    p->positives[set] = positives;
    p->last_share[set] = gr_last_share(p->train_cases);
}

/* Cost of the outputs by the interpreter, as a backend computes it. */
static float cost_of(const gr_params *p, uint32_t set, double *fit) {
    double sums[CHUNKS * GR_MAX_SUMS] = {0.0}, total[GR_MAX_SUMS];
    gr_chunk_target targets[CHUNKS];
    fill(p->train_cases);
    gr_chunk_targets(p, tiles[0][0], p->train_cases, p->target_mean[set], targets);
    for (uint32_t chunk = 0; chunk < p->train_chunks; chunk++) {
        registers.target = targets[chunk];
        gr_cpu_best_interpreter()->evaluate(p, IDENTITY, 1,
                                            (gr_cpu_chunk){tiles[chunk][0], set, chunk}, &registers,
                                            sums + chunk * p->sums);
    }
    gr_total(p, set, targets, sums, 1, 0, total);
    return gr_cost(p, total, set, fit);
}

static float cost(const gr_params *p) {
    double fit[2];
    return cost_of(p, 0, fit);
}

static void near(double got, double wanted, double relative) {
    if (!(fabs(got - wanted) <= relative * (fabs(wanted) + 1e-6)))
        fail_msg("%.9g instead of %.9g", got, wanted);
}

static void random_data(uint32_t seed, uint32_t cases) {
    core_dice dice = {seed};
    for (uint32_t c = 0; c < cases; c++) {
        output[c] = (float)core_roll(&dice, 0) * 0x1p-30f - 2.0f;
        target[c] = output[c] * 0.5f + (float)core_roll(&dice, 0) * 0x1p-31f;
    }
}

/* ---- the canonical sum ---- */

/* As the definition says it: lane (c / 4) mod 32 adds its cases in rising order, then the lanes
 * meet pairwise. */
static double canonical(const float *term, uint32_t cases) {
    double total = 0.0;
    for (uint32_t first = 0; first < cases; first += 1024) {
        float lane[32] = {0}, other[32];
        for (uint32_t c = 0; c < 1024 && first + c < cases; c++)
            lane[c / 4 % 32] += term[first + c];
        for (int x = 16; x; x /= 2) {
            memcpy(other, lane, sizeof lane);
            for (int l = 0; l < 32; l++)
                lane[l] = other[l] + other[l ^ x];
        }
        total += (double)lane[0];
    }
    return total;
}

static void test_canonical_sum(void **state) {
    (void)state;
    static const uint32_t CASES[] = {1,   2,   3,    4,    5,    31,   127,  128,  129, 255,
                                     256, 257, 1000, 1023, 1024, 1025, 2047, 2600, 3000};
    for (uint32_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        uint32_t n = CASES[i];
        float term[MOST];
        gr_params sae = settings(GR_METRIC_SAE, n), mse = settings(GR_METRIC_MSE, n);
        random_data(i, n);
        for (uint32_t c = 0; c < n; c++)
            term[c] = fabsf(output[c] - target[c]);
        assert_true(cost(&sae) == (float)canonical(term, n));
        for (uint32_t c = 0; c < n; c++)
            term[c] = (output[c] - target[c]) * (output[c] - target[c]);
        assert_true(cost(&mse) == (float)(canonical(term, n) / n));
    }
    for (uint32_t c = 0; c < GR_CHUNK; c++)
        assert_int_equal(gr_case_lane(c), c / 4 % 32);
}

/* ---- metrics ---- */

static void test_errors(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 2500; n = n * 3 + 1) {
        double sae = 0.0, sse = 0.0, hits = 0.0;
        random_data(n, n);
        for (uint32_t c = 0; c < n; c++) {
            double error = (double)output[c] - (double)target[c];
            sae += fabs(error);
            sse += error * error;
            hits += fabs(error) <= 0.25;
        }
        gr_params p = settings(GR_METRIC_SAE, n);
        near((double)cost(&p), sae, 1e-6);
        p.metric = GR_METRIC_MAE;
        near((double)cost(&p), sae / n, 1e-6);
        p.metric = GR_METRIC_MSE;
        near((double)cost(&p), sse / n, 1e-6);
        p.metric = GR_METRIC_RMSE;
        near((double)cost(&p), sqrt(sse / n), 1e-6);
        p.metric = GR_METRIC_HITS;
        p.tolerance = 0.25f;
        assert_true(cost(&p) == (float)-hits);
        p.metric = GR_METRIC_R2; /* stored with the other sign: -R2 = sse / ss - 1 */
        moments(&p, 0);
        if (n > 1)
            near((double)cost(&p), sse / p.target_ss[0] - 1.0, 1e-6);
    }
}

static void test_exact_hits(void **state) {
    (void)state;
    gr_params p = settings(GR_METRIC_HITS, 4);
    p.tolerance = 0.5f;
    for (uint32_t c = 0; c < 4; c++) {
        target[c] = 1.0f;
        output[c] = (const float[]){1.5f, 1.5000001f, 0.5f, GR_NAN}[c];
    }
    assert_true(cost(&p) == -2.0f);
}

/* Output rounded to the nearest label, to even at halves, clamped; a NaN is never right. */
static void test_nearest_class(void **state) {
    (void)state;
    static const float ROWS[][2] = {{1.4f, 1},  {1.5f, 2}, {2.5f, 2}, {-7.0f, 1},
                                    {99.0f, 7}, {6.5f, 6}, {0.2f, 1}};
    gr_params p = settings(GR_METRIC_MISCLASSIFIED, 12);
    p.class_min = 1.0f;
    p.class_max = 7.0f;
    for (uint32_t c = 0; c < 7; c++) {
        output[c] = ROWS[c][0];
        target[c] = ROWS[c][1];
        assert_true(gr_class_of(&p, output[c]) == target[c]);
    }
    output[7] = GR_INFINITY, target[7] = 7.0f;
    output[8] = -GR_INFINITY, target[8] = 1.0f;
    output[9] = GR_NAN, target[9] = 1.0f;
    output[10] = 3.0f, target[10] = 4.0f;
    output[11] = GR_NAN, target[11] = 7.0f;
    assert_true(cost(&p) == 3.0f);
}

static void test_thresholds(void **state) {
    (void)state;
    gr_params p = settings(GR_METRIC_MISCLASSIFIED, 6);
    p.class_rule = GR_CLASS_THRESHOLDS;
    p.class_min = 2.0f;
    p.class_max = 5.0f;
    p.thresholds = 3;
    p.threshold[0] = -1.0f, p.threshold[1] = 0.0f, p.threshold[2] = 2.5f;
    for (uint32_t c = 0; c < 6; c++) {
        output[c] = (const float[]){-1.5f, -1.0f, -0.1f, 0.0f, 2.5f, GR_NAN}[c];
        target[c] = (const float[]){2, 3, 3, 4, 5, 5}[c];
    }
    assert_true(cost(&p) == 1.0f); /* the NaN */
}

static void test_balanced(void **state) {
    (void)state;
    gr_params p = settings(GR_METRIC_BALANCED, 2000);
    core_dice dice = {4};
    double tp = 0.0, tn = 0.0, positives = 0.0;
    for (uint32_t c = 0; c < 2000; c++) {
        target[c] = core_roll(&dice, 5) == 0 ? 1.0f : (float)-(int)core_roll(&dice, 2);
        output[c] = core_roll(&dice, 50) ? (float)core_roll(&dice, 9) - 4.0f : GR_NAN;
        positives += target[c] > 0.0f;
        tp += target[c] > 0.0f && output[c] >= 0.0f;
        tn += target[c] <= 0.0f && !(output[c] >= 0.0f);
    }
    moments(&p, 0);
    near((double)cost(&p), -(0.5 * tp / positives + 0.5 * tn / (2000 - positives)), 1e-6);
}

/* A class that nobody is in counts nothing: three of four are half of three quarters. */
static void test_balanced_of_one_class(void **state) {
    (void)state;
    const double sum[2] = {3.0, 0.0}, other[2] = {0.0, 3.0};
    assert_true(gr_balanced_cost(sum, 4.0, 0.0) == -0.375);
    assert_true(gr_balanced_cost(other, 0.0, 4.0) == -0.375);
    assert_true(gr_sums_cost(GR_METRIC_BALANCED, sum, 3.0, 4.0, 4.0, 0.0) == -0.375f);
}

/* f1 by its definition, class by class: precision and recall, weighted by the classes' sizes. An
 * output of 0 is negative, and so is NaN. */
static void test_f1(void **state) {
    (void)state;
    gr_params p = settings(GR_METRIC_F1, 2000);
    p.threshold[0] = 0x1p-149f; /* as host/problem/job.c sets it */
    for (uint32_t kind = 0; kind < 5; kind++) {
        core_dice dice = {40 + kind};
        double count[2][2] = {{0}}; /* [label][answer] */
        for (uint32_t c = 0; c < 2000; c++) {
            target[c] =
                kind == 1 || core_roll(&dice, 5) == 0 ? 1.0f : (float)-(int)core_roll(&dice, 2);
            output[c] = kind == 2              ? 0.0f
                        : core_roll(&dice, 50) ? (float)core_roll(&dice, 9) - 4.0f
                                               : GR_NAN;
            if (kind == 4) /* nobody is in the other class, nor taken for it */
                target[c] = 1.0f;
            if (kind >= 3)
                output[c] = target[c];
            count[target[c] > 0.0f][output[c] > 0.0f]++;
        }
        double expected = 0.0;
        for (int class = 0; class < 2; class ++) {
            double right = count[class][class], of = right + count[class][!class];
            double taken = right + count[!class][class];
            double precision = taken > 0.0 ? right / taken : 0.0;
            double recall = of > 0.0 ? right / of : 0.0;
            if (precision + recall > 0.0)
                expected += of / 2000 * 2.0 * precision * recall / (precision + recall);
        }
        moments(&p, 0);
        near((double)cost(&p), -expected, 1e-6);
    }
}

static void test_hinge(void **state) {
    (void)state;
    gr_params p = settings(GR_METRIC_HINGE, 1500);
    core_dice dice = {9};
    double sum = 0.0;
    for (uint32_t c = 0; c < 1500; c++) {
        target[c] = core_roll(&dice, 2) ? 1.0f : (float)-(int)core_roll(&dice, 2);
        output[c] = (float)core_roll(&dice, 64) / 16.0f - 2.0f;
        sum += fmax(0.0, 1.0 - (double)output[c] * (target[c] > 0.0f ? 1.0 : -1.0));
    }
    near((double)cost(&p), sum / 1500, 1e-6);
    output[7] = GR_NAN;
    assert_true(cost(&p) == GR_INFINITY);
}

/* The same in doubles, a NaN too. */
static void test_hinge_double(void **state) {
    (void)state;
    assert_true(gr_hinge_double(0.25, 1.0) == 0.75 && gr_hinge_double(0.25, -1.0) == 1.25);
    assert_true(gr_hinge_double(0.25, 0.0) == 1.25 && gr_hinge_double(-3.0, 0.5) == 4.0);
    assert_true(gr_hinge_double(1.5, 1.0) == 0.0 && gr_hinge_double(-1.5, -1.0) == 0.0);
    assert_true(gr_hinge_double((double)INFINITY, 1.0) == 0.0);
    assert_true(isnan(gr_hinge_double((double)NAN, 1.0)));
    assert_true(isnan(gr_hinge_double((double)NAN, -1.0)));
}

/* The largest of all cases, in whatever lane and chunk it stands; what stands behind them does not
 * count. */
static void test_max_error(void **state) {
    (void)state;
    static const uint32_t CASES[] = {1, 2, 5, 31, 129, 1023, 1024, 1025, 2600, 3000};
    for (uint32_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        uint32_t n = CASES[i];
        gr_params p = settings(GR_METRIC_MAX_ERROR, n);
        float most = 0.0f;
        assert_int_equal(gr_sums_of(&p), 1);
        random_data(i, n);
        for (uint32_t c = 0; c < n; c++)
            most = fmaxf(most, fabsf(output[c] - target[c]));
        assert_true(cost(&p) == most);
        for (uint32_t k = 0; k < 7; k++) { /* anywhere, above the target and below */
            uint32_t at = k * (n - 1) / 6;
            float before = output[at];
            output[at] = target[at] + (k % 2 ? -64.0f : 64.0f);
            assert_true(cost(&p) == fabsf(output[at] - target[at]) && cost(&p) > 60.0f);
            output[at] = GR_NAN; /* a NaN is worse than whatever stands beside it */
            assert_true(cost(&p) == GR_INFINITY);
            output[at] = before;
        }
        for (uint32_t c = 0; c < n; c++)
            output[c] = target[c];
        assert_true(cost(&p) == 0.0f);
    }
    assert_true(gr_larger(1.0f, 2.0f) == 2.0f && gr_larger(2.0f, 1.0f) == 2.0f);
    assert_true(isnan(gr_larger(GR_NAN, 2.0f)) && isnan(gr_larger(2.0f, GR_NAN)));
    assert_true(isnan(gr_larger_double((double)NAN, 2.0)) &&
                isnan(gr_larger_double(2.0, (double)NAN)));
}

/* Every bit of a packed word is a case; bits behind the last are none. */
static void test_boolean_hits(void **state) {
    (void)state;
    for (uint32_t cases = 1; cases < 80000; cases = cases * 3 + 1) {
        gr_params p = settings(GR_METRIC_BOOLEAN_HITS, cases);
        core_dice dice = {cases};
        uint32_t words = (cases + 31) / 32, hits = 0, at = 0;
        p.packed = 1;
        p.train_chunks = (words + GR_CHUNK - 1) / GR_CHUNK;
        for (uint32_t w = 0; w < words; w++) {
            uint32_t u = core_roll(&dice, 0), v = core_roll(&dice, 0);
            output[w] = gr_bits_float(u);
            target[w] = gr_bits_float(v);
            for (uint32_t bit = 0; bit < 32 && at < cases; bit++, at++)
                hits += (u >> bit & 1) == (v >> bit & 1);
        }
        double sum[GR_MAX_SUMS] = {0.0}, part[GR_MAX_SUMS], fit[2];
        fill(words);
        for (uint32_t chunk = 0; chunk < p.train_chunks; chunk++) {
            gr_cpu_best_interpreter()->evaluate(
                &p, IDENTITY, 1, (gr_cpu_chunk){tiles[chunk][0], 0, chunk}, &registers, part);
            sum[0] += part[0];
        }
        assert_true(gr_cost(&p, sum, 0, fit) == -(float)hits);
    }
}

/* ---- linear scaling ---- */

static void test_linear_scaling(void **state) {
    (void)state;
    static const gr_metric METRICS[] = {GR_METRIC_MSE, GR_METRIC_RMSE, GR_METRIC_R2};
    for (uint32_t n = 3; n <= 2500; n = n * 2 + 1)
        for (uint32_t k = 0; k < 3; k++) {
            gr_params p = settings(METRICS[k], n);
            long double mx = 0, my = 0, xx = 0, xy = 0, sse = 0;
            double fit[2];
            p.linear_scaling = 1;
            p.sums = gr_sums_of(&p);
            random_data(n, n);
            moments(&p, 0);
            for (uint32_t c = 0; c < n; c++) {
                mx += (long double)output[c] / n;
                my += (long double)target[c] / n;
            }
            for (uint32_t c = 0; c < n; c++) {
                xx += (output[c] - mx) * (output[c] - mx);
                xy += (output[c] - mx) * (target[c] - my);
            }
            long double b = xy / xx, a = my - b * mx;
            for (uint32_t c = 0; c < n; c++) {
                long double error = a + b * output[c] - target[c];
                sse += error * error;
            }
            double got = (double)cost_of(&p, 0, fit);
            near(fit[0], (double)a, 1e-9);
            near(fit[1], (double)b, 1e-9);
            if (METRICS[k] == GR_METRIC_R2)
                near(got, (double)(sse / (long double)p.target_ss[0] - 1), 1e-5);
            else
                near(got, METRICS[k] == GR_METRIC_MSE ? (double)(sse / n) : sqrt((double)(sse / n)),
                     1e-5);

            /* The same fit on other data. */
            sse = 0;
            random_data(n + 1, n);
            moments(&p, 1);
            for (uint32_t c = 0; c < n; c++) {
                long double error = a + b * output[c] - target[c];
                sse += error * error;
            }
            got = (double)cost_of(&p, 1, fit);
            if (METRICS[k] == GR_METRIC_MSE)
                near(got, (double)(sse / n), 1e-5);
        }
}

/* A constant output fits the mean; the error is the spread of the target. */
static void test_scaling_of_a_constant(void **state) {
    (void)state;
    gr_params p = settings(GR_METRIC_MSE, 500);
    double fit[2];
    p.linear_scaling = 1;
    p.sums = gr_sums_of(&p);
    random_data(1, 500);
    for (uint32_t c = 0; c < 500; c++)
        output[c] = 2.0f;
    moments(&p, 0);
    near((double)cost_of(&p, 0, fit), p.target_ss[0] / 500, 1e-5);
    assert_true(fit[1] == 0.0);
    near(fit[0], p.target_mean[0], 1e-9);
}

/* ---- the border ---- */

static void test_not_finite_is_worst(void **state) {
    (void)state;
    const float bad[] = {GR_NAN, GR_INFINITY, -GR_INFINITY,
                         0x1.8p127f}; /* the last overflows a square or a sum */
    const gr_metric metrics[] = {GR_METRIC_SAE,  GR_METRIC_MAE, GR_METRIC_MSE,
                                 GR_METRIC_RMSE, GR_METRIC_R2,  GR_METRIC_MAX_ERROR};
    for (uint32_t scaling = 0; scaling < 2; scaling++)
        for (uint32_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
            for (uint32_t k = 0; k < 4; k++) {
                gr_params p = settings(metrics[m], 1500);
                uint32_t squared = gr_adds_of(metrics[m]) == GR_ADDS_SQUARED;
                if (k == 3 ? !squared || scaling : scaling && !squared)
                    continue;
                random_data(3, 1500);
                p.linear_scaling = scaling;
                p.sums = gr_sums_of(&p);
                moments(&p, 0);
                assert_true(cost(&p) < GR_INFINITY);
                output[1400] = bad[k];
                assert_true(cost(&p) == GR_INFINITY);
            }
    double sum[GR_MAX_SUMS] = {1e300}, fit[2];
    gr_params p = settings(GR_METRIC_SAE, 10);
    assert_true(gr_cost(&p, sum, 0, fit) == GR_INFINITY); /* beyond a float */
}

static void test_signs(void **state) {
    (void)state;
    assert_true(gr_is_maximised(GR_METRIC_R2) && gr_is_maximised(GR_METRIC_HITS));
    assert_true(gr_is_maximised(GR_METRIC_BALANCED) && gr_is_maximised(GR_METRIC_BOOLEAN_HITS));
    assert_false(gr_is_maximised(GR_METRIC_SAE) || gr_is_maximised(GR_METRIC_MAE));
    assert_false(gr_is_maximised(GR_METRIC_MSE) || gr_is_maximised(GR_METRIC_RMSE));
    assert_false(gr_is_maximised(GR_METRIC_MISCLASSIFIED) || gr_is_maximised(GR_METRIC_HINGE));
    assert_true(gr_is_maximised(GR_METRIC_F1));
    assert_false(gr_is_maximised(GR_METRIC_MAX_ERROR));
}

/* Two labels by sign: 0 and -0 are of the higher class, a NaN of none. */
static void test_class_sign(void **state) {
    (void)state;
    static const struct {
        float output, label;
    } known[] = {{0.0f, 1.0f}, {-0.0f, 1.0f},    {0x1p-149f, 1.0f}, {-0x1p-149f, -1.0f},
                 {5.0f, 1.0f}, {-0.001f, -1.0f}, {INFINITY, 1.0f},  {-INFINITY, -1.0f}};
    gr_params p = settings(GR_METRIC_MISCLASSIFIED, 1);
    p.class_rule = GR_CLASS_SIGN;
    p.class_min = -1.0f;
    p.class_max = 1.0f;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        output[0] = known[k].output;
        target[0] = known[k].label;
        assert_true(cost(&p) == 0.0f);
        target[0] = -known[k].label;
        assert_true(cost(&p) == 1.0f);
    }
    assert_true(isnan(gr_class_sign(&p, GR_NAN))); /* of neither class */
    output[0] = GR_NAN;
    for (int sign = -1; sign <= 1; sign += 2) {
        target[0] = (float)sign;
        assert_true(cost(&p) == 1.0f);
    }
}

/* Roundings may leave less than nothing of a perfect fit's error: that is no error at all. */
static void test_scaled_error_below_zero(void **state) {
    (void)state;
    static const gr_metric METRICS[] = {GR_METRIC_MSE, GR_METRIC_RMSE, GR_METRIC_R2};
    for (uint32_t k = 0; k < 3; k++) {
        gr_params p = settings(METRICS[k], 100);
        /* mean 0, squares 1, products a rounding more than the target's squares allow */
        double moment[GR_MAX_SUMS] = {0.0, 1.0, 1.0 + 0x1p-40}, fit[2];
        p.linear_scaling = 1;
        p.target_ss[0] = 1.0;
        assert_true(gr_cost(&p, moment, 0, fit) == (METRICS[k] == GR_METRIC_R2 ? -1.0f : 0.0f));
        moment[2] = 0.5; /* half explained: 3/4 of the squares are left */
        float left = METRICS[k] == GR_METRIC_MSE    ? 0.0075f
                     : METRICS[k] == GR_METRIC_RMSE ? (float)sqrt(0.0075)
                                                    : -0.25f;
        assert_true(gr_cost(&p, moment, 0, fit) == left);
        assert_true(fit[0] == 0.0 && fit[1] == 0.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical_sum),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_exact_hits),
        cmocka_unit_test(test_nearest_class),
        cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_balanced),
        cmocka_unit_test(test_balanced_of_one_class),
        cmocka_unit_test(test_f1),
        cmocka_unit_test(test_hinge),
        cmocka_unit_test(test_hinge_double),
        cmocka_unit_test(test_max_error),
        cmocka_unit_test(test_boolean_hits),
        cmocka_unit_test(test_linear_scaling),
        cmocka_unit_test(test_scaling_of_a_constant),
        cmocka_unit_test(test_not_finite_is_worst),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_class_sign),
        cmocka_unit_test(test_scaled_error_below_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
