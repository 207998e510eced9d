/* host/grammar/tables.c: depths, recursion and reach of rules and productions, and the words of the
 * tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/program/expression.h"
#include "tests/bnf.h"

static void check_production(const uint32_t *g, uint32_t p, uint32_t depth, uint32_t nonterminals,
                             uint32_t recursive) {
    uint32_t word = gr_production(g, p);
    assert_int_equal(GR_PRODUCTION_DEPTH(word), depth);
    assert_int_equal(GR_PRODUCTION_NONTERMINALS(word), nonterminals);
    assert_int_equal(GR_PRODUCTION_RECURSIVE(word), recursive);
}

static void test_analysis(void **state) {
    (void)state;
    uint32_t words;
    gr_grammar *grammar = parse("<s> ::= <e> | <c>\n"
                                "<e> ::= <e>+<f> | <v>\n"
                                "<f> ::= (<e>) | <c> | ''\n"
                                "<v> ::= x<c> | y\n"
                                "<c> ::= 1 | 2\n");
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(words, g[GR_G_WORDS]);
    assert_int_equal(g[GR_G_RULES], 5);
    assert_int_equal(g[GR_G_PRODUCTIONS], 11);
    assert_int_equal(g[GR_G_TOKENS], 0);
    check_production(g, 0, 3, 1, 1);  /* <e>: x or y through <v> */
    check_production(g, 1, 2, 1, 0);  /* <c> */
    check_production(g, 2, 3, 2, 1);  /* <e>+<f> */
    check_production(g, 3, 2, 1, 0);  /* <v> */
    check_production(g, 4, 3, 1, 1);  /* (<e>) */
    check_production(g, 5, 2, 1, 0);  /* <c> */
    check_production(g, 6, 1, 0, 0);  /* '' */
    check_production(g, 7, 2, 1, 0);  /* x<c> */
    check_production(g, 8, 1, 0, 0);  /* y */
    check_production(g, 10, 1, 0, 0); /* 2 */
    gr_grammar_free(grammar);
}

static void test_tokens_of_terminals(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<e> ::= <e> + <e>|''x1|''<e>");
    gr_vocabulary vocabulary = {NULL, 3, 0, 0, 0, 0};
    gr_error error = {0};
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_OK);
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words), *token = g + g[GR_G_TOKEN];
    assert_int_equal(words, g[GR_G_WORDS]);
    assert_int_equal(g[GR_G_TOKENS], 2);
    assert_int_equal(gr_token_first(g, 0), 0); /* " + " */
    assert_int_equal(gr_token_first(g, 1), 1); /* "x1" */
    assert_int_equal(gr_token_first(g, 2), 2); /* "" */
    assert_int_equal(gr_token_first(g, 3), 2);
    assert_int_equal(token[0],
                     GR_TOKEN(GR_T_OPERATOR, 0) | GR_TOKEN_SPACE_BEFORE | GR_TOKEN_SPACE_AFTER);
    assert_int_equal(token[2], GR_TOKEN(GR_T_INPUT, 0));
    assert_int_equal(token[3], 1);
    gr_grammar_free(grammar);
}

/* A chain of rules as deep as the tables allow, in the order that is worst for iterating. */
static void test_deep(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; i < 32766; i++)
        fprintf(f, "<r%d> ::= (<r%d>) | <r%d>\n", i, i + 1, i + 1);
    fprintf(f, "<r32766> ::= x | 1\n");
    fclose(f);
    gr_grammar *grammar = parse(text);
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    check_production(g, 0, 32767, 1, 0);
    check_production(g, 65533, 1, 0, 0);
    const char *names[] = {"x"};
    gr_vocabulary vocabulary = {names, 1, 0, 0, 0, 0};
    gr_error error = {0};
    assert_int_equal(gr_grammar_tokenise(grammar, &vocabulary, &error), GR_OK);
    gr_grammar_free(grammar);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analysis),
        cmocka_unit_test(test_tokens_of_terminals),
        cmocka_unit_test(test_deep),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
