/* The CPU backend: the core's algorithm with one thread as a lane group of one lane, a team of them
 * over individuals. */
#include "gpu/backend/clock.h"
#include "gpu/backend/load.h"
#include "gpu/backend/memory.h"
#include "gpu/core/breeding/breed.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/niches.h"
#include "host/cpu/fitting.h"
#include "host/cpu/internal.h"
#include "host/cpu/once.h"
#include "host/cpu/pareto.h"
#include "host/cpu/processors.h"
#include "host/cpu/stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int cpu_available(char *line, size_t size) {
    uint32_t threads = gr_processors();
    snprintf(line, size, "CPU, %u thread%s, %s", threads, threads == 1 ? "" : "s",
             gr_cpu_best_interpreter()->name);
    return 1;
}

/* Copies the cases: the threads that will read them touch them first. */
typedef struct gr_copy {
    float *to;
    const float *from;
    size_t tile; /* words */
} gr_copy;

static void copy_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_copy *c = context;
    (void)thread;
    memcpy(c->to + first * c->tile, c->from + first * c->tile,
           (size_t)(last - first) * c->tile * sizeof(float));
}

static void copy_tiles(gr_team *team, const gr_params *p, const float *to, const float *from,
                       uint32_t chunks) {
    gr_copy copy = {(float *)(uintptr_t)to, from, gr_tile_of(p)};
    gr_team_loop(team, chunks, 16, copy_some, &copy);
}

/* Data, tables and settings into the state. */
static void copy_job(gr_engine *e, const gr_job *job) {
    const gr_params *p = &job->params;
    gr_state *s = &e->state;
    if (p->sampling)
        copy_tiles(e->team, p, s->whole, job->train, p->whole_chunks);
    else
        copy_tiles(e->team, p, s->train, job->train, gr_chunks_of_job(job).count);
    copy_tiles(e->team, p, s->test, job->test, p->test_chunks);
    if (p->seeds) {
        memcpy((void *)(uintptr_t)s->seeds, job->seeds, p->seed_nodes * sizeof *job->seeds);
        memcpy((void *)(uintptr_t)s->seed_first, job->seed_first,
               (p->seeds + 1) * sizeof *job->seed_first);
    }
    if (p->linear_scaling) {
        memcpy((void *)(uintptr_t)s->targets, job->targets, p->train_chunks * sizeof *job->targets);
        memcpy((void *)(uintptr_t)s->test_targets, job->targets + p->train_chunks,
               p->test_chunks * sizeof *job->targets);
    }
    if (p->validation_chunks) {
        *(gr_params *)(uintptr_t)s->validating = *job->validating;
        copy_tiles(e->team, p, s->validation, job->validation, p->validation_chunks);
    }
    if (p->validation_chunks && p->linear_scaling)
        memcpy((void *)(uintptr_t)s->validation_targets, job->validation_targets,
               p->validation_chunks * sizeof *job->validation_targets);
    if (job->other)
        *(gr_params *)(uintptr_t)s->other = *job->other;
    if (job->terminal_count)
        memcpy((void *)(uintptr_t)s->terminals, job->terminals,
               job->terminal_count * sizeof *job->terminals);
    if (job->grammar_words)
        memcpy((void *)(uintptr_t)s->grammar, job->grammar, job->grammar_words * sizeof(uint32_t));
    if (s->niches)
        gr_gather_behaviour_cases(p, s->train, s->behaviour_cases);
    if (job->type_words)
        memcpy((void *)(uintptr_t)s->types, job->types, job->type_words * sizeof(uint32_t));
    for (uint32_t d = 0; d < gr_demes(p); d++)
        s->demes[d].active = 1;
}

static void set_guards(gr_engine *e) {
    for (int k = -1; k < e->arena.arrays; k++) {
        gr_guard g = gr_arena_guard(&e->arena, k);
        memset((char *)e->memory + g.offset, GR_GUARD_BYTE, g.bytes);
    }
}

