#include "host/run/population.h"

#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitness/cost.h"
#include "gpu/core/fitting/normal.h"
#include "host/base/text.h"
#include "host/cpu/compile.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"
#include "host/problem/shown_fitness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- measuring ---- */

typedef struct measuring {
    const gr_problem *problem;
    gr_params p; /* on all cases, in a run on samples too, or on the sample wanted */
    const gr_instruction *program;
    size_t stride;
    const uint32_t *length;
    const gr_measured *to;
    gr_cpu_registers *registers; /* [threads] */
    double *sums;                /* [threads][chunk_sums] */
    size_t chunk_sums;
} measuring;

gr_status gr_take_sample(const gr_problem *problem, uint32_t generation, gr_drawn *sample,
                         gr_error *error) {
    gr_state s = {.p = problem->job.params, .whole = problem->train_tiles};
    size_t tiles = (size_t)s.p.train_chunks * gr_tile_of(&s.p);
    *sample = (gr_drawn){.tiles = malloc(tiles * sizeof *sample->tiles)};
    if (!sample->tiles)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a sample of %u case%s", s.p.train_cases,
                       gr_s(s.p.train_cases));
    s.taken = sample->tiles;
    for (uint32_t k = 0; k < s.p.train_chunks * GR_CHUNK; k++)
        sample->positives += gr_take_case(&s, generation, k);
    return GR_OK;
}

/* Cost of program i on all cases of a set, or on the sample, as a run without samples would have
 * it; fit[2] of linear scaling. Fitted classes: `threshold` from the training cases, for the test
 * cases. */
static float cost_of(const measuring *m, uint64_t i, uint32_t set, double fit[2], float *threshold,
                     uint32_t thread) {
    const gr_cpu_interpreter *interpreter = gr_cpu_best_interpreter();
    const gr_params *p = &m->p;
    const gr_drawn *sample = m->to->sample;
    const float *tiles = set      ? m->problem->test_tiles
                         : sample ? sample->tiles
                                  : m->problem->train_tiles;
    size_t tile = gr_tile_of(p);
    uint32_t chunks = set ? p->test_chunks : p->train_chunks;
    gr_cpu_registers *registers = &m->registers[thread];
    double total[GR_MAX_SUMS], *sums = m->sums + thread * m->chunk_sums;
    uint32_t fitted = gr_sum_kind_of(p) == GR_SUM_CLASS_BINS;
    if (!m->length[i])
        return GR_INFINITY;
    registers->fitted = threshold;
    if (fitted && set == 0)
        memset(registers->class_bins, 0, gr_bin_counts(p) * sizeof *registers->class_bins);
    const gr_chunk_target *targets = m->problem->targets;
    if (targets && set)
        targets += p->train_chunks;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        const gr_cpu_chunk on = {tiles + chunk * tile, set, chunk};
        if (targets)
            registers->target = targets[chunk];
        interpreter->evaluate(p, m->program + i * m->stride, m->length[i], on, registers,
                              sums + (size_t)chunk * p->sums);
    }
    gr_total(p, set, targets, sums, 1, 0, total);
    if (fitted && set == 0)
        total[0] =
            gr_bin_errors(p, gr_fit_bins(registers->class_bins, p->thresholds + 1, threshold));
    return gr_cost(p, total, set, fit);
}

static void measure_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const measuring *m = context;
    uint32_t sets = m->p.test_chunks && !m->to->train_only ? 2 : 1;
    for (uint64_t i = first; i < last; i++) {
        double own[2], *fit = m->to->fit ? m->to->fit + 2 * i : own;
        float limits[GR_MAX_THRESHOLDS];
        float *threshold = m->to->threshold ? m->to->threshold + i * GR_MAX_THRESHOLDS : limits;
        fit[0] = fit[1] = 0.0;
        memcpy(threshold, m->p.threshold, sizeof limits);
        m->to->cost[2 * i + 1] = GR_INFINITY;
        for (uint32_t set = 0; set < sets; set++)
            m->to->cost[2 * i + set] = cost_of(m, i, set, fit, threshold, thread);
    }
}

