/* host/problem/cases.h: which setting the cases of a run come from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/datasets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each source gives what it alone gives. */
static void test_sources(void **state) {
    (void)state;
    static const char text[] = "a y\n1 2\n3 4\n5 6\n", fasta[] = ">p good\nAC\n";
    char table[] = "/tmp/grampus-cases-XXXXXX", sequences[] = "/tmp/grampus-cases-XXXXXX";
    int file[2] = {mkstemp(table), mkstemp(sequences)};
    assert_true(file[0] >= 0 && write(file[0], text, strlen(text)) == (ssize_t)strlen(text));
    assert_true(file[1] >= 0 && write(file[1], fasta, strlen(fasta)) == (ssize_t)strlen(fasta));
    const struct {
        const char *options[8];
        uint32_t inputs, packed;
        uint64_t cases, test;
        const char *first; /* input's name */
    } sources[] = {
        {{"data", table, "test-fraction", "0.34"}, 1, 0, 2, 1, "a"},
        {{"boolean", "parity-3"}, 3, 1, 8, 0, "x0"},
        {{"target-expression", "u", "variables", "u = grid(0, 4, 1)"}, 1, 0, 5, 0, "u"},
        {{"series", table, "lags", "1"}, 0, 0, 0, 0, NULL}, /* two columns are no series */
        {{"generate", "mackey-glass", "train-cases", "9", "lags", "2"}, 1, 0, 9, 0, "D2"},
        {{"generate", "proteins", "train-cases", "9", "test-cases", "4"}, 20, 0, 9, 4, "A"},
        {{"sequences", sequences, "positive", "good"}, 20, 0, 1, 0, "A"},
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        gr_dataset train, test;
        const char *message = make(sources[i].options, &train, &test);
        if (!sources[i].first) {
            assert_non_null(strstr(message, "2 columns; expected one, the series"));
            continue;
        }
        assert_string_equal(message, "");
        assert_int_equal(train.inputs, sources[i].inputs);
        assert_int_equal(train.packed, sources[i].packed);
        assert_int_equal(train.cases, sources[i].cases);
        assert_int_equal(test.cases, sources[i].test);
        assert_string_equal(train.names[0], sources[i].first);
        gr_dataset_free(&train);
        gr_dataset_free(&test);
    }
    gr_dataset train, test;
    const char *const mistyped[] = {"sequences", sequences, "positive", "goof", NULL};
    assert_non_null(
        strstr(make(mistyped, &train, &test), "positive is 'goof', which no header of"));
    assert_true(train.cases == 0 && !train.x);
    for (int i = 0; i < 2; i++)
        close(file[i]);
    unlink(table);
    unlink(sequences);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sources)};
    return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
