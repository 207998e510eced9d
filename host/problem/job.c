#include "host/problem/job.h"

#include "gpu/backend/memory.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/genotype/depth_first.h"
#include "gpu/core/genotype/pi_grow.h"
#include "gpu/core/program/expression.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/once.h"
#include "host/base/sort.h"
#include "host/derivation/phenotype.h"
#include "host/grammar/facts.h"
#include "host/problem/cases.h"
#include "host/problem/prepared.h"
#include "host/problem/seeds.h"
#include "host/problem/shown_fitness.h"
#include "host/problem/validation.h"
#include "host/problem/variation_params.h"
#include "host/settings/variation.h"
#include "host/units/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the sets take once they are tiles, and took at most till then: while they were read, or
 * while the one, then the other was laid out. */
static gr_loaded describe_loaded(const gr_problem *problem) {
    const gr_dataset *train = &problem->train, *test = &problem->test;
    size_t columns[2] = {gr_dataset_bytes(train), gr_dataset_bytes(test)}, tiles[2] = {0, 0};
    gr_loaded loaded = {.most = train->most};
    for (int k = 0; k < 2; k++) {
        const gr_dataset *set = k ? test : train;
        gr_dataset laid_out = *set;
        laid_out.x = NULL, laid_out.wx = NULL;
        loaded.targets += gr_dataset_bytes(&laid_out);
        tiles[k] = set->cases ? gr_dataset_tile_bytes(set) : 0;
        if (set->tiles) /* they were made so */
            columns[k] += tiles[k];
    }
    loaded.tiles = tiles[0] + tiles[1];
    size_t first = columns[0] + columns[1] + (train->tiles ? 0 : tiles[0]);
    size_t second = loaded.targets + loaded.tiles + columns[1];
    gr_dataset laid_out = *test;
    laid_out.x = NULL, laid_out.wx = NULL;
    second -= gr_dataset_bytes(&laid_out) + (test->tiles ? tiles[1] : 0);
    if (problem->job.params.linear_scaling)
        loaded.targets +=
            (problem->job.params.train_chunks + (size_t)problem->job.params.test_chunks) *
            sizeof *problem->targets;
    loaded.most = loaded.most > first ? loaded.most : first;
    loaded.most = loaded.most > second ? loaded.most : second;
    if (loaded.most < loaded.targets + loaded.tiles)
        loaded.most = loaded.targets + loaded.tiles;
    return loaded;
}

/* The same of cases with weights. */
static void describe_weighed(gr_params *p, const gr_dataset *set, int which) {
    double sum = 0.0, ss = 0.0, weight = 0.0, positives = 0.0;
    for (uint64_t i = 0; i < set->cases; i++) {
        weight += (double)set->w[i];
        sum += (double)set->w[i] * (double)set->y[i];
        positives += set->y[i] > 0.0f ? (double)set->w[i] : 0.0;
    }
    p->case_weights = 1;
    p->weight[which] = weight;
    p->positives[which] = positives;
    p->target_mean[which] = sum / weight;
    for (uint64_t i = 0; i < set->cases; i++) {
        double d = (double)set->y[i] - p->target_mean[which];
        ss += (double)set->w[i] * (d * d);
    }
    p->target_ss[which] = ss;
    if (which)
        return;
    p->bin_scale = gr_bin_scale(weight);
    for (uint64_t i = 0; i < set->cases; i++)
        p->bin_total += gr_bin_weight(p->bin_scale, set->w[i]);
}

/* Positives of a target and, for the fitness that asks for them, its mean and the squares about it:
 * one after the other, in double, which takes a while. */
static void describe_target(gr_params *p, const gr_dataset *set, int which) {
    double sum = 0.0, ss = 0.0;
    uint32_t positives = 0;
    if (set->packed || !set->cases)
        return;
    if (set->w) {
        describe_weighed(p, set, which);
        return;
    }
    for (uint64_t i = 0; i < set->cases; i++)
        positives += set->y[i] > 0.0f;
    p->positives[which] = positives;
    p->last_share[which] = gr_last_share((uint32_t)set->cases);
    if (p->metric != GR_METRIC_R2 && !p->linear_scaling)
        return;
    for (uint64_t i = 0; i < set->cases; i++)
        sum += (double)set->y[i];
    p->target_mean[which] = sum / (double)set->cases;
    for (uint64_t i = 0; i < set->cases; i++) {
        double d = (double)set->y[i] - p->target_mean[which];
        ss += d * d;
    }
    p->target_ss[which] = ss;
}

