/* How different the individuals of a run are: different genotypes, phenotypes and fitness values,
 * counted by their hashes of 64 bits in tables; the entropy of the fitness; children whose genotype
 * is that of a parent. Only in runs that ask for it, behind the evaluation of a generation, while
 * its parents and plans are still there.
 *
 * A run has a table for each of the three, of twice as many entries as individuals; 0 is an empty
 * one. Who enters a key first depends on the order of work, how many different keys are entered
 * does not. What would not add up to the same in any order is summed in whole numbers. */
#ifndef GR_DIVERSITY_H
#define GR_DIVERSITY_H

#include "gpu/core/base/keys.h"
#include "gpu/core/fitness/cost.h"
#include "gpu/core/genotype/depth_first.h"

/* Entries of a table of a run; a power of two. */
GR_BOTH uint32_t gr_diversity_entries(const gr_params *p) {
    uint32_t entries = 64;
    while (p->diversity && entries < 2 * p->islands * p->population)
        entries *= 2;
    return p->diversity ? entries : 0;
}

/* Entries of the table of all phenotypes that a run has had: what 2^25 of all runs allow, at most
 * 256 an individual. It is entered while it is half full at most; 0: there is not even room for
 * that, and for another generation. */
GR_BOTH uint32_t gr_seen_entries(const gr_params *p) {
    uint64_t n = (uint64_t)p->islands * p->population, entries = 64;
    while (entries < 256 * n && 2 * entries * p->runs <= 1u << 25)
        entries *= 2;
    return p->diversity && entries >= 4 * n ? (uint32_t)entries : 0;
}
/* Whether `ever` counts all of them. */
GR_BOTH uint32_t gr_counts_ever(const gr_params *p, const gr_diversity *d) {
    return d->ever_before < gr_seen_entries(p) / 2;
}

/* ---- hashes ---- */

/* A tree is the operations and leaves of its postfix order. */
GR_FN uint64_t gr_genotype_key(const gr_state *s, uint32_t buffer, uint32_t i) {
    uint32_t length = s->individuals[buffer][i].length;
    uint64_t hash = length;
    if (s->p.genotype == GR_TREE) {
        gr_nodes nodes = gr_tree(s, buffer, i);
        for (uint32_t k = 0; k < length; k++) {
            gr_node node = GR_AT(nodes, k);
            uint32_t op = GR_NODE_OP(node), leaf = op <= GR_INPUT;
            hash = gr_mixed(hash, (uint64_t)op << 32 | (leaf ? node.operand : 0));
        }
    } else {
        const uint32_t *genome = gr_genome(s, buffer, i);
        for (uint32_t k = 0; k < length; k++)
            hash = gr_mixed(hash, genome[k]);
    }
    return gr_key_of_hash(hash);
}

/* The text of a sentence as a number in base GR_TEXT_BASE modulo 2^61 - 1, whatever terminals it
 * came in: that of two texts in a row follows from both and the power of the second's length. */
typedef struct gr_text_hash {
    uint64_t hash, power;
} gr_text_hash;
#define GR_TEXT_BASE 0x0f3b1c9d5e7a2461ull

GR_BOTH uint64_t gr_text_modulo(uint64_t high, uint64_t low) {
    const uint64_t modulus = 0x1fffffffffffffffull;
    uint64_t sum = (low & modulus) + (low >> 61 | high << 3);
    return sum >= modulus ? sum - modulus : sum;
}
GR_BOTH uint64_t gr_text_multiply(uint64_t a, uint64_t b) {
    uint64_t a1 = a >> 32, a0 = a & 0xffffffffu, b1 = b >> 32, b0 = b & 0xffffffffu;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), cross = a0 * b1 + (middle & 0xffffffffu);
    return gr_text_modulo(a1 * b1 + (middle >> 32) + (cross >> 32), a * b);
}
GR_BOTH gr_text_hash gr_no_text(void) {
    gr_text_hash none = {0, 1};
    return none;
}
GR_BOTH gr_text_hash gr_text_joined(gr_text_hash a, gr_text_hash b) {
    gr_text_hash both = {gr_text_modulo(0, gr_text_multiply(a.hash, b.power) + b.hash),
                         gr_text_multiply(a.power, b.power)};
    return both;
}
GR_BOTH gr_text_hash gr_text_of_byte(uint32_t byte) {
    gr_text_hash one = {byte + 1, GR_TEXT_BASE};
    return one;
}

/* The text of a codon's value (codon_value.h). */
GR_FN gr_text_hash gr_text_of_codon(gr_codon_value v, uint32_t codon) {
    uint8_t bytes[GR_NUMBER_BYTES];
    gr_text_hash text = gr_no_text();
    for (uint32_t at = gr_write_codon(v, codon, bytes); at < GR_NUMBER_BYTES; at++)
        text = gr_text_joined(text, gr_text_of_byte(bytes[at]));
    return text;
}

