#include "host/problem/targets.h"

#include "gpu/core/fitness/class_bins.h"
#include "host/base/text.h"
#include "host/settings/targets.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* gr_describe_target of cases with weights. */
static void describe_weighed(gr_params *p, const gr_dataset *set, int which) {
    double sum = 0.0, ss = 0.0, weight = 0.0, positives = 0.0;
    for (uint64_t i = 0; i < set->cases; i++) {
        weight += (double)set->w[i];
        sum += (double)set->w[i] * (double)set->y[i];
        positives += set->y[i] > 0.0f ? (double)set->w[i] : 0.0;
    }
    p->case_weights = 1;
    p->weight[which] = weight;
    p->positives[which] = positives;
    p->target_mean[which] = sum / weight;
    for (uint64_t i = 0; i < set->cases; i++) {
        double d = (double)set->y[i] - p->target_mean[which];
        ss += (double)set->w[i] * (d * d);
    }
    p->target_ss[which] = ss;
    if (which)
        return;
    p->bin_scale = gr_bin_scale(weight);
    for (uint64_t i = 0; i < set->cases; i++)
        p->bin_total += gr_bin_weight(p->bin_scale, set->w[i]);
}

void gr_describe_target(gr_params *p, const gr_dataset *set, int which) {
    double sum = 0.0, ss = 0.0;
    uint32_t positives = 0;
    if (set->packed || !set->cases)
        return;
    if (set->w) {
        describe_weighed(p, set, which);
        return;
    }
    for (uint64_t i = 0; i < set->cases; i++)
        positives += set->y[i] > 0.0f;
    p->positives[which] = positives;
    p->last_share[which] = gr_last_share((uint32_t)set->cases);
    if (p->metric != GR_METRIC_R2 && p->other_metric != GR_METRIC_R2 && !p->linear_scaling)
        return;
    for (uint64_t i = 0; i < set->cases; i++)
        sum += gr_dataset_target(set, i);
    p->target_mean[which] = sum / (double)set->cases;
    for (uint64_t i = 0; i < set->cases; i++) {
        double d = gr_dataset_target(set, i) - p->target_mean[which];
        ss += d * d;
    }
    p->target_ss[which] = ss;
}

enum { GR_MOST_CLASSES = 4096 };

/* Different labels of both sets, or one more than there may be; 0: no memory. */
static uint32_t count_labels(const gr_dataset *const set[2]) {
    float *label = malloc((GR_MOST_CLASSES + 1) * sizeof *label); /* rising */
    uint32_t count = 0;
    for (uint32_t which = 0; label && which < 2; which++)
        for (uint64_t i = 0; i < set[which]->cases && count <= GR_MOST_CLASSES; i++) {
            float y = set[which]->y[i];
            uint32_t low = 0, high = count;
            while (low < high) {
                uint32_t middle = (low + high) / 2;
                if (label[middle] < y)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low < count && label[low] == y)
                continue;
            memmove(label + low + 1, label + low, (count++ - low) * sizeof *label);
            label[low] = y;
        }
    free(label);
    return count;
}

gr_status gr_check_classes(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    const gr_dataset *const set[2] = {&problem->train, &problem->test};
    uint32_t count = count_labels(set);
    if (!count)
        return gr_fail(error, GR_NO_MEMORY, "no memory to count labels");
    if (count > GR_MOST_CLASSES)
        return gr_settings_fail(settings, GR_KEY_metric, error,
                                "misclassified for more than %d different labels; expected at "
                                "most that, or a metric of numbers",
                                GR_MOST_CLASSES);
    problem->classes = count;
    return GR_OK;
}

