/* host/grammar/facts.h: recursion against a search of its own, derivations and sentences against
 * making them one by one, and the printed grammar read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/grammar/facts.h"
#include "tests/core.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>

static gr_grammar *parse(const char *text) {
    const gr_grammar_context context = {3, 2, 2, 0};
    gr_grammar *grammar;
    gr_error error;
    if (gr_grammar_parse(text, strlen(text), "g.bnf", &context, &grammar, &error))
        fail_msg("%s", error.text);
    return grammar;
}

static gr_grammar_facts facts_of(const gr_grammar *grammar) {
    gr_grammar_facts facts;
    gr_error error;
    assert_int_equal(gr_grammar_find_facts(grammar, &facts, &error), GR_OK);
    return facts;
}

/* ---- recursion ---- */

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

/* Random grammars; a rule is recursive when a walk along its uses comes back. */
static char *random_grammar(core_dice *dice, uint32_t rules) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t r = 0; r < rules; r++) {
        fprintf(out, "<r%u> ::= t%u", r, core_roll(dice, 3));
        for (uint32_t p = core_roll(dice, 3); p; p--) {
            fprintf(out, " | ");
            for (uint32_t s = 1 + core_roll(dice, 3); s; s--)
                core_roll(dice, 3) ? fprintf(out, "<r%u>", core_roll(dice, rules))
                                   : fprintf(out, "u");
        }
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

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

/* ---- counting ---- */

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
        gr_count count[6];
        uint64_t sentences[6], made, different;
        gr_error error;
        assert_int_equal(gr_count_derivations(grammar, 5, count, &error), GR_OK);
        assert_int_equal(gr_count_sentences(grammar, 5, sentences, &error), GR_OK);
        for (uint32_t depth = 1; depth <= 5; depth++) {
            if (!make_all(grammar, depth, &made, &different))
                break;
            compared++;
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

static void check_count(const char *text, uint32_t depth, const char *expected) {
    char out[GR_COUNT_TEXT];
    gr_grammar *grammar = parse(text);
    gr_count *count = calloc(depth + 1, sizeof *count);
    gr_error error;
    assert_int_equal(gr_count_derivations(grammar, depth, count, &error), GR_OK);
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
}

/* ---- printing ---- */

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
        "<a> ::= '\\x00\\x41\\n\\t\\\\ \\u20ac \\U0001f600 \\d' | \"'\"'\"' | 'say \"'\"it's\"'\"'",
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recursion),        cmocka_unit_test(test_random_recursion),
        cmocka_unit_test(test_counts_by_making), cmocka_unit_test(test_large_counts),
        cmocka_unit_test(test_printed),          cmocka_unit_test(test_shipped_grammars),
    };
    return cmocka_run_group_tests_name("grammar facts", tests, NULL, NULL);
}
