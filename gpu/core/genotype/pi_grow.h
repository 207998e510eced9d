/* Initialisers that expand non-terminals in any order: position-independent grow and PTC2.
 *
 * The derivation under way stands in the genome itself, depth first: a finished expansion is its
 * codon (below 2^31), a non-terminal still to be expanded a word that waits, its level and its rule
 * (tiers.h). Whatever the order of expansion, the codons end up where mapping reads them (PonyGE2's
 * PI_grow stores them in the order of expansion, and loses most of its first generation). */
#ifndef GR_PI_GROW_H
#define GR_PI_GROW_H

#include "gpu/core/genotype/genome.h"
#include "gpu/core/genotype/tiers.h"

#define GR_PI_GROW_WORD(level, rule) (GR_WAITS | (uint32_t)(level) << 15 | (uint32_t)(rule))
#define GR_PI_GROW_LEVEL(word) (((word) >> 15) & 0xffffu)
#define GR_PI_GROW_RULE(word) ((word)&0x7fffu)
enum { GR_PI_GROW_RULES = 0x8000 };

/* Whether a rule has a production that can go on for ever. */
GR_FN uint32_t gr_pi_grow_recursive(const uint32_t *g, uint32_t rule) {
    for (uint32_t p = gr_rule_first(g, rule); p < gr_rule_first(g, rule + 1); p++)
        if (GR_PRODUCTION_RECURSIVE(gr_production(g, p)))
            return 1;
    return 0;
}

/* The shallowest production of a rule; of several one by chance. */
GR_FN uint32_t gr_pi_grow_shallowest(const uint32_t *g, uint32_t rule, gr_random *r) {
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
    uint32_t least = 0xffffu, choice = 0, equal = 0;
    for (uint32_t i = 0; i < count; i++)
        least = gr_min_u32(least, GR_PRODUCTION_DEPTH(gr_production(g, first + i)));
    for (uint32_t i = 0; i < count; i++)
        equal += GR_PRODUCTION_DEPTH(gr_production(g, first + i)) == least;
    for (uint32_t wanted = gr_below(r, equal); choice < count; choice++)
        if (GR_PRODUCTION_DEPTH(gr_production(g, first + choice)) == least && wanted-- == 0)
            break;
    return choice;
}

/* The most levels a rule of the grammar needs at least, its own counted. */
GR_FN uint32_t gr_pi_grow_deepest(const uint32_t *g) {
    uint32_t deepest = 0;
    for (uint32_t rule = 0; rule < gr_grammar_word(g, GR_G_RULES); rule++) {
        uint32_t least = 0xffffu;
        for (uint32_t p = gr_rule_first(g, rule); p < gr_rule_first(g, rule + 1); p++)
            least = gr_min_u32(least, GR_PRODUCTION_DEPTH(gr_production(g, p)));
        deepest = gr_max_u32(deepest, least);
    }
    return deepest;
}

/* Near the limit a production that has to recur is one that takes all of the `left` levels below
 * it, if there is one; else any that takes fewer. Its index in the rule, the rule's size: none. */
GR_FN uint32_t gr_pi_grow_filling(const uint32_t *g, uint32_t rule, uint32_t left, gr_random *r) {
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
    uint32_t equal = 0, fewer = 0, choice = 0;
    for (uint32_t i = 0; i < count; i++) {
        equal += GR_PRODUCTION_DEPTH(gr_production(g, first + i)) == left;
        fewer += GR_PRODUCTION_DEPTH(gr_production(g, first + i)) < left;
    }
    if (equal + fewer == 0)
        return count;
    for (uint32_t wanted = gr_below(r, equal ? equal : fewer); choice < count; choice++) {
        uint32_t takes = GR_PRODUCTION_DEPTH(gr_production(g, first + choice));
        if ((equal ? takes == left : takes < left) && wanted-- == 0)
            break;
    }
    return choice;
}

/* Puts a production's codon in its place and its non-terminals behind it; what follows moves up.
 * How many more rules wait that are recursive is added. 0 when the capacity does not do. */
