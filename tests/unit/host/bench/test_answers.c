/* host/bench/answers.c: a population whose costs and sizes are right, and what is said where one is
 * not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { POPULATION = 60, NODES = 40, CODONS = 60 };

static gr_settings settings;
static gr_problem problem;
static gr_individual individuals[POPULATION];
static float costs[POPULATION];
static uint32_t genotypes[POPULATION * (2 * NODES > CODONS ? 2 * NODES : CODONS)];

/* The first generation of a run, as the backend tells it. */
static void bred(const char *genotype) {
    gr_error error = {GR_OK, ""};
    char text[512];
    gr_engine *e;
    const gr_record *records;
    uint32_t generations;
    int finished;
    snprintf(text, sizeof text,
             "%starget-expression: x * x - y\nvariables: x, y = uniform(-1, 1)\ntrain-cases: "
             "600\nmetric: mae\n"
             "population: 60\ngenerations: 0\nmax-nodes: 40\n",
             genotype);
    if (gr_settings_init(&settings, &error) ||
        gr_settings_parse(&settings, text, strlen(text), "t", &error) ||
        gr_settings_resolve(&settings, &error) || gr_problem_make(&settings, &problem, &error) ||
        gr_backend_cpu.open(&problem.job, &e, &error) ||
        gr_backend_cpu.advance(e, NULL, NULL, &records, &generations, &finished, &error))
        fail_msg("%s", error.text);
    const gr_params *p = &problem.job.params;
    size_t bytes = POPULATION * (p->genotype == GR_TREE ? p->max_nodes * sizeof(gr_node)
                                                        : p->genome_capacity * sizeof(uint32_t));
    assert_true(bytes <= sizeof genotypes);
    assert_int_equal(
        gr_backend_cpu.read(e, GR_SECTION_INDIVIDUALS, individuals, sizeof individuals, &error),
        GR_OK);
    assert_int_equal(gr_backend_cpu.read(e, GR_SECTION_COSTS, costs, sizeof costs, &error), GR_OK);
    assert_int_equal(gr_backend_cpu.read(e, GR_SECTION_GENOTYPES, genotypes, bytes, &error), GR_OK);
    gr_backend_cpu.close(e);
}

static void end(void) {
    gr_problem_free(&problem);
    gr_settings_free(&settings);
}

static gr_bench_result check(double effort) {
    const gr_bench_population population = {&problem, individuals, genotypes, costs};
    gr_bench_result r = {0};
    gr_error error = {GR_OK, ""};
    if (gr_bench_check(&population, effort, &r, &error))
        fail_msg("%s", error.text);
    return r;
}

/* All are compared when there is the time; one wrong cost, by a bit, is found, and named; so is one
 * wrong size. */
static void check_population(void) {
    gr_bench_result r = check(1e9);
    assert_int_equal(r.answers, GR_ANSWERS_RIGHT);
    assert_int_equal(r.verdict.compared, POPULATION);
    assert_int_equal(r.verdict.agreed, POPULATION);
    r = check(1.0); /* a few in any case */
    assert_true(r.answers == GR_ANSWERS_RIGHT && r.verdict.compared == 4);
    uint32_t which = 17, bits;
    while (!individuals[which].nodes || !(costs[which] < 1e30f))
        which++;
    memcpy(&bits, &costs[which], sizeof bits);
    bits++;
    memcpy(&costs[which], &bits, sizeof bits);
    r = check(1e9);
    char named[64];
    snprintf(named, sizeof named, "individual %u costs", which);
    assert_int_equal(r.answers, GR_ANSWERS_WRONG);
    assert_int_equal(r.verdict.agreed, POPULATION - 1);
    assert_non_null(strstr(r.verdict.wrong, named));
    bits--;
    memcpy(&costs[which], &bits, sizeof bits);
}

static void test_trees(void **state) {
    (void)state;
    bred("genotype: tree\nfunctions: \"+, -, *, /\"\n");
    check_population();
    end();
}

static void test_genomes(void **state) {
    (void)state;
    char path[] = "/tmp/grampus-answers-XXXXXX", text[128];
    static const char grammar[] = "<e> ::= <e>+<e> | <e>*<e> | <v> | <v>\n<v> ::= x | y | 0.5\n";
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(grammar, file);
    fclose(file);
    snprintf(text, sizeof text, "grammar: %s\nmax-genome-length: 60\n", path);
    bred(text);
    remove(path);
    check_population();
    uint32_t which = 0;
    while (!individuals[which].nodes)
        which++;
    individuals[which].nodes++;
    gr_bench_result r = check(1e9);
    assert_int_equal(r.answers, GR_ANSWERS_WRONG);
    assert_non_null(strstr(r.verdict.wrong, " nodes, by the reference "));
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trees),
                                       cmocka_unit_test(test_genomes)};
    return cmocka_run_group_tests_name("answers", tests, NULL, NULL);
}
