/* Genomes from plan to linear program: the steps of breeding that breed.h puts together. */
#ifndef GR_BREED_GENOMES_H
#define GR_BREED_GENOMES_H

#include "gpu/core/breeding/inherit.h"
#include "gpu/core/genotype/first_genomes.h"
#include "gpu/core/selection/torus.h"
#include "gpu/core/variation/codon_duplication.h"
#include "gpu/core/variation/mutation.h"
#include "gpu/core/variation/mutation_events.h"

/* A lane group breeds a batch. What runs along a genome (copying, flips, random tails) its lanes do
 * together, one genome after the other. What follows the codons (growing, deriving, mapping,
 * compiling) every lane does for a genome of its own, and takes the next as soon as it is done: one
 * genome takes a hundred times as long as another. Lanes meet after some turns. */

enum { GR_TURNS = 8 };

/* Individuals [first, last) of a generation; their `attempt`-th draw, 0 the first. */
typedef struct gr_batch {
    uint32_t generation, attempt, first, last;
} gr_batch;

/* The next genome of the batch for each lane that is free: its index, or `last`. */
GR_FN uint32_t gr_take(gr_lane_group w, uint32_t free, uint32_t *next, uint32_t last) {
    uint32_t before, taken = gr_count_before(w, free, &before), mine = *next + before;
    *next = gr_min_u32(*next + taken, last);
    return gr_min_u32(mine, last);
}

/* Where lane k takes its child from. */
GR_FN gr_plan gr_plan_of_lane(gr_lane_group w, gr_plan mine, uint32_t k) {
    gr_plan plan = {0};
    plan.a = gr_from_lane(w, mine.a, k);
    plan.b = gr_from_lane(w, mine.b, k);
    plan.a0 = gr_from_lane(w, mine.a0, k);
    plan.a1 = gr_from_lane(w, mine.a1, k);
    plan.b0 = gr_from_lane(w, mine.b0, k);
    plan.b1 = gr_from_lane(w, mine.b1, k);
    return plan;
}

/* The stream of individual i of a batch. */
GR_FN gr_random gr_stream_of_child(const gr_params *p, gr_purpose purpose, gr_batch batch,
                                   uint32_t i) {
    return gr_repeated(
        gr_stream(p, purpose, batch.generation, i / p->population, i % p->population),
        batch.attempt);
}

/* What genomes [from, from + count) hold behind their derivations: `used` codons of the lane's.
 * Lengths go to the individuals, as below. */
GR_FN void gr_first_tails(const gr_state *s, uint32_t from, uint32_t count, uint32_t used,
                          gr_lane_group w) {
    for (uint32_t k = 0; k < count; k++) {
        uint32_t length = gr_first_tail(s, from + k, gr_from_lane(w, used, k), w);
        if (w.lane == 0) {
            s->individuals[0][from + k].length = length;
            s->individuals[0][from + k].retries = GR_RETRIES(gr_attempt(s, from + k), 0);
        }
    }
}

/* Genotypes of the first generation. */
GR_CALL void gr_initial_genomes(const gr_state *s, uint32_t first, uint32_t last,
                                gr_scratch scratch, gr_lane_group w) {
    for (uint32_t from = first; from < last; from += w.width) {
        uint32_t i = from + w.lane;
        uint32_t used = i < last ? gr_first_codons(s, i, scratch) : 0;
        gr_first_tails(s, from, gr_min_u32(last - from, w.width), used, w);
    }
}

/* Whether a warp mutates genomes while it copies them, which spares it a second pass: codons flip
 * and nothing comes between. */
GR_FN uint32_t gr_flips_on_the_way(const gr_params *p, gr_lane_group w) {
    return w.width == GR_LANES && !p->mutation_events && !p->mutation_within_used &&
           !(p->codon_duplication > 0.0f) && !(p->codon_deletion > 0.0f) &&
           p->codon_mutation != 0.0f;
}

/* Crossover. A deme that has stopped leaves genomes without codons. The codons that mutation may
 * change go to the individuals as well: none where mutation stays away. flips: whether they are
 * mutated on the way (gr_flips_on_the_way). */
