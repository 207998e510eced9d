/* host/derivation/derive_back.h: for random genomes of many grammars, map(parse(map(g))) == map(g),
 * at no more depth; texts that are no sentences are refused. The parser works bottom up on the text
 * and shares nothing with mapping, so it is the recogniser mapping is held to as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/derivation/derive_back.h"
#include "host/derivation/phenotype.h"
#include "tests/core.h"

#include <stdio.h>
#include <stdlib.h>

static gr_grammar *parse(const char *text) {
    const gr_grammar_context context = {.n_vars = 3, .codon_size = 1000};
    gr_grammar *grammar;
    gr_error error;
    if (gr_grammar_parse(text, strlen(text), "g.bnf", &context, &grammar, &error))
        fail_msg("%s", error.text);
    return grammar;
}

/* 1: the genome was valid and its text came back. */
static int round_trip(const gr_grammar *grammar, uint32_t convention, const uint32_t *genome,
                      uint32_t length) {
    gr_phenotype p, again;
    gr_derived_back d;
    gr_error error;
    assert_int_equal(gr_derive_phenotype_by(grammar, &(gr_reading){convention, 1, 40, length},
                                            genome, length, &p, &error),
                     GR_OK);
    if (!p.text || p.length > 300) {
        gr_phenotype_free(&p);
        return 0;
    }
    if (gr_derive_back(grammar, convention, p.text, p.length, &d, &error))
        fail_msg("\"%s\": %s", p.text, error.text);
    if (!d.found || d.depth > p.depth)
        fail_msg("\"%s\": found %d, depth %u of %u", p.text, d.found, d.depth, p.depth);
    assert_int_equal(gr_derive_phenotype_by(grammar, &(gr_reading){convention, 0, 1000, length},
                                            d.genome, d.length, &again, &error),
                     GR_OK);
    if (!again.text || again.length != p.length || memcmp(again.text, p.text, p.length) != 0)
        fail_msg("\"%s\" comes back as \"%s\"", p.text, again.text ? again.text : "(invalid)");
    uint32_t unused = d.length - again.used; /* looked for, and taken by nobody */
    assert_in_range(unused, 0, convention & (GR_WRAP_GEVA | GR_WRAP_PONYGE_LINEAR) ? 1 : 0);
    assert_int_equal(again.depth, d.depth);
    assert_int_equal(again.nodes, d.nodes);
    free(d.genome);
    gr_phenotype_free(&p);
    gr_phenotype_free(&again);
    return 1;
}

static const char *const GRAMMARS[] = {
    "<e> ::= <e>+<e> | <e>*<e> | (<e>) | x | y",
    "<e> ::= <e> | <f> | x\n<f> ::= <e> | ''<f>'' | <e><f> | ''",
    "<s> ::= <s><s> | '' | a | aa | aaa",
    "<s> ::= <t>\n<t> ::= <u>+<t> | <u> | (<s>)\n<u> ::= <w>\n<w> ::= 1 | 2 | <o><o>\n<o> ::= k",
    "<e> ::= <e>+<e> | <v> | <v>*<GECodonValue[-3,5]> | <d><d>.<d>\n"
    "<v> ::= <GECodonValue[0.0,1.0]> | <GECodonValue> | <GECodonValue(-1.0,2.5)> | "
    "<GECodonValue{x,y0,12}>\n<d> ::= GE_RANGE:10",
    "<e> ::= (<e> <o> <e>) | <f>(<e>) | x[:, <i>] | <e> if <e> else <e>\n<o> ::= + | -\n"
    "<f> ::= sin | np.sin\n<i> ::= GE_RANGE:dataset_n_vars",
};

static void test_round_trips(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof GRAMMARS / sizeof *GRAMMARS; i++)
        for (uint32_t convention = 0; convention <= (GR_WRAP_GEVA | GR_LAZY); convention++) {
            core_dice dice = {7 * i + convention};
            gr_grammar *grammar = parse(GRAMMARS[i]);
            int trips = 0;
            for (int k = 0; k < 1500; k++) {
                uint32_t genome[24], length = 1 + core_roll(&dice, 24);
                for (uint32_t n = 0; n < length; n++)
                    genome[n] = core_roll(&dice, k % 2 ? 0 : 1001);
                trips += round_trip(grammar, convention, genome, length);
            }
            if (trips < 100)
                fail_msg("only %d texts of %s", trips, GRAMMARS[i]);
            gr_grammar_free(grammar);
        }
}

