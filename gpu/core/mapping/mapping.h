/* Genotype to phenotype: leftmost, depth-first derivation as PonyGE2's tree mapper.
 *
 * Production = codon mod number of productions; every expansion takes one codon, also of a rule
 * with one production. A genome of n codons supplies n (wraps + 1) codons. Depth: the root has 1,
 * each child one more, terminals included. nodes = 1 + the sum over expansions of max(1,
 * non-terminals of the production). */
#ifndef GR_MAPPING_H
#define GR_MAPPING_H

#include "gpu/core/mapping/codon_value.h"
#include "gpu/core/mapping/wrapping.h"

GR_FN void gr_derive_expand(gr_derivation *d, uint32_t rule) {
    const uint32_t *g = d->grammar;
    if (d->convention) {
        gr_expand_otherwise(d, rule);
        return;
    }
    if (d->used == d->supply) {
        d->validity = GR_OUT_OF_CODONS;
        return;
    }
    if (d->level + 2 > d->max_depth) { /* its children would stand at level + 2 */
        d->validity = GR_TOO_DEEP;
        return;
    }
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
    uint32_t production = first + d->genome[d->position] % count;
    d->position = d->position + 1 == d->length ? 0 : d->position + 1;
    d->used++;
    d->nodes += gr_max_u32(1, GR_PRODUCTION_NONTERMINALS(gr_production(g, production)));
    GR_AT(d->stack, 2 * d->level) = gr_symbol_first(g, production);
    GR_AT(d->stack, 2 * d->level + 1) = gr_symbol_first(g, production + 1);
    d->level++;
    d->depth = gr_max_u32(d->depth, d->level + 1);
}

/* Derives nothing yet; the first symbol is the start rule. stack: 2 max_depth words. */
GR_FN void gr_derive_start(gr_derivation *d, const uint32_t *grammar, const uint32_t *genome,
                           uint32_t length, uint32_t max_wraps, uint32_t max_depth,
                           gr_words stack) {
    gr_derivation start = {0};
    start.grammar = grammar;
    start.genome = genome;
    start.stack = stack;
    start.length = length;
    start.supply = (uint64_t)length * (max_wraps + 1ull) > 0xffffffffull ? 0xffffffffu
                                                                         : length * (max_wraps + 1);
    start.max_depth = max_depth;
    start.nodes = 1;
    start.depth = 1;
    *d = start;
}

/* Another convention, before the first symbol. */
GR_FN void gr_derive_by(gr_derivation *d, uint32_t convention, uint32_t max_wraps) {
    d->convention = convention;
    d->max_wraps = max_wraps;
    d->left = d->length;
    d->waiting = 1;
}

/* The next symbol in the order of derivation, terminal or not, or GR_DERIVED at the end of the
 * sentence. */
GR_FN uint32_t gr_derive_symbol(gr_derivation *d) {
    if (d->used == 0 && !d->expanded)
        return GR_NONTERMINAL;
    while (d->level) {
        uint32_t next = GR_AT(d->stack, 2 * d->level - 2);
        if (next != GR_AT(d->stack, 2 * d->level - 1)) {
            GR_AT(d->stack, 2 * d->level - 2) = next + 1;
            return gr_symbol(d->grammar, next);
        }
        d->level--;
    }
    return GR_DERIVED;
}

/* The next terminal, or GR_DERIVED at the end of the sentence or when it became invalid
 * (d->validity). */
GR_FN uint32_t gr_derive_next(gr_derivation *d) {
    for (;;) {
        uint32_t symbol = gr_derive_symbol(d);
        if (d->convention & GR_WRAP_PONYGE_LINEAR && symbol != GR_DERIVED && !gr_at_seam(d))
            return GR_DERIVED;
        if (symbol == GR_DERIVED || !(symbol & GR_NONTERMINAL))
            return symbol;
        gr_derive_expand(d, symbol & ~GR_NONTERMINAL);
        if (d->validity != GR_VALID)
            return GR_DERIVED;
    }
}

/* The codon that the last expansion took. */
GR_FN uint32_t gr_last_codon(const gr_derivation *d) {
    return d->genome[(d->position ? d->position : d->length) - 1];
}

