/* Settings on the command line, in --help and in the table of the README. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/settings.h"

#include <math.h>
#include <stdlib.h>

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

/* Every blank of a path belongs to it; around anything else they say nothing. */
static void blanks(void **state) {
    (void)state;
    gr_settings s = fresh();
    gr_error error;
    int used;
    char *output[] = {"--output", "dir ", NULL}, *data[] = {"--data= a\tb.csv  ", NULL};
    char *target[] = {"--target", " y ", NULL}, *seed[] = {"--seed= 9 ", NULL};
    assert_int_equal(options(&s, 2, output, &used, &error), GR_OK);
    assert_string_equal(s.output, "dir ");
    assert_int_equal(options(&s, 1, data, &used, &error), GR_OK);
    assert_string_equal(s.data, " a\tb.csv  ");
    assert_int_equal(options(&s, 2, target, &used, &error), GR_OK);
    assert_string_equal(s.target, "y");
    assert_int_equal(options(&s, 1, seed, &used, &error), GR_OK);
    assert_int_equal(s.seed, 9);
    const char text[] = "data: 'in quotes '\ngrammar: |\n  folded.bnf\noutput: plain   \n";
    assert_int_equal(gr_settings_parse(&s, text, sizeof text - 1, "run.yaml", &error), GR_OK);
    assert_string_equal(s.data, "in quotes ");
    assert_string_equal(s.grammar, "folded.bnf");
    assert_string_equal(s.output, "plain");
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
                                    "grammar: FILE, units or genotype: tree");
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
        cmocka_unit_test(command_line),
        cmocka_unit_test(blanks),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(help_and_table),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
