/* gpu/core/state/state.h: where rows and scratch of an individual and of a lane group stand, and
 * how what limits cost is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

static void test_retries(void **state) {
    (void)state;
    uint32_t most = GR_RETRIES(65535, 65535);
    assert_int_equal(GR_RETRIES_DRAWS(GR_RETRIES(7, 3)), 7);
    assert_int_equal(GR_RETRIES_KEPT(GR_RETRIES(7, 3)), 3);
    assert_int_equal(gr_add_retries(GR_RETRIES(7, 3), GR_RETRIES(10, 2)), GR_RETRIES(17, 5));
    /* neither runs over into the other */
    assert_int_equal(gr_add_retries(GR_RETRIES(65530, 3), GR_RETRIES(10, 2)), GR_RETRIES(65535, 5));
    assert_int_equal(gr_add_retries(GR_RETRIES(1, 65535), GR_RETRIES(1, 9)), GR_RETRIES(2, 65535));
    assert_int_equal(gr_add_retries(most, most), most);
    for (uint32_t t = 0; t < 5; t++)
        assert_int_equal(gr_retries_after(t, 5), GR_RETRIES(t, 0));
    assert_int_equal(gr_retries_after(5, 5), GR_RETRIES(4, 1)); /* the fifth try was the last */
    gr_plan plan = {.draws_again = 65535, .parent_kept = 1};
    assert_int_equal(gr_plan_retries(plan), GR_RETRIES(65535, 1));
}

/* Segments of 64 individuals, spans of 128 segments; the last of each may be short. */
static void test_segments(void **state) {
    (void)state;
    static const uint32_t known[][3] = {{1, 1, 1},       {64, 1, 1},           {65, 2, 1},
                                        {8192, 128, 1},  {8193, 129, 2},       {16384, 256, 2},
                                        {16385, 257, 3}, {1000000, 15625, 123}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        gr_params p = core_params(GR_TREE);
        p.population = known[k][0];
        p.runs = 3;
        p.islands = 5;
        assert_int_equal(gr_segments(&p), known[k][1]);
        assert_int_equal(gr_spans(&p), known[k][2]);
        assert_int_equal(gr_demes(&p), 15);
    }
}

/* Rows of branches: a set of rules, two words a codon, where branches mutate a third; all of them
 * even, as pairs are read at once. */
static void test_branch_words(void **state) {
    (void)state;
    static const uint32_t known[][4] = {/* rule words, capacity, mutate, words */
                                        {0, 100, 1, 0}, {1, 100, 0, 202}, {2, 100, 0, 202},
                                        {3, 7, 0, 18},  {1, 7, 1, 24},    {1, 8, 1, 26}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        gr_params p = core_params(GR_GRAMMATICAL);
        p.rule_words = known[k][0];
        p.genome_capacity = known[k][1];
        p.subtree_mutation = known[k][2] ? 0.1f : 0.0f;
        assert_int_equal(gr_branch_words(&p), known[k][3]);
    }
}

static void test_rows(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = 37;
    p.max_nodes = 11;
    core c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < p.population; i++) {
        assert_ptr_equal(gr_genome(&c.s, 1, i), c.s.genomes[1] + 37 * i);
        assert_ptr_equal(gr_program(&c.s, i), c.s.programs + 11 * i);
    }
    core_close(&c);
    p = core_params(GR_TREE);
    p.max_nodes = 11;
    c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < p.population; i++) {
        assert_ptr_equal(gr_tree(&c.s, 0, i).at, c.s.trees[0] + 11 * i);
        assert_int_equal(gr_tree(&c.s, 0, i).step, 1);
    }
    core_close(&c);
}

enum { GROUPS = 3 };

static void fill(gr_words words, uint32_t count, uint32_t value, uint32_t check) {
    for (uint32_t k = 0; k < count; k++) {
        if (check)
            assert_int_equal(GR_AT(words, k), value);
        GR_AT(words, k) = value;
    }
}

/* Every group writes all its scratch, of the sizes that state.h gives; then each still holds its
 * own, and nothing behind the last one was touched. */
static void test_scratch(void **state) {
    (void)state;
    for (uint32_t genotype = 0; genotype < 2; genotype++) {
        gr_params p = core_params(genotype ? GR_TREE : GR_GRAMMATICAL);
        p.max_nodes = 50;
        p.max_depth = 13;
        p.max_tree_depth = 9;
        p.max_nesting = 21;
        uint32_t nodes = genotype ? 50 : 50 + 257, path = genotype ? 9 : 26;
        uint32_t parser = genotype ? 0 : 21, locations = genotype ? 100 : 51;
        assert_int_equal(gr_scratch_nodes(&p), nodes);
        assert_int_equal(gr_path_words(&p), path);
        assert_int_equal(gr_parse_levels(&p), parser);
        assert_int_equal(gr_scratch_words(&p), path + parser + locations);
        gr_job job = {.params = p, .epoch = 1};
        gr_arena arena;
        gr_state s;
        job.params.individuals = p.population;
        gr_arena_plan(&arena, &job, GROUPS);
        char *memory = calloc(1, arena.bytes + 8);
        gr_arena_bind(&arena, &job, GROUPS, memory, &s);
        for (uint32_t check = 0; check < 2; check++)
            for (uint32_t group = 0; group < GROUPS; group++) {
                gr_scratch scratch = gr_group_scratch(&s, group, 1);
                assert_int_equal(scratch.nodes.step, 1);
                assert_false(scratch.together);
                assert_true(gr_group_scratch(&s, group, GR_LANES).together);
                fill((gr_words){(uint32_t *)scratch.nodes.at, 1}, 2 * nodes, 10 * group + 1, check);
                fill(scratch.path, path, 10 * group + 2, check);
                fill(scratch.parser, parser, 10 * group + 3, check);
                fill(scratch.locations, locations, 10 * group + 4, check);
            }
        for (size_t k = 0; k < 8; k++)
            assert_int_equal(memory[arena.bytes + k], 0);
        free(memory);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_retries),      cmocka_unit_test(test_segments),
        cmocka_unit_test(test_branch_words), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
