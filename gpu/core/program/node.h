/* Trees as arrays of nodes in postfix order: operands before their function, the root last. */
#ifndef GR_NODE_H
#define GR_NODE_H

#include "gpu/core/base/ops.h"

/* 8 bytes. The subtree of node i occupies [i - size(i) + 1, i]; its last operand ends at i - 1. */
typedef struct __attribute__((aligned(8))) gr_node { /* read at once */
    uint32_t head;    /* operation | height << 8 | size << 16; a leaf has height 1 and size 1 */
    uint32_t operand; /* of a leaf: see gr_op; of a function: stack levels | instructions << 8 of
                         its evaluation (linear.h) */
} gr_node;

#define GR_NODE_OP(node) ((node).head & 0xffu)
#define GR_NODE_HEIGHT(node) (((node).head >> 8) & 0xffu)
#define GR_NODE_SIZE(node) ((node).head >> 16)

/* Arrays whose elements may be interleaved over the threads of the device, so that neighbouring
 * threads touch neighbouring addresses. step is 1 for an array of its own. */
typedef struct gr_nodes {
    gr_node *at;
    uint32_t step;
} gr_nodes;
typedef struct gr_words {
    uint32_t *at;
    uint32_t step;
} gr_words;
#define GR_AT(array, i) ((array).at[(size_t)(i) * (array).step])

GR_FN gr_nodes gr_nodes_from(gr_nodes nodes, uint32_t first) {
    nodes.at = &GR_AT(nodes, first);
    return nodes;
}

/* Copies a node to fast (device: shared) memory; it is there after gr_copied. The device does that
 * beside whatever else is to be done. */
GR_FN void gr_copy_node(gr_node *near, const gr_node *far) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((uint32_t)__cvta_generic_to_shared(near)),
        "l"(__cvta_generic_to_global(far))
        : "memory");
#elif defined(GR_WARP_OF_FIBRES)
    warp_begin_copy(near, far, sizeof *near);
#else
    *near = *far;
#endif
}

/* The same pointer, to far (device: global) or fast (shared) memory, which the compiler cannot know
 * of one that was read from somewhere. */
#ifdef __CUDA_ARCH__
#define GR_FAR(pointer) (__builtin_assume(__isGlobal(pointer)), (pointer))
#define GR_NEAR(pointer) (__builtin_assume(__isShared(pointer)), (pointer))
#else
#define GR_FAR(pointer) (pointer)
#define GR_NEAR(pointer) (pointer)
#endif

GR_FN gr_node gr_make_node(uint32_t op, uint32_t height, uint32_t size, uint32_t operand) {
    gr_node node = {op | height << 8 | size << 16, operand};
    return node;
}

/* Stack levels beyond the accumulator that evaluating a node takes, and the instructions of its
 * linear program. */
GR_FN uint32_t gr_stack_levels(gr_node node) {
    return GR_NODE_OP(node) <= GR_INPUT ? 0 : node.operand & 0xffu;
}
GR_FN uint32_t gr_instructions(gr_node node) {
    return GR_NODE_OP(node) <= GR_INPUT ? 1 : node.operand >> 8;
}

/* A function node over its operands, the last one first; those beyond the arity are all 0. Stack
 * levels by Sethi and Ullman: the needier operand first, each finished one occupies a level; a leaf
 * beside one other operand is used in place, without an instruction. Height saturates at
 * GR_MAX_HEIGHT, which every depth limit stays below. */
GR_FN gr_node gr_join(uint32_t op, gr_node last, gr_node other, gr_node first) {
    uint32_t size = 1 + GR_NODE_SIZE(last) + GR_NODE_SIZE(other);
    uint32_t height = gr_max_u32(GR_NODE_HEIGHT(last), GR_NODE_HEIGHT(other));
    uint32_t need = gr_stack_levels(last), also = gr_stack_levels(other),
             levels = gr_max_u32(need, also);
    uint32_t low = gr_min_u32(need, also), in_place = GR_NODE_SIZE(other) <= 1;
    uint32_t instructions = 1 + gr_instructions(last) + gr_instructions(other);
    if (first.head == 0) {
        in_place |= GR_NODE_SIZE(last) == 1;
        levels = in_place ? levels : gr_max_u32(levels, low + 1);
        instructions -= in_place;
    } else { /* needs falling: most, the second, the least */
        uint32_t third = gr_stack_levels(first), most = gr_max_u32(levels, third);
        uint32_t least = gr_min_u32(low, third), second = levels + low + third - most - least;
        size += GR_NODE_SIZE(first);
        height = gr_max_u32(height, GR_NODE_HEIGHT(first));
        instructions += gr_instructions(first);
        levels = gr_max_u32(most, gr_max_u32(second + 1, least + 2));
    }
    return gr_make_node(op, gr_min_u32(height + 1, GR_MAX_HEIGHT), size,
                        levels | instructions << 8);
}

/* How stack levels, height and instructions of a function follow from those of one operand, the
 * others being what they are; also those of the root of several functions one above the other. So a
 * way up a tree need not be gone step by step. Stack levels are full - 1 over an operand that takes
 * fewer than `from`, otherwise as many as that takes, at least `full`; from <= full. */
typedef struct gr_ascent {
    uint32_t from, full;
    uint32_t height, steps; /* at least `height`, and that of the operand and `steps` */
    uint32_t instructions;  /* beside those of the operand */
} gr_ascent;

