/* Position-independent mapping (piGE: O'Neill, Brabazon, Nicolau, Mc Garraghy, Keenan 2004).
 *
 * Codons come in pairs, order and content. The order codon chooses which of the non-terminals that
 * wait is expanded next: order mod their number, counted from the left of the sentence. The content
 * codon chooses the production. An expansion whose order codon may be left out under `lazy` (a
 * single non-terminal waits) or whose content codon may (a single production) takes one codon less.
 * Both come from one stream: wraps count as in depth-first mapping.
 *
 * An expansion is an entry, in the order in which it came up: `word` is its level and rule while it
 * waits, then its content; `next` the entry after it in depth-first order; `waits` the next one
 * that waits, to the right. */
#ifndef GR_POSITION_INDEPENDENT_H
#define GR_POSITION_INDEPENDENT_H

#include "gpu/core/genotype/genome.h"

enum { GR_PI_WORDS = 4 }; /* of scratch for an expansion; the last is for codons to encode */
#define GR_PI_NONE 0xffffffffu
#define GR_PI_ENTRY(level, rule) ((uint32_t)(level) << 16 | (uint32_t)(rule))

typedef struct gr_pi_expansions {
    uint32_t *word, *next, *waits; /* [most] */
    uint32_t most, count;          /* entries */
    uint32_t first, waiting;       /* the leftmost that waits, and how many do */
} gr_pi_expansions;

GR_FN gr_pi_expansions gr_pi_start(uint32_t *codon_scratch, uint32_t most) {
    gr_pi_expansions pi = {
        codon_scratch, codon_scratch + most, codon_scratch + 2 * (size_t)most, most, 1, 0, 1};
    codon_scratch[0] = GR_PI_ENTRY(0, 0);
    pi.next[0] = pi.waits[0] = GR_PI_NONE;
    return pi;
}

GR_FN uint32_t gr_pi_take_codon(gr_derivation *d) {
    uint32_t codon = d->genome[d->position];
    d->position = d->position + 1 == d->length ? 0 : d->position + 1;
    d->used++;
    return codon;
}

/* The next codon, or 0 for an expansion that takes none; validity when there is none left.
 * `begins`: GEVA's wraps come before a non-terminal. */
GR_FN uint32_t gr_pi_next_codon(gr_derivation *d, uint32_t takes, uint32_t begins) {
    if (d->validity != GR_VALID || !(takes | begins))
        return 0;
    if (!gr_supplied(d, takes)) {
        d->validity = GR_OUT_OF_CODONS;
        return 0;
    }
    return takes ? gr_pi_take_codon(d) : 0;
}

/* Puts the non-terminals of a production behind entry `e` and in its place among those that wait,
 * behind `left`. */
GR_FN void gr_pi_insert_children(gr_pi_expansions *pi, const uint32_t *g, uint32_t e, uint32_t left,
                                 uint32_t level, uint32_t production) {
    uint32_t behind = pi->next[e], right = pi->waits[e], at = e;
    uint32_t last = gr_symbol_first(g, production + 1);
    for (uint32_t s = gr_symbol_first(g, production); s < last; s++) {
        uint32_t symbol = gr_symbol(g, s), child = pi->count;
        if (!(symbol & GR_NONTERMINAL))
            continue;
        pi->word[child] = GR_PI_ENTRY(level + 1, symbol & ~GR_NONTERMINAL);
        pi->next[at] = child;
        if (left == GR_PI_NONE)
            pi->first = child;
        else
            pi->waits[left] = child;
        at = left = child;
        pi->count++;
    }
    pi->next[at] = behind;
    if (left == GR_PI_NONE)
        pi->first = right;
    else
        pi->waits[left] = right;
}

/* One pair of codons. */
GR_FN void gr_pi_expand_next(gr_derivation *d, gr_pi_expansions *pi) {
    const uint32_t *g = d->grammar;
    uint32_t chooses = !(d->convention & GR_LAZY) || pi->waiting > 1;
    uint32_t which = gr_pi_next_codon(d, chooses, 1) % pi->waiting, left = GR_PI_NONE,
             e = pi->first;
    for (; which; which--) {
        left = e;
        e = pi->waits[e];
    }
    uint32_t rule = pi->word[e] & 0xffffu, level = pi->word[e] >> 16;
    uint32_t content = gr_pi_next_codon(d, gr_takes_codon(g, d->convention, rule), 0);
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
    uint32_t production = first + content % count;
    uint32_t more = GR_PRODUCTION_NONTERMINALS(gr_production(g, production));
    if (d->validity == GR_VALID && level + 2 > d->max_depth)
        d->validity = GR_TOO_DEEP;
    if (d->validity == GR_VALID && pi->count + more > pi->most)
        d->validity = GR_TOO_LARGE;
    if (d->validity != GR_VALID)
        return;
    pi->word[e] = content;
    gr_pi_insert_children(pi, g, e, left, level, production);
    pi->waiting += more - 1;
    d->nodes += gr_max_u32(1, more);
    d->depth = gr_max_u32(d->depth, level + 2);
}

