/* gpu/core/base/rng.h: Random123's vectors, and which draws belong to whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

static void test_known_answers(void **state) {
    (void)state;
    static const uint32_t rows[][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t *r = rows[i];
        gr_block block = gr_philox(r[0], r[1], r[2], r[3], r[4], r[5]);
        assert_memory_equal(block.word, r + 6, sizeof block.word);
    }
}

/* The counter is (block, individual, generation, purpose | island << 8), the key the run's seed. */
static void test_counter(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.runs = 4;
    p.islands = 3;
    p.seed[0] = 0xfffffffeu;
    p.seed[1] = 7;
    gr_random r = gr_stream(&p, GR_PURPOSE_MUTATION, 11, 3 * 3 + 2, 99); /* run 3, island 2 */
    for (uint32_t b = 0; b < 3; b++) {
        gr_block wanted = gr_philox(b, 99, 11, GR_PURPOSE_MUTATION | 2u << 8, 1, 8); /* carries */
        gr_block got = gr_draw_block(&r, b);
        assert_memory_equal(got.word, wanted.word, sizeof got.word);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(gr_next(&r), wanted.word[k]);
    }
}

/* Draws of a run: its key, and the counter of no island, wherever its islands are numbered from. */
static void test_run_stream(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.runs = 4;
    p.islands = 3;
    p.first_island = 5;
    p.seed[0] = 40;
    p.seed[1] = 7;
    gr_random r = gr_run_stream(&p, GR_PURPOSE_ROUTES, 11, 2);
    gr_block wanted = gr_philox(0, 2u << 30, 11, 7, 42, 7);
    for (uint32_t k = 0; k < 4; k++)
        assert_int_equal(gr_next(&r), wanted.word[k]);
}

/* Several blocks at once are those one by one, behind the last number too. */
static void test_blocks_at_once(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.seed[0] = 0xfedcba98u;
    p.seed[1] = 0xffffffffu;
    gr_random r = gr_stream(&p, GR_PURPOSE_SAMPLE, 0xfffffff0u, 0, 0x3fffffffu);
    static const uint32_t firsts[] = {0, 1, 5, 0x7fffffffu, 0x80000000u, 0xfffffffdu, 0xffffffffu};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        gr_block at_once[GR_BLOCKS + 1];
        memset(at_once, 0x5a, sizeof at_once);
        gr_draw_blocks(&r, firsts[i], at_once);
        for (uint32_t k = 0; k < GR_BLOCKS; k++) {
            gr_block one = gr_draw_block(&r, firsts[i] + k);
            assert_memory_equal(at_once[k].word, one.word, sizeof one.word);
        }
        assert_int_equal(at_once[GR_BLOCKS].word[0], 0x5a5a5a5a);
#ifdef __SSE2__ /* where the processor has more they are drawn another way */
        gr_block four[4];
        gr_philox_four(firsts[i], r.individual, r.generation, r.purpose, r.key, four);
        assert_memory_equal(four, at_once, sizeof four);
#endif
    }
#ifdef __SSE2__
    assert_int_equal(GR_BLOCKS, 8);
#endif
}

