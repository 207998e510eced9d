/* What the best program of a cell gives on its cases. */
#include "host/problem/job.h"
#include "host/problem/predict.h"
#include "host/problem/validation.h"
#include "host/report/load.h"

#include <stdlib.h>

/* The cases, once; a cell that came from a folder has them. */
static gr_status read_cases(gr_report_cell *c, gr_error *error) {
    if (c->set[0].names)
        return GR_OK;
    gr_status status = gr_settings_resolve(&c->settings, error);
    return status ? status : gr_dataset_make_trained(&c->settings, &c->set[0], &c->set[1], error);
}

static gr_status predict(gr_report_cell *c, int which, const gr_node *nodes, uint32_t count,
                         gr_error *error) {
    gr_dataset *set = &c->set[which];
    gr_prediction made = {malloc((set->cases + 1) * sizeof *made.output), 0.0f, {0.0, 0.0}, NULL};
    c->output[which] = made.output;
    if (!made.output)
        return gr_fail(error, GR_NO_MEMORY, "no memory for predictions");
    gr_status status = gr_dataset_tile(set, c->settings.threads, error);
    return status ? status : gr_predict(nodes, count, set, NULL, &made, error);
}

/* Confusion matrices, by the rule of the run. */
static gr_status classify(gr_report_cell *c, gr_error *error) {
    gr_params p;
    gr_status status = gr_describe_fitness(&c->settings, &c->set[0], &p, error);
    if (status || !gr_is_classification(&p))
        return status;
    status = gr_fix_thresholds(&p, &c->set[0], c->output[0], error);
    for (int which = 0; which < 2 && !status; which++)
        if (c->set[which].cases)
            status = gr_classes_make(&p, &c->set[which], &c->set[1 - which], c->output[which],
                                     &c->classes[which], error);
    return status;
}

gr_status gr_load_predictions(gr_report_cell *c, gr_error *error) {
    gr_node *nodes = NULL;
    uint32_t count;
    if (!c->settled || !c->expression)
        return GR_OK;
    gr_status status = read_cases(c, error);
    if (status || c->set[0].packed || strncmp(c->expression, "targets(", 8) == 0)
        return status;
    gr_vocabulary vocabulary = {(const char *const *)c->set[0].names, c->set[0].inputs, 0, 0, 0, 0};
    status = gr_read_expression(c->expression, "best", &vocabulary, &nodes, &count, error);
    for (int which = 0; which < 2 && !status; which++)
        if (c->set[which].cases)
            status = predict(c, which, nodes, count, error);
    if (!status)
        status = classify(c, error);
    free(nodes);
    return status;
}
