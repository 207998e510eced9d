/* gpu/core/fitting/fitting.h: whose constants are fitted, which leaves are, and what becomes of a
 * step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitting/fitting.h"
#include "tests/core.h"

static gr_params fit_params(uint32_t optimise) {
    gr_params p = core_params(GR_TREE);
    p.metric = GR_METRIC_MSE;
    p.optimise = optimise;
    p.optimise_iterations = 4;
    p.optimise_share = 0.25f;
    p.elites = 3;
    p.population = p.individuals = 4000;
    return p;
}

/* Copies are fitted where elites are meant, the others where they are not. */
static void test_who(void **state) {
    (void)state;
    for (uint32_t optimise = GR_OPTIMISE_ELITES; optimise <= GR_OPTIMISE_ALL; optimise++)
        for (uint32_t generation = 0; generation < 2; generation++) {
            gr_params p = fit_params(optimise);
            p.runs = 2;
            p.individuals = 2 * p.population;
            core c = core_open(&p, NULL, 0);
            uint32_t fitted = 0, copies = generation ? p.elites : 0,
                     elites = optimise == GR_OPTIMISE_ELITES;
            uint32_t wanted = 2 * (elites ? copies : p.population - copies);
            uint8_t *seen = calloc(p.individuals, 1);
            for (uint32_t i = 0; i < p.individuals; i++)
                c.s.individuals[0][i].instructions = c.s.individuals[1][i].instructions = 1;
            assert_int_equal(gr_fit_candidates(&p, generation), wanted);
            for (uint32_t k = 0; k < wanted; k++) {
                uint32_t i = gr_fit_candidate(&p, generation, k);
                assert_true(i < p.individuals && !seen[i]++);
                assert_int_equal(i % p.population < copies, elites);
                fitted += gr_is_fitted(&c.s, generation, i);
            }
            if (optimise == GR_OPTIMISE_SHARE)
                assert_in_range(fitted, wanted / 4 - 200, wanted / 4 + 200);
            else
                assert_int_equal(fitted, wanted);
            c.s.individuals[generation][7].nodes = GR_FIT_NODES;
            if (optimise != GR_OPTIMISE_SHARE)
                assert_true(gr_is_fitted(&c.s, generation, 7));
            c.s.individuals[generation][7].nodes = GR_FIT_NODES + 1;
            assert_false(gr_is_fitted(&c.s, generation, 7));
            c.s.individuals[generation][8].instructions = 0;
            assert_false(gr_is_fitted(&c.s, generation, 8));
            free(seen);
            core_close(&c);
        }
}

/* x0 * 3 + NaN - x1: which leaves have a number to fit. */
static void test_leaves(void **state) {
    (void)state;
    for (uint32_t weighted = 0; weighted < 2; weighted++) {
        gr_params p = fit_params(GR_OPTIMISE_ALL);
        p.weighted = weighted;
        p.index_mask = weighted ? gr_index_mask(p.inputs) : 0;
        core c = core_open(&p, NULL, 0);
        gr_nodes tree = gr_tree(&c.s, 0, 0);
        gr_fitter f;
        tree.at[0] = gr_make_node(GR_INPUT, 1, 1, gr_input_operand(&p, 0));
        tree.at[1] = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(3.0f));
        tree.at[2] = gr_make_node(GR_MUL, 0, 0, 0);
        tree.at[3] = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(GR_NAN));
        tree.at[4] = gr_make_node(GR_ADD, 0, 0, 0);
        tree.at[5] = gr_make_node(GR_INPUT, 1, 1, gr_input_operand(&p, 1));
        tree.at[6] = gr_make_node(GR_SUB, 0, 0, 0);
        gr_annotate(tree, 7);
        c.s.individuals[0][0] = gr_tree_individual(tree.at[6]);
        c.s.sums[0] = 50.0;
        assert_true(gr_fit_begin(&c.s, 0, 0, &f, core_group));
        assert_true(f.cost == 0.5f);
        assert_int_equal(f.constants, weighted ? 3 : 1);
        assert_int_equal(f.leaf[weighted], 1);
        assert_true(f.at[weighted] == 3.0f && (!weighted || (f.leaf[2] == 5 && f.at[2] == 1.0f)));
        const float values[3] = {-2.5f, 7.0f, 0.25f};
        gr_fit_write(&p, tree, &f, values + !weighted, core_group);
        assert_true(gr_fit_value(&p, tree.at[1]) == 7.0f);
        assert_int_equal(tree.at[5].operand, weighted ? 0x3e800001 : 1);
        c.s.sums[0] = (double)NAN; /* nothing to begin with */
        assert_false(gr_fit_begin(&c.s, 0, 0, &f, core_group));
        core_close(&c);
    }
}

