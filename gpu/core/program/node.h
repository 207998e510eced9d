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
#else
    *near = *far;
#endif
}

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

/* Writes all that gr_function_node tells of nodes [0, n) again after their order or operations
 * changed. */
GR_FN void gr_annotate(gr_nodes nodes, uint32_t n) {
    gr_node node = {0, 0}, last;
    for (uint32_t i = 0; i < n; i++) {
        last = node;
        node = GR_AT(nodes, i);
        if (GR_NODE_OP(node) <= GR_INPUT)
            node = gr_make_node(GR_NODE_OP(node), 1, 1, node.operand);
        else
            node = gr_function_over(nodes, i, GR_NODE_OP(node), last);
        GR_AT(nodes, i) = node;
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
