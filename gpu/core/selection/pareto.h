/* NSGA-II (Deb, Pratap, Agarwal and Meyarivan 2002): children and parents of a deme together are
 * put in order by non-dominated rank, then crowding, and as many as the population has survive.
 *
 * The members of a deme that are ordered: children by their places, 0 .. population - 1, and behind
 * them the parents, by theirs; in the first generation there are no parents. A member dominates
 * another if it is nowhere worse and somewhere better; the rank of a member is the length of the
 * longest chain of members above it that dominate one another. Of members that are equal in all
 * objectives the lowest alone takes part, so that it is a child where there is one; the others form
 * the last front, whatever they are like, as Operon's do (Burlacu, Kronberger and Kommenda 2020):
 * otherwise copies of the smallest programs would fill the population, since nothing is better.
 *
 * Crowding of a member, among those of its rank: for each objective the distance between its two
 * neighbours in the order of that objective, over the distance between the first and the last,
 * added up; infinite for the first and the last, nothing where all are equal, and in the last
 * front. Ties go to the lower member.
 *
 * Who survives among the children stays in place; the surviving parents are copied to the places of
 * the others. */
#ifndef GR_PARETO_H
#define GR_PARETO_H

#include "gpu/core/selection/objectives.h"
#include "gpu/core/variation/crossover.h"

/* Work memory, rows of two words an individual: of deme d from 2 * population * d on. */
typedef enum gr_pareto_row {
    GR_PARETO_ORDER,     /* members in some order; while it is made, with the next */
    GR_PARETO_ORDER_TOO, /* (sorts go to and fro) */
    GR_PARETO_KEY,       /* what they are sorted by, device */
    GR_PARETO_KEY_TOO,   /* the same */
    GR_PARETO_RANK,      /* of a member */
    GR_PARETO_CROWDING,  /* of a member, a float */
    GR_PARETO_FIRST,     /* first members of their kind, by rising objectives */
    GR_PARETO_AT,        /* places of those in other orders */
    GR_PARETO_BEST,      /* what is best so far, while ranks are found */
    GR_PARETO_PLACE,     /* of a member in the last order */
    GR_PARETO_SOURCE,    /* of a place: the parent that comes there, or GR_STAYS */
    GR_PARETO_ROWS
} gr_pareto_row;

enum { GR_STAYS = 0xffffffffu };

GR_FN uint32_t *gr_pareto_row_of(const gr_state *s, gr_pareto_row row, uint32_t deme) {
    return s->pareto + 2 * ((size_t)row * s->p.individuals + (size_t)deme * s->p.population);
}

GR_BOTH uint32_t gr_pareto_members(const gr_params *p, uint32_t generation) {
    return generation ? 2 * p->population : p->population;
}

/* The objectives of a member. */
GR_FN const float *gr_objectives_of(const gr_state *s, uint32_t deme, uint32_t member) {
    uint32_t n = s->p.population, parent = member >= n;
    return s->objectives[parent] + ((size_t)deme * n + member - (parent ? n : 0)) * s->p.objectives;
}

/* Floats as words in their order; -0 is 0. */
GR_FN uint32_t gr_ordered_bits(float value) {
    return (uint32_t)(gr_rank_key(value, 0) >> 32);
}

GR_FN uint32_t gr_objective_key(const gr_state *s, uint32_t deme, uint32_t member, uint32_t k) {
    return gr_ordered_bits(gr_objectives_of(s, deme, member)[k]);
}

/* Larger crowding first. */
GR_FN uint32_t gr_crowding_key(uint32_t crowding) {
    return ~crowding; /* bits of floats from 0 on are in their order */
}

/* Whether two members are equal in all objectives. */
GR_FN uint32_t gr_are_equal(const gr_state *s, uint32_t deme, uint32_t a, uint32_t b) {
    uint32_t equal = 1;
    for (uint32_t k = 0; k < s->p.objectives; k++)
        equal &= gr_objective_key(s, deme, a, k) == gr_objective_key(s, deme, b, k);
    return equal;
}

/* What an objective adds to the crowding of a member between two others, of those between `first`
 * and `last`. */
