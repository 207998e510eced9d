#include "host/run/run.h"

#include "gpu/backend/clock.h"
#include "gpu/core/selection/select.h"
#include "host/derivation/phenotype.h"
#include "host/problem/shown_fitness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gr_run {
    gr_problem problem;
    const gr_backend *backend;
    gr_engine *engine;
    char why[256];
    double start;
    double *selected_at; /* [epoch], seconds since the start */
    uint32_t timed;      /* generations of this epoch that have their time */
    uint32_t generations;
    uint32_t asked; /* generations of the engine by the settings, whatever else limits them */
    uint64_t rows;  /* generations that watches were told of */
    double executed;
    gr_run_step *steps;    /* [runs] sums of the steps of a generation so far */
    uint32_t *improved_at; /* [runs] generation of the engine */
    double limit;          /* seconds; NaN: none */
    double opened;         /* by this process */
    double last, pace;     /* when the last generation came, and the seconds it took */
    uint32_t counted;      /* generations of this epoch, then */
    volatile sig_atomic_t stop;
    int late;     /* the time limit stopped it */
    int active;   /* runs that were not done when the engine finished */
    int finished; /* the engine */
    gr_reason reason;
    uint32_t snapshots;
    double pause;
    const gr_watch *watch;
    gr_deme *demes; /* [demes] and the genotypes of their best, as read after the last epoch; NULL:
                       not read */
    uint32_t *genotypes;
};

/* ---- opening ---- */

/* The CUDA backend if it can be used, otherwise NULL and why not. */
static const gr_backend *usable_cuda(char *line, size_t size) {
#ifdef GRAMPUS_CUDA
    return gr_backend_cuda.available(line, size) ? &gr_backend_cuda : NULL;
#else
    snprintf(line, size, "this grampus was built without CUDA");
    return NULL;
#endif
}

gr_status gr_choose_backend(uint32_t device, const gr_backend **backend, char *why, size_t size,
                            gr_error *error) {
    char line[200];
    *backend = &gr_backend_cpu;
    if (device == GR_DEVICE_CPU) {
        snprintf(why, size, "device: cpu was asked for");
        return GR_OK;
    }
    const gr_backend *cuda = usable_cuda(line, sizeof line);
    if (device == GR_DEVICE_CUDA && !cuda)
        return gr_fail(error, GR_DEVICE_FAILED,
                       "device cuda: %s; expected a usable CUDA device, or device cpu or auto",
                       line);
    if (cuda) {
        *backend = cuda;
        snprintf(why, size,
                 device == GR_DEVICE_CUDA ? "device: cuda was asked for"
                                          : "a CUDA device is usable");
    } else
        snprintf(why, size, "no CUDA: %s", line);
    return GR_OK;
}

gr_status gr_run_open(const gr_settings *settings, gr_run **run, gr_error *error) {
    gr_run *r = calloc(1, sizeof *r);
    *run = NULL;
    if (!r)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a run");
    r->start = gr_seconds_now();
    gr_status status = gr_problem_make(settings, &r->problem, error);
    if (!status)
        status = gr_choose_backend(settings->device, &r->backend, r->why, sizeof r->why, error);
    if (!status) {
        r->selected_at = calloc(r->problem.job.epoch, sizeof *r->selected_at);
        r->steps = calloc(settings->runs, sizeof *r->steps);
        r->improved_at = calloc(settings->runs, sizeof *r->improved_at);
        r->limit = settings->time_limit;
        r->opened = r->start;
        r->asked = settings->generations * r->problem.job.params.steps;
        if (!r->selected_at || !r->steps || !r->improved_at)
            status = gr_fail(error, GR_NO_MEMORY, "no memory for an epoch of %u generations",
                             r->problem.job.epoch);
    }
    if (!status)
        status = r->backend->open(&r->problem.job, &r->engine, error);
    if (status)
        gr_run_close(r);
    else
        *run = r;
    return status;
}

