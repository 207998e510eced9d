/* What a run reports against what its programs give: no false alarm under any metric, class rule,
 * scaling, sample or set; a wrong value is told, shown beside the right one and never solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitness/fitness.h"
#include "host/run/front.h"
#include "host/run/recompute.h"
#include "host/run/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__ /* the code is the same: large sets have metrics and samples by turns  \
                             */
enum { BY_TURNS = 1 };
#else
enum { BY_TURNS = 0 };
#endif

/* A run that is over, and what came of it. */
typedef struct ended {
    gr_settings settings;
    gr_run *run;
    gr_outcome outcome;
} ended;

static const char common[] = "genotype: tree\ndevice: cpu\npopulation: 30\ngenerations: 4\n"
                             "max-nodes: 30\nruns: 3\nthreads: 1\n";

/* Runs the settings of both texts over the common ones. 0: they do not go together. */
static int evolve(ended *e, const char *problem, const char *more) {
    gr_error error = {GR_OK, ""};
    char text[2048];
    int finished = 0;
    snprintf(text, sizeof text, "%s%s", problem, more);
    if (gr_settings_init(&e->settings, &error) ||
        gr_settings_parse(&e->settings, common, strlen(common), "common.yaml", &error) ||
        gr_settings_parse(&e->settings, text, strlen(text), "run.yaml", &error))
        fail_msg("%s\n%s", error.text, text);
    if (gr_settings_resolve(&e->settings, &error) || gr_run_open(&e->settings, &e->run, &error)) {
        gr_settings_free(&e->settings);
        return 0;
    }
    while (!finished)
        if (gr_run_advance(e->run, NULL, &finished, &error))
            fail_msg("%s\n%s", error.text, text);
    return 1;
}

static void collect(ended *e) {
    gr_error error = {GR_OK, ""};
    if (gr_outcome_collect(e->run, &e->outcome, &error))
        fail_msg("%s", error.text);
}

static void end(ended *e) {
    gr_outcome_free(&e->outcome);
    gr_run_close(e->run);
    gr_settings_free(&e->settings);
}

/* ---- no false alarm ---- */

static uint32_t check_silent(const char *problem, const char *more) {
    ended e;
    if (!evolve(&e, problem, more))
        return 0;
    collect(&e);
    for (uint32_t r = 0; r < e.outcome.runs; r++) {
        const gr_best *b = &e.outcome.best[r];
        if (b->differs)
            fail_msg("%s%srun %u: %s reported %.9g and %.9g, recomputed %.9g and %.9g", problem,
                     more, r, b->infix, b->train, b->test, b->recomputed[0], b->recomputed[1]);
        assert_true(b->recomputed[0] == b->recomputed[0]);
        assert_int_equal(isnan(b->recomputed[1]), isnan(b->test));
    }
    assert_int_equal(e.outcome.differing, 0);
    end(&e);
    return 1;
}

static const char numbers[] =
    "target-expression: 100 * sin(x) + y\nvariables: x = uniform(-3, 3); y = uniform(-1, 2)\n"
    "functions: \"+, -, *, /, sin, log, sqrt\"\n";
static const char narrow[] = /* to test on */
    "target-expression: 100 * sin(x) + y\nvariables: x = uniform(-3, 3); y = uniform(-1, 2)\n"
    "functions: \"+, -, *, /, sin, log, sqrt\"\n"
    "test-variables: x = uniform(-0.01, 0.01); y = uniform(0, 0.1)\n";
static const char labels[] =
    "target-expression: (x > 0) + (y > 0) + (x > y)\n"
    "variables: x = uniform(-3, 3); y = uniform(-1, 2)\nfunctions: \"+, -, *, /, sin, log\"\n";
static const char signs[] =
    "target-expression: 2 * (x * y > 0) - 1\n"
    "variables: x = uniform(-3, 3); y = uniform(-1, 2)\nfunctions: \"+, -, *, /, sin, log\"\n";

