/* host/cpu/stages.h: the stages that only some runs have, the same whatever the team; order and
 * samples against plain sorting and copying. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/fitness/sample.h"
#include "gpu/core/selection/order.h"
#include "host/cpu/stages.h"
#include "tests/core.h"

enum { POPULATION = 700, DEMES = 2 };

/* A state whose costs are given by one error a case: sums are the costs. */
static core open_order(const gr_params *p, uint64_t seed) {
    core c = core_open(p, NULL, 0);
    core_dice dice = {seed};
    for (uint32_t i = 0; i < POPULATION * DEMES; i++) {
        c.s.individuals[0][i].nodes = 1 + core_roll(&dice, 50);
        c.s.individuals[0][i].instructions = 1;
        c.s.sums[i] = (double)core_roll(&dice, 40); /* many are equal */
        c.s.cost[i] = (float)c.s.sums[i];
    }
    return c;
}

static gr_params order_params(void) {
    gr_params p = core_params(GR_TREE);
    p.runs = DEMES;
    p.population = POPULATION;
    p.individuals = DEMES * POPULATION;
    p.metric = GR_METRIC_SAE;
    p.sums = 1;
    p.selection = GR_SELECT_RANK;
    p.ordered = 1;
    return p;
}

/* Every deme by cost, equal ones by index. */
static void test_order(void **state) {
    (void)state;
    gr_params p = order_params();
    for (uint32_t threads = 1; threads < 4; threads++) {
        core c = open_order(&p, 5);
        gr_team *team = gr_team_open(threads);
        gr_cpu_order(&c.s, 0, team);
        for (uint32_t deme = 0; deme < DEMES; deme++) {
            uint32_t seen[POPULATION] = {0}, before = 0;
            for (uint32_t rank = 0; rank < POPULATION; rank++) {
                uint32_t index = gr_ranked(&c.s, deme, rank) % POPULATION;
                const double *sum = c.s.sums + (size_t)deme * POPULATION;
                assert_int_equal(seen[index]++, 0);
                if (rank)
                    assert_true(sum[before] < sum[index] ||
                                (sum[before] == sum[index] && before < index));
                assert_true(c.s.selection_cost[deme * POPULATION + index] == (float)sum[index]);
                before = index;
            }
        }
        gr_team_close(team);
        core_close(&c);
    }
}

/* With a coefficient a node costs what it says. */
static void test_pressure(void **state) {
    (void)state;
    gr_params p = order_params();
    p.parsimony = GR_PARSIMONY_COEFFICIENT;
    p.parsimony_strength = 0.25f;
    core c = open_order(&p, 9);
    gr_cpu_order(&c.s, 0, NULL);
    for (uint32_t i = 0; i < POPULATION * DEMES; i++) {
        double wanted = c.s.sums[i] + 0.25 * c.s.individuals[0][i].nodes;
        assert_true(c.s.selection_cost[i] == (float)wanted);
    }
    core_close(&c);
}

/* The cases of the sample with their targets; those that are positive are counted. */
static void test_sample(void **state) {
    (void)state;
    enum { WHOLE = 2000, CASES = 1100, INPUTS = 3 };
    gr_params p = core_params(GR_TREE);
    p.sampling = GR_SAMPLING_RANDOM;
    p.sample_every = p.sample_unit = 1;
    p.whole_cases = WHOLE;
    p.whole_chunks = p.train_chunks = 2;
    p.train_cases = CASES;
    for (uint32_t threads = 1; threads < 4; threads++) {
        core c = core_open(&p, NULL, 0);
        gr_team *team = gr_team_open(threads);
        float *whole = (float *)(uintptr_t)c.s.whole;
        for (uint32_t k = 0; k < WHOLE; k++)
            for (uint32_t column = 0; column <= INPUTS; column++)
                whole[(k / GR_CHUNK * (INPUTS + 1) + column) * GR_CHUNK + k % GR_CHUNK] =
                    column < INPUTS ? (float)(k + 5000 * column) : (float)(k % 3) - 1.0f;
        gr_cpu_sample(&c.s, 4, team);
        uint32_t positives = 0, seen[WHOLE] = {0};
        for (uint32_t k = 0; k < 2 * GR_CHUNK; k++) {
            const float *at =
                c.s.taken + (size_t)(k / GR_CHUNK) * (INPUTS + 1) * GR_CHUNK + k % GR_CHUNK;
            uint32_t from = (uint32_t)at[0];
            if (k >= CASES) {
                assert_true(at[0] == 0.0f && at[INPUTS * GR_CHUNK] == 0.0f);
                continue;
            }
            assert_int_equal(from, gr_sampled_case(&p, 4, k));
            assert_int_equal(seen[from]++, 0);
            assert_true(at[2 * GR_CHUNK] == (float)(from + 10000));
            assert_true(at[INPUTS * GR_CHUNK] == (float)(from % 3) - 1.0f);
            positives += from % 3 == 2;
        }
        assert_int_equal(c.s.sample_positives[gr_positives_counter(&p, 4)], positives);
        gr_team_close(team);
        core_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_sample),
    };
    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
