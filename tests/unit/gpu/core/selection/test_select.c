/* gpu/core/selection/select.h: tournaments, elites, statistics and the end of a deme. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

/* ---- keys ---- */

static void test_keys_order_costs(void **state) {
    (void)state;
    core_dice dice = {1};
    assert_true(gr_rank_key(0.0f, 3) == gr_rank_key(-0.0f, 3));
    assert_true(gr_rank_key(GR_INFINITY, 0) > gr_rank_key(0x1.fffffep127f, ~0u));
    assert_true(gr_rank_key(-GR_INFINITY, ~0u) < gr_rank_key(-0x1.fffffep127f, 0));
    for (uint32_t i = 0; i < 100000; i++) {
        float a = core_float(&dice), b = core_float(&dice);
        uint32_t ia = core_roll(&dice, 3), ib = core_roll(&dice, 3);
        if (a != a || b != b)
            continue; /* never a cost */
        int less = a < b || (a == b && ia < ib);
        assert_int_equal(gr_rank_key(a, ia) < gr_rank_key(b, ib), less);
    }
}

/* ---- tournaments ---- */

enum { POPULATION = 20, DRAWS = 100000 };

/* The share of the individual with rank `rank` in order of cost: all draws at or behind it, less
 * all behind it. */
static void check_tournament(core *c, const uint32_t *rank_of_index) {
    uint32_t n = c->s.p.population;
    for (uint32_t size = 1; size <= 7; size += 2) {
        uint32_t count[POPULATION] = {0};
        double share[POPULATION];
        c->s.p.tournament = size;
        for (uint32_t k = 0; k < n; k++)
            share[k] = pow((double)(n - k) / n, size) - pow((double)(n - k - 1) / n, size);
        for (uint32_t i = 0; i < DRAWS; i++) {
            gr_random r = gr_stream(&c->s.p, GR_PURPOSE_SELECT, size, 1, i);
            uint32_t both[2], index;
            gr_tournaments(&c->s, c->s.cost, 1, &r, core_group, &both[0], &both[1]);
            index = both[i % 2];
            assert_true(index < n);
            count[rank_of_index[index]]++;
        }
        uint32_t bins = n; /* the last ranks are rare: together */
        while (bins > 2 && share[bins - 1] * DRAWS < 20.0) {
            bins--;
            share[bins - 1] += share[bins];
            count[bins - 1] += count[bins];
        }
        assert_true(core_chi_square(count, share, bins) < 1.0);
    }
}

static void test_tournaments(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.islands = 2;
    p.population = POPULATION;
    core c = core_open(&p, NULL, 0);
    uint32_t rank[POPULATION];
    for (uint32_t i = 0; i < POPULATION; i++) {
        c.s.cost[i] = -1.0f; /* another island's: must not matter */
        rank[i] = i * 7 % POPULATION;
        c.s.cost[POPULATION + i] = (float)rank[i] * 0.5f - 3.0f;
    }
    check_tournament(&c, rank);
    for (uint32_t i = 0; i < POPULATION;
         i++) { /* all equal, then all infinite: the lower index wins */
        rank[i] = i;
        c.s.cost[POPULATION + i] = 2.0f;
    }
    check_tournament(&c, rank);
    for (uint32_t i = 0; i < POPULATION; i++)
        c.s.cost[POPULATION + i] = GR_INFINITY;
    check_tournament(&c, rank);
    core_close(&c);
    p.population = 2; /* more draws than individuals */
    c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < 2; i++) {
        rank[i] = 1 - i;
        c.s.cost[2 + i] = (float)rank[i];
    }
    check_tournament(&c, rank);
    core_close(&c);
}

/* ---- a generation of a deme, as a backend drives it ---- */

static gr_statistics butterfly(gr_statistics *lane) {
    for (uint32_t x = GR_LANES / 2; x; x /= 2)
        for (uint32_t l = 0; l < x; l++)
            lane[l] = gr_statistics_merge(lane[l], lane[l + x]);
    return lane[0];
}

