/* Weights of cases, seen through grampus.h alone: as so many equal cases, in every metric. */
#include "host/library/grampus.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CASES = 1700, POPULATION = 60 }; /* more cases than a chunk has */

static float x[2][CASES], y[CASES], label[CASES];
static double weight[CASES], scaled[CASES];
/* Each case as often as its weight says. */
static float many_x[2][3 * CASES], many_y[3 * CASES], many_label[3 * CASES];
static uint64_t many;

static void make_cases(void) {
    for (int i = 0; i < CASES; i++) {
        x[0][i] = (float)(i % 37) / 8.0f - 2.0f;
        x[1][i] = (float)(i % 11) / 4.0f + 0.01f * (float)(i % 7);
        y[i] = x[0][i] * x[1][i] + x[0][i] * x[0][i] - 1.0f;
        label[i] = y[i] > 1.0f ? 2.0f : y[i] > 0.0f ? 1.0f : 0.0f;
        weight[i] = (i * 7) % 4;
        scaled[i] = 0.3 * weight[i];
        for (int k = 0; k < (int)weight[i]; k++, many++) {
            many_x[0][many] = x[0][i];
            many_x[1][many] = x[1][i];
            many_y[many] = y[i];
            many_label[many] = label[i];
        }
    }
}

static grampus_column column_of(const float *values) {
    return (grampus_column){values, sizeof *values, GRAMPUS_FLOAT};
}
static const char *const names[] = {"a", "b"};

static grampus_run *open_on(const char *const *more, int classes, int repeated,
                            const double *weights, grampus_settings **settings) {
    const grampus_column few[] = {column_of(x[0]), column_of(x[1])},
                         lots[] = {column_of(many_x[0]), column_of(many_x[1])};
    grampus_cases cases = {
        repeated ? many : CASES,
        2,
        names,
        repeated ? lots : few,
        column_of(repeated ? (classes ? many_label : many_y) : (classes ? label : y)),
        weights};
    grampus_error error;
    grampus_run *run;
    const char *asked = getenv("GRAMPUS_TEST_DEVICE");
    assert_int_equal(grampus_settings_new(settings, &error), GRAMPUS_OK);
    const char *const common[] = {"genotype",
                                  "tree",
                                  "population",
                                  "60",
                                  "epoch",
                                  "1",
                                  "max-nodes",
                                  "40",
                                  "constant-probability",
                                  "0.3",
                                  "generations",
                                  "2",
                                  "device",
                                  asked ? asked : "cpu",
                                  NULL};
    for (const char *const *at = common; *at; at += 2)
        assert_int_equal(grampus_settings_set(*settings, at[0], at[1], &error), GRAMPUS_OK);
    for (const char *const *at = more; *at; at += 2)
        assert_int_equal(grampus_settings_set(*settings, at[0], at[1], &error), GRAMPUS_OK);
    if (grampus_run_open_on(*settings, &cases, &cases, NULL, &run, &error))
        fail_msg("%s", error.text);
    return run;
}

/* Fitness of the individuals of the first generation, and that of the best on the test cases. */
static double measure(const char *const *more, int classes, int repeated, const double *weights,
                      grampus_individual *individuals) {
    grampus_settings *settings;
    grampus_run *run = open_on(more, classes, repeated, weights, &settings);
    grampus_error error;
    grampus_best best;
    int finished;
    assert_int_equal(grampus_run_advance(run, NULL, NULL, &finished, &error), GRAMPUS_OK);
    assert_int_equal(grampus_run_population(run, 0, individuals, POPULATION, &error), GRAMPUS_OK);
    assert_int_equal(grampus_run_best(run, 0, &best, &error), GRAMPUS_OK);
    double test = best.test;
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(settings);
    return test;
}

