/* host/problem/variation_params.h: what the settings of variation, parents and cases become in a
 * job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/problems.h"

#include <math.h>

/* All that is new is off, and zero, unless it is asked for. */
static void test_off(void **state) {
    (void)state;
    gr_problem problem;
    assert_string_equal(make("", &problem), "");
    const gr_params *p = &problem.job.params;
    assert_true(!p->constants && !p->ephemeral && !p->seeds && !p->unique && !p->one_child);
    assert_true(!p->exclusive && !p->tree_mutations && p->function_points == 0.0f &&
                !p->subtree_ramped);
    assert_true(!p->torus && !p->selection && !p->parsimony && !p->ordered && !p->sampling);
    gr_problem_free(&problem);
}

/* Trees on words have words for constants: false and true in all cases, whatever is listed. */
static void test_constants_of_words(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t count, words[2];
    } wanted[] = {{"", 2, {0, 0xffffffffu}},
                  {"constant-creep: gaussian\nconstant-mutation: 0.1\n", 2, {0, 0xffffffffu}},
                  {"constants: 0\n", 1, {0}},
                  {"constants: 0.5, 1, 7\n", 1, {0xffffffffu}},
                  {"constants: 1, ephemeral\n", 2, {0, 0xffffffffu}}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        gr_problem problem;
        char text[256];
        snprintf(text, sizeof text,
                 "genotype: tree\nboolean: parity-5\nconstant-probability: 0.5\n%s",
                 wanted[k].text);
        assert_string_equal(make_problem(text, &problem), "");
        const gr_params *p = &problem.job.params;
        assert_true(p->packed && !p->ephemeral && !p->creep_gaussian);
        assert_int_equal(p->constants, wanted[k].count);
        assert_memory_equal(p->constant, wanted[k].words, wanted[k].count * sizeof(uint32_t));
        gr_problem_free(&problem);
    }
}

static void test_constants(void **state) {
    (void)state;
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    uint32_t inside = 0;
    assert_string_equal(make("constant-probability: 0.5\nconstants: 0:1.27:0.01\n", &problem), "");
    assert_true(p->constants == 128 && !p->ephemeral && !p->creep_gaussian);
    for (uint32_t i = 0; i < 128; i++)
        assert_true(p->constant[i] == (float)((double)i * 0.01));
    gr_problem_free(&problem);
    assert_string_equal(make("constant-probability: 0.5\nconstants: tangent(128, 10)\n", &problem),
                        "");
    assert_int_equal(p->constants, 128);
    for (uint32_t i = 0; i < 128; i++) {
        inside += fabsf(p->constant[i]) <= 10.0f;
        assert_true(i == 0 || p->constant[i] > p->constant[i - 1]);
        assert_true(fabsf(p->constant[i] + p->constant[127 - i]) <= 1e-4f * fabsf(p->constant[i]));
    }
    assert_int_equal(inside, 64);
    gr_problem_free(&problem);
    assert_string_equal(make("constant-probability: 0.5\nconstants: 1, ephemeral, -1 , 1, 2:3:0.5\n"
                             "constant-creep: gaussian\n",
                             &problem),
                        "");
    static const float rising[] = {-1, 1, 2, 2.5, 3};
    assert_true(p->constants == 5 && p->ephemeral && p->creep_gaussian);
    assert_memory_equal(p->constant, rising, sizeof rising);
    gr_problem_free(&problem);
    assert_non_null(
        strstr(make("constant-probability: 0.5\nconstants: 0:300:1\n", &problem), "more than 256"));
}

