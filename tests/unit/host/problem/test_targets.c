/* host/problem/targets.h: moments and positives, classes, metrics without a meaning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/problem/targets.h"
#include "tests/problems.h"

/* Its moments are for r2 and linear scaling, which take them one case after the other. */
static void test_target(void **state) {
    (void)state;
    static const char *const asking[] = {"metric: r2\n", "linear-scaling: true\n", ""};
    for (int k = 0; k < 3; k++) {
        gr_problem problem;
        char text[256];
        snprintf(text, sizeof text,
                 "genotype: tree\ntarget-expression: x\nvariables: x = grid(-1, 3, 1)\n"
                 "test-variables: x = grid(5, 6, 1)\n%s",
                 asking[k]);
        assert_string_equal(make_problem(text, &problem), "");
        const gr_params *p = &problem.job.params;
        assert_true(p->positives[0] == 3.0 && p->positives[1] == 2.0);
        assert_true(p->target_mean[0] == (k < 2 ? 1.0 : 0.0));
        assert_true(p->target_ss[0] == (k < 2 ? 10.0 : 0.0));
        assert_true(p->target_mean[1] == (k < 2 ? 5.5 : 0.0));
        assert_true(p->target_ss[1] == (k < 2 ? 0.5 : 0.0));
        gr_problem_free(&problem);
    }
}

static const char labelled[] =
    "genotype: tree\nvariables: x = grid(0, 4, 1)\nmetric: misclassified\n";

static const char *make_labels(const char *target, const char *more, gr_problem *problem) {
    char text[512];
    snprintf(text, sizeof text, "%starget-expression: %s\n%s", labelled, target, more);
    return make_problem(text, problem);
}

static void test_classes(void **state) {
    (void)state;
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    assert_string_equal(make_labels("x - 2", "", &problem), "");
    assert_true(p->class_min == -2.0f && p->class_max == 2.0f && p->thresholds == 0);
    gr_problem_free(&problem);
    assert_string_equal(make_labels("x - 2", "class-rule: fitted\n", &problem), "");
    assert_int_equal(p->thresholds, 4); /* one between every two labels */
    gr_problem_free(&problem);
    assert_string_equal(make_labels("x", "class-rule: thresholds\nthresholds: 0.5, 2\n", &problem),
                        "");
    assert_true(p->thresholds == 2 && p->threshold[0] == 0.5f && p->threshold[1] == 2.0f);
    gr_problem_free(&problem);
    assert_non_null(
        strstr(make_labels("x / 2", "", &problem), "case 2 of the training target is 0.5"));
    assert_non_null(strstr(make_labels("x", "class-rule: sign\n", &problem),
                           "more than two labels; case 2 of the training target is 1"));
    assert_string_equal(make_labels("x > 1", "class-rule: sign\n", &problem), "");
    gr_problem_free(&problem);
    assert_non_null(strstr(make_labels("x * 5000000", "", &problem),
                           "does not tell labels from 16777216 on apart; case 5 of the training "
                           "target is 20000000; expected lower numbers"));
    assert_string_equal(make_labels("x * 4000000", "", &problem), "");
    gr_problem_free(&problem);
}

/* Metrics that have no meaning on a target. */
static void test_refused_targets(void **state) {
    (void)state;
    gr_problem problem;
    const char *flat =
        "genotype: tree\nvariables: x = grid(0, 4, 1)\ntarget-expression: 0 * x + 2\n";
    char text[256];
    snprintf(text, sizeof text, "%smetric: r2\n", flat);
    assert_non_null(
        strstr(make_problem(text, &problem), "r2 has no meaning for a constant training target"));
    snprintf(text, sizeof text, "%smetric: balanced-accuracy\n", flat);
    assert_non_null(
        strstr(make_problem(text, &problem), "needs both classes in the training target"));
}

/* Targets whose squares floats do not hold, where every small program would be exact. */
static void test_lost_squares(void **state) {
    (void)state;
    gr_problem problem;
    static const char *const lost[][2] = {
        {"1e-22 * x", "metric: rmse\n"},
        {"1e-22 * x", "metric: r2\n"},
        {"-1e-22 * x", "metric: mse\nlinear-scaling: true\n"},
        {"1e-22 * x", "metric: mae\nobjectives: error, rmse\n"},
    };
    static const char *const good[][2] = {
        {"1e-21 * x", "metric: rmse\n"}, {"1e-22 * x", "metric: r2\nlinear-scaling: true\n"},
        {"1e-22 * x", "metric: mae\n"},  {"0 * x", "metric: rmse\n"},
        {"0 - x", "metric: rmse\n"},
    };
    char text[256];
    const char *form = "genotype: tree\nvariables: x = grid(0, 4, 1)\ntarget-expression: %s\n%s";
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++) {
        snprintf(text, sizeof text, form, lost[k][0], lost[k][1]);
        const char *message = make_problem(text, &problem);
        assert_non_null(strstr(message, "squares of a training target of at most 4e-22 are lost"));
        assert_non_null(strstr(message, k == 2 ? "or metric rmse" : "or linear-scaling"));
    }
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        snprintf(text, sizeof text, form, good[k][0], good[k][1]);
        assert_string_equal(make_problem(text, &problem), "");
        gr_problem_free(&problem);
    }
}

