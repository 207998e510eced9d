/* Crossover points of trees, beyond two uniform ones: Koza's bias to functions, depth-dependent,
 * size-fair and one-point crossover. */
#ifndef GR_POINTS_H
#define GR_POINTS_H

#include "gpu/core/base/math.h"
#include "gpu/core/program/tree.h"

enum { GR_POINT_DRAWS = 64 };

/* A node of the tree: uniform, or a function with the run's probability (Koza 1992: 0.9), every
 * function as likely as the others. A wanted kind that is rare is looked for from a random node
 * on. */
GR_FN uint32_t gr_draw_point(const gr_params *p, gr_random *r, gr_nodes tree, uint32_t length) {
    uint32_t i = gr_below(r, length);
    if (!(p->function_points > 0.0f) || length == 1)
        return i;
    uint32_t inner = gr_chance(r, p->function_points);
    for (uint32_t t = 0; t < GR_POINT_DRAWS && (GR_NODE_SIZE(GR_AT(tree, i)) > 1) != inner; t++)
        i = gr_below(r, length);
    while ((GR_NODE_SIZE(GR_AT(tree, i)) > 1) != inner)
        i = i + 1 < length ? i + 1 : 0;
    return i;
}

/* The k-th operand, from the right, of node i. */
GR_FN uint32_t gr_operand_root(gr_nodes tree, uint32_t i, uint32_t k) {
    uint32_t child = i - 1;
    while (k--)
        child -= GR_NODE_SIZE(GR_AT(tree, child));
    return child;
}

/* Level d with probability 2^-d (Ito, Iba and Sato 1998), each operand on the way down as likely as
 * its siblings; a leaf ends the way. */
GR_FN uint32_t gr_descend(gr_random *r, gr_nodes tree, uint32_t length) {
    uint32_t i = length - 1;
    for (;;) {
        uint32_t arity = gr_arity(GR_NODE_OP(GR_AT(tree, i)));
        if (arity == 0 || gr_next(r) >> 31)
            return i;
        i = gr_operand_root(tree, i, gr_below(r, arity));
    }
}

/* Whether a subtree of `other` nodes is smaller (0) or larger (1) than one of `size`, or as large
 * (2); 3: more than 2 size + 1. */
GR_FN uint32_t gr_size_class(uint32_t other, uint32_t size) {
    return other > 2 * size + 1 ? 3 : other == size ? 2 : other > size;
}

/* A node of the tree whose subtree takes the place of one of `size` nodes so that trees neither
 * grow nor shrink on average (Langdon 2000): as large with probability 1 / size, otherwise smaller
 * or larger in inverse proportion to how much so on average. */
GR_FN uint32_t gr_size_fair_point(gr_random *r, gr_nodes tree, uint32_t length, uint32_t size) {
    uint32_t count[3] = {0, 0, 0}, wanted = 2;
    uint64_t apart[2] = {0, 0};
    for (uint32_t i = 0; i < length; i++) {
        uint32_t other = GR_NODE_SIZE(GR_AT(tree, i)), kind = gr_size_class(other, size);
        if (kind < 3)
            count[kind]++;
        if (kind < 2)
            apart[kind] += kind ? other - size : size - other;
    }
    float same = count[2] == 0                    ? 0.0f
                 : count[0] == 0 || count[1] == 0 ? 1.0f
                                                  : gr_div(1.0f, (float)size);
    float u = gr_unit(gr_next(r)), v = gr_unit(gr_next(r));
    if (!(u < same)) {
        float less = count[0] ? gr_div((float)apart[0], (float)count[0]) : 0.0f;
        float more = count[1] ? gr_div((float)apart[1], (float)count[1]) : 0.0f;
        wanted = count[0] == 0 || (count[1] && v * (less + more) < less);
    }
    uint32_t which = gr_below(r, count[wanted]);
    for (uint32_t i = 0; i < length; i++)
        if (gr_size_class(GR_NODE_SIZE(GR_AT(tree, i)), size) == wanted && which-- == 0)
            return i;
    return length - 1;
}

/* Walks the common region of two trees (Poli and Langdon 1998: the nodes reached from the roots
 * while arities agree) and stops at its node number `stop`, in *i and *j; the number of nodes
 * passed. Both trees are read from the root towards the front, last operand first, in step. */
GR_FN uint32_t gr_common_region(gr_nodes a, gr_nodes b, uint32_t stop, uint32_t *i, uint32_t *j) {
    uint32_t passed = 0, left = *i + 1, right = *j + 1; /* nodes not yet looked at */
    while (left && right) {
        *i = left - 1;
        *j = right - 1;
        if (passed++ == stop)
            return passed;
        gr_node x = GR_AT(a, *i), y = GR_AT(b, *j);
        uint32_t deeper = gr_arity(GR_NODE_OP(x)) == gr_arity(GR_NODE_OP(y));
        left -= deeper ? 1 : GR_NODE_SIZE(x);
        right -= deeper ? 1 : GR_NODE_SIZE(y);
    }
    return passed;
}

/* ---- points of two trees; *i and *j are the trees' roots before ---- */

GR_FN void gr_any_points(const gr_params *p, gr_random *r, gr_nodes a, gr_nodes b, uint32_t *i,
                         uint32_t *j) {
    *i = gr_draw_point(p, r, a, *i + 1);
    *j = gr_draw_point(p, r, b, *j + 1);
}

GR_FN void gr_depth_dependent_points(gr_random *r, gr_nodes a, gr_nodes b, uint32_t *i,
                                     uint32_t *j) {
    *i = gr_descend(r, a, *i + 1);
    *j = gr_descend(r, b, *j + 1);
}

GR_FN void gr_size_fair_points(const gr_params *p, gr_random *r, gr_nodes a, gr_nodes b,
                               uint32_t *i, uint32_t *j) {
    *i = gr_draw_point(p, r, a, *i + 1);
    *j = gr_size_fair_point(r, b, *j + 1, GR_NODE_SIZE(GR_AT(a, *i)));
}

GR_FN void gr_common_points(gr_random *r, gr_nodes a, gr_nodes b, uint32_t *i, uint32_t *j) {
    uint32_t x = *i, y = *j, region = gr_common_region(a, b, 0xffffffffu, &x, &y);
    gr_common_region(a, b, gr_below(r, region), i, j);
}

/* The roots of the subtrees that two trees exchange. */
GR_CALL void gr_choose_points(const gr_params *p, gr_random *r, gr_nodes a, gr_nodes b, uint32_t *i,
                              uint32_t *j) {
    switch (p->crossover) {
#define GR_TREE_CROSSOVER(id, word, genotypes, points, help)                                       \
    case GR_CROSSOVER_##id:                                                                        \
        points;                                                                                    \
        break;
#include "gpu/core/base/crossovers.def"
    }
}

#endif
