/* Children from plan to linear program: the second half of kernel 1. */
#ifndef GR_BREED_H
#define GR_BREED_H

#include "gpu/core/breeding/breed_non_depth_first.h"
#include "gpu/core/genotype/growth.h"
#include "gpu/core/variation/typed_mutations.h"

/* ---- genomes ---- */

/* How genomes are bred: by the steps that every run has; or by all steps, also those that only some
 * runs ask for (uniform crossover, branches, children drawn again, constants that are fitted,
 * genotypes that are not read depth first) and that would slow the others down. There is a kernel
 * for each, in which it is a literal. */
typedef enum gr_breeding { GR_BREED_COMMON_STEPS, GR_BREED_ALL_STEPS, GR_BREEDINGS } gr_breeding;
GR_BOTH uint32_t gr_breeding_of(const gr_params *p) {
    uint32_t more = p->crossover == GR_CROSSOVER_UNIFORM || p->rule_words || p->redrawn ||
                    gr_fits_beside(p) || gr_is_non_depth_first(p->convention);
#define GR_CODON_MUTATION(id, word, field, genotypes, mapping, part, asked, step, help)            \
    more |= GR_MAPS_##mapping == GR_MAPS_DEPTH_FIRST && (asked);
#include "gpu/core/base/genome_mutations.def"
    return more ? GR_BREED_ALL_STEPS : GR_BREED_COMMON_STEPS;
}
GR_FN uint32_t gr_breeds_non_depth_first(const gr_state *s, uint32_t kind) {
    return kind != GR_BREED_COMMON_STEPS && gr_is_non_depth_first(s->p.convention);
}

/* Mutations of one part of the genomes. `part` and `kind` are literals. */
GR_FN void gr_mutate_part(const gr_state *s, gr_batch batch, uint32_t part, uint32_t kind,
                          gr_scratch scratch, gr_lane_group w) {
    const gr_params *p = &s->p;
#define GR_CODON_MUTATION(id, word, field, genotypes, mapping, of, asked, step, help)              \
    if (part == GR_MUTATES_##of &&                                                                 \
        (GR_MAPS_##mapping == GR_MAPS_ANY ||                                                       \
         (kind != GR_BREED_COMMON_STEPS && !gr_is_non_depth_first(p->convention))) &&              \
        (asked)) {                                                                                 \
        step;                                                                                      \
        gr_sync(w);                                                                                \
    }
#include "gpu/core/base/genome_mutations.def"
}

/* Limits the codons that mutation may change to those the mapping would use. */
GR_FN void gr_limit_to_used(const gr_state *s, gr_batch batch, uint32_t kind, gr_scratch scratch,
                            uint32_t *codon_scratch, gr_lane_group w) {
    if (gr_breeds_non_depth_first(s, kind))
        gr_find_used_pairs(s, batch, scratch, codon_scratch, w);
    else if (gr_derives_by_steps(scratch.grammar, s->p.convention))
        gr_find_used(s, batch, scratch, w);
    else
        gr_find_used_by_symbols(s, batch, scratch, w);
}

/* Mutation of the codons that are there. */
GR_FN void gr_mutate_all_parts(const gr_state *s, gr_batch batch, uint32_t kind, gr_scratch scratch,
                               uint32_t *codon_scratch, gr_lane_group w) {
    gr_mutate_part(s, batch, GR_MUTATES_WHOLE, kind, scratch, w);
    if (s->p.mutation_within_used)
        gr_limit_to_used(s, batch, kind, scratch, codon_scratch, w);
    gr_sync(w);
    gr_mutate_part(s, batch, GR_MUTATES_USED, kind, scratch, w);
}

/* Children from their plans, as genomes. codon_scratch: gr_depth_first_scratch, for
 * genotypes that are not read depth first. */
GR_FN void gr_draw_genomes(const gr_state *s, gr_batch batch, uint32_t kind, gr_scratch scratch,
                           uint32_t *codon_scratch, gr_lane_group w) {
    uint32_t flips = kind == GR_BREED_COMMON_STEPS && gr_flips_on_the_way(&s->p, w);
    gr_cross_genomes(s, batch, flips, w);
    gr_sync(w);
    if (flips)
        return;
    if (kind != GR_BREED_COMMON_STEPS && s->p.crossover == GR_CROSSOVER_UNIFORM) {
        gr_mix_genomes(s, batch, w);
        gr_sync(w);
    }
    if (kind != GR_BREED_COMMON_STEPS && s->p.convention & GR_LISTS) {
        gr_cross_and_mutate_lists(s, batch, scratch, codon_scratch, w);
        return;
    }
    gr_mutate_all_parts(s, batch, kind, scratch, codon_scratch, w);
}