static void forget_best(gr_run *run) {
    free(run->demes);
    free(run->genotypes);
    run->demes = NULL;
    run->genotypes = NULL;
}

void gr_run_close(gr_run *run) {
    if (!run)
        return;
    if (run->engine)
        run->backend->close(run->engine);
    forget_best(run);
    free(run->selected_at);
    free(run->steps);
    free(run->improved_at);
    gr_problem_free(&run->problem);
    free(run);
}

void gr_run_stop(gr_run *run) {
    run->stop = 1;
    run->backend->stop(run->engine);
}

const gr_problem *gr_run_problem(const gr_run *run) {
    return &run->problem;
}

/* ---- generations ---- */

static gr_min_mean_max spread_of(const gr_statistics *t, gr_size_kind kind, uint32_t count) {
    gr_min_mean_max none = {(double)NAN, (double)NAN, (double)NAN};
    gr_min_mean_max some = {(double)t->least[kind], (double)t->sum[kind] / (double)count,
                            (double)t->most[kind]};
    return count ? some : none;
}

/* The records of a run's islands as one; not `written` when all had stopped before. */
static gr_record merge_islands(const gr_params *p, const gr_record *record) {
    gr_record merged = {0};
    for (uint32_t island = 0; island < p->islands; island++) {
        const gr_record *r = record + island;
        if (!r->written)
            continue;
        if (!merged.written) {
            merged = *r;
            continue;
        }
        merged.statistics = gr_statistics_merge(merged.statistics, r->statistics);
        merged.improved |= r->improved;
        if (r->best_cost < merged.best_cost) {
            merged.best_cost = r->best_cost;
            merged.best = r->best;
        }
        if (r->best_ever_cost < merged.best_ever_cost) {
            merged.best_ever_cost = r->best_ever_cost;
            merged.test_cost = r->test_cost;
        }
    }
    return merged;
}

uint32_t gr_run_generations(const gr_params *p) {
    return p->generations / p->steps;
}

/* Generation of the run in which one of the engine's lies. */
static uint32_t generation_of(const gr_params *p, uint32_t generation) {
    return (generation + p->steps - 1) / p->steps;
}

static gr_generation decode(const gr_params *p, const gr_record *r, double seconds) {
    const gr_statistics *t = &r->statistics;
    uint32_t valid = t->validity[GR_VALID];
    gr_generation g = {0};
    g.run = r->deme / p->islands;
    g.generation = generation_of(p, r->generation);
    g.improved = (int)r->improved;
    g.best = gr_fitness_of(p->metric, r->best_cost);
    g.best_ever = gr_fitness_of(p->metric, r->best_ever_cost);
    g.test = p->test_chunks ? gr_fitness_of(p->metric, r->test_cost) : (double)NAN;
    g.mean = t->finite ? gr_fitness_of(p->metric, t->cost_sum / (double)t->finite) : (double)NAN;
    for (int k = 0; k < GR_VALIDITY_COUNT; k++) {
        g.by_validity[k] = t->validity[k];
        g.individuals += t->validity[k];
    }
    g.nonfinite = valid - t->finite;
    g.draws_again = t->draws_again;
    g.parents_kept = t->parents_kept;
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        g.size[k] = spread_of(t, (gr_size_kind)k, k == GR_SIZE_LENGTH ? g.individuals : valid);
    g.best_nodes = r->best.nodes;
    g.best_depth = r->best.depth;
    g.executed = (double)t->sum[GR_SIZE_NODES] * (double)p->train_cases;
    g.seconds = seconds;
    return g;
}

/* Stops the run where another generation as slow as the last would outlast the time limit. */
static void keep_limit(gr_run *run, double now, uint32_t generations) {
    double passed = now - run->last;
    if (generations > run->counted) {
        run->pace = passed / (generations - run->counted);
        run->counted = generations;
        run->last = now;
    } else if (passed > run->pace)
        run->pace = passed;
    if (run->late || !(now - run->opened + run->pace > run->limit))
        return;
    run->late = 1;
    run->backend->stop(run->engine);
}

