/* Tables and data sets: delimiters, headers, columns, splits, and the position of every error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/problem/cases.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* A folder of files for one test. */
typedef struct folder {
    char path[64];
    char file[2][96];
} folder;

static int make_folder(void **state) {
    folder *f = calloc(1, sizeof *f);
    strcpy(f->path, "/tmp/grampus-dataset-XXXXXX");
    if (!mkdtemp(f->path))
        return -1;
    for (int i = 0; i < 2; i++) {
        strcpy(f->file[i], f->path);
        strcat(f->file[i], i ? "/test.csv" : "/train.csv");
    }
    *state = f;
    return 0;
}

static int remove_folder(void **state) {
    folder *f = *state;
    for (int i = 0; i < 2; i++)
        unlink(f->file[i]);
    int failed = rmdir(f->path);
    free(f);
    return failed;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

/* Loads train.csv (and test.csv if there is a text) with settings given as key, value, ..., NULL.
 */
static const char *load(folder *f, const char *train_text, const char *test_text,
                        const char *const *options, gr_dataset *train, gr_dataset *test) {
    static gr_error error;
    gr_settings s;
    error.text[0] = '\0';
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    assert_int_equal(gr_settings_set(&s, "data", f->file[0], &error), GR_OK);
    write_text(f->file[0], train_text);
    if (test_text) {
        write_text(f->file[1], test_text);
        assert_int_equal(gr_settings_set(&s, "test-data", f->file[1], &error), GR_OK);
    }
    for (; options && *options; options += 2)
        assert_int_equal(gr_settings_set(&s, options[0], options[1], &error), GR_OK);
    gr_status status = gr_dataset_make(&s, train, test, &error);
    assert_true(status == GR_OK || status == GR_BAD_INPUT);
    assert_true((status == GR_OK) == (error.text[0] == '\0'));
    gr_settings_free(&s);
    bool inside = strncmp(error.text, f->path, strlen(f->path)) == 0; /* without the folder */
    return error.text + (inside ? strlen(f->path) + 1 : 0);
}

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void free_both(gr_dataset *train, gr_dataset *test) {
    gr_dataset_free(train);
    gr_dataset_free(test);
}

static void assert_floats(const float *got, uint64_t count, ...) {
    va_list wanted;
    va_start(wanted, count);
    for (uint64_t i = 0; i < count; i++) {
        float value = (float)va_arg(wanted, double);
        assert_memory_equal(&got[i], &value, sizeof value);
    }
    va_end(wanted);
}

static void header_and_columns(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state, "a,b,y\n1,2,3\n4.5,-5e-1,+6\n", NULL, NULL, &train, &test),
                        "");
    assert_int_equal(train.inputs, 2);
    assert_int_equal(train.cases, 2);
    assert_int_equal(test.cases, 0);
    assert_string_equal(train.names[0], "a");
    assert_string_equal(train.names[1], "b");
    assert_string_equal(train.target_name, "y");
    assert_floats(train.x, 4, 1.0, 4.5, 2.0, -0.5);
    assert_floats(train.y, 2, 3.0, 6.0);
    assert_null(train.notes);
    free_both(&train, &test);
}

static void no_header(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state, "1 2 3\n4 5 6\n", NULL, OPTIONS("target", "1"), &train, &test),
                        "");
    assert_string_equal(train.names[0], "x0");
    assert_string_equal(train.names[1], "x1");
    assert_floats(train.x, 4, 2.0, 5.0, 3.0, 6.0);
    assert_floats(train.y, 2, 1.0, 4.0);
    free_both(&train, &test);
}

/* The same table in many spellings. */
static void spellings(void **state) {
    static const char *const texts[] = {
        "a,b,y\n1,2,3\n4,5,6\n",
        "a\tb\ty\n1\t2\t3\n4\t5\t6",
        "a;b;y\r\n1;2;3\r\n4;5;6\r\n",
        "a:b:y\n1:2:3\n\n4:5:6\n\n",
        "  a  b \t y \n 1   2 3  \n4 5 6\n",
        "# made by hand\n# twice\na , b , y\n1 , 2 , 3\n# inside\n4,5,6\n",
        "# a b y\n1 2 3\n4 5 6\n",
        "#a,b,y\n1,2,3\n4,5,6\n",
        "\xef\xbb\xbf\"a\",\"b\",\"y\"\n\"1\",2,\"3\" \n4,5,6\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gr_dataset train, test;
        assert_string_equal(load(*state, texts[i], NULL, NULL, &train, &test), "");
        assert_int_equal(train.inputs, 2);
        assert_int_equal(train.cases, 2);
        assert_string_equal(train.names[0], "a");
        assert_string_equal(train.names[1], "b");
        assert_string_equal(train.target_name, "y");
        assert_floats(train.x, 4, 1.0, 4.0, 2.0, 5.0);
        assert_floats(train.y, 2, 3.0, 6.0);
        free_both(&train, &test);
    }
}

