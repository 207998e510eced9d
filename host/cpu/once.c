#include "host/cpu/once.h"

#include "gpu/core/selection/once.h"
#include "host/cpu/copies.h"

/* What the loops are about. */
typedef struct turn {
    const gr_state *s;
    uint32_t generation;
} turn;

static const gr_lane_group alone = {0, 1};

static void find_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const turn *t = context;
    uint64_t instructions = 0, looked = 0;
    (void)thread;
    for (uint64_t i = first; i < last; i++) {
        uint32_t length = gr_once_find(t->s, t->generation, (uint32_t)i, alone);
        instructions += length;
        looked += length > 0;
    }
    gr_add_long(&t->s->course->instructions, instructions);
    gr_add_long(&t->s->course->looked, looked);
}

static void settle_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const turn *t = context;
    const gr_state *s = t->s;
    uint64_t spared = 0;
    uint32_t instructions;
    (void)thread;
    for (uint64_t i = first; i < last; i++) {
        gr_add_spared(&s->spared[i / s->p.population],
                      gr_once_settle(s, t->generation, (uint32_t)i, &instructions, alone));
        spared += instructions;
    }
    gr_add_long(&s->course->spared, spared);
}

static void hand_some_over(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const turn *t = context;
    (void)thread;
    for (uint64_t i = first; i < last; i++)
        gr_once_hand_over(t->s, t->generation, (uint32_t)i, alone);
}

/* The state whose individuals are those that have to be evaluated. */
static gr_state evaluated_of(const gr_state *s) {
    gr_state evaluated = *s;
    evaluated.individuals[0] = evaluated.individuals[1] = (gr_individual *)(void *)s->once;
    return evaluated;
}

gr_state gr_cpu_once_begin(const gr_state *s, uint32_t generation, gr_team *team) {
    turn t = {s, generation};
    gr_team_loop(team, s->p.individuals, 64, find_some, &t);
    gr_team_loop(team, s->p.individuals, 64, settle_some, &t);
    return evaluated_of(s);
}

void gr_cpu_once_end(const gr_state *s, uint32_t generation, gr_team *team) {
    turn t = {s, generation};
    gr_team_loop(team, s->p.individuals, 64, hand_some_over, &t);
    gr_once_decide(s, generation);
}

int gr_cpu_once_is_of_elites(const gr_state *s) {
    return s->once && s->p.once == GR_ONCE_AUTO && /* ON, where there is a memory */
           gr_cpu_most_elites(&s->p);
}

double gr_cpu_kept_errors(const gr_params *p) {
    double share = p->migrants ? 1.0 - 1.0 / p->migration_every : 1.0;
    if (p->sampling && p->sampling != GR_SAMPLING_FIXED)
        share *= 1.0 - 1.0 / p->sample_every;
    return p->once && !gr_fits_copies(p) ? share * gr_cpu_most_elites(p) : 0.0;
}

void gr_cpu_once_for_elites(const gr_state *s) {
    s->course->from = UINT32_MAX;
}

gr_state gr_cpu_once_begin_deme(const gr_state *s, uint32_t generation, uint32_t deme) {
    turn t = {s, generation};
    uint64_t first = (uint64_t)deme * s->p.population, last = first + s->p.population;
    find_some(&t, first, last, 0);
    settle_some(&t, first, last, 0);
    return evaluated_of(s);
}

void gr_cpu_once_end_deme(const gr_state *s, uint32_t generation, uint32_t deme) {
    turn t = {s, generation};
    uint64_t first = (uint64_t)deme * s->p.population;
    hand_some_over(&t, first, first + s->p.population, 0);
}