/* Genomes to programs. */
GR_FN void gr_express_genomes(const gr_state *s, gr_batch batch, uint32_t kind, gr_scratch scratch,
                              uint32_t *codon_scratch, gr_lane_group w) {
    gr_kept kept = {scratch.nodes, 0};
    uint32_t next = batch.first, single = scratch.together && batch.last - batch.first == 1;
    uint32_t notes = kind != GR_BREED_COMMON_STEPS;
    gr_maps maps = gr_breeds_non_depth_first(s, kind)
                       ? GR_MAPS_NOTHING
                       : gr_maps_by_steps(scratch.grammar, s->p.convention);
    while (next < batch.last) {
        if (gr_breeds_non_depth_first(s, kind))
            gr_map_non_depth_first(s, batch, &next, &kept, scratch, codon_scratch, w);
        else if (maps == GR_MAPS_NO_NUMBERS)
            gr_map_genomes(s, batch.generation, &next, batch.last, &kept, notes, 0, scratch, w);
        else if (maps)
            gr_map_genomes(s, batch.generation, &next, batch.last, &kept, notes, 1, scratch, w);
        else
            gr_map_genomes_by_tokens(s, batch.generation, &next, batch.last, &kept, scratch, w);
        gr_annotate_kept(s, batch.generation, &kept);
        if (notes && gr_fits_beside(&s->p))
            gr_copy_kept(s, batch.generation, &kept, scratch.begins);
        if (single)
            gr_compile_single(s, &kept, scratch.locations, w);
        else
            gr_compile_kept(s, &kept, scratch.locations);
    }
}

/* Draws children again that are invalid in a way the run does not take, with other cuts and
 * mutations of the same parents, `tries` draws in all; then the parent is kept. A lane does a child
 * alone. The plans stay as they were, so that breeding can be repeated. */
GR_CALL void gr_redraw_genomes(const gr_state *s, gr_batch batch, uint32_t kind, gr_scratch scratch,
                               uint32_t *codon_scratch, gr_lane_group w) {
    const gr_lane_group alone = {0, 1};
    gr_individual *individuals = s->individuals[batch.generation & 1];
    for (uint32_t i = batch.first + w.lane; i < batch.last; i += w.width) {
        gr_plan plan = s->plans[i];
        gr_batch one = {batch.generation, 1, i, i + 1};
        uint32_t retries = individuals[i].retries,
                 left = individuals[i].length && plan.kind != GR_PLAN_ELITE;
        for (; left && s->p.redrawn >> individuals[i].validity & 1u; one.attempt++) {
            left = one.attempt < s->p.tries;
            s->plans[i] =
                left ? gr_redraw_plan(s, one.generation, i, one.attempt, plan, alone)
                     : gr_copy_plan(plan.a, s->individuals[(one.generation & 1) ^ 1][plan.a].length,
                                    1);
            gr_draw_genomes(s, one, kind, scratch, codon_scratch, alone);
            gr_express_genomes(s, one, kind, scratch, codon_scratch, alone);
            retries =
                gr_add_retries(retries, gr_add_retries(individuals[i].retries,
                                                       left ? GR_RETRIES(1, 0) : GR_RETRIES(0, 1)));
            individuals[i].retries = retries;
        }
        if (individuals[i].length)
            s->plans[i] = plan;
    }
}

/* A batch from its plans, or of the first generation; scratch and codon_scratch are of the lane. */
GR_FN void gr_breed_genomes(const gr_state *s, gr_batch batch, uint32_t kind, gr_scratch scratch,
                            uint32_t *codon_scratch, gr_lane_group w) {
    if (batch.generation > 0)
        gr_draw_genomes(s, batch, kind, scratch, codon_scratch, w);
    else if (gr_breeds_non_depth_first(s, kind))
        gr_initial_non_depth_first(s, batch.first, batch.last, scratch, codon_scratch, w);
    else
        gr_initial_genomes(s, batch.first, batch.last, scratch, w);
    gr_sync(w);
    gr_express_genomes(s, batch, kind, scratch, codon_scratch, w);
    if (kind != GR_BREED_COMMON_STEPS && s->p.redrawn && batch.generation) {
        gr_sync(w);
        gr_redraw_genomes(s, batch, kind, scratch, codon_scratch, w);
    }
    if (kind != GR_BREED_COMMON_STEPS && s->p.rule_words) {
        gr_sync(w);
        gr_mark_genomes(s, batch, scratch, w);
    }
}

/* ---- trees ---- */

/* Fast memory of a lane group for small trees: a child is made and compiled there and copied once
 * it is done. capacity 0: there is none. */
typedef struct gr_near {
    uint32_t capacity; /* nodes before mutation */
    gr_nodes tree;
    gr_scratch scratch; /* for as many nodes, and what mutation adds */
} gr_near;

/* Bytes of a warp's fast memory for `capacity` nodes. */
GR_BOTH size_t gr_near_bytes(const gr_params *p, uint32_t capacity) {
    return (2 * capacity + (p->max_tree_depth + 1) / 2) * sizeof(gr_node);
}

