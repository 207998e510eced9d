/* Run files: read with the position of every error, written and read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/settings.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

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
                                   "expected what it refers to, written out"},
        {"name: !!python/object/apply:os.system x\n",
         "folder/run.yaml:1:7: the tag 'tag:yaml.org,2002:python/object/apply:os.system'; expected "
         "a "
         "value without one"},
        {"seed: !secret 5\n",
         "folder/run.yaml:1:7: the tag '!secret'; expected a value without one"},
        {"!x name: 5\n", "folder/run.yaml:1:1: the tag '!x'; expected a value without one"},
        {"--- !x\nname: 5\n", "folder/run.yaml:1:5: the tag '!x'; expected a value without one"},
        {"seed: !!int 5\nname: !!str 5\npopulation: !!float x\n",
         "folder/run.yaml:3:13: population is 'x'; expected a whole number from 1 to 100000000"},
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
        if (s.origin[key].from !=
            GR_FROM_DEFAULT) /* of the others those that are read: test_uses */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_file),
        cmocka_unit_test(bad_run_files),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(missing_file),
    };
    return cmocka_run_group_tests_name("run files", tests, NULL, NULL);
}
