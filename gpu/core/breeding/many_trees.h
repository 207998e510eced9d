/* Trees bred many at a time: a lane finds out what becomes of a tree, then all lanes copy and
 * compile the nodes of all of them, which stand one tree after the other in a pool. Where
 * trees are many and small it takes a fraction of the instructions of a tree at a time (breed.h),
 * and gives the same. */
#ifndef GR_MANY_TREES_H
#define GR_MANY_TREES_H

#include "gpu/core/breeding/breed.h"

/* What all lanes need to know of a tree, read at once. Where its nodes come from: node k of the
 * pool is a[k] below `cut`, b[k] below `behind`, rest[k] from there to `last`. Then where they go:
 * tree[k]. */
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
    uint16_t cut, behind, last;
    uint16_t shift; /* nodes longer than parent a, modulo 2^16 */
} gr_row;

/* Fast memory of a lane group. Its capacity is at least max_nodes and a multiple of GR_LANES. */
typedef struct gr_pool {
    gr_row *rows;          /* [GR_LANES] */
    uint32_t *facts;       /* [GR_OP_COUNT] gr_op_facts: lanes ask for different ones */
    gr_node *nodes;        /* [capacity] */
    uint32_t *differences; /* [capacity + 1] of locations */
    uint32_t *above; /* [capacity / GR_LANES] a bit for each node above a new subtree; NULL for
                        a lane alone */
    uint8_t *owner;  /* [capacity] lane of the tree */
    uint32_t capacity;
    uint32_t growth; /* gr_largest_growth */
} gr_pool;
enum { GR_LARGEST_POOL = 0xffe0 }; /* rows have 16 bits for a position */

/* Bytes of a pool, a multiple of 16. */
GR_BOTH size_t gr_pool_bytes(uint32_t capacity) {
    size_t words = GR_OP_COUNT + capacity + 1 + capacity / GR_LANES;
    return GR_LANES * sizeof(gr_row) + capacity * sizeof(gr_node) +
           (words * sizeof(uint32_t) + capacity + 15) / 16 * 16;
}

GR_FN gr_pool gr_make_pool(const gr_params *p, void *memory, uint32_t capacity, gr_lane_group w) {
    gr_pool pool;
    pool.rows = (gr_row *)memory;
    pool.nodes = (gr_node *)(pool.rows + GR_LANES);
    pool.differences = (uint32_t *)(pool.nodes + capacity);
    pool.facts = pool.differences + capacity + 1;
    uint32_t *above = pool.facts + GR_OP_COUNT;
    pool.above = w.width == GR_LANES ? above : NULL;
    pool.owner = (uint8_t *)(above + capacity / GR_LANES);
    pool.capacity = capacity;
    pool.growth = gr_largest_growth(p);
    for (uint32_t op = w.lane; op < GR_OP_COUNT; op += w.width)
        pool.facts[op] = gr_op_facts(op);
    gr_sync(w);
    return pool;
}

/* A lane's tree on its way. */
typedef struct gr_child {
    uint32_t i;        /* individual */
    uint32_t length;   /* nodes so far; 0: its deme has stopped */
    uint32_t shift;    /* nodes longer than parent a, modulo 2^32 */
    uint32_t behind;   /* nodes up to the end of the piece of b */
    uint32_t capacity; /* nodes it may grow to, at least 1 */
    uint32_t first;    /* its position in the pool */
    uint32_t fixed;    /* not to be mutated */
    uint32_t retries;
} gr_child;

/* ---- which trees ---- */

enum { GR_CHILD_FIXED, GR_CHILD_MUTATES, GR_CHILD_GROWS };

/* Whether individual i is mutated, and may grow by that: what mutation will draw first. */
GR_FN uint32_t gr_child_kind(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    if (generation == 0 || s->plans[i].kind != GR_PLAN_PLAIN)
        return GR_CHILD_FIXED;
    gr_random r =
        gr_stream(p, GR_PURPOSE_MUTATION, generation, i / p->population, i % p->population);
    uint32_t drawn = gr_draw_mutations(p, &r);
    return drawn & GR_MUTATIONS_THAT_GROW ? GR_CHILD_GROWS : drawn != 0;
}

/* A child to come: its index among those listed, and its kind. */
#define GR_CHILD(k, kind) ((uint32_t)(k) | (uint32_t)(kind) << 30)
#define GR_CHILD_INDEX(child) ((child)&0x3fffffffu)
#define GR_CHILD_KIND(child) ((child) >> 30)

/* Lists individuals [first, first + count), those that mutate last, so that lanes that mutate do so
 * together. */
