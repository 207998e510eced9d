/* The CPU backend: the core's algorithm with one thread as a lane group of one lane, a team of them
 * over individuals. The order of work never shows in the results: every sum has a fixed order and
 * every draw its own counter. */
#include "gpu/backend/engine.h"
#include "gpu/backend/arena.h"
#include "gpu/backend/clock.h"
#include "gpu/backend/load.h"
#include "gpu/backend/memory.h"
#include "gpu/backend/peers.h"
#include "gpu/core/breeding/breed.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitness/validation.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/migration.h"
#include "gpu/core/selection/once.h"
#include "gpu/core/selection/restart.h"
#include "host/cpu/evaluate.h"
#include "host/cpu/fitting.h"
#include "host/cpu/niches.h"
#include "host/cpu/once.h"
#include "host/cpu/pareto.h"
#include "host/cpu/processors.h"
#include "host/cpu/snapshot.h"
#include "host/cpu/stages.h"
#include "host/cpu/team.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct gr_engine {
    gr_state state;
    gr_arena arena;
    void *memory;                /* the arena, which holds the next two as well */
    gr_cpu_registers *registers; /* [threads] */
    gr_record *records;          /* [epoch][demes] */
    const gr_cpu_interpreter *interpreter;
    void *fitting; /* memory of the threads; NULL: no constants are fitted */
    gr_team *team;
    gr_cpu_staging staging;
    const gr_peers *peers; /* NULL: all islands and cases are here */
    gr_transfers transfers;
    uint32_t *arrived; /* counts of classes by others, see gr_list_sums */
    gr_error lost;     /* an exchange that failed */
    uint32_t epoch;
    int chosen;      /* the number of threads, for the work there is */
    atomic_int stop; /* set by any thread, or a signal handler */
    int leaves;      /* loops end as soon as `stop` is set */
    int restarted;   /* an island began anew: there is no way back to its old population */
    double seconds, phase[GR_PHASES];
};

static int cpu_available(char *line, size_t size) {
    uint32_t threads = gr_processors();
    snprintf(line, size, "CPU, %u thread%s, %s", threads, threads == 1 ? "" : "s",
             gr_cpu_best_interpreter()->name);
    return 1;
}

/* What the loops over a generation are about. */
typedef struct gr_turn {
    gr_engine *e;
    uint32_t generation;
} gr_turn;

/* Whether the generation under way is given up. */
static int is_left(const gr_engine *e) {
    return e->leaves && e->stop;
}

static void breed_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    const gr_state *s = &turn->e->state;
    for (uint32_t i = (uint32_t)first; i < last && !is_left(turn->e); i++) {
        gr_lane_group group = {0, 1};
        gr_scratch scratch = gr_group_scratch(s, thread, 1);
        gr_breed_child(s, turn->generation, i, scratch, gr_depth_first_scratch(s, thread), group);
    }
}

static void cpu_breed(gr_engine *e, uint32_t generation) {
    gr_turn turn = {e, generation};
    gr_team_loop(e->team, e->state.p.individuals, 16, breed_some, &turn);
}

/* What an evaluation is about: programs and cases of a state. */
typedef struct gr_evaluation {
    gr_engine *e;
    const gr_state *s;
    uint32_t generation;
} gr_evaluation;

static void evaluate_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_evaluation *w = context;
    const gr_state *s = w->s;
    uint32_t n = s->p.individuals;
    uint32_t chunk = (uint32_t)(first / n), i = (uint32_t)(first % n);
    for (uint64_t k = first; k < last && !is_left(w->e); k++) {
        gr_cpu_evaluate_chunk(s, w->e->interpreter, w->generation, chunk, i,
                              &w->e->registers[thread]);
        if (++i == n) {
            i = 0;
            chunk++;
        }
    }
}

/* Does the transfers that are listed; one that fails ends the run. */
static void cpu_exchange(gr_engine *e) {
    if (e->transfers.failed)
        gr_fail(&e->lost, GR_NO_MEMORY, "no memory for what engines exchange");
    if (!e->lost.status)
        e->peers->exchange(e->peers->context, e->transfers.list, e->transfers.count, &e->lost);
    if (e->lost.status)
        e->stop = 1;
}

