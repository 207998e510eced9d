/* What every strategy must give: the CPU's answers. */
#ifndef LADDER_REFERENCE_H
#define LADDER_REFERENCE_H

#include "tools/ladder/problem.h"

typedef struct ladder_reference {
    uint32_t programs, chunks;
    float *outputs; /* [programs][sample cases], gr_evaluate_case */
    double *sums;   /* [chunks][programs], canonical sums of errors (gpu/core/fitness/fitness.h) */
} ladder_reference;

gr_status ladder_reference_make(const ladder_problem *problem, const ladder_population *population,
                                ladder_reference *reference, gr_error *error);
void ladder_reference_free(ladder_reference *reference);

/* Outputs on the sample: the same bits; of floats any NaN is the same as another. */
int ladder_same_outputs(const ladder_problem *problem, const ladder_reference *reference,
                        const float *outputs, char *why, size_t size);
/* Sums over the first `cases` cases, whole chunks or all. Counts must be equal. Sums of errors may
 * differ by what rounding can do: `additions` of the longest chain times 2^-24, for no term is
 * negative. */
int ladder_same_sums(const ladder_problem *problem, const ladder_reference *reference,
                     const double *sums, uint32_t cases, uint32_t additions, char *why,
                     size_t size);
/* Share of the programs whose sum over all cases is within a hundredth of the reference's, for
 * functions that are not exact. */
double ladder_near_sums(const ladder_reference *reference, const double *sums);
/* The costs an engine must give for all cases, to the bit. */
int ladder_same_costs(const ladder_problem *problem, const ladder_reference *reference,
                      const float *costs, char *why, size_t size);

#endif
