/* host/cli/bench.c: what it measures, by its words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static void test_refused(void **state) {
    (void)state;
    assert_int_equal(CALL(bench, "--elephant"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "--elephant"));
    assert_int_equal(CALL(bench, "--row", "no-such-row"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "no-such-row"));
    assert_int_equal(CALL(bench, "--repeats", "0"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "--repeats is '0'; expected a whole number from 1 "));
    assert_int_equal(CALL(bench, "--picture", "x.png", "--row", "million"), GR_BAD_INPUT);
    assert_string_equal(verb_output, "");
}

static void test_help(void **state) {
    (void)state;
    assert_int_equal(CALL(bench, "--help"), GR_OK);
    assert_int_equal(strncmp(verb_output, "usage: grampus bench", 20), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
