/* gpu/core/variation/crossover.h: plans of children, their limits, the spread of the cuts, and what
 * splicing copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/core.h"

enum { POPULATION = 64, CAPACITY = 60, NODES = 40, PAIRS = 20000 };

static const gr_flips none = {.below = 0};

/* Genomes of every length, codons that name their position, some valid with a used part. */
static core open_genomes(gr_params *p) {
    p->population = p->individuals = POPULATION;
    p->genome_capacity = CAPACITY;
    core c = core_open(p, NULL, 0);
    for (uint32_t i = 0; i < POPULATION; i++) {
        gr_individual *individual = &c.s.individuals[0][i];
        individual->length = 1 + i * 7 % CAPACITY;
        individual->validity = i % 3 ? GR_VALID : GR_OUT_OF_CODONS;
        individual->used =
            i % 5 ? individual->length / 2 + 1 : 3 * individual->length; /* wrapped */
        for (uint32_t k = 0; k < CAPACITY; k++)
            gr_genome(&c.s, 0, i)[k] = i << 16 | k;
    }
    return c;
}

static uint32_t cut_range(const gr_params *p, const gr_individual *i) {
    uint32_t used = i->used < i->length ? i->used : i->length;
    return p->crossover_within_used && i->validity == GR_VALID ? used : i->length;
}

static int is_copy(gr_plan plan) {
    return plan.a == plan.b;
}

/* The two plans of a pair: inside the parents, and each other's complement. */
static void check_pair(const gr_plan *one, const gr_plan *two, uint32_t a, uint32_t b,
                       uint32_t length_a, uint32_t length_b) {
    assert_true(one->a == a && one->b == b && two->a == b && two->b == a);
    assert_true(one->a0 == two->b0 && one->a1 == two->b1);
    assert_true(one->b0 == two->a0 && one->b1 == two->a1);
    assert_true(one->a0 <= one->a1 && one->a1 <= length_a);
    assert_true(one->b0 <= one->b1 && one->b1 <= length_b);
    assert_true(one->kind == GR_PLAN_PLAIN && two->kind == GR_PLAN_PLAIN);
    assert_int_equal(one->length + two->length, length_a + length_b);
    assert_int_equal(one->length, one->a0 + (one->b1 - one->b0) + length_a - one->a1);
}

static void check_splice(const core *c, gr_plan plan) {
    uint32_t child[2 * CAPACITY], wanted[2 * CAPACITY], n = 0;
    const uint32_t *a = gr_genome(&c->s, 0, plan.a), *b = gr_genome(&c->s, 0, plan.b);
    for (uint32_t i = 0; i < plan.a0; i++)
        wanted[n++] = a[i];
    for (uint32_t i = plan.b0; i < plan.b1; i++)
        wanted[n++] = b[i];
    for (uint32_t i = plan.a1; i < c->s.individuals[0][plan.a].length; i++)
        wanted[n++] = a[i];
    assert_true(n <= CAPACITY && n > 0);
    assert_int_equal(plan.length, n);
    gr_source source[GR_GENOMES_AHEAD] = {gr_genome_source(&c->s, plan, 0, n)};
    gr_splice_genomes(&c->s.p, source, child, &none, 0, core_group);
    assert_memory_equal(child, wanted, n * sizeof *child);
}

/* A warp's lanes copy the same as a single lane. */
static void test_lanes_share_a_splice(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    core c = open_genomes(&p);
    uint32_t one[CAPACITY], all[CAPACITY], x[2] = {10, 30}, y[2] = {2, 17};
    gr_plan plan = gr_cut_plan(&p, 5, c.s.individuals[0][5].length, x, 8, y);
    uint32_t length = plan.length;
    gr_source source[GR_GENOMES_AHEAD] = {gr_genome_source(&c.s, plan, 0, length)};
    gr_splice_genomes(&c.s.p, source, one, &none, 0, core_group);
    for (uint32_t lane = 0; lane < 32; lane++)
        gr_splice_genomes(&c.s.p, source, all, &none, 0, (gr_lane_group){lane, 32});
    assert_memory_equal(one, all, length * sizeof *one);
    core_close(&c);
}

