#include "host/problem/job.h"

#include "gpu/backend/memory.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/genotype/typed.h"
#include "gpu/core/program/expression.h"
#include "gpu/core/selection/once.h"
#include "host/base/text.h"
#include "host/derivation/phenotype.h"
#include "host/problem/cases.h"
#include "host/problem/prepared.h"
#include "host/problem/probes.h"
#include "host/problem/run_grammar.h"
#include "host/problem/seeds.h"
#include "host/problem/several.h"
#include "host/problem/shown_fitness.h"
#include "host/problem/targets.h"
#include "host/problem/validation.h"
#include "host/problem/variation_params.h"
#include "host/settings/objectives.h"
#include "host/settings/targets.h"
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
        laid_out.x = NULL, laid_out.wx = NULL, laid_out.dx = NULL;
        loaded.targets += gr_dataset_bytes(&laid_out);
        tiles[k] = set->cases ? gr_dataset_tile_bytes(set) : 0;
        if (set->tiles) /* they were made so */
            columns[k] += tiles[k];
    }
    loaded.tiles = tiles[0] + tiles[1];
    size_t first = columns[0] + columns[1] + (train->tiles ? 0 : tiles[0]);
    size_t second = loaded.targets + loaded.tiles + columns[1];
    gr_dataset laid_out = *test;
    laid_out.x = NULL, laid_out.wx = NULL, laid_out.dx = NULL;
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
    snprintf(what, sizeof what, "%.0f cases for %u individual%s", cases, p->individuals,
             gr_s(p->individuals));
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