static void add_some_counts(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_engine *e = context;
    size_t all = e->state.p.individuals * gr_bin_counts(&e->state.p);
    (void)thread;
    for (uint32_t other = 0; other + 1 < e->peers->members; other++)
        for (size_t k = first; k < last; k++)
            e->state.class_bins[k] += e->arrived[other * all + k];
}

/* Everybody tells the others what its share of the cases adds up to. */
static void cpu_gather_sums(gr_engine *e) {
    const gr_state *s = &e->state;
    gr_list_sums(e->peers, s, e->arrived, &e->transfers);
    cpu_exchange(e);
    if (s->class_bins)
        gr_team_loop(e->team, s->p.individuals * gr_bin_counts(&s->p), 4096, add_some_counts, e);
}

/* All programs over all chunks; a chunk's tile stays in the cache while programs stream. */
static void cpu_evaluate_all(gr_engine *e, uint32_t generation) {
    gr_state share = gr_state_of_share(&e->state, e->peers);
    gr_evaluation evaluation = {e, &share, generation};
    gr_team_loop(e->team, (uint64_t)share.p.train_chunks * share.p.individuals, 8, evaluate_some,
                 &evaluation);
    if (e->peers && e->peers->cases)
        cpu_gather_sums(e);
    if (e->state.class_bins && !is_left(e))
        gr_cpu_fit(&e->state, generation, e->team);
}

/* The same of a generation just bred, whose parents' sums are still there. */
static void cpu_evaluate_once(gr_engine *e, uint32_t generation) {
    gr_state state = e->state;
    if (!state.once) {
        cpu_evaluate_all(e, generation);
        return;
    }
    e->state = gr_cpu_once_begin(&state, generation, e->team);
    cpu_evaluate_all(e, generation);
    e->state = state;
    gr_cpu_once_end(&state, generation, e->team);
}

static void test_one(gr_engine *e, uint32_t chunk, uint32_t d, gr_cpu_registers *registers) {
    const gr_state *s = &e->state;
    const gr_params *p = &s->p;
    size_t tile = gr_tile_of(p);
    double sum[GR_MAX_SUMS];
    if (!s->records[d].written || !s->demes[d].improved || !s->demes[d].best.instructions)
        return;
    if (s->class_bins)
        registers->fitted = s->best_fitted + (size_t)d * p->thresholds;
    if (p->linear_scaling)
        registers->target = s->targets[p->train_chunks + chunk];
    e->interpreter->evaluate(p, s->best_programs + (size_t)d * p->max_nodes,
                             s->demes[d].best.instructions,
                             (gr_cpu_chunk){s->test + chunk * tile, 1, chunk}, registers, sum);
    for (uint32_t k = 0; k < p->sums; k++)
        s->best_sums[((size_t)chunk * p->sums + k) * gr_demes(p) + d] = sum[k];
}

static void test_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    gr_engine *e = context;
    uint32_t demes = gr_demes(&e->state.p);
    for (uint64_t k = first; k < last; k++)
        test_one(e, (uint32_t)(k / demes), (uint32_t)(k % demes), &e->registers[thread]);
}

/* The best so far of each deme on the test cases, where it is new. */
static void cpu_evaluate_test(gr_engine *e) {
    const gr_params *p = &e->state.p;
    gr_team_loop(e->team, (uint64_t)p->test_chunks * gr_demes(p), 4, test_some, e);
}

static gr_statistics cpu_butterfly(gr_statistics lane[GR_LANES]) {
    for (uint32_t x = GR_LANES / 2; x; x /= 2)
        for (uint32_t l = 0; l < x; l++)
            lane[l] = gr_statistics_merge(lane[l], lane[l + x]);
    return lane[0];
}

static void segments_statistics(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    const gr_state *s = &turn->e->state;
    uint32_t segments = gr_segments(&s->p);
    (void)thread;
    for (uint64_t k = first; k < last; k++) {
        gr_statistics lane[GR_LANES];
        uint32_t deme = (uint32_t)(k / segments), segment = (uint32_t)(k % segments);
        for (uint32_t l = 0; l < GR_LANES; l++)
            lane[l] = gr_segment_lane(s, turn->generation, deme, segment, l);
        s->segments[k] = cpu_butterfly(lane);
    }
}

