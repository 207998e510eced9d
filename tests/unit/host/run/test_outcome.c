/* host/run/outcome.h: leader, successes and summaries of runs whose best programs and fitness are
 * written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/outcomes.h"

/* ---- the leader ---- */

/* Also of the best so far, as it is written during a run. */
static void check_leader(const char *more, uint32_t leader) {
    ended e = collect(more);
    gr_best so_far;
    gr_error error;
    assert_int_equal(e.outcome.leader, leader);
    assert_int_equal(gr_run_leader(e.run, &so_far, &error), GR_OK);
    assert_int_equal(so_far.run, leader);
    end(&e);
}

/* The best of all; among equals the first. */
static void test_leader(void **state) {
    (void)state;
    records_begin();
    for (uint32_t d = 0; d < 6; d++)
        constant(d, d == 2 || d == 4 ? 1.0f : 2.0f);
    check_leader("generations: 0\nruns: 6\n", 2);
    records_begin();
    for (uint32_t d = 0; d < 3; d++)
        constant(d, 1.0f);
    check_leader("generations: 0\nruns: 3\n", 0);
}

/* Hits are costs below 0: most of them lead. */
static void test_leader_of_a_maximised_metric(void **state) {
    (void)state;
    records_begin();
    records_constant(0, 9.0f, 0.0f);
    records_constant(1, 0.0f, -5.0f);
    records_constant(2, 0.0f, -5.0f);
    check_leader("generations: 0\nruns: 3\nmetric: hits\n", 1);
}

/* One that is valid leads those that are not, though the fitness of neither is a number. */
static void test_valid_leads(void **state) {
    (void)state;
    records_begin();
    genome(0, 2);
    genome(1, 1);
    genome(2, 1);
    check_leader(genomes(3), 1);
    records_begin();
    genome(0, 1);
    genome(1, 2);
    check_leader(genomes(2), 0);
}

/* The best of a sample whom no ranking saw, since nobody of the last generation was finite on all
 * cases, is measured on these: c * c, and another run leads by that. */
static void test_best_of_a_sample(void **state) {
    (void)state;
    records_begin();
    infinite(0);
    records_constant(1, 3.0f, (float)INFINITY);
    records_constant(2, 2.0f, (float)INFINITY);
    ended e = collect("generations: 0\nruns: 3\ncase-sampling: random\nsample-cases: 2\n");
    assert_int_equal(e.outcome.leader, 2);
    assert_true(isinf(e.outcome.best[0].train));
    assert_true(e.outcome.best[1].train == 9.0 && e.outcome.best[2].train == 4.0);
    assert_int_equal(e.outcome.differing, 0);
    end(&e);
    records_begin();
    constant(0, 3.0f); /* this one was ranked */
    records_constant(1, 4.0f, (float)INFINITY);
    e = collect("generations: 0\nruns: 2\ncase-sampling: random\nsample-cases: 2\n");
    assert_int_equal(e.outcome.leader, 0);
    assert_true(e.outcome.best[1].train == 16.0);
    end(&e);
}

/* A run that stopped at the target on its sample before the others was not ranked on all cases: it
 * tells its fitness on these too, leads and is solved by it. */
static void test_stopped_on_a_sample(void **state) {
    (void)state;
    records_begin();
    records_constant(0, 3.0f, 0.25f);
    records_constant(1, 0.5f, 0.0f); /* by luck there, and solved */
    constant(2, 2.0f);
    script.deme[2].best_generation = 1; /* the ranking's */
    ended e = collect_after(2, "generations: 1\nruns: 3\ntarget-fitness: 1\n"
                               "case-sampling: random\nsample-cases: 2\n"
                               "test-variables: x = grid(1, 2, 1)\n");
    const gr_best *best = e.outcome.best;
    gr_best leader;
    gr_error error;
    assert_true(best[0].train == 9.0 && best[1].train == 0.25 && best[2].train == 4.0);
    assert_true(best[0].test == 9.0 && best[1].test == 0.25 && best[2].test == 4.0);
    assert_true(!best[0].solved && best[1].solved && !best[2].solved);
    assert_true(e.outcome.leader == 1 && e.outcome.solved == 1 && e.outcome.differing == 0);
    assert_true(e.outcome.train.quartile[1] == 4.0 && !best[0].on_sample);
    assert_int_equal(gr_run_leader(e.run, &leader, &error), GR_OK);
    assert_true(leader.run == 1 && leader.train == 0.25);
    end(&e);
}

