#include "host/settings/objectives.h"

#include "gpu/core/fitness/fitness.h"
#include "host/base/text.h"
#include "host/settings/variation.h"

#include <stdlib.h>
#include <string.h>

static const char *const objective_words[] = {
#define GR_OBJECTIVE(id, word, value, help) word,
#include "gpu/core/base/objectives.def"
};
static const char *const metric_words[] = {
#define GR_METRIC(id, word, adds, better, least, cost, allowance, help) word,
#include "gpu/core/base/metrics.def"
};

const char *gr_objective_word(uint32_t kind, uint32_t metric, uint32_t other_metric) {
    return kind == GR_OBJECTIVE_ERROR    ? metric_words[metric]
           : kind == GR_OBJECTIVE_METRIC ? metric_words[other_metric]
                                         : objective_words[kind];
}

static bool is_set(const gr_settings *s, gr_key key) {
    return s->origin[key].from != GR_FROM_DEFAULT;
}

/* Whoever names objectives means NSGA-II by it. */
gr_status gr_fill_objectives(gr_settings *s, gr_error *error) {
    if (*s->objectives && !is_set(s, GR_KEY_selection))
        s->selection = GR_SELECT_NSGA2;
    if (s->selection != GR_SELECT_NSGA2)
        return GR_OK;
    if (!is_set(s, GR_KEY_replacement))
        s->replacement = GR_REPLACE_BY_RANK;
    if (s->elites == GR_AUTO)
        s->elites = 0;
    if (*s->objectives)
        return GR_OK;
    char *words = strdup("error, nodes");
    if (!words)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while reading settings");
    free(s->objectives);
    s->objectives = words;
    return GR_OK;
}

/* ---- the list ---- */

/* Takes a word as an objective; an empty one is none. */
static bool take_word(const gr_settings *s, const char *word, gr_objectives *o) {
    for (uint32_t k = 0; k < GR_OBJECTIVE_METRIC; k++)
        if (strcmp(word, objective_words[k]) == 0) {
            o->kind[o->count++] = k;
            return true;
        }
    for (uint32_t k = 0; k < GR_METRICS; k++)
        if (strcmp(word, metric_words[k]) == 0) {
            o->kind[o->count++] = k == s->metric ? GR_OBJECTIVE_ERROR : GR_OBJECTIVE_METRIC;
            o->metric = k == s->metric ? o->metric : k;
            return true;
        }
    return false;
}

gr_status gr_settings_objectives(const gr_settings *s, gr_objectives *objectives, gr_error *error) {
    gr_objectives o = {0};
    const char *at = s->objectives;
    uint32_t seen = 0;
    while (*at) {
        char word[32];
        at += strspn(at, " ");
        size_t n = strcspn(at, ","), last = n;
        while (last && at[last - 1] == ' ')
            last--;
        snprintf(word, sizeof word, "%.*s", gr_text_fits(at, last, sizeof word - 1), at);
        at += n + (at[n] == ',');
        if (o.count == GR_MAX_OBJECTIVES || !take_word(s, word, &o))
            return gr_settings_fail(s, GR_KEY_objectives, error,
                                    "objectives has '%.*s'; expected two or three of error, a "
                                    "metric, nodes, depth, derivation-nodes and complexity",
                                    GR_CUT(word, 30));
        if (seen >> o.kind[o.count - 1] & 1u)
            return gr_settings_fail(s, GR_KEY_objectives, error,
                                    "objectives has '%.*s' beside one of its kind; expected each "
                                    "once, and one metric beside the run's",
                                    GR_CUT(word, 30));
        seen |= 1u << o.kind[o.count - 1];
    }
    if (*s->objectives && (o.count < 2 || !(seen >> GR_OBJECTIVE_ERROR & 1u)))
        return gr_settings_fail(s, GR_KEY_objectives, error,
                                "objectives is '%.*s'; expected error and one or two more",
                                GR_CUT(s->objectives, 60));
    *objectives = o;
    return GR_OK;
}

/* ---- checks ---- */

/* Whether what a metric adds up are distances. */
static bool adds_distances(uint32_t metric) {
    uint32_t adds = gr_adds_of(metric);
    return adds == GR_ADDS_SQUARED || adds == GR_ADDS_ABSOLUTE || adds == GR_ADDS_EXTREME;
}