static void spans_statistics(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    const gr_state *s = &turn->e->state;
    uint32_t spans = gr_spans(&s->p);
    (void)thread;
    for (uint64_t k = first; k < last; k++) {
        gr_statistics lane[GR_LANES];
        for (uint32_t l = 0; l < GR_LANES; l++)
            lane[l] = gr_span_lane(s, (uint32_t)(k / spans), (uint32_t)(k % spans), l);
        s->spans[k].statistics = cpu_butterfly(lane);
    }
}

static void finish_demes(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    const gr_state *s = &turn->e->state;
    (void)thread;
    for (uint32_t deme = (uint32_t)first; deme < last; deme++) {
        gr_statistics lane[GR_LANES];
        for (uint32_t l = 0; l < GR_LANES; l++)
            lane[l] = gr_deme_lane(s, deme, l);
        gr_finish_deme(s, turn->generation, deme, cpu_butterfly(lane));
        if (s->once)
            gr_once_tell(s, deme);
        if (!s->validating)
            gr_keep_best(s, turn->generation, deme, (gr_lane_group){0, 1});
    }
}

/* Judges the best of the generation by other cases, where there are some. */
static void validate_one(gr_engine *e, uint32_t generation, uint32_t deme,
                         gr_cpu_registers *registers) {
    const gr_state *s = &e->state;
    const gr_params *v = s->validating;
    uint32_t i = deme * s->p.population + s->records[deme].best_index;
    gr_individual candidate = s->individuals[generation & 1][i];
    double sum[GR_MAX_SUMS];
    if (!s->records[deme].written)
        return;
    for (uint32_t chunk = 0; candidate.instructions && chunk < v->test_chunks; chunk++) {
        if (v->linear_scaling)
            registers->target = s->validation_targets[chunk];
        const float *tile = s->validation + chunk * gr_tile_of(v);
        e->interpreter->evaluate(v, gr_program(s, i), candidate.instructions,
                                 (gr_cpu_chunk){tile, 1, chunk}, registers, sum);
        for (uint32_t k = 0; k < v->sums; k++)
            s->validation_sums[((size_t)chunk * v->sums + k) * gr_demes(v) + deme] = sum[k];
    }
    gr_judge_deme(s, generation, deme, gr_validated_cost(s, generation, deme, i));
    gr_keep_best(s, generation, deme, (gr_lane_group){0, 1});
}

static void validate_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    for (uint32_t deme = (uint32_t)first; deme < last; deme++)
        validate_one(turn->e, turn->generation, deme, &turn->e->registers[thread]);
}

static void plan_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    (void)thread;
    for (uint32_t k = (uint32_t)first; k < last; k++)
        gr_plan_parent_pair(&turn->e->state, turn->generation, k, 0, turn->e->state.p.individuals,
                            (gr_lane_group){0, 1});
}

/* What islands of a run decide together, also those of other engines. */
static void cpu_settle(gr_engine *e, uint32_t generation) {
    const gr_state *s = &e->state;
    if (s->standings) {
        for (uint32_t deme = 0; deme < gr_demes(&s->p); deme++)
            gr_note_standing(s, deme);
        gr_list_standings(e->peers, s, &e->transfers);
        cpu_exchange(e);
    }
    for (uint32_t run = 0; gr_run_islands(&s->p) > 1 && run < s->p.runs; run++)
        gr_settle_run(s, generation, run, (gr_lane_group){0, 1});
}

static void cpu_migrate(gr_engine *e, uint32_t generation) {
    gr_cpu_emigrate(&e->state, generation, e->team);
    if (e->state.p.other_islands) {
        gr_list_migrants(e->peers, &e->state, generation, &e->transfers);
        cpu_exchange(e);
    }
    gr_cpu_immigrate(&e->state, generation, e->team);
}

