/* Cells: all combinations in their order, labels, draws, digests, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/experiment/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROBLEM "genotype: tree\nboolean: multiplexer-6\n"

static gr_definition definition;

static gr_status make(const char *text, gr_cells *cells, gr_error *error) {
    gr_status status =
        gr_definition_parse(strdup(text), strlen(text), "dir/e.yaml", &definition, error);
    if (status)
        return status;
    status = gr_cells_make(&definition, cells, error);
    if (status)
        gr_definition_free(&definition);
    return status;
}

static void drop(gr_cells *cells) {
    gr_cells_free(cells);
    gr_definition_free(&definition);
}

static void combinations_come_in_order(void **state) {
    (void)state;
    static const char *const labels[] = {
        "one, population=10, metric=hits", "one, population=10, metric=mse",
        "one, population=20, metric=hits", "one, population=20, metric=mse",
        "tournament=3, population=10, metric=hits"};
    gr_cells cells;
    gr_error error = {0};
    assert_int_equal(make("genotype: tree\nvariables: x = grid(0, 1, 0.1)\ntarget-expression: x\n"
                          "seed: 5\nruns: 4\nlist: [{name: one, tournament: 2}, {tournament: 3}]\n"
                          "grid:\n  population: [10, 20]\n  metric: [hits, mse]\n",
                          &cells, &error),
                     GR_OK);
    assert_int_equal(cells.count, 8);
    for (int i = 0; i < 5; i++)
        assert_string_equal(cells.cell[i].label, labels[i]);
    assert_int_equal(cells.cell[4].settings.tournament, 3);
    assert_int_equal(cells.cell[4].settings.population, 10);
    assert_int_equal(cells.cell[7].settings.population, 20);
    assert_int_equal(cells.cell[7].settings.seed, 5); /* the same seeds */
    assert_string_equal(cells.cell[0].settings.name, "e");
    assert_true(cells.varied[GR_KEY_tournament] && cells.varied[GR_KEY_metric]);
    assert_false(cells.varied[GR_KEY_runs] || cells.varied[GR_KEY_seed]);
    assert_string_equal(cells.cell[0].problem, cells.cell[2].problem);
    assert_string_not_equal(cells.cell[0].problem, cells.cell[1].problem); /* another metric */
    drop(&cells);
}

static void own_seeds_follow_each_other(void **state) {
    (void)state;
    gr_cells cells;
    gr_error error = {0};
    assert_int_equal(make(PROBLEM "seed: 5\nruns: 4\nseeds: own\ngrid: {population: [10, 20, 30]}",
                          &cells, &error),
                     GR_OK);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(cells.cell[i].settings.seed, 5 + 4 * i);
    assert_true(cells.varied[GR_KEY_seed]);
    drop(&cells);
}

static void drawn_cells_are_in_range_and_the_same_again(void **state) {
    (void)state;
    static const char text[] =
        PROBLEM "sample: {cells: 400, tournament: {from: 2, to: 5}, population: {from: 10, to: "
                "1000, scale: log}, crossover-probability: {from: 0, to: 1}}";
    gr_cells cells;
    gr_error error = {0};
    uint32_t of[6] = {0}, low = 0;
    double sum = 0.0;
    assert_int_equal(make(text, &cells, &error), GR_OK);
    char *label = strdup(cells.cell[17].label);
    for (uint32_t i = 0; i < cells.count; i++) {
        const gr_settings *s = &cells.cell[i].settings;
        assert_in_range(s->tournament, 2, 5);
        assert_in_range(s->population, 10, 1000);
        of[s->tournament]++;
        low += s->population < 100;
        sum += s->crossover_probability;
    }
    for (int k = 2; k <= 5; k++)
        assert_in_range(of[k], 70, 130);
    assert_in_range(low, 160, 240); /* half of the magnitudes */
    assert_true(sum > 180.0 && sum < 220.0);
    drop(&cells);
    assert_int_equal(make(text, &cells, &error), GR_OK);
    assert_string_equal(cells.cell[17].label, label);
    free(label);
    drop(&cells);
}

