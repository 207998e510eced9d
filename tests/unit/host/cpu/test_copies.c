/* host/cpu/copies.c: where most of a generation are elites, copying them with their programs leaves
 * to the byte what breeding them leaves. */
#include "tests/remains.h"

#include "host/cpu/internal.h"

/* copied: whether elites are to be copied; *could: whether they may be. */
static remains run_so(gr_job job, uint32_t threads, int copied, int *could) {
    remains r = {0};
    gr_engine *e;
    gr_error error = {GR_OK, ""};
    job.threads = threads;
    job.epoch = 7;
    if (gr_backend_cpu.open(&job, &e, &error))
        fail_msg("%s", error.text);
    *could = e->copies != NULL;
    if (!copied) {
        free(e->copies);
        e->copies = NULL;
    }
    while (!advance(e, &job.params, &r))
        ;
    collect(e, &job.params, &r);
    gr_backend_cpu.close(e);
    return r;
}

#define SQUARE "target-expression: x*x + x\nvariables: x = uniform(-1, 1)\ndevice: cpu\n"
#define GENOMES "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 30\n"
#define TREES "genotype: tree\n" SQUARE "train-cases: 40\npopulation: 30\n"
#define STEADY "replacement: steady-state\nchildren-per-step: 3\ngenerations: 4\n"
static const struct {
    const char *text;
    int may;
} runs[] = {
    {GENOMES STEADY "test-cases: 20\nmax-wraps: 2\n", 1},
    {GENOMES STEADY "runs: 9\n", 1}, /* demes by themselves, where threads are few */
    {GENOMES STEADY "runs: 9\ntarget-fitness: 0.3\ncodon-consumption: lazy\n", 1},
    {GENOMES STEADY "initialisation: uniform\ngenome-length: 5\nevaluate-once: on\n", 1},
    {GENOMES "elites: 16\ngenerations: 12\nmetric: mse\nlinear-scaling: true\n", 1},
    {GENOMES "elites: 15\ngenerations: 12\n", 0},
    {TREES STEADY "test-cases: 20\nmax-nodes: 9\ntries: 5\n", 1}, /* children drawn again */
    {TREES STEADY "runs: 9\ntarget-fitness: 0.1\n", 1},
    {TREES "elites: 29\ngenerations: 12\ndiversity: true\nselection: rank\n", 1},
    {"genotype: tree\n" SQUARE "train-cases: 40\npopulation: 2\nelites: 1\ngenerations: 3\n", 0},
    {"genotype: tree\n" SQUARE "train-cases: 40\npopulation: 3\nelites: 2\ngenerations: 3\n", 1},
    /* whose parents' programs are not there, or who have more than is copied */
    {TREES "elites: 20\ngenerations: 6\nislands: 3\nmigration-every: 2\n", 0},
    {TREES "elites: 20\ngenerations: 6\nrestart-after: 2\n", 0},
    {TREES "elites: 20\ngenerations: 6\narchive: niches\n", 0},
    {TREES "elites: 20\ngenerations: 6\nmetric: mse\noptimise-constants: elites\n"
           "constant-probability: 0.3\n",
     0},
    {GENOMES "elites: 20\ngenerations: 6\ncrossover: subtree\n", 0},
    {GENOMES "elites: 20\ngenerations: 6\ninvalid: redrawn\n", 0},
    {GENOMES "elites: 20\ngenerations: 6\nmutate-duplicates: true\n", 0},
    {GENOMES "elites: 20\ngenerations: 6\nmapping: pi\n", 0}};

static void the_same(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        gr_settings s;
        gr_problem problem;
        int could;
        make(runs[k].text, &s, &problem);
        const gr_params *p = &problem.job.params;
        remains expected = run_so(problem.job, 1, 0, &could);
        for (uint32_t threads = 1; threads < 5; threads += 3) {
            remains r = run_so(problem.job, threads, 1, &could);
            assert_int_equal(could, runs[k].may);
            assert_same_run(p, &expected, &r);
            forget(&r);
        }
        forget(&expected);
        gr_problem_free(&problem);
        gr_settings_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
