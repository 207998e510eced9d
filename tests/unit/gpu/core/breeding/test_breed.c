/* gpu/core/breeding/breed.h: which way a run breeds, how much memory that takes, and what an
 * individual says of its tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trees.h"

/* ---- which way ---- */

static void test_breeding_of(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    assert_int_equal(gr_breeding_of(&p), GR_BREED_COMMON_STEPS);
    p.convention = GR_LAZY | GR_WRAP_GEVA;
    assert_int_equal(gr_breeding_of(&p), GR_BREED_COMMON_STEPS);
    p.crossover = GR_CROSSOVER_UNIFORM;
    assert_int_equal(gr_breeding_of(&p), GR_BREED_ALL_STEPS);
    p.crossover = GR_CROSSOVER_SUBTREE; /* asks for branches by rule_words */
    p.rule_words = 1;
    assert_int_equal(gr_breeding_of(&p), GR_BREED_ALL_STEPS);
    p.rule_words = 0;
    p.redrawn = 1u << GR_TOO_DEEP;
    assert_int_equal(gr_breeding_of(&p), GR_BREED_ALL_STEPS);
    p.redrawn = 0;
    p.convention |= GR_POSITION_INDEPENDENT;
    assert_int_equal(gr_breeding_of(&p), GR_BREED_ALL_STEPS);
    p.convention = GR_LISTS;
    assert_int_equal(gr_breeding_of(&p), GR_BREED_ALL_STEPS);
}

/* ---- sizes ---- */

static void test_largest_growth(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE); /* has a function of three operands */
    p.subtree_depth = 4;
    assert_int_equal(gr_largest_growth(&p), 0);
    p.subtree_mutation = 0.1f;
    assert_int_equal(gr_largest_growth(&p), 1 + 3 + 9 + 27);
    p.subtree_depth = 60; /* no subtree is larger than a tree may be: levels are added up to that */
    assert_int_equal(gr_largest_growth(&p), 1 + 3 + 9 + 27 + 81 + 243);
    p.subtree_depth = 4;
    p.arity_first[3] = p.arity_first[4]; /* two at most */
    assert_int_equal(gr_largest_growth(&p), 1 + 2 + 4 + 8);
    p.tree_mutations = 1; /* its probabilities are others */
    assert_int_equal(gr_largest_growth(&p), 2);
    p.mutation[GR_MUTATE_SUBTREE] = 0.1f;
    assert_int_equal(gr_largest_growth(&p), 1 + 2 + 4 + 8 + 2);
}

/* Two trees, one of them to draw in, and half a node for each level of a path. */
static void test_near_bytes(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.max_tree_depth = 17;
    assert_int_equal(gr_near_bytes(&p, 100), (200 + 9) * 8);
    p.max_tree_depth = 18;
    assert_int_equal(gr_near_bytes(&p, 100), (200 + 9) * 8);
    assert_int_equal(gr_near_bytes(&p, 0), 9 * 8);
}

/* ---- trees ---- */

static void check_individual(const core *c, uint32_t generation, uint32_t i, uint32_t retries) {
    const gr_individual individual = c->s.individuals[generation & 1][i];
    const gr_node *tree = gr_tree(&c->s, generation & 1, i).at;
    static gr_instruction program[256];
    uint32_t n = individual.length, words[257];
    assert_true(trees_sound(&c->s.p, tree, n));
    assert_int_equal(individual.used, n);
    assert_int_equal(individual.nodes, n);
    assert_int_equal(individual.derivation_nodes, n);
    assert_int_equal(individual.depth, core_height(tree, n - 1));
    assert_int_equal(individual.validity, GR_VALID);
    assert_int_equal(individual.retries, retries);
    uint32_t length = gr_compile((gr_nodes){(gr_node *)(uintptr_t)tree, 1}, n, (gr_words){words, 1},
                                 program, core_group);
    assert_int_equal(individual.instructions, length);
    assert_memory_equal(gr_program(&c->s, i), program, length * sizeof *program);
}

/* Plans are carried out: an elite is its parent to the byte, others are mutated as well; each has
 * the sizes and the program of its tree. A deme that stopped has nobody. */
static void test_trees(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.runs = 2;
    p.max_nodes = 200;
    p.point_mutation = 1.0f;
    core c = core_open(&p, NULL, 0);
    gr_scratch scratch = core_scratch(&c);
    uint32_t changed = 0;
    c.s.p.individuals = 2 * p.population;
    c.s.demes[1].active = 0;
    for (uint32_t i = 0; i < 2 * p.population; i++) {
        const gr_individual nobody = {0};
        c.s.individuals[0][i].length = 99;
        gr_breed_child(&c.s, 0, i, scratch, NULL, core_group);
        if (i < p.population)
            check_individual(&c, 0, i, 0);
        else
            assert_memory_equal(&c.s.individuals[0][i], &nobody, sizeof nobody);
    }
    for (uint32_t i = 0; i < p.population; i++) {
        uint32_t parent = i * 7 % p.population, length = c.s.individuals[0][parent].length;
        gr_plan plan = gr_copy_plan(parent, length, i % 2);
        plan.draws_again = (uint16_t)(i % 5);
        c.s.plans[i] = plan;
        gr_breed_child(&c.s, 1, i, scratch, NULL, core_group);
        check_individual(&c, 1, i, i % 5);
        uint32_t same =
            memcmp(gr_tree(&c.s, 1, i).at, gr_tree(&c.s, 0, parent).at, length * 8) == 0;
        assert_int_equal(c.s.individuals[1][i].length, length);
        assert_true(same || i % 2 == 0);
        changed += !same;
    }
    assert_true(changed > p.population / 4);
    core_close(&c);
}

/* The same in fast memory that is large enough for some of them. */
static void test_near(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.max_nodes = 200;
    p.point_mutation = p.subtree_mutation = 0.5f;
    core c = core_open(&p, NULL, 0);
    static gr_node tree[300], nodes[300];
    static uint32_t path[64];
    gr_scratch scratch = core_scratch(&c);
    const gr_near none = {0}, near = {.capacity = 20, .tree = {tree, 1}, .scratch = scratch};
    gr_near small = near;
    uint32_t used = 0;
    small.scratch.nodes = (gr_nodes){nodes, 1};
    small.scratch.path = (gr_words){path, 1};
    for (uint32_t i = 0; i < p.population; i++)
        gr_breed_tree(&c.s, 0, i, scratch, &none, core_group);
    for (uint32_t i = 0; i < p.population; i++) {
        static gr_node first[200];
        c.s.plans[i] = gr_crossover_plan(
            &c.s, 1, 0, i, gr_parents_at(&c.s, 0, i, (i + 9) % p.population), core_group);
        used += c.s.plans[i].length <= 20;
        gr_breed_tree(&c.s, 1, i, scratch, &none, core_group);
        gr_individual far = c.s.individuals[1][i];
        memcpy(first, gr_tree(&c.s, 1, i).at, far.length * 8);
        memset(gr_tree(&c.s, 1, i).at, 0xff, p.max_nodes * 8);
        gr_breed_tree(&c.s, 1, i, scratch, &small, core_group);
        assert_memory_equal(&far, &c.s.individuals[1][i], sizeof far);
        assert_memory_equal(first, gr_tree(&c.s, 1, i).at, far.length * 8);
        check_individual(&c, 1, i, far.retries);
    }
    assert_true(used > 10 && used < p.population);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breeding_of), cmocka_unit_test(test_largest_growth),
        cmocka_unit_test(test_near_bytes),  cmocka_unit_test(test_trees),
        cmocka_unit_test(test_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
