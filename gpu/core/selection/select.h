/* The first half of kernel 1: statistics of a generation, the stop decision, elites, parents and
 * plans of the children.
 *
 * Statistics are summed like fitness: lane l of 32 owns the individuals of a segment (64 of them)
 * whose index is congruent to l and adds them in rising order, the lanes meet in a butterfly; the
 * segments of a span and the spans of a deme are added the same way. */
#ifndef GR_SELECT_H
#define GR_SELECT_H

#include "gpu/core/fitting/normal.h"
#include "gpu/core/selection/parent_selection.h"
#include "gpu/core/selection/torus.h"

/* ---- statistics ---- */

GR_FN gr_statistics gr_no_statistics(void) {
    gr_statistics t = {0};
    t.best_key = ~0ull;
    for (int k = 0; k < GR_SIZE_KINDS; k++)
        t.least[k] = 0xffffffffu;
    return t;
}

GR_FN void gr_statistics_add(gr_statistics *t, float cost, gr_individual individual,
                             uint32_t index) {
    const uint32_t size[GR_SIZE_KINDS] = {individual.length, individual.used, individual.depth,
                                          individual.nodes, individual.derivation_nodes};
    uint64_t key = gr_rank_key(cost, index);
    t->best_key = key < t->best_key ? key : t->best_key;
    t->validity[individual.validity]++;
    t->draws_again += GR_RETRIES_DRAWS(individual.retries);
    t->parents_kept += GR_RETRIES_KEPT(individual.retries);
    if (cost != GR_INFINITY) {
        t->finite++;
        t->cost_sum += (double)cost;
    }
    for (int k = 0; k < GR_SIZE_KINDS; k++) {
        if (k != GR_SIZE_LENGTH && individual.validity != GR_VALID)
            continue; /* an invalid individual has no phenotype to measure */
        t->sum[k] += size[k];
        t->least[k] = gr_min_u32(t->least[k], size[k]);
        t->most[k] = gr_max_u32(t->most[k], size[k]);
    }
}

/* How the statistics of parts become one. Only the sum of costs depends on their order. */
#define GR_STATISTICS_PARTS(COSTS, KEY, LONG, SUM, LEAST, MOST)                                    \
    COSTS(cost_sum)                                                                                \
    KEY(best_key)                                                                                  \
    SUM(finite)                                                                                    \
    SUM(draws_again)                                                                               \
    SUM(parents_kept)                                                                              \
    for (int k = 0; k < GR_SIZE_KINDS; k++) {                                                      \
        LONG(sum[k])                                                                               \
        LEAST(least[k])                                                                            \
        MOST(most[k])                                                                              \
    }                                                                                              \
    for (int k = 0; k < GR_VALIDITY_COUNT; k++) {                                                  \
        SUM(validity[k])                                                                           \
    }

GR_FN gr_statistics gr_statistics_merge(gr_statistics a, gr_statistics b) {
#define GR_ADD(part) a.part += b.part;
#define GR_LEAST(part) a.part = b.part < a.part ? b.part : a.part;
#define GR_MOST(part) a.part = b.part > a.part ? b.part : a.part;
    GR_STATISTICS_PARTS(GR_ADD, GR_LEAST, GR_ADD, GR_ADD, GR_LEAST, GR_MOST)
#undef GR_ADD
#undef GR_LEAST
#undef GR_MOST
    return a;
}

/* The share of one lane of 32 in a segment; also writes the costs of its individuals. */
GR_FN gr_statistics gr_segment_lane(const gr_state *s, uint32_t generation, uint32_t deme,
                                    uint32_t segment, uint32_t lane) {
    gr_statistics t = gr_no_statistics();
    uint32_t end = gr_min_u32((segment + 1) * GR_SEGMENT, s->p.population);
    for (uint32_t index = segment * GR_SEGMENT + lane; index < end; index += GR_LANES) {
        uint32_t i = deme * s->p.population + index;
        double fit[2];
        float cost = gr_evaluated_cost(s, generation, i, fit);
        s->cost[i] = cost;
        gr_statistics_add(&t, cost, s->individuals[generation & 1][i], index);
    }
    return t;
}