/* Targets by chunk, for linear scaling. */
static gr_status make_targets(gr_problem *problem, gr_error *error) {
    const gr_params *p = &problem->job.params;
    size_t chunks = p->train_chunks + (size_t)p->test_chunks;
    if (!(problem->targets = malloc(chunks * sizeof *problem->targets)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for the targets of %u fitness case%s",
                       p->train_cases + p->test_cases, gr_s(p->train_cases + p->test_cases));
    gr_chunk_targets(p, problem->train_tiles, p->train_cases, p->target_mean[0], problem->targets);
    gr_chunk_targets(p, problem->test_tiles, p->test_cases, p->target_mean[1],
                     problem->targets + p->train_chunks);
    return GR_OK;
}

static gr_status make_data(const gr_settings *settings, gr_problem *problem, gr_error *error) {
    gr_params *p = &problem->job.params;
    gr_status status = check_made(settings, p, error);
    if (!status)
        status = gr_dataset_make(settings, &problem->train, &problem->test, error);
    if (!status && p->outputs && settings->given_cases)
        status = gr_check_given_targets(settings, &problem->train, error);
    if (!status && *settings->prepare)
        status =
            gr_prepare_inputs(settings, &problem->train, &problem->test, &problem->prepared, error);
    if (!status && settings->validation_fraction > 0)
        status = gr_hold_out_validation(settings, problem, error);
    if (status)
        return status;
    if (p->outputs && (status = gr_fold_targets(settings, problem, error)))
        return status;
    const gr_dataset *train = &problem->train, *test = &problem->test;
    problem->probes = settings->probe_cases;
    if (problem->probes)
        status = gr_add_probes(settings, &problem->train, error);
    if (!status)
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
    gr_describe_target(p, train, 0);
    gr_describe_target(p, test, 1);
    if (p->linear_scaling && (status = make_targets(problem, error)))
        return status;
    problem->vocabulary.names = (const char *const *)train->names;
    problem->vocabulary.inputs = gr_named_inputs(p);
    problem->vocabulary.outputs = p->outputs;
    problem->vocabulary.part = p->part;
    problem->vocabulary.packed = train->packed;
    problem->vocabulary.free_constants =
        settings->optimise_constants && settings->genotype != GR_TREE;
    problem->train.cases -= problem->probes;
    status = gr_check_target(settings, p, train, 0, "training", error);
    if (!status)
        status = gr_check_large_target(settings, p, train, error);
    if (!status)
        status = gr_check_target(settings, p, test, 1, "test", error);
    return status || p->metric != GR_METRIC_MISCLASSIFIED
               ? status
               : gr_check_classes(settings, problem, error);
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
    uint32_t outputs = settings->class_rule == GR_CLASS_ARGMAX ? p->thresholds + 1 : p->outputs;
    const gr_typing of = {settings,
                          (const char *const *)train->names,
                          train->inputs,
                          train->target_name,
                          p->function,
                          p->functions,
                          outputs,
                          problem->prepared.dimension,
                          problem->prepared.count,
                          p->part};
    gr_status status = gr_make_types(&of, &problem->types, &problem->job.type_words, error);
    if (!status) /* max-depth is that of an output */
        p->max_tree_depth += gr_frame_levels(problem->types, gr_types_of(problem->types)->target);
    problem->job.types = problem->types;
    return status;
}

/* Whether `math: fast` would change anything: any operation in use beyond the cheap ones. */
static uint32_t math_matters(const gr_problem *problem) {
    const gr_params *p = &problem->job.params;
    const uint32_t *g = problem->job.grammar;
    /* several targets: their errors' root is an operation of every program */
    uint32_t costly = p->outputs && gr_cost_class(gr_targets_end(p->part)) != GR_CHEAP;
    for (uint32_t k = 0; k < p->functions; k++)
        costly |= gr_cost_class(p->function[k]) != GR_CHEAP;
    for (uint32_t t = 0; g && t < g[GR_G_TOKENS]; t++) {
        uint32_t kind = GR_TOKEN_KIND(gr_token_word(g, t, 0)), operand = gr_token_word(g, t, 1);
        if (kind == GR_T_FUNCTION || kind == GR_T_OPERATOR)
            costly |= gr_cost_class(operand & 0xffu) != GR_CHEAP;
    }
    return costly;
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
    p->mutate_duplicates = settings->mutate_duplicates;
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
    p->class_rule =
        settings->class_rule == GR_CLASS_ARGMAX ? GR_CLASS_THRESHOLDS : settings->class_rule;
    p->linear_scaling = settings->linear_scaling;
    p->tolerance = (float)settings->tolerance;
    p->stop_at_target = (uint32_t)!isnan(settings->target_fitness);
    if (p->stop_at_target)
        p->target_cost = (float)gr_cost_of(p->metric, settings->target_fitness);
    gr_objectives objectives;
    gr_error checked; /* before, with the settings */
    if (!gr_settings_objectives(settings, &objectives, &checked))
        p->other_metric = objectives.metric; /* the target is described for it too */
    p->outputs = gr_settings_targets(settings);
    p->part = gr_settings_part(settings);
    p->sums = gr_sums_of(p);
    p->doubles = settings->precision == GR_PRECISION_DOUBLE;
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
    gr_describe_target(&p, set, 0);
    gr_status status = make_thresholds(settings, &p, error);
    if (!status)
        status = gr_check_target(settings, &p, set, 0, "training", error);
    *params = p;
    return status;
}

/* Individuals are numbered with 32 bits, in which kernels also count a grid ahead; so are the words
 * of the populations' records. */
static gr_status check_individuals(gr_params *p, gr_error *error) {
    uint64_t demes = (uint64_t)p->runs * p->islands, n = demes * p->population;
    if (demes > 1u << 26)
        return gr_fail(error, GR_NO_MEMORY,
                       "%u run%s of %u island%s are %llu populations; expected at most 2^26",
                       p->runs, gr_s(p->runs), p->islands, gr_s(p->islands),
                       (unsigned long long)demes);
    if (n > 1u << 30)
        return gr_fail(error, GR_NO_MEMORY,
                       "%u run%s of %llu individuals are %llu; expected at most 2^30", p->runs,
                       gr_s(p->runs), (unsigned long long)p->population * p->islands,
                       (unsigned long long)n);
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
        status = gr_check_target(settings, other, &problem->train, 0, "training", error);
    if (!status)
        status = gr_check_large_target(settings, other, &problem->train, error);
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

/* What an engine is told besides the parameters; it is whole when the problem is made. */
static void describe_job(const gr_settings *settings, gr_problem *made, int whole) {
    gr_job *job = &made->job;
    job->seeds = made->seeds;
    job->seed_first = made->seed_first;
    job->train = made->train_tiles;
    job->test = made->test_tiles;
    job->targets = made->targets;
    job->fast = settings->math == GR_MATH_FAST || (whole && !math_matters(made));
    job->epoch = whole ? choose_epoch(settings, &job->params) : 1;
    job->graph = settings->graph;
    job->threads = settings->threads;
    job->spread_cases = settings->spread == GR_SPREAD_CASES;
    job->spread_memory = settings->spread == GR_SPREAD_MEMORY;
    job->spread_population = settings->spread == GR_SPREAD_POPULATION || job->spread_memory;
    job->width = settings->width == GR_AUTO ? 0 : 4u << settings->width;
    job->warps = settings->warps == GR_AUTO ? 0 : 4u << settings->warps;
    job->tile = settings->tile == GR_AUTO ? 0 : settings->tile;
    job->specialise =
        settings->specialise == GR_AUTO ? GR_SPECIALISE_AUTO : settings->specialise + 1;
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
        status = gr_make_grammar(settings, &made, error);
    if (!status)
        status = gr_make_variation(settings, p, error);
    if (!status && settings->typed)
        status = make_types(settings, &made, error);
    if (!status)
        status = gr_read_seeds(settings, &made, error);
    if (!status)
        choose_once(settings, p);
    if (!status && settings->validation_fraction > 0)
        status = gr_make_validation(settings, &made, error);
    if (!status && p->objectives && !p->other_shares)
        status = make_other(settings, &made, error);
    made.front_choice = settings->front_choice;
    made.find_law = settings->find_law;
    made.law_every = settings->law_every;
    if (!status && (p->diversity || p->mutate_duplicates))
        status = gr_hash_terminals(&made, error);
    describe_job(settings, &made, !status);
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
