/* gpu/core/fitness/cost.h: the cost of an individual from the sums that its evaluation left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

enum { CHUNKS = 3 };

static gr_params cost_params(gr_metric metric, uint32_t sums) {
    gr_params p = core_params(GR_TREE);
    p.population = 8;
    p.metric = metric;
    p.sums = sums;
    p.train_cases = 2 * GR_CHUNK + 100;
    p.train_chunks = CHUNKS;
    return p;
}

/* Sums stand by chunk, then by number, then by individual; only this individual's count. */
static void test_shape(void **state) {
    (void)state;
    gr_params p = cost_params(GR_METRIC_BALANCED, 2);
    core c = core_open(&p, NULL, 0);
    uint32_t n = c.s.p.individuals;
    double fit[2];
    c.s.p.positives[0] = 1000.0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
            c.s.sums[(chunk * 2 + 0) * n + i] = 100.0 * chunk + 10.0 * i; /* true positives */
            c.s.sums[(chunk * 2 + 1) * n + i] = 200.0 * chunk + i;        /* true negatives */
            c.s.individuals[0][i].instructions = 1;
        }
    for (uint32_t i = 0; i < n; i++) {
        double rate = (300.0 + 30.0 * i) / 1000.0, other = (600.0 + 3.0 * i) / 1148.0;
        assert_true(gr_evaluated_cost(&c.s, 0, i, fit) == (float)-(0.5 * rate + 0.5 * other));
    }
    core_close(&c);
}

/* Chunks are added in rising order, in double. */
static void test_order(void **state) {
    (void)state;
    gr_params p = cost_params(GR_METRIC_SAE, 1);
    core c = core_open(&p, NULL, 0);
    uint32_t n = c.s.p.individuals;
    double fit[2];
    c.s.individuals[0][5].instructions = 1;
    c.s.sums[5] = 0x1p60;
    c.s.sums[n + 5] = -0x1p60;
    c.s.sums[2 * n + 5] = 3.0;
    assert_true(gr_evaluated_cost(&c.s, 0, 5, fit) == 3.0f);
    c.s.sums[n + 5] = 3.0;
    c.s.sums[2 * n + 5] = -0x1p60; /* 3 is lost beside 2^60 */
    assert_true(gr_evaluated_cost(&c.s, 0, 5, fit) == 0.0f);
    core_close(&c);
}

/* Without a program there is no cost, whatever the sums hold; by the generation's own buffer. */
static void test_nothing_to_evaluate(void **state) {
    (void)state;
    gr_params p = cost_params(GR_METRIC_SAE, 1);
    core c = core_open(&p, NULL, 0);
    double fit[2];
    c.s.individuals[1][2].instructions = 1;
    c.s.sums[2] = 0.5;
    assert_true(gr_evaluated_cost(&c.s, 4, 2, fit) == GR_INFINITY);
    assert_true(gr_evaluated_cost(&c.s, 5, 2, fit) == 0.5f);
    c.s.sums[2] = (double)GR_NAN;
    assert_true(gr_evaluated_cost(&c.s, 5, 2, fit) == GR_INFINITY);
    core_close(&c);
}

/* Counting metrics go by the positives of the sample, not by those of all cases. */
static void test_counts_of_a_sample(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.sampling = GR_SAMPLING_RANDOM;
    p.sample_every = 1;
    p.whole_cases = 1000;
    p.whole_chunks = 1;
    p.train_cases = 100;
    p.sums = 2;
    p.positives[0] = 500.0; /* of the whole set */
    core c = core_open(&p, NULL, 0);
    double fit[2];
    c.s.individuals[0][3].instructions = 1;
    c.s.sample_positives[gr_positives_counter(&p, 0)] = 40;
    c.s.sums[3] = 30.0;                     /* true positives of 40 */
    c.s.sums[3 + c.s.p.individuals] = 45.0; /* true negatives of 60 */
    c.s.p.metric = GR_METRIC_BALANCED;
    assert_true(fabsf(gr_evaluated_cost(&c.s, 0, 3, fit) + 0.75f) < 1e-6f);
    c.s.p.metric = GR_METRIC_F1; /* 2 30 / (40 + 45) and 2 45 / (60 + 55), by 0.4 and 0.6 */
    assert_true(fabsf(gr_evaluated_cost(&c.s, 0, 3, fit) + 0.4f * 60 / 85 + 0.6f * 90 / 115) <
                1e-6f);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_nothing_to_evaluate),
        cmocka_unit_test(test_counts_of_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
