/* gpu/core/variation/tree_mutations.h: every mutation gives a sound tree, as often and where the
 * settings say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trees.h"

enum { ROUNDS = 20000 };

static gr_params tree_params(void) {
    gr_params p = core_params(GR_TREE);
    p.max_nodes = 200;
    p.max_tree_depth = 9;
    p.tree_mutations = 1;
    p.tries = 20;
    p.constants = 128;
    p.constant_probability = 0.5f;
    for (uint32_t i = 0; i < 128; i++)
        p.constant[i] = (float)((double)i * 0.01);
    p.multi_point_rate = 0.1f;
    return p;
}

/* Copies tree 0 to tree 1 and mutates that; its length. */
static uint32_t mutate(core *c, uint32_t length, uint32_t index) {
    gr_nodes from = gr_tree(&c->s, 0, 0), to = gr_tree(&c->s, 1, 1);
    memcpy(to.at, from.at, length * sizeof *to.at);
    gr_mutant mutant = {length, 0};
    gr_apply_mutations(&c->s, 5, index, to, &mutant, core_scratch(c), core_group);
    return mutant.length;
}

static const gr_node *child(const core *c) {
    return gr_tree(&c->s, 1, 1).at;
}
static const gr_node *parent(const core *c) {
    return gr_tree(&c->s, 0, 0).at;
}

/* Each mutation alone, and all of them in one child. */
static void test_sound(void **state) {
    (void)state;
    gr_params p = tree_params();
    core c = core_open(&p, NULL, 0);
    for (uint32_t kind = 0; kind <= GR_MUTATIONS; kind++)
        for (uint32_t ramped = 0; ramped < 2; ramped++) {
            uint32_t changed = 0;
            for (uint32_t k = 0; k < GR_MUTATIONS; k++)
                c.s.p.mutation[k] = k == kind || kind == GR_MUTATIONS ? 1.0f : 0.0f;
            c.s.p.subtree_ramped = ramped;
            for (uint32_t i = 0; i < 2000; i++) {
                uint32_t before = trees_grow(&c, 0, i), after = mutate(&c, before, i);
                assert_true(trees_sound(&p, child(&c), after));
                changed += after != before || memcmp(child(&c), parent(&c), before * 8) != 0;
                if (kind == GR_MUTATE_POINT || kind == GR_MUTATE_CONSTANT ||
                    kind == GR_MUTATE_MULTI_POINT)
                    assert_int_equal(after, before);
                if (kind == GR_MUTATE_HOIST || kind == GR_MUTATE_SHRINK)
                    assert_true(after <= before);
            }
            if (changed <= (kind == GR_MUTATE_POINT ? 1999 : 1000))
                fail_msg("mutation %u changed %u of 2000", kind, changed);
        }
    core_close(&c);
}

/* What the mutation of a whole tree may read and write: nothing behind its own nodes. */
static void test_stays_inside(void **state) {
    (void)state;
    gr_params p = tree_params();
    core c = core_open(&p, NULL, 0);
    for (uint32_t k = 0; k < GR_MUTATIONS; k++)
        c.s.p.mutation[k] = 1.0f;
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t before = trees_grow(&c, 0, i);
        gr_node mark = {0xdeadbeefu, 0xdeadbeefu}, *next = gr_tree(&c.s, 1, 2).at,
                *last = gr_tree(&c.s, 1, 1).at - 1;
        *next = *last = mark;
        mutate(&c, before, i);
        assert_memory_equal(next, &mark, sizeof mark);
        assert_memory_equal(last, &mark, sizeof mark);
    }
    core_close(&c);
}

typedef enum seen { SAME, POINT, CREPT, SMALLER, LARGER, KINDS } seen;

/* What happened to the parent, from the outside. */
static seen judge(const gr_params *p, const gr_node *a, uint32_t n, const gr_node *b, uint32_t m) {
    uint32_t differ = 0, where = 0;
    if (n != m)
        return m < n ? SMALLER : LARGER;
    for (uint32_t i = 0; i < n; i++)
        if (a[i].head != b[i].head || a[i].operand != b[i].operand) {
            differ++;
            where = i;
        }
    if (!differ)
        return SAME;
    assert_int_equal(differ, 1);
    if (GR_NODE_OP(a[where]) == GR_CONSTANT && GR_NODE_OP(b[where]) == GR_CONSTANT)
        for (uint32_t k = 0; k + 1 < p->constants; k++)
            if ((gr_float_bits(p->constant[k]) == a[where].operand &&
                 gr_float_bits(p->constant[k + 1]) == b[where].operand) ||
                (gr_float_bits(p->constant[k]) == b[where].operand &&
                 gr_float_bits(p->constant[k + 1]) == a[where].operand))
                return CREPT;
    return POINT;
}

