/* `precision: double` on cases in arrays: what only doubles hold arrives, is evolved on and comes
 * back, seen through grampus.h alone. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/arrays.h"

/* Two inputs near 10^8, where floats are 8 apart, that differ in their tenth digit; row by row, the
 * target (a - b) (a - b) between them. */
static double row[CASES][3];

static void make_rows(void) {
    for (int i = 0; i < CASES; i++) {
        double a = 1e8 + fmod(i * 0.6180339887498949, 1.0), b = 1e8 + fmod(i * 0.41421356, 1.0);
        row[i][0] = a, row[i][2] = b, row[i][1] = (a - b) * (a - b);
    }
}

static const grampus_column near[] = {{&row[0][0], sizeof row[0], GRAMPUS_DOUBLE},
                                      {&row[0][2], sizeof row[0], GRAMPUS_DOUBLE}};

/* The first so many of them. */
static grampus_cases near_cases(uint64_t count) {
    const grampus_column y = {&row[0][1], sizeof row[0], GRAMPUS_DOUBLE};
    return (grampus_cases){count, 2, names, near, y, NULL};
}

/* Runs on cases of which both are the same. */
static void same_runs(const grampus_settings *s, const grampus_cases *one,
                      const grampus_cases *other) {
    grampus_run *a = evolve(s, one, NULL, NULL), *b = evolve(s, other, NULL, NULL);
    same_history(a, b);
    grampus_run_close(a);
    grampus_run_close(b);
}

static grampus_settings *doubles(void) {
    grampus_settings *s = settings_of("tree");
    set(s, "precision", "double");
    set(s, "population", "300");
    set(s, "generations", "12");
    set(s, "functions", "+, -, *");
    set(s, "seed", "2");
    return s;
}

static void predicts(const grampus_best *best, const grampus_cases *cases, const double *expected,
                     size_t step) {
    grampus_error error;
    double *output = malloc((cases->cases + 1) * sizeof *output);
    check_ok(grampus_predict(best, cases, GRAMPUS_OUTPUT, GRAMPUS_DOUBLE, output, &error), &error);
    for (uint64_t i = 0; i < cases->cases; i++)
        if (output[i] != expected[i * step])
            fail_msg("case %d: %.17g; expected %.17g", (int)i, output[i], expected[i * step]);
    free(output);
}

/* ---- runs ---- */