/* So are squares that small weights make as small; linear scaling adds doubles. */
static void test_lost_weighed_squares(void **state) {
    (void)state;
    float target[] = {1e-15f, -4e-15f, 0.0f}, weight[] = {1e-18f, 1e-18f, 1.0f};
    gr_dataset set = {.cases = 3, .y = target, .w = weight};
    gr_params p = {.metric = GR_METRIC_RMSE, .train_cases = 3};
    gr_settings s;
    gr_error error = {GR_OK, ""};
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    assert_int_equal(gr_check_target(&s, &p, &set, 0, "training", &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "squares of a training target of at most 4e-15, times their "
                                       "weights, are lost in floats; expected other units or "
                                       "linear-scaling"));
    p.metric = GR_METRIC_MAE;
    assert_int_equal(gr_check_target(&s, &p, &set, 0, "training", &error), GR_OK);
    p.metric = GR_METRIC_MSE;
    p.linear_scaling = 1;
    assert_int_equal(gr_check_target(&s, &p, &set, 0, "training", &error), GR_OK);
    p.linear_scaling = 0;
    weight[1] = 1e-12f;
    assert_int_equal(gr_check_target(&s, &p, &set, 0, "training", &error), GR_OK);
    gr_settings_free(&s);
}

/* Targets whose squares are infinite in floats, where nobody has an error that is a number. A chunk
 * is added up in floats, cases of the next one are not with it; an outlier is enough. */
static void test_infinite_squares(void **state) {
    (void)state;
    gr_problem problem;
    static const struct {
        const char *target, *more, *instead; /* NULL: taken */
    } cases[] = {
        {"1e19 * x", "metric: mse\n", "metric mae"},
        {"1e19 * x", "metric: rmse\n", "linear-scaling"},
        {"-1e19 * x", "metric: r2\n", "linear-scaling"},
        {"1e20 * (x > 1999)", "metric: mse\n", "metric mae"},
        {"1e20 * x", "metric: mse\nlinear-scaling: true\n", "metric rmse"},
        {"1e19 * x", "metric: mae\nobjectives: error, rmse\n", "linear-scaling"},
        {"1e18 * (x > 1999)", "metric: mse\n", NULL},
        {"1.5e19 * (x > 1024.5) * (x < 1026.5)", "metric: mse\n", "metric mae"},
        {"1.5e19 * (x > 1023.5) * (x < 1025.5)", "metric: mse\n", NULL},
        {"1e20 * x", "metric: rmse\nlinear-scaling: true\n", NULL},
        {"1e20 * x", "metric: mae\n", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "genotype: tree\nvariables: x = grid(1, 2000, 1)\ntarget-expression: %s\n%s",
                 cases[k].target, cases[k].more);
        const char *message = make_problem(text, &problem);
        if (!cases[k].instead) {
            assert_string_equal(message, "");
            gr_problem_free(&problem);
            continue;
        }
        assert_non_null(strstr(message, "squares of a training target of up to "));
        assert_non_null(strstr(message, cases[k].instead));
    }
}

/* Over doubles only a mean may be too large, and of mse alone. */
static void test_infinite_squares_of_doubles(void **state) {
    (void)state;
    double target[] = {3e19, 0.0, 0.0}, larger[] = {4e19, 0.0, 0.0};
    gr_dataset set = {.cases = 3, .doubles = 1, .dy = target};
    gr_params p = {.metric = GR_METRIC_MSE, .train_cases = 3};
    gr_settings s;
    gr_error error = {GR_OK, ""};
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    assert_int_equal(gr_check_large_target(&s, &p, &set, &error), GR_OK);
    set.dy = larger;
    assert_int_equal(gr_check_large_target(&s, &p, &set, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "up to 4e+19 are infinite in floats; expected other units "
                                       "or metric rmse"));
    p.metric = GR_METRIC_RMSE;
    assert_int_equal(gr_check_large_target(&s, &p, &set, &error), GR_OK);
    gr_settings_free(&s);
}

/* As many labels as there may be, in any order, of both sets together. */
static gr_status check_both(const gr_settings *s, gr_params *p, const gr_dataset *set,
                            gr_error *error) {
    gr_status status = gr_check_target(s, p, set, 0, "training", error);
    return status ? status : gr_check_large_target(s, p, set, error);
}

