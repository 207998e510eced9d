#include "host/experiment/conduct.h"

#include "gpu/backend/arena.h"
#include "gpu/backend/clock.h"
#include "gpu/backend/memory.h"
#include "host/base/text.h"
#include "host/cpu/processors.h"
#include "host/device/choose.h"
#include "host/device/kept.h"
#include "host/experiment/ledger.h"
#include "host/run/laws.h"
#include "host/spread/processes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct conductor;

/* A thread that takes one cell after the other. */
typedef struct worker {
    struct conductor *c;
    pthread_t thread;
    gr_run *run; /* under way, with the lock */
    _Atomic uint32_t generation;
    double weight; /* of the cell under way */
    uint32_t generations, runs;
    int open; /* the thread is there */
} worker;

typedef struct conductor {
    gr_experiment *e;
    const gr_conduct_plan *plan;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t next, left; /* cells: to be looked at next; that are not done and not taken */
    uint32_t jobs, working;
    worker *worker; /* [jobs] */
    uint8_t *again; /* [cells] memory was short beside others */
    int ending;     /* nothing more is begun */
    double weight, weight_done;
    gr_conducted so_far;
    gr_error failure; /* that ends all of it */
    double begun;
} conductor;

static double weight_of(const gr_settings *s) {
    return (double)s->runs * (double)s->population * (double)s->islands *
           (1.0 + (double)s->generations);
}

/* ---- one cell ---- */

typedef struct watching {
    worker *w;
    gr_ledger *ledger;
} watching;

static void on_rows(void *context, gr_rows *rows) {
    watching *at = context;
    gr_ledger_rows(at->ledger, rows);
    free(rows);
}

static void on_tick(void *context, uint32_t generation) {
    ((watching *)context)->w->generation = generation;
}

static gr_status evolve(gr_run *run, watching *at, gr_error *error) {
    const gr_watch watch = {.tick = on_tick, .context = at, .rows = on_rows};
    gr_status status = GR_OK;
    for (int finished = 0; !finished && !status;) {
        status = gr_run_advance_to_law(run, &watch, &finished, error);
        if (!status)
            status = gr_ledger_epoch(at->ledger, error);
    }
    return status;
}

/* The outcome goes to the tables, unless the run was given up: *fatal when they fail. */
static gr_status conclude(gr_run *run, gr_ledger *ledger, int *fatal, gr_error *error) {
    gr_outcome outcome;
    gr_run_report report;
    gr_run_look(run, &report);
    if (report.stopped || !report.selected)
        return gr_fail(error, GR_STOPPED, "stopped");
    gr_status status = gr_outcome_collect(run, &outcome, error);
    if (status)
        return status;
    status = gr_ledger_finish(ledger, &outcome, error);
    *fatal = status != GR_OK;
    gr_outcome_free(&outcome);
    return status;
}

/* The run can be stopped from now on, or not any more. */
static void show_run(worker *w, gr_run *run) {
    pthread_mutex_lock(&w->c->lock);
    w->run = run;
    if (run && w->c->ending)
        gr_run_stop(run);
    pthread_mutex_unlock(&w->c->lock);
}

static gr_status run_cell(worker *w, uint32_t number, uint32_t threads, int *fatal,
                          gr_error *error) {
    gr_experiment *e = w->c->e;
    gr_settings settings = e->cells.cell[number].settings; /* texts are borrowed */
    watching at = {w, NULL};
    gr_run *run;
    if (!settings.threads)
        settings.threads = threads;
    gr_status status =
        w->c->jobs > 1 ? gr_run_open_beside(&settings, (uint32_t)(w - w->c->worker), &run, error)
                       : gr_run_open(&settings, &run, error);
    if (status)
        return status;
    show_run(w, run);
    status = gr_ledger_open(e->tables, e->id[number], &settings, run, &at.ledger, error);
    if (!status)
        status = evolve(run, &at, error);
    if (!status)
        status = conclude(run, at.ledger, fatal, error);
    show_run(w, NULL);
    gr_ledger_close(at.ledger);
    gr_run_close(run);
    return status;
}

/* ---- all of them ---- */

static gr_status put_failure(gr_experiment *e, uint32_t number, const char *why, gr_error *error) {
    static const char sql[] = "UPDATE cells SET state = 'failed', error = ?2 WHERE cell = ?1";
    gr_status status = gr_tables_begin(e->tables, error);
    if (status)
        return status;
    status = gr_forget_cell(e->tables, e->id[number], error);
    if (!status)
        status = gr_tables_put(e->tables, error, sql, "it", e->id[number], why);
    return gr_tables_end(e->tables, status, error);
}

/* With the lock. */
static void end_all(conductor *c, const gr_error *why) {
    if (!c->failure.status)
        c->failure = *why;
    c->ending = 1;
    for (uint32_t k = 0; k < c->jobs; k++)
        if (c->worker[k].run)
            gr_run_stop(c->worker[k].run);
}