/* A label is a whole number, and one that a float tells apart from its neighbours. */
static gr_status check_label(const gr_settings *settings, float label, uint64_t at,
                             const char *name, gr_error *error) {
    const float end = 0x1p24f;
    if (label != rintf(label))
        return gr_settings_fail(
            settings, GR_KEY_metric, error,
            "misclassified needs whole numbers as labels; case %llu of the %s target is %g",
            (unsigned long long)at + 1, name, (double)label);
    if (fabsf(label) >= end)
        return gr_settings_fail(settings, GR_KEY_metric, error,
                                "misclassified: single precision does not tell labels from %.0f on "
                                "apart; case %llu of the %s target is %.0f; expected lower numbers",
                                (double)end, (unsigned long long)at + 1, name, (double)label);
    return GR_OK;
}

/* Labels of metric misclassified: whole numbers; the training cases give the lowest and the highest
 * class. */
static gr_status check_labels(const gr_settings *settings, gr_params *p, const gr_dataset *set,
                              int which, const char *name, gr_error *error) {
    for (uint64_t i = 0; i < set->cases; i++) {
        float label = set->y[i];
        gr_status status = check_label(settings, label, i, name, error);
        if (status)
            return status;
        if (which == 0) {
            p->class_min = i && p->class_min < label ? p->class_min : label;
            p->class_max = i && p->class_max > label ? p->class_max : label;
        }
    }
    if (gr_sum_kind_of(p) == GR_SUM_CLASS_BINS) { /* one between every two labels */
        if (p->class_max - p->class_min > GR_MAX_THRESHOLDS)
            return gr_settings_fail(settings, GR_KEY_class_rule, error,
                                    "class-rule fitted for labels from %g to %g; expected at most "
                                    "%d whole numbers, or class-rule nearest",
                                    (double)p->class_min, (double)p->class_max,
                                    GR_MAX_THRESHOLDS + 1);
        p->thresholds = (uint32_t)(p->class_max - p->class_min);
    }
    if (settings->class_rule == GR_CLASS_ARGMAX && which == 0) {
        if (p->class_max - p->class_min >= GR_MOST_RANKED)
            return gr_settings_fail(settings, GR_KEY_class_rule, error,
                                    "class-rule argmax for labels from %g to %g; expected at most "
                                    "%d whole numbers",
                                    (double)p->class_min, (double)p->class_max, GR_MOST_RANKED);
        p->thresholds = (uint32_t)(p->class_max - p->class_min);
        for (uint32_t k = 0; k < p->thresholds; k++)
            p->threshold[k] = (float)k + 0.5f;
    }
    for (uint64_t i = 0; p->class_rule == GR_CLASS_SIGN && i < set->cases; i++)
        if (set->y[i] != p->class_min && set->y[i] != p->class_max)
            return gr_settings_fail(settings, GR_KEY_class_rule, error,
                                    "class-rule sign for more than two labels; case %llu of the %s "
                                    "target is %g",
                                    (unsigned long long)i + 1, name, (double)set->y[i]);
    return GR_OK;
}

/* Whether a metric of squares may want for them. Moments of linear scaling, and sums over doubles,
 * are doubles; of them only mse is a square as a float, in the end. */
static bool squares_as_floats(const gr_settings *settings, const gr_params *p,
                              const gr_dataset *set) {
    bool exact = p->linear_scaling || set->doubles;
    return gr_adds_of(p->metric) == GR_ADDS_SQUARED && !gr_settings_targets(settings) &&
           (!exact || p->metric == GR_METRIC_MSE);
}

/* What does without such squares. */
static const char *instead_of_squares(const gr_params *p, const gr_dataset *set) {
    if (p->linear_scaling || set->doubles)
        return "metric rmse";
    return p->metric == GR_METRIC_MSE ? "metric mae" : "linear-scaling";
}

static double largest_target(const gr_dataset *set) {
    double largest = 0.0;
    for (uint64_t i = 0; i < set->cases; i++)
        largest = fmax(largest, fabs(gr_dataset_target(set, i)));
    return largest;
}

/* The root of the largest square times its weight, as floats are added up. */
static double largest_weighed(const gr_dataset *set) {
    double largest = 0.0;
    for (uint64_t i = 0; i < set->cases; i++)
        largest = fmax(largest, fabs(gr_dataset_target(set, i)) * sqrt((double)set->w[i]));
    return largest;
}

