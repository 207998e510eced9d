/* L2 on the CPU: any number of threads, every instruction set, programs evaluated once or every
 * time, and a run alone or inside a batch give the same bytes. */
#include "host/cpu/evaluate.h"
#include "tests/differential/lockstep.h"
#include "tests/differential/problems.h"

/* The sanitizers look at code, not at bytes: a few generations pass through all of it. */
#ifdef __SANITIZE_ADDRESS__
enum { GENERATIONS = 2, ISA_GENERATIONS = 1 };
#else
enum { GENERATIONS = 7, ISA_GENERATIONS = 2 };
#endif

static int failed, passed;

static void count(int bad) {
    bad ? failed++ : passed++;
}

static void compare(const char *name, const char *text, const char *more_a, const char *more_b,
                    uint32_t run, const char *label_a, const char *label_b) {
    side a = {.label = label_a, .backend = &gr_backend_cpu, .run = run};
    side b = {.label = label_b, .backend = &gr_backend_cpu};
    int bad = side_open(name, &a, text, more_a) || side_open(name, &b, text, more_b) ||
              lockstep(name, &a, &b, GENERATIONS);
    side_close(&a);
    side_close(&b);
    count(bad);
}

/* The engine looks at GRAMPUS_ISA when it opens, so the two sides need different environments. */
static void compare_isa(const char *name, const char *text, const char *isa) {
    side a = {.label = "best instruction set", .backend = &gr_backend_cpu};
    side b = {.label = isa, .backend = &gr_backend_cpu};
    int bad = side_open(name, &a, text, "");
    setenv("GRAMPUS_ISA", isa, 1);
    bad = bad || side_open(name, &b, text, "");
    unsetenv("GRAMPUS_ISA");
    bad = bad || lockstep(name, &a, &b, ISA_GENERATIONS);
    side_close(&a);
    side_close(&b);
    count(bad);
}

int main(void) {
    char buffer[4096];
    for (int i = 0; i < SAME_PROBLEMS; i++) {
        const char *name = same_problems[i].name,
                   *text = problem_text(&same_problems[i], buffer, sizeof buffer);
        if (!text) {
            printf("skip %s: no real data beside the repository\n", name);
            continue;
        }
        if (!same_problems[i].shared)
            compare(name, text, "threads: 1\n", "threads: 3\n", 0, "1 thread", "3 threads");
        if (!same_problems[i].shared && !strstr(text, "class-rule: fitted") &&
            !strstr(text, "objectives:") && !strstr(text, "nsga2"))
            compare(name, text, "evaluate-once: off\n", "evaluate-once: on\nfitness-memory: 100\n",
                    0, "every program evaluated", "once, and remembered");
        if (!strstr(text, "runs:") && !same_problems[i].shared)
            compare(name, text, "runs: 5\nseed: 7\n", "runs: 1\nseed: 10\n", 3, "run 3 of a batch",
                    "alone");
        if (strcmp(gr_cpu_best_interpreter()->name, "AVX-512") == 0)
            compare_isa(name, text, "avx2");
        if (!same_problems[i].shared)
            compare_isa(name, text, "baseline");
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