enum { GR_MOST_CLASSES = 4096 };

/* Different labels of both sets, or one more than there may be; 0: no memory. */
static uint32_t count_labels(const gr_dataset *const set[2]) {
    float *label = malloc((GR_MOST_CLASSES + 1) * sizeof *label); /* rising */
    uint32_t count = 0;
    for (uint32_t which = 0; label && which < 2; which++)
        for (uint64_t i = 0; i < set[which]->cases && count <= GR_MOST_CLASSES; i++) {
            float y = set[which]->y[i];
            uint32_t low = 0, high = count;
            while (low < high) {
                uint32_t middle = (low + high) / 2;
                if (label[middle] < y)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low < count && label[low] == y)
                continue;
            memmove(label + low + 1, label + low, (count++ - low) * sizeof *label);
            label[low] = y;
        }
    free(label);
    return count;
}

static gr_status check_classes(const gr_settings *settings, const gr_problem *problem,
                               gr_error *error) {
    const gr_dataset *const set[2] = {&problem->train, &problem->test};
    uint32_t count = count_labels(set);
    if (!count)
        return gr_fail(error, GR_NO_MEMORY, "no memory to count labels");
    if (count > GR_MOST_CLASSES)
        return gr_settings_fail(settings, GR_KEY_metric, error,
                                "misclassified for more than %d different labels; expected at "
                                "most that, or a metric of numbers",
                                GR_MOST_CLASSES);
    return GR_OK;
}

/* Labels of metric misclassified: whole numbers; the training cases give the lowest and the highest
 * class. */
static gr_status check_labels(const gr_settings *settings, gr_params *p, const gr_dataset *set,
                              int which, gr_error *error) {
    const char *name = which ? "test" : "training";
    for (uint64_t i = 0; i < set->cases; i++) {
        float label = set->y[i];
        if (label != rintf(label))
            return gr_settings_fail(
                settings, GR_KEY_metric, error,
                "misclassified needs whole numbers as labels; case %llu of the %s target is %g",
                (unsigned long long)i + 1, name, (double)label);
        if (which == 0) {
            p->class_min = i && p->class_min < label ? p->class_min : label;
            p->class_max = i && p->class_max > label ? p->class_max : label;
        }
    }
    if (gr_sum_kind_of(p) == GR_SUM_CLASS_BINS) { /* one between every two labels */
        if (p->class_max - p->class_min > GR_MAX_THRESHOLDS)
            return gr_settings_fail(settings, GR_KEY_class_rule, error,
                                    "class-rule fitted for labels from %g to %g; expected at most "
                                    "%d whole numbers",
                                    (double)p->class_min, (double)p->class_max,
                                    GR_MAX_THRESHOLDS + 1);
        p->thresholds = (uint32_t)(p->class_max - p->class_min);
    }
    for (uint64_t i = 0; p->class_rule == GR_CLASS_SIGN && i < set->cases; i++)
        if (set->y[i] != p->class_min && set->y[i] != p->class_max)
            return gr_settings_fail(settings, GR_KEY_class_rule, error,
                                    "class-rule sign for more than two labels; case %llu of the %s "
                                    "target is %g",
                                    (unsigned long long)i + 1, name, (double)set->y[i]);
    return GR_OK;
}

/* Does the metric have a meaning on this target? */
static gr_status check_target(const gr_settings *settings, gr_params *p, const gr_dataset *set,
                              int which, gr_error *error) {
    const char *name = which ? "test" : "training";
    if (!set->cases)
        return GR_OK;
    if (p->metric == GR_METRIC_BALANCED &&
        (p->positives[which] == 0.0 || p->positives[which] == gr_cases_count(p, (uint32_t)which)))
        return gr_settings_fail(
            settings, GR_KEY_metric, error,
            "balanced-accuracy needs both classes in the %s target; expected labels above 0 "
            "and others",
            name);
    if (p->metric == GR_METRIC_R2 && !(p->target_ss[which] > 0.0))
        return gr_settings_fail(
            settings, GR_KEY_metric, error,
            "r2 has no meaning for a constant %s target; expected another metric", name);
    return p->metric == GR_METRIC_MISCLASSIFIED ? check_labels(settings, p, set, which, error)
                                                : GR_OK;
}