static void test_genomes(void **state) {
    (void)state;
    for (uint32_t kind = GR_CROSSOVER_FIXED_ONEPOINT; kind <= GR_CROSSOVER_VARIABLE_TWOPOINT;
         kind++)
        for (uint32_t within = 0; within < 2; within++) {
            gr_params p = core_params(GR_GRAMMATICAL);
            p.crossover = kind;
            p.crossover_within_used = within;
            core c = open_genomes(&p);
            core_dice dice = {kind};
            uint32_t fixed =
                kind == GR_CROSSOVER_FIXED_ONEPOINT || kind == GR_CROSSOVER_FIXED_TWOPOINT;
            uint32_t onepoint = kind <= GR_CROSSOVER_VARIABLE_ONEPOINT, crossed = 0;
            for (uint32_t k = 0; k < 3000; k++) {
                uint32_t a = core_roll(&dice, POPULATION), b = core_roll(&dice, POPULATION);
                gr_individual ia = c.s.individuals[0][a], ib = c.s.individuals[0][b];
                gr_plan one =
                    gr_crossover_plan(&c.s, 1, 0, 2 * k, gr_parents_at(&c.s, 0, a, b), core_group);
                gr_plan two = gr_crossover_plan(&c.s, 1, 0, 2 * k + 1, gr_parents_at(&c.s, 0, a, b),
                                                core_group);
                check_splice(&c, one);
                check_splice(&c, two);
                if (a == b)
                    continue;
                if (is_copy(one)) {
                    assert_true(is_copy(two) && one.a == a && two.a == b);
                    assert_true(one.a0 == ia.length && two.a0 == ib.length);
                    continue;
                }
                crossed++;
                check_pair(&one, &two, a, b, ia.length, ib.length);
                assert_in_range(one.a0, 1, cut_range(&p, &ia));
                assert_in_range(one.b0, 1, cut_range(&p, &ib));
                if (onepoint)
                    assert_true(one.a1 == ia.length && one.b1 == ib.length);
                else
                    assert_true(one.a1 <= cut_range(&p, &ia) && one.b1 <= cut_range(&p, &ib));
                if (fixed)
                    assert_true(one.a0 == one.b0 && (onepoint || one.a1 == one.b1));
            }
            assert_true(crossed > 2300);
            core_close(&c);
        }
}

/* Parents that fill the capacity: cuts that would overflow are never used. */
static void test_genomes_without_capacity(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.tries = 2;
    core c = open_genomes(&p);
    uint32_t copies = 0;
    for (uint32_t i = 0; i < POPULATION; i++)
        c.s.individuals[0][i].length = CAPACITY;
    for (uint32_t k = 0; k < 5000; k++) {
        gr_plan plan = gr_crossover_plan(&c.s, 1, 0, k, gr_parents_at(&c.s, 0, 3, 4), core_group);
        check_splice(&c, plan);
        copies += (uint32_t)is_copy(plan);
    }
    assert_in_range(copies, 4000, 4999); /* only equal cuts fit: 1 in 60, twice */
    core_close(&c);
}

static void test_probability(void **state) {
    (void)state;
    const float probability[] = {0.0f, 0.35f, 1.0f};
    for (int k = 0; k < 3; k++) {
        gr_params p = core_params(GR_GRAMMATICAL);
        p.crossover = GR_CROSSOVER_FIXED_ONEPOINT;
        p.crossover_probability = probability[k];
        core c = open_genomes(&p);
        uint32_t count[2] = {0};
        for (uint32_t i = 0; i < PAIRS; i++)
            count[!is_copy(
                gr_crossover_plan(&c.s, 1, 0, 2 * i, gr_parents_at(&c.s, 0, 1, 2), core_group))]++;
        const double share[2] = {0.65, 0.35};
        if (k == 1)
            assert_true(core_chi_square(count, share, 2) < 1.0);
        else
            assert_int_equal(count[k == 0], 0);
        core_close(&c);
    }
    gr_params p = core_params(GR_GRAMMATICAL);
    p.crossover = GR_CROSSOVER_NONE;
    core c = open_genomes(&p);
    for (uint32_t i = 0; i < 100; i++)
        assert_true(
            is_copy(gr_crossover_plan(&c.s, 1, 0, i, gr_parents_at(&c.s, 0, 1, 2), core_group)));
    core_close(&c);
}

