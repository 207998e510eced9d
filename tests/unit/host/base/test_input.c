/* host/base/input.h: whole files, those that do not end, and what is no text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/base/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/grampus-input-XXXXXX";

static int set_up(void **state) {
    (void)state;
    return close(mkstemp(path));
}
static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

static void write_bytes(const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_read(void **state) {
    (void)state;
    static char bytes[100000];
    char *text;
    size_t length;
    gr_error error;
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (char)(k * 7 % 251);
    for (size_t size = 0; size <= sizeof bytes; size = 3 * size + 1) {
        write_bytes(bytes, size);
        assert_int_equal(gr_input_read(path, "x", 1 << 20, &text, &length, &error), GR_OK);
        assert_int_equal(length, size);
        assert_true(text[size] == '\0');
        assert_memory_equal(text, bytes, size);
        free(text);
    }
    write_bytes(bytes, 1000); /* of more than are asked for one more */
    for (size_t most = 998; most <= 1001; most++) {
        assert_int_equal(gr_input_read(path, "x", most, &text, &length, &error), GR_OK);
        assert_int_equal(length, most < 999 ? most + 1 : 1000);
        free(text);
    }
    assert_int_equal(gr_input_read("/dev/zero", "x", 5000, &text, &length, &error), GR_OK);
    assert_int_equal(length, 5001);
    free(text);
}

static void test_text(void **state) {
    (void)state;
    char *text;
    size_t length;
    gr_error error;
    char expected[128];
    write_bytes("one\ntwo\nthr\0ee\n", 16);
    assert_int_equal(gr_input_read_text(path, "lines", 100, &text, &length, &error), GR_BAD_INPUT);
    snprintf(expected, sizeof expected, "%s:3:4: a NUL character; expected text", path);
    assert_string_equal(error.text, expected);
    free(text);
    write_bytes("one\ntwo\n", 8);
    assert_int_equal(gr_input_read_text(path, "lines", 8, &text, &length, &error), GR_OK);
    free(text);
    write_bytes("\xef\xbb\xbfone\n", 7);
    assert_int_equal(gr_input_read_text(path, "lines", 8, &text, &length, &error), GR_OK);
    assert_true(length == 4 && strcmp(text, "one\n") == 0);
    free(text);
    write_bytes("one\ntwo\n", 8);
    assert_int_equal(gr_input_read_text(path, "lines", 7, &text, &length, &error), GR_BAD_INPUT);
    snprintf(expected, sizeof expected, "%s: more than 0 MB; expected lines of at most that", path);
    assert_string_equal(error.text, expected);
    free(text);
}

static void test_refused(void **state) {
    (void)state;
    char *text;
    size_t length;
    gr_error error;
    assert_int_equal(gr_input_read("/nonexistent", "x", 9, &text, &length, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "/nonexistent: No such file or directory; expected x");
    free(text);
    assert_int_equal(gr_input_read("/tmp", "x", 9, &text, &length, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "/tmp: Is a directory; expected x");
    free(text);
    errno = ENOMEM;
    assert_int_equal(gr_input_fail("f", "x", &error), GR_NO_MEMORY);
    assert_string_equal(error.text, "f: out of memory while reading");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_text),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests_name("input", tests, set_up, tear_down);
}
