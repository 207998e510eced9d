/* Trees as the papers' interpreters read them, and the stack each form takes. */
#ifndef LADDER_ENCODE_H
#define LADDER_ENCODE_H

#include "tools/ladder/ladder.h"

/* Words that a program of `nodes` nodes takes at most, in either form. */
#define LADDER_WORDS(nodes) (2 * (size_t)(nodes) + 2)

/* Reverse Polish notation: operations in postfix order, a leaf's operand behind it. */
GR_FN uint32_t ladder_encode_rpn(const gr_node *nodes, uint32_t count, uint32_t *words) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        words[n++] = GR_NODE_OP(nodes[i]);
        if (GR_NODE_OP(nodes[i]) <= GR_INPUT)
            words[n++] = nodes[i].operand;
    }
    words[n++] = LADDER_END;
    return n;
}

GR_FN uint32_t ladder_encode_leaf(gr_node leaf, uint32_t *words) {
    words[0] = GR_NODE_OP(leaf);
    words[1] = leaf.operand;
    return 2;
}

/* Chitty's linear form: the functions in the order of the postfix form, each with its operands: an
 * input, a constant, or LADDER_STACK, the top of the stack. His symbolic stack holds S exactly
 * where an operand is a function. Operands are written last first, since the last stands on top. */
GR_FN uint32_t ladder_encode_linear(const gr_node *nodes, uint32_t count, uint32_t *words) {
    uint32_t n = 0;
    if (count == 1) {
        words[n++] = LADDER_COPY;
        n += ladder_encode_leaf(nodes[0], words + n);
    }
    for (uint32_t i = 1; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]), arity = gr_arity(op), child = i - 1;
        if (op <= GR_INPUT)
            continue;
        words[n++] = op;
        for (uint32_t k = 0; k < arity; k++) {
            if (GR_NODE_OP(nodes[child]) <= GR_INPUT)
                n += ladder_encode_leaf(nodes[child], words + n);
            else
                words[n++] = LADDER_STACK;
            if (k + 1 < arity)
                child -= GR_NODE_SIZE(nodes[child]);
        }
    }
    words[n++] = LADDER_END;
    return n;
}

/* Levels of the stack in reverse Polish notation: every leaf takes one. */
GR_FN uint32_t ladder_rpn_levels(const gr_node *nodes, uint32_t count) {
    uint32_t top = 0, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        top = top + 1 - gr_arity(GR_NODE_OP(nodes[i]));
        most = gr_max_u32(most, top);
    }
    return most;
}

/* In the linear form only results take a level. A lone leaf is copied to the first. */
GR_FN uint32_t ladder_linear_levels(const gr_node *nodes, uint32_t count) {
    uint32_t top = 0, most = 1;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]), arity = gr_arity(op), child = i - 1;
        if (op <= GR_INPUT)
            continue;
        for (uint32_t k = 0; k < arity; k++) {
            top -= GR_NODE_OP(nodes[child]) > GR_INPUT;
            if (k + 1 < arity)
                child -= GR_NODE_SIZE(nodes[child]);
        }
        most = gr_max_u32(most, ++top);
    }
    return most;
}

/* In Sethi-Ullman order; the accumulator counts as a level. The nodes must be annotated. */
GR_FN uint32_t ladder_ordered_levels(const gr_node *nodes, uint32_t count) {
    return 1 + gr_stack_levels(nodes[count - 1]);
}

/* How many programs need how many levels. */
enum { LADDER_LEVELS = 128, LADDER_FORMS = 3 };
typedef struct ladder_levels {
    uint64_t programs;
    uint64_t need[LADDER_FORMS][LADDER_LEVELS]; /* RPN, linear, ordered */
} ladder_levels;

GR_FN void ladder_count_levels(ladder_levels *levels, const gr_node *nodes, uint32_t count) {
    const uint32_t need[LADDER_FORMS] = {ladder_rpn_levels(nodes, count),
                                         ladder_linear_levels(nodes, count),
                                         ladder_ordered_levels(nodes, count)};
    levels->programs++;
    for (uint32_t form = 0; form < LADDER_FORMS; form++)
        levels->need[form][gr_min_u32(need[form], LADDER_LEVELS - 1)]++;
}

/* Percentage of the programs that `limit` levels can hold. */
GR_FN double ladder_share(const ladder_levels *levels, uint32_t form, uint32_t limit) {
    uint64_t fit = 0;
    for (uint32_t need = 0; need <= limit && need < LADDER_LEVELS; need++)
        fit += levels->need[form][need];
    return levels->programs ? 100.0 * (double)fit / (double)levels->programs : 0.0;
}

#endif
