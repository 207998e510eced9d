/* Genomes of the first generation as the run has them: given, or the draw that counts. */
#ifndef GR_FIRST_GENOMES_H
#define GR_FIRST_GENOMES_H

#include "gpu/core/genotype/pi_grow.h"
#include "gpu/core/genotype/straight.h"

/* The draw of individual i that counts. */
GR_FN uint32_t gr_attempt(const gr_state *s, uint32_t i) {
    return s->attempts ? s->attempts[i] : 0;
}

/* The codons of a given individual; how many. */
GR_FN uint32_t gr_seed_codons(const gr_state *s, uint32_t slot, uint32_t *genome) {
    uint32_t first = s->seed_first[slot], count = s->seed_first[slot + 1] - first;
    for (uint32_t k = 0; k < count; k++)
        genome[k] = s->seeds[first + k].head;
    return count;
}

/* Codons of a derivation that was drawn, in the order of its mapping; 0 for a uniform genome. */
GR_FN uint32_t gr_drawn_codons(const gr_params *p, gr_form form, const uint32_t *g, uint32_t deme,
                               uint32_t slot, uint32_t attempt, uint32_t *genome, gr_words path) {
    return gr_grows_anywhere(p) ? gr_pi_codons(p, form, g, deme, slot, attempt, genome)
                                : gr_initial_codons(p, form, g, deme, slot, attempt, genome, path);
}

/* The codons of individual i's derivation, in its genome: given ones, or drawn by one lane; how
 * many, 0 for a uniform genome. */
GR_FN uint32_t gr_first_codons(const gr_state *s, uint32_t i, gr_scratch scratch) {
    const gr_params *p = &s->p;
    uint32_t deme = i / p->population, slot = i % p->population, *genome = gr_genome(s, 0, i);
    return slot < p->seeds ? gr_seed_codons(s, slot, genome)
                           : gr_drawn_codons(p, gr_genome_form(p), scratch.grammar, deme, slot,
                                             gr_attempt(s, i), genome, scratch.path);
}

/* Random codons behind them; the genome's length. */
GR_FN uint32_t gr_first_tail(const gr_state *s, uint32_t i, uint32_t used, gr_worker w) {
    uint32_t deme = i / s->p.population, slot = i % s->p.population;
    return gr_initial_tail(&s->p, deme, slot, gr_attempt(s, i), gr_genome(s, 0, i), used, w);
}

/* ---- genotypes that are not read depth first ---- */

/* Room of one worker to straighten genomes in. */
GR_FN uint32_t *gr_straight_room(const gr_state *s, uint32_t worker) {
    const uint32_t *g = gr_grammar_at(s->grammar);
    return s->straight + (size_t)worker * gr_straight_words(g, s->p.convention);
}

/* Random genes of every list behind the first taken[rule], drawn by position. */
GR_FN void gr_random_genes(const gr_params *p, const uint32_t *g, const gr_random *r,
                           const uint32_t *taken, uint32_t *genome) {
    uint32_t rules = gr_grammar_word(g, GR_G_RULES);
    if (!gr_list_first(g, rules))
        genome[0] = 0; /* a grammar without any choice */
    for (uint32_t rule = 0; rule < rules; rule++)
        for (uint32_t gene = gr_list_first(g, rule) + taken[rule];
             gene < gr_list_first(g, rule + 1); gene++) {
            gr_block block = gr_draw_block(r, 1 + gene / 4);
            genome[gene] = gr_scale(block.word[gene % 4], gr_alternatives(g, rule, p->codon_size));
        }
}

/* What a drawn genome holds but for its tail: what its derivation tree takes, 0 for a uniform one;
 * of lists all genes. path: as for a derivation; room: as for straightening. */
GR_FN uint32_t gr_initial_genes(const gr_params *p, const uint32_t *g, uint32_t deme, uint32_t slot,
                                uint32_t attempt, uint32_t *genome, gr_words path, uint32_t *room) {
    uint32_t lists = p->convention & GR_LISTS, most = gr_grammar_word(g, GR_G_EXPANSIONS);
    uint32_t *straight = lists ? room : room + (GR_PIGE_WORDS - 1) * (size_t)most;
    gr_form form = {0, lists ? most : gr_min_u32(most, p->genome_capacity / 2)};
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, attempt, deme, slot | 0x40000000u);
    uint32_t n = gr_drawn_codons(p, form, g, deme, slot, attempt, straight, path);
    if (!lists)
        return n ? gr_pige_encode(p, g, &r, straight, n, genome, room, most) : 0;
    gr_lists_encode(p, g, straight, n, genome, room + most, path);
    gr_random_genes(p, g, &r, room + most, genome);
    return p->genome_capacity;
}

/* gr_first_codons for these genotypes: genes that a given one leaves open are random. */
GR_FN uint32_t gr_first_genes(const gr_state *s, uint32_t i, gr_scratch scratch, uint32_t *room) {
    const gr_params *p = &s->p;
    const uint32_t *g = scratch.grammar;
    uint32_t deme = i / p->population, slot = i % p->population, *genome = gr_genome(s, 0, i);
    uint32_t attempt = gr_attempt(s, i), *straight;
    if (slot >= p->seeds)
        return gr_initial_genes(p, g, deme, slot, attempt, genome, scratch.path, room);
    uint32_t used = gr_seed_codons(s, slot, genome);
    if (p->convention & GR_LISTS) {
        gr_random r = gr_stream(p, GR_PURPOSE_INIT, attempt, deme, slot | 0x40000000u);
        gr_derivation d;
        gr_derive_start(&d, g, genome, used, 0, p->max_depth, scratch.path);
        gr_derive_by(&d, p->convention, 0);
        gr_straighten(&d, room, &straight);
        gr_random_genes(p, g, &r, room + gr_grammar_word(g, GR_G_EXPANSIONS), genome);
    }
    return used;
}

#endif
