/* host/grammar/terminals.c: the text of terminals, escapes and text outside ASCII. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/bnf.h"

static void test_escapes(void **state) {
    (void)state;
    check_rules("<a> ::= '\\n' | \\t | a\\\\b | '\\\"' | '\\x41\\u0042\\103' | '\\d' | \\0411",
                "[\n]|[\t]|[a\\b]|[\"]|[ABC]|[\\d]|[!1];");
    check_rules("<a> ::= '\\u00e9\\xe9\\u20ac\\U0001F600'",
                "[\xc3\xa9\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80];");
    check_rules("<a> ::= \\x7cy | z", "[|y]|[z];"); /* an escaped bar separates nothing */
    check_rules("<a> ::= \\n", "[\n];");            /* an escape is not trimmed */
    gr_grammar *grammar = parse("<a> ::= 'x\\1y'");
    size_t length;
    const char *text = gr_grammar_terminal(grammar, 0, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(text, "x\1y", 4);
    gr_grammar_free(grammar);
}

static void test_terminals_are_shared(void **state) {
    (void)state;
    uint32_t words;
    gr_grammar *grammar = parse("<s> ::= x<t>x | x | 'x' | \"\" <t> ::= '' | x | ' x'");
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(g[GR_G_TERMINALS], 3);
    gr_grammar_free(grammar);
}

/* Text outside ASCII stays as it is, quoted or not, beside escapes and in names; what is one text
 * escaped and not is one terminal. */
static void test_beyond_ascii(void **state) {
    (void)state;
    uint32_t words;
    check_rules("<a> ::= \xc3\xa9 | 'gr\xc3\xb6\xc3\x9f' e\\n | \xe2\x82\xac\"\xf0\x9f\x98\x80\"",
                "[\xc3\xa9]|[gr\xc3\xb6\xc3\x9f e\n]|[\xe2\x82\xac\xf0\x9f\x98\x80];");
    check_rules("<\xc3\xa9> ::= x # \xc3\xa9\n", "[x];");
    gr_grammar *grammar = parse("<a> ::= \xc3\xa9 | '\\xe9' | \\u00e9");
    assert_int_equal(gr_grammar_tables(grammar, &words)[GR_G_TERMINALS], 1);
    gr_grammar_free(grammar);
}

/* Also in comments; a character that only a terminal obeys is no text either. */
static void test_no_utf8(void **state) {
    (void)state;
    check_error("<a> ::= x\n  | '\xc3\xa9\xe9' | y", "g.bnf:2:7: byte 0xe9 is not text");
    check_error("<a> ::= x # caf\xe9\n", "g.bnf:1:16: byte 0xe9 is not text; expected a grammar in "
                                         "UTF-8");
    check_error("<a> ::= \xc3", "g.bnf:1:9: byte 0xc3 is not text");
    check_error("<a> ::= \xc2\x9b", "g.bnf:1:9: byte 0xc2 is not text");
}

/* An error in a terminal is where its escape is, also behind quotes and lines. */
static void test_positions(void **state) {
    (void)state;
    check_error("<a> ::= x\n  | 'ab\\x4'", "g.bnf:2:8: escape \\x is cut short");
    check_error("<a> ::= \"a\" 'b\\u12'", "g.bnf:1:15: escape \\u is cut short");
    check_error("<a> ::= x | \\U00110000", "g.bnf:1:13: escape \\U00110000 is no character");
    /* columns count characters, before and behind the one that was told of last */
    check_error("<a> ::= \xc3\xa9\xe2\x82\xac | '\xf0\x9f\x98\x80\\x4'",
                "g.bnf:1:16: escape \\x is cut short");
    check_error("<\xc3\xa9> ::= \xc3\xa9 <\xc3\xb6> | z | <\xc3\xa9> x",
                "g.bnf:1:11: non-terminal <\xc3\xb6> has no rule");
}

/* Octal digits: three at most; others stay behind. UTF-8 of every length. */
static void test_characters(void **state) {
    (void)state;
    check_rules("<a> ::= '\\7' | '\\101B' | '\\1018'", "[\a]|[AB]|[A8];");
    check_rules("<a> ::= '\\x7f' | '\\x80' | '\\u07ff' | '\\u0800' | '\\uffff' | '\\U00010000'",
                "[\x7f]|[\xc2\x80]|[\xdf\xbf]|[\xe0\xa0\x80]|[\xef\xbf\xbf]|[\xf0\x90\x80\x80];");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escapes),   cmocka_unit_test(test_terminals_are_shared),
        cmocka_unit_test(test_positions), cmocka_unit_test(test_beyond_ascii),
        cmocka_unit_test(test_no_utf8),   cmocka_unit_test(test_characters),
    };
    return cmocka_run_group_tests_name("terminals", tests, NULL, NULL);
}
