/* Migration between the islands of a run, at the border of a generation: behind its statistics,
 * before the parents of the next one are drawn.
 *
 * Every island gives `migrants` individuals and takes as many: emigrant k of an island goes to one
 * other, and for each k all islands have another destination. First all emigrants are copied out of
 * their islands, then they take their places, each changing with the individual that stood there.
 * Between the two they stand in an array by island, those of a run's islands in a row; engines that
 * have some islands each exchange parts of it there (gpu/backend/peers.h). A draw depends on seed,
 * run, island and generation alone: `island` here is the number in the run, of all engines. */
#ifndef GR_MIGRATION_H
#define GR_MIGRATION_H

#include "gpu/core/base/keys.h"
#include "gpu/core/selection/select.h"

/* Whether islands exchange individuals behind this generation. */
GR_FN uint32_t gr_migrates(const gr_params *p, uint32_t generation) {
    return p->migrants && generation && generation % p->migration_every == 0;
}

/* By what individuals of an island are compared, the index in the low half: their costs, or with
 * several objectives how they stand there. */
GR_FN uint64_t gr_migration_order(const gr_state *s, uint32_t deme, uint32_t index) {
    return s->standing ? (uint64_t)s->standing[(size_t)deme * s->p.population + index] << 32 | index
                       : gr_cost_key(s, deme, index);
}

/* Keys by which all individuals of an island are sorted beforehand (gr_merge_key). */
GR_FN void gr_migration_key(const gr_state *s, uint32_t i) {
    s->keys[0][i] = gr_migration_order(s, i / s->p.population, i % s->p.population);
}

/* Islands in a circle that is drawn anew every time: who stands behind this one. */
GR_FN uint32_t gr_behind_in_circle(const gr_params *p, uint32_t generation, uint32_t run,
                                   uint32_t island) {
    uint32_t n = gr_run_islands(p);
    gr_random r = gr_run_stream(p, GR_PURPOSE_ROUTES, generation, run);
    return gr_permuted_by(&r, n, (gr_permuted_by(&r, n, island, 1) + 1) % n, 0);
}

/* The island of the run whose emigrant k comes to this one. */
GR_FN uint32_t gr_migrant_source(const gr_params *p, uint32_t generation, uint32_t run,
                                 uint32_t island, uint32_t k) {
    uint32_t n = gr_run_islands(p);
    uint64_t before = (uint64_t)(generation / p->migration_every - 1) * p->migrants;
    switch (p->routes) {
    case GR_ROUTES_TORUS:
        return gr_neighbour(p->island_columns, n / p->island_columns, island,
                            (uint32_t)(before + k) & 3u);
    case GR_ROUTES_FULL: /* the others in turn */
        return (island + 1 + (uint32_t)((before + k) % (n - 1))) % n;
    case GR_ROUTES_RANDOM:
        return gr_behind_in_circle(p, generation, run, island);
    default:
        return island ? island - 1 : n - 1;
    }
}

/* Where emigrant k of an island stands in between. */
GR_FN size_t gr_migrant_at(const gr_params *p, uint32_t run, uint32_t island, uint32_t k) {
    return ((size_t)run * gr_run_islands(p) + island) * p->migrants + k;
}

/* Index of emigrant k; the deme is sorted. */
GR_FN uint32_t gr_emigrant(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k) {
    const gr_params *p = &s->p;
    gr_random r = gr_stream(p, GR_PURPOSE_EMIGRANTS, generation, deme,
                            p->emigrants == GR_EMIGRANTS_TOURNAMENT ? k : 0);
    uint64_t best = ~0ull;
    if (p->emigrants == GR_EMIGRANTS_BEST)
        return gr_ranked(s, deme, k);
    if (p->emigrants == GR_EMIGRANTS_RANDOM)
        return gr_permuted_by(&r, p->population, k, 0);
    for (uint32_t t = 0; t < p->tournament; t++) {
        uint64_t key = gr_migration_order(s, deme, gr_below(&r, p->population));
        best = key < best ? key : best;
    }
    return (uint32_t)best;
}

/* Whose place immigrant k takes: never the best's. */
GR_FN uint32_t gr_immigrant_place(const gr_state *s, uint32_t generation, uint32_t deme,
                                  uint32_t k) {
    uint32_t others = s->p.population - 1;
    gr_random r = gr_stream(&s->p, GR_PURPOSE_IMMIGRANTS, generation, deme, 0);
    return gr_ranked(s, deme,
                     s->p.replaced == GR_REPLACED_WORST ? others - k
                                                        : 1 + gr_permuted_by(&r, others, k, 0));
}

/* Copies emigrant k of a deme out of it. */
GR_FN void gr_emigrate(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k,
                       gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, branches = gr_branch_words(p);
    size_t at = gr_migrant_at(p, deme / p->islands, p->first_island + deme % p->islands, k);
    if (!s->demes[deme].active)
        return;
    uint32_t i = deme * p->population + gr_emigrant(s, generation, deme, k);
    const uint32_t *from = gr_genotype_of(s, buffer, i);
    uint32_t *to = s->migrant_words + at * gr_migrant_words(p);
    gr_migrant migrant = {s->individuals[buffer][i], s->cost[i], i, 0,
                          s->standing ? s->standing[i] : 0};
    for (uint32_t n = w.lane; n < gr_words_of(p, migrant.individual); n += w.width)
        to[n] = from[n];
    for (uint32_t n = w.lane; n < branches; n += w.width)
        to[gr_even(gr_genotype_words(p)) + n] = s->branches[buffer][(size_t)i * branches + n];
    for (uint32_t n = w.lane; n < gr_heritage_words(p); n += w.width)
        to[gr_even(gr_genotype_words(p)) + branches + n] = *gr_heritage(s, buffer, i, n);
    for (uint32_t row = w.lane; row < p->lexicase_rows; row += w.width)
        s->migrant_errors[at * p->lexicase_rows + row] =
            s->own_errors[(size_t)i * p->lexicase_rows + row];
    if (w.lane == 0)
        s->migrants[at] = migrant;
}

