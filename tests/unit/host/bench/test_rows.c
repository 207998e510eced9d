/* host/bench/rows.c: every row is a run file that can be read, and says what it must. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t PINNED = 0x24a44950724f2ee8ull;

/* Trees of every size that a row draws fit into what its settings allow, and no generation is bred.
 */
static void check_sizes(const gr_bench_row *row, const gr_settings *s) {
    static gr_node nodes[GR_MOST_TREE + 2];
    gr_params p = {.runs = 1,
                   .islands = 1,
                   .population = 1,
                   .constant_probability = (float)s->constant_probability,
                   .inputs = 1};
    gr_error error;
    assert_int_equal(gr_settings_functions(s, p.function, &p.functions, &error), GR_OK);
    for (uint32_t arity = 0; arity < 5; arity++)
        for (uint32_t k = 0; k < p.functions; k++)
            p.arity_first[arity] =
                (uint8_t)(p.arity_first[arity] + (gr_arity(p.function[k]) < arity));
    assert_true(row->least && row->least <= row->most && !s->generations);
    for (uint32_t size = row->least; size <= row->most + 1; size++)
        for (uint32_t i = 0; i < 20; i++) {
            gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, i);
            uint32_t wanted = size > row->most ? row->large : size;
            uint32_t count = wanted ? gr_tree_of_size(&p, &r, wanted, nodes) : 0;
            if (count > s->max_nodes)
                fail_msg("%s: a tree of %u nodes, max-nodes %u", row->name, count, s->max_nodes);
        }
}

static void check_row(const gr_bench_row *row, const char *grammar) {
    gr_settings s;
    gr_error error = {GR_OK, ""};
    if (gr_settings_init(&s, &error) ||
        gr_settings_parse(&s, row->settings, strlen(row->settings), row->name, &error) ||
        (row->grammar && gr_settings_set(&s, "grammar", grammar, &error)) ||
        (row->table && gr_settings_set(&s, "data", "written.csv", &error)) ||
        gr_settings_resolve(&s, &error))
        fail_msg("%s: %s", row->name, error.text);
    if (row->grammar) {
        const gr_grammar_context context = {.n_vars = 64};
        gr_grammar *read;
        if (gr_grammar_parse(row->grammar, strlen(row->grammar), row->name, &context, &read,
                             &error))
            fail_msg("%s", error.text);
        gr_grammar_free(read);
    } else
        assert_int_equal(s.genotype, GR_TREE);
    if (row->work == GR_BENCH_RANDOM)
        check_sizes(row, &s);
    gr_settings_free(&s);
}

static void test_rows(void **state) {
    (void)state;
    uint32_t suites[GR_SUITES] = {0};
    for (int i = 0; i < gr_bench_row_count; i++) {
        const gr_bench_row *row = &gr_bench_rows[i];
        int smaller = row->unit == GR_UNIT_GENERATION || row->unit == GR_UNIT_SECONDS;
        check_row(row, "g.bnf");
        suites[row->suite]++;
        for (int k = 0; k < i; k++) /* a name chooses one row of a suite */
            assert_true(gr_bench_rows[k].suite != row->suite ||
                        strcmp(gr_bench_rows[k].name, row->name) != 0);
        if (row->at_least > 0.0 &&
            (smaller ? row->beyond > row->at_least : row->beyond < row->at_least))
            fail_msg("%s: %g is not beyond %g", row->name, row->beyond, row->at_least);
        assert_int_equal(row->paper > 0.0, row->source != NULL && *row->source);
        assert_int_equal(row->unit == GR_UNIT_INDIVIDUALS, row->work == GR_BENCH_BREED);
    }
    for (int suite = 0; suite < GR_SUITES; suite++)
        assert_int_equal(suites[suite] == 0, suite >= GR_SUITE_SURFACE);
    static const char *const names[] = {
        [GR_SUITE_EVAL] = "eval",       [GR_SUITE_GENERATION] = "generation",
        [GR_SUITE_BREED] = "breed",     [GR_SUITE_CPU] = "cpu",
        [GR_SUITE_PAPERS] = "papers",   [GR_SUITE_SEARCH] = "search",
        [GR_SUITE_SURFACE] = "surface", [GR_SUITE_WALL] = "wall",
        [GR_SUITE_SCALE] = "scale"};
    for (int suite = 0; suite < GR_SUITES; suite++)
        assert_string_equal(gr_suite_names[suite], names[suite]);
    assert_null(gr_suite_names[GR_SUITES]);
}

/* Pages give figures of these rows. One that changes is another measurement: its figures have to be
 * taken anew, and then this number. */
static void test_pinned(void **state) {
    (void)state;
    uint64_t hash = 14695981039346656037ull; /* FNV-1a */
    for (int i = 0; i < gr_bench_row_count; i++) {
        const gr_bench_row *row = &gr_bench_rows[i];
        char numbers[256];
        snprintf(numbers, sizeof numbers, "%d %d %d %u %u %u %u %u %g %g %g", (int)row->suite,
                 (int)row->work, (int)row->unit, row->least, row->most, row->large, row->one_in,
                 row->table, row->at_least, row->beyond, row->paper);
        const char *texts[] = {row->name, numbers, row->settings, row->grammar ? row->grammar : "",
                               row->source ? row->source : ""};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            for (const char *at = texts[k]; *at; at++)
                hash = (hash ^ (uint8_t)*at) * 1099511628211ull;
    }
    if (hash != PINNED)
        fail_msg("the rows are not what they were: 0x%016llxull", (unsigned long long)hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_pinned)};
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
