/* gpu/core/selection/order.h: the order of a deme, and what selection goes by under parsimony
 * pressure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/parent_selection.h"
#include "host/cpu/team.h"
#include "tests/demes.h"

static void test_order(void **state) {
    (void)state;
    for (uint32_t population = 1; population < 200; population += 13) {
        gr_params p = core_params(GR_TREE);
        p.population = population;
        p.runs = 3;
        p.individuals = 3 * population;
        p.selection = GR_SELECT_RANK;
        p.ordered = 1;
        core c = core_open(&p, NULL, 0);
        core_dice dice = {population};
        c.s.p.individuals = p.individuals;
        for (uint32_t i = 0; i < p.individuals; i++) {
            c.s.individuals[0][i].instructions = core_roll(&dice, 10) > 0;
            c.s.cost[i] = (float)core_roll(&dice, 8); /* many ties */
        }
        gr_team *team = gr_team_open(2);
        gr_cpu_order(&c.s, 0, team);
        gr_team_close(team);
        for (uint32_t deme = 0; deme < 3; deme++)
            for (uint32_t rank = 0; rank + 1 < population; rank++)
                assert_true(gr_selection_key(&c.s, deme, gr_ranked(&c.s, deme, rank)) <
                            gr_selection_key(&c.s, deme, gr_ranked(&c.s, deme, rank + 1)));
        core_close(&c);
    }
}

static void test_parsimony(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.parsimony = GR_PARSIMONY_COEFFICIENT;
    p.parsimony_strength = 0.25f;
    core c = open_deme(&p);
    for (uint32_t i = 0; i < N; i++)
        assert_true(i == 11 || c.s.selection_cost[i] ==
                                   (float)(c.s.sums[i] + 0.25 * c.s.individuals[0][i].nodes));
    assert_true(c.s.selection_cost[11] == GR_INFINITY);
    core_close(&c);
    p.parsimony = GR_PARSIMONY_COVARIANT;
    c = open_deme(&p);
    double mean[2] = {0}, covariance = 0, variance = 0, left = 0;
    for (uint32_t i = 0; i < N; i++)
        if (i != 11) {
            mean[0] += c.s.sums[i] / (N - 1);
            mean[1] += (double)c.s.individuals[0][i].nodes / (N - 1);
        }
    for (uint32_t i = 0; i < N; i++)
        if (i != 11) {
            double size = (double)c.s.individuals[0][i].nodes - mean[1];
            covariance += size * (c.s.sums[i] - mean[0]);
            variance += size * size;
        }
    assert_true(fabs(c.s.pressures[0].slope - covariance / variance) < 1e-12);
    for (uint32_t i = 0; i < N; i++)
        if (i != 11)
            left += (double)c.s.selection_cost[i] * ((double)c.s.individuals[0][i].nodes - mean[1]);
    assert_true(fabs(left) < 1e-3); /* nothing of size is left in the selection costs */
    core_close(&c);
}

/* Sizes and costs that are all but equal: their covariance is far below the last digit of the sums
 * of products. Against two passes in long double. */
static void test_nearly_equal(void **state) {
    (void)state;
    static const float costs[] = {1.0f, 3.3e-30f, 1.7e30f};
    gr_params p = core_params(GR_TREE);
    p.parsimony = GR_PARSIMONY_COVARIANT;
    for (int k = 0; k < 3; k++) {
        core c = open_deme(&p);
        long double mean[2] = {0}, covariance = 0, variance = 0;
        for (uint32_t i = 0; i < N; i++) {
            c.s.individuals[0][i].nodes = 9000 + (i % 50 == 3);
            c.s.sums[i] = (double)gr_bits_float(gr_float_bits(costs[k]) + (i % 25 == 3) + i % 2);
            c.s.cost[i] = i == 11 ? GR_INFINITY : (float)c.s.sums[i];
        }
        gr_cpu_order(&c.s, 0, NULL);
        for (uint32_t i = 0; i < N; i++)
            if (i != 11) {
                mean[0] += (long double)c.s.sums[i] / (N - 1);
                mean[1] += (long double)c.s.individuals[0][i].nodes / (N - 1);
            }
        for (uint32_t i = 0; i < N; i++)
            if (i != 11) {
                long double size = (long double)c.s.individuals[0][i].nodes - mean[1];
                covariance += size * ((long double)c.s.sums[i] - mean[0]);
                variance += size * size;
            }
        double slope = (double)(covariance / variance);
        assert_true(slope > 0.0 && fabs(c.s.pressures[0].slope - slope) < 1e-7 * slope);
        core_close(&c);
    }
}

static void test_tarpeian(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.parsimony = GR_PARSIMONY_TARPEIAN;
    p.parsimony_strength = 0.3f;
    core c = open_deme(&p);
    uint32_t large = 0, thrown = 0;
    double mean = c.s.pressures[0].mean;
    for (uint32_t round = 0; round < 500; round++) {
        c.s.p.seed[0] = round;
        gr_cpu_order(&c.s, 0, NULL);
        for (uint32_t i = 0; i < N; i++)
            if (c.s.individuals[0][i].nodes > mean && i != 11) {
                large++;
                thrown += c.s.selection_cost[i] == GR_INFINITY;
            } else
                assert_true(c.s.selection_cost[i] == c.s.cost[i]);
    }
    const uint32_t count[2] = {thrown, large - thrown};
    const double share[2] = {0.3, 0.7};
    assert_true(core_chi_square(count, share, 2) < 1.0);
    core_close(&c);
}

/* Whom it strikes is drawn for the purpose of parsimony, by generation, deme and index; no draw of
 * selection shows in it. */
static void test_tarpeian_draws(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.parsimony = GR_PARSIMONY_TARPEIAN;
    p.parsimony_strength = 0.5f;
    core c = open_deme(&p);
    double mean = c.s.pressures[0].mean;
    for (uint32_t generation = 0; generation < 20; generation += 2) {
        gr_cpu_order(&c.s, generation, NULL);
        for (uint32_t i = 0; i < N; i++) {
            uint32_t word = core_draw(&p, GR_PURPOSE_PARSIMONY, 0, generation, 0, i, 0);
            int struck = c.s.individuals[0][i].nodes > mean && word < 0x80000000u;
            assert_int_equal(c.s.selection_cost[i] == GR_INFINITY, struck || i == 11);
        }
    }
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),          cmocka_unit_test(test_parsimony),
        cmocka_unit_test(test_nearly_equal),   cmocka_unit_test(test_tarpeian),
        cmocka_unit_test(test_tarpeian_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
