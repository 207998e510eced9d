/* Demes that go on by themselves, on the CPU: one is selected, bred and evaluated while what it
 * works on is in the cache, several generations at a time where these are short, and no thread
 * waits for the others behind each stage. */
#include "gpu/backend/clock.h"
#include "gpu/core/program/linear.h"
#include "gpu/core/selection/select.h"
#include "host/cpu/internal.h"
#include "host/cpu/once.h"
#include "host/cpu/stages.h"

#include <math.h>

/* Seconds that several generations may take, which are not given up when the run is told to stop.
 */
#define MOMENT 0.1

/* What threads do with demes, each for some generations. */
typedef struct gr_stretch {
    gr_engine *e;
    uint32_t first, count;                      /* generations to select */
    uint32_t goes_on;                           /* another is bred behind them */
    _Atomic uint32_t left;                      /* a deme was not bred */
    _Atomic uint64_t nanoseconds[GR_PHASE_FIT]; /* of all threads, by phase */
} gr_stretch;

/* Whether no stage of a generation is one of several demes, so that each may go on while others are
 * behind: what it works on stays in the cache. With few for each thread, some would be waited for.
 */
static int demes_are_apart(const gr_engine *e) {
    const gr_state *s = &e->state;
    const gr_params *p = &s->p;
    return gr_demes(p) > 1 && gr_demes(p) >= 4 * gr_team_size(e->team) && gr_run_islands(p) == 1 &&
           !e->peers && !e->fitting && !s->parents && !s->selection_cost && !s->niches &&
           !s->types && !s->standing && !s->known && !s->diversity && !s->class_bins &&
           !p->sampling && !p->restart_after && (!s->once || gr_cpu_once_is_of_elites(s));
}

/* Notes the time since *start for a phase. */
static void lap_of(uint64_t passed[GR_PHASE_FIT], gr_phase phase, double *start) {
    double now = gr_seconds_now();
    passed[phase] += (uint64_t)((now - *start) * 1e9);
    *start = now;
}

static void select_deme(gr_turn turn, uint32_t deme, uint32_t thread) {
    const gr_state *s = &turn.e->state;
    uint64_t segments = gr_segments(&s->p), spans = gr_spans(&s->p), pairs = gr_parent_pairs(&s->p);
    gr_cpu_segments_statistics(&turn, deme * segments, (deme + 1) * segments, thread);
    gr_cpu_spans_statistics(&turn, deme * spans, (deme + 1) * spans, thread);
    gr_cpu_finish_demes(&turn, deme, deme + 1, thread);
    if (s->validating)
        gr_cpu_validate_some(&turn, deme, deme + 1, thread);
    if (!s->demes[deme].active || gr_cpu_is_left(turn.e))
        return;
    gr_cpu_elites_of(s, deme);
    gr_cpu_plan_some(&turn, deme * pairs, (deme + 1) * pairs, thread);
}

/* Number `k` of the stretch is selected, and its record written. */
static void end_generation(gr_stretch *w, uint32_t k, uint32_t deme, uint32_t thread,
                           uint64_t passed[GR_PHASE_FIT]) {
    const gr_state *s = &w->e->state;
    double start = gr_seconds_now();
    select_deme((gr_turn){w->e, w->first + k, NULL}, deme, thread);
    lap_of(passed, GR_PHASE_SELECT, &start);
    for (uint32_t chunk = 0; chunk < s->p.test_chunks; chunk++)
        gr_cpu_test_one(w->e, chunk, deme, &w->e->registers[thread]);
    gr_finish_test(s, deme);
    w->e->records[(size_t)(s->loop->epoch + k) * gr_demes(&s->p) + deme] = s->records[deme];
    lap_of(passed, GR_PHASE_EVALUATE, &start);
}

/* The next one is bred and evaluated. */
static void next_generation(gr_stretch *w, uint32_t k, uint32_t deme, uint32_t thread,
                            uint64_t passed[GR_PHASE_FIT]) {
    const gr_params *p = &w->e->state.p;
    uint64_t first = (uint64_t)deme * p->population;
    gr_turn turn = {w->e, w->first + k + 1, NULL};
    gr_cpu_copies *copies = w->e->copies ? w->e->copies + thread : NULL;
    gr_state evaluated;
    gr_evaluation evaluation = {w->e, &w->e->state, turn.generation};
    double start = gr_seconds_now();
    if (copies && gr_cpu_put_aside(&w->e->state, turn.generation, (uint32_t)first, p->population,
                                   copies, NULL))
        turn.copies = copies;
    gr_cpu_breed_some(&turn, first, first + p->population, thread);
    lap_of(passed, GR_PHASE_BREED, &start);
    if (w->e->state.once) {
        evaluated = gr_cpu_once_begin_deme(&w->e->state, turn.generation, deme);
        evaluation.s = &evaluated;
    }
    for (uint64_t chunk = 0; chunk < p->train_chunks; chunk++, first += p->individuals)
        gr_cpu_evaluate_some(&evaluation, first, first + p->population, thread);
    if (w->e->state.once)
        gr_cpu_once_end_deme(&w->e->state, turn.generation, deme);
    lap_of(passed, GR_PHASE_EVALUATE, &start);
}

