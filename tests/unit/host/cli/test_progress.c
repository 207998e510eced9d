/* host/cli/progress.h: the lines that a run writes while it goes on, from generations written by
 * hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/cli/progress.h"
#include "tests/records.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static char path[] = "/tmp/grampus-progress-XXXXXX";
static int error_output;

/* From here on errors go to the file. */
static void capture(void) {
    fflush(stderr);
    error_output = dup(STDERR_FILENO);
    assert_non_null(freopen(path, "w", stderr));
}

/* What was written, malloc'ed. */
static char *written(void) {
    char *text = NULL;
    size_t capacity = 0;
    fflush(stderr);
    dup2(error_output, STDERR_FILENO);
    close(error_output);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    if (getdelim(&text, &capacity, '\0', file) < 0)
        *text = '\0';
    fclose(file);
    return text;
}

static gr_generation generation(uint32_t run, uint32_t number, double best, double mean) {
    gr_generation g = {.run = run, .generation = number, .best_ever = best, .mean = mean};
    g.test = (double)NAN;
    g.individuals = 10;
    g.by_validity[GR_VALID] = 8;
    g.size[GR_SIZE_NODES].mean = 12.5;
    return g;
}

/* Shows generations of which each ends an epoch; the text. */
static char *show(const char *more, const gr_generation *g, uint32_t count) {
    gr_settings settings;
    records_begin();
    gr_run *run = records_run(more, &settings);
    capture();
    gr_progress *p = gr_progress_start(&settings, run, GR_PROGRESS_LINES);
    for (uint32_t k = 0; k < count; k++) {
        gr_progress_generation(p, &g[k]);
        if (k + 1 == count || g[k + 1].generation != g[k].generation)
            gr_progress_epoch(p);
        gr_progress_tick(p, g[k].generation); /* for terminals alone */
    }
    gr_progress_end(p);
    char *text = written();
    gr_run_close(run);
    gr_settings_free(&settings);
    return text;
}

static void test_line(void **state) {
    (void)state;
    gr_generation g = generation(0, 3, 1.5, 2.25);
    g.test = 7;
    char *text = show("generations: 3\nprogress: 0\n", &g, 1);
    assert_string_equal(text,
                        "generation 3/3  best 1.5  test 7  mean 2.25  valid 80 %  size 12.5\n");
    free(text);
    g.mean = (double)NAN; /* no mean where none is finite */
    text = show("generations: 3\nprogress: 0\n", &g, 1);
    assert_null(strstr(text, "mean"));
    free(text);
    text = show("generations: 3\nprogress: 1000\n", &g, 1); /* not yet */
    assert_string_equal(text, "");
    free(text);
    text = show("generations: 3\nprogress: 0\nquiet: true\n", &g, 1);
    assert_string_equal(text, "");
    free(text);
}

/* The best of all runs and generations; sizes by the valid ones; means of the runs that have one;
 * who is done is counted once. */
static void test_runs(void **state) {
    (void)state;
    gr_generation g[5] = {generation(0, 2, 4, 8), generation(1, 2, 2, 6),
                          generation(2, 2, 3, (double)NAN), generation(1, 3, 1, 5),
                          generation(2, 3, 3, 7)};
    g[0].by_validity[GR_VALID] = 2;
    g[0].size[GR_SIZE_NODES].mean = 21.5;
    g[2].by_validity[GR_VALID] = 0;
    g[2].size[GR_SIZE_NODES].mean = (double)NAN;
    char *text = show("generations: 3\nruns: 3\nprogress: 0\ntarget-fitness: 2\n", g, 5);
    char *second = strchr(text, '\n') + 1;
    /* 2 and 8 of 30 are valid, with (2 x 21.5 + 8 x 12.5) / 10 nodes */
    assert_memory_equal(text, "generation 2/3  ", 16);
    assert_non_null(strstr(text, " left  best 2  mean 7  valid 33.3 %  size 14.3  solved 1/3\n"));
    assert_string_equal(second,
                        "generation 3/3  best 1  mean 6  valid 80 %  size 12.5  solved 1/3\n");
    free(text);
    text = show("generations: 3\nruns: 3\nprogress: 0\nmetric: hits\n", g, 3);
    assert_non_null(strstr(text, "  best 4  "));
    assert_non_null(strstr(text, "  3 runs\n"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line), cmocka_unit_test(test_runs)};
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests_name("progress", tests, NULL, NULL);
    unlink(path);
    return failed;
}
