/* Random trees of a wanted size. */
#include "host/bench/bench.h"

#include "gpu/core/program/tree.h"
#include "host/cpu/processors.h"
#include "host/cpu/team.h"

/* A tree under construction: a node's operands by position in the list, and the operands still
 * open. */
typedef struct sketch {
    gr_node node[GR_MOST_TREE + 2];
    uint16_t operand[GR_MOST_TREE + 2][3];
    uint16_t open[GR_MOST_TREE + 2];
    uint32_t count, opens;
} sketch;

/* A function of at most `most` operands, or of as few as there are. */
static uint32_t draw_function(const gr_params *p, gr_random *random, uint32_t most) {
    uint32_t arity = most < 3 ? most : 3;
    while (arity < 3 && !p->arity_first[arity + 1])
        arity++;
    return p->function[gr_below(random, p->arity_first[arity + 1])];
}

static void open_operand(sketch *s) {
    s->open[s->opens++] = (uint16_t)s->count;
    s->node[s->count++] = gr_make_node(GR_CONSTANT, 1, 1, 0);
}

/* Postfix from the root down, last operand first, then reversed (as tree.h does it). */
static void write_postfix(const sketch *s, gr_node *nodes) {
    uint16_t stack[GR_MOST_TREE + 2];
    uint32_t top = 0, count = s->count, at = count;
    stack[top++] = 0;
    while (top) {
        uint32_t i = stack[--top], arity = gr_arity(GR_NODE_OP(s->node[i]));
        nodes[--at] = s->node[i];
        for (uint32_t k = 0; k < arity; k++)
            stack[top++] = s->operand[i][k];
    }
}

uint32_t gr_tree_of_size(const gr_params *p, gr_random *random, uint32_t size, gr_node *nodes) {
    sketch s;
    s.count = s.opens = 0;
    open_operand(&s);
    while (s.count < size) {
        uint32_t which = gr_below(random, s.opens), i = s.open[which];
        uint32_t op = draw_function(p, random, size - s.count);
        s.open[which] = s.open[--s.opens];
        s.node[i] = gr_make_node(op, 0, 0, 0);
        for (uint32_t k = 0; k < gr_arity(op); k++) {
            s.operand[i][k] = (uint16_t)s.count;
            open_operand(&s);
        }
    }
    for (uint32_t k = 0; k < s.opens; k++)
        s.node[s.open[k]] = gr_random_leaf(p, random);
    write_postfix(&s, nodes);
    return s.count;
}

/* The trees of a row. */
typedef struct growing {
    const gr_params *p;
    const gr_bench_row *row;
    gr_node *nodes;
    uint32_t *lengths;
} growing;

static void grow_some(void *context, uint64_t first, uint64_t last, uint32_t thread) {
    const growing *g = context;
    const gr_params *p = g->p;
    const gr_bench_row *row = g->row;
    (void)thread;
    for (uint32_t i = (uint32_t)first; i < last; i++) {
        /* Nothing else draws for initialisation in generation 1. */
        gr_random random = gr_stream(p, GR_PURPOSE_INIT, 1, i / p->population, i % p->population);
        uint32_t size = row->least + gr_below(&random, row->most - row->least + 1);
        if (row->one_in && gr_below(&random, row->one_in) == 0)
            size = row->large;
        g->lengths[i] = gr_tree_of_size(p, &random, size, g->nodes + (size_t)i * p->max_nodes);
    }
}

void gr_random_trees(const gr_params *p, const gr_bench_row *row, gr_node *nodes,
                     uint32_t *lengths) {
    growing work = {p, row, nodes, lengths};
    gr_team *team = gr_team_open(gr_processors());
    gr_team_loop(team, p->individuals, 256, grow_some, &work);
    gr_team_close(team);
}
