/* Filling every "auto" and holding the settings against each other. */
#include "gpu/core/fitness/fitness.h"
#include "host/base/text.h"
#include "host/settings/evaluation.h"
#include "host/settings/objectives.h"
#include "host/settings/presets.h"
#include "host/settings/table.h"
#include "host/settings/targets.h"
#include "host/settings/uses.h"
#include "host/settings/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST_TREE = GR_MAX_HEIGHT - 1, LONGEST_NAME = 255, SURE = 100 };

static void fill_u32(uint32_t *field, uint32_t value) {
    if (*field == GR_AUTO)
        *field = value;
}

static gr_status fill_text(char **field, const char *value, gr_error *error) {
    char *copy = strdup(value);
    if (!copy)
        return gr_fail(error, GR_NO_MEMORY, "out of memory while reading settings");
    free(*field);
    *field = copy;
    return GR_OK;
}

/* "results/x/shuttle.yaml" to "shuttle", for the name of a run; of data "x.train.csv" to "x". */
static gr_status fill_name(gr_settings *s, gr_error *error) {
    int of_file = s->file && strcmp(s->file, "stdin") != 0;
    char stem[LONGEST_NAME + 1];
    if (*s->name)
        return GR_OK;
    gr_text_stem(of_file ? s->file : s->data, stem, sizeof stem);
    if (!of_file)
        stem[strcspn(stem, ".")] = '\0';
    return fill_text(&s->name, *stem ? stem : "run", error);
}

static bool is_set(const gr_settings *s, gr_key key) {
    return s->origin[key].from != GR_FROM_DEFAULT;
}

static gr_status fill_autos(gr_settings *s, gr_error *error) {
    gr_status filled = gr_fill_preset(s, error);
    if (!filled)
        filled = gr_fill_objectives(s, error);
    if (filled)
        return filled;
    int tree = s->genotype == GR_TREE, packed = *s->boolean != '\0';
    fill_u32(&s->max_depth, tree ? 17 : 90);
    fill_u32(&s->genome_length, gr_min_u32(200, s->max_genome_length));
    fill_u32(&s->initialisation, GR_INIT_RAMPED);
    gr_fill_variation(s);
    int both = s->init_min_depth == GR_AUTO;
    fill_u32(&s->init_max_depth,
             gr_min_u32(gr_max_u32(tree ? 6 : 10, both ? 0 : s->init_min_depth), s->max_depth));
    fill_u32(&s->init_min_depth, gr_min_u32(tree ? 2 : 1, s->init_max_depth));
    uint32_t percent = (uint32_t)(((uint64_t)s->population + 50) / 100);
    if (s->replacement == GR_REPLACE_WORST) {
        uint32_t children = gr_min_u32(s->children_per_step, s->population);
        if (!is_set(s, GR_KEY_children_per_step)) /* a default refuses no population */
            s->children_per_step = children;
        fill_u32(&s->elites, s->population - children);
    }
    fill_u32(&s->elites, gr_min_u32(gr_max_u32(1, percent), s->population - 1));
    fill_u32(&s->crossover, tree ? GR_CROSSOVER_SUBTREE
                            : s->genotype == GR_GENOTYPE_STRUCTURED
                                ? GR_CROSSOVER_LISTS
                                : GR_CROSSOVER_VARIABLE_ONEPOINT);
    if (isnan(s->crossover_probability))
        s->crossover_probability = tree ? 0.9 : 0.75;
    s->typed |= tree && s->class_rule == GR_CLASS_ARGMAX;
    fill_u32(&s->statistics, s->runs > GR_FEW_RUNS ? GR_STATISTICS_SUMMARY : GR_STATISTICS_ALL);
    fill_u32(&s->metric, packed ? GR_METRIC_BOOLEAN_HITS : GR_METRIC_RMSE);
    gr_status status = gr_fill_targets(s, error);
    if (status == GR_OK)
        status = fill_name(s, error);
    if (status == GR_OK && (strcmp(s->functions, "auto") == 0 || !*s->functions))
        status = fill_text(&s->functions,
                           packed ? "and, or, nand, nor"
                           : *s->units && s->genotype != GR_TREE
                               ? "+, -, *, /, square, sqrt, exp, log, sin, cos"
                               : "+, -, *, /",
                           error);
    return status;
}