/* Better: taken, and less damping; not: tried again with more, until there is nothing left. */
static void test_judge(void **state) {
    (void)state;
    gr_params p = fit_params(GR_OPTIMISE_ALL);
    gr_fitter f = {.constants = 1,
                   .at = {1.0f},
                   .trial = {2.0f},
                   .cost = 8.0f,
                   .damping = 0.01,
                   .left = 4,
                   .taken = 1};
    assert_int_equal(gr_fit_judge(&p, &f, 8.0f), GR_FIT_TRY_AGAIN); /* the same is not better */
    assert_true(f.at[0] == 1.0f && !f.taken && !f.improved && f.damping > 0.09);
    assert_int_equal(gr_fit_judge(&p, &f, 5.0f), GR_FIT_DERIVE);
    assert_true(f.at[0] == 2.0f && f.taken && f.improved && f.cost == 5.0f && f.damping < 0.011);
    f.trial[0] = 3.0f;
    assert_int_equal(gr_fit_judge(&p, &f, GR_INFINITY), GR_FIT_TRY_AGAIN);
    assert_int_equal(gr_fit_judge(&p, &f, 6.0f), GR_FIT_DONE);
    assert_true(f.at[0] == 2.0f && !f.taken && f.improved && f.left == 0);
    f.left = 9;
    assert_int_equal(gr_fit_judge(&p, &f, 4.9999f), GR_FIT_DONE); /* taken, but hardly better */
    assert_true(f.at[0] == 3.0f && f.taken);
    f.damping = 2e5;
    assert_int_equal(gr_fit_judge(&p, &f, 9.0f), GR_FIT_DONE);
}

/* What is hardly better is so beside the way to a perfect program, which costs -1 by some metrics.
 */
static void test_last_step(void **state) {
    (void)state;
    gr_params p = {.least_cost = -1.0f};
    for (uint32_t most = 0; most < 2; most++) {
        gr_fitter f = {.constants = 1, .cost = most ? -0.9999f : -0.5f, .damping = 0.01, .left = 4};
        float gain = 1e-5f; /* a 50 000th of the way, or a tenth */
        assert_int_equal(gr_fit_judge(&p, &f, f.cost - gain), most ? GR_FIT_DERIVE : GR_FIT_DONE);
    }
}

/* Damping begins as 0.01: it is a million after eight steps for nothing, which ends it, and never
 * below 1e-8, however many do good. */
static void test_damping(void **state) {
    (void)state;
    gr_params p = {0};
    gr_fitter f = {.constants = 1, .cost = 8.0f, .damping = 0.01, .left = 5000};
    for (uint32_t step = 1; step < 8; step++)
        assert_int_equal(gr_fit_judge(&p, &f, 9.0f), GR_FIT_TRY_AGAIN);
    assert_int_equal(gr_fit_judge(&p, &f, 9.0f), GR_FIT_DONE);
    assert_true(f.damping == 1e6);
    for (double from = 1e-9; from < 1.0; from *= 1.5) {
        f.damping = from;
        for (uint32_t step = 0; step < 20; step++) {
            assert_int_equal(gr_fit_judge(&p, &f, 0.5f * f.cost), GR_FIT_DERIVE);
            assert_true(f.damping > 0.999e-8);
        }
        assert_true(f.damping == 1e-8);
        f.cost = 8.0f;
    }
}

/* What is kept beside a genome: the constants that are better, and behind them none; nothing where
 * none is better. */
static void test_keep(void **state) {
    (void)state;
    gr_params p = fit_params(GR_OPTIMISE_ALL);
    p.genotype = GR_GRAMMATICAL;
    core c = core_open(&p, NULL, 0);
    float *row = c.s.constants[1] + (size_t)3 * GR_FIT_CONSTANTS;
    gr_fitter f = {.constants = 2, .at = {2.5f, -4.0f, 6.0f}};
    for (uint32_t improved = 0; improved < 2; improved++) {
        for (uint32_t k = 0; k < GR_FIT_CONSTANTS; k++)
            row[k] = 1.0f;
        f.improved = improved;
        gr_fit_keep(&c.s, 1, 3, &f, core_group);
        assert_true(row[0] == (improved ? 2.5f : 1.0f) && row[1] == (improved ? -4.0f : 1.0f));
        for (uint32_t k = 2; k < GR_FIT_CONSTANTS; k++)
            assert_true(improved ? isnan(row[k]) : row[k] == 1.0f);
    }
    core_close(&c);
}

