/* Breeding of genotypes that are not read depth first (depth_first.h): what differs from
 * breed_genomes.h. Every lane has scratch for a genome's depth-first codons
 * (gr_depth_first_scratch). */
#ifndef GR_BREED_NON_DEPTH_FIRST_H
#define GR_BREED_NON_DEPTH_FIRST_H

#include "gpu/core/breeding/breed_genomes.h"

GR_CALL void gr_initial_non_depth_first(const gr_state *s, uint32_t first, uint32_t last,
                                        gr_scratch scratch, uint32_t *codon_scratch,
                                        gr_lane_group w) {
    for (uint32_t from = first; from < last; from += w.width) {
        uint32_t i = from + w.lane;
        uint32_t used = i < last ? gr_first_genes(s, i, scratch, codon_scratch) : 0;
        gr_first_tails(s, from, gr_min_u32(last - from, w.width), used, w);
    }
}

/* ---- variation of lists ---- */

/* Whether a pair of children exchanges the lists of a rule: one draw for both. */
GR_FN uint32_t gr_exchanges_list(const gr_random *pair, uint32_t rule) {
    gr_block block = gr_draw_block(pair, rule / 128);
    return block.word[rule / 32 % 4] >> rule % 32 & 1u;
}

/* Crossover by a mask of the non-terminals: every list comes from one of the parents, each as
 * likely, and goes to the other child from the other. The genomes hold what it exchanged whole. */
GR_CALL void gr_mix_lists(const gr_state *s, gr_batch batch, const uint32_t *g, gr_lane_group w) {
    uint32_t buffer = batch.generation & 1, rules = gr_grammar_word(g, GR_G_RULES);
    gr_random pair;
    for (uint32_t i = batch.first; i < batch.last; i++) {
        if (!gr_mixing_stream(s, batch.generation, batch.attempt, i, &pair))
            continue;
        const uint32_t *a = gr_genome(s, buffer ^ 1, s->plans[i].a);
        uint32_t *child = gr_genome(s, buffer, i);
        for (uint32_t rule = 0; rule < rules; rule++) {
            uint32_t end = gr_list_first(g, rule + 1), gene = gr_list_first(g, rule);
            if (gene == end || gr_exchanges_list(&pair, rule))
                continue;
            for (gene += w.lane; gene < end; gene += w.width)
                child[gene] = a[gene];
        }
    }
}

/* Another value than the one that is there; of a single one, or none, the same. */
GR_FN uint32_t gr_other_gene(uint32_t gene, uint32_t alternatives, uint32_t word) {
    return alternatives < 2 || gene == GR_NO_GENE
               ? gene
               : (gene + 1 + gr_scale(word, alternatives - 1)) % alternatives;
}

/* The draws for genes that child i of a batch is the first to need. */
GR_FN gr_gene_draws gr_draws_of_child(const gr_state *s, gr_batch batch, uint32_t i) {
    gr_gene_draws draws = {gr_stream_of_child(&s->p, GR_PURPOSE_MUTATION_GENES, batch, i),
                           gr_genome(s, batch.generation & 1, i), s->p.codon_size};
    return draws;
}

/* How many genes of each list mutation may change, in codon_scratch; the sum. Draws those that the
 * derivation lacks. */
GR_FN uint32_t gr_open_genes(const gr_params *p, const uint32_t *g, const gr_gene_draws *draws,
                             gr_words path, uint32_t *codon_scratch, uint32_t **open) {
    gr_derivation d;
    uint32_t *depth_first, sum = 0, rules = gr_grammar_word(g, GR_G_RULES);
    gr_derive_start(&d, g, draws->genome, p->genome_capacity, p->max_wraps, p->max_depth, path);
    gr_derive_by(&d, p->convention, p->max_wraps);
    if (p->mutation_within_used)
        gr_to_depth_first(&d, codon_scratch, draws, &depth_first);
    *open = codon_scratch + gr_grammar_word(g, GR_G_EXPANSIONS);
    for (uint32_t r = 0; r < rules; r++) {
        uint32_t count = gr_list_first(g, r + 1) - gr_list_first(g, r);
        if (!p->mutation_within_used || d.validity != GR_VALID || (*open)[r] > count)
            (*open)[r] = count;
        sum += (*open)[r];
    }
    return sum;
}

/* Draws every open gene again with the run's probability. */
GR_FN void gr_flip_genes(const gr_params *p, const uint32_t *g, const gr_random *r,
                         uint32_t *genome, const uint32_t *open, uint32_t sum) {
    uint32_t rules = gr_grammar_word(g, GR_G_RULES);
    float probability = p->codon_mutation < 0.0f ? gr_div(1.0f, (float)sum) : p->codon_mutation;
    for (uint32_t rule = 0; rule < rules; rule++) {
        uint32_t first = gr_list_first(g, rule), n = gr_alternatives(g, rule, p->codon_size);
        for (uint32_t gene = first; gene < first + open[rule]; gene++) {
            gr_block block = gr_draw_block(r, gene / 2);
            if (gr_unit(block.word[gene % 2 * 2]) < probability)
                genome[gene] = gr_other_gene(genome[gene], n, block.word[gene % 2 * 2 + 1]);
        }
    }
}

