/* gpu/core/variation/points.h: where crossover cuts, and that its children are sound trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trees.h"

enum { ROUNDS = 20000 };

static gr_params tree_params(void) {
    gr_params p = core_params(GR_TREE);
    p.max_nodes = 150;
    p.max_tree_depth = 8;
    return p;
}

static uint32_t medium_tree(core *c, uint32_t i, uint32_t *which) {
    uint32_t length = 0;
    while (length < 25 || length > 60)
        length = trees_grow(c, i, (*which)++);
    return length;
}

/* Koza's bias: functions in nine of ten, each as likely as the others. */
static void test_function_points(void **state) {
    (void)state;
    gr_params p = tree_params();
    p.function_points = 0.9f;
    core c = core_open(&p, NULL, 0);
    uint32_t which = 0, length = medium_tree(&c, 0, &which), count[64] = {0}, kinds[2] = {0};
    gr_nodes tree = gr_tree(&c.s, 0, 0);
    gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER, 1, 0, 0);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t point = gr_draw_point(&p, &r, tree, length);
        count[point]++;
        kinds[GR_NODE_SIZE(GR_AT(tree, point)) > 1]++;
    }
    const double share[2] = {0.1, 0.9};
    double node[64], functions = 0;
    for (uint32_t i = 0; i < length; i++)
        functions += GR_NODE_SIZE(GR_AT(tree, i)) > 1;
    for (uint32_t i = 0; i < length; i++)
        node[i] = GR_NODE_SIZE(GR_AT(tree, i)) > 1 ? 0.9 / functions : 0.1 / (length - functions);
    assert_true(core_chi_square(kinds, share, 2) < 1.0);
    assert_true(core_chi_square(count, node, length) < 1.0);
    assert_int_equal(gr_draw_point(&p, &r, tree, 1), 0);
    core_close(&c);
}

/* Two leaves in front of 198 functions: where none of 65 draws is one, the first behind the last
 * draw is taken, which is node 0. */
static void test_rare_points(void **state) {
    (void)state;
    enum { LENGTH = 200 };
    gr_params p = tree_params();
    p.max_nodes = LENGTH;
    p.function_points = 1e-7f;
    core c = core_open(&p, NULL, 0);
    gr_nodes tree = gr_tree(&c.s, 0, 0);
    uint32_t count[2] = {0};
    for (uint32_t i = 0; i < LENGTH; i++)
        tree.at[i] = i < 2 ? gr_make_node(GR_INPUT, 1, 1, i)
                           : gr_make_node(i == 2 ? GR_ADD : GR_NEG, 0, 0, 0);
    gr_annotate(tree, LENGTH);
    gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER, 1, 0, 0);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t point = gr_draw_point(&p, &r, tree, LENGTH);
        assert_true(point < 2);
        count[point]++;
    }
    const double missed = pow(0.99, 65), share[2] = {missed + (1 - missed) / 2, (1 - missed) / 2};
    assert_true(core_chi_square(count, share, 2) < 1.0);
    core_close(&c);
}

/* Level d with probability 2^-d as far as the tree is full. */
static void test_depth_dependent(void **state) {
    (void)state;
    gr_params p = tree_params();
    core c = core_open(&p, NULL, 0);
    gr_nodes tree = gr_tree(&c.s, 0, 0);
    gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 3, 0, 0);
    uint32_t length = gr_random_tree(&p, &r, 5, 1, 1, tree, p.max_nodes), level[6] = {0};
    assert_true(length > 0);
    for (uint32_t i = 0; i < ROUNDS; i++)
        level[gr_node_level(tree, length - 1, gr_descend(&r, tree, length))]++;
    const double share[5] = {0.5, 0.25, 0.125, 0.0625, 0.0625};
    assert_true(core_chi_square(level + 1, share, 5) < 1.0);
    core_close(&c);
}

/* Sizes stay on average; a piece is at most 1 + 2 times as large; equal ones 1 / size of the time.
 */
static void test_size_fair(void **state) {
    (void)state;
    gr_params p = tree_params();
    core c = core_open(&p, NULL, 0);
    uint32_t which = 0, length = medium_tree(&c, 0, &which);
    gr_nodes tree = gr_tree(&c.s, 0, 0);
    gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER, 1, 0, 4);
    for (uint32_t size = 1; size < 12; size++) {
        double change = 0, equal = 0, has[3] = {0};
        for (uint32_t i = 0; i < length; i++) {
            uint32_t kind = gr_size_class(GR_NODE_SIZE(GR_AT(tree, i)), size);
            if (kind < 3)
                has[kind] += 1;
        }
        for (uint32_t i = 0; i < ROUNDS; i++) {
            uint32_t other = GR_NODE_SIZE(GR_AT(tree, gr_size_fair_point(&r, tree, length, size)));
            assert_true(other <= 2 * size + 1);
            change += (double)other - size;
            equal += other == size;
        }
        if (has[0] > 0 && has[1] > 0)
            assert_true(fabs(change / ROUNDS) < 0.05 * size);
        if (has[0] > 0 && has[1] > 0 && has[2] > 0)
            assert_true(fabs(equal / ROUNDS - 1.0 / size) < 0.02);
        if (has[2] > 0 && (has[0] == 0 || has[1] == 0))
            assert_true(equal == ROUNDS);
    }
    core_close(&c);
}

