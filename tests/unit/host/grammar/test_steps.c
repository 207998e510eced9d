/* host/grammar/steps.c: steps of small grammars by hand, and which grammars map by them. That steps
 * map as tokens do: gpu/core/mapping/test_mapping_steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/program/expression.h"
#include "tests/bnf.h"

/* The tables of a grammar with tokens. */
static gr_grammar *read_grammar(const char *text) {
    const char *names[] = {"x", "y"};
    const gr_vocabulary vocabulary = {names, 2, 0, 0, 0, 0};
    gr_grammar *grammar = parse(text);
    gr_error error;
    if (gr_grammar_tokenise(grammar, &vocabulary, &error))
        fail_msg("%s", error.text);
    return grammar;
}

/* Words of the first step of a production's skeleton (way 0) or mapping (1). */
static const uint32_t *steps_of(const uint32_t *g, uint32_t production, int way) {
    const uint32_t *body = g + g[GR_G_BODY] + 2 * production;
    uint32_t first = way ? body[1] : body[0] & 0xffffu;
    return first == GR_NO_SKELETON ? NULL : g + g[GR_G_STEP] + 2 * first;
}

static uint32_t count_steps(const uint32_t *at) {
    uint32_t count = 1;
    for (; !(at[0] & GR_STEP_LAST); at += 2)
        count++;
    return count;
}

/* The skeleton of a production is its non-terminals; one without any has none. Nodes of the
 * derivation: one for each non-terminal, or one for the terminals of a leaf. */
static void test_skeletons(void **state) {
    (void)state;
    static const struct {
        uint32_t nonterminals, nodes;
    } expected[] = {{3, 3}, {1, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
    gr_grammar *grammar = read_grammar("<e> ::= (<e><o><e>) | -<e> | x | 1.5\n<o> ::= + | *\n");
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(g[GR_G_PRODUCTIONS], 6);
    assert_true(g[GR_G_STEPS] > 0 && g[GR_G_MAPS]);
    for (uint32_t p = 0; p < 6; p++) {
        const uint32_t *at = steps_of(g, p, 0);
        assert_int_equal(at ? count_steps(at) : 0, expected[p].nonterminals);
        assert_int_equal(g[g[GR_G_BODY] + 2 * p] >> 16, expected[p].nodes);
    }
    gr_grammar_free(grammar);
}

/* A leaf pushes its node: inputs by number, constants by their bits. */
static void test_leaves(void **state) {
    (void)state;
    gr_grammar *grammar = read_grammar("<e> ::= <e>+<e> | y | 1.5 | pi\n");
    static const uint32_t op[] = {GR_INPUT, GR_CONSTANT, GR_CONSTANT};
    static const float value[] = {0, 1.5f, 3.14159265f};
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    for (uint32_t p = 1; p < 4; p++) {
        const uint32_t *at = steps_of(g, p, 1);
        assert_true(at[0] & GR_STEP_LEAF);
        assert_int_equal(GR_STEP_MORE(at[0]), op[p - 1]);
        assert_int_equal(at[1], p == 1 ? 1 : gr_float_bits(value[p - 1]));
        assert_int_equal(count_steps(at), 1);
    }
    gr_grammar_free(grammar);
}

static void check_maps(const char *text, gr_maps maps) {
    gr_grammar *grammar = read_grammar(text);
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    if (!g[GR_G_STEPS] || g[GR_G_MAPS] != maps)
        fail_msg("%s: %u steps, maps %u", text, g[GR_G_STEPS], g[GR_G_MAPS]);
    gr_grammar_free(grammar);
}

/* Every terminal must mean the same in every sentence. */
static void test_which(void **state) {
    (void)state;
    check_maps("<e> ::= (<e><o><e>) | x\n<o> ::= + | -\n", GR_MAPS_NO_NUMBERS);
    check_maps("<e> ::= (<o> <e> <e>) | x\n<o> ::= + | -\n", GR_MAPS_NO_NUMBERS);
    check_maps("<e> ::= <e><o><e> | (<o> <e> <e>) | x\n<o> ::= + | *\n",
               GR_MAPS_NOTHING); /* infix and prefix */
    check_maps("<e> ::= (- <e>) | (- <e> <e>) | (- <e> + 1) | x\n",
               GR_MAPS_NOTHING); /* a sign or a list */
    check_maps("<e> ::= <d>.<d> | x\n<d> ::= 1 | 23\n", GR_MAPS_NUMBERS);
    check_maps("<e> ::= <d>.<d> | x\n<d> ::= 1 | -3\n",
               GR_MAPS_NOTHING); /* a sign inside a number */
}

/* Calls, brackets and lists map where a production holds them whole; the rest is left to the
 * reader. */
static void test_whole_calls(void **state) {
    (void)state;
    check_maps("<e> ::= min(<e>, <e>) | sin(<e>) | x\n", GR_MAPS_NO_NUMBERS);
    check_maps("<e> ::= if(<e>, <e>, y) | (x) | ((<e>))\n", GR_MAPS_NO_NUMBERS);
    check_maps("<e> ::= (<e> <e> +) | (<e> <e> *) | x\n", GR_MAPS_NO_NUMBERS);
    check_maps("<e> ::= sin (<e>) | x\n", GR_MAPS_NOTHING);
    check_maps("<e> ::= (<e> if <e> else y) | x\n", GR_MAPS_NOTHING);
    check_maps("<e> ::= <a>, y) | x\n<a> ::= min(x\n", GR_MAPS_NOTHING);
    check_maps("<e> ::= min(<p> y) | x\n<p> ::= x,\n", GR_MAPS_NOTHING);
    check_maps("<e> ::= min(<p>) | x\n<p> ::= x, y\n", GR_MAPS_NOTHING);
}

/* Without tokens there is nothing to map; derivations still go by steps. */
static void test_without_tokens(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<e> ::= <e> and so <e> | on\n");
    uint32_t words;
    const uint32_t *g = gr_grammar_tables(grammar, &words);
    assert_int_equal(g[GR_G_MAPS], GR_MAPS_NOTHING);
    assert_true(g[GR_G_STEPS] > 0);
    assert_int_equal(count_steps(steps_of(g, 0, 0)), 2);
    assert_null(steps_of(g, 1, 0));
    gr_grammar_free(grammar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skeletons),      cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_which),          cmocka_unit_test(test_whole_calls),
        cmocka_unit_test(test_without_tokens),
    };
    return cmocka_run_group_tests_name("steps of grammars", tests, NULL, NULL);
}
