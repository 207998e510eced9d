/* gpu/backend/cache.h: what was written is found again by the same texts only, and the folder stays
 * within its limits, the files used last being kept. Nothing is taken that somebody else could have
 * put there, or that is not what was written; no link is followed. */
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

static void open_number(int number, gr_cache *cache) {
    char text[32];
    snprintf(text, sizeof text, "text %d", number);
    gr_cache_open("key", text, cache);
    assert_true(cache->folder >= 0);
    assert_null(cache->refused);
}

/* Writes the file of a number, last used `age` seconds ago. */
static void write_aged(int number, size_t size, int age) {
    char *bytes = calloc(size, 1);
    struct timespec now[2] = {{.tv_nsec = UTIME_OMIT}, {0}};
    gr_cache cache;
    open_number(number, &cache);
    snprintf(bytes, size, "%d", number);
    gr_cache_write(&cache, bytes, size);
    clock_gettime(CLOCK_REALTIME, &now[1]);
    now[1].tv_sec -= age;
    utimensat(cache.folder, cache.name, now, 0);
    gr_cache_close(&cache);
    free(bytes);
}

/* Whether it is there, with its content; notes its use. */
static int is_there(int number) {
    size_t size;
    gr_cache cache;
    open_number(number, &cache);
    char *bytes = gr_cache_read(&cache, &size);
    int found = bytes != NULL;
    if (found)
        assert_int_equal(atoi(bytes), number);
    free(bytes);
    gr_cache_close(&cache);
    return found;
}

static void found_by_content(void **state) {
    gr_cache one, other;
    size_t size;
    (void)state;
    gr_cache_open("a", "b", &one);
    gr_cache_open("a", "c", &other);
    assert_string_not_equal(one.name, other.name);
    gr_cache_close(&other);
    gr_cache_open("b", "b", &other);
    assert_string_not_equal(one.name, other.name);
    assert_null(gr_cache_read(&one, &size));
    gr_cache_write(&one, "image", 6);
    assert_null(gr_cache_read(&other, &size));
    char *bytes = gr_cache_read(&one, &size);
    assert_int_equal(size, 6);
    assert_string_equal(bytes, "image");
    free(bytes);
    gr_cache_close(&one);
    gr_cache_close(&other);
    gr_cache_close(&other); /* once more does nothing */
}

/* ---- whom it trusts ---- */

static char *ours(char path[128], const char *name) {
    snprintf(path, 128, "%s/grampus%s%s", folder, *name ? "/" : "", name);
    return path;
}

/* Mode of the folder after a cache in it is opened; -1 when it is not used. */
static int mode_used(void) {
    struct stat facts;
    char path[128];
    gr_cache cache;
    gr_cache_open("a", "b", &cache);
    int used = cache.folder >= 0;
    assert_true(used == !cache.refused);
    gr_cache_close(&cache);
    assert_int_equal(stat(ours(path, ""), &facts), 0);
    return used ? (int)(facts.st_mode & 0777) : -1;
}

static void folder_is_this_users_alone(void **state) {
    char path[128];
    (void)state;
    umask(0);
    assert_int_equal(mode_used(), 0700); /* made */
    chmod(ours(path, ""), 0755);
    assert_int_equal(mode_used(), 0700);
    chmod(path, 0770);
    assert_int_equal(mode_used(), -1);
    chmod(path, 0702);
    assert_int_equal(mode_used(), -1);
    chmod(path, 0700);
    if (geteuid() == 0) { /* whom else to give it to */
        assert_int_equal(chown(path, 12345, 12345), 0);
        assert_int_equal(mode_used(), -1);
        assert_int_equal(chown(path, 0, 0), 0);
    }
    umask(022);
}

/* A link in the place of the folder, to one that would do. */
static void folder_is_no_link(void **state) {
    char path[128], elsewhere[128];
    gr_cache cache;
    (void)state;
    snprintf(elsewhere, sizeof elsewhere, "%s-elsewhere", folder);
    assert_int_equal(mkdir(elsewhere, 0700), 0);
    assert_int_equal(symlink(elsewhere, ours(path, "")), 0);
    gr_cache_open("a", "b", &cache);
    assert_true(cache.folder < 0);
    assert_non_null(cache.refused);
    unlink(path);
    rmdir(elsewhere);
}

/* The file made from "a" and "b", as it lies on the disk. */
static size_t load_file(const gr_cache *cache, char bytes[256]) {
    int file = openat(cache->folder, cache->name, O_RDONLY);
    ssize_t size = read(file, bytes, 256);
    close(file);
    assert_true(size > 6);
    return (size_t)size;
}
static void store_file(const gr_cache *cache, const char *bytes, size_t size, mode_t mode) {
    unlinkat(cache->folder, cache->name, 0);
    int file = openat(cache->folder, cache->name, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(write(file, bytes, size), size);
    fchmod(file, mode);
    close(file);
}
static int can_be_read(const gr_cache *cache) {
    size_t size;
    void *bytes = gr_cache_read(cache, &size);
    free(bytes);
    return bytes != NULL;
}

static void only_what_was_written(void **state) {
    char bytes[256], changed[256];
    gr_cache cache, other;
    (void)state;
    gr_cache_open("a", "b", &cache);
    gr_cache_write(&cache, "image", 6);
    size_t size = load_file(&cache, bytes);
    for (size_t k = 0; k < size; k++) { /* any byte */
        memcpy(changed, bytes, size);
        changed[k] ^= 4;
        store_file(&cache, changed, size, 0600);
        assert_false(can_be_read(&cache));
    }
    for (size_t k = 0; k < size; k++) { /* any length */
        store_file(&cache, bytes, k, 0600);
        assert_false(can_be_read(&cache));
    }
    memcpy(changed, bytes, size);
    changed[size] = 0;
    store_file(&cache, changed, size + 1, 0600);
    assert_false(can_be_read(&cache));
    store_file(&cache, bytes, size, 0620); /* others can write to it */
    assert_false(can_be_read(&cache));
    gr_cache_open("a", "c", &other);
    store_file(&other, bytes, size, 0600); /* another's */
    assert_false(can_be_read(&other));
    store_file(&cache, bytes, size, 0600);
    assert_true(can_be_read(&cache));
    gr_cache_close(&other);
    gr_cache_close(&cache);
}

/* Links and pipes where a file of ours or the one beside it would be: not followed, not read. */
static void no_link_is_followed(void **state) {
    char victim[128], beside[160], path[128], kept[8] = "";
    gr_cache cache;
    (void)state;
    snprintf(victim, sizeof victim, "%s-victim", folder);
    FILE *file = fopen(victim, "w");
    fputs("kept", file);
    fclose(file);
    gr_cache_open("a", "b", &cache);
    snprintf(beside, sizeof beside, "%s.%ld", ours(path, cache.name), (long)getpid());
    assert_int_equal(symlink(victim, beside), 0);
    assert_int_equal(symlink(victim, path), 0);
    assert_false(can_be_read(&cache));
    gr_cache_write(&cache, "image", 6);
    assert_true(can_be_read(&cache)); /* the link was replaced */
    file = fopen(victim, "r");
    assert_non_null(fgets(kept, sizeof kept, file));
    fclose(file);
    assert_string_equal(kept, "kept");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(can_be_read(&cache)); /* and does not wait */
    gr_cache_close(&cache);
    unlink(victim);
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
    enum { SIZE = GR_CACHE_BYTES / 4 - 64 }; /* with what stands before it */
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
        cmocka_unit_test_setup_teardown(folder_is_this_users_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(folder_is_no_link, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_what_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_link_is_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(number_is_limited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(size_is_limited, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
