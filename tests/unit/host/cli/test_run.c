/* host/cli/run.c: a run from its settings to its report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static const char RUN_FILE[] =
    "genotype: tree\ntarget-expression: x\nvariables: x = linspace(0, 1, 8)\nfunctions: \"+\"\n"
    "population: 20\ngenerations: 2\ndevice: cpu\nthreads: 1\nmetric: sae\n";

static void test_run(void **state) {
    (void)state;
    char *file = verb_file(RUN_FILE), statistics[256];
    assert_int_equal(CALL(run, file, "--output", verb_folder, "--json"), GR_OK);
    assert_int_equal(*verb_output, '{');
    assert_non_null(strstr(verb_output, "\"fitness\":0,"));
    assert_non_null(strstr(verb_output, "\"infix\":\"x\","));
    const char *results = strstr(verb_output, "\"results\":\"");
    assert_non_null(results);
    results += strlen("\"results\":\"");
    snprintf(statistics, sizeof statistics, "%.*s/statistics.tsv", (int)strcspn(results, "\""),
             results);
    assert_int_equal(access(statistics, R_OK), 0);
    assert_int_equal(CALL(run, file, "--output", verb_folder, "--quiet"), GR_OK);
    assert_string_equal(verb_output, "");
    verb_file_end(file);
}

/* Nothing is evolved. */
static void test_refused(void **state) {
    (void)state;
    char *file = verb_file("genotype: tree\npopulaton: 3\n");
    assert_int_equal(CALL(run, file), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, ":2:"));
    assert_non_null(strstr(verb_error.text, "did you mean 'population'?"));
    assert_int_equal(CALL(run, "/no/such/file"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "/no/such/file"));
    assert_int_equal(CALL(run, "--help"), GR_OK);
    assert_int_equal(strncmp(verb_output, "usage: grampus run ", 19), 0);
    verb_file_end(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, open_verb_folder, remove_verb_folder);
}