GR_FN float gr_crowding_share(float before, float behind, float first, float last) {
    double range = (double)last - (double)first;
    return range > 0.0 ? (float)(((double)behind - (double)before) / range) : 0.0f;
}

/* The crowding of a member with an objective more: its neighbours of the same rank in the order of
 * that objective (itself: there is none on that side), and the first and the last there. */
GR_FN float gr_crowding_with(const gr_state *s, uint32_t deme, float crowding, uint32_t k,
                             const uint32_t member[5]) {
    float value[5]; /* before, own, behind, first, last */
    for (uint32_t n = 0; n < 5; n++)
        value[n] = gr_objectives_of(s, deme, member[n])[k];
    if (member[3] == member[4])
        return GR_INFINITY;
    if (value[3] == value[4])
        return crowding;
    if (member[0] == member[1] || member[1] == member[2])
        return GR_INFINITY;
    return crowding + gr_crowding_share(value[0], value[2], value[3], value[4]);
}

/* ---- survivors ---- */

/* Copies what a parent is to the place of a child: `i` and `parent` counted over all demes. */
GR_FN void gr_take_back(const gr_state *s, uint32_t generation, uint32_t i, uint32_t parent,
                        gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, branches = gr_branch_words(p);
    gr_individual individual = s->individuals[buffer ^ 1][parent];
    const uint32_t *from = gr_genotype_of(s, buffer ^ 1, parent);
    uint32_t *to = gr_genotype_of(s, buffer, i);
    for (uint32_t n = w.lane; n < gr_words_of(p, individual); n += w.width)
        to[n] = from[n];
    for (uint32_t n = w.lane; n < branches; n += w.width)
        s->branches[buffer][(size_t)i * branches + n] =
            s->branches[buffer ^ 1][(size_t)parent * branches + n];
    for (uint32_t n = w.lane; n < individual.instructions; n += w.width)
        gr_program(s, i)[n] = s->kept_programs[(size_t)parent * p->max_nodes + n];
    for (uint32_t n = w.lane; n < p->train_chunks * p->sums; n += w.width)
        s->sums[(size_t)n * p->individuals + i] = s->kept_sums[(size_t)n * p->individuals + parent];
    for (uint32_t n = w.lane; n < p->objectives; n += w.width)
        s->objectives[0][(size_t)i * p->objectives + n] =
            s->objectives[1][(size_t)parent * p->objectives + n];
    if (w.lane == 0) {
        individual.retries = 0; /* told of in its own generation */
        s->individuals[buffer][i] = individual;
        s->plans[i] = gr_copy_plan(parent, individual.length, 1);
    }
}

/* Makes individual i one that survived: a child that stays, or a parent. Those of a run that has
 * ended stay as they were. */
GR_FN void gr_survive(const gr_state *s, uint32_t generation, uint32_t i, gr_lane_group w) {
    uint32_t n = s->p.population, deme = i / n, index = i % n, source = index, member;
    if (s->demes[deme].active) {
        source = gr_pareto_row_of(s, GR_PARETO_SOURCE, deme)[index];
        member = source == GR_STAYS ? index : n + source;
        if (w.lane == 0)
            s->standing[i] = gr_pareto_row_of(s, GR_PARETO_PLACE, deme)[member];
    }
    if (source != GR_STAYS && generation)
        gr_take_back(s, generation, i, deme * n + source, w);
}

/* Keeps what the next generation overwrites of individual i. */
GR_FN void gr_keep_parent(const gr_state *s, uint32_t generation, uint32_t i, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t length = gr_sized(s, generation, i)->instructions;
    for (uint32_t n = w.lane; n < length; n += w.width)
        s->kept_programs[(size_t)i * p->max_nodes + n] = gr_program(s, i)[n];
    for (uint32_t n = w.lane; n < p->train_chunks * p->sums; n += w.width)
        s->kept_sums[(size_t)n * p->individuals + i] = s->sums[(size_t)n * p->individuals + i];
    for (uint32_t n = w.lane; n < p->objectives; n += w.width)
        s->objectives[1][(size_t)i * p->objectives + n] =
            s->objectives[0][(size_t)i * p->objectives + n];
}

#endif
