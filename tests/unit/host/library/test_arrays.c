/* Fitness cases in arrays and predictions of them, seen through grampus.h alone. */
#include <fenv.h>
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/arrays.h"

/* ---- the cases ---- */

/* Columns of floats, rows of doubles read backwards, and a file give the same run. */
static void test_layouts(void **state) {
    grampus_error error;
    char path[] = "/tmp/grampus-arrays-XXXXXX";
    grampus_settings *s = settings_of("tree");
    grampus_cases by_column = float_cases(), by_row = by_column;
    (void)state;
    by_row.columns = rows;
    by_row.target = (grampus_column){&matrix[0][1], sizeof matrix[0], GRAMPUS_DOUBLE};
    grampus_run *a = evolve(s, &by_column, NULL, NULL), *b = evolve(s, &by_row, NULL, NULL), *c;
    int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    fprintf(out, "a,b,y\n");
    for (int i = 0; i < CASES; i++)
        fprintf(out, "%.9g,%.9g,%.9g\n", (double)column[0][i], (double)column[1][i],
                (double)target[i]);
    fclose(out);
    set(s, "data", path);
    check_ok(grampus_run_open(s, &c, &error), &error);
    grampus_run_keep_history(c);
    for (int finished = 0; !finished;)
        check_ok(grampus_run_advance(c, NULL, NULL, &finished, &error), &error);
    same_history(a, b);
    same_history(a, c);
    assert_string_equal(grampus_run_input(a, 1), "b");
    assert_null(grampus_run_input(a, 2));
    unlink(path);
    grampus_run_close(a);
    grampus_run_close(b);
    grampus_run_close(c);
    grampus_settings_free(s);
}

static void refused(const grampus_settings *s, const grampus_cases *train,
                    const grampus_cases *test, const char *says) {
    grampus_error error;
    grampus_run *run;
    assert_int_equal(grampus_run_open_on(s, train, test, NULL, &run, &error), GRAMPUS_BAD_INPUT);
    assert_null(run);
    if (!strstr(error.text, says))
        fail_msg("'%s' does not say '%s'", error.text, says);
}

static void test_refusals(void **state) {
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases(), other = cases;
    static double weight[CASES];
    (void)state;
    column[1][1200] = NAN;
    refused(s, &cases, NULL, "training case 1200: b is not finite");
    refused(s, &cases, &cases, "training case");
    column[1][1200] = 0.5f;
    matrix[7][1] = 1e39; /* too large for a float */
    other.target = (grampus_column){&matrix[0][1], sizeof matrix[0], GRAMPUS_DOUBLE};
    refused(s, &cases, &other, "test case 7: the target is not finite");
    matrix[7][1] = (double)target[7];
    weight[3] = 0.5;
    other = cases;
    other.weights = weight;
    weight[5] = -1.0;
    refused(s, &other, NULL, "case 5 has the weight -1; expected 0 or more");
    weight[5] = NAN;
    refused(s, &other, NULL, "case 5 has the weight nan");
    weight[5] = 1e30; /* its part of a sum of squares of errors would be infinite */
    refused(s, &other, NULL, "the largest weight of the training cases is 1e+30; expected it from");
    weight[3] = weight[5] = 1e-40; /* and here 0 */
    refused(s, &other, NULL, "the largest weight of the training cases is 1e-40");
    weight[3] = weight[5] = 1e-46; /* 0 as a float */
    refused(s, &other, NULL, "the largest weight of the training cases is 1e-46; expected it from");
    weight[3] = weight[5] = 0.0;
    refused(s, &other, NULL, "training cases is above 0; expected some");
    other = cases;
    other.inputs = 1;
    refused(s, &cases, &other, "1 input of test cases; expected 2");
    other = cases;
    other.target.values = NULL;
    refused(s, &other, NULL, "training cases without a target; expected one");
    refused(s, &cases, &other, "test cases without a target; expected one");
    other.cases = 0;
    refused(s, &other, NULL, "no training cases");
    other = cases;
    const grampus_column none[2] = {cases.columns[0], {NULL, sizeof(float), GRAMPUS_FLOAT}};
    const char *const nameless[2] = {"a", NULL};
    other.columns = none;
    refused(s, &other, NULL, "training cases have no values of input 1 of 2");
    other.columns = NULL;
    refused(s, &cases, &other, "test cases have no values of input 0 of 2");
    other = cases;
    other.names = nameless;
    refused(s, &other, NULL, "training cases have no name of input 1 of 2");
    other = cases;
    other.inputs = 0; /* the column behind the inputs is the target */
    refused(s, &other, NULL, "trees of cases without inputs; expected one");
    set(s, "boolean", "parity-3");
    refused(s, NULL, &cases, "test cases in arrays alone; expected training cases too");
    refused(s, &cases, NULL, "beside cases in arrays");
    grampus_settings_free(s);
}

