/* gpu/core/selection/objectives.h, and crowding of pareto.h: another metric from the sums of the
 * run's is that metric of a run of its own; sums of chunks; what an individual is in each
 * objective, and who is worst in all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/pareto.h"
#include "tests/core.h"

enum { N = 40, CHUNKS = 3, CASES = 2 * GR_CHUNK + 77 };

static gr_params params_of(gr_metric metric, uint32_t scaled) {
    gr_params p = core_params(GR_TREE);
    p.population = p.individuals = N;
    p.metric = metric;
    p.linear_scaling = scaled;
    p.sums = gr_sums_of(&p);
    p.train_cases = CASES;
    p.train_chunks = CHUNKS;
    p.last_share[0] = gr_last_share(CASES);
    p.positives[0] = CASES / 3;
    p.target_ss[0] = 500.0;
    p.target_mean[0] = 2.0;
    p.objectives = 2;
    return p;
}

/* Metrics that the same sums give: all that the other one costs is what a run by it would. */
static void test_shared_sums(void **state) {
    static const struct {
        gr_metric of_run, other;
        uint32_t scaled;
    } pairs[] = {{GR_METRIC_MSE, GR_METRIC_R2, 0},
                 {GR_METRIC_SAE, GR_METRIC_MAE, 0},
                 {GR_METRIC_MSE, GR_METRIC_RMSE, 1},
                 {GR_METRIC_R2, GR_METRIC_MSE, 1},
                 {GR_METRIC_BALANCED, GR_METRIC_F1, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        gr_params p = params_of(pairs[k].of_run, pairs[k].scaled);
        core_dice dice = {k};
        uint32_t different = 0;
        p.other_metric = pairs[k].other;
        core c = core_open(&p, NULL, 0);
        gr_chunk_target *targets = (gr_chunk_target *)(uintptr_t)c.s.targets;
        for (uint32_t chunk = 0; pairs[k].scaled && chunk < CHUNKS; chunk++)
            targets[chunk] = (gr_chunk_target){2.0, 0.0, 0.25 * chunk, 0.0};
        for (uint32_t i = 0; i < N; i++) {
            double fit[2];
            c.s.individuals[0][i].instructions = i % 7 != 0; /* some have no program */
            for (uint32_t row = 0; row < CHUNKS * p.sums; row++)
                c.s.sums[row * N + i] = 1.0 + core_roll(&dice, 100);
            gr_state by_other = c.s;
            by_other.p.metric = pairs[k].other;
            float wanted = gr_evaluated_cost(&by_other, 0, i, fit);
            assert_true(gr_other_cost(&c.s, 0, i) == wanted);
            different += wanted != gr_evaluated_cost(&c.s, 0, i, fit);
        }
        assert_true(different > N / 2);
        core_close(&c);
    }
}

static void test_chunks(void **state) {
    (void)state;
    gr_params p = params_of(GR_METRIC_BALANCED, 0);
    double total[GR_MAX_SUMS] = {0.0};
    static const double chunk[4][2] = {{3.0, 1.0}, {7.0, 0.0}, {2.0, 4.0}, {5.0, 6.0}};
    for (uint32_t k = 0; k < 4; k++)
        gr_add_chunk(&p, chunk[k], total);
    assert_true(total[0] == 17.0 && total[1] == 11.0);
    p = params_of(GR_METRIC_MAX_ERROR, 0);
    total[0] = 0.0;
    for (uint32_t k = 0; k < 4; k++)
        gr_add_chunk(&p, chunk[k], total);
    assert_true(total[0] == 7.0); /* the largest of all */
}

/* x0 + sin(2) / x1: two leaves in place or apart count 1 each, the others by their class. */
static uint32_t write_program(const core *c, uint32_t i) {
    gr_nodes tree = gr_tree(&c->s, 0, i);
    GR_AT(tree, 0) = gr_make_node(GR_INPUT, 1, 1, 0);
    GR_AT(tree, 1) = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(2.0f));
    GR_AT(tree, 2) = gr_make_node(GR_SIN, 0, 0, 0);
    GR_AT(tree, 3) = gr_make_node(GR_INPUT, 1, 1, 1);
    GR_AT(tree, 4) = gr_make_node(GR_DIV, 0, 0, 0);
    GR_AT(tree, 5) = gr_make_node(GR_ADD, 0, 0, 0);
    gr_annotate(tree, 6);
    return gr_compile(tree, 6, core_scratch(c).locations, gr_program(&c->s, i), core_group);
}

