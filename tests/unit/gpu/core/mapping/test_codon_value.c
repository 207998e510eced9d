/* <GECodonValue...>: the numbers GEVA and libGE give, text and tokens that agree, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/derivation/phenotype.h"
#include "host/grammar/grammar.h"
#include "tests/core.h"

#include <stdio.h>

static gr_grammar *load(const char *text, gr_error *error) {
    const gr_grammar_context context = {.codon_size = 1000};
    gr_grammar *grammar = NULL;
    gr_grammar_parse(text, strlen(text), "g.bnf", &context, &grammar, error);
    return grammar;
}

/* Values of codons 0, 1, 2, ... of one form, blanks between. */
static void check_values(const char *name, const char *expected) {
    char text[128], got[512] = "";
    gr_error error = {0};
    snprintf(text, sizeof text, "<s> ::= %s", name);
    gr_grammar *grammar = load(text, &error);
    if (!grammar)
        fail_msg("%s", error.text);
    for (uint32_t codon = 0; strlen(got) < strlen(expected); codon++) {
        uint32_t genome[2] = {7, codon};
        gr_phenotype p;
        assert_int_equal(gr_derive_phenotype(grammar, genome, 2, 0, 3, &p, &error), GR_OK);
        assert_int_equal(p.validity, GR_VALID);
        assert_int_equal(p.used, 2);
        assert_int_equal(p.depth, 3);
        assert_int_equal(p.nodes, 3);
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", *got ? " " : "", p.text);
        gr_phenotype_free(&p);
    }
    assert_string_equal(got, expected);
    gr_grammar_free(grammar);
}

static void test_forms(void **state) {
    (void)state;
    check_values("<GECodonValue-3+5>", "3 4 5 3 4 5 3 4 5 3 4");
    check_values("<GECodonValue+2>", "0 1 2 0 1");
    check_values("<GECodonValue-4+4>", "4 4 4");
    check_values("<GECodonValue{x,y, z}>", "x y z x y z");
    check_values("<GECodonValue[-10,-5]>", "-10 -9 -8 -7 -6 -5 -10");
    check_values("<GECodonValue[-10,-5)>", "-10 -9 -8 -7 -6 -10");
    check_values("<GECodonValue(-10,-5]>", "-9 -8 -7 -6 -5 -9");
    check_values("<GECodonValue(-10,-5)>", "-9 -8 -7 -6 -9");
    check_values("<GECodonValue>", "0 1 2 3 4 5 6 7 8 9 10 11");
    check_values("<GECodonValue[6.0,7.0]>", "6.000000 6.001000 6.002000 6.003000");
    check_values("<GECodonValue[6e2, 7e2]>", "600.000000 600.100000 600.200000");
    check_values("<GECodonValue[-1.0, 1.0]>", "-1.000000 -0.998000 -0.996000");
    check_values("<GECodonValue(0.0,1.0)>", "0.000998 0.001996 0.002994"); /* 1/1002, 2/1002 */
    check_values("<GECodonValue[0.0,1.0)>", "0.000000 0.000999 0.001998");
    check_values("<GECodonValue[0.0,2000000000.5]>", "0 2000000 4000000");
}

static void check_one(const char *name, uint32_t codon, const char *expected) {
    char text[128];
    gr_error error = {0};
    uint32_t genome[2] = {0, codon};
    gr_phenotype p;
    snprintf(text, sizeof text, "<s> ::= %s", name);
    gr_grammar *grammar = load(text, &error);
    assert_int_equal(gr_derive_phenotype(grammar, genome, 2, 0, 3, &p, &error), GR_OK);
    assert_string_equal(p.text, expected);
    gr_phenotype_free(&p);
    gr_grammar_free(grammar);
}

