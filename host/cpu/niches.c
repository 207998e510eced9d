#include "host/cpu/niches.h"

#include "gpu/core/selection/niches.h"

/* What the loops are about. */
typedef struct keeping {
    const gr_state *s;
    uint32_t generation;
    const gr_cpu_interpreter *interpreter;
    gr_cpu_registers *registers;
} keeping;

static void look_at_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const keeping *w = context;
    const gr_state *s = w->s;
    for (uint32_t i = (uint32_t)first; i < last; i++) {
        float outputs[GR_BEHAVIOUR_CASES] = {0.0f};
        double fit[2] = {0.0, 0.0};
        uint32_t length = s->individuals[w->generation & 1][i].instructions;
        float cost = gr_evaluated_cost(s, w->generation, i, fit);
        if (length && cost < GR_INFINITY)
            w->interpreter->predict(gr_program(s, i), length, s->behaviour_cases,
                                    gr_behaviour_cases(&s->p), &w->registers[thread], outputs);
        gr_make_applicant(s, w->generation, i, cost, fit, outputs);
    }
}

/* A step of all applicants, counted over the demes. */
typedef void applicant_step(const gr_state *s, uint32_t deme, uint32_t number);
typedef struct step {
    const gr_state *s;
    applicant_step *of;
} step;

static void step_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const step *w = context;
    uint32_t applicants = gr_applicants(&w->s->p);
    (void)thread;
    for (uint64_t k = first; k < last; k++)
        w->of(w->s, (uint32_t)(k / applicants), (uint32_t)(k % applicants));
}

static void settle_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const keeping *w = context;
    uint32_t niches = w->s->p.niches;
    (void)thread;
    for (uint64_t k = first; k < last; k++)
        gr_settle_niche(w->s, w->generation, (uint32_t)(k / niches), (uint32_t)(k % niches),
                        (gr_lane_group){0, 1});
}

static void clear_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const keeping *w = context;
    (void)thread;
    for (uint64_t k = first; k < last; k++)
        gr_clear_alike(w->s, k);
}

void gr_cpu_keep_niches(const gr_state *s, uint32_t generation,
                        const gr_cpu_interpreter *interpreter, gr_cpu_registers *registers,
                        gr_team *team) {
    static applicant_step *const steps[] = {gr_enter_applicant, gr_compare_alike, gr_contest_niche};
    const gr_params *p = &s->p;
    uint64_t demes = gr_demes(p);
    keeping work = {s, generation, interpreter, registers};
    gr_team_loop(team, p->individuals, 64, look_at_some, &work);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        gr_team_loop(team, demes * gr_applicants(p), 1024, step_some, &(step){s, steps[k]});
    gr_team_loop(team, demes * p->niches, 64, settle_some, &work);
    gr_team_loop(team, demes * gr_alike_entries(p), 4096, clear_some, &work);
}

static void list_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const gr_state *s = context;
    (void)thread;
    for (uint32_t deme = (uint32_t)first; deme < last; deme++)
        gr_list_niches(s, deme, (gr_lane_group){0, 1});
}

void gr_cpu_list_niches(const gr_state *s, gr_team *team) {
    gr_team_loop(team, gr_demes(&s->p), 4, list_some, (void *)(uintptr_t)s);
}
