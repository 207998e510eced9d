#include "host/problem/run_grammar.h"

#include "gpu/core/genotype/depth_first.h"
#include "gpu/core/genotype/pi_grow.h"
#include "gpu/core/program/expression.h"
#include "gpu/core/selection/diversity.h"
#include "host/base/sort.h"
#include "host/base/text.h"
#include "host/grammar/facts.h"
#include "host/problem/largest_phenotype.h"
#include "host/units/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPANSIONS_A_GENE = 4, LONGEST_GENOME = 1000000 }; /* gene_lists.c; settings.def */

/* How long genomes have to be for a derivation of so many codons; of so many expansions, where it
 * is not read depth first and these are what is limited. */
static uint64_t length_for(const gr_params *p, uint64_t codons) {
    uint64_t readings = p->max_wraps + 1ull;
    if (p->convention & GR_LISTS)
        return (codons + EXPANSIONS_A_GENE - 1) / EXPANSIONS_A_GENE;
    if (p->convention & GR_POSITION_INDEPENDENT)
        return readings > 1 || p->convention & GR_LAZY ? codons : 2 * codons - 1;
    return (codons + readings - 1) / readings;
}

/* Whether the longest genome has what the shortest derivation takes; else nobody can be valid. */
static gr_status check_length(const gr_settings *settings, const gr_problem *problem,
                              gr_error *error) {
    const gr_params *p = &problem->job.params;
    uint32_t longest = settings->max_genome_length, least;
    uint32_t expands = gr_is_non_depth_first(p->convention);
    gr_status status = gr_count_least_codons(problem->grammar, expands ? 0 : p->convention,
                                             longest / 2, &least, error);
    uint64_t needed = status ? 0 : length_for(p, least);
    if (status || needed <= longest)
        return status;
    char expected[40] = "a grammar of shorter sentences";
    if (needed <= LONGEST_GENOME)
        snprintf(expected, sizeof expected, "at least %llu", (unsigned long long)needed);
    return gr_settings_fail(settings, GR_KEY_max_genome_length, error,
                            "max-genome-length %u is too short for the grammar's shortest "
                            "derivation, which takes %u%s %s; expected %s",
                            longest, least, least == UINT32_MAX ? " or more" : "",
                            expands ? "expansions" : "codons", expected);
}

/* The same of the nodes that a derivation may have. */
static gr_status check_nodes(const gr_settings *settings, const gr_problem *problem,
                             gr_error *error) {
    uint32_t most = settings->max_derivation_nodes, least;
    gr_status status = most ? gr_count_least_nodes(problem->grammar, most, &least, error) : GR_OK;
    if (status || !most || least <= most)
        return status;
    return gr_settings_fail(settings, GR_KEY_max_derivation_nodes, error,
                            "max-derivation-nodes %u is less than the grammar's smallest "
                            "derivation; expected at least %u",
                            most, least);
}

int gr_deeper_than_asked(const gr_settings *settings, const gr_params *p, char out[GR_DEEPER]) {
    int named = settings->origin[GR_KEY_init_max_depth].from != GR_FROM_DEFAULT;
    int grows = gr_first_genome_kind(p->initialisation) != GR_GENOMES_NONE &&
                p->initialisation != GR_INIT_PTC2;
    if (p->genotype == GR_TREE || !named || !grows || settings->init_max_depth >= p->init_max_depth)
        return 0;
    snprintf(out, GR_DEEPER,
             "init-max-depth is %u, but the grammar's shortest derivation has a depth of %u: first "
             "individuals have it too",
             settings->init_max_depth, p->init_max_depth);
    return 1;
}