static void test_written(void **state) {
    (void)state;
    static const uint32_t kinds[2][3] = {
        {GR_OBJECTIVE_ERROR, GR_OBJECTIVE_NODES, GR_OBJECTIVE_METRIC},
        {GR_OBJECTIVE_COMPLEXITY, GR_OBJECTIVE_DEPTH, GR_OBJECTIVE_METRIC}};
    for (uint32_t kind = 0; kind < 2; kind++) {
        gr_params p = params_of(GR_METRIC_MAX_ERROR, 0);
        p.objectives = 3;
        memcpy(p.objective, kinds[kind], sizeof kinds[kind]);
        core c = core_open(&p, NULL, 0);
        assert_true(gr_has_other(&p));
        for (uint32_t i = 0; i < N; i++) {
            c.s.individuals[0][i] = (gr_individual){.nodes = 3 + i, .depth = 2 + i % 5};
            c.s.individuals[0][i].instructions = i == 3 ? 0 : write_program(&c, i);
            for (uint32_t chunk = 0; chunk < CHUNKS; chunk++)
                c.s.sums[chunk * N + i] = i == 4 ? INFINITY : (double)(i + chunk % 2 * 10);
            c.s.other_cost[i] = i == 5 ? GR_INFINITY : 7.0f * (float)i;
            gr_write_objectives(&c.s, 0, i);
            const float *got = c.s.objectives[0] + i * p.objectives;
            const float wanted[2][3] = {{(float)(i + 10), (float)(3 + i), 7.0f * (float)i},
                                        {3 + 1 + 2 + 4, (float)(2 + i % 5), 7.0f * (float)i}};
            for (uint32_t k = 0; k < p.objectives; k++)
                assert_true(got[k] == (i >= 3 && i <= 5 ? GR_INFINITY : wanted[kind][k]));
        }
        p.objectives = 2; /* the other metric is the third */
        assert_false(gr_has_other(&p));
        core_close(&c);
    }
}

/* Crowding with an objective more, of before, own, behind, first and last: nothing where all are
 * equal in it, whatever comes of the others. */
static void test_crowding(void **state) {
    (void)state;
    gr_params p = params_of(GR_METRIC_SAE, 0);
    core c = core_open(&p, NULL, 0);
    static const float second[5] = {1.0f, 2.0f, 4.0f, 8.0f, 9.0f};
    for (uint32_t i = 0; i < 5; i++) {
        c.s.objectives[0][2 * i] = 7.0f;
        c.s.objectives[0][2 * i + 1] = second[i];
    }
    const uint32_t middle[5] = {1, 2, 3, 0, 4}, end[5] = {0, 0, 1, 0, 4},
                   alone[5] = {2, 2, 2, 2, 2};
    assert_true(gr_crowding_with(&c.s, 0, 0.5f, 0, middle) == 0.5f);
    assert_true(gr_crowding_with(&c.s, 0, 0.5f, 0, end) == 0.5f);
    assert_true(gr_crowding_with(&c.s, 0, 0.5f, 1, middle) == 0.5f + 6.0f / 8.0f);
    assert_true(gr_crowding_with(&c.s, 0, 0.5f, 1, end) == GR_INFINITY);
    assert_true(gr_crowding_with(&c.s, 0, 0.5f, 0, alone) == GR_INFINITY);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_sums), cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_written), cmocka_unit_test(test_crowding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