/* Exactly one operator a child, as often as asked for; the rest are copies. */
static void test_shares(void **state) {
    (void)state;
    gr_params p = tree_params();
    p.exclusive = 1;
    core c = core_open(&p, NULL, 0);
    const double share[GR_MUTATIONS] = {0.3, 0, 0.25, 0.2, 0, 0.15, 0};
    double border = 0, expected[KINDS] = {0.1, 0.3, 0.25, 0.2, 0.15};
    for (uint32_t k = 0; k < GR_MUTATIONS; k++)
        c.s.p.mutation[k] = (float)(border += share[k]);
    uint32_t which = 0, length = 0, constants = 0, count[KINDS] = {0};
    while (length < 30 || length > 60 || constants < 3) { /* one that shows every kind */
        length = trees_grow(&c, 0, which++);
        constants = 0;
        for (uint32_t i = 0; i < length; i++)
            constants += GR_NODE_OP(parent(&c)[i]) == GR_CONSTANT;
    }
    for (uint32_t i = 0; i < ROUNDS; i++)
        count[judge(&p, parent(&c), length, child(&c), mutate(&c, length, i))]++;
    expected[SAME] += 0.2 / length; /* hoisted whole */
    expected[SMALLER] -= 0.2 / length;
    assert_true(core_chi_square(count, expected, KINDS) < 1.0);
    core_close(&c);
}

/* Constants: each as likely, up as often as down. Hoist: each subtree. */
static void test_locations(void **state) {
    (void)state;
    gr_params p = tree_params();
    core_functions(&p, 0);
    core c = core_open(&p, NULL, 0);
    uint32_t which = 0, length = 0, steps[2] = {0}, hoisted[200] = {0};
    uint32_t constants = 0, listed[200], moved[200] = {0};
    while (length < 20 || length > 40 || constants < 2) {
        length = trees_grow(&c, 0, which++);
        constants = 0;
        for (uint32_t i = 0; i < length && length <= 40; i++)
            if (GR_NODE_OP(parent(&c)[i]) == GR_CONSTANT)
                listed[constants++] = i;
    }
    c.s.p.mutation[GR_MUTATE_CONSTANT] = 1.0f;
    for (uint32_t k = 0; k < constants; k++) /* away from the ends of the table */
        gr_tree(&c.s, 0, 0).at[listed[k]].operand = gr_float_bits(p.constant[50]);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        mutate(&c, length, i);
        for (uint32_t k = 0; k < constants; k++) {
            float value = gr_bits_float(child(&c)[listed[k]].operand);
            if (value != p.constant[50]) {
                assert_true(value == p.constant[49] || value == p.constant[51]);
                steps[value == p.constant[51]]++;
                moved[k]++;
            }
        }
    }
    assert_int_equal(steps[0] + steps[1], ROUNDS);
    assert_true(core_chi_square(steps, NULL, 2) < 1.0);
    assert_true(core_chi_square(moved, NULL, constants) < 1.0);
    c.s.p.mutation[GR_MUTATE_CONSTANT] = 0.0f;
    c.s.p.mutation[GR_MUTATE_HOIST] = 1.0f;
    for (uint32_t i = 0; i < ROUNDS; i++)
        hoisted[mutate(&c, length, i)]++;
    double sizes[200] = {0};
    uint32_t bins = 0, drawn[200];
    for (uint32_t i = 0; i < length; i++)
        sizes[GR_NODE_SIZE(parent(&c)[i])] += 1.0;
    for (uint32_t n = 0; n < 200; n++) {
        assert_true(sizes[n] > 0 || hoisted[n] == 0);
        if (sizes[n] > 0) {
            sizes[bins] = sizes[n];
            drawn[bins++] = hoisted[n];
        }
    }
    assert_true(core_chi_square(drawn, sizes, bins) < 1.0);
    core_close(&c);
}

/* Every leaf with the rate, no matter where it stands. */
static void test_rate(void **state) {
    (void)state;
    gr_params p = tree_params();
    p.mutation[GR_MUTATE_MULTI_POINT] = 1.0f;
    core c = core_open(&p, NULL, 0);
    uint32_t which = 0, length = 0, leaves = 0, leaf[200], count[200] = {0}, total = 0;
    while (length < 20 || length > 40)
        length = trees_grow(&c, 0, which++);
    for (uint32_t i = 0; i < length; i++)
        if (GR_NODE_OP(parent(&c)[i]) <= GR_INPUT)
            leaf[leaves++] = i;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        mutate(&c, length, i);
        for (uint32_t k = 0; k < leaves; k++)
            count[k] += memcmp(&child(&c)[leaf[k]], &parent(&c)[leaf[k]], sizeof(gr_node)) != 0;
    }
    for (uint32_t k = 0; k < leaves; k++)
        total += count[k];
    const uint32_t changed[2] = {total, ROUNDS * leaves - total};
    const double share[2] = {0.1, 0.9};
    assert_true(core_chi_square(changed, share, 2) < 1.0);
    assert_true(core_chi_square(count, NULL, leaves) < 1.0);
    core_close(&c);
}

