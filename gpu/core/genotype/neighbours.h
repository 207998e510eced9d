/* What a grammar and an initialiser make of one genome, and what becomes of its neighbour in which
 * one codon of the part it uses is drawn again: for measuring grammars by sampling. */
#ifndef GR_NEIGHBOURS_H
#define GR_NEIGHBOURS_H

#include "gpu/core/base/keys.h"
#include "gpu/core/genotype/first_genomes.h"

/* What became of the neighbour. */
typedef enum gr_neighbour_kind {
    GR_NEIGHBOUR_NONE,       /* the genome was invalid, or used no codon */
    GR_NEIGHBOUR_SYNONYMOUS, /* the same derivation */
    GR_NEIGHBOUR_NEUTRAL,    /* another derivation of the same sentence */
    GR_NEIGHBOUR_INVALID,
    GR_NEIGHBOUR_CHANGED, /* another sentence */
    GR_NEIGHBOUR_KINDS
} gr_neighbour_kind;

/* Sums over genomes, of a rule's expansions or one production's share in them: n expansions,
 * their squares, and their products with those of the rule. */
typedef struct gr_expansions {
    uint64_t n, squares, products;
} gr_expansions;

/* Everything about many genomes. */
typedef struct gr_genome_sample {
    uint8_t *validity, *mutant;     /* [count] gr_validity, gr_neighbour_kind */
    uint32_t *used, *depth, *nodes; /* [count], of valid ones */
    uint64_t *sentence;             /* [count] hash of the text, of valid ones */
    double *change;                 /* [count] share of the sentence that a neighbour changes */
    gr_expansions *production;      /* [productions], and behind them [rules] */
} gr_genome_sample;

/* The texts of a grammar's terminals, one after the other. */
typedef struct gr_terminal_texts {
    uint32_t count;
    const uint32_t *first; /* [count + 1] */
    const uint8_t *bytes;
} gr_terminal_texts;

/* What a thread works with. */
typedef struct gr_neighbour_scratch {
    uint32_t *genome;   /* [genome_capacity + 1] */
    gr_words path[2];   /* 2 max_depth words each */
    uint32_t *codon[2]; /* [gr_depth_first_words] each */
    uint32_t *met;      /* expansions of each production in a genome, then of each rule; zeros */
} gr_neighbour_scratch;

/* What all of them have in common. */
typedef struct gr_neighbour_task {
    const gr_params *p;
    const uint32_t *grammar; /* its tables */
    uint32_t grammar_words;
    gr_terminal_texts texts;
} gr_neighbour_task;

typedef struct gr_neighbours {
    uint64_t sentence;
    double change;
    uint32_t used, depth, nodes, validity, mutant;
} gr_neighbours;

/* ---- memory ---- */

/* Words of a thread's scratch, for tables that can be read. */
GR_BOTH size_t gr_neighbour_words(const gr_params *p, const uint32_t *g) {
    return p->genome_capacity + 1ull + 4ull * p->max_depth +
           2 * ((size_t)gr_depth_first_words(g, p->convention) + 1) + g[GR_G_PRODUCTIONS] +
           g[GR_G_RULES];
}
/* Its parts, which are zero. */
GR_FN gr_neighbour_scratch gr_neighbour_scratch_of(const gr_params *p, const uint32_t *g,
                                                   uint32_t *words) {
    size_t order = (size_t)gr_depth_first_words(g, p->convention) + 1;
    gr_neighbour_scratch w;
    w.genome = words;
    w.path[0].at = w.genome + p->genome_capacity + 1;
    w.path[1].at = w.path[0].at + 2 * (size_t)p->max_depth;
    w.path[0].step = w.path[1].step = 1;
    w.codon[0] = w.path[1].at + 2 * (size_t)p->max_depth;
    w.codon[1] = w.codon[0] + order;
    w.met = w.codon[1] + order;
    return w;
}

GR_FN void gr_keep_neighbours(const gr_genome_sample *to, size_t k, const gr_neighbours *n) {
    to->validity[k] = (uint8_t)n->validity;
    to->mutant[k] = (uint8_t)n->mutant;
    to->used[k] = n->used;
    to->depth[k] = n->depth;
    to->nodes[k] = n->nodes;
    to->sentence[k] = n->sentence;
    to->change[k] = n->change;
}

/* n expansions in a genome whose rule has `all`. */
GR_FN void gr_add_expansions(gr_expansions *to, uint64_t n, uint64_t all) {
    to->n += n;
    to->squares += n * n;
    to->products += n * all;
}

/* ---- texts ---- */

enum { GR_TEXT_END = 256 };

/* A sentence that is read byte by byte while it is derived. */
typedef struct gr_reader {
    gr_derivation d;
    const uint8_t *piece;
    uint32_t left;
    uint8_t number[GR_NUMBER_BYTES];
} gr_reader;