static int near(double a, double b, double tolerance) {
    return a == b || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static void compare(const char *const *more, int classes, double tolerance, int sums) {
    static grampus_individual weighed[POPULATION], repeated[POPULATION], unit[POPULATION];
    static grampus_individual alone[POPULATION];
    double test = measure(more, classes, 0, weight, weighed);
    double expected = measure(more, classes, 1, NULL, repeated);
    measure(more, classes, 0, scaled, unit);
    measure(more, classes, 0, NULL, alone);
    int finite = 0, different = 0;
    for (int i = 0; i < POPULATION; i++) {
        double factor = sums ? 0.3 : 1.0;
        if (!near(weighed[i].train, repeated[i].train, tolerance))
            fail_msg("%s: individual %d has %.9g by weights and %.9g by cases", more[1], i,
                     weighed[i].train, repeated[i].train);
        if (!near(weighed[i].train * factor, unit[i].train, 2 * tolerance))
            fail_msg("%s: individual %d has %.9g by weights and %.9g by 0.3 of them", more[1], i,
                     weighed[i].train, unit[i].train);
        finite += isfinite(weighed[i].train) && weighed[i].valid;
        different += weighed[i].train != alone[i].train;
    }
    assert_true(finite > 10);
    assert_true(different > 5 || strcmp(more[1], "max-error") == 0);
    assert_true(near(test, expected, tolerance));
}

static void test_metrics(void **state) {
    static const struct {
        const char *metric;
        int classes, sums;
    } rows[] = {
        {"sae", 0, 1},   {"mae", 0, 0},  {"mse", 0, 0},           {"rmse", 0, 0},
        {"r2", 0, 0},    {"hits", 0, 1}, {"misclassified", 1, 1}, {"balanced-accuracy", 0, 0},
        {"hinge", 0, 0}, {"f1", 0, 0},   {"max-error", 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const more[] = {"metric", rows[i].metric, "tolerance", "0.5", NULL};
        compare(more, rows[i].classes, 3e-6, rows[i].sums);
    }
}

static void test_scaling(void **state) {
    const char *const more[] = {"metric", "mse", "linear-scaling", "true", NULL};
    (void)state;
    compare(more, 0, 1e-6, 0);
}

/* The cases with further inputs are others, which have the weights too. */
static void test_prepared(void **state) {
    const char *const more[] = {"metric", "mse", "prepare", "differences", NULL};
    (void)state;
    compare(more, 0, 3e-6, 0);
}

/* Thresholds that fit the weighted cases best. */
static void test_fitted_classes(void **state) {
    const char *const more[] = {"metric", "misclassified", "class-rule", "fitted", NULL};
    (void)state;
    compare(more, 1, 1e-6, 1);
}

/* Steps are the same up to rounding; what comes of them is nearly always. */
static void test_fitting(void **state) {
    static grampus_individual weighed[POPULATION], repeated[POPULATION];
    (void)state;
    for (int scaling = 0; scaling < 2; scaling++) {
        const char *const more[] = {"metric",
                                    "mse",
                                    "optimise-constants",
                                    "all",
                                    "weighted-inputs",
                                    "true",
                                    "linear-scaling",
                                    scaling ? "true" : "false",
                                    NULL};
        const char *const plain[] = {"metric", "mse", "linear-scaling", scaling ? "true" : "false",
                                     NULL};
        int same = 0, better = 0;
        measure(more, 0, 0, weight, weighed);
        measure(more, 0, 1, NULL, repeated);
        for (int i = 0; i < POPULATION; i++)
            same += near(weighed[i].train, repeated[i].train, 1e-3);
        assert_true(same >= POPULATION * 9 / 10);
        measure(plain, 0, 0, weight, repeated);
        for (int i = 0; i < POPULATION; i++)
            better += weighed[i].train < repeated[i].train;
        if (better <= POPULATION / 4)
            fail_msg("%d are better", better);
    }
}

/* A column of a table is the same as an array. */
static void test_table(void **state) {
    static grampus_individual arrays[POPULATION], table[POPULATION];
    const char *const more[] = {"metric", "mse", NULL};
    grampus_settings *settings;
    grampus_error error;
    grampus_run *run;
    char path[] = "/tmp/grampus-weights-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    int finished;
    (void)state;
    fprintf(file, "a,w,b,y\n");
    for (int i = 0; i < CASES; i++)
        fprintf(file, "%.9g,%.9g,%.9g,%.9g\n", (double)x[0][i], scaled[i], (double)x[1][i],
                (double)y[i]);
    fclose(file);
    double test = measure(more, 0, 0, scaled, arrays);
    grampus_run_close(open_on(more, 0, 0, NULL, &settings));
    grampus_settings_set(settings, "data", path, &error);
    grampus_settings_set(settings, "test-data", path, &error);
    grampus_settings_set(settings, "weights", "w", &error);
    if (grampus_run_open(settings, &run, &error))
        fail_msg("%s", error.text);
    assert_string_equal(grampus_run_input(run, 1), "b");
    assert_null(grampus_run_input(run, 2));
    assert_int_equal(grampus_run_advance(run, NULL, NULL, &finished, &error), GRAMPUS_OK);
    assert_int_equal(grampus_run_population(run, 0, table, POPULATION, &error), GRAMPUS_OK);
    for (int i = 0; i < POPULATION; i++)
        assert_true(arrays[i].train == table[i].train);
    grampus_best best;
    assert_int_equal(grampus_run_best(run, 0, &best, &error), GRAMPUS_OK);
    assert_true(best.test == test);
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(settings);
    unlink(path);
}

/* Weights of 1 are none: not a bit is different. */
static void test_ones(void **state) {
    static grampus_individual with[POPULATION], without[POPULATION];
    static double ones[CASES];
    const char *const more[] = {"metric", "rmse", NULL};
    (void)state;
    for (int i = 0; i < CASES; i++)
        ones[i] = 1.0;
    measure(more, 0, 0, ones, with);
    measure(more, 0, 0, NULL, without);
    for (int i = 0; i < POPULATION; i++)
        assert_true(with[i].train == without[i].train);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_metrics),
                                       cmocka_unit_test(test_scaling),
                                       cmocka_unit_test(test_fitted_classes),
                                       cmocka_unit_test(test_fitting),
                                       cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_prepared),
                                       cmocka_unit_test(test_ones)};
    make_cases();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