/* Several objectives: what the next generation is compared with has the newcomer's program, sums
 * and objectives, which are all there under the number that it had. It stands among its new
 * neighbours as it stood among those before. */
GR_FN void gr_keep_newcomer(const gr_state *s, uint32_t slot, gr_migrant newcomer,
                            gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t from = newcomer.slot;
    for (uint32_t n = w.lane; n < newcomer.individual.instructions; n += w.width)
        s->kept_programs[(size_t)slot * p->max_nodes + n] = gr_program(s, from)[n];
    for (uint32_t n = w.lane; n < p->train_chunks * p->sums; n += w.width)
        s->kept_sums[(size_t)n * p->individuals + slot] =
            s->sums[(size_t)n * p->individuals + from];
    for (uint32_t n = w.lane; n < p->objectives; n += w.width)
        s->objectives[1][(size_t)slot * p->objectives + n] =
            s->objectives[0][(size_t)from * p->objectives + n];
}

/* Migrant number `at` and the individual at `slot` change places. */
GR_FN void gr_change_places(const gr_state *s, uint32_t generation, size_t at, uint32_t slot,
                            gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, branches = gr_branch_words(p);
    gr_migrant migrant = s->migrants[at],
               stood = {s->individuals[buffer][slot], s->cost[slot], slot, !migrant.taken,
                        s->standing ? s->standing[slot] : 0};
    uint32_t comes = gr_words_of(p, migrant.individual), goes = gr_words_of(p, stood.individual);
    uint64_t hash = 0; /* of its errors */
    uint32_t *place = gr_genotype_of(s, buffer, slot),
             *words = s->migrant_words + at * gr_migrant_words(p);
    for (uint32_t n = w.lane; n < gr_max_u32(comes, goes); n += w.width) {
        uint32_t stands = n < goes ? place[n] : 0;
        if (n < comes)
            place[n] = words[n];
        words[n] = stands;
    }
    words += gr_even(gr_genotype_words(p));
    for (uint32_t n = w.lane; n < branches; n += w.width) {
        uint32_t *row = s->branches[buffer] + (size_t)slot * branches + n, stands = *row;
        *row = words[n];
        words[n] = stands;
    }
    words += branches;
    for (uint32_t n = w.lane; n < gr_heritage_words(p); n += w.width) {
        uint32_t *word = gr_heritage(s, buffer, slot, n), stands = *word;
        *word = words[n];
        words[n] = stands;
    }
    for (uint32_t row = w.lane; row < p->lexicase_rows; row += w.width) {
        float *error = s->own_errors + (size_t)slot * p->lexicase_rows + row, stands = *error;
        *error = s->migrant_errors[at * p->lexicase_rows + row];
        s->case_errors[(size_t)row * p->individuals + slot] = *error;
        s->migrant_errors[at * p->lexicase_rows + row] = stands;
        hash += gr_hash_of_error(gr_float_bits(*error), gr_row_number_drawn(row));
    }
    hash = gr_sum_lanes_long(w, hash);
    if (p->lexicase_rows && w.lane == 0)
        s->behaviours[slot] = hash;
    if (s->standing && !migrant.taken)
        gr_keep_newcomer(s, slot, migrant, w);
    gr_sync(w); /* all lanes have read who they are */
    if (w.lane == 0 && s->standing)
        s->standing[slot] = migrant.standing;
    if (w.lane == 0) {
        s->individuals[buffer][slot] = migrant.individual;
        s->cost[slot] = migrant.cost;
        s->migrants[at] = stood;
    }
}

/* Brings immigrant k of a deme to its place; one without a finite cost comes in vain. */
GR_FN void gr_immigrate(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t k,
                        gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t run = deme / p->islands, island = p->first_island + deme % p->islands;
    size_t at = gr_migrant_at(p, run, gr_migrant_source(p, generation, run, island, k), k);
    if (s->demes[deme].active && s->migrants[at].cost != GR_INFINITY)
        gr_change_places(s, generation, at,
                         deme * p->population + gr_immigrant_place(s, generation, deme, k), w);
}

/* The best of a deme may be one that has come. */
GR_FN void gr_lead_again(const gr_state *s, uint32_t generation, uint32_t deme, gr_lane_group w) {
    uint64_t best = gr_cost_key(s, deme, s->leaders[deme]);
    for (uint32_t k = w.lane; k < s->p.migrants; k += w.width) {
        uint64_t key = gr_cost_key(s, deme, gr_immigrant_place(s, generation, deme, k));
        best = key < best ? key : best;
    }
    best = gr_least_lane_long(w, best);
    if (w.lane == 0)
        s->leaders[deme] = (uint32_t)best;
    if (w.lane == 0 && s->p.elites == 1)
        s->elites[deme] = (uint32_t)best;
}

/* A generation that is given up takes its migrants back. */
GR_FN void gr_send_back(const gr_state *s, uint32_t generation, size_t at, gr_lane_group w) {
    if (s->migrants[at].taken)
        gr_change_places(s, generation, at, s->migrants[at].slot, w);
}

#endif
