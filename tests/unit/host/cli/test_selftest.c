/* host/cli/selftest.c: every check is told, and counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

#include "host/bench/selftest.h"

static void test_checks(void **state) {
    (void)state;
    int told = 0;
    assert_int_equal(CALL(selftest), GR_OK);
    for (const char *at = verb_output; (at = strstr(at, "ok - ")); at++)
        told++;
    assert_null(strstr(verb_output, "not ok"));
    assert_true(told >= gr_check_count);
    for (int i = 0; i < gr_check_count; i++)
        assert_non_null(strstr(verb_output, gr_checks[i].name));
}

static void test_options(void **state) {
    (void)state;
    assert_int_equal(CALL(selftest, "--help"), GR_OK);
    assert_int_equal(strncmp(verb_output, "usage: grampus selftest", 23), 0);
    assert_int_equal(CALL(selftest, "now"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "now: unknown argument"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
