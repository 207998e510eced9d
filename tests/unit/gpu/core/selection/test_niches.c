/* gpu/core/selection/niches.h: sizes, behaviours, and random applicants against an oracle that
 * compares all with all, in any order of work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/niches.h"
#include "tests/trees.h"

static void test_sizes(void **state) {
    static const uint32_t begins[GR_NICHE_SIZES] = {0,  2,  4,  6,  8,  10, 12,  14,
                                                    16, 24, 32, 48, 64, 96, 128, 192};
    (void)state;
    for (uint32_t nodes = 1, k = 0; nodes <= 65535; nodes++) {
        k += k + 1 < GR_NICHE_SIZES && nodes == begins[k + 1];
        assert_int_equal(gr_niche_size(nodes), k);
    }
}

/* Outputs that differ by less than a step are alike, -0 is 0, and what is no number counts. */
static void test_behaviour(void **state) {
    gr_params p = core_params(GR_TREE);
    const double line[2] = {10.0, -2.0};
    float a[GR_BEHAVIOUR_CASES], b[GR_BEHAVIOUR_CASES];
    (void)state;
    p.train_cases = 40;
    assert_int_equal(gr_behaviour_cases(&p), GR_BEHAVIOUR_CASES);
    assert_int_equal(gr_behaviour_case(&p, 15), 37);
    for (int k = 0; k < GR_BEHAVIOUR_CASES; k++)
        b[k] = (a[k] = (float)k) + 0x1p-12f;
    assert_true(gr_behaviour_key(&p, a, line) == gr_behaviour_key(&p, b, line));
    b[0] = -0.0f;
    assert_true(gr_behaviour_key(&p, a, line) == gr_behaviour_key(&p, b, line));
    b[3] += 0x1p-8f; /* a step is 2^3 / 4096 */
    assert_true(gr_behaviour_key(&p, a, line) != gr_behaviour_key(&p, b, line));
    p.linear_scaling = 1;
    for (int k = 0; k < GR_BEHAVIOUR_CASES; k++)
        b[k] = 10.0f - 2.0f * a[k];
    const double plain[2] = {0.0, 1.0};
    assert_true(gr_behaviour_key(&p, a, line) == gr_behaviour_key(&p, b, plain));
    p.linear_scaling = 0;
    uint64_t before = gr_behaviour_key(&p, a, line);
    a[7] = GR_INFINITY;
    assert_true(gr_behaviour_key(&p, a, line) != before);
    p.train_cases = 3; /* fewer cases than are looked at */
    assert_int_equal(gr_behaviour_cases(&p), 3);
}

/* Alike are outputs whose numbers of steps, to the nearest one and from halves on away from 0, are
 * the same; a step is a 4096th of the largest power of two that no output is below in size. */
static int are_alike(const float *a, const float *b, uint32_t count) {
    double largest[2] = {0.0, 0.0}, step[2];
    for (uint32_t k = 0; k < count; k++) {
        largest[0] = fmax(largest[0], fabs((double)a[k]));
        largest[1] = fmax(largest[1], fabs((double)b[k]));
    }
    for (int n = 0; n < 2; n++)
        step[n] = ldexp(1.0, ilogb(largest[n]) - 12);
    for (uint32_t k = 0; k < count; k++)
        if (round((double)a[k] / step[0]) != round((double)b[k] / step[1]))
            return 0;
    return 1;
}

/* Outputs of both signs, and others that are off by some steps or halves of them. */
static void test_alike(void **state) {
    gr_params p = core_params(GR_TREE);
    core_dice dice = {5};
    uint32_t alike = 0, cases = 5;
    (void)state;
    p.train_cases = cases; /* not all that are looked at where there are more */
    for (uint32_t round = 0; round < 4000; round++) {
        float a[GR_BEHAVIOUR_CASES] = {3.0f}, b[GR_BEHAVIOUR_CASES] = {3.0f};
        const double plain[2] = {0.0, 1.0};
        for (uint32_t k = 1; k < cases; k++) {
            uint32_t most = k % 2 ? 20000 : 12; /* some around 0 */
            a[k] = ((float)core_roll(&dice, most) - (float)(most / 2)) * 0x1p-13f;
            b[k] = a[k] + (core_roll(&dice, 3) ? 0.0f : (float)core_roll(&dice, 5) * 0x1p-13f);
        }
        int wanted = are_alike(a, b, cases);
        alike += (uint32_t)wanted;
        assert_int_equal(gr_behaviour_key(&p, a, plain) == gr_behaviour_key(&p, b, plain), wanted);
    }
    assert_in_range(alike, 500, 3500);
    for (uint32_t k = 0; k < cases; k++) /* fewer than there is place for: each once */
        assert_int_equal(gr_behaviour_case(&p, k), k);
}

