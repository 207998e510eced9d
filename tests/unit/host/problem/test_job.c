/* host/problem/job.h: settings and data as the numbers of a job; tiles, target, classes, limits of
 * grammars, epochs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/core/fitness/fitness.h"
#include "tests/problems.h"

#include <math.h>
#include <unistd.h>

/* ---- data ---- */

/* Chunk by chunk, column by column, the target last, zeros behind the last case. */
static void test_tiles(void **state) {
    (void)state;
    gr_problem problem;
    assert_string_equal(make("test-cases: 5\n", &problem), "");
    const gr_params *p = &problem.job.params;
    const gr_dataset *set = &problem.train;
    assert_true(p->inputs == 2 && p->train_cases == 3000 && p->train_chunks == 3);
    assert_true(p->test_cases == 5 && p->test_chunks == 1 && !p->packed);
    for (uint32_t c = 0; c < 3 * GR_CHUNK; c++) {
        const float *at = problem.job.train + c / GR_CHUNK * 3 * GR_CHUNK + c % GR_CHUNK;
        float x = at[0], y = at[GR_CHUNK], target = at[2 * GR_CHUNK];
        if (c < 3000)
            assert_true(x != 0.0f && target == x * y && target == set->y[c]);
        else
            assert_true(x == 0.0f && y == 0.0f && target == 0.0f);
    }
    assert_true(problem.job.test[2 * GR_CHUNK + 4] == problem.test.y[4]);
    gr_problem_free(&problem);
    assert_string_equal(make_problem("genotype: tree\nboolean: parity-6\n", &problem), "");
    assert_true(p->packed && p->train_cases == 64 && p->train_chunks == 1 && p->inputs == 6);
    static const uint32_t words[2] = {0xaaaaaaaau, 0xaaaaaaaau}; /* of the first input */
    assert_memory_equal(problem.job.train, words, sizeof words);
    assert_memory_equal(problem.job.train + 6 * GR_CHUNK, problem.train.wy, 2 * sizeof(uint32_t));
    assert_null(problem.job.test);
    gr_problem_free(&problem);
}

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

/* ---- numbers of a run ---- */

static void test_run(void **state) {
    (void)state;
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    assert_string_equal(
        make("runs: 3\npopulation: 21\ngenerations: 7\nseed: 4294967298\nmax-nodes: 33\n"
             "functions: sin, +, if, neg\ntarget-fitness: 0.25\nmetric: mae\nthreads: 5\n",
             &problem),
        "");
    assert_true(p->runs == 3 && p->islands == 1 && p->population == 21 && p->individuals == 63);
    assert_true(p->generations == 7 && p->steps == 1 && p->seed[0] == 2 && p->seed[1] == 1);
    assert_true(p->max_nodes == 33 && p->stop_at_target && p->target_cost == 0.25f);
    assert_int_equal(p->functions, 4);
    static const uint8_t first[] = {0, 0, 2, 3, 4}; /* by arity: none, sin and neg, +, if */
    assert_memory_equal(p->arity_first, first, sizeof first);
    assert_true(problem.job.threads == 5 && problem.job.epoch == 8 && !problem.job.fast);
    gr_problem_free(&problem);
    assert_string_equal(
        make("metric: r2\ntarget-fitness: 0.9\ngenerations: 1000\nepoch: 30\n", &problem), "");
    assert_true(p->target_cost == -0.9f && problem.job.epoch == 30);
    gr_problem_free(&problem);
    assert_string_equal(
        make("population: 21\nreplacement: steady-state\nchildren-per-step: 4\ngenerations: 7\n"
             "epoch: 2\n",
             &problem),
        "");
    assert_true(p->steps == 6 && p->generations == 42 && p->elites == 17 &&
                problem.job.epoch == 12);
    gr_problem_free(&problem);
    assert_non_null(
        strstr(make("runs: 16777216\npopulation: 65\n", &problem), "expected at most 2^30"));
    /* 2^64 of them, and 0 in 64 bits */
    assert_non_null(strstr(make("runs: 16777216\nislands: 16384\npopulation: 67108864\n", &problem),
                           "expected at most 2^26"));
    assert_non_null(strstr(make("runs: 16777216\nislands: 16\npopulation: 2\n", &problem),
                           "16777216 runs of 16 islands are 268435456 populations; expected"));
}

/* Stop rules in generations of the engine. Individuals evaluated: 100, then 98 a generation. */
static void test_stop_rules(void **state) {
    (void)state;
    static const struct {
        const char *evaluations;
        uint32_t generations;
    } cases[] = {{"1", 0},   {"100", 0}, {"101", 1}, {"198", 1},
                 {"199", 2}, {"296", 2}, {"785", 7}, {"1e18", 7}};
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    char text[128];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text,
                 "population: 100\nelites: 2\ngenerations: 7\nmax-evaluations: %s\n",
                 cases[k].evaluations);
        assert_string_equal(make(text, &problem), "");
        assert_int_equal(p->generations, cases[k].generations);
        assert_int_equal(p->stagnation, 0);
        gr_problem_free(&problem);
    }
    assert_string_equal(make("population: 21\nreplacement: steady-state\nchildren-per-step: 4\n"
                             "generations: 7\nmax-evaluations: 46\nstagnation: 3\n",
                             &problem),
                        "");
    assert_true(p->generations == 12 && p->stagnation == 18); /* 21, 45, 69 after 12 steps */
    gr_problem_free(&problem);
    assert_string_equal(make("generations: 7\nstagnation: 7\n", &problem), "");
    assert_int_equal(p->stagnation, 0); /* cannot come before the end */
    gr_problem_free(&problem);
    assert_non_null(
        strstr(make("stagnation: 3\ncase-sampling: rotating\nsample-cases: 9\n", &problem),
               "on which no best lasts"));
}

