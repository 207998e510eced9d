/* host/grammar/grammar.h: the object, its warnings, names and files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/bnf.h"

#include <unistd.h>

static void test_warnings(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<s> ::= <t>\n<t> ::= x | y\n<u> ::= z | z\n");
    assert_int_equal(gr_grammar_warnings(grammar), 2);
    assert_true(has_warning(grammar, "g.bnf:1:1: rule <s> has a single production"));
    assert_true(has_warning(grammar, "g.bnf:3:1: rule <u> is never used"));
    gr_grammar_free(grammar);
    grammar = parse("<a> ::= don't | \xc3\xa9 | y <c d> ::= z");
    assert_true(has_warning(grammar, "g.bnf:1:12: a lone '"));
    assert_true(has_warning(grammar, "g.bnf:1:29: '::=' is text"));
    assert_false(has_warning(grammar, "g.bnf:1:17: "));
    gr_grammar_free(grammar);
}

static void test_missing_file(void **state) {
    (void)state;
    gr_grammar *grammar;
    gr_error error = {0};
    assert_int_equal(gr_grammar_load("/nonexistent/g.bnf", NULL, &grammar, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "/nonexistent/g.bnf: No such file"));
    assert_int_equal(gr_grammar_load("/", NULL, &grammar, &error), GR_BAD_INPUT);
    assert_null(grammar);
}

/* Rules in the order of their definitions, terminals in the order they appear. */
static void test_names(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<a> ::= <c> + | <b>\n<b> ::= x\n<c> ::= y <b> | +");
    static const char *const rules[] = {"a", "b", "c"}, *const terminals[] = {" +", "x", "y ", "+"};
    size_t length;
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_true(g[GR_G_RULES] == 3 && g[GR_G_TERMINALS] == 4 && words == g[GR_G_WORDS]);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(gr_grammar_rule_name(grammar, i), rules[i]);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(gr_grammar_terminal(grammar, i, &length), terminals[i]);
        assert_int_equal(length, strlen(terminals[i]));
    }
    assert_string_equal(gr_grammar_path(grammar), "g.bnf");
    gr_grammar_free(grammar);
    gr_grammar_free(NULL);
}

/* A file gives what its text gives. */
static void test_file(void **state) {
    (void)state;
    static const char text[] = "<a> ::= <a> x | GE_RANGE:dataset_n_vars\r\n";
    char path[] = "/tmp/grampus-grammar-XXXXXX";
    int file = mkstemp(path);
    gr_grammar *read, *made = parse(text);
    gr_error error = {0};
    uint32_t words[2];
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    assert_int_equal(gr_grammar_load(path, &context, &read, &error), GR_OK);
    const uint32_t *a = gr_grammar_tables(read, &words[0]), *b = gr_grammar_tables(made, &words[1]);
    assert_int_equal(words[0], words[1]);
    assert_memory_equal(a, b, words[0] * sizeof *a);
    assert_string_equal(gr_grammar_path(read), path);
    unlink(path);
    gr_grammar_free(read);
    gr_grammar_free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests_name("grammar", tests, NULL, NULL);
}
