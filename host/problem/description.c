#include "host/problem/description.h"

#include "gpu/core/program/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 65536 };

/* A program and its outputs. */
typedef struct described {
    const gr_problem *problem;
    gr_node *nodes;
    uint32_t count;
    double intercept, slope;
    double mean_weight;            /* of the cases; what one counts is its weight over that */
    float *output, *above, *below; /* [cases]; the latter two of some cases */
    gr_dataset some;               /* cases that derivatives are taken on */
} described;

static double target_of(const gr_dataset *set, uint64_t k) {
    const float *tile = set->tiles + k / GR_CHUNK * gr_dataset_tile_words(set);
    return (double)tile[(size_t)set->inputs * GR_CHUNK + k % GR_CHUNK];
}

/* What a case counts: all together as many as there are, whatever weights are measured in. */
static double weight_of(const described *d, uint64_t k) {
    const gr_dataset *set = &d->problem->train;
    return set->w ? (double)set->w[k] / d->mean_weight : 1.0;
}

static double mean_weight(const gr_dataset *set) {
    double sum = 0.0;
    for (uint64_t k = 0; set->w && k < set->cases; k++)
        sum += (double)set->w[k];
    return set->w ? sum / (double)set->cases : 1.0;
}

/* The mean squared error; about the target's mean, where there is no output. */
static double mean_square(const described *d, const float *output, double middle) {
    const gr_dataset *set = &d->problem->train;
    double sum = 0.0;
    for (uint64_t k = 0; k < set->cases; k++) {
        double shown = output ? d->intercept + d->slope * (double)output[k] : middle;
        double error = target_of(set, k) - shown;
        sum += weight_of(d, k) * (error * error);
    }
    return sum / (double)set->cases;
}

/* What a constant adds, the cases telling `fisher` about it. */
static double constant_length(double value, double fisher) {
    double size = fabs(value), step = sqrt(12.0 / fisher);
    double length = -0.5 * log(3.0);
    if (isfinite(size) && isfinite(step) && size / step >= 1.0)
        length += log(size) + 0.5 * log(fisher);
    return length;
}

static gr_status predict(const described *d, const gr_dataset *set, float *output,
                         gr_error *error) {
    gr_prediction prediction = {output, 0.0f, {0.0, 0.0}, NULL};
    return gr_predict(d->nodes, d->count, set, NULL, &prediction, error);
}

/* The sum of squares of the derivative by the constant at a node, on all cases. */
static gr_status slope_squares(described *d, uint32_t node, double *sum, gr_error *error) {
    const float value = gr_bits_float(d->nodes[node].operand);
    const float step = value == 0.0f ? 0x1p-7f : 0x1p-7f * value;
    const float high = value + step, low = value - step;
    d->nodes[node].operand = gr_float_bits(high);
    gr_status status = predict(d, &d->some, d->above, error);
    d->nodes[node].operand = gr_float_bits(low);
    if (!status)
        status = predict(d, &d->some, d->below, error);
    d->nodes[node].operand = gr_float_bits(value);
    *sum = 0.0;
    for (uint64_t k = 0; !status && k < d->some.cases; k++) {
        double slope =
            d->slope * ((double)d->above[k] - (double)d->below[k]) / ((double)high - (double)low);
        *sum += weight_of(d, k) * (slope * slope);
    }
    *sum *= (double)d->problem->train.cases / (double)d->some.cases;
    return status;
}

/* k log q */
static double structure_length(const described *d, int scaled) {
    const uint32_t inputs = d->problem->train.inputs;
    double nodes = d->count + (scaled ? 4.0 : 0.0);
    uint32_t different = 0;
    char *seen = calloc(GR_OP_COUNT + (size_t)inputs, 1);
    if (!seen)
        return (double)NAN;
    if (scaled)
        seen[GR_CONSTANT] = seen[GR_ADD] = seen[GR_MUL] = 1;
    for (uint32_t i = 0; i < d->count; i++) {
        uint32_t op = GR_NODE_OP(d->nodes[i]);
        seen[op == GR_INPUT ? GR_OP_COUNT + d->nodes[i].operand : op] = 1;
    }
    for (uint32_t k = 0; k < GR_OP_COUNT + inputs; k++)
        different += seen[k] != 0;
    free(seen);
    return nodes * log((double)different);
}

static gr_status add_lengths(described *d, const double *fit, double *nats, gr_error *error) {
    const gr_dataset *set = &d->problem->train;
    double n = (double)set->cases, squares = 0.0, mean = 0.0;
    gr_status status = predict(d, set, d->output, error);
    if (status)
        return status;
    for (uint64_t k = 0; k < set->cases; k++) {
        mean += weight_of(d, k) * target_of(set, k) / n;
        squares += weight_of(d, k) * ((double)d->output[k] * (double)d->output[k]);
    }
    double least = 0x1p-46 * mean_square(d, NULL, mean), s = mean_square(d, d->output, 0.0);
    s = s > least || isnan(s) ? s : fmax(least, 1e-300);
    double length = 0.5 * n * (log(2.0 * M_PI * s) + 1.0) + structure_length(d, fit != NULL);
    if (fit)
        length += constant_length(fit[0], n / s) + constant_length(fit[1], squares / s);
    for (uint32_t i = 0; !status && i < d->count; i++) {
        double sum;
        if (GR_NODE_OP(d->nodes[i]) != GR_CONSTANT)
            continue;
        status = slope_squares(d, i, &sum, error);
        length += constant_length((double)gr_bits_float(d->nodes[i].operand), sum / s);
    }
    *nats = isfinite(length) ? length : (double)NAN;
    return status;
}

gr_status gr_description_length(const gr_problem *problem, const char *infix, const double *fit,
                                double *nats, gr_error *error) {
    described d = {.problem = problem, .slope = 1.0, .some = problem->train};
    d.mean_weight = mean_weight(&problem->train);
    if (d.some.cases > MOST_CASES)
        d.some.cases = MOST_CASES;
    if (fit) {
        d.intercept = fit[0];
        d.slope = fit[1];
    }
    *nats = (double)NAN;
    gr_status status =
        gr_read_expression(infix, "best", &problem->vocabulary, &d.nodes, &d.count, error);
    d.output = malloc((problem->train.cases + 2 * d.some.cases) * sizeof *d.output);
    if (!status && !d.output)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the outputs of a program");
    if (!status) {
        d.above = d.output + problem->train.cases;
        d.below = d.above + d.some.cases;
        status = add_lengths(&d, fit, nats, error);
    }
    free(d.output);
    free(d.nodes);
    return status;
}
