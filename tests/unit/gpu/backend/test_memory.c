/* gpu/backend/memory.h: the least of what the kernel and control groups of both versions leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/backend/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/grampus-memory-XXXXXX";

static void write_file(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static size_t available(const char *membership) {
    char meminfo[256], member[256];
    write_file("membership", membership);
    snprintf(meminfo, sizeof meminfo, "%s/meminfo", root);
    snprintf(member, sizeof member, "%s/membership", root);
    return gr_memory_read(meminfo, root, member);
}

static int make_folders(void **state) {
    static const char *const folders[] = {"a", "a/b", "a/b/c", "memory", "memory/job"};
    char path[256];
    (void)state;
    if (!mkdtemp(root))
        return -1;
    for (int k = 0; k < 5; k++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[k]);
        if (mkdir(path, 0700))
            return -1;
    }
    return 0;
}

static int remove_folders(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void test_machine(void **state) {
    (void)state;
    assert_true(available("0::/\n") > 1 << 20); /* no such file: the physical memory */
    write_file("meminfo", "MemTotal:       9000 kB\nMemFree: 5 kB\nMemAvailable:   4000 kB\n");
    assert_int_equal(available("0::/\n"), 4000 * 1024);
    assert_int_equal(available(""), 4000 * 1024);
    assert_int_equal(available("nonsense\n0:\n::\n"), 4000 * 1024);
}

static void test_version_2(void **state) {
    (void)state;
    write_file("meminfo", "MemAvailable:   4000 kB\n");
    write_file("a/b/memory.max", "3000000\n");
    write_file("a/b/memory.current", "1000000\n");
    assert_int_equal(available("0::/a/b/c\n"), 2000000);
    write_file("a/b/memory.stat", "anon 5\nfile 900000\ninactive_file 400000\n");
    assert_int_equal(available("0::/a/b/c\n"), 2400000);
    write_file("a/memory.max", "max\n");
    write_file("a/memory.current", "2000000\n");
    assert_int_equal(available("0::/a/b\n"), 2400000);
    assert_int_equal(available("0::/a\n"), 4000 * 1024);
    write_file("memory.max", "1500000\n"); /* a container's own group is its root */
    write_file("memory.current", "1600000\n");
    assert_int_equal(available("0::/a\n"), 0);
    assert_int_equal(available("0::/\n"), 0);
    assert_int_equal(available("3:cpu:/a\n"), 4000 * 1024);
}

static void test_version_1(void **state) {
    (void)state;
    write_file("meminfo", "MemAvailable:   4000 kB\n");
    write_file("memory/memory.limit_in_bytes", "9223372036854771712\n"); /* none */
    write_file("memory/memory.usage_in_bytes", "77\n");
    assert_int_equal(available("4:memory:/job\n"), 4000 * 1024);
    write_file("memory/job/memory.limit_in_bytes", "2000000\n");
    write_file("memory/job/memory.usage_in_bytes", "1500000\n");
    write_file("memory/job/memory.stat", "inactive_file 9\ntotal_inactive_file 1000000\n");
    assert_int_equal(available("4:memory:/job\n"), 1500000);
    assert_int_equal(available("5:cpuacct:/\n4:memory:/job\n"), 1500000);
    assert_int_equal(available("4:memory:/elsewhere\n"), 4000 * 1024);
}

static void test_check(void **state) {
    gr_error error;
    (void)state;
    assert_int_equal(gr_memory_check(1e6, "a run", &error), GR_OK);
    assert_int_equal(gr_memory_check(1e17, "a run", &error), GR_NO_MEMORY);
    assert_int_equal(strncmp(error.text, "a run: 100000000000.0 MB needed; this machine has ", 50),
                     0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine), cmocka_unit_test(test_version_2),
        cmocka_unit_test(test_version_1), cmocka_unit_test(test_check)};
    return cmocka_run_group_tests_name("memory", tests, make_folders, remove_folders);
}
