/* Grammars seen through grampus.h alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/library.h"

static const char sums[] =
    "<e> ::= (<e> <o> <e>) | <v> | <v>\n<o> ::= + | - | *\n<v> ::= a | b | 0.5\n";

static void test_grammar(void **state) {
    grampus_error error;
    grampus_grammar *grammar;
    grampus_grammar_facts facts;
    grampus_derivation d;
    grampus_phenotype p;
    double count[5];
    char *text;
    const grampus_symbols symbols = {.n_vars = 2, .n_is = 3};
    (void)state;
    check_ok(grampus_grammar_parse(sums, NULL, &grammar, &error), &error);
    check_ok(grampus_grammar_describe(grammar, &facts, &error), &error);
    assert_int_equal(facts.rules, 3);
    assert_int_equal(facts.productions, 9);
    assert_int_equal(facts.recursive_rules, 1);
    assert_int_equal(facts.least_depth, 3);
    check_ok(grampus_grammar_count(grammar, 4, count, &error), &error);
    assert_true(isinf(count[2]) && fabs(count[3] - log10(6)) < 1e-12); /* two ways to a, b, 0.5 */
    assert_true(fabs(count[4] - log10(6 + 6 * 3 * 6)) < 1e-12);
    check_ok(grampus_grammar_derive(grammar, "(a + (b * 0.5))", &d, &error), &error);
    assert_true(d.found);
    check_ok(grampus_grammar_map(grammar, d.genome, d.length, &p, &error), &error);
    assert_string_equal(p.text, "(a + (b * 0.5))");
    grampus_phenotype_free(&p);
    grampus_derivation_free(&d);
    check_ok(grampus_grammar_derive(grammar, "(a + c)", &d, &error), &error);
    assert_false(d.found);
    assert_int_equal(d.reached, 5);
    check_ok(grampus_grammar_text(grammar, &text, &error), &error);
    assert_non_null(strstr(text, "<o> ::="));
    grampus_text_free(text);
    grampus_grammar_free(grammar);
    assert_int_equal(
        grampus_grammar_parse("<v> ::= GE_RANGE:dataset_n_is\n", NULL, &grammar, &error),
        GRAMPUS_BAD_INPUT);
    assert_memory_equal(error.text, "grammar:1:", 10);
    check_ok(grampus_grammar_parse("<v> ::= GE_RANGE:dataset_n_is\n", &symbols, &grammar, &error),
             &error);
    check_ok(grampus_grammar_describe(grammar, &facts, &error), &error);
    assert_int_equal(facts.productions, 3);
    grampus_grammar_free(grammar);
}

/* The settings of a run decide how genomes are read. */
static void test_reading(void **state) {
    grampus_error error;
    grampus_settings *s;
    grampus_grammar *grammar;
    grampus_phenotype p;
    const uint32_t genome[] = {1, 0}; /* eager: <e>, <v>; lazy reads the same here; wraps do not */
    const uint32_t one[] = {1};
    (void)state;
    check_ok(grampus_settings_new(&s, &error), &error);
    check_ok(grampus_grammar_parse("<e> ::= <v>\n<v> ::= a | b\n", NULL, &grammar, &error), &error);
    check_ok(grampus_grammar_map(grammar, genome, 2, &p, &error), &error);
    assert_string_equal(p.text, "a");
    grampus_phenotype_free(&p);
    check_ok(grampus_grammar_map(grammar, one, 1, &p, &error), &error);
    assert_false(p.valid);
    set(s, "codon-consumption", "lazy");
    check_ok(grampus_grammar_read_as(grammar, s, &error), &error);
    check_ok(grampus_grammar_map(grammar, genome, 2, &p, &error), &error);
    assert_string_equal(p.text, "b");
    assert_int_equal(p.used_codons, 1);
    grampus_phenotype_free(&p);
    set(s, "genotype", "structured");
    assert_int_equal(grampus_grammar_read_as(grammar, s, &error), GRAMPUS_BAD_INPUT);
    set(s, "codon-consumption", "eager");
    set(s, "max-genome-length", "1");
    check_ok(grampus_grammar_read_as(grammar, s, &error), &error);
    check_ok(grampus_grammar_map(grammar, one, 1, &p, &error), &error);
    assert_string_equal(p.text, "b");
    grampus_phenotype_free(&p);
    assert_int_equal(grampus_grammar_map(grammar, one, 0, &p, &error), GRAMPUS_BAD_INPUT);
    assert_null(p.text); /* a gene behind the genome was read */
    assert_string_equal(error.text,
                        "a genome of 0 genes; expected 1, the lists of this grammar one "
                        "after another");
    grampus_grammar_free(grammar);
    grampus_settings_free(s);
}

/* A text that no genome maps to within max-depth has none; before it had one that is invalid. */
static void test_too_deep(void **state) {
    grampus_error error;
    grampus_settings *s;
    grampus_grammar *grammar;
    grampus_derivation d;
    char text[90] = "";
    (void)state;
    memset(text, 'a', 88);
    text[88] = 'b';
    check_ok(grampus_grammar_parse("<e> ::= a<e> | b\n", NULL, &grammar, &error), &error);
    assert_int_equal(grampus_grammar_derive(grammar, text, &d, &error), GRAMPUS_OK);
    assert_int_equal(d.depth, 90);
    grampus_derivation_free(&d);
    check_ok(grampus_settings_new(&s, &error), &error);
    set(s, "max-depth", "89");
    check_ok(grampus_grammar_read_as(grammar, s, &error), &error);
    assert_int_equal(grampus_grammar_derive(grammar, text, &d, &error), GRAMPUS_BAD_INPUT);
    assert_null(d.genome);
    assert_string_equal(error.text,
                        "the text has a derivation of depth 90; expected at most max-depth 89");
    grampus_grammar_free(grammar);
    grampus_settings_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grammar),
                                       cmocka_unit_test(test_reading),
                                       cmocka_unit_test(test_too_deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
