/* host/ponyge2/store.c: what parameters become as settings, and which have no meaning here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/ponyge2.h"

#include <math.h>

static void test_keys(void **state) {
    (void)state;
    gr_settings s =
        settings_of("# POPULATION_SIZE: 3\n\nPOPULATION_SIZE: 60\r\n  GENERATIONS :7\n"
                    "GRAMMAR_FILE: 'other.bnf'\nDATASET_TRAIN: Test.csv\n"
                    "DATASET_TEST: \"Test.csv\"\nDATASET_DELIMITER: ','\nERROR_METRIC: mae\n"
                    "MAX_TREE_DEPTH: 17 # deep\nMAX_INIT_TREE_DEPTH: 9\n"
                    "MIN_INIT_TREE_DEPTH: 3\nMAX_GENOME_LENGTH: 100\nMAX_WRAPS: 2\n"
                    "CODON_SIZE: 255\nINITIALISATION: operators.initialisation.rhh\n"
                    "CROSSOVER: fixed_twopoint\nCROSSOVER_PROBABILITY: .5\n"
                    "WITHIN_USED: False\nMUTATION_PROBABILITY: 0.01\nELITE_SIZE: 3\n"
                    "TOURNAMENT_SIZE: 4\nRANDOM_SEED: 42\nEXPERIMENT_NAME: try\nSILENT: True\n"
                    "CORES: 2\nCACHE: True\nLOOKUP_FITNESS: True\nSAVE_PLOTS: False\n"
                    "STEP: step\nSEARCH_LOOP: search_loop\nMULTICORE: False\n");
    assert_int_equal(s.population, 60);
    assert_int_equal(s.generations, 7);
    assert_true(ends(s.grammar, "grammars/other.bnf") && ends(s.test_data, "datasets/Test.csv"));
    assert_int_equal(s.header, GR_HEADER_YES);
    assert_int_equal(s.delimiter, GR_DELIMITER_COMMA);
    assert_int_equal(s.metric, GR_METRIC_MAE);
    assert_int_equal(s.max_depth, 17);
    assert_int_equal(s.init_min_depth, 4); /* range(3 + 1, ...) */
    assert_false(s.distinct_ramp);
    assert_int_equal(s.init_max_depth, 9);
    assert_int_equal(s.max_genome_length, 100);
    assert_int_equal(s.genome_length, 100);
    assert_int_equal(s.max_wraps, 2);
    assert_int_equal(s.codon_size, 255);
    assert_int_equal(s.initialisation, GR_INIT_RAMPED);
    assert_int_equal(s.crossover, GR_CROSSOVER_FIXED_TWOPOINT);
    assert_true(!s.crossover_within_used && !s.mutation_within_used && s.quiet);
    assert_true(fabs(s.codon_mutation - 0.01) < 1e-9);
    assert_int_equal(s.elites, 3);
    assert_int_equal(s.tournament, 4);
    assert_int_equal(s.seed, 42);
    assert_int_equal(s.threads, 2);
    assert_string_equal(s.name, "try");
    gr_settings_free(&s);
}

