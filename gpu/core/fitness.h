/* Fitness: what one case adds, the canonical sum, and the cost (lower is better) from the sums.
 *
 * Canonical sum. Cases go in chunks of 1024. Inside a chunk lane l of 32 owns the cases c with (c /
 * 4) mod 32 = l and adds them in rising c; the lanes meet in a butterfly (xor 16, 8, 4, 2, 1);
 * chunk sums are added in rising order, in double. Every width of the interpreters that is a
 * multiple of 4 gives this same sum. */
#ifndef GR_FITNESS_H
#define GR_FITNESS_H

#include "math.h"
#include "params.h"

/* Which lane adds case c of its chunk. */
GR_FN uint32_t gr_case_lane(uint32_t c) {
    return (c / 4) % GR_LANES;
}

/* Class of an output. A NaN is no class: the comparison with the label fails. By the thresholds it
 * has reached, the nearest label, or the sign. */
GR_FN float gr_class_reached(const gr_params *p, float output, uint32_t thresholds) {
    return output == output ? p->class_min + (float)thresholds : output;
}
GR_FN float gr_class_nearest(const gr_params *p, float output) {
    float rounded = rintf(output);
    return rounded > p->class_max ? p->class_max : rounded < p->class_min ? p->class_min : rounded;
}
GR_FN float gr_class_sign(const gr_params *p, float output) {
    return output >= 0.0f ? p->class_max : output < 0.0f ? p->class_min : output;
}
GR_FN float gr_class_between(const gr_params *p, const float *threshold, float output) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->thresholds; i++)
        count += output >= threshold[i];
    return gr_class_reached(p, output, count);
}
GR_FN float gr_class_of(const gr_params *p, float output) {
    if (p->class_rule == GR_CLASS_THRESHOLDS)
        return gr_class_between(p, p->threshold, output);
    return p->class_rule == GR_CLASS_SIGN ? gr_class_sign(p, output) : gr_class_nearest(p, output);
}

/* What one case adds to the single sum of an error metric, or 1 / 0 for a counting one. */
GR_FN float gr_error_by(uint32_t metric, const gr_params *p, float output, float target) {
    float error = output - target;
    switch (metric) {
    case GR_METRIC_SAE:
    case GR_METRIC_MAE:
        return fabsf(error);
    case GR_METRIC_HITS:
        return fabsf(error) <= p->tolerance ? 1.0f : 0.0f;
    case GR_METRIC_HINGE: {
        float margin = target > 0.0f ? 1.0f - output : 1.0f + output;
        return margin > 0.0f ? margin : margin == margin ? 0.0f : margin; /* NaN stays */
    }
    case GR_METRIC_MISCLASSIFIED:
        return gr_class_of(p, output) == target ? 0.0f : 1.0f;
    default:
        return error * error;
    }
}
GR_FN float gr_case_error(const gr_params *p, float output, float target) {
    return gr_error_by(p->metric, p, output, target);
}

/* Balanced accuracy and f1 count true positives and true negatives. Positive: the label is above 0;
 * the output is at least the first threshold (0 without one; f1: the smallest positive float). */
GR_FN uint32_t gr_true_positive(const gr_params *p, float output, float target) {
    return target > 0.0f && output >= p->threshold[0];
}
GR_FN uint32_t gr_true_negative(const gr_params *p, float output, float target) {
    return !(target > 0.0f) && !(output >= p->threshold[0]);
}

/* How the sums are kept: which family the interpreters are compiled for. */
typedef enum gr_sum_kind {
    GR_SUM_ERROR,  /* one float a lane */
    GR_SUM_COUNTS, /* two floats a lane: true positives and negatives */
    GR_SUM_SCALED, /* three doubles a lane: p, p^2, p (t - mean): all a linear fit needs */
    GR_SUM_SLOTS   /* one float a lane, errors on the test cases; training outputs are counted */
} gr_sum_kind;

