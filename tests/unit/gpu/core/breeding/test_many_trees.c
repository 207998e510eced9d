/* gpu/core/breeding/many_trees.h: trees bred in a pool are those bred one at a time, to the byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/breeding/many_trees.h"
#include "tests/core.h"

enum { POPULATION = 400, GENERATIONS = 6 };

/* What breeding writes of a generation. */
typedef struct outcome {
    gr_individual individuals[POPULATION];
    gr_node *trees;
    gr_instruction *programs;
} outcome;

static outcome outcome_of(const core *c, uint32_t generation) {
    const gr_params *p = &c->s.p;
    size_t nodes = (size_t)POPULATION * p->max_nodes;
    outcome o = {.trees = calloc(nodes, sizeof(gr_node)),
                 .programs = calloc(nodes, sizeof(gr_instruction))};
    assert_true(o.trees && o.programs);
    for (uint32_t i = 0; i < POPULATION; i++) {
        size_t at = (size_t)i * p->max_nodes;
        o.individuals[i] = c->s.individuals[generation & 1][i];
        memcpy(o.trees + at, gr_tree(&c->s, generation & 1, i).at,
               o.individuals[i].length * sizeof *o.trees);
        memcpy(o.programs + at, gr_program(&c->s, i),
               o.individuals[i].instructions * sizeof *o.programs);
    }
    return o;
}

static void assert_same(outcome a, outcome b, const gr_params *p) {
    size_t nodes = (size_t)POPULATION * p->max_nodes;
    for (uint32_t i = 0; i < POPULATION; i++)
        assert_memory_equal(&a.individuals[i], &b.individuals[i], sizeof a.individuals[i]);
    assert_memory_equal(a.trees, b.trees, nodes * sizeof *a.trees);
    assert_memory_equal(a.programs, b.programs, nodes * sizeof *a.programs);
    free(a.trees);
    free(a.programs);
    free(b.trees);
    free(b.programs);
}

static const uint32_t *facts(void) {
    static uint32_t of[GR_OP_COUNT];
    for (uint32_t op = 0; op < GR_OP_COUNT; op++)
        of[op] = gr_op_facts(op);
    return of;
}

/* Wipes what is to be written, so that nothing left over can pass for a result. */
static void wipe(const core *c, uint32_t generation) {
    size_t nodes = (size_t)POPULATION * c->s.p.max_nodes;
    memset(c->s.trees[generation & 1], 0xa5, nodes * sizeof(gr_node));
    memset(c->s.programs, 0xa5, nodes * sizeof(gr_instruction));
    memset(c->s.individuals[generation & 1], 0xa5, POPULATION * sizeof(gr_individual));
}

/* Breeds generations both ways; a made-up cost drives selection. *crossed: children by crossover.
 */
static void compare(gr_params p, uint32_t capacity, uint32_t *crossed) {
    p.population = POPULATION;
    core c = core_open(&p, NULL, 0);
    core_dice dice = {capacity};
    size_t bytes = gr_pool_bytes(capacity);
    void *memory = malloc(bytes);
    gr_pool pool = gr_make_pool(&c.s.p, memory, capacity, facts(), 0, core_group);
    for (uint32_t i = 0; p.unique && i < POPULATION; i++)
        c.s.attempts[i] = i % 7;
    for (uint32_t g = 0; g < GENERATIONS; g++) {
        for (uint32_t i = 0; g && i < POPULATION; i++)
            c.s.cost[i] = (float)core_roll(&dice, 1000);
        for (uint32_t k = 0; g && k < gr_parent_pairs(&p); k++)
            gr_plan_parent_pair(&c.s, g - 1, k, 0, c.s.p.individuals, core_group);
        for (uint32_t i = 0; g && i < POPULATION; i++)
            *crossed += c.s.plans[i].b1 > c.s.plans[i].b0;
        wipe(&c, g);
        for (uint32_t i = 0; i < POPULATION; i++)
            gr_breed_child(&c.s, g, i, core_scratch(&c), NULL, core_group);
        outcome alone = outcome_of(&c, g);
        wipe(&c, g);
        gr_breed_trees(&c.s, g, 0, POPULATION, &pool, gr_tree_sizes_of(&c.s.p, pool.capacity),
                       core_group);
        assert_same(alone, outcome_of(&c, g), &p);
    }
    free(memory);
    core_close(&c);
}

