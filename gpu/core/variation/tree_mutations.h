/* Mutations of trees, each with its own probability: all that are drawn one after the other, or
 * exactly one in a child that did not come from crossover. */
#ifndef GR_TREE_MUTATIONS_H
#define GR_TREE_MUTATIONS_H

#include "gpu/core/variation/mutation.h"

/* ---- draws; one lane ---- */

/* Repeated at new nodes until the tree differs (Langdon 2007), `tries` times. */
GR_FN void gr_point_mutation(const gr_params *p, gr_random *r, gr_nodes tree, uint32_t length) {
    for (uint32_t t = 0; t < p->tries; t++) {
        uint32_t i = gr_below(r, length);
        gr_node node = GR_AT(tree, i), other = gr_point_node(p, r, node);
        GR_AT(tree, i) = other;
        if (other.head != node.head || other.operand != node.operand)
            return;
    }
}

/* Standard normal, by Box and Muller. */
GR_FN float gr_gaussian(gr_random *r) {
    float u = (float)((gr_next(r) >> 8) + 1) * 0x1p-24f, v = gr_unit(gr_next(r));
    return gr_sqrt(-2.0f * gr_log(u)) * gr_cos(6.28318531f * v);
}

/* One step up or down the table, or by a normal deviate; a value outside the table goes to the
 * neighbour it stands between. */
