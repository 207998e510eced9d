/* Parents by other rules than a plain tournament. None of them needs more than its own draws, the
 * selection costs and, for rank and truncation, the order of the deme (order.h). */
#ifndef GR_PARENT_SELECTION_H
#define GR_PARENT_SELECTION_H

#include "gpu/core/selection/niches.h"
#include "gpu/core/selection/order.h"
#include "gpu/core/variation/crossover.h"

enum { GR_ROULETTE_DRAWS = 10000, GR_VALID_DRAWS = 64 };

/* Whether there is an archive of niches. */
GR_FN uint32_t gr_has_niches(const gr_state *s) {
    return s->niches != NULL;
}

/* Whether parents are chosen here. */
GR_FN uint32_t gr_has_parent_selection(const gr_state *s) {
    return GR_UNLESS_PLAIN(gr_has_niches(s) || s->selection_cost || s->parents || s->standing ||
                           s->p.invalid != GR_INVALID_WORST);
}

GR_FN uint64_t gr_selection_key(const gr_state *s, uint32_t deme, uint32_t index) {
    const float *selection_cost = s->selection_cost ? s->selection_cost : s->cost;
    return gr_rank_key(selection_cost[(size_t)deme * s->p.population + index], index);
}

/* Whether invalid individuals are left out: where there are others. */
GR_FN uint32_t gr_leaves_out(const gr_state *s, uint32_t deme) {
    return s->p.invalid != GR_INVALID_WORST && s->records[deme].statistics.validity[GR_VALID];
}

/* A random individual among those that may take part: drawn again while it is invalid; where valid
 * ones are rare, the next valid one behind the last draw. */
GR_FN uint32_t gr_contestant(const gr_state *s, uint32_t generation, uint32_t deme, gr_random *r) {
    const gr_params *p = &s->p;
    const gr_individual *individual = s->individuals[generation & 1] + (size_t)deme * p->population;
    uint32_t index = gr_below(r, p->population);
    if (!gr_leaves_out(s, deme))
        return index;
    for (uint32_t t = 1; t < GR_VALID_DRAWS && individual[index].validity != GR_VALID; t++)
        index = gr_below(r, p->population);
    while (individual[index].validity != GR_VALID)
        index = index + 1 < p->population ? index + 1 : 0;
    return index;
}

/* The better of `tournament` contestants. Under a double tournament (Luke and Panait 2002) each of
 * them is the smaller of two with probability strength / 2, otherwise the larger. */
GR_FN uint32_t gr_selection_cost_tournament(const gr_state *s, uint32_t generation, uint32_t deme,
                                            gr_random *r) {
    const gr_params *p = &s->p;
    const gr_individual *individual = s->individuals[generation & 1] + (size_t)deme * p->population;
    uint64_t best = ~0ull;
    for (uint32_t k = 0; k < p->tournament; k++) {
        uint32_t index = gr_contestant(s, generation, deme, r);
        if (p->parsimony == GR_PARSIMONY_DOUBLE_TOURNAMENT) {
            uint32_t other = gr_contestant(s, generation, deme, r);
            uint32_t smaller = gr_chance(r, 0.5f * p->parsimony_strength);
            uint32_t less = individual[other].nodes < individual[index].nodes;
            uint32_t same = individual[other].nodes == individual[index].nodes;
            index = !same && less == smaller ? other : index;
        }
        uint64_t key = gr_selection_key(s, deme, index);
        best = key < best ? key : best;
    }
    return (uint32_t)best;
}

/* Koza's adjusted fitness, 1 / (1 + distance from the best possible cost). */
GR_FN float gr_adjusted(const gr_params *p, float cost) {
    float distance = cost - p->least_cost;
    return gr_div(1.0f, 1.0f + (distance > 0.0f ? distance : 0.0f));
}

/* The best of a deme, of those that selection finds there. */
GR_FN uint32_t gr_leader(const gr_state *s, uint32_t deme) {
    return s->leaders ? s->leaders[deme] : s->records[deme].best_index;
}

/* In proportion to adjusted fitness by stochastic acceptance (Lipowski and Lipowska 2012): a random
 * individual is taken with probability fitness / best fitness, otherwise another is drawn; no sums
 * over the deme. After many refusals the best is taken. */
