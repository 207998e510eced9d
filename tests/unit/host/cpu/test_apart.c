/* host/cpu/generation.c where demes go on by themselves, one or several generations at a time: what
 * is left is to the byte what there is where all of them are selected, bred and evaluated together.
 */
#include "tests/remains.h"

/* Ways to a run. There are too few demes for 64 threads, so that these do each stage for all. */
typedef struct way {
    uint32_t threads, epoch;
} way;
static const way together = {64, MOST}, apart[] = {{1, MOST}, {1, 1}, {1, 7}, {3, MOST}, {3, 2}};

static remains run_so(gr_job job, way w) {
    remains r = {0};
    gr_engine *e;
    gr_error error = {GR_OK, ""};
    job.threads = w.threads;
    job.epoch = w.epoch;
    if (gr_backend_cpu.open(&job, &e, &error))
        fail_msg("%s", error.text);
    while (!advance(e, &job.params, &r))
        ;
    collect(e, &job.params, &r);
    gr_backend_cpu.close(e);
    return r;
}

#define SQUARE "target-expression: x*x + x\nvariables: x = uniform(-1, 1)\ndevice: cpu\n"
static const char *const runs[] = {
    /* runs that reach their target at different times, and some not */
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\ntest-cases: 20\npopulation: 30\n"
    "generations: 40\nruns: 25\nelites: 3\ntarget-fitness: 0.2\n",
    /* all of them do, in odd generations and even ones */
    "genotype: tree\n" SQUARE "train-cases: 20\npopulation: 60\ngenerations: 60\nruns: 12\n"
    "target-fitness: 4\n",
    "genotype: tree\n" SQUARE "train-cases: 20\npopulation: 60\ngenerations: 60\nruns: 12\n"
    "target-fitness: 2\n",
    "genotype: tree\n" SQUARE "train-cases: 150\npopulation: 40\ngenerations: 12\nruns: 13\n"
    "validation-fraction: 0.3\nstagnation: 4\nlinear-scaling: true\nmetric: mse\n",
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 25\ngenerations: 9\n"
    "runs: 14\ntopology: torus\ndeme-width: 5\n"
    "deme-height: 5\n",
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 20\ngenerations: 5\n"
    "runs: 12\nmapping: pi\nlinear-scaling: true\nmetric: mse\n",
    /* steady states, whose elites keep their sums and programs */
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 300\ntest-cases: 20\npopulation: 30\n"
    "generations: 3\nruns: 14\nreplacement: steady-state\nchildren-per-step: 4\n",
    "genotype: tree\n" SQUARE "train-cases: 1100\npopulation: 30\ngenerations: 3\nruns: 14\n"
    "replacement: steady-state\nchildren-per-step: 4\ntarget-fitness: 0.1\n",
    "genotype: tree\n" SQUARE "train-cases: 300\npopulation: 30\ngenerations: 3\nruns: 14\n"
    "replacement: steady-state\nchildren-per-step: 4\nevaluate-once: on\n",
    "genotype: tree\n" SQUARE "train-cases: 300\npopulation: 30\ngenerations: 3\nruns: 14\n"
    "replacement: steady-state\nchildren-per-step: 4\nfitness-memory: 50\n",
    /* what stages of all demes together are for */
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 20\ngenerations: 6\n"
    "runs: 12\nselection: rank\n",
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 20\ngenerations: 6\n"
    "runs: 12\nislands: 2\nmigration-every: 2\n",
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 20\ngenerations: 6\n"
    "runs: 12\ndiversity: true\n",
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 20\ngenerations: 6\n"
    "runs: 12\nrestart-after: 2\n",
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 20\ngenerations: 6\n"
    "runs: 12\ncase-sampling: random\nsample-cases: 20\n",
    "grammar: grammars/nguyen.bnf\n" SQUARE "train-cases: 40\npopulation: 20\ngenerations: 6\n"
    "runs: 12\nmutate-duplicates: true\n",
    "genotype: tree\n" SQUARE "train-cases: 30\npopulation: 2\ngenerations: 1\nruns: 12\n",
    "genotype: tree\n" SQUARE "train-cases: 30\npopulation: 1\ngenerations: 0\nruns: 12\n"};

/* Whether sums of earlier generations were used. */
static int remembers(const gr_params *p, const remains *r) {
    uint64_t remembered = 0;
    for (size_t k = 0; k < r->generations * (size_t)gr_demes(p); k++)
        remembered += r->records[k].spared.remembered;
    return remembered > 0;
}

static void the_same(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        gr_settings s;
        gr_problem problem;
        make(runs[k], &s, &problem);
        const gr_params *p = &problem.job.params;
        remains expected = run_so(problem.job, together);
        assert_int_equal(remembers(p, &expected), strstr(runs[k], "fitness-memory") != NULL);
        for (size_t n = 0; n < sizeof apart / sizeof *apart; n++) {
            remains r = run_so(problem.job, apart[n]);
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
