/* Trees to linear programs for the accumulator machine.
 *
 * One instruction per function and per leaf that is not used in place. Operands are taken in
 * Sethi-Ullman order, the needier first, so a program of n nodes needs about log2(n) stack levels.
 * Every node carries the length of its subtree's code, so a function knows how far before its own
 * instruction those of its operands stand, wherever that is. The way from the root adds up, and as
 * a subtree is a range of nodes, a running sum over differences, from the root on, gives all
 * locations at once. */
#ifndef GR_LINEAR_H
#define GR_LINEAR_H

#include "gpu/core/program/weight.h"

typedef struct __attribute__((aligned(8))) gr_instruction {
    uint32_t code;    /* handler | stack level << 16; the level: stack values below the result, of a
                         push where it pushes to */
    uint32_t operand; /* constant's bits, an input's byte offset in the tile (with weights: weight
                         and index, as in the leaf), or for _SSA where a, b, c stand */
} gr_instruction;

#define GR_HANDLER(instruction) ((instruction).code & 0xffffu)
#define GR_STACK_LEVEL(instruction) ((instruction).code >> 16)

/* Distance between inputs in a tile, in bytes: a chunk of floats or words. */
enum { GR_INPUT_BYTES = 4 * GR_CHUNK };

/* Operand word of a three-operand instruction: for a, b, c two bits each: 0 stack[level], 1
 * stack[level + 1], 2 acc. */
#define GR_WHERE(operand, k) (((operand) >> (2 * (k))) & 3u)

/* Where a leaf comes from decides its handler: handler + 0 for an input, + 1 for a constant. */
GR_FN uint32_t gr_leaf_operand(gr_node leaf) {
    uint32_t offset = GR_NODE_OP(leaf) == GR_INPUT && !gr_is_weighted(leaf.operand);
    return leaf.operand * (offset ? GR_INPUT_BYTES : 1);
}

/* Location of a node: where its instruction stands in the program, and the first stack level its
 * evaluation may use. A first load pushes the accumulator to the level below that one, if there is
 * one. Locations are added and subtracted as words. A leaf used in place (GR_LOCATION_INLINE) has
 * none of its own. */
#define GR_LOCATION(position, stack_level) ((uint32_t)(position) + ((uint32_t)(stack_level) << 16))
#define GR_LOCATION_POSITION(location) ((location)&0xffffu)
#define GR_LOCATION_LEVEL(location) ((location) >> 16 & 0xffu)
enum { GR_LOCATION_INLINE = 1 << 24 };

/* What a node makes of its location. */
typedef struct gr_coded {
    gr_instruction instruction; /* at level 0, see gr_at_stack_level */
    uint32_t arity, last_size, other_size, first_size;
    uint32_t before, other_at;   /* where the last operand begins, and where the other one ends */
    uint32_t last, other, first; /* the operands' locations less its own; 0 where there is none */
} gr_coded;

/* The instruction as it is where `stack_level` is the first it may use: a load there pushes the
 * accumulator to the one below. */
GR_FN gr_instruction gr_at_stack_level(gr_instruction instruction, uint32_t stack_level) {
    uint32_t pushes = stack_level && GR_HANDLER(instruction) <= GR_H_LOAD_CONSTANT;
    instruction.code += stack_level << 16;
    instruction.code += pushes ? GR_H_PUSH_LOAD_INPUT - (1u << 16) : 0;
    return instruction;
}

/* Three operands, by falling need; of two as needy the one to the left. */
GR_FN void gr_code_three(gr_coded *c, gr_node last, gr_node other, gr_node first) {
    uint32_t x = gr_stack_levels(first), y = gr_stack_levels(other), z = gr_stack_levels(last);
    uint32_t nx = gr_instructions(first), ny = gr_instructions(other), nz = gr_instructions(last);
    uint32_t xy = x >= y, xz = x >= z, yz = y >= z; /* 1: the former is evaluated before */
    uint32_t turn_x = 2 - xy - xz, turn_y = 1 + xy - yz, turn_z = xz + yz;
    c->first = GR_LOCATION(0u - 1 - (xy ? ny : 0) - (xz ? nz : 0), turn_x);
    c->other = GR_LOCATION(0u - 1 - (xy ? 0 : nx) - (yz ? nz : 0), turn_y);
    c->last = GR_LOCATION(0u - 1 - (xz ? 0 : nx) - (yz ? 0 : ny), turn_z);
    c->first_size = GR_NODE_SIZE(first);
    c->instruction.operand = turn_x | turn_y << 2 | turn_z << 4;
}

