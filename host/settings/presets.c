/* Presets: values of settings that are not named, chosen by measurement (README.md). */
#include "host/settings/presets.h"

#include "gpu/core/fitness/fitness.h"
#include "host/settings/table.h"
#include "host/settings/targets.h"

#include <string.h>

typedef enum need {
    NEEDS_ANY,
    NEEDS_MIGRANTS,
    NEEDS_SQUARES,
    NEEDS_SCALE,
    NEEDS_MISTAKES,
    NEEDS_SIZES,
    NEEDS_NICHES,
    NEEDS_BRANCHES,
    NEEDS_RENEWED
} need;

/* What a preset gives a setting. */
typedef struct given_value {
    gr_preset preset;
    gr_key key;
    const char *value;
    need needs;
} given_value;

static const given_value values[] = {
#define GR_PRESET(preset, key, value, needs)                                                       \
    {GR_PRESET_##preset, GR_KEY_##key, value, NEEDS_##needs},
#include "host/settings/presets.def"
};

static bool is_set(const gr_settings *s, gr_key key) {
    return s->origin[key].from != GR_FROM_DEFAULT;
}

static bool is_grammar(const gr_settings *s) {
    return s->genotype != GR_TREE &&
           (is_set(s, GR_KEY_genotype) || *s->grammar || s->given_grammar);
}

bool gr_settings_classify(const gr_settings *s) {
    return s->metric != GR_AUTO &&
           (gr_adds_of(s->metric) == GR_ADDS_MISTAKE || gr_has_positives(s->metric));
}

const char *gr_preset_of_trees(const gr_settings *s) {
    return is_grammar(s)             ? NULL
           : *s->boolean             ? "boolean"
           : gr_settings_classify(s) ? "classification"
                                     : "regression";
}

/* Whether naming it says nothing of how to search: the problem, how long and where it runs, in
 * which numbers and how exactly, what no result depends on, what is told of it, and what a preset
 * is chosen by. */
static bool is_apart(gr_key key) {
    static const gr_key keys[] = {
        GR_KEY_name,       GR_KEY_seed,       GR_KEY_runs,          GR_KEY_generations,
        GR_KEY_time_limit, GR_KEY_stagnation, GR_KEY_preset,        GR_KEY_max_evaluations,
        GR_KEY_genotype,   GR_KEY_grammar,    GR_KEY_metric,        GR_KEY_class_rule,
        GR_KEY_thresholds, GR_KEY_seeds,      GR_KEY_seed_program,  GR_KEY_target_fitness,
        GR_KEY_precision,  GR_KEY_math,       GR_KEY_evaluate_once, GR_KEY_fitness_memory,
        GR_KEY_find_law,   GR_KEY_law_every,  GR_KEY_tolerance,
    };
    const char *group = gr_setting_table[key].group;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (keys[k] == key)
            return true;
    return strcmp(group, "Problem") == 0 || strcmp(group, "Run") == 0;
}

/* What `auto` stands for: of data without further settings the preset for them, else none. */
static gr_preset choose(const gr_settings *s) {
    if ((!*s->data && !s->given_cases) || *s->boolean || *s->target_expression ||
        gr_settings_targets(s) > 1)
        return GR_PRESET_NONE;
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        if (is_set(s, (gr_key)key) && !is_apart((gr_key)key))
            return GR_PRESET_NONE;
    return is_grammar(s)             ? GR_PRESET_GE
           : gr_settings_classify(s) ? GR_PRESET_CLASSIFICATION
                                     : GR_PRESET_REGRESSION;
}

static gr_status check(const gr_settings *s, gr_error *error) {
    bool trees = s->preset == GR_PRESET_REGRESSION || s->preset == GR_PRESET_CLASSIFICATION;
    if (trees && is_grammar(s))
        return gr_settings_fail(s, GR_KEY_preset, error,
                                "preset %s is of trees, and there is a grammar; expected preset ge",
                                s->preset == GR_PRESET_REGRESSION ? "regression"
                                                                  : "classification");
    if (s->preset == GR_PRESET_BOOLEAN && !*s->boolean)
        return gr_settings_fail(s, GR_KEY_preset, error,
                                "preset boolean for a problem of numbers; expected boolean, or "
                                "another preset");
    if (trees && *s->boolean)
        return gr_settings_fail(s, GR_KEY_preset, error,
                                "a preset of numbers for a boolean problem; expected preset "
                                "boolean or ge");
    return GR_OK;
}

/* What works with floats alone (evaluation.c), and what takes all cases at a time (variation.c). */
static bool is_at_odds(const gr_settings *s, need needs) {
    bool sizes = needs == NEEDS_SIZES || needs == NEEDS_NICHES;
    bool floats = needs == NEEDS_SQUARES || needs == NEEDS_SCALE || needs == NEEDS_NICHES;
    return (floats && s->precision == GR_PRECISION_DOUBLE) ||
           ((sizes || needs == NEEDS_SCALE) && s->case_sampling != GR_SAMPLING_NONE) ||
           (sizes && s->validation_fraction > 0) ||
           (needs == NEEDS_NICHES &&
            (s->topology == GR_TOPOLOGY_TORUS || s->replacement == GR_REPLACE_WORST));
}

static bool has_branches(const gr_settings *s) {
    return s->genotype != GR_TREE && s->genotype != GR_GENOTYPE_STRUCTURED &&
           s->mapping != GR_MAPPING_PI;
}

/* Whether thresholds may be fitted to every program: not beside what looks at a program when they
 * are not known, or at single cases. */
static bool may_fit_thresholds(const gr_settings *s) {
    return !s->diversity && !(s->validation_fraction > 0) && s->archive == GR_ARCHIVE_NONE &&
           s->evaluate_once != GR_ONCE_ALWAYS && !s->fitness_memory &&
           s->selection != GR_SELECT_NSGA2 && s->selection != GR_SELECT_LEXICASE &&
           s->selection != GR_SELECT_EPSILON_LEXICASE;
}

static bool is_fit(const gr_settings *s, need needs) {
    uint32_t metric = s->metric == GR_AUTO ? GR_METRIC_RMSE : s->metric;
    if (is_at_odds(s, needs))
        return false;
    switch (needs) {
    case NEEDS_MIGRANTS:
        return s->population > 1;
    case NEEDS_BRANCHES:
        return has_branches(s);
    case NEEDS_RENEWED: /* the preset's subtree-mutation stands before it */
        return has_branches(s) && s->subtree_mutation > 0 && !s->mutation_events;
    case NEEDS_SQUARES:
    case NEEDS_SCALE:
    case NEEDS_SIZES:
    case NEEDS_NICHES:
        return !*s->boolean && gr_settings_targets(s) < 2 && gr_adds_of(metric) == GR_ADDS_SQUARED;
    case NEEDS_MISTAKES:
        return metric == GR_METRIC_MISCLASSIFIED && may_fit_thresholds(s);
    case NEEDS_ANY:
        break;
    }
    return true;
}

gr_status gr_fill_preset(gr_settings *s, gr_error *error) {
    static const gr_origin unset = {GR_FROM_DEFAULT, 0, 0, NULL};
    if (s->preset == GR_AUTO)
        s->preset = choose(s);
    gr_status status = check(s, error);
    for (size_t k = 0; !status && k < sizeof values / sizeof *values; k++) {
        const given_value *v = &values[k];
        if (v->preset != s->preset || is_set(s, v->key) || !is_fit(s, v->needs))
            continue;
        status = gr_setting_store(s, v->key, v->value, unset, error);
    }
    return status;
}
