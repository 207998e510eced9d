/* What the tests of gpu/core share: settings, a state in memory, a chi-square limit. */
#ifndef GRAMPUS_TESTS_CORE_H
#define GRAMPUS_TESTS_CORE_H

#include "gpu/backend/arena.h"
#include "gpu/core/breeding/breed.h"
#include "gpu/core/program/evaluate.h"
#include "gpu/core/selection/select.h"

#include <stdlib.h>

#define CORE_FN static __attribute__((unused))

/* Random numbers of the tests themselves: splitmix64, apart from what is tested. */
typedef struct core_dice {
    uint64_t state;
} core_dice;

CORE_FN uint32_t core_roll(core_dice *dice, uint32_t n) {
    uint64_t x = dice->state += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    return n ? (uint32_t)((x >> 32) * n >> 32) : (uint32_t)(x >> 32);
}

/* Any float: ordinary ones mostly, then special values and random bits. */
CORE_FN float core_float(core_dice *dice) {
    const float special[] = {0.0f,        -0.0f,     1.0f,     -1.0f,       0x1p-149f,
                             -0x1p-149f,  0x1p-126f, 0x1p127f, 1e-3f,       0x1.fffffep127f,
                             GR_INFINITY, GR_NAN,    1e8f,     -GR_INFINITY};
    switch (core_roll(dice, 4)) {
    case 0:
        return special[core_roll(dice, sizeof special / sizeof *special)];
    case 1:
        return gr_bits_float(core_roll(dice, 0));
    default:
        return (float)((double)core_roll(dice, 0) * 0x1p-29 - 4.0);
    }
}

/* Equal bits; any NaN equals any other: which one comes out depends on the order of operands of a
 * sum. */
CORE_FN int core_same(float a, float b) {
    return gr_float_bits(a) == gr_float_bits(b) || (a != a && b != b);
}

/* All operations, on floats or on words. */
CORE_FN void core_functions(gr_params *p, int packed) {
    p->packed = (uint32_t)packed;
    p->functions = 0;
    for (uint32_t arity = 0; arity < 4; arity++) {
        p->arity_first[arity] = (uint8_t)p->functions;
        for (uint32_t op = GR_INPUT + 1; op < GR_OP_COUNT; op++)
            if (gr_arity(op) == arity && (gr_is_word(op) != 0) == (packed != 0))
                p->function[p->functions++] = (uint8_t)op;
    }
    p->arity_first[4] = (uint8_t)p->functions;
}

/* Settings to start from. */
CORE_FN gr_params core_params(gr_genotype genotype) {
    gr_params p = {0};
    p.runs = p.islands = 1;
    p.population = p.individuals = 64;
    p.seed[0] = 42;
    p.generations = 10;
    p.genotype = genotype;
    p.tournament = 3;
    p.crossover = genotype == GR_TREE ? GR_CROSSOVER_SUBTREE : GR_CROSSOVER_VARIABLE_ONEPOINT;
    p.crossover_probability = 0.9f;
    p.tries = 10;
    p.initialisation = GR_INIT_RAMPED;
    p.init_min_depth = 2;
    p.init_max_depth = 6;
    p.genome_capacity = 200;
    p.init_length = 100;
    p.codon_size = 127;
    p.max_depth = 90;
    p.max_nodes = 256;
    p.max_nesting = 320;
    p.max_tree_depth = 17;
    p.subtree_depth = 4;
    p.constant_probability = 0.2f;
    p.constant_min = -1.0f;
    p.constant_max = 1.0f;
    core_functions(&p, 0);
    p.inputs = 3;
    p.train_cases = 100;
    p.train_chunks = 1;
    p.sums = 1;
    p.class_max = 1.0f;
    return p;
}

/* The first tree of a run's individual, by the ramp. */
CORE_FN uint32_t core_first_tree(const gr_params *p, uint32_t deme, uint32_t index,
                                 gr_nodes nodes) {
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, 0, deme, index);
    return gr_ramped_tree(p, &r, index, nodes);
}

/* Draw number k of an individual for a purpose, straight from Philox: block k / 4 of the counter
 * that rng.h promises, without its streams. */
CORE_FN uint32_t core_draw(const gr_params *p, gr_purpose purpose, uint32_t attempt,
                           uint32_t generation, uint32_t deme, uint32_t individual, uint32_t k) {
    uint32_t what = (uint32_t)purpose | deme % p->islands << 8 | attempt << 22;
    gr_block block =
        gr_philox(k / 4, individual, generation, what, p->seed[0] + deme / p->islands, p->seed[1]);
    return block.word[k % 4];
}

/* A state in memory, laid out as the backends do. */
typedef struct core {
    gr_state s;
    void *memory;
} core;

CORE_FN core core_open(const gr_params *p, const uint32_t *grammar, uint32_t grammar_words) {
    gr_job job = {.params = *p, .grammar = grammar, .grammar_words = grammar_words, .epoch = 1};
    gr_arena arena;
    core c;
    job.params.individuals = p->runs * p->islands * p->population;
    gr_arena_plan(&arena, &job, 1);
    c.memory = calloc(1, arena.bytes);
    if (!c.memory)
        abort();
    gr_arena_bind(&arena, &job, 1, c.memory, &c.s);
    if (grammar)
        memcpy((void *)(uintptr_t)c.s.grammar, grammar, grammar_words * sizeof *grammar);
    for (uint32_t d = 0; d < gr_demes(p); d++)
        c.s.demes[d].active = 1;
    return c;
}

CORE_FN void core_close(core *c) {
    free(c->memory);
}

static const gr_lane_group core_group = {0, 1};

CORE_FN gr_scratch core_scratch(const core *c) {
    return gr_group_scratch(&c->s, 0, 1);
}

/* Start of the subtree whose root is node `root`, by walking it; independent of the annotations. */
CORE_FN uint32_t core_subtree(const gr_node *nodes, uint32_t root) {
    uint32_t wanted = 1, i = root + 1;
    while (wanted) {
        if (i == 0)
            return 0xffffffffu;
        wanted += gr_arity(GR_NODE_OP(nodes[--i])) - 1;
    }
    return i;
}

/* Height of the subtree at root, from its nodes' arities alone. */
CORE_FN uint32_t core_height(const gr_node *nodes, uint32_t root) {
    uint32_t height = 0, child = root;
    for (uint32_t k = gr_arity(GR_NODE_OP(nodes[root])); k > 0; k--) {
        uint32_t h = core_height(nodes, child - 1);
        height = h > height ? h : height;
        child = core_subtree(nodes, child - 1);
    }
    return height + 1;
}

/* Chi-square of `bins` counts against expected shares, over its limit for one false alarm in a
 * million (fixed seeds: either always or never); above 1 is too far. */
CORE_FN double core_chi_square(const uint32_t *count, const double *share, uint32_t bins) {
    double n = 0.0, chi = 0.0, total = 0.0, k;
    for (uint32_t i = 0; i < bins; i++) {
        n += count[i];
        total += share ? share[i] : 1.0;
    }
    for (uint32_t i = 0; i < bins; i++) {
        double expected = n * (share ? share[i] : 1.0) / total;
        chi += (count[i] - expected) * (count[i] - expected) / expected;
    }
    k = 2.0 / (9.0 * (bins - 1));
    double limit = 1.0 - k + 4.7534 * sqrt(k); /* Wilson and Hilferty */
    return chi / ((bins - 1) * limit * limit * limit);
}

#endif
