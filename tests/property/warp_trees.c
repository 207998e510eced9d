/* Trees as a warp of the device breeds them, on the host (tests/warp.h): many at a time in a pool
 * (many_trees.h), and one at a time, in fast memory and without, against one lane at a time, which
 * is the CPU's way: individuals, trees and programs to the byte, and nothing written behind a pool.
 *
 *   warp_trees [--rounds N] [--seed S]     (default 300 rounds of four generations, seed 1) */
#include "tests/warp.h"

#include "gpu/core/breeding/many_trees.h"
#include "tests/core.h"

#ifdef __SANITIZE_ADDRESS__ /* ten times as slow */
enum { ROUNDS = 40 };
#else
enum { ROUNDS = 300 };
#endif

enum {
    GENERATIONS = 4,
    POPULATION = 300, /* at most */
    BEHIND = 1024,    /* guard bytes behind fast memory */
    GUARD = 0xcd,
    WIPED = 0xa5
};

typedef enum way { IN_A_POOL, WITH_FAST_MEMORY, WITHOUT, WAYS } way;
static const char *const way_names[WAYS] = {"many at a time in a pool",
                                            "one at a time in fast memory", "one at a time"};

static core c;
static core_dice dice = {1};
static uint32_t facts[GR_OP_COUNT];

/* Fast memory of the warp, guard bytes behind it. */
static struct {
    uint32_t capacity;
    size_t bytes;
    uint8_t *at;
} fast;

/* What breeding writes of a generation. */
typedef struct outcome {
    gr_individual *individuals;
    gr_node *trees;
    gr_instruction *programs;
} outcome;
static outcome alone;

typedef struct tally {
    uint32_t rounds, children, crossed, empty, wrong;
} tally;

/* ---- settings ---- */

static float tenths(uint32_t n) {
    return 0.1f * (float)core_roll(&dice, n);
}

static void roll_functions(gr_params *p) {
    uint32_t n = 0;
    for (uint32_t arity = 0; arity < 4; arity++) {
        p->arity_first[arity] = (uint8_t)n;
        for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
            if (gr_arity(op) == arity && !gr_is_word(op) && core_roll(&dice, 12) == 0)
                p->function[n++] = (uint8_t)op;
    }
    p->arity_first[4] = (uint8_t)n;
    p->functions = n;
    if (!n)
        core_functions(p, 0);
}

static void roll_mutations(gr_params *p) {
    p->subtree_depth = 1 + core_roll(&dice, 6);
    p->subtree_mutation = 3.0f * tenths(4);
    p->point_mutation = 3.0f * tenths(4);
    if (core_roll(&dice, 2))
        p->function_points = 0.9f;
    if (core_roll(&dice, 2))
        return;
    p->tree_mutations = 1;
    p->constants = 3;
    p->constant[0] = 0.25f, p->constant[1] = 0.5f, p->constant[2] = 0.75f;
    p->multi_point_rate = 0.2f;
    p->exclusive = core_roll(&dice, 2);
    p->subtree_ramped = core_roll(&dice, 2);
    for (uint32_t k = 0; k < GR_MUTATIONS; k++)
        p->mutation[k] = p->exclusive ? (float)(k + 1) / GR_MUTATIONS : 3.0f * tenths(3);
}

static void roll_first_trees(gr_params *p) {
    p->init_max_depth = 1 + core_roll(&dice, gr_min_u32(p->max_tree_depth, 12));
    p->init_min_depth = 1 + core_roll(&dice, p->init_max_depth);
    if (core_roll(&dice, 2))
        return;
    p->initialisation = core_roll(&dice, 4) ? GR_INIT_PTC2 : GR_INIT_SIZED;
    p->init_min_nodes = 1 + core_roll(&dice, p->max_nodes);
    p->init_max_nodes = p->init_min_nodes + core_roll(&dice, p->max_nodes - p->init_min_nodes + 1);
}

static gr_params roll_params(void) {
    static const uint32_t nodes[] = {1,  2,  3,   4,   5,   7,   15,  31,  32,  33,  40,   63,  64,
                                     65, 96, 127, 128, 200, 255, 256, 257, 300, 511, 1000, 2100};
    gr_params p = core_params(GR_TREE);
    p.max_nodes = nodes[core_roll(&dice, sizeof nodes / sizeof *nodes)];
    p.runs = 1 + core_roll(&dice, 3);
    p.population = 1 + core_roll(&dice, POPULATION / p.runs);
    p.individuals = p.runs * p.population;
    p.elites =
        core_roll(&dice, core_roll(&dice, 3) ? gr_min_u32(3, p.population + 1) : p.population + 1);
    p.max_tree_depth = 1 + core_roll(&dice, core_roll(&dice, 2) ? 20 : 200);
    p.tournament = 1 + core_roll(&dice, 5);
    p.tries = 1 + core_roll(&dice, 4);
    p.crossover_probability = 3.3f * tenths(4);
    p.one_child = core_roll(&dice, 2);
    p.inputs = core_roll(&dice, 3) ? 3 : 1 + core_roll(&dice, 2000);
    p.constant_probability = 4.0f * tenths(3);
    roll_mutations(&p);
    roll_first_trees(&p);
    if (core_roll(&dice, 3) == 0)
        roll_functions(&p);
    return p;
}

