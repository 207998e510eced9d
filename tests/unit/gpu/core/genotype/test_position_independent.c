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
                                      gr_depth_first_scratch(&c.s, 0),
                                      c.s.grammar[GR_G_EXPANSIONS]),
                         12);
        count[genome[2] % 5]++;
    }
    assert_true(core_chi_square(count, NULL, 5) < 1.0);
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
