/* Cells against each other, from tables made by hand: which is better by which measure, letters,
 * what is comparable, ranks over seeds and over blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/experiment/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 12 };

static char path[64];
static gr_tables *tables;
static gr_error error;

static int set_up(void **state) {
    (void)state;
    strcpy(path, "/tmp/grampus-compare-XXXXXX");
    close(mkstemp(path));
    return gr_tables_open(path, &tables, &error) || gr_tables_begin(tables, &error);
}

static int tear_down(void **state) {
    (void)state;
    gr_tables_close(tables);
    unlink(path);
    return 0;
}

/* A cell that is done, with an outcome for letters; run r has fitness `from` + r, nodes and
 * evaluations as given. */
static void put_runs(int64_t cell, const char *block, const char *problem, int maximised,
                     double from, int runs) {
    char label[16], seed[16];
    snprintf(label, sizeof label, "cell %d", (int)cell);
    assert_int_equal(
        gr_tables_put(tables, &error,
                      "INSERT INTO cells (cell, place, label, treatment, block, state, digest, "
                      "problem, metric, maximised, target, population, runs) VALUES "
                      "(?1,?1,?2,?6,?3,'done',?2,?4,'x',?5,1,10,12)",
                      "itttit", cell, label, block, problem, (int64_t)maximised,
                      block ? (cell % 2 ? "odd" : "even") : NULL),
        GR_OK);
    assert_int_equal(gr_tables_put(tables, &error,
                                   "INSERT INTO outcomes (cell, measure, n) VALUES (?,'fitness',1)",
                                   "i", cell),
                     GR_OK);
    for (int r = 0; r < runs; r++) {
        snprintf(seed, sizeof seed, "%d", r + 1);
        assert_int_equal(
            gr_tables_put(tables, &error,
                          "INSERT INTO runs (cell, run, seed, state, generations, found, fitness, "
                          "solved, evaluations, nodes_executed, seconds, validity, nodes) VALUES "
                          "(?,?,?,'done',1,1,?,?,?,1,1,'valid',?)",
                          "iitriii", cell, (int64_t)r, seed, from + r, (int64_t)(r < cell),
                          (int64_t)(100 * cell + r), (int64_t)(50 - cell)),
            GR_OK);
    }
}

static void put(int64_t cell, const char *block, const char *problem, int maximised, double from) {
    put_runs(cell, block, problem, maximised, from, RUNS);
}

static void compare(void) {
    assert_int_equal(gr_tables_end(tables, GR_OK, &error), GR_OK);
    assert_int_equal(gr_compare(tables, &error), GR_OK);
}

static gr_status keep_number(void *context, sqlite3_stmt *row, gr_error *e) {
    (void)e;
    *(double *)context =
        sqlite3_column_type(row, 0) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(row, 0);
    return GR_OK;
}

static double number(const char *sql) {
    double value = -1.0;
    assert_int_equal(gr_tables_query(tables, sql, 0, keep_number, &value, &error), GR_OK);
    return value;
}

static void assert_number(const char *sql, double expected) {
    double value = number(sql);
    if (fabs(value - expected) > 1e-9)
        fail_msg("%s: %.12g; expected %.12g", sql, value, expected);
}

/* What stands in place of Friedman's test of the fitness; nobody has a test fitness. */
static void assert_why(const char *expected) {
    gr_no_ranks none;
    assert_int_equal(gr_why_no_ranks(tables, &none, &error), GR_OK);
    assert_string_equal(none.measure[0], "fitness");
    assert_string_equal(none.why[0], expected);
    assert_string_equal(none.why[1], "");
}