static bool is_given(const gr_settings *s, gr_key key) {
    char out[32];
    const char *value = gr_settings_text(s, key, out);
    gr_setting_kind kind = gr_setting_table[key].kind; /* a file or column may be called 0 */
    return *value && (kind == GR_KIND_TEXT || kind == GR_KIND_PATH || strcmp(value, "0") != 0);
}

/* Settings that mean something for one kind of problem only. */
static gr_status check_problem(const gr_settings *s, gr_error *error) {
    static const struct {
        gr_key key, needs;
    } rules[] = {
        {GR_KEY_test_data, GR_KEY_data},
        {GR_KEY_target, GR_KEY_data},
        {GR_KEY_targets, GR_KEY_data},
        {GR_KEY_inputs, GR_KEY_data},
        {GR_KEY_weights, GR_KEY_data},
        {GR_KEY_train_rows, GR_KEY_data},
        {GR_KEY_test_rows, GR_KEY_data},
        {GR_KEY_test_fraction, GR_KEY_data},
        {GR_KEY_variables, GR_KEY_target_expression},
        {GR_KEY_test_variables, GR_KEY_target_expression},
        {GR_KEY_test_sequences, GR_KEY_sequences},
        {GR_KEY_positive, GR_KEY_sequences},
    };
    int data = *s->data != 0, target = *s->target_expression != 0, packed = *s->boolean != 0;
    int series = *s->series != 0 || s->generate == GR_GENERATE_MACKEY_GLASS;
    int made = s->generate != GR_GENERATE_NONE;
    int sources = data + target + packed + (*s->series != 0) + made + (*s->sequences != 0);
    if (sources > 0 && s->given_cases)
        return gr_settings_fail(s, GR_KEY_data, error,
                                "a problem in the settings beside cases in arrays; expected one");
    if (sources == 0 && !s->given_cases)
        return gr_settings_fail(s, GR_KEY_data, error,
                                "no problem; expected one of data, target-expression, boolean, "
                                "series, generate and sequences");
    if (sources > 1)
        return gr_settings_fail(s, packed ? GR_KEY_boolean : GR_KEY_target_expression, error,
                                "more than one problem; expected one of data, target-expression, "
                                "boolean, series, generate and sequences");
    for (int test = 0; test < 2; test++)
        if ((test ? s->test_cases : s->train_cases) && !target && !series && !made)
            return gr_settings_fail(s, test ? GR_KEY_test_cases : GR_KEY_train_cases, error,
                                    "%s belongs to target-expression, series or generate; expected "
                                    "it there",
                                    test ? "test-cases" : "train-cases");
    if (*s->sequences && !*s->positive)
        return gr_settings_fail(s, GR_KEY_sequences, error,
                                "sequences without positive; expected a word of their headers");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].key == GR_KEY_targets && s->given_cases)
            continue; /* the last columns of the arrays */
        else if (is_given(s, rules[i].key) && !is_given(s, rules[i].needs))
            return gr_settings_fail(s, rules[i].key, error, "%s belongs to %s; expected it there",
                                    gr_setting_table[rules[i].key].key,
                                    gr_setting_table[rules[i].needs].key);
    if (target && !*s->variables)
        return gr_settings_fail(s, GR_KEY_target_expression, error,
                                "no variables; expected e.g. variables: x = uniform(-1, 1)");
    return GR_OK;
}

static gr_status check_split(const gr_settings *s, gr_error *error) {
    uint64_t from, to;
    int sources = (*s->test_data != 0) + (*s->test_rows != 0) + (s->test_fraction > 0);
    if (sources > 1)
        return gr_settings_fail(s, *s->test_rows ? GR_KEY_test_rows : GR_KEY_test_fraction, error,
                                "more than one test set; expected one of test-data, test-rows "
                                "and test-fraction");
    if (s->test_fraction >= 1)
        return gr_settings_fail(s, GR_KEY_test_fraction, error,
                                "test-fraction 1 leaves nothing to train on; expected less");
    if (s->test_fraction > 0 && *s->train_rows)
        return gr_settings_fail(s, GR_KEY_train_rows, error,
                                "train-rows beside test-fraction; expected test-rows");
    gr_status status = gr_settings_rows(s, GR_KEY_train_rows, &from, &to, error);
    return status == GR_OK ? gr_settings_rows(s, GR_KEY_test_rows, &from, &to, error) : status;
}

