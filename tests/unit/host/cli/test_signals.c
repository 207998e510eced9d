/* host/cli/signals.h: which signal is the first, which the second, and which neither.
 * Sleeps: an echo is a matter of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/cli/signals.h"
#include "host/spread/processes.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONGER_MILLISECONDS = 300 }; /* than an echo takes */

static volatile int calls;
static void count_call(void *context) {
    (void)context;
    calls++;
}

static void wait_beyond_echo(void) {
    const struct timespec nap = {0, LONGER_MILLISECONDS * 1000000l};
    nanosleep(&nap, NULL);
}

/* A signal of another process. */
static void signal_from_outside(void) {
    pid_t target = getpid(), child = fork();
    if (!child) {
        kill(target, SIGTERM);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* What a process comes to that goes through `steps`: its exit code, or 100 and the signal. */
static int come_to(void (*steps)(void)) {
    int status;
    pid_t child = fork();
    if (!child) {
        calls = 0;
        alarm(60);
        steps();
        _exit(calls);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static void two_from_outside(void) {
    gr_signals_watch();
    gr_signals_call(count_call, NULL);
    signal_from_outside();
    wait_beyond_echo();
    signal_from_outside();
}

static void passed_on_behind(void) {
    gr_signals_watch();
    gr_signals_call(count_call, NULL);
    signal_from_outside();
    wait_beyond_echo();
    gr_processes_told();
    gr_processes_told();
}

static void passed_on_before(void) {
    gr_signals_watch();
    gr_signals_call(count_call, NULL);
    gr_processes_told();
    wait_beyond_echo();
    signal_from_outside();
}

static void two_and_one_passed_on(void) {
    passed_on_before();
    wait_beyond_echo();
    signal_from_outside();
}

/* A second one ends the process, but not one that another process of the run was sent as well. */
static void test_second(void **state) {
    (void)state;
    assert_int_equal(come_to(two_from_outside), 100 + SIGTERM);
    assert_int_equal(come_to(passed_on_behind), 1);
    assert_int_equal(come_to(passed_on_before), 1);
    assert_int_equal(come_to(two_and_one_passed_on), 100 + SIGTERM);
}

static void passed_on_early(void) {
    gr_processes_told();
    gr_signals_watch();
    gr_processes_told();
    gr_signals_call(count_call, NULL);
}

static void early(void) {
    gr_signals_watch();
    signal_from_outside();
}

static void noted_early(void) {
    calls = *gr_signals_note();
    signal_from_outside();
    calls += 10 * *gr_signals_note();
}

/* What was passed on is kept until there is who ends; one's own ends at once what has not begun. */
static void test_start(void **state) {
    (void)state;
    assert_int_equal(come_to(passed_on_early), 1);
    assert_int_equal(come_to(early), GR_STOPPED);
    assert_int_equal(come_to(noted_early), 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second),
        cmocka_unit_test(test_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
