/* Fitted constants of genomes, from parents to children.
 *
 * A genome cannot take a number back (fitting/fitting.h). But a codon of a child is a codon of one
 * of its parents, and where the parent has a number that was fitted, begun at that codon and the
 * same in the grammar, the child begins with what became of it. So copies of elites are what they
 * are copies of, and a branch that survives crossover keeps its constants; where mutation changes
 * the codon, or the codons before it are read otherwise, the grammar's number is there again. Where
 * a child is longer or shorter than its parents made it, codons may have moved by as much.
 *
 * For that every individual has a list of its numbers: the codon at which each begins, the number
 * that the grammar has, and the one that was fitted (NaN: none was). */
#ifndef GR_INHERIT_H
#define GR_INHERIT_H

#include "gpu/core/fitting/fitting.h"

/* Expressions that a lane mapped and has not compiled yet stand in its nodes, each followed by a
 * node that is none: its head holds GR_KEPT_END and the size, its operand the individual. */
enum { GR_KEPT_END = 0xff };
typedef struct gr_kept {
    gr_nodes nodes;
    uint32_t count;
} gr_kept;

/* Where a codon of a child stood. */
typedef struct gr_place {
    uint32_t parent; /* counted over all runs, or that of a niche */
    uint32_t codon;  /* GR_NO_CODON: in neither parent */
} gr_place;

/* Codons that a genome is read with again have no place of their own, but where it is a copy. */
GR_FN gr_place gr_place_of_codon(const gr_plan *plan, uint32_t codon) {
    uint32_t of_b = plan->b1 - plan->b0, behind = plan->a0 + of_b;
    gr_place place = {plan->a, codon};
    if (codon < plan->a0 || (!of_b && plan->a0 == plan->a1))
        return place;
    if (codon < behind) {
        place.parent = plan->b;
        place.codon = plan->b0 + (codon - plan->a0);
    } else
        place.codon = codon < plan->length ? plan->a1 + (codon - behind) : GR_NO_CODON;
    return place;
}

/* The fitted number of an individual at a codon, the grammar's being `number`; NaN: there is none.
 * Lists are in the order of the expression, which is that of the codons for almost every grammar:
 * the search goes on behind the number that was found last, `next`. */
GR_FN float gr_find_heritage(const gr_state *s, uint32_t buffer, gr_place place, uint32_t number,
                             uint32_t *next) {
    size_t row = (size_t)place.parent * GR_FIT_CONSTANTS;
    const gr_codon_origin *origin = s->origins[buffer] + row;
    for (uint32_t k = 0; k < GR_FIT_CONSTANTS; k++) {
        uint32_t at = (*next + k) % GR_FIT_CONSTANTS;
        if (origin[at].codon == place.codon && origin[at].number == number) {
            *next = at + 1;
            return s->constants[buffer][row + at];
        }
    }
    return GR_NAN;
}

/* The codon at a place of a genome that may be read again. */
GR_FN uint32_t gr_codon_at(const gr_state *s, uint32_t buffer, uint32_t i, uint32_t codon) {
    return gr_genome(s, buffer, i)[codon % s->individuals[buffer][i].length];
}

/* The numbers of both parents that were found last. */
typedef struct gr_found {
    uint32_t next[2];
} gr_found;

/* The same of child i, if its codon there is that of the parent. */
GR_FN float gr_heritage_at(const gr_state *s, uint32_t generation, uint32_t i,
                           gr_codon_origin origin, gr_place place, gr_found *found) {
    uint32_t buffer = generation & 1;
    if (place.codon == GR_NO_CODON || !s->individuals[buffer ^ 1][place.parent].nodes ||
        gr_codon_at(s, buffer, i, origin.codon) !=
            gr_codon_at(s, buffer ^ 1, place.parent, place.codon))
        return GR_NAN;
    return gr_find_heritage(s, buffer ^ 1, place, origin.number,
                            &found->next[place.parent != s->plans[i].a]);
}

