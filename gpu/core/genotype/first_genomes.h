/* Genomes of the first generation as the run has them: given, or the draw that counts. */
#ifndef GR_FIRST_GENOMES_H
#define GR_FIRST_GENOMES_H

#include "gpu/core/genotype/depth_first.h"
#include "gpu/core/genotype/pi_grow.h"

/* Which draw of individual i is its first genotype: the number of draws before it that were taken
 * already or invalid. */
GR_FN uint32_t gr_attempt(const gr_state *s, uint32_t i) {
    return s->attempts ? s->attempts[i] : 0;
}

/* The codons of a given individual; how many. */
GR_FN uint32_t gr_seed_codons(const gr_state *s, uint32_t index, uint32_t *genome) {
    gr_seed_range seed = gr_seed_of(s, index);
    uint32_t first = seed.first, count = seed.count;
    for (uint32_t k = 0; k < count; k++)
        genome[k] = s->seeds[first + k].head;
    return count;
}

/* Codons of a derivation that was drawn, in the order of its mapping; 0 for a uniform genome. */
GR_FN uint32_t gr_drawn_codons(const gr_params *p, gr_form form, uint32_t deme, uint32_t index,
                               uint32_t attempt, uint32_t *genome, gr_words path) {
    return gr_grows_anywhere(p) ? gr_pi_grow_codons(p, form, deme, index, attempt, genome, path)
                                : gr_initial_codons(p, form, deme, index, attempt, genome, path);
}

/* The codons of individual i's derivation, in its genome: given ones, or drawn by one lane; how
 * many, 0 for a uniform genome. */
GR_FN uint32_t gr_first_codons(const gr_state *s, uint32_t i, gr_scratch scratch) {
    const gr_params *p = &s->p;
    uint32_t deme = i / p->population, index = i % p->population, *genome = gr_genome(s, 0, i);
    return gr_is_given(p, index) ? gr_seed_codons(s, index, genome)
                                 : gr_drawn_codons(p, gr_genome_form(p, scratch.grammar), deme,
                                                   index, gr_attempt(s, i), genome, scratch.path);
}

/* Random codons behind them; the genome's length. Given genomes stay as they are. */
GR_FN uint32_t gr_first_tail(const gr_state *s, uint32_t i, uint32_t used, gr_lane_group w) {
    uint32_t deme = i / s->p.population, index = i % s->p.population;
    if (gr_is_given(&s->p, index))
        return used;
    return gr_initial_tail(&s->p, deme, index, gr_attempt(s, i), gr_genome(s, 0, i), used, w);
}

/* ---- genotypes that are not read depth first ---- */

/* Scratch of one lane group for the depth-first codons of a genome. */
GR_FN uint32_t *gr_depth_first_scratch(const gr_state *s, uint32_t group) {
    const uint32_t *g = gr_grammar_at(s->grammar);
    return s->depth_first + (size_t)group * gr_depth_first_words(g, s->p.convention);
}

/* The genes of every list behind the first taken[rule]: drawn by position, or none yet (r NULL). */
GR_FN void gr_fill_lists(const gr_params *p, const uint32_t *g, const gr_random *r,
                         const uint32_t *taken, uint32_t *genome) {
    uint32_t rules = gr_grammar_word(g, GR_G_RULES);
    if (!gr_list_first(g, rules))
        genome[0] = 0; /* a grammar without any choice */
    for (uint32_t rule = 0; rule < rules; rule++)
        for (uint32_t gene = gr_list_first(g, rule) + taken[rule];
             gene < gr_list_first(g, rule + 1); gene++) {
            genome[gene] = GR_NO_GENE;
            if (r) {
                gr_block block = gr_draw_block(r, 1 + gene / 4);
                genome[gene] =
                    gr_scale(block.word[gene % 4], gr_alternatives(g, rule, p->codon_size));
            }
        }
}

/* What a drawn genome holds but for its tail: what its derivation tree takes, 0 for a uniform one;
 * of lists all genes. codon_scratch: as for gr_to_depth_first. */
GR_FN uint32_t gr_initial_genes(const gr_params *p, gr_scratch scratch, uint32_t deme,
                                uint32_t index, uint32_t attempt, uint32_t *genome,
                                uint32_t *codon_scratch) {
    const uint32_t *g = scratch.grammar;
    uint32_t lists = p->convention & GR_LISTS, most = gr_grammar_word(g, GR_G_EXPANSIONS);
    uint32_t *depth_first =
        lists ? codon_scratch : codon_scratch + (GR_PI_WORDS - 1) * (size_t)most;
    gr_form form = {g, 0, lists ? most : gr_min_u32(most, p->genome_capacity / 2)};
    gr_random r = gr_stream(p, GR_PURPOSE_INIT_GENES, attempt, deme, index);
    uint32_t n = gr_drawn_codons(p, form, deme, index, attempt, depth_first, scratch.path);
    if (!lists)
        return n ? gr_pi_encode(p, g, &r, depth_first, n, genome, gr_pi_start(codon_scratch, most))
                 : 0;
    gr_lists_encode(p, g, depth_first, n, genome, codon_scratch + most, scratch.path);
    gr_fill_lists(p, g, n ? 0 : &r, codon_scratch + most, genome);
    return p->genome_capacity;
}

/* gr_first_codons for these genotypes: genes that a given one leaves open are random. */
GR_FN uint32_t gr_first_genes(const gr_state *s, uint32_t i, gr_scratch scratch,
                              uint32_t *codon_scratch) {
    const gr_params *p = &s->p;
    const uint32_t *g = scratch.grammar;
    uint32_t deme = i / p->population, index = i % p->population, *genome = gr_genome(s, 0, i);
    uint32_t attempt = gr_attempt(s, i), *depth_first;
    if (!gr_is_given(p, index))
        return gr_initial_genes(p, scratch, deme, index, attempt, genome, codon_scratch);
    uint32_t used = gr_seed_codons(s, index, genome);
    if (p->convention & GR_LISTS) {
        gr_derivation d;
        gr_derive_start(&d, g, genome, used, 0, p->max_depth, scratch.path);
        gr_derive_by(&d, p->convention, 0);
        gr_to_depth_first(&d, codon_scratch, 0, &depth_first);
        gr_fill_lists(p, g, 0, codon_scratch + gr_grammar_word(g, GR_G_EXPANSIONS), genome);
    }
    return used;
}

#endif