/* The reader's next bytes are those of a terminal that was just derived. */
GR_FN void gr_read_terminal(gr_reader *r, const gr_terminal_texts *texts, uint32_t terminal) {
    const uint32_t *g = r->d.grammar;
    uint32_t token = gr_token_first(g, terminal), end = gr_token_first(g, terminal + 1);
    if (end > token && GR_TOKEN_KIND(gr_token_word(g, token, 0)) == GR_T_CODON) {
        uint32_t at =
            gr_write_codon(gr_read_codon_value(g, token), gr_last_codon(&r->d), r->number);
        r->piece = r->number + at;
        r->left = GR_NUMBER_BYTES - at;
    } else {
        r->piece = texts->bytes + texts->first[terminal];
        r->left = texts->first[terminal + 1] - texts->first[terminal];
    }
}

/* Begins a derivation; codons used by what is not read depth first are in *used then. */
GR_CALL void gr_reader_start(gr_reader *r, const gr_neighbour_task *t,
                             const gr_neighbour_scratch *w, uint32_t which, uint32_t length,
                             uint32_t *used) {
    const gr_params *p = t->p;
    uint32_t *depth_first;
    gr_derive_start(&r->d, t->grammar, w->genome, length, p->max_wraps, p->max_depth,
                    w->path[which]);
    gr_derive_by(&r->d, p->convention, p->max_wraps);
    r->left = 0;
    if (!gr_is_non_depth_first(p->convention))
        return;
    uint32_t count = gr_to_depth_first(&r->d, w->codon[which], 0, &depth_first);
    *used = r->d.used;
    if (r->d.validity == GR_VALID)
        gr_derive_depth_first(&r->d, depth_first, count);
}

GR_CALL uint32_t gr_reader_next(gr_reader *r, const gr_terminal_texts *texts) {
    while (!r->left) {
        uint32_t terminal = gr_derive_next(&r->d);
        if (terminal == GR_DERIVED)
            return GR_TEXT_END;
        gr_read_terminal(r, texts, terminal);
    }
    r->left--;
    return *r->piece++;
}

/* ---- one derivation ---- */

typedef struct gr_derived {
    uint64_t productions, sentence; /* hashes */
    uint32_t length;                /* of the sentence */
    uint32_t used, depth, nodes, validity;
} gr_derived;

/* An expansion that the derivation asks for; the hash with it. Counted in met, unless that is 0. */
GR_FN uint64_t gr_note_expansion(gr_derivation *d, uint32_t rule, uint32_t *met, uint64_t hash) {
    const uint32_t *g = d->grammar;
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first,
             before = d->used, value = rule >= gr_grammar_word(g, GR_G_FIRST_VALUE);
    gr_derive_expand(d, rule);
    uint32_t codon = d->used > before || value ? gr_last_codon(d) : 0,
             production = first + codon % count;
    if (met && d->validity == GR_VALID) {
        met[production]++;
        met[gr_grammar_word(g, GR_G_PRODUCTIONS) + rule]++;
    }
    return gr_mixed(hash, value ? (uint64_t)codon << 32 : production);
}

GR_CALL gr_derived gr_derive_genome(const gr_neighbour_task *t, const gr_neighbour_scratch *w,
                                    uint32_t length, uint32_t *met) {
    gr_derived told = {1, 5, 0, 0, 0, 0, 0};
    gr_reader r;
    gr_derivation *d = &r.d;
    gr_reader_start(&r, t, w, 0, length, &told.used);
    while (d->validity == GR_VALID) {
        uint32_t symbol = gr_derive_symbol(d);
        if (symbol == GR_DERIVED || (d->convention & GR_WRAP_PONYGE_LINEAR && !gr_at_seam(d)))
            break;
        if (symbol & GR_NONTERMINAL) {
            told.productions =
                gr_note_expansion(d, symbol & ~GR_NONTERMINAL, met, told.productions);
            continue;
        }
        gr_read_terminal(&r, &t->texts, symbol);
        told.length += r.left;
        for (; r.left; r.left--)
            told.sentence = gr_mixed(told.sentence, *r.piece++);
    }
    if (!gr_is_non_depth_first(t->p->convention))
        told.used = d->used;
    told.depth = d->depth;
    told.nodes = d->nodes;
    told.validity = d->validity;
    return told;
}

/* ---- neighbours ---- */

