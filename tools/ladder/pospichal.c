#include "tools/ladder/pospichal.h"

#include <float.h>
#include <stdlib.h>

/* The kernel's fitness is that of its chromosomes, to the bit. */
static gr_status verify(const ladder_ge_run *run, const ladder_ge_result *result, float *best,
                        gr_error *error) {
    *best = result->fitness[0];
    for (uint32_t i = 0; i < run->population; i++) {
        float expected = ladder_ge_errors(result->chromosome[i], run->points),
              found = result->fitness[i];
        if (isfinite(expected) ? found != expected : found < FLT_MAX)
            return gr_fail(error, GR_DIFFERS,
                           "mapping, %u points, seed %u: individual %u: %.9g instead of %.9g",
                           run->points, run->seed, i, (double)found, (double)expected);
        *best = fminf(*best, found);
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
