#include "host/run/run.h"

#include "gpu/backend/clock.h"
#include "gpu/core/fitting/normal.h"
#include "gpu/core/selection/select.h"
#include "host/cpu/processors.h"
#include "host/derivation/phenotype.h"
#include "host/device/choose.h"
#include "host/problem/shown_fitness.h"
#include "host/spread/spread.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records or runs that are worth a team of threads; records that are looked at early at a time. */
enum { MUCH = 8192, EARLY_RECORDS = 65536 };
#define RECORD_BYTES ((uint64_t)128 << 20)

struct gr_run {
    gr_problem problem;
    const gr_backend *backend;
    const char *device; /* "cpu", "cuda": of every engine */
    gr_engine *engine;
    char why[256];
    double start;
    double *selected_at; /* [epoch], seconds since the start */
    uint32_t timed;      /* generations of this epoch that have their time */
    uint32_t generations;
    double executed;
    gr_work_spared spared;
    gr_generation *steps; /* [runs] sums of the steps of a generation so far */
    gr_team *team;        /* NULL: not opened yet */
    uint32_t asked;       /* generations of the engine by the settings, whatever else limits them */
    int repeats;          /* the engine selects the last of them once more: it was resumed there */
    double limit;         /* seconds; NaN: none */
    double opened;        /* by this process */
    double last, pace;    /* when the last generation came, and the seconds it took */
    uint32_t counted;     /* generations of this epoch, then */
    atomic_int stop;      /* set by any thread, or a signal handler */
    int late;             /* the time limit stopped it */
    int active;           /* runs that were not done when the engine finished */
    int finished;         /* the engine */
    gr_reason reason;
    uint32_t snapshots;
    double pause;
    const gr_watch *watch;
    const gr_records *records; /* of the epoch that goes on, or NULL; of them looked at early: */
    uint32_t seen;
    double looked, early; /* when; nodes x cases */
    /* [demes] and the genotypes of their best, as read after the last epoch; NULL: not read */
    gr_deme *demes;
    uint32_t *genotypes;
    float *constants; /* [demes][GR_FIT_CONSTANTS], where they stand beside genomes */
};

/* ---- opening ---- */

/* What may be done on any device; math: fast is for the GPU, which alone has it. */
static const gr_job *exact_job(const gr_settings *settings, const gr_problem *problem) {
    return settings->math == GR_MATH_FAST ? NULL : &problem->job;
}

/* The records of an epoch wait for its end in the memory of the host: of many runs there are fewer
 * generations in it. No result depends on it. */
static void limit_epoch(gr_job *job) {
    uint64_t most = RECORD_BYTES / (gr_demes(&job->params) * sizeof(gr_record));
    if (job->epoch > most)
        job->epoch = most ? (uint32_t)most : 1;
}

/* The backend, and what it is spread over: devices that are named are GPUs. */
static gr_status choose_devices(const gr_settings *settings, gr_run *r, gr_spread *spread,
                                gr_error *error) {
    const char *devices = settings->devices ? settings->devices : "";
    int named = *devices && settings->device == GR_AUTO;
    gr_status status = gr_choose_backend(named ? GR_DEVICE_CUDA : settings->device,
                                         exact_job(settings, &r->problem), &r->backend, r->why,
                                         sizeof r->why, error);
    if (!status)
        status = gr_spread_plan(devices, r->backend, &r->problem.job, spread, error);
    if (status)
        return status;
    if (named)
        snprintf(r->why, sizeof r->why, "devices: %.80s was asked for", devices);
    if (spread->members < spread->there) {
        size_t length = strlen(r->why);
        snprintf(r->why + length, sizeof r->why - length, "; %u of %u have something to do",
                 spread->members, spread->there);
    }
    r->device = r->backend->name;
    r->problem.job.card = spread->card[0];
    if (spread->members > 1)
        r->backend = &gr_backend_spread;
    return GR_OK;
}

