/* host/bench/trees.c: random trees of exactly the size that is wanted, sizes as often as a row
 * says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/bench/bench.h"
#include "tests/trees.h"

/* Whole trees of known functions; of the wanted size, or one or two more where the arities do not
 * allow it. */
static void test_sizes(void **state) {
    (void)state;
    static gr_node memory[GR_MOST_TREE + 2];
    gr_nodes nodes = {memory, 1};
    gr_params p = core_params(GR_TREE);
    p.max_nodes = GR_MOST_TREE + 2;
    p.max_tree_depth = 254;
    for (int binary = 0; binary < 2; binary++) {
        if (binary) {
            p.function[0] = GR_ADD;
            p.function[1] = GR_MUL;
            p.functions = 2;
            p.arity_first[0] = p.arity_first[1] = p.arity_first[2] = 0;
            p.arity_first[3] = p.arity_first[4] = 2;
        }
        for (uint32_t i = 0; i < 600; i++) {
            uint32_t size = 1 + i % 200;
            gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 9, 0, i);
            uint32_t count = gr_tree_of_size(&p, &r, size, memory);
            if (binary)
                assert_int_equal(count, size | 1u); /* trees of binary functions are odd */
            else
                assert_int_equal(count, size);
            gr_annotate(nodes, count);
            if (core_height(memory, count - 1) < 250)
                assert_true(trees_sound(&p, memory, count));
        }
    }
}

/* Not chains: functions go to operands drawn among all that are open. */
static void test_shapes(void **state) {
    (void)state;
    static gr_node memory[GR_MOST_TREE + 2];
    gr_params p = core_params(GR_TREE);
    double sum = 0;
    p.function[0] = GR_ADD;
    p.functions = 1;
    p.arity_first[0] = p.arity_first[1] = p.arity_first[2] = 0;
    p.arity_first[3] = p.arity_first[4] = 1;
    for (uint32_t i = 0; i < 300; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 9, 0, i);
        uint32_t count = gr_tree_of_size(&p, &r, 127, memory);
        sum += core_height(memory, count - 1) / 300.0;
    }
    assert_true(sum > 10 && sum < 22); /* 7 when balanced, 64 as a chain */
}

static void test_population(void **state) {
    (void)state;
    enum { N = 4000 };
    gr_params p = core_params(GR_TREE);
    const gr_bench_row even = {.least = 5, .most = 14},
                       uneven = {.least = 5, .most = 14, .large = 60, .one_in = 10};
    uint32_t *lengths = malloc(N * sizeof *lengths), count[10] = {0}, large = 0;
    gr_node *nodes = malloc((size_t)N * 64 * sizeof *nodes),
            *again = malloc((size_t)N * 64 * sizeof *nodes);
    p.population = p.individuals = N;
    p.max_nodes = 64;
    gr_random_trees(&p, &even, nodes, lengths);
    for (uint32_t i = 0; i < N; i++) {
        assert_in_range(lengths[i], 5, 14);
        count[lengths[i] - 5]++;
    }
    assert_true(core_chi_square(count, NULL, 10) < 1.0);
    gr_random_trees(&p, &uneven, again, lengths);
    for (uint32_t i = 0; i < N; i++)
        large += lengths[i] == 60;
    assert_in_range(large, 330, 470);
    free(nodes);
    free(again);
    free(lengths);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_population),
    };
    return cmocka_run_group_tests_name("trees of a size", tests, NULL, NULL);
}