/* The share of one lane of 32 in a span of segments. */
GR_FN gr_statistics gr_span_lane(const gr_state *s, uint32_t deme, uint32_t span, uint32_t lane) {
    gr_statistics t = gr_no_statistics();
    uint32_t count = gr_segments(&s->p), end = gr_min_u32((span + 1) * GR_SPAN, count);
    for (uint32_t segment = span * GR_SPAN + lane; segment < end; segment += GR_LANES)
        t = gr_statistics_merge(t, s->segments[(size_t)deme * count + segment]);
    return t;
}

/* The share of one lane of 32 in the spans of a deme. */
GR_FN gr_statistics gr_deme_lane(const gr_state *s, uint32_t deme, uint32_t lane) {
    gr_statistics t = gr_no_statistics();
    uint32_t count = gr_spans(&s->p);
    for (uint32_t span = lane; span < count; span += GR_LANES)
        t = gr_statistics_merge(t, s->spans[(size_t)deme * count + span].statistics);
    return t;
}

/* ---- the generation of a deme ---- */

/* Whether a deme whose best is of `best_generation` has gone on for too long without a better one,
 * as its run looks at the ends of its own generations. */
GR_BOTH uint32_t gr_stagnates(const gr_params *p, uint32_t generation, uint32_t best_generation) {
    return p->stagnation && generation % p->steps == 0 &&
           generation - best_generation >= p->stagnation;
}

/* Whether a run goes on whose best so far has this cost, since this generation. */
GR_FN uint32_t gr_goes_on(const gr_params *p, uint32_t generation, float best_cost,
                          uint32_t best_generation) {
    return !(p->stop_at_target && best_cost <= p->target_cost) &&
           !gr_stagnates(p, generation, best_generation);
}

/* What the best so far is judged by: its cost, or what it costs on cases set aside for that. */
GR_FN float gr_judged(const gr_state *s, const gr_deme *d) {
    return s->validating ? d->validation_cost : d->best_cost;
}

/* Keeps this generation's best, which is judged by `judged`, if it is better than the best so far,
 * and decides whether the deme goes on; islands do so together (gr_settle_run). One lane. The
 * caller then copies the individual's genotype and program if `improved`. */
GR_FN void gr_judge_deme(const gr_state *s, uint32_t generation, uint32_t deme, float judged) {
    gr_deme *d = &s->demes[deme];
    gr_record *record = &s->records[deme];
    uint32_t i = deme * s->p.population + record->best_index;
    uint32_t other_cases = s->p.sampling && gr_sample_is_new(&s->p, generation);
    if (generation == 0 || other_cases || judged < gr_judged(s, d)) {
        d->improved = 1;
        d->best_cost = record->best_cost;
        d->validation_cost = judged;
        d->best_generation = generation;
        d->best = s->individuals[generation & 1][i];
        d->test_cost = GR_INFINITY;
        gr_evaluated_cost(s, generation, i, d->fit);
    }
    record->improved = d->improved;
    record->best_ever_cost = d->best_cost;
    record->test_cost = d->test_cost;
    if (gr_run_islands(&s->p) == 1)
        d->active = gr_goes_on(&s->p, generation, d->best_cost, d->best_generation);
}

/* Writes the record of a deme (its test cost comes later) and keeps the best so far, unless other
 * cases judge it (validation.h). One lane. */
GR_FN void gr_finish_deme(const gr_state *s, uint32_t generation, uint32_t deme,
                          gr_statistics statistics) {
    gr_deme *d = &s->demes[deme];
    gr_record *record = &s->records[deme];
    uint32_t index = (uint32_t)statistics.best_key, i = deme * s->p.population + index;
    float cost = s->cost[i];
    record->written = d->active;
    d->improved = 0;
    if (!d->active)
        return;
    record->generation = generation;
    record->deme = deme;
    record->best_cost = cost;
    record->best_index = index;
    record->best = s->individuals[generation & 1][i];
    record->statistics = statistics;
    if (s->diversity)
        record->diversity = s->diversity[deme / s->p.islands * s->p.islands];
    if (s->standing)
        record->replaced_by = s->replaced_by[deme];
    if (generation == d->stretch_generation || cost < d->stretch_cost) {
        d->stretch_cost = cost;
        d->stretch_generation = generation;
    }
    if (!s->validating)
        gr_judge_deme(s, generation, deme, cost);
    d->elite_prefix = 0;
    d->elite_left = s->p.elites;
    d->elite_done = 0;
    d->listed = 0;
    if (s->p.elites == 1) /* found already */
        s->elites[deme] = index;
    if (s->leaders)
        s->leaders[deme] = index;
}

