/* Trees to linear programs for the accumulator machine (DESIGN 5).
 *
 * One instruction per function and per leaf that is not used in place. Operands are taken in
 * Sethi-Ullman order, the needier first, so a program of n nodes needs about log2(n) slots. Every
 * node carries the length of its subtree's code, so a function knows how far before its own
 * instruction those of its operands stand, wherever that is. The way from the root adds up, and as
 * a subtree is a range of nodes, a running sum over differences gives all places at once. */
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

/* Where a leaf comes from decides its handler: handler + 0 for an input, + 1 for a constant. */
GR_FN uint32_t gr_leaf_operand(gr_node leaf) {
    return GR_NODE_OP(leaf) == GR_INPUT ? leaf.operand * GR_INPUT_BYTES : leaf.operand;
}

/* Place of a node: where its instruction stands in the program, and the first slot its evaluation
 * may use. A first load pushes the accumulator to the slot below that one, if there is one. Places
 * are added and subtracted as words. A leaf used in place has none of its own. */
#define GR_PLACE(position, slot) ((uint32_t)(position) + ((uint32_t)(slot) << 16))
#define GR_PLACE_POSITION(place) ((place)&0xffffu)
#define GR_PLACE_SLOT(place) ((place) >> 16 & 0xffu)
enum { GR_IN_PLACE = 1 << 24 };

/* What a node makes of its place. */
typedef struct gr_coded {
    gr_instruction instruction; /* at slot 0, see gr_at_slot */
    uint32_t arity, last_size, other_size, first_size;
    uint32_t last, other, first; /* the operands' places less its own */
} gr_coded;

/* The instruction as it is where `slot` is the first it may use: a load there pushes the
 * accumulator to the one below. */
GR_FN gr_instruction gr_at_slot(gr_instruction instruction, uint32_t slot) {
    uint32_t pushes = slot && GR_HANDLER(instruction) <= GR_H_LOAD_CONSTANT;
    instruction.code += slot << 16;
    instruction.code += pushes ? GR_H_PUSH_LOAD_INPUT - (1u << 16) : 0;
    return instruction;
}

/* Three operands, by falling need; of two as needy the one to the left. */
GR_FN void gr_code_three(gr_coded *c, gr_node last, gr_node other, gr_node first) {
    uint32_t x = gr_slots(first), y = gr_slots(other), z = gr_slots(last);
    uint32_t nx = gr_instructions(first), ny = gr_instructions(other), nz = gr_instructions(last);
    uint32_t xy = x >= y, xz = x >= z, yz = y >= z; /* 1: the former is evaluated before */
    uint32_t turn_x = 2 - xy - xz, turn_y = 1 + xy - yz, turn_z = xz + yz;
    c->first = GR_PLACE(0u - 1 - (xy ? ny : 0) - (xz ? nz : 0), turn_x);
    c->other = GR_PLACE(0u - 1 - (xy ? 0 : nx) - (yz ? nz : 0), turn_y);
    c->last = GR_PLACE(0u - 1 - (xz ? 0 : nx) - (yz ? 0 : ny), turn_z);
    c->instruction.operand = turn_x | turn_y << 2 | turn_z << 4;
}

GR_FN void gr_code_two(gr_coded *c, uint32_t op, gr_node last, gr_node other) {
    uint32_t swapped = gr_is_commutative(op) ? 0 : 3;
    c->last = c->other = GR_PLACE(0u - 1, 0);
    if (GR_NODE_SIZE(last) == 1) { /* acc o leaf */
        c->last = GR_IN_PLACE;
        c->instruction.code += GR_NODE_OP(last) == GR_CONSTANT;
        c->instruction.operand = gr_leaf_operand(last);
    } else if (GR_NODE_SIZE(other) == 1) { /* leaf o acc */
        c->other = GR_IN_PLACE;
        c->instruction.code += swapped + (GR_NODE_OP(other) == GR_CONSTANT);
        c->instruction.operand = gr_leaf_operand(other);
    } else if (gr_slots(other) >= gr_slots(last)) { /* stack o acc */
        c->instruction.code += 2;
        c->last = GR_PLACE(0u - 1, 1);
        c->other = GR_PLACE(0u - 1 - gr_instructions(last), 0);
    } else { /* acc o stack */
        c->instruction.code += 2 + swapped;
        c->other = GR_PLACE(0u - 1, 1);
        c->last = GR_PLACE(0u - 1 - gr_instructions(other), 0);
    }
}

GR_FN gr_coded gr_code_node(gr_nodes nodes, uint32_t i) {
    gr_node node = GR_AT(nodes, i);
    uint32_t op = GR_NODE_OP(node), arity = gr_arity(op);
    gr_coded c = {{gr_first_handler(op), 0}, arity, 0, 0, 0, GR_PLACE(0u - 1, 0), 0, 0};
    if (arity == 0)
        c.instruction.operand = gr_leaf_operand(node);
    else {
        gr_node last = GR_AT(nodes, i - 1);
        c.last_size = GR_NODE_SIZE(last);
        if (arity > 1) {
            gr_node other = GR_AT(nodes, i - 1 - c.last_size);
            c.other_size = GR_NODE_SIZE(other);
            if (arity == 2)
                gr_code_two(&c, op, last, other);
            else {
                gr_node first = GR_AT(nodes, i - 1 - c.last_size - c.other_size);
                c.first_size = GR_NODE_SIZE(first);
                gr_code_three(&c, last, other, first);
            }
        }
    }
    return c;
}

/* Adds to differences[k] what makes the running sum over the operands of node i their places. */
GR_FN void gr_add_differences(const gr_coded *c, uint32_t i, gr_words differences, gr_worker w) {
    uint32_t begins = i - c->last_size, offset = c->last;
    if (c->arity == 0)
        return;
    gr_add_to(&GR_AT(differences, i), 0u - c->last, w);
    if (c->arity > 1) {
        gr_add_to(&GR_AT(differences, begins), c->last - c->other, w);
        begins -= c->other_size;
        offset = c->other;
    }
    if (c->arity > 2) {
        gr_add_to(&GR_AT(differences, begins), c->other - c->first, w);
        begins -= c->first_size;
        offset = c->first;
    }
    gr_add_to(&GR_AT(differences, begins), offset, w);
}

/* Compiles the tree in nodes [0, n), n >= 1, to `program`; its length. scratch: n words. */
GR_FN uint32_t gr_compile(gr_nodes nodes, uint32_t n, gr_words scratch, gr_instruction *program,
                          gr_worker w) {
    uint32_t length = gr_instructions(GR_AT(nodes, n - 1)), before = length - 1;
    for (uint32_t i = w.lane; i < n; i += w.width)
        GR_AT(scratch, i) = 0;
    gr_sync(w);
    for (uint32_t i = w.lane; i < n; i += w.width) {
        gr_coded c = gr_code_node(nodes, i);
        gr_add_differences(&c, i, scratch, w);
    }
    gr_sync(w);
    for (uint32_t from = 0; from < n; from += w.width) {
        uint32_t i = from + w.lane, difference = i < n ? GR_AT(scratch, i) : 0;
        uint32_t place = before + gr_sum_before(w, difference) + difference;
        if (i < n && !(place & GR_IN_PLACE))
            program[GR_PLACE_POSITION(place)] =
                gr_at_slot(gr_code_node(nodes, i).instruction, GR_PLACE_SLOT(place));
        before = gr_from_lane(w, place, w.width - 1);
    }
    gr_sync(w);
    return length;
}

#endif