static void test_silent(void **state) {
    (void)state;
    static const struct {
        const char *problem, *fitness;
    } metrics[] = {
        {numbers, "metric: sae\n"},
        {numbers, "metric: mae\n"},
        {numbers, "metric: mse\n"},
        {numbers, "metric: max-error\n"},
        {numbers, "metric: rmse\n"},
        {numbers, "metric: r2\n"},
        {numbers, "metric: mse\nlinear-scaling: true\n"},
        {numbers, "metric: rmse\nlinear-scaling: true\n"},
        {numbers, "metric: r2\nlinear-scaling: true\n"},
        {numbers, "metric: hits\ntolerance: 0.5\n"},
        {labels, "metric: hits\ntolerance: 1\n"}, /* errors lie on the border */
        {labels, "metric: misclassified\nclass-rule: nearest\n"},
        {labels, "metric: misclassified\nclass-rule: thresholds\nthresholds: 0, 0.5, 2\n"},
        {labels, "metric: misclassified\nclass-rule: fitted\n"},
        {signs, "metric: misclassified\nclass-rule: sign\n"},
        {signs, "metric: misclassified\nclass-rule: fitted\n"},
        {signs, "metric: balanced-accuracy\n"},
        {signs, "metric: balanced-accuracy\nthresholds: 0.25\n"},
        {signs, "metric: hinge\n"},
        {signs, "metric: f1\n"}};
    static const char *const sizes[] = {"train-cases: 70\n", "train-cases: 70\ntest-cases: 1\n",
                                        "train-cases: 3000\ntest-cases: 2100\n",
                                        "train-cases: 17000\ntest-cases: 500\n"};
    static const char *const samples[] = {"", "case-sampling: random\nsample-cases: 60\n",
                                          "case-sampling: rotating\nsample-cases: 60\n",
                                          "case-sampling: fixed\nsample-cases: 60\n"};
    uint32_t done = 0;
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
        for (size_t k = 0; k < 4; k++)
            for (size_t s = 0; s < 4; s++) {
                if (BY_TURNS && k >= 2 && s != (m + k) % 4)
                    continue;
                char more[256];
                snprintf(more, sizeof more, "%s%s%s", metrics[m].fitness, sizes[k], samples[s]);
                done += check_silent(metrics[m].problem, more);
            }
    /* all but samples with scaling and r2, balanced accuracy and r2 of one test case */
    if (!BY_TURNS)
        assert_int_equal(done, 20 * 16 - 4 * 12 - 2 * 4 - 2);
    else
        assert_in_range(done, 160, 200);
}

static void test_silent_truth_tables(void **state) {
    (void)state;
    assert_true(check_silent("boolean: parity-3\n", ""));
    assert_true(check_silent("boolean: multiplexer-11\n", ""));
    assert_true(check_silent("boolean: multiplexer-20\n", "population: 10\ngenerations: 1\n"));
    assert_true(
        check_silent("boolean: multiplexer-11\n", "case-sampling: random\nsample-cases: 64\n"));
}

/* Targets that are constant, and errors that no float can hold or square. */
static void test_silent_extremes(void **state) {
    (void)state;
    static const char *const targets[] = {"7.3 + 0 * x", "0 * x",     "1e25 * x",
                                          "3e37 * x",    "1e-20 * x", "1e8 + 100 * x"};
    static const char *const fitness[] = {"sae",  "mae",  "mse",
                                          "rmse", "hits", "mse\nlinear-scaling: true"};
    for (size_t t = 0; t < 6; t++)
        for (size_t m = 0; m < 6; m++) {
            char problem[256], more[128];
            snprintf(problem, sizeof problem,
                     "target-expression: %s\nvariables: x = uniform(-9, 9)\ntrain-cases: 2000\n"
                     "test-cases: 50\nfunctions: \"+, -, *, /, exp\"\n",
                     targets[t]);
            snprintf(more, sizeof more, "metric: %s\n", fitness[m]);
            bool refused =
                (t == 2 || t == 3) && (m == 2 || m == 3 || m == 5); /* squares of these */
            refused |= t == 3 && m < 2;                             /* a chunk's sum of these */
            if (t < 4 || m < 5) /* scaling of small spreads has tests of its own */
                assert_true(check_silent(problem, more) != refused);
        }
}

/* Errors whose sum no float holds are infinite to the run, and in double a number: that is no
 * alarm. */
