/* Fitness: what one case adds, the canonical sum, and the cost (lower is better) from the sums.
 *
 * Canonical sum. Cases go in chunks of 1024. Inside a chunk lane l of 32 owns the cases c with (c /
 * 4) mod 32 = l and adds them in rising c; the lanes meet in a butterfly (xor 16, 8, 4, 2, 1);
 * chunk sums are added in rising order, in double. Every width of the interpreters that is a
 * multiple of 4 gives this same sum.
 *
 * Cases may have weights, all above 0: what a case adds is multiplied by its own, in float, and
 * their number by the weights' sum; the largest error is that of any of them. */
#ifndef GR_FITNESS_H
#define GR_FITNESS_H

#include "gpu/core/base/math.h"
#include "gpu/core/base/params.h"

/* Which lane adds case c of its chunk. */
GR_FN uint32_t gr_case_lane(uint32_t c) {
    return (c / 4) % GR_LANES;
}

/* Class of an output: by how many thresholds it reaches, as the nearest label, or by its sign. A
 * NaN stays NaN, which equals no label, so it is always misclassified. */
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
/* Thresholds rise; infinite ones are of classes that nobody is in, an infinite output neither. */
GR_FN float gr_class_between(const gr_params *p, const float *threshold, float output) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->thresholds && threshold[i] < GR_INFINITY; i++)
        count += output >= threshold[i];
    return gr_class_reached(p, output, count);
}
GR_FN float gr_class_of(const gr_params *p, float output) {
    if (p->class_rule == GR_CLASS_THRESHOLDS)
        return gr_class_between(p, p->threshold, output);
    return p->class_rule == GR_CLASS_SIGN ? gr_class_sign(p, output) : gr_class_nearest(p, output);
}

/* max(0, 1 - output y), y = 1 for labels above 0, else -1. */
GR_FN float gr_hinge(float output, float target) {
    float margin = target > 0.0f ? 1.0f - output : 1.0f + output;
    return margin > 0.0f ? margin : margin == margin ? 0.0f : margin; /* NaN stays */
}

GR_FN double gr_hinge_double(double output, double target) {
    double margin = 1.0 - (target > 0.0 ? output : -output);
    return margin < 0.0 ? 0.0 : margin;
}

/* What a case adds by a metric: four bits of a word each, so that a kernel needs no table. */
GR_BOTH uint32_t gr_adds_of(uint32_t metric) {
    const uint64_t all =
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help)                            \
    (uint64_t) GR_ADDS_##adds << 4 * GR_METRIC_##id |
#include "gpu/core/base/metrics.def"
        0;
    return (uint32_t)(all >> 4 * metric) & 15u;
}
/* Whether cases are positive or not by the sign of their label. */
GR_FN uint32_t gr_has_positives(uint32_t metric) {
    return gr_adds_of(metric) == GR_ADDS_RIGHT || gr_adds_of(metric) == GR_ADDS_MARGIN;
}
typedef char gr_metrics_fit_a_word[GR_METRICS <= 16 && GR_CASE_ADDS <= 16 ? 1 : -1];

/* What one case adds to the single number of a lane. */
GR_FN float gr_case_error(uint32_t adds, const gr_params *p, float output, float target) {
    float error = output - target;
    switch (adds) {
#define GR_ADDED(id, add, exact)                                                                   \
    case GR_ADDS_##id:                                                                             \
        return add;
#define GR_LARGEST(id, add, exact) GR_ADDED(id, add, exact)
#define GR_CLASSES(id, add, exact) GR_ADDED(id, add, exact)
#include "gpu/core/base/metrics.def"
    }
    return GR_NAN; /* two numbers, or bits */
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
    GR_SUM_ERROR,     /* one float a lane, their sum */
    GR_SUM_LARGEST,   /* one float a lane, the largest of them: gr_larger */
    GR_SUM_COUNTS,    /* two floats a lane: true positives and negatives */
    GR_SUM_SCALED,    /* three doubles a lane: all a linear fit needs, see gr_moments_add */
    GR_SUM_CLASS_BINS /* one float a lane, errors on the test cases; training outputs are counted */
} gr_sum_kind;

/* How the numbers of GR_SUM_LARGEST meet, in any order; a NaN is larger than all numbers. */
GR_FN float gr_larger(float a, float b) {
    return ((a > b) | (a != a)) ? a : b;
}
GR_FN double gr_larger_double(double a, double b) {
    return ((a > b) | (a != a)) ? a : b;
}

enum { GR_MAX_SUMS = 3 };

