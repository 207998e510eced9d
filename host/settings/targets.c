#include "host/settings/targets.h"

#include "gpu/core/fitness/fitness.h"
#include "host/base/text.h"
#include "host/settings/objectives.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint32_t gr_settings_targets(const gr_settings *s) {
    uint32_t count = *s->targets != '\0';
    for (const char *item = s->targets; *(item = gr_text_item_end(item)); item++)
        count++;
    return count;
}

uint32_t gr_settings_part(const gr_settings *s) {
    if (!gr_settings_targets(s))
        return 0;
    return gr_adds_of(s->metric) == GR_ADDS_ABSOLUTE ? GR_TARGETS_DISTANCE : GR_TARGETS_SQUARE;
}

gr_status gr_fill_targets(gr_settings *s, gr_error *error) {
    if (gr_settings_targets(s) > 1)
        s->typed |= s->genotype == GR_TREE;
    if (gr_settings_targets(s) != 1 || *s->target) /* both are refused later */
        return GR_OK;
    char *none = strdup(""), *rest = s->targets, *name;
    if (!none)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while reading settings");
    name = gr_text_next_item(&rest);
    memmove(s->targets, name, strlen(name) + 1);
    free(s->target);
    s->target = s->targets;
    s->origin[GR_KEY_target] = s->origin[GR_KEY_targets];
    s->targets = none;
    return GR_OK;
}

/* What looks at the output of a program, or at its target. */
static gr_status check_apart(const gr_settings *s, gr_error *error) {
    bool judges = s->front_choice == GR_CHOICE_MDL || s->front_choice == GR_CHOICE_BIC;
    const struct {
        gr_key key;
        bool used;
        const char *what;
    } apart[] = {
        {GR_KEY_target, *s->target, "target"},
        {GR_KEY_types, *s->types, "types"},
        {GR_KEY_units, *s->units, "units"},
        {GR_KEY_prepare, *s->prepare, "prepare"},
        {GR_KEY_linear_scaling, s->linear_scaling, "linear-scaling"},
        {GR_KEY_optimise_constants, s->optimise_constants, "optimise-constants"},
        {GR_KEY_find_law, s->find_law, "find-law"},
        {GR_KEY_probe_cases, s->probe_cases, "probe-cases"},
        {GR_KEY_archive, s->archive != GR_ARCHIVE_NONE, "archive"},
        {GR_KEY_seeds, *s->seeds || *s->seed_program, "seeds"},
        {GR_KEY_front_choice, judges, "front-choice mdl or bic"},
        {GR_KEY_precision, s->precision == GR_PRECISION_DOUBLE, "precision double"},
    };
    for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
        if (apart[k].used)
            return gr_settings_fail(s, apart[k].key, error,
                                    "targets beside %s; expected one of them", apart[k].what);
    return GR_OK;
}

gr_status gr_check_targets(const gr_settings *s, gr_error *error) {
    uint32_t count = gr_settings_targets(s);
    gr_objectives o;
    if (!count)
        return s->target_scaling != GR_SCALE_DEVIATION
                   ? gr_settings_fail(s, GR_KEY_target_scaling, error,
                                      "target-scaling belongs to several targets; expected targets")
                   : GR_OK;
    if (count > GR_MOST_RANKED)
        return gr_settings_fail(s, GR_KEY_targets, error, "%u targets; expected at most %d", count,
                                GR_MOST_RANKED);
    if (s->metric != GR_METRIC_MSE && s->metric != GR_METRIC_RMSE && s->metric != GR_METRIC_MAE &&
        s->metric != GR_METRIC_SAE)
        return gr_settings_fail(s, GR_KEY_metric, error,
                                "several targets have no such metric; expected mse, rmse, mae or "
                                "sae");
    gr_status status = gr_settings_objectives(s, &o, error);
    for (uint32_t k = 0; !status && k < o.count; k++)
        if (o.kind[k] == GR_OBJECTIVE_METRIC && o.metric != s->metric)
            status = gr_settings_fail(s, GR_KEY_objectives, error,
                                      "several targets have no second metric; expected that of the "
                                      "run alone");
    return status ? status : check_apart(s, error);
}