/* A value above its limit; `other` is the setting that sets the limit, and to blame when `key` is a
 * default. */
static gr_status too_large(const gr_settings *s, gr_key key, uint32_t value, gr_key other,
                           uint32_t limit, gr_error *error) {
    const char *of = other == key ? "the largest" : gr_setting_table[other].key;
    gr_key blamed = is_set(s, key) ? key : other;
    return gr_settings_fail(s, blamed, error, "%s %lu larger than %s %lu; expected at most %lu",
                            gr_setting_table[key].key, (unsigned long)value, of,
                            (unsigned long)limit, (unsigned long)limit);
}

/* A tournament may be larger than the population: it draws with replacement. One a hundred times
 * as large misses the best once in e^100 and only takes its time: a slip. */
static gr_status check_population(const gr_settings *s, gr_error *error) {
    uint64_t largest = (uint64_t)SURE * s->population;
    const char *unread[GR_KEY_COUNT];
    gr_settings_unread(s, unread);
    if (s->tournament > largest && !unread[GR_KEY_tournament])
        return gr_settings_fail(s, GR_KEY_tournament, error,
                                "tournament %lu in a population of %lu: the best of all, every "
                                "time; expected at most %llu",
                                (unsigned long)s->tournament, (unsigned long)s->population,
                                (unsigned long long)largest);
    if (s->elites >= s->population && s->elites)
        return gr_settings_fail(s, is_set(s, GR_KEY_elites) ? GR_KEY_elites : GR_KEY_population,
                                error,
                                "elites %lu leave no room in population %lu; expected at most %lu",
                                (unsigned long)s->elites, (unsigned long)s->population,
                                (unsigned long)s->population - 1);
    return GR_OK;
}

/* The folder of a run is output/name/..., which must not be /name or lie elsewhere. */
static gr_status check_folder(const gr_settings *s, gr_error *error) {
    if (!*s->output)
        return gr_settings_fail(s, GR_KEY_output, error,
                                "output has no value; expected a folder, as in results");
    if (strlen(s->name) > LONGEST_NAME)
        return gr_settings_fail(s, GR_KEY_name, error,
                                "name has %zu bytes; expected at most %d, it is that of a folder",
                                strlen(s->name), LONGEST_NAME);
    if (strchr(s->name, '/') || strcmp(s->name, ".") == 0 || strcmp(s->name, "..") == 0)
        return gr_settings_fail(s, GR_KEY_name, error,
                                "name is '%.*s'; expected the name of a folder: no '/' in it, and "
                                "neither '.' nor '..'",
                                GR_CUT(s->name, 80));
    return GR_OK;
}

/* Run r has seed + r. */
static gr_status check_seed(const gr_settings *s, gr_error *error) {
    uint64_t largest = UINT64_MAX - (s->runs - 1);
    if (s->seed <= largest)
        return GR_OK;
    return gr_settings_fail(s, GR_KEY_seed, error,
                            "seed %llu of the first of %lu runs, each of which has a seed one "
                            "higher; expected at most %llu",
                            (unsigned long long)s->seed, (unsigned long)s->runs,
                            (unsigned long long)largest);
}

gr_status gr_check_limits(const gr_settings *s, gr_error *error) {
    if (s->init_min_depth > s->init_max_depth)
        return too_large(s, GR_KEY_init_min_depth, s->init_min_depth, GR_KEY_init_max_depth,
                         s->init_max_depth, error);
    if (s->init_max_depth > s->max_depth)
        return too_large(s, GR_KEY_init_max_depth, s->init_max_depth, GR_KEY_max_depth,
                         s->max_depth, error);
    if (s->genotype == GR_TREE && s->max_depth > DEEPEST_TREE)
        return too_large(s, GR_KEY_max_depth, s->max_depth, GR_KEY_max_depth, DEEPEST_TREE, error);
    if (s->genome_length > s->max_genome_length)
        return too_large(s, GR_KEY_genome_length, s->genome_length, GR_KEY_max_genome_length,
                         s->max_genome_length, error);
    if (s->constant_min > s->constant_max)
        return gr_settings_fail(s, GR_KEY_constant_min, error,
                                "constant-min %g larger than constant-max %g; expected it smaller",
                                s->constant_min, s->constant_max);
    return GR_OK;
}