/* Cuts fall evenly on 1..range, in both parents apart. */
static void test_spread_of_cuts(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.crossover = GR_CROSSOVER_VARIABLE_ONEPOINT;
    p.crossover_probability = 1.0f;
    core c = open_genomes(&p);
    uint32_t both[8 * 11] = {0}, pairs[5 * 5] = {0};
    c.s.individuals[0][0].length = 8;
    c.s.individuals[0][1].length = 11;
    for (uint32_t i = 0; i < PAIRS; i++) {
        gr_plan plan =
            gr_crossover_plan(&c.s, 1, 0, 2 * i, gr_parents_at(&c.s, 0, 0, 1), core_group);
        both[(plan.a0 - 1) * 11 + plan.b0 - 1]++;
    }
    assert_true(core_chi_square(both, NULL, 8 * 11) < 1.0);
    /* Two points: two even draws in order, so different ones are twice as likely as equal ones. */
    c.s.p.crossover = GR_CROSSOVER_FIXED_TWOPOINT;
    c.s.individuals[0][0].length = 5;
    for (uint32_t i = 0; i < PAIRS; i++) {
        gr_plan plan =
            gr_crossover_plan(&c.s, 1, 0, 2 * i, gr_parents_at(&c.s, 0, 0, 1), core_group);
        pairs[(plan.a0 - 1) * 5 + plan.a1 - 1]++;
    }
    uint32_t seen[15], n = 0;
    double share[15];
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t j = 0; j < 5; j++)
            if (i <= j) {
                share[n] = i == j ? 1.0 : 2.0;
                seen[n++] = pairs[i * 5 + j];
            } else
                assert_int_equal(pairs[i * 5 + j], 0);
    assert_true(core_chi_square(seen, share, 15) < 1.0);
    core_close(&c);
}

/* ---- trees ---- */

static core open_trees(gr_params *p) {
    p->population = p->individuals = POPULATION;
    p->max_nodes = NODES;
    core c = core_open(p, NULL, 0);
    for (uint32_t i = 0; i < POPULATION; i++) {
        gr_nodes tree = gr_tree(&c.s, 0, i);
        c.s.individuals[0][i].length = core_first_tree(p, 0, i, tree);
        c.s.individuals[0][i].depth = GR_NODE_HEIGHT(tree.at[c.s.individuals[0][i].length - 1]);
    }
    return c;
}

static void test_trees(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.max_tree_depth = 7;
    p.tries = 3;
    core c = open_trees(&p);
    static gr_node memory[2][NODES], annotated[NODES];
    core_dice dice = {9};
    uint32_t crossed = 0, longest = 0, deepest = 0;
    for (uint32_t k = 0; k < 10000; k++) {
        uint32_t a = core_roll(&dice, POPULATION), b = core_roll(&dice, POPULATION);
        uint32_t length[2] = {c.s.individuals[0][a].length, c.s.individuals[0][b].length}, n[2];
        gr_plan plan[2];
        for (uint32_t second = 0; second < 2; second++) {
            gr_nodes child = {memory[second], 1};
            plan[second] = gr_crossover_plan(&c.s, 2, 0, 2 * k + second,
                                             gr_parents_at(&c.s, 0, a, b), core_group);
            n[second] = plan[second].length;
            assert_int_equal(gr_plan_shift(plan[second]), n[second] - length[second]);
            assert_in_range(n[second], 1, NODES);
            assert_int_equal(
                gr_splice_tree(&c.s, plan[second], 0, child, core_scratch(&c).path, core_group),
                n[second]);
            memcpy(annotated, memory[second], sizeof annotated);
            gr_annotate((gr_nodes){annotated, 1}, n[second]);
            assert_memory_equal(annotated, memory[second], n[second] * sizeof *annotated);
            assert_int_equal(core_subtree(memory[second], n[second] - 1), 0);
            uint32_t height = core_height(memory[second], n[second] - 1);
            assert_true(height <= p.max_tree_depth);
            longest = gr_max_u32(longest, n[second]);
            deepest = gr_max_u32(deepest, height);
        }
        if (a != b && !is_copy(plan[0])) {
            crossed++;
            check_pair(&plan[0], &plan[1], a, b, length[0], length[1]);
            const gr_node *ta = gr_tree(&c.s, 0, a).at, *tb = gr_tree(&c.s, 0, b).at;
            assert_int_equal(plan[0].a0, core_subtree(ta, plan[0].a1 - 1)); /* whole subtrees */
            assert_int_equal(plan[0].b0, core_subtree(tb, plan[0].b1 - 1));
        }
    }
    assert_true(crossed > 8000);
    assert_true(longest == NODES && deepest == 7);
    core_close(&c);
}

