/* How the outputs of a program classify a set: confusion matrix, F1, ROC area, fitted thresholds.
 */
#ifndef GRAMPUS_CLASSES_H
#define GRAMPUS_CLASSES_H

#include "gpu/core/base/params.h"
#include "host/data/dataset.h"

#include <cjson/cJSON.h>

typedef struct gr_class {
    float label;
    uint64_t cases, predicted, right;
    double precision, recall, f1; /* NaN where there is nothing to divide by */
    double roc_area; /* against all others; NaN also where classes x cases are more than 2^30 */
} gr_class;

typedef struct gr_classes {
    uint32_t count;
    gr_class *class; /* [count], labels rising */
    /* [count][count + 1]: actual, predicted; the last column is none of them. NULL of more than
     * GR_SHOWN_CLASSES. */
    uint64_t *confusion;
    double accuracy, f1, roc_area; /* the latter two: means over classes that have them */
} gr_classes;

enum { GR_SHOWN_CLASSES = 256 };

/* Whether a metric is about classes. */
int gr_is_classification(const gr_params *p);

/* The classes of `set`, whose outputs under the run's rule are output[cases]; labels of `other`
 * (may have no cases) count as classes too. */
gr_status gr_classes_make(const gr_params *p, const gr_dataset *set, const gr_dataset *other,
                          const float *output, gr_classes *classes, gr_error *error);
void gr_classes_free(gr_classes *classes);
/* Memory for so many classes of `cases`: what stays; what making them takes as well, beside `other`
 * cases; what fitting thresholds takes. */
typedef struct gr_classes_bytes {
    size_t kept, making, fitting;
} gr_classes_bytes;
gr_classes_bytes gr_classes_plan(uint32_t count, uint64_t cases, uint64_t other);

/* Class rule "fitted": p becomes the rule of the thresholds that the run fits to these training
 * outputs (gpu/core/fitness/class_bins.h); any other p stays. */
gr_status gr_fix_thresholds(gr_params *p, const gr_dataset *set, const float *output,
                            gr_error *error);
/* Thresholds between the classes in rising order, at which the outputs give the fewest errors:
 * threshold[classes->count - 1], infinite behind the last one in use. Only where
 * gr_can_fit_thresholds: it takes two bytes for every class and case. */
int gr_can_fit_thresholds(const gr_classes *classes, const gr_dataset *set);
gr_status gr_fit_thresholds(const gr_classes *classes, const gr_params *p, const gr_dataset *set,
                            const float *output, float *threshold, gr_error *error);
/* Share of cases that thresholds classify rightly. */
double gr_threshold_accuracy(const gr_classes *classes, const gr_params *p, const gr_dataset *set,
                             const float *output, const float *threshold);

cJSON *gr_classes_json(const gr_classes *classes, const gr_dataset *named);
/* The confusion matrix with the measures of every class. */
void gr_classes_print(const gr_classes *classes, const gr_dataset *named, FILE *out);

#endif
