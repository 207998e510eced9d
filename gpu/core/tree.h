/* Trees of genetic programming: random growth and places inside a tree. Nodes in postfix order
 * (node.h). */
#ifndef GR_TREE_H
#define GR_TREE_H

#include "node.h"
#include "rng.h"

GR_FN gr_node gr_random_leaf(const gr_params *p, gr_random *r) {
    if (p->constant_probability > 0.0f && gr_chance(r, p->constant_probability)) {
        float value = p->constant_min + (p->constant_max - p->constant_min) * gr_unit(gr_next(r));
        return gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(value));
    }
    return gr_make_node(GR_INPUT, 1, 1, gr_below(r, p->inputs));
}

/* Koza's grow draws over functions and terminals alike; constants together count as one terminal.
 */
GR_FN uint32_t gr_grow_stops(const gr_params *p, gr_random *r) {
    uint32_t terminals = p->inputs + (p->constant_probability > 0.0f);
    return gr_below(r, terminals + p->functions) < terminals;
}

/* Writes a random tree of at most `depth` levels to nodes [0, result). `full`: every leaf at that
 * level; otherwise grown, its root a function if `inner_root`. 0 when it would take more than
 * `capacity` nodes.
 *
 * Drawn from the root down, last operand first, so that writing from left to right and reversing
 * once gives postfix order. left[d] counts the operands still to come at level d. */
GR_FN uint32_t gr_random_tree(const gr_params *p, gr_random *r, uint32_t depth, uint32_t full,
                              uint32_t inner_root, gr_nodes nodes, uint32_t capacity) {
    uint8_t left[GR_MAX_INIT_DEPTH];
    uint32_t count = 0, level = 0;
    left[0] = 1;
    for (;;) {
        while (level && left[level] == 0)
            level--;
        if (left[level] == 0)
            break;
        left[level]--;
        if (count == capacity)
            return 0;
        uint32_t leaf = level + 1 == depth;
        if (!leaf && !full && (level > 0 || !inner_root))
            leaf = gr_grow_stops(p, r);
        if (leaf)
            GR_AT(nodes, count) = gr_random_leaf(p, r);
        else {
            uint32_t op = p->function[gr_below(r, p->functions)];
            GR_AT(nodes, count) = gr_make_node(op, 0, 0, 0);
            left[++level] = (uint8_t)gr_arity(op);
        }
        count++;
    }
    for (uint32_t i = 0; i < count / 2; i++) {
        gr_node swap = GR_AT(nodes, i);
        GR_AT(nodes, i) = GR_AT(nodes, count - 1 - i);
        GR_AT(nodes, count - 1 - i) = swap;
    }
    gr_annotate(nodes, count);
    return count;
}

/* The operand of `node` whose subtree holds `target`, a node below it. */
GR_FN uint32_t gr_operand_towards(gr_nodes nodes, uint32_t node, uint32_t target) {
    uint32_t child = node - 1; /* the last operand; the others end where the one behind begins */
    for (;;) {
        uint32_t first = child + 1 - GR_NODE_SIZE(GR_AT(nodes, child));
        if (target >= first)
            return child;
        child = first - 1;
    }
}

/* Level of node `target` in the tree with its root at `root`; the root stands at level 1. */
GR_FN uint32_t gr_node_level(gr_nodes nodes, uint32_t root, uint32_t target) {
    uint32_t level = 1;
    for (uint32_t node = root; node != target; node = gr_operand_towards(nodes, node, target))
        level++;
    return level;
}

/* Lists the nodes above `target`, root first, as they will be numbered once `shift` nodes (modulo
 * 2^32) are inserted below them; how many. path has room for max_tree_depth. */
GR_FN uint32_t gr_list_ancestors(gr_nodes nodes, uint32_t root, uint32_t target, uint32_t shift,
                                 gr_words path) {
    uint32_t count = 0;
    for (uint32_t node = root; node != target; node = gr_operand_towards(nodes, node, target))
        GR_AT(path, count++) = node + shift;
    return count;
}

/* Both by all lanes of a worker: instead of going down from the root they look at every node behind
 * the target. One stands above it when its subtree begins no later. */
GR_FN uint32_t gr_is_above(gr_nodes nodes, uint32_t node, uint32_t target) {
    return node + 1 - GR_NODE_SIZE(GR_AT(nodes, node)) <= target;
}
GR_FN uint32_t gr_find_level(gr_nodes nodes, uint32_t root, uint32_t target, gr_worker w) {
    uint32_t above = 0;
    if (w.width == 1)
        return gr_node_level(nodes, root, target);
    for (uint32_t node = target + 1 + w.lane; node <= root; node += w.width)
        above += gr_is_above(nodes, node, target);
    return 1 + gr_sum_lanes(w, above);
}
GR_FN uint32_t gr_find_ancestors(gr_nodes nodes, uint32_t root, uint32_t target, uint32_t shift,
                                 gr_words path, gr_worker w) {
    uint32_t count = 0, before;
    if (w.width == 1)
        return gr_list_ancestors(nodes, root, target, shift, path);
    for (uint32_t behind = 0; behind < root - target; behind += w.width) { /* the root first */
        uint32_t node = root - behind - w.lane, above = behind + w.lane < root - target;
        above = above && gr_is_above(nodes, node, target);
        uint32_t found = gr_count_before(w, above, &before);
        if (above)
            GR_AT(path, count + before) = node + shift;
        count += found;
    }
    return count;
}

/* After a subtree was replaced only the nodes above it carry old sizes, heights and slots: mends
 * them from below. */
GR_FN void gr_mend_ancestors(gr_nodes nodes, uint32_t count, gr_words path) {
    while (count--) {
        uint32_t i = GR_AT(path, count);
        GR_AT(nodes, i) = gr_function_node(nodes, i, GR_NODE_OP(GR_AT(nodes, i)));
    }
}

/* The tree of individual `slot` (its place in its deme) in generation 0, by the run's initialiser.
 * A tree that does not fit max_nodes is drawn again one level lower. */
GR_FN uint32_t gr_initial_tree(const gr_params *p, uint32_t deme, uint32_t slot, gr_nodes nodes) {
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, 0, deme, slot);
    uint32_t ramp = p->init_max_depth - p->init_min_depth + 1;
    uint32_t depth = p->init_max_depth, full = p->initialisation == GR_INIT_FULL;
    if (p->initialisation == GR_INIT_RAMPED) {
        depth = p->init_min_depth + slot % ramp;
        full = slot / ramp % 2;
    }
    for (; depth > 1; depth--) {
        uint32_t count = gr_random_tree(p, &r, depth, full, 1, nodes, p->max_nodes);
        if (count)
            return count;
    }
    return gr_random_tree(p, &r, 1, 0, 0, nodes, p->max_nodes);
}

#endif
