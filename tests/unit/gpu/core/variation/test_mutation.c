/* gpu/core/variation/mutation.h: what mutation may touch, how often it does, and the limits of new
 * subtrees.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

enum { CODONS = 101, NODES = 100, ROUNDS = 5000 };

/* ---- codons ---- */

static const uint32_t MARK = 0xffffffffu; /* no codon */

static uint32_t flip(const gr_params *p, uint32_t index, uint32_t range, uint32_t *genome) {
    gr_random r = gr_stream(p, GR_PURPOSE_MUTATION, 3, 0, index);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < CODONS; i++)
        genome[i] = MARK;
    gr_flip_codons(p, &r, genome, range, core_group);
    for (uint32_t i = 0; i < CODONS; i++) {
        if (genome[i] == MARK)
            continue;
        assert_true(i < range && genome[i] <= p->codon_size);
        changed++;
    }
    return changed;
}

static void test_flip_rate(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    uint32_t genome[CODONS], hits[CODONS] = {0}, value[128] = {0}, total = 0;
    p.codon_mutation = 0.05f;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        total += flip(&p, i, CODONS, genome);
        for (uint32_t k = 0; k < CODONS; k++)
            if (genome[k] != MARK) {
                hits[k]++;
                value[genome[k]]++;
            }
    }
    const uint32_t count[2] = {total, ROUNDS * CODONS - total};
    const double share[2] = {0.05, 0.95};
    assert_true(core_chi_square(count, share, 2) < 1.0);
    assert_true(core_chi_square(hits, NULL, CODONS) < 1.0);
    assert_true(core_chi_square(value, NULL, 128) < 1.0);
}

static void test_flip_borders(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    uint32_t genome[CODONS];
    p.codon_mutation = 0.0f;
    assert_int_equal(flip(&p, 0, CODONS, genome), 0);
    p.codon_mutation = 1.0f;
    for (uint32_t range = 1; range <= CODONS; range++)
        assert_int_equal(flip(&p, 0, range, genome), range);
    p.codon_mutation = -1.0f; /* once on average */
    assert_int_equal(flip(&p, 0, 1, genome), 1);
    uint32_t total = 0;
    for (uint32_t i = 0; i < ROUNDS; i++)
        total += flip(&p, i, 10, genome);
    const uint32_t count[2] = {total, 10 * ROUNDS - total};
    const double share[2] = {0.1, 0.9};
    assert_true(core_chi_square(count, share, 2) < 1.0);
}

/* Draws belong to positions: lanes of a warp change the same codons as a single lane. */
static void test_flip_lanes(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    uint32_t one[CODONS], all[CODONS];
    p.codon_mutation = 0.3f;
    flip(&p, 7, 77, one);
    gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 3, 0, 7);
    for (uint32_t i = 0; i < CODONS; i++)
        all[i] = MARK;
    for (uint32_t lane = 32; lane-- > 0;)
        gr_flip_codons(&p, &r, all, 77, (gr_lane_group){lane, 32});
    assert_memory_equal(one, all, sizeof one);
}

/* ---- one node ---- */

static void test_point_node(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 1, 0, 0);
    for (uint32_t k = 0; k < p.functions; k++) {
        uint32_t op = p.function[k], seen[GR_OP_COUNT] = {0}, same = 0;
        uint32_t arity = gr_arity(op), choices = p.arity_first[arity + 1] - p.arity_first[arity];
        for (uint32_t i = 0; i < 400; i++) {
            gr_node node = gr_make_node(op, 5, 9, 3), other = gr_point_node(&p, &r, node);
            assert_int_equal(gr_arity(GR_NODE_OP(other)), arity);
            assert_true(GR_NODE_HEIGHT(other) == 5 && GR_NODE_SIZE(other) == 9);
            seen[GR_NODE_OP(other)]++;
            same += GR_NODE_OP(other) == op;
        }
        if (choices == 1)
            assert_int_equal(same, 400); /* there is no other */
        else
            assert_true(same <= (choices == 2 ? 20 : 4)); /* eight draws of the old one */
        for (uint32_t o = 0; o < p.functions; o++)
            assert_true(gr_arity(p.function[o]) == arity || !seen[p.function[o]]);
    }
    uint32_t constants = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        gr_node leaf = gr_make_node(GR_INPUT, 1, 1, 1), other = gr_point_node(&p, &r, leaf);
        assert_true(GR_NODE_OP(other) <= GR_INPUT && GR_NODE_SIZE(other) == 1);
        assert_true(GR_NODE_OP(other) == GR_CONSTANT || other.operand < p.inputs);
        constants += GR_NODE_OP(other) == GR_CONSTANT;
    }
    assert_in_range(constants, 400, 1000); /* 0.2 of draws, 3 / 7 of those that differ */
}