gr_status gr_check_conventions(const gr_settings *s, gr_error *error) {
    const struct {
        gr_key key;
        bool used;
    } of_codons[] = {
        {GR_KEY_mapping, s->mapping != GR_MAPPING_DEPTH_FIRST},
        {GR_KEY_codon_consumption, s->codon_consumption != GR_CONSUMPTION_EAGER},
        {GR_KEY_wrap_rule, s->wrap_rule != GR_WRAPS_CODONS},
#define GR_CODON_MUTATION(id, word, field, genotypes, mapping, part, asked, step, help)            \
    {GR_KEY_##field,                                                                               \
     GR_MAPS_##mapping == GR_MAPS_ANY && !((genotypes)&GR_FOR_LISTS) && s->field > 0},
#include "gpu/core/base/genome_mutations.def"
    };
    for (size_t i = 0; i < sizeof of_codons / sizeof *of_codons; i++)
        if (s->genotype != GR_GRAMMATICAL && of_codons[i].used)
            return gr_settings_fail(s, of_codons[i].key, error,
                                    "it works on codons in a row; expected genotype grammar");
    if (s->mapping == GR_MAPPING_PI && s->wrap_rule == GR_WRAPS_PONYGE_LINEAR)
        return gr_settings_fail(s, GR_KEY_wrap_rule, error,
                                "wrap-rule ponyge-linear reads symbols from left to right, mapping "
                                "pi does not; expected codons, libge or geva");
    return GR_OK;
}

/* Whether an operator that works on some genotypes only works on the run's. */
static gr_status check_operator(const gr_settings *s, gr_key key, uint32_t number,
                                gr_error *error) {
    const gr_catalogue *catalogue = gr_catalogue_of(key);
    char expected[256], genotype[32];
    if (catalogue->row[number].genotypes >> s->genotype & 1u)
        return GR_OK;
    const char *fitting[GR_LONGEST_CATALOGUE];
    size_t n = 0;
    for (uint32_t k = 0; k < catalogue->count; k++)
        if (catalogue->row[k].genotypes >> s->genotype & 1u)
            fitting[n++] = catalogue->row[k].word;
    gr_text_list(fitting, n, expected, sizeof expected);
    return gr_settings_fail(s, key, error,
                            "%s is %s, which does not work on genotype %s; expected %s",
                            gr_setting_table[key].key, catalogue->row[number].word,
                            gr_settings_text(s, GR_KEY_genotype, genotype), expected);
}

/* What makes trees typed, as a user has named it. */
static const char *typed_by(const gr_settings *s) {
    bool named = s->origin[GR_KEY_typed].from != GR_FROM_DEFAULT || *s->types || *s->units;
    return named                    ? "typed trees"
           : gr_settings_targets(s) ? "targets, whose trees are typed,"
                                    : "class-rule argmax, whose trees are typed,";
}

/* Trees that keep to types: what draws or changes them by other rules does not go with them. */
static gr_status check_typed(const gr_settings *s, gr_error *error) {
    const struct {
        gr_key key;
        bool used;
        const char *what;
    } apart[] = {
        {GR_KEY_genotype, s->genotype != GR_TREE, "grammars, which have types of their own"},
        {GR_KEY_prepare, *s->prepare && *s->types, "prepared inputs, whose types are not declared"},
        {*s->seeds ? GR_KEY_seeds : GR_KEY_seed_program, *s->seeds || *s->seed_program,
         "seeds, whose types are not looked at"},
        {GR_KEY_initialisation,
         s->initialisation == GR_INIT_PTC2 || s->initialisation == GR_INIT_SIZED,
         "first trees of drawn sizes"},
        {GR_KEY_types, *s->types && *s->units, "units and types together"},
    };
    if (!s->typed)
        return *s->types ? gr_settings_fail(s, GR_KEY_types, error,
                                            "types that nothing keeps to; expected typed: true")
                         : GR_OK;
    if (!*s->types && !*s->units && s->class_rule != GR_CLASS_ARGMAX && !gr_settings_targets(s))
        return gr_settings_fail(s, GR_KEY_typed, error,
                                "typed trees without types; expected types, or units");
    for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
        if (apart[k].used)
            return gr_settings_fail(s, apart[k].key, error, "%s beside %s; expected one of them",
                                    typed_by(s), apart[k].what);
    return GR_OK;
}

/* Names only what would be taken. */
static gr_status refuse_no_grammar(const gr_settings *s, gr_error *error) {
    const char *preset = gr_preset_of_trees(s);
    return gr_settings_fail(
        s, GR_KEY_genotype, error,
        "no grammar for genotype %s; expected grammar: FILE%s%s genotype: tree%s%s",
        s->genotype == GR_GENOTYPE_STRUCTURED ? "structured" : "grammar",
        *s->boolean ? "" : ", units", preset ? "," : " or", preset ? ", or preset: " : "",
        preset ? preset : "");
}

static gr_status check_genotype(const gr_settings *s, gr_error *error) {
    uint8_t function[GR_OP_COUNT];
    uint32_t count;
    gr_status fits = check_operator(s, GR_KEY_initialisation, s->initialisation, error);
    if (fits == GR_OK)
        fits = check_operator(s, GR_KEY_crossover, s->crossover, error);
    if (fits == GR_OK)
        fits = check_operator(s, GR_KEY_selection, s->selection, error);
    if (fits != GR_OK)
        return fits;
    gr_status status = gr_check_conventions(s, error);
    if (status != GR_OK)
        return status;
    if (*s->prepare && (s->genotype != GR_TREE || *s->boolean))
        return gr_settings_fail(s, GR_KEY_prepare, error,
                                "grammars name their inputs; expected genotype tree and no boolean "
                                "problem");
    if (*s->vectors && !*s->prepare)
        return gr_settings_fail(
            s, GR_KEY_vectors, error,
            "vectors that nothing is made of; expected prepare, as in \"dots\"");
    gr_status typed = check_typed(s, error);
    if (typed)
        return typed;
    if (*s->units && ((s->genotype == GR_TREE && !*s->prepare && !s->typed) || *s->boolean))
        return gr_settings_fail(s, GR_KEY_units, error,
                                "units make a grammar; expected genotype grammar or structured, "
                                "and a problem of numbers");
    if (s->genotype == GR_TREE)
        return gr_settings_functions(s, function, &count, error);
    if (s->mutation_events && !isnan(s->codon_mutation))
        return gr_settings_fail(s, GR_KEY_mutation_events, error,
                                "mutation-events beside codon-mutation; expected one of them");
    return *s->grammar || s->given_grammar || *s->units ? GR_OK : refuse_no_grammar(s, error);
}

static gr_status check_fitness(const gr_settings *s, gr_error *error) {
    float threshold[GR_MAX_THRESHOLDS];
    uint32_t thresholds;
    gr_status status = gr_settings_thresholds(s, threshold, &thresholds, error);
    if (status != GR_OK)
        return status;
    if ((gr_adds_of(s->metric) == GR_ADDS_BITS) != (*s->boolean != 0))
        return gr_settings_fail(s, GR_KEY_metric, error,
                                *s->boolean ? "metric of numbers for a boolean problem; expected "
                                              "boolean-hits or boolean-errors"
                                            : "metric of truth tables for a problem of numbers; "
                                              "expected another");
    if (s->find_law && gr_adds_of(s->metric) != GR_ADDS_SQUARED &&
        gr_adds_of(s->metric) != GR_ADDS_ABSOLUTE)
        return gr_settings_fail(s, GR_KEY_find_law, error,
                                "laws are of numbers; expected metric mse, rmse, r2, mae or sae");
    if (s->law_every && !s->find_law)
        return gr_settings_fail(s, GR_KEY_law_every, error,
                                "law-every without find-law; expected find-law: true");
    if (s->linear_scaling && gr_adds_of(s->metric) != GR_ADDS_SQUARED)
        return gr_settings_fail(s, GR_KEY_linear_scaling, error,
                                "linear-scaling does not fit the metric; expected metric mse, "
                                "rmse or r2");
    if (s->metric == GR_METRIC_MISCLASSIFIED && s->class_rule == GR_CLASS_THRESHOLDS && !thresholds)
        return gr_settings_fail(s, GR_KEY_class_rule, error,
                                "class-rule thresholds without thresholds; expected e.g. "
                                "thresholds: 0.5, 1.5");
    int fitted = s->class_rule == GR_CLASS_FITTED, ranked = s->class_rule == GR_CLASS_ARGMAX;
    if ((fitted || ranked) && s->metric != GR_METRIC_MISCLASSIFIED)
        return gr_settings_fail(s, GR_KEY_class_rule, error,
                                "class-rule %s does not fit the metric; expected metric "
                                "misclassified",
                                fitted ? "fitted" : "argmax");
    if ((fitted || ranked) && thresholds)
        return gr_settings_fail(s, GR_KEY_thresholds, error,
                                "thresholds beside class-rule %s; expected one of them",
                                fitted ? "fitted" : "argmax");
    if (s->diversity && s->class_rule == GR_CLASS_FITTED)
        return gr_settings_fail(s, GR_KEY_diversity, error,
                                "diversity beside class-rule fitted, whose thresholds are fitted "
                                "later; expected another class-rule");
    if (s->metric == GR_METRIC_BALANCED && thresholds > 1)
        return gr_settings_fail(s, GR_KEY_thresholds, error,
                                "%lu thresholds for balanced-accuracy; expected at most one",
                                (unsigned long)thresholds);
    return GR_OK;
}

/* Constants are fitted by squares, in the arithmetic of the core. */
static gr_status check_constants(const gr_settings *s, gr_error *error) {
    gr_key key = GR_KEY_optimise_constants;
    if (s->weighted_inputs && *s->boolean)
        return gr_settings_fail(s, GR_KEY_weighted_inputs, error,
                                "weighted-inputs are numbers; expected no boolean problem");
    if (s->weighted_inputs && !s->optimise_constants)
        return gr_settings_fail(s, GR_KEY_weighted_inputs, error,
                                "weights that nobody fits stay 1; expected optimise-constants "
                                "elites, share or all");
    if (!s->optimise_constants)
        return GR_OK;
    if (s->optimise_constants == GR_OPTIMISE_ELITES && s->replacement == GR_REPLACE_WORST)
        return gr_settings_fail(s, key, error,
                                "in a steady state all who stay are copies; expected "
                                "optimise-constants share or all");
    if (gr_adds_of(s->metric) != GR_ADDS_SQUARED)
        return gr_settings_fail(s, key, error,
                                "constants are fitted by squared errors; expected metric mse, rmse "
                                "or r2");
    return GR_OK;
}

static bool adds_distances(uint32_t metric) {
    uint32_t adds = gr_adds_of(metric);
    return adds == GR_ADDS_SQUARED || adds == GR_ADDS_ABSOLUTE;
}

/* Probe cases have no target, and tell of a program by an infinite error alone. */
static gr_status check_probes(const gr_settings *s, gr_error *error) {
    bool looks = s->selection == GR_SELECT_LEXICASE || s->selection == GR_SELECT_EPSILON_LEXICASE;
    uint32_t metric = s->metric == GR_AUTO ? GR_METRIC_RMSE : s->metric;
    gr_objectives o;
    if (!s->probe_cases)
        return GR_OK;
    gr_status status = gr_settings_objectives(s, &o, error);
    for (uint32_t k = 0; !status && k < o.count; k++)
        if (o.kind[k] == GR_OBJECTIVE_METRIC && !adds_distances(o.metric))
            metric = o.metric;
    if (status)
        return status;
    if (*s->boolean || !adds_distances(metric))
        return gr_settings_fail(s, GR_KEY_probe_cases, error,
                                "probe-cases with %s; expected metrics that add up distances, as "
                                "rmse or mae",
                                *s->boolean ? "a truth table" : "another metric");
    if (looks || s->case_sampling != GR_SAMPLING_NONE)
        return gr_settings_fail(s, GR_KEY_probe_cases, error,
                                "probe-cases beside %s; expected one of them",
                                looks ? "selection by cases" : "case-sampling");
    return GR_OK;
}

bool gr_settings_next_card(const char **at, unsigned long *card) {
    char *end;
    if (**at < '0' || **at > '9') /* strtoul would take a sign */
        return false;
    *card = strtoul(*at, &end, 10);
    *at = end + (*end == ',' && end[1]);
    return true;
}

/* How many GPUs there are is asked when the run is opened. */
static gr_status check_devices(const gr_settings *s, gr_error *error) {
    const char *at = s->devices;
    unsigned long card;
    if (strcmp(at, "all") == 0)
        return GR_OK;
    while (gr_settings_next_card(&at, &card))
        ;
    return *at ? gr_settings_fail(s, GR_KEY_devices, error,
                                  "devices is '%.*s', and it counts CUDA devices; expected all, or "
                                  "their numbers as 0,2,3; the CPU is device: cpu",
                                  GR_CUT(s->devices, 80))
               : GR_OK;
}

/* With memory for its own individuals alone an engine changes no others. */
static gr_status check_spread_memory(const gr_settings *s, gr_error *error) {
    const char *beside = s->optimise_constants                      ? "optimise-constants"
                         : s->mutate_duplicates                     ? "mutate-duplicates"
                         : s->archive                               ? "archive"
                         : s->selection == GR_SELECT_NSGA2          ? "selection nsga2"
                         : s->unique                                ? "unique"
                         : s->invalid == GR_INVALID_REDRAWN         ? "invalid redrawn"
                         : s->restart_after != GR_AUTO              ? "restart-after"
                         : s->islands > 1 && s->migration_every > 0 ? "migration"
                                                                    : NULL;
    if (!beside)
        return GR_OK;
    return gr_settings_fail(s, GR_KEY_spread, error,
                            "spread memory beside %s, which changes individuals wherever they "
                            "stand; expected spread population, or a run without it",
                            beside);
}

/* What engines tell each other of their cases are sums. */
static gr_status check_spread(const gr_settings *s, gr_error *error) {
    if (s->spread == GR_SPREAD_MEMORY)
        return check_spread_memory(s, error);
    if (s->spread != GR_SPREAD_CASES)
        return GR_OK;
    if (s->selection == GR_SELECT_LEXICASE || s->selection == GR_SELECT_EPSILON_LEXICASE)
        return gr_settings_fail(s, GR_KEY_spread, error,
                                "spread cases beside lexicase selection, which looks at the errors "
                                "of single cases; expected another selection, or spread auto");
    if (s->optimise_constants)
        return gr_settings_fail(s, GR_KEY_spread, error,
                                "spread cases beside optimise-constants, which needs derivatives "
                                "on all cases at every step; expected none, or spread auto");
    return GR_OK;
}

/* Genomes are mutated until their phenotype is new, or nobody can be. */
static gr_status check_duplicates(const gr_settings *s, gr_error *error) {
    double other = s->codon_duplication + s->codon_deletion;
    if (!s->mutate_duplicates)
        return GR_OK;
    if (s->genotype == GR_TREE)
        return gr_settings_fail(s, GR_KEY_mutate_duplicates, error,
                                "duplicates are found by the phenotypes of genomes; expected "
                                "genotype grammar or structured");
    if (s->codon_mutation == 0 && !s->mutation_events && !(s->subtree_mutation > 0) && !(other > 0))
        return gr_settings_fail(s, GR_KEY_mutate_duplicates, error,
                                "mutate-duplicates without a mutation; expected codon-mutation, "
                                "mutation-events or subtree-mutation");
    return GR_OK;
}

gr_status gr_settings_resolve(gr_settings *settings, gr_error *error) {
    static gr_status (*const checks[])(const gr_settings *, gr_error *) = {
        check_problem,    check_split,        check_population,    check_seed,
        check_folder,     gr_check_limits,    check_genotype,      check_fitness,
        gr_check_targets, check_devices,      check_constants,     check_probes,
        check_spread,     gr_check_variation, gr_check_objectives, gr_check_once,
        check_duplicates, gr_check_precision};
    gr_status status = fill_autos(settings, error);
    for (size_t i = 0; status == GR_OK && i < sizeof checks / sizeof *checks; i++)
        status = checks[i](settings, error);
    return status;
}
