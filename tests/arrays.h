/* What tests of runs on cases in arrays share: the cases, and a run on them. */
#ifndef GRAMPUS_TESTS_ARRAYS_H
#define GRAMPUS_TESTS_ARRAYS_H

#include "tests/library.h"

enum { CASES = 1500, POPULATION = 60 }; /* more cases than a chunk has */

/* The CPU, or what tests/gpu/arrays.sh asks for. */
static inline const char *device(void) {
    const char *asked = getenv("GRAMPUS_TEST_DEVICE");
    return asked ? asked : "cpu";
}

static inline grampus_settings *settings_of(const char *genotype) {
    grampus_error error;
    grampus_settings *s;
    char population[16];
    snprintf(population, sizeof population, "%d", POPULATION);
    check_ok(grampus_settings_new(&s, &error), &error);
    set(s, "genotype", genotype);
    set(s, "device", device());
    set(s, "population", population);
    set(s, "generations", "6");
    set(s, "max-nodes", "60");
    set(s, "epoch", "2");
    return s;
}

/* The same cases as a matrix of doubles, row by row with the target in the middle, and as columns
 * of floats. */
static double matrix[CASES][3];
static float column[2][CASES], target[CASES], label[CASES];

static inline void make_cases(void) {
    for (int i = 0; i < CASES; i++) {
        column[0][i] = (float)(matrix[i][0] = (float)(i % 37) / 8.0f - 2.0f);
        column[1][i] = (float)(matrix[i][2] = (float)(i % 11) / 4.0f);
        target[i] = column[0][i] * column[1][i] + column[0][i] * column[0][i];
        matrix[i][1] = (double)target[i];
        label[i] = target[i] > 1.0f ? 2.0f : target[i] > 0.0f ? 1.0f : 0.0f;
    }
}

static const char *const names[] = {"a", "b"};
static const grampus_column floats[] = {{column[0], sizeof(float), GRAMPUS_FLOAT},
                                        {column[1], sizeof(float), GRAMPUS_FLOAT}};
static const grampus_column rows[] = {{&matrix[0][0], sizeof matrix[0], GRAMPUS_DOUBLE},
                                      {&matrix[0][2], sizeof matrix[0], GRAMPUS_DOUBLE}};

static inline grampus_cases float_cases(void) {
    return (grampus_cases){CASES, 2, names, floats, {target, sizeof(float), GRAMPUS_FLOAT}, NULL};
}

/* Runs to the end. */
static inline grampus_run *evolve(const grampus_settings *s, const grampus_cases *train,
                                  const grampus_cases *test, const char *grammar) {
    grampus_error error;
    grampus_run *run;
    check_ok(grampus_run_open_on(s, train, test, grammar, &run, &error), &error);
    grampus_run_keep_history(run);
    for (int finished = 0; !finished;)
        check_ok(grampus_run_advance(run, NULL, NULL, &finished, &error), &error);
    return run;
}

static inline grampus_best best_of(grampus_run *run) {
    grampus_error error;
    grampus_best best;
    check_ok(grampus_run_best(run, 0, &best, &error), &error);
    return best;
}

static inline void same_history(const grampus_run *a, const grampus_run *b) {
    size_t n, m;
    const grampus_generation *x = grampus_run_history(a, &n), *y = grampus_run_history(b, &m);
    assert_int_equal(n, m);
    assert_true(n > 1);
    for (size_t i = 0; i < n; i++) {
        assert_true(x[i].best == y[i].best && x[i].mean == y[i].mean);
        assert_int_equal(x[i].valid, y[i].valid);
    }
}

#endif
