/* host/grammar/parse.c: PonyGE2's dialect, row by row, and the position of every error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/bnf.h"

static void test_rules_and_productions(void **state) {
    (void)state;
    check_rules("<a> ::= x | y", "[x]|[y];");
    check_rules("<a>::=x|y", "[x]|[y];");
    check_rules("<a>   ::=\n  x\n| y\n", "[x]|[y];");
    check_rules("<a> ::= <b> | z <b> ::= x", "<b>|[z];[x];"); /* two rules on a line */
    check_rules("<a> ::= <b>\n<b> ::= x\n", "<b>;[x];");
    check_rules("<a> ::= x || y | | z |", "[x]|[y]|[z];");    /* blank productions drop out */
    check_rules("<a> ::= x | x | y | x", "[x]|[x]|[y]|[x];"); /* repeated ones are weights */
    check_rules("<a\xc3\xa9> ::= x | <a\xc3\xa9>", "[x]|<a\xc3\xa9>;");
    check_rules("<a> ::= x | y\r\n<b> ::= z\r\n", "[x]|[y];[z];"); /* CR LF */
    check_rules("\xef\xbb\xbf<a> ::= x", "[x];");                  /* byte order mark */
    check_rules("junk\n<a> ::= x", "[x];");
}

static void test_quotes(void **state) {
    (void)state;
    check_rules("<a> ::= 'x|y' | \"<a>\" | '#' | 'it is \"so\"' | \"don't\"",
                "[x|y]|[<a>]|[#]|[it is \"so\"]|[don't];");
    check_rules("<a> ::= '' | x", "[]|[x];");
    check_rules("<a> ::= ''<b> <b> ::= '<b>'<b> | y", "[]<b>;[<b>]<b>|[y];");
    check_rules("<a> ::= 'single' <b> <b> ::= x", "[single ]<b>;[x];");
    check_rules("<a> ::= a\"b\"'c'", "[abc];");
    check_rules("<a> ::= 'x ' <b> <b> ::= x", "[x  ]<b>;[x];");
    check_rules("<a> ::= '  x  ' ", "[  x  ];");
    check_rules("<a> ::= '<b> ::= y' | z", "[<b> ::= y]|[z];");
    check_rules("<a> ::= don't | b", "[don]|[t]|[b];"); /* a lone apostrophe splits */
    check_rules("<a> ::= don't | can't", "[dont | cant];");
}

static void test_comments(void **state) {
    (void)state;
    check_rules("# head\n<a> ::= x # 'y | <b> ::= z\n | w", "[x]|[w];");
    check_rules("<a> ::= x # ends it\n y | z", "[x]|[y]|[z];"); /* more text after a comment */
    check_rules("# see <x> ::= y\n<a> ::= z", "[y];[z];"); /* read as a rule, as PonyGE2 does */
    check_rules("<a> ::= x\n# last", "[x];");
    check_rules("<a> ::= '#x' # c", "[#x];");
}

static void test_ranges(void **state) {
    (void)state;
    check_rules("<a> ::= GE_RANGE:3", "[0]|[1]|[2];");
    check_rules("<a> ::= x | GE_RANGE:2 | y", "[x]|[0]|[1]|[y];");
    check_rules("<a> ::= x | GE_RANGE:0", "[x];");
    check_rules("<a> ::= GE_RANGE:dataset_n_vars", "[0]|[1]|[2]|[3]|[4];");
    check_rules("<a> ::= GE_RANGE:dataset_n_is # c", "[0]|[1]|[2];");
    check_rules("<a> ::= GE_RANGE:dataset_n_os\n<b> ::= GE_RANGE:002", "[0]|[1];[0]|[1];");
    check_rules("<a> ::= 'GE_RANGE:3' | xGE_RANGE:3", "[GE_RANGE:3]|[xGE_RANGE:3];");
    check_rules("<a> ::= GE_RANGE:2 foo", "[0]|[1];");
}

static void test_lines(void **state) {
    (void)state;
    check_rules("<p> ::= 'begin'\n<t>\n'end'\n<t> ::= x", "[begin\n]<t>[\nend];[x];");
    check_rules("<p> ::= 'a'   \n   'b'", "[a\nb];");
    check_rules("<p> ::= a  \n  b", "[a  \nb];"); /* spaces stay behind unquoted text */
    check_rules("<p> ::= <t>  \n\n  b <t> ::= x", "<t>[\n\nb];[x];");
    check_rules("<p> ::= 'a'\n\t'b'", "[a\n\tb];"); /* only spaces are dropped */
    check_rules("<p> ::= 'a'\r\n'b'", "[a\nb];");
}

static void test_angles(void **state) {
    (void)state;
    check_rules("<e> ::= <e> < <e> | x", "<e>[ < ]<e>|[x];");
    check_rules("<e> ::= a<b | x", "[a<b]|[x];");
    check_rules("<e> ::= <e>'<='<e> | <", "<e>[<=]<e>|[<];");
    check_rules("<e> ::= <> | << | x>y", "[<>]|[<<]|[x>y];");
    check_rules("<e> ::= x | y <c d> ::= z", "[x]|[y <c d> ::= z];");
}

