/* gpu/core/genotype/position_independent.h: pairs of codons, their order and what they choose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/non_depth_first.h"

/* Which of the non-terminals that wait is first expanded: each as often. */
static void test_order_is_even(void **state) {
    (void)state;
    gr_params p = params(GR_POSITION_INDEPENDENT);
    core c = open_state("<s> ::= <a><a><a><a><a>\n<a> ::= x | y | <b><a>\n<b> ::= z\n", &p);
    uint32_t tree[] = {0, 0, 1, 0, 1, 0}, *genome = gr_genome(&c.s, 0, 0), count[5] = {0};
    for (uint32_t index = 0; index < 4000; index++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, index);
        assert_int_equal(gr_pi_encode(&p, c.s.grammar, &r, tree, 6, genome,
                                      gr_pi_start(gr_depth_first_scratch(&c.s, 0),
                                                  c.s.grammar[GR_G_EXPANSIONS])),
                         12);
        count[genome[2] % 5]++;
    }
    assert_true(core_chi_square(count, NULL, 5) < 1.0);
    close_state(&c);
}

/* Where more non-terminals wait than there are codons, those that a codon can name are expanded,
 * each as often; the genome stays in range and derives the tree all the same. */
static void test_small_codons(void **state) {
    (void)state;
    gr_params p = params(GR_POSITION_INDEPENDENT);
    p.codon_size = 2;
    core c = open_state("<s> ::= <a><a><a><a><a>\n<a> ::= x | y | <b><a>\n<b> ::= z\n", &p);
    uint32_t tree[] = {0, 0, 1, 0, 1, 0}, *genome = gr_genome(&c.s, 0, 0), named[3] = {0};
    for (uint32_t index = 0; index < 3000; index++) {
        uint32_t *depth_first, count;
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, index);
        assert_int_equal(gr_pi_encode(&p, c.s.grammar, &r, tree, 6, genome,
                                      gr_pi_start(gr_depth_first_scratch(&c.s, 0),
                                                  c.s.grammar[GR_G_EXPANSIONS])),
                         12);
        for (uint32_t k = 0; k < 12; k++)
            assert_true(genome[k] <= 2);
        named[genome[2]]++; /* of five that wait */
        gr_derivation d = to_depth_first(&c, genome, 12, &depth_first, &count);
        assert_int_equal(d.validity, GR_VALID);
        assert_int_equal(count, 6);
        assert_memory_equal(depth_first, tree, sizeof tree);
    }
    assert_true(core_chi_square(named, NULL, 3) < 1.0);
    close_state(&c);
}

/* By hand: an order codon counts from the left among those that wait, a content codon chooses. */
static void test_pairs_by_hand(void **state) {
    (void)state;
    static const char text[] =
        "<s> ::= <a><b><c>\n<a> ::= x | (<a>)\n<b> ::= y | <a><a>\n<c> ::= z\n";
    const struct {
        uint32_t convention, wraps, length, genome[16], validity, used, count, depth_first[6];
    } cases[] = {
        /* s; the 2nd of a b c: b -> a a; the 4th of a a a c: c; then the a from the right */
        {0, 0, 12, {9, 5, 1, 3, 7, 2, 5, 4, 1, 2, 8, 6}, GR_VALID, 12, 6, {5, 6, 3, 2, 4, 2}},
        {0, 0, 11, {9, 5, 1, 3, 7, 2, 5, 4, 1, 2, 8}, GR_OUT_OF_CODONS, 11, 0, {0}},
        /* lazy: s takes none; of a b c the last, z, takes no content; b -> y; a is alone */
        {GR_LAZY, 0, 4, {2, 5, 4, 6}, GR_VALID, 4, 4, {0, 6, 4, 0}},
        {GR_LAZY, 0, 3, {2, 5, 4}, GR_OUT_OF_CODONS, 3, 0, {0}},
        {GR_LAZY, 1, 3, {2, 5, 4}, GR_VALID, 4, 4, {0, 2, 4, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_params p = params(GR_POSITION_INDEPENDENT | cases[k].convention);
        uint32_t *depth_first, count;
        p.max_wraps = cases[k].wraps;
        core c = open_state(text, &p);
        gr_derivation d =
            to_depth_first(&c, cases[k].genome, cases[k].length, &depth_first, &count);
        if (d.validity != cases[k].validity || d.used != cases[k].used)
            fail_msg("case %zu: validity %u, %u used", k, d.validity, d.used);
        if (d.validity == GR_VALID) {
            assert_int_equal(count, cases[k].count);
            assert_memory_equal(depth_first, cases[k].depth_first, count * sizeof *depth_first);
        }
        close_state(&c);
    }
}

enum { GROW = 3000, ALL = 3 * GROW + 1 };

/* What pairs of codons derive with <e> ::= <e><e><e> | x | y, by the rule as it reads: a list of
 * those that wait from left to right. The content codons, depth first. */
static void derive_as_it_reads(const uint32_t *genome, uint32_t *depth_first) {
    static uint32_t waiting[ALL], content[ALL], below[ALL], stack[ALL];
    uint32_t waits = 1, count = 1, top = 1;
    waiting[0] = stack[0] = 0;
    for (; waits; genome += 2) {
        uint32_t at = genome[0] % waits, e = waiting[at], more = genome[1] % 3 ? 0 : 3;
        content[e] = genome[1];
        below[e] = count;
        memmove(&waiting[at + more], &waiting[at + 1], (waits - at - 1) * sizeof *waiting);
        for (uint32_t k = 0; k < more; k++)
            waiting[at + k] = count++;
        waits += more - 1;
    }
    for (uint32_t n = 0; top; n++) {
        uint32_t e = stack[--top];
        depth_first[n] = content[e];
        for (uint32_t k = 3; content[e] % 3 == 0 && k-- > 0;)
            stack[top++] = below[e] + k;
    }
}

/* Many wait, and are found among them: there and back again. */
static void test_many_wait(void **state) {
    (void)state;
    static uint32_t genome[2 * ALL], expected[ALL], *found;
    gr_params p = params(GR_POSITION_INDEPENDENT);
    p.genome_capacity = 2 * ALL;
    p.max_depth = 250;
    p.codon_size = 1000000;
    core c = open_state("<e> ::= <e><e><e> | x | y\n", &p);
    gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 0, 0, 0);
    uint32_t count;
    for (uint32_t k = 0; k < ALL; k++) {
        genome[2 * k] = gr_below(&r, p.codon_size + 1);
        genome[2 * k + 1] = 3 * gr_below(&r, 1000) + (k < GROW ? 0 : 1 + gr_below(&r, 2));
    }
    for (int turn = 0; turn < 2; turn++) { /* then as it is encoded, in an order of its own */
        derive_as_it_reads(genome, expected);
        gr_derivation d = to_depth_first(&c, genome, 2 * ALL, &found, &count);
        assert_int_equal(d.validity, GR_VALID);
        assert_int_equal(count, ALL);
        assert_memory_equal(found, expected, sizeof expected);
        assert_int_equal(gr_pi_encode(&p, c.s.grammar, &r, expected, ALL, genome,
                                      gr_pi_start(gr_depth_first_scratch(&c.s, 0),
                                                  c.s.grammar[GR_G_EXPANSIONS])),
                         2 * ALL);
    }
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_even),
        cmocka_unit_test(test_small_codons),
        cmocka_unit_test(test_pairs_by_hand),
        cmocka_unit_test(test_many_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