/* ---- replacing a subtree ---- */

static void test_replace(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    static gr_node memory[3 * NODES], piece_memory[2 * NODES], before[NODES];
    const gr_nodes tree = {memory, 1}, piece = {piece_memory, 1};
    core_dice dice = {5};
    uint32_t grown = 0, shrunk = 0, equal = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 2, 0, round);
        uint32_t length = gr_random_tree(&p, &r, 6, 0, 1, tree, NODES);
        uint32_t size = gr_random_tree(&p, &r, 4, 0, 0, piece, NODES);
        if (!length || !size)
            continue;
        uint32_t i = core_roll(&dice, length), first = core_subtree(memory, i);
        memcpy(before, memory, sizeof before);
        uint32_t after = gr_replace_nodes(tree, length, first, i + 1, (gr_piece){piece, size, 0},
                                          (gr_lane_group){0, 1});
        assert_int_equal(after, length - (i + 1 - first) + size);
        assert_memory_equal(memory, before, first * sizeof *memory);
        assert_memory_equal(memory + first, piece_memory, size * sizeof *memory);
        if (i + 1 < length)
            assert_memory_equal(memory + first + size, before + i + 1,
                                (length - i - 1) * sizeof *memory);
        gr_annotate(tree, after);
        assert_int_equal(core_subtree(memory, after - 1), 0);
        grown += after > length;
        shrunk += after < length;
        equal += after == length;
    }
    assert_true(grown > 100 && shrunk > 100 && equal > 100);
}

/* A piece as it was drawn becomes the subtree that it is once turned round and annotated. */
static void test_replace_drawn(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    static gr_node one[3 * NODES], two[3 * NODES], piece[2 * NODES];
    core_dice dice = {6};
    uint32_t replaced = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 3, 0, round);
        uint32_t length = gr_random_tree(&p, &r, 6, 0, 1, (gr_nodes){one, 1}, NODES);
        gr_random same = r;
        uint32_t size = gr_draw_tree(&p, &r, 4, 0, 0, (gr_nodes){piece, 1}, NODES, core_group);
        if (!length || !size)
            continue;
        memcpy(two, one, sizeof two);
        uint32_t i = core_roll(&dice, length), first = core_subtree(one, i);
        uint32_t after = gr_replace_nodes((gr_nodes){one, 1}, length, first, i + 1,
                                          (gr_piece){{piece, 1}, size, 1}, (gr_lane_group){0, 1});
        assert_int_equal(gr_random_tree(&p, &same, 4, 0, 0, (gr_nodes){piece, 1}, NODES), size);
        assert_int_equal(gr_replace_nodes((gr_nodes){two, 1}, length, first, i + 1,
                                          (gr_piece){{piece, 1}, size, 0}, (gr_lane_group){0, 1}),
                         after);
        assert_memory_equal(one, two, after * sizeof *one);
        replaced += size > 1;
    }
    assert_true(replaced > 100);
}

/* ---- trees ---- */

typedef struct tree_case {
    core c;
    gr_nodes tree;
    gr_node before[NODES];
    uint32_t length;
} tree_case;

static void draw_tree(tree_case *t, uint32_t round) {
    gr_random r = gr_stream(&t->c.s.p, GR_PURPOSE_INIT, 9, 0, round);
    do
        t->length = gr_random_tree(&t->c.s.p, &r, 6, round % 2, 1, t->tree, t->c.s.p.max_nodes);
    while (!t->length);
    memcpy(t->before, t->tree.at, t->length * sizeof *t->before);
}

static void open_case(tree_case *t, const gr_params *p) {
    t->c = core_open(p, NULL, 0);
    t->tree = gr_tree(&t->c.s, 0, 0);
}

static uint32_t mutate(tree_case *t, uint32_t round) {
    gr_mutant mutant = {t->length, 0};
    gr_mutate_tree(&t->c.s, 1, round, t->tree, &mutant, core_scratch(&t->c), core_group);
    return mutant.length;
}

static void check_annotated(const tree_case *t, uint32_t length) {
    gr_node memory[NODES];
    memcpy(memory, t->tree.at, length * sizeof *memory);
    gr_annotate((gr_nodes){memory, 1}, length);
    assert_memory_equal(memory, t->tree.at, length * sizeof *memory);
    assert_int_equal(core_subtree(memory, length - 1), 0);
}

static void test_no_mutation(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    tree_case t;
    p.max_nodes = NODES;
    open_case(&t, &p);
    for (uint32_t round = 0; round < 200; round++) {
        draw_tree(&t, round);
        assert_int_equal(mutate(&t, round), t.length);
        assert_memory_equal(t.tree.at, t.before, t.length * sizeof *t.before);
    }
    core_close(&t.c);
}