/* The same wherever the codon may have come from: by the plan, from where uniform crossover took it
 * back, or by as much as mutation made the child longer or shorter. */
GR_FN float gr_heritage_of(const gr_state *s, uint32_t generation, uint32_t i,
                           gr_codon_origin origin, gr_found *found) {
    gr_plan plan = s->plans[i];
    uint32_t longer = s->individuals[generation & 1][i].length - plan.length;
    gr_place taken_back = {plan.a, origin.codon};
    if (origin.codon == GR_NO_CODON) /* a number before any codon is in every expression */
        return s->individuals[(generation & 1) ^ 1][plan.a].nodes
                   ? gr_find_heritage(s, (generation & 1) ^ 1, taken_back, origin.number,
                                      &found->next[0])
                   : GR_NAN;
    float value =
        gr_heritage_at(s, generation, i, origin, gr_place_of_codon(&plan, origin.codon), found);
    if (value != value && s->p.crossover == GR_CROSSOVER_UNIFORM)
        value = gr_heritage_at(s, generation, i, origin, taken_back, found);
    if (value != value && longer && origin.codon - longer < plan.length)
        value = gr_heritage_at(s, generation, i, origin,
                               gr_place_of_codon(&plan, origin.codon - longer), found);
    return value;
}

/* Numbers that were fitted in the parents of individual i, into its expression, and its list. */
GR_FN void gr_inherit(const gr_state *s, uint32_t generation, uint32_t i, gr_nodes nodes,
                      uint32_t count, gr_words begins) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, inherits = gr_inherits_constants(p), found = 0;
    size_t row = (size_t)i * GR_FIT_CONSTANTS;
    gr_found last = {{0, 0}};
    for (uint32_t k = 0; k < count; k++) {
        gr_node node = GR_AT(nodes, k);
        if (p->weighted && GR_NODE_OP(node) == GR_INPUT)
            GR_AT(nodes, k).operand = node.operand = gr_input_operand(p, node.operand);
        float value = gr_fit_first_value(p, node);
        if (value - value != 0.0f || found == GR_FIT_CONSTANTS)
            continue;
        gr_codon_origin origin = {inherits ? GR_AT(begins, k) - 1 : GR_NO_CODON, node.operand};
        value = GR_NAN;
        if (generation && inherits)
            value = gr_heritage_of(s, generation, i, origin, &last);
        if (value == value)
            GR_AT(nodes, k).operand = gr_fit_operand(p, node, value);
        s->constants[buffer][row + found] = value;
        s->origins[buffer][row + found] = origin;
        found++;
    }
    for (; found < GR_FIT_CONSTANTS; found++) {
        const gr_codon_origin none = {GR_NO_CODON, 0};
        s->constants[buffer][row + found] = GR_NAN;
        s->origins[buffer][row + found] = none;
    }
}

/* What the lanes kept has the numbers of its parents then, and is copied to where numbers are
 * fitted; c[i] are 0 in what is compiled. */
GR_CALL void gr_copy_kept(const gr_state *s, uint32_t generation, const gr_kept *kept,
                          gr_words begins) {
    for (uint32_t top = kept->count; top;) {
        gr_node end = GR_AT(kept->nodes, top - 1);
        uint32_t size = end.head >> 8;
        gr_node *to = s->expressions + (size_t)end.operand * s->p.max_nodes;
        top -= size + 1;
        gr_words own = {&GR_AT(begins, top), begins.step};
        gr_inherit(s, generation, end.operand, gr_nodes_from(kept->nodes, top), size, own);
        for (uint32_t k = 0; k < size; k++) {
            gr_node node = to[k] = GR_AT(kept->nodes, top + k);
            if (s->p.free_constants && GR_NODE_OP(node) == GR_CONSTANT &&
                gr_free_index(node.operand) < GR_FREE_CONSTANTS) {
                node.operand &= 0x80000000u;
                GR_AT(kept->nodes, top + k) = node;
            }
        }
    }
}

#endif