static gr_status measure(measuring *m, uint32_t count, gr_error *error) {
    uint32_t threads = gr_min_u32(gr_threads_for(&m->problem->job), gr_max_u32(count, 1));
    uint32_t *class_bins = malloc((size_t)threads * gr_bin_counts(&m->p) * sizeof *class_bins);
    gr_team *team = gr_team_open(threads);
    gr_status status = GR_OK;
    m->registers = gr_cpu_take_registers(threads, &m->p);
    m->chunk_sums = (size_t)gr_max_u32(m->p.train_chunks, m->p.test_chunks) * m->p.sums;
    m->sums = malloc(threads * m->chunk_sums * sizeof *m->sums);
    if (m->registers && class_bins && m->sums) {
        for (uint32_t t = 0; t < threads; t++)
            m->registers[t].class_bins = class_bins + (size_t)t * gr_bin_counts(&m->p);
        gr_team_loop(team, count, 16, measure_some, m);
    } else
        status =
            gr_fail(error, GR_NO_MEMORY, "no memory to evaluate %u program%s", count, gr_s(count));
    gr_team_close(team);
    free(class_bins);
    free(m->sums);
    free(m->registers);
    return status;
}

gr_status gr_measure_programs(const gr_problem *problem, const gr_instruction *program,
                              size_t stride, const uint32_t *length, uint32_t count,
                              const gr_measured *to, gr_error *error) {
    measuring m = {.problem = problem, .p = problem->job.params, .program = program};
    m.stride = stride;
    m.length = length;
    m.to = to;
    m.p.weighted &= stride > 0; /* words have weights as operations of their own */
    if (to->sample)
        m.p.positives[0] = to->sample->positives;
    else if (m.p.sampling) {
        m.p.train_cases = m.p.whole_cases;
        m.p.train_chunks = m.p.whole_chunks;
    }
    return measure(&m, count, error);
}

gr_status gr_measure_text(const gr_problem *problem, const char *infix, const gr_measured *to,
                          gr_error *error) {
    gr_node *nodes = NULL;
    uint32_t count, length = 0;
    gr_status status =
        gr_read_expression(infix, "individual", &problem->vocabulary, &nodes, &count, error);
    if (status)
        return status;
    gr_instruction *program = gr_cpu_compile(nodes, count, &length);
    status = program ? gr_measure_programs(problem, program, 0, &length, 1, to, error)
                     : gr_fail(error, GR_NO_MEMORY, "no memory to evaluate a program");
    free(program);
    free(nodes);
    return status;
}

gr_status gr_best_thresholds(const gr_problem *problem, const gr_best *best, float *threshold,
                             gr_error *error) {
    const gr_params *p = &problem->job.params;
    float cost[2];
    memcpy(threshold, p->threshold, GR_MAX_THRESHOLDS * sizeof *threshold);
    if (gr_sum_kind_of(p) != GR_SUM_CLASS_BINS || !best->infix)
        return GR_OK;
    const gr_measured to = {.cost = cost, .threshold = threshold, .train_only = 1};
    return gr_measure_text(problem, best->infix, &to, error);
}

/* ---- reading ---- */

/* Whether the generation bred last is the run's, and has been selected. */
static gr_status look(gr_run *run, uint32_t index, const gr_run_report *report, gr_error *error) {
    size_t own = (size_t)index * gr_run_problem(run)->job.params.islands;
    gr_deme deme;
    gr_record record;
    gr_status status =
        gr_run_read_at(run, GR_SECTION_DEMES, own * sizeof deme, &deme, sizeof deme, error);
    if (!status)
        status = gr_run_read_at(run, GR_SECTION_RECORDS, own * sizeof record, &record,
                                sizeof record, error);
    if (!status && !(report->finished ? record.written : deme.active))
        status =
            gr_fail(error, GR_FAILED,
                    "run %u has stopped before the others, and its last generation is gone", index);
    return status;
}

/* Costs of those of a generation that has not been selected. */
static gr_status evaluate(gr_run *run, gr_population *t, size_t first, gr_error *error) {
    const gr_problem *problem = gr_run_problem(run);
    size_t stride = problem->job.params.max_nodes, all = (first + t->count) * stride;
    gr_instruction *program = malloc(all * sizeof *program);
    uint32_t *length = malloc(t->count * sizeof *length);
    float *cost = malloc(2 * (size_t)t->count * sizeof *cost);
    gr_status status =
        program && length && cost
            ? gr_run_read(run, GR_SECTION_PROGRAMS, program, all * sizeof *program, error)
            : gr_fail(error, GR_NO_MEMORY, "no memory for %u program%s", t->count, gr_s(t->count));
    for (uint32_t i = 0; !status && i < t->count; i++)
        length[i] = t->individual[i].instructions;
    if (!status)
        status = gr_measure_programs(problem, program + first * stride, stride, length, t->count,
                                     &(gr_measured){.cost = cost, .train_only = 1}, error);
    for (uint32_t i = 0; !status && i < t->count; i++)
        t->cost[i] = cost[2 * i];
    free(program);
    free(length);
    free(cost);
    return status;
}