static gr_status check_metric(const gr_settings *s, const gr_objectives *o, gr_error *error) {
    uint32_t adds = gr_adds_of(o->metric);
    for (uint32_t k = 0; k < o->count; k++) {
        if (o->kind[k] != GR_OBJECTIVE_METRIC)
            continue;
        if ((adds == GR_ADDS_BITS) != (*s->boolean != 0))
            return gr_settings_fail(
                s, GR_KEY_objectives, error, "%s is a metric of %s; expected another",
                metric_words[o->metric], *s->boolean ? "numbers" : "truth tables");
        if (s->linear_scaling && adds != GR_ADDS_SQUARED)
            return gr_settings_fail(s, GR_KEY_objectives, error,
                                    "%s beside linear-scaling, which knows squares alone; "
                                    "expected mse, rmse or r2",
                                    metric_words[o->metric]);
    }
    return GR_OK;
}

/* Schwarz's criterion is of squared errors, all on the same cases. */
static gr_status check_bic(const gr_settings *s, gr_error *error) {
    uint32_t metric = s->metric == GR_AUTO ? GR_METRIC_RMSE : s->metric;
    if (*s->boolean || gr_adds_of(metric) != GR_ADDS_SQUARED)
        return gr_settings_fail(s, GR_KEY_front_choice, error,
                                "choice by bic with a metric that adds no squares; expected rmse, "
                                "mse or r2, or another choice");
    if (s->case_sampling != GR_SAMPLING_NONE)
        return gr_settings_fail(s, GR_KEY_front_choice, error,
                                "choice by bic of runs on samples, whose errors are of different "
                                "cases; expected one of them");
    if (s->validation_fraction > 0.0)
        return gr_settings_fail(s, GR_KEY_front_choice, error,
                                "choice by bic beside validation-fraction, which chooses the best; "
                                "expected one of them");
    return GR_OK;
}

gr_status gr_check_objectives(const gr_settings *s, gr_error *error) {
    bool several = s->selection == GR_SELECT_NSGA2;
    gr_objectives o;
    gr_status status = gr_settings_objectives(s, &o, error);
    if (status)
        return status;
    if (!several && *s->objectives)
        return gr_settings_fail(s, GR_KEY_objectives, error,
                                "objectives without selection nsga2; expected it, or none");
    if (several != (s->replacement == GR_REPLACE_BY_RANK))
        return gr_settings_fail(s, GR_KEY_replacement, error,
                                "selection nsga2 and replacement nsga2 belong together; expected "
                                "both or neither");
    const struct {
        gr_key key;
        bool used;
        const char *why;
    } apart[] = {
        {GR_KEY_elites, s->elites != 0, "elites, where the best of parents and children stay"},
        {GR_KEY_parsimony, s->parsimony != GR_PARSIMONY_NONE, "parsimony, which weighs one cost"},
        {GR_KEY_case_sampling, s->case_sampling != GR_SAMPLING_NONE,
         "samples, on which parents and children would not compare"},
        {GR_KEY_restart_after, s->restart_after != GR_AUTO, "restarts"},
        {GR_KEY_class_rule, s->class_rule == GR_CLASS_FITTED, "fitted classes"},
        {GR_KEY_optimise_constants, s->optimise_constants == GR_OPTIMISE_ELITES,
         "constants of elites, of which there are none"},
        {GR_KEY_optimise_constants, s->optimise_constants && s->genotype != GR_TREE,
         "constants fitted beside genomes, which would be gone with those that stay"},
    };
    for (size_t k = 0; several && k < sizeof apart / sizeof *apart; k++)
        if (apart[k].used)
            return gr_settings_fail(s, apart[k].key, error,
                                    "selection nsga2 beside %s; expected one of them",
                                    apart[k].why);
    if (s->front_choice == GR_CHOICE_MDL && several && !adds_distances(s->metric))
        return gr_settings_fail(s, GR_KEY_front_choice, error,
                                "a description length of hits or classes; expected a metric of "
                                "distances, or another choice");
    if (s->front_choice == GR_CHOICE_BIC)
        status = check_bic(s, error);
    else if (s->front_choice != GR_AUTO && !several)
        status = gr_settings_fail(s, GR_KEY_front_choice, error,
                                  "front-choice without a front; expected selection nsga2, or bic");
    if (status)
        return status;
    return several ? check_metric(s, &o, error) : GR_OK;
}
