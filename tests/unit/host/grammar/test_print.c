/* host/grammar/print.c: the printed grammar read back, and the picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/grammar/facts.h"
#include "tests/random_grammars.h"

#include <dirent.h>

static char *printed(const gr_grammar *grammar) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    gr_print_grammar(grammar, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* The tables and terminals are the same when the printed grammar is read. */
static void check_printed(const gr_grammar *grammar) {
    char *once = printed(grammar), *twice;
    gr_grammar *again = parse(once);
    uint32_t words, words_again;
    const uint32_t *g = gr_grammar_tables(grammar, &words),
                   *h = gr_grammar_tables(again, &words_again);
    twice = printed(again);
    assert_string_equal(once, twice);
    assert_int_equal(words, words_again);
    assert_memory_equal(g, h, words * sizeof *g);
    for (uint32_t t = 0; t < g[GR_G_TERMINALS]; t++) {
        size_t n, m;
        const char *a = gr_grammar_terminal(grammar, t, &n), *b = gr_grammar_terminal(again, t, &m);
        assert_int_equal(n, m);
        assert_memory_equal(a, b, n);
    }
    free(once);
    free(twice);
    gr_grammar_free(again);
}

static void test_printed(void **state) {
    (void)state;
    static const char *const texts[] = {
        "<a> ::= x | 'it''s' | \"it's\" | '' | <b>'|'<b>\n<b> ::= '<a>' | '#' | 'GE_RANGE:3'",
        "<a> ::= '\\x01\\x41\\n\\t\\\\ \\u20ac \\U0001f600 \\d' | \"'\"'\"' | 'say \"'\"it's\"'\"'",
        "<a> ::= GE_RANGE:12 | <a> < <a> | \xc3\xa9",
        "<a> ::= 'begin'\n<b>\n'end'\n<b> ::= x | <GECodonValue[-1,1]> | <GECodonValue>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gr_grammar *grammar = parse(texts[i]);
        check_printed(grammar);
        gr_grammar_free(grammar);
    }
    core_dice dice = {3};
    for (int i = 0; i < 500; i++) {
        char *text = random_grammar(&dice, 1 + core_roll(&dice, 8));
        gr_grammar *grammar = parse(text);
        check_printed(grammar);
        gr_grammar_free(grammar);
        free(text);
    }
}

static void test_shipped_grammars(void **state) {
    (void)state;
    struct dirent *entry;
    DIR *folder = opendir("grammars");
    int seen = 0;
    if (!folder)
        skip();
    while ((entry = readdir(folder))) {
        char path[512];
        const gr_grammar_context context = {.n_vars = 6};
        gr_grammar *grammar;
        gr_error error;
        snprintf(path, sizeof path, "grammars/%s", entry->d_name);
        if (!strstr(path, ".bnf"))
            continue;
        assert_int_equal(gr_grammar_load(path, &context, &grammar, &error), GR_OK);
        assert_int_equal(gr_grammar_warnings(grammar), 0);
        check_printed(grammar);
        gr_grammar_free(grammar);
        seen++;
    }
    closedir(folder);
    assert_true(seen >= 10);
}

/* Words of the language are quoted, names are not. */
static void test_text(void **state) {
    (void)state;
    gr_grammar *grammar =
        parse("<e> ::= <e>+<v> | 'x|y' | ''\n<v> ::= GE_RANGE:2 | <GECodonValue-1+6>");
    char *text = printed(grammar);
    assert_string_equal(text,
                        "<e> ::= <e>'+'<v> | 'x|y' | ''\n<v> ::= '0' | '1' | <GECodonValue-1+6>\n");
    free(text);
    char *production;
    size_t size;
    FILE *out = open_memstream(&production, &size);
    gr_print_production(grammar, 0, out);
    fclose(out);
    assert_string_equal(production, "<e>'+'<v>");
    free(production);
    gr_grammar_free(grammar);
}

/* A box for every rule with what leads nowhere else, one for each other alternative, an arrow for
 * each use. */
static void test_graph(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<e> ::= <e>+<v> | {\u00e9} | ''\n<v> ::= GE_RANGE:14");
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    gr_print_graph(grammar, out);
    fclose(out);
    assert_string_equal(
        text,
        "digraph grammar {\n  rankdir=LR;\n"
        "  node [shape=record, fontname=\"Helvetica\", fontsize=11];\n"
        "  r0 [style=filled, fillcolor=\"#ffe8c0\", label=\"{\\<e\\>|\\{\u00e9\\} \\| ''}\"];\n"
        "  p0 [label=\"<s0> \\<e\\>|<s1> +|<s2> \\<v\\>\"];\n  r0 -> p0;\n"
        "  p0:s0 -> r0 [color=\"#888888\"];\n  p0:s2 -> r1 [color=\"#888888\"];\n"
        "  r1 [style=filled, fillcolor=\"#eeeeee\", label=\"{\\<v\\>|0 \\| 1 \\| 2 \\| 3 \\| "
        "4 \\| 5 \\| "
        "6 \\| 7 \\| 8 \\| 9 \\| 10 \\| 11 \\| 2\\ more}\"];\n}\n");
    free(text);
    gr_grammar_free(grammar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed),
        cmocka_unit_test(test_shipped_grammars),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_graph),
    };
    return cmocka_run_group_tests_name("printing grammars", tests, NULL, NULL);
}
