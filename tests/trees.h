/* What the tests of tree operators share: random trees, and what every child must be. */
#ifndef GRAMPUS_TESTS_TREES_H
#define GRAMPUS_TESTS_TREES_H

#include "tests/core.h"

/* A random tree as individual i of buffer 0, drawn by `which`; its length. */
CORE_FN uint32_t trees_grow(core *c, uint32_t i, uint32_t which) {
    const gr_params *p = &c->s.p;
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, 77, 0, which);
    gr_nodes tree = gr_tree(&c->s, 0, i);
    uint32_t count = 0;
    while (!count)
        count = gr_random_tree(p, &r, 2 + gr_below(&r, 5), gr_below(&r, 2), 1, tree, p->max_nodes);
    gr_individual individual = {.length = count, .nodes = count, .instructions = 1};
    individual.depth = GR_NODE_HEIGHT(GR_AT(tree, count - 1));
    c->s.individuals[0][i] = individual;
    return count;
}

/* One whole tree, within the limits, its annotations as if written anew. */
CORE_FN int trees_sound(const gr_params *p, const gr_node *nodes, uint32_t count) {
    gr_node again[1024];
    if (!count || count > p->max_nodes || count > 1024 || core_subtree(nodes, count - 1) != 0 ||
        core_height(nodes, count - 1) > p->max_tree_depth)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = GR_NODE_OP(nodes[i]), known = op <= GR_INPUT;
        for (uint32_t k = 0; k < p->functions; k++)
            known |= p->function[k] == op;
        if (!known || (op == GR_INPUT && nodes[i].operand >= p->inputs))
            return 0;
    }
    memcpy(again, nodes, count * sizeof *nodes);
    gr_nodes view = {again, 1};
    gr_annotate(view, count);
    return memcmp(again, nodes, count * sizeof *nodes) == 0;
}

#endif
