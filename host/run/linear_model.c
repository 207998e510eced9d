#include "host/run/linear_model.h"

#include "gpu/core/program/weight.h"
#include "host/base/text.h"
#include "host/run/population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Products that moments may take: of more cases every second, third, ... is looked at. An input
 * of which the chosen ones leave less than this share is a sum of them. */
static const double most_products = 1 << 28, least_share = 1e-8;

/* ---- moments ---- */

/* Inputs and, the last of them, the target: deviations, and what goes with what, the correlations
 * at first. */
typedef struct moments {
    uint32_t inputs;
    double cases; /* that were looked at */
    double *of;   /* [inputs + 1][inputs + 1] */
    double *mean, *deviation;
} moments;

static double *at(const moments *m, uint32_t i, uint32_t j) {
    return m->of + (size_t)i * (m->inputs + 1) + j;
}

static double weight_of(const gr_problem *problem, uint64_t i) {
    return problem->train.w ? gr_dataset_value(&problem->train, problem->train.inputs + 1, i) : 1.0;
}

static void add_moments(const gr_problem *problem, moments *m) {
    uint32_t size = m->inputs + 1;
    double cases = (double)problem->train.cases, total = 0.0;
    uint64_t step = 1 + (uint64_t)(cases * size * size / most_products);
    for (uint64_t i = 0; i < problem->train.cases; i += step) {
        double weight = weight_of(problem, i);
        m->cases += 1.0;
        total += weight;
        for (uint32_t k = 0; k < size; k++)
            m->mean[k] += weight * (gr_dataset_value(&problem->train, k, i) - m->mean[k]) / total;
    }
    for (uint64_t i = 0; i < problem->train.cases; i += step) {
        double weight = weight_of(problem, i);
        for (uint32_t k = 0; k < size; k++)
            m->deviation[k] = gr_dataset_value(&problem->train, k, i) - m->mean[k];
        for (uint32_t j = 0; j < size; j++)
            for (uint32_t k = 0; k <= j; k++)
                *at(m, j, k) += weight * m->deviation[j] * m->deviation[k];
    }
}

/* Correlations of the sums; columns without a variance that is a number correlate with nothing. */
static void correlate(moments *m) {
    uint32_t size = m->inputs + 1;
    for (uint32_t k = 0; k < size; k++) {
        double deviation = sqrt(*at(m, k, k));
        m->deviation[k] = isnormal(deviation) ? deviation : 0.0;
    }
    for (uint32_t j = 0; j < size; j++)
        for (uint32_t k = 0; k <= j; k++) {
            double r = *at(m, j, k) / m->deviation[j] / m->deviation[k];
            *at(m, j, k) = *at(m, k, j) = isfinite(r) ? r : 0.0;
        }
}

/* ---- least squares ---- */

/* Input k into the model: the sweep operator. */
static void sweep(const moments *m, uint32_t k) {
    uint32_t size = m->inputs + 1;
    double pivot = *at(m, k, k);
    for (uint32_t j = 0; j < size; j++)
        *at(m, k, j) /= j == k ? 1.0 : pivot;
    for (uint32_t i = 0; i < size; i++) {
        double factor = *at(m, i, k);
        for (uint32_t j = 0; i != k && j < size; j++)
            *at(m, i, j) -= j == k ? 0.0 : factor * *at(m, k, j);
        *at(m, i, k) = i == k ? 1.0 / pivot : -factor / pivot;
    }
}

/* The input that takes most of what is left of the target; m->inputs: none is. */
static uint32_t find_next(const moments *m, const uint8_t *taken) {
    uint32_t found = m->inputs;
    double most = 0.0;
    for (uint32_t k = 0; k < m->inputs; k++) {
        double share = *at(m, k, k), with = *at(m, k, m->inputs);
        if (!taken[k] && share > least_share && with * with / share > most) {
            most = with * with / share;
            found = k;
        }
    }
    return found;
}

/* One model, its weights by input; those of inputs that it has not are 0. */
typedef struct sum {
    double worth;
    uint32_t inputs; /* that it has */
    double *weight;
} sum;

static void keep(const moments *m, const uint8_t *taken, sum *best) {
    best->inputs = 0;
    for (uint32_t k = 0; k < m->inputs; k++) {
        double weight = *at(m, k, m->inputs) * m->deviation[m->inputs] / m->deviation[k];
        best->weight[k] = taken[k] ? weight : 0.0;
        best->inputs += taken[k];
    }
}

static uint32_t leaf_nodes(const gr_params *p) {
    return p->weighted ? 1 : 3; /* weight * input */
}
static uint32_t nodes_of(const gr_params *p, uint32_t inputs) {
    return inputs * leaf_nodes(p) + inputs - 1;
}

/* Whether a sum of so many keeps the run's limits. */
static int fits(const gr_params *p, uint32_t inputs) {
    uint32_t levels = p->weighted ? 1 : 2;
    while ((uint64_t)1 << (levels - (p->weighted ? 1 : 2)) < inputs)
        levels++;
    return nodes_of(p, inputs) <= p->max_nodes && levels <= p->max_tree_depth;
}

static void step_forward(const gr_params *p, const moments *m, uint8_t *taken,
                         gr_linear_worth worth, sum *best) {
    best->worth = INFINITY;
    best->inputs = 0;
    for (uint32_t inputs = 1; fits(p, inputs) && inputs + 1 < m->cases; inputs++) {
        uint32_t next = find_next(m, taken);
        if (next == m->inputs)
            return;
        sweep(m, next);
        taken[next] = 1;
        double left = fmax(*at(m, m->inputs, m->inputs), 1e-14); /* of doubles */
        double value = worth(m->cases, left, nodes_of(p, inputs));
        if (value < best->worth) {
            best->worth = value;
            keep(m, taken, best);
        }
    }
}