/* Cases of all chunks, the last one of several as well. */
static void test_gathered(void **state) {
    gr_params p = core_params(GR_TREE);
    static float train[3 * GR_CHUNK * 5], tile[GR_CHUNK * 5];
    (void)state;
    p.inputs = 3;
    p.train_cases = 2 * GR_CHUNK + 50;
    size_t of_chunk = gr_tile_of(&p);
    for (uint32_t row = 0; row < p.inputs; row++)
        for (uint32_t x = 0; x < p.train_cases; x++)
            train[x / GR_CHUNK * of_chunk + row * GR_CHUNK + x % GR_CHUNK] =
                (float)(x + 10000 * row);
    gr_gather_behaviour_cases(&p, train, tile);
    for (uint32_t row = 0; row < p.inputs; row++)
        for (uint32_t k = 0; k < GR_BEHAVIOUR_CASES; k++)
            assert_true(tile[row * GR_CHUNK + k] ==
                        (float)(p.train_cases * k / GR_BEHAVIOUR_CASES + 10000 * row));
}

enum { DEMES = 3, N = 90, NICHES = 32, ALL = NICHES + N, ROUNDS = 6 };

/* Who is in the niche: the number of an applicant of a deme, or ALL. */
static uint32_t wanted_in(const gr_state *s, uint32_t deme, uint32_t niche) {
    uint32_t best = ALL;
    for (uint32_t x = 0; x < ALL; x++) {
        const gr_applicant *a = gr_applicant_of(s, deme, x), *b;
        int counts = a->key && a->niche == niche;
        for (uint32_t y = 0; counts && y < ALL; y++) {
            b = gr_applicant_of(s, deme, y);
            if (b->key == a->key &&
                (b->nodes < a->nodes ||
                 (b->nodes == a->nodes && (b->cost < a->cost || (b->cost == a->cost && y < x)))))
                counts = 0;
        }
        if (counts && (best == ALL || a->cost < gr_applicant_of(s, deme, best)->cost))
            best = x;
    }
    return best;
}

/* Steps through all demes, each time in another order. */
static void step_all(const gr_state *s, void (*step)(const gr_state *, uint32_t, uint32_t),
                     uint32_t round) {
    static const uint32_t stride[ROUNDS] = {1, 5, 7, 115, 247, 365}; /* all coprime to 366 */
    for (uint32_t k = 0; k < DEMES * ALL; k++) {
        uint32_t at = (k * stride[round] + round) % (DEMES * ALL);
        step(s, at / ALL, at % ALL);
    }
}

static void draw_generation(core *c, uint32_t generation) {
    gr_random r = gr_stream(&c->s.p, GR_PURPOSE_DATA, generation, 0, 0);
    for (uint32_t i = 0; i < DEMES * N; i++) {
        gr_applicant a = {gr_below(&r, 60), 0.0f, 0, 0, 0};
        a.nodes = 1 + gr_below(&r, 9);
        a.cost = (float)gr_below(&r, 12) - 3.0f;
        a.niche = gr_below(&r, NICHES);
        c->s.applicants[i] = a;
        c->s.individuals[generation & 1][i].length = a.nodes; /* genotype: who it is, and when */
        for (uint32_t n = 0; n < a.nodes; n++)
            gr_tree(&c->s, generation & 1, i).at[n] = (gr_node){i, generation};
    }
}