/* The start rule's shortest derivation, and what its productions ask of the codons. */
gr_status gr_check_derivations(const gr_settings *settings, gr_params *p, const uint32_t *g,
                               gr_error *error) {
    uint32_t depth = 0xffffu, most = 0;
    for (uint32_t i = gr_rule_first(g, 0); i < gr_rule_first(g, 1); i++)
        depth = gr_min_u32(depth, GR_PRODUCTION_DEPTH(gr_production(g, i)));
    if (g[GR_G_RULES] > GR_PI_GROW_RULES && gr_grows_anywhere(p))
        return gr_settings_fail(settings, GR_KEY_initialisation, error,
                                "initialisation pi-grow or ptc2 for %u rules; expected at most %d",
                                g[GR_G_RULES], GR_PI_GROW_RULES);
    for (uint32_t rule = 0; rule < g[GR_G_RULES]; rule++)
        most = gr_max_u32(most, gr_rule_first(g, rule + 1) - gr_rule_first(g, rule));
    if (p->max_depth < depth + 1)
        return gr_settings_fail(
            settings, GR_KEY_max_depth, error,
            "max-depth %u is less than the grammar's shortest derivation; expected at least %u",
            p->max_depth, depth + 1);
    if (p->codon_size + 1 < most && !(p->convention & GR_LISTS))
        return gr_settings_fail(
            settings, GR_KEY_codon_size, error,
            "codon-size %u cannot choose among %u productions; expected at least %u", p->codon_size,
            most, most - 1);
    p->init_min_depth = gr_max_u32(p->init_min_depth, depth + 1);
    p->init_max_depth = gr_max_u32(p->init_max_depth, p->init_min_depth);
    return GR_OK;
}

static gr_status check_grammar(const gr_settings *settings, gr_params *p, const uint32_t *g,
                               gr_error *error) {
    gr_status status = gr_check_derivations(settings, p, g, error);
    if (!status)
        status = gr_bound_expressions(p, g, error);
    if (p->crossover == GR_CROSSOVER_SUBTREE || p->subtree_mutation > 0.0f)
        p->rule_words = (g[GR_G_RULES] + 31) / 32;
    return status;
}

/* The first depth that has more derivations of its own than fall to a depth of the whole ramp: as
 * PonyGE2 begins its ramp, lest a depth has few sentences to offer. */
static gr_status begin_ramp(gr_params *p, const gr_grammar *grammar, gr_error *error) {
    uint32_t depth = p->init_min_depth, deepest = p->init_max_depth;
    uint32_t even = p->population + p->population % 2;
    uint32_t depths = gr_max_u32(1, gr_min_u32(deepest - depth + 2, even / 2));
    gr_count *count = calloc(deepest + 1, sizeof *count);
    gr_status status = count ? gr_count_derivations(grammar, deepest, 0, count, error)
                             : gr_fail(error, GR_NO_MEMORY, "no memory to count derivations");
    while (!status && depth < deepest && count[depth].is_exact &&
           count[depth].exact - count[depth - 1].exact <= even / depths)
        depth++;
    p->init_min_depth = depth;
    free(count);
    return status;
}

/* Different values among n, for GE_RANGE:dataset_n_is and _n_os; sorts them. */
static uint32_t count_values(float *value, uint64_t n) {
    uint64_t different = n > 0;
    gr_sort_floats(value, n);
    for (uint64_t i = 1; i < n; i++)
        different += value[i] != value[i - 1];
    return different < UINT32_MAX ? (uint32_t)different : UINT32_MAX;
}

/* The same in columns of doubles, from `first` on; false: no memory. */
static bool count_doubles(const gr_dataset *set, uint32_t first, uint32_t columns,
                          uint32_t *count) {
    uint64_t n = columns * set->cases, different = n > 0;
    double *value = malloc((n + 1) * sizeof *value);
    if (!value)
        return false;
    for (uint64_t i = 0; i < n; i++)
        value[i] = gr_dataset_value(set, first + (uint32_t)(i / set->cases), i % set->cases);
    gr_sort_doubles(value, n);
    for (uint64_t i = 1; i < n; i++)
        different += value[i] != value[i - 1];
    free(value);
    *count = different < UINT32_MAX ? (uint32_t)different : UINT32_MAX;
    return true;
}

