/* gpu/backend/snapshot.h: what is copied of every section, and whether a run has something left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/backend/snapshot.h"
#include "tests/core.h"

/* Sections of a snapshot: rows and bytes of each, one behind the other. */
static void check_part(const gr_snapshot *s, gr_section section, size_t rows, size_t width,
                       size_t stride) {
    const gr_snapshot_part *part = &s->part[section];
    assert_int_equal(part->rows, rows);
    if (rows) {
        assert_int_equal(part->width, width);
        assert_int_equal(part->stride, stride);
    }
    for (int k = 0; k < GR_SECTION_COUNT; k++) {
        const gr_snapshot_part *other = &s->part[k];
        if (k != (int)section && part->rows && other->rows)
            assert_true(part->offset + rows * width <= other->offset ||
                        other->offset + other->rows * other->width <= part->offset);
    }
    assert_true(part->offset + part->rows * part->width <= s->bytes);
}

static void test_plan_of_trees(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE);
    p.runs = 2;
    core c = core_open(&p, NULL, 0);
    c.s.p.individuals = 128;
    c.s.individuals[1][100].length = 77;
    c.s.individuals[1][3].instructions = 40;
    c.s.demes[1].best.length = 9;
    gr_snapshot s = {.generation = 3, .ended = 1};
    gr_longest longest = gr_snapshot_longest(&c.s.p, c.s.individuals[1], c.s.demes);
    assert_true(longest.genotype == 77 && longest.program == 40 && longest.best == 9);
    gr_snapshot_plan(&s, &c.s, longest);
    check_part(&s, GR_SECTION_GENOTYPES, 128, 77 * 8, 256 * 8);
    check_part(&s, GR_SECTION_PROGRAMS, 128, 40 * 8, 256 * 8);
    check_part(&s, GR_SECTION_BEST_GENOMES, 2, 9 * 8, 256 * 8);
    check_part(&s, GR_SECTION_INDIVIDUALS, 128, sizeof(gr_individual), sizeof(gr_individual));
    check_part(&s, GR_SECTION_COSTS, 128, 4, 4);
    check_part(&s, GR_SECTION_PLANS, 0, 0, 0);
    check_part(&s, GR_SECTION_DEMES, 2, sizeof(gr_deme), sizeof(gr_deme));
    check_part(&s, GR_SECTION_RECORDS, 2, sizeof(gr_record), sizeof(gr_record));
    check_part(&s, GR_SECTION_BRANCHES, 0, 0, 0);
    assert_ptr_equal(gr_snapshot_place(&s, &c.s, GR_SECTION_GENOTYPES), c.s.trees[1]);
    s.generation = 4;
    s.ended = 0;
    gr_snapshot_plan(&s, &c.s, longest);
    check_part(&s, GR_SECTION_COSTS, 128, 4, 4);
    c.s.p.metric = GR_METRIC_MISCLASSIFIED; /* thresholds are fitted once */
    c.s.p.class_rule = GR_CLASS_FITTED;
    gr_snapshot_plan(&s, &c.s, longest);
    check_part(&s, GR_SECTION_COSTS, 0, 0, 0);
    assert_ptr_equal(gr_snapshot_place(&s, &c.s, GR_SECTION_INDIVIDUALS), c.s.individuals[0]);
    core_close(&c);
}

/* Branches are kept where crossover asks for them. */
static void test_plan_of_genomes(void **state) {
    (void)state;
    gr_params p = core_params(GR_GRAMMATICAL);
    gr_longest longest = {20, 5, 8};
    for (p.rule_words = 0; p.rule_words < 2; p.rule_words++) {
        core c = core_open(&p, NULL, 0);
        gr_snapshot s = {.generation = 0};
        size_t branches = 4 * (size_t)gr_branch_words(&p);
        gr_snapshot_plan(&s, &c.s, longest);
        check_part(&s, GR_SECTION_GENOTYPES, 64, 20 * 4, 200 * 4);
        check_part(&s, GR_SECTION_BEST_GENOMES, 1, 8 * 4, 200 * 4);
        check_part(&s, GR_SECTION_BRANCHES, p.rule_words ? 64 : 0, branches, branches);
        core_close(&c);
    }
}

static void test_goes_on(void **state) {
    (void)state;
    gr_params p = core_params(GR_TREE); /* 10 generations */
    p.runs = 2;
    gr_deme demes[2] = {{0}};
    gr_snapshot s = {.generation = 9, .ended = 1, .memory = (char *)demes};
    assert_false(gr_snapshot_goes_on(&s, &p)); /* all solved */
    demes[1].active = 1;
    assert_true(gr_snapshot_goes_on(&s, &p));
    s.generation = 10;
    assert_false(gr_snapshot_goes_on(&s, &p));
    s.ended = 0; /* bred, but not selected yet */
    assert_true(gr_snapshot_goes_on(&s, &p));
    s.ended = 1;
    p.generations = 11;
    assert_true(gr_snapshot_goes_on(&s, &p));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan_of_trees),
        cmocka_unit_test(test_plan_of_genomes),
        cmocka_unit_test(test_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
