/* Experiment files that are refused, each with where and why; what is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/experiment/definition.h"

#include <stdlib.h>
#include <string.h>

static gr_status parse(const char *text, gr_definition *d, gr_error *error) {
    return gr_definition_parse(strdup(text), strlen(text), "e.yaml", d, error);
}

static void refusals_have_a_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "e.yaml:1:1: nothing; expected an experiment, lines of 'key: value'"},
        {"[1, 2]\n", "e.yaml:1:1: a sequence; expected lines of 'key: value'"},
        {"grid: {populaton: [1]}\n",
         "e.yaml:1:8: unknown key 'populaton'; did you mean 'population'?"},
        {"grids: {population: [1]}\n", "e.yaml:1:1: unknown key 'grids'; did you mean 'grid'?"},
        {"grid: {population: 1}\n", "e.yaml:1:20: text; expected its values, as in [1, 2]"},
        {"grid:\n", "e.yaml:1:6: nothing; expected settings, each with a list of values"},
        {"grid:\n  population:\n", "e.yaml:2:14: nothing; expected its values, as in [1, 2]"},
        {"grid: {population: []}\n",
         "e.yaml:1:20: nothing in it; expected its values, as in [1, 2]"},
        {"grid: {population: [1, {a: b}]}\n",
         "e.yaml:1:24: a mapping; expected a whole number from 1 to 100000000"},
        {"grid: {population: [1, 1]}\n", "e.yaml:1:24: 1 twice; expected other values"},
        {"grid:\n  population: [1, 2]\n  population: [3]\n",
         "e.yaml:3:3: population is given twice; expected once, as on line 2"},
        {"grid: {output: [a, b]}\n",
         "e.yaml:1:8: output is of the experiment; expected it beside `grid`, not inside"},
        {"grid: {runs: [1, 2]}\nsample: {cells: 2, runs: [3, 4]}\n",
         "e.yaml:2:20: runs varies in `grid` too; expected it in one of them"},
        {"grid: {runs: [1, 2]}\nlist: [{runs: 3}]\n",
         "e.yaml:2:15: runs varies in `grid` too; expected it in one of them"},
        {"list: {runs: 3}\n", "e.yaml:1:7: a mapping; expected cells, each {key: value, ...}"},
        {"list: [3]\n", "e.yaml:1:8: text; expected settings of a cell, {key: value, ...}"},
        {"sample: {population: [1]}\n", "e.yaml:1:9: no number of cells; expected cells: N"},
        {"sample: {cells: 3}\n", "e.yaml:1:9: no settings; expected those that are drawn"},
        {"sample: {cells: 0}\n", "e.yaml:1:17: '0'; expected a whole number from 1 to 10000"},
        {"sample: {cells: 10001}\n",
         "e.yaml:1:17: '10001'; expected a whole number from 1 to 10000"},
        {"sample: {cells: 3, population: {from: 3, to: 3}}\n",
         "e.yaml:1:32: no range; expected {from: A, to: B}, A below B"},
        {"sample: {cells: 3, population: {from: x, to: 3}}\n",
         "e.yaml:1:39: 'x'; expected a number"},
        {"sample: {cells: 3, creep-deviation: {from: 0, to: 3, scale: log}}\n",
         "e.yaml:1:37: scale: log from 0; expected more than 0"},
        {"sample: {cells: 3, metric: {from: 0, to: 3}}\n",
         "e.yaml:1:28: metric is no number; expected its values, as in [A, B]"},
        {"seeds: mine\n", "e.yaml:1:8: 'mine'; expected same (in every cell) or own"},
        {"blocks: [elites, data, elites]\n",
         "e.yaml:1:24: elites twice; expected each setting once"},
        {"blocks: [populaton]\n",
         "e.yaml:1:10: unknown key 'populaton'; did you mean 'population'?"},
        {"base: [a]\n", "e.yaml:1:7: a sequence; expected a run file"},
        {"runs: 3\n---\nruns: 4\n", "e.yaml:3:1: a second document; expected one"},
        {"runs: [3\n", "e.yaml:2:1: did not find expected ',' or ']'; expected YAML, lines of "
                       "'key: value'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_definition d;
        gr_error error = {0};
        assert_int_equal(parse(cases[i].text, &d, &error), GR_BAD_INPUT);
        assert_string_equal(error.text, cases[i].expected);
    }
}

static void all_parts_are_taken(void **state) {
    (void)state;
    gr_definition d;
    gr_error error = {0};
    assert_int_equal(parse("base: b.yaml\nruns: 7\nseeds: own\nlabel: \"{runs}\"\nblocks: metric\n"
                           "grid: {metric: [mse, sae], population: [10, 20, 30]}\n"
                           "list:\n  - {name: one, tournament: 2}\n  - {tournament: 3}\n"
                           "sample: {cells: 9, seed: 5, epoch: {from: 1, to: 100, scale: log}}\n",
                           &d, &error),
                     GR_OK);
    assert_string_equal(d.base.text, "b.yaml");
    assert_int_equal(d.sets, 1);
    assert_int_equal(d.set[0].key, GR_KEY_runs);
    assert_true(d.own_seeds);
    assert_int_equal(d.grid.count, 2);
    assert_int_equal(d.grid.axis[1].count, 3);
    assert_string_equal(d.grid.axis[1].value[2].text, "30");
    assert_int_equal(d.grid.axis[1].value[2].origin.line, 6);
    assert_int_equal(d.grid.axis[1].value[2].origin.column, 49);
    assert_int_equal(d.entries, 2);
    assert_string_equal(d.entry[0].name, "one");
    assert_null(d.entry[1].name);
    assert_int_equal(d.samples, 9);
    assert_int_equal(d.sample_seed, 5);
    assert_true(d.sample.axis[0].logarithmic);
    assert_int_equal(d.blocks, 1);
    assert_int_equal(d.block[0], GR_KEY_metric);
    gr_definition_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_have_a_place),
        cmocka_unit_test(all_parts_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
