/* Crossover as a plan (what of which parent) and its execution (copying). A pair of children shares
 * two parents and its cut points: child 2k takes parent a with a piece of b, child 2k + 1 the other
 * way round. Both compute the same draws, so neither waits for the other. */
#ifndef GR_CROSSOVER_H
#define GR_CROSSOVER_H

#include "genome.h"
#include "points.h"

GR_FN gr_plan gr_copy_plan(uint32_t parent, uint32_t length, uint32_t elite) {
    gr_plan plan = {parent, parent, length, length, 0, 0, elite, 0};
    return plan;
}

GR_FN uint32_t gr_child_length(gr_plan plan, uint32_t length_a) {
    return plan.a0 + (plan.b1 - plan.b0) + (length_a - plan.a1);
}

/* The part of a genome in which cuts may lie: 1..result. */
GR_FN uint32_t gr_cut_range(const gr_params *p, gr_individual parent) {
    uint32_t within = p->crossover_within_used && parent.validity == GR_VALID;
    return gr_max_u32(1, within ? gr_min_u32(parent.used, parent.length) : parent.length);
}

GR_FN void gr_swap_if(uint32_t *low, uint32_t *high) {
    if (*low > *high) {
        uint32_t swap = *low;
        *low = *high;
        *high = swap;
    }
}

/* Cuts in two genomes: x[0] <= x[1] in the first, y[] in the second. */
GR_FN void gr_genome_cuts(const gr_params *p, gr_random *r, gr_individual a, gr_individual b,
                          uint32_t *x, uint32_t *y) {
    uint32_t range_a = gr_cut_range(p, a), range_b = gr_cut_range(p, b);
    if (p->crossover == GR_CROSSOVER_LISTS) { /* copies; breed_indirect.h mixes them */
        x[0] = x[1] = a.length;
        y[0] = y[1] = 0;
        return;
    }
    uint32_t fixed =
        p->crossover == GR_CROSSOVER_FIXED_ONEPOINT || p->crossover == GR_CROSSOVER_FIXED_TWOPOINT;
    uint32_t twopoint = p->crossover == GR_CROSSOVER_FIXED_TWOPOINT ||
                        p->crossover == GR_CROSSOVER_VARIABLE_TWOPOINT;
    if (fixed)
        range_a = range_b = gr_min_u32(range_a, range_b);
    x[0] = 1 + gr_below(r, range_a);
    y[0] = fixed ? x[0] : 1 + gr_below(r, range_b);
    x[1] = a.length;
    y[1] = b.length;
    if (twopoint) {
        x[1] = 1 + gr_below(r, range_a);
        y[1] = fixed ? x[1] : 1 + gr_below(r, range_b);
        gr_swap_if(&x[0], &x[1]);
        gr_swap_if(&y[0], &y[1]);
    }
}

/* Whether a subtree of `height` in place of node `target` keeps a tree within the depth limit. The
 * tree's own height mostly answers; only near the limit the target's level has to be found. */
GR_FN uint32_t gr_depth_fits(const gr_params *p, gr_nodes tree, uint32_t root, uint32_t target,
                             uint32_t height, gr_worker w) {
    uint32_t below = GR_NODE_HEIGHT(GR_AT(tree, target)),
             highest = GR_NODE_HEIGHT(GR_AT(tree, root)) - below;
    if (highest + height <= p->max_tree_depth) /* the target stands no deeper than that */
        return 1;
    return gr_find_level(tree, root, target, w) - 1 + height <= p->max_tree_depth;
}

/* Subtrees of two trees, as the ranges of their nodes; 0 when a child would break the depth limit.
 */
GR_FN uint32_t gr_tree_cuts(const gr_state *s, gr_random *r, uint32_t buffer, uint32_t a,
                            uint32_t b, gr_individual ia, gr_individual ib, uint32_t *x,
                            uint32_t *y, gr_worker w) {
    gr_nodes ta = gr_tree(s, buffer, a), tb = gr_tree(s, buffer, b);
    uint32_t i, j;
    if (s->p.crossover == GR_CROSSOVER_SUBTREE && !(s->p.function_points > 0.0f)) {
        i = gr_below(r, ia.length);
        j = gr_below(r, ib.length);
    } else { /* copies, so that nothing has an address where this is not done */
        gr_random own = *r;
        uint32_t point_a, point_b;
        gr_choose_points(&s->p, &own, ta, ia.length, tb, ib.length, &point_a, &point_b);
        *r = own;
        i = point_a;
        j = point_b;
    }
    gr_node ni = GR_AT(ta, i), nj = GR_AT(tb, j);
    x[1] = i + 1;
    y[1] = j + 1;
    x[0] = x[1] - GR_NODE_SIZE(ni);
    y[0] = y[1] - GR_NODE_SIZE(nj);
    return gr_depth_fits(&s->p, ta, ia.length - 1, i, GR_NODE_HEIGHT(nj), w) &&
           (s->p.one_child || gr_depth_fits(&s->p, tb, ib.length - 1, j, GR_NODE_HEIGHT(ni), w));
}

