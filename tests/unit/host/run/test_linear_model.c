/* host/run/linear_model.c: least squares of the inputs as a program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/runs.h"

#include "host/run/linear_model.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char common[] = "runs: 1\ngenerations: 1\npopulation: 10\ndevice: cpu\nmetric: rmse\n";
static const char trees[] = "genotype: tree\nfunctions: +, -, *\nlinear-scaling: true\n"
                            "optimise-constants: elites\nweighted-inputs: true\n";
static const char plane[] = "target-expression: 7 + 2 * x - 3 * z + 0 * v\ntrain-cases: 200\n"
                            "variables: v, x, z = uniform(-2, 2)\ntest-cases: 20\n";

/* A node costs as much as a factor e of the error. */
static double worth(double cases, double left, uint32_t nodes) {
    (void)cases;
    return log(left) + nodes;
}
static double free_nodes(double cases, double left, uint32_t nodes) {
    (void)cases;
    return log(left) - 0.0 * nodes;
}

static gr_best model_of(const char *problem, const char *search, const char *more,
                        gr_linear_worth by) {
    gr_settings settings;
    gr_error error = {GR_OK, ""};
    gr_best model;
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s", problem, search, more);
    gr_run *run = open_run_of(common, text, &settings);
    if (gr_linear_model(run, 0, by, &model, NULL, &error))
        fail_msg("%s", error.text);
    gr_run_close(run);
    gr_settings_free(&settings);
    return model;
}

/* Weight of the input that a text begins with or holds behind " + ". */
static double weight_in(const char *infix, const char *input) {
    char end[16];
    snprintf(end, sizeof end, " * %s", input);
    const char *found = strstr(infix, end);
    assert_non_null(found);
    while (found > infix && !strchr(" (", found[-1]))
        found--;
    return strtod(found, NULL);
}

static void test_plane(void **state) {
    (void)state;
    gr_best m = model_of(plane, trees, "", worth);
    assert_true(m.nodes == 3 && m.depth == 2 && m.levels == 2 && m.length == 3 &&
                m.source == GR_FROM_LINEAR);
    assert_null(strstr(m.infix, "v"));
    assert_string_equal(m.infix, m.phenotype);
    /* weights keep 22 of 24 bits beside the number of one of three inputs */
    assert_true(fabs(weight_in(m.infix, "x") - 2.0) < 1e-5);
    assert_true(fabs(weight_in(m.infix, "z") + 3.0) < 1e-5);
    assert_true(fabs(m.intercept - 7.0) < 1e-4 && fabs(m.slope - 1.0) < 1e-5);
    assert_true(m.train < 1e-4 && m.test < 1e-4 && m.validity == GR_VALID);
    assert_true(m.seed == 1);
    gr_best_free(&m);
    m = model_of(plane, trees, "seed: 98765432109876\n", worth);
    assert_true(m.seed == 98765432109876);
    gr_best_free(&m);
}

/* The next input is the one that takes most of what is left by what it has beside those taken: b is
 * nearly a, what parts them is worth more than c, and there is room for two. */
static void test_correlated(void **state) {
    (void)state;
    char name[] = "/tmp/linear-XXXXXX", problem[256];
    uint32_t draw = 1;
    int file = mkstemp(name);
    assert_true(file >= 0);
    dprintf(file, "c,a,b,y\n");
    for (int i = 0; i < 300; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) {
            draw = draw * 1664525u + 1013904223u;
            x[k] = (double)(draw >> 8) / 0x1p23 - 1.0;
        }
        dprintf(file, "%.6f,%.6f,%.6f,%.6f\n", x[2], x[0], x[0] + 0.1 * x[1],
                x[0] + 0.5 * x[1] + 0.2 * x[2]);
    }
    close(file);
    snprintf(problem, sizeof problem, "data: %s\ntarget: y\n", name);
    gr_best m = model_of(problem, trees, "max-nodes: 3\n", free_nodes);
    assert_true(m.nodes == 3 && strstr(m.infix, "a") && strstr(m.infix, "b"));
    assert_null(strstr(m.infix, "c"));
    gr_best_free(&m);
    unlink(name);
}

