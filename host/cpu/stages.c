#include "host/cpu/stages.h"

#include "gpu/core/breeding/known.h"
#include "gpu/core/fitness/class_bins.h"
#include "gpu/core/genotype/unique.h"
#include "gpu/core/lexicase/lexicase.h"
#include "gpu/core/selection/diversity.h"
#include "gpu/core/selection/migration.h"
#include "gpu/core/selection/niches.h"
#include "gpu/core/selection/restart.h"

#include <stdlib.h>

static gr_moments butterfly(gr_moments lane[GR_LANES]) {
    for (uint32_t x = GR_LANES / 2; x; x /= 2)
        for (uint32_t l = 0; l < x; l++)
            lane[l] = gr_moments_merge(lane[l], lane[l + x]);
    return lane[0];
}

/* What the loops are about. */
typedef struct stage {
    const gr_state *s;
    uint32_t generation, pass;
    _Atomic uint32_t positives;
    const atomic_int *stop; /* NULL: it is not given up */
} stage;

static int is_given_up(const stage *w) {
    return w->stop && *w->stop;
}

static void add_segments(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    uint32_t segments = gr_segments(&w->s->p);
    (void)thread;
    for (uint64_t k = first; k < last; k++) {
        gr_moments lane[GR_LANES];
        for (uint32_t l = 0; l < GR_LANES; l++)
            lane[l] = gr_moments_segment(w->s, w->generation, (uint32_t)(k / segments),
                                         (uint32_t)(k % segments), l);
        w->s->moments[k] = butterfly(lane);
    }
}

static void find_pressures(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    (void)thread;
    for (uint32_t deme = (uint32_t)first; deme < last; deme++) {
        gr_moments lane[GR_LANES];
        for (uint32_t l = 0; l < GR_LANES; l++)
            lane[l] = gr_moments_deme(w->s, deme, l);
        w->s->pressures[deme] = gr_pressure_of(&w->s->p, butterfly(lane));
    }
}

static void weigh_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_weigh_selection_cost(w->s, w->generation, i);
}

static void merge_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_merge_key(w->s, w->pass, i);
}

void gr_cpu_order(const gr_state *s, uint32_t generation, gr_team *team) {
    const gr_params *p = &s->p;
    uint32_t demes = gr_demes(p), passes = gr_order_passes(p);
    stage work = {.s = s, .generation = generation};
    gr_team_loop(team, (uint64_t)demes * gr_segments(p), 4, add_segments, &work);
    gr_team_loop(team, demes, 4, find_pressures, &work);
    gr_team_loop(team, p->individuals, 256, weigh_some, &work);
    for (; p->ordered && work.pass < passes; work.pass++)
        gr_team_loop(team, p->individuals, 256, merge_some, &work);
}

/* ---- islands ---- */

static void key_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_migration_key(w->s, i);
}

static void emigrate_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    uint32_t migrants = w->s->p.migrants;
    (void)thread;
    for (uint64_t k = first; k < last; k++)
        gr_emigrate(w->s, w->generation, (uint32_t)(k / migrants), (uint32_t)(k % migrants),
                    (gr_lane_group){0, 1});
}

static void immigrate_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    uint32_t migrants = w->s->p.migrants;
    (void)thread;
    for (uint64_t k = first; k < last; k++)
        gr_immigrate(w->s, w->generation, (uint32_t)(k / migrants), (uint32_t)(k % migrants),
                     (gr_lane_group){0, 1});
}

static void lead_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    (void)thread;
    for (uint32_t deme = (uint32_t)first; deme < last; deme++)
        gr_lead_again(w->s, w->generation, deme, (gr_lane_group){0, 1});
}

static void send_some_back(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    (void)thread;
    for (uint64_t at = first; at < last; at++)
        gr_send_back(w->s, w->generation, at, (gr_lane_group){0, 1});
}

void gr_cpu_emigrate(const gr_state *s, uint32_t generation, gr_team *team) {
    const gr_params *p = &s->p;
    stage work = {.s = s, .generation = generation};
    gr_team_loop(team, p->individuals, 256, key_some, &work);
    for (; work.pass < gr_order_passes(p); work.pass++)
        gr_team_loop(team, p->individuals, 256, merge_some, &work);
    gr_team_loop(team, (uint64_t)gr_demes(p) * p->migrants, 16, emigrate_some, &work);
}

