/* Trees bred many at a time: a lane finds out what becomes of a tree, then all lanes copy and
 * compile the nodes of all of them, which stand one tree after the other in a pool. It takes a
 * third of the instructions of a tree at a time (breed.h) where trees are many and small, and gives
 * the same. */
#ifndef GR_MANY_TREES_H
#define GR_MANY_TREES_H

#include "breed.h"

/* What all lanes need to know of a tree. While its nodes are gathered: node k of the pool is
 * a[k - first] below `cut`, b[k - cut] below `behind`, rest[k - behind] from there to `last`. */
typedef struct gr_row {
    const gr_node *a, *b, *rest;
    uint32_t i; /* individual */
    uint16_t first, cut, behind, last;
} gr_row;

/* Fast memory of a worker. */
typedef struct gr_pool {
    gr_node *nodes;    /* [capacity]; instructions while compiling */
    uint32_t *places;  /* [capacity + 1] */
    gr_row *rows;      /* [GR_LANES] */
    uint32_t capacity; /* at least max_nodes, below 2^16 */
    uint32_t growth;   /* gr_largest_growth */
} gr_pool;

enum { GR_LARGEST_POOL = 0xfffe }; /* rows have 16 bits for a place */

/* Bytes of a pool, a multiple of 8. */
GR_BOTH size_t gr_pool_bytes(uint32_t capacity) {
    return GR_LANES * sizeof(gr_row) + capacity * sizeof(gr_node) +
           (capacity + 2) / 2 * 2 * sizeof(uint32_t);
}

GR_FN gr_pool gr_make_pool(const gr_params *p, void *memory, uint32_t capacity) {
    gr_row *rows = (gr_row *)memory;
    gr_node *nodes = (gr_node *)(rows + GR_LANES);
    gr_pool pool = {nodes, (uint32_t *)(nodes + capacity), rows, capacity, gr_largest_growth(p)};
    return pool;
}

/* A lane's tree on its way. */
typedef struct gr_brood {
    uint32_t i;      /* individual */
    gr_plan plan;    /* its parents in `buffer` */
    uint32_t shift;  /* nodes longer than parent a, modulo 2^32 */
    uint32_t length; /* nodes so far; 0: its deme has stopped */
    uint32_t room;   /* nodes it may grow to, at least 1 */
    uint32_t first;  /* its place in the pool */
} gr_brood;

/* Nodes that mutation may add to this child. It draws what mutation will draw first. */
GR_FN uint32_t gr_child_growth(const gr_state *s, uint32_t generation, uint32_t deme, uint32_t slot,
                               uint32_t growth) {
    const gr_params *p = &s->p;
    gr_random r = gr_stream(p, GR_PURPOSE_MUTATION, generation, deme, slot);
    if (!growth)
        return 0;
    if (p->varied)
        return gr_draw_mutations(p, &r) & GR_MUTATIONS_THAT_GROW ? growth : 0;
    gr_chance(&r, p->point_mutation);
    return gr_chance(&r, p->subtree_mutation) ? growth : 0;
}

/* In the first generation the tree is drawn where it belongs, and taken as it is. */
GR_FN gr_brood gr_plan_brood(const gr_state *s, uint32_t generation, uint32_t i, uint32_t growth) {
    const gr_params *p = &s->p;
    uint32_t deme = i / p->population, slot = i % p->population, buffer = generation & 1;
    gr_brood t = {.i = i, .room = 1};
    if (!s->demes[deme].active)
        return t;
    if (generation == 0) {
        t.length = s->individuals[buffer][i].length;
        t.plan = gr_copy_plan(i, t.length, 1);
        t.plan.again = GR_AGAIN(gr_attempt(s, i), 0);
    } else {
        t.plan = s->plans[i];
        uint32_t length_a = s->individuals[buffer ^ 1][t.plan.a].length;
        t.length = gr_child_length(t.plan, length_a);
        t.shift = t.length - length_a;
    }
    t.room = t.length;
    if (!(t.plan.elite | t.plan.crossed))
        t.room += gr_child_growth(s, generation, deme, slot, growth);
    t.room = gr_min_u32(t.room, gr_max_u32(p->max_nodes, t.length));
    return t;
}