/* The way from the root to a node, as operand numbers, and the arities on it. */
static uint32_t way(gr_nodes tree, uint32_t length, uint32_t node, uint8_t *step, uint8_t *arity) {
    uint32_t n = 0;
    for (uint32_t at = length - 1; at != node; n++) {
        uint32_t next = gr_operand_towards(tree, at, node), k = 0;
        arity[n] = (uint8_t)gr_arity(GR_NODE_OP(GR_AT(tree, at)));
        while (gr_operand_root(tree, at, k) != next)
            k++;
        step[n] = (uint8_t)k;
        at = next;
    }
    return n;
}

/* The same node in both trees, reached through functions of the same arities; each as likely. */
static void test_common_point(void **state) {
    (void)state;
    gr_params p = tree_params();
    p.crossover = GR_CROSSOVER_COMMON_POINT;
    core c = core_open(&p, NULL, 0);
    uint32_t which = 0, regions = 0;
    for (uint32_t round = 0; round < 30; round++) {
        uint32_t n = medium_tree(&c, 0, &which), m = medium_tree(&c, 1, &which), i, j;
        gr_nodes a = gr_tree(&c.s, 0, 0), b = gr_tree(&c.s, 0, 1);
        uint32_t x = n - 1, y = m - 1, region = gr_common_region(a, b, 0xffffffffu, &x, &y);
        gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER, 1, 0, round);
        uint32_t count[64] = {0}, drawn[64], bins = 0;
        for (uint32_t k = 0; k < 4000; k++) {
            uint8_t step[2][64], arity[2][64];
            i = n - 1, j = m - 1;
            gr_choose_points(&p, &r, a, b, &i, &j);
            uint32_t length = way(a, n, i, step[0], arity[0]);
            assert_int_equal(length, way(b, m, j, step[1], arity[1]));
            assert_memory_equal(step[0], step[1], length);
            assert_memory_equal(arity[0], arity[1], length);
            count[i]++;
        }
        for (uint32_t k = 0; k < n; k++)
            if (count[k])
                drawn[bins++] = count[k];
        assert_int_equal(bins, region);
        if (bins > 1) {
            regions++;
            assert_true(core_chi_square(drawn, NULL, bins) < 1.0);
        }
    }
    assert_true(regions > 10);
    core_close(&c);
}

/* Children of every kind of crossover are sound, whoever's roots they have. */
static void test_children(void **state) {
    (void)state;
    gr_params p = tree_params();
    for (uint32_t kind = GR_CROSSOVER_SUBTREE; kind <= GR_CROSSOVER_COMMON_POINT; kind++)
        for (uint32_t bias = 0; bias < 2; bias++)
            for (uint32_t one = 0; one < 2; one++) {
                uint32_t crossed = 0;
                p.crossover = kind;
                p.function_points = bias ? 0.9f : 0.0f;
                p.one_child = one;
                p.exclusive = 1;
                p.crossover_probability = 1.0f;
                core c = core_open(&p, NULL, 0);
                for (uint32_t i = 0; i < 1500; i++) {
                    trees_grow(&c, 0, 2 * i);
                    trees_grow(&c, 1, 2 * i + 1);
                    for (uint32_t second = 0; second < 2u - one; second++) {
                        gr_plan plan = gr_crossover_plan(&c.s, 1, 0, 2 * i + second,
                                                         gr_parents_at(&c.s, 0, 0, 1), core_group);
                        gr_nodes child = gr_tree(&c.s, 1, 3);
                        uint32_t length =
                            gr_splice_tree(&c.s, plan, 0, child, core_scratch(&c).path, core_group);
                        assert_true(trees_sound(&p, child.at, length));
                        assert_int_equal(plan.a, second);
                        crossed += plan.kind == GR_PLAN_CROSSED;
                    }
                }
                assert_true(crossed > (one ? 1400 : 2800));
                core_close(&c);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_function_points), cmocka_unit_test(test_rare_points),
        cmocka_unit_test(test_depth_dependent), cmocka_unit_test(test_size_fair),
        cmocka_unit_test(test_common_point),    cmocka_unit_test(test_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