/* The sentence of individual i, derived once more, symbol by symbol. Trees: their genotype's. */
GR_FN uint64_t gr_phenotype_key(const gr_state *s, uint32_t buffer, uint32_t i, gr_scratch scratch,
                                uint32_t *codon_scratch) {
    const gr_params *p = &s->p;
    const uint32_t *g = scratch.grammar;
    gr_text_hash text = gr_no_text();
    gr_derivation d;
    uint32_t *depth_first;
    if (p->genotype == GR_TREE)
        return gr_genotype_key(s, buffer, i);
    gr_derive_start(&d, g, gr_genome(s, buffer, i), s->individuals[buffer][i].length, p->max_wraps,
                    p->max_depth, scratch.path);
    gr_derive_by(&d, p->convention, p->max_wraps);
    if (gr_is_non_depth_first(p->convention)) {
        uint32_t count = gr_to_depth_first(&d, codon_scratch, 0, &depth_first);
        gr_derive_depth_first(&d, depth_first, count);
    }
    for (uint32_t terminal; (terminal = gr_derive_next(&d)) != GR_DERIVED;) {
        uint32_t token = gr_token_first(g, terminal), end = gr_token_first(g, terminal + 1);
        uint32_t value = end > token && GR_TOKEN_KIND(gr_token_word(g, token, 0)) == GR_T_CODON;
        text = gr_text_joined(
            text, value ? gr_text_of_codon(gr_read_codon_value(g, token), gr_last_codon(&d))
                        : s->terminals[terminal]);
    }
    return gr_key_of_hash(text.hash);
}

/* ---- tables ---- */

/* Enters a key; whether it is new. *at: its entry. */
GR_FN uint32_t gr_enter_key(uint64_t *table, uint32_t entries, uint64_t key, uint32_t *at) {
    for (*at = (uint32_t)(key >> 32) & (entries - 1);; *at = (*at + 1) & (entries - 1)) {
        uint64_t found = gr_fill_empty(&table[*at], key);
        if (!found || found == key)
            return !found;
    }
}

/* ---- a generation ---- */

/* The counts of a run. */
GR_FN gr_diversity *gr_diversity_of(const gr_state *s, uint32_t run) {
    return &s->diversity[(size_t)run * s->p.islands];
}
/* Before a generation is counted. */
GR_FN void gr_begin_diversity(gr_diversity *d) {
    gr_diversity begun = {0};
    begun.ever = begun.ever_before = d->ever;
    *d = begun;
}

/* What individual i adds to its run's counts; its key in each table is entered. */
GR_FN gr_diversity gr_count_individual(const gr_state *s, uint32_t generation, uint32_t i,
                                       gr_scratch scratch, uint32_t *codon_scratch) {
    const gr_params *p = &s->p;
    uint32_t buffer = generation & 1, entries = gr_diversity_entries(p), at;
    size_t first = (size_t)(i / (p->islands * p->population)) * entries;
    gr_individual individual = s->individuals[buffer][i];
    gr_diversity d = {0};
    double fit[2];
    if (!individual.length) /* of a run that has ended */
        return d;
    uint64_t key = gr_genotype_key(s, buffer, i);
    d.genotypes = gr_enter_key(s->found[0] + first, entries, key, &at);
    if (generation && s->plans[i].kind != GR_PLAN_ELITE) {
        d.children = 1;
        d.copies = key == gr_genotype_key(s, buffer ^ 1, s->plans[i].a) ||
                   (s->plans[i].b1 && key == gr_genotype_key(s, buffer ^ 1, s->plans[i].b));
    }
    if (individual.validity != GR_VALID)
        return d;
    uint64_t sentence = gr_phenotype_key(s, buffer, i, scratch, codon_scratch);
    d.phenotypes = gr_enter_key(s->found[1] + first, entries, sentence, &at);
    uint32_t run = i / (p->islands * p->population), seen = gr_seen_entries(p);
    if (d.phenotypes && gr_counts_ever(p, gr_diversity_of(s, run)))
        d.ever = gr_enter_key(s->seen + (size_t)run * seen, seen, sentence, &at);
    float cost = gr_evaluated_cost(s, generation, i, fit);
    if (cost == GR_INFINITY)
        return d;
    d.finite = 1;
    d.fitnesses = gr_enter_key(s->found[2] + first, entries,
                               gr_key_of_hash(gr_float_bits(cost == 0.0f ? 0.0f : cost)), &at);
    gr_add_count(&s->found_count[first + at], 1);
    return d;
}

GR_FN void gr_add_diversity(gr_diversity *to, gr_diversity d) {
    gr_add_count(&to->genotypes, d.genotypes);
    gr_add_count(&to->phenotypes, d.phenotypes);
    gr_add_count(&to->fitnesses, d.fitnesses);
    gr_add_count(&to->finite, d.finite);
    gr_add_count(&to->children, d.children);
    gr_add_count(&to->copies, d.copies);
    gr_add_count(&to->ever, d.ever);
    gr_add_long(&to->repeated, d.repeated);
}

/* log2 of a number from 1 on, GR_LOG2_BITS behind the point: every squaring of what is left gives a
 * bit. */
enum { GR_LOG2_BITS = 26 };
GR_FN uint64_t gr_log2_whole(uint32_t number) {
    uint32_t whole = 0;
    while (number >> whole > 1)
        whole++;
    uint64_t log = whole, left = (uint64_t)number << (31 - whole); /* 2^31 .. 2^32 - 1: 1 to 2 */
    for (uint32_t k = 0; k < GR_LOG2_BITS; k++) {
        left = left * left >> 31;
        uint64_t bit = left >> 32;
        left >>= bit;
        log = log << 1 | bit;
    }
    return log;
}

/* Entry k of all runs' tables: what its fitness adds to the sum of n log2(n); emptied for the next
 * generation. */
GR_FN uint64_t gr_clear_entry(const gr_state *s, uint64_t k) {
    uint32_t count = s->found_count[k];
    s->found[0][k] = s->found[1][k] = s->found[2][k] = 0;
    s->found_count[k] = 0;
    return count > 1 ? count * gr_log2_whole(count) : 0;
}

#endif
