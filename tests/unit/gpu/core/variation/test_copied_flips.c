/* gpu/core/variation/crossover.h, as a warp of the device does it (tests/warp.h): codons that are
 * mutated while they are copied. */
#include "tests/warp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/breeding/breed.h"
#include "tests/core.h"

enum { CAPACITY = 300, CHILDREN = GR_GENOMES_AHEAD, FIRST = 5, SIZE = 1000 };

/* What the warp is given: children whose codons are numbers beyond those that are drawn. */
typedef struct copied {
    gr_params p;
    gr_source source[CHILDREN];
    uint32_t *children, below[CHILDREN];
} copied;

/* Lane FIRST + n knows the draws of child n, which is individual 20 + n. */
static void splice(const void *with, gr_lane_group w) {
    const copied *of = with;
    uint32_t n = w.lane - FIRST;
    gr_flips flips = {.below = n < CHILDREN ? of->below[n] : 0};
    flips.r = gr_stream(&of->p, GR_PURPOSE_MUTATION, 3, 0, 15 + w.lane);
    gr_splice_genomes(&of->p, of->source, of->children, &flips, FIRST, w);
}

/* Codon c is drawn again with words 0 and 1, or, if it is odd, 2 and 3 of block c / 2 of its child:
 * whether, and its value. */
static void test_draws_by_position(void **state) {
    (void)state;
    const uint32_t lengths[] = {1, 2, 31, 32, 33, 64, 95, 127, 128, 129, 160, 255, 257, CAPACITY};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    static uint32_t parent[CAPACITY], children[CHILDREN * CAPACITY];
    uint32_t changed = 0, codons = 0;
    copied of = {.p = core_params(GR_GRAMMATICAL), .children = children};
    of.p.genome_capacity = CAPACITY;
    of.p.codon_size = SIZE;
    for (uint32_t c = 0; c < CAPACITY; c++)
        parent[c] = 5000 + c;
    for (uint32_t k = 0; k < LENGTHS * LENGTHS; k++) {
        const uint32_t length[CHILDREN] = {lengths[k / LENGTHS], lengths[k % LENGTHS]};
        memset(children, 0xff, sizeof children);
        for (uint32_t n = 0; n < CHILDREN; n++) {
            const gr_source all = {parent, parent, parent, length[n], length[n], length[n]};
            of.source[n] = all;
            of.below[n] = n == k % 3 ? 0 : 1u << 22; /* a quarter, or this one not at all */
        }
        warp_run(splice, &of);
        for (uint32_t n = 0; n < CHILDREN; n++)
            for (uint32_t c = 0; c < CAPACITY; c++) {
                uint32_t draw = c / 2 * 4 + c % 2 * 2, wanted = c < length[n] ? 5000 + c : ~0u;
                uint64_t value = core_draw(&of.p, GR_PURPOSE_MUTATION, 0, 3, 0, 20 + n, draw + 1);
                if (c < length[n] && n != k % 3 &&
                    core_draw(&of.p, GR_PURPOSE_MUTATION, 0, 3, 0, 20 + n, draw) < 1u << 30) {
                    wanted = (uint32_t)(value * (SIZE + 1) >> 32);
                    changed++;
                }
                codons += c < length[n] && n != k % 3;
                assert_int_equal(children[n * CAPACITY + c], wanted);
            }
    }
    assert_true(changed > codons / 5 && changed < codons / 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws_by_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
