#include "host/cpu/copies.h"

#include "gpu/core/breeding/breed.h"

#include <stdlib.h>
#include <string.h>

uint32_t gr_cpu_most_elites(const gr_params *p) {
    return 2 * (uint64_t)p->elites > p->population
               ? (uint32_t)((uint64_t)p->individuals * p->elites / p->population)
               : 0;
}

int gr_cpu_copies_elites(const gr_job *job) {
    const gr_params *p = &job->params;
    int plain = p->genotype == GR_TREE || gr_breeding_of(p) == GR_BREED_COMMON_STEPS;
    return gr_cpu_most_elites(p) && plain && gr_run_islands(p) == 1 && !p->restart_after &&
           !p->optimise && !p->mutate_duplicates && !p->objectives && !p->niches &&
           !job->type_words;
}

int gr_cpu_is_copy(const gr_state *s, uint32_t i) {
    return i % s->p.population < s->p.elites && s->demes[i / s->p.population].active;
}

/* The individual that i will be a copy of. */
static const gr_individual *parent_of(const gr_state *s, uint32_t generation, uint32_t i) {
    return &s->individuals[(generation & 1) ^ 1][s->plans[i].a];
}

typedef struct putting {
    const gr_state *s;
    gr_cpu_copies *to;
} putting;

static void put_some(void *context, uint64_t begin, uint64_t end, uint32_t thread) {
    const putting *w = context;
    const gr_cpu_copies *to = w->to;
    (void)thread;
    for (uint64_t k = begin; k < end; k++)
        if (to->first[k + 1] > to->first[k])
            memcpy(to->programs + to->first[k], gr_program(w->s, w->s->plans[to->from + k].a),
                   (to->first[k + 1] - to->first[k]) * sizeof *to->programs);
}

/* Room for so many elements of `size` bytes; what was there need not be. */
static int have_room(void *array, size_t *room, size_t count, size_t size) {
    void *grown;
    if (count <= *room)
        return 1;
    if (!(grown = malloc(count * size)))
        return 0;
    free(*(void **)array);
    *(void **)array = grown;
    *room = count;
    return 1;
}

int gr_cpu_put_aside(const gr_state *s, uint32_t generation, uint32_t from, uint32_t count,
                     gr_cpu_copies *to, gr_team *team) {
    putting w = {s, to};
    if (!have_room(&to->first, &to->places, count + (size_t)1, sizeof *to->first))
        return 0;
    to->from = from;
    to->count = count;
    to->first[0] = 0;
    for (uint32_t k = 0; k < count; k++)
        to->first[k + 1] =
            to->first[k] +
            (gr_cpu_is_copy(s, from + k) ? parent_of(s, generation, from + k)->instructions : 0);
    if (!have_room(&to->programs, &to->room, to->first[count], sizeof *to->programs))
        return 0;
    if (team)
        gr_team_loop(team, count, 256, put_some, &w);
    else
        put_some(&w, 0, count, 0);
    return 1;
}

void gr_cpu_copy_elite(const gr_state *s, uint32_t generation, uint32_t i,
                       const gr_cpu_copies *from) {
    uint32_t buffer = generation & 1, k = i - from->from;
    gr_individual copy = *parent_of(s, generation, i);
    memcpy(gr_genotype_of(s, buffer, i), gr_genotype_of(s, buffer ^ 1, s->plans[i].a),
           gr_words_of(&s->p, copy) * sizeof(uint32_t));
    memcpy(gr_program(s, i), from->programs + from->first[k],
           (from->first[k + 1] - from->first[k]) * sizeof *from->programs);
    copy.retries = gr_plan_retries(s->plans[i]);
    s->individuals[buffer][i] = copy;
}

void gr_cpu_free_copies(gr_cpu_copies *copies) {
    free(copies->first);
    free(copies->programs);
    *copies = (gr_cpu_copies){0};
}