/* Trees of which many are mutated. */
static gr_params mutated(void) {
    gr_params p = core_params(GR_TREE);
    p.subtree_mutation = 0.3f;
    p.point_mutation = 0.3f;
    return p;
}

static void test_crossover_and_mutation(void **unused) {
    (void)unused;
    gr_params p = mutated();
    uint32_t crossed = 0;
    compare(p, p.max_nodes, &crossed);
    p.max_nodes = 40;
    p.max_tree_depth = 7;
    compare(p, 41, &crossed);
    compare(p, 5000, &crossed);
    p.initialisation = GR_INIT_PTC2; /* in the pool, or where it is too small for that not */
    p.init_min_nodes = 5;
    p.init_max_nodes = 38;
    compare(p, 64, &crossed);
    p.constant_min = -1.0f, p.constant_max = 1.0f, p.ephemeral = 2;
    p.constant_probability = 0.5f;
    compare(p, 64, &crossed);
    p.max_nodes = 300;
    compare(p, 320, &crossed);
    assert_true(crossed > 3 * POPULATION);
}

/* First trees that were drawn again are counted, those in the pool and those beside it. */
static void test_drawn_again(void **unused) {
    (void)unused;
    gr_params p = mutated();
    uint32_t crossed = 0;
    p.unique = 1;
    compare(p, p.max_nodes, &crossed);
    p.initialisation = GR_INIT_PTC2;
    p.init_min_nodes = 5;
    p.init_max_nodes = 150;
    p.max_nodes = 300;
    compare(p, 96, &crossed);
}

/* Trees larger than the pool, between others that it holds: first ones, and children. */
static void test_large_trees(void **unused) {
    (void)unused;
    gr_params p = mutated();
    uint32_t crossed = 0;
    p.initialisation = GR_INIT_PTC2;
    p.init_min_nodes = 5;
    p.init_max_nodes = 150;
    p.max_nodes = 300;
    compare(p, 32, &crossed);
    compare(p, 96, &crossed);
    assert_true(crossed > POPULATION);
}

static void test_every_mutation(void **unused) {
    (void)unused;
    gr_params p = core_params(GR_TREE);
    uint32_t crossed = 0;
    p.tree_mutations = 1;
    p.constants = 3;
    p.constant[0] = 0.25f, p.constant[1] = 0.5f, p.constant[2] = 0.75f;
    p.multi_point_rate = 0.1f;
    for (uint32_t k = 0; k < GR_MUTATIONS; k++)
        p.mutation[k] = 0.3f;
    p.max_nodes = 64;
    p.max_tree_depth = 9;
    compare(p, 64, &crossed);
    p.subtree_ramped = 1;
    compare(p, 300, &crossed);
    p.exclusive = 1;
    for (uint32_t k = 0; k < GR_MUTATIONS; k++)
        p.mutation[k] = (float)(k + 1) / GR_MUTATIONS;
    compare(p, 300, &crossed);
    assert_true(crossed > 3 * POPULATION);
}

/* A deme that has stopped leaves empty individuals, between others that go on. */
static void test_stopped_demes(void **unused) {
    (void)unused;
    gr_params p = core_params(GR_TREE);
    p.runs = 4;
    p.population = POPULATION / 4;
    core c = core_open(&p, NULL, 0);
    void *memory = malloc(gr_pool_bytes(600));
    gr_pool pool = gr_make_pool(&c.s.p, memory, 600, facts(), 0, core_group);
    c.s.demes[1].active = c.s.demes[2].active = 0;
    wipe(&c, 0);
    gr_breed_trees(&c.s, 0, 0, POPULATION, &pool, gr_tree_sizes_of(&c.s.p, pool.capacity),
                   core_group);
    for (uint32_t i = 0; i < POPULATION; i++) {
        uint32_t stopped = i / p.population == 1 || i / p.population == 2;
        assert_int_equal(c.s.individuals[0][i].length == 0, stopped);
        assert_int_equal(c.s.individuals[0][i].instructions == 0, stopped);
    }
    free(memory);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossover_and_mutation), cmocka_unit_test(test_large_trees),
        cmocka_unit_test(test_every_mutation), cmocka_unit_test(test_stopped_demes),
        cmocka_unit_test(test_drawn_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
