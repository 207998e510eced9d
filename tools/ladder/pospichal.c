#include "tools/ladder/pospichal.h"

#include <math.h>
#include <stdlib.h>

/* ---- what a chromosome is worth, once more and in double ---- */

typedef struct derivation {
    const uint8_t *codon;
    uint32_t used;
} derivation;

static int next_rule(derivation *d, int rules) {
    return d->used < LADDER_GE_CODONS ? d->codon[d->used++] % rules : -1;
}

/* The value of <expr> at x; NaN when the codons run out. Operands first: Figure 5, the table. */
static double derive(derivation *d, double x) {
    int rule = next_rule(d, 2);
    if (rule == 0) {
        double a = derive(d, x), b = derive(d, x);
        int op = next_rule(d, 3);
        return op == 0 ? a + b : op == 1 ? a - b : op == 2 ? a * b : (double)NAN;
    }
    rule = rule < 0 ? -1 : next_rule(d, 2);
    return rule == 0 ? x : rule == 1 ? 1.0 : (double)NAN;
}

static double sum_of_errors(const uint8_t *codon, uint32_t points) {
    double sum = 0.0;
    for (uint32_t p = 0; p < points; p++) {
        derivation d = {codon, 0};
        double x = 10.0 * p / (points - 1);
        sum += fabs(derive(&d, x) - (x + x * x + x * x * x + x * x * x * x));
    }
    return sum;
}

/* The kernel's fitness against that; float sums of rounded terms, so within 0.1 % of it or what the
 * target itself is rounded by. */
static gr_status verify(const ladder_ge_run *run, const ladder_ge_result *result, float *best,
                        gr_error *error) {
    const double worst = 1e38;
    *best = result->fitness[0];
    for (uint32_t i = 0; i < run->population; i++) {
        double expected = sum_of_errors(result->chromosome[i], run->points);
        double found = (double)result->fitness[i];
        int same = expected < worst ? fabs(found - expected) <= 1e-3 * expected + 4e-3 * run->points
                                    : found > worst;
        if (!same)
            return gr_fail(error, GR_WRONG,
                           "mapping, %u points, seed %u: individual %u: %g instead of %g",
                           run->points, run->seed, i, found, expected);
        *best = result->fitness[i] < *best ? result->fitness[i] : *best;
    }
    return GR_OK;
}

/* ---- table ---- */

static gr_status row_of(const ladder_ge_run *run, FILE *table, gr_error *error) {
    ladder_ge_result *result = malloc(sizeof *result);
    float best;
    if (!result)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a population");
    gr_status status = ladder_ge_launch(run, result, error);
    if (!status)
        status = verify(run, result, &best, error);
    if (!status)
        fprintf(table, "%u\t%u\t%u\t%u\t%.6g\t%.6g\t%.9g\n", run->points, run->population,
                run->generations, run->seed, result->seconds, result->overhead, (double)best);
    free(result);
    return status;
}

gr_status ladder_ge_table(uint32_t seeds, int convergence, FILE *table, gr_error *error) {
    static const uint32_t points[] = {128, 256, 1280, 2560}, populations[] = {2, 4, 8, 16, 32, 64};
    gr_status status = GR_OK;
    fprintf(table, "points\tpopulation\tgenerations\tseed\tseconds\toverhead\tbest\n");
    for (uint32_t seed = 1; convergence && !status && seed <= seeds; seed++)
        status = row_of(&(ladder_ge_run){128, 32, 100, seed}, table, error);
    for (uint32_t k = 0; !convergence && !status && k < 24 * seeds; k++) {
        ladder_ge_run run = {points[k / seeds / 6], populations[k / seeds % 6], 1000,
                             1 + k % seeds};
        status = row_of(&run, table, error);
    }
    return status;
}
