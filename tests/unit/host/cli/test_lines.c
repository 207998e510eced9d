/* host/cli/lines.c: every line of a file, numbered, until one is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static char seen[256];

static gr_status note(void *context, const char *path, const char *line, size_t length,
                      unsigned long number, gr_error *error) {
    char *at = seen + strlen(seen);
    snprintf(at, sizeof seen - (size_t)(at - seen), "%lu:%.*s|", number, (int)length, line);
    return number == *(unsigned long *)context ? gr_fail(error, GR_BAD_INPUT, "%s ends here", path)
                                               : GR_OK;
}

static gr_status read_lines(const char *path, unsigned long refused) {
    seen[0] = '\0';
    verb_error = (gr_error){GR_OK, ""};
    return gr_each_line(path, "lines", note, &refused, &verb_error);
}

static void test_lines(void **state) {
    (void)state;
    char *file = verb_file("one\n\nthree"), *empty = verb_file(""), expected[64];
    assert_int_equal(read_lines(file, 0), GR_OK);
    assert_string_equal(seen, "1:one\n|2:\n|3:three|");
    assert_int_equal(read_lines(file, 2), GR_BAD_INPUT);
    assert_string_equal(seen, "1:one\n|2:\n|");
    snprintf(expected, sizeof expected, "%s ends here", file);
    assert_string_equal(verb_error.text, expected);
    char *marked = verb_file("\xef\xbb\xbfone\n\xef\xbb\xbftwo\n"); /* a mark stands in front */
    assert_int_equal(read_lines(marked, 0), GR_OK);
    assert_string_equal(seen, "1:one\n|2:\xef\xbb\xbftwo\n|");
    verb_file_end(marked);
    assert_int_equal(read_lines(empty, 0), GR_OK);
    assert_string_equal(seen, "");
    verb_file_end(file);
    verb_file_end(empty);
}

static void test_no_file(void **state) {
    (void)state;
    assert_int_equal(read_lines("/no/such/file", 0), GR_BAD_INPUT);
    assert_string_equal(verb_error.text,
                        "/no/such/file: No such file or directory; expected lines");
    assert_int_equal(read_lines("/", 0), GR_BAD_INPUT); /* opens, and cannot be read */
    assert_string_equal(verb_error.text, "/: Is a directory; expected lines");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
