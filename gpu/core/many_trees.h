/* Trees bred many at a time: a lane finds out what becomes of a tree, then all lanes copy and
 * compile the nodes of all of them, which stand one tree after the other in a pool. Where
 * trees are many and small it takes a fraction of the instructions of a tree at a time (breed.h),
 * and gives the same. */
#ifndef GR_MANY_TREES_H
#define GR_MANY_TREES_H

#include "breed.h"

/* What all lanes need to know of a tree. Where its nodes come from: node k of the pool is
 * a[k - first] below `cut`, b[k - cut] below `behind`, rest[k - behind] from there to `last`. Then
 * where it goes. */
typedef struct gr_row {
    union {
        struct {
            const gr_node *a, *b, *rest;
        } from;
        struct {
            gr_node *tree;
            gr_instruction *program;
        } to;
    } way;
    uint16_t first, cut, behind, last;
    uint16_t shift; /* nodes longer than parent a, modulo 2^16 */
} gr_row;

/* Fast memory of a worker. Its capacity is at least max_nodes and a multiple of GR_LANES. */
typedef struct gr_pool {
    gr_row *rows;          /* [GR_LANES] */
    gr_node *nodes;        /* [capacity] */
    uint32_t *differences; /* [capacity + 1] of places */
    uint32_t *above; /* [capacity / GR_LANES] a bit for each node above a new subtree; NULL for
                        a lane alone */
    uint8_t *owner;  /* [capacity] lane of the tree */
    uint32_t capacity;
    uint32_t growth; /* gr_largest_growth */
} gr_pool;
enum { GR_LARGEST_POOL = 0xffe0 }; /* rows have 16 bits for a place */

/* Bytes of a pool, a multiple of 8. */
GR_BOTH size_t gr_pool_bytes(uint32_t capacity) {
    return GR_LANES * sizeof(gr_row) + capacity * sizeof(gr_node) +
           ((capacity + 1 + capacity / GR_LANES) * sizeof(uint32_t) + capacity + 7) / 8 * 8;
}

GR_FN gr_pool gr_make_pool(const gr_params *p, void *memory, uint32_t capacity, gr_worker w) {
    gr_pool pool;
    pool.rows = (gr_row *)memory;
    pool.nodes = (gr_node *)(pool.rows + GR_LANES);
    pool.differences = (uint32_t *)(pool.nodes + capacity);
    uint32_t *above = pool.differences + capacity + 1;
    pool.above = w.width == GR_LANES ? above : NULL;
    pool.owner = (uint8_t *)(above + capacity / GR_LANES);
    pool.capacity = capacity;
    pool.growth = gr_largest_growth(p);
    return pool;
}

/* A lane's tree on its way. */
typedef struct gr_brood {
    uint32_t i;      /* individual */
    uint32_t length; /* nodes so far; 0: its deme has stopped */
    uint32_t shift;  /* nodes longer than parent a, modulo 2^32 */
    uint32_t behind; /* nodes up to the end of the piece of b */
    uint32_t room;   /* nodes it may grow to, at least 1 */
    uint32_t first;  /* its place in the pool */
    uint32_t fixed;  /* not to be mutated */
    uint32_t again;
} gr_brood;

/* ---- which trees ---- */

enum { GR_CHILD_FIXED, GR_CHILD_MUTATES, GR_CHILD_GROWS };

/* Whether individual i is mutated, and may grow by that: what mutation will draw first. */
GR_FN uint32_t gr_child_kind(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    if (generation == 0 || s->plans[i].elite | s->plans[i].crossed)
        return GR_CHILD_FIXED;
    gr_random r =
        gr_stream(p, GR_PURPOSE_MUTATION, generation, i / p->population, i % p->population);
    if (p->varied) {
        uint32_t drawn = gr_draw_mutations(p, &r);
        return drawn & GR_MUTATIONS_THAT_GROW ? GR_CHILD_GROWS : drawn != 0;
    }
    uint32_t point = gr_chance(&r, p->point_mutation);
    return gr_chance(&r, p->subtree_mutation) ? GR_CHILD_GROWS : point;
}

/* A child to come: its place among those listed, and its kind. */
#define GR_CHILD(k, kind) ((uint32_t)(k) | (uint32_t)(kind) << 30)
#define GR_CHILD_PLACE(child) ((child)&0x3fffffffu)
#define GR_CHILD_KIND(child) ((child) >> 30)

/* Lists individuals [first, first + count), those that mutate last, so that lanes that mutate do so
 * together. */
