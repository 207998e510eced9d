/* host/cpu/team.h: teams of threads: every index once, whoever comes. */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/cpu/team.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
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

static void visit_or_rest(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    (void)first;
    (void)last;
    *(_Atomic int *)context += thread != 0;
    usleep(thread ? 100000 : 1000); /* the owner has the first pieces, and waits for the last */
}

/* Who waits for helpers that take long sleeps: gives the processor away once for its own rest, and
 * once to wait. */
static void test_waiting_takes_no_processor(void **state) {
    struct rusage before, after;
    _Atomic int helped = 0;
    (void)state;
    gr_team *team = gr_team_open(2);
    for (uint32_t turn = 0; turn < 100 && !helped; turn++) {
        getrusage(RUSAGE_THREAD, &before);
        gr_team_loop(team, 2, 1, visit_or_rest, &helped);
        getrusage(RUSAGE_THREAD, &after);
    }
    gr_team_close(team);
    assert_int_equal(helped, 1);
    assert_true(after.ru_nvcsw - before.ru_nvcsw >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_once),
        cmocka_unit_test(test_many_loops),
        cmocka_unit_test(test_signals_are_the_program_s),
        cmocka_unit_test(test_waiting_takes_no_processor),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