static void test_errors(void **state) {
    (void)state;
    check_error("", "g.bnf:1:1: the grammar is empty");
    check_error(" \n\t\r\n", "g.bnf:1:1: the grammar is empty");
    check_error("# only a comment", "g.bnf:1:1: the grammar has no rule");
    check_error("<a b> ::= x", "g.bnf:1:1: the grammar has no rule");
    check_error("<a> ::= x\n<b> ::= | <c>", "g.bnf:2:11: non-terminal <c> has no rule");
    check_error("<e> ::= <e><=<e>", "g.bnf:1:12: non-terminal <=<e> has no rule");
    check_error("<a> ::= x\r\n<b> ::= y\r\n <a> ::= z", "g.bnf:3:2: rule <a> is defined again "
                                                        "(first on line 1)");
    check_error("<a> ::= x\n<b> ::= | | # y\n", "g.bnf:2:1: rule <b> has no production");
    check_error("<a> ::= GE_RANGE:0", "g.bnf:1:1: rule <a> has no production");
    check_error("<a> ::= x | <b>\n<b> ::= <b> y | y <b>", "g.bnf:2:1: rule <b> can never end");
    check_error("<a> ::= <b> x\n<b> ::= x <c>\n<c> ::= <b>", "g.bnf:2:1: rule <b> can never end; "
                                                             "expected a production that");
    check_error("<a> ::= <b>\n<b> ::= | x <b>", "g.bnf:2:9: rule <b> can never end, for an empty "
                                                "alternative is left out, as in PonyGE2; expected");
    check_error("<a> ::= <b> | <c>\n<b> ::= x |\n<c> ::= <c> |", "g.bnf:3:13: rule <c> can never");
    check_error("<a> ::= <b>\n<b> ::= <a>", "g.bnf:1:1: rule <a> can never end");
    check_error("<a> ::= 'x | y\n | z'", "g.bnf:1:9: quote ' is not closed");
    check_error("<a> ::= x |\n \"y", "g.bnf:2:2: quote \" is not closed");
    check_error("<a> ::= GE_RANGE:", "g.bnf:1:18: GE_RANGE: is not a range");
    check_error("<a> ::= GE_RANGE:-3", "g.bnf:1:18: GE_RANGE: is not a range");
    check_error("<a> ::= GE_RANGE:five", "g.bnf:1:18: GE_RANGE:five is not a range");
    check_error("<a> ::= GE_RANGE:3x", "g.bnf:1:18: GE_RANGE:3x is not a range");
    check_error("<a> ::= GE_RANGE:dataset_n_vars", "g.bnf:1:18: GE_RANGE:dataset_n_vars has no "
                                                   "value here");
    check_error("<a> ::= GE_RANGE:65536", "g.bnf:1:9: GE_RANGE of 65536 after 0 productions");
    check_error("<a> ::= x | GE_RANGE:65535", "g.bnf:1:13: GE_RANGE of 65535 after 1 production;");
    check_error("<a> ::= GE_RANGE:99999999999", "g.bnf:1:9: GE_RANGE of 99999999999 after 0");
    check_error("<a> ::= '\\x4'", "g.bnf:1:10: escape \\x is cut short");
    check_error("<a> ::= '\\ud800'", "g.bnf:1:10: escape \\ud800 is no character");
    check_error("<a> ::= 'x\\'", "g.bnf:1:11: a backslash ends the text");
    check_error("<a> ::= 'x\\x00'", "g.bnf:1:11: an escape of the character NUL");
    check_error("<a> ::= x\\0y", "g.bnf:1:10: an escape of the character NUL");
    check_error("<a> ::= x | \\u0000", "g.bnf:1:13: an escape of the character NUL");
    check_error("<a> ::= '\\N{DASH}'", "g.bnf:1:10: escape \\N is not supported");
    check_error_length("<a> ::= x\0y", 11, "g.bnf:1:10: byte 0x00 is not text");
    check_error("\x7f"
                "ELF<a> ::= x",
                "g.bnf:1:1: byte 0x7f is not text");
}

static void test_large(void **state) {
    (void)state;
    char *text = repeat("<a> ::= ", "x|", 100000, "x");
    check_error(text, "g.bnf:1:131079: more than 65535 productions");
    free(text);
    text = repeat("<a> ::= ", "<a>", 32768, "| x");
    check_error(text, "g.bnf:1:9: a production of more than 32767 non-terminals");
    free(text);
    text = repeat("<a> ::= ", "x|", 65534, "x"); /* the largest */
    gr_grammar *grammar = parse(text);
    uint32_t words;
    assert_int_equal(gr_grammar_tables(grammar, &words)[GR_G_PRODUCTIONS], 65535);
    gr_grammar_free(grammar);
    free(text);
    text = repeat("<a> ::= '", "x", 1 << 20, "'"); /* a line of a megabyte */
    grammar = parse(text);
    size_t length;
    gr_grammar_terminal(grammar, 0, &length);
    assert_int_equal(length, 1 << 20);
    gr_grammar_free(grammar);
    free(text);
    text = repeat("<a> ::= ", "<", 1 << 20, ""); /* names that never end: linear, not quadratic */
    gr_grammar_free(parse(text));
    free(text);
    text = repeat("<a> ::= ", "<b", 1 << 19, "");
    gr_grammar_free(parse(text));
    free(text);
    text = repeat("", "<", 1 << 20, "<a>");
    check_error(text, "g.bnf:1:1: the grammar has no rule");
    free(text);
}

static void test_wide_range(void **state) {
    (void)state;
    static const char text[] = "<a> ::= x | GE_RANGE:dataset_n_vars";
    const gr_grammar_context wide = {70000, 0, 0, 0};
    gr_grammar *grammar;
    gr_error error;
    assert_int_equal(gr_grammar_parse(text, strlen(text), "g.bnf", &wide, &grammar, &error),
                     GR_BAD_INPUT);
    assert_string_equal(error.text, "g.bnf:1:13: GE_RANGE:dataset_n_vars, here 70000, after 1 "
                                    "production; expected at most 65535 in all");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_range), cmocka_unit_test(test_rules_and_productions),
        cmocka_unit_test(test_quotes),     cmocka_unit_test(test_comments),
        cmocka_unit_test(test_ranges),     cmocka_unit_test(test_lines),
        cmocka_unit_test(test_angles),     cmocka_unit_test(test_errors),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