GR_FN uint32_t gr_roulette(const gr_state *s, uint32_t deme, gr_random *r) {
    const gr_params *p = &s->p;
    uint32_t leader = gr_leader(s, deme);
    float most = gr_adjusted(p, s->cost[(size_t)deme * p->population + leader]);
    for (uint32_t k = 0; k < GR_ROULETTE_DRAWS; k++) {
        uint32_t index = gr_below(r, p->population);
        float selection_cost = s->selection_cost[(size_t)deme * p->population + index];
        float u = gr_unit(gr_next(r));
        if (selection_cost != GR_INFINITY && u * most < gr_adjusted(p, selection_cost))
            return index;
    }
    return leader;
}

/* Linear ranking (Baker 1985): the best of n has rank_pressure times the mean chance, the worst
 * 2 - rank_pressure times; by stochastic acceptance too. */
GR_FN uint32_t gr_rank_selection(const gr_state *s, uint32_t deme, gr_random *r) {
    const gr_params *p = &s->p;
    float most = p->rank_pressure, fall = 2.0f * most - 2.0f;
    for (;;) {
        uint32_t rank = gr_below(r, p->population);
        float share = p->population > 1 ? gr_div((float)rank, (float)(p->population - 1)) : 0.0f;
        if (gr_unit(gr_next(r)) * most < most - fall * share)
            return gr_ranked(s, deme, rank);
    }
}

/* Any of the best. */
GR_FN uint32_t gr_truncation(const gr_state *s, uint32_t deme, gr_random *r) {
    const gr_params *p = &s->p;
    uint32_t kept = (uint32_t)(p->truncation * (float)p->population);
    kept = gr_min_u32(gr_max_u32(kept, 1), p->population); /* a float may round up */
    return gr_ranked(s, deme, gr_below(r, kept));
}

/* The parent that lexicase.h found for the pair and purpose of a stream. */
GR_FN uint32_t gr_lexicase_parent(const gr_state *s, uint32_t deme, const gr_random *r) {
    uint32_t pair = r->individual & 0x3fffffffu, second = r->individual >> 30 != 0;
    return s->parents[(size_t)deme * gr_lexicase_parents(&s->p) + 2 * pair + second];
}

/* NSGA-II: of `tournament` contestants the one that stands best by rank, then crowding (pareto.h);
 * no two stand alike. */
GR_FN uint32_t gr_standing_tournament(const gr_state *s, uint32_t generation, uint32_t deme,
                                      gr_random *r) {
    const uint32_t *standing = s->standing + (size_t)deme * s->p.population;
    uint32_t best = gr_contestant(s, generation, deme, r);
    for (uint32_t k = 1; k < s->p.tournament; k++) {
        uint32_t index = gr_contestant(s, generation, deme, r);
        best = standing[index] < standing[best] ? index : best;
    }
    return best;
}

GR_FN uint32_t gr_select_index(const gr_state *s, uint32_t generation, uint32_t deme,
                               gr_random *r) {
    switch (s->p.selection) {
#define GR_SELECTION(id, word, genotypes, ordered, index, help)                                    \
    case GR_SELECT_##id:                                                                           \
        return index;
#include "gpu/core/base/selections.def"
    }
    return 0;
}

/* Index of a parent by GR_PURPOSE_SELECT or GR_PURPOSE_SELECT_SECOND; r is the stream of the
 * child's pair. One from a niche stands behind all individuals (gr_niche_parent). Where invalid
 * individuals are left out, one that was chosen all the same is not taken. */
GR_CALL uint32_t gr_select_parent(const gr_state *s, uint32_t generation, uint32_t deme,
                                  gr_random r, gr_purpose purpose) {
    const gr_individual *individual =
        s->individuals[generation & 1] + (size_t)deme * s->p.population;
    r.individual = gr_individual_word(purpose, r.individual);
    if (gr_has_niches(s) && gr_parent_from_niche(s, deme, &r))
        return gr_niche_parent(s, deme, &r);
    for (uint32_t t = 0; t < GR_VALID_DRAWS; t++) {
        uint32_t index = gr_select_index(s, generation, deme, &r);
        if (!gr_leaves_out(s, deme) || individual[index].validity == GR_VALID)
            return index;
    }
    return gr_contestant(s, generation, deme, &r);
}

#endif
