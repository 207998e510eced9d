/* Trees to linear programs for the accumulator machine (DESIGN 5).
 *
 * One instruction per function and per leaf that is not used in place. Operands are taken in
 * Sethi-Ullman order, the needier first, so a program of n nodes needs about log2(n) slots. Every
 * node carries the length of its subtree's code, so a function knows how far before its own
 * instruction those of its operands stand, wherever that is. The way from the root adds up, and as
 * a subtree is a range of nodes, a running sum over differences, from the root on, gives all places
 * at once. */
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
    uint32_t last, other, first; /* the operands' places less its own; 0 where there is none */
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

/* A leaf is used in place, the last one first; otherwise the needier operand comes first. Without
 * branches: lanes have different nodes. */
GR_FN void gr_code_two(gr_coded *c, uint32_t swapped, gr_node last, gr_node other) {
    uint32_t in_place = c->last_size == 1    ? 1
                        : c->other_size == 1 ? 2
                                             : 0; /* acc o leaf, leaf o acc */
    /* two functions, or these do not matter */
    uint32_t last_length = last.operand >> 8, other_length = other.operand >> 8;
    uint32_t later =
        (other.operand & 0xffu) >= (last.operand & 0xffu); /* stack o acc, or acc o stack */
    uint32_t turned = in_place ? in_place == 2 : !later;
    gr_node leaf = in_place == 1 ? last : other;
    c->instruction.code +=
        (turned ? swapped : 0) + (in_place ? GR_NODE_OP(leaf) == GR_CONSTANT : 2);
    c->instruction.operand = in_place ? gr_leaf_operand(leaf) : 0;
    c->last = later ? GR_PLACE(0u - 1, 1) : GR_PLACE(0u - 1 - other_length, 0);
    c->other = later ? GR_PLACE(0u - 1 - last_length, 0) : GR_PLACE(0u - 1, 1);
    if (in_place) {
        c->last = in_place == 1 ? GR_IN_PLACE : GR_PLACE(0u - 1, 0);
        c->other = in_place == 1 ? GR_PLACE(0u - 1, 0) : GR_IN_PLACE;
    }
}

GR_FN gr_coded gr_code_node(gr_nodes nodes, uint32_t i) {
    gr_node node = GR_AT(nodes, i), last = node, other = node;
    uint32_t facts = gr_op_facts(GR_NODE_OP(node)), arity = GR_FACTS_ARITY(facts);
    gr_coded c = {{GR_FACTS_HANDLER(facts), 0}, arity, 0, 0, 0, GR_PLACE(0u - 1, 0), 0, 0};
    if (arity > 0)
        last = GR_AT(nodes, i - 1);
    c.last_size = GR_NODE_SIZE(last);
    if (arity > 1)
        other = GR_AT(nodes, i - 1 - c.last_size);
    c.other_size = GR_NODE_SIZE(other);
    if (arity == 2)
        gr_code_two(&c, GR_FACTS_COMMUTES(facts) ? 0 : 3, last, other);
    else if (arity == 3) {
        gr_node first = GR_AT(nodes, i - 1 - c.last_size - c.other_size);
        c.first_size = GR_NODE_SIZE(first);
        gr_code_three(&c, last, other, first);
    } else if (arity == 0)
        c.instruction.operand = gr_leaf_operand(node);
    return c;
}

/* Adds to differences[k + 1] what makes the running sum from behind over the operands of node i
 * their places. */
GR_FN void gr_add_differences(const gr_coded *c, uint32_t i, gr_words differences, gr_worker w) {
    uint32_t before = i - c->last_size;
    if (c->arity > 0) {
        gr_add_to(&GR_AT(differences, i), c->last, w);
        gr_add_to(&GR_AT(differences, before), c->other - c->last, w);
    }
    if (c->arity > 1)
        gr_add_to(&GR_AT(differences, before - c->other_size), c->first - c->other, w);
    if (c->arity > 2)
        gr_add_to(&GR_AT(differences, before - c->other_size - c->first_size), 0u - c->first, w);
}

/* Node k of the lane, if `live`, when those behind are done: its instruction, and the place of it.
 * *sum: of the differences behind all lanes; there are differences for `end` nodes. */
GR_FN uint32_t gr_compile_node(gr_nodes nodes, uint32_t k, uint32_t live, uint32_t end,
                               gr_words differences, uint32_t *sum, gr_instruction *instruction,
                               gr_worker w) {
    gr_coded c = {{0, 0}, 0, 0, 0, 0, 0, 0, 0};
    if (live) {
        c = gr_code_node(nodes, k);
        gr_add_differences(&c, k, differences, w);
    }
    gr_sync(w);
    uint32_t difference = k < end ? GR_AT(differences, k + 1) : 0;
    uint32_t place = *sum + gr_sum_after(w, difference) + difference;
    *sum = gr_from_lane(w, place, 0);
    *instruction = gr_at_slot(c.instruction, GR_PLACE_SLOT(place));
    return place;
}

/* Compiles the tree in nodes [0, n), n >= 1, to `program`; its length. differences: n + 1 words. */
GR_FN uint32_t gr_compile(gr_nodes nodes, uint32_t n, gr_words differences, gr_instruction *program,
                          gr_worker w) {
    uint32_t length = gr_instructions(GR_AT(nodes, n - 1)), sum = length - 1;
    for (uint32_t i = w.lane; i <= n; i += w.width)
        GR_AT(differences, i) = 0;
    gr_sync(w);
    for (uint32_t from = (n - 1) / w.width * w.width;; from -= w.width) {
        gr_instruction instruction;
        uint32_t k = from + w.lane;
        uint32_t place = gr_compile_node(nodes, k, k < n, n, differences, &sum, &instruction, w);
        if (k < n && !(place & GR_IN_PLACE))
            program[GR_PLACE_POSITION(place)] = instruction;
        if (!from)
            break;
    }
    gr_sync(w);
    return length;
}

#endif