static void chosen_columns(void **state) {
    gr_dataset train, test;
    const char *text = "id,a,y,b\nfirst,1,2,3\nsecond,4,5,6\n"; /* text where nobody looks */
    assert_string_equal(
        load(*state, text, NULL, OPTIONS("target", "y", "inputs", "b, 2"), &train, &test), "");
    assert_string_equal(train.names[0], "b");
    assert_string_equal(train.names[1], "a");
    assert_floats(train.x, 4, 3.0, 6.0, 1.0, 4.0);
    assert_floats(train.y, 2, 2.0, 5.0);
    free_both(&train, &test);
}

static void usable_names(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state,
                             "width (cm),2nd,and,a,a,\xc3\xa9t\xc3\xa9,,y\n1,2,3,4,5,6,7,8\n", NULL,
                             NULL, &train, &test),
                        "");
    static const char *const names[] = {"width__cm_", "_2nd", "and_",    "a",
                                        "a_5",        "_t_",  "column_7"};
    for (uint32_t i = 0; i < 7; i++)
        assert_string_equal(train.names[i], names[i]);
    assert_non_null(strstr(train.notes, "column 1 'width (cm)' is input width__cm_\n"));
    assert_non_null(strstr(train.notes, "column 5 'a' is input a_5\n"));
    assert_null(strstr(train.notes, "column 4 "));
    free_both(&train, &test);
}

static void forced_choices(void **state) {
    gr_dataset train, test;
    assert_string_equal(load(*state, "1,2\n3,4\n", NULL, OPTIONS("header", "yes"), &train, &test),
                        "");
    assert_int_equal(train.cases, 1);
    assert_string_equal(train.names[0], "_1");
    free_both(&train, &test);
    assert_string_equal(
        load(*state, "a,b;y\n1,1;2\n", NULL, OPTIONS("delimiter", "comma"), &train, &test),
        "train.csv:2:3: text '1;2' in column 'b;y'; expected a number");
    assert_string_equal(load(*state, "a,y\n1,2\n", NULL, OPTIONS("header", "no"), &train, &test),
                        "train.csv:1:1: text 'a' in column 1; expected a number");
}

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
    free_both(&train, &test);
    assert_string_equal(load(*state, text, NULL, OPTIONS("test-fraction", "0.4"), &train, &test),
                        "");
    assert_int_equal(train.cases, 3);
    assert_floats(test.x, 2, 3.0, 4.0);
    free_both(&train, &test);
    const char *message = load(*state, text, NULL, OPTIONS("train-rows", "0:6"), &train, &test);
    assert_non_null(strstr(message, "train.csv; expected 0 to 5"));
}

static void test_file(void **state) {
    gr_dataset train, test;
    assert_string_equal(
        load(*state, "a,b,y\n1,2,3\n", "y,b,c,a\n30,20,0,10\n", NULL, &train, &test), "");
    assert_floats(test.x, 2, 10.0, 20.0); /* by name, in the order of the training data */
    assert_floats(test.y, 1, 30.0);
    free_both(&train, &test);
    assert_string_equal(load(*state, "a,b,y\n1,2,3\n", "10 20 30\n", NULL, &train, &test), "");
    assert_floats(test.x, 2, 10.0, 20.0);
    free_both(&train, &test);
    const char *text = load(*state, "a,b,y\n1,2,3\n", "a,y\n1,2\n", NULL, &train, &test);
    assert_non_null(strstr(text, "no column 'b'; expected the columns of "));
    text = load(*state, "1,2,3\n", "1,2\n", NULL, &train, &test);
    assert_non_null(strstr(text, "2 columns; expected 3, as in "));
}

static void errors(void **state) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "train.csv:1:1: no data; expected rows of numbers"},
        {"\n# nothing\n\n", "train.csv:1:1: no data; expected rows of numbers"},
        {"a,y\n", "train.csv:1:1: names and no data; expected rows of numbers behind the header"},
        {"a,b,y\n1,2,3\n4,5\n", "train.csv:3:4: a row of 2 fields; expected 3, as in line 1"},
        {"1,2\n# c\n3,4,5\n", "train.csv:3:5: a row of 3 fields; expected 2, as in line 1"},
        {"a,y\n1,2\n1,two\n", "train.csv:3:3: text 'two' in column 'y'; expected a number"},
        {"a,y\n1, 0x1p3\n", "train.csv:2:4: text '0x1p3' in column 'y'; expected a number"},
        {"a,y\n1,1e\n", "train.csv:2:3: text '1e' in column 'y'; expected a number"},
        {"a,y\n1,2\nNaN,2\n", "train.csv:3:1: value 'NaN' in column 'a'; expected a finite number"},
        {"a,y\n-inf,2\n", "train.csv:2:1: value '-inf' in column 'a'; expected a finite number"},
        {"a,y\n1,1e39\n", "train.csv:2:3: value '1e39' in column 'y'; expected a finite number"},
        {"a,b,y\n1,,3\n", "train.csv:2:3: a missing value in column 'b'; expected a number"},
        {"a,y\n1,NA\n", "train.csv:2:3: a missing value in column 'y'; expected a number"},
        {"nan,1\n1,2\n", "train.csv:1:1: value 'nan' in column 1; expected a finite number"},
        {"a,y\n\"1,2\n",
         "train.csv:2:2: a quote that is not closed; expected '\"' on the same line"},
        {"a,y\n\"1\"2,2\n", "train.csv:2:2: text behind a quoted field; expected a delimiter"},
        {"1\n2\n", "train.csv:1:1: one column; expected at least one input and the target"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_dataset train, test;
        assert_string_equal(load(*state, cases[i].text, NULL, NULL, &train, &test),
                            cases[i].message);
        assert_null(train.x);
        assert_null(train.names);
    }
}

