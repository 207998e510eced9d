/* Breeding of genotypes that are not read depth first (straight.h): what differs from breed.h.
 * Every lane has room for a straightened genome (gr_straight_room). */
#ifndef GR_BREED_INDIRECT_H
#define GR_BREED_INDIRECT_H

#include "breed.h"
#include "straight.h"

/* ---- the first generation ---- */

/* Genes of all lists, by position. */
GR_FN void gr_random_genes(const gr_params *p, const uint32_t *g, const gr_random *r,
                           uint32_t *genome) {
    uint32_t rules = gr_grammar_word(g, GR_G_RULES);
    genome[0] = 0; /* of a grammar without any choice */
    for (uint32_t rule = 0, gene = 0; rule < rules; rule++)
        for (; gene < gr_list_first(g, rule + 1); gene++) {
            gr_block block = gr_draw_block(r, 1 + gene / 4);
            genome[gene] = gr_scale(block.word[gene % 4], gr_alternatives(g, rule, p->codon_size));
        }
}

/* The genome of individual `slot` but for its tail: what its derivation tree takes, 0 for a uniform
 * genome; of lists all genes. */
GR_FN uint32_t gr_initial_genes(const gr_params *p, const uint32_t *g, uint32_t deme, uint32_t slot,
                                uint32_t *genome, gr_words path, uint32_t *room) {
    uint32_t lists = p->convention & GR_LISTS, most = gr_grammar_word(g, GR_G_EXPANSIONS);
    uint32_t *straight = lists ? room : room + (GR_PIGE_WORDS - 1) * (size_t)most;
    gr_form form = {0, lists ? most : gr_min_u32(most, p->genome_capacity / 2)};
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, 0, deme, slot | 0x40000000u);
    uint32_t n = gr_grows_anywhere(p) ? gr_pi_codons(p, form, g, deme, slot, straight)
                                      : gr_initial_codons(p, form, g, deme, slot, straight, path);
    if (!lists)
        return n ? gr_pige_encode(p, g, &r, straight, n, genome, room, most) : 0;
    gr_random_genes(p, g, &r, genome);
    if (n)
        gr_lists_encode(p, g, straight, n, genome, room + most, path);
    return p->genome_capacity;
}

GR_CALL void gr_initial_indirect(const gr_state *s, uint32_t first, uint32_t last,
                                 gr_scratch scratch, uint32_t *room, gr_worker w) {
    const gr_params *p = &s->p;
    for (uint32_t from = first; from < last; from += w.width) {
        uint32_t used = 0, i = from + w.lane, count = gr_min_u32(last - from, w.width);
        if (i < last)
            used = gr_initial_genes(p, scratch.grammar, i / p->population, i % p->population,
                                    gr_genome(s, 0, i), scratch.path, room);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t length =
                gr_initial_tail(p, (from + k) / p->population, (from + k) % p->population,
                                gr_genome(s, 0, from + k), gr_from_lane(w, used, k), w);
            if (w.lane == 0)
                s->individuals[0][from + k].length = length;
        }
    }
}

/* ---- variation of lists ---- */

/* Whether a pair of children exchanges the lists of a rule: one draw for both. */
GR_FN uint32_t gr_exchanges_list(const gr_random *pair, uint32_t rule) {
    gr_block block = gr_draw_block(pair, 0x80000000u | rule / 128);
    return block.word[rule / 32 % 4] >> rule % 32 & 1u;
}

/* Crossover by a mask of the non-terminals, on copies of one parent each: every list comes from one
 * of the parents, each as likely, and goes to the other child from the other. */
GR_CALL void gr_mix_lists(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                          const uint32_t *g, gr_worker w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, rules = gr_grammar_word(g, GR_G_RULES);
    for (uint32_t i = first; i < last; i++) {
        gr_plan plan = s->plans[i];
        uint32_t deme = i / p->population, slot = i % p->population;
        if (!s->demes[deme].active || plan.a == plan.b)
            continue;
        gr_random pair = gr_stream(p, GR_PURPOSE_CROSSOVER, generation, deme, slot / 2);
        const uint32_t *other = gr_genome(s, buffer ^ 1, plan.b);
        uint32_t *child = gr_genome(s, buffer, i);
        for (uint32_t rule = 0; rule < rules; rule++) {
            uint32_t end = gr_list_first(g, rule + 1), gene = gr_list_first(g, rule);
            if (gene == end || !gr_exchanges_list(&pair, rule))
                continue;
            for (gene += w.lane; gene < end; gene += w.width)
                child[gene] = other[gene];
        }
    }
}