static void test_alone_as_in_batch(void **state) {
    (void)state;
    gr_params batch = core_params(GR_TREE);
    batch.runs = 8;
    batch.islands = 4;
    batch.seed[0] = 0xfffffffcu;
    for (uint32_t run = 0; run < batch.runs; run++) {
        gr_params alone = batch;
        uint64_t seed = 0xfffffffcull + run;
        alone.runs = 1;
        alone.seed[0] = (uint32_t)seed;
        alone.seed[1] = (uint32_t)(seed >> 32);
        for (uint32_t island = 0; island < 4; island++)
            for (uint32_t individual = 0; individual < 20; individual++) {
                gr_random a = gr_stream(&alone, GR_PURPOSE_SELECT, 5, island, individual);
                gr_random b = gr_stream(&batch, GR_PURPOSE_SELECT, 5, run * 4 + island, individual);
                for (uint32_t k = 0; k < 6; k++)
                    assert_int_equal(gr_next(&a), gr_next(&b));
            }
    }
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static const gr_purpose purposes[] = {
#define PURPOSE(name, number, part) GR_PURPOSE_##name,
    GR_PURPOSES(PURPOSE)
#undef PURPOSE
};
enum { PURPOSES = sizeof purposes / sizeof *purposes };

static void assert_all_differ(uint64_t *value, uint32_t n) {
    qsort(value, n, sizeof *value, by_value);
    for (uint32_t i = 1; i < n; i++)
        assert_true(value[i] != value[i - 1]);
}

/* No two streams meet, up to the borders of islands, individuals and repetitions: their counters
 * differ in what is no block and no generation. */
static void test_no_two_streams_meet(void **state) {
    (void)state;
    static const uint32_t islands[] = {0, 1, 3, 0x2000, 0x3fff};
    static const uint32_t individuals[] = {0, 1, 0x1fffffff, 0x3fffffff};
    static const uint32_t attempts[] = {0, 1, 2, 511, 512, 1023};
    static uint64_t counter[PURPOSES * 5 * 4 * 6];
    gr_params p = core_params(GR_TREE);
    uint32_t n = 0;
    p.islands = 0x4000;
    for (uint32_t k = 0; k < PURPOSES; k++)
        for (uint32_t island = 0; island < 5; island++)
            for (uint32_t i = 0; i < 4; i++)
                for (uint32_t t = 0; t < 6; t++) {
                    gr_random r = gr_stream(&p, purposes[k], 7, islands[island], individuals[i]);
                    r = gr_repeated(r, attempts[t]);
                    assert_int_equal(r.generation, 7);
                    uint32_t never =
                        purposes[k] == GR_PURPOSE_DATA || purposes[k] == GR_PURPOSE_SAMPLE;
                    if (!never || t == 0) /* they are never repeated */
                        counter[n++] = (uint64_t)r.purpose << 32 | r.individual;
                }
    assert_all_differ(counter, n);
}

/* The counters that runs have had from the beginning. */
static void test_counters_of_parts(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    const struct {
        gr_purpose purpose;
        uint32_t individual, word;
    } rows[] = {
        {GR_PURPOSE_INIT, 5, 1},
        {GR_PURPOSE_INIT_GENES, 0x40000005, 1},
        {GR_PURPOSE_INIT_TAIL, 0x80000005, 1},
        {GR_PURPOSE_SELECT, 5, 2},
        {GR_PURPOSE_SELECT_SECOND, 0x80000005, 2},
        {GR_PURPOSE_CROSSOVER, 5, 3},
        {GR_PURPOSE_CROSSOVER_MIX, 0x40000005, 3},
        {GR_PURPOSE_CROSSOVER_AGAIN, 0x80000005, 3},
        {GR_PURPOSE_MUTATION, 5, 4},
        {GR_PURPOSE_MUTATION_BRANCH, 0x40000005, 4},
        {GR_PURPOSE_MUTATION_DUPLICATION, 0x80000005, 4},
        {GR_PURPOSE_DATA, 5, 5},
        {GR_PURPOSE_SAMPLE, 5, 0x80000005},
        {GR_PURPOSE_PARSIMONY, 5, 6},
        {GR_PURPOSE_EMIGRANTS, 5, 7},
        {GR_PURPOSE_IMMIGRANTS, 0x40000005, 7},
        {GR_PURPOSE_ROUTES, 0x80000005, 7},
        {GR_PURPOSE_LEXICASE, 5, 8},
        {GR_PURPOSE_LEXICASE_SECOND, 0x40000005, 8},
        {GR_PURPOSE_LEXICASE_CASES, 0x80000005, 8},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        gr_random r = gr_stream(&p, rows[k].purpose, 0, 0, 5);
        assert_int_equal(r.individual, rows[k].individual);
        assert_int_equal(r.purpose, rows[k].word);
    }
}

/* Two blocks of every stream: were any drawn twice, two of 64 bits would be equal. */
static void test_streams_are_apart(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.runs = 3;
    p.islands = 3;
    enum { COUNT = PURPOSES * 6 * 9 * 40 * 4 };
    uint64_t *drawn = malloc(COUNT * sizeof *drawn);
    uint32_t n = 0;
    for (uint32_t purpose = 0; purpose < PURPOSES; purpose++)
        for (uint32_t generation = 0; generation < 6; generation++)
            for (uint32_t deme = 0; deme < 9; deme++)
                for (uint32_t i = 0; i < 40; i++) {
                    gr_random r = gr_stream(&p, purposes[purpose], generation, deme, i);
                    for (int k = 0; k < 4; k++) {
                        uint64_t high = gr_next(&r);
                        drawn[n++] = high << 32 | gr_next(&r);
                    }
                }
    assert_int_equal(n, COUNT);
    assert_all_differ(drawn, n);
    free(drawn);
}

/* A permutation, not that of another stream, and back. */
static void test_permuted(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    gr_random r = gr_stream(&p, GR_PURPOSE_ROUTES, 7, 0, 0),
              other = gr_stream(&p, GR_PURPOSE_ROUTES, 8, 0, 0);
    for (uint32_t n = 1; n < 300; n += n / 3 + 1) {
        uint32_t seen[300] = {0}, same = 0;
        for (uint32_t x = 0; x < n; x++) {
            uint32_t at = gr_permuted_by(&r, n, x, 0);
            assert_true(at < n);
            assert_int_equal(seen[at]++, 0);
            assert_int_equal(gr_permuted_by(&r, n, at, 1), x);
            same += gr_permuted_by(&other, n, x, 0) == at;
        }
        assert_true(n < 20 || same < n / 4);
    }
}

/* Of 16 it is one pass through four rounds over two halves of two bits, nothing walked further. */
static void test_network(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    gr_random r = gr_stream(&p, GR_PURPOSE_ROUTES, 3, 0, 0);
    for (uint32_t x = 0; x < 16; x++) {
        uint32_t half[6] = {x / 4, x % 4}; /* each is made of the two before it */
        for (uint32_t turn = 0; turn < 4; turn++) {
            gr_block block = gr_philox(half[turn + 1], r.individual + turn, r.generation, r.purpose,
                                       r.key[0], r.key[1]);
            half[turn + 2] = half[turn] ^ block.word[0] % 4;
        }
        assert_int_equal(gr_permuted_by(&r, 16, x, 0), 4 * half[4] + half[5]);
    }
}

/* As many as words can number: inside, and back, from the first to the last. */
static void test_permuted_many(void **state) {
    (void)state;
    static const uint32_t sizes[] = {0x3fffffffu, 0x40000001u, 0x80000001u, 0xffffffffu};
    gr_params p = core_params(GR_TREE);
    gr_random r = gr_stream(&p, GR_PURPOSE_ROUTES, 7, 0, 0);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint32_t i = 0; i < 1000; i++) {
            uint32_t n = sizes[k], x = i < 500 ? n - 1 - i : i * (n / 1000);
            uint32_t at = gr_permuted_by(&r, n, x, 0);
            assert_true(at < n);
            assert_int_equal(gr_permuted_by(&r, n, at, 1), x);
        }
}

