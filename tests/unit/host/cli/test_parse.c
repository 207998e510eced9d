/* host/cli/parse.c: a phenotype in, the codons that derive it out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static const char GRAMMAR[] = "<e> ::= <e>+<e> | x | y\n";

static void test_found(void **state) {
    (void)state;
    char *grammar = verb_file(GRAMMAR), *texts = verb_file("y\nx+y\n"),
         *quoted = verb_file("\"x\"\n\"x*y\"\n");
    assert_int_equal(CALL(parse, "--grammar", grammar, "--phenotypes", texts, "--codon-size", "2"),
                     GR_OK);
    const char *genome = strstr(verb_output, "[2]");
    assert_non_null(genome);
    assert_non_null(strstr(genome, "[0, 1, 2]"));
    assert_int_equal(
        CALL(parse, "--grammar", grammar, "--phenotypes", quoted, "--json", "--strings"), GR_OK);
    const char *first = strstr(verb_output, "true"), *second = strstr(verb_output, "false");
    assert_true(first && second && first < second);
    /* --json is about what comes out */
    assert_int_equal(CALL(parse, "--grammar", grammar, "--phenotypes", texts, "--json"), GR_OK);
    assert_string_equal(verb_output,
                        "{\"valid\":true,\"genome\":[2],\"depth\":2,\"nodes\":2}\n"
                        "{\"valid\":true,\"genome\":[0,1,2],\"depth\":3,\"nodes\":5}\n");
    verb_file_end(grammar);
    verb_file_end(texts);
    verb_file_end(quoted);
}

static void test_refused(void **state) {
    (void)state;
    char *grammar = verb_file(GRAMMAR), *texts = verb_file("x\nx+z\ny\n");
    assert_int_equal(CALL(parse, "--grammar", grammar, "--phenotypes", texts), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, ":2:3: not a sentence of "));
    assert_string_equal(verb_output, "[1]\ninvalid: not a sentence\n[2]\n"); /* it goes on */
    assert_int_equal(CALL(parse, "--grammar", grammar, "--phenotypes", texts, "--strings"),
                     GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, ":3: no phenotype; expected a JSON string"));
    assert_int_equal(CALL(parse, "--grammar", grammar), GR_BAD_INPUT);
    assert_string_equal(verb_error.text,
                        "no --phenotypes; expected grampus parse --grammar FILE --phenotypes FILE");
    verb_file_end(grammar);
    verb_file_end(texts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
