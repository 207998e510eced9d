/* A first generation that is drawn again: until all individuals differ, or none is invalid.
 *
 * In every round individuals claim a place of a table by their expression's hash; a place belongs
 * to the claim of the earliest round, then of the lowest slot, which no order of work can change.
 * Who has not got its place is drawn again, and who has no expression. Expressions of different
 * hashes may meet in a place: then one of them is drawn again needlessly, which happens to less
 * than one in eight. */
#ifndef GR_UNIQUE_H
#define GR_UNIQUE_H

#include "gpu/core/genotype/first_genomes.h"
#include "gpu/core/genotype/growth.h"

/* Whether a run draws its first generation again. */
GR_BOTH uint32_t gr_settles(const gr_params *p) {
    return p->unique || p->invalid == GR_INVALID_REDRAWN;
}

/* Of the table, 0 where individuals may be the same. */
GR_BOTH uint32_t gr_claim_places(const gr_params *p) {
    uint32_t places = 64;
    while (places / 8 < p->population && places < 1u << 31)
        places *= 2;
    return p->unique ? places : 0;
}

/* FNV-1a over operations and leaves. */
GR_FN uint32_t gr_tree_hash(gr_nodes nodes, uint32_t count) {
    uint32_t hash = 2166136261u;
    for (uint32_t k = 0; k < count; k++) {
        gr_node node = GR_AT(nodes, k);
        hash = (hash ^ GR_NODE_OP(node)) * 16777619u;
        if (GR_NODE_OP(node) <= GR_INPUT)
            hash = (hash ^ node.operand) * 16777619u, hash ^= hash >> 15;
    }
    return (hash ^ hash >> 16) * 0x85ebca6bu;
}

/* The claim of a slot in a round: lower ones win. */
GR_FN uint32_t gr_claim(const gr_params *p, uint32_t round, uint32_t slot) {
    return round * p->population + slot;
}

/* Rounds of drawing again: `tries`, while claims fit their numbers. */
GR_BOTH uint32_t gr_claim_rounds(const gr_params *p) {
    return gr_min_u32(p->tries, 0xfffffffeu / p->population - 1);
}

/* The genome that individual i starts with; its length. room: gr_straight_room. One lane. */
GR_FN uint32_t gr_first_genome(const gr_state *s, uint32_t i, gr_scratch scratch, uint32_t *room) {
    const gr_worker alone = {0, 1};
    uint32_t used = gr_is_indirect(s->p.convention) ? gr_first_genes(s, i, scratch, room)
                                                    : gr_first_codons(s, i, scratch);
    return gr_first_tail(s, i, used, alone);
}

/* The expression of that, in scratch.nodes; its nodes, 0 when it is invalid. */
GR_CALL uint32_t gr_first_expression(const gr_state *s, uint32_t i, gr_scratch scratch,
                                     uint32_t *room) {
    const gr_params *p = &s->p;
    gr_mapping m;
    uint32_t length = gr_first_genome(s, i, scratch, room);
    gr_derive_start(&m.d, scratch.grammar, gr_genome(s, 0, i), length, p->max_wraps, p->max_depth,
                    scratch.path);
    gr_parser_start(&m.p, scratch.nodes, p->max_nodes, scratch.parser, gr_parse_levels(p),
                    p->inputs, p->packed);
    if (gr_is_indirect(p->convention))
        gr_map_straightened(&m, p, room);
    else {
        gr_derive_by(&m.d, p->convention, p->max_wraps);
        gr_map_sentence(&m);
    }
    gr_map_end(&m);
    return m.d.validity == GR_VALID ? m.p.count : 0;
}

/* What individual i asks for in its present draw: 0 when it is invalid; otherwise the table's place
 * in *place, NULL where there is no table. */
GR_FN uint32_t gr_asks_for(const gr_state *s, uint32_t i, gr_scratch scratch, uint32_t *room,
                           uint32_t **place) {
    uint32_t deme = i / s->p.population, slot = i % s->p.population;
    uint32_t places = gr_claim_places(&s->p), tree = s->p.genotype == GR_TREE;
    gr_nodes nodes = tree ? gr_tree(s, 0, i) : scratch.nodes;
    uint32_t count = tree ? gr_first_tree(s, deme, slot, nodes, scratch)
                          : gr_first_expression(s, i, scratch, room);
    *place = NULL;
    if (count && places)
        *place = s->claims + (size_t)deme * places + (gr_tree_hash(nodes, count) & (places - 1));
    return count;
}

/* A step of a round, all individuals' claims before any settles. Individual i, if it takes part in
 * the round, claims what it asks for, of which the lowest claim stays, whoever comes first; or
 * settles: it is drawn again in the next round when another has it or it is invalid. */
GR_FN void gr_claim_or_settle(const gr_state *s, uint32_t i, uint32_t round, uint32_t settles,
                              gr_scratch scratch, uint32_t *room) {
    uint32_t *place, claim = gr_claim(&s->p, round, i % s->p.population);
    if (s->attempts[i] != round)
        return;
    uint32_t valid = gr_asks_for(s, i, scratch, room, &place);
    if (settles && (!valid || (place && *place != claim)))
        s->attempts[i] = round + 1;
    else if (!settles && place)
#ifdef __CUDA_ARCH__
        atomicMin(place, claim);
#else
        *place = gr_min_u32(*place, claim);
#endif
}

#endif
