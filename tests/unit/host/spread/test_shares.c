/* host/spread/shares.c: what each of several engines has of a run. */
#include "gpu/core/selection/once.h"
#include "host/spread/spread.h"

#include "gpu/core/base/rng.h"
#include "gpu/core/state/state.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_members(void **state) {
    (void)state;
    static const struct {
        uint32_t runs, islands, most, members;
        int by_islands;
    } cases[] = {{1, 1, 4, 1, 0}, {1, 8, 4, 4, 1}, {1, 3, 4, 3, 1}, {100, 8, 4, 4, 0},
                 {2, 8, 4, 4, 1}, {3, 1, 4, 3, 0}, {4, 4, 4, 4, 0}, {1, 8, 1, 1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_job job = {.params = {.runs = cases[k].runs, .islands = cases[k].islands}};
        gr_sharing of;
        assert_int_equal(gr_shares_members(&job, cases[k].most, &of), cases[k].members);
        assert_int_equal(of, cases[k].by_islands ? GR_SHARING_ISLANDS : GR_SHARING_RUNS);
        job.spread_cases = 1; /* whatever else there is */
        job.params.train_chunks = 3;
        assert_int_equal(gr_shares_members(&job, cases[k].most, &of), cases[k].most > 3 ? 3 : 1);
        assert_int_equal(of, GR_SHARING_CASES);
        job.spread_cases = 0;
        job.spread_population = 1;
        job.params.individuals = 3;
        assert_int_equal(gr_shares_members(&job, cases[k].most, &of), cases[k].most > 3 ? 3 : 1);
        assert_int_equal(of, GR_SHARING_POPULATION);
    }
}

/* Everybody has everything but some of the cases; shares of a sample follow those of all. */
static void test_cases(void **state) {
    (void)state;
    gr_params p = {.runs = 2, .islands = 3, .population = 4, .individuals = 24, .train_chunks = 9};
    gr_shares s;
    const double speeds[3] = {1.0, 1.0, 2.5};
    assert_true(gr_shares_make(&p, speeds, 3, GR_SHARING_CASES, &s));
    static const uint32_t first[4] = {0, 2, 4, 9};
    assert_memory_equal(s.first, first, sizeof first);
    for (uint32_t m = 0; m < 3; m++) {
        gr_params part = gr_share_params(&s, &p, m);
        assert_memory_equal(&part, &p, sizeof p);
        for (uint32_t deme = 0; deme < 6; deme++)
            assert_int_equal(gr_share_deme(&s, &p, m, deme), deme);
    }
    gr_shares_free(&s);
    p.whole_chunks = 12;
    assert_true(gr_shares_make(&p, speeds, 1, GR_SHARING_CASES, &s));
    assert_int_equal(s.first[1], 12);
    gr_shares_free(&s);
}

/* Everybody has everything, and breeds and evaluates some of it; equal programs are not looked
 * for. */
static void test_population(void **state) {
    (void)state;
    gr_params p = {.runs = 2, .islands = 3, .population = 4, .individuals = 24, .once = GR_ONCE_ON};
    gr_shares s;
    const double speeds[3] = {1.0, 1.0, 2.0};
    assert_true(gr_shares_make(&p, speeds, 3, GR_SHARING_POPULATION, &s));
    static const uint32_t first[4] = {0, 6, 12, 24};
    assert_memory_equal(s.first, first, sizeof first);
    for (uint32_t m = 0; m < 3; m++) {
        gr_params part = gr_share_params(&s, &p, m);
        assert_int_equal(part.once, GR_ONCE_OFF);
        assert_int_equal(part.individuals, 24);
        for (uint32_t deme = 0; deme < 6; deme++)
            assert_int_equal(gr_share_deme(&s, &p, m, deme), deme);
    }
    gr_shares_free(&s);
}

#ifndef GRAMPUS_CUDA
/* Another backend than the CPU's stands for a GPU here. */
static void test_shared_on_devices(void **state) {
    (void)state;
    static gr_backend device;
    gr_job job = {.params = {.runs = 1, .islands = 1, .train_chunks = 5}, .spread_cases = 1};
    gr_spread spread;
    gr_error error;
    setenv("GRAMPUS_MEMBERS", "2", 1);
    assert_int_equal(gr_spread_plan("all", &device, &job, &spread, &error), GR_OK);
    assert_int_equal(spread.of, GR_SHARING_CASES);
    assert_int_equal(spread.members, 2);
    job.params.train_chunks = 1;
    assert_int_equal(gr_spread_plan("all", &device, &job, &spread, &error), GR_OK);
    assert_int_equal(spread.members, 1);
    job.params.train_chunks = 5;
    job = (gr_job){.params = {.runs = 1, .individuals = 9}, .spread_population = 1};
    assert_int_equal(gr_spread_plan("all", &device, &job, &spread, &error), GR_OK);
    assert_int_equal(spread.of, GR_SHARING_POPULATION);
    assert_int_equal(spread.members, 2);
    assert_int_equal(gr_spread_plan("", &device, &job, &spread, &error), GR_OK);
    assert_int_equal(spread.members, 1);
    assert_int_equal(gr_spread_plan("", &gr_backend_cpu, &job, &spread, &error), GR_OK);
    assert_int_equal(spread.members, 2);
    unsetenv("GRAMPUS_MEMBERS");
}

