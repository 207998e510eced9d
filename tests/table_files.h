/* Tables as files in a folder, loaded by settings, for the tests of host/data. */
#ifndef GRAMPUS_TESTS_TABLE_FILES_H
#define GRAMPUS_TESTS_TABLE_FILES_H

#include "host/problem/cases.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* In a folder of its own. */
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

#endif
