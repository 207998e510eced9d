/* Mutation: codon flips in genomes; point and subtree mutation in trees. */
#ifndef GR_MUTATION_H
#define GR_MUTATION_H

#include "gpu/core/variation/crossover.h"

/* How many of 2^24 draws change a codon of [0, range): by the run's probability (below 0: once on
 * average). */
GR_FN uint32_t gr_flips_below(const gr_params *p, uint32_t range) {
    float probability = p->codon_mutation < 0.0f ? gr_div(1.0f, (float)range) : p->codon_mutation;
    return probability > 0.0f ? gr_units_below(probability) : 0;
}

/* Redraws each codon of [0, range) by that chance. Draws belong to positions, two codons to a
 * block. */
GR_FN void gr_flip_codons(const gr_params *p, const gr_random *r, uint32_t *genome, uint32_t range,
                          gr_lane_group w) {
    uint32_t below = gr_flips_below(p, range);
    if (!below)
        return;
    for (uint32_t b = GR_BLOCKS * w.lane; b < (range + 1) / 2; b += GR_BLOCKS * w.width) {
        gr_block block[GR_BLOCKS];
        gr_draw_blocks(r, b, block);
        for (uint32_t k = 0; k < 2 * GR_BLOCKS; k++)
            if (2 * b + k < range && block[k / 2].word[k % 2 * 2] >> 8 < below)
                genome[2 * b + k] = gr_codon(p, block[k / 2].word[k % 2 * 2 + 1]);
    }
}

/* Another operation of the same arity, or another leaf; drawn again until it differs, a few times.
 */
GR_FN gr_node gr_point_node(const gr_params *p, gr_random *r, gr_node node) {
    uint32_t op = GR_NODE_OP(node), arity = gr_arity(op);
    uint32_t first = p->arity_first[arity], count = p->arity_first[arity + 1] - first;
    for (uint32_t t = 0; t < 8; t++) {
        gr_node other = node;
        if (arity == 0)
            other = gr_random_leaf(p, r);
        else
            other.head = (node.head & ~0xffu) | p->function[first + gr_below(r, count)];
        if (other.head != node.head || (arity == 0 && other.operand != node.operand))
            return other;
    }
    return node;
}

/* A subtree that takes another's place. drawn: its nodes are as gr_draw_tree left them. */
typedef struct gr_piece {
    gr_nodes nodes;
    uint32_t size, drawn;
} gr_piece;

/* Moves `count` nodes, a few read before one is written: memory answers late. */
enum { GR_MOVED_AT_ONCE = 4 };
GR_FN void gr_move_nodes(gr_nodes tree, uint32_t from, uint32_t to, uint32_t count) {
    uint32_t up = to > from, done = 0;
    gr_node node[GR_MOVED_AT_ONCE];
    for (; done + GR_MOVED_AT_ONCE <= count; done += GR_MOVED_AT_ONCE) {
        uint32_t first = up ? count - done - GR_MOVED_AT_ONCE : done;
        for (uint32_t k = 0; k < GR_MOVED_AT_ONCE; k++)
            node[k] = GR_AT(tree, from + first + k);
        for (uint32_t k = 0; k < GR_MOVED_AT_ONCE; k++)
            GR_AT(tree, to + first + k) = node[k];
    }
    for (; done < count; done++) {
        uint32_t k = up ? count - done - 1 : done;
        GR_AT(tree, to + k) = GR_AT(tree, from + k);
    }
}

/* Replaces nodes [first, last) of a tree by a piece. Lanes move the nodes behind by way of the
 * scratch behind the piece. The new length. */
GR_FN uint32_t gr_replace_nodes(gr_nodes tree, uint32_t length, uint32_t first, uint32_t last,
                                gr_piece by, gr_lane_group w) {
    const gr_nodes piece = by.nodes;
    uint32_t behind = length - last, size = by.size, drawn = by.drawn, to = first + size;
    if (w.width > 1) {
        for (uint32_t k = w.lane; k < behind; k += w.width)
            GR_AT(piece, size + k) = GR_AT(tree, last + k);
        gr_sync(w);
        for (uint32_t k = w.lane; k < behind; k += w.width)
            GR_AT(tree, to + k) = GR_AT(piece, size + k);
    } else if (to != last)
        gr_move_nodes(tree, last, to, behind);
    for (uint32_t k = w.lane; k < size; k += w.width)
        GR_AT(tree, first + k) = GR_AT(piece, drawn ? size - 1 - k : k);
    gr_sync(w);
    if (drawn && w.width > 1)
        gr_annotate_together(gr_nodes_from(tree, first), size, w);
    else if (drawn)
        gr_annotate(gr_nodes_from(tree, first), size);
    return to + behind;
}

/* What becomes of the subtree at `root`: `size` nodes in scratch.nodes take its root; `count` of
 * them, from `at` on, are the tree's own nodes from `from` on. size 0: nothing. */
typedef struct gr_edit {
    uint32_t root, size, from, count, at;
    uint32_t drawn;   /* the nodes are as gr_draw_tree left them */
    uint32_t retries; /* what drawing it took, see gr_add_retries */
} gr_edit;

