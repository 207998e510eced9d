/* gpu/backend/error.h: one line, whatever is put in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/backend/error.h"

#include <string.h>

static void test_fail(void **state) {
    (void)state;
    gr_error error;
    memset(&error, 0xff, sizeof error);
    assert_int_equal(gr_fail(&error, GR_NO_MEMORY, "%s needs %d", "a run", 42), GR_NO_MEMORY);
    assert_int_equal(error.status, GR_NO_MEMORY);
    assert_string_equal(error.text, "a run needs 42");
    assert_int_equal(gr_fail(NULL, GR_STOPPED, "%s", "nobody reads it"), GR_STOPPED);
}

static void test_one_line(void **state) {
    (void)state;
    gr_error error;
    gr_fail(&error, GR_BAD_INPUT, "\"%s\"\n", "a\tb\r\nc\n");
    assert_string_equal(error.text, "\"a b  c \" ");
}

/* What does not fit is left out, and the text ends. */
static void test_long_text(void **state) {
    (void)state;
    static char text[3 * sizeof((gr_error *)0)->text];
    gr_error error;
    memset(text, 'a', sizeof text - 1);
    assert_int_equal(gr_fail(&error, GR_FAILED, "b%s", text), GR_FAILED);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_true(error.text[0] == 'b' && error.text[sizeof error.text - 2] == 'a');
}

/* Exit codes that scripts look at. */
static void test_codes(void **state) {
    (void)state;
    assert_int_equal(GR_OK, 0);
    assert_int_equal(GR_FAILED, 1);
    assert_int_equal(GR_BAD_INPUT, 2);
    assert_int_equal(GR_STOPPED, 3);
    assert_int_equal(GR_NO_MEMORY, 4);
    assert_int_equal(GR_DEVICE_FAILED, 5);
    assert_int_equal(GR_DIFFERS, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail),
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_long_text),
        cmocka_unit_test(test_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