/* What other engines have to know of an island here. */
GR_FN gr_standing gr_standing_of(const gr_state *s, uint32_t deme) {
    const gr_deme *d = &s->demes[deme];
    gr_standing standing = {gr_judged(s, d), d->best_cost, d->best_generation, 0};
    return standing;
}
GR_FN void gr_note_standing(const gr_state *s, uint32_t deme) {
    const gr_params *p = &s->p;
    s->standings[(size_t)(deme / p->islands) * gr_run_islands(p) + p->first_island +
                 deme % p->islands] = gr_standing_of(s, deme);
}

/* How island k of a run stands, of those that are settled with here: all of the run where engines
 * have told each other, otherwise this engine's. */
GR_FN gr_standing gr_standing_at(const gr_state *s, uint32_t run, uint32_t k) {
    return s->standings ? s->standings[(size_t)run * gr_run_islands(&s->p) + k]
                        : gr_standing_of(s, run * s->p.islands + k);
}

/* What the islands of a run decide together once all of them are finished: which has the best of
 * the run so far, and whether it goes on. */
GR_FN uint32_t gr_settle_run(const gr_state *s, uint32_t generation, uint32_t run,
                             gr_lane_group w) {
    uint32_t islands = s->p.islands, all = s->standings ? gr_run_islands(&s->p) : islands;
    gr_deme *demes = s->demes + (size_t)run * islands;
    uint64_t least = ~0ull, first = ~0ull;
    if (!demes->active)
        return 0;
    for (uint32_t k = w.lane; k < all; k += w.width) {
        uint64_t key = gr_rank_key(gr_standing_at(s, run, k).judged, 0);
        least = key < least ? key : least;
    }
    least = gr_least_lane_long(w, least);
    for (uint32_t k = w.lane; k < all; k += w.width) { /* of equals the one found first */
        gr_standing standing = gr_standing_at(s, run, k);
        uint64_t found = (uint64_t)standing.best_generation << 32 | k;
        if (gr_rank_key(standing.judged, 0) == least)
            first = found < first ? found : first;
    }
    uint32_t leading = (uint32_t)gr_least_lane_long(w, first);
    gr_standing best = gr_standing_at(s, run, leading);
    uint32_t goes_on = gr_goes_on(&s->p, generation, best.best_cost, best.best_generation);
    for (uint32_t k = w.lane; k < islands; k += w.width)
        demes[k].active = goes_on;
    leading -= s->standings ? s->p.first_island : 0;
    if (w.lane == 0 && leading < islands)
        s->records[(size_t)run * islands + leading].written = GR_WRITTEN_LEADING;
    return goes_on;
}

/* Copies genotype and program of individual i to where its deme keeps the best so far. */
GR_FN void gr_copy_best(const gr_state *s, uint32_t buffer, uint32_t deme, uint32_t i,
                        gr_lane_group w) {
    gr_individual best = s->individuals[buffer][i];
    const uint32_t *from = gr_genotype_of(s, buffer, i);
    uint32_t *to = s->best_genomes + (size_t)deme * gr_genotype_words(&s->p);
    for (uint32_t k = w.lane; k < gr_words_of(&s->p, best); k += w.width)
        to[k] = from[k];
    for (uint32_t k = w.lane; s->fitted && k < s->p.thresholds; k += w.width)
        s->best_fitted[(size_t)deme * s->p.thresholds + k] =
            s->fitted[(size_t)i * s->p.thresholds + k];
    for (uint32_t k = w.lane; gr_fits_beside(&s->p) && k < GR_FIT_CONSTANTS; k += w.width)
        s->best_constants[(size_t)deme * GR_FIT_CONSTANTS + k] =
            s->constants[buffer][(size_t)i * GR_FIT_CONSTANTS + k];
    const gr_instruction *program = gr_program(s, i);
    for (uint32_t k = w.lane; k < best.instructions; k += w.width)
        s->best_programs[(size_t)deme * s->p.max_nodes + k] = program[k];
}

/* The same of a new best so far. */
GR_FN void gr_keep_best(const gr_state *s, uint32_t generation, uint32_t deme, gr_lane_group w) {
    if (s->records[deme].written && s->demes[deme].improved)
        gr_copy_best(s, generation & 1, deme, deme * s->p.population + s->records[deme].best_index,
                     w);
}