/* The same where inputs have no weights: a product for each. */
static void test_products(void **state) {
    (void)state;
    static const char products[] = "genotype: tree\nfunctions: +, *\nlinear-scaling: true\n"
                                   "constant-probability: 0.1\n";
    gr_best m = model_of(plane, products, "metric: r2\n", worth);
    assert_true(m.nodes == 7 && m.depth == 3 && m.train > 0.999999);
    assert_true(fabs(weight_in(m.infix, "x") - 2.0) < 1e-6);
    gr_best_free(&m);
    m = model_of(plane, products, "constants: 1, 2, ephemeral\n", worth);
    assert_non_null(m.infix);
    gr_best_free(&m);
    m = model_of(plane, products, "constants: 1, 2\noptimise-constants: elites\n", worth);
    assert_non_null(m.infix);
    gr_best_free(&m);
    m = model_of(plane, products, "constants: 1, 2\n", worth);
    assert_null(m.infix); /* no other numbers */
}

/* Of inputs that are sums of each other no more than it takes; of none that is worth its node the
 * one that is best; as many as max-nodes and max-depth leave room for. */
static void test_limits(void **state) {
    (void)state;
    static const char noisy[] = "target-expression: a + 2 * b + 3 * c + 4 * d\ntrain-cases: 300\n"
                                "variables: a, b, c, d = uniform(-1, 1)\n";
    gr_best m = model_of(noisy, trees, "max-nodes: 5\n", free_nodes);
    assert_int_equal(m.nodes, 5);
    assert_null(strstr(m.infix, " * a"));
    gr_best_free(&m);
    m = model_of(noisy, trees, "max-nodes: 1\nmax-depth: 1\n", free_nodes);
    assert_int_equal(m.nodes, 1);
    assert_non_null(strstr(m.infix, " * d"));
    gr_best_free(&m);
    m = model_of(noisy, trees, "max-depth: 2\n", free_nodes);
    assert_int_equal(m.nodes, 3); /* four leaves are three levels */
    gr_best_free(&m);
    m = model_of(noisy, trees, "", free_nodes);
    assert_true(m.nodes == 7 && m.depth == 3 && m.train < 1e-5);
    gr_best_free(&m);
}

/* A table as a problem; its name is behind `data: `. */
static void write_table(char problem[256], const char *text, const char *more) {
    char name[] = "/tmp/linear-XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    snprintf(problem, 256, "data: %s\n%s", name, more);
}
static void remove_table(const char *problem) {
    char name[64] = "";
    sscanf(problem, "data: %63s", name);
    unlink(name);
}

/* Where most cases weigh little the others say what goes with what: y = x + 3 z, and not x - 3 z.
 */
static void test_weights(void **state) {
    (void)state;
    char text[4096] = "x,z,y,w\n", problem[256];
    for (int i = 0; i < 60; i++) {
        int x = i % 7 - 3, z = i % 5 - 2, heavy = i % 3 == 0;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d,%d,%g\n", x, z,
                 heavy ? x + 3 * z : x - 3 * z, heavy ? 1.0 : 1e-6);
    }
    write_table(problem, text, "target: y\nweights: w\n");
    gr_best m = model_of(problem, trees, "", free_nodes);
    assert_int_equal(m.nodes, 3);
    assert_true(fabs(weight_in(m.infix, "z") / weight_in(m.infix, "x") - 3.0) < 1e-3);
    gr_best_free(&m);
    remove_table(problem);
}

/* As many inputs as cases but two, at most: with more of them any target is met. */
static void test_few_cases(void **state) {
    (void)state;
    char problem[256];
    write_table(problem, "a,b,c,d,y\n1,5,2,-3,7\n4,-2,0,6,1\n-3,3,5,1,2\n2,0,-4,2,-6\n0,1,1,4,3\n",
                "target: y\n");
    gr_best m = model_of(problem, trees, "", free_nodes);
    assert_int_equal(m.nodes, 5); /* three inputs */
    gr_best_free(&m);
    remove_table(problem);
}