static void cpu_select(gr_engine *e) {
    const gr_state *s = &e->state;
    uint32_t demes = gr_demes(&s->p);
    gr_turn turn = {e, s->loop->next - 1};
    gr_team_loop(e->team, (uint64_t)demes * gr_segments(&s->p), 4, segments_statistics, &turn);
    gr_team_loop(e->team, (uint64_t)demes * gr_spans(&s->p), 4, spans_statistics, &turn);
    gr_team_loop(e->team, demes, 4, finish_demes, &turn);
    if (s->validating)
        gr_team_loop(e->team, demes, 1, validate_some, &turn);
    cpu_settle(e, turn.generation);
    gr_decide(s, gr_share_active(s, 0, 1), (uint32_t)e->stop);
    if (s->loop->finished)
        return;
    if (s->parents)
        gr_cpu_write_errors(s, turn.generation, e->interpreter, e->registers, e->team);
    if (gr_migrates(&s->p, turn.generation))
        cpu_migrate(e, turn.generation);
    if (gr_may_restart(&s->p, turn.generation))
        e->restarted = gr_cpu_restart(s, turn.generation, e->team);
    if (s->parents)
        gr_cpu_find_parents(s, turn.generation, e->team);
    if (s->selection_cost)
        gr_cpu_order(s, turn.generation, e->team);
    gr_cpu_elites(s, e->team);
    if (s->niches)
        gr_cpu_list_niches(s, e->team);
    if (s->types)
        gr_cpu_type_trees(s, turn.generation, e->team);
    gr_team_loop(e->team, (uint64_t)demes * gr_parent_pairs(&s->p), 64, plan_some, &turn);
}

/* Notes the time since `start` for a phase; the time now. */
static double cpu_lap(gr_engine *e, gr_phase phase, double start) {
    double now = gr_seconds_now();
    e->phase[phase] += now - start;
    return now;
}

/* Children and their parents become the generation, in runs of several objectives. */
static void cpu_replace(gr_engine *e, uint32_t generation) {
    double start = gr_seconds_now();
    gr_cpu_replace(&e->state, generation, e->interpreter, e->registers, e->team);
    cpu_lap(e, GR_PHASE_SELECT, start);
}

/* The best of each niche are kept, in runs with an archive of them. */
static void cpu_keep_niches(gr_engine *e, uint32_t generation) {
    double start = gr_seconds_now();
    gr_cpu_keep_niches(&e->state, generation, e->interpreter, e->registers, e->team);
    cpu_lap(e, GR_PHASE_SELECT, start);
}

/* Breeds and evaluates the generation that is next; 0: it was given up, the run being stopped. */
static int cpu_next(gr_engine *e) {
    uint32_t generation = e->state.loop->next;
    double start = gr_seconds_now();
    /* fitted constants that stand beside genomes are gone with them; engines that share a run end
     * with the same generation */
    e->leaves = !e->restarted && !gr_fits_beside(&e->state.p) && !e->peers;
    e->restarted = 0;
    if (generation == 0 && gr_settles(&e->state.p))
        gr_cpu_unique(&e->state, e->peers ? NULL : &e->stop);
    cpu_breed(e, generation);
    if (e->state.p.sampling && !is_left(e))
        gr_cpu_sample(&e->state, generation, e->team);
    start = cpu_lap(e, GR_PHASE_BREED, start);
    cpu_evaluate_once(e, generation);
    start = cpu_lap(e, GR_PHASE_EVALUATE, start);
    if (e->fitting && !is_left(e)) {
        gr_cpu_fit_constants(&e->state, e->interpreter, generation, e->fitting, e->registers,
                             e->team, e->leaves ? &e->stop : NULL);
        cpu_lap(e, GR_PHASE_FIT, start);
    }
    int done = !is_left(e);
    e->leaves = 0;
    if (done && e->state.diversity)
        gr_cpu_count_diversity(&e->state, generation, e->team);
    if (done && e->state.niches)
        cpu_keep_niches(e, generation);
    if (done && e->state.standing)
        cpu_replace(e, generation);
    return done;
}

/* A generation was given up whose programs have taken the place of its parents': these are made
 * once more, and the run ends with them. */