/* Cases that are made take time: refuses those that will not fit, before. Two columns there are in
 * any problem: as tiles, the target once more and, on the CPU, the tiles in the arena, there a sum
 * of every individual and chunk too. */
static gr_status check_made(const gr_settings *settings, const gr_params *p, gr_error *error) {
    double cases = (double)settings->train_cases + settings->test_cases, bytes = 12 * cases;
    char what[96];
#ifdef GRAMPUS_CUDA
    int cpu = settings->device == GR_DEVICE_CPU;
#else
    int cpu = 1;
#endif
    if (cpu)
        bytes += 8 * cases;
    if (cpu && settings->case_sampling == GR_SAMPLING_NONE)
        bytes += settings->train_cases / GR_CHUNK * (8.0 * p->individuals);
    snprintf(what, sizeof what, "%.0f cases for %u individuals", cases, p->individuals);
    return gr_memory_check(bytes, what, error);
}

/* All sets have weights as soon as one has: tiles are as large. Those in arrays have them already.
 */
static gr_status weigh_all(gr_problem *problem, gr_error *error) {
    gr_dataset *set[3] = {&problem->train, &problem->test, &problem->validation};
    gr_status status = GR_OK;
    int weighed = set[0]->w || set[1]->w || set[2]->w;
    for (int k = 0; k < 3 && weighed && !status; k++)
        if (!set[k]->w)
            status = gr_dataset_weigh(set[k], error);
    return status;
}

