/* host/run/dumps.h: which generations are dumped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/runs.h"

#include "host/run/dumps.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Plays a steady state to its end; whether its last generation was dumped. */
static int dumps_last(const char *more, gr_run_report *report) {
    static const char common[] =
        "genotype: tree\ndevice: cpu\nthreads: 1\npopulation: 20\nreplacement: steady-state\n"
        "children-per-step: 2\nfunctions: \"+, *\"\ntarget-expression: x * x + x\n"
        "variables: x = grid(1, 20, 1)\nmetric: mae\ndump-every: 1000\n";
    gr_settings settings;
    gr_error error = {GR_OK, ""};
    char folder[] = "/tmp/dumps-XXXXXX", path[64];
    int finished = 0;
    assert_non_null(mkdtemp(folder));
    gr_run *run = open_run_of(common, more, &settings);
    while (!finished)
        if (gr_run_advance(run, NULL, &finished, &error))
            fail_msg("%s", error.text);
    gr_run_look(run, report);
    assert_int_equal(gr_dump(run, &settings, folder, &error), GR_OK);
    snprintf(path, sizeof path, "%s/population_%u.tsv", folder, report->generation);
    int there = unlink(path) == 0;
    rmdir(folder);
    gr_run_close(run);
    gr_settings_free(&settings);
    return there;
}

/* A steady state that reached its target amid a generation has no whole one to dump. */
static void test_steady_state_amid_a_generation(void **state) {
    (void)state;
    gr_run_report report;
    assert_true(dumps_last("generations: 2\n", &report));
    assert_true(report.complete && report.generation == 2);
    assert_false(dumps_last("generations: 500\ntarget-fitness: 0.001\n", &report));
    assert_true(!report.complete && report.reason == GR_REACHED_TARGET);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady_state_amid_a_generation),
    };
    return cmocka_run_group_tests_name("dumps", tests, NULL, NULL);
}
