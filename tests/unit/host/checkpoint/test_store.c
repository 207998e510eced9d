/* host/checkpoint/store.h: arrays come back as they were written, and nothing else does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "host/checkpoint/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct element {
    uint32_t a;
    uint8_t b, c;
    uint16_t d;
    double list[3];
} element;

static const gr_column columns[] = {{"a", 'u', 4, 1, offsetof(element, a)},
                                    {"b", 'u', 1, 1, offsetof(element, b)},
                                    {"c", 'u', 1, 1, offsetof(element, c)},
                                    {"d", 'u', 2, 1, offsetof(element, d)},
                                    {"list", 'f', 8, 3, offsetof(element, list)}};
static const gr_column number[] = {{NULL, 'f', 4, 1, 0}}, whole[] = {{NULL, 'u', 4, 1, 0}};

static char folder[] = "/tmp/grampus-store-XXXXXX", path[64];
static element elements[5];
static float floats[7] = {1.5f, -2.0f};

static gr_contents contents(void) {
    gr_contents c = {.marks = 2, .arrays = 3};
    c.mark[0] = (gr_mark){"format", 0, "a test"};
    c.mark[1] = (gr_mark){"large", UINT64_MAX, NULL};
    c.array[0] =
        (gr_stored){"one", "elements", "what they are", columns, 5, sizeof(element), 5, elements};
    c.array[1] = (gr_stored){"one", "floats", "others", number, 1, 4, 7, floats};
    c.array[2] = (gr_stored){"two", "none", "nothing", number, 1, 4, 0, floats};
    return c;
}

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file.h5", folder);
    for (uint32_t k = 0; k < 5; k++) {
        elements[k].a = k;
        elements[k].d = 65535;
        elements[k].list[2] = 0.1 * k;
    }
    return 0;
}

static int remove_folder(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static gr_store *open_store(void) {
    gr_error error;
    gr_store *store;
    if (gr_store_open(path, &store, &error))
        fail_msg("%s", error.text);
    return store;
}

static void write_store(void) {
    gr_error error;
    gr_contents c = contents();
    unlink(path);
    if (gr_store_write(path, &c, &error))
        fail_msg("%s", error.text);
}

static void test_back_again(void **state) {
    (void)state;
    gr_error error;
    element read[5] = {{0}};
    float others[7];
    uint64_t large;
    gr_contents c = contents();
    write_store();
    assert_int_equal(gr_store_write(path, &c, &error), GR_FAILED); /* it is there */
    gr_store *store = open_store();
    assert_int_equal(gr_store_mark(store, "large", &large, &error), GR_OK);
    assert_true(large == UINT64_MAX);
    assert_int_equal(gr_store_mark(store, "small", &large, &error), GR_BAD_INPUT);
    assert_int_equal(gr_store_mark(store, "format", &large, &error), GR_BAD_INPUT); /* a text */
    c.array[0].rows = c.array[1].rows = 99;
    assert_int_equal(gr_store_find(store, &c.array[0], &error), GR_OK);
    assert_int_equal(c.array[0].rows, 5);
    c.array[0].data = read;
    assert_int_equal(gr_store_read(store, &c.array[0], &error), GR_OK);
    assert_memory_equal(read, elements, sizeof read);
    assert_int_equal(gr_store_find(store, &c.array[1], &error), GR_OK);
    c.array[1].data = others;
    assert_int_equal(gr_store_read(store, &c.array[1], &error), GR_OK);
    assert_memory_equal(others, floats, sizeof others);
    assert_int_equal(gr_store_find(store, &c.array[2], &error), GR_OK);
    assert_int_equal(c.array[2].rows, 0);
    c.array[1].column = whole; /* other numbers than the file's */
    assert_int_equal(gr_store_read(store, &c.array[1], &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "one/floats has another type"));
    c.array[1].name = "nobody";
    assert_int_equal(gr_store_find(store, &c.array[1], &error), GR_OK);
    assert_int_equal(c.array[1].rows, 0);
    assert_int_equal(gr_store_read(store, &c.array[1], &error), GR_BAD_INPUT);
    gr_store_close(store);
}

/* A bit of the data turned: the checksum has it. */
static void test_checksum(void **state) {
    (void)state;
    gr_error error;
    float others[7];
    gr_contents c = contents();
    write_store();
    FILE *file = fopen(path, "r+");
    char bytes[16384];
    size_t size = fread(bytes, 1, sizeof bytes, file), at = 0;
    while (at + sizeof floats <= size && memcmp(bytes + at, floats, sizeof floats) != 0)
        at++;
    assert_true(at + sizeof floats <= size);
    fseek(file, (long)at + 5, SEEK_SET);
    putc(bytes[at + 5] ^ 4, file);
    fclose(file);
    gr_store *store = open_store();
    c.array[1].data = others;
    assert_int_equal(gr_store_read(store, &c.array[1], &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "one/floats does not have its checksum"));
    gr_store_close(store);
}

static void test_others(void **state) {
    (void)state;
    gr_error error;
    gr_store *store;
    char other[80];
    snprintf(other, sizeof other, "%s/link.h5", folder);
    write_store();
    assert_int_equal(symlink(path, other), 0);
    assert_int_equal(gr_store_open(other, &store, &error), GR_BAD_INPUT);
    assert_int_equal(gr_store_open(folder, &store, &error), GR_BAD_INPUT);
    assert_int_equal(gr_store_open("nowhere", &store, &error), GR_BAD_INPUT);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(gr_store_open(path, &store, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "nobody else may write to"));
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(truncate(path, 600), 0);
    assert_int_equal(gr_store_open(path, &store, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "is no complete HDF5 file"));
    assert_null(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_back_again),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