/* c[0] to c[255] begin as 0, other constants of such a grammar are not fitted. Values are kept of
 * as many nodes as there may be, 512 at most. */
static void test_limits(void **state) {
    (void)state;
    gr_params p = fit_params(GR_OPTIMISE_ALL);
    p.free_constants = 1;
    assert_true(gr_fit_first_value(&p, gr_make_node(GR_CONSTANT, 1, 1, 1)) == 0.0f);
    assert_true(gr_fit_first_value(&p, gr_make_node(GR_CONSTANT, 1, 1, 256)) == 0.0f);
    assert_true(gr_fit_first_value(&p, gr_make_node(GR_CONSTANT, 1, 1, 0x80000100u)) == 0.0f);
    assert_true(isnan(gr_fit_first_value(&p, gr_make_node(GR_CONSTANT, 1, 1, 257))));
    assert_true(isnan(gr_fit_first_value(&p, gr_make_node(GR_CONSTANT, 1, 1, 0))));
    p.max_nodes = 100;
    assert_int_equal(gr_fit_nodes(&p), 100);
    p.max_nodes = 1000;
    assert_int_equal(gr_fit_nodes(&p), 512);
    p.optimise = 0;
    assert_int_equal(gr_fit_nodes(&p), 0);
}

/* What is near all outputs is a number, also where the first is none. */
static void test_origin(void **state) {
    (void)state;
    assert_true(gr_fit_origin(-3.5f) == -3.5f);
    assert_true(gr_fit_origin(GR_INFINITY) == 0.0f && gr_fit_origin(-GR_INFINITY) == 0.0f);
    assert_true(gr_fit_origin(GR_NAN) == 0.0f);
}

/* Leaves of a constant are turned where the sign is not that of the first: -c0 c1 c0 -c0 c1 -c1. */
static void test_turned(void **state) {
    (void)state;
    enum { LEAVES = 6 };
    static const uint32_t bits[LEAVES] = {0x80000001u, 2, 1, 0x80000001u, 2, 0x80000002u},
                          same[LEAVES] = {0, 1, 0, 0, 1, 1}, turned[LEAVES] = {0, 0, 1, 0, 0, 1};
    gr_node leaf[LEAVES];
    gr_fitter f = {.constants = LEAVES};
    for (uint32_t k = 0; k < LEAVES; k++) {
        leaf[k] = gr_make_node(GR_CONSTANT, 1, 1, bits[k]);
        f.leaf[k] = k;
    }
    gr_fit_find_same((gr_nodes){leaf, 1}, &f);
    for (uint32_t k = 0; k < LEAVES; k++) {
        assert_int_equal(f.same[k], same[k]);
        assert_int_equal(f.turned[k], turned[k]);
    }
}

/* Constants that no child inherits begin anew in elites: they are all fitted, and of the others a
 * share. */
static void test_share_of_others(void **state) {
    (void)state;
    gr_params p = fit_params(GR_OPTIMISE_SHARE);
    p.genotype = GR_GRAMMATICAL;
    p.free_constants = 1;
    p.elites = 40;
    core c = core_open(&p, NULL, 0);
    uint32_t fitted[2] = {0, 0};
    assert_true(gr_fits_copies(&p));
    for (uint32_t i = 0; i < p.population; i++) {
        c.s.individuals[1][i].instructions = 1;
        fitted[i < p.elites] += gr_is_fitted(&c.s, 1, i);
    }
    assert_int_equal(fitted[1], p.elites);
    assert_in_range(fitted[0], 1, p.population - p.elites - 1);
    core_close(&c);
}

