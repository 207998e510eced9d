/* Settings held against each other, and what those are that nobody gave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/settings.h"

#include <math.h>
#include <stdlib.h>

#define A63 "123456789012345678901234567890123456789012345678901234567890123"
#define A64 A63 "4"

static void cross_checks(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"genotype: tree\n",
         "folder/run.yaml: no problem; expected one of data, target-expression, boolean, series, "
         "generate and sequences"},
        {"data: a\nboolean: parity-3\n", "folder/run.yaml:2:10: more than one problem; "
                                         "expected one of data, target-expression, boolean, "
                                         "series, generate and sequences"},
        {"data: a\ngenotype: structured\n",
         "folder/run.yaml:2:11: no grammar for genotype structured; expected grammar: FILE, units "
         "or genotype: tree"},
        {"data: a\nmetric: misclassified\npopulation: 9\n",
         "folder/run.yaml: no grammar for genotype grammar; expected grammar: FILE, units, "
         "genotype: tree, or preset: classification"},
        {"boolean: parity-3\n", "folder/run.yaml: no grammar for genotype grammar; expected "
                                "grammar: FILE, genotype: tree, or preset: boolean"},
        {"data: a\npreset: none\n", "folder/run.yaml: no grammar for genotype grammar; "
                                    "expected grammar: FILE, units, genotype: tree, or preset: "
                                    "regression"},
        {"data: a\noutput: \"\"\ngenotype: tree\n",
         "folder/run.yaml:2:9: output has no value; expected a folder, as in results"},
        {"data: a\ngenotype: tree\noutput: \" \"\n",
         "folder/run.yaml:3:9: output has no value; expected a folder, as in results"},
        {"data: a\ngenotype: tree\nmutate-duplicates: true\n",
         "folder/run.yaml:3:20: duplicates are found by the phenotypes of genomes; expected "
         "genotype grammar or structured"},
        {"data: a\ngrammar: g\nmutate-duplicates: true\ncodon-mutation: 0\n",
         "folder/run.yaml:3:20: mutate-duplicates without a mutation; expected codon-mutation, "
         "mutation-events or subtree-mutation"},
        {"data: a\ngenotype: tree\npopulation: 4\nelites: 4\n",
         "folder/run.yaml:4:9: elites 4 leave no room in population 4; expected at most 3"},
        {"data: a\ngenotype: tree\ninit-min-depth: 5\ninit-max-depth: 4\n",
         "folder/run.yaml:3:17: init-min-depth 5 larger than init-max-depth 4; expected at most 4"},
        {"data: a\ngenotype: tree\nmax-depth: 3\ninit-max-depth: 4\n",
         "folder/run.yaml:4:17: init-max-depth 4 larger than max-depth 3; expected at most 3"},
        {"data: a\ngenotype: tree\nmax-depth: 300\n",
         "folder/run.yaml:3:12: max-depth 300 larger than the largest 254; expected at most 254"},
        {"data: a\ngrammar: g\ngenome-length: 600\n",
         "folder/run.yaml:3:16: genome-length 600 larger than max-genome-length 500; expected at "
         "most 500"},
        {"data: a\ngenotype: tree\ncrossover: fixed-onepoint\n",
         "folder/run.yaml:3:12: crossover is fixed-onepoint, which does not work on genotype tree; "
         "expected "
         "none, subtree, depth-dependent, size-fair or common-point"},
        {"data: a\ngenotype: tree\ncrossover: lists\n",
         "folder/run.yaml:3:12: crossover is lists, which does not work on genotype tree; expected "
         "none, subtree, depth-dependent, size-fair or common-point"},
        {"data: a\ngrammar: g\ncrossover: lists\n",
         "folder/run.yaml:3:12: crossover is lists, which does not work on genotype grammar; "
         "expected "
         "none, fixed-onepoint, variable-onepoint, fixed-twopoint, variable-twopoint, uniform or "
         "subtree"},
        {"data: a\ngrammar: g\ngenotype: structured\ncrossover: variable-onepoint\n",
         "folder/run.yaml:4:12: crossover is variable-onepoint, which does not work on genotype "
         "structured; expected "
         "none, fixed-onepoint, fixed-twopoint, uniform or lists"},
        {"data: a\ngrammar: g\ngenotype: structured\nmapping: pi\n",
         "folder/run.yaml:4:10: it works on codons in a row; expected genotype grammar"},
        {"data: a\ngrammar: g\nmapping: pi\nwrap-rule: ponyge-linear\n",
         "folder/run.yaml:4:12: wrap-rule ponyge-linear reads symbols from left to right, mapping "
         "pi does not; expected codons, libge or geva"},
        {"data: a\ngrammar: g\ngenotype: structured\ncrossover: subtree\n",
         "folder/run.yaml:4:12: crossover is subtree, which does not work on genotype structured; "
         "expected "
         "none, fixed-onepoint, fixed-twopoint, uniform or lists"},
        {"data: a\ngrammar: g\ncrossover: size-fair\n",
         "folder/run.yaml:3:12: crossover is size-fair, which does not work on genotype grammar; "
         "expected "
         "none, fixed-onepoint, variable-onepoint, fixed-twopoint, variable-twopoint, uniform or "
         "subtree"},
        {"data: a\ngrammar: g\ncrossover: subtree\nmax-depth: 5000\n",
         "folder/run.yaml:3:12: operators on subtrees of derivations of up to max-depth 5000; "
         "expected at most 4095"},
        {"data: a\ngrammar: g\nreplacement: steady-state\nelites: 3\n",
         "folder/run.yaml:4:9: 3 elites in a steady state, where all but children-per-step stay; "
         "expected none to be given"},
        {"data: a\ngenotype: tree\ncrossover: uniform\n",
         "folder/run.yaml:3:12: crossover is uniform, which does not work on genotype tree; "
         "expected "
         "none, subtree, depth-dependent, size-fair or common-point"},
        {"data: a\ngenotype: tree\ninitialisation: pi-grow\n",
         "folder/run.yaml:3:17: initialisation is pi-grow, which does not work on genotype tree; "
         "expected grow, full, ramped, ptc2, sized or seeds"},
        {"data: a\ngrammar: g\ninitialisation: sized\n",
         "folder/run.yaml:3:17: initialisation is sized, which does not work on genotype grammar; "
         "expected uniform, grow, full, ramped, ptc2, pi-grow or seeds"},
        {"data: a\ngenotype: tree\nfunctions: +, nonsense\n",
         "folder/run.yaml:3:12: functions has 'nonsense'; expected operations, as in \"+, -, "
         "sin\""},
        {"boolean: parity-3\ngenotype: tree\nfunctions: and, if\n",
         "folder/run.yaml:3:12: functions has 'if', which works on numbers, but this problem "
         "is Boolean; expected operations, as in \"and, or, not\""},
        {"data: a\ngenotype: tree\nfunctions: +, add\n",
         "folder/run.yaml:3:12: functions has 'add' twice; expected each operation once"},
        {"data: a\ngenotype: tree\nmetric: sae\nlinear-scaling: true\n",
         "folder/run.yaml:4:17: linear-scaling does not fit the metric; expected metric mse, rmse "
         "or r2"},
        {"boolean: parity-3\ngenotype: tree\nmetric: mse\n",
         "folder/run.yaml:3:9: metric of numbers for a boolean problem; expected boolean-hits or "
         "boolean-errors"},
        {"data: a\ngenotype: tree\nthresholds: 1, 1\n",
         "folder/run.yaml:3:13: thresholds do not rise at '1'; expected each larger than the one "
         "before"},
        {"data: a\ngenotype: tree\nvariables: x = uniform(0, 1)\n",
         "folder/run.yaml:3:12: variables belongs to target-expression; expected it there"},
        {"data: a\ngenotype: tree\ntest-rows: 1:2\ntest-fraction: 0.5\n",
         "folder/run.yaml:3:12: more than one test set; expected one of test-data, test-rows and "
         "test-fraction"},
        {"data: a\ngenotype: tree\ntrain-rows: 5:5\n",
         "folder/run.yaml:3:13: train-rows is '5:5'; expected FROM:TO with FROM below TO, as in "
         "0:500"},
        {"data: a\ngenotype: tree\nname: a/b\n",
         "folder/run.yaml:3:7: name is 'a/b'; expected the name of a folder: no '/' in it, "
         "and neither '.' nor '..'"},
        {"data: a\ngenotype: tree\nname: " A64 A64 A64 A64 "\n",
         "folder/run.yaml:3:7: name has 256 bytes; expected at most 255, it is that of a folder"},
        {"data: a\ngenotype: tree\ngenerations: 1\nname: \"" A64 A64 A64 A63 "\"\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_error error;
        assert_string_equal(parse(&s, cases[i].text, true, &error), cases[i].message);
        gr_settings_free(&s);
    }
}

static void autos_of_trees(void **state) {
    (void)state;
    gr_settings s;
    gr_error error;
    assert_string_equal(parse(&s, "data: a\ngenotype: tree\npopulation: 1050\n", true, &error), "");
    assert_int_equal(s.max_depth, 17);
    assert_int_equal(s.init_min_depth, 2);
    assert_int_equal(s.init_max_depth, 6);
    assert_int_equal(s.initialisation, GR_INIT_RAMPED);
    assert_int_equal(s.crossover, GR_CROSSOVER_SUBTREE);
    assert_true(s.crossover_probability == 0.9);
    assert_int_equal(s.elites, 11);
    assert_int_equal(s.metric, GR_METRIC_RMSE);
    assert_string_equal(s.functions, "+, -, *, /");
    assert_string_equal(s.name, "run");
    uint8_t function[GR_OP_COUNT];
    uint32_t count;
    assert_int_equal(gr_settings_set(&s, "functions", "if, +, sin, mul, neg", NULL), GR_OK);
    assert_int_equal(gr_settings_functions(&s, function, &count, &error), GR_OK);
    static const uint8_t sorted[] = {GR_SIN, GR_NEG, GR_ADD, GR_MUL, GR_IF};
    assert_int_equal(count, 5);
    assert_memory_equal(function, sorted, 5);
    gr_settings_free(&s);
}

static void autos_of_grammars(void **state) {
    (void)state;
    gr_settings s;
    gr_error error;
    assert_string_equal(
        parse(&s, "boolean: parity-3\ngrammar: g.bnf\nmax-genome-length: 50\n", true, &error), "");
    assert_int_equal(s.max_depth, 90);
    assert_int_equal(s.init_max_depth, 10);
    assert_int_equal(s.genome_length, 50);
    assert_int_equal(s.crossover, GR_CROSSOVER_VARIABLE_ONEPOINT);
    assert_true(s.crossover_probability == 0.75);
    assert_int_equal(s.metric, GR_METRIC_BOOLEAN_HITS);
    assert_string_equal(s.grammar, "folder/g.bnf");
    assert_true(isnan(s.codon_mutation)); /* the core's business */
    gr_settings_free(&s);
}

