#include "host/problem/validation.h"

#include "gpu/core/fitness/fitness.h"
#include "host/base/text.h"
#include "host/problem/cases.h"
#include "host/problem/targets.h"

#include <stdlib.h>

gr_status gr_hold_out_validation(const gr_settings *settings, gr_problem *problem,
                                 gr_error *error) {
    gr_dataset *all = &problem->train;
    uint64_t count;
    gr_status status =
        gr_count_held_out(settings, GR_KEY_validation_fraction, settings->validation_fraction,
                          "validation-fraction", all->cases, "case", &count, error);
    if (status)
        return status;
    return gr_dataset_hold_out(all, settings->data_seed, 0xfffffffeu, count, &problem->validation,
                               error);
}

gr_status gr_dataset_make_trained(const gr_settings *settings, gr_dataset *train, gr_dataset *test,
                                  gr_error *error) {
    gr_status status = gr_dataset_make(settings, train, test, error);
    if (status || !(settings->validation_fraction > 0))
        return status;
    gr_problem problem = {.train = *train};
    status = gr_hold_out_validation(settings, &problem, error);
    *train = problem.train;
    gr_dataset_free(&problem.validation);
    if (status) {
        gr_dataset_free(train);
        gr_dataset_free(test);
    }
    return status;
}

gr_status gr_make_validation(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    gr_params *p = &problem->job.params, *v = &problem->validating;
    const gr_dataset *set = &problem->validation;
    gr_status status = gr_dataset_tile(&problem->validation, settings->threads, error);
    if (status)
        return status;
    p->validation_chunks = gr_dataset_chunks(set);
    *v = *p;
    v->test_cases = (uint32_t)set->cases;
    v->test_chunks = p->validation_chunks;
    gr_describe_target(v, set, 1);
    status = gr_check_target(settings, v, set, 1, "validation", error);
    if (status)
        return status;
    if (p->linear_scaling) {
        problem->validation_targets = malloc(v->test_chunks * sizeof *problem->validation_targets);
        if (!problem->validation_targets)
            return gr_fail(error, GR_NO_MEMORY, "no memory for the targets of %u fitness case%s",
                           v->test_cases, gr_s(v->test_cases));
        gr_chunk_targets(v, set->tiles, v->test_cases, v->target_mean[1],
                         problem->validation_targets);
    }
    problem->job.validating = v;
    problem->job.validation = set->tiles;
    problem->job.validation_targets = problem->validation_targets;
    return GR_OK;
}
