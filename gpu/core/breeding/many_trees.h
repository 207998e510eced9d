/* Trees bred many at a time: a lane finds out what becomes of a tree, then all lanes copy and
 * compile the nodes of all of them, which stand one tree after the other in a pool. Where
 * trees are many and small it takes a fraction of the instructions of a tree at a time (breed.h),
 * and gives the same. */
#ifndef GR_MANY_TREES_H
#define GR_MANY_TREES_H

#include "gpu/core/breeding/pool.h"

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

/* Whether a tree may be larger than the pool; asking for each costs 1 % where none can. */
typedef enum gr_tree_sizes { GR_TREES_FIT, GR_TREES_OF_ANY_SIZE } gr_tree_sizes;
GR_BOTH gr_tree_sizes gr_tree_sizes_of(const gr_params *p, uint32_t capacity) {
    return p->max_nodes > capacity ? GR_TREES_OF_ANY_SIZE : GR_TREES_FIT;
}

/* ---- which trees ---- */

enum { GR_CHILD_FIXED, GR_CHILD_MUTATES, GR_CHILD_GROWS, GR_CHILD_NONE };

/* Whether individual i is mutated, and may grow by that: what mutation will draw first. NONE: its
 * deme has stopped. */
GR_FN uint32_t gr_child_kind(const gr_state *s, uint32_t generation, uint32_t i) {
    const gr_params *p = &s->p;
    if (!s->demes[i / p->population].active)
        return GR_CHILD_NONE;
    if (generation == 0 || s->plans[i].kind != GR_PLAN_PLAIN)
        return GR_CHILD_FIXED;
    gr_random r =
        gr_stream(p, GR_PURPOSE_MUTATION, generation, i / p->population, i % p->population);
    uint32_t drawn = gr_draw_mutations(p, &r);
    return drawn & GR_MUTATIONS_THAT_GROW ? GR_CHILD_GROWS : drawn != 0;
}

/* A child to come: its index among those listed, and its kind. */
#define GR_CHILD(k, kind) ((uint16_t)((k) | (kind) << 14))
#define GR_CHILD_INDEX(child) ((uint32_t)(child)&0x3fffu)
#define GR_CHILD_KIND(child) ((uint32_t)(child) >> 14)
enum { GR_CHILDREN_OF_LANE = 16 }; /* listed at a time: their kinds fit a word */

/* Lists individuals [first, first + count), those that mutate behind the others and those that may
 * grow last, so that lanes that do the same do it together. */
GR_FN void gr_list_children(const gr_state *s, uint32_t generation, uint32_t first, uint32_t count,
                            uint16_t *order, gr_lane_group w) {
    uint32_t kinds = 0, fixed = 0, mutating = 0, growing = 0;
    for (uint32_t from = 0, n = 0; from < count; from += w.width, n++) {
        uint32_t k = from + w.lane, kind = GR_CHILD_NONE;
        if (k < count)
            kind = gr_child_kind(s, generation, first + k);
        kinds |= kind << 2 * n;
        mutating += gr_count_bits(gr_vote(w, kind == GR_CHILD_MUTATES));
        growing += gr_count_bits(gr_vote(w, kind == GR_CHILD_GROWS));
    }
    growing = count - growing;
    mutating = growing - mutating;
    for (uint32_t from = 0; from < count; from += w.width, kinds >>= 2) {
        uint32_t k = from + w.lane, kind = kinds & 3u, fixed_before, mutating_before, before;
        uint32_t is_fixed = k < count && kind != GR_CHILD_MUTATES && kind != GR_CHILD_GROWS;
        uint32_t more_fixed = gr_count_before(w, is_fixed, &fixed_before);
        uint32_t more = gr_count_before(w, kind == GR_CHILD_MUTATES, &mutating_before);
        uint32_t more_growing = gr_count_before(w, kind == GR_CHILD_GROWS, &before);
        uint32_t at = is_fixed                   ? fixed + fixed_before
                      : kind == GR_CHILD_MUTATES ? mutating + mutating_before
                                                 : growing + before;
        if (k < count)
            order[at] = GR_CHILD(k, kind);
        fixed += more_fixed;
        mutating += more;
        growing += more_growing;
    }
    gr_sync(w);
}

/* The plan of individual i in the first generation, whose tree was drawn into its own row already:
 * a copy of itself. */
GR_FN gr_plan gr_first_plan(const gr_state *s, uint32_t i) {
    gr_plan plan = gr_copy_plan(i, s->individuals[0][i].length, 1);
    plan.draws_again = (uint16_t)gr_attempt(s, i);
    return plan;
}

