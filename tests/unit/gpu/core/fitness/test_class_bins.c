/* gpu/core/fitness/class_bins.h: bins part the floats in order, and the thresholds are the best
 * there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitness/class_bins.h"
#include "tests/core.h"

#include <math.h>

/* An output is in a bin exactly if it is not below its edge but below the next one's. */
static void check_bin(float x) {
    uint32_t bin = gr_bin_of(x);
    assert_in_range(bin, 0, GR_CLASS_BINS - 1);
    assert_true(x >= gr_bin_edge(bin));
    if (bin + 1 < GR_CLASS_BINS)
        assert_true(x < gr_bin_edge(bin + 1));
}

static void test_class_bins(void **state) {
    (void)state;
    core_dice dice = {1};
    for (uint32_t i = 0; i < 1000000; i++) {
        float x = gr_bits_float(core_roll(&dice, 0x10000) << 16 | core_roll(&dice, 0x10000));
        if (x == x)
            check_bin(x);
        else
            assert_int_equal(gr_bin_of(x), GR_CLASS_BINS);
    }
    const float odd[] = {0.0f, -0.0f, 1e-45f, -1e-45f, INFINITY, -INFINITY, 3e38f, -3e38f, 1.0f};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        check_bin(odd[k]);
    for (uint32_t bin = 0; bin < GR_CLASS_BINS; bin++) { /* the edge is the bin's first float */
        float edge = gr_bin_edge(bin);
        assert_int_equal(gr_bin_of(edge), bin);
        if (bin && bin != GR_BIN_HALF)
            assert_int_equal(gr_bin_of(nextafterf(edge, -INFINITY)), bin - 1);
    }
    assert_int_equal(gr_bin_of(-0.0f), gr_bin_of(0.0f));
}

/* Cases that thresholds get right, by the class rule itself. */
static uint32_t right_of(const gr_params *p, const float *output, const float *label, uint32_t n,
                         const float *threshold) {
    uint32_t right = 0;
    for (uint32_t i = 0; i < n; i++)
        right += gr_class_between(p, threshold, output[i]) == label[i];
    return right;
}

/* The best of all pairs of borders between bins. */
static uint32_t best_by_trial(const gr_params *p, const float *output, const float *label,
                              uint32_t n) {
    uint32_t best = 0;
    for (uint32_t a = 0; a <= GR_CLASS_BINS; a++)
        for (uint32_t b = a; b <= GR_CLASS_BINS; b++) {
            float threshold[2] = {a < GR_CLASS_BINS ? gr_bin_edge(a) : INFINITY,
                                  b < GR_CLASS_BINS ? gr_bin_edge(b) : INFINITY};
            best = gr_max_u32(best, right_of(p, output, label, n, threshold));
        }
    return best;
}

static void test_fit(void **state) {
    (void)state;
    enum { CASES = 40 };
    gr_params p = core_params(GR_TREE);
    p.metric = GR_METRIC_MISCLASSIFIED;
    p.class_rule = GR_CLASS_FITTED;
    p.class_min = 3.0f;
    p.class_max = 5.0f;
    p.thresholds = 2;
    assert_int_equal(gr_sum_kind_of(&p), GR_SUM_CLASS_BINS);
    for (uint32_t trial = 0; trial < 30; trial++) {
        core_dice dice = {trial};
        uint32_t count[GR_CLASS_BINS * 4] = {0}, counted = trial % 3 ? CASES : CASES / 4;
        float output[CASES], label[CASES], threshold[2];
        for (uint32_t i = 0; i < counted; i++) {
            label[i] = 3.0f + (float)core_roll(&dice, trial % 5 == 0 ? 1 : 3);
            output[i] = core_roll(&dice, 20) ? (float)core_roll(&dice, 600) / 100.0f - 3.0f +
                                                   (label[i] - 4.0f) * (float)(trial % 4)
                                             : NAN;
            if (trial % 4 == 1 && core_roll(&dice, 4) == 0)
                output[i] = core_roll(&dice, 4) ? INFINITY : -INFINITY;
            if (gr_bin_of(output[i]) < GR_CLASS_BINS)
                count[gr_bin_index(&p, gr_bin_of(output[i]), label[i])]++;
        }
        uint32_t right = gr_fit_bins(count, 3, threshold);
        assert_true(threshold[0] <= threshold[1]);
        assert_int_equal(right, right_of(&p, output, label, counted, threshold));
        assert_int_equal(right, best_by_trial(&p, output, label, counted));
    }
}