void gr_cpu_immigrate(const gr_state *s, uint32_t generation, gr_team *team) {
    const gr_params *p = &s->p;
    stage work = {.s = s, .generation = generation};
    gr_team_loop(team, (uint64_t)gr_demes(p) * p->migrants, 16, immigrate_some, &work);
    gr_team_loop(team, gr_demes(p), 16, lead_some, &work);
}

void gr_cpu_send_back(const gr_state *s, uint32_t generation, gr_team *team) {
    stage work = {.s = s, .generation = generation};
    gr_team_loop(team, (uint64_t)s->p.runs * gr_run_islands(&s->p) * s->p.migrants, 16,
                 send_some_back, &work);
}

/* ---- parents by cases ---- */

typedef struct looking {
    const gr_state *s;
    uint32_t generation;
    const gr_cpu_interpreter *interpreter;
    gr_cpu_registers *registers;
    float *outputs; /* [threads][training_units]; NULL: no memory for them */
    const atomic_int *stop;
} looking;

static int is_over(const looking *l) {
    return l->stop && *l->stop;
}

/* A loop over what the one before it has found, none where that was given up. */
static void look_at_all(gr_team *team, uint64_t count, uint32_t grain, gr_loop_body *body,
                        looking *l) {
    if (!is_over(l))
        gr_team_loop(team, count, grain, body, l);
}

static uint32_t training_units(const gr_params *p) {
    return p->packed ? (p->train_cases + 31) / 32 : p->train_cases;
}

static void write_errors_of(const looking *l, uint32_t i, uint32_t thread) {
    const gr_state *s = l->s;
    uint32_t units = training_units(&s->p);
    uint32_t length = s->individuals[l->generation & 1][i].instructions;
    float *outputs = l->outputs ? l->outputs + (size_t)thread * units : NULL;
    if (!s->demes[i / s->p.population].active)
        return;
    for (uint32_t unit = 0; outputs && length && unit < units; unit += GR_CHUNK)
        l->interpreter->predict(
            gr_program(s, i), length, s->train + unit / GR_CHUNK * gr_tile_of(&s->p),
            gr_min_u32(units - unit, GR_CHUNK), &l->registers[thread], outputs + unit);
    gr_write_errors(s, l->generation, i, outputs, gr_draws_cases(&s->p), (gr_lane_group){0, 1});
}

static void draw_some_cases(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const looking *l = context;
    (void)thread;
    for (uint64_t k = first; k < last && !is_over(l); k++)
        gr_draw_case(l->s, l->generation, k);
}

static void write_some_errors(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const looking *l = context;
    for (uint64_t i = first; i < last && !is_over(l); i++)
        write_errors_of(l, (uint32_t)i, thread);
}

static void turn_some_errors(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const looking *l = context;
    uint32_t pieces = gr_error_pieces(&l->s->p);
    (void)thread;
    for (uint64_t k = first; k < last && !is_over(l); k++)
        gr_turn_errors(l->s, (uint32_t)(k / pieces) * GR_TURNED, (uint32_t)(k % pieces),
                       (gr_lane_group){0, 1});
}

static void find_some_keys(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const looking *l = context;
    (void)thread;
    for (uint64_t i = first; i < last && !is_over(l); i++) {
        l->s->case_keys[1][i] = gr_case_key(l->s, l->generation, (uint32_t)i);
        l->s->case_order[1][i] = (uint32_t)i;
    }
}

/* Individuals by their keys, those of one by their indices: eight passes, by a byte each, from one
 * pair of arrays to the other. */
static void sort_keys(const gr_state *s) {
    for (uint32_t pass = 0; pass < 8; pass++) {
        uint32_t from = 1 - pass % 2, place[257] = {0};
        const uint64_t *key = s->case_keys[from];
        for (uint32_t k = 0; k < s->p.individuals; k++)
            place[(key[k] >> 8 * pass & 0xff) + 1]++;
        for (uint32_t digit = 1; digit < 256; digit++)
            place[digit] += place[digit - 1];
        for (uint32_t k = 0; k < s->p.individuals; k++) {
            uint32_t to = place[key[k] >> 8 * pass & 0xff]++;
            s->case_keys[1 - from][to] = key[k];
            s->case_order[1 - from][to] = s->case_order[from][k];
        }
    }
}

static void find_some_same(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const looking *l = context;
    (void)thread;
    for (uint64_t place = first; place < last && !is_over(l); place++)
        gr_find_same(l->s, (uint32_t)place);
}