/* ---- elites ---- */

/* Elites are the individuals with the lowest rank keys, best first. In a small deme each counts the
 * keys below its own. In a large one a radix search finds their border first, eight bits a pass
 * from the top: a pass counts, by next digit, the keys that agree with the border so far; the digit
 * in which the count reaches the elites still missing extends it. */
enum { GR_SMALL_DEME = 4096 };

GR_FN uint64_t gr_cost_key(const gr_state *s, uint32_t deme, uint32_t index) {
    return gr_rank_key(s->cost[deme * s->p.population + index], index);
}

GR_FN uint32_t gr_elite_digit(const gr_deme *d, uint64_t key, uint32_t pass) {
    uint32_t shift = 56 - 8 * pass;
    uint32_t agrees = pass == 0 || key >> (shift + 8) == d->elite_prefix >> (shift + 8);
    return agrees ? (uint32_t)(key >> shift) & 0xffu : 256u;
}

/* Ends a pass over the deme's histogram of 256 counts and clears it. */
GR_FN void gr_elite_narrow(gr_deme *d, uint32_t *histogram, uint32_t pass, gr_lane_group w) {
    uint32_t share = 256 / w.width, first = w.lane * share, sum = 0, left = d->elite_left;
    for (uint32_t k = 0; k < share; k++)
        sum += histogram[first + k];
    uint32_t before = gr_sum_before(w, sum), digit = first;
    gr_sync(w);
    if (before < left && before + sum >= left) { /* the one lane whose share holds the border */
        while (before + histogram[digit] < left)
            before += histogram[digit++];
        d->elite_left = left - before;
        d->elite_prefix |= (uint64_t)digit << (56 - 8 * pass);
        if (histogram[digit] == left - before) { /* the whole digit belongs to them */
            d->elite_prefix |= ((uint64_t)1 << (56 - 8 * pass)) - 1;
            d->elite_done = 1;
        }
    }
    gr_sync(w);
    for (uint32_t k = 0; k < share; k++)
        histogram[first + k] = 0;
}

GR_FN uint32_t gr_is_elite(const gr_state *s, uint32_t deme, uint32_t index) {
    return gr_cost_key(s, deme, index) <= s->demes[deme].elite_prefix;
}

/* Ranks `index` among all of a small deme and enters it if it is an elite; the lanes share the
 * counting. */
GR_FN void gr_rank_elite(const gr_state *s, uint32_t deme, uint32_t index, gr_lane_group w) {
    uint64_t key = gr_cost_key(s, deme, index);
    uint32_t rank = 0;
    for (uint32_t k = w.lane; k < s->p.population; k += w.width)
        rank += gr_cost_key(s, deme, k) < key;
    rank = gr_sum_lanes(w, rank);
    if (w.lane == 0 && rank < s->p.elites)
        s->elites[(size_t)deme * s->p.elites + rank] = index;
}

/* The listed elites of a large deme are sorted by rank inside tiles, whose sorted stretches are
 * then merged in pairs, pass by pass. */
enum { GR_ELITE_BITS = 10, GR_ELITE_TILE = 1 << GR_ELITE_BITS };
GR_BOTH uint32_t gr_elite_passes(const gr_params *p) {
    uint32_t passes = 0;
    while (p->elites > (uint64_t)GR_ELITE_TILE << passes)
        passes++;
    return passes;
}

/* Key number `at` of the deme's, sorted so far, after `passes` merges. */
GR_FN void gr_enter_elite(const gr_state *s, uint32_t deme, uint32_t passes, uint32_t at,
                          uint64_t key) {
    size_t first = (size_t)deme * s->p.elites;
    if (passes == gr_elite_passes(&s->p))
        s->elites[first + at] = (uint32_t)key;
    else
        s->elite_keys[(passes + 1) & 1][first + at] = key;
}

/* Listed elite k goes to its place in its tile; the lanes share the counting. */
GR_FN void gr_sort_elite(const gr_state *s, uint32_t deme, uint32_t k, gr_lane_group w) {
    const uint64_t *keys = s->elite_keys[0] + (size_t)deme * s->p.elites;
    uint32_t first = k / GR_ELITE_TILE * GR_ELITE_TILE, rank = 0;
    uint32_t end = gr_min_u32(first + GR_ELITE_TILE, s->p.elites);
    for (uint32_t other = first + w.lane; other < end; other += w.width)
        rank += keys[other] < keys[k];
    rank = gr_sum_lanes(w, rank);
    if (w.lane == 0)
        gr_enter_elite(s, deme, 0, first + rank, keys[k]);
}