/* A target of doubles of which floats leave one number: any program that gives it had no error. */
static void test_lost_target(void **state) {
    static double values[CASES], weight[CASES];
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases(), constant = cases;
    const double ones = 0.1; /* one number in doubles too */
    (void)state;
    for (int i = 0; i < CASES; i++)
        values[i] = 1.0 + (i + 1) * 1e-12;
    weight[3] = weight[9] = 1.0;
    cases.target = (grampus_column){values, sizeof *values, GRAMPUS_DOUBLE};
    refused(s, &cases, NULL, "the target, of a range of 1.5e-09, is one number in single precisio");
    values[5] = 2.0; /* of no weight */
    cases.weights = weight;
    refused(s, &cases, NULL, "the target, of a range of 6e-12, is one number in single precision");
    cases.weights = NULL;
    constant.target = (grampus_column){&ones, 0, GRAMPUS_DOUBLE};
    grampus_run_close(evolve(s, &cases, &constant, NULL));
    grampus_run_close(evolve(s, &constant, &cases, NULL));
    values[5] = 1.0 + 6e-12;
    grampus_run_close(evolve(s, &constant, &cases, NULL)); /* of test cases it is an error as any */
    set(s, "precision", "double");
    grampus_run_close(evolve(s, &cases, NULL, NULL));
    grampus_settings_free(s);
}

/* An individual is applied to the cases it was evolved on, by the names that they have. */
static void check_named(grampus_run *run, const grampus_cases *cases) {
    grampus_best best = best_of(run), given = best;
    grampus_cases other = *cases;
    const char *const called[2] = {grampus_run_input(run, 0), grampus_run_input(run, 1)};
    char infix[64];
    grampus_error error;
    static float out[2][CASES];
    snprintf(infix, sizeof infix, "%s - 2.0 * %s", called[0], called[1]);
    given.infix = infix;
    other.names = called;
    check_ok(grampus_predict(&given, cases, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, out[0], &error), &error);
    check_ok(grampus_predict(&given, &other, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, out[1], &error),
             &error);
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    for (uint32_t i = 0; i < CASES; i++)
        assert_true(out[0][i] == column[0][i] - 2.0f * column[1][i]);
    other.columns = NULL;
    assert_int_equal(grampus_predict(&given, &other, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, out, &error),
                     GRAMPUS_BAD_INPUT);
    assert_string_equal(error.text, "the cases have no values of input 0 of 2");
    grampus_best_free(&best);
}

