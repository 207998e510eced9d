/* gpu/core/fitness/sample.h: samples without repetition, even, the same for all; the ranking on
 * all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/cpu/stages.h"
#include "tests/core.h"

static gr_params sample_params(uint32_t sampling, uint32_t whole, uint32_t cases) {
    gr_params p = core_params(GR_TREE);
    p.sampling = sampling;
    p.sample_every = p.sample_unit = 1;
    p.sample_seed[0] = 7;
    p.whole_cases = whole;
    p.whole_chunks = (whole + GR_CHUNK - 1) / GR_CHUNK;
    p.train_cases = cases;
    p.train_chunks = (cases + GR_CHUNK - 1) / GR_CHUNK;
    return p;
}

static void test_permutations(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 17, 1000, 1213, 4096, 65537};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        gr_params p = sample_params(GR_SAMPLING_RANDOM, sizes[k], 1);
        uint8_t *seen = calloc(sizes[k], 1);
        for (uint32_t x = 0; x < sizes[k]; x++) {
            uint32_t at = gr_permuted(&p, 3, sizes[k], x);
            assert_true(at < sizes[k] && !seen[at]);
            seen[at] = 1;
        }
        free(seen);
    }
}

/* Langdon's 200 of 1 213: different ones every generation, every case as often. */
static void test_random(void **state) {
    (void)state;
    gr_params p = sample_params(GR_SAMPLING_RANDOM, 1213, 200);
    static uint32_t count[1213];
    uint32_t first[3] = {0};
    for (uint32_t generation = 0; generation < 1000; generation++)
        for (uint32_t k = 0; k < 200; k++) {
            uint32_t at = gr_sampled_case(&p, generation, k);
            count[at]++;
            if (k == 0)
                first[at / 405 < 3 ? at / 405 : 2]++;
        }
    const double share[3] = {405, 405, 403};
    assert_true(core_chi_square(count, NULL, 1213) < 1.0);
    assert_true(core_chi_square(first, share, 3) < 1.0);
    p.sample_every = 10;
    for (uint32_t k = 0; k < 200; k++)
        assert_int_equal(gr_sampled_case(&p, 30, k), gr_sampled_case(&p, 39, k));
    assert_true(gr_sample_is_new(&p, 30) && !gr_sample_is_new(&p, 39));
}

/* Batches go through all cases before one comes again; a fixed sample stays. */
static void test_rotating_and_fixed(void **state) {
    (void)state;
    gr_params p = sample_params(GR_SAMPLING_ROTATING, 1000, 100), q = p;
    uint32_t count[1000] = {0};
    for (uint32_t generation = 0; generation < 30; generation++)
        for (uint32_t k = 0; k < 100; k++)
            assert_true(++count[gr_sampled_case(&p, generation, k)] <= generation / 10 + 1);
    for (uint32_t k = 0; k < 100; k++) /* five billion cases later, ten batches to a round */
        assert_int_equal(gr_sampled_case(&p, 50000000, k), gr_sampled_case(&p, 0, k));
    q.sampling = GR_SAMPLING_FIXED;
    for (uint32_t k = 0; k < 100; k++)
        assert_int_equal(gr_sampled_case(&q, 0, k), gr_sampled_case(&q, 17, k));
    assert_true(gr_sample_is_new(&q, 0) && !gr_sample_is_new(&q, 1));
}

