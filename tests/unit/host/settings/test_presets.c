/* Presets: which one a run has, what it gives settings that are not named, and only those. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/settings/presets.h"
#include "host/settings/table.h"
#include "tests/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gr_settings resolved(const char *text) {
    gr_settings s;
    gr_error error;
    assert_string_equal(parse(&s, text, true, &error), "");
    return s;
}

/* Of data alone, or beside what says nothing of how to search. */
static void test_auto(void **state) {
    static const struct {
        const char *text;
        gr_preset preset;
    } rows[] = {
        {"data: a\n", GR_PRESET_REGRESSION},
        {"data: a\ngenotype: tree\nseed: 7\ngenerations: 9\ntime-limit: 3\nthreads: 2\n"
         "test-fraction: 0.2\nweights: w\nruns: 3\nmetric: mae\n",
         GR_PRESET_REGRESSION},
        {"data: a\nmetric: misclassified\n", GR_PRESET_CLASSIFICATION},
        {"data: a\nmetric: f1\n", GR_PRESET_CLASSIFICATION},
        {"data: a\nprecision: double\n", GR_PRESET_REGRESSION}, /* as `single`, which is not said */
        {"data: a\nprecision: single\n", GR_PRESET_REGRESSION},
        {"data: a\ngrammar: g\nprecision: double\n", GR_PRESET_GE},
        {"data: a\nmath: exact\n", GR_PRESET_REGRESSION},
        {"data: a\nmath: fast\nmetric: f1\n", GR_PRESET_CLASSIFICATION},
        {"data: a\ngrammar: g\nmath: fast\n", GR_PRESET_GE},
        {"data: a\ngrammar: g\n", GR_PRESET_GE},
        {"data: a\ngrammar: g\ngenotype: structured\n", GR_PRESET_GE},
        {"data: a\nevaluate-once: off\nfind-law: true\nlaw-every: 9\n", GR_PRESET_REGRESSION},
        {"data: a\ngrammar: g\nfitness-memory: 9\n", GR_PRESET_GE},
        {"data: a\nmetric: hits\ntolerance: 0.1\n", GR_PRESET_REGRESSION},
        {"data: a\ngenotype: tree\npopulation: 500\n", GR_PRESET_NONE},
        {"data: a\ngenotype: tree\ntournament: 2\n", GR_PRESET_NONE},
        {"data: a\ngenotype: tree\nlinear-scaling: false\n", GR_PRESET_NONE},
        {"data: a\ngenotype: tree\npreset: none\n", GR_PRESET_NONE},
        {"data: a\npreset: regression\npopulation: 500\n", GR_PRESET_REGRESSION},
        {"target-expression: x\nvariables: x = grid(0, 1, 0.1)\ngenotype: tree\n", GR_PRESET_NONE},
        {"boolean: parity-3\ngenotype: tree\n", GR_PRESET_NONE},
        {"data: a\ngenotype: tree\ntargets: x, y\n", GR_PRESET_NONE},
        {"data: a\ngenotype: tree\ntargets: x\n", GR_PRESET_REGRESSION},
        {"boolean: parity-3\npreset: boolean\n", GR_PRESET_BOOLEAN}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gr_settings s = resolved(rows[i].text);
        if (s.preset != rows[i].preset)
            fail_msg("%s has preset %u", rows[i].text, s.preset);
        gr_settings_free(&s);
    }
}

