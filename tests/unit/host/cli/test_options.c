/* host/cli/options.c: options of verbs that are no settings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/cli/commands.h"

#include <stdint.h>
#include <string.h>

enum { MOST = 8 };

static const char *depth, *name;
static int json, quiet;
static const gr_option options[] = {{"depth", &depth, NULL},
                                    {"name", &name, NULL},
                                    {"json", NULL, &json},
                                    {"help", NULL, &quiet},
                                    {NULL, NULL, NULL}};

/* Reads words behind the verb, apart by blanks; the error's text, "" when there is none. */
static const char *read_words(const char *text) {
    static gr_error error;
    static char copy[256];
    char *argv[MOST] = {(char *)(uintptr_t) "verb"};
    int argc = 1;
    depth = name = NULL;
    json = quiet = 0;
    error.text[0] = '\0';
    strcpy(copy, text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    gr_status status = gr_options_read(argc, argv, options, &error);
    assert_int_equal(status, error.text[0] ? GR_BAD_INPUT : GR_OK);
    return error.text;
}

static void test_read(void **state) {
    (void)state;
    assert_string_equal(read_words(""), "");
    assert_true(!depth && !name && !json && !quiet);
    assert_string_equal(read_words("--depth 3 --json --name=a=b"), "");
    assert_string_equal(depth, "3");
    assert_string_equal(name, "a=b");
    assert_true(json && !quiet);
    assert_string_equal(read_words("--depth -3 -h"), ""); /* one dash begins no option */
    assert_string_equal(depth, "-3");
    assert_true(quiet);
    assert_string_equal(read_words("--depth 1 --depth 2 --name="), ""); /* the last one counts */
    assert_string_equal(depth, "2");
    assert_string_equal(name, "");
}

static void test_refused(void **state) {
    (void)state;
    assert_string_equal(read_words("--dept 3"), "--dept: unknown option; did you mean '--depth'?");
    assert_string_equal(read_words("--depths=3"),
                        "--depths=3: unknown option; did you mean '--depth'?");
    assert_string_equal(
        read_words("--elephant"),
        "--elephant: unknown option; expected one of the options in grampus verb --help");
    assert_string_equal(
        read_words("file.yaml"),
        "file.yaml: unknown argument; expected one of the options in grampus verb --help");
    assert_string_equal(read_words("--json=yes"), "--json takes no value; found 'yes'");
    assert_string_equal(read_words("--depth"), "--depth: no value; expected one");
    assert_string_equal(read_words("--depth --json"), "--depth: no value; expected one");
}

static void test_whole(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "x",
                                      "-1",
                                      "1",
                                      "11",
                                      "2.0",
                                      "0x3",
                                      " 3",
                                      "3 ",
                                      "+3",
                                      "2e0",
                                      "4294967298",
                                      "18446744073709551619"};
    uint32_t value = 77;
    gr_error error;
    assert_int_equal(gr_option_whole("n", NULL, 2, 10, &value, &error), GR_OK);
    assert_int_equal(value, 77); /* not given */
    assert_int_equal(gr_option_whole("n", "2", 2, 10, &value, &error), GR_OK);
    assert_int_equal(value, 2);
    assert_int_equal(gr_option_whole("n", "010", 2, 10, &value, &error), GR_OK);
    assert_int_equal(value, 10); /* nothing is octal */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (gr_option_whole("n", bad[i], 2, 10, &value, &error) != GR_BAD_INPUT)
            fail_msg("'%s' is taken", bad[i]);
        assert_non_null(strstr(error.text, "; expected a whole number from 2 to 10"));
    }
    assert_int_equal(value, 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_whole),
    };
    return cmocka_run_group_tests_name("options of verbs", tests, NULL, NULL);
}
