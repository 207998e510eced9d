/* gpu/core/program/tree.h: random trees are trees, and their annotations are true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

enum { CAPACITY = 4096 };
static gr_node memory[CAPACITY];
static const gr_nodes nodes = {memory, 1};

/* Stack levels of the subtree at root by trying every order of the operands: each finished one
 * occupies a level, a leaf beside one other operand none. */
static uint32_t least_stack_levels(uint32_t root) {
    static const uint8_t ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint32_t arity = gr_arity(GR_NODE_OP(memory[root])), need[3] = {0}, leaf[3] = {0};
    for (uint32_t k = 0, child = root; k < arity; k++) {
        need[k] = least_stack_levels(child - 1);
        leaf[k] = gr_arity(GR_NODE_OP(memory[child - 1])) == 0;
        child = core_subtree(memory, child - 1);
    }
    if (arity < 2)
        return need[0];
    if (arity == 2 && (leaf[0] || leaf[1]))
        return leaf[0] ? need[1] : need[0];
    uint32_t best = 0xffffffffu;
    for (uint32_t o = 0; o < 6; o++) {
        uint32_t most = 0, taken = 0;
        for (uint32_t k = 0; k < 3; k++)
            if (ORDERS[o][k] < arity)
                most = gr_max_u32(most, need[ORDERS[o][k]] + taken++);
        best = gr_min_u32(best, most);
    }
    return best;
}

/* Instructions of the subtree at root: a node each, but for a leaf beside one other operand. */
static uint32_t instructions(uint32_t root) {
    uint32_t arity = gr_arity(GR_NODE_OP(memory[root])), sum = 1, leaves = 0;
    for (uint32_t k = 0, child = root; k < arity; k++) {
        sum += instructions(child - 1);
        leaves += gr_arity(GR_NODE_OP(memory[child - 1])) == 0;
        child = core_subtree(memory, child - 1);
    }
    return arity == 2 && leaves ? sum - 1 : sum;
}

static void check_tree(const gr_params *p, uint32_t count, uint32_t depth) {
    assert_int_equal(core_subtree(memory, count - 1), 0); /* one whole tree */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = GR_NODE_OP(memory[i]), known = op <= GR_INPUT;
        for (uint32_t k = 0; k < p->functions; k++)
            known |= op == p->function[k];
        assert_true(known);
        if (op == GR_INPUT)
            assert_true(memory[i].operand < p->inputs);
        if (op == GR_CONSTANT) {
            float value = gr_bits_float(memory[i].operand);
            assert_true(value >= p->constant_min && value < p->constant_max);
        }
        assert_int_equal(GR_NODE_SIZE(memory[i]), i + 1 - core_subtree(memory, i));
        assert_int_equal(GR_NODE_HEIGHT(memory[i]), core_height(memory, i));
        assert_int_equal(gr_stack_levels(memory[i]), least_stack_levels(i));
        assert_int_equal(gr_instructions(memory[i]), instructions(i));
    }
    assert_true(GR_NODE_HEIGHT(memory[count - 1]) <= depth);
}

static void test_random_trees(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    for (uint32_t i = 0; i < 3000; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, i);
        uint32_t depth = 1 + i % 7, full = i / 7 % 2, inner = i / 14 % 2;
        uint32_t count = gr_random_tree(&p, &r, depth, full, inner, nodes, CAPACITY);
        assert_true(count > 0);
        check_tree(&p, count, depth);
        if (full)
            assert_int_equal(GR_NODE_HEIGHT(memory[count - 1]), depth);
        if (inner && depth > 1)
            assert_true(count > 1);
    }
}

/* Levels beyond the 32nd: chains down to the last of 64, and trees with some branches. */
static void test_deep_trees(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.functions = 1;
    p.function[0] = GR_SIN;
    for (uint32_t depth = 30; depth <= 64; depth++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, depth);
        assert_int_equal(gr_random_tree(&p, &r, depth, 1, 1, nodes, CAPACITY), depth);
        check_tree(&p, depth, depth);
    }
    uint32_t deep = 0;
    p.functions = 16;
    for (uint32_t k = 0; k < p.functions; k++)
        p.function[k] = k ? GR_SIN : GR_SUB;
    for (uint32_t i = 0; i < 200; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, i);
        uint32_t count = gr_random_tree(&p, &r, 40, 1, 1, nodes, CAPACITY);
        if (!count)
            continue;
        check_tree(&p, count, 40);
        assert_int_equal(GR_NODE_HEIGHT(memory[count - 1]), 40);
        deep += count > 40;
    }
    assert_true(deep > 50);
}

/* Every leaf of a full tree stands at the same level. */
static void test_full(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    for (uint32_t i = 0; i < 200; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 2, 0, i);
        uint32_t count = gr_random_tree(&p, &r, 5, 1, 1, nodes, CAPACITY);
        for (uint32_t k = 0; k < count; k++)
            if (GR_NODE_SIZE(memory[k]) == 1)
                assert_int_equal(gr_node_level(nodes, count - 1, k), 5);
    }
}

static void test_capacity(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 3, 0, i), same = r;
        uint32_t count = gr_random_tree(&p, &r, 5, 0, 0, nodes, CAPACITY);
        memory[20].head = 0xabcdu;
        uint32_t limited = gr_random_tree(&p, &same, 5, 0, 0, nodes, 20);
        assert_int_equal(limited, count <= 20 ? count : 0);
        assert_int_equal(memory[20].head, 0xabcdu); /* nothing written behind the capacity */
        refused += limited == 0;
    }
    assert_true(refused > 100);
}