/* Single precision sees inputs that are equal, and has no way to the target; doubles have. */
static void test_only_doubles_solve_it(void **state) {
    grampus_settings *s = doubles();
    grampus_cases cases = near_cases(CASES);
    (void)state;
    grampus_run *run = evolve(s, &cases, &cases, NULL);
    grampus_best best = best_of(run);
    assert_int_equal(best.precision, GRAMPUS_DOUBLE);
    assert_true(best.train == 0.0 && best.test == 0.0);
    predicts(&best, &cases, &row[0][1], 3);
    grampus_best_free(&best);
    grampus_run_close(run);
    set(s, "precision", "single");
    run = evolve(s, &cases, NULL, NULL);
    best = best_of(run);
    assert_int_equal(best.precision, GRAMPUS_FLOAT);
    assert_true(best.train > 0.1);
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* Rows, columns backwards and a file of all digits give the same run; so does what is held out. */
static void test_layouts(void **state) {
    char path[] = "/tmp/grampus-doubles-XXXXXX";
    static double back[3][CASES];
    FILE *out = fdopen(mkstemp(path), "w");
    (void)state;
    fprintf(out, "a,b,y\n");
    for (int i = 0; i < CASES; i++) {
        back[0][CASES - 1 - i] = row[i][0];
        back[1][CASES - 1 - i] = row[i][2];
        back[2][CASES - 1 - i] = row[i][1];
        fprintf(out, "%.17g,%.17g,%.17g\n", row[i][0], row[i][2], row[i][1]);
    }
    fclose(out);
    const ptrdiff_t down = -(ptrdiff_t)sizeof(double);
    const grampus_column columns[] = {{&back[0][CASES - 1], down, GRAMPUS_DOUBLE},
                                      {&back[1][CASES - 1], down, GRAMPUS_DOUBLE}};
    for (int held_out = 0; held_out < 2; held_out++) {
        grampus_settings *s = doubles();
        grampus_cases by_row = near_cases(CASES), by_column = by_row;
        by_column.columns = columns;
        by_column.target = (grampus_column){&back[2][CASES - 1], down, GRAMPUS_DOUBLE};
        set(s, "generations", "4");
        if (held_out)
            set(s, "validation-fraction", "0.3");
        grampus_run *a = evolve(s, &by_row, NULL, NULL), *b = evolve(s, &by_column, NULL, NULL);
        set(s, "data", path);
        grampus_run *c = evolve(s, NULL, NULL, NULL);
        same_history(a, b);
        same_history(a, c);
        grampus_best x = best_of(a), y = best_of(c);
        assert_string_equal(x.infix, y.infix);
        grampus_best_free(&x);
        grampus_best_free(&y);
        grampus_run_close(a);
        grampus_run_close(b);
        grampus_run_close(c);
        grampus_settings_free(s);
    }
    unlink(path);
}

/* Floats among doubles are what they are. */
static void test_mixed_types(void **state) {
    static double wide[CASES];
    grampus_settings *s = settings_of("tree");
    grampus_cases single = float_cases(), mixed = single;
    (void)state;
    for (int i = 0; i < CASES; i++)
        wide[i] = (double)column[1][i];
    const grampus_column both[] = {floats[0], {wide, sizeof(double), GRAMPUS_DOUBLE}};
    mixed.columns = both;
    set(s, "precision", "double");
    same_runs(s, &single, &mixed);
    grampus_settings_free(s);
}

/* One case, two, a chunk and one less and more, and what several threads read. */
static void test_sizes(void **state) {
    static const uint32_t sizes[] = {1, 2, 1023, 1024, 1025, 200000};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint32_t n = sizes[k];
        double(*large)[2] = malloc(n * sizeof *large);
        grampus_settings *s = doubles();
        for (uint32_t i = 0; i < n; i++) {
            large[i][0] = 1.0 + i * DBL_EPSILON;
            large[i][1] = large[i][0] + large[i][0] * large[i][0];
        }
        const grampus_column x = {&large[0][0], sizeof *large, GRAMPUS_DOUBLE};
        const grampus_column y = {&large[0][1], sizeof *large, GRAMPUS_DOUBLE};
        const grampus_cases cases = {n, 1, NULL, &x, y, NULL};
        set(s, "generations", "0");
        set(s, "population", "1");
        set(s, "seed-program", "x0 + x0 * x0");
        set(s, "metric", "max-error"); /* no case may be wrong */
        grampus_run *run = evolve(s, &cases, &cases, NULL);
        grampus_best best = best_of(run);
        assert_true(best.train == 0.0 && best.test == 0.0);
        predicts(&best, &cases, &large[0][1], 2);
        grampus_best_free(&best);
        large[n - 1][1] += 4 * DBL_EPSILON; /* the last one is read, too */
        grampus_run_close(run);
        run = evolve(s, &cases, NULL, NULL);
        best = best_of(run);
        assert_true(best.train == 4 * DBL_EPSILON);
        grampus_best_free(&best);
        grampus_run_close(run);
        grampus_settings_free(s);
        free(large);
    }
}

/* Numbers that are no floats at all: 10^200 and 10^-200. */
static void test_huge(void **state) {
    static double huge[CASES][3];
    grampus_settings *s = doubles();
    const grampus_column columns[] = {{&huge[0][0], sizeof huge[0], GRAMPUS_DOUBLE},
                                      {&huge[0][1], sizeof huge[0], GRAMPUS_DOUBLE}};
    grampus_cases cases = near_cases(CASES);
    grampus_error error;
    grampus_run *run;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        huge[i][0] = 1e200 * (1 + i % 37);
        huge[i][1] = 1e-200 * (1 + i % 11);
        huge[i][2] = huge[i][0] * huge[i][1];
    }
    cases.columns = columns;
    cases.target = (grampus_column){&huge[0][2], sizeof huge[0], GRAMPUS_DOUBLE};
    run = evolve(s, &cases, NULL, NULL);
    grampus_best best = best_of(run);
    assert_true(best.train == 0.0);
    predicts(&best, &cases, &huge[0][2], 3);
    best.precision = GRAMPUS_FLOAT;
    double output[CASES];
    assert_int_equal(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_DOUBLE, output, &error),
                     GRAMPUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "case 0: a is not finite as a float; expected"));
    grampus_best_free(&best);
    grampus_run_close(run);
    set(s, "precision", "single");
    assert_int_equal(grampus_run_open_on(s, &cases, NULL, NULL, &run, &error), GRAMPUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "training case 0: a is not finite as a float; expected"));
    grampus_settings_free(s);
}

/* ---- individuals ---- */

static double rmse(const grampus_best *best, const grampus_cases *cases) {
    static double output[CASES];
    grampus_error error;
    double sum = 0.0;
    check_ok(grampus_predict(best, cases, GRAMPUS_OUTPUT, GRAMPUS_DOUBLE, output, &error), &error);
    for (int i = 0; i < CASES; i++)
        sum += (output[i] - row[i][1]) * (output[i] - row[i][1]);
    return sqrt(sum / CASES);
}

