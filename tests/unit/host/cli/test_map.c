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
                                     "x\n    1 codon used, depth 2, 2 nodes\n"
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

/* A bad line is told of and takes a line of the answers; the others are mapped. */
/* What stands for GE_RANGE:dataset_..., and PonyGE2's blocks of Python. */
static void test_ranges_and_blocks(void **state) {
    (void)state;
    char *grammar = verb_file("<e> ::= <i>,<o>,<v>\n<i> ::= GE_RANGE:dataset_n_is\n"
                              "<o> ::= GE_RANGE:dataset_n_os\n<v> ::= GE_RANGE:dataset_n_vars\n"),
         *genomes = verb_file("[0, 4, 5, 6]\n"), python[256];
    assert_int_equal(CALL(map, "--grammar", grammar, "--genomes", genomes, "--n-is", "3"),
                     GR_BAD_INPUT);
    assert_non_null(strstr(verb_error.text, "GE_RANGE:dataset_n_os has no value here; expected "
                                            "--n-os N, or data to count in"));
    assert_int_equal(CALL(map, "--grammar", grammar, "--genomes", genomes, "--n-is", "3", "--n-os",
                          "4", "--n-vars", "5"),
                     GR_OK);
    assert_int_equal(strncmp(verb_output, "1,1,1\n", 6), 0);
    snprintf(python, sizeof python, "%s.pybnf", grammar);
    FILE *file = fopen(python, "w");
    fputs("<p> ::= def p():{:x = 0{::}for i in a:{:<s>:}{::}return x:}{::}p()\n<s> ::= x = i\n",
          file);
    fclose(file);
    assert_int_equal(CALL(map, "--grammar", python, "--genomes", genomes), GR_OK);
    assert_int_equal(strncmp(verb_output,
                             "def p():\n  x = 0\n  for i in a:\n    x = i\n  return x\n"
                             "p()\n",
                             56),
                     0);
    unlink(python);
    verb_file_end(grammar);
    verb_file_end(genomes);
}

static void test_refused(void **state) {
    (void)state;
    char *grammar = verb_file(GRAMMAR), *genomes = verb_file("[1]\n[1, -2]\n[2]\n");
    assert_int_equal(CALL(map, "--grammar", grammar, "--genomes", genomes), GR_BAD_INPUT);
    assert_string_equal(verb_output, "x\n    1 codon used, depth 2, 2 nodes\ninvalid: no genome\n"
                                     "y\n    1 codon used, depth 2, 2 nodes\n");
    assert_non_null(strstr(verb_error.text, ":2: codon 2 is -2; expected a whole number"));
    assert_int_equal(CALL(map, "--grammar", grammar, "--genomes", genomes, "--json"), GR_BAD_INPUT);
    const char *bad = strstr(verb_output, "\"error\":");
    assert_non_null(bad);
    assert_non_null(strstr(bad, "\"phenotype\":\"y\""));
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
        cmocka_unit_test(test_ranges_and_blocks),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
