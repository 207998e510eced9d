/* gpu/core/selection/torus.h: who meets whom, and whose children stand where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/trees.h"

enum { N = 64 };

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

/* By hand on 4 cells by 3: north, east, south and west of a corner and of a cell in the middle; the
 * light cells (0, 2, 5, 7, 8, 10) look in the direction, the dark ones the other way. */
static void test_neighbours_by_hand(void **state) {
    (void)state;
    static const uint32_t corner[] = {8, 1, 4, 3}, middle[] = {2, 7, 10, 5},
                          dark[] = {5, 0, 1,
                                    2}; /* of cell 1: south, west, nobody over the seam, east */
    static const uint32_t colour[] = {0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1};
    gr_params p = core_params(GR_TREE);
    p.torus = 1;
    p.deme_width = 4;
    p.population = 12;
    for (uint32_t cell = 0; cell < 12; cell++)
        assert_int_equal(gr_torus_colour(&p, cell), colour[cell]);
    for (uint32_t d = 0; d < 4; d++) {
        assert_int_equal(gr_torus_neighbour(&p, 0, d), corner[d]);
        assert_int_equal(gr_torus_neighbour(&p, 6, d), middle[d]);
    }
    /* three rows are odd: over the seam between the last and the first alike colours do not meet */
    assert_int_equal(gr_torus_partner(&p, 0, 0), 0);
    assert_int_equal(gr_torus_partner(&p, 9, 0), 9);
    for (uint32_t d = 0; d < 4; d++)
        assert_int_equal(gr_torus_partner(&p, 1, d), dark[d]);
}

/* Both of a pair draw by one number: on the torus that of its light cell, elsewhere they are
 * counted behind the elites, two by two or, with a child each, one by one. */
static void test_pairs(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.elites = 3;
    for (uint32_t cell = 3; cell < 20; cell++) {
        p.one_child = 0;
        assert_int_equal(gr_pair_of(&p, 1, cell), (cell - 3) / 2);
        p.one_child = 1;
        assert_int_equal(gr_pair_of(&p, 1, cell), cell - 3);
    }
    p.one_child = p.elites = 0;
    p.torus = 1;
    p.deme_width = 8;
    for (uint32_t generation = 0; generation < 8; generation++)
        for (uint32_t cell = 0; cell < N; cell++) {
            uint32_t mate = gr_torus_partner(&p, cell, generation % 4);
            uint32_t pair = gr_pair_of(&p, generation, cell);
            assert_int_equal(pair, gr_pair_of(&p, generation, mate));
            assert_int_equal(gr_torus_colour(&p, pair), 0);
            assert_true(pair == cell || pair == mate);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partners),
        cmocka_unit_test(test_torus_plans),
        cmocka_unit_test(test_neighbours_by_hand),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