GR_FN void gr_cross_genomes(const gr_state *s, gr_batch batch, uint32_t flips, gr_lane_group w) {
    uint32_t buffer = batch.generation & 1;
    gr_flips flipped = {.below = 0};
    for (uint32_t from = batch.first; from < batch.last; from += w.width) {
        uint32_t i = from + w.lane, length = 0, count = gr_min_u32(batch.last - from, w.width);
        gr_plan mine = {0};
        if (i < batch.last) {
            if (s->demes[i / s->p.population].active) {
                mine = s->plans[i];
                length = mine.length;
            }
            s->individuals[buffer][i].length = length;
            s->individuals[buffer][i].used = mine.kind == GR_PLAN_PLAIN ? length : 0;
            s->individuals[buffer][i].retries = gr_plan_retries(mine);
        }
        if (flips) {
            uint32_t range = mine.kind == GR_PLAN_PLAIN ? length : 0;
            flipped.r = gr_stream_of_child(&s->p, GR_PURPOSE_MUTATION, batch, i);
            flipped.below = range ? gr_flips_below(&s->p, range) : 0;
        }
        for (uint32_t k = 0; k < count; k += GR_GENOMES_AHEAD) {
            gr_source source[GR_GENOMES_AHEAD];
            for (uint32_t n = 0; n < GR_GENOMES_AHEAD; n++) {
                uint32_t of = gr_min_u32(k + n, count - 1),
                         its_length = gr_from_lane(w, length, of);
                source[n] = gr_genome_source(s, gr_plan_of_lane(w, mine, of), buffer ^ 1,
                                             k + n < count ? its_length : 0);
            }
            gr_splice_genomes(&s->p, source, gr_genome(s, buffer, from + k), &flipped, k, w);
        }
    }
}

/* The stream by which child i and the other child of its pair take turns in what they exchange; 0
 * when they exchange nothing. */
GR_FN uint32_t gr_mixing_stream(const gr_state *s, uint32_t generation, uint32_t attempt,
                                uint32_t i, gr_random *r) {
    const gr_params *p = &s->p;
    if (!s->individuals[generation & 1][i].length || s->plans[i].kind == GR_PLAN_ELITE ||
        !s->plans[i].b1)
        return 0;
    *r = gr_repeated(gr_stream(p, GR_PURPOSE_CROSSOVER_MIX, generation, i / p->population,
                               gr_pair_of(p, generation, i % p->population)),
                     attempt);
    return 1;
}

/* Uniform crossover: the genomes hold what it exchanged whole. */
GR_CALL void gr_mix_genomes(const gr_state *s, gr_batch batch, gr_lane_group w) {
    uint32_t buffer = batch.generation & 1;
    gr_random r;
    for (uint32_t i = batch.first; i < batch.last; i++)
        if (gr_mixing_stream(s, batch.generation, batch.attempt, i, &r))
            gr_mix_codons(s, &r, s->plans[i], buffer ^ 1, gr_genome(s, buffer, i), w);
}

/* Duplication or deletion of runs of codons; a lane a genome. */
GR_FN void gr_change_codon_counts(const gr_state *s, gr_batch batch, gr_genome_mutation kind,
                                  gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = batch.generation & 1;
    for (uint32_t i = batch.first + w.lane; i < batch.last; i += w.width) {
        gr_individual *individual = &s->individuals[buffer][i];
        uint32_t *genome = gr_genome(s, buffer, i), length = individual->length;
        if (!individual->used) /* an elite */
            continue;
        gr_random r = gr_stream_of_child(p, GR_PURPOSE_MUTATION_DUPLICATION, batch, i);
        individual->length = individual->used = kind == GR_GENOME_DUPLICATION
                                                    ? gr_duplicate_codons(p, &r, genome, length)
                                                    : gr_delete_codons(p, &r, genome, length);
    }
}
GR_CALL void gr_duplicate_in_genomes(const gr_state *s, gr_batch batch, gr_lane_group w) {
    gr_change_codon_counts(s, batch, GR_GENOME_DUPLICATION, w);
}
GR_CALL void gr_delete_from_genomes(const gr_state *s, gr_batch batch, gr_lane_group w) {
    gr_change_codon_counts(s, batch, GR_GENOME_DELETION, w);
}

