/* The memory that a plan says loading takes, against what was asked for: to the byte, blocks of
 * fewer bytes than 400 (names, settings, the grammar) not counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/problem/job.h"
#include "host/settings/settings.h"
#include "tests/counted.h"

#include <stdio.h>
#include <unistd.h>

enum { ROWS = 60000, COLUMNS = 7 };
static char table[] = "/tmp/grampus-loaded-XXXXXX";

static const char *const ways[] = {
    "",
    "test-fraction: 0.25\n",
    "test-fraction: 0.4\nsplit: random\n",
    "test-data: %s\n",
    "linear-scaling: true\n",
    "precision: double\n",
    "precision: double\ntest-fraction: 0.4\nsplit: random\n",
    "precision: double\ntest-data: %s\n",
    "inputs: 1, 3\ntrain-rows: 100:50000\n",
};

static void test_tables(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        gr_settings s;
        gr_problem problem;
        gr_error error = {GR_OK, ""};
        char text[1024], way[256];
        snprintf(way, sizeof way, ways[k], table);
        snprintf(text, sizeof text,
                 "data: %s\ngenotype: tree\npopulation: 10\ngenerations: 1\ndevice: cpu\nthreads: "
                 "1\n%s",
                 table, way);
        if (gr_settings_init(&s, &error) ||
            gr_settings_parse(&s, text, strlen(text), "run", &error) ||
            gr_settings_resolve(&s, &error))
            fail_msg("%s", error.text);
        counted_least = 400;
        counted_peak = counted_now;
        size_t before = counted_now;
        if (gr_problem_make(&s, &problem, &error))
            fail_msg("%s", error.text);
        const gr_loaded *l = &problem.loaded;
        printf("# %s: loading %zu, kept %zu\n", way, counted_peak - before, counted_now - before);
        assert_int_equal(counted_now - before, l->targets + l->tiles);
        assert_int_equal(counted_peak - before, l->most);
        gr_problem_free(&problem);
        assert_int_equal(counted_now, before);
        gr_settings_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables)};
    setenv("OMP_NUM_THREADS", "1", 1); /* a team of more takes more than that */
    int file = mkstemp(table);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    for (int row = 0; out && row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            fprintf(out, "%d.%03d%c", row * 7 % 100, column, column + 1 < COLUMNS ? ',' : '\n');
    if (!out || fclose(out))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(table);
    return failed;
}