/* How two operands are taken: a leaf is used in place, the last one first; otherwise the needier
 * comes first. */
typedef struct gr_taken {
    uint32_t last_leaf; /* 1: the last operand is a leaf */
    uint32_t in_place;  /* 1: one of them is */
    /* 1: the other operand is evaluated before the last one, which gives stack o acc or acc o leaf;
     * 0: after it, which gives acc o stack or leaf o acc */
    uint32_t in_order;
} gr_taken;
GR_FN gr_taken gr_take_two(gr_node last, gr_node other) {
    gr_taken t;
    uint32_t other_leaf = other.head < 2u << 16;
    t.last_leaf = last.head < 2u << 16;
    t.in_place = t.last_leaf | other_leaf;
    t.in_order =
        t.last_leaf | ((other_leaf ^ 1) & ((other.operand & 0xffu) >= (last.operand & 0xffu)));
    return t;
}

/* The instruction of a node of at most two operands. Without branches, since lanes have different
 * nodes: of a leaf the nodes before it are read as if they were operands, and not used. */
GR_FN gr_instruction gr_code_instruction(uint32_t facts, gr_taken t, gr_node node, gr_node last,
                                         gr_node other) {
    uint32_t arity = GR_FACTS_ARITY(facts), two = arity == 2;
    gr_instruction instruction = {GR_FACTS_HANDLER(facts), 0};
    gr_node second = t.in_order ? last : other;
    uint32_t form = t.in_place ? GR_NODE_OP(second) == GR_CONSTANT : 2;
    form += t.in_order | GR_FACTS_COMMUTES(facts) ? 0 : 3;
    instruction.code += two ? form : 0;
    uint32_t has_leaf = (arity == 0) | (two & t.in_place);
    gr_node leaf = arity ? second : node;
    instruction.operand = has_leaf ? gr_leaf_operand(leaf) : 0;
    return instruction;
}

/* At most two operands. */
GR_FN void gr_code_two(gr_coded *c, uint32_t facts, gr_node node, gr_node last, gr_node other) {
    gr_taken t = gr_take_two(last, other);
    uint32_t two = c->arity == 2;
    c->instruction = gr_code_instruction(facts, t, node, last, other);
    uint32_t second = (t.in_order ? last : other).operand;
    uint32_t before = t.in_place ? 0u - 1 : ~(second >> 8);
    uint32_t behind = t.in_place ? GR_LOCATION_INLINE - 1u : GR_LOCATION(0u - 1, 1);
    c->last = two & t.in_order ? behind : two ? before : c->arity ? 0u - 1 : 0;
    c->other = !two ? 0 : t.in_order ? before : behind;
}

/* i - n, or 0 in front of the array. */
GR_FN uint32_t gr_before(uint32_t i, uint32_t n) {
    return i > n ? i - n : 0;
}

/* node: that at i; last: the one before it; facts: of its operation, see gr_op_facts. */
GR_FN gr_coded gr_code_node(gr_nodes nodes, gr_node node, gr_node last, uint32_t i,
                            uint32_t facts) {
    gr_coded c = {{GR_FACTS_HANDLER(facts), 0}, GR_FACTS_ARITY(facts), 0, 0, 0, 0, 0, 0, 0, 0};
    c.last_size = GR_NODE_SIZE(last);
    c.before = gr_before(i, c.last_size);
    c.other_at = gr_before(c.before, 1);
    gr_node other = GR_AT(nodes, c.other_at);
    c.other_size = GR_NODE_SIZE(other);
    gr_code_two(&c, facts, node, last, other);
    return c;
}

/* What gr_code_node leaves out. */
GR_FN void gr_code_more(gr_coded *c, gr_nodes nodes, uint32_t i) {
    if (c->arity == 3)
        gr_code_three(c, GR_AT(nodes, i - 1), GR_AT(nodes, c->other_at),
                      GR_AT(nodes, c->other_at - c->other_size));
}

