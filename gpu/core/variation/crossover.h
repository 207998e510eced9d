/* Crossover as a plan (what of which parent) and its execution (copying). A pair of children shares
 * two parents and its cut points: child 2k takes parent a with a piece of b, child 2k + 1 the other
 * way round. Both compute the same draws, so neither waits for the other. */
#ifndef GR_CROSSOVER_H
#define GR_CROSSOVER_H

#include "gpu/core/genotype/typed.h"
#include "gpu/core/variation/branch.h"
#include "gpu/core/variation/points.h"

GR_FN gr_plan gr_copy_plan(uint32_t parent, uint32_t length, uint32_t elite) {
    gr_plan plan = {parent, parent, length, length, 0, 0, length, 0, 0, 0};
    plan.kind = elite ? GR_PLAN_ELITE : GR_PLAN_PLAIN;
    return plan;
}

/* a, of `length_a`, with y[0]..y[1] of b in place of x[0]..x[1]. */
GR_FN gr_plan gr_cut_plan(const gr_params *p, uint32_t a, uint32_t length_a, const uint32_t x[2],
                          uint32_t b, const uint32_t y[2]) {
    uint32_t length = x[0] + (y[1] - y[0]) + (length_a - x[1]);
    gr_plan plan = {a, b, x[0], x[1], y[0], y[1], length, 0, 0, 0};
    plan.kind = p->exclusive ? GR_PLAN_CROSSED : GR_PLAN_PLAIN;
    return plan;
}

