/* gpu/core/selection/restart.h: which demes begin anew and when, and that they then are what
 * another first draw gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/restart.h"
#include "host/cpu/stages.h"
#include "tests/trees.h"

enum { N = 16, DEMES = 3, AFTER = 4, GENERATION = 10 };

static core open_demes(gr_params *p) {
    p->runs = DEMES;
    p->population = N;
    p->individuals = DEMES * N;
    p->restart_after = AFTER;
    p->elites = 3;
    core c = core_open(p, NULL, 0);
    for (uint32_t i = 0; i < DEMES * N; i++)
        trees_grow(&c, i, i);
    static const uint32_t since[DEMES] = {GENERATION - AFTER, GENERATION - AFTER + 3, 0};
    for (uint32_t d = 0; d < DEMES; d++) {
        c.s.demes[d].stretch_generation = since[d];
        c.s.demes[d].stretch_cost = 1.0f;
    }
    c.s.demes[2].active = 0; /* it has ended */
    return c;
}

static void test_which(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    core c = open_demes(&p), before = open_demes(&p);
    static const uint32_t expected[DEMES] = {1, 0, 0};
    assert_int_equal(gr_may_restart(&p, GENERATION), 1);
    assert_int_equal(gr_may_restart(&p, GENERATION + 1), 0); /* the other buffer */
    assert_int_equal(gr_cpu_restart(&c.s, GENERATION, NULL), 1);
    for (uint32_t d = 0; d < DEMES; d++) {
        assert_int_equal(c.s.demes[d].restarts, expected[d]);
        assert_int_equal(gr_begins_anew(&c.s, GENERATION, d), expected[d]);
        assert_int_equal(gr_begins_anew(&c.s, GENERATION + 1, d), 0);
        for (uint32_t index = 0; index < N; index++) {
            uint32_t i = d * N + index, length = before.s.individuals[0][i].length;
            gr_node wanted[1024];
            memcpy(wanted, gr_tree(&before.s, 0, i).at, length * sizeof *wanted);
            if (expected[d]) {
                gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1024 + GENERATION, d, index);
                length = gr_ramped_tree(&p, &r, index, (gr_nodes){wanted, 1});
            }
            assert_int_equal(c.s.individuals[0][i].length, length);
            assert_memory_equal(gr_tree(&c.s, 0, i).at, wanted, length * sizeof *wanted);
        }
    }
    assert_int_equal(c.s.demes[0].stretch_generation, GENERATION + 1);
    assert_int_equal(gr_cpu_restart(&c.s, GENERATION + 2, NULL), 0); /* the next one has time */
    core_close(&c);
    core_close(&before);
}

/* Its plans are copies of what was drawn, elites' too; the others have theirs. */
static void test_plans(void **state) {
    (void)state;
    for (uint32_t one = 0; one < 2; one++) {
        gr_params p = core_params(GR_TREE);
        p.one_child = one;
        core c = open_demes(&p);
        gr_cpu_restart(&c.s, GENERATION, NULL);
        for (uint32_t k = 0; k < gr_parent_pairs(&p); k++)
            gr_plan_parent_pair(&c.s, GENERATION, k, 0, DEMES * N, core_group);
        for (uint32_t i = 0; i < N; i++) {
            gr_plan plan = c.s.plans[i];
            assert_true(plan.a == i && plan.kind == GR_PLAN_ELITE && plan.b0 == plan.b1);
            assert_int_equal(plan.length, c.s.individuals[0][i].length);
        }
        core_close(&c);
    }
}

/* A better one, and a new beginning, start the count again. */
static void test_stretch(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.steps = 1;
    core c = open_demes(&p);
    static const float cost[] = {3.0f, 3.0f, 2.0f, 2.5f, 5.0f, 4.0f};
    static const uint32_t since[] = {0, 0, 2, 2, 4, 5}; /* it began anew with generation 4 */
    c.s.demes[0].stretch_generation = 0;
    for (uint32_t g = 0; g < 6; g++) {
        gr_statistics statistics = gr_no_statistics();
        c.s.cost[0] = cost[g];
        statistics.best_key = gr_rank_key(cost[g], 0);
        if (g == 4) {
            c.s.demes[0].stretch_generation = 4;
            c.s.demes[0].stretch_cost = GR_INFINITY;
        }
        gr_finish_deme(&c.s, g, 0, statistics);
        assert_int_equal(c.s.demes[0].stretch_generation, since[g]);
        assert_true(c.s.demes[0].best_cost == (g < 2 ? 3.0f : 2.0f)); /* the best so far stays */
    }
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_which), cmocka_unit_test(test_plans),
                                       cmocka_unit_test(test_stretch)};
    return cmocka_run_group_tests_name("restart", tests, NULL, NULL);
}