/* Carries an edit out; the new length. All lanes know the edit. */
GR_FN uint32_t gr_apply_edit(gr_edit edit, gr_nodes tree, uint32_t length, gr_scratch scratch,
                             gr_lane_group w) {
    uint32_t taken = GR_NODE_SIZE(GR_AT(tree, edit.root)), first = edit.root + 1 - taken;
    uint32_t shift = edit.size - taken, top = first + edit.size - 1, ancestors = 0;
    for (uint32_t k = w.lane; k < edit.count; k += w.width)
        GR_AT(scratch.nodes, edit.at + k) = GR_AT(tree, edit.from + k);
    if (w.width > 1)
        ancestors = gr_find_ancestors(tree, length - 1, edit.root, shift, scratch.path, w);
    gr_sync(w);
    const gr_piece piece = {scratch.nodes, edit.size, edit.drawn};
    length = gr_replace_nodes(tree, length, first, edit.root + 1, piece, w);
    if (w.lane == 0 && edit.count && edit.count < edit.size) /* the function above the tree's own */
        GR_AT(tree, top) = gr_function_node(tree, top, GR_NODE_OP(GR_AT(tree, top)));
    gr_sync(w);
    if (w.width > 1)
        gr_fix_ancestor_sizes(tree, top, shift, ancestors, scratch.path, w);
    else
        gr_fix_sizes_behind(tree, top + 1, length, shift, NULL);
    return length;
}

/* A new subtree in `scratch` and what it replaces, drawn again at a new node while it breaks a
 * limit; size 0 when no try fits. Grown up to subtree_depth; `ramped`: half and half over its
 * depths, and more than a leaf where that allows (Langdon's ramped half-and-half 0:1 is
 * subtree_depth 2: a leaf, or a function of leaves). By the first lane's stream; all draw, and know
 * the result. */
GR_FN gr_edit gr_draw_subtree(const gr_params *p, gr_random *of, uint32_t ramped, gr_nodes tree,
                              uint32_t length, gr_nodes scratch, gr_lane_group w) {
    gr_edit edit = {0};
    gr_random r = gr_shared_stream(of, w);
    uint32_t t = 0;
    for (; t < p->tries && !edit.size; t++) {
        uint32_t i = gr_below(&r, length);
        gr_node node = GR_AT(tree, i), top = GR_AT(tree, length - 1);
        uint32_t capacity = p->max_nodes - (length - GR_NODE_SIZE(node));
        uint32_t depth = p->subtree_depth, full = 0;
        if (ramped)
            depth = 1 + gr_below(&r, p->subtree_depth), full = gr_next(&r) >> 31;
        if (gr_nodes_above(top, node, length - 1 - i) + depth > p->max_tree_depth)
            depth =
                gr_min_u32(depth, p->max_tree_depth + 1 - gr_find_level(tree, length - 1, i, w));
        edit.size = gr_draw_tree(p, &r, depth, full, ramped, scratch, capacity, w);
        edit.root = i;
    }
    *of = gr_own_stream(r);
    edit.drawn = 1;
    edit.retries = gr_retries_after(t - (edit.size != 0), p->tries);
    return edit;
}

/* Which of point and subtree mutation a child gets, a bit each by gr_mutation; the first draws of
 * its stream. */
GR_FN uint32_t gr_draw_two_mutations(const gr_params *p, gr_random *r) {
    uint32_t point = gr_chance(r, p->point_mutation);
    return point << GR_MUTATE_POINT | gr_chance(r, p->subtree_mutation) << GR_MUTATE_SUBTREE;
}

/* The nodes of a tree that mutates, and what limits have cost it so far (gr_add_retries), which
 * lane 0 knows. */
typedef struct gr_mutant {
    uint32_t length, retries;
} gr_mutant;

/* Point and subtree mutation of individual i, an annotated tree, each with its own probability. A
 * new subtree that would break a limit is drawn again, `tries` times, then left out. */
GR_FN void gr_mutate_tree(const gr_state *s, uint32_t generation, uint32_t i, gr_nodes tree,
                          gr_mutant *of, gr_scratch scratch, gr_lane_group w) {
    const gr_params *p = &s->p;
    gr_random r =
        gr_stream(p, GR_PURPOSE_MUTATION, generation, i / p->population, i % p->population);
    uint32_t drawn = gr_draw_two_mutations(p, &r);
    gr_edit edit = {0};
    if (drawn >> GR_MUTATE_POINT & 1u && w.lane == 0) {
        uint32_t at = gr_below(&r, of->length);
        GR_AT(tree, at) = gr_point_node(p, &r, GR_AT(tree, at));
    }
    gr_sync(w);
    if (drawn >> GR_MUTATE_SUBTREE & 1u)
        edit = gr_draw_subtree(p, &r, 0, tree, of->length, scratch.nodes, w);
    of->retries = gr_add_retries(of->retries, edit.retries);
    gr_sync(w); /* what did not fit lies where the program's locations will */
    if (edit.size)
        of->length = gr_apply_edit(edit, tree, of->length, scratch, w);
}

#endif
