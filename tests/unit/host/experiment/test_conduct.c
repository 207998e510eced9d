/* Cells conducted: how far an experiment says it is when some were done before; that it hears of a
 * stop whatever becomes of the clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/experiment/conduct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char folder[64];
static gr_error error;

/* A clock that is set back an hour as soon as it was read (ld --wrap). */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
static int set_back;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = __real_clock_gettime(clock, now);
    now->tv_sec += clock == CLOCK_REALTIME && set_back ? 3600 : 0;
    return failed;
}

static int set_up(void **state) {
    (void)state;
    strcpy(folder, "/tmp/grampus-conduct-XXXXXX");
    set_back = 0;
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int tear_down(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

/* What it showed. */
typedef struct shown {
    double before, first, last;
    int ticks;
} shown;

static void on_tick(void *context, const gr_conducted *c) {
    shown *s = context;
    if (!s->ticks++)
        s->first = c->share;
    s->before = c->share_before;
    s->last = c->share;
}

/* Conducts the cells of x.yaml: a setting over some seeds. */
static gr_status conduct(const char *more, const char *seeds, sig_atomic_t stop, shown *s,
                         gr_conducted *done) {
    FILE *file = fopen("x.yaml", "w");
    gr_experiment e;
    volatile sig_atomic_t stopped = stop;
    gr_conduct_plan plan = {.jobs = 1, .stop = &stopped, .tick = on_tick, .context = s};
    assert_non_null(file);
    fprintf(file,
            "boolean: parity-3\ngenotype: tree\npopulation: 20\ndevice: cpu\nthreads: 1\n"
            "%s\ngrid:\n  seed: [%s]\n",
            more, seeds);
    fclose(file);
    *s = (shown){0};
    assert_int_equal(gr_experiment_read("x.yaml", "out", &e, &error), GR_OK);
    assert_int_equal(gr_experiment_open(&e, &error), GR_OK);
    gr_status status = gr_conduct(&e, &plan, done, &error);
    gr_experiment_close(&e);
    return status;
}

/* What was done before is there from the beginning. */
static void test_share_of_all(void **state) {
    (void)state;
    gr_conducted done;
    shown s;
    assert_int_equal(conduct("generations: 2", "1, 2, 3", 0, &s, &done), GR_OK);
    assert_float_equal(s.before, 0.0, 0.0);
    assert_float_equal(s.last, 1.0, 1e-12);
    assert_int_equal(conduct("generations: 2", "1, 2, 3, 4", 0, &s, &done), GR_OK);
    assert_int_equal(done.skipped, 3);
    assert_int_equal(done.done, 4);
    assert_float_equal(s.before, 0.75, 1e-12);
    assert_true(s.first >= 0.75 && s.first <= 1.0);
    assert_float_equal(s.last, 1.0, 1e-12);
}

/* One that was stopped is not at its end. */
static void test_share_of_stopped(void **state) {
    (void)state;
    gr_conducted done;
    shown s;
    assert_int_equal(conduct("generations: 100000000", "1, 2", 1, &s, &done), GR_STOPPED);
    assert_int_equal(done.done, 0);
    assert_true(s.ticks > 0 && s.last < 0.5);
}

/* Else it would wait until the first cell has come to its limit. */
static void test_clock_set_back(void **state) {
    (void)state;
    gr_conducted done;
    shown s;
    set_back = 1;
    assert_int_equal(conduct("generations: 100000000\ntime-limit: 3", "1, 2", 1, &s, &done),
                     GR_STOPPED);
    assert_int_equal(done.done, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_share_of_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_share_of_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clock_set_back, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