/* Restarts of a run are those of all its islands, whichever has the best. */
static void test_restarts(void **state) {
    (void)state;
    static const uint32_t restarts[6] = {1, 2, 4, 8, 16, 32};
    records_begin();
    for (uint32_t d = 0; d < 6; d++) {
        constant(d, d == 1 || d == 5 ? 1.0f : 2.0f);
        script.deme[d].restarts = restarts[d];
    }
    ended e = collect("generations: 0\nruns: 2\nislands: 3\nrestart-after: 2\n");
    assert_true(e.outcome.best[0].restarts == 7 && e.outcome.best[1].restarts == 56);
    assert_true(e.outcome.best[0].train == 1.0 && e.outcome.best[1].train == 1.0);
    end(&e);
}

/* ---- the summary ---- */

static void check_summary(const gr_spread *s, double least, double lower, double median,
                          double upper, double most, double mean) {
    assert_true(s->least == least && s->most == most && s->mean == mean);
    assert_true(s->quartile[0] == lower && s->quartile[1] == median && s->quartile[2] == upper);
}

/* Quartiles lie between neighbours in proportion, as numpy's: of 1, 4, 9, 25 at 3.25, 6.5 and 13.
 */
static void test_quartiles(void **state) {
    (void)state;
    static const float program[4] = {3, 1, 5, 2};
    records_begin();
    for (uint32_t d = 0; d < 4; d++) {
        constant(d, program[d]);
        script.deme[d].test_cost = script.deme[d].best_cost;
    }
    ended e = collect("generations: 0\nruns: 4\ntest-variables: x = grid(1, 2, 1)\n");
    check_summary(&e.outcome.train, 1, 3.25, 6.5, 13, 25, 9.75);
    check_summary(&e.outcome.test, 1, 3.25, 6.5, 13, 25, 9.75);
    check_summary(&e.outcome.nodes, 1, 1, 1, 1, 1, 1);
    assert_int_equal(e.outcome.differing, 0);
    end(&e);
    e = collect("generations: 0\nruns: 3\n"); /* 1, 9, 25: the median is one of them */
    check_summary(&e.outcome.train, 1, 5, 9, 17, 25, 35.0 / 3.0);
    assert_true(isnan(e.outcome.test.quartile[1]) && isnan(e.outcome.test.least));
    end(&e);
}

/* Quantiles beside runs without a finite fitness are those runs' or the others', never NaN: an
 * infinity has no proportions. */
static void check_infinities(uint32_t runs, uint32_t finite, int maximised) {
    char more[256];
    snprintf(more, sizeof more, "generations: 0\nruns: %u\n%s", runs,
             maximised ? "metric: r2\ntarget-expression: x\n" : "");
    records_begin();
    for (uint32_t d = 0; d < runs; d++)
        if (d >= finite)
            infinite(d);
        else
            records_constant(d, 2.0f, maximised ? -4.0f : 4.0f);
    ended e = collect(more);
    for (uint32_t q = 0; q < 3; q++) {
        double quartile = e.outcome.train.quartile[q], rank = 0.25 * (q + 1) * (runs - 1);
        uint32_t first = maximised ? runs - finite : 0, last = maximised ? runs : finite;
        if (rank >= first && rank + 1 <= last) /* both neighbours are finite */
            assert_true(quartile == 4.0);
        else if (rank + 1 <= first || rank >= last)
            assert_true(isinf(quartile) && (quartile < 0) == maximised);
        else
            assert_true(quartile == 4.0 || (isinf(quartile) && (quartile < 0) == maximised));
    }
    end(&e);
}

static void test_quartiles_beside_infinities(void **state) {
    (void)state;
    for (uint32_t runs = 8; runs <= 10; runs++)
        for (uint32_t finite = 0; finite <= runs; finite++)
            for (int maximised = 0; maximised < 2; maximised++)
                check_infinities(runs, finite, maximised);
}

/* ---- successes ---- */

/* A run has solved its problem when its program reaches the target, not when its record says so. */
static void test_successes(void **state) {
    (void)state;
    records_begin();
    constant(0, 0.5f);
    constant(1, 2.0f);
    records_constant(2, 3.0f, 0.0f); /* the program's error is 9 */
    constant(3, 1.0f);               /* on the border */
    ended e = collect("generations: 0\nruns: 4\ntarget-fitness: 1\n");
    assert_int_equal(e.outcome.solved, 2);
    assert_int_equal(e.outcome.differing, 1);
    assert_true(e.outcome.best[2].differs && !e.outcome.best[2].solved);
    assert_true(e.outcome.best[2].recomputed[0] == 9.0);
    end(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leader),
        cmocka_unit_test(test_leader_of_a_maximised_metric),
        cmocka_unit_test(test_valid_leads),
        cmocka_unit_test(test_best_of_a_sample),
        cmocka_unit_test(test_stopped_on_a_sample),
        cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_quartiles),
        cmocka_unit_test(test_quartiles_beside_infinities),
        cmocka_unit_test(test_successes),
    };
    return cmocka_run_group_tests_name("outcome", tests, write_grammar, remove_grammar);
}
