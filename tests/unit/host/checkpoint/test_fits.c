/* host/checkpoint/fits.c: what is taken for a tree and for sizes, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/program/node.h"
#include "host/checkpoint/fits.h"

static const gr_params p = {.genotype = GR_TREE,
                            .inputs = 2,
                            .max_nodes = 7,
                            .individuals = 2,
                            .population = 2,
                            .runs = 1,
                            .islands = 1};

static void test_trees(void **state) {
    (void)state;
    /* x0 x1 + : complete, without its root, with a root of a wrong size, with an input too many */
    gr_node node[] = {gr_make_node(GR_INPUT, 1, 1, 0), gr_make_node(GR_INPUT, 1, 1, 1),
                      gr_make_node(GR_ADD, 2, 3, 0)};
    assert_true(gr_is_tree(&p, node, 3));
    assert_true(gr_is_tree(&p, node, 0));
    assert_false(gr_is_tree(&p, node, 2));
    assert_false(gr_is_tree(&p, node + 1, 2));
    node[2] = gr_make_node(GR_ADD, 2, 2, 0);
    assert_false(gr_is_tree(&p, node, 3));
    node[2] = gr_make_node(GR_ADD, 2, 3, 0);
    node[1].operand = 2;
    assert_false(gr_is_tree(&p, node, 3));
}

static void test_programs(void **state) {
    (void)state;
    gr_instruction program[] = {{GR_H_LOAD_INPUT, GR_INPUT_BYTES},
                                {GR_H_PUSH_LOAD_CONSTANT, 0x7fffffff},
                                {GR_H_ADD_SA, 0},
                                {GR_H_DIV_IA, 0},
                                {GR_H_IF_SSA, 0x24}};
    const gr_instruction good[] = {program[0], program[1], program[2], program[3], program[4]};
    const struct {
        uint32_t at;
        gr_instruction wrong;
    } wrong[] = {{0, {GR_HANDLER_COUNT, 0}},
                 {0, {0xffff, 0}},
                 {0, {GR_H_LOAD_INPUT, 2 * GR_INPUT_BYTES}},
                 {0, {GR_H_LOAD_INPUT, 4}},
                 {1, {GR_H_PUSH_LOAD_CONSTANT | GR_MAX_STACK_LEVELS << 16, 0}},
                 {3, {GR_H_DIV_IA, 2 * GR_INPUT_BYTES}},
                 {3, {GR_H_DIV_AI, 2 * GR_INPUT_BYTES}},
                 {4, {GR_H_IF_SSA, 0x30}}};
    assert_true(gr_is_program(&p, program, 5));
    assert_true(gr_is_program(&p, NULL, 0));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program[wrong[k].at] = wrong[k].wrong;
        assert_false(gr_is_program(&p, program, 5));
        assert_true(gr_is_program(&p, program, wrong[k].at));
        program[wrong[k].at] = good[wrong[k].at];
    }
}

static void test_sizes(void **state) {
    (void)state;
    gr_individual individual[2] = {{.length = 7, .instructions = 7}, {.length = 1}};
    gr_deme deme = {.best = {.length = 7, .nodes = 7}};
    assert_true(gr_sizes_fit(&p, individual, &deme));
    individual[1].length = 8;
    assert_false(gr_sizes_fit(&p, individual, &deme));
    individual[1].length = 1;
    individual[1].instructions = 8;
    assert_false(gr_sizes_fit(&p, individual, &deme));
    individual[1].instructions = 1;
    individual[0].validity = GR_VALIDITY_COUNT;
    assert_false(gr_sizes_fit(&p, individual, &deme));
    individual[0].validity = GR_VALID;
    deme.best.nodes = 8;
    assert_false(gr_sizes_fit(&p, individual, &deme));
    /* the bests of all islands of all runs */
    gr_params several = p;
    several.runs = several.islands = 2;
    gr_deme demes[4] = {{.best = {.length = 7, .nodes = 7}}};
    for (int d = 1; d < 4; d++)
        demes[d] = demes[0];
    assert_true(gr_sizes_fit(&several, individual, demes));
    demes[3].best.length = 8;
    assert_false(gr_sizes_fit(&several, individual, demes));
}

/* Who is in the archive has a program, of a size that there may be, and stands at his niche. */
static void test_archive(void **state) {
    (void)state;
    enum { NICHES = 2, ROWS = 2 * NICHES };
    struct {
        gr_individual individual[ROWS];
        gr_applicant niche[ROWS];
    } rows = {
        .individual = {{.length = 1}, {.length = 0}, {.length = 7}, {.length = 3}},
        .niche = {
            {.key = 9, .niche = 0}, {.key = 0}, {.key = 9, .niche = 0}, {.key = 9, .niche = 1}}};
    const gr_individual individual = rows.individual[2];
    gr_params archived = p;
    gr_snapshot s = {.memory = (char *)&rows};
    archived.niches = NICHES;
    s.part[GR_SECTION_NICHE_INDIVIDUALS] = (gr_snapshot_part){.rows = ROWS};
    s.part[GR_SECTION_NICHES] = (gr_snapshot_part){.rows = ROWS, .offset = sizeof rows.individual};
    assert_true(gr_archive_fits(&archived, &s));
    rows.niche[2].niche = 1;
    assert_false(gr_archive_fits(&archived, &s));
    rows.niche[2].niche = 2;
    assert_false(gr_archive_fits(&archived, &s));
    rows.niche[2].niche = 0;
    rows.individual[2].length = 0;
    assert_false(gr_archive_fits(&archived, &s));
    rows.individual[2].length = 8;
    assert_false(gr_archive_fits(&archived, &s));
    rows.individual[2] = individual;
    assert_true(gr_archive_fits(&archived, &s));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