/* ---- by steps (grammar.h) ----
 * One loop without inner ones, so that the lanes of a warp stay together: a turn takes a codon or
 * does an action. A frame of the stack is the step to go on with and its level, packed; a
 * production that is the last of the one above leaves none.
 *
 * Steps know PonyGE2's tree mapper and sentences that can be read by them; all other genomes are
 * derived by symbols and mapped by tokens. */

/* Whether derivations go by steps. */
GR_FN uint32_t gr_derives_by_steps(const uint32_t *g, uint32_t convention) {
    return !convention && gr_grammar_word(g, GR_G_STEPS);
}
/* Whether mapping does. */
GR_FN gr_maps gr_maps_by_steps(const uint32_t *g, uint32_t convention) {
    return convention ? GR_MAPS_NOTHING : (gr_maps)gr_grammar_word(g, GR_G_MAPS);
}

typedef struct gr_walk {
    const gr_pair *choice, *body, *step; /* tables */
    uint32_t codon;                      /* the next one, read ahead */
    uint32_t next, top;                  /* step, frames */
} gr_walk;

GR_FN gr_walk gr_walk_start(const gr_derivation *d) {
    const uint32_t *g = gr_grammar_at(d->grammar);
    gr_walk walk = {(const gr_pair *)(g + g[GR_G_CHOICE]),
                    (const gr_pair *)(g + g[GR_G_BODY]),
                    (const gr_pair *)(g + g[GR_G_STEP]),
                    0,
                    0,
                    0};
    if (d->supply)
        walk.codon = d->genome[0];
    return walk;
}

/* Whether the derivation ends where the next codon would be taken; d->validity says why. */
GR_FN uint32_t gr_walk_ends(gr_derivation *d) {
    uint32_t out = d->used == d->supply, deep = d->level + 2 > d->max_depth;
    if (out || deep)
        d->validity = out ? GR_OUT_OF_CODONS : GR_TOO_DEEP;
    return out || deep;
}

/* Chooses a production of `rule` by the next codon. */
GR_FN uint32_t gr_walk_choose(gr_derivation *d, gr_walk *walk, uint32_t rule) {
    gr_pair range = walk->choice[rule];
    uint32_t production =
        (range.word & 0xffffu) + gr_remainder(walk->codon, range.word >> 16, range.operand);
    d->used++;
    d->position = d->position + 1 == d->length ? 0 : d->position + 1;
    walk->codon = d->genome[d->position];
    d->depth = gr_max_u32(d->depth, d->level + 2);
    return production;
}

/* Goes into a production from a step: leaves a frame unless it was the last step. */
GR_FN void gr_walk_enter(gr_derivation *d, gr_walk *walk, uint32_t word, uint32_t first) {
    if (!(word & GR_STEP_LAST))
        GR_AT(d->stack, walk->top++) = walk->next | d->level << 16;
    d->level++;
    walk->next = first;
}

/* Behind the last step of a production: back to the frame; 0 at the end of the sentence. */
GR_FN uint32_t gr_walk_leave(gr_derivation *d, gr_walk *walk) {
    if (!walk->top)
        return 0;
    uint32_t frame = GR_AT(d->stack, --walk->top);
    walk->next = frame & 0xffffu;
    d->level = frame >> 16;
    return 1;
}

/* Derivation without terminals: used codons, depth, nodes and validity. */
typedef struct gr_skeleton {
    gr_derivation d;
    gr_walk walk;
    uint32_t word; /* the step to be done */
} gr_skeleton;

GR_FN void gr_skeleton_start(gr_skeleton *k) {
    k->walk = gr_walk_start(&k->d);
    k->word = GR_NONTERMINAL | GR_STEP_LAST;
}

/* One codon; 0 at the end. */
GR_FN uint32_t gr_skeleton_turn(gr_skeleton *k) {
    gr_derivation *d = &k->d;
    if (gr_walk_ends(d))
        return 0;
    uint32_t production = gr_walk_choose(d, &k->walk, k->word & 0xffffu);
    uint32_t body = k->walk.body[production].word;
    d->nodes += body >> 16;
    if ((body & 0xffffu) != GR_NO_SKELETON)
        gr_walk_enter(d, &k->walk, k->word, body & 0xffffu);
    else if ((k->word & GR_STEP_LAST) && !gr_walk_leave(d, &k->walk))
        return 0;
    k->word = k->walk.step[k->walk.next++].word;
    return 1;
}

