/* Children from plan to linear program: what kernel 2 does. */
#ifndef GR_BREED_H
#define GR_BREED_H

#include "gpu/core/breeding/breed_indirect.h"
#include "gpu/core/genotype/growth.h"
#include "gpu/core/variation/vary.h"

/* ---- genomes
 * ----------------------------------------------------------------------------------------------
 */

/* How genomes are bred: by the steps of every run, with those that some runs add and others are not
 * to pay for, or as genotypes that are not read depth first. A kernel for each; a literal there. */
typedef enum gr_breeding {
    GR_BREED_GENOMES,
    GR_BREED_MORE,
    GR_BREED_INDIRECT,
    GR_BREEDINGS
} gr_breeding;
GR_BOTH uint32_t gr_breeding_of(const gr_params *p) {
    uint32_t more = p->crossover == GR_CROSSOVER_UNIFORM || p->rule_words || p->redrawn;
    return gr_is_indirect(p->convention) ? GR_BREED_INDIRECT
           : more                        ? GR_BREED_MORE
                                         : GR_BREED_GENOMES;
}

/* Limits the codons that mutation may change to those the mapping would use. */
GR_FN void gr_limit_to_used(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                            uint32_t kind, gr_scratch scratch, uint32_t *room, gr_worker w) {
    if (kind == GR_BREED_INDIRECT)
        gr_find_used_pairs(s, generation, first, last, scratch, room, w);
    else if (gr_derives_by_steps(scratch.grammar, s->p.convention))
        gr_find_used(s, generation, first, last, scratch, w);
    else
        gr_find_used_by_symbols(s, generation, first, last, scratch, w);
}

/* Children from their plans, as genomes. room: gr_straight_room, for GR_BREED_INDIRECT. */
GR_FN void gr_draw_genomes(const gr_state *s, uint32_t generation, uint32_t attempt, uint32_t first,
                           uint32_t last, uint32_t kind, gr_scratch scratch, uint32_t *room,
                           gr_worker w) {
    gr_cross_genomes(s, generation, first, last, w);
    gr_sync(w);
    if (kind != GR_BREED_GENOMES && s->p.crossover == GR_CROSSOVER_UNIFORM) {
        gr_mix_genomes(s, generation, attempt, first, last, w);
        gr_sync(w);
    }
    if (kind == GR_BREED_INDIRECT && s->p.convention & GR_LISTS) {
        gr_vary_lists(s, generation, attempt, first, last, scratch, room, w);
        return;
    }
    if (gr_changes_runs(&s->p)) {
        gr_change_genomes(s, generation, attempt, first, last, w);
        gr_sync(w);
    }
    if (kind == GR_BREED_MORE && gr_mutates_branches(&s->p)) {
        gr_mutate_branches(s, generation, attempt, first, last, scratch, w);
        gr_sync(w);
    }
    if (s->p.mutation_within_used)
        gr_limit_to_used(s, generation, first, last, kind, scratch, room, w);
    gr_sync(w);
    if (s->p.mutation_events)
        gr_mutate_by_events(s, generation, attempt, first, last, w);
    else
        gr_mutate_genomes(s, generation, attempt, first, last, w);
}

/* Genomes to programs. */
GR_FN void gr_express_genomes(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                              uint32_t kind, gr_scratch scratch, uint32_t *room, gr_worker w) {
    gr_kept kept = {scratch.nodes, 0};
    uint32_t next = first;
    uint32_t steps =
        kind != GR_BREED_INDIRECT && gr_maps_by_steps(scratch.grammar, s->p.convention);
    while (next < last) {
        if (kind == GR_BREED_INDIRECT)
            gr_map_indirect(s, generation, &next, last, &kept, scratch, room, w);
        else if (steps)
            gr_map_genomes(s, generation, &next, last, &kept, scratch, w);
        else
            gr_map_genomes_by_tokens(s, generation, &next, last, &kept, scratch, w);
        gr_annotate_kept(s, generation, &kept);
        gr_compile_kept(s, &kept, scratch.places);
    }
}

/* Draws children again that are invalid in a way the run does not take, with other cuts and
 * mutations of the same parents, `tries` draws in all; then the parent is kept. A lane does a child
 * alone. The plans stay as they were, so that breeding can be repeated. */
GR_CALL void gr_redraw_genomes(const gr_state *s, uint32_t generation, uint32_t first,
                               uint32_t last, uint32_t kind, gr_scratch scratch, uint32_t *room,
                               gr_worker w) {
    const gr_worker alone = {0, 1};
    gr_individual *individuals = s->individuals[generation & 1];
    for (uint32_t i = first + w.lane; i < last; i += w.width) {
        gr_plan plan = s->plans[i];
        uint32_t again = individuals[i].again,
                 left = individuals[i].length && plan.kind != GR_PLAN_ELITE;
        for (uint32_t t = 1; left && s->p.redrawn >> individuals[i].validity & 1u; t++) {
            left = t < s->p.tries;
            s->plans[i] =
                left ? gr_plan_again(s, generation, i, t, plan, alone)
                     : gr_copy_plan(plan.a, s->individuals[(generation & 1) ^ 1][plan.a].length, 1);
            gr_draw_genomes(s, generation, t, i, i + 1, kind, scratch, room, alone);
            gr_express_genomes(s, generation, i, i + 1, kind, scratch, room, alone);
            again = gr_add_again(
                again, gr_add_again(individuals[i].again, left ? GR_AGAIN(1, 0) : GR_AGAIN(0, 1)));
            individuals[i].again = again;
        }
        if (individuals[i].length)
            s->plans[i] = plan;
    }
}

