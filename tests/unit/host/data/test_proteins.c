/* host/data/proteins.h: counts of amino acids from FASTA, and look-alikes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/datasets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static char path[] = "/tmp/grampus-proteins-XXXXXX";

static void write_bytes(const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void write_text(const char *text) {
    write_bytes(text, strlen(text));
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
    write_text(">x nuclear\rACD\r>y\rCC\r"); /* all of it would be a header */
    assert_non_null(
        strstr(make(options, &train, &test), ":1:11: a carriage return without a line feed"));
    write_text(">x nuclear\r\nACD\r\n>y\r\r\nCC\r\n");
    assert_string_equal(make(options, &train, &test), "");
    assert_true(train.cases == 2 && train.y[0] == 1.0f && train.y[1] == 0.0f);
    gr_dataset_free(&train);
}

/* Bytes that are no text, lines that do not end, packed files that are cut. */
static void test_hostile(void **state) {
    (void)state;
    enum { LONG = 1 << 21 };
    const char *const options[] = {"sequences", path, "positive", "nuclear", NULL};
    const char *const endless[] = {"sequences", "/dev/zero", "positive", "nuclear", NULL};
    gr_dataset train, test;
    write_bytes(">x\nAC\0K\n", 9);
    assert_non_null(
        strstr(make(options, &train, &test), ":2:3: a NUL character; expected letters"));
    write_bytes(">x\0 nuclear\nAC\n", 15);
    assert_non_null(
        strstr(make(options, &train, &test), ":1:3: a NUL character; expected letters"));
    assert_non_null(
        strstr(make(endless, &train, &test), "/dev/zero:1:1: a NUL character; expected"));
    char *text = malloc(LONG + 16);
    memset(text, 'K', LONG + 16);
    memcpy(text, ">nuclear\n", 9);
    write_bytes(text, LONG); /* one line */
    assert_string_equal(make(options, &train, &test), "");
    assert_true(train.x[8] == (float)(LONG - 9));
    gr_dataset_free(&train);
    text[8] = 'x';
    write_bytes(text, LONG);
    assert_non_null(strstr(make(options, &train, &test), ":1:65537: a header of more than 65536"));
    gzFile packed = gzopen(path, "wb");
    for (int k = 0; k < 2000; k++)
        gzprintf(packed, ">p%d nuclear\nACDE%.*s\n", k, k % 17, "FGHIKLMNPQRSTVWYA");
    gzclose(packed);
    assert_string_equal(make(options, &train, &test), "");
    assert_int_equal(train.cases, 2000);
    gr_dataset_free(&train);
    FILE *file = fopen(path, "rb");
    size_t size = fread(text, 1, LONG, file);
    fclose(file);
    write_bytes(text, size / 2);
    const char *told = make(options, &train, &test);
    assert_true(strncmp(told, path, strlen(path)) == 0); /* once */
    assert_string_equal(told + strlen(path), ": unexpected end of file; expected FASTA");
    free(text);
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

/* A header with the word is positive wherever it stands; other files have their own cases, and
 * letters of either case count alike. */
static void test_labels(void **state) {
    (void)state;
    const char *const options[] = {"sequences",      path, "positive", "nuclear",
                                   "test-sequences", path, NULL};
    gr_dataset train, test;
    write_text(">P1|nuclear pore\nK\n>P2 nucleus\nk\n>P3 (Nuclear)\nkK-x\n>P4 nuclear\n");
    assert_string_equal(make(options, &train, &test), "");
    static const float y[4] = {1, 0, 0, 1}, lysine[4] = {1, 1, 2, 0};
    assert_int_equal(train.cases, 4);
    assert_memory_equal(train.y, y, sizeof y);
    assert_memory_equal(train.x + 8 * 4, lysine, sizeof lysine); /* K is the ninth */
    assert_int_equal(test.cases, 4);
    assert_memory_equal(test.y, y, sizeof y);
    assert_string_equal(train.target_name, "positive");
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    write_text(">extranuclear\nK\n>nuclear_x\nK\n>nuclears\nK\n>anuclear "
               "nuclear\nK\n>nuclear\nK\n>x|nuclear;"
               "\nK\n>nucleär\nK\n>nuclearß\nK\n");
    assert_string_equal(make(options, &train, &test), "");
    static const float alone[8] = {0, 0, 0, 1, 1, 1, 0, 0}; /* a word, not a part of another */
    assert_int_equal(train.cases, 8);
    assert_memory_equal(train.y, alone, sizeof alone);
    gr_dataset_free(&train);
    gr_dataset_free(&test);
    write_text("\n");
    assert_non_null(strstr(make(options, &train, &test), "no sequence; expected FASTA"));
    assert_null(train.x);
    const char *const none[] = {"sequences", "/nonexistent.fasta", NULL};
    assert_non_null(strstr(make(none, &train, &test),
                           "/nonexistent.fasta: No such file or directory; expected FASTA"));
}

/* The classes are told apart as the paper's are: more lysine and serine in one, more leucine in the
 * other. */
static void test_classes_differ(void **state) {
    (void)state;
    static const char *const options[] = {"generate", "proteins", "train-cases", "4000", NULL};
    static const char acids[] = "ACDEFGHIKLMNPQRSTVWY";
    gr_dataset train, test;
    double share[2][20] = {{0}}, cases[2] = {0};
    assert_string_equal(make(options, &train, &test), "");
    for (uint64_t c = 0; c < 4000; c++) {
        int k = train.y[c] > 0.0f;
        double length = 0;
        for (uint32_t i = 0; i < 20; i++)
            length += (double)train.x[i * 4000 + c];
        for (uint32_t i = 0; i < 20; i++)
            share[k][i] += (double)train.x[i * 4000 + c] / length;
        cases[k]++;
    }
    for (uint32_t i = 0; i < 20; i++) {
        double more = share[1][i] / cases[1] - share[0][i] / cases[0];
        if (strchr("KS", acids[i]))
            assert_true(more > 0.005);
        if (strchr("LV", acids[i]))
            assert_true(more < -0.004);
    }
    assert_true(fabs(cases[1] / 4000 - 0.45) < 0.03);
    gr_dataset_free(&train);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fasta),          cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_look_alikes),    cmocka_unit_test(test_labels),
        cmocka_unit_test(test_classes_differ),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
