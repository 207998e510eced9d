/* Series, proteins, words and random splits: what cases they make. */
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
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    const char *const bad[] = {"series", path, "lags", "1, 1", NULL};
    assert_non_null(strstr(make(bad, &train, &test), "cannot read lags at '1'"));
    write_text("1 2\n3 4\n");
    const char *const two[] = {"series", path, NULL};
    assert_non_null(strstr(make(two, &train, &test), "2 columns; expected one"));
}

static void test_fasta(void **state) {
    (void)state;
    const char *const options[] = {"sequences", path, "positive", "nuclear", NULL};
    gr_dataset train, test;
    write_text(">one nuclear\nACDB\nzx*\n\n>two cytoplasmic\nwwW\n");
    assert_string_equal(make(options, &train, &test), "");
    assert_true(train.cases == 2 && train.inputs == 20);
    assert_true(train.y[0] == 1.0f && train.y[1] == 0.0f);
    static const char acids[] = "ACDEFGHIKLMNPQRSTVWY";
    for (uint32_t i = 0; i < 20; i++) { /* B is half D, half N; Z half E, half Q */
        char a = acids[i];
        float expected = a == 'D' ? 1.5f : strchr("AC", a) ? 1.0f : strchr("NEQ", a) ? 0.5f : 0.0f;
        assert_true(train.x[2 * i] == expected);
        assert_true(train.x[2 * i + 1] == (a == 'W' ? 3.0f : 0.0f));
        assert_true(train.names[i][0] == a && !train.names[i][1]);
    }
    gr_dataset_free(&train);
    write_text("ACD\n");
    assert_non_null(strstr(make(options, &train, &test), ":1:1: 'A'; expected '>' and a header"));
    write_text(">x\nAC7\n");
    assert_non_null(strstr(make(options, &train, &test), ":2:3: '7'; expected letters"));
}

/* Look-alikes: the paper's shape, both classes, the same every time, other cases to test on. */
static void test_look_alikes(void **state) {
    (void)state;
    static const char *const options[] = {"generate",   "proteins", "train-cases", "1213",
                                          "test-cases", "1200",     NULL};
    gr_dataset train, test, again, unused;
    double positives = 0;
    assert_string_equal(make(options, &train, &test), "");
    assert_string_equal(make(options, &again, &unused), "");
    assert_true(train.inputs == 20 && train.cases == 1213 && test.cases == 1200);
    assert_memory_equal(train.x, again.x, 20 * 1213 * sizeof(float));
    assert_memory_not_equal(train.x, test.x, 1200 * sizeof(float));
    for (uint64_t c = 0; c < 1213; c++) {
        float length = 0;
        for (uint32_t i = 0; i < 20; i++) {
            float count = train.x[i * 1213 + c];
            assert_true(count >= 0.0f && count == floorf(count));
            length += count;
        }
        assert_true(length >= 30.0f && length <= 3100.0f);
        positives += (double)train.y[c];
    }
    assert_true(positives > 450 && positives < 650);
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    gr_dataset_free(&again);
    gr_dataset_free(&unused);
}

/* Words by falling frequency, then by alphabet; numbers stay numbers. */
static void test_words(void **state) {
    (void)state;
    const char *const options[] = {"data", path, "categories", "true", "header", "no", NULL};
    gr_dataset train, test;
    write_text("udp,1,ok\ntcp,2,bad\ntcp,3,ok\nicmp,4,ok\n\"tcp\",5,odd\n");
    assert_string_equal(make(options, &train, &test), "");
    static const float x[10] = {2, 0, 0, 1, 0, 1, 2, 3, 4, 5}, y[5] = {0, 1, 0, 0, 2};
    assert_memory_equal(train.x, x, sizeof x);
    assert_memory_equal(train.y, y, sizeof y);
    assert_int_equal(train.label_count, 3);
    assert_string_equal(train.labels[0], "ok");
    assert_string_equal(train.labels[1], "bad");
    assert_string_equal(train.labels[2], "odd");
    assert_non_null(strstr(train.notes, "column 1 has 3 words"));
    gr_dataset_free(&train);
    const char *const plain[] = {"data", path, "header", "no", NULL};
    assert_non_null(strstr(make(plain, &train, &test), "text 'udp'"));
}

/* A random part to test on: every row in one of both, in order, others with another seed. */
static void test_random_split(void **state) {
    (void)state;
    char text[4000] = "";
    gr_dataset train, test;
    float first[2][20];
    for (int i = 0; i < 100; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d\n", i, i * 2);
    write_text(text);
    for (int seed = 0; seed < 2; seed++) {
        const char *const options[] = {"data",   path,        "test-fraction",  "0.2", "split",
                                       "random", "data-seed", seed ? "2" : "1", NULL};
        int seen[100] = {0};
        assert_string_equal(make(options, &train, &test), "");
        assert_true(train.cases == 80 && test.cases == 20);
        for (uint64_t c = 0; c < 100; c++) {
            const gr_dataset *set = c < 80 ? &train : &test;
            uint64_t k = c < 80 ? c : c - 80;
            assert_true(set->y[k] == 2.0f * set->x[k] && !seen[(int)set->x[k]]++);
            assert_true(k == 0 || set->x[k] > set->x[k - 1]);
        }
        assert_string_equal(test.names[0], train.names[0]);
        memcpy(first[seed], test.x, sizeof first[seed]);
        gr_dataset_free(&train);
        gr_dataset_free(&test);
    }
    assert_memory_not_equal(first[0], first[1], sizeof first[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mackey_glass), cmocka_unit_test(test_file),
        cmocka_unit_test(test_fasta),        cmocka_unit_test(test_look_alikes),
        cmocka_unit_test(test_words),        cmocka_unit_test(test_random_split),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