static void note_done(conductor *c, uint32_t number, const char *why) {
    const gr_cell *cell = &c->e->cells.cell[number];
    c->weight_done += weight_of(&cell->settings);
    if (!why) {
        c->so_far.done++;
        c->so_far.runs_done += cell->settings.runs;
        c->e->done[number] = 1;
    } else if (!c->so_far.failed++)
        snprintf(c->so_far.first_failure, sizeof c->so_far.first_failure, "%.*s: %.*s",
                 GR_CUT(cell->label, 160), GR_CUT(why, 340));
    if (c->plan->cell)
        c->plan->cell(c->plan->context, cell, why);
}

/* What a cell came to; with the lock. */
static void settle(worker *w, uint32_t number, gr_status status, int fatal, const gr_error *why) {
    conductor *c = w->c;
    gr_error error = {GR_OK, ""};
    w->weight = 0.0;
    if (status && c->ending)
        return; /* it was given up */
    if (status == GR_NO_MEMORY && c->working > 1 && !fatal) {
        c->again[number] = 1;
        return;
    }
    if (fatal) {
        end_all(c, why);
        return;
    }
    if (status && put_failure(c->e, number, why->text, &error)) {
        end_all(c, &error);
        return;
    }
    note_done(c, number, status ? why->text : NULL);
    if (status == GR_DEVICE_FAILED)
        end_all(c, why);
}

/* The next cell that is not done, with the lock; cells.count: there is none. */
static uint32_t take(conductor *c) {
    const gr_experiment *e = c->e;
    while (c->next < e->cells.count && e->done[c->next])
        c->next++;
    if (c->ending || c->next == e->cells.count)
        return e->cells.count;
    c->left--;
    return c->next++;
}

/* Threads for a cell, with the lock; 0: what its work is worth. */
static uint32_t threads_for(const conductor *c) {
    uint32_t beside = c->working + c->left < c->jobs ? c->working + c->left : c->jobs;
    uint32_t each = beside > 1 ? gr_processors() / beside : 0;
    return beside > 1 && !each ? 1 : each;
}

static void *work(void *argument) {
    worker *w = argument;
    conductor *c = w->c;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        gr_error error = {GR_OK, ""};
        int fatal = 0;
        uint32_t number = take(c);
        if (number == c->e->cells.count)
            break;
        const gr_settings *s = &c->e->cells.cell[number].settings;
        c->working++;
        w->generation = 0;
        w->generations = s->generations + 1;
        w->weight = weight_of(s);
        w->runs = s->runs;
        uint32_t threads = threads_for(c);
        pthread_mutex_unlock(&c->lock);
        gr_status status = run_cell(w, number, threads, &fatal, &error);
        pthread_mutex_lock(&c->lock);
        settle(w, number, status, fatal, &error);
        c->working--;
    }
    w->open = 0;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* With the lock. */
static void look(conductor *c, gr_conducted *so_far) {
    double done = c->weight_done, runs = c->so_far.runs_done;
    for (uint32_t k = 0; k < c->jobs; k++) {
        const worker *w = &c->worker[k];
        double share = (double)w->generation / (double)w->generations;
        done += w->weight * share;
        runs += w->weight > 0.0 ? w->runs * share : 0.0; /* settled: with the others already */
    }
    c->so_far.share = c->weight > 0.0 ? done / c->weight : 1.0;
    c->so_far.seconds = gr_seconds_now() - c->begun;
    *so_far = c->so_far;
    so_far->runs_done = runs;
}

static void init_changed(conductor *c) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC); /* wait_a_moment's */
    pthread_cond_init(&c->changed, &clock);
    pthread_condattr_destroy(&clock);
}

static int any_open(const conductor *c) {
    int open = 0;
    for (uint32_t k = 0; k < c->jobs; k++)
        open |= c->worker[k].open;
    return open;
}

/* A tenth of a second, or until something changed; with the lock. By the clock that nobody sets: if
 * the other one is set back an hour, a wait by it is an hour longer, and deaf to signals. */
static void wait_a_moment(conductor *c) {
    enum { TENTH = 100000000 };
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TENTH;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&c->changed, &c->lock, &until);
}

/* Ends all of it if somebody asks for that; with the lock. */
static void heed_stop(conductor *c) {
    static const gr_error stopped = {GR_STOPPED, "stopped"};
    if (c->plan->stop && *c->plan->stop && !c->ending)
        end_all(c, &stopped);
}

/* The calling thread: signals come to it. */
static void wait_for_all(conductor *c) {
    gr_conducted so_far;
    pthread_mutex_lock(&c->lock);
    while (any_open(c)) {
        wait_a_moment(c);
        heed_stop(c);
        look(c, &so_far);
        if (c->plan->tick) {
            pthread_mutex_unlock(&c->lock);
            c->plan->tick(c->plan->context, &so_far);
            pthread_mutex_lock(&c->lock);
        }
    }
    pthread_mutex_unlock(&c->lock);
}