/* Of few values the same are drawn again: six cells, not 40 of which some are the same. */
static void what_is_drawn_twice_is_one_cell(void **state) {
    (void)state;
    gr_cells few, more;
    gr_error error = {0};
    assert_int_equal(make(PROBLEM "grid: {elites: [1, 2]}\nsample: {cells: 40, tournament: {from: "
                                  "2, to: 4}}",
                          &few, &error),
                     GR_OK);
    assert_int_equal(few.count, 6);
    assert_true(few.varied[GR_KEY_tournament]);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(few.cell[i].settings.elites, 1);
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(few.cell[i].settings.tournament, few.cell[k].settings.tournament);
    }
    gr_definition_free(&definition);
    assert_int_equal(make(PROBLEM "seeds: own\nruns: 4\nsample: {cells: 40, tournament: [2, 3], "
                                  "metric: [boolean-hits, boolean-errors]}",
                          &more, &error),
                     GR_OK);
    assert_int_equal(more.count, 4);
    for (uint32_t i = 0; i < 4; i++) /* by the place among those that there are */
        assert_int_equal(more.cell[i].settings.seed, 1 + 4 * i);
    gr_cells_free(&few);
    drop(&more);
}

static void labels_may_be_given(void **state) {
    (void)state;
    gr_cells cells;
    gr_error error = {0};
    assert_int_equal(make(PROBLEM "label: 'P{population} {name}!'\nlist: [{name: a, population: "
                                  "10}, {name: b, population: 20}]",
                          &cells, &error),
                     GR_OK);
    assert_string_equal(cells.cell[1].label, "P20 b!");
    drop(&cells);
}

/* Files of one name in several folders are not one block. */
static void files_of_one_name_are_told_apart(void **state) {
    (void)state;
    gr_cells cells;
    gr_error error = {0};
    assert_int_equal(
        make("genotype: tree\nblocks: data\ngrid:\n  data: [a/t.csv, b/t.csv, b/u.csv]\n"
             "  tournament: [2, 3]",
             &cells, &error),
        GR_OK);
    assert_string_equal(cells.cell[0].label, "data=a/t.csv, tournament=2");
    assert_string_equal(cells.cell[0].block, "data=a/t.csv");
    assert_string_equal(cells.cell[2].block, "data=b/t.csv");
    assert_string_equal(cells.cell[4].block, "data=u.csv");
    drop(&cells);
    assert_int_equal(
        make("genotype: tree\nlist: [{data: a/t.csv}, {data: b/t.csv}]", &cells, &error), GR_OK);
    assert_string_equal(cells.cell[1].label, "data=b/t.csv");
    drop(&cells);
}

static void blocks_part_the_labels(void **state) {
    (void)state;
    gr_cells cells;
    gr_error error = {0};
    assert_int_equal(make("genotype: tree\nblocks: boolean\ngrid: {boolean: [parity-3, parity-4], "
                          "tournament: [2, 3]}",
                          &cells, &error),
                     GR_OK);
    assert_string_equal(cells.cell[3].treatment, "tournament=3");
    assert_string_equal(cells.cell[3].block, "boolean=parity-4");
    drop(&cells);
}

