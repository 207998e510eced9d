/* gpu/backend/cache.h: what was written is found again by the same texts only, and the folder stays
 * within its limits, the files used last being kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/backend/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[64];

static void empty_folder(const char *name) {
    char path[512];
    DIR *dir = opendir(name);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%.200s/%.200s", name, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(name);
}

static int set_up(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/grampus-cache-XXXXXX");
    return !mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1);
}
static int tear_down(void **state) {
    char ours[96];
    (void)state;
    snprintf(ours, sizeof ours, "%s/grampus", folder);
    empty_folder(ours);
    return rmdir(folder);
}

/* Writes the file of a number, last used `age` seconds ago. */
static void write_aged(int number, size_t size, int age) {
    char text[32], path[256], *bytes = calloc(size, 1);
    struct timespec now[2] = {{.tv_nsec = UTIME_OMIT}, {0}};
    snprintf(text, sizeof text, "text %d", number);
    assert_int_equal(gr_cache_path("key", text, path, sizeof path), 1);
    snprintf(bytes, size, "%d", number);
    gr_cache_write(path, bytes, size);
    clock_gettime(CLOCK_REALTIME, &now[1]);
    now[1].tv_sec -= age;
    utimensat(AT_FDCWD, path, now, 0);
    free(bytes);
}

/* Whether it is there, with its content; notes its use. */
static int is_there(int number) {
    char text[32], path[256];
    size_t size;
    snprintf(text, sizeof text, "text %d", number);
    assert_int_equal(gr_cache_path("key", text, path, sizeof path), 1);
    char *bytes = gr_cache_read(path, &size);
    int found = bytes != NULL;
    if (found)
        assert_int_equal(atoi(bytes), number);
    free(bytes);
    return found;
}

static void found_by_content(void **state) {
    char one[256], other[256], tiny[40];
    size_t size;
    (void)state;
    assert_int_equal(gr_cache_path("a", "b", one, sizeof one), 1);
    assert_int_equal(gr_cache_path("a", "c", other, sizeof other), 1);
    assert_string_not_equal(one, other);
    assert_int_equal(gr_cache_path("b", "b", other, sizeof other), 1);
    assert_string_not_equal(one, other);
    assert_int_equal(strncmp(one, folder, strlen(folder)), 0);
    assert_int_equal(gr_cache_path("a", "b", tiny, sizeof tiny), 0);
    assert_null(gr_cache_read(one, &size));
    gr_cache_write(one, "image", 6);
    char *bytes = gr_cache_read(one, &size);
    assert_int_equal(size, 6);
    assert_string_equal(bytes, "image");
    free(bytes);
}

static void number_is_limited(void **state) {
    (void)state;
    for (int k = 0; k < GR_CACHE_FILES; k++)
        write_aged(k, 16, 1000 - k);
    assert_true(is_there(0)); /* used just now: number 1 is the oldest */
    write_aged(1000, 16, 0);
    assert_true(is_there(0));
    assert_false(is_there(1));
    assert_true(is_there(2));
    assert_true(is_there(1000));
}

static void size_is_limited(void **state) {
    enum { SIZE = GR_CACHE_BYTES / 4 };
    (void)state;
    for (int k = 0; k < 4; k++)
        write_aged(k, SIZE, 100 - k);
    for (int k = 0; k < 4; k++)
        assert_true(is_there(k));
    write_aged(3, SIZE, 1); /* the same once more: nothing has to go */
    assert_true(is_there(0));
    write_aged(0, SIZE, 500);
    write_aged(4, SIZE, 0);
    assert_false(is_there(0));
    for (int k = 1; k <= 4; k++)
        assert_true(is_there(k));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(found_by_content, set_up, tear_down),
        cmocka_unit_test_setup_teardown(number_is_limited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(size_is_limited, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