/* Another value than the one that is there; of a single one the same. */
GR_FN uint32_t gr_other_gene(uint32_t gene, uint32_t alternatives, uint32_t word) {
    return alternatives < 2 ? gene : (gene + 1 + gr_scale(word, alternatives - 1)) % alternatives;
}

/* How many genes of each list mutation may change, in room; the sum. */
GR_FN uint32_t gr_open_genes(const gr_params *p, const uint32_t *g, const uint32_t *genome,
                             gr_words path, uint32_t *room, uint32_t **open) {
    gr_derivation d;
    uint32_t *straight, sum = 0, rules = gr_grammar_word(g, GR_G_RULES);
    gr_derive_start(&d, g, genome, p->genome_capacity, p->max_wraps, p->max_depth, path);
    gr_derive_by(&d, p->convention, p->max_wraps);
    if (p->mutation_within_used)
        gr_straighten(&d, room, &straight);
    *open = room + gr_grammar_word(g, GR_G_EXPANSIONS);
    for (uint32_t r = 0; r < rules; r++) {
        uint32_t count = gr_list_first(g, r + 1) - gr_list_first(g, r);
        if (!p->mutation_within_used || d.validity != GR_VALID || (*open)[r] > count)
            (*open)[r] = count;
        sum += (*open)[r];
    }
    return sum;
}

/* Mutation of a child: every open gene with the run's probability, or as many events as it says. */
GR_FN void gr_mutate_genes(const gr_params *p, const uint32_t *g, const gr_random *r,
                           uint32_t *genome, const uint32_t *open, uint32_t sum) {
    uint32_t rules = gr_grammar_word(g, GR_G_RULES), events = p->mutation_events;
    float probability = p->codon_mutation < 0.0f ? gr_div(1.0f, (float)sum) : p->codon_mutation;
    for (uint32_t rule = 0; rule < rules && !events; rule++) {
        uint32_t first = gr_list_first(g, rule), n = gr_alternatives(g, rule, p->codon_size);
        for (uint32_t gene = first; gene < first + open[rule]; gene++) {
            gr_block block = gr_draw_block(r, gene / 2);
            if (gr_unit(block.word[gene % 2 * 2]) < probability)
                genome[gene] = gr_other_gene(genome[gene], n, block.word[gene % 2 * 2 + 1]);
        }
    }
    for (uint32_t e = 0; e < events; e++) {
        gr_block block = gr_draw_block(r, e);
        uint32_t place = gr_scale(block.word[0], sum), rule = 0;
        for (; place >= open[rule]; rule++)
            place -= open[rule];
        uint32_t *gene = &genome[gr_list_first(g, rule) + place];
        *gene = gr_other_gene(*gene, gr_alternatives(g, rule, p->codon_size), block.word[1]);
    }
}

GR_CALL void gr_mutate_lists(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                             gr_scratch scratch, uint32_t *room, gr_worker w) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, *open;
    for (uint32_t i = first + w.lane; i < last; i += w.width) {
        uint32_t *genome = gr_genome(s, buffer, i);
        gr_random r =
            gr_stream(p, GR_PURPOSE_MUTATION, generation, i / p->population, i % p->population);
        if (!s->individuals[buffer][i].used) /* an elite, or none */
            continue;
        uint32_t sum = gr_open_genes(p, scratch.grammar, genome, scratch.path, room, &open);
        if (sum)
            gr_mutate_genes(p, scratch.grammar, &r, genome, open, sum);
    }
}

/* ---- variation of pairs of codons ---- */