/* PonyGE2's linear mapper lets the last terminal stand a level too deep, if it stands alone. */
static void test_one_level_deeper(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t max_depth, found;
    } cases[] = {{"x", 2, 1},       {"x", 1, 0},     {"(x + y)", 4, 1},
                 {"(x + y)", 3, 0}, {"x - y", 3, 1}, {"x - y", 2, 0}};
    gr_grammar *grammar = parse("<s> ::= <t> | <t> - <u>\n<t> ::= x | (<t> + <t>) | y\n<u> ::= y");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t lazy = 0; lazy <= GR_LAZY; lazy += GR_LAZY) {
            gr_derived_back d;
            gr_error error;
            gr_reading reading = {GR_WRAP_PONYGE_LINEAR | lazy, 0, cases[i].max_depth, 100};
            gr_status status = gr_derive_back_by(grammar, &reading, cases[i].text,
                                                 strlen(cases[i].text), &d, &error);
            if (status != (cases[i].found ? GR_OK : GR_BAD_INPUT))
                fail_msg("\"%s\", depth %u: %d", cases[i].text, cases[i].max_depth, status);
            free(d.genome);
        }
    gr_grammar_free(grammar);
}

static void check_found(const char *grammar_text, const char *text, int found, size_t reached) {
    gr_grammar *grammar = parse(grammar_text);
    gr_derived_back d;
    gr_error error;
    assert_int_equal(gr_derive_back(grammar, 0, text, strlen(text), &d, &error), GR_OK);
    if (d.found != found || (!found && d.reached != reached))
        fail_msg("\"%s\": found %d, reached %zu", text, d.found, d.reached);
    free(d.genome);
    gr_grammar_free(grammar);
}

static void test_no_sentences(void **state) {
    (void)state;
    const char *sums = GRAMMARS[0],
               *values = "<s> ::= <GECodonValue[-3,5]>|<GECodonValue[0.0,1.0]>";
    check_found(sums, "", 0, 0);
    check_found(sums, "x+", 0, 2);
    check_found(sums, "x+(x*y", 0, 6);
    check_found(sums, "x+(x*y)", 1, 0);
    check_found(sums, "z", 0, 0);
    check_found("<s> ::= '' | a", "", 1, 0);
    check_found(values, "-3", 1, 0);
    check_found(values, "5", 1, 0);
    check_found(values, "6", 0, 0);
    check_found(values, "-0", 0, 0);
    check_found(values, "05", 0, 1);
    check_found(values, "0.500000", 1, 0);
    check_found(values, "0.5", 0, 1);
    check_found(values, "0.000500", 0, 1); /* between two of the 1001 */
    check_found(values, "1.000000", 1, 0);
    /* numbers beyond 64 bits, as fuzzing found them; the sanitizers see an overflow */
    check_found(values, "55555555555555555555", 0, 1);
    check_found(values, "18446744073709551621", 0, 1); /* 2^64 + 5 */
    check_found("<s> ::= <GECodonValue>", "4294967295", 1, 0);
    check_found("<s> ::= <GECodonValue>", "4294967296", 0, 9);
}

/* The least depth, where a longer way round comes first in the grammar. */
static void test_least_depth(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<s> ::= <a> | <b>\n<a> ::= <c>\n<c> ::= <b>\n<b> ::= x | y");
    gr_derived_back d;
    gr_error error;
    assert_int_equal(gr_derive_back(grammar, 0, "y", 1, &d, &error), GR_OK);
    assert_true(d.found && d.depth == 3 && d.length == 2 && d.genome[0] == 1 && d.genome[1] == 1);
    free(d.genome);
    gr_grammar_free(grammar);
}

/* Times of `piece` with `between` between them. */
static char *repeated(const char *piece, const char *between, uint32_t times) {
    char *text = calloc(times, strlen(piece) + strlen(between) + 1), *end = text;
    for (uint32_t i = 0; i < times; i++)
        end += sprintf(end, "%s%s", i ? between : "", piece);
    return text;
}

/* The genome as a number (FNV-1a), to pin which of the many derivations of least depth is found. */
static uint32_t digest_of(const gr_derived_back *d) {
    uint32_t digest = 2166136261u;
    for (uint32_t i = 0; i < d->length; i++)
        digest = (digest ^ d->genome[i]) * 16777619u;
    return digest;
}

/* Sentences with more derivations than could be counted: digests are those of a parser that looked
 * at the pieces one by one, in n^3 steps. */
static void test_ambiguous(void **state) {
    static const struct {
        const char *grammar, *piece, *between;
        uint32_t times, depth, digest;
    } cases[] = {
        {"<e> ::= <e>+<e> | <e>*<e> | (<e>) | x | y", "x", "+", 200, 10, 3274001963u},
        {"<s> ::= <s><s> | a", "a", "", 500, 11, 3046574899u},
        {"<s> ::= <s><s><s> | <s><s> | a", "a", "", 400, 8, 4125742680u},
        {"<e> ::= <e><o><e> | x | y\n<o> ::= + | - | *", "y", "*", 200, 10, 4041226655u},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_grammar *grammar = parse(cases[k].grammar);
        char *text = repeated(cases[k].piece, cases[k].between, cases[k].times);
        double n = (double)strlen(text);
        gr_derived_back d;
        gr_error error;
        if (gr_derive_back(grammar, 0, text, strlen(text), &d, &error))
            fail_msg("%s", error.text);
        if (!d.found || d.depth != cases[k].depth || digest_of(&d) != cases[k].digest)
            fail_msg("case %zu: depth %u, digest %u", k, d.depth, digest_of(&d));
        if ((double)d.steps > 4.0 * n * n * (1.0 + n / 64.0))
            fail_msg("case %zu: %g steps for %g bytes", k, (double)d.steps, n);
        free(d.genome);
        free(text);
        gr_grammar_free(grammar);
    }
}