GR_BOTH uint32_t gr_sum_kind_of(const gr_params *p) {
    const uint64_t all = /* by what a case adds, four bits each; without branches: see gr_adds_of */
#define GR_LARGEST(id, add, exact) (uint64_t) GR_SUM_LARGEST << 4 * GR_ADDS_##id |
#define GR_CLASSES(id, add, exact) (uint64_t) GR_SUM_CLASS_BINS << 4 * GR_ADDS_##id |
#define GR_COUNTED(id, add, exact) (uint64_t) GR_SUM_COUNTS << 4 * GR_ADDS_##id |
#include "gpu/core/base/metrics.def"
        0; /* GR_SUM_ERROR */
    uint32_t kind = (uint32_t)(all >> 4 * gr_adds_of(p->metric)) & 15u;
    if (kind == GR_SUM_CLASS_BINS && p->class_rule != GR_CLASS_FITTED)
        kind = GR_SUM_ERROR;
    return p->linear_scaling ? (uint32_t)GR_SUM_SCALED : kind;
}

/* Doubles kept of a program on a chunk. */
GR_FN uint32_t gr_sums_of(const gr_params *p) {
    uint32_t kind = gr_sum_kind_of(p);
    return kind == GR_SUM_SCALED ? GR_MAX_SUMS : kind == GR_SUM_COUNTS ? 2 : 1;
}

/* Linear scaling fits target = a + b output. What it needs of a chunk of n cases are three moments:
 *
 *   0: mean of the outputs    1: sum of (output - their mean)^2
 *   2: sum of (output - their mean) (target - their mean)
 *
 * A sum of squares less the square of a sum would not do: where outputs vary little beside their
 * size nothing but rounding is left of it, and evolution finds the programs for which that looks
 * like a perfect fit. Instead the lanes add x, x^2 and x t, where x = output - origin, the origin
 * being the program's own output on the chunk's first case, and t = target - a float near the mean
 * of the chunk's targets. Then sum x^2 <= (n + 1) sum (x - mean)^2 (the first case alone lies as
 * far from the mean as the origin does), so that at most n <= 1024 times the rounding of double is
 * lost. Chunks are joined by differences of their means from the mean of all, which loses nothing.
 * Sum k stands at sum[k * step]. */
GR_FN void gr_moments_add(double *sum, uint32_t step, double x, double t) {
    sum[0] += x;
    sum[step] += x * x;
    sum[2 * step] += x * t;
}
/* Of a case with a weight. The numbers above are means and sums by weights then, and n is the sum
 * of the chunk's weights over that of its first case. */
GR_FN void gr_moments_add_weighed(double *sum, uint32_t step, double weight, double x, double t) {
    double part = weight * x;
    sum[0] += part;
    sum[step] += part * x;
    sum[2 * step] += part * t;
}

/* Targets of a chunk: a float near their mean, the mean of what they are beyond it, and how far
 * their mean is from that of all; the sum of its cases' weights, if they have some. */
typedef struct __attribute__((aligned(16))) gr_chunk_target {
    double origin, mean, apart, weight;
} gr_chunk_target;

/* Of cases with weights, which stand behind the targets. */
GR_FN gr_chunk_target gr_chunk_target_weighed(const float *target, uint32_t n, double mean_of_all) {
    gr_chunk_target chunk = {0.0, 0.0, 0.0, 0.0};
    const float *weight = target + GR_CHUNK;
    for (uint32_t c = 0; c < n; c++) {
        chunk.weight += (double)weight[c];
        chunk.mean += (double)weight[c] * (double)target[c];
    }
    chunk.origin = (double)(float)(chunk.mean / chunk.weight);
    chunk.mean = 0.0;
    for (uint32_t c = 0; c < n; c++)
        chunk.mean += (double)weight[c] * ((double)target[c] - chunk.origin) / chunk.weight;
    chunk.apart = chunk.origin - mean_of_all + chunk.mean;
    return chunk;
}

GR_FN gr_chunk_target gr_chunk_target_of(const float *target, uint32_t n, double mean_of_all,
                                         uint32_t case_weights) {
    gr_chunk_target chunk = {0.0, 0.0, 0.0, 0.0};
    if (case_weights)
        return gr_chunk_target_weighed(target, n, mean_of_all);
    for (uint32_t c = 0; c < n; c++)
        chunk.mean += (double)target[c];
    chunk.origin = (double)(float)(chunk.mean / (double)n);
    chunk.mean = 0.0;
    for (uint32_t c = 0; c < n; c++)
        chunk.mean += ((double)target[c] - chunk.origin) / (double)n;
    chunk.apart = chunk.origin - mean_of_all + chunk.mean;
    return chunk;
}

