/* gpu/core/selection/migration.h: who goes where, against plain sorting and a map of the islands; a
 * migration taken back leaves no trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/selection/migration.h"
#include "host/cpu/stages.h"
#include "tests/trees.h"

enum { RUNS = 2, MOST = 64, EVERY = 5, GENERATION = 10 };

static gr_params island_params(uint32_t islands, uint32_t population, uint32_t migrants) {
    gr_params p = core_params(GR_TREE);
    p.runs = RUNS;
    p.islands = islands;
    p.population = population;
    p.individuals = RUNS * islands * population;
    p.migrants = migrants;
    p.migration_every = EVERY;
    p.elites = 1;
    return p;
}

/* Different trees; costs of which many are equal and some infinite. */
static core open_islands(const gr_params *p) {
    core c = core_open(p, NULL, 0);
    core_dice dice = {3};
    for (uint32_t i = 0; i < p->individuals; i++) {
        trees_grow(&c, i, i);
        uint32_t cost = core_roll(&dice, 12);
        c.s.cost[i] = cost ? (float)cost : GR_INFINITY;
    }
    for (uint32_t d = 0; d < gr_demes(p); d++) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < p->population; k++)
            if (c.s.cost[d * p->population + k] < c.s.cost[d * p->population + best])
                best = k;
        c.s.leaders[d] = best;
    }
    return c;
}

/* Every island has one source and one destination, none is its own. */
static void test_routes(void **state) {
    (void)state;
    static const uint32_t shapes[][2] = {{2, 1}, {3, 1}, {4, 2}, {6, 2}, {9, 3}, {12, 3}};
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++)
        for (uint32_t routes = GR_ROUTES_RING; routes <= GR_ROUTES_RANDOM; routes++) {
            uint32_t n = shapes[shape][0], met[MOST][MOST] = {{0}};
            gr_params p = island_params(n, 8, 3);
            p.routes = routes;
            p.island_columns = shapes[shape][1];
            if (routes == GR_ROUTES_TORUS && p.island_columns == 1)
                continue;
            for (uint32_t generation = EVERY; generation <= 400 * EVERY; generation += EVERY)
                for (uint32_t k = 0; k < p.migrants; k++) {
                    uint32_t given[MOST] = {0};
                    for (uint32_t island = 0; island < n; island++) {
                        uint32_t from = gr_migrant_source(&p, generation, 1, island, k);
                        assert_true(from < n && from != island);
                        assert_int_equal(given[from]++, 0);
                        met[island][from]++;
                    }
                }
            for (uint32_t a = 0; a < n; a++) /* sooner or later everybody that it should */
                for (uint32_t b = 0; b < n; b++) {
                    uint32_t w = p.island_columns, rows = n / w, dx = (a % w + w - b % w) % w,
                             dy = (a / w + rows - b / w) % rows;
                    int near = (dx == 0 && (dy == 1 || dy == rows - 1)) ||
                               (dy == 0 && (dx == 1 || dx == w - 1));
                    int expected = routes == GR_ROUTES_RING    ? b == (a + n - 1) % n
                                   : routes == GR_ROUTES_TORUS ? near
                                                               : a != b;
                    assert_int_equal(met[a][b] > 0, expected);
                }
        }
}

/* Rank of an individual of a deme: how many have a lower cost, or the same and a lower index. */
static uint32_t rank_of(const gr_params *p, const float *cost, uint32_t i) {
    uint32_t first = i - i % p->population, rank = 0;
    for (uint32_t k = first; k < first + p->population; k++)
        rank += cost[k] < cost[i] || (cost[k] == cost[i] && k < i);
    return rank;
}

static int same_tree(const core *a, uint32_t i, const core *b, uint32_t k) {
    gr_individual x = a->s.individuals[0][i], y = b->s.individuals[0][k];
    return memcmp(&x, &y, sizeof x) == 0 &&
           gr_float_bits(a->s.cost[i]) == gr_float_bits(b->s.cost[k]) &&
           memcmp(gr_tree(&a->s, 0, i).at, gr_tree(&b->s, 0, k).at, x.length * sizeof(gr_node)) ==
               0;
}

/* The best of the island before stand where the worst stood, all others where they were. */
static void test_best_replace_worst(void **state) {
    (void)state;
    for (uint32_t migrants = 1; migrants < 16; migrants += 7)
        for (uint32_t threads = 1; threads < 4; threads++) {
            gr_params p = island_params(4, 16, migrants);
            core before = open_islands(&p), after = open_islands(&p);
            gr_team *team = gr_team_open(threads);
            gr_cpu_emigrate(&after.s, GENERATION, team);
            gr_cpu_immigrate(&after.s, GENERATION, team);
            for (uint32_t i = 0; i < p.individuals; i++) {
                uint32_t rank = rank_of(&p, before.s.cost, i), deme = i / p.population, from = i;
                uint32_t source = deme - deme % 4 + (deme + 3) % 4, place = p.population - 1 - rank;
                if (place < migrants)
                    for (uint32_t k = source * p.population; k < (source + 1) * p.population; k++)
                        if (rank_of(&p, before.s.cost, k) == place &&
                            before.s.cost[k] < GR_INFINITY)
                            from = k;
                assert_true(same_tree(&after, i, &before, from));
            }
            for (uint32_t d = 0; d < gr_demes(&p);
                 d++) { /* the best now is known, and is the elite */
                assert_int_equal(rank_of(&p, after.s.cost, d * p.population + after.s.leaders[d]),
                                 0);
                assert_int_equal(after.s.elites[d], after.s.leaders[d]);
            }
            gr_team_close(team);
            core_close(&before);
            core_close(&after);
        }
}

