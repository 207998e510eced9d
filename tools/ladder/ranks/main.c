/* Tables A.7 to A.10 of Augusto & Barbosa 2013: the strategies of grids (ladder --grid) ranked over
 * all populations and data sets, Friedman's test, and all pairs with Shaffer's correction. */
#include "host/inference/inference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 48, MOST_STRATEGIES = 32, MOST_BLOCKS = 64 };

typedef struct design {
    char problem[NAME], strategy[MOST_STRATEGIES][NAME];
    uint32_t population[MOST_BLOCKS], cases[MOST_BLOCKS];
    double rate[MOST_BLOCKS][MOST_STRATEGIES]; /* 0: none */
    uint32_t strategies, blocks;
} design;

enum { PROBLEMS = 2 };
static const char *const problems[PROBLEMS] = {"regression", "classification"};

enum { FAILED = 1, BAD_INPUT = 2 }; /* exit codes, as those of grampus */

static int fail(int code, const char *path, const char *what) {
    fprintf(stderr, "ladder-ranks: %s: %s\n", path, what);
    return code;
}

/* 0: there is no room for another strategy or cell. */
static int add(design *d, const char *strategy, uint32_t population, uint32_t cases, double rate) {
    uint32_t s = 0, b = 0;
    while (s < d->strategies && strcmp(d->strategy[s], strategy) != 0)
        s++;
    while (b < d->blocks && (d->population[b] != population || d->cases[b] != cases))
        b++;
    if (s == MOST_STRATEGIES || b == MOST_BLOCKS)
        return 0;
    if (s == d->strategies)
        snprintf(d->strategy[d->strategies++], NAME, "%s", strategy);
    if (b == d->blocks) {
        d->population[b] = population;
        d->cases[d->blocks++] = cases;
    }
    d->rate[b][s] = rate;
    return 1;
}

/* A table of ladder --grid: problem, strategy, population, cases, seeds, rate, ... */
static int read_grid(const char *path, design designs[PROBLEMS]) {
    char line[512], problem[NAME], strategy[NAME];
    FILE *file = fopen(path, "r");
    if (!file)
        return fail(FAILED, path, "cannot be read");
    int room = 1;
    int good = fgets(line, sizeof line, file) &&
               strncmp(line, "problem\tstrategy\tpopulation\tcases\tseeds\tgpops\t", 45) == 0;
    while (good && room && fgets(line, sizeof line, file)) {
        uint32_t population, cases;
        double rate;
        good = sscanf(line, "%47s %47s %u %u %*u %lf", problem, strategy, &population, &cases,
                      &rate) == 5;
        for (int i = 0; good && i < PROBLEMS; i++)
            if (strcmp(problem, problems[i]) == 0)
                room &= add(&designs[i], strategy, population, cases, rate);
    }
    fclose(file);
    if (!good)
        return fail(BAD_INPUT, path, "no table of ladder --grid");
    return room ? 0
                : fail(BAD_INPUT, path,
                       "more strategies, or populations x cases; expected at most 32, and 64");
}

static void write_pairs(const design *d, const double *rank, FILE *out) {
    enum { PAIRS = MOST_STRATEGIES * (MOST_STRATEGIES - 1) / 2 };
    double z[PAIRS], p[PAIRS], shaffer[PAIRS];
    uint32_t k = d->strategies, at = 0;
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = a + 1; b < k; b++, at++)
            z[at] = gr_rank_z(rank[a], rank[b], d->blocks, k, &p[at]);
    if (!gr_shaffer(p, k, shaffer))
        return;
    at = 0;
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = a + 1; b < k; b++, at++)
            fprintf(out, "%s\tpair\t%s\t%s\t%.6g\t%.6g\t%.6f\n", d->problem, d->strategy[a],
                    d->strategy[b], z[at], p[at], shaffer[at]);
}

static int rank(const design *d, FILE *out) {
    double value[MOST_BLOCKS * MOST_STRATEGIES], ranks[MOST_STRATEGIES];
    uint32_t k = d->strategies;
    gr_friedman test;
    for (uint32_t b = 0; b < d->blocks; b++)
        for (uint32_t s = 0; s < k; s++) {
            if (!(d->rate[b][s] > 0.0))
                return fail(BAD_INPUT, d->strategy[s], "not measured in every cell of the grid");
            value[b * k + s] = -d->rate[b][s]; /* the fastest has rank 1 */
        }
    if (k < 2 || !gr_friedman_test(value, d->blocks, k, ranks, &test))
        return fail(BAD_INPUT, d->problem, "fewer than two strategies");
    fprintf(out, "%s\ttest\t\t\t%.6g\t%.6g\t\n", d->problem, test.chi2, test.p);
    for (uint32_t s = 0; s < k; s++)
        fprintf(out, "%s\trank\t%s\t\t%.4g\t\t\n", d->problem, d->strategy[s], ranks[s]);
    write_pairs(d, ranks, out);
    return 0;
}

static int print_help(void) {
    printf("usage: ladder-ranks GRID... [--table FILE]\n\nFriedman's test of the strategies in "
           "tables of ladder --grid, and all pairs by Shaffer's procedure.\n");
    return 0;
}

int main(int argc, char **argv) {
    static design designs[PROBLEMS];
    const char *path = NULL;
    int failed = 0, grids = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return print_help();
    for (int i = 1; i < argc && !failed; i++) {
        if (strcmp(argv[i], "--table") == 0 && i + 1 < argc)
            path = argv[++i];
        else if (*argv[i] == '-')
            failed = fail(BAD_INPUT, argv[i], "unknown, or without a value; expected --table FILE");
        else {
            failed = read_grid(argv[i], designs);
            grids++;
        }
    }
    if (!failed && !grids)
        failed = fail(BAD_INPUT, "no table", "expected those of ladder --grid, or --help");
    FILE *out = failed ? NULL : path ? fopen(path, "w") : stdout;
    if (!failed && !out)
        return fail(FAILED, path, "cannot be written");
    if (out)
        fputs("problem\tkind\ta\tb\tvalue\tp\tshaffer\n", out);
    for (int i = 0; i < PROBLEMS && !failed; i++) {
        snprintf(designs[i].problem, NAME, "%s", problems[i]);
        if (designs[i].blocks)
            failed = rank(&designs[i], out);
    }
    if (path && out && fclose(out))
        return fail(FAILED, path, "cannot be written");
    return failed;
}