/* One equation, 4 step = 2, damped by a hundredth. */
static void test_propose(void **state) {
    (void)state;
    gr_params p = fit_params(GR_OPTIMISE_ALL);
    gr_node leaf = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(1.5f));
    gr_nodes tree = {&leaf, 1};
    gr_fitter f = {.constants = 1, .at = {1.5f}, .damping = 0.01};
    static gr_fit_work work;
    work.matrix[0] = 4.0;
    work.side[0] = 2.0;
    assert_true(gr_fit_propose(&p, tree, &f, &work, core_group));
    assert_true(fabs((double)f.trial[0] - (1.5 + 2.0 / 4.04)) < 1e-6);
    work.side[0] = 1e-12; /* less than a rounding */
    assert_false(gr_fit_propose(&p, tree, &f, &work, core_group));
    work.side[0] = 1e60; /* no float */
    assert_false(gr_fit_propose(&p, tree, &f, &work, core_group));
    work.side[0] = (double)NAN;
    assert_false(gr_fit_propose(&p, tree, &f, &work, core_group));
}

/* c[i]: the sums of the leaves of a constant are those of its derivative, signs and all. */
static void test_share(void **state) {
    (void)state;
    enum { LEAVES = 5, COLUMNS = LEAVES + 1, CASES = 40 };
    gr_params p = fit_params(GR_OPTIMISE_ALL);
    p.free_constants = 1;
    static const uint32_t bits[LEAVES] = {3, 1, 0x80000003u, 3, 0x80000001u}; /* c2 c0 -c2 c2 -c0 */
    static const double of_c2[LEAVES] = {1, 0, -1, 1, 0}, of_c0[LEAVES] = {0, 1, 0, 0, -1};
    gr_node leaf[LEAVES];
    gr_fitter f = {.constants = LEAVES, .at = {2, 3, -2, 2, -3}, .damping = 0.0};
    static gr_fit_work work;
    double expected[3] = {0}, errors[2] = {0}; /* c2 c2, c0 c2, c0 c0; with the error */
    core_dice dice = {5};
    for (uint32_t k = 0; k < LEAVES; k++) {
        leaf[k] = gr_make_node(GR_CONSTANT, 1, 1, bits[k]);
        f.leaf[k] = k;
    }
    for (uint32_t c = 0; c < CASES; c++) {
        double column[COLUMNS], two = 0.0, none = 0.0;
        for (uint32_t k = 0; k < COLUMNS; k++)
            column[k] = (double)core_roll(&dice, 64) - 32;
        for (uint32_t k = 0; k < LEAVES; k++)
            two += of_c2[k] * column[k], none += of_c0[k] * column[k];
        expected[0] += two * two, expected[1] += none * two, expected[2] += none * none;
        errors[0] += two * column[LEAVES], errors[1] += none * column[LEAVES];
        for (uint32_t j = 0; j < COLUMNS; j++)
            for (uint32_t i = 0; i <= j; i++)
                work.sum[gr_fit_pair(i, j)] += column[i] * column[j];
    }
    gr_fit_find_same((gr_nodes){leaf, 1}, &f);
    gr_fit_share(&p, &f, work.sum, core_group);
    assert_true(work.sum[gr_fit_pair(0, 0)] == expected[0]); /* whole numbers */
    assert_true(work.sum[gr_fit_pair(0, 1)] == expected[1]);
    assert_true(work.sum[gr_fit_pair(1, 1)] == expected[2]);
    assert_true(work.sum[gr_fit_pair(0, LEAVES)] == errors[0]);
    assert_true(work.sum[gr_fit_pair(1, LEAVES)] == errors[1]);
    assert_true(gr_fit_equations(&p, LEAVES, work.sum, work.matrix, work.side, core_group));
    assert_true(gr_fit_propose(&p, (gr_nodes){leaf, 1}, &f, &work, core_group));
    assert_true(f.trial[2] == -f.trial[0] && f.trial[3] == f.trial[0] && f.trial[4] == -f.trial[1]);
    double determinant = expected[0] * expected[2] - expected[1] * expected[1];
    double step = (-errors[0] * expected[2] + errors[1] * expected[1]) / determinant;
    assert_true(fabs((double)f.trial[0] - (2.0 + step)) < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_who),
                                       cmocka_unit_test(test_leaves),
                                       cmocka_unit_test(test_judge),
                                       cmocka_unit_test(test_last_step),
                                       cmocka_unit_test(test_share_of_others),
                                       cmocka_unit_test(test_propose),
                                       cmocka_unit_test(test_share),
                                       cmocka_unit_test(test_damping),
                                       cmocka_unit_test(test_origin),
                                       cmocka_unit_test(test_turned),
                                       cmocka_unit_test(test_keep),
                                       cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
