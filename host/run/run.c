#include "gpu/backend/clock.h"
#include "gpu/core/selection/select.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/device/choose.h"
#include "host/law/law.h"
#include "host/run/internal.h"
#include "host/spread/processes.h"
#include "host/spread/spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records or runs that are worth a team of threads; records that are looked at early at a time. */
enum { MUCH = 8192, EARLY_RECORDS = 65536 };
#define RECORD_BYTES ((uint64_t)128 << 20)

/* ---- opening ---- */

/* What may be done on any device; math: fast is for the GPU, which alone has it. */
static const gr_job *exact_job(const gr_settings *settings, const gr_problem *problem) {
    return settings->math == GR_MATH_FAST ? NULL : &problem->job;
}

/* The records of an epoch wait for its end in the memory of the host: of many runs there are fewer
 * generations in it. No result depends on it. */
static void limit_epoch(gr_job *job, uint32_t law_every) {
    uint64_t most = RECORD_BYTES / (gr_demes(&job->params) * sizeof(gr_record));
    if (job->epoch > most)
        job->epoch = most ? (uint32_t)most : 1;
    while (law_every && law_every * job->params.steps % job->epoch)
        job->epoch--; /* laws are tested between epochs, and most of these are whole ones */
}

/* The backend, and what it is spread over: devices that are named are GPUs. */
static gr_status choose_devices(const gr_settings *settings, const uint32_t *turn, gr_run *r,
                                gr_spread *spread, gr_error *error) {
    const char *devices = settings->devices ? settings->devices : "";
    int named = *devices && settings->device == GR_AUTO;
    gr_error none;
    gr_status status = gr_choose_backend(named ? GR_DEVICE_CUDA : settings->device,
                                         exact_job(settings, &r->problem), &r->backend, r->why,
                                         sizeof r->why, &none);
    if (status && named) /* nobody said "device: cuda" */
        gr_fail(error, status, "devices: '%.*s' counts CUDA devices; %s without devices",
                GR_CUT(devices, 80), none.text);
    else if (status)
        gr_fail(error, status, "%s", none.text);
    if (!status)
        status = turn && !gr_processes()
                     ? gr_spread_one(devices, r->backend, *turn, spread, error)
                     : gr_spread_plan(devices, r->backend, &r->problem.job, spread, error);
    if (status)
        return status;
    if (named)
        snprintf(r->why, sizeof r->why, "devices: %.*s was asked for", GR_CUT(devices, 80));
    r->dealt = turn && spread->there > 1;
    if (spread->members < spread->there && !r->dealt) {
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

static gr_status open_run(const gr_settings *settings, const uint32_t *turn, gr_run **run,
                          gr_error *error) {
    gr_spread spread;
    gr_run *r = calloc(1, sizeof *r);
    *run = NULL;
    if (!r)
        return gr_fail(error, GR_NO_MEMORY, "no memory for a run");
    r->start = gr_seconds_now();
    gr_status status = gr_problem_make(settings, &r->problem, error);
    if (!status)
        status = choose_devices(settings, turn, r, &spread, error);
    r->limit = settings->time_limit;
    r->asks_for_costs = settings->dump_every || r->problem.front_choice == GR_CHOICE_BIC;
    r->opened = r->start;
    if (!status) {
        limit_epoch(&r->problem.job, r->problem.law_every);
        r->asked = settings->generations * r->problem.job.params.steps;
        r->selected_at = calloc(r->problem.job.epoch, sizeof *r->selected_at);
        r->steps = calloc(settings->runs, sizeof *r->steps);
        if (!r->selected_at || !r->steps)
            status = gr_fail(error, GR_NO_MEMORY, "no memory for an epoch of %u generation%s",
                             r->problem.job.epoch, gr_s(r->problem.job.epoch));
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

gr_status gr_run_open(const gr_settings *settings, gr_run **run, gr_error *error) {
    return open_run(settings, NULL, run, error);
}

gr_status gr_run_open_beside(const gr_settings *settings, uint32_t turn, gr_run **run,
                             gr_error *error) {
    return open_run(settings, &turn, run, error);
}

uint32_t gr_run_gpus(const gr_settings *settings) {
#ifdef GRAMPUS_CUDA
    char line[200];
    gr_spread spread;
    gr_error error;
    const char *devices = settings->devices ? settings->devices : "";
    if (settings->device != GR_DEVICE_CPU && gr_backend_cuda.available(line, sizeof line) &&
        !gr_spread_one(devices, &gr_backend_cuda, 0, &spread, &error))
        return spread.there;
#else
    (void)settings;
#endif
    return 0;
}

void gr_run_close(gr_run *run) {
    if (!run)
        return;
    if (run->engine)
        run->backend->close(run->engine);
    gr_run_forget_best(run);
    free(run->costs);
    gr_team_close(run->team);
    free(run->selected_at);
    free(run->steps);
    gr_law_search_close(run->laws);
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

/* A snapshot has the costs of the generation bred last, made where those of the one selected last
 * stand. */
static gr_status keep_costs(gr_run *run, gr_error *error) {
    size_t bytes = run->problem.job.params.individuals * sizeof *run->costs;
    if (run->finished || run->costs || !run->asks_for_costs)
        return GR_OK;
    float *costs = malloc(bytes);
    gr_status status =
        costs ? run->backend->read(run->engine, GR_SECTION_COSTS, costs, bytes, error)
              : gr_fail(error, GR_NO_MEMORY, "no memory for %.1f MB", (double)bytes / 1e6);
    if (status)
        free(costs);
    else
        run->costs = costs;
    return status;
}

static void forget_costs(gr_run *run) {
    free(run->costs);
    run->costs = NULL;
}

/* ---- generations ---- */

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

/* Members of a spread run see signals and the time limit when they come together, all with the same
 * generation. Shorter epochs than the shortest only cost: the host's visits take longer then. */
static const double between_visits = 0.5, shortest = 0.05;

uint32_t gr_run_law_tests(const gr_run *run, uint32_t generations) {
    uint32_t steps = run->problem.job.params.steps,
             complete = generations ? (generations - 1) / steps + 1 : 0;
    return run->problem.law_every ? complete / run->problem.law_every : 0;
}

/* How many generations the engine has to select until laws are tested once more. */
static uint32_t until_laws(const gr_run *run) {
    uint64_t tests = run->law_tests + 1ull,
             at = (tests * run->problem.law_every - 1) * run->problem.job.params.steps + 1;
    uint64_t left = at - run->generations + (run->repeats != 0); /* that one was counted */
    return left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

/* How many generations the epoch has of which `done` are over: until somebody waits for its end, by
 * the time a generation takes, and one where that is not known yet; until laws are tested. */
static uint32_t choose_length(const gr_run *run, double now, uint32_t done) {
    const gr_watch *watch = run->watch;
    const gr_job *job = &run->problem.job;
    double passed = now - run->begun, due = INFINITY;
    uint32_t length = job->epoch, least = gr_max_u32(done, 1);
    if (watch && watch->due)
        due = watch->due(watch->context);
    if (run->backend == &gr_backend_spread)
        due = fmin(due, between_visits - passed);
    if (due < INFINITY) {
        double fit = run->pace > 0.0 ? done + ceil(fmax(due, shortest - passed) / run->pace) : 1.0;
        if (fit < length)
            length = fit > least ? (uint32_t)fit : least;
    }
    return run->problem.law_every ? gr_min_u32(length, until_laws(run)) : length;
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
    run->backend->limit(run->engine, choose_length(run, now, generations));
    if (run->watch && run->watch->tick && run->generations + generations > 0)
        run->watch->tick(run->watch->context, gr_generation_of(&run->problem.job.params,
                                                               run->generations + generations - 1));
}

gr_team *gr_run_team(gr_run *run, uint64_t work) {
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

/* The generation in which a run whose best is that of a deme, which is not active, stopped. */
static uint32_t stopped_in(const gr_params *p, const gr_deme *d, int solved) {
    uint32_t since = d->best_generation;
    return solved ? since : (since + p->stagnation + p->steps - 1) / p->steps * p->steps;
}

gr_status gr_run_find_generation(gr_run *run, uint32_t index, uint32_t *generation,
                                 gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    gr_run_report report;
    gr_run_look(run, &report);
    *generation = report.generation + !report.finished;
    if (p->runs == 1 || !report.finished)
        return GR_OK;
    gr_status status = gr_run_read_demes(run, error);
    if (status)
        return status;
    const gr_deme *d = &run->demes[gr_run_deme_of(run, index)];
    int solved = p->stop_at_target && d->best_cost <= p->target_cost;
    if (!d->active)
        *generation = gr_min_u32(*generation, gr_generation_of(p, stopped_in(p, d, solved)));
    return GR_OK;
}

/* Why a run ended whose demes all stopped by themselves; in *active whether one did not. Only a run
 * with `stagnation` has to look at them. */
static gr_status look_at_demes(gr_run *run, gr_reason *reason, int *active, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    uint32_t last = run->generations - 1;
    gr_status status = gr_run_read_demes(run, error);
    for (uint32_t r = 0; !status && r < p->runs; r++) {
        const gr_deme *d = &run->demes[gr_run_deme_of(run, r)];
        int solved = p->stop_at_target && d->best_cost <= p->target_cost;
        *active |= d->active != 0;
        if (!d->active && !solved && stopped_in(p, d, solved) == last)
            *reason = GR_REACHED_STAGNATION;
    }
    gr_run_forget_best(run);
    return status;
}

/* What ended the run, whose `active` leaves stagnation out. */
static gr_status find_reason(gr_run *run, gr_error *error) {
    const gr_params *p = &run->problem.job.params;
    int active = run->active;
    gr_reason reason = GR_REACHED_TARGET;
    gr_status status = GR_OK;
    if (run->generations > p->generations) {
        active = 0;
        reason = p->generations < run->asked ? GR_REACHED_EVALUATIONS : GR_REACHED_GENERATIONS;
    } else if (p->stagnation && run->generations) {
        active = 0;
        status = look_at_demes(run, &reason, &active, error);
    }
    run->active = active;
    run->reason = !active ? reason : run->stop ? GR_REQUESTED : GR_REACHED_TIME_LIMIT;
    return status;
}

/* *found: a law ends the run. */
static gr_status test_laws_if_due(gr_run *run, int *found, gr_error *error) {
    uint32_t tests = gr_run_law_tests(run, run->generations);
    int due = tests != run->law_tests;
    run->law_tests = tests;
    *found = 0;
    return due && run->test_laws ? run->test_laws(run, found, error) : GR_OK;
}

/* What comes at the end of an epoch: the reason of the end, laws, a snapshot, the ranking on all
 * cases. Who goes on from a snapshot does not test laws once more where it was taken: it comes
 * behind the test, and where that ended the run there is none. */
static gr_status end_epoch(gr_run *run, const gr_watch *watch, int *finished, gr_error *error) {
    int ended = *finished, found = 0;
    gr_status status = ended ? find_reason(run, error) : test_laws_if_due(run, &found, error);
    *finished |= found;
    if (!status && !found && watch && watch->border)
        watch->border(watch->context, ended);
    if (!status && ended && run->generations && run->problem.job.params.sampling)
        status = run->backend->rank(run->engine, error);
    return status;
}

gr_status gr_run_advance(gr_run *run, const gr_watch *watch, int *finished, gr_error *error) {
    gr_records records = {.p = &run->problem.job.params, .steps = run->steps};
    gr_records_sum sum;
    gr_run_forget_best(run);
    forget_costs(run);
    run->watch = watch;
    run->timed = run->counted = run->seen = 0;
    run->looked = run->last = run->begun = gr_seconds_now();
    run->records = &records;
    run->backend->limit(run->engine, choose_length(run, run->begun, 0));
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
        return end_epoch(run, watch, finished, error);
    records.seconds = run->selected_at;
    if (run->repeats) { /* the rows of that one were handed on */
        records.record += gr_demes(records.p);
        records.seconds++;
        records.generations--;
        run->repeats = 0;
    }
    gr_team *team = gr_run_team(run, (uint64_t)records.generations * records.p->runs);
    gr_watch on = watch ? *watch : (gr_watch){0};
    if (!gr_records_read(&records, team, hand_on, &on, &sum))
        return gr_fail(error, GR_NO_MEMORY, "no memory for the generations of %u run%s",
                       records.p->runs, gr_s(records.p->runs));
    run->executed += sum.executed;
    gr_add_work_spared(&run->spared, &sum.spared);
    run->active = records.generations ? sum.active : run->active;
    run->generations += records.generations;
    status = end_epoch(run, watch, finished, error);
    if (run->finished && !status && !run->stop) /* one that was stopped has given up a generation */
        gr_note_run(run->backend, run->engine, &run->problem.job, run->generations - run->before,
                    run->executed - run->executed_before + run->spared.executed -
                        run->spared_before);
    return status;
}

const char *gr_reason_name(gr_reason reason) {
    static const char *const names[GR_REASONS] = {
        "none",        "target-fitness", "stagnation", "max-evaluations",
        "generations", "time-limit",     "request",    "law-every"};
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
    gr_status status = keep_costs(run, error);
    if (!status)
        status = run->backend->snapshot(run->engine, snapshot, error);
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
                       "the checkpoint is of generation %u; expected no fewer generations, and no "
                       "max-evaluations that end before",
                       gr_generation_of(p, snapshot->generation));
    gr_status status = run->backend->restore(run->engine, snapshot, error);
    if (status)
        return status;
    run->generations = (uint32_t)tally->generations;
    run->executed = tally->executed;
    run->spared = (gr_work_spared){tally->shared, tally->kept, tally->remembered, tally->spared};
    run->before = run->generations;
    run->executed_before = run->executed;
    run->spared_before = run->spared.executed;
    run->reason = (gr_reason)tally->reason;
    run->start = run->opened - tally->seconds;
    run->active = gr_snapshot_goes_on(snapshot, p); /* it may be stopped before it is */
    run->repeats = snapshot->ended && run->active;
    /* what ended amid its last generation did not test laws behind it */
    run->law_tests = gr_run_law_tests(run, run->generations - snapshot->ended);
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
    look.before = run->executed_before;
    look.spared = run->spared;
    look.early = run->early;
    look.seconds = gr_seconds_now() - run->start;
    look.finished = run->finished;
    look.stopped = run->stop && run->active;
    look.reason = run->reason;
    look.dealt = run->dealt;
    look.card = run->problem.job.card;
    look.snapshots = run->snapshots;
    look.pause = run->pause;
    *report = look;
}

double gr_run_gpops(const gr_run_report *report) {
    double seconds = report->traffic.seconds;
    return seconds > 0.0 ? (report->executed - report->before) / seconds * 1e-9 : 0.0;
}

gr_status gr_run_read(gr_run *run, gr_section section, void *to, size_t bytes, gr_error *error) {
    if (section == GR_SECTION_COSTS && run->costs)
        return gr_run_read_at(run, section, 0, to, bytes, error);
    return run->backend->read(run->engine, section, to, bytes, error);
}

gr_status gr_run_read_at(gr_run *run, gr_section section, size_t offset, void *to, size_t bytes,
                         gr_error *error) {
    size_t kept = run->problem.job.params.individuals * sizeof *run->costs;
    if (section == GR_SECTION_COSTS && run->costs && offset <= kept && bytes <= kept - offset) {
        memcpy(to, (const char *)run->costs + offset, bytes);
        return GR_OK;
    }
    return run->backend->read_at(run->engine, section, offset, to, bytes, error);
}