/* "math: fast" where it would change something, and where no operation is costly. */
static void test_math(void **state) {
    (void)state;
    gr_problem problem;
    assert_string_equal(make("functions: +, *\n", &problem), "");
    assert_true(problem.job.fast);
    gr_problem_free(&problem);
    assert_string_equal(make("functions: +, sin\n", &problem), "");
    assert_false(problem.job.fast);
    gr_problem_free(&problem);
    assert_string_equal(make("functions: +, sin\nmath: fast\n", &problem), "");
    assert_true(problem.job.fast);
    gr_problem_free(&problem);
}

/* ---- grammars ---- */

static char path[] = "/tmp/grampus-job-XXXXXX";

static const char *with_grammar(const char *grammar, const char *more, gr_problem *problem) {
    char text[512];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(grammar, file);
    fclose(file);
    snprintf(text, sizeof text,
             "target-expression: x\nvariables: x = grid(1, 5, 1)\ngrammar: %s\n%s", path, more);
    return make_problem(text, problem);
}

static void test_grammars(void **state) {
    (void)state;
    static const char deep[] = "<s> ::= <t>\n<t> ::= <u>\n<u> ::= x | 1 | 2\n";
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    assert_string_equal(with_grammar(deep, "", &problem), "");
    assert_true(p->init_min_depth == 4 &&
                p->init_max_depth == 10); /* the shortest derivation is of 4 levels */
    gr_problem_free(&problem);
    assert_string_equal(with_grammar(deep, "max-depth: 4\n", &problem), "");
    assert_true(p->init_max_depth == 4);
    gr_problem_free(&problem);
    assert_non_null(strstr(with_grammar(deep, "max-depth: 3\n", &problem), "expected at least 4"));
    assert_non_null(strstr(with_grammar(deep, "codon-size: 1\n", &problem),
                           "codon-size 1 cannot choose among 3 productions; expected at least 2"));
    assert_string_equal(with_grammar(deep, "codon-size: 2\n", &problem), "");
    gr_problem_free(&problem);
    assert_string_equal(
        with_grammar("<e> ::= <e>+<e> | GE_RANGE:dataset_n_is | GE_RANGE:dataset_n_os\n", "",
                     &problem),
        "");
    assert_int_equal(problem.job.grammar[GR_G_PRODUCTIONS],
                     1 + 5 + 5); /* different values of inputs and of targets */
    gr_problem_free(&problem);
}

/* A genome of so many codons brings so many nodes at most: memory for more is not taken. */
static void test_bounds(void **state) {
    (void)state;
    static const char text[] = "<e> ::= <e>+<e> | x\n";
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    assert_string_equal(with_grammar(text, "max-genome-length: 10\n", &problem), "");
    assert_true(p->max_nodes >= 9 && p->max_nodes <= 40); /* 10 codons: five leaves and four sums */
    gr_problem_free(&problem);
    assert_string_equal(with_grammar(text, "max-genome-length: 10\nmax-wraps: 9\n", &problem), "");
    assert_true(p->max_nodes >= 99 && p->max_nodes <= 400);
    gr_problem_free(&problem);
    assert_string_equal(with_grammar(text, "max-genome-length: 10\nmax-nodes: 5\n", &problem), "");
    assert_int_equal(p->max_nodes, 5);
    gr_problem_free(&problem);
}

/* The ramp begins where a depth has more derivations of its own than fall to it. */
static void test_distinct_ramp(void **state) {
    (void)state;
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    /* 1, 1 + 1, 1 + 4, 1 + 25 derivations of up to 2, 3, 4, 5 levels; 40 over depths 2 to 7 are 5
     * each */
    assert_string_equal(with_grammar("<e> ::= <e>+<e> | x\n",
                                     "population: 40\ndistinct-ramp: true\ninit-max-depth: 7\n",
                                     &problem),
                        "");
    assert_int_equal(p->init_min_depth, 5); /* the first with more than 5 new ones: 26 - 5 */
    gr_problem_free(&problem);
    /* one new derivation at each depth: never more than the two that fall to one */
    assert_string_equal(with_grammar("<e> ::= <e>+1 | x\n",
                                     "population: 14\ndistinct-ramp: true\ninit-max-depth: 7\n",
                                     &problem),
                        "");
    assert_int_equal(p->init_min_depth, 7);
    gr_problem_free(&problem);
}

/* Cases that are made are refused before they are: here by the sums of the individuals. */
static void test_made_cases(void **state) {
    (void)state;
    gr_problem problem;
    assert_non_null(
        strstr(make_problem("genotype: tree\ntarget-expression: x\nvariables: x = uniform(0, 1)\n"
                            "train-cases: 1000000000\npopulation: 100000000\ndevice: cpu\n",
                            &problem),
               "1000000000 cases for 100000000 individuals: 781269"));
}

/* As many labels as there may be, in any order, of both sets together. */
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
        cmocka_unit_test(test_tiles),         cmocka_unit_test(test_target),
        cmocka_unit_test(test_classes),       cmocka_unit_test(test_refused_targets),
        cmocka_unit_test(test_run),           cmocka_unit_test(test_math),
        cmocka_unit_test(test_grammars),      cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_many_labels),   cmocka_unit_test(test_made_cases),
        cmocka_unit_test(test_distinct_ramp), cmocka_unit_test(test_stop_rules),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests_name("job", tests, NULL, NULL);
    unlink(path);
    return failed;
}