/* Whether fitness has the target's units: distances, and over doubles the root of squares. */
static bool keeps_units(const gr_settings *settings, const gr_params *p, const gr_dataset *set) {
    uint32_t adds = gr_adds_of(p->metric);
    return !gr_settings_targets(settings) && (adds == GR_ADDS_ABSOLUTE || adds == GR_ADDS_EXTREME ||
                                              (p->metric == GR_METRIC_RMSE && set->doubles));
}

/* The fitness of an output that is 0, whose distances are the targets. Singles are added up as
 * floats, by chunks; *part: the largest that is added. */
static double fitness_of_zero(const gr_params *p, const gr_dataset *set, double *part) {
    double chunk = 0.0, all = 0.0, squares = 0.0, largest = largest_target(set);
    double cases = gr_cases_count(p, 0);
    *part = 0.0;
    for (uint64_t i = 0; largest > 0.0 && i < set->cases; i++) {
        double distance = fabs(gr_dataset_target(set, i)), share = distance / largest;
        double added = (set->w ? (double)set->w[i] : 1.0) * distance;
        *part = fmax(*part, added);
        chunk = i % GR_CHUNK ? chunk + added : added;
        all += !set->doubles && chunk > (double)FLT_MAX ? (double)INFINITY : added;
        squares += share * share;
    }
    if (gr_adds_of(p->metric) == GR_ADDS_EXTREME)
        return *part = largest;
    return p->metric == GR_METRIC_RMSE  ? largest * sqrt(squares / cases)
           : p->metric == GR_METRIC_MAE ? all / cases
                                        : all;
}

/* Fitness is a float, over doubles too: where it is 0 or infinite whatever a program gives, nothing
 * is selected. */
static gr_status check_units(const gr_settings *settings, const gr_params *p, const gr_dataset *set,
                             gr_error *error) {
    const double least = 0x1p-140; /* nine bits as a float */
    if (!set->cases || !keeps_units(settings, p, set))
        return GR_OK;
    double largest = largest_target(set), part, fitness;
    if (largest == 0.0 || (!set->w && largest > 1e-30 && largest < 1e28)) /* of 2^30 cases, too */
        return GR_OK;
    fitness = fitness_of_zero(p, set, &part);
    bool weighed = fitness >= least && !set->doubles && part < least;
    if (fitness >= least && fitness <= (double)FLT_MAX && !weighed)
        return GR_OK;
    return gr_settings_fail(settings, GR_KEY_metric, error,
                            "errors of a training target of %s %.2g%s are %s in floats, which "
                            "fitness is in; expected other units",
                            fitness < 1.0 ? "at most" : "up to", largest,
                            set->w ? ", times their weights," : "",
                            fitness < 1.0 ? "lost" : "infinite");
}

/* Targets so small that every program near them has the error 0, since floats do not hold its
 * square: of errors as they are added up, of mse also of their mean. */
static gr_status check_squares(const gr_settings *settings, const gr_params *p,
                               const gr_dataset *set, gr_error *error) {
    const double least = 0x1p-70; /* its square has nine bits as a float */
    if (!squares_as_floats(settings, p, set))
        return GR_OK;
    double largest = largest_target(set);
    int weighed = set->w && !p->linear_scaling && largest_weighed(set) < least;
    if (largest == 0.0 || (largest >= least && !weighed))
        return GR_OK;
    return gr_settings_fail(settings, GR_KEY_metric, error,
                            "squares of a training target of at most %.2g%s are lost in floats; "
                            "expected other units or %s",
                            largest, largest >= least ? ", times their weights," : "",
                            instead_of_squares(p, set));
}

/* Whether an output that is 0, with linear scaling the target's mean, has an infinite error: floats
 * are added up by chunks. */