/* Between two heaps the threshold stands halfway, in bins: nothing is known of the gap. */
static void test_gap(void **state) {
    (void)state;
    uint32_t count[GR_CLASS_BINS * 3] = {0};
    float threshold;
    count[2 * 100] = 7;
    count[2 * 121 + 1] = 5;
    assert_int_equal(gr_fit_bins(count, 2, &threshold), 12);
    assert_true(threshold == gr_bin_edge(111));
    count[2 * 121 + 1] = 0; /* of 19 empty bins the one behind the middle */
    count[2 * 120 + 1] = 5;
    assert_int_equal(gr_fit_bins(count, 2, &threshold), 12);
    assert_true(threshold == gr_bin_edge(111));
    count[2 * 120 + 1] = 0;
    count[2 * 102 + 1] = 5; /* one empty bin, and none */
    assert_int_equal(gr_fit_bins(count, 2, &threshold), 12);
    assert_true(threshold == gr_bin_edge(102));
    count[2 * 102 + 1] = 0;
    count[2 * 101 + 1] = 5;
    assert_int_equal(gr_fit_bins(count, 2, &threshold), 12);
    assert_true(threshold == gr_bin_edge(101));
    count[2 * 101 + 1] = 0; /* the other class alone, or none */
    assert_int_equal(gr_fit_bins(count, 2, &threshold), 7);
    assert_true(threshold == GR_INFINITY);
    count[2 * 100] = 0;
    count[2 * 90 + 1] = 3;
    assert_int_equal(gr_fit_bins(count, 2, &threshold), 3);
    assert_true(threshold == -GR_INFINITY);
}

/* Weights in units of which all come to 2^30, or to more than half of that; errors are theirs. */
static void test_weights(void **state) {
    (void)state;
    core_dice dice = {6};
    for (uint32_t k = 0; k < 2000; k++) {
        double sum = ldexp(k % 4 ? 1.0 + (double)core_roll(&dice, 1000) / 1000.0 : 1.0,
                           (int)core_roll(&dice, 60) - 30);
        float scale = gr_bin_scale(sum);
        assert_true(sum * (double)scale <= 0x1p30 && sum * (double)scale > 0x1p29);
    }
    static const float weight[] = {0.5f, 3.0f, 2.25f, 0.25f};
    gr_params p = {.case_weights = 1, .train_cases = 4, .bin_scale = gr_bin_scale(6.0)};
    for (uint32_t k = 0; k < 4; k++)
        p.bin_total += gr_bin_weight(p.bin_scale, weight[k]);
    uint32_t right = gr_bin_weight(p.bin_scale, 3.0f) + gr_bin_weight(p.bin_scale, 0.25f);
    assert_true(gr_bin_errors(&p, right) == 2.75);
    p.case_weights = 0;
    assert_true(gr_bin_errors(&p, 3) == 1.0);
}

/* Of 2000 cases in two chunks 7 + 5 are right: the first chunk has all the errors, the other none,
 * and nothing is left of the counts. */
static void test_individual(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.metric = GR_METRIC_MISCLASSIFIED;
    p.class_rule = GR_CLASS_FITTED;
    p.class_max = 1.0f;
    p.thresholds = 1;
    p.train_cases = 2000;
    p.train_chunks = 2;
    core c = core_open(&p, NULL, 0);
    uint32_t *count = c.s.class_bins + gr_bin_counts(&p); /* of individual 1 */
    c.s.individuals[0][1].instructions = 1;
    count[2 * 100] = 7;
    count[2 * 121 + 1] = 5;
    c.s.sums[1] = c.s.sums[c.s.p.individuals + 1] = 99.0;
    gr_fit_individual(&c.s, 0, 1);
    assert_true(c.s.sums[1] == 1988.0 && c.s.sums[c.s.p.individuals + 1] == 0.0);
    assert_true(c.s.fitted[1] == gr_bin_edge(111));
    for (size_t k = 0; k < gr_bin_counts(&p); k++)
        assert_int_equal(count[k], 0);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_class_bins), cmocka_unit_test(test_fit),
        cmocka_unit_test(test_gap),        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_individual),
    };
    return cmocka_run_group_tests_name("class bins", tests, NULL, NULL);
}