/* Plan of child `slot` (place in its deme) of parents a and b (counted over all runs, in `buffer`).
 * Cuts that would give a child over the limits are drawn again, `tries` times; then the children
 * are copies. All lanes of the worker find the same plan. */
GR_FN gr_plan gr_crossover_plan(const gr_state *s, uint32_t generation, uint32_t deme,
                                uint32_t slot, uint32_t buffer, uint32_t a, uint32_t b,
                                gr_worker w) {
    const gr_params *p = &s->p;
    uint32_t pair = slot / 2, second = slot % 2;
    gr_random r = gr_stream(p, GR_PURPOSE_CROSSOVER, generation, deme, pair);
    gr_individual ia = s->individuals[buffer][a], ib = s->individuals[buffer][b];
    uint32_t room = p->genotype == GR_TREE ? p->max_nodes : p->genome_capacity;
    uint32_t x[2], y[2], crosses = gr_chance(&r, p->crossover_probability);
    uint32_t turned = p->torus ? gr_next(&r) >> 31 : 0; /* half swap who gives the root */
    for (uint32_t t = 0; crosses && p->crossover != GR_CROSSOVER_NONE && t < p->tries; t++) {
        uint32_t fits = 1;
        if (p->genotype == GR_TREE)
            fits = gr_tree_cuts(s, &r, buffer, a, b, ia, ib, x, y, w);
        else
            gr_genome_cuts(p, &r, ia, ib, x, y);
        gr_plan one = {a, b, x[0], x[1], y[0], y[1], 0, p->exclusive};
        gr_plan two = {b, a, y[0], y[1], x[0], x[1], 0, p->exclusive};
        if (fits && gr_child_length(one, ia.length) <= room &&
            (p->one_child || gr_child_length(two, ib.length) <= room))
            return second ^ turned ? two : one;
    }
    return second ? gr_copy_plan(b, ib.length, 0) : gr_copy_plan(a, ia.length, 0);
}

/* Executes a plan on codons: a child of `length`. */
GR_FN void gr_splice_genome(const gr_state *s, gr_plan plan, uint32_t buffer, uint32_t *child,
                            uint32_t length, gr_worker w) {
    const uint32_t *a = gr_genome(s, buffer, plan.a), *b = gr_genome(s, buffer, plan.b);
    uint32_t middle = plan.b1 - plan.b0;
    const int64_t shift_b = (int64_t)plan.b0 - plan.a0,
                  shift_a = (int64_t)plan.a1 - plan.a0 - middle;
#ifdef __CUDA_ARCH__
#pragma unroll 4
#endif
    for (uint32_t i = w.lane; i < length; i += w.width) {
        const uint32_t *from = i < plan.a0 ? a : i < plan.a0 + middle ? b + shift_b : a + shift_a;
        child[i] = from[i];
    }
}

/* Executes a plan on trees; the child's length, its nodes annotated. */
GR_FN uint32_t gr_splice_tree(const gr_state *s, gr_plan plan, uint32_t buffer, gr_nodes child,
                              gr_words path, gr_worker w) {
    gr_nodes a = gr_tree(s, buffer, plan.a), b = gr_tree(s, buffer, plan.b);
    uint32_t middle = plan.b1 - plan.b0, length_a = s->individuals[buffer][plan.a].length;
    uint32_t length = gr_child_length(plan, length_a);
    for (uint32_t i = w.lane; i < length; i += w.width)
        GR_AT(child, i) = i < plan.a0            ? GR_AT(a, i)
                          : i < plan.a0 + middle ? GR_AT(b, plan.b0 + i - plan.a0)
                                                 : GR_AT(a, plan.a1 + i - plan.a0 - middle);
    gr_sync(w);
    if (middle) {
        uint32_t ancestors =
            gr_find_ancestors(a, length_a - 1, plan.a1 - 1, length - length_a, path, w);
        gr_sync(w);
        if (w.lane == 0)
            gr_mend_ancestors(child, ancestors, path);
        gr_sync(w);
    }
    return length;
}

#endif