/* Reads the individuals of the first runs; those of this one stand behind. */
static gr_status read_all(gr_run *run, gr_population *t, size_t first, int selected,
                          gr_error *error) {
    size_t all = first + t->count;
    gr_individual *individual = t->memory = malloc(all * (sizeof *individual + sizeof *t->cost));
    if (!individual)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u individual%s", t->count,
                       gr_s(t->count));
    float *cost = (float *)(individual + all);
    t->individual = individual + first;
    t->cost = cost + first;
    gr_status status =
        gr_run_read(run, GR_SECTION_INDIVIDUALS, individual, all * sizeof *individual, error);
    if (status)
        return status;
    return selected ? gr_run_read(run, GR_SECTION_COSTS, cost, all * sizeof *cost, error)
                    : evaluate(run, t, first, error);
}

gr_status gr_population_read_selected(gr_run *run, uint32_t index, gr_population *population,
                                      gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_population t = {.count = p->islands * p->population, .run = index};
    size_t first = (size_t)index * t.count;
    gr_run_report report;
    gr_run_look(run, &report);
    /* where an island has begun anew its parents are gone */
    if (!report.selected || (!report.finished && p->restart_after))
        return gr_population_read(run, index, population, error);
    *population = (gr_population){0};
    t.generation = report.generation;
    t.parents = !report.finished;
    gr_section section = t.parents ? GR_SECTION_SELECTED_INDIVIDUALS : GR_SECTION_INDIVIDUALS;
    t.individual = t.memory = malloc(t.count * (sizeof *t.individual + sizeof *t.cost));
    if (!t.memory)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u individual%s", t.count,
                       gr_s(t.count));
    t.cost = (float *)(t.individual + t.count);
    gr_status status = look(run, index, &report, error);
    if (!status)
        status = gr_run_read_at(run, section, first * sizeof *t.individual, t.individual,
                                t.count * sizeof *t.individual, error);
    if (!status)
        status = gr_run_read_at(run, GR_SECTION_COSTS, first * sizeof *t.cost, t.cost,
                                t.count * sizeof *t.cost, error);
    if (status)
        gr_population_free(&t);
    else
        *population = t;
    return status;
}

gr_status gr_population_read(gr_run *run, uint32_t index, gr_population *population,
                             gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_population t = {.count = p->islands * p->population, .run = index};
    gr_run_report report;
    gr_run_look(run, &report);
    *population = (gr_population){0};
    if (index >= p->runs)
        return gr_fail(error, GR_BAD_INPUT, "run %u of %u; expected a number below", index,
                       p->runs);
    if (!report.selected)
        return gr_fail(error, GR_BAD_INPUT, "no generation has been selected yet");
    gr_status status = gr_run_find_generation(run, index, &t.generation, error);
    if (!status)
        status = look(run, index, &report, error);
    if (!status)
        status = read_all(run, &t, (size_t)index * t.count, report.finished, error);
    if (status)
        gr_population_free(&t);
    *population = t;
    return status;
}

/* ---- archives ---- */

static int rises(const void *a, const void *b) {
    const gr_applicant *x = *(gr_applicant *const *)a, *y = *(gr_applicant *const *)b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x > y) - (x < y);
}

/* The first `most` of those sorted, less those that share niche or behaviour with one before. */
static uint32_t choose_apart(gr_applicant *const *sorted, uint32_t count, gr_applicant *all,
                             uint32_t most, uint32_t *place) {
    uint32_t found = 0;
    for (uint32_t k = 0; k < count && found < most; k++) {
        int alike = 0;
        for (uint32_t j = 0; j < found; j++)
            alike |= all[place[j]].niche == sorted[k]->niche || all[place[j]].key == sorted[k]->key;
        if (!alike)
            place[found++] = (uint32_t)(sorted[k] - all);
    }
    return found;
}

static gr_status choose_archived(gr_applicant *all, const gr_population *archive, uint32_t most,
                                 uint32_t *place, uint32_t *found, gr_error *error) {
    uint32_t filled = 0;
    gr_applicant **sorted = malloc(archive->count * sizeof *sorted);
    if (!sorted)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u niches", archive->count);
    for (uint32_t k = 0; k < archive->count; k++) {
        archive->cost[k] = all[k].key ? all[k].cost : GR_INFINITY;
        if (all[k].key)
            sorted[filled++] = &all[k];
        else
            archive->individual[k] = (gr_individual){0};
    }
    qsort(sorted, filled, sizeof *sorted, rises);
    *found = choose_apart(sorted, filled, all, most, place);
    free(sorted);
    return GR_OK;
}