/* As gr_find_used. */
GR_CALL void gr_find_used_pairs(const gr_state *s, uint32_t generation, uint32_t first,
                                uint32_t last, gr_scratch scratch, uint32_t *room, gr_worker w) {
    const gr_params *p = &s->p;
    for (uint32_t i = first + w.lane; i < last; i += w.width) {
        gr_individual *individual = &s->individuals[generation & 1][i];
        gr_derivation d;
        uint32_t *straight;
        if (!individual->used)
            continue;
        gr_derive_start(&d, scratch.grammar, gr_genome(s, generation & 1, i), individual->used,
                        p->max_wraps, p->max_depth, scratch.path);
        gr_derive_by(&d, p->convention, p->max_wraps);
        gr_straighten(&d, room, &straight);
        if (d.validity == GR_VALID)
            individual->used = gr_min_u32(d.used, d.length);
    }
}

/* ---- all of it ---- */

/* Crossover and mutation of a generation after the first. */
GR_FN void gr_vary_indirect(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                            gr_scratch scratch, uint32_t *room, gr_worker w) {
    const gr_params *p = &s->p;
    uint32_t lists = p->convention & GR_LISTS;
    gr_cross_genomes(s, generation, first, last, w);
    gr_sync(w);
    if (lists) {
        if (p->crossover == GR_CROSSOVER_LISTS)
            gr_mix_lists(s, generation, first, last, scratch.grammar, w);
        gr_sync(w);
        gr_mutate_lists(s, generation, first, last, scratch, room, w);
        return;
    }
    if (gr_changes_runs(p)) {
        gr_change_genomes(s, generation, first, last, w);
        gr_sync(w);
    }
    if (p->mutation_within_used)
        gr_find_used_pairs(s, generation, first, last, scratch, room, w);
    gr_sync(w);
    if (p->mutation_events)
        gr_mutate_by_events(s, generation, first, last, w);
    else
        gr_mutate_genomes(s, generation, first, last, w);
}

/* Maps individual i by its straightened genome, and keeps its expression. */
GR_FN void gr_map_indirect(const gr_state *s, uint32_t generation, uint32_t i, gr_kept *kept,
                           gr_scratch scratch, uint32_t *room) {
    const gr_params *p = &s->p;
    gr_individual *individual = &s->individuals[generation & 1][i];
    gr_mapping m = {0};
    uint32_t *straight;
    if (!gr_begin_mapping(s, generation, i, kept, scratch, &m))
        return;
    gr_derive_by(&m.d, p->convention, p->max_wraps);
    uint32_t n = gr_straighten(&m.d, room, &straight), length = m.d.length, used = m.d.used;
    if (m.d.validity == GR_VALID) {
        gr_derive_straight(&m.d, straight, n);
        gr_map_sentence(&m);
    }
    gr_end_mapping(s, generation, i, kept, &m);
    individual->length = length;
    individual->used = used;
}

/* gr_breed_genomes for these genotypes; room is of the lane. */
GR_FN void gr_breed_indirect(const gr_state *s, uint32_t generation, uint32_t first, uint32_t last,
                             gr_scratch scratch, uint32_t *room, gr_worker w) {
    gr_kept kept = {scratch.nodes, 0};
    uint32_t next = first, fits;
    if (generation == 0)
        gr_initial_indirect(s, first, last, scratch, room, w);
    else
        gr_vary_indirect(s, generation, first, last, scratch, room, w);
    gr_sync(w);
    while (next < last) {
        do {
            fits = kept.count < GR_KEPT_NODES;
            uint32_t i = gr_take(w, fits, &next, last);
            if (fits && i < last)
                gr_map_indirect(s, generation, i, &kept, scratch, room);
            fits = next < last && kept.count < GR_KEPT_NODES;
        } while (gr_any(w, fits));
        gr_annotate_kept(s, generation, &kept);
        gr_compile_kept(s, &kept, scratch.places);
    }
}

/* Room of one worker. */
GR_FN uint32_t *gr_straight_room(const gr_state *s, uint32_t worker) {
    const uint32_t *g = gr_grammar_at(s->grammar);
    return s->straight + (size_t)worker * gr_straight_words(g, s->p.convention);
}

#endif