static double schwarz(double cases, double left, uint32_t nodes) {
    return cases * log(left) + 0.7 * nodes * log(cases);
}

/* Of so many numbers that every third case is looked at: inputs that those cases alone speak for,
 * by as many as there are of them, are not taken for inputs that all cases do. */
static void test_many_cases(void **state) {
    (void)state;
    enum { INPUTS = 100 };
    char text[1024] = "target-expression: a0 + sin(5000 * a1)\ntrain-cases: 60000\nvariables: a0";
    for (int k = 1; k < INPUTS; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", a%d", k);
    strcat(text, " = uniform(-1, 1)\n");
    gr_best m = model_of(text, trees, "", schwarz);
    assert_int_equal(m.nodes, 1);
    assert_non_null(strstr(m.infix, " * a0"));
    gr_best_free(&m);
}

/* The mean of the target is there where inputs have nothing to say, and trees may have numbers. */
static void test_mean(void **state) {
    (void)state;
    static const char *const search[] = {"constant-probability: 0.1\n", ""},
                             *const targets[] = {"7 + sin(7000 * x)", "7 + x"};
    for (int k = 0; k < 4; k++) {
        gr_settings settings;
        gr_error error = {GR_OK, ""};
        gr_best model, mean;
        char text[1024];
        snprintf(text, sizeof text,
                 "target-expression: %s\ntrain-cases: 2000\nvariables: v, x = uniform(-2, 2)\n%s%s",
                 targets[k / 2], trees, search[k % 2]);
        gr_run *run = open_run_of(common, text, &settings);
        assert_int_equal(gr_linear_model(run, 0, schwarz, &model, &mean, &error), GR_OK);
        assert_int_equal(mean.infix != NULL, k == 0);
        if (k == 0) {
            assert_true(mean.source == GR_FROM_MEAN && mean.nodes == 1 && mean.depth == 1);
            assert_true(fabs(mean.intercept + mean.slope * strtod(mean.infix, NULL) - 7.0) < 0.1);
            assert_true(fabs(mean.train - sqrt(0.5)) < 0.05);
        }
        gr_best_free(&model);
        gr_best_free(&mean);
        gr_run_close(run);
        gr_settings_free(&settings);
    }
}

static void test_none(void **state) {
    (void)state;
    gr_best m =
        model_of(plane, "genotype: tree\nfunctions: -, *\nlinear-scaling: true\n", "", worth);
    assert_null(m.infix); /* no sums */
    m = model_of(plane, "genotype: tree\nfunctions: +, -\nlinear-scaling: true\n", "", worth);
    assert_null(m.infix); /* no weights */
    m = model_of(plane, "genotype: tree\nfunctions: +, *\nlinear-scaling: true\n", "", worth);
    assert_null(m.infix); /* no constants */
    m = model_of(plane, "genotype: tree\nfunctions: +, *\nconstant-probability: 0.1\n", "", worth);
    assert_null(m.infix); /* no intercept */
    m = model_of("target-expression: x * 0 + 3\nvariables: x = uniform(-2, 2)\ntrain-cases: 9\n",
                 trees, "", worth);
    assert_null(m.infix); /* nothing to say */
    m = model_of("target-expression: x\nvariables: x = grid(2, 2, 1)\n", trees, "", worth);
    assert_null(m.infix); /* one case */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),      cmocka_unit_test(test_correlated),
        cmocka_unit_test(test_products),   cmocka_unit_test(test_limits),
        cmocka_unit_test(test_many_cases), cmocka_unit_test(test_mean),
        cmocka_unit_test(test_none),       cmocka_unit_test(test_weights),
        cmocka_unit_test(test_few_cases)};
    return cmocka_run_group_tests_name("linear_model", tests, NULL, NULL);
}
