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
 * that waits, to the right.
 *
 * Those that wait are parted, from left to right, into runs of some: their numbers are added up
 * until the run is there in which to count on. A run that gets too long is halved, and there are no
 * more runs than one may be long: of n expansions each takes some multiple of the root of n. */
#ifndef GR_POSITION_INDEPENDENT_H
#define GR_POSITION_INDEPENDENT_H

#include "gpu/core/genotype/genome.h"

enum {
    GR_PI_WORDS = 4, /* of scratch for an expansion; the last is for codons to encode */
    GR_PI_RUN = 32   /* entries of a run at most, while there are few */
};
#define GR_PI_NONE 0xffffffffu
#define GR_PI_ENTRY(level, rule) ((uint32_t)(level) << 16 | (uint32_t)(rule))

typedef struct gr_pi_expansions {
    uint32_t *word, *next, *waits; /* [most] */
    uint32_t *run;                 /* two words each: its leftmost entry, and how many it has */
    uint32_t most, count, waiting; /* entries: that fit, that there are, that wait */
    uint32_t runs, longest;        /* entries of a run at most */
} gr_pi_expansions;

/* Words of scratch in all. A run begins as half of one, and before it is halved as many more
 * entries have come to it: so there are no more of them. */
GR_BOTH uint32_t gr_pi_scratch(uint32_t most) {
    return GR_PI_WORDS * most + 2 * (most / (GR_PI_RUN / 2) + 1);
}

GR_FN gr_pi_expansions gr_pi_start(uint32_t *codon_scratch, uint32_t most) {
    size_t row = most;
    gr_pi_expansions pi = {codon_scratch,
                           codon_scratch + row,
                           codon_scratch + 2 * row,
                           codon_scratch + GR_PI_WORDS * row,
                           most,
                           1,
                           1,
                           1,
                           GR_PI_RUN};
    pi.word[0] = GR_PI_ENTRY(0, 0);
    pi.next[0] = pi.waits[0] = GR_PI_NONE;
    pi.run[0] = 0;
    pi.run[1] = 1;
    return pi;
}

/* ---- those that wait ---- */

/* A place among them: an entry, the one before it in its run (GR_PI_NONE: it is the first), and
 * the run. */
typedef struct gr_pi_place {
    uint32_t entry, left, run;
} gr_pi_place;

GR_FN gr_pi_place gr_pi_find(const gr_pi_expansions *pi, uint32_t others) {
    gr_pi_place at = {0, GR_PI_NONE, 0};
    for (uint32_t here; others >= (here = pi->run[2 * at.run + 1]); at.run++)
        others -= here;
    at.entry = pi->run[2 * at.run];
    for (; others; others--) {
        at.left = at.entry;
        at.entry = pi->waits[at.entry];
    }
    return at;
}

/* Puts an entry behind `left`. */
GR_FN void gr_pi_link(gr_pi_expansions *pi, gr_pi_place at, uint32_t entry) {
    if (at.left == GR_PI_NONE)
        pi->run[2 * at.run] = entry;
    else
        pi->waits[at.left] = entry;
}

GR_FN void gr_pi_halve(gr_pi_expansions *pi, uint32_t run) {
    uint32_t count = pi->run[2 * run + 1], last = pi->run[2 * run];
    for (uint32_t k = 1; k < count / 2; k++)
        last = pi->waits[last];
    for (uint32_t k = 2 * pi->runs++; k > 2 * run; k--)
        pi->run[k + 1] = pi->run[k - 1];
    pi->run[2 * run + 1] = count / 2;
    pi->run[2 * run + 2] = pi->waits[last];
    pi->run[2 * run + 3] = count - count / 2;
}

/* In the place of one that waited so many do now. */
GR_FN void gr_pi_replaced(gr_pi_expansions *pi, uint32_t run, uint32_t more) {
    pi->waiting += more - 1;
    pi->run[2 * run + 1] += more - 1;
    while (pi->run[2 * run + 1] > pi->longest) {
        if (pi->runs < pi->longest)
            gr_pi_halve(pi, run);
        else
            pi->longest *= 2;
    }
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

/* Puts the non-terminals of a production behind an entry and in its place among those that wait. */
GR_FN void gr_pi_insert_children(gr_pi_expansions *pi, const uint32_t *g, gr_pi_place place,
                                 uint32_t level, uint32_t production) {
    uint32_t at = place.entry, behind = pi->next[at], right = pi->waits[at];
    uint32_t last = gr_symbol_first(g, production + 1);
    for (uint32_t s = gr_symbol_first(g, production); s < last; s++) {
        uint32_t symbol = gr_symbol(g, s), child = pi->count;
        if (!(symbol & GR_NONTERMINAL))
            continue;
        pi->word[child] = GR_PI_ENTRY(level + 1, symbol & ~GR_NONTERMINAL);
        pi->next[at] = child;
        gr_pi_link(pi, place, child);
        at = place.left = child;
        pi->count++;
    }
    pi->next[at] = behind;
    gr_pi_link(pi, place, right);
}

/* One pair of codons. */
GR_FN void gr_pi_expand_next(gr_derivation *d, gr_pi_expansions *pi) {
    const uint32_t *g = d->grammar;
    uint32_t chooses = !(d->convention & GR_LAZY) || pi->waiting > 1;
    gr_pi_place at = gr_pi_find(pi, gr_pi_next_codon(d, chooses, 1) % pi->waiting);
    uint32_t rule = pi->word[at.entry] & 0xffffu, level = pi->word[at.entry] >> 16;
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
    pi->word[at.entry] = content;
    gr_pi_insert_children(pi, g, at, level, production);
    gr_pi_replaced(pi, at.run, more);
    d->nodes += gr_max_u32(1, more);
    d->depth = gr_max_u32(d->depth, level + 2);
}

/* Derives all of it. The content codons of its expansions, depth first, are *depth_first; how many.
 * d is started; codon_scratch: gr_pi_scratch of `most` expansions. */
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
        gr_pi_place at = gr_pi_find(&pi, which);
        uint32_t e = at.entry, right = pi.waits[e], child = e + 1;
        if (!(p->convention & GR_LAZY) || pi.waiting > 1)
            genome[used++] = gr_codon_of(p, which, pi.waiting, r);
        if (gr_takes_codon(g, p->convention, pi.word[e] & 0xffffu))
            genome[used++] = depth_first[e];
        for (uint32_t c = pi.word[e] >> 16; c; c--, child += pi.next[child]) {
            gr_pi_link(&pi, at, child);
            at.left = child;
        }
        gr_pi_link(&pi, at, right);
        gr_pi_replaced(&pi, at.run, pi.word[e] >> 16);
    }
    return used;
}

#endif