/* Ticks of the engine give every generation of the epoch its time. */
static void note_time(void *context, uint32_t generations) {
    gr_run *run = context;
    double now = gr_seconds_now(), seconds = now - run->start;
    keep_limit(run, now, generations);
    while (run->timed < generations && run->timed < run->problem.job.epoch)
        run->selected_at[run->timed++] = seconds;
    if (run->watch && run->watch->tick && run->generations + generations > 0)
        run->watch->tick(run->watch->context, generation_of(&run->problem.job.params,
                                                            run->generations + generations - 1));
}

/* Adds the steps of a generation up, in its last one, or where the run ends, to `g`; 0: more come.
 */
static int add_step(gr_run *run, const gr_record *record, int solved, gr_generation *g) {
    gr_run_step *sum = &run->steps[g->run], none = {0};
    sum->executed += g->executed;
    sum->draws_again += g->draws_again;
    sum->parents_kept += g->parents_kept;
    sum->improved |= (uint64_t)g->improved;
    if (record->generation % run->problem.job.params.steps && !solved)
        return 0;
    g->executed = sum->executed;
    g->draws_again = sum->draws_again;
    g->parents_kept = sum->parents_kept;
    g->improved = (int)sum->improved;
    *sum = none;
    return 1;
}

/* Whether a run goes on after this generation of its own. */
static gr_reason reason_of(gr_run *run, const gr_record *record, uint32_t index) {
    const gr_params *p = &run->problem.job.params;
    if (record->improved)
        run->improved_at[index] = record->generation;
    if (record->generation >= p->generations)
        return p->generations < run->asked ? GR_REACHED_EVALUATIONS : GR_REACHED_GENERATIONS;
    if (p->stop_at_target && record->best_ever_cost <= p->target_cost)
        return GR_REACHED_TARGET;
    return gr_stagnates(p, record->generation, run->improved_at[index]) ? GR_REACHED_STAGNATION
                                                                        : GR_GOES_ON;
}

/* The records of a generation of all runs, selected at `seconds`. */
static void take_records(gr_run *run, const gr_record *records, double seconds) {
    const gr_params *p = &run->problem.job.params;
    const gr_watch *watch = run->watch;
    run->active = 0;
    run->reason = GR_GOES_ON;
    for (uint32_t deme = 0; deme < gr_demes(p); deme += p->islands) {
        gr_record merged = merge_islands(p, records + deme);
        if (!merged.written)
            continue;
        gr_generation decoded = decode(p, &merged, seconds);
        run->executed += decoded.executed;
        int solved = p->stop_at_target && merged.best_ever_cost <= p->target_cost;
        gr_reason reason = reason_of(run, &merged, decoded.run);
        run->active |= reason == GR_GOES_ON;
        run->reason = reason > run->reason ? reason : run->reason;
        if (!add_step(run, &merged, solved, &decoded))
            continue;
        run->rows++;
        if (watch && watch->generation)
            watch->generation(watch->context, &decoded);
    }
}

gr_status gr_run_advance(gr_run *run, const gr_watch *watch, int *finished, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    const gr_record *records;
    uint32_t generations = 0;
    forget_best(run);
    run->watch = watch;
    run->timed = run->counted = 0;
    run->last = gr_seconds_now();
    gr_status status =
        run->backend->advance(run->engine, note_time, run, &records, &generations, finished, error);
    if (!status) {
        note_time(run, generations);
        run->finished = *finished;
        for (uint32_t g = 0; g < generations; g++)
            take_records(run, records + (size_t)g * gr_demes(p), run->selected_at[g]);
        run->generations += generations;
        if (*finished && run->active)
            run->reason = run->stop ? GR_REQUESTED : GR_REACHED_TIME_LIMIT;
        if (watch && watch->border)
            watch->border(watch->context, *finished);
        if (*finished && p->sampling)
            status = run->backend->rank(run->engine, error);
    }
    run->watch = NULL;
    return status;
}

