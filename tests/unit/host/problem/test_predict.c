/* host/problem/predict.h: outputs and fitness of an expression, against arithmetic in double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/fitness/fitness.h"
#include "host/problem/predict.h"
#include "tests/problems.h"

#include <math.h>
#include <string.h>

/* The expression's outputs on the training cases, its cost and fit; malloc'ed. */
static float *predict(const gr_problem *problem, const char *text, const gr_params *p, float *cost,
                      double fit[2]) {
    const gr_dataset *set = &problem->train;
    gr_node *nodes;
    uint32_t count;
    gr_error error;
    gr_prediction made = {malloc(set->cases * sizeof *made.output), 0.0f, {0.0, 0.0}, NULL};
    if (gr_read_expression(text, "e", &problem->vocabulary, &nodes, &count, &error) ||
        gr_predict(nodes, count, set, p, &made, &error))
        fail_msg("%s", error.text);
    free(nodes);
    if (p) {
        *cost = made.cost;
        memcpy(fit, made.fit, sizeof made.fit);
    }
    return made.output;
}

/* Every case of every chunk, the last one cut. */
static void test_outputs(void **state) {
    (void)state;
    gr_problem problem;
    assert_string_equal(make("", &problem), "");
    const gr_dataset *set = &problem.train;
    float *output = predict(&problem, "x * 2 + y", NULL, NULL, NULL);
    float *x = gr_dataset_columns(set);
    for (uint64_t i = 0; i < set->cases; i++)
        assert_true(output[i] == x[i] * 2.0f + x[set->cases + i]);
    free(x);
    free(output);
    output = predict(&problem, "0.25", NULL, NULL, NULL);
    assert_true(output[0] == 0.25f && output[2999] == 0.25f);
    free(output);
    gr_problem_free(&problem);
}

static void test_cost(void **state) {
    (void)state;
    static const struct {
        const char *more;
        uint32_t metric;
    } cases[] = {{"metric: mse\n", GR_METRIC_MSE},
                 {"metric: mae\n", GR_METRIC_MAE},
                 {"metric: hits\ntolerance: 0.5\n", GR_METRIC_HITS},
                 {"metric: r2\n", GR_METRIC_R2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gr_problem problem;
        float cost;
        double fit[2], n = 3000, absolute = 0, squares = 0, hits = 0, mean = 0, spread = 0,
                       wanted = 0;
        assert_string_equal(make(cases[i].more, &problem), "");
        const gr_dataset *set = &problem.train;
        float *output = predict(&problem, "x", &problem.job.params, &cost, fit);
        for (uint64_t k = 0; k < set->cases; k++) {
            double error = (double)output[k] - (double)set->y[k];
            absolute += fabs(error);
            squares += error * error;
            hits += fabs(error) <= 0.5;
            mean += (double)set->y[k] / n;
        }
        for (uint64_t k = 0; k < set->cases; k++)
            spread += ((double)set->y[k] - mean) * ((double)set->y[k] - mean);
        wanted = cases[i].metric == GR_METRIC_MSE   ? squares / n
                 : cases[i].metric == GR_METRIC_MAE ? absolute / n
                 : cases[i].metric == GR_METRIC_R2  ? 1 - squares / spread
                                                    : hits;
        double fitness = gr_is_maximised(cases[i].metric) ? -(double)cost : (double)cost;
        assert_true(fabs(fitness - wanted) <= 1e-5 * fabs(wanted));
        free(output);
        gr_problem_free(&problem);
    }
}

/* Scaled: the line of least squares through outputs and targets. */
static void test_fit(void **state) {
    (void)state;
    gr_problem problem;
    float cost;
    double fit[2];
    assert_string_equal(
        make_problem("genotype: tree\ntarget-expression: 3 * x - 2\nvariables: x = uniform(-1, 1)\n"
                     "train-cases: 3000\nmetric: mse\nlinear-scaling: true\n",
                     &problem),
        "");
    free(predict(&problem, "x + 5", &problem.job.params, &cost, fit));
    assert_true(fabs(fit[0] + 17) < 1e-4 && fabs(fit[1] - 3) < 1e-5 && cost < 1e-9f);
    gr_problem_free(&problem);
}

/* Words of 32 cases: how many are right. */
static void test_words(void **state) {
    (void)state;
    gr_problem problem;
    gr_node *nodes;
    uint32_t count;
    gr_error error;
    assert_string_equal(make_problem("genotype: tree\nboolean: multiplexer-6\n", &problem), "");
    float output[64];
    gr_prediction made = {output, 0.0f, {0.0, 0.0}, NULL};
    assert_int_equal(gr_read_expression("A0", "e", &problem.vocabulary, &nodes, &count, &error),
                     GR_OK);
    assert_int_equal(gr_predict(nodes, count, &problem.train, &problem.job.params, &made, &error),
                     GR_OK);
    assert_true(-made.cost == 32.0f ||
                made.cost == 32.0f); /* an address says nothing of the data: half are right */
    free(nodes);
    gr_problem_free(&problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}