static void test_point_mutation(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    tree_case t;
    p.max_nodes = NODES;
    p.point_mutation = 1.0f;
    open_case(&t, &p);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        draw_tree(&t, round);
        uint32_t changed = 0;
        assert_int_equal(mutate(&t, round), t.length);
        check_annotated(&t, t.length);
        for (uint32_t i = 0; i < t.length; i++) {
            gr_node old = t.before[i], new = t.tree.at[i];
            assert_int_equal(gr_arity(GR_NODE_OP(old)), gr_arity(GR_NODE_OP(new)));
            changed += GR_NODE_OP(old) != GR_NODE_OP(new) ||
                       (GR_NODE_OP(old) <= GR_INPUT && old.operand != new.operand);
        }
        assert_true(changed <= 1); /* 0: only where an operation has no other of its arity */
    }
    core_close(&t.c);
}

static void test_subtree_mutation(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    tree_case t;
    p.max_nodes = 60;
    p.max_tree_depth = 7;
    p.subtree_mutation = 1.0f;
    p.subtree_depth = 5;
    open_case(&t, &p);
    uint32_t changed = 0, longest = 0, deepest = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        draw_tree(&t, round);
        uint32_t length = mutate(&t, round);
        assert_in_range(length, 1, p.max_nodes);
        check_annotated(&t, length);
        uint32_t height = core_height(t.tree.at, length - 1), head = 0, tail = 0;
        assert_true(height <= p.max_tree_depth);
        longest = gr_max_u32(longest, length);
        deepest = gr_max_u32(deepest, height);
        changed += length != t.length || memcmp(t.before, t.tree.at, length * sizeof *t.before);
        /* What differs is one subtree: operations before and behind it stay. */
        while (head < length && head < t.length &&
               GR_NODE_OP(t.tree.at[head]) == GR_NODE_OP(t.before[head]))
            head++;
        while (tail < length && tail < t.length &&
               GR_NODE_OP(t.tree.at[length - 1 - tail]) ==
                   GR_NODE_OP(t.before[t.length - 1 - tail]))
            tail++;
        if (head + tail < length && head + tail < t.length) {
            uint32_t last = t.length - tail - 1; /* the old subtree ends here or later */
            uint32_t found = 0;
            for (uint32_t root = last; root < t.length && !found; root++)
                found = core_subtree(t.before, root) <= head;
            assert_true(found);
        }
    }
    assert_true(changed > ROUNDS * 9 / 10);
    assert_true(longest > 45 && deepest == 7);
    core_close(&t.c);
}

/* A tree at both limits: only what fits comes in. */
static void test_subtree_without_capacity(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    tree_case t;
    p.functions = 1;
    p.function[0] = GR_ADD;
    p.max_nodes = 31;
    p.max_tree_depth = 5;
    p.subtree_mutation = p.point_mutation = 1.0f;
    p.arity_first[0] = p.arity_first[1] = p.arity_first[2] = 0;
    p.arity_first[3] = p.arity_first[4] = 1;
    open_case(&t, &p);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 9, 0, round);
        t.length = gr_random_tree(&p, &r, 5, 1, 1, t.tree, p.max_nodes);
        assert_int_equal(t.length, 31);
        uint32_t length = mutate(&t, round);
        assert_in_range(length, 1, 31);
        check_annotated(&t, length);
        assert_true(core_height(t.tree.at, length - 1) <= 5);
    }
    core_close(&t.c);
}

static void test_probabilities(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    tree_case t;
    p.max_nodes = NODES;
    p.point_mutation = 0.3f;
    p.functions = 2; /* one of each, so that every point mutation shows */
    p.function[0] = GR_ADD, p.function[1] = GR_SUB;
    p.arity_first[1] = p.arity_first[2] = 0;
    p.arity_first[3] = p.arity_first[4] = 2;
    open_case(&t, &p);
    uint32_t count[2] = {0};
    const double share[2] = {0.7, 0.3};
    for (uint32_t round = 0; round < 4 * ROUNDS; round++) {
        draw_tree(&t, round % 64);
        mutate(&t, round);
        count[memcmp(t.before, t.tree.at, t.length * sizeof *t.before) != 0]++;
    }
    assert_true(core_chi_square(count, share, 2) < 1.0);
    core_close(&t.c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flip_rate),        cmocka_unit_test(test_flip_borders),
        cmocka_unit_test(test_flip_lanes),       cmocka_unit_test(test_point_node),
        cmocka_unit_test(test_replace),          cmocka_unit_test(test_replace_drawn),
        cmocka_unit_test(test_no_mutation),      cmocka_unit_test(test_point_mutation),
        cmocka_unit_test(test_subtree_mutation), cmocka_unit_test(test_subtree_without_capacity),
        cmocka_unit_test(test_probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