/* Names that expressions cannot have are changed. */
static void test_names(void **state) {
    const char *const odd[] = {"not", "not"};
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    (void)state;
    cases.names = odd;
    grampus_run *run = evolve(s, &cases, NULL, NULL);
    assert_string_equal(grampus_run_input(run, 0), "not_");
    assert_string_equal(grampus_run_input(run, 1), "not__2");
    check_named(run, &cases);
    grampus_run_close(run);
    const char *const nearly[] = {"a b", "a_b"}; /* who has a name as it is keeps it */
    cases.names = nearly;
    run = evolve(s, &cases, NULL, NULL);
    assert_string_equal(grampus_run_input(run, 0), "a_b_1");
    assert_string_equal(grampus_run_input(run, 1), "a_b");
    check_named(run, &cases);
    grampus_run_close(run);
    cases.names = odd;
    set(s, "prepare", "differences"); /* made of the others, whose names expressions have */
    run = evolve(s, &cases, NULL, NULL);
    assert_string_equal(grampus_run_input(run, 1), "not__2");
    assert_null(grampus_run_input(run, 2));
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* The smallest: one case, one input, and a name for all of it. */
static void test_one_case(void **state) {
    const double one = 3.0;
    const grampus_column x = {&one, 0, GRAMPUS_DOUBLE};
    const grampus_cases cases = {1, 1, NULL, &x, x, NULL};
    grampus_settings *s = settings_of("tree");
    (void)state;
    grampus_run *run = evolve(s, &cases, &cases, NULL);
    grampus_best best = best_of(run);
    assert_true(best.train == 0.0 && best.test == 0.0);
    assert_string_equal(grampus_run_input(run, 0), "x0");
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* ---- predictions ---- */

static double rmse(const double *output) {
    double sum = 0.0;
    for (int i = 0; i < CASES; i++)
        sum += (output[i] - (double)target[i]) * (output[i] - (double)target[i]);
    return sqrt(sum / CASES);
}

static void test_scaled(void **state) {
    grampus_error error;
    static double output[CASES], raw[CASES];
    static float single[CASES];
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    (void)state;
    set(s, "linear-scaling", "true");
    set(s, "generations", "0");
    set(s, "functions", "+, -"); /* no way to the target itself */
    grampus_run *run = evolve(s, &cases, NULL, NULL);
    grampus_best best = best_of(run);
    cases.columns = rows;
    check_ok(grampus_predict(&best, &cases, GRAMPUS_SCALED, GRAMPUS_DOUBLE, output, &error),
             &error);
    check_ok(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_DOUBLE, raw, &error), &error);
    check_ok(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, single, &error), &error);
    assert_true(fabs(rmse(output) - best.train) < 1e-4 * best.train);
    assert_true(rmse(raw) > 1.001 * best.train); /* it was fitted */
    for (int i = 0; i < CASES; i++) {
        assert_true(output[i] == best.intercept + best.slope * raw[i]);
        assert_true((double)single[i] == raw[i]);
    }
    assert_int_equal(grampus_predict(&best, &cases, GRAMPUS_LABEL, GRAMPUS_FLOAT, single, &error),
                     GRAMPUS_BAD_INPUT);
    best.rule = GRAMPUS_THRESHOLDS;
    best.thresholds = GRAMPUS_MOST_THRESHOLDS + 1; /* of a caller: it was read behind the last */
    assert_int_equal(grampus_predict(&best, &cases, GRAMPUS_LABEL, GRAMPUS_FLOAT, single, &error),
                     GRAMPUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "more thresholds than there is room for"));
    matrix[1100][2] = HUGE_VAL;
    assert_int_equal(grampus_predict(&best, &cases, GRAMPUS_OUTPUT, GRAMPUS_FLOAT, single, &error),
                     GRAMPUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "case 1100: b is not finite"));
    matrix[1100][2] = (double)column[1][1100];
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* A run of two targets, the last two columns: its best is applied whole, as each of its outputs is
 * alone. */