/* Of all tiles of a set of n cases, the mean of whose targets is mean_of_all. */
GR_FN void gr_chunk_targets(const gr_params *p, const float *tiles, uint32_t n, double mean_of_all,
                            gr_chunk_target *targets) {
    for (uint32_t first = 0; first < n; first += GR_CHUNK, tiles += gr_tile_of(p))
        *targets++ =
            gr_chunk_target_of(tiles + (size_t)p->inputs * GR_CHUNK,
                               gr_min_u32(n - first, GR_CHUNK), mean_of_all, p->case_weights);
}

/* One by the number of cases in a chunk: found once, since a division a program shows in the rate.
 */
GR_FN double gr_share_of_cases(const gr_params *p, uint32_t set, uint32_t chunk) {
    uint32_t chunks = set ? p->test_chunks : p->train_chunks;
    return chunk + 1 < chunks ? 1.0 / GR_CHUNK : p->last_share[set];
}
/* With weights, one by their sum. */
GR_FN double gr_chunk_share(const gr_params *p, uint32_t set, uint32_t chunk,
                            gr_chunk_target target) {
    return p->case_weights ? 1.0 / target.weight : gr_share_of_cases(p, set, chunk);
}
GR_BOTH double gr_last_share(uint32_t cases) { /* for p->last_share */
    return 1.0 / (double)((cases - 1) % GR_CHUNK + 1);
}

/* Moment k of a chunk from `sum`, the sum k of all its lanes, and that of x. */
GR_FN double gr_moment_of(uint32_t k, double sum, double sum_x, double origin, double share,
                          gr_chunk_target target) {
    double other = k == 1 ? sum_x * share : target.mean;
    return k == 0 ? origin + sum * share : sum - sum_x * other;
}

/* The same as below, of cases with weights. */
GR_FN void gr_moments_join_weighed(const gr_params *p, uint32_t set, const gr_chunk_target *target,
                                   const double *at, size_t stride, double *moment) {
    uint32_t chunks = set ? p->test_chunks : p->train_chunks;
    double mean = 0.0, spread = 0.0, product = 0.0;
    GR_TURNS_AT_ONCE(1)
    for (uint32_t chunk = 0; chunk < chunks; chunk++)
        mean += target[chunk].weight * at[chunk * GR_MAX_SUMS * stride];
    mean = chunks > 1 ? mean / p->weight[set] : at[0];
    GR_TURNS_AT_ONCE(1)
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        const double *part = at + chunk * GR_MAX_SUMS * stride;
        double apart = part[0] - mean;
        spread += part[stride] + target[chunk].weight * apart * apart;
        product += part[2 * stride] + target[chunk].weight * apart * target[chunk].apart;
    }
    moment[0] = mean;
    moment[1] = spread;
    moment[2] = product;
}

/* Joins the moments of all chunks of a set: moment k of a chunk stands at at[(chunk * GR_MAX_SUMS +
 * k) * stride], its targets at target[chunk]. */
GR_FN void gr_moments_join(const gr_params *p, uint32_t set, const gr_chunk_target *target,
                           const double *at, size_t stride, double *moment) {
    if (p->case_weights) {
        gr_moments_join_weighed(p, set, target, at, stride, moment);
        return;
    }
    uint32_t cases = set ? p->test_cases : p->train_cases;
    uint32_t last = (set ? p->test_chunks : p->train_chunks) - 1;
    size_t step = GR_MAX_SUMS * stride;
    const double *end = at + last * step;
    double whole = GR_CHUNK, rest = (double)(cases - last * GR_CHUNK);
    double mean = end[0], spread = end[stride], product = end[2 * stride];
    if (last > 0) { /* several reads are under way at a time: their latency is all that shows */
        double sum = 0.0;
        GR_TURNS_AT_ONCE(8)
        for (uint32_t chunk = 0; chunk < last; chunk++)
            sum += at[chunk * step];
        mean = (whole * sum + rest * end[0]) / (double)cases;
        double apart = end[0] - mean;
        spread += rest * apart * apart;
        product += rest * apart * target[last].apart;
        GR_TURNS_AT_ONCE(4)
        for (uint32_t chunk = 0; chunk < last; chunk++) {
            const double *part = at + chunk * step;
            apart = part[0] - mean;
            spread += part[stride] + whole * apart * apart;
            product += part[2 * stride] + whole * apart * target[chunk].apart;
        }
    }
    moment[0] = mean;
    moment[1] = spread;
    moment[2] = product;
}

/* f1 of one class: n of it, `right` found, `wrong` of the others taken for it. */
GR_FN double gr_f1(double n, double right, double wrong) {
    double both = right + right + wrong + (n - right);
    return both > 0.0 ? (right + right) / both : 0.0;
}