/* What evaluation sees: the cases with their targets, zeros behind them, positives counted. */
static void test_copies(void **state) {
    (void)state;
    gr_params p = sample_params(GR_SAMPLING_RANDOM, 3000, 1500);
    core c = core_open(&p, NULL, 0);
    gr_team *team = gr_team_open(2);
    size_t tile = gr_tile_of(&p);
    float *whole = (float *)(uintptr_t)c.s.whole;
    for (uint32_t i = 0; i < 3000; i++)
        for (uint32_t k = 0; k <= p.inputs; k++)
            whole[i / GR_CHUNK * tile + k * GR_CHUNK + i % GR_CHUNK] =
                k < p.inputs ? (float)(i * 4 + k) : (float)(i % 3 == 0);
    memset(c.s.taken, 0xff, p.train_chunks * tile * sizeof(float));
    for (uint32_t generation = 0; generation < 3; generation++) {
        uint32_t positives = 0;
        gr_cpu_sample(&c.s, generation, team);
        for (uint32_t i = 0; i < p.train_chunks * GR_CHUNK; i++) {
            const float *at = c.s.train + i / GR_CHUNK * tile + i % GR_CHUNK;
            uint32_t from = i < 1500 ? gr_sampled_case(&p, generation, i) : 0;
            for (uint32_t k = 0; k < p.inputs; k++)
                assert_true(at[k * GR_CHUNK] == (i < 1500 ? (float)(from * 4 + k) : 0.0f));
            positives += at[p.inputs * GR_CHUNK] > 0.0f;
        }
        assert_int_equal(c.s.sample_positives[gr_positives_counter(&p, generation)], positives);
    }
    gr_team_close(team);
    core_close(&c);
}

/* The ranking that ends a run on samples: all cases, the same generation, its own records. */
static void test_ranking_state(void **state) {
    (void)state;
    gr_params p = sample_params(GR_SAMPLING_RANDOM, 3000, 200);
    gr_loop loop = {0};
    gr_record record = {0};
    core c = core_open(&p, NULL, 0);
    gr_state all = gr_ranking_state(&c.s, 17, &loop, &record);
    assert_int_equal(all.p.sampling, GR_SAMPLING_NONE);
    assert_int_equal(all.p.train_cases, 3000);
    assert_int_equal(all.p.train_chunks, 3);
    assert_int_equal(all.p.generations, 17);
    assert_ptr_equal(all.train, c.s.whole);
    assert_ptr_equal(all.loop, &loop);
    assert_ptr_equal(all.records, &record);
    assert_ptr_equal(all.individuals[1], c.s.individuals[1]);
    assert_int_equal(c.s.p.train_cases, 200);
    core_close(&c);
}

/* A deme that went on to the end is ranked anew: its best on a sample, however low, counts for
 * nothing. One that had stopped keeps what it stopped with. */
static void test_reopened(void **state) {
    (void)state;
    gr_params p = sample_params(GR_SAMPLING_RANDOM, 3000, 200);
    p.runs = 2;
    core c = core_open(&p, NULL, 0);
    for (uint32_t deme = 0; deme < 2; deme++) {
        c.s.demes[deme].active = 0;
        c.s.demes[deme].best_cost = 0.25f;
        c.s.records[deme].written = deme;
        gr_reopen_deme(&c.s, deme);
    }
    assert_int_equal(c.s.demes[0].active, 0);
    assert_true(c.s.demes[0].best_cost == 0.25f);
    assert_int_equal(c.s.demes[1].active, 1);
    assert_true(c.s.demes[1].best_cost == GR_INFINITY);
    core_close(&c);
}

/* The generation whose sample is still there: the last one that drew a new one. */
static void test_since(void **state) {
    (void)state;
    for (uint32_t sampling = GR_SAMPLING_RANDOM; sampling <= GR_SAMPLING_FIXED; sampling++)
        for (uint32_t every = 1; every < 6; every++) {
            gr_params p = {.sampling = sampling, .sample_every = every};
            for (uint32_t generation = 0, since = 0; generation < 30; generation++) {
                since = gr_sample_is_new(&p, generation) ? generation : since;
                assert_int_equal(gr_sample_since(&p, generation), since);
                assert_int_equal(gr_sample_number(&p, generation), gr_sample_number(&p, since));
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_rotating_and_fixed),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_ranking_state),
        cmocka_unit_test(test_reopened),
        cmocka_unit_test(test_since),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