/* Both counts of a set. */
static gr_status count_symbols(const gr_dataset *set, gr_grammar_context *context,
                               gr_error *error) {
    if (set->doubles)
        return count_doubles(set, 0, set->inputs, &context->n_is) &&
                       count_doubles(set, set->inputs, 1, &context->n_os)
                   ? GR_OK
                   : gr_fail(error, GR_NO_MEMORY, "no memory to count the values of %llu case%s",
                             (unsigned long long)set->cases, gr_s(set->cases));
    float *inputs = gr_dataset_columns(set), *target = malloc((set->cases + 1) * sizeof *target);
    gr_status status = GR_OK;
    if (inputs && target) {
        memcpy(target, set->y, set->cases * sizeof *target);
        context->n_is = count_values(inputs, set->inputs * set->cases);
        context->n_os = count_values(target, set->cases);
    } else
        status = gr_fail(error, GR_NO_MEMORY, "no memory to count the values of %llu case%s",
                         (unsigned long long)set->cases, gr_s(set->cases));
    free(inputs);
    free(target);
    return status;
}

/* From the text of a caller, the file of the settings, or their units. */
static gr_status read_grammar(const gr_settings *settings, const gr_dataset *set,
                              const gr_grammar_context *context, gr_grammar **grammar,
                              gr_error *error) {
    const char *text = settings->given ? settings->given->grammar : NULL;
    if (text)
        return gr_grammar_parse(text, strlen(text), "grammar", context, grammar, error);
    if (*settings->grammar)
        return gr_grammar_load(settings->grammar, context, grammar, error);
    char *made;
    gr_status status = gr_units_grammar(settings, (const char *const *)set->names, set->inputs,
                                        set->target_name, &made, error);
    if (!status)
        status = gr_grammar_parse(made, strlen(made), "units", context, grammar, error);
    free(made);
    return status;
}

/* What GE_RANGE:dataset_... stands for. Symbols are counted only when the grammar asks: a first
 * load says so, and is no failure of the run. */
static gr_status load_grammar(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    const gr_dataset *set = &problem->train;
    gr_grammar_context context = {
        .n_vars = gr_named_inputs(&problem->job.params),
        .n_is = settings->n_is ? settings->n_is : 2u * (uint32_t)set->packed,
        .n_os = settings->n_os ? settings->n_os : 2u * (uint32_t)set->packed,
        .codon_size = settings->codon_size};
    gr_error asks = {GR_OK, ""};
    gr_status status = read_grammar(settings, set, &context, &problem->grammar, &asks);
    if (!status)
        return GR_OK;
    if (!strstr(asks.text, "has no value here"))
        return gr_fail(error, status, "%s", asks.text);
    gr_grammar_context counted = context;
    status = count_symbols(set, &counted, error);
    context.n_is = context.n_is ? context.n_is : counted.n_is;
    context.n_os = context.n_os ? context.n_os : counted.n_os;
    return status ? status : read_grammar(settings, set, &context, &problem->grammar, error);
}

/* Lists of genes are as long in every individual. */
static gr_status plan_non_depth_first(gr_params *p, gr_grammar *grammar, gr_error *error) {
    gr_status status = gr_grammar_plan_non_depth_first(grammar, p->convention, p->max_depth,
                                                       p->max_wraps, p->genome_capacity, error);
    if (!status && p->convention & GR_LISTS) {
        p->genome_capacity = p->init_length = gr_max_u32(1, gr_grammar_genes(grammar));
        p->crossover_within_used = 0;
    }
    return status;
}

/* Whether a grammar has c[i], which then alone are fitted. */
static uint32_t has_free_constants(const uint32_t *g) {
    uint32_t found = 0;
    for (uint32_t t = 0; t < g[GR_G_TOKENS]; t++) {
        uint32_t kind = GR_TOKEN_KIND(gr_token_word(g, t, 0)), operand = gr_token_word(g, t, 1);
        found |= (kind == GR_T_INDEX && operand) ||
                 (kind == GR_T_CONSTANT && gr_free_index(operand) < GR_FREE_CONSTANTS);
    }
    return found;
}