/* Individuals [first, last) of a generation; scratch and room are of the lane. */
GR_FN void gr_breed_genomes(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                            uint32_t kind, gr_scratch scratch, uint32_t *room, gr_worker w) {
    if (generation > 0)
        gr_draw_genomes(s, generation, 0, first, last, kind, scratch, room, w);
    else if (kind == GR_BREED_INDIRECT)
        gr_initial_indirect(s, first, last, scratch, room, w);
    else
        gr_initial_genomes(s, first, last, scratch, w);
    gr_sync(w);
    gr_express_genomes(s, generation, first, last, kind, scratch, room, w);
    if (kind != GR_BREED_GENOMES && s->p.redrawn && generation) {
        gr_sync(w);
        gr_redraw_genomes(s, generation, first, last, kind, scratch, room, w);
    }
    if (kind == GR_BREED_MORE && s->p.rule_words) {
        gr_sync(w);
        gr_mark_genomes(s, generation, first, last, scratch, w);
    }
}

/* ---- trees
 * ------------------------------------------------------------------------------------------------
 */

/* Fast memory of a worker for small trees: a child is made and compiled there and copied once it is
 * done. capacity 0: there is none. */
typedef struct gr_near {
    uint32_t capacity; /* nodes before mutation */
    gr_nodes tree;
    gr_scratch scratch; /* room for as many nodes, and what mutation adds */
} gr_near;

/* Bytes of a warp's fast memory with room for `capacity` nodes. */
GR_BOTH size_t gr_near_bytes(const gr_params *p, uint32_t capacity) {
    return (2 * capacity + (p->max_tree_depth + 1) / 2) * sizeof(gr_node);
}

/* Nodes that mutation may add to a tree at most: a subtree, and a function with its leaves. */
GR_BOTH uint32_t gr_largest_growth(const gr_params *p) {
    uint32_t arity = p->arity_first[4] > p->arity_first[3] ? 3 : 2, level = 1, nodes = 0;
    uint32_t inserted = p->varied ? arity : 0;
    if (!((p->varied ? p->mutation[GR_MUTATE_SUBTREE] : p->subtree_mutation) > 0.0f))
        return inserted;
    for (uint32_t depth = 0; depth < p->subtree_depth && nodes < p->max_nodes; depth++) {
        nodes += level;
        level *= arity;
    }
    return nodes + inserted;
}

/* The child of a plan: crossover, mutation; its length. *tree and *scratch: where it is made; lane
 * 0 knows *again. */
GR_FN uint32_t gr_child_tree(const gr_state *s, uint32_t generation, uint32_t i, gr_nodes *tree,
                             gr_scratch *scratch, const gr_near *near, uint32_t *again,
                             gr_worker w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, deme = i / p->population, slot = i % p->population;
    gr_plan plan = s->plans[i];
    uint32_t length = plan.length;
    *again = gr_plan_cost(plan);
    if (length <= near->capacity) {
        *tree = near->tree;
        *scratch = near->scratch;
    }
    gr_splice_tree(s, plan, buffer ^ 1, *tree, scratch->path, w);
    if (plan.kind != GR_PLAN_PLAIN)
        return length;
    if (p->varied)
        return gr_vary_tree(s, generation, deme, slot, *tree, length, *scratch, again, w);
    return gr_mutate_tree(s, generation, deme, slot, *tree, length, *scratch, again, w);
}

/* An annotated tree as an individual, by its root. */
GR_FN gr_individual gr_tree_individual(gr_node root) {
    gr_individual individual = {0};
    individual.length = individual.used = individual.nodes = individual.derivation_nodes =
        GR_NODE_SIZE(root);
    individual.depth = GR_NODE_HEIGHT(root);
    individual.instructions = gr_instructions(root);
    return individual;
}

/* Individual i of a generation. */
GR_CALL void gr_breed_tree(const gr_state *s, uint32_t generation, uint32_t i, gr_scratch scratch,
                           const gr_near *near, gr_worker worker) {
    const gr_params *p = &s->p;
    gr_worker w = gr_tree_worker(worker);
    uint32_t buffer = generation & 1, deme = i / p->population, length = 0, again;
    gr_nodes own = gr_tree(s, buffer, i), tree = own;
    gr_individual individual = {0};
    if (!s->demes[deme].active) {
        if (w.lane == 0)
            s->individuals[buffer][i] = individual;
        return;
    }
    if (generation > 0)
        length = gr_child_tree(s, generation, i, &tree, &scratch, near, &again, w);
    else {
        again = GR_AGAIN(gr_attempt(s, i), 0);
        if (w.lane == 0)
            length = gr_first_tree(s, deme, i % p->population, tree, scratch);
        gr_sync(w);
        length = gr_from_first(w, length);
    }
    gr_compile(tree, length, scratch.places, gr_program(s, i), w);
    individual = gr_tree_individual(GR_AT(tree, length - 1));
    if (tree.at != own.at)
        for (uint32_t k = w.lane; k < length; k += w.width)
            GR_AT(own, k) = GR_AT(tree, k);
    individual.again = again;
    if (w.lane == 0)
        s->individuals[buffer][i] = individual;
    gr_sync(w);
}

/* Individual i (counted over all runs) of `generation`: genotype, sizes and linear program. room:
 * gr_straight_room, or NULL where genomes are read depth first. */
GR_FN void gr_breed_child(const gr_state *s, uint32_t generation, uint32_t i, gr_scratch scratch,
                          uint32_t *room, gr_worker w) {
    const gr_near none = {0};
    if (s->p.genotype == GR_TREE)
        gr_breed_tree(s, generation, i, scratch, &none, w);
    else
        gr_breed_genomes(s, generation, i, i + 1, gr_breeding_of(&s->p), scratch, room, w);
}

#endif
