/* Some values of runs together: their spread, and how sure the median is. */
#ifndef GRAMPUS_INFERENCE_MEASURE_H
#define GRAMPUS_INFERENCE_MEASURE_H

#include "host/base/spread.h"
#include "host/inference/inference.h"

/* The probability that Koza's effort is for. */
#define GR_KOZA_Z 0.99

/* Columns of statistics.tsv that all else is found by. */
enum { GR_COLUMN_RUN, GR_COLUMN_GEN };

typedef struct gr_measure {
    uint32_t n; /* values that are no NaN */
    gr_spread spread;
    double deviation; /* of the sample; NaN of one value */
    gr_interval median;
} gr_measure;

/* Bootstraps of the last numbers of values; start with {0}. */
enum { GR_MEDIANS = 4 };
typedef struct gr_medians {
    uint32_t n[GR_MEDIANS], next;
    gr_bootstrap *bootstrap[GR_MEDIANS];
} gr_medians;
void gr_medians_free(gr_medians *medians);

/* Of value[count], NaNs left out; scratch[count]. False: no memory. */
int gr_measure_of(const double *value, uint32_t count, double *scratch, gr_medians *medians,
                  gr_measure *measure);

#endif