/* Nodes of all trees into the pool; differences to 0. Reads some before it writes the first. */
GR_FN void gr_gather_nodes(const gr_pool *pool, uint32_t first, uint32_t total, gr_worker w) {
    for (uint32_t from = 0; from < total; from += GR_NODES_AHEAD * w.width) {
        gr_node node[GR_NODES_AHEAD] = {{0, 0}};
        for (uint32_t n = 0; n < GR_NODES_AHEAD; n++) {
            uint32_t k = from + n * w.width + w.lane;
            const gr_row *row = &pool->rows[gr_range_of(w, first, from + n * w.width)];
            const gr_node *source = k < row->cut      ? row->a + (k - row->first)
                                    : k < row->behind ? row->b + (k - row->cut)
                                                      : row->rest + (k - row->behind);
            if (k < row->last)
                node[n] = *source;
        }
        for (uint32_t n = 0; n < GR_NODES_AHEAD; n++) {
            uint32_t k = from + n * w.width + w.lane;
            if (k < total) {
                pool->nodes[k] = node[n];
                pool->places[k] = 0;
            }
        }
    }
    if (w.lane == 0)
        pool->places[total] = 0;
}

/* Mends what stands above the new subtree and mutates; the new length. One lane. */
GR_FN uint32_t gr_finish_tree(const gr_state *s, uint32_t generation, gr_brood *t,
                              const gr_pool *pool, gr_scratch scratch) {
    const gr_worker alone = {0, 1};
    const gr_params *p = &s->p;
    gr_nodes tree = {pool->nodes + t->first, 1};
    uint32_t behind = t->plan.a0 + t->plan.b1 - t->plan.b0, count = 0;
    uint32_t deme = t->i / p->population, slot = t->i % p->population;
    for (uint32_t k = behind; k < t->length; k++)
        gr_list_ancestor(k, gr_is_above_cut(t->plan, k - t->shift, GR_AT(tree, k)), scratch.path,
                         &count, alone);
    if (count)
        gr_mend_ancestors(tree, behind - 1, t->shift, count, scratch.path, alone);
    if (t->plan.elite | t->plan.crossed)
        return t->length;
    if (p->varied)
        return gr_vary_tree(s, generation, deme, slot, tree, t->length, scratch, &t->plan.again,
                            alone);
    return gr_mutate_tree(s, generation, deme, slot, tree, t->length, scratch, &t->plan.again,
                          alone);
}

/* Copies the finished trees of a generation to where they belong, leaves their instructions in the
 * pool, at slot 0, and adds up the differences of places. From behind: a node's operands stand
 * before it. */
GR_FN void gr_code_pool(const gr_state *s, uint32_t generation, const gr_pool *pool, uint32_t first,
                        uint32_t total, gr_worker w) {
    gr_nodes nodes = {pool->nodes, 1};
    gr_words places = {pool->places, 1};
    for (uint32_t from = (total - 1) / w.width * w.width;; from -= w.width) {
        uint32_t k = from + w.lane;
        const gr_row *row = &pool->rows[gr_range_of(w, first, from)];
        uint32_t live = k < row->last;
        gr_coded c;
        if (live) {
            GR_AT(gr_tree(s, generation & 1, row->i), k - row->first) = pool->nodes[k];
            c = gr_code_node(nodes, k);
            gr_add_differences(&c, k, places, w);
        }
        gr_sync(w); /* looked at before any is written */
        if (live) {
            pool->nodes[k].head = c.instruction.code;
            pool->nodes[k].operand = c.instruction.operand;
        }
        if (!from)
            break;
    }
    gr_sync(w);
}

/* Instructions from the pool to their programs. A tree's places begin with its program's last one:
 * its differences add up to 0, and what the lanes have added at its ends lasts as long as it does.
 */
