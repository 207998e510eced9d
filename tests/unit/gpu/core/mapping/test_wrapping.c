/* gpu/core/mapping/wrapping.h: which expansions take a codon and when a genome is read again, by
 * hand for every convention. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/grammars.h"

typedef struct known {
    const char *text;
    uint32_t convention, wraps, depth, length, genome[6];
    uint32_t validity, used;
    const char *sentence; /* of a valid one */
} known;

/* A sum of two; a rule without a choice in the middle, and at the end; a chain. */
#define SUM "<s> ::= <t>+<t>\n<t> ::= x | y\n"
#define MIDDLE "<s> ::= <t><u><t>\n<t> ::= x | y\n<u> ::= z\n"
#define END "<s> ::= <t><u>\n<t> ::= x | y\n<u> ::= z\n"
#define TAIL "<s> ::= <t>+\n<t> ::= x | y\n"
#define CHAIN "<s> ::= <t>\n<t> ::= x | y\n"

static const known CASES[] = {
    /* eager: <s> takes one, too */
    {SUM, 0, 0, 9, 3, {7, 0, 1}, GR_VALID, 3, "x+y"},
    {SUM, 0, 0, 9, 2, {7, 0}, GR_OUT_OF_CODONS, 2, NULL},
    /* lazy: only where there is a choice */
    {SUM, GR_LAZY, 0, 9, 2, {0, 1}, GR_VALID, 2, "x+y"},
    {SUM, GR_LAZY, 0, 9, 3, {3, 2, 1}, GR_VALID, 2, "y+x"},
    {SUM, GR_LAZY, 0, 9, 1, {1}, GR_OUT_OF_CODONS, 1, NULL},
    {SUM, GR_LAZY, 1, 9, 1, {1}, GR_VALID, 2, "y+y"}, /* read again when one is needed */
    {MIDDLE, GR_LAZY, 0, 9, 2, {0, 1}, GR_VALID, 2, "xzy"},
    {MIDDLE, GR_LAZY, 1, 9, 1, {1}, GR_VALID, 2, "yzy"},
    {END, GR_LAZY, 0, 9, 1, {1}, GR_VALID, 1, "yz"}, /* none needed behind it */
    /* GEVA: a wrap begins before a non-terminal, needed or not */
    {END, GR_LAZY | GR_WRAP_GEVA, 0, 9, 1, {1}, GR_OUT_OF_CODONS, 1, NULL},
    {END, GR_LAZY | GR_WRAP_GEVA, 1, 9, 1, {1}, GR_VALID, 1, "yz"},
    {END, GR_LAZY | GR_WRAP_GEVA, 0, 9, 2, {1, 0}, GR_VALID, 1, "yz"},
    {SUM, GR_LAZY | GR_WRAP_GEVA, 0, 9, 1, {1}, GR_OUT_OF_CODONS, 1, NULL},
    {SUM, GR_LAZY | GR_WRAP_GEVA, 1, 9, 1, {1}, GR_VALID, 2, "y+y"},
    /* nothing can be read again where there is nothing */
    {SUM, GR_LAZY, 3, 9, 0, {1}, GR_OUT_OF_CODONS, 0, NULL},
    {SUM, GR_LAZY | GR_WRAP_GEVA, 3, 9, 0, {1}, GR_OUT_OF_CODONS, 0, NULL},
    {SUM, GR_WRAP_GEVA, 3, 9, 0, {1}, GR_OUT_OF_CODONS, 0, NULL},
    {SUM, GR_WRAP_PONYGE_LINEAR, 3, 9, 0, {1}, GR_OUT_OF_CODONS, 0, NULL},
    /* PonyGE2's linear mapper: while something waits the seam is met before <t>, x, + and <t>,
     * which makes 4 wraps */
    {SUM, GR_WRAP_PONYGE_LINEAR, 3, 9, 1, {0}, GR_OUT_OF_CODONS, 3, NULL},
    {SUM, GR_WRAP_PONYGE_LINEAR, 4, 9, 1, {0}, GR_VALID, 3, "x+x"},
    {SUM, GR_WRAP_PONYGE_LINEAR, 0, 9, 3, {7, 0, 1}, GR_VALID, 3, "x+y"},
    {SUM, GR_WRAP_PONYGE_LINEAR, 0, 9, 4, {7, 0, 1, 5}, GR_VALID, 3, "x+y"},
    /* of two codons before y, + and <t> */
    {SUM, GR_WRAP_PONYGE_LINEAR, 2, 9, 2, {0, 1}, GR_OUT_OF_CODONS, 3, NULL},
    {SUM, GR_WRAP_PONYGE_LINEAR, 3, 9, 2, {0, 1}, GR_VALID, 3, "y+x"},
    /* what stands behind the last expansion meets the seam, too, but nothing waits any more */
    {TAIL, GR_WRAP_PONYGE_LINEAR, 0, 9, 2, {7, 0}, GR_VALID, 2, "x+"},
    /* its last terminal may stand one level too deep, no other */
    {CHAIN, 0, 0, 2, 2, {0, 1}, GR_TOO_DEEP, 1, NULL},
    {CHAIN, GR_WRAP_PONYGE_LINEAR, 0, 2, 2, {0, 1}, GR_VALID, 2, "y"},
    {CHAIN, GR_WRAP_PONYGE_LINEAR, 0, 1, 2, {0, 1}, GR_TOO_DEEP, 0, NULL},
    {SUM, GR_WRAP_PONYGE_LINEAR, 0, 2, 3, {0, 1, 0}, GR_TOO_DEEP, 1, NULL},
};

static void test_known(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const known *c = &CASES[k];
        gr_params p = core_params(GR_GRAMMATICAL);
        gr_derivation d;
        char sentence[16] = "";
        core s = open_state(c->text, &p);
        gr_derive_start(&d, s.s.grammar, c->genome, c->length, c->wraps, c->depth,
                        core_scratch(&s).path);
        gr_derive_by(&d, c->convention, c->wraps);
        for (uint32_t terminal; (terminal = gr_derive_next(&d)) != GR_DERIVED;) {
            size_t length;
            strncat(sentence, gr_grammar_terminal(grammar, terminal, &length), 1);
        }
        if (d.validity != c->validity || d.used != c->used ||
            (c->sentence && strcmp(sentence, c->sentence) != 0))
            fail_msg("case %zu: validity %u, %u used, \"%s\"", k, d.validity, d.used, sentence);
        close_state(&s);
    }
}

/* A codon's value takes one however many values it has; a rule of one production under lazy none.
 */
static void test_takes_codon(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    core c = open_state("<s> ::= <t><u><GECodonValue[3,3]>\n<t> ::= x | y\n<u> ::= z\n", &p);
    const uint32_t lazy[] = {0, 1, 0, 1};
    assert_int_equal(c.s.grammar[GR_G_RULES], 4);
    for (uint32_t rule = 0; rule < 4; rule++) {
        assert_int_equal(gr_takes_codon(c.s.grammar, 0, rule), 1);
        assert_int_equal(gr_takes_codon(c.s.grammar, GR_WRAP_GEVA, rule), 1);
        assert_int_equal(gr_takes_codon(c.s.grammar, GR_LAZY, rule), lazy[rule]);
    }
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_takes_codon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
