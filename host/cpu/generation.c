/* A generation on the CPU: bred, evaluated, selected from. The order of work never shows in the
 * results: every sum has a fixed order and every draw its own counter. */
#include "gpu/backend/clock.h"
#include "gpu/core/breeding/known.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/fitness/validation.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/migration.h"
#include "gpu/core/selection/once.h"
#include "gpu/core/selection/restart.h"
#include "host/cpu/fitting.h"
#include "host/cpu/internal.h"
#include "host/cpu/niches.h"
#include "host/cpu/once.h"
#include "host/cpu/pareto.h"
#include "host/cpu/stages.h"

int gr_cpu_is_left(const gr_engine *e) {
    return e->leaves && e->stop;
}

/* Those that are bred and evaluated here. */
static gr_individuals own_individuals(const gr_engine *e) {
    return gr_share_of_individuals(e->peers, e->peers ? e->peers->member : 0, &e->state.p);
}

/* Genomes that a thread breeds together: what mapping begins with is done once. */
enum { GENOMES_AT_ONCE = 16 };

void gr_cpu_breed_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    const gr_state *s = &turn->e->state;
    gr_individuals own = own_individuals(turn->e);
    gr_lane_group alone = {0, 1};
    gr_scratch scratch = gr_group_scratch(s, thread, 1);
    uint32_t *codon_scratch = gr_depth_first_scratch(s, thread);
    uint32_t k = (uint32_t)first, at_once = s->p.genotype == GR_TREE ? 1 : GENOMES_AT_ONCE;
    for (uint32_t count; k < last && !gr_cpu_is_left(turn->e); k += count) {
        gr_batch batch = {turn->generation, 0, own.first + k, 0};
        uint32_t copy = turn->copies && gr_cpu_is_copy(s, batch.first);
        count = copy ? 1 : gr_min_u32(at_once, (uint32_t)last - k);
        batch.last = batch.first + count;
        if (copy)
            gr_cpu_copy_elite(s, turn->generation, batch.first, turn->copies);
        else if (s->p.genotype == GR_TREE)
            gr_breed_child(s, turn->generation, batch.first, scratch, codon_scratch, alone);
        else
            gr_breed_genomes(s, batch, gr_breeding_of(&s->p), scratch, codon_scratch, alone);
    }
    for (uint32_t most = turn->e->bred; k > first && most < k;)
        if (atomic_compare_exchange_weak(&turn->e->bred, &most, k))
            break;
}

void gr_cpu_breed(gr_engine *e, uint32_t generation, gr_cpu_copies *copies) {
    gr_turn turn = {e, generation, NULL};
    gr_individuals own = own_individuals(e);
    if (copies &&
        gr_cpu_put_aside(&e->state, generation, 0, e->state.p.individuals, copies, e->team))
        turn.copies = copies;
    e->bred = 0;
    gr_team_loop(e->team, own.count, 16, gr_cpu_breed_some, &turn);
}

