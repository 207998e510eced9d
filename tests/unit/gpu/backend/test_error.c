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

/* What a terminal would obey is spelt out; text of any language stays. */
static void test_escape(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {{"\x1b[31mred\a\b", "\\x1b[31mred\\x07\\x08"},
                 {"\x7f \xc2\x9b"
                  "5m \x9b",
                  "\\x7f \\xc2\\x9b5m \\x9b"}, /* C1: another way to say ESC [ */
                 {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x9f \xc2\xa0",
                  "\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x9f \xc2\xa0"},
                 {"\xc3", "\\xc3"},
                 {"\xe2\x82", "\\xe2\\x82"},
                 {"\xc0\x9b", "\\xc0\\x9b"},
                 {"a\tb\r\n", "a b  "},
                 {"", ""}};
    gr_error error;
    char out[64], tiny[5];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_escape(cases[k].text, out, sizeof out);
        assert_string_equal(out, cases[k].expected);
        gr_fail(&error, GR_BAD_INPUT, "%s", cases[k].text);
        assert_string_equal(error.text, cases[k].expected);
    }
    gr_escape("a\x1b", tiny, sizeof tiny); /* a piece is there whole or not at all */
    assert_string_equal(tiny, "a");
    gr_escape("\x1b", tiny, sizeof tiny);
    assert_string_equal(tiny, "\\x1b");
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
        cmocka_unit_test(test_fail),      cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_long_text), cmocka_unit_test(test_escape),
        cmocka_unit_test(test_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