/* Errors in the target's units, of which a float holds none: fitness is one, over doubles too. */
static void test_errors_beyond_floats(void **state) {
    (void)state;
    double target[2];
    gr_dataset set = {.cases = 2, .doubles = 1, .dy = target};
    gr_settings s;
    gr_error error = {GR_OK, ""};
    static const struct {
        uint32_t metric;
        double target;
        const char *message; /* NULL: taken */
    } cases[] = {
        {GR_METRIC_RMSE, 1e300, "up to 1e+300 are infinite"},
        {GR_METRIC_RMSE, 1e-300, "at most 1e-300 are lost"},
        {GR_METRIC_MAE, 1e39, "up to 1e+39 are infinite"},
        {GR_METRIC_SAE, 3e38, "up to 3e+38 are infinite"}, /* two of them */
        {GR_METRIC_MAX_ERROR, 1e-45, "at most 1e-45 are lost"},
        {GR_METRIC_R2, 1e300,
         "doubles do not hold the squares of a training target of up to 1e+300"},
        {GR_METRIC_R2, 1e-170, "doubles do not hold the squares"},
        {GR_METRIC_RMSE, 3e38, NULL},
        {GR_METRIC_MAE, 3e38, NULL},
        {GR_METRIC_MAX_ERROR, 1e-40, NULL},
        {GR_METRIC_RMSE, 0.0, NULL},
        {GR_METRIC_R2, 1e100, NULL},
        {GR_METRIC_HITS, 1e300, NULL},
    };
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_params p = {.metric = cases[k].metric, .train_cases = 2};
        double far = target[0] = cases[k].target;
        target[1] = -far;
        p.target_ss[0] = 2.0 * far * far;
        const char *message = cases[k].message;
        assert_int_equal(check_both(&s, &p, &set, &error), message ? GR_BAD_INPUT : GR_OK);
        assert_true(!message || strstr(error.text, message));
    }
    gr_settings_free(&s);
}

/* Distances times their weights are added up as floats. */
static void test_lost_weighed_distances(void **state) {
    (void)state;
    float target[] = {1e-27f, -4e-27f, 0.0f}, weight[] = {1e-18f, 1e-18f, 1.0f};
    gr_dataset set = {.cases = 3, .y = target, .w = weight};
    gr_params p = {.metric = GR_METRIC_MAE, .train_cases = 3};
    gr_settings s;
    gr_error error = {GR_OK, ""};
    assert_int_equal(gr_settings_init(&s, &error), GR_OK);
    assert_int_equal(check_both(&s, &p, &set, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "at most 4e-27, times their weights, are lost in floats"));
    p.metric = GR_METRIC_MAX_ERROR; /* which has no weights */
    assert_int_equal(check_both(&s, &p, &set, &error), GR_OK);
    p.metric = GR_METRIC_MAE;
    weight[1] = 1e-12f;
    assert_int_equal(check_both(&s, &p, &set, &error), GR_OK);
    target[0] = target[1] = 3e38f;
    weight[0] = weight[1] = 1.0f;
    assert_int_equal(check_both(&s, &p, &set, &error), GR_BAD_INPUT);
    assert_non_null(strstr(error.text, "up to 3e+38, times their weights, are infinite in floats"));
    gr_settings_free(&s);
}

static void test_many_labels(void **state) {
    (void)state;
    gr_problem problem;
    static const char *const good[] = {
        "target-expression: x\nvariables: x = grid(1, 4096, 1)\n",
        "target-expression: 0 - x * x\nvariables: x = grid(-4095, 4095, 1)\n",
        "target-expression: x\nvariables: x = grid(1, 4000, 1)\n"
        "test-variables: x = grid(3000, 4096, 1)\n"};
    static const char *const bad[] = {
        "target-expression: x\nvariables: x = grid(1, 4097, 1)\n",
        "target-expression: 0 - x\nvariables: x = grid(0, 70000, 1)\n",
        "target-expression: x\nvariables: x = grid(1, 4000, 1)\n"
        "test-variables: x = grid(3000, 4097, 1)\n"};
    char text[256];
    for (size_t k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "genotype: tree\nmetric: misclassified\n%s", good[k]);
        assert_string_equal(make_problem(text, &problem), "");
        gr_problem_free(&problem);
        snprintf(text, sizeof text, "genotype: tree\nmetric: misclassified\n%s", bad[k]);
        assert_non_null(
            strstr(make_problem(text, &problem),
                   ":2:9: misclassified for more than 4096 different labels; expected"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_refused_targets),
        cmocka_unit_test(test_many_labels),
        cmocka_unit_test(test_lost_squares),
        cmocka_unit_test(test_lost_weighed_squares),
        cmocka_unit_test(test_infinite_squares),
        cmocka_unit_test(test_infinite_squares_of_doubles),
        cmocka_unit_test(test_errors_beyond_floats),
        cmocka_unit_test(test_lost_weighed_distances),
    };
    return cmocka_run_group_tests_name("targets", tests, NULL, NULL);
}
