#include "host/problem/variation_params.h"

#include "gpu/core/fitness/fitness.h"
#include "gpu/core/mapping/mapping.h"
#include "gpu/core/program/weight.h"
#include "host/settings/objectives.h"
#include "host/settings/presets.h"
#include "host/settings/variation.h"

#include <math.h>
#include <string.h>

static gr_status make_operators(const gr_settings *s, gr_params *p, gr_error *error) {
    double share[GR_MUTATIONS], crossover, border = 0;
    static const bool is_plain[] = {
#define GR_MUTATION(id, word, field, plain, grows, edit, help) plain,
#include "gpu/core/base/mutations.def"
    };
    const double own[] = {
#define GR_MUTATION(id, word, field, plain, grows, edit, help) s->field,
#include "gpu/core/base/mutations.def"
    };
    gr_status status = gr_settings_operators(s, share, &crossover, error);
    p->exclusive = *s->operators != 0;
    p->tree_mutations = p->exclusive || s->subtree_mutation_growth == GR_GROWTH_RAMPED;
    for (uint32_t k = 0; k < GR_MUTATIONS; k++) {
        p->tree_mutations |= !is_plain[k] && own[k] > 0;
        border += crossover < 1 ? share[k] / (1 - crossover) : 0;
        p->mutation[k] = (float)(p->exclusive ? border : own[k]);
    }
    p->tree_mutations &= p->genotype == GR_TREE;
    if (p->exclusive)
        p->crossover_probability = (float)crossover;
    return status;
}

static gr_status make_sampling(const gr_settings *s, gr_params *p, gr_error *error) {
    if (s->case_sampling == GR_SAMPLING_NONE)
        return GR_OK;
    if (p->case_weights)
        return gr_settings_fail(s, GR_KEY_case_sampling, error,
                                "samples of cases with weights; expected case-sampling none");
    if (s->sample_cases > p->train_cases || (p->packed && p->train_cases % 32))
        return gr_settings_fail(s, GR_KEY_sample_cases, error,
                                "samples of %u cases from %u; expected at most that many",
                                s->sample_cases, p->train_cases);
    p->sampling = s->case_sampling;
    uint64_t every = (uint64_t)s->sample_every * p->steps;
    p->sample_every = every < UINT32_MAX ? (uint32_t)every : UINT32_MAX;
    p->sample_seed[0] = (uint32_t)s->data_seed;
    p->sample_seed[1] = (uint32_t)(s->data_seed >> 32);
    p->whole_cases = p->train_cases;
    p->whole_chunks = p->train_chunks;
    p->train_cases = s->sample_cases;
    p->sample_unit = p->packed ? 32 : 1;
    p->train_chunks = (s->sample_cases / p->sample_unit + GR_CHUNK - 1) / GR_CHUNK;
    return GR_OK;
}

static bool is_ordered(uint32_t selection) {
    static const bool all[] = {
#define GR_SELECTION(id, word, genotypes, ordered, index, help) ordered,
#include "gpu/core/base/selections.def"
    };
    return all[selection];
}

static void make_selection(const gr_settings *s, gr_params *p) {
    p->torus = s->topology == GR_TOPOLOGY_TORUS;
    /* on a torus either of the two may become the child, so both keep to the limits */
    p->one_child = s->children == GR_CHILDREN_ONE && !p->torus;
    p->deme_width = p->torus ? s->deme_width : 0;
    p->selection = s->selection;
    p->parsimony = s->parsimony;
    p->parsimony_strength = (float)s->parsimony_strength;
    p->ordered = is_ordered(s->selection);
    p->rank_pressure = (float)s->rank_pressure;
    p->truncation = (float)s->truncation;
    p->least_cost = (float)gr_least_cost(p->metric, gr_cases_count(p, 0));
}

static void make_lexicase(const gr_settings *s, gr_params *p) {
    if (s->selection != GR_SELECT_LEXICASE && s->selection != GR_SELECT_EPSILON_LEXICASE)
        return;
    p->lexicase_cases = gr_min_u32(s->lexicase_cases, p->train_cases); /* auto: more than any */
    p->lexicase_batch = gr_min_u32(s->lexicase_batch, p->lexicase_cases);
    p->lexicase_rows = (p->lexicase_cases + p->lexicase_batch - 1) / p->lexicase_batch;
    p->epsilon = s->selection == GR_SELECT_LEXICASE ? GR_EPSILON_NONE : s->epsilon + 1;
}

/* Counts of classes hang on thresholds, which are not those of every metric. */
static gr_status make_objectives(const gr_settings *s, gr_params *p, gr_error *error) {
    gr_objectives o;
    gr_status status = gr_settings_objectives(s, &o, error);
    if (status)
        return status;
    p->objectives = o.count;
    memcpy(p->objective, o.kind, sizeof p->objective);
    uint32_t other = 0;
    for (uint32_t k = 0; k < o.count; k++)
        other |= o.kind[k] == GR_OBJECTIVE_METRIC;
    p->other_shares = !other || (gr_adds_of(o.metric) == gr_adds_of(p->metric) &&
                                 gr_sum_kind_of(p) != GR_SUM_COUNTS);
    if (s->spread == GR_SPREAD_CASES && !p->other_shares)
        return gr_settings_fail(s, GR_KEY_spread, error,
                                "spread cases beside an objective whose sums are not those of the "
                                "metric; expected another objective, or spread auto");
    return GR_OK;
}

