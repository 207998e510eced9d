/* host/cli/eval.c: an expression on the rows of a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static void test_outputs(void **state) {
    (void)state;
    char *table = verb_file("a,b,y\n1,2,3\n2,4,7\n-1,0.5,0\n");
    assert_int_equal(CALL(eval, "--expression", "a + b", "--data", table), GR_OK);
    assert_string_equal(verb_output, "3\n6\n-0.5\n");
    assert_int_equal(
        CALL(eval, "--expression=a + b", "--data", table, "--target", "y", "--metric", "sae"),
        GR_OK);
    assert_string_equal(verb_output, "3\n6\n-0.5\nsae: 1.5\n");
    assert_int_equal(CALL(eval, "--expression", "a + b", "--data", table, "--target", "y",
                          "--metric", "hits", "--tolerance", "0.6", "--json"),
                     GR_OK);
    assert_non_null(strstr(verb_output, "\"predictions\":[3,6,-0.5]"));
    assert_non_null(strstr(verb_output, "\"fitness\":2,\"metric\":\"hits\""));
    verb_file_end(table);
}

/* y = 1 + 2 x is fitted to x. */
static void test_scaling(void **state) {
    (void)state;
    char *table = verb_file("x,y\n0,1\n1,3\n2,5\n");
    assert_int_equal(CALL(eval, "--expression", "x", "--data", table, "--target", "y", "--metric",
                          "mse", "--linear-scaling"),
                     GR_OK);
    assert_string_equal(verb_output, "0\n1\n2\nmse: 0\nscaling: 1 + 2 * output\n");
    verb_file_end(table);
}

static void test_refused(void **state) {
    (void)state;
    char *table = verb_file("a\n1\n");
    assert_int_equal(CALL(eval, "--data", table), GR_BAD_INPUT);
    assert_string_equal(verb_error.text,
                        "no --expression; expected grampus eval --expression TEXT --data FILE");
    assert_int_equal(CALL(eval, "--expression", "a + c", "--data", table), GR_BAD_INPUT);
    assert_int_equal(strncmp(verb_error.text, "--expression:1:5: ", 18), 0);
    assert_int_equal(CALL(eval, "--expression", "a", "--dat", table), GR_BAD_INPUT);
    assert_string_equal(verb_error.text, "--dat: unknown option; did you mean '--data'?");
    assert_string_equal(verb_output, "");
    verb_file_end(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