static void refusals_name_place_and_cell(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {PROBLEM "grid: {population: [10, x]}",
         "dir/e.yaml:3:25: population is 'x'; expected a whole number from 1 to 100000000 (cell "
         "population=x)"},
        {PROBLEM "population: 10\ngrid:\n  elites: [1, 11]",
         "dir/e.yaml:5:15: elites 11 leave no room in population 10; expected at most 9 (cell "
         "elites=11)"},
        {PROBLEM "list: [{tournament: 2}, {name: b}, {name: c}]",
         "dir/e.yaml:3:25: the cells 'tournament=2' and 'b' are the same; expected"},
        {PROBLEM "list:\n  - {tournament: 4}\n  - {name: b, tournament: 3}\n  - {tournament: 04}",
         "dir/e.yaml:6:5: the cells 'tournament=4' and 'tournament=04' are the same; expected"},
        {PROBLEM "list:\n  - {name: b, tournament: 4}\n  - {name: b, tournament: 3}",
         "dir/e.yaml:5:5: two cells are called 'b'; expected"},
        {PROBLEM "grid:\n  population: [10, 20]\n  tournament: [2, 3, 02]",
         "dir/e.yaml:5:22: the cells '"},
        {PROBLEM "runs: 3\nseed: 18446744073709551611\nseeds: own\ngrid: {population: [10, 20]}",
         "dir/e.yaml:4:7: seed 18446744073709551611, and other seeds in every cell, here 3 higher; "
         "expected at most 18446744073709551610"},
        {PROBLEM "label: x\ngrid: {population: [10, 20]}",
         "dir/e.yaml:3:8: two cells are called 'x'; expected names that differ"},
        {PROBLEM "label: '{x}'\ngrid: {population: [10, 20]}", "dir/e.yaml:3:8: unknown key 'x'"},
        {PROBLEM "blocks: metric\ngrid: {population: [10, 20]}",
         "dir/e.yaml:3:9: blocks: metric does not vary; expected a setting that does"},
        {PROBLEM "sample: {cells: 2, tournament: {from: 2.5, to: 4}}",
         "dir/e.yaml:3:32: tournament from 2.5 to 4; expected whole numbers"},
        {PROBLEM "grid: {population: [10, 20]}\nsample: {cells: 5001, crossover-probability: "
                 "{from: 0, to: 1}}",
         "dir/e.yaml:1:1: more than 10000 cells; expected fewer"},
        {"genotype: tree\ngrid: {population: [10, 20]}",
         "dir/e.yaml: no problem; expected one of data, "},
        {"base: nowhere.yaml", "dir/e.yaml:1:7: base: dir/nowhere.yaml: No such file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_cells cells;
        gr_error error = {0};
        assert_int_equal(make(cases[i].text, &cells, &error), GR_BAD_INPUT);
        if (strncmp(error.text, cases[i].expected, strlen(cases[i].expected)) != 0)
            fail_msg("%s; expected %s", error.text, cases[i].expected);
    }
}

/* Digests are of what results depend on: of files what they hold. */
static void digests_are_of_what_matters(void **state) {
    (void)state;
    static const char *const same[] = {PROBLEM "runs: 2\n",
                                       PROBLEM "runs: 2\nthreads: 3\nepoch: 7\n",
                                       PROBLEM "runs: 2\nname: other\noutput: x\n"};
    static const char *const other[] = {PROBLEM "runs: 3\n", PROBLEM "runs: 2\ngenerations: 9\n",
                                        PROBLEM "runs: 2\nseed: 2\n"};
    gr_cells cells;
    gr_error error = {0};
    char digest[GR_DIGEST] = "";
    for (int i = 0; i < 6; i++) {
        assert_int_equal(make(i < 3 ? same[i] : other[i - 3], &cells, &error), GR_OK);
        if (i == 0)
            strcpy(digest, cells.cell->digest);
        else if (i < 3)
            assert_string_equal(cells.cell->digest, digest);
        else
            assert_string_not_equal(cells.cell->digest, digest);
        drop(&cells);
    }
}

static void files_count_by_what_they_hold(void **state) {
    (void)state;
    char folder[] = "/tmp/grampus-cells-XXXXXX", path[3][64], text[256];
    static const char *const held[] = {"a,b\n1,2\n2,3\n", "a,b\n1,2\n2,3\n", "a,b\n1,2\n2,4\n"};
    char digest[3][GR_DIGEST];
    gr_cells cells;
    gr_error error = {0};
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/%d.csv", folder, i);
        FILE *file = fopen(path[i], "w");
        assert_non_null(file);
        fputs(held[i], file);
        fclose(file);
        snprintf(text, sizeof text, "genotype: tree\ndata: %s\n", path[i]);
        assert_int_equal(make(text, &cells, &error), GR_OK);
        strcpy(digest[i], cells.cell->digest);
        drop(&cells);
    }
    assert_string_equal(digest[0], digest[1]);
    assert_string_not_equal(digest[0], digest[2]);
    for (int i = 0; i < 3; i++)
        unlink(path[i]);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combinations_come_in_order),
        cmocka_unit_test(own_seeds_follow_each_other),
        cmocka_unit_test(drawn_cells_are_in_range_and_the_same_again),
        cmocka_unit_test(what_is_drawn_twice_is_one_cell),
        cmocka_unit_test(labels_may_be_given),
        cmocka_unit_test(blocks_part_the_labels),
        cmocka_unit_test(files_of_one_name_are_told_apart),
        cmocka_unit_test(refusals_name_place_and_cell),
        cmocka_unit_test(digests_are_of_what_matters),
        cmocka_unit_test(files_count_by_what_they_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
