/* host/grammar/sets.c: sentences, and derivations, against making them one by one; where too many
 * begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/grammar/facts.h"
#include "tests/random_grammars.h"

/* Makes every derivation of at most `depth` in turn: an odometer over the choices. */
typedef struct odometer {
    const gr_grammar *grammar;
    const uint32_t *g;
    uint32_t choice[64], base[64], used, at;
    char text[512];
    size_t length;
} odometer;

static int derive(odometer *o, uint32_t rule, uint32_t depth) {
    if (o->at == 64)
        return 0;
    uint32_t first = gr_rule_first(o->g, rule), i = o->at++;
    o->base[i] = gr_rule_first(o->g, rule + 1) - first;
    if (i >= o->used) {
        o->choice[i] = 0;
        o->used = i + 1;
    }
    uint32_t p = first + o->choice[i];
    for (uint32_t s = gr_symbol_first(o->g, p); s < gr_symbol_first(o->g, p + 1); s++) {
        uint32_t symbol = gr_symbol(o->g, s);
        size_t n;
        if (depth < 2)
            return 0;
        if (symbol & GR_NONTERMINAL) {
            if (depth < 3 || !derive(o, symbol & ~GR_NONTERMINAL, depth - 1))
                return 0;
            continue;
        }
        const char *text = gr_grammar_terminal(o->grammar, symbol, &n);
        assert_true(o->length + n < sizeof o->text);
        memcpy(o->text + o->length, text, n);
        o->length += n;
    }
    return 1;
}

/* Counts derivations and different texts; 0 when there are more than it wants to make. */
static int make_all(const gr_grammar *grammar, uint32_t depth, uint64_t *derivations,
                    uint64_t *sentences) {
    enum { MOST = 3000 };
    static char texts[MOST][512];
    uint32_t words;
    odometer o = {.grammar = grammar, .g = gr_grammar_tables(grammar, &words)};
    *derivations = *sentences = 0;
    for (int steps = 0; steps < 200000; steps++) {
        o.at = 0;
        o.length = 0;
        int good = derive(&o, 0, depth);
        o.used = o.at;
        if (good) {
            uint64_t k = 0;
            o.text[o.length] = '\0';
            while (k < *sentences && strcmp(texts[k], o.text) != 0)
                k++;
            if (k == *sentences) {
                if (k == MOST)
                    return 0;
                strcpy(texts[(*sentences)++], o.text);
            }
            ++*derivations;
        }
        while (o.used && ++o.choice[o.used - 1] == o.base[o.used - 1])
            o.used--;
        if (!o.used)
            return 1;
    }
    return 0;
}

static void test_counts_by_making(void **state) {
    (void)state;
    core_dice dice = {11};
    int compared = 0;
    for (int i = 0; i < 300; i++) {
        char *text = random_grammar(&dice, 1 + core_roll(&dice, 4));
        gr_grammar *grammar = parse(text);
        gr_count count[6], most[6];
        uint64_t sentences[6], made, different;
        gr_error error;
        assert_int_equal(gr_count_derivations(grammar, 5, 0, count, &error), GR_OK);
        assert_int_equal(gr_count_derivations(grammar, 5, 1, most, &error), GR_OK);
        assert_int_equal(gr_count_sentences(grammar, 5, sentences, &error), GR_OK);
        for (uint32_t depth = 1; depth <= 5; depth++) {
            if (!make_all(grammar, depth, &made, &different))
                break;
            compared++;
            assert_in_range(most[depth].exact, sentences[depth], count[depth].exact);
            if (!count[depth].is_exact || count[depth].exact != made ||
                sentences[depth] != different)
                fail_msg(
                    "depth %u: %llu derivations and %llu sentences, expected %llu and %llu\n%s",
                    depth, (unsigned long long)count[depth].exact,
                    (unsigned long long)sentences[depth], (unsigned long long)made,
                    (unsigned long long)different, text);
        }
        gr_grammar_free(grammar);
        free(text);
    }
    assert_true(compared > 600);
}

/* Equal sentences of different derivations are one; too many are said to be. */
static void test_sentences(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t count[5]; /* of depths 1 to 5 */
    } cases[] = {
        {"<s> ::= a | 'a' | aa", {0, 2, 2, 2, 2}},
        {"<s> ::= <t><t>\n<t> ::= a | aa | ''", {0, 0, 5, 5, 5}},
        {"<s> ::= <s>a | ''", {0, 1, 2, 3, 4}},
        {"<s> ::= <s><s> | a", {0, 1, 2, 4, 8}},
        {"<s> ::= <d><d><d><d>\n<d> ::= GE_RANGE:10", {0, 0, 10000, 10000, 10000}},
        {"<s> ::= <d><d><d><d><d><d>\n<d> ::= GE_RANGE:10",
         {0, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_grammar *grammar = parse(cases[i].text);
        uint64_t count[6];
        gr_error error;
        assert_int_equal(gr_count_sentences(grammar, 5, count, &error), GR_OK);
        assert_int_equal(count[0], 0);
        for (uint32_t d = 1; d <= 5; d++)
            if (count[d] != cases[i].count[d - 1])
                fail_msg("%s: %llu at depth %u", cases[i].text, (unsigned long long)count[d], d);
        gr_grammar_free(grammar);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_by_making),
        cmocka_unit_test(test_sentences),
    };
    return cmocka_run_group_tests_name("grammar sets", tests, NULL, NULL);
}