static void check_rmse(const grampus_best *best, const grampus_cases *cases) {
    double expected = rmse(best, cases);
    assert_int_equal(best->precision, GRAMPUS_DOUBLE);
    if (expected > (double)FLT_MAX ? best->train != HUGE_VAL /* it is told as a float */
                                   : fabs(best->train - expected) > 1e-6 * expected)
        fail_msg("%s: %.9g; expected %.9g", best->infix, best->train, expected);
}

/* Populations between epochs and fronts have the fitness that doubles give. */
static void test_individuals(void **state) {
    enum { SOME = 20 };
    grampus_settings *s = doubles();
    grampus_cases cases = near_cases(CASES);
    grampus_error error;
    grampus_run *run;
    grampus_best some[SOME], *front;
    uint32_t place[SOME], count, small = 0;
    (void)state;
    for (uint32_t i = 0; i < SOME; i++)
        place[i] = 3 * i;
    check_ok(grampus_run_open_on(s, &cases, NULL, NULL, &run, &error), &error);
    for (int finished = 0; !finished;) {
        check_ok(grampus_run_advance(run, NULL, NULL, &finished, &error), &error);
        check_ok(grampus_run_individuals(run, 0, place, SOME, some, &error), &error);
        for (int i = 0; i < SOME; i++) {
            check_rmse(&some[i], &cases);
            small += some[i].train < 0.5; /* floats have none between 0 and 8 but 0 */
            grampus_best_free(&some[i]);
        }
    }
    assert_true(small > SOME);
    check_ok(grampus_run_front(run, 0, &front, &count, &error), &error);
    assert_true(count > 1);
    for (uint32_t i = 0; i < count; i++)
        check_rmse(&front[i], &cases);
    grampus_front_free(front, count);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* ---- predictions ---- */

/* What a caller fills: over numbers of its precision, to numbers of any type. */
static void test_filled(void **state) {
    grampus_cases cases = near_cases(CASES);
    grampus_best best = {.infix = "a / b - 0.1", .intercept = 3.0, .slope = 1e9};
    grampus_error error;
    static double output[CASES];
    static float single[CASES];
    (void)state;
    best.precision = GRAMPUS_DOUBLE;
    check_ok(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_DOUBLE, output, &error),
             &error);
    check_ok(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, single, &error), &error);
    for (int i = 0; i < CASES; i++) {
        assert_true(output[i] == row[i][0] / row[i][2] - (double)0.1f);
        assert_true(single[i] == (float)output[i]);
    }
    check_ok(grampus_predict(&best, &cases, GRAMPUS_SCALED, GRAMPUS_DOUBLE, output, &error),
             &error);
    for (int i = 0; i < CASES; i++)
        assert_true(output[i] == 3.0 + 1e9 * (row[i][0] / row[i][2] - (double)0.1f));
    best.precision = GRAMPUS_FLOAT; /* as before there were others */
    check_ok(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_DOUBLE, output, &error),
             &error);
    for (int i = 0; i < CASES; i++)
        assert_true(output[i] == (double)((float)row[i][0] / (float)row[i][2] - 0.1f));
}

