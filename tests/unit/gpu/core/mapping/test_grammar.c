/* gpu/core/mapping/grammar.h: the tables of a small grammar, entry by entry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/grammar/grammar.h"
#include "tests/core.h"

static void test_production_words(void **state) {
    (void)state;
    static const uint32_t known[][3] = {
        {1, 0, 0}, {65535, 0, 0}, {1, 32767, 0}, {1, 0, 1}, {513, 258, 1}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint32_t word = GR_PRODUCTION_WORD(known[k][0], known[k][1], known[k][2]);
        assert_int_equal(GR_PRODUCTION_DEPTH(word), known[k][0]);
        assert_int_equal(GR_PRODUCTION_NONTERMINALS(word), known[k][1]);
        assert_int_equal(GR_PRODUCTION_RECURSIVE(word), known[k][2]);
    }
}

/* Rules, productions and symbols as they stand in the text; depths and recursion by hand. */
static void test_tables(void **state) {
    (void)state;
    static const char text[] = "<e> ::= <v>+<e> | <v>\n<v> ::= x | (<w>)\n<w> ::= y\n";
    const gr_grammar_context context = {.n_vars = 2};
    const uint32_t first[] = {0, 2, 4, 5}, symbols[] = {0, 3, 4, 5, 8, 9};
    const uint32_t depth[] = {3, 2, 1, 2, 1}, nonterminals[] = {2, 1, 0, 1, 0},
                   recursive[] = {1, 0, 0, 0, 0};
    /* <v> + <e>, <v>, x, ( <w> ), y: a rule, or a terminal by its text */
    const struct {
        uint32_t rule;
        const char *text;
    } symbol[] = {{1, NULL}, {0, "+"},  {0, NULL}, {1, NULL}, {0, "x"},
                  {0, "("},  {2, NULL}, {0, ")"},  {0, "y"}};
    gr_grammar *grammar;
    gr_error error;
    uint32_t words;
    if (gr_grammar_parse(text, strlen(text), "test", &context, &grammar, &error))
        fail_msg("%s", error.text);
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_ptr_equal(gr_grammar_at(g), g);
    assert_int_equal(gr_grammar_word(g, GR_G_RULES), 3);
    assert_int_equal(gr_grammar_word(g, GR_G_PRODUCTIONS), 5);
    assert_int_equal(gr_grammar_word(g, GR_G_SYMBOLS), 9);
    assert_int_equal(gr_grammar_word(g, GR_G_WORDS), words);
    for (uint32_t r = 0; r <= 3; r++)
        assert_int_equal(gr_rule_first(g, r), first[r]);
    for (uint32_t p = 0; p < 5; p++) {
        assert_int_equal(gr_symbol_first(g, p), symbols[p]);
        assert_int_equal(GR_PRODUCTION_DEPTH(gr_production(g, p)), depth[p]);
        assert_int_equal(GR_PRODUCTION_NONTERMINALS(gr_production(g, p)), nonterminals[p]);
        assert_int_equal(GR_PRODUCTION_RECURSIVE(gr_production(g, p)), recursive[p]);
    }
    assert_int_equal(gr_symbol_first(g, 5), symbols[5]);
    for (uint32_t s = 0; s < 9; s++) {
        uint32_t word = gr_symbol(g, s);
        size_t length;
        if (!symbol[s].text) {
            assert_int_equal(word, GR_NONTERMINAL | symbol[s].rule);
            continue;
        }
        const char *terminal = gr_grammar_terminal(grammar, word, &length);
        assert_int_equal(length, strlen(symbol[s].text));
        assert_memory_equal(terminal, symbol[s].text, length);
    }
    gr_grammar_free(grammar);
}

static void test_remainder(void **state) {
    core_dice dice = {5};
    (void)state;
    for (uint32_t i = 0; i < 1000000; i++) {
        uint32_t count = 1 + (i % 2 ? core_roll(&dice, 100) : core_roll(&dice, 65535));
        uint32_t codon = i % 3 ? core_roll(&dice, 0) : core_roll(&dice, 300);
        assert_int_equal(gr_remainder(codon, count, 0xffffffffu / count), codon % count);
    }
    assert_int_equal(gr_remainder(0xffffffffu, 1, 0xffffffffu), 0);
    assert_int_equal(gr_remainder(0xffffffffu, 65535, 0xffffffffu / 65535), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_production_words),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_remainder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
