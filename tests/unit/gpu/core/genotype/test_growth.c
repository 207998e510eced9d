/* gpu/core/genotype/growth.h: first trees of a drawn size, given ones, all different; tables of
 * constants.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/cpu/stages.h"
#include "tests/trees.h"

enum { ROUNDS = 5000 };

static gr_params sized_params(uint32_t initialisation) {
    gr_params p = core_params(GR_TREE);
    p.initialisation = initialisation;
    p.init_min_nodes = 1;
    p.init_max_nodes = 50;
    p.init_max_depth = 17;
    return p;
}

/* Sound, within the depth, as large as drawn: PTC2 may exceed by the last function's arity - 1. */
static void test_sizes(void **state) {
    (void)state;
    static const uint32_t kinds[] = {GR_INIT_PTC2, GR_INIT_SIZED};
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t depth = 3; depth <= 17; depth += 7) {
            const uint32_t kind = kinds[k];
            gr_params p = sized_params(kind);
            p.init_max_depth = depth;
            core c = core_open(&p, NULL, 0);
            gr_nodes tree = gr_tree(&c.s, 0, 0);
            uint32_t size[51] = {0}, beyond = 0;
            for (uint32_t i = 0; i < ROUNDS; i++) {
                gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, i);
                uint32_t drawn = 1 + gr_below(&r, 50);
                uint32_t count = gr_first_tree(&c.s, 0, i, tree, core_scratch(&c));
                assert_true(trees_sound(&p, tree.at, count));
                assert_true(core_height(tree.at, count - 1) <= depth);
                assert_true(count <= drawn + (kind == GR_INIT_PTC2 ? 2 : 0));
                beyond += count < drawn;
                size[drawn]++;
            }
            if (depth == 17 && kind == GR_INIT_SIZED)
                assert_true(beyond < 10); /* of one operand too: any size, but for the depth */
            assert_true(core_chi_square(size + 1, NULL, 50) < 1.0);
            core_close(&c);
        }
}

/* With functions of two operands alone a tree of even size cannot be: one node is left out. */
static void test_sized_parity(void **state) {
    (void)state;
    gr_params p = sized_params(GR_INIT_SIZED);
    p.function[0] = GR_ADD;
    p.functions = 1;
    p.init_min_nodes = p.init_max_nodes = 50;
    p.init_max_depth = 50;
    core c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(gr_first_tree(&c.s, 0, i, gr_tree(&c.s, 0, 0), core_scratch(&c)), 49);
    core_close(&c);
}

/* PTC2 fills max_nodes to the last: of functions of two operands alone a tree of seven nodes. */
static void test_ptc2_at_the_limit(void **state) {
    (void)state;
    gr_params p = sized_params(GR_INIT_PTC2);
    p.function[0] = GR_ADD;
    p.functions = 1;
    p.init_min_nodes = p.init_max_nodes = 7;
    for (p.max_nodes = 6; p.max_nodes < 9; p.max_nodes++) {
        core c = core_open(&p, NULL, 0);
        for (uint32_t i = 0; i < 200; i++)
            assert_int_equal(gr_first_tree(&c.s, 0, i, gr_tree(&c.s, 0, 0), core_scratch(&c)),
                             p.max_nodes < 7 ? 5 : 7);
        core_close(&c);
    }
}

static int same_trees(const core *c, uint32_t i, uint32_t j) {
    uint32_t n = c->s.individuals[0][i].nodes;
    return n == c->s.individuals[0][j].nodes &&
           memcmp(gr_tree(&c->s, 0, i).at, gr_tree(&c->s, 0, j).at, n * sizeof(gr_node)) == 0;
}

static uint32_t twins(const core *c, uint32_t population) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < population; i++)
        for (uint32_t j = 0; j < i; j++)
            found += (uint32_t)same_trees(c, i, j);
    return found;
}

static void test_unique(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.initialisation = GR_INIT_GROW;
    p.init_max_depth = 3;
    p.constant_probability = 0.0f;
    p.function[0] = GR_ADD;
    p.function[1] = GR_MUL;
    p.functions = 2;
    p.population = p.individuals = 300;
    p.tries = 100;
    for (uint32_t unique = 0; unique < 2; unique++) {
        p.unique = unique;
        core c = core_open(&p, NULL, 0);
        if (unique)
            gr_cpu_unique(&c.s, NULL);
        for (uint32_t i = 0; i < p.population; i++) {
            gr_nodes tree = gr_tree(&c.s, 0, i);
            uint32_t count = gr_first_tree(&c.s, 0, i, tree, core_scratch(&c));
            c.s.individuals[0][i].nodes = count;
            assert_true(trees_sound(&p, tree.at, count));
        }
        assert_true(unique ? twins(&c, p.population) == 0 : twins(&c, p.population) > 5);
        core_close(&c);
    }
}