void gr_cpu_evaluate_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_evaluation *w = context;
    gr_individuals own = own_individuals(w->e);
    uint32_t chunk = (uint32_t)(first / own.count), i = (uint32_t)(first % own.count);
    for (uint64_t k = first; k < last && !gr_cpu_is_left(w->e); k++) {
        gr_cpu_evaluate_chunk(w->s, w->e->interpreter, w->generation, chunk, own.first + i,
                              &w->e->registers[thread]);
        if (++i == own.count) {
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

/* Everybody has everybody's individuals as they are by now. */
static void cpu_share_individuals(gr_engine *e, uint32_t generation) {
    if (e->peers && e->peers->individuals) {
        gr_list_individuals(e->peers, &e->state, generation, &e->transfers);
        cpu_exchange(e);
    }
}

void gr_cpu_evaluate_all(gr_engine *e, uint32_t generation) {
    gr_state share = gr_state_of_share(&e->state, e->peers);
    gr_evaluation evaluation = {e, &share, generation};
    gr_team_loop(e->team, (uint64_t)share.p.train_chunks * own_individuals(e).count, 8,
                 gr_cpu_evaluate_some, &evaluation);
    if (e->peers && e->peers->cases)
        cpu_gather_sums(e);
    if (e->state.class_bins && !gr_cpu_is_left(e))
        gr_cpu_fit(&e->state, generation, e->team);
    cpu_share_individuals(e, generation);
}

/* The same of a generation just bred, whose parents' sums are still there. */
static void cpu_evaluate_once(gr_engine *e, uint32_t generation) {
    gr_state state = e->state;
    if (!state.once) {
        gr_cpu_evaluate_all(e, generation);
        return;
    }
    e->state = gr_cpu_once_begin(&state, generation, e->team);
    gr_cpu_evaluate_all(e, generation);
    e->state = state;
    gr_cpu_once_end(&state, generation, e->team);
}

void gr_cpu_test_one(gr_engine *e, uint32_t chunk, uint32_t d, gr_cpu_registers *registers) {
    const gr_state *s = &e->state;
    const gr_params *p = &s->p;
    size_t tile = gr_tile_of(p);
    double sum[GR_MAX_SUMS];
    if (!s->records[d].written || !s->demes[d].improved || !s->demes[d].best.instructions)
        return;
    if (s->class_bins)
        registers->fitted = s->best_fitted + (size_t)d * p->thresholds;
    if (p->linear_scaling)
        registers->target = s->test_targets[chunk];
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
        gr_cpu_test_one(e, (uint32_t)(k / demes), (uint32_t)(k % demes), &e->registers[thread]);
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

void gr_cpu_segments_statistics(void *context, uint64_t first, uint64_t last, uint32_t thread) {
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

void gr_cpu_spans_statistics(void *context, uint64_t first, uint64_t last, uint32_t thread) {
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

void gr_cpu_finish_demes(void *context, uint64_t first, uint64_t last, uint32_t thread) {
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

void gr_cpu_validate_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    for (uint32_t deme = (uint32_t)first; deme < last; deme++)
        validate_one(turn->e, turn->generation, deme, &turn->e->registers[thread]);
}

void gr_cpu_plan_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_turn *turn = context;
    (void)thread;
    for (uint32_t k = (uint32_t)first; k < last && !gr_cpu_is_left(turn->e); k++)
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

/* Keeps of the generation what the next one takes away, so that it may be given up; engines that
 * share a run end with the same one. Whether an island begins anew is known too late for selection.
 */
static void keep(gr_engine *e, uint32_t generation) {
    if (!e->peers)
        gr_cpu_keep(&e->state, generation, e->team, &e->kept);
    e->leaves = e->kept.whole && !gr_may_restart(&e->state.p, generation);
}

/* Who breeds the next generation, which need not be complete where that is given up. */
static void cpu_find_parents(gr_engine *e, gr_turn *turn) {
    const gr_state *s = &e->state;
    const atomic_int *stop = e->leaves ? &e->stop : NULL;
    if (s->parents)
        gr_cpu_find_parents(s, turn->generation, e->team, stop);
    if (s->selection_cost && !gr_cpu_is_left(e))
        gr_cpu_order(s, turn->generation, e->team);
    if (!gr_cpu_is_left(e))
        gr_cpu_elites(s, e->team);
    if (s->niches && !gr_cpu_is_left(e))
        gr_cpu_list_niches(s, e->team);
    if (s->types && !gr_cpu_is_left(e))
        gr_cpu_type_trees(s, turn->generation, e->team);
    gr_team_loop(e->team, (uint64_t)gr_demes(&s->p) * gr_parent_pairs(&s->p), 64, gr_cpu_plan_some,
                 turn);
}

static void cpu_select(gr_engine *e) {
    const gr_state *s = &e->state;
    uint32_t demes = gr_demes(&s->p);
    gr_turn turn = {e, s->loop->next - 1, NULL};
    gr_team_loop(e->team, (uint64_t)demes * gr_segments(&s->p), 4, gr_cpu_segments_statistics,
                 &turn);
    gr_team_loop(e->team, (uint64_t)demes * gr_spans(&s->p), 4, gr_cpu_spans_statistics, &turn);
    gr_team_loop(e->team, demes, 4, gr_cpu_finish_demes, &turn);
    if (s->validating)
        gr_team_loop(e->team, demes, 1, gr_cpu_validate_some, &turn);
    cpu_settle(e, turn.generation);
    gr_decide(s, gr_share_active(s, 0, 1), (uint32_t)e->stop);
    if (s->loop->finished)
        return;
    keep(e, turn.generation);
    if (s->parents)
        gr_cpu_write_errors(s, turn.generation, e->interpreter, e->registers, e->team,
                            e->leaves ? &e->stop : NULL);
    if (gr_migrates(&s->p, turn.generation))
        cpu_migrate(e, turn.generation);
    if (gr_may_restart(&s->p, turn.generation))
        e->restarted = gr_cpu_restart(s, turn.generation, e->team);
    cpu_find_parents(e, &turn);
    e->leaves = 0;
}

/* Notes the time since `start` for a phase; the time now. */
static double cpu_lap(gr_engine *e, gr_phase phase, double start) {
    double now = gr_seconds_now();
    e->phase[phase] += now - start;
    return now;
}

/* Children and their parents in order, in runs of several objectives. */
static void cpu_rank(gr_engine *e, uint32_t generation) {
    double start = gr_seconds_now();
    gr_cpu_rank_all(&e->state, generation, e->interpreter, e->registers, e->team,
                    e->leaves ? &e->stop : NULL);
    cpu_lap(e, GR_PHASE_SELECT, start);
}

/* The first of them become the generation. */
static void cpu_replace(gr_engine *e, uint32_t generation) {
    double start = gr_seconds_now();
    gr_cpu_survive(&e->state, generation, e->team);
    cpu_lap(e, GR_PHASE_SELECT, start);
}

/* The best of each niche are kept, in runs with an archive of them. */
static void cpu_keep_niches(gr_engine *e, uint32_t generation) {
    double start = gr_seconds_now();
    gr_cpu_keep_niches(&e->state, generation, e->interpreter, e->registers, e->team);
    cpu_lap(e, GR_PHASE_SELECT, start);
}

int gr_cpu_next(gr_engine *e) {
    uint32_t generation = e->state.loop->next;
    double start = gr_seconds_now();
    e->leaves = generation ? e->kept.whole && !e->restarted : !e->peers;
    e->restarted = 0;
    if (generation == 0 && gr_settles(&e->state.p))
        gr_cpu_unique(&e->state, e->peers ? NULL : &e->stop);
    gr_cpu_breed(e, generation, generation ? e->copies : NULL);
    if (e->state.known) { /* among all, by everybody */
        cpu_share_individuals(e, generation);
        gr_cpu_mutate_duplicates(&e->state, generation, e->team, e->leaves ? &e->stop : NULL);
    }
    if (e->state.p.sampling && !gr_cpu_is_left(e))
        gr_cpu_sample(&e->state, generation, e->team);
    start = cpu_lap(e, GR_PHASE_BREED, start);
    if (!gr_cpu_is_left(e))
        cpu_evaluate_once(e, generation);
    start = cpu_lap(e, GR_PHASE_EVALUATE, start);
    if (e->fitting && !gr_cpu_is_left(e)) {
        gr_cpu_fit_constants(&e->state, e->interpreter, generation, e->fitting, e->registers,
                             e->team, e->leaves ? &e->stop : NULL);
        cpu_lap(e, GR_PHASE_FIT, start);
    }
    if (e->state.standing && !gr_cpu_is_left(e))
        cpu_rank(e, generation);
    int done = !gr_cpu_is_left(e);
    e->leaves = 0;
    if (done && e->state.diversity)
        gr_cpu_count_diversity(&e->state, generation, e->team);
    if (done && e->state.niches)
        cpu_keep_niches(e, generation);
    if (done && e->state.standing)
        cpu_replace(e, generation);
    return done;
}

void gr_cpu_return(gr_engine *e) {
    gr_loop *loop = e->state.loop;
    loop->stop = loop->finished = 1;
    gr_cpu_go_back(&e->state, loop->next - 1, e->bred, &e->kept, e->team);
}

void gr_cpu_generation(gr_engine *e) {
    const gr_state *s = &e->state;
    uint32_t demes = gr_demes(&s->p);
    double start = gr_seconds_now();
    cpu_select(e);
    for (uint32_t deme = 0; s->known && deme < demes; deme++)
        gr_tell_known(s, deme);
    cpu_lap(e, GR_PHASE_SELECT, start);
    if (!s->loop->finished && !gr_cpu_next(e))
        gr_cpu_return(e);
    gr_cpu_keep_no_more(&e->kept);
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

gr_status gr_cpu_rank(gr_engine *e, gr_error *error) {
    double start = gr_seconds_now();
    (void)error;
    gr_state sampled = e->state;
    uint32_t generation = sampled.loop->next - 1, demes = gr_demes(&sampled.p);
    gr_loop loop = {.next = generation};
    e->state = gr_ranking_state(&sampled, generation, &loop, sampled.records);
    for (uint32_t d = 0; d < demes; d++)
        gr_reopen_deme(&sampled, d);
    gr_cpu_evaluate_all(e, generation);
    loop.next = generation + 1;
    cpu_select(e);
    cpu_evaluate_test(e);
    for (uint32_t d = 0; d < demes; d++)
        gr_finish_test(&e->state, d);
    e->state = sampled;
    e->seconds += cpu_lap(e, GR_PHASE_RANK, start) - start;
    return GR_OK;
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

void gr_cpu_costs(gr_engine *e, uint32_t generation) {
    gr_turn turn = {e, generation, NULL};
    gr_team_loop(e->team, e->state.p.individuals, 256, cost_some, &turn);
}
