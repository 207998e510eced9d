/* Nodes of many trees, one tree after the other in fast memory: all lanes copy them there, and
 * compile them once a lane has done to each tree what is done to it alone (many_trees.h). */
#ifndef GR_POOL_H
#define GR_POOL_H

#include "gpu/core/breeding/breed.h"

/* What all lanes need to know of a tree, read at once. Where its nodes come from: node k of the
 * pool is a[k] below `cut`, b[k] below `behind`, rest[k] from there to `last`. Then where they go:
 * tree[k], and instruction number n of all trees in the pool to program[n]. */
typedef struct __attribute__((aligned(16))) gr_row {
    union {
        struct {
            const gr_node *a, *b, *rest;
        } from;
        struct {
            gr_node *tree;
            gr_instruction *program;
        } to;
    } way;
    uint32_t ends;  /* cut | last << 16 */
    uint32_t piece; /* behind | nodes longer than parent a << 16, modulo 2^16 */
} gr_row;
#define GR_ROW_CUT(row) ((row).ends & 0xffffu)
#define GR_ROW_LAST(row) ((row).ends >> 16)
#define GR_PIECE_BEHIND(piece) ((piece)&0xffffu)
#define GR_PIECE_SHIFT(piece) ((piece)&0xffff0000u) /* as it is added to a node's head */

/* What a lane group looks up now and then, in fast memory: the compiler, short of registers, would
 * keep it in slow memory. */
typedef struct gr_common {
    uint32_t first;  /* individual that the children listed are numbered from */
    uint32_t growth; /* gr_largest_growth */
    uint32_t group;  /* of the first lane, among those that have scratch */
    uint32_t unused;
} gr_common;

/* Fast memory of a lane group. Its capacity is a multiple of GR_LANES; larger trees are
 * bred elsewhere. */
typedef struct gr_pool {
    const uint32_t *facts; /* [GR_OP_COUNT] gr_op_facts: lanes ask for different ones */
    gr_row *rows;          /* [GR_LANES] */
    gr_common *common;
    uint16_t *order;       /* [GR_CHILDREN_LISTED] children to come */
    gr_node *nodes;        /* [-1 .. capacity]; none of size 0 in front and between trees */
    uint32_t *differences; /* [capacity + 1] of locations */
    uint32_t *above; /* [capacity / GR_LANES] a bit for each node above a new subtree; NULL for
                        a lane alone */
    uint8_t *owner;  /* [capacity] lane of the tree; of a leaf used in place GR_POOL_IN_PLACE too */
    uint32_t capacity;
} gr_pool;
enum { GR_LARGEST_POOL = 0xffe0 }; /* rows have 16 bits for a position */
enum { GR_POOL_IN_PLACE = 0x80 };
enum { GR_POOL_FRONT = 2 }; /* nodes in front, of which one is read */
enum { GR_CHILDREN_LISTED = 256 };

/* Bytes of a pool, a multiple of 16. */
GR_BOTH size_t gr_pool_bytes(uint32_t capacity) {
    size_t words = capacity + 1 + capacity / GR_LANES;
    return GR_LANES * sizeof(gr_row) + sizeof(gr_common) + GR_CHILDREN_LISTED * sizeof(uint16_t) +
           (GR_POOL_FRONT + capacity) * sizeof(gr_node) +
           (words * sizeof(uint32_t) + capacity + 15) / 16 * 16;
}

/* facts: of all operations, for all groups; group: of the first lane. */
GR_FN gr_pool gr_make_pool(const gr_params *p, void *memory, uint32_t capacity,
                           const uint32_t *facts, uint32_t group, gr_lane_group w) {
    const gr_node none = {0, 0};
    gr_pool pool;
    pool.facts = facts;
    pool.rows = (gr_row *)memory;
    pool.common = (gr_common *)(pool.rows + GR_LANES);
    pool.order = (uint16_t *)(pool.common + 1);
    pool.nodes = (gr_node *)(pool.order + GR_CHILDREN_LISTED) + GR_POOL_FRONT;
    pool.differences = (uint32_t *)(pool.nodes + capacity);
    uint32_t *above = pool.differences + capacity + 1;
    pool.above = w.width == GR_LANES ? above : NULL;
    pool.owner = (uint8_t *)(above + capacity / GR_LANES);
    pool.capacity = capacity;
    if (w.lane == 0) {
        pool.nodes[-1] = none;
        pool.common->growth = gr_largest_growth(p);
        pool.common->group = group;
    }
    gr_sync(w);
    return pool;
}

/* ---- into the pool ---- */

/* Nodes of all trees into the pool; differences to 0. `first`: where this lane's tree begins,
 * beyond all others where it has none. All lanes have to meet in gr_copied. */
GR_FN void gr_gather_nodes(const gr_pool *pool, uint32_t first, uint32_t total, gr_lane_group w) {
    const gr_node none = {0, 0};
    uint32_t begun = 0;
    if (w.lane == 0)
        pool->differences[0] = 0;
    for (uint32_t from = 0; from < total; from += w.width) {
        uint32_t starts = gr_or_lanes(w, first - from < 32 ? 1u << (first - from) : 0);
        uint32_t owner = begun - 1 + gr_count_bits(starts & ((2u << w.lane) - 1));
        uint32_t k = from + w.lane;
        const gr_row row = pool->rows[owner];
        const gr_node *of = k < GR_ROW_CUT(row)              ? row.way.from.a
                            : k < GR_PIECE_BEHIND(row.piece) ? row.way.from.b
                                                             : row.way.from.rest;
        begun += gr_count_bits(starts);
        if (k < GR_ROW_LAST(row))
            gr_copy_node(&pool->nodes[k], of + k);
        else
            pool->nodes[k] = none;
        pool->owner[k] = (uint8_t)owner;
        pool->differences[k + 1] = 0;
    }
}

