/* host/bench/verify.h: the reference against the CPU interpreter for every metric, and what becomes
 * of costs that are wrong, nearly right or not to be told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/bench/verify.h"
#include "host/cpu/evaluate.h"
#include "tests/core.h"

enum { INPUTS = 3, CASES = 2500, CHUNKS = 3, NODES = 256, TREES = 40 };
static float tiles[CHUNKS][INPUTS + 1][GR_CHUNK];
static gr_node trees[TREES][NODES];
static gr_suspect suspects[TREES];

static gr_params settings(gr_metric metric, int packed, int scaling) {
    gr_params p = core_params(GR_TREE);
    core_functions(&p, packed);
    p.inputs = INPUTS;
    p.metric = metric;
    p.train_cases = packed ? 32 * CASES - 5 : CASES;
    p.train_chunks = CHUNKS;
    p.linear_scaling = (uint32_t)scaling;
    p.tolerance = 0.5f;
    p.target_ss[0] = 123.0;
    p.positives[0] = 1000.0;
    p.sums = gr_sums_of(&p);
    p.last_share[0] = gr_last_share(p.train_cases);
    return p;
}

static void fill(const gr_params *p, core_dice *dice) {
    for (uint32_t c = 0; c < CHUNKS * GR_CHUNK; c++)
        for (uint32_t k = 0; k <= INPUTS; k++)
            tiles[c / GR_CHUNK][k][c % GR_CHUNK] =
                p->packed ? gr_bits_float(core_roll(dice, 0))
                          : (float)core_roll(dice, 0) * 0x1p-30f - 2.0f;
}

static void grow(const gr_params *p) {
    for (uint32_t i = 0; i < TREES; i++) {
        gr_nodes nodes = {trees[i], 1};
        gr_random r = gr_stream(p, GR_PURPOSE_INIT, 0, 0, i);
        suspects[i].nodes = trees[i];
        suspects[i].count = 0;
        while (!suspects[i].count)
            suspects[i].count = gr_random_tree(p, &r, 5, 0, 1, nodes, NODES);
    }
}

/* The same cost by the interpreter of the CPU engine. */
static float engine_cost(const gr_params *p, uint32_t i) {
    static gr_cpu_registers registers;
    static gr_instruction program[NODES];
    uint32_t words[2 * NODES];
    gr_nodes nodes = {trees[i], 1};
    gr_words locations = {words, 1};
    double sums[CHUNKS * GR_MAX_SUMS], total[GR_MAX_SUMS], fit[2];
    uint32_t length = gr_compile(nodes, suspects[i].count, locations, program, core_group);
    gr_chunk_target targets[CHUNKS];
    gr_chunk_targets(p, tiles[0][0], p->packed ? 0 : p->train_cases, p->target_mean[0], targets);
    for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
        registers.target = targets[chunk];
        gr_cpu_best_interpreter()->evaluate(p, program, length,
                                            (gr_cpu_chunk){tiles[chunk][0], 0, chunk}, &registers,
                                            sums + chunk * p->sums);
    }
    gr_total(p, 0, targets, sums, 1, 0, total);
    return gr_cost(p, total, 0, fit);
}

static void compare_all(gr_metric metric, int packed, int scaling) {
    gr_params p = settings(metric, packed, scaling);
    gr_error error;
    core_dice dice = {7};
    gr_verdict verdict = {0};
    fill(&p, &dice);
    grow(&p);
    assert_int_equal(gr_reference_costs(&p, tiles[0][0], 0, suspects, TREES, &error), GR_OK);
    for (uint32_t i = 0; i < TREES; i++)
        gr_compare_cost(&suspects[i], i, engine_cost(&p, i), 0.0, 0, &verdict);
    assert_string_equal(verdict.wrong, "");
    assert_int_equal(verdict.agreed, TREES);
    assert_true(verdict.finite > 0);
    assert_int_equal(gr_judge(&verdict, 0.0), GR_ANSWERS_RIGHT);
}

static void interpreter_agrees(void **state) {
    (void)state;
    for (uint32_t metric = 0; metric < GR_METRICS; metric++)
        compare_all((gr_metric)metric, gr_adds_of(metric) == GR_ADDS_BITS, 0);
    compare_all(GR_METRIC_RMSE, 0, 1);
}

/* One bit off in one of many is wrong in exact arithmetic, and the report names it. */
static void one_bit_is_wrong(void **state) {
    (void)state;
    gr_suspect suspect = {NULL, 1, 2.5f, 2.5f, 2.5f};
    gr_verdict verdict = {0};
    for (uint32_t i = 0; i < 99; i++)
        gr_compare_cost(&suspect, i, 2.5f, 0.0, 0, &verdict);
    assert_int_equal(gr_judge(&verdict, 0.0), GR_ANSWERS_RIGHT);
    gr_compare_cost(&suspect, 99, gr_bits_float(gr_float_bits(2.5f) + 1), 0.0, 0, &verdict);
    assert_int_equal(gr_judge(&verdict, 0.0), GR_ANSWERS_WRONG);
    assert_int_equal(verdict.agreed, 99);
    assert_non_null(strstr(verdict.wrong, "individual 99 costs 2.5000002"));
}

