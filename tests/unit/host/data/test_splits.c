/* host/data/dataset.h: which rows of tables are trained on, and which tested on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/table_files.h"

#include <math.h>

static void splits(void **state) {
    gr_dataset train, test;
    const char *text = "x,y\n0,0\n1,10\n2,20\n3,30\n4,40\n";
    assert_string_equal(
        load(*state, text, NULL, OPTIONS("train-rows", "1:3", "test-rows", "3:"), &train, &test),
        "");
    assert_int_equal(train.cases, 2);
    assert_int_equal(test.cases, 2);
    assert_floats(train.x, 2, 1.0, 2.0);
    assert_floats(test.y, 2, 30.0, 40.0);
    assert_string_equal(test.names[0], "x");
    assert_null(test.notes);
    free_both(&train, &test);
    assert_string_equal(load(*state, text, NULL, OPTIONS("test-fraction", "0.4"), &train, &test),
                        "");
    assert_int_equal(train.cases, 3);
    assert_floats(test.x, 2, 3.0, 4.0);
    free_both(&train, &test);
    const char *message = load(*state, text, NULL, OPTIONS("train-rows", "0:6"), &train, &test);
    assert_non_null(strstr(message, "train.csv; expected 0 to 5"));
}

/* Rows that are tested on though they were trained on are told of. */
static void shared_rows(void **state) {
    static const struct {
        const char *train, *test;
        int shared;
    } cases[] = {{"0:3", "3:5", 0}, {"3:5", "0:3", 0}, {"0:3", "2:", 1},
                 {"2:", "0:4", 2},  {":", "1:3", 2},   {"1:4", "0:5", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_dataset train, test;
        char note[100] = "";
        assert_string_equal(load(*state, "x,y\n0,0\n1,10\n2,20\n3,30\n4,40\n", NULL,
                                 OPTIONS("train-rows", cases[i].train, "test-rows", cases[i].test),
                                 &train, &test),
                            "");
        if (cases[i].shared)
            snprintf(note, sizeof note, "train.csv: %d row%s in both train-rows and test-rows\n",
                     cases[i].shared, cases[i].shared == 1 ? " is" : "s are");
        assert_string_equal(test.notes ? strrchr(test.notes, '/') + 1 : "", note);
        free_both(&train, &test);
    }
}

/* Random test rows are drawn from both ranges, which are one therefore. */
static void random_rows(void **state) {
    gr_dataset train, test;
    const char *text = "0 0\n1 1\n2 2\n3 3\n4 4\n", *apart[] = {"3:4", "1:4", "0:1"};
    assert_string_equal(load(*state, text, NULL,
                             OPTIONS("train-rows", "0:2", "test-rows", "2:4", "split", "random"),
                             &train, &test),
                        "");
    assert_int_equal(train.cases, 2);
    assert_int_equal(test.cases, 2);
    free_both(&train, &test);
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        assert_non_null(strstr(
            load(*state, text, NULL,
                 OPTIONS("train-rows", "0:2", "test-rows", apart[i], "split", "random"), &train,
                 &test),
            "split random draws from train-rows and test-rows together; expected test-rows from 2 "
            "on"));
}

/* A share is rounded to the nearest number of rows, and one row at least. */
static void fractions(void **state) {
    static const struct {
        const char *fraction;
        uint32_t rows, test;
    } cases[] = {{"0.25", 7, 2},    {"0.25", 5, 1}, {"0.25", 6, 2},  {"0.01", 3, 1},
                 {"0.9", 3, 2 + 1}, {"0.3", 10, 3}, {"0.34", 10, 3}, {"0.35", 10, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int random = 0; random < 2; random++) {
            gr_dataset train, test;
            char text[256] = "";
            for (uint32_t row = 0; row < cases[i].rows; row++)
                strcat(text, "1 2\n");
            const char *message = load(
                *state, text, NULL,
                OPTIONS("test-fraction", cases[i].fraction, "split", random ? "random" : "last"),
                &train, &test);
            if (cases[i].test == cases[i].rows) {
                assert_non_null(strstr(message, "leaves none to train on"));
                continue;
            }
            assert_string_equal(message, "");
            assert_int_equal(test.cases, cases[i].test);
            assert_int_equal(train.cases, cases[i].rows - cases[i].test);
            free_both(&train, &test);
        }
}

/* A random part to test on: every row in one of both, in order, others with another seed. */
static void random_split(void **state) {
    char text[4000] = "";
    gr_dataset train, test;
    float first[2][20];
    for (int i = 0; i < 100; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d\n", i, i * 2);
    for (int seed = 0; seed < 2; seed++) {
        const char *const *options =
            OPTIONS("test-fraction", "0.2", "split", "random", "data-seed", seed ? "2" : "1");
        int seen[100] = {0};
        assert_string_equal(load(*state, text, NULL, options, &train, &test), "");
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
    /* Computed elsewhere from the same generator: a permutation of its own, not that of sample 0,
     * which has 4 of them. */
    static const float drawn[20] = {10, 18, 22, 23, 28, 33, 36, 43, 54, 60,
                                    61, 65, 67, 72, 73, 76, 77, 79, 80, 87};
    assert_memory_equal(first[0], drawn, sizeof drawn);
}

/* A row's weight goes where the row goes. */
static void weighed_split(void **state) {
    gr_dataset train, test;
    char text[1000] = "a,y,w\n";
    for (int i = 1; i <= 20; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d,%d\n", i, 2 * i, 3 * i);
    assert_string_equal(load(*state, text, NULL,
                             OPTIONS("weights", "w", "test-fraction", "0.4", "split", "random"),
                             &train, &test),
                        "");
    assert_true(train.cases == 12 && test.cases == 8);
    for (int k = 0; k < 2; k++) {
        const gr_dataset *set = k ? &test : &train;
        assert_non_null(set->w);
        for (uint64_t c = 0; c < set->cases; c++)
            assert_true(set->y[c] == 2.0f * set->x[c] && set->w[c] == 3.0f * set->x[c]);
    }
    free_both(&train, &test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(splits),    TEST(shared_rows),  TEST(random_rows),
        TEST(fractions), TEST(random_split), TEST(weighed_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