/* Balanced accuracy (the mean of both classes' rates) and f1 (of both, weighted by their sizes) of
 * true positives and negatives, as costs; a class that has no case counts nothing. */
GR_FN double gr_balanced_cost(const double *sum, double positives, double negatives) {
    return -((positives > 0.0 ? 0.5 * (sum[0] / positives) : 0.0) +
             (negatives > 0.0 ? 0.5 * (sum[1] / negatives) : 0.0));
}
GR_FN double gr_f1_cost(const double *sum, double positives, double negatives) {
    double n = positives + negatives;
    return -(positives / n * gr_f1(positives, sum[0], negatives - sum[1]) +
             negatives / n * gr_f1(negatives, sum[1], positives - sum[0]));
}

/* What the cases of a set count: their number, or the sum of their weights. */
GR_FN double gr_cases_count(const gr_params *p, uint32_t set) {
    if (p->case_weights)
        return p->weight[set];
    return set ? (double)p->test_cases : (double)p->train_cases;
}

/* The line through the moments of the training cases: fit[0] + fit[1] output. Outputs are rounded
 * to 24 bits: their roundings' squares add up to 2^-48 sum output^2 at most. A spread that is not
 * 2^12 times that, so that less than 1/64 of a deviation can be rounding, counts as none: a slope
 * would only blow up noise. Then the program is the constant that fits best, the mean. */
GR_FN void gr_fit_line(const gr_params *p, const double *moment, double *fit) {
    double squares = moment[1] + gr_cases_count(p, 0) * moment[0] * moment[0];
    fit[1] = moment[1] > 0x1p-36 * squares ? moment[2] / moment[1] : 0.0;
    fit[0] = p->target_mean[0] - fit[1] * moment[0];
}

/* Squared error of a fit on a set from its moments; not finite where an output was not. Of the
 * squares of targets and of predictions about the target's mean at most 2^-36 are lost (1025 x 40
 * roundings of 2^-53), so the root is right to 2^-18 of their deviation, and to 2^-50 of the
 * intercept, which is a double as well. What is below 0 by that much is 0. */
GR_FN double gr_line_error(const gr_params *p, const double *moment, uint32_t set,
                           const double *fit) {
    double n = gr_cases_count(p, set), b = fit[1];
    double shift = p->target_mean[set] - fit[0] - b * moment[0];
    double s = p->target_ss[set] + n * shift * shift + b * (b * moment[1] - 2.0 * moment[2]);
    return s < 0.0 ? 0.0 : s;
}

/* Cost of sums over n cases by the metric's formula. A cost that is not finite is the worst cost,
 * infinity. */
GR_FN float gr_sums_cost(uint32_t metric, const double *sum, double s, double n, double positives,
                         double ss) {
    double mean = s / n; /* once, since a division is much code on the device */
    switch (metric) {
#define GR_METRIC(id, word, adds, better, least, formula, allowance, help)                         \
    case GR_METRIC_##id:                                                                           \
        s = formula;                                                                               \
        break;
#include "gpu/core/base/metrics.def"
    }
    float cost = (float)s;
    return cost - cost == 0.0f ? cost : GR_INFINITY;
}

/* Cost of the sums over the training (set 0) or test (set 1) cases. Linear scaling: fit[0], fit[1]
 * are written for set 0 and used for set 1. */
GR_FN float gr_cost(const gr_params *p, const double *sum, uint32_t set, double *fit) {
    double n = gr_cases_count(p, set), s = sum[0];
    if (p->linear_scaling) {
        if (set == 0)
            gr_fit_line(p, sum, fit);
        s = gr_line_error(p, sum, set, fit);
    }
    return gr_sums_cost(p->metric, sum, s, n, p->positives[set], p->target_ss[set]);
}

/* The fitness a user reads: costs of maximised metrics are stored with the other sign. */
enum { GR_BETTER_LOWER, GR_BETTER_HIGHER };
GR_FN uint32_t gr_is_maximised(uint32_t metric) {
    const uint32_t all =
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help)                            \
    (uint32_t) GR_BETTER_##better << GR_METRIC_##id |
#include "gpu/core/base/metrics.def"
        0;
    return all >> metric & 1u;
}

/* The cost that no program can be below, of n cases. */
GR_FN double gr_least_cost(uint32_t metric, double n) {
    switch (metric) {
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help)                            \
    case GR_METRIC_##id:                                                                           \
        return least;
#include "gpu/core/base/metrics.def"
    }
    return -GR_INFINITY;
}

/* Costs and indices as one number that orders them: ties go to the lower index. */
GR_FN uint64_t gr_rank_key(float cost, uint32_t index) {
    uint32_t bits = gr_float_bits(cost == 0.0f ? 0.0f : cost);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | index;
}

#endif