static void test_targets(void **state) {
    grampus_error error;
    static double whole[2 * CASES], alone[CASES], squares[2];
    char text[4096], *comma;
    grampus_settings *s = settings_of("tree");
    grampus_cases cases = float_cases();
    (void)state;
    set(s, "targets", "b, a");
    set(s, "target-scaling", "none");
    const char *const called[] = {"c", "b", "a"};
    grampus_column columns[3] = {cases.columns[0], cases.columns[1], cases.columns[0]};
    cases.names = called;
    cases.inputs = 3;
    cases.columns = columns;
    cases.target = columns[2];
    grampus_run *run = evolve(s, &cases, NULL, NULL);
    grampus_best best = best_of(run);
    assert_true(strncmp(best.infix, "targets(", 8) == 0);
    check_ok(grampus_predict_targets(&best, &cases, 2, GRAMPUS_DOUBLE, whole, &error), &error);
    for (int i = 0; i < 2 * CASES; i++) {
        const float *of = columns[i < CASES ? 1 : 2].values;
        squares[i / CASES] += pow(whole[i] - (double)of[i % CASES], 2.0) / CASES;
    }
    assert_true(fabs(sqrt((squares[0] + squares[1]) / 2) - best.train) <= 1e-4 * best.train + 1e-6);
    for (int k = 0, depth = 0; k < 2; k++) { /* "targets(A, B)" */
        snprintf(text, sizeof text, "%s", best.infix + 8);
        text[strlen(text) - 1] = '\0';
        for (comma = text; *comma != ',' || depth; comma++)
            depth += (*comma == '(') - (*comma == ')');
        *comma = '\0';
        grampus_best one = {.infix = k ? comma + 1 : text};
        check_ok(grampus_predict(&one, &cases, GRAMPUS_OUTPUT, GRAMPUS_DOUBLE, alone, &error),
                 &error);
        assert_memory_equal(alone, whole + k * CASES, sizeof alone);
    }
    for (uint32_t n = 0; n < 5; n++)
        if (n != 2)
            assert_int_equal(
                grampus_predict_targets(&best, &cases, n, GRAMPUS_DOUBLE, whole, &error),
                GRAMPUS_BAD_INPUT);
    grampus_best plain = {.infix = text};
    assert_int_equal(grampus_predict_targets(&plain, &cases, 2, GRAMPUS_DOUBLE, whole, &error),
                     GRAMPUS_BAD_INPUT);
    assert_string_equal(error.text,
                        "an expression without targets(...); expected one of 2 targets");
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
}

/* Labels of the best and of others are wrong in as many cases as their fitness says. */
static void check_labels(const grampus_best *best, const grampus_cases *cases) {
    grampus_error error;
    static float output[CASES];
    double wrong = 0.0;
    check_ok(grampus_predict(best, cases, GRAMPUS_LABEL, GRAMPUS_FLOAT, output, &error), &error);
    for (int i = 0; i < CASES; i++) {
        wrong += output[i] != label[i];
        assert_false(signbit(output[i])); /* 0, not the -0 that is nearest to -0.3 */
    }
    assert_true(wrong == best->train);
}

static void test_labels(void **state) {
    static const char *const rules[] = {"nearest", "thresholds", "fitted"};
    grampus_error error;
    (void)state;
    for (int k = 0; k < 3; k++) {
        grampus_settings *s = settings_of("tree");
        grampus_cases cases = float_cases();
        grampus_best *front;
        uint32_t count;
        cases.target.values = label;
        set(s, "metric", "misclassified");
        set(s, "class-rule", rules[k]);
        if (k == 1)
            set(s, "thresholds", "0.25, 1.5");
        grampus_run *run = evolve(s, &cases, NULL, NULL);
        grampus_best best = best_of(run);
        assert_int_equal(best.rule, k ? GRAMPUS_THRESHOLDS : GRAMPUS_NEAREST);
        assert_int_equal(best.thresholds, k ? 2 : 0);
        check_labels(&best, &cases);
        check_ok(grampus_run_front(run, 0, &front, &count, &error), &error);
        assert_true(count > 0 && front[count - 1].train == best.train);
        for (uint32_t i = 0; i < count; i++)
            check_labels(&front[i], &cases);
        grampus_front_free(front, count);
        grampus_best_free(&best);
        grampus_run_close(run);
        grampus_settings_free(s);
    }
}