static void test_silent_beyond_floats(void **state) {
    (void)state;
    static const char far[] = "target-expression: x\nvariables: x = uniform(1, 9)\n"
                              "train-cases: 50\ntest-cases: 20\nfunctions: \"+, *\"\n";
    assert_true(check_silent(far, "metric: mse\npopulation: 1\ngenerations: 0\n"
                                  "seed-program: 1e25 * x\nconstant-probability: 0.1\n"));
}

/* ---- alarms ---- */

/* Deviation of a target, in two passes. */
static double deviation_of(const gr_dataset *set) {
    long double mean = 0, squares = 0, n = (long double)set->cases;
    for (uint64_t i = 0; i < set->cases; i++)
        mean += (long double)set->y[i] / n;
    for (uint64_t i = 0; i < set->cases; i++)
        squares += ((long double)set->y[i] - mean) * ((long double)set->y[i] - mean);
    return (double)sqrtl(squares / n);
}

/* Whether `by` added to what is reported of one set is told. */
static int is_told(ended *e, int test, double by) {
    gr_best *b = &e->outcome.best[0];
    double *reported = test ? &b->test : &b->train, before = *reported;
    gr_error error = {GR_OK, ""};
    *reported = b->recomputed[test] + by;
    b->solved = 1;
    assert_int_equal(gr_recompute(gr_run_problem(e->run), b, 1, &error), GR_OK);
    *reported = before;
    assert_int_equal(b->solved, !b->differs);
    return b->differs;
}

static void test_told(void **state) {
    (void)state;
    static const struct {
        const char *problem, *fitness;
        double deviations; /* the allowed difference: 1e-4 deviations to this power, */
        double allowed;    /* or this */
    } metrics[] = {{numbers, "metric: sae\n", 1, 0},
                   {numbers, "metric: mae\n", 1, 0},
                   {numbers, "metric: mse\n", 2, 0},
                   {numbers, "metric: rmse\nlinear-scaling: true\n", 1, 0},
                   {narrow, "metric: mae\n", 1, 0},
                   {numbers, "metric: r2\n", 0, 1e-4},
                   {numbers, "metric: hits\ntolerance: 0.5\n", 0, 0.5},
                   {labels, "metric: misclassified\n", 0, 0.5},
                   {labels, "metric: misclassified\nclass-rule: fitted\n", 0, 0.5},
                   {signs, "metric: hinge\n", 0, 1e-4},
                   {signs, "metric: f1\n", 0, 1e-6},
                   {signs, "metric: balanced-accuracy\n", 0, 1e-6},
                   {"boolean: multiplexer-6\n", "", 0, 0.5}};
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        int packed = strncmp(metrics[m].problem, "boolean", 7) == 0;
        char more[128];
        ended e;
        snprintf(more, sizeof more, "%s%s", metrics[m].fitness,
                 packed ? "" : "train-cases: 1500\ntest-cases: 1500\n");
        assert_true(evolve(&e, metrics[m].problem, more));
        collect(&e);
        const gr_dataset *set[2] = {&gr_run_problem(e.run)->train, &gr_run_problem(e.run)->test};
        for (int test = 0; test < (packed ? 1 : 2); test++) {
            double allowed = metrics[m].allowed;
            if (metrics[m].deviations > 0.0) {
                double deviation = fmax(deviation_of(set[0]), deviation_of(set[test]));
                allowed = 1e-4 * pow(deviation, metrics[m].deviations);
                allowed *= strstr(more, "sae") ? (double)set[test]->cases : 1.0;
            }
            int exact = allowed == 0.5 || allowed == 1e-6; /* counts: not even half of it */
            assert_false(is_told(&e, test, exact ? 0.0 : 0.9 * allowed));
            assert_false(is_told(&e, test, exact ? 0.0 : -0.9 * allowed));
            assert_true(is_told(&e, test, 1.1 * allowed));
            assert_true(is_told(&e, test, -1.1 * allowed));
            assert_true(is_told(&e, test, (double)INFINITY));
        }
        end(&e);
    }
}

/* Whatever is wrong with it: here the targets are other ones after the run. */
static void falsify(ended *e) {
    const gr_problem *problem = gr_run_problem(e->run);
    float *target = problem->train_tiles + (size_t)problem->train.inputs * GR_CHUNK;
    for (uint64_t i = 0; i < problem->train.cases; i++)
        target[i] += 1.0f;
}

