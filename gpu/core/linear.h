/* Trees to linear programs for the accumulator machine (DESIGN 5).
 *
 * One instruction per function and per leaf that is not used in place. Operands are taken in
 * Sethi-Ullman order, the needier first, so a program of n nodes needs about log2(n) slots. Every
 * node carries the length of its subtree's code, so a node that knows where its instruction stands
 * can tell its operands where theirs stand: the code is written from the root down, by as many
 * lanes as there are nodes whose parents are done. A leaf used in place has no place of its own. */
#ifndef GR_LINEAR_H
#define GR_LINEAR_H

#include "node.h"

typedef struct gr_instruction {
    uint32_t code;    /* handler | slot << 16; slot: stack values below the result, of a push where
                         it pushes to */
    uint32_t operand; /* constant's bits, an input's byte offset in the tile, or for _SSA where a,
                         b, c stand */
} gr_instruction;

#define GR_HANDLER(instruction) ((instruction).code & 0xffffu)
#define GR_SLOT(instruction) ((instruction).code >> 16)

/* Distance between inputs in a tile, in bytes: a chunk of floats or words. */
enum { GR_INPUT_BYTES = 4 * GR_CHUNK };

/* Operand word of a three-operand instruction: for a, b, c two bits each: 0 stack[slot], 1
 * stack[slot + 1], 2 acc. */
#define GR_WHERE(operand, k) (((operand) >> (2 * (k))) & 3u)

enum { GR_NO_PUSH = 255 };

/* Where a leaf comes from decides its handler: handler + 0 for an input, + 1 for a constant. */
GR_FN uint32_t gr_leaf_operand(gr_node leaf) {
    return GR_NODE_OP(leaf) == GR_INPUT ? leaf.operand * GR_INPUT_BYTES : leaf.operand;
}

/* What a node learns from its parent: where its instruction stands in the program, the first slot
 * its evaluation may use, and the slot its first load pushes to. */
#define GR_PLACE(position, slot, push) ((position) | (slot) << 16 | (push) << 24)

/* Three operands: places them in falling order of need. Returns the operand word. */
GR_FN uint32_t gr_place_three(gr_nodes nodes, uint32_t i, uint32_t position, uint32_t slot,
                              uint32_t push, gr_words places) {
    uint32_t child[3], need[3], order[3] = {0, 1, 2}, where = 0;
    child[2] = i - 1;
    child[1] = child[2] - GR_NODE_SIZE(GR_AT(nodes, child[2]));
    child[0] = child[1] - GR_NODE_SIZE(GR_AT(nodes, child[1]));
    for (uint32_t k = 0; k < 3; k++)
        need[k] = gr_slots(GR_AT(nodes, child[k]));
    for (uint32_t pass = 0; pass < 3; pass++) { /* stable sort of three, neediest first */
        uint32_t k = pass % 2;
        if (need[order[k]] < need[order[k + 1]]) {
            uint32_t swap = order[k];
            order[k] = order[k + 1];
            order[k + 1] = swap;
        }
    }
    uint32_t before =
        position - 1; /* operands are evaluated first to last, so they are placed last to first */
    for (uint32_t k = 3; k-- > 0;) {
        GR_AT(places, child[order[k]]) = GR_PLACE(before, slot + k, k ? slot + k - 1 : push);
        before -= gr_instructions(GR_AT(nodes, child[order[k]]));
        where |= k << (2 * order[k]);
    }
    return where;
}

/* Two operands: fills in the instruction, places the operands that have one of their own and tells
 * which. */