static gr_answers judge_one(float cost, float got, double tolerance, int counts) {
    gr_suspect suspect = {NULL, 1, cost, cost, cost};
    gr_verdict verdict = {0};
    gr_compare_cost(&suspect, 0, got, tolerance, counts, &verdict);
    return gr_judge(&verdict, tolerance);
}

static void borders(void **state) {
    (void)state;
    assert_int_equal(judge_one(2.0f, 2.001f, 1e-3, 0), GR_ANSWERS_RIGHT);
    assert_int_equal(judge_one(2.0f, 2.003f, 1e-3, 0), GR_ANSWERS_WRONG);
    assert_int_equal(judge_one(-300.0f, -301.0f, 1e-3, 1), GR_ANSWERS_RIGHT);
    assert_int_equal(judge_one(-300.0f, -302.0f, 1e-3, 1), GR_ANSWERS_WRONG);
    assert_int_equal(judge_one(-300.0f, -301.0f, 0.0, 1), GR_ANSWERS_WRONG);
    for (int fast = 0; fast < 2; fast++) {
        double tolerance = fast ? 1e-3 : 0.0;
        assert_int_equal(judge_one(2.0f, GR_INFINITY, tolerance, 0), GR_ANSWERS_WRONG);
        assert_int_equal(judge_one(2.0f, GR_NAN, tolerance, 0), GR_ANSWERS_WRONG);
        assert_int_equal(judge_one(GR_INFINITY, 2.0f, tolerance, 0), GR_ANSWERS_WRONG);
        /* Right, but it shows nothing. */
        assert_int_equal(judge_one(GR_INFINITY, GR_INFINITY, tolerance, 0), GR_ANSWERS_UNCHECKED);
    }
}

/* sin(x * big) is another number for every rounding of its operand; x / 3 is not. */
static void sensitive_programs(void **state) {
    (void)state;
    gr_params p = settings(GR_METRIC_MSE, 0, 0);
    core_dice dice = {3};
    gr_error error;
    gr_verdict verdict = {0};
    fill(&p, &dice);
    for (uint32_t i = 0; i < 2; i++) {
        gr_nodes nodes = {trees[i], 1};
        uint32_t count = 0;
        trees[i][count++] = gr_make_node(GR_INPUT, 1, 1, 0);
        trees[i][count++] = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(i ? 3.0f : 1e7f));
        trees[i][count++] = gr_make_node(i ? GR_DIV : GR_MUL, 0, 0, 0);
        if (i == 0)
            trees[i][count++] = gr_make_node(GR_SIN, 0, 0, 0);
        gr_annotate(nodes, count);
        suspects[i].nodes = trees[i];
        suspects[i].count = count;
    }
    assert_int_equal(gr_reference_costs(&p, tiles[0][0], 1, suspects, 2, &error), GR_OK);
    assert_true(suspects[0].least < suspects[0].most);
    assert_false(gr_is_steady(&suspects[0], 1e-3));
    assert_true(gr_is_steady(&suspects[0], 0.0));
    assert_true(gr_is_steady(&suspects[1], 1e-3));
    gr_compare_cost(&suspects[0], 0, 1e9f, 1e-3, 0, &verdict);
    assert_int_equal(verdict.skipped, 1);
    assert_int_equal(gr_judge(&verdict, 1e-3), GR_ANSWERS_UNCHECKED);
    gr_compare_cost(&suspects[1], 1, suspects[1].cost, 1e-3, 0, &verdict);
    assert_int_equal(gr_judge(&verdict, 1e-3), GR_ANSWERS_RIGHT);
}

/* Fast arithmetic: two in a hundred may differ, three may not. */
static void agreement_share(void **state) {
    (void)state;
    gr_verdict verdict = {.compared = 100, .agreed = 98, .finite = 100};
    assert_int_equal(gr_judge(&verdict, 1e-3), GR_ANSWERS_RIGHT);
    assert_int_equal(gr_judge(&verdict, 0.0), GR_ANSWERS_WRONG);
    verdict.agreed = 97;
    assert_int_equal(gr_judge(&verdict, 1e-3), GR_ANSWERS_WRONG);
}

/* A program that is none costs infinity. */
static void no_program(void **state) {
    (void)state;
    gr_params p = settings(GR_METRIC_MSE, 0, 0);
    gr_suspect none = {NULL, 0, 1.0f, 1.0f, 1.0f};
    gr_error error;
    assert_int_equal(gr_reference_costs(&p, tiles[0][0], 1, &none, 1, &error), GR_OK);
    assert_true(none.cost == GR_INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(interpreter_agrees),
                                       cmocka_unit_test(one_bit_is_wrong),
                                       cmocka_unit_test(borders),
                                       cmocka_unit_test(sensitive_programs),
                                       cmocka_unit_test(agreement_share),
                                       cmocka_unit_test(no_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
