/* host/settings/variation.h: autos, checks and lists of settings of variation, parents and cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/settings/variation.h"
#include "tests/settings.h"

#include <math.h>
#include <stdlib.h>

/* ---- lists ---- */

static gr_status constants(const char *text, gr_constants *list) {
    gr_settings s = fresh();
    gr_error error;
    assert_int_equal(gr_settings_set(&s, "constants", text, &error), GR_OK);
    gr_status status = gr_settings_constants(&s, list, &error);
    gr_settings_free(&s);
    return status;
}

static void test_constants(void **state) {
    (void)state;
    gr_constants c;
    static const float mixed[] = {-2, 0, 0.5f, 1, 1.5f, 2};
    assert_int_equal(constants("", &c), GR_OK);
    assert_true(c.count == 0 && !c.ephemeral);
    assert_int_equal(constants(" 2 , 0:2:0.5 ,-2, -0, ephemeral", &c),
                     GR_OK); /* each once, rising */
    assert_true(c.count == 6 && c.ephemeral);
    assert_memory_equal(c.value, mixed, sizeof mixed);
    assert_int_equal(constants("0:0.3:0.1", &c), GR_OK); /* the end is in it */
    assert_true(c.count == 4 && c.value[3] == (float)(3 * 0.1));
    assert_int_equal(constants("tangent(2, 3)", &c), GR_OK); /* of two values half lie within */
    assert_true(c.count == 2 && fabsf(c.value[0] + 3) < 1e-5f && fabsf(c.value[1] - 3) < 1e-5f);
    assert_int_equal(constants("True , False", &c), GR_OK); /* of Boolean trees */
    assert_true(c.count == 2 && c.value[0] == 0 && c.value[1] == 1);
    assert_int_equal(constants("True", &c), GR_OK);
    assert_true(c.count == 1 && c.value[0] == 1);
    assert_int_equal(constants("0:255:1", &c), GR_OK);
    assert_int_equal(c.count, 256);
    static const char *const bad[] = {
        "0:256:1",         "1,,2",          "1 2",        "1:2",
        "2:1:1",           "0:1:0",         "x",          "tangent(0, 1)",
        "tangent(1.5, 1)", "tangent(2, 0)", "tangent(2)", "1,",
        "Truely",          "True:2:1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (constants(bad[i], &c) != GR_BAD_INPUT)
            fail_msg("'%s' is read", bad[i]);
}

static gr_status operators(const char *text, double share[GR_MUTATIONS], double *crossover) {
    gr_settings s = fresh();
    gr_error error;
    assert_int_equal(gr_settings_set(&s, "operators", text, &error), GR_OK);
    gr_status status = gr_settings_operators(&s, share, crossover, &error);
    gr_settings_free(&s);
    return status;
}

static void test_operators(void **state) {
    (void)state;
    double share[GR_MUTATIONS], crossover;
    assert_int_equal(
        operators("crossover 0.5,point 0.1, subtree 0.05, constant 0.04, hoist 0.03, shrink 0.02, "
                  "insert 0.01, multi-point 0.15, copy 0.1",
                  share, &crossover),
        GR_OK);
    assert_true(crossover == 0.5 && share[GR_MUTATE_POINT] == 0.1 &&
                share[GR_MUTATE_SUBTREE] == 0.05);
    assert_true(share[GR_MUTATE_CONSTANT] == 0.04 && share[GR_MUTATE_HOIST] == 0.03);
    assert_true(share[GR_MUTATE_SHRINK] == 0.02 && share[GR_MUTATE_INSERT] == 0.01);
    assert_true(share[GR_MUTATIONS - 1] == 0.15);
    assert_int_equal(operators("", share, &crossover), GR_OK);
    assert_true(crossover == 0.0 && share[GR_MUTATE_POINT] == 0.0);
    static const char *const bad[] = {"crossover",
                                      "crossover 0.5 point 0.1",
                                      "point -0.1",
                                      "copy 0.6, crossover 0.5",
                                      "point 0.1, point 0.1",
                                      "copy 0.1, copy 0.1",
                                      "crossover 0.5,"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (operators(bad[i], share, &crossover) != GR_BAD_INPUT)
            fail_msg("'%s' is read", bad[i]);
}

/* ---- autos ---- */

static void test_autos(void **state) {
    (void)state;
    static const struct {
        const char *parsimony;
        double strength;
    } pressures[] = {{"none", 0},
                     {"coefficient", 0.001},
                     {"covariant", 0},
                     {"tarpeian", 0.3},
                     {"double-tournament", 1.4}};
    gr_error error;
    gr_settings s;
    for (size_t i = 0; i < sizeof pressures / sizeof *pressures; i++) {
        char text[128];
        snprintf(text, sizeof text, "data: a\ngenotype: tree\nparsimony: %s\n",
                 pressures[i].parsimony);
        assert_string_equal(parse(&s, text, true, &error), "");
        assert_true(s.parsimony_strength == pressures[i].strength);
        assert_true(s.subtree_mutation == 0.1 && s.subtree_mutation_depth == 4);
        assert_true(s.init_min_nodes == 1 && s.init_max_nodes == 50);
        assert_int_equal(s.constant_creep, GR_CREEP_GAUSSIAN);
        gr_settings_free(&s);
    }
    assert_string_equal(
        parse(&s, "data: a\ngrammar: g\nmax-depth: 33\nmax-nodes: 20\n", true, &error), "");
    assert_true(s.subtree_mutation == 0.0 && s.subtree_mutation_depth == 33 &&
                s.init_max_nodes == 20);
    gr_settings_free(&s);
    assert_string_equal(parse(&s,
                              "data: a\ngenotype: tree\noperators: crossover 0.5\nconstants: "
                              "1\nconstant-probability: 0.5\ninit-min-nodes: 70\n",
                              true, &error),
                        "");
    assert_true(s.point_mutation == 0.0 && s.subtree_mutation == 0.0 && s.init_max_nodes == 70);
    assert_int_equal(s.constant_creep, GR_CREEP_TABLE);
    gr_settings_free(&s);
}

/* Two of population, width and height give the third; nobody is an elite there. */
static void test_torus(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t population, width, height;
    } cases[] = {{"deme-width: 8\ndeme-height: 5\n", 40, 8, 5},
                 {"population: 60\ndeme-width: 12\n", 60, 12, 5},
                 {"population: 60\ndeme-height: 12\n", 60, 5, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_error error;
        char text[128];
        snprintf(text, sizeof text, "data: a\ngenotype: tree\ntopology: torus\n%s", cases[i].text);
        assert_string_equal(parse(&s, text, true, &error), "");
        assert_true(s.population == cases[i].population && s.deme_width == cases[i].width);
        assert_true(s.deme_height == cases[i].height && s.elites == 0);
        gr_settings_free(&s);
    }
}

/* ---- checks ---- */

static void test_checks(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"data: a\ngenotype: tree\npopulation: 3\nreplacement: steady-state\n"
         "children-per-step: 4\n",
         "folder/run.yaml:5:20: 4 children a step in a population of 3; expected at most that "
         "many"},
        {"data: a\ngrammar: g\nmapping: pi\ncrossover: subtree\n",
         "folder/run.yaml:4:12: a subtree is no run of codons under mapping pi; expected another "
         "crossover, or mapping depth-first"},
        {"data: a\ngrammar: g\nmapping: pi\nsubtree-mutation: 0.5\n",
         "folder/run.yaml:4:19: a subtree is no run of codons under mapping pi; expected 0, or "
         "mapping depth-first"},
        {"data: a\ngrammar: g\ngenotype: structured\nsubtree-mutation: 0.5\n",
         "folder/run.yaml:4:19: a subtree is no run of genes in genotype structured; expected 0, "
         "or "
         "genotype grammar"},
        {"data: a\ngenotype: tree\ninvalid: excluded\n",
         "folder/run.yaml:3:10: trees are always valid; expected worst, or genotype grammar"},
        {"data: a\ngrammar: g\ntopology: torus\ndeme-width: 4\ndeme-height: 3\ninvalid: "
         "excluded\n",
         "folder/run.yaml:6:10: on a torus neighbours are compared; expected invalid worst or "
         "redrawn"},
        {"data: a\ngrammar: g\nreplacement: steady-state\nchildren-per-step: 501\n",
         "folder/run.yaml:4:20: 501 children a step in a population of 500; expected at most that "
         "many"},
        {"data: a\ngenotype: tree\nsubtree-mutation-depth: 65\n",
         "folder/run.yaml:3:25: subtree-mutation-depth 65 for trees; expected at most 64"},
        {"data: a\ngrammar: g\nhoist-mutation: 0.5\n",
         "folder/run.yaml:3:17: it works on trees; expected genotype tree"},
        {"data: a\ngrammar: g\nfunction-points: 0.9\n",
         "folder/run.yaml:3:18: it works on trees; expected genotype tree"},
        {"data: a\ngenotype: tree\ntopology: torus\n",
         "folder/run.yaml:3:11: topology torus without its size; expected deme-width or "
         "deme-height"},
        {"data: a\ngenotype: tree\npopulation: 12\ntopology: torus\ndeme-width: 5\n",
         "folder/run.yaml:5:13: deme-width 5 in a population of 12; expected a number that divides "
         "it into 2 to 65535 rows"},
        {"data: a\ngenotype: tree\npopulation: 8\ntopology: torus\ndeme-height: 8\n",
         "folder/run.yaml:5:14: deme-height 8 in a population of 8; expected a number that divides "
         "it into 2 to 65535 columns"},
        {"data: a\ngenotype: tree\npopulation: 12\ntopology: torus\ndeme-width: 5\ndeme-height: "
         "2\n",
         "folder/run.yaml:5:13: a torus of 5 x 2 for a population of 12; expected their product"},
        {"data: a\ngenotype: tree\ntopology: torus\ndeme-width: 4\ndeme-height: 4\nelites: 1\n",
         "folder/run.yaml:6:9: elites on a torus, where everybody has its place; expected 0"},
        {"data: a\ngenotype: tree\noperators: crossover 0.5, pint 0.2\n",
         "folder/run.yaml:3:12: cannot read operators at 'pint 0.2'; expected crossover, copy, "
         "point, subtree, constant, hoist, shrink, insert or multi-point, once each, with a "
         "probability"},
        {"data: a\ngenotype: tree\noperators: crossover 0.9, point 0.2\n",
         "folder/run.yaml:3:12: operators add up to more than 1"},
        {"data: a\ngenotype: tree\noperators: crossover 0.9\nhoist-mutation: 0.1\n",
         "folder/run.yaml:4:17: a probability of its own beside operators; expected one of them"},
        {"data: a\ngrammar: g\noperators: crossover 0.9\n",
         "folder/run.yaml:3:12: it works on trees; expected genotype tree"},
        {"data: a\ngenotype: tree\nconstants: 0:1\nconstant-probability: 0.5\n",
         "folder/run.yaml:3:12: cannot read constants at '0:1'; expected e.g. \"0:1.27:0.01\", "
         "\"1, "
         "-1, ephemeral\" or \"tangent(128, 10)\""},
        {"data: a\ngenotype: tree\nconstants: 1, -1\n",
         "folder/run.yaml:3:12: constants that no leaf is; expected constant-probability, as in "
         "0.5"},
        {"data: a\ngenotype: tree\ncase-sampling: random\n",
         "folder/run.yaml:3:16: case-sampling without sample-cases; expected their number"},
        {"data: a\ngenotype: tree\nsample-cases: 5\n",
         "folder/run.yaml:3:15: sample-cases without case-sampling; expected random, rotating or "
         "fixed"},
        {"data: a\ngenotype: tree\ninitialisation: ptc2\ninit-min-nodes: 9\ninit-max-nodes: 3\n",
         "folder/run.yaml:5:17: first trees of 9 to 3 nodes; expected rising numbers up to "
         "max-nodes 1000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_error error;
        assert_string_equal(parse(&s, cases[i].text, true, &error), cases[i].message);
        gr_settings_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants), cmocka_unit_test(test_operators),
        cmocka_unit_test(test_autos),     cmocka_unit_test(test_torus),
        cmocka_unit_test(test_checks),
    };
    return cmocka_run_group_tests_name("variation", tests, NULL, NULL);
}