/* Recursion at either end of a rule: no letter in the middle begins or ends anything, and the chart
 * grows with the text, not with its square. */
static void test_recursive(void **state) {
    (void)state;
    static const struct {
        const char *grammar, *piece;
    } cases[] = {{"<a> ::= <a>x | x", "x"},
                 {"<a> ::= x<a> | x", "x"},
                 {"<e> ::= <e>+<t> | <t>\n<t> ::= <t>*<f> | <f>\n<f> ::= (<e>) | x", "x*(x+x)+"},
                 {"<a> ::= <b><a> | <b>\n<b> ::= <GECodonValue[0,9]>;", "7;"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_grammar *grammar = parse(cases[k].grammar);
        char *text = repeated(cases[k].piece, "", 4000);
        size_t n = strlen(text) - (k == 2); /* its last + */
        gr_derived_back d;
        gr_error error;
        if (gr_derive_back(grammar, 0, text, n, &d, &error))
            fail_msg("case %zu: %s", k, error.text);
        if (!d.found || d.steps > 20 * n)
            fail_msg("case %zu: found %d, %g steps", k, d.found, (double)d.steps);
        free(d.genome);
        free(text);
        gr_grammar_free(grammar);
    }
}

/* How far a text agrees is a question about all pieces that begin, wherever they end. */
static void test_far_from_sentences(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<a> ::= x<a> | x");
    char *text = repeated("x", "", 3000);
    gr_derived_back d;
    gr_error error;
    text[1000] = 'y';
    assert_int_equal(gr_derive_back(grammar, 0, text, 1001, &d, &error), GR_OK);
    assert_true(!d.found && d.reached == 1000);
    text[1000] = 'x';
    text[2999] = 'y';
    assert_int_equal(gr_derive_back(grammar, 0, text, 3000, &d, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "the text is no sentence, and to find how far it agrees with "
                                    "one takes more than 4194304 pieces of it; expected a shorter "
                                    "one");
    free(text);
    gr_grammar_free(grammar);
}

/* A production that begins with a terminal takes room where that stands, not at every position. */
static void test_many_productions(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<s> ::= <i>,<s> | <i>\n<i> ::= GE_RANGE:20000");
    char *text = repeated("19999", ",", 50);
    gr_derived_back d;
    gr_error error;
    assert_int_equal(gr_derive_back(grammar, 0, text, strlen(text), &d, &error), GR_OK);
    assert_true(d.found && d.length == 100 && d.genome[99] == 19999 && d.depth == 52);
    free(d.genome);
    free(text);
    gr_grammar_free(grammar);
}

/* Deeper than trees may be: that is told, and is not taken for a text that is no sentence. */
static void test_deep(void **state) {
    (void)state;
    gr_grammar *grammar = parse("<s> ::= (<s>) | x");
    for (uint32_t n = 65533; n < 65535; n++) {
        char *text = malloc(2ull * n + 2);
        gr_derived_back d;
        gr_error error;
        memset(text, '(', n);
        memset(text + n + 1, ')', n);
        text[n] = 'x';
        int deep = n + 2 > 65535;
        assert_int_equal(gr_derive_back(grammar, 0, text, 2ull * n + 1, &d, &error),
                         deep ? GR_BAD_INPUT : GR_OK);
        if (deep)
            assert_string_equal(error.text,
                                "the text has no derivation of at most 65535 levels; expected one");
        else
            assert_true(d.found && d.depth == n + 2);
        free(d.genome);
        free(text);
    }
    gr_grammar_free(grammar);
}

static void test_too_long(void **state) {
    (void)state;
    size_t n = 200000;
    char *text = malloc(n + 1);
    gr_grammar *grammar = parse("<s> ::= <s><s> | a");
    gr_derived_back d;
    gr_error error;
    memset(text, 'a', n);
    text[n] = '\0';
    assert_int_equal(gr_derive_back(grammar, 0, text, n, &d, &error), GR_BAD_INPUT);
    assert_string_equal(error.text,
                        "to find how the text is derived takes more than 4194304 pieces "
                        "of it; expected a shorter one");
    assert_null(d.genome);
    gr_grammar_free(grammar);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),      cmocka_unit_test(test_no_sentences),
        cmocka_unit_test(test_least_depth),      cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_many_productions), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_recursive),        cmocka_unit_test(test_far_from_sentences),
        cmocka_unit_test(test_too_long),         cmocka_unit_test(test_one_level_deeper),
    };
    return cmocka_run_group_tests_name("derive back", tests, NULL, NULL);
}