/* Nodes that mutation may add to a tree at most: a subtree, and a function with its leaves. */
GR_BOTH uint32_t gr_largest_growth(const gr_params *p) {
    uint32_t arity = p->arity_first[4] > p->arity_first[3] ? 3 : 2, level = 1, nodes = 0;
    uint32_t inserted = p->tree_mutations ? arity : 0;
    if (!((p->tree_mutations ? p->mutation[GR_MUTATE_SUBTREE] : p->subtree_mutation) > 0.0f))
        return inserted;
    for (uint32_t depth = 0; depth < p->subtree_depth && nodes < p->max_nodes; depth++) {
        nodes += level;
        level *= arity;
    }
    return nodes + inserted;
}

/* The child of a plan: crossover, mutation. */
GR_FN gr_mutant gr_child_tree(const gr_state *s, uint32_t generation, uint32_t i, gr_plan plan,
                              gr_nodes tree, gr_scratch scratch, gr_lane_group w) {
    gr_mutant child = {plan.length, gr_plan_retries(plan)};
    gr_splice_tree(s, plan, (generation & 1) ^ 1, tree, scratch.path, w);
    if (plan.kind == GR_PLAN_PLAIN && gr_is_typed(s))
        gr_mutate_typed(s, generation, i, tree, &child, scratch);
    else if (plan.kind == GR_PLAN_PLAIN)
        gr_mutate_child(s, generation, i, tree, &child, scratch, w);
    return child;
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

/* Compiles a child whose nodes stand at `tree`, takes them to its own row if they do not stand
 * there yet, and writes its individual; the instructions of its program. */
GR_FN uint32_t gr_finish_tree(const gr_state *s, uint32_t generation, uint32_t i, gr_nodes tree,
                              gr_mutant child, gr_words locations, gr_lane_group w) {
    uint32_t buffer = generation & 1;
    gr_nodes own = gr_tree(s, buffer, i);
    gr_compile(tree, child.length, locations, gr_program(s, i), w);
    gr_individual individual = gr_tree_individual(GR_AT(tree, child.length - 1));
    if (tree.at != own.at)
        for (uint32_t k = w.lane; k < child.length; k += w.width)
            GR_AT(own, k) = GR_AT(tree, k);
    individual.retries = child.retries;
    if (w.lane == 0)
        s->individuals[buffer][i] = individual;
    gr_sync(w);
    return individual.instructions;
}

/* Individual i of a generation, by its plan if that is not the first; the instructions of its
 * program. */
GR_FN uint32_t gr_breed_planned_tree(const gr_state *s, uint32_t generation, uint32_t i,
                                     gr_plan plan, gr_scratch scratch, const gr_near *near,
                                     gr_lane_group group) {
    const gr_params *p = &s->p;
    gr_lane_group w = gr_tree_group(group);
    uint32_t buffer = generation & 1, deme = i / p->population;
    gr_nodes tree = gr_tree(s, buffer, i);
    gr_mutant child = {0, 0};
    if (!s->demes[deme].active) {
        const gr_individual nobody = {0};
        if (w.lane == 0)
            s->individuals[buffer][i] = nobody;
        return 0;
    }
    if (generation > 0) {
        if (plan.length <= near->capacity) {
            tree = near->tree;
            scratch = near->scratch;
        }
        child = gr_child_tree(s, generation, i, plan, tree, scratch, w);
    } else {
        child.retries = GR_RETRIES(gr_attempt(s, i), 0);
        if (w.lane == 0)
            child.length = gr_first_tree(s, deme, i % p->population, tree, scratch);
        gr_sync(w);
        child.length = gr_from_first(w, child.length);
    }
    return gr_finish_tree(s, generation, i, tree, child, scratch.locations, w);
}

/* The same by the plan that was written. */
GR_FN void gr_breed_tree(const gr_state *s, uint32_t generation, uint32_t i, gr_scratch scratch,
                         const gr_near *near, gr_lane_group group) {
    gr_plan plan = {0};
    if (generation > 0)
        plan = s->plans[i];
    gr_breed_planned_tree(s, generation, i, plan, scratch, near, group);
}

/* Individual i (counted over all runs) of `generation`: genotype, sizes and linear program.
 * codon_scratch: gr_depth_first_scratch, or NULL where genomes are read depth first. */
GR_FN void gr_breed_child(const gr_state *s, uint32_t generation, uint32_t i, gr_scratch scratch,
                          uint32_t *codon_scratch, gr_lane_group w) {
    const gr_near none = {0};
    const gr_batch batch = {generation, 0, i, i + 1};
    if (s->p.genotype == GR_TREE)
        gr_breed_tree(s, generation, i, scratch, &none, w);
    else
        gr_breed_genomes(s, batch, gr_breeding_of(&s->p), scratch, codon_scratch, w);
}

#endif
