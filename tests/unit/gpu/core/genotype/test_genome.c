/* gpu/core/genotype/genome.h: first generations whose genomes map back to the very trees they were
 * grown from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/grammars.h"

enum { INDIVIDUALS = 2000 };

static uint32_t depth_of_index(const gr_params *p, uint32_t index) {
    return p->initialisation == GR_INIT_RAMPED
               ? p->init_min_depth + index % (p->init_max_depth - p->init_min_depth + 1)
               : p->init_max_depth;
}

/* A grown genome, mapped: it is used to its last codon and not beyond. */
static void test_grown_genomes(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    core c = open_state(ARITHMETIC, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0), grown = 0, deepest[2] = {0};
    gr_words path = core_scratch(&c).path;
    for (uint32_t i = 0; i < 3 * INDIVIDUALS; i++) {
        uint32_t depth = 2 + i % 9, full = i / 9 % 2;
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 1, 0, i);
        uint32_t used =
            gr_grow_genome(&p, gr_genome_form(&p, c.s.grammar), &r, depth, full, genome, path);
        if (depth < 3)
            assert_int_equal(used, 0); /* the shallowest sentence has depth 3 */
        if (!used)
            continue;
        gr_derivation d = derive(&c, genome, used);
        assert_int_equal(d.validity, GR_VALID);
        assert_int_equal(d.used, used);
        assert_true(d.depth <= depth);
        for (uint32_t k = 0; k < used; k++)
            assert_true(genome[k] <= p.codon_size);
        grown++;
        deepest[full] += d.depth >= depth - 1;
        assert_int_equal(derive(&c, genome, used - 1).validity, GR_OUT_OF_CODONS);
    }
    assert_true(grown > 3 * INDIVIDUALS / 2);
    assert_true(deepest[1] > 2 * deepest[0] / 2); /* full ones reach their depth more often */
    close_state(&c);
}

/* Both parts of a first genome; its length. */
static uint32_t initial_genome(core *c, uint32_t index, uint32_t *genome, gr_lane_group w) {
    uint32_t used = gr_initial_codons(&c->s.p, gr_genome_form(&c->s.p, c->s.grammar), 0, index, 0,
                                      genome, core_scratch(c).path);
    return gr_initial_tail(&c->s.p, 0, index, 0, genome, used, w);
}

static void test_first_generation(void **state) {
    (void)state;
    static const uint32_t kinds[] = {GR_INIT_GROW, GR_INIT_FULL, GR_INIT_RAMPED};
    for (uint32_t n = 0; n < 3; n++) {
        const uint32_t kind = kinds[n];
        gr_params p = core_params(GR_GRAMMATICAL);
        p.initialisation = kind;
        p.init_min_depth = 3;
        p.init_max_depth = 9;
        p.genome_capacity = 400;
        core c = open_state(ARITHMETIC, &p);
        uint32_t *genome = gr_genome(&c.s, 0, 0), used[INDIVIDUALS], depths[10] = {0};
        for (uint32_t index = 0; index < INDIVIDUALS; index++) {
            uint32_t length = initial_genome(&c, index, genome, core_group);
            gr_derivation d = derive(&c, genome, length);
            assert_int_equal(d.validity, GR_VALID);
            assert_true(d.depth <= depth_of_index(&p, index));
            assert_int_equal(
                length, gr_min_u32(d.used + d.used / 2, p.genome_capacity)); /* with its tail */
            for (uint32_t k = 0; k < length; k++)
                assert_true(genome[k] <= p.codon_size);
            gr_random tail = gr_stream(&p, GR_PURPOSE_INIT_TAIL, 0, 0, index);
            for (uint32_t k = d.used; k < length;
                 k++) /* by position, apart from the tree's draws */
                assert_int_equal(genome[k],
                                 gr_codon(&p, gr_draw_block(&tail, 1 + k / 4).word[k % 4]));
            depths[d.depth]++;
            used[index] = d.used;
        }
        for (uint32_t depth = 3; depth <= 9 && kind == GR_INIT_RAMPED; depth++)
            assert_true(depths[depth] > INDIVIDUALS / 100);
        /* No two neighbours of a kind are the same by accident of the streams. */
        uint32_t same = 0;
        for (uint32_t index = 1; index < INDIVIDUALS; index++)
            same += used[index] == used[index - 1];
        assert_true(same < INDIVIDUALS / 2);
        close_state(&c);
    }
}