static void test_ends(void **state) {
    (void)state;
    check_one("<GECodonValue>", 4294967295u, "4294967295");
    check_one("<GECodonValue[0.0,1.0]>", 1000, "1.000000");
    check_one("<GECodonValue[0.0,1.0]>", 1001, "0.000000"); /* beyond the codon size */
    check_one("<GECodonValue[0.0,1.0)>", 1000, "0.999001");
    check_one("<GECodonValue(0.0,1.0)>", 1000, "0.999002");
    check_one("<GECodonValue[-2147483647,2147483647]>", 0, "-2147483647");
    check_one("<GECodonValue[-2147483647,2147483647]>", 4294967294u, "2147483647");
    check_one("<GECodonValue[-2147483000.5,2147483000.5]>", 1000, "2147483000");
}

/* The largest codon size: a tenth of all codons is a step. */
static void test_all_codons(void **state) {
    (void)state;
    const gr_codon_value closed = {.span = 10, .scale = 0xffffffffu},
                         low_open = {.span = 10, .scale = 0xffffffffu, .ends = GR_CODON_LOW_OPEN};
    assert_int_equal(gr_codon_number(closed, 0), 0);
    assert_int_equal(gr_codon_number(closed, 0x0ccccccbu), 0); /* below half a step */
    assert_int_equal(gr_codon_number(closed, 0x0cccccceu), 1);
    assert_int_equal(gr_codon_number(closed, 0x80000000u), 5);
    assert_int_equal(gr_codon_number(closed, 0xffffffffu), 10);
    assert_int_equal(gr_codon_number(low_open, 0), 0); /* the least above 0 is rounded */
    assert_int_equal(gr_codon_number(low_open, 0xffffffffu), 10);
}

static void check_refused(const char *text, const char *expected) {
    gr_error error = {0};
    assert_null(load(text, &error));
    if (strncmp(error.text, expected, strlen(expected)) != 0 || !strstr(error.text, "; expected "))
        fail_msg("got \"%s\", expected \"%s\"", error.text, expected);
}

static void test_refused(void **state) {
    (void)state;
    check_refused("<s> ::= <GECodonValue-5>", "g.bnf:1:9: <GECodonValue-5> is no range");
    check_refused("<s> ::= <GECodonValue-5+3>", "g.bnf:1:9: <GECodonValue-5+3> has no values");
    check_refused("<s> ::= x | <GECodonValue5>", "g.bnf:1:13: <GECodonValue5> is no range");
    check_refused("<s> ::= <GECodonValue-1+2x>", "g.bnf:1:9: ");
    check_refused("<s> ::= <GECodonValue-0+99999999999>", "g.bnf:1:9: ");
    check_refused("<s> ::= <GECodonValue[1,2>", "g.bnf:1:9: <GECodonValue[1,2> is no range");
    check_refused("<s> ::= <GECodonValue[1]>", "g.bnf:1:9: ");
    check_refused("<s> ::= <GECodonValue[>", "g.bnf:1:9: ");
    check_refused("<s> ::= <GECodonValue[nan,2]>", "g.bnf:1:9: ");
    check_refused("<s> ::= <GECodonValue[1,3e9]>", "g.bnf:1:9: ");
    check_refused("<s> ::= <GECodonValue(1,2)>", "g.bnf:1:9: <GECodonValue(1,2)> has no values");
    check_refused("<s> ::= <GECodonValue[2.0,1.0]>", "g.bnf:1:9: ");
    check_refused("<s> ::= <GECodonValue{>", "g.bnf:1:9: the set of <GECodonValue{...> is not");
    check_refused("<s> ::= <GECodonValue{\xc3\xa9}>", "g.bnf:1:9: a <GECodonValue...> that is not");
    check_refused("<s> ::= <GECodonValue{a,}>", "g.bnf:1:9: an empty value");
}

