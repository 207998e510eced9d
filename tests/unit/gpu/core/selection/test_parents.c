/* gpu/core/selection/torus.h, parent_selection.h and order.h: who meets whom, and who becomes a
 * parent how often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/cpu/stages.h"
#include "host/cpu/team.h"
#include "tests/trees.h"

enum { ROUNDS = 60000, N = 64 };

/* ---- the torus ---- */

/* In every direction all meet in pairs; in four directions everybody meets its four neighbours. */
static void test_partners(void **state) {
    (void)state;
    static const uint32_t shapes[][2] = {{8, 6}, {2, 2}, {4, 2}, {512, 400}, {135, 135}, {9, 4}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        gr_params p = core_params(GR_TREE);
        uint32_t width = shapes[k][0], height = shapes[k][1], alone = 0;
        p.torus = 1;
        p.deme_width = width;
        p.population = width * height;
        for (uint32_t index = 0; index < p.population; index++) {
            uint32_t met[4];
            for (uint32_t d = 0; d < 4; d++) {
                uint32_t other = met[d] = gr_torus_partner(&p, index, d);
                assert_int_equal(gr_torus_partner(&p, other, d), index);
                uint32_t dx = (other % width + width - index % width) % width,
                         dy = (other / width + height - index / width) % height;
                alone += other == index;
                assert_true(other == index || (dx == 0) != (dy == 0));
                assert_true(dx <= 1 || dx == width - 1);
                assert_true(dy <= 1 || dy == height - 1);
            }
            if (width > 2 && height > 2)
                for (uint32_t d = 0; d < 4; d++)
                    assert_true(met[d] != met[(d + 1) % 4] || met[d] == index);
        }
        uint32_t seam = (width % 2 ? height : 0) + (height % 2 ? width : 0);
        assert_int_equal(alone, 2 * seam); /* one at each row of a seam, in two directions */
    }
}

/* The better of two stands at both cells afterwards; equals stay; children come from these. */
static void test_torus_plans(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.torus = 1;
    p.deme_width = 8;
    p.exclusive = 1;
    p.crossover_probability = 0.5f;
    core c = core_open(&p, NULL, 0);
    core_dice dice = {5};
    uint32_t crossed = 0, rooted[2] = {0}, all = 0;
    for (uint32_t generation = 0; generation < 200; generation += 2) {
        for (uint32_t i = 0; i < N; i++) {
            trees_grow(&c, i, generation * N + i);
            c.s.cost[i] = (float)core_roll(&dice, 5);
        }
        for (uint32_t index = 0; index < N; index++) {
            uint32_t d = generation & 3, other = gr_torus_partner(&p, index, d);
            uint32_t survivor = gr_torus_survivor(&c.s, 0, index, d);
            assert_int_equal(survivor, c.s.cost[other] < c.s.cost[index] ? other : index);
            gr_plan plan = gr_torus_plan(&c.s, generation, 0, index, core_group);
            uint32_t mate = gr_torus_partner(&p, index, (d + 1) & 3),
                     theirs = gr_torus_survivor(&c.s, 0, mate, d);
            gr_plan mates = gr_torus_plan(&c.s, generation, 0, mate, core_group);
            assert_int_equal(plan.kind, mates.kind);
            all++;
            if (plan.kind != GR_PLAN_CROSSED) {
                assert_true(plan.a == survivor && plan.b == survivor);
                continue;
            }
            crossed++;
            assert_true((plan.a == survivor && plan.b == theirs) ||
                        (plan.a == theirs && plan.b == survivor));
            assert_true(plan.a == mates.b && plan.b == mates.a); /* each gives one root */
            if (survivor != theirs)
                rooted[plan.a == survivor]++;
        }
    }
    const uint32_t count[2] = {crossed / 2, (all - crossed) / 2},
                   turned[2] = {rooted[0] / 2, rooted[1] / 2};
    assert_true(core_chi_square(count, NULL, 2) < 1.0); /* pairs: half of them */
    assert_true(core_chi_square(turned, NULL, 2) < 1.0);
    core_close(&c);
}

/* ---- selection costs and parents ---- */

