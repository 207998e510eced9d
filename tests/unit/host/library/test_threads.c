/* Handles in threads of their own, and a run that another thread stops. `make sanitize-threads`
 * runs it under ThreadSanitizer. */
#include "host/library/grampus.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { THREADS = 4, CASES = 3000 };

static float x[CASES], y[CASES];
static const char grammar[] = "<e> ::= (<e> + <e>) | (<e> * <e>) | x0 | <d>.<d>\n"
                              "<d> ::= GE_RANGE:10\n";

/* What a thread does by itself, and what it comes to. */
typedef struct worker {
    int number;
    double best;
    char text[1024]; /* of the first error; "": none */
} worker;

static int set(grampus_settings *s, const char *key, const char *value, grampus_error *error) {
    return grampus_settings_set(s, key, value, error);
}

static int open_run(int number, const char *generations, grampus_run **run, grampus_error *error) {
    grampus_settings *s = NULL;
    const grampus_column column = {x, sizeof *x, GRAMPUS_FLOAT};
    const grampus_cases cases = {CASES, 1, NULL, &column, {y, sizeof *y, GRAMPUS_FLOAT}, NULL};
    int bad = grampus_settings_new(&s, error) || set(s, "device", "cpu", error) ||
              set(s, "genotype", number % 2 ? "tree" : "grammar", error) ||
              set(s, "linear-scaling", number % 2 ? "true" : "false", error) ||
              set(s, "population", "60", error) || set(s, "threads", "2", error) ||
              set(s, "max-nodes", "100", error) || set(s, "generations", generations, error) ||
              grampus_run_open_on(s, &cases, &cases, number % 2 ? NULL : grammar, run, error);
    grampus_settings_free(s);
    return bad;
}

static void *work(void *context) {
    worker *w = context;
    grampus_error error = {GRAMPUS_OK, ""};
    grampus_run *run = NULL;
    grampus_best *front = NULL;
    static const float zero = 0.0f;
    const grampus_column column = {&zero, 0, GRAMPUS_FLOAT};
    const grampus_cases cases = {200000, 1, NULL, &column, column, NULL};
    static float output[THREADS][200000];
    uint32_t count = 0;
    int finished = 0, bad = open_run(w->number, "8", &run, &error);
    while (!bad && !finished)
        bad = grampus_run_advance(run, NULL, NULL, &finished, &error);
    bad = bad || grampus_run_front(run, 0, &front, &count, &error) ||
          grampus_predict(&front[count - 1], &cases, GRAMPUS_SCALED, GRAMPUS_FLOAT,
                          output[w->number % THREADS], &error);
    w->best = bad ? (double)NAN : front[count - 1].train;
    memcpy(w->text, error.text, sizeof w->text);
    grampus_front_free(front, count);
    grampus_run_close(run);
    return NULL;
}

static void test_handles(void **state) {
    pthread_t thread[THREADS];
    worker w[2 * THREADS];
    (void)state;
    for (int i = 0; i < CASES; i++) {
        x[i] = (float)i / CASES;
        y[i] = x[i] * x[i] + 0.25f;
    }
    for (int i = 0; i < 2 * THREADS; i++)
        w[i] = (worker){.number = i % THREADS};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = THREADS; i < 2 * THREADS; i++) { /* again, alone */
        work(&w[i]);
        assert_string_equal(w[i - THREADS].text, "");
        assert_true(w[i].best == w[i - THREADS].best);
    }
}

typedef struct stopping {
    grampus_run *run;
    atomic_uint generation;
} stopping;

static void watch(void *context, const grampus_progress *progress) {
    stopping *s = context;
    s->generation = progress->generation;
}

static void *stop_soon(void *context) {
    stopping *s = context;
    while (s->generation < 2)
        usleep(1000);
    grampus_run_stop(s->run);
    return NULL;
}

static void test_stop(void **state) {
    grampus_error error;
    stopping s = {0};
    grampus_info info;
    grampus_best best;
    pthread_t thread;
    (void)state;
    assert_int_equal(open_run(1, "100000000", &s.run, &error), 0);
    grampus_run_watch(s.run, watch, &s, 0.0);
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &s), 0);
    for (int finished = 0; !finished;)
        assert_int_equal(grampus_run_advance(s.run, NULL, NULL, &finished, &error), 0);
    pthread_join(thread, NULL);
    grampus_run_info(s.run, &info);
    assert_true(info.stopped);
    assert_int_equal(grampus_run_best(s.run, 0, &best, &error), 0);
    assert_non_null(best.infix);
    grampus_best_free(&best);
    grampus_run_close(s.run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_handles), cmocka_unit_test(test_stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