/* A rule of that name is a rule. */
static void test_rule_wins(void **state) {
    (void)state;
    gr_error error = {0};
    uint32_t genome[2] = {0, 5};
    gr_phenotype p;
    gr_grammar *grammar = load("<s> ::= <GECodonValue>\n<GECodonValue> ::= a | b", &error);
    assert_int_equal(gr_derive_phenotype(grammar, genome, 2, 0, 3, &p, &error), GR_OK);
    assert_string_equal(p.text, "b");
    gr_phenotype_free(&p);
    gr_grammar_free(grammar);
}

/* The nodes a genome maps to are those of its printed phenotype. */
static void test_text_and_nodes_agree(void **state) {
    (void)state;
    static const char text[] =
        "<e> ::= <e>+<e> | <e>*<v> | sin(<v>) | <v> | -<v> | x0-<v> | <i>.<v2> | 1<w>\n"
        "<v> ::= <GECodonValue> | <GECodonValue[-20,20]> | <GECodonValue[-1.0,2.5]> | "
        "<GECodonValue-3+5> | <GECodonValue{x0,1.5,-2}> | <GECodonValue(0.0,1e6)>\n"
        "<v2> ::= <GECodonValue-0+99>\n<w> ::= <GECodonValue[0.0,9.5]> | 5\n"
        "<i> ::= <GECodonValue-0+9> | <i><i>";
    const gr_vocabulary vocabulary = {NULL, 1, 0, 0, 0, 0};
    core_dice dice = {17};
    gr_error error = {0};
    gr_grammar *grammar = load(text, &error);
    int same = 0;
    if (!grammar || gr_grammar_tokenise(grammar, &vocabulary, &error))
        fail_msg("%s", error.text);
    for (int i = 0; i < 20000; i++) {
        gr_params p = {.max_nodes = 100, .max_nesting = 100, .max_depth = 12, .inputs = 1};
        uint32_t genome[40], words, count, read;
        gr_phenotype phenotype;
        gr_node *nodes = NULL, *again = NULL;
        for (int k = 0; k < 40; k++)
            genome[k] = core_roll(&dice, i % 2 ? 0 : 100001);
        assert_int_equal(gr_map_genome(&p, gr_grammar_tables(grammar, &words), genome, 40, &nodes,
                                       &count, &error),
                         GR_OK);
        assert_int_equal(gr_derive_phenotype(grammar, genome, 40, 0, 12, &phenotype, &error),
                         GR_OK);
        if (phenotype.text) {
            gr_status status =
                gr_read_expression(phenotype.text, "text", &vocabulary, &again, &read, &error);
            if ((status == GR_OK) != (nodes != NULL) && count < 100)
                fail_msg("\"%s\": %s", phenotype.text,
                         status ? error.text : "read, but not mapped");
            if (nodes) {
                assert_int_equal(read, count);
                assert_memory_equal(nodes, again, count * sizeof *nodes);
                same++;
            }
        }
        free(nodes);
        free(again);
        gr_phenotype_free(&phenotype);
    }
    assert_true(same > 8000);
    gr_grammar_free(grammar);
}

static void test_boolean(void **state) {
    (void)state;
    const gr_vocabulary vocabulary = {NULL, 2, 1, 0, 0, 0};
    gr_error error = {0};
    gr_grammar *grammar =
        load("<b> ::= (<b> & <b>) | x<GECodonValue[0,1]> | <GECodonValue-0+1>", &error);
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_OK);
    gr_grammar_free(grammar);
    grammar = load("<b> ::= x0 | <GECodonValue[-1,1]>", &error);
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_BAD_INPUT);
    assert_non_null(
        strstr(error.text, "g.bnf:1:14: terminal \"GECodonValue[-1,1]\": numbers below"));
    gr_grammar_free(grammar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),      cmocka_unit_test(test_ends),
        cmocka_unit_test(test_all_codons), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_rule_wins),  cmocka_unit_test(test_text_and_nodes_agree),
        cmocka_unit_test(test_boolean),
    };
    return cmocka_run_group_tests_name("codon values", tests, NULL, NULL);
}