/* Every node of both parents is as likely as any other. */
static void test_spread_of_nodes(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.crossover_probability = 1.0f;
    core c = open_trees(&p);
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < POPULATION; i++) { /* two of moderate size */
        uint32_t length = c.s.individuals[0][i].length;
        if (length >= 8 && length <= 20)
            a = b, b = i;
    }
    uint32_t na = c.s.individuals[0][a].length, nb = c.s.individuals[0][b].length;
    assert_true(a != b && na >= 8 && nb >= 8);
    uint32_t count[400] = {0};
    for (uint32_t i = 0; i < 4 * PAIRS; i++) {
        gr_plan plan =
            gr_crossover_plan(&c.s, 1, 0, 2 * i, gr_parents_at(&c.s, 0, a, b), core_group);
        count[(plan.a1 - 1) * nb + plan.b1 - 1]++;
    }
    assert_true(core_chi_square(count, NULL, na * nb) < 1.0);
    core_close(&c);
}

/* ---- what does not count ---- */

/* Cuts lie within the used part of valid parents alone: mapping stopped somewhere in an invalid
 * one, all of whose codons may be cut. */
static void test_used_part_of_invalid_parents(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.crossover_probability = 1.0f;
    p.crossover_within_used = 1;
    p.genome_capacity = CAPACITY;
    core c = open_genomes(&p);
    const gr_validity kinds[] = {GR_OUT_OF_CODONS, GR_TOO_DEEP, GR_TOO_LARGE, GR_NO_EXPRESSION};
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t invalid[20] = {0}, valid[7] = {0};
        c.s.individuals[0][0] =
            (gr_individual){.length = 20, .used = 5, .validity = (uint32_t)kinds[k]};
        c.s.individuals[0][1] = (gr_individual){.length = 30, .used = 7, .validity = GR_VALID};
        for (uint32_t i = 0; i < PAIRS; i++) {
            gr_plan plan =
                gr_crossover_plan(&c.s, 1 + k, 0, 2 * i, gr_parents_at(&c.s, 0, 0, 1), core_group);
            assert_true(plan.a0 >= 1 && plan.a0 <= 20 && plan.b0 >= 1 && plan.b0 <= 7);
            invalid[plan.a0 - 1]++;
            valid[plan.b0 - 1]++;
        }
        assert_true(core_chi_square(invalid, NULL, 20) < 1.0);
        assert_true(core_chi_square(valid, NULL, 7) < 1.0);
    }
    core_close(&c);
}

/* Where a child has parents of its own, the other child of the cuts is never born, and no limit it
 * would break counts. Without a limit the first draw is what it is; with it that stays wherever the
 * child keeps to it. */