/* Along the table, at its ends and between its entries; by a normal deviate. */
static void test_creep(void **state) {
    (void)state;
    gr_params p = tree_params();
    gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, 9);
    for (uint32_t i = 0; i < 200; i++) {
        float inside = gr_creep(&p, &r, 0.505f), low = gr_creep(&p, &r, -3.0f);
        assert_true(gr_creep(&p, &r, p.constant[0]) == p.constant[1]);
        assert_true(gr_creep(&p, &r, p.constant[127]) == p.constant[126]);
        assert_true(inside == p.constant[50] || inside == p.constant[51]);
        assert_true(low == p.constant[0]);
        assert_true(gr_creep(&p, &r, 7.0f) == p.constant[127]);
    }
    p.creep_gaussian = 1;
    p.creep_deviation = 0.5f;
    double sum = 0, squares = 0;
    uint32_t tail = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        double d = (double)(gr_creep(&p, &r, 2.0f) - 2.0f) / 0.5;
        sum += d;
        squares += d * d;
        tail += d > 1.0 || d < -1.0;
    }
    assert_true(fabs(sum / ROUNDS) < 0.04 && fabs(squares / ROUNDS - 1.0) < 0.06);
    const uint32_t count[2] = {tail, ROUNDS - tail};
    const double share[2] = {0.317311, 0.682689};
    assert_true(core_chi_square(count, share, 2) < 1.0);
    p.creep_deviation = 1e38f;
    for (uint32_t i = 0; i < 200; i++)
        assert_true(isfinite(gr_creep(&p, &r, 3e38f)));
}

/* The ends of Box and Muller: of the words 0 and 0 the root of -2 ln 2^-24, which is the farthest
 * that a deviate can be; nothing is infinite. A table without entries leaves a constant as it is.
 */
static void test_creep_borders(void **state) {
    (void)state;
    gr_params p = tree_params();
    const struct {
        uint32_t first, second;
        float deviate;
    } cases[] = {{0, 0, 5.768107f},
                 {0, 0x80000000u, -5.768107f},
                 {0xff, 0, 5.768107f},
                 {0x3fffffffu, 0, 1.6651092f}, /* ln 4 doubled */
                 {0xffffffffu, 0x12345678u, 0.0f}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, 9);
        r.drawn = 2; /* of a block whose other words are these */
        r.block.word[2] = cases[k].first;
        r.block.word[3] = cases[k].second;
        assert_true(fabsf(gr_gaussian(&r) - cases[k].deviate) < 2e-6f);
    }
    gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, 9);
    p.constants = 0;
    for (uint32_t i = 0; i < 100; i++)
        assert_true(gr_creep(&p, &r, 0.505f) == 0.505f);
}

static void binary_functions(gr_params *p) {
    const uint8_t arithmetic[] = {GR_ADD, GR_SUB, GR_MUL, GR_DIV}, first[5] = {0, 0, 0, 4, 4};
    memcpy(p->function, arithmetic, 4);
    memcpy(p->arity_first, first, 5);
    p->functions = 4;
}

/* Langdon's ramped half-and-half 0:1: a leaf or a function of leaves, half each. */
static void test_small_subtrees(void **state) {
    (void)state;
    gr_params p = tree_params();
    p.subtree_ramped = 1;
    p.subtree_depth = 2;
    p.mutation[GR_MUTATE_SUBTREE] = 1.0f;
    binary_functions(&p);
    core c = core_open(&p, NULL, 0);
    gr_tree(&c.s, 0, 0).at[0] = gr_make_node(GR_INPUT, 1, 1, 0);
    uint32_t size[2] = {0}, operation[4] = {0};
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t length = mutate(&c, 1, i);
        assert_true(length == 1 || length == 3);
        size[length == 3]++;
        for (uint32_t k = 0; k < 4; k++)
            operation[k] += length == 3 && GR_NODE_OP(child(&c)[2]) == p.function[k];
    }
    assert_true(core_chi_square(size, NULL, 2) < 1.0);
    assert_true(core_chi_square(operation, NULL, 4) < 1.0);
    core_close(&c);
}

/* Ramped subtrees: of each depth a third, half of them full. Grown ones have a function at their
 * root, then one of four functions or one of four terminals. */