GR_FN void gr_list_children(const gr_state *s, uint32_t generation, uint32_t first, uint32_t count,
                            uint32_t *order, gr_worker w) {
    uint32_t fixed = 0, others = 0, before;
    for (uint32_t from = 0; from < count; from += w.width) {
        uint32_t k = from + w.lane, in = k < count, kind = GR_CHILD_FIXED;
        if (in)
            kind = gr_child_kind(s, generation, first + k);
        uint32_t more = gr_count_before(w, in && !kind, &before);
        if (in && !kind)
            order[fixed + before] = GR_CHILD(k, kind);
        fixed += more;
        more = gr_count_before(w, kind, &before);
        if (kind)
            order[count - 1 - others - before] = GR_CHILD(k, kind);
        others += more;
    }
    gr_sync(w);
}

/* In the first generation the tree is drawn where it belongs, and taken as it is. */
GR_FN gr_plan gr_plan_of(const gr_state *s, uint32_t generation, uint32_t i) {
    if (generation > 0)
        return s->plans[i];
    gr_plan plan = gr_copy_plan(i, s->individuals[0][i].length, 1);
    plan.again = GR_AGAIN(gr_attempt(s, i), 0);
    return plan;
}

/* What becomes of individual i, and but for its place in the pool the row it is gathered by. */
GR_FN gr_brood gr_plan_brood(const gr_state *s, uint32_t generation, uint32_t i, uint32_t kind,
                             uint32_t growth, gr_row *row) {
    const gr_params *p = &s->p;
    uint32_t buffer = (generation & 1) ^ (generation > 0);
    gr_brood t = {.i = i, .room = 1};
    if (!s->demes[i / p->population].active)
        return t;
    gr_plan plan = gr_plan_of(s, generation, i);
    uint32_t length_a = s->individuals[buffer][plan.a].length;
    t.length = gr_child_length(plan, length_a);
    t.shift = t.length - length_a;
    t.behind = plan.a0 + plan.b1 - plan.b0;
    t.fixed = kind == GR_CHILD_FIXED;
    t.again = plan.again;
    t.room = t.length;
    if (kind == GR_CHILD_GROWS)
        t.room = gr_min_u32(t.length + growth, p->max_nodes);
    row->way.from.a = gr_tree(s, buffer, plan.a).at;
    row->way.from.b = gr_tree(s, buffer, plan.b).at + plan.b0;
    row->way.from.rest = row->way.from.a + plan.a1;
    row->cut = (uint16_t)plan.a0;
    return t;
}

/* ---- the nodes of all of them ---- */

/* Nodes of all trees into the pool, those above a new subtree with their new size; differences to
 * 0. Reads some before it writes the first. */
GR_FN void gr_gather_nodes(const gr_pool *pool, uint32_t first, uint32_t total, gr_worker w) {
    if (w.lane == 0)
        pool->differences[0] = 0;
    for (uint32_t from = 0; from < total; from += GR_NODES_AHEAD * w.width) {
        gr_node node[GR_NODES_AHEAD] = {{0, 0}};
        uint32_t behind[GR_NODES_AHEAD] = {0}, shift[GR_NODES_AHEAD] = {0};
        for (uint32_t n = 0; n < GR_NODES_AHEAD; n++) {
            uint32_t part = from + n * w.width, k = part + w.lane;
            if (part >= total)
                break;
            uint32_t owner = gr_range_of(w, first, part);
            gr_row row = pool->rows[owner];
            shift[n] = (uint32_t)row.shift << 16;
            behind[n] = row.behind;
            const gr_node *source = k < row.cut      ? row.way.from.a + (k - row.first)
                                    : k < row.behind ? row.way.from.b + (k - row.cut)
                                                     : row.way.from.rest + (k - row.behind);
            if (k < row.last)
                node[n] = *source;
            pool->owner[k] = (uint8_t)owner;
        }
        for (uint32_t n = 0; n < GR_NODES_AHEAD; n++) {
            uint32_t part = from + n * w.width, k = part + w.lane;
            if (part >= total)
                break;
            if (pool->above) {
                uint32_t above = gr_reaches_over(node[n], k, behind[n]), all = gr_vote(w, above);
                node[n].head += above ? shift[n] : 0;
                if (w.lane == 0)
                    pool->above[part / GR_LANES] = all;
            }
            pool->nodes[k] = node[n];
            pool->differences[k + 1] = 0;
        }
    }
}

/* Finished trees to where they belong, and compiled to their programs. Where a tree begins and ends
 * its lane has added the place of its root, as a difference. */
GR_FN void gr_compile_pool(const gr_pool *pool, uint32_t total, gr_worker w) {
    const gr_nodes nodes = {pool->nodes, 1};
    const gr_words differences = {pool->differences, 1};
    uint32_t sum = 0;
    for (uint32_t from = (total - 1) / w.width * w.width;; from -= w.width) {
        gr_instruction instruction;
        uint32_t k = from + w.lane;
        const gr_row *row = &pool->rows[pool->owner[k]];
        uint32_t live = k < row->last;
        if (live)
            row->way.to.tree[k - row->first] = pool->nodes[k];
        uint32_t place =
            gr_compile_node(nodes, k, live, pool->capacity, differences, &sum, &instruction, w);
        if (live && !(place & GR_IN_PLACE))
            row->way.to.program[GR_PLACE_POSITION(place)] = instruction;
        if (!from)
            break;
    }
    gr_sync(w);
}