GR_FN uint32_t gr_sum_kind_of(const gr_params *p) {
    uint32_t counts = p->metric == GR_METRIC_BALANCED || p->metric == GR_METRIC_F1;
    if (p->metric == GR_METRIC_MISCLASSIFIED && p->class_rule == GR_CLASS_FITTED)
        return GR_SUM_SLOTS;
    return p->linear_scaling ? GR_SUM_SCALED : counts ? GR_SUM_COUNTS : GR_SUM_ERROR;
}

/* f1 of one class: n of it, `right` found, `wrong` of the others taken for it. */
GR_FN double gr_f1(double n, double right, double wrong) {
    double both = right + right + wrong + (n - right);
    return both > 0.0 ? (right + right) / both : 0.0;
}

/* Balanced accuracy (the mean of both classes' rates) or f1 (of both, weighted by their sizes) of
 * true positives and negatives, as a cost; a class that has no case counts nothing. */
GR_FN double gr_counts_cost(uint32_t metric, const double *sum, double positives,
                            double negatives) {
    double n = positives + negatives;
    if (metric == GR_METRIC_F1)
        return -(positives / n * gr_f1(positives, sum[0], negatives - sum[1]) +
                 negatives / n * gr_f1(negatives, sum[1], positives - sum[0]));
    return -((positives > 0.0 ? 0.5 * (sum[0] / positives) : 0.0) +
             (negatives > 0.0 ? 0.5 * (sum[1] / negatives) : 0.0));
}

/* Cost of the sums over the training (set 0) or test (set 1) cases. Linear scaling fits target = a
 * + b output on the training cases; fit[0] = a, fit[1] = b are written for set 0 and used for
 * set 1. A cost that is not finite is the worst cost, infinity. */
GR_FN float gr_cost(const gr_params *p, const double *sum, uint32_t set, double *fit) {
    double n = set ? (double)p->test_cases : (double)p->train_cases;
    double s = sum[0];
    if (p->linear_scaling) {
        double spread = sum[1] - sum[0] * sum[0] / n, ss = p->target_ss[set];
        if (set == 0) {
            fit[1] = spread > 0.0 ? sum[2] / spread : 0.0;
            fit[0] = p->target_mean[0] - fit[1] * (sum[0] / n);
        }
        double shift = p->target_mean[set] - fit[0], b = fit[1];
        s = ss + n * shift * shift + b * b * sum[1] - 2.0 * b * sum[2] - 2.0 * b * shift * sum[0];
        s = s < 0.0 ? 0.0 : s;
    }
    switch (p->metric) {
    case GR_METRIC_MAE:
    case GR_METRIC_MSE:
    case GR_METRIC_HINGE:
        s = s / n;
        break;
    case GR_METRIC_RMSE:
        s = sqrt(s / n);
        break;
    case GR_METRIC_R2:
        s = s / p->target_ss[set] - 1.0;
        break;
    case GR_METRIC_HITS:
    case GR_METRIC_BOOLEAN_HITS:
        s = -s;
        break;
    case GR_METRIC_BALANCED:
    case GR_METRIC_F1:
        s = gr_counts_cost(p->metric, sum, p->positives[set], n - p->positives[set]);
        break;
    default:
        break;
    }
    float cost = (float)s;
    return cost - cost == 0.0f ? cost : GR_INFINITY;
}

/* The fitness a user reads: costs of maximised metrics are stored with the other sign. */
GR_FN uint32_t gr_is_maximised(uint32_t metric) {
    return metric == GR_METRIC_R2 || metric == GR_METRIC_HITS || metric == GR_METRIC_BALANCED ||
           metric == GR_METRIC_BOOLEAN_HITS || metric == GR_METRIC_F1;
}

/* Costs and indices as one number that orders them: ties go to the lower index. */
GR_FN uint64_t gr_rank_key(float cost, uint32_t index) {
    uint32_t bits = gr_float_bits(cost == 0.0f ? 0.0f : cost);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | index;
}

#endif