/* ---- a round ---- */

/* Nodes of fast memory. A pool: a tree, or some more groups of nodes, up to a tree a lane; or less
 * than a tree can have, so that some are bred outside it. */
static uint32_t roll_capacity(const gr_params *p, way by) {
    uint32_t most = p->max_nodes + gr_largest_growth(p);
    if (by == WITH_FAST_MEMORY)
        return core_roll(&dice, 2) ? most : 1 + core_roll(&dice, most);
    uint32_t tree = (p->max_nodes + GR_LANES - 1) / GR_LANES,
             least = GR_LANES * (core_roll(&dice, 2) ? tree : 1 + core_roll(&dice, tree)),
             more = GR_LANES * (core_roll(&dice, 3) ? core_roll(&dice, 20) : 0);
    return gr_max_u32(least, gr_min_u32(least + more, GR_LANES * p->max_nodes));
}

static void open_fast(way by) {
    fast.capacity = by == WITHOUT ? 0 : roll_capacity(&c.s.p, by);
    fast.bytes =
        by == IN_A_POOL ? gr_pool_bytes(fast.capacity) : gr_near_bytes(&c.s.p, fast.capacity);
    fast.at = aligned_alloc(64, (fast.bytes + BEHIND + 63) / 64 * 64);
    if (!fast.at)
        abort();
    memset(fast.at, GUARD, fast.bytes + BEHIND);
}

/* A state with scratch for every lane. */
static core open_lanes(const gr_params *p) {
    gr_job job = {.params = *p, .epoch = 1};
    gr_arena arena;
    core opened;
    gr_arena_plan(&arena, &job, GR_LANES);
    opened.memory = calloc(1, arena.bytes);
    if (!opened.memory)
        abort();
    gr_arena_bind(&arena, &job, GR_LANES, opened.memory, &opened.s);
    for (uint32_t d = 0; d < gr_demes(p); d++)
        opened.s.demes[d].active = 1;
    return opened;
}

static void open_round(uint32_t number, way by) {
    gr_params p = roll_params();
    size_t nodes = (size_t)p.individuals * p.max_nodes;
    c = open_lanes(&p);
    open_fast(by);
    alone.individuals = malloc(p.individuals * sizeof *alone.individuals);
    alone.trees = malloc(nodes * sizeof *alone.trees);
    alone.programs = malloc(nodes * sizeof *alone.programs);
    if (!alone.individuals || !alone.trees || !alone.programs)
        abort();
    snprintf(warp.about, sizeof warp.about,
             "round %u: max-nodes %u, %u nodes of fast memory, population %u, initialisation %u",
             number, p.max_nodes, fast.capacity, p.population, p.initialisation);
}

static void close_round(void) {
    free(fast.at);
    free(alone.individuals);
    free(alone.trees);
    free(alone.programs);
    core_close(&c);
}

/* ---- breeding ---- */

/* Plans of a generation, after made-up costs and elites; from the third on a run may have stopped.
 */
static void plan(uint32_t generation, tally *seen) {
    const gr_params *p = &c.s.p;
    if (generation == 2 && p->runs > 1)
        c.s.demes[core_roll(&dice, p->runs)].active = 0;
    if (generation == 0)
        return;
    for (uint32_t i = 0; i < p->individuals; i++)
        c.s.cost[i] = (float)core_roll(&dice, 1000);
    for (uint32_t e = 0; e < p->runs * p->elites; e++)
        c.s.elites[e] = core_roll(&dice, p->population);
    for (uint32_t k = 0; k < gr_parent_pairs(p) * p->runs; k++)
        gr_plan_parent_pair(&c.s, generation - 1, k, 0, p->individuals, core_group);
    for (uint32_t i = 0; i < p->individuals; i++)
        seen->crossed += c.s.plans[i].b1 > c.s.plans[i].b0;
}

/* Wipes what is to be written, so that nothing left over can pass for a result. */
static void wipe(uint32_t generation) {
    const gr_params *p = &c.s.p;
    size_t nodes = (size_t)p->individuals * p->max_nodes;
    memset(c.s.trees[generation & 1], WIPED, nodes * sizeof(gr_node));
    memset(c.s.programs, WIPED, nodes * sizeof(gr_instruction));
    memset(c.s.individuals[generation & 1], WIPED, p->individuals * sizeof(gr_individual));
}

static void breed_alone(uint32_t generation) {
    const gr_params *p = &c.s.p;
    size_t nodes = (size_t)p->individuals * p->max_nodes;
    gr_scratch in_a_row = gr_group_scratch(&c.s, 0, GR_LANES);
    wipe(generation);
    for (uint32_t i = 0; i < p->individuals; i++)
        gr_breed_child(&c.s, generation, i, in_a_row, NULL, core_group);
    memcpy(alone.individuals, c.s.individuals[generation & 1],
           p->individuals * sizeof *alone.individuals);
    memcpy(alone.trees, c.s.trees[generation & 1], nodes * sizeof *alone.trees);
    memcpy(alone.programs, c.s.programs, nodes * sizeof *alone.programs);
}

