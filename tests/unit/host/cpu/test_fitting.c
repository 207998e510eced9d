/* host/cpu/fitting.c: a first generation with its constants fitted, beside the same without. Nobody
 * is worse, what was not better is as it was, and every cost is that of its program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/core/fitting/fitting.h"
#include "host/run/run.h"

#include <stdlib.h>
#include <string.h>

enum { POPULATION = 300, NODES = 40 };

typedef struct view {
    gr_node trees[POPULATION][NODES];
    gr_instruction programs[POPULATION][NODES];
    gr_individual individuals[POPULATION];
    float costs[POPULATION];
    gr_deme deme;
} view;

/* Generation 0, evaluated once more. */
static void look(const char *more, view *v) {
    gr_error error = {GR_OK, ""};
    gr_settings s;
    gr_problem problem;
    gr_engine *e;
    const gr_record *records;
    uint32_t generations;
    int finished;
    double seconds;
    char text[1024];
    snprintf(text, sizeof text,
             "target-expression: 3 * sin(1.3 * x) - y / 2\nvariables: x = uniform(-2, 2); y = "
             "uniform(0, 3)\ntrain-cases: 1100\ngenotype: tree\nconstant-probability: 0.5\n"
             "functions: +, -, *, /, sin, exp\npopulation: %d\ngenerations: 0\n"
             "max-nodes: %d\nmetric: mse\noptimise-iterations: 3\ndevice: cpu\n%s",
             POPULATION, NODES, more);
    if (gr_settings_init(&s, &error) ||
        gr_settings_parse(&s, text, strlen(text), "run.yaml", &error) ||
        gr_settings_resolve(&s, &error) || gr_problem_make(&s, &problem, &error) ||
        gr_backend_cpu.open(&problem.job, &e, &error) ||
        gr_backend_cpu.advance(e, NULL, NULL, &records, &generations, &finished, &error) ||
        gr_backend_cpu.read(e, GR_SECTION_COSTS, v->costs, sizeof v->costs, &error))
        fail_msg("%s", error.text);
    float again[POPULATION];
    assert_int_equal(gr_backend_cpu.measure(e, GR_PHASE_EVALUATE, 1, 0, &seconds, &error), GR_OK);
    if (gr_backend_cpu.read(e, GR_SECTION_COSTS, again, sizeof again, &error) ||
        gr_backend_cpu.read(e, GR_SECTION_GENOTYPES, v->trees, sizeof v->trees, &error) ||
        gr_backend_cpu.read(e, GR_SECTION_PROGRAMS, v->programs, sizeof v->programs, &error) ||
        gr_backend_cpu.read(e, GR_SECTION_INDIVIDUALS, v->individuals, sizeof v->individuals,
                            &error) ||
        gr_backend_cpu.read(e, GR_SECTION_DEMES, &v->deme, sizeof v->deme, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(again, v->costs, sizeof again);
    if (*more && v->deme.fits_tried) /* which would lose what was fitted */
        assert_int_equal(gr_backend_cpu.measure(e, GR_PHASE_BREED, 1, 0, &seconds, &error),
                         GR_FAILED);
    gr_backend_cpu.close(e);
    gr_problem_free(&problem);
    gr_settings_free(&s);
}

static void test_never_worse(void **state) {
    (void)state;
    static view before, after;
    uint32_t better = 0;
    look("linear-scaling: false\n", &before);
    look("optimise-constants: all\n", &after);
    for (uint32_t i = 0; i < POPULATION; i++) {
        gr_individual old = before.individuals[i], new = after.individuals[i];
        assert_memory_equal(&old, &new, sizeof old);
        assert_true(after.costs[i] <= before.costs[i]);
        better += after.costs[i] < before.costs[i];
        for (uint32_t k = 0; k < new.nodes; k++) {
            gr_node a = before.trees[i][k], b = after.trees[i][k];
            assert_int_equal(a.head, b.head);
            if (GR_NODE_OP(a) != GR_CONSTANT || after.costs[i] == before.costs[i])
                assert_int_equal(a.operand, b.operand);
        }
        if (after.costs[i] == before.costs[i])
            assert_memory_equal(before.programs[i], after.programs[i],
                                new.instructions * sizeof(gr_instruction));
    }
    assert_true(better > POPULATION / 3);
    assert_int_equal(after.deme.fits_better, better);
    assert_true(after.deme.fits_tried >= better && after.deme.fits_tried <= POPULATION);
    assert_int_equal(before.deme.fits_tried, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_never_worse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
