/* host/grammar/facts.h: recursion against a search of its own, and counts of derivations by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/mapping/wrapping.h"
#include "host/grammar/facts.h"
#include "tests/random_grammars.h"

#include <math.h>

static gr_grammar_facts facts_of(const gr_grammar *grammar) {
    gr_grammar_facts facts;
    gr_error error;
    assert_int_equal(gr_grammar_find_facts(grammar, &facts, &error), GR_OK);
    return facts;
}

static void test_recursion(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<s> ::= <a> | <c>\n<a> ::= x | (<b>)\n<b> ::= <a> | <c>\n"
                                "<c> ::= <c>1 | 2 | 2\n<d> ::= <s> | z\n<e> ::= <l><l>\n<l> ::= y");
    gr_grammar_facts f = facts_of(grammar);
    const int recursive[] = {0, 1, 1, 1, 0, 0, 0}, endless[] = {1, 1, 1, 1, 1, 0, 0};
    const int reached[] = {1, 1, 1, 1, 0, 0, 0};
    const uint32_t uses[] = {1, 2, 1, 3, 0, 0, 2}, depth[] = {3, 2, 3, 2, 2, 3, 2};
    for (int r = 0; r < 7; r++) {
        assert_int_equal(f.rule[r].recursive, recursive[r]);
        assert_int_equal(f.rule[r].endless, endless[r]);
        assert_int_equal(f.rule[r].reached, reached[r]);
        assert_int_equal(f.rule[r].uses, uses[r]);
        assert_int_equal(f.rule[r].least_depth, depth[r]);
    }
    assert_int_equal(f.recursive_rules, 3);
    assert_int_equal(f.unreached_rules, 3);
    assert_int_equal(f.repeated, 1);
    assert_int_equal(f.rule[3].distinct, 2);
    gr_grammar_facts_free(&f);
    gr_grammar_free(grammar);
}

/* A rule is recursive when a walk along its uses comes back. */
static int comes_back(const uint32_t *g, uint32_t rule, uint32_t goal, uint8_t *seen) {
    for (uint32_t p = gr_rule_first(g, rule); p < gr_rule_first(g, rule + 1); p++)
        for (uint32_t s = gr_symbol_first(g, p); s < gr_symbol_first(g, p + 1); s++) {
            uint32_t symbol = gr_symbol(g, s), child = symbol & ~GR_NONTERMINAL;
            if (!(symbol & GR_NONTERMINAL))
                continue;
            if (child == goal)
                return 1;
            if (!seen[child]) {
                seen[child] = 1;
                if (comes_back(g, child, goal, seen))
                    return 1;
            }
        }
    return 0;
}

static void test_random_recursion(void **state) {
    (void)state;
    core_dice dice = {5};
    for (int i = 0; i < 2000; i++) {
        uint32_t rules = 1 + core_roll(&dice, 8), words;
        char *text = random_grammar(&dice, rules);
        gr_grammar *grammar = parse(text);
        gr_grammar_facts f = facts_of(grammar);
        for (uint32_t r = 0; r < rules; r++) {
            uint8_t seen[16] = {0};
            if (f.rule[r].recursive != comes_back(gr_grammar_tables(grammar, &words), r, r, seen))
                fail_msg("<r%u> is recursive: %d, in\n%s", r, f.rule[r].recursive, text);
        }
        gr_grammar_facts_free(&f);
        gr_grammar_free(grammar);
        free(text);
    }
}

static void check_count(const char *text, uint32_t depth, const char *expected) {
    char out[GR_COUNT_TEXT];
    gr_grammar *grammar = parse(text);
    gr_count *count = calloc(depth + 1, sizeof *count);
    gr_error error;
    assert_int_equal(gr_count_derivations(grammar, depth, 0, count, &error), GR_OK);
    assert_string_equal(gr_count_print(count[depth], out), expected);
    free(count);
    gr_grammar_free(grammar);
}

