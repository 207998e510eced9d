/* Settings: defaults, run files, options, resolving, and the wording and position of errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/base/params.h"
#include "host/settings/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static gr_settings fresh(void) {
    gr_settings s;
    assert_int_equal(gr_settings_init(&s, NULL), GR_OK);
    return s;
}

/* Parses `text` as folder/run.yaml and resolves if asked; the error's text, "" when there is none.
 */
static const char *parse(gr_settings *s, const char *text, bool resolve, gr_error *error) {
    *s = fresh();
    memset(error, 0, sizeof *error);
    gr_status status = gr_settings_parse(s, text, strlen(text), "folder/run.yaml", error);
    if (status == GR_OK && resolve)
        status = gr_settings_resolve(s, error);
    assert_int_equal(status, error->status);
    assert_true(status == GR_OK || status == GR_BAD_INPUT);
    return error->text;
}

static void defaults(void **state) {
    (void)state;
    gr_settings s = fresh();
    assert_int_equal(s.population, 500);
    assert_int_equal(s.generations, 50);
    assert_int_equal(s.seed, 1);
    assert_int_equal(s.genotype, GR_GRAMMATICAL);
    assert_int_equal(s.metric, GR_AUTO);
    assert_int_equal(s.max_depth, GR_AUTO);
    assert_true(isnan(s.crossover_probability));
    assert_true(isnan(s.target_fitness));
    assert_true(s.graph && s.crossover_within_used && !s.quiet);
    assert_string_equal(s.output, "results");
    assert_string_equal(s.data, "");
    assert_int_equal(s.origin[GR_KEY_population].from, GR_FROM_DEFAULT);
    gr_settings_free(&s);
}

static void run_file(void **state) {
    (void)state;
    gr_settings s;
    gr_error error;
    assert_string_equal(parse(&s,
                              "# a run\n"
                              "population: 32\n"
                              "seed: 18446744073709551615\n"
                              "functions: +, -, sin\n"
                              "metric: balanced-accuracy\n"
                              "graph: No\n"
                              "target-fitness: 1e-3\n"
                              "data: x.csv\n"
                              "test-data: \"/abs/y.csv\"\n"
                              "target: 'a b'\n"
                              "target-expression: x[:, 0] + 1\n",
                              false, &error),
                        "");
    assert_int_equal(s.population, 32);
    assert_true(s.seed == UINT64_MAX);
    assert_string_equal(s.functions, "+, -, sin");
    assert_int_equal(s.metric, GR_METRIC_BALANCED);
    assert_false(s.graph);
    assert_true(s.target_fitness == 1e-3);
    assert_string_equal(s.data, "folder/x.csv"); /* relative to the run file */
    assert_string_equal(s.test_data, "/abs/y.csv");
    assert_string_equal(s.target, "a b");
    assert_string_equal(s.target_expression, "x[:, 0] + 1");
    assert_int_equal(s.origin[GR_KEY_metric].from, GR_FROM_FILE);
    assert_int_equal(s.origin[GR_KEY_metric].line, 5);
    assert_int_equal(s.origin[GR_KEY_metric].column, 9);
    gr_settings_free(&s);
}