static gr_statistics statistics_of(const gr_state *s, uint32_t generation, uint32_t deme) {
    uint32_t segments = gr_segments(&s->p), spans = gr_spans(&s->p);
    gr_statistics lane[GR_LANES];
    for (uint32_t segment = 0; segment < segments; segment++) {
        for (uint32_t l = 0; l < GR_LANES; l++)
            lane[l] = gr_segment_lane(s, generation, deme, segment, l);
        s->segments[(size_t)deme * segments + segment] = butterfly(lane);
    }
    for (uint32_t span = 0; span < spans; span++) {
        for (uint32_t l = 0; l < GR_LANES; l++)
            lane[l] = gr_span_lane(s, deme, span, l);
        s->spans[(size_t)deme * spans + span].statistics = butterfly(lane);
    }
    for (uint32_t l = 0; l < GR_LANES; l++)
        lane[l] = gr_deme_lane(s, deme, l);
    return butterfly(lane);
}

static void find_elites(const gr_state *s, uint32_t deme) {
    gr_deme *d = &s->demes[deme];
    uint32_t *histogram = s->histogram + 256 * deme;
    for (uint32_t pass = 0; pass < 8 && !d->elite_done; pass++) {
        for (uint32_t index = 0; index < s->p.population; index++) {
            uint64_t key = gr_rank_key(s->cost[deme * s->p.population + index], index);
            uint32_t digit = gr_elite_digit(d, key, pass);
            if (digit < 256)
                histogram[digit]++;
        }
        gr_elite_narrow(d, histogram, pass, core_group);
    }
    assert_true(d->elite_done);
}

/* The elites, best first, by either way. */
static void check_elites(const gr_state *s, uint32_t deme, const uint64_t *key) {
    uint32_t *elites = s->elites + (size_t)deme * s->p.elites, found = 0;
    uint64_t *listed = s->elite_keys[0] + (size_t)deme * s->p.elites;
    for (uint32_t large = 0; large < 2; large++) {
        memset(elites, 0xff, s->p.elites * sizeof *elites);
        for (uint32_t index = 0; index < s->p.population; index++)
            if (!large)
                gr_rank_elite(s, deme, index, core_group);
            else if (gr_is_elite(s, deme, index)) {
                assert_true(found < s->p.elites);
                listed[found++] = gr_cost_key(s, deme, index);
            }
        for (uint32_t k = 0; k < found; k++)
            gr_sort_elite(s, deme, k, core_group);
        for (uint32_t pass = 0; large && pass < gr_elite_passes(&s->p); pass++)
            for (uint32_t k = 0; k < found; k++)
                gr_merge_elite(s, deme, pass, k);
        for (uint32_t k = 0; k < s->p.elites; k++)
            assert_int_equal(elites[k], (uint32_t)key[k]);
    }
    assert_int_equal(found, s->p.elites);
}