/* The first codons of a genome as a run draws it; how many. */
GR_CALL uint32_t gr_draw_genome(const gr_neighbour_task *t, const gr_neighbour_scratch *w,
                                uint32_t index) {
    const gr_params *p = t->p;
    const gr_lane_group alone = {0, 1};
    gr_scratch scratch = {0};
    scratch.grammar = t->grammar;
    scratch.path = w->path[0];
    uint32_t used = gr_is_non_depth_first(p->convention)
                        ? gr_initial_genes(p, scratch, 0, index, 0, w->genome, w->codon[0])
                        : gr_drawn_codons(p, gr_genome_form(p, t->grammar), 0, index, 0, w->genome,
                                          scratch.path);
    return gr_initial_tail(p, 0, index, 0, w->genome, used, alone);
}

/* A genome, and it with another codon at one place. */
typedef struct gr_two {
    uint32_t length, at, codon[2];
    uint32_t bytes[2]; /* of their sentences */
} gr_two;

/* The next byte of each: its own codon is in its place when it is read. */
GR_FN uint32_t gr_next_of_two(gr_reader *r, const gr_neighbour_task *t,
                              const gr_neighbour_scratch *w, const gr_two *two, uint32_t which) {
    w->genome[two->at] = two->codon[which];
    return gr_reader_next(r, &t->texts);
}

GR_CALL void gr_start_two(gr_reader r[2], const gr_neighbour_task *t, const gr_neighbour_scratch *w,
                          const gr_two *two) {
    uint32_t used;
    for (uint32_t which = 0; which < 2; which++) {
        w->genome[two->at] = two->codon[which];
        gr_reader_start(&r[which], t, w, which, two->length, &used);
    }
}

/* How much of the longer of two sentences lies between their common beginning and their common
 * end; 0: they are the same. */
GR_CALL double gr_change_between(const gr_neighbour_task *t, const gr_neighbour_scratch *w,
                                 const gr_two *two) {
    uint32_t least = gr_min_u32(two->bytes[0], two->bytes[1]),
             most = gr_max_u32(two->bytes[0], two->bytes[1]),
             longer = two->bytes[1] > two->bytes[0], front = 0, back = 0;
    gr_reader r[2];
    gr_start_two(r, t, w, two);
    while (front < least &&
           gr_next_of_two(&r[0], t, w, two, 0) == gr_next_of_two(&r[1], t, w, two, 1))
        front++;
    if (front == most)
        return 0.0;
    gr_start_two(r, t, w, two); /* their ends beside each other */
    for (uint32_t k = least; k < most; k++)
        gr_next_of_two(&r[longer], t, w, two, longer);
    for (uint32_t k = 0; k < least; k++)
        back = gr_next_of_two(&r[0], t, w, two, 0) == gr_next_of_two(&r[1], t, w, two, 1) ? back + 1
                                                                                          : 0;
    return (double)(most - front - gr_min_u32(back, least - front)) / (double)most;
}

/* One codon of the part that is used is drawn again. */
GR_FN void gr_draw_neighbour(const gr_neighbour_task *t, const gr_neighbour_scratch *w,
                             uint32_t index, uint32_t length, const gr_derived *of,
                             gr_neighbours *n) {
    gr_random r = gr_stream(t->p, GR_PURPOSE_MUTATION, 1, 0, index);
    gr_two two = {0};
    two.length = length;
    two.at = gr_below(&r, gr_min_u32(of->used, length));
    two.codon[0] = w->genome[two.at];
    two.codon[1] = gr_below(&r, t->p->codon_size + 1);
    w->genome[two.at] = two.codon[1];
    gr_derived other = gr_derive_genome(t, w, length, 0);
    if (other.validity != GR_VALID) {
        n->mutant = GR_NEIGHBOUR_INVALID;
        return;
    }
    two.bytes[0] = of->length;
    two.bytes[1] = other.length;
    n->change = gr_change_between(t, w, &two);
    n->mutant = n->change > 0.0                        ? GR_NEIGHBOUR_CHANGED
                : other.productions == of->productions ? GR_NEIGHBOUR_SYNONYMOUS
                                                       : GR_NEIGHBOUR_NEUTRAL;
}

/* Genome `index` of a first generation and its neighbour. met is counted where it is valid, and has
 * something in it in any case. */
GR_FN gr_neighbours gr_look_at_neighbours(const gr_neighbour_task *t, const gr_neighbour_scratch *w,
                                          uint32_t index) {
    gr_neighbours n = {0, 0.0, 0, 0, 0, 0, GR_NEIGHBOUR_NONE};
    uint32_t length = gr_draw_genome(t, w, index);
    gr_derived of = gr_derive_genome(t, w, length, w->met);
    n.validity = of.validity;
    if (of.validity != GR_VALID)
        return n;
    n.sentence = of.sentence;
    n.used = of.used;
    n.depth = of.depth;
    n.nodes = of.nodes;
    if (of.used)
        gr_draw_neighbour(t, w, index, length, &of, &n);
    return n;
}

#endif
