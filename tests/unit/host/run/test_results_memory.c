/* The memory that collecting results takes at most, as the plan has it, against what was asked for:
 * to the byte, blocks of fewer than 400 (texts, programs) not counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/run/outcome.h"
#include "tests/counted.h"

#include <stdio.h>
#include <unistd.h>

/* A hundred classes: the third column has their numbers far apart. */
static char table[] = "/tmp/grampus-results-XXXXXX";
static const char text[] =
    "population: 40\ngenerations: 3\ndevice: cpu\ngenotype: tree\nmax-nodes: 7\n"
    "threads: 1\ntarget-fitness: none\n";
#define SQUARE "variables: x = uniform(-1, 1)\ntarget-expression: x*x\n"
#define CLASSES "data: %s\nmetric: misclassified\ninputs: 1\ntarget: 2\n"
#define APART "data: %s\nmetric: misclassified\ninputs: 1\ntarget: 3\n"
static const char *const ways[] = {
    SQUARE "train-cases: 5000\nruns: 16\n",
    SQUARE "train-cases: 70000\ntest-cases: 9000\nlinear-scaling: true\nruns: 16\n",
    SQUARE "train-cases: 20\nruns: 900\n",
    CLASSES "runs: 16\n",
    CLASSES "runs: 16\ntest-fraction: 0.3\n",
    CLASSES "runs: 16\ntest-fraction: 0.7\n",
    APART "runs: 16\ntest-fraction: 0.3\n",
};

static void test_collecting(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        gr_settings s;
        gr_run *run;
        gr_outcome outcome;
        gr_error error = {GR_OK, ""};
        int finished = 0;
        char whole[1024], way[512];
        snprintf(way, sizeof way, ways[k], table);
        snprintf(whole, sizeof whole, "%s%s", text, way);
        if (gr_settings_init(&s, &error) ||
            gr_settings_parse(&s, whole, strlen(whole), "run", &error) ||
            gr_settings_resolve(&s, &error) || gr_run_open(&s, &run, &error))
            fail_msg("%s", error.text);
        while (!finished)
            assert_int_equal(gr_run_advance(run, NULL, &finished, &error), GR_OK);
        counted_least = 400;
        size_t before = counted_peak = counted_now;
        assert_int_equal(gr_outcome_collect(run, &outcome, &error), GR_OK);
        if (counted_peak - before != gr_outcome_bytes(gr_run_problem(run)))
            fail_msg("%s%zu taken, %zu planned", ways[k], counted_peak - before,
                     gr_outcome_bytes(gr_run_problem(run)));
        gr_outcome_free(&outcome);
        gr_run_close(run);
        gr_settings_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_collecting)};
    setenv("OMP_NUM_THREADS", "1", 1); /* a team of more takes more than that */
    int file = mkstemp(table);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    for (int row = 0; out && row < 4000; row++)
        fprintf(out, "%d,%d,%d\n", row * 37 % 100 + row % 3, row * 37 % 100, row * 37 % 100 * 1000);
    if (!out || fclose(out))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(table);
    return failed;
}
