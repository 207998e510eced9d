/* host/grammar/codon.c: <GECodonValue...> as rules, and the text of a value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/mapping/codon_value.h"
#include "tests/bnf.h"

/* The value of a codon under the only rule, NULL: the terminal is no value. */
static const char *value_of(const gr_grammar *grammar, uint32_t rule, uint32_t codon,
                            char out[32]) {
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    uint32_t symbol = gr_symbol(g, gr_symbol_first(g, gr_rule_first(g, rule)));
    return gr_grammar_codon_text(grammar, symbol, codon, out) ? out : NULL;
}

static void check_value(const char *name, uint32_t codon, const char *expected) {
    char text[128], out[32];
    snprintf(text, sizeof text, "<s> ::= %s", name);
    gr_grammar *grammar = parse(text);
    const char *got = value_of(grammar, 1, codon, out);
    if (!got || strcmp(got, expected) != 0)
        fail_msg("%s of %u: %s, expected %s", name, codon, got ? got : "none", expected);
    gr_grammar_free(grammar);
}

/* Ranges in GEVA's and libGE's spelling: whole ones go round, those with a point scale with the
 * codon size, here 100000. */
static void test_values(void **state) {
    (void)state;
    check_value("<GECodonValue>", 12, "12");
    check_value("<GECodonValue-3+5>", 0, "3");
    check_value("<GECodonValue-3+5>", 2, "5");
    check_value("<GECodonValue-3+5>", 3, "3");
    check_value("<GECodonValue[-2,2]>", 0, "-2");
    check_value("<GECodonValue[-2,2]>", 4, "2");
    check_value("<GECodonValue[-2,2]>", 5, "-2");
    check_value("<GECodonValue(-2,2)>", 0, "-1");
    check_value("<GECodonValue(-2,2)>", 3, "-1");
    check_value("<GECodonValue[0.0,1.0]>", 0, "0.000000");
    check_value("<GECodonValue[0.0,1.0]>", 100000, "1.000000");
    check_value("<GECodonValue[0.0,1.0]>", 50000, "0.500000");
    check_value("<GECodonValue[-0.5,0.5]>", 25000, "-0.250000");
}

/* Rules for the names come behind all others; a set is a rule of words, and one that is written
 * stays. */
static void test_rules(void **state) {
    (void)state;
    char out[32];
    uint32_t words;
    gr_grammar *grammar = parse("<s> ::= <GECodonValue>|<GECodonValue{a, b ,-2}>|<t>\n<t> ::= 1|2");
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(g[GR_G_RULES], 4);
    assert_int_equal(g[GR_G_FIRST_VALUE], 3);
    assert_string_equal(gr_grammar_rule_name(grammar, 2), "GECodonValue{a, b ,-2}");
    assert_int_equal(gr_rule_first(g, 3) - gr_rule_first(g, 2), 3);
    assert_null(value_of(grammar, 1, 0, out));
    assert_null(value_of(grammar, 2, 0, out));
    assert_string_equal(value_of(grammar, 3, 77, out), "77");
    gr_grammar_free(grammar);
    grammar = parse("<s> ::= <GECodonValue> | y\n<GECodonValue> ::= a | b");
    g = gr_grammar_tables(grammar, &words);
    assert_true(g[GR_G_RULES] == 2 && g[GR_G_FIRST_VALUE] == 2);
    gr_grammar_free(grammar);
}

static void test_refused(void **state) {
    (void)state;
    check_error("<s> ::= x | <GECodonValue-5+3>", "g.bnf:1:13: <GECodonValue-5+3> has no values");
    check_error("<s> ::= <GECodonValue[1,2>", "g.bnf:1:9: <GECodonValue[1,2> is no range");
    check_error("<s> ::= <GECodonValue{a,}>", "g.bnf:1:9: an empty value");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("codon values", tests, NULL, NULL);
}