/* New random branches; a lane a genome. */
GR_CALL void gr_mutate_branches(const gr_state *s, gr_batch batch, gr_scratch scratch,
                                gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = batch.generation & 1;
    for (uint32_t i = batch.first + w.lane; i < batch.last; i += w.width) {
        gr_individual *individual = &s->individuals[buffer][i];
        gr_random r = gr_stream_of_child(p, GR_PURPOSE_MUTATION_BRANCH, batch, i);
        uint32_t retries;
        if (!individual->used || !gr_chance(&r, p->subtree_mutation))
            continue;
        individual->length = individual->used =
            gr_mutate_branch(s, &r, buffer, i, individual->length, scratch, &retries);
        individual->retries = gr_add_retries(individual->retries, retries);
    }
}

/* Marks the branches of valid individuals, for the crossover of the next generation. */
GR_CALL void gr_mark_genomes(const gr_state *s, gr_batch batch, gr_scratch scratch,
                             gr_lane_group w) {
    uint32_t buffer = batch.generation & 1;
    for (uint32_t i = batch.first + w.lane; i < batch.last; i += w.width) {
        gr_individual individual = s->individuals[buffer][i];
        if (individual.length && individual.validity == GR_VALID)
            gr_mark_branches(&s->p, scratch.grammar, gr_genome(s, buffer, i), individual.length,
                             gr_branch_rules(s, buffer, i), gr_branches(s, buffer, i),
                             scratch.path);
    }
}

/* Limits the codons that mutation may change to those the mapping would use. */
GR_CALL void gr_find_used(const gr_state *s, gr_batch batch, gr_scratch scratch, gr_lane_group w) {
    const gr_params *p = &s->p;
    gr_individual *individuals = s->individuals[batch.generation & 1];
    uint32_t next = batch.first, i = batch.last, busy = 0;
    gr_skeleton k = {0};
    do {
        uint32_t taken = gr_take(w, !busy, &next, batch.last), begun = busy;
        if (!busy && taken < batch.last) {
            i = taken;
            busy = begun = individuals[i].used != 0;
            gr_derive_start(&k.d, scratch.grammar, gr_genome(s, batch.generation & 1, i),
                            individuals[i].used, p->max_wraps, p->max_depth, scratch.path);
            gr_skeleton_start(&k);
        }
        for (uint32_t turn = 0; turn < GR_TURNS; turn++) {
            busy = busy && gr_skeleton_turn(&k);
            gr_sync(w);
        }
        if (begun && !busy && k.d.validity == GR_VALID)
            individuals[i].used = gr_min_u32(k.d.used, k.d.length);
    } while (gr_any(w, busy || next < batch.last));
}
/* The same by symbols. */
GR_CALL void gr_find_used_by_symbols(const gr_state *s, gr_batch batch, gr_scratch scratch,
                                     gr_lane_group w) {
    const gr_params *p = &s->p;
    for (uint32_t i = batch.first + w.lane; i < batch.last; i += w.width) {
        gr_individual *individual = &s->individuals[batch.generation & 1][i];
        gr_derivation d;
        if (!individual->used)
            continue;
        gr_derive_start(&d, scratch.grammar, gr_genome(s, batch.generation & 1, i),
                        individual->used, p->max_wraps, p->max_depth, scratch.path);
        gr_derive_by(&d, p->convention, p->max_wraps);
        while (gr_derive_next(&d) != GR_DERIVED)
            ;
        if (d.validity == GR_VALID)
            individual->used = gr_min_u32(d.used, d.length);
    }
}

GR_CALL void gr_mutate_genomes(const gr_state *s, gr_batch batch, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = batch.generation & 1;
    for (uint32_t from = batch.first; from < batch.last; from += w.width) {
        uint32_t i = gr_min_u32(from + w.lane, batch.last - 1),
                 count = gr_min_u32(batch.last - from, w.width);
        uint32_t range = s->individuals[buffer][i].used;
        gr_random mine = gr_stream_of_child(p, GR_PURPOSE_MUTATION, batch, i);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t codons = gr_from_lane(w, range, k);
            gr_random r = gr_stream_of_lane(w, mine, k);
            if (codons)
                gr_flip_codons(p, &r, gr_genome(s, buffer, from + k), codons, w);
        }
    }
}