/* Adds to differences[k + 1] what makes the running sum from behind over the operands of node i
 * their locations. */
GR_FN void gr_add_differences(const gr_coded *c, uint32_t i, gr_words differences,
                              gr_lane_group w) {
    uint32_t before_other = c->before - c->other_size;
    if (c->arity > 0)
        gr_add_to(&GR_AT(differences, i), c->last, w);
    if (c->arity > 0)
        gr_add_to(&GR_AT(differences, c->before), c->other - c->last, w);
    if (c->arity > 1)
        gr_add_to(&GR_AT(differences, before_other), c->first - c->other, w);
    if (c->arity > 2)
        gr_add_to(&GR_AT(differences, before_other - c->first_size), 0u - c->first, w);
}

/* Windows of nodes, one a lane, that are compiled together: their lanes wait for memory and for one
 * another at the same time. */
enum { GR_WINDOWS = 2 };

/* A lane's nodes k, k + width, ...: if `live` what becomes of them once those behind all windows
 * are done. */
typedef struct gr_compiled {
    gr_node node;
    uint32_t facts, live;    /* of the node */
    gr_instruction *program; /* that its instruction belongs to */
} gr_compiled;

/* Writes their instructions. *sum: of the differences behind all windows; there are differences for
 * `end` nodes. */
GR_FN void gr_compile_nodes(gr_nodes nodes, const gr_compiled *of, uint32_t k, uint32_t end,
                            gr_words differences, uint32_t *sum, gr_lane_group w) {
    gr_coded c[GR_WINDOWS];
    uint32_t after[GR_WINDOWS], all[GR_WINDOWS];
    for (uint32_t n = 0; n < GR_WINDOWS; n++) {
        uint32_t i = gr_min_u32(k + n * w.width, end - 1);
        c[n] = gr_code_node(nodes, of[n].node, GR_AT(nodes, gr_before(i, 1)), i, of[n].facts);
    }
    for (uint32_t n = 0; n < GR_WINDOWS; n++)
        if (of[n].live) {
            gr_code_more(&c[n], nodes, k + n * w.width);
            gr_add_differences(&c[n], k + n * w.width, differences, w);
        }
    gr_sync(w);
    for (uint32_t n = 0; n < GR_WINDOWS; n++) {
        uint32_t i = k + n * w.width, difference = i < end ? GR_AT(differences, i + 1) : 0;
        after[n] = gr_sum_after(w, difference) + difference;
        all[n] = gr_from_lane(w, after[n], 0);
    }
    for (uint32_t n = GR_WINDOWS; n-- > 0; *sum += all[n]) {
        uint32_t location = *sum + after[n];
        if (of[n].live && !(location & GR_LOCATION_INLINE))
            of[n].program[GR_LOCATION_POSITION(location)] =
                gr_at_stack_level(c[n].instruction, GR_LOCATION_LEVEL(location));
    }
}

/* Compiles the tree in nodes [0, n), n >= 1, to `program`; its length. differences: n + 1 words. */
GR_FN uint32_t gr_compile(gr_nodes nodes, uint32_t n, gr_words differences, gr_instruction *program,
                          gr_lane_group w) {
    uint32_t length = gr_instructions(GR_AT(nodes, n - 1)), sum = length - 1;
    uint32_t step = GR_WINDOWS * w.width;
    for (uint32_t i = w.lane; i <= n; i += w.width)
        GR_AT(differences, i) = 0;
    gr_sync(w);
    for (uint32_t from = (n - 1) / step * step;; from -= step) {
        gr_compiled of[GR_WINDOWS];
        for (uint32_t m = 0; m < GR_WINDOWS; m++) {
            uint32_t k = from + m * w.width + w.lane;
            of[m].live = k < n;
            of[m].node = GR_AT(nodes, gr_min_u32(k, n - 1));
            of[m].facts = gr_op_facts(GR_NODE_OP(of[m].node));
            of[m].program = program;
        }
        gr_compile_nodes(nodes, of, from + w.lane, n, differences, &sum, w);
        if (!from)
            break;
    }
    gr_sync(w);
    return length;
}

#endif
