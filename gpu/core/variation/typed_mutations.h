/* Crossover points and mutations of typed trees (genotype/typed.h): a subtree is replaced by one of
 * the same type, a node by one that takes the same operands and gives the same. One lane. */
#ifndef GR_TYPED_MUTATIONS_H
#define GR_TYPED_MUTATIONS_H

#include "gpu/core/genotype/typed.h"
#include "gpu/core/variation/tree_mutations.h"

/* What a mutation works with: the child, and the types of its nodes. */
typedef struct gr_typed_child {
    const gr_state *s;
    gr_nodes tree;
    uint32_t length;
    gr_words type;
    gr_words open;
    gr_nodes scratch;
} gr_typed_child;

/* Another leaf of the type; another operation on the same operands with the same result. */
GR_FN gr_node gr_typed_point_node(const gr_typed_child *c, gr_random *r, uint32_t i) {
    const gr_params *p = &c->s->p;
    gr_node node = GR_AT(c->tree, i), other = node;
    uint32_t op = GR_NODE_OP(node), arity = gr_arity(op), operand[3];
    uint32_t first = p->arity_first[arity], count = p->arity_first[arity + 1] - first;
    if (arity && !count) /* of the frame, and no function has as many operands */
        return node;
    if (arity)
        gr_operand_types(c->tree, i, c->type, operand);
    for (uint32_t t = 0; t < 8; t++) {
        if (arity == 0)
            other = gr_typed_leaf(p, c->s->types, r, GR_AT(c->type, i));
        else
            other.head = (node.head & ~0xffu) | p->function[first + gr_below(r, count)];
        if (arity && gr_result_type(c->s->types, GR_NODE_OP(other), operand) != GR_AT(c->type, i))
            continue;
        if (other.head != node.head || (arity == 0 && other.operand != node.operand))
            return other;
    }
    return node;
}

/* As gr_point_mutation. */
GR_FN void gr_typed_point(const gr_typed_child *c, gr_random *r) {
    for (uint32_t t = 0; t < c->s->p.tries; t++) {
        uint32_t i = gr_below(r, c->length);
        gr_node node = GR_AT(c->tree, i), other = gr_typed_point_node(c, r, i);
        GR_AT(c->tree, i) = other;
        if (other.head != node.head || other.operand != node.operand)
            return;
    }
}

/* As gr_draw_subtree. */
GR_FN gr_edit gr_draw_typed_subtree(const gr_typed_child *c, gr_random *r) {
    const gr_params *p = &c->s->p;
    const uint32_t *words = c->s->types;
    gr_edit edit = {0};
    uint32_t t = 0;
    for (; t < p->tries && !edit.size; t++) {
        uint32_t i = gr_below(r, c->length), type = GR_AT(c->type, i), depth = p->subtree_depth;
        uint32_t level = gr_node_level(c->tree, c->length - 1, i);
        uint32_t capacity = p->max_nodes - (c->length - GR_NODE_SIZE(GR_AT(c->tree, i)));
        gr_typed_shape shape = {type, 0, 0, p->subtree_ramped, 0};
        if (p->subtree_ramped)
            depth = 1 + gr_below(r, p->subtree_depth), shape.full = gr_next(r) >> 31;
        shape.depth = gr_typed_depth(words, type, depth);
        edit.root = i;
        if (shape.depth <= p->max_tree_depth - level + 1)
            edit.size = gr_typed_tree(p, words, r, shape, c->scratch, capacity, c->open);
    }
    edit.retries = gr_retries_after(t - (edit.size != 0), p->tries);
    return edit;
}

/* The tree becomes one of its subtrees of the same type. */
GR_FN gr_edit gr_draw_typed_hoist(const gr_typed_child *c, gr_random *r) {
    gr_edit edit = {0};
    for (uint32_t t = 0; t < c->s->p.tries && !edit.size; t++) {
        uint32_t i = gr_below(r, c->length), size = GR_NODE_SIZE(GR_AT(c->tree, i));
        gr_edit found = {c->length - 1, size, i + 1 - size, size, 0, 0, 0};
        if (GR_AT(c->type, i) == GR_AT(c->type, c->length - 1))
            edit = found;
    }
    return edit;
}

/* A leaf replaces a subtree of a type that has leaves. */
GR_FN gr_edit gr_draw_typed_shrink(const gr_typed_child *c, gr_random *r) {
    const gr_params *p = &c->s->p;
    gr_edit edit = {0};
    for (uint32_t t = 0; t < p->tries && !edit.size; t++) {
        uint32_t i = gr_below(r, c->length), type = GR_AT(c->type, i);
        if (GR_NODE_SIZE(GR_AT(c->tree, i)) == 1 || !gr_typed_leaves(p, c->s->types, type))
            continue;
        GR_AT(c->scratch, 0) = gr_typed_leaf(p, c->s->types, r, type);
        edit.root = i;
        edit.size = 1;
    }
    return edit;
}

/* How many operands of the signature a subtree of the type that it gives may be, the others being
 * leaves. */