/* Mutation by events; a lane a genome. */
GR_CALL void gr_mutate_by_events(const gr_state *s, gr_batch batch, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = batch.generation & 1;
    for (uint32_t i = batch.first + w.lane; i < batch.last; i += w.width) {
        uint32_t range = s->individuals[buffer][i].used;
        gr_random r = gr_stream_of_child(p, GR_PURPOSE_MUTATION, batch, i);
        if (range)
            gr_flip_events(p, &r, gr_genome(s, buffer, i), range);
    }
}

/* ---- genomes to programs ---- */

/* Begins to map individual i, behind what is kept; 0 when there is nothing to map. */
GR_FN uint32_t gr_begin_mapping(const gr_state *s, uint32_t generation, uint32_t i,
                                const gr_kept *kept, gr_scratch scratch, gr_mapping *m) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, length = s->individuals[buffer][i].length;
    const gr_individual nothing = {0};
    m->retries =
        s->individuals[buffer][i].retries; /* read now: at the end all lanes would wait for it */
    gr_derive_start(&m->d, scratch.grammar, gr_genome(s, buffer, i), length, p->max_wraps,
                    p->max_depth, scratch.path);
    gr_parser_start(&m->p, gr_nodes_from(kept->nodes, kept->count), p->max_nodes, scratch.parser,
                    gr_parse_levels(p), gr_named_inputs(p), p->packed);
    m->p.outputs = p->outputs;
    m->p.part = p->part;
    m->begins.at = NULL;
    if (gr_inherits_constants(p)) {
        m->begins.at = &GR_AT(scratch.begins, kept->count);
        m->begins.step = scratch.begins.step;
        m->begun = 0;
    }
    if (!length)
        s->individuals[buffer][i] = nothing;
    return length != 0;
}

/* What became of individual i; keeps its expression. */
GR_FN void gr_end_mapping(const gr_state *s, uint32_t generation, uint32_t i, gr_kept *kept,
                          gr_mapping *m) {
    gr_individual individual = {0};
    gr_map_end(m);
    gr_limit_derivation(&s->p, &m->d);
    individual.length = m->d.length;
    individual.used = m->d.used;
    individual.depth = m->d.depth;
    individual.derivation_nodes = m->d.nodes;
    individual.validity = m->d.validity;
    individual.retries = m->retries;
    if (m->d.validity == GR_VALID) {
        gr_node end = {GR_KEPT_END | m->p.count << 8, i};
        individual.nodes = m->p.count;
        kept->count += m->p.count;
        GR_AT(kept->nodes, kept->count++) = end;
    }
    s->individuals[generation & 1][i] = individual;
}

/* Maps genomes from *next on until there are none left or a lane's scratch is full. notes: whether
 * the codons at which leaves begin are asked for; numbers: whether steps read some. Literals. */
GR_FN void gr_map_genomes(const gr_state *s, uint32_t generation, uint32_t *next, uint32_t last,
                          gr_kept *kept, uint32_t notes, uint32_t numbers, gr_scratch scratch,
                          gr_lane_group w) {
    uint32_t i = last, busy = 0, left;
    gr_mapping m = {0};
    do {
        uint32_t fits = kept->count < GR_KEPT_NODES, begun = busy;
        uint32_t taken = gr_take(w, !busy && fits, next, last);
        if (!busy && fits && taken < last) {
            i = taken;
            busy = begun = gr_begin_mapping(s, generation, i, kept, scratch, &m);
            gr_map_start(&m);
        }
        for (uint32_t turn = 0; turn < GR_TURNS; turn++) {
            gr_noted before = gr_note(&m);
            busy = gr_map_turn(&m, busy, numbers, w);
            if (notes && m.begins.at)
                gr_note_nodes(&m, before);
        }
        if (begun && !busy)
            gr_end_mapping(s, generation, i, kept, &m);
        left = *next < last && kept->count < GR_KEPT_NODES;
    } while (gr_any(w, busy || left));
}