/* What nobody set is no reason to refuse a small population, and a tournament, which draws with
 * replacement, never is. */
static void small_populations(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t tournament, elites, children_per_step;
    } cases[] = {
        {"data: a\ngenotype: tree\npopulation: 1\n", 2, 0, 2},
        {"data: a\ngenotype: tree\npopulation: 2\n", 2, 1, 2},
        {"data: a\ngenotype: tree\npopulation: 2\ntournament: 1\nelites: 0\n", 1, 0, 2},
        {"data: a\ngenotype: tree\npopulation: 2\ntournament: 3\n", 3, 1, 2},
        {"data: a\ngenotype: tree\npopulation: 1\ntournament: 100\n", 100, 0, 2},
        {"data: a\ngenotype: tree\npopulation: 1\nreplacement: steady-state\n", 2, 0, 1},
        {"data: a\ngenotype: tree\npopulation: 2\nreplacement: steady-state\n", 2, 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_error error;
        assert_string_equal(parse(&s, cases[i].text, true, &error), "");
        assert_int_equal(s.tournament, cases[i].tournament);
        assert_int_equal(s.elites, cases[i].elites);
        assert_int_equal(s.children_per_step, cases[i].children_per_step);
        gr_settings_free(&s);
    }
}

/* The name of a run is that of its file, or of its data, without folder and ending. */
static void names_of_runs(void **state) {
    (void)state;
    static const struct {
        const char *file, *data, *name;
    } cases[] = {{"a/shuttle.yaml", "x.csv", "shuttle"},
                 {"iris", "x.csv", "iris"},
                 {"rates.0.5.yaml", "x.csv", "rates.0.5"},
                 {NULL, "data/x.train.csv", "x"},
                 {"stdin", "data/y.csv", "y"},
                 {".yaml", "x", "run"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s = fresh();
        gr_error error = {GR_OK, ""};
        char text[128];
        snprintf(text, sizeof text, "genotype: tree\n");
        if (cases[i].file)
            assert_int_equal(gr_settings_parse(&s, text, strlen(text), cases[i].file, &error),
                             GR_OK);
        else
            assert_int_equal(gr_settings_set(&s, "genotype", "tree", &error), GR_OK);
        assert_int_equal(gr_settings_set(&s, "data", cases[i].data, &error), GR_OK);
        assert_int_equal(gr_settings_resolve(&s, &error), GR_OK);
        assert_string_equal(s.name, cases[i].name);
        gr_settings_free(&s);
    }
}

/* One elite in a hundred, rounded, but one at least, and never all. */
static void elites(void **state) {
    (void)state;
    static const uint32_t cases[][2] = {{2, 1},   {100, 1}, {149, 1},  {150, 2},
                                        {249, 2}, {250, 3}, {1000, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_error error;
        char text[128];
        snprintf(text, sizeof text, "data: a\ngenotype: tree\npopulation: %u\n", cases[i][0]);
        assert_string_equal(parse(&s, text, true, &error), "");
        assert_int_equal(s.elites, cases[i][1]);
        gr_settings_free(&s);
    }
}

/* Depths that are not said follow those that are. */
static void depths(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t min, max, deepest;
    } cases[] = {
        {"genotype: tree\n", 2, 6, 17},
        {"grammar: g\n", 1, 10, 90},
        {"genotype: tree\nmax-depth: 4\n", 2, 4, 4},
        {"genotype: tree\nmax-depth: 1\n", 1, 1, 1},
        {"genotype: tree\ninit-min-depth: 9\n", 9, 9, 17},
        {"genotype: tree\ninit-max-depth: 1\n", 1, 1, 17},
        {"grammar: g\ninit-min-depth: 12\n", 12, 12, 90},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_error error;
        char text[128];
        snprintf(text, sizeof text, "data: a\npreset: none\n%s", cases[i].text);
        assert_string_equal(parse(&s, text, true, &error), "");
        assert_int_equal(s.init_min_depth, cases[i].min);
        assert_int_equal(s.init_max_depth, cases[i].max);
        assert_int_equal(s.max_depth, cases[i].deepest);
        gr_settings_free(&s);
    }
}

static void check_rows(const char *text, uint64_t from, uint64_t to) {
    gr_settings s = fresh();
    gr_error error;
    uint64_t got[2] = {77, 77};
    assert_int_equal(gr_settings_set(&s, "test-rows", text, &error), GR_OK);
    gr_status status = gr_settings_rows(&s, GR_KEY_test_rows, &got[0], &got[1], &error);
    assert_int_equal(status, to ? GR_OK : GR_BAD_INPUT);
    if (to)
        assert_true(got[0] == from && got[1] == to);
    gr_settings_free(&s);
}

static void rows(void **state) {
    (void)state;
    check_rows("", 0, UINT64_MAX);
    check_rows("3:5", 3, 5);
    check_rows(":5", 0, 5);
    check_rows("3:", 3, UINT64_MAX);
    check_rows(":", 0, UINT64_MAX);
    check_rows("5:5", 0, 0);
    check_rows("6:5", 0, 0);
    check_rows("5", 0, 0);
    check_rows("-1:5", 0, 0);
    check_rows("1:5:7", 0, 0);
    check_rows("1:99999999999999999999", 0, 0);
}

static void thresholds(void **state) {
    (void)state;
    gr_settings s = fresh();
    gr_error error;
    float threshold[GR_MAX_THRESHOLDS];
    uint32_t count;
    assert_int_equal(gr_settings_thresholds(&s, threshold, &count, &error), GR_OK);
    assert_int_equal(count, 0);
    assert_int_equal(gr_settings_set(&s, "thresholds", "-1.5, 0 ,2e1", &error), GR_OK);
    assert_int_equal(gr_settings_thresholds(&s, threshold, &count, &error), GR_OK);
    assert_true(count == 3 && threshold[0] == -1.5f && threshold[1] == 0.0f &&
                threshold[2] == 20.0f);
    static const char *const bad[] = {"1,", "1, x", "2, 1", "nan", "1, 1", "inf"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(gr_settings_set(&s, "thresholds", bad[i], &error), GR_OK);
        assert_int_equal(gr_settings_thresholds(&s, threshold, &count, &error), GR_BAD_INPUT);
    }
    gr_settings_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_checks),
        cmocka_unit_test(autos_of_trees),
        cmocka_unit_test(autos_of_grammars),
        cmocka_unit_test(small_populations),
        cmocka_unit_test(names_of_runs),
        cmocka_unit_test(elites),
        cmocka_unit_test(depths),
        cmocka_unit_test(rows),
        cmocka_unit_test(thresholds),
    };
    return cmocka_run_group_tests_name("resolving", tests, NULL, NULL);
}