static void find_some_different(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const looking *l = context;
    uint32_t words = gr_pool_words(&l->s->p);
    (void)thread;
    for (uint64_t word = first; word < last && !is_over(l); word++)
        gr_find_different(l->s, l->generation, (uint32_t)(word / words), (uint32_t)(word % words),
                          (gr_lane_group){0, 1});
}

/* With all that it calls in one function: what is the same for all candidates, as whether they are
 * a list, is then asked once and not for each. */
__attribute__((flatten)) static void find_some_pools(void *context, uint64_t first, uint64_t last,
                                                     uint32_t thread) {
    const looking *l = context;
    uint32_t demes = gr_demes(&l->s->p), words[GR_CREW_WORDS];
    (void)thread;
    for (uint64_t k = first; k < last && !is_over(l); k++)
        if (l->s->demes[k % demes].active)
            gr_find_first_pool(l->s, (uint32_t)(k % demes), (uint32_t)(k / demes), words,
                               gr_alone((gr_lane_group){0, 1}));
}

static void find_some_failed(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const looking *l = context;
    uint32_t words = gr_pool_words(&l->s->p), row_words = gr_failed_words(&l->s->p);
    (void)thread;
    for (uint64_t k = first; k < last && !is_over(l); k++) {
        uint32_t word = (uint32_t)(k / row_words), deme = word / words;
        if (l->s->demes[deme].active)
            gr_find_failed(l->s, deme, word % words, (uint32_t)(k % row_words),
                           (gr_lane_group){0, 1});
    }
}

static void list_some_pools(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const looking *l = context;
    uint32_t demes = gr_demes(&l->s->p), counts[GR_DIGITS];
    (void)thread;
    for (uint64_t k = first; k < last && !is_over(l); k++)
        if (l->s->demes[k % demes].active)
            gr_list_first_pool(l->s, (uint32_t)(k % demes), (uint32_t)(k / demes), counts,
                               gr_alone((gr_lane_group){0, 1}));
}

__attribute__((flatten)) static void find_some_parents(void *context, uint64_t first, uint64_t last,
                                                       uint32_t thread) {
    const looking *l = context;
    uint32_t parents = gr_lexicase_parents(&l->s->p);
    uint32_t *way = l->s->ways + (size_t)thread * gr_way_words(&l->s->p), counts[GR_DIGITS];
    for (uint64_t k = first; k < last && !is_over(l); k++)
        if (l->s->demes[k / parents].active)
            gr_find_parent(l->s, l->generation, (uint32_t)(k / parents), (uint32_t)(k % parents),
                           way, counts, (gr_lane_group){0, 1});
}

void gr_cpu_write_errors(const gr_state *s, uint32_t generation,
                         const gr_cpu_interpreter *interpreter, gr_cpu_registers *registers,
                         gr_team *team, const atomic_int *stop) {
    const gr_params *p = &s->p;
    size_t threads = gr_team_size(team);
    looking l = {s,
                 generation,
                 interpreter,
                 registers,
                 malloc(threads * training_units(p) * sizeof(float)),
                 stop};
    uint64_t turns = (p->individuals + GR_TURNED - 1) / GR_TURNED * (uint64_t)gr_error_pieces(p);
    look_at_all(team, gr_drawn_cases(p), 256, draw_some_cases, &l);
    look_at_all(team, p->individuals, 16, write_some_errors, &l);
    look_at_all(team, turns, 64, turn_some_errors, &l);
    free(l.outputs);
}