static void make_islands(const gr_settings *s, gr_params *p) {
    uint64_t every = (uint64_t)s->migration_every * p->steps;
    p->migrants = gr_settings_migrants(s);
    if (!p->migrants)
        return;
    p->migration_every = every < UINT32_MAX ? (uint32_t)every : UINT32_MAX;
    p->routes = s->migration_topology;
    p->island_columns = gr_settings_columns(s->islands);
    p->emigrants = s->migrants;
    p->replaced = s->migrants_replace;
}

static gr_status make_archive(const gr_settings *s, gr_params *p, gr_error *error) {
    uint64_t demes = (uint64_t)p->runs * p->islands;
    if (s->archive == GR_ARCHIVE_NONE)
        return GR_OK;
    p->niches = (s->niches + GR_NICHE_SIZES - 1) / GR_NICHE_SIZES * GR_NICHE_SIZES;
    p->niche_share = (float)s->niche_share;
    if (demes * p->niches > 1u << 30)
        return gr_fail(error, GR_NO_MEMORY,
                       "archives of %u niches for %llu populations are %llu; expected at most 2^30",
                       p->niches, (unsigned long long)demes, (unsigned long long)demes * p->niches);
    return GR_OK;
}

/* Crossover and mutation of branches find their depths beforehand, and the size of the expression
 * when it is there: a child that is too large is drawn again. */
static void make_invalid(const gr_settings *s, gr_params *p) {
    uint32_t all = (1u << GR_VALIDITY_COUNT) - 1;
    p->invalid = s->invalid;
    p->redrawn = s->invalid == GR_INVALID_REDRAWN ? all & ~(1u << GR_VALID) : 0;
    if (p->rule_words)
        p->redrawn |= 1u << GR_TOO_LARGE;
}

static gr_status make_constants(const gr_settings *s, gr_params *p, gr_error *error) {
    if (p->genotype == GR_TREE && !p->inputs && p->constant_probability < 1.0f)
        return gr_fail(error, GR_BAD_INPUT,
                       "trees of cases without inputs; expected one, or constant-probability 1");
    p->optimise = s->optimise_constants;
    p->optimise_iterations = s->optimise_iterations;
    p->optimise_share = (float)s->optimise_share;
    /* the preset, which does not know the data, leaves out what more inputs cannot have */
    p->weighted = s->weighted_inputs &&
                  (p->inputs <= GR_MOST_WEIGHTED_INPUTS || s->preset != GR_PRESET_REGRESSION);
    p->index_mask = p->weighted ? gr_index_mask(p->inputs) : 0;
    if (p->weighted && p->inputs > GR_MOST_WEIGHTED_INPUTS)
        return gr_settings_fail(s, GR_KEY_weighted_inputs, error,
                                "%u weighted inputs; expected at most %d", p->inputs,
                                GR_MOST_WEIGHTED_INPUTS);
    return GR_OK;
}

/* Constants of trees on words: false or true in all 32 cases, those of the list, or both. As floats
 * they are 0 and a NaN, between which a step in the table goes to and fro. */
static void make_words_of_constants(gr_params *p) {
    uint32_t has[2] = {p->constants == 0 || p->ephemeral, p->constants == 0 || p->ephemeral};
    for (uint32_t k = 0; k < p->constants; k++)
        has[p->constant[k] != 0.0f] = 1;
    p->constants = p->ephemeral = p->creep_gaussian = 0;
    for (uint32_t k = 0; k < 2; k++)
        if (has[k])
            p->constant[p->constants++] = gr_bits_float(k ? 0xffffffffu : 0);
}

gr_status gr_make_variation(const gr_settings *s, gr_params *p, gr_error *error) {
    gr_constants list;
    gr_status status = gr_settings_constants(s, &list, error);
    if (!status)
        status = make_operators(s, p, error);
    if (!status)
        status = make_sampling(s, p, error);
    if (!status)
        status = make_constants(s, p, error);
    if (!status)
        status = make_objectives(s, p, error);
    if (status)
        return status;
    p->constants = list.count;
    p->ephemeral = list.ephemeral;
    memcpy(p->constant, list.value, list.count * sizeof *p->constant);
    p->init_min_nodes = s->init_min_nodes;
    p->init_max_nodes = s->init_max_nodes;
    p->unique = s->unique;
    p->function_points = isnan(s->function_points) ? 0.0f : (float)s->function_points;
    p->subtree_ramped = s->subtree_mutation_growth == GR_GROWTH_RAMPED;
    p->creep_gaussian = s->constant_creep == GR_CREEP_GAUSSIAN;
    if (p->packed && s->constant_probability > 0.0)
        make_words_of_constants(p);
    p->creep_deviation = (float)s->creep_deviation;
    p->multi_point_rate = (float)s->multi_point_rate;
    make_selection(s, p);
    make_invalid(s, p);
    make_islands(s, p);
    make_lexicase(s, p);
    return make_archive(s, p, error);
}
