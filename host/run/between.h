/* Whether a program keeps its head between the training cases, where nobody looked while it was
 * bred: a quotient or a logarithm that has a good value on every one of them may have none, or an
 * enormous one, beside them. */
#ifndef GRAMPUS_BETWEEN_H
#define GRAMPUS_BETWEEN_H

#include "host/run/run.h"

/* Points on the line through two training cases, up to a tenth of their distance beyond them, or
 * with every input of the one or the other; 64 for each case as far as the memory goes, by
 * data-seed. No input leaves the range that it has, and those that are whole numbers in all cases
 * are whole there too. */
typedef struct gr_between {
    uint32_t points;
    float *tiles;            /* [chunks][inputs][GR_CHUNK]; precision: double: doubles */
    double low, high, range; /* of the targets; infinite where they are all the same */
} gr_between;

/* Cleared on failure. Needs cases, and numbers as targets. */
gr_status gr_between_draw(const gr_problem *problem, gr_between *between, gr_error *error);
void gr_between_free(gr_between *between);
/* Memory that they take. */
size_t gr_between_bytes(const gr_problem *problem);

/* *harm: what the program of `best`, scaled as it is, adds to the mean squared error there, at
 * least: a point whose value is more than the targets' range outside of it counts as an error of
 * that range, one without a value as of ten. 0: it has values everywhere that are none of these. */
gr_status gr_between_look(const gr_problem *problem, const gr_between *between, const gr_best *best,
                          double *harm, gr_error *error);

#endif