static void test_one_child(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.one_child = 1;
    p.crossover_probability = 1.0f;
    core c = open_trees(&p);
    core_dice dice = {4};
    uint32_t unborn = 0, too_deep = 0;
    for (uint32_t k = 0; k < 5000; k++) {
        static gr_node memory[2][NODES * 2];
        uint32_t a = core_roll(&dice, POPULATION), b = core_roll(&dice, POPULATION), height[2];
        gr_individual ia = c.s.individuals[0][a];
        c.s.p.max_tree_depth = 60;
        gr_plan free =
            gr_crossover_plan(&c.s, 3, 0, 2 * k, gr_parents_at(&c.s, 0, a, b), core_group);
        gr_plan other = {
            .a = b, .b = a, .a0 = free.b0, .a1 = free.b1, .b0 = free.a0, .b1 = free.a1};
        other.length = ia.length + c.s.individuals[0][b].length - free.length;
        for (uint32_t second = 0; second < 2; second++) {
            gr_plan plan = second ? other : free;
            gr_splice_tree(&c.s, plan, 0, (gr_nodes){memory[second], 1}, core_scratch(&c).path,
                           core_group);
            height[second] = core_height(memory[second], plan.length - 1);
        }
        if (free.draws_again || free.parent_kept) /* too many nodes at first */
            continue;
        c.s.p.max_tree_depth = 6;
        gr_plan plan =
            gr_crossover_plan(&c.s, 3, 0, 2 * k, gr_parents_at(&c.s, 0, a, b), core_group);
        if (height[0] <= 6)
            assert_memory_equal(&plan, &free, sizeof plan);
        else
            assert_true(plan.draws_again || plan.parent_kept);
        unborn += height[0] <= 6 && height[1] > 6;
        too_deep += height[0] > 6;
    }
    assert_true(unborn > 100 && too_deep > 100);
    core_close(&c);
}

/* The same of lengths. */
static void test_one_child_too_long(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.one_child = 1;
    p.tries = 1;
    p.crossover_probability = 1.0f;
    core c = open_genomes(&p);
    uint32_t unborn = 0, too_long = 0;
    c.s.individuals[0][0].length = 10;
    c.s.individuals[0][1].length = 55;
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t x = 1 + gr_mulhi(core_draw(&p, GR_PURPOSE_CROSSOVER, 0, 1, 0, i, 1), 10);
        uint32_t y = 1 + gr_mulhi(core_draw(&p, GR_PURPOSE_CROSSOVER, 0, 1, 0, i, 2), 55);
        gr_plan plan =
            gr_crossover_plan(&c.s, 1, 0, 2 * i, gr_parents_at(&c.s, 0, 0, 1), core_group);
        assert_int_equal(is_copy(plan), x + 55 - y > CAPACITY);
        assert_true(is_copy(plan) || (plan.a0 == x && plan.b0 == y));
        unborn += y + 10 - x > CAPACITY;
        too_long += x + 55 - y > CAPACITY;
    }
    assert_true(unborn > 100 && too_long > 100);
    core_close(&c);
}

/* ---- uniform crossover ---- */

/* By draw c / 32 of the stream codon c goes back to the first parent, where its bit is 0; what is
 * behind the common part stays as it is. */
static void test_mixed_codons(void **state) {
    (void)state;
    enum { LONG = 400, COMMON = 333 };
    gr_params p = core_params(GR_GRAMMATICAL);
    p.genome_capacity = LONG;
    core c = core_open(&p, NULL, 0);
    uint32_t child[LONG], taken = 0;
    const gr_plan plan = {.a = 2, .b = 3, .a1 = COMMON, .b1 = COMMON, .length = LONG};
    for (uint32_t k = 0; k < LONG; k++) {
        gr_genome(&c.s, 1, 2)[k] = 1000 + k;
        child[k] = 2000 + k;
    }
    gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER_MIX, 4, 0, 7);
    gr_mix_codons(&c.s, &r, plan, 1, child, core_group);
    for (uint32_t k = 0; k < LONG; k++) {
        uint32_t word = core_draw(&p, GR_PURPOSE_CROSSOVER, 0, 4, 0, 7 | 0x40000000u, k / 32);
        uint32_t back = k < COMMON && !(word >> k % 32 & 1u);
        assert_int_equal(child[k], (back ? 1000 : 2000) + k);
        taken += back;
    }
    assert_in_range(taken, COMMON / 3, 2 * COMMON / 3);
    core_close(&c);
}

/* ---- other cuts for one child ---- */

/* By hand from the stream of its own: try t takes draws 2t and 2t + 1, and the first whose child
 * fits the capacity, to the codon, counts; where none does, the child is a copy. */
