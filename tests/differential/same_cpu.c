/* L2 on the CPU: any number of threads, every instruction set, programs evaluated once or every
 * time, and a run alone or inside a batch give the same bytes. */
#include "host/cpu/evaluate.h"
#include "tests/differential/lockstep.h"
#include "tests/differential/problems.h"

/* The sanitizers look at code, not at bytes: a generation that is bred from another passes through
 * all of it (whole runs are those of e2e/model.py), and who runs it, a batch or the plain
 * instructions, is the same for all problems. */
#ifdef __SANITIZE_ADDRESS__
enum { GENERATIONS = 1, SHARED_GENERATIONS = 1, ALONE_EVERY = 9 };
#else
enum { GENERATIONS = 5, SHARED_GENERATIONS = 2, ALONE_EVERY = 1 };
#endif

static int failed, passed;

/* One way to compute a run: keys beside those of the problem, which run of its batch, and the
 * instruction set ("": the best; the engine looks at GRAMPUS_ISA when it opens). */
typedef struct way {
    const char *label, *more, *isa;
    uint32_t run;
} way;

static int open_way(const char *name, side *s, const char *text, const way *w) {
    *s = (side){.label = w->label, .backend = &gr_backend_cpu, .run = w->run};
    if (w->isa[0])
        setenv("GRAMPUS_ISA", w->isa, 1);
    int bad = side_open(name, s, text, w->more);
    unsetenv("GRAMPUS_ISA");
    return bad;
}

static void compare(const char *name, const char *text, way first, way second,
                    uint32_t generations) {
    side a, b = {0};
    int bad = open_way(name, &a, text, &first) || open_way(name, &b, text, &second) ||
              lockstep(name, &a, &b, generations);
    side_close(&a);
    side_close(&b);
    bad ? failed++ : passed++;
}

/* Many differences in one pair: what agrees with all of them needs no pair for each. */
static void compare_all(const char *name, const char *text, int shared, int alone) {
    const char *best = gr_cpu_best_interpreter()->name;
    const char *middle = strcmp(best, "AVX-512") == 0 ? "avx2" : "baseline";
    int once = !strstr(text, "class-rule: fitted") && !strstr(text, "objectives:") &&
               !strstr(text, "nsga2");
    if (shared) {
        compare(name, text, (way){"best instruction set", "", "", 0}, (way){middle, "", middle, 0},
                SHARED_GENERATIONS);
        return;
    }
    compare(name, text,
            (way){"1 thread", once ? "threads: 1\nevaluate-once: off\n" : "threads: 1\n", "", 0},
            once ? (way){"3 threads, programs evaluated once and remembered",
                         "threads: 3\nevaluate-once: on\nfitness-memory: 100\n", middle, 0}
                 : (way){"3 threads", "threads: 3\n", middle, 0},
            GENERATIONS);
    if (!alone)
        return;
    if (strstr(text, "runs:"))
        compare(name, text, (way){"best instruction set", "", "", 0},
                (way){"baseline", "", "baseline", 0}, GENERATIONS);
    else
        compare(name, text, (way){"run 2 of a batch", "runs: 3\nseed: 7\n", "", 2},
                (way){"alone, baseline", "runs: 1\nseed: 9\n", "baseline", 0}, GENERATIONS);
}

int main(void) {
    char buffer[4096];
    for (int i = 0; i < SAME_PROBLEMS; i++) {
        const char *name = same_problems[i].name,
                   *text = problem_text(&same_problems[i], buffer, sizeof buffer);
        if (text)
            compare_all(name, text, same_problems[i].shared, i % ALONE_EVERY == 0);
        else
            printf("skip %s: no real data beside the repository\n", name);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
