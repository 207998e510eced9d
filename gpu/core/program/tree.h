/* Trees of genetic programming: random growth and positions inside a tree. Nodes in postfix order
 * (node.h). */
#ifndef GR_TREE_H
#define GR_TREE_H

#include "gpu/core/base/rng.h"
#include "gpu/core/program/weight.h"

GR_FN gr_node gr_random_constant(const gr_params *p, gr_random *r) {
    uint32_t entries = p->constants + p->ephemeral, entry = entries ? gr_below(r, entries) : 0;
    if (entry < p->constants)
        return gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(p->constant[entry]));
    float value = p->constant_min + (p->constant_max - p->constant_min) * gr_unit(gr_next(r));
    return gr_make_node(GR_CONSTANT, 1, 1, gr_float_bits(value));
}

GR_FN gr_node gr_random_leaf(const gr_params *p, gr_random *r) {
    if (p->constant_probability > 0.0f && gr_chance(r, p->constant_probability))
        return gr_random_constant(p, r);
    return gr_make_node(GR_INPUT, 1, 1, gr_input_operand(p, gr_below(r, p->inputs)));
}

/* Koza's grow draws over functions and terminals alike; constants together count as one terminal.
 */
GR_FN uint32_t gr_grow_stops(const gr_params *p, gr_random *r) {
    uint32_t terminals = p->inputs + (p->constant_probability > 0.0f);
    return gr_below(r, terminals + p->functions) < terminals;
}

GR_FN void gr_reverse(gr_nodes nodes, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        gr_node swap = GR_AT(nodes, i);
        GR_AT(nodes, i) = GR_AT(nodes, count - 1 - i);
        GR_AT(nodes, count - 1 - i) = swap;
    }
}

/* Draws a random tree of at most `depth` levels, its root first and each function's last operand
 * before the others. `full`: every leaf at that level; otherwise grown, its root a function if
 * `inner_root`. 0 when it would take more than `capacity` nodes. Lanes of a group draw the same. */
GR_FN uint32_t gr_draw_tree(const gr_params *p, gr_random *r, uint32_t depth, uint32_t full,
                            uint32_t inner_root, gr_nodes nodes, uint32_t capacity,
                            gr_lane_group w) {
    /* operands still to come at each level, two bits a level */
    uint64_t upper = 1, lower = 0; /* levels 0..31, 32..63 */
    uint32_t count = 0;
    while ((upper | lower) && count < capacity) {
        uint32_t level = (lower ? gr_highest_bit(lower) + 64 : gr_highest_bit(upper)) / 2;
        uint64_t one = (uint64_t)1 << 2 * (level % 32);
        upper -= level < 32 ? one : 0;
        lower -= level < 32 ? 0 : one;
        uint32_t leaf = level + 1 == depth;
        if (!leaf && !full && (level > 0 || !inner_root))
            leaf = gr_grow_stops(p, r);
        gr_node node;
        if (leaf)
            node = gr_random_leaf(p, r);
        else {
            node = gr_make_node(p->function[gr_below(r, p->functions)], 0, 0, 0);
            uint64_t more = (uint64_t)gr_arity(GR_NODE_OP(node)) << 2 * (++level % 32);
            upper += level < 32 ? more : 0;
            lower += level < 32 ? 0 : more;
        }
        if (w.lane == 0)
            GR_AT(nodes, count) = node;
        count++;
    }
    return upper | lower ? 0 : count;
}

