/* The law of a run with find-law, seen through grampus.h alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/library.h"

/* Every program is the one that is given. */
static grampus_run *evolved(const char *find_law, const char *program) {
    grampus_error error;
    grampus_settings *s;
    grampus_run *run;
    int finished = 0;
    check_ok(grampus_settings_new(&s, &error), &error);
    set(s, "genotype", "tree");
    set(s, "device", "cpu");
    set(s, "target-expression", "x * x / 2 + 3");
    set(s, "variables", "x = uniform(-1, 1)");
    set(s, "train-cases", "50");
    set(s, "linear-scaling", "true");
    set(s, "seed-program", program);
    set(s, "population", "1");
    set(s, "generations", "0");
    set(s, "find-law", find_law);
    check_ok(grampus_run_open(s, &run, &error), &error);
    check_ok(grampus_run_advance(run, NULL, NULL, &finished, &error), &error);
    assert_true(finished);
    grampus_settings_free(s);
    return run;
}

static void test_law(void **state) {
    grampus_error error;
    grampus_law law;
    grampus_run *run = evolved("true", "x * x");
    (void)state;
    for (int call = 0; call < 2; call++) { /* it is the same when it is asked for again */
        check_ok(grampus_run_law(run, &law, &error), &error);
        assert_string_equal(law.infix, "square(x) * (1/2) + 3");
        assert_true(law.exact && law.rounded);
        assert_int_equal(law.nodes, 6);
        assert_true(law.rmse[0] < 1e-6 && law.largest[0] < 1e-6);
        assert_true(isnan(law.rmse[1]) && isnan(law.largest[1]));
    }
    grampus_run_close(run);
}

static void test_none(void **state) {
    grampus_error error;
    grampus_law law;
    grampus_run *run = evolved("true", "x - x * x * x * x");
    (void)state;
    check_ok(grampus_run_law(run, &law, &error), &error);
    assert_true(!law.infix || !law.exact);
    grampus_run_close(run);
    run = evolved("false", "x * x");
    assert_int_equal(grampus_run_law(run, &law, &error), GRAMPUS_BAD_INPUT);
    assert_null(law.infix);
    assert_string_equal(error.text, "a run without find-law; expected one with it");
    grampus_run_close(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_law), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
