/* gpu/backend/peers.c: what engines that have some islands, cases or individuals each list for an
 * exchange. */
#include "gpu/backend/peers.h"

#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/selection/migration.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MEMBERS = 3, ISLANDS = 12, RUNS = 2, MIGRANTS = 5, WORDS = 4 };
static const uint32_t first[MEMBERS + 1] = {0, 5, 6, ISLANDS};

/* Arrays of one engine; their addresses alone matter. */
typedef struct engine {
    gr_migrant migrants[RUNS * ISLANDS * MIGRANTS];
    uint32_t words[RUNS * ISLANDS * MIGRANTS * WORDS];
    gr_standing standings[RUNS * ISLANDS];
    gr_state state;
    gr_peers peers;
    gr_transfers transfers;
} engine;
static engine engines[MEMBERS];

static gr_state *open_engine(uint32_t member, uint32_t routes) {
    engine *e = &engines[member];
    gr_params p = {.runs = RUNS, .population = 8, .migrants = MIGRANTS, .migration_every = 2};
    p.islands = first[member + 1] - first[member];
    p.first_island = first[member];
    p.other_islands = ISLANDS - p.islands;
    p.genome_capacity = WORDS;
    p.routes = routes;
    p.island_columns = 3;
    e->state = (gr_state){.p = p};
    e->state.migrants = e->migrants;
    e->state.migrant_words = e->words;
    e->state.standings = e->standings;
    e->peers = (gr_peers){.members = MEMBERS, .member = member, .first = first};
    return &e->state;
}

/* What one lists for another stands in the other's list too, in the same order, of the same size,
 * at the same place. */
static void check_pairs(void) {
    for (uint32_t a = 0; a < MEMBERS; a++)
        for (uint32_t b = 0; b < MEMBERS; b++) {
            uint32_t k = 0;
            const gr_transfers *mine = &engines[a].transfers, *its = &engines[b].transfers;
            for (uint32_t i = 0; a != b && i < mine->count; i++) {
                const gr_transfer *t = &mine->list[i];
                assert_true(t->from == a || t->to == a);
                assert_true(t->from != t->to);
                if (t->from != a || t->to != b)
                    continue;
                while (k < its->count && (its->list[k].from != a || its->list[k].to != b))
                    k++;
                assert_true(k < its->count);
                assert_int_equal(its->list[k].bytes, t->bytes);
                assert_int_equal((char *)its->list[k].at - (char *)&engines[b],
                                 (char *)t->at - (char *)&engines[a]);
                k++;
            }
            for (; a != b && k < its->count; k++)
                assert_false(its->list[k].from == a && its->list[k].to == b);
        }
}

/* Whether `member` gets these bytes from their owner. */
static int gets(uint32_t member, uint32_t from, const void *at, size_t bytes) {
    const gr_transfers *t = &engines[member].transfers;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->list[i].to == member && t->list[i].from == from &&
            (char *)t->list[i].at <= (char *)at &&
            (char *)at + bytes <= (char *)t->list[i].at + t->list[i].bytes)
            return 1;
    return 0;
}

static uint32_t owner_of(uint32_t island) {
    uint32_t m = 0;
    while (first[m + 1] <= island)
        m++;
    return m;
}