static char *print(const ended *e, int whole) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    gr_outcome_print(&e->settings, e->run, &e->outcome, whole, out);
    fclose(out);
    return text;
}

static void test_shown(void **state) {
    (void)state;
    const char *easy = "target-expression: x\nvariables: x = uniform(-3, 3)\ntrain-cases: 50\n"
                       "test-cases: 20\nmetric: mae\ntarget-fitness: 0\n";
    ended e;
    assert_true(evolve(&e, easy, ""));
    collect(&e);
    assert_int_equal(e.outcome.solved, 3);
    char *text = print(&e, 1);
    assert_null(strstr(text, "recomputed"));
    free(text);
    gr_outcome_free(&e.outcome);
    falsify(&e);
    collect(&e);
    assert_int_equal(e.outcome.solved, 0);
    assert_int_equal(e.outcome.differing, 3);
    text = print(&e, 0);
    assert_non_null(strstr(text,
                           "\nmae         0, test 0\nrecomputed  1, test 0 in double from the "
                           "predictions of grampus eval, not 0 and 0; not counted as "
                           "solved\n"));
    assert_non_null(strstr(text,
                           "\nsuccesses   0 of 3 (0.0 %)\nrecomputed  not what is reported in "
                           "3 of 3 runs; best.txt has both\n"));
    free(text);
    text = print(&e, 1);
    assert_non_null(strstr(text, "\nrun 2: recomputed  1, test 0 in double"));
    free(text);
    cJSON *json = gr_outcome_json(&e.settings, e.run, &e.outcome, NULL);
    text = cJSON_PrintUnformatted(json);
    assert_non_null(strstr(text, "\"fitness\":0,\"test_fitness\":0,\"recomputed_fitness\":1,"
                                 "\"recomputed_test_fitness\":0,\"recomputed_differs\":true,"
                                 "\"solved\":false"));
    assert_non_null(strstr(text, "\"successes\":0,\"recomputed_differing\":3"));
    cJSON_free(text);
    cJSON_Delete(json);
    end(&e);
}

/* Members of a front are held to both metrics: with targets that are 1 more hits are the same here,
 * and distances others. */
static void test_other_metric(void **state) {
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        ended e;
        gr_error error = {GR_OK, ""};
        gr_front front;
        assert_true(evolve(&e, numbers,
                           "train-cases: 60\nmetric: hits\ntolerance: 1e6\nselection: nsga2\n"
                           "elites: 0\nobjectives: error, mae, nodes\n"));
        if (wrong)
            falsify(&e);
        assert_int_equal(gr_front_read(e.run, 0, &front, &error), GR_OK);
        assert_true(front.count > 0);
        for (uint32_t i = 0; i < front.count; i++)
            assert_int_equal(front.member[i].differs, wrong);
        gr_front_free(&front);
        gr_run_close(e.run);
        gr_settings_free(&e.settings);
    }
}

/* Several pieces of several runs: the same bits whoever computed them. */
static void test_threads(void **state) {
    (void)state;
    ended e;
    gr_error error = {GR_OK, ""};
    assert_true(evolve(&e, numbers, "metric: sae\ntrain-cases: 90000\ntest-cases: 70000\n"));
    collect(&e);
    for (uint32_t threads = 0; threads < 6; threads += 5) { /* 0: as many as there are */
        gr_problem problem = *gr_run_problem(e.run);
        gr_best best[3] = {e.outcome.best[0], e.outcome.best[1], e.outcome.best[2]};
        problem.job.threads = threads;
        assert_int_equal(gr_recompute(&problem, best, 3, &error), GR_OK);
        for (int r = 0; r < 3; r++)
            for (int test = 0; test < 2; test++)
                assert_true(best[r].recomputed[test] == e.outcome.best[r].recomputed[test]);
    }
    end(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_silent),
                                       cmocka_unit_test(test_silent_truth_tables),
                                       cmocka_unit_test(test_silent_extremes),
                                       cmocka_unit_test(test_told),
                                       cmocka_unit_test(test_shown),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_silent_beyond_floats),
                                       cmocka_unit_test(test_other_metric)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