/* PonyGE2 has a cache to look in, or no duplicates; a fitness that stands there comes first. */
static void test_duplicates(void **state) {
    (void)state;
    static const struct {
        const char *text, *note;
    } cases[] = {{"MUTATE_DUPLICATES: True\nCACHE: True\n", NULL},
                 {"MUTATE_DUPLICATES: True\n",
                  ":1:20: MUTATE_DUPLICATES has no effect, as in PonyGE2, without CACHE"},
                 {"MUTATE_DUPLICATES: True\nCACHE: True\nLOOKUP_FITNESS: True\n",
                  ":1:20: MUTATE_DUPLICATES has no effect, as in PonyGE2, where LOOKUP_FITNESS "
                  "takes the fitness of duplicates"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_ponyge2_parameters *p = NULL;
        gr_error error = {GR_OK, ""};
        assert_int_equal(store(cases[i].text, &s, &p, &error), GR_OK);
        assert_int_equal(s.mutate_duplicates, !cases[i].note);
        assert_int_equal(gr_ponyge2_parameters_notes(p), cases[i].note != NULL);
        assert_true(!cases[i].note || ends(gr_ponyge2_parameters_note(p, 0), cases[i].note));
        gr_ponyge2_parameters_free(p);
        gr_settings_free(&s);
    }
}

/* Uniform genomes that the limit cuts are told of; of trees nobody minds. */
static void test_cut_length(void **state) {
    (void)state;
    static const struct {
        const char *text, *note;
    } cases[] = {
        {"INITIALISATION: uniform_genome\nMAX_GENOME_LENGTH: 100\nINIT_GENOME_LENGTH: 300\n",
         ":2:20: INIT_GENOME_LENGTH is 300, but MAX_GENOME_LENGTH 100: first genomes have 100 "
         "codons"},
        {"INITIALISATION: operators.initialisation.rvd\nMAX_GENOME_LENGTH: 150\n",
         ":2:20: INIT_GENOME_LENGTH is 200, but MAX_GENOME_LENGTH 150: first genomes have 150 "
         "codons"},
        {"INITIALISATION: uniform_genome\nMAX_GENOME_LENGTH: 200\n", NULL},
        {"INITIALISATION: rhh\nMAX_GENOME_LENGTH: 100\n", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_settings s;
        gr_ponyge2_parameters *p = NULL;
        gr_error error = {GR_OK, ""};
        assert_int_equal(store(cases[i].text, &s, &p, &error), GR_OK);
        assert_int_equal(s.genome_length, s.max_genome_length);
        assert_int_equal(gr_ponyge2_parameters_notes(p), cases[i].note != NULL);
        assert_true(!cases[i].note || ends(gr_ponyge2_parameters_note(p, 0), cases[i].note));
        gr_ponyge2_parameters_free(p);
        gr_settings_free(&s);
    }
}

/* The defaults are PonyGE2's even where the parameters leave everything out. */
static void test_no_preset(void **state) {
    (void)state;
    gr_settings s = settings_of("GRAMMAR_FILE: other.bnf\n");
    assert_int_equal(s.preset, 0);
    gr_settings_free(&s);
}

static void test_mutation(void **state) {
    (void)state;
    gr_settings s = settings_of("MUTATION: int_flip_per_ind\nMUTATION_EVENTS: 3\n");
    assert_int_equal(s.mutation_events, 3);
    gr_settings_free(&s);
    s = settings_of("MUTATION: operators.mutation.int_flip_per_ind\n");
    assert_int_equal(s.mutation_events, 1);
    gr_settings_free(&s);
    s = settings_of("MUTATION: int_flip_per_codon\n");
    assert_int_equal(s.mutation_events, 0);
    gr_settings_free(&s);
    s = settings_of("MUTATION: int_flip_per_ind\nMUTATION_EVENTS: 0\n"); /* and no codon */
    assert_true(s.mutation_events == 0 && s.codon_mutation == 0.0);
    gr_settings_free(&s);
}

static void check_invalid(const char *text, uint32_t invalid) {
    gr_settings s = settings_of(text);
    assert_int_equal(s.invalid, invalid);
    gr_settings_free(&s);
}

/* Operators on subtrees, and what becomes of invalid individuals. */
static void test_subtrees_and_invalids(void **state) {
    (void)state;
    gr_settings s = settings_of("CROSSOVER: operators.crossover.subtree\nMUTATION: subtree\n"
                                "MUTATION_PROBABILITY: 0.3\nSELECTION: truncation\n"
                                "SELECTION_PROPORTION: 0.2\n");
    assert_int_equal(s.crossover, GR_CROSSOVER_SUBTREE);
    assert_true(s.subtree_mutation == 1.0 && s.codon_mutation == 0.0);
    assert_int_equal(s.selection, GR_SELECT_TRUNCATION);
    assert_true(fabs(s.truncation - 0.2) < 1e-9);
    gr_settings_free(&s);
    s = settings_of("CROSSOVER: variable_onepoint\n");
    assert_true(s.subtree_mutation == 0.0 && isnan(s.codon_mutation));
    assert_true(s.crossover_within_used && s.mutation_within_used);
    gr_settings_free(&s);
    s = settings_of("INITIALISATION: rvd\n");
    assert_true(s.initialisation == GR_INIT_UNIFORM && s.unique);
    gr_settings_free(&s);
    s = settings_of("REPLACEMENT: steady_state\n");
    assert_int_equal(s.replacement, GR_REPLACE_WORST);
    gr_settings_free(&s);
    check_invalid("", GR_INVALID_EXCLUDED);
    check_invalid("INVALID_SELECTION: True", GR_INVALID_WORST);
    check_invalid("NO_MUTATION_INVALIDS: True", GR_INVALID_REDRAWN);
    check_invalid("NO_CROSSOVER_INVALIDS: True\nNO_MUTATION_INVALIDS: True", GR_INVALID_REDRAWN);
}

static void check_metric(const char *text, uint32_t metric) {
    gr_settings s = settings_of(text);
    assert_int_equal(s.metric, metric);
    gr_settings_free(&s);
}

static void test_metrics(void **state) {
    (void)state;
    check_metric("FITNESS_FUNCTION: supervised_learning.classification", GR_METRIC_F1);
    check_metric("FITNESS_FUNCTION: supervised_learning.regression", GR_METRIC_RMSE);
    check_metric("FITNESS_FUNCTION: boolean_problem\nEXTRA_PARAMETERS: ['nparity', 5]",
                 GR_METRIC_BOOLEAN_ERRORS);
    check_metric("FITNESS_FUNCTION: supervised_learning.supervised_learning\nERROR_METRIC: mae",
                 GR_METRIC_MAE);
    check_metric("FITNESS_FUNCTION: supervised_learning.classification\nERROR_METRIC: hinge",
                 GR_METRIC_HINGE);
    check_metric("ERROR_METRIC: mse", GR_METRIC_MSE);
}

/* Problems that a fitness function makes, from EXTRA_PARAMETERS; no data are read. */
static void test_made(void **state) {
    (void)state;
    gr_settings s = settings_of("FITNESS_FUNCTION: boolean_problem\nRANDOM_SEED: 7\n"
                                "EXTRA_PARAMETERS: ['random_boolean', 4]\n");
    assert_string_equal(s.boolean, "random-4");
    assert_string_equal(s.data, "");
    assert_int_equal(s.data_seed, 7);
    gr_settings_free(&s);
    s = settings_of("FITNESS_FUNCTION: if_else_classifier\nEXTRA_PARAMETERS: 3 5 4\n");
    assert_string_equal(s.target_expression, "x0 + x1 + 1 - 4*(x0 + x1 >= 4) - 4*(x0 + x1 >= 8)");
    assert_string_equal(s.variables, "x0, x1, x2 = grid(0, 4, 1)");
    assert_true(s.n_is == 5 && s.n_os == 4 && s.metric == GR_METRIC_MISCLASSIFIED);
    gr_settings_free(&s);
}

/* Several objectives. */
static void test_objectives(void **state) {
    (void)state;
    gr_settings s = settings_of("FITNESS_FUNCTION: supervised_learning.regression, minimise_nodes\n"
                                "SELECTION: operators.selection.nsga2_selection\n"
                                "REPLACEMENT: operators.replacement.nsga2_replacement\n");
    assert_int_equal(s.selection, GR_SELECT_NSGA2);
    assert_int_equal(s.replacement, GR_REPLACE_BY_RANK);
    assert_string_equal(s.objectives, "error, derivation-nodes");
    assert_int_equal(s.metric, GR_METRIC_RMSE);
    gr_settings_free(&s);
}

/* Limits and seeds. */
static void test_seeds(void **state) {
    (void)state;
    gr_settings s = settings_of("MAX_TREE_NODES: 100\nREVERSE_MAPPING_TARGET: x[:, 0]\n"
                                "INITIALISATION: operators.initialisation.seed_individuals\n");
    assert_int_equal(s.max_derivation_nodes, 100);
    assert_string_equal(s.seed_program, "x[:, 0]");
    assert_int_equal(s.initialisation, GR_INIT_SEEDS);
    gr_settings_free(&s);
}

static void test_refused(void **state) {
    (void)state;
    check_refused("POPULATION_SIZE: many", "parameters/p.txt:1:18: population is 'many'");
    check_refused("GRAMMAR_FILE: no.bnf", "parameters/p.txt:1:15: GRAMMAR_FILE is 'no.bnf', which");
    check_refused("DATASET_TRAIN: no.txt", "parameters/p.txt:1:16: DATASET_TRAIN is 'no.txt'");
    check_refused("CROSSOVER: mine",
                  "parameters/p.txt:1:12: CROSSOVER is 'mine', but there is no such crossover");
    check_refused("MUTATION: a.b.mine", "parameters/p.txt:1:11: MUTATION is 'a.b.mine'");
    check_refused("SELECTION: nsga2_selection",
                  "parameters/p.txt:1:12: SELECTION is nsga2_selection; expected several");
    check_refused("REPLACEMENT: nsga2_replacement",
                  "parameters/p.txt:1:14: REPLACEMENT is nsga2_replacement; expected several");
    check_refused("MUTATION: int_flip_per_ind\nMUTATION_EVENTS: 2\nMUTATION_PROBABILITY: 0.5",
                  "parameters/p.txt:2:18: MUTATION_EVENTS beside MUTATION_PROBABILITY");
    check_refused("MUTATION: subtree\nMUTATION_EVENTS: 2",
                  "parameters/p.txt:2:18: MUTATION_EVENTS is '2', which subtree has not here; ");
    check_refused("MUTATION_EVENTS: 3",
                  "parameters/p.txt:1:18: MUTATION_EVENTS is '3', which int_flip_per_codon has");
    check_refused("NO_CROSSOVER_INVALIDS: True",
                  "parameters/p.txt:1:24: NO_CROSSOVER_INVALIDS alone");
    check_refused("FITNESS_FUNCTION: string_match", "parameters/p.txt:1:19: FITNESS_FUNCTION is");
    check_refused("FITNESS_FUNCTION: [a, b]", "parameters/p.txt:1:19: FITNESS_FUNCTION is");
    check_refused("ERROR_METRIC: r2", "parameters/p.txt:1:15: ERROR_METRIC is 'r2'");
    check_refused("OPTIMIZE_CONSTANTS: True",
                  "parameters/p.txt:1:21: OPTIMIZE_CONSTANTS with a grammar without constants");
    check_refused("MUTATION_PROBABILITY: 0.1\nMUTATION_EVENTS: 2",
                  "parameters/p.txt:2:18: MUTATION_EVENTS beside MUTATION_PROBABILITY");
    check_refused("DATASET_DELIMITER: xx", "parameters/p.txt:1:20: DATASET_DELIMITER is 'xx'");
    check_refused("FITNESS_FUNCTION: supervised_learning.supervised_learning",
                  "parameters/p.txt: ERROR_METRIC is 'None'; expected mse");
    check_refused(
        "MULTIAGENT: True",
        "parameters/p.txt:1:13: MULTIAGENT is 'True', but there is no multi-agent mode; ");
    check_refused("SELECTION: nsga2_selection\nFITNESS_FUNCTION: regression, minimise_nodes",
                  "parameters/p.txt:2:19: several objectives without both operators of NSGA-II; ");
    check_refused("SELECTION: nsga2_selection\nFITNESS_FUNCTION: regression, mine\n"
                  "REPLACEMENT: nsga2_replacement",
                  "parameters/p.txt:2:19: FITNESS_FUNCTION is 'regression, mine'; expected");
    check_refused("FITNESS_FUNCTION: boolean_problem",
                  "parameters/p.txt: EXTRA_PARAMETERS is '[]'; expected a function and a number");
    check_refused("FITNESS_FUNCTION: boolean_problem\nEXTRA_PARAMETERS: [parity, 3]",
                  "parameters/p.txt:2:19: EXTRA_PARAMETERS is '[parity, 3]'; expected nparity");
    check_refused("FITNESS_FUNCTION: if_else_classifier\nEXTRA_PARAMETERS: [1, 3, 3]",
                  "parameters/p.txt:2:19: EXTRA_PARAMETERS is '[1, 3, 3]'; expected numbers of");
    check_refused("FITNESS_FUNCTION: boolean_problem\nEXTRA_PARAMETERS: [nparity, 3]\n"
                  "ERROR_METRIC: mse",
                  "parameters/p.txt:3:15: ERROR_METRIC is 'mse' for a boolean_problem");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),       cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_cut_length), cmocka_unit_test(test_no_preset),
        cmocka_unit_test(test_mutation),   cmocka_unit_test(test_subtrees_and_invalids),
        cmocka_unit_test(test_metrics),    cmocka_unit_test(test_made),
        cmocka_unit_test(test_objectives), cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("parameters as settings", tests, make_checkout,
                                       leave_checkout);
}