/* What is named stays, what is not comes from the preset. */
static void test_values(void **state) {
    (void)state;
    gr_settings s = resolved("data: a\npreset: regression\ntournament: 3\noptimise-share: 0.5\n");
    assert_int_equal(s.genotype, GR_TREE);
    assert_int_equal(s.tournament, 3);
    assert_true(s.optimise_share == 0.5);
    assert_true(s.population > 500 && s.linear_scaling && s.weighted_inputs);
    assert_int_equal(s.optimise_constants, GR_OPTIMISE_SHARE);
    assert_int_equal(s.archive, GR_ARCHIVE_NICHES);
    assert_int_equal(s.front_choice, GR_CHOICE_BIC);
    gr_settings_free(&s);
    /* what has no archive, or a best of its own, is left as it is */
    s = resolved("data: a\npreset: regression\nreplacement: steady-state\n");
    assert_true(s.archive == GR_ARCHIVE_NONE && s.front_choice == GR_CHOICE_BIC);
    gr_settings_free(&s);
    s = resolved("data: a\npreset: regression\nvalidation-fraction: 0.2\n");
    assert_true(s.archive == GR_ARCHIVE_NONE && s.front_choice != GR_CHOICE_BIC);
    gr_settings_free(&s);
    /* and so is what doubles, or samples of cases, do not have */
    s = resolved("data: a\npreset: regression\nprecision: double\n");
    assert_true(!s.linear_scaling && !s.optimise_constants && !s.weighted_inputs);
    assert_true(s.archive == GR_ARCHIVE_NONE && s.front_choice == GR_CHOICE_BIC);
    gr_settings_free(&s);
    s = resolved("data: a\npreset: regression\ncase-sampling: random\nsample-cases: 9\n");
    assert_true(!s.linear_scaling && s.optimise_constants == GR_OPTIMISE_SHARE);
    gr_settings_free(&s);
    s = resolved("data: a\npreset: regression\nmetric: mae\n");
    assert_true(s.archive == GR_ARCHIVE_NONE && s.front_choice != GR_CHOICE_BIC);
    gr_settings_free(&s);
    s = resolved("data: a\ngrammar: g\n");
    assert_int_equal(s.preset, GR_PRESET_GE);
    assert_true(s.front_choice == GR_CHOICE_BIC && s.population * s.islands == 2000);
    gr_settings_free(&s);
    s = resolved("data: a\ngenotype: tree\npreset: none\n");
    assert_int_equal(s.population, 500);
    assert_int_equal(s.tournament, 2);
    assert_true(!s.linear_scaling && !s.weighted_inputs && !s.optimise_constants);
    gr_settings_free(&s);
}

/* What asks for squared errors is left out where there are none. */
static void test_metrics(void **state) {
    (void)state;
    gr_settings s = resolved("data: a\nmetric: mae\npreset: auto\n");
    assert_int_equal(s.preset, GR_PRESET_REGRESSION);
    assert_true(s.population > 500 && !s.linear_scaling && !s.weighted_inputs);
    assert_int_equal(s.optimise_constants, GR_OPTIMISE_NONE);
    gr_settings_free(&s);
    s = resolved("data: a\npreset: classification\n");
    assert_int_equal(s.metric, GR_METRIC_MISCLASSIFIED);
    assert_int_equal(s.class_rule, GR_CLASS_FITTED);
    gr_settings_free(&s);
    s = resolved("data: a\nmetric: f1\npreset: auto\n"); /* a class rule is that of misclassified */
    assert_int_equal(s.class_rule, GR_CLASS_NEAREST);
    gr_settings_free(&s);
    s = resolved("boolean: parity-3\ngrammar: g\npreset: ge\n");
    assert_true(!s.linear_scaling && !s.optimise_constants);
    gr_settings_free(&s);
    /* branches are runs of codons where these are read depth first */
    s = resolved("data: a\ngrammar: g\npreset: ge\n");
    assert_int_equal(s.crossover, GR_CROSSOVER_SUBTREE);
    assert_true(s.niche_share > 0.0 && !s.weighted_inputs); /* the language is the grammar's */
    gr_settings_free(&s);
    s = resolved("data: a\ngrammar: g\npreset: ge\nmapping: pi\n");
    assert_int_not_equal(s.crossover, GR_CROSSOVER_SUBTREE);
    gr_settings_free(&s);
    s = resolved("data: a\ngrammar: g\npreset: ge\ngenotype: structured\n");
    assert_int_not_equal(s.crossover, GR_CROSSOVER_SUBTREE);
    gr_settings_free(&s);
}