static void test_migrants(void **state) {
    (void)state;
    for (uint32_t routes = GR_ROUTES_RING; routes <= GR_ROUTES_RANDOM; routes++)
        for (uint32_t generation = 2; generation < 20; generation += 2) {
            for (uint32_t m = 0; m < MEMBERS; m++)
                gr_list_migrants(&engines[m].peers, open_engine(m, routes), generation,
                                 &engines[m].transfers);
            check_pairs();
            for (uint32_t run = 0; run < RUNS; run++)
                for (uint32_t island = 0; island < ISLANDS; island++)
                    for (uint32_t k = 0; k < MIGRANTS; k++) {
                        uint32_t m = owner_of(island);
                        const gr_params *p = &engines[m].state.p;
                        uint32_t from = gr_migrant_source(p, generation, run, island, k);
                        size_t at = gr_migrant_at(p, run, from, k);
                        if (owner_of(from) == m)
                            continue;
                        assert_true(
                            gets(m, owner_of(from), &engines[m].migrants[at], sizeof(gr_migrant)));
                        assert_true(gets(m, owner_of(from), &engines[m].words[at * WORDS],
                                         WORDS * sizeof(uint32_t)));
                    }
        }
    /* of a ring only the islands at a border: one comes from each side, in two arrays, of two runs
     */
    gr_list_migrants(&engines[1].peers, open_engine(1, GR_ROUTES_RING), 2, &engines[1].transfers);
    assert_int_equal(engines[1].transfers.count, 2 * 2 * RUNS);
}

static void test_standings(void **state) {
    (void)state;
    for (uint32_t m = 0; m < MEMBERS; m++)
        gr_list_standings(&engines[m].peers, open_engine(m, GR_ROUTES_RING), &engines[m].transfers);
    check_pairs();
    for (uint32_t m = 0; m < MEMBERS; m++)
        for (uint32_t run = 0; run < RUNS; run++)
            for (uint32_t island = 0; island < ISLANDS; island++)
                assert_int_equal(gets(m, owner_of(island),
                                      &engines[m].standings[run * ISLANDS + island],
                                      sizeof(gr_standing)),
                                 owner_of(island) != m);
}

/* Where nothing depends on how others stand, they meet to migrate alone. */
static void test_meetings(void **state) {
    (void)state;
    gr_params p = {.migrants = 1, .migration_every = 5};
    assert_int_equal(gr_peers_meet(&p, 4), 0);
    assert_int_equal(gr_peers_meet(&p, 5), GR_PEERS_MIGRATE);
    p.stagnation = 3;
    assert_int_equal(gr_peers_meet(&p, 4), GR_PEERS_SETTLE);
    assert_int_equal(gr_peers_meet(&p, 5), GR_PEERS_SETTLE | GR_PEERS_MIGRATE);
}

/* ---- cases ---- */

enum { CHUNKS = 13, N = 6, SUMS = 3, INPUTS = 2 };
static float tiles[CHUNKS * (INPUTS + 1) * GR_CHUNK];
static gr_chunk_target targets[CHUNKS];
static double sums[MEMBERS][CHUNKS * SUMS * N];
static uint32_t counts[MEMBERS][N * GR_CLASS_BINS * 4], arrived[MEMBERS][2 * N * GR_CLASS_BINS * 4];

static gr_state cases_of(uint32_t cases, uint32_t packed) {
    gr_params p = {.individuals = N, .inputs = INPUTS, .sums = SUMS, .packed = packed};
    p.train_cases = cases;
    p.train_chunks = CHUNKS;
    p.last_share[0] = gr_last_share(cases);
    return (gr_state){.p = p, .train = tiles, .targets = targets};
}

/* Shares follow one another and make up all chunks, also of a sample that some have nothing of. */
static void test_shares_of_chunks(void **state) {
    (void)state;
    gr_peers peers = {.members = MEMBERS, .first = first, .cases = 1};
    for (uint32_t chunks = 1; chunks < 40; chunks++) {
        uint32_t next = 0;
        for (uint32_t m = 0; m < MEMBERS; m++) {
            gr_chunks share = gr_share_of_chunks(&peers, m, chunks);
            assert_int_equal(share.first, next);
            next += share.count;
        }
        assert_int_equal(next, chunks);
    }
    assert_int_equal(gr_share_of_chunks(&peers, 1, ISLANDS).first, 5);
    assert_int_equal(gr_share_of_chunks(&peers, 1, ISLANDS).count, 1);
    assert_int_equal(gr_share_of_chunks(&peers, 1, 1).count, 0);
    peers.cases = 0;
    assert_int_equal(gr_share_of_chunks(&peers, 1, ISLANDS).count, ISLANDS);
    assert_int_equal(gr_share_of_chunks(NULL, 0, 7).count, 7);
}