static void the_lower_one_is_better(void **state) {
    (void)state;
    put(1, NULL, "p", 0, 0.0);
    put(2, NULL, "p", 0, 100.0);
    put(3, NULL, "p", 0, 100.0);
    compare();
    assert_number("SELECT effect FROM comparisons WHERE measure = 'fitness' AND a = 1 AND b = 2",
                  1);
    assert_number("SELECT statistic FROM comparisons WHERE measure = 'fitness' AND b = 2", 0);
    assert_number("SELECT effect FROM comparisons WHERE measure = 'fitness' AND a = 2", 0.5);
    assert_number("SELECT p FROM comparisons WHERE measure = 'fitness' AND a = 2", 1);
    assert_number("SELECT effect FROM comparisons WHERE measure = 'nodes' AND a = 1 AND b = 2", 0);
    assert_number("SELECT effect FROM comparisons WHERE measure = 'evaluations' AND b = 2", 1);
    assert_number("SELECT p_holm / p FROM comparisons WHERE measure = 'fitness' AND b = 2", 3);
    assert_number("SELECT statistic FROM comparisons WHERE measure = 'solved' AND a = 2", 2);
    assert_number("SELECT letters = 'a' FROM outcomes WHERE cell = 1", 1);
    assert_number("SELECT letters = 'b' FROM outcomes WHERE cell = 3", 1);
    assert_number("SELECT mean_rank FROM ranks WHERE treatment = 'cell 1'", 1);
    assert_number("SELECT mean_rank FROM ranks WHERE treatment = 'cell 3'", 2.5);
    assert_number("SELECT blocks FROM rank_tests", RUNS);
    assert_number("SELECT count(*) FROM rank_comparisons WHERE z < 0", 2);
    assert_why("");
}

static void the_higher_one_is_better(void **state) {
    (void)state;
    put(1, NULL, "p", 1, 0.0);
    put(2, NULL, "p", 1, 100.0);
    compare();
    assert_number("SELECT effect FROM comparisons WHERE measure = 'fitness'", 0);
    assert_number("SELECT effect FROM comparisons WHERE measure = 'nodes'", 0);
    assert_number("SELECT letters = 'a' FROM outcomes WHERE cell = 2", 1);
    assert_number("SELECT mean_rank FROM ranks WHERE treatment = 'cell 2'", 1);
}

static void problems_are_kept_apart(void **state) {
    (void)state;
    put(1, NULL, "p", 0, 0.0);
    put(2, NULL, "q", 0, 100.0);
    compare();
    assert_number("SELECT count(*) FROM comparisons", 0);
    assert_number("SELECT count(*) FROM ranks", 0);
    assert_why("cell 2 has another problem than cell 1; expected `blocks` to name what problems "
               "differ by");
}

static void treatments_are_ranked_in_blocks(void **state) {
    (void)state;
    put(1, "x", "p", 0, 0.0); /* odd is better in two of three */
    put(2, "x", "p", 0, 5.0);
    put(3, "y", "q", 0, 10.0);
    put(4, "y", "q", 0, 50.0);
    put(5, "z", "r", 0, 90.0);
    put(6, "z", "r", 0, 10.0);
    compare();
    assert_number("SELECT blocks FROM rank_tests", 3);
    assert_number("SELECT treatments FROM rank_tests", 2);
    assert_number("SELECT mean_rank FROM ranks WHERE treatment = 'odd'", 4.0 / 3.0);
    assert_number("SELECT chi2 FROM rank_tests", 1.0 / 3.0);
    assert_number("SELECT count(*) FROM comparisons WHERE measure = 'fitness'", 3);
}

static void an_incomplete_design_has_no_ranks(void **state) {
    (void)state;
    put(1, "x", "p", 0, 0.0);
    put(2, "x", "p", 0, 5.0);
    put(3, "y", "q", 0, 10.0);
    compare();
    assert_number("SELECT count(*) FROM ranks", 0);
    assert_number("SELECT count(*) FROM comparisons WHERE measure = 'fitness'", 1);
    assert_why("2 treatments in 2 blocks, of which 3 cells are done; expected one for every "
               "treatment and block");
}

/* An error of one metric is neither above nor below one of another. */
static void metrics_of_a_block_have_no_ranks(void **state) {
    (void)state;
    put(1, "x", "p", 0, 0.0);
    put(2, "x", "q", 0, 5.0);
    put(3, "y", "r", 0, 10.0);
    put(4, "y", "s", 0, 50.0);
    assert_int_equal(
        gr_tables_put(tables, &error, "UPDATE cells SET metric = 'y' WHERE cell % 2", ""), GR_OK);
    compare();
    assert_number("SELECT count(*) FROM ranks", 0);
    assert_number("SELECT count(*) FROM rank_tests", 0);
    assert_why("a block has several metrics; expected one");
}