/* A population of one has nobody to send away. */
static void test_smallest(void **state) {
    static const struct {
        const char *text;
        uint32_t islands;
    } rows[] = {{"preset: regression\n", 4},
                {"preset: regression\npopulation: 1\n", 1},
                {"preset: regression\npopulation: 2\n", 4},
                {"preset: ge\ngrammar: g\npopulation: 1\n", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        snprintf(text, sizeof text, "data: a\n%s", rows[i].text);
        gr_settings s = resolved(text);
        assert_int_equal(s.islands, rows[i].islands);
        gr_settings_free(&s);
    }
}

/* Thresholds are fitted but where that would be refused for a rule that nobody named. */
static void test_class_rule(void **state) {
    static const char *const beside[] = {"validation-fraction: 0.3", "diversity: true",
                                         "evaluate-once: on",        "fitness-memory: 3",
                                         "selection: lexicase",      "selection: epsilon-lexicase",
                                         "archive: niches"};
    (void)state;
    gr_settings s = resolved("data: a\nmetric: misclassified\n");
    assert_int_equal(s.class_rule, GR_CLASS_FITTED);
    gr_settings_free(&s);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char text[128];
        snprintf(text, sizeof text, "data: a\npreset: classification\n%s\n", beside[i]);
        s = resolved(text);
        assert_int_equal(s.class_rule, GR_CLASS_NEAREST);
        gr_settings_free(&s);
        snprintf(text, sizeof text, "data: a\npreset: classification\n%s\nclass-rule: fitted\n",
                 beside[i]);
        gr_error error;
        assert_string_not_equal(parse(&s, text, true, &error), "");
        gr_settings_free(&s);
    }
}

/* Codons are not redrawn beside new branches; whoever names other mutations has those. */
static void test_mutations(void **state) {
    static const struct {
        const char *text;
        double codons, branches; /* -1: auto */
    } rows[] = {{"", 0, 0.1},
                {"codon-mutation: 0.2\n", 0.2, 0.1},
                {"codon-mutation: auto\n", -1, 0.1},
                {"subtree-mutation: 0.3\n", 0, 0.3},
                {"subtree-mutation: 0\n", -1, 0},
                {"subtree-mutation: 0\nmutate-duplicates: true\n", -1, 0},
                {"mutation-events: 1\n", -1, 0.1},
                {"mutation-events: 0\n", 0, 0.1},
                {"mapping: pi\n", -1, 0},
                {"genotype: structured\n", -1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        snprintf(text, sizeof text, "data: a\ngrammar: g\npreset: ge\n%s", rows[i].text);
        gr_settings s = resolved(text);
        double codons = isnan(s.codon_mutation) ? -1 : s.codon_mutation;
        if (codons != rows[i].codons || s.subtree_mutation != rows[i].branches)
            fail_msg("%s: %g a codon, %g new branches", rows[i].text, codons, s.subtree_mutation);
        gr_settings_free(&s);
    }
}

static void test_refused(void **state) {
    static const struct {
        const char *text, *message;
    } rows[] = {{"data: a\ngrammar: g\npreset: regression\n",
                 "folder/run.yaml:3:9: preset regression is of trees, and there is a grammar; "
                 "expected preset ge"},
                {"data: a\npreset: boolean\n",
                 "folder/run.yaml:2:9: preset boolean for a problem of numbers; expected boolean, "
                 "or another preset"},
                {"boolean: parity-3\npreset: classification\n",
                 "folder/run.yaml:2:9: a preset of numbers for a boolean problem; expected preset "
                 "boolean or ge"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gr_settings s;
        gr_error error;
        assert_string_equal(parse(&s, rows[i].text, true, &error), rows[i].message);
        gr_settings_free(&s);
    }
}

/* What a run writes down is the same run again. */
static void test_written(void **state) {
    (void)state;
    gr_settings s = resolved("data: a\npreset: auto\n"), again = fresh();
    char a[32], b[32];
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        char *value = gr_settings_get(&s, (gr_key)key);
        if (*value)
            assert_int_equal(gr_settings_set(&again, gr_setting_table[key].key, value, NULL),
                             GR_OK);
        free(value);
    }
    assert_int_equal(gr_settings_resolve(&again, NULL), GR_OK);
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        assert_string_equal(gr_settings_text(&s, (gr_key)key, a),
                            gr_settings_text(&again, (gr_key)key, b));
    gr_settings_free(&s);
    gr_settings_free(&again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_auto),     cmocka_unit_test(test_values),
        cmocka_unit_test(test_metrics),  cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_smallest), cmocka_unit_test(test_class_rule),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