/* Individual i with this cost; a negative or NaN one is invalid. */
static void set_individual(const gr_state *s, uint32_t generation, uint32_t i, float cost) {
    gr_individual individual = {0};
    individual.length = 10 + i % 13;
    individual.used = i % 7;
    individual.derivation_nodes = i % 11;
    individual.depth = 3 + i % 5;
    individual.nodes = 1 + i % 29;
    individual.instructions = 1;
    if (!(cost >= 0.0f)) {
        individual.validity = GR_OUT_OF_CODONS + i % (GR_VALIDITY_COUNT - 1);
        individual.instructions = individual.nodes = 0;
    }
    s->individuals[generation & 1][i] = individual;
    s->sums[i] = (double)cost;
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static float random_cost(core_dice *dice, uint32_t style) {
    switch (style) {
    case 0:
        return (float)core_roll(dice, 0);
    case 1: /* many ties */
        return (float)core_roll(dice, 4);
    case 2: /* mostly infinite or invalid */
        return core_roll(dice, 8) ? core_roll(dice, 2) ? GR_INFINITY : -1.0f : 0.5f;
    case 3:
        return gr_bits_float(core_roll(dice, 0x7f800001)); /* any that is not negative */
    default:
        return 7.0f;
    }
}

static void test_elites(void **state) {
    (void)state;
    static const uint32_t POPULATIONS[] = {1, 2, 31, 256, 257, 1000, 5000},
                          ELITES[] = {2, 3, 10, 257, 999, 1000, 4100}; /* tiles of 1024 */
    core_dice dice = {2};
    for (uint32_t a = 0; a < 7; a++)
        for (uint32_t b = a < 6 ? 0 : 6; b < 7; b++)
            for (uint32_t style = 0; style < 5; style++) {
                gr_params p = core_params(GR_TREE);
                static uint64_t key[5000];
                p.population = POPULATIONS[a];
                p.elites = gr_min_u32(ELITES[b], p.population);
                p.islands = 2;
                p.max_nodes = 1;
                core c = core_open(&p, NULL, 0);
                for (uint32_t i = 0; i < 2 * p.population; i++)
                    set_individual(&c.s, 0, i, random_cost(&dice, style));
                gr_finish_deme(&c.s, 0, 1, statistics_of(&c.s, 0, 1));
                if (p.elites == 1)
                    assert_int_equal(c.s.elites[1], c.s.records[1].best_index);
                else
                    find_elites(&c.s, 1);
                for (uint32_t i = 0; i < p.population; i++)
                    key[i] = gr_rank_key(c.s.cost[p.population + i], i);
                qsort(key, p.population, sizeof *key, by_key);
                assert_int_equal((uint32_t)key[0], c.s.records[1].best_index);
                if (p.elites > 1)
                    check_elites(&c.s, 1, key);
                for (uint32_t k = 0; k < 256 && p.elites > 1; k++)
                    assert_int_equal(c.s.histogram[256 + k], 0);
                core_close(&c);
            }
}

static void test_statistics(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    core_dice dice = {3};
    p.population = 700; /* three segments */
    p.runs = 2;
    p.max_nodes = 1;
    core c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < 1400; i++)
        set_individual(&c.s, 4, i,
                       core_roll(&dice, 9) ? (float)core_roll(&dice, 1000) / 8.0f : GR_NAN);
    gr_statistics t = statistics_of(&c.s, 4, 1);
    double sum = 0.0, best = 1e9;
    uint64_t sums[GR_SIZE_KINDS] = {0};
    uint32_t finite = 0, validity[GR_VALIDITY_COUNT] = {0}, best_index = 0;
    uint32_t least[GR_SIZE_KINDS] = {~0u, ~0u, ~0u, ~0u, ~0u}, most[GR_SIZE_KINDS] = {0};
    for (uint32_t index = 0; index < 700; index++) {
        gr_individual individual = c.s.individuals[0][700 + index];
        const uint32_t size[GR_SIZE_KINDS] = {individual.length, individual.used, individual.depth,
                                              individual.nodes, individual.derivation_nodes};
        double cost = c.s.sums[700 + index];
        validity[individual.validity]++;
        for (uint32_t k = 0; k < GR_SIZE_KINDS; k++)
            if (k == GR_SIZE_LENGTH || individual.validity == GR_VALID) {
                sums[k] += size[k];
                least[k] = gr_min_u32(least[k], size[k]);
                most[k] = gr_max_u32(most[k], size[k]);
            }
        if (individual.validity != GR_VALID) {
            assert_true(c.s.cost[700 + index] == GR_INFINITY);
            continue;
        }
        finite++;
        sum += cost; /* exact: eighths */
        if (cost < best) {
            best = cost;
            best_index = index;
        }
    }
    assert_int_equal(t.finite, finite);
    assert_true(t.cost_sum == sum);
    assert_true(t.best_key == gr_rank_key((float)best, best_index));
    assert_memory_equal(t.sum, sums, sizeof sums);
    assert_memory_equal(t.least, least, sizeof least);
    assert_memory_equal(t.most, most, sizeof most);
    assert_memory_equal(t.validity, validity, sizeof validity);
    core_close(&c);
}

