/* host/run/best.c: the best of a run as the engine has it, here written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/records.h"

#include <math.h>

static void test_best(void **state) {
    (void)state;
    gr_settings settings;
    gr_best best;
    gr_error error;
    records_begin();
    script.islands = 2;
    for (uint32_t d = 0; d < 6; d++)
        records_constant(d, (float)d, d == 3 ? 0.25f : 2.0f);
    script.deme[3].test_cost = 0.75f;
    script.deme[3].best_generation = 12;
    script.deme[3].best.derivation_nodes = 77;
    script.deme[3].best.used = 55;
    script.record[0].generation = 0;
    gr_run *run = records_run("generations: 0\nruns: 3\nseed: 4294967294\n"
                              "test-variables: x = grid(1, 2, 1)\n",
                              &settings);
    assert_int_equal(gr_run_best(run, 0, &best, &error), GR_BAD_INPUT); /* too early */
    script.generations = 1;
    records_play(run, NULL);
    assert_int_equal(gr_run_best(run, 3, &best, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "run 3 of 3; expected a number below");
    assert_int_equal(gr_run_best(run, 1, &best, &error), GR_OK);
    assert_true(best.run == 1 && best.seed == 4294967295u && best.generation == 12);
    assert_true(best.train == 0.25 && best.test == 0.75 && !best.solved && !best.differs);
    assert_true(best.nodes == 1 && best.depth == 1 && best.length == 1);
    assert_true(best.derivation_nodes == 77 && best.used == 55);
    assert_true(best.intercept == 0.0 && best.slope == 1.0);
    assert_string_equal(best.infix, "3");
    assert_string_equal(best.phenotype, "3");
    assert_null(best.genome);
    gr_best_free(&best);
    assert_int_equal(gr_run_best(run, 2, &best, &error), GR_OK);
    assert_true(best.seed == 4294967296u); /* carried on into the upper half */
    assert_string_equal(best.infix, "4");  /* of two that are equal the first island's */
    gr_best_free(&best);
    gr_run_close(run);
    gr_settings_free(&settings);
}

static void test_scaling(void **state) {
    (void)state;
    gr_settings settings;
    gr_best best;
    gr_error error;
    records_begin();
    records_constant(0, 1.0f, 0.5f);
    script.deme[0].fit[0] = -3.0;
    script.deme[0].fit[1] = 4.0;
    script.generations = 1;
    gr_run *run = records_run("generations: 0\nlinear-scaling: true\n", &settings);
    records_play(run, NULL);
    assert_int_equal(gr_run_best(run, 0, &best, &error), GR_OK);
    assert_true(best.intercept == -3.0 && best.slope == 4.0 && isnan(best.test));
    gr_best_free(&best);
    gr_run_close(run);
    gr_settings_free(&settings);
}

/* A fit is told of where there is one: of a valid program whose outputs are finite. */
static void test_is_scaled(void **state) {
    (void)state;
    gr_params p = {.linear_scaling = 1};
    gr_best best = {.validity = GR_VALID, .intercept = 2.0, .slope = 3.0};
    assert_true(gr_best_is_scaled(&p, &best));
    best.intercept = (double)NAN;
    assert_false(gr_best_is_scaled(&p, &best));
    best.intercept = (double)INFINITY;
    assert_false(gr_best_is_scaled(&p, &best));
    best.intercept = 2.0;
    best.validity = GR_OUT_OF_CODONS;
    assert_false(gr_best_is_scaled(&p, &best));
    best.validity = GR_VALID;
    p.linear_scaling = 0;
    assert_false(gr_best_is_scaled(&p, &best));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_best), cmocka_unit_test(test_scaling),
                                       cmocka_unit_test(test_is_scaled)};
    return cmocka_run_group_tests_name("best", tests, NULL, NULL);
}
