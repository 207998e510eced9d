/* host/grammar/gene_lists.c: how long the list of every non-terminal is, against going through all
 * derivations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/genotype/depth_first.h"
#include "host/grammar/grammar.h"
#include "tests/random_grammars.h"

enum { DEPTH = 6, CAPACITY = 100000, RULES = 8 };

/* The most expansions of `wanted` (RULES: of any rule) below `rule` in so many levels; -1: none
 * ends in them. By recursion over what the definition says. */
static int64_t most(const uint32_t *g, uint32_t rule, uint32_t wanted, uint32_t levels) {
    int64_t best = -1;
    for (uint32_t p = gr_rule_first(g, rule); p < gr_rule_first(g, rule + 1) && levels > 1; p++) {
        int64_t sum = rule == wanted || wanted == RULES;
        for (uint32_t s = gr_symbol_first(g, p); s < gr_symbol_first(g, p + 1) && sum >= 0; s++)
            if (gr_symbol(g, s) & GR_NONTERMINAL) {
                int64_t below = most(g, gr_symbol(g, s) & ~GR_NONTERMINAL, wanted, levels - 1);
                sum = below < 0 ? -1 : sum + below;
            }
        best = sum > best ? sum : best;
    }
    return best;
}

/* Lists and expansions of a grammar within a depth; the number of rules. */
static uint32_t compare(const char *text, uint32_t depth) {
    gr_grammar *grammar = parse(text);
    gr_error error;
    uint32_t words, genes = 0;
    if (gr_grammar_plan_non_depth_first(grammar, GR_LISTS, depth, 0, CAPACITY, &error))
        fail_msg("%s", error.text);
    const uint32_t *g = gr_grammar_tables(grammar, &words), rules = g[GR_G_RULES];
    for (uint32_t r = 0; r < rules; r++) {
        uint32_t length = gr_list_first(g, r + 1) - gr_list_first(g, r), wanted = 0;
        if (gr_rule_first(g, r + 1) - gr_rule_first(g, r) > 1) {
            int64_t expansions = most(g, 0, r, depth);
            wanted = expansions > 0 ? (uint32_t)expansions : 1;
        }
        if (length != wanted)
            fail_msg("<r%u>: %u genes, expected %u, at depth %u in\n%s", r, length, wanted, depth,
                     text);
        genes += length;
    }
    int64_t all = most(g, 0, RULES, depth);
    assert_int_equal(g[GR_G_EXPANSIONS], all > 0 ? all : 1);
    assert_int_equal(gr_grammar_genes(grammar), genes);
    assert_int_equal(words, g[GR_G_WORDS]);
    gr_grammar_free(grammar);
    return rules;
}

static void test_random_grammars(void **state) {
    (void)state;
    core_dice dice = {17};
    uint32_t compared = 0;
    for (int i = 0; i < 400; i++) {
        char *text = random_grammar(&dice, 1 + core_roll(&dice, 4));
        compared += compare(text, DEPTH);
        free(text);
    }
    assert_true(compared > 800);
}

/* Rules that need some levels to end: what no longer fits is not counted. */
static void test_depths(void **state) {
    (void)state;
    static const char *const texts[] = {
        "<s> ::= <a>|<b><b><b>\n<a> ::= <c>|<c><b>\n<c> ::= <d>|<d><d>\n<d> ::= x|y\n<b> ::= "
        "<a><a>|z",
        "<s> ::= <s><a>|x\n<a> ::= <b><s>|<b>\n<b> ::= <c>\n<c> ::= y|<a>",
        "<s> ::= <a><b>|<b><b>|<c>\n<a> ::= x|<s>\n<b> ::= <c><c>|<d>\n<c> ::= <d>|<d>x\n<d> ::= "
        "0|1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint32_t depth = 2; depth < 9; depth++)
            compare(texts[i], depth);
}

/* Where not all fit the longest lists are cut to one length, and the sum keeps to the capacity. */
static void test_shared(void **state) {
    (void)state;
    static const char text[] = "<s> ::= <a> | <b>\n<a> ::= <a><a> | <b><b> | x\n<b> ::= y | z\n";
    for (uint32_t capacity = 2; capacity < 60; capacity++) {
        gr_grammar *grammar = parse(text);
        gr_error error;
        uint32_t words, longest = 0, length[3];
        gr_status status =
            gr_grammar_plan_non_depth_first(grammar, GR_LISTS, 7, 0, capacity, &error);
        assert_int_equal(status, capacity < 3 ? GR_BAD_INPUT : GR_OK);
        const uint32_t *g = gr_grammar_tables(grammar, &words);
        for (uint32_t r = 0; !status && r < 3; r++) {
            length[r] = gr_list_first(g, r + 1) - gr_list_first(g, r);
            longest = length[r] > longest ? length[r] : longest;
        }
        if (!status) {
            assert_true(length[0] == 1 && gr_grammar_genes(grammar) <= capacity);
            for (uint32_t r = 1; r < 3; r++)
                assert_true(length[r] == longest || length[r] == most(g, 0, r, 7));
            if (longest < most(g, 0, 1, 7)) /* one gene more for each does not fit */
                assert_true(gr_grammar_genes(grammar) + 2 > capacity);
        } else
            assert_int_equal(gr_grammar_genes(grammar), 0);
        gr_grammar_free(grammar);
    }
}

/* Codons without wraps: every codon is a choice of two words at most half of the genome; with them
 * as many as there are. */
static void test_position_independent(void **state) {
    (void)state;
    static const uint32_t cases[][3] = {{0, 101, 51}, {0, 1, 1}, {1, 101, 101}};
    for (size_t i = 0; i < 3; i++) {
        gr_grammar *grammar = parse("<e> ::= <e><e> | x");
        gr_error error;
        uint32_t words;
        assert_int_equal(gr_grammar_plan_non_depth_first(grammar, GR_POSITION_INDEPENDENT, 9,
                                                         cases[i][0], cases[i][1], &error),
                         GR_OK);
        assert_int_equal(gr_grammar_tables(grammar, &words)[GR_G_EXPANSIONS], cases[i][2]);
        assert_int_equal(gr_grammar_genes(grammar), 0);
        gr_grammar_free(grammar);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_grammars),
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_position_independent),
    };
    return cmocka_run_group_tests_name("gene lists", tests, NULL, NULL);
}