gr_status gr_run_open(const gr_settings *settings, gr_run **run, gr_error *error) {
    gr_spread spread;
    gr_run *r = calloc(1, sizeof *r);
    *run = NULL;
    if (!r)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a run");
    r->start = gr_seconds_now();
    gr_status status = gr_problem_make(settings, &r->problem, error);
    if (!status)
        status = choose_devices(settings, r, &spread, error);
    r->limit = settings->time_limit;
    r->opened = r->start;
    if (!status) {
        limit_epoch(&r->problem.job);
        r->asked = settings->generations * r->problem.job.params.steps;
        r->selected_at = calloc(r->problem.job.epoch, sizeof *r->selected_at);
        r->steps = calloc(settings->runs, sizeof *r->steps);
        if (!r->selected_at || !r->steps)
            status = gr_fail(error, GR_NO_MEMORY, "no memory for an epoch of %u generations",
                             r->problem.job.epoch);
    }
    if (!status && spread.members > 1)
        status = gr_spread_open(&spread, &r->problem.job, &r->engine, error);
    else if (!status)
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
    free(run->constants);
    run->demes = NULL;
    run->genotypes = NULL;
    run->constants = NULL;
}

void gr_run_close(gr_run *run) {
    if (!run)
        return;
    if (run->engine)
        run->backend->close(run->engine);
    forget_best(run);
    gr_team_close(run->team);
    free(run->selected_at);
    free(run->steps);
    gr_problem_free(&run->problem);
    free(run);
}

void gr_run_leave(gr_run *run) {
    if (run && run->backend != &gr_backend_cpu &&
        (run->backend != &gr_backend_spread || !gr_spread_on_cpu(run->engine)))
        run->engine = NULL;
    gr_run_close(run);
}

void gr_run_stop(gr_run *run) {
    run->stop = 1;
    run->backend->stop(run->engine);
}

const gr_problem *gr_run_problem(const gr_run *run) {
    return &run->problem;
}

/* ---- generations ---- */

static gr_status read_demes(gr_run *run, gr_error *error);