/* Whoever leaves and is replaced: as many places change as migrants come, never the best's; others
 * are drawn at other times; and taken back all is as it was. */
static void test_random_and_back(void **state) {
    (void)state;
    uint32_t chosen[2][MOST] = {{0}};
    for (uint32_t kind = GR_EMIGRANTS_BEST; kind <= GR_EMIGRANTS_RANDOM; kind++)
        for (uint32_t generation = EVERY; generation <= 40 * EVERY; generation += EVERY) {
            gr_params p = island_params(3, 20, 6);
            p.emigrants = kind;
            p.replaced = GR_REPLACED_RANDOM;
            p.routes = generation % 2 ? GR_ROUTES_RANDOM : GR_ROUTES_FULL;
            core before = open_islands(&p), after = open_islands(&p);
            after.s.individuals[1] = after.s.individuals[0]; /* whatever the parity */
            after.s.trees[1] = after.s.trees[0];
            gr_cpu_emigrate(&after.s, generation, NULL);
            gr_cpu_immigrate(&after.s, generation, NULL);
            for (uint32_t d = 0; d < gr_demes(&p); d++) {
                uint32_t changed = 0, in_vain = 0;
                for (uint32_t k = 0; k < p.migrants; k++)
                    in_vain += !after.s.migrants[d * p.migrants + k].taken;
                for (uint32_t k = 0; k < p.population; k++) {
                    uint32_t i = d * p.population + k, rank = rank_of(&p, before.s.cost, i);
                    int other = !same_tree(&after, i, &before, i);
                    assert_false(other && rank == 0);
                    chosen[1][rank] += (uint32_t)other;
                    changed += (uint32_t)other;
                }
                assert_true(changed <= p.migrants && (kind != GR_EMIGRANTS_BEST || !in_vain));
                if (d % 3 == 0)
                    for (uint32_t k = 0; k < p.migrants; k++)
                        chosen[0][gr_emigrant(&before.s, generation, d, k)] +=
                            kind == GR_EMIGRANTS_RANDOM;
            }
            gr_cpu_send_back(&after.s, generation, NULL);
            for (uint32_t i = 0; i < p.individuals; i++)
                assert_true(same_tree(&after, i, &before, i));
            core_close(&before);
            core_close(&after);
        }
    assert_true(core_chi_square(chosen[0], NULL, 20) < 1.0);
    assert_true(core_chi_square(chosen[1] + 1, NULL, 19) < 1.0);
}

/* A run with islands goes by the best of them all, and of equals by the one found first. */
static void test_settle(void **state) {
    (void)state;
    gr_params p = island_params(3, 8, 2);
    p.stagnation = 4;
    p.steps = 1;
    core c = core_open(&p, NULL, 0);
    static const float cost[] = {2.0f, 1.0f, 1.0f, 3.0f, 2.0f, 4.0f};
    static const uint32_t found[] = {9, 8, 6, 1, 9, 9};
    for (uint32_t d = 0; d < 6; d++) {
        c.s.demes[d].best_cost = cost[d];
        c.s.demes[d].best_generation = found[d];
        c.s.records[d].written = 1;
    }
    assert_int_equal(gr_settle_run(&c.s, 9, 0, core_group), 1);
    assert_int_equal(gr_settle_run(&c.s, 9, 1, core_group), 1);
    for (uint32_t d = 0; d < 6; d++)
        assert_int_equal(c.s.records[d].written, d == 2 || d == 4 ? GR_WRITTEN_LEADING : 1);
    assert_int_equal(gr_settle_run(&c.s, 10, 0, core_group), 0); /* since 6 */
    assert_int_equal(gr_settle_run(&c.s, 10, 1, core_group), 1); /* island 1 is young */
    for (uint32_t d = 0; d < 6; d++)
        assert_int_equal(c.s.demes[d].active, d > 2);
    c.s.p.stop_at_target = 1;
    c.s.p.target_cost = 2.0f;
    assert_int_equal(gr_settle_run(&c.s, 10, 1, core_group), 0);
    assert_int_equal(gr_settle_run(&c.s, 10, 1, core_group), 0); /* nor later */
    core_close(&c);
}

/* The same of islands on several engines, which have told each other how they stand: each tells of
 * the leading one where it is its own. */
static void test_settle_apart(void **state) {
    (void)state;
    enum { ENGINES = 3, OWN = 2 };
    for (uint32_t leading = 0; leading < ENGINES * OWN; leading++)
        for (uint32_t engine = 0; engine < ENGINES; engine++) {
            gr_params p = island_params(OWN, 8, 2);
            p.runs = 1;
            p.other_islands = (ENGINES - 1) * OWN;
            p.first_island = engine * OWN;
            core c = core_open(&p, NULL, 0);
            for (uint32_t k = 0; k < ENGINES * OWN; k++)
                c.s.standings[k] = (gr_standing){k == leading ? 1.0f : 2.0f, 3.0f, 4, 0};
            for (uint32_t d = 0; d < OWN; d++)
                c.s.records[d].written = 1;
            assert_int_equal(gr_settle_run(&c.s, 9, 0, core_group), 1);
            for (uint32_t d = 0; d < OWN; d++)
                assert_int_equal(c.s.records[d].written,
                                 engine * OWN + d == leading ? GR_WRITTEN_LEADING : 1);
            core_close(&c);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes), cmocka_unit_test(test_best_replace_worst),
        cmocka_unit_test(test_random_and_back), cmocka_unit_test(test_settle),
        cmocka_unit_test(test_settle_apart)};
    return cmocka_run_group_tests_name("migration", tests, NULL, NULL);
}
