/* host/cpu/processors.h: how many processors there are to use, and how many threads a run is given.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/selection/once.h"
#include "host/cpu/processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t threads_for(uint32_t individuals, uint32_t cases, uint32_t asked) {
    gr_job job = {.threads = asked};
    job.params.individuals = individuals;
    job.params.train_cases = cases;
    return gr_threads_for(&job);
}

/* Elites of a steady state are copied: there is less to do. */
static void test_threads_of_a_steady_state(void **state) {
    (void)state;
    gr_job job = {.params = {.individuals = 500, .population = 500, .elites = 498}};
    job.params.train_cases = 20;
    job.params.islands = 1;
    job.params.genotype = GR_TREE;
    job.params.once = GR_ONCE_AUTO;
    setenv("OMP_NUM_THREADS", "16", 1);
    assert_int_equal(gr_threads_for(&job), 1);
    job.params.individuals = 5000; /* of ten runs */
    assert_int_equal(gr_threads_for(&job), 16);
    job.params.individuals = 500;
    job.params.islands = 5; /* on which they are bred */
    assert_int_equal(gr_threads_for(&job), 16);
    job.params.islands = 1;
    job.params.elites = 250;
    assert_int_equal(gr_threads_for(&job), 16);
    unsetenv("OMP_NUM_THREADS");
}

static void test_threads_follow_the_work(void **state) {
    (void)state;
    setenv("OMP_NUM_THREADS", "16,2", 1);
    assert_int_equal(gr_processors(), 16);
    assert_int_equal(threads_for(100, 20, 0), 1);
    assert_int_equal(threads_for(300, 20, 0), 10);
    assert_int_equal(threads_for(1000, 20, 0), 16);
    assert_int_equal(threads_for(4, 100000, 0), 16);
    assert_int_equal(threads_for(100, 20, 7), 7);
    setenv("OMP_NUM_THREADS", "1", 1);
    assert_int_equal(threads_for(100000, 1000, 0), 1);
    assert_int_equal(threads_for(100000, 1000, 3), 3);
    setenv("OMP_NUM_THREADS", "many", 1);
    uint32_t all = gr_processors();
    unsetenv("OMP_NUM_THREADS");
    assert_int_equal(gr_processors(), all);
    assert_in_range(all, 1, sysconf(_SC_NPROCESSORS_ONLN));
}

static char root[] = "/tmp/grampus-team-XXXXXX";

static void write_file(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static uint32_t quota_of(const char *membership) {
    char path[256];
    write_file("membership", membership);
    snprintf(path, sizeof path, "%s/membership", root);
    return gr_processor_quota(root, path);
}

/* The least of a group's quota and of those above it; version 1 has two files. */
static void test_quotas(void **state) {
    static const char *const folders[] = {"a", "a/b", "a/b/c", "cpu"};
    char path[256];
    (void)state;
    assert_non_null(mkdtemp(root));
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[k]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    assert_int_equal(quota_of("0::/a/b/c\n"), 0);
    write_file("a/cpu.max", "250000 100000\n");
    write_file("a/b/cpu.max", "max 100000\n");
    write_file("a/b/c/cpu.max", "700000 100000\n");
    assert_int_equal(quota_of("1:name=systemd:/x\n0::/a/b/c\n"), 3);
    assert_int_equal(quota_of("0::/\n"), 0);
    write_file("cpu.max", "50000 100000\n");
    assert_int_equal(quota_of("0::/\n"), 1);
    assert_int_equal(quota_of("4:cpu,cpuacct:/x\n"), 0);
    write_file("cpu/cpu.cfs_quota_us", "-1\n");
    write_file("cpu/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota_of("4:cpu,cpuacct:/x\n"), 0);
    write_file("cpu/cpu.cfs_quota_us", "400000\n");
    assert_int_equal(quota_of("4:cpu,cpuacct:/x\n"), 4);
    snprintf(path, sizeof path, "rm -r %s", root);
    assert_int_equal(system(path), 0);
}

/* Small sets are not worth a thread, large ones all that are wanted. */
static void test_chunks(void **state) {
    (void)state;
    assert_int_equal(gr_threads_for_chunks(0, 0), 1);
    assert_int_equal(gr_threads_for_chunks(8, 100), 1);
    assert_int_equal(gr_threads_for_chunks(8, 200), 3);
    assert_int_equal(gr_threads_for_chunks(8, 1000000), 8);
    assert_int_equal(gr_threads_for_chunks(1, 1000000), 1);
    assert_int_equal(gr_threads_for_chunks(0, 1000000), gr_processors());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_threads_of_a_steady_state),
        cmocka_unit_test(test_threads_follow_the_work),
        cmocka_unit_test(test_quotas),
    };
    return cmocka_run_group_tests_name("processors", tests, NULL, NULL);
}