static void blocks_may_have_their_own_metrics(void **state) {
    (void)state;
    put(1, "x", "p", 0, 0.0);
    put(2, "x", "p", 0, 5.0);
    put(3, "y", "q", 1, 10.0);
    put(4, "y", "q", 1, 50.0);
    assert_int_equal(
        gr_tables_put(tables, &error, "UPDATE cells SET metric = 'y' WHERE cell > 2", ""), GR_OK);
    compare();
    assert_number("SELECT mean_rank FROM ranks WHERE treatment = 'odd'", 1.5);
}

/* Room for ranks is that of all runs: fewer than the first cell has, times the cells. */
static void cells_with_fewer_runs_have_no_ranks(void **state) {
    enum { CELLS = 40, MANY = 400 };
    (void)state;
    for (int64_t cell = 1; cell <= CELLS; cell++)
        put_runs(cell, NULL, "p", 0, 0.0, cell <= 2 ? MANY : 1);
    compare();
    assert_number("SELECT count(*) FROM ranks", 0);
    assert_number("SELECT count(*) FROM comparisons WHERE measure = 'fitness' AND a = 1",
                  CELLS - 1);
    assert_why("cell 3 has 1 run, cell 1 400; expected as many");
}

static void little_has_no_ranks(void **state) {
    (void)state;
    compare();
    assert_why(""); /* no cell is done: nothing to rank */
    assert_int_equal(gr_tables_begin(tables, &error), GR_OK);
    put_runs(1, NULL, "p", 0, 0.0, 1);
    compare();
    assert_why("one cell is done; expected two or more");
    assert_int_equal(gr_tables_begin(tables, &error), GR_OK);
    put_runs(2, NULL, "p", 0, 1.0, 1);
    compare();
    assert_why("one run a cell; expected two or more");
}

static void a_design_of_one_row_has_no_ranks(void **state) {
    (void)state;
    put(1, "x", "p", 0, 0.0);
    put(2, "x", "p", 0, 5.0);
    compare();
    assert_why("one block; expected two or more");
    assert_int_equal(
        gr_tables_put(tables, &error, "UPDATE cells SET treatment = '', block = label", ""), GR_OK);
    assert_why("one treatment; expected two or more, settings that vary beside `blocks`");
}

static void runs_that_do_not_pair_have_no_ranks(void **state) {
    (void)state;
    put(1, NULL, "p", 0, 0.0);
    put(2, NULL, "p", 0, 5.0);
    assert_int_equal(gr_tables_put(tables, &error,
                                   "UPDATE runs SET fitness = NULL WHERE cell = 2 AND run > 8", ""),
                     GR_OK);
    compare();
    assert_why("cell 2 has no value in 3 of 12 runs; expected one in all");
    assert_int_equal(gr_tables_put(tables, &error, "UPDATE runs SET seed = 7 WHERE cell = 2", ""),
                     GR_OK);
    assert_why("cell 2 has other seeds than cell 1; expected the same");
}

/* As a process leaves them that is killed before it compares. */
static void cells_may_not_be_compared_yet(void **state) {
    (void)state;
    put(1, NULL, "p", 0, 0.0);
    put(2, NULL, "p", 0, 5.0);
    assert_int_equal(gr_tables_end(tables, GR_OK, &error), GR_OK);
    assert_why("cells were not compared when they were done; expected the experiment to be "
               "started again");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_lower_one_is_better),
        TEST(the_higher_one_is_better),
        TEST(problems_are_kept_apart),
        TEST(treatments_are_ranked_in_blocks),
        TEST(an_incomplete_design_has_no_ranks),
        TEST(cells_with_fewer_runs_have_no_ranks),
        TEST(metrics_of_a_block_have_no_ranks),
        TEST(blocks_may_have_their_own_metrics),
        TEST(little_has_no_ranks),
        TEST(a_design_of_one_row_has_no_ranks),
        TEST(runs_that_do_not_pair_have_no_ranks),
        TEST(cells_may_not_be_compared_yet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