static bool squares_overflow(const gr_params *p, const gr_dataset *set) {
    double chunk = 0.0, all = 0.0, cases = gr_cases_count(p, 0);
    if (p->linear_scaling)
        return p->target_ss[0] / cases > (double)FLT_MAX;
    for (uint64_t i = 0; i < set->cases; i++) {
        double target = gr_dataset_target(set, i);
        double square = (set->w ? (double)set->w[i] : 1.0) * (target * target);
        chunk = i % GR_CHUNK ? chunk + square : square;
        all += square;
        if (!set->doubles && chunk > (double)FLT_MAX)
            return true;
    }
    return all / cases > (double)FLT_MAX;
}

gr_status gr_check_large_target(const gr_settings *settings, const gr_params *p,
                                const gr_dataset *set, gr_error *error) {
    if (!set->cases || !squares_as_floats(settings, p, set) || !squares_overflow(p, set))
        return check_units(settings, p, set, error);
    return gr_settings_fail(settings, GR_KEY_metric, error,
                            "squares of a training target of up to %.2g are infinite in floats; "
                            "expected other units or %s",
                            largest_target(set), instead_of_squares(p, set));
}

/* Words are classes, and nobody means distances of their numbers who names no metric; what they
 * were read for is only known here, behind the presets. */
static gr_status check_words(const gr_settings *settings, const gr_params *p, const gr_dataset *set,
                             gr_error *error) {
    if (!set->labels || settings->origin[GR_KEY_metric].from != GR_FROM_DEFAULT ||
        gr_adds_of(p->metric) != GR_ADDS_SQUARED)
        return GR_OK;
    return gr_settings_fail(settings, GR_KEY_categories, error,
                            "the target '%.*s' is %u different word%s, and no metric is named; "
                            "expected preset classification or metric misclassified, or metric "
                            "rmse for their numbers",
                            GR_CUT(set->target_name ? set->target_name : "", 80), set->label_count,
                            gr_s(set->label_count));
}

/* Whether the squares about a target's mean are a number above 0, or it is constant. */
static bool has_squares(const gr_params *p, const gr_dataset *set, int which) {
    bool constant = true;
    for (uint64_t i = 1; constant && i < set->cases; i++)
        constant = gr_dataset_target(set, i) == gr_dataset_target(set, 0);
    return isfinite(p->target_ss[which]) && (constant || p->target_ss[which] >= DBL_MIN);
}

gr_status gr_check_target(const gr_settings *settings, gr_params *p, const gr_dataset *set,
                          int which, const char *name, gr_error *error) {
    if (!set->cases)
        return GR_OK;
    if (p->metric == GR_METRIC_BALANCED &&
        (p->positives[which] == 0.0 || p->positives[which] == gr_cases_count(p, (uint32_t)which)))
        return gr_settings_fail(
            settings, GR_KEY_metric, error,
            "balanced-accuracy needs both classes in the %s target; expected labels above 0 "
            "and others",
            name);
    if (p->metric == GR_METRIC_R2 && set->doubles && !has_squares(p, set, which))
        return gr_settings_fail(settings, GR_KEY_metric, error,
                                "r2: doubles do not hold the squares of a %s target of up to %.2g; "
                                "expected other units",
                                name, largest_target(set));
    if (p->metric == GR_METRIC_R2 && !(p->target_ss[which] > 0.0))
        return gr_settings_fail(
            settings, GR_KEY_metric, error,
            "r2 has no meaning for a constant %s target; expected another metric", name);
    if (!which && p->other_metric == GR_METRIC_R2 && !(p->target_ss[0] > 0.0))
        return gr_settings_fail(
            settings, GR_KEY_objectives, error,
            "r2 has no meaning for a constant training target; expected another metric");
    if (p->metric == GR_METRIC_MISCLASSIFIED)
        return check_labels(settings, p, set, which, name, error);
    if (which)
        return GR_OK;
    gr_status status = check_words(settings, p, set, error);
    return status ? status : check_squares(settings, p, set, error);
}