static void start(conductor *c, uint32_t jobs) {
    sigset_t all, before;
    c->jobs = jobs;
    c->next = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (uint32_t k = 0; k < jobs; k++) {
        worker *w = &c->worker[k];
        *w = (worker){.c = c, .open = 1, .generations = 1};
        w->open = pthread_create(&w->thread, NULL, work, w) == 0;
        if (!w->open) {
            c->jobs = k;
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void run_all(conductor *c, uint32_t jobs) {
    pthread_mutex_lock(&c->lock);
    heed_stop(c); /* it came before anybody was at work */
    start(c, jobs);
    if (!c->jobs) {
        gr_error none = {GR_NO_MEMORY, "no memory for a thread"};
        end_all(c, &none);
    }
    pthread_mutex_unlock(&c->lock);
    wait_for_all(c);
    for (uint32_t k = 0; k < c->jobs; k++)
        pthread_join(c->worker[k].thread, NULL);
}

/* Those that memory was short for beside others, one by one. */
static void run_again(conductor *c) {
    uint32_t again = 0;
    for (uint32_t i = 0; i < c->e->cells.count; i++) {
        again += c->again[i];
        if (!c->again[i])
            c->e->done[i] |= 2; /* not now */
    }
    c->left = again;
    if (again && !c->ending)
        run_all(c, 1);
    for (uint32_t i = 0; i < c->e->cells.count; i++)
        c->e->done[i] &= 1;
}

static void count_cells(conductor *c) {
    const gr_experiment *e = c->e;
    c->so_far.cells = e->cells.count;
    for (uint32_t i = 0; i < e->cells.count; i++) {
        const gr_settings *s = &e->cells.cell[i].settings;
        c->so_far.skipped += e->done[i];
        c->left += !e->done[i];
        c->so_far.runs += e->done[i] ? 0 : s->runs;
        c->weight += weight_of(s);
        c->weight_done += e->done[i] ? weight_of(s) : 0.0;
    }
    c->so_far.done = c->so_far.skipped;
    c->so_far.share_before = c->weight > 0.0 ? c->weight_done / c->weight : 0.0;
}

gr_status gr_conduct(gr_experiment *e, const gr_conduct_plan *plan, gr_conducted *conducted,
                     gr_error *error) {
    conductor c = {.e = e, .plan = plan, .begun = gr_seconds_now()};
    count_cells(&c);
    uint32_t jobs = plan->jobs ? plan->jobs : gr_jobs_for(e);
    jobs = jobs < c.left ? jobs : c.left;
    c.worker = calloc(jobs + (size_t)1, sizeof *c.worker);
    c.again = calloc(e->cells.count, 1);
    if (!c.worker || !c.again) {
        gr_fail(&c.failure, GR_NO_MEMORY, "no memory for %u cell%s side by side", jobs, gr_s(jobs));
        jobs = 0;
    }
    pthread_mutex_init(&c.lock, NULL);
    init_changed(&c);
    if (jobs) {
        run_all(&c, jobs);
        run_again(&c);
    }
    c.so_far.seconds = gr_seconds_now() - c.begun;
    *conducted = c.so_far;
    pthread_mutex_destroy(&c.lock);
    pthread_cond_destroy(&c.changed);
    free(c.worker);
    free(c.again);
    if (c.failure.status)
        *error = c.failure;
    return c.failure.status;
}

/* ---- estimates ---- */

/* How many GPUs that are there some cell could run on. */
static uint32_t gpus_for(const gr_experiment *e) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < e->cells.count; i++)
        most = gr_max_u32(most, gr_run_gpus(&e->cells.cell[i].settings));
    return most;
}

/* A cell of a few runs leaves most of a GPU idle, and all of it while its rows are written: some
 * share it, each on its own stream. Of several GPUs each has so many. Processes share one cell
 * after the other: they are asked for one thing at a time. */
uint32_t gr_jobs_for(const gr_experiment *e) {
    enum { CELLS_A_GPU = 4 };
    if (gr_processes())
        return 1;
    uint32_t left = 0, most = gr_max_u32(gr_processors(), CELLS_A_GPU * gpus_for(e));
    for (uint32_t i = 0; i < e->cells.count; i++)
        left += !e->done || !e->done[i];
    return left < most ? (left ? left : 1) : most;
}

gr_status gr_estimate_cell(const gr_cell *cell, gr_cell_estimate *estimate, gr_error *error) {
    const gr_settings *s = &cell->settings;
    const gr_backend *backend;
    gr_problem problem;
    gr_arena arena;
    char why[256];
    gr_status status = gr_problem_make(s, &problem, error);
    if (status)
        return status;
    status = gr_choose_backend(s->device, s->math == GR_MATH_FAST ? NULL : &problem.job, &backend,
                               why, sizeof why, error);
    if (!status) {
        int is_cpu = backend == &gr_backend_cpu;
        uint32_t threads = is_cpu ? gr_threads_for(&problem.job) : 1;
        gr_known_rates rates = gr_read_rates();
        gr_work w = gr_work_of(&problem.job);
        gr_arena_plan(&arena, &problem.job, threads);
        estimate->bytes = arena.bytes;
        estimate->seconds = gr_expected_seconds(&w, is_cpu ? &rates.cpu : &rates.gpu, threads);
        estimate->device = is_cpu ? "cpu" : "cuda";
        if (is_cpu)
            status = gr_arena_check(&arena, &problem.job, threads, gr_memory_available(),
                                    "this machine", error);
    }
    gr_problem_free(&problem);
    return status;
}