/* Begins individual i; *row: where its nodes come from, all but their position in the pool; *cut:
 * how many of them are parent a's. */
GR_FN gr_child gr_begin_child(const gr_state *s, uint32_t generation, uint32_t i, uint32_t kind,
                              gr_plan plan, uint32_t growth, gr_row *row, uint32_t *cut) {
    const gr_params *p = &s->p;
    uint32_t buffer = (generation & 1) ^ (generation > 0);
    gr_child t = {.i = i, .capacity = 1};
    if (kind == GR_CHILD_NONE)
        return t;
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
    *cut = plan.a0;
    return t;
}

/* ---- one of them; a lane alone ---- */

/* Fixes the sizes of a gathered tree and mutates it; its new length. */
GR_FN uint32_t gr_mutate_gathered(const gr_state *s, uint32_t generation, gr_child *t,
                                  const gr_pool *pool, gr_lane_group w) {
    const gr_lane_group alone = {0, 1};
    const gr_node none = {0, 0};
    const gr_nodes nodes = {pool->nodes, 1}, tree = {pool->nodes + t->first, 1};
    gr_fix_sizes_behind(nodes, t->first + t->behind, t->first + t->length, t->shift, pool->above);
    if (t->fixed)
        return t->length;
    gr_mutant mutant = {t->length, t->retries};
    gr_mutate_child(s, generation, t->i, tree, &mutant,
                    gr_group_scratch(s, pool->common->group + w.lane, 1), alone);
    t->retries = mutant.retries;
    for (uint32_t k = mutant.length; k < t->capacity; k++)
        GR_AT(tree, k) = none;
    return mutant.length;
}

/* Finishes a tree, writes its individual and says where its nodes go; its instructions. */
GR_FN uint32_t gr_finish_child(const gr_state *s, uint32_t generation, gr_child *t,
                               const gr_pool *pool, gr_row *row, gr_lane_group w) {
    gr_individual individual = {0};
    if (t->length) {
        t->length = gr_mutate_gathered(s, generation, t, pool, w);
        individual = gr_tree_individual(pool->nodes[t->first + t->length - 1]);
        individual.retries = t->retries;
        row->way.to.tree = gr_tree(s, generation & 1, t->i).at - t->first;
    }
    s->individuals[generation & 1][t->i] = individual;
    return individual.instructions;
}

/* ---- all ---- */

/* A plan on its way here: words, since to take its smaller parts out is to wait for it. */
typedef union gr_far_plan {
    gr_four_words half[2];
    gr_plan plan;
} gr_far_plan;

/* Children still to be bred: `order`[count], as gr_list_children left them; the plan of the lane's.
 */
typedef struct gr_listed {
    uint32_t count;
    const uint16_t *order;
    gr_far_plan plan;
} gr_listed;

/* Fetches the lane's plan, which is far, long before it is looked at. */
GR_FN void gr_fetch_plan(const gr_state *s, uint32_t generation, gr_listed *of, const gr_pool *pool,
                         gr_lane_group w) {
    if (w.lane >= of->count)
        return;
    uint32_t i = pool->common->first + GR_CHILD_INDEX(of->order[w.lane]);
    if (generation > 0) {
        const gr_far_plan *far = (const gr_far_plan *)&s->plans[i];
        of->plan.half[0] = far->half[0];
        of->plan.half[1] = far->half[1];
    } else
        of->plan.plan = gr_first_plan(s, i);
}

/* Breeds individual i, which may grow larger than the pool, in far memory by all lanes; a first
 * tree stands in its own row already. A call, since it is rare and the others need its registers.
 */
GR_CALL void gr_breed_large(const gr_state *s, uint32_t generation, uint32_t i, uint32_t group,
                            gr_lane_group w) {
    gr_nodes tree = gr_tree(s, generation & 1, i);
    gr_scratch scratch = gr_group_scratch(s, group, w.width);
    gr_mutant child;
    if (generation > 0)
        child = gr_child_tree(s, generation, i, s->plans[i], tree, scratch, w);
    else {
        gr_plan plan = gr_first_plan(s, i);
        child.length = plan.length;
        child.retries = gr_plan_retries(plan);
        gr_sync(w); /* the length is written over */
    }
    gr_finish_tree(s, generation, i, tree, child, scratch.locations, w);
}

/* Breeds as many of them as there are lanes and nodes of the pool; each that is larger than the
 * pool by itself, in whose place there is an empty one. `sizes` is a literal. */