GR_FN void gr_merge_elite(const gr_state *s, uint32_t deme, uint32_t pass, uint32_t k) {
    const uint64_t *keys = s->elite_keys[(pass + 1) & 1] + (size_t)deme * s->p.elites;
    uint32_t to = gr_merged_position(keys, s->p.elites, GR_ELITE_BITS + pass, k);
    gr_enter_elite(s, deme, pass + 1, to, keys[k]);
}

/* ---- parents ---- */

/* Two tournaments with replacement inside the deme, by the first draws of the stream; the winners'
 * indices. Ties go to the lower one. The lanes share the draws, four to a block. cost: that of the
 * state, or wherever it stands nearer. */
GR_FN void gr_tournaments(const gr_state *s, const float *cost, uint32_t deme, const gr_random *r,
                          gr_lane_group w, uint32_t *a, uint32_t *b) {
    uint32_t size = s->p.tournament;
    uint64_t best_a = ~0ull, best_b = ~0ull;
    GR_TURNS_AT_ONCE(2)
    for (uint32_t block = w.lane; 4 * block < 2 * size; block += w.width) {
        gr_block draws = gr_draw_block(r, block);
        for (uint32_t k = 0; k < 4; k++) { /* four independent reads */
            uint32_t index = gr_scale(draws.word[k], s->p.population), draw = 4 * block + k;
            uint64_t key = gr_rank_key(cost[deme * s->p.population + index], index);
            best_a = draw < size && key < best_a ? key : best_a;
            best_b = draw >= size && draw < 2 * size && key < best_b ? key : best_b;
        }
    }
    *a = (uint32_t)gr_least_lane_long(w, best_a);
    *b = (uint32_t)gr_least_lane_long(w, best_b);
}

/* The pair that individual i, counted over all demes, comes from, counted over all demes. */
GR_FN uint32_t gr_parent_pair_of(const gr_params *p, uint32_t i) {
    uint32_t deme = i / p->population, index = i % p->population;
    uint32_t number = index < p->elites ? index : p->elites + (index - p->elites) / gr_siblings(p);
    return deme * gr_parent_pairs(p) + number;
}

/* Whether a deme has another population, drawn anew, from the next generation on (restart.h). */
GR_FN uint32_t gr_begins_anew(const gr_state *s, uint32_t generation, uint32_t deme) {
    return GR_UNLESS_PLAIN(s->p.restart_after &&
                           s->demes[deme].stretch_generation == generation + 1);
}

/* The children of a pair: individuals of all demes in a row, none where their deme has stopped. */
typedef struct gr_brood {
    gr_plans plans;
    uint32_t first, count;
} gr_brood;

/* Those of pair k, counted over all demes, in generation + 1. cost: as in gr_tournaments. */
GR_FN gr_brood gr_plan_brood(const gr_state *s, const float *cost, uint32_t generation, uint32_t k,
                             gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, deme = k / gr_parent_pairs(p),
             number = k % gr_parent_pairs(p);
    uint32_t base = deme * p->population, a, b;
    gr_brood brood = {.first = base + number, .count = 1};
    if (!s->demes[deme].active) {
        brood.count = 0;
    } else if (gr_begins_anew(s, generation, deme)) { /* with the individuals that were drawn */
        uint32_t index =
            number < p->elites ? number : p->elites + (number - p->elites) * gr_siblings(p);
        brood.first = base + index;
        brood.count = number < p->elites ? 1 : gr_min_u32(gr_siblings(p), p->population - index);
        const gr_individual *drawn = &s->individuals[buffer][base + index];
        brood.plans.of[0] = gr_copy_plan(base + index, drawn[0].length, 1);
        if (brood.count > 1)
            brood.plans.of[1] = gr_copy_plan(base + index + 1, drawn[1].length, 1);
    } else if (number < p->elites) {
        uint32_t elite = base + s->elites[(size_t)deme * p->elites + number];
        brood.plans.of[0] = gr_copy_plan(elite, s->individuals[buffer][elite].length, 1);
    } else if (GR_UNLESS_PLAIN(p->torus)) {
        brood.plans.of[0] = gr_torus_plan(s, generation, deme, number, w);
    } else {
        uint32_t pair = number - p->elites, index = p->elites + pair * gr_siblings(p);
        gr_random r = gr_stream(p, GR_PURPOSE_SELECT, generation + 1, deme, pair);
        if (gr_has_parent_selection(s)) {
            a = gr_select_parent(s, generation, deme, r, GR_PURPOSE_SELECT);
            b = gr_select_parent(s, generation, deme, r, GR_PURPOSE_SELECT_SECOND);
        } else
            gr_tournaments(s, cost, deme, &r, w, &a, &b);
        brood.plans = gr_crossover_plans(s, generation + 1, deme, pair,
                                         gr_parents_at(s, buffer, base + a, base + b), w);
        brood.first = base + index;
        brood.count = gr_min_u32(gr_siblings(p), p->population - index);
    }
    return brood;
}

