/* The library opened and closed many times over: runs of trees, of genomes, stopped and refused
 * ones. The memory of the process stays what it was after the first tenth.
 *
 *   library_opens [--count N] */
#include "host/library/grampus.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { KIND_TREE, KIND_GENOME, KIND_STOPPED, KIND_REFUSED, KINDS };
enum {
    MOST_GROWTH = 256 << 10
}; /* bytes; a leaked run of this size would be 40 times that in 10 000 */

static int set(grampus_settings *s, const char *key, const char *value) {
    grampus_error error;
    return grampus_settings_set(s, key, value, &error) == GRAMPUS_OK;
}

/* One run from settings to close; whether all was as expected. */
static int once(int kind) {
    grampus_error error;
    grampus_settings *s = NULL;
    grampus_run *run = NULL;
    grampus_best best = {0};
    int good = grampus_settings_new(&s, &error) == GRAMPUS_OK && set(s, "device", "cpu") &&
               set(s, "threads", "1") && set(s, "target-expression", "x * x + x") &&
               set(s, "variables", "x = linspace(-1, 1, 20)") && set(s, "population", "20") &&
               set(s, "generations", "3");
    if (kind == KIND_GENOME)
        good = good && set(s, "grammar", "grammars/nguyen.bnf");
    else
        good = good && set(s, "genotype", kind == KIND_REFUSED ? "grammar" : "tree");
    if (kind == KIND_REFUSED)
        good = good && grampus_run_open(s, &run, &error) != GRAMPUS_OK && !run;
    else
        good = good && grampus_run_open(s, &run, &error) == GRAMPUS_OK;
    if (kind == KIND_STOPPED && run)
        grampus_run_stop(run);
    for (int finished = 0; good && run && !finished;)
        good = grampus_run_advance(run, NULL, NULL, &finished, &error) == GRAMPUS_OK;
    if (good && run && kind != KIND_STOPPED)
        good = grampus_run_best(run, 0, &best, &error) == GRAMPUS_OK;
    grampus_best_free(&best);
    grampus_run_close(run);
    grampus_settings_free(s);
    return good;
}

/* Bytes of the process that are in memory; 0 where that is not told. */
static long resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*s %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"count", required_argument, NULL, 'c'}, {0}};
    long count = 400, failed = 0, settled = 0;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        count = c == 'c' ? atol(optarg) : count;
    for (long k = 0; k < count; k++) {
        if (k == count / 10)
            settled = resident();
        failed += !once((int)(k % KINDS));
    }
    long growth = resident() - settled;
#ifdef __SANITIZE_ADDRESS__
    growth = 0; /* what is freed is kept for a while, and leaks are looked for at the end */
#endif
    printf("%s - %ld of %ld openings of the library went wrong\n", failed ? "not ok" : "ok", failed,
           count);
    printf("%s - memory grew by %ld bytes\n", growth > MOST_GROWTH ? "not ok" : "ok", growth);
    printf("# %ld opens and closes\n", count);
    printf("%d passed, %d failed\n", !failed + (growth <= MOST_GROWTH),
           !!failed + (growth > MOST_GROWTH));
    return failed || growth > MOST_GROWTH;
}