GR_FN uint32_t gr_place_two(gr_nodes nodes, uint32_t i, uint32_t position, uint32_t slot,
                            uint32_t push, gr_words places, gr_instruction *instruction) {
    uint32_t op = GR_NODE_OP(GR_AT(nodes, i)), right = i - 1;
    gr_node r = GR_AT(nodes, right);
    uint32_t left = right - GR_NODE_SIZE(r);
    gr_node l = GR_AT(nodes, left);
    uint32_t handler = gr_first_handler(op), other = gr_is_commutative(op) ? 0 : 3;
    if (GR_NODE_SIZE(r) == 1) { /* acc o leaf */
        instruction->code = (handler + (GR_NODE_OP(r) == GR_CONSTANT)) | slot << 16;
        instruction->operand = gr_leaf_operand(r);
        GR_AT(places, left) = GR_PLACE(position - 1, slot, push);
        return 2;
    }
    if (GR_NODE_SIZE(l) == 1) { /* leaf o acc */
        instruction->code = (handler + other + (GR_NODE_OP(l) == GR_CONSTANT)) | slot << 16;
        instruction->operand = gr_leaf_operand(l);
        GR_AT(places, right) = GR_PLACE(position - 1, slot, push);
        return 1;
    }
    uint32_t left_first = gr_slots(l) >= gr_slots(r); /* stack o acc, otherwise acc o stack */
    instruction->code = (handler + 2 + (left_first ? 0 : other)) | slot << 16;
    GR_AT(places, left_first ? right : left) = GR_PLACE(position - 1, slot + 1, slot);
    GR_AT(places, left_first ? left : right) =
        GR_PLACE(position - 1 - gr_instructions(left_first ? r : l), slot, push);
    return 3;
}

/* Writes the instruction of node i, whose place is known, and places its operands. Tells which
 * operands have instructions of their own: bit k for the k-th from the right. */
GR_FN uint32_t gr_compile_node(gr_nodes nodes, uint32_t i, gr_words places,
                               gr_instruction *program) {
    uint32_t place = GR_AT(places, i), position = place & 0xffffu, slot = (place >> 16) & 0xffu,
             push = place >> 24;
    gr_node node = GR_AT(nodes, i);
    gr_instruction instruction = {gr_first_handler(GR_NODE_OP(node)) | slot << 16, 0};
    uint32_t arity = gr_arity(GR_NODE_OP(node)), operands = (1u << arity) - 1;
    switch (arity) {
    case 0:
        instruction.code =
            (push == GR_NO_PUSH ? GR_H_LOAD_INPUT : GR_H_PUSH_LOAD_INPUT | push << 16) +
            (GR_NODE_OP(node) == GR_CONSTANT);
        instruction.operand = gr_leaf_operand(node);
        break;
    case 1:
        GR_AT(places, i - 1) = GR_PLACE(position - 1, slot, push);
        break;
    case 2:
        operands = gr_place_two(nodes, i, position, slot, push, places, &instruction);
        break;
    default:
        instruction.operand = gr_place_three(nodes, i, position, slot, push, places);
        break;
    }
    program[position] = instruction;
    return operands;
}

/* Compiles the tree in nodes [0, n), n >= 1, to `program`; its length. Breadth first: a queue holds
 * the nodes whose places are known, and the lanes take as many of them at a time as there are.
 * scratch: 2 n words. */
GR_FN uint32_t gr_compile(gr_nodes nodes, uint32_t n, gr_words scratch, gr_instruction *program,
                          gr_worker w) {
    uint32_t length = gr_instructions(GR_AT(nodes, n - 1)), head = 0, tail = 1;
    gr_words places = scratch, queue = {scratch.at + (size_t)n * scratch.step, scratch.step};
    if (w.lane == 0) {
        GR_AT(places, n - 1) = GR_PLACE(length - 1, 0u, (uint32_t)GR_NO_PUSH);
        GR_AT(queue, 0) = n - 1;
    }
    while (head < tail) {
        uint32_t mine = w.lane < tail - head, operands = 0, node = 0;
        gr_sync(w);
        if (mine) {
            node = GR_AT(queue, head + w.lane);
            operands = gr_compile_node(nodes, node, places, program);
        }
        head = gr_min_u32(tail, head + w.width);
        uint32_t child = node - 1;
        for (uint32_t k = 0; gr_any(w, operands >> k); k++) {
            uint32_t enters = (operands >> k) & 1u, before;
            uint32_t entering = gr_count_before(w, enters, &before);
            if (enters)
                GR_AT(queue, tail + before) = child;
            if (operands >> (k + 1))
                child -= GR_NODE_SIZE(GR_AT(nodes, child));
            tail += entering;
        }
    }
    return length;
}

#endif
