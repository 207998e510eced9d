/* host/cli/devices.c and the options it takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static void test_list(void **state) {
    (void)state;
    assert_int_equal(CALL(devices), GR_OK);
    assert_int_equal(strncmp(verb_output, "cuda   ", 7), 0);
    assert_non_null(strstr(verb_output, "\ncpu    "));
    assert_null(strstr(verb_output, "cpu    not usable"));
    assert_int_equal(CALL(devices, "--json"), GR_OK);
    assert_non_null(strstr(verb_output, "\"backend\":\"cpu\",\"available\":true,\"device\":"));
}

static void test_options(void **state) {
    (void)state;
    assert_int_equal(CALL(devices, "-h"), GR_OK);
    assert_int_equal(strncmp(verb_output, "usage: grampus devices", 22), 0);
    assert_int_equal(CALL(devices, "--jsn"), GR_BAD_INPUT);
    assert_string_equal(verb_error.text, "--jsn: unknown option; did you mean '--json'?");
    assert_string_equal(verb_output, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