GR_FN void gr_breed_children(const gr_state *s, uint32_t generation, gr_listed *of,
                             const gr_pool *pool, gr_tree_sizes sizes, gr_lane_group w) {
    gr_child t = {.capacity = pool->capacity + 1};
    gr_row *row = &pool->rows[w.lane], planned = {.piece = 0};
    uint32_t cut = 0, instructions = 0;
    if (w.lane < of->count)
        t = gr_begin_child(s, generation, pool->common->first + GR_CHILD_INDEX(of->order[w.lane]),
                           GR_CHILD_KIND(of->order[w.lane]), of->plan.plan, pool->common->growth,
                           &planned, &cut);
    uint32_t large =
        sizes == GR_TREES_OF_ANY_SIZE && w.lane < of->count && t.capacity > pool->capacity;
    if (large) {
        t = (gr_child){.i = t.i, .capacity = 1};
        cut = 0;
    }
    t.first = gr_sum_before(w, t.capacity);
    uint32_t fits = t.first + t.capacity <= pool->capacity;
    uint32_t taken = gr_count_bits(gr_vote(w, fits));
    uint32_t total = gr_from_lane(w, t.first + t.capacity, taken - 1);
    if (fits) {
        if (t.length) {
            planned.way.from.a -= t.first;
            planned.way.from.b -= cut + t.first;
            planned.way.from.rest -= t.first + t.behind;
        }
        planned.ends = (cut + t.first) | (t.first + t.length) << 16;
        planned.piece = (t.first + t.behind) | t.shift << 16;
        *row = planned;
    }
    gr_sync(w);
    gr_gather_nodes(pool, fits ? t.first : 0xffffu, total, w);
    gr_copied(w);
    if (pool->above)
        gr_note_above(pool, total, w);
    gr_sync(w);
    if (fits && !large)
        instructions = gr_finish_child(s, generation, &t, pool, row, w);
    gr_sync(w);
    uint32_t before = gr_sum_before(w, instructions);
    if (fits && t.length)
        row->way.to.program = gr_program(s, t.i) - before;
    gr_sync(w);
    if (sizes == GR_TREES_OF_ANY_SIZE)
        for (large = gr_vote(w, large && fits); large; large &= large - 1)
            gr_breed_large(s, generation, gr_from_lane(w, t.i, gr_lowest_bit(large)),
                           pool->common->group, w);
    of->order += taken;
    of->count -= taken;
    gr_fetch_plan(s, generation, of, pool, w);
    gr_compile_pool(pool, total, gr_from_lane(w, before + instructions, w.width - 1), w);
}

/* Draws the first trees of individuals [first, last) into their own rows. */
GR_FN void gr_first_trees(const gr_state *s, uint32_t first, uint32_t last, const gr_pool *pool,
                          gr_lane_group w) {
    const gr_params *p = &s->p;
    uint8_t *near = (uint8_t *)pool->nodes;
    uint32_t bytes = pool->capacity * (uint32_t)(sizeof(gr_node) + sizeof(uint32_t));
    uint32_t fits = GR_SPROUT_BYTES * w.width * p->max_nodes <= bytes; /* nodes and differences */
    for (uint32_t i = first + w.lane; i < last; i += w.width) {
        uint32_t deme = i / p->population, index = i % p->population;
        gr_scratch scratch = gr_group_scratch(s, pool->common->group + w.lane, 1);
        if (s->demes[deme].active)
            s->individuals[0][i].length =
                fits ? gr_first_tree_near(s, deme, index, gr_tree(s, 0, i), scratch, near, w)
                     : gr_first_tree(s, deme, index, gr_tree(s, 0, i), scratch);
    }
    gr_sync(w);
}

/* Individuals [first, last) of a generation. */
GR_FN void gr_breed_trees(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                          const gr_pool *pool, gr_tree_sizes sizes, gr_lane_group w) {
    uint32_t most = gr_min_u32(GR_CHILDREN_LISTED, GR_CHILDREN_OF_LANE * w.width);
    if (generation == 0)
        gr_first_trees(s, first, last, pool, w);
    uint32_t lists = (last - first + most - 1) / most;
    most = (last - first + lists - 1) / lists;
    for (; first < last; first += most) {
        gr_listed left = {.count = gr_min_u32(last - first, most)};
        left.order = pool->order;
        if (w.lane == 0)
            pool->common->first = first;
        gr_list_children(s, generation, first, left.count, pool->order, w);
        gr_fetch_plan(s, generation, &left, pool, w);
        while (left.count)
            gr_breed_children(s, generation, &left, pool, sizes, w);
        gr_sync(w);
    }
}

#endif