/* ---- mapping ---- */

/* A genome being mapped: p.count nodes on success, not yet annotated; d.validity otherwise. */
typedef struct gr_mapping {
    gr_derivation d;
    gr_parser p;
    gr_walk walk;
    gr_pair step;     /* to be done */
    uint32_t entry;   /* the reader's top entry; the stack holds those below */
    uint32_t retries; /* of the individual, kept for its end */
    /* where it is asked for: of every node of a leaf how many codons were taken when it began, and
     * of the number that is open (gr_note_nodes) */
    gr_words begins;
    uint32_t begun;
} gr_mapping;

/* What there was before a step or a token. */
typedef struct gr_noted {
    uint32_t nodes, open; /* a number is that has a digit */
} gr_noted;
GR_FN gr_noted gr_note(const gr_mapping *m) {
    gr_noted noted = {m->p.count, m->p.number != GR_NO_NUMBER && m->p.digits};
    return noted;
}

/* Notes where the nodes begin that there are since: a number with its first digit, though it may be
 * complete only with what follows it. */
GR_FN void gr_note_nodes(gr_mapping *m, gr_noted before) {
    uint32_t open = gr_note(m).open, more = m->p.count - before.nodes;
    for (uint32_t k = before.nodes; k < m->p.count; k++)
        GR_AT(m->begins, k) = before.open && k == before.nodes ? m->begun : m->d.used;
    if (open && (!before.open || more))
        m->begun = m->d.used;
}

/* The last two subtrees have changed places: so do their notes. */
GR_FN void gr_swap_notes(gr_mapping *m) {
    uint32_t end = m->p.count, middle = end - GR_NODE_SIZE(GR_AT(m->p.nodes, end - 1));
    uint32_t from = middle - GR_NODE_SIZE(GR_AT(m->p.nodes, middle - 1)), first = end - middle;
    for (uint32_t k = 0; k < first; k++) { /* that which is the last now was the first */
        uint32_t note = GR_AT(m->begins, from);
        for (uint32_t i = from; i + 1 < end; i++)
            GR_AT(m->begins, i) = GR_AT(m->begins, i + 1);
        GR_AT(m->begins, end - 1) = note;
    }
}

GR_FN void gr_map_start(gr_mapping *m) {
    m->walk = gr_walk_start(&m->d);
    m->step.word = GR_NONTERMINAL | GR_STEP_LAST;
    m->step.operand = 0;
    m->entry = GR_NO_ENTRY;
}

GR_FN void gr_map_fail(gr_mapping *m, uint32_t fails, uint32_t status) {
    m->p.status = fails && m->p.status == GR_PARSE_OK ? status : m->p.status;
}

/* These do nothing where `is` is 0. A branch costs a lane more than what is behind it here, so that
 * there is none but around what is written or read far away. */
GR_FN void gr_map_pop(gr_mapping *m, uint32_t is) {
    m->p.top -= is;
    m->entry = is ? GR_NO_ENTRY : m->entry;
    if (is && m->p.top)
        m->entry = GR_AT(m->p.stack, m->p.top - 1);
}

GR_FN void gr_map_push(gr_mapping *m, uint32_t is, uint32_t entry) {
    gr_parser *p = &m->p;
    uint32_t fits = is && p->top < p->stack_capacity;
    if (fits && p->top)
        GR_AT(p->stack, p->top - 1) = m->entry;
    m->entry = fits ? entry : m->entry;
    p->top += fits;
    gr_map_fail(m, is && !fits, GR_PARSE_TOO_LARGE);
}

/* Appends a node; sizes and the like follow with gr_annotate. */
GR_FN void gr_map_node(gr_mapping *m, uint32_t is, uint32_t op, uint32_t operand) {
    gr_parser *p = &m->p;
    uint32_t fits = is && p->count < p->nodes_capacity;
    if (fits)
        GR_AT(p->nodes, p->count) = gr_make_node(op, 1, 1, operand);
    p->count += fits;
    gr_map_fail(m, is && !fits, GR_PARSE_TOO_LARGE);
}