/* Best so far, record, and when a deme stops. */
static void test_course_of_a_deme(void **state) {
    (void)state;
    static const float BEST[] = {5.0f, 7.0f, 5.0f, 4.0f, 3.0f};
    gr_params p = core_params(GR_TREE);
    p.population = 10;
    p.elites = 1;
    p.generations = 5;
    p.stop_at_target = 1;
    p.target_cost = 3.0f;
    p.max_nodes = 2;
    core c = core_open(&p, NULL, 0);
    for (uint32_t generation = 0; generation < 5; generation++) {
        for (uint32_t i = 0; i < 10; i++) {
            set_individual(&c.s, generation, i, i == generation + 2 ? BEST[generation] : 20.0f);
            c.s.individuals[generation & 1][i].length = 2;
            c.s.individuals[generation & 1][i].instructions = 2;
            for (uint32_t k = 0; k < 2; k++) {
                c.s.trees[generation & 1][2 * i + k].operand = 100 * generation + 10 * i + k;
                c.s.programs[2 * i + k].operand = 100 * generation + 10 * i + k;
            }
        }
        gr_finish_deme(&c.s, generation, 0, statistics_of(&c.s, generation, 0));
        gr_keep_best(&c.s, generation, 0, core_group);
        const gr_record *record = &c.s.records[0];
        uint32_t improved = generation == 0 || generation > 2;
        uint32_t since = improved ? generation : 0, mark = 100 * since + 10 * (since + 2);
        assert_true(record->written && record->generation == generation);
        assert_int_equal(record->improved, improved);
        assert_int_equal(record->best_index, generation + 2);
        assert_true(record->best_cost == BEST[generation]);
        assert_true(record->best_ever_cost == BEST[since]);
        assert_int_equal(c.s.demes[0].best_generation, since);
        assert_int_equal(c.s.elites[0], generation + 2);
        assert_int_equal(((gr_node *)c.s.best_genomes)[1].operand, mark + 1);
        assert_int_equal(c.s.best_programs[1].operand, mark + 1);
        assert_int_equal(c.s.demes[0].active, generation < 4); /* then the target is reached */
        gr_decide(&c.s, gr_share_active(&c.s, 0, 1), 0);
        assert_int_equal(c.s.loop->finished, generation == 4);
    }
    gr_finish_deme(&c.s, 5, 0, statistics_of(&c.s, 5, 0)); /* stopped: nothing more is written */
    assert_int_equal(c.s.records[0].written, 0);
    core_close(&c);
}

/* At the last generation a deme that is not solved stays active, so that its children are planned,
 * but the run ends. */
static void test_last_generation(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE); /* 10 generations */
    core c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < 64; i++)
        set_individual(&c.s, 10, i, 1.0f);
    gr_finish_deme(&c.s, 10, 0, statistics_of(&c.s, 10, 0));
    assert_int_equal(c.s.demes[0].active, 1);
    for (uint32_t generation = 9; generation <= 10; generation++) {
        c.s.loop->next = generation + 1;
        gr_decide(&c.s, gr_share_active(&c.s, 0, 1), 0);
        assert_int_equal(c.s.loop->finished, generation == 10);
    }
    core_close(&c);
}