/* Every production that fits is as likely as the others (grow at the root of a deep tree). */
static void test_spread_of_productions(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = 4000;
    core c = open_state(ARITHMETIC, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0), grow[4] = {0}, full[4] = {0}, codon[32] = {0};
    gr_words path = core_scratch(&c).path;
    for (uint32_t i = 0; i < 20000; i++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_INIT, 2, 0, i), same = r;
        assert_true(gr_grow_genome(&p, gr_genome_form(&p, c.s.grammar), &r, 6, 0, genome, path) >
                    0);
        grow[genome[0] % 4]++;
        codon[genome[0] / 4]++; /* the rest of the codon is even as well */
        assert_true(gr_grow_genome(&p, gr_genome_form(&p, c.s.grammar), &same, 6, 1, genome, path) >
                    0);
        full[genome[0] % 4]++;
    }
    assert_true(core_chi_square(grow, NULL, 4) < 1.0);
    assert_true(core_chi_square(codon, NULL, 32) < 1.0);
    assert_true(core_chi_square(full, NULL, 2) < 1.0); /* only the two recursive ones */
    assert_true(full[2] == 0 && full[3] == 0);
    close_state(&c);
}

/* Trees that fit nowhere: the ramp goes down, at last codons come at random. */
static void test_no_capacity(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = 12;
    p.init_length = 12;
    p.init_min_depth = p.init_max_depth = 8;
    core c = open_state(ARITHMETIC, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0), full_length = 0;
    for (uint32_t index = 0; index < INDIVIDUALS; index++) {
        uint32_t length = initial_genome(&c, index, genome, core_group);
        assert_in_range(length, 1, 12);
        assert_int_equal(derive(&c, genome, length).validity, GR_VALID);
        full_length += length == 12;
    }
    assert_true(full_length > 0);
    p.init_max_depth = p.init_min_depth = 2; /* no sentence is that shallow */
    c.s.p = p;
    for (uint32_t index = 0; index < 100; index++)
        assert_int_equal(initial_genome(&c, index, genome, core_group), 12);
    close_state(&c);
}

static void test_uniform(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.initialisation = GR_INIT_UNIFORM;
    p.codon_size = 12;
    p.init_length = 50;
    core c = open_state(ARITHMETIC, &p);
    uint32_t *genome = gr_genome(&c.s, 0, 0), count[13] = {0}, first[13] = {0}, lanes[50];
    for (uint32_t index = 0; index < INDIVIDUALS; index++) {
        assert_int_equal(initial_genome(&c, index, genome, core_group), 50);
        for (uint32_t k = 0; k < 50; k++) {
            assert_true(genome[k] <= 12);
            count[genome[k]]++;
        }
        first[genome[0]]++;
    }
    assert_true(core_chi_square(count, NULL, 13) < 1.0);
    assert_true(core_chi_square(first, NULL, 13) < 1.0);
    memcpy(lanes, genome, sizeof lanes); /* a warp's lanes draw the same codons */
    memset(genome, 0xff, sizeof lanes);
    for (uint32_t lane = 32; lane-- > 0;)
        initial_genome(&c, INDIVIDUALS - 1, genome, (gr_lane_group){lane, 32});
    assert_memory_equal(lanes, genome, sizeof lanes);
    close_state(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grown_genomes),
        cmocka_unit_test(test_first_generation),
        cmocka_unit_test(test_spread_of_productions),
        cmocka_unit_test(test_no_capacity),
        cmocka_unit_test(test_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