gr_status gr_archive_read(gr_run *run, uint32_t index, uint32_t most, gr_population *archive,
                          uint32_t *place, uint32_t *found, gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    gr_population t = {.count = p->islands * p->niches, .run = index, .archived = 1};
    size_t first = (size_t)index * t.count;
    gr_run_report report;
    gr_run_look(run, &report);
    t.generation = report.generation;
    *archive = (gr_population){0};
    *found = 0;
    if (!t.count || !report.selected)
        return GR_OK;
    gr_applicant *all = malloc(t.count * sizeof *all);
    t.individual = t.memory = malloc(t.count * (sizeof *t.individual + sizeof *t.cost));
    gr_status status = all && t.memory
                           ? gr_run_read_at(run, GR_SECTION_NICHES, first * sizeof *all, all,
                                            t.count * sizeof *all, error)
                           : gr_fail(error, GR_NO_MEMORY, "no memory for %u niches", t.count);
    if (!status)
        status = gr_run_read_at(run, GR_SECTION_NICHE_INDIVIDUALS, first * sizeof *t.individual,
                                t.individual, t.count * sizeof *t.individual, error);
    if (!status) {
        t.cost = (float *)(t.individual + t.count);
        status = choose_archived(all, &t, most, place, found, error);
    }
    free(all);
    if (status)
        gr_population_free(&t);
    *archive = t;
    return status;
}

void gr_population_free(gr_population *population) {
    free(population->memory);
    *population = (gr_population){0};
}

gr_status gr_population_genotypes(gr_run *run, const gr_population *population,
                                  uint32_t **genotypes, gr_error *error) {
    size_t words = gr_genotype_words(&gr_run_problem(run)->job.params);
    size_t own = words * population->count, all = own * (population->run + 1ull);
    *genotypes = malloc(all * sizeof **genotypes);
    gr_status status = *genotypes ? gr_run_read(run, GR_SECTION_GENOTYPES, *genotypes,
                                                all * sizeof **genotypes, error)
                                  : gr_fail(error, GR_NO_MEMORY, "no memory for %u genotype%s",
                                            population->count, gr_s(population->count));
    if (status) {
        free(*genotypes);
        *genotypes = NULL;
    } else if (population->run)
        memmove(*genotypes, *genotypes + all - own, own * sizeof **genotypes);
    return status;
}

/* ---- showing ---- */

/* Numbers of the individual at a place. */
static gr_best describe(const gr_params *p, const gr_population *population, uint32_t place) {
    const gr_individual *i = &population->individual[place];
    gr_best b = {.run = population->run, .generation = population->generation};
    b.source = population->archived ? GR_FROM_ARCHIVE : GR_FROM_POPULATION;
    b.seed = ((uint64_t)p->seed[1] << 32 | p->seed[0]) + b.run;
    b.train = gr_fitness_of(p->metric, population->cost[place]);
    b.test = b.recomputed[0] = b.recomputed[1] = (double)NAN;
    b.solved = p->stop_at_target && population->cost[place] <= p->target_cost;
    b.validity = i->validity;
    b.nodes = i->nodes;
    b.depth = i->depth;
    b.derivation_nodes = i->derivation_nodes;
    b.used = i->used;
    b.length = i->length;
    b.slope = 1.0;
    return b;
}

/* Test fitness and fit; where it was not known before, training fitness. */
static gr_status complete(const gr_problem *problem, gr_best *b, int known, gr_error *error) {
    const gr_params *p = &problem->job.params;
    float cost[2];
    double fit[2];
    if (!b->infix || (known && !(p->test_chunks || p->linear_scaling)))
        return GR_OK;
    const gr_measured to = {.cost = cost, .fit = fit, .train_only = !p->test_chunks};
    gr_status status = gr_measure_text(problem, b->infix, &to, error);
    if (!status && !known) {
        b->train = gr_fitness_of(p->metric, cost[0]);
        b->solved = p->stop_at_target && cost[0] <= p->target_cost;
        b->on_sample = 0;
    }
    if (!status && p->test_chunks)
        b->test = gr_fitness_of(p->metric, cost[1]);
    if (!status && p->linear_scaling) {
        b->intercept = fit[0];
        b->slope = fit[1];
    }
    return status;
}

gr_status gr_best_measure(const gr_problem *problem, gr_best *best, gr_error *error) {
    return complete(problem, best, 0, error);
}