/* Every word stands for the enumerator it should. */
static void words(void **state) {
    (void)state;
    static const struct {
        const char *key, *word;
        uint32_t value;
    } cases[] = {
        {"metric", "sae", GR_METRIC_SAE},
        {"metric", "r2", GR_METRIC_R2},
        {"metric", "boolean-hits", GR_METRIC_BOOLEAN_HITS},
        {"metric", "auto", GR_AUTO},
        {"crossover", "none", GR_CROSSOVER_NONE},
        {"crossover", "subtree", GR_CROSSOVER_SUBTREE},
        {"crossover", "fixed-twopoint", GR_CROSSOVER_FIXED_TWOPOINT},
        {"initialisation", "uniform", GR_INIT_UNIFORM},
        {"initialisation", "ramped", GR_INIT_RAMPED},
        {"metric", "max-error", GR_METRIC_MAX_ERROR},
        {"genotype", "tree", GR_TREE},
        {"class-rule", "thresholds", GR_CLASS_THRESHOLDS},
        {"device", "auto", GR_AUTO},
        {"device", "cpu", GR_DEVICE_CPU},
        {"device", "cuda", GR_DEVICE_CUDA},
        {"math", "fast", GR_MATH_FAST},
        {"delimiter", "comma", GR_DELIMITER_COMMA},
        {"delimiter", "colon", GR_DELIMITER_COLON},
        {"header", "no", GR_HEADER_NO},
        {"header", "yes", GR_HEADER_YES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s = fresh();
        assert_int_equal(gr_settings_set(&s, cases[i].key, cases[i].word, NULL), GR_OK);
        for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
            if (s.origin[key].from == GR_FROM_CALLER) {
                char *back = gr_settings_get(&s, (gr_key)key);
                assert_string_equal(back, cases[i].word);
                free(back);
            }
        const struct {
            const char *key;
            uint32_t value;
        } fields[] = {{"metric", s.metric},
                      {"crossover", s.crossover},
                      {"genotype", s.genotype},
                      {"initialisation", s.initialisation},
                      {"class-rule", s.class_rule},
                      {"device", s.device},
                      {"math", s.math},
                      {"delimiter", s.delimiter},
                      {"header", s.header}};
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            if (strcmp(fields[k].key, cases[i].key) == 0)
                assert_int_equal(fields[k].value, cases[i].value);
        gr_settings_free(&s);
    }
}

static void bad_run_files(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"popluation: 5\n",
         "folder/run.yaml:1:1: unknown key 'popluation'; did you mean 'population'?"},
        {"seed: 1\n  wrong: 2\n",
         "folder/run.yaml:2:8: mapping values are not allowed in this context; "
         "expected YAML, lines of 'key: value'"},
        {"population: [1]\n", "folder/run.yaml:1:13: population is a sequence; "
                              "expected a whole number from 1 to 100000000"},
        {"functions: [+, -]\n", "folder/run.yaml:1:12: functions is a sequence; "
                                "expected one text with commas, as in \"a, b\""},
        {"seed: 1\npopulation: abc\n", "folder/run.yaml:2:13: population is 'abc'; "
                                       "expected a whole number from 1 to 100000000"},
        {"population: 0\n", "folder/run.yaml:1:13: population is '0'; "
                            "expected a whole number from 1 to 100000000"},
        {"population: -1\n", "folder/run.yaml:1:13: population is '-1'; "
                             "expected a whole number from 1 to 100000000"},
        {"population: 1.5\n", "folder/run.yaml:1:13: population is '1.5'; "
                              "expected a whole number from 1 to 100000000"},
        {"population:\n", "folder/run.yaml:1:12: population has no value; "
                          "expected a whole number from 1 to 100000000"},
        {"seed: 18446744073709551616\n", "folder/run.yaml:1:7: seed is '18446744073709551616'; "
                                         "expected a whole number from 0 to 18446744073709551615"},
        {"tolerance: nan\n",
         "folder/run.yaml:1:12: tolerance is 'nan'; expected a number from 0 to 1e+30"},
        {"crossover-probability: 1.5\n", "folder/run.yaml:1:24: crossover-probability is '1.5'; "
                                         "expected a number from 0 to 1 or auto"},
        {"graph: maybe\n", "folder/run.yaml:1:8: graph is 'maybe'; expected true or false"},
        {"math: quick\n", "folder/run.yaml:1:7: math is 'quick'; expected one of exact|fast"},
        {"seed: 1\nseed: 2\n",
         "folder/run.yaml:2:1: seed is given twice; expected once, as on line 1"},
        {"- 1\n", "folder/run.yaml:1:1: not a mapping; expected lines of 'key: value'"},
        {"text\n", "folder/run.yaml:1:1: not a mapping; expected lines of 'key: value'"},
        {"", "folder/run.yaml:1:1: no settings; expected lines of 'key: value'"},
        {"seed: 1\n---\nseed: 2\n", "folder/run.yaml:2:1: a second document; expected one"},
        {"name: &a x\ndata: *a\n", "folder/run.yaml:2:7: data is a reference; "
                                   "expected text without control characters"},
        {"? [a]\n: 1\n", "folder/run.yaml:1:3: not a key; expected the name of a setting"},
        {"name: \"a\\0b\"\n", "folder/run.yaml:1:7: a NUL character; "
                              "expected text without control characters"},
        {"name: \"a\\eb\"\n", "folder/run.yaml:1:7: name is '(not text)'; "
                              "expected text without control characters"},
        {"seed: 1\nname: \xff\n", "folder/run.yaml:2:7: invalid leading UTF-8 octet; "
                                  "expected YAML, lines of 'key: value'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_error error;
        assert_string_equal(parse(&s, cases[i].text, false, &error), cases[i].message);
        gr_settings_free(&s);
    }
}

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
        {"data: a\n", "folder/run.yaml: no grammar for genotype grammar; "
                      "expected grammar: FILE, or genotype: tree"},
        {"data: a\noutput: \"\"\ngenotype: tree\n",
         "folder/run.yaml:2:9: output has no value; expected a folder, as in results"},
        {"data: a\ngenotype: tree\noutput: \" \"\n",
         "folder/run.yaml:3:9: output has no value; expected a folder, as in results"},
        {"data: a\ngenotype: tree\npopulation: 3\nreplacement: steady-state\n"
         "children-per-step: 4\n",
         "folder/run.yaml:5:20: 4 children a step in a population of 3; expected at most that "
         "many"},
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
         "expected none, subtree, "
         "depth-dependent, size-fair or common-point"},
        {"data: a\ngenotype: tree\ncrossover: lists\n",
         "folder/run.yaml:3:12: crossover is lists, which does not work on genotype tree; expected "
         "none, subtree, "
         "depth-dependent, size-fair or common-point"},
        {"data: a\ngrammar: g\ncrossover: lists\n",
         "folder/run.yaml:3:12: crossover is lists, which does not work on genotype grammar; "
         "expected "
         "none, fixed-onepoint, variable-onepoint, fixed-twopoint, variable-twopoint, uniform or "
         "subtree"},
        {"data: a\ngrammar: g\ngenotype: structured\ncrossover: variable-onepoint\n",
         "folder/run.yaml:4:12: crossover is variable-onepoint, which does not work on genotype "
         "structured; "
         "expected none, fixed-onepoint, fixed-twopoint, uniform or lists"},
        {"data: a\ngrammar: g\ngenotype: structured\nmapping: pi\n",
         "folder/run.yaml:4:10: it works on codons in a row; expected genotype grammar"},
        {"data: a\ngrammar: g\nmapping: pi\nwrap-rule: ponyge-linear\n",
         "folder/run.yaml:4:12: wrap-rule ponyge-linear reads symbols from left to right, mapping "
         "pi does not; expected codons, libge or geva"},
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
        {"data: a\ngrammar: g\ngenotype: structured\ncrossover: subtree\n",
         "folder/run.yaml:4:12: crossover is subtree, which does not work on genotype structured; "
         "expected none, fixed-onepoint, fixed-twopoint, uniform or lists"},
        {"data: a\ngrammar: g\ncrossover: size-fair\n",
         "folder/run.yaml:3:12: crossover is size-fair, which does not work on genotype grammar; "
         "expected "
         "none, fixed-onepoint, variable-onepoint, fixed-twopoint, variable-twopoint, uniform or "
         "subtree"},
        {"data: a\ngrammar: g\ncrossover: subtree\nmax-depth: 5000\n",
         "folder/run.yaml:3:12: operators on subtrees of derivations of up to max-depth 5000; "
         "expected at most 4095"},
        {"data: a\ngenotype: tree\ninvalid: excluded\n",
         "folder/run.yaml:3:10: trees are never invalid; expected worst, or genotype grammar"},
        {"data: a\ngrammar: g\ntopology: torus\ndeme-width: 4\ndeme-height: 3\ninvalid: "
         "excluded\n",
         "folder/run.yaml:6:10: on a torus neighbours are compared; expected invalid worst or "
         "redrawn"},
        {"data: a\ngrammar: g\nreplacement: steady-state\nelites: 3\n",
         "folder/run.yaml:4:9: 3 elites in a steady state, where all but children-per-step stay; "
         "expected none to be given"},
        {"data: a\ngrammar: g\nreplacement: steady-state\nchildren-per-step: 501\n",
         "folder/run.yaml:4:20: 501 children a step in a population of 500; expected at most that "
         "many"},
        {"data: a\ngenotype: tree\nsubtree-mutation-depth: 65\n",
         "folder/run.yaml:3:25: subtree-mutation-depth 65 for trees; expected at most 64"},
        {"data: a\ngrammar: g\nhoist-mutation: 0.5\n",
         "folder/run.yaml:3:17: it works on trees; expected genotype tree"},
        {"data: a\ngrammar: g\nfunction-points: 0.9\n",
         "folder/run.yaml:3:18: it works on trees; expected genotype tree"},
        {"data: a\ngenotype: tree\ncrossover: uniform\n",
         "folder/run.yaml:3:12: crossover is uniform, which does not work on genotype tree; "
         "expected "
         "none, subtree, "
         "depth-dependent, size-fair or common-point"},
        {"data: a\ngenotype: tree\ninitialisation: pi-grow\n",
         "folder/run.yaml:3:17: initialisation is pi-grow, which does not work on genotype tree; "
         "expected grow, full, ramped, ptc2 or sized"},
        {"data: a\ngrammar: g\ninitialisation: sized\n",
         "folder/run.yaml:3:17: initialisation is sized, which does not work on genotype grammar; "
         "expected uniform, grow, full, ramped, ptc2 or pi-grow"},
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
         "folder/run.yaml:3:9: metric of numbers for a boolean problem; expected boolean-hits"},
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
        {"data: a\ngenotype: tree\ntopology: torus\n",
         "folder/run.yaml:3:11: topology torus without its size; expected deme-width and "
         "deme-height"},
        {"data: a\ngenotype: tree\npopulation: 12\ntopology: torus\ndeme-width: 5\n",
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
         "folder/run.yaml:3:12: cannot read constants at ''; expected e.g. \"0:1.27:0.01\", \"1, "
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
        {"data: a\ngenotype: tree\nname: a/b\n",
         "folder/run.yaml:3:7: name is 'a/b'; expected a name without '/'"},
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

static gr_status options(gr_settings *s, int argc, char **argv, int *used, gr_error *error) {
    memset(error, 0, sizeof *error);
    return gr_settings_option(s, argc, argv, used, error);
}

static void command_line(void **state) {
    (void)state;
    gr_settings s = fresh();
    gr_error error;
    int used;
    char *pair[] = {"--population", "77", NULL}, *equals[] = {"--seed=9", NULL};
    char *on[] = {"--quiet", "run.yaml", NULL}, *off[] = {"--no-graph", NULL};
    char *word[] = {"--json", "true", NULL}, *other[] = {"--grammer", "x", NULL};
    char *path[] = {"--data", "-5.csv", NULL}, *negative[] = {"--constant-min", "-200", NULL};
    assert_int_equal(options(&s, 2, pair, &used, &error), GR_OK);
    assert_int_equal(used, 2);
    assert_int_equal(s.population, 77);
    assert_int_equal(options(&s, 1, equals, &used, &error), GR_OK);
    assert_int_equal(used, 1);
    assert_int_equal(s.seed, 9);
    assert_int_equal(options(&s, 2, on, &used, &error), GR_OK);
    assert_int_equal(used, 1); /* a file's name is not the value of a switch */
    assert_true(s.quiet);
    assert_int_equal(options(&s, 1, off, &used, &error), GR_OK);
    assert_false(s.graph);
    assert_int_equal(options(&s, 2, word, &used, &error), GR_OK);
    assert_int_equal(used, 2);
    assert_true(s.json);
    assert_int_equal(options(&s, 2, other, &used, &error), GR_OK);
    assert_int_equal(used, 0);
    assert_int_equal(options(&s, 2, path, &used, &error), GR_OK);
    assert_string_equal(s.data, "-5.csv"); /* relative to where we are */
    assert_int_equal(options(&s, 2, negative, &used, &error), GR_OK);
    assert_true(s.constant_min == -200);
    gr_settings_free(&s);
}

static void bad_options(void **state) {
    (void)state;
    gr_settings s = fresh();
    gr_error error;
    int used;
    char *missing[] = {"--population", "--quiet", NULL}, *wrong[] = {"--population=x", NULL};
    char *none[] = {"--genotype=grammar", NULL};
    static const char *const more[] = {"version", NULL};
    assert_int_equal(options(&s, 2, missing, &used, &error), GR_BAD_INPUT);
    assert_string_equal(error.text,
                        "--population: no value; expected a whole number from 1 to 100000000");
    assert_int_equal(options(&s, 1, wrong, &used, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "--population is 'x'; expected a whole number from 1 to "
                                    "100000000");
    assert_int_equal(s.population, 500); /* left as it was */
    assert_int_equal(options(&s, 1, none, &used, &error), GR_OK);
    assert_int_equal(gr_settings_set(&s, "data", "x.csv", &error), GR_OK);
    assert_int_equal(gr_settings_resolve(&s, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "--genotype: no grammar for genotype grammar; expected "
                                    "grammar: FILE, or genotype: tree");
    assert_int_equal(gr_settings_unknown_option("--grammer=x", more, &error), GR_BAD_INPUT);
    assert_string_equal(error.text, "--grammer=x: unknown option; did you mean '--grammar'?");
    gr_settings_unknown_option("--verson", more, &error);
    assert_string_equal(error.text, "--verson: unknown option; did you mean '--version'?");
    gr_settings_unknown_option("--no-grph", more, &error);
    assert_string_equal(error.text, "--no-grph: unknown option; did you mean '--no-graph'?");
    gr_settings_unknown_option("--zzzzzzzz", more, &error);
    assert_string_equal(error.text,
                        "--zzzzzzzz: unknown option; expected one of the options in --help");
    gr_settings_free(&s);
}

/* run.yaml written and read again gives the same settings, and the same file. */
static void round_trip(void **state) {
    (void)state;
    char folder[] = "/tmp/grampus-settings-XXXXXX", first[64], second[64];
    assert_non_null(mkdtemp(folder));
    snprintf(first, sizeof first, "%s/a.yaml", folder);
    snprintf(second, sizeof second, "%s/b.yaml", folder);
    gr_settings s = fresh(), again = fresh();
    gr_error error = {0};
    static const char *const values[][2] = {
        {"name", "it's: #1 \"odd\" \\ \xc3\xa9"},
        {"target-expression", "- x * *y: z & [a] {b} !c | > % @ `"},
        {"tolerance", "0.1"},
        {"constant-max", "1.2345678901234567e-09"},
        {"seed", "18446744073709551615"},
        {"target-fitness", "0"},
        {"graph", "false"},
        {"data", "x.csv"},
        {"variables", "x = grid(-5, 5, 0.4); y = grid(-5, 5, 0.4); some_long_name_0 = grid(0, 1, "
                      "0.5); some_long_name_1 = grid(0, 1, 0.5)"},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_int_equal(gr_settings_set(&s, values[i][0], values[i][1], &error), GR_OK);
    assert_int_equal(gr_settings_save(&s, first, "two\nlines", &error), GR_OK);
    assert_int_equal(gr_settings_load(&again, first, &error), GR_OK);
    assert_true(*again.data == '/');
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        char *a = gr_settings_get(&s, (gr_key)key), *b = gr_settings_get(&again, (gr_key)key);
        if (key != GR_KEY_data) /* absolute by now */
            assert_string_equal(a, b);
        assert_int_equal(again.origin[key].from, GR_FROM_FILE);
        free(a);
        free(b);
    }
    assert_int_equal(gr_settings_save(&again, second, "two\nlines", &error), GR_OK);
    char command[200];
    snprintf(command, sizeof command, "cmp -s %s %s && rm -r %s", first, second, folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(gr_settings_save(&s, "/nonexistent/x", NULL, &error), GR_FAILED);
    gr_settings_free(&s);
    gr_settings_free(&again);
}

static void missing_file(void **state) {
    (void)state;
    gr_settings s = fresh();
    gr_error error;
    assert_int_equal(gr_settings_load(&s, "/nonexistent.yaml", &error), GR_BAD_INPUT);
    assert_string_equal(error.text,
                        "/nonexistent.yaml: No such file or directory; expected a run file");
    assert_int_equal(gr_settings_load(&s, "/tmp", &error), GR_BAD_INPUT);
    gr_settings_free(&s);
}

static void help_and_table(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    gr_settings_help(out);
    gr_settings_markdown(out);
    fclose(out);
    assert_non_null(strstr(text, "  --population N "));
    assert_non_null(strstr(text, "  --[no-]graph "));
    assert_non_null(strstr(text, "| `population` | 1 to 100000000 | `500` |"));
    assert_non_null(strstr(text, "multiplexer-3\\|6\\|11\\|20")); /* bars inside a cell */
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(run_file),
        cmocka_unit_test(words),
        cmocka_unit_test(bad_run_files),
        cmocka_unit_test(cross_checks),
        cmocka_unit_test(autos_of_trees),
        cmocka_unit_test(autos_of_grammars),
        cmocka_unit_test(small_populations),
        cmocka_unit_test(command_line),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(missing_file),
        cmocka_unit_test(help_and_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
