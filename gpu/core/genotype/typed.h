/* Trees of types: every input, the constants and the result have one, every operation takes and
 * gives some. A signature is an operation with the types of its operands and of its result, which
 * follows from them; so the type of a subtree follows from its nodes, and one may take the place of
 * another of the same type. Units are an instance: types are dimensions.
 *
 * The tables (host/units/types.c) are words: gr_type_head, then by offsets from the first word
 *   input_type  [inputs]        of each, GR_NO_TYPE where none is declared
 *   first_input [types + 1]     into input[]: the inputs of a type
 *   input       [inputs]
 *   first       [types + 1]     into signature[]: those with this result, by operation
 *   level       [types]         of the flattest tree of it
 *   least       [types]         signature of its smallest tree; GR_NO_TYPE: a leaf
 *   signature   [signatures]    gr_signature
 *   order       [signatures]    their numbers, by operation and operands
 *
 * Types from `frame` on belong to the frame of programs of several outputs, argmax(a, b, ...):
 * trees of type `inner`, one for each output, hang in it. Its levels are counted beside theirs, so
 * that every output may be as deep. */
#ifndef GR_TYPED_H
#define GR_TYPED_H

#include "gpu/core/program/tree.h"
#include "gpu/core/state/state.h"

enum { GR_NO_TYPE = 0xffff, GR_MOST_TYPES = 60000 };

typedef struct gr_type_head {
    uint32_t types, target, constant, signatures; /* constant: GR_NO_TYPE: there are none */
    uint32_t input_type, first_input, input, first, level, least, signature, order;
    uint32_t frame, inner; /* frame = types: there is none */
} gr_type_head;

typedef struct gr_signature {
    uint32_t op, operand[3], result, level; /* operands beyond its arity: GR_NO_TYPE */
} gr_signature;

GR_FN const gr_type_head *gr_types_of(const uint32_t *words) {
    return (const gr_type_head *)(const void *)words;
}
GR_FN const gr_signature *gr_signatures_of(const uint32_t *words) {
    return (const gr_signature *)(const void *)(words + gr_types_of(words)->signature);
}

GR_FN uint32_t gr_has_frame(const uint32_t *words) {
    return gr_types_of(words)->frame < gr_types_of(words)->types;
}
/* Levels of the frame from this type on down to the trees that hang in it. */
GR_FN uint32_t gr_frame_levels(const uint32_t *words, uint32_t type) {
    const gr_type_head *t = gr_types_of(words);
    return type < t->frame ? 0 : words[t->level + type] - words[t->level + t->inner];
}
/* The depth of a tree of this type whose outputs have so much; no flatter than it can be. */
GR_FN uint32_t gr_typed_depth(const uint32_t *words, uint32_t type, uint32_t depth) {
    uint32_t levels = gr_frame_levels(words, type);
    return levels + gr_max_u32(depth, words[gr_types_of(words)->level + type] - levels);
}

/* Whether trees keep to types. On the device only files that say so (GR_KEEPS_TYPES) have code for
 * it: kernels that breed by types are apart from those of all other runs. */
GR_FN uint32_t gr_is_typed(const gr_state *s) {
#if defined(__CUDA_ARCH__) && !defined(GR_KEEPS_TYPES)
    (void)s;
    return 0;
#else
    return s->types != NULL;
#endif
}

/* ---- the type of a node ---- */

/* Below, as or above the operation and operands of a signature: by the first that differs. */
GR_FN int32_t gr_compare_signature(const gr_signature *x, uint32_t op, const uint32_t operand[3]) {
    if (x->op != op)
        return x->op < op ? -1 : 1;
    for (uint32_t k = 0; k < 3; k++)
        if (x->operand[k] != operand[k])
            return x->operand[k] < operand[k] ? -1 : 1;
    return 0;
}