static void test_redrawn_plans(void **state) {
    (void)state;
    enum { LENGTH_A = 31, LENGTH_B = 53, TRIES = 3 };
    gr_params p = core_params(GR_GRAMMATICAL);
    p.tries = TRIES;
    core c = open_genomes(&p);
    c.s.individuals[0][0].length = LENGTH_A;
    c.s.individuals[0][1].length = LENGTH_B;
    const gr_plan asked = {.a = 0, .b = 1, .b1 = LENGTH_B};
    uint32_t full = 0, again = 0, kept = 0;
    for (uint32_t i = 0; i < POPULATION; i++)
        for (uint32_t attempt = 0; attempt < 100; attempt++) {
            uint32_t x = 0, y = 0, t = 0, draws[2 * TRIES];
            for (uint32_t k = 0; k < 2 * TRIES; k++)
                draws[k] = core_draw(&p, GR_PURPOSE_CROSSOVER, attempt, 3, 0, i | 0x80000000u, k);
            for (; t < TRIES; t++) {
                x = 1 + (uint32_t)((uint64_t)draws[2 * t] * LENGTH_A >> 32);
                y = 1 + (uint32_t)((uint64_t)draws[2 * t + 1] * LENGTH_B >> 32);
                if (x + LENGTH_B - y <= CAPACITY)
                    break;
            }
            gr_plan plan = gr_redraw_plan(&c.s, 3, i, attempt, asked, core_group);
            assert_int_equal(is_copy(plan), t == TRIES);
            assert_int_equal(plan.parent_kept, t == TRIES);
            assert_int_equal(plan.draws_again, t == TRIES ? TRIES - 1 : t);
            assert_int_equal(plan.length, t == TRIES ? LENGTH_A : x + LENGTH_B - y);
            assert_true(t == TRIES || (plan.a0 == x && plan.b0 == y));
            full += t < TRIES && plan.length == CAPACITY;
            again += t > 0 && t < TRIES;
            kept += t == TRIES;
        }
    assert_true(full > 20 && again > 100 && kept > 20);
    gr_plan copy = gr_redraw_plan(&c.s, 3, 5, 1, gr_copy_plan(0, LENGTH_A, 0), core_group);
    assert_true(is_copy(copy) && !copy.parent_kept && !copy.draws_again);
    core_close(&c);
}

/* ---- genomes of which nothing is read ---- */

/* A sentence may take no codon at all: the first one may still be cut. Of no codons none is
 * exchanged. */
static void test_empty_ranges(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    p.crossover_within_used = 1;
    p.crossover = GR_CROSSOVER_UNIFORM;
    const gr_individual unread = {.length = 9, .used = 0, .validity = GR_VALID},
                        empty = {.length = 0, .validity = GR_OUT_OF_CODONS},
                        plain = {.length = 7, .used = 5, .validity = GR_VALID};
    gr_random r = gr_stream(&p, GR_PURPOSE_CROSSOVER, 1, 0, 0);
    gr_cuts cuts;
    assert_int_equal(gr_cut_range(&p, unread), 1);
    gr_genome_cuts(&p, &r, unread, plain, &cuts);
    assert_true(cuts.x[0] == 0 && cuts.x[1] == 1 && cuts.y[0] == 0 && cuts.y[1] == 1);
    gr_genome_cuts(&p, &r, plain, empty, &cuts);
    assert_true(cuts.x[0] == 0 && cuts.x[1] == 0 && cuts.y[0] == 0 && cuts.y[1] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_share_a_splice),
        cmocka_unit_test(test_genomes),
        cmocka_unit_test(test_genomes_without_capacity),
        cmocka_unit_test(test_probability),
        cmocka_unit_test(test_spread_of_cuts),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_spread_of_nodes),
        cmocka_unit_test(test_used_part_of_invalid_parents),
        cmocka_unit_test(test_one_child),
        cmocka_unit_test(test_one_child_too_long),
        cmocka_unit_test(test_mixed_codons),
        cmocka_unit_test(test_redrawn_plans),
        cmocka_unit_test(test_empty_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