static void test_scale(void **state) {
    (void)state;
    assert_int_equal(gr_scale(0, 10), 0);
    assert_int_equal(gr_scale(~0u, 10), 9);
    assert_int_equal(gr_scale(~0u, 1), 0);
    assert_int_equal(gr_scale(~0u, ~0u), ~0u - 1);
    gr_params p = core_params(GR_TREE);
    gr_random r = gr_stream(&p, GR_PURPOSE_DATA, 0, 0, 0);
    uint32_t count[37] = {0};
    for (uint32_t i = 0; i < 200000; i++)
        count[gr_below(&r, 37)]++;
    assert_true(core_chi_square(count, NULL, 37) < 1.0);
}

static void test_unit(void **state) {
    (void)state;
    assert_true(gr_unit(0) == 0.0f);
    assert_true(gr_unit(~0u) == 0x1.fffffep-1f);
    assert_true(gr_unit(0x80000000u) == 0.5f);
    gr_params p = core_params(GR_TREE);
    gr_random r = gr_stream(&p, GR_PURPOSE_DATA, 1, 0, 0);
    uint32_t count[2] = {0};
    const double share[2] = {0.7, 0.3};
    for (uint32_t i = 0; i < 200000; i++)
        count[gr_chance(&r, 0.3f)]++;
    assert_true(core_chi_square(count, share, 2) < 1.0);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_false(gr_chance(&r, 0.0f));
        assert_true(gr_chance(&r, 1.0f));
    }
}

/* Counted in whole numbers a chance is what it is in floats, at its border too. */
static void test_units_below(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    gr_random r = gr_stream(&p, GR_PURPOSE_DATA, 2, 0, 0);
    assert_int_equal(gr_units_below(0.5f), 1u << 23);
    assert_int_equal(gr_units_below(1e-30f), 1);
    assert_int_equal(gr_units_below(1.0f), 1u << 24);
    assert_int_equal(gr_units_below(7.0f), 1u << 24);
    for (uint32_t i = 0; i < 20000; i++) {
        float probability = gr_unit(gr_next(&r)) * (i % 2 ? 1.0f : 0x1p-20f) + 0x1p-40f;
        uint32_t below = gr_units_below(probability);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t units = below + k - 1;
            if (units < 1u << 24)
                assert_int_equal(units < below, gr_unit(units << 8) < probability);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_counter),
        cmocka_unit_test(test_run_stream),
        cmocka_unit_test(test_blocks_at_once),
        cmocka_unit_test(test_alone_as_in_batch),
        cmocka_unit_test(test_no_two_streams_meet),
        cmocka_unit_test(test_counters_of_parts),
        cmocka_unit_test(test_streams_are_apart),
        cmocka_unit_test(test_permuted),
        cmocka_unit_test(test_network),
        cmocka_unit_test(test_permuted_many),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_units_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
