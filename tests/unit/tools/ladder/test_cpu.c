/* tools/ladder: GPOCL's programs have their 50 nodes, and its interpreters on the CPU give what the
 * reference gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Sources of the ladder, which is no library. */
#include "tools/ladder/grid/cpu.c"
#include "tools/ladder/population.c"
#include "tools/ladder/problem.c"

enum { PROGRAMS = 60, CASES = 40 };

static void check(ladder_set set) {
    ladder_problem problem;
    ladder_population population;
    ladder_codes codes;
    ladder_cpu_cases cases;
    double sums[PROGRAMS];
    gr_error error;
    assert_int_equal(
        ladder_problem_make(set, "", &(ladder_size){PROGRAMS, CASES}, &problem, &error), GR_OK);
    assert_int_equal(ladder_random_programs(&problem.made.job.params, 3, &population, &error),
                     GR_OK);
    assert_int_equal(ladder_encode(&population, &codes, &error), GR_OK);
    assert_int_equal(ladder_cpu_cases_make(&problem.all, &cases, &error), GR_OK);
    ladder_cpu_run(set, &codes.rpn, PROGRAMS, &cases, CASES, 1, sums);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        const gr_node *nodes = population.nodes + (size_t)i * population.max_nodes;
        float error_sum = 0.0f, stack[64];
        assert_in_range(population.length[i], 48, 50);
        for (uint32_t c = 0; c < CASES; c++)
            error_sum += fabsf(gr_evaluate_case(nodes, population.length[i],
                                                cases.x + (size_t)c * cases.inputs, stack) -
                               cases.y[c]);
        assert_true(error_sum == (float)sums[i] || (error_sum != error_sum && sums[i] != sums[i]));
    }
    ladder_cpu_cases_free(&cases);
    ladder_codes_free(&codes);
    ladder_population_free(&population);
    ladder_problem_free(&problem);
}

static void regression_is_exact(void **state) {
    (void)state;
    check(LADDER_REGRESSION);
}

static void classification_is_exact(void **state) {
    (void)state;
    check(LADDER_CLASSIFICATION);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(regression_is_exact),
                                       cmocka_unit_test(classification_is_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