static void errors_of_choice(void **state) {
    gr_dataset train, test;
    const char *text = "alpha,beta,y\n1,2,3\n";
    const char *message = load(*state, text, NULL, OPTIONS("target", "bets"), &train, &test);
    assert_non_null(strstr(message, "; did you mean 'beta'?"));
    message = load(*state, text, NULL, OPTIONS("target", "4"), &train, &test);
    assert_non_null(strstr(message, "; expected a name of its header or a number from 1 to 3"));
    message = load(*state, text, NULL, OPTIONS("inputs", "alpha,y"), &train, &test);
    assert_string_equal(message, "inputs has the target column 'y'; expected others");
    message = load(*state, text, NULL, OPTIONS("inputs", "alpha,1"), &train, &test);
    assert_string_equal(message, "inputs has column '1' twice; expected it once");
    message = load(*state, text, NULL, OPTIONS("test-fraction", "0.5"), &train, &test);
    assert_non_null(strstr(message, "leaves none to train on"));
    message = load(*state, text, NULL, OPTIONS("test-rows", "0:1"), &train, &test);
    assert_string_equal(message, "test-rows without train-rows; expected both");
}

static void missing_and_broken_files(void **state) {
    folder *f = *state;
    gr_dataset set;
    gr_error error;
    assert_int_equal(gr_dataset_read("/nonexistent.csv", NULL, &set, &error), GR_BAD_INPUT);
    assert_string_equal(error.text,
                        "/nonexistent.csv: No such file or directory; expected a table");
    assert_int_equal(gr_dataset_read("/tmp", NULL, &set, &error), GR_BAD_INPUT);
    gzFile packed = gzopen(f->file[0], "wb");
    gzputs(packed, "a,y\n1,2\n3,4\n");
    gzclose(packed);
    assert_int_equal(gr_dataset_read(f->file[0], "y", &set, &error), GR_OK);
    assert_floats(set.y, 2, 2.0, 4.0);
    gr_dataset_free(&set);
    assert_int_equal(truncate(f->file[0], 20), 0);
    assert_int_equal(gr_dataset_read(f->file[0], NULL, &set, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected a readable table"));
}

/* grampus eval: every column is an input. */
static void whole_table(void **state) {
    folder *f = *state;
    gr_dataset set;
    gr_error error;
    write_text(f->file[0], "a,b,c\n1,2,3\n4,5,6\n");
    assert_int_equal(gr_dataset_read(f->file[0], NULL, &set, &error), GR_OK);
    assert_int_equal(set.inputs, 3);
    assert_null(set.y);
    assert_floats(set.x, 6, 1.0, 4.0, 2.0, 5.0, 3.0, 6.0);
    gr_dataset_free(&set);
    assert_int_equal(gr_dataset_read(f->file[0], "b", &set, &error), GR_OK);
    assert_floats(set.y, 2, 2.0, 5.0);
    assert_string_equal(set.target_name, "b");
    gr_dataset_free(&set);
    assert_int_equal(gr_dataset_read(f->file[0], "d", &set, &error), GR_BAD_INPUT);
}

/* The short way to a float agrees with strtof on every spelling of it. */
static void numbers(void **state) {
    folder *f = *state;
    static const char format[][8] = {"%.0f", "%.1f", "%.3f", "%.7f", "%.9g", "%e"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("x,y\n", out);
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double value = (double)(int32_t)(random >> 32) / (double)(1u << (random >> 27 & 31));
        fprintf(out, format[i % 6], value);
        fputs(",0\n", out);
    }
    fclose(out);
    gr_dataset set;
    write_text(f->file[0], text);
    assert_int_equal(gr_dataset_read(f->file[0], NULL, &set, NULL), GR_OK);
    const char *line = strchr(text, '\n') + 1;
    for (uint64_t i = 0; i < set.cases; i++, line = strchr(line, '\n') + 1) {
        float wanted = strtof(line, NULL);
        assert_memory_equal(&set.x[i], &wanted, sizeof wanted);
    }
    assert_int_equal(set.cases, 20000);
    gr_dataset_free(&set);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(header_and_columns),
        TEST(no_header),
        TEST(spellings),
        TEST(chosen_columns),
        TEST(usable_names),
        TEST(forced_choices),
        TEST(splits),
        TEST(test_file),
        TEST(errors),
        TEST(errors_of_choice),
        TEST(missing_and_broken_files),
        TEST(whole_table),
        TEST(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
