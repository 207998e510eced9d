/* host/cli/main.c: how a verb is found, and what is said where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

#define main program_main
#include "host/cli/main.c" /* NOLINT: its functions are static */
#undef main

static gr_status command(int argc, char **argv, gr_error *error) {
    return call(argc, argv, error);
}
#define GRAMPUS(...) call_verb(command, (const char *const[]){"grampus", ##__VA_ARGS__, NULL})

static void test_verbs(void **state) {
    (void)state;
    assert_int_equal(GRAMPUS("--help"), GR_OK);
#define GR_VERB(name, help) assert_non_null(strstr(verb_output, #name));
#include "host/cli/verbs.def"
    assert_int_equal(GRAMPUS("--version"), GR_OK);
    assert_int_equal(strncmp(verb_output, "grampus ", 8), 0);
    assert_non_null(strstr(verb_output, grampus_version()));
    assert_int_equal(GRAMPUS("map", "--help"), GR_OK); /* the verb's own */
    assert_int_equal(strncmp(verb_output, "usage: grampus map ", 19), 0);
}

static void test_unknown(void **state) {
    (void)state;
    assert_int_equal(GRAMPUS(), GR_BAD_INPUT);
    assert_string_equal(
        verb_error.text,
        "no verb; expected run, resume, experiment, map, parse, grammar, eval, "
        "report, export, predict, verify, bench, devices or selftest (grampus --help)");
    assert_int_equal(GRAMPUS("prase"), GR_BAD_INPUT);
    assert_string_equal(verb_error.text, "prase: unknown verb; did you mean 'parse'?");
    assert_int_equal(GRAMPUS("--elephant"), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "--elephant: unknown option; expected run, resume"));
    assert_string_equal(verb_output, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verbs),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
