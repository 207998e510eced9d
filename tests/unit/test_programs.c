/* Fitness of many programs of the last generation: that of the run, with test cases and without,
 * also where chunks have moments to be joined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../host/programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POPULATION = 30 };

static const char problem[] = "genotype: tree\ndevice: cpu\nthreads: 2\npopulation: 30\n"
                              "generations: 0\nmax-nodes: 30\nmetric: mse\nparsimony: none\n"
                              "target-expression: \"x * x + y\"\nfunctions: \"+, *, sin\"\n"
                              "variables: \"x, y = uniform(-1, 1)\"\ntrain-cases: 1500\n";

/* A first generation under the settings of both texts; its programs as they are written. */
static char *programs_of(const char *more, gr_best *best) {
    gr_error error = {GR_OK, ""};
    gr_settings settings;
    gr_run *run;
    char *written = NULL;
    size_t size;
    int finished = 0;
    if (gr_settings_init(&settings, &error) ||
        gr_settings_parse(&settings, problem, strlen(problem), "problem.yaml", &error) ||
        gr_settings_parse(&settings, more, strlen(more), "more.yaml", &error) ||
        gr_settings_resolve(&settings, &error) || gr_run_open(&settings, &run, &error))
        fail_msg("%s", error.text);
    while (!finished)
        if (gr_run_advance(run, NULL, &finished, &error))
            fail_msg("%s", error.text);
    FILE *out = open_memstream(&written, &size);
    if (gr_run_best(run, 0, best, &error) || gr_write_programs(run, POPULATION, out, &error))
        fail_msg("%s", error.text);
    fclose(out);
    gr_run_close(run);
    gr_settings_free(&settings);
    return written;
}

/* The best row has the fitness of the run's best; tested: the test fitness as well, else none. */
static void check_programs(const char *more, int tested) {
    gr_best best;
    double least = INFINITY, least_test = 0.0;
    uint32_t rows = 0;
    char *written = programs_of(more, &best), *line = strtok(written, "\n");
    assert_string_equal(line, "place\tnodes\tfitness\ttest_fitness");
    while ((line = strtok(NULL, "\n"))) {
        char *at = strrchr(line, '\t');
        double test = strtod(at + 1, NULL), train;
        assert_int_equal(at[1] != '\0', tested);
        assert_int_equal(sscanf(line, "%*u\t%*u\t%lf", &train), 1);
        if (train < least) {
            least = train;
            least_test = test;
        }
        rows++;
    }
    assert_int_equal(rows, POPULATION);
    assert_true((float)least == (float)best.train);
    if (tested)
        assert_true((float)least_test == (float)best.test);
    gr_best_free(&best);
    free(written);
}

static void test_plain(void **state) {
    (void)state;
    check_programs("linear-scaling: false\n", 0);
    check_programs("linear-scaling: false\ntest-cases: 1100\n", 1);
}

/* Without test cases there is no last chunk of them. */
static void test_scaled(void **state) {
    (void)state;
    check_programs("linear-scaling: true\n", 0);
    check_programs("linear-scaling: true\ntest-cases: 1100\n", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_scaled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