void gr_cpu_find_parents(const gr_state *s, uint32_t generation, gr_team *team,
                         const atomic_int *stop) {
    const gr_params *p = &s->p;
    looking l = {.s = s, .generation = generation, .stop = stop};
    look_at_all(team, p->individuals, 256, find_some_keys, &l);
    if (!is_over(&l))
        sort_keys(s);
    look_at_all(team, p->individuals, 256, find_some_same, &l);
    look_at_all(team, (uint64_t)gr_demes(p) * gr_pool_words(p), 64, find_some_different, &l);
    look_at_all(team, (uint64_t)gr_demes(p) * p->lexicase_rows, 1, find_some_pools, &l);
    look_at_all(team, (uint64_t)gr_demes(p) * gr_pool_words(p) * gr_failed_words(p), 16,
                find_some_failed, &l);
    look_at_all(team, (uint64_t)gr_demes(p) * p->lexicase_rows, 1, list_some_pools, &l);
    look_at_all(team, (uint64_t)gr_demes(p) * gr_lexicase_parents(p), 8, find_some_parents, &l);
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Radix search for the border, then a sort of the few below it; it leaves no trace in the
 * deme: a run that is given up behind it is as one that ended before. */
static void elites_of(const gr_state *s, uint32_t deme) {
    gr_deme *d = &s->demes[deme];
    const gr_deme before = *d;
    uint32_t *histogram = s->histogram + (size_t)deme * 256, found = 0;
    if (!d->active)
        return;
    uint64_t *keys = s->elite_keys[0] + (size_t)deme * s->p.elites;
    for (uint32_t pass = 0; pass < 8 && !d->elite_done; pass++) {
        for (uint32_t index = 0; index < s->p.population; index++) {
            uint32_t digit = gr_elite_digit(d, gr_cost_key(s, deme, index), pass);
            if (digit < 256)
                histogram[digit]++;
        }
        gr_elite_narrow(d, histogram, pass, (gr_lane_group){0, 1});
    }
    for (uint32_t index = 0; index < s->p.population; index++)
        if (gr_is_elite(s, deme, index))
            keys[found++] = gr_cost_key(s, deme, index);
    *d = before;
    qsort(keys, found, sizeof *keys, compare_keys);
    for (uint32_t k = 0; k < found; k++)
        s->elites[(size_t)deme * s->p.elites + k] = (uint32_t)keys[k];
}

void gr_cpu_elites_of(const gr_state *s, uint32_t deme) {
    if (s->p.elites > 1)
        elites_of(s, deme);
}

static void find_elites(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_state *s = context;
    (void)thread;
    for (uint32_t deme = (uint32_t)first; deme < last; deme++)
        elites_of(s, deme);
}

void gr_cpu_elites(const gr_state *s, gr_team *team) {
    if (s->p.elites > 1)
        gr_team_loop(team, gr_demes(&s->p), 4, find_elites, (void *)(uintptr_t)s);
}

static void type_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_type_individual(w->s, w->generation, i);
}

void gr_cpu_type_trees(const gr_state *s, uint32_t generation, gr_team *team) {
    stage work = {.s = s, .generation = generation};
    gr_team_loop(team, s->p.individuals + gr_archived(&s->p), 64, type_some, &work);
}

static void draw_some_anew(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_draw_anew(w->s, w->generation, i, gr_group_scratch(w->s, thread, 1),
                     gr_depth_first_scratch(w->s, thread));
}

int gr_cpu_restart(const gr_state *s, uint32_t generation, gr_team *team) {
    stage work = {.s = s, .generation = generation};
    uint32_t before = 0, behind = 0;
    gr_team_loop(team, s->p.individuals, 64, draw_some_anew, &work);
    for (uint32_t deme = 0; deme < gr_demes(&s->p); deme++) {
        before += s->demes[deme].restarts;
        gr_begin_anew(s, generation, deme);
        behind += s->demes[deme].restarts;
    }
    return before != behind;
}

static void take_cases(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    stage *w = context;
    uint32_t positives = 0;
    (void)thread;
    for (uint32_t k = (uint32_t)first; k < last; k++)
        positives += gr_take_case(w->s, w->generation, k);
    w->positives += positives;
}

void gr_cpu_sample(const gr_state *s, uint32_t generation, gr_team *team) {
    stage work = {.s = s, .generation = generation};
    if (!gr_sample_is_new(&s->p, generation))
        return;
    gr_team_loop(team, (uint64_t)s->p.train_chunks * GR_CHUNK, 64, take_cases, &work);
    s->sample_positives[gr_positives_counter(&s->p, generation)] = work.positives;
}

static void fit_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_fit_individual(w->s, w->generation, i);
}

void gr_cpu_fit(const gr_state *s, uint32_t generation, gr_team *team) {
    stage work = {.s = s, .generation = generation};
    gr_team_loop(team, s->p.individuals, 16, fit_some, &work);
}

void gr_cpu_unique(const gr_state *s, const atomic_int *stop) {
    const gr_params *p = &s->p;
    gr_scratch scratch = gr_group_scratch(s, 0, 1);
    memset(s->claims, 0xff, (size_t)gr_demes(p) * gr_claim_entries(p) * sizeof *s->claims);
    for (uint32_t round = 0; round < gr_claim_rounds(p); round++)
        for (uint32_t settles = 0; settles < 2; settles++)
            for (uint32_t i = 0; i < p->individuals && !(stop && *stop); i++)
                gr_claim_or_settle(s, i, round, settles, scratch, gr_depth_first_scratch(s, 0));
}

