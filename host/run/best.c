/* The best of every run, read from the engine: its numbers, its genome, its texts. */
#include "gpu/core/fitting/fitting.h"
#include "host/base/text.h"
#include "host/cpu/compile.h"
#include "host/derivation/phenotype.h"
#include "host/problem/shown_fitness.h"
#include "host/run/internal.h"
#include "host/run/population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void gr_run_forget_best(gr_run *run) {
    free(run->demes);
    free(run->genotypes);
    free(run->constants);
    run->demes = NULL;
    run->genotypes = NULL;
    run->constants = NULL;
}

static gr_status read_section(gr_run *run, gr_section section, size_t bytes, void **to,
                              gr_error *error) {
    if (*to)
        return GR_OK;
    if (!(*to = malloc(bytes)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for the best of %u run%s",
                       run->problem.job.params.runs, gr_s(run->problem.job.params.runs));
    gr_status status = run->backend->read(run->engine, section, *to, bytes, error);
    if (status) {
        free(*to);
        *to = NULL;
    }
    return status;
}

gr_status gr_run_read_demes(gr_run *run, gr_error *error) {
    size_t demes = gr_demes(&run->problem.job.params);
    if (!run->generations)
        return gr_fail(error, GR_BAD_INPUT, "no generation has been selected yet");
    return read_section(run, GR_SECTION_DEMES, demes * sizeof *run->demes, (void **)&run->demes,
                        error);
}

static gr_status read_all(gr_run *run, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    size_t words = (size_t)gr_demes(p) * gr_genotype_words(p);
    gr_status status = gr_run_read_demes(run, error);
    if (!status && gr_fits_beside(p))
        status = read_section(run, GR_SECTION_BEST_CONSTANTS,
                              gr_demes(p) * GR_FIT_CONSTANTS * sizeof *run->constants,
                              (void **)&run->constants, error);
    return status ? status
                  : read_section(run, GR_SECTION_BEST_GENOMES, words * sizeof *run->genotypes,
                                 (void **)&run->genotypes, error);
}

/* What the best of a deme was chosen by. */
static float judged(const gr_params *p, const gr_deme *d) {
    return p->validation_chunks ? d->validation_cost : d->best_cost;
}

size_t gr_run_deme_of(const gr_run *run, uint32_t index) {
    const gr_params *p = &run->problem.job.params;
    size_t deme = (size_t)index * p->islands;
    for (size_t d = deme; d < (size_t)(index + 1) * p->islands; d++) {
        const gr_deme *best = &run->demes[deme], *other = &run->demes[d];
        float was = judged(p, best), is = judged(p, other);
        if (is < was || (is == was && other->best_generation < best->best_generation))
            deme = d;
    }
    return deme;
}

/* Levels of an expression, whose nodes' own heights saturate; 0 when memory is short. */
static uint32_t levels_of(const gr_node *nodes, uint32_t count) {
    uint32_t top = 0, deepest = 0, *stack = malloc(count * sizeof *stack);
    for (uint32_t i = 0; stack && i < count; i++) {
        uint32_t height = 0;
        for (uint32_t k = gr_arity(GR_NODE_OP(nodes[i])); k; k--)
            height = gr_max_u32(height, stack[--top]);
        stack[top++] = height + 1;
        deepest = gr_max_u32(deepest, height + 1);
    }
    free(stack);
    return deepest;
}

/* Genome and sentence of a GE individual. */
static gr_status keep_genome(const gr_run *run, const uint32_t *genome, gr_best *best,
                             gr_error *error) {
    gr_phenotype phenotype = {0};
    best->genome = malloc((best->length ? best->length : 1) * sizeof *best->genome);
    if (!best->genome)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a genome");
    memcpy(best->genome, genome, best->length * sizeof *genome);
    if (best->validity != GR_VALID)
        return GR_OK;
    const gr_reading reading = gr_reading_of(&run->problem.job.params);
    gr_status status = gr_derive_phenotype_by(run->problem.grammar, &reading, genome, best->length,
                                              &phenotype, error);
    best->phenotype = phenotype.text;
    return status;
}

/* c[i], as it stands behind a sign or not, of the best. */
static void note_constant(gr_best *best, uint32_t leaf, float value) {
    uint32_t index = gr_free_index(leaf), k = 0;
    while (k < best->constants_count && best->constants[k].index < index)
        k++;
    if (best->constants_count == GR_FIT_CONSTANTS ||
        (k < best->constants_count && best->constants[k].index == index))
        return;
    memmove(&best->constants[k + 1], &best->constants[k],
            (best->constants_count++ - k) * sizeof *best->constants);
    best->constants[k] = (gr_named_constant){index, leaf >> 31 ? 0.0f - value : value};
}

/* Fitted constants (NULL: none are) in place of the grammar's; c[i] that are not fitted are 0.
 * Those go to the best, each once. */
static gr_status put_constants(const gr_params *p, gr_node *nodes, uint32_t count,
                               const float *constants, gr_best *best, gr_error *error) {
    uint32_t k = 0;
    best->constants = p->free_constants ? calloc(GR_FIT_CONSTANTS, sizeof *best->constants) : NULL;
    if (p->free_constants && !best->constants)
        return gr_fail(error, GR_NO_MEMORY, "no memory for constants");
    for (uint32_t i = 0; i < count; i++) {
        if (p->weighted && GR_NODE_OP(nodes[i]) == GR_INPUT)
            nodes[i].operand = gr_input_operand(p, nodes[i].operand);
        gr_node leaf = nodes[i];
        float value = gr_fit_first_value(p, leaf);
        if (value - value != 0.0f)
            continue;
        if (k < GR_FIT_CONSTANTS && constants && !isnan(constants[k]))
            nodes[i].operand = gr_fit_operand(p, nodes[i], constants[k]);
        else if (p->free_constants && GR_NODE_OP(leaf) == GR_CONSTANT)
            nodes[i].operand = 0;
        if (p->free_constants && GR_NODE_OP(leaf) == GR_CONSTANT)
            note_constant(best, leaf.operand, gr_bits_float(nodes[i].operand));
        k++;
    }
    return GR_OK;
}

/* Its expression. */
static gr_status show_genome(const gr_run *run, const uint32_t *genome, const float *constants,
                             gr_best *best, gr_error *error) {
    gr_node *nodes = NULL;
    uint32_t count;
    if (best->validity != GR_VALID)
        return GR_OK;
    gr_status status = gr_map_genome(&run->problem.job.params, run->problem.job.grammar, genome,
                                     best->length, &nodes, &count, error);
    if (!status && nodes)
        status = put_constants(&run->problem.job.params, nodes, count, constants, best, error);
    if (!status && nodes) {
        best->infix = gr_print_tree(nodes, count, run->problem.job.params.index_mask,
                                    &run->problem.vocabulary);
        best->levels = levels_of(nodes, count);
    }
    if (!status && nodes && !best->infix)
        status =
            gr_fail(error, GR_NO_MEMORY, "no memory to show the best genome of run %u", best->run);
    else if (!status && !nodes)
        status = gr_fail(error, GR_FAILED, "the best genome of run %u cannot be shown", best->run);
    free(nodes);
    return status;
}

static gr_status show_tree(const gr_run *run, const uint32_t *words, gr_best *best, int whole,
                           gr_error *error) {
    best->infix = gr_print_tree((const gr_node *)words, best->nodes,
                                run->problem.job.params.index_mask, &run->problem.vocabulary);
    best->phenotype = best->infix && whole ? strdup(best->infix) : NULL;
    best->levels = best->depth;
    return best->infix && (best->phenotype || !whole)
               ? GR_OK
               : gr_fail(error, GR_NO_MEMORY, "no memory to show the best tree of run %u",
                         best->run);
}

/* A run on samples that stopped before the others was not among those ranked on all cases: its best
 * has its fitness on the sample of that generation, at the target as often as not by luck. */
static int was_not_ranked(const gr_run *run, const gr_deme *d) {
    return isfinite(d->best_cost) && d->best_generation + 1 < run->generations;
}

/* Numbers of the best of a deme. */
static gr_best describe_deme(const gr_run *run, size_t deme) {
    const gr_params *p = &run->problem.job.params;
    const gr_deme *d = &run->demes[deme];
    uint32_t index = (uint32_t)(deme / p->islands);
    gr_best b = {0};
    b.run = index;
    b.generation = gr_generation_of(p, d->best_generation);
    b.seed = ((uint64_t)p->seed[1] << 32 | p->seed[0]) + index;
    b.train = gr_fitness_of(p->metric, d->best_cost);
    b.test = p->test_chunks ? gr_fitness_of(p->metric, d->test_cost) : (double)NAN;
    b.validation =
        p->validation_chunks ? gr_fitness_of(p->metric, d->validation_cost) : (double)NAN;
    for (uint32_t k = 0; k < p->islands; k++)
        b.restarts += run->demes[(size_t)index * p->islands + k].restarts;
    b.solved = p->stop_at_target && d->best_cost <= p->target_cost;
    b.on_sample = p->sampling && !run->finished;
    if (p->sampling && run->finished && isfinite(d->best_cost) && !was_not_ranked(run, d))
        b.source = GR_FROM_POPULATION; /* the last one, ranked on all cases */
    b.recomputed[0] = b.recomputed[1] = (double)NAN;
    b.validity = d->best.validity;
    b.nodes = d->best.nodes;
    b.depth = d->best.depth;
    b.derivation_nodes = d->best.derivation_nodes;
    b.used = d->best.used;
    b.length = d->best.length;
    b.intercept = p->linear_scaling ? d->fit[0] : 0.0;
    b.slope = p->linear_scaling ? d->fit[1] : 1.0;
    return b;
}

int gr_best_is_scaled(const gr_params *p, const gr_best *best) {
    return p->linear_scaling && best->validity == GR_VALID && isfinite(best->intercept);
}

static gr_best describe(const gr_run *run, uint32_t index) {
    return describe_deme(run, gr_run_deme_of(run, index));
}

gr_status gr_run_show(const gr_run *run, const uint32_t *genotype, const float *constants,
                      int whole, gr_best *b, gr_error *error) {
    if (run->problem.job.params.genotype == GR_TREE)
        return show_tree(run, genotype, b, whole, error);
    gr_status status = whole ? keep_genome(run, genotype, b, error) : GR_OK;
    return status ? status : show_genome(run, genotype, constants, b, error);
}

static gr_status show_deme(const gr_run *run, size_t deme, gr_best *b, int whole, gr_error *error) {
    size_t words = gr_genotype_words(&run->problem.job.params);
    const float *constants = run->constants ? run->constants + deme * GR_FIT_CONSTANTS : NULL;
    return gr_run_show(run, run->genotypes + deme * words, constants, whole, b, error);
}

static gr_status show(const gr_run *run, gr_best *b, int whole, gr_error *error) {
    return show_deme(run, gr_run_deme_of(run, b->run), b, whole, error);
}

/* ---- runs on samples ---- */

static gr_status measure_deme(gr_run *run, size_t deme, gr_error *error) {
    gr_deme *d = &run->demes[deme];
    gr_best b = describe_deme(run, deme);
    gr_status status = show_deme(run, deme, &b, 0, error);
    if (!status)
        status = gr_best_measure(&run->problem, &b, error);
    if (!status) {
        uint32_t metric = run->problem.job.params.metric;
        d->best_cost = (float)gr_cost_of(metric, b.train);
        if (run->problem.job.params.test_chunks)
            d->test_cost = (float)gr_cost_of(metric, b.test);
        d->fit[0] = b.intercept;
        d->fit[1] = b.slope;
    }
    gr_best_free(&b);
    return status;
}

/* The best of all demes; when the run is finished, with their fitness on all cases. */
static gr_status read_best(gr_run *run, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    int fresh = !run->demes;
    gr_status status = read_all(run, error);
    if (status || !fresh || !p->sampling || !run->finished)
        return status;
    for (size_t d = 0; !status && d < gr_demes(p); d++)
        if (was_not_ranked(run, &run->demes[d]))
            status = measure_deme(run, d, error);
    if (status) /* as they are, they are of samples */
        gr_run_forget_best(run);
    return status;
}

gr_status gr_run_best(gr_run *run, uint32_t index, gr_best *best, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    *best = (gr_best){0};
    if (index >= p->runs)
        return gr_fail(error, GR_BAD_INPUT, "run %u of %u; expected a number below", index,
                       p->runs);
    gr_status status = read_best(run, error);
    if (status)
        return status;
    *best = describe(run, index);
    status = show(run, best, 1, error);
    if (status)
        gr_best_free(best);
    return status;
}

gr_fits gr_run_fits(const gr_run *run) {
    const gr_params *p = &run->problem.job.params;
    gr_fits fits = {0, 0, 0.0};
    for (uint32_t d = 0; run->demes && d < gr_demes(p); d++) {
        fits.tried += run->demes[d].fits_tried;
        fits.better += run->demes[d].fits_better;
        fits.executed += (double)run->demes[d].fit_nodes * (double)p->train_cases;
    }
    return fits;
}

/* Whether `a` leads before `b`, which comes first. Nothing may be valid, and both fitnesses
 * infinite. */
static int leads(const gr_params *p, const gr_best *a, const gr_best *b) {
    int better = p->validation_chunks ? gr_is_better(p->metric, a->validation, b->validation)
                                      : gr_is_better(p->metric, a->train, b->train);
    return better || (a->validity == GR_VALID) > (b->validity == GR_VALID);
}

gr_status gr_run_leader(gr_run *run, gr_best *best, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    gr_status status =
        p->sampling && run->finished ? read_best(run, error) : gr_run_read_demes(run, error);
    if (status)
        return status;
    *best = describe(run, 0);
    for (uint32_t r = 1; r < p->runs; r++) {
        gr_best other = describe(run, r);
        if (leads(p, &other, best))
            *best = other;
    }
    return GR_OK;
}

/* The best of all runs on their way to be shown. */
typedef struct showing {
    const gr_run *run;
    gr_best *best;
    uint32_t leader;
    int whole;
    gr_error *errors; /* [threads] */
} showing;

static void show_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const showing *s = context;
    gr_error *error = &s->errors[thread];
    for (uint64_t r = first; r < last && !error->status; r++)
        show(s->run, &s->best[r], s->whole || r == s->leader, error);
}

