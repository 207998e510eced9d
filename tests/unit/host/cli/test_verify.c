/* host/cli/verify.c: a run and its repetition. What differs is found by e2e/verify.sh, kind by
 * kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static const char RUN_FILE[] =
    "genotype: tree\ntarget-expression: x\nvariables: x = linspace(0, 1, 8)\nfunctions: \"+\"\n"
    "population: 20\ngenerations: 2\ndevice: cpu\nthreads: 1\nmetric: sae\n";

static void test_repeated(void **state) {
    (void)state;
    char *file = verb_file(RUN_FILE), results[256];
    assert_int_equal(CALL(run, file, "--output", verb_folder, "--json"), GR_OK);
    const char *at = strstr(verb_output, "\"results\":\"");
    assert_non_null(at);
    at += strlen("\"results\":\"");
    snprintf(results, sizeof results, "%.*s", (int)strcspn(at, "\""), at);
    assert_int_equal(CALL(verify, results), GR_OK);
    assert_string_equal(verb_output, "the same: 3 rows of statistics, best programs\n");
    assert_int_equal(CALL(verify, results, "--seed", "2"), GR_DIFFERS);
    assert_int_equal(strncmp(verb_error.text, "statistics.tsv:2: '0 0 ", 23), 0);
    assert_string_equal(verb_output, "");
    verb_file_end(file);
}

static void test_options(void **state) {
    (void)state;
    assert_int_equal(CALL(verify, "--help"), GR_OK);
    assert_int_equal(strncmp(verb_output, "usage: grampus verify FOLDER", 28), 0);
    assert_int_equal(CALL(verify), GR_BAD_INPUT);
    assert_string_equal(verb_error.text, "no folder; expected grampus verify FOLDER");
    assert_int_equal(CALL(verify, "/no/such/folder"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "/no/such/folder"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, open_verb_folder, remove_verb_folder);
}
