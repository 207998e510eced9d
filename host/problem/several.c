#include "host/problem/several.h"

#include "gpu/core/program/node.h"
#include "host/base/text.h"
#include "host/problem/predict.h"
#include "host/settings/targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

gr_status gr_check_given_targets(const gr_settings *s, const gr_dataset *set, gr_error *error) {
    uint32_t n = gr_settings_targets(s), at = set->inputs - n;
    char *list = strdup(s->targets), *rest = list, *name;
    gr_status status =
        list ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for %u target%s", n, gr_s(n));
    if (!status && set->inputs <= n)
        status = gr_settings_fail(s, GR_KEY_targets, error,
                                  "%u column%s for %u targets; expected at least one input",
                                  set->inputs, gr_s(set->inputs), n);
    for (; !status && (name = gr_text_next_item(&rest)); at++)
        if (strcmp(name, set->names[at]) != 0)
            status = gr_settings_fail(s, GR_KEY_targets, error,
                                      "'%.*s' is not column '%.*s'; expected the names of the "
                                      "last columns, in their order",
                                      GR_CUT(name, 80), GR_CUT(set->names[at], 80));
    free(list);
    return status;
}

/* The standard deviation of a column, by the weights. */
static double deviation_of(const gr_dataset *set, const float *column) {
    double weight = 0.0, sum = 0.0, squares = 0.0;
    for (uint64_t i = 0; i < set->cases; i++) {
        double w = set->w ? (double)set->w[i] : 1.0;
        weight += w;
        sum += w * (double)column[i];
    }
    for (uint64_t i = 0; i < set->cases; i++) {
        double d = (double)column[i] - sum / weight;
        squares += (set->w ? (double)set->w[i] : 1.0) * (d * d);
    }
    return sqrt(squares / weight);
}

/* What an error in each target is multiplied by: so that a sum of squares is their mean's, or one
 * of distances. */
static gr_status find_units(const gr_settings *s, const gr_dataset *train, uint32_t n, float *unit,
                            gr_error *error) {
    double share = gr_settings_part(s) == GR_TARGETS_SQUARE ? sqrt((double)n) : (double)n;
    uint32_t first = train->inputs - n;
    for (uint32_t k = 0; k < n; k++) {
        double by = s->target_scaling == GR_SCALE_NONE
                        ? 1.0
                        : deviation_of(train, train->x + (first + k) * train->cases);
        unit[k] = (float)(1.0 / (by * share));
        if (!isfinite(unit[k]) || !(unit[k] > 0.0f))
            return gr_settings_fail(s, GR_KEY_targets, error,
                                    "target '%.*s' has the standard deviation %g over the "
                                    "training cases; expected another target, or target-scaling "
                                    "none",
                                    GR_CUT(train->names[first + k], 80), by);
    }
    return GR_OK;
}

/* Adds the units as columns of inputs, and makes the target 0. */
static gr_status fold(gr_dataset *set, uint32_t n, const float *unit, gr_error *error) {
    uint32_t old = set->inputs;
    if (!set->cases)
        return GR_OK;
    float *x = realloc(set->x, ((old + n) * set->cases + 1) * sizeof *x);
    char **names = x ? realloc(set->names, (old + n + 1) * sizeof *names) : NULL;
    set->x = x ? x : set->x;
    set->names = names ? names : set->names;
    for (uint32_t k = 0; names && k < n; k++) {
        char name[32];
        snprintf(name, sizeof name, "target:unit%u", k);
        if (!(names[old + k] = strdup(name)))
            names = NULL;
        else
            set->inputs++;
        for (uint64_t i = 0; i < set->cases; i++)
            x[(old + k) * set->cases + i] = unit[k];
    }
    memset(set->y, 0, set->cases * sizeof *set->y);
    return names ? GR_OK
                 : gr_fail(error, GR_NO_MEMORY, "no memory for %llu case%s of %u target%s",
                           (unsigned long long)set->cases, gr_s(set->cases), n, gr_s(n));
}

gr_status gr_fold_targets(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    uint32_t n = gr_settings_targets(settings);
    gr_dataset *const set[3] = {&problem->train, &problem->test, &problem->validation};
    float unit[GR_MOST_RANKED];
    gr_status status = GR_OK;
    for (int k = 0; k < 3 && !status; k++)
        if (set[k]->cases)
            status = gr_dataset_bring_columns(set[k], error);
    if (!status)
        status = find_units(settings, set[0], n, unit, error);
    for (int k = 0; k < 3 && !status; k++)
        status = fold(set[k], n, unit, error);
    return status;
}

/* ---- outputs ---- */

int gr_find_output(const gr_node *nodes, uint32_t length, uint32_t outputs, uint32_t k,
                   uint32_t *first, uint32_t *count) {
    uint32_t *size = malloc((length + 1ull) * sizeof *size), from = 0;
    int found = size && length > 1 + outputs;
    for (uint32_t i = 0; found && i < length; i++) {
        size[i] = 1;
        for (uint32_t arity = gr_arity(GR_NODE_OP(nodes[i])); arity; arity--)
            size[i] += size[i - size[i]];
    }
    /* behind the parts come what adds them and the end; a part ends with two leaves and itself */
    uint32_t at = length - 1 - outputs;
    for (uint32_t j = outputs; found && j-- > k; at -= size[at]) {
        uint32_t op = GR_NODE_OP(nodes[at]);
        found = (op == GR_TARGETS_SQUARE || op == GR_TARGETS_DISTANCE) && size[at] > 3;
        from = at;
    }
    *first = found ? from + 1 - size[from] : 0;
    *count = found ? size[from] - 3 : 0;
    free(size);
    return found;
}

gr_status gr_fit_of_output(const gr_node *nodes, uint32_t count, const gr_dataset *set,
                           uint32_t target, float *to, gr_target_fit *fit, gr_error *error) {
    gr_prediction made = {to, 0.0f, {0.0, 0.0}, NULL};
    double weight = 0.0, mean = 0.0, squares = 0.0, distances = 0.0, about = 0.0;
    gr_status status = gr_predict(nodes, count, set, NULL, &made, error);
    for (uint64_t i = 0; i < set->cases && !status; i++) {
        double w = set->w ? (double)set->w[i] : 1.0, y = gr_dataset_value(set, target, i);
        double error_here = (double)to[i] - y;
        weight += w;
        mean += w * y;
        squares += w * (error_here * error_here);
        distances += w * fabs(error_here);
    }
    if (isnan(squares)) /* an output that is no number: the worst there is, as of a fitness */
        squares = distances = (double)INFINITY;
    mean /= weight;
    for (uint64_t i = 0; i < set->cases && !status; i++) {
        double d = gr_dataset_value(set, target, i) - mean;
        about += (set->w ? (double)set->w[i] : 1.0) * (d * d);
    }
    fit->rmse = sqrt(squares / weight);
    fit->mae = distances / weight;
    fit->r2 = about > 0.0 ? 1.0 - squares / about : (double)NAN;
    return status;
}
