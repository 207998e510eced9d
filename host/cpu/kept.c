#include "host/cpu/kept.h"

#include "gpu/core/breeding/known.h"
#include "gpu/core/selection/migration.h"
#include "host/cpu/stages.h"

#include <stdlib.h>
#include <string.h>

/* What the loops are about. */
typedef struct keeping {
    const gr_state *s;
    uint32_t generation;
    const gr_cpu_kept *kept;
    int back;
} keeping;

/* ---- programs ---- */

static void copy_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const keeping *k = context;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++) {
        char *apart = k->kept->programs + k->kept->first[i];
        void *program = gr_program(k->s, i);
        size_t bytes = k->kept->first[i + 1] - k->kept->first[i];
        memcpy(k->back ? program : apart, k->back ? apart : program, bytes);
    }
}

/* A genome does not say which constants were fitted beside it. */
static int keep_programs(const keeping *k, gr_team *team, gr_cpu_kept *kept) {
    const gr_individual *individual = k->s->individuals[k->generation & 1];
    uint32_t n = k->s->p.individuals;
    if (!gr_fits_beside(&k->s->p))
        return 1;
    if (!(kept->first = malloc((n + (size_t)1) * sizeof *kept->first)))
        return 0;
    kept->first[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        kept->first[i + 1] = kept->first[i] + individual[i].instructions * sizeof(gr_instruction);
    if (!(kept->programs = malloc(kept->first[n] + 1)))
        return 0;
    gr_team_loop(team, n, 256, copy_some, (void *)(uintptr_t)k);
    return 1;
}

/* ---- phenotypes ---- */

/* A table that is to be emptied cannot be filled again. */
static int keep_known(const gr_state *s, gr_cpu_kept *kept) {
    uint32_t demes = gr_demes(&s->p);
    for (uint32_t deme = 0; s->known && deme < demes; deme++)
        if (gr_forgets_known(s, deme))
            return 0;
    if (!s->known)
        return 1;
    if ((kept->known = malloc(demes * sizeof *kept->known)))
        memcpy(kept->known, s->known, demes * sizeof *kept->known);
    return kept->known != NULL;
}

static void forget_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const keeping *k = context;
    uint32_t entries = gr_known_entries(&k->s->p);
    (void)thread;
    for (uint64_t at = first; at < last; at++)
        if (gr_is_of_generation(k->s, at, k->generation + 1))
            gr_clear_known(k->s, (uint32_t)(at / entries), (uint32_t)(at % entries));
}

/* ---- all of it ---- */

static int copy_of(void **copy, const void *array, size_t bytes) {
    if (bytes && (*copy = malloc(bytes)))
        memcpy(*copy, array, bytes);
    return !bytes || *copy;
}

static size_t objectives_bytes(const gr_state *s) {
    return s->standing ? (size_t)s->p.individuals * s->p.objectives * sizeof(float) : 0;
}

void gr_cpu_keep(const gr_state *s, uint32_t generation, gr_team *team, gr_cpu_kept *kept) {
    const keeping k = {s, generation, kept, 0};
    void *demes = NULL, *objectives = NULL;
    kept->whole = keep_known(s, kept) && keep_programs(&k, team, kept) &&
                  copy_of(&objectives, s->objectives[0], objectives_bytes(s)) &&
                  copy_of(&demes, s->demes, s->p.optimise ? gr_demes(&s->p) * sizeof(gr_deme) : 0);
    kept->objectives = objectives;
    kept->demes = demes;
}

/* Where constants are fitted beside genomes their programs were kept; others are made once more. */
static void return_programs(const keeping *k, uint32_t bred, gr_team *team) {
    if (k->kept->programs)
        gr_team_loop(team, k->s->p.individuals, 256, copy_some, (void *)(uintptr_t)k);
    else
        gr_cpu_express(k->s, k->generation, bred, team);
}

void gr_cpu_go_back(const gr_state *s, uint32_t generation, uint32_t bred, const gr_cpu_kept *kept,
                    gr_team *team) {
    const gr_params *p = &s->p;
    keeping k = {s, generation, kept, 1};
    if (gr_migrates(p, generation))
        gr_cpu_send_back(s, generation, team);
    return_programs(&k, bred, team);
    for (uint32_t deme = 0; deme < gr_demes(p); deme++) {
        if (kept->demes) {
            s->demes[deme].fits_tried = kept->demes[deme].fits_tried;
            s->demes[deme].fits_better = kept->demes[deme].fits_better;
            s->demes[deme].fit_nodes = kept->demes[deme].fit_nodes;
        }
        if (s->known)
            s->known[deme] = kept->known[deme];
    }
    if (s->known)
        gr_team_loop(team, (uint64_t)gr_demes(p) * gr_known_entries(p), 4096, forget_some, &k);
    if (s->standing)
        memcpy(s->objectives[0], kept->objectives, objectives_bytes(s));
}

void gr_cpu_keep_no_more(gr_cpu_kept *kept) {
    free(kept->programs);
    free(kept->first);
    free(kept->known);
    free(kept->objectives);
    free(kept->demes);
    *kept = (gr_cpu_kept){0};
}
