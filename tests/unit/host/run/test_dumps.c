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

/* Plays a run to its end: how many rows its last dump has of each run; -1: there is none. */
static int dumps_last(const char *more, gr_run_report *report, int rows[4]) {
    static const char common[] =
        "genotype: tree\ndevice: cpu\nthreads: 1\nfunctions: \"+, *\"\n"
        "target-expression: x * x + x\nvariables: x = grid(1, 20, 1)\nmetric: mae\n"
        "dump-every: 1000\n";
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
    FILE *dump = fopen(path, "r");
    int there = dump ? 0 : -1, of;
    char line[4096];
    while (dump && fgets(line, sizeof line, dump))
        if (sscanf(line, "%d\t", &of) == 1) {
            assert_in_range(of, 0, 3);
            rows[of]++;
            there++;
        }
    if (dump)
        fclose(dump);
    unlink(path);
    rmdir(folder);
    gr_run_close(run);
    gr_settings_free(&settings);
    return there;
}

/* A steady state that reached its target amid a generation has no whole one to dump. */
static void test_steady_state_amid_a_generation(void **state) {
    (void)state;
    gr_run_report report;
    int rows[4] = {0};
    assert_int_equal(dumps_last("population: 20\nreplacement: steady-state\n"
                                "children-per-step: 2\ngenerations: 2\n",
                                &report, rows),
                     20);
    assert_true(report.complete && report.generation == 2);
    assert_int_equal(dumps_last("population: 20\nreplacement: steady-state\n"
                                "children-per-step: 2\ngenerations: 500\ntarget-fitness: 0.001\n",
                                &report, rows),
                     -1);
    assert_true(!report.complete && report.reason == GR_REACHED_TARGET);
}

/* A run that ended before the others has no rows in later dumps, also where it keeps its population
 * since it has several objectives. */
static void test_runs_that_ended(void **state) {
    static const char *const more[] = {"", "objectives: error, nodes\n"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[160];
        gr_run_report report;
        int rows[4] = {0}, ended = 0;
        snprintf(text, sizeof text,
                 "population: 4\nruns: 4\ngenerations: 12\ntarget-fitness: 0\nseed: 4\n%s",
                 more[k]);
        int all = dumps_last(text, &report, rows);
        assert_int_equal(report.generation, 12);
        for (int run = 0; run < 4; run++) {
            assert_true(rows[run] == 0 || rows[run] == 4);
            ended += rows[run] == 0;
        }
        assert_in_range(ended, 1, 3);
        assert_int_equal(all, 4 * (4 - ended));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady_state_amid_a_generation),
        cmocka_unit_test(test_runs_that_ended),
    };
    return cmocka_run_group_tests_name("dumps", tests, NULL, NULL);
}
