/* gpu/core/program/weight.h: weight and index in the operand of a leaf, its instruction, and the
 * CPU interpreter on programs of such leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/cpu/evaluate.h"
#include "tests/core.h"

static void test_mask(void **state) {
    (void)state;
    static const uint32_t inputs[] = {1, 2, 3, 4, 5, 8, 9, 4096},
                          masks[] = {0, 1, 3, 3, 7, 7, 15, 4095};
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
        assert_int_equal(gr_index_mask(inputs[k]), masks[k]);
}

/* A weight comes back rounded to the nearest with so many bits, the index as it was. */
static void test_packing(void **state) {
    (void)state;
    core_dice dice = {3};
    for (uint32_t round = 0; round < 20000; round++) {
        uint32_t inputs = 1 + core_roll(&dice, 4096), index = core_roll(&dice, inputs);
        uint32_t mask = gr_index_mask(inputs);
        float weight = core_float(&dice);
        if (weight != weight)
            continue;
        uint32_t operand = gr_weigh(mask, weight, index);
        float kept = gr_weight_of(mask, operand);
        assert_int_equal(operand & mask, index);
        assert_true(gr_is_weighted(operand) && isnormal(kept));
        assert_true(signbit(kept) == signbit(weight));
        assert_int_equal(gr_weigh(mask, kept, index), operand);
        if (fabsf(weight) < 0x1p-120f || fabsf(weight) > 0x1p120f)
            continue;
        double half = ldexp(fabs((double)weight), -24) * (mask + 1);
        assert_true(fabs((double)kept - (double)weight) <= half);
    }
    assert_int_equal(gr_weigh(7, 1.0f, 5), 0x3f800005);
    assert_int_equal(gr_weigh(0, -0.0f, 0), 0x80800000); /* never what could be an index */
    assert_int_equal(gr_weigh(255, GR_INFINITY, 3), 0x7f7fff03);
    assert_int_equal(gr_weigh(255, 1.0000076f, 3), 0x3f800003); /* 64 units: below half */
    assert_int_equal(gr_weigh(255, 1.0000154f, 3), 0x3f800103); /* 129: above */
}

static void test_new_leaf(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    assert_int_equal(gr_input_operand(&p, 2), 2);
    assert_true(gr_input_exists(&p, 2) && !gr_input_exists(&p, 3));
    p.weighted = 1;
    p.index_mask = gr_index_mask(p.inputs);
    assert_int_equal(gr_input_operand(&p, 2), 0x3f800002);
    assert_true(gr_input_exists(&p, 0xbf800002) && !gr_input_exists(&p, 0xbf800003) &&
                !gr_input_exists(&p, 2));
    /* a weight is never -0 or a denormal number */
    assert_true(!gr_input_exists(&p, 0x80000002) && !gr_input_exists(&p, 0x80400002) &&
                !gr_input_exists(&p, 0x00400002) && gr_input_exists(&p, 0x80800002));
}

/* Outputs of random weighted programs are those of the tree with weight * input, rounded once, at
 * every leaf. */
static void test_interpreter(void **state) {
    (void)state;
    enum { NODES = 256, CASES = 300 };
    static _Alignas(64) float tile[4][GR_CHUNK];
    static float output[GR_CHUNK], stack[NODES];
    static uint32_t words[2 * NODES];
    static gr_node memory[NODES], plain[NODES];
    static gr_instruction program[NODES];
    gr_params p = core_params(GR_TREE);
    core_dice dice = {8};
    p.weighted = 1;
    p.index_mask = gr_index_mask(p.inputs);
    gr_cpu_registers *registers = gr_cpu_take_registers(1, &p);
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t c = 0; c < GR_CHUNK; c++)
            tile[k][c] = core_float(&dice);
    for (uint32_t index = 0; index < 150; index++) {
        uint32_t count = core_first_tree(&p, 0, index, (gr_nodes){memory, 1});
        for (uint32_t k = 0; k < count; k++)
            if (GR_NODE_OP(memory[k]) == GR_INPUT)
                memory[k].operand = gr_weigh(p.index_mask, (float)core_roll(&dice, 1000) - 500.5f,
                                             memory[k].operand & p.index_mask);
        uint32_t length =
            gr_compile((gr_nodes){memory, 1}, count, (gr_words){words, 1}, program, core_group);
        gr_cpu_best_interpreter()->predict(program, length, tile[0], CASES, registers, output);
        for (uint32_t c = 0; c < CASES; c++) {
            for (uint32_t k = 0; k < count; k++) {
                plain[k] = memory[k];
                if (GR_NODE_OP(memory[k]) != GR_INPUT)
                    continue;
                float x = gr_weight_of(p.index_mask, memory[k].operand) *
                          tile[memory[k].operand & p.index_mask][c];
                plain[k] = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(x));
            }
            assert_true(core_same(output[c], gr_evaluate_case(plain, count, NULL, stack)));
        }
    }
    free(registers);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mask), cmocka_unit_test(test_packing),
                                       cmocka_unit_test(test_new_leaf),
                                       cmocka_unit_test(test_interpreter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
