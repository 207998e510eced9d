/* An expression applied to a data set, outside of a run: its outputs and, against a target, its
 * fitness. */
#ifndef GRAMPUS_PREDICT_H
#define GRAMPUS_PREDICT_H

#include "gpu/core/base/params.h"
#include "host/data/dataset.h"
#include "host/expression/reader.h"

typedef struct gr_prediction {
    float *output; /* [cases], the caller's */
    float cost;    /* as gr_cost gives it */
    double fit[2]; /* of linear scaling: intercept, slope */
    double *exact; /* [cases], the caller's or NULL; of a set in doubles the outputs themselves */
} gr_prediction;

/* Outputs of nodes [0, count) for every case of `set`, which has its tiles. With p (may be NULL),
 * whose fitness settings and target numbers describe the set, also their cost and fit. */
gr_status gr_predict(const gr_node *nodes, uint32_t count, const gr_dataset *set,
                     const gr_params *p, gr_prediction *prediction, gr_error *error);

#endif