GR_FN void gr_place_pool(const gr_state *s, const gr_pool *pool, uint32_t first, uint32_t total,
                         gr_worker w) {
    for (uint32_t from = 0, before = 0; from < total; from += w.width) {
        uint32_t k = from + w.lane, difference = k < total ? pool->places[k] : 0;
        uint32_t place = before + gr_sum_before(w, difference) + difference;
        const gr_row *row = &pool->rows[gr_range_of(w, first, from)];
        if (k < row->last && !(place & GR_IN_PLACE)) {
            gr_instruction instruction = {pool->nodes[k].head, pool->nodes[k].operand};
            gr_program(s, row->i)[GR_PLACE_POSITION(place)] =
                gr_at_slot(instruction, GR_PLACE_SLOT(place));
        }
        before = gr_from_lane(w, place, w.width - 1);
    }
    gr_sync(w);
}

/* The row of a tree that is to be gathered; lanes without one have an empty one. */
GR_FN gr_row gr_origin(const gr_state *s, uint32_t generation, const gr_brood *t) {
    uint32_t buffer = (generation & 1) ^ (generation > 0);
    gr_row row = {0};
    row.a = gr_tree(s, buffer, t->plan.a).at;
    row.b = gr_tree(s, buffer, t->plan.b).at + t->plan.b0;
    row.rest = row.a + t->plan.a1;
    row.first = (uint16_t)t->first;
    row.cut = (uint16_t)(t->first + t->plan.a0);
    row.behind = (uint16_t)(row.cut + t->plan.b1 - t->plan.b0);
    row.last = (uint16_t)(t->first + t->length);
    row.i = t->i;
    return row;
}

/* As many of the individuals [first, last) as there are lanes and room; how many. */
GR_FN uint32_t gr_breed_brood(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                              const gr_pool *pool, gr_scratch scratch, gr_worker w) {
    gr_brood t = {.room = pool->capacity + 1};
    gr_individual individual = {0};
    if (first + w.lane < last)
        t = gr_plan_brood(s, generation, first + w.lane, pool->growth);
    t.first = gr_sum_before(w, t.room);
    uint32_t fits = t.first + t.room <= pool->capacity, before;
    uint32_t count = gr_count_before(w, fits, &before);
    uint32_t total = gr_from_lane(w, t.first + t.room, count - 1);
    if (fits)
        pool->rows[w.lane] = gr_origin(s, generation, &t);
    else
        t.first = 0xffffu;
    gr_sync(w);
    gr_gather_nodes(pool, t.first, total, w);
    gr_sync(w);
    if (fits && t.length) {
        t.length = gr_finish_tree(s, generation, &t, pool, scratch);
        individual = gr_tree_individual(pool->nodes[t.first + t.length - 1]);
        individual.again = t.plan.again;
        pool->rows[w.lane].last = (uint16_t)(t.first + t.length);
    }
    gr_sync(w);
    gr_code_pool(s, generation, pool, t.first, total, w);
    if (fits && t.length) {
        gr_add_to(&pool->places[t.first], individual.instructions - 1, w);
        gr_add_to(&pool->places[t.first + t.room], 1 - individual.instructions, w);
    }
    gr_sync(w);
    gr_place_pool(s, pool, t.first, total, w);
    if (fits)
        s->individuals[generation & 1][t.i] = individual;
    return count;
}

/* Individuals [first, last) of a generation. */
GR_FN void gr_breed_trees(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                          const gr_pool *pool, gr_scratch scratch, gr_worker w) {
    const gr_params *p = &s->p;
    if (generation == 0)
        for (uint32_t i = first + w.lane; i < last; i += w.width)
            if (s->demes[i / p->population].active)
                s->individuals[0][i].length = gr_first_tree(s, i / p->population, i % p->population,
                                                            gr_tree(s, 0, i), scratch);
    gr_sync(w);
    while (first < last)
        first += gr_breed_brood(s, generation, first, last, pool, scratch, w);
}

#endif