/* The same turned round, which gives postfix order, and annotated. */
GR_FN uint32_t gr_random_tree(const gr_params *p, gr_random *r, uint32_t depth, uint32_t full,
                              uint32_t inner_root, gr_nodes nodes, uint32_t capacity) {
    const gr_lane_group alone = {0, 1};
    uint32_t count = gr_draw_tree(p, r, depth, full, inner_root, nodes, capacity, alone);
    gr_reverse(nodes, count);
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

/* Whether `node`, which stands behind `target`, stands above it: its subtree begins no later. */
GR_FN uint32_t gr_is_above(gr_nodes nodes, uint32_t node, uint32_t target) {
    return node + 1 - GR_NODE_SIZE(GR_AT(nodes, node)) <= target;
}

/* The same by looking at every node behind the target, which needs no answer of one node before it
 * asks the next: a lane alone does it so where they are few, a warp always. */
enum { GR_FEW_BEHIND = 64 };
GR_FN uint32_t gr_find_level(gr_nodes nodes, uint32_t root, uint32_t target, gr_lane_group w) {
    uint32_t above = 0;
    if (w.width == 1 && root - target > GR_FEW_BEHIND)
        return gr_node_level(nodes, root, target);
    GR_TURNS_AT_ONCE(8)
    for (uint32_t node = target + 1 + w.lane; node <= root; node += w.width)
        above += gr_is_above(nodes, node, target);
    return 1 + gr_sum_lanes(w, above);
}

/* Nodes above a node at most, as heights tell, and those behind it: often enough to know that its
 * level does not matter. */
GR_FN uint32_t gr_nodes_above(gr_node root, gr_node node, uint32_t behind) {
    return gr_min_u32(GR_NODE_HEIGHT(root) - GR_NODE_HEIGHT(node), behind);
}

/* ---- after a subtree was replaced ---- */

/* Lists `node` in path[*count] where it stands above a target; lanes in rising order of node. */
GR_FN void gr_list_ancestor(uint32_t node, uint32_t above, gr_words path, uint32_t *count,
                            gr_lane_group w) {
    uint32_t before, found = gr_count_before(w, above, &before);
    if (above)
        GR_AT(path, *count + before) = node;
    *count += found;
}

/* Lists the nodes above `target`, its parent first, as they will be numbered once `shift` nodes
 * (modulo 2^32) are inserted below them; how many. path: max_tree_depth words. */
GR_FN uint32_t gr_find_ancestors(gr_nodes nodes, uint32_t root, uint32_t target, uint32_t shift,
                                 gr_words path, gr_lane_group w) {
    uint32_t count = 0;
    for (uint32_t from = target + 1; from <= root; from += w.width) {
        uint32_t node = from + w.lane;
        uint32_t above = node <= root && gr_is_above(nodes, node, target);
        gr_list_ancestor(node + shift, above, path, &count, w);
    }
    return count;
}

/* A function and its operands, `on` the one that comes from a node before it in a path. */
typedef struct gr_family {
    gr_node node, last, other, first;
    uint32_t at, on; /* on: 0 the last, 1 the other, 2 the first */
} gr_family;

GR_FN gr_family gr_look_around(gr_nodes nodes, uint32_t at, uint32_t child) {
    gr_family f = {.node = GR_AT(nodes, at), .last = GR_AT(nodes, at - 1), .at = at};
    uint32_t arity = gr_arity(GR_NODE_OP(f.node)), operand = at - 1;
    if (arity > 1) {
        operand -= GR_NODE_SIZE(f.last);
        f.other = GR_AT(nodes, operand);
        f.on += child <= operand;
    }
    if (arity > 2) {
        operand -= GR_NODE_SIZE(f.other);
        f.first = GR_AT(nodes, operand);
        f.on += child <= operand;
    }
    return f;
}

/* The way from `below`, a leaf or not, to the function above it. */
GR_FN gr_ascent gr_ascent_to(gr_family f, uint32_t leaf) {
    gr_node open = gr_make_node(GR_NODE_OP(f.node), 0, leaf ? 1 : 2, 0); /* a function's, all 0 */
    gr_node one = f.on == 0 ? f.other : f.last, two = f.on == 2 ? f.other : f.first;
    uint32_t turned = gr_stack_levels(two) > gr_stack_levels(one);
    gr_node joined = gr_join(GR_NODE_OP(f.node), f.on == 0 ? open : f.last,
                             f.on == 1 ? open : f.other, f.on == 2 ? open : f.first);
    return gr_ascent_of(joined, gr_arity(GR_NODE_OP(f.node)) - 1, turned ? two : one,
                        turned ? one : two, leaf);
}

/* The ways of all lanes up to this one's, one above the other. */
GR_FN gr_ascent gr_ascent_before(gr_ascent a, gr_lane_group w) {
    for (uint32_t x = 1; x < w.width; x *= 2) {
        uint32_t levels = gr_from_before(w, a.from | a.full << 16, x),
                 nodes = gr_from_before(w, a.height | a.steps << 16, x),
                 instructions = gr_from_before(w, a.instructions, x);
        gr_ascent lower = {levels & 0xffffu, levels >> 16, nodes & 0xffffu, nodes >> 16,
                           instructions};
        if (w.lane >= x)
            a = gr_ascend_on(lower, a);
    }
    return a;
}

/* After a subtree was replaced, which made the tree `shift` nodes longer (modulo 2^32), only the
 * `count` nodes above its root `target` carry old sizes, heights, stack levels and instructions:
 * fixes them, all lanes one each. Sizes all grow alike; the rest depends on the node below, by ways
 * up that join. */
GR_CALL void gr_fix_ancestor_sizes(gr_nodes nodes, uint32_t target, uint32_t shift, uint32_t count,
                                   gr_words path, gr_lane_group group) {
    gr_lane_group w = gr_tree_group(group);
    gr_node below = GR_AT(nodes, target);
    for (uint32_t k = w.lane; k < count; k += w.width)
        GR_AT(nodes, GR_AT(path, k)).head += shift << 16;
    gr_sync(w);
    for (uint32_t from = 0; from < count; from += w.width) {
        uint32_t mine = gr_min_u32(from + w.lane, count - 1);
        gr_family f =
            gr_look_around(nodes, GR_AT(path, mine), mine ? GR_AT(path, mine - 1) : target);
        gr_ascent way = gr_ascent_to(f, mine == 0 && GR_NODE_SIZE(below) == 1);
        gr_node fixed = gr_ascended(gr_ascent_before(way, w), f.node, below);
        gr_sync(w); /* looked at before any is written */
        if (from + w.lane < count)
            GR_AT(nodes, f.at) = fixed;
        below.head = gr_from_lane(w, fixed.head, w.width - 1);
        below.operand = gr_from_lane(w, fixed.operand, w.width - 1);
        gr_sync(w);
    }
}

/* ---- the same by a lane alone ---- */

/* Whether node k stands above a subtree that was replaced and now ends before node `behind`: by its
 * old size its own subtree begins no later than the one that was replaced. */
GR_FN uint32_t gr_reaches_over(gr_node node, uint32_t k, uint32_t behind) {
    return k >= behind && k + 1 < behind + GR_NODE_SIZE(node);
}

/* Goes through those nodes from below. They are found a window at a time, so that lanes which fix
 * trees side by side look for them together; or are known: a bit each, their sizes new. */
typedef struct gr_above {
    gr_nodes nodes;
    uint32_t behind, last; /* of the tree the nodes [behind, last) */
    uint32_t shift;        /* nodes by which the subtree became longer, modulo 2^32 */
    uint32_t from, word;   /* window, a bit for each node of it that is still to come */
    const uint32_t *known; /* by windows of the array, or NULL */
} gr_above;
enum { GR_LOOKED_AT = 32 };
#define GR_NO_NODE 0xffffffffu

GR_FN void gr_look_above(gr_above *a) {
    uint32_t end = gr_min_u32(a->from + GR_LOOKED_AT, a->last);
    if (a->known) {
        a->word = a->known[a->from / GR_LOOKED_AT];
        if (a->from < a->behind) /* trees share a window */
            a->word &= ~0u << (a->behind - a->from);
        a->word &= ~0u >> (a->from + GR_LOOKED_AT - end);
        return;
    }
    a->word = 0;
    for (uint32_t k = a->from; k < end; k++) {
        gr_node node = GR_AT(a->nodes, k);
        uint32_t above = gr_reaches_over(node, k, a->behind);
        a->word |= above << (k - a->from);
        if (above)
            GR_AT(a->nodes, k).head = node.head + (a->shift << 16);
    }
}

GR_FN uint32_t gr_next_above(gr_above *a) {
    while (!a->word && a->from + GR_LOOKED_AT < a->last) {
        a->from += GR_LOOKED_AT;
        gr_look_above(a);
    }
    if (!a->word)
        return GR_NO_NODE;
    uint32_t k = a->from + gr_lowest_bit(a->word);
    a->word &= a->word - 1;
    return k;
}

/* Fixes the nodes [behind, last) of a tree after what stands before them became `shift` nodes
 * longer; see gr_fix_ancestor_sizes. */
GR_FN void gr_fix_sizes_behind(gr_nodes nodes, uint32_t behind, uint32_t last, uint32_t shift,
                               const uint32_t *known) {
    uint32_t settled = 0, more = 0, k, from = known ? behind / GR_LOOKED_AT * GR_LOOKED_AT : behind;
    gr_above a = {nodes, behind, last, shift, from, 0, known};
    if (behind >= last)
        return;
    gr_look_above(&a);
    while (!settled && (k = gr_next_above(&a)) != GR_NO_NODE) {
        gr_node node = GR_AT(nodes, k), last_one = GR_AT(nodes, k - 1), other = {0, 0},
                first = other;
        /* its operands by the sizes, which needs no table */
        uint32_t at = k - 1 - GR_NODE_SIZE(last_one), left = GR_NODE_SIZE(node) - (k - at);
        if (left) {
            other = GR_AT(nodes, at);
            left -= GR_NODE_SIZE(other);
        }
        if (left)
            first = GR_AT(nodes, at - GR_NODE_SIZE(other));
        gr_node joined = gr_join(GR_NODE_OP(node), last_one, other, first);
        GR_AT(nodes, k) = joined;
        more = joined.operand - node.operand;
        settled = joined.head == node.head && !(more & 0xffu);
    }
    while ((more || !known) && (k = gr_next_above(&a)) != GR_NO_NODE)
        GR_AT(nodes, k).operand += more;
}

/* ---- the first generation ---- */

/* The tree of individual `index` of its deme in generation 0, by the run's initialiser. A tree that
 * does not fit max_nodes is drawn again one level lower. */
GR_FN uint32_t gr_ramped_tree(const gr_params *p, gr_random *r, uint32_t index, gr_nodes nodes) {
    uint32_t ramp = p->init_max_depth - p->init_min_depth + 1;
    uint32_t depth = p->init_max_depth, full = p->initialisation == GR_INIT_FULL;
    if (p->initialisation == GR_INIT_RAMPED) {
        depth = p->init_min_depth + index % ramp;
        full = index / ramp % 2;
    }
    for (; depth > 1; depth--) {
        uint32_t count = gr_random_tree(p, r, depth, full, 1, nodes, p->max_nodes);
        if (count)
            return count;
    }
    return gr_random_tree(p, r, 1, 0, 0, nodes, p->max_nodes);
}

#endif
