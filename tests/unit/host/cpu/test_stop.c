/* host/cpu/generation.c when it is stopped at any moment: the generation under way is given up, and
 * what is left is to the byte what a run has that ends with the one before it. */
#include "gpu/backend/clock.h"
#include "tests/remains.h"

#include <pthread.h>
#include <time.h>

#ifdef __SANITIZE_ADDRESS__
enum { TRIALS = 2 }; /* they look at code, not at values */
#else
enum { TRIALS = 8 };
#endif

static void pause_for(double seconds) {
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

/* Who stops an engine from a thread of its own, after a time. */
typedef struct stopper {
    gr_engine *engine;
    double seconds;
} stopper;

static void *stop_later(void *context) {
    const stopper *s = context;
    pause_for(s->seconds);
    gr_backend_cpu.stop(s->engine);
    return NULL;
}

/* Runs until it ends: told to behind so many generations (0: never), or after some seconds (< 0:
 * never). */
static remains run_until(const gr_job *job, uint32_t after, double seconds) {
    remains r = {0};
    gr_engine *e;
    gr_error error = {GR_OK, ""};
    pthread_t thread;
    if (gr_backend_cpu.open(job, &e, &error))
        fail_msg("%s", error.text);
    stopper s = {e, seconds};
    if (after) {
        gr_backend_cpu.limit(e, after);
        assert_false(advance(e, &job->params, &r));
        gr_backend_cpu.stop(e);
    }
    if (seconds >= 0)
        assert_int_equal(pthread_create(&thread, NULL, stop_later, &s), 0);
    assert_true(advance(e, &job->params, &r));
    if (seconds >= 0)
        pthread_join(thread, NULL);
    if (r.generations)
        collect(e, &job->params, &r);
    gr_backend_cpu.close(e);
    return r;
}

/* One thread where phenotypes are counted: who comes first has the first place in their table. */
static const char *const runs[] = {
    "genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 1000\ntest-cases: 50\npopulation: 100\ngenerations: 60\nruns: 2\ndevice: cpu\n",
    "grammar: grammars/nguyen.bnf\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 1000\npopulation: 100\ngenerations: 60\ndevice: cpu\nthreads: 2\n",
    "grammar: grammars/nguyen.bnf\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 1000\npopulation: 100\ngenerations: 60\ndevice: cpu\nthreads: 2\nelites: 60\n",
    "grammar: grammars/nguyen.bnf\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 1000\npopulation: 100\ngenerations: 60\ndevice: cpu\n"
    "case-sampling: random\nsample-cases: 512\n",
    "grammar: grammars/nguyen.bnf\nmapping: pi\ntarget-expression: x*x + x\n"
    "variables: x = uniform(-1, 1)\ntrain-cases: 1000\npopulation: 100\ngenerations: 60\n"
    "device: cpu\ntarget-fitness: 0.3\nruns: 3\n",
    /* demes by themselves: several generations at a time, and one, which is given up */
    "grammar: grammars/nguyen.bnf\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 50\ntest-cases: 20\npopulation: 50\ngenerations: 60\nruns: 40\nelites: 3\n"
    "target-fitness: 0.1\ndevice: cpu\nthreads: 2\n",
    "genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 3000\ntest-cases: 20\npopulation: 100\ngenerations: 4\nruns: 60\n"
    "validation-fraction: 0.2\ntarget-fitness: none\nevaluate-once: off\ndevice: cpu\n"
    "threads: 1\n",
    "genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 1000\npopulation: 50\ngenerations: 60\nislands: 4\nmigration-every: 1\n"
    "migration-size: 20\nmigrants-replace: random\ndevice: cpu\n",
    "genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 1000\npopulation: 100\ngenerations: 60\nrestart-after: 2\nruns: 3\n"
    "validation-fraction: 0.2\ndevice: cpu\n",
    "genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 100\npopulation: 50\ngenerations: 20\nconstant-probability: 0.4\n"
    "optimise-constants: all\nruns: 2\nthreads: 2\ndevice: cpu\n",
    "genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 100\npopulation: 100\ngenerations: 20\nselection: epsilon-lexicase\n"
    "islands: 2\nmigration-every: 1\nmigration-size: 20\nthreads: 2\ndevice: cpu\n",
    "genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 100\npopulation: 100\ngenerations: 20\noptimise-constants: all\n"
    "constant-probability: 0.4\nmetric: mse\ndevice: cpu\n",
    "grammar: grammars/nguyen.bnf\ntarget-expression: x*x + 0.7*x\n"
    "variables: x = uniform(-1, 1)\ntrain-cases: 100\npopulation: 100\ngenerations: 20\n"
    "weighted-inputs: true\noptimise-constants: all\nmetric: mse\nislands: 2\n"
    "migration-every: 1\nmigration-size: 20\ndevice: cpu\n",
    "grammar: grammars/nguyen.bnf\nmapping: pi\ntarget-expression: x*x + 0.7*x\n"
    "variables: x = uniform(-1, 1)\ntrain-cases: 100\npopulation: 100\ngenerations: 20\n"
    "weighted-inputs: true\noptimise-constants: share\nelites: 5\nmetric: mse\ndevice: cpu\n",
    "grammar: grammars/nguyen.bnf\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 1000\npopulation: 100\ngenerations: 60\nmutate-duplicates: true\nruns: 2\n"
    "diversity: true\ndevice: cpu\nthreads: 1\n",
    "genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
    "train-cases: 1000\npopulation: 100\ngenerations: 40\nobjectives: error, max-error, nodes\n"
    "islands: 2\nmigration-every: 1\nmigration-size: 20\nruns: 2\ndiversity: true\n"
    "device: cpu\nthreads: 1\n",
    "grammar: tests/differential/free.bnf\ntarget-expression: 1.5*x - 0.7\n"
    "variables: x, y = uniform(-1, 1)\ntrain-cases: 100\npopulation: 100\ngenerations: 20\n"
    "optimise-constants: all\nmetric: mse\ntarget-fitness: none\ndevice: cpu\n"};

static void given_up_anywhere(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        gr_settings s;
        gr_problem problem;
        make(runs[k], &s, &problem);
        const gr_params *p = &problem.job.params;
        double start = gr_seconds_now();
        remains all = run_until(&problem.job, 0, -1);
        double whole = gr_seconds_now() - start;
        for (int trial = 0; trial < TRIALS; trial++) {
            remains some = run_until(&problem.job, 0, whole * (trial + 0.5) / (TRIALS + 2));
            if (some.generations) {
                assert_memory_equal(all.records, some.records,
                                    some.generations * gr_demes(p) * sizeof *all.records);
                /* a stop seen at the border is that of the generation behind it */
                remains border = some.generations == 1
                                     ? some
                                     : run_until(&problem.job, some.generations - 1, -1);
                assert_same(p, &border, &some);
                if (some.generations > 1)
                    forget(&border);
            }
            forget(&some);
        }
        forget(&all);
        gr_problem_free(&problem);
        gr_settings_free(&s);
    }
}

