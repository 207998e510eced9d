/* gpu/core/variation/mutation_events.h: as many codons drawn anew as there are events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

enum { CODONS = 101, ROUNDS = 5000 };

static const uint32_t MARK = 0xffffffffu; /* no codon */

/* As many redrawn codons as events, fewer only where two meet; every position as likely. */
static void test_flip_events(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    uint32_t genome[CODONS], hits[CODONS] = {0}, value[128] = {0}, met = 0;
    for (p.mutation_events = 1; p.mutation_events <= 3; p.mutation_events++)
        for (uint32_t i = 0; i < ROUNDS; i++) {
            gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 4, 0, p.mutation_events * ROUNDS + i);
            uint32_t changed = 0;
            memset(genome, 0xff, sizeof genome);
            gr_flip_events(&p, &r, genome, CODONS);
            for (uint32_t k = 0; k < CODONS; k++)
                if (genome[k] != MARK) {
                    assert_true(genome[k] <= p.codon_size);
                    changed++;
                    hits[k]++;
                    value[genome[k]]++;
                }
            assert_in_range(changed, 1, p.mutation_events);
            met += p.mutation_events - changed;
        }
    assert_true(met > 0 && met < ROUNDS / 4);
    assert_true(core_chi_square(hits, NULL, CODONS) < 1.0);
    assert_true(core_chi_square(value, NULL, 128) < 1.0);
    gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 4, 0, 0);
    memset(genome, 0xff, sizeof genome);
    gr_flip_events(&p, &r, genome, 1); /* all at the one position there is */
    assert_true(genome[0] != MARK && genome[1] == MARK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flip_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