static gr_status show_all(gr_run *run, gr_best *best, uint32_t leader, gr_error *error) {
    uint32_t runs = run->problem.job.params.runs;
    gr_team *team = gr_run_team(run, (uint64_t)runs * 32); /* as many records' work, or more */
    showing s = {run, best, leader, runs <= GR_FEW_RUNS,
                 calloc(gr_team_size(team), sizeof *s.errors)};
    if (!s.errors)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u run%s", runs, gr_s(runs));
    gr_team_loop(team, runs, 16, show_some, &s);
    gr_status status = GR_OK;
    for (uint32_t t = 0; !status && t < gr_team_size(team); t++)
        if ((status = s.errors[t].status) && error)
            *error = s.errors[t];
    free(s.errors);
    return status;
}

gr_status gr_run_all_best(gr_run *run, gr_best **best, uint32_t *leader, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    gr_best *b = calloc(p->runs, sizeof *b);
    *best = NULL;
    *leader = 0;
    gr_status status =
        b ? read_best(run, error)
          : gr_fail(error, GR_NO_MEMORY, "no memory for %u run%s", p->runs, gr_s(p->runs));
    for (uint32_t r = 0; !status && r < p->runs; r++) {
        b[r] = describe(run, r);
        if (leads(p, &b[r], &b[*leader]))
            *leader = r;
    }
    if (!status)
        status = show_all(run, b, *leader, error);
    for (uint32_t r = 0; status && b && r < p->runs; r++)
        gr_best_free(&b[r]);
    if (status)
        free(b);
    else
        *best = b;
    return status;
}

void gr_best_free(gr_best *best) {
    gr_best empty = {0};
    free(best->phenotype);
    free(best->infix);
    free(best->genome);
    free(best->constants);
    *best = empty;
}

gr_status gr_best_program(const gr_problem *problem, const gr_best *best, gr_instruction **program,
                          uint32_t *length, gr_error *error) {
    gr_node *nodes = NULL;
    uint32_t count;
    *program = NULL;
    gr_status status =
        gr_read_expression(best->infix, "best", &problem->vocabulary, &nodes, &count, error);
    if (status)
        return status;
    *program = gr_cpu_compile(nodes, count, length);
    free(nodes);
    return *program ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for the program of a best");
}
