/* One child from plan to linear program: what kernel 2 does before it evaluates. */
#ifndef GR_BREED_H
#define GR_BREED_H

#include "codon_runs.h"
#include "mutation.h"
#include "pi_grow.h"

/* Maps a genome: the individual, and its expression in scratch.nodes. One lane does it. */
GR_CALL gr_individual gr_express_genome(const gr_state *s, const uint32_t *genome, uint32_t length,
                                        gr_scratch scratch) {
    const gr_params *p = &s->p;
    gr_derivation d;
    gr_parser parser;
    gr_derive_start(&d, s->grammar, genome, length, p->max_wraps, p->max_depth, scratch.path);
    gr_derive_by(&d, p->convention, p->max_wraps);
    gr_parser_start(&parser, scratch.nodes, p->max_nodes, scratch.parser, gr_parse_levels(p),
                    p->inputs, p->packed);
    gr_map(&d, &parser);
    gr_individual individual = {0};
    individual.length = length;
    individual.used = d.used;
    individual.depth = d.depth;
    individual.derivation_nodes = d.nodes;
    individual.validity = d.validity;
    individual.nodes = d.validity == GR_VALID ? parser.count : 0;
    return individual;
}

GR_CALL void gr_breed_genome(const gr_state *s, uint32_t generation, uint32_t i, gr_scratch scratch,
                             gr_worker w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, deme = i / p->population, slot = i % p->population, length;
    uint32_t *genome = gr_genome(s, buffer, i);
    if (generation == 0)
        length = gr_first_genome(s, deme, slot, genome, scratch.path, w);
    else {
        gr_plan plan = s->plans[i];
        length = gr_splice_genome(s, plan, buffer ^ 1, genome, w);
        gr_sync(w);
        if (!plan.elite)
            length = gr_change_runs(s, generation, deme, slot, genome, length, w);
        if (!plan.elite)
            gr_mutate_genome(s, generation, deme, slot, genome, length, scratch.path, w);
    }
    gr_sync(w);
    gr_individual individual = {0};
    if (w.lane == 0)
        individual = gr_express_genome(s, genome, length, scratch);
    gr_sync(w);
    uint32_t nodes = gr_from_first(w, individual.nodes);
    if (nodes)
        individual.instructions =
            gr_compile(scratch.nodes, nodes, scratch.places, gr_program(s, i), w);
    if (w.lane == 0)
        s->individuals[buffer][i] = individual;
}

GR_CALL void gr_breed_tree(const gr_state *s, uint32_t generation, uint32_t i, gr_scratch scratch,
                           gr_worker w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, deme = i / p->population, slot = i % p->population,
             length = 0;
    gr_nodes tree = gr_tree(s, buffer, i);
    if (generation > 0) {
        gr_plan plan = s->plans[i];
        length = gr_splice_tree(s, plan, buffer ^ 1, tree, scratch.path, w);
        if (!plan.elite)
            length = gr_mutate_tree(s, generation, deme, slot, tree, length, scratch, w);
    } else {
        if (w.lane == 0)
            length = gr_initial_tree(p, deme, slot, tree);
        gr_sync(w);
        length = gr_from_first(w, length);
    }
    gr_individual individual = {0};
    individual.length = individual.used = individual.nodes = individual.derivation_nodes = length;
    individual.depth = GR_NODE_HEIGHT(GR_AT(tree, length - 1));
    individual.instructions = gr_compile(tree, length, scratch.places, gr_program(s, i), w);
    if (w.lane == 0)
        s->individuals[buffer][i] = individual;
}

/* Individual i (counted over all runs) of `generation`: genotype, sizes and linear program. */
GR_FN void gr_breed_child(const gr_state *s, uint32_t generation, uint32_t i, gr_scratch scratch,
                          gr_worker w) {
    if (!s->demes[i / s->p.population].active) {
        const gr_individual nothing = {0};
        if (w.lane == 0)
            s->individuals[generation & 1][i] = nothing;
        return;
    }
    if (s->p.genotype == GR_TREE)
        gr_breed_tree(s, generation, i, scratch, w);
    else
        gr_breed_genome(s, generation, i, scratch, w);
}

#endif
