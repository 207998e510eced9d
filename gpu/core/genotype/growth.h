/* First trees by other rules than a ramp of depths: of a drawn size, given ones. */
#ifndef GR_GROWTH_H
#define GR_GROWTH_H

#include "gpu/core/genotype/typed.h"

/* ---- PTC2 (Luke 2000) ----
 * Operands are filled in random order, so that a tree of the drawn size may take any shape. While
 * it grows, an operand is an entry of scratch.nodes: head = operation | level << 8, operand = entry
 * of its first operand; the operands of a function stand in a row. */

GR_FN void gr_ptc2_leaf(const gr_params *p, gr_random *r, gr_nodes entries, uint32_t entry) {
    GR_AT(entries, entry) = gr_random_leaf(p, r);
}

/* Lets entry be a function: its operands become the open entries [count, result). */
GR_FN uint32_t gr_ptc2_function(gr_nodes entries, uint32_t entry, uint32_t op, uint32_t count) {
    uint32_t level = GR_AT(entries, entry).head >> 8, arity = gr_arity(op);
    GR_AT(entries, entry) = gr_make_node(op, 0, 0, count);
    GR_AT(entries, entry).head |= level << 8;
    for (uint32_t k = 0; k < arity; k++)
        GR_AT(entries, count + k).head = (level + 1) << 8;
    return count + arity;
}

/* Copies the entries below the first to `nodes`, in postfix order. */
GR_FN void gr_ptc2_write(gr_nodes entries, uint32_t count, gr_words stack, gr_nodes nodes) {
    uint32_t top = 1, end = count;
    GR_AT(stack, 0) = 0;
    while (top) { /* from the root, last operand first: the array fills from its end */
        gr_node entry = GR_AT(entries, GR_AT(stack, --top));
        uint32_t arity = gr_arity(GR_NODE_OP(entry));
        GR_AT(nodes, --end) = gr_make_node(GR_NODE_OP(entry), 0, 0, arity ? 0 : entry.operand);
        for (uint32_t k = 0; k < arity; k++)
            GR_AT(stack, top++) = entry.operand + k;
    }
    gr_annotate(nodes, count);
}

/* A tree of about `size` nodes (a function more than fits may exceed it by its arity - 1), at most
 * `depth` levels; its nodes. */
GR_FN uint32_t gr_ptc2_tree(const gr_params *p, gr_random *r, uint32_t size, uint32_t depth,
                            gr_nodes nodes, gr_scratch scratch) {
    gr_nodes entries = scratch.nodes;
    gr_words open = scratch.locations,
             stack = {open.at + (size_t)p->max_nodes * open.step, open.step};
    uint32_t count = 1, opened = 1;
    GR_AT(entries, 0) = gr_make_node(0, 1, 0, 0);
    GR_AT(open, 0) = 0;
    while (opened && count < size) { /* every entry becomes a node: count is what is sure */
        uint32_t k = gr_below(r, opened), entry = GR_AT(open, k);
        uint32_t op = p->function[gr_below(r, p->functions)];
        GR_AT(open, k) = GR_AT(open, --opened);
        if (GR_AT(entries, entry).head >> 8 >= depth || count + gr_arity(op) > p->max_nodes) {
            gr_ptc2_leaf(p, r, entries, entry);
            continue;
        }
        uint32_t first = count;
        count = gr_ptc2_function(entries, entry, op, count);
        while (first < count)
            GR_AT(open, opened++) = first++;
    }
    while (opened)
        gr_ptc2_leaf(p, r, entries, GR_AT(open, --opened));
    gr_ptc2_write(entries, count, stack, nodes);
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

/* The tree that individual `index` of its deme starts with, its `attempt`-th draw. One lane. */
GR_FN uint32_t gr_draw_first_tree(const gr_params *p, uint32_t deme, uint32_t index,
                                  uint32_t attempt, gr_nodes nodes, gr_scratch scratch) {
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, attempt, deme, index);
    uint32_t kind = gr_first_tree_kind(p->initialisation);
    if (kind == GR_TREES_RAMP)
        return gr_ramped_tree(p, &r, index, nodes);
    uint32_t size = p->init_min_nodes + gr_below(&r, p->init_max_nodes - p->init_min_nodes + 1);
    uint32_t depth = p->init_max_depth;
    return kind == GR_TREES_PTC2 ? gr_ptc2_tree(p, &r, size, depth, nodes, scratch)
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

#endif