/* That of one function over an operand that is a leaf or not. joined: what gr_join makes of an
 * operand without height, stack levels and instructions beside the others, of which there are
 * `siblings`: that with more stack levels, and that with fewer. */
GR_FN gr_ascent gr_ascent_of(gr_node joined, uint32_t siblings, gr_node needier, gr_node other,
                             uint32_t leaf) {
    uint32_t most = gr_stack_levels(needier), least = gr_stack_levels(other);
    gr_ascent a = {0, 0, GR_NODE_HEIGHT(joined), 1, gr_instructions(joined)};
    if (siblings == 1) { /* a leaf is used in place: the others take the levels that they need */
        a.from = most + (leaf || GR_NODE_SIZE(needier) == 1);
        a.full = most + 1;
    } else if (siblings == 2) {
        a.from = most - (least + 1 == most);
        a.full = most + 1 + (least == most);
    }
    return a;
}

/* The first, and above it the second. */
GR_FN gr_ascent gr_ascend_on(gr_ascent a, gr_ascent b) {
    gr_ascent both = {0, gr_max_u32(a.full, b.full), gr_max_u32(a.height + b.steps, b.height),
                      a.steps + b.steps, a.instructions + b.instructions};
    if (a.full < b.from)
        both.from = b.from;
    else if (a.full == b.from || b.full < a.full)
        both.from = a.from;
    return both;
}

/* The node at its upper end, which was `node` before, over the operand `below`. */
GR_FN gr_node gr_ascended(gr_ascent a, gr_node node, gr_node below) {
    uint32_t need = gr_stack_levels(below);
    uint32_t levels = need < a.from ? a.full - 1 : gr_max_u32(need, a.full);
    uint32_t height = gr_max_u32(GR_NODE_HEIGHT(below) + a.steps, a.height);
    return gr_make_node(GR_NODE_OP(node), gr_min_u32(height, GR_MAX_HEIGHT), GR_NODE_SIZE(node),
                        levels | (gr_instructions(below) + a.instructions) << 8);
}

/* A function node whose operands end just before index i, from what they tell; last: the one there.
 */
GR_FN gr_node gr_function_over(gr_nodes nodes, uint32_t i, uint32_t op, gr_node last) {
    uint32_t arity = gr_arity(op);
    gr_node other = {0, 0}, first = {0, 0};
    if (arity > 1)
        other = GR_AT(nodes, i - 1 - GR_NODE_SIZE(last));
    if (arity > 2)
        first = GR_AT(nodes, i - 1 - GR_NODE_SIZE(last) - GR_NODE_SIZE(other));
    return gr_join(op, last, other, first);
}

GR_FN gr_node gr_function_node(gr_nodes nodes, uint32_t i, uint32_t op) {
    return gr_function_over(nodes, i, op, GR_AT(nodes, i - 1));
}

/* Whether the operands of function i have their sizes; those that have none yet have 0. */
GR_FN uint32_t gr_operands_done(gr_nodes nodes, uint32_t i) {
    uint32_t left = gr_arity(GR_NODE_OP(GR_AT(nodes, i))), at = i, size;
    for (; left && (size = GR_NODE_SIZE(GR_AT(nodes, at - 1))); left--)
        at -= size;
    return !left;
}

/* Writes all that gr_function_node tells of nodes [0, n) again after their order or operations
 * changed. */
GR_FN void gr_annotate(gr_nodes nodes, uint32_t n) {
    gr_node node = {0, 0}, last;
    for (uint32_t i = 0; i < n; i++) {
        last = node;
        node = GR_AT(nodes, i);
        uint32_t head = node.head;
        if (GR_NODE_OP(node) <= GR_INPUT)
            node = gr_make_node(GR_NODE_OP(node), 1, 1, node.operand);
        else
            node = gr_function_over(nodes, i, GR_NODE_OP(node), last);
        if (node.head != head || GR_NODE_OP(node) > GR_INPUT) /* leaves mostly are as they were */
            GR_AT(nodes, i) = node;
    }
}

/* The same by all lanes of a group, of a new tree whose functions have size 0: whoever finds the
 * operands of one done does it, the upper ones in later rounds. */
GR_FN void gr_annotate_together(gr_nodes nodes, uint32_t n, gr_lane_group w) {
    uint32_t open = n;
    while (gr_any(w, open)) {
        open = 0;
        for (uint32_t from = 0; from < n; from += w.width) {
            uint32_t i = from + w.lane, ready = 0;
            gr_node node = {0, 0};
            if (i < n && GR_NODE_SIZE(GR_AT(nodes, i)) == 0) {
                ready = gr_operands_done(nodes, i);
                if (ready)
                    node = gr_function_node(nodes, i, GR_NODE_OP(GR_AT(nodes, i)));
                open |= !ready;
            }
            gr_sync(w); /* looked at before any is written */
            if (ready)
                GR_AT(nodes, i) = node;
            gr_sync(w);
        }
    }
}

/* Constants of a grammar that a run fits: c[0], c[1], ... Until then such a leaf holds its number
 * where others hold their value, as the bits of a float so small (below 4e-43) that no constant
 * means it; a sign before it is the float's. Evaluated it is 0. */
enum { GR_FREE_CONSTANTS = 256 };
GR_FN uint32_t gr_free_constant(uint32_t index) {
    return index + 1;
}
/* At least GR_FREE_CONSTANTS: it is another constant. */
GR_FN uint32_t gr_free_index(uint32_t bits) {
    return (bits & 0x7fffffffu) - 1;
}

#endif