/* Derives all of it. The content codons of its expansions, depth first, are *depth_first; how many.
 * d is started; codon_scratch: GR_PI_WORDS for each of `most` expansions. */
GR_FN uint32_t gr_pi_to_depth_first(gr_derivation *d, uint32_t *codon_scratch, uint32_t most,
                                    uint32_t **depth_first) {
    gr_pi_expansions pi = gr_pi_start(codon_scratch, most);
    uint32_t n = 0;
    while (pi.waiting && d->validity == GR_VALID)
        gr_pi_expand_next(d, &pi);
    *depth_first = pi.waits; /* nothing waits any more */
    for (uint32_t e = 0; e != GR_PI_NONE && d->validity == GR_VALID; e = pi.next[e])
        pi.waits[n++] = pi.word[e];
    return n;
}

/* ---- the way back ----
 * From codons of a depth-first derivation to a genome of pairs that derives the same, expanded in
 * an order drawn at random. */

/* Into word: the non-terminals of each expansion's production; into next: expansions below it,
 * itself included. */
GR_FN void gr_pi_measure(const uint32_t *g, const uint32_t *depth_first, uint32_t n,
                         gr_pi_expansions *pi) {
    uint32_t top = 0;
    pi->waits[top++] = 0; /* a stack of rules to come */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t rule = pi->waits[--top], first = gr_rule_first(g, rule);
        uint32_t production = first + depth_first[k] % (gr_rule_first(g, rule + 1) - first);
        uint32_t s = gr_symbol_first(g, production + 1);
        pi->word[k] = GR_PI_ENTRY(GR_PRODUCTION_NONTERMINALS(gr_production(g, production)), rule);
        while (s-- > gr_symbol_first(g, production))
            if (gr_symbol(g, s) & GR_NONTERMINAL)
                pi->waits[top++] = gr_symbol(g, s) & ~GR_NONTERMINAL;
    }
    for (uint32_t k = n; k-- > 0;) {
        uint32_t size = 1;
        for (uint32_t c = pi->word[k] >> 16; c; c--)
            size += pi->next[k + size];
        pi->next[k] = size;
    }
}

/* The genome's codons; 0 when they exceed its capacity, or the n expansions that of `pi`, which is
 * started. */
GR_FN uint32_t gr_pi_encode(const gr_params *p, const uint32_t *g, gr_random *r,
                            const uint32_t *depth_first, uint32_t n, uint32_t *genome,
                            gr_pi_expansions pi) {
    uint32_t used = 0;
    if (2 * n > p->genome_capacity || n > pi.most)
        return 0;
    gr_pi_measure(g, depth_first, n, &pi);
    pi.waits[0] = GR_PI_NONE;
    while (pi.waiting) {
        uint32_t which = gr_below(r, gr_min_u32(pi.waiting, p->codon_size + 1));
        uint32_t left = GR_PI_NONE, e = pi.first;
        if (!(p->convention & GR_LAZY) || pi.waiting > 1)
            genome[used++] = gr_codon_of(p, which, pi.waiting, r);
        for (; which; which--) {
            left = e;
            e = pi.waits[e];
        }
        if (gr_takes_codon(g, p->convention, pi.word[e] & 0xffffu))
            genome[used++] = depth_first[e];
        uint32_t right = pi.waits[e], child = e + 1;
        for (uint32_t c = pi.word[e] >> 16; c; c--, child += pi.next[child]) {
            if (left == GR_PI_NONE)
                pi.first = child;
            else
                pi.waits[left] = child;
            left = child;
        }
        if (left == GR_PI_NONE)
            pi.first = right;
        else
            pi.waits[left] = right;
        pi.waiting += (pi.word[e] >> 16) - 1;
    }
    return used;
}

#endif