/* Writes the plans of those children of pair k that stand among individuals [first, last) of
 * generation + 1. */
GR_FN void gr_plan_parent_pair(const gr_state *s, uint32_t generation, uint32_t k, uint32_t first,
                               uint32_t last, gr_lane_group w) {
    gr_brood brood = gr_plan_brood(s, s->cost, generation, k, w);
    if (w.lane)
        return;
    if (brood.count && brood.first >= first && brood.first < last)
        s->plans[brood.first] = brood.plans.of[0];
    if (brood.count > 1 && brood.first + 1 >= first && brood.first + 1 < last)
        s->plans[brood.first + 1] = brood.plans.of[1]; /* no loop: plans stay in registers */
}

/* Writes the plan of individual i of generation + 1, whose deme goes on, and tells it to all lanes.
 */
GR_FN gr_plan gr_plan_child(const gr_state *s, const float *cost, uint32_t generation, uint32_t i,
                            gr_lane_group w) {
    gr_brood brood = gr_plan_brood(s, cost, generation, gr_parent_pair_of(&s->p, i), w);
    gr_plan plan = i == brood.first ? brood.plans.of[0] : brood.plans.of[1];
    if (w.lane == 0)
        s->plans[i] = plan;
    return plan;
}

/* Writes the plans of individuals [first, last) of generation + 1; last > first. Few pairs: the
 * lanes of the group draw each together. Pairs are drawn alike by all who need them, so nobody
 * waits for whoever breeds a sibling. */
enum { GR_FEW_PAIRS = 3 };
GR_FN void gr_plan_children(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                            gr_lane_group w) {
    const gr_lane_group alone = {0, 1};
    uint32_t k = gr_parent_pair_of(&s->p, first), end = gr_parent_pair_of(&s->p, last - 1) + 1;
    uint32_t few = end - k <= GR_FEW_PAIRS;
    for (k += few ? 0 : w.lane; k < end; k += few ? 1 : w.width)
        gr_plan_parent_pair(s, generation, k, first, last, few ? w : alone);
    gr_sync(w);
}

/* ---- the loop ---- */

/* Whether any of the demes first, first + step, ... is active. */
GR_FN uint32_t gr_share_active(const gr_state *s, uint32_t first, uint32_t step) {
    uint32_t active = 0, demes = gr_demes(&s->p);
    for (uint32_t d = first; d < demes; d += step)
        active |= s->demes[d].active;
    return active;
}

/* Whether the run goes on after this generation; one thread, after all demes are finished. Demes
 * stay active at the last generation: with more of them they would go on. */
GR_FN void gr_decide(const gr_state *s, uint32_t active, uint32_t stop_requested) {
    s->loop->stop |= stop_requested;
    s->loop->finished = !active || s->loop->stop || s->loop->next > s->p.generations;
}

/* Completes the record of a deme with the test cost of its best so far, once that is evaluated. One
 * lane. */
GR_FN void gr_finish_test(const gr_state *s, uint32_t deme) {
    gr_deme *d = &s->demes[deme];
    if (!s->records[deme].written || !s->p.test_chunks)
        return;
    if (d->improved && d->best.instructions) {
        double sum[GR_MAX_SUMS];
        gr_total(&s->p, 1, s->test_targets, s->best_sums, gr_demes(&s->p), deme, sum);
        d->test_cost = gr_cost(&s->p, sum, 1, d->fit);
    }
    s->records[deme].test_cost = d->test_cost;
}

#endif