/* A deme of N with sums that give costs 0.5, 1, 1.5, ... in mixed order, and various sizes. */
static core open_deme(gr_params *p) {
    core c;
    p->population = p->individuals = N;
    p->metric = GR_METRIC_SAE;
    c = core_open(p, NULL, 0);
    for (uint32_t i = 0; i < N; i++) {
        gr_individual *individual = &c.s.individuals[0][i];
        individual->nodes = individual->length = 3 + i * 7 % 23;
        individual->instructions = 1;
        c.s.sums[i] = 0.5 * (double)(1 + i * 37 % N);
        c.s.cost[i] = (float)c.s.sums[i];
    }
    c.s.individuals[0][11].instructions = 0; /* one without a cost */
    c.s.cost[11] = GR_INFINITY;
    for (uint32_t i = 0; i < N; i++)
        if (c.s.cost[i] == 0.5f) {
            c.s.records[0].best_cost = 0.5f;
            c.s.records[0].best_index = i;
        }
    gr_cpu_order(&c.s, 0, NULL);
    return c;
}

static void draw_parents(core *c, uint32_t count[N]) {
    memset(count, 0, N * sizeof *count);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        gr_purpose purpose = i % 2 ? GR_PURPOSE_SELECT_SECOND : GR_PURPOSE_SELECT;
        gr_random r = gr_stream(&c->s.p, GR_PURPOSE_SELECT, 1, 0, i / 2);
        uint32_t index = gr_select_parent(&c->s, 0, 0, r, purpose);
        assert_true(index < N);
        count[index]++;
    }
}

static void test_order(void **state) {
    (void)state;
    for (uint32_t population = 1; population < 200; population += 13) {
        gr_params p = core_params(GR_TREE);
        p.population = population;
        p.runs = 3;
        p.individuals = 3 * population;
        p.selection = GR_SELECT_RANK;
        p.ordered = 1;
        core c = core_open(&p, NULL, 0);
        core_dice dice = {population};
        c.s.p.individuals = p.individuals;
        for (uint32_t i = 0; i < p.individuals; i++) {
            c.s.individuals[0][i].instructions = core_roll(&dice, 10) > 0;
            c.s.sums[i] = (double)core_roll(&dice, 8); /* many ties */
        }
        gr_team *team = gr_team_open(2);
        gr_cpu_order(&c.s, 0, team);
        gr_team_close(team);
        for (uint32_t deme = 0; deme < 3; deme++)
            for (uint32_t rank = 0; rank + 1 < population; rank++)
                assert_true(gr_selection_key(&c.s, deme, gr_ranked(&c.s, deme, rank)) <
                            gr_selection_key(&c.s, deme, gr_ranked(&c.s, deme, rank + 1)));
        core_close(&c);
    }
}

static void test_roulette(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.selection = GR_SELECT_ROULETTE;
    core c = open_deme(&p);
    uint32_t count[N];
    double share[N];
    draw_parents(&c, count);
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
    draw_parents(&c, count);
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
    draw_parents(&c, count);
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
            draw_parents(&c, count);
            for (uint32_t i = 0; i < N; i++)
                if (c.s.individuals[0][i].validity == GR_VALID)
                    kept[bins++] = count[i];
                else
                    assert_true(valid == 0 || count[i] == 0);
            if (valid > 1 && selection == GR_SELECT_TOURNAMENT) /* drawn alike */
                assert_true(core_chi_square(kept, NULL, bins) < 1.0);
            if (valid == 1)
                assert_int_equal(kept[0], ROUNDS);
            core_close(&c);
        }
}

