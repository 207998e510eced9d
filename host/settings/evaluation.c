#include "host/settings/evaluation.h"

#include "gpu/core/fitness/fitness.h"
#include "host/settings/objectives.h"

#include <stdbool.h>

/* What is kept of an evaluation are its sums. */
gr_status gr_check_once(const gr_settings *s, gr_error *error) {
    uint32_t fitted = s->class_rule == GR_CLASS_FITTED, several = s->selection == GR_SELECT_NSGA2;
    if (s->fitness_memory && s->evaluate_once == GR_ONCE_NEVER)
        return gr_settings_fail(s, GR_KEY_fitness_memory, error,
                                "fitness-memory beside evaluate-once off; expected evaluate-once "
                                "on or auto");
    if (fitted && (s->evaluate_once == GR_ONCE_ALWAYS || s->fitness_memory))
        return gr_settings_fail(
            s, s->fitness_memory ? GR_KEY_fitness_memory : GR_KEY_evaluate_once, error,
            "class-rule fitted needs the outputs of every program; expected evaluate-once off or "
            "auto, no fitness-memory, or another class-rule");
    if (several && (s->evaluate_once == GR_ONCE_ALWAYS || s->fitness_memory))
        return gr_settings_fail(
            s, s->fitness_memory ? GR_KEY_fitness_memory : GR_KEY_evaluate_once, error,
            "several objectives evaluate all children; expected evaluate-once off or auto, and no "
            "fitness-memory");
    return GR_OK;
}

/* Metrics that are evaluated in doubles. */
static bool is_of_numbers(uint32_t metric) {
    uint32_t adds = gr_adds_of(metric);
    return adds == GR_ADDS_ABSOLUTE || adds == GR_ADDS_SQUARED || adds == GR_ADDS_HIT ||
           adds == GR_ADDS_MARGIN || adds == GR_ADDS_EXTREME;
}

static gr_status check_metrics(const gr_settings *s, gr_error *error) {
    gr_objectives o;
    if (!is_of_numbers(s->metric))
        return gr_settings_fail(s, GR_KEY_metric, error,
                                "precision double beside a metric of classes; expected sae, mae, "
                                "mse, rmse, r2, hits, hinge or max-error");
    gr_status status = gr_settings_objectives(s, &o, error);
    for (uint32_t k = 0; !status && k < o.count; k++)
        if (o.kind[k] == GR_OBJECTIVE_METRIC && !is_of_numbers(o.metric))
            return gr_settings_fail(s, GR_KEY_objectives, error,
                                    "precision double beside an objective of classes; expected a "
                                    "metric of numbers");
    return status;
}

/* What looks at numbers in floats. */
static gr_status check_apart(const gr_settings *s, gr_error *error) {
    bool looks = s->selection == GR_SELECT_LEXICASE || s->selection == GR_SELECT_EPSILON_LEXICASE;
    const struct {
        gr_key key;
        bool used;
        const char *what;
    } apart[] = {
        {GR_KEY_weights, *s->weights, "weights of cases"},
        {GR_KEY_prepare, *s->prepare, "prepared inputs"},
        {GR_KEY_probe_cases, s->probe_cases, "probe cases"},
        {GR_KEY_case_sampling, s->case_sampling != GR_SAMPLING_NONE, "samples of cases"},
        {GR_KEY_linear_scaling, s->linear_scaling, "linear scaling"},
        {GR_KEY_optimise_constants, s->optimise_constants, "constants that are fitted"},
        {GR_KEY_selection, looks, "lexicase selection"},
        {GR_KEY_archive, s->archive != GR_ARCHIVE_NONE, "archive"},
        {GR_KEY_front_choice, s->front_choice == GR_CHOICE_MDL, "choice by mdl"},
        {GR_KEY_find_law, s->find_law, "laws"},
        {GR_KEY_math, s->math == GR_MATH_FAST, "math fast"},
        {GR_KEY_devices, *s->devices, "devices"},
    };
    for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
        if (apart[k].used)
            return gr_settings_fail(s, apart[k].key, error,
                                    "precision double has no %s; expected "
                                    "precision single, or another value here",
                                    apart[k].what);
    return GR_OK;
}

gr_status gr_check_precision(const gr_settings *s, gr_error *error) {
    if (s->precision != GR_PRECISION_DOUBLE)
        return GR_OK;
    if (!*s->data && !s->given_cases)
        return gr_settings_fail(s, GR_KEY_precision, error,
                                "precision double is for numbers of a table; expected data");
    gr_status status = check_metrics(s, error);
    return status ? status : check_apart(s, error);
}

gr_status gr_check_given_weights(const gr_settings *s, gr_error *error) {
    if (s->precision != GR_PRECISION_DOUBLE)
        return GR_OK;
    return gr_settings_fail(s, GR_KEY_precision, error,
                            "precision double has no weights of cases; expected precision single, "
                            "or no other weights than 0 and 1");
}
