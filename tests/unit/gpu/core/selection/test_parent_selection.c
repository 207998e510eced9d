/* gpu/core/selection/parent_selection.h: who becomes a parent how often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/demes.h"

enum { ROUNDS = 60000 };

static void draw_parents(core *c, uint32_t rounds, uint32_t count[N]) {
    memset(count, 0, N * sizeof *count);
    for (uint32_t i = 0; i < rounds; i++) {
        gr_purpose purpose = i % 2 ? GR_PURPOSE_SELECT_SECOND : GR_PURPOSE_SELECT;
        gr_random r = gr_stream(&c->s.p, GR_PURPOSE_SELECT, 1, 0, i / 2);
        uint32_t index = gr_select_parent(&c->s, 0, 0, r, purpose);
        assert_true(index < N);
        count[index]++;
    }
}

static void test_roulette(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.selection = GR_SELECT_ROULETTE;
    core c = open_deme(&p);
    uint32_t count[N];
    double share[N];
    draw_parents(&c, ROUNDS, count);
    assert_int_equal(count[11], 0);
    for (uint32_t i = 0; i < N; i++)
        share[i] = 1.0 / (1.0 + c.s.sums[i]);
    count[11] = count[N - 1]; /* out of the comparison */
    share[11] = share[N - 1];
    assert_true(core_chi_square(count, share, N - 1) < 1.0);
    core_close(&c);
}

static void test_rank(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.selection = GR_SELECT_RANK;
    p.ordered = 1;
    p.rank_pressure = 1.6f;
    core c = open_deme(&p);
    uint32_t count[N], by_rank[N];
    double share[N];
    draw_parents(&c, ROUNDS, count);
    for (uint32_t rank = 0; rank < N; rank++) {
        by_rank[rank] = count[gr_ranked(&c.s, 0, rank)];
        share[rank] = 1.6 - 1.2 * rank / (N - 1);
    }
    assert_true(core_chi_square(by_rank, share, N) < 1.0);
    core_close(&c);
}

static void test_truncation(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.selection = GR_SELECT_TRUNCATION;
    p.ordered = 1;
    p.truncation = 0.25f;
    core c = open_deme(&p);
    uint32_t count[N], best[N / 4], other = 0;
    draw_parents(&c, ROUNDS, count);
    for (uint32_t rank = 0; rank < N; rank++)
        if (rank < N / 4)
            best[rank] = count[gr_ranked(&c.s, 0, rank)];
        else
            other += count[gr_ranked(&c.s, 0, rank)];
    assert_int_equal(other, 0);
    assert_true(core_chi_square(best, NULL, N / 4) < 1.0);
    core_close(&c);
}

/* Invalid individuals are nobody's parents under any selection; where all are, everybody may be. */
static void test_excluded(void **state) {
    (void)state;
    for (uint32_t selection = GR_SELECT_TOURNAMENT; selection <= GR_SELECT_TRUNCATION; selection++)
        for (uint32_t valid = 0; valid <= 4;
             valid++) { /* 0: none, 1: one, others: 1 in 5 - valid */
            gr_params p = core_params(GR_GRAMMATICAL);
            p.invalid = GR_INVALID_EXCLUDED;
            p.selection = selection;
            p.ordered = selection == GR_SELECT_RANK || selection == GR_SELECT_TRUNCATION;
            p.rank_pressure = 2.0f;
            p.truncation = 0.5f;
            p.tournament = 1;
            p.parsimony = GR_PARSIMONY_COEFFICIENT; /* of nothing: there is an order to look at */
            core c = open_deme(&p);
            uint32_t count[N], kept[N], bins = 0;
            if (!p.ordered)
                c.s.selection_cost = selection == GR_SELECT_TOURNAMENT ? NULL : c.s.selection_cost;
            for (uint32_t i = 0; i < N; i++) {
                uint32_t good = valid == 0 ? 0 : valid == 1 ? i == 5 : i % (6 - valid) == 0;
                c.s.individuals[0][i].validity = good ? GR_VALID : GR_TOO_DEEP;
                c.s.records[0].statistics.validity[GR_VALID] += good;
            }
            assert_true(gr_has_parent_selection(&c.s));
            draw_parents(&c, ROUNDS / 6, count);
            for (uint32_t i = 0; i < N; i++)
                if (c.s.individuals[0][i].validity == GR_VALID)
                    kept[bins++] = count[i];
                else
                    assert_true(valid == 0 || count[i] == 0);
            if (valid > 1 && selection == GR_SELECT_TOURNAMENT) /* drawn alike */
                assert_true(core_chi_square(kept, NULL, bins) < 1.0);
            if (valid == 1)
                assert_int_equal(kept[0], ROUNDS / 6);
            core_close(&c);
        }
}