/* gr_parse_emit_operator without its annotation. */
GR_FN void gr_map_operator(gr_mapping *m, uint32_t op) {
    gr_parser *p = &m->p;
    if (op == GR_NEG && GR_NODE_OP(GR_AT(p->nodes, p->count - 1)) == GR_CONSTANT)
        GR_AT(p->nodes, p->count - 1).operand ^= 0x80000000u;
    else /* unary plus is none */
        gr_map_node(m, op != GR_OP_COUNT, op, 0);
}

/* The second operand of a list that may be headed by a sign, which stands above its "(". */
GR_FN void gr_map_item(gr_mapping *m) {
    if (GR_ENTRY_KIND(m->entry) == GR_E_SIGN) {
        m->p.top--;
        m->entry = GR_ENTRY(GR_E_FOLD, GR_ENTRY_COUNT(m->entry), 0, 1);
    }
}

/* What few steps do: that, and numbers in pieces. */
GR_FN void gr_map_action(gr_mapping *m, uint32_t word, uint32_t operand) {
    gr_parser *p = &m->p;
    switch (GR_STEP_ACTION(word)) {
    case GR_A_ITEM:
        gr_map_item(m);
        break;
    case GR_A_NUMBER:
        gr_parse_start_number(p, operand);
        break;
    case GR_A_DIGITS:
        gr_parse_grow_number(p, GR_TOKEN(GR_T_DIGITS, GR_STEP_MORE(word)), operand);
        break;
    case GR_A_DOT:
        p->dotted = 1;
        break;
    case GR_A_EXPONENT:
        p->exponent += (int32_t)operand;
        break;
    default:
        gr_parse_finish_number(p);
        break;
    }
}

/* Does to the reader what gr_parse_token would do for the token the step stands for. 0: one pending
 * operator was written, the step is still to be done. numbers: whether steps read some; where that
 * is a literal 0 a turn has a sixth of its instructions less, most of them copies of a number. */
GR_FN uint32_t gr_map_act(gr_mapping *m, uint32_t numbers) {
    gr_parser *p = &m->p;
    uint32_t word = p->status == GR_PARSE_OK ? m->step.word : 0, entry = m->entry;
    uint32_t leaf = word & GR_STEP_LEAF, reduces = (word & GR_STEP_REDUCES) &&
                                                   GR_ENTRY_KIND(entry) <= GR_E_SPACED_SIGN &&
                                                   GR_ENTRY_STRENGTH(entry) >= GR_STEP_LIMIT(word);
    gr_map_fail(m,
                (word & GR_STEP_COMPARES) && reduces && GR_ENTRY_STRENGTH(entry) == GR_P_COMPARISON,
                GR_PARSE_SYNTAX);
    gr_map_pop(m, reduces || (word & GR_STEP_POPS));
    if (reduces) {
        gr_map_operator(m, GR_ENTRY_OP(entry));
        return 0;
    }
    gr_map_node(m, leaf || (word & GR_STEP_WRITES), leaf ? GR_STEP_MORE(word) : GR_ENTRY_OP(entry),
                m->step.operand);
    gr_map_push(m, (word & GR_STEP_PUSHES) != 0, m->step.operand);
    if (GR_STEP_ACTION(word) && numbers)
        gr_map_action(m, word, m->step.operand);
    else if (GR_STEP_ACTION(word))
        gr_map_item(m);
    return 1;
}

/* A token of the sentence to the reader of expressions. */
GR_FN void gr_map_token(gr_mapping *m, uint32_t word, uint32_t operand) {
    gr_noted before = gr_note(m);
    gr_parse_token(&m->p, word, operand);
    if (!m->begins.at)
        return;
    gr_note_nodes(m, before);
    if (GR_TOKEN_KIND(word) == GR_T_ELSE && m->p.status == GR_PARSE_OK)
        gr_swap_notes(m);
}