static void add_passed(gr_stretch *w, const uint64_t passed[GR_PHASE_FIT]) {
    for (uint32_t phase = 0; phase < GR_PHASE_FIT; phase++)
        w->nanoseconds[phase] += passed[phase];
}

/* Demes until they stop. */
static void go_on(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    gr_stretch *w = context;
    const gr_deme *demes = w->e->state.demes;
    uint64_t passed[GR_PHASE_FIT] = {0};
    for (uint32_t deme = (uint32_t)first; deme < last; deme++)
        for (uint32_t k = 0; k < w->count && demes[deme].active; k++) {
            end_generation(w, k, deme, thread, passed);
            if (demes[deme].active)
                next_generation(w, k, deme, thread, passed);
        }
    if (gr_cpu_is_left(w->e))
        w->left = 1;
    add_passed(w, passed);
}

/* Those that have stopped, as if they had gone on beside the others. */
static void catch_up(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    gr_stretch *w = context;
    const gr_state *s = &w->e->state;
    uint64_t passed[GR_PHASE_FIT] = {0};
    for (uint32_t deme = (uint32_t)first; deme < last; deme++) {
        uint32_t behind = s->records[deme].generation + 1, /* the last one it was active in */
            selected = behind > w->first ? behind - w->first : 0;
        for (uint32_t k = gr_before(selected, 1); !s->demes[deme].active && k < w->count; k++) {
            if (k >= selected)
                end_generation(w, k, deme, thread, passed);
            if (w->goes_on || k + 1 < w->count)
                next_generation(w, k, deme, thread, passed);
        }
    }
    add_passed(w, passed);
}

/* Threads do several phases at a time: each gets the share of the time that it has of theirs. */
static void share_time(gr_engine *e, const gr_stretch *w, double seconds) {
    double all = 0.0;
    for (uint32_t phase = 0; phase < GR_PHASE_FIT; phase++)
        all += (double)w->nanoseconds[phase];
    for (uint32_t phase = 0; phase < GR_PHASE_FIT; phase++)
        e->phase[phase] += all > 0.0 ? seconds * (double)w->nanoseconds[phase] / all : 0.0;
}

/* Goes through so many generations, or until all demes have stopped; one may be given up, as in
 * gr_cpu_next. */
static void some_generations(gr_engine *e, uint32_t count) {
    const gr_state *s = &e->state;
    gr_loop *loop = s->loop;
    uint32_t demes = gr_demes(&s->p), reached = 0;
    gr_stretch stretch = {.e = e, .first = loop->next - 1, .count = count};
    double start = gr_seconds_now();
    e->bred = 0;
    e->leaves = count == 1;
    gr_team_loop(e->team, demes, 1, go_on, &stretch);
    e->leaves = 0;
    for (uint32_t deme = 0; deme < demes; deme++)
        reached = gr_max_u32(reached, s->records[deme].generation);
    stretch.count = reached + 1 - stretch.first;
    stretch.goes_on = !stretch.left && gr_share_active(s, 0, 1);
    gr_team_loop(e->team, demes, 64, catch_up, &stretch);
    loop->epoch += stretch.count;
    loop->next += stretch.count - 1;
    if (stretch.left)
        gr_cpu_return(e);
    loop->finished = !stretch.goes_on;
    loop->next += stretch.goes_on;
    share_time(e, &stretch, gr_seconds_now() - start);
}

/* How many a moment has; 0: the last one has only to be selected. */
static uint32_t generations_at_once(const gr_engine *e) {
    const gr_loop *loop = e->state.loop;
    uint32_t most = gr_min_u32(e->most - loop->epoch, e->state.p.generations + 1 - loop->next);
    double fit = e->pace > 0.0 ? fmax(MOMENT / e->pace, 1.0) : 1.0;
    return fit < most ? (uint32_t)fit : most;
}

void gr_cpu_generations(gr_engine *e) {
    const gr_loop *loop = e->state.loop;
    uint32_t before = loop->epoch, count = generations_at_once(e);
    double start = gr_seconds_now();
    if (count && !e->stop && demes_are_apart(e))
        some_generations(e, count);
    else
        gr_cpu_generation(e);
    e->pace = (gr_seconds_now() - start) / (loop->epoch - before);
}