/* Notes the nodes above new subtrees and gives them their new sizes. */
GR_FN void gr_note_above(const gr_pool *pool, uint32_t total, gr_lane_group w) {
    for (uint32_t from = 0; from < total; from += w.width) {
        uint32_t k = from + w.lane, piece = pool->rows[pool->owner[k]].piece;
        gr_node *node = &pool->nodes[k];
        uint32_t above = gr_reaches_over(*node, k, GR_PIECE_BEHIND(piece)), all = gr_vote(w, above);
        if (above)
            node->head += GR_PIECE_SHIFT(piece);
        if (w.lane == 0)
            pool->above[from / GR_LANES] = all;
    }
}

/* ---- and out of it ---- */

/* Functions whose operands do not follow one another as their nodes do, or take other stack levels
 * than they do: what that changes in the locations of all below, as differences. A leaf used in
 * place is marked. k: the function's position; at: where its last operand but one ends. */
GR_FN void gr_move_operands(const gr_pool *pool, uint32_t k, uint32_t at, gr_node last,
                            gr_node other, uint32_t in_order, gr_lane_group w) {
    uint32_t level = GR_LOCATION(0, 1), of_last = in_order ? level : 0u - (other.operand >> 8);
    uint32_t of_other = in_order ? 0 : level + (last.operand >> 8);
    gr_add_to(&pool->differences[k], of_last, w);
    gr_add_to(&pool->differences[at + 1], of_other - of_last, w);
    if (of_other)
        gr_add_to(&pool->differences[at + 1 - GR_NODE_SIZE(other)], 0u - of_other, w);
}

/* The same of three operands; its instruction. */
GR_FN gr_instruction gr_move_three(const gr_pool *pool, uint32_t k, uint32_t at, gr_node last,
                                   gr_node other, uint32_t facts, gr_lane_group w) {
    uint32_t behind = gr_instructions(last), end = at - GR_NODE_SIZE(other);
    gr_coded c = {{GR_FACTS_HANDLER(facts), 0}, 3, 0, 0, 0, 0, 0, 0, 0, 0};
    gr_code_three(&c, last, other, pool->nodes[end]);
    c.last += 1;
    c.other += 1 + behind;
    c.first += 1 + behind + gr_instructions(other);
    gr_add_to(&pool->differences[k], c.last, w);
    gr_add_to(&pool->differences[at + 1], c.other - c.last, w);
    gr_add_to(&pool->differences[end + 1], c.first - c.other, w);
    gr_add_to(&pool->differences[end + 1 - c.first_size], 0u - c.first, w);
    return c.instruction;
}

/* The instruction of node k, its operands moved to where they stand in the program. */
GR_FN gr_instruction gr_code_pooled(const gr_pool *pool, uint32_t k, gr_node node, uint32_t owner,
                                    gr_lane_group w) {
    uint32_t facts = pool->facts[GR_NODE_OP(node)], arity = GR_FACTS_ARITY(facts);
    gr_node last = (pool->nodes - 1)[k];
    uint32_t at = k - 1 - GR_NODE_SIZE(last); /* -1: nothing stands there */
    gr_node other = (pool->nodes - 1)[at + 1];
    gr_taken t = gr_take_two(last, other);
    gr_instruction instruction = gr_code_instruction(facts, t, node, last, other);
    if (arity == 2 && t.in_place)
        pool->owner[t.last_leaf ? k - 1 : at] = (uint8_t)(owner | GR_POOL_IN_PLACE);
    else if (arity == 2)
        gr_move_operands(pool, k, at, last, other, t.in_order, w);
    else if (arity == 3)
        instruction = gr_move_three(pool, k, at, last, other, facts, w);
    return instruction;
}

/* Finished trees to where they belong, and compiled to their programs, of `instructions` in all.
 * From behind: an instruction stands as many before the end as nodes behind it have one, but for
 * what functions move. */
GR_FN void gr_compile_pool(const gr_pool *pool, uint32_t total, uint32_t instructions,
                           gr_lane_group w) {
    uint32_t moved = 0;
    for (uint32_t from = (total - 1) / w.width * w.width;; from -= w.width) {
        uint32_t k = from + w.lane, owner = pool->owner[k] & (GR_LANES - 1);
        gr_node *tree = pool->rows[owner].way.to.tree;
        gr_instruction *program = pool->rows[owner].way.to.program;
        gr_node node = pool->nodes[k];
        if (node.head)
            GR_FAR(tree)[k] = node;
        gr_instruction instruction = gr_code_pooled(pool, k, node, owner, w);
        gr_sync(w);
        uint32_t own = node.head && !(pool->owner[k] & GR_POOL_IN_PLACE), all = gr_vote(w, own);
        uint32_t after = pool->differences[k + 1];
        after += gr_sum_after(w, after);
        uint32_t location = instructions - 1 - gr_count_bits(all >> w.lane >> 1) + moved + after;
        if (own)
            GR_FAR(program)
        [GR_LOCATION_POSITION(location)] =
            gr_at_stack_level(instruction, GR_LOCATION_LEVEL(location));
        if (!from)
            break;
        moved += gr_from_lane(w, after, 0);
        instructions -= gr_count_bits(all);
    }
    gr_sync(w);
}

#endif
