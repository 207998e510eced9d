/* gpu/core/fitness/slots.h: slots part the floats in order, and the thresholds are the best there
 * are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitness/slots.h"
#include "tests/core.h"

#include <math.h>

/* An output is in a slot exactly if it is not below its edge but below the next one's. */
static void check_slot(float x) {
    uint32_t slot = gr_slot_of(x);
    assert_in_range(slot, 0, GR_SLOTS - 1);
    assert_true(x >= gr_slot_edge(slot));
    if (slot + 1 < GR_SLOTS)
        assert_true(x < gr_slot_edge(slot + 1));
}

static void test_slots(void **state) {
    (void)state;
    core_dice dice = {1};
    for (uint32_t i = 0; i < 1000000; i++) {
        float x = gr_bits_float(core_roll(&dice, 0x10000) << 16 | core_roll(&dice, 0x10000));
        if (x == x)
            check_slot(x);
        else
            assert_int_equal(gr_slot_of(x), GR_SLOTS);
    }
    const float odd[] = {0.0f, -0.0f, 1e-45f, -1e-45f, INFINITY, -INFINITY, 3e38f, -3e38f, 1.0f};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        check_slot(odd[k]);
    for (uint32_t slot = 0; slot < GR_SLOTS; slot++) { /* the edge is the slot's first float */
        float edge = gr_slot_edge(slot);
        assert_int_equal(gr_slot_of(edge), slot);
        if (slot && slot != GR_SLOT_HALF)
            assert_int_equal(gr_slot_of(nextafterf(edge, -INFINITY)), slot - 1);
    }
    assert_int_equal(gr_slot_of(-0.0f), gr_slot_of(0.0f));
}

/* Cases that thresholds get right, by the class rule itself. */
static uint32_t right_of(const gr_params *p, const float *output, const float *label, uint32_t n,
                         const float *threshold) {
    uint32_t right = 0;
    for (uint32_t i = 0; i < n; i++)
        right += gr_class_between(p, threshold, output[i]) == label[i];
    return right;
}

/* The best of all pairs of borders between slots. */
static uint32_t best_by_trial(const gr_params *p, const float *output, const float *label,
                              uint32_t n) {
    uint32_t best = 0;
    for (uint32_t a = 0; a <= GR_SLOTS; a++)
        for (uint32_t b = a; b <= GR_SLOTS; b++) {
            float threshold[2] = {a < GR_SLOTS ? gr_slot_edge(a) : INFINITY,
                                  b < GR_SLOTS ? gr_slot_edge(b) : INFINITY};
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
    assert_int_equal(gr_sum_kind_of(&p), GR_SUM_SLOTS);
    for (uint32_t trial = 0; trial < 30; trial++) {
        core_dice dice = {trial};
        uint32_t count[GR_SLOTS * 3] = {0}, counted = trial % 3 ? CASES : CASES / 4;
        float output[CASES], label[CASES], threshold[2];
        for (uint32_t i = 0; i < counted; i++) {
            label[i] = 3.0f + (float)core_roll(&dice, trial % 5 == 0 ? 1 : 3);
            output[i] = core_roll(&dice, 20) ? (float)core_roll(&dice, 600) / 100.0f - 3.0f +
                                                   (label[i] - 4.0f) * (float)(trial % 4)
                                             : NAN;
            if (gr_slot_of(output[i]) < GR_SLOTS)
                count[gr_slot_place(&p, gr_slot_of(output[i]), label[i])]++;
        }
        uint32_t right = gr_fit_slots(count, 3, threshold);
        assert_true(threshold[0] <= threshold[1]);
        assert_int_equal(right, right_of(&p, output, label, counted, threshold));
        assert_int_equal(right, best_by_trial(&p, output, label, counted));
    }
}

/* Between two heaps the threshold stands halfway, in slots: nothing is known of the gap. */
static void test_gap(void **state) {
    (void)state;
    uint32_t count[GR_SLOTS * 2] = {0};
    float threshold;
    count[2 * 100] = 7;
    count[2 * 121 + 1] = 5;
    assert_int_equal(gr_fit_slots(count, 2, &threshold), 12);
    assert_true(threshold == gr_slot_edge(111));
    count[2 * 121 + 1] = 0; /* the other class alone, or none */
    assert_int_equal(gr_fit_slots(count, 2, &threshold), 7);
    assert_true(threshold == GR_INFINITY);
    count[2 * 100] = 0;
    count[2 * 90 + 1] = 3;
    assert_int_equal(gr_fit_slots(count, 2, &threshold), 3);
    assert_true(threshold == -GR_INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_gap),
    };
    return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