/* Nodes or codons by which the child is longer than a, modulo 2^32. */
GR_FN uint32_t gr_plan_shift(gr_plan plan) {
    return (plan.b1 - plan.b0) - (plan.a1 - plan.a0);
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

/* How a crossover cuts genomes, from its line: 0, 1 or 2 cuts, at the same positions or not. */
GR_FN uint32_t gr_cuts_of(uint32_t crossover) {
    const uint32_t all =
#define GR_CUT_CROSSOVER(id, word, genotypes, cuts, fixed, help)                                   \
    (uint32_t)(cuts) << 2 * GR_CROSSOVER_##id |
#include "gpu/core/base/crossovers.def"
        0;
    return all >> 2 * crossover & 3u;
}
GR_FN uint32_t gr_cuts_are_fixed(uint32_t crossover) {
    const uint32_t all =
#define GR_CUT_CROSSOVER(id, word, genotypes, cuts, fixed, help)                                   \
    (uint32_t)(fixed) << GR_CROSSOVER_##id |
#include "gpu/core/base/crossovers.def"
        0;
    return all >> crossover & 1u;
}
typedef char gr_crossovers_fit_a_word[GR_CROSSOVERS <= 16 ? 1 : -1];

/* Two parents, counted over all runs, in `buffer`. */
typedef struct gr_parents {
    uint32_t buffer, a, b;
    gr_individual of_a, of_b;
} gr_parents;

GR_FN gr_parents gr_parents_at(const gr_state *s, uint32_t buffer, uint32_t a, uint32_t b) {
    gr_parents parents = {buffer, a, b, s->individuals[buffer][a], s->individuals[buffer][b]};
    return parents;
}

/* Cuts in two parents: x[0] <= x[1] in a, y[0] <= y[1] in b. */
typedef struct gr_cuts {
    uint32_t x[2], y[2];
} gr_cuts;

/* Of genomes. Uniform crossover and that of lists take turns in their common length, [0, x[1])
 * (gr_mix_codons, gr_mix_lists); both tails stay where they are. */
GR_FN void gr_genome_cuts(const gr_params *p, gr_random *r, gr_individual a, gr_individual b,
                          gr_cuts *cuts) {
    uint32_t *x = cuts->x, *y = cuts->y;
    uint32_t range_a = gr_cut_range(p, a), range_b = gr_cut_range(p, b);
    uint32_t count = gr_cuts_of(p->crossover), fixed = gr_cuts_are_fixed(p->crossover);
    if (fixed)
        range_a = range_b = gr_min_u32(range_a, range_b);
    if (count == 0) {
        x[0] = y[0] = 0;
        x[1] = y[1] = gr_min_u32(gr_min_u32(range_a, range_b), gr_min_u32(a.length, b.length));
        return;
    }
    x[0] = 1 + gr_below(r, range_a);
    y[0] = fixed ? x[0] : 1 + gr_below(r, range_b);
    x[1] = a.length;
    y[1] = b.length;
    if (count == 2) {
        x[1] = 1 + gr_below(r, range_a);
        y[1] = fixed ? x[1] : 1 + gr_below(r, range_b);
        gr_swap_if(&x[0], &x[1]);
        gr_swap_if(&y[0], &y[1]);
    }
}

/* Whether a subtree of `height` in index of node `target`, `node`, keeps a tree within the depth
 * limit. The tree's own depth mostly answers; only near the limit the target's level has to be
 * found. */
GR_FN uint32_t gr_depth_fits(const gr_params *p, gr_nodes tree, gr_individual individual,
                             uint32_t target, gr_node node, uint32_t height, gr_lane_group w) {
    /* the target stands no deeper than that, and has no more nodes above it than behind it */
    uint32_t above =
        gr_min_u32(individual.depth - GR_NODE_HEIGHT(node), individual.length - 1 - target);
    if (above + height <= p->max_tree_depth)
        return 1;
    return gr_find_level(tree, individual.length - 1, target, w) - 1 + height <= p->max_tree_depth;
}

/* Typed trees: whether the subtree at *j of the second parent may take the place of that at i of
 * the first; where any point may be drawn, *j becomes one of those that may. */
GR_FN uint32_t gr_is_typed_cut(const gr_state *s, gr_random *r, const gr_parents *parents,
                               uint32_t i, uint32_t *j, uint32_t any) {
    const uint32_t *type = gr_node_types(s, parents->b);
    uint32_t wanted = gr_node_types(s, parents->a)[i], count = 0;
    if (!any)
        return type[*j] == wanted;
    for (uint32_t k = 0; k < parents->of_b.length; k++)
        count += type[k] == wanted;
    if (!count)
        return 0;
    count = 1 + gr_below(r, count);
    for (*j = 0; (count -= type[*j] == wanted) > 0;)
        ++*j;
    return 1;
}

/* Subtrees of two trees, as the ranges of their nodes; 0 when a child would break a limit. */
GR_FN uint32_t gr_tree_cuts(const gr_state *s, gr_random *r, const gr_parents *parents,
                            gr_cuts *cuts, gr_lane_group w) {
    gr_nodes ta = gr_tree(s, parents->buffer, parents->a),
             tb = gr_tree(s, parents->buffer, parents->b);
    const gr_individual ia = parents->of_a, ib = parents->of_b;
    uint32_t i, j, any = s->p.crossover == GR_CROSSOVER_SUBTREE && !(s->p.function_points > 0.0f);
    if (any) {
        i = gr_below(r, ia.length);
        j = gr_below(r, ib.length);
    } else { /* copies, so that nothing has an address where this is not done */
        gr_random own = *r;
        uint32_t point_a = ia.length - 1, point_b = ib.length - 1;
        gr_choose_points(&s->p, &own, ta, tb, &point_a, &point_b);
        *r = own;
        i = point_a;
        j = point_b;
    }
    if (gr_is_typed(s)) { /* copies, as above */
        gr_random own = *r;
        uint32_t point_b = j, fits = gr_is_typed_cut(s, &own, parents, i, &point_b, any);
        *r = own;
        j = point_b;
        if (!fits)
            return 0;
    }
    gr_node ni = GR_AT(ta, i), nj = GR_AT(tb, j);
    cuts->x[1] = i + 1;
    cuts->y[1] = j + 1;
    cuts->x[0] = cuts->x[1] - GR_NODE_SIZE(ni);
    cuts->y[0] = cuts->y[1] - GR_NODE_SIZE(nj);
    uint32_t one = ia.length - GR_NODE_SIZE(ni) + GR_NODE_SIZE(nj),
             two = ib.length - GR_NODE_SIZE(nj) + GR_NODE_SIZE(ni);
    if (one > s->p.max_nodes || (!s->p.one_child && two > s->p.max_nodes))
        return 0; /* asked first: the depth may take a walk */
    return gr_depth_fits(&s->p, ta, ia, i, ni, GR_NODE_HEIGHT(nj), w) &&
           (s->p.one_child || gr_depth_fits(&s->p, tb, ib, j, nj, GR_NODE_HEIGHT(ni), w));
}

/* Draws cuts in both parents, by the run's crossover. */
GR_FN gr_cut gr_draw_cuts(const gr_state *s, gr_random *r, const gr_parents *parents, gr_cuts *cuts,
                          gr_lane_group w) {
    const gr_params *p = &s->p;
    if (!GR_UNLESS_PLAIN(p->genotype != GR_TREE))
        return gr_tree_cuts(s, r, parents, cuts, w) ? GR_CUT_FITS : GR_CUT_BREAKS;
    if (p->crossover == GR_CROSSOVER_SUBTREE) { /* copies, as in gr_tree_cuts */
        gr_random own = *r;
        uint32_t in_a[2] = {0, 0}, in_b[2] = {0, 0}; /* nothing where there are no cuts */
        gr_cut cut = gr_branch_cuts(s, &own, parents->buffer, parents->a, parents->b, in_a, in_b);
        *r = own;
        cuts->x[0] = in_a[0], cuts->x[1] = in_a[1];
        cuts->y[0] = in_b[0], cuts->y[1] = in_b[1];
        return cut;
    }
    gr_genome_cuts(p, r, parents->of_a, parents->of_b, cuts);
    return GR_CUT_FITS;
}

/* The plans of a pair's children. */
typedef struct gr_plans {
    gr_plan of[2];
} gr_plans;

/* Plans of pair `pair` of a deme. Cuts that would give a child over the limits are drawn again,
 * `tries` times; then, and when there are none to draw, the children are copies. What that took is
 * counted in the first child. All lanes of the group find the same plans. */
GR_FN gr_plans gr_crossover_plans(const gr_state *s, uint32_t generation, uint32_t deme,
                                  uint32_t pair, gr_parents parents, gr_lane_group w) {
    const gr_params *p = &s->p;
    gr_random r = gr_stream(p, GR_PURPOSE_CROSSOVER, generation, deme, pair);
    uint32_t a = parents.a, b = parents.b, length_a = parents.of_a.length,
             length_b = parents.of_b.length;
    gr_plans plans = {{gr_copy_plan(a, length_a, 0), gr_copy_plan(b, length_b, 0)}};
    uint32_t capacity = GR_UNLESS_PLAIN(p->genotype != GR_TREE) ? p->genome_capacity : p->max_nodes;
    uint32_t crosses = gr_chance(&r, p->crossover_probability);
    uint32_t turned =
        GR_UNLESS_PLAIN(p->torus) ? gr_next(&r) >> 31 : 0; /* half swap who gives the root */
    uint32_t tries = crosses && p->crossover != GR_CROSSOVER_NONE ? p->tries : 0;
    for (uint32_t t = 0; t < tries; t++) {
        gr_cuts cuts;
        gr_cut cut = gr_draw_cuts(s, &r, &parents, &cuts, w);
        gr_plan one = gr_cut_plan(p, a, length_a, cuts.x, b, cuts.y);
        gr_plan two = gr_cut_plan(p, b, length_b, cuts.y, a, cuts.x);
        if (cut == GR_CUT_FITS && one.length <= capacity &&
            (p->one_child || two.length <= capacity)) {
            plans.of[0] = turned ? two : one;
            plans.of[1] = turned ? one : two;
            plans.of[0].draws_again = (uint16_t)t;
            break;
        }
        plans.of[0].draws_again = (uint16_t)t;
        plans.of[0].parent_kept = plans.of[1].parent_kept = 1;
        if (cut == GR_CUT_NONE)
            break;
    }
    return plans;
}

/* The plan of child `index`, 2 * pair or the other one. */
GR_FN gr_plan gr_crossover_plan(const gr_state *s, uint32_t generation, uint32_t deme,
                                uint32_t index, gr_parents parents, gr_lane_group w) {
    gr_plans plans = gr_crossover_plans(s, generation, deme, index / 2, parents, w);
    return index % 2 ? plans.of[1] : plans.of[0];
}

/* The plan of a child with other cuts, drawn for it alone: `attempt` tells its repetitions apart.
 * Where no cuts fit, or the child was to be a copy, a copy of the same parent. */
GR_FN gr_plan gr_redraw_plan(const gr_state *s, uint32_t generation, uint32_t i, uint32_t attempt,
                             gr_plan plan, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t draws = 0, kept = 0;
    gr_parents parents = gr_parents_at(s, (generation & 1) ^ 1, plan.a, plan.b);
    gr_random r = gr_repeated(
        gr_stream(p, GR_PURPOSE_CROSSOVER_AGAIN, generation, i / p->population, i % p->population),
        attempt);
    for (uint32_t t = 0; plan.b1 && t < p->tries; t++) { /* b1: 0 in copies alone */
        gr_cuts cuts;
        gr_cut cut = gr_draw_cuts(s, &r, &parents, &cuts, w);
        gr_plan one = gr_cut_plan(p, plan.a, parents.of_a.length, cuts.x, plan.b, cuts.y);
        one.draws_again = (uint16_t)t;
        if (cut == GR_CUT_FITS && one.length <= p->genome_capacity)
            return one;
        draws = t, kept = 1;
        if (cut == GR_CUT_NONE)
            break;
    }
    plan = gr_copy_plan(plan.a, parents.of_a.length, 0);
    plan.draws_again = (uint16_t)draws;
    plan.parent_kept = (uint8_t)kept;
    return plan;
}

/* Where the codons of a child come from: codon c is a[c] below `cut`, b[c] below `behind`, rest[c]
 * from there on. */
typedef struct gr_source {
    const uint32_t *a, *b, *rest;
    uint32_t cut, behind, length;
} gr_source;

GR_FN gr_source gr_genome_source(const gr_state *s, gr_plan plan, uint32_t buffer,
                                 uint32_t length) {
    const uint32_t *a = gr_genome(s, buffer, plan.a), *b = gr_genome(s, buffer, plan.b);
    uint32_t behind = plan.a0 + plan.b1 - plan.b0;
    const int64_t shift_b = (int64_t)plan.b0 - plan.a0, shift_a = (int64_t)plan.a1 - behind;
    gr_source source = {a, b + shift_b, a + shift_a, plan.a0, behind, length};
    return source;
}

/* Children a lane group copies at a time, and codons of each that a lane reads before it writes the
 * first: the parents are far. */
enum { GR_GENOMES_AHEAD = 2, GR_CODONS_AHEAD = 4 };

/* What mutation draws for genomes that a warp copies, each lane for its own: a codon with less than
 * `below` of 2^24 is drawn again. below 0: none. */
typedef struct gr_flips {
    gr_random r;
    uint32_t below;
} gr_flips;

/* The stream of lane k, nothing drawn yet. */
GR_FN gr_random gr_stream_of_lane(gr_lane_group w, gr_random mine, uint32_t k) {
    mine.key[0] = gr_from_lane(w, mine.key[0], k);
    mine.key[1] = gr_from_lane(w, mine.key[1], k);
    mine.individual = gr_from_lane(w, mine.individual, k);
    mine.purpose = gr_from_lane(w, mine.purpose, k);
    return mine;
}

/* Redraws codons of lane `of`'s genome of `length` as a warp copies them: codon[k] is number from +
 * k * 32 + lane. A block of draws is for two codons, which neighbours hold: each draws two of the
 * four blocks that both need. */
GR_FN void gr_flip_copied(const gr_params *p, const gr_flips *flips, uint32_t of, uint32_t from,
                          uint32_t length, uint32_t codon[GR_CODONS_AHEAD], gr_lane_group w) {
    uint32_t odd = w.lane & 1u, below = gr_from_lane(w, flips->below, of);
    gr_random r = gr_stream_of_lane(w, flips->r, of);
    for (uint32_t k = 0; below && k < GR_CODONS_AHEAD && from + k * GR_LANES < length; k += 2) {
        uint32_t number = from / 2 + (k + odd) * (GR_LANES / 2) + w.lane / 2;
        gr_block block = gr_draw_block(&r, number);
        uint32_t chance = odd ? block.word[2] : block.word[0],
                 value = odd ? block.word[3] : block.word[1];
        uint32_t other_chance = gr_from_neighbour(w, odd ? block.word[0] : block.word[2]),
                 other_value = gr_from_neighbour(w, odd ? block.word[1] : block.word[3]);
        if ((odd ? other_chance : chance) >> 8 < below)
            codon[k] = gr_codon(p, odd ? other_value : value);
        if ((odd ? chance : other_chance) >> 8 < below)
            codon[k + 1] = gr_codon(p, odd ? value : other_value);
    }
}

#ifndef GR_HAS_WARPS
/* The codons of a child by one lane, one part behind another. */
GR_FN void gr_splice_parts(const gr_source *source, uint32_t *child) {
    uint32_t cut = gr_min_u32(source->cut, source->length);
    uint32_t behind = gr_max_u32(cut, gr_min_u32(source->behind, source->length));
    for (uint32_t c = 0; c < cut; c++)
        child[c] = source->a[c];
    for (uint32_t c = cut; c < behind; c++)
        child[c] = source->b[c];
    for (uint32_t c = behind; c < source->length; c++)
        child[c] = source->rest[c];
}
#endif

/* Executes plans on codons: the children stand one after the other, in genomes of `capacity`.
 * flips: their mutation on the way, if the group is a warp; the first child's draws are lane
 * `first`'s. */
GR_FN void gr_splice_genomes(const gr_params *p, const gr_source source[GR_GENOMES_AHEAD],
                             uint32_t *children, const gr_flips *flips, uint32_t first,
                             gr_lane_group w) {
    uint32_t longest = 0, capacity = p->genome_capacity;
#ifndef GR_HAS_WARPS
    if (w.width == 1) {
        for (uint32_t n = 0; n < GR_GENOMES_AHEAD; n++)
            gr_splice_parts(&source[n], children + (size_t)n * capacity);
        return;
    }
#endif
    for (uint32_t n = 0; n < GR_GENOMES_AHEAD; n++)
        longest = gr_max_u32(longest, source[n].length);
    for (uint32_t from = 0; from < longest; from += GR_CODONS_AHEAD * w.width) {
        uint32_t codon[GR_GENOMES_AHEAD][GR_CODONS_AHEAD] = {{0}};
        for (uint32_t n = 0; n < GR_GENOMES_AHEAD; n++)
            for (uint32_t k = 0; k < GR_CODONS_AHEAD; k++) {
                uint32_t c = from + k * w.width + w.lane;
                const uint32_t *of = c < source[n].cut      ? source[n].a
                                     : c < source[n].behind ? source[n].b
                                                            : source[n].rest;
                if (c < source[n].length)
                    codon[n][k] = of[c];
            }
        for (uint32_t n = 0; n < GR_GENOMES_AHEAD; n++)
            if (from < source[n].length)
                gr_flip_copied(p, flips, first + n, from, source[n].length, codon[n], w);
        for (uint32_t n = 0; n < GR_GENOMES_AHEAD; n++)
            for (uint32_t k = 0; k < GR_CODONS_AHEAD; k++) {
                uint32_t c = from + k * w.width + w.lane;
                if (c < source[n].length)
                    children[(size_t)n * capacity + c] = codon[n][k];
            }
    }
}

/* Takes every codon of the part that uniform crossover took from b back to a's with probability
 * 1/2; the pair's second child, whose parents come the other way round, gets the others. Codon c
 * has bit c % 128 of block c / 128. */
GR_FN void gr_mix_codons(const gr_state *s, const gr_random *r, gr_plan plan, uint32_t buffer,
                         uint32_t *child, gr_lane_group w) {
    const uint32_t *a = gr_genome(s, buffer, plan.a);
    for (uint32_t first = 0; first < plan.b1; first += 128) {
        gr_block block = gr_draw_block(r, first / 128);
        uint32_t last = gr_min_u32(first + 128, plan.b1);
        for (uint32_t c = first + w.lane; c < last; c += w.width) {
            uint32_t word = c % 128 / 32;
            uint32_t bits = word == 0   ? block.word[0]
                            : word == 1 ? block.word[1]
                            : word == 2 ? block.word[2]
                                        : block.word[3];
            if (!(bits >> c % 32 & 1u))
                child[c] = a[c];
        }
    }
}

/* Nodes a lane reads before it writes the first. */
enum { GR_NODES_AHEAD = 4 };

/* Executes a plan on trees; the child's length, its nodes annotated. */
GR_FN uint32_t gr_splice_tree(const gr_state *s, gr_plan plan, uint32_t buffer, gr_nodes child,
                              gr_words path, gr_lane_group w) {
    gr_nodes a = gr_tree(s, buffer, plan.a), b = gr_tree(s, buffer, plan.b);
    uint32_t length = plan.length, shift = gr_plan_shift(plan), count = 0;
    uint32_t behind = plan.a0 + plan.b1 - plan.b0; /* where the rest of a begins */
    for (uint32_t from = 0; from < length; from += GR_NODES_AHEAD * w.width) {
        gr_node node[GR_NODES_AHEAD] = {{0, 0}};
        for (uint32_t k = 0; k < GR_NODES_AHEAD; k++) {
            uint32_t i = from + k * w.width + w.lane;
            if (i < length)
                node[k] = i < plan.a0  ? GR_AT(a, i)
                          : i < behind ? GR_AT(b, plan.b0 + i - plan.a0)
                                       : GR_AT(a, i - shift);
        }
        for (uint32_t k = 0; k < GR_NODES_AHEAD; k++) {
            uint32_t i = from + k * w.width + w.lane;
            if (i < length)
                GR_AT(child, i) = node[k];
            if (w.width > 1)
                gr_list_ancestor(i, i < length && gr_reaches_over(node[k], i, behind), path, &count,
                                 w);
        }
    }
    gr_sync(w);
    if (count)
        gr_fix_ancestor_sizes(child, behind - 1, shift, count, path, w);
    if (w.width == 1)
        gr_fix_sizes_behind(child, behind, length, shift, NULL);
    return length;
}

#endif
