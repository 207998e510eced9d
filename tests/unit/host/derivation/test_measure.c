/* host/derivation/measure.c: genomes drawn by an initialiser, what they use, and their mutants. The
 * shares themselves are held to runs and to exact values in tests/e2e/measure.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/derivation/measure.h"

#include <string.h>

enum { GENOMES = 500 };

static gr_grammar *load(const char *text) {
    const gr_grammar_context context = {0};
    gr_grammar *grammar;
    gr_error error;
    if (gr_grammar_parse(text, strlen(text), "g.bnf", &context, &grammar, &error))
        fail_msg("%s", error.text);
    return grammar;
}

static gr_params params(uint32_t initialisation) {
    gr_params p = {.runs = 1, .islands = 1, .population = GENOMES, .individuals = GENOMES};
    p.initialisation = initialisation;
    p.init_min_depth = 2;
    p.init_max_depth = 6;
    p.max_depth = 30;
    p.genome_capacity = 100;
    p.init_length = 3;
    p.codon_size = 11;
    return p;
}

/* Expansions of productions add up to those of their rules, and to the codons used. */
static void test_sums(void **state) {
    (void)state;
    gr_grammar *grammar = load("<e> ::= <e><o><e> | <v>\n<o> ::= + | - | *\n<v> ::= x | y\n");
    const uint32_t initialisers[] = {GR_INIT_RAMPED, GR_INIT_UNIFORM, GR_INIT_PI_GROW};
    for (size_t k = 0; k < 3; k++) {
        gr_params p = params(initialisers[k]);
        gr_grammar_sample s;
        gr_error error;
        uint64_t used = 0, rules = 0, mutants = 0, valid = 0;
        assert_int_equal(gr_grammar_measure(grammar, &p, 2, 0, &s, &error), GR_OK);
        for (uint32_t i = 0; i < GENOMES; i++) {
            used += s.of.used[i];
            valid += s.of.validity[i] == GR_VALID;
            mutants += s.of.mutant[i] != GR_NEIGHBOUR_NONE;
            assert_true(s.of.change[i] >= 0 && s.of.change[i] <= 1);
            assert_true((s.of.mutant[i] == GR_NEIGHBOUR_CHANGED) == (s.of.change[i] > 0));
        }
        assert_int_equal(mutants, valid);
        assert_true(valid > 0 && (initialisers[k] != GR_INIT_UNIFORM || valid < GENOMES));
        for (uint32_t r = 0; r < 3; r++)
            rules += s.rule[r].n;
        assert_int_equal(rules, used);
        assert_int_equal(s.of.production[0].n + s.of.production[1].n, s.rule[0].n);
        assert_int_equal(s.of.production[2].n + s.of.production[3].n + s.of.production[4].n,
                         s.rule[1].n);
        gr_grammar_sample_free(&s);
    }
    gr_grammar_free(grammar);
}

/* Where there is one sentence every mutant is neutral, synonymous where it is one derivation too.
 */
static void test_neutral(void **state) {
    (void)state;
    static const struct {
        const char *grammar;
        int synonymous;
    } cases[] = {{"<e> ::= x\n", 1}, {"<e> ::= x | 'x'\n", 0}};
    for (size_t k = 0; k < 2; k++) {
        gr_grammar *grammar = load(cases[k].grammar);
        gr_params p = params(GR_INIT_UNIFORM);
        gr_grammar_sample s;
        gr_error error;
        uint32_t synonymous = 0;
        assert_int_equal(gr_grammar_measure(grammar, &p, 1, 0, &s, &error), GR_OK);
        for (uint32_t i = 0; i < GENOMES; i++) {
            assert_true(s.of.mutant[i] == GR_NEIGHBOUR_SYNONYMOUS ||
                        s.of.mutant[i] == GR_NEIGHBOUR_NEUTRAL);
            assert_true(s.of.sentence[i] == s.of.sentence[0]);
            synonymous += s.of.mutant[i] == GR_NEIGHBOUR_SYNONYMOUS;
        }
        assert_true(cases[k].synonymous ? synonymous == GENOMES
                                        : synonymous > GENOMES / 3 && synonymous < 2 * GENOMES / 3);
        gr_grammar_sample_free(&s);
        gr_grammar_free(grammar);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_neutral),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
