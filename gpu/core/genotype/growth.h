/* First trees by other rules than a ramp of depths: of a drawn size, given ones. */
#ifndef GR_GROWTH_H
#define GR_GROWTH_H

#include "gpu/core/genotype/typed.h"

/* ---- PTC2 (Luke 2000) ----
 * Operands are filled in random order, so that a tree of the drawn size may take any shape. While
 * it grows, an operand is an entry: first its level, then operation | entry of its first operand <<
 * GR_ENTRY_OP_BITS, those of a function standing in a row; a leaf has its own operand there, or
 * GR_FAR_OPERAND where that is too large and stands apart. */
enum { GR_ENTRY_OP_BITS = 7, GR_FAR_OPERAND = 511 };
typedef char gr_operations_fit_an_entry[GR_OP_COUNT <= 1 << GR_ENTRY_OP_BITS ? 1 : -1];

/* Where entries stand, and which of them are open: `near`, interleaved over the lanes, 16 bits
 * for each entry and behind them 8 for each that is open, or in scratch. is_near is a literal. */
typedef struct gr_sprouts {
    gr_nodes nodes; /* operands that stand apart; entries */
    gr_words open;
    uint8_t *near;
    uint32_t is_near, lane, step, most;
} gr_sprouts;
enum { GR_SPROUT_BYTES = 3, GR_MOST_NEAR_SPROUTS = 256 };

GR_FN uint32_t gr_entry(const gr_sprouts *s, uint32_t k) {
    if (s->is_near)
        return ((uint16_t *)GR_NEAR(s->near))[k * s->step + s->lane];
    return GR_AT(s->nodes, k).head;
}
GR_FN void gr_set_entry(const gr_sprouts *s, uint32_t k, uint32_t entry) {
    if (s->is_near)
        ((uint16_t *)GR_NEAR(s->near))[k * s->step + s->lane] = (uint16_t)entry;
    else
        GR_AT(s->nodes, k).head = entry;
}
GR_FN uint32_t gr_open(const gr_sprouts *s, uint32_t k) {
    return s->is_near ? GR_NEAR(s->near)[(2 * s->most + k) * s->step + s->lane] : GR_AT(s->open, k);
}
GR_FN void gr_set_open(const gr_sprouts *s, uint32_t k, uint32_t entry) {
    if (s->is_near)
        GR_NEAR(s->near)[(2 * s->most + k) * s->step + s->lane] = (uint8_t)entry;
    else
        GR_AT(s->open, k) = entry;
}

GR_FN void gr_ptc2_leaf(const gr_params *p, gr_random *r, const gr_sprouts *s, uint32_t k) {
    gr_node leaf = gr_random_leaf(p, r);
    uint32_t operand = gr_min_u32(leaf.operand, GR_FAR_OPERAND);
    gr_set_entry(s, k, GR_NODE_OP(leaf) | operand << GR_ENTRY_OP_BITS);
    if (operand == GR_FAR_OPERAND)
        GR_AT(s->nodes, k).operand = leaf.operand;
}

/* Copies the entries below the first to `nodes`, in postfix order. None is open any more. */
GR_FN void gr_ptc2_write(const gr_sprouts *s, uint32_t count, gr_nodes nodes) {
    uint32_t top = 1, end = count;
    gr_set_open(s, 0, 0);
    while (top) { /* from the root, last operand first: the array fills from its end */
        uint32_t k = gr_open(s, --top), entry = gr_entry(s, k), of = entry >> GR_ENTRY_OP_BITS;
        uint32_t op = entry & ((1u << GR_ENTRY_OP_BITS) - 1), arity = gr_arity(op);
        gr_node node = gr_make_node(op, 0, 0, 0);
        if (!arity)
            node = gr_make_node(op, 1, 1, of == GR_FAR_OPERAND ? GR_AT(s->nodes, k).operand : of);
        GR_AT(nodes, --end) = node;
        for (k = 0; k < arity; k++)
            gr_set_open(s, top++, of + k);
    }
    gr_annotate(nodes, count);
}

/* A tree of about `size` nodes (a function more than fits may exceed it by its arity - 1), at most
 * `depth` levels; its nodes. */
GR_FN uint32_t gr_ptc2_tree(const gr_params *p, gr_random *r, uint32_t size, uint32_t depth,
                            gr_nodes nodes, const gr_sprouts *s) {
    uint32_t count = 1, opened = 1;
    gr_set_entry(s, 0, 1);
    gr_set_open(s, 0, 0);
    while (opened && count < size) { /* every entry becomes a node: count is what is sure */
        uint32_t k = gr_below(r, opened), entry = gr_open(s, k);
        uint32_t op = p->function[gr_below(r, p->functions)], level = gr_entry(s, entry);
        uint32_t first = count, behind = count + gr_arity(op);
        gr_set_open(s, k, gr_open(s, --opened));
        if (level >= depth || behind > p->max_nodes) {
            gr_ptc2_leaf(p, r, s, entry);
            continue;
        }
        gr_set_entry(s, entry, op | first << GR_ENTRY_OP_BITS);
        for (; count < behind; count++) {
            gr_set_entry(s, count, level + 1);
            gr_set_open(s, opened++, count);
        }
    }
    while (opened)
        gr_ptc2_leaf(p, r, s, gr_open(s, --opened));
    gr_ptc2_write(s, count, nodes);
    return count;
}

/* ---- trees of a bounded size (GPOCL, Augusto and Barbosa 2013) ---- */

/* A function or a terminal that still lets the tree end with exactly `left` more nodes, `open`
 * operands being open, this one included: among all that do, each is as likely. */
