/* gpu/core/program/node.h: what a node tells of its subtree, worked out by hand. The same of random
 * trees by search: test_tree.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

enum { CAPACITY = 1024 };
static gr_node memory[CAPACITY];
static const gr_nodes nodes = {memory, 1};

static void test_fields(void **state) {
    (void)state;
    gr_node node = gr_make_node(GR_NOT, 255, 65535, 0xdeadbeefu);
    assert_int_equal(GR_NODE_OP(node), GR_NOT);
    assert_int_equal(GR_NODE_HEIGHT(node), 255);
    assert_int_equal(GR_NODE_SIZE(node), 65535);
    assert_int_equal(node.operand, 0xdeadbeefu);
    gr_node leaf = gr_make_node(GR_CONSTANT, 1, 1, 0xffffffffu); /* its operand is a value */
    assert_int_equal(gr_stack_levels(leaf), 0);
    assert_int_equal(gr_instructions(leaf), 1);
}

/* size, height, stack levels and instructions of a function over operands of these leaves */
typedef struct told {
    uint32_t size, height, levels, instructions;
} told;

static gr_node check(gr_node node, told t) {
    assert_int_equal(GR_NODE_SIZE(node), t.size);
    assert_int_equal(GR_NODE_HEIGHT(node), t.height);
    assert_int_equal(gr_stack_levels(node), t.levels);
    assert_int_equal(gr_instructions(node), t.instructions);
    return node;
}

static void test_join(void **state) {
    (void)state;
    const gr_node none = {0, 0}, x = gr_make_node(GR_INPUT, 1, 1, 0);
    /* load x; sin */
    gr_node sine = check(gr_join(GR_SIN, x, none, none), (told){2, 2, 0, 2});
    /* load x; add x: a leaf beside another operand has no instruction */
    gr_node sum = check(gr_join(GR_ADD, x, x, none), (told){3, 2, 0, 2});
    check(gr_join(GR_SUB, sum, x, none), (told){5, 3, 0, 3});
    check(gr_join(GR_SUB, x, sum, none), (told){5, 3, 0, 3});
    /* one of two sums waits on the stack while the other is worked out */
    gr_node product = check(gr_join(GR_MUL, sum, sum, none), (told){7, 3, 1, 5});
    /* the needier first: the other one is done before the level is needed again */
    check(gr_join(GR_DIV, product, sum, none), (told){11, 4, 1, 8});
    check(gr_join(GR_DIV, sum, product, none), (told){11, 4, 1, 8});
    check(gr_join(GR_DIV, product, product, none), (told){15, 4, 2, 11});
    /* three operands: all of them are loaded, two wait */
    check(gr_join(GR_IF, x, x, x), (told){4, 2, 2, 4});
    check(gr_join(GR_IF, sine, x, x), (told){5, 3, 2, 5});
    gr_node needy = check(gr_join(GR_MUL, product, product, none), (told){15, 4, 2, 11});
    needy = check(gr_join(GR_MUL, needy, needy, none), (told){31, 5, 3, 23});
    check(gr_join(GR_IF, needy, x, x), (told){34, 6, 3, 26});         /* 3, 0 + 1, 0 + 2 */
    check(gr_join(GR_IF, x, needy, needy), (told){64, 6, 4, 48});     /* 3, 3 + 1, 0 + 2 */
    check(gr_join(GR_IF, needy, needy, needy), (told){94, 6, 5, 70}); /* 3, 3 + 1, 3 + 2 */
}

/* x0 x1 + 1 x2 - if sin, in the front and in the middle of an array, in a row and interleaved. */
static void test_annotate(void **state) {
    (void)state;
    static const uint32_t op[] = {GR_INPUT, GR_INPUT, GR_ADD, GR_CONSTANT, GR_INPUT,
                                  GR_INPUT, GR_SUB,   GR_IF,  GR_SIN};
    static const told expected[] = {{1, 1, 0, 1}, {1, 1, 0, 1}, {3, 2, 0, 2},
                                    {1, 1, 0, 1}, {1, 1, 0, 1}, {1, 1, 0, 1},
                                    {3, 2, 0, 2}, {8, 3, 2, 6}, {9, 4, 2, 7}};
    for (uint32_t step = 1; step <= 4; step++)
        for (uint32_t first = 0; first < 20; first += 10) {
            gr_nodes at = gr_nodes_from((gr_nodes){memory, step}, first);
            for (uint32_t i = 0; i < CAPACITY; i++)
                memory[i] = gr_make_node(GR_WNOT, 9, 9, 9);
            for (uint32_t i = 0; i < 9; i++)
                GR_AT(at, i) = gr_make_node(op[i], 77, 777, op[i] <= GR_INPUT ? 5 : 0x12345678u);
            gr_annotate(at, 9);
            for (uint32_t i = 0; i < 9; i++) {
                gr_node node = check(memory[(first + i) * step], expected[i]);
                assert_int_equal(GR_NODE_OP(node), op[i]);
                assert_true(op[i] > GR_INPUT || node.operand == 5);
            }
            assert_int_equal(GR_NODE_SIZE(memory[(first + 9) * step]), 9); /* nothing behind it */
        }
}

/* A chain higher than a head can say: the height stays at its limit. */
static void test_height_saturates(void **state) {
    (void)state;
    memory[0] = gr_make_node(GR_INPUT, 1, 1, 0);
    for (uint32_t i = 1; i < 1000; i++)
        memory[i] = gr_make_node(GR_SIN, 0, 0, 0);
    gr_annotate(nodes, 1000);
    assert_int_equal(GR_NODE_HEIGHT(memory[999]), GR_MAX_HEIGHT);
    assert_int_equal(GR_NODE_SIZE(memory[999]), 1000);
    assert_int_equal(GR_NODE_OP(memory[999]), GR_SIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_annotate),
        cmocka_unit_test(test_height_saturates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
