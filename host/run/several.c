#include "host/run/several.h"

#include "host/base/json.h"
#include "host/expression/reader.h"

#include <math.h>
#include <stdlib.h>

static gr_status take_output(const gr_problem *problem, const gr_node *nodes, uint32_t count,
                             uint32_t k, gr_target_outcome *to, gr_error *error) {
    const gr_params *p = &problem->job.params;
    const gr_dataset *const set[2] = {&problem->train, &problem->test};
    uint32_t first, length, target = gr_named_inputs(p) + k;
    gr_status status = GR_OK;
    to->name = problem->train.names[target];
    if (!gr_find_output(nodes, count, p->outputs, k, &first, &length) ||
        !(to->infix = gr_print_expression(nodes + first, length, &problem->vocabulary)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for the outputs of a program");
    for (int which = 0; which < 2 && !status; which++) {
        to->fit[which] = (gr_target_fit){(double)NAN, (double)NAN, (double)NAN};
        if (!set[which]->cases)
            continue;
        float *output = malloc((set[which]->cases + 1) * sizeof *output);
        status = output ? gr_fit_of_output(nodes + first, length, set[which], target, output,
                                           &to->fit[which], error)
                        : gr_fail(error, GR_NO_MEMORY, "no memory for the outputs of a program");
        free(output);
    }
    return status;
}

gr_status gr_targets_collect(const gr_run *run, const gr_best *best, gr_target_outcomes *o,
                             gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    uint32_t outputs = problem->job.params.outputs, count;
    const char *infix = best->infix;
    gr_node *nodes = NULL;
    if (!outputs || !infix)
        return GR_OK;
    o->of = calloc(outputs, sizeof *o->of);
    gr_status status =
        o->of ? gr_read_expression(infix, "best", &problem->vocabulary, &nodes, &count, error)
              : gr_fail(error, GR_NO_MEMORY, "no memory for the outputs of a program");
    for (uint32_t k = 0; k < outputs && !status; k++, o->count = k)
        status = take_output(problem, nodes, count, k, &o->of[k], error);
    free(nodes);
    return status;
}

void gr_targets_free(gr_target_outcomes *o) {
    for (uint32_t k = 0; o->of && k < o->count; k++)
        free(o->of[k].infix);
    free(o->of);
    o->of = NULL;
}

void gr_targets_print(const gr_target_outcomes *o, FILE *out) {
    for (uint32_t k = 0; k < o->count; k++) {
        const gr_target_outcome *t = &o->of[k];
        fprintf(out, "target      %s = %s\n            rmse %.6g, R2 %.6g", t->name, t->infix,
                t->fit[0].rmse, t->fit[0].r2);
        if (!isnan(t->fit[1].rmse))
            fprintf(out, ", test rmse %.6g, R2 %.6g", t->fit[1].rmse, t->fit[1].r2);
        fputc('\n', out);
    }
}

void gr_targets_json(const gr_target_outcomes *o, cJSON *object) {
    static const char *const names[2] = {"training", "test"};
    if (!o->of)
        return;
    cJSON *list = cJSON_AddArrayToObject(object, "targets");
    for (uint32_t k = 0; k < o->count; k++) {
        const gr_target_outcome *t = &o->of[k];
        cJSON *item = cJSON_CreateObject();
        gr_json_add_text(item, "target", t->name);
        gr_json_add_text(item, "infix", t->infix);
        for (int which = 0; which < 2; which++) {
            if (isnan(t->fit[which].rmse))
                continue;
            cJSON *fit = cJSON_AddObjectToObject(item, names[which]);
            gr_json_add_float(fit, "rmse", t->fit[which].rmse);
            gr_json_add_float(fit, "mae", t->fit[which].mae);
            gr_json_add_float(fit, "r2", t->fit[which].r2);
        }
        cJSON_AddItemToArray(list, item);
    }
}
