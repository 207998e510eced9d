/* An expression applied to a data set, outside of a run: its outputs and, against a target, its
 * fitness. */
#ifndef GRAMPUS_PREDICT_H
#define GRAMPUS_PREDICT_H

#include "gpu/core/base/params.h"
#include "host/data/dataset.h"
#include "host/expression/reader.h"

/* Outputs of nodes [0, count) for every case of `set`, in output[cases]. With p (may be NULL),
 * whose fitness settings and target numbers describe the set, also its cost as gr_cost gives it and
 * fit[2] of linear scaling. */
gr_status gr_predict(const gr_node *nodes, uint32_t count, const gr_dataset *set,
                     const gr_params *p, float *output, float *cost, double fit[2],
                     gr_error *error);

/* The fitness that a user reads for a cost: maximised metrics with their sign back; the worst cost
 * is the worst fitness, an infinity. */
double gr_fitness_of(uint32_t metric, double cost);
/* The other way round. */
double gr_cost_of(uint32_t metric, double fitness);
/* Whether fitness a is better than b; a NaN is neither better nor worse. */
int gr_is_better(uint32_t metric, double a, double b);

#endif