const char *gr_reason_name(gr_reason reason) {
    static const char *const names[GR_REASONS] = {
        "none",        "target-fitness", "stagnation", "max-evaluations",
        "generations", "time-limit",     "request"};
    return names[reason];
}

/* ---- going on ---- */

gr_status gr_run_snapshot(gr_run *run, gr_snapshot *snapshot, gr_run_tally *tally,
                          gr_run_step *steps, gr_error *error) {
    gr_run_tally now = {run->rows, run->generations, run->reason, gr_seconds_now() - run->start,
                        run->executed};
    *tally = now;
    memcpy(steps, run->steps, run->problem.job.params.runs * sizeof *steps);
    double begun = gr_seconds_now();
    gr_status status = run->backend->snapshot(run->engine, snapshot, error);
    run->pause += gr_seconds_now() - begun;
    run->snapshots++;
    return status;
}

gr_status gr_run_await_snapshot(gr_run *run, gr_error *error) {
    return run->backend->await_snapshot(run->engine, error);
}

gr_status gr_run_resume(gr_run *run, const gr_snapshot *snapshot, const gr_run_tally *tally,
                        const gr_run_step *steps, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    const gr_deme *demes = gr_snapshot_rows(snapshot, GR_SECTION_DEMES);
    if (snapshot->generation + !snapshot->ended > p->generations)
        return gr_fail(error, GR_BAD_INPUT,
                       "the checkpoint is of generation %u; expected more generations than that",
                       generation_of(p, snapshot->generation));
    gr_status status = run->backend->restore(run->engine, snapshot, error);
    if (status)
        return status;
    run->rows = tally->rows;
    run->generations = (uint32_t)tally->generations;
    run->executed = tally->executed;
    run->reason = (gr_reason)tally->reason;
    run->start = run->opened - tally->seconds;
    run->active = gr_snapshot_goes_on(snapshot, p); /* it may be stopped before it is */
    memcpy(run->steps, steps, p->runs * sizeof *steps);
    for (uint32_t d = 0; d < gr_demes(p); d++)
        run->improved_at[d / p->islands] =
            gr_max_u32(run->improved_at[d / p->islands], demes[d].best_generation);
    return GR_OK;
}

void gr_run_look(const gr_run *run, gr_run_report *report) {
    gr_run_report look = {0};
    look.backend = run->backend->name;
    run->backend->report(run->engine, &look.engine, &look.traffic);
    snprintf(look.why, sizeof look.why, "%s", run->why);
    look.generation =
        run->generations ? generation_of(&run->problem.job.params, run->generations - 1) : 0;
    look.executed = run->executed;
    look.seconds = gr_seconds_now() - run->start;
    look.finished = run->finished;
    look.stopped = run->stop && run->active;
    look.reason = run->reason;
    look.snapshots = run->snapshots;
    look.pause = run->pause;
    *report = look;
}

double gr_run_gpops(const gr_run_report *report) {
    double seconds = report->traffic.seconds;
    return seconds > 0.0 ? report->executed / seconds * 1e-9 : 0.0;
}

/* ---- the best ---- */

static gr_status read_best(gr_run *run, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    size_t demes = gr_demes(p);
    size_t words = gr_genotype_words(p);
    if (run->demes)
        return GR_OK;
    run->demes = malloc(demes * sizeof *run->demes);
    run->genotypes = malloc(demes * words * sizeof *run->genotypes);
    gr_status status = GR_OK;
    if (!run->demes || !run->genotypes)
        status = gr_fail(error, GR_NO_MEMORY, "no memory for the best of %zu runs", demes);
    if (!status)
        status = run->backend->read(run->engine, GR_SECTION_DEMES, run->demes,
                                    demes * sizeof *run->demes, error);
    if (!status)
        status = run->backend->read(run->engine, GR_SECTION_BEST_GENOMES, run->genotypes,
                                    demes * words * sizeof *run->genotypes, error);
    if (status)
        forget_best(run);
    return status;
}