GR_FN void gr_list_children(const gr_state *s, uint32_t generation, uint32_t first, uint32_t count,
                            uint32_t *order, gr_lane_group w) {
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

/* The plan of individual i. In the first generation its tree was drawn into its own row already: a
 * copy of itself. */
GR_FN gr_plan gr_plan_of(const gr_state *s, uint32_t generation, uint32_t i) {
    if (generation > 0)
        return s->plans[i];
    gr_plan plan = gr_copy_plan(i, s->individuals[0][i].length, 1);
    plan.draws_again = (uint16_t)gr_attempt(s, i);
    return plan;
}

/* Begins individual i; *row: where its nodes come from, all but their position in the pool. */
GR_FN gr_child gr_begin_child(const gr_state *s, uint32_t generation, uint32_t i, uint32_t kind,
                              uint32_t growth, gr_row *row) {
    const gr_params *p = &s->p;
    uint32_t buffer = (generation & 1) ^ (generation > 0);
    gr_child t = {.i = i, .capacity = 1};
    if (!s->demes[i / p->population].active)
        return t;
    gr_plan plan = gr_plan_of(s, generation, i);
    t.length = plan.length;
    t.shift = gr_plan_shift(plan);
    t.behind = plan.a0 + plan.b1 - plan.b0;
    t.fixed = kind == GR_CHILD_FIXED;
    t.retries = gr_plan_retries(plan);
    t.capacity = t.length;
    if (kind == GR_CHILD_GROWS)
        t.capacity = gr_min_u32(t.length + growth, p->max_nodes);
    row->way.from.a = gr_tree(s, buffer, plan.a).at;
    row->way.from.b = gr_tree(s, buffer, plan.b).at + plan.b0;
    row->way.from.rest = row->way.from.a + plan.a1;
    row->cut = (uint16_t)plan.a0;
    return t;
}

/* ---- the nodes of all of them ---- */

/* Nodes of all trees into the pool; differences to 0. All lanes have to meet in gr_copied. */
GR_FN void gr_gather_nodes(const gr_pool *pool, uint32_t first, uint32_t total, gr_lane_group w) {
    const gr_node none = {0, 0};
    if (w.lane == 0)
        pool->differences[0] = 0;
    for (uint32_t from = 0; from < total; from += w.width) {
        uint32_t owner = gr_range_of(w, first, from), k = from + w.lane;
        const gr_row row = pool->rows[owner];
        const gr_node *of = k < row.cut      ? row.way.from.a
                            : k < row.behind ? row.way.from.b
                                             : row.way.from.rest;
        if (k < row.last)
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
        uint32_t k = from + w.lane;
        const gr_row row = pool->rows[pool->owner[k]];
        uint32_t above = gr_reaches_over(pool->nodes[k], k, row.behind), all = gr_vote(w, above);
        if (above)
            pool->nodes[k].head += (uint32_t)row.shift << 16;
        if (w.lane == 0)
            pool->above[from / GR_LANES] = all;
    }
}

/* Finished trees to where they belong, and compiled to their programs. Where a tree begins and ends
 * its lane has added the location of its root, as a difference. */
GR_FN void gr_compile_pool(const gr_pool *pool, uint32_t total, gr_lane_group w) {
    const gr_nodes nodes = {pool->nodes, 1};
    const gr_words differences = {pool->differences, 1};
    uint32_t sum = 0, step = GR_WINDOWS * w.width;
    for (uint32_t from = (total - 1) / step * step;; from -= step) {
        gr_compiled of[GR_WINDOWS];
        for (uint32_t n = 0; n < GR_WINDOWS; n++) {
            uint32_t k = from + n * w.width + w.lane, at = gr_min_u32(k, total - 1);
            const gr_row row = pool->rows[pool->owner[at]];
            of[n].live = k < row.last;
            of[n].node = pool->nodes[at];
            of[n].facts = pool->facts[GR_NODE_OP(of[n].node)];
            of[n].program = row.way.to.program;
            if (of[n].live)
                row.way.to.tree[k] = of[n].node;
        }
        gr_compile_nodes(nodes, of, from + w.lane, total, differences, &sum, w);
        if (!from)
            break;
    }
    gr_sync(w);
}

/* ---- one of them; a lane alone ---- */

/* Fixes the sizes of a gathered tree and mutates it; its new length. */
GR_FN uint32_t gr_mutate_gathered(const gr_state *s, uint32_t generation, gr_child *t,
                                  const gr_pool *pool, gr_scratch scratch) {
    const gr_lane_group alone = {0, 1};
    const gr_nodes nodes = {pool->nodes, 1}, tree = {pool->nodes + t->first, 1};
    gr_fix_sizes_behind(nodes, t->first + t->behind, t->first + t->length, t->shift, pool->above);
    if (t->fixed)
        return t->length;
    gr_mutant mutant = {t->length, t->retries};
    gr_mutate_child(s, generation, t->i, tree, &mutant, scratch, alone);
    t->retries = mutant.retries;
    return mutant.length;
}

/* Finishes a tree, writes its individual and says where its nodes and its program go. */
GR_FN void gr_finish_child(const gr_state *s, uint32_t generation, gr_child *t, const gr_pool *pool,
                           gr_row *row, gr_scratch scratch, gr_lane_group w) {
    gr_individual individual = {0};
    if (t->length) {
        t->length = gr_mutate_gathered(s, generation, t, pool, scratch);
        individual = gr_tree_individual(pool->nodes[t->first + t->length - 1]);
        individual.retries = t->retries;
        row->way.to.tree = gr_tree(s, generation & 1, t->i).at - t->first;
        row->way.to.program = gr_program(s, t->i);
        row->last = (uint16_t)(t->first + t->length);
        uint32_t location = individual.instructions - 1;
        gr_add_to(&pool->differences[row->last], location, w);
        gr_add_to(&pool->differences[t->first], 0u - location, w);
    }
    s->individuals[generation & 1][t->i] = individual;
}

/* ---- all ---- */

/* Children still to be bred: `order`[count], as gr_list_children left them, numbered from
 * individual `first` on. */
typedef struct gr_listed {
    uint32_t first, count;
    const uint32_t *order;
} gr_listed;

/* As many of them as there are lanes and nodes of the pool; how many. */
GR_FN uint32_t gr_breed_children(const gr_state *s, uint32_t generation, gr_listed of,
                                 const gr_pool *pool, gr_scratch scratch, gr_lane_group w) {
    gr_child t = {.capacity = pool->capacity + 1};
    gr_row *row = &pool->rows[w.lane], planned = {.cut = 0};
    if (w.lane < of.count)
        t = gr_begin_child(s, generation, of.first + GR_CHILD_INDEX(of.order[w.lane]),
                           GR_CHILD_KIND(of.order[w.lane]), pool->growth, &planned);
    t.first = gr_sum_before(w, t.capacity);
    uint32_t fits = t.first + t.capacity <= pool->capacity;
    uint32_t taken = gr_count_bits(gr_vote(w, fits));
    uint32_t total = gr_from_lane(w, t.first + t.capacity, taken - 1);
    if (fits) {
        if (t.length) {
            planned.way.from.a -= t.first;
            planned.way.from.b -= planned.cut + t.first;
            planned.way.from.rest -= t.first + t.behind;
        }
        planned.cut = (uint16_t)(planned.cut + t.first);
        planned.behind = (uint16_t)(t.first + t.behind);
        planned.last = (uint16_t)(t.first + t.length);
        planned.shift = (uint16_t)t.shift;
        *row = planned;
    }
    gr_sync(w);
    gr_gather_nodes(pool, fits ? t.first : 0xffffu, total, w);
    gr_copied(w);
    if (pool->above)
        gr_note_above(pool, total, w);
    gr_sync(w);
    if (fits)
        gr_finish_child(s, generation, &t, pool, row, scratch, w);
    gr_sync(w);
    gr_compile_pool(pool, total, w);
    return taken;
}

enum { GR_CHILDREN_LISTED = 512 };

/* Individuals [first, last) of a generation. scratch is the lane's, in a row with the others'. */
GR_FN void gr_breed_trees(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                          const gr_pool *pool, gr_scratch scratch, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t *order = scratch.locations.at - w.lane; /* the lanes' words are interleaved */
    uint32_t most = gr_min_u32(GR_CHILDREN_LISTED, 2 * p->max_nodes * w.width);
    for (uint32_t i = first + w.lane; generation == 0 && i < last; i += w.width)
        if (s->demes[i / p->population].active)
            s->individuals[0][i].length =
                gr_first_tree(s, i / p->population, i % p->population, gr_tree(s, 0, i), scratch);
    gr_sync(w);
    for (; first < last; first += most) {
        uint32_t count = gr_min_u32(last - first, most), at = 0;
        gr_list_children(s, generation, first, count, order, w);
        while (at < count) {
            const gr_listed left = {first, count - at, order + at};
            at += gr_breed_children(s, generation, left, pool, scratch, w);
        }
        gr_sync(w);
    }
}

#endif