/* A warp's share of a generation. */
typedef struct share {
    uint32_t generation, first, last;
} share;

static void breed_in_a_pool(const void *with, gr_lane_group w) {
    const share *of = with;
    gr_pool pool = gr_make_pool(&c.s.p, fast.at, fast.capacity, facts, 0, w);
    gr_breed_trees(&c.s, of->generation, of->first, of->last, &pool,
                   gr_tree_sizes_of(&c.s.p, fast.capacity), w);
}

/* As near_of_warp in gpu/kernels/evolve_trees.cuh. */
static void breed_one_by_one(const void *with, gr_lane_group w) {
    const share *of = with;
    gr_scratch scratch = gr_group_scratch(&c.s, 0, GR_LANES);
    uint32_t growth = gr_largest_growth(&c.s.p);
    gr_node *own = (gr_node *)fast.at;
    gr_near near = {.tree = {own, 1}, .scratch = scratch};
    near.capacity = fast.capacity > growth ? fast.capacity - growth : 0;
    near.scratch.nodes = (gr_nodes){own + fast.capacity, 1};
    near.scratch.path = (gr_words){(uint32_t *)(own + 2 * fast.capacity), 1};
    near.scratch.locations = (gr_words){(uint32_t *)(own + fast.capacity), 1};
    for (uint32_t i = of->first; i < of->last; i++)
        gr_breed_tree(&c.s, of->generation, i, scratch, &near, w);
}

/* ---- one against the other ---- */

/* What is not the same of individual i, or NULL. */
static const char *difference(uint32_t generation, uint32_t i) {
    const gr_individual *wanted = &alone.individuals[i],
                        *found = &c.s.individuals[generation & 1][i];
    size_t at = (size_t)i * c.s.p.max_nodes;
    if (wanted->length > c.s.p.max_nodes || wanted->instructions > c.s.p.max_nodes)
        return "is too long";
    if (memcmp(wanted, found, sizeof *wanted))
        return "is another individual";
    if (memcmp(alone.trees + at, gr_tree(&c.s, generation & 1, i).at,
               wanted->length * sizeof *alone.trees))
        return "has another tree";
    if (memcmp(alone.programs + at, gr_program(&c.s, i),
               wanted->instructions * sizeof *alone.programs))
        return "has another program";
    return NULL;
}

static void compare(uint32_t generation, way by, tally *seen) {
    for (uint32_t i = 0; i < c.s.p.individuals; i++) {
        const char *what = difference(generation, i);
        seen->children++;
        seen->empty += alone.individuals[i].length == 0;
        if (what && seen->wrong++ < 3)
            printf("FAIL %s: individual %u of generation %u %s; %s\n", way_names[by], i, generation,
                   what, warp.about);
    }
    for (size_t k = 0; k < BEHIND; k++)
        if (fast.at[fast.bytes + k] != GUARD && seen->wrong++ < 3)
            printf("FAIL %s: byte %zu behind fast memory is written in generation %u; %s\n",
                   way_names[by], k, generation, warp.about);
}

static void check_round(uint32_t number, way by, tally *seen) {
    open_round(number, by);
    uint32_t before = seen->wrong; /* parents that are wrong may lead anywhere */
    for (uint32_t g = 0; g < GENERATIONS && seen->wrong == before; g++) {
        plan(g, seen);
        breed_alone(g);
        wipe(g);
        share of = {g, 0, 0};
        for (uint32_t most = 1 + core_roll(&dice, c.s.p.individuals); of.first < c.s.p.individuals;
             of.first = of.last) {
            of.last = gr_min_u32(of.first + most, c.s.p.individuals);
            warp_run(by == IN_A_POOL ? breed_in_a_pool : breed_one_by_one, &of);
        }
        compare(g, by, seen);
    }
    seen->rounds++;
    close_round();
}

int main(int argc, char **argv) {
    uint32_t rounds = ROUNDS;
    tally seen[WAYS] = {{0}};
    int passed = 0, failed = 0;
    if (!warp_options(argc, argv, &rounds, &dice.state))
        return 2;
    for (uint32_t op = 0; op < GR_OP_COUNT; op++)
        facts[op] = gr_op_facts(op);
    for (uint32_t round = 0; round < rounds; round++)
        check_round(round, (way)(round % WAYS), &seen[round % WAYS]);
    for (uint32_t by = 0; by < WAYS; by++) {
        int good = !seen[by].wrong && seen[by].crossed * 10 > seen[by].children;
        printf("%-4s %s: %u rounds, %u children, %u of them by crossover, %u of demes that have "
               "stopped, %u wrong\n",
               good ? "ok" : "FAIL", way_names[by], seen[by].rounds, seen[by].children,
               seen[by].crossed, seen[by].empty, seen[by].wrong);
        good ? passed++ : failed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