/* How long a run takes that is told to stop after some seconds (never: -1); it ended with so many
 * generations. */
static double time_of(const gr_job *job, double after, uint32_t *generations) {
    double start = gr_seconds_now();
    remains some = run_until(job, 0, after);
    double seconds = gr_seconds_now() - start;
    *generations = some.generations;
    forget(&some);
    return seconds;
}

/* A generation is given up at once, the first one too: nothing is left then. So is a selection that
 * takes most of the time, and so are constants while they are fitted, duplicates while they are
 * mutated and, behind the evaluation, objectives. */
static void at_once(void **state) {
    static const struct {
        const char *text;
        uint32_t all, left;
        double at; /* of the whole time */
    } cases[] = {{"genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
                  "train-cases: 100000\npopulation: 200\ngenerations: 0\ndevice: cpu\nthreads: 1\n",
                  1, 0, 0.125},
                 {"genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
                  "train-cases: 400\npopulation: 1500\ngenerations: 1\ndevice: cpu\nthreads: 1\n"
                  "selection: epsilon-lexicase\n",
                  2, 1, 0.125},
                 {"genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
                  "train-cases: 200000\npopulation: 40\nruns: 10\ngenerations: 1\ndevice: cpu\n"
                  "threads: 1\ntarget-fitness: none\nevaluate-once: off\n",
                  2, 1, 0.7},
                 {"grammar: grammars/nguyen.bnf\ntarget-expression: x*x + 0.7*x\n"
                  "variables: x = uniform(-1, 1)\ntrain-cases: 20000\npopulation: 60\n"
                  "weighted-inputs: true\noptimise-constants: all\nmetric: mse\n"
                  "generations: 0\ndevice: cpu\nthreads: 1\n",
                  1, 0, 0.4},
                 {"grammar: grammars/nguyen.bnf\ntarget-expression: x*x + x\n"
                  "variables: x = uniform(-1, 1)\ntrain-cases: 10\npopulation: 4000\n"
                  "mutate-duplicates: true\ngenerations: 0\ndevice: cpu\nthreads: 1\n",
                  1, 0, 0.4},
                 {"genotype: tree\ntarget-expression: x*x + x\nvariables: x = uniform(-1, 1)\n"
                  "train-cases: 100000\npopulation: 200\nobjectives: error, max-error\n"
                  "generations: 0\ndevice: cpu\nthreads: 1\n",
                  1, 0, 0.6}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gr_settings s;
        gr_problem problem;
        make(cases[k].text, &s, &problem);
        int good = 0;
        for (int trial = 0; trial < 20 && !good; trial++) { /* others work on this machine */
            uint32_t all, left;
            double seconds = time_of(&problem.job, -1, &all),
                   stopped = time_of(&problem.job, seconds * cases[k].at, &left);
            assert_int_equal(all, cases[k].all);
            good = left == cases[k].left && stopped < seconds * (1 + cases[k].at) / 2;
        }
        if (!good)
            fail_msg("%s: not given up at once", cases[k].text);
        gr_problem_free(&problem);
        gr_settings_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(given_up_anywhere),
                                       cmocka_unit_test(at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