/* Two generations of three steps without a better best, seen at the end of a generation. */
static void test_stagnation(void **state) {
    (void)state;
    gr_params p = {.steps = 3, .stagnation = 6};
    for (uint32_t best = 0; best <= 4; best++)
        for (uint32_t generation = best; generation <= 15; generation++)
            assert_int_equal(gr_stagnates(&p, generation, best),
                             generation % 3 == 0 && generation >= best + 6);
    p.stagnation = 0;
    assert_false(gr_stagnates(&p, 1000, 0));

    p = core_params(GR_TREE);
    p.steps = 1;
    p.stagnation = 2;
    core c = core_open(&p, NULL, 0);
    static const float BEST[] = {5.0f, 4.0f, 4.0f, 4.5f}; /* equal is not better */
    for (uint32_t generation = 0; generation < 4; generation++) {
        for (uint32_t i = 0; i < 64; i++)
            set_individual(&c.s, generation, i, BEST[generation]);
        gr_finish_deme(&c.s, generation, 0, statistics_of(&c.s, generation, 0));
        assert_int_equal(c.s.demes[0].active, generation < 3);
    }
    core_close(&c);
}

static void test_stop_word(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.runs = 2;
    core c = core_open(&p, NULL, 0);
    gr_decide(&c.s, gr_share_active(&c.s, 0, 1), 0);
    assert_false(c.s.loop->finished);
    c.s.demes[0].active = 0; /* one run has ended, the other goes on */
    gr_decide(&c.s, gr_share_active(&c.s, 0, 1), 0);
    assert_false(c.s.loop->finished);
    gr_decide(&c.s, gr_share_active(&c.s, 0, 1), 1);
    assert_true(c.s.loop->finished && c.s.loop->stop);
    core_close(&c);
}

/* Elites come first, unchanged; pairs behind them share their parents. */
static void test_plans(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.runs = 2;
    p.population = 33;
    p.elites = 3;
    p.crossover_probability = 0.5f;
    core c = core_open(&p, NULL, 0);
    for (uint32_t i = 0; i < 66; i++) {
        set_individual(&c.s, 6, i, (float)(i * 5 % 33));
        c.s.cost[i] = (float)(i * 5 % 33);
    }
    for (uint32_t deme = 0; deme < 2; deme++)
        for (uint32_t k = 0; k < 3; k++)
            c.s.elites[deme * 3 + k] = 4 * k + deme;
    assert_int_equal(gr_parent_pairs(&p), 3 + 15);
    for (uint32_t k = 0; k < 2 * 18; k++)
        gr_plan_parent_pair(&c.s, 6, k, 0, c.s.p.individuals, core_group);
    for (uint32_t i = 0; i < 66; i++) {
        gr_plan plan = c.s.plans[i];
        uint32_t deme = i / 33, index = i % 33;
        assert_true(plan.a / 33 == deme && plan.b / 33 == deme);
        assert_int_equal(plan.kind == GR_PLAN_ELITE, index < 3);
        if (index < 3) {
            assert_int_equal(plan.a, deme * 33 + 4 * index + deme);
            assert_int_equal(plan.a0, c.s.individuals[0][plan.a].length);
        } else if (index % 2 == 1 && index + 1 < 33 && plan.a != plan.b) {
            gr_plan other = c.s.plans[i + 1];
            assert_true(other.a == plan.b && other.b == plan.a);
            assert_true(other.a0 == plan.b0 && other.b1 == plan.a1);
        }
    }
    gr_plan kept = c.s.plans[40];
    c.s.demes[1].active = 0;
    c.s.plans[40].a = 12345;
    gr_plan_parent_pair(&c.s, 7, 18 + 3 + 2, 0, c.s.p.individuals, core_group);
    assert_int_equal(c.s.plans[40].a, 12345); /* a stopped deme plans nothing */
    c.s.demes[1].active = 1;
    gr_plan_parent_pair(&c.s, 6, 18 + 3 + 2, 0, c.s.p.individuals, core_group);
    assert_memory_equal(&c.s.plans[40], &kept, sizeof kept);
    core_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_order_costs),
        cmocka_unit_test(test_tournaments),
        cmocka_unit_test(test_elites),
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_course_of_a_deme),
        cmocka_unit_test(test_last_generation),
        cmocka_unit_test(test_stagnation),
        cmocka_unit_test(test_stop_word),
        cmocka_unit_test(test_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