static void test_seeds(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.seeds = 2;
    p.seed_nodes = 4;
    core c = core_open(&p, NULL, 0);
    gr_node given[4] = {gr_make_node(GR_INPUT, 1, 1, 2), gr_make_node(GR_INPUT, 1, 1, 0),
                        gr_make_node(GR_INPUT, 1, 1, 1), gr_make_node(GR_ADD, 0, 0, 0)};
    const uint32_t first[3] = {0, 1, 4};
    gr_nodes second = {given + 1, 1}, tree = gr_tree(&c.s, 0, 0);
    gr_annotate(second, 3);
    memcpy((void *)(uintptr_t)c.s.seeds, given, sizeof given);
    memcpy((void *)(uintptr_t)c.s.seed_first, first, sizeof first);
    assert_int_equal(gr_first_tree(&c.s, 0, 0, tree, core_scratch(&c)), 1);
    assert_memory_equal(tree.at, given, sizeof *given);
    assert_int_equal(gr_first_tree(&c.s, 0, 1, tree, core_scratch(&c)), 3);
    assert_memory_equal(tree.at, given + 1, 3 * sizeof *given);
    assert_true(gr_first_tree(&c.s, 0, 2, tree, core_scratch(&c)) > 1);
    core_close(&c);
}

/* Fast memory of a warp, each lane its own slots of it, grows what scratch does: by the draw that
 * an individual has come to, inputs of any number, given trees as they are. */
static void test_near(void **state) {
    (void)state;
    enum { INPUTS = 600, INDIVIDUALS = 128, LANES = 32 };
    gr_params p = sized_params(GR_INIT_PTC2);
    p.max_nodes = 60;
    p.init_max_depth = 6;
    p.inputs = INPUTS;
    p.unique = 1;
    p.seeds = 1;
    p.seed_nodes = 1;
    p.population = 64;
    p.individuals = INDIVIDUALS;
    p.runs = 2;
    core c = core_open(&p, NULL, 0);
    const gr_node given = gr_make_node(GR_INPUT, 1, 1, 599);
    const uint32_t first[2] = {0, 1};
    memcpy((void *)(uintptr_t)c.s.seeds, &given, sizeof given);
    memcpy((void *)(uintptr_t)c.s.seed_first, first, sizeof first);
    uint8_t near[GR_SPROUT_BYTES * 60 * LANES + 1];
    uint32_t seen[INPUTS] = {0}, rare = 0;
    near[sizeof near - 1] = 0x5e;
    for (uint32_t i = 0; i < INDIVIDUALS; i++)
        c.s.attempts[i] = i * 7 % 5;
    for (uint32_t i = 0; i < INDIVIDUALS; i++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            gr_nodes tree = gr_tree(&c.s, 0, 0), other = gr_tree(&c.s, 0, 1);
            uint32_t deme = i / 64, index = i % 64;
            memset(near, (int)i, sizeof near - 1);
            uint32_t count = gr_first_tree(&c.s, deme, index, tree, core_scratch(&c));
            assert_int_equal(gr_first_tree_near(&c.s, deme, index, other, core_scratch(&c), near,
                                                (gr_lane_group){lane, LANES}),
                             count);
            assert_memory_equal(other.at, tree.at, count * sizeof *tree.at);
            for (size_t k = 0; k + 1 < sizeof near; k++) /* no other lane's slots */
                if ((k < 2 * 60 * LANES ? k / 2 : k) % LANES != lane)
                    assert_int_equal(near[k], (uint8_t)i);
            for (uint32_t k = 0; k < count; k++)
                if (GR_NODE_OP(tree.at[k]) == GR_INPUT)
                    seen[tree.at[k].operand]++;
        }
    for (uint32_t k = 510; k < 514; k++) /* around what an entry has room for */
        rare += seen[k] > 0;
    assert_int_equal(near[sizeof near - 1], 0x5e);
    assert_int_equal(rare, 4);
    core_close(&c);
}

/* Half the leaves are constants, each entry of the table as likely, numbers of the range beside. */
static void test_constants(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.constant_probability = 0.5f;
    p.constants = 16;
    p.ephemeral = 1;
    p.constant_min = 100.0f;
    p.constant_max = 200.0f;
    for (uint32_t i = 0; i < 16; i++)
        p.constant[i] = (float)i;
    gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, 0);
    uint32_t kind[2] = {0}, entry[17] = {0}, input[3] = {0};
    for (uint32_t i = 0; i < 20000; i++) {
        gr_node leaf = gr_random_leaf(&p, &r);
        uint32_t constant = GR_NODE_OP(leaf) == GR_CONSTANT;
        kind[constant]++;
        if (!constant) {
            input[leaf.operand]++;
            continue;
        }
        float value = gr_bits_float(leaf.operand);
        assert_true(value <= 15.0f || (value >= 100.0f && value < 200.0f));
        entry[value <= 15.0f ? (uint32_t)value : 16]++;
    }
    assert_true(core_chi_square(kind, NULL, 2) < 1.0);
    assert_true(core_chi_square(entry, NULL, 17) < 1.0);
    assert_true(core_chi_square(input, NULL, 3) < 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_sized_parity),
        cmocka_unit_test(test_ptc2_at_the_limit),
        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