static gr_status make_data(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    gr_params *p = &problem->job.params;
    gr_status status = check_made(settings, p, error);
    if (!status)
        status = gr_dataset_make(settings, &problem->train, &problem->test, error);
    if (!status && *settings->prepare)
        status = gr_prepare_inputs(settings, &problem->train, &problem->test, error);
    if (!status && settings->validation_fraction > 0)
        status = gr_hold_out_validation(settings, problem, error);
    if (status)
        return status;
    const gr_dataset *train = &problem->train, *test = &problem->test;
    status = weigh_all(problem, error);
    if (status)
        return status;
    if (train->inputs >= 1u << 20) /* an input's offset in a tile is counted in 32 bits of bytes */
        return gr_fail(error, GR_BAD_INPUT, "%u inputs are too many; expected fewer than 2^20",
                       train->inputs);
    p->inputs = train->inputs;
    p->packed = (uint32_t)train->packed;
    p->train_cases = (uint32_t)train->cases;
    p->test_cases = (uint32_t)test->cases;
    p->train_chunks = gr_dataset_chunks(train);
    p->test_chunks = gr_dataset_chunks(test);
    problem->loaded = describe_loaded(problem);
    status = gr_dataset_tile(&problem->train, settings->threads, error);
    if (!status && test->cases)
        status = gr_dataset_tile(&problem->test, settings->threads, error);
    if (status)
        return status;
    problem->train_tiles = train->tiles;
    problem->test_tiles = test->tiles;
    describe_target(p, train, 0);
    describe_target(p, test, 1);
    if (p->linear_scaling &&
        !(problem->targets =
              malloc((p->train_chunks + (size_t)p->test_chunks) * sizeof *problem->targets)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for the targets of %u fitness cases",
                       p->train_cases + p->test_cases);
    if (p->linear_scaling) {
        gr_chunk_targets(p, problem->train_tiles, p->train_cases, p->target_mean[0],
                         problem->targets);
        gr_chunk_targets(p, problem->test_tiles, p->test_cases, p->target_mean[1],
                         problem->targets + p->train_chunks);
    }
    problem->vocabulary.names = (const char *const *)train->names;
    problem->vocabulary.inputs = train->inputs;
    problem->vocabulary.packed = train->packed;
    status = check_target(settings, p, train, 0, error);
    if (!status)
        status = check_target(settings, p, test, 1, error);
    return status || p->metric != GR_METRIC_MISCLASSIFIED ? status
                                                          : check_classes(settings, problem, error);
}

static gr_status make_functions(const gr_settings *settings, gr_params *p, gr_error *error) {
    gr_status status = gr_settings_functions(settings, p->function, &p->functions, error);
    if (status)
        return status;
    uint32_t k = 0;
    for (uint32_t arity = 0; arity < 5; arity++) {
        while (k < p->functions && gr_arity(p->function[k]) < arity)
            k++;
        p->arity_first[arity] = (uint8_t)k;
    }
    return GR_OK;
}

/* Types of trees, where the smallest one fits the limits. */
static gr_status make_types(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    gr_params *p = &problem->job.params;
    const gr_dataset *train = &problem->train;
    const gr_typing of = {settings,      (const char *const *)train->names,
                          train->inputs, train->target_name,
                          p->function,   p->functions};
    gr_status status = gr_make_types(&of, &problem->types, &problem->job.type_words, error);
    problem->job.types = problem->types;
    return status;
}

/* Whether `math: fast` would change anything: any operation in use beyond the cheap ones. */
static uint32_t math_matters(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    const uint32_t *g = problem->job.grammar;
    uint32_t costly = 0;
    for (uint32_t k = 0; k < p->functions; k++)
        costly |= gr_cost_class(p->function[k]) != GR_CHEAP;
    for (uint32_t t = 0; g && t < g[GR_G_TOKENS]; t++) {
        uint32_t kind = GR_TOKEN_KIND(gr_token_word(g, t, 0)), operand = gr_token_word(g, t, 1);
        if (kind == GR_T_FUNCTION || kind == GR_T_OPERATOR)
            costly |= gr_cost_class(operand & 0xffu) != GR_CHEAP;
    }
    return costly;
}

/* What one production can add at most: tokens that become nodes, and tokens that wait on the
 * parser's stack. */
static void count_tokens(const uint32_t *g, uint32_t production, uint64_t *nodes, uint64_t *open) {
    for (uint32_t k = gr_symbol_first(g, production); k < gr_symbol_first(g, production + 1); k++) {
        uint32_t symbol = gr_symbol(g, k);
        if (symbol & GR_NONTERMINAL)
            continue;
        for (uint32_t t = gr_token_first(g, symbol); t < gr_token_first(g, symbol + 1); t++) {
            uint32_t kind = GR_TOKEN_KIND(gr_token_word(g, t, 0));
            *nodes +=
                kind != GR_T_SPACE && kind != GR_T_OPEN && kind != GR_T_CLOSE && kind != GR_T_COMMA;
            *open += kind == GR_T_OPEN || kind == GR_T_FUNCTION || kind == GR_T_OPERATOR ||
                     kind == GR_T_IF;
        }
    }
}

/* A genome cannot map to more than its codons can bring: where that is less than max-nodes, less
 * memory does. A folding list writes an operation for every operand behind the first, so two nodes
 * a token at most. */
static void bound_nodes(gr_params *p, const uint32_t *g) {
    uint64_t nodes = 1, open = 1, codons = (uint64_t)p->genome_capacity * (p->max_wraps + 1);
    for (uint32_t production = 0; production < g[GR_G_PRODUCTIONS]; production++) {
        uint64_t n = 0, o = 0;
        count_tokens(g, production, &n, &o);
        nodes = n > nodes ? n : nodes;
        open = o > open ? o : open;
    }
    uint64_t nesting = (uint64_t)p->max_nodes + 64;
    int bounded = !(p->convention & GR_LAZY); /* lazy expansions cost nothing */
    if (gr_is_non_depth_first(p->convention)) {
        codons = g[GR_G_EXPANSIONS];
        bounded = 1;
    }
    p->max_nesting = (uint32_t)(bounded && codons * open < nesting ? codons * open : nesting);
    if (bounded && codons * 2 * nodes < p->max_nodes)
        p->max_nodes = (uint32_t)(codons * 2 * nodes);
}

/* The start rule's shortest derivation, and what its productions ask of the codons. */
static gr_status check_grammar(const gr_settings *settings, gr_params *p, const uint32_t *g,
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
    bound_nodes(p, g);
    if (p->crossover == GR_CROSSOVER_SUBTREE || p->subtree_mutation > 0.0f)
        p->rule_words = (g[GR_G_RULES] + 31) / 32;
    p->init_min_depth = gr_max_u32(p->init_min_depth, depth + 1);
    p->init_max_depth = gr_max_u32(p->init_max_depth, p->init_min_depth);
    return GR_OK;
}

/* The first depth that has more derivations of its own than fall to a depth of the whole ramp: as
 * PonyGE2 begins its ramp, lest a depth has few sentences to offer. */
static gr_status begin_ramp(gr_params *p, const gr_grammar *grammar, gr_error *error) {
    uint32_t depth = p->init_min_depth, deepest = p->init_max_depth;
    uint32_t even = p->population + p->population % 2;
    uint32_t depths = gr_max_u32(1, gr_min_u32(deepest - depth + 2, even / 2));
    gr_count *count = calloc(deepest + 1, sizeof *count);
    gr_status status = count ? gr_count_derivations(grammar, deepest, count, error)
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

/* Both counts of a set. */
static gr_status count_symbols(const gr_dataset *set, gr_grammar_context *context,
                               gr_error *error) {
    float *inputs = gr_dataset_columns(set), *target = malloc((set->cases + 1) * sizeof *target);
    gr_status status = GR_OK;
    if (inputs && target) {
        memcpy(target, set->y, set->cases * sizeof *target);
        context->n_is = count_values(inputs, set->inputs * set->cases);
        context->n_os = count_values(target, set->cases);
    } else
        status = gr_fail(error, GR_NO_MEMORY, "no memory to count the values of %llu cases",
                         (unsigned long long)set->cases);
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
        .n_vars = set->inputs,
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

static gr_status make_grammar(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    gr_status status = load_grammar(settings, problem, error);
    if (!status)
        status = gr_grammar_tokenise(problem->grammar, &problem->vocabulary, error);
    if (!status && gr_is_non_depth_first(problem->job.params.convention))
        status = plan_non_depth_first(&problem->job.params, problem->grammar, error);
    if (status)
        return status;
    problem->job.grammar = gr_grammar_tables(problem->grammar, &problem->job.grammar_words);
    status = check_grammar(settings, &problem->job.params, problem->job.grammar, error);
    return status || !settings->distinct_ramp
               ? status
               : begin_ramp(&problem->job.params, problem->grammar, error);
}

/* The texts of the grammar's terminals, for phenotypes to be counted by. */
static gr_status hash_terminals(gr_problem *problem, gr_error *error) {
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

/* Generations of the engine, whole ones of the run, until max-evaluations are reached; at most what
 * is asked for. */
static uint32_t generations_within(const gr_settings *settings, uint32_t steps, uint32_t asked) {
    double first = (double)settings->population * settings->islands,
           limit = settings->max_evaluations;
    double each = (double)(settings->population - settings->elites) * settings->islands * steps;
    double whole = limit > first ? ceil((limit - first) / each) : 0.0;
    return whole * steps < asked ? (uint32_t)whole * steps : asked; /* NaN: none */
}

static void make_params(const gr_settings *settings, gr_params *p) {
    p->runs = settings->runs;
    p->islands = settings->islands;
    p->population = settings->population;
    p->seed[0] = (uint32_t)settings->seed;
    p->seed[1] = (uint32_t)(settings->seed >> 32);
    p->steps = (uint32_t)gr_settings_steps(settings);
    p->generations = settings->generations * p->steps;
    if (!isnan(settings->max_evaluations))
        p->generations = generations_within(settings, p->steps, p->generations);
    if (settings->stagnation < settings->generations) /* none is more */
        p->stagnation = settings->stagnation * p->steps;
    if (settings->restart_after < settings->generations)
        p->restart_after = settings->restart_after * p->steps;
    p->genotype = settings->genotype == GR_TREE ? GR_TREE : GR_GRAMMATICAL;
    p->tournament = settings->tournament;
    p->elites = settings->elites;
    p->crossover = settings->crossover;
    p->crossover_probability = (float)settings->crossover_probability;
    p->tries = settings->tries;
    p->initialisation = settings->initialisation;
    p->init_min_depth = settings->init_min_depth;
    p->init_max_depth = settings->init_max_depth;
    p->genome_capacity = settings->max_genome_length;
    p->init_length = settings->genome_length;
    p->max_derivation_nodes = settings->max_derivation_nodes;
    p->diversity = settings->diversity;
    p->codon_size = settings->codon_size;
    p->max_wraps = settings->max_wraps;
    p->max_depth = settings->max_depth;
    p->convention = gr_convention_for(settings);
    p->max_tree_depth = settings->max_depth;
    p->crossover_within_used = settings->crossover_within_used;
    p->mutation_events = settings->mutation_events;
    p->codon_duplication = (float)settings->codon_duplication;
    p->codon_deletion = (float)settings->codon_deletion;
    p->mutation_within_used = settings->mutation_within_used;
    p->codon_mutation = isnan(settings->codon_mutation) ? -1.0f : (float)settings->codon_mutation;
    p->max_nodes = settings->max_nodes;
    p->subtree_mutation = (float)settings->subtree_mutation;
    p->point_mutation = (float)settings->point_mutation;
    p->subtree_depth = settings->subtree_mutation_depth;
    p->constant_probability = (float)settings->constant_probability;
    p->constant_min = (float)settings->constant_min;
    p->constant_max = (float)settings->constant_max;
    p->metric = settings->metric;
    p->class_rule = settings->class_rule;
    p->linear_scaling = settings->linear_scaling;
    p->tolerance = (float)settings->tolerance;
    p->stop_at_target = (uint32_t)!isnan(settings->target_fitness);
    if (p->stop_at_target)
        p->target_cost = (float)gr_cost_of(p->metric, settings->target_fitness);
    p->sums = gr_sums_of(p);
}

/* The thresholds of the settings; f1's classes part at 0, which is negative. */
static gr_status make_thresholds(const gr_settings *settings, gr_params *p, gr_error *error) {
    gr_status status = gr_settings_thresholds(settings, p->threshold, &p->thresholds, error);
    if (p->metric == GR_METRIC_F1)
        p->threshold[0] = 0x1p-149f;
    return status;
}

gr_status gr_describe_fitness(const gr_settings *settings, const gr_dataset *set, gr_params *params,
                              gr_error *error) {
    gr_params p = {0};
    make_params(settings, &p);
    p.inputs = set->inputs;
    p.train_cases = (uint32_t)set->cases;
    p.train_chunks = (p.train_cases + GR_CHUNK - 1) / GR_CHUNK;
    describe_target(&p, set, 0);
    gr_status status = make_thresholds(settings, &p, error);
    if (!status)
        status = check_target(settings, &p, set, 0, error);
    *params = p;
    return status;
}

/* Individuals are numbered with 32 bits, in which kernels also count a grid ahead; so are the words
 * of the populations' records. */
static gr_status check_individuals(gr_params *p, gr_error *error) {
    uint64_t demes = (uint64_t)p->runs * p->islands, n = demes * p->population;
    if (demes > 1u << 26)
        return gr_fail(error, GR_NO_MEMORY,
                       "%u runs of %u islands are %llu populations; expected at most 2^26", p->runs,
                       p->islands, (unsigned long long)demes);
    if (n > 1u << 30)
        return gr_fail(error, GR_NO_MEMORY,
                       "%u runs of %llu individuals are %llu; expected at most 2^30", p->runs,
                       (unsigned long long)p->population * p->islands, (unsigned long long)n);
    p->individuals = (uint32_t)n;
    return GR_OK;
}

/* Records of an epoch wait in host memory: at most 64 MB of them, whatever the settings say. */
static uint32_t choose_epoch(const gr_settings *settings, const gr_params *p) {
    uint64_t fits = (64u << 20) / ((uint64_t)gr_demes(p) * sizeof(gr_record));
    uint64_t epoch = (uint64_t)settings->epoch * p->steps;
    epoch = epoch < p->generations + 1ull ? epoch : p->generations + 1ull;
    epoch = epoch < fits ? epoch : fits;
    if (settings->dump_every) /* only the generation selected last can be read */
        return 1;
    return epoch ? (uint32_t)epoch : 1;
}

/* Another metric among the objectives, whose sums are not those of the run's. */
static gr_status make_other(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    gr_params *other = &problem->other;
    *other = problem->job.params;
    other->metric = other->other_metric;
    other->sums = gr_sums_of(other);
    gr_status status = make_thresholds(settings, other, error);
    if (!status)
        status = check_target(settings, other, &problem->train, 0, error);
    problem->job.other = other;
    return status;
}

/* Whether programs are evaluated once: asked for, or where that may pay. */
static void choose_once(const gr_settings *settings, gr_params *p) {
    uint32_t asked = settings->evaluate_once == GR_ONCE_ALWAYS || settings->fitness_memory;
    p->memory = settings->fitness_memory;
    if (asked)
        p->once = GR_ONCE_ON;
    else if (settings->evaluate_once == GR_AUTO && p->class_rule != GR_CLASS_FITTED &&
             !p->objectives)
        p->once = gr_once_may_pay(p) ? GR_ONCE_AUTO : GR_ONCE_OFF;
}

gr_status gr_problem_make(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    gr_problem made = {0};
    gr_params *p = &made.job.params;
    *problem = made;
    make_params(settings, p);
    gr_status status = check_individuals(p, error);
    if (!status)
        status = make_thresholds(settings, p, error);
    if (!status)
        status = make_data(settings, &made, error);
    if (!status && p->genotype == GR_TREE)
        status = make_functions(settings, p, error);
    if (!status && p->genotype == GR_GRAMMATICAL)
        status = make_grammar(settings, &made, error);
    if (!status)
        status = gr_make_variation(settings, p, error);
    if (!status && settings->typed)
        status = make_types(settings, &made, error);
    if (!status)
        status = gr_read_seeds(settings, &made, error);
    if (!status)
        choose_once(settings, p);
    gr_params alone;
    if (!status && settings->validation_fraction > 0)
        status = gr_describe_fitness(settings, &made.validation, &alone, error);
    if (!status && settings->validation_fraction > 0)
        status = gr_make_validation(settings, &alone, &made, error);
    if (!status && p->objectives && !p->other_shares)
        status = make_other(settings, &made, error);
    made.front_choice = settings->front_choice;
    made.job.seeds = made.seeds;
    made.job.seed_first = made.seed_first;
    if (!status && p->diversity)
        status = hash_terminals(&made, error);
    made.job.train = made.train_tiles;
    made.job.test = made.test_tiles;
    made.job.targets = made.targets;
    made.job.fast = settings->math == GR_MATH_FAST || (!status && !math_matters(&made));
    made.job.epoch = status ? 1 : choose_epoch(settings, p);
    made.job.graph = settings->graph;
    made.find_law = settings->find_law;
    made.job.threads = settings->threads;
    made.job.spread_cases = settings->spread == GR_SPREAD_CASES;
    made.job.width = settings->width == GR_AUTO ? 0 : 4u << settings->width;
    made.job.warps = settings->warps == GR_AUTO ? 0 : 4u << settings->warps;
    made.job.tile = settings->tile == GR_AUTO ? 0 : settings->tile;
    made.job.specialise =
        settings->specialise == GR_AUTO ? GR_SPECIALISE_AUTO : settings->specialise + 1;
    if (status)
        gr_problem_free(&made);
    else
        *problem = made;
    problem->job.validating = made.job.validating ? &problem->validating : NULL;
    problem->job.other = made.job.other ? &problem->other : NULL;
    return status;
}

void gr_problem_free(gr_problem *problem) {
    gr_problem empty = {0};
    free(problem->targets);
    free(problem->seeds);
    free(problem->seed_first);
    free(problem->terminals);
    free(problem->types);
    gr_grammar_free(problem->grammar);
    gr_dataset_free(&problem->train);
    gr_dataset_free(&problem->test);
    gr_dataset_free(&problem->validation);
    free(problem->validation_targets);
    *problem = empty;
}