/* Whether no array was overrun so far. */
static gr_status check_guards(const gr_engine *e, gr_error *error) {
    gr_status status = GR_OK;
    for (int k = -1; !status && k < e->arena.arrays; k++)
        status = gr_arena_check_guard(
            &e->arena, k, (char *)e->memory + gr_arena_guard(&e->arena, k).offset, error);
    return status;
}

static void cpu_close(gr_engine *e) {
    gr_error error;
    if (!e)
        return;
    for (uint32_t thread = 0; e->copies && thread < gr_team_size(e->team); thread++)
        gr_cpu_free_copies(&e->copies[thread]);
    free(e->copies);
    gr_team_close(e->team);
    if (e->memory != MAP_FAILED) {
        if (check_guards(e, &error))
            gr_guards_broken(&error);
        munmap(e->memory, e->arena.bytes);
    }
    free(e->staging.memory);
    gr_transfers_free(&e->transfers);
    free(e);
}

/* The state's arrays, the registers of the threads and the records of an epoch. */
static gr_status take_memory(gr_engine *e, const gr_job *job, uint32_t threads, gr_error *error) {
    gr_arena *arena = &e->arena;
    gr_arena_plan(arena, job, threads);
    int registers =
        gr_arena_add(arena, "registers", threads * sizeof *e->registers, GR_PART_SCRATCH);
    size_t fits = gr_cpu_fitting_bytes(&job->params);
    int fitting = gr_arena_add(arena, "fitting", threads * fits, GR_PART_SCRATCH);
    size_t others = job->peers && job->peers->cases ? job->peers->members - 1 : 0,
           counts = gr_sum_kind_of(&job->params) == GR_SUM_CLASS_BINS
                        ? job->params.individuals * gr_bin_counts(&job->params)
                        : 0;
    int arrived = gr_arena_add(arena, "counts of other engines",
                               others * counts * sizeof *e->arrived, GR_PART_SUMS);
    int records = gr_arena_add(arena, "records of an epoch",
                               (size_t)job->epoch * gr_demes(&job->params) * sizeof *e->records,
                               GR_PART_STATISTICS);
    gr_status status =
        gr_arena_check(arena, job, threads, gr_memory_available(), "this machine", error);
    if (status)
        return status;
    e->memory =
        mmap(NULL, arena->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (e->memory == MAP_FAILED)
        return gr_fail(error, GR_NO_MEMORY, "no memory for %.1f MB", (double)arena->bytes / 1e6);
    e->registers = (void *)((char *)e->memory + arena->offset[registers]);
    e->arrived = (void *)((char *)e->memory + arena->offset[arrived]);
    e->records = (void *)((char *)e->memory + arena->offset[records]);
    e->fitting = fits ? (char *)e->memory + arena->offset[fitting] : NULL;
    gr_cpu_weigh(e->registers, threads, &job->params);
    gr_arena_bind(arena, job, threads, e->memory, &e->state);
    set_guards(e);
    return GR_OK;
}

static gr_status cpu_open(const gr_job *job, gr_engine **engine, gr_error *error) {
    uint32_t threads = gr_threads_for(job);
    gr_engine *e = calloc(1, sizeof *e);
    if (!e)
        return gr_fail(error, GR_NO_MEMORY, "no memory");
    e->memory = MAP_FAILED;
    e->chosen = !job->threads;
    e->epoch = e->most = job->epoch;
    e->peers = job->peers;
    e->interpreter = gr_cpu_best_interpreter();
    gr_status status = take_memory(e, job, threads, error);
    if (status) {
        cpu_close(e);
        return status;
    }
    e->team = gr_team_open(threads);
    if (!e->peers && gr_cpu_copies_elites(job))
        e->copies = calloc(threads, sizeof *e->copies);
    copy_job(e, job);
    if (gr_cpu_once_is_of_elites(&e->state))
        gr_cpu_once_for_elites(&e->state);
    *engine = e;
    return GR_OK;
}

static gr_status cpu_advance(gr_engine *e, void (*tick)(void *, uint32_t), void *context,
                             const gr_record **records, uint32_t *generations, int *finished,
                             gr_error *error) {
    double start = gr_seconds_now();
    *records = e->records; /* those of the generations that ticks tell of are complete */
    e->state.loop->epoch = 0;
    if (e->state.loop->next == 0 && !e->state.loop->finished) {
        e->state.loop->next = (uint32_t)gr_cpu_next(e);
        e->state.loop->finished = !e->state.loop->next;
    }
    while (e->state.loop->epoch < e->most && !e->state.loop->finished) {
        gr_cpu_generations(e);
        if (tick)
            tick(context, e->state.loop->epoch);
    }
    e->seconds += gr_seconds_now() - start;
    *generations = e->state.loop->epoch;
    *finished = (int)e->state.loop->finished;
    if (e->lost.status && error)
        *error = e->lost;
    return e->lost.status ? e->lost.status : check_guards(e, error);
}

static void cpu_limit(gr_engine *e, uint32_t generations) {
    e->most = gr_min_u32(generations, e->epoch);
}

static void cpu_stop(gr_engine *e) {
    e->stop = 1;
}

static gr_status cpu_read_at(gr_engine *e, gr_section section, size_t offset, void *to, size_t size,
                             gr_error *error) {
    const void *at;
    size_t bytes = gr_arena_section(&e->state, section, e->state.loop->next - 1, &at);
    if (offset > bytes || size > bytes - offset)
        return gr_fail(error, GR_FAILED, "section %d has %zu bytes, less than %zu", (int)section,
                       bytes, offset + size);
    if (size) /* of what a run has not there is nothing, and no place */
        memcpy(to, (const char *)at + offset, size);
    return GR_OK;
}

static gr_status cpu_read(gr_engine *e, gr_section section, void *to, size_t size,
                          gr_error *error) {
    return cpu_read_at(e, section, 0, to, size, error);
}

static gr_status cpu_snapshot(gr_engine *e, gr_snapshot *snapshot, gr_error *error) {
    if (e->state.loop->next && !e->state.loop->finished)
        gr_cpu_costs(e, e->state.loop->next - 1);
    return gr_cpu_take_snapshot(&e->state, e->team, &e->staging, snapshot, error);
}

static gr_status cpu_await_snapshot(gr_engine *e, gr_error *error) {
    (void)e;
    (void)error;
    return GR_OK;
}

static gr_status cpu_restore(gr_engine *e, const gr_snapshot *snapshot, gr_error *error) {
    (void)error;
    gr_cpu_put_back(&e->state, e->team, snapshot);
    if (!e->state.loop->finished)
        gr_cpu_evaluate_all(e, snapshot->generation);
    if (e->state.standing && !e->state.loop->finished)
        gr_cpu_keep_parents(&e->state, snapshot->generation, e->team);
    return GR_OK;
}

/* ---- measuring ---- */

/* Where tree i of cpu_load goes: its nodes with what gr_annotate tells, program, individual. */
static void cpu_take_tree(const gr_state *s, uint32_t i, const gr_node *nodes, uint32_t length,
                          gr_scratch scratch) {
    uint32_t buffer = (s->loop->next - 1) & 1;
    gr_nodes tree = gr_tree(s, buffer, i);
    gr_lane_group group = {0, 1};
    memcpy(tree.at, nodes, length * sizeof *nodes);
    gr_annotate(tree, length);
    gr_compile(tree, length, scratch.locations, gr_program(s, i), group);
    s->individuals[buffer][i] = gr_tree_individual(GR_AT(tree, length - 1));
}

typedef struct gr_trees {
    const gr_state *s;
    const gr_node *nodes; /* [individuals][max_nodes] */
    const uint32_t *lengths;
} gr_trees;

static void take_trees(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_trees *t = context;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        cpu_take_tree(t->s, i, t->nodes + (size_t)i * t->s->p.max_nodes, t->lengths[i],
                      gr_group_scratch(t->s, thread, 1));
}

static gr_status cpu_load(gr_engine *e, const gr_node *trees, const uint32_t *lengths,
                          gr_error *error) {
    const gr_state *s = &e->state;
    gr_trees given = {s, trees, lengths};
    gr_status status = gr_check_loaded(&s->p, s->loop->next, lengths, error);
    if (!status)
        gr_team_loop(e->team, s->p.individuals, 16, take_trees, &given);
    return status;
}

/* Larger than the caches of most processors. */
enum { GR_FLUSH_BYTES = 64 << 20 };

/* Breeding again gives the same generation, as long as its parents and plans are there: a selection
 * that ended the run has overwritten the plans. */
static gr_status cpu_measure(gr_engine *e, gr_phase phase, uint32_t repeats, int flush,
                             double *seconds, gr_error *error) {
    uint32_t next = e->state.loop->next;
    if (phase != GR_PHASE_BREED && phase != GR_PHASE_EVALUATE)
        return gr_fail(error, GR_FAILED, "phase %d cannot be repeated", (int)phase);
    if (phase == GR_PHASE_BREED && e->fitting)
        return gr_fail(error, GR_FAILED, "constants were fitted, which breeding again would undo");
    if (!next || (phase == GR_PHASE_BREED && next > 1 && e->state.loop->finished))
        return gr_fail(error, GR_FAILED, "there is no generation to %s again",
                       phase == GR_PHASE_BREED ? "breed" : "evaluate");
    char *other = flush ? malloc(GR_FLUSH_BYTES) : NULL;
    if (flush && !other)
        return gr_fail(error, GR_NO_MEMORY, "no memory to flush the caches with");
    for (uint32_t k = 0; k < repeats; k++) {
        if (flush) {
            memset(other, (int)k, GR_FLUSH_BYTES);
            __asm__ volatile("" : : "r"(other) : "memory"); /* nobody reads it */
        }
        double start = gr_seconds_now();
        if (phase == GR_PHASE_BREED)
            gr_cpu_breed(e, next - 1, NULL);
        else
            gr_cpu_evaluate_all(e, next - 1);
        seconds[k] = gr_seconds_now() - start;
    }
    free(other);
    if (phase == GR_PHASE_EVALUATE)
        gr_cpu_costs(e, next - 1);
    return GR_OK;
}

static void cpu_report(const gr_engine *e, gr_engine_report *report, gr_traffic *traffic) {
    gr_traffic none = {0};
    uint32_t threads = gr_team_size(e->team);
    char of[32] = "";
    if (e->chosen && threads < gr_processors())
        snprintf(of, sizeof of, " of %u", gr_processors());
    snprintf(report->device, sizeof report->device, "CPU, %u thread%s%s, %s", threads,
             threads == 1 ? "" : "s", of, e->interpreter->name);
    gr_arena_describe(&e->arena, report->memory, sizeof report->memory);
    report->bytes = e->arena.bytes;
    report->host = sizeof *e + gr_team_bytes(e->state.groups);
    report->staging_device = 0;
    report->staging = e->staging.capacity;
    report->snapshot = gr_snapshot_most(&e->state);
    report->issue_rate = 0.0;
    memset(report->opening, 0, sizeof report->opening);
    *traffic = none;
    traffic->seconds = e->seconds;
    memcpy(traffic->phase, e->phase, sizeof traffic->phase);
}

const gr_backend gr_backend_cpu = {
    .name = "cpu",
    .available = cpu_available,
    .open = cpu_open,
    .advance = cpu_advance,
    .limit = cpu_limit,
    .rank = gr_cpu_rank,
    .stop = cpu_stop,
    .read = cpu_read,
    .read_at = cpu_read_at,
    .load = cpu_load,
    .measure = cpu_measure,
    .snapshot = cpu_snapshot,
    .await_snapshot = cpu_await_snapshot,
    .restore = cpu_restore,
    .report = cpu_report,
    .close = cpu_close,
};
