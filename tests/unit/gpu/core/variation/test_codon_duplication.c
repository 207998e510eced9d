/* gpu/core/variation/codon_duplication.h: runs of codons that are copied to the end or cut out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

enum { CODONS = 101, ROUNDS = 5000 };

/* A run at the end again, or a run less: what is left is the old genome in its order. */
static void test_codon_runs(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    uint32_t genome[CODONS], longer = 0, shorter = 0, same = 0;
    p.genome_capacity = CODONS;
    for (uint32_t i = 0; i < 3 * ROUNDS; i++) {
        uint32_t length = 1 + i % CODONS, kind = i % 3;
        p.codon_duplication = kind == 0 ? 0.5f : 0.0f;
        p.codon_deletion = kind == 1 ? 0.5f : 0.0f;
        for (uint32_t k = 0; k < CODONS; k++)
            genome[k] = k;
        gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION_DUPLICATION, 2, 0, i);
        uint32_t k = 0, now = gr_duplicate_codons(&p, &r, genome, length);
        now = gr_delete_codons(&p, &r, genome, now);
        assert_in_range(now, 1, CODONS);
        assert_true(kind == 0 ? now >= length : kind == 1 ? now <= length : now == length);
        while (k < now && k < length && genome[k] == k)
            k++;
        if (now >= length) { /* the run behind it counts up from somewhere */
            assert_int_equal(k, length);
            for (uint32_t j = length + 1; j < now; j++)
                assert_int_equal(genome[j], genome[j - 1] + 1);
            assert_true(now == length || genome[now - 1] < length);
        } else
            for (; k < now; k++)
                assert_int_equal(genome[k], k + length - now);
        longer += now > length;
        shorter += now < length;
        same += now == length;
    }
    assert_true(longer > ROUNDS / 5 && shorter > ROUNDS / 3 && same > ROUNDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codon_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