static void test_state_of_share(void **state) {
    (void)state;
    gr_peers peers = {.members = MEMBERS, .member = 1, .first = first, .cases = 1};
    gr_state s = cases_of(12 * GR_CHUNK + 5, 0), share;
    s.sums = sums[0];
    share = gr_state_of_share(&s, &peers); /* 13 chunks: 0-4, 5, 6-12 */
    assert_int_equal(share.p.train_chunks, 1);
    assert_int_equal(share.p.train_cases, GR_CHUNK);
    assert_true(share.p.last_share[0] == 1.0 / GR_CHUNK);
    assert_ptr_equal(share.train, tiles); /* it has its own alone */
    assert_ptr_equal(share.targets, targets + 5);
    assert_ptr_equal(share.sums, sums[0] + 5 * SUMS * N);
    s.p.whole_chunks = 20; /* samples of cases that everybody has */
    share = gr_state_of_share(&s, &peers);
    assert_ptr_equal(share.train, tiles + 5 * (INPUTS + 1) * GR_CHUNK);
    peers.member = 2;
    share = gr_state_of_share(&s, &peers);
    assert_int_equal(share.p.train_cases, 6 * GR_CHUNK + 5);
    assert_true(share.p.last_share[0] == 0.2);
    s = cases_of((12 * GR_CHUNK + 5) * 32 - 30, 1);
    assert_int_equal(gr_state_of_share(&s, &peers).p.train_cases, (6 * GR_CHUNK + 5) * 32 - 30);
}

static void list_sums(uint32_t class_bins) {
    for (uint32_t m = 0; m < MEMBERS; m++) {
        engine *e = &engines[m];
        e->state = cases_of(12 * GR_CHUNK + 5, 0);
        e->state.p.thresholds = 2;
        e->state.sums = sums[m];
        e->state.class_bins = class_bins ? counts[m] : NULL;
        e->peers = (gr_peers){.members = MEMBERS, .member = m, .first = first, .cases = 1};
        gr_list_sums(&e->peers, &e->state, arrived[m], &e->transfers);
        assert_int_equal(e->transfers.count, 2 * (MEMBERS - 1));
    }
}

/* What `to` gets from another, and where that has it. */
static gr_transfer listed(uint32_t by, uint32_t from, uint32_t to) {
    const gr_transfers *t = &engines[by].transfers;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->list[i].from == from && t->list[i].to == to)
            return t->list[i];
    fail();
    return t->list[0];
}

static void test_sums(void **state) {
    (void)state;
    static const uint32_t begins[MEMBERS + 1] = {0, 5, 6, CHUNKS};
    for (uint32_t class_bins = 0; class_bins < 2; class_bins++) {
        list_sums(class_bins);
        for (uint32_t from = 0; from < MEMBERS; from++)
            for (uint32_t to = 0; to < MEMBERS; to++) {
                if (from == to)
                    continue;
                gr_transfer gives = listed(from, from, to), gets_it = listed(to, from, to);
                size_t row = begins[from] * SUMS * N, place = from - (from > to);
                assert_int_equal(gives.bytes, gets_it.bytes);
                assert_int_equal(gives.bytes, class_bins ? sizeof counts[0]
                                                         : (begins[from + 1] - begins[from]) *
                                                               SUMS * N * sizeof(double));
                assert_ptr_equal(gives.at,
                                 class_bins ? (void *)counts[from] : (void *)(sums[from] + row));
                assert_ptr_equal(gets_it.at,
                                 class_bins ? (void *)(arrived[to] + place * N * GR_CLASS_BINS * 4)
                                            : (void *)(sums[to] + row));
            }
    }
}