/* Langdon's line: crossover of pairs, then shares of what is left. */
static void test_operators(void **state) {
    (void)state;
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    assert_string_equal(
        make("operators: crossover 0.5, point 0.225, constant 0.225, subtree 0.05\n", &problem),
        "");
    static const float borders[GR_MUTATIONS] = {0.45f, 0.55f, 1, 1, 1, 1, 1};
    assert_true(p->exclusive && p->tree_mutations && p->crossover_probability == 0.5f);
    for (uint32_t k = 0; k < GR_MUTATIONS; k++)
        assert_true(fabsf(p->mutation[k] - borders[k]) < 1e-6f);
    gr_problem_free(&problem);
    assert_string_equal(make("operators: copy 0.5, multi-point 0.25, hoist 0.25\n", &problem), "");
    assert_true(p->crossover_probability == 0.0f && p->mutation[GR_MUTATE_CONSTANT] == 0.0f &&
                p->mutation[GR_MUTATE_HOIST] == 0.25f && p->mutation[GR_MUTATIONS - 1] == 0.5f);
    gr_problem_free(&problem);
    assert_string_equal(make("operators: crossover 1\n", &problem), "");
    assert_true(p->crossover_probability == 1.0f && p->mutation[GR_MUTATIONS - 1] == 0.0f);
    gr_problem_free(&problem);
    assert_string_equal(make("insert-mutation: 0.3\npoint-mutation: 0.2\n", &problem), "");
    assert_true(!p->exclusive && p->tree_mutations && p->mutation[GR_MUTATE_INSERT] == 0.3f &&
                p->mutation[GR_MUTATE_POINT] == 0.2f && p->mutation[GR_MUTATE_SUBTREE] == 0.1f);
    gr_problem_free(&problem);
    assert_non_null(strstr(make("operators: point 0.1, point 0.1\n", &problem), "once each"));
    assert_non_null(strstr(make("operators: point\n", &problem), "with a probability"));
    assert_non_null(strstr(make("operators: point 0.1 hoist 0.1\n", &problem), "ends in 'hoist"));
}

static void test_torus_and_samples(void **state) {
    (void)state;
    gr_problem problem;
    const gr_params *p = &problem.job.params;
    assert_string_equal(make("topology: torus\ndeme-width: 20\ndeme-height: 15\nfunction-points: "
                             "0.9\nchildren: one\n",
                             &problem),
                        "");
    assert_true(p->torus && p->deme_width == 20 && p->population == 300 && p->elites == 0);
    assert_true(p->function_points == 0.9f && !p->one_child); /* both keep to the limits */
    gr_problem_free(&problem);
    assert_string_equal(make("topology: torus\npopulation: 60\ndeme-height: 6\n", &problem), "");
    assert_int_equal(p->deme_width, 10);
    gr_problem_free(&problem);
    assert_string_equal(
        make("case-sampling: rotating\nsample-cases: 1100\nsample-every: 3\ndata-seed: 9\n",
             &problem),
        "");
    assert_true(p->sampling == GR_SAMPLING_ROTATING && p->train_cases == 1100 &&
                p->train_chunks == 2 && p->whole_cases == 3000 && p->whole_chunks == 3 &&
                p->sample_every == 3 && p->sample_unit == 1 && p->sample_seed[0] == 9);
    gr_problem_free(&problem);
    assert_string_equal(make("case-sampling: random\nsample-cases: 10\nsample-every: 67108864\n"
                             "population: 128\nreplacement: steady-state\n",
                             &problem),
                        "");
    assert_true(p->sample_every == UINT32_MAX); /* 2^26 generations of 64 steps: never again */
    gr_problem_free(&problem);
    assert_non_null(strstr(make("case-sampling: fixed\nsample-cases: 3001\n", &problem),
                           "samples of 3001 cases from 3000"));
    assert_non_null(strstr(make("case-sampling: fixed\nsample-cases: 10\nmetric: r2\n", &problem),
                           "whole target"));
    assert_string_equal(make("selection: roulette\nmetric: hits\n", &problem), "");
    assert_true(p->least_cost == -3000.0f && !p->ordered);
    gr_problem_free(&problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_constants_of_words),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_torus_and_samples),
    };
    return cmocka_run_group_tests_name("variation in a job", tests, NULL, NULL);
}