GR_FN float gr_creep(const gr_params *p, gr_random *r, float value) {
    if (p->creep_gaussian) {
        float moved = value + p->creep_deviation * gr_gaussian(r);
        return moved - moved == 0.0f ? moved : value;
    }
    uint32_t up = gr_next(r) >> 31, low = 0, high = p->constants; /* first entry not below value */
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (p->constant[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t here = low < p->constants && p->constant[low] == value;
    up = low == 0 ? 1 : low + here >= p->constants ? 0 : up;
    uint32_t next = up ? low + here : low - 1;
    return p->constants ? p->constant[gr_min_u32(next, p->constants - 1)] : value;
}

/* Creep of a constant, each as likely; 0 when there is none. All lanes; the first one draws. */
GR_FN uint32_t gr_constant_mutation(const gr_params *p, gr_random *r, gr_nodes tree,
                                    uint32_t length, gr_lane_group w) {
    uint32_t constants = 0, which = 0, at = 0;
    for (uint32_t i = w.lane; i < length; i += w.width)
        constants += GR_NODE_OP(GR_AT(tree, i)) == GR_CONSTANT;
    constants = gr_sum_lanes(w, constants);
    if (!constants)
        return 0;
    if (w.lane == 0)
        which = gr_below(r, constants);
    which = gr_from_first(w, which);
    for (uint32_t from = 0, count = 0; from < length && count <= which; from += w.width) {
        uint32_t i = from + w.lane, before;
        uint32_t constant = i < length && GR_NODE_OP(GR_AT(tree, i)) == GR_CONSTANT;
        uint32_t found = gr_count_before(w, constant, &before);
        at += gr_sum_lanes(w, constant && count + before == which ? i : 0);
        count += found;
    }
    gr_sync(w);
    if (w.lane == 0)
        GR_AT(tree, at).operand =
            gr_float_bits(gr_creep(p, r, gr_bits_float(GR_AT(tree, at).operand)));
    return 1;
}

/* The tree becomes one of its subtrees. */
GR_FN gr_edit gr_draw_hoist(gr_random *r, gr_nodes tree, uint32_t length) {
    uint32_t i = gr_below(r, length), size = GR_NODE_SIZE(GR_AT(tree, i));
    gr_edit edit = {length - 1, size, i + 1 - size, size, 0, 0, 0};
    return edit;
}

/* A leaf replaces a subtree. */
GR_FN gr_edit gr_draw_shrink(const gr_params *p, gr_random *r, gr_nodes tree, uint32_t length,
                             gr_nodes scratch) {
    gr_edit edit = {0, 1, 0, 0, 0, 0, 0};
    for (uint32_t t = 0; t < p->tries && GR_NODE_SIZE(GR_AT(tree, edit.root)) == 1; t++)
        edit.root = gr_below(r, length);
    GR_AT(scratch, 0) = gr_random_leaf(p, r);
    return edit;
}

/* A function is put above a subtree, which becomes one of its operands beside random leaves. */
GR_FN gr_edit gr_draw_insert(const gr_params *p, gr_random *r, gr_nodes tree, uint32_t length,
                             gr_nodes scratch) {
    gr_edit edit = {0};
    uint32_t t = 0;
    for (; t < p->tries; t++) {
        uint32_t i = gr_below(r, length), op = p->function[gr_below(r, p->functions)];
        uint32_t arity = gr_arity(op), which = gr_below(r, arity);
        gr_node node = GR_AT(tree, i);
        if (length + arity > p->max_nodes ||
            gr_node_level(tree, length - 1, i) + GR_NODE_HEIGHT(node) > p->max_tree_depth)
            continue;
        edit.root = i;
        edit.count = GR_NODE_SIZE(node);
        edit.from = i + 1 - edit.count;
        edit.at = which;
        edit.size = edit.count + arity;
        for (uint32_t k = 0; k + 1 < arity; k++)
            GR_AT(scratch, k < which ? k : k + edit.count) = gr_random_leaf(p, r);
        GR_AT(scratch, edit.size - 1) = gr_make_node(op, 0, 0, 0);
        break;
    }
    edit.retries = gr_retries_after(t, p->tries);
    return edit;
}

GR_FN gr_edit gr_no_edit(void) {
    gr_edit edit = {0};
    return edit;
}

GR_FN gr_edit gr_edit_point(const gr_params *p, gr_random *r, gr_nodes tree, uint32_t length) {
    gr_point_mutation(p, r, tree, length);
    return gr_no_edit();
}

GR_FN gr_edit gr_edit_points(const gr_params *p, gr_random *r, gr_nodes tree, uint32_t length) {
    for (uint32_t i = 0; i < length; i++)
        if (gr_chance(r, p->multi_point_rate))
            GR_AT(tree, i) = gr_point_node(p, r, GR_AT(tree, i));
    return gr_no_edit();
}

/* Draws a mutation other than of subtrees and constants. Those that keep the tree's shape are done
 * with that. */
GR_FN gr_edit gr_draw_edit(const gr_params *p, gr_random *r, uint32_t kind, gr_nodes tree,
                           uint32_t length, gr_nodes scratch) {
    switch (kind) {
#define GR_MUTATION(id, word, field, plain, grows, edit, help)                                     \
    case GR_MUTATE_##id:                                                                           \
        return edit;
#include "gpu/core/base/mutations.def"
    }
    return gr_no_edit();
}

/* ---- work ---- */

GR_FN void gr_apply_mutation(const gr_params *p, gr_random *r, uint32_t kind, gr_nodes tree,
                             gr_mutant *of, gr_scratch scratch, gr_lane_group w) {
    gr_edit edit = {0};
    if (kind == GR_MUTATE_CONSTANT) { /* without a constant a point mutation (Langdon 2007) */
        uint32_t done = gr_constant_mutation(p, r, tree, of->length, w);
        gr_sync(w);
        if (done)
            return;
        kind = GR_MUTATE_POINT;
    }
    if (kind == GR_MUTATE_SUBTREE)
        edit = gr_draw_subtree(p, r, p->subtree_ramped, tree, of->length, scratch.nodes, w);
    else if (w.lane == 0)
        edit = gr_draw_edit(p, r, kind, tree, of->length, scratch.nodes);
    of->retries = gr_add_retries(of->retries, edit.retries); /* lane 0 knows it */
    gr_sync(w);
    edit.size = gr_from_first(w, edit.size);
    if (!edit.size)
        return;
    edit.root = gr_from_first(w, edit.root);
    edit.from = gr_from_first(w, edit.from);
    edit.count = gr_from_first(w, edit.count);
    edit.at = gr_from_first(w, edit.at);
    edit.drawn = gr_from_first(w, edit.drawn);
    of->length = gr_apply_edit(edit, tree, of->length, scratch, w);
}

enum {
    GR_MUTATIONS_THAT_GROW =
#define GR_MUTATION(id, word, field, plain, grows, edit, help) grows << GR_MUTATE_##id |
#include "gpu/core/base/mutations.def"
        0
};
/* The mutations of a child, as gr_draw_two_mutations. */
GR_FN uint32_t gr_draw_tree_mutations(const gr_params *p, gr_random *r) {
    uint32_t drawn = 0, kind = 0;
    if (p->exclusive) {
        float u = gr_unit(gr_next(r));
        while (kind < GR_MUTATIONS && u >= p->mutation[kind])
            kind++;
        return kind < GR_MUTATIONS ? 1u << kind : 0;
    }
    for (; kind < GR_MUTATIONS; kind++)
        drawn |= gr_chance(r, p->mutation[kind]) << kind;
    return drawn;
}

/* Mutates individual i, an annotated tree. */
GR_CALL void gr_apply_mutations(const gr_state *s, uint32_t generation, uint32_t i, gr_nodes tree,
                                gr_mutant *of, gr_scratch scratch, gr_lane_group group) {
    const gr_params *p = &s->p;
    gr_lane_group w = gr_tree_group(group);
    gr_mutant mutant = *of; /* a copy: nodes are written between its uses */
    gr_random r =
        gr_stream(p, GR_PURPOSE_MUTATION, generation, i / p->population, i % p->population);
    uint32_t drawn = gr_draw_tree_mutations(p, &r);
    for (uint32_t kind = 0; kind < GR_MUTATIONS; kind++)
        if (drawn >> kind & 1u)
            gr_apply_mutation(p, &r, kind, tree, &mutant, scratch, w);
    *of = mutant;
}

/* ---- as the run has it ---- */

/* The mutations that a child will get. */
GR_FN uint32_t gr_draw_mutations(const gr_params *p, gr_random *r) {
    return p->tree_mutations ? gr_draw_tree_mutations(p, r) : gr_draw_two_mutations(p, r);
}

/* Mutates individual i of a generation, an annotated tree. */
GR_FN void gr_mutate_child(const gr_state *s, uint32_t generation, uint32_t i, gr_nodes tree,
                           gr_mutant *of, gr_scratch scratch, gr_lane_group w) {
    if (s->p.tree_mutations) {
        gr_mutant mutant = *of; /* so that nothing else has an address */
        gr_apply_mutations(s, generation, i, tree, &mutant, scratch, w);
        *of = mutant;
    } else
        gr_mutate_tree(s, generation, i, tree, of, scratch, w);
}

#endif
