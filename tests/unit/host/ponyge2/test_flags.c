/* host/ponyge2/flags.c: parameters on the command line, beside settings of their own names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/ponyge2.h"

/* A flag over a file's text; expected used arguments, or -1: an error. */
static gr_settings flag(const char *text, const char *name, const char *value, int expected) {
    gr_settings s;
    gr_ponyge2_parameters *p;
    gr_error error = {GR_OK, ""};
    char *argv[] = {(char *)(uintptr_t)name, (char *)(uintptr_t)value};
    int used;
    assert_int_equal(
        gr_ponyge2_parameters_parse(text, strlen(text), "parameters/p.txt", &p, &error), GR_OK);
    gr_status status = gr_ponyge2_parameters_flag(p, value ? 2 : 1, argv, &used, &error);
    assert_int_equal(status ? -1 : used, expected);
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    if (!status && gr_ponyge2_parameters_store(p, &s, &error))
        fail_msg("%s", error.text);
    gr_ponyge2_parameters_free(p);
    return s;
}

static void test_flags(void **state) {
    (void)state;
    gr_settings s = flag("POPULATION_SIZE: 60", "--population_size", "70", 2);
    assert_int_equal(s.population, 70);
    gr_settings_free(&s);
    s = flag("", "--popul=80", NULL, 1);
    assert_int_equal(s.population, 80);
    gr_settings_free(&s);
    s = flag("", "--fitness", "supervised_learning.classification", 2);
    assert_int_equal(s.metric, GR_METRIC_F1);
    gr_settings_free(&s);
    s = flag("", "--grammar", "other.bnf", 2);
    assert_true(ends(s.grammar, "grammars/other.bnf"));
    gr_settings_free(&s);
    s = flag("", "--silent", "--x", 1);
    assert_true(s.quiet);
    gr_settings_free(&s);
    s = flag("WITHIN_USED: False", "--crossover", "operators.crossover.fixed_onepoint", 2);
    assert_int_equal(s.crossover, GR_CROSSOVER_FIXED_ONEPOINT);
    gr_settings_free(&s);
    const char *const mine[] = {"--crossover", "--target", "--seed", "--cache", "--max-depth", "x"};
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++) { /* settings, or file only */
        s = flag("", mine[i], "3", 0);
        gr_settings_free(&s);
    }
    s = flag("", "--max", "3", -1); /* several */
    gr_settings_free(&s);
    s = flag("", "--population_size", NULL, -1);
    gr_settings_free(&s);
    s = flag("", "--debug=1", NULL, -1);
    gr_settings_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flags),
    };
    return cmocka_run_group_tests_name("flags", tests, make_checkout, leave_checkout);
}
