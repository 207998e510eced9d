/* host/cli/grammar.c: a grammar checked, shown, counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static void test_actions(void **state) {
    (void)state;
    char *grammar = verb_file("<e> ::= <e>+<e> | x | y\n");
    assert_int_equal(CALL(grammar, "check", grammar, "--inputs", "x,y"), GR_OK);
    assert_non_null(strstr(verb_output, grammar));
    assert_int_equal(CALL(grammar, "check", grammar), GR_NO_EXPRESSIONS);
    assert_int_equal(GR_NO_EXPRESSIONS, 7);
    assert_non_null(strstr(verb_error.text, "its sentences are no expressions; expected those"));
    assert_int_equal(CALL(grammar, "show", grammar), GR_OK);
    assert_non_null(strstr(verb_output, "2 non-terminals, recursive"));
    assert_int_equal(CALL(grammar, "show", grammar, "--bnf"), GR_OK);
    assert_non_null(strstr(verb_output, "<e> ::= "));
    assert_int_equal(CALL(grammar, "show", grammar, "--dot"), GR_OK);
    assert_int_equal(strncmp(verb_output, "digraph", 7), 0);
    /* x, y; then those two and the four sums of them */
    assert_int_equal(CALL(grammar, "stats", grammar, "--max-depth", "3", "--json"), GR_OK);
    assert_non_null(strstr(verb_output, "\"depth\":2,\"derivations\":\"2\""));
    assert_non_null(strstr(verb_output, "\"depth\":3,\"derivations\":\"6\""));
    verb_file_end(grammar);
}

static void test_refused(void **state) {
    (void)state;
    char *broken = verb_file("<e> ::= <f>\n");
    assert_int_equal(CALL(grammar), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text,
                           "expected grampus grammar check|show|stats|measure|units|make FILE"));
    assert_int_equal(CALL(grammar, "chek", broken), GR_BAD_INPUT);
    assert_string_equal(verb_error.text, "grammar chek: no such action; did you mean 'check'?");
    assert_int_equal(CALL(grammar, "check"), GR_BAD_INPUT);
    assert_string_equal(
        verb_error.text,
        "no grammar; expected grampus grammar check|show|stats|measure|units|make FILE");
    assert_int_equal(CALL(grammar, "check", broken), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, ":1:9: "));
    verb_file_end(broken);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_actions),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