/* ---- the program ---- */

static uint32_t write_leaf(const gr_params *p, uint32_t input, double weight, gr_node *to) {
    if (p->weighted) {
        to[0] = gr_make_node(GR_INPUT, 1, 1, gr_weigh(p->index_mask, (float)weight, input));
        return 1;
    }
    to[0] = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits((float)weight));
    to[1] = gr_make_node(GR_INPUT, 1, 1, input);
    to[2] = gr_join(GR_MUL, to[1], to[0], (gr_node){0, 0});
    return 3;
}

/* The sum of the inputs [first, last) of `of`, as flat as it can be. */
static uint32_t write_sum(const gr_params *p, const uint32_t *of, const sum *s, uint32_t first,
                          uint32_t last, gr_node *to) {
    uint32_t middle = first + (last - first + 1) / 2;
    if (last - first == 1)
        return write_leaf(p, of[first], s->weight[of[first]], to);
    uint32_t left = write_sum(p, of, s, first, middle, to);
    uint32_t count = left + write_sum(p, of, s, middle, last, to + left);
    to[count] = gr_join(GR_ADD, to[count - 1], to[left - 1], (gr_node){0, 0});
    return count + 1;
}

static gr_status show(gr_run *run, const gr_node *nodes, uint32_t count, gr_best *model,
                      gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    model->validity = GR_VALID;
    model->nodes = model->derivation_nodes = model->used = model->length = count;
    model->depth = model->levels = GR_NODE_HEIGHT(nodes[count - 1]);
    model->infix =
        gr_print_tree(nodes, count, problem->job.params.index_mask, &problem->vocabulary);
    model->phenotype = model->infix ? strdup(model->infix) : NULL;
    return model->phenotype ? gr_best_measure(problem, model, error)
                            : gr_fail(error, GR_NO_MEMORY, "no memory to show a linear model");
}

static gr_status show_sum(gr_run *run, const sum *s, gr_best *model, gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    uint32_t of[GR_LINEAR_INPUTS], inputs = 0;
    for (uint32_t k = 0; k < p->inputs; k++)
        if (s->weight[k] != 0.0)
            of[inputs++] = k;
    gr_node *nodes = malloc(((size_t)s->inputs * 4 + 1) * sizeof *nodes);
    if (!nodes)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a linear model");
    uint32_t count = inputs ? write_sum(p, of, s, 0, inputs, nodes) : 0;
    gr_status status = count ? show(run, nodes, count, model, error) : GR_OK;
    free(nodes);
    return status;
}

static int has_function(const gr_params *p, uint32_t op) {
    return memchr(p->function, (int)op, p->functions) != NULL;
}

/* Whether trees of the run may have any number. */
static int has_numbers(const gr_params *p) {
    int any = !p->constants || p->ephemeral || p->optimise;
    return p->constant_probability > 0.0f && any;
}
/* And any as a factor of an input. */
static int has_weights(const gr_params *p) {
    return p->weighted || (has_function(p, GR_MUL) && has_numbers(p));
}

static int may_be_written(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    return p->genotype == GR_TREE && !problem->types && p->linear_scaling && !p->packed &&
           !p->outputs && p->inputs <= GR_LINEAR_INPUTS && has_function(p, GR_ADD) &&
           has_weights(p);
}

double gr_choice_of_inputs(const gr_params *p, uint32_t inputs) {
    return 2.0 * inputs * log(p->inputs);
}

gr_status gr_linear_model(gr_run *run, uint32_t index, gr_linear_worth worth, gr_best *model,
                          gr_best *mean, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    const gr_params *p = &problem->job.params;
    uint32_t size = p->inputs + 1;
    gr_run_report report;
    *model = (gr_best){0};
    if (mean)
        *mean = (gr_best){0};
    if (!may_be_written(problem))
        return GR_OK;
    double *room = calloc((size_t)size * (size + 3), sizeof *room);
    if (!room)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a linear model of %u input%s", p->inputs,
                       gr_s(p->inputs));
    uint8_t taken[GR_LINEAR_INPUTS] = {0};
    moments m = {.inputs = p->inputs, .of = room + 3ull * size};
    m.mean = room;
    m.deviation = room + size;
    sum best = {.weight = room + 2ull * size};
    add_moments(problem, &m);
    correlate(&m);
    step_forward(p, &m, taken, worth, &best);
    gr_run_look(run, &report);
    model->source = GR_FROM_LINEAR;
    model->run = index;
    model->seed = ((uint64_t)p->seed[1] << 32 | p->seed[0]) + index;
    model->generation = report.generation;
    model->test = model->validation = model->recomputed[0] = model->recomputed[1] = (double)NAN;
    gr_status status = best.inputs ? show_sum(run, &best, model, error) : GR_OK;
    if (!status && mean && has_numbers(p) &&
        worth(m.cases, 1.0, 0) <= best.worth + gr_choice_of_inputs(p, best.inputs)) {
        gr_node leaf = gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits((float)m.mean[p->inputs]));
        *mean = *model;
        mean->phenotype = mean->infix = NULL;
        mean->source = GR_FROM_MEAN;
        status = show(run, &leaf, 1, mean, error);
    }
    free(room);
    if (status) {
        gr_best_free(model);
        if (mean)
            gr_best_free(mean);
    }
    return status;
}