static bool has_function(const uint32_t *g, uint32_t op) {
    bool found = false;
    for (uint32_t t = 0; t < g[GR_G_TOKENS]; t++)
        found |=
            GR_TOKEN_KIND(gr_token_word(g, t, 0)) == GR_T_FUNCTION && gr_token_word(g, t, 1) == op;
    return found;
}

/* Several targets want targets(...), which has no meaning for one; an output for every class
 * argmax(...), without which the one output would be held to the numbers of the classes. */
static gr_status check_outputs(const gr_settings *settings, const gr_params *p, const uint32_t *g,
                               gr_error *error) {
    bool found = has_function(g, GR_TARGETS);
    bool ranks = settings->class_rule == GR_CLASS_ARGMAX && !has_function(g, GR_ARGMAX);
    if (ranks && *settings->units && !*settings->grammar)
        return gr_settings_fail(settings, GR_KEY_class_rule, error,
                                "class-rule argmax, but the grammar that units make has one "
                                "output; expected genotype tree, or another class-rule");
    if (ranks)
        return gr_settings_fail(settings, GR_KEY_class_rule, error,
                                "class-rule argmax for a grammar without argmax(...); expected a "
                                "start rule as <p> ::= argmax(<e>, <e>, <e>), or another "
                                "class-rule");
    if (p->outputs && !found)
        return gr_settings_fail(settings, GR_KEY_grammar, error,
                                "no targets(...) of %u outputs; expected a start rule as <p> ::= "
                                "targets(<e>, <e>)",
                                p->outputs);
    if (!p->outputs && found)
        return gr_settings_fail(settings, GR_KEY_grammar, error,
                                "targets(...) for one target; expected targets: A, B, ... or a "
                                "grammar without it");
    return GR_OK;
}

gr_status gr_make_grammar(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    gr_status status = load_grammar(settings, problem, error);
    if (!status)
        status = gr_grammar_tokenise(problem->grammar, &problem->vocabulary, error);
    if (!status && gr_is_non_depth_first(problem->job.params.convention))
        status = plan_non_depth_first(&problem->job.params, problem->grammar, error);
    else if (!status && problem->job.params.convention & GR_LAZY)
        status = gr_grammar_check_lazy(problem->grammar, error);
    if (status)
        return status;
    problem->job.grammar = gr_grammar_tables(problem->grammar, &problem->job.grammar_words);
    problem->job.params.free_constants = has_free_constants(problem->job.grammar);
    status = check_outputs(settings, &problem->job.params, problem->job.grammar, error);
    if (!status)
        status = check_grammar(settings, &problem->job.params, problem->job.grammar, error);
    if (!status)
        status = check_length(settings, problem, error);
    if (!status)
        status = check_nodes(settings, problem, error);
    return status || !settings->distinct_ramp
               ? status
               : begin_ramp(&problem->job.params, problem->grammar, error);
}

gr_status gr_hash_terminals(gr_problem *problem, gr_error *error) {
    const uint32_t *g = problem->job.grammar;
    uint32_t count = g ? g[GR_G_TERMINALS] : 0;
    gr_text_hash *hash = calloc(count + 1ull, sizeof *hash);
    if (!hash)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u terminals", count);
    for (uint32_t k = 0; k < count; k++) {
        size_t length;
        const char *text = gr_grammar_terminal(problem->grammar, k, &length);
        hash[k] = gr_no_text();
        for (size_t i = 0; i < length; i++)
            hash[k] = gr_text_joined(hash[k], gr_text_of_byte((unsigned char)text[i]));
    }
    problem->terminals = hash;
    problem->job.terminals = hash;
    problem->job.terminal_count = count;
    return GR_OK;
}