GR_FN gr_node gr_sized_node(const gr_params *p, gr_random *r, uint32_t left, uint32_t open,
                            uint32_t leaf) {
    uint32_t terminals = p->inputs + (p->constant_probability > 0.0f), functions = 0;
    uint32_t spare = left - open; /* nodes beyond one for every open operand */
    while (functions < p->functions && gr_arity(p->function[functions]) <= spare)
        functions++; /* sorted by arity */
    if (leaf || functions == 0)
        return gr_random_leaf(p, r);
    uint32_t may_stop = open > 1 || spare == 0; /* the last open operand must use up the rest */
    uint32_t k = gr_below(r, functions + (may_stop ? terminals : 0));
    return k < functions ? gr_make_node(p->function[k], 0, 0, 0) : gr_random_leaf(p, r);
}

/* A tree of `size` nodes, fewer where no function fits or depth ends it; its nodes. */
GR_FN uint32_t gr_sized_tree(const gr_params *p, gr_random *r, uint32_t size, uint32_t depth,
                             gr_nodes nodes, gr_words left) {
    uint32_t count = 0, level = 0, open = 1; /* left[d]: operands to come at level d */
    GR_AT(left, 0) = 1;
    while (open) {
        while (GR_AT(left, level) == 0)
            level--;
        gr_node node = gr_sized_node(p, r, size - count, open, level + 1 == depth);
        uint32_t arity = gr_arity(GR_NODE_OP(node));
        GR_AT(left, level)--;
        GR_AT(nodes, count++) = node;
        open += arity - 1;
        if (arity)
            GR_AT(left, ++level) = arity;
    }
    gr_reverse(nodes, count);
    gr_annotate(nodes, count);
    return count;
}

/* ---- the first generation ---- */

/* How first trees are drawn, from the initialiser's line. */
enum { GR_TREES_RAMP, GR_TREES_PTC2, GR_TREES_SIZED, GR_TREES_NONE };
GR_FN uint32_t gr_first_tree_kind(uint32_t initialisation) {
    const uint32_t all =
#define GR_INITIALISER(id, word, genotypes, trees, genomes, help)                                  \
    (uint32_t) GR_TREES_##trees << 2 * GR_INIT_##id |
#include "gpu/core/base/initialisers.def"
        0;
    return all >> 2 * initialisation & 3u;
}

GR_FN uint32_t gr_first_size(const gr_params *p, gr_random *r) {
    return p->init_min_nodes + gr_below(r, p->init_max_nodes - p->init_min_nodes + 1);
}

/* The tree that individual `index` of its deme starts with, its `attempt`-th draw. One lane. */
GR_FN uint32_t gr_draw_first_tree(const gr_params *p, uint32_t deme, uint32_t index,
                                  uint32_t attempt, gr_nodes nodes, gr_scratch scratch) {
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, attempt, deme, index);
    uint32_t kind = gr_first_tree_kind(p->initialisation);
    if (kind == GR_TREES_RAMP)
        return gr_ramped_tree(p, &r, index, nodes);
    uint32_t size = gr_first_size(p, &r), depth = p->init_max_depth;
    const gr_sprouts sprouts = {scratch.nodes, scratch.locations, NULL, 0, 0, 0, 0};
    return kind == GR_TREES_PTC2 ? gr_ptc2_tree(p, &r, size, depth, nodes, &sprouts)
                                 : gr_sized_tree(p, &r, size, depth, nodes, scratch.locations);
}

/* The same as the run has it: a given tree, or the draw that made it unlike all others. */
GR_CALL uint32_t gr_first_tree(const gr_state *s, uint32_t deme, uint32_t index, gr_nodes nodes,
                               gr_scratch scratch) {
    const gr_params *p = &s->p;
    if (gr_is_typed(s))
        return gr_typed_first_tree(s, deme, index,
                                   s->attempts ? s->attempts[deme * p->population + index] : 0,
                                   nodes, scratch);
    if (!gr_is_given(p, index))
        return gr_draw_first_tree(p, deme, index,
                                  s->attempts ? s->attempts[deme * p->population + index] : 0,
                                  nodes, scratch);
    gr_seed_range seed = gr_seed_of(s, index);
    for (uint32_t k = 0; k < seed.count; k++)
        GR_AT(nodes, k) = s->seeds[seed.first + k];
    return seed.count;
}

/* The same with fast memory to grow in: GR_SPROUT_BYTES for each of max_nodes and each lane.
 * PTC2 goes back and forth in it. */
GR_CALL uint32_t gr_first_tree_near(const gr_state *s, uint32_t deme, uint32_t index,
                                    gr_nodes nodes, gr_scratch scratch, uint8_t *near,
                                    gr_lane_group w) {
    const gr_params *p = &s->p;
    if (gr_first_tree_kind(p->initialisation) != GR_TREES_PTC2 || gr_is_typed(s) ||
        gr_is_given(p, index) || p->max_nodes > GR_MOST_NEAR_SPROUTS)
        return gr_first_tree(s, deme, index, nodes, scratch);
    gr_random r =
        gr_stream(p, GR_PURPOSE_INIT, s->attempts ? s->attempts[deme * p->population + index] : 0,
                  deme, index);
    uint32_t size = gr_first_size(p, &r);
    const gr_sprouts sprouts = {scratch.nodes, scratch.locations, near,        1,
                                w.lane,        w.width,           p->max_nodes};
    return gr_ptc2_tree(p, &r, size, p->init_max_depth, nodes, &sprouts);
}

#endif
