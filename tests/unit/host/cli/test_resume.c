/* host/cli/resume.c: a run that goes on in another call, and what is no run or may not change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static const char RUN_FILE[] =
    "genotype: tree\ntarget-expression: x * x\nvariables: x = linspace(0, 1, 8)\n"
    "population: 20\ngenerations: 3\ndevice: cpu\nthreads: 1\nmetric: sae\ncheckpoint: 1e-9\n";

/* The value of the last report's "results". */
static void results_of(char path[256]) {
    const char *results = strstr(verb_output, "\"results\":\"");
    assert_non_null(results);
    results += strlen("\"results\":\"");
    snprintf(path, 256, "%.*s", (int)strcspn(results, "\""), results);
}

static void test_goes_on(void **state) {
    (void)state;
    char *file = verb_file(RUN_FILE), first[256], second[256];
    assert_int_equal(CALL(run, file, "--output", verb_folder, "--json"), GR_OK);
    assert_non_null(strstr(verb_output, "\"generations\":3,"));
    results_of(first);
    assert_int_equal(CALL(resume, first, "--generations", "5", "--json"), GR_OK);
    assert_non_null(strstr(verb_output, "\"generations\":5,"));
    results_of(second);
    assert_string_equal(first, second);
    assert_int_equal(CALL(resume, first, "--generations", "4"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "is of generation 5"));
    assert_int_equal(CALL(resume, first, "--population", "21"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "--population: a resumed run keeps it"));
    verb_file_end(file);
}

static void test_refused(void **state) {
    (void)state;
    assert_int_equal(CALL(resume), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "no folder"));
    assert_int_equal(CALL(resume, "a", "b"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "b: a second folder"));
    assert_int_equal(CALL(resume, verb_folder), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "no run.yaml there"));
    assert_int_equal(CALL(resume, verb_folder, "--generation", "2"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "did you mean '--generations'?"));
    assert_int_equal(CALL(resume, "--help"), GR_OK);
    assert_int_equal(strncmp(verb_output, "usage: grampus resume ", 22), 0);
    assert_non_null(strstr(verb_output, "--time-limit "));
    assert_null(strstr(verb_output, "--population "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, open_verb_folder, remove_verb_folder);
}
