/* gpu/core/fitness/validation.h: sums and costs of one program on cases set aside, against the CPU
 * interpreter and the formulas of fitness.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitness/validation.h"
#include "host/cpu/evaluate.h"
#include "tests/core.h"

enum { CASES = 2 * GR_CHUNK + 77, CHUNKS = 3 };

static const struct {
    gr_metric metric;
    uint32_t scaled, weighted;
} kinds[] = {{GR_METRIC_RMSE, 0, 0},     {GR_METRIC_RMSE, 1, 0}, {GR_METRIC_MAX_ERROR, 0, 0},
             {GR_METRIC_BALANCED, 0, 0}, {GR_METRIC_MAE, 0, 0},  {GR_METRIC_MISCLASSIFIED, 0, 0},
             {GR_METRIC_BALANCED, 0, 1}, {GR_METRIC_MAE, 0, 1},  {GR_METRIC_MAX_ERROR, 0, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A state with one individual, and its sums by the lanes of this header and by the interpreter. */
static void test_lanes(void **state) {
    (void)state;
    for (uint32_t k = 0; k < KINDS; k++) {
        gr_params p = core_params(GR_TREE);
        core_dice dice = {k + 1};
        p.population = p.individuals = 1;
        p.metric = kinds[k].metric;
        p.linear_scaling = kinds[k].scaled;
        p.case_weights = kinds[k].weighted;
        p.sums = gr_sums_of(&p);
        p.test_cases = CASES;
        p.test_chunks = p.validation_chunks = CHUNKS;
        p.last_share[1] = gr_last_share(CASES);
        core c = core_open(&p, NULL, 0);
        *(gr_params *)(uintptr_t)c.s.validating = c.s.p;
        float *tiles = (float *)(uintptr_t)c.s.validation;
        for (size_t n = 0; n < CHUNKS * gr_tile_of(&p); n++)
            tiles[n] = (float)((double)core_roll(&dice, 0) * 0x1p-29 - 4.0);
        for (size_t n = 0; kinds[k].weighted && n < CHUNKS * GR_CHUNK; n++) /* behind targets */
            tiles[n / GR_CHUNK * gr_tile_of(&p) + (p.inputs + 1) * GR_CHUNK + n % GR_CHUNK] =
                (float)(1 + core_roll(&dice, 40)) / 8.0f;
        for (uint32_t n = 0; kinds[k].scaled && n < CHUNKS; n++) {
            gr_chunk_target target = {0.5 + n, 0.25, 0.0, 0.0};
            ((gr_chunk_target *)(uintptr_t)c.s.validation_targets)[n] = target;
        }
        for (uint32_t round = 0; round < 30; round++) {
            gr_nodes tree = gr_tree(&c.s, 0, 0);
            gr_random r = gr_stream(&p, GR_PURPOSE_INIT, round, 0, 0);
            uint32_t count = gr_random_tree(&p, &r, 5, 1, 1, tree, p.max_nodes);
            uint32_t length = gr_compile(tree, count, core_scratch(&c).locations,
                                         gr_program(&c.s, 0), core_group);
            for (uint32_t chunk = 0; count && chunk < CHUNKS; chunk++) {
                static gr_cpu_registers registers;
                const float *tile = tiles + chunk * gr_tile_of(&p);
                double wanted[GR_MAX_SUMS];
                gr_lane_share lane[GR_LANES];
                float origin = gr_execute(&p, gr_program(&c.s, 0), length, tile);
                if (kinds[k].scaled)
                    registers.target = c.s.validation_targets[chunk];
                gr_cpu_best_interpreter()->evaluate(&p, gr_program(&c.s, 0), length,
                                                    (gr_cpu_chunk){tile, 1, chunk}, &registers,
                                                    wanted);
                for (uint32_t l = 0; l < GR_LANES; l++)
                    lane[l] = gr_validate_lane(&c.s, gr_program(&c.s, 0), length, chunk, l, origin);
                for (uint32_t x = GR_LANES / 2; x; x /= 2)
                    for (uint32_t l = 0; l < x; l++)
                        lane[l] = gr_share_merge(gr_sum_kind_of(&p), lane[l], lane[l + x]);
                gr_validated_chunk(&c.s, 0, chunk, lane[0], origin);
                for (uint32_t n = 0; n < p.sums; n++) {
                    double got = c.s.validation_sums[chunk * p.sums + n];
                    assert_true(memcmp(&got, &wanted[n], sizeof got) == 0 ||
                                (got != got && wanted[n] != wanted[n]));
                }
            }
        }
        core_close(&c);
    }
}

/* The mean over all cases of all chunks; none where training has no finite cost. */
static void test_cost(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.population = p.individuals = 2;
    p.metric = GR_METRIC_MAE;
    p.test_cases = CASES;
    p.test_chunks = p.validation_chunks = CHUNKS;
    core c = core_open(&p, NULL, 0);
    *(gr_params *)(uintptr_t)c.s.validating = c.s.p;
    for (uint32_t chunk = 0; chunk < CHUNKS; chunk++)
        c.s.validation_sums[chunk] = 1000.0 * (chunk + 1);
    c.s.individuals[0][1].instructions = 1;
    assert_true(gr_validated_cost(&c.s, 0, 0, 1) == (float)(6000.0 / CASES));
    assert_true(gr_validated_cost(&c.s, 0, 0, 0) == GR_INFINITY); /* there is no program */
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes), cmocka_unit_test(test_cost)};
    return cmocka_run_group_tests_name("validation", tests, NULL, NULL);
}