/* Draws as many open genes again as the run says. */
GR_FN void gr_flip_gene_events(const gr_params *p, const uint32_t *g, const gr_random *r,
                               uint32_t *genome, const uint32_t *open, uint32_t sum) {
    for (uint32_t e = 0; e < p->mutation_events; e++) {
        gr_block block = gr_draw_block(r, e);
        uint32_t position = gr_scale(block.word[0], sum), rule = 0;
        for (; position >= open[rule]; rule++)
            position -= open[rule];
        uint32_t *gene = &genome[gr_list_first(g, rule) + position];
        *gene = gr_other_gene(*gene, gr_alternatives(g, rule, p->codon_size), block.word[1]);
    }
}

/* Mutation of a child. */
GR_FN void gr_mutate_genes(const gr_params *p, const uint32_t *g, const gr_random *r,
                           uint32_t *genome, const uint32_t *open, uint32_t sum) {
#define GR_GENE_MUTATION(id, word, field, genotypes, mapping, part, asked, step, genes, help)      \
    if (asked)                                                                                     \
        genes;
#include "gpu/core/base/genome_mutations.def"
}

GR_CALL void gr_mutate_lists(const gr_state *s, gr_batch batch, gr_scratch scratch,
                             uint32_t *codon_scratch, gr_lane_group w) {
    const gr_params *p = &s->p;
    uint32_t buffer = batch.generation & 1, *open;
    for (uint32_t i = batch.first + w.lane; i < batch.last; i += w.width) {
        uint32_t *genome = gr_genome(s, buffer, i);
        gr_random r = gr_stream_of_child(p, GR_PURPOSE_MUTATION, batch, i);
        if (!s->individuals[buffer][i].used) /* an elite, or none */
            continue;
        gr_gene_draws draws = gr_draws_of_child(s, batch, i);
        uint32_t sum =
            gr_open_genes(p, scratch.grammar, &draws, scratch.path, codon_scratch, &open);
        if (sum)
            gr_mutate_genes(p, scratch.grammar, &r, genome, open, sum);
    }
}

/* Crossover of lists, if it is that, and mutation. */
GR_FN void gr_cross_and_mutate_lists(const gr_state *s, gr_batch batch, gr_scratch scratch,
                                     uint32_t *codon_scratch, gr_lane_group w) {
    if (s->p.crossover == GR_CROSSOVER_LISTS) {
        gr_mix_lists(s, batch, scratch.grammar, w);
        gr_sync(w);
    }
    gr_mutate_lists(s, batch, scratch, codon_scratch, w);
}

/* ---- variation of pairs of codons ---- */

/* As gr_find_used. */
GR_CALL void gr_find_used_pairs(const gr_state *s, gr_batch batch, gr_scratch scratch,
                                uint32_t *codon_scratch, gr_lane_group w) {
    const gr_params *p = &s->p;
    for (uint32_t i = batch.first + w.lane; i < batch.last; i += w.width) {
        gr_individual *individual = &s->individuals[batch.generation & 1][i];
        gr_derivation d;
        uint32_t *depth_first;
        if (!individual->used)
            continue;
        gr_derive_start(&d, scratch.grammar, gr_genome(s, batch.generation & 1, i),
                        individual->used, p->max_wraps, p->max_depth, scratch.path);
        gr_derive_by(&d, p->convention, p->max_wraps);
        gr_to_depth_first(&d, codon_scratch, 0, &depth_first);
        if (d.validity == GR_VALID)
            individual->used = gr_min_u32(d.used, d.length);
    }
}

/* ---- genomes to programs ---- */

/* As gr_map_genomes. */
GR_CALL void gr_map_non_depth_first(const gr_state *s, gr_batch batch, uint32_t *next,
                                    gr_kept *kept, gr_scratch scratch, uint32_t *codon_scratch,
                                    gr_lane_group w) {
    uint32_t fits, generation = batch.generation, last = batch.last;
    do {
        fits = kept->count < GR_KEPT_NODES;
        uint32_t i = gr_take(w, fits, next, last);
        gr_mapping m = {0};
        if (fits && i < last && gr_begin_mapping(s, generation, i, kept, scratch, &m)) {
            gr_gene_draws draws = gr_draws_of_child(s, batch, i);
            gr_map_by_depth_first(&m, &s->p, codon_scratch, &draws);
            gr_end_mapping(s, generation, i, kept, &m);
        }
        fits = *next < last && kept->count < GR_KEPT_NODES;
    } while (gr_any(w, fits));
}

#endif
