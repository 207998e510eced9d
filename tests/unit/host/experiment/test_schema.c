/* The tables: they are made, they know their version, generations has the columns of statistics.tsv
 * and nothing can be kept of a cell that is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/experiment/schema.h"

#include <string.h>

static sqlite3 *make(void) {
    sqlite3 *db;
    gr_error error;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(gr_schema_make(db, &error), GR_OK);
    return db;
}

static int number(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int value = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static void versions_are_set(void **state) {
    (void)state;
    sqlite3 *db = make();
    assert_int_equal(number(db, "PRAGMA user_version"), 1);
    assert_int_equal(number(db, "PRAGMA application_id"), 0x4772616d);
    assert_int_equal(number(db, "SELECT count(*) FROM filled_generations"), 0);
    sqlite3_close(db);
}

static void generations_are_those_of_the_table(void **state) {
    (void)state;
    sqlite3 *db = make();
    char name[64];
    gr_schema_column(0, name);
    assert_string_equal(name, "run");
    gr_schema_column(gr_schema_columns() - 1, name);
    assert_string_equal(name, "time");
    assert_int_equal(number(db, "SELECT count(*) FROM pragma_table_info('generations')"),
                     gr_schema_columns() + 1);
    assert_int_equal(number(db, "SELECT type = 'REAL' FROM pragma_table_info('generations') "
                                "WHERE name = 'ave_tree_nodes'"),
                     1);
    assert_int_equal(number(db, "SELECT type = 'INTEGER' FROM pragma_table_info('generations') "
                                "WHERE name = 'too_deep'"),
                     1);
    assert_int_equal(number(db, "SELECT count(*) FROM pragma_table_info('generations') WHERE "
                                "type = 'INTEGER' AND name IN ('genotypes', 'fitnesses') OR "
                                "type = 'REAL' AND name IN ('fitness_entropy', 'like_parent')"),
                     4);
    sqlite3_stmt *insert = gr_schema_generations(db);
    assert_non_null(insert);
    assert_int_equal(sqlite3_bind_parameter_count(insert), gr_schema_columns() + 1);
    sqlite3_finalize(insert);
    sqlite3_close(db);
}

static void rows_belong_to_cells(void **state) {
    (void)state;
    sqlite3 *db = make();
    gr_error error;
    assert_int_equal(gr_sqlite_run(db, "PRAGMA foreign_keys = ON", &error), GR_OK);
    assert_int_equal(
        gr_sqlite_run(db, "INSERT INTO success VALUES (7,1,1,1,1,1,1,1,1,1,1)", &error), GR_FAILED);
    assert_non_null(strstr(error.text, "FOREIGN KEY"));
    sqlite3_close(db);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_set),
        cmocka_unit_test(generations_are_those_of_the_table),
        cmocka_unit_test(rows_belong_to_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
