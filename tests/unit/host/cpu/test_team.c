/* Teams of threads: every index once, whoever comes; and how many threads a run is given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/cpu/processors.h"
#include "host/cpu/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 1000 };

typedef struct visits {
    uint32_t times[COUNT], most; /* threads that there may be */
    _Atomic uint32_t strangers;
} visits;

static void visit(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    visits *v = context;
    v->strangers += thread >= v->most || last <= first;
    for (uint64_t k = first; k < last; k++)
        v->times[k]++;
}

static void expect_visits(gr_team *team, uint32_t threads, uint64_t count, uint32_t grain) {
    visits v = {.most = threads};
    gr_team_loop(team, count, grain, visit, &v);
    assert_int_equal(v.strangers, 0);
    for (uint64_t k = 0; k < COUNT; k++)
        assert_int_equal(v.times[k], k < count);
}

static void test_every_index_once(void **state) {
    static const uint32_t sizes[] = {1, 2, 5, 64};
    (void)state;
    for (uint32_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        gr_team *team = gr_team_open(sizes[s]);
        assert_int_equal(gr_team_size(team), sizes[s]);
        for (uint32_t turn = 0; turn < 500; turn++)
            expect_visits(team, sizes[s], turn * 37 % (COUNT + 1), 1 + turn % 20);
        gr_team_close(team);
    }
    expect_visits(NULL, 1, COUNT, 7);
    assert_int_equal(gr_team_size(NULL), 1);
    gr_team_close(NULL);
}

/* More loops than the door can number, and pauses in which everybody falls asleep. */
static void test_many_loops(void **state) {
    (void)state;
    gr_team *team = gr_team_open(3);
    for (uint32_t turn = 0; turn < 70000; turn++)
        expect_visits(team, 3, 3 + turn % 4, 1);
    for (uint32_t turn = 0; turn < 100; turn++) {
        usleep(300);
        expect_visits(team, 3, COUNT, 10);
    }
    gr_team_close(team);
}

/* What the threads of a team are allowed to hear of the program's signals. */
static void note_mask(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    sigset_t mask;
    (void)first;
    (void)last;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (thread)
        *(_Atomic int *)context += !sigismember(&mask, SIGINT);
    usleep(100);
}

static void test_signals_are_the_program_s(void **state) {
    _Atomic int heard = 0;
    sigset_t mask;
    (void)state;
    gr_team *team = gr_team_open(4);
    gr_team_loop(team, 100, 1, note_mask, &heard);
    gr_team_close(team);
    assert_int_equal(heard, 0);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_false(sigismember(&mask, SIGINT));
}

static uint32_t threads_for(uint32_t individuals, uint32_t cases, uint32_t asked) {
    gr_job job = {.threads = asked};
    job.params.individuals = individuals;
    job.params.train_cases = cases;
    return gr_threads_for(&job);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_once),
        cmocka_unit_test(test_many_loops),
        cmocka_unit_test(test_signals_are_the_program_s),
        cmocka_unit_test(test_threads_follow_the_work),
        cmocka_unit_test(test_quotas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
