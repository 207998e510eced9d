/* An expression applied to a data set, outside of a run: its outputs and, against a target, its
 * fitness. */
#ifndef GRAMPUS_PREDICT_H
#define GRAMPUS_PREDICT_H

#include "gpu/core/base/params.h"
#include "host/data/dataset.h"
#include "host/expression/reader.h"

/* Outputs of nodes [0, count) for every case of `set`, which has its tiles, in output[cases]. With
 * p (may be NULL), whose fitness settings and target numbers describe the set, also its cost as
 * gr_cost gives it and fit[2] of linear scaling. */
gr_status gr_predict(const gr_node *nodes, uint32_t count, const gr_dataset *set,
                     const gr_params *p, float *output, float *cost, double fit[2],
                     gr_error *error);

#endif