static void test_large_counts(void **state) {
    (void)state;
    const char *doubling = "<e> ::= <e><e> | x";
    check_count(doubling, 1, "0");
    check_count(doubling, 2, "1");
    check_count(doubling, 3, "2");
    check_count(doubling, 4, "5");
    check_count(doubling, 8, "210066388901");
    check_count(doubling, 9, "44127887745906175987802"); /* 210066388901^2 + 1 */
    check_count(doubling, 10, "about 1.9e45");
    check_count(doubling, 100, "about 10^(5.6e+28)");
    check_count("<e> ::= <d><d><d><d><d><d><d><d><d><d><d><d><d> <d> ::= GE_RANGE:1000", 3,
                "about 1.0e39"); /* 10^39 > 2^128 */
    check_count("<e> ::= <d><d><d><d><d><d><d><d><d><d><d><d> <d> ::= GE_RANGE:1000", 3,
                "1000000000000000000000000000000000000");
    check_count("<e> ::= <GECodonValue[1,6]><GECodonValue>", 3, "25769803776");
    /* too many to be exact, times none: <z> has no derivation of depth 3 */
    const char *none = "<h> ::= <d><d><d><d><d><d><d><d><d><d><d><d><d>\n<d> ::= GE_RANGE:1000\n"
                       "<z> ::= <y>\n<y> ::= <w>\n<w> ::= y";
    char text[256];
    for (int turn = 0; turn < 2; turn++) {
        snprintf(text, sizeof text, "<s> ::= x | %s\n%s", turn ? "<h><z>" : "<z><h>", none);
        check_count(text, 4, "1");
        check_count(text, 5, "about 1.0e39");
    }
}

static uint32_t least_codons(const char *text, uint32_t convention, uint32_t enough) {
    uint32_t least;
    gr_error error;
    gr_grammar *grammar = parse(text);
    assert_int_equal(gr_count_least_codons(grammar, convention, enough, &least, &error), GR_OK);
    gr_grammar_free(grammar);
    return least;
}

static void test_least_codons(void **state) {
    (void)state;
    /* the flattest derivation is not the one of fewest codons */
    const char *flat = "<s> ::= <a><a><a><a><a> | <b>\n<a> ::= x | y\n<b> ::= <c>\n<c> ::= z";
    assert_int_equal(least_codons(flat, 0, 0), 3);
    assert_true(least_codons(flat, 0, 6) <= 6);
    assert_int_equal(least_codons(flat, GR_LAZY, 0), 1);
    assert_int_equal(least_codons("<s> ::= x", 0, 0), 1);
    assert_int_equal(least_codons("<s> ::= x", GR_LAZY, 0), 0);
    assert_int_equal(least_codons("<s> ::= <GECodonValue>", GR_LAZY, 0), 1);
    assert_int_equal(least_codons("<e> ::= <e>+<e> | <d>.<d>\n<d> ::= 1 | 2", 0, 0), 3);
    char text[4096] = "", *end = text;
    for (int k = 0; k < 40; k++) /* doubles 40 times */
        end += sprintf(end, "<a%d> ::= <a%d><a%d>\n", k, k + 1, k + 1);
    sprintf(end, "<a40> ::= x");
    assert_int_equal(least_codons(text, 0, 100), UINT32_MAX);
}

static void test_least_nodes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t least;
    } cases[] = {{"<s> ::= x", 2},
                 {"<e> ::= <e>+<e> | <d>.<d>\n<d> ::= 1 | 2", 5},
                 {"<e> ::= <e>+<e> | <d>.<d> | <v>\n<v> ::= <w>\n<w> ::= x\n<d> ::= 1 | 2", 4},
                 {"<s> ::= <a><a><a> | <b>\n<a> ::= x\n<b> ::= <c>\n<c> ::= <d>\n<d> ::= z", 5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t least;
        gr_error error;
        gr_grammar *grammar = parse(cases[k].text);
        assert_int_equal(gr_count_least_nodes(grammar, 1, &least, &error), GR_OK);
        assert_int_equal(least, cases[k].least);
        gr_grammar_free(grammar);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recursion),    cmocka_unit_test(test_random_recursion),
        cmocka_unit_test(test_large_counts), cmocka_unit_test(test_least_codons),
        cmocka_unit_test(test_least_nodes),
    };
    return cmocka_run_group_tests_name("grammar facts", tests, NULL, NULL);
}