/* A tournament of one shows who enters it: of two, the smaller in D / 2 of the cases. */
static void test_double_tournament(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.parsimony = GR_PARSIMONY_DOUBLE_TOURNAMENT;
    p.parsimony_strength = 1.4f;
    p.tournament = 1;
    core c = open_deme(&p);
    for (uint32_t i = 0; i < N; i++)
        c.s.individuals[0][i].nodes = i % 2 ? 10 : 20;
    uint32_t count[N], small = 0;
    draw_parents(&c, ROUNDS, count);
    for (uint32_t i = 1; i < N; i += 2)
        small += count[i];
    const uint32_t sizes[2] = {small, ROUNDS - small};
    const double share[2] = {0.25 + 0.5 * 0.7, 0.25 + 0.5 * 0.3};
    assert_true(core_chi_square(sizes, share, 2) < 1.0);
    core_close(&c);
}

/* Roulette goes by what selection goes by: under parsimony pressure large ones have less. */
static void test_roulette_under_pressure(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.selection = GR_SELECT_ROULETTE;
    p.parsimony = GR_PARSIMONY_COEFFICIENT;
    p.parsimony_strength = 0.5f;
    core c = open_deme(&p);
    uint32_t count[N];
    double share[N];
    draw_parents(&c, ROUNDS, count);
    assert_int_equal(count[11], 0);
    for (uint32_t i = 0; i < N; i++)
        share[i] = 1.0 / (1.0 + c.s.sums[i] + 0.5 * c.s.individuals[0][i].nodes);
    count[11] = count[N - 1]; /* out of the comparison */
    share[11] = share[N - 1];
    assert_true(core_chi_square(count, share, N - 1) < 1.0);
    core_close(&c);
}

/* Where the only valid one is the last or the first, whoever is drawn goes round to it; a deme
 * beside it, where nobody is valid, leaves nobody out. */
static void test_one_of_two_demes(void **state) {
    (void)state;
    for (uint32_t valid = 0; valid < N; valid += N - 1) {
        gr_params p = core_params(GR_GRAMMATICAL);
        p.invalid = GR_INVALID_EXCLUDED;
        p.islands = 2;
        p.population = N;
        core c = core_open(&p, NULL, 0);
        for (uint32_t i = 0; i < 2 * N; i++)
            c.s.individuals[0][i].validity = i == N + valid ? GR_VALID : GR_TOO_DEEP;
        c.s.records[1].statistics.validity[GR_VALID] = 1;
        uint32_t count[N] = {0};
        for (uint32_t i = 0; i < 2000; i++) {
            gr_random r = gr_stream(&p, GR_PURPOSE_SELECT, 1, 1, i);
            assert_int_equal(gr_contestant(&c.s, 0, 1, &r), valid);
            r = gr_stream(&p, GR_PURPOSE_SELECT, 1, 0, i);
            count[gr_contestant(&c.s, 0, 0, &r)]++;
        }
        assert_true(core_chi_square(count, NULL, N) < 1.0);
        core_close(&c);
    }
}

/* One alone is its own parent by every selection. */
static void test_alone(void **state) {
    (void)state;
    for (uint32_t selection = GR_SELECT_ROULETTE; selection <= GR_SELECT_TRUNCATION; selection++) {
        gr_params p = core_params(GR_TREE);
        p.selection = selection;
        p.ordered = 1;
        p.rank_pressure = 1.5f;
        p.truncation = 0.5f;
        p.population = p.individuals = 1;
        core c = core_open(&p, NULL, 0);
        c.s.individuals[0][0].instructions = 1;
        c.s.cost[0] = 2.0f;
        gr_cpu_order(&c.s, 0, NULL);
        for (uint32_t i = 0; i < 100; i++) {
            gr_random r = gr_stream(&p, GR_PURPOSE_SELECT, 1, 0, i);
            assert_int_equal(gr_select_parent(&c.s, 0, 0, r, GR_PURPOSE_SELECT), 0);
        }
        core_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roulette),          cmocka_unit_test(test_rank),
        cmocka_unit_test(test_truncation),        cmocka_unit_test(test_excluded),
        cmocka_unit_test(test_double_tournament), cmocka_unit_test(test_roulette_under_pressure),
        cmocka_unit_test(test_one_of_two_demes),  cmocka_unit_test(test_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