/* Individuals of a state of one engine: rows that say whose they are. */
enum { INDIVIDUALS = ISLANDS, NODES = 3, ROWS = 2 * SUMS };
typedef struct individuals {
    gr_individual individual[INDIVIDUALS];
    gr_node tree[INDIVIDUALS * NODES];
    gr_instruction program[INDIVIDUALS * NODES];
    float fitted[INDIVIDUALS * 2];
    double sums[ROWS * INDIVIDUALS];
} individuals;
static individuals made[MEMBERS];

static void open_individuals(uint32_t m) {
    engine *e = &engines[m];
    gr_params p = {.individuals = INDIVIDUALS, .max_nodes = NODES, .sums = SUMS, .thresholds = 2};
    p.genotype = GR_TREE;
    p.train_chunks = ROWS / SUMS;
    e->state = (gr_state){.p = p,
                          .individuals = {NULL, made[m].individual},
                          .trees = {NULL, made[m].tree},
                          .programs = made[m].program,
                          .fitted = made[m].fitted,
                          .sums = made[m].sums};
    e->peers = (gr_peers){.members = MEMBERS, .member = m, .first = first, .individuals = 1};
    gr_individuals own = gr_share_of_individuals(&e->peers, m, &p);
    memset(&made[m], 0, sizeof made[m]);
    for (uint32_t i = own.first; i < own.first + own.count; i++) {
        made[m].individual[i].length = i + 1;
        made[m].fitted[2 * i + 1] = (float)i + 1.0f;
        for (uint32_t k = 0; k < ROWS; k++)
            made[m].sums[k * INDIVIDUALS + i] = (double)(100 * k + i + 1);
        made[m].tree[i * NODES + NODES - 1].head = made[m].program[i * NODES].operand = i + 1;
    }
    gr_list_individuals(&e->peers, &e->state, 3, &e->transfers);
}

/* The exchange: transfers between two in the order in which both list them. */
static void exchange_between(uint32_t from, uint32_t to) {
    const gr_transfers *gives = &engines[from].transfers, *gets = &engines[to].transfers;
    uint32_t k = 0;
    for (uint32_t i = 0; i < gives->count; i++) {
        if (gives->list[i].from != from || gives->list[i].to != to)
            continue;
        while (gets->list[k].from != from || gets->list[k].to != to)
            k++;
        memcpy(gets->list[k++].at, gives->list[i].at, gives->list[i].bytes);
    }
}

/* Everybody has everybody's then. */
static void test_individuals(void **state) {
    (void)state;
    for (uint32_t m = 0; m < MEMBERS; m++)
        open_individuals(m);
    for (uint32_t from = 0; from < MEMBERS; from++)
        for (uint32_t to = 0; to < MEMBERS; to++)
            if (from != to)
                exchange_between(from, to);
    for (uint32_t m = 0; m < MEMBERS; m++)
        for (uint32_t i = 0; i < INDIVIDUALS; i++) {
            assert_int_equal(made[m].individual[i].length, i + 1);
            assert_int_equal(made[m].tree[i * NODES + NODES - 1].head, i + 1);
            assert_int_equal(made[m].program[i * NODES].operand, i + 1);
            assert_true(made[m].fitted[2 * i + 1] == (float)i + 1.0f);
            for (uint32_t k = 0; k < ROWS; k++)
                assert_true(made[m].sums[k * INDIVIDUALS + i] == (double)(100 * k + i + 1));
        }
    assert_int_equal(gr_share_of_individuals(NULL, 0, &engines[0].state.p).count, INDIVIDUALS);
}

static int close_all(void **state) {
    (void)state;
    for (uint32_t m = 0; m < MEMBERS; m++)
        gr_transfers_free(&engines[m].transfers);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_migrants),       cmocka_unit_test(test_standings),
        cmocka_unit_test(test_meetings),       cmocka_unit_test(test_shares_of_chunks),
        cmocka_unit_test(test_state_of_share), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_individuals),
    };
    return cmocka_run_group_tests(tests, NULL, close_all);
}
