/* host/data/series.h: Mackey-Glass and series from files, and what cases they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/data/series.h"
#include "tests/datasets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/grampus-series-XXXXXX";

static void write_text(const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

static double rms(const gr_dataset *set, double (*guess)(const gr_dataset *, uint64_t)) {
    double sum = 0.0;
    for (uint64_t c = 0; c < set->cases; c++) {
        double error = guess(set, c) - (double)set->y[c];
        sum += error * error;
    }
    return sqrt(sum / (double)set->cases);
}
static double guess_last(const gr_dataset *s, uint64_t c) {
    return (double)s->x[c];
}
static double guess_line(const gr_dataset *s, uint64_t c) {
    return 2.0 * (double)s->x[c] - (double)s->x[s->cases + c];
}
static double guess_043(const gr_dataset *s, uint64_t c) {
    return 1.43 * (double)s->x[c] - 0.43 * (double)s->x[s->cases + c];
}

/* First values, range and errors of simple guesses as computed elsewhere from the same equation. */
static void test_mackey_glass(void **state) {
    (void)state;
    static const char *const options[] = {"generate", "mackey-glass", "train-cases", "1200",
                                          "lags",     "1, 2",         NULL};
    static const float first[4] = {1.2f, 1.0858f, 0.9825f, 0.8890f};
    gr_dataset train, test;
    assert_string_equal(make(options, &train, &test), "");
    assert_true(train.cases == 1200 && train.inputs == 2 && test.cases == 0);
    assert_string_equal(train.names[1], "D2");
    float least = 2, most = 0;
    for (uint64_t c = 0; c < 1200; c++) {
        least = fminf(least, train.y[c]);
        most = fmaxf(most, train.y[c]);
        assert_true(train.x[c] == (c ? train.y[c - 1] : 0.0f));
        assert_true(train.x[1200 + c] == (c > 1 ? train.y[c - 2] : 0.0f));
    }
    for (int i = 0; i < 4; i++)
        assert_true(fabsf(train.y[i] - first[i]) < 6e-5f);
    assert_true(fabsf(least - 0.2277f) < 6e-5f && fabsf(most - 1.3183f) < 6e-5f);
    assert_true(fabs(rms(&train, guess_last) - 0.048659) < 1e-6);
    assert_true(fabs(rms(&train, guess_line) - 0.051935) < 1e-6);
    assert_true(fabs(rms(&train, guess_043) - 0.043921) < 1e-6);
    gr_dataset_free(&train);
}

static void test_file(void **state) {
    (void)state;
    const char *const options[] = {"series", path,         "lags", "3, 1", "train-cases",
                                   "7",      "test-cases", "2",    NULL};
    gr_dataset train, test;
    write_text("  10\n 20\n 30\n 40\n 50\n");
    assert_string_equal(make(options, &train, &test), "");
    static const float y[7] = {10, 20, 30, 40, 50, 10, 20}, d3[7] = {0, 0, 0, 10, 20, 0, 0},
                       d1[7] = {0, 10, 20, 30, 40, 0, 10};
    assert_memory_equal(train.y, y, sizeof y); /* and from the start again */
    assert_memory_equal(train.x, d3, sizeof d3);
    assert_memory_equal(train.x + 7, d1, sizeof d1);
    assert_true(test.cases == 2 && test.y[0] == 30.0f && test.x[2] == 20.0f);
    assert_string_equal(train.notes,
                        "the series has 5 values: 2 of 2 test cases are training cases\n");
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    /* what is not to be tested on is trained on; of a series that is shorter all of it */
    const char *const rest[] = {"series", path, "test-cases", "2", NULL};
    assert_string_equal(make(rest, &train, &test), "");
    assert_true(train.cases == 3 && train.y[2] == 30.0f && test.cases == 2 && test.y[1] == 50.0f);
    assert_null(train.notes);
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    const char *const bad[] = {"series", path, "lags", "1, 1", NULL};
    assert_non_null(strstr(make(bad, &train, &test), "cannot read lags at '1'"));
    write_text("1 2\n3 4\n");
    const char *const two[] = {"series", path, NULL};
    assert_non_null(strstr(make(two, &train, &test), "2 columns; expected one"));
    write_text("100000001\n100000002\n100000003\n");
    assert_non_null(strstr(make(options, &train, &test), "one number in single precision"));
    assert_null(strstr(make(options, &train, &test), "precision: double"));
    write_text("1\n1e39\n3\n");
    assert_non_null(strstr(make(options, &train, &test), "expected at most 3.4e38"));
    assert_null(strstr(make(options, &train, &test), "precision: double"));
    write_text("100000000\n100000009\n100000050\n100000090\n");
    assert_string_equal(make(options, &train, &test), "");
    assert_string_equal(train.notes,
                        "column 1 is rounded by up to 2 in a range of 90\n"
                        "the series has 4 values: 2 of 2 test cases are training cases\n");
    gr_dataset_free(&train);
    gr_dataset_free(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mackey_glass),
        cmocka_unit_test(test_file),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
