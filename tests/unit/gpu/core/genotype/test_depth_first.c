/* gpu/core/genotype/depth_first.h: position-independent and structured genomes hold the tree they
 * are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/non_depth_first.h"

/* Rules without a choice, among them some that lazy mapping expands for nothing. */
static const char CHAIN[] = "<s> ::= <t>\n<t> ::= <u>+<t> | <u> | (<s>)\n<u> ::= <w>\n"
                            "<w> ::= 1 | 2 | <one><one>\n<one> ::= x\n";
static const char NO_CHOICE[] = "<s> ::= <t>+<u>\n<t> ::= x\n<u> ::= y\n";

/* A grown tree, made a genome and brought back into depth-first order, is the same tree, and no
 * codon is left over. */
static void check_back(const core *c, uint32_t index) {
    const gr_params *p = &c->s.p;
    uint32_t tree[4096], *depth_first, count, depth = 4 + index % 6;
    gr_form form = {c->s.grammar, 0, 1000};
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, 7, 0, index);
    uint32_t *genome = gr_genome(&c->s, 0, 0), *codon_scratch = gr_depth_first_scratch(&c->s, 0);
    uint32_t n =
        index % 2 ? gr_pi_grow_genome(p, form, &r, depth, 0, tree, core_scratch(c).path)
                  : gr_grow_genome(p, form, &r, depth, index / 2 % 2, tree, core_scratch(c).path);
    uint32_t most = c->s.grammar[GR_G_EXPANSIONS], used = p->genome_capacity;
    if (!n)
        return;
    gr_derivation plain;
    gr_derive_start(&plain, c->s.grammar, tree, n, 0, p->max_depth, core_scratch(c).path);
    while (gr_derive_next(&plain) != GR_DERIVED)
        ;
    if (p->convention & GR_LISTS) {
        gr_lists_encode(p, c->s.grammar, tree, n, genome, codon_scratch + most,
                        core_scratch(c).path);
        gr_fill_lists(p, c->s.grammar, &r, codon_scratch + most, genome);
    } else
        used = gr_pi_encode(p, c->s.grammar, &r, tree, n, genome, gr_pi_start(codon_scratch, most));
    assert_true(used > 0 || (p->convention & GR_LAZY));
    for (uint32_t k = 0; k < used; k++)
        assert_true(genome[k] <= p->codon_size);
    genome[used] = 0; /* GEVA wants a codon left also where none is needed */
    uint32_t more = !used || p->convention & GR_WRAP_GEVA;
    gr_derivation d = to_depth_first(c, genome, used + more, &depth_first, &count);
    assert_int_equal(d.validity, GR_VALID);
    assert_int_equal(count, n);
    assert_int_equal(d.depth, plain.depth);
    assert_int_equal(d.nodes, plain.nodes);
    if (p->convention & GR_POSITION_INDEPENDENT)
        assert_int_equal(d.used, used);
    gr_derivation a, b; /* the same productions: the same symbols all along */
    uint32_t stack[64];
    gr_derive_start(&a, c->s.grammar, tree, n, 0, p->max_depth, core_scratch(c).path);
    gr_derive_start(&b, c->s.grammar, depth_first, count, 0, p->max_depth, (gr_words){stack, 1});
    for (uint32_t symbol; (symbol = gr_derive_next(&a)) != GR_DERIVED;)
        assert_int_equal(gr_derive_next(&b), symbol);
    assert_int_equal(gr_derive_next(&b), GR_DERIVED);
}

static void test_there_and_back(void **state) {
    (void)state;
    static const char *const grammars[] = {ARITHMETIC, CHAIN, NO_CHOICE, ENDS};
    for (size_t g = 0; g < sizeof grammars / sizeof *grammars; g++)
        for (size_t k = 0; k < KINDS; k++) {
            gr_params p = params(CONVENTIONS[k]);
            p.genome_capacity = 60000; /* capacity for lists of all a tree of 12 levels can hold */
            core c = open_state(grammars[g], &p);
            for (uint32_t index = 0; index < INDIVIDUALS; index++)
                check_back(&c, index);
            close_state(&c);
        }
}

/* Scratch: four words an expansion, or one and a count for each rule; none where it is not needed.
 */
static void test_words(void **state) {
    (void)state;
    static const uint32_t kinds[] = {0, GR_LAZY | GR_WRAP_GEVA, GR_POSITION_INDEPENDENT,
                                     GR_POSITION_INDEPENDENT | GR_LAZY, GR_LISTS};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        gr_params p = params(kinds[k]);
        core c = open_state(ENDS, &p); /* three rules */
        uint32_t most = c.s.grammar[GR_G_EXPANSIONS];
        assert_int_equal(gr_is_non_depth_first(kinds[k]), k > 1);
        assert_int_equal(gr_depth_first_words(c.s.grammar, kinds[k]),
                         k < 2   ? 0
                         : k < 4 ? 4 * most + 2 * (most / 16 + 1)
                                 : most + 3);
        assert_int_equal(gr_depth_first_words(NULL, kinds[k]), 0); /* tables that are elsewhere */
        close_state(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