/* The share of leaves among roots is Koza's: terminals over terminals and functions. */
static void test_grow_share(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    uint32_t count[2] = {0}, constants[2] = {0};
    for (uint32_t i = 0; i < 50000; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 4, 0, i);
        uint32_t size = gr_random_tree(&p, &r, 3, 0, 0, nodes, CAPACITY);
        count[size > 1]++;
        if (size == 1)
            constants[GR_NODE_OP(memory[0]) == GR_CONSTANT]++;
    }
    const double share[2] = {p.inputs + 1.0, p.functions}, constant[2] = {0.8, 0.2};
    assert_true(core_chi_square(count, share, 2) < 1.0);
    assert_true(core_chi_square(constants, constant, 2) < 1.0);
}

static uint32_t level_by_search(uint32_t root, uint32_t target) {
    if (root == target)
        return 1;
    for (uint32_t child = root, k = gr_arity(GR_NODE_OP(memory[root])); k > 0; k--) {
        uint32_t first = core_subtree(memory, child - 1);
        if (first <= target && target <= child - 1)
            return 1 + level_by_search(child - 1, target);
        child = first;
    }
    return 0xffffffffu;
}

static void test_levels(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    for (uint32_t i = 0; i < 300; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 5, 0, i);
        uint32_t count = gr_random_tree(&p, &r, 6, i % 2, 1, nodes, CAPACITY);
        for (uint32_t k = 0; k < count; k++)
            assert_int_equal(gr_node_level(nodes, count - 1, k), level_by_search(count - 1, k));
    }
}

static void test_initial_trees(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.max_nodes = CAPACITY;
    uint32_t depths[8] = {0};
    for (uint32_t index = 0; index < 1000; index++) {
        uint32_t depth = 2 + index % 5, full = index / 5 % 2;
        uint32_t count = core_first_tree(&p, 0, index, nodes);
        check_tree(&p, count, depth);
        assert_true(count > 1);
        if (full)
            assert_int_equal(GR_NODE_HEIGHT(memory[count - 1]), depth);
        depths[GR_NODE_HEIGHT(memory[count - 1])]++;
    }
    for (uint32_t d = 2; d <= 6; d++)
        assert_true(depths[d] >= 100);
    p.max_nodes = 7; /* hardly any fits: shallower ones come instead */
    for (uint32_t index = 0; index < 1000; index++) {
        uint32_t count = core_first_tree(&p, 0, index, nodes);
        assert_in_range(count, 1, 7);
        check_tree(&p, count, 6);
    }
    p.max_nodes = 1;
    assert_int_equal(core_first_tree(&p, 0, 3, nodes), 1);
    check_tree(&p, 1, 1);
}

/* A subtree replaced by hand: fixing the nodes above it is as good as annotating all. */
static void test_fixing_sizes(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    core_dice dice = {1};
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t above[64], shift;
        const gr_words path = {above, 1};
        gr_node piece[64];
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 7, 0, i);
        uint32_t size = gr_random_tree(&p, &r, 4, 0, 0, (gr_nodes){piece, 1}, 64);
        uint32_t count = gr_random_tree(&p, &r, 6, i % 2, 1, nodes, CAPACITY / 2);
        if (!size || !count)
            continue;
        uint32_t target = core_roll(&dice, count), first = core_subtree(memory, target);
        uint32_t listed = gr_find_ancestors(nodes, count - 1, target, 0, path, core_group);
        assert_int_equal(listed + 1, gr_node_level(nodes, count - 1, target));
        for (uint32_t k = 0; k < listed; k++) {
            assert_true(core_subtree(memory, above[k]) <= first && above[k] > target);
            assert_int_equal(gr_node_level(nodes, count - 1, above[k]), listed - k);
        }
        shift = size - (target + 1 - first);
        gr_find_ancestors(nodes, count - 1, target, shift, path, core_group);
        memmove(memory + first + size, memory + target + 1, (count - target - 1) * sizeof *memory);
        memcpy(memory + first, piece, size * sizeof *memory);
        gr_fix_ancestor_sizes(nodes, first + size - 1, shift, listed, path, core_group);
        check_tree(&p, count + shift, 10);
    }
}

/* Nodes interleaved over lane groups give the same tree. */
static void test_interleaved(void **state) {
    (void)state;
    static gr_node wide[CAPACITY * 3];
    gr_params p = core_params(GR_TREE);
    const gr_nodes apart = {wide + 1, 3};
    for (uint32_t i = 0; i < 100; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 6, 0, i), same = r;
        uint32_t count = gr_random_tree(&p, &r, 5, 0, 1, nodes, CAPACITY);
        assert_int_equal(gr_random_tree(&p, &same, 5, 0, 1, apart, CAPACITY), count);
        for (uint32_t k = 0; k < count; k++)
            assert_memory_equal(&GR_AT(apart, k), &memory[k], sizeof(gr_node));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees), cmocka_unit_test(test_full),
        cmocka_unit_test(test_capacity),     cmocka_unit_test(test_grow_share),
        cmocka_unit_test(test_levels),       cmocka_unit_test(test_initial_trees),
        cmocka_unit_test(test_fixing_sizes), cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_deep_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