/* The whole sentence, its tokens fed to the reader of expressions. */
GR_FN void gr_map_tokens(gr_mapping *m) {
    const uint32_t *g = m->d.grammar;
    for (uint32_t terminal; (terminal = gr_derive_next(&m->d)) != GR_DERIVED;) {
        uint32_t end = gr_token_first(g, terminal + 1);
        for (uint32_t t = gr_token_first(g, terminal); t < end; t++) {
            uint32_t word = gr_token_word(g, t, 0);
            if (GR_TOKEN_KIND(word) == GR_T_CODON) { /* a terminal of its own */
                gr_noted before = gr_note(m);
                gr_feed_codon(&m->p, gr_read_codon_value(g, t), gr_last_codon(&m->d));
                if (m->begins.at)
                    gr_note_nodes(m, before);
                break;
            }
            gr_map_token(m, word, gr_token_word(g, t, 1));
        }
    }
    if (m->d.validity == GR_VALID)
        gr_map_token(m, GR_TOKEN(GR_T_END, 0), 0);
}

/* The step to be done: whether it takes a codon. */
GR_FN uint32_t gr_map_takes_codon(const gr_mapping *m) {
    return m->step.word & GR_NONTERMINAL;
}

/* A step that takes a codon; 0 when the derivation ends there. */
GR_FN uint32_t gr_map_codon(gr_mapping *m) {
    uint32_t word = m->step.word;
    if (gr_walk_ends(&m->d))
        return 0;
    uint32_t production = gr_walk_choose(&m->d, &m->walk, word & 0xffffu);
    gr_pair body = m->walk.body[production];
    m->d.nodes += body.word >> 16;
    gr_walk_enter(&m->d, &m->walk, word, body.operand);
    m->step = m->walk.step[m->walk.next++];
    return 1;
}

/* One that takes none; 0 at the end of the sentence. */
GR_FN uint32_t gr_map_terminal(gr_mapping *m, uint32_t numbers) {
    uint32_t word = m->step.word;
    if (!gr_map_act(m, numbers))
        return 1;
    if ((word & GR_STEP_LAST) && !gr_walk_leave(&m->d, &m->walk))
        return 0;
    m->step = m->walk.step[m->walk.next++];
    return 1;
}

/* A codon, where one is due, then a terminal, where one is: lanes of a warp that are at different
 * ones do both in a turn, and meet behind each. 0 at the end of the sentence, which `busy` lanes
 * have not reached. */
GR_FN uint32_t gr_map_turn(gr_mapping *m, uint32_t busy, uint32_t numbers, gr_lane_group w) {
    if (busy && gr_map_takes_codon(m))
        busy = gr_map_codon(m);
    gr_sync(w);
    if (busy && !gr_map_takes_codon(m))
        busy = gr_map_terminal(m, numbers);
    gr_sync(w);
    return busy;
}

/* After the last step or token: pending operators (tokens leave none), and why there is no
 * expression. */
GR_FN void gr_map_end(gr_mapping *m) {
    gr_parser *p = &m->p;
    if (m->d.validity != GR_VALID)
        return;
    while (p->top && p->status == GR_PARSE_OK) {
        uint32_t op = GR_ENTRY_OP(m->entry);
        gr_map_pop(m, 1);
        gr_map_operator(m, op);
    }
    if (p->status != GR_PARSE_OK)
        m->d.validity = p->status == GR_PARSE_TOO_LARGE ? GR_TOO_LARGE : GR_NO_EXPRESSION;
}

/* The whole sentence, by steps or tokens: m->d and m->p are started. */
GR_FN void gr_map_sentence(gr_mapping *m) {
    const gr_lane_group alone = {0, 1};
    if (gr_maps_by_steps(m->d.grammar, m->d.convention)) {
        gr_map_start(m);
        while (gr_map_turn(m, 1, 1, alone))
            ;
    } else
        gr_map_tokens(m);
}

/* All of it, annotated. */
GR_FN void gr_map(gr_mapping *m) {
    gr_map_sentence(m);
    gr_map_end(m);
    if (m->d.validity == GR_VALID)
        gr_annotate(m->p.nodes, m->p.count);
}

#endif
