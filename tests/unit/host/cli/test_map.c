/* host/cli/map.c: a line of codons in, a phenotype out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/verbs.h"

static const char GRAMMAR[] = "<e> ::= <e>+<e> | x | y\n";

static void test_lines(void **state) {
    (void)state;
    char *grammar = verb_file(GRAMMAR), *genomes = verb_file("[0, 1, 2]\n[4]\n[0, 0]\n");
    assert_int_equal(CALL(map, "--grammar", grammar, "--genomes", genomes), GR_OK);
    assert_string_equal(verb_output, "x+y\n    3 codons used, depth 3, 5 nodes\n"
                                     "x\n    1 codons used, depth 2, 2 nodes\n"
                                     "invalid: out of codons\n");
    assert_int_equal(CALL(map, "--grammar", grammar, "--genomes", genomes, "--json"), GR_OK);
    assert_non_null(strstr(verb_output, "\"phenotype\":\"x+y\",\"used_codons\":3,\"depth\":3"));
    assert_non_null(strstr(verb_output, "{\"valid\":false,"));
    assert_int_equal(CALL(map, "--grammar", grammar, "--genomes", genomes, "--max-depth", "2"),
                     GR_OK);
    assert_int_equal(strncmp(verb_output, "invalid: deeper than max-depth\nx\n", 33), 0);
    verb_file_end(grammar);
    verb_file_end(genomes);
}

/* The first bad line ends it; those before it are answered. */
static void test_refused(void **state) {
    (void)state;
    char *grammar = verb_file(GRAMMAR), *genomes = verb_file("[1]\n[1, -2]\n[2]\n");
    assert_int_equal(CALL(map, "--grammar", grammar, "--genomes", genomes), GR_BAD_INPUT);
    assert_string_equal(verb_output, "x\n    1 codons used, depth 2, 2 nodes\n");
    assert_non_null(strstr(verb_error.text, ":2: codon 2 is no codon; expected a whole number"));
    assert_int_equal(CALL(map, "--grammar", grammar), GR_BAD_INPUT);
    assert_string_equal(verb_error.text,
                        "no --genomes; expected grampus map --grammar FILE --genomes FILE");
    assert_int_equal(CALL(map, "--genomes", genomes), GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "no --grammar;"));
    verb_file_end(grammar);
    verb_file_end(genomes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