static void test_parsimony(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.parsimony = GR_PARSIMONY_COEFFICIENT;
    p.parsimony_strength = 0.25f;
    core c = open_deme(&p);
    for (uint32_t i = 0; i < N; i++)
        assert_true(i == 11 || c.s.selection_cost[i] ==
                                   (float)(c.s.sums[i] + 0.25 * c.s.individuals[0][i].nodes));
    assert_true(c.s.selection_cost[11] == GR_INFINITY);
    core_close(&c);
    p.parsimony = GR_PARSIMONY_COVARIANT;
    c = open_deme(&p);
    double mean[2] = {0}, covariance = 0, variance = 0, left = 0;
    for (uint32_t i = 0; i < N; i++)
        if (i != 11) {
            mean[0] += c.s.sums[i] / (N - 1);
            mean[1] += (double)c.s.individuals[0][i].nodes / (N - 1);
        }
    for (uint32_t i = 0; i < N; i++)
        if (i != 11) {
            double size = (double)c.s.individuals[0][i].nodes - mean[1];
            covariance += size * (c.s.sums[i] - mean[0]);
            variance += size * size;
        }
    assert_true(fabs(c.s.pressures[0].slope - covariance / variance) < 1e-12);
    for (uint32_t i = 0; i < N; i++)
        if (i != 11)
            left += (double)c.s.selection_cost[i] * ((double)c.s.individuals[0][i].nodes - mean[1]);
    assert_true(fabs(left) < 1e-3); /* nothing of size is left in the selection costs */
    core_close(&c);
}

/* Sizes and costs that are all but equal: their covariance is far below the last digit of the sums
 * of products. Against two passes in long double. */
static void test_nearly_equal(void **state) {
    (void)state;
    static const float costs[] = {1.0f, 3.3e-30f, 1.7e30f};
    gr_params p = core_params(GR_TREE);
    p.parsimony = GR_PARSIMONY_COVARIANT;
    for (int k = 0; k < 3; k++) {
        core c = open_deme(&p);
        long double mean[2] = {0}, covariance = 0, variance = 0;
        for (uint32_t i = 0; i < N; i++) {
            c.s.individuals[0][i].nodes = 9000 + (i % 50 == 3);
            c.s.sums[i] = (double)gr_bits_float(gr_float_bits(costs[k]) + (i % 25 == 3) + i % 2);
        }
        gr_cpu_order(&c.s, 0, NULL);
        for (uint32_t i = 0; i < N; i++)
            if (i != 11) {
                mean[0] += (long double)c.s.sums[i] / (N - 1);
                mean[1] += (long double)c.s.individuals[0][i].nodes / (N - 1);
            }
        for (uint32_t i = 0; i < N; i++)
            if (i != 11) {
                long double size = (long double)c.s.individuals[0][i].nodes - mean[1];
                covariance += size * ((long double)c.s.sums[i] - mean[0]);
                variance += size * size;
            }
        double slope = (double)(covariance / variance);
        assert_true(slope > 0.0 && fabs(c.s.pressures[0].slope - slope) < 1e-7 * slope);
        core_close(&c);
    }
}

static void test_tarpeian(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.parsimony = GR_PARSIMONY_TARPEIAN;
    p.parsimony_strength = 0.3f;
    core c = open_deme(&p);
    uint32_t large = 0, thrown = 0;
    double mean = c.s.pressures[0].mean;
    for (uint32_t round = 0; round < 500; round++) {
        c.s.p.seed[0] = round;
        gr_cpu_order(&c.s, 0, NULL);
        for (uint32_t i = 0; i < N; i++)
            if (c.s.individuals[0][i].nodes > mean && i != 11) {
                large++;
                thrown += c.s.selection_cost[i] == GR_INFINITY;
            } else
                assert_true(c.s.selection_cost[i] == c.s.cost[i]);
    }
    const uint32_t count[2] = {thrown, large - thrown};
    const double share[2] = {0.3, 0.7};
    assert_true(core_chi_square(count, share, 2) < 1.0);
    core_close(&c);
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
    draw_parents(&c, count);
    for (uint32_t i = 1; i < N; i += 2)
        small += count[i];
    const uint32_t sizes[2] = {small, ROUNDS - small};
    const double share[2] = {0.25 + 0.5 * 0.7, 0.25 + 0.5 * 0.3};
    assert_true(core_chi_square(sizes, share, 2) < 1.0);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partners),
        cmocka_unit_test(test_torus_plans),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_roulette),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_excluded),
        cmocka_unit_test(test_parsimony),
        cmocka_unit_test(test_nearly_equal),
        cmocka_unit_test(test_tarpeian),
        cmocka_unit_test(test_double_tournament),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
