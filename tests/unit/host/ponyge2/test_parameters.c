/* host/ponyge2/parameters.h: files of parameters read, line by line; defaults and notes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/ponyge2.h"

#include <math.h>

static void test_defaults(void **state) {
    (void)state;
    gr_settings s = settings_of("");
    assert_int_equal(s.population, 500);
    assert_int_equal(s.generations, 50);
    assert_int_equal(s.runs, 1);
    assert_int_equal(s.max_depth, 90);
    assert_int_equal(s.codon_size, 100000);
    assert_int_equal(s.genome_length, 200);
    assert_int_equal(s.max_genome_length, 1000);
    assert_int_equal(s.max_wraps, 0);
    assert_int_equal(s.initialisation, GR_INIT_PI_GROW);
    assert_int_equal(s.init_max_depth, 10);
    assert_true(s.distinct_ramp);
    assert_int_equal(s.tournament, 2);
    assert_int_equal(s.elites, 5);
    assert_int_equal(s.crossover, GR_CROSSOVER_VARIABLE_ONEPOINT);
    assert_true(fabs(s.crossover_probability - 0.75) < 1e-9);
    assert_true(isnan(s.codon_mutation) && s.crossover_within_used);
    assert_int_equal(s.metric, GR_METRIC_RMSE);
    assert_int_equal(s.header, GR_HEADER_NO); /* the first line is a comment */
    assert_true(ends(s.grammar, "grammars/supervised_learning/Vladislavleva4.bnf"));
    assert_true(ends(s.data, "datasets/Vladislavleva4/Train.txt"));
    assert_string_equal(s.test_data, "");
    assert_string_equal(s.name, "p");
    assert_true(s.ponyge2_statistics);
    gr_settings_free(&s);
}

static void test_refused(void **state) {
    (void)state;
    check_refused("POPULATION_SIZE 500", "parameters/p.txt:1:1: no ':'");
    check_refused("\nPOPULATION_SIZE:", "parameters/p.txt:2:17: POPULATION_SIZE has no value");
    check_refused("\x01: 2", "parameters/p.txt:1:1: not text");
}

/* No test set, and the delimiter that is found. */
static void test_empty(void **state) {
    static const char *const texts[] = {"DATASET_DELIMITER:\nDATASET_TEST:\n",
                                        "DATASET_DELIMITER: ''\nDATASET_TEST: \"\"\n",
                                        "DATASET_DELIMITER: \t\n"};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        gr_settings s;
        gr_ponyge2_parameters *p;
        gr_error error;
        assert_int_equal(store(texts[k], &s, &p, &error), GR_OK);
        assert_int_equal(s.delimiter, GR_AUTO);
        assert_string_equal(s.test_data, "");
        gr_ponyge2_parameters_free(p);
        gr_settings_free(&s);
    }
}

/* What Python takes for True and False. A text would be true whatever it says. */
static void test_truth(void **state) {
    (void)state;
    gr_settings s = settings_of("INVALID_SELECTION: 1\nWITHIN_USED: 0\nMULTIAGENT: None\n");
    assert_true(s.invalid == GR_INVALID_WORST && !s.crossover_within_used);
    gr_settings_free(&s);
    check_refused("\nWITHIN_USED: false",
                  "parameters/p.txt:2:14: WITHIN_USED is 'false'; expected True or False");
    check_refused("CACHE: yes", "parameters/p.txt:1:8: CACHE is 'yes'; expected True or False");
}

/* Parameters are told from a run file by their first key, behind comments of any length. */
static void test_are_in(void **state) {
    (void)state;
    char text[700];
    for (int length = 250; length < 520; length++) {
        memset(text, 'x', sizeof text);
        text[0] = '#';
        snprintf(text + length, sizeof text - (size_t)length, "\n\n# y\nPOPULATION_SIZE: 3\n");
        write_file("parameters/long.txt", text);
        assert_true(gr_ponyge2_parameters_are_in("parameters/long.txt"));
    }
    write_file("parameters/long.txt", "\xef\xbb\xbfPOPULATION_SIZE: 3\n"); /* the mark of UTF-8 */
    assert_true(gr_ponyge2_parameters_are_in("parameters/long.txt"));
    gr_settings s = settings_of("\xef\xbb\xbfPOPULATION_SIZE: 3\n"); /* ... hides no key */
    assert_int_equal(s.population, 3);
    gr_settings_free(&s);
    write_file("parameters/long.txt", "population: 3\n");
    assert_false(gr_ponyge2_parameters_are_in("parameters/long.txt"));
}

static void test_notes(void **state) {
    (void)state;
    gr_settings s;
    gr_ponyge2_parameters *p;
    gr_error error;
    assert_int_equal(store("POPULATON_SIZE: 3\nMY_KEY: 4\nRUNS: 30\n", &s, &p, &error), GR_OK);
    assert_int_equal(gr_ponyge2_parameters_notes(p), 3);
    assert_string_equal(gr_ponyge2_parameters_note(p, 0),
                        "parameters/p.txt:1:1: unknown parameter 'POPULATON_SIZE' has no effect; "
                        "did you mean 'POPULATION_SIZE'?");
    assert_non_null(
        strstr(gr_ponyge2_parameters_note(p, 1), "p.txt:2:1: unknown parameter 'MY_KEY'"));
    assert_non_null(
        strstr(gr_ponyge2_parameters_note(p, 2), "30 runs in one launch, seeds 1 and on"));
    assert_int_equal(s.population, 500);
    gr_settings_free(&s);
    gr_ponyge2_parameters_free(p);
}

/* The file is found as it is written, or in parameters/ here or above; what it names is found
 * beside it. */
static void test_files(void **state) {
    (void)state;
    gr_ponyge2_parameters *p;
    gr_error error;
    gr_settings s;
    write_file("parameters/mine.txt",
               "POPULATION_SIZE: 61\nGRAMMAR_FILE: other.bnf\nDATASET_TRAIN: Test.csv\n");
    static const char *const paths[] = {"mine.txt", "parameters/mine.txt"};
    for (int i = 0; i < 2; i++) {
        if (gr_ponyge2_parameters_read(paths[i], &p, &error))
            fail_msg("%s", error.text);
        assert_int_equal(gr_settings_init(&s, &error), GR_OK);
        assert_int_equal(gr_ponyge2_parameters_store(p, &s, &error), GR_OK);
        assert_int_equal(s.population, 61);
        assert_true(ends(s.grammar, "grammars/other.bnf"));
        gr_settings_free(&s);
        gr_ponyge2_parameters_free(p);
    }
    assert_true(mkdir("src", 0777) == 0 && chdir("src") == 0); /* from where PonyGE2 is called */
    assert_int_equal(gr_ponyge2_parameters_read("mine.txt", &p, &error), GR_OK);
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    assert_int_equal(gr_ponyge2_parameters_store(p, &s, &error), GR_OK);
    assert_true(ends(s.grammar, "grammars/other.bnf") && s.population == 61);
    gr_settings_free(&s);
    gr_ponyge2_parameters_free(p);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(gr_ponyge2_parameters_read("none.txt", &p, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "none.txt"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_empty),    cmocka_unit_test(test_notes),
        cmocka_unit_test(test_files),    cmocka_unit_test(test_truth),
        cmocka_unit_test(test_are_in),
    };
    return cmocka_run_group_tests_name("parameters", tests, make_checkout, leave_checkout);
}