/* What an operation gives on operands of these types; GR_NO_TYPE: it does not take them. */
GR_FN uint32_t gr_result_type(const uint32_t *words, uint32_t op, const uint32_t operand[3]) {
    const gr_type_head *t = gr_types_of(words);
    const gr_signature *all = gr_signatures_of(words);
    uint32_t low = 0, high = t->signatures;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const gr_signature *x = &all[words[t->order + middle]];
        int32_t side = gr_compare_signature(x, op, operand);
        if (side == 0)
            return x->result;
        if (side < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return GR_NO_TYPE;
}

/* The types of the operands of function i, by those of the nodes before it. */
GR_FN void gr_operand_types(gr_nodes tree, uint32_t i, gr_words type, uint32_t operand[3]) {
    uint32_t arity = gr_arity(GR_NODE_OP(GR_AT(tree, i))), at = i - 1;
    operand[0] = operand[1] = operand[2] = GR_NO_TYPE;
    for (uint32_t k = arity; k-- > 0;) {
        operand[k] = GR_AT(type, at);
        at -= k ? GR_NODE_SIZE(GR_AT(tree, at)) : 0;
    }
}

/* The types of all nodes of an annotated tree. */
GR_FN void gr_type_nodes(const gr_params *p, const uint32_t *words, gr_nodes tree, uint32_t length,
                         gr_words type) {
    const gr_type_head *t = gr_types_of(words);
    for (uint32_t i = 0; i < length; i++) {
        gr_node node = GR_AT(tree, i);
        uint32_t op = GR_NODE_OP(node), operand[3];
        if (op == GR_CONSTANT) {
            GR_AT(type, i) = t->constant;
            continue;
        }
        if (op == GR_INPUT) {
            uint32_t input = p->weighted ? node.operand & p->index_mask : node.operand;
            GR_AT(type, i) = words[t->input_type + input];
            continue;
        }
        gr_operand_types(tree, i, type, operand);
        GR_AT(type, i) = gr_result_type(words, op, operand);
    }
}

/* The types of the nodes of individual i in the generation that is selected. */
GR_FN uint32_t *gr_node_types(const gr_state *s, uint32_t i) {
    return s->node_types + (size_t)i * s->p.max_nodes;
}

/* Writes them: of an individual, or of one in an archive. */
GR_FN void gr_type_individual(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_words type = {gr_node_types(s, i), 1};
    uint32_t buffer = generation & 1;
    gr_type_nodes(&s->p, s->types, gr_tree(s, buffer, i), s->individuals[buffer][i].length, type);
}

/* ---- random trees ---- */

/* Leaves of a type: its inputs, and the constants as one. */
GR_FN uint32_t gr_typed_leaves(const gr_params *p, const uint32_t *words, uint32_t type) {
    const gr_type_head *t = gr_types_of(words);
    return words[t->first_input + type + 1] - words[t->first_input + type] +
           (t->constant == type && p->constant_probability > 0.0f);
}

/* A leaf of a type that has some: a constant with the probability that the run has for them. */
GR_FN gr_node gr_typed_leaf(const gr_params *p, const uint32_t *words, gr_random *r,
                            uint32_t type) {
    const gr_type_head *t = gr_types_of(words);
    uint32_t first = words[t->first_input + type],
             inputs = words[t->first_input + type + 1] - first;
    uint32_t constants = t->constant == type && p->constant_probability > 0.0f;
    if (constants && (!inputs || gr_chance(r, p->constant_probability)))
        return gr_random_constant(p, r);
    return gr_make_node(GR_INPUT, 1, 1,
                        gr_input_operand(p, words[t->input + first + gr_below(r, inputs)]));
}

/* Operations that give a type in a tree of at most `levels`. */
GR_FN uint32_t gr_typed_operations(const uint32_t *words, uint32_t type, uint32_t levels) {
    const gr_type_head *t = gr_types_of(words);
    const gr_signature *all = gr_signatures_of(words);
    uint32_t count = 0, last = GR_OP_COUNT;
    for (uint32_t k = words[t->first + type]; k < words[t->first + type + 1]; k++)
        if (all[k].level <= levels && all[k].op != last) {
            last = all[k].op;
            count++;
        }
    return count;
}

/* One of their signatures: each operation as likely, then each signature of it. */
GR_FN const gr_signature *gr_draw_signature(const uint32_t *words, gr_random *r, uint32_t type,
                                            uint32_t levels, uint32_t operations) {
    const gr_type_head *t = gr_types_of(words);
    const gr_signature *all = gr_signatures_of(words);
    uint32_t wanted = 1 + gr_below(r, operations), last = GR_OP_COUNT, count = 0;
    uint32_t k = words[t->first + type], end = words[t->first + type + 1];
    for (; wanted; k++)
        if (all[k].level <= levels && all[k].op != last) {
            last = all[k].op;
            wanted--;
        }
    uint32_t first = --k;
    for (; k < end && all[k].op == last; k++)
        count += all[k].level <= levels;
    wanted = gr_below(r, count);
    for (k = first; wanted || all[k].level > levels; k++)
        wanted -= all[k].level <= levels;
    return &all[k];
}

/* How a tree is drawn. */
typedef struct gr_typed_shape {
    uint32_t type, depth; /* at least the level of the type */
    uint32_t full, inner_root;
    uint32_t least; /* the smallest tree of the type, whatever else is asked */
} gr_typed_shape;

/* The function that stands where operands of `type` are open with so many levels left; NULL: a
 * leaf does. */
GR_FN const gr_signature *gr_typed_function(const gr_params *p, const uint32_t *words, gr_random *r,
                                            gr_typed_shape shape, uint32_t type, uint32_t levels,
                                            uint32_t root) {
    const gr_type_head *t = gr_types_of(words);
    uint32_t leaves = gr_typed_leaves(p, words, type);
    if (shape.least)
        return words[t->least + type] == GR_NO_TYPE
                   ? NULL
                   : &gr_signatures_of(words)[words[t->least + type]];
    uint32_t operations = gr_typed_operations(words, type, levels);
    if (!operations)
        return NULL;
    if (leaves && !shape.full && !(root && shape.inner_root) &&
        gr_below(r, leaves + operations) < leaves)
        return NULL;
    return gr_draw_signature(words, r, type, levels, operations);
}

/* A random tree, its nodes in postfix order and annotated; 0 when it would take more than
 * `capacity` nodes. open: for as many words. */
GR_FN uint32_t gr_typed_tree(const gr_params *p, const uint32_t *words, gr_random *r,
                             gr_typed_shape shape, gr_nodes nodes, uint32_t capacity,
                             gr_words open) {
    uint32_t count = 0, opened = 1; /* the last operand is on top: nodes come last operand first */
    if (!capacity)
        return 0;
    GR_AT(open, 0) = shape.type | shape.depth << 16;
    while (opened) {
        uint32_t type = GR_AT(open, --opened) & 0xffffu, levels = GR_AT(open, opened) >> 16;
        const gr_signature *x = gr_typed_function(p, words, r, shape, type, levels, count == 0);
        GR_AT(nodes, count++) = x ? gr_make_node(x->op, 0, 0, 0) : gr_typed_leaf(p, words, r, type);
        uint32_t arity = x ? gr_arity(x->op) : 0;
        if (count + opened + arity > capacity)
            return 0;
        uint32_t around = arity ? gr_frame_levels(words, type) : 0;
        for (uint32_t k = 0; k < arity; k++) {
            uint32_t within = around > 1 && !gr_frame_levels(words, x->operand[k]) ? around : 1;
            GR_AT(open, opened++) = x->operand[k] | (levels - within) << 16;
        }
    }
    gr_reverse(nodes, count);
    gr_annotate(nodes, count);
    return count;
}

/* The tree that individual `index` of its deme starts with, its `attempt`-th draw: as
 * gr_ramped_tree, no flatter than the type allows; at last the smallest of all. */
GR_FN uint32_t gr_typed_first_tree(const gr_state *s, uint32_t deme, uint32_t index,
                                   uint32_t attempt, gr_nodes nodes, gr_scratch scratch) {
    const gr_params *p = &s->p;
    const gr_type_head *t = gr_types_of(s->types);
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, attempt, deme, index);
    uint32_t ramp = p->init_max_depth - p->init_min_depth + 1, count = 0;
    uint32_t level = s->types[t->level + t->target];
    gr_typed_shape shape = {t->target, p->init_max_depth, p->initialisation == GR_INIT_FULL, 1, 0};
    if (p->initialisation == GR_INIT_RAMPED) {
        shape.depth = p->init_min_depth + index % ramp;
        shape.full = index / ramp % 2;
    }
    shape.depth = gr_typed_depth(s->types, t->target, shape.depth);
    for (; !count && shape.depth >= gr_max_u32(level, 2); shape.depth--)
        count = gr_typed_tree(p, s->types, &r, shape, nodes, p->max_nodes, scratch.locations);
    shape.least = 1;
    shape.depth = GR_MAX_HEIGHT;
    return count ? count
                 : gr_typed_tree(p, s->types, &r, shape, nodes, p->max_nodes, scratch.locations);
}

#endif