static void test_against_oracle(void **state) {
    gr_params p = core_params(GR_TREE);
    (void)state;
    p.runs = DEMES, p.population = N, p.individuals = DEMES * N, p.niches = NICHES;
    core c = core_open(&p, NULL, 0);
    uint32_t changed = 0, stayed = 0, left = 0;
    for (uint32_t g = 0; g < ROUNDS; g++) {
        static uint32_t who[DEMES][NICHES];
        gr_node head[DEMES][NICHES];
        c.s.demes[1].active = g < 3;
        draw_generation(&c, g);
        for (uint32_t d = 0; d < DEMES; d++)
            for (uint32_t n = 0; n < NICHES; n++) {
                who[d][n] = wanted_in(&c.s, d, n);
                if (who[d][n] < ALL)
                    head[d][n] = *gr_tree(&c.s, who[d][n] < NICHES ? ~g & 1 : g & 1,
                                          who[d][n] < NICHES ? gr_archive_row(&p, d, n)
                                                             : d * N + who[d][n] - NICHES)
                                      .at;
            }
        step_all(&c.s, gr_enter_applicant, g);
        step_all(&c.s, gr_compare_alike, g);
        step_all(&c.s, gr_contest_niche, g);
        for (uint32_t at = DEMES * NICHES; at-- > 0;)
            gr_settle_niche(&c.s, g, at / NICHES, at % NICHES, core_group);
        for (size_t k = 0; k < DEMES * gr_alike_entries(&p); k++)
            gr_clear_alike(&c.s, k);
        for (uint32_t d = 0; d < DEMES; d += 2) {
            uint32_t filled = 0;
            gr_list_niches(&c.s, d, (gr_lane_group){0, 1});
            for (uint32_t n = 0; n < NICHES; n++) {
                uint32_t row = gr_archive_row(&p, d, n);
                gr_applicant kept = c.s.niches[d * NICHES + n];
                assert_int_equal(kept.key != 0, who[d][n] < ALL);
                if (!kept.key)
                    continue;
                changed += who[d][n] >= NICHES, stayed += who[d][n] < NICHES;
                assert_int_equal(kept.niche, n);
                assert_int_equal(c.s.individuals[g & 1][row].length, kept.nodes);
                assert_memory_equal(gr_tree(&c.s, g & 1, row).at, &head[d][n], sizeof(gr_node));
                assert_int_equal(c.s.niche_list[d * (NICHES + 1) + ++filled], n);
            }
            assert_int_equal(c.s.niche_list[d * (NICHES + 1)], filled);
        }
        for (uint32_t n = 0; g >= 3 && n < NICHES; n++) { /* the deme that has ended */
            uint32_t row = gr_archive_row(&p, 1, n);
            assert_int_equal(c.s.individuals[g & 1][row].length, c.s.niches[NICHES + n].nodes);
            left += c.s.niches[NICHES + n].key != 0;
        }
    }
    assert_true(changed > 50 && stayed > 50 && left > 50);
    core_close(&c);
}

/* All that are listed are as likely; a share of nothing takes nobody. */
static void test_parents(void **state) {
    gr_params p = core_params(GR_TREE);
    uint32_t count[3] = {0}, taken = 0;
    (void)state;
    p.runs = 2, p.population = N, p.individuals = 2 * N, p.niches = NICHES, p.niche_share = 0.25f;
    core c = core_open(&p, NULL, 0);
    for (uint32_t pair = 0; pair < 4000; pair++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_SELECT, 1, 1, pair);
        assert_int_equal(gr_parent_from_niche(&c.s, 1, &r), 0); /* nobody is there */
    }
    static const uint32_t filled[3] = {0, 7, 31};
    for (uint32_t k = 0; k < 3; k++)
        c.s.niches[NICHES + filled[k]].key = 5 + k;
    gr_list_niches(&c.s, 1, (gr_lane_group){0, 1});
    for (uint32_t pair = 0; pair < 12000; pair++) {
        gr_random r = gr_stream(&p, GR_PURPOSE_SELECT, 1, 1, pair);
        if (!gr_parent_from_niche(&c.s, 1, &r))
            continue;
        uint32_t row = gr_niche_parent(&c.s, 1, &r) + N - 2 * N - NICHES, k = 0;
        while (k < 3 && filled[k] != row)
            k++;
        assert_in_range(k, 0, 2);
        count[k]++, taken++;
    }
    assert_in_range(taken, 2850, 3150);
    assert_true(core_chi_square(count, NULL, 3) <= 1.0);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_behaviour),
        cmocka_unit_test(test_alike),          cmocka_unit_test(test_gathered),
        cmocka_unit_test(test_against_oracle), cmocka_unit_test(test_parents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
