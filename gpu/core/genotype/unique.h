/* A first generation that is drawn again: until all individuals differ, or none is invalid.
 *
 * In every round individuals claim an entry of a table by their expression's hash; an entry belongs
 * to the claim of the earliest round, then of the lowest index, which no order of work can change.
 * An individual whose entry went to another is drawn again, and so is one without an expression.
 * Expressions of different hashes may meet in an entry: then one of them is drawn again needlessly,
 * which happens to less than one in eight. */
#ifndef GR_UNIQUE_H
#define GR_UNIQUE_H

#include "gpu/core/genotype/first_genomes.h"
#include "gpu/core/genotype/growth.h"

/* Whether a run draws its first generation again. */
GR_BOTH uint32_t gr_settles(const gr_params *p) {
    return p->unique || p->invalid == GR_INVALID_REDRAWN;
}

/* Of the table, 0 where individuals may be the same. */
GR_BOTH uint32_t gr_claim_entries(const gr_params *p) {
    uint32_t entries = 64;
    while (entries / 8 < p->population && entries < 1u << 31)
        entries *= 2;
    return p->unique ? entries : 0;
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

/* The claim of an individual in a round: lower ones win. */
GR_FN uint32_t gr_claim(const gr_params *p, uint32_t round, uint32_t index) {
    return round * p->population + index;
}

/* Rounds of drawing again: `tries`, while claims fit their numbers. */
GR_BOTH uint32_t gr_claim_rounds(const gr_params *p) {
    return gr_min_u32(p->tries, 0xfffffffeu / p->population - 1);
}

/* The genome that individual i starts with; its length. codon_scratch: gr_depth_first_scratch. One
 * lane. */
GR_FN uint32_t gr_first_genome(const gr_state *s, uint32_t i, gr_scratch scratch,
                               uint32_t *codon_scratch) {
    const gr_lane_group alone = {0, 1};
    uint32_t used = gr_is_non_depth_first(s->p.convention)
                        ? gr_first_genes(s, i, scratch, codon_scratch)
                        : gr_first_codons(s, i, scratch);
    return gr_first_tail(s, i, used, alone);
}

/* The expression of that, in scratch.nodes; its nodes, 0 when it is invalid. */
GR_CALL uint32_t gr_first_expression(const gr_state *s, uint32_t i, gr_scratch scratch,
                                     uint32_t *codon_scratch) {
    const gr_params *p = &s->p;
    gr_mapping m;
    uint32_t length = gr_first_genome(s, i, scratch, codon_scratch);
    gr_derive_start(&m.d, scratch.grammar, gr_genome(s, 0, i), length, p->max_wraps, p->max_depth,
                    scratch.path);
    gr_parser_start(&m.p, scratch.nodes, p->max_nodes, scratch.parser, gr_parse_levels(p),
                    gr_named_inputs(p), p->packed);
    m.p.outputs = p->outputs;
    m.p.part = p->part;
    m.begins.at = NULL;
    if (gr_is_non_depth_first(p->convention))
        gr_map_by_depth_first(&m, p, codon_scratch, 0);
    else {
        gr_derive_by(&m.d, p->convention, p->max_wraps);
        gr_map_sentence(&m);
    }
    gr_map_end(&m);
    gr_limit_derivation(p, &m.d);
    return m.d.validity == GR_VALID ? m.p.count : 0;
}

/* What individual i asks for in its present draw: 0 when it is invalid; otherwise the table's entry
 * in *entry, NULL where there is no table. */
GR_FN uint32_t gr_asks_for(const gr_state *s, uint32_t i, gr_scratch scratch,
                           uint32_t *codon_scratch, uint32_t **entry) {
    uint32_t deme = i / s->p.population, index = i % s->p.population;
    uint32_t entries = gr_claim_entries(&s->p), tree = s->p.genotype == GR_TREE;
    gr_nodes nodes = tree ? gr_tree(s, 0, i) : scratch.nodes;
    uint32_t count = tree ? gr_first_tree(s, deme, index, nodes, scratch)
                          : gr_first_expression(s, i, scratch, codon_scratch);
    *entry = NULL;
    if (count && entries)
        *entry = s->claims + (size_t)deme * entries + (gr_tree_hash(nodes, count) & (entries - 1));
    return count;
}

/* A step of a round, all individuals' claims before any settles. Individual i, if it takes part in
 * the round, claims the entry it asks for, where the lowest claim stays whatever the order; or
 * settles: it is drawn again in the next round when another has it or it is invalid. */
GR_FN void gr_claim_or_settle(const gr_state *s, uint32_t i, uint32_t round, uint32_t settles,
                              gr_scratch scratch, uint32_t *codon_scratch) {
    uint32_t *entry, claim = gr_claim(&s->p, round, i % s->p.population);
    if (s->attempts[i] != round)
        return;
    uint32_t valid = gr_asks_for(s, i, scratch, codon_scratch, &entry);
    if (settles && (!valid || (entry && *entry != claim)))
        s->attempts[i] = round + 1;
    else if (!settles && entry)
#ifdef __CUDA_ARCH__
        atomicMin(entry, claim);
#else
        *entry = gr_min_u32(*entry, claim);
#endif
}

#endif