/* Runs beside each other: each on one of the devices that are named, or of all. */
static void test_dealt_in_turn(void **state) {
    (void)state;
    static gr_backend device;
    gr_spread spread;
    gr_error error;
    setenv("GRAMPUS_MEMBERS", "4", 1);
    for (uint32_t turn = 0; turn < 9; turn++) {
        static const uint32_t named[2] = {3, 1};
        assert_int_equal(gr_spread_one("", &device, turn, &spread, &error), GR_OK);
        assert_int_equal(spread.card[0], turn % 4);
        assert_int_equal(spread.members, 1);
        assert_int_equal(gr_spread_one("3,1", &device, turn, &spread, &error), GR_OK);
        assert_int_equal(spread.card[0], named[turn % 2]);
        assert_int_equal(spread.there, 2);
    }
    assert_int_equal(gr_spread_one("4", &device, 0, &spread, &error), GR_BAD_INPUT);
    unsetenv("GRAMPUS_MEMBERS");
    assert_int_equal(gr_spread_one("all", &device, 7, &spread, &error), GR_OK);
    assert_int_equal(spread.card[0], 0);
}
#endif

static void test_by_speed(void **state) {
    (void)state;
    gr_params p = {.runs = 1000, .islands = 1};
    gr_shares s;
    const double speeds[4] = {30.0, 30.5, 15.0, 1e-6};
    assert_true(gr_shares_make(&p, speeds, 4, GR_SHARING_RUNS, &s));
    assert_int_equal(s.first[0], 0);
    assert_in_range(s.first[1], 396, 399);
    assert_in_range(s.first[2] - s.first[1], 402, 405);
    assert_int_equal(s.first[3], 999); /* everybody has something */
    assert_int_equal(s.first[4], 1000);
    gr_shares_free(&s);
    const double alike[3] = {30.0, 31.0, 29.9};
    p.islands = 7;
    assert_true(gr_shares_make(&p, alike, 3, GR_SHARING_ISLANDS, &s));
    assert_int_equal(s.first[1], 2);
    assert_int_equal(s.first[2], 5);
    assert_int_equal(s.first[3], 7);
    gr_shares_free(&s);
}

/* A run draws with its own seed, an island by its own number. */
static void test_params(void **state) {
    (void)state;
    gr_params p = {.runs = 6, .islands = 4, .population = 10, .individuals = 240};
    gr_shares s;
    p.seed[0] = 0xfffffffe;
    p.seed[1] = 7;
    const double alike[3] = {1.0, 1.0, 1.0};
    for (gr_sharing of = GR_SHARING_RUNS; of <= GR_SHARING_ISLANDS; of++) {
        assert_true(gr_shares_make(&p, alike, 3, of, &s));
        for (uint32_t m = 0; m < 3; m++) {
            gr_params part = gr_share_params(&s, &p, m);
            assert_int_equal(part.individuals, gr_demes(&part) * 10);
            assert_int_equal(gr_run_islands(&part), 4);
            for (uint32_t deme = 0; deme < gr_demes(&part); deme++) {
                gr_random mine = gr_stream(&part, GR_PURPOSE_INIT, 3, deme, 5),
                          its =
                              gr_stream(&p, GR_PURPOSE_INIT, 3, gr_share_deme(&s, &p, m, deme), 5);
                assert_memory_equal(mine.key, its.key, sizeof mine.key);
                assert_int_equal(mine.purpose, its.purpose);
                gr_random all = gr_run_stream(&part, GR_PURPOSE_ROUTES, 3, deme / part.islands);
                assert_int_equal(all.purpose, gr_purpose_word(GR_PURPOSE_ROUTES, 0));
            }
        }
        gr_shares_free(&s);
    }
}

/* Rows of all members together are those of all demes, there and back, also only the first. */
static void test_rows(void **state) {
    (void)state;
    enum { RUNS = 5, ISLANDS = 6, BYTES = 3, ALL = RUNS * ISLANDS * BYTES };
    gr_params p = {.runs = RUNS, .islands = ISLANDS, .population = 1, .individuals = 30};
    gr_shares s;
    const double speeds[4] = {1.0, 2.0, 1.0, 1.0};
    char all[ALL], again[ALL];
    for (size_t k = 0; k < ALL; k++)
        all[k] = (char)k;
    for (gr_sharing of = GR_SHARING_RUNS; of <= GR_SHARING_ISLANDS; of++)
        for (size_t limit = ALL; limit > 40; limit -= 37) {
            assert_true(gr_shares_make(&p, speeds, 4, of, &s));
            memset(again, 99, sizeof again);
            for (uint32_t m = 0; m < 4; m++) {
                gr_params part = gr_share_params(&s, &p, m);
                char rows[ALL];
                gr_share_copy(&s, &p, m, &(gr_share_rows){all, rows, BYTES, ALL, 1});
                for (uint32_t d = 0; d < gr_demes(&part); d++)
                    assert_int_equal(rows[d * BYTES], (char)(gr_share_deme(&s, &p, m, d) * BYTES));
                gr_share_copy(&s, &p, m, &(gr_share_rows){again, rows, BYTES, limit, 0});
            }
            assert_memory_equal(all, again, limit);
            for (size_t k = limit; k < ALL; k++)
                assert_int_equal(again[k], 99);
            gr_shares_free(&s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_population),
#ifndef GRAMPUS_CUDA
        cmocka_unit_test(test_shared_on_devices),
        cmocka_unit_test(test_dealt_in_turn),
#endif
        cmocka_unit_test(test_by_speed),
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
