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

/* A function whose operation, height and size are right has its stack levels and instructions
 * written all the same: (x0 + x0) * (x0 + x0). */
static void test_annotate_operands(void **state) {
    (void)state;
    static const uint32_t op[] = {GR_INPUT, GR_INPUT, GR_ADD, GR_INPUT, GR_INPUT, GR_ADD, GR_MUL},
                          size[] = {1, 1, 3, 1, 1, 3, 7}, height[] = {1, 1, 2, 1, 1, 2, 3};
    for (uint32_t i = 0; i < 7; i++)
        memory[i] = gr_make_node(op[i], height[i], size[i], 0);
    gr_annotate(nodes, 7);
    check(memory[2], (told){3, 2, 0, 2});
    check(memory[5], (told){3, 2, 0, 2});
    check(memory[6], (told){7, 3, 1, 5});
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

/* The root of `one`.. over `below`, by joining from the bottom; their ways in *way, joined in pairs
 * in an order that `dice` draws. */
static gr_node climb(gr_node below, uint32_t steps, core_dice *dice, gr_ascent *way) {
    static const uint32_t op[] = {GR_SIN, GR_ADD, GR_IF};
    gr_ascent ways[12];
    for (uint32_t k = 0; k < steps; k++) {
        uint32_t arity = 1 + core_roll(dice, 3), on = core_roll(dice, arity);
        gr_node operand[3] = {{0, 0}, {0, 0}, {0, 0}}, open = gr_make_node(GR_SIN, 0, 2, 0),
                with[3];
        for (uint32_t n = 0; n < arity; n++) {
            uint32_t leaf = core_roll(dice, 2);
            operand[n] = leaf ? gr_make_node(GR_INPUT, 1, 1, 7)
                              : gr_make_node(GR_MUL, 2 + core_roll(dice, 9), 3 + core_roll(dice, 9),
                                             core_roll(dice, 5) | (2 + core_roll(dice, 9)) << 8);
            with[n] = operand[n];
        }
        uint32_t leaf = GR_NODE_SIZE(below) == 1;
        open.head = leaf ? gr_make_node(GR_SIN, 0, 1, 0).head : open.head;
        operand[on] = below;
        with[on] = open;
        for (uint32_t n = arity; n < 3; n++)
            with[n] = operand[n];
        gr_node one = operand[on == 0], two = operand[on == 2 ? 1 : 2];
        gr_node joined = gr_join(op[arity - 1], with[0], with[1], with[2]);
        uint32_t turned = gr_stack_levels(two) > gr_stack_levels(one);
        ways[k] = gr_ascent_of(joined, arity - 1, turned ? two : one, turned ? one : two, leaf);
        below = gr_join(op[arity - 1], operand[0], operand[1], operand[2]);
    }
    for (uint32_t left = steps; left > 1; left--) { /* two neighbours become one */
        uint32_t at = core_roll(dice, left - 1);
        ways[at] = gr_ascend_on(ways[at], ways[at + 1]);
        for (uint32_t k = at + 1; k + 1 < left; k++)
            ways[k] = ways[k + 1];
    }
    *way = ways[0];
    return below;
}

/* A way up at once is that by steps, in whatever order its parts are joined. */
static void test_ascents(void **state) {
    (void)state;
    core_dice dice = {5};
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t leaf = core_roll(&dice, 4) == 0, steps = 1 + core_roll(&dice, 12);
        gr_node below =
            leaf ? gr_make_node(GR_CONSTANT, 1, 1, 0)
                 : gr_make_node(GR_MUL, 2 + core_roll(&dice, 252), 3, core_roll(&dice, 7) | 2 << 8);
        gr_ascent way;
        gr_node root = climb(below, steps, &dice, &way);
        gr_node at_once = gr_ascended(way, root, below);
        assert_int_equal(at_once.head, root.head);
        assert_int_equal(at_once.operand, root.operand);
    }
}

/* Nodes whose functions have no size yet become what gr_annotate makes of them. */
static void test_annotate_together(void **state) {
    (void)state;
    static const uint32_t op[] = {GR_INPUT, GR_INPUT, GR_ADD, GR_CONSTANT, GR_INPUT,
                                  GR_INPUT, GR_SUB,   GR_IF,  GR_SIN};
    gr_node expected[9];
    for (uint32_t i = 0; i < 9; i++)
        memory[i] = expected[i] = gr_make_node(op[i], op[i] <= GR_INPUT, op[i] <= GR_INPUT, 0);
    gr_annotate((gr_nodes){expected, 1}, 9);
    gr_annotate_together(nodes, 9, core_group);
    assert_memory_equal(memory, expected, sizeof expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_annotate),
        cmocka_unit_test(test_height_saturates),
        cmocka_unit_test(test_ascents),
        cmocka_unit_test(test_annotate_together),
        cmocka_unit_test(test_annotate_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