GR_FN uint32_t gr_operands_above(const gr_params *p, const uint32_t *words, const gr_signature *x) {
    uint32_t arity = gr_arity(x->op), own = 0, leaves = 0;
    for (uint32_t k = 0; k < arity; k++) {
        own += x->operand[k] == x->result;
        leaves += gr_typed_leaves(p, words, x->operand[k]) > 0;
    }
    uint32_t itself = own && gr_typed_leaves(p, words, x->result); /* counted among the leaves */
    return leaves + 1 - (itself != 0) >= arity ? own : 0;
}

/* A function is put above a subtree of the type that it gives, which becomes one of its operands
 * beside random leaves: each signature that can be as likely, each operand that it can be. */
GR_FN gr_edit gr_draw_typed_insert(const gr_typed_child *c, gr_random *r) {
    const gr_params *p = &c->s->p;
    const uint32_t *words = c->s->types, *first = words + gr_types_of(words)->first;
    const gr_signature *all = gr_signatures_of(words);
    gr_edit edit = {0};
    uint32_t t = 0;
    for (; t < p->tries && !edit.size; t++) {
        uint32_t i = gr_below(r, c->length), type = GR_AT(c->type, i), suit = 0, k = first[type];
        gr_node node = GR_AT(c->tree, i);
        for (uint32_t n = k; n < first[type + 1]; n++)
            suit += gr_operands_above(p, words, &all[n]) > 0;
        if (!suit)
            continue;
        for (suit = gr_below(r, suit); suit || !gr_operands_above(p, words, &all[k]); k++)
            suit -= gr_operands_above(p, words, &all[k]) > 0;
        uint32_t arity = gr_arity(all[k].op),
                 which = gr_below(r, gr_operands_above(p, words, &all[k]));
        if (c->length + arity > p->max_nodes ||
            gr_node_level(c->tree, c->length - 1, i) + GR_NODE_HEIGHT(node) > p->max_tree_depth)
            continue;
        edit.root = i;
        edit.count = GR_NODE_SIZE(node);
        edit.from = i + 1 - edit.count;
        edit.size = edit.count + arity;
        for (uint32_t n = 0, at = 0; n < arity; n++) {
            if (all[k].operand[n] == type && which-- == 0) {
                edit.at = n;
                at += edit.count;
            } else
                GR_AT(c->scratch, at++) = gr_typed_leaf(p, words, r, all[k].operand[n]);
        }
        GR_AT(c->scratch, edit.size - 1) = gr_make_node(all[k].op, 0, 0, 0);
    }
    edit.retries = gr_retries_after(t - (edit.size != 0), p->tries);
    return edit;
}

GR_FN gr_edit gr_draw_typed_edit(const gr_typed_child *c, gr_random *r, uint32_t kind) {
    switch (kind) {
    case GR_MUTATE_SUBTREE:
        return gr_draw_typed_subtree(c, r);
    case GR_MUTATE_HOIST:
        return gr_draw_typed_hoist(c, r);
    case GR_MUTATE_SHRINK:
        return gr_draw_typed_shrink(c, r);
    case GR_MUTATE_INSERT:
        return gr_draw_typed_insert(c, r);
    case GR_MUTATE_MULTI_POINT:
        for (uint32_t i = 0; i < c->length; i++)
            if (gr_chance(r, c->s->p.multi_point_rate))
                GR_AT(c->tree, i) = gr_typed_point_node(c, r, i);
        break;
    default:
        gr_typed_point(c, r);
    }
    return gr_no_edit();
}

/* Mutates individual i of a generation, an annotated tree. */
GR_FN void gr_mutate_typed(const gr_state *s, uint32_t generation, uint32_t i, gr_nodes tree,
                           gr_mutant *of, gr_scratch scratch) {
    const gr_params *p = &s->p;
    const gr_lane_group alone = {0, 1};
    gr_random r =
        gr_stream(p, GR_PURPOSE_MUTATION, generation, i / p->population, i % p->population);
    uint32_t drawn = gr_draw_mutations(p, &r), step = scratch.locations.step;
    const gr_words types = {scratch.locations.at + (size_t)p->max_nodes * step, step};
    for (uint32_t kind = 0; kind < GR_MUTATIONS; kind++) {
        if (!(drawn >> kind & 1u) ||
            (kind == GR_MUTATE_CONSTANT && gr_constant_mutation(p, &r, tree, of->length, alone)))
            continue;
        const gr_typed_child child = {s, tree, of->length, types, scratch.locations, scratch.nodes};
        gr_type_nodes(p, s->types, tree, of->length, child.type);
        if (GR_AT(child.type, of->length - 1) != gr_types_of(s->types)->target)
            return; /* of a checkpoint that is not this program's: no type is sure */
        gr_edit edit = gr_draw_typed_edit(&child, &r, kind);
        of->retries = gr_add_retries(of->retries, edit.retries);
        if (edit.size)
            of->length = gr_apply_edit(edit, tree, of->length, scratch, alone);
    }
}

#endif