GR_FN uint32_t gr_pi_grow_expand(const gr_params *p, gr_form form, gr_random *r, gr_tiers *t,
                                 gr_spot at, uint32_t choice, uint32_t *recursive) {
    const uint32_t *g = form.grammar;
    uint32_t word = *gr_tier_word(t, at), rule = GR_PI_GROW_RULE(word);
    uint32_t first = gr_rule_first(g, rule), count = gr_rule_first(g, rule + 1) - first;
    uint32_t more = GR_PRODUCTION_NONTERMINALS(gr_production(g, first + choice));
    uint32_t takes = gr_takes_codon(g, form.convention, rule), in_place = 1;
    if (t->count + more > t->capacity)
        return 0;
    *recursive -= gr_pi_grow_recursive(g, rule);
    if (takes + more == 0) /* neither a codon nor anything to expand */
        gr_take_out(t, at);
    if (takes) {
        gr_set_tier_word(t, at, gr_codon_of(p, choice, count, r));
        in_place = 0;
    }
    uint32_t last = gr_symbol_first(g, first + choice + 1);
    for (uint32_t s = gr_symbol_first(g, first + choice); s < last; s++) {
        if (!(gr_symbol(g, s) & GR_NONTERMINAL))
            continue;
        uint32_t below = gr_symbol(g, s) & ~GR_NONTERMINAL;
        uint32_t waits = GR_PI_GROW_WORD(GR_PI_GROW_LEVEL(word) + 1, below);
        if (in_place)
            gr_set_tier_word(t, at, waits);
        else
            gr_put_in(t, at = gr_next_spot(t, at), waits);
        in_place = 0;
        *recursive += gr_pi_grow_recursive(g, below);
    }
    return 1;
}

/* Grows a derivation within `depth`, always at a non-terminal drawn from all that wait. size 0: PI
 * grow as in PonyGE2; until a branch has reached the depth all that can recur do, and later the
 * last recursive one that waits still does. (Fagan and others, EuroGP 2016, force the last one
 * alone, and only until then: smaller trees.) Otherwise PTC2: all that can recur do until `size`
 * expansions are there or wait, then all end the shortest way. The codons, 0 when it does not fit.
 */
GR_FN uint32_t gr_pi_grow_genome(const gr_params *p, gr_form form, gr_random *r, uint32_t depth,
                                 uint32_t size, uint32_t *genome, gr_words path) {
    const uint32_t *g = form.grammar;
    uint32_t reached = 0, recursive = gr_pi_grow_recursive(g, 0);
    uint32_t deepest = size ? 0 : gr_pi_grow_deepest(g);
    gr_tiers t = gr_tiers_start(genome, form.capacity, path, p->max_depth);
    const gr_spot start = {0, 0};
    gr_put_in(&t, start, GR_PI_GROW_WORD(0, 0));
    while (t.waiting) {
        gr_spot at = gr_waiting_spot(&t, gr_below(r, t.waiting));
        uint32_t word = *gr_tier_word(&t, at), rule = GR_PI_GROW_RULE(word),
                 level = GR_PI_GROW_LEVEL(word);
        uint32_t others = recursive - gr_pi_grow_recursive(g, rule);
        uint32_t forced = size ? t.count < size : !reached || others == 0;
        uint32_t near_limit = !size && depth <= level + 2 + deepest;
        uint32_t choice = size && !forced ? gr_pi_grow_shallowest(g, rule, r)
                          : forced && near_limit
                              ? gr_pi_grow_filling(g, rule, depth - level - 1, r)
                              : gr_choose_production(g, rule, level, depth, forced, r);
        if (choice == gr_rule_first(g, rule + 1) - gr_rule_first(g, rule))
            return 0;
        if (!gr_pi_grow_expand(p, form, r, &t, at, choice, &recursive))
            return 0;
        reached |= level + 2 >= depth;
    }
    gr_tiers_end(&t);
    return t.count;
}

GR_FN uint32_t gr_grows_anywhere(const gr_params *p) {
    return gr_first_genome_kind(p->initialisation) == GR_GENOMES_ANYWHERE;
}

/* gr_initial_codons for these initialisers. */
GR_CALL uint32_t gr_pi_grow_codons(const gr_params *p, gr_form form, uint32_t deme, uint32_t index,
                                   uint32_t attempt, uint32_t *genome, gr_words path) {
    gr_random r = gr_stream(p, GR_PURPOSE_INIT, attempt, deme, index);
    uint32_t ramp = p->init_max_depth - p->init_min_depth + 1, used = 0, size = 0;
    uint32_t depth = p->init_min_depth + index % ramp;
    if (p->initialisation == GR_INIT_PTC2) {
        depth = p->max_depth;
        size = 1 + gr_below(&r, p->init_length);
    }
    for (; !used && depth > 1; depth--, size -= size / 2)
        used = gr_pi_grow_genome(p, form, &r, depth, size, genome, path);
    return used;
}

#endif
