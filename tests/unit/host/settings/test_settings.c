/* Settings: defaults, words, values stored and given back, and where an error is said to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/settings/table.h"
#include "tests/settings.h"

#include <math.h>
#include <stdlib.h>

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

/* A text, a number, a switch: stored, told where from, and given back as it was written. */
static void set_and_get(void **state) {
    (void)state;
    static const char *const values[][2] = {
        {"population", "77"},  {"seed", "18446744073709551615"},
        {"tolerance", "0.1"},  {"graph", "false"},
        {"metric", "r2"},      {"metric", "auto"},
        {"max-depth", "auto"}, {"target-fitness", "none"},
        {"functions", "+, -"}, {"crossover-probability", "auto"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        gr_settings s = fresh();
        gr_error error;
        gr_key key = gr_setting_find(values[i][0], strlen(values[i][0]));
        assert_int_not_equal(key, GR_KEY_COUNT);
        assert_int_equal(s.origin[key].from, GR_FROM_DEFAULT);
        assert_int_equal(gr_settings_set(&s, values[i][0], values[i][1], &error), GR_OK);
        assert_int_equal(s.origin[key].from, GR_FROM_CALLER);
        char *back = gr_settings_get(&s, key);
        assert_string_equal(back, values[i][1]);
        free(back);
        gr_settings_free(&s);
    }
}

/* A value that is refused leaves the one before. */
static void refused(void **state) {
    (void)state;
    static const char *const values[][2] = {
        {"population", "0"},    {"population", "1e3"}, {"population", "100000001"},
        {"population", "auto"}, {"metric", "r3"},      {"tolerance", "-1"},
        {"tolerance", "inf"},   {"graph", "2"},        {"max-depth", "none"}};
    gr_settings s = fresh(), same = fresh();
    gr_error error;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (gr_settings_set(&s, values[i][0], values[i][1], &error) != GR_BAD_INPUT)
            fail_msg("%s: %s is taken", values[i][0], values[i][1]);
        assert_non_null(strstr(error.text, values[i][0]));
        assert_non_null(strstr(error.text, "; expected "));
    }
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        char *a = gr_settings_get(&s, (gr_key)key), *b = gr_settings_get(&same, (gr_key)key);
        assert_string_equal(a, b);
        assert_int_equal(s.origin[key].from, GR_FROM_DEFAULT);
        free(a);
        free(b);
    }
    assert_int_equal(gr_settings_set(&s, "populaton", "3", &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "did you mean 'population'?"));
    gr_settings_free(&s);
    gr_settings_free(&same);
}

/* An error is said where its setting was given. */
static void blame(void **state) {
    (void)state;
    gr_settings s;
    gr_error error;
    char *option[] = {"--seed=4", NULL};
    int used;
    assert_string_equal(parse(&s, "seed: 3\n", false, &error), "");
    gr_settings_fail(&s, GR_KEY_seed, &error, "%d is odd", 3);
    assert_string_equal(error.text, "folder/run.yaml:1:7: 3 is odd");
    assert_int_equal(gr_settings_option(&s, 1, option, &used, &error), GR_OK);
    gr_settings_fail(&s, GR_KEY_seed, &error, "%d is even", 4);
    assert_string_equal(error.text, "--seed: 4 is even");
    assert_int_equal(gr_settings_set(&s, "seed", "5", &error), GR_OK); /* its name, once */
    gr_settings_fail(&s, GR_KEY_seed, &error, "%d is odd", 5);
    assert_string_equal(error.text, "seed: 5 is odd");
    gr_settings_fail(&s, GR_KEY_seed, &error, "no seed %d", 5);
    assert_string_equal(error.text, "no seed 5");
    gr_settings_fail(&s, GR_KEY_name, &error, "none"); /* a default: the file lacks it */
    assert_string_equal(error.text, "folder/run.yaml: none");
    gr_settings_free(&s);
}

/* Every default is one that a user may write, and is read as it is. */
static void every_default(void **state) {
    (void)state;
    gr_settings s = fresh();
    gr_error error;
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        const char *name = gr_setting_table[key].key, *initial = gr_setting_table[key].initial;
        char *value = gr_settings_get(&s, (gr_key)key);
        assert_int_equal(gr_setting_find(name, strlen(name)), key);
        assert_string_equal(value, initial);
        if (*initial && gr_settings_set(&s, name, initial, &error))
            fail_msg("%s", error.text);
        free(value);
    }
    gr_settings_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults), cmocka_unit_test(words), cmocka_unit_test(set_and_get),
        cmocka_unit_test(refused),  cmocka_unit_test(blame), cmocka_unit_test(every_default),
    };
    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