/* The same by tokens. */
GR_CALL void gr_map_genomes_by_tokens(const gr_state *s, uint32_t generation, uint32_t *next,
                                      uint32_t last, gr_kept *kept, gr_scratch scratch,
                                      gr_lane_group w) {
    uint32_t fits;
    do {
        fits = kept->count < GR_KEPT_NODES;
        uint32_t i = gr_take(w, fits, next, last);
        gr_mapping m;
        if (fits && i < last && gr_begin_mapping(s, generation, i, kept, scratch, &m)) {
            gr_derive_by(&m.d, s->p.convention, s->p.max_wraps);
            gr_map_tokens(&m);
            gr_end_mapping(s, generation, i, kept, &m);
        }
        fits = *next < last && kept->count < GR_KEPT_NODES;
    } while (gr_any(w, fits));
}

/* Annotates what the lanes kept; the lengths of the programs go to the individuals. */
GR_FN void gr_annotate_kept(const gr_state *s, uint32_t generation, gr_kept *kept) {
    uint32_t instructions = 0;
    gr_node node = {0, 0}, next = node, last;
    if (kept->count)
        next = GR_AT(kept->nodes, 0);
    for (uint32_t k = 0; k < kept->count; k++) {
        last = node;
        node = next;
        next = GR_AT(kept->nodes, gr_min_u32(k + 1, kept->count - 1)); /* a turn ahead */
        uint32_t op = GR_NODE_OP(node);
        if (op == GR_KEPT_END)
            s->individuals[generation & 1][node.operand].instructions = instructions;
        else if (op > GR_INPUT) {
            node = gr_function_over(kept->nodes, k, op, last);
            GR_AT(kept->nodes, k) = node;
        }
        instructions = gr_instructions(node);
    }
}

/* Compiles what the lanes kept, the last first. A lane that takes the nodes from the root down,
 * which is their order from behind, knows a node's location when its turn comes. */
GR_FN void gr_compile_kept(const gr_state *s, gr_kept *kept, gr_words locations) {
    uint32_t at = 0, top = kept->count;
    gr_instruction *program = NULL;
    gr_nodes nodes = kept->nodes;
    gr_node next = {0, 0}; /* the node at `at` - 1: read a turn ahead */
    while (at || top) {
        if (!at) { /* the next expression */
            gr_node end = GR_AT(kept->nodes, top - 1);
            at = end.head >> 8;
            top -= at + 1;
            nodes = gr_nodes_from(kept->nodes, top);
            program = gr_program(s, end.operand);
            next = GR_AT(nodes, at - 1);
            GR_AT(locations, at - 1) = gr_instructions(next) - 1;
        }
        uint32_t location = GR_AT(locations, --at);
        gr_node node = next;
        next = GR_AT(nodes, gr_before(at, 1));
        if (location & GR_LOCATION_INLINE)
            continue;
        gr_coded c = gr_code_node(nodes, node, next, at, gr_op_facts(GR_NODE_OP(node)));
        gr_code_more(&c, nodes, at);
        program[GR_LOCATION_POSITION(location)] =
            gr_at_stack_level(c.instruction, GR_LOCATION_LEVEL(location));
        if (c.arity > 0)
            GR_AT(locations, at - 1) = location + c.last;
        if (c.arity > 1)
            GR_AT(locations, c.other_at) = location + c.other;
        if (c.arity > 2)
            GR_AT(locations, c.other_at - c.other_size) = location + c.first;
    }
    kept->count = 0;
}

/* The same by all lanes, of the one expression that the first has kept, in scratch that they have
 * together. differences: a word more than it may have nodes. */
GR_FN void gr_compile_single(const gr_state *s, gr_kept *kept, gr_words differences,
                             gr_lane_group w) {
    uint32_t count = gr_from_lane(w, kept->count, 0);
    gr_sync(w);
    if (count) {
        gr_node end = GR_AT(kept->nodes, count - 1);
        gr_compile(kept->nodes, count - 1, differences, gr_program(s, end.operand), w);
    }
    kept->count = 0;
}

#endif