/* To the metrics of positives no number is not positive, but to hinge it is nothing. */
static void test_labels_without_numbers(void **state) {
    static const char *const metrics[] = {"balanced-accuracy", "f1", "hinge"};
    grampus_error error;
    (void)state;
    for (int k = 0; k < 3; k++) {
        static float output[CASES];
        grampus_settings *s = settings_of("tree");
        grampus_cases cases = float_cases();
        cases.target.values = label;
        set(s, "metric", metrics[k]);
        grampus_run *run = evolve(s, &cases, NULL, NULL);
        grampus_best best = best_of(run), none = best;
        none.infix = "sqrt(0 - 1 - a * a)";
        check_ok(grampus_predict(&none, &cases, GRAMPUS_LABEL, GRAMPUS_FLOAT, output, &error),
                 &error);
        for (int i = 0; i < CASES; i++)
            assert_true(k < 2 ? output[i] == 0.0f : isnan(output[i]));
        grampus_best_free(&best);
        grampus_run_close(run);
        grampus_settings_free(s);
    }
}

/* Programs run on to the end of a vector: no memory that nothing was written to. As large numbers
 * its squares would be infinite, and valgrind would tell of it. */
static void test_end_of_cases(void **state) {
    grampus_error error;
    const float few[3] = {1.0f, 2.0f, 3.0f}, *const columns[1] = {few};
    float output[3];
    (void)state;
    mallopt(M_PERTURB, 0x80); /* every new byte is 0x7f, and a float of them 3.4e38 */
    feclearexcept(FE_ALL_EXCEPT);
    check_ok(grampus_evaluate("x0 * x0", NULL, 1, columns, 3, output, &error), &error);
    assert_false(fetestexcept(FE_OVERFLOW));
    mallopt(M_PERTURB, 0);
    assert_true(output[0] == 1.0f && output[1] == 4.0f && output[2] == 9.0f);
}

/* Columns and names that are not there: those that are used are asked for. */
static void test_evaluate_refusals(void **state) {
    grampus_error error;
    const float *const none[2] = {column[0], NULL};
    const char *const nameless[2] = {"a", NULL};
    static float output[CASES];
    (void)state;
    check_ok(grampus_evaluate("a + 1", names, 2, none, CASES, output, &error), &error);
    assert_true(output[3] == column[0][3] + 1.0f);
    assert_int_equal(grampus_evaluate("a + b", names, 2, none, CASES, output, &error),
                     GRAMPUS_BAD_INPUT);
    assert_string_equal(error.text, "no values of input 1 of 2, which is used");
    assert_int_equal(grampus_evaluate("a", names, 2, NULL, CASES, output, &error),
                     GRAMPUS_BAD_INPUT);
    check_ok(grampus_evaluate("a", names, 2, NULL, 0, output, &error), &error);
    assert_int_equal(grampus_evaluate("a", nameless, 2, none, CASES, output, &error),
                     GRAMPUS_BAD_INPUT);
    assert_string_equal(error.text, "no name of input 1 of 2");
    char *text;
    assert_int_equal(grampus_expression_postfix("a", nameless, 2, &text, &error),
                     GRAMPUS_BAD_INPUT);
}

static void test_postfix(void **state) {
    grampus_error error;
    char *text;
    (void)state;
    check_ok(grampus_expression_postfix("a * sin(b) - 2.5", names, 2, &text, &error), &error);
    assert_string_equal(text, "0 a\n0 b\n1 sin\n2 mul\n0 2.5\n2 sub\n");
    grampus_text_free(text);
    assert_int_equal(grampus_expression_postfix("a + c", names, 2, &text, &error),
                     GRAMPUS_BAD_INPUT);
    assert_null(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_lost_target),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_one_case),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_labels_without_numbers),
        cmocka_unit_test(test_end_of_cases),
        cmocka_unit_test(test_evaluate_refusals),
        cmocka_unit_test(test_postfix),
    };
    make_cases();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