static void cpu_return(gr_engine *e) {
    gr_loop *loop = e->state.loop;
    loop->stop = loop->finished = 1;
    if (gr_migrates(&e->state.p, loop->next - 1))
        gr_cpu_send_back(&e->state, loop->next - 1, e->team);
    gr_cpu_express(&e->state, loop->next - 1, e->team);
}

/* One turn of the loop: both kernels. */
static void cpu_generation(gr_engine *e) {
    const gr_state *s = &e->state;
    uint32_t demes = gr_demes(&s->p);
    double start = gr_seconds_now();
    cpu_select(e);
    cpu_lap(e, GR_PHASE_SELECT, start);
    if (!s->loop->finished && !cpu_next(e))
        cpu_return(e);
    start = gr_seconds_now();
    cpu_evaluate_test(e);
    cpu_lap(e, GR_PHASE_EVALUATE, start);
    for (uint32_t deme = 0; deme < demes; deme++) {
        gr_finish_test(s, deme);
        e->records[(size_t)s->loop->epoch * demes + deme] = s->records[deme];
    }
    s->loop->epoch++;
    s->loop->next += !s->loop->finished;
}

/* The last generation once more on all cases; its best becomes the best of the run. */
static gr_status cpu_rank(gr_engine *e, gr_error *error) {
    double start = gr_seconds_now();
    (void)error;
    gr_state sampled = e->state;
    uint32_t generation = sampled.loop->next - 1, demes = gr_demes(&sampled.p);
    gr_loop loop = {.next = generation};
    e->state = gr_ranking_state(&sampled, generation, &loop, sampled.records);
    for (uint32_t d = 0; d < demes; d++)
        gr_reopen_deme(&sampled, d);
    cpu_evaluate_all(e, generation);
    loop.next = generation + 1;
    cpu_select(e);
    cpu_evaluate_test(e);
    for (uint32_t d = 0; d < demes; d++)
        gr_finish_test(&e->state, d);
    e->state = sampled;
    e->seconds += cpu_lap(e, GR_PHASE_RANK, start) - start;
    return GR_OK;
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
    if (p->linear_scaling)
        memcpy((void *)(uintptr_t)s->targets, job->targets,
               (p->train_chunks + p->test_chunks) * sizeof *job->targets);
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
        gr_cpu_gather_behaviour_cases(s);
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
    e->epoch = job->epoch;
    e->peers = job->peers;
    e->interpreter = gr_cpu_best_interpreter();
    gr_status status = take_memory(e, job, threads, error);
    if (status) {
        cpu_close(e);
        return status;
    }
    e->team = gr_team_open(threads);
    copy_job(e, job);
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
        e->state.loop->next = (uint32_t)cpu_next(e);
        e->state.loop->finished = !e->state.loop->next;
    }
    while (e->state.loop->epoch < e->epoch && !e->state.loop->finished) {
        cpu_generation(e);
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
    memcpy(to, (const char *)at + offset, size);
    return GR_OK;
}

static gr_status cpu_read(gr_engine *e, gr_section section, void *to, size_t size,
                          gr_error *error) {
    return cpu_read_at(e, section, 0, to, size, error);
}

static void cost_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    const gr_state *s = &turn->e->state;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++) {
        double fit[2];
        s->cost[i] = gr_evaluated_cost(s, turn->generation, i, fit);
    }
}

/* Costs of an evaluated generation, as the next selection will compute them. */
static void cpu_costs(gr_engine *e, uint32_t generation) {
    gr_turn turn = {e, generation};
    gr_team_loop(e->team, e->state.p.individuals, 256, cost_some, &turn);
}

static gr_status cpu_snapshot(gr_engine *e, gr_snapshot *snapshot, gr_error *error) {
    if (e->state.loop->next && !e->state.loop->finished)
        cpu_costs(e, e->state.loop->next - 1);
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
        cpu_evaluate_all(e, snapshot->generation);
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
            cpu_breed(e, next - 1);
        else
            cpu_evaluate_all(e, next - 1);
        seconds[k] = gr_seconds_now() - start;
    }
    free(other);
    if (phase == GR_PHASE_EVALUATE)
        cpu_costs(e, next - 1);
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
    .rank = cpu_rank,
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
