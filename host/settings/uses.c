#include "host/settings/uses.h"

#include "host/settings/objectives.h"
#include "host/settings/table.h"
#include "host/settings/variation.h"

#include <string.h>

/* What the lines of uses.def ask for more than once, or that stands in a text. */
typedef struct facts {
    bool trees, makes_grammar; /* a grammar of units */
    bool draws_cases, draws_constants;
    bool has_depth, is_ramp, has_size; /* of the first generation */
    bool by_cases, has_tournaments;
    bool mutates[GR_MUTATIONS], creeps; /* of trees; genomes have SUBTREE alone */
    bool counts[GR_METRICS], has_thresholds;
} facts;

static bool draws_cases(const gr_settings *s) {
    bool uniform = strstr(s->variables, "uniform") || strstr(s->test_variables, "uniform");
    bool table = strncmp(s->boolean, "random", strlen("random")) == 0;
    bool split = s->split == GR_SPLIT_RANDOM && (s->test_fraction > 0 || *s->test_rows);
    return uniform || table || split || s->generate == GR_GENERATE_PROTEINS ||
           s->validation_fraction > 0 || s->probe_cases || s->case_sampling != GR_SAMPLING_NONE;
}

/* Of genomes PTC2 draws a number of expansions, and takes no depth but max-depth. */
static void look_at_first(const gr_settings *s, facts *f) {
    uint32_t by = s->initialisation;
    f->is_ramp = by == GR_INIT_RAMPED || by == GR_INIT_PI_GROW;
    f->has_size = f->trees && (by == GR_INIT_PTC2 || by == GR_INIT_SIZED);
    f->has_depth = f->is_ramp || f->has_size || by == GR_INIT_GROW || by == GR_INIT_FULL;
}

static void look_at_selection(const gr_settings *s, facts *f) {
    f->by_cases = s->selection == GR_SELECT_LEXICASE || s->selection == GR_SELECT_EPSILON_LEXICASE;
    f->has_tournaments =
        (s->selection == GR_SELECT_TOURNAMENT && s->topology != GR_TOPOLOGY_TORUS) ||
        s->selection == GR_SELECT_NSGA2 ||
        (gr_settings_migrants(s) && s->migrants == GR_EMIGRANTS_TOURNAMENT);
}

/* Texts that cannot be read were refused before. */
static void look_at_constants(const gr_settings *s, facts *f) {
    gr_constants list = {{0}, 0, 0, false};
    bool numbers = f->trees && !*s->boolean;
    gr_settings_constants(s, &list, NULL);
    f->draws_constants =
        numbers && s->constant_probability > 0 && (!*s->constants || list.ephemeral);
    f->creeps = numbers && f->mutates[GR_MUTATE_CONSTANT];
}

static void look_at_mutations(const gr_settings *s, facts *f) {
    const double own[] = {
#define GR_MUTATION(id, word, field, plain, grows, edit, help) s->field,
#include "gpu/core/base/mutations.def"
    };
    double share[GR_MUTATIONS] = {0}, crossover;
    gr_settings_operators(s, share, &crossover, NULL);
    for (uint32_t k = 0; k < GR_MUTATIONS; k++)
        f->mutates[k] = (*s->operators ? share[k] : own[k]) > 0;
}

static void look_at_metrics(const gr_settings *s, facts *f) {
    gr_objectives o = {0};
    gr_settings_objectives(s, &o, NULL);
    for (uint32_t k = 0; k < o.count; k++)
        if (o.kind[k] == GR_OBJECTIVE_METRIC)
            f->counts[o.metric] = true;
    if (s->metric < GR_METRICS)
        f->counts[s->metric] = true;
    f->has_thresholds =
        f->counts[GR_METRIC_BALANCED] ||
        (f->counts[GR_METRIC_F1] && s->metric != GR_METRIC_F1) || /* its own part at 0 */
        (f->counts[GR_METRIC_MISCLASSIFIED] && s->class_rule == GR_CLASS_THRESHOLDS);
}

static facts look(const gr_settings *s) {
    facts f = {.trees = s->genotype == GR_TREE};
    f.makes_grammar = !f.trees && *s->units && !*s->grammar && !s->given_grammar;
    f.draws_cases = draws_cases(s);
    look_at_first(s, &f);
    look_at_selection(s, &f);
    look_at_mutations(s, &f);
    look_at_constants(s, &f);
    look_at_metrics(s, &f);
    return f;
}

void gr_settings_unread(const gr_settings *s, const char *what[GR_KEY_COUNT]) {
    const facts all = look(s), *f = &all;
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++)
        what[key] = NULL;
#define GR_USE(field, when, text) what[GR_KEY_##field] = (when) ? NULL : (text);
#include "host/settings/uses.def"
}

uint32_t gr_settings_unused(const gr_settings *s, const char *what[GR_KEY_COUNT]) {
    uint32_t count = 0;
    gr_settings_unread(s, what);
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        bool given = key == GR_KEY_grammar && s->given_grammar; /* as text */
        if (s->origin[key].from == GR_FROM_DEFAULT && !given)
            what[key] = NULL;
        count += what[key] != NULL;
    }
    return count;
}

/* Whether a setting before this one is for the same. */
static bool is_told(const char *const what[GR_KEY_COUNT], uint32_t key) {
    for (uint32_t k = 0; k < key; k++)
        if (what[k] && strcmp(what[k], what[key]) == 0)
            return true;
    return false;
}

void gr_print_unused(const char *const what[GR_KEY_COUNT], FILE *out) {
    const char *semicolon = "";
    for (uint32_t key = 0; key < GR_KEY_COUNT; key++) {
        if (!what[key] || is_told(what, key))
            continue;
        fprintf(out, "%s%s", semicolon, gr_setting_table[key].key);
        for (uint32_t k = key + 1; k < GR_KEY_COUNT; k++)
            if (what[k] && strcmp(what[k], what[key]) == 0)
                fprintf(out, ", %s", gr_setting_table[k].key);
        fprintf(out, ": for %s", what[key]);
        semicolon = "; ";
    }
}