static void test_ramped_subtrees(void **state) {
    (void)state;
    gr_params p = tree_params();
    p.subtree_ramped = 1;
    p.subtree_depth = 3;
    p.mutation[GR_MUTATE_SUBTREE] = 1.0f;
    binary_functions(&p);
    core c = core_open(&p, NULL, 0);
    gr_tree(&c.s, 0, 0).at[0] = gr_make_node(GR_INPUT, 1, 1, 0);
    uint32_t size[4] = {0};
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t length = mutate(&c, 1, i);
        assert_true(length % 2 == 1 && length <= 7);
        size[length / 2]++;
    }
    const double share[4] = {8, 8 + 1, 2, 4 + 1}; /* of 24: leaves; depth 2; depth 3 */
    assert_true(core_chi_square(size, share, 4) < 1.0);
    core_close(&c);
}

/* A function of two operands brings two nodes: it is put in up to max_nodes and not beyond. */
static void test_insertion_at_the_limit(void **state) {
    (void)state;
    for (uint32_t most = 6; most <= 8; most++) {
        gr_params p = tree_params();
        p.max_nodes = most;
        p.mutation[GR_MUTATE_INSERT] = 1.0f;
        binary_functions(&p);
        core c = core_open(&p, NULL, 0);
        gr_nodes tree = gr_tree(&c.s, 0, 0);
        const gr_node x = gr_make_node(GR_INPUT, 1, 1, 0), add = gr_make_node(GR_ADD, 0, 0, 0);
        const gr_node nodes[5] = {x, x, add, x, add};
        memcpy(tree.at, nodes, sizeof nodes);
        gr_annotate(tree, 5);
        for (uint32_t i = 0; i < 200; i++)
            assert_int_equal(mutate(&c, 5, i), most < 7 ? 5 : 7);
        core_close(&c);
    }
}

/* What limits have cost a child before is added to: nothing by a hoist; by an insertion for which
 * there is no room all tries but the first, and that it was left out. */
static void test_retries_add_up(void **state) {
    (void)state;
    for (uint32_t insert = 0; insert < 2; insert++) {
        gr_params p = tree_params();
        p.max_nodes = 5;
        p.mutation[GR_MUTATE_HOIST] = insert ? 0.0f : 1.0f;
        p.mutation[GR_MUTATE_INSERT] = insert ? 1.0f : 0.0f;
        binary_functions(&p);
        core c = core_open(&p, NULL, 0);
        gr_nodes tree = gr_tree(&c.s, 0, 0);
        const gr_node x = gr_make_node(GR_INPUT, 1, 1, 0), add = gr_make_node(GR_ADD, 0, 0, 0);
        const gr_node nodes[5] = {x, x, add, x, add};
        gr_mutant mutant = {5, GR_RETRIES(7, 2)};
        memcpy(tree.at, nodes, sizeof nodes);
        gr_annotate(tree, 5);
        gr_apply_mutations(&c.s, 5, 3, tree, &mutant, core_scratch(&c), core_group);
        assert_int_equal(GR_RETRIES_DRAWS(mutant.retries), insert ? 7 + p.tries - 1 : 7);
        assert_int_equal(GR_RETRIES_KEPT(mutant.retries), insert ? 3 : 2);
        core_close(&c);
    }
}

/* The same of depth: above the deepest leaf there may be no more, above a higher one there may. */
static void test_insertion_at_the_deepest(void **state) {
    (void)state;
    gr_params p = tree_params();
    p.max_tree_depth = 3;
    p.tries = 1000; /* one node in five will do */
    p.mutation[GR_MUTATE_INSERT] = 1.0f;
    binary_functions(&p);
    core c = core_open(&p, NULL, 0);
    gr_nodes tree = gr_tree(&c.s, 0, 0);
    const gr_node x = gr_make_node(GR_INPUT, 1, 1, 0), add = gr_make_node(GR_ADD, 0, 0, 0);
    const gr_node nodes[5] = {x, x, add, x, add}; /* the leaf at 3 has level 2 */
    memcpy(tree.at, nodes, sizeof nodes);
    gr_annotate(tree, 5);
    for (uint32_t i = 0; i < 200; i++) {
        assert_int_equal(mutate(&c, 5, i), 7);
        assert_int_equal(core_height(child(&c), 6), 3);
        assert_int_equal(GR_NODE_OP(child(&c)[2]), GR_ADD); /* the one below is as it was */
        assert_int_equal(core_subtree(child(&c), 5), 3);
    }
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_stays_inside),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_creep),
        cmocka_unit_test(test_creep_borders),
        cmocka_unit_test(test_small_subtrees),
        cmocka_unit_test(test_ramped_subtrees),
        cmocka_unit_test(test_insertion_at_the_limit),
        cmocka_unit_test(test_retries_add_up),
        cmocka_unit_test(test_insertion_at_the_deepest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