/* Of hinge the classes part at 0, which is nearer to 10^-200 than any float. */
static void test_labels(void **state) {
    static const double x[] = {1e-200, -1e-200, 0.0, 2.0, -2.0};
    static const double expected[] = {1.0, 0.0, 0.0, 1.0, 0.0};
    const grampus_column of = {x, sizeof *x, GRAMPUS_DOUBLE};
    const grampus_cases cases = {5, 1, NULL, &of, of, NULL};
    grampus_settings *s = doubles();
    grampus_error error;
    double output[5];
    (void)state;
    set(s, "metric", "hinge");
    grampus_run *run = evolve(s, &cases, NULL, NULL);
    grampus_best best = best_of(run), same = best;
    same.infix = "x0";
    check_ok(grampus_predict(&same, &cases, GRAMPUS_LABEL, GRAMPUS_DOUBLE, output, &error), &error);
    assert_memory_equal(output, expected, sizeof expected);
    same.infix = "sqrt(0 - 1 - x0 * x0)";
    check_ok(grampus_predict(&same, &cases, GRAMPUS_LABEL, GRAMPUS_DOUBLE, output, &error), &error);
    assert_true(isnan(output[0]) && isnan(output[4]));
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

static void test_evaluate(void **state) {
    static const double a[] = {1e200, 1.0 + DBL_EPSILON, 1e8 + 0.25}, b[] = {1e-200, 1.0, 1e8};
    const double *const columns[] = {a, b};
    grampus_error error;
    double output[3];
    (void)state;
    check_ok(grampus_evaluate_doubles("a * b", names, 2, columns, 3, output, &error), &error);
    for (int i = 0; i < 3; i++)
        assert_true(output[i] == a[i] * b[i]);
    check_ok(grampus_evaluate_doubles("x0 - x1", NULL, 2, columns, 3, output, &error), &error);
    assert_true(output[0] == 1e200 && output[1] == DBL_EPSILON && output[2] == 0.25);
    check_ok(grampus_evaluate_doubles("sin(a)", names, 2, columns, 3, output, &error), &error);
    for (int i = 1; i < 3; i++)
        assert_true(fabs(output[i] - sin(a[i])) <= 2 * DBL_EPSILON);
    assert_int_equal(grampus_evaluate_doubles("a + c", names, 2, columns, 3, output, &error),
                     GRAMPUS_BAD_INPUT);
    check_ok(grampus_evaluate_doubles("2", NULL, 0, NULL, 3, output, &error), &error);
    assert_true(output[2] == 2.0);
}

/* ---- what goes beside ---- */

static void refused(const grampus_settings *s, const grampus_cases *train, const char *says) {
    grampus_error error;
    grampus_run *run;
    assert_int_equal(grampus_run_open_on(s, train, NULL, NULL, &run, &error), GRAMPUS_BAD_INPUT);
    assert_null(run);
    if (!strstr(error.text, says) || strchr(error.text, '\n'))
        fail_msg("'%s' does not say '%s'", error.text, says);
}

static void test_refusals(void **state) {
    static const struct {
        const char *key, *value, *says;
    } apart[] = {
        {"linear-scaling", "true", "precision double has no linear scaling; expected precision"},
        {"optimise-constants", "all", "precision double has no constants that are fitted"},
        {"metric", "misclassified", "precision double beside a metric of classes; expected sae"},
        {"prepare", "differences", "precision double has no prepared inputs"},
        {"probe-cases", "10", "precision double has no probe cases"},
        {"selection", "lexicase", "precision double has no lexicase selection"},
        {"math", "fast", "precision double has no math fast"},
        {"find-law", "true", "precision double has no laws"},
        {"targets", "b, y", "targets beside precision double; expected one of them"},
    };
    grampus_cases cases = near_cases(CASES);
    (void)state;
    for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
        grampus_settings *s = doubles();
        set(s, apart[k].key, apart[k].value);
        refused(s, &cases, apart[k].says);
        grampus_settings_free(s);
    }
    grampus_settings *s = doubles();
    row[1200][2] = NAN;
    refused(s, &cases, "training case 1200: b is not finite; expected no NaN, no infinity");
    row[1200][2] = 1e8;
    row[7][1] = -HUGE_VAL;
    refused(s, &cases, "training case 7: the target is not finite; expected no NaN, no infinity");
    make_rows();
    set(s, "target-expression", "x * x");
    set(s, "variables", "x = uniform(-1, 1)");
    set(s, "train-cases", "10");
    refused(s, NULL, "precision double is for numbers of a table; expected data");
    grampus_settings_free(s);
}

/* Weights leave cases out, or are refused. */
static void test_weights(void **state) {
    static double weight[CASES], half[CASES / 2][3];
    grampus_settings *s = doubles();
    grampus_cases all = near_cases(CASES), some = near_cases(CASES / 2);
    (void)state;
    for (int i = 0; i < CASES; i++) {
        weight[i] = i % 2;
        memcpy(half[i / 2], row[i], sizeof row[i]); /* the odd ones come last */
    }
    const grampus_column columns[] = {{&half[0][0], sizeof half[0], GRAMPUS_DOUBLE},
                                      {&half[0][2], sizeof half[0], GRAMPUS_DOUBLE}};
    some.columns = columns;
    some.target.values = &half[0][1];
    all.weights = weight;
    set(s, "generations", "3");
    same_runs(s, &all, &some);
    weight[8] = 0.5;
    refused(s, &all,
            "precision double has no weights of cases; expected precision single, or no "
            "other weights than 0 and 1");
    grampus_settings_free(s);
}

/* Where callers of before find what they know: the new number stands in a gap. */
static void test_layout_of_best(void **state) {
    (void)state;
    assert_int_equal(offsetof(grampus_best, depth), 40);
    assert_int_equal(offsetof(grampus_best, precision), 44);
    assert_int_equal(offsetof(grampus_best, intercept), 48);
    assert_int_equal(offsetof(grampus_best, threshold), 112);
    assert_int_equal(sizeof(grampus_best), 240);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_doubles_solve_it),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_mixed_types),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_individuals),
        cmocka_unit_test(test_filled),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_layout_of_best),
    };
    make_cases();
    make_rows();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