uint32_t gr_run_generations(const gr_params *p) {
    return p->generations / p->steps;
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

static void hand_on_early(void *context, gr_rows *rows) {
    const gr_watch *watch = context;
    for (uint32_t i = 0; i < rows->count; i++)
        watch->early(watch->context, &rows->row[i]);
    free(rows);
}

/* Generations of an epoch that takes long, at most ten times a second; of many runs the last of
 * them, for there is little time. */
static void look_early(gr_run *run, double now, uint32_t generations) {
    const gr_records *all = run->records;
    if (!run->watch || !run->watch->early || !all || !all->record || all->p->steps > 1 ||
        run->repeats || generations <= run->seen || now - run->looked < 0.1)
        return;
    gr_records part = *all;
    gr_records_sum sum;
    gr_watch on = *run->watch;
    uint32_t fresh = generations - run->seen,
             most = gr_max_u32(1, EARLY_RECORDS / gr_demes(all->p)),
             first = generations - gr_min_u32(fresh, most);
    part.record += (size_t)first * gr_demes(all->p);
    part.generations = generations - first;
    part.seconds = run->selected_at + first;
    if (gr_records_read(&part, NULL, hand_on_early, &on, &sum))
        run->early += sum.executed * (double)fresh / (double)part.generations;
    run->seen = generations;
    run->looked = now;
}

/* Ticks of the engine give every generation of the epoch its time. */
static void note_time(void *context, uint32_t generations) {
    gr_run *run = context;
    double now = gr_seconds_now(), seconds = now - run->start;
    keep_limit(run, now, generations);
    while (run->timed < generations && run->timed < run->problem.job.epoch)
        run->selected_at[run->timed++] = seconds;
    uint32_t there = generations > run->backend->behind ? generations - run->backend->behind : 0;
    look_early(run, now, gr_min_u32(there, run->timed));
    if (run->watch && run->watch->tick && run->generations + generations > 0)
        run->watch->tick(run->watch->context, gr_generation_of(&run->problem.job.params,
                                                               run->generations + generations - 1));
}

/* The team for what there is much of in many runs. */
static gr_team *team_of(gr_run *run, uint64_t work) {
    if (!run->team && work >= MUCH) {
        uint32_t threads = run->problem.job.threads;
        run->team = gr_team_open(threads ? threads : gr_processors());
    }
    return run->team;
}

static void hand_on(void *context, gr_rows *rows) {
    const gr_watch *watch = context;
    for (uint32_t i = 0; watch->generation && i < rows->count; i++)
        watch->generation(watch->context, &rows->row[i]);
    if (watch->rows)
        watch->rows(watch->context, rows);
    else
        free(rows);
}

/* What the best of a deme was chosen by. */
static float judged(const gr_params *p, const gr_deme *d) {
    return p->validation_chunks ? d->validation_cost : d->best_cost;
}

/* The island that has the best of a run, as a deme: of equals the one that found it first. */
static size_t deme_of(const gr_run *run, uint32_t index) {
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

/* The generation in which a run whose best is that of a deme, which is not active, stopped. */
static uint32_t stopped_in(const gr_params *p, const gr_deme *d, int solved) {
    uint32_t since = d->best_generation;
    return solved ? since : (since + p->stagnation + p->steps - 1) / p->steps * p->steps;
}

/* Why a run ended whose demes all stopped by themselves; in *active whether one did not. Only a run
 * with `stagnation` has to look at them. */
static gr_status look_at_demes(gr_run *run, gr_reason *reason, int *active, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    uint32_t last = run->generations - 1;
    gr_status status = read_demes(run, error);
    for (uint32_t r = 0; !status && r < p->runs; r++) {
        const gr_deme *d = &run->demes[deme_of(run, r)];
        int solved = p->stop_at_target && d->best_cost <= p->target_cost;
        *active |= d->active != 0;
        if (!d->active && !solved && stopped_in(p, d, solved) == last)
            *reason = GR_REACHED_STAGNATION;
    }
    forget_best(run);
    return status;
}

/* What ended the run, whose `active` leaves stagnation out. */
static gr_status find_reason(gr_run *run, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    int active = run->active;
    gr_reason reason = GR_REACHED_TARGET;
    gr_status status = GR_OK;
    if (!run->generations)
        return GR_OK;
    if (run->generations > p->generations) {
        active = 0;
        reason = p->generations < run->asked ? GR_REACHED_EVALUATIONS : GR_REACHED_GENERATIONS;
    } else if (p->stagnation) {
        active = 0;
        status = look_at_demes(run, &reason, &active, error);
    }
    run->active = active;
    run->reason = !active ? reason : run->stop ? GR_REQUESTED : GR_REACHED_TIME_LIMIT;
    return status;
}

/* What comes at the end of an epoch: a snapshot, the reason of the end, the ranking on all cases.
 */
static gr_status end_epoch(gr_run *run, const gr_watch *watch, int ended, gr_error *error) {
    gr_status status = ended ? find_reason(run, error) : GR_OK;
    if (!status && watch && watch->border)
        watch->border(watch->context, ended);
    if (!status && ended && run->generations && run->problem.job.params.sampling)
        status = run->backend->rank(run->engine, error);
    return status;
}

gr_status gr_run_advance(gr_run *run, const gr_watch *watch, int *finished, gr_error *error) {
    gr_records records = {.p = &run->problem.job.params, .steps = run->steps};
    gr_records_sum sum;
    forget_best(run);
    run->watch = watch;
    run->timed = run->counted = run->seen = 0;
    run->looked = run->last = gr_seconds_now();
    run->records = &records;
    gr_status status = run->backend->advance(run->engine, note_time, run, &records.record,
                                             &records.generations, finished, error);
    run->watch = NULL;
    run->records = NULL;
    run->early = 0.0;
    if (status)
        return status;
    note_time(run, records.generations);
    run->finished = *finished;
    if (!run->generations)
        run->active = 1; /* stopped in the first one */
    if (!records.generations)
        return end_epoch(run, watch, *finished, error);
    records.seconds = run->selected_at;
    if (run->repeats) { /* the rows of that one were handed on */
        records.record += gr_demes(records.p);
        records.seconds++;
        records.generations--;
        run->repeats = 0;
    }
    gr_team *team = team_of(run, (uint64_t)records.generations * records.p->runs);
    gr_watch on = watch ? *watch : (gr_watch){0};
    if (!gr_records_read(&records, team, hand_on, &on, &sum))
        return gr_fail(error, GR_NO_MEMORY, "no memory for the generations of %u runs",
                       records.p->runs);
    run->executed += sum.executed;
    gr_add_work_spared(&run->spared, &sum.spared);
    run->active = records.generations ? sum.active : run->active;
    run->generations += records.generations;
    status = end_epoch(run, watch, *finished, error);
    if (*finished && !status && !run->stop) /* one that was stopped has given up a generation */
        gr_note_run(run->backend, run->engine, &run->problem.job, run->generations,
                    run->executed + run->spared.executed);
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
    double begun = gr_seconds_now();
    *tally = (gr_run_tally){run->generations,       run->reason,         begun - run->start,
                            run->executed,          run->spared.shared,  run->spared.kept,
                            run->spared.remembered, run->spared.executed};
    for (uint32_t r = 0; r < run->problem.job.params.runs; r++) {
        const gr_generation *g = &run->steps[r];
        steps[r] =
            (gr_run_step){g->executed, g->draws_again, g->parents_kept, (uint64_t)g->improved};
    }
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
    if (snapshot->generation > p->generations)
        return gr_fail(error, GR_BAD_INPUT,
                       "the checkpoint is of generation %u; expected no fewer generations",
                       gr_generation_of(p, snapshot->generation));
    gr_status status = run->backend->restore(run->engine, snapshot, error);
    if (status)
        return status;
    run->generations = (uint32_t)tally->generations;
    run->executed = tally->executed;
    run->spared = (gr_work_spared){tally->shared, tally->kept, tally->remembered, tally->spared};
    run->reason = (gr_reason)tally->reason;
    run->start = run->opened - tally->seconds;
    run->active = gr_snapshot_goes_on(snapshot, p); /* it may be stopped before it is */
    run->repeats = snapshot->ended && run->active;
    for (uint32_t r = 0; r < p->runs; r++) {
        run->steps[r] = (gr_generation){.executed = steps[r].executed,
                                        .draws_again = steps[r].draws_again,
                                        .parents_kept = steps[r].parents_kept,
                                        .improved = (int)steps[r].improved};
    }
    return GR_OK;
}

void gr_run_look(const gr_run *run, gr_run_report *report) {
    gr_run_report look = {0};
    look.backend = run->device;
    run->backend->report(run->engine, &look.engine, &look.traffic);
    const gr_loaded *l = &run->problem.loaded;
    size_t running = l->targets + l->tiles + look.engine.host +
                     (run->backend == &gr_backend_cpu ? look.engine.bytes : 0);
    look.host_bytes = running > l->most ? running : l->most;
    snprintf(look.why, sizeof look.why, "%s", run->why);
    look.selected = run->generations > 0;
    look.generation =
        run->generations ? gr_generation_of(&run->problem.job.params, run->generations - 1) : 0;
    look.complete = run->generations && (run->generations - 1) % run->problem.job.params.steps == 0;
    look.executed = run->executed;
    look.spared = run->spared;
    look.early = run->early;
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

static gr_status read_section(gr_run *run, gr_section section, size_t bytes, void **to,
                              gr_error *error) {
    if (*to)
        return GR_OK;
    if (!(*to = malloc(bytes)))
        return gr_fail(error, GR_NO_MEMORY, "no memory for the best of %u runs",
                       run->problem.job.params.runs);
    gr_status status = run->backend->read(run->engine, section, *to, bytes, error);
    if (status) {
        free(*to);
        *to = NULL;
    }
    return status;
}

static gr_status read_demes(gr_run *run, gr_error *error) {
    size_t demes = gr_demes(&run->problem.job.params);
    if (!run->generations)
        return gr_fail(error, GR_BAD_INPUT, "no generation has been selected yet");
    return read_section(run, GR_SECTION_DEMES, demes * sizeof *run->demes, (void **)&run->demes,
                        error);
}

static gr_status read_best(gr_run *run, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    size_t words = (size_t)gr_demes(p) * gr_genotype_words(p);
    gr_status status = read_demes(run, error);
    if (!status && gr_fits_beside(p))
        status = read_section(run, GR_SECTION_BEST_CONSTANTS,
                              gr_demes(p) * GR_FIT_CONSTANTS * sizeof *run->constants,
                              (void **)&run->constants, error);
    return status ? status
                  : read_section(run, GR_SECTION_BEST_GENOMES, words * sizeof *run->genotypes,
                                 (void **)&run->genotypes, error);
}

gr_status gr_run_read(gr_run *run, gr_section section, void *to, size_t bytes, gr_error *error) {
    return run->backend->read(run->engine, section, to, bytes, error);
}

gr_status gr_run_read_at(gr_run *run, gr_section section, size_t offset, void *to, size_t bytes,
                         gr_error *error) {
    return run->backend->read_at(run->engine, section, offset, to, bytes, error);
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

/* Fitted constants in place of the grammar's. */
static void put_constants(gr_node *nodes, uint32_t count, const float *constants) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < count && k < GR_FIT_CONSTANTS; i++) {
        float value = gr_bits_float(nodes[i].operand);
        if (GR_NODE_OP(nodes[i]) != GR_CONSTANT || value - value != 0.0f)
            continue;
        if (!isnan(constants[k]))
            nodes[i].operand = gr_float_bits(constants[k]);
        k++;
    }
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
    if (!status && nodes && constants)
        put_constants(nodes, count, constants);
    if (!status && nodes) {
        best->infix = gr_print_expression(nodes, count, &run->problem.vocabulary);
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

/* Numbers of a run's best, from its deme. */
static gr_best describe(const gr_run *run, uint32_t index) {
    const gr_params *p = &run->problem.job.params;
    const gr_deme *d = &run->demes[deme_of(run, index)];
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

gr_status gr_run_show(const gr_run *run, const uint32_t *genotype, const float *constants,
                      int whole, gr_best *b, gr_error *error) {
    if (run->problem.job.params.genotype == GR_TREE)
        return show_tree(run, genotype, b, whole, error);
    gr_status status = whole ? keep_genome(run, genotype, b, error) : GR_OK;
    return status ? status : show_genome(run, genotype, constants, b, error);
}

static gr_status show(const gr_run *run, gr_best *b, int whole, gr_error *error) {
    size_t words = gr_genotype_words(&run->problem.job.params);
    size_t deme = deme_of(run, b->run);
    const float *constants = run->constants ? run->constants + deme * GR_FIT_CONSTANTS : NULL;
    return gr_run_show(run, run->genotypes + deme * words, constants, whole, b, error);
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
    gr_status status = read_demes(run, error);
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
    gr_team *team = team_of(run, (uint64_t)runs * 32); /* as many records' work, or more */
    showing s = {run, best, leader, runs <= GR_FEW_RUNS,
                 calloc(gr_team_size(team), sizeof *s.errors)};
    if (!s.errors)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %u runs", runs);
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
        b ? read_best(run, error) : gr_fail(error, GR_NO_MEMORY, "no memory for %u runs", p->runs);
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
    *best = empty;
}