gr_status gr_run_read(gr_run *run, gr_section section, void *to, size_t bytes, gr_error *error) {
    return run->backend->read(run->engine, section, to, bytes, error);
}

/* Genome, sentence and expression of a GE individual. */
static gr_status show_genome(gr_run *run, const uint32_t *genome, gr_best *best, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    gr_phenotype phenotype = {0};
    gr_node *nodes = NULL;
    uint32_t count;
    best->genome = malloc((best->length ? best->length : 1) * sizeof *best->genome);
    if (!best->genome)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a genome");
    memcpy(best->genome, genome, best->length * sizeof *genome);
    if (best->validity != GR_VALID)
        return GR_OK;
    const gr_reading reading = gr_reading_of(p);
    gr_status status = gr_derive_phenotype_by(run->problem.grammar, &reading, genome, best->length,
                                              &phenotype, error);
    best->phenotype = phenotype.text;
    if (!status)
        status =
            gr_map_genome(p, run->problem.job.grammar, genome, best->length, &nodes, &count, error);
    if (!status && nodes)
        best->infix = gr_print_expression(nodes, count, &run->problem.vocabulary);
    free(nodes);
    if (!status && !best->infix)
        status = gr_fail(error, GR_FAILED, "the best genome of run %u cannot be shown", best->run);
    return status;
}

static gr_status show_tree(gr_run *run, const uint32_t *words, gr_best *best, gr_error *error) {
    best->infix =
        gr_print_expression((const gr_node *)words, best->nodes, &run->problem.vocabulary);
    best->phenotype = best->infix ? strdup(best->infix) : NULL;
    return best->phenotype
               ? GR_OK
               : gr_fail(error, GR_FAILED, "the best tree of run %u cannot be shown", best->run);
}

gr_status gr_run_best(gr_run *run, uint32_t index, gr_best *best, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    int tree = p->genotype == GR_TREE;
    gr_best b = {0};
    *best = b;
    if (index >= p->runs)
        return gr_fail(error, GR_BAD_INPUT, "run %u of %u; expected a number below", index,
                       p->runs);
    if (!run->generations)
        return gr_fail(error, GR_BAD_INPUT, "no generation has been selected yet");
    gr_status status = read_best(run, error);
    if (status)
        return status;
    size_t deme = (size_t)index * p->islands;
    for (size_t d = deme; d < (size_t)(index + 1) * p->islands; d++)
        if (run->demes[d].best_cost < run->demes[deme].best_cost)
            deme = d;
    const gr_deme *d = &run->demes[deme];
    const uint32_t *genotype = run->genotypes + deme * gr_genotype_words(p);
    b.run = index;
    b.generation = generation_of(p, d->best_generation);
    b.seed = ((uint64_t)p->seed[1] << 32 | p->seed[0]) + index;
    b.train = gr_fitness_of(p->metric, d->best_cost);
    b.test = p->test_chunks ? gr_fitness_of(p->metric, d->test_cost) : (double)NAN;
    b.solved = p->stop_at_target && d->best_cost <= p->target_cost;
    b.recomputed[0] = b.recomputed[1] = (double)NAN;
    b.validity = d->best.validity;
    b.nodes = d->best.nodes;
    b.depth = d->best.depth;
    b.derivation_nodes = d->best.derivation_nodes;
    b.used = d->best.used;
    b.length = d->best.length;
    b.intercept = p->linear_scaling ? d->fit[0] : 0.0;
    b.slope = p->linear_scaling ? d->fit[1] : 1.0;
    status = tree ? show_tree(run, genotype, &b, error) : show_genome(run, genotype, &b, error);
    if (status)
        gr_best_free(&b);
    else
        *best = b;
    return status;
}

void gr_best_free(gr_best *best) {
    gr_best empty = {0};
    free(best->phenotype);
    free(best->infix);
    free(best->genome);
    *best = empty;
}