/* ---- duplicates ---- */

static void clear_some_known(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    uint32_t entries = gr_known_entries(&w->s->p);
    (void)thread;
    for (uint64_t k = first; k < last; k++)
        if (gr_forgets_known(w->s, (uint32_t)(k / entries)))
            gr_clear_known(w->s, (uint32_t)(k / entries), (uint32_t)(k % entries));
}

static void enter_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    gr_scratch scratch = gr_group_scratch(w->s, thread, 1);
    for (uint32_t i = (uint32_t)first; i < last && !is_given_up(w); i++)
        gr_enter_phenotype(w->s, w->generation, w->pass, i, scratch,
                           gr_depth_first_scratch(w->s, thread));
}

static void settle_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    gr_scratch scratch = gr_group_scratch(w->s, thread, 1);
    for (uint32_t i = (uint32_t)first; i < last && !is_given_up(w); i++)
        gr_settle_phenotype(w->s, w->generation, w->pass, i, scratch,
                            gr_depth_first_scratch(w->s, thread));
}

void gr_cpu_mutate_duplicates(const gr_state *s, uint32_t generation, gr_team *team,
                              const atomic_int *stop) {
    stage work = {.s = s, .generation = generation, .stop = stop};
    uint32_t demes = gr_demes(&s->p), forgets = 0;
    for (uint32_t deme = 0; deme < demes; deme++)
        forgets |= gr_forgets_known(s, deme);
    if (forgets)
        gr_team_loop(team, (uint64_t)demes * gr_known_entries(&s->p), 4096, clear_some_known,
                     &work);
    for (uint32_t deme = 0; deme < demes; deme++)
        gr_begin_known(s, deme);
    for (uint32_t left = 1; left && !is_given_up(&work); work.pass++) {
        *gr_known_open(s, work.pass) = 0;
        gr_team_loop(team, s->p.individuals, 32, enter_some, &work);
        gr_team_loop(team, s->p.individuals, 32, settle_some, &work);
        left = *gr_known_open(s, work.pass);
    }
}

/* ---- diversity ---- */

static void count_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    const gr_state *s = w->s;
    gr_scratch scratch = gr_group_scratch(s, thread, 1);
    uint32_t *codon_scratch = gr_depth_first_scratch(s, thread);
    for (uint32_t i = (uint32_t)first; i < last; i++)
        gr_add_diversity(gr_diversity_of(s, i / (s->p.islands * s->p.population)),
                         gr_count_individual(s, w->generation, i, scratch, codon_scratch));
}

static void sweep_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    uint32_t entries = gr_diversity_entries(&w->s->p);
    (void)thread;
    for (uint64_t k = first; k < last; k++)
        gr_add_long(&gr_diversity_of(w->s, (uint32_t)(k / entries))->repeated,
                    gr_clear_entry(w->s, k));
}

void gr_cpu_count_diversity(const gr_state *s, uint32_t generation, gr_team *team) {
    stage work = {.s = s, .generation = generation};
    for (uint32_t run = 0; run < s->p.runs; run++)
        gr_begin_diversity(gr_diversity_of(s, run));
    gr_team_loop(team, s->p.individuals, 64, count_some, &work);
    gr_team_loop(team, (uint64_t)s->p.runs * gr_diversity_entries(&s->p), 1024, sweep_some, &work);
}

/* Individuals without a genotype belong to runs that had ended. */
static void express_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const stage *w = context;
    const gr_state *s = w->s;
    const gr_lane_group alone = {0, 1};
    gr_individual *individuals = s->individuals[w->generation & 1];
    gr_scratch scratch = gr_group_scratch(s, thread, 1);
    for (uint32_t i = (uint32_t)first; i < last; i++) {
        const gr_individual kept = individuals[i];
        if (kept.length && s->p.genotype == GR_TREE)
            gr_compile(gr_tree(s, w->generation & 1, i), kept.length, scratch.locations,
                       gr_program(s, i), alone);
        else if (kept.length)
            gr_express_genomes(s, (gr_batch){w->generation, 0, i, i + 1}, gr_breeding_of(&s->p),
                               scratch, gr_depth_first_scratch(s, thread), alone);
        individuals[i] = kept;
    }
}

void gr_cpu_express(const gr_state *s, uint32_t generation, uint32_t count, gr_team *team) {
    stage work = {.s = s, .generation = generation};
    gr_team_loop(team, count, 16, express_some, &work);
}