/* ---- one of them; a lane alone ---- */

/* Mends and mutates a gathered tree; its new length. */
GR_FN uint32_t gr_finish_tree(const gr_state *s, uint32_t generation, gr_brood *t,
                              const gr_pool *pool, gr_scratch scratch) {
    const gr_worker alone = {0, 1};
    const gr_params *p = &s->p;
    const gr_nodes nodes = {pool->nodes, 1}, tree = {pool->nodes + t->first, 1};
    uint32_t deme = t->i / p->population, slot = t->i % p->population;
    gr_mend_behind(nodes, t->first + t->behind, t->first + t->length, t->shift, pool->above);
    if (t->fixed)
        return t->length;
    if (p->varied)
        return gr_vary_tree(s, generation, deme, slot, tree, t->length, scratch, &t->again, alone);
    return gr_mutate_tree(s, generation, deme, slot, tree, t->length, scratch, &t->again, alone);
}

/* Finishes a tree, writes its individual and says where its nodes and its program go. */
GR_FN void gr_bear_tree(const gr_state *s, uint32_t generation, gr_brood *t, const gr_pool *pool,
                        gr_row *row, gr_scratch scratch, gr_worker w) {
    gr_individual individual = {0};
    if (t->length) {
        t->length = gr_finish_tree(s, generation, t, pool, scratch);
        individual = gr_tree_individual(pool->nodes[t->first + t->length - 1]);
        individual.again = t->again;
        row->way.to.tree = gr_tree(s, generation & 1, t->i).at;
        row->way.to.program = gr_program(s, t->i);
        row->last = (uint16_t)(t->first + t->length);
        uint32_t place = individual.instructions - 1;
        gr_add_to(&pool->differences[row->last], place, w);
        gr_add_to(&pool->differences[row->first], 0u - place, w);
    }
    s->individuals[generation & 1][t->i] = individual;
}

/* ---- all ---- */

/* As many of the `count` children of `order`, numbered from individual `first` on, as there are
 * lanes and room; how many. */
GR_FN uint32_t gr_breed_brood(const gr_state *s, uint32_t generation, uint32_t first,
                              const uint32_t *order, uint32_t count, const gr_pool *pool,
                              gr_scratch scratch, gr_worker w) {
    gr_brood t = {.room = pool->capacity + 1};
    gr_row *row = &pool->rows[w.lane], planned = {.cut = 0};
    if (w.lane < count)
        t = gr_plan_brood(s, generation, first + GR_CHILD_PLACE(order[w.lane]),
                          GR_CHILD_KIND(order[w.lane]), pool->growth, &planned);
    t.first = gr_sum_before(w, t.room);
    uint32_t fits = t.first + t.room <= pool->capacity;
    uint32_t taken = gr_count_bits(gr_vote(w, fits));
    uint32_t total = gr_from_lane(w, t.first + t.room, taken - 1);
    if (fits) {
        planned.first = (uint16_t)t.first;
        planned.cut = (uint16_t)(planned.cut + t.first);
        planned.behind = (uint16_t)(t.first + t.behind);
        planned.last = (uint16_t)(t.first + t.length);
        planned.shift = (uint16_t)t.shift;
        *row = planned;
    }
    gr_sync(w);
    gr_gather_nodes(pool, fits ? t.first : 0xffffu, total, w);
    gr_sync(w);
    if (fits)
        gr_bear_tree(s, generation, &t, pool, row, scratch, w);
    gr_sync(w);
    gr_compile_pool(pool, total, w);
    return taken;
}

enum { GR_CHILDREN_LISTED = 512 };

/* Individuals [first, last) of a generation. scratch is the lane's, in a row with the others'. */
GR_FN void gr_breed_trees(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                          const gr_pool *pool, gr_scratch scratch, gr_worker w) {
    const gr_params *p = &s->p;
    uint32_t *order = scratch.places.at - w.lane; /* the lanes' words are interleaved */
    uint32_t most = gr_min_u32(GR_CHILDREN_LISTED, 2 * p->max_nodes * w.width);
    for (uint32_t i = first + w.lane; generation == 0 && i < last; i += w.width)
        if (s->demes[i / p->population].active)
            s->individuals[0][i].length =
                gr_first_tree(s, i / p->population, i % p->population, gr_tree(s, 0, i), scratch);
    gr_sync(w);
    for (; first < last; first += most) {
        uint32_t count = gr_min_u32(last - first, most), at = 0;
        gr_list_children(s, generation, first, count, order, w);
        while (at < count)
            at += gr_breed_brood(s, generation, first, order + at, count - at, pool, scratch, w);
        gr_sync(w);
    }
}

#endif
