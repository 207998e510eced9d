/* The memory plan of the CPU engine: what it says it takes, before the run and for checkpoints, is
 * what it asks for, to the byte; and an array that is overrun is named, where guard words are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/backend/snapshot.h"
#include "host/cpu/team.h"
#include "host/problem/job.h"
#include "host/settings/settings.h"
#include "tests/counted.h"

#include <stdio.h>

static const char text[] = "variables: x = uniform(-1, 1)\n"
                           "train-cases: 3000\ntest-cases: 1500\npopulation: 301\ngenerations: 6\n"
                           "epoch: 2\ndevice: cpu\ntarget-fitness: "
                           "none\n";
static const char trees[] = "genotype: tree\nmax-nodes: 40\nmax-depth: 9\n",
                  leaves[] = "genotype: tree\nmax-nodes: 1\nmax-depth: 1\n",
                  genomes[] = "grammar: grammars/nguyen.bnf\n";

static const struct {
    const char *genotype, *more;
} jobs[] = {
    {trees, "threads: 1\n"},
    {trees, "threads: 3\nruns: 7\nelites: 10\nlinear-scaling: true\n"},
    {leaves, "threads: 2\nselection: rank\nunique: true\nsubtree-mutation-depth: 1\n"
             "initialisation: grow\ninit-min-depth: 1\ninit-max-depth: 1\n"},
    {trees, "threads: 1\nmetric: misclassified\nclass-rule: fitted\n"
            "case-sampling: random\nsample-cases: 100\n"},
    {trees, "threads: 2\nislands: 3\nmigration-every: 1\nmigration-size: 3\n"},
    {trees, "threads: 3\noptimise-constants: all\nmetric: mse\nconstant-probability: 0.5\n"},
    {genomes, "threads: 1\n"},
    {genomes, "threads: 5\ncrossover: subtree\nsubtree-mutation: 0.1\nmax-genome-length: 90\n"
              "genome-length: 60\n"},
    {genomes, "threads: 2\nmapping: pi\nmax-genome-length: 90\ngenome-length: 60\n"},
};

static void make(const char *genotype, const char *more, gr_settings *s, gr_problem *problem) {
    gr_error error = {GR_OK, ""};
    char whole[2048];
    const char *target = strstr(more, "misclassified") ? "gt(x, 0.5) + gt(x, -0.5)" : "x*x + x";
    snprintf(whole, sizeof whole, "target-expression: %s\n%s%s%s", target, text, genotype, more);
    if (gr_settings_init(s, &error) || gr_settings_parse(s, whole, strlen(whole), "run", &error) ||
        gr_settings_resolve(s, &error) || gr_problem_make(s, problem, &error))
        fail_msg("%s%s", more, error.text);
}

static void advance(gr_engine *e, gr_status expected, gr_error *error) {
    const gr_record *records;
    uint32_t generations;
    int finished;
    assert_int_equal(
        gr_backend_cpu.advance(e, NULL, NULL, &records, &generations, &finished, error), expected);
}

static gr_engine_report look(gr_engine *e) {
    gr_engine_report report;
    gr_traffic traffic;
    gr_backend_cpu.report(e, &report, &traffic);
    return report;
}

/* A snapshot has of every genotype and program what is in use, and no room for the longest. */
static void assert_packed(const gr_params *p, const gr_snapshot *s) {
    const gr_individual *individual = gr_snapshot_rows(s, GR_SECTION_INDIVIDUALS);
    size_t genotypes = 0, programs = 0;
    for (uint32_t i = 0; i < p->individuals; i++) {
        genotypes += individual[i].length;
        programs += individual[i].instructions;
    }
    assert_int_equal(s->part[GR_SECTION_GENOTYPES].bytes,
                     genotypes * (p->genotype == GR_TREE ? sizeof(gr_node) : sizeof(uint32_t)));
    assert_int_equal(s->part[GR_SECTION_PROGRAMS].bytes, programs * sizeof(gr_instruction));
    size_t end = s->part[GR_SECTION_GENOTYPES].offset + s->part[GR_SECTION_GENOTYPES].bytes;
    assert_in_range(s->part[GR_SECTION_PROGRAMS].offset, end, end + 255);
}

static void test_planned_and_taken(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
        gr_settings s;
        gr_problem problem;
        gr_error error = {GR_OK, ""};
        gr_engine *e;
        gr_snapshot snapshot;
        make(jobs[k].genotype, jobs[k].more, &s, &problem);
        size_t before = counted_now;
        assert_int_equal(gr_backend_cpu.open(&problem.job, &e, &error), GR_OK);
        gr_engine_report report = look(e);
        assert_int_equal(counted_now - before, report.bytes + report.host);
        advance(e, GR_OK, &error);
        assert_int_equal(counted_now - before, report.bytes + report.host);
        for (int turn = 0; turn < 2; turn++) {
            assert_int_equal(gr_backend_cpu.snapshot(e, &snapshot, &error), GR_OK);
            report = look(e);
            assert_packed(&problem.job.params, &snapshot);
            assert_int_equal(counted_now - before, report.bytes + report.host + report.staging);
            assert_true(snapshot.bytes <= report.staging && report.staging <= report.snapshot);
            advance(e, GR_OK, &error);
        }
        if (problem.job.params.max_nodes == 1) /* none can be larger */
            assert_int_equal(report.staging, report.snapshot);
        gr_backend_cpu.close(e);
        assert_int_equal(counted_now, before);
        gr_problem_free(&problem);
        gr_settings_free(&s);
    }
}

/* A snapshot whose rows are wider than those of the state writes behind the end of an array. */
static void test_overrun(void **state) {
    (void)state;
    setenv("GRAMPUS_GUARDS", "1", 1);
    gr_settings s;
    gr_problem problem;
    gr_error error = {GR_OK, ""};
    gr_engine *from, *to;
    gr_snapshot snapshot;
    make(trees, "threads: 1\ncheckpoint: 0\n", &s, &problem);
    assert_int_equal(gr_backend_cpu.open(&problem.job, &from, &error), GR_OK);
    advance(from, GR_OK, &error);
    assert_int_equal(gr_backend_cpu.snapshot(from, &snapshot, &error), GR_OK);
    for (int wider = 0; wider < 2; wider++) {
        char *words = NULL;
        assert_int_equal(gr_backend_cpu.open(&problem.job, &to, &error), GR_OK);
        snapshot.part[GR_SECTION_DEMES].width += wider ? 1 : 0;
        assert_int_equal(gr_backend_cpu.restore(to, &snapshot, &error), GR_OK);
        advance(to, wider ? GR_FAILED : GR_OK, &error);
        words = strstr(error.text, "'demes' was overrun");
        assert_int_equal(words != NULL, wider);
        if (!wider) /* closing an engine whose arrays were overrun aborts */
            gr_backend_cpu.close(to);
    }
    gr_backend_cpu.close(from);
    gr_problem_free(&problem);
    gr_settings_free(&s);
    unsetenv("GRAMPUS_GUARDS");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_planned_and_taken),
                                       cmocka_unit_test(test_overrun)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