/* Reads the individual at a place, with its texts; genotype: room for one. */
static gr_status read_at(gr_run *run, const gr_population *population, uint32_t place,
                         uint32_t *genotype, gr_best *b, gr_error *error) {
    const gr_params *p = &gr_run_problem(run)->job.params;
    size_t words = gr_genotype_words(p), i = (size_t)population->run * population->count + place;
    float constants[GR_FIT_CONSTANTS];
    uint32_t fitted = gr_fits_beside(p);
    gr_section beside = population->archived  ? GR_SECTION_NICHE_CONSTANTS
                        : population->parents ? GR_SECTION_SELECTED_CONSTANTS
                                              : GR_SECTION_CONSTANTS;
    if (place >= population->count)
        return gr_fail(error, GR_BAD_INPUT, "place %u of %u; expected a number below", place,
                       population->count);
    *b = describe(p, population, place);
    gr_section genotypes = population->archived  ? GR_SECTION_NICHE_GENOTYPES
                           : population->parents ? GR_SECTION_SELECTED_GENOTYPES
                                                 : GR_SECTION_GENOTYPES;
    gr_status status =
        gr_run_read_at(run, genotypes, i * words * sizeof *genotype, genotype,
                       gr_words_of(p, population->individual[place]) * sizeof *genotype, error);
    if (!status && fitted)
        status =
            gr_run_read_at(run, beside, i * sizeof constants, constants, sizeof constants, error);
    return status ? status : gr_run_show(run, genotype, fitted ? constants : NULL, 1, b, error);
}

/* The same with what it takes to measure it. */
static gr_status show_at(gr_run *run, const gr_population *population, uint32_t place,
                         uint32_t *genotype, gr_best *b, gr_error *error) {
    gr_status status = read_at(run, population, place, genotype, b, error);
    return status ? status : complete(gr_run_problem(run), b, 1, error);
}

gr_status gr_population_show(gr_run *run, const gr_population *population, const uint32_t *place,
                             uint32_t count, gr_best *individuals, gr_error *error) {
    size_t words = gr_genotype_words(&gr_run_problem(run)->job.params);
    uint32_t *genotype = malloc(words * sizeof *genotype), shown = 0;
    gr_status status = genotype ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a genotype");
    for (uint32_t k = 0; k < count; k++)
        individuals[k] = (gr_best){0};
    for (; !status && shown < count; shown++)
        status = show_at(run, population, place[shown], genotype, &individuals[shown], error);
    while (status && shown)
        gr_best_free(&individuals[--shown]);
    free(genotype);
    return status;
}

gr_status gr_population_phenotypes(gr_run *run, const gr_population *population,
                                   const uint32_t *place, uint32_t count, FILE *out,
                                   gr_error *error) {
    uint32_t *genotype =
        malloc(gr_genotype_words(&gr_run_problem(run)->job.params) * sizeof *genotype);
    gr_status status = genotype ? GR_OK : gr_fail(error, GR_NO_MEMORY, "no memory for a genotype");
    for (uint32_t k = 0; !status && k < count; k++) {
        gr_best b = {0};
        status = read_at(run, population, place[k], genotype, &b, error);
        fprintf(out, "%s\n", b.infix ? b.phenotype : "");
        gr_best_free(&b);
    }
    free(genotype);
    return status;
}

/* ---- the front ---- */

enum { NOBODY = UINT32_MAX };

gr_status gr_population_front(const gr_population *population, uint32_t *place, uint32_t *front,
                              gr_error *error) {
    uint32_t largest = 0, found = 0;
    float least = GR_INFINITY;
    for (uint32_t i = 0; i < population->count; i++)
        largest = gr_max_u32(largest, population->individual[i].nodes);
    uint32_t *best =
        malloc((largest + 1ull) * sizeof *best); /* of every size, the first of those */
    if (!best)
        return gr_fail(error, GR_NO_MEMORY, "no memory for the sizes up to %u", largest);
    for (uint32_t size = 0; size <= largest; size++)
        best[size] = NOBODY;
    for (uint32_t i = 0; i < population->count; i++) {
        uint32_t *of_size = &best[population->individual[i].nodes];
        float cost = population->cost[i];
        if (cost < (*of_size == NOBODY ? GR_INFINITY : population->cost[*of_size]))
            *of_size = i;
    }
    for (uint32_t size = 1; size <= largest; size++)
        if (best[size] != NOBODY && population->cost[best[size]] < least) {
            least = population->cost[best[size]];
            place[found++] = best[size];
        }
    *front = found;
    free(best);
    return GR_OK;
}
